/* The experiments of Barbic 2007, section 3.13, beside what the thesis reports. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "bench/contact/contact_experiments.h"
#include "bench/contact/contact_pictures.h"
#include "bench/report/bench.h"

static void report(tacBench *bench, const char *name, const char *metric, double value, const char *unit,
                   double baseline, const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  result.baseline = baseline;
  result.paper = paper;
  tac_bench_report(bench, &result);
}

static tacStatus bench_slide(tacBench *bench, tacError *error) {
  tacSlideExperiment *slide = tac_array_create(1, sizeof *slide, "an experiment", error);
  if (slide == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_contact_experiment_slide(slide, error);
  for (int i = 0; i < slide->level_count && status == TAC_OK; ++i) {
    double most = 0.0;
    char name[64];
    for (int t = 0; t < TAC_SLIDE_TICKS; ++t) most = fmax(most, slide->force[i][t]);
    snprintf(name, sizeof name, "sliding, %d points", slide->point_count[i]);
    report(bench, name, "bumps felt", slide->peaks[i], "", NAN, "6");
    report(bench, name, "largest force", most, "N", NAN, NULL);
  }
  if (status == TAC_OK && bench->plots != NULL) status = tac_contact_picture_slide(bench->plots, slide, error);
  free(slide);
  return status;
}

static double most_of(const double *values) {
  double most = 0.0;
  for (int i = 0; i < TAC_DEGRADED_TICKS; ++i) most = fmax(most, values[i]);
  return most;
}

static double mean_of(const double *values) {
  double sum = 0.0;
  for (int i = 0; i < TAC_DEGRADED_TICKS; ++i) sum += values[i];
  return sum / TAC_DEGRADED_TICKS;
}

static tacStatus bench_degraded(tacBench *bench, tacDegradedCase which, tacError *error) {
  tacDegradedExperiment *e = tac_array_create(1, sizeof *e, "an experiment", error);
  if (e == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_contact_experiment_degraded(which, e, error);
  if (status == TAC_OK) {
    char name[64];
    snprintf(name, sizeof name, "%s, limit %d nodes", which == TAC_DEGRADED_BRIDGE ? "bridge" : "peg", e->limit);
    report(bench, name, "largest force", most_of(e->run[1].force), "N", most_of(e->run[0].force), NULL);
    report(bench, name, "force error", 100.0 * e->force_error, "% rms", NAN, NULL);
    report(bench, name, "most nodes", most_of(e->run[1].nodes), "", most_of(e->run[0].nodes), NULL);
    report(bench, name, "most contacts", most_of(e->run[1].contacts), "", most_of(e->run[0].contacts), NULL);
    report(bench, name, "mean levels", mean_of(e->run[1].levels), "", mean_of(e->run[0].levels), NULL);
    tacBenchResult tick = tac_bench_result(name, "tick", 0.0, "us"), whole = tick;
    for (int i = 0; i < TAC_DEGRADED_TICKS; ++i) e->run[0].seconds[i] *= 1e6;
    for (int i = 0; i < TAC_DEGRADED_TICKS; ++i) e->run[1].seconds[i] *= 1e6;
    tac_bench_percentiles(TAC_DEGRADED_TICKS, e->run[0].seconds, &whole);
    tac_bench_percentiles(TAC_DEGRADED_TICKS, e->run[1].seconds, &tick);
    whole.metric = "tick, no limit";
    if (which == TAC_DEGRADED_BRIDGE) whole.paper = "800 us at most";
    if (which == TAC_DEGRADED_PEG) tick.paper = "under 1 ms";
    tac_bench_report(bench, &tick);
    tac_bench_report(bench, &whole);
    if (bench->plots != NULL) status = tac_contact_picture_degraded(bench->plots, which, e, error);
  }
  free(e);
  return status;
}

static tacStatus bench_asymmetry(tacBench *bench, tacError *error) {
  static const char name[] = "two dragons";
  tacAsymmetryExperiment *e = tac_array_create(1, sizeof *e, "an experiment", error);
  if (e == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_contact_experiment_asymmetry(e, error);
  if (status == TAC_OK) {
    int last = TAC_ASYMMETRY_SAMPLES - 1;
    const int at[2] = {e->one_voxel, last};
    for (int i = 0; i < 2; ++i) {
      if (at[i] < 0) continue;
      double a = e->along[0][at[i]], b = e->along[1][at[i]];
      char metric[64];
      snprintf(metric, sizeof metric, "forces at %.1f voxels", fmax(e->depth[0][at[i]], e->depth[1][at[i]]));
      report(bench, name, metric, a, "N", b, NULL);
      report(bench, name, "contacts there", e->contacts[0][at[i]], "", e->contacts[1][at[i]], NULL);
    }
    if (bench->plots != NULL) status = tac_contact_picture_asymmetry(bench->plots, e, error);
  }
  free(e);
  return status;
}

tacStatus tac_bench_figures6(tacBench *bench, tacError *error) {
  if (bench->quick) return TAC_OK; /* nothing of it is small */
  tacStatus status = bench_slide(bench, error);
  if (status == TAC_OK) status = bench_degraded(bench, TAC_DEGRADED_PEG, error);
  if (status == TAC_OK) status = bench_degraded(bench, TAC_DEGRADED_BRIDGE, error);
  if (status == TAC_OK) status = bench_asymmetry(bench, error);
  return status;
}
