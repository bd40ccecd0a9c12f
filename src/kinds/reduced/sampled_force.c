#include "kinds/reduced/sampled_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/dense/dense.h"
#include "math/dense/secants.h"
#include "math/dense/vector.h"

enum { PLACES = 7 }; /* largest number of recent steps whose secants correct a stiffness */

struct tacSampledForce {
  int count;              /* n, number of coordinates */
  tacSampledSolid *solid; /* sampled elements; NULL: R = K(0) q */
  bool sliced;
  double factor;
  double *rest;                 /* K(0), [n][n] */
  double *stiffness;            /* K in use without corrections, [n][n] */
  double *stiffness_q, *next_q; /* coordinates q of the K in use, and of the next K, [n] */
  /* Members for a sliced stiffness: q and R of recent steps, K corrected with them, and a flag. The flag is true if the
   * present step was already added. */
  tacSecants secants;
  double *corrected;
  bool begun;
  int since;             /* number of steps added to `secants` since the sum of the next stiffness started */
  double *last_q, *last; /* last q and R of the solid, [n] */
  tacArrays arrays;
};

static size_t entries(const tacSampledForce *f) {
  return (size_t)f->count * (size_t)f->count;
}

tacStatus tac_sampled_force_create(const tacCoordinateForceDef *def, int size, int kept, tacSampledForce **force,
                                   tacError *error) {
  *force = NULL;
  if (def->sampled != NULL && def->sampled->size != size)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the sampled elements have %d coordinates, but the body has %d",
                         def->sampled->size, size);
  TAC_OWN(tacSampledForce, f) = tac_array_create(1, sizeof *f, "internal force", error);
  if (f == NULL) return TAC_ERR_MEMORY;
  size_t n = (size_t)kept;
  f->count = kept;
  f->factor = 1.0;
  double **const matrices[] = {&f->rest, &f->stiffness, &f->corrected};
  for (int i = 0; i < 3; ++i) *matrices[i] = tac_arrays_add(&f->arrays, n * n, sizeof **matrices[i]);
  double **const vectors[] = {&f->stiffness_q, &f->next_q, &f->last_q, &f->last};
  for (int i = 0; i < 4; ++i) *vectors[i] = tac_arrays_add(&f->arrays, n, sizeof **vectors[i]);
  TAC_TRY(tac_arrays_status(&f->arrays, "internal force", error));
  if (def->sampled != NULL) {
    TAC_TRY(tac_sampled_solid_create(def->sampled, kept, &f->solid, error));
    f->sliced = tac_sampled_solid_slices(f->solid) > 1;
    TAC_TRY(tac_secants_create(kept, PLACES, &f->secants, error));
    tac_sampled_solid_stiffness(f->solid, f->next_q, f->rest);
    tac_sampled_solid_force(f->solid, f->last_q, f->last);
  } else {
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) f->rest[i * n + j] = def->stiffness[i * (size_t)size + j];
  }
  for (size_t i = 0; i < n * n; ++i)
    if (!isfinite(f->rest[i]) ||
        !(fabs(f->rest[i] - f->rest[i % n * n + i / n]) <= 1e-9 * fabs(f->rest[i / n * (n + 1)])))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the stiffness of a reduced body is not finite and symmetric");
  memcpy(f->stiffness, f->rest, n * n * sizeof *f->rest);
  memcpy(f->corrected, f->rest, n * n * sizeof *f->rest);
  *force = tac_give(&f);
  return TAC_OK;
}

void tac_sampled_force_destroy(tacSampledForce *force) {
  if (force == NULL) return;
  tac_sampled_solid_destroy(force->solid);
  tac_secants_destroy(&force->secants);
  tac_arrays_free(&force->arrays);
  free(force);
}

static void copy(const tacSampledForce *f, const double *from, double *to) {
  memcpy(to, from, (size_t)f->count * sizeof *to);
}

/* ---- force ---- */

/* Computes the force of the solid at q into `last`. The last force is reused if q is unchanged, which is usual at the
 * start of a step. */
static void find_force(tacSampledForce *f, const double *q) {
  if (memcmp(q, f->last_q, (size_t)f->count * sizeof *q) == 0) return;
  tac_sampled_solid_force(f->solid, q, f->last);
  copy(f, q, f->last_q);
}

/* Returns K at q. A sliced stiffness is approximate. */
static const double *find_stiffness(tacSampledForce *f, const double *q) {
  if (!f->sliced) {
    tac_sampled_solid_stiffness(f->solid, q, f->stiffness);
    return f->stiffness;
  }
  if (!f->begun) { /* the first call in a step is made at the q of the body */
    if (tac_secants_add(&f->secants, q, f->last) && f->since < PLACES) ++f->since;
    memcpy(f->corrected, f->stiffness, entries(f) * sizeof *f->corrected);
    tac_secants_correct(&f->secants, f->corrected);
    f->begun = true;
  }
  return f->corrected;
}

