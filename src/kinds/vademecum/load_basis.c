#include "kinds/vademecum/load_basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/dense/dense.h"

/* Of the accuracy, what displacements may take; errors in the energy norm are those of gradients and far larger. What remains after
 * Newton's method in the basis is measured by the check of the bake. */
#define DISPLACEMENTS 0.5
#define ENERGY 3.0        /* Newton's method is stiffer than it should be by about the square of this error */
#define LINEAR_ENERGY 8.0 /* a linear solution has no such error beside the best one */
#define LOOSEST 0.5
/* Of the modes, what principal components may take at most: the others are for loads unlike all others. */
#define COMPONENTS 0.75

/* All that is to be represented, in coordinates of a frame of their span that is orthonormal in the energy norm: columns of
 * length 1. */
typedef struct {
  const tacLoadProblem *problem;
  tacDense frame;              /* free numbers x dim; empty: the unit vectors */
  tacDense columns;            /* dim x count */
  int linear_count;            /* of the columns, the first; the others are snapshots */
  double *weights;             /* [column] of mean squares, which add up to 1 for each kind */
  double *left;                /* [column]: square of what the vectors so far do not hold */
  tacDense roots;              /* dim x dim: L^T, with L L^T the frame's products in the norm of masses */
  tacDense moved;              /* dim x count: L^T of what is not held of each column, relative to L^T of it */
  double *scales;              /* [column]: 1 / |L^T column| */
  double energy, displacement; /* errors that are wanted */
  tacDense vectors;            /* dim x most */
  int count;                   /* of vectors */
} Basis;

static void release(Basis *b) {
  free(b->weights);
  free(b->left);
  free(b->scales);
  tac_dense_destroy(&b->roots);
  tac_dense_destroy(&b->moved);
  tac_dense_destroy(&b->frame);
  tac_dense_destroy(&b->columns);
  tac_dense_destroy(&b->vectors);
}

/* ---- what is to be represented ---- */

/* X of the separation, then the snapshots, as columns of free numbers. */
static tacStatus gather(const Basis *b, const tacSeparation *linear, const tacLoadSnapshots *snapshots, tacDense *all,
                        tacError *error) {
  const tacFreeLower *part = &b->problem->part;
  int shots = snapshots != NULL ? TAC_SNAPSHOT_LEVELS * snapshots->path_count : 0;
  tacStatus status = tac_dense_create((int)part->free_size, linear->count + shots, all, error);
  if (status != TAC_OK) return status;
  for (int j = 0; j < linear->count; ++j)
    memcpy(tac_dense_column(all, j), linear->x + (size_t)j * part->free_size, part->free_size * sizeof(double));
  for (int j = 0; j < shots; ++j)
    tac_free_lower_take(part, snapshots->u + (size_t)j * part->size, tac_dense_column(all, linear->count + j));
  return TAC_OK;
}

/* Makes columns unit vectors; those that are zero stay. */
static void normalise(tacDense *matrix) {
  for (int j = 0; j < matrix->cols; ++j) {
    double *column = tac_dense_column(matrix, j), sum = 0.0;
    for (int i = 0; i < matrix->rows; ++i) sum += column[i] * column[i];
    for (int i = 0; sum > 0.0 && i < matrix->rows; ++i) column[i] /= sqrt(sum);
  }
}

/* A frame of the span of `all`, and `all` in it. With the products G = A^T K A = V L V^T the frame is A V L^-1/2, and A is L^1/2 V^T
 * in it; what is below rounding is left out. */
static tacStatus make_frame(Basis *b, const tacDense *all, tacDense *in_frame, tacError *error) {
  int count = all->cols, dim = 0;
  tacDense stiff = {0}, products = {0};
  double *values = tac_array_create((size_t)count, sizeof *values, "modes", error);
  tacStatus status = values != NULL ? tac_dense_create(all->rows, count, &stiff, error) : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_dense_create(count, count, &products, error);
  if (status == TAC_OK) {
    tac_sparse_multiply_lower(&b->problem->part.matrix, all->a, count, stiff.a);
    tac_dense_gemm(1.0, all, true, &stiff, false, 0.0, &products);
    status = tac_dense_eigen(&products, values, error);
  }
  while (status == TAC_OK && dim < count && values[count - 1 - dim] > 1e-13 * values[count - 1]) ++dim;
  if (status == TAC_OK) status = tac_dense_create(all->rows, dim, &b->frame, error);
  if (status == TAC_OK) status = tac_dense_create(dim, count, in_frame, error);
  if (status == TAC_OK) {
    tacDense kept = {count, dim, products.stride, tac_dense_column(&products, count - dim)};
    tac_dense_gemm(1.0, all, false, &kept, false, 0.0, &b->frame);
    for (int i = 0; i < dim; ++i) {
      double root = sqrt(values[count - dim + i]), *column = tac_dense_column(&b->frame, i);
      for (int r = 0; r < all->rows; ++r) column[r] /= root;
      for (int j = 0; j < count; ++j) tac_dense_column(in_frame, j)[i] = root * tac_dense_column(&kept, i)[j];
    }
  }
  tac_dense_destroy(&stiff);
  tac_dense_destroy(&products);
  free(values);
  return status;
}

