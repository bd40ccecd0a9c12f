#include "contact/laws/law_solver.h"

#include "contact/law_case.h"
#include "contact/laws/coulomb.h"
#include "contact/laws/delassus.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_methods.h"
#include "contact/natural_map.h"

static Case one;

static const tacContactSolver three[] = {TAC_CONTACT_NEWTON, TAC_CONTACT_AUTOMATIC, TAC_CONTACT_GAUSS_SEIDEL};

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

static tacLawSolverDef within(const Case *c, tacContactSolver method, double share) {
  tacLawSolverDef def = tac_law_solver_def_default();
  def.method = method;
  def.tolerance = (tacContactMeasure){share * c->size, share * c->size / c->give};
  def.most_sweeps = 200;
  def.most_steps = 300;
  return def;
}

/* The motion of contact i by plain loops, of free motions and forces as they stand. Returns the largest term. */
static double find_motion(const Case *c, int i, double u[3]) {
  size_t n = 3 * (size_t)c->problem.count;
  const tacLawContact *a = &c->contacts[i];
  double terms = c->size;
  u[0] = a->gap, u[1] = a->slip[0], u[2] = a->slip[1];
  for (size_t r = 0; r < 3; ++r)
    for (size_t k = 0; k < n; ++k) {
      double term = c->w[(3 * (size_t)i + r) * n + k] * c->contacts[k / 3].force[k % 3];
      u[r] += term;
      terms = fmax(terms, fabs(term));
    }
  return terms;
}

/* De Saxce's natural map. */
static void expect_laws(const Case *c, double share, const char *what) {
  for (int i = 0; i < c->problem.count; ++i) {
    const tacLawContact *a = &c->contacts[i];
    double u[3], terms = find_motion(c, i, u);
    double map = natural_map(u, a->force, a->friction, 1.0 / c->give);
    ck_assert_msg(map <= share * terms / c->give, "%s: contact %d of %d: %g of %g", what, i, c->problem.count, map,
                  share * terms / c->give);
  }
}

static void forget(Case *c) {
  for (int i = 0; i < c->problem.count; ++i) memset(c->contacts[i].force, 0, sizeof c->contacts[i].force);
}

TAC_TEST(random_problems_obey_the_laws) {
  tacRandom random = tac_random_seed(1);
  int trials = tac_test_light() ? 20 : 150;
  for (int trial = 0; trial < trials; ++trial)
    for (Kind kind = DENSE; kind < KINDS; ++kind) {
      int count = trial % 30 == 29 && !tac_test_light() ? MOST : 1 + trial % 25;
      make_case(&random, kind, count, 0.3, &one);
      choose_solution(&random, &one);
      for (int sparse = 0; sparse < 2; ++sparse) {
        if (sparse == 1) give_w(&one, true);
        for (int k = 0; k < 2; ++k) {
          char what[100];
          snprintf(what, sizeof what, "trial %d, kind %d, %s, method %d", trial, kind, sparse ? "blocks" : "", k);
          forget(&one);
          tacLawSolverDef def = within(&one, three[k], 1e-8);
          tacContactReport report = solve(&one.problem, &def);
          ck_assert_msg(report.unsolved == 0, "%s: %d of %d unsolved, %g of %g", what, report.unsolved, count,
                        report.residual.metres, def.tolerance.metres);
          expect_laws(&one, 1e-7, what);
          bool pushes = false;
          for (int i = 0; i < count; ++i) pushes = pushes || one.contacts[i].force[0] > 0.0;
          report = solve(&one.problem, &def); /* from there nothing is left to do */
          ck_assert(report.unsolved == 0 && (!pushes || (report.steps == 0 && report.sweeps == 0)));
        }
      }
    }
}

