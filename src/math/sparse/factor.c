#include "math/sparse/factor.h"

#include <cholmod.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/physical_memory.h"
#include "math/dense/blas.h"
#include "math/sparse/supernodal_cholesky.h"

/* What one thread solves with. */
typedef struct Solver {
  cholmod_common common;
  cholmod_dense *solution_work, *supernode_work; /* kept between solves */
  struct Solver *next;
} Solver;

struct tacFactor {
  cholmod_common common;
  cholmod_sparse matrix; /* our copy of the pattern; its values are lent by the caller during an update */
  cholmod_factor *factor;
  pthread_mutex_t lock;    /* guards: */
  Solver *idle;            /* those that no thread uses now */
  tacSupernodalPlan *plan; /* of a large factor, since the first update */
  double nonzeros, flops;
  bool one_thread; /* also where it is large */
  bool ready;      /* the last update succeeded */
};

/* From so many operations on, numbers are computed by our own loops, which use all threads where it is worth it. */
static const double large_flops = 1e6;
/* And from so many on, also the solution with one right-hand side, which takes a millisecond then. */
static const double many_nonzeros = 5e5;

/* METIS draws random numbers from one sequence for all threads: two orderings at once would be other ones each time. */
static pthread_mutex_t ordering_lock = PTHREAD_MUTEX_INITIALIZER;

static tacStatus failure(const tacFactor *factor, int reason, const char *what, tacError *error) {
  switch (reason) {
    case CHOLMOD_OUT_OF_MEMORY: return tac_error_set(error, TAC_ERR_MEMORY, "out of memory in %s", what);
    case CHOLMOD_TOO_LARGE:
      return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s of size %zu: more than 2^31 entries in the factor", what,
                           factor->matrix.nrow);
    default:
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s of size %zu failed with CHOLMOD's status %d", what,
                           factor->matrix.nrow, reason);
  }
}

static void start_common(cholmod_common *common) {
  cholmod_start(common);
  common->print = 0;
  common->error_handler = NULL;
  common->try_catch = 1;
}

/* The pattern without an analysis. NULL without memory. */
static tacFactor *empty_factor(int size, const int *column_start, const int *rows, tacError *error) {
  tacFactor *made = tac_array_create(1, sizeof *made, "a sparse factor", error);
  if (made == NULL) return NULL;
  pthread_mutex_init(&made->lock, NULL);
  start_common(&made->common);
  made->common.metis_memory = 2.0; /* tries whether there is memory enough first: METIS does not survive without */
  made->common.final_ll = 1;       /* L D L^T would let indefinite matrices pass */

  size_t columns = (size_t)size, count = size > 0 ? (size_t)column_start[size] : 0;
  int *start = tac_array_create(columns + 1, sizeof *start, "a sparse factor", error);
  int *row = tac_array_create(count, sizeof *row, "a sparse factor", error);
  made->matrix = (cholmod_sparse){.nrow = columns,
                                  .ncol = columns,
                                  .nzmax = count,
                                  .p = start,
                                  .i = row,
                                  .stype = -1, /* the lower triangle counts, entries above it are ignored */
                                  .itype = CHOLMOD_INT,
                                  .xtype = CHOLMOD_PATTERN,
                                  .dtype = CHOLMOD_DOUBLE,
                                  .sorted = 1,
                                  .packed = 1};
  if (start == NULL || row == NULL) {
    tac_factor_destroy(made);
    return NULL;
  }
  if (size > 0) {
    memcpy(start, column_start, (columns + 1) * sizeof *start);
    memcpy(row, rows, count * sizeof *row);
  }
  return made;
}

static tacStatus create(const tacSparse *pattern, bool supernodes, tacFactor **factor, tacError *error) {
  *factor = NULL;
  if (pattern->rows != pattern->cols)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a Cholesky factor needs a square matrix, not %d x %d", pattern->rows,
                         pattern->cols);
  tacSparse places = *pattern;
  places.value = NULL;
  tacStatus status = tac_sparse_check(&places, error);
  if (status != TAC_OK) return status;

  tacFactor *made = empty_factor(pattern->cols, pattern->column_start, pattern->row, error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->one_thread = supernodes;
  if (supernodes) { /* numbers often: both orders are tried, where CHOLMOD takes AMD's if that is good enough */
    made->common.supernodal = CHOLMOD_SUPERNODAL;
    made->common.nmethods = 2;
    made->common.method[0].ordering = CHOLMOD_AMD;
    made->common.method[1].ordering = CHOLMOD_METIS;
  }
  pthread_mutex_lock(&ordering_lock);
  made->factor = cholmod_analyze(&made->matrix, &made->common);
  pthread_mutex_unlock(&ordering_lock);
  if (made->factor == NULL) status = failure(made, made->common.status, "the analysis of a sparse matrix", error);
  made->nonzeros = made->common.lnz;
  made->flops = made->common.fl;
  double bytes = (double)sizeof(double) * made->nonzeros, machine = (double)tac_physical_memory();
  if (status == TAC_OK && bytes > 0.9 * machine)
    status = tac_error_set(error, TAC_ERR_MEMORY,
                           "the factor of a matrix with %d rows would need %.1f GiB, and this machine has %.1f GiB: a "
                           "coarser mesh needs less",
                           pattern->rows, bytes / (1 << 30), machine / (1 << 30));
  if (status != TAC_OK) {
    tac_factor_destroy(made);
    made = NULL;
  }
  *factor = made;
  return status;
}

