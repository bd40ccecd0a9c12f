/* What scenes know of a kind of bodies (tacBodyKind.scene): its keys, and what becomes of them. Whoever asks for a kind asks its row:
 * no other file knows one by name. */
#pragma once

#include "spec/body_bake.h"
#include "spec/body_description.h"

/* A body on its way into a world; after the bake. */
typedef struct tacBodyAdd {
  const tacYamlTree *tree;
  const tacSceneBody *body;
  const tacBakedBody *baked;
  double limit; /* N/m: that of tac_tool_device_least_stiffness */
  tacWorld *world;
} tacBodyAdd;

/* What a bake is expected to take. */
typedef struct tacBodyAppetite {
  double bytes, seconds;
} tacBodyAppetite;

/* How large the meshes of a body are. */
typedef struct tacBodyExtent {
  double surface; /* vertices of the surface; */
  double skin;    /* of the volume's boundary, about */
  double elements;
} tacBodyExtent;

typedef struct tacSceneKind {
  /* Its keys, of tacSceneBody and of the kind's own record there (TAC_OWN_KEY), beside those of all bodies. */
  const tacField *fields;
  int field_count;
  void (*defaults)(tacSceneBody *body);
  tacStatus (*check)(const tacYamlTree *tree, const tacSceneBody *body, tacError *error);
  /* Files that its own keys name; NULL: none. */
  tacStatus (*visit)(const tacSceneBody *body, tacSceneFileVisit visit, void *user, tacError *error);
  bool (*is_free)(const tacSceneBody *body); /* where no tool holds it; NULL: as its key `free` says */
  double (*touch)(const tacSceneBody *body); /* N/m, the most that a point tool feels of it, but for the device's limit;
                                              * NULL: as its key `touch` says */
  double (*finger)(const tacSceneBody *body);     /* m: radius that it is pressed over by a finger; NULL, 0: none */
  bool (*keeps_volume)(const tacSceneBody *body); /* tetrahedra of it do not lock; NULL: they may */
  bool (*lower)(tacSceneBody *body);              /* a small version; false, or NULL: there is nothing to lower */
  tacBodyAppetite (*appetite)(const tacSceneBody *body, const tacBodyExtent *extent); /* NULL: of its meshes alone */
  /* Seconds of a step on one core, about, with so many elements; NULL: microseconds, whatever the body. */
  double (*step)(const tacSceneBody *body, int elements);
  bool relaxes;  /* its surface becomes triangles that are alike */
  bool linear;   /* it answers by linear elasticity: small strain */
  bool large;    /* it is right at large strain */
  bool divides;  /* its elements are tetrahedra, whatever the volume is of */
  bool vertices; /* they are its points, and it has no field */
  int assets;    /* beside field and points */
  int version;   /* to be raised when the same definition bakes to other numbers; 0: it has no assets of its own */
  tacStatus (*bake)(tacBodyBake *bake);
  /* After the bake, by the ending of its file: "green"; NULL: it has none of this kind. The function may be NULL. */
  const void *(*made)(const tacBakedBody *baked, const char *ending);
  tacStatus (*add)(const tacBodyAdd *add, tacError *error);
  void (*describe)(const tacSceneLines *to, const char *label, const tacSceneBody *body);
  /* Of kinds with an asset, `made` being that asset: lines on it after the bake, and what the bake was compared with. */
  void (*describe_asset)(const tacSceneLines *to, const char *label, const void *made, const tacSceneAsset *asset);
  const tacBakeChecks *(*checks)(const void *made);
  const char *file; /* what the asset's file calls itself (tac_chunk_file_kind), */
  tacStatus (*describe_file)(const tacSceneLines *to, const char *path,
                             tacError *error); /* and lines on what it holds */
  /* Why two runs on one platform may differ in bits; NULL: they do not, as where there is no function. */
  const char *(*variation)(const tacSceneBody *body);
} tacSceneKind;

/* Of any kind: of one without a scene's row, that of declared ones (kinds/declared_scene.h). */
static inline const tacSceneKind *tac_scene_kind_of(const tacSceneBody *body) {
  return body->scene;
}
static inline bool tac_scene_kind_frees(const tacSceneBody *body) {
  const tacSceneKind *kind = tac_scene_kind_of(body);
  return kind->is_free != NULL ? kind->is_free(body) : body->free;
}
static inline double tac_scene_kind_touch(const tacSceneBody *body) {
  const tacSceneKind *kind = tac_scene_kind_of(body);
  return kind->touch != NULL ? kind->touch(body) : body->touch.stiffness;
}

/* What bodies of all kinds have in common, but for the place of copies. */
tacBodyDef tac_scene_kind_def(const tacBodyAdd *add);