/* Positive definite, and little friction: the solution is the only one, in whatever form W comes and whoever finds it. */
TAC_TEST(forms_and_methods_give_the_same_forces) {
  tacRandom random = tac_random_seed(2);
  static double forces[3 * MOST];
  for (int trial = 0; trial < 10; ++trial) {
    int count = 4 + 2 * trial;
    make_case(&random, TOOL_AND_BODY, count, 0.05, &one);
    for (int i = 0; i < count; ++i) one.contacts[i].softness = 0.0;
    find_w(&one);
    size_t n = 3 * (size_t)count;
    give_w(&one, false);
    for (size_t r = 0; r < n; ++r) one.w[r * n + r] += 10.0; /* what couples contacts is less */
    one.give += 10.0;
    choose_solution(&random, &one);
    for (int k = 0; k < 5; ++k) {
      const tacContactSolver methods[] = {TAC_CONTACT_GAUSS_SEIDEL, TAC_CONTACT_DIAGONAL, TAC_CONTACT_NEWTON,
                                          TAC_CONTACT_AUTOMATIC, TAC_CONTACT_NEWTON};
      if (k == 4) give_w(&one, true);
      forget(&one);
      tacLawSolverDef def = within(&one, methods[k], 1e-11);
      tacContactReport report = solve(&one.problem, &def);
      ck_assert_int_eq(report.unsolved, 0);
      if (methods[k] == TAC_CONTACT_NEWTON) ck_assert_int_le(report.steps, 8); /* it is quadratic */
      for (size_t r = 0; r < n; ++r) {
        double f = one.contacts[r / 3].force[r % 3];
        if (k > 0) ck_assert_double_eq_tol(f, forces[r], 1e-8);
        if (k == 0) forces[r] = f;
      }
    }
    give_w(&one, false);
  }
}

/* Newton's method is quadratic with sliding in any direction. */
TAC_TEST(newton_takes_few_steps_with_much_friction) {
  tacRandom random = tac_random_seed(14);
  for (int trial = 0; trial < 20; ++trial) {
    int count = 4 + trial;
    make_case(&random, DENSE, count, 0.8, &one);
    for (size_t r = 0, n = 3 * (size_t)count; r < n; ++r) one.w[r * n + r] += 1.0;
    one.give += 1.0;
    choose_solution(&random, &one);
    tacLawSolverDef def = within(&one, TAC_CONTACT_NEWTON, 1e-11);
    tacContactReport report = solve(&one.problem, &def);
    ck_assert_int_eq(report.unsolved, 0);
    ck_assert_int_le(report.steps, 8);
  }
}

/* With much friction and few steps, some problems stay unsolved. */
TAC_TEST(reported_residual_is_that_of_the_forces) {
  tacRandom random = tac_random_seed(3);
  int unsolved = 0;
  for (int trial = 0; trial < (tac_test_light() ? 20 : 100); ++trial) {
    make_case(&random, trial % KINDS, 20 + trial % 13, 5.0, &one);
    choose_solution(&random, &one);
    tacLawSolverDef def = within(&one, TAC_CONTACT_AUTOMATIC, 1e-10);
    def.most_steps = 64;
    tacContactReport report = solve(&one.problem, &def);
    double metres = 0.0, newtons = 0.0;
    for (int i = 0; i < one.problem.count; ++i) {
      double u[3];
      find_motion(&one, i, u);
      tacContactMeasure residual =
          tac_coulomb_residual(u, one.contacts[i].force, one.contacts[i].friction, def.tolerance);
      metres = fmax(metres, residual.metres);
      newtons = fmax(newtons, residual.newtons);
    }
    ck_assert_double_eq_tol(report.residual.metres, metres, def.tolerance.metres + 1e-6 * metres);
    ck_assert_double_eq_tol(report.residual.newtons, newtons, def.tolerance.newtons + 1e-6 * newtons);
    unsolved += report.unsolved > 0;
  }
  ck_assert_int_gt(unsolved, 0);
}

