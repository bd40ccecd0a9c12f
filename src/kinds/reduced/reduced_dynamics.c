#include "kinds/reduced/reduced_dynamics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/lanes.h"
#include "base/memory/array.h"
#include "elastic/solids/time_step.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"

tacReducedMotion tac_reduced_motion_default(void) {
  return (tacReducedMotion){.step = 0.001, .newton_steps = 1};
}

tacStatus tac_reduced_dynamics_create(int count, tacReducedDynamics *dynamics, tacError *error) {
  tacReducedDynamics d = {.count = count, .most_q = 1e60, .is_starting = true};
  size_t n = (size_t)count;
  tacDense *matrices[] = {&d.mass, &d.mass_factor, &d.stiffness, &d.matrix, &d.factor, &d.stress};
  double **vectors[] = {&d.q,        &d.velocity, &d.acceleration, &d.load,  &d.next,   &d.rate,     &d.internal,
                        &d.residual, &d.work,     &d.change,       &d.trial, &d.before, &d.evaluated};
  size_t matrix_count = sizeof matrices / sizeof *matrices, vector_count = sizeof vectors / sizeof *vectors;
  size_t total = matrix_count * n * n + vector_count * n;
  *dynamics = (tacReducedDynamics){0};
  double *at = d.memory = tac_array_create(total, sizeof *at, "reduced body", error);
  if (at == NULL) return TAC_ERR_MEMORY;
  for (size_t i = 0; i < matrix_count; ++i, at += n * n) *matrices[i] = (tacDense){count, count, count, at};
  for (size_t i = 0; i < vector_count; ++i, at += n) *vectors[i] = at;
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
  double sums[3];
  tac_vector_dot3(n, jacobian, x, sums);
  return tac_vec3(sums[0], sums[1], sums[2]);
}

void tac_reduced_jacobian_add(int n, const double *restrict jacobian, tacVec3 f, double *restrict y) {
  tac_vector_add3(n, jacobian, (const double[]){f.x, f.y, f.z}, y);
}

/* True if the state is finite and small enough to avoid overflow. */
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

/* Computes R(q) into `internal` and K(q) into `stiffness`. If W is a polynomial and q is unchanged, the previous values
 * are reused. */
static void evaluate(tacReducedDynamics *d, bool linear, const tacCoordinateForce *force, const double *q) {
  size_t bytes = (size_t)d->count * sizeof *q;
  if (d->is_known && d->known_linear == linear && memcmp(d->evaluated, q, bytes) == 0) return;
  force->evaluate(force->self, linear, q, d->internal, d->stiffness.a);
  memcpy(d->evaluated, q, bytes);
  d->is_known = force->quartic;
  d->known_linear = linear;
}

/* True if strain-rate damping needs the stress part of the stiffness. In a geometrically linear body, strain-rate
 * damping equals stiffness damping and has no stress part. */
static bool damps_strain_rate(const tacReducedMotion *motion) {
  return motion->strain_rate > 0.0 && !motion->linear && !motion->is_static;
}

/* Computes the damping force of a velocity v: beta K v + strain_rate (K - S : E'') v. The bracket equals E' : C : E'
 * (reduced_stress.h). The caller adds the mass-proportional part. Uses `work`; `to` must be a different array. */
static void find_drag(tacReducedDynamics *d, const tacReducedMotion *motion, const double *velocity, double *to) {
  double of_stiffness = motion->stiffness_damping + motion->strain_rate;
  tac_dense_loop_gemv(&d->stiffness, velocity, to);
  for (int i = 0; i < d->count; ++i) to[i] *= of_stiffness;
  if (!damps_strain_rate(motion)) return;
  tac_dense_loop_gemv(&d->stress, velocity, d->work);
  for (int i = 0; i < d->count; ++i) to[i] -= motion->strain_rate * d->work[i];
}

/* Computes to = mass M + stiffness K, for `count` entries. */
TAC_LANES_BODY void combine_lanes(const int doubles, size_t count, double mass, const double *restrict m,
                                  double stiffness, const double *restrict k, double *restrict to) {
  (void)doubles; /* not needed: compilers vectorise this loop */
  for (size_t i = 0; i < count; ++i) to[i] = mass * m[i] + stiffness * k[i];
}

TAC_LANES_KERNEL(static, combine,
                 (size_t count, double mass, const double *restrict m, double stiffness, const double *restrict k,
                  double *restrict to),
                 count, mass, m, stiffness, k, to)