static void evaluate(void *self, bool linear, const double *q, double *force, double *stiffness) {
  tacSampledForce *f = self;
  int n = f->count;
  const double *k = f->rest;
  if (linear || f->solid == NULL) {
    tac_dense_loop_gemv(&(tacDense){n, n, n, f->rest}, q, force);
  } else {
    find_force(f, q);
    copy(f, f->last, force);
    if (stiffness != NULL) k = find_stiffness(f, q);
  }
  tac_vector_scale(n, f->factor, force);
  for (size_t i = 0; stiffness != NULL && i < entries(f); ++i) stiffness[i] = f->factor * k[i];
}

static double energy(void *self, bool linear, const double *q) {
  const tacSampledForce *f = self;
  if (!linear && f->solid != NULL) return f->factor * tac_sampled_solid_energy(f->solid, q);
  double sum = 0.0;
  for (int i = 0; i < f->count; ++i) sum += q[i] * tac_vector_dot(f->count, f->rest + (size_t)i * (size_t)f->count, q);
  return 0.5 * f->factor * sum;
}

tacCoordinateForce tac_sampled_force(tacSampledForce *force) {
  return (tacCoordinateForce){.self = force, .evaluate = evaluate, .energy = energy, .quartic = force->solid == NULL};
}

void tac_sampled_force_set_factor(tacSampledForce *force, double factor) {
  if (factor > 0.0 && isfinite(factor)) force->factor = factor;
}

/* ---- the stiffness in use ---- */

void tac_sampled_force_advance(tacSampledForce *force, const double *q) {
  if (!force->sliced) return;
  force->begun = false;
  if (tac_sampled_solid_slice_at(force->solid, force->next_q) == 0) {
    copy(force, q, force->next_q);
    force->since = 0;
  }
  if (!tac_sampled_solid_stiffness_slice(force->solid, q, force->stiffness)) return;
  copy(force, force->next_q, force->stiffness_q);
  tac_secants_keep(&force->secants, force->since); /* older steps are part of the new stiffness */
}

static void take(tacSampledForce *f, const double *q) {
  bool at_rest = true;
  for (int i = 0; i < f->count; ++i) at_rest = at_rest && q[i] == 0.0;
  if (at_rest)
    memcpy(f->stiffness, f->rest, entries(f) * sizeof *f->rest);
  else
    tac_sampled_solid_stiffness(f->solid, q, f->stiffness);
  copy(f, q, f->stiffness_q);
}

void tac_sampled_force_settle(tacSampledForce *force, const double *q) {
  if (!force->sliced) return;
  take(force, q);
  tac_sampled_solid_slice_set(force->solid, 0, q);
  force->secants.count = force->since = 0;
}

/* The state consists of q of the stiffness in use, q of the next stiffness, and q of each correcting step. Then follow
 * three counts: finished slices, correcting steps, and steps since the sum of the next stiffness started. */
int tac_sampled_force_state_size(const tacSampledForce *force) {
  return force->sliced ? (2 + PLACES) * force->count + 3 : 0;
}

void tac_sampled_force_save(const tacSampledForce *force, double *state) {
  if (!force->sliced) return;
  size_t n = (size_t)force->count, places = (size_t)force->secants.count;
  double *end = state + (2 + PLACES) * n;
  memset(state, 0, (2 + PLACES) * n * sizeof *state);
  copy(force, force->stiffness_q, state);
  end[0] = tac_sampled_solid_slice_at(force->solid, state + n);
  end[1] = force->secants.count;
  end[2] = force->since;
  memcpy(state + 2 * n, force->secants.q, places * n * sizeof *state);
}

bool tac_sampled_force_is_state(const tacSampledForce *force, double most, const double *state) {
  if (!force->sliced) return true;
  size_t n = (size_t)force->count;
  const double *end = state + (2 + PLACES) * n;
  for (const double *at = state; at < end; ++at)
    if (!(fabs(*at) <= most)) return false;
  return end[0] >= 0.0 && end[0] < tac_sampled_solid_slices(force->solid) && end[1] >= 0.0 && end[1] <= PLACES &&
         end[2] >= 0.0 && end[2] <= PLACES;
}

void tac_sampled_force_load(tacSampledForce *force, const double *state) {
  if (!force->sliced) return;
  size_t n = (size_t)force->count;
  const double *end = state + (2 + PLACES) * n;
  take(force, state);
  tac_sampled_solid_slice_set(force->solid, (int)end[0], state + n);
  force->secants.count = 0;
  force->since = (int)end[2];
  for (int p = 0; p < (int)end[1]; ++p) {
    find_force(force, state + (2 + (size_t)p) * n);
    tac_secants_add(&force->secants, force->last_q, force->last);
  }
}
