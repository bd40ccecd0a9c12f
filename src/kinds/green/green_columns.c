#include "kinds/green/green_columns.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/clock.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/threads/thread.h"
#include "elastic/reference/reference_problem.h"

enum {
  LEAST_SLOTS = 64,
  BATCH = 16,
  MOST_RETIRED = 16,
  POLL_NS = 5000000,
  GRACE = 100 /* number of polls, half a second, for which an unused response remains readable */,
  NONE = -1
};

typedef struct Slot {
  int vertex;       /* vertex of the stored response; NONE: free slot */
  uint32_t retired; /* value of `epoch` when the slot became free */
  float *zeta;
} Slot;

struct tacGreenColumns {
  tacArrays arrays;
  tacReferenceProblem *problem;
  const int *mask_first, *mask_vertex;
  const double *mask_density;
  int vertex_count, row_count, slot_count;
  atomic_int *slot_of;    /* [vertex] slot of the vertex, or NONE */
  atomic_uint *wanted_in; /* [vertex] value of `epoch` at the last query; 0: never queried */
  atomic_uint epoch;      /* number of polls of the thread, which are POLL_NS or more apart; starts at 2 GRACE */
  atomic_bool stopping;
  Slot *slots;
  /* `batch`: Green's functions of a few vertices. `sum`: one response. */
  double *batch, *sum;
  tacThread thread;
  bool started;
};

/* Returns a slot that has been free for GRACE polls, so that no thread still reads its response. If there is no such
 * slot, frees the least recently queried slot for later use, and returns NONE. */
static int take_slot(tacGreenColumns *c, uint32_t epoch) {
  int oldest = NONE;
  uint32_t oldest_wanted = epoch - GRACE;
  int retired = 0;
  for (int s = 0; s < c->slot_count; ++s) {
    if (c->slots[s].vertex == NONE) {
      if (epoch - c->slots[s].retired >= GRACE) return s;
      ++retired;
    } else {
      uint32_t wanted = atomic_load_explicit(&c->wanted_in[c->slots[s].vertex], memory_order_relaxed);
      if (wanted <= oldest_wanted) {
        oldest_wanted = wanted;
        oldest = s;
      }
    }
  }
  if (oldest != NONE && retired < MOST_RETIRED) {
    atomic_store_explicit(&c->slot_of[c->slots[oldest].vertex], NONE, memory_order_release);
    c->slots[oldest].vertex = NONE; /* `zeta` is not overwritten yet, since a thread may still read it */
    c->slots[oldest].retired = epoch;
  }
  return NONE;
}

/* Computes the response zeta = sum over j of rho_j xi_j for the mask of a vertex (James and Pai 2001, section
 * 6.2.1). */
static tacStatus compute(tacGreenColumns *c, int vertex, float *zeta, tacError *error) {
  const int *vertices = c->mask_vertex + c->mask_first[vertex];
  const double *density = c->mask_density + c->mask_first[vertex];
  int count = c->mask_first[vertex + 1] - c->mask_first[vertex];
  size_t size = 3 * (size_t)c->row_count;
  for (size_t r = 0; r < size; ++r) c->sum[r] = 0.0;
  for (int first = 0; first < count; first += BATCH) {
    int some = count - first < BATCH ? count - first : BATCH;
    TAC_TRY(tac_reference_problem_columns(c->problem, some, vertices + first, NULL, c->batch, error));
    for (int k = 0; k < some; ++k)
      for (size_t r = 0; r < size; ++r) c->sum[r] += density[first + k] * c->batch[(size_t)k * size + r];
  }
  for (size_t r = 0; r < size; ++r) {
    zeta[r] = (float)c->sum[r];
    if (!isfinite(zeta[r])) return tac_error_set(error, TAC_ERR_ARGUMENT, "it overflows");
  }
  return TAC_OK;
}

