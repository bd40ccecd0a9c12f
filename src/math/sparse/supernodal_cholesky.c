#include "math/sparse/supernodal_cholesky.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "math/dense/dense_product.h"
#include "math/dense/vector.h"

enum {
  STRIP = 96,      /* rows of a supernode that a thread updates at a time */
  PANEL = 48,      /* columns that are eliminated before the others follow */
  TILE = 192,      /* rows and columns of what follows */
  SPAN = 1 << 16,  /* numbers that are copied at a time */
  FLOPS = 1 << 20, /* fewer operations are left to the calling thread */
  NODES = 4        /* small supernodes that a thread takes at a time */
};

/* Rows [begin, end) of supernode `by` are columns of the one that it acts on. */
typedef struct Run {
  int by, begin, end;
} Run;

typedef struct Strip {
  int supernode, begin, end; /* rows */
} Strip;

struct tacSupernodalPlan {
  atomic_int users;
  int levels, widest;
  size_t entries;
  int *target;      /* [entry of A] -> its place in L; -1 above the diagonal */
  int *run_start;   /* [count + 1] */
  Run *runs;        /* on each supernode, ascending */
  int *level_start; /* [levels + 1] */
  int *node;        /* supernodes by their level: those of one level do not act on each other */
  int *strip_start; /* [levels + 1] */
  Strip *strips;    /* of the supernodes of a level */
  double *flops;    /* [levels], of updates */
  tacSupernodalShares *shares;
};

/* ---- plan ---- */

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void find_targets(const tacSupernodes *l, const int *column_start, const int *row, const int *home,
                         const int *place, int *target) {
  for (int j = 0; j < l->size; ++j)
    for (int p = column_start[j]; p < column_start[j + 1]; ++p) {
      target[p] = -1;
      if (row[p] < j) continue;
      int a = place[j], b = place[row[p]], column = a < b ? a : b, at = a < b ? b : a, s = home[column];
      const int *rows = l->row + l->row_start[s];
      const int *found = bsearch(&at, rows, (size_t)tac_supernodes_high(l, s), sizeof at, compare);
      target[p] = l->value_start[s] + (column - l->first[s]) * tac_supernodes_high(l, s) + (int)(found - rows);
    }
}

/* Adds the runs of all supernodes to the lists of those that they act on; `runs` NULL: only counts them. */
static void list_runs(const tacSupernodes *l, const int *home, int *at, Run *runs) {
  for (int s = 0; s < l->count; ++s) {
    const int *row = l->row + l->row_start[s];
    for (int i = tac_supernodes_width(l, s), end; i < tac_supernodes_high(l, s); i = end) {
      int on = home[row[i]];
      for (end = i + 1; end < tac_supernodes_high(l, s) && home[row[end]] == on;) ++end;
      if (runs != NULL) runs[at[on]] = (Run){s, i, end};
      ++at[on];
    }
  }
}

/* Sums of counts[0 .. count) before each, and all in starts[count]. */
static void add_up(int count, const int *counts, int *starts) {
  starts[0] = 0;
  for (int i = 0; i < count; ++i) starts[i + 1] = starts[i] + counts[i];
}

static void find_levels(const tacSupernodes *l, tacSupernodalPlan *plan, int *level) {
  for (int s = 0; s < l->count; ++s) {
    level[s] = 0;
    for (int r = plan->run_start[s]; r < plan->run_start[s + 1]; ++r)
      if (level[plan->runs[r].by] >= level[s]) level[s] = level[plan->runs[r].by] + 1;
    if (level[s] >= plan->levels) plan->levels = level[s] + 1;
    if (tac_supernodes_width(l, s) > plan->widest) plan->widest = tac_supernodes_width(l, s);
  }
}

