/* The experiments of Barbic 2007, chapter 2, beside what the thesis reports. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/reduced.h>
#include "base/memory/array.h"
#include "bench/reduced/reduced_experiments.h"
#include "bench/reduced/reduced_pictures.h"
#include "bench/report/bench.h"

static void report(tacBench *bench, const char *name, const char *metric, double value, const char *unit,
                   double baseline, const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  result.baseline = baseline;
  result.paper = paper;
  tac_bench_report(bench, &result);
}

/* ---- Figure 2.3 ---- */

static tacStatus bench_spoon_blow(tacBench *bench, int resolution, double strength, bool plot, tacError *error) {
  static const char *const kinds[TAC_SPOON_PATHS] = {"full", "derivatives", "sketch", "motion"};
  static const char *const paper[TAC_SPOON_PATHS] = {NULL, "-4.6 %", "-10.1 %", NULL};
  tacSpoonExperiment *spoon = tac_array_create(1, sizeof *spoon, "an experiment", error);
  if (spoon == NULL) return TAC_ERR_MEMORY;
  tacStatus status = bench->quick ? tac_reduced_experiment_spoon(14, 20, 34, strength, spoon, error)
                                  : tac_reduced_experiment_spoon(resolution, 100, 220, strength, spoon, error);
  for (int i = 0; i < TAC_SPOON_PATHS && status == TAC_OK; ++i) {
    const tacVertexPath *path = &spoon->path[i], *full = &spoon->path[TAC_SPOON_FULL];
    double frequency = tac_vertex_path_frequency(path), amplitude = tac_vertex_path_amplitude(path);
    char name[64];
    snprintf(name, sizeof name, "spoon, %d bricks, blow %g, %s", spoon->brick_count, strength, kinds[i]);
    report(bench, name, "step", 1e6 * path->seconds, "us", i == 0 ? NAN : 1e6 * full->seconds, NULL);
    if (i == 0) {
      report(bench, name, "small vibrations", spoon->lowest, "Hz", NAN, NULL);
      report(bench, name, "frequency", frequency, "Hz", NAN, NULL);
      report(bench, name, "amplitude", 100.0 * amplitude / spoon->length, "% of its length", NAN, NULL);
      continue;
    }
    report(bench, name, "speed-up", full->seconds / path->seconds, "x", NAN, NULL);
    report(bench, name, "frequency error", 100.0 * (frequency / tac_vertex_path_frequency(full) - 1.0), "%", NAN,
           paper[i]);
    report(bench, name, "amplitude error", 100.0 * (amplitude / tac_vertex_path_amplitude(full) - 1.0), "%", NAN, NULL);
    report(bench, name, "path error", 100.0 * tac_vertex_path_error(path, full), "% rms", NAN, NULL);
  }
  if (status == TAC_OK) {
    const tacVertexPath *full = &spoon->path[TAC_SPOON_FULL], *once = &spoon->once;
    double off = tac_vertex_path_frequency(once) / tac_vertex_path_frequency(full) - 1.0;
    char name[64];
    snprintf(name, sizeof name, "spoon, %d bricks, blow %g, one Newton step", spoon->brick_count, strength);
    report(bench, name, "step", 1e6 * once->seconds, "us", NAN, NULL);
    report(bench, name, "speed-up", full->seconds / once->seconds, "x", NAN, "50,000");
    report(bench, name, "frequency error", 100.0 * off, "%", NAN, NULL);
    report(bench, name, "path error", 100.0 * tac_vertex_path_error(once, full), "% rms", NAN, NULL);
  }
  if (status == TAC_OK && plot && bench->plots != NULL) status = tac_reduced_picture_spoon(bench->plots, spoon, error);
  free(spoon);
  return status;
}

/* The thesis does not say how hard its blow is: one that moves the tip by a third of the length, and then weaker and
 * harder ones on larger bricks, for how the frequencies change with them. */
static tacStatus bench_spoon(tacBench *bench, tacError *error) {
  static const double strengths[] = {0.03, 0.3, 0.6, 0.9, 1.0, 1.2};
  tacStatus status = bench_spoon_blow(bench, 76, 0.3, true, error);
  for (size_t i = 0; i < sizeof strengths / sizeof *strengths && !bench->quick && status == TAC_OK; ++i)
    status = bench_spoon_blow(bench, 38, strengths[i], false, error);
  return status;
}

/* ---- Figure 2.14 ---- */

