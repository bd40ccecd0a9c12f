#include "kinds/vademecum/load_basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/dense/dense.h"

/* Target errors of the modes, as multiples of the bake's accuracy. The energy norm measures errors of gradients, which
 * are far larger than errors of displacements. The check of the bake measures the error after Newton's method. */
#define DISPLACEMENTS 0.5 /* target in the mass norm */
#define ENERGY 3.0        /* target in the energy norm; the solid is too stiff by about the square of the error */
#define LINEAR_ENERGY 8.0 /* target in the energy norm for a linear solid, which has no excess stiffness */
#define LOOSEST 0.5       /* largest target in the energy norm */
/* Largest fraction of the modes that are principal components. The remaining modes are for loads that differ from all
 * other loads. */
#define COMPONENTS 0.75

/* All sources as columns of unit norm, in coordinates of a frame. The frame is a set of vectors that spans all sources
 * and is orthonormal in the energy product. */
typedef struct {
  const tacLoadProblem *problem;
  tacDense frame;   /* free degrees of freedom x dim: vectors of the frame */
  tacDense columns; /* dim x count: sources */
  int linear_count; /* number of linear solutions, which come first; the other columns are snapshots */
  double *weights;  /* [column]: weight in mean squares; the sum is 1 over linear solutions, and 1 over snapshots */
  double *left;     /* [column]: squared error of the column with the modes so far, in the energy norm */
  tacDense roots;   /* dim x dim: L^T, where L L^T is the Gram matrix of the frame in the mass product */
  tacDense moved;   /* dim x count: error of each column with the modes so far, times L^T / |L^T column| */
  double *scales;   /* [column]: factor 1 / |L^T column| in `moved` */
  double energy, displacement; /* target errors in the energy norm and in the mass norm */
  tacDense vectors;            /* dim x most: modes */
  int count;                   /* number of modes in `vectors` */
  tacArrays arrays;
} Basis;

static void release(Basis *b) {
  tac_arrays_free(&b->arrays);
  tac_dense_destroy(&b->roots);
  tac_dense_destroy(&b->moved);
  tac_dense_destroy(&b->frame);
  tac_dense_destroy(&b->columns);
  tac_dense_destroy(&b->vectors);
}

/* ---- sources ---- */

/* Copies the vectors X of the separation, then the snapshots, to the columns of `all`. The rows are the free degrees of
 * freedom. */
static tacStatus gather(const Basis *b, const tacSeparation *linear, const tacLoadSnapshots *snapshots, tacDense *all,
                        tacError *error) {
  const tacFreeLower *part = &b->problem->part;
  int shots = snapshots != NULL ? TAC_SNAPSHOT_LEVELS * snapshots->path_count : 0;
  TAC_TRY(tac_dense_create((int)part->free_size, linear->count + shots, all, error));
  for (int j = 0; j < linear->count; ++j)
    memcpy(tac_dense_column(all, j), linear->x + (size_t)j * part->free_size, part->free_size * sizeof(double));
  for (int j = 0; j < shots; ++j)
    tac_free_lower_take(part, snapshots->u + (size_t)j * part->size, tac_dense_column(all, linear->count + j));
  return TAC_OK;
}

/* Scales each column to unit length. Zero columns stay zero. */
static void normalise(tacDense *matrix) {
  for (int j = 0; j < matrix->cols; ++j) {
    double *column = tac_dense_column(matrix, j), sum = 0.0;
    for (int i = 0; i < matrix->rows; ++i) sum += column[i] * column[i];
    for (int i = 0; sum > 0.0 && i < matrix->rows; ++i) column[i] /= sqrt(sum);
  }
}

/* Computes a frame that spans the columns A of `all`, and the coordinates of A in the frame. The Gram matrix is
 * G = A^T K A = V E V^T with diagonal E. The frame is A V E^-1/2, and the coordinates are E^1/2 V^T. Components below
 * rounding error are omitted. */
