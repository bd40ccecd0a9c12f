#include <lapacke.h>
#include <tactus/green.h>
#include "base/lanes.h"
#include "kinds/green/capacitance.h"
#include "kinds/green/green.h"
#include "math/dense/blas.h"
#include "math/dense/dense.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

/* ---- a block of springs, and its Green's functions from the definition ---- */

enum { SIDE = 5, NODES = SIDE * SIDE * SIDE, SENSOR_ROWS = 9 };
static const double spacing = 0.01, modulus = 1e6;

typedef struct {
  tacVec3 position[NODES];
  double area[NODES];
  tacDense stiffness; /* N/m */
  tacDense sensing; /* SENSOR_ROWS x 3 NODES: displacement of the middle node; six linear functions times the modulus */
} Block;

static double *at(const tacDense *a, int i, int j) {
  return tac_dense_column(a, j) + i;
}

static tacDense make(int rows, int cols) {
  tacDense a;
  tac_test_ok(tac_dense_create(rows, cols, &a, &error), error);
  return a;
}

/* b := a^-1 b by LAPACK; a is destroyed. */
static void direct_solve(tacDense *a, tacDense *b) {
  int pivot[3 * NODES];
  tac_blas_begin();
  int info = LAPACKE_dgesv(LAPACK_COL_MAJOR, a->rows, b->cols, a->a, a->stride, pivot, b->a, b->stride);
  tac_blas_end();
  ck_assert_int_eq(info, 0);
}

/* Nodes of a cube, all of them vertices, shaken by a share of their spacing, with springs of random stiffness to all 26 neighbours. */
static Block make_block(uint64_t seed, double shaken) {
  tacRandom random = tac_random_seed(seed);
  Block block = {.stiffness = make(3 * NODES, 3 * NODES)};
  block.sensing = make(SENSOR_ROWS, 3 * NODES);
  for (int i = 0; i < NODES; ++i) {
    tacVec3 at_rest = tac_vec3(i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE);
    block.position[i] = tac_vec3_scale(spacing, tac_vec3_add(at_rest, tac_random_in_cube(&random, shaken)));
    block.area[i] = spacing * spacing * tac_random_uniform(&random, 0.5, 1.5);
  }
  for (int i = 0; i < NODES; ++i)
    for (int j = 0; j < i; ++j) {
      tacVec3 along = tac_vec3_sub(block.position[i], block.position[j]);
      if (tac_vec3_norm(along) > 2.0 * spacing) continue;
      double spring = modulus * spacing * tac_random_uniform(&random, 0.5, 2.0);
      tacVec3 unit = tac_vec3_unit(along);
      const double e[3] = {unit.x, unit.y, unit.z};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          for (int end = 0; end < 4; ++end)
            *at(&block.stiffness, 3 * (end & 1 ? i : j) + r, 3 * (end & 2 ? i : j) + c) +=
                (end == 0 || end == 3 ? 1.0 : -1.0) * spring * e[r] * e[c];
    }
  for (int k = 0; k < 3; ++k) *at(&block.sensing, k, 3 * (NODES / 2) + k) = 1.0;
  for (int k = 3 * 3 * NODES; k < SENSOR_ROWS * 3 * NODES; ++k)
    *at(&block.sensing, k / (3 * NODES), k % (3 * NODES)) = modulus / spacing * tac_random_normal(&random);
  return block;
}

static void destroy_block(Block *block) {
  tac_dense_destroy(&block->stiffness);
  tac_dense_destroy(&block->sensing);
}

/* The unknown values for K u = a p, times `factor` in stiffness, in the problem with these fixed vertices, for each column
 * of prescribed values. */
