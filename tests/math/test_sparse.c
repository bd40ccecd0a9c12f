#include "math/sparse/sparse.h"

#include <limits.h>
#include "base/threads/parallel.h"
#include "math/random.h"
#include "test.h"

enum { ROWS = 13, COLS = 9 };

/* Random entries, many of them twice or more, and the same sums in a plain array. */
static tacSparse random_matrix(tacRandom *random, int rows, int cols, int entries, double *full) {
  TAC_FREED(tac_triplets_destroy, tacTriplets, triplets) = {.rows = rows, .cols = cols};
  memset(full, 0, (size_t)rows * (size_t)cols * sizeof *full);
  for (int t = 0; t < entries; ++t) {
    int i = (int)(tac_random_bits(random) % (unsigned)rows), j = (int)(tac_random_bits(random) % (unsigned)cols);
    double value = tac_random_normal(random);
    tac_test_ok(tac_triplets_add(&triplets, i, j, value, &error), error);
    full[i + j * rows] += value;
  }
  tacSparse matrix;
  tac_test_ok(tac_triplets_compress(&triplets, &matrix, &error), error);
  tac_test_ok(tac_sparse_check(&matrix, &error), error);
  return matrix;
}

static double at(const tacSparse *matrix, int i, int j) {
  int p = tac_sparse_find(matrix, i, j);
  return p >= 0 ? matrix->value[p] : 0.0;
}

TAC_TEST(triplets_of_one_place_add_up) {
  tacRandom random = tac_random_seed(1);
  double full[ROWS * COLS];
  for (int entries = 0; entries < 400; entries += 57) {
    TAC_SPARSE a = random_matrix(&random, ROWS, COLS, entries, full);
    int places = 0;
    for (int i = 0; i < ROWS; ++i)
      for (int j = 0; j < COLS; ++j) {
        ck_assert_double_eq(at(&a, i, j), full[i + j * ROWS]);
        places += full[i + j * ROWS] != 0.0;
      }
    ck_assert_int_eq(tac_sparse_count(&a), places);
  }
}

TAC_TEST(products_follow_their_definitions) {
  tacRandom random = tac_random_seed(2);
  double full[ROWS * COLS], x[3 * ROWS], y[3 * ROWS];
  TAC_SPARSE a = random_matrix(&random, ROWS, COLS, 40, full);
  for (int i = 0; i < 3 * ROWS; ++i) x[i] = tac_random_normal(&random);
  tac_sparse_multiply(&a, x, 3, y);
  for (int v = 0; v < 3; ++v)
    for (int i = 0; i < ROWS; ++i) {
      double sum = 0.0;
      for (int j = 0; j < COLS; ++j) sum += full[i + j * ROWS] * x[v * COLS + j];
      ck_assert_double_eq_tol(y[v * ROWS + i], sum, 1e-14);
    }
  tac_sparse_multiply_transposed(&a, x, 3, y);
  for (int v = 0; v < 3; ++v)
    for (int j = 0; j < COLS; ++j) {
      double sum = 0.0;
      for (int i = 0; i < ROWS; ++i) sum += full[i + j * ROWS] * x[v * ROWS + i];
      ck_assert_double_eq_tol(y[v * COLS + j], sum, 1e-14);
    }
}