/* Computes to = mass M + stiffness K from the matrices of `d`. */
static void assemble(const tacReducedDynamics *d, double mass, double stiffness, double *to) {
  combine((size_t)d->count * (size_t)d->count, mass, d->mass.a, stiffness, d->stiffness.a, to);
}

/* Returns a diagonal shift that makes `matrix` positive definite, by Gershgorin's theorem. Uses `work`. */
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

/* Solves `matrix` y = x, and stores y in x. If the matrix is not positive definite, a multiple of the identity is
 * added, which shortens the step. Returns false if the matrix is not finite. */
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

/* Computes q'' = M^-1 (f - D - R) at the start of the step into `rate`. Returns the norm of q'', which may be NaN or
 * infinite. `internal` and `stiffness` must belong to q. Uses `work`. */
static double start_acceleration(tacReducedDynamics *d, const tacReducedMotion *motion) {
  int n = d->count;
  double alpha = motion->mass_damping;
  find_drag(d, motion, d->velocity, d->rate);
  for (int i = 0; i < n; ++i) d->rate[i] = -d->internal[i] - d->rate[i];
  tac_dense_loop_gemv(&d->mass, d->velocity, d->work);
  for (int i = 0; i < n; ++i) d->rate[i] += d->load[i] - alpha * d->work[i];
  if (!d->mass_is_factored) {
    memcpy(d->mass_factor.a, d->mass.a, (size_t)n * (size_t)n * sizeof *d->mass.a);
    d->mass_is_factored = tac_dense_loop_cholesky(&d->mass_factor);
  }
  if (!d->mass_is_factored) return NAN;
  tac_dense_loop_cholesky_solve(&d->mass_factor, d->rate);
  return sqrt(dot(n, d->rate, d->rate));
}

/* Computes q'' at the start of the step if q'' is unknown. Returns the factor on D, R and f that limits q'' (section
 * 3.10.2), or NaN if q'' is not finite. `internal` and `stiffness` must belong to q. */
static double start(tacReducedDynamics *d, const tacReducedMotion *motion) {
  bool limits = motion->acceleration_limit > 0.0;
  if (!limits && !d->is_starting) return 1.0;
  double norm = start_acceleration(d, motion), scale = 1.0;
  if (!isfinite(norm)) return NAN;
  if (limits && norm > motion->acceleration_limit) scale = motion->acceleration_limit / norm;
  for (int i = 0; d->is_starting && i < d->count; ++i) d->acceleration[i] = scale * d->rate[i];
  return scale;
}

static tacTimeStep step_of(const tacReducedMotion *motion) {
  return motion->euler ? tac_time_step_euler(motion->step) : tac_time_step_newmark(motion->step, 0.25, 0.5);
}

void tac_reduced_dynamics_begin(tacReducedDynamics *dynamics) {
  memcpy(dynamics->next, dynamics->q, (size_t)dynamics->count * sizeof *dynamics->next);
  memcpy(dynamics->before, dynamics->q, (size_t)dynamics->count * sizeof *dynamics->before);
  dynamics->scale = 0.0; /* 0: unknown; linearise computes the scale */
}

bool tac_reduced_dynamics_linearise(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                    const tacCoordinateForce *force, double *matrix, double *load,
                                    tacReducedAdvance *report) {
  tacReducedDynamics *d = dynamics;
  int n = d->count;
  evaluate(d, motion->linear, force, d->next);
  if (motion->is_static) {
    for (int i = 0; i < n; ++i) load[i] = d->load[i] - d->internal[i];
    assemble(d, 0.0, 1.0, matrix);
    return true;
  }
  tacTimeStep m = step_of(motion);
  double alpha = motion->mass_damping;
  if (damps_strain_rate(motion)) force->stress(force->self, d->next, d->stress.a);
  if (d->scale == 0.0) d->scale = start(d, motion);
  double scale = d->scale;
  if (!isfinite(scale)) return false;
  report->limited = scale < 1.0;
  for (int i = 0; i < n; ++i)
    d->rate[i] = tac_time_step_velocity(&m, d->next[i] - d->q[i], d->velocity[i], d->acceleration[i]);
  /* The residual is M (q'' + scale alpha q') + scale (D(q) q' + R - f). */
  find_drag(d, motion, d->rate, d->residual);
  for (int i = 0; i < n; ++i) {
    d->residual[i] = scale * (d->residual[i] + d->internal[i]);
    d->trial[i] = tac_time_step_acceleration(&m, d->next[i] - d->q[i], d->velocity[i], d->acceleration[i]) +
                  scale * alpha * d->rate[i];
  }
  tac_dense_loop_gemv(&d->mass, d->trial, d->work);
  for (int i = 0; i < n; ++i) load[i] = scale * d->load[i] - d->residual[i] - d->work[i];
  assemble(d, tac_time_step_of_mass(&m, scale * alpha),
           scale * tac_time_step_of_stiffness(&m, motion->stiffness_damping + motion->strain_rate), matrix);
  for (int i = 0; damps_strain_rate(motion) && i < n * n; ++i)
    matrix[i] -= scale * m.v_way * motion->strain_rate * d->stress.a[i];
  return true;
}

