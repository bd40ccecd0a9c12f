#include "math/sparse/pca.h"

#include "math/dense_samples.h"

enum { SIZE = 60, SNAPSHOTS = 15 };

static tacPca components(const tacDense *snapshots, int most) {
  tacPca *kept = tac_test_keep(tac_test_alloc(sizeof *kept), tac_pca_destroy);
  tac_test_ok(tac_pca(snapshots, most, kept, &error), error);
  TAC_DENSE gram = make_dense(kept->count, kept->count), identity = make_dense(kept->count, kept->count);
  if (kept->count > 0) tac_dense_gemm(1.0, &kept->vectors, true, &kept->vectors, false, 0.0, &gram);
  for (int i = 0; i < kept->count; ++i) tac_dense_column(&identity, i)[i] = 1.0;
  ck_assert_double_lt(largest_difference(&gram, &identity), 1e-13);
  return *kept;
}

/* The sum over the snapshots of |a - X X^T a|^2. */
static double squares_left(const tacDense *snapshots, const tacPca *pca) {
  TAC_DENSE rest, part = make_dense(pca->count, snapshots->cols);
  tac_test_ok(tac_dense_copy(snapshots, &rest, &error), error);
  if (pca->count > 0) tac_dense_gemm(1.0, &pca->vectors, true, snapshots, false, 0.0, &part);
  if (pca->count > 0) tac_dense_gemm(-1.0, &pca->vectors, false, &part, false, 1.0, &rest);
  double sum = 0.0;
  for (int i = 0; i < rest.rows * rest.cols; ++i) sum += rest.a[i] * rest.a[i];
  return sum;
}

TAC_TEST(the_residual_is_the_sum_of_squares_of_omitted_values) {
  tacRandom random = tac_random_seed(1);
  TAC_DENSE a = random_dense(&random, SIZE, SNAPSHOTS);
  tacPca all = components(&a, SNAPSHOTS);
  ck_assert_int_eq(all.count, SNAPSHOTS);
  ck_assert_double_lt(squares_left(&a, &all), 1e-24);
  for (int most = 0; most < SNAPSHOTS; most += 4) {
    tacPca some = components(&a, most);
    ck_assert_int_eq(some.count, most);
    double left = 0.0;
    for (int i = most; i < SNAPSHOTS; ++i) left += all.singular[i] * all.singular[i];
    ck_assert_double_eq_tol(squares_left(&a, &some), left, 1e-11 * left);
  }
}

/* Snapshots made from orthonormal vectors with values down to 1e-12 of the largest, where the Gram matrix fails. */
TAC_TEST(values_far_below_the_largest_are_found) {
  tacRandom random = tac_random_seed(2);
  TAC_DENSE basis = random_dense(&random, SIZE, 7), turn = random_dense(&random, SNAPSHOTS, 7), r, s;
  TAC_DENSE a = make_dense(SIZE, SNAPSHOTS);
  tac_test_ok(tac_dense_qr(&basis, &r, &error), error);
  tac_test_ok(tac_dense_qr(&turn, &s, &error), error);
  for (int k = 0; k < 7; ++k)
    for (int i = 0; i < SIZE; ++i) tac_dense_column(&basis, k)[i] *= pow(100.0, -k);
  tac_dense_gemm(1.0, &basis, false, &turn, true, 0.0, &a);
  tacPca pca = components(&a, SNAPSHOTS);
  ck_assert_int_ge(pca.count, 7); /* rounding errors of `a` itself may be seen too, at 1e-16 */
  for (int k = 0; k < 7; ++k) ck_assert_double_eq_tol(pca.singular[k], pow(100.0, -k), 1e-14);
  for (int k = 7; k < pca.count; ++k) ck_assert_double_lt(pca.singular[k], 1e-14);
}

TAC_TEST(dependent_snapshots_give_their_rank) {
  tacRandom random = tac_random_seed(3);
  TAC_DENSE a = random_dense(&random, SIZE, SNAPSHOTS), zero = make_dense(SIZE, SNAPSHOTS);
  for (int j = 4; j < SNAPSHOTS; ++j)
    for (int i = 0; i < SIZE; ++i)
      tac_dense_column(&a, j)[i] =
          j == 9 ? 0.0 : (j - 6.5) * tac_dense_column(&a, j - 4)[i] + 0.5 * tac_dense_column(&a, j % 3)[i];
  tacPca pca = components(&a, SNAPSHOTS);
  ck_assert_int_eq(pca.count, 4);
  ck_assert_double_lt(squares_left(&a, &pca), 1e-24 * pca.singular[0] * pca.singular[0]);
  ck_assert_int_eq(components(&zero, SNAPSHOTS).count, 0);
}

TAC_TEST(more_snapshots_than_unknowns_span_everything) {
  tacRandom random = tac_random_seed(4);
  TAC_DENSE a = random_dense(&random, 6, 20);
  tacPca pca = components(&a, 20);
  ck_assert_int_eq(pca.count, 6);
  double total = 0.0, squares = 0.0;
  for (int i = 0; i < 6 * 20; ++i) total += a.a[i] * a.a[i];
  for (int k = 0; k < 6; ++k) squares += pca.singular[k] * pca.singular[k];
  ck_assert_double_eq_tol(squares, total, 1e-12 * total);
}

TAC_TEST(bad_requests_and_snapshots_are_refused) {
  tacRandom random = tac_random_seed(5);
  TAC_DENSE a = random_dense(&random, 6, 3);
  tacPca pca;
  ck_assert_int_eq(tac_pca(&a, -1, &pca, &error), TAC_ERR_ARGUMENT);
  a.a[4] = NAN;
  ck_assert_int_eq(tac_pca(&a, 3, &pca, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(pca.vectors.a);
}