static tacDense direct(const Block *block, double factor, const bool *fixed, const tacDense *prescribed) {
  int n = 3 * NODES;
  TAC_DENSE a = make(n, n);
  tacDense right = make(n, prescribed->cols);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; !fixed[j / 3] && i < n; ++i) *at(&a, i, j) = factor * *at(&block->stiffness, i, j);
    if (fixed[j / 3]) *at(&a, j, j) = -block->area[j / 3];
    for (int c = 0; c < prescribed->cols; ++c) {
      double value = *at(prescribed, j, c);
      for (int i = 0; fixed[j / 3] && value != 0.0 && i < n; ++i)
        *at(&right, i, c) -= factor * *at(&block->stiffness, i, j) * value;
      if (!fixed[j / 3]) *at(&right, j, c) += block->area[j / 3] * value;
    }
  }
  direct_solve(&a, &right);
  return right;
}

/* What the sensors show: functions of the displacements, which are unknown at some vertices and prescribed at others. */
static void direct_sensors(const Block *block, double factor, const bool *fixed, const double *prescribed,
                           const double *unknown, double *values) {
  for (int i = 0; i < SENSOR_ROWS; ++i) {
    values[i] = 0.0;
    for (int j = 0; j < 3 * NODES; ++j)
      values[i] += (i < 3 ? 1.0 : factor) * *at(&block->sensing, i, j) * (fixed[j / 3] ? prescribed[j] : unknown[j]);
  }
}

/* Columns of every vertex but the last one. */
static tacGreen *make_green(const Block *block, const bool *fixed) {
  static const tacSensor sensors[2] = {{"middle", TAC_SENSOR_DISPLACEMENT, {0.02, 0.02, 0.02}},
                                       {"stress", TAC_SENSOR_STRESS, {0.02, 0.02, 0.02}}};
  int n = 3 * NODES, rows = n + SENSOR_ROWS, column_vertex[NODES];
  TAC_DENSE unit = make(n, n);
  for (int i = 0; i < n; ++i) *at(&unit, i, i) = 1.0;
  for (int i = 0; i < NODES; ++i) column_vertex[i] = i;
  TAC_DENSE xi = direct(block, 1.0, fixed, &unit);
  double *columns = calloc((size_t)rows * (size_t)n, sizeof *columns);
  for (int j = 0; j < n; ++j) {
    memcpy(columns + (size_t)j * (size_t)rows, at(&xi, 0, j), (size_t)n * sizeof *columns);
    direct_sensors(block, 1.0, fixed, at(&unit, 0, j), at(&xi, 0, j), columns + (size_t)j * (size_t)rows + n);
  }
  TAC_CREATE(tacTriMesh, surface, tac_trimesh_create(NODES, 0, &surface, &error));
  memcpy(surface->vertices, block->position, (size_t)NODES * sizeof *block->position);
  tacGreenParts parts = {.method = TAC_FINITE_ELEMENTS,
                         .surface = surface,
                         .fixed = fixed,
                         .area = block->area,
                         .sensor_count = 2,
                         .sensors = sensors,
                         .column_count = NODES - 1,
                         .column_vertex = column_vertex,
                         .columns = columns};
  tacGreen *green;
  tac_test_ok(tac_green_create(&parts, &green, &error), error);
  return green;
}

/* ---- one problem, solved both ways ---- */

typedef struct {
  Block block;
  bool reference_fixed[NODES], fixed[NODES]; /* of the reference problem; now */
  double prescribed[3 * NODES];
  double factor;
  tacGreen *green;
  tacCapacitance *capacitance;
} Problem;

/* The vertices of one face are fixed, or its four corners only. */
static Problem open_shaken(uint64_t seed, double shaken, bool corners, int most_switched, int most_loaded) {
  Problem problem = {.block = make_block(seed, shaken), .factor = 1.0};
  for (int i = 0; i < SIDE * SIDE; ++i)
    problem.reference_fixed[i] = !corners || (i % SIDE % (SIDE - 1) == 0 && i / SIDE % (SIDE - 1) == 0);
  memcpy(problem.fixed, problem.reference_fixed, sizeof problem.fixed);
  problem.green = make_green(&problem.block, problem.fixed);
  tac_test_ok(tac_capacitance_create(problem.green, most_switched, most_loaded, &problem.capacitance, &error), error);
  return problem;
}

