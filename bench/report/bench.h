/* What a benchmark is asked for, and one way to report what it measures. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef struct tacBench {
  bool json;         /* one JSON object a line; else a table for people */
  bool quick;        /* small cases, to see that everything works; numbers mean little */
  const char *plots; /* folder for pictures; NULL: none */
  const char *scene; /* which alone, for those that have several; NULL: all that there are */
  double minutes;    /* of simulated time, for those that run scenes; 0: a short while */
  double wall; /* s of this machine's time that a scene may take, for those that run scenes; 0: as long as it takes */
  int file_count; /* of those that take files */
  char **files;
  const char *name;
  bool has_rows; /* of the table */
} tacBench;

/* One measurement. What does not exist is NAN, or NULL for `paper`. */
typedef struct tacBenchResult {
  const char *case_name, *metric;
  double value;
  const char *unit;
  double p50, p99, p999, max;
  double baseline;   /* the straightforward implementation, measured in the same run, same unit */
  const char *paper; /* what the paper reports, with its unit */
  double goal;       /* the value should be at most that */
} tacBenchResult;

/* A result without any of the optional numbers. */
tacBenchResult tac_bench_result(const char *case_name, const char *metric, double value, const char *unit);
void tac_bench_report(tacBench *bench, const tacBenchResult *result);
void tac_bench_head(tacBench *bench); /* of the table, once; tac_bench_report begins with it */

/* Sorts the samples, sets `value` and p50 to their median, max to the largest, and p99 and p999 where there are samples
 * enough (100, 1000) for them to be more than the largest. */
void tac_bench_percentiles(size_t count, double *samples, tacBenchResult *result);

/* Seconds since an arbitrary moment. */
double tac_bench_now(void);

/* The benchmarks, one file each; benchmark.c lists them. */
tacStatus tac_bench_bake(tacBench *bench, tacError *error);
tacStatus tac_bench_broad_phase(tacBench *bench, tacError *error);
tacStatus tac_bench_capacitance(tacBench *bench, tacError *error);
tacStatus tac_bench_contact6(tacBench *bench, tacError *error);
tacStatus tac_bench_field(tacBench *bench, tacError *error);
tacStatus tac_bench_figures(tacBench *bench, tacError *error);
tacStatus tac_bench_figures6(tacBench *bench, tacError *error);
tacStatus tac_bench_green(tacBench *bench, tacError *error);
tacStatus tac_bench_grip(tacBench *bench, tacError *error);
tacStatus tac_bench_hyperelastic(tacBench *bench, tacError *error);
tacStatus tac_bench_kinds(tacBench *bench, tacError *error);
tacStatus tac_bench_mesh(tacBench *bench, tacError *error);
tacStatus tac_bench_rates(tacBench *bench, tacError *error);
tacStatus tac_bench_reduced(tacBench *bench, tacError *error);
tacStatus tac_bench_signorini(tacBench *bench, tacError *error);
tacStatus tac_bench_snap_in(tacBench *bench, tacError *error);
tacStatus tac_bench_solve(tacBench *bench, tacError *error);
tacStatus tac_bench_surfaces(tacBench *bench, tacError *error);
tacStatus tac_bench_truth(tacBench *bench, tacError *error);
tacStatus tac_bench_vademecum(tacBench *bench, tacError *error);
tacStatus tac_bench_view(tacBench *bench, tacError *error);
