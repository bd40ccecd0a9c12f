#include "kinds/reduced/reduced_polynomial.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "base/lanes.h"

/* The evaluation computes the matrix K of the second derivatives of W by x, and K x.
 *
 * A second derivative of c x_i x_j x_k x_l removes two of the four factors. There are six pairs of factors, and each
 * pair leaves the product of the other two factors. If indices coincide, several pairs contribute to one entry of K,
 * and a pair (a, a) counts twice. No special cases are needed: all contributions are added to the upper triangle of K,
 * and the diagonal is doubled at the end.
 *
 * For one pair i <= j the coefficients form an upper triangle M_kl, j <= k <= l. Its contributions are
 *   v = (M + M^T) x,   K_kl += x_i x_j M_kl,   K_ik += x_j v_k,   K_jk += x_i v_k,   K_ij += x.v / 2.
 * The computation of v and the first sum need three multiply-adds per coefficient. The other sums are of lower order.
 *
 * Eight successive pairs, (0, 0) (0, 1) (1, 1) (0, 2) ..., form a group and are processed together, one pair per lane.
 * Their triangles are interleaved: the M_kl of all eight pairs are adjacent in memory. Sums have one value per lane
 * until all pairs are done. Only the sums of K_kl have one value per lane of the processor's vectors, which saves
 * memory. All triangles of a group start with the j of the first pair. In a triangle whose pair has a larger j, the
 * entries before this j are zero.
 *
 * Two rows k, k + 1 are processed together, so that v_l is loaded and stored once for both rows. If a triangle has an
 * odd number of rows, its first row is processed alone. The memory of each group therefore contains:
 *   the first row, if n - j is odd: for each column l: 8 numbers;
 *   for each pair of rows: 8 of M_kk; for each column l > k: 8 of M_kl, 8 of M_(k+1)l. */
enum { LANES = 8 };

#define INLINE static inline __attribute__((always_inline))

/* ---- storage indices ---- */

/* Returns m (m + 1) / 2, the number of pairs of m numbers and of entries of a triangle. */
static size_t triangle(int m) {
  return (size_t)m * ((size_t)m + 1) / 2;
}

/* Returns the number of groups of eight pairs whose first pair has a second index below j. */
static size_t eights_before(int j) {
  return (triangle(j) + LANES - 1) / LANES;
}

/* Returns the storage index of the group `eight`. The first pair of the group has the second index j; n = r + 1. */
static size_t begin_of(int n, size_t eight, int j) {
  size_t triangles = (eight - eights_before(j)) * triangle(n - j);
  for (int m = 0; m < j; ++m) triangles += (eights_before(m + 1) - eights_before(m)) * triangle(n - m);
  return LANES * triangles;
}

/* Returns the second index of the first pair of the group `eight`, which also contains a pair with second index j. */
static int first_of(size_t eight, int j) {
  while (triangle(j) > LANES * eight) --j;
  return j;
}

/* Returns the index of the entry (k, l), k <= l, in triangles with the rows `first` to n - 1. */
static size_t place_in_triangles(int n, int first, int k, int l) {
  /* `top` is the first row of the pair of rows that contains k; `row` is the position of k in the pair, 0 or 1. */
  int row = (n - k) % 2 == 0 ? 0 : 1, top = k - row;
  if (top < first) return LANES * (size_t)(l - k);
  size_t before = triangle(n - first) - triangle(n - top);
  return LANES * (l == top ? before : before + 1 + (size_t)(2 * (l - top - 1) + row));
}

/* Returns the storage index of the coefficient of x_i x_j x_k x_l, i <= j <= k <= l < n. */
static size_t place_of(int n, int i, int j, int k, int l) {
  size_t pair = triangle(j) + (size_t)i, eight = pair / LANES;
  int first = first_of(eight, j);
  return begin_of(n, eight, first) + place_in_triangles(n, first, k, l) + pair % LANES;
}

