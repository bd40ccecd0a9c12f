#include "math/dense/dense.h"

#include "base/lanes.h"
#include "base/threads/parallel.h"
#include "math/dense_samples.h"

static double at(const tacDense *a, int i, int j) {
  return tac_dense_column(a, j)[i];
}

/* op(A) op(B) by its definition. */
static tacDense product(const tacDense *a, bool transpose_a, const tacDense *b, bool transpose_b) {
  int rows = transpose_a ? a->cols : a->rows, cols = transpose_b ? b->rows : b->cols;
  int inner = transpose_a ? a->rows : a->cols;
  tacDense c = make_dense(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      for (int k = 0; k < inner; ++k)
        tac_dense_column(&c, j)[i] +=
            (transpose_a ? at(a, k, i) : at(a, i, k)) * (transpose_b ? at(b, j, k) : at(b, k, j));
  return c;
}

static double departure_from_identity(const tacDense *a) {
  TAC_DENSE identity = make_dense(a->rows, a->cols);
  for (int i = 0; i < a->rows; ++i) tac_dense_column(&identity, i)[i] = 1.0;
  double largest = largest_difference(a, &identity);
  return largest;
}

/* B B^T + n I */
static tacDense random_positive(tacRandom *random, int n) {
  TAC_DENSE b = random_dense(random, n, n);
  tacDense a = product(&b, false, &b, true);
  for (int i = 0; i < n; ++i) tac_dense_column(&a, i)[i] += n;
  return a;
}

TAC_TEST(products_follow_their_definitions) {
  tacRandom random = tac_random_seed(1);
  for (int options = 0; options < 4; ++options) {
    bool ta = options & 1, tb = options & 2;
    TAC_DENSE a = random_dense(&random, ta ? 5 : 7, ta ? 7 : 5), b = random_dense(&random, tb ? 6 : 5, tb ? 5 : 6);
    TAC_DENSE c = make_dense(7, 6), expected = product(&a, ta, &b, tb);
    tac_dense_gemm(2.0, &a, ta, &b, tb, 0.0, &c);
    tac_dense_gemm(-1.0, &a, ta, &b, tb, 1.0, &c);
    ck_assert_double_lt(largest_difference(&c, &expected), 1e-14);
  }
  for (int options = 0; options < 2; ++options) {
    TAC_DENSE a = random_dense(&random, 7, 5), expected = product(&a, options, &a, !options);
    TAC_DENSE c = make_dense(expected.rows, expected.cols);
    tac_dense_syrk(1.0, &a, options, 0.0, &c);
    ck_assert_double_lt(largest_difference(&c, &expected), 1e-14);
  }
}

/* Large enough for several threads: the same bits for any number of them. */
TAC_TEST(large_products_follow_their_definitions) {
  static const int shapes[][3] = {{230, 170, 90}, {2500, 17, 40}, {33, 20, 4000}}; /* rows, columns, depth */
  tacRandom random = tac_random_seed(5);
  for (int s = 0; s < 3; ++s) {
    int rows = shapes[s][0], cols = shapes[s][1], depth = shapes[s][2];
    for (int options = 0; options < 4; ++options) {
      bool ta = options & 1, tb = options & 2;
      tacDense a = random_dense(&random, ta ? depth : rows, ta ? rows : depth);
      tacDense b = random_dense(&random, tb ? cols : depth, tb ? depth : cols), c[2];
      for (int t = 0; t < 2; ++t) c[t] = make_dense(rows, cols);
      TAC_DENSE expected = product(&a, ta, &b, tb);
      for (int t = 0; t < 2; ++t) {
        tac_parallel_set_threads(t == 0 ? 1 : 3);
        tac_dense_gemm(1.0, &a, ta, &b, tb, 0.0, &c[t]);
        ck_assert_double_lt(largest_difference(&c[t], &expected), 1e-14 * depth);
      }
      for (int j = 0; j < cols; ++j)
        ck_assert_mem_eq(tac_dense_column(&c[0], j), tac_dense_column(&c[1], j), (size_t)rows * sizeof(double));
      tac_dense_destroy(&a);
      tac_dense_destroy(&b);
      for (int t = 0; t < 2; ++t) tac_dense_destroy(&c[t]);
    }
  }
  tacDense a = random_dense(&random, 2900, 230), x = random_dense(&random, 2900, 1);
  tacDense part = {230, 1, 2900, x.a}, y[2];
  y[0] = product(&a, false, &part, false);
  y[1] = product(&a, true, &x, false);
  for (int t = 0; t < 4; ++t) {
    double result[2900];
    tac_parallel_set_threads(t < 2 ? 1 : 3);
    tac_dense_gemv(1.0, &a, t % 2 != 0, x.a, 0.0, result);
    for (int i = 0; i < y[t % 2].rows; ++i) ck_assert_double_eq_tol(result[i], y[t % 2].a[i], 1e-11);
    if (t >= 2) ck_assert_mem_eq(result, y[t % 2].a, (size_t)y[t % 2].rows * sizeof *result);
    memcpy(y[t % 2].a, result, (size_t)y[t % 2].rows * sizeof *result);
  }
  tac_parallel_set_threads(0);
  tac_dense_destroy(&a);
  tac_dense_destroy(&x);
  for (int t = 0; t < 2; ++t) tac_dense_destroy(&y[t]);
}

TAC_TEST(matrix_times_vector_agrees_between_blas_and_loops_at_every_size) {
  tacRandom random = tac_random_seed(2);
  for (int rows = 0; rows < 14; ++rows)
    for (int cols = 0; cols < 14; ++cols) {
      TAC_DENSE a = random_dense(&random, rows, cols), x = random_dense(&random, 14, 1);
      tacDense part = {cols, 1, 14, x.a}, part_t = {rows, 1, 14, x.a};
      TAC_DENSE y = product(&a, false, &part, false), yt = product(&a, true, &part_t, false);
      double result[14], own[14];
      tac_dense_gemv(1.0, &a, false, x.a, 0.0, result);
      tac_dense_loop_gemv(&a, x.a, own);
      for (int i = 0; i < rows; ++i) {
        ck_assert_double_eq_tol(result[i], y.a[i], 1e-13);
        ck_assert_double_eq_tol(own[i], y.a[i], 1e-13);
      }
      tac_dense_gemv(1.0, &a, true, x.a, 0.0, result);
      for (int i = 0; i < cols; ++i) ck_assert_double_eq_tol(result[i], yt.a[i], 1e-13);
    }
}

/* Of every width the same bits: four columns a sum, as they are written here. */
TAC_TEST(matrix_times_vector_has_one_order) {
  tacRandom random = tac_random_seed(31);
  for (int rows = 1; rows <= 21; rows += 4)
    for (int cols = 1; cols <= 23; ++cols) {
      TAC_DENSE a = random_dense(&random, rows, cols), x = random_dense(&random, cols, 1);
      double y[21];
      tac_dense_loop_gemv(&a, x.a, y);
      for (int i = 0; i < rows; ++i) {
        double sum = 0.0, product[4];
        int j = 0;
        for (; j + 4 <= cols; j += 4) {
          for (int k = 0; k < 4; ++k) product[k] = x.a[j + k] * tac_dense_column(&a, j + k)[i];
          sum += (product[0] + product[1]) + (product[2] + product[3]);
        }
        for (; j < cols; ++j) sum += x.a[j] * tac_dense_column(&a, j)[i];
        ck_assert(y[i] == sum);
      }
    }
}

TAC_TEST(cholesky_solves_by_lapack_and_by_loops) {
  tacRandom random = tac_random_seed(3);
  for (int n = 1; n <= 40; ++n) {
    TAC_DENSE a = random_positive(&random, n), x = random_dense(&random, n, 3), b = product(&a, false, &x, false);
    TAC_DENSE copy, own = b;
    tac_test_ok(tac_dense_copy(&a, &copy, &error), error);
    tac_test_ok(tac_dense_copy(&b, &own, &error), error);
    for (int j = 1; j < n; ++j) tac_dense_column(&copy, j)[0] = NAN; /* the upper triangle is not read */
    ck_assert(tac_dense_loop_cholesky(&copy));
    for (int j = 0; j < 3; ++j) tac_dense_loop_cholesky_solve(&copy, tac_dense_column(&own, j));
    ck_assert_double_lt(largest_difference(&own, &x), 1e-12);
    tac_test_ok(tac_dense_cholesky(&a, &error), error);
    tac_dense_cholesky_solve(&a, &b);
    ck_assert_double_lt(largest_difference(&b, &x), 1e-12);
  }
}

TAC_TEST(cholesky_refuses_what_is_not_positive_definite) {
  for (int bad = 0; bad < 5; ++bad) {
    TAC_DENSE a = make_dense(5, 5);
    for (int i = 0; i < 5; ++i) tac_dense_column(&a, i)[i] = i == bad ? -1.0 : 2.0;
    TAC_DENSE copy;
    tac_test_ok(tac_dense_copy(&a, &copy, &error), error);
    ck_assert(!tac_dense_loop_cholesky(&copy));
    ck_assert_int_eq(tac_dense_cholesky(&a, &error), TAC_ERR_SINGULAR);
    char expected[32];
    snprintf(expected, sizeof expected, "column %d", bad);
    ck_assert_ptr_nonnull(strstr(error.text, expected));
  }
  TAC_DENSE a = make_dense(2, 2);
  a.a[0] = a.a[3] = NAN;
  ck_assert_int_eq(tac_dense_cholesky(&a, NULL), TAC_ERR_ARGUMENT);
  ck_assert(!tac_dense_loop_cholesky(&a));
}

TAC_TEST(lu_solves_what_needs_pivots_and_refuses_singular_matrices) {
  tacRandom random = tac_random_seed(4);
  for (int n = 1; n <= 40; ++n) {
    TAC_DENSE a = random_dense(&random, n, n), x = random_dense(&random, n, 1);
    for (int i = 0; i < n; ++i) tac_dense_column(&a, i)[i] = n == 1 ? 1.0 : 0.0; /* no pivot on the diagonal */
    TAC_DENSE b = product(&a, false, &x, false), copy;
    tac_test_ok(tac_dense_copy(&a, &copy, &error), error);
    int pivot[40];
    if (n != 2 || fabs(a.a[1] * a.a[2]) > 1e-3) {
      ck_assert(tac_dense_loop_lu(&a, pivot));
      tac_dense_loop_lu_solve(&a, pivot, b.a);
      TAC_DENSE back = product(&copy, false, &b, false), right = product(&copy, false, &x, false);
      ck_assert_double_lt(largest_difference(&back, &right), 1e-11);
      ck_assert_double_lt(largest_difference(&b, &x), 1e-9);
    }
  }
  TAC_DENSE singular = make_dense(3, 3);
  int pivot[3];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) tac_dense_column(&singular, j)[i] = (i + 1.0) * (j + 1.0);
  ck_assert(!tac_dense_loop_lu(&singular, pivot));
  singular.a[0] = NAN;
  ck_assert(!tac_dense_loop_lu(&singular, pivot));
}

