#include "contact/laws/law_system.h"

#include "contact/law_case.h"
#include "contact/laws/frictional_problem.h"

/* States that Newton's steps have: none, one to three unknowns, columns of T and P that are not the same. */
static void make_unknowns(tacRandom *random, int count, tacLawUnknowns *unknowns) {
  for (int i = 0; i < count; ++i) {
    tacLawUnknowns *u = &unknowns[i];
    memset(u, 0, sizeof *u);
    u->count = (int)(tac_random_bits(random) % 4);
    for (int k = 0; k < u->count; ++k) {
      u->press[k][k] = u->test[k][k] = 1.0;
      u->own[k][k] = tac_random_uniform(random, 0.5, 1.0);
      for (int l = 0; l < 3; ++l) {
        u->press[k][l] += 0.1 * tac_random_normal(random);
        if (l < u->count) u->own[k][l] += 0.1 * tac_random_normal(random);
      }
    }
  }
}

/* b - (P^T W T + D) x by plain loops, of the size of its largest term. */
static double left_of(const Case *c, const tacLawUnknowns *unknowns, const double *b, const double *x) {
  size_t n = 3 * (size_t)c->problem.count;
  double worst = 0.0;
  for (int i = 0; i < c->problem.count; ++i)
    for (int p = 0; p < unknowns[i].count; ++p) {
      double sum = b[unknowns[i].at + p], size = fabs(sum);
      for (int j = 0; j < c->problem.count; ++j)
        for (int q = 0; q < unknowns[j].count; ++q) {
          double entry = i == j ? unknowns[i].own[p][q] : 0.0;
          if (i == j && c->problem.part_count == 0) /* what find_w has not seen */
            entry += c->contacts[i].softness * unknowns[i].test[p][0] * unknowns[i].press[q][0];
          for (size_t r = 0; r < 9; ++r)
            entry += unknowns[i].test[p][r / 3] * c->w[(3 * (size_t)i + r / 3) * n + 3 * (size_t)j + r % 3] *
                     unknowns[j].press[q][r % 3];
          sum -= entry * x[unknowns[j].at + q];
          size = fmax(size, fabs(entry * x[unknowns[j].at + q]));
        }
      worst = fmax(worst, fabs(sum) / fmax(size, 1e-300));
    }
  return worst;
}

TAC_TEST(all_forms_solve_their_equations) {
  tacRandom random = tac_random_seed(1);
  static Case one;
  static double b[3 * MOST], x[3 * MOST];
  int seen[3] = {0, 0, 0};
  for (int trial = 0; trial < (tac_test_light() ? 20 : 60); ++trial) {
    int count = trial % 20 == 19 ? MOST : 1 + trial; /* large ones go in panels */
    make_case(&random, (Kind)(trial % KINDS), count, 0.5, &one);
    if (trial % 4 == 3) { /* sparse: what couples contacts that are far from each other is left out */
      size_t n = 3 * (size_t)count;
      for (size_t r = 0; r < n; ++r)
        for (size_t s = 0; s < n; ++s)
          if ((r / 3 > s / 3 ? r / 3 - s / 3 : s / 3 - r / 3) % 7 > 2) one.w[r * n + s] = 0.0;
      for (size_t r = 0; r < n; ++r) one.w[r * n + r] += 3.0 * count;
      give_w(&one, true);
    }
    for (int i = 0; i < count; ++i) one.contacts[i].softness = i % 3 == 0 ? 0.3 : 0.0;
    if (one.problem.part_count > 0) find_w(&one);
    TAC_FREED(tac_arena_destroy, tacArena, arena);
    tacLawIterate iterate;
    tacLawSystem system;
    bool built = tac_law_system_built(&one.problem);
    size_t room = tac_law_iterate_room(count, one.problem.part_count, tac_law_iterate_coordinates(&one.problem), built);
    room += tac_law_system_room(&one.problem) + TAC_ARENA_ALIGNMENT;
    tac_test_ok(tac_arena_create(room, "equations", &arena, &error), error);
    ck_assert(tac_law_iterate_begin(&one.problem, built, &arena, &iterate));
    ck_assert(tac_law_system_take(&iterate, &arena, &system));
    make_unknowns(&random, count, system.unknowns);
    ck_assert(tac_law_system_factor(&system));
    for (int k = 0; k < system.size; ++k) b[k] = x[k] = tac_random_normal(&random);
    tac_law_system_solve(&system, x);
    ck_assert_double_le(left_of(&one, system.unknowns, b, x), 1e-10);
    ++seen[system.form];
  }
  for (int form = 0; form < 3; ++form) ck_assert_int_gt(seen[form], 0);
}

/* Contacts without unknowns take no part; a contact whose D has no inverse is refused by the reduced form. */
TAC_TEST(singular_systems_are_rejected) {
  tacRandom random = tac_random_seed(2);
  static Case one;
  static unsigned char memory[1 << 20];
  make_case(&random, TOOL_ALONE, 9, 0.5, &one);
  tacArena arena = tac_arena_over(memory, sizeof memory);
  tacLawIterate iterate;
  tacLawSystem system;
  ck_assert(tac_law_iterate_begin(&one.problem, false, &arena, &iterate));
  ck_assert(tac_law_system_take(&iterate, &arena, &system));
  ck_assert_int_eq(system.form, TAC_LAW_SYSTEM_CONDENSED);
  memset(system.unknowns, 0, 9 * sizeof *system.unknowns);
  ck_assert(tac_law_system_factor(&system));
  ck_assert_int_eq(system.size, 0);
  system.unknowns[3].count = 1;
  system.unknowns[3].press[0][0] = system.unknowns[3].test[0][0] = 1.0;
  ck_assert(!tac_law_system_factor(&system));
  arena = tac_arena_over(memory, 300);
  ck_assert(!tac_law_system_take(&iterate, &arena, &system));
}

/* All contacts coupled with all: a dense LU, (3 m)^3 / 3 multiplications but for lower orders. A chain: none, since rows begin where
 * the columns before them end. Contacts that are apart take none. */
TAC_TEST(cost_is_counted_in_the_envelope) {
  enum { COUNT = 20 };
  static int first[COUNT + 1], column[COUNT * COUNT], diagonal[COUNT];
  static double entries[9 * COUNT * COUNT];
  static tacLawContact contacts[COUNT];
  tacArena arena;
  tac_test_ok(tac_arena_create(4096, "order", &arena, &error), error);
  for (int chain = 0; chain < 2; ++chain) {
    int filled = 0;
    for (int i = 0; i < COUNT; ++i) {
      first[i] = filled;
      for (int j = 0; j < COUNT; ++j)
        if (!chain || abs(i - j) < 2) column[filled++] = j;
    }
    first[COUNT] = filled;
    const tacContactProblem blocks = {
        .count = COUNT, .first = first, .column = column, .entries = entries, .diagonal = diagonal};
    const tacLawProblem problem = {.count = COUNT, .contacts = contacts, .blocks = &blocks};
    for (int apart = 0; apart <= COUNT; apart += 5) {
      double left = COUNT - apart;
      for (int i = 0; i < COUNT; ++i)
        contacts[i] = (tacLawContact){.part = {-1, -1}, .motion = {i < apart ? 1.0 : 0.0}};
      double cost = tac_law_system_envelope_cost(&problem, 0.5, &arena);
      ck_assert_double_eq(cost, chain ? 0.0 : 9.0 * left * (left - 1.0) * (left - 2.0));
    }
  }
  ck_assert_int_eq((int)arena.used, 0);
  tac_arena_destroy(&arena);
}