static Problem open_problem(uint64_t seed, bool corners, int most_switched, int most_loaded) {
  return open_shaken(seed, 0.2, corners, most_switched, most_loaded);
}

static void close_problem(Problem *problem) {
  tac_capacitance_destroy(problem->capacitance);
  tac_green_destroy(problem->green);
  destroy_block(&problem->block);
}

/* Both ways; false where the capacitance matrix refuses, and then nothing is done. */
static bool switch_vertex(Problem *problem, int vertex) {
  if (!tac_capacitance_switch(problem->capacitance, vertex)) return false;
  problem->fixed[vertex] = !problem->fixed[vertex];
  memset(problem->prescribed + 3 * vertex, 0, 3 * sizeof(double));
  return true;
}

/* A random displacement of millimetres or a random traction that causes such. */
static bool prescribe_random(Problem *problem, tacRandom *random, int vertex) {
  double size = problem->fixed[vertex] ? 1e-3 : 1e-3 * modulus / spacing;
  tacVec3 value = tac_vec3_scale(size, tac_random_normal3(random));
  if (!tac_capacitance_prescribe(problem->capacitance, vertex, value)) return false;
  memcpy(problem->prescribed + 3 * vertex, &value, sizeof value);
  return true;
}

static tacDense direct_now(const Problem *problem) {
  tacDense prescribed = {3 * NODES, 1, 3 * NODES, (double *)(uintptr_t)problem->prescribed};
  return direct(&problem->block, problem->factor, problem->fixed, &prescribed);
}

/* Largest difference in displacements and in tractions, relative to the largest of each. */
static double disagreement(const Problem *problem, const double *expected, const tacVec3 *values) {
  double largest[2] = {0.0, 0.0}, difference[2] = {0.0, 0.0};
  for (int i = 0; i < 3 * NODES; ++i) {
    int kind = problem->fixed[i / 3];
    largest[kind] = fmax(largest[kind], fabs(expected[i]));
    difference[kind] = fmax(difference[kind], fabs(expected[i] - (&values->x)[i]));
  }
  return fmax(difference[0] / fmax(largest[0], 1e-30), difference[1] / fmax(largest[1], 1e-30));
}

static double solve_and_compare(Problem *problem) {
  tacVec3 values[NODES];
  tac_capacitance_solve(problem->capacitance);
  ck_assert_double_lt(tac_capacitance_residual(problem->capacitance), 1e-14);
  tac_capacitance_everywhere(problem->capacitance, values);
  TAC_DENSE expected = direct_now(problem);
  return disagreement(problem, expected.a, values);
}

/* A connected body is held where its fixed vertices are not on one line. */
static bool held(const Problem *problem) {
  int a = -1, b = -1;
  for (int i = 0; i < NODES; ++i) {
    if (!problem->fixed[i]) continue;
    const tacVec3 *x = problem->block.position;
    if (a < 0)
      a = i;
    else if (b < 0)
      b = i;
    else if (tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(x[b], x[a]), tac_vec3_sub(x[i], x[a]))) > 0.0)
      return true;
  }
  return false;
}

static const int corner_vertex[4] = {0, SIDE - 1, SIDE *(SIDE - 1), SIDE *SIDE - 1}; /* of the fixed face */

/* ---- tests ---- */

/* Anywhere on a body with a fixed face; and among the four supports of a body and three other vertices, where every few
 * switches one would let the body go. */