TAC_TEST(stacks_carry_the_weight_above) {
  for (int k = 0; k < 8; ++k) {
    double mass[10], angle = k % 4 < 2 ? 0.0 : 0.03;                           /* it would tip over at 0.05 */
    for (int b = 0; b < 10; ++b) mass[b] = k < 4 ? 0.5 : b == 9 ? 100.0 : 0.1; /* alike, or 1000 : 1 on top */
    make_stack(10, mass, angle, 0.5, &one);
    tacLawSolverDef def = tac_law_solver_def_default();
    def.method = three[k % 2];
    def.tolerance = (tacContactMeasure){1e-12, 1e-8};
    def.most_steps = 300;
    tacContactReport report = solve(&one.problem, &def);
    ck_assert_msg(report.unsolved == 0, "%d: %d unsolved, %g m, %g N", k, report.unsolved, report.residual.metres,
                  report.residual.newtons);
    ck_assert_double_le(report.residual.metres, 1e-12);
    double above = 0.0;
    for (int b = 9; b >= 0; --b) {
      double sum[3] = {0.0, 0.0, 0.0};
      for (int i = 4 * b; i < 4 * b + 4; ++i)
        for (int a = 0; a < 3; ++a) sum[a] += one.contacts[i].force[a];
      /* Corners are held within 1e-12 m, so a box tilts by 2e-12 / EDGE more than the one beneath it, and the tenth moves
       * by less than 10 + 10 * 11 times that; what that takes of a force is m / h^2 of it. */
      above += mass[b];
      double little = 150.0 * above * 1e-12 / (STEP * STEP) + 1e-7;
      ck_assert_double_eq_tol(sum[0], above * GRAVITY * cos(angle), little);
      ck_assert_double_eq_tol(sum[1], -above * GRAVITY * sin(angle), little);
      ck_assert_double_eq_tol(sum[2], 0.0, little);
    }
  }
}

/* Boxes in a row on the floor, each on four corners and against the one before it. */
TAC_TEST(a_thousand_contacts_are_solved) {
  enum { BODIES = 201, EACH = 5 };
  int count = BODIES * EACH, filled = 0, sizes[BODIES];
  TAC_MEMORY(tacLawContact, contacts) = calloc((size_t)count, sizeof *contacts);
  double(*rows)[2][3 * SIX] = calloc((size_t)count, sizeof *rows);
  TAC_MEMORY(int, first) = calloc((size_t)count + 1, sizeof *first);
  TAC_MEMORY(int, column) = calloc((size_t)count * 16, sizeof *column);
  TAC_MEMORY(int, diagonal) = calloc((size_t)count, sizeof *diagonal);
  double *entries = tac_test_alloc((size_t)count * 16 * 9 * sizeof *entries), per = STEP / sqrt(0.5);
  const tacVec3 up[3] = {tac_vec3(0.0, 0.0, 1.0), tac_vec3(1.0, 0.0, 0.0), tac_vec3(0.0, 1.0, 0.0)};
  const tacVec3 along[3] = {tac_vec3(1.0, 0.0, 0.0), tac_vec3(0.0, 1.0, 0.0), tac_vec3(0.0, 0.0, 1.0)};
  for (int i = 0; i < count; ++i) {
    tacLawContact *a = &contacts[i];
    int b = i / EACH, k = i % EACH;
    tacVec3 at = tac_vec3(k % 2 == 0 ? 0.05 : -0.05, k < 2 ? 0.05 : -0.05, -0.05);
    a->part[0] = b;
    a->part[1] = k == 4 ? b - 1 : -1;
    a->friction = 0.3;
    for (int s = 0; s < 2; ++s) a->rows[s] = rows[i][s];
    if (k < 4) {
      give_rigid(at, up, per, per * sqrt(6.0) / EDGE, rows[i][0]);
      a->gap = -STEP * STEP * GRAVITY;
      a->slip[0] = b == BODIES - 1 ? -20.0 * STEP * STEP * GRAVITY : 0.0; /* the last one is pushed into the others */
    } else {
      give_rigid(tac_vec3(-0.05, 0.0, 0.0), along, per, per * sqrt(6.0) / EDGE, rows[i][0]);
      give_rigid(tac_vec3(0.05, 0.0, 0.0), along, -per, -per * sqrt(6.0) / EDGE, rows[i][1]);
      a->gap = b == BODIES - 1 ? -20.0 * STEP * STEP * GRAVITY : 0.0;
      if (b == 0) a->gap = 1.0; /* there is none before it */
    }
  }
  for (int b = 0; b < BODIES; ++b) sizes[b] = SIX;
  tacLawProblem problem = {.count = count, .contacts = contacts, .part_count = BODIES, .part_size = sizes};
  double most = 0.0;
  for (int i = 0; i < count; ++i) {
    for (int j = i - 2 * EACH; j <= i + 2 * EACH; ++j) {
      if (j < 0 || j >= count) continue;
      tacMat3 block = tac_delassus_block(&problem, i, j);
      double sum = 0.0;
      for (int e = 0; e < 9; ++e) sum += fabs(entries[9 * filled + e] = block.m[e / 3][e % 3]);
      if (sum == 0.0) continue;
      if (i == j) diagonal[i] = filled;
      if (i == j) most = fmax(most, block.m[0][0]);
      column[filled++] = j;
    }
    first[i + 1] = filled;
  }
  for (int i = 0; i < count; ++i) contacts[i].part[0] = contacts[i].part[1] = -1;
  tacContactProblem blocks = {
      .count = count, .first = first, .column = column, .entries = entries, .diagonal = diagonal};
  problem = (tacLawProblem){.count = count, .contacts = contacts, .blocks = &blocks};
  tacLawSolverDef def = tac_law_solver_def_default();
  double way = STEP * STEP * GRAVITY;
  def.tolerance = (tacContactMeasure){1e-8 * way, 1e-8 * way / most};
  def.most_steps = 400;
  tacContactReport report = solve(&problem, &def);
  ck_assert_msg(report.unsolved == 0, "%d unsolved, %g m, %g N of %g m, %d steps, %d sweeps", report.unsolved,
                report.residual.metres, report.residual.newtons, way, report.steps, report.sweeps);
  double carried = 0.0;
  for (int i = 0; i < count; ++i)
    if (i % EACH < 4) carried += contacts[i].force[0];
  /* boxes push each other along, and nothing up but the floor, which none leaves */
  ck_assert_double_eq_tol(carried, BODIES * 0.5 * GRAVITY, 1e-5 * BODIES * 0.5 * GRAVITY);
  free(rows);
}

