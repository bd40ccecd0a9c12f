/* Bytes as a file of a vademecum: an error, or an asset whose every answer can be read, and finite coordinates under any load. */
#include <math.h>
#include <tactus/reduced.h>

#include "chunk_fuzz.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "kinds/vademecum/vademecum.h"

static void expect_finite(int count, const double *numbers) {
  for (int i = 0; i < count; ++i)
    if (!isfinite(numbers[i])) abort();
}

static void load(const tacVademecum *vademecum) {
  int n = tac_vademecum_mode_count(vademecum);
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  double q[TAC_BODY_MOST_COORDINATES];
  double most = tac_vademecum_load_most(vademecum);
  for (int s = 0; s < tac_vademecum_load_count(vademecum); ++s) {
    if (tac_vademecum_load_of(vademecum, tac_vademecum_load_vertex(vademecum, s)) != s) abort();
    const tacVec3 forces[3] = {{0.5 * most, -0.1 * most, 0.2 * most}, {3.0 * most, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 3; ++i) {
      tac_vademecum_coordinates(vademecum, s, forces[i], q);
      expect_finite(n, q);
    }
    for (int k = 0; k < n; ++k) q[k] = tac_vademecum_load_mode(vademecum, k, s, 2);
    expect_finite(n, q);
  }
  tacVademecumSolver *solver = NULL;
  if (tac_vademecum_solver_create(vademecum, &solver, NULL) != TAC_OK) return;
  for (int steps = 0; steps < 3; ++steps) {
    const tacVademecumLoad loads[2] = {{0, {0.2, 0.3, 0.5}, {0.1 * most, 0.2 * most, -0.1 * most}},
                                       {surface->triangle_count - 1, {1.0, 0.0, 0.0}, {0.0, 0.3 * most, 0.0}}};
    tac_vademecum_solve(solver, 2, loads, steps, q);
    expect_finite(n, q);
  }
  tac_vademecum_solver_destroy(solver);
}

static void ask(const tacVademecum *vademecum) {
  const tacVademecumParts *parts = tac_vademecum_parts(vademecum);
  double sum = (double)strlen(tac_vademecum_info(vademecum)->law);
  for (int e = 0; e < parts->sampled.element_count; ++e) sum += 0.0 * parts->sampled.volumes[e];
  if (sum != sum) abort();
  load(vademecum);
}

TAC_FUZZ_FILE(tacVademecum, tac_vademecum, ask)
