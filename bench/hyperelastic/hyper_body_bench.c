#include "bench/hyperelastic/hyper_body_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include "base/memory/array.h"
#include "bench/hyperelastic/hyper_experiments.h"
#include "bench/hyperelastic/hyper_pictures.h"

static void report(tacBench *bench, const char *name, const char *metric, double value, const char *unit,
                   const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  result.paper = paper;
  tac_bench_report(bench, &result);
}

/* ---- Figure 3 ---- */

tacStatus tac_hyper_stretch_bench(tacBench *bench, tacError *error) {
  enum { WAYS = 21 };
  static tacStretchExperiment e[TAC_STRETCH_LAWS];
  int cells = bench->quick ? 2 : 6, count = bench->quick ? 5 : WAYS;
  double ways[WAYS];
  tacStatus status = TAC_OK;
  for (int i = 0; i < count; ++i) ways[i] = (i - count / 2) / (double)(count - 1);
  for (int l = 0; l < TAC_STRETCH_LAWS && status == TAC_OK; ++l) {
    const tacLawMaterial *material = &tac_stretch_material[l];
    status = tac_hyper_experiment_stretch(material, cells, false, count, ways, &e[l], error);
    for (int i = 0; i < e[l].count && status == TAC_OK; ++i) {
      char metric[32];
      snprintf(metric, sizeof metric, "%+.2f m", e[l].way[i]);
      report(bench, material->law, metric, e[l].force[i], "N", NULL);
    }
    if (status != TAC_OK || bench->quick) continue;
    const double far[4] = {-0.2, 0.05, 0.2, 0.5};
    tacStretchExperiment fine;
    status = tac_hyper_experiment_stretch(material, 10, false, 4, far, &fine, error);
    for (int i = 0; i < fine.count && status == TAC_OK; ++i)
      for (int k = 0; k < e[l].count; ++k) {
        if (fabs(e[l].way[k] - fine.way[i]) > 1e-9) continue;
        char metric[32];
        snprintf(metric, sizeof metric, "finer, %+.2f m", fine.way[i]);
        report(bench, material->law, metric, 100.0 * (fine.force[i] / e[l].force[k] - 1.0), "%", NULL);
      }
  }
  if (status == TAC_OK && bench->plots != NULL) status = tac_hyper_picture_stretch(bench->plots, e, error);
  return status;
}

/* ---- Figure 4 ---- */

tacStatus tac_hyper_press_bench(tacBench *bench, tacError *error) {
  enum { CASES = 4 };
  static const char *const names[CASES] = {"exact", "asynchronous, 3 steps", "asynchronous, 10 steps",
                                           "of the body at rest"};
  static const char *const paper[CASES] = {NULL, "perfect match", "perfect match", "crashes"};
  static const tacFactorMode modes[CASES] = {TAC_FACTOR_EXACT, TAC_FACTOR_ASYNCHRONOUS, TAC_FACTOR_ASYNCHRONOUS,
                                             TAC_FACTOR_REST};
  static const int delays[CASES] = {0, 3, 10, 0};
  static tacPressExperiment e[CASES];
  tacStatus status = TAC_OK;
  for (int k = 0; k < CASES && status == TAC_OK; ++k) {
    double seconds = bench->quick ? 0.1 : modes[k] == TAC_FACTOR_REST ? 3.0 : 8.0;
    tacPressDef def = {modes[k], delays[k], 0.01, seconds};
    status = tac_hyper_experiment_press(&def, &e[k], error);
    if (status != TAC_OK) break;
    double most = 0.0;
    for (int i = 0; i < e[k].count; ++i) most = fmax(most, e[k].force[i]);
    report(bench, names[k], "largest force", most, "N", NULL);
    report(bench, names[k], "difference", 100.0 * tac_press_difference(&e[k], &e[0]), "% rms", paper[k]);
    if (e[k].crashed > 0)
      report(bench, names[k], "crashes at", e[k].time[e[k].crashed - 1], "s",
             modes[k] == TAC_FACTOR_REST ? "2 s" : NULL);
    report(bench, names[k], "contacts", e[k].contacts, "at most", NULL);
    report(bench, names[k], "iterations", e[k].iterations, "at most", NULL);
    report(bench, names[k], "compliance", 100.0 * e[k].compliance_error, "% off at most", NULL);
  }
  if (status == TAC_OK && bench->plots != NULL) status = tac_hyper_picture_press(bench->plots, CASES, e, names, error);
  return status;
}
