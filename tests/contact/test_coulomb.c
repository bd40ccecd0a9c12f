#include "contact/laws/coulomb.h"

#include <float.h>
#include "contact/laws/frictional_problem.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "test.h"

static double length2d(const double v[2]) {
  return sqrt(v[0] * v[0] + v[1] * v[1]);
}

/* Q diag Q^T with a random rotation: symmetric to the last bit, eigenvalues given. */
static tacMat3 random_block(tacRandom *random, double x, double y, double z) {
  tacMat3 q = tac_quat_to_mat3(tac_quat_from_rotation_vector(tac_vec3_scale(2.0, tac_random_normal3(random))));
  tacMat3 w = tac_mat3_mul(q, tac_mat3_mul(tac_mat3_diagonal(x, y, z), tac_mat3_transpose(q)));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) w.m[i][j] = w.m[j][i];
  return w;
}

static bool solve(const tacMat3 *w, const double u0[3], double friction, double force[3], tacContactState *state) {
  tacCoulombBlock block;
  double lambda = 0.0;
  tac_coulomb_block_prepare(w, &block);
  return tac_coulomb_block_solve(&block, friction, u0, &lambda, force, state);
}

static void motion(const tacMat3 *w, const double u0[3], const double f[3], double u[3]) {
  for (int i = 0; i < 3; ++i) u[i] = u0[i] + w->m[i][0] * f[0] + w->m[i][1] * f[1] + w->m[i][2] * f[2];
}

/* What u = u0 + w f is rounded by. */
static double rounding(const tacMat3 *w, const double u0[3], const double f[3]) {
  double most = 0.0, force = fabs(f[0]) + fabs(f[1]) + fabs(f[2]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) most = fmax(most, fabs(w->m[i][j]));
  return DBL_EPSILON * (fabs(u0[0]) + fabs(u0[1]) + fabs(u0[2]) + most * force);
}

/* The laws, written down from their definition, for a force that was found; `tolerance` in metres. */
static void check_laws(const tacMat3 *w, const double u0[3], double mu, const double f[3], tacContactState state,
                       double tolerance) {
  double u[3], t = length2d(f + 1);
  motion(w, u0, f, u);
  ck_assert(isfinite(f[0]) && isfinite(f[1]) && isfinite(f[2]));
  ck_assert_double_ge(f[0], 0.0);
  ck_assert_double_le(t, mu * f[0] * (1.0 + 4.0 * DBL_EPSILON));
  if (state == TAC_CONTACT_NONE) {
    ck_assert_double_eq(f[0], 0.0);
    ck_assert_double_ge(u[0], 0.0);
    return;
  }
  ck_assert_double_le(fabs(u[0]), tolerance);
  if (state == TAC_CONTACT_STICKS) {
    ck_assert_double_le(length2d(u + 1), tolerance);
    return;
  }
  ck_assert_int_eq(state, TAC_CONTACT_SLIDES);
  ck_assert_double_ge(t, mu * f[0] * (1.0 - 4.0 * DBL_EPSILON));
  if (t == 0.0) return;
  ck_assert_double_le(fabs(u[1] * f[2] - u[2] * f[1]) / t, tolerance);
  ck_assert_double_le((u[1] * f[1] + u[2] * f[2]) / t, tolerance);
}

TAC_TEST(force_is_cut_to_the_friction_cone) {
  ck_assert_double_eq(tac_coulomb_cut(0.5, 2.0, 1.0), 1.0); /* on the edge it sticks */
  ck_assert_double_eq(tac_coulomb_cut(0.5, 2.0, 4.0), 0.5);
  ck_assert_double_eq(tac_coulomb_cut(0.5, 4.0, 3.0), 1.0);
  ck_assert_double_eq(tac_coulomb_cut(0.5, 2.0, 0.0), 1.0);
  ck_assert_double_eq(tac_coulomb_cut(0.5, 0.0, 1.0), 0.0);
  ck_assert_double_eq(tac_coulomb_cut(0.5, -1.0, 1.0), 0.0);
  ck_assert_double_eq(tac_coulomb_cut(0.0, 1.0, 1.0), 0.0);
  ck_assert_double_eq(tac_coulomb_cut(0.0, 0.0, 0.0), 1.0);
}

