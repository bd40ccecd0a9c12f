/* Hyperelastic bodies beside Courtecuisse et al. 2015, section V. Parts of `tactus bench hyperelastic`. */
#ifndef TAC_BENCH_HYPER_BODY_BENCH_H
#define TAC_BENCH_HYPER_BODY_BENCH_H

#include "bench/bench.h"

tacStatus tac_hyper_stretch_bench(tacBench *bench, tacError *error); /* Figure 3 */
tacStatus tac_hyper_press_bench(tacBench *bench, tacError *error);   /* Figure 4 */

#endif