void tac_reduced_dynamics_move(tacReducedDynamics *dynamics, const double *change) {
  memcpy(dynamics->before, dynamics->next, (size_t)dynamics->count * sizeof *dynamics->before);
  for (int i = 0; i < dynamics->count; ++i) dynamics->next[i] += change[i];
}

/* Computes x.A x for the matrix A of the last linearisation. Uses `work`. */
static double square_by_matrix(const tacReducedDynamics *d, const tacReducedMotion *motion, const double *x) {
  tacTimeStep m = step_of(motion);
  tac_dense_loop_gemv(&d->stiffness, x, d->work);
  double drag = motion->stiffness_damping + motion->strain_rate;
  double sum = d->scale * tac_time_step_of_stiffness(&m, drag) * dot(d->count, x, d->work);
  tac_dense_loop_gemv(&d->mass, x, d->work);
  return sum + tac_time_step_of_mass(&m, d->scale * motion->mass_damping) * dot(d->count, x, d->work);
}

/* Returns the largest fraction of the motion from q to `next` that stays within `most_q`. Returns 0 if the motion is NaN
 * or more than a thousand times too long: it has diverged. */
static double allowed_part(const tacReducedDynamics *d) {
  double a = 0.0, b = 0.0, c = dot(d->count, d->q, d->q) - d->most_q * d->most_q;
  if (dot(d->count, d->next, d->next) <= d->most_q * d->most_q) return 1.0;
  for (int i = 0; i < d->count; ++i) {
    double way = d->next[i] - d->q[i];
    a += way * way;
    b += way * d->q[i];
  }
  if (!isfinite(a) || !(c < 0.0)) return 0.0;
  const double rounding = 1e-9, least = 1e-3;
  /* positive root, in the form without cancellation */
  double part = (1.0 - rounding) * -c / (b + sqrt(b * b - a * c));
  return part >= least ? part : 0.0;
}

/* Shortens the motion d of the step if the stiffness K was too soft. A soft K can come from an earlier step, before the
 * body rotated. Without this correction each step would overshoot farther than the last step.
 *
 * An implicit step minimises a potential whose gradient is R plus the inertia force. Along d the slope of the potential
 * starts at -d.A d, where A is the matrix of the last linearisation. The linearisation, with contact forces, predicts a
 * final slope of zero. The true final slope is d.(R(end) - R - K (last Newton step)). It is positive if K was too soft.
 * The motion is cut at the zero of the straight line between both slopes. A small positive slope is ignored, because
 * Newton's method leaves such a slope for every nonquadratic energy.
 *
 * Where K is nearly singular, as in a crushed body, d may leave the allowed coordinates. Then only the fraction `part`
 * of d is tried, and the linearisation predicts a final slope of -(1 - part) d.A d. */
static void shorten(tacReducedDynamics *d, const tacReducedMotion *motion, const tacCoordinateForce *force) {
  const double least = 0.1;
  int n = d->count;
  d->shortened = false;
  if (motion->linear || motion->is_static) return;
  const double part = allowed_part(d);
  if (!(part > 0.0)) return;
  for (int i = 0; i < n && part < 1.0; ++i) d->next[i] = d->q[i] + part * (d->next[i] - d->q[i]);
  for (int i = 0; i < n; ++i) d->trial[i] = d->next[i] - d->before[i];
  tac_dense_loop_gemv(&d->stiffness, d->trial, d->work);
  for (int i = 0; i < n; ++i) {
    d->residual[i] = d->internal[i] + d->work[i];
    d->trial[i] = d->next[i] - d->q[i];
  }
  double fall = square_by_matrix(d, motion, d->trial);
  const double *there = d->rate;
  if (force->quartic) {
    evaluate(d, false, force, d->next);
    there = d->internal;
  } else {
    force->evaluate(force->self, false, d->next, d->rate, NULL);
  }
  for (int i = 0; i < n; ++i) d->residual[i] = there[i] - d->residual[i];
  double rise = d->scale * dot(n, d->trial, d->residual), share = fall / part / (fall + rise);
  d->shortened = part < 1.0;
  if (!(rise - (1.0 / part - 1.0) * fall > least * fall / part)) return;
  for (int i = 0; i < n; ++i) d->next[i] = d->q[i] + share * d->trial[i];
  d->shortened = true;
}

