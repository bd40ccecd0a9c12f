#include "math/sparse/factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/sparse/fill_order.h"
#include "math/sparse/supernodal_cholesky.h"
#include "math/sparse/supernodal_solve.h"

struct tacFactor {
  tacSupernodalPlan *plan; /* shared with copies */
  double *value;           /* of L */
  bool live;               /* the calling thread alone */
  bool ready;              /* the last update succeeded */
};

/* Takes over a share of the plan, also where it fails. */
static tacStatus create_with_plan(tacSupernodalPlan *plan, bool live, tacFactor **factor, tacError *error) {
  tacFactor *made = tac_array_create(1, sizeof *made, "a sparse factor", error);
  double *value =
      tac_array_create((size_t)plan->value_start[plan->count], sizeof *value, "the numbers of a sparse factor", error);
  if (made == NULL || value == NULL) {
    tac_supernodal_plan_release(plan);
    free(made);
    free(value);
    return TAC_ERR_MEMORY;
  }
  *made = (tacFactor){.plan = plan, .value = value, .live = live};
  *factor = made;
  return TAC_OK;
}

static tacStatus create(const tacSparse *pattern, bool live, tacFactor **factor, tacError *error) {
  *factor = NULL;
  if (pattern->rows != pattern->cols)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a Cholesky factor needs a square matrix, not %d x %d", pattern->rows,
                         pattern->cols);
  tacSparse places = *pattern;
  places.value = NULL;
  TAC_TRY(tac_sparse_check(&places, error));
  tacSupernodalPlan *plan = NULL;
  TAC_MEMORY(int, order) = NULL;
  TAC_TRY(TAC_ARRAY(order, (size_t)pattern->cols, "an order of a sparse matrix", error));
  TAC_TRY(tac_fill_order(pattern, live, order, error));
  TAC_TRY(tac_supernodal_plan_create(pattern, order, live, &plan, error));
  return create_with_plan(plan, live, factor, error);
}

tacStatus tac_factor_create(const tacSparse *pattern, tacFactor **factor, tacError *error) {
  return create(pattern, false, factor, error);
}

tacStatus tac_factor_create_live(const tacSparse *pattern, tacFactor **factor, tacError *error) {
  return create(pattern, true, factor, error);
}

tacStatus tac_factor_copy(tacFactor *factor, tacFactor **copy, tacError *error) {
  *copy = NULL;
  return create_with_plan(tac_supernodal_plan_share(factor->plan), factor->live, copy, error);
}

tacStatus tac_factor_copy_whole(tacFactor *factor, tacFactor **copy, tacError *error) {
  tacStatus status = tac_factor_copy(factor, copy, error);
  if (status != TAC_OK || !factor->ready) return status;
  memcpy((*copy)->value, factor->value, (size_t)factor->plan->value_start[factor->plan->count] * sizeof(double));
  (*copy)->ready = true;
  return TAC_OK;
}

void tac_factor_destroy(tacFactor *factor) {
  if (factor == NULL) return;
  tac_supernodal_plan_release(factor->plan);
  free(factor->value);
  free(factor);
}

tacStatus tac_factor_update(tacFactor *factor, const double *value, tacError *error) {
  const tacSupernodalPlan *plan = factor->plan;
  factor->ready = false;
  for (size_t p = 0; p < plan->entries; ++p)
    if (!isfinite(value[p]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "entry %zu of a sparse matrix is NaN or infinite", p);
  int column;
  tacStatus status = tac_supernodal_cholesky(plan, factor->live, value, factor->value, &column, error);
  if (status == TAC_OK && column >= 0)
    status = tac_error_set(error, TAC_ERR_SINGULAR, "a sparse matrix of size %d is not positive definite at column %d",
                           plan->size, plan->order[column]);
  factor->ready = status == TAC_OK;
  return status;
}

tacStatus tac_factor_solve(tacFactor *factor, const double *b, int count, double *x, tacError *error) {
  if (!factor->ready)
    return tac_error_set(error, TAC_ERR_SINGULAR, "the sparse factor has no values yet; update it before solving");
  if (count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the number of right-hand sides is %d; it must be 0 or more", count);
  return tac_supernodal_solve(factor->plan, factor->live, factor->value, b, count, x, error);
}

tacSupernodes tac_factor_supernodes(const tacFactor *factor) {
  return tac_supernodal_plan_view(factor->plan, factor->value);
}

/* (smallest / largest diagonal entry of L)^2 */
static double condition(const tacFactor *factor) {
  tacSupernodes l = tac_factor_supernodes(factor);
  double least = INFINITY, most = 0.0;
  for (int s = 0; s < l.count; ++s)
    for (int k = 0; k < tac_supernodes_width(&l, s); ++k) {
      double entry = l.value[(size_t)l.value_start[s] + (size_t)k * ((size_t)tac_supernodes_high(&l, s) + 1)];
      least = fmin(least, entry);
      most = fmax(most, entry);
    }
  return most > 0.0 ? (least / most) * (least / most) : 1.0;
}

tacFactorReport tac_factor_report(tacFactor *factor) {
  const tacSupernodalPlan *plan = factor->plan;
  return (tacFactorReport){.size = plan->size,
                           .nonzeros = plan->nonzeros,
                           .flops = plan->flops,
                           .bytes = plan->bytes + (size_t)plan->value_start[plan->count] * sizeof(double),
                           .rcond = factor->ready ? condition(factor) : 0.0};
}
