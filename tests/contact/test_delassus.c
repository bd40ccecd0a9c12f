#include "contact/laws/delassus.h"

#include "base/lanes.h"
#include "contact/law_case.h"
#include "contact/laws/frictional_problem.h"
#include "math/dense/dense.h"

/* J A^-1 J^T, with A = L L^T of a part and Z = (L^-1 J^T)^T: what W is before anybody splits it. A^-1 J^T is solved for, and put
 * into the equations once more. */
TAC_TEST(delassus_is_the_compliance_at_the_contacts) {
  enum { N = 7, COUNT = 4 };
  tacRandom random = tac_random_seed(1);
  const int size = N;
  double a[N * N], l[N * N] = {0.0}, j[3 * COUNT][N], z[COUNT][3 * N], w[9 * COUNT * COUNT];
  tacLawContact contacts[COUNT] = {{0}};
  tacLawProblem problem = {.count = COUNT, .contacts = contacts, .part_count = 1, .part_size = &size};
  for (int r = 0; r < N * N; ++r) l[r] = (r % (N + 1) == 0) + tac_random_normal(&random);
  for (int r = 0; r < N * N; ++r) {
    a[r] = 0.0;
    for (int k = 0; k < N; ++k) a[r] += l[r / N * N + k] * l[r % N * N + k];
  }
  memcpy(l, a, sizeof l);
  tacDense factor = {N, N, N, l};
  ck_assert(tac_dense_loop_cholesky(&factor));
  for (int i = 0; i < COUNT; ++i) {
    for (int k = 0; k < 3 * N; ++k) z[i][k] = j[3 * i + k / N][k % N] = tac_random_normal(&random);
    tac_dense_loop_cholesky_forward3(&factor, 0, z[i]);
    contacts[i].part[0] = i % 2 == 0 ? 0 : -1;
    contacts[i].part[1] = i % 2 == 0 ? -1 : 0;
    contacts[i].rows[i % 2] = z[i];
    contacts[i].softness = 0.25 * i;
  }
  tac_delassus_build(&problem, w);
  for (int k = 0; k < 3 * COUNT; ++k) {
    double x[N];
    memcpy(x, j[k], sizeof x);
    tac_dense_loop_cholesky_solve(&factor, x);
    for (int r = 0; r < N; ++r) {
      double sum = 0.0;
      for (int c = 0; c < N; ++c) sum += a[r * N + c] * x[c];
      ck_assert_double_eq_tol(sum, j[k][r], 1e-9);
    }
    for (int i = 0; i < 3 * COUNT; ++i) {
      double sum = i == k && i % 3 == 0 ? contacts[i / 3].softness : 0.0;
      for (int c = 0; c < N; ++c) sum += j[i][c] * x[c];
      ck_assert_double_eq_tol(w[i * 3 * COUNT + k], sum, 1e-8 * (1.0 + fabs(sum)));
    }
  }
}

/* Random parts of all sizes, contacts of one part, of two, of none, of one part with itself; with and without
 * compliance. */
TAC_TEST(built_and_unbuilt_delassus_agree) {
  tacRandom random = tac_random_seed(2);
  static Case one;
  static double w[9 * MOST * MOST], y[FIVE * THIRTY], forces[3 * MOST];
  for (int trial = 0; trial < 60; ++trial) {
    int count = 1 + trial % 13;
    make_parts(&random, count, trial % 2 == 0, &one);
    tacLawProblem *problem = &one.problem;
    if (count > 2) one.contacts[2].part[1] = one.contacts[2].part[0] = 3; /* with itself */
    if (count > 3) one.contacts[3].part[0] = -1;
    if (count > 4) one.contacts[4].part[1] = one.contacts[4].part[0] = -1;
    find_w(&one);
    size_t offset[FIVE], coordinates = tac_delassus_offsets(problem, offset), n = 3 * (size_t)count;
    ck_assert_uint_eq(coordinates, 6 + 30 + 1 + 5 + 29);
    memset(y, 0, sizeof y);
    for (size_t i = 0; i < n; ++i) forces[i] = tac_random_normal(&random);
    for (int i = 0; i < count; ++i) tac_delassus_push(problem, offset, i, forces + 3 * i, y);
    tac_delassus_build(problem, w);
    for (size_t k = 0; k < n * n; ++k) {
      ck_assert_double_eq_tol(w[k], one.w[k], 1e-13 * one.give);
      ck_assert_double_eq(w[k], w[k % n * n + k / n]);
    }
    for (int i = 0; i < count; ++i) {
      double unbuilt[3];
      tac_delassus_motion(problem, offset, i, forces, y, unbuilt);
      tacMat3 block = tac_delassus_block(problem, i, i);
      for (int a = 0; a < 3; ++a) {
        const double *row = w + (3 * (size_t)i + (size_t)a) * n;
        double plain = 0.0, size = one.give * count; /* W's own sums cancel: their size is bounded by the diagonal */
        for (size_t k = 0; k < n; ++k) {
          plain += row[k] * forces[k];
          size += fabs(row[k] * forces[k]);
        }
        ck_assert_double_eq_tol(unbuilt[a], plain, 1e-12 * size);
        for (int b = 0; b < 3; ++b) ck_assert_double_eq_tol(block.m[a][b], row[3 * i + b], 1e-13 * one.give);
      }
    }
  }
}

