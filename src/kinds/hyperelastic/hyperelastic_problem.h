/* Creates the input of a hyperelastic body from a scene body: the tetrahedra, the materials, the axes of fibres, and
 * the fixed and moved vertices. Runs offline. */
#pragma once

#include "spec/body_mesh.h"

typedef struct tacHyperelasticProblem {
  tacVolMesh *volume; /* mesh of tetrahedra only */
  int material_count;
  tacLawMaterial *materials;
  int *material_of;     /* [tetrahedron]: index of the material; NULL: a single material */
  tacVec3 (*fibres)[3]; /* [tetrahedron]: axes of the fibres; NULL: no material has fibres */
  bool *fixed, *moved;  /* [vertex]: true if fixed; true if moved; NULL: no vertex */
} tacHyperelasticProblem;

/* Creates the input. Bricks of the mesh are divided into tetrahedra. Errors name the line of the scene. */
tacStatus tac_hyperelastic_problem_create(const tacBodyMaker *maker, tacHyperelasticProblem *problem);
void tac_hyperelastic_problem_free(tacHyperelasticProblem *problem); /* a zeroed struct is allowed */
