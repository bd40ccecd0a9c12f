/* Input of a reduced body's bake: meshes, materials, held vertices and loads, created from the body's description.
 * Offline. */
#pragma once

#include <tactus/reduced.h>
#include "spec/body_mesh.h"

typedef struct tacReducedProblem {
  tacTriMesh *surface; /* NULL: the boundary of the volume */
  tacVolMesh *volume;
  bool *held; /* [vertex of the volume]; NULL: free */
  tacMaterial *materials;
  int *material_of;
  const char **names;
  tacLoadSample *loads;
  tacReducedDef def; /* refers to the above */
} tacReducedProblem;

/* Errors name the responsible line of the scene. */
tacStatus tac_reduced_problem_create(const tacBodyMaker *maker, tacReducedProblem *problem);
void tac_reduced_problem_free(tacReducedProblem *problem); /* a zeroed struct is allowed */
