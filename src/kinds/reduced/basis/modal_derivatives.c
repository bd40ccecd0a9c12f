#include "kinds/reduced/basis/modal_derivatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "elastic/solids/stiffness_hessian.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"
#include "math/sparse/factor.h"
#include "math/sparse/minres.h"

/* `BLOCK` is the number of unordered pairs solved at a time: large enough for efficient BLAS, small enough for
 * memory. */
enum { BLOCK = 64, SOLVED = 4 /* pairs per parallel task */, FREE_BLOCK = 8, MOST_ITERATIONS = 1000 };

/* Relative difference below which two eigenvalues count as equal. Modes of equal eigenvalues are an arbitrary basis of
 * the eigenspace. The change of a mode within the eigenspace is also arbitrary and is omitted. */
static const double same_value = 1e-6;

void tac_modal_derivatives_destroy(tacModalDerivatives *derivatives) {
  free(derivatives->pair);
  free(derivatives->vector);
  *derivatives = (tacModalDerivatives){0};
}

typedef struct Work {
  const tacSolid *solid;
  const tacVibrationModes *modes;
  tacConstraints constraints;
  tacSparse stiffness, mass; /* matrices of the free vertices */
  tacFactor *factor;         /* factorisation of K, or of K + lambda_1 M for a free body */
  tacDense known, weighted;  /* Psi: columns of rigid motions and modes, for a free body; M Psi */
  double *value;             /* eigenvalues of the columns of `known` */
  double *right;             /* (H : Psi_j) Psi_i for each pair of a block */
  double shift[2 * FREE_BLOCK];
  tacModalDerivatives *derivatives;
  const tacProgress *progress;
  double done; /* fraction of the pairs that is complete */
  int64_t last_report;
} Work;

static void destroy_work(Work *work) {
  tac_constraints_destroy(&work->constraints);
  tac_sparse_destroy(&work->stiffness);
  tac_sparse_destroy(&work->mass);
  tac_factor_destroy(work->factor);
  tac_dense_destroy(&work->known);
  tac_dense_destroy(&work->weighted);
  free(work->value);
  free(work->right);
}

/* Reports progress at most five times a second. The first report comes immediately. */
static tacStatus report(Work *work, tacError *error) {
  const tacProgress *progress = work->progress;
  int64_t now = tac_clock_now();
  if (progress == NULL || progress->report == NULL || now - work->last_report < TAC_NS_PER_SECOND / 5) return TAC_OK;
  work->last_report = now;
  if (progress->report("modal derivatives", work->done, progress->user)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_CANCELLED, "modal derivatives: cancelled");
}

static tacStatus factorise(Work *work, tacError *error) {
  TAC_FREED(tac_sparse_destroy, tacSparse, shifted) = {0};
  const tacSparse *matrix = &work->stiffness;
  if (work->modes->rigid_count > 0) {
    TAC_TRY(tac_sparse_add(1.0, &work->stiffness, work->modes->value[0], &work->mass, &shifted, error));
    matrix = &shifted;
  }
  TAC_TRY(tac_factor_create(matrix, &work->factor, error));
  return tac_factor_update(work->factor, matrix->value, error);
}

static tacStatus gather_known(Work *work, tacError *error) {
  const tacVibrationModes *modes = work->modes;
  int rigid = modes->rigid_count, elastic = modes->count + modes->more_count;
  size_t size = (size_t)modes->size;
  TAC_TRY(TAC_ARRAY(work->value, (size_t)(rigid + elastic), "eigenvalues", error));
  TAC_TRY(tac_dense_create(modes->size, rigid + elastic, &work->known, error));
  TAC_TRY(tac_dense_create(modes->size, rigid + elastic, &work->weighted, error));
  memcpy(work->known.a, modes->rigid, (size_t)rigid * size * sizeof(double));
  memcpy(work->known.a + (size_t)rigid * size, modes->vector, (size_t)elastic * size * sizeof(double));
  memcpy(work->value + rigid, modes->value, (size_t)elastic * sizeof(double));
  tac_sparse_multiply_transposed(&work->mass, work->known.a, rigid + elastic, work->weighted.a);
  return TAC_OK;
}

typedef struct Product {
  const Work *work;
  const int *system;
  const double *x;
  double *y;
} Product;

static void multiply(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Product *product = context;
  const tacSparse *k = &product->work->stiffness, *m = &product->work->mass;
  for (size_t c = begin; c < end; ++c) {
    const double *x = product->x + c * (size_t)k->rows, shift = product->work->shift[product->system[c]];
    double *y = product->y + c * (size_t)k->rows;
    tac_sparse_multiply_transposed(k, x, 1, y);
    for (int j = 0; j < m->cols; ++j) {
      double sum = 0.0;
      for (int p = m->column_start[j]; p < m->column_start[j + 1]; ++p) sum += m->value[p] * x[m->row[p]];
      y[j] -= shift * sum;
    }
  }
}

