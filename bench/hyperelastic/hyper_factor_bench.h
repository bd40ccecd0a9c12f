/* What a live factor costs: Figure 5 of Courtecuisse et al. 2015, cubes of 512 to 2,744 nodes. A part of `tactus bench hyperelastic`.
 *
 * A = M/h^2 + K, h = 10 ms, of a cube of tetrahedra, 1,000 kg/m^3, 10 kPa, 0.45. Beside the update stands LAPACK's band factor;
 * beside columns, solutions with full right-hand sides. */
#pragma once

#include "bench/report/bench.h"

tacStatus tac_hyper_factor_bench(tacBench *bench, tacError *error);
