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
