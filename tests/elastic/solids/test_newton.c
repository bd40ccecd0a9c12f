/* Newton's method on energies whose equilibria are known in closed form. */
#include "elastic/solids/newton.h"

#include "test.h"

/* Springs: one that hardens, r = x + x^3; one that has two wells, r = x^3 - x; one whose force has the bound 1, r = tanh x. */
typedef enum Spring { HARD, WELLS, SOFT } Spring;

static double energy_of(Spring spring, double x) {
  if (spring == SOFT) return fabs(x) + log1p(exp(-2.0 * fabs(x))) - log(2.0);
  return 0.25 * x * x * x * x + (spring == HARD ? 0.5 : -0.5) * x * x;
}
static double force_of(Spring spring, double x) {
  return spring == SOFT ? tanh(x) : x * x * x + (spring == HARD ? x : -x);
}
static double stiffness_of(Spring spring, double x) {
  return spring == SOFT ? 1.0 - tanh(x) * tanh(x) : 3.0 * x * x + (spring == HARD ? 1.0 : -1.0);
}

/* W(x) = sum_i w(x_i), with w' = r and w'' = k: the tangent is diagonal. */
typedef struct Chain {
  Spring spring;
  double limit; /* beyond it an element is inverted; INFINITY: none is */
  double diagonal[2];
  int energies, forces, tangents;
} Chain;

static double get_energy(void *self, const double *x) {
  Chain *chain = self;
  ++chain->energies;
  return energy_of(chain->spring, x[0]) + energy_of(chain->spring, x[1]);
}

static void find_force(void *self, const double *x, bool tangent_next, double *force) {
  (void)tangent_next;
  Chain *chain = self;
  ++chain->forces;
  for (int i = 0; i < 2; ++i) force[i] = force_of(chain->spring, x[i]);
}

static void find_tangent(void *self, const double *x) {
  Chain *chain = self;
  ++chain->tangents;
  for (int i = 0; i < 2; ++i) chain->diagonal[i] = stiffness_of(chain->spring, x[i]);
}

static double factor[2];

static tacStatus find_factor(void *self, double shift, tacError *why) {
  const Chain *chain = self;
  for (int i = 0; i < 2; ++i) {
    factor[i] = chain->diagonal[i] + shift;
    if (!(factor[i] > 0.0)) return tac_error_set(why, TAC_ERR_SINGULAR, "not positive definite");
  }
  return TAC_OK;
}

static tacStatus solve(void *self, const double *force, double *step, tacError *why) {
  (void)self;
  (void)why;
  for (int i = 0; i < 2; ++i) step[i] = force[i] / factor[i];
  return TAC_OK;
}

static int find_inverted(void *self, const double *x) {
  const Chain *chain = self;
  for (int i = 0; i < 2; ++i)
    if (fabs(x[i]) > chain->limit) return i;
  return -1;
}

static tacNewtonProblem problem_of(Chain *chain) {
  return (tacNewtonProblem){.self = chain,
                            .energy = get_energy,
                            .force = find_force,
                            .tangent = find_tangent,
                            .factor = find_factor,
                            .solve = solve,
                            .inverted = find_inverted};
}

static const tacNewtonRules rules = {.tolerance = 1e-12, .iterations = 50, .halvings = 30, .halved = 0.5};

static tacNewton *make_newton(void) {
  tacNewton *newton;
  tac_test_ok(tac_newton_create(2, &newton, &error), error);
  return tac_test_keep(newton, tac_newton_destroy);
}

TAC_TEST(hardening_springs_converge_quadratically) {
  tacNewton *newton = make_newton();
  Chain chain = {HARD, .limit = INFINITY};
  tacNewtonProblem problem = problem_of(&chain);
  const double load[2] = {2.0, -10.0};
  double x[2] = {0.0, 0.0};
  tacNewtonReport report;
  tac_test_ok(tac_newton_find(newton, &problem, &rules, load, x, &report, &error), error);
  ck_assert_double_eq_tol(x[0], 1.0, 1e-10);
  ck_assert_double_eq_tol(x[1], -2.0, 1e-10);
  ck_assert_double_eq(report.carried, 1.0);
  ck_assert_double_le(report.residual, 1e-12);
  ck_assert_int_le(report.iterations, 10);
  ck_assert_int_eq(report.factorisations, chain.tangents);
  /* What is in equilibrium stays. */
  tac_test_ok(tac_newton_find(newton, &problem, &rules, load, x, &report, &error), error);
  ck_assert_int_eq(report.iterations, 0);
}

