#include "math/sparse/sparse_cholesky.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/physical_memory.h"
#include "math/dense/dense_product.h"
#include "math/dense/vector.h"
#include "math/sparse/elimination_tree.h"

enum {
  PANEL = 32,  /* columns of a supernode that are eliminated one by one before the others follow */
  NARROW = 4,  /* supernodes up to this width are always made one */
  VECTORS = 96 /* that are solved for together */
};

struct tacSparseCholesky {
  int size, count, entries; /* rows, supernodes, entries of A */
  int *first, *row_start, *row, *value_start, *order;
  int *target; /* [entry of A] -> where it goes in `value`; -1 above the diagonal */
  double *value;
  int *home; /* [column] -> its supernode */
  int *list, *next,
      *passed;     /* [supernode]: those that act on it next; of each, the next in its list, and rows that have acted */
  int *row_in;     /* [row] -> row of the supernode that is being made */
  double *product; /* of the largest that acts: [product_size] */
  double *vectors; /* [vectors_held][size + tallest], since the first solution */
  size_t product_size, row_count, value_count, bytes;
  int tallest, vectors_held;
  double nonzeros, flops;
};

/* ---- where L has entries ---- */

/* Columns that are stored as one matrix. */
typedef struct Group {
  int first, width, high;
  double zeros; /* that L does not have */
} Group;

static double entries_of(int width, int high) {
  return (double)width * high - 0.5 * (double)width * (width - 1);
}

/* What is below the columns of `left` is in the columns or rows of `right`, which has its parent. */
static Group joined(const Group *left, const Group *right) {
  Group both = {.first = left->first, .width = left->width + right->width, .high = left->width + right->high};
  both.zeros = left->zeros + right->zeros + entries_of(both.width, both.high) - entries_of(left->width, left->high) -
               entries_of(right->width, right->high);
  return both;
}

static bool worth_joining(const Group *both) {
  double share = both->zeros / entries_of(both->width, both->high);
  return both->width <= NARROW || share < (both->width <= PANEL ? 0.15 : 0.05);
}

/* Groups of columns, in their order; returns how many. */
static int group_columns(int size, const int *parent, const int *count, Group *group) {
  int groups = 0;
  for (int k = 0; k < size; ++k) {
    group[groups++] = (Group){.first = k, .width = 1, .high = count[k]};
    while (groups > 1) {
      Group *left = &group[groups - 2], *right = &group[groups - 1];
      int above = parent[left->first + left->width - 1];
      if (above < right->first || above >= right->first + right->width) break; /* a root, or elsewhere */
      Group both = joined(left, right);
      /* Columns with the same rows join at once; others when all that have the same rows are there. */
      bool last = k + 1 == size || parent[k] != k + 1 || count[k + 1] != count[k] - 1;
      if (both.zeros > left->zeros + right->zeros && !(last && worth_joining(&both))) break;
      *left = both;
      --groups;
    }
  }
  return groups;
}

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* The rows of every supernode: of its columns in A, and of the supernodes whose parent it is. */
static void find_rows(tacSparseCholesky *c, const tacStrictLower *lower, int *seen) {
  for (int s = 0; s < c->count; ++s) c->list[s] = -1;
  for (int i = 0; i < c->size; ++i) seen[i] = -1;
  for (int s = 0; s < c->count; ++s) {
    int *row = c->row + c->row_start[s], found = 0, end = c->first[s + 1];
    for (int k = c->first[s]; k < end; ++k) row[found++] = k;
    int width = found;
    for (int k = c->first[s]; k < end; ++k)
      for (int p = lower->column_start[k]; p < lower->column_start[k + 1]; ++p) {
        int i = lower->row[p];
        if (i >= end && seen[i] != s) seen[i] = s, row[found++] = i;
      }
    for (int child = c->list[s]; child >= 0; child = c->next[child])
      for (int p = c->row_start[child]; p < c->row_start[child + 1]; ++p) {
        int i = c->row[p];
        if (i >= end && seen[i] != s) seen[i] = s, row[found++] = i;
      }
    qsort(row + width, (size_t)(found - width), sizeof *row, compare);
    if (found > width) {
      int above = c->home[row[width]];
      c->next[s] = c->list[above];
      c->list[above] = s;
    }
  }
}

