#include "contact/laws/delassus.h"

#include "base/lanes.h"
#include "contact/make_laws.h"
#include "test.h"

/* J A^-1 J^T, with A = L L^T of each part, by plain elimination: what W is before anybody splits it. */
TAC_TEST(it_is_the_compliance_of_the_parts_at_the_contacts) {
  enum { N = 7, COUNT = 4 };
  tacRandom random = tac_random_seed(1);
  double a[N][N], l[N][N] = {{0.0}}, j[COUNT][3][N], z[COUNT][3][N], inverse[N][2 * N], w[9 * COUNT * COUNT];
  for (int r = 0; r < N; ++r) /* L, positive on its diagonal */
    for (int c = 0; c <= r; ++c) l[r][c] = r == c ? 1.0 + fabs(tac_random_normal(&random)) : tac_random_normal(&random);
  for (int r = 0; r < N; ++r)
    for (int c = 0; c < N; ++c) {
      a[r][c] = 0.0;
      for (int k = 0; k < N; ++k) a[r][c] += l[r][k] * l[c][k];
    }
  for (int i = 0; i < COUNT; ++i)
    for (int axis = 0; axis < 3; ++axis)
      for (int k = 0; k < N; ++k) { /* L z = j */
        double sum = j[i][axis][k] = tac_random_normal(&random);
        for (int c = 0; c < k; ++c) sum -= l[k][c] * z[i][axis][c];
        z[i][axis][k] = sum / l[k][k];
      }
  for (int r = 0; r < N; ++r)
    for (int c = 0; c < 2 * N; ++c) inverse[r][c] = c < N ? a[r][c] : c - N == r;
  for (int p = 0; p < N; ++p) { /* Gauss and Jordan; positive definite, so without pivoting */
    double pivot = inverse[p][p];
    for (int c = 0; c < 2 * N; ++c) inverse[p][c] /= pivot;
    for (int r = 0; r < N; ++r) {
      double factor = inverse[r][p];
      for (int c = 0; c < 2 * N && r != p; ++c) inverse[r][c] -= factor * inverse[p][c];
    }
  }
  tacLawContact contacts[COUNT];
  memset(contacts, 0, sizeof contacts);
  const int size[1] = {N};
  tacLawProblem problem = {.count = COUNT, .contacts = contacts, .part_count = 1, .part_size = size};
  for (int i = 0; i < COUNT; ++i) {
    contacts[i].part[0] = i % 2 == 0 ? 0 : -1;
    contacts[i].part[1] = i % 2 == 0 ? -1 : 0;
    contacts[i].rows[i % 2] = &z[i][0][0];
    contacts[i].softness = 0.25 * i;
  }
  tac_delassus_build(&problem, w);
  for (int i = 0; i < 3 * COUNT; ++i)
    for (int k = 0; k < 3 * COUNT; ++k) {
      double sum = i == k && i % 3 == 0 ? contacts[i / 3].softness : 0.0;
      for (int r = 0; r < N; ++r)
        for (int c = 0; c < N; ++c) sum += j[i / 3][i % 3][r] * inverse[r][N + c] * j[k / 3][k % 3][c];
      ck_assert_double_eq_tol(w[i * 3 * COUNT + k], sum, 1e-8 * (1.0 + fabs(sum)));
    }
}

/* Random parts of all sizes, contacts of one part, of two, of none, of one part with itself; with and without
 * compliance. */