/* A block of mass m on a slope, from rest over a step h: W = h^2/m, u0 = h^2 g (-cos, sin). It sticks where tan <= mu;
 * else it slides by h^2 g (sin - mu cos). */
TAC_TEST(a_block_sticks_on_a_slope_while_its_tangent_is_below_friction) {
  const double h = 1e-3, m = 0.3, gravity = 9.81;
  tacMat3 w = tac_mat3_diagonal(h * h / m, h * h / m, h * h / m);
  for (double mu = 0.1; mu < 3.0; mu *= 1.3)
    for (int k = -50; k <= 50; ++k) {
      double slope = mu * (1.0 + 0.01 * k + (k == 0 ? -1e-12 : 0.0)), angle = atan(slope), turn = 0.7 * k;
      double down = h * h * gravity * sin(angle), u[3];
      double u0[3] = {-h * h * gravity * cos(angle), down * cos(turn), down * sin(turn)}, f[3];
      tacContactState state;
      ck_assert(solve(&w, u0, mu, f, &state));
      motion(&w, u0, f, u);
      double press = m * gravity * cos(angle), slides = k > 0 ? h * h * gravity * (sin(angle) - mu * cos(angle)) : 0.0;
      ck_assert_int_eq(state, k > 0 ? TAC_CONTACT_SLIDES : TAC_CONTACT_STICKS);
      ck_assert_double_eq_tol(f[0], press, 1e-14 * press);
      ck_assert_double_eq_tol(u[1], slides * cos(turn), 1e-14 * h * h * gravity);
      ck_assert_double_eq_tol(u[2], slides * sin(turn), 1e-14 * h * h * gravity);
    }
}

/* Condition to 1e8, coupling as strong as a positive definite block has, friction to 10, all states. */
TAC_TEST(the_laws_hold_to_rounding_for_any_block) {
  tacRandom random = tac_random_seed(1);
  int trials = tac_test_light() ? 20000 : 400000, count[4] = {0};
  for (int trial = 0; trial < trials; ++trial) {
    double scale = pow(10.0, tac_random_uniform(&random, -9.0, 0.0)), e1 = tac_random_uniform(&random, -8.0, 0.0),
           e2 = tac_random_uniform(&random, -8.0, 0.0);
    tacMat3 w = random_block(&random, scale, scale * pow(10.0, e1), scale * pow(10.0, e2));
    double mu = pow(10.0, tac_random_uniform(&random, -3.0, 1.0)),
           size = pow(10.0, tac_random_uniform(&random, -9.0, 0.0));
    tacVec3 v = tac_vec3_scale(size, tac_random_normal3(&random));
    double u0[3] = {trial % 4 == 0 ? v.x : -fabs(v.x), v.y, v.z}, f[3];
    if (trial % 5 == 0) u0[0] *= 1e-6;
    tacContactState state;
    ck_assert(solve(&w, u0, mu, f, &state));
    ++count[state];
    check_laws(&w, u0, mu, f, state, 40.0 * (1.0 + mu) * rounding(&w, u0, f));
  }
  ck_assert_int_gt(count[TAC_CONTACT_NONE], trials / 20);
  ck_assert_int_gt(count[TAC_CONTACT_STICKS], trials / 20);
  ck_assert_int_gt(count[TAC_CONTACT_SLIDES], trials / 20);
}

/* Directions of sliding are tried one by one: the cross product of slip and friction changes its sign at each that
 * obeys the laws, and bisection finds it. Eigenvalues of S are between those of w, so that these solutions are the
 * only ones. */
typedef struct Sliding {
  const tacMat3 *w;
  const double *u0;
  double mu;
} Sliding;

