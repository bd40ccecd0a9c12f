#include "contact/contact_problem.h"

#include <float.h>
#include "contact/laws/delassus.h"
#include "contact/laws/law_problem.h"
#include "contact/laws/law_system.h"
#include "contact/natural_map.h"
#include "contact/rigid_heap.h"
#include "math/random.h"
#include "test.h"

enum { MOST = 12 };

typedef struct Sample {
  tacContactEntry entries[9 * MOST * MOST];
  double w[3 * MOST][3 * MOST]; /* their sum */
  double motion[3 * MOST], friction[MOST];
  tacContactProblemDef def;
} Sample;

/* A symmetric matrix with a third of its blocks, entries in no order, some of them in two halves. */
static void make_sample(tacRandom *random, int dimension, int count, Sample *sample) {
  int size = dimension * count, entries = 0;
  memset(sample, 0, sizeof *sample);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j <= i; ++j) {
      if (i != j && tac_random_uniform(random, 0.0, 1.0) < 0.7) continue;
      for (int a = 0; a < dimension; ++a)
        for (int b = 0; b < (i == j ? a + 1 : dimension); ++b) {
          double value = tac_random_normal(random) + (i == j && a == b ? 5.0 : 0.0);
          sample->w[dimension * i + a][dimension * j + b] = sample->w[dimension * j + b][dimension * i + a] = value;
        }
    }
  for (int k = size * size - 1; k >= 0; --k) {
    int row = (7 * k) % (size * size) / size, column = (7 * k) % size;
    double value = sample->w[row][column];
    if (value == 0.0) continue;
    if (k % 5 == 0) sample->entries[entries++] = (tacContactEntry){row, column, 0.5 * value};
    sample->entries[entries++] = (tacContactEntry){row, column, k % 5 == 0 ? 0.5 * value : value};
  }
  for (int k = 0; k < size; ++k) sample->motion[k] = tac_random_normal(random);
  for (int i = 0; i < count; ++i) sample->friction[i] = tac_random_uniform(random, 0.0, 1.0);
  sample->def = (tacContactProblemDef){dimension, count, entries, sample->entries, sample->motion, sample->friction};
}

/* (row, column) of W as the problem has it; 0 where there is no block. */
static double entry(const tacContactProblem *problem, int row, int column) {
  for (int k = problem->first[row / 3]; k < problem->first[row / 3 + 1]; ++k)
    if (problem->column[k] == column / 3) return problem->entries[9 * k + 3 * (row % 3) + column % 3];
  return 0.0;
}

TAC_TEST(blocks_contain_the_given_entries) {
  tacRandom random = tac_random_seed(1);
  for (int round = 0; round < 40; ++round) {
    static Sample sample;
    int d = 2 + round % 2, count = 2 + round % (MOST - 3);
    if (7 % (d * count) == 0 || (d * count) % 7 == 0) ++count; /* 7 k runs through all places */
    make_sample(&random, d, count, &sample);
    TAC_CREATE(tacContactProblem, problem, tac_contact_problem_create(&sample.def, &problem, &error));
    ck_assert_int_eq(problem->count, count);
    ck_assert_double_eq(problem->asymmetry, 0.0);
    for (int i = 0; i < count; ++i) {
      ck_assert_int_eq(problem->column[problem->diagonal[i]], i);
      for (int k = problem->first[i] + 1; k < problem->first[i + 1]; ++k)
        ck_assert_int_lt(problem->column[k - 1], problem->column[k]);
      for (int j = 0; j < count; ++j)
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            bool inside = a < d && b < d;
            double right = inside                       ? sample.w[d * i + a][d * j + b]
                           : i == j && a == 2 && b == 2 ? fmax(sample.w[d * i + 1][d * i + 1], 0.0)
                                                        : 0.0;
            if (inside || right > 0.0 || i != j) ck_assert_double_eq(entry(problem, 3 * i + a, 3 * j + b), right);
          }
      for (int a = 0; a < 3; ++a) ck_assert_double_eq(problem->free[3 * i + a], a < d ? sample.motion[d * i + a] : 0.0);
    }
  }
}

