#include "contact/laws/gauss_seidel.h"

#include <float.h>
#include "contact/laws/delassus.h"
#include "contact/make_laws.h"
#include "contact/natural_map.h"
#include "contact/siconos_problem.h"
#include "test.h"

static tacError error;

static tacGaussSeidelReport solve(const tacLawProblem *problem, const tacGaussSeidelDef *def) {
  tacArena arena;
  size_t coordinates = 0;
  for (int p = 0; p < problem->part_count; ++p) coordinates += (size_t)problem->part_size[p];
  size_t room = tac_gauss_seidel_room(problem->count, problem->part_count, coordinates, def->form);
  tac_test_ok(tac_arena_create(room, "laws", &arena, &error), error);
  tacGaussSeidelReport report = tac_gauss_seidel_solve(problem, def, &arena);
  ck_assert_int_eq((int)arena.refused, 0);
  ck_assert_int_eq((int)arena.used, 0);
  tac_arena_destroy(&arena);
  for (int i = 0; i < problem->count; ++i) { /* whatever happened */
    const double *f = problem->contacts[i].force;
    ck_assert(isfinite(f[0]) && isfinite(f[1]) && isfinite(f[2]));
    ck_assert_double_ge(f[0], 0.0);
    ck_assert_double_le(sqrt(f[1] * f[1] + f[2] * f[2]),
                        fmax(problem->contacts[i].friction, 0.0) * f[0] * (1.0 + 4.0 * DBL_EPSILON));
  }
  return report;
}

static tacGaussSeidelDef exact(tacDelassusForm form, int sweeps) {
  return (tacGaussSeidelDef){.tolerance = {1e-200, 1e-200}, .most_sweeps = sweeps, .form = form};
}

/* ---- a box on a slope: six coordinates (m, rad), four corners ---- */

typedef struct Box {
  tacLawProblem problem;
  tacLawContact contacts[4];
  double rows[4][3][6];
} Box;

static const int SIX = 6;
static const double STEP = 1e-3, MASS = 0.3, GRAVITY = 9.81, HALF = 0.05, HEIGHT = 0.02;

/* Frame: n away from the slope, t1 down it. From rest, over one step: du = h^2 (M^-1 J^T f + g). */
static void make_box(double angle, double friction, Box *box) {
  double per[6]; /* h / sqrt of mass and of moments of inertia: L^-1, for A = M / h^2 */
  for (int k = 0; k < 3; ++k) per[k] = STEP / sqrt(MASS);
  for (int k = 3; k < 6; ++k) per[k] = STEP / sqrt(MASS * HALF * HALF);
  box->problem = (tacLawProblem){.count = 4, .contacts = box->contacts, .part_count = 1, .part_size = &SIX};
  for (int i = 0; i < 4; ++i) {
    double r[3] = {-HEIGHT, i % 2 == 0 ? HALF : -HALF, i < 2 ? HALF : -HALF}; /* along n, t1, t2 */
    for (int a = 0; a < 3; ++a) {
      double e[3] = {a == 0, a == 1, a == 2};
      double turn[3] = {r[1] * e[2] - r[2] * e[1], r[2] * e[0] - r[0] * e[2], r[0] * e[1] - r[1] * e[0]};
      for (int k = 0; k < 3; ++k) {
        box->rows[i][a][k] = per[k] * e[k];
        box->rows[i][a][3 + k] = per[3 + k] * turn[k];
      }
    }
    box->contacts[i] = (tacLawContact){.gap = -STEP * STEP * GRAVITY * cos(angle),
                                       .slip = {STEP * STEP * GRAVITY * sin(angle), 0.0},
                                       .friction = friction,
                                       .part = {0, -1},
                                       .rows = {&box->rows[i][0][0], NULL}};
  }
}

