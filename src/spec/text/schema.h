/* Maps of a YAML tree into structs, by tables that say for each key what it holds and where it goes.
 *
 * Every key of the file must be in the table, in any order; an unknown one is an error that names the nearest. Texts point
 * into the tree and lists are owned by it. */
#pragma once

#include <stdint.h>
#include "spec/text/quantity.h"
#include "spec/text/yaml_tree.h"

typedef enum tacFieldKind {
  TAC_FIELD_QUANTITY,   /* double, in [lower, upper]; the word of `words`, where there is one, gives 0 */
  TAC_FIELD_QUANTITIES, /* double[count]; a tacVec3 is three */
  TAC_FIELD_COUNT,      /* int, in [lower, upper] */
  TAC_FIELD_FLAG,       /* bool: true or false */
  TAC_FIELD_TEXT,       /* const char *, not empty */
  TAC_FIELD_NAME,       /* const char *: letters, digits, '-', '_' and '.', fit for a file's name */
  TAC_FIELD_CHOICE,     /* int: the index in `words`, separated by '|' */
  TAC_FIELD_CHOICES,    /* uint32_t: of a list of words, bit i where word i of `words` is there */
  TAC_FIELD_RECORD,     /* a struct in place */
  TAC_FIELD_LIST,       /* tacSchemaList of structs, at least one */
  TAC_FIELD_TEXTS,      /* tacSchemaList of const char *, none empty, at least one */
  TAC_FIELD_MAP         /* const tacYamlNode *: a map whose keys another one reads, such as those of a law */
} tacFieldKind;

typedef struct tacSchemaList {
  void *items;
  int count;
} tacSchemaList;

typedef struct tacRecord tacRecord;

/* Several fields may have one key where they belong to different variants, or where one is a map and another a list or a
 * single value: the file's node decides. */
typedef struct tacField {
  const char *key;
  tacFieldKind kind;
  size_t offset; /* of the target in its struct */
  size_t given;  /* of a bool that says whether the key was there; 0: none */
  bool required;
  uint64_t variants; /* of its record, a bit each, in which the key has a meaning; 0: all */
  tacQuantity quantity;
  const char *unit;    /* instead of a quantity: the only one in which values are written; NULL: none */
  double lower, upper; /* both 0: any */
  int count;
  const char *words;
  const tacRecord *record;
} tacField;

/* A key of an earlier version. Its error gives the remedy instead of the nearest key. */
typedef struct tacRemovedKey {
  const char *key, *remedy; /* the remedy is a clause: "leave it out", "use damping" */
} tacRemovedKey;

/* The struct's first member is a `const tacYamlNode *`, set to the map that it was read from. */
struct tacRecord {
  const char *noun; /* "a body" */
  size_t size;
  const tacField *fields;
  int field_count;
  const tacField *variant;      /* the choice that decides which keys have a meaning, or NULL */
  bool exactly_one;             /* of the keys */
  bool open;                    /* keys that are not in the table are left alone */
  const tacRemovedKey *removed; /* up to one whose key is NULL; or NULL */
  const char *short_for;        /* a key: a single value in place of the map stands for a map with it alone; or NULL */
  void (*defaults)(void *record); /* sees the variant that the file chooses */
  /* What a table cannot say; sees the struct complete. */
  tacStatus (*check)(const tacYamlTree *tree, void *record, tacError *error);
};

/* `target` is zeroed first. */
tacStatus tac_schema_read(tacYamlTree *tree, const tacYamlNode *node, const tacRecord *record, void *target,
                          tacError *error);
