/* Selects the deformations of a vademecum for which distance fields are baked. Loads act at all load nodes, or at some
 * nodes spread evenly, at half and full size. They act along the vademecum's direction, or inward if it has loads of
 * any direction. Offline. */
#pragma once

#include <stdint.h>
#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/vademecum.h"

typedef struct tacVademecumLoadsDef {
  const tacVademecum *vademecum;
  uint64_t key;   /* cache key of the vademecum */
  int most;       /* maximum number of nodes */
  int resolution; /* voxels along the longest side of the box around all deformations; 0: default */
} tacVademecumLoadsDef;

typedef struct tacVademecumLoads {
  int *vertices;
  double *states;
  tacLoadFieldDef def; /* refers to the members above, and to the vademecum */
} tacVademecumLoads;

tacStatus tac_vademecum_loads_create(const tacVademecumLoadsDef *def, tacVademecumLoads *loads, tacError *error);
void tac_vademecum_loads_free(tacVademecumLoads *loads); /* a zeroed struct is allowed */