/* ---- what is degenerate ---- */

TAC_TEST(duplicate_contacts_share_the_force_of_one) {
  tacRandom random = tac_random_seed(3);
  for (int trial = 0; trial < 20; ++trial) {
    int count = 3 + trial;
    make_case(&random, TOOL_ALONE, count, 0.8, &one);
    /* a plate on the floor: all normals are z; every second contact is the one before it, again */
    const tacVec3 axes[3] = {tac_vec3(0.0, 0.0, 1.0), tac_vec3(1.0, 0.0, 0.0), tac_vec3(0.0, 1.0, 0.0)};
    for (int i = 0; i < count; ++i) {
      double angle = 2.1 * (i / 2);
      give_rigid(tac_vec3(cos(angle), sin(angle), -0.1), axes, 1.0, 1.0, one.rows[i][0]);
      one.contacts[i].gap = -1.0;
      one.contacts[i].slip[0] = trial % 2 == 0 ? 0.0 : 5.0; /* sticks, slides */
      one.contacts[i].friction = 0.5;
    }
    find_w(&one);
    find_size(&one);
    for (int k = 0; k < 2; ++k) {
      forget(&one);
      tacLawSolverDef def = within(&one, three[k], 1e-9);
      ck_assert_int_eq(solve(&one.problem, &def).unsolved, 0);
      expect_laws(&one, 1e-8, "a plate");
    }
  }
}

/* The same problem in any units is the same problem: masses from 1e-12 to 1e12 kg. */
TAC_TEST(solution_is_independent_of_units) {
  tacRandom random = tac_random_seed(4);
  const double frictions[] = {0.0, 0.3, 10.0};
  for (int k = 0; k < 3; ++k)
    for (int power = -12; power <= 12; power += 6) {
      make_case(&random, DENSE, 12, 0.0, &one);
      for (int i = 0; i < 12; ++i) one.contacts[i].friction = frictions[k];
      for (int i = 0; i < 36; ++i) one.w[37 * i] += 4.0; /* so that a friction of 10 has one solution */
      one.give += 4.0;
      for (int i = 0; i < 36 * 36; ++i) one.w[i] *= pow(10.0, power);
      one.give *= pow(10.0, power);
      for (int i = 0; i < 12; ++i) {
        one.contacts[i].gap = tac_random_normal(&random);
        one.contacts[i].slip[0] = tac_random_normal(&random);
        one.contacts[i].slip[1] = tac_random_normal(&random);
      }
      find_size(&one);
      for (int method = 0; method < 2; ++method) {
        forget(&one);
        tacLawSolverDef def = within(&one, three[method], 1e-9);
        ck_assert_int_eq(solve(&one.problem, &def).unsolved, 0);
        expect_laws(&one, 1e-8, "in other units");
      }
    }
}