TAC_TEST(eigenvectors_diagonalise_and_values_ascend) {
  tacRandom random = tac_random_seed(5);
  int n = 12;
  TAC_DENSE a = random_positive(&random, n), b = random_positive(&random, n);
  double value[12];
  for (int pencil = 0; pencil < 2; ++pencil) {
    TAC_DENSE x, b_copy, bx;
    tac_test_ok(tac_dense_copy(&a, &x, &error), error);
    tac_test_ok(tac_dense_copy(&b, &b_copy, &error), error);
    tac_test_ok(pencil ? tac_dense_eigen_pencil(&x, &b_copy, value, &error) : tac_dense_eigen(&x, value, &error),
                error);
    TAC_DENSE ax = product(&a, false, &x, false);
    if (pencil)
      bx = product(&b, false, &x, false);
    else
      tac_test_ok(tac_dense_copy(&x, &bx, &error), error);
    for (int j = 0; j < n; ++j) {
      if (j > 0) ck_assert(value[j] >= value[j - 1]);
      for (int i = 0; i < n; ++i) ck_assert_double_eq_tol(at(&ax, i, j), value[j] * at(&bx, i, j), 1e-12);
    }
    TAC_DENSE gram = product(&x, true, &bx, false);
    ck_assert_double_lt(departure_from_identity(&gram), 1e-13);
  }
}

