/* What a body's field and points are baked from, made from its description. Offline. */
#pragma once

#include "spec/scene_body.h"

/* The solid inside a mesh, or inside the surface that is everywhere as far from it, sampled. */
typedef struct tacSolidDef {
  const tacTriMesh *mesh;
  bool offset; /* by def.offset */
  tacFieldDef def;
} tacSolidDef;

typedef struct tacShellDef {
  tacSolidDef solid;             /* that the points are fitted to */
  const tacDistanceField *field; /* of that solid; NULL: it is made when it is needed */
  uint64_t field_key;         /* where the field was ready, and is not that of the solid: of its file; 0: it was not */
  const tacPointshell *ready; /* the points themselves, of a file; NULL: they are baked */
  uint64_t ready_key;         /* of that file */
  tacPointshellDef points;
} tacShellDef;

/* Of the body's `field`. */
tacSolidDef tac_body_solid_of_field(const tacSceneBody *body, const tacTriMesh *mesh);
bool tac_body_solid_same(const tacSolidDef *a, const tacSolidDef *b);
tacStatus tac_body_solid_bake(const tacSolidDef *solid, const tacProgress *progress, tacDistanceField **field,
                              tacError *error);

tacShellDef tac_body_solid_shell(const tacSceneBody *body, const tacTriMesh *mesh);
tacStatus tac_body_solid_shell_bake(const tacShellDef *def, const tacProgress *progress, tacPointshell **shell,
                                    tacError *error);