static void refuse(const tacContactProblemDef *def, const char *says) {
  tacContactProblem *problem;
  tac_test_refused(tac_contact_problem_create(def, &problem, &error), TAC_ERR_ARGUMENT, error, says);
  ck_assert_ptr_null(problem);
}

TAC_TEST(asymmetric_matrix_stays_asymmetric) {
  tacContactEntry entries[] = {{0, 0, 2.0}, {1, 1, 1.0}, {2, 2, 1.0}, {3, 3, 2.0},  {4, 4, 1.0},
                               {5, 5, 1.0}, {0, 1, 0.5}, {1, 0, 0.6}, {4, 0, 0.25}, {3, 2, -1e308}};
  const double motion[6] = {-1.0, 0.0, 0.0, -1.0, 0.0, 0.0}, friction[2] = {0.5, 0.5};
  tacContactProblemDef def = {3, 2, 9, entries, motion, friction};
  TAC_CREATE(tacContactProblem, problem, tac_contact_problem_create(&def, &problem, &error));
  ck_assert_double_eq_tol(problem->asymmetry, 0.125, 1e-15); /* of the block with nothing across */
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 6; ++column) {
      double right = 0.0;
      for (int k = 0; k < 9; ++k)
        if (entries[k].row == row && entries[k].column == column) right = entries[k].value;
      ck_assert_double_eq(entry(problem, row, column), right);
    }
  def.entry_count = 10;
  TAC_CREATE(tacContactProblem, other, tac_contact_problem_create(&def, &other, &error));
  ck_assert_double_eq_tol(other->asymmetry, 1.0, 1e-15);
  entries[9].value = DBL_MAX;
  entries[8] = entries[9];
  refuse(&def, "their sum overflows");
}

/* ---- problems of Siconos ---- */

static double siconos_number(FILE *file) {
  double value = NAN;
  ck_assert_int_eq(fscanf(file, "%lf", &value), 1);
  return value;
}

static int siconos_whole(FILE *file) {
  return (int)siconos_number(file);
}

/* W [3 count][3 count], q and mu as the file has them; those of a plane have a second tangent that nothing else knows of.
 * Returns its contacts. */
static int siconos_problem_read(const char *path, tacLawContact **contacts, double **w) {
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s", path);
  int d = siconos_whole(file);
  ck_assert(d == 2 || d == 3);
  int count = siconos_whole(file), storage = siconos_whole(file), rows = siconos_whole(file),
      columns = siconos_whole(file);
  ck_assert(count > 0 && count < 1000 && rows == d * count && columns == rows);
  size_t m = (size_t)count, n = 3 * m, e = (size_t)d;
  *w = calloc(n * n, sizeof **w);
  *contacts = calloc(m, sizeof **contacts);
  if (storage == 0) { /* rows and columns once more */
    ck_assert(siconos_whole(file) == rows && siconos_whole(file) == columns);
    for (size_t c = 0; c < e * m; ++c)
      for (size_t r = 0; r < e * m; ++r) (*w)[(r / e * 3 + r % e) * n + c / e * 3 + c % e] = siconos_number(file);
  } else { /* blocks in rows: their number, rows and columns of blocks, where those end, starts, columns, values */
    int blocks = siconos_whole(file);
    ck_assert(siconos_whole(file) == count && siconos_whole(file) == count);
    for (int i = 0; i < 2 * count; ++i) siconos_whole(file);
    int starts = siconos_whole(file), filled = siconos_whole(file);
    ck_assert(filled == blocks && starts == count + 1);
    TAC_MEMORY(int, begin) = calloc((size_t)starts, sizeof *begin);
    TAC_MEMORY(int, column) = calloc((size_t)filled, sizeof *column);
    for (int i = 0; i < starts; ++i) begin[i] = siconos_whole(file);
    for (int i = 0; i < filled; ++i) column[i] = siconos_whole(file);
    for (size_t i = 0; i < m; ++i)
      for (int k = begin[i]; k < begin[i + 1]; ++k) {
        ck_assert_int_eq(siconos_whole(file), k);
        for (size_t c = 0; c < e; ++c)
          for (size_t r = 0; r < e; ++r) (*w)[(3 * i + r) * n + 3 * (size_t)column[k] + c] = siconos_number(file);
      }
  }
  for (size_t i = 0; i < m; ++i) {
    tacLawContact *contact = &(*contacts)[i];
    contact->gap = siconos_number(file);
    for (int a = 0; a < d - 1; ++a) contact->slip[a] = siconos_number(file);
    contact->part[0] = -1;
    contact->part[1] = -1;
    if (d == 2) (*w)[(3 * i + 2) * (n + 1)] = (*w)[(3 * i + 1) * (n + 1)];
  }
  for (int i = 0; i < count; ++i) (*contacts)[i].friction = siconos_number(file);
  fclose(file);
  return count;
}