TAC_TEST(switches_agree_with_direct_solves) {
  for (int few = 0; few < 2; ++few) {
    tacRandom random = tac_random_seed(3);
    TAC_FREED(close_problem, Problem, problem) = open_problem(1, few, 60, NODES);
    int done = 0, refused = 0, most = 0;
    double worst = 0.0;
    bool growing = true;
    while (done < (tac_test_light() ? 100 : tac_test_all() ? 1000 : 300)) {
      int count = tac_capacitance_switched_count(problem.capacitance);
      int vertex = (int)(tac_random_bits(&random) % (uint64_t)(NODES - 1));
      if (few) vertex = vertex % 7 < 4 ? corner_vertex[vertex % 7] : 33 + 17 * (vertex % 7 - 4);
      bool back = tac_capacitance_is_switched(problem.capacitance, vertex);
      growing =
          count == 0 || (growing && count < 60); /* mostly away from the reference problem, or mostly back to it */
      if (!few && back == growing && tac_random_uniform(&random, 0.0, 1.0) < 0.8) continue;
      if (count == 60 && !back) continue;
      if (!switch_vertex(&problem, vertex)) {
        problem.fixed[vertex] = !problem.fixed[vertex];
        ck_assert(!held(&problem));
        problem.fixed[vertex] = !problem.fixed[vertex];
        ++refused;
        continue;
      }
      ck_assert(held(&problem));
      ck_assert(prescribe_random(&problem, &random, vertex));
      ck_assert(prescribe_random(&problem, &random, (int)(tac_random_bits(&random) % (uint64_t)(NODES - 1))));
      worst = fmax(worst, solve_and_compare(&problem));
      count = tac_capacitance_switched_count(problem.capacitance);
      most = count > most ? count : most;
      ++done;
    }
    ck_assert_double_lt(worst, 1e-9);
    ck_assert_int_ge(most, few ? 6 : 60);
    if (few) ck_assert_int_gt(refused, 10);
    ck_assert_int_lt(tac_capacitance_refactored(problem.capacitance), 100);
  }
}

TAC_TEST(partial_results_match_the_complete_result) {
  tacRandom random = tac_random_seed(4);
  TAC_FREED(close_problem, Problem, problem) = open_problem(2, false, 30, 30);
  static const int switched[5] = {3, 90, 40, 12, 77};
  for (int i = 0; i < 5; ++i) {
    ck_assert(switch_vertex(&problem, switched[i]));
    ck_assert(prescribe_random(&problem, &random, switched[i]));
    ck_assert(prescribe_random(&problem, &random, 50 + i));
  }
  ck_assert_double_lt(solve_and_compare(&problem), 1e-11);
  tacVec3 whole[NODES], part[NODES], at_switched[5];
  int chosen[NODES];
  for (int i = 0; i < NODES; ++i) chosen[i] = NODES - 1 - i;
  tac_capacitance_everywhere(problem.capacitance, whole);
  tac_capacitance_at(problem.capacitance, NODES, chosen, part);
  tac_capacitance_at_switched(problem.capacitance, at_switched);
  for (int i = 0; i < NODES; ++i) ck_assert_mem_eq(&part[i], &whole[chosen[i]], sizeof *part);
  for (int i = 0; i < 5; ++i) {
    int vertex = tac_capacitance_switched(problem.capacitance)[i];
    ck_assert_int_eq(vertex, switched[i]);
    ck_assert_mem_eq(&at_switched[i], &whole[vertex], sizeof *at_switched);
  }
}

/* (22)-(24), (27): with displacements at the contact only, E^T v = -C^-1 u_S; the rest is Xi E (E^T v); f = sum a_j p_j. Of one vertex
 * (section 5.2) that is p_k = Xi_kk^-1 u_k. */