/* One that cannot move penetrates; the others are solved. And all such. */
TAC_TEST(immovable_contacts_are_reported) {
  tacRandom random = tac_random_seed(5);
  for (int k = 0; k < 2; ++k)
    for (int method = 0; method < 2; ++method) {
      make_case(&random, DENSE, 6, 0.4, &one);
      for (int i = 0; i < 6; ++i) one.contacts[i].gap = -1.0;
      for (size_t r = 0; r < 18; ++r)
        for (size_t s = 0; s < 18; ++s)
          if (k == 1 || r / 3 == 2 || s / 3 == 2) one.w[r * 18 + s] = 0.0;
      find_size(&one);
      tacLawSolverDef def = within(&one, three[method], 1e-9);
      tacContactReport report = solve(&one.problem, &def);
      ck_assert(report.infeasible);
      ck_assert_int_eq(report.unsolved, k == 0 ? 1 : 6);
      ck_assert_double_eq(report.residual.metres, 1.0);
    }
}

/* A thing between two walls that are too near: no force makes room. Both are as deep as each other with the best. */
TAC_TEST(infeasible_problem_is_reported) {
  const double w[36] = {[0] = 1.0, [3] = -1.0, [18] = -1.0, [21] = 1.0, [7] = 1.0, [14] = 1.0, [28] = 1.0, [35] = 1.0};
  for (int method = 0; method < 2; ++method) {
    tacLawContact contacts[2] = {{.gap = -3.0, .part = {-1, -1}, .friction = 0.2 * method},
                                 {.gap = -1.0, .part = {-1, -1}, .friction = 0.2 * method}};
    tacLawProblem problem = {.count = 2, .contacts = contacts, .compliance = w};
    tacLawSolverDef def = tac_law_solver_def_default();
    def.method = TAC_CONTACT_NEWTON;
    tacContactReport report = solve(&problem, &def);
    ck_assert(report.infeasible && report.unsolved > 0);
    ck_assert_double_le(report.residual.metres, 3.0);
    ck_assert_double_ge(report.residual.metres, 2.0 - 1e-6);
    ck_assert_double_le(report.residual.metres, 2.1);
    ck_assert_int_le(report.steps, def.most_steps);
    for (int i = 0; i < 2; ++i) ck_assert_double_le(contacts[i].force[0], 100.0); /* 3 m on N/m: not without bound */
  }
}

/* What is not a number stays in its contact. */
TAC_TEST(non_finite_contact_is_skipped) {
  tacRandom random = tac_random_seed(12);
  for (int k = 0; k < 12; ++k) {
    make_case(&random, TOOL_AND_BODY, 9, 0.3, &one);
    choose_solution(&random, &one);
    tacLawContact *bad = &one.contacts[4];
    bad->gap = k % 4 == 0 ? NAN : -1.0;
    if (k % 4 == 1) bad->friction = NAN;
    if (k % 4 == 2) one.rows[4][1][7] = INFINITY;
    if (k % 4 == 3) bad->slip[1] = -INFINITY;
    tacLawSolverDef def = within(&one, three[k / 4], 1e-9);
    def.tolerance = (tacContactMeasure){1e-8, 1e-8};
    if (k >= 8) def.most_sweeps = 20000;
    tacContactReport report = solve(&one.problem, &def);
    ck_assert_int_eq(report.unsolved, 1);
    ck_assert_double_eq(bad->force[0], 0.0);
  }
}

