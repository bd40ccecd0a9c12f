#include "asset/reduced_polynomial.h"

#include <stdbool.h>
#include <string.h>
#include "base/lanes.h"

/* The second derivatives of c x_i x_j x_k x_l are by two of its four factors: six pairs, each with the product of the
 * other two. Where indices coincide several pairs meet in one entry, and a pair (a, a) counts twice; so no case is
 * special if sums go to the upper triangle and its diagonal is doubled at the end. For one pair i, j the coefficients
 * are an upper triangle M_kl:
 *   v = (M + M^T) x,   K_kl += x_i x_j M_kl,   K_ik += x_j v_k,   K_jk += x_i v_k,   K_ij += x.v / 2,
 * so v and the second term take three multiply-adds a coefficient, and the rest is of lower order.
 *
 * The triangles of GROUP successive i (fewer where j is among them) are interleaved and done at once, two rows k, k + 1
 * and two columns at a time: K_kl is loaded and stored once for all i, v_l once for both rows, and all of M is one
 * sequential stream. The two rows share the columns from k + 1 on. Pairs are chosen such that these are even in number:
 * what remains of a triangle is its first row where that has an even number of columns, and its last entry. So in
 * memory, for each group of i and each j:
 *   the first row, where n - j is even: for each two columns, for each i: 2 numbers,
 *   for each two rows: for each i: M_kk; for each two columns, for each i: 2 numbers of row k, 2 of row k + 1,
 *   for each i: the last entry.
 * Only the first triangle, i = j = 0, of the terms up to q_k q_l, is as one expects: row after row. */
enum { GROUP = 4 };

typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
typedef Pair PairAnywhere __attribute__((aligned(sizeof(double)), may_alias));
#define INLINE static inline __attribute__((always_inline))

/* ---- places ---- */

