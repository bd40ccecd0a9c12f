/* The experiments of Duriez et al. 2006 as `tactus bench signorini` makes them, without their times. */
#include "bench/contact/signorini_experiments.h"

#include "physics/small_scene.h"

/* Figure 7: with 16 sides the mean gap is below 5 %, with 8 it is not. */
TAC_TEST(pyramids_of_sixteen_sides_are_within_five_percent_on_the_table) {
  tacSidesExperiment e;
  TAC_CREATE(tacScene, scene, tac_scene_parse(tac_signorini_table, "table.yaml", &scene, &error));
  bake_scene(scene);
  TAC_OWN(tacWorld, world) = world_of(scene);
  tac_test_ok(tac_signorini_experiment_sides(world, 6, 2, 3, &e, &error), error);
  ck_assert_int_eq(e.unsolved, 0);
  ck_assert_double_ge(e.sliding, 80.0);
  ck_assert_int_eq(e.sides[2], 8);
  ck_assert_int_eq(e.sides[4], 16);
  ck_assert_double_gt(e.gap[2], 5.0);
  ck_assert_double_lt(e.gap[4], 5.0);
}
