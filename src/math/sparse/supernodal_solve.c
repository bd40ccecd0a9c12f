#include "math/sparse/supernodal_solve.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "math/dense/vector.h"

enum {
  LARGE = 1 << 17,  /* a supernode with so many numbers is solved panel by panel; */
  SHARED = 1 << 16, /* with so many below a panel, threads share them: else waking a thread takes longer */
  PANEL = 128,      /* columns of a panel */
  STRIP = 128,      /* rows that a thread takes at a time in L, */
  COLUMNS = 8,      /* columns in L^T */
  PANELS = 4        /* of TAC_PANEL vectors, that a thread takes at a time: a supernode stays in its cache */
};
/* With so many numbers, one vector takes a millisecond, and is worth several threads. */
static const double many_nonzeros = 5e5;

static const char what[] = "a solution with a sparse factor";

/* ---- one large supernode ---- */

/* y: its rows of x, of which [begin, end) are the panel. */
typedef struct Panel {
  const double *value;
  int high, width, begin, end;
  double *y;
} Panel;

static const double *column_of(const Panel *p, int k) {
  return p->value + (size_t)k * (size_t)p->high;
}

/* y less four columns, `down` apart, times f: y is loaded once for all of them. */
static void take_four(int rows, const double *restrict c, int down, const double *restrict f, double *restrict y) {
  const double *d = c + down, *e = d + down, *g = e + down;
  for (int i = 0; i < rows; ++i) y[i] -= c[i] * f[0] + d[i] * f[1] + e[i] * f[2] + g[i] * f[3];
}

static void follow_rows(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Panel *p = context;
  for (size_t n = begin; n < end; ++n) {
    int row = p->end + (int)n * STRIP, rows = p->high - row < STRIP ? p->high - row : STRIP, k = p->begin;
    for (; k + 4 <= p->end; k += 4) take_four(rows, column_of(p, k) + row, p->high, p->y + k, p->y + row);
    for (; k < p->end; ++k) tac_vector_add(rows, -p->y[k], column_of(p, k) + row, p->y + row);
  }
}

static void gather_columns(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Panel *p = context;
  for (size_t k = (size_t)p->begin + begin; k < (size_t)p->begin + end; ++k)
    p->y[k] -= tac_vector_dot(p->high - p->end, column_of(p, (int)k) + p->end, p->y + p->end);
}

static bool is_shared(const Panel *p) {
  return (double)(p->high - p->end) * (p->end - p->begin) >= SHARED;
}

static void forward_large(Panel *p) {
  for (p->begin = 0; p->begin < p->width; p->begin = p->end) {
    p->end = p->begin + PANEL < p->width ? p->begin + PANEL : p->width;
    for (int k = p->begin; k < p->end; ++k) {
      const double *column = column_of(p, k);
      p->y[k] /= column[k];
      tac_vector_add(p->end - k - 1, -p->y[k], column + k + 1, p->y + k + 1);
    }
    tac_parallel_do_if(is_shared(p), (size_t)((p->high - p->end + STRIP - 1) / STRIP), 1, follow_rows, p);
  }
}

static void backward_large(Panel *p) {
  for (p->end = p->width; p->end > 0; p->end = p->begin) {
    p->begin = (p->end - 1) / PANEL * PANEL;
    tac_parallel_do_if(is_shared(p), (size_t)(p->end - p->begin), COLUMNS, gather_columns, p);
    for (int k = p->end - 1; k >= p->begin; --k) {
      const double *column = column_of(p, k);
      p->y[k] = (p->y[k] - tac_vector_dot(p->end - k - 1, column + k + 1, p->y + k + 1)) / column[k];
    }
  }
}

/* ---- one vector on several threads ---- */

typedef struct Work {
  const tacSupernodalPlan *plan;
  const tacSupernodes *l;
  double *x;    /* [size + sums] */
  double *room; /* [threads][tallest] */
} Work;

static double *room_of(const Work *w, int thread) {
  return w->room + (size_t)thread * (size_t)w->plan->tallest;
}