static void find_targets(tacSparseCholesky *c, const tacSparse *pattern, int *place) {
  for (int k = 0; k < c->size; ++k) place[c->order[k]] = k;
  for (int j = 0; j < c->size; ++j)
    for (int p = pattern->column_start[j]; p < pattern->column_start[j + 1]; ++p) {
      c->target[p] = -1;
      if (pattern->row[p] < j) continue;
      int a = place[j], b = place[pattern->row[p]], column = a < b ? a : b, row = a < b ? b : a, s = c->home[column];
      const int *rows = c->row + c->row_start[s];
      int high = c->row_start[s + 1] - c->row_start[s];
      const int *found = bsearch(&row, rows, (size_t)high, sizeof row, compare);
      c->target[p] = c->value_start[s] + (column - c->first[s]) * high + (int)(found - rows);
    }
}

/* Each supernode acts on a run of its rows at a time, those that are columns of one other: the largest of these
 * products. */
static size_t largest_product(const tacSparseCholesky *c) {
  size_t most = 0;
  for (int s = 0; s < c->count; ++s) {
    int high = c->row_start[s + 1] - c->row_start[s];
    const int *row = c->row + c->row_start[s];
    for (int i = c->first[s + 1] - c->first[s], end; i < high; i = end) {
      for (end = i + 1; end < high && c->home[row[end]] == c->home[row[i]];) ++end;
      size_t product = (size_t)(high - i) * (size_t)(end - i);
      if (product > most) most = product;
    }
  }
  return most;
}

static void *array(tacSparseCholesky *c, size_t count, size_t item, tacError *error) {
  c->bytes += count * item;
  return tac_array_create(count, item, "a sparse factor", error);
}

static tacStatus make_arrays(tacSparseCholesky *c, tacError *error) {
  size_t size = (size_t)c->size, count = (size_t)c->count;
  if ((c->first = array(c, count + 1, sizeof *c->first, error)) == NULL ||
      (c->row_start = array(c, count + 1, sizeof *c->row_start, error)) == NULL ||
      (c->value_start = array(c, count + 1, sizeof *c->value_start, error)) == NULL ||
      (c->row = array(c, c->row_count, sizeof *c->row, error)) == NULL ||
      (c->order = array(c, size, sizeof *c->order, error)) == NULL ||
      (c->home = array(c, size, sizeof *c->home, error)) == NULL ||
      (c->row_in = array(c, size, sizeof *c->row_in, error)) == NULL ||
      (c->list = array(c, count, sizeof *c->list, error)) == NULL ||
      (c->next = array(c, count, sizeof *c->next, error)) == NULL ||
      (c->passed = array(c, count, sizeof *c->passed, error)) == NULL ||
      (c->target = array(c, (size_t)c->entries, sizeof *c->target, error)) == NULL ||
      (c->value = array(c, c->value_count, sizeof *c->value, error)) == NULL)
    return TAC_ERR_MEMORY;
  return TAC_OK;
}

