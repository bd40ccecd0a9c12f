#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/green.h>
#include "base/memory/array.h"
#include "bench/report/bench.h"
#include "kinds/green/capacitance.h"
#include "kinds/green/green.h"
#include "math/dense/dense.h"
#include "math/dense/dense_inverse.h"
#include "math/random.h"

enum { SAMPLES = 1000, MOST_SWITCHED = 100 };

/* Green's functions of no body in particular: a unit traction moves its own vertex by 10 nm, the others by less. */
static tacStatus make_green(int vertices, int columns, tacGreen **green, tacError *error) {
  size_t rows = 3 * (size_t)vertices, entries = rows * 3 * (size_t)columns;
  *green = NULL;
  tacTriMesh *surface = NULL;
  bool *fixed = tac_array_create((size_t)vertices, sizeof *fixed, "fixed vertices", error);
  double *area = tac_array_create((size_t)vertices, sizeof *area, "areas", error);
  int *column_vertex = tac_array_create((size_t)columns, sizeof *column_vertex, "columns", error);
  double *values = tac_array_create(entries, sizeof *values, "columns", error);
  tacStatus status = fixed == NULL || area == NULL || column_vertex == NULL || values == NULL ? TAC_ERR_MEMORY : TAC_OK;
  if (status == TAC_OK) status = tac_trimesh_create(vertices, 0, &surface, error);
  if (status == TAC_OK) {
    tacRandom random = tac_random_seed(1);
    for (int i = 0; i < vertices; ++i) area[i] = 1e-4;
    for (size_t i = 0; i < entries; ++i) values[i] = tac_random_uniform(&random, -2e-10, 2e-10);
    for (int j = 0; j < 3 * columns; ++j) values[(size_t)j * rows + (size_t)j] += 1e-8;
    for (int j = 0; j < columns; ++j) column_vertex[j] = j;
    tacGreenParts parts = {.method = TAC_FINITE_ELEMENTS,
                           .surface = surface,
                           .fixed = fixed,
                           .area = area,
                           .column_count = columns,
                           .column_vertex = column_vertex,
                           .columns = values};
    status = tac_green_create(&parts, green, error);
  }
  if (status != TAC_OK) free(values);
  tac_trimesh_destroy(surface);
  free(fixed);
  free(area);
  free(column_vertex);
  return status;
}

/* ---- the same as one writes it down ---- */

/* Row-major LU with partial pivoting in three loops, and its substitutions. */
static void plain_lu(int n, double *a, int *pivot) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
    pivot[k] = best;
    for (int j = 0; j < n; ++j) {
      double swapped = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = swapped;
    }
    for (int i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  }
}

static void plain_lu_solve(int n, const double *a, const int *pivot, double *x) {
  for (int k = 0; k < n; ++k) {
    double swapped = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = swapped;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) x[i] -= a[i * n + j] * x[j];
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
}

/* v_i = sum of Xi_ij w_j, vertex by vertex. */
static void plain_sum(const tacGreen *green, int vertices, int count, const int *switched, const tacVec3 *w,
                      tacVec3 *values) {
  for (int i = 0; i < vertices; ++i) {
    values[i] = (tacVec3){0.0, 0.0, 0.0};
    for (int j = 0; j < count; ++j) {
      double b[3][3];
      tac_green_block(green, i, switched[j], b);
      values[i].x += b[0][0] * w[j].x + b[0][1] * w[j].y + b[0][2] * w[j].z;
      values[i].y += b[1][0] * w[j].x + b[1][1] * w[j].y + b[1][2] * w[j].z;
      values[i].z += b[2][0] * w[j].x + b[2][1] * w[j].y + b[2][2] * w[j].z;
    }
  }
}

/* ---- measuring ---- */

typedef enum { FACTOR, SWITCH, SOLVE, SURFACE, OURS, PLAIN_FACTOR = OURS, PLAIN_SOLVE, PLAIN_SURFACE } Work;

typedef struct {
  const tacGreen *green;
  tacCapacitance *capacitance;
  int vertices, count;
  tacDense matrix, copy; /* C */
  int *pivot;
  double *work, *x;
  tacVec3 *values, *weights;
} Case;

static double do_once(Case *c, Work work) {
  int n = 3 * c->count;
  size_t bytes = (size_t)n * (size_t)n * sizeof(double);
  if (work == FACTOR || work == PLAIN_FACTOR) memcpy(c->copy.a, c->matrix.a, bytes);
  if (work == SWITCH) tac_capacitance_switch(c->capacitance, c->count - 1); /* back, to be switched again below */
  for (int i = 0; i < n; ++i) c->x[i] = 1.0 + i;
  double start = tac_bench_now();
  switch (work) {
    case FACTOR: tac_dense_inverse(&c->copy, c->pivot, c->work); break;
    case SWITCH: tac_capacitance_switch(c->capacitance, c->count - 1); break;
    case SOLVE: tac_capacitance_solve(c->capacitance); break;
    case SURFACE: tac_capacitance_everywhere(c->capacitance, c->values); break;
    case PLAIN_FACTOR: plain_lu(n, c->copy.a, c->pivot); break;
    case PLAIN_SOLVE: plain_lu_solve(n, c->copy.a, c->pivot, c->x); break;
    case PLAIN_SURFACE:
      plain_sum(c->green, c->vertices, c->count, tac_capacitance_switched(c->capacitance), c->weights, c->values);
      break;
  }
  return 1e6 * (tac_bench_now() - start);
}