static tacStatus apply_shifted(int count, const int *system, const double *x, double *y, void *context,
                               tacError *error) {
  Product product = {context, system, x, y};
  TAC_TRY(report(context, error)); /* reports in every iteration, because a system may need many iterations */
  return tac_parallel_for(0, (size_t)count, 1, multiply, &product, NULL, "modal derivatives", error);
}

/* Applies the preconditioner, which is the factor restricted to the space mass-orthogonal to all known modes. In this
 * space K - lambda_i M is positive definite. It is close to K except for modes just above the known modes. The
 * projection is applied on both sides; otherwise rounding would break the symmetry for small right-hand sides. */
static tacStatus precondition(int count, const int *system, const double *x, double *y, void *context,
                              tacError *error) {
  (void)system;
  Work *work = context;
  tacDense vectors = {work->mass.rows, count, work->mass.rows, y};
  TAC_FREED(tac_dense_destroy, tacDense, part) = {0};
  TAC_TRY(tac_dense_create(work->known.cols, count, &part, error));
  memcpy(y, x, (size_t)count * (size_t)work->mass.rows * sizeof *y);
  tac_dense_gemm(1.0, &work->known, true, &vectors, false, 0.0, &part);
  tac_dense_gemm(-1.0, &work->weighted, false, &part, false, 1.0, &vectors);
  TAC_TRY(tac_factor_solve(work->factor, y, count, y, error));
  tac_dense_gemm(1.0, &work->weighted, true, &vectors, false, 0.0, &part);
  tac_dense_gemm(-1.0, &work->known, false, &part, false, 1.0, &vectors);
  return TAC_OK;
}

/* Splits the solution Phi for the right-hand side b = -(H : Psi_j) Psi_i into two parts. `known` receives the first
 * part, the sum over the known modes of Psi_l (Psi_l^T b) / (lambda_l - lambda_i). The second part is mass-orthogonal
 * to the known modes, and is computed later from the remaining part of b. The remaining part replaces `b`. */
static void split(const Work *work, double shift, double *b, double *part, double *known) {
  const tacVibrationModes *modes = work->modes;
  int n = modes->size;
  double whole = tac_vector_norm(n, b);
  tac_dense_gemv(1.0, &work->known, true, b, 0.0, part);
  tac_dense_gemv(-1.0, &work->weighted, false, part, 1.0, b);
  /* A remainder this small is a rounding error. */
  if (tac_vector_norm(n, b) <= 1e-13 * whole) memset(b, 0, (size_t)n * sizeof *b);
  for (int l = 0; l < work->known.cols; ++l) {
    double gap = work->value[l] - shift;
    part[l] = l < modes->rigid_count || fabs(gap) <= same_value * shift ? 0.0 : part[l] / gap;
  }
  tac_dense_gemv(1.0, &work->known, false, part, 0.0, known);
}

/* Computes Phi_ij and Phi_ji for `count` pairs of a free body. Both have the right-hand side -(H : Psi_j) Psi_i. */
static tacStatus solve_free(Work *work, int count, const int *first, const int *second, tacError *error) {
  int k = work->modes->count, systems = 0, target[2 * FREE_BLOCK];
  size_t size = (size_t)work->modes->size;
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  double *b = tac_arrays_add(&room, 2 * (size_t)count * size, sizeof *b);
  double *x = tac_arrays_add(&room, 2 * (size_t)count * size, sizeof *x);
  double *part = tac_arrays_add(&room, (size_t)work->known.cols, sizeof *part);
  TAC_TRY(tac_arrays_status(&room, "modal derivatives", error));
  for (int p = 0; p < count; ++p) {
    for (int side = 0; side < (first[p] == second[p] ? 1 : 2); ++side, ++systems) {
      int i = side == 0 ? first[p] : second[p], j = side == 0 ? second[p] : first[p];
      double *from = b + (size_t)systems * size;
      for (size_t e = 0; e < size; ++e) from[e] = -work->right[(size_t)p * size + e];
      target[systems] = i * k + j;
      work->shift[systems] = work->modes->value[i];
      split(work, work->shift[systems], from, part, work->derivatives->vector + (size_t)target[systems] * size);
    }
  }
  tacMinresDef def = {.size = work->modes->size,
                      .count = systems,
                      .apply = apply_shifted,
                      .precondition = precondition,
                      .context = work,
                      .tolerance = 1e-10,
                      .most = MOST_ITERATIONS};
  tacStatus status = tac_minres_solve(&def, b, x, NULL, error);
  if (status == TAC_ERR_NO_CONVERGENCE)
    tac_error_set(error, status,
                  "cannot compute the derivatives of mode %d or one of the next: a mode that is not among the first "
                  "%d has nearly the same frequency; ask for a few more or fewer modes",
                  first[0] + 1, k);
  for (int s = 0; status == TAC_OK && s < systems; ++s)
    tac_vector_add((int)size, 1.0, x + (size_t)s * size, work->derivatives->vector + (size_t)target[s] * size);
  return status;
}

typedef struct {
  tacFactor *factor;
  size_t size;
  double *x;
  tacStatus status[BLOCK];
  tacError error[BLOCK];
} Solve;

