/* User-defined kinds of bodies: how a kind declares its scene keys, creates bodies and supplies their function table.
 *
 * A kind is one tacBodyKind, called its row. Kinds shipped with Tactus and user-defined ones use the same type. A
 * shared object with kinds defines tactus_body_kinds; scenes name the file under `kinds`. docs/kinds.md explains how to
 * write a kind. Complete examples are examples/template_kind.c, examples/body_bed.c and src/kinds/rigid.
 *
 * Example:
 *
 *     typedef struct BallKeys { double radius; } BallKeys;  // the record: values of the scene's keys
 *     tacStatus create(const void *record, const tacBodyCreate *context, void **self, tacError *error);  // by the kind
 *     extern const tacBodyTable table;                      // by the kind, see <tactus/body.h>
 *     static const tacBodyKey keys[] = {
 *         {"radius", TAC_KEY_NUMBER, offsetof(BallKeys, radius), "m", 1e-4, 1.0, 0, true}};
 *     static tacBodyKind kind;                              // zeroed
 *     kind.version = TAC_BODY_KIND_VERSION;
 *     kind.name = "ball";
 *     kind.summary = "a ball";
 *     kind.key_count = 1;
 *     kind.keys = keys;
 *     kind.record_size = sizeof(BallKeys);
 *     kind.create = create;
 *     kind.table = &table;
 *     kind.shown = TAC_SHOWN_VERTICES;
 *     tacStatus status = tac_body_kind_register(&kind, error); // a shared object returns &kind from tactus_body_kinds
 *     if (status != TAC_OK) return status;
 *
 * Units: values in a record are SI. Scenes may write multiples, such as `5 mm`.
 *
 * Phases and threads: everything here belongs to the load phase. `create` may be called from any thread, by several at
 * a time.
 *
 * Lifetime: rows must stay unchanged until the process ends. A loaded shared object stays loaded until then. */
#ifndef TACTUS_BODY_KIND_H
#define TACTUS_BODY_KIND_H

#include <stddef.h>
#include <tactus/body.h>

TAC_BEGIN_DECLS

enum {
  TAC_BODY_KIND_VERSION = 3,        /* value of tacBodyKind.version */
  TAC_BODY_KIND_MOST = 64,          /* limit of kinds in a process */
  TAC_BODY_KIND_MOST_KEYS = 64,     /* limit of keys of a kind */
  TAC_BODY_KIND_MOST_RECORD = 1024, /* limit of bytes in a record */
  TAC_BODY_KIND_MOST_VALUES = 16    /* limit of values of a vector key */
};

/* ---- keys of a scene ---- */

/* Type of a key: what a scene writes, and how the record stores it. */
typedef enum tacKeyType {
  TAC_KEY_NUMBER, /* double, SI; the scene writes a unit if the key has one */
  TAC_KEY_VECTOR, /* double[count], likewise: [1 mm, 2 mm, 3 mm] */
  TAC_KEY_COUNT,  /* int */
  TAC_KEY_FLAG,   /* bool: true or false */
  TAC_KEY_TEXT,   /* const char *, not empty */
  /* const char *, a file. Scenes write it relative to the scene; `create` gets a path that the program can open. */
  TAC_KEY_PATH
} tacKeyType;

/* A key that scenes may write for a body of the kind.
 *
 * Every body of a user-defined kind also has the keys name, kind, position, rotation, friction, touch, contact, free,
 * velocity, spin, gravity, every and copies. These names, and surface, points, field, analytic and live, are reserved.
 */
typedef struct tacBodyKey {
  const char *name; /* up to 64 letters, digits, '-', '_' and '.'; unique in the kind */
  tacKeyType type;  /* type of the value */
  size_t offset;    /* of the value in the record, bytes */
  const char *unit; /* SI unit of a number or vector ("m", "N/m", "N/m3"); NULL or "": a plain number */
  /* Range of a number, of each value of a vector, or of a count. Both 0: any value. Required for a count. */
  double least, most;
  int count;     /* number of values of a vector, 1 to TAC_BODY_KIND_MOST_VALUES */
  bool required; /* false: if a scene omits the key, tacBodyKind.defaults gives the value */
} tacBodyKey;

/* What a scene states about a body besides the keys of its kind. */
typedef struct tacBodyGiven {
  bool free;    /* the body is free */
  bool endless; /* one of its exact solids is infinite: a plane */
} tacBodyGiven;

/* ---- creating bodies ---- */

/* Inputs of tacBodyKind.create. Texts are valid only during the call. Meshes and assets outlive the body. */
typedef struct tacBodyCreate {
  const char *name;          /* of the body, for error texts */
  const char *folder;        /* folder of the scene; "." if it has none */
  const tacTriMesh *surface; /* surface from the scene, or of its exact solids, in the body's frame; NULL: none */
  /* Made from the body's surface at rest. NULL: the scene requests none, or it is not made yet. */
  const tacPointshell *points;
  const tacDistanceField *field; /* as for `points` */
} tacBodyCreate;

