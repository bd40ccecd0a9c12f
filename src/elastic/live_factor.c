#include "elastic/live_factor.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "base/threads/thread.h"
#include "math/sparse/factor.h"

/* Who may touch the values, the idle factor and what came of it: the user, but for POSTED where there is a thread. */
typedef enum State { IDLE, POSTED, DONE, FAILED } State;

struct tacLiveFactor {
  tacArrays arrays;
  int size, most_columns, value_count;
  tacFactor *factor[2];
  int in_use;         /* which of them; the other one is being made */
  tacSupernodes l;    /* of the one in use */
  int *parent, *home; /* tac_supernodes_tree, of both */
  int *place;         /* [degree of freedom] -> its row of L */
  double *vector, *work;
  tacLiveFactorReport report;

  double *value; /* posted */
  int64_t tag;
  double seconds; /* that they took */
  _Atomic int state;

  bool has_thread;
  tacThread thread;
  sem_t wake;
  atomic_bool ending;

  /* Of tac_live_factor_columns: panels of TAC_PANEL columns, ordered so that neighbours share their paths. */
  int most_panels, column_count;
  double *y;     /* [panel][row][TAC_PANEL]; only the rows of supernodes on a panel's paths mean anything */
  bool *on_path; /* [supernode][panel] */
  int *order;    /* [place among the columns / 3] -> site */
};

/* ---- making and handing over ---- */

static void compute(tacLiveFactor *f) {
  int64_t begin = tac_clock_now();
  bool done = tac_factor_update(f->factor[1 - f->in_use], f->value, NULL) == TAC_OK;
  f->seconds = tac_clock_seconds(tac_clock_now() - begin);
  atomic_store_explicit(&f->state, done ? DONE : FAILED, memory_order_release);
}

static void run(void *context) {
  tacLiveFactor *f = context;
  while (!atomic_load(&f->ending)) {
    if (atomic_load_explicit(&f->state, memory_order_acquire) == POSTED) compute(f);
    while (sem_wait(&f->wake) != 0 && errno == EINTR) continue;
  }
}

tacStatus tac_live_factor_start(tacLiveFactor *f, tacError *error) {
  if (f->has_thread) return TAC_OK;
  if (sem_init(&f->wake, 0, 0) != 0)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "cannot create a semaphore for the factorization thread: %s",
                         strerror(errno));
  atomic_store(&f->ending, false);
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-factor";
  tacStatus status = tac_thread_create(&def, run, f, &f->thread, error);
  f->has_thread = status == TAC_OK;
  if (!f->has_thread) sem_destroy(&f->wake);
  return status;
}

void tac_live_factor_stop(tacLiveFactor *f) {
  if (!f->has_thread) return;
  atomic_store(&f->ending, true);
  sem_post(&f->wake);
  tac_thread_join(&f->thread);
  sem_destroy(&f->wake);
  f->has_thread = false;
}

