#include "elastic/hyper/sampled_statics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/solids/newton.h"
#include "math/dense/dense.h"

struct tacSampledStatics {
  tacSampledSolid *solid;
  tacNewton *newton;
  size_t size;
  tacDense factor; /* K, then its factor */
  double *stiffness;
};

void tac_sampled_statics_destroy(tacSampledStatics *statics) {
  if (statics == NULL) return;
  tac_sampled_solid_destroy(statics->solid);
  tac_newton_destroy(statics->newton);
  tac_dense_destroy(&statics->factor);
  free(statics->stiffness);
  free(statics);
}

tacStatus tac_sampled_statics_create(const tacSampledParts *parts, tacSampledStatics **result, tacError *error) {
  *result = NULL;
  TAC_OWN(tacSampledStatics, statics) = tac_array_create(1, sizeof *statics, "sampled statics", error);
  if (statics == NULL) return TAC_ERR_MEMORY;
  size_t n = statics->size = (size_t)parts->size;
  TAC_TRY(tac_sampled_solid_create(parts, parts->size, &statics->solid, error));
  TAC_TRY(tac_dense_create(parts->size, parts->size, &statics->factor, error));
  TAC_TRY(tac_newton_create(n, &statics->newton, error));
  TAC_TRY(TAC_ARRAY(statics->stiffness, n * n, "sampled statics", error));
  *result = tac_give(&statics);
  return TAC_OK;
}

static double get_energy(void *self, const double *q) {
  return tac_sampled_solid_energy(((tacSampledStatics *)self)->solid, q);
}

static void find_force(void *self, const double *q, bool tangent_next, double *force) {
  (void)tangent_next;
  tac_sampled_solid_force(((tacSampledStatics *)self)->solid, q, force);
}

static void find_tangent(void *self, const double *q) {
  tacSampledStatics *s = self;
  tac_sampled_solid_stiffness(s->solid, q, s->stiffness);
}

/* Directions that no sampled element resists get a trifle of what the stiffest has. */
static tacStatus factor(void *self, double shift, tacError *error) {
  tacSampledStatics *s = self;
  size_t n = s->size;
  double most = 0.0;
  memcpy(s->factor.a, s->stiffness, n * n * sizeof *s->stiffness);
  for (size_t i = 0; i < n; ++i) most = fmax(most, s->factor.a[i * n + i]);
  for (size_t i = 0; i < n; ++i) s->factor.a[i * n + i] += (1e-9 + shift) * most;
  return tac_dense_loop_cholesky(&s->factor)
             ? TAC_OK
             : tac_error_set(error, TAC_ERR_SINGULAR, "the tangent is not positive definite");
}

static tacStatus solve(void *self, const double *force, double *step, tacError *error) {
  (void)error;
  tacSampledStatics *s = self;
  memcpy(step, force, s->size * sizeof *step);
  tac_dense_loop_cholesky_solve(&s->factor, step);
  return TAC_OK;
}

int tac_sampled_statics_solve(tacSampledStatics *statics, const double *f, int most, int tangents, double tolerance,
                              double *q, double *residual) {
  const tacNewtonProblem problem = {.self = statics,
                                    .energy = get_energy,
                                    .force = find_force,
                                    .tangent = find_tangent,
                                    .factor = factor,
                                    .solve = solve};
  const tacNewtonRules rules = {
      .tolerance = tolerance, .iterations = most, .tangents = tangents, .halvings = 12, .energy_rounding = 1e-13};
  tacNewtonReport report;
  tac_newton_find(statics->newton, &problem, &rules, f, q, &report, NULL);
  *residual = report.residual;
  return report.iterations;
}