static tacStatus make_frame(Basis *b, const tacDense *all, tacDense *in_frame, tacError *error) {
  int count = all->cols, dim = 0;
  TAC_FREED(tac_dense_destroy, tacDense, stiff) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, products) = {0};
  TAC_MEMORY(double, values) = NULL;
  TAC_TRY(TAC_ARRAY(values, (size_t)count, "modes", error));
  TAC_TRY(tac_dense_create(all->rows, count, &stiff, error));
  TAC_TRY(tac_dense_create(count, count, &products, error));
  tac_sparse_multiply_lower(&b->problem->part.matrix, all->a, count, stiff.a);
  tac_dense_gemm(1.0, all, true, &stiff, false, 0.0, &products);
  TAC_TRY(tac_dense_eigen(&products, values, error));
  while (dim < count && values[count - 1 - dim] > 1e-13 * values[count - 1]) ++dim;
  TAC_TRY(tac_dense_create(all->rows, dim, &b->frame, error));
  TAC_TRY(tac_dense_create(dim, count, in_frame, error));
  tacDense kept = {count, dim, products.stride, tac_dense_column(&products, count - dim)};
  tac_dense_gemm(1.0, all, false, &kept, false, 0.0, &b->frame);
  for (int i = 0; i < dim; ++i) {
    double root = sqrt(values[count - dim + i]), *column = tac_dense_column(&b->frame, i);
    for (int r = 0; r < all->rows; ++r) column[r] /= root;
    for (int j = 0; j < count; ++j) tac_dense_column(in_frame, j)[i] = root * tac_dense_column(&kept, i)[j];
  }
  return TAC_OK;
}

static tacStatus make_columns(Basis *b, const tacSeparation *linear, const tacLoadSnapshots *snapshots,
                              tacError *error) {
  TAC_FREED(tac_dense_destroy, tacDense, all) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, in_frame) = {0};
  TAC_TRY(gather(b, linear, snapshots, &all, error));
  TAC_TRY(make_frame(b, &all, &in_frame, error));
  int shots = all.cols - linear->count, count = linear->load_count + shots, dim = in_frame.rows;
  TAC_TRY(tac_dense_create(dim, count, &b->columns, error));
  b->linear_count = linear->load_count;
  tacDense x = {dim, linear->count, in_frame.stride, in_frame.a};
  tacDense y = {linear->load_count, linear->count, linear->load_count, linear->y};
  tacDense to = {dim, linear->load_count, b->columns.stride, b->columns.a};
  tac_dense_gemm(1.0, &x, false, &y, true, 0.0, &to);
  for (int j = 0; j < shots; ++j)
    memcpy(tac_dense_column(&b->columns, linear->load_count + j), tac_dense_column(&in_frame, linear->count + j),
           (size_t)dim * sizeof(double));
  normalise(&b->columns);
  b->weights = tac_arrays_add(&b->arrays, (size_t)count, sizeof *b->weights);
  b->left = tac_arrays_add(&b->arrays, (size_t)count, sizeof *b->left);
  b->scales = tac_arrays_add(&b->arrays, (size_t)count, sizeof *b->scales);
  TAC_TRY(tac_arrays_status(&b->arrays, "modes", error));
  for (int j = 0; j < count; ++j) {
    b->weights[j] = 1.0 / (j < linear->load_count ? linear->load_count : shots);
    b->left[j] = 1.0;
  }
  return TAC_OK;
}

/* Returns the squared relative error of a column with the modes so far, in the mass norm. */
static double moved_square(const Basis *b, int column) {
  const double *v = tac_dense_column(&b->moved, column);
  double sum = 0.0;
  for (int i = 0; i < b->moved.rows; ++i) sum += v[i] * v[i];
  return sum;
}

/* Computes `roots`, `moved` and `scales`, which give errors in the mass norm. */
static tacStatus make_moved(Basis *b, tacError *error) {
  const tacLoadProblem *p = b->problem;
  TAC_FREED(tac_dense_destroy, tacDense, heavy) = {0};
  int dim = b->frame.cols;
  TAC_TRY(tac_dense_copy(&b->frame, &heavy, error));
  TAC_TRY(tac_dense_create(dim, b->columns.cols, &b->moved, error));
  for (int j = 0; j < dim; ++j)
    for (size_t i = 0; i < p->part.size; ++i)
      if (p->part.free_of[i] >= 0) tac_dense_column(&heavy, j)[p->part.free_of[i]] *= sqrt(p->mass[i]);
  TAC_TRY(tac_dense_qr(&heavy, &b->roots, error));
  tac_dense_gemm(1.0, &b->roots, false, &b->columns, false, 0.0, &b->moved);
  for (int j = 0; j < b->columns.cols; ++j) {
    double norm = sqrt(moved_square(b, j));
    b->scales[j] = norm > 0.0 ? 1.0 / norm : 0.0;
    for (int i = 0; i < dim; ++i) tac_dense_column(&b->moved, j)[i] *= b->scales[j];
  }
  return TAC_OK;
}