TAC_TEST(singular_value_decomposition_multiplies_back) {
  tacRandom random = tac_random_seed(6);
  static const int shapes[][2] = {{7, 7}, {20, 3}, {3, 20}, {1, 5}, {0, 4}};
  for (int k = 0; k < 5; ++k) {
    TAC_DENSE a = random_dense(&random, shapes[k][0], shapes[k][1]), copy, u, vt;
    double s[7];
    tac_test_ok(tac_dense_copy(&a, &copy, &error), error);
    tac_test_ok(tac_dense_svd(&copy, &u, s, &vt, &error), error);
    TAC_DENSE gram = product(&u, true, &u, false);
    ck_assert_double_lt(departure_from_identity(&gram), 1e-14);
    for (int j = 0; j < u.cols; ++j) {
      ck_assert(j == 0 || s[j] <= s[j - 1]);
      for (int i = 0; i < u.rows; ++i) tac_dense_column(&u, j)[i] *= s[j];
    }
    TAC_DENSE back = product(&u, false, &vt, false);
    ck_assert_double_lt(largest_difference(&back, &a), 1e-13);
  }
}

/* The residual is at a right angle to the columns; with dependent columns the shortest solution is in the row space. */
TAC_TEST(least_squares_leave_a_perpendicular_residual) {
  tacRandom random = tac_random_seed(7);
  for (int deficient = 0; deficient < 2; ++deficient) {
    TAC_DENSE a = random_dense(&random, 10, 4), b = random_dense(&random, 10, 2), x;
    for (int i = 0; deficient && i < 10; ++i) tac_dense_column(&a, 3)[i] = 2.0 * at(&a, i, 0);
    int rank = 0;
    tac_test_ok(tac_dense_least_squares(&a, &b, &x, &rank, &error), error);
    ck_assert_int_eq(rank, deficient ? 3 : 4);
    tac_dense_gemm(-1.0, &a, false, &x, false, 1.0, &b);
    TAC_DENSE normal = product(&a, true, &b, false), zero = make_dense(4, 2);
    ck_assert_double_lt(largest_difference(&normal, &zero), 1e-13);
    if (deficient)
      for (int j = 0; j < 2; ++j) ck_assert_double_eq_tol(at(&x, 3, j), 2.0 * at(&x, 0, j), 1e-13);
  }
}

