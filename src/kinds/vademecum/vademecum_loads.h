/* The deformations of a vademecum whose distances are baked: loads at all its nodes, or at some spread evenly, at half
 * and full size; along its direction, or inward if it has loads of any direction. Offline. */
#pragma once

#include <stdint.h>
#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/vademecum.h"

typedef struct tacVademecumLoadsDef {
  const tacVademecum *vademecum;
  uint64_t key;   /* of its bake */
  int most;       /* nodes */
  int resolution; /* voxels along the longest side of the box around all deformations; 0: default */
} tacVademecumLoadsDef;

typedef struct tacVademecumLoads {
  int *vertices;
  double *states;
  tacLoadFieldDef def; /* refers to the members above, and to the vademecum */
} tacVademecumLoads;

tacStatus tac_vademecum_loads_create(const tacVademecumLoadsDef *def, tacVademecumLoads *loads, tacError *error);
void tac_vademecum_loads_free(tacVademecumLoads *loads); /* a zeroed struct is allowed */
