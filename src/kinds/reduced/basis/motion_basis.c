#include "kinds/reduced/basis/motion_basis.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "base/progress.h"
#include "kinds/reduced/basis/load_shapes.h"
#include "kinds/reduced/basis/modes_check.h"
#include "math/dense/vector.h"
#include "math/sparse/pca.h"

/* `BLOCK` is the number of columns orthonormalised at a time: large enough for efficient BLAS, small enough for
 * frequent progress reports. */
enum { BLOCK = 16, MOST_MODES = 1000 };

void tac_motion_basis_destroy(tacMotionBasis *basis) {
  free(basis->vector);
  free(basis->label);
  free(basis->coordinates);
  free(basis->linear_value);
  *basis = (tacMotionBasis){0};
}

/* ---- checks of the definition ---- */

/* Returns the number of modes and derivatives for k modes. An anchored body has one derivative per unordered pair of
 * modes, a free body has one per ordered pair. */
static int vector_count(int k, bool is_free) {
  return k + (is_free ? k * k : k * (k + 1) / 2);
}

static tacStatus check_def(const tacReducedDef *def, bool is_free, tacError *error) {
  bool loaded = def->source == TAC_BASIS_SKETCH || def->source == TAC_BASIS_MOTION;
  int k = def->mode_count, least = loaded ? 0 : 1, enough = k;
  if (!loaded && def->source != TAC_BASIS_MODES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown basis source %d", (int)def->source);
  if (def->size < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a basis of %d shapes is too small; at least 1 is needed", def->size);
  if (k < least || k > MOST_MODES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of linear modes (%d); give %d to %d", k, least,
                         MOST_MODES);
  if (def->source == TAC_BASIS_SKETCH && is_free)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "a basis from a sketch needs static equilibria, but no vertex is fixed; fix some vertices, "
                         "or use a basis from modes or motion");
  if (loaded || def->size <= vector_count(k, is_free)) return TAC_OK;
  while (vector_count(enough, is_free) < def->size) ++enough;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "too few modes: %d coordinates are wanted, but %d linear modes and their derivatives give "
                       "only %d vectors; use at least %d modes",
                       def->size, k, vector_count(k, is_free), enough);
}

/* ---- shapes ---- */

/* Shapes at the free vertices, weighted for PCA, and the source data of the shapes. */
typedef struct Data {
  const tacSolid *solid;
  const tacReducedDef *def;
  tacConstraints constraints;
  tacSparse mass;
  tacVibrationModes modes;
  tacModalDerivatives derivatives;
  tacLoadShapes snapshots;
  int derivative_count, snapshot_count;
  tacDense columns; /* shapes: modes, derivatives, snapshots */
  double *norm;     /* norms of the columns in the mass product */
  double *product;  /* M x of one column, [rows] */
  char (*label)[32];
  int named; /* number of labelled columns, which are the modes and derivatives */
  tacArrays arrays;
} Data;

static void destroy_data(Data *data) {
  tac_constraints_destroy(&data->constraints);
  tac_sparse_destroy(&data->mass);
  tac_vibration_modes_destroy(&data->modes);
  tac_modal_derivatives_destroy(&data->derivatives);
  tac_load_shapes_destroy(&data->snapshots);
  tac_dense_destroy(&data->columns);
  tac_arrays_free(&data->arrays);
}

static double mass_norm(const tacSparse *mass, const double *x, double *product) {
  tac_sparse_multiply_transposed(mass, x, 1, product);
  return sqrt(fmax(tac_vector_dot(mass->rows, x, product), 0.0));
}

/* Checks that the memory suffices for two copies of the shapes. An early error prevents harm to other processes. */
static tacStatus check_memory(const Data *data, int count, double *bytes, tacError *error) {
  double machine = (double)tac_physical_memory();
  *bytes = 2.0 * (double)sizeof(double) * count * data->mass.rows;
  if (*bytes < 0.9 * machine) return TAC_OK;
  return tac_error_set(error, TAC_ERR_MEMORY,
                       "%d shapes of %d values (modes, derivatives, snapshots) would need %.1f GiB, but this machine "
                       "has %.1f GiB; use fewer modes or a coarser mesh",
                       count, data->mass.rows, *bytes / (1 << 30), machine / (1 << 30));
}

