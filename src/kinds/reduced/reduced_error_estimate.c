#include "kinds/reduced/reduced_error_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bake/loads/trial_loads.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "base/threads/parallel.h"
#include "elastic/solids/finite_statics.h"
#include "kinds/reduced/reduced.h"
#include "math/dense/dense.h"

enum { SIZES = 2, MOST_VERTICES = 30000, LEAST_LOADS = 3, MOST_STEPS = 60 };
/* Mean displacement gradient of the linear solution, per load size. */
static const double gradients[SIZES] = {0.15, 0.6};
static const double steps_of_size[SIZES] = {3.0, 5.0}; /* approximate number of Newton steps, per load size */
/* Relative energy change below which a full Newton step is accepted without an energy check. */
static const double unseen = 1e-9;
/* Relative accuracy of the full solution; the estimated errors are some per cent. */
static const double accuracy = 0.004;
static const double most_cost = 4e10; /* limit of the cost of all Newton steps, which corresponds to some seconds */

/* Work data of a thread. */
typedef struct {
  const tacReducedParts *parts;
  const tacTrialLoads *loads;
  tacFiniteStatics *full;
  double *force, *load, *u, *truth, *shape;            /* vectors of the full mesh, [3 vertices] */
  double *q, *next, *internal, *part, *pull, *scratch; /* reduced vectors, [r]; `pull` is U^T times the load */
  double *stiffness, *of_part, *factor;                /* reduced matrices, [r][r] */
  tacArrays arrays;
  tacStatus status; /* error that ended the measurement, or TAC_OK */
} Room;

enum { SLOTS = SIZES + 1 }; /* number of results per load: one for a small load, one per load size */

typedef struct {
  const tacReducedParts *parts;
  tacTrialLoads loads;
  tacFiniteStatics *full;
  Room *rooms; /* work data, [threads] */
  int threads;
  int of_size[SIZES];          /* number of loads tried in each size */
  double *gradient;            /* mean displacement gradient under 1 N, [load]; 0: no solution */
  double *gathered;            /* workspace for sorting the results, [result][6] */
  bool *found;                 /* true if the result exists, [slot][load] */
  int small;                   /* number of results of small loads */
  int count;                   /* number of results in the arrays below; the arrays are [slot][load] before `gather` */
  double *high, *work, *error; /* |R| / |q| minus the lowest squared frequency; q.R / m; relative error */
  /* Values of the geometrically linear body; `flat_speed` is the square root of q.R / m. */
  double *flat_high, *flat_speed, *flat_error;
  tacArrays arrays;
} Trial;

static void free_trial(Trial *t) {
  for (int i = 0; t->rooms != NULL && i < t->threads; ++i) {
    tac_finite_statics_destroy(t->rooms[i].full);
    tac_arrays_free(&t->rooms[i].arrays);
  }
  tac_arrays_free(&t->arrays);
  tac_trial_loads_destroy(&t->loads);
  tac_finite_statics_destroy(t->full);
}

/* Allocates the results, and work data for as many threads as fit into a quarter of the memory. */
static tacStatus make_rooms(int loads, Trial *t, tacError *error) {
  size_t found = (size_t)loads * SLOTS, most = tac_physical_memory() / 4 / (tac_finite_statics_bytes(t->full) + 1);
  t->threads = tac_parallel_core_count();
  if ((size_t)t->threads > most) t->threads = most > 1 ? (int)most : 1;
  t->rooms = tac_arrays_add(&t->arrays, (size_t)t->threads, sizeof *t->rooms);
  t->found = tac_arrays_add(&t->arrays, found, sizeof *t->found);
  t->gathered = tac_arrays_add(&t->arrays, 6 * found, sizeof *t->gathered);
  t->gradient = tac_arrays_add(&t->arrays, (size_t)loads, sizeof *t->gradient);
  double **const results[] = {&t->high, &t->work, &t->error, &t->flat_high, &t->flat_speed, &t->flat_error};
  for (int i = 0; i < 6; ++i) *results[i] = tac_arrays_add(&t->arrays, found, sizeof **results[i]);
  return tac_arrays_status(&t->arrays, "a trial", error);
}