/* n (n + 1) ... (n + k - 1) / k!: how many k numbers from n there are, in ascending order. */
static size_t ascending(size_t n, size_t k) {
  size_t product = 1;
  for (size_t i = 0; i < k; ++i) product = product * (n + i) / (i + 1);
  return product;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

/* With n = r + 1 factors, i <= j <= k <= l. */
static size_t place_of(int n, int i, int j, int k, int l) {
  if (j == 0) return ascending((size_t)n, 2) - ascending((size_t)(n - k), 2) + (size_t)(l - k);
  int first = i / GROUP * GROUP, p = i - first, size = least(GROUP, j - first + 1);
  size_t place = ascending((size_t)n, 4) - ascending((size_t)(n - first), 4);
  for (int m = first; m < least(first + GROUP, j); ++m) /* earlier j */
    place += ascending((size_t)(n - m), 3) - ascending((size_t)(n - j), 3);
  bool alone = k == j && (n - j) % 2 == 0;
  int row = alone ? 0 : (n - 1 - k) % 2, top = k - row; /* of the two rows */
  place += (size_t)size * (ascending((size_t)(n - j), 2) - ascending((size_t)(n - top), 2));
  if (!alone && l == top) return place + (size_t)p;
  if (!alone) place += (size_t)size;
  int column = alone ? l - k : l - top - 1, rows = alone ? 1 : 2;
  return place + (size_t)(2 * rows * (column / 2 * size + p) + 2 * row + column % 2);
}

size_t tac_reduced_polynomial_count(int r) {
  return ascending((size_t)r + 1, 4);
}

size_t tac_reduced_polynomial_place(int r, int degree, const int *index) {
  int x[4] = {0}; /* sorted; the factor x_0 = 1 fills up */
  for (int d = 0; d < degree; ++d) {
    int at = 4 - degree + d;
    for (; at > 0 && x[at - 1] > index[d] + 1; --at) x[at] = x[at - 1];
    x[at] = index[d] + 1;
  }
  return place_of(r + 1, x[0], x[1], x[2], x[3]);
}

void tac_reduced_polynomial_restrict(int r, const double *from, int kept_count, const int *kept, double *to) {
  int n = kept_count + 1, x[TAC_REDUCED_MOST + 1] = {0};
  for (int i = 0; i < kept_count; ++i) x[i + 1] = kept[i] + 1;
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      for (int k = j; k < n; ++k)
        for (int l = k; l < n; ++l) to[place_of(n, i, j, k, l)] = from[place_of(r + 1, x[i], x[j], x[k], x[l])];
}

/* ---- evaluation ---- */

INLINE Pair load(const double *p) {
  return *(const PairAnywhere *)p;
}

INLINE void store(double *p, Pair pair) {
  *(PairAnywhere *)p = pair;
}

/* Such that two columns, or two rows, that are done at once are neighbours at an even place, column l is at l + n % 2,
 * and row k at k + 1 + n % 2. The place beside the first is empty. */
typedef struct Work {
  int n;
  const double *x;   /* [column]: (1, q) */
  double *k;         /* [two rows][two columns][row][column]: the upper triangle of K, half its diagonal */
  double *v;         /* [two columns][GROUP][V]: sums down columns; zero between triangles */
  double *u;         /* [row][GROUP][2]: sums along rows */
  size_t row_stride; /* of k, from two rows to the next */
} Work;

#if defined(__x86_64__)
typedef double Quad __attribute__((vector_size(4 * sizeof(double)))); /* both rows */
typedef Quad QuadAnywhere __attribute__((aligned(sizeof(double)), may_alias));
enum { V = 4 }; /* row k, row k + 1 */
/* v is always stored whole: a load that spans two recent stores has to wait for both. */
INLINE Pair take_v(double *v) {
  Pair sum = load(v) + load(v + 2);
  *(QuadAnywhere *)v = (Quad){0.0, 0.0, 0.0, 0.0};
  return sum;
}
INLINE void add_to_v(double *v, Pair x) {
  *(QuadAnywhere *)v += (Quad){x[0], x[1], 0.0, 0.0};
}
#else
enum { V = 2 };
INLINE Pair take_v(double *v) {
  Pair sum = load(v);
  store(v, (Pair){0.0, 0.0});
  return sum;
}
INLINE void add_to_v(double *v, Pair x) {
  store(v, load(v) + x);
}
#endif

/* K_kl, also where l is the empty place. */
INLINE double *k_at(const Work *work, int k, int l) {
  int odd = work->n % 2, row = k + 1 + odd, column = l + odd;
  return work->k + (size_t)(row / 2) * work->row_stride + 4 * (column / 2) + 2 * (row % 2) + column % 2;
}

/* Rows k and k + 1 of `size` triangles from column k + 1, where x, k and v begin; u is that of row k. */
INLINE const double *add_two_rows(int size, const double *a, int columns, const double *x, const double *xx, double *k,
                                  double *v, double *u) {
#if defined(__x86_64__)
  Quad sum[GROUP] = {{0.0}}, xk = {x[-1], x[-1], x[0], x[0]};
  for (int p = 0; p < size; ++p) sum[p] = (Quad){a[p] * x[-1], a[p] * x[-1], 0.0, 0.0};
  a += size;
  for (const double *end = x + columns; x < end; x += 2, k += 4, v += V * GROUP, a += 4 * size) {
    Quad xl = {x[0], x[1], x[0], x[1]}, to_k = *(const QuadAnywhere *)k;
    for (int p = 0; p < size; ++p) {
      Quad row = *(const QuadAnywhere *)(a + 4 * p);
      sum[p] += row * xl;
      *(QuadAnywhere *)(v + V * p) += row * xk;
      to_k += row * xx[p];
    }
    *(QuadAnywhere *)k = to_k;
  }
  for (int p = 0; p < size; ++p) {
    store(u + 2 * p, (Pair){sum[p][0], sum[p][1]});
    store(u + 2 * (GROUP + p), (Pair){sum[p][2], sum[p][3]});
  }
#else
  Pair sum[GROUP][2];
  double xk[2] = {x[-1], x[0]};
  for (int p = 0; p < size; ++p) {
    sum[p][0] = (Pair){a[p], a[p]} * xk[0];
    sum[p][1] = (Pair){0.0, 0.0};
  }
  a += size;
  for (const double *end = x + columns; x < end; x += 2, k += 4, v += V * GROUP, a += 4 * size) {
    Pair xl = load(x), to_k[2] = {load(k), load(k + 2)};
    for (int p = 0; p < size; ++p) {
      Pair to_v = load(v + V * p);
      for (int s = 0; s < 2; ++s) {
        Pair row = load(a + 4 * p + 2 * s);
        sum[p][s] += row * xl;
        to_v += row * xk[s];
        to_k[s] += row * xx[p];
      }
      store(v + V * p, to_v);
    }
    store(k, to_k[0]);
    store(k + 2, to_k[1]);
  }
  for (int s = 0; s < 2; ++s)
    for (int p = 0; p < size; ++p) store(u + 2 * (GROUP * s + p), sum[p][s]);
#endif
  return a;
}

/* A first row j that is the second of two, from column j. */
INLINE const double *add_one_row(int size, const double *a, int columns, const double *x, const double *xx, double *k,
                                 double *v, double *u) {
  Pair sum[GROUP];
  double xk = x[0];
  for (int p = 0; p < size; ++p) sum[p] = (Pair){0.0, 0.0};
  for (const double *end = x + columns; x < end; x += 2, k += 4, v += V * GROUP, a += 2 * size) {
    Pair xl = load(x), to_k = load(k + 2);
    for (int p = 0; p < size; ++p) {
      Pair row = load(a + 2 * p);
      sum[p] += row * xl;
      add_to_v(v + V * p, row * xk);
      to_k += row * xx[p];
    }
    store(k + 2, to_k);
  }
  for (int p = 0; p < size; ++p) store(u + 2 * p, sum[p]);
  return a;
}

/* What v = (sums down columns) + (sums along rows) adds to rows i and j of K, for all columns from j. */
INLINE void add_v(int size, const Work *work, const double *xi, double xj, int i, int j) {
  int n = work->n, l = j - (n - j) % 2;
  const double *x = work->x + l, *end = work->x + n, *u = work->u + 2 * GROUP * l;
  double *v = work->v + V * GROUP / 2 * (l + n % 2), *to_j = k_at(work, j, l), *to_i[GROUP];
  Pair dot[GROUP];
  for (int p = 0; p < size; ++p) {
    dot[p] = (Pair){0.0, 0.0};
    to_i[p] = k_at(work, i + p, l);
    if (l < j) work->u[2 * (GROUP * l + p)] = work->u[2 * (GROUP * l + p) + 1] = 0.0;
  }
  for (size_t at = 0; x < end; x += 2, v += V * GROUP, u += 4 * GROUP, at += 4) {
    Pair xl = load(x), sum_j = {0.0, 0.0};
    for (int p = 0; p < size; ++p) {
      Pair first = load(u + 2 * p), second = load(u + 2 * (GROUP + p));
      Pair sum = take_v(v + V * p) + ((Pair){first[0], second[0]} + (Pair){first[1], second[1]});
      dot[p] += sum * xl;
      sum_j += sum * xi[p];
      store(to_i[p] + at, load(to_i[p] + at) + sum * xj);
    }
    store(to_j + at, load(to_j + at) + sum_j);
  }
  for (int p = 0; p < size; ++p) *k_at(work, i + p, j) += 0.5 * (dot[p][0] + dot[p][1]);
}

/* The triangles of one j and of `size` i from `i`. Returns what follows them. */
INLINE const double *add_triangles(int size, const Work *work, const double *a, int i, int j) {
  int n = work->n, columns = n - j, first = j + columns % 2; /* the first of columns that are done by two */
  const double *x = work->x + first;
  double *k = work->k + (size_t)(first + n % 2) / 2 * work->row_stride + 2 * (first + n % 2);
  double *v = work->v + V * GROUP / 2 * (first + n % 2), *u = work->u + 2 * GROUP * j;
  double xx[GROUP], xi[GROUP], xj = work->x[j];
  for (int p = 0; p < size; ++p) {
    xi[p] = work->x[i + p];
    xx[p] = xi[p] * xj;
  }
  if (columns % 2 == 0) {
    a = add_one_row(size, a, columns, x, xx, k, v, u);
    x += 2;
    k += work->row_stride + 4;
    v += V * GROUP;
    u += 2 * GROUP;
    --columns;
  }
  for (;; x += 2, k += work->row_stride + 4, v += V * GROUP, u += 4 * GROUP, columns -= 2) {
    double diagonal = k[-3];
    for (int p = 0; p < size; ++p) diagonal += xx[p] * a[p];
    k[-3] = diagonal;
    if (columns == 1) break;
    a = add_two_rows(size, a, columns - 1, x, xx, k, v, u);
  }
  double xk = 2.0 * x[-1];
  for (int p = 0; p < size; ++p) store(u + 2 * p, (Pair){xk * a[p], 0.0});
  add_v(size, work, xi, xj, i, j);
  return a + size;
}

/* The triangle i = j = 0. */
INLINE const double *add_first_triangle(const Work *work, const double *a) {
  int n = work->n, odd = n % 2;
  const double *x = work->x;
  for (int k = 0; k < n; ++k) {
    double sum = 0.0, xk = x[k];
    for (int l = k; l < n; ++l, ++a) {
      *k_at(work, k, l) += *a;
      work->v[V * GROUP * ((l + odd) / 2) + (l + odd) % 2] += *a * xk;
      sum += *a * x[l];
    }
    store(work->u + 2 * GROUP * k, (Pair){sum, 0.0});
  }
  add_v(1, work, x, 1.0, 0, 0);
  return a;
}

TAC_LANES_BODY void contract_lanes(const int doubles, const Work *work, const double *a) {
  (void)doubles;
  a = add_first_triangle(work, a);
  for (int i = 0; i < work->n; i += GROUP) {
    for (int j = i == 0 ? 1 : i; j < work->n; ++j) {
      switch (j - i) {
        case 0: a = add_triangles(1, work, a, i, j); break;
        case 1: a = add_triangles(2, work, a, i, j); break;
        case 2: a = add_triangles(3, work, a, i, j); break;
        default: a = add_triangles(GROUP, work, a, i, j); break;
      }
    }
  }
}

TAC_LANES_KERNEL(static, contract, (const Work *work, const double *coefficients), work, coefficients)

/* Parts of the workspace, with n rounded up to an even number of columns, are x, k, v, u. */
size_t tac_reduced_polynomial_scratch(int r) {
  size_t even = ((size_t)r + 2) / 2 * 2;
  return even + (even / 2 + 1) * 2 * even + V * GROUP / 2 * even + 2 * GROUP * even;
}

static Work prepare(int r, const double *coefficients, const double *q, double *scratch) {
  int n = r + 1, odd = n % 2;
  size_t even = (size_t)(n + odd);
  double *x = scratch + odd;
  Work work = {.n = n, .x = x, .k = scratch + even, .row_stride = 2 * even};
  work.v = work.k + (even / 2 + 1) * work.row_stride;
  work.u = work.v + V * GROUP / 2 * even + 2 * GROUP * odd;
  memset(scratch, 0, tac_reduced_polynomial_scratch(r) * sizeof *scratch);
  x[0] = 1.0;
  memcpy(x + 1, q, (size_t)r * sizeof *q);
  contract(&work, coefficients);
  return work;
}

/* K x / 3 without row 0. */
static void read_force(const Work *work, double *force) {
  int n = work->n, odd = n % 2;
  const double *x = work->x;
  double sum[TAC_REDUCED_MOST + 1] = {0.0};
  for (int k = 0; k < n; ++k) {
    const double *row = k_at(work, k, -odd);
    double line = *k_at(work, k, k) * x[k];
    for (int l = k; l < n; ++l) {
      double entry = row[4 * ((l + odd) / 2) + (l + odd) % 2];
      line += entry * x[l];
      sum[l] += l > k ? entry * x[k] : 0.0;
    }
    sum[k] += line;
  }
  for (int k = 1; k < n; ++k) force[k - 1] = sum[k] * (1.0 / 3.0);
}

void tac_reduced_polynomial_evaluate(int r, const double *coefficients, const double *q, double *scratch, double *force,
                                     double *stiffness) {
  Work work = prepare(r, coefficients, q, scratch);
  int odd = work.n % 2;
  size_t size = (size_t)r;
  for (int i = 0; i < r && stiffness != NULL; ++i) {
    const double *row = k_at(&work, i + 1, -odd);
    for (int j = i; j < r; ++j) {
      int column = j + 1 + odd;
      double entry = row[4 * (column / 2) + column % 2];
      stiffness[(size_t)i * size + (size_t)j] = stiffness[(size_t)j * size + (size_t)i] = entry;
    }
    stiffness[(size_t)i * (size + 1)] *= 2.0;
  }
  if (force != NULL) read_force(&work, force);
}

double tac_reduced_polynomial_energy(int r, const double *coefficients, const double *q, double *scratch) {
  Work work = prepare(r, coefficients, q, scratch);
  double sum = 0.0;
  for (int i = 0; i <= r; ++i) {
    double line = 0.0;
    for (int j = i; j <= r; ++j) line += *k_at(&work, i, j) * work.x[j];
    sum += work.x[i] * line; /* half of x.K x: W is its sixth */
  }
  return sum * (1.0 / 6.0);
}