/* W with blocks is W without them and the blocks, built and unbuilt; each where it belongs. */
TAC_TEST(blocks_add_to_the_other_parts) {
  enum { COUNT = 9, WIDTH = 3 * COUNT };
  tacRandom random = tac_random_seed(4);
  static Case one;
  for (int trial = 0; trial < 10; ++trial) {
    double plain[WIDTH * WIDTH] = {0.0}, without[WIDTH * WIDTH], with[WIDTH * WIDTH], entries[9 * COUNT * COUNT];
    int first[COUNT + 1] = {0}, column[COUNT * COUNT], diagonal[COUNT], filled = 0;
    make_parts(&random, COUNT, trial % 2 == 0, &one);
    for (int r = 0; r < WIDTH; ++r)
      for (int c = 0; c <= r; ++c)
        if (r / 3 == c / 3 || (r / 3 + c / 3) % 3 == 0)
          plain[r * WIDTH + c] = plain[c * WIDTH + r] = tac_random_normal(&random);
    for (int i = 0; i < COUNT; ++i) {
      for (int j = 0; j < COUNT; ++j) {
        if (i != j && (i + j) % 3 != 0) continue;
        for (int e = 0; e < 9; ++e) entries[9 * filled + e] = plain[(3 * i + e / 3) * WIDTH + 3 * j + e % 3];
        if (i == j) diagonal[i] = filled;
        column[filled++] = j;
      }
      first[i + 1] = filled;
    }
    tacContactProblem blocks = {
        .count = COUNT, .first = first, .column = column, .entries = entries, .diagonal = diagonal};
    tac_delassus_build(&one.problem, without);
    one.problem.blocks = &blocks;
    tac_delassus_build(&one.problem, with);
    for (int k = 0; k < WIDTH * WIDTH; ++k) ck_assert_double_eq_tol(with[k], without[k] + plain[k], 1e-13 * one.give);
    double forces[WIDTH], y[FIVE * THIRTY] = {0.0};
    size_t offset[FIVE];
    tac_delassus_offsets(&one.problem, offset);
    for (int k = 0; k < WIDTH; ++k) forces[k] = tac_random_normal(&random);
    for (int i = 0; i < COUNT; ++i) tac_delassus_push(&one.problem, offset, i, forces + 3 * i, y);
    for (int i = 0; i < COUNT; ++i) {
      double unbuilt[3];
      tac_delassus_motion(&one.problem, offset, i, forces, y, unbuilt);
      for (int a = 0; a < 3; ++a) {
        double built = 0.0;
        for (int k = 0; k < WIDTH; ++k) built += with[(3 * i + a) * WIDTH + k] * forces[k];
        ck_assert_double_eq_tol(built, unbuilt[a], 1e-11 * one.give * COUNT);
      }
    }
  }
}

TAC_TEST(cost_estimates_count_multiplications) {
  tacRandom random = tac_random_seed(3);
  static Case one;
  make_parts(&random, 12, true, &one);
  for (int i = 0; i < 12; ++i) { /* all of the same two parts: the bound is met */
    one.contacts[i].part[0] = 0;
    one.contacts[i].part[1] = 1;
  }
  double n = one.sizes[0] + one.sizes[1];
  tacDelassusCost cost = tac_delassus_cost(&one.problem);
  ck_assert_double_eq(cost.build, 9.0 * n * 12 * 13 / 2);
  ck_assert_double_eq(cost.blocks, 9.0 * n * 12);
  ck_assert_double_eq(cost.built_sweep, 9.0 * 12 * 12);
  ck_assert_double_eq(cost.unbuilt_sweep, 2 * 3 * n * 12 + 9.0 * 12 * 12);
}

/* Blocks and motions of rows of every length, at every width: sums in plain order. */
TAC_TEST(vector_widths_agree_to_rounding) {
  enum { LONGEST = 45, COUNT = 2 };
  tacRandom random = tac_random_seed(5);
  for (int n = 1; n <= LONGEST; ++n) {
    double rows[COUNT][3 * LONGEST], y[LONGEST], pushed[LONGEST], force[3] = {0.7, -1.3, 0.4};
    tacLawContact contacts[COUNT];
    memset(contacts, 0, sizeof contacts);
    const size_t offset[1] = {0};
    tacLawProblem problem = {.count = COUNT, .contacts = contacts, .part_count = 1, .part_size = &n};
    for (int i = 0; i < COUNT; ++i) {
      contacts[i].part[1] = -1;
      contacts[i].rows[0] = rows[i];
      for (int k = 0; k < 3 * n; ++k) rows[i][k] = tac_random_uniform(&random, -1.0, 1.0);
    }
    for (int k = 0; k < n; ++k) y[k] = tac_random_uniform(&random, -1.0, 1.0);
    for (int width = 2; width <= 8; width *= 2) {
      double motion[3], forces[3 * COUNT] = {0.0};
      tac_lanes_limit(width);
      tacMat3 block = tac_delassus_block(&problem, 1, 0);
      tac_delassus_motion(&problem, offset, 1, forces, y, motion);
      memcpy(pushed, y, sizeof pushed);
      tac_delassus_push(&problem, offset, 1, force, pushed);
      for (int a = 0; a < 3; ++a) {
        double sum[4] = {0.0};
        for (int k = 0; k < n; ++k) {
          for (int b = 0; b < 3; ++b) sum[b] += rows[1][a * n + k] * rows[0][b * n + k];
          sum[3] += rows[1][a * n + k] * y[k];
        }
        for (int b = 0; b < 3; ++b) ck_assert_double_eq_tol(block.m[a][b], sum[b], 1e-15 * n);
        ck_assert_double_eq_tol(motion[a], sum[3], 1e-15 * n);
      }
      for (int k = 0; k < n; ++k) {
        double sum = y[k] + rows[1][k] * force[0] + rows[1][n + k] * force[1] + rows[1][2 * n + k] * force[2];
        ck_assert_double_eq_tol(pushed[k], sum, 4e-15);
      }
    }
  }
}