static void add_strips(const tacSupernodes *l, tacSupernodalPlan *plan, int level, int s, int *strips) {
  if (plan->run_start[s] == plan->run_start[s + 1]) return;
  for (int begin = 0, high = tac_supernodes_high(l, s); begin < high; begin += STRIP)
    plan->strips[(*strips)++] = (Strip){s, begin, begin + STRIP < high ? begin + STRIP : high};
  for (int r = plan->run_start[s]; r < plan->run_start[s + 1]; ++r) {
    const Run *run = &plan->runs[r];
    plan->flops[level] += 2.0 * tac_supernodes_width(l, run->by) * (run->end - run->begin) *
                          (tac_supernodes_high(l, run->by) - run->begin);
  }
}

static void sort_levels(const tacSupernodes *l, tacSupernodalPlan *plan, const int *level, int *at) {
  memset(at, 0, (size_t)plan->levels * sizeof *at);
  for (int s = 0; s < l->count; ++s) ++at[level[s]];
  add_up(plan->levels, at, plan->level_start);
  memcpy(at, plan->level_start, (size_t)plan->levels * sizeof *at);
  for (int s = 0; s < l->count; ++s) plan->node[at[level[s]]++] = s;
  for (int n = 0, strips = 0; n < plan->levels; ++n) {
    for (int i = plan->level_start[n]; i < plan->level_start[n + 1]; ++i)
      add_strips(l, plan, n, plan->node[i], &strips);
    plan->strip_start[n + 1] = strips;
  }
}

static const char what[] = "a sparse factor";

/* `work`: 2 (size + count) numbers. */
static tacStatus fill(tacSupernodalPlan *plan, const tacSupernodes *l, const int *column_start, const int *row,
                      int *work, tacError *error) {
  size_t count = (size_t)l->count, strips = 0;
  int *home = work, *place = home + l->size, *level = place + l->size, *at = level + l->count;
  for (int s = 0; s < l->count; ++s) {
    for (int k = l->first[s]; k < l->first[s + 1]; ++k) home[k] = s;
    strips += ((size_t)tac_supernodes_high(l, s) + STRIP - 1) / STRIP;
  }
  for (int k = 0; k < l->size; ++k) place[l->permutation[k]] = k;
  plan->entries = (size_t)column_start[l->size];
  plan->target = tac_array_create(plan->entries, sizeof *plan->target, what, error);
  plan->run_start = tac_array_create(count + 1, sizeof *plan->run_start, what, error);
  plan->node = tac_array_create(count, sizeof *plan->node, what, error);
  plan->strips = tac_array_create(strips, sizeof *plan->strips, what, error);
  if (plan->target == NULL || plan->run_start == NULL || plan->node == NULL || plan->strips == NULL)
    return TAC_ERR_MEMORY;
  find_targets(l, column_start, row, home, place, plan->target);
  memset(at, 0, count * sizeof *at);
  list_runs(l, home, at, NULL);
  add_up(l->count, at, plan->run_start);
  plan->runs = tac_array_create((size_t)plan->run_start[count], sizeof *plan->runs, what, error);
  if (plan->runs == NULL) return TAC_ERR_MEMORY;
  memcpy(at, plan->run_start, count * sizeof *at);
  list_runs(l, home, at, plan->runs);
  find_levels(l, plan, level);
  plan->level_start = tac_array_create((size_t)plan->levels + 1, sizeof *plan->level_start, what, error);
  plan->strip_start = tac_array_create((size_t)plan->levels + 1, sizeof *plan->strip_start, what, error);
  plan->flops = tac_array_create((size_t)plan->levels, sizeof *plan->flops, what, error);
  if (plan->level_start == NULL || plan->strip_start == NULL || plan->flops == NULL) return TAC_ERR_MEMORY;
  sort_levels(l, plan, level, at);
  return tac_supernodal_shares_create(l, &plan->shares, error);
}