size_t tac_reduced_polynomial_count(int r) {
  return begin_of(r + 1, eights_before(r + 1), r + 1);
}

size_t tac_reduced_polynomial_place(int r, int degree, const int *index) {
  int x[4] = {0}; /* sorted indices; the unused first indices remain 0, for the factor x_0 = 1 */
  for (int d = 0; d < degree; ++d) {
    int at = 4 - degree + d;
    for (; at > 0 && x[at - 1] > index[d] + 1; --at) x[at] = x[at - 1];
    x[at] = index[d] + 1;
  }
  return place_of(r + 1, x[0], x[1], x[2], x[3]);
}

void tac_reduced_polynomial_restrict(int r, const double *from, int kept_count, const int *kept, double *to) {
  int n = kept_count + 1, x[TAC_BODY_MOST_COORDINATES + 1] = {0};
  for (int i = 0; i < kept_count; ++i) x[i + 1] = kept[i] + 1;
  memset(to, 0, tac_reduced_polynomial_count(kept_count) * sizeof *to);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      size_t pair = triangle(j) + (size_t)i, from_pair = triangle(x[j]) + (size_t)x[i];
      int first = first_of(pair / LANES, j), from_first = first_of(from_pair / LANES, x[j]);
      double *into = to + begin_of(n, pair / LANES, first) + pair % LANES;
      const double *of = from + begin_of(r + 1, from_pair / LANES, from_first) + from_pair % LANES;
      for (int k = j; k < n; ++k)
        for (int l = k; l < n; ++l)
          into[place_in_triangles(n, first, k, l)] = of[place_in_triangles(r + 1, from_first, x[k], x[l])];
    }
}

/* ---- eight numbers at once ---- */

typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
typedef double Quad __attribute__((vector_size(4 * sizeof(double))));
typedef double Oct __attribute__((vector_size(8 * sizeof(double))));
typedef Pair PairAnywhere __attribute__((aligned(sizeof(double)), may_alias));
typedef Quad QuadAnywhere __attribute__((aligned(sizeof(double)), may_alias));
typedef Oct OctAnywhere __attribute__((aligned(sizeof(double)), may_alias));

/* Eight numbers in vectors of one width. Only the member with the vector width of the processor is used, because
 * compilers keep wider vectors in memory. */
typedef struct Eight {
  Oct oct;
  Quad quad[2];
  Pair pair[4];
} Eight;

INLINE void load(const int doubles, Eight *to, const double *from) {
  if (doubles == 8) to->oct = *(const OctAnywhere *)from;
  for (int p = 0; doubles == 4 && p < 2; ++p) to->quad[p] = *(const QuadAnywhere *)(from + 4 * p);
  for (int p = 0; doubles == 2 && p < 4; ++p) to->pair[p] = *(const PairAnywhere *)(from + 2 * p);
}

INLINE void store(const int doubles, double *to, const Eight *from) {
  if (doubles == 8) *(OctAnywhere *)to = from->oct;
  for (int p = 0; doubles == 4 && p < 2; ++p) *(QuadAnywhere *)(to + 4 * p) = from->quad[p];
  for (int p = 0; doubles == 2 && p < 4; ++p) *(PairAnywhere *)(to + 2 * p) = from->pair[p];
}

/* Computes to = s a. */
INLINE void scale(const int doubles, Eight *to, double s, const Eight *a) {
  if (doubles == 8) to->oct = s * a->oct;
  for (int p = 0; doubles == 4 && p < 2; ++p) to->quad[p] = s * a->quad[p];
  for (int p = 0; doubles == 2 && p < 4; ++p) to->pair[p] = s * a->pair[p];
}

/* Computes to += s a. */
INLINE void add(const int doubles, Eight *to, double s, const Eight *a) {
  if (doubles == 8) to->oct += s * a->oct;
  for (int p = 0; doubles == 4 && p < 2; ++p) to->quad[p] += s * a->quad[p];
  for (int p = 0; doubles == 2 && p < 4; ++p) to->pair[p] += s * a->pair[p];
}