tacStatus tac_factor_create(const tacSparse *pattern, tacFactor **factor, tacError *error) {
  return create(pattern, false, factor, error);
}

tacStatus tac_factor_create_supernodal(const tacSparse *pattern, tacFactor **factor, tacError *error) {
  return create(pattern, true, factor, error);
}

tacStatus tac_factor_copy(tacFactor *factor, tacFactor **copy, tacError *error) {
  *copy = NULL;
  tacFactor *made = empty_factor((int)factor->matrix.ncol, factor->matrix.p, factor->matrix.i, error);
  if (made == NULL) return TAC_ERR_MEMORY;
  tacStatus status = TAC_OK;
  made->factor = cholmod_copy_factor(factor->factor, &made->common);
  if (made->factor == NULL) status = failure(made, made->common.status, "the copy of a sparse factor", error);
  made->nonzeros = factor->nonzeros;
  made->flops = factor->flops;
  made->one_thread = factor->one_thread;
  made->plan = tac_supernodal_plan_share(factor->plan);
  if (status == TAC_OK)
    *copy = made;
  else
    tac_factor_destroy(made);
  return status;
}

tacStatus tac_factor_copy_whole(tacFactor *factor, tacFactor **copy, tacError *error) {
  tacStatus status = tac_factor_copy(factor, copy, error); /* CHOLMOD's copy has the numbers, if there are any */
  if (status == TAC_OK) (*copy)->ready = factor->ready;
  return status;
}

void tac_factor_destroy(tacFactor *factor) {
  if (factor == NULL) return;
  for (Solver *solver = factor->idle, *next; solver != NULL; solver = next) {
    next = solver->next;
    cholmod_free_dense(&solver->solution_work, &solver->common);
    cholmod_free_dense(&solver->supernode_work, &solver->common);
    cholmod_finish(&solver->common);
    free(solver);
  }
  pthread_mutex_destroy(&factor->lock);
  cholmod_free_factor(&factor->factor, &factor->common);
  cholmod_finish(&factor->common);
  tac_supernodal_plan_release(factor->plan);
  free(factor->matrix.p);
  free(factor->matrix.i);
  free(factor);
}

static tacStatus not_definite(const tacFactor *factor, size_t column, tacError *error) {
  return tac_error_set(error, TAC_ERR_SINGULAR, "a sparse matrix of size %zu is not positive definite at column %d",
                       factor->factor->n, ((int *)factor->factor->Perm)[column]);
}

/* Our own loops in CHOLMOD's factor. */
static tacStatus update_large(tacFactor *factor, const double *value, tacError *error) {
  cholmod_factor *l = factor->factor;
  if (l->xtype == CHOLMOD_PATTERN && !cholmod_change_factor(CHOLMOD_REAL, 1, 1, 1, 1, l, &factor->common))
    return failure(factor, factor->common.status, "the factorisation of a sparse matrix", error);
  const tacSupernodes supernodes = tac_factor_supernodes(factor);
  tacStatus status = TAC_OK;
  if (factor->plan == NULL)
    status = tac_supernodal_plan_create(&supernodes, factor->matrix.p, factor->matrix.i, &factor->plan, error);
  int column = -1;
  if (status == TAC_OK) status = tac_supernodal_cholesky(factor->plan, &supernodes, value, l->x, &column, error);
  if (status == TAC_OK && column >= 0) status = not_definite(factor, (size_t)column, error);
  l->minor = column >= 0 ? (size_t)column : l->n;
  return status;
}