/* ---- first scenes, written by `tactus new` ---- */

/* What `tactus new` knows about an organ when it writes a first body of the kind. */
typedef struct tacBodyDraft {
  const char *surface, *material, *fixed; /* lines of a scene with their line ends, indented as keys of a body */
  const char *tissue;                     /* name of the material: "liver" */
  double volume;                          /* m^3, enclosed by the surface */
  double thickness;                       /* m: the organ is thinner than this under a tenth of its surface */
  double edge;                            /* m, mean edge length of the surface */
  double finger;                          /* m, radius of the finger that presses the organ */
} tacBodyDraft;

/* For which organs `tactus new` chooses the kind if the user names no kind. */
typedef enum tacDraftUse {
  TAC_DRAFT_ON_REQUEST, /* for no organ */
  TAC_DRAFT_USUAL,      /* for organs that are neither thin nor hard */
  TAC_DRAFT_THIN,       /* for organs too thin for boundary elements */
  TAC_DRAFT_HARD        /* for organs stiffer than any device can render */
} tacDraftUse;

/* How `tactus new` writes a body of the kind. */
typedef struct tacBodyDrafter {
  tacDraftUse use; /* if several kinds have the same use, the first one is chosen */
  bool held;       /* `write` includes tacBodyDraft.fixed */
  double rate;     /* Hz, rate at which the bodies are simulated; 0: the rate of the servo */
  /* Writes the lines that follow the body's name into `text`, as snprintf does, each with an explanation. `size` is in
   * bytes. */
  void (*write)(const tacBodyDraft *draft, char *text, size_t size);
} tacBodyDrafter;

/* ---- the kind ---- */

struct tacSceneKind; /* src/spec/scene_kind.h */

/* A kind of body. */
typedef struct tacBodyKind {
  uint32_t version;       /* TAC_BODY_KIND_VERSION; another version is refused */
  const char *name;       /* value of `kind` in scenes: up to 64 letters, digits, '-', '_' and '.' */
  const char *summary;    /* one line that describes the kind to users */
  int key_count;          /* number of `keys`, 0 to TAC_BODY_KIND_MOST_KEYS */
  const tacBodyKey *keys; /* [key_count] */
  size_t record_size;     /* bytes of the record, at most TAC_BODY_KIND_MOST_RECORD */
  const void *defaults;   /* a record with the values of keys that a scene omits; NULL: zeros */
  bool takes_surface, takes_points, takes_field; /* scenes may give a surface, request points, request a field */
  bool makes_field; /* for kinds that take no field: `create` makes a field for each body */
  /* Scenes may write exact solids instead of a surface and a field. A body then needs one of the two. */
  bool takes_analytic;
  /* Refuses values that the keys alone cannot exclude. It writes what is wrong to `error`. It sets `key` to the key
   * whose line is wrong, or NULL for the line of the body. NULL: nothing to check. */
  tacStatus (*check)(const void *record, const tacBodyGiven *given, const char **key, tacError *error);
  /* Creates a body at rest and stores it in `self`, which tacBodyTable.destroy frees.
   *
   * A scene first calls it without points and field, to get the body's surface, from which points and field are made.
   * Later it calls it once for each body that is added to a world. The same record must give the same body. On failure
   * it fills `error` and returns a status other than TAC_OK. Any thread, several at a time. */
  tacStatus (*create)(const void *record, const tacBodyCreate *context, void **self, tacError *error);
  const tacBodyTable *table; /* functions of the bodies */
  tacBodyShown shown;        /* TAC_SHOWN_VERTICES; or TAC_SHOWN_RIGID if the bodies never deform */
  /* Scene support of kinds that bake their own assets, used instead of keys, record and `create`. Only for kinds built
   * with the library; NULL for all others. */
  const struct tacSceneKind *scene;
  const tacBodyDrafter *drafter; /* NULL: `tactus new` writes no body of this kind */
} tacBodyKind;

/* Returns the rows of a shared object, ended by NULL. Every shared object with kinds defines this function; the library
 * calls it when it loads the file. */
TAC_API const tacBodyKind *const *tactus_body_kinds(void);

/* Registers a kind of the host program; scenes that are read afterwards may use it. The row must stay unchanged until the
 * process ends. Registering the same row again has no effect. TAC_ERR_ARGUMENT if another kind has its name or a
 * required member is missing; TAC_ERR_VERSION if the row or its table has another version. Load phase, any thread. */
TAC_API tacStatus tac_body_kind_register(const tacBodyKind *kind, tacError *error);

/* Loads a shared object and registers its rows, all or none. The object stays loaded until the process ends. It runs
 * with the rights of the host, which has to allow it: see tac_plugin_set. */
TAC_API tacStatus tac_body_kind_load(const char *path, tacError *error);

TAC_END_DECLS

#endif