static tacStatus allocate_columns(Data *data, int count, tacError *error) {
  data->norm = tac_arrays_add(&data->arrays, (size_t)count, sizeof *data->norm);
  data->label = tac_arrays_add(&data->arrays, (size_t)count, sizeof *data->label);
  data->product = tac_arrays_add(&data->arrays, (size_t)data->mass.rows, sizeof *data->product);
  TAC_TRY(tac_arrays_status(&data->arrays, "shapes", error));
  TAC_TRY(tac_dense_create(data->mass.rows, count, &data->columns, error));
  data->columns.cols = 0;
  return TAC_OK;
}

/* Appends a column without scaling. */
static void add_column(Data *data, const double *x) {
  int column = data->columns.cols++;
  double *to = tac_dense_column(&data->columns, column);
  tac_constraints_take(&data->constraints, TAC_SIDE_FREE, x, to);
  data->norm[column] = mass_norm(&data->mass, to, data->product);
}

static void scale_column(Data *data, int column, double norm) {
  tac_vector_scale(data->columns.rows, norm / data->norm[column], tac_dense_column(&data->columns, column));
  data->norm[column] = norm;
}

/* Adds modes and derivatives, weighted by (2.52): mode j by lambda_1 / lambda_j, normalised derivative i, j by
 * lambda_1^2 / (lambda_i lambda_j). Derivatives that vanish by symmetry contain only rounding errors and are
 * omitted. */
static void add_modes(Data *data) {
  const tacVibrationModes *modes = &data->modes;
  const tacModalDerivatives *derivatives = &data->derivatives;
  const double *value = modes->value;
  double largest = 0.0;
  for (int j = 0; j < modes->count; ++j) {
    add_column(data, modes->vector + (size_t)j * (size_t)modes->size);
    snprintf(data->label[j], sizeof data->label[j], "mode %d", j + 1);
    scale_column(data, j, value[0] / value[j]);
  }
  int first = data->columns.cols;
  for (int c = 0; c < derivatives->count; ++c) {
    add_column(data, derivatives->vector + (size_t)c * (size_t)derivatives->size);
    largest = fmax(largest, data->norm[first + c]);
  }
  int to = first;
  for (int c = 0; c < derivatives->count; ++c) {
    if (!(data->norm[first + c] > 1e-9 * largest)) continue;
    int i = derivatives->pair[c][0], j = derivatives->pair[c][1];
    if (to != first + c)
      memcpy(tac_dense_column(&data->columns, to), tac_dense_column(&data->columns, first + c),
             (size_t)data->columns.rows * sizeof(double));
    data->norm[to] = data->norm[first + c];
    snprintf(data->label[to], sizeof data->label[to], "derivative %hd %hd", (short)(i + 1), (short)(j + 1));
    scale_column(data, to++, value[0] * value[0] / (value[i] * value[j]));
  }
  data->columns.cols = data->named = to;
}

/* Adds the snapshots, scaled relative to the largest snapshot. The largest snapshot has the weight of the first
 * mode. */
static void add_snapshots(Data *data) {
  size_t size = 3 * (size_t)data->solid->mesh->vertex_count;
  int first = data->columns.cols;
  double largest = 0.0;
  for (int i = 0; i < data->snapshot_count; ++i) {
    add_column(data, data->snapshots.vector + (size_t)i * size);
    largest = fmax(largest, data->norm[first + i]);
  }
  for (int i = first; i < data->columns.cols; ++i)
    if (data->norm[i] > 0.0) scale_column(data, i, data->norm[i] / largest);
}

static tacStatus find_modes(Data *data, const tacProgress *progress, double from, double to, tacMotionBasis *basis,
                            tacError *error) {
  double middle = 0.5 * (from + to);
  tacProgressPart parts[2] = {{progress, from, middle, NULL}, {progress, middle, to, NULL}};
  tacProgress stages[2] = {tac_progress_part(&parts[0]), tac_progress_part(&parts[1])};
  int64_t start = tac_clock_now();
  TAC_TRY(tac_vibration_modes_compute(data->solid, data->def->mode_count, &stages[0], &data->modes, error));
  int64_t between = tac_clock_now();
  TAC_TRY(tac_modal_derivatives_compute(data->solid, &data->modes, &stages[1], &data->derivatives, error));
  data->derivative_count = data->derivatives.count;
  TAC_TRY(tac_modes_check(data->solid, &data->modes, &data->derivatives, &basis->checks, error));
  basis->modes_seconds = tac_clock_seconds(between - start);
  basis->derivatives_seconds = tac_clock_seconds(tac_clock_now() - between);
  return TAC_OK;
}

