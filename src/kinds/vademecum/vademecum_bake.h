/* Baking a vademecum from a volume mesh and a material. Offline. */
#pragma once

#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_def.h"

tacVademecumDef tac_vademecum_def_default(void);

/* What a bake would make, before it begins. */
typedef struct tacVademecumEstimate {
  int loads, modes; /* at most */
  double bytes;     /* of the asset, at most */
  double memory;    /* bytes of the bake at once */
} tacVademecumEstimate;
tacStatus tac_vademecum_estimate(const tacVademecumDef *def, tacVademecumEstimate *estimate, tacError *error);

/* Errors say what is wrong and what would be right: no fixed nodes, no accessible ones, a load under which no equilibrium was found
 * (and the size that was), more memory than there is. */
tacStatus tac_vademecum_bake(const tacVademecumDef *def, const tacProgress *progress, tacVademecum **vademecum,
                             tacError *error);
