#include "math/sparse/fill_order.h"

#include <amd.h>
#include <limits.h>
#include <metis.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/sparse/elimination_tree.h"

/* An order, made one of tac_elimination_postorder, and what it costs. */
typedef struct Try {
  int *order;
  double nonzeros, flops;
} Try;

static tacStatus judge(const tacSparse *pattern, Try *made, int *work, tacError *error) {
  size_t size = (size_t)pattern->cols;
  int *parent = work, *count = work + size;
  tacStrictLower lower;
  tacStatus status = tac_strict_lower_create(pattern, made->order, &lower, error);
  if (status != TAC_OK) return status;
  tac_elimination_tree(&lower, parent, count, work + 2 * size);
  made->nonzeros = made->flops = 0.0;
  for (size_t k = 0; k < size; ++k) {
    made->nonzeros += count[k];
    made->flops += (double)count[k] * count[k];
  }
  tac_elimination_postorder(pattern->cols, parent, made->order, work + size);
  tac_strict_lower_destroy(&lower);
  return TAC_OK;
}

static tacStatus by_degree(const tacStrictLower *lower, int *order, tacError *error) {
  int status = amd_order(lower->size, lower->column_start, lower->row, order, NULL, NULL);
  if (status == AMD_OUT_OF_MEMORY) return tac_error_set(error, TAC_ERR_MEMORY, "out of memory in an order by AMD");
  if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "an order of %d rows failed with AMD's status %d", lower->size,
                         status);
  return TAC_OK;
}

/* METIS draws random numbers from one sequence for all threads: two orderings at once would be other ones each time. */
static pthread_mutex_t dissection_lock = PTHREAD_MUTEX_INITIALIZER;

/* False where there is no memory for it, or METIS finds none: the other order will do. */
static bool by_dissection(const tacStrictLower *lower, int *order) {
  size_t size = (size_t)lower->size, edges = (size_t)lower->row_start[lower->size];
  if (size < 100 || edges == 0 || edges > INT_MAX / 2) return false;
  void *enough = malloc(20 * (2 * edges + 5 * size) * sizeof(idx_t)); /* METIS does not survive where there is less */
  if (enough == NULL) return false;
  free(enough);
  idx_t count = lower->size;
  idx_t *start = malloc((size + 1) * sizeof *start), *neighbour = malloc(2 * edges * sizeof *neighbour),
        *to = malloc(size * sizeof *to), *from = malloc(size * sizeof *from);
  bool made = start != NULL && neighbour != NULL && to != NULL && from != NULL;
  if (made) {
    idx_t filled = 0;
    for (int k = 0; k < lower->size; ++k) {
      start[k] = filled;
      for (int p = lower->row_start[k]; p < lower->row_start[k + 1]; ++p) neighbour[filled++] = lower->column[p];
      for (int p = lower->column_start[k]; p < lower->column_start[k + 1]; ++p) neighbour[filled++] = lower->row[p];
    }
    start[size] = filled;
    pthread_mutex_lock(&dissection_lock);
    made = METIS_NodeND(&count, start, neighbour, NULL, NULL, to, from) == METIS_OK;
    pthread_mutex_unlock(&dissection_lock);
    for (size_t k = 0; made && k < size; ++k) order[k] = (int)to[k];
  }
  free(start);
  free(neighbour);
  free(to);
  free(from);
  return made;
}

tacStatus tac_fill_order(const tacSparse *pattern, bool thorough, int *order, tacError *error) {
  size_t size = (size_t)pattern->cols;
  tacStrictLower lower = {0};
  int *work = tac_array_create(7 * size, sizeof *work, "an order of a sparse matrix", error);
  Try first = {.order = order},
      second = {.order = tac_array_create(size, sizeof *order, "an order of a sparse matrix", error)};
  tacStatus status = work == NULL || second.order == NULL ? TAC_ERR_MEMORY : TAC_OK;
  if (status == TAC_OK) status = tac_strict_lower_create(pattern, NULL, &lower, error);
  if (status == TAC_OK) status = by_degree(&lower, first.order, error);
  if (status == TAC_OK) status = judge(pattern, &first, work, error);
  double entries = (double)size + (status == TAC_OK ? lower.row_start[size] : 0);
  bool poor = first.flops >= 500.0 * first.nonzeros && first.nonzeros >= 5.0 * entries; /* as CHOLMOD decides */
  if (status == TAC_OK && (thorough || poor) && by_dissection(&lower, second.order)) {
    status = judge(pattern, &second, work, error);
    if (status == TAC_OK && second.flops < first.flops) memcpy(order, second.order, size * sizeof *order);
  }
  tac_strict_lower_destroy(&lower);
  free(work);
  free(second.order);
  return status;
}