/* Matrices that no bodies have: finite forces in their cones, bounded work. */
TAC_TEST(any_matrix_terminates_with_finite_forces) {
  tacRandom random = tac_random_seed(6);
  const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1.0, 0.0, 1e-300};
  for (int trial = 0; trial < (tac_test_light() ? 30 : 200); ++trial) {
    int count = 1 + trial % 12;
    make_case(&random, trial % 2 == 0 ? DENSE : TOOL_AND_BODY, count, 5.0, &one);
    if (trial % 2 == 1) give_w(&one, true);
    size_t n = 9 * (size_t)count * (size_t)count;
    double *numbers = trial % 2 == 1 ? one.entries : one.w;
    for (size_t k = 0; k < n && trial % 3 > 0; ++k)
      numbers[k] = tac_random_normal(&random); /* not symmetric, not definite */
    for (int i = 0; i < count; ++i) one.contacts[i].gap = tac_random_normal(&random);
    if (trial % 3 == 2) numbers[tac_random_bits(&random) % n] = odd[trial % 7];
    if (trial % 5 == 0) one.contacts[0].gap = odd[trial % 7];
    if (trial % 5 == 1) one.contacts[0].friction = odd[trial % 7];
    for (int i = 0; trial % 5 == 2 && i < 3 * count; ++i)
      one.contacts[i / 3].force[i % 3] = odd[tac_random_bits(&random) % 7];
    tacLawSolverDef def = tac_law_solver_def_default();
    for (tacContactSolver method = TAC_CONTACT_AUTOMATIC; method <= TAC_CONTACT_PYRAMID; ++method) {
      def.method = method;
      def.most_steps = 60;
      tacContactReport report = solve(&one.problem, &def);
      if (method != TAC_CONTACT_PYRAMID) ck_assert_int_le(report.steps, def.most_steps);
      ck_assert_int_le(report.sweeps, def.most_sweeps + 20 * def.most_steps);
    }
  }
}

/* A box that hangs by two corners which hold both ways: neither moves, wherever the search begins. */
TAC_TEST(grabbed_contacts_do_not_move) {
  const double mass = 0.3, start[3] = {0.0, 1.0, -2.0};
  for (int method = 0; method < 3; ++method) {
    make_stack(1, &mass, 2.5, 0.3, &one);
    one.problem.count = 2;
    for (int i = 0; i < 2; ++i) {
      one.contacts[i].grabbed = true;
      memcpy(one.contacts[i].force, start, sizeof start);
    }
    find_w(&one);
    find_size(&one);
    tacLawSolverDef def = within(&one, three[method], 1e-10);
    tacContactReport report = solve(&one.problem, &def);
    ck_assert_int_eq(report.unsolved, 0);
    ck_assert_double_le(report.residual.metres, 1e-10 * one.size);
    for (int i = 0; i < 2; ++i) ck_assert_int_eq(one.contacts[i].state, TAC_CONTACT_GRABBED);
    ck_assert_double_lt(one.contacts[0].force[0] + one.contacts[1].force[0], 0.0); /* it hangs */
  }
}

TAC_TEST(too_small_an_arena_falls_back_to_sweeps) {
  tacRandom random = tac_random_seed(7);
  make_case(&random, TOOL_AND_BODY, 20, 0.4, &one);
  choose_solution(&random, &one);
  tacLawSolverDef def = within(&one, TAC_CONTACT_AUTOMATIC, 1e-4),
                  sweeps = within(&one, TAC_CONTACT_GAUSS_SEIDEL, 1e-4);
  size_t room = tac_law_solver_room(&one.problem, &sweeps);
  def.most_sweeps = 3;
  tacArena arena;
  tac_test_ok(tac_arena_create(room, "laws", &arena, &error), error);
  tacContactReport report = tac_law_solve(&one.problem, &def, &arena); /* what sweeps reach */
  ck_assert(report.sweeps == 3 && report.steps == 0 && report.unsolved > 0 && arena.used == 0);
  tac_arena_destroy(&arena);
  static unsigned char memory[256];
  arena = tac_arena_over(memory, sizeof memory);
  report = tac_law_solve(&one.problem, &def, &arena);
  ck_assert(report.unsolved == 20 && arena.used == 0);
  for (int i = 0; i < 20; ++i) ck_assert_double_eq(one.contacts[i].force[0], 0.0);
}

