#include "contact/laws/law_solver.h"

#include "contact/law_case.h"
#include "contact/laws/frictional_problem.h"

static Case one;

#define SWEEPS .method = TAC_CONTACT_GAUSS_SEIDEL, .afresh = true

static tacContactReport solve(const tacLawProblem *problem, const tacLawSolverDef *def) {
  tacArena arena;
  tac_test_ok(tac_arena_create(tac_law_solver_room(problem, def), "laws", &arena, &error), error);
  tacContactReport report = tac_law_solve(problem, def, &arena);
  ck_assert_int_eq((int)arena.refused, 0);
  ck_assert_int_eq((int)arena.used, 0);
  tac_arena_destroy(&arena);
  check_cones(problem);
  return report;
}

static const double MASS = 0.3;

TAC_TEST(a_box_sticks_on_a_slope_while_its_tangent_is_below_friction) {
  for (int k = 0; k < 12; ++k) {
    double friction = 0.2 + 0.1 * (k / 4), way = STEP * STEP * GRAVITY;
    double angle = atan(friction * (k % 4 == 0 ? 0.5 : k % 4 == 1 ? 0.95 : k % 4 == 2 ? 1.05 : 1.5));
    double slides = k % 4 < 2 ? 0.0 : way * (sin(angle) - friction * cos(angle));
    for (tacDelassusForm form = TAC_DELASSUS_BUILT; form <= TAC_DELASSUS_UNBUILT; ++form) {
      make_stack(1, &MASS, angle, friction, &one);
      tacLawSolverDef def = {SWEEPS, .tolerance = {1e-9 * way, 1e-9 * MASS * GRAVITY}, .most_sweeps = 5000,
                             .form = form};
      tacContactReport report = solve(&one.problem, &def);
      ck_assert_int_eq(report.unsolved, 0);
      double sum[3] = {0.0, 0.0, 0.0};
      for (int i = 0; i < 4; ++i) {
        for (int a = 0; a < 3; ++a) sum[a] += one.contacts[i].force[a];
        ck_assert_double_eq_tol(one.contacts[i].motion[0], 0.0, 2e-9 * way);
        ck_assert_double_eq_tol(one.contacts[i].motion[1], slides, 1e-6 * way);
        ck_assert_double_eq_tol(one.contacts[i].motion[2], 0.0, 1e-6 * way);
      }
      /* the slope carries the box, and what it slides is what friction leaves */
      ck_assert_double_eq_tol(sum[0], MASS * GRAVITY * cos(angle), 1e-6 * MASS * GRAVITY);
      ck_assert_double_eq_tol(sum[1], slides * MASS / (STEP * STEP) - MASS * GRAVITY * sin(angle),
                              1e-6 * MASS * GRAVITY);
      ck_assert_double_eq_tol(sum[2], 0.0, 1e-6 * MASS * GRAVITY);
    }
  }
}

/* A point of mass m in a groove of two planes at 45 degrees: each carries m g / sqrt 2, and it moves along the groove
 * unless friction holds that. */
