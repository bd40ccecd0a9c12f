#include "kinds/green/capacitance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/green.h>
#include "base/lanes.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "kinds/green/green.h"
#include "math/dense/dense.h"
#include "math/dense/dense_inverse.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

/* Blocks of Xi have the unit m/Pa between free vertices and Pa/m between fixed vertices, so their sizes differ by
 * sixteen orders of magnitude. Therefore C is scaled by a diagonal matrix D with d_j = |Xi_jj|^-1/2. The matrix D C D
 * is dimensionless, and its diagonal blocks have norm 1. The size of its inverse measures the condition of the
 * problem. */

/* Limit of the entries of the scaled inverse. A larger entry means that no support holds the body. Practical supports
 * give at most 10^6. */
static const double singular = 1e9;
/* Limits of the relative residual |D C D x - r| / (|x| + |r|). Above `worn`, measured with a test vector, C^-1 is
 * recomputed. Above `exact`, the solution x is refined. */
static const double worn = 1e-11, exact = 1e-15;
/* Limits of prescribed values and of stiffnesses. Values beyond the limits have no physical meaning and might
 * overflow. */
static const double largest_value = 1e100, largest_stiffness = 1e30;
enum { BLOCK = 2046 }; /* number of rows summed together: a multiple of 3 that fits into the L1 cache */
enum { VECTOR = 8 };

struct tacCapacitance {
  tacArrays arrays;
  const tacGreen *green;
  const double **column; /* [vertex] column of the vertex; NULL if none */
  const tacVec3 *position;
  const bool *fixed;
  const double *area;
  int vertex_count, row_count;
  int most_switched, most_loaded;
  double stiffness;

  int switched_count, loaded_count;
  int *switched, *loaded;
  int *place;       /* [vertex] 1 + index in `switched`, or -1 - index in `loaded`, or 0 if in neither */
  tacVec3 *value;   /* [vertex] prescribed value */
  double *scale;    /* scale factors d_j of the switched vertices */
  double *solution; /* 3 values per switched vertex; tractions for the baked stiffness */

  int stride; /* number of values per column, a multiple of VECTOR */
  /* D C D, its inverse, and memory for the next inverse; column-major, padded with zeros */
  double *matrix, *inverse, *next;
  double *test;   /* test vector */
  double *border; /* 9 vectors, `stride` apart, padded with zeros */
  double *right, *work, *correction;
  double *inverse_work;
  int *pivot;
  int refactored;
  double residual;
};

/* ---- creation ---- */

void tac_capacitance_destroy(tacCapacitance *c) {
  if (c == NULL) return;
  tac_arrays_free(&c->arrays);
  free(c);
}
TAC_OWNED_TYPE(tacCapacitance, tac_capacitance_destroy)

static int whole_vectors(int n) {
  return (n + VECTOR - 1) / VECTOR * VECTOR;
}

static tacStatus allocate(tacCapacitance *c, tacError *error) {
  size_t vertices = (size_t)c->vertex_count, most = (size_t)c->most_switched, size = 3 * most;
  size_t entries = (size_t)c->stride * size, all = 3 * entries + 9 * (size_t)c->stride + TAC_LANES_BYTES;
  c->column = tac_arrays_add(&c->arrays, vertices, sizeof *c->column);
  c->place = tac_arrays_add(&c->arrays, vertices, sizeof *c->place);
  c->value = tac_arrays_add(&c->arrays, vertices, sizeof *c->value);
  c->switched = tac_arrays_add(&c->arrays, most, sizeof *c->switched);
  c->loaded = tac_arrays_add(&c->arrays, (size_t)c->most_loaded, sizeof *c->loaded);
  c->scale = tac_arrays_add(&c->arrays, most, sizeof *c->scale);
  c->solution = tac_arrays_add(&c->arrays, size, sizeof *c->solution);
  c->test = tac_arrays_add(&c->arrays, size, sizeof *c->test);
  c->right = tac_arrays_add(&c->arrays, size, sizeof *c->right);
  c->work = tac_arrays_add(&c->arrays, size, sizeof *c->work);
  c->correction = tac_arrays_add(&c->arrays, size, sizeof *c->correction);
  c->pivot = tac_arrays_add(&c->arrays, size, sizeof *c->pivot);
  c->inverse_work = tac_arrays_add(&c->arrays, tac_dense_inverse_work((int)size), sizeof *c->inverse_work);
  double *memory = tac_arrays_add(&c->arrays, all, sizeof *memory);
  TAC_TRY(tac_arrays_status(&c->arrays, "a capacitance matrix", error));
  c->matrix = tac_lanes_align(memory);
  c->inverse = c->matrix + entries;
  c->next = c->inverse + entries;
  c->border = c->next + entries;
  return TAC_OK;
}