static tacStatus enter_room(const Trial *trial, Room *t, tacError *error) {
  if (t->full != NULL) return TAC_OK;
  size_t r = (size_t)trial->parts->size;
  t->parts = trial->parts;
  t->loads = &trial->loads;
  tac_arrays_free(&t->arrays);
  double **const arrays[] = {&t->force, &t->load, &t->u,        &t->truth,  &t->shape,     &t->q,       &t->next,
                             &t->part,  &t->pull, &t->internal, &t->factor, &t->stiffness, &t->of_part, &t->scratch};
  for (int i = 0; i < 14; ++i) {
    size_t most = tac_reduced_polynomial_scratch(t->parts->size);
    size_t count = i < 5 ? 3 * (size_t)t->parts->volume->vertex_count : i < 10 ? r : i < 13 ? r * r : most;
    *arrays[i] = tac_arrays_add(&t->arrays, count, sizeof **arrays[i]);
  }
  TAC_TRY(tac_arrays_status(&t->arrays, "a trial", error));
  return tac_finite_statics_copy(trial->full, &t->full, error);
}

static double dot(int count, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/* ---- the reduced body ---- */

/* Computes R(q) and K(q) with the materials of the bake. Returns the energy. */
static double evaluate(Room *t, const double *q) {
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

/* Computes x := K^-1 x. If K is not positive definite, a growing diagonal shift is added until K is positive
 * definite. */
static bool solve(Room *t, double *x) {
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

/* Solves R(q) = pull by Newton's method from the present q. Each step decreases the energy. Returns false if no
 * solution was found. */
static bool settle(Room *t) {
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
    double change[TAC_BODY_MOST_COORDINATES], share = 1.0, found = 0.0;
    memcpy(change, t->part, (size_t)r * sizeof *change);
    double slope = solve(t, change) ? dot(r, change, t->part) : -1.0;
    /* `near` is true if the energy change is below the rounding error of the energy. */
    bool falls = false, near = slope <= unseen * fabs(energy);
    for (int halving = 0; slope > 0.0 && !falls && halving < 30; ++halving, share *= 0.5) {
      for (int i = 0; i < r; ++i) t->next[i] = t->q[i] + share * change[i];
      found = evaluate(t, t->next);
      found -= dot(r, t->pull, t->next);
      falls = near || found <= energy - 1e-4 * share * slope;
    }
    if (!falls) return false;
    memcpy(t->q, t->next, (size_t)r * sizeof *t->q);
    energy = found;
  }
  return false;
}

/* Computes U q into `shape`. */
static void shape_of(const Room *t, const double *q) {
  int r = t->parts->size;
  for (size_t i = 0; i < 3 * (size_t)t->parts->volume->vertex_count; ++i)
    t->shape[i] = dot(r, t->parts->basis + i * (size_t)r, q);
}

static void pull_of(const Room *t, double scale) {
  size_t r = (size_t)t->parts->size;
  memset(t->pull, 0, r * sizeof *t->pull);
  for (size_t i = 0; i < 3 * (size_t)t->parts->volume->vertex_count; ++i)
    for (size_t j = 0; t->force[i] != 0.0 && j < r; ++j) t->pull[j] += scale * t->force[i] * t->parts->basis[i * r + j];
}

/* ---- trials ---- */

/* Returns |R| / |q| minus the square of the lowest frequency, at least 0, 1/s^2. If only the lowest mode moves, |R| /
 * |q| is the squared frequency of this mode. */
static double high_of(const Room *t, const double *q, const double *pull) {
  int r = t->parts->size;
  double lowest = 2.0 * M_PI * t->parts->info.reduced_least;
  return fmax(0.0, sqrt(dot(r, pull, pull) / dot(r, q, q)) - lowest * lowest);
}

/* Stores the results of a load: for the coordinates q, and for the coordinates `flat` of the geometrically linear
 * body. */
static void note(Trial *trial, int slot, int load, Room *t, const double *q, const double *flat, const double *truth) {
  int r = t->parts->size, at = slot * trial->loads.count + load;
  shape_of(t, q);
  trial->found[at] = true;
  trial->high[at] = high_of(t, q, t->pull);
  trial->work[at] = dot(r, q, t->pull) / t->parts->mass;
  trial->error[at] = tac_trial_loads_error(t->loads, 1.0, t->shape, truth);
  shape_of(t, flat);
  trial->flat_high[at] = high_of(t, flat, t->pull);
  trial->flat_speed[at] = sqrt(dot(r, flat, t->pull) / t->parts->mass);
  trial->flat_error[at] = tac_trial_loads_error(t->loads, 1.0, t->shape, truth);
}

/* Computes the coordinates of the geometrically linear body under 1 N. Returns false if no solution exists. */
static bool find_flat(Room *t, double *flat) {
  int r = t->parts->size;
  memset(t->q, 0, (size_t)r * sizeof *t->q);
  pull_of(t, 1.0);
  evaluate(t, t->q);
  memcpy(flat, t->pull, (size_t)r * sizeof *flat);
  return solve(t, flat) && dot(r, flat, flat) > 0.0;
}

/* Computes the reduced and the full solution for a load so small that both are linear. */
static tacStatus try_small(Trial *trial, int load, Room *t, tacError *error) {
  int r = t->parts->size;
  double flat[TAC_BODY_MOST_COORDINATES];
  if (!tac_trial_loads_force(t->loads, load, t->force)) return TAC_OK;
  TAC_TRY(tac_finite_statics_solve_linear(t->full, t->force, t->u, error));
  double gradient = tac_trial_loads_gradient(t->loads, t->u);
  if (!(gradient > 0.0) || !find_flat(t, flat)) return TAC_OK;
  double scale = 1e-6 / gradient;
  pull_of(t, scale);
  for (int i = 0; i < r; ++i) flat[i] *= scale;
  for (size_t i = 0; i < 3 * (size_t)t->parts->volume->vertex_count; ++i) t->truth[i] = scale * t->u[i];
  note(trial, 0, load, t, flat, flat, t->truth);
  trial->gradient[load] = gradient;
  return TAC_OK;
}

/* Sets the initial value of the full solution: the solution of the previous size plus U change. If this value inverts
 * an element, the solution of the previous size remains the initial value. */
static void start_full(Room *t, const double *change) {
  size_t numbers = 3 * (size_t)t->parts->volume->vertex_count;
  shape_of(t, change);
  for (size_t i = 0; i < numbers; ++i) t->u[i] = t->truth[i] + t->shape[i];
  if (tac_finite_strain_inverted(tac_finite_statics_strain(t->full), t->u) < 0)
    memcpy(t->truth, t->u, numbers * sizeof *t->truth);
}

/* Computes the reduced and the full solution for one load in increasing sizes. */
static tacStatus try_large(Trial *trial, int load, Room *t, tacError *error) {
  int sizes = load < trial->of_size[1] ? 2 : 1;
  int r = t->parts->size;
  size_t numbers = 3 * (size_t)t->parts->volume->vertex_count;
  double unit[TAC_BODY_MOST_COORDINATES], flat[TAC_BODY_MOST_COORDINATES], last[TAC_BODY_MOST_COORDINATES] = {0.0};
  if (!(trial->gradient[load] > 0.0)) return TAC_OK;
  tac_trial_loads_force(t->loads, load, t->force);
  find_flat(t, unit);
  memset(t->truth, 0, numbers * sizeof *t->truth);
  for (int s = 0; s < sizes; ++s) {
    double scale = gradients[s] / trial->gradient[load];
    pull_of(t, scale);
    if (!settle(t)) return TAC_OK;
    for (int i = 0; i < r; ++i) {
      flat[i] = scale * unit[i];
      last[i] = t->q[i] - last[i];
    }
    start_full(t, last);
    for (size_t i = 0; i < numbers; ++i) t->load[i] = scale * t->force[i];
    TAC_TRY(tac_finite_statics_solve(t->full, t->load, NULL, t->truth, NULL, error));
    note(trial, 1 + s, load, t, t->q, flat, t->truth);
    memcpy(last, t->q, (size_t)r * sizeof *last);
  }
  return TAC_OK;
}

static void fit(const Trial *t, tacReducedErrorEstimate *error_estimate) {
  const double *bent[2] = {t->high, t->work}, *straight[2] = {t->flat_high, t->flat_speed};
  double factor[2], linear[2];
  tac_trial_fit(t->count, 2, bent, t->error, factor);
  tac_trial_fit(t->count, 2, straight, t->flat_error, linear);
  if (t->count == t->small) return;
  *error_estimate = (tacReducedErrorEstimate){factor[0], factor[1], linear[1]};
}

static bool is_fatal(tacStatus status) {
  return status == TAC_ERR_MEMORY || status == TAC_ERR_CANCELLED;
}

/* Chooses the number of loads for each size from the cost of a Newton step. The loads of the second size are the first
 * loads of the first size. */
static void choose_loads(Trial *t) {
  double steps = most_cost / tac_finite_statics_step_cost(t->full);
  double first = fmax(LEAST_LOADS, floor(steps / (steps_of_size[0] + steps_of_size[1])));
  t->of_size[0] = (int)fmin(t->loads.count, first);
  t->of_size[1] = (int)fmin(t->of_size[0], fmax(0.0, (steps - steps_of_size[0] * t->of_size[0]) / steps_of_size[1]));
}

/* Calls `attempt` for the loads [begin, end). Loads without a full solution are skipped. */
static void try_some(size_t begin, size_t end, int thread, Trial *t,
                     tacStatus (*attempt)(Trial *t, int load, Room *room, tacError *error)) {
  Room *room = &t->rooms[thread];
  for (size_t l = begin; l < end && room->status == TAC_OK; ++l) {
    tacStatus status = enter_room(t, room, NULL);
    if (status == TAC_OK) status = attempt(t, (int)l, room, NULL);
    if (is_fatal(status)) room->status = status;
  }
}

static void try_small_ones(size_t begin, size_t end, int thread, void *context) {
  try_some(begin, end, thread, context, try_small);
}

static void try_large_ones(size_t begin, size_t end, int thread, void *context) {
  try_some(begin, end, thread, context, try_large);
}

/* Moves the results to the start of the arrays: first all small loads, then the larger sizes of each load. */
static void gather(Trial *t) {
  double *const arrays[] = {t->high, t->work, t->error, t->flat_high, t->flat_speed, t->flat_error};
  int loads = t->loads.count;
  for (int n = 0; n < loads * SLOTS; ++n) {
    int large = n - loads, at = n < loads ? n : (1 + large % SIZES) * loads + large / SIZES;
    if (!t->found[at]) continue;
    for (int a = 0; a < 6; ++a) t->gathered[6 * t->count + a] = arrays[a][at];
    t->small += n < loads;
    ++t->count;
  }
  for (int i = 0; i < t->count; ++i)
    for (int a = 0; a < 6; ++a) arrays[a][i] = t->gathered[6 * i + a];
}

static tacStatus try_loads(Trial *t, const tacProgress *progress, tacError *error) {
  static const char *const stage = "limits of the basis";
  choose_loads(t);
  size_t loads = (size_t)t->loads.count;
  TAC_TRY(tac_parallel_for(t->threads, loads, 1, try_small_ones, t, NULL, stage, error));
  TAC_TRY(tac_parallel_for(t->threads, (size_t)t->of_size[0], 1, try_large_ones, t, progress, stage, error));
  for (int i = 0; i < t->threads; ++i)
    if (t->rooms[i].status != TAC_OK) return tac_error_set(error, t->rooms[i].status, "out of memory in a trial");
  gather(t);
  tac_trial_loads_remark(stage, t->count - t->small, t->of_size[0] + t->of_size[1]);
  return TAC_OK;
}

/* Factors the stiffness of the undeformed body once. The copies of `full` in other threads use this factor. */
static tacStatus factor_rest(Trial *t, tacError *error) {
  size_t numbers = 3 * (size_t)t->parts->volume->vertex_count;
  TAC_MEMORY(double, none) = NULL;
  TAC_TRY(TAC_ARRAY(none, 2 * numbers, "a trial", error));
  return tac_finite_statics_solve_linear(t->full, none, none + numbers, error);
}

static tacStatus run_trial(Trial *t, const tacSolid *solid, int loads, const tacProgress *progress, tacError *error) {
  TAC_TRY(tac_finite_statics_create_rough(solid, accuracy, &t->full, error));
  TAC_TRY(make_rooms(loads, t, error));
  TAC_TRY(factor_rest(t, error));
  TAC_TRY(tac_trial_loads_create(t->parts->volume, solid->held, loads, &t->loads, error));
  return try_loads(t, progress, error);
}

tacStatus tac_reduced_error_estimate_measure(const tacReducedParts *parts, const tacSolid *solid, int loads,
                                             const tacProgress *progress, tacReducedErrorEstimate *error_estimate,
                                             tacError *error) {
  *error_estimate = (tacReducedErrorEstimate){0};
  if (solid->held == NULL || loads < 1 || parts->volume->vertex_count > MOST_VERTICES) return TAC_OK;
  TAC_FREED(free_trial, Trial, t) = {.parts = parts};
  tacStatus status = run_trial(&t, solid, loads, progress, error);
  if (status == TAC_OK) fit(&t, error_estimate);
  return is_fatal(status) ? status : TAC_OK;
}
