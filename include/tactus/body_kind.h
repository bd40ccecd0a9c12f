/* Kinds of bodies: what a scene may say of them, how one is made, and the table that answers for it.
 *
 * A kind is a row, those that Tactus ships and all others. A host registers its own with tac_body_kind_register. A shared object
 * defines tactus_body_kinds; scenes name it under `kinds`, or a program loads it with tac_body_kind_load. docs/kinds.md says how to
 * write one; examples/body_bed.c and src/kinds/rigid are complete. Rows stay as they are until the process ends, and so does what
 * was loaded. */
#ifndef TACTUS_BODY_KIND_H
#define TACTUS_BODY_KIND_H

#include <stddef.h>
#include <tactus/body.h>

TAC_BEGIN_DECLS

enum {
  TAC_BODY_KIND_VERSION = 3,
  TAC_BODY_KIND_MOST = 64,          /* kinds of a process */
  TAC_BODY_KIND_MOST_KEYS = 64,     /* of a kind */
  TAC_BODY_KIND_MOST_RECORD = 1024, /* bytes */
  TAC_BODY_KIND_MOST_VALUES = 16    /* of a vector */
};

/* What the value of a key is, and what it becomes in the record. */
typedef enum tacKeyType {
  TAC_KEY_NUMBER, /* double, SI; with a unit where the key has one */
  TAC_KEY_VECTOR, /* double[count], likewise: [1 mm, 2 mm, 3 mm] */
  TAC_KEY_COUNT,  /* int */
  TAC_KEY_FLAG,   /* bool: true or false */
  TAC_KEY_TEXT,   /* const char *, not empty */
  TAC_KEY_PATH    /* const char *: a file; in the record as seen from where the program runs */
} tacKeyType;

/* A key of a body of the kind. All bodies of registered kinds have name, kind, position, rotation, friction, touch, contact, free,
 * velocity, spin, gravity, every and copies as well, and as far as the kind takes them surface, points and field: such names are
 * not for keys of one's own. */
typedef struct tacBodyKey {
  const char *name;
  tacKeyType type;
  size_t offset;      /* of its value in the record */
  const char *unit;   /* of numbers and vectors: that of SI ("m", "N/m", "N/m3"); NULL or "": plain numbers */
  double least, most; /* of numbers, of each of a vector, of counts; both 0: any. Counts need them */
  int count;          /* of a vector; 1 to TAC_BODY_KIND_MOST_VALUES */
  bool required;      /* else what `defaults` has there */
} tacBodyKey;

/* What a scene says of a body beside the keys of its kind. */
typedef struct tacBodyGiven {
  bool free;
  bool endless; /* one of its exact solids has no end: a plane */
} tacBodyGiven;

/* What a body is made in; texts live as long as the call, meshes and assets longer than the body. */
typedef struct tacBodyCreate {
  const char *name;          /* of the body, for errors */
  const char *folder;        /* of the scene; "." where it has none */
  const tacTriMesh *surface; /* that the scene gives, or that of its exact solids, in the body's frame; NULL: none */
  const tacPointshell
      *points; /* made of the body's surface, at rest; NULL: the scene asks for none, or does not have it yet */
  const tacDistanceField *field; /* likewise */
} tacBodyCreate;

/* A first body of the kind, as `tactus new` writes it for an organ: what is known of the organ. */
typedef struct tacBodyDraft {
  const char *surface, *material, *fixed; /* lines of a scene, with their ends, as they go below a body */
  const char *tissue;                     /* name of its material: "liver" */
  double volume;                          /* that the surface encloses, m^3 */
  double thickness;                       /* which a tenth of the surface is below, m */
  double edge;                            /* mean length of the surface's edges, m */
  double finger;                          /* radius of what presses it, m */
} tacBodyDraft;

/* Which organs the kind is chosen for, where nobody asks for a kind. */
typedef enum tacDraftUse {
  TAC_DRAFT_ON_REQUEST, /* none */
  TAC_DRAFT_USUAL,
  TAC_DRAFT_THIN, /* too thin for boundary elements */
  TAC_DRAFT_HARD  /* stiffer than any device renders */
} tacDraftUse;

typedef struct tacBodyDrafter {
  tacDraftUse use; /* of several kinds the first is taken */
  bool held;       /* it writes `fixed` */
  double rate;     /* Hz: of the bodies' steps; 0: that of the servo */
  /* Writes the lines of a body after its name into `text`, as snprintf does, with an explanation each. */
  void (*write)(const tacBodyDraft *draft, char *text, size_t size);
} tacBodyDrafter;

struct tacSceneKind; /* src/spec/scene_kind.h */

typedef struct tacBodyKind {
  uint32_t version;    /* TAC_BODY_KIND_VERSION */
  const char *name;    /* the value of `kind` in scenes: up to 64 letters, digits, '-', '_' and '.' */
  const char *summary; /* one line, for people */
  int key_count;
  const tacBodyKey *keys;
  size_t record_size;                            /* bytes, at most TAC_BODY_KIND_MOST_RECORD */
  const void *defaults;                          /* a record; NULL: zeros */
  bool takes_surface, takes_points, takes_field; /* from the scene */
  bool makes_field;                              /* of kinds that take none: their bodies have one */
  bool takes_analytic; /* exact solids in place of a surface, and of a field: one of the two is required then */
  /* What a key alone cannot say; NULL: nothing. What is wrong goes to `error`, and to `key` the key whose line is to blame, or NULL: the
   * body's. */
  tacStatus (*check)(const void *record, const tacBodyGiven *given, const char **key, tacError *error);
  /* Makes a body at rest, whose `self` the table's destroy frees. The scene calls it first without points and field, for the body's
   * surface, which they are then made of, and later once for every body that is added to a world: the same record gives the
   * same body. On failure fills `error` and returns other than TAC_OK. Any thread, several at a time. */
  tacStatus (*create)(const void *record, const tacBodyCreate *context, void **self, tacError *error);
  const tacBodyTable *table;
  tacBodyShown shown; /* TAC_SHOWN_VERTICES, or TAC_SHOWN_RIGID where it never deforms */
  /* Of kinds that bake assets of their own, and are built with the library: what scenes know of them instead of keys, record and
   * create. NULL for all others. */
  const struct tacSceneKind *scene;
  const tacBodyDrafter *drafter; /* NULL: `tactus new` writes no body of it */
} tacBodyKind;

/* What a shared object with kinds defines: its rows, after the last NULL. */
TAC_API const tacBodyKind *const *tactus_body_kinds(void);

/* Load phase, any thread. The row must outlive the process's use of the library. The same row again is fine; another of the same
 * name is TAC_ERR_ARGUMENT, as is a row that lacks something; a row or table of another version is TAC_ERR_VERSION. */
TAC_API tacStatus tac_body_kind_register(const tacBodyKind *kind, tacError *error);

/* Loads a shared object and registers its rows, all or none. `path` without a slash is looked up by the system. It is
 * never unloaded. */
TAC_API tacStatus tac_body_kind_load(const char *path, tacError *error);

TAC_END_DECLS

#endif