static double slide_at(const Sliding *problem, double angle, double f[3], double *along) {
  double d[2] = {cos(angle), sin(angle)}, u[3], mu = problem->mu;
  f[0] = -problem->u0[0] / (problem->w->m[0][0] + mu * (problem->w->m[0][1] * d[0] + problem->w->m[0][2] * d[1]));
  f[1] = mu * f[0] * d[0];
  f[2] = mu * f[0] * d[1];
  motion(problem->w, problem->u0, f, u);
  *along = u[1] * d[0] + u[2] * d[1];
  return u[1] * d[1] - u[2] * d[0];
}

TAC_TEST(sliding_matches_a_search_over_directions) {
  tacRandom random = tac_random_seed(2);
  int trials = tac_test_light() ? 100 : 2000, slides = 0;
  for (int trial = 0; trial < trials; ++trial) {
    double e1 = tac_random_uniform(&random, 0.05, 1.0), e2 = tac_random_uniform(&random, 0.05, 1.0);
    tacMat3 w = random_block(&random, 1.0, e1, e2);
    double mu = tac_random_uniform(&random, 0.05, 0.95) * fmin(e1, e2) * w.m[0][0] / length2d(&w.m[0][1]);
    tacVec3 v = tac_random_normal3(&random);
    double u0[3] = {-fabs(v.x), v.y, v.z}, f[3], stick[3], best[3] = {0.0, 0.0, 0.0}, along, nearest = INFINITY;
    mu = fmin(mu, 10.0);
    tacContactState state;
    ck_assert(solve(&w, u0, mu, f, &state));
    tacMat3 inverse;
    ck_assert(tac_mat3_inverse(w, &inverse));
    tacVec3 s = tac_mat3_mul_vec(inverse, tac_vec3(-u0[0], -u0[1], -u0[2]));
    stick[0] = s.x;
    stick[1] = s.y;
    stick[2] = s.z;
    bool sticks = stick[0] >= 0.0 && length2d(stick + 1) <= mu * stick[0];
    if (fabs(length2d(stick + 1) - mu * stick[0]) > 1e-10 * tac_vec3_norm(s))
      ck_assert_int_eq(state, sticks ? TAC_CONTACT_STICKS : TAC_CONTACT_SLIDES);
    if (state == TAC_CONTACT_STICKS) {
      for (int a = 0; a < 3; ++a) ck_assert_double_eq_tol(f[a], stick[a], 1e-10 * tac_vec3_norm(s));
      continue;
    }
    ++slides;
    enum { DIRECTIONS = 720 };
    Sliding problem = {&w, u0, mu};
    double step = 2.0 * 3.14159265358979323846 / DIRECTIONS, tried[3];
    for (int k = 0; k < DIRECTIONS; ++k) {
      double low = k * step, high = low + step, at_low = slide_at(&problem, low, tried, &along);
      double at_high = slide_at(&problem, high, tried, &along);
      if ((at_low < 0.0) == (at_high < 0.0)) continue;
      for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (low + high);
        if ((slide_at(&problem, middle, tried, &along) < 0.0) == (at_low < 0.0))
          low = middle;
        else
          high = middle;
      }
      slide_at(&problem, 0.5 * (low + high), tried, &along);
      double distance = fabs(tried[0] - f[0]) + fabs(tried[1] - f[1]) + fabs(tried[2] - f[2]);
      if (along > 0.0 || distance > nearest) continue;
      nearest = distance;
      for (int a = 0; a < 3; ++a) best[a] = tried[a];
    }
    ck_assert_double_le(nearest, 1e-9 * (f[0] + length2d(f + 1)));
    ck_assert_double_gt(best[0], 0.0);
  }
  ck_assert_int_gt(slides, trials / 10);
}