tacStatus tac_capacitance_create(const tacGreen *green, int most_switched, int most_loaded,
                                 tacCapacitance **capacitance, tacError *error) {
  *capacitance = NULL;
  if (tac_green_storage(green) != TAC_GREEN_WHOLE)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a capacitance matrix needs Green's functions with `storage: whole`");
  if (most_switched < 0 || most_loaded < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a capacitance matrix cannot have %d switched and %d loaded "
                         "vertices; both must be 0 or more",
                         most_switched, most_loaded);
  TAC_OWN(tacCapacitance, c) = NULL;
  TAC_TRY(TAC_ARRAY(c, 1, "a capacitance matrix", error));
  const tacTriMesh *surface = tac_green_surface(green);
  int columns = tac_green_column_count(green);
  c->green = green;
  c->position = surface->vertices;
  c->vertex_count = surface->vertex_count;
  c->row_count = tac_green_row_count(green);
  c->fixed = tac_green_fixed(green);
  c->area = tac_green_area(green);
  c->most_switched = most_switched < columns ? most_switched : columns;
  c->most_loaded = most_loaded < columns ? most_loaded : columns;
  c->stiffness = 1.0;
  c->stride = whole_vectors(3 * c->most_switched);
  TAC_TRY(allocate(c, error));
  for (int i = 0; i < c->vertex_count; ++i) c->column[i] = tac_green_column(green, i);
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 3 * c->most_switched; ++i) c->test[i] = tac_random_uniform(&random, -1.0, 1.0);
  *capacitance = tac_give(&c);
  return TAC_OK;
}

/* ---- switching ---- */

static tacDense view(const tacCapacitance *c, double *entries, int vertices) {
  return (tacDense){3 * vertices, 3 * vertices, c->stride > 0 ? c->stride : 1, entries};
}

static double *entry(const tacCapacitance *c, double *matrix, int i, int j) {
  return matrix + (size_t)j * (size_t)c->stride + i;
}

static double norm(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sqrt(sum);
}

/* True if all entries are finite and at most `singular` in magnitude. */
static bool moderate(const double *x, int n) {
  long outside = 0;
  for (int i = 0; i < n; ++i) outside += !(fabs(x[i]) <= singular);
  return outside == 0;
}

/* Computes the residual work = r - D C D x. Returns its norm relative to |x| + |r|. */
static double measure(const tacDense *matrix, const double *x, const double *r, double *work) {
  int n = matrix->rows;
  tac_dense_loop_gemv(matrix, x, work);
  for (int i = 0; i < n; ++i) work[i] = r[i] - work[i];
  double size = norm(x, n) + norm(r, n);
  return size > 0.0 ? norm(work, n) / size : 0.0;
}

/* Pads a column with zeros to whole vectors. A rejected switch may leave NaN or infinite values in the padding. The
 * product of such a value and zero would be NaN. */
static void end_column(const tacDense *matrix, int column) {
  for (int i = matrix->rows; i < whole_vectors(matrix->rows); ++i) tac_dense_column(matrix, column)[i] = 0.0;
}

/* Accepts `next` as the inverse for `count` vertices. If `next` is not accurate, the inverse is first computed from
 * scratch. Returns false if the problem is singular; the previous inverse then remains in use. */
