/* The benchmarks of `tactus bench`, by name. */
#pragma once

#include "bench/report/bench.h"

typedef struct tacBenchmark {
  const char *name, *summary;
  tacStatus (*run)(tacBench *bench, tacError *error);
} tacBenchmark;

int tac_benchmark_count(void);
const tacBenchmark *tac_benchmark_at(int index);
/* What follows its name are files or folders, not names of others. */
bool tac_benchmark_takes_files(const tacBenchmark *benchmark);
/* What --scene takes, for people: which benchmarks have parts, and a line a benchmark with their names. */
#define TAC_BENCHMARKS_WITH_PARTS "green, hyperelastic and figures"
#define TAC_BENCHMARK_PARTS                                                        \
  "Parts of green: masks, models, capacitance, slide, livers, boundary.\n"         \
  "Parts of hyperelastic: kernels, stretch, press, step, growth, liver, factor.\n" \
  "Parts of figures: twist, spoon, spectra, dragon, large-dragon (half an hour, only if named)."