static tacStatus lay_out(tacSparseCholesky *c, const tacSparse *pattern, const int *order, const Group *group,
                         const tacStrictLower *lower, int *work, tacError *error) {
  c->entries = tac_sparse_count(pattern);
  for (int s = 0; s < c->count; ++s) {
    c->row_count += (size_t)group[s].high;
    c->value_count += (size_t)group[s].high * (size_t)group[s].width;
    if (group[s].high > c->tallest) c->tallest = group[s].high;
  }
  if (c->value_count > INT_MAX || c->row_count > INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "the analysis of a sparse matrix of size %d: more than 2^31 entries in the factor", c->size);
  double bytes = (double)sizeof(double) * (double)c->value_count, machine = (double)tac_physical_memory();
  if (bytes > 0.9 * machine)
    return tac_error_set(error, TAC_ERR_MEMORY,
                         "the factor of a matrix with %d rows would need %.1f GiB, and this machine has %.1f GiB: a "
                         "coarser mesh needs less",
                         c->size, bytes / (1 << 30), machine / (1 << 30));
  if (make_arrays(c, error) != TAC_OK) return TAC_ERR_MEMORY;
  memcpy(c->order, order, (size_t)c->size * sizeof *order);
  for (int s = 0; s < c->count; ++s) {
    c->first[s] = group[s].first;
    c->row_start[s + 1] = c->row_start[s] + group[s].high;
    c->value_start[s + 1] = c->value_start[s] + group[s].high * group[s].width;
    for (int k = 0; k < group[s].width; ++k) c->home[group[s].first + k] = s;
  }
  c->first[c->count] = c->size;
  find_rows(c, lower, work);
  find_targets(c, pattern, work);
  c->product_size = largest_product(c);
  c->product = array(c, c->product_size, sizeof *c->product, error);
  return c->product != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

tacStatus tac_sparse_cholesky_create(const tacSparse *pattern, const int *order, tacSparseCholesky **cholesky,
                                     tacError *error) {
  *cholesky = NULL;
  size_t size = (size_t)pattern->cols;
  tacSparseCholesky *c = tac_array_create(1, sizeof *c, "a sparse factor", error);
  int *work = tac_array_create(3 * size, sizeof *work, "an elimination tree", error);
  Group *group = tac_array_create(size, sizeof *group, "an elimination tree", error);
  tacStrictLower lower = {0};
  tacStatus status = c == NULL || work == NULL || group == NULL ? TAC_ERR_MEMORY : TAC_OK;
  if (status == TAC_OK) status = tac_strict_lower_create(pattern, order, &lower, error);
  if (status == TAC_OK) {
    int *parent = work, *count = work + size;
    tac_elimination_tree(&lower, parent, count, work + 2 * size);
    c->size = pattern->cols;
    for (int k = 0; k < c->size; ++k) {
      c->nonzeros += count[k];
      c->flops += (double)count[k] * count[k];
    }
    c->count = group_columns(c->size, parent, count, group);
    status = lay_out(c, pattern, order, group, &lower, work, error);
  }
  tac_strict_lower_destroy(&lower);
  free(work);
  free(group);
  if (status != TAC_OK) {
    tac_sparse_cholesky_destroy(c);
    c = NULL;
  }
  *cholesky = c;
  return status;
}

void tac_sparse_cholesky_destroy(tacSparseCholesky *c) {
  if (c == NULL) return;
  free(c->first);
  free(c->row_start);
  free(c->row);
  free(c->value_start);
  free(c->order);
  free(c->target);
  free(c->value);
  free(c->home);
  free(c->list);
  free(c->next);
  free(c->passed);
  free(c->row_in);
  free(c->product);
  free(c->vectors);
  free(c);
}

tacStatus tac_sparse_cholesky_copy(const tacSparseCholesky *from, tacSparseCholesky **copy, tacError *error) {
  *copy = NULL;
  tacSparseCholesky *c = tac_array_create(1, sizeof *c, "a sparse factor", error);
  if (c == NULL) return TAC_ERR_MEMORY;
  c->size = from->size;
  c->count = from->count;
  c->entries = from->entries;
  c->tallest = from->tallest;
  c->row_count = from->row_count;
  c->value_count = from->value_count;
  c->product_size = from->product_size;
  c->nonzeros = from->nonzeros;
  c->flops = from->flops;
  if (make_arrays(c, error) != TAC_OK || (c->product = array(c, c->product_size, sizeof *c->product, error)) == NULL) {
    tac_sparse_cholesky_destroy(c);
    return TAC_ERR_MEMORY;
  }
  size_t size = (size_t)c->size, starts = (size_t)c->count + 1;
  memcpy(c->first, from->first, starts * sizeof *c->first);
  memcpy(c->row_start, from->row_start, starts * sizeof *c->row_start);
  memcpy(c->value_start, from->value_start, starts * sizeof *c->value_start);
  memcpy(c->row, from->row, c->row_count * sizeof *c->row);
  memcpy(c->order, from->order, size * sizeof *c->order);
  memcpy(c->home, from->home, size * sizeof *c->home);
  memcpy(c->target, from->target, (size_t)c->entries * sizeof *c->target);
  memcpy(c->value, from->value, c->value_count * sizeof *c->value);
  *copy = c;
  return TAC_OK;
}

/* ---- numbers ---- */

static tacDenseView view(const double *a, int stride) {
  return (tacDenseView){a, 1, (size_t)stride};
}

static tacDenseView transposed(const double *a, int stride) {
  return (tacDenseView){a, (size_t)stride, 1};
}

/* C += alpha A A_top^T, of which the first `cols` rows are wanted on and below the diagonal only. */
static void add_square(int rows, int cols, int depth, double alpha, const double *a, int a_stride, double *c,
                       int stride) {
  tac_dense_product_lower(cols, depth, alpha, view(a, a_stride), transposed(a, a_stride), c, (size_t)stride);
  tac_dense_product(rows - cols, cols, depth, alpha, view(a + cols, a_stride), transposed(a, a_stride), c + cols,
                    (size_t)stride);
}

/* Takes out of supernode s what d does to it: d's rows from `passed` on, as far as they are columns of s. */
static void take_out(tacSparseCholesky *c, int s, int d) {
  int high = c->row_start[s + 1] - c->row_start[s], d_high = c->row_start[d + 1] - c->row_start[d];
  int d_width = c->first[d + 1] - c->first[d], begin = c->passed[d], end = begin;
  const int *row = c->row + c->row_start[d];
  while (end < d_high && row[end] < c->first[s + 1]) ++end;
  int rows = d_high - begin, cols = end - begin;
  memset(c->product, 0, (size_t)rows * (size_t)cols * sizeof *c->product);
  add_square(rows, cols, d_width, 1.0, c->value + c->value_start[d] + begin, d_high, c->product, rows);
  for (int j = 0; j < cols; ++j) {
    double *to = c->value + c->value_start[s] + (size_t)(row[begin + j] - c->first[s]) * (size_t)high;
    const double *from = c->product + (size_t)j * (size_t)rows;
    for (int i = j; i < rows; ++i) to[c->row_in[row[begin + i]]] -= from[i];
  }
  c->passed[d] = end;
}

/* Cholesky's factor of the top of a matrix high x width, and what is below it times its inverse, transposed. -1,
 * or the column that is not positive. */
static int eliminate(int high, int width, double *a) {
  for (int begin = 0, end; begin < width; begin = end) {
    end = begin + PANEL < width ? begin + PANEL : width;
    for (int k = begin; k < end; ++k) {
      double *column = a + (size_t)k * (size_t)high, pivot = column[k];
      if (!(pivot > 0.0 && pivot < INFINITY)) return k;
      column[k] = sqrt(pivot);
      for (int i = k + 1; i < high; ++i) column[i] /= column[k];
      for (int j = k + 1; j < end; ++j)
        tac_vector_add(high - j, -column[j], column + j, a + (size_t)j * (size_t)high + j);
    }
    if (end < width)
      add_square(high - end, width - end, end - begin, -1.0, a + (size_t)begin * (size_t)high + end, high,
                 a + (size_t)end * (size_t)high + end, high);
  }
  return -1;
}

static void put_in_list(tacSparseCholesky *c, int s) {
  if (c->passed[s] == c->row_start[s + 1] - c->row_start[s]) return; /* it has acted on all */
  int on = c->home[c->row[c->row_start[s] + c->passed[s]]];
  c->next[s] = c->list[on];
  c->list[on] = s;
}

int tac_sparse_cholesky_update(tacSparseCholesky *c, const double *value) {
  memset(c->value, 0, c->value_count * sizeof *c->value);
  for (int p = 0; p < c->entries; ++p)
    if (c->target[p] >= 0) c->value[c->target[p]] = value[p];
  for (int s = 0; s < c->count; ++s) c->list[s] = -1;
  for (int s = 0; s < c->count; ++s) {
    int high = c->row_start[s + 1] - c->row_start[s], width = c->first[s + 1] - c->first[s];
    for (int i = 0; i < high; ++i) c->row_in[c->row[c->row_start[s] + i]] = i;
    for (int d = c->list[s], next; d >= 0; d = next) {
      next = c->next[d];
      take_out(c, s, d);
      put_in_list(c, d);
    }
    int bad = eliminate(high, width, c->value + c->value_start[s]);
    if (bad >= 0) return c->order[c->first[s] + bad];
    c->passed[s] = width;
    put_in_list(c, s);
  }
  return -1;
}

/* ---- solving ---- */

/* X := L^-1 X and X := L^-T X for `count` columns and the triangle on top of L; what is below it is left to the
 * caller. */
static void solve_lower(int n, int count, const double *l, int stride, double *x, size_t x_stride) {
  for (int begin = 0, end; begin < n; begin = end) {
    end = begin + PANEL < n ? begin + PANEL : n;
    for (int j = 0; j < count; ++j)
      for (int k = begin; k < end; ++k) {
        const double *column = l + (size_t)k * (size_t)stride;
        double *to = x + (size_t)j * x_stride;
        to[k] /= column[k];
        tac_vector_add(end - k - 1, -to[k], column + k + 1, to + k + 1);
      }
    tac_dense_product(n - end, count, end - begin, -1.0, view(l + (size_t)begin * (size_t)stride + end, stride),
                      (tacDenseView){x + begin, 1, x_stride}, x + end, x_stride);
  }
}

static void solve_upper(int n, int count, const double *l, int stride, double *x, size_t x_stride) {
  for (int end = n, begin; end > 0; end = begin) {
    begin = end > PANEL ? end - PANEL : 0;
    tac_dense_product(end - begin, count, n - end, -1.0, transposed(l + (size_t)begin * (size_t)stride + end, stride),
                      (tacDenseView){x + end, 1, x_stride}, x + begin, x_stride);
    for (int j = 0; j < count; ++j)
      for (int k = end - 1; k >= begin; --k) {
        const double *column = l + (size_t)k * (size_t)stride;
        double *to = x + (size_t)j * x_stride;
        to[k] = (to[k] - tac_vector_dot(end - k - 1, column + k + 1, to + k + 1)) / column[k];
      }
  }
}

/* Of vectors in the order of P, in c->vectors. */
static void substitute(tacSparseCholesky *c, int count) {
  size_t size = (size_t)c->size;
  double *x = c->vectors, *below = c->vectors + (size_t)c->vectors_held * size;
  if (count == 1) {
    tacSupernodes l = tac_sparse_cholesky_supernodes(c);
    tac_supernodes_forward(&l, x, below);
    tac_supernodes_backward(&l, x, below);
    return;
  }
  for (int s = 0; s < c->count; ++s) {
    int high = c->row_start[s + 1] - c->row_start[s], width = c->first[s + 1] - c->first[s], rest = high - width;
    const double *l = c->value + c->value_start[s];
    const int *row = c->row + c->row_start[s] + width;
    solve_lower(width, count, l, high, x + c->first[s], size);
    memset(below, 0, (size_t)rest * (size_t)count * sizeof *below);
    tac_dense_product(rest, count, width, 1.0, view(l + width, high), (tacDenseView){x + c->first[s], 1, size}, below,
                      (size_t)rest);
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < rest; ++i)
        x[(size_t)j * size + (size_t)row[i]] -= below[(size_t)j * (size_t)rest + (size_t)i];
  }
  for (int s = c->count - 1; s >= 0; --s) {
    int high = c->row_start[s + 1] - c->row_start[s], width = c->first[s + 1] - c->first[s], rest = high - width;
    const double *l = c->value + c->value_start[s];
    const int *row = c->row + c->row_start[s] + width;
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < rest; ++i) below[(size_t)j * (size_t)rest + (size_t)i] = x[(size_t)j * size + (size_t)row[i]];
    tac_dense_product(width, count, rest, -1.0, transposed(l + width, high), view(below, rest), x + c->first[s], size);
    solve_upper(width, count, l, high, x + c->first[s], size);
  }
}

