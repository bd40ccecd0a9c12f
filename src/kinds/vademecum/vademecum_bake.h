/* Bakes a vademecum from a volume mesh and a material. Offline. */
#pragma once

#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_def.h"

tacVademecumDef tac_vademecum_def_default(void);

/* Size of a bake, before it starts. */
typedef struct tacVademecumEstimate {
  int loads, modes; /* upper bounds */
  double bytes;     /* size of the asset, upper bound */
  double memory;    /* peak memory of the bake, bytes */
} tacVademecumEstimate;
tacStatus tac_vademecum_estimate(const tacVademecumDef *def, tacVademecumEstimate *estimate, tacError *error);

/* Fails if there are no fixed nodes or no accessible nodes, if a load has no equilibrium (the error gives the size
 * reached), or if the bake needs more memory than the machine has. Errors name a remedy. */
tacStatus tac_vademecum_bake(const tacVademecumDef *def, const tacProgress *progress, tacVademecum **vademecum,
                             tacError *error);