/* Returns the most recently queried vertex whose response is missing, or NONE. */
static int most_wanted(const tacGreenColumns *c, uint32_t epoch) {
  int best = NONE;
  uint32_t best_wanted = epoch - GRACE;
  for (int v = 0; v < c->vertex_count; ++v) {
    uint32_t wanted = atomic_load_explicit(&c->wanted_in[v], memory_order_relaxed);
    if (wanted > best_wanted && atomic_load_explicit(&c->slot_of[v], memory_order_relaxed) == NONE) {
      best_wanted = wanted;
      best = v;
    }
  }
  return best;
}

static void work(void *context) {
  tacGreenColumns *c = context;
  int64_t next = tac_clock_now();
  uint32_t epoch = atomic_load(&c->epoch);
  while (!atomic_load(&c->stopping)) {
    int64_t now = tac_clock_now();
    if (now >= next) {
      atomic_store(&c->epoch, ++epoch);
      next = now + POLL_NS;
    }
    int vertex = most_wanted(c, epoch), slot = vertex != NONE ? take_slot(c, epoch) : NONE;
    if (slot == NONE) {
      tac_clock_sleep_until(next);
      continue;
    }
    tacError error = {0};
    if (compute(c, vertex, c->slots[slot].zeta, &error) != TAC_OK) {
      tac_log(TAC_LOG_WARNING, "cannot compute the response of vertex %d: %s", vertex, error.text);
      return;
    }
    c->slots[slot].vertex = vertex;
    atomic_store_explicit(&c->slot_of[vertex], slot, memory_order_release);
  }
}

tacStatus tac_green_columns_create(tacReferenceProblem *problem, const int *first, const int *vertex,
                                   const double *density, size_t most_bytes, tacGreenColumns **columns,
                                   tacError *error) {
  *columns = NULL;
  TAC_OWN(tacGreenColumns, c) = NULL;
  TAC_TRY(TAC_ARRAY(c, 1, "responses on demand", error));
  c->problem = problem;
  c->mask_first = first;
  c->mask_vertex = vertex;
  c->mask_density = density;
  c->vertex_count = tac_reference_problem_surface(problem)->vertex_count;
  c->row_count = tac_reference_problem_row_count(problem);
  size_t size = 3 * (size_t)c->row_count, n = (size_t)c->vertex_count, slots = most_bytes / (size * sizeof(float));
  if (slots < LEAST_SLOTS) slots = LEAST_SLOTS;
  if (slots > n) slots = n;
  c->slot_count = (int)slots;
  c->slot_of = tac_arrays_add(&c->arrays, n, sizeof *c->slot_of);
  c->wanted_in = tac_arrays_add(&c->arrays, n, sizeof *c->wanted_in);
  c->slots = tac_arrays_add(&c->arrays, slots, sizeof *c->slots);
  c->batch = tac_arrays_add(&c->arrays, BATCH * size, sizeof *c->batch);
  c->sum = tac_arrays_add(&c->arrays, size, sizeof *c->sum);
  float *memory = tac_arrays_add(&c->arrays, slots * size, sizeof *memory);
  TAC_TRY(tac_arrays_status(&c->arrays, "responses on demand", error));
  for (size_t v = 0; v < n; ++v) atomic_init(&c->slot_of[v], NONE);
  for (size_t s = 0; s < slots; ++s) c->slots[s] = (Slot){.vertex = NONE, .zeta = memory + s * size};
  atomic_init(&c->epoch, 2 * GRACE);
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-columns";
  TAC_TRY(tac_thread_create(&def, work, c, &c->thread, error));
  c->started = true;
  *columns = tac_give(&c);
  return TAC_OK;
}

void tac_green_columns_destroy(tacGreenColumns *columns) {
  if (columns == NULL) return;
  atomic_store(&columns->stopping, true);
  if (columns->started) tac_thread_join(&columns->thread);
  tac_arrays_free(&columns->arrays);
  free(columns);
}

const float *tac_green_columns_find(tacGreenColumns *columns, int vertex) {
  uint32_t epoch = atomic_load_explicit(&columns->epoch, memory_order_relaxed);
  atomic_store_explicit(&columns->wanted_in[vertex], epoch, memory_order_relaxed);
  int slot = atomic_load_explicit(&columns->slot_of[vertex], memory_order_acquire);
  return slot != NONE ? columns->slots[slot].zeta : NULL;
}
