/* Static equilibrium in coordinates: R(q) = f of a sampled solid, by Newton's method with steps that are halved until the energy
 * W(q) - f . q falls. Making it is for the load phase, the rest for any, without allocation; one thread at a time. */
#pragma once

#include "base/memory/owned.h"
#include "elastic/hyper/sampled_solid.h"

typedef struct tacSampledStatics tacSampledStatics;

tacStatus tac_sampled_statics_create(const tacSampledParts *parts, tacSampledStatics **statics, tacError *error);
void tac_sampled_statics_destroy(tacSampledStatics *statics); /* NULL is allowed */
TAC_OWNED_TYPE(tacSampledStatics, tac_sampled_statics_destroy)

/* q [n] holds the start and receives the result of at most `most` steps; fewer where |f - R(q)| <= tolerance |f|. Returns their
 * number, and |f - R(q)| / |f| to `residual`. `tangents`: how many of the steps take a new tangent, the first ones. */
int tac_sampled_statics_solve(tacSampledStatics *statics, const double *f, int most, int tangents, double tolerance,
                              double *q, double *residual);