static tacStatus update_small(tacFactor *factor, const double *value, tacError *error) {
  cholmod_sparse matrix = factor->matrix;
  matrix.xtype = CHOLMOD_REAL;
  double *lent;
  memcpy(&lent, &value, sizeof lent); /* CHOLMOD does not write to it, but has no const */
  matrix.x = lent;
  factor->common.status = CHOLMOD_OK;
  tac_blas_begin();
  cholmod_factorize(&matrix, factor->factor, &factor->common);
  tac_blas_end();
  if (factor->common.status < CHOLMOD_OK)
    return failure(factor, factor->common.status, "the factorisation of a sparse matrix", error);
  return factor->factor->minor < factor->factor->n ? not_definite(factor, factor->factor->minor, error) : TAC_OK;
}

tacStatus tac_factor_update(tacFactor *factor, const double *value, tacError *error) {
  factor->ready = false;
  for (size_t p = 0; p < factor->matrix.nzmax; ++p)
    if (!isfinite(value[p]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "entry %zu of a sparse matrix is not finite", p);
  bool large = factor->factor->is_super && !factor->one_thread && factor->flops >= large_flops;
  tacStatus status = large ? update_large(factor, value, error) : update_small(factor, value, error);
  factor->ready = status == TAC_OK;
  return status;
}

/* A solver that no other thread uses; NULL without memory. */
static Solver *take_solver(tacFactor *factor) {
  pthread_mutex_lock(&factor->lock);
  Solver *solver = factor->idle;
  if (solver != NULL) factor->idle = solver->next;
  pthread_mutex_unlock(&factor->lock);
  if (solver != NULL) return solver;
  solver = calloc(1, sizeof *solver);
  if (solver != NULL) start_common(&solver->common);
  return solver;
}

static void give_back(tacFactor *factor, Solver *solver) {
  pthread_mutex_lock(&factor->lock);
  solver->next = factor->idle;
  factor->idle = solver;
  pthread_mutex_unlock(&factor->lock);
}

tacStatus tac_factor_solve(tacFactor *factor, const double *b, int count, double *x, tacError *error) {
  size_t size = factor->matrix.nrow;
  if (!factor->ready)
    return tac_error_set(error, TAC_ERR_SINGULAR, "a sparse factor without numbers cannot solve: update it first");
  if (count < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "%d right-hand sides", count);
  if (count == 0 || size == 0) return TAC_OK;
  if (count == 1 && factor->plan != NULL && factor->nonzeros >= many_nonzeros) {
    const tacSupernodes supernodes = tac_factor_supernodes(factor);
    return tac_supernodal_solve(tac_supernodal_plan_shares(factor->plan), &supernodes, b, x, error);
  }
  double *lent;
  memcpy(&lent, &b, sizeof lent);
  cholmod_dense right = {.nrow = size,
                         .ncol = (size_t)count,
                         .nzmax = size * (size_t)count,
                         .d = size,
                         .x = lent,
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
  cholmod_dense left = right, *result = &left; /* large enough, so that CHOLMOD fills it and allocates no other */
  left.x = x;
  Solver *solver = take_solver(factor);
  if (solver == NULL) return tac_error_set(error, TAC_ERR_MEMORY, "out of memory in the solution with a sparse factor");
  solver->common.status = CHOLMOD_OK;
  /* cholmod_solve2 makes its workspaces itself, but with supernodes it does not check whether it got the first. */
  int solved = !factor->factor->is_super || cholmod_ensure_dense(&solver->solution_work, size, right.ncol, size,
                                                                 CHOLMOD_REAL, &solver->common) != NULL;
  if (solved) {
    tac_blas_begin();
    solved = cholmod_solve2(CHOLMOD_A, factor->factor, &right, NULL, &result, NULL, &solver->solution_work,
                            &solver->supernode_work, &solver->common);
    tac_blas_end();
  }
  int reason = solver->common.status;
  give_back(factor, solver);
  return solved ? TAC_OK : failure(factor, reason, "the solution with a sparse factor", error);
}

tacSupernodes tac_factor_supernodes(const tacFactor *factor) {
  const cholmod_factor *l = factor->factor;
  return (tacSupernodes){.size = (int)l->n,
                         .count = (int)l->nsuper,
                         .first = l->super,
                         .row_start = l->pi,
                         .row = l->s,
                         .value_start = l->px,
                         .value = l->x,
                         .permutation = l->Perm};
}

tacFactorReport tac_factor_report(tacFactor *factor) {
  double rcond = factor->ready ? cholmod_rcond(factor->factor, &factor->common) : 0.0;
  return (tacFactorReport){.size = (int)factor->matrix.nrow,
                           .nonzeros = factor->nonzeros,
                           .flops = factor->flops,
                           .bytes = factor->common.memory_inuse + factor->matrix.nzmax * sizeof(int),
                           .supernodal = factor->factor->is_super,
                           .rcond = rcond};
}