/* u and f are chosen, u0 made from them, where the solution is the only one. */
TAC_TEST(known_solution_is_recovered) {
  tacRandom random = tac_random_seed(3);
  int trials = tac_test_light() ? 5000 : 100000;
  for (int trial = 0; trial < trials; ++trial) {
    double e1 = tac_random_uniform(&random, 0.1, 1.0), e2 = tac_random_uniform(&random, 0.1, 1.0);
    tacMat3 w = random_block(&random, 1.0, e1, e2);
    double least = fmin(e1, e2), share = tac_random_uniform(&random, 0.0, 0.999);
    double mu = fmin(0.9 * least * w.m[0][0] / length2d(&w.m[0][1]), 2.0) * tac_random_uniform(&random, 0.01, 1.0);
    double angle = tac_random_uniform(&random, -3.2, 3.2);
    double press = pow(10.0, tac_random_uniform(&random, -3.0, 3.0)), slip = 0.0;
    int which = trial % 3; /* separate, stick, slide */
    if (which == 2) {
      slip = pow(10.0, tac_random_uniform(&random, -3.0, 3.0));
      share = 1.0;
    }
    double d[2] = {cos(angle), sin(angle)}, u0[3], f[3];
    double right[3] = {press, mu * press * share * d[0], mu * press * share * d[1]};
    double u[3] = {0.0, -slip * d[0], -slip * d[1]};
    if (which == 0) {
      right[0] = right[1] = right[2] = 0.0;
      u[0] = press;
    }
    for (int i = 0; i < 3; ++i) u0[i] = u[i] - w.m[i][0] * right[0] - w.m[i][1] * right[1] - w.m[i][2] * right[2];
    if (u0[0] >= 0.0 && which != 0) continue; /* f = 0 solves it, too */
    tacContactState state;
    ck_assert(solve(&w, u0, mu, f, &state));
    ck_assert_int_eq(state, which == 0 ? TAC_CONTACT_NONE : which == 1 ? TAC_CONTACT_STICKS : TAC_CONTACT_SLIDES);
    for (int a = 0; a < 3; ++a) ck_assert_double_eq_tol(f[a], right[a], 1e-9 * (press + slip));
  }
}

/* Where it begins changes how long the search takes, not what it finds. */
TAC_TEST(solution_is_independent_of_the_start) {
  tacRandom random = tac_random_seed(4);
  for (int trial = 0; trial < 2000; ++trial) {
    double e = tac_random_uniform(&random, 0.1, 1.0);
    tacMat3 w = random_block(&random, 1.0, e, 0.5);
    tacVec3 v = tac_random_normal3(&random);
    double mu = fmin(0.9 * fmin(e, 0.5) * w.m[0][0] / length2d(&w.m[0][1]), 1.0), u0[3] = {-fabs(v.x), v.y, v.z}, f[3],
           again[3];
    tacContactState state, same;
    tacCoulombBlock block;
    ck_assert(tac_coulomb_block_prepare(&w, &block));
    double lambda = 0.0;
    ck_assert(tac_coulomb_block_solve(&block, mu, u0, &lambda, f, &state));
    if (state == TAC_CONTACT_STICKS) ck_assert_double_eq(lambda, 0.0);
    const double starts[] = {lambda, 0.5 * lambda, 2.0 * lambda, 1e-9, 1e9, INFINITY, -1.0, NAN};
    for (int k = 0; k < 8; ++k) {
      double at = starts[k];
      ck_assert(tac_coulomb_block_solve(&block, mu, u0, &at, again, &same));
      ck_assert_int_eq(same, state);
      ck_assert_double_eq_tol(at, lambda, 1e-10 * (1.0 + lambda));
      for (int a = 0; a < 3; ++a) ck_assert_double_eq_tol(again[a], f[a], 1e-10 * (f[0] + length2d(f + 1)));
    }
  }
}

