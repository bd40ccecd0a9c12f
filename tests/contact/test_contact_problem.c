#include <tactus/contact_problem.h>

#include <float.h>
#include "contact/natural_map.h"
#include "contact/siconos_problem.h"
#include "math/random.h"
#include "test.h"

static tacError error;

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

TAC_TEST(blocks_are_those_of_the_entries) {
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

TAC_TEST(what_is_not_symmetric_stays_so) {
  tacContactEntry entries[] = {{0, 0, 2.0}, {1, 1, 1.0}, {2, 2, 1.0}, {3, 3, 2.0},  {4, 4, 1.0},
                               {5, 5, 1.0}, {0, 1, 0.5}, {1, 0, 0.6}, {4, 0, 0.25}, {3, 2, -1e308}};
  const double motion[6] = {-1.0, 0.0, 0.0, -1.0, 0.0, 0.0}, friction[2] = {0.5, 0.5};
  tacContactProblemDef def = {3, 2, 9, entries, motion, friction};
  tacContactProblem *problem;
  tac_test_ok(tac_contact_problem_create(&def, &problem, &error), error);
  ck_assert_double_eq_tol(problem->asymmetry, 0.125, 1e-15); /* of the block with nothing across */
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 6; ++column) {
      double right = 0.0;
      for (int k = 0; k < 9; ++k)
        if (entries[k].row == row && entries[k].column == column) right = entries[k].value;
      ck_assert_double_eq(entry(problem, row, column), right);
    }
  tac_contact_problem_destroy(problem);
  def.entry_count = 10;
  tac_test_ok(tac_contact_problem_create(&def, &problem, &error), error);
  ck_assert_double_eq_tol(problem->asymmetry, 1.0, 1e-15);
  tac_contact_problem_destroy(problem);
  entries[9].value = DBL_MAX;
  entries[8] = entries[9];
  ck_assert_int_eq(tac_contact_problem_create(&def, &problem, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(problem);
  ck_assert_ptr_nonnull(strstr(error.text, "more than the largest number"));
}

/* Each contact alone, with W as the file has it and another reader: u = q + W r obeys the laws to 1e-8 of the problem's
 * size, which is that of q and of the forces |q_i| / W_ii. Four of them are not symmetric, by up to 7e-4. */
TAC_TEST(laws_hold_with_the_numbers_of_the_file) {
  const char *names[] = {"BoxesStack1-i100000-32.hdf5.dat",
                         "Capsules-i100-889.dat",
                         "Capsules-i101-404.dat",
                         "Confeti-ex03-Fc3D-SBM.dat",
                         "FC3D_Example1.dat",
                         "FC3D_Example1_SBM.dat",
                         "FrictionContact3D_1c.dat",
                         "FrictionContactProblem00031.dat",
                         "FrictionContactProblem00237.dat",
                         "FrictionContactProblem00727.dat",
                         "NESpheres_10_1.dat",
                         "NESpheres_30_1.dat",
                         "OneObject-i1028-138.hdf5.dat",
                         "Rover1040.dat"};
  const tacContactSolver solvers[] = {TAC_CONTACT_AUTOMATIC, TAC_CONTACT_NEWTON};
  const char *data = tac_test_data();
  int asymmetric = 0, found = 0;
  if (data == NULL) return;
  for (size_t file = 0; file < sizeof names / sizeof *names; ++file) {
    char path[512];
    snprintf(path, sizeof path, "%s/contact/%s", data, names[file]);
    if (access(path, R_OK) != 0) continue;
    TAC_MEMORY(tacLawContact, contacts) = NULL;
    double *w, metres = 0.0, newtons = 0.0;
    size_t m = (size_t)siconos_problem_read(path, &contacts, &w), n = 3 * m;
    for (size_t i = 0; i < m; ++i) {
      const double q[3] = {contacts[i].gap, contacts[i].slip[0], contacts[i].slip[1]};
      double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
      double give = (w[3 * i * (n + 1)] + w[(3 * i + 1) * (n + 1)] + w[(3 * i + 2) * (n + 1)]) / 3.0;
      metres = fmax(metres, size);
      newtons = fmax(newtons, size / give);
    }
    TAC_CREATE(tacContactProblem, problem, tac_contact_problem_read(path, &problem, &error));
    ++found;
    asymmetric += problem->asymmetry > 1e-9;
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; ++k) {
      tacContactSolverDef def = tac_contact_solver_def_default();
      tacContactReport report;
      def.solver = solvers[k];
      memset(problem->force, 0, n * sizeof *problem->force);
      tac_test_ok(tac_contact_problem_solve(problem, &def, &report, &error), error);
      ck_assert_msg(report.unsolved == 0, "%s: %d unsolved", names[file], report.unsolved);
      for (size_t i = 0; i < m; ++i) {
        double u[3] = {contacts[i].gap, contacts[i].slip[0], contacts[i].slip[1]};
        const double *f = problem->force + 3 * i;
        for (size_t a = 0; a < 3; ++a)
          for (size_t j = 0; j < n; ++j) u[a] += w[(3 * i + a) * n + j] * problem->force[j];
        double left = natural_map(u, f, contacts[i].friction, newtons / metres);
        ck_assert_msg(left <= 1e-8 * newtons, "%s, contact %zu: %g of %g", names[file], i, left, newtons);
      }
    }
    free(w);
  }
  if (found == (int)(sizeof names / sizeof *names)) ck_assert_int_eq(asymmetric, 4);
}

TAC_TEST(wrong_numbers_are_refused) {
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
               {{3, 1, 1, &infinite, motion, &friction}, "not finite"},
               {{3, 1, 1, &missing, motion, &friction}, "not finite"},
               {{3, 1, 1, &good, nan, &friction}, "free motion of contact 0"},
               {{3, 1, 1, &good, motion, &negative}, "friction of contact 0"},
               {{3, 1, 1, &good, motion, &endless}, "friction of contact 0"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    tacContactProblem *problem;
    error = (tacError){0};
    ck_assert_int_eq(tac_contact_problem_create(&wrong[k].def, &problem, &error), TAC_ERR_ARGUMENT);
    ck_assert_ptr_null(problem);
    ck_assert_msg(strstr(error.text, wrong[k].says) != NULL, "%s: %s", wrong[k].says, error.text);
  }
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
TAC_TEST(the_error_is_the_natural_map) {
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
TAC_TEST(a_contact_of_a_plane_slides_as_it_does_there) {
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

TAC_TEST(what_cannot_be_kept_apart_is_not_called_solved) {
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
TAC_TEST(what_would_not_fit_in_memory_is_refused_beforehand) {
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
  ck_assert_int_eq(tac_contact_problem_solve(problem, &solver, &report, &error), TAC_ERR_MEMORY);
  ck_assert_ptr_nonnull(strstr(error.text, "3000 contacts take"));
}

TAC_TEST(no_contacts_are_solved) {
  tacContactProblemDef def = {.dimension = 3};
  tacContactSolverDef solver = tac_contact_solver_def_default();
  tacContactReport report;
  TAC_CREATE(tacContactProblem, problem, tac_contact_problem_create(&def, &problem, &error));
  tac_test_ok(tac_contact_problem_solve(problem, &solver, &report, &error), error);
  ck_assert_int_eq(report.unsolved, 0);
  ck_assert_double_eq(tac_contact_problem_error(problem, NULL), 0.0);
}

/* Of two contacts the first is moved by the second, and not the other way round: f_2 = 1, f_1 = (1 - 0.5) / 2. */
TAC_TEST(what_couples_one_way_is_solved) {
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
