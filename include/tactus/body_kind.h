/* User-defined kinds of bodies: a kind declares its scene keys, creates bodies, and supplies the function table of
 * the bodies.
 *
 * Each kind is one tacBodyKind, called the row of the kind. Kinds shipped with Tactus and user-defined kinds use
 * this type. A shared object with kinds defines tactus_body_kinds, and scenes name the file under `kinds`.
 * docs/kinds.md explains how to write a kind. Complete examples are examples/template_kind.c, examples/body_bed.c
 * and src/kinds/rigid.
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
 * Phases and threads: all functions in this header belong to the load phase. Any thread may call `create`, and
 * several threads may call it at the same time.
 *
 * Lifetime: rows must stay unchanged until the process ends. A loaded shared object stays loaded until the process
 * ends. */
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

/* Type of a key: the form of the value in a scene, and the C type of the value in the record. */
typedef enum tacKeyType {
  TAC_KEY_NUMBER, /* double, SI; the scene writes a unit if the key has a unit */
  TAC_KEY_VECTOR, /* double[count], SI; the scene writes units if the key has a unit: [1 mm, 2 mm, 3 mm] */
  TAC_KEY_COUNT,  /* int */
  TAC_KEY_FLAG,   /* bool: true or false */
  TAC_KEY_TEXT,   /* const char *, not empty */
  /* const char *, path of a file. A scene writes the path relative to the scene. `create` gets a path that the
   * program can open. */
  TAC_KEY_PATH
} tacKeyType;

/* A key that scenes may write for a body of the kind.
 *
 * Every body of a user-defined kind also has the keys name, kind, position, rotation, friction, touch, contact, free,
 * velocity, spin, gravity, every and copies. These names, and surface, points, field, analytic and live, are reserved.
 */
typedef struct tacBodyKey {
  const char *name; /* name of the key: up to 64 letters, digits, '-', '_' and '.'; unique in the kind */
  tacKeyType type;  /* type of the value */
  size_t offset;    /* offset of the value in the record, bytes */
  const char *unit; /* SI unit of a number or vector ("m", "N/m", "N/m3"); NULL or "": plain number */
  /* Range of a number, of each value of a vector, or of a count; both 0: any value. A count must have a range. */
  double least, most;
  int count;     /* number of values of a vector, 1 to TAC_BODY_KIND_MOST_VALUES */
  bool required; /* true: a scene must write the key; false: tacBodyKind.defaults gives the value of an omitted key */
} tacBodyKey;

/* Properties of a body that a scene gives in addition to the keys of the kind. */
typedef struct tacBodyGiven {
  bool free;    /* true: the body is free */
  bool endless; /* true: one of the exact solids of the body is infinite (a plane) */
} tacBodyGiven;

/* ---- creation of bodies ---- */

/* Inputs of tacBodyKind.create. Texts are valid only during the call. The surface, the points and the field must
 * outlive the body. */
typedef struct tacBodyCreate {
  const char *name;          /* name of the body, for error texts */
  const char *folder;        /* folder of the scene; "." if the scene has no folder */
  const tacTriMesh *surface; /* surface in the body's frame, given by the scene or made from exact solids; NULL: none */
  /* Points made from the body's surface at rest; NULL: the scene requests no points, or the points are not made
   * yet. */
  const tacPointshell *points;
  /* Field made from the body's surface at rest; NULL: the scene requests no field, or the field is not made yet. */
  const tacDistanceField *field;
} tacBodyCreate;

/* ---- drafts of scenes, written by `tactus new` ---- */

/* Data about an organ, from which `tactus new` writes the draft of a body. */
typedef struct tacBodyDraft {
  const char *surface, *material, *fixed; /* lines of a scene with their line ends, indented as keys of a body */
  const char *tissue;                     /* name of the material, for example "liver" */
  double volume;                          /* volume enclosed by the surface, m^3 */
  double thickness;                       /* thickness that the organ exceeds under nine tenths of its surface, m */
  double edge;                            /* mean edge length of the surface, m */
  double finger;                          /* radius of the finger that presses the organ, m */
} tacBodyDraft;

/* Organs for which `tactus new` chooses the kind if the user names no kind. */
typedef enum tacDraftUse {
  TAC_DRAFT_ON_REQUEST, /* no organs */
  TAC_DRAFT_USUAL,      /* organs that are neither thin nor hard */
  TAC_DRAFT_THIN,       /* organs too thin for boundary elements */
  TAC_DRAFT_HARD        /* organs stiffer than any device can render */
} tacDraftUse;