static void solve_some(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Solve *solve = context;
  double *x = solve->x + begin * solve->size;
  solve->status[begin] = tac_factor_solve(solve->factor, x, (int)(end - begin), x, &solve->error[begin]);
}

/* Computes Phi_ij for `count` pairs of an anchored body, and stores the results from `column` on. */
static tacStatus solve_held(Work *work, int count, int column, tacError *error) {
  size_t size = (size_t)work->modes->size, free_size = (size_t)work->stiffness.rows;
  TAC_MEMORY(double, part) = NULL;
  TAC_TRY(TAC_ARRAY(part, (size_t)count * free_size, "modal derivatives", error));
  for (int p = 0; p < count; ++p)
    tac_constraints_take(&work->constraints, TAC_SIDE_FREE, work->right + (size_t)p * size,
                         part + (size_t)p * free_size);
  Solve solve = {.factor = work->factor, .size = free_size, .x = part};
  TAC_TRY(tac_parallel_for(0, (size_t)count, SOLVED, solve_some, &solve, NULL, "modal derivatives", error));
  for (int p = 0; p < count; ++p)
    if (solve.status[p] != TAC_OK) return tac_error_set(error, solve.status[p], "%s", solve.error[p].text);
  for (int p = 0; p < count; ++p) {
    double *x = part + (size_t)p * free_size;
    tac_vector_scale((int)free_size, -1.0, x);
    tac_constraints_put(&work->constraints, TAC_SIDE_FREE, x, work->derivatives->vector + (size_t)(column + p) * size);
  }
  return TAC_OK;
}

static tacStatus compute(Work *work, tacError *error) {
  const tacVibrationModes *modes = work->modes;
  int k = modes->count, pairs = k * (k + 1) / 2, done = 0, first[BLOCK], second[BLOCK], i = 0, j = 0;
  int block = modes->rigid_count > 0 ? FREE_BLOCK : BLOCK;
  TAC_TRY(TAC_ARRAY(work->right, (size_t)block * (size_t)modes->size, "modal derivatives", error));
  while (done < pairs) {
    work->done = (double)done / pairs;
    TAC_TRY(report(work, error));
    int count = pairs - done < block ? pairs - done : block;
    for (int p = 0; p < count; ++p) {
      first[p] = i;
      second[p] = j++;
      if (j == k) j = ++i;
    }
    int64_t start = tac_clock_now();
    TAC_TRY(tac_stiffness_hessian_contract(work->solid, modes->vector, count, first, second, work->right, error));
    int64_t built = tac_clock_now();
    TAC_TRY(modes->rigid_count > 0 ? solve_free(work, count, first, second, error)
                                   : solve_held(work, count, done, error));
    work->derivatives->build_seconds += tac_clock_seconds(built - start);
    work->derivatives->solve_seconds += tac_clock_seconds(tac_clock_now() - built);
    done += count;
  }
  return TAC_OK;
}

static tacStatus allocate(const tacVibrationModes *modes, tacModalDerivatives *derivatives, tacError *error) {
  int k = modes->count, place = 0;
  bool is_free = modes->rigid_count > 0;
  derivatives->size = modes->size;
  derivatives->count = is_free ? k * k : k * (k + 1) / 2;
  TAC_TRY(TAC_ARRAY(derivatives->pair, (size_t)derivatives->count, "modal derivatives", error));
  TAC_TRY(TAC_ARRAY(derivatives->vector, (size_t)derivatives->count * (size_t)modes->size, "modal derivatives", error));
  for (int i = 0; i < k; ++i)
    for (int j = is_free ? 0 : i; j < k; ++j, ++place) {
      derivatives->pair[place][0] = i;
      derivatives->pair[place][1] = j;
    }
  return TAC_OK;
}

tacStatus tac_modal_derivatives_compute(const tacSolid *solid, const tacVibrationModes *modes,
                                        const tacProgress *progress, tacModalDerivatives *derivatives,
                                        tacError *error) {
  *derivatives = (tacModalDerivatives){0};
  if (modes->size != 3 * solid->mesh->vertex_count || modes->count < 1 || modes->count > 10000)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the %d modes of size %d do not fit a mesh of %d vertices",
                         modes->count, modes->size, solid->mesh->vertex_count);
  TAC_FREED(tac_modal_derivatives_destroy, tacModalDerivatives, made) = {0};
  TAC_FREED(destroy_work, Work, work) = {.solid = solid, .modes = modes, .derivatives = &made, .progress = progress};
  TAC_TRY(allocate(modes, &made, error));
  TAC_TRY(report(&work, error));
  int64_t start = tac_clock_now();
  TAC_TRY(tac_vibration_modes_blocks(solid, &work.constraints, &work.stiffness, &work.mass, error));
  TAC_TRY(factorise(&work, error));
  if (modes->rigid_count > 0) TAC_TRY(gather_known(&work, error));
  made.solve_seconds = tac_clock_seconds(tac_clock_now() - start);
  TAC_TRY(compute(&work, error));
  *derivatives = made;
  made = (tacModalDerivatives){0};
  return TAC_OK;
}