/* Multiplies `to` by `a`, lane by lane. */
INLINE void multiply(const int doubles, Eight *to, const Eight *a) {
  if (doubles == 8) to->oct *= a->oct;
  for (int p = 0; doubles == 4 && p < 2; ++p) to->quad[p] *= a->quad[p];
  for (int p = 0; doubles == 2 && p < 4; ++p) to->pair[p] *= a->pair[p];
}

/* Adds s a to the eight numbers at `to`. */
INLINE void add_to(const int doubles, double *to, double s, const Eight *a) {
  Eight sum;
  load(doubles, &sum, to);
  add(doubles, &sum, s, a);
  store(doubles, to, &sum);
}

/* Adds the lane products a b to the eight numbers at `to`. */
INLINE void add_product_to(const int doubles, double *to, const Eight *a, const Eight *b) {
  Eight sum;
  load(doubles, &sum, to);
  if (doubles == 8) sum.oct += a->oct * b->oct;
  for (int p = 0; doubles == 4 && p < 2; ++p) sum.quad[p] += a->quad[p] * b->quad[p];
  for (int p = 0; doubles == 2 && p < 4; ++p) sum.pair[p] += a->pair[p] * b->pair[p];
  store(doubles, to, &sum);
}

/* Adds the lane products a b, folded to `doubles` partial sums, to the numbers at `to`. */
INLINE void add_parts_to(const int doubles, double *to, const Eight *a, const Eight *b) {
  if (doubles == 8) *(OctAnywhere *)to += a->oct * b->oct;
  if (doubles == 4) {
    Quad sum = *(const QuadAnywhere *)to;
    for (int p = 0; p < 2; ++p) sum += a->quad[p] * b->quad[p];
    *(QuadAnywhere *)to = sum;
  }
  if (doubles == 2) {
    Pair sum = *(const PairAnywhere *)to;
    for (int p = 0; p < 4; ++p) sum += a->pair[p] * b->pair[p];
    *(PairAnywhere *)to = sum;
  }
}

/* Returns the sum of the even elements and the sum of the odd elements of a[0, doubles). */
INLINE Pair add_up(const int doubles, const double *a) {
  if (doubles == 2) return *(const PairAnywhere *)a;
  Quad four = *(const QuadAnywhere *)a;
  if (doubles == 8) four += *(const QuadAnywhere *)(a + 4);
  return __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
}

/* ---- evaluation ---- */

typedef struct Work {
  int n;
  double *x;       /* x = (1, q), with eight zeros before and after */
  double *product; /* first x_i x_j, then the contribution to K_ij, [pair] */
  double *v;       /* v of the present group of eight, [column][LANES] */
  double *k;       /* partial sums of the upper triangle of K, [pair of rows][column][row][doubles] */
  double *column;  /* contributions x_j v_k to K_ik, [column k][row i] */
  size_t stride;   /* number of rows of a column in `column` */
  double *image;   /* K x as two partial sums, [row][2] */
} Work;

/* Returns the address of the partial sums of K_kk. Rows are stored in pairs, and a pair starts with the column of its
 * first row. If n is odd, an unused row and column precede the first row, so that the last row is the second of a
 * pair. */
INLINE double *row_at(const int doubles, const Work *work, int k) {
  size_t odd = (size_t)work->n % 2, even = (size_t)work->n + odd, row = (size_t)k + odd, top = row / 2 * 2;
  return work->k + (size_t)doubles * (top * (even + 1) - top * top / 2 + 3 * (row - top));
}

/* Computes v = s a if `first` is true, otherwise v += s a with v loaded from `from`. */
INLINE void add_down(const int doubles, const bool first, Eight *v, const double *from, double s, const Eight *a) {
  if (first) scale(doubles, v, s, a);
  if (!first) load(doubles, v, from);
  if (!first) add(doubles, v, s, a);
}