/* Support of `tactus new` for bodies of the kind. */
typedef struct tacBodyDrafter {
  /* Organs for which the kind is chosen; if several kinds have the same use, the first of these kinds is chosen. */
  tacDraftUse use;
  bool held;   /* true: `write` writes tacBodyDraft.fixed */
  double rate; /* rate at which the bodies are simulated, Hz; 0: the rate of the servo */
  /* Writes the scene lines after the body's name to `text`, as snprintf does. Each line has an explanation. `size`
   * is the size of `text` in bytes. */
  void (*write)(const tacBodyDraft *draft, char *text, size_t size);
} tacBodyDrafter;

/* ---- the kind ---- */

struct tacSceneKind; /* scene support of a kind, see src/spec/scene_kind.h */

/* A kind of body. */
typedef struct tacBodyKind {
  uint32_t version;       /* value TAC_BODY_KIND_VERSION; another version is refused */
  const char *name;       /* value of the scene key `kind`: up to 64 letters, digits, '-', '_' and '.' */
  const char *summary;    /* one line that describes the kind to users */
  int key_count;          /* number of `keys`, 0 to TAC_BODY_KIND_MOST_KEYS */
  const tacBodyKey *keys; /* keys of the kind, [key_count] */
  size_t record_size;     /* size of the record, bytes, at most TAC_BODY_KIND_MOST_RECORD */
  const void *defaults;   /* record with the values of omitted keys; NULL: zeros */
  /* True: scenes may give a surface (takes_surface), request points (takes_points), request a field (takes_field). */
  bool takes_surface, takes_points, takes_field;
  bool makes_field; /* true: `create` makes a field for each body, if the kind takes no field */
  /* True: scenes may write exact solids instead of a surface and a field; a body must then have a surface or exact
   * solids. */
  bool takes_analytic;
  /* Checks values beyond the checks of the keys. If a value is wrong, returns an error and writes the reason to
   * `error`. The function then sets `key` to the key whose line is wrong, or to NULL for the line of the body. If
   * the function is NULL, there is nothing to check. */
  tacStatus (*check)(const void *record, const tacBodyGiven *given, const char **key, tacError *error);
  /* Creates a body at rest and stores the body in `self`. tacBodyTable.destroy frees the body.
   *
   * A scene first calls `create` without points and field, to get the surface of the body. The scene makes points
   * and field from this surface. Later, the scene calls `create` once for each body that is added to a world. The
   * same record must give the same body. On failure, the function fills `error` and returns a status other than
   * TAC_OK. Any thread, also several threads at the same time. */
  tacStatus (*create)(const void *record, const tacBodyCreate *context, void **self, tacError *error);
  const tacBodyTable *table; /* functions of the bodies */
  tacBodyShown shown; /* display of the bodies: TAC_SHOWN_VERTICES, or TAC_SHOWN_RIGID if the bodies never deform */
  /* Scene support of a kind that bakes its own assets; replaces keys, record and `create`. Only kinds built with
   * the library have it; NULL for other kinds. */
  const struct tacSceneKind *scene;
  const tacBodyDrafter *drafter; /* functions for `tactus new`; NULL: `tactus new` writes no body of this kind */
} tacBodyKind;

/* Returns the rows of a shared object as an array that ends with NULL. Every shared object with kinds defines this
 * function. The library calls it when it loads the file. */
TAC_API const tacBodyKind *const *tactus_body_kinds(void);

/* Registers a kind of the host program. Scenes that are read afterwards may use the kind. The row must stay
 * unchanged until the process ends. A second registration of the same row has no effect. Returns TAC_ERR_ARGUMENT
 * if another kind has the same name or a required member is missing. Returns TAC_ERR_VERSION if the row or its
 * table has another version. Load phase, any thread. */
TAC_API tacStatus tac_body_kind_register(const tacBodyKind *kind, tacError *error);

/* Loads a shared object and registers all its rows, or none if one row fails. The object stays loaded until the process
 * ends. The code of the object runs with the rights of the host process, which must allow it, see tac_plugin_set. Load
 * phase. */
TAC_API tacStatus tac_body_kind_load(const char *path, tacError *error);

TAC_END_DECLS

#endif