static bool accept(tacCapacitance *c, int count) {
  tacDense matrix = view(c, c->matrix, count), next = view(c, c->next, count);
  tac_dense_loop_gemv(&next, c->test, c->correction);
  if (!(measure(&matrix, c->correction, c->test, c->work) <= worn)) {
    for (int j = 0; j < matrix.cols; ++j)
      memcpy(tac_dense_column(&next, j), tac_dense_column(&matrix, j), (size_t)matrix.rows * sizeof(double));
    ++c->refactored;
    if (!tac_dense_inverse(&next, c->pivot, c->inverse_work)) return false;
    for (int j = 0; j < next.cols; ++j) {
      if (!moderate(tac_dense_column(&next, j), next.rows)) return false;
      end_column(&next, j);
    }
  }
  double *former = c->inverse;
  c->inverse = c->next;
  c->next = former;
  return true;
}

/* Computes the 3 x 3 inverse by cofactors. Returns false if an entry is not finite or too large. */
static bool invert3(double m[3][3], double inverse[3][3]) {
  bool within = true;
  double determinant = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      inverse[j][i] = m[(i + 1) % 3][(j + 1) % 3] * m[(i + 2) % 3][(j + 2) % 3] -
                      m[(i + 1) % 3][(j + 2) % 3] * m[(i + 2) % 3][(j + 1) % 3];
  for (int j = 0; j < 3; ++j) determinant += m[0][j] * inverse[j][0];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      inverse[i][j] /= determinant;
      within &= fabs(inverse[i][j]) <= singular;
    }
  return within;
}

/* Computes block (i, j) of D C D from the Green's functions. */
static void set_block(tacCapacitance *c, int i, int j) {
  const double *column = c->column[c->switched[j]] + 3 * (size_t)c->switched[i];
  double factor = -c->scale[i] * c->scale[j];
  for (int k = 0; k < 3; ++k, column += c->row_count)
    for (int l = 0; l < 3; ++l) *entry(c, c->matrix, 3 * i + l, 3 * j + k) = factor * column[l];
}

/* Multiplies the inverse (n columns) by three rows c and three columns b: left_k = (c_k^T C^-1)^T and right_k = C^-1
 * b_k. Passes once over the inverse, two columns at a time. The vectors b, c, left and right are `stride` apart and
 * padded with zeros. */
#define EACH(M) M(0) M(1) M(2)
#define START(K) Lanes dot_##K = {0.0}, dot_next_##K = {0.0};
#define HOLD(K) const double b_##K = b[(K)*stride + j], b_next_##K = last ? 0.0 : b[(K)*stride + j + 1];
#define MULTIPLY(K)                                             \
  const Lanes row_##K = *(const Lanes *)(row + (K)*stride + i); \
  dot_##K += row_##K * x;                                       \
  dot_next_##K += row_##K * next;                               \
  *(Lanes *)(right + (K)*stride + i) += b_##K * x + b_next_##K * next;
#define TAKE(K)                                                                  \
  left[(K)*stride + j] = dot_##K[0];                                             \
  left[(K)*stride + j + 1] = dot_next_##K[0]; /* unused after the last column */ \
  for (size_t l = 1; l < sizeof(Lanes) / sizeof(double); ++l) {                  \
    left[(K)*stride + j] += dot_##K[l];                                          \
    left[(K)*stride + j + 1] += dot_next_##K[l];                                 \
  }

