/* A liver of 2,184 tetrahedra at 100 Hz under a broad instrument, with friction, while ticks run at 1 kHz: the bodies' steps, the factor and
 * the ticks have a thread each. A part of `tactus bench hyperelastic`. */
#pragma once

#include "bench/report/bench.h"

tacStatus tac_hyper_liver_bench(tacBench *bench, tacError *error);
