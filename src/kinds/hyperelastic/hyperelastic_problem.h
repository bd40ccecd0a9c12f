/* What a hyperelastic body of a scene is made of: its tetrahedra, their materials and axes, the vertices that are
 * fixed and moved, made from its description. Offline. */
#pragma once

#include "spec/body_mesh.h"

typedef struct tacHyperelasticProblem {
  tacVolMesh *volume; /* of tetrahedra alone */
  int material_count;
  tacLawMaterial *materials;
  int *material_of;     /* NULL: one */
  tacVec3 (*fibres)[3]; /* NULL: no material has any */
  bool *fixed, *moved;  /* [vertex]; NULL: none */
} tacHyperelasticProblem;

/* Bricks are divided into tetrahedra. Errors name the line of the scene that is to blame. */
tacStatus tac_hyperelastic_problem_create(const tacBodyMaker *maker, tacHyperelasticProblem *problem);
void tac_hyperelastic_problem_free(tacHyperelasticProblem *problem); /* a zeroed struct is allowed */
