#include "math/dense/nonnegative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"

tacStatus tac_nonnegative_create(int capacity, double square, tacNonnegative *problem, tacError *error) {
  size_t n = (size_t)capacity;
  *problem = (tacNonnegative){.capacity = capacity, .square = square};
  problem->column = tac_array_create(n, sizeof *problem->column, "least squares", error);
  problem->gram = tac_array_create(2 * n + 3, n * sizeof *problem->gram, "least squares", error);
  if (problem->column == NULL || problem->gram == NULL) {
    tac_nonnegative_destroy(problem);
    return TAC_ERR_MEMORY;
  }
  problem->factor = problem->gram + n * n;
  problem->weight = problem->factor + n * n;
  problem->right = problem->weight + n;
  problem->next = problem->right + n;
  return TAC_OK;
}

void tac_nonnegative_destroy(tacNonnegative *problem) {
  free(problem->column);
  free(problem->gram);
  *problem = (tacNonnegative){0};
}

void tac_nonnegative_add(tacNonnegative *problem, int column, const double *gram, double right) {
  size_t at = (size_t)problem->count++, stride = (size_t)problem->capacity;
  problem->column[at] = column;
  problem->weight[at] = 0.0;
  problem->right[at] = right;
  for (size_t i = 0; i <= at; ++i) problem->gram[i * stride + at] = problem->gram[at * stride + i] = gram[i];
}

/* Takes those away that are marked by a negative column. */
static void compact(tacNonnegative *p) {
  size_t to = 0, stride = (size_t)p->capacity;
  for (size_t from = 0; from < (size_t)p->count; ++from) {
    if (p->column[from] < 0) continue;
    p->column[to] = p->column[from];
    p->weight[to] = p->weight[from];
    p->right[to] = p->right[from];
    if (to < from) {
      memmove(p->gram + to * stride, p->gram + from * stride, stride * sizeof *p->gram);
      for (size_t i = 0; i < (size_t)p->count; ++i) p->gram[i * stride + to] = p->gram[i * stride + from];
    }
    ++to;
  }
  p->count = (int)to;
}

/* A^T A w = A^T b without bounds, into `next`. A trace of the diagonal is added, so that columns which are the same but for rounding do
 * not matter. */
static tacStatus solve_free(tacNonnegative *p, tacError *error) {
  size_t n = (size_t)p->count;
  tacDense factor = {p->count, p->count, p->count, p->factor}, x = {p->count, 1, p->count, p->next};
  for (size_t i = 0; i < n; ++i) {
    memcpy(p->factor + i * n, p->gram + i * (size_t)p->capacity, n * sizeof *p->factor);
    p->factor[i * (n + 1)] *= 1.0 + 1e-12;
    p->next[i] = p->right[i];
  }
  tacStatus status = tac_dense_cholesky(&factor, error);
  if (status == TAC_OK) tac_dense_cholesky_solve(&factor, &x);
  return status;
}

tacStatus tac_nonnegative_solve(tacNonnegative *problem, tacError *error) {
  tacNonnegative *p = problem;
  while (p->count > 0) { /* ends: each round takes at least one away */
    TAC_TRY(solve_free(p, error));
    double share = 1.0; /* of the way there, to the first bound that it meets */
    for (int i = 0; i < p->count; ++i)
      if (p->next[i] <= 0.0) share = fmin(share, p->weight[i] > 0.0 ? p->weight[i] / (p->weight[i] - p->next[i]) : 0.0);
    bool bounded = false;
    for (int i = 0; i < p->count; ++i) {
      bool leaves = p->next[i] <= 0.0 &&
                    (p->weight[i] <= 0.0 || p->weight[i] / (p->weight[i] - p->next[i]) <= share * (1.0 + 1e-12));
      p->weight[i] += share * (p->next[i] - p->weight[i]);
      if (leaves) p->column[i] = -1;
      bounded = bounded || leaves;
    }
    if (!bounded) break;
    compact(p);
  }
  return TAC_OK;
}

double tac_nonnegative_error(const tacNonnegative *problem) {
  const tacNonnegative *p = problem;
  double square = p->square;
  for (int i = 0; i < p->count; ++i)
    square += p->weight[i] *
              (tac_vector_dot(p->count, p->gram + (size_t)i * (size_t)p->capacity, p->weight) - 2.0 * p->right[i]);
  return p->square > 0.0 ? sqrt(fmax(square, 0.0) / p->square) : 0.0;
}