static tacStatus hold_vectors(tacSparseCholesky *c, int count, tacError *error) {
  if (count <= c->vectors_held) return TAC_OK;
  size_t length = (size_t)c->size + (size_t)c->tallest;
  double *more = tac_array_create((size_t)count * length, sizeof *more, "the solution with a sparse factor", error);
  if (more == NULL) return TAC_ERR_MEMORY;
  free(c->vectors);
  c->vectors = more;
  c->bytes += (size_t)(count - c->vectors_held) * length * sizeof *more;
  c->vectors_held = count;
  return TAC_OK;
}

tacStatus tac_sparse_cholesky_solve(tacSparseCholesky *c, const double *b, int count, double *x, tacError *error) {
  size_t size = (size_t)c->size;
  if (hold_vectors(c, count < VECTORS ? count : VECTORS, error) != TAC_OK) return TAC_ERR_MEMORY;
  for (int begin = 0; begin < count; begin += VECTORS) {
    int some = count - begin < VECTORS ? count - begin : VECTORS;
    for (int j = 0; j < some; ++j)
      for (size_t k = 0; k < size; ++k)
        c->vectors[(size_t)j * size + k] = b[(size_t)(begin + j) * size + (size_t)c->order[k]];
    substitute(c, some);
    for (int j = 0; j < some; ++j)
      for (size_t k = 0; k < size; ++k)
        x[(size_t)(begin + j) * size + (size_t)c->order[k]] = c->vectors[(size_t)j * size + k];
  }
  return TAC_OK;
}

tacSupernodes tac_sparse_cholesky_supernodes(const tacSparseCholesky *c) {
  return (tacSupernodes){.size = c->size,
                         .count = c->count,
                         .first = c->first,
                         .row_start = c->row_start,
                         .row = c->row,
                         .value_start = c->value_start,
                         .value = c->value,
                         .permutation = c->order};
}

tacSparseCholeskyReport tac_sparse_cholesky_report(const tacSparseCholesky *c) {
  return (tacSparseCholeskyReport){.nonzeros = c->nonzeros, .flops = c->flops, .bytes = c->bytes};
}
