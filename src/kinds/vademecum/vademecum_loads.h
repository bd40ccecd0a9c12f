/* Selects and solves the deformations of a vademecum for which distance fields are baked. Loads of half and full
 * size act at all load nodes. If there are too many nodes, an evenly spread subset is loaded. The loads act along
 * the direction of the vademecum, or inward if the vademecum has loads of any direction. Runs offline. */
#pragma once

#include <stdint.h>
#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/vademecum.h"

typedef struct tacVademecumLoadsDef {
  const tacVademecum *vademecum;
  uint64_t key;   /* cache key of the vademecum */
  int most;       /* maximum number of loaded nodes */
  int resolution; /* voxels along the longest side of the box around all deformations; 0: default */
} tacVademecumLoadsDef;

typedef struct tacVademecumLoads {
  int *vertices;
  double *states;
  tacLoadFieldDef def; /* refers to `vertices`, `states` and the vademecum */
} tacVademecumLoads;

tacStatus tac_vademecum_loads_create(const tacVademecumLoadsDef *def, tacVademecumLoads *loads, tacError *error);
void tac_vademecum_loads_free(tacVademecumLoads *loads); /* a zeroed struct is allowed */
