/* Creates the input of a reduced body's bake from the scene: meshes, materials, held vertices and loads. Offline. */
#pragma once

#include <tactus/reduced.h>
#include "spec/body_mesh.h"

typedef struct tacReducedProblem {
  tacTriMesh *surface; /* embedded surface; NULL: the boundary of the volume is used */
  tacVolMesh *volume;
  bool *held; /* [vertex of the volume]: true if the vertex is held; NULL for a free body */
  tacMaterial *materials;
  int *material_of;
  const char **names;
  tacLoadSample *loads;
  tacReducedDef def; /* definition of the bake; refers to the members above */
} tacReducedProblem;

/* Creates the input of the bake. Errors name the faulty line of the scene. */
tacStatus tac_reduced_problem_create(const tacBodyMaker *maker, tacReducedProblem *problem);
void tac_reduced_problem_free(tacReducedProblem *problem); /* a zeroed struct is allowed */