TAC_TEST(contact_only_displacements_match_the_paper) {
  enum { MOST = 12 };
  const tacVec3 centre = {0.1, 0.2, -0.3};
  for (int count = 1; count <= MOST; count += MOST - 1) {
    tacRandom random = tac_random_seed(6);
    TAC_FREED(close_problem, Problem, problem) = open_problem(6, false, MOST, 0);
    TAC_DENSE c = make(3 * count, 3 * count), right = make(3 * count, 1);
    int rows = tac_green_row_count(problem.green);
    double work = 0.0;
    for (int i = 0; i < count; ++i) {
      ck_assert(switch_vertex(&problem, 30 + 4 * i));
      ck_assert(prescribe_random(&problem, &random, 30 + 4 * i));
    }
    for (int i = 0; i < 3 * count; ++i) {
      right.a[i] = -problem.prescribed[3 * (30 + 4 * (i / 3)) + i % 3];
      for (int j = 0; j < 3 * count; ++j)
        *at(&c, i, j) =
            -tac_green_column(problem.green, 30 + 4 * (j / 3))[(j % 3) * rows + 3 * (30 + 4 * (i / 3)) + i % 3];
    }
    direct_solve(&c, &right);
    tac_capacitance_solve(problem.capacitance);
    tacVec3 p[MOST], force, torque, sum = {0}, moment = {0}, values[NODES];
    tac_capacitance_at_switched(problem.capacitance, p);
    for (int i = 0; i < 3 * count; ++i) ck_assert_double_eq_tol((&p->x)[i], right.a[i], 1e-11 * modulus);
    for (int i = 0; i < count; ++i) {
      int k = 30 + 4 * i;
      const double *u = problem.prescribed + 3 * k;
      tacVec3 f = tac_vec3_scale(problem.block.area[k], p[i]);
      work += tac_vec3_dot(f, tac_vec3(u[0], u[1], u[2]));
      sum = tac_vec3_add(sum, f);
      moment = tac_vec3_add(moment, tac_vec3_cross(tac_vec3_sub(problem.block.position[k], centre), f));
    }
    ck_assert_double_gt(work, 0.0); /* pushing takes work */
    tac_capacitance_contact_force(problem.capacitance, centre, &force, &torque);
    ck_assert_double_lt(tac_vec3_distance(force, sum), 1e-12 * tac_vec3_norm(sum));
    ck_assert_double_lt(tac_vec3_distance(torque, moment), 1e-12 * tac_vec3_norm(moment));
    tac_capacitance_everywhere(problem.capacitance, values);
    for (int i = 0; i < 3 * NODES; ++i) {
      double v = 0.0;
      for (int j = 0; j < 3 * count; ++j)
        v += tac_green_column(problem.green, 30 + 4 * (j / 3))[(j % 3) * rows + i] * right.a[j];
      if (!tac_capacitance_is_switched(problem.capacitance, i / 3))
        ck_assert_double_eq_tol((&values->x)[i], v, 1e-11 * (problem.fixed[i / 3] ? modulus : spacing));
    }
    /* The supports carry what the contact brings: forces and moments balance. */
    for (int i = 0; i < SIDE * SIDE; ++i) {
      tacVec3 f = tac_vec3_scale(problem.block.area[i], values[i]);
      sum = tac_vec3_add(sum, f);
      moment = tac_vec3_add(moment, tac_vec3_cross(tac_vec3_sub(problem.block.position[i], centre), f));
    }
    ck_assert_double_lt(tac_vec3_norm(sum), 1e-10 * tac_vec3_norm(force));
    ck_assert_double_lt(tac_vec3_norm(moment), 1e-10 * tac_vec3_norm(torque));
  }
}

