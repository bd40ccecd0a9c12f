#include "body/reduced_dynamics.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "asset/reduced_polynomial.h"
#include "base/array.h"

tacStatus tac_reduced_dynamics_create(int count, tacReducedDynamics *dynamics, tacError *error) {
  tacReducedDynamics d = {.count = count, .most_q = 1e60, .is_starting = true};
  size_t n = (size_t)count, scratch = tac_reduced_polynomial_scratch(count);
  tacDense *matrices[] = {&d.mass, &d.mass_factor, &d.stiffness, &d.matrix, &d.factor, &d.answer};
  double **vectors[] = {&d.q,    &d.velocity, &d.acceleration, &d.load, &d.answer_load, &d.next,
                        &d.rate, &d.internal, &d.residual,     &d.work, &d.change,      &d.trial};
  size_t matrix_count = sizeof matrices / sizeof *matrices, vector_count = sizeof vectors / sizeof *vectors;
  size_t total = scratch + matrix_count * n * n + (vector_count + 3 * TAC_REDUCED_MOST_SPRINGS) * n;
  *dynamics = (tacReducedDynamics){0};
  double *at = d.memory = tac_array_create(total, sizeof *at, "reduced body", error);
  if (at == NULL) return TAC_ERR_MEMORY;
  d.scratch = at; /* first: malloc aligns it */
  at += scratch;
  for (size_t i = 0; i < matrix_count; ++i, at += n * n) *matrices[i] = (tacDense){count, count, count, at};
  for (size_t i = 0; i < vector_count; ++i, at += n) *vectors[i] = at;
  for (int i = 0; i < TAC_REDUCED_MOST_SPRINGS; ++i, at += 3 * n) d.springs[i].jacobian = at;
  *dynamics = d;
  return TAC_OK;
}

void tac_reduced_dynamics_destroy(tacReducedDynamics *dynamics) {
  free(dynamics->memory);
  *dynamics = (tacReducedDynamics){0};
}

static double dot(int n, const double *x, const double *y) {
  double even = 0.0, odd = 0.0;
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    even += x[i] * y[i];
    odd += x[i + 1] * y[i + 1];
  }
  return (i < n ? even + x[i] * y[i] : even) + odd;
}

tacVec3 tac_reduced_jacobian_mul(int n, const double *jacobian, const double *x) {
  return tac_vec3(dot(n, jacobian, x), dot(n, jacobian + n, x), dot(n, jacobian + 2 * n, x));
}

void tac_reduced_jacobian_add(int n, const double *restrict jacobian, tacVec3 f, double *restrict y) {
  const double *j0 = jacobian, *j1 = j0 + n, *j2 = j1 + n;
  for (int i = 0; i < n; ++i) y[i] += j0[i] * f.x + j1[i] * f.y + j2[i] * f.z;
}

/* Whether a state is finite and so small that nothing overflows. */
static bool is_sound(const tacReducedDynamics *d, double step, const double *q, const double *velocity) {
  return dot(d->count, q, q) <= d->most_q * d->most_q &&
         sqrt(dot(d->count, velocity, velocity)) * step <= 4.0 * d->most_q;
}

bool tac_reduced_dynamics_set(tacReducedDynamics *dynamics, double step, const double *q, const double *velocity) {
  if (!is_sound(dynamics, step, q, velocity)) return false;
  memcpy(dynamics->q, q, (size_t)dynamics->count * sizeof *q);
  memcpy(dynamics->velocity, velocity, (size_t)dynamics->count * sizeof *velocity);
  dynamics->is_starting = true;
  return true;
}

void tac_reduced_dynamics_stop(tacReducedDynamics *dynamics) {
  memset(dynamics->velocity, 0, (size_t)dynamics->count * sizeof *dynamics->velocity);
  memset(dynamics->acceleration, 0, (size_t)dynamics->count * sizeof *dynamics->acceleration);
  dynamics->is_starting = true;
}

/* The coefficients of q_i q_j for j = i, i + 1, ..., which lie side by side. */
static const double *quadratic_row(const tacReducedDynamics *d, const double *coefficients, int i) {
  return coefficients + tac_reduced_polynomial_place(d->count, 2, (int[]){i, i});
}

/* R(q) into `internal` and K(q) into `stiffness`. */
static void evaluate(tacReducedDynamics *d, bool linear, const double *coefficients, const double *q) {
  if (!linear) {
    tac_reduced_polynomial_evaluate(d->count, coefficients, q, d->scratch, d->internal, d->stiffness.a);
    return;
  }
  for (int i = 0; i < d->count; ++i) {
    const double *row = quadratic_row(d, coefficients, i);
    tac_dense_column(&d->stiffness, i)[i] = 2.0 * row[0];
    for (int j = i + 1; j < d->count; ++j)
      tac_dense_column(&d->stiffness, i)[j] = tac_dense_column(&d->stiffness, j)[i] = row[j - i];
  }
  tac_dense_loop_gemv(&d->stiffness, q, d->internal);
}