TAC_TEST(a_box_sticks_on_a_slope_while_its_tangent_is_below_friction) {
  for (int k = 0; k < 12; ++k) {
    double friction = 0.2 + 0.1 * (k / 4), way = STEP * STEP * GRAVITY;
    double angle = atan(friction * (k % 4 == 0 ? 0.5 : k % 4 == 1 ? 0.95 : k % 4 == 2 ? 1.05 : 1.5));
    double slides = k % 4 < 2 ? 0.0 : way * (sin(angle) - friction * cos(angle));
    for (tacDelassusForm form = TAC_DELASSUS_BUILT; form <= TAC_DELASSUS_UNBUILT; ++form) {
      Box box;
      make_box(angle, friction, &box);
      tacGaussSeidelDef def = {.tolerance = {1e-9 * way, 1e-9 * MASS * GRAVITY}, .most_sweeps = 5000, .form = form};
      tacGaussSeidelReport report = solve(&box.problem, &def);
      ck_assert_int_eq(report.unsolved, 0);
      ck_assert_int_eq(report.built, form == TAC_DELASSUS_BUILT);
      double sum[3] = {0.0, 0.0, 0.0};
      for (int i = 0; i < 4; ++i) {
        for (int a = 0; a < 3; ++a) sum[a] += box.contacts[i].force[a];
        ck_assert_double_eq_tol(box.contacts[i].motion[0], 0.0, 2e-9 * way);
        ck_assert_double_eq_tol(box.contacts[i].motion[1], slides, 1e-6 * way);
        ck_assert_double_eq_tol(box.contacts[i].motion[2], 0.0, 1e-6 * way);
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
TAC_TEST(two_sides_of_a_groove_carry_the_same) {
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
    tacGaussSeidelDef def = {.tolerance = {1e-13 * fall, 1e-13}, .most_sweeps = 1000};
    tacGaussSeidelReport report = solve(&problem, &def);
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

TAC_TEST(a_contact_alone_takes_one_sweep) {
  tacRandom random = tac_random_seed(1);
  static Laws laws;
  for (int trial = 0; trial < 30; ++trial) {
    make_laws(&random, 1, trial % 2 == 0, &laws);
    laws.contacts[0].gap = -1.0;
    laws.contacts[0].slip[0] = tac_random_normal(&random);
    tacGaussSeidelDef def = {.tolerance = {1e-9, 1e-9}, .most_sweeps = 1};
    ck_assert_int_eq(solve(&laws.problem, &def).unsolved, 0);
  }
}

/* u and f that obey the laws are chosen, and u0 = u - W f. */
static void choose_solution(tacRandom *random, Laws *laws, double *forces) {
  static double w[9 * MOST_CONTACTS * MOST_CONTACTS];
  int count = laws->problem.count;
  for (int i = 0; i < count; ++i) {
    tacLawContact *contact = &laws->contacts[i];
    double angle = tac_random_uniform(random, -3.2, 3.2), press = tac_random_uniform(random, 0.1, 2.0);
    double share = i % 3 == 1 ? tac_random_uniform(random, 0.0, 0.9) : 1.0;
    double slip = i % 3 == 2 ? tac_random_uniform(random, 0.1, 2.0) : 0.0;
    if (i % 3 == 0) press = 0.0;
    forces[3 * i] = press;
    forces[3 * i + 1] = contact->friction * share * press * cos(angle);
    forces[3 * i + 2] = contact->friction * share * press * sin(angle);
    contact->gap = i % 3 == 0 ? tac_random_uniform(random, 0.1, 2.0) : 0.0;
    contact->slip[0] = -slip * cos(angle);
    contact->slip[1] = -slip * sin(angle);
  }
  tac_delassus_build(&laws->problem, w);
  for (int i = 0; i < count; ++i) {
    double motion[3];
    tac_delassus_built_motion(count, w, i, forces, motion);
    laws->contacts[i].gap -= motion[0];
    laws->contacts[i].slip[0] -= motion[1];
    laws->contacts[i].slip[1] -= motion[2];
  }
}

/* Parts whose blocks W_ii outweigh what couples contacts: the solution is the only one. */
static void make_dominant(tacRandom *random, int count, Laws *laws) {
  make_laws(random, count, true, laws);
  size_t n = 3 * (size_t)count;
  for (int i = 0; i < count; ++i) {
    laws->contacts[i].friction *= 0.3;
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < 3 * MOST_COORDINATES; ++k) laws->rows[i][s][k] *= 0.1;
  }
  for (size_t r = 0; r < n; ++r)
    for (size_t c = 0; c < n; ++c)
      laws->compliance[r * n + c] = 0.01 * laws->compliance[r * n + c] + (r == c) * (double)n;
}

TAC_TEST(chosen_solutions_are_found_again) {
  tacRandom random = tac_random_seed(2);
  static Laws laws;
  static double forces[3 * MOST_CONTACTS];
  int trials = tac_test_light() ? 10 : 60;
  for (int trial = 0; trial < trials; ++trial) {
    int count = 1 + trial % 40;
    make_dominant(&random, count, &laws);
    choose_solution(&random, &laws, forces);
    double size = (double)(3 * count);
    tacGaussSeidelDef def = {.tolerance = {1e-11 * size, 1e-11}, .most_sweeps = 500};
    tacGaussSeidelReport report = solve(&laws.problem, &def);
    ck_assert_int_eq(report.unsolved, 0);
    ck_assert_double_le(report.residual.metres, def.tolerance.metres);
    ck_assert_double_le(report.residual.newtons, def.tolerance.newtons);
    for (int i = 0; i < count; ++i) {
      const tacLawContact *contact = &laws.contacts[i];
      ck_assert_int_eq(contact->state, i % 3 == 0   ? TAC_CONTACT_NONE
                                       : i % 3 == 1 ? TAC_CONTACT_STICKS
                                                    : TAC_CONTACT_SLIDES);
      for (int a = 0; a < 3; ++a) ck_assert_double_eq_tol(contact->force[a], forces[3 * i + a], 1e-9);
    }
    for (tacDelassusForm form = TAC_DELASSUS_BUILT; form <= TAC_DELASSUS_UNBUILT; ++form) { /* from there: one sweep */
      def.form = form;
      report = solve(&laws.problem, &def);
      ck_assert_int_eq(report.sweeps, 1);
      ck_assert_int_eq(report.unsolved, 0);
    }
  }
}

/* The same sweeps on W, built and unbuilt, converged or not. */
TAC_TEST(built_and_unbuilt_give_the_same_forces) {
  tacRandom random = tac_random_seed(3);
  static Laws laws;
  static double forces[2][3 * MOST_CONTACTS];
  for (int trial = 0; trial < 40; ++trial) {
    int count = 1 + trial % 20;
    make_dominant(&random, count, &laws);
    if (trial % 2 == 1) laws.problem.compliance = NULL;
    choose_solution(&random, &laws, forces[0]);
    for (int k = 0; k < 2; ++k) {
      tacGaussSeidelDef def = exact(k == 0 ? TAC_DELASSUS_BUILT : TAC_DELASSUS_UNBUILT, 1 + trial % 4);
      for (int i = 0; i < count; ++i) memset(laws.contacts[i].force, 0, sizeof laws.contacts[i].force);
      ck_assert_int_eq(solve(&laws.problem, &def).sweeps, def.most_sweeps);
      for (int i = 0; i < 3 * count; ++i) forces[k][i] = laws.contacts[i / 3].force[i % 3];
    }
    double size = 1.0;
    for (int i = 0; i < 3 * count; ++i) size = fmax(size, fabs(forces[0][i]));
    for (int i = 0; i < 3 * count; ++i) ck_assert_double_eq_tol(forces[0][i], forces[1][i], 1e-11 * size);
  }
}

TAC_TEST(the_same_problem_gives_the_same_bits) {
  tacRandom random = tac_random_seed(4);
  static Laws laws;
  static double forces[3 * MOST_CONTACTS];
  for (int form = TAC_DELASSUS_CHEAPER; form <= TAC_DELASSUS_UNBUILT; ++form) {
    make_laws(&random, 20, false, &laws);
    choose_solution(&random, &laws, forces);
    tacGaussSeidelDef def = exact((tacDelassusForm)form, 5);
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 20; ++i) memset(laws.contacts[i].force, 0, sizeof laws.contacts[i].force);
      solve(&laws.problem, &def);
      for (int i = 0; i < 20; ++i) {
        if (k == 1) ck_assert_mem_eq(forces + 3 * i, laws.contacts[i].force, sizeof laws.contacts[i].force);
        memcpy(forces + 3 * i, laws.contacts[i].force, sizeof laws.contacts[i].force);
      }
    }
  }
}

/* Its report says what one finds by computing u = u0 + W f oneself. */
TAC_TEST(residuals_are_those_of_the_forces_that_are_returned) {
  tacRandom random = tac_random_seed(5);
  static Laws laws;
  static double w[9 * MOST_CONTACTS * MOST_CONTACTS], forces[3 * MOST_CONTACTS];
  int all = 0;
  for (int trial = 0; trial < 20; ++trial) {
    int count = 2 + trial;
    make_laws(&random, count, trial % 2 == 0, &laws);
    choose_solution(&random, &laws, forces);
    for (int i = 0; i < count; ++i) laws.contacts[i].friction = tac_random_uniform(&random, 0.0, 3.0);
    tacGaussSeidelDef def = {.tolerance = {1e-7, 1e-7}, .most_sweeps = trial % 4};
    tacGaussSeidelReport report = solve(&laws.problem, &def);
    for (int i = 0; i < 3 * count; ++i) forces[i] = laws.contacts[i / 3].force[i % 3];
    tac_delassus_build(&laws.problem, w);
    tacCoulombResidual worst = {0.0, 0.0};
    int unsolved = 0;
    for (int i = 0; i < count; ++i) {
      const tacLawContact *contact = &laws.contacts[i];
      double u[3];
      tac_delassus_built_motion(count, w, i, forces, u);
      u[0] += contact->gap;
      u[1] += contact->slip[0];
      u[2] += contact->slip[1];
      tacCoulombResidual residual = tac_coulomb_residual(u, forces + 3 * i, contact->friction, def.tolerance);
      worst.metres = fmax(worst.metres, residual.metres);
      worst.newtons = fmax(worst.newtons, residual.newtons);
      unsolved += !(residual.metres <= def.tolerance.metres && residual.newtons <= def.tolerance.newtons);
      u[0] -= contact->softness * forces[3 * i];
      for (int a = 0; a < 3; ++a) ck_assert_double_eq_tol(contact->motion[a], u[a], 1e-11 * laws.size * count);
    }
    ck_assert_int_eq(report.unsolved, unsolved);
    if (unsolved > 0) ck_assert_int_eq(report.sweeps, def.most_sweeps);
    all += unsolved;
    ck_assert_double_eq_tol(report.residual.metres, worst.metres, 1e-11 * laws.size * count);
    ck_assert_double_eq_tol(report.residual.newtons, worst.newtons, 1e-11 * laws.size * count);
  }
  ck_assert_int_gt(all, 0);
}

/* A soft contact is a spring of 1 / e. */
TAC_TEST(a_soft_contact_gives_way_by_its_force) {
  const double w[9] = {2e-4, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  tacLawContact contact = {.gap = -1e-3, .softness = 3e-4, .part = {-1, -1}};
  tacLawProblem problem = {.count = 1, .contacts = &contact, .compliance = w};
  tacGaussSeidelDef def = tac_gauss_seidel_def_default();
  tacGaussSeidelReport report = solve(&problem, &def);
  ck_assert(report.unsolved == 0 && report.sweeps == 1);
  ck_assert_double_eq_tol(contact.force[0], 2.0, 1e-12); /* 1 mm over both */
  ck_assert_double_eq_tol(contact.motion[0], -6e-4, 1e-15);
}

/* A box that hangs by two corners which hold both ways: neither moves, whatever the direction and wherever the search
 * begins. */
TAC_TEST(what_is_grabbed_does_not_move) {
  static const tacDelassusForm forms[2] = {TAC_DELASSUS_BUILT, TAC_DELASSUS_UNBUILT};
  for (int form = 0; form < 2; ++form) {
    Box box;
    tacArena arena;
    make_box(2.5, 0.3, &box); /* on a slope from below */
    box.problem.count = 2;
    for (int i = 0; i < 2; ++i) {
      box.contacts[i].grabbed = true;
      box.contacts[i].force[0] = 0.0; /* N */
      box.contacts[i].force[1] = 1.0;
      box.contacts[i].force[2] = -2.0;
    }
    tacGaussSeidelDef def = exact(forms[form], 500);
    tac_test_ok(tac_arena_create(tac_gauss_seidel_room(2, 1, 6, def.form), "laws", &arena, &error), error);
    tac_gauss_seidel_solve(&box.problem, &def, &arena);
    tac_arena_destroy(&arena);
    for (int i = 0; i < 2; ++i) {
      const tacLawContact *c = &box.contacts[i];
      double u[3] = {c->gap, c->slip[0], c->slip[1]};
      for (int o = 0; o < 2; ++o)
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            for (int k = 0; k < 6; ++k) u[a] += box.rows[i][a][k] * box.rows[o][b][k] * box.contacts[o].force[b];
      ck_assert_int_eq(c->state, TAC_CONTACT_GRABBED);
      for (int a = 0; a < 3; ++a) ck_assert_double_eq_tol(u[a], 0.0, 1e-9 * STEP * STEP * GRAVITY);
    }
    ck_assert_double_lt(box.contacts[0].force[0] + box.contacts[1].force[0], 0.0); /* it hangs */
  }
}

TAC_TEST(any_start_ends_in_the_cones) {
  tacRandom random = tac_random_seed(6);
  static Laws laws;
  static double forces[3 * MOST_CONTACTS];
  const double odd[] = {NAN, INFINITY, -INFINITY, -1.0, 1e300, 0.0, 1.0};
  for (int trial = 0; trial < 200; ++trial) {
    make_laws(&random, 10, false, &laws);
    choose_solution(&random, &laws, forces);
    for (int i = 0; i < 10; ++i) {
      laws.contacts[i].friction = tac_random_uniform(&random, 0.0, 5.0);
      for (int a = 0; a < 3; ++a) laws.contacts[i].force[a] = odd[tac_random_bits(&random) % 7];
    }
    tacGaussSeidelDef def = exact(trial % 2 == 0 ? TAC_DELASSUS_BUILT : TAC_DELASSUS_UNBUILT, trial % 3);
    ck_assert_int_eq(solve(&laws.problem, &def).sweeps, trial % 3);
  }
}

/* What is not a number stays in its contact. */
TAC_TEST(a_contact_that_is_not_finite_is_left_out) {
  tacRandom random = tac_random_seed(7);
  static Laws laws;
  static double forces[3 * MOST_CONTACTS];
  for (int k = 0; k < 5; ++k) {
    make_dominant(&random, 9, &laws);
    laws.problem.compliance = NULL;
    choose_solution(&random, &laws, forces);
    tacLawContact *bad = &laws.contacts[4];
    bad->gap = k == 0 ? NAN : k == 1 ? 1e6 : -1.0; /* open, and not solved */
    if (k == 1) bad->friction = NAN;
    if (k == 2) laws.rows[4][0][1] = NAN;
    if (k == 3) laws.rows[4][1][1] = INFINITY;
    if (k == 4) bad->slip[1] = -INFINITY;
    bad->force[0] = 1.0;
    tacGaussSeidelDef def = {.tolerance = {1e-6, 1e-6}, .most_sweeps = 5000, .form = TAC_DELASSUS_UNBUILT};
    tacGaussSeidelReport report = solve(&laws.problem, &def);
    ck_assert_double_eq(bad->force[0], 0.0);
    ck_assert_int_eq(report.unsolved, 1);
  }
}

TAC_TEST(too_small_an_arena_leaves_all_unsolved) {
  Box box;
  make_box(0.1, 0.5, &box);
  box.contacts[1].force[0] = 7.0;
  static unsigned char memory[512];
  tacArena arena = tac_arena_over(memory, sizeof memory);
  tacGaussSeidelDef def = tac_gauss_seidel_def_default();
  tacGaussSeidelReport report = tac_gauss_seidel_solve(&box.problem, &def, &arena);
  ck_assert(report.unsolved == 4 && report.sweeps == 0 && arena.used == 0);
  for (int i = 0; i < 4; ++i) {
    ck_assert_int_eq(box.contacts[i].state, TAC_CONTACT_NONE);
    for (int a = 0; a < 3; ++a) ck_assert_double_eq(box.contacts[i].force[a], 0.0);
    ck_assert_double_eq(box.contacts[i].motion[0], box.contacts[i].gap);
  }
}

TAC_TEST(the_form_with_fewer_multiplications_is_chosen) {
  tacRandom random = tac_random_seed(8);
  static Laws laws;
  make_laws(&random, 2, false, &laws);
  ck_assert(tac_gauss_seidel_built(&laws.problem, TAC_DELASSUS_CHEAPER));
  ck_assert(!tac_gauss_seidel_built(&laws.problem, TAC_DELASSUS_UNBUILT));
  make_laws(&random, 60, false, &laws);
  ck_assert(!tac_gauss_seidel_built(&laws.problem, TAC_DELASSUS_CHEAPER));
  ck_assert(tac_gauss_seidel_built(&laws.problem, TAC_DELASSUS_BUILT));
  make_laws(&random, 20, false, &laws); /* a sweep has fewer on W, but building it takes more than that saves */
  for (int i = 0; i < 20; ++i) {
    laws.contacts[i].part[0] = 0;
    laws.contacts[i].part[1] = 1;
  }
  ck_assert(!tac_gauss_seidel_built(&laws.problem, TAC_DELASSUS_CHEAPER));
  tacLawProblem none = {0};
  tacGaussSeidelDef def = tac_gauss_seidel_def_default();
  tacGaussSeidelReport report = solve(&none, &def);
  ck_assert(report.unsolved == 0 && report.residual.metres == 0.0);
}

/* ---- problems of Siconos ---- */

/* What Siconos 4.4 finds (nonsmooth Gauss-Seidel, tolerance 1e-10; units are the files'): sums over contacts. */
typedef struct Outside {
  const char *name;
  int sweeps;                      /* within which it is solved */
  double normal, tangential, slip; /* of f_n, |f_t| and |u_t|; NAN: not compared */
} Outside;

TAC_TEST(problems_of_others_are_solved) {
  const char *data = tac_test_data();
  if (data == NULL) return;
  const Outside problems[] = {{"FrictionContact3D_1c.dat", 1, NAN, NAN, NAN},
                              {"FC3D_Example1.dat", 2, 3.0, 0.3, 9.18683298051},
                              {"FC3D_Example1_SBM.dat", 2, 3.0, 0.3, 9.18683298051},
                              {"Rover1040.dat", 100, 100.754976079, 65.7794918545, 0.858011962769},
                              {"NESpheres_10_1.dat", 100, 3.59413048526, 0.287828836074, 4.79218706108},
                              {"NESpheres_30_1.dat", 100, 150.093, 0.0, 254.716267461},
                              {"Confeti-ex03-Fc3D-SBM.dat", 1000, 1895197.13418, 426094.99464, 115.37919376},
                              {"OneObject-i1028-138.hdf5.dat", 10000, 0.211870344744, 0.0422648823211, 1.56383233069}};
  for (int p = 0; p < (int)(sizeof problems / sizeof *problems); ++p) {
    char path[512];
    snprintf(path, sizeof path, "%s/contact/%s", data, problems[p].name);
    if (access(path, R_OK) != 0) continue;
    TAC_MEMORY(tacLawContact, contacts) = NULL;
    double *w, size = 0.0, most = 0.0, sums[3] = {0.0, 0.0, 0.0};
    int count = siconos_problem_read(path, &contacts, &w);
    tacLawProblem problem = {.count = count, .contacts = contacts, .compliance = w};
    for (int i = 0; i < count; ++i) size = fmax(size, fabs(contacts[i].gap));
    for (size_t i = 0; i < 3 * (size_t)count; ++i) most = fmax(most, w[i * 3 * (size_t)count + i]);
    tacGaussSeidelDef def = {.tolerance = {1e-10 * size, 1e-10 * size / most}, .most_sweeps = problems[p].sweeps};
    tacGaussSeidelReport report = solve(&problem, &def);
    ck_assert_msg(report.unsolved == 0, "%s: %d unsolved, %g m, %g N", problems[p].name, report.unsolved,
                  report.residual.metres, report.residual.newtons);
    for (int i = 0; i < count; ++i) {
      const tacLawContact *c = &contacts[i];
      double u[3] = {c->gap, c->slip[0], c->slip[1]};
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3 * count; ++k)
          u[a] += w[(size_t)(3 * i + a) * 3 * (size_t)count + (size_t)k] * contacts[k / 3].force[k % 3];
      ck_assert_double_le(natural_map(u, c->force, c->friction, 1.0 / most), 1e-9 * size / most);
      sums[0] += c->force[0];
      sums[1] += sqrt(c->force[1] * c->force[1] + c->force[2] * c->force[2]);
      sums[2] += sqrt(u[1] * u[1] + u[2] * u[2]);
    }
    const double right[3] = {problems[p].normal, problems[p].tangential, problems[p].slip};
    for (int k = 0; k < 3 && !isnan(right[0]); ++k)
      ck_assert_double_eq_tol(sums[k], right[k], 1e-7 * right[k] + 1e-11 * right[0]);
    free(w);
  }
}