/* Adds row k of the triangles, which is processed alone. Row k is the first row of the triangles and the second row of
 * a pair of rows in `to`. */
INLINE const double *add_one_row(const int doubles, const Work *work, const double *a, const Eight *xx, int k,
                                 double *to) {
  Eight u, c, sum;
  double *v = work->v + LANES * k, *down = v;
  const double *x = work->x + k, *end = work->x + work->n;
  double x0 = x[0];
  load(doubles, &c, a);
  scale(doubles, &u, 0.0, &c);
  for (; x < end; ++x, a += LANES, down += LANES, to += 2 * doubles) {
    load(doubles, &c, a);
    add(doubles, &u, *x, &c);
    add_down(doubles, true, &sum, down, x0, &c);
    store(doubles, down, &sum);
    add_parts_to(doubles, to, xx, &c);
  }
  add_to(doubles, v, 1.0, &u);
  return a;
}

/* Adds rows k and k + 1 of the triangles. The sums along rows are collected in u, and the sums down columns in v.
 * `first` is true if k is the first row of the triangles. */
INLINE const double *add_two_rows(const int doubles, const bool first, const Work *work, const double *a,
                                  const Eight *xx, int k, double *to) {
  Eight u0, u1, c0, c1, sum;
  double *v = work->v + LANES * k, *down = v + LANES;
  const double *x = work->x + k, *end = work->x + work->n;
  double x0 = x[0], x1 = x[1];
  load(doubles, &c0, a);
  add_down(doubles, first, &u0, v, 2.0 * x0, &c0);
  scale(doubles, &u1, 0.0, &c0);
  add_parts_to(doubles, to, xx, &c0);
  a += LANES;
  for (++x; x < end; ++x, a += 2 * LANES, down += LANES) {
    to += 2 * doubles;
    load(doubles, &c0, a);
    load(doubles, &c1, a + LANES);
    add(doubles, &u0, *x, &c0);
    add(doubles, &u1, *x, &c1);
    add_down(doubles, first, &sum, down, x0, &c0);
    add(doubles, &sum, x1, &c1);
    store(doubles, down, &sum);
    add_parts_to(doubles, to, xx, &c0);
    add_parts_to(doubles, to + doubles, xx, &c1);
  }
  store(doubles, v, &u0);
  add_to(doubles, v + LANES, 1.0, &u1);
  return a;
}

/* Adds the contributions of v to rows i and j of K, for the lanes [begin, end) with the pairs (i, j), (i + 1, j), ...
 * If `dot` is not NULL, `dot` receives x.v / 2 of all lanes. */