/* What is measured before there is a problem is enough for every one. */
TAC_TEST(room_estimates_are_large_enough) {
  tacRandom random = tac_random_seed(13);
  for (int count = 1; count <= 60; ++count)
    for (Kind kind = DENSE; kind < KINDS; ++kind)
      for (int method = 0; method < 2; ++method) {
        make_case(&random, kind, count, count % 2 == 0 ? 0.5 : 0.0, &one);
        tacLawSolverDef def = within(&one, three[method], 1e-6);
        size_t room = tac_law_solver_room(&one.problem, &def);
        ck_assert_uint_le(room, tac_law_solver_room_most(60, 2, SIX + THIRTY, kind == DENSE));
        ck_assert_uint_le(room, tac_law_solver_room_most(count, 2, SIX + THIRTY, kind == DENSE));
      }
}

TAC_TEST(the_same_problem_gives_the_same_bits) {
  tacRandom random = tac_random_seed(8);
  static double forces[3 * 15];
  for (tacContactSolver method = TAC_CONTACT_AUTOMATIC; method <= TAC_CONTACT_PYRAMID; ++method) {
    make_case(&random, TOOL_AND_BODY, 15, 0.5, &one);
    choose_solution(&random, &one);
    tacLawSolverDef def = within(&one, method, 1e-10);
    for (int k = 0; k < 2; ++k) {
      forget(&one);
      solve(&one.problem, &def);
      for (int i = 0; i < 15; ++i) {
        if (k == 1) ck_assert_mem_eq(forces + 3 * i, one.contacts[i].force, sizeof one.contacts[i].force);
        memcpy(forces + 3 * i, one.contacts[i].force, sizeof one.contacts[i].force);
      }
    }
  }
}

/* ---- without friction ---- */

TAC_TEST(frictionless_problems_use_normals_only) {
  tacRandom random = tac_random_seed(9);
  for (int trial = 0; trial < 60; ++trial) {
    int count = 2 + trial % 40;
    make_case(&random, (Kind)(trial % KINDS), count, 0.0, &one);
    for (int i = 0; i < count; ++i) { /* a solution is chosen */
      one.contacts[i].slip[0] = tac_random_normal(&random);
      one.contacts[i].slip[1] = tac_random_normal(&random);
    }
    choose_solution(&random, &one);
    tacLawSolverDef def = within(&one, trial % 2 == 0 ? TAC_CONTACT_AUTOMATIC : TAC_CONTACT_NEWTON, 1e-9);
    static unsigned char memory[1 << 19];
    tacArena arena = tac_arena_over(memory, sizeof memory);
    tacLawIterate iterate;
    ck_assert(tac_law_frictionless_fits(&one.problem));
    ck_assert(tac_law_iterate_begin(&one.problem, false, &arena, &iterate));
    tacContactReport alone = tac_law_frictionless_improve(&iterate, def.tolerance, &arena);
    ck_assert_msg(alone.unsolved == 0, "trial %d: %d of %d", trial, alone.unsolved, count); /* without help of others */
    ck_assert_int_eq((int)arena.refused, 0);
    tacContactReport report = solve(&one.problem, &def);
    ck_assert_int_eq(report.unsolved, 0);
    expect_laws(&one, 1e-8, "without friction");
    for (int i = 0; i < count; ++i) ck_assert(one.contacts[i].force[1] == 0.0 && one.contacts[i].force[2] == 0.0);
  }
}

/* ---- pyramids ---- */

