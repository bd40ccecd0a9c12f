/* What a vademecum is baked from: its tetrahedra, its material, vertices that are fixed and those where loads act, made from its
 * description. Offline. */
#pragma once

#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum_def.h"
#include "spec/body_mesh.h"

typedef struct tacVademecumProblem {
  tacVolMesh *volume;       /* of tetrahedra alone */
  bool *fixed, *accessible; /* [vertex]; accessible NULL: all of the surface that is free */
  tacVademecumDef def;      /* refers to the above */
} tacVademecumProblem;

/* Bricks are divided into tetrahedra. Errors name the line of the scene that is to blame. */
tacStatus tac_vademecum_problem_create(const tacBodyMaker *maker, tacVademecumProblem *problem);
void tac_vademecum_problem_free(tacVademecumProblem *problem); /* a zeroed struct is allowed */
