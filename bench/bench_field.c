#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/distance_field.h>
#include <tactus/meshing.h>
#include "asset/distance_field.h"
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "bench/report/bench.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/query/triangle_tree.h"
#include "shape/shape.h"

enum { BATCHES = 2000, QUERIES = 1000 };

/* ---- building ---- */

/* A gallery shape with about `wanted` triangles, or its default where that is more. */
static tacStatus build_shape(const char *name, double wanted, tacTriMesh **mesh, tacError *error) {
  tacStatus status = tac_shape_build(name, 0.0, NULL, mesh, error);
  if (status != TAC_OK) return status;
  if ((*mesh)->triangle_count >= wanted) return TAC_OK;
  double size = tac_shape_find(name)->size * sqrt((*mesh)->triangle_count / wanted);
  tac_trimesh_destroy(*mesh);
  *mesh = NULL;
  return tac_shape_build(name, size, NULL, mesh, error);
}

typedef struct {
  const tacTriangleTree *tree;
  const tacVec3 *points;
  double *values;
} Plain;

static void measure_plainly(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Plain *plain = context;
  for (size_t i = begin; i < end; ++i)
    plain->values[i] = tac_triangle_tree_signed_distance(plain->tree, plain->points[i]);
}

/* The straightforward way: each node asks a tree of boxes for its distance and a ray for its sign. Measured on a sample of
 * the nodes, on as many threads, and scaled to all of them. */
static tacStatus plain_time(const tacTriMesh *mesh, const tacGrid *grid, double *seconds, tacError *error) {
  enum { SAMPLE = 4000 };
  tacVec3 *points = tac_array_create(SAMPLE, sizeof *points, "sample points", error);
  double *values = tac_array_create(SAMPLE, sizeof *values, "sample values", error);
  tacTriangleTree *tree = NULL;
  tacStatus status = points == NULL || values == NULL ? TAC_ERR_MEMORY : TAC_OK;
  double start = tac_bench_now();
  if (status == TAC_OK) status = tac_triangle_tree_create(mesh, &tree, error);
  double tree_time = tac_bench_now() - start;
  if (status == TAC_OK) {
    tacRandom random = tac_random_seed(1);
    tacBox box = {grid->origin, tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(grid->nx, grid->ny, grid->nz))};
    for (int i = 0; i < SAMPLE; ++i) points[i] = tac_random_in_box(&random, box);
    Plain plain = {tree, points, values};
    start = tac_bench_now();
    status = tac_parallel_for(0, SAMPLE, 50, measure_plainly, &plain, NULL, "plain field", error);
    double nodes = (double)grid->nx * grid->ny * grid->nz;
    *seconds = tree_time + (tac_bench_now() - start) * nodes / SAMPLE;
  }
  tac_triangle_tree_destroy(tree);
  free(points);
  free(values);
  return status;
}

static tacStatus bench_build(tacBench *bench, const tacTriMesh *mesh, int resolution, int repeats, const char *paper,
                             tacDistanceField **field, tacError *error) {
  tacFieldDef def = tac_field_def_default();
  def.resolution = resolution;
  double seconds[8];
  tacStatus status = TAC_OK;
  *field = NULL;
  for (int i = 0; i < repeats && status == TAC_OK; ++i) {
    tac_distance_field_destroy(*field);
    double start = tac_bench_now();
    status = tac_distance_field_bake(mesh, &def, NULL, field, error);
    seconds[i] = tac_bench_now() - start;
  }
  char name[64];
  snprintf(name, sizeof name, "build %d^3, %d triangles", resolution, mesh->triangle_count);
  tacBenchResult result = tac_bench_result(name, "time", NAN, "s");
  if (status == TAC_OK) status = plain_time(mesh, tac_distance_field_grid(*field), &result.baseline, error);
  if (status != TAC_OK) return status;
  tac_bench_percentiles((size_t)repeats, seconds, &result);
  result.paper = paper;
  tac_bench_report(bench, &result);
  return TAC_OK;
}

/* ---- queries ---- */

/* Trilinear interpolation as one writes it down: eight weighted samples, each found from its indices. */
static double plain_value(const tacGrid *grid, tacVec3 p) {
  double x = (p.x - grid->origin.x) / grid->spacing, y = (p.y - grid->origin.y) / grid->spacing,
         z = (p.z - grid->origin.z) / grid->spacing;
  if (!(x >= 0.0 && y >= 0.0 && z >= 0.0 && x < grid->nx - 1 && y < grid->ny - 1 && z < grid->nz - 1)) return INFINITY;
  int i = (int)floor(x), j = (int)floor(y), k = (int)floor(z);
  double sum = 0.0;
  for (int c = 0; c < 8; ++c) {
    int di = c & 1, dj = c >> 1 & 1, dk = c >> 2;
    double weight = (di ? x - i : 1.0 - x + i) * (dj ? y - j : 1.0 - y + j) * (dk ? z - k : 1.0 - z + k);
    sum += weight *
           (double)grid
               ->values[((size_t)(k + dk) * (size_t)grid->ny + (size_t)(j + dj)) * (size_t)grid->nx + (size_t)(i + di)];
  }
  return sum;
}