/* ---- choice of modes ---- */

/* Returns the mean square error of linear solutions or of snapshots, whichever is larger. */
static double mean_square(const Basis *b) {
  double sums[2] = {0.0, 0.0};
  for (int j = 0; j < b->columns.cols; ++j) sums[j >= b->linear_count] += b->weights[j] * fmax(0.0, b->left[j]);
  return fmax(sums[0], sums[1]);
}

/* Returns the column with the largest squared ratio of error to target error in either norm. `far` receives this ratio.
 * All targets are met if `far` is at most 1. */
static int worst_column(const Basis *b, double *far) {
  int worst = 0;
  *far = -1.0;
  for (int j = 0; j < b->columns.cols; ++j) {
    double square =
        fmax(b->left[j] / (b->energy * b->energy), moved_square(b, j) / (b->displacement * b->displacement));
    if (square > *far) {
      worst = j;
      *far = square;
    }
  }
  return worst;
}

/* Accepts the unit vector in column `count` of `vectors` as the next mode, and updates all errors. `products` is
 * scratch for one number per column and `dim` numbers. */
static void take_vector(Basis *b, double *products) {
  const double *vector = tac_dense_column(&b->vectors, b->count++);
  double *moved = products + b->columns.cols;
  tac_dense_gemv(1.0, &b->columns, true, vector, 0.0, products);
  tac_dense_gemv(1.0, &b->roots, false, vector, 0.0, moved);
  for (int j = 0; j < b->columns.cols; ++j) {
    double *to = tac_dense_column(&b->moved, j), share = b->scales[j] * products[j];
    b->left[j] -= products[j] * products[j];
    for (int i = 0; i < b->moved.rows; ++i) to[i] -= share * moved[i];
  }
}

/* Computes the eigenvectors and eigenvalues of sum weight c c^T over the columns c, in ascending order. Overwrites
 * `columns`. `square` receives the eigenvectors. */
static tacStatus components(const Basis *b, tacDense *columns, tacDense *square, double *values, tacError *error) {
  TAC_TRY(tac_dense_create(columns->rows, columns->rows, square, error));
  for (int j = 0; j < columns->cols; ++j)
    for (int i = 0; i < columns->rows; ++i) tac_dense_column(columns, j)[i] *= sqrt(b->weights[j]);
  tac_dense_syrk(1.0, columns, false, 0.0, square);
  return tac_dense_eigen(square, values, error);
}

static tacStatus add_components(Basis *b, int most, double *products, tacError *error) {
  int dim = b->columns.rows;
  TAC_FREED(tac_dense_destroy, tacDense, scaled) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, square) = {0};
  TAC_MEMORY(double, values) = NULL;
  TAC_TRY(TAC_ARRAY(values, (size_t)dim, "modes", error));
  TAC_TRY(tac_dense_copy(&b->columns, &scaled, error));
  TAC_TRY(components(b, &scaled, &square, values, error));
  while (b->count < most && b->count < dim && mean_square(b) > b->energy * b->energy &&
         values[dim - 1 - b->count] > 1e-20 * values[dim - 1]) {
    memcpy(tac_dense_column(&b->vectors, b->count), tac_dense_column(&square, dim - 1 - b->count),
           (size_t)dim * sizeof(double));
    take_vector(b, products);
  }
  return TAC_OK;
}

/* Orthogonalises a column against all modes (Gram-Schmidt, applied twice), normalises the result and stores the
 * result in column `count` of `vectors`. False if only rounding error remains. */
static bool leave_over(Basis *b, int column, double *products) {
  int dim = b->columns.rows;
  double *to = tac_dense_column(&b->vectors, b->count), sum = 0.0;
  tacDense so_far = {dim, b->count, b->vectors.stride, b->vectors.a};
  memcpy(to, tac_dense_column(&b->columns, column), (size_t)dim * sizeof *to);
  for (int pass = 0; pass < 2; ++pass) {
    tac_dense_gemv(1.0, &so_far, true, to, 0.0, products);
    tac_dense_gemv(-1.0, &so_far, false, products, 1.0, to);
  }
  for (int i = 0; i < dim; ++i) sum += to[i] * to[i];
  if (!(sum > 1e-20)) return false;
  for (int i = 0; i < dim; ++i) to[i] /= sqrt(sum);
  return true;
}