TAC_TEST(boundary_and_extreme_cases_are_defined) {
  tacMat3 w = tac_mat3_diagonal(1.0, 1.0, 1.0), none = tac_mat3_zero(), stiff = tac_mat3_diagonal(1.0, 0.0, 0.0);
  double f[3];
  tacContactState state;
  const double touching[3] = {0.0, 1.0, 0.0}, pressed[3] = {-1.0, 0.5, 0.0}, straight[3] = {-1.0, 0.0, 0.0};
  ck_assert(solve(&w, touching, 1.0, f, &state)); /* touches without force */
  ck_assert(state == TAC_CONTACT_NONE && f[0] == 0.0 && f[1] == 0.0);
  ck_assert(solve(&w, pressed, 0.5, f, &state)); /* exactly on the edge: it sticks */
  ck_assert(state == TAC_CONTACT_STICKS && f[0] == 1.0 && f[1] == -0.5);
  ck_assert(solve(&w, pressed, 0.0, f, &state)); /* without friction */
  ck_assert(state == TAC_CONTACT_SLIDES && f[0] == 1.0 && f[1] == 0.0 && f[2] == 0.0);
  ck_assert(solve(&stiff, pressed, 0.5, f, &state)); /* no force can keep it from slipping */
  ck_assert_int_eq(state, TAC_CONTACT_SLIDES);
  ck_assert_double_eq_tol(f[0], 1.0, 1e-14);
  ck_assert_double_eq_tol(f[1], -0.5, 1e-14);
  ck_assert(solve(&stiff, straight, 0.5, f, &state));
  ck_assert(state == TAC_CONTACT_STICKS && f[0] == 1.0 && f[1] == 0.0);
  ck_assert(!solve(&none, pressed, 0.5, f, &state)); /* nothing gives way: the laws cannot hold */
  ck_assert(state == TAC_CONTACT_NONE && f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0);

  const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-310, -1e-310, 0.0, -1.0, 1.0};
  enum { ODD = sizeof odd / sizeof *odd };
  for (int i = 0; i < ODD * ODD * ODD; ++i)
    for (int k = 0; k < 4 * ODD; ++k) { /* anything, anywhere: finite, in the cone */
      const double u0[3] = {odd[i % ODD], odd[i / ODD % ODD], odd[i / ODD / ODD]};
      tacMat3 block = w;
      double mu = k < ODD ? odd[k] : 0.5;
      if (k >= ODD && k < 2 * ODD) block.m[0][0] = odd[k - ODD];
      if (k >= 2 * ODD && k < 3 * ODD) block.m[0][1] = odd[k - 2 * ODD];
      if (k >= 3 * ODD) block.m[1][2] = odd[k - 3 * ODD];
      bool holds = solve(&block, u0, mu, f, &state);
      ck_assert(isfinite(f[0]) && isfinite(f[1]) && isfinite(f[2]));
      ck_assert_double_ge(f[0], 0.0);
      if (f[0] > 0.0) ck_assert_double_le(length2d(f + 1), mu * f[0] * (1.0 + 4.0 * DBL_EPSILON));
      if (!holds) ck_assert(f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0);
    }
}

static void check_residual(double un, double u1, double u2, double fn, double f1, double f2, double mu, double metres,
                           double newtons) {
  const double u[3] = {un, u1, u2}, f[3] = {fn, f1, f2};
  tacContactMeasure found = tac_coulomb_residual(u, f, mu, (tacContactMeasure){1e-3, 1e-3});
  ck_assert_double_eq_tol(found.metres, metres, 1e-12);
  ck_assert_double_eq_tol(found.newtons, newtons, 1e-12);
}

