/* Making vademecums from their parts, and what simulation takes of them: the internal side of <tactus/vademecum.h>. */
#pragma once

#include <tactus/vademecum.h>
#include "elastic/hyper/sampled_solid.h"
#include "kinds/vademecum/load_terms.h"

typedef struct tacVademecumParts {
  const double *stiffness; /* X^T K X at rest, [n][n], N/m in coordinates */
  tacSampledParts sampled; /* no elements: it is linear */
  int load_count;
  const int *vertices; /* [load], of the surface */
  const double *rows;  /* X(s), what a unit force of the load does to coordinates: [load][3][n] */
  double most;         /* T, N */
  double patch;        /* m: radius over which a load is spread */
  tacLoadTerms terms;
  const float *y; /* [load][term][n] */
  tacVademecumInfo info;
} tacVademecumParts;

/* Copies the parts; takes the shape over on success. TAC_ERR_ARGUMENT where they do not fit together or are not finite. */
tacStatus tac_vademecum_create(const tacVademecumParts *parts, tacReduced *shape, tacVademecum **vademecum,
                               tacError *error);
/* What its bake was compared with. */
void tac_vademecum_set_info(tacVademecum *vademecum, const tacVademecumInfo *info);
void tac_vademecum_set_checks(tacVademecum *vademecum, const tacBakeChecks *checks);
/* Without copying; valid as long as it lives. */
const tacVademecumParts *tac_vademecum_parts(const tacVademecum *vademecum);
