/* Siconos and Tactus on the same problems, where Siconos is. Not under sanitizers, which would report on it. */
#include "bench/contact/siconos.h"

#include <math.h>
#include <string.h>
#include "bench/contact/sphere_pile.h"
#include "contact/contact_problem.h"
#include "math/random.h"
#include "test.h"

static tacSiconos *siconos;

/* False where there is none: the test returns. */
static bool open_siconos(void) {
  if (tac_test_light()) return false;
  if (siconos == NULL && tac_siconos_open(&siconos, &error) != TAC_OK) {
    fprintf(stderr, "skipped: %s\n", error.text);
    return false;
  }
  return true;
}

static tacContactProblem *make_pile(double friction, double push) {
  tacContactProblem *problem;
  tac_test_ok(tac_sphere_pile_create(3, 2, 2, friction, push, &problem, &error), error);
  return problem;
}

TAC_TEST(both_solvers_use_the_same_error_measure) {
  if (!open_siconos()) return;
  TAC_OWN(tacContactProblem, problem) = make_pile(0.4, 1.0);
  tacSiconosProblem *theirs;
  tacRandom random = tac_random_seed(1);
  tac_test_ok(tac_siconos_load(siconos, problem, &theirs, &error), error);
  for (int round = 0; round < 100; ++round) {
    for (int k = 0; k < 3 * problem->count; ++k)
      problem->force[k] = pow(10.0, -(round % 6)) * tac_random_normal(&random);
    double ours = tac_contact_problem_error(problem, NULL), other = tac_siconos_error(theirs, problem->force);
    ck_assert_double_eq_tol(ours, other, 1e-12 * ours);
  }
  tac_siconos_unload(theirs);
}

/* Each finds the other's solution to be one. */
TAC_TEST(both_solvers_accept_each_others_solutions) {
  if (!open_siconos()) return;
  static const double cases[][2] = {{0.5, 0.0}, {0.5, 0.3}, {0.3, 2.0}, {0.0, 1.0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    TAC_OWN(tacContactProblem, problem) = make_pile(cases[k][0], cases[k][1]);
    tacSiconosProblem *theirs;
    tacContactReport report;
    error = (tacError){0};
    tacContactSolverDef def = tac_contact_solver_def_default();
    double *force = malloc(3 * (size_t)problem->count * sizeof *force);
    ck_assert_ptr_nonnull(force);
    tac_test_ok(tac_siconos_load(siconos, problem, &theirs, &error), error);
    tac_test_ok(tac_contact_problem_solve(problem, &def, &report, &error), error);
    ck_assert_int_eq(report.unsolved, 0);
    ck_assert_double_le(tac_siconos_error(theirs, problem->force), 1e-7);
    tacSiconosReport other = tac_siconos_solve(theirs, 1e-8, 10000, force);
    ck_assert(other.converged);
    ck_assert_double_le(tac_contact_problem_error(problem, force), 1e-8 * (1.0 + 1e-6));
    free(force);
    tac_siconos_unload(theirs);
  }
}