TAC_TEST(stiffness_factor_equals_a_stiffer_bake) {
  tacRandom random = tac_random_seed(7);
  TAC_FREED(close_problem, Problem, problem) = open_problem(7, false, 30, 30);
  for (int i = 0; i < 12; ++i) { /* fixed and free ones */
    ck_assert(switch_vertex(&problem, 8 * i));
    ck_assert(prescribe_random(&problem, &random, 8 * i));
    ck_assert(prescribe_random(&problem, &random, 8 * i + 3));
  }
  static const double factors[4] = {1.0, 3.0, 1e-3, 250.0};
  for (int k = 0; k < 4; ++k) {
    problem.factor = factors[k];
    ck_assert(tac_capacitance_scale(problem.capacitance, factors[k]));
    ck_assert_double_lt(solve_and_compare(&problem), 1e-10);
    TAC_DENSE expected = direct_now(&problem);
    double sensors[SENSOR_ROWS], should[SENSOR_ROWS];
    tac_capacitance_sensors(problem.capacitance, sensors);
    direct_sensors(&problem.block, factors[k], problem.fixed, problem.prescribed, expected.a, should);
    for (int i = 0; i < SENSOR_ROWS; ++i)
      ck_assert_double_eq_tol(sensors[i], should[i], 1e-10 * (fabs(should[i < 3 ? 0 : 3]) + fabs(should[i])));
    tacVec3 force, torque, sum = {0};
    tac_capacitance_contact_force(problem.capacitance, tac_vec3(0.0, 0.0, 0.0), &force, &torque);
    for (int i = 0; i < NODES; ++i)
      if (problem.fixed[i] && !problem.reference_fixed[i])
        sum = tac_vec3_mad(sum, problem.block.area[i],
                           tac_vec3(expected.a[3 * i], expected.a[3 * i + 1], expected.a[3 * i + 2]));
    ck_assert_double_lt(tac_vec3_distance(force, sum), 1e-10 * tac_vec3_norm(sum));
  }
}

/* By differences of solutions, exact for a linear problem; fixed and free vertices, of a stiffer body. */
TAC_TEST(inverse_blocks_are_derivatives_of_the_solution) {
  TAC_FREED(close_problem, Problem, problem) = open_problem(13, false, 6, 0);
  static const int switched[4] = {12, 90, 40, 7}; /* the first and the last are fixed in the reference problem */
  for (int i = 0; i < 4; ++i) ck_assert(switch_vertex(&problem, switched[i]));
  ck_assert(tac_capacitance_scale(problem.capacitance, 3.0));
  for (int j = 0; j < 4; ++j)
    for (int c = 0; c < 3; ++c) {
      double unit[3] = {0.0, 0.0, 0.0};
      unit[c] = 1.0;
      ck_assert(tac_capacitance_prescribe(problem.capacitance, switched[j], tac_vec3(unit[0], unit[1], unit[2])));
      tac_capacitance_solve(problem.capacitance);
      ck_assert(tac_capacitance_prescribe(problem.capacitance, switched[j], tac_vec3(0.0, 0.0, 0.0)));
      tacVec3 values[4];
      tac_capacitance_at_switched(problem.capacitance, values);
      for (int i = 0; i < 4; ++i) {
        double block[3][3], size = 0.0;
        tac_capacitance_stiffness(problem.capacitance, i, j, block);
        for (int k = 0; k < 9; ++k) size = fmax(size, fabs(block[k / 3][k % 3]));
        for (int r = 0; r < 3; ++r) ck_assert_double_eq_tol((&values[i].x)[r], block[r][c], 1e-9 * size);
      }
    }
}

static void everything(Problem *problem, tacVec3 *values) {
  tac_capacitance_solve(problem->capacitance);
  tac_capacitance_everywhere(problem->capacitance, values);
}