TAC_TEST(both_sides_of_a_groove_share_the_load) {
  const double c = sqrt(0.5), per = STEP / sqrt(MASS), fall = STEP * STEP * GRAVITY, along = 0.3 * fall;
  const int three = 3;
  for (int k = 0; k < 2; ++k) {
    double friction = k == 0 ? 0.0 : 0.1;
    double rows[2][3][3] = {{{0.0}}};
    tacLawContact contacts[2];
    for (int i = 0; i < 2; ++i) { /* coordinates: across, up, along; t1 up the plane, t2 along */
      double side = i == 0 ? 1.0 : -1.0;
      rows[i][0][0] = side * c * per;
      rows[i][0][1] = c * per;
      rows[i][1][0] = -side * c * per;
      rows[i][1][1] = c * per;
      rows[i][2][2] = per;
      contacts[i] = (tacLawContact){.gap = -c * fall,
                                    .slip = {-c * fall, along},
                                    .friction = friction,
                                    .part = {-1, 0},
                                    .rows = {NULL, &rows[i][0][0]}};
    }
    tacLawProblem problem = {.count = 2, .contacts = contacts, .part_count = 1, .part_size = &three};
    tacLawSolverDef def = {SWEEPS, .tolerance = {1e-13 * fall, 1e-13}, .most_sweeps = 1000};
    tacContactReport report = solve(&problem, &def);
    ck_assert_int_eq(report.unsolved, 0);
    /* both planes hold it: it only moves along, so friction is along; f_n = m g c each */
    for (int i = 0; i < 2; ++i) {
      ck_assert_int_eq(contacts[i].state, TAC_CONTACT_SLIDES);
      ck_assert_double_eq_tol(contacts[i].motion[2], along - 2.0 * friction * c * fall, 1e-9 * fall);
      if (friction > 0.0) continue;
      ck_assert_double_eq_tol(contacts[i].force[0], c * MASS * GRAVITY, 1e-12);
    }
    ck_assert_double_eq_tol(contacts[0].force[0], contacts[1].force[0], 1e-9);
  }
}

TAC_TEST(single_contact_takes_one_sweep) {
  tacRandom random = tac_random_seed(1);
  for (int trial = 0; trial < 30; ++trial) {
    make_parts(&random, 1, trial % 2 == 0, &one);
    one.contacts[0].gap = -1.0;
    one.contacts[0].slip[0] = tac_random_normal(&random);
    tacLawSolverDef def = {SWEEPS, .tolerance = {1e-9, 1e-9}, .most_sweeps = 1};
    ck_assert_int_eq(solve(&one.problem, &def).unsolved, 0);
  }
}

/* Parts whose blocks W_ii outweigh what couples contacts: the solution that is chosen is the only one. */
static void choose_dominant(tacRandom *random, int count, bool compliant) {
  make_parts(random, count, compliant, &one);
  size_t n = 3 * (size_t)count;
  for (int i = 0; i < count; ++i) {
    one.contacts[i].friction *= 0.3;
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < 3 * THIRTY; ++k) one.rows[i][s][k] *= 0.1;
  }
  for (size_t r = 0; r < n; ++r)
    for (size_t s = 0; s < n; ++s) one.compliance[r * n + s] = 0.01 * one.compliance[r * n + s] + (r == s) * (double)n;
  find_w(&one);
  choose_solution(random, &one);
}

TAC_TEST(known_solutions_are_recovered) {
  tacRandom random = tac_random_seed(2);
  int trials = tac_test_light() ? 10 : 60;
  for (int trial = 0; trial < trials; ++trial) {
    int count = 1 + trial % 40;
    choose_dominant(&random, count, true);
    double size = (double)(3 * count);
    tacLawSolverDef def = {SWEEPS, .tolerance = {1e-11 * size, 1e-11}, .most_sweeps = 500};
    tacContactReport report = solve(&one.problem, &def);
    ck_assert_int_eq(report.unsolved, 0);
    ck_assert_double_le(report.residual.metres, def.tolerance.metres);
    ck_assert_double_le(report.residual.newtons, def.tolerance.newtons);
    for (int i = 0; i < count; ++i) {
      ck_assert_int_eq(one.contacts[i].state, one.states[i]);
      for (int a = 0; a < 3; ++a) ck_assert_double_eq_tol(one.contacts[i].force[a], one.forces[3 * i + a], 1e-9);
    }
    for (tacDelassusForm form = TAC_DELASSUS_BUILT; form <= TAC_DELASSUS_UNBUILT; ++form) { /* from there: one sweep */
      def.form = form;
      report = solve(&one.problem, &def);
      ck_assert_int_eq(report.sweeps, 1);
      ck_assert_int_eq(report.unsolved, 0);
    }
  }
}

