#include "contact/laws/law_islands.h"

#include "contact/law_case.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_solver.h"

enum { ISLANDS = 24, EACH = 7, CONTACTS = ISLANDS * EACH, BLOCKS = CONTACTS * EACH };

static Case one;
static int first[CONTACTS + 1], column[BLOCKS], diagonal[CONTACTS];
static double entries[9 * BLOCKS];
static tacLawContact contacts[CONTACTS], alone[CONTACTS];
static tacContactMeasure tolerance;

static tacContactReport solve(const tacLawProblem *problem, int steps) {
  tacLawSolverDef def = tac_law_solver_def_default();
  tacArena arena;
  def.tolerance = tolerance;
  def.most_sweeps = 200;
  def.most_steps = steps;
  tac_test_ok(tac_arena_create(tac_law_solver_room(problem, &def), "laws", &arena, &error), error);
  tacContactReport report = tac_law_solve(problem, &def, &arena);
  ck_assert_int_eq((int)arena.refused, 0);
  ck_assert_int_eq((int)arena.used, 0);
  tac_arena_destroy(&arena);
  check_cones(problem);
  return report;
}

/* Seven contacts on a rigid body, island by island, each solved alone; and all of them in one W, contact k of island s at place
 * k ISLANDS + s. Returns how many islands' contacts were not solved alone. */
static int make_islands(tacContactProblem *blocks, tacLawProblem *together, int steps) {
  tacRandom random = tac_random_seed(7);
  int unsolved = 0;
  tolerance = (tacContactMeasure){1e-9, 1e-9};
  for (int i = 0; i <= CONTACTS; ++i) first[i] = EACH * i;
  for (int s = 0; s < ISLANDS; ++s) {
    make_case(&random, TOOL_ALONE, EACH, 0.8, &one);
    choose_solution(&random, &one);
    give_w(&one, true);
    for (int a = 0; a < EACH; ++a) {
      int to = a * ISLANDS + s;
      contacts[to] = one.contacts[a];
      diagonal[to] = EACH * to + a;
      for (int b = 0; b < EACH; ++b) {
        column[EACH * to + b] = b * ISLANDS + s;
        memcpy(entries + 9 * (size_t)(EACH * to + b), one.entries + 9 * (size_t)(EACH * a + b), 9 * sizeof *entries);
      }
    }
    unsolved += solve(&one.problem, steps).unsolved;
    for (int a = 0; a < EACH; ++a) alone[a * ISLANDS + s] = one.contacts[a];
  }
  *blocks = (tacContactProblem){
      .dimension = 3, .count = CONTACTS, .first = first, .column = column, .entries = entries, .diagonal = diagonal};
  *together = (tacLawProblem){.count = CONTACTS, .contacts = contacts, .blocks = blocks};
  return unsolved;
}

/* Nothing that happens elsewhere reaches an island: the same forces, motions and states, to the last bit. */
TAC_TEST(islands_are_solved_independently) {
  tacContactProblem blocks;
  tacLawProblem together;
  int unsolved = make_islands(&blocks, &together, 200);
  tacContactReport report = solve(&together, 200);
  ck_assert_int_eq(report.unsolved, unsolved);
  for (int i = 0; i < CONTACTS; ++i) {
    ck_assert_mem_eq(contacts[i].force, alone[i].force, sizeof alone[i].force);
    ck_assert_mem_eq(contacts[i].motion, alone[i].motion, sizeof alone[i].motion);
    ck_assert_int_eq(contacts[i].state, alone[i].state);
  }
}

/* Contacts that one triangle of W couples are of one island; a chain of all is not split. */
TAC_TEST(coupled_contacts_share_an_island) {
  enum { CHAIN = 80 };
  static int begin[CHAIN + 1], next[2 * CHAIN], own[CHAIN];
  static double numbers[9 * 2 * CHAIN];
  static tacLawContact links[CHAIN];
  tacContactProblem blocks = {
      .dimension = 3, .count = CHAIN, .first = begin, .column = next, .entries = numbers, .diagonal = own};
  const tacLawProblem problem = {.count = CHAIN, .contacts = links, .blocks = &blocks};
  for (int cut = -1; cut < CHAIN - 1; cut += 13) { /* the contact that is not coupled with the next one */
    int filled = 0;
    for (int i = 0; i < CHAIN; ++i) {
      begin[i] = own[i] = filled;
      next[filled++] = i;
      if (i + 1 < CHAIN && i != cut) next[filled++] = i + 1;
    }
    begin[CHAIN] = filled;
    for (int i = 0; i < CHAIN; ++i) links[i].gap = i;
    tacArena arena;
    tac_test_ok(tac_arena_create(tac_law_islands_room(&problem) + TAC_ARENA_ALIGNMENT, "islands", &arena, &error),
                error);
    tacLawIslands islands;
    ck_assert(tac_law_islands_find(&problem, &arena, &islands) == (cut >= 0));
    ck_assert_int_eq((int)arena.refused, 0);
    if (cut < 0) {
      ck_assert_int_eq((int)arena.used, 0);
    } else {
      ck_assert_int_eq(islands.count, 2);
      ck_assert_int_eq(islands.island[0].laws.count, cut + 1);
      ck_assert_int_eq(islands.island[1].laws.count, CHAIN - cut - 1);
      ck_assert_double_eq(islands.island[1].laws.contacts[0].gap, cut + 1.0);
      ck_assert_int_eq(islands.island[1].blocks.column[0], 0);
    }
    tac_arena_destroy(&arena);
  }
}