/* Large products are spread over threads. The transposed matrix, multiplied plainly, adds the same numbers in the same order. */
TAC_TEST(large_products_of_the_transpose_have_the_bits_of_plain_ones) {
  enum { N = 9000, M = 7000, VECTORS = 9, ENTRIES = 60000 };
  tacRandom random = tac_random_seed(12);
  TAC_FREED(tac_triplets_destroy, tacTriplets, triplets) = {.rows = N, .cols = M};
  for (int t = 0; t < ENTRIES; ++t) {
    int i = (int)(tac_random_bits(&random) % N), j = (int)(tac_random_bits(&random) % M);
    double value = tac_random_normal(&random);
    tac_test_ok(tac_triplets_add(&triplets, i, j, value, &error), error);
  }
  TAC_SPARSE a, transposed;
  tac_test_ok(tac_triplets_compress(&triplets, &a, &error), error);
  tac_test_ok(tac_sparse_transpose(&a, &transposed, &error), error);
  double *x = tac_test_doubles(N * VECTORS), *y = tac_test_doubles(M * VECTORS), *plain = tac_test_doubles(M * VECTORS);
  for (int i = 0; i < N * VECTORS; ++i) x[i] = tac_random_normal(&random);
  tac_sparse_multiply(&transposed, x, VECTORS, plain);
  tac_parallel_set_threads(3);
  tac_sparse_multiply_transposed(&a, x, VECTORS, y);
  tac_parallel_set_threads(0);
  ck_assert_mem_eq(y, plain, M * VECTORS * sizeof *y);
}

TAC_TEST(transpose_swaps_rows_and_columns) {
  tacRandom random = tac_random_seed(3);
  double full[ROWS * COLS];
  TAC_SPARSE a = random_matrix(&random, ROWS, COLS, 50, full), t;
  tac_test_ok(tac_sparse_transpose(&a, &t, &error), error);
  tac_test_ok(tac_sparse_check(&t, &error), error);
  ck_assert_int_eq(t.rows, COLS);
  ck_assert_int_eq(tac_sparse_count(&t), tac_sparse_count(&a));
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLS; ++j) ck_assert_double_eq(at(&t, j, i), full[i + j * ROWS]);
}

TAC_TEST(sums_have_the_places_of_both) {
  tacRandom random = tac_random_seed(4);
  double full_a[ROWS * COLS], full_b[ROWS * COLS];
  TAC_SPARSE a = random_matrix(&random, ROWS, COLS, 30, full_a), b = random_matrix(&random, ROWS, COLS, 30, full_b),
             sum, none;
  tac_test_ok(tac_sparse_add(2.0, &a, -3.0, &b, &sum, &error), error);
  tac_test_ok(tac_sparse_check(&sum, &error), error);
  int places = 0;
  for (int i = 0; i < ROWS * COLS; ++i) {
    ck_assert_double_eq_tol(at(&sum, i % ROWS, i / ROWS), 2.0 * full_a[i] - 3.0 * full_b[i], 1e-15);
    places += full_a[i] != 0.0 || full_b[i] != 0.0;
  }
  ck_assert_int_eq(tac_sparse_count(&sum), places);
  tac_test_ok(tac_sparse_add(1.0, &a, -1.0, &a, &none, &error), error);
  ck_assert_int_eq(tac_sparse_count(&none), tac_sparse_count(&a));
  TAC_SPARSE other;
  tac_test_ok(tac_sparse_identity(4, &other, &error), error);
  tacSparse refused;
  ck_assert_int_eq(tac_sparse_add(1.0, &a, 1.0, &other, &refused, &error), TAC_ERR_ARGUMENT);
}

TAC_TEST(lower_triangle_of_a_symmetric_matrix_multiplies_like_the_whole) {
  tacRandom random = tac_random_seed(5);
  double full[ROWS * ROWS], x[2 * ROWS], whole[2 * ROWS], half[2 * ROWS], diagonal[ROWS];
  TAC_SPARSE a = random_matrix(&random, ROWS, ROWS, 60, full), t, symmetric, lower;
  tac_test_ok(tac_sparse_transpose(&a, &t, &error), error);
  tac_test_ok(tac_sparse_add(0.5, &a, 0.5, &t, &symmetric, &error), error);
  tac_test_ok(tac_sparse_lower(&symmetric, &lower, &error), error);
  for (int j = 0; j < ROWS; ++j)
    for (int i = 0; i < ROWS; ++i) ck_assert_double_eq(at(&lower, i, j), i < j ? 0.0 : at(&symmetric, i, j));
  for (int i = 0; i < 2 * ROWS; ++i) x[i] = tac_random_normal(&random);
  tac_sparse_multiply(&symmetric, x, 2, whole);
  tac_sparse_multiply_lower(&lower, x, 2, half);
  for (int i = 0; i < 2 * ROWS; ++i) ck_assert_double_eq_tol(half[i], whole[i], 1e-14);
  tac_sparse_diagonal(&symmetric, diagonal);
  for (int i = 0; i < ROWS; ++i) ck_assert_double_eq(diagonal[i], full[i + i * ROWS]);
}

