#include "elastic/solids/free_newton.h"

#include <math.h>

static tacStatus create_arrays(tacFreeNewton *f, tacError *error) {
  size_t size = f->part.size, free_size = f->part.free_size;
  f->stiffness = tac_arrays_add(&f->arrays, f->places, sizeof(double));
  f->value = tac_arrays_add(&f->arrays, (size_t)tac_sparse_count(&f->part.matrix), sizeof(double));
  f->now = tac_arrays_add(&f->arrays, size, sizeof(double));
  f->inner = tac_arrays_add(&f->arrays, size, sizeof(double));
  f->diagonal = tac_arrays_add(&f->arrays, free_size, sizeof(double));
  f->load = tac_arrays_add(&f->arrays, free_size, sizeof(double));
  f->x = tac_arrays_add(&f->arrays, free_size, sizeof(double));
  TAC_TRY(tac_arrays_status(&f->arrays, "large deformations", error));
  tac_sparse_diagonal(&f->part.matrix, f->diagonal);
  return tac_newton_create(free_size, &f->newton, error);
}

tacStatus tac_free_newton_create(const tacSparse *pattern, const bool *held, tacFreeNewton *made, tacError *error) {
  *made = (tacFreeNewton){.places = (size_t)tac_sparse_count(pattern)};
  TAC_TRY(tac_free_lower_create(pattern, held, &made->part, error));
  TAC_TRY(create_arrays(made, error));
  return made->part.free_size > 0 ? tac_factor_create(&made->part.matrix, &made->factor, error) : TAC_OK;
}

tacStatus tac_free_newton_copy(const tacFreeNewton *from, bool whole, tacFreeNewton *copy, tacError *error) {
  *copy = (tacFreeNewton){.part = from->part, .copy = true, .places = from->places};
  TAC_TRY(create_arrays(copy, error));
  if (from->factor == NULL) return TAC_OK;
  return whole ? tac_factor_copy_whole(from->factor, &copy->factor, error)
               : tac_factor_copy(from->factor, &copy->factor, error);
}

void tac_free_newton_destroy(tacFreeNewton *f) {
  if (!f->copy) tac_free_lower_destroy(&f->part);
  tac_factor_destroy(f->factor);
  tac_newton_destroy(f->newton);
  tac_arrays_free(&f->arrays);
  *f = (tacFreeNewton){0};
}

void tac_free_newton_spread(const tacFreeNewton *f, const double *x) {
  for (size_t i = 0; i < f->part.size; ++i)
    if (f->part.free_of[i] >= 0) f->now[i] = x[f->part.free_of[i]];
}

tacStatus tac_free_newton_factor(tacFreeNewton *f, double shift, bool larger, tacError *error) {
  const tacSparse *matrix = &f->part.matrix;
  for (int j = 0, p = 0; j < matrix->cols; ++j)
    for (; p < matrix->column_start[j + 1]; ++p) {
      double value = f->stiffness[f->part.source[p]], diagonal = f->diagonal[j];
      if (larger) diagonal = fmax(diagonal, fabs(value));
      f->value[p] = value + (matrix->row[p] == j ? shift * diagonal : 0.0);
    }
  return tac_factor_update(f->factor, f->value, error);
}

tacStatus tac_free_newton_check(const tacFreeNewton *f, const double *x, bool held_only, const char *what,
                                tacError *error) {
  for (size_t i = 0; x != NULL && i < f->part.size; ++i)
    if (!isfinite(x[i]) && (!held_only || f->part.free_of[i] < 0))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the %s of vertex %zu is NaN or infinite", what, i / 3);
  return TAC_OK;
}