static void forward_subtrees(size_t begin, size_t end, int thread, void *context) {
  const Work *w = context;
  for (size_t t = begin; t < end; ++t) {
    const tacSupernodalSubtree *tree = &w->plan->subtrees[t];
    tac_supernodes_forward_some(w->l, tree->begin, tree->end, w->plan->to, w->x, room_of(w, thread));
  }
}

static void backward_subtrees(size_t begin, size_t end, int thread, void *context) {
  const Work *w = context;
  for (size_t t = begin; t < end; ++t) {
    const tacSupernodalSubtree *tree = &w->plan->subtrees[t];
    tac_supernodes_backward_some(w->l, tree->begin, tree->end, w->x, room_of(w, thread));
  }
}

static void add_sums(const Work *w) {
  for (int t = 0; t < w->plan->subtree_count; ++t) {
    const tacSupernodalSubtree *tree = &w->plan->subtrees[t];
    int root = tree->end - 1, width = tac_supernodes_width(w->l, root);
    const int *row = w->l->row + w->l->row_start[root] + width;
    const double *sum = w->x + w->l->size + tree->sums;
    for (int i = 0; i < tac_supernodes_high(w->l, root) - width; ++i) w->x[row[i]] += sum[i];
  }
}

static Panel panel_of(const Work *w, int s) {
  return (Panel){.value = w->l->value + w->l->value_start[s],
                 .high = tac_supernodes_high(w->l, s),
                 .width = tac_supernodes_width(w->l, s),
                 .y = w->room};
}

static bool is_large(const tacSupernodes *l, int s) {
  return (double)tac_supernodes_width(l, s) * tac_supernodes_high(l, s) >= LARGE;
}

static void forward_top(const Work *w, int s) {
  const int *row = w->l->row + w->l->row_start[s];
  if (!is_large(w->l, s)) {
    tac_supernodes_forward_some(w->l, s, s + 1, w->l->row, w->x, w->room);
    return;
  }
  Panel p = panel_of(w, s);
  for (int i = 0; i < p.high; ++i) p.y[i] = w->x[row[i]];
  forward_large(&p);
  for (int i = 0; i < p.high; ++i) w->x[row[i]] = p.y[i];
}

static void backward_top(const Work *w, int s) {
  const int *row = w->l->row + w->l->row_start[s];
  if (!is_large(w->l, s)) {
    tac_supernodes_backward_some(w->l, s, s + 1, w->x, w->room);
    return;
  }
  Panel p = panel_of(w, s);
  for (int i = 0; i < p.high; ++i) p.y[i] = w->x[row[i]];
  backward_large(&p);
  memcpy(w->x + w->l->first[s], p.y, (size_t)p.width * sizeof *p.y);
}

static void solve_shared(Work *w) {
  size_t trees = (size_t)w->plan->subtree_count;
  tac_parallel_do(trees, 1, forward_subtrees, w);
  add_sums(w);
  for (int n = 0; n < w->plan->top_count; ++n) forward_top(w, w->plan->top[n]);
  for (int n = w->plan->top_count - 1; n >= 0; --n) backward_top(w, w->plan->top[n]);
  tac_parallel_do(trees, 1, backward_subtrees, w);
}

static tacStatus solve_one(const tacSupernodalPlan *plan, const tacSupernodes *l, bool alone, const double *b,
                           double *x, tacError *error) {
  bool shared = !alone && plan->nonzeros >= many_nonzeros;
  int threads = shared ? tac_parallel_core_count() : 1;
  size_t numbers = (size_t)l->size + (size_t)plan->sum_count;
  double *work = tac_array_create(numbers + (size_t)threads * (size_t)plan->tallest, sizeof *work, what, error);
  if (work == NULL) return TAC_ERR_MEMORY;
  Work w = {.plan = plan, .l = l, .x = work, .room = work + numbers};
  for (int k = 0; k < l->size; ++k) w.x[k] = b[l->permutation[k]];
  if (shared) {
    solve_shared(&w);
  } else {
    tac_supernodes_forward(l, w.x, w.room);
    tac_supernodes_backward(l, w.x, w.room);
  }
  for (int k = 0; k < l->size; ++k) x[l->permutation[k]] = w.x[k];
  free(work);
  return TAC_OK;
}