/* Collects the shapes of loads, then modes and derivatives. `to` is the fraction of the progress at the end. */
static tacStatus gather(Data *data, const tacProgress *progress, double to, tacMotionBasis *basis, tacError *error) {
  const tacReducedDef *def = data->def;
  bool loaded = def->source != TAC_BASIS_MODES;
  int k = def->mode_count;
  double middle = loaded ? (k > 0 ? 0.5 * to : to) : 0.0;
  TAC_TRY(tac_vibration_modes_blocks(data->solid, &data->constraints, NULL, &data->mass, error));
  bool is_free = data->constraints.count[TAC_SIDE_HELD] == 0;
  TAC_TRY(tac_solid_check_parts(data->solid, &data->constraints, error));
  TAC_TRY(check_def(def, is_free, error));
  TAC_TRY(check_memory(data, vector_count(k, is_free), &basis->bytes, error));
  if (loaded) {
    tacProgressPart part = {progress, 0.0, middle, NULL};
    tacProgress stage = tac_progress_part(&part);
    TAC_TRY((def->source == TAC_BASIS_SKETCH ? tac_load_shapes_static : tac_load_shapes_moving)(
        data->solid, def, &data->constraints, &data->mass, &stage, &data->snapshots, error));
    data->snapshot_count = data->snapshots.count;
  }
  if (k > 0) TAC_TRY(find_modes(data, progress, middle, to, basis, error));
  int count = data->modes.count + data->derivative_count + data->snapshot_count;
  TAC_TRY(check_memory(data, count, &basis->bytes, error));
  TAC_TRY(allocate_columns(data, count, error));
  add_modes(data);
  add_snapshots(data);
  return TAC_OK;
}

/* ---- the basis ---- */

/* Makes x mass-orthonormal to the columns `before`. Two passes are made, because one pass leaves cancellation errors.
 * Returns false if less than 1e-10 of the initial norm `whole` remains, because x then depends linearly on earlier
 * columns. */
static bool orthonormalise(const tacSparse *mass, const tacDense *before, double whole, double *product, double *x) {
  double left = mass_norm(mass, x, product), part[BLOCK];
  for (int pass = 0; pass < 2 && left > 1e-10 * whole; ++pass) {
    tac_dense_gemv(1.0, before, true, product, 0.0, part);
    tac_dense_gemv(-1.0, before, false, part, 1.0, x);
    left = mass_norm(mass, x, product);
  }
  if (!(left > 1e-10 * whole)) return false;
  tac_vector_scale(before->rows, 1.0 / left, x);
  return true;
}

/* Makes the columns of q mass-orthonormal in the given order, and drops dependent columns. `norm` contains the norms of
 * the columns. The columns are processed in blocks, so that most of the work is matrix products. Two passes are made
 * for each block. Each pass removes the components along earlier columns, then orthonormalises the columns of the
 * block. */
static tacStatus gram_schmidt(const tacSparse *mass, const double *norm, const tacProgress *progress, tacDense *q,
                              tacError *error) {
  int n = q->rows, count = q->cols, rank = 0;
  TAC_FREED(tac_dense_destroy, tacDense, weighted) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, part) = {0};
  TAC_TRY(tac_dense_create(n, BLOCK, &weighted, error));
  TAC_TRY(tac_dense_create(count, BLOCK, &part, error));
  for (int j = 0; j < count; j += BLOCK) {
    if (progress != NULL && progress->report != NULL &&
        !progress->report("motion basis", (double)j / count, progress->user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "motion basis: cancelled");
    tacDense earlier = {n, rank, q->stride, q->a};
    tacDense block = {n, count - j < BLOCK ? count - j : BLOCK, q->stride, tac_dense_column(q, rank)};
    memmove(block.a, tac_dense_column(q, j), (size_t)n * (size_t)block.cols * sizeof *block.a);
    for (int pass = 0; pass < 2; ++pass) {
      tacDense before = {n, 0, block.stride, block.a};
      part.rows = rank;
      weighted.cols = part.cols = block.cols;
      tac_sparse_multiply_transposed(mass, block.a, block.cols, weighted.a);
      tac_dense_gemm(1.0, &earlier, true, &weighted, false, 0.0, &part);
      tac_dense_gemm(-1.0, &earlier, false, &part, false, 1.0, &block);
      for (int c = 0; c < block.cols; ++c) {
        double *x = tac_dense_column(&block, before.cols);
        memmove(x, tac_dense_column(&block, c), (size_t)n * sizeof *x);
        before.cols += orthonormalise(mass, &before, pass == 0 ? norm[j + c] : 1.0, weighted.a, x);
      }
      block.cols = before.cols;
    }
    rank += block.cols;
  }
  q->cols = rank;
  return TAC_OK;
}

