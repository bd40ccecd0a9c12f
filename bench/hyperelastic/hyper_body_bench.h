/* Hyperelastic bodies beside Courtecuisse et al. 2015, section V. Parts of `tactus bench hyperelastic`. */
#pragma once

#include "bench/report/bench.h"

tacStatus tac_hyper_stretch_bench(tacBench *bench, tacError *error); /* Figure 3 */
tacStatus tac_hyper_press_bench(tacBench *bench, tacError *error);   /* Figure 4 */
