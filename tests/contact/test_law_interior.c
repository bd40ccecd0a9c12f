#include "contact/laws/law_interior.h"

#include "contact/law_case.h"
#include "contact/natural_map.h"

/* From nothing, without any other method: forces are inside of their cones all the way, f . v falls, and at its end de
 * Saxce's natural map says that the laws nearly hold. */
TAC_TEST(interior_path_converges_to_the_laws) {
  tacRandom random = tac_random_seed(1);
  static Case one;
  for (int trial = 0; trial < (tac_test_light() ? 10 : 40); ++trial) {
    int count = 1 + trial % 15;
    make_case(&random, trial % 2 == 0 ? DENSE : TOOL_AND_BODY, count, 0.5, &one);
    for (int i = 0; i < count; ++i) one.contacts[i].friction = i % 4 == 3 ? 0.0 : 0.1 + one.contacts[i].friction;
    choose_solution(&random, &one);
    TAC_FREED(tac_arena_destroy, tacArena, arena);
    tacLawIterate iterate;
    tacLawSystem system;
    tacLawInterior interior;
    bool built = tac_law_system_built(&one.problem), out[MOST] = {false};
    size_t room = tac_law_iterate_room(count, one.problem.part_count, tac_law_iterate_coordinates(&one.problem), built);
    room += tac_law_system_room(&one.problem) + tac_law_interior_room(count) + TAC_ARENA_ALIGNMENT;
    tac_test_ok(tac_arena_create(room, "inside", &arena, &error), error);
    ck_assert(tac_law_iterate_begin(&one.problem, built, &arena, &iterate));
    ck_assert(tac_law_system_take(&iterate, &arena, &system));
    double weight[MOST];
    for (int i = 0; i < count; ++i) weight[i] = 1.0 / one.give;
    ck_assert(tac_law_interior_begin(&system, out, weight, &arena, &interior));
    int steps = 0;
    while (interior.gap > 1e-10 * interior.first && steps < 60 && tac_law_interior_step(&iterate, &interior)) {
      ++steps;
      for (int i = 0; i < count; ++i) {
        const double *f = interior.f + 3 * (size_t)i;
        ck_assert_double_gt(f[0], 0.0);
        ck_assert_double_le(sqrt(f[1] * f[1] + f[2] * f[2]), one.contacts[i].friction * f[0]);
      }
    }
    ck_assert_msg(interior.gap <= 1e-10 * interior.first, "trial %d: %g of %g", trial, interior.gap, interior.first);
    size_t n = 3 * (size_t)count;
    for (int i = 0; i < count; ++i) {
      const tacLawContact *a = &one.contacts[i];
      double u[3] = {a->gap, a->slip[0], a->slip[1]};
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < n; ++k) u[r] += one.w[(3 * (size_t)i + r) * n + k] * interior.f[k];
      ck_assert_double_le(natural_map(u, interior.f + 3 * (size_t)i, a->friction, 1.0 / one.give),
                          1e-3 * one.size / one.give);
    }
  }
}