bool tac_reduced_dynamics_finish(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                 const tacCoordinateForce *force) {
  tacReducedDynamics *d = dynamics;
  shorten(d, motion, force);
  tacTimeStep m = step_of(motion);
  for (int i = 0; i < d->count; ++i) {
    double way = d->next[i] - d->q[i];
    double v = d->velocity[i], a = d->acceleration[i];
    d->rate[i] = motion->is_static ? 0.0 : tac_time_step_velocity(&m, way, v, a);
    d->work[i] = motion->is_static ? 0.0 : tac_time_step_acceleration(&m, way, v, a);
  }
  if (!is_sound(d, motion->step, d->next, d->rate)) return false;
  size_t bytes = (size_t)d->count * sizeof *d->q;
  memcpy(d->q, d->next, bytes);
  memcpy(d->velocity, d->rate, bytes);
  memcpy(d->acceleration, d->work, bytes);
  d->is_starting = motion->is_static;
  return true;
}

static bool deform_dynamic(tacReducedDynamics *d, const tacReducedMotion *motion, const tacCoordinateForce *force,
                           tacReducedAdvance *report) {
  tac_reduced_dynamics_begin(d);
  for (int step = 0; step < motion->newton_steps; ++step) {
    if (!tac_reduced_dynamics_linearise(d, motion, force, d->matrix.a, d->change, report)) return false;
    report->residual = sqrt(dot(d->count, d->change, d->change));
    if (report->residual < motion->tolerance) break;
    if (!solve(d, d->change)) return false;
    tac_reduced_dynamics_move(d, d->change);
    ++report->newton_steps;
  }
  return true;
}

/* Computes R(q) - f into `residual`, and K(q) into `stiffness`. Returns the norm of the residual. */
static double static_residual(tacReducedDynamics *d, bool linear, const tacCoordinateForce *force, const double *q) {
  evaluate(d, linear, force, q);
  for (int i = 0; i < d->count; ++i) d->residual[i] = d->internal[i] - d->load[i];
  return sqrt(dot(d->count, d->residual, d->residual));
}

/* Computes the first and second derivative of the energy W(q) - f.q along the Newton step. Uses `work`. */
static void static_slope(const tacReducedDynamics *d, double *slope, double *curvature) {
  *slope = dot(d->count, d->change, d->residual);
  tac_dense_loop_gemv(&d->stiffness, d->change, d->work);
  *curvature = dot(d->count, d->change, d->work);
}

/* Returns a fraction t of the Newton step for which the energy W(q) - f.q falls. t starts at 1 and is halved until the
 * energy falls. W must be a quartic polynomial. Slopes and curvatures at both ends then determine the energy along the
 * step. */
static double quartic_share(double slope0, double curvature0, double slope1, double curvature1) {
  /* Hermite's cubic is slope(t) = slope0 + c1 t + c2 t^2 + c3 t^3. */
  double c1 = curvature0, c2 = 3.0 * (slope1 - slope0) - 2.0 * curvature0 - curvature1, t = 1.0;
  double c3 = curvature0 + curvature1 - 2.0 * (slope1 - slope0);
  for (int halving = 0; halving < 50; ++halving, t *= 0.5) {
    double rise = t * (slope0 + t * (c1 / 2.0 + t * (c2 / 3.0 + t * c3 / 4.0)));
    if (rise <= 1e-4 * t * slope0) break;
  }
  return t;
}

/* Returns the fraction of the Newton step for which the energy falls, for any W. W is evaluated at most MOST_HALVINGS +
 * 2 times. Returns 0 if the energy does not fall. Uses `trial`. */
static double searched_share(tacReducedDynamics *d, bool linear, const tacCoordinateForce *force, double slope0) {
  enum { MOST_HALVINGS = 10 };
  double from = force->energy(force->self, linear, d->next), t = 1.0;
  for (int halving = 0; halving <= MOST_HALVINGS; ++halving, t *= 0.5) {
    for (int i = 0; i < d->count; ++i) d->trial[i] = d->next[i] + t * d->change[i];
    double rise = force->energy(force->self, linear, d->trial) - from - t * dot(d->count, d->change, d->load);
    if (rise <= 1e-4 * t * slope0 + 1e-15 * fabs(from)) return t; /* the last term allows for rounding */
  }
  return 0.0;
}

