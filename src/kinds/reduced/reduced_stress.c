#include "kinds/reduced/reduced_stress.h"

#include <string.h>
#include "base/lanes.h"

static size_t pair_count(int r) {
  return (size_t)r * ((size_t)r + 1) / 2;
}

/* Returns the index of q_i q_j, i <= j, in the sequence of pairs. */
static size_t pair_of(int r, int i, int j) {
  return (size_t)i * (size_t)r - (size_t)i * ((size_t)i + 1) / 2 + (size_t)j;
}

/* Returns the start of the row of a pair; the row has r + pair + 1 products. */
static size_t row_begin(int r, size_t pair) {
  return pair * (size_t)r + pair * (pair + 1) / 2;
}

size_t tac_reduced_stress_count(int r) {
  return row_begin(r, pair_count(r));
}

size_t tac_reduced_stress_place(int r, int a, int b, int i, int j) {
  size_t row = pair_of(r, a, b), column = j < 0 ? 0 : pair_of(r, i, j);
  if (j < 0) return row_begin(r, row) + (size_t)i;
  return row >= column ? row_begin(r, row) + (size_t)r + column : row_begin(r, column) + (size_t)r + row;
}

size_t tac_reduced_stress_scratch(int r) {
  return (size_t)r + 2 * pair_count(r);
}

typedef double Pair __attribute__((vector_size(16), aligned(sizeof(double)), may_alias));
typedef double Quad __attribute__((vector_size(32), aligned(sizeof(double)), may_alias));
typedef double Oct __attribute__((vector_size(64), aligned(sizeof(double)), may_alias));

/* Eight partial sums in vectors of one width. Only the member with the vector width of the processor is used, because
 * compilers keep wider vectors in memory. */
typedef struct Sums {
  Oct oct;
  Quad quad[2];
  Pair pair[4];
} Sums;

/* Computes sums += row m and image += by row, for eight entries each. `image` may be NULL. */
TAC_LANES_BODY void add_eight(const int doubles, const double *row, const double *m, double by, Sums *sums,
                              double *image) {
  for (int p = 0; doubles == 2 && p < 4; ++p) {
    Pair product = *(const Pair *)(row + 2 * p);
    sums->pair[p] += product * *(const Pair *)(m + 2 * p);
    if (image != NULL) *(Pair *)(image + 2 * p) += by * product;
  }
  for (int p = 0; doubles == 4 && p < 2; ++p) {
    Quad product = *(const Quad *)(row + 4 * p);
    sums->quad[p] += product * *(const Quad *)(m + 4 * p);
    if (image != NULL) *(Quad *)(image + 4 * p) += by * product;
  }
  if (doubles == 8) {
    Oct product = *(const Oct *)row;
    sums->oct += product * *(const Oct *)m;
    if (image != NULL) *(Oct *)image += by * product;
  }
}

TAC_LANES_BODY double total(const int doubles, const Sums *sums) {
  double sum = 0.0;
  for (int i = 0; i < 8; ++i)
    sum += doubles == 2 ? sums->pair[i / 2][i % 2] : doubles == 4 ? sums->quad[i / 4][i % 4] : sums->oct[i];
  return sum;
}

/* Computes image = products m for the vector m of monomials. Only the lower triangle of the quadratic part, which is
 * symmetric, is stored, so each number is read once. The result does not depend on the vector width, because there are
 * always eight partial sums. */
TAC_LANES_BODY void multiply_lanes(const int doubles, int r, const double *restrict products,
                                   const double *restrict monomial, double *restrict image) {
  size_t linear = (size_t)r, pairs = linear * (linear + 1) / 2;
  const double *row = products, *squares = monomial + r;
  memset(image, 0, pairs * sizeof *image);
  for (size_t p = 0; p < pairs; ++p) {
    Sums sums = {0};
    double left = 0.0;
    size_t j = 0;
    for (; j + 8 <= linear; j += 8) add_eight(doubles, row + j, monomial + j, 0.0, &sums, NULL);
    for (; j < linear; ++j) left += row[j] * monomial[j];
    row += linear;
    for (j = 0; j + 8 <= p; j += 8) add_eight(doubles, row + j, squares + j, squares[p], &sums, image + j);
    for (; j < p; ++j) {
      left += row[j] * squares[j];
      image[j] += row[j] * squares[p];
    }
    image[p] += left + row[p] * squares[p] + total(doubles, &sums);
    row += p + 1;
  }
}

TAC_LANES_KERNEL(static, multiply,
                 (int r, const double *restrict products, const double *restrict monomial, double *restrict image), r,
                 products, monomial, image)

void tac_reduced_stress_evaluate(int r, const double *products, const double *q, double *scratch, double *stiffness) {
  double *monomial = scratch, *image = scratch + r + pair_count(r), *to = monomial + r;
  memcpy(monomial, q, (size_t)r * sizeof *q);
  for (int i = 0; i < r; ++i)
    for (int j = i; j < r; ++j) *to++ = q[i] * q[j];
  multiply(r, products, monomial, image);
  for (int a = 0; a < r; ++a) {
    stiffness[(size_t)a * (size_t)r + (size_t)a] = 2.0 * *image++;
    for (int b = a + 1; b < r; ++b)
      stiffness[(size_t)a * (size_t)r + (size_t)b] = stiffness[(size_t)b * (size_t)r + (size_t)a] = *image++;
  }
}

void tac_reduced_stress_restrict(int r, const double *from, int kept_count, const int *kept, double *to) {
  for (int a = 0; a < kept_count; ++a)
    for (int b = a; b < kept_count; ++b) {
      for (int i = 0; i < kept_count; ++i) *to++ = from[tac_reduced_stress_place(r, kept[a], kept[b], kept[i], -1)];
      for (int i = 0; i <= a; ++i)
        for (int j = i; j < kept_count && (i < a || j <= b); ++j)
          *to++ = from[tac_reduced_stress_place(r, kept[a], kept[b], kept[i], kept[j])];
    }
}