INLINE void add_v(const int doubles, const Work *work, int begin, int end, int i, int j, double *dot) {
  static const double window[3 * LANES] = {[LANES] = 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  Eight from, until, xi, xj, v, sum;
  load(doubles, &from, window + LANES - begin);
  load(doubles, &until, window + 2 * LANES - end);
  multiply(doubles, &from, &until);
  load(doubles, &xi, work->x + i - begin);
  multiply(doubles, &xi, &from);
  scale(doubles, &xj, work->x[j], &from);
  scale(doubles, &sum, 0.0, &from);
  double *to_i = work->column + (size_t)j * work->stride + i - begin, *to_j = row_at(doubles, work, j);
  const double *x = work->x + j, *last = work->x + work->n, *at = work->v + LANES * j;
  for (; x < last; ++x, at += LANES, to_i += work->stride, to_j += 2 * doubles) {
    load(doubles, &v, at);
    if (dot != NULL) add(doubles, &sum, 0.5 * *x, &v);
    add_product_to(doubles, to_i, &xj, &v);
    add_parts_to(doubles, to_j, &xi, &v);
  }
  if (dot != NULL) store(doubles, dot, &sum);
}

/* Adds the triangles of a group of eight pairs, whose first pair is (i, j). Returns the address after these
 * triangles. */
INLINE const double *add_triangles(const int doubles, const Work *work, const double *a, double *product, int i,
                                   int j) {
  Eight xx;
  load(doubles, &xx, product);
  double *to = row_at(doubles, work, j);
  int k = j;
  if ((work->n - k) % 2 != 0) {
    a = add_one_row(doubles, work, a, &xx, k, to);
    to += (2 * (work->n - k) - 1) * doubles;
    k += 1;
  } else {
    a = add_two_rows(doubles, true, work, a, &xx, k, to);
    to += 2 * (work->n - k) * doubles;
    k += 2;
  }
  for (; k < work->n; to += 2 * (work->n - k) * doubles, k += 2) a = add_two_rows(doubles, false, work, a, &xx, k, to);
  int end = j - i + 1 < LANES ? j - i + 1 : LANES;
  add_v(doubles, work, 0, end, i, j, product);
  for (int begin = end; begin < LANES && ++j < work->n; begin = end) {
    end = begin + j + 1 < LANES ? begin + j + 1 : LANES;
    add_v(doubles, work, begin, end, 0, j, NULL);
  }
  return a;
}

/* Returns K_kl and K_(k+1)l from their partial sums. */
INLINE Pair two_entries(const int doubles, const Work *work, const double *from, int k, int l) {
  Pair first = add_up(doubles, from), second = add_up(doubles, from + doubles);
  Pair sum = __builtin_shufflevector(first, second, 0, 2) + __builtin_shufflevector(first, second, 1, 3);
  return sum + *(const PairAnywhere *)(work->column + (size_t)l * work->stride + k) +
         *(const PairAnywhere *)(work->product + triangle(l) + k);
}

/* Puts K_kl into both triangles of the stiffness, which is K without row and column 0. */
INLINE void put(double *stiffness, int r, int k, int l, double entry) {
  if (k > 0) stiffness[(size_t)(k - 1) * (size_t)r + (size_t)(l - 1)] = entry;
  if (k > 0) stiffness[(size_t)(l - 1) * (size_t)r + (size_t)(k - 1)] = entry;
}

/* Completes rows k and k + 1 of K, and adds the contribution of both rows to K x. */
INLINE void complete_two_rows(const int doubles, const Work *work, const double *from, int k, double *stiffness) {
  int n = work->n, r = n - 1;
  const double *x = work->x;
  double *image = work->image + 2 * k;
  Pair both = {x[k], x[k + 1]}, along = {0.0, 0.0};
  if (k >= 0) {
    double diagonal = 2.0 * two_entries(doubles, work, from, k, k)[0];
    image[0] += diagonal * x[k];
    put(stiffness, r, k, k, diagonal);
  }
  Pair entries = two_entries(doubles, work, from + 2 * doubles, k, k + 1) * (Pair){1.0, 2.0};
  image[2] += entries[0] * x[k];
  along += entries * x[k + 1];
  put(stiffness, r, k, k + 1, entries[0]);
  put(stiffness, r, k + 1, k + 1, entries[1]);
  for (int l = k + 2; l < n; ++l) {
    entries = two_entries(doubles, work, from + 2 * doubles * (l - k), k, l);
    along += entries * x[l];
    *(PairAnywhere *)(work->image + 2 * l) += entries * both;
    put(stiffness, r, k, l, entries[0]);
    put(stiffness, r, k + 1, l, entries[1]);
  }
  if (k >= 0) image[0] += along[0];
  image[2] += along[1];
}

TAC_LANES_BODY void contract_lanes(const int doubles, const Work *global, const double *a, double *stiffness) {
  const Work copy = *global, *work = &copy; /* the compiler then knows that no store changes this local copy */
  Eight x;
  for (int j = 0; j < work->n; ++j)
    for (int i = 0; i <= j; i += LANES) { /* entries beyond j are overwritten by the next j */
      load(doubles, &x, work->x + i);
      scale(doubles, &x, work->x[j], &x);
      store(doubles, work->product + triangle(j) + i, &x);
    }
  double *product = work->product;
  for (int i = 0, j = 0; j < work->n; product += LANES) {
    a = add_triangles(doubles, work, a, product, i, j);
    for (i += LANES; i > j; ++j) i -= j + 1;
  }
  for (int k = -(work->n % 2); k < work->n; k += 2)
    complete_two_rows(doubles, work, row_at(doubles, work, k), k, stiffness);
}

TAC_LANES_KERNEL(static, contract, (const Work *work, const double *coefficients, double *stiffness), work,
                 coefficients, stiffness)

static size_t round_up(size_t count) {
  return (count + LANES - 1) / LANES * LANES;
}

/* Divides the workspace into parts. Vector loads and stores may extend beyond both ends of some parts, but do not
 * change values there. The last part receives a stiffness that was not requested, and need not be cleared. Returns the
 * number of doubles before the last part. */
static size_t lay_out(int n, double *memory, Work *work, double **stiffness) {
  size_t size = round_up((size_t)n), even = (size_t)(n + n % 2), count = 0;
  enum { BEFORE_X, X, PRODUCT, V, K, BEFORE_COLUMN, COLUMN, IMAGE, PARTS };
  const size_t numbers[PARTS] = {[BEFORE_X] = LANES,
                                 [X] = size + LANES,
                                 [PRODUCT] = round_up(triangle(n)) + LANES,
                                 [V] = LANES * size,
                                 [K] = LANES * (even * even / 2 + even),
                                 [BEFORE_COLUMN] = LANES,
                                 [COLUMN] = size * size,
                                 [IMAGE] = 2 * size + LANES};
  double *at[PARTS];
  for (int p = 0; p < PARTS; count += numbers[p++]) at[p] = memory + count;
  *work = (Work){n, at[X], at[PRODUCT], at[V], at[K], at[COLUMN], size, at[IMAGE]};
  *stiffness = memory + count;
  return count;
}

size_t tac_reduced_polynomial_scratch(int r) {
  Work work;
  double none[1], *stiffness;
  return lay_out(r + 1, none, &work, &stiffness) + (size_t)r * (size_t)r + LANES - 1;
}

/* Aligns the workspace to a cache line, clears the workspace, and computes K and K x. */
static Work prepare(int r, const double *coefficients, const double *q, double *scratch, double *stiffness) {
  const size_t line = LANES * sizeof(double);
  double *memory = scratch + (line - (uintptr_t)scratch % line) % line / sizeof(double), *unwanted;
  Work work;
  size_t count = lay_out(r + 1, memory, &work, &unwanted);
  memset(memory, 0, count * sizeof *memory);
  work.x[0] = 1.0;
  memcpy(work.x + 1, q, (size_t)r * sizeof *q);
  contract(&work, coefficients, stiffness != NULL ? stiffness : unwanted);
  return work;
}

void tac_reduced_polynomial_evaluate(int r, const double *coefficients, const double *q, double *scratch, double *force,
                                     double *stiffness) {
  Work work = prepare(r, coefficients, q, scratch, stiffness);
  const double *image = work.image + 2;
  for (int i = 0; i < r && force != NULL; ++i) force[i] = (image[2 * i] + image[2 * i + 1]) * (1.0 / 3.0);
}

void tac_reduced_polynomial_rest(int r, const double *coefficients, double *stiffness) {
  for (int i = 0; i < r; ++i)
    for (int j = i; j < r; ++j) {
      double c = coefficients[place_of(r + 1, 0, 0, i + 1, j + 1)];
      stiffness[i * r + j] = stiffness[j * r + i] = i == j ? 2.0 * c : c;
    }
}

double tac_reduced_polynomial_energy(int r, const double *coefficients, const double *q, double *scratch) {
  Work work = prepare(r, coefficients, q, scratch, NULL);
  double sum = 0.0;
  for (int i = 0; i <= r; ++i) sum += work.x[i] * (work.image[2 * i] + work.image[2 * i + 1]);
  return sum * (1.0 / 12.0);
}