/* clang-format off */
#define DEFINE_BORDER(DOUBLES)                                                                                         \
  TAC_LANES_BODY void border_by_##DOUBLES(int n, size_t stride, const double *inverse, const double *b,                \
                                          const double *row, double *right, double *left) {                            \
    typedef double Lanes __attribute__((vector_size((DOUBLES) * sizeof(double)), aligned(sizeof(double)), may_alias)); \
    const size_t end = (size_t)whole_vectors(n);                                                                       \
    for (size_t j = 0; j < (size_t)n; j += 2) {                                                                        \
      const bool last = j + 1 == (size_t)n;                                                                            \
      const double *column = inverse + j * stride, *beside = last ? column : column + stride;                          \
      EACH(HOLD)                                                                                                       \
      EACH(START)                                                                                                      \
      for (size_t i = 0; i < end; i += (DOUBLES)) {                                                                    \
        const Lanes x = *(const Lanes *)(column + i), next = *(const Lanes *)(beside + i);                             \
        EACH(MULTIPLY)                                                                                                 \
      }                                                                                                                \
      EACH(TAKE)                                                                                                       \
    }                                                                                                                  \
  }
/* clang-format on */
DEFINE_BORDER(2)
DEFINE_BORDER(4)
DEFINE_BORDER(8)

TAC_LANES_BODY void multiply_border_lanes(const int doubles, int n, size_t stride, const double *inverse,
                                          const double *b, const double *row, double *right, double *left) {
  if (doubles == 8)
    border_by_8(n, stride, inverse, b, row, right, left);
  else if (doubles == 4)
    border_by_4(n, stride, inverse, b, row, right, left);
  else
    border_by_2(n, stride, inverse, b, row, right, left);
}
TAC_LANES_KERNEL(static, multiply_border,
                 (int n, size_t stride, const double *inverse, const double *b, const double *row, double *right,
                  double *left),
                 n, stride, inverse, b, row, right, left)

/* Computes y_j = keep x_j - sum over k of factor_kj q_k for all columns j, with n rows. Sets `*outside` to the number
 * of values that are not finite or too large. All vectors are `stride` apart. */
TAC_LANES_BODY void subtract_lanes(const int doubles, int n, int columns, size_t stride, double keep, const double *x,
                                   const double *restrict q, const double *factor, double *restrict y, long *outside) {
  (void)doubles;
  const double *restrict q0 = q, *restrict q1 = q0 + stride, *restrict q2 = q1 + stride;
  long count = 0;
  for (int j = 0; j < columns; ++j, x += stride, y += stride) {
    const double f0 = factor[j], f1 = factor[stride + (size_t)j], f2 = factor[2 * stride + (size_t)j];
    for (int i = 0; i < n; ++i) {
      const double value = keep * x[i] - (f0 * q0[i] + f1 * q1[i] + f2 * q2[i]);
      count += !(fabs(value) <= singular);
      y[i] = value;
    }
  }
  *outside = count;
}
TAC_LANES_KERNEL(static, subtract,
                 (int n, int columns, size_t stride, double keep, const double *x, const double *q,
                  const double *factor, double *y, long *outside),
                 n, columns, stride, keep, x, q, factor, y, outside)

/* Adds a vertex. With the new columns b, rows c^T and block d of C, and with sigma = d - c^T C^-1 b, the new inverse is
 *     [C b; c^T d]^-1 = [C^-1 + C^-1 b sigma^-1 c^T C^-1,  -C^-1 b sigma^-1;  -sigma^-1 c^T C^-1,  sigma^-1]. */