TAC_TEST(built_and_unbuilt_are_the_same) {
  tacRandom random = tac_random_seed(2);
  static Laws laws;
  static double w[9 * MOST_CONTACTS * MOST_CONTACTS], y[MOST_PARTS * MOST_COORDINATES], forces[3 * MOST_CONTACTS];
  for (int trial = 0; trial < 60; ++trial) {
    int count = 1 + trial % 13;
    make_laws(&random, count, trial % 2 == 0, &laws);
    tacLawProblem *problem = &laws.problem;
    if (count > 2) laws.contacts[2].part[1] = laws.contacts[2].part[0] = 3; /* with itself */
    if (count > 3) laws.contacts[3].part[0] = -1;
    if (count > 4) laws.contacts[4].part[1] = laws.contacts[4].part[0] = -1;
    size_t offset[MOST_PARTS], coordinates = tac_delassus_offsets(problem, offset);
    int sum = 0;
    for (int p = 0; p < problem->part_count; ++p) sum += problem->part_size[p];
    ck_assert_int_eq((int)coordinates, sum);
    memset(y, 0, sizeof y);
    for (int i = 0; i < 3 * count; ++i) forces[i] = tac_random_normal(&random);
    for (int i = 0; i < count; ++i) tac_delassus_push(problem, offset, i, forces + 3 * i, y);
    tac_delassus_build(problem, w);
    for (int i = 0; i < count; ++i) {
      double built[3], unbuilt[3];
      tac_delassus_built_motion(count, w, i, forces, built);
      tac_delassus_motion(problem, offset, i, forces, y, unbuilt);
      tacMat3 block = tac_delassus_block(problem, i, i);
      for (int a = 0; a < 3; ++a) {
        double plain = 0.0, size = 0.0;
        for (int k = 0; k < 3 * count; ++k) {
          plain += w[(3 * i + a) * 3 * count + k] * forces[k];
          size += fabs(w[(3 * i + a) * 3 * count + k] * forces[k]);
          ck_assert_double_eq(w[(3 * i + a) * 3 * count + k], w[k * 3 * count + 3 * i + a]);
        }
        /* W's own sums cancel: their size is bounded by that of the diagonal */
        size += laws.size * count;
        ck_assert_double_eq_tol(built[a], plain, 1e-13 * size);
        ck_assert_double_eq_tol(unbuilt[a], plain, 1e-12 * size);
        for (int b = 0; b < 3; ++b)
          ck_assert_double_eq_tol(block.m[a][b], w[(3 * i + a) * 3 * count + 3 * i + b], 1e-13 * laws.size);
      }
    }
  }
}

/* W with blocks is W without them and the blocks, built and unbuilt; each where it belongs. */
TAC_TEST(blocks_add_to_what_there_is) {
  enum { COUNT = 9, WIDTH = 3 * COUNT };
  tacRandom random = tac_random_seed(4);
  static Laws laws;
  for (int trial = 0; trial < 10; ++trial) {
    double plain[WIDTH * WIDTH] = {0.0}, without[WIDTH * WIDTH], with[WIDTH * WIDTH], entries[9 * COUNT * COUNT];
    int first[COUNT + 1] = {0}, column[COUNT * COUNT], diagonal[COUNT], filled = 0;
    make_laws(&random, COUNT, trial % 2 == 0, &laws);
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
    tacBlockMatrix blocks = {COUNT, first, column, entries, diagonal};
    tac_delassus_build(&laws.problem, without);
    laws.problem.blocks = &blocks;
    tac_delassus_build(&laws.problem, with);
    for (int k = 0; k < WIDTH * WIDTH; ++k) ck_assert_double_eq_tol(with[k], without[k] + plain[k], 1e-13 * laws.size);
    double forces[WIDTH], y[MOST_PARTS * MOST_COORDINATES] = {0.0};
    size_t offset[MOST_PARTS];
    tac_delassus_offsets(&laws.problem, offset);
    for (int k = 0; k < WIDTH; ++k) forces[k] = tac_random_normal(&random);
    for (int i = 0; i < COUNT; ++i) tac_delassus_push(&laws.problem, offset, i, forces + 3 * i, y);
    for (int i = 0; i < COUNT; ++i) {
      double built[3], unbuilt[3];
      tac_delassus_built_motion(COUNT, with, i, forces, built);
      tac_delassus_motion(&laws.problem, offset, i, forces, y, unbuilt);
      for (int a = 0; a < 3; ++a) ck_assert_double_eq_tol(built[a], unbuilt[a], 1e-11 * laws.size * COUNT);
    }
  }
}

TAC_TEST(costs_are_what_loops_multiply) {
  tacRandom random = tac_random_seed(3);
  static Laws laws;
  make_laws(&random, 12, true, &laws);
  for (int i = 0; i < 12; ++i) { /* all of the same two parts: the bound is met */
    laws.contacts[i].part[0] = 0;
    laws.contacts[i].part[1] = 1;
  }
  double n = laws.size_of[0] + laws.size_of[1];
  tacDelassusCost cost = tac_delassus_cost(&laws.problem);
  ck_assert_double_eq(cost.build, 9.0 * n * 12 * 13 / 2);
  ck_assert_double_eq(cost.blocks, 9.0 * n * 12);
  ck_assert_double_eq(cost.built_sweep, 9.0 * 12 * 12);
  ck_assert_double_eq(cost.unbuilt_sweep, 2 * 3 * n * 12 + 9.0 * 12 * 12);
}

/* Blocks and motions of rows of every length, at every width: sums in plain order. */
TAC_TEST(every_width_is_the_same_to_rounding) {
  enum { MOST = 45, COUNT = 2 };
  tacRandom random = tac_random_seed(5);
  for (int n = 1; n <= MOST; ++n) {
    double rows[COUNT][3 * MOST], y[MOST], pushed[MOST], force[3] = {0.7, -1.3, 0.4};
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