static void add_worst(Basis *b, int most, double *products) {
  while (b->count < most && b->count < b->columns.rows) {
    double far;
    int worst = worst_column(b, &far);
    if (!(far > 1.0) || !leave_over(b, worst, products)) return;
    take_vector(b, products);
  }
}

/* Rotates the modes to principal axes, in ascending order of captured energy. */
static tacStatus sort_vectors(Basis *b, tacDense *sorted, tacError *error) {
  tacDense vectors = {b->vectors.rows, b->count, b->vectors.stride, b->vectors.a};
  TAC_FREED(tac_dense_destroy, tacDense, held) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, square) = {0};
  TAC_MEMORY(double, values) = NULL;
  TAC_TRY(TAC_ARRAY(values, (size_t)b->count, "modes", error));
  TAC_TRY(tac_dense_create(b->count, b->columns.cols, &held, error));
  TAC_TRY(tac_dense_create(b->vectors.rows, b->count, sorted, error));
  tac_dense_gemm(1.0, &vectors, true, &b->columns, false, 0.0, &held);
  TAC_TRY(components(b, &held, &square, values, error));
  tac_dense_gemm(1.0, &vectors, false, &square, false, 0.0, sorted);
  return TAC_OK;
}

/* Converts the modes from the frame to vertex displacements. The last column of `sorted` becomes the first mode. */
static tacStatus write_vectors(const Basis *b, const tacDense *sorted, tacLoadBasis *to, tacError *error) {
  const tacFreeLower *part = &b->problem->part;
  TAC_MEMORY(double, free_ones) = NULL;
  TAC_TRY(TAC_ARRAY(free_ones, part->free_size, "modes", error));
  TAC_TRY(TAC_ARRAY(to->vectors, (size_t)b->count * part->size, "modes", error));
  for (int j = 0; j < b->count; ++j) {
    const double *from = tac_dense_column(sorted, b->count - 1 - j);
    tac_dense_gemv(1.0, &b->frame, false, from, 0.0, free_ones);
    tac_free_lower_put(part, free_ones, to->vectors + (size_t)j * part->size);
  }
  to->count = b->count;
  return TAC_OK;
}

tacStatus tac_load_basis_create(const tacLoadProblem *problem, const tacSeparation *linear,
                                const tacLoadSnapshots *snapshots, tacLoadBasis *basis, tacError *error) {
  *basis = (tacLoadBasis){0};
  int most = problem->def->mode_most;
  double accuracy = problem->def->accuracy, far;
  TAC_FREED(release, Basis, b) = {.problem = problem,
                                  .displacement = DISPLACEMENTS * accuracy,
                                  .energy = fmin(LOOSEST, (problem->def->linear ? LINEAR_ENERGY : ENERGY) * accuracy)};
  TAC_FREED(tac_dense_destroy, tacDense, sorted) = {0};
  TAC_FREED(tac_load_basis_destroy, tacLoadBasis, made) = {0};
  TAC_MEMORY(double, products) = NULL;
  TAC_TRY(make_columns(&b, linear, snapshots, error));
  TAC_TRY(make_moved(&b, error));
  int room = (b.columns.cols > most ? b.columns.cols : most) + b.columns.rows;
  TAC_TRY(TAC_ARRAY(products, (size_t)room, "modes", error));
  TAC_TRY(tac_dense_create(b.columns.rows, most, &b.vectors, error));
  TAC_TRY(add_components(&b, (int)fmax(1.0, COMPONENTS * most), products, error));
  add_worst(&b, most, products);
  int worst = worst_column(&b, &far);
  made.mean = sqrt(mean_square(&b));
  made.worst = sqrt(moved_square(&b, worst));
  TAC_TRY(sort_vectors(&b, &sorted, error));
  TAC_TRY(write_vectors(&b, &sorted, &made, error));
  *basis = made;
  made = (tacLoadBasis){0};
  return TAC_OK;
}

void tac_load_basis_destroy(tacLoadBasis *basis) {
  free(basis->vectors);
  *basis = (tacLoadBasis){0};
}