/* The same sweeps on W, built and unbuilt, converged or not. */
TAC_TEST(built_and_unbuilt_give_the_same_forces) {
  tacRandom random = tac_random_seed(3);
  static double forces[2][3 * MOST];
  for (int trial = 0; trial < 40; ++trial) {
    int count = 1 + trial % 20;
    choose_dominant(&random, count, trial % 2 == 0);
    for (int k = 0; k < 2; ++k) {
      tacLawSolverDef def = {SWEEPS, .tolerance = {1e-200, 1e-200}, .most_sweeps = 1 + trial % 4,
                             .form = k == 0 ? TAC_DELASSUS_BUILT : TAC_DELASSUS_UNBUILT};
      for (int i = 0; i < count; ++i) memset(one.contacts[i].force, 0, sizeof one.contacts[i].force);
      solve(&one.problem, &def);
      for (int i = 0; i < 3 * count; ++i) forces[k][i] = one.contacts[i / 3].force[i % 3];
    }
    double size = 1.0;
    for (int i = 0; i < 3 * count; ++i) size = fmax(size, fabs(forces[0][i]));
    for (int i = 0; i < 3 * count; ++i) ck_assert_double_eq_tol(forces[0][i], forces[1][i], 1e-11 * size);
  }
}

/* Its report says what one finds by computing u = u0 + W f oneself. */
TAC_TEST(residuals_are_those_of_the_returned_forces) {
  tacRandom random = tac_random_seed(5);
  int all = 0;
  for (int trial = 0; trial < 20; ++trial) {
    int count = 2 + trial, unsolved = 0;
    make_parts(&random, count, trial % 2 == 0, &one);
    choose_solution(&random, &one);
    for (int i = 0; i < count; ++i) one.contacts[i].friction = tac_random_uniform(&random, 0.0, 3.0);
    tacLawSolverDef def = {SWEEPS, .tolerance = {1e-7, 1e-7}, .most_sweeps = trial % 4};
    tacContactReport report = solve(&one.problem, &def);
    tacContactMeasure worst = {0.0, 0.0};
    const double rounded = 1e-11 * one.give * count;
    for (int i = 0; i < count; ++i) {
      const tacLawContact *contact = &one.contacts[i];
      double u[3] = {contact->gap, contact->slip[0], contact->slip[1]};
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3 * count; ++k)
          u[a] += one.w[(3 * i + a) * 3 * count + k] * one.contacts[k / 3].force[k % 3];
      tacContactMeasure residual = tac_coulomb_residual(u, contact->force, contact->friction, def.tolerance);
      worst.metres = fmax(worst.metres, residual.metres);
      worst.newtons = fmax(worst.newtons, residual.newtons);
      unsolved += !(residual.metres <= def.tolerance.metres && residual.newtons <= def.tolerance.newtons);
      u[0] -= contact->softness * contact->force[0];
      for (int a = 0; a < 3; ++a) ck_assert_double_eq_tol(contact->motion[a], u[a], rounded);
    }
    ck_assert_int_eq(report.unsolved, unsolved);
    if (unsolved > 0) ck_assert_int_eq(report.sweeps, def.most_sweeps);
    all += unsolved;
    ck_assert_double_eq_tol(report.residual.metres, worst.metres, rounded);
    ck_assert_double_eq_tol(report.residual.newtons, worst.newtons, rounded);
  }
  ck_assert_int_gt(all, 0);
}