static bool extend(tacCapacitance *c, int vertex) {
  int count = c->switched_count, n = 3 * count;
  double size = 0.0;
  const double *own = c->column[vertex] + 3 * (size_t)vertex;
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l)
      size += own[(size_t)k * (size_t)c->row_count + (size_t)l] * own[(size_t)k * (size_t)c->row_count + (size_t)l];
  if (!(size > 0.0) || !isfinite(size)) return false;
  c->scale[count] = 1.0 / sqrt(sqrt(size));
  c->switched[count] = vertex;
  for (int i = 0; i < count; ++i) {
    set_block(c, i, count);
    set_block(c, count, i);
  }
  set_block(c, count, count);
  const size_t stride = (size_t)c->stride;
  /* Three vectors each: `row` holds c, `right` holds C^-1 b, and `left` holds (c^T C^-1)^T. */
  double *row = c->border, *right = row + 3 * stride, *left = right + 3 * stride;
  for (int k = 0; k < 6; ++k) memset(row + (size_t)k * stride, 0, (size_t)whole_vectors(n) * sizeof *row);
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < 3; ++k) row[(size_t)k * stride + (size_t)j] = *entry(c, c->matrix, n + k, j);
  multiply_border(n, stride, c->inverse, entry(c, c->matrix, 0, n), row, right, left);
  double schur[3][3], schur_inverse[3][3];
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l)
      schur[k][l] =
          *entry(c, c->matrix, n + k, n + l) - tac_vector_dot(n, row + (size_t)k * stride, right + (size_t)l * stride);
  if (!invert3(schur, schur_inverse)) return false;
  double *below = row; /* last three entries of each new column, stored over the rows c, which are no longer needed */
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < n + 3; ++j)
      below[(size_t)k * stride + (size_t)j] =
          j < n ? -(schur_inverse[k][0] * left[j] + schur_inverse[k][1] * left[stride + (size_t)j] +
                    schur_inverse[k][2] * left[2 * stride + (size_t)j])
                : schur_inverse[k][j - n];
  long outside, outside_border;
  subtract(n, n, stride, 1.0, c->inverse, right, below, c->next, &outside);
  subtract(n, 3, stride, 0.0, c->inverse, right, below + n, entry(c, c->next, 0, n), &outside_border);
  if (outside + outside_border > 0) return false;
  const tacDense next = view(c, c->next, count + 1);
  for (int j = 0; j < n + 3; ++j) {
    double *last = entry(c, c->next, n, j);
    for (int k = 0; k < 3; ++k) last[k] = below[(size_t)k * stride + (size_t)j];
    if (!moderate(last, 3)) return false;
    end_column(&next, j);
  }
  if (!accept(c, count + 1)) return false;
  memset(c->solution + n, 0, 3 * sizeof *c->solution);
  ++c->switched_count;
  return true;
}

/* Exchanges two switched vertices in all arrays that are ordered by switched vertex. */
static void exchange(tacCapacitance *c, int a, int b) {
  int n = 3 * c->switched_count, vertex = c->switched[a];
  if (a == b) return;
  double *const matrices[2] = {c->matrix, c->inverse};
  for (int m = 0; m < 2; ++m) {
    for (int k = 0; k < 3; ++k)
      tac_vector_swap(n, entry(c, matrices[m], 0, 3 * a + k), entry(c, matrices[m], 0, 3 * b + k));
    for (int j = 0; j < n; ++j) tac_vector_swap(3, entry(c, matrices[m], 3 * a, j), entry(c, matrices[m], 3 * b, j));
  }
  tac_vector_swap(3, &c->solution[3 * a], &c->solution[3 * b]);
  tac_vector_swap(1, &c->scale[a], &c->scale[b]);
  c->switched[a] = c->switched[b];
  c->switched[b] = vertex;
  c->place[c->switched[a]] = 1 + a;
  c->place[c->switched[b]] = 1 + b;
}

/* Removes a switched vertex. Let the vertex be the last one and let C^-1 = [P q; r s]. Then the inverse for the other
 * vertices is P - q s^-1 r. */
static bool shrink(tacCapacitance *c, int at) {
  int last = c->switched_count - 1, n = 3 * last;
  exchange(c, at, last);
  double corner[3][3], corner_inverse[3][3];
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) corner[k][l] = *entry(c, c->inverse, n + k, n + l);
  bool done = invert3(corner, corner_inverse);
  const size_t stride = (size_t)c->stride;
  double *factor = c->border;
  for (int j = 0; j < n; ++j) {
    const double *r = entry(c, c->inverse, n, j);
    for (int k = 0; k < 3; ++k)
      factor[(size_t)k * stride + (size_t)j] =
          corner_inverse[k][0] * r[0] + corner_inverse[k][1] * r[1] + corner_inverse[k][2] * r[2];
  }
  long outside = 0;
  if (done) subtract(n, n, stride, 1.0, c->inverse, entry(c, c->inverse, 0, n), factor, c->next, &outside);
  done = done && outside == 0;
  const tacDense next = view(c, c->next, last);
  for (int j = 0; j < n; ++j) end_column(&next, j);
  if (!done || !accept(c, last)) {
    exchange(c, at, last);
    return false;
  }
  --c->switched_count;
  return true;
}

