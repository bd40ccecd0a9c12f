#include "bake/reduced_doubt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bake/trial_loads.h"
#include "base/array.h"
#include "elastic/finite_statics.h"
#include "math/dense.h"

enum { SIZES = 2, MOST_VERTICES = 30000, LEAST_LOADS = 3, MOST_STEPS = 60 };
static const double gradients[SIZES] = {0.15, 0.6};    /* of the linear answer: tac_trial_loads_gradient */
static const double steps_of_size[SIZES] = {3.0, 5.0}; /* of Newton's method, about */
static const double accuracy = 0.004; /* of the full solution, which errors of some per cent are told from */
static const double most_cost = 4e10; /* of all Newton steps: some seconds */

typedef struct {
  const tacReducedParts *parts;
  const tacSolid *solid;
  tacTrialLoads loads;
  tacFiniteStatics *full;
  double *force, *load, *u, *truth, *shape;            /* [3 vertices] */
  double *q, *next, *internal, *part, *pull, *scratch; /* [r]; pull: U^T of the load */
  double *stiffness, *of_part, *factor;                /* [r][r] */
  double *gradient;                                    /* [load], of 1 N; 0: no answer is found */
  int small;                                           /* loads with one */
  int count;                                           /* of what was found: */
  double *high, *work, *error; /* |R| / |q| beyond the lowest frequency's; q.R / m; see tac_trial_loads_error */
  double *flat_high, *flat_speed, *flat_error; /* of the geometrically linear body: the root of q.R / m */
} Trial;

static void free_trial(Trial *t) {
  tac_trial_loads_destroy(&t->loads);
  tac_finite_statics_destroy(t->full);
  free(t->force);
  free(t->q);
  free(t->high);
}

static tacStatus make_room(int loads, Trial *t, tacError *error) {
  size_t numbers = 3 * (size_t)t->parts->volume->vertex_count, r = (size_t)t->parts->size,
         found = (size_t)loads * (SIZES + 1);
  t->force = tac_array_create(5 * numbers, sizeof *t->force, "a trial", error);
  t->q = tac_array_create(5 * r + 3 * r * r + tac_reduced_polynomial_scratch(t->parts->size), sizeof *t->q, "a trial",
                          error);
  t->high = tac_array_create(6 * found + (size_t)loads, sizeof *t->high, "a trial", error);
  if (t->force == NULL || t->q == NULL || t->high == NULL) return TAC_ERR_MEMORY;
  t->load = t->force + numbers;
  t->u = t->load + numbers;
  t->truth = t->u + numbers;
  t->shape = t->truth + numbers;
  t->next = t->q + r;
  t->internal = t->next + r;
  t->part = t->internal + r;
  t->pull = t->part + r;
  t->stiffness = t->pull + r;
  t->of_part = t->stiffness + r * r;
  t->factor = t->of_part + r * r;
  t->scratch = t->factor + r * r;
  t->work = t->high + found;
  t->error = t->work + found;
  t->flat_high = t->error + found;
  t->flat_speed = t->flat_high + found;
  t->flat_error = t->flat_speed + found;
  t->gradient = t->flat_error + found;
  return TAC_OK;
}