static tacStatus make_columns(Basis *b, const tacSeparation *linear, const tacLoadSnapshots *snapshots,
                              tacError *error) {
  tacDense all = {0}, in_frame = {0};
  tacStatus status = gather(b, linear, snapshots, &all, error);
  if (status == TAC_OK) status = make_frame(b, &all, &in_frame, error);
  int shots = all.cols - linear->count, count = linear->load_count + shots, dim = in_frame.rows;
  if (status == TAC_OK) status = tac_dense_create(dim, count, &b->columns, error);
  if (status == TAC_OK) {
    b->linear_count = linear->load_count;
    tacDense x = {dim, linear->count, in_frame.stride, in_frame.a};
    tacDense y = {linear->load_count, linear->count, linear->load_count, linear->y};
    tacDense to = {dim, linear->load_count, b->columns.stride, b->columns.a};
    tac_dense_gemm(1.0, &x, false, &y, true, 0.0, &to);
    for (int j = 0; j < shots; ++j)
      memcpy(tac_dense_column(&b->columns, linear->load_count + j), tac_dense_column(&in_frame, linear->count + j),
             (size_t)dim * sizeof(double));
    normalise(&b->columns);
    b->weights = tac_array_create((size_t)count, sizeof *b->weights, "modes", error);
    b->left = tac_array_create((size_t)count, sizeof *b->left, "modes", error);
    if (b->weights == NULL || b->left == NULL) status = TAC_ERR_MEMORY;
  }
  for (int j = 0; status == TAC_OK && j < count; ++j) {
    b->weights[j] = 1.0 / (j < linear->load_count ? linear->load_count : shots);
    b->left[j] = 1.0;
  }
  tac_dense_destroy(&all);
  tac_dense_destroy(&in_frame);
  return status;
}

/* Square of the error in the norm of masses. */
static double moved_square(const Basis *b, int column) {
  const double *v = tac_dense_column(&b->moved, column);
  double sum = 0.0;
  for (int i = 0; i < b->moved.rows; ++i) sum += v[i] * v[i];
  return sum;
}

/* What the frame and the columns are in the norm of masses. */
static tacStatus make_moved(Basis *b, tacError *error) {
  const tacLoadProblem *p = b->problem;
  tacDense heavy = {0};
  int dim = b->frame.cols;
  tacStatus status = tac_dense_copy(&b->frame, &heavy, error);
  if (status == TAC_OK) status = tac_dense_create(dim, b->columns.cols, &b->moved, error);
  if (status == TAC_OK) status = TAC_ARRAY(b->scales, (size_t)b->columns.cols, "modes", error);
  if (status == TAC_OK) {
    for (int j = 0; j < dim; ++j)
      for (size_t i = 0; i < p->part.size; ++i)
        if (p->part.free_of[i] >= 0) tac_dense_column(&heavy, j)[p->part.free_of[i]] *= sqrt(p->mass[i]);
    status = tac_dense_qr(&heavy, &b->roots, error);
  }
  if (status == TAC_OK) tac_dense_gemm(1.0, &b->roots, false, &b->columns, false, 0.0, &b->moved);
  for (int j = 0; status == TAC_OK && j < b->columns.cols; ++j) {
    double norm = sqrt(moved_square(b, j));
    b->scales[j] = norm > 0.0 ? 1.0 / norm : 0.0;
    for (int i = 0; i < dim; ++i) tac_dense_column(&b->moved, j)[i] *= b->scales[j];
  }
  tac_dense_destroy(&heavy);
  return status;
}

/* ---- vectors ---- */

/* The mean over linear solutions, and that over snapshots: the larger. */
static double mean_square(const Basis *b) {
  double sums[2] = {0.0, 0.0};
  for (int j = 0; j < b->columns.cols; ++j) sums[j >= b->linear_count] += b->weights[j] * fmax(0.0, b->left[j]);
  return fmax(sums[0], sums[1]);
}

/* The column that is farthest from what is wanted, by either norm, and how far: at most 1 is enough. */
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

/* Takes the unit vector in the next place; `products` [column], then [dim]. */
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

/* Eigenvectors of sum weight c c^T, the largest last. */
static tacStatus components(const Basis *b, tacDense *square, double *values, tacError *error) {
  tacDense scaled = {0};
  tacStatus status = tac_dense_copy(&b->columns, &scaled, error);
  if (status == TAC_OK) status = tac_dense_create(b->columns.rows, b->columns.rows, square, error);
  for (int j = 0; status == TAC_OK && j < scaled.cols; ++j)
    for (int i = 0; i < scaled.rows; ++i) tac_dense_column(&scaled, j)[i] *= sqrt(b->weights[j]);
  if (status == TAC_OK) tac_dense_syrk(1.0, &scaled, false, 0.0, square);
  tac_dense_destroy(&scaled);
  return status == TAC_OK ? tac_dense_eigen(square, values, error) : status;
}