/* Removes a vertex without a value from the array `loaded`. */
static void unload(tacCapacitance *c, int vertex) {
  int at = -c->place[vertex] - 1;
  if (c->place[vertex] >= 0) return;
  int last = c->loaded[--c->loaded_count];
  c->loaded[at] = last;
  c->place[last] = -1 - at;
  c->place[vertex] = 0;
}

static bool has_column(const tacCapacitance *c, int vertex) {
  return vertex >= 0 && vertex < c->vertex_count && c->column[vertex] != NULL;
}

bool tac_capacitance_switch(tacCapacitance *c, int vertex) {
  if (!has_column(c, vertex)) return false;
  if (c->place[vertex] > 0) {
    if (!shrink(c, c->place[vertex] - 1)) return false;
    c->place[vertex] = 0;
  } else {
    if (c->switched_count == c->most_switched || !extend(c, vertex)) return false;
    unload(c, vertex);
    c->place[vertex] = c->switched_count;
  }
  c->value[vertex] = tac_vec3(0.0, 0.0, 0.0);
  return true;
}

bool tac_capacitance_is_switched(const tacCapacitance *c, int vertex) {
  return vertex >= 0 && vertex < c->vertex_count && c->place[vertex] > 0;
}

int tac_capacitance_switched_count(const tacCapacitance *c) {
  return c->switched_count;
}

const int *tac_capacitance_switched(const tacCapacitance *c) {
  return c->switched;
}

bool tac_capacitance_prescribe(tacCapacitance *c, int vertex, tacVec3 value) {
  if (vertex < 0 || vertex >= c->vertex_count) return false;
  double size = fmax(fabs(value.x), fmax(fabs(value.y), fabs(value.z)));
  if (!tac_vec3_finite(value) || size > largest_value) return false;
  if (c->place[vertex] <= 0 && size == 0.0) {
    unload(c, vertex);
  } else if (c->place[vertex] == 0) {
    if (c->column[vertex] == NULL || c->loaded_count == c->most_loaded) return false;
    c->loaded[c->loaded_count++] = vertex;
    c->place[vertex] = -c->loaded_count;
  }
  c->value[vertex] = value;
  return true;
}

void tac_capacitance_reset(tacCapacitance *c) {
  for (int i = 0; i < c->switched_count + c->loaded_count; ++i) {
    int vertex = i < c->switched_count ? c->switched[i] : c->loaded[i - c->switched_count];
    c->value[vertex] = tac_vec3(0.0, 0.0, 0.0);
    c->place[vertex] = 0;
  }
  c->switched_count = c->loaded_count = 0;
  c->residual = 0.0;
}

/* Let a body be k times as stiff as the baked body. Its response to a traction p is the response of the baked body to p
 * / k. Its unknown tractions are k times as large. So Xi is unchanged, prescribed tractions are divided by k, and
 * unknown tractions are multiplied by k. */
bool tac_capacitance_scale(tacCapacitance *c, double stiffness) {
  if (!(stiffness >= 1.0 / largest_stiffness && stiffness <= largest_stiffness)) return false;
  c->stiffness = stiffness;
  return true;
}

/* ---- solving ---- */

/* Returns the weights of the three columns of a loaded vertex. */
TAC_LANES_BODY tacVec3 load(const tacCapacitance *c, int vertex) {
  return tac_vec3_scale(c->fixed[vertex] ? 1.0 : 1.0 / c->stiffness, c->value[vertex]);
}