static double dot(int count, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/* ---- the reduced body ---- */

/* R(q) and K(q) of all parts, as baked; the energy. */
static double evaluate(Trial *t, const double *q) {
  size_t r = (size_t)t->parts->size;
  double energy = 0.0;
  memset(t->internal, 0, r * sizeof *t->internal);
  memset(t->stiffness, 0, r * r * sizeof *t->stiffness);
  for (int p = 0; p < t->parts->part_count; ++p) {
    const tacReducedPart *part = &t->parts->parts[p];
    tac_reduced_polynomial_evaluate(t->parts->size, part->coefficients, q, t->scratch, t->part, t->of_part);
    energy += part->weight * tac_reduced_polynomial_energy(t->parts->size, part->coefficients, q, t->scratch);
    for (size_t i = 0; i < r; ++i) t->internal[i] += part->weight * t->part[i];
    for (size_t i = 0; i < r * r; ++i) t->stiffness[i] += part->weight * t->of_part[i];
  }
  return energy;
}

/* x := K^-1 x, of a K that is shifted until it is positive. */
static bool solve(Trial *t, double *x) {
  int r = t->parts->size;
  tacDense k = {r, r, r, t->factor};
  double trace = 0.0;
  for (int i = 0; i < r; ++i) trace += fabs(t->stiffness[i * r + i]) / r;
  for (double shift = 0.0; shift<1e3; shift = shift> 0.0 ? 10.0 * shift : 1e-6) {
    memcpy(k.a, t->stiffness, (size_t)r * (size_t)r * sizeof *k.a);
    for (int i = 0; i < r; ++i) k.a[i * r + i] += shift * trace;
    if (!tac_dense_loop_cholesky(&k)) continue;
    tac_dense_loop_cholesky_solve(&k, x);
    return true;
  }
  return false;
}

/* R(q) = pull by Newton's method from q, with steps along which the energy falls. False: not found. */
static bool settle(Trial *t) {
  int r = t->parts->size;
  double energy = evaluate(t, t->q), size = sqrt(dot(r, t->pull, t->pull));
  energy -= dot(r, t->pull, t->q);
  for (int step = 0; step < MOST_STEPS; ++step) {
    double residual2 = 0.0;
    for (int i = 0; i < r; ++i) {
      t->part[i] = t->pull[i] - t->internal[i];
      residual2 += t->part[i] * t->part[i];
    }
    if (sqrt(residual2) <= 1e-8 * size) return true;
    double change[TAC_REDUCED_MOST], share = 1.0, found = 0.0;
    memcpy(change, t->part, (size_t)r * sizeof *change);
    double slope = solve(t, change) ? dot(r, change, t->part) : -1.0;
    bool falls = false;
    for (int halving = 0; slope > 0.0 && !falls && halving < 30; ++halving, share *= 0.5) {
      for (int i = 0; i < r; ++i) t->next[i] = t->q[i] + share * change[i];
      found = evaluate(t, t->next);
      found -= dot(r, t->pull, t->next);
      falls = found <= energy - 1e-4 * share * slope || (halving == 0 && fabs(found - energy) <= 1e-12 * fabs(energy));
    }
    if (!falls) return false;
    memcpy(t->q, t->next, (size_t)r * sizeof *t->q);
    energy = found;
  }
  return false;
}

/* U q */
static void shape_of(const Trial *t, const double *q) {
  int r = t->parts->size;
  for (size_t i = 0; i < 3 * (size_t)t->parts->volume->vertex_count; ++i)
    t->shape[i] = dot(r, t->parts->basis + i * (size_t)r, q);
}

static void pull_of(const Trial *t, double scale) {
  size_t r = (size_t)t->parts->size;
  memset(t->pull, 0, r * sizeof *t->pull);
  for (size_t i = 0; i < 3 * (size_t)t->parts->volume->vertex_count; ++i)
    for (size_t j = 0; t->force[i] != 0.0 && j < r; ++j) t->pull[j] += scale * t->force[i] * t->parts->basis[i * r + j];
}

/* ---- trials ---- */

/* |R| / |q| is the square of a frequency, and that of the lowest mode where that alone moves; 1/s^2. */
static double high_of(const Trial *t, const double *q, const double *pull) {
  int r = t->parts->size;
  double lowest = 2.0 * M_PI * t->parts->info.reduced_least;
  return fmax(0.0, sqrt(dot(r, pull, pull) / dot(r, q, q)) - lowest * lowest);
}

/* What was found of the coordinates q, and of those of the linear body, whose shape is `flat`. */
static void note(Trial *t, const double *q, const double *flat, const double *truth) {
  int r = t->parts->size, at = t->count++;
  shape_of(t, q);
  t->high[at] = high_of(t, q, t->pull);
  t->work[at] = dot(r, q, t->pull) / t->parts->mass;
  t->error[at] = tac_trial_loads_error(&t->loads, 1.0, t->shape, truth);
  shape_of(t, flat);
  t->flat_high[at] = high_of(t, flat, t->pull);
  t->flat_speed[at] = sqrt(dot(r, flat, t->pull) / t->parts->mass);
  t->flat_error[at] = tac_trial_loads_error(&t->loads, 1.0, t->shape, truth);
}

/* q of the linear body under 1 N. False: there is none. */
static bool find_flat(Trial *t, double *flat) {
  int r = t->parts->size;
  memset(t->q, 0, (size_t)r * sizeof *t->q);
  pull_of(t, 1.0);
  evaluate(t, t->q);
  memcpy(flat, t->pull, (size_t)r * sizeof *flat);
  return solve(t, flat) && dot(r, flat, flat) > 0.0;
}

/* So small a load that all answers are linear. */
static tacStatus try_small(Trial *t, int load, tacError *error) {
  int r = t->parts->size;
  double flat[TAC_REDUCED_MOST];
  if (!tac_trial_loads_force(&t->loads, load, t->force)) return TAC_OK;
  tacStatus status = tac_finite_statics_solve_linear(t->full, t->force, t->u, error);
  if (status != TAC_OK) return status;
  double gradient = tac_trial_loads_gradient(&t->loads, t->u);
  if (!(gradient > 0.0) || !find_flat(t, flat)) return TAC_OK;
  double scale = 1e-6 / gradient;
  pull_of(t, scale);
  for (int i = 0; i < r; ++i) flat[i] *= scale;
  for (size_t i = 0; i < 3 * (size_t)t->parts->volume->vertex_count; ++i) t->truth[i] = scale * t->u[i];
  note(t, flat, flat, t->truth);
  t->gradient[load] = gradient;
  ++t->small;
  return TAC_OK;
}

/* The full solution starts from that of the last size, moved by U change as the basis moves, where that inverts no element. */
static void start_full(Trial *t, const double *change) {
  size_t numbers = 3 * (size_t)t->parts->volume->vertex_count;
  shape_of(t, change);
  for (size_t i = 0; i < numbers; ++i) t->u[i] = t->truth[i] + t->shape[i];
  if (tac_finite_strain_inverted(tac_finite_statics_strain(t->full), t->u) < 0)
    memcpy(t->truth, t->u, numbers * sizeof *t->truth);
}

/* One load, larger and larger. */
static tacStatus try_large(Trial *t, int load, int sizes, tacError *error) {
  int r = t->parts->size;
  size_t numbers = 3 * (size_t)t->parts->volume->vertex_count;
  double unit[TAC_REDUCED_MOST], flat[TAC_REDUCED_MOST], last[TAC_REDUCED_MOST] = {0.0};
  if (!(t->gradient[load] > 0.0)) return TAC_OK;
  tac_trial_loads_force(&t->loads, load, t->force);
  find_flat(t, unit);
  memset(t->truth, 0, numbers * sizeof *t->truth);
  for (int s = 0; s < sizes; ++s) {
    double scale = gradients[s] / t->gradient[load];
    pull_of(t, scale);
    if (!settle(t)) return TAC_OK;
    for (int i = 0; i < r; ++i) {
      flat[i] = scale * unit[i];
      last[i] = t->q[i] - last[i];
    }
    start_full(t, last);
    for (size_t i = 0; i < numbers; ++i) t->load[i] = scale * t->force[i];
    tacStatus status = tac_finite_statics_solve(t->full, t->load, NULL, t->truth, NULL, error);
    if (status != TAC_OK) return status;
    note(t, t->q, flat, t->truth);
    memcpy(last, t->q, (size_t)r * sizeof *last);
  }
  return TAC_OK;
}

static void fit(const Trial *t, tacReducedDoubt *doubt) {
  const double *bent[2] = {t->high, t->work}, *straight[2] = {t->flat_high, t->flat_speed};
  double factor[2], linear[2];
  tac_trial_fit(t->count, 2, bent, t->error, factor);
  tac_trial_fit(t->count, 2, straight, t->flat_error, linear);
  if (t->count == t->small) return;
  *doubt = (tacReducedDoubt){factor[0], factor[1], linear[1]};
}

static bool is_fatal(tacStatus status) {
  return status == TAC_ERR_MEMORY || status == TAC_ERR_CANCELLED;
}

/* How many of the loads are tried in the first size, and of these in the second: by what a Newton step costs. */
static void choose_loads(const Trial *t, int of_size[SIZES]) {
  double steps = most_cost / tac_finite_statics_step_cost(t->full);
  double first = fmax(LEAST_LOADS, floor(steps / (steps_of_size[0] + steps_of_size[1])));
  of_size[0] = (int)fmin(t->loads.count, first);
  of_size[1] = (int)fmin(of_size[0], fmax(0.0, (steps - steps_of_size[0] * of_size[0]) / steps_of_size[1]));
}

static tacStatus try_loads(Trial *t, const tacProgress *progress, tacError *error) {
  static const char *const stage = "limits of the basis";
  int of_size[SIZES];
  choose_loads(t, of_size);
  tacStatus status = TAC_OK;
  for (int l = 0; status == TAC_OK && l < t->loads.count; ++l) {
    status = try_small(t, l, error);
    if (!is_fatal(status)) status = TAC_OK; /* what the full solution does not carry is left out */
  }
  for (int l = 0; status == TAC_OK && l <= of_size[0]; ++l) {
    if (progress != NULL && !progress->report(stage, (double)l / of_size[0], progress->user))
      status = tac_error_set(error, TAC_ERR_CANCELLED, "%s: cancelled", stage);
    if (status != TAC_OK || l == of_size[0]) continue;
    status = try_large(t, l, l < of_size[1] ? 2 : 1, error);
    if (!is_fatal(status)) status = TAC_OK;
  }
  return status;
}

tacStatus tac_reduced_doubt_measure(const tacReducedParts *parts, const tacSolid *solid, int loads,
                                    const tacProgress *progress, tacReducedDoubt *doubt, tacError *error) {
  *doubt = (tacReducedDoubt){0};
  if (solid->held == NULL || loads < 1 || parts->volume->vertex_count > MOST_VERTICES) return TAC_OK;
  Trial t = {.parts = parts, .solid = solid};
  tacStatus status = tac_finite_statics_create_rough(solid, accuracy, &t.full, error);
  if (status == TAC_OK) status = make_room(loads, &t, error);
  if (status == TAC_OK) status = tac_trial_loads_create(parts->volume, solid->held, loads, &t.loads, error);
  if (status == TAC_OK) status = try_loads(&t, progress, error);
  if (status == TAC_OK) fit(&t, doubt);
  free_trial(&t);
  return is_fatal(status) ? status : TAC_OK;
}