/* ---- many vectors, side by side in panels ---- */

typedef struct Batch {
  const tacSupernodes *l;
  const double *b;
  double *x, *room; /* [threads][room_size] */
  size_t room_size;
  int count, panels; /* vectors, and panels that a thread takes at a time */
} Batch;

/* Vectors [begin, begin + count) into panels, zeros beyond the last, and back. */
static void load_panels(const Batch *batch, int begin, int count, int panels, double *to) {
  size_t size = (size_t)batch->l->size;
  for (int v = 0; v < panels * TAC_PANEL; ++v) {
    const double *from = batch->b + (size_t)(begin + v) * size;
    double *panel = to + (size_t)(v / TAC_PANEL) * size * TAC_PANEL + v % TAC_PANEL;
    for (size_t k = 0; k < size; ++k) panel[k * TAC_PANEL] = v < count ? from[batch->l->permutation[k]] : 0.0;
  }
}

static void store_panels(const Batch *batch, int begin, int count, const double *from) {
  size_t size = (size_t)batch->l->size;
  for (int v = 0; v < count; ++v) {
    double *to = batch->x + (size_t)(begin + v) * size;
    const double *panel = from + (size_t)(v / TAC_PANEL) * size * TAC_PANEL + v % TAC_PANEL;
    for (size_t k = 0; k < size; ++k) to[batch->l->permutation[k]] = panel[k * TAC_PANEL];
  }
}

static void solve_batches(size_t begin, size_t end, int thread, void *context) {
  const Batch *batch = context;
  const tacSupernodes *l = batch->l;
  int most = batch->panels * TAC_PANEL;
  size_t panel_size = (size_t)l->size * TAC_PANEL;
  double *panel = batch->room + (size_t)thread * batch->room_size, *work = panel + (size_t)batch->panels * panel_size;
  for (size_t n = begin; n < end; ++n) {
    int from = (int)n * most, count = batch->count - from < most ? batch->count - from : most;
    int panels = (count + TAC_PANEL - 1) / TAC_PANEL;
    load_panels(batch, from, count, panels, panel);
    for (int s = 0; s < l->count; ++s)
      for (int p = 0; p < panels; ++p) tac_supernodes_eliminate(l, s, panel + (size_t)p * panel_size);
    for (int s = l->count - 1; s >= 0; --s)
      for (int p = 0; p < panels; ++p) tac_supernodes_substitute(l, s, panel + (size_t)p * panel_size, work);
    store_panels(batch, from, count, panel);
  }
}

static tacStatus solve_many(const tacSupernodalPlan *plan, const tacSupernodes *l, bool alone, const double *b,
                            int count, double *x, tacError *error) {
  bool shared = !alone && plan->nonzeros * count >= many_nonzeros;
  int threads = shared ? tac_parallel_core_count() : 1, panels = (count + TAC_PANEL - 1) / TAC_PANEL;
  Batch batch = {.l = l, .b = b, .x = x, .count = count, .panels = (panels + threads - 1) / threads};
  if (batch.panels > PANELS) batch.panels = PANELS;
  size_t batches = (size_t)((panels + batch.panels - 1) / batch.panels);
  batch.room_size = ((size_t)batch.panels * (size_t)l->size + (size_t)plan->tallest) * TAC_PANEL;
  batch.room = tac_array_create((size_t)threads * batch.room_size, sizeof *batch.room, what, error);
  if (batch.room == NULL) return TAC_ERR_MEMORY;
  tac_parallel_do_if(shared, batches, 1, solve_batches, &batch);
  free(batch.room);
  return TAC_OK;
}

tacStatus tac_supernodal_solve(const tacSupernodalPlan *plan, bool alone, const double *value, const double *b,
                               int count, double *x, tacError *error) {
  const tacSupernodes l = tac_supernodal_plan_view(plan, value);
  if (l.size == 0 || count == 0) return TAC_OK;
  return count == 1 ? solve_one(plan, &l, alone, b, x, error) : solve_many(plan, &l, alone, b, count, x, error);
}
