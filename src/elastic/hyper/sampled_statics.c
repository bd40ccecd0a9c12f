#include "elastic/hyper/sampled_statics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/dense/dense.h"

enum { MOST_HALVINGS = 12 };

struct tacSampledStatics {
  tacSampledSolid *solid;
  size_t size;
  tacDense factor; /* of the last tangent */
  double *residual, *change, *trial;
};

void tac_sampled_statics_destroy(tacSampledStatics *statics) {
  if (statics == NULL) return;
  tac_sampled_solid_destroy(statics->solid);
  tac_dense_destroy(&statics->factor);
  free(statics->residual);
  free(statics);
}

tacStatus tac_sampled_statics_create(const tacSampledParts *parts, tacSampledStatics **result, tacError *error) {
  *result = NULL;
  tacSampledStatics *statics = tac_array_create(1, sizeof *statics, "sampled statics", error);
  if (statics == NULL) return TAC_ERR_MEMORY;
  size_t n = statics->size = (size_t)parts->size;
  tacStatus status = tac_sampled_solid_create(parts, parts->size, &statics->solid, error);
  if (status == TAC_OK) status = tac_dense_create(parts->size, parts->size, &statics->factor, error);
  if (status == TAC_OK) {
    statics->residual = tac_array_create(3 * n, sizeof *statics->residual, "sampled statics", error);
    if (statics->residual == NULL) status = TAC_ERR_MEMORY;
  }
  if (status != TAC_OK) {
    tac_sampled_statics_destroy(statics);
    return status;
  }
  statics->change = statics->residual + n;
  statics->trial = statics->change + n;
  *result = statics;
  return TAC_OK;
}

static double dot(size_t n, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

static double energy_of(tacSampledStatics *s, const double *f, const double *q) {
  return tac_sampled_solid_energy(s->solid, q) - dot(s->size, f, q);
}

/* f - R(q); its norm. */
static double find_residual(tacSampledStatics *s, const double *f, const double *q) {
  tac_sampled_solid_force(s->solid, q, s->residual);
  for (size_t i = 0; i < s->size; ++i) s->residual[i] = f[i] - s->residual[i];
  return sqrt(dot(s->size, s->residual, s->residual));
}

/* Directions that no sampled element resists get a trifle of what the stiffest has. */
static bool find_tangent(tacSampledStatics *s, const double *q) {
  size_t n = s->size;
  double most = 0.0;
  tac_sampled_solid_stiffness(s->solid, q, s->factor.a);
  for (size_t i = 0; i < n; ++i) most = fmax(most, s->factor.a[i * n + i]);
  for (size_t i = 0; i < n; ++i) s->factor.a[i * n + i] += 1e-9 * most;
  return tac_dense_loop_cholesky(&s->factor);
}

/* False: the energy falls no more along this direction. */
static bool step(tacSampledStatics *s, const double *f, double *q) {
  size_t n = s->size;
  memcpy(s->change, s->residual, n * sizeof *s->change);
  tac_dense_loop_cholesky_solve(&s->factor, s->change);
  double before = energy_of(s, f, q), slope = -dot(n, s->residual, s->change), length = 1.0;
  for (int halving = 0; halving < MOST_HALVINGS; ++halving, length *= 0.5) {
    for (size_t i = 0; i < n; ++i) s->trial[i] = q[i] + length * s->change[i];
    if (!(energy_of(s, f, s->trial) <= before + 1e-4 * length * slope + 1e-13 * fabs(before))) continue;
    memcpy(q, s->trial, n * sizeof *q);
    return true;
  }
  return false;
}

int tac_sampled_statics_solve(tacSampledStatics *statics, const double *f, int most, int tangents, double tolerance,
                              double *q, double *residual) {
  double scale = sqrt(dot(statics->size, f, f)), norm = find_residual(statics, f, q);
  int steps = 0;
  while (steps < most && norm > tolerance * scale) {
    if (steps < tangents && !find_tangent(statics, q)) break;
    if (!step(statics, f, q)) break;
    norm = find_residual(statics, f, q);
    ++steps;
  }
  *residual = scale > 0.0 ? norm / scale : norm;
  return steps;
}
