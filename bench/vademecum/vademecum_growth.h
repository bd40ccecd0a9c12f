/* How vademecums grow with nodes and loads: blocks that are baked, and asked. */
#pragma once

#include <tactus/reduced.h>
#include "bench/report/bench.h"
#include "bench/vademecum/vademecum_solid.h"
#include "kinds/vademecum/vademecum.h"

typedef struct tacGrowthPoint {
  double nodes, loads, modes, sampled;
  double whole;                                              /* s of the processor, all cores together */
  double linear, paths, basis, elements, coordinates, check; /* of it, by their shares of the time that passed */
  double bytes;
  double query, corrected; /* s: q and a displacement of one load; of one with two corrections */
  double error;            /* corrected, the largest of its sample */
} tacGrowthPoint;
tacStatus tac_vademecum_growth_measure(const tacVademecumSolid *solid, tacGrowthPoint *point, tacError *error);

/* s a load, medians, p99 and so on to `result` in us: q of one load at full size, and the displacement of a vertex.
 * With `steps` > 0 of the solver: superposition and corrections. */
tacStatus tac_vademecum_query_time(const tacVademecum *vademecum, int steps, int count, tacBenchResult *result,
                                   tacError *error);