TAC_TEST(blocks_multiply_like_the_lower_triangle) {
  enum { NODES = 11, SIZE = 3 * NODES };
  tacRandom random = tac_random_seed(6);
  for (int trial = 0; trial < 20; ++trial) {
    double x[SIZE], right[SIZE], is[SIZE];
    TAC_FREED(tac_triplets_destroy, tacTriplets, triplets) = {.rows = SIZE, .cols = SIZE};
    for (int j = 0; j < NODES; ++j)
      for (int i = j; i < NODES; ++i) {
        if (i != j && tac_random_uniform(&random, 0.0, 1.0) < 0.6) continue;
        for (int k = 0; k < 9; ++k) {
          int row = 3 * i + k / 3, column = 3 * j + k % 3;
          if (row >= column)
            tac_test_ok(tac_triplets_add(&triplets, row, column, tac_random_normal(&random), &error), error);
        }
      }
    TAC_SPARSE lower;
    tac_test_ok(tac_triplets_compress(&triplets, &lower, &error), error);
    for (int i = 0; i < SIZE; ++i) x[i] = tac_random_normal(&random);
    tac_sparse_multiply_lower(&lower, x, 1, right);
    tac_sparse_multiply_blocks(&lower, x, is);
    for (int i = 0; i < SIZE; ++i) ck_assert_double_eq_tol(is[i], right[i], 1e-13);
  }
}

TAC_TEST(identity_changes_nothing) {
  TAC_SPARSE identity;
  tac_test_ok(tac_sparse_identity(5, &identity, &error), error);
  const double x[5] = {1, 2, 3, 4, 5};
  double y[5];
  tac_sparse_multiply(&identity, x, 1, y);
  ck_assert_mem_eq(x, y, sizeof x);
}

TAC_TEST(entries_outside_and_impossible_sizes_are_refused) {
  tacTriplets triplets = {.rows = 3, .cols = 2};
  ck_assert_int_eq(tac_triplets_add(&triplets, 3, 0, 1.0, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_triplets_add(&triplets, 0, 2, 1.0, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_triplets_add(&triplets, -1, 0, 1.0, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_triplets_add(&triplets, 0, -1, 1.0, &error), TAC_ERR_ARGUMENT);
  tac_triplets_destroy(&triplets);
  tacTriplets negative = {.rows = -1, .cols = 2};
  tacSparse matrix;
  ck_assert_int_eq(tac_triplets_compress(&negative, &matrix, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_sparse_identity(INT_MAX, &matrix, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(matrix.column_start);
}

TAC_TEST(check_finds_broken_matrices) {
  int start[] = {0, 2, 3}, row[] = {0, 1, 1};
  double value[] = {1, 2, 3};
  tacSparse matrix = {2, 2, start, row, value};
  tac_test_ok(tac_sparse_check(&matrix, &error), error);
  row[2] = 2;
  ck_assert_int_eq(tac_sparse_check(&matrix, &error), TAC_ERR_ARGUMENT);
  row[2] = 1;
  row[1] = 0;
  ck_assert_int_eq(tac_sparse_check(&matrix, &error), TAC_ERR_ARGUMENT);
  row[1] = 1;
  value[0] = NAN;
  ck_assert_int_eq(tac_sparse_check(&matrix, &error), TAC_ERR_ARGUMENT);
  value[0] = 1;
  start[1] = 4;
  ck_assert_int_eq(tac_sparse_check(&matrix, &error), TAC_ERR_ARGUMENT);
}