/* Contacts of a soft body that slide in any direction: 30 cases, as Figure 7 has. gamma of (26), in the mean. */
static double mean_gamma(int sides) {
  tacRandom random = tac_random_seed(10);
  double sum = 0.0;
  for (int trial = 0; trial < 30; ++trial) {
    int count = 4 + trial % 5;
    make_case(&random, TOOL_AND_BODY, count, 0.0, &one);
    size_t n = 3 * (size_t)count;
    give_w(&one, false);
    for (size_t r = 0; r < n; ++r) one.w[r * n + r] += 5.0;
    one.give += 5.0;
    double angle = tac_random_uniform(&random, -3.2, 3.2);
    for (int i = 0; i < count; ++i) {
      one.contacts[i].friction = 0.1;
      one.contacts[i].gap = -1.0;
      one.contacts[i].slip[0] = 10.0 * cos(angle);
      one.contacts[i].slip[1] = 10.0 * sin(angle);
    }
    find_size(&one);
    double exact[3 * MOST], difference = 0.0, size = 0.0;
    tacLawSolverDef def = within(&one, TAC_CONTACT_NEWTON, 1e-10);
    ck_assert_int_eq(solve(&one.problem, &def).unsolved, 0);
    for (size_t r = 0; r < n; ++r) exact[r] = one.contacts[r / 3].force[r % 3];
    def.method = TAC_CONTACT_PYRAMID;
    def.sides = sides;
    ck_assert(!solve(&one.problem, &def).infeasible);
    for (size_t r = 0; r < n; ++r) {
      double off = one.contacts[r / 3].force[r % 3] - exact[r];
      difference += off * off;
      size += exact[r] * exact[r];
    }
    sum += sqrt(difference / size) / 30.0;
  }
  return sum;
}

TAC_TEST(pyramids_converge_with_more_sides) {
  double before = INFINITY;
  for (int sides = 4; sides <= 32; sides *= 2) {
    double gamma = mean_gamma(sides);
    ck_assert_double_lt(gamma, 0.9 * before); /* the angle between two sides halves each time; slips are random */
    if (sides == 16) ck_assert_double_lt(gamma, 0.05);
    before = gamma;
  }
}

/* Equations (23), for what Lemke's method returns: signs and products. */
TAC_TEST(pyramids_obey_their_own_law) {
  tacRandom random = tac_random_seed(11);
  for (int trial = 0; trial < 40; ++trial) {
    int count = 1 + trial % 8, sides = 3 + trial % 6;
    make_case(&random, trial % 2 == 0 ? DENSE : TOOL_AND_BODY, count, 0.6, &one);
    for (int i = 0; i < count; ++i) {
      one.contacts[i].gap = tac_random_normal(&random);
      one.contacts[i].slip[0] = tac_random_normal(&random);
    }
    find_size(&one);
    tacLawSolverDef def = within(&one, TAC_CONTACT_PYRAMID, 1e-10);
    def.sides = sides;
    ck_assert(!solve(&one.problem, &def).infeasible);
    size_t n = 3 * (size_t)count;
    for (int i = 0; i < count; ++i) {
      const tacLawContact *a = &one.contacts[i];
      double u[3] = {a->gap, a->slip[0], a->slip[1]}, slip = 0.0, work = 0.0, radius = 0.0;
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < n; ++k) u[r] += one.w[(3 * (size_t)i + r) * n + k] * one.contacts[k / 3].force[k % 3];
      ck_assert_double_ge(u[0], -1e-6 * one.size);
      ck_assert_double_le(fabs(u[0] * a->force[0]), 1e-6 * one.size * one.size / one.give);
      /* friction is the force of the pyramid that works the most against the slip: l = max of -t_r . u_t, and
       * f_t . u_t = -l mu f_n; and it is in the pyramid: mu f_n cos(pi / k) from its sides */
      for (int s = 0; s < sides; ++s) {
        double angle = 2.0 * acos(-1.0) * s / sides, middle = angle + acos(-1.0) / sides;
        slip = fmax(slip, -(cos(angle) * u[1] + sin(angle) * u[2]));
        radius = fmax(radius, cos(middle) * a->force[1] + sin(middle) * a->force[2]);
      }
      work = a->force[1] * u[1] + a->force[2] * u[2];
      ck_assert_double_eq_tol(work, -slip * a->friction * a->force[0], 1e-6 * one.size * one.size / one.give);
      ck_assert_double_le(radius, a->friction * a->force[0] * cos(acos(-1.0) / sides) + 1e-6 * one.size / one.give);
    }
  }
}