typedef enum { VALUE, VALUES, GRADIENT, QUERY_COUNT, PLAIN_VALUE } Query;
static const char *const query_names[QUERY_COUNT] = {"value", "value, in batches", "value and gradient"};

/* Nanoseconds a query, over batches; the sum keeps the compiler from dropping the work. */
static double time_queries(const tacDistanceField *field, const tacVec3 *points, Query query, double *samples) {
  const tacGrid *grid = tac_distance_field_grid(field);
  double sum = 0.0, values[QUERIES];
  for (int b = 0; b < BATCHES; ++b) {
    const tacVec3 *p = points + (size_t)b * QUERIES;
    tacVec3 gradient;
    double start = tac_bench_now();
    switch (query) {
      case VALUE:
        for (int i = 0; i < QUERIES; ++i) sum += tac_distance_field_value(field, p[i]);
        break;
      case VALUES:
        tac_distance_field_values(field, QUERIES, p, values);
        sum += values[b % QUERIES];
        break;
      case GRADIENT:
        for (int i = 0; i < QUERIES; ++i) {
          sum += tac_distance_field_gradient(field, p[i], &gradient);
          sum += gradient.x;
        }
        break;
      default:
        for (int i = 0; i < QUERIES; ++i) sum += plain_value(grid, p[i]);
    }
    samples[b] = 1e9 * (tac_bench_now() - start) / QUERIES;
  }
  return sum;
}

/* Random points of the box; or, as points of a shell that is moved by a hand, the same points a tenth of a voxel apart in
 * every batch, a hundredth of a voxel farther each time. */
static void place_points(const tacGrid *grid, bool coherent, tacVec3 *points) {
  tacRandom random = tac_random_seed(2);
  double side = grid->spacing * (grid->nx - 1);
  tacBox box = {grid->origin, tac_vec3_add(grid->origin, tac_vec3(side, side, side))};
  const tacVec3 shell = {0.33, 0.28, 0.20}, hand = {0.5, 0.6, 0.4}, start = {1.0, 1.0, 1.0};
  for (int b = 0; b < BATCHES; ++b)
    for (int i = 0; i < QUERIES; ++i) {
      tacVec3 voxels = tac_vec3_mad(tac_vec3_mad(start, 0.1 * i, shell), 0.01 * b, hand);
      points[b * QUERIES + i] =
          coherent ? tac_vec3_mad(grid->origin, grid->spacing, voxels) : tac_random_in_box(&random, box);
    }
}

static tacStatus bench_queries(tacBench *bench, const tacDistanceField *field, tacError *error) {
  const tacGrid *grid = tac_distance_field_grid(field);
  tacVec3 *points = tac_array_create((size_t)BATCHES * QUERIES, sizeof *points, "query points", error);
  double *samples = tac_array_create(BATCHES, sizeof *samples, "samples", error);
  tacStatus status = points == NULL || samples == NULL ? TAC_ERR_MEMORY : TAC_OK;
  double sum = 0.0;
  for (int coherent = 1; coherent >= 0 && status == TAC_OK; --coherent) {
    place_points(grid, coherent, points);
    tacBenchResult plain = tac_bench_result("", "", NAN, "");
    sum += time_queries(field, points, PLAIN_VALUE, samples);
    tac_bench_percentiles(BATCHES, samples, &plain);
    for (Query query = VALUE; query < QUERY_COUNT; ++query) {
      char name[64];
      snprintf(name, sizeof name, "query %d^3, %s", grid->nx - 1, coherent ? "coherent" : "random");
      tacBenchResult result = tac_bench_result(name, query_names[query], NAN, "ns");
      sum += time_queries(field, points, query, samples);
      tac_bench_percentiles(BATCHES, samples, &result);
      if (query != GRADIENT) result.baseline = plain.value;
      tac_bench_report(bench, &result);
    }
  }
  free(points);
  free(samples);
  if (status == TAC_OK && isnan(sum)) status = tac_error_set(error, TAC_ERR_ARGUMENT, "a query gave no number");
  return status;
}

tacStatus tac_bench_field(tacBench *bench, tacError *error) {
  const int resolutions[3] = {64, 128, 256};
  tacTriMesh *mesh = NULL;
  tacDistanceField *field = NULL;
  tacStatus status = build_shape("knight", bench->quick ? 2e4 : 1e5, &mesh, error);
  for (int i = 0; i < (bench->quick ? 1 : 3) && status == TAC_OK; ++i) {
    tac_distance_field_destroy(field);
    status = bench_build(bench, mesh, resolutions[i], bench->quick ? 1 : 5 - i, i == 2 ? "about 1 hour" : NULL, &field,
                         error);
    if (status == TAC_OK) status = bench_queries(bench, field, error);
  }
  tac_distance_field_destroy(field);
  tac_trimesh_destroy(mesh);
  return status;
}
