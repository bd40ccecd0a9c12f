#include "elastic/free_lower.h"

#include <stdlib.h>
#include "base/memory/array.h"

void tac_free_lower_destroy(tacFreeLower *f) {
  tac_sparse_destroy(&f->matrix);
  free(f->free_of);
  free(f->source);
  *f = (tacFreeLower){0};
}

static tacStatus fill(const tacSparse *lower, const bool *held, tacFreeLower *f, tacError *error) {
  f->size = (size_t)lower->rows;
  TAC_TRY(TAC_ARRAY(f->free_of, f->size, "a matrix", error));
  for (size_t i = 0; i < f->size; ++i) f->free_of[i] = held[i / 3] ? -1 : (int)f->free_size++;
  size_t count = 0;
  for (int j = 0; j < lower->cols; ++j)
    for (int p = lower->column_start[j]; p < lower->column_start[j + 1]; ++p)
      count += f->free_of[j] >= 0 && f->free_of[lower->row[p]] >= 0;
  tacSparse *matrix = &f->matrix;
  TAC_TRY(tac_sparse_create((int)f->free_size, (int)f->free_size, count, matrix, error));
  TAC_TRY(TAC_ARRAY(f->source, count, "a matrix", error));
  int place = 0;
  for (int j = 0; j < lower->cols; ++j) {
    if (f->free_of[j] < 0) continue;
    for (int p = lower->column_start[j]; p < lower->column_start[j + 1]; ++p) {
      if (f->free_of[lower->row[p]] < 0) continue;
      matrix->row[place] = f->free_of[lower->row[p]];
      matrix->value[place] = lower->value[p];
      f->source[place++] = p;
    }
    matrix->column_start[f->free_of[j] + 1] = place;
  }
  return TAC_OK;
}

tacStatus tac_free_lower_create(const tacSparse *lower, const bool *held, tacFreeLower *free_lower, tacError *error) {
  *free_lower = (tacFreeLower){0};
  tacStatus status = fill(lower, held, free_lower, error);
  if (status != TAC_OK) tac_free_lower_destroy(free_lower);
  return status;
}

void tac_free_lower_take(const tacFreeLower *free_lower, const double *all, double *free_ones) {
  for (size_t i = 0; i < free_lower->size; ++i)
    if (free_lower->free_of[i] >= 0) free_ones[free_lower->free_of[i]] = all[i];
}

void tac_free_lower_put(const tacFreeLower *free_lower, const double *free_ones, double *all) {
  for (size_t i = 0; i < free_lower->size; ++i)
    all[i] = free_lower->free_of[i] >= 0 ? free_ones[free_lower->free_of[i]] : 0.0;
}
