/* Bakes a vademecum from a volume mesh and a material. Runs offline. */
#pragma once

#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_def.h"

tacVademecumDef tac_vademecum_def_default(void);

/* Estimated size of a bake. */
typedef struct tacVademecumEstimate {
  int loads, modes; /* numbers of loads and of modes, upper bounds */
  double bytes;     /* size of the asset, bytes, upper bound */
  double memory;    /* peak memory of the bake, bytes */
} tacVademecumEstimate;
tacStatus tac_vademecum_estimate(const tacVademecumDef *def, tacVademecumEstimate *estimate, tacError *error);

/* Bakes a vademecum. Fails if there are no fixed nodes or no accessible nodes, or if the bake needs more memory than
 * the machine has. Fails if a load has no equilibrium; the error then gives the largest size with an equilibrium.
 * Errors name a remedy. */
tacStatus tac_vademecum_bake(const tacVademecumDef *def, const tacProgress *progress, tacVademecum **vademecum,
                             tacError *error);