tacStatus tac_live_factor_create(const tacSparse *lower, int most_columns, tacLiveFactor **factor, tacError *error) {
  *factor = NULL;
  if (lower->cols % 3 != 0 || most_columns < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a live factor of %d rows with %d columns at once is not possible; rows must be a multiple of "
                         "3 and columns 0 or more",
                         lower->cols, most_columns);
  TAC_OWN(tacLiveFactor, f) = tac_array_create(1, sizeof *f, "a live factor", error);
  if (f == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_factor_create_live(lower, &f->factor[0], error));
  TAC_TRY(tac_factor_copy(f->factor[0], &f->factor[1], error));
  f->size = lower->cols;
  f->value_count = tac_sparse_count(lower);
  f->most_columns = most_columns;
  f->most_panels = (most_columns + TAC_PANEL - 1) / TAC_PANEL;
  f->report.tag = -1;
  f->l = tac_factor_supernodes(f->factor[0]);
  size_t size = (size_t)f->size, panels = (size_t)f->most_panels, supernodes = (size_t)f->l.count;
  f->parent = tac_arrays_add(&f->arrays, supernodes, sizeof *f->parent);
  f->home = tac_arrays_add(&f->arrays, size, sizeof *f->home);
  f->place = tac_arrays_add(&f->arrays, size, sizeof *f->place);
  f->vector = tac_arrays_add(&f->arrays, size, sizeof *f->vector);
  f->work = tac_arrays_add(&f->arrays, (size_t)tac_supernodes_tallest(&f->l), sizeof *f->work);
  f->value = tac_arrays_add(&f->arrays, (size_t)f->value_count, sizeof *f->value);
  f->y = tac_arrays_add(&f->arrays, panels * size, TAC_PANEL * sizeof *f->y);
  f->on_path = tac_arrays_add(&f->arrays, panels * supernodes, sizeof *f->on_path);
  f->order = tac_arrays_add(&f->arrays, (size_t)most_columns, sizeof *f->order);
  TAC_TRY(tac_arrays_status(&f->arrays, "a live factor", error));
  tac_supernodes_tree(&f->l, f->parent, f->home);
  for (int k = 0; k < f->size; ++k) f->place[f->l.permutation[k]] = k;
  *factor = tac_give(&f);
  return TAC_OK;
}

void tac_live_factor_destroy(tacLiveFactor *f) {
  if (f == NULL) return;
  tac_live_factor_stop(f);
  tac_factor_destroy(f->factor[0]);
  tac_factor_destroy(f->factor[1]);
  tac_arrays_free(&f->arrays);
  free(f);
}

static State state_of(const tacLiveFactor *f) {
  return (State)atomic_load_explicit(&f->state, memory_order_acquire);
}

bool tac_live_factor_idle(const tacLiveFactor *f) {
  return state_of(f) == IDLE;
}

bool tac_live_factor_ready(const tacLiveFactor *f) {
  State state = state_of(f);
  return state == DONE || state == FAILED || (state == POSTED && !f->has_thread);
}

static void put(tacLiveFactor *f, const double *value, int64_t tag) {
  memcpy(f->value, value, (size_t)f->value_count * sizeof *value);
  f->tag = tag;
}

void tac_live_factor_post(tacLiveFactor *f, const double *value, int64_t tag) {
  if (state_of(f) != IDLE) return;
  put(f, value, tag);
  atomic_store_explicit(&f->state, POSTED, memory_order_release);
  if (f->has_thread) sem_post(&f->wake);
}

bool tac_live_factor_take(tacLiveFactor *f) {
  if (!tac_live_factor_ready(f)) return false;
  if (state_of(f) == POSTED) compute(f);
  bool done = state_of(f) == DONE;
  f->report.seconds = f->seconds;
  if (done) {
    f->in_use = 1 - f->in_use;
    f->l = tac_factor_supernodes(f->factor[f->in_use]);
    f->report.tag = f->tag;
    ++f->report.taken;
  } else {
    ++f->report.failed;
  }
  atomic_store_explicit(&f->state, IDLE, memory_order_relaxed);
  return done;
}

void tac_live_factor_drop(tacLiveFactor *f) {
  while (state_of(f) == POSTED && f->has_thread) tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 10000);
  atomic_store_explicit(&f->state, IDLE, memory_order_relaxed);
}

bool tac_live_factor_update(tacLiveFactor *f, const double *value, int64_t tag) {
  tac_live_factor_drop(f);
  put(f, value, tag);
  compute(f);
  return tac_live_factor_take(f);
}

tacLiveFactorReport tac_live_factor_report(const tacLiveFactor *f) {
  return f->report;
}

/* ---- solving ---- */