tacStatus tac_supernodal_plan_create(const tacSupernodes *l, const int *column_start, const int *row,
                                     tacSupernodalPlan **plan, tacError *error) {
  tacSupernodalPlan *made = tac_array_create(1, sizeof *made, what, error);
  int *work = tac_array_create(2 * ((size_t)l->size + (size_t)l->count), sizeof *work, what, error);
  tacStatus status = made == NULL || work == NULL ? TAC_ERR_MEMORY : TAC_OK;
  if (made != NULL) atomic_init(&made->users, 1);
  if (status == TAC_OK) status = fill(made, l, column_start, row, work, error);
  free(work);
  if (status != TAC_OK) {
    tac_supernodal_plan_release(made);
    made = NULL;
  }
  *plan = made;
  return status;
}

tacSupernodalPlan *tac_supernodal_plan_share(tacSupernodalPlan *plan) {
  if (plan != NULL) atomic_fetch_add(&plan->users, 1);
  return plan;
}

const tacSupernodalShares *tac_supernodal_plan_shares(const tacSupernodalPlan *plan) {
  return plan->shares;
}

void tac_supernodal_plan_release(tacSupernodalPlan *plan) {
  if (plan == NULL || atomic_fetch_sub(&plan->users, 1) > 1) return;
  free(plan->target);
  free(plan->run_start);
  free(plan->runs);
  free(plan->level_start);
  free(plan->node);
  free(plan->strip_start);
  free(plan->strips);
  free(plan->flops);
  tac_supernodal_shares_destroy(plan->shares);
  free(plan);
}

/* ---- numbers ---- */

typedef struct Room {
  int *row_in;     /* [size]: row -> row of the supernode, where it is in the strip */
  double *product; /* [STRIP][widest] */
} Room;

typedef struct Work {
  const tacSupernodalPlan *plan;
  const tacSupernodes *l;
  const double *value;
  double *to;
  size_t numbers; /* of L */
  int level;
  Room *rooms;        /* [threads] */
  _Atomic int column; /* that is not positive; INT_MAX: none */
} Work;

/* On several threads where there is enough to do. */
static tacStatus spread(double flops, size_t count, size_t grain, tacParallelFn function, void *context,
                        tacError *error) {
  if (flops >= FLOPS) return tac_parallel_for(0, count, grain, function, context, NULL, what, error);
  function(0, count, 0, context);
  return TAC_OK;
}

static void clear(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Work *w = context;
  memset(w->to + begin, 0, (end - begin) * sizeof *w->to);
}

static void scatter(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Work *w = context;
  for (size_t p = begin; p < end; ++p)
    if (w->plan->target[p] >= 0) w->to[w->plan->target[p]] = w->value[p];
}

static tacDenseView view(const double *a, int stride) {
  return (tacDenseView){a, 1, (size_t)stride};
}

static tacDenseView transposed(const double *a, int stride) {
  return (tacDenseView){a, (size_t)stride, 1};
}