static tacStatus report_rank(const Data *data, int rank, tacError *error) {
  const tacReducedDef *def = data->def;
  if (rank == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the loads do not move the body; give loads that act on free vertices, or add modes");
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "a basis of %d shapes needs data of higher rank: the rank is %d (%d modes, %d derivatives, %d "
                       "shapes of loads); ask for at most %d shapes, or give %s",
                       def->size, rank, data->modes.count, data->derivative_count, data->snapshot_count, rank,
                       def->source == TAC_BASIS_MODES ? "more modes" : "more different loads, or add modes");
}

/* Computes R = Q^T M A, the coordinates of the shapes A in the columns of Q. */
static tacStatus find_coordinates(const Data *data, const tacDense *q, tacDense *r, tacError *error) {
  int n = q->rows;
  TAC_FREED(tac_dense_destroy, tacDense, weighted) = {0};
  TAC_TRY(tac_dense_create(q->cols, data->columns.cols, r, error));
  TAC_TRY(tac_dense_create(n, BLOCK, &weighted, error));
  for (int j = 0; j < r->cols; j += BLOCK) {
    int count = r->cols - j < BLOCK ? r->cols - j : BLOCK;
    tacDense to = {r->rows, count, r->stride, tac_dense_column(r, j)};
    weighted.cols = count;
    tac_sparse_multiply_transposed(&data->mass, tac_dense_column(&data->columns, j), count, weighted.a);
    tac_dense_gemm(1.0, q, true, &weighted, false, 0.0, &to);
  }
  return TAC_OK;
}

/* Computes U by mass-PCA (section 2.8.1). The shapes are A = Q R with mass-orthonormal Q. If V are the principal
 * components of R in the Euclidean product, Q V are the principal components of A in the mass product. So only the
 * small matrix R needs an SVD. */
static tacStatus find_components(const Data *data, const tacDense *q, tacDense *u, double *captured, tacError *error) {
  int r = data->def->size;
  TAC_FREED(tac_dense_destroy, tacDense, coordinates) = {0};
  TAC_FREED(tac_pca_destroy, tacPca, pca) = {0};
  TAC_TRY(find_coordinates(data, q, &coordinates, error));
  TAC_TRY(tac_pca(&coordinates, r, &pca, error));
  /* Components below the fraction `least` are rounding errors. Equilibria and motions are accurate to about nine
   * digits, and modes are more accurate. */
  double least = data->snapshot_count > 0 ? 1e-8 : q->rows * DBL_EPSILON, all = 0.0, held = 0.0;
  int rank = pca.count;
  while (rank > 0 && pca.singular[rank - 1] < least * pca.singular[0]) --rank;
  if (rank < r) return report_rank(data, rank, error);
  TAC_TRY(tac_dense_create(q->rows, r, u, error));
  tac_dense_gemm(1.0, q, false, &pca.vectors, false, 0.0, u);
  for (int j = 0; j < data->columns.cols; ++j) all += data->norm[j] * data->norm[j];
  for (int i = 0; i < pca.count; ++i) held += pca.singular[i] * pca.singular[i];
  *captured = fmin(held / all, 1.0);
  return TAC_OK;
}

/* Computes U at the free vertices. */
static tacStatus reduce(const Data *data, const tacProgress *progress, tacDense *u, double *captured, tacError *error) {
  int r = data->def->size;
  TAC_FREED(tac_dense_destroy, tacDense, q) = {0};
  *captured = 1.0;
  TAC_TRY(tac_dense_copy(&data->columns, &q, error));
  TAC_TRY(gram_schmidt(&data->mass, data->norm, progress, &q, error));
  if (q.cols < r) return report_rank(data, q.cols, error);
  if (data->def->source != TAC_BASIS_MODES || r != data->columns.cols)
    return find_components(data, &q, u, captured, error);
  *u = q; /* all columns are kept */
  q = (tacDense){0};
  return TAC_OK;
}

/* Copies U to `basis`. The shapes for display are the labelled columns, preceded by the columns of U if `own_shapes` is
 * true. */