/* x of a node in L's order, turned back: R^T x. */
static void turn_back(const tacLiveFactor *f, const tacMat3 *turn, int node, const double x[3], double *to) {
  for (int i = 0; i < 3; ++i)
    to[f->place[3 * node + i]] =
        turn == NULL ? x[i] : turn[node].m[0][i] * x[0] + turn[node].m[1][i] * x[1] + turn[node].m[2][i] * x[2];
}

/* And forth: R x. */
static tacVec3 turn_forth(const tacLiveFactor *f, const tacMat3 *turn, int node) {
  const int *place = f->place + 3 * node;
  tacVec3 x = tac_vec3(f->vector[place[0]], f->vector[place[1]], f->vector[place[2]]);
  return turn == NULL ? x : tac_mat3_mul_vec(turn[node], x);
}

void tac_live_factor_solve(tacLiveFactor *f, const tacMat3 *turn, const double *b, double *x) {
  if (f->report.taken == 0) {
    memset(x, 0, (size_t)f->size * sizeof *x);
    return;
  }
  for (int node = 0; node < f->size / 3; ++node) turn_back(f, turn, node, b + 3 * node, f->vector);
  tac_supernodes_forward(&f->l, f->vector, f->work);
  tac_supernodes_backward(&f->l, f->vector, f->work);
  for (int node = 0; node < f->size / 3; ++node) {
    tacVec3 v = turn_forth(f, turn, node);
    x[3 * node] = v.x;
    x[3 * node + 1] = v.y;
    x[3 * node + 2] = v.z;
  }
}

/* ---- columns ---- */

static double *panel_of(const tacLiveFactor *f, int panel) {
  return f->y + (size_t)panel * (size_t)f->size * TAC_PANEL;
}

static bool *paths_of(const tacLiveFactor *f, int supernode) {
  return f->on_path + (size_t)supernode * (size_t)f->most_panels;
}

/* Sites in the order of the supernodes that they begin in, which is a postorder of the tree: neighbours share most of their paths. */
static void order_sites(tacLiveFactor *f, int count, const tacFactorSite *sites) {
  for (int i = 0; i < count; ++i) {
    int begin = sites[i].count > 0 ? f->place[3 * sites[i].node[0]] : 0, at = i;
    for (; at > 0; --at) {
      const tacFactorSite *before = &sites[f->order[at - 1]];
      if ((before->count > 0 ? f->place[3 * before->node[0]] : 0) <= begin) break;
      f->order[at] = f->order[at - 1];
    }
    f->order[at] = i;
  }
}

static void mark_paths(tacLiveFactor *f, int panels, const tacFactorSite *sites) {
  for (int s = 0; s < f->l.count; ++s) memset(paths_of(f, s), 0, (size_t)panels * sizeof *f->on_path);
  for (int column = 0; column < f->column_count; ++column) {
    const tacFactorSite *site = &sites[f->order[column / 3]];
    int panel = column / TAC_PANEL;
    for (int i = 0; i < 3 * site->count; ++i)
      for (int s = f->home[f->place[3 * site->node[i / 3] + i % 3]]; s >= 0 && !paths_of(f, s)[panel];
           s = f->parent[s]) {
        paths_of(f, s)[panel] = true;
        memset(panel_of(f, panel) + (size_t)f->l.first[s] * TAC_PANEL, 0,
               (size_t)(f->l.first[s + 1] - f->l.first[s]) * TAC_PANEL * sizeof *f->y);
      }
  }
}

/* P R^T H^T */
static void put_forces(tacLiveFactor *f, const tacMat3 *turn, const tacFactorSite *sites) {
  for (int column = 0; column < f->column_count; ++column) {
    const tacFactorSite *site = &sites[f->order[column / 3]];
    int axis = column % 3;
    double *y = panel_of(f, column / TAC_PANEL) + column % TAC_PANEL;
    for (int i = 0; i < site->count; ++i)
      for (int j = 0; j < 3; ++j) {
        double share = turn != NULL ? turn[site->node[i]].m[axis][j] : axis == j ? 1.0 : 0.0;
        y[(size_t)f->place[3 * site->node[i] + j] * TAC_PANEL] += site->weight[i] * share;
      }
  }
}