/* By hand, with equal tolerances in both units, so that the smaller number is what counts. */
TAC_TEST(residuals_match_hand_calculation) {
  check_residual(1.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0);  /* apart, whatever it slips */
  check_residual(-0.1, 5.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.1, 0.0); /* inside each other, without force */
  check_residual(-0.1, 0.0, 0.0, 2.0, 0.5, 0.0, 0.5, 0.1, 0.0); /* pressed not enough */
  check_residual(0.1, 0.0, 0.0, 2.0, 0.5, 0.0, 0.5, 0.1, 0.0);  /* a gap under pressure */
  check_residual(3.0, 9.0, 0.0, 0.2, 0.0, 0.0, 0.5, 0.0, 0.2);  /* pressure over a gap */
  check_residual(0.0, 0.0, 0.0, -0.3, 0.0, 0.0, 0.5, 0.0, 0.3); /* it pulls */
  check_residual(0.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.5, 0.0, 0.0);  /* sticks at the edge */
  check_residual(0.0, 0.0, 0.0, 2.0, 1.5, 0.0, 0.5, 0.0, 0.5);  /* more friction than there is */
  check_residual(0.0, 0.1, 0.0, 2.0, 0.0, 0.0, 0.5, 0.1, 0.0);  /* slips, and friction does not care */
  check_residual(0.0, 9.0, 0.0, 2.0, -0.9, 0.0, 0.5, 0.0, 0.1); /* slips far, friction almost at the edge */
  check_residual(0.0, 9.0, 0.0, 2.0, -1.0, 0.0, 0.5, 0.0, 0.0); /* slides */
  check_residual(0.0, 0.1, 0.0, 2.0, 1.0, 0.0, 0.5, 0.1, 0.0);  /* friction pushes on */
  check_residual(0.0, 9.0, 0.01, 2.0, -1.0, 0.0, 0.5, 0.0,
                 2.0 * sin(0.5 * atan(0.01 / 9.0))); /* friction a bit aside */
  check_residual(0.0, 0.01, 9.0, 2.0, 0.0, -1.0, 0.5, 0.0,
                 2.0 * sin(0.5 * atan(0.01 / 9.0)));                  /* the same along the other axis */
  check_residual(0.0, 0.3, 0.01, 200.0, -100.0, 0.0, 0.5, 0.01, 0.0); /* slip a bit aside */
  check_residual(0.0, 4.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0);        /* no friction */
  check_residual(0.0, 4.0, 3.0, 1.0, 0.0, 0.2, 0.0, 0.0, 0.2);
  /* which unit counts follows the tolerances */
  const double u[3] = {0.1, 0.0, 0.0}, f[3] = {2.0, 0.0, 0.0};
  tacContactMeasure found = tac_coulomb_residual(u, f, 0.5, (tacContactMeasure){1e-6, 1.0});
  ck_assert(found.metres == 0.0 && found.newtons == 2.0);
  const double nowhere[3] = {NAN, 0.0, 0.0}, nothing[3] = {0.0, 0.0, 0.0};
  ck_assert(!(tac_coulomb_residual(nowhere, nothing, 0.5, (tacContactMeasure){1.0, 1.0}).metres <= 1.0));
}

/* A solution that is changed is as far from the laws as it was changed, or nearer. */
TAC_TEST(residual_is_at_most_the_perturbation) {
  tacRandom random = tac_random_seed(5);
  for (int trial = 0; trial < 20000; ++trial) {
    double e = tac_random_uniform(&random, 0.01, 1.0), mu = tac_random_uniform(&random, 0.0, 2.0);
    tacMat3 w = random_block(&random, 1.0, e, 0.3);
    tacVec3 v = tac_random_normal3(&random);
    double u0[3] = {v.x, v.y, v.z}, f[3], u[3];
    tacContactState state;
    ck_assert(solve(&w, u0, mu, f, &state));
    motion(&w, u0, f, u);
    double metres = pow(10.0, tac_random_uniform(&random, -9.0, -1.0)),
           newtons = pow(10.0, tac_random_uniform(&random, -9.0, -1.0));
    tacVec3 du = tac_vec3_scale(metres, tac_vec3_unit(tac_random_normal3(&random)));
    u[0] += du.x;
    u[1] += du.y;
    u[2] += du.z;
    if (trial % 2 == 0) f[0] = fmax(f[0] + newtons, 0.0);
    tacContactMeasure tolerance = {metres, newtons}, found = tac_coulomb_residual(u, f, mu, tolerance);
    double rounded = 1e-12 * (1.0 + f[0]);
    /* a longer normal force takes the edge of the cone along */
    double most = (1.0 + mu) * newtons;
    ck_assert_double_le(found.metres, fmax(metres, metres * most / newtons) + rounded);
    ck_assert_double_le(found.newtons, most + rounded);
  }
}
