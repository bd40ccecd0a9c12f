/* Input of a hyperelastic body of a scene: tetrahedra, materials and axes, fixed and moved vertices, created from the
 * body's description. Offline. */
#pragma once

#include "spec/body_mesh.h"

typedef struct tacHyperelasticProblem {
  tacVolMesh *volume; /* contains only tetrahedra */
  int material_count;
  tacLawMaterial *materials;
  int *material_of;     /* NULL: a single material */
  tacVec3 (*fibres)[3]; /* NULL: no material has fibres */
  bool *fixed, *moved;  /* [vertex]; NULL: none */
} tacHyperelasticProblem;

/* Bricks are divided into tetrahedra. Errors name the responsible line of the scene. */
tacStatus tac_hyperelastic_problem_create(const tacBodyMaker *maker, tacHyperelasticProblem *problem);
void tac_hyperelastic_problem_free(tacHyperelasticProblem *problem); /* a zeroed struct is allowed */
