#include "math/sparse/fill_order.h"

#include <amd.h>
#include <limits.h>
#include <metis.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/sparse/elimination_tree.h"

/* An order, made one of tac_elimination_postorder, and what it costs. */
typedef struct Try {
  int *order;
  double nonzeros, flops;
} Try;

static tacStatus judge(const tacSparse *pattern, Try *made, int *work, tacError *error) {
  size_t size = (size_t)pattern->cols;
  int *parent = work, *count = work + size;
  TAC_FREED(tac_strict_lower_destroy, tacStrictLower, lower) = {0};
  TAC_TRY(tac_strict_lower_create(pattern, made->order, &lower, error));
  tac_elimination_tree(&lower, parent, count, work + 2 * size);
  made->nonzeros = made->flops = 0.0;
  for (size_t k = 0; k < size; ++k) {
    made->nonzeros += count[k];
    made->flops += (double)count[k] * count[k];
  }
  tac_elimination_postorder(pattern->cols, parent, made->order, work + size);
  return TAC_OK;
}

static tacStatus by_degree(const tacStrictLower *lower, int *order, tacError *error) {
  int status = amd_order(lower->size, lower->column_start, lower->row, order, NULL, NULL);
  if (status == AMD_OUT_OF_MEMORY)
    return tac_error_set(error, TAC_ERR_MEMORY, "out of memory while AMD orders a sparse matrix");
  if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "AMD could not order %d rows (status %d)", lower->size, status);
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
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  idx_t *start = tac_arrays_add(&work, size + 1, sizeof *start);
  idx_t *neighbour = tac_arrays_add(&work, 2 * edges, sizeof *neighbour);
  idx_t *to = tac_arrays_add(&work, size, sizeof *to), *from = tac_arrays_add(&work, size, sizeof *from);
  if (tac_arrays_status(&work, "an order", NULL) != TAC_OK) return false;
  idx_t filled = 0;
  for (int k = 0; k < lower->size; ++k) {
    start[k] = filled;
    for (int p = lower->row_start[k]; p < lower->row_start[k + 1]; ++p) neighbour[filled++] = lower->column[p];
    for (int p = lower->column_start[k]; p < lower->column_start[k + 1]; ++p) neighbour[filled++] = lower->row[p];
  }
  start[size] = filled;
  pthread_mutex_lock(&dissection_lock);
  bool made = METIS_NodeND(&count, start, neighbour, NULL, NULL, to, from) == METIS_OK;
  pthread_mutex_unlock(&dissection_lock);
  for (size_t k = 0; made && k < size; ++k) order[k] = (int)to[k];
  return made;
}

tacStatus tac_fill_order(const tacSparse *pattern, bool thorough, int *order, tacError *error) {
  size_t size = (size_t)pattern->cols;
  TAC_FREED(tac_strict_lower_destroy, tacStrictLower, lower) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  int *work = tac_arrays_add(&room, 7 * size, sizeof *work);
  Try first = {.order = order}, second = {.order = tac_arrays_add(&room, size, sizeof *order)};
  TAC_TRY(tac_arrays_status(&room, "an order of a sparse matrix", error));
  TAC_TRY(tac_strict_lower_create(pattern, NULL, &lower, error));
  TAC_TRY(by_degree(&lower, first.order, error));
  TAC_TRY(judge(pattern, &first, work, error));
  double entries = (double)size + lower.row_start[size];
  bool poor = first.flops >= 500.0 * first.nonzeros && first.nonzeros >= 5.0 * entries; /* as CHOLMOD decides */
  if ((!thorough && !poor) || !by_dissection(&lower, second.order)) return TAC_OK;
  TAC_TRY(judge(pattern, &second, work, error));
  if (second.flops < first.flops) memcpy(order, second.order, size * sizeof *order);
  return TAC_OK;
}
