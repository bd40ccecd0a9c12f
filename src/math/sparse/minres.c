#include "math/sparse/minres.h"

#include <math.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/dense/vector.h"

/* The scalars of one system. Lanczos in the product of P^-1 makes vectors v and z = P^-1 v with v^T z = gamma^2 (z is
 * then divided by gamma). Plane rotations (c, s) make its tridiagonal matrix triangular; x moves along the directions
 * w that belong to the columns of that triangle. */
typedef struct State {
  double gamma, gamma_before, delta; /* of the tridiagonal matrix */
  double scale;                      /* the largest square of an entry of that */
  double c, c_before, s, s_before;
  double eta, start; /* the residual now, with a sign, and at the start */
} State;

enum { V_BEFORE, V, A_Z, Z, Z_NEXT, W_BEFORE, W, X, VECTORS };

/* Systems still at work are at the places [0, active); where one is done, the last takes its place. */
typedef struct Work {
  const tacMinresDef *def;
  size_t size;
  int active;
  State *state;
  int *system;
  double *vector[VECTORS];
} Work;

static double *at(const Work *work, int which, int place) {
  return work->vector[which] + (size_t)place * work->size;
}

static void swap(Work *work, int a, int b) {
  double *vector = work->vector[a];
  work->vector[a] = work->vector[b];
  work->vector[b] = vector;
}

static tacStatus precondition(const Work *work, int from, int to, tacError *error) {
  if (work->def->precondition != NULL)
    return work->def->precondition(work->active, work->system, work->vector[from], work->vector[to], work->def->context,
                                   error);
  memcpy(work->vector[to], work->vector[from], (size_t)work->active * work->size * sizeof(double));
  return TAC_OK;
}

/* gamma = (v^T z)^1/2. What rounding makes of zero may be negative: next to the vectors' lengths, or next to `scale`,
 * since the vector after the last one that b can reach is nothing but rounding. */
static tacStatus measure(const Work *work, const double *v, const double *z, double scale, double *gamma,
                         tacError *error) {
  int n = work->def->size;
  double square = tac_vector_dot(n, v, z);
  if (!(square >= -1e-12 * tac_vector_norm(n, v) * tac_vector_norm(n, z)) && !(square >= -1e-16 * scale))
    return tac_error_set(error, TAC_ERR_SINGULAR, "MINRES: the preconditioner is not positive definite");
  *gamma = sqrt(fmax(square, 0.0));
  return TAC_OK;
}

static void finish(Work *work, int place, double *x) {
  int last = --work->active;
  memcpy(x + (size_t)work->system[place] * work->size, at(work, X, place), work->size * sizeof *x);
  if (place == last) return;
  for (int i = 0; i < VECTORS; ++i) memcpy(at(work, i, place), at(work, i, last), work->size * sizeof *x);
  work->state[place] = work->state[last];
  work->system[place] = work->system[last];
}

static tacStatus start(Work *work, const double *b, double *x, tacError *error) {
  work->active = work->def->count;
  for (int p = 0; p < work->active; ++p) work->system[p] = p;
  memcpy(work->vector[V], b, (size_t)work->active * work->size * sizeof *b);
  tacStatus status = precondition(work, V, Z, error);
  for (int p = work->active - 1; status == TAC_OK && p >= 0; --p) {
    State *state = &work->state[p];
    *state = (State){.gamma_before = 1.0, .c = 1.0, .c_before = 1.0};
    status = measure(work, at(work, V, p), at(work, Z, p), 0.0, &state->gamma, error);
    state->eta = state->start = state->gamma;
    if (status == TAC_OK && state->start == 0.0) finish(work, p, x);
  }
  return status;
}

