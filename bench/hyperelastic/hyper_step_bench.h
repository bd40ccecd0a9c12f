/* What a step of a hyperelastic body costs, with 30 places where forces act, and how that grows with its mesh. Parts of
 * `tactus bench hyperelastic`. */
#pragma once

#include "bench/report/bench.h"

tacStatus tac_hyper_step_bench(tacBench *bench, tacError *error);   /* the paper's cube: a step, by its parts */
tacStatus tac_hyper_growth_bench(tacBench *bench, tacError *error); /* cubes of 1,296 to 48,000 tetrahedra */
