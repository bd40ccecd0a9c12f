#include "bench/vademecum/vademecum_growth.h"

#include <math.h>
#include <stdlib.h>
#include <tactus/reduced.h>
#include <time.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

enum { BATCH = 8 /* of queries that are far shorter than what a look at the clock takes */ };

/* A triangle with a corner at which a load acts. */
static tacVademecumLoad random_load(const tacVademecum *vademecum, tacRandom *random) {
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  tacVec3 along = tac_vademecum_load_direction(vademecum);
  tacVec3 other = tac_vec3_unit(tac_random_normal3(random));
  if (tac_vec3_norm(along) == 0.0) along = other;
  tacVademecumLoad load = {.force = tac_vec3_scale(tac_vademecum_load_most(vademecum), along)};
  do {
    load.triangle = (int)tac_random_uniform(random, 0.0, surface->triangle_count);
  } while (tac_vademecum_load_of(vademecum, surface->triangles[load.triangle].v[0]) < 0);
  load.weight[0] = 1.0;
  return load;
}

/* What is computed must be of use. */
static volatile double seen;

static double ask(const tacVademecum *vademecum, tacVademecumSolver *solver, int steps, const tacVademecumLoad *loads,
                  double *q) {
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  int batch = steps > 0 ? 1 : BATCH;
  int64_t start = tac_clock_thread();
  for (int i = 0; i < batch; ++i) {
    int vertex = surface->triangles[loads[i].triangle].v[0];
    if (steps > 0)
      tac_vademecum_solve(solver, 1, &loads[i], steps, q);
    else
      tac_vademecum_coordinates(vademecum, tac_vademecum_load_of(vademecum, vertex), loads[i].force, q);
    seen = tac_vademecum_displacement(vademecum, vertex, q).z;
  }
  return tac_clock_seconds(tac_clock_thread() - start) / batch;
}

tacStatus tac_vademecum_query_time(const tacVademecum *vademecum, int steps, int count, tacBenchResult *result,
                                   tacError *error) {
  tacVademecumSolver *solver = NULL;
  double *samples = tac_array_create((size_t)count, sizeof *samples, "samples", error);
  double *q = tac_array_create((size_t)tac_vademecum_mode_count(vademecum), sizeof *q, "coordinates", error);
  tacStatus status = samples != NULL && q != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_vademecum_solver_create(vademecum, &solver, error);
  tacRandom random = tac_random_seed(7);
  for (int i = 0; i < count && status == TAC_OK; ++i) {
    tacVademecumLoad loads[BATCH];
    for (int k = 0; k < BATCH; ++k) loads[k] = random_load(vademecum, &random);
    samples[i] = 1e6 * ask(vademecum, solver, steps, loads, q);
  }
  if (status == TAC_OK) tac_bench_percentiles((size_t)count, samples, result);
  tac_vademecum_solver_destroy(solver);
  free(samples);
  free(q);
  return status;
}

tacStatus tac_vademecum_growth_measure(const tacVademecumSolid *solid, tacGrowthPoint *point, tacError *error) {
  tacVademecum *vademecum = NULL;
  tacBenchResult alone, corrected;
  int64_t start = tac_clock_now();
  clock_t used = clock();
  tacStatus status = tac_vademecum_bake(&solid->def, NULL, &vademecum, error);
  if (status != TAC_OK) return status;
  double whole = (double)(clock() - used) / CLOCKS_PER_SEC, share = whole / tac_clock_seconds(tac_clock_now() - start);
  const tacVademecumInfo *info = tac_vademecum_info(vademecum);
  *point = (tacGrowthPoint){.nodes = info->node_count,
                            .loads = info->load_count,
                            .modes = info->mode_count,
                            .sampled = info->sampled_count,
                            .linear = share * info->seconds_linear,
                            .paths = share * info->seconds_paths,
                            .basis = share * info->seconds_basis,
                            .elements = share * info->seconds_elements,
                            .coordinates = share * info->seconds_loads,
                            .check = share * info->seconds_check,
                            .whole = whole,
                            .bytes = info->bytes,
                            .error = info->corrected_most};
  status = tac_vademecum_query_time(vademecum, 0, 2000, &alone, error);
  if (status == TAC_OK) status = tac_vademecum_query_time(vademecum, 2, 200, &corrected, error);
  if (status == TAC_OK) {
    point->query = 1e-6 * alone.value;
    point->corrected = 1e-6 * corrected.value;
  }
  tac_vademecum_destroy(vademecum);
  return status;
}
