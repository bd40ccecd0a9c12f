#include "math/sparse/supernodal_solve.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "math/dense/vector.h"

enum {
  SHARES = 64,      /* a subtree has at most one of so many shares of all numbers */
  LARGE = 1 << 17,  /* a supernode with so many numbers is solved panel by panel; */
  SHARED = 1 << 16, /* with so many below a panel, threads share them: else waking a thread takes longer */
  PANEL = 128,      /* columns of a panel */
  STRIP = 128,      /* rows that a thread takes at a time in L, */
  COLUMNS = 8       /* columns in L^T */
};

/* Supernodes [begin, end), of which the last is the root. What they do to rows above them is gathered in `sums`, one for each
 * row of the root below its own columns, and added to x when all subtrees are done. */
typedef struct Subtree {
  int begin, end, sums;
} Subtree;

struct tacSupernodalShares {
  int subtree_count, top_count, sum_count, tallest;
  Subtree *subtrees;
  int *top; /* the other supernodes, ascending */
  int *to;  /* [row of a supernode]: the place in x, or behind x in the sums, to which the supernode adds */
};

static const char what[] = "a solution with a sparse factor";

void tac_supernodal_shares_destroy(tacSupernodalShares *shares) {
  if (shares == NULL) return;
  free(shares->subtrees);
  free(shares->top);
  free(shares->to);
  free(shares);
}

/* numbers[s] of the subtree of s, and its first supernode; -1 where it is not all that is between them. */
static void measure_subtrees(const tacSupernodes *l, const int *parent, double *numbers, int *begin, int *nodes) {
  for (int s = 0; s < l->count; ++s) {
    numbers[s] = 0.0;
    begin[s] = s;
    nodes[s] = 1;
  }
  for (int s = 0; s < l->count; ++s) {
    numbers[s] += (double)tac_supernodes_width(l, s) * tac_supernodes_high(l, s);
    if (parent[s] < 0) continue;
    numbers[parent[s]] += numbers[s];
    nodes[parent[s]] += nodes[s];
    if (begin[s] < begin[parent[s]]) begin[parent[s]] = begin[s];
  }
  for (int s = 0; s < l->count; ++s)
    if (nodes[s] != s + 1 - begin[s]) begin[s] = -1;
}

/* Rows of the subtree's supernodes that are above its root are rows of the root. `place`: [size], room. */
static void aim_at_sums(const tacSupernodes *l, const Subtree *tree, int *place, int *to) {
  int root = tree->end - 1, end = l->first[tree->end];
  const int *rows = l->row + l->row_start[root];
  for (int i = tac_supernodes_width(l, root); i < tac_supernodes_high(l, root); ++i)
    place[rows[i]] = l->size + tree->sums + i - tac_supernodes_width(l, root);
  for (int p = l->row_start[tree->begin]; p < l->row_start[tree->end]; ++p)
    to[p] = l->row[p] < end ? l->row[p] : place[l->row[p]];
}

/* `work`: 3 count + 2 size numbers. */
static void divide(const tacSupernodes *l, tacSupernodalShares *shares, double *numbers, int *work) {
  int *parent = work, *begin = parent + l->count, *nodes = begin + l->count, *home = nodes + l->count;
  int *place = home + l->size;
  tac_supernodes_tree(l, parent, home);
  measure_subtrees(l, parent, numbers, begin, nodes);
  double all = 0.0;
  for (int s = 0; s < l->count; ++s) all += (double)tac_supernodes_width(l, s) * tac_supernodes_high(l, s);
  memcpy(shares->to, l->row, (size_t)l->row_start[l->count] * sizeof *shares->to);
  for (int s = 0; s < l->count; ++s) {
    bool small = numbers[s] <= all / SHARES && begin[s] >= 0;
    while (small && shares->subtree_count > 0 && shares->subtrees[shares->subtree_count - 1].begin >= begin[s])
      --shares->subtree_count; /* part of this one */
    if (small)
      shares->subtrees[shares->subtree_count++] = (Subtree){begin[s], s + 1, 0};
    else
      shares->top[shares->top_count++] = s;
  }
  for (int t = 0; t < shares->subtree_count; ++t) {
    Subtree *tree = &shares->subtrees[t];
    tree->sums = shares->sum_count;
    shares->sum_count += tac_supernodes_high(l, tree->end - 1) - tac_supernodes_width(l, tree->end - 1);
    aim_at_sums(l, tree, place, shares->to);
  }
}