/* The first of the ascending rows [begin, end) that is at least `least`. */
static int first_row(const int *row, int begin, int end, int least) {
  while (begin < end) {
    int middle = begin + (end - begin) / 2;
    if (row[middle] < least)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/* Takes out of a strip what a run's supernode does to it. */
static void take_out(const Work *w, const Strip *strip, const Run *run, const Room *room) {
  const tacSupernodes *l = w->l;
  int s = strip->supernode, by = run->by, high = tac_supernodes_high(l, by), cols = run->end - run->begin;
  const int *own = l->row + l->row_start[s], *row = l->row + l->row_start[by];
  int begin = first_row(row, run->begin, high, own[strip->begin]);
  int end = first_row(row, begin, high, own[strip->end - 1] + 1), rows = end - begin;
  if (rows == 0) return;
  const double *from = w->to + l->value_start[by];
  memset(room->product, 0, (size_t)rows * (size_t)cols * sizeof *room->product);
  tac_dense_product(rows, cols, tac_supernodes_width(l, by), 1.0, view(from + begin, high),
                    transposed(from + run->begin, high), room->product, (size_t)rows);
  for (int j = 0; j < cols; ++j) {
    int column = row[run->begin + j] - l->first[s];
    double *to = w->to + l->value_start[s] + (size_t)column * (size_t)tac_supernodes_high(l, s);
    const double *of = room->product + (size_t)j * (size_t)rows;
    for (int i = begin > run->begin + j ? 0 : run->begin + j - begin; i < rows; ++i)
      to[room->row_in[row[begin + i]]] -= of[i];
  }
}

static void update_strips(size_t begin, size_t end, int thread, void *context) {
  const Work *w = context;
  const tacSupernodalPlan *plan = w->plan;
  for (size_t i = begin; i < end; ++i) {
    const Strip *strip = &plan->strips[(size_t)plan->strip_start[w->level] + i];
    const Room *room = &w->rooms[thread];
    int s = strip->supernode;
    for (int r = strip->begin; r < strip->end; ++r) room->row_in[w->l->row[w->l->row_start[s] + r]] = r;
    for (int r = plan->run_start[s]; r < plan->run_start[s + 1]; ++r) take_out(w, strip, &plan->runs[r], room);
  }
}

/* A supernode that is eliminated, panel by panel. */
typedef struct Block {
  double *a;
  int high, width, begin, end; /* of the panel */
} Block;

/* Cholesky's factor of the panel's top. -1, or the column that is not positive. */
static int factor_top(const Block *b) {
  size_t stride = (size_t)b->high;
  for (int k = b->begin; k < b->end; ++k) {
    double *column = b->a + (size_t)k * stride;
    if (!(column[k] > 0.0 && column[k] < INFINITY)) return k;
    column[k] = sqrt(column[k]);
    for (int i = k + 1; i < b->end; ++i) column[i] /= column[k];
    for (int j = k + 1; j < b->end; ++j)
      tac_vector_add(b->end - j, -column[j], column + j, b->a + (size_t)j * stride + j);
  }
  return -1;
}

/* What is below the panel's top times its inverse, transposed: by strips of rows. */
static void solve_strips(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Block *b = context;
  size_t stride = (size_t)b->high;
  for (size_t n = begin; n < end; ++n) {
    int row = b->end + (int)n * STRIP, rows = b->high - row < STRIP ? b->high - row : STRIP;
    for (int k = b->begin; k < b->end; ++k) {
      double *x = b->a + (size_t)k * stride + row;
      for (int j = b->begin; j < k; ++j)
        tac_vector_add(rows, -b->a[(size_t)j * stride + (size_t)k], b->a + (size_t)j * stride + row, x);
      tac_vector_scale(rows, 1.0 / b->a[(size_t)k * stride + (size_t)k], x);
    }
  }
}

/* Columns after the panel less what it does to them: by tiles, of which those above the diagonal are left out. */
static void follow_tiles(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Block *b = context;
  size_t stride = (size_t)b->high;
  int across = (b->width - b->end + TILE - 1) / TILE;
  for (size_t n = begin; n < end; ++n) {
    int row = b->end + (int)(n / (size_t)across) * TILE, column = b->end + (int)(n % (size_t)across) * TILE;
    int rows = b->high - row < TILE ? b->high - row : TILE, cols = b->width - column < TILE ? b->width - column : TILE;
    if (row < column) continue;
    const double *panel = b->a + (size_t)b->begin * stride;
    tac_dense_product(rows, cols, b->end - b->begin, -1.0, view(panel + row, b->high),
                      transposed(panel + column, b->high), b->a + (size_t)column * stride + row, stride);
  }
}

/* -1, or the column that is not positive. */
static int eliminate(double *a, int high, int width) {
  Block b = {.a = a, .high = high, .width = width};
  for (b.begin = 0; b.begin < width; b.begin = b.end) {
    b.end = b.begin + PANEL < width ? b.begin + PANEL : width;
    int bad = factor_top(&b);
    if (bad >= 0) return bad;
    double below = high - b.end, depth = b.end - b.begin, after = width - b.end;
    size_t strips = (size_t)((high - b.end + STRIP - 1) / STRIP);
    size_t tiles = (size_t)((high - b.end + TILE - 1) / TILE) * (size_t)((width - b.end + TILE - 1) / TILE);
    if (spread(below * depth * depth, strips, 1, solve_strips, &b, NULL) != TAC_OK ||
        spread(2.0 * below * after * depth, tiles, 1, follow_tiles, &b, NULL) != TAC_OK)
      return b.begin;
  }
  return -1;
}

static void eliminate_nodes(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Work *w = context;
  for (size_t i = begin; i < end; ++i) {
    int s = w->plan->node[(size_t)w->plan->level_start[w->level] + i];
    int bad = eliminate(w->to + w->l->value_start[s], tac_supernodes_high(w->l, s), tac_supernodes_width(w->l, s));
    if (bad < 0) continue;
    int column = w->l->first[s] + bad, least = atomic_load(&w->column);
    while (column < least && !atomic_compare_exchange_weak(&w->column, &least, column)) continue;
  }
}

static double flops_to_eliminate(const Work *w) {
  double flops = 0.0;
  for (int i = w->plan->level_start[w->level]; i < w->plan->level_start[w->level + 1]; ++i) {
    double width = tac_supernodes_width(w->l, w->plan->node[i]);
    flops += width * width * tac_supernodes_high(w->l, w->plan->node[i]);
  }
  return flops;
}

static tacStatus compute(Work *w, tacError *error) {
  const tacSupernodalPlan *plan = w->plan;
  tacStatus status = tac_parallel_for(0, w->numbers, SPAN, clear, w, NULL, what, error);
  if (status == TAC_OK) status = tac_parallel_for(0, plan->entries, SPAN, scatter, w, NULL, what, error);
  for (w->level = 0; status == TAC_OK && w->level < plan->levels && atomic_load(&w->column) == INT_MAX; ++w->level) {
    size_t strips = (size_t)(plan->strip_start[w->level + 1] - plan->strip_start[w->level]);
    size_t nodes = (size_t)(plan->level_start[w->level + 1] - plan->level_start[w->level]);
    size_t strip_grain = strips > 64 * NODES ? NODES : 1, node_grain = nodes > 64 * NODES ? NODES : 1;
    status = spread(plan->flops[w->level], strips, strip_grain, update_strips, w, error);
    if (status == TAC_OK) status = spread(flops_to_eliminate(w), nodes, node_grain, eliminate_nodes, w, error);
  }
  return status;
}

tacStatus tac_supernodal_cholesky(const tacSupernodalPlan *plan, const tacSupernodes *l, const double *value,
                                  double *to, int *column, tacError *error) {
  int threads = tac_parallel_core_count();
  Work w = {.plan = plan, .l = l, .value = value, .to = to, .numbers = (size_t)l->value_start[l->count]};
  atomic_init(&w.column, INT_MAX);
  w.rooms = tac_array_create((size_t)threads, sizeof *w.rooms, what, error);
  tacStatus status = w.rooms != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int t = 0; status == TAC_OK && t < threads; ++t) {
    w.rooms[t].row_in = tac_array_create((size_t)l->size, sizeof *w.rooms[t].row_in, what, error);
    w.rooms[t].product = tac_array_create(STRIP * (size_t)plan->widest, sizeof *w.rooms[t].product, what, error);
    if (w.rooms[t].row_in == NULL || w.rooms[t].product == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) status = compute(&w, error);
  for (int t = 0; w.rooms != NULL && t < threads; ++t) {
    free(w.rooms[t].row_in);
    free(w.rooms[t].product);
  }
  free(w.rooms);
  int bad = atomic_load(&w.column);
  *column = bad < INT_MAX ? bad : -1;
  return status;
}
