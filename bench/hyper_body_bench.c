#include "bench/hyper_body_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "bench/hyper_experiments.h"

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
  for (int i = 0; i < count; ++i) ways[i] = -0.5 + 1.0 * i / (count - 1);
  for (int l = 0; l < TAC_STRETCH_LAWS && status == TAC_OK; ++l) {
    status = tac_hyper_experiment_stretch(&tac_stretch_material[l], cells, false, count, ways, &e[l], error);
    for (int i = 0; i < e[l].count && status == TAC_OK; ++i) {
      char metric[32];
      snprintf(metric, sizeof metric, "%+.2f m", e[l].way[i]);
      report(bench, tac_stretch_material[l].law, metric, e[l].force[i], "N", NULL);
    }
  }
  return status;
}

/* ---- Figure 4 ---- */

tacStatus tac_hyper_press_bench(tacBench *bench, tacError *error) {
  static const struct {
    const char *name;
    tacFactorMode mode;
    int delay;
  } cases[] = {{"exact", TAC_FACTOR_EXACT, 0},
               {"asynchronous, 3 steps", TAC_FACTOR_ASYNCHRONOUS, 3},
               {"asynchronous, 10 steps", TAC_FACTOR_ASYNCHRONOUS, 10},
               {"of the body at rest", TAC_FACTOR_REST, 0}};
  static tacPressExperiment e[4];
  tacStatus status = TAC_OK;
  for (int k = 0; k < 4 && status == TAC_OK; ++k) {
    tacPressDef def = {cases[k].mode, cases[k].delay, 0.01, bench->quick ? 0.8 : 8.0};
    status = tac_hyper_experiment_press(&def, &e[k], error);
    if (status != TAC_OK) break;
    double most = 0.0;
    for (int i = 0; i < e[k].count; ++i) most = fmax(most, e[k].force[i]);
    report(bench, cases[k].name, "largest force", most, "N", NULL);
    report(bench, cases[k].name, "difference", 100.0 * tac_press_difference(&e[k], &e[0]), "% rms", NULL);
    report(bench, cases[k].name, "contacts", e[k].contacts, "", NULL);
    report(bench, cases[k].name, "iterations", e[k].iterations, "at most", NULL);
    report(bench, cases[k].name, "compliance", 100.0 * e[k].compliance_error, "% off", NULL);
    report(bench, cases[k].name, "refused", e[k].refused, "steps", NULL);
    report(bench, cases[k].name, "unsolved", e[k].unsolved, "steps", NULL);
    tacBenchResult took = tac_bench_result(cases[k].name, "step", NAN, "ms");
    for (int i = 0; i < e[k].count; ++i) e[k].took[i] *= 1e3;
    tac_bench_percentiles((size_t)e[k].count, e[k].took, &took);
    tac_bench_report(bench, &took);
  }
  return status;
}
