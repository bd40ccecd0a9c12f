#include "bench/report/bench.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/clock.h"

double tac_bench_now(void) {
  return tac_clock_seconds(tac_clock_now());
}

tacBenchResult tac_bench_result(const char *case_name, const char *metric, double value, const char *unit) {
  return (tacBenchResult){case_name, metric, value, unit, NAN, NAN, NAN, NAN, NAN, NULL, NAN};
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The smallest sample that at least the given share does not exceed. */
static double percentile(size_t count, const double *sorted, double share) {
  size_t rank = (size_t)ceil(share * (double)count);
  return sorted[rank > 0 ? rank - 1 : 0];
}

void tac_bench_percentiles(size_t count, double *samples, tacBenchResult *result) {
  if (count == 0) return;
  qsort(samples, count, sizeof *samples, compare_doubles);
  result->p50 = result->value = percentile(count, samples, 0.5);
  if (count >= 100) result->p99 = percentile(count, samples, 0.99);
  if (count >= 1000) result->p999 = percentile(count, samples, 0.999);
  result->max = samples[count - 1];
}

static void set_number(json_t *object, const char *key, double value) {
  if (isfinite(value)) json_object_set_new(object, key, json_real(value));
}

static void print_json(const tacBench *bench, const tacBenchResult *r) {
  json_t *object = json_pack("{s:s, s:s, s:s}", "bench", bench->name, "case", r->case_name, "metric", r->metric);
  if (object == NULL) return;
  json_object_set_new(object, "value", isfinite(r->value) ? json_real(r->value) : json_null());
  json_object_set_new(object, "unit", json_string(r->unit));
  set_number(object, "p50", r->p50);
  set_number(object, "p99", r->p99);
  set_number(object, "p999", r->p999);
  set_number(object, "max", r->max);
  set_number(object, "baseline", r->baseline);
  if (r->paper != NULL) json_object_set_new(object, "paper", json_string(r->paper));
  set_number(object, "goal", r->goal);
  if (isfinite(r->goal)) json_object_set_new(object, "passes", json_boolean(r->value <= r->goal));
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
  putchar('\n');
  json_decref(object);
}

void tac_bench_head(tacBench *bench) {
  if (bench->json || bench->has_rows) return;
  printf("%s\n  %-36s %-18s %12s\n", bench->name, "case", "metric", "value");
  bench->has_rows = true;
}

static void print_row(tacBench *bench, const tacBenchResult *r) {
  tac_bench_head(bench);
  printf("  %-36s %-18s %12.4g %s", r->case_name, r->metric, r->value, r->unit);
  if (isfinite(r->p99)) printf("  p99 %.4g", r->p99);
  if (isfinite(r->p999)) printf("  p99.9 %.4g", r->p999);
  if (isfinite(r->max)) printf("  max %.4g", r->max);
  if (isfinite(r->baseline))
    printf("  baseline %.4g (%.2f of it)", r->baseline, r->baseline != 0.0 ? r->value / r->baseline : NAN);
  if (r->paper != NULL) printf("  paper %s", r->paper);
  if (isfinite(r->goal)) printf("  goal %.4g: %s", r->goal, r->value <= r->goal ? "pass" : "miss");
  putchar('\n');
}

void tac_bench_report(tacBench *bench, const tacBenchResult *result) {
  if (bench->json)
    print_json(bench, result);
  else
    print_row(bench, result);
  fflush(stdout);
}