/* Of four fixed corners two may be let go only after another vertex is held; that one cannot be let go then. */
TAC_TEST(switch_that_frees_the_body_is_rejected) {
  tacRandom random = tac_random_seed(8);
  TAC_FREED(close_problem, Problem, problem) = open_problem(8, true, 10, 10);
  tacVec3 before[NODES], after[NODES];
  const int *corner = corner_vertex, other = 70, loaded = 80;
  ck_assert(prescribe_random(&problem, &random, loaded));
  ck_assert(switch_vertex(&problem, corner[0]));
  everything(&problem, before);
  ck_assert(!tac_capacitance_switch(problem.capacitance, corner[1]));
  ck_assert_int_eq(tac_capacitance_switched_count(problem.capacitance), 1);
  ck_assert(!tac_capacitance_is_switched(problem.capacitance, corner[1]));
  everything(&problem, after);
  ck_assert_mem_eq(before, after, (size_t)NODES * sizeof *before);
  ck_assert(switch_vertex(&problem, other));
  ck_assert(prescribe_random(&problem, &random, other));
  ck_assert(switch_vertex(&problem, corner[1]));
  everything(&problem, before);
  ck_assert(!tac_capacitance_switch(problem.capacitance, other)); /* held by two corners alone */
  ck_assert_int_eq(tac_capacitance_switched_count(problem.capacitance), 3);
  ck_assert_int_eq(tac_capacitance_switched(problem.capacitance)[1], other);
  everything(&problem, after);
  ck_assert_mem_eq(before, after, (size_t)NODES * sizeof *before);
  ck_assert_double_lt(solve_and_compare(&problem), 1e-10);
  ck_assert(switch_vertex(&problem, corner[0]));
  ck_assert(switch_vertex(&problem, other));
  ck_assert_double_lt(solve_and_compare(&problem), 1e-10);
}

/* Hanging on three vertices that are almost on a line the problem is so ill-conditioned that an updated inverse does not
 * come back from there; one computed anew does. */
TAC_TEST(accuracy_recovers_after_ill_conditioning) {
  tacRandom random = tac_random_seed(12);
  TAC_FREED(close_problem, Problem, problem) = open_shaken(17, 5e-4, true, 10, 10);
  const int edge = 1; /* vertices 1, 2, 3 are on an edge of the fixed face */
  for (int i = 0; i < 3; ++i) {
    ck_assert(switch_vertex(&problem, edge + i));
    ck_assert(prescribe_random(&problem, &random, edge + i));
  }
  ck_assert_double_lt(solve_and_compare(&problem), 1e-10);
  for (int i = 0; i < 4; ++i) ck_assert(switch_vertex(&problem, corner_vertex[i]));
  ck_assert_double_lt(solve_and_compare(&problem), 1e-6); /* condition number about 10^8 */
  for (int i = 0; i < 4; ++i) {
    ck_assert(switch_vertex(&problem, corner_vertex[i]));
    ck_assert(prescribe_random(&problem, &random, corner_vertex[i]));
  }
  ck_assert_double_lt(solve_and_compare(&problem), 1e-10);
}