/* Each contact alone, with W as the file has it and another reader: u = q + W r obeys the laws to 1e-8 of the problem's
 * size, which is that of q and of the forces |q_i| / W_ii. Four of them are not symmetric, by up to 7e-4. Gauss and Seidel's
 * method finds what Siconos 4.4 does (nonsmooth Gauss-Seidel, tolerance 1e-10; units are the files'). */
TAC_TEST(file_problems_satisfy_the_laws_and_match_siconos) {
  static const struct {
    const char *name;
    int sweeps;     /* within which that solves it; 0: not compared */
    double sums[3]; /* of f_n, |f_t| and |u_t| then; 0: not compared */
  } problems[] = {{"BoxesStack1-i100000-32.hdf5.dat", 0, {0.0}},
                  {"Capsules-i100-889.dat", 0, {0.0}},
                  {"Capsules-i101-404.dat", 0, {0.0}},
                  {"Confeti-ex03-Fc3D-SBM.dat", 1000, {1895197.13418, 426094.99464, 115.37919376}},
                  {"FC3D_Example1.dat", 2, {3.0, 0.3, 9.18683298051}},
                  {"FC3D_Example1_SBM.dat", 2, {3.0, 0.3, 9.18683298051}},
                  {"FrictionContact3D_1c.dat", 1, {0.0}},
                  {"FrictionContactProblem00031.dat", 0, {0.0}},
                  {"FrictionContactProblem00237.dat", 0, {0.0}},
                  {"FrictionContactProblem00727.dat", 0, {0.0}},
                  {"NESpheres_10_1.dat", 100, {3.59413048526, 0.287828836074, 4.79218706108}},
                  {"NESpheres_30_1.dat", 100, {150.093, 0.0, 254.716267461}},
                  {"OneObject-i1028-138.hdf5.dat", 10000, {0.211870344744, 0.0422648823211, 1.56383233069}},
                  {"Rover1040.dat", 100, {100.754976079, 65.7794918545, 0.858011962769}}};
  const tacContactSolver solvers[] = {TAC_CONTACT_AUTOMATIC, TAC_CONTACT_NEWTON, TAC_CONTACT_GAUSS_SEIDEL};
  const char *data = tac_test_data();
  int asymmetric = 0, found = 0;
  if (data == NULL) return;
  for (size_t file = 0; file < sizeof problems / sizeof *problems; ++file) {
    const char *name = problems[file].name, *path = tac_test_join(data, "contact");
    path = tac_test_join(path, name);
    if (access(path, R_OK) != 0) continue;
    TAC_MEMORY(tacLawContact, contacts) = NULL;
    TAC_MEMORY(double, w) = NULL;
    double metres = 0.0, newtons = 0.0;
    size_t m = (size_t)siconos_problem_read(path, &contacts, &w), n = 3 * m;
    for (size_t i = 0; i < m; ++i) {
      const double q[3] = {contacts[i].gap, contacts[i].slip[0], contacts[i].slip[1]};
      double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
      double give = (w[3 * i * (n + 1)] + w[(3 * i + 1) * (n + 1)] + w[(3 * i + 2) * (n + 1)]) / 3.0;
      metres = fmax(metres, size);
      newtons = fmax(newtons, size / give);
    }
    TAC_CREATE(tacContactProblem, problem, tac_contact_problem_read(path, &problem, &error));
    ck_assert_int_eq(problem->count, (int)m);
    ++found;
    asymmetric += problem->asymmetry > 1e-9;
    for (int k = 0; k < (problems[file].sweeps > 0 ? 3 : 2); ++k) {
      tacContactSolverDef def = tac_contact_solver_def_default();
      tacContactReport report;
      double sums[3] = {0.0}, near = k == 2 ? 1e-9 : 1e-8;
      const double *right = problems[file].sums;
      def.solver = solvers[k];
      if (k == 2) def.most_sweeps = problems[file].sweeps;
      memset(problem->force, 0, n * sizeof *problem->force);
      tac_test_ok(tac_contact_problem_solve(problem, &def, &report, &error), error);
      ck_assert_msg(report.unsolved == 0, "%s: %d unsolved", name, report.unsolved);
      for (size_t i = 0; i < m; ++i) {
        double u[3] = {contacts[i].gap, contacts[i].slip[0], contacts[i].slip[1]};
        const double *f = problem->force + 3 * i;
        for (size_t a = 0; a < 3; ++a)
          for (size_t j = 0; j < n; ++j) u[a] += w[(3 * i + a) * n + j] * problem->force[j];
        double left = natural_map(u, f, contacts[i].friction, newtons / metres);
        ck_assert_msg(left <= near * newtons, "%s, contact %zu: %g of %g", name, i, left, newtons);
        sums[0] += f[0];
        sums[1] += hypot(f[1], f[2]);
        sums[2] += hypot(u[1], u[2]);
      }
      for (int s = 0; k == 2 && right[0] > 0.0 && s < 3; ++s)
        ck_assert_double_eq_tol(sums[s], right[s], 1e-7 * right[s] + 1e-11 * right[0]);
    }
  }
  if (found == (int)(sizeof problems / sizeof *problems)) ck_assert_int_eq(asymmetric, 4);
}