/* A soft contact is a spring of 1 / e. */
TAC_TEST(soft_contact_yields_by_its_force) {
  const double w[9] = {2e-4, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  tacLawContact contact = {.gap = -1e-3, .softness = 3e-4, .part = {-1, -1}};
  tacLawProblem problem = {.count = 1, .contacts = &contact, .compliance = w};
  tacLawSolverDef def = {SWEEPS, .tolerance = {1e-8, 1e-4}, .most_sweeps = 50};
  tacContactReport report = solve(&problem, &def);
  ck_assert(report.unsolved == 0 && report.sweeps == 1);
  ck_assert_double_eq_tol(contact.force[0], 2.0, 1e-12); /* 1 mm over both */
  ck_assert_double_eq_tol(contact.motion[0], -6e-4, 1e-15);
}

/* A contact for which no force can be computed is unsolved, even if its residual without a force is within the
 * tolerance: an undefined friction, a compliance of zero with and without a grip, and a force above the limit of
 * 1e100 N. */
TAC_TEST(a_contact_without_a_computable_force_is_unsolved_within_the_tolerance) {
  const struct {
    double compliance, friction;
    bool grabbed;
  } cases[] = {{1.0, NAN, false}, {0.0, 0.5, false}, {0.0, 0.5, true}, {2e-100, 0.5, false}, {1.0, 0.5, false}};
  for (int k = 0; k < 5; ++k) {
    double a = cases[k].compliance, w[9] = {a, 0.0, 0.0, 0.0, a, 0.0, 0.0, 0.0, a};
    tacLawContact contact = {.gap = -1e3, .friction = cases[k].friction, .grabbed = cases[k].grabbed, .part = {-1, -1}};
    tacLawProblem problem = {.count = 1, .contacts = &contact, .compliance = w};
    tacLawSolverDef def = {SWEEPS, .tolerance = {1e4, 1e-4}, .most_sweeps = 3};
    tacContactReport report = solve(&problem, &def);
    ck_assert_int_eq(report.unsolved, k < 4);
    ck_assert_double_eq_tol(contact.force[0], k < 4 ? 0.0 : 1e3, 1e-9);
    ck_assert_double_eq_tol(report.residual.metres, k < 4 ? 1e3 : 0.0, 1e-9);
  }
}

TAC_TEST(too_small_an_arena_leaves_contacts_unsolved) {
  make_stack(1, &MASS, 0.1, 0.5, &one);
  one.contacts[1].force[0] = 7.0;
  static unsigned char memory[128];
  tacArena arena = tac_arena_over(memory, sizeof memory);
  tacLawSolverDef def = {SWEEPS, .tolerance = {1e-8, 1e-4}, .most_sweeps = 50};
  tacContactReport report = tac_law_solve(&one.problem, &def, &arena);
  ck_assert(report.unsolved == 4 && report.sweeps == 0 && arena.used == 0);
  for (int i = 0; i < 4; ++i) {
    ck_assert_int_eq(one.contacts[i].state, TAC_CONTACT_NONE);
    for (int a = 0; a < 3; ++a) ck_assert_double_eq(one.contacts[i].force[a], 0.0);
    ck_assert_double_eq(one.contacts[i].motion[0], one.contacts[i].gap);
  }
}

TAC_TEST(the_form_with_fewer_multiplications_is_chosen) {
  tacRandom random = tac_random_seed(8);
  make_parts(&random, 2, false, &one);
  ck_assert(tac_law_solver_built(&one.problem, &(tacLawSolverDef){SWEEPS, .form = TAC_DELASSUS_CHEAPER}));
  ck_assert(!tac_law_solver_built(&one.problem, &(tacLawSolverDef){SWEEPS, .form = TAC_DELASSUS_UNBUILT}));
  make_parts(&random, 60, false, &one);
  ck_assert(!tac_law_solver_built(&one.problem, &(tacLawSolverDef){SWEEPS, .form = TAC_DELASSUS_CHEAPER}));
  ck_assert(tac_law_solver_built(&one.problem, &(tacLawSolverDef){SWEEPS, .form = TAC_DELASSUS_BUILT}));
  make_parts(&random, 20, false, &one); /* a sweep has fewer on W, but building it takes more than that saves */
  for (int i = 0; i < 20; ++i) {
    one.contacts[i].part[0] = 0;
    one.contacts[i].part[1] = 1;
  }
  ck_assert(!tac_law_solver_built(&one.problem, &(tacLawSolverDef){SWEEPS, .form = TAC_DELASSUS_CHEAPER}));
  tacLawProblem none = {0};
  tacLawSolverDef def = {SWEEPS, .tolerance = {1e-8, 1e-4}, .most_sweeps = 50};
  tacContactReport report = solve(&none, &def);
  ck_assert(report.unsolved == 0 && report.residual.metres == 0.0);
}