/* One more Lanczos vector. */
static tacStatus extend(Work *work, tacError *error) {
  int n = work->def->size;
  for (int p = 0; p < work->active; ++p) tac_vector_scale(n, 1.0 / work->state[p].gamma, at(work, Z, p));
  TAC_TRY(work->def->apply(work->active, work->system, work->vector[Z], work->vector[A_Z], work->def->context, error));
  for (int p = 0; p < work->active; ++p) {
    State *state = &work->state[p];
    double *next = at(work, A_Z, p);
    state->delta = tac_vector_dot(n, next, at(work, Z, p));
    tac_vector_add(n, -state->delta / state->gamma, at(work, V, p), next);
    tac_vector_add(n, -state->gamma / state->gamma_before, at(work, V_BEFORE, p), next);
  }
  return precondition(work, A_Z, Z_NEXT, error);
}

/* The step of x that the new vector allows. */
static tacStatus advance(Work *work, int p, tacError *error) {
  int n = work->def->size;
  State *state = &work->state[p];
  double next = 0.0;
  state->scale = fmax(state->scale, state->delta * state->delta);
  TAC_TRY(measure(work, at(work, A_Z, p), at(work, Z_NEXT, p), state->scale, &next, error));
  state->scale = fmax(state->scale, next * next);
  double diagonal = state->c * state->delta - state->c_before * state->s * state->gamma;
  double above = state->s * state->delta + state->c_before * state->c * state->gamma;
  double above_that = state->s_before * state->gamma, length = hypot(diagonal, next);
  if (!(length > 0.0))
    return tac_error_set(error, TAC_ERR_NO_CONVERGENCE,
                         "MINRES: the system is singular and a right-hand side is not in its range");
  double *w = at(work, W_BEFORE, p); /* becomes the new one */
  tac_vector_scale(n, -above_that / length, w);
  tac_vector_add(n, -above / length, at(work, W, p), w);
  tac_vector_add(n, 1.0 / length, at(work, Z, p), w);
  state->c_before = state->c;
  state->s_before = state->s;
  state->c = diagonal / length;
  state->s = next / length;
  tac_vector_add(n, state->c * state->eta, w, at(work, X, p));
  state->eta *= -state->s;
  state->gamma_before = state->gamma;
  state->gamma = next;
  return TAC_OK;
}

static tacStatus iterate(Work *work, double *x, int *iterations, tacError *error) {
  while (work->active > 0 && *iterations < work->def->most) {
    TAC_TRY(extend(work, error));
    for (int p = 0; p < work->active; ++p) TAC_TRY(advance(work, p, error));
    ++*iterations;
    swap(work, V_BEFORE, V);
    swap(work, V, A_Z);
    swap(work, Z, Z_NEXT);
    swap(work, W_BEFORE, W);
    for (int p = work->active - 1; p >= 0; --p)
      if (fabs(work->state[p].eta) <= work->def->tolerance * work->state[p].start) finish(work, p, x);
  }
  double worst = 0.0;
  for (int p = 0; p < work->active; ++p) worst = fmax(worst, fabs(work->state[p].eta) / work->state[p].start);
  return work->active == 0 ? TAC_OK
                           : tac_error_set(error, TAC_ERR_NO_CONVERGENCE,
                                           "MINRES did not converge: the relative residual is %g after %d iterations",
                                           worst, *iterations);
}

tacStatus tac_minres_solve(const tacMinresDef *def, const double *b, double *x, int *iterations, tacError *error) {
  if (def->size < 0 || def->count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "MINRES cannot solve %d systems of size %d; both must be 0 or more",
                         def->count, def->size);
  Work work = {.def = def, .size = (size_t)def->size};
  int done = 0;
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  work.state = tac_arrays_add(&room, (size_t)def->count, sizeof *work.state);
  work.system = tac_arrays_add(&room, (size_t)def->count, sizeof *work.system);
  for (int i = 0; i < VECTORS; ++i)
    work.vector[i] = tac_arrays_add(&room, (size_t)def->count * work.size, sizeof(double));
  TAC_TRY(tac_arrays_status(&room, "minimal residuals", error));
  tacStatus status = start(&work, b, x, error);
  if (status == TAC_OK) status = iterate(&work, x, &done, error);
  if (iterations != NULL) *iterations = done;
  return status;
}