/* y += s (external forces at q and q', those that act from the start of the step or all of them); without damping where
 * q' is NULL. */
static void add_external(const tacReducedDynamics *d, double s, bool all, const double *q, const double *velocity,
                         double *y) {
  int n = d->count;
  for (int i = 0; i < n; ++i) y[i] += s * d->load[i];
  if (!all) return;
  for (int i = 0; i < d->spring_count; ++i) {
    const tacReducedSpring *p = &d->springs[i];
    tacVec3 f = tac_vec3_scale(p->stiffness, tac_vec3_sub(p->gap, tac_reduced_jacobian_mul(n, p->jacobian, q)));
    if (velocity != NULL)
      f = tac_vec3_mad(f, -p->damping, tac_vec3_add(p->carried, tac_reduced_jacobian_mul(n, p->jacobian, velocity)));
    tac_reduced_jacobian_add(n, p->jacobian, tac_vec3_scale(s, f), y);
  }
  for (int i = 0; d->has_answer && i < n; ++i)
    y[i] += s * (d->answer_load[i] - dot(n, tac_dense_column(&d->answer, i), q));
}

/* matrix = mass M + stiffness K + springs (sum (k + c rate) J^T J + answer), lower triangle. */
static void assemble(tacReducedDynamics *d, double mass, double stiffness, double springs, double rate) {
  int n = d->count;
  for (int j = 0; j < n; ++j) {
    double *restrict to = tac_dense_column(&d->matrix, j);
    const double *restrict m = tac_dense_column(&d->mass, j), *restrict k = tac_dense_column(&d->stiffness, j);
    for (int i = j; i < n; ++i) to[i] = mass * m[i] + stiffness * k[i];
    for (int s = 0; s < d->spring_count; ++s) {
      double weight = springs * (d->springs[s].stiffness + d->springs[s].damping * rate);
      const double *restrict j0 = d->springs[s].jacobian, *restrict j1 = j0 + n, *restrict j2 = j1 + n;
      double s0 = weight * j0[j], s1 = weight * j1[j], s2 = weight * j2[j];
      for (int i = j; i < n; ++i) to[i] += s0 * j0[i] + s1 * j1[i] + s2 * j2[i];
    }
    const double *restrict answer = tac_dense_column(&d->answer, j);
    for (int i = j; d->has_answer && i < n; ++i) to[i] += springs * answer[i];
  }
}

/* A shift that makes the matrix positive definite for certain: its eigenvalues are in Gershgorin's discs. Uses
 * `work`. */
static double certain_shift(const tacReducedDynamics *d) {
  int n = d->count;
  memset(d->work, 0, (size_t)n * sizeof *d->work);
  double shift = 0.0, largest = 0.0;
  for (int j = 0; j < n; ++j) {
    const double *column = tac_dense_column(&d->matrix, j);
    for (int i = j + 1; i < n; ++i) {
      d->work[i] += fabs(column[i]);
      d->work[j] += fabs(column[i]);
    }
  }
  for (int j = 0; j < n; ++j) {
    double diagonal = tac_dense_column(&d->matrix, j)[j];
    shift = fmax(shift, d->work[j] - diagonal);
    largest = fmax(largest, fabs(diagonal));
  }
  return shift + 1e-9 * (shift + largest);
}

/* x := matrix^-1 x. Where the matrix is not positive definite, a multiple of the identity (the mass matrix as baked)
 * is added, which shortens the step. False where it is not finite. */
static bool solve(tacReducedDynamics *d, double *x) {
  size_t bytes = (size_t)d->count * (size_t)d->count * sizeof *d->factor.a;
  memcpy(d->factor.a, d->matrix.a, bytes);
  bool solved = tac_dense_loop_cholesky(&d->factor);
  double certain = solved ? 0.0 : certain_shift(d);
  for (double share = 1e-3; !solved && share < 2.0; share *= 10.0) {
    memcpy(d->factor.a, d->matrix.a, bytes);
    for (int i = 0; i < d->count; ++i) tac_dense_column(&d->factor, i)[i] += share * certain;
    solved = tac_dense_loop_cholesky(&d->factor);
  }
  if (solved) tac_dense_loop_cholesky_solve(&d->factor, x);
  return solved;
}

/* q'' = M^-1 (f - D - R) at the start of the step, into `rate`, with springs or without; `internal` and `stiffness`
 * are those of q. Its norm, which may not be finite. Uses `work`. */
