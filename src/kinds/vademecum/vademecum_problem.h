/* Input of a vademecum's bake: tetrahedra, material, fixed vertices and loaded vertices, created from the body's
 * description. Offline. */
#pragma once

#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum_def.h"
#include "spec/body_mesh.h"

typedef struct tacVademecumProblem {
  tacVolMesh *volume;       /* contains only tetrahedra */
  bool *fixed, *accessible; /* [vertex]; accessible NULL: all free vertices of the surface */
  tacVademecumDef def;      /* refers to the above */
} tacVademecumProblem;

/* Bricks are divided into tetrahedra. Errors name the responsible line of the scene. */
tacStatus tac_vademecum_problem_create(const tacBodyMaker *maker, tacVademecumProblem *problem);
void tac_vademecum_problem_free(tacVademecumProblem *problem); /* a zeroed struct is allowed */
