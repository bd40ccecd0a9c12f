/* The bake of one body of a scene: where its assets go, and those that bodies of several kinds have. Offline. */
#pragma once

#include <tactus/scene.h>
#include "spec/bake_steps.h"
#include "spec/baked_body.h"
#include "spec/body_mesh.h"
#include "spec/body_solid.h"

typedef struct tacBodyBake {
  const tacYamlTree *tree;
  const tacSceneBody *body;
  int index; /* of the body in the scene */
  tacBakedBody *baked;
  const char *folder;
  bool again, relaxed;         /* relaxed: see tacBodyMaker */
  const tacProgress *progress; /* that of `steps` */
  tacBakeSteps *steps;
  tacSceneAsset *asset; /* the next one */
  uint64_t field_key;   /* of the file of this body's field; 0: it has none */
  tacError *error;
} tacBodyBake;

tacBodyMaker tac_body_bake_maker(const tacBodyBake *bake);
/* Where the description of the next asset goes; `kind` as tacSceneAsset has it. */
tacSceneAsset *tac_body_bake_asset(tacBodyBake *bake, const char *kind);
/* Puts the line of the scene before an error: the node's, or the body's where a file of the cache is to blame, which has nothing to
 * do with what the scene says. */
tacStatus tac_body_bake_error(const tacBodyBake *bake, const tacYamlNode *node, tacStatus status,
                              const tacError *reason);

/* What pairs need, where the body says so: the field of `mesh` at rest, and points on it. `field`, where it is not NULL, is the
 * body's own at rest. */
tacStatus tac_body_bake_field(tacBodyBake *bake, const tacTriMesh *mesh);
tacStatus tac_body_bake_points(tacBodyBake *bake, const tacTriMesh *mesh, const tacDistanceField *field);
/* What they are baked from. Where they are in a file, `ready` has them, the caller's, and `asset` is told. */
tacStatus tac_body_bake_shell(tacBodyBake *bake, const tacTriMesh *mesh, const tacDistanceField *field,
                              tacShellDef *def, tacPointshell **ready, tacSceneAsset *asset);