static double start_acceleration(tacReducedDynamics *d, const tacReducedMotion *motion, bool springs) {
  int n = d->count;
  double alpha = motion->alpha_mass, beta = motion->beta_stiffness;
  tac_dense_loop_gemv(&d->stiffness, d->velocity, d->work);
  for (int i = 0; i < n; ++i) d->rate[i] = -d->internal[i] - beta * d->work[i];
  tac_dense_loop_gemv(&d->mass, d->velocity, d->work);
  for (int i = 0; i < n; ++i) d->rate[i] -= alpha * d->work[i];
  add_external(d, 1.0, springs, d->q, d->velocity, d->rate);
  if (!d->mass_is_factored) {
    memcpy(d->mass_factor.a, d->mass.a, (size_t)n * (size_t)n * sizeof *d->mass.a);
    d->mass_is_factored = tac_dense_loop_cholesky(&d->mass_factor);
  }
  if (!d->mass_is_factored) return NAN;
  tac_dense_loop_cholesky_solve(&d->mass_factor, d->rate);
  return sqrt(dot(n, d->rate, d->rate));
}

/* What is known only when R and K are, at the start: q'' where it has to begin, and a factor on D, R and f that
 * limits it (section 3.10.2); NaN where they are not finite. Springs and answers do not enter the former: they begin to
 * act in this step, and stiff ones would make it overshoot. */
static double start(tacReducedDynamics *d, const tacReducedMotion *motion) {
  double scale = 1.0;
  if (motion->acceleration_limit > 0.0) {
    double norm = start_acceleration(d, motion, true);
    if (!isfinite(norm)) return NAN;
    if (norm > motion->acceleration_limit) scale = motion->acceleration_limit / norm;
  }
  if (d->is_starting) {
    if (!isfinite(start_acceleration(d, motion, false))) return NAN;
    for (int i = 0; i < d->count; ++i) d->acceleration[i] = scale * d->rate[i];
  }
  return scale;
}

/* Newmark's method with beta = 1/4 and gamma = 1/2 (section 2.9): a step from q, velocity, acceleration to `next`,
 * whose velocity and acceleration are put in `rate` and `work`. False where the step is refused. */
static bool deform_dynamic(tacReducedDynamics *d, const tacReducedMotion *motion, const double *coefficients,
                           tacReducedAdvance *report) {
  int n = d->count;
  double h = motion->step, a1 = 4.0 / (h * h), a2 = 4.0 / h, a4 = 2.0 / h; /* a3 = 1, a5 = -1, a6 = 0 */
  double alpha = motion->alpha_mass, beta = motion->beta_stiffness;
  double scale = 1.0; /* on D, R and f: limits the acceleration (section 3.10.2) */
  memcpy(d->next, d->q, (size_t)n * sizeof *d->next);
  for (int step = 0; step < motion->newton_steps; ++step) {
    evaluate(d, motion->linear, coefficients, d->next);
    if (step == 0) scale = start(d, motion);
    if (!isfinite(scale)) return false;
    report->limited = scale < 1.0;
    for (int i = 0; i < n; ++i) d->rate[i] = a4 * (d->next[i] - d->q[i]) - d->velocity[i];
    /* M (q'' + scale alpha q') + scale (beta K q' + R - f) */
    tac_dense_loop_gemv(&d->stiffness, d->rate, d->residual);
    for (int i = 0; i < n; ++i) {
      d->residual[i] = scale * (beta * d->residual[i] + d->internal[i]);
      d->trial[i] = a1 * (d->next[i] - d->q[i]) - a2 * d->velocity[i] - d->acceleration[i] + scale * alpha * d->rate[i];
    }
    tac_dense_loop_gemv(&d->mass, d->trial, d->work);
    for (int i = 0; i < n; ++i) d->residual[i] += d->work[i];
    add_external(d, -scale, true, d->next, d->rate, d->residual);
    report->residual = sqrt(dot(n, d->residual, d->residual));
    if (report->residual < motion->tolerance) break;
    assemble(d, a1 + scale * a4 * alpha, scale * (1.0 + a4 * beta), scale, a4);
    if (!solve(d, d->residual)) return false;
    for (int i = 0; i < n; ++i) d->next[i] -= d->residual[i];
    ++report->newton_steps;
  }
  for (int i = 0; i < n; ++i) {
    double way = d->next[i] - d->q[i];
    d->rate[i] = a4 * way - d->velocity[i];
    d->work[i] = a1 * way - a2 * d->velocity[i] - d->acceleration[i];
  }
  return true;
}

/* R(q) - f into `residual`, and K(q); returns the norm. */
static double static_residual(tacReducedDynamics *d, bool linear, const double *coefficients, const double *q) {
  evaluate(d, linear, coefficients, q);
  memcpy(d->residual, d->internal, (size_t)d->count * sizeof *d->residual);
  add_external(d, -1.0, true, q, NULL, d->residual);
  return sqrt(dot(d->count, d->residual, d->residual));
}