static tacStatus add_components(Basis *b, int most, double *products, tacError *error) {
  int dim = b->columns.rows;
  tacDense square = {0};
  double *values = tac_array_create((size_t)dim, sizeof *values, "modes", error);
  tacStatus status = values != NULL ? components(b, &square, values, error) : TAC_ERR_MEMORY;
  while (status == TAC_OK && b->count < most && b->count < dim && mean_square(b) > b->energy * b->energy &&
         values[dim - 1 - b->count] > 1e-20 * values[dim - 1]) {
    memcpy(tac_dense_column(&b->vectors, b->count), tac_dense_column(&square, dim - 1 - b->count),
           (size_t)dim * sizeof(double));
    take_vector(b, products);
  }
  free(values);
  tac_dense_destroy(&square);
  return status;
}

/* What the vectors do not hold of the column, of length 1, into the next place. By Gram and Schmidt, twice. */
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

/* Turned so that the first hold most. */
static tacStatus sort_vectors(Basis *b, tacDense *sorted, tacError *error) {
  tacDense held = {0}, square = {0}, vectors = {b->vectors.rows, b->count, b->vectors.stride, b->vectors.a};
  double *values = tac_array_create((size_t)b->count, sizeof *values, "modes", error);
  tacStatus status = values != NULL ? tac_dense_create(b->count, b->columns.cols, &held, error) : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_dense_create(b->count, b->count, &square, error);
  if (status == TAC_OK) status = tac_dense_create(b->vectors.rows, b->count, sorted, error);
  if (status == TAC_OK) {
    tac_dense_gemm(1.0, &vectors, true, &b->columns, false, 0.0, &held);
    for (int j = 0; j < held.cols; ++j)
      for (int i = 0; i < held.rows; ++i) tac_dense_column(&held, j)[i] *= sqrt(b->weights[j]);
    tac_dense_syrk(1.0, &held, false, 0.0, &square);
    status = tac_dense_eigen(&square, values, error);
  }
  if (status == TAC_OK) tac_dense_gemm(1.0, &vectors, false, &square, false, 0.0, sorted);
  free(values);
  tac_dense_destroy(&held);
  tac_dense_destroy(&square);
  return status;
}

/* From the frame to vertices; the last of `sorted` first. */
static tacStatus write_vectors(const Basis *b, const tacDense *sorted, tacLoadBasis *to, tacError *error) {
  const tacFreeLower *part = &b->problem->part;
  double *free_ones = tac_array_create(part->free_size, sizeof *free_ones, "modes", error);
  to->vectors = tac_array_create((size_t)b->count * part->size, sizeof *to->vectors, "modes", error);
  if (free_ones == NULL || to->vectors == NULL) {
    free(free_ones);
    return TAC_ERR_MEMORY;
  }
  for (int j = 0; j < b->count; ++j) {
    const double *from = tac_dense_column(sorted, b->count - 1 - j);
    tac_dense_gemv(1.0, &b->frame, false, from, 0.0, free_ones);
    tac_free_lower_put(part, free_ones, to->vectors + (size_t)j * part->size);
  }
  to->count = b->count;
  free(free_ones);
  return TAC_OK;
}

tacStatus tac_load_basis_create(const tacLoadProblem *problem, const tacSeparation *linear,
                                const tacLoadSnapshots *snapshots, tacLoadBasis *basis, tacError *error) {
  *basis = (tacLoadBasis){0};
  int most = problem->def->mode_most;
  double accuracy = problem->def->accuracy, *products = NULL, far;
  Basis b = {.problem = problem,
             .displacement = DISPLACEMENTS * accuracy,
             .energy = fmin(LOOSEST, (problem->def->linear ? LINEAR_ENERGY : ENERGY) * accuracy)};
  tacDense sorted = {0};
  tacStatus status = make_columns(&b, linear, snapshots, error);
  if (status == TAC_OK) status = make_moved(&b, error);
  if (status == TAC_OK) {
    int room = (b.columns.cols > most ? b.columns.cols : most) + b.columns.rows;
    products = tac_array_create((size_t)room, sizeof *products, "modes", error);
    status = products != NULL ? tac_dense_create(b.columns.rows, most, &b.vectors, error) : TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) status = add_components(&b, (int)fmax(1.0, COMPONENTS * most), products, error);
  if (status == TAC_OK) {
    add_worst(&b, most, products);
    int worst = worst_column(&b, &far);
    basis->mean = sqrt(mean_square(&b));
    basis->worst = sqrt(moved_square(&b, worst));
    status = sort_vectors(&b, &sorted, error);
  }
  if (status == TAC_OK) status = write_vectors(&b, &sorted, basis, error);
  if (status != TAC_OK) tac_load_basis_destroy(basis);
  tac_dense_destroy(&sorted);
  free(products);
  release(&b);
  return status;
}

void tac_load_basis_destroy(tacLoadBasis *basis) {
  free(basis->vectors);
  *basis = (tacLoadBasis){0};
}
