/* Creates the input of a vademecum's bake from a scene body. The input consists of the tetrahedra, the material, the
 * fixed vertices and the vertices that loads may act on. Runs offline. */
#pragma once

#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum_def.h"
#include "spec/body_mesh.h"

typedef struct tacVademecumProblem {
  tacVolMesh *volume;       /* mesh of tetrahedra only */
  bool *fixed, *accessible; /* [vertex]; `accessible` is NULL for all free surface vertices */
  tacVademecumDef def;      /* refers to the members above */
} tacVademecumProblem;

/* Creates the input of the bake. Bricks of the mesh are divided into tetrahedra. Errors name the line of the scene. */
tacStatus tac_vademecum_problem_create(const tacBodyMaker *maker, tacVademecumProblem *problem);
void tac_vademecum_problem_free(tacVademecumProblem *problem); /* a zeroed struct is allowed */