void tac_capacitance_solve(tacCapacitance *c) {
  int n = 3 * c->switched_count;
  for (int i = 0; i < c->switched_count; ++i) { /* computes E^T v0 (20) */
    int vertex = c->switched[i];
    tacVec3 prescribed = tac_vec3_scale(c->fixed[vertex] ? 1.0 / c->stiffness : 1.0, c->value[vertex]);
    double sum[3] = {-prescribed.x, -prescribed.y, -prescribed.z};
    for (int j = 0; j < c->loaded_count; ++j) {
      const double *x = c->column[c->loaded[j]] + 3 * (size_t)vertex, *y = x + c->row_count, *z = y + c->row_count;
      tacVec3 weight = load(c, c->loaded[j]);
      for (int k = 0; k < 3; ++k) sum[k] += weight.x * x[k] + weight.y * y[k] + weight.z * z[k];
    }
    for (int k = 0; k < 3; ++k) c->right[3 * i + k] = c->scale[i] * sum[k];
  }
  tacDense matrix = view(c, c->matrix, c->switched_count), inverse = view(c, c->inverse, c->switched_count);
  tac_dense_loop_gemv(&inverse, c->right, c->solution);
  c->residual = measure(&matrix, c->solution, c->right, c->work);
  if (c->residual > exact) {
    tac_dense_loop_gemv(&inverse, c->work, c->correction);
    for (int i = 0; i < n; ++i) c->solution[i] += c->correction[i];
    c->residual = measure(&matrix, c->solution, c->right, c->work);
  }
  for (int i = 0; i < n; ++i) c->solution[i] *= c->scale[i / 3];
}

void tac_capacitance_at_switched(const tacCapacitance *c, tacVec3 *values) {
  for (int i = 0; i < c->switched_count; ++i) {
    const double *w = c->solution + 3 * i;
    values[i] = tac_vec3_scale(c->fixed[c->switched[i]] ? 1.0 : c->stiffness, tac_vec3(w[0], w[1], w[2]));
  }
}

/* Returns the columns and weights of one term of the sum Xi E w + Xi (I - E E^T) vbar (18), (20). Here w is the
 * solution. Switched vertices come first, then loaded vertices. */
TAC_LANES_BODY const double *term(const tacCapacitance *c, int index, double weight[3]) {
  bool own = index < c->switched_count;
  int vertex = own ? c->switched[index] : c->loaded[index - c->switched_count];
  tacVec3 value = own ? tac_vec3(0.0, 0.0, 0.0) : load(c, vertex);
  weight[0] = own ? c->solution[3 * index] : value.x;
  weight[1] = own ? c->solution[3 * index + 1] : value.y;
  weight[2] = own ? c->solution[3 * index + 2] : value.z;
  return c->column[vertex];
}

/* Computes the rows `begin` to `end` - 1, one block at a time. Each pass adds the columns of two vertices. Every column
 * is read once, in a fixed order. */
TAC_LANES_BODY void sum_rows_lanes(const int doubles, const tacCapacitance *c, int begin, int end, double *values) {
  (void)doubles;
  int terms = c->switched_count + c->loaded_count;
  size_t rows = (size_t)c->row_count;
  for (int low = begin; low < end; low += BLOCK) {
    int count = end - low < BLOCK ? end - low : BLOCK, i = 0;
    double *restrict y = values + (low - begin), a[3], b[3];
    memset(y, 0, (size_t)count * sizeof *y);
    for (; i + 2 <= terms; i += 2) {
      const double *restrict p = term(c, i, a) + low, *restrict q = term(c, i + 1, b) + low;
      for (int k = 0; k < count; ++k) {
        size_t r = (size_t)k;
        y[k] += ((a[0] * p[r] + a[1] * p[rows + r]) + (a[2] * p[2 * rows + r] + b[0] * q[r])) +
                (b[1] * q[rows + r] + b[2] * q[2 * rows + r]);
      }
    }
    if (i < terms) {
      const double *restrict p = term(c, i, a) + low;
      for (int k = 0; k < count; ++k) {
        size_t r = (size_t)k;
        y[k] += (a[0] * p[r] + a[1] * p[rows + r]) + a[2] * p[2 * rows + r];
      }
    }
  }
}