/* Solves R(q) = f by Newton's method. `next` receives the result. */
static bool deform_static(tacReducedDynamics *d, const tacReducedMotion *motion, const tacCoordinateForce *force,
                          tacReducedAdvance *report) {
  int n = d->count, steps = motion->newton_steps;
  memcpy(d->next, d->q, (size_t)n * sizeof *d->next);
  double norm = static_residual(d, motion->linear, force, d->next);
  for (int step = 0; step < steps; ++step) {
    report->residual = norm;
    if (norm < motion->tolerance) break;
    assemble(d, 0.0, 1.0, d->matrix.a);
    for (int i = 0; i < n; ++i) d->change[i] = -d->residual[i];
    if (!solve(d, d->change)) return false;
    for (int i = 0; i < n; ++i) d->trial[i] = d->next[i] + d->change[i];
    double slope0, slope1, curvature0, curvature1;
    static_slope(d, &slope0, &curvature0);
    double tried = static_residual(d, motion->linear, force, d->trial);
    static_slope(d, &slope1, &curvature1);
    if (!isfinite(slope0) || !isfinite(slope1) || !isfinite(curvature1)) return false;
    ++report->newton_steps;
    double t = 1.0;
    if (tried > 0.5 * norm)
      t = force->quartic || motion->linear ? quartic_share(slope0, curvature0, slope1, curvature1)
                                           : searched_share(d, motion->linear, force, slope0);
    for (int i = 0; i < n; ++i) d->next[i] += t * d->change[i];
    norm = tried;
    if (t < 1.0 && step + 1 < steps) norm = static_residual(d, motion->linear, force, d->next);
  }
  return true;
}

bool tac_reduced_dynamics_advance(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                  const tacCoordinateForce *force, tacReducedAdvance *report) {
  *report = (tacReducedAdvance){0};
  bool done = motion->is_static ? deform_static(dynamics, motion, force, report)
                                : deform_dynamic(dynamics, motion, force, report);
  if (!isfinite(report->residual)) report->residual = DBL_MAX;
  done = done && tac_reduced_dynamics_finish(dynamics, motion, force);
  report->limited = report->limited || dynamics->shortened;
  return done;
}

double tac_reduced_dynamics_energy(const tacReducedDynamics *dynamics, bool linear, const tacCoordinateForce *force) {
  const tacReducedDynamics *d = dynamics;
  double energy = force->energy(force->self, linear, d->q);
  tac_dense_loop_gemv(&d->mass, d->velocity, d->work);
  return energy + 0.5 * dot(d->count, d->velocity, d->work);
}

/* A quartic W is the sum of homogeneous parts W2, W3, W4 of degrees 2, 3 and 4. By Euler's theorem q.R = 2 W2 + 3 W3 +
 * 4 W4 and q.K q = 2 W2 + 6 W3 + 12 W4, with W2 = q.K(0) q / 2. */
double tac_reduced_dynamics_stored(const tacReducedDynamics *dynamics, bool linear, const tacCoordinateForce *force) {
  const tacReducedDynamics *d = dynamics;
  int n = d->count;
  if (d->shortened || (!force->quartic && !linear)) return tac_reduced_dynamics_energy(d, linear, force);
  force->evaluate(force->self, true, d->evaluated, d->work, NULL);
  double w2 = 0.5 * dot(n, d->evaluated, d->work), sum = w2;
  if (!linear) {
    double slope = dot(n, d->evaluated, d->internal) - 2.0 * w2;
    tac_dense_loop_gemv(&d->stiffness, d->evaluated, d->work);
    double w4 = 0.25 * (dot(n, d->evaluated, d->work) - 2.0 * w2) - 0.5 * slope;
    sum += (slope - 4.0 * w4) / 3.0 + w4;
  }
  for (int i = 0; i < n; ++i) d->trial[i] = d->q[i] - d->evaluated[i];
  tac_dense_loop_gemv(&d->stiffness, d->trial, d->work);
  sum += dot(n, d->trial, d->internal) + 0.5 * dot(n, d->trial, d->work);
  tac_dense_loop_gemv(&d->mass, d->velocity, d->work);
  return sum + 0.5 * dot(n, d->velocity, d->work);
}
