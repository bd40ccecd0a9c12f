/* A YAML document as a tree of nodes that know their lines.
 *
 * The part of YAML that configuration needs: maps, lists and scalars. Anchors, aliases, tags and further documents are
 * refused, so that a small file cannot become a large tree; sizes are bounded. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "base/memory/owned.h"

#define TAC_YAML_MOST_BYTES (1u << 20)
#define TAC_YAML_MOST_DEPTH 32
#define TAC_YAML_MOST_NODES 65536
#define TAC_YAML_MOST_KEYS 256 /* in a map */

typedef enum tacYamlKind { TAC_YAML_TEXT, TAC_YAML_LIST, TAC_YAML_MAP } tacYamlKind;

typedef struct tacYamlNode tacYamlNode;
struct tacYamlNode {
  tacYamlKind kind;
  int line;         /* from 1; of the key where there is one */
  const char *key;  /* of an entry of a map, else NULL */
  int index;        /* among its siblings */
  const char *text; /* of a scalar, else NULL */
  int count;        /* of children */
  const tacYamlNode *parent, *first, *next;
};

typedef struct tacYamlTree tacYamlTree;

/* `path` names the text in errors. */
tacStatus tac_yaml_tree_parse(const char *text, size_t size, const char *path, tacYamlTree **tree, tacError *error);
void tac_yaml_tree_destroy(tacYamlTree *tree); /* NULL is allowed */
TAC_OWNED_TYPE(tacYamlTree, tac_yaml_tree_destroy)
const tacYamlNode *tac_yaml_tree_root(const tacYamlTree *tree);
const char *tac_yaml_tree_path(const tacYamlTree *tree);
/* Zeroed memory that lives as long as the tree. */
void *tac_yaml_tree_allocate(tacYamlTree *tree, size_t count, size_t item_size, tacError *error);

/* The child of a map with that key, or NULL. */
const tacYamlNode *tac_yaml_child(const tacYamlNode *map, const char *key);

/* Sets "PATH:LINE: bodies[0].material.young: TEXT", one line whatever the file holds, and returns `status`. */
tacStatus tac_yaml_error(const tacYamlTree *tree, const tacYamlNode *node, tacStatus status, tacError *error,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));