/* At the top between two wells the tangent is negative: steps go down to a minimum, not to the saddle. */
TAC_TEST(indefinite_tangents_lead_to_minima) {
  tacNewton *newton = make_newton();
  Chain chain = {WELLS, .limit = INFINITY};
  tacNewtonProblem problem = problem_of(&chain);
  const double load[2] = {0.0, 0.0};
  double x[2] = {0.1, -0.2};
  tacNewtonReport report;
  tacNewtonRules absolute = rules;
  absolute.small = 1e-9; /* without a load there is nothing that a residual is relative to */
  tac_test_ok(tac_newton_find(newton, &problem, &absolute, load, x, &report, &error), error);
  ck_assert_double_eq_tol(x[0], 1.0, 1e-9);
  ck_assert_double_eq_tol(x[1], -1.0, 1e-9);
  ck_assert_int_gt(report.factorisations, report.iterations);
}

/* Full steps on a force that levels off overshoot by far; the line search takes them back, however far the start. */
TAC_TEST(line_search_converges_where_full_steps_fail) {
  tacNewton *newton = make_newton();
  Chain chain = {SOFT, .limit = INFINITY};
  tacNewtonProblem problem = problem_of(&chain);
  const double load[2] = {0.5, -0.9};
  double x[2] = {-3.0, 4.0};
  tacNewtonReport report;
  tacNewtonRules strict = rules;
  strict.halved = 0.0; /* a lower potential, whatever the residual: until rounding hides the difference */
  strict.tolerance = 1e-6;
  tac_test_ok(tac_newton_find(newton, &problem, &strict, load, x, &report, &error), error);
  ck_assert_double_eq_tol(x[0], atanh(0.5), 1e-5);
  ck_assert_double_eq_tol(x[1], atanh(-0.9), 1e-5);
}

/* Of a load beyond the bound 1 only a part can be carried: which, and why no more, is reported. */
TAC_TEST(failures_report_the_load_reached) {
  tacNewton *newton = make_newton();
  for (int inverts = 0; inverts < 2; ++inverts) {
    Chain chain = {SOFT, .limit = inverts ? 1.0 : INFINITY};
    tacNewtonProblem problem = problem_of(&chain);
    const double load[2] = {0.1, 2.0};
    double x[2] = {0.0, 0.0}, most = inverts ? tanh(1.0) : 1.0;
    tacNewtonReport report;
    tacStatus status = tac_newton_follow(newton, &problem, &rules, load, x, &report, &error);
    ck_assert_int_eq(status, inverts ? TAC_ERR_GEOMETRY : TAC_ERR_NO_CONVERGENCE);
    ck_assert_ptr_nonnull(strstr(error.text, inverts ? "inverts element 1" : "no equilibrium was found beyond"));
    ck_assert_double_eq_tol(2.0 * report.carried, most, 2e-3);
    ck_assert_int_ge(report.load_steps, 1);
    ck_assert_double_eq_tol(tanh(x[1]), 2.0 * report.carried, 1e-9); /* the last equilibrium */
  }
}

static bool refuse(const char *what, double fraction, void *user) {
  (void)what;
  (void)fraction;
  ++*(int *)user;
  return false;
}

TAC_TEST(work_can_be_limited_and_cancelled) {
  tacNewton *newton = make_newton();
  Chain chain = {HARD, .limit = INFINITY};
  tacNewtonProblem problem = problem_of(&chain);
  const double load[2] = {2.0, -10.0};
  double x[2] = {0.0, 0.0};
  int asked = 0;
  const tacProgress progress = {refuse, &asked};
  tacNewtonRules limited = rules;
  tacNewtonReport report;
  limited.all_iterations = 2;
  ck_assert_int_eq(tac_newton_follow(newton, &problem, &limited, load, x, &report, &error), TAC_ERR_NO_CONVERGENCE);
  ck_assert_int_eq(report.iterations, 2);
  limited = rules;
  limited.factorisations = 3;
  ck_assert_int_eq(tac_newton_find(newton, &problem, &limited, load, x, &report, &error), TAC_ERR_NO_CONVERGENCE);
  ck_assert_int_eq(report.factorisations, 3);
  limited = rules;
  limited.tangents = 1;
  limited.iterations = 200;
  chain.tangents = 0;
  x[0] = x[1] = 0.0;
  tac_test_ok(tac_newton_find(newton, &problem, &limited, (const double[]){0.1, 0.2}, x, &report, &error), error);
  ck_assert_int_eq(chain.tangents, 1);
  ck_assert_double_eq_tol(force_of(HARD, x[1]), 0.2, 1e-10);
  limited.progress = &progress;
  ck_assert_int_eq(tac_newton_find(newton, &problem, &limited, load, x, &report, &error), TAC_ERR_CANCELLED);
  ck_assert_int_eq(asked, 1);
}