TAC_TEST(invalid_numbers_are_rejected) {
  const tacContactEntry good = {0, 0, 1.0}, row = {-1, 0, 1.0}, column = {0, 3, 1.0}, infinite = {0, 0, INFINITY},
                        missing = {0, 0, NAN};
  const double motion[3] = {-1.0, 0.0, 0.0}, nan[3] = {0.0, NAN, 0.0}, friction = 0.5, negative = -0.1,
               endless = INFINITY;
  const struct {
    tacContactProblemDef def;
    const char *says;
  } wrong[] = {{{4, 1, 1, &good, motion, &friction}, "2 or 3"},
               {{3, -1, 1, &good, motion, &friction}, "-1 contacts"},
               {{3, 1, -1, &good, motion, &friction}, "-1 entries"},
               {{3, 1, 1, &row, motion, &friction}, "outside"},
               {{3, 1, 1, &column, motion, &friction}, "outside"},
               {{3, 1, 1, &infinite, motion, &friction}, "NaN or infinite"},
               {{3, 1, 1, &missing, motion, &friction}, "NaN or infinite"},
               {{3, 1, 1, &good, nan, &friction}, "free motion of contact 0"},
               {{3, 1, 1, &good, motion, &negative}, "friction of contact 0"},
               {{3, 1, 1, &good, motion, &endless}, "friction of contact 0"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) refuse(&wrong[k].def, wrong[k].says);
}

static tacContactProblem *one_contact(int dimension, const double *w, const double *motion, double friction) {
  tacContactEntry entries[9];
  tacContactProblem *problem;
  for (int k = 0; k < dimension * dimension; ++k) entries[k] = (tacContactEntry){k / dimension, k % dimension, w[k]};
  tacContactProblemDef def = {dimension, 1, dimension * dimension, entries, motion, &friction};
  tac_test_ok(tac_contact_problem_create(&def, &problem, &error), error);
  return problem;
}

/* The projection, and with it the error, by hand. */
TAC_TEST(error_is_the_natural_map) {
  const double w[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  const double cases[][5] = {
      /* u0, mu, the error of no force */
      {-1.0, 0.0, 0.0, 0.5, 1.0},       /* pressed: P(1, 0, 0) = (1, 0, 0) */
      {1.0, 0.0, 0.0, 0.5, 0.0},        /* apart */
      {1.0, -2.0, 0.0, 0.5, 0.0},       /* apart, whatever the slip: in the dual cone */
      {-1.0, 1.0, 0.0, 0.5, sqrt(0.4)}, /* P(0.5, -1, 0) = (0.8, -0.4, 0) */
      {-1.0, 0.0, 3.0, 0.0, sqrt(0.1)}  /* without friction P is max(., 0) along n */
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    TAC_OWN(tacContactProblem, problem) = one_contact(3, w, cases[k], cases[k][3]);
    ck_assert_double_eq_tol(tac_contact_problem_error(problem, NULL), cases[k][4], 1e-15);
  }
  const double sliding[3] = {-1.0, 2.0, 0.0}; /* f = (1, -mu, 0), u = (0, 2 - mu, 0) */
  const double force[3] = {1.0, -0.5, 0.0}, more[3] = {1.0, -0.6, 0.0};
  TAC_OWN(tacContactProblem, problem) = one_contact(3, w, sliding, 0.5);
  ck_assert_double_le(tac_contact_problem_error(problem, force), 1e-16);
  ck_assert_double_ge(tac_contact_problem_error(problem, more), 0.01);
}

/* In a plane: w_nn f_n + w_nt f_t = -u0_n and f_t = -mu f_n where it slides forward. */
TAC_TEST(contact_in_2d_slides_as_in_closed_form) {
  const double w[4] = {2.0, 0.3, 0.3, 1.0}, motion[2] = {-1.0, 0.5}, friction = 0.2;
  TAC_OWN(tacContactProblem, problem) = one_contact(2, w, motion, friction);
  tacContactSolverDef def = tac_contact_solver_def_default();
  tacContactReport report;
  tac_test_ok(tac_contact_problem_solve(problem, &def, &report, &error), error);
  double normal = 1.0 / (2.0 - 0.3 * friction);
  ck_assert_double_eq_tol(problem->force[0], normal, 1e-10);
  ck_assert_double_eq_tol(problem->force[1], -friction * normal, 1e-10);
  ck_assert_double_eq(problem->force[2], 0.0);
  ck_assert_double_eq_tol(problem->motion[1], 0.5 + 0.3 * normal - friction * normal, 1e-9);
  ck_assert_double_eq(problem->motion[2], 0.0);
  ck_assert_int_eq(problem->state[0], TAC_CONTACT_SLIDES);
  ck_assert_int_eq(report.sliding, 1);
  ck_assert_int_eq(report.unsolved, 0);
}

TAC_TEST(inseparable_bodies_are_not_reported_as_solved) {
  const double w[9] = {0.0}, motion[3] = {-1.0, 0.0, 0.0};
  TAC_OWN(tacContactProblem, problem) = one_contact(3, w, motion, 0.5);
  tacContactSolverDef def = tac_contact_solver_def_default();
  tacContactReport report;
  tac_test_ok(tac_contact_problem_solve(problem, &def, &report, &error), error);
  ck_assert(report.unsolved == 1 || report.infeasible);
  def.tolerance = 0.0;
  ck_assert_int_eq(tac_contact_problem_solve(problem, &def, &report, &error), TAC_ERR_ARGUMENT);
}

/* Lemke's tableau of 3000 contacts with pyramids of 64 sides has 198,000 rows. */
TAC_TEST(problem_too_large_for_memory_is_rejected_early) {
  enum { COUNT = 3000 };
  static tacContactEntry entries[3 * COUNT];
  static double motion[3 * COUNT], friction[COUNT];
  tacContactSolverDef solver = tac_contact_solver_def_default();
  tacContactReport report;
  for (int k = 0; k < 3 * COUNT; ++k) entries[k] = (tacContactEntry){k, k, 1.0};
  for (int i = 0; i < COUNT; ++i) motion[3 * i] = -1.0;
  const tacContactProblemDef def = {3, COUNT, 3 * COUNT, entries, motion, friction};
  TAC_CREATE(tacContactProblem, problem, tac_contact_problem_create(&def, &problem, &error));
  solver.solver = TAC_CONTACT_PYRAMID;
  solver.sides = 64;
  tac_test_refused(tac_contact_problem_solve(problem, &solver, &report, &error), TAC_ERR_MEMORY, error,
                   "3000 contacts need");
}

TAC_TEST(empty_problem_is_solved) {
  tacContactProblemDef def = {.dimension = 3};
  tacContactSolverDef solver = tac_contact_solver_def_default();
  tacContactReport report;
  TAC_CREATE(tacContactProblem, problem, tac_contact_problem_create(&def, &problem, &error));
  tac_test_ok(tac_contact_problem_solve(problem, &solver, &report, &error), error);
  ck_assert_int_eq(report.unsolved, 0);
  ck_assert_double_eq(tac_contact_problem_error(problem, NULL), 0.0);
}

/* Of two contacts the first is moved by the second, and not the other way round: f_2 = 1, f_1 = (1 - 0.5) / 2. */
TAC_TEST(one_way_coupling_is_solved) {
  tacContactEntry entries[] = {{0, 0, 2.0}, {1, 1, 2.0}, {2, 2, 2.0}, {3, 3, 1.0},
                               {4, 4, 1.0}, {5, 5, 1.0}, {0, 3, 0.5}};
  const double motion[6] = {-1.0, 0.0, 0.0, -1.0, 0.0, 0.0}, friction[2] = {0.5, 0.5};
  tacContactProblemDef def = {3, 2, 7, entries, motion, friction};
  for (int method = 0; method < 2; ++method) {
    tacContactSolverDef solver = tac_contact_solver_def_default();
    tacContactReport report;
    solver.solver = method == 0 ? TAC_CONTACT_AUTOMATIC : TAC_CONTACT_NEWTON;
    if (method == 1) solver.most_sweeps = 1; /* which leaves the first to the steps */
    TAC_CREATE(tacContactProblem, problem, tac_contact_problem_create(&def, &problem, &error));
    tac_test_ok(tac_contact_problem_solve(problem, &solver, &report, &error), error);
    ck_assert_double_eq_tol(problem->force[0], 0.25, 1e-8);
    ck_assert_double_eq_tol(problem->force[3], 1.0, 1e-8);
  }
}

/* ---- which method ---- */

static Heap heap;

static tacContactReport solve_heap(tacContactProblem *problem, tacContactSolver solver, double tolerance, int sweeps,
                                   int steps) {
  tacContactSolverDef def = tac_contact_solver_def_default();
  tacContactReport report;
  def.solver = solver;
  def.tolerance = tolerance;
  if (sweeps > 0) def.most_sweeps = sweeps;
  if (steps > 0) def.most_steps = steps;
  memset(problem->force, 0, 3 * (size_t)problem->count * sizeof *problem->force);
  tac_test_ok(tac_contact_problem_solve(problem, &def, &report, &error), error);
  return report;
}

/* Some 230 contacts of 48 rocks on each other, all with friction 1: more contacts than coordinates, and the state of each depends on
 * all. Which of these heaps are solved depends on the last bits; at least half of them are. */
TAC_TEST(heaps_of_rocks_are_solved) {
  int solved = 0, trials = tac_test_light() ? 1 : 8;
  for (int seed = 0; seed < trials; ++seed) {
    heap_rocks(&heap, (uint64_t)seed, 4, 3);
    TAC_OWN(tacContactProblem, problem) = heap_problem(&heap, 1.0);
    tacContactReport report = solve_heap(problem, TAC_CONTACT_AUTOMATIC, 1e-8, 0, 0);
    if (report.unsolved > 0) continue;
    ck_assert(!report.infeasible);
    ck_assert_double_le(tac_contact_problem_error(problem, NULL), 1e-11);
    ++solved;
  }
  ck_assert_msg(2 * solved >= trials, "%d of %d", solved, trials);
}

/* With fewer steps than heaps take, automatic arrives where sweeps of W's diagonal do. */
TAC_TEST(sweeps_continue_where_newton_stalls) {
  int by_diagonal = 0, by_automatic = 0;
  for (int seed = 0; seed < (tac_test_light() ? 2 : 8); ++seed) {
    heap_rocks(&heap, (uint64_t)seed, 3, 2);
    TAC_OWN(tacContactProblem, problem) = heap_problem(&heap, 1.0);
    by_diagonal += solve_heap(problem, TAC_CONTACT_DIAGONAL, 1e-6, 20000, 64).unsolved == 0;
    by_automatic += solve_heap(problem, TAC_CONTACT_AUTOMATIC, 1e-6, 20000, 64).unsolved == 0;
  }
  ck_assert_int_ge(by_diagonal, 1);
  ck_assert_int_ge(by_automatic, by_diagonal);
}

/* Rings are wide: a factor of 720 contacts takes hundreds of sweeps, and 1,100 sweeps give twelve digits. In the multiplications of
 * either method, automatic takes at most half as many again as sweeps alone. */
TAC_TEST(automatic_costs_little_more_than_sweeps_on_a_tower) {
  enum { LAYERS = 8, PLANKS = 12 };
  heap_tower(&heap, LAYERS, PLANKS);
  TAC_OWN(tacContactProblem, problem) = heap_problem(&heap, 0.3);
  double weight = LAYERS * PLANKS * heap.mass[0] * -heap.speed[0].z, carried = 0.0; /* N s */
  TAC_MEMORY(tacLawContact, contacts) = calloc((size_t)problem->count, sizeof *contacts);
  tac_problem_laws_fill(problem, contacts);
  tacLawProblem laws = {.count = problem->count, .contacts = contacts, .blocks = problem};
  tacArena arena;
  tac_test_ok(tac_arena_create(1 << 20, "order", &arena, &error), error);
  double step = tac_law_system_envelope_cost(&laws, INFINITY, &arena), sweep = tac_delassus_cost(&laws).unbuilt_sweep;
  tac_arena_destroy(&arena);
  tacContactReport sweeps = solve_heap(problem, TAC_CONTACT_GAUSS_SEIDEL, 1e-12, 0, 0);
  tacContactReport automatic = solve_heap(problem, TAC_CONTACT_AUTOMATIC, 1e-12, 0, 0);
  ck_assert_int_eq(sweeps.unsolved, 0);
  ck_assert_int_eq(automatic.unsolved, 0);
  ck_assert_double_ge(step, 100.0 * sweep);
  ck_assert_double_le(automatic.sweeps * sweep + automatic.steps * step, 1.5 * sweeps.sweeps * sweep);
  for (int i = 0; i < heap.count; ++i)
    if (heap.touches[i].body[1] < 0) carried += problem->force[3 * i];
  ck_assert_double_eq_tol(carried, weight, 1e-9 * weight); /* 720 contacts to 1e-12 each */
}