tacStatus tac_supernodal_shares_create(const tacSupernodes *l, tacSupernodalShares **shares, tacError *error) {
  size_t count = (size_t)l->count;
  tacSupernodalShares *made = tac_array_create(1, sizeof *made, what, error);
  double *numbers = tac_array_create(count, sizeof *numbers, what, error);
  int *work = tac_array_create(3 * count + 2 * (size_t)l->size, sizeof *work, what, error);
  tacStatus status = made != NULL && numbers != NULL && work != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) {
    made->tallest = tac_supernodes_tallest(l);
    made->subtrees = tac_array_create(count, sizeof *made->subtrees, what, error);
    made->top = tac_array_create(count, sizeof *made->top, what, error);
    made->to = tac_array_create((size_t)l->row_start[count], sizeof *made->to, what, error);
    if (made->subtrees == NULL || made->top == NULL || made->to == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) divide(l, made, numbers, work);
  free(numbers);
  free(work);
  if (status != TAC_OK) {
    tac_supernodal_shares_destroy(made);
    made = NULL;
  }
  *shares = made;
  return status;
}

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

/* ---- all ---- */

typedef struct Work {
  const tacSupernodalShares *shares;
  const tacSupernodes *l;
  double *x;    /* [size + sums] */
  double *room; /* [threads][tallest] */
} Work;

static double *room_of(const Work *w, int thread) {
  return w->room + (size_t)thread * (size_t)w->shares->tallest;
}

static void forward_subtrees(size_t begin, size_t end, int thread, void *context) {
  const Work *w = context;
  for (size_t t = begin; t < end; ++t) {
    const Subtree *tree = &w->shares->subtrees[t];
    tac_supernodes_forward_some(w->l, tree->begin, tree->end, w->shares->to, w->x, room_of(w, thread));
  }
}

static void backward_subtrees(size_t begin, size_t end, int thread, void *context) {
  const Work *w = context;
  for (size_t t = begin; t < end; ++t) {
    const Subtree *tree = &w->shares->subtrees[t];
    tac_supernodes_backward_some(w->l, tree->begin, tree->end, w->x, room_of(w, thread));
  }
}

static void add_sums(const Work *w) {
  for (int t = 0; t < w->shares->subtree_count; ++t) {
    const Subtree *tree = &w->shares->subtrees[t];
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

tacStatus tac_supernodal_solve(const tacSupernodalShares *shares, const tacSupernodes *l, const double *b, double *x,
                               tacError *error) {
  size_t size = (size_t)l->size, numbers = size + (size_t)shares->sum_count;
  size_t room = (size_t)tac_parallel_core_count() * (size_t)shares->tallest, trees = (size_t)shares->subtree_count;
  double *work = tac_array_create(numbers + room, sizeof *work, what, error);
  if (work == NULL) return TAC_ERR_MEMORY;
  Work w = {.shares = shares, .l = l, .x = work, .room = work + numbers};
  for (size_t k = 0; k < size; ++k) w.x[k] = b[l->permutation[k]];
  tac_parallel_do(trees, 1, forward_subtrees, &w);
  add_sums(&w);
  for (int n = 0; n < shares->top_count; ++n) forward_top(&w, shares->top[n]);
  for (int n = shares->top_count - 1; n >= 0; --n) backward_top(&w, shares->top[n]);
  tac_parallel_do(trees, 1, backward_subtrees, &w);
  for (size_t k = 0; k < size; ++k) x[l->permutation[k]] = w.x[k];
  free(work);
  return TAC_OK;
}