TAC_TEST(qr_has_orthonormal_columns_and_an_upper_triangle) {
  tacRandom random = tac_random_seed(8);
  TAC_DENSE a = random_dense(&random, 9, 5), q, r;
  tac_test_ok(tac_dense_copy(&a, &q, &error), error);
  tac_test_ok(tac_dense_qr(&q, &r, &error), error);
  TAC_DENSE gram = product(&q, true, &q, false), back = product(&q, false, &r, false);
  ck_assert_double_lt(departure_from_identity(&gram), 1e-14);
  ck_assert_double_lt(largest_difference(&back, &a), 1e-14);
  for (int j = 0; j < 5; ++j)
    for (int i = j + 1; i < 5; ++i) ck_assert_double_eq(at(&r, i, j), 0.0);
  tacDense wide = make_dense(3, 4), none;
  ck_assert_int_eq(tac_dense_qr(&wide, &none, NULL), TAC_ERR_ARGUMENT);
  tac_dense_destroy(&wide);
}

TAC_TEST(bad_shapes_and_sizes_are_refused) {
  TAC_DENSE a;
  ck_assert_int_eq(tac_dense_create(-1, 3, &a, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_dense_create(2000000000, 2000000000, &a, &error), TAC_ERR_MEMORY);
  ck_assert_ptr_null(a.a);
  a = make_dense(2, 3);
  double value[3];
  ck_assert_int_eq(tac_dense_eigen(&a, value, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_dense_cholesky(&a, &error), TAC_ERR_ARGUMENT);
  a.a[1] = INFINITY;
  tacDense u, vt;
  ck_assert_int_eq(tac_dense_svd(&a, &u, value, &vt, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(u.a);
}

/* L (L^T x) = b, each half by itself, for three at once and where the first numbers are zero. */
TAC_TEST(halves_of_a_cholesky_solve_are_the_whole) {
  enum { N = 9 };
  for (int first = 0; first < N; first += 4) {
    double a[N * N], x[3][N], b[3][N];
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) a[i * N + j] = i == j ? 5.0 + i : 1.0 / (1 + abs(i - j));
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < N; ++i) x[k][i] = b[k][i] = i < first ? 0.0 : 1.0 + k - 0.3 * i;
    tacDense matrix = {N, N, N, a};
    ck_assert(tac_dense_loop_cholesky(&matrix));
    tac_dense_loop_cholesky_forward3(&matrix, first, x[0]);
    for (int k = 0; k < 3; ++k) {
      tac_dense_loop_cholesky_backward(&matrix, x[k]);
      tac_dense_loop_cholesky_solve(&matrix, b[k]);
      for (int i = 0; i < N; ++i) ck_assert_double_eq_tol(x[k][i], b[k][i], 1e-14);
    }
  }
}

/* What ticks do with a symmetric matrix, in all copies for processors: L L^T is the matrix, the solution solves, and
 * bits are the same. Rounding is at most 3 n eps times sums of absolute values, which are below 3 n + 1. */
TAC_TEST(every_width_factors_and_solves_alike) {
  enum { MOST = 35 };
  tacRandom random = tac_random_seed(31);
  for (int n = 1; n <= MOST; ++n) {
    double a[MOST * MOST], b[MOST], factor[3][MOST * MOST], x[3][MOST], image[3][MOST];
    for (int j = 0; j < n; ++j) {
      b[j] = tac_random_uniform(&random, -1.0, 1.0);
      for (int i = j; i < n; ++i)
        a[i + j * n] = a[j + i * n] = tac_random_uniform(&random, -1.0, 1.0) + (i == j ? 2.0 * n : 0.0);
    }
    for (int width = 0; width < 3; ++width) {
      tac_lanes_limit(2 << width);
      memcpy(factor[width], a, sizeof a);
      memcpy(x[width], b, sizeof b);
      tacDense l = {n, n, n, factor[width]}, matrix = {n, n, n, a};
      ck_assert(tac_dense_loop_cholesky(&l));
      tac_dense_loop_cholesky_solve(&l, x[width]);
      tac_dense_loop_gemv(&matrix, x[width], image[width]);
      for (int i = 0; i < n; ++i) {
        ck_assert_double_eq_tol(image[width][i], b[i], 1e-13 * n);
        for (int j = 0; j <= i; ++j) {
          double sum = 0.0;
          for (int k = 0; k <= j; ++k) sum += factor[width][i + k * n] * factor[width][j + k * n];
          ck_assert_double_eq_tol(sum, a[i + j * n], 1e-13 * n);
        }
        for (int j = i + 1; j < n; ++j) ck_assert(factor[width][i + j * n] == a[i + j * n]); /* as it was */
      }
    }
    for (int width = 1; width < 3; ++width) {
      ck_assert_mem_eq(factor[width], factor[0], (size_t)(n * n) * sizeof(double));
      ck_assert_mem_eq(x[width], x[0], (size_t)n * sizeof(double));
      ck_assert_mem_eq(image[width], image[0], (size_t)n * sizeof(double));
    }
  }
  tac_lanes_limit(TAC_LANES_8);
}

TAC_TEST_EVERY_WIDTH()