/* Y_a^T Y_b by the supernodes that both have on their paths; those that follow each other at once. */
static void multiply_panels(const tacLiveFactor *f, int a, int b, double sum[TAC_PANEL * TAC_PANEL]) {
  memset(sum, 0, TAC_PANEL * TAC_PANEL * sizeof *sum);
  for (int s = 0; s < f->l.count; ++s) {
    int begin = s;
    while (s < f->l.count && paths_of(f, s)[a] && paths_of(f, s)[b]) ++s;
    if (s == begin) continue;
    size_t offset = (size_t)f->l.first[begin] * TAC_PANEL;
    tac_panel_product(f->l.first[s] - f->l.first[begin], panel_of(f, a) + offset, panel_of(f, b) + offset, sum);
  }
}

void tac_live_factor_columns(tacLiveFactor *f, const tacMat3 *turn, int count, const tacFactorSite *sites, double *c) {
  int columns = f->column_count = 3 * count, panels = (columns + TAC_PANEL - 1) / TAC_PANEL;
  if (f->report.taken == 0) {
    memset(c, 0, (size_t)columns * (size_t)columns * sizeof *c);
    return;
  }
  order_sites(f, count, sites);
  mark_paths(f, panels, sites);
  put_forces(f, turn, sites);
  for (int s = 0; s < f->l.count; ++s)
    for (int p = 0; p < panels; ++p)
      if (paths_of(f, s)[p]) tac_supernodes_eliminate(&f->l, s, panel_of(f, p));
  for (int a = 0; a < columns; a += TAC_PANEL)
    for (int b = 0; b <= a; b += TAC_PANEL) {
      double sum[TAC_PANEL * TAC_PANEL];
      multiply_panels(f, a / TAC_PANEL, b / TAC_PANEL, sum);
      for (int i = a; i < a + TAC_PANEL && i < columns; ++i)
        for (int j = b; j < b + TAC_PANEL && j <= i; ++j) {
          size_t row = (size_t)(3 * f->order[i / 3] + i % 3), column = (size_t)(3 * f->order[j / 3] + j % 3);
          c[row * (size_t)columns + column] = c[column * (size_t)columns + row] = sum[(i - a) * TAC_PANEL + j - b];
        }
    }
}

void tac_live_factor_respond(tacLiveFactor *f, const tacMat3 *turn, int count, const double *force, double *x) {
  if (f->report.taken == 0) return;
  memset(f->vector, 0, (size_t)f->size * sizeof *f->vector);
  for (int p = 0; p * TAC_PANEL < 3 * count; ++p) {
    double share[TAC_PANEL] = {0.0};
    for (int i = 0; i < TAC_PANEL && p * TAC_PANEL + i < 3 * count; ++i) {
      int column = p * TAC_PANEL + i;
      share[i] = force[3 * f->order[column / 3] + column % 3];
    }
    for (int s = 0; s < f->l.count; ++s) {
      if (!paths_of(f, s)[p]) continue;
      for (int k = f->l.first[s]; k < f->l.first[s + 1]; ++k) {
        const double *y = panel_of(f, p) + (size_t)k * TAC_PANEL;
        f->vector[k] += ((y[0] * share[0] + y[1] * share[1]) + (y[2] * share[2] + y[3] * share[3])) +
                        ((y[4] * share[4] + y[5] * share[5]) + (y[6] * share[6] + y[7] * share[7]));
      }
    }
  }
  tac_supernodes_backward(&f->l, f->vector, f->work);
  for (int node = 0; node < f->size / 3; ++node) {
    tacVec3 v = turn_forth(f, turn, node);
    x[3 * node] += v.x;
    x[3 * node + 1] += v.y;
    x[3 * node + 2] += v.z;
  }
}
