#include <tactus/world.h>
#include "world/pair_bench.h"
#include "world/world_interpenetration.h"
#include "world/world_view.h"

/* A held block, a ground, and the tip of a point tool. */
typedef struct Scene {
  Bench bench;
  tacWorld *world;
  tacWorldInterpenetration *within;
  double *state;
  tacSnapshot snapshot;
} Scene;

static Scene make_scene(double height, bool paired, bool closed) {
  Scene s = {.bench = make_bench()};
  if (!closed) --s.bench.ground->triangle_count;
  tacWorldDef def = tac_world_def_default();
  s.world = tac_test_kept(tacWorld, tac_world_create(&def, &made, &error));
  tacBodyId ground = add_rigid(s.world, "ground", s.bench.ground, NULL, s.bench.plane, tac_vec3(0.0, 0.0, 0.0));
  tacBodyId block = add_rigid(s.world, "block", s.bench.block, s.bench.shell, NULL, tac_vec3(0.0, 0.0, height));
  s.bench.tool.body = block;
  tac_test_ok(tac_world_add_body_tool(s.world, &s.bench.tool, NULL, &error), error);
  tac_test_ok(tac_world_add_point_tool(s.world, &(tacPointToolDef){.name = "tip"}, NULL, &error), error);
  s.bench.pair.points = block;
  s.bench.pair.field = ground;
  if (paired) tac_test_ok(tac_world_add_pair(s.world, &s.bench.pair, NULL, &error), error);
  tac_test_ok(tac_world_seal(s.world, &error), error);
  tac_test_ok(tac_world_interpenetration_create(s.world, &s.within, &error), error);
  tac_test_keep(s.within, tac_world_interpenetration_destroy);
  s.state = tac_test_alloc((size_t)tac_world_state_size(s.world) * sizeof *s.state);
  tac_world_state(s.world, s.state);
  s.snapshot = (tacSnapshot){.state = s.state, .tool_count = 2};
  return s;
}

static tacSeenWithin look(Scene *s) {
  return tac_test_made(tacSeenWithin, tac_world_interpenetration_at(s->within, &s->snapshot, &made, &error));
}

/* The ground is 10 mm thick: a block 3 mm in it is 3 mm deep, one that is 14 mm in it 5 mm by the nearest face (the ground's faces
 * are that deep in the block, too, at most 14 mm) and 14 mm through. */
TAC_TEST(depth_of_a_pair_matches_its_poses) {
  Scene s = make_scene(HALF - 0.003, true, true);
  tacSeenWithin seen = look(&s);
  ck_assert_int_eq(seen.count, 1);
  ck_assert_int_eq(seen.bodies[0].body[0], 0);
  ck_assert_int_eq(seen.bodies[0].body[1], 1);
  ck_assert_int_eq(seen.bodies[0].pair, 0);
  ck_assert_double_eq_tol(seen.bodies[0].is.depth, 0.003, 0.021 * 0.003 + 4e-6);
  int pose = tac_world_body_pose_state(s.world, tac_world_body(s.world, 1));
  s.state[pose + 2] = HALF - 0.014;
  seen = look(&s);
  ck_assert_int_eq(seen.count, 1);
  ck_assert_double_eq_tol(seen.bodies[0].is.through, 0.014, 0.021 * 0.014 + 4e-6);
  s.state[pose + 2] = HALF + 0.001;
  seen = look(&s);
  ck_assert_int_eq(seen.count, 0);
}

TAC_TEST(unpaired_bodies_may_overlap) {
  Scene s = make_scene(HALF - 0.003, false, true);
  ck_assert_int_eq(look(&s).count, 0);
}

TAC_TEST(tip_depth_is_that_of_the_displayed_tip) {
  Scene s = make_scene(HALF + 0.1, true, true);
  s.snapshot.output[1].proxy = tac_vec3(0.2, 0.1, -0.002);
  tacSeenWithin seen = look(&s);
  ck_assert_int_eq(seen.tip_count, 1);
  ck_assert_int_eq(seen.tips[0].tool, 1);
  ck_assert_int_eq(seen.tips[0].body, 0);
  ck_assert_double_eq_tol(seen.tips[0].depth, 0.002, 1e-12);
  s.snapshot.lifted[1] = true;
  ck_assert_int_eq(look(&s).tip_count, 0);
  s.snapshot.lifted[1] = false;
  s.snapshot.output[1].proxy.z = 0.002;
  ck_assert_int_eq(look(&s).tip_count, 0);
}

TAC_TEST(open_surfaces_are_left_out) {
  Scene s = make_scene(HALF - 0.003, true, false);
  ck_assert_int_eq(look(&s).count, 0);
  ck_assert(!tac_world_interpenetration_covers(s.within, tac_world_body(s.world, 0)));
  ck_assert(tac_world_interpenetration_covers(s.within, tac_world_body(s.world, 1)));
  ck_assert(!tac_world_interpenetration_covers(s.within, (tacBodyId){0, 0}));
}
