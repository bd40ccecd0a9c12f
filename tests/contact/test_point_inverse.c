#include "contact/point_inverse.h"

#include <string.h>
#include "base/lanes.h"
#include "math/random.h"
#include "test.h"

enum { MOST = TAC_POINT_INVERSE_MOST, SIZE = TAC_POINT_INVERSE_SIZE };

static tacMat3 random_symmetric(tacRandom *random) {
  tacMat3 m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) m.m[i][j] = m.m[j][i] = tac_random_uniform(random, -1.0, 1.0);
  return m;
}

static void fill(tacRandom *random, int count, tacPointColumns *columns) {
  *columns = (tacPointColumns){0};
  for (int k = 0; k < 3; ++k)
    for (int r = 0; r < 3 * count; ++r) columns->c[k][r] = tac_random_uniform(random, -1.0, 1.0);
}

static double entry(const tacPointColumns *c, const tacMat3 *x, int r, int s) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) sum += c->c[k][r] * x->m[k][l] * c->c[l][s];
  return sum;
}

/* Every update and product agrees with its definition, for every number of contacts and all widths of vectors. */
TAC_TEST(updates_and_products_agree_with_their_definitions) {
  static tacPointInverse a;
  tacRandom random = tac_random_seed(3);
  for (int lanes = 2; lanes <= 8; lanes *= 2) {
    tac_lanes_limit(lanes);
    for (int count = 1; count <= MOST; ++count) {
      const int size = 3 * count;
      static double expected[SIZE][SIZE];
      tacPointColumns in, out, b, y;
      tacMat3 x = random_symmetric(&random), z = random_symmetric(&random);
      double along[3] = {0.3, -0.7, 1.1}, products[3];
      memset(&a, 0, sizeof a);
      for (int pass = 0; pass < 3; ++pass) { /* the first adds alone */
        fill(&random, count, &in);
        fill(&random, count, &out);
        for (int r = 0; r < size; ++r)
          for (int s = 0; s < size; ++s)
            expected[r][s] = a.m[r][s] + entry(&in, &z, r, s) - (pass > 0 ? entry(&out, &x, r, s) : 0.0);
        tac_point_inverse_exchange(count, pass > 0 ? &out : NULL, pass > 0 ? &x : NULL, &in, &z, &a);
        for (int r = 0; r < tac_point_inverse_width(count); ++r)
          for (int s = 0; s < tac_point_inverse_width(count); ++s) {
            ck_assert_double_eq_tol(a.m[r][s], r < size && s < size ? expected[r][s] : 0.0, 1e-13);
            ck_assert_double_eq_tol(a.m[r][s], a.m[s][r], 1e-14);
          }
      }
      fill(&random, count, &b);
      tac_point_inverse_multiply(count, &a, &b, &y);
      for (int k = 0; k < 3; ++k)
        for (int r = 0; r < size; ++r) {
          double sum = 0.0;
          for (int s = 0; s < size; ++s) sum += a.m[r][s] * b.c[k][s];
          ck_assert_double_eq_tol(y.c[k][r], sum, 1e-12);
        }
      tac_point_columns_multiply(count, &b, y.c[1], products);
      for (int k = 0; k < 3; ++k) {
        double sum = 0.0;
        for (int s = 0; s < size; ++s) sum += b.c[k][s] * y.c[1][s];
        ck_assert_double_eq_tol(products[k], sum, 1e-12);
      }
      tac_point_columns_add(count, &b, along, in.c[0]);
      tac_point_columns_add(count, &b, (double[3]){-0.3, 0.7, -1.1}, in.c[0]);
      for (int s = size; s < tac_point_inverse_width(count); ++s) ck_assert(in.c[0][s] == 0.0);
      double before = in.c[0][size - 1];
      tac_point_columns_add(count, &b, along, in.c[0]);
      for (int k = 0; k < 3; ++k) before += along[k] * b.c[k][size - 1];
      ck_assert_double_eq_tol(in.c[0][size - 1], before, 1e-13);
    }
  }
  tac_lanes_limit(8);
}
