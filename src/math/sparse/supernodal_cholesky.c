#include "math/sparse/supernodal_cholesky.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/dense/dense_product.h"
#include "math/dense/vector.h"

enum {
  PANEL = 48,      /* columns that are eliminated before the others follow, */
  NARROW = 8,      /* so many of them one by one */
  TILE = 192,      /* rows and columns of what follows */
  SPAN = 1 << 16,  /* numbers that are copied at a time */
  FLOPS = 1 << 20, /* fewer operations are left to the calling thread */
  NODES = 4        /* small supernodes that a thread takes at a time */
};

static const char what[] = "a sparse factor";

typedef struct Room {
  int *row_in;     /* [size]: row -> row of the supernode, where it is in the strip */
  double *product; /* [TAC_STRIP][widest] */
} Room;

typedef struct Work {
  const tacSupernodalPlan *plan;
  tacSupernodes l; /* its values are `to` */
  const double *value;
  double *to;
  bool alone;
  int level;
  Room *rooms;        /* [threads] */
  _Atomic int column; /* that is not positive; INT_MAX: none */
} Work;

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

/* C += alpha A B^T, of which the first `cols` rows are wanted on and below the diagonal only. `a` and `b` are parts of one
 * matrix, whose columns are `from_stride` apart. */
static void add_product_below(int rows, int cols, int depth, double alpha, const double *a, const double *b,
                              int from_stride, double *c, size_t stride) {
  tac_dense_product_lower(cols, depth, alpha, view(a, from_stride), transposed(b, from_stride), c, stride);
  tac_dense_product(rows - cols, cols, depth, alpha, view(a + cols, from_stride), transposed(b, from_stride), c + cols,
                    stride);
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
static void take_out(const Work *w, const tacSupernodalStrip *strip, const tacSupernodalRun *run, const Room *room) {
  const tacSupernodes *l = &w->l;
  int s = strip->supernode, by = run->by, high = tac_supernodes_high(l, by), cols = run->end - run->begin;
  const int *own = l->row + l->row_start[s], *row = l->row + l->row_start[by];
  int begin = first_row(row, run->begin, high, own[strip->begin]);
  int end = first_row(row, begin, high, own[strip->end - 1] + 1), rows = end - begin, at[TAC_STRIP];
  if (rows == 0) return;
  if (cols > end - run->begin) cols = end - run->begin; /* others are above the diagonal */
  for (int i = 0; i < rows; ++i) at[i] = room->row_in[row[begin + i]];
  const double *from = w->to + l->value_start[by];
  size_t stride = (size_t)tac_supernodes_high(l, s);
  double *to = w->to + l->value_start[s] + (size_t)(row[run->begin] - l->first[s]) * stride;
  int left = begin - run->begin < cols ? begin - run->begin : cols, width = tac_supernodes_width(l, by);
  bool beside = at[rows - 1] - at[0] == rows - 1 && row[run->begin + cols - 1] - row[run->begin] == cols - 1;
  double *c = beside ? to + at[0] : room->product, alpha = beside ? -1.0 : 1.0;
  size_t c_stride = beside ? stride : (size_t)rows;
  if (!beside) memset(c, 0, (size_t)rows * (size_t)cols * sizeof *c);
  tac_dense_product(rows, left, width, alpha, view(from + begin, high), transposed(from + run->begin, high), c,
                    c_stride);
  add_product_below(rows, cols - left, width, alpha, from + begin, from + begin, high, c + (size_t)left * c_stride,
                    c_stride);
  for (int j = 0; !beside && j < cols; ++j) {
    double *column = to + (size_t)(row[run->begin + j] - row[run->begin]) * stride;
    const double *of = c + (size_t)j * c_stride;
    for (int i = j < left ? 0 : j - left; i < rows; ++i) column[at[i]] -= of[i];
  }
}

static void update_strip(const Work *w, const tacSupernodalStrip *strip, const Room *room) {
  const tacSupernodalPlan *plan = w->plan;
  int s = strip->supernode;
  for (int r = strip->begin; r < strip->end; ++r) room->row_in[plan->row[plan->row_start[s] + r]] = r;
  for (int r = plan->run_start[s]; r < plan->run_start[s + 1]; ++r) take_out(w, strip, &plan->runs[r], room);
}

static void update_strips(size_t begin, size_t end, int thread, void *context) {
  const Work *w = context;
  for (size_t i = begin; i < end; ++i)
    update_strip(w, &w->plan->strips[(size_t)w->plan->strip_start[w->level] + i], &w->rooms[thread]);
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
    int row = b->end + (int)n * TAC_STRIP, rows = b->high - row < TAC_STRIP ? b->high - row : TAC_STRIP;
    for (int first = b->begin, last; first < b->end; first = last) {
      last = first + NARROW < b->end ? first + NARROW : b->end;
      const double *panel = b->a + (size_t)b->begin * stride;
      tac_dense_product(rows, last - first, first - b->begin, -1.0, view(panel + row, b->high),
                        transposed(panel + first, b->high), b->a + (size_t)first * stride + row, stride);
      for (int k = first; k < last; ++k) {
        double *x = b->a + (size_t)k * stride + row;
        for (int j = first; j < k; ++j)
          tac_vector_add(rows, -b->a[(size_t)j * stride + (size_t)k], b->a + (size_t)j * stride + row, x);
        tac_vector_scale(rows, 1.0 / b->a[(size_t)k * stride + (size_t)k], x);
      }
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
    double *to = b->a + (size_t)column * stride + row;
    if (row == column)
      add_product_below(rows, cols, b->end - b->begin, -1.0, panel + row, panel + column, b->high, to, stride);
    else
      tac_dense_product(rows, cols, b->end - b->begin, -1.0, view(panel + row, b->high),
                        transposed(panel + column, b->high), to, stride);
  }
}

/* -1, or the column that is not positive. */
static int eliminate(double *a, int high, int width, bool alone) {
  Block b = {.a = a, .high = high, .width = width};
  for (b.begin = 0; b.begin < width; b.begin = b.end) {
    b.end = b.begin + PANEL < width ? b.begin + PANEL : width;
    int bad = factor_top(&b);
    if (bad >= 0) return bad;
    double below = high - b.end, depth = b.end - b.begin, after = width - b.end;
    size_t strips = (size_t)((high - b.end + TAC_STRIP - 1) / TAC_STRIP);
    size_t tiles = (size_t)((high - b.end + TILE - 1) / TILE) * (size_t)((width - b.end + TILE - 1) / TILE);
    tac_parallel_do_if(!alone && below * depth * depth >= FLOPS, strips, 1, solve_strips, &b);
    tac_parallel_do_if(!alone && 2.0 * below * after * depth >= FLOPS, tiles, 1, follow_tiles, &b);
  }
  return -1;
}

/* Whether it is positive definite there. */
static bool eliminate_node(Work *w, int s) {
  const tacSupernodes *l = &w->l;
  int bad = eliminate(w->to + l->value_start[s], tac_supernodes_high(l, s), tac_supernodes_width(l, s), w->alone);
  if (bad < 0) return true;
  int column = l->first[s] + bad, least = atomic_load(&w->column);
  while (column < least && !atomic_compare_exchange_weak(&w->column, &least, column)) continue;
  return false;
}

static void eliminate_nodes(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Work *w = context;
  for (size_t i = begin; i < end; ++i) eliminate_node(w, w->plan->top[(size_t)w->plan->level_start[w->level] + i]);
}

static void factor_subtrees(size_t begin, size_t end, int thread, void *context) {
  Work *w = context;
  for (size_t t = begin; t < end; ++t) {
    const tacSupernodalSubtree *tree = &w->plan->subtrees[t];
    bool positive = true;
    for (int s = tree->begin; positive && s < tree->end; ++s) {
      int high = tac_supernodes_high(&w->l, s);
      for (int row = 0; row < high; row += TAC_STRIP)
        update_strip(w, &(tacSupernodalStrip){s, row, row + TAC_STRIP < high ? row + TAC_STRIP : high},
                     &w->rooms[thread]);
      positive = eliminate_node(w, s);
    }
  }
}

static double flops_to_eliminate(const Work *w) {
  double flops = 0.0;
  for (int i = w->plan->level_start[w->level]; i < w->plan->level_start[w->level + 1]; ++i) {
    double width = tac_supernodes_width(&w->l, w->plan->top[i]);
    flops += width * width * tac_supernodes_high(&w->l, w->plan->top[i]);
  }
  return flops;
}

static void compute(Work *w) {
  const tacSupernodalPlan *plan = w->plan;
  bool share = !w->alone && plan->flops >= FLOPS;
  tac_parallel_do_if(share, (size_t)plan->value_start[plan->count], SPAN, clear, w);
  tac_parallel_do_if(share, plan->entries, SPAN, scatter, w);
  tac_parallel_do_if(share, (size_t)plan->subtree_count, 1, factor_subtrees, w);
  for (w->level = 0; w->level < plan->levels && atomic_load(&w->column) == INT_MAX; ++w->level) {
    size_t strips = (size_t)(plan->strip_start[w->level + 1] - plan->strip_start[w->level]);
    size_t nodes = (size_t)(plan->level_start[w->level + 1] - plan->level_start[w->level]);
    size_t strip_grain = strips > 64 * NODES ? NODES : 1, node_grain = nodes > 64 * NODES ? NODES : 1;
    tac_parallel_do_if(share && plan->level_flops[w->level] >= FLOPS, strips, strip_grain, update_strips, w);
    tac_parallel_do_if(share && flops_to_eliminate(w) >= FLOPS, nodes, node_grain, eliminate_nodes, w);
  }
}

tacStatus tac_supernodal_cholesky(const tacSupernodalPlan *plan, bool alone, const double *value, double *to,
                                  int *column, tacError *error) {
  int threads = alone ? 1 : tac_parallel_core_count();
  Work w = {.plan = plan, .l = tac_supernodal_plan_view(plan, to), .value = value, .to = to, .alone = alone};
  atomic_init(&w.column, INT_MAX);
  *column = -1;
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  w.rooms = tac_arrays_add(&arrays, (size_t)threads, sizeof *w.rooms);
  for (int t = 0; w.rooms != NULL && t < threads; ++t) {
    w.rooms[t].row_in = tac_arrays_add(&arrays, (size_t)plan->size, sizeof(int));
    w.rooms[t].product = tac_arrays_add(&arrays, TAC_STRIP * (size_t)plan->widest, sizeof(double));
  }
  TAC_TRY(tac_arrays_status(&arrays, what, error));
  TAC_TRY(tac_parallel_check_environment(error));
  compute(&w);
  int bad = atomic_load(&w.column);
  if (bad < INT_MAX) *column = bad;
  return TAC_OK;
}