TAC_TEST(excess_and_invalid_values_are_rejected) {
  tacRandom random = tac_random_seed(9);
  TAC_FREED(close_problem, Problem, problem) = open_problem(9, false, 2, 1);
  tacCapacitance *c = problem.capacitance;
  const int none = NODES - 1; /* has no column */
  const tacVec3 one = {1.0, 1.0, 1.0}, zero = {0};
  ck_assert(switch_vertex(&problem, 40) && switch_vertex(&problem, 50) && prescribe_random(&problem, &random, 40));
  ck_assert(!tac_capacitance_switch(c, 60));
  ck_assert(!tac_capacitance_switch(c, none) && !tac_capacitance_switch(c, -1) && !tac_capacitance_switch(c, none + 1));
  ck_assert(!tac_capacitance_is_switched(c, -1) && !tac_capacitance_is_switched(c, none + 1));
  ck_assert(!tac_capacitance_prescribe(c, none, one) && !tac_capacitance_prescribe(c, -1, one));
  ck_assert(tac_capacitance_prescribe(c, none, zero));
  ck_assert(!tac_capacitance_prescribe(c, 40, tac_vec3(NAN, 0.0, 0.0)));
  ck_assert(!tac_capacitance_prescribe(c, 40, tac_vec3(0.0, INFINITY, 0.0)));
  ck_assert(prescribe_random(&problem, &random, 70));
  ck_assert(!tac_capacitance_prescribe(c, 71, one)); /* one loaded vertex only */
  ck_assert(tac_capacitance_prescribe(c, 71, zero));
  ck_assert(!tac_capacitance_scale(c, NAN) && !tac_capacitance_scale(c, 0.0) && !tac_capacitance_scale(c, -1.0));
  ck_assert(!tac_capacitance_scale(c, INFINITY));
  ck_assert_double_lt(solve_and_compare(&problem), 1e-11);
  ck_assert(tac_capacitance_prescribe(c, 70, zero) && prescribe_random(&problem, &random, 71));
  memset(problem.prescribed + 3 * 70, 0, 3 * sizeof(double));
  ck_assert_double_lt(solve_and_compare(&problem), 1e-11);
  ck_assert(switch_vertex(&problem, 50) && switch_vertex(&problem, 71)); /* no longer loaded, its value is zero */
  ck_assert(prescribe_random(&problem, &random, 72));
  ck_assert_double_lt(solve_and_compare(&problem), 1e-11);
  tacCapacitance *other;
  ck_assert_int_eq(tac_capacitance_create(problem.green, -1, 3, &other, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_capacitance_create(problem.green, 3, -1, &other, &error), TAC_ERR_ARGUMENT);
  tacGreenParts parts = {.method = TAC_FINITE_ELEMENTS,
                         .storage = TAC_GREEN_NEAR,
                         .surface = tac_green_surface(problem.green),
                         .fixed = problem.fixed,
                         .area = problem.block.area,
                         .near_radius = spacing,
                         .near_start = calloc(1, sizeof *parts.near_start),
                         .near_vertex = calloc(1, sizeof *parts.near_vertex),
                         .near_blocks = calloc(1, sizeof *parts.near_blocks)};
  TAC_CREATE(tacGreen, near, tac_green_create(&parts, &near, &error));
  ck_assert_int_eq(tac_capacitance_create(near, 3, 3, &other, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(other);
}

TAC_TEST(reset_goes_back_to_the_reference_problem) {
  tacRandom random = tac_random_seed(10);
  TAC_FREED(close_problem, Problem, problem) = open_problem(10, false, 20, 20);
  for (int i = 0; i < 20; ++i) {
    ck_assert(switch_vertex(&problem, 4 * i));
    ck_assert(prescribe_random(&problem, &random, 4 * i));
    ck_assert(prescribe_random(&problem, &random, 4 * i + 1));
  }
  tac_capacitance_solve(problem.capacitance);
  tac_capacitance_reset(problem.capacitance);
  ck_assert_int_eq(tac_capacitance_switched_count(problem.capacitance), 0);
  tacVec3 values[NODES];
  everything(&problem, values);
  for (int i = 0; i < 3 * NODES; ++i) ck_assert_double_eq((&values->x)[i], 0.0);
  memcpy(problem.fixed, problem.reference_fixed, sizeof problem.fixed);
  memset(problem.prescribed, 0, sizeof problem.prescribed);
  for (int i = 0; i < 10; ++i) {
    ck_assert(switch_vertex(&problem, 7 * i));
    ck_assert(prescribe_random(&problem, &random, 7 * i));
    ck_assert(prescribe_random(&problem, &random, 7 * i + 2));
    ck_assert_double_lt(solve_and_compare(&problem), 1e-10);
  }
}

TAC_TEST(costs_grow_with_the_switched_vertices) {
  TAC_FREED(close_problem, Problem, problem) = open_problem(11, false, 40, 0);
  tacCapacitanceCost last = tac_capacitance_cost(problem.capacitance);
  ck_assert_double_eq(last.factor + last.solve + last.surface, 0.0);
  for (int i = 0; i < 40; ++i) {
    ck_assert(switch_vertex(&problem, 30 + i));
    tacCapacitanceCost cost = tac_capacitance_cost(problem.capacitance);
    ck_assert(cost.update > last.update && cost.factor > last.factor && cost.solve > last.solve);
    ck_assert_double_eq(cost.surface, 9.0 * NODES * (i + 1)); /* 18 n s operations, a half of them products */
    last = cost;
  }
  ck_assert_double_eq(last.factor, 120.0 * 120.0 * 120.0);
}

TAC_TEST_EVERY_WIDTH()