static tacStatus bench_twist(tacBench *bench, tacError *error) {
  const double degrees = 180.0 / M_PI;
  tacTwistExperiment *twist = tac_array_create(1, sizeof *twist, "an experiment", error);
  if (twist == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_reduced_experiment_twist(bench->quick ? 20 : 40, 1.5 * M_PI, twist, error);
  if (status == TAC_OK) {
    int last = twist->count;
    char name[64];
    snprintf(name, sizeof name, "beam, %d bricks, modes %d and %d", twist->brick_count, twist->mode[0], twist->mode[1]);
    report(bench, name, "twist, r = 5", degrees * twist->angle[0][last], "degrees", NAN, "270 degrees");
    report(bench, name, "twist, r = 2", degrees * twist->angle[1][last], "degrees", NAN, NULL);
    report(bench, name, "size of the end", 100.0 * twist->size[last], "%", NAN, NULL);
    report(bench, name, "torque", twist->torque[last], "N m", twist->stiffness * twist->angle[0][last], NULL);
    if (bench->plots != NULL) status = tac_reduced_picture_twist(bench->plots, twist, error);
  }
  free(twist);
  return status;
}

/* ---- Table 2.1 ---- */

static tacStatus bench_spectrum(tacBench *bench, const tacSpectrumDef *def, const char *const paper[3],
                                tacSpectrumExperiment *at, tacError *error) {
  tacStatus status = tac_reduced_experiment_spectrum(def, at, error);
  if (status != TAC_OK) return status;
  char name[96], held[32] = "";
  if (strcmp(def->shape, "heart") == 0) snprintf(held, sizeof held, ", held %g", def->held);
  snprintf(name, sizeof name, "%s, %d bricks, nu %g%s", def->shape, at->brick_count, def->poisson, held);
  report(bench, name, "linear modes to", at->linear[1], "Hz", NAN, paper[0]);
  report(bench, name, "reduced from", at->reduced[0], "Hz", NAN, "1.0 Hz");
  report(bench, name, "reduced to", at->reduced[1], "Hz", NAN, paper[1]);
  report(bench, name, "whole mesh to", at->whole, "Hz", NAN, paper[2]);
  report(bench, name, "Young's modulus", 1e-3 * at->young, "kPa", NAN, NULL);
  return status;
}

/* As large as the thesis's; and small ones, for what Poisson's ratio and the part that is held, which it does not tell, make of them. */
static tacStatus bench_spectra(tacBench *bench, tacError *error) {
  static const char *const paper[2][3] = {{"15.5 Hz", "517 Hz", "11811 Hz"}, {"5.6 Hz", "70.8 Hz", "21986 Hz"}};
  static const char *const shapes[2] = {"tower", "heart"};
  static const int resolutions[2] = {87, 81}, quick[2] = {20, 12};
  static const struct {
    double poisson, held;
  } others[] = {{0.3, 0.4}, {0.45, 0.4}, {0.49, 0.4}, {0.3, 0.1}, {0.3, 0.02}};
  tacSpectrumExperiment at[2], other;
  tacStatus status = TAC_OK;
  for (int i = 0; i < 2 && status == TAC_OK; ++i) {
    tacSpectrumDef def = {shapes[i], resolutions[i], 20, 30, 0.3, 0.4};
    if (bench->quick) def = (tacSpectrumDef){shapes[i], quick[i], 6, 10, 0.3, 0.4};
    status = bench_spectrum(bench, &def, paper[i], &at[i], error);
  }
  for (int i = 0; i < 2 && !bench->quick; ++i)
    for (int j = 0; j < (i == 0 ? 3 : 5) && status == TAC_OK; ++j) {
      const tacSpectrumDef def = {shapes[i], 30, 20, 30, others[j].poisson, others[j].held};
      status = bench_spectrum(bench, &def, paper[i], &other, error);
    }
  if (status == TAC_OK && bench->plots != NULL) status = tac_reduced_picture_spectra(bench->plots, at, error);
  return status;
}

/* ---- section 2.13.2 ---- */

static tacStatus bench_progress(tacBench *bench, int resolution, tacError *error) {
  tacProgressExperiment *progress = tac_array_create(1, sizeof *progress, "an experiment", error);
  if (progress == NULL) return TAC_ERR_MEMORY;
  tacProgressDef def = tac_progress_def_dragon(resolution);
  if (bench->quick)
    def = (tacProgressDef){.shape = "beam",
                           .resolution = 20,
                           .mode_count = 4,
                           .sizes = {4, 8, 14},
                           .load = {{{0.4, 0.02, 0.02}, 0.03, {0.0, 0.0, 1.0}, 0.2, 10, 20},
                                    {{0.25, 0.02, 0.04}, 0.03, {0.0, 1.0, 0.0}, 0.2, 10, 20}}};
  tacStatus status = tac_reduced_experiment_progress(&def, progress, error);
  for (int load = 0; load < TAC_PROGRESS_LOADS && status == TAC_OK; ++load)
    for (int i = 0; i < TAC_PROGRESS_PATHS; ++i) {
      const tacVertexPath *path = &progress->path[load][i], *full = &progress->path[load][TAC_PROGRESS_FULL];
      double most = 0.0;
      char name[64];
      for (int s = 0; s <= path->count; ++s) most = fmax(most, fabs(path->way[s]));
      snprintf(name, sizeof name, "%s, %d bricks, %s, %s", def.shape, progress->brick_count,
               load == 0 ? "head" : "back", path->name);
      report(bench, name, "largest way", 100.0 * most / progress->length, "% of its length", NAN, NULL);
      if (i != TAC_PROGRESS_FULL)
        report(bench, name, "path error", 100.0 * tac_vertex_path_error(path, full), "% rms", NAN, NULL);
      report(bench, name, "step", 1e3 * path->seconds, "ms", NAN, NULL);
    }
  for (int load = 0; load < TAC_PROGRESS_LOADS && status == TAC_OK && bench->plots != NULL; ++load)
    status = tac_reduced_picture_progress(bench->plots, load, progress, error);
  free(progress);
  return status;
}

static tacStatus bench_dragon(tacBench *bench, tacError *error) {
  return bench_progress(bench, 60, error);
}

/* As many bricks as the thesis has: half an hour of one core. */
static tacStatus bench_large_dragon(tacBench *bench, tacError *error) {
  return bench_progress(bench, 125, error);
}

tacStatus tac_bench_figures(tacBench *bench, tacError *error) {
  static const struct {
    const char *name;
    tacStatus (*run)(tacBench *bench, tacError *error);
  } parts[] = {{"twist", bench_twist},
               {"spoon", bench_spoon},
               {"spectra", bench_spectra},
               {"dragon", bench_dragon},
               {"large-dragon", bench_large_dragon}};
  tacStatus status = TAC_OK;
  for (size_t i = 0; i < sizeof parts / sizeof *parts && status == TAC_OK; ++i)
    if (bench->scene == NULL ? parts[i].run != bench_large_dragon : strcmp(bench->scene, parts[i].name) == 0)
      status = parts[i].run(bench, error);
  return status;
}