/* Along the Newton step: of the energy W(q) - f.q with springs and answers the first and second derivative. Uses
 * `work`. */
static void static_slope(const tacReducedDynamics *d, double *slope, double *curvature) {
  *slope = dot(d->count, d->change, d->residual);
  tac_dense_loop_gemv(&d->stiffness, d->change, d->work);
  *curvature = dot(d->count, d->change, d->work);
  for (int s = 0; s < d->spring_count; ++s)
    *curvature +=
        d->springs[s].stiffness * tac_vec3_norm2(tac_reduced_jacobian_mul(d->count, d->springs[s].jacobian, d->change));
  for (int i = 0; d->has_answer && i < d->count; ++i)
    *curvature += d->change[i] * dot(d->count, tac_dense_column(&d->answer, i), d->change);
}

/* Newton's method for R(q) = f, to `next`. The energy along a step is a quartic polynomial, so that slopes and
 * curvatures at both ends give all of it: a step along which it does not fall is halved until it does. */
static bool deform_static(tacReducedDynamics *d, const tacReducedMotion *motion, const double *coefficients,
                          tacReducedAdvance *report) {
  int n = d->count, steps = motion->newton_steps;
  memcpy(d->next, d->q, (size_t)n * sizeof *d->next);
  double norm = static_residual(d, motion->linear, coefficients, d->next);
  for (int step = 0; step < steps; ++step) {
    report->residual = norm;
    if (norm < motion->tolerance) break;
    assemble(d, 0.0, 1.0, 1.0, 0.0);
    for (int i = 0; i < n; ++i) d->change[i] = -d->residual[i];
    if (!solve(d, d->change)) return false;
    for (int i = 0; i < n; ++i) d->trial[i] = d->next[i] + d->change[i];
    double slope0, slope1, curvature0, curvature1;
    static_slope(d, &slope0, &curvature0);
    double tried = static_residual(d, motion->linear, coefficients, d->trial);
    static_slope(d, &slope1, &curvature1);
    if (!isfinite(slope0) || !isfinite(slope1) || !isfinite(curvature1)) return false;
    ++report->newton_steps;
    double t = 1.0;
    if (tried > 0.5 * norm) {
      /* slope(t) = slope0 + c1 t + c2 t^2 + c3 t^3, which is Hermite's cubic */
      double c1 = curvature0, c2 = 3.0 * (slope1 - slope0) - 2.0 * curvature0 - curvature1;
      double c3 = curvature0 + curvature1 - 2.0 * (slope1 - slope0);
      for (int halving = 0; halving < 50; ++halving, t *= 0.5) {
        double rise = t * (slope0 + t * (c1 / 2.0 + t * (c2 / 3.0 + t * c3 / 4.0)));
        if (rise <= 1e-4 * t * slope0) break;
      }
    }
    for (int i = 0; i < n; ++i) d->next[i] += t * d->change[i];
    norm = tried;
    if (t < 1.0 && step + 1 < steps) norm = static_residual(d, motion->linear, coefficients, d->next);
  }
  memset(d->rate, 0, (size_t)n * sizeof *d->rate);
  memset(d->work, 0, (size_t)n * sizeof *d->work);
  return true;
}

bool tac_reduced_dynamics_advance(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                  const double *coefficients, tacReducedAdvance *report) {
  tacReducedDynamics *d = dynamics;
  *report = (tacReducedAdvance){0};
  bool done = motion->is_static ? deform_static(d, motion, coefficients, report)
                                : deform_dynamic(d, motion, coefficients, report);
  if (!isfinite(report->residual)) report->residual = DBL_MAX;
  if (!done || !is_sound(d, motion->step, d->next, d->rate)) return false;
  size_t bytes = (size_t)d->count * sizeof *d->q;
  memcpy(d->q, d->next, bytes);
  memcpy(d->velocity, d->rate, bytes);
  memcpy(d->acceleration, d->work, bytes);
  d->is_starting = motion->is_static;
  return true;
}

double tac_reduced_dynamics_energy(const tacReducedDynamics *dynamics, bool linear, const double *coefficients) {
  const tacReducedDynamics *d = dynamics;
  double energy = 0.0;
  if (linear) {
    for (int i = 0; i < d->count; ++i)
      energy += d->q[i] * dot(d->count - i, quadratic_row(d, coefficients, i), d->q + i);
  } else {
    energy = tac_reduced_polynomial_energy(d->count, coefficients, d->q, d->scratch);
  }
  tac_dense_loop_gemv(&d->mass, d->velocity, d->work);
  return energy + 0.5 * dot(d->count, d->velocity, d->work);
}