static void measure(tacBench *bench, Case *c, Work work, tacBenchResult *result) {
  static double samples[SAMPLES];
  double budget = 1e6 * (bench->quick ? 0.02 : 0.5); /* microseconds */
  int count = 0;
  do_once(c, work);
  for (; count == 0 || (count < SAMPLES && budget > 0.0); ++count) {
    samples[count] = do_once(c, work);
    budget -= samples[count];
  }
  tac_bench_percentiles((size_t)count, samples, result);
}

static void report(tacBench *bench, Case *c, const char *name, Work work, const char *metric, Work plain,
                   const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, NAN, "us"), baseline = result;
  measure(bench, c, work, &result);
  measure(bench, c, plain, &baseline);
  result.baseline = baseline.value;
  result.paper = paper;
  tac_bench_report(bench, &result);
}

static tacStatus open_case(int vertices, int count, const tacGreen *green, Case *c, tacError *error) {
  int n = 3 * count;
  *c = (Case){.green = green, .vertices = vertices, .count = count};
  tacStatus status = tac_dense_create(n, n, &c->matrix, error);
  if (status == TAC_OK) status = tac_dense_create(n, n, &c->copy, error);
  if (status == TAC_OK) status = tac_capacitance_create(green, count, 0, &c->capacitance, error);
  if (status != TAC_OK) return status;
  if ((c->pivot = tac_array_create((size_t)n, sizeof *c->pivot, "pivots", error)) == NULL ||
      (c->work = tac_array_create(tac_dense_inverse_work(n), sizeof *c->work, "an inverse", error)) == NULL ||
      (c->x = tac_array_create((size_t)n, sizeof *c->x, "a vector", error)) == NULL ||
      (c->values = tac_array_create((size_t)vertices, sizeof *c->values, "values", error)) == NULL ||
      (c->weights = tac_array_create((size_t)count, sizeof *c->weights, "weights", error)) == NULL)
    return TAC_ERR_MEMORY;
  for (int j = 0; j < n; ++j) {
    const double *column = tac_green_column(green, j / 3) + (size_t)(j % 3) * (size_t)tac_green_row_count(green);
    for (int i = 0; i < n; ++i) tac_dense_column(&c->matrix, j)[i] = -column[i];
  }
  for (int i = 0; i < count; ++i)
    if (!tac_capacitance_switch(c->capacitance, i) ||
        !tac_capacitance_prescribe(c->capacitance, i, (tacVec3){1e-3, 2e-3, -1e-3}))
      return tac_error_set(error, TAC_ERR_SINGULAR, "vertex %d was not switched", i);
  tac_capacitance_solve(c->capacitance);
  tac_capacitance_at_switched(c->capacitance, c->weights);
  return TAC_OK;
}

static void close_case(Case *c) {
  tac_capacitance_destroy(c->capacitance);
  tac_dense_destroy(&c->matrix);
  tac_dense_destroy(&c->copy);
  free(c->pivot);
  free(c->work);
  free(c->x);
  free(c->values);
  free(c->weights);
}

/* Table 3 of James and Pai 2001; their times are of unoptimised Java on a 450 MHz Pentium III. Our factor is an inverse,
 * three times the work of LU. */
static tacStatus bench_table(tacBench *bench, tacError *error) {
  static const struct {
    int count;
    const char *factor, *solve, *sum;
  } table[4] = {{10, "0.54 ms", "0.03 ms", "0.38 ms"},
                {20, "2.7 ms", "0.15 ms", "0.74 ms"},
                {40, "19 ms", "0.58 ms", "1.7 ms"},
                {MOST_SWITCHED, "310 ms", "5.7 ms", "5.7 ms"}};
  tacGreen *green = NULL;
  tacStatus status = make_green(100, MOST_SWITCHED, &green, error);
  for (int i = 0; i < (bench->quick ? 2 : 4) && status == TAC_OK; ++i) {
    Case c;
    status = open_case(100, table[i].count, green, &c, error);
    char name[32];
    snprintf(name, sizeof name, "s = %d", table[i].count);
    if (status == TAC_OK) {
      report(bench, &c, name, FACTOR, "factor", PLAIN_FACTOR, table[i].factor);
      report(bench, &c, name, SWITCH, "switch", PLAIN_FACTOR, NULL);
      report(bench, &c, name, SOLVE, "solve", PLAIN_SOLVE, table[i].solve);
      report(bench, &c, name, SURFACE, "100 nodes", PLAIN_SURFACE, table[i].sum);
    }
    close_case(&c);
  }
  tac_green_destroy(green);
  return status;
}

static tacStatus bench_surface(tacBench *bench, tacError *error) {
  enum { VERTICES = 10000, COUNT = 10 };
  tacGreen *green = NULL;
  Case c = {0};
  tacStatus status = make_green(VERTICES, COUNT, &green, error);
  if (status == TAC_OK) status = open_case(VERTICES, COUNT, green, &c, error);
  if (status == TAC_OK) report(bench, &c, "10000 vertices, s = 10", SURFACE, "whole surface", PLAIN_SURFACE, NULL);
  close_case(&c);
  tac_green_destroy(green);
  return status;
}

tacStatus tac_bench_capacitance(tacBench *bench, tacError *error) {
  tacStatus status = bench_table(bench, error);
  return status == TAC_OK ? bench_surface(bench, error) : status;
}