TAC_LANES_KERNEL(static, sum_rows, (const tacCapacitance *c, int begin, int end, double *values), c, begin, end, values)

void tac_capacitance_at(const tacCapacitance *c, int count, const int *vertices, tacVec3 *values) {
  for (int i = 0; i < count; ++i) {
    int vertex = vertices[i], place = c->place[vertex];
    double v[3];
    if (place > 0)
      memcpy(v, c->solution + 3 * (place - 1), sizeof v); /* equation (21) of James and Pai (2001) */
    else
      sum_rows(c, 3 * vertex, 3 * vertex + 3, v);
    bool traction = c->fixed[vertex] != (place > 0);
    values[i] = tac_vec3_scale(traction ? c->stiffness : 1.0, tac_vec3(v[0], v[1], v[2]));
  }
}

void tac_capacitance_everywhere(const tacCapacitance *c, tacVec3 *values) {
  sum_rows(c, 0, 3 * c->vertex_count, &values->x);
  for (int i = 0; c->stiffness != 1.0 && i < c->vertex_count; ++i)
    if (c->fixed[i]) values[i] = tac_vec3_scale(c->stiffness, values[i]);
  for (int i = 0; i < c->switched_count; ++i) tac_capacitance_at(c, 1, &c->switched[i], &values[c->switched[i]]);
}

void tac_capacitance_sensors(const tacCapacitance *c, double *values) {
  int begin = 3 * c->vertex_count;
  sum_rows(c, begin, c->row_count, values);
  for (int i = 0; i < tac_green_sensor_count(c->green); ++i) {
    if (tac_green_sensor(c->green, i)->kind != TAC_SENSOR_STRESS) continue;
    for (int k = 0; k < 6; ++k) values[tac_green_sensor_row(c->green, i) - begin + k] *= c->stiffness;
  }
}

void tac_capacitance_contact_force(const tacCapacitance *c, tacVec3 centre, tacVec3 *force, tacVec3 *torque) {
  *force = *torque = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < c->switched_count; ++i) {
    int vertex = c->switched[i];
    if (c->fixed[vertex]) continue;
    const double *p = c->solution + 3 * i;
    tacVec3 f = tac_vec3_scale(c->area[vertex] * c->stiffness, tac_vec3(p[0], p[1], p[2]));
    *force = tac_vec3_add(*force, f);
    *torque = tac_vec3_add(*torque, tac_vec3_cross(tac_vec3_sub(c->position[vertex], centre), f));
  }
}

/* The scaled inverse is D^-1 C^-1 D^-1. Prescribed tractions are divided by the stiffness, and unknown tractions are
 * multiplied by it. */
void tac_capacitance_stiffness(const tacCapacitance *c, int i, int j, double block[3][3]) {
  double factor = -c->scale[i] * c->scale[j];
  if (!c->fixed[c->switched[i]]) factor *= c->stiffness;
  if (c->fixed[c->switched[j]]) factor /= c->stiffness;
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) block[k][l] = factor * *entry(c, c->inverse, 3 * i + k, 3 * j + l);
}

tacCapacitanceCost tac_capacitance_cost(const tacCapacitance *c) {
  double n = 3.0 * c->switched_count, loads = 3.0 * c->loaded_count, larger = n + 3.0;
  return (tacCapacitanceCost){
      .update = 9.0 * n * n + 9.0 * n + 2.0 * larger * larger, /* cost of border, products and test vector */
      .factor = n * n * n,
      .solve = 4.0 * n * n + n * loads, /* includes one refinement */
      .surface = 3.0 * c->vertex_count * (n + loads),
  };
}

int tac_capacitance_refactored(const tacCapacitance *c) {
  return c->refactored;
}

double tac_capacitance_residual(const tacCapacitance *c) {
  return c->residual;
}