static tacStatus fill(const Data *data, const tacDense *u, bool own_shapes, tacMotionBasis *basis, tacError *error) {
  int r = u->cols, n = u->rows, own = own_shapes ? r : 0;
  size_t size = 3 * (size_t)data->solid->mesh->vertex_count, shapes = (size_t)(data->named + own);
  TAC_FREED(tac_dense_destroy, tacDense, mu) = {0};
  basis->size = (int)size;
  basis->count = r;
  basis->shape_count = (int)shapes;
  basis->linear_count = data->modes.count;
  TAC_TRY(TAC_ARRAY(basis->vector, (size_t)r * size, "a basis", error));
  TAC_TRY(TAC_ARRAY(basis->label, shapes, "shapes", error));
  TAC_TRY(TAC_ARRAY(basis->coordinates, shapes * (size_t)r, "shapes", error));
  TAC_TRY(TAC_ARRAY(basis->linear_value, (size_t)data->modes.count, "eigenvalues", error));
  TAC_TRY(tac_dense_create(n, r, &mu, error));
  for (int j = 0; j < r; ++j) {
    tac_constraints_put(&data->constraints, TAC_SIDE_FREE, tac_dense_column(u, j), basis->vector + (size_t)j * size);
    tac_sparse_multiply_transposed(&data->mass, tac_dense_column(u, j), 1, tac_dense_column(&mu, j));
  }
  for (int s = 0; s < own; ++s) {
    snprintf(basis->label[s], sizeof basis->label[s], "shape %d", s + 1);
    basis->coordinates[(size_t)s * (size_t)r + (size_t)s] = 1.0;
  }
  for (int s = 0; s < data->named; ++s) {
    double *to = basis->coordinates + (size_t)(own + s) * (size_t)r;
    memcpy(basis->label[own + s], data->label[s], sizeof *basis->label);
    tac_dense_gemv(1.0 / data->norm[s], &mu, true, tac_dense_column(&data->columns, s), 0.0, to);
  }
  if (data->modes.count > 0) memcpy(basis->linear_value, data->modes.value, (size_t)data->modes.count * sizeof(double));
  return TAC_OK;
}

tacStatus tac_motion_basis_compute(const tacSolid *solid, const tacReducedDef *def, const tacProgress *progress,
                                   tacMotionBasis *basis, tacError *error) {
  *basis = (tacMotionBasis){0};
  const double gathered = 0.9; /* fraction of the progress that is complete after `gather` */
  tacProgressPart part = {progress, gathered, 1.0, NULL};
  tacProgress stage = tac_progress_part(&part);
  TAC_FREED(destroy_data, Data, data) = {.solid = solid, .def = def};
  TAC_FREED(tac_dense_destroy, tacDense, u) = {0};
  TAC_FREED(tac_motion_basis_destroy, tacMotionBasis, made) = {0};
  TAC_TRY(gather(&data, progress, gathered, &made, error));
  tac_modal_derivatives_destroy(&data.derivatives); /* the derivatives are large and already copied */
  tac_load_shapes_destroy(&data.snapshots);
  TAC_TRY(reduce(&data, &stage, &u, &made.captured, error));
  TAC_TRY(fill(&data, &u, def->source != TAC_BASIS_MODES, &made, error));
  *basis = made;
  made = (tacMotionBasis){0};
  return TAC_OK;
}

tacStatus tac_motion_basis_orthonormalise(const tacSolid *solid, int count, const double *vectors,
                                          tacMotionBasis *basis, tacError *error) {
  *basis = (tacMotionBasis){0};
  if (count < 1) return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of basis vectors (%d)", count);
  TAC_FREED(destroy_data, Data, data) = {.solid = solid, .named = count};
  TAC_FREED(tac_dense_destroy, tacDense, u) = {0};
  TAC_FREED(tac_motion_basis_destroy, tacMotionBasis, made) = {.captured = 1.0};
  size_t size = 3 * (size_t)solid->mesh->vertex_count;
  TAC_TRY(tac_vibration_modes_blocks(solid, &data.constraints, NULL, &data.mass, error));
  TAC_TRY(allocate_columns(&data, count, error));
  for (int j = 0; j < count; ++j) {
    add_column(&data, vectors + (size_t)j * size);
    snprintf(data.label[j], sizeof data.label[j], "shape %d", j + 1);
    if (!(data.norm[j] > 0.0)) return tac_error_set(error, TAC_ERR_ARGUMENT, "basis vector %d is zero", j);
  }
  TAC_TRY(tac_dense_copy(&data.columns, &u, error));
  TAC_TRY(gram_schmidt(&data.mass, data.norm, NULL, &u, error));
  if (u.cols < count)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the %d basis vectors are linearly dependent: their rank is %d",
                         count, u.cols);
  TAC_TRY(fill(&data, &u, false, &made, error));
  *basis = made;
  made = (tacMotionBasis){0};
  return TAC_OK;
}
