/* What a host does with bodies while a world runs. */
#include "world/pair_bench.h"
#include "world/world_parts.h"

static tacWorld *free_block(Bench *b, bool movable) {
  tacWorldDef def = tac_world_def_default();
  def.movable = movable;
  tacWorld *world = tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
  const tacVec3 none = {0.0, 0.0, 0.0};
  add_free_block(world, b, "block", 0.5, none, none, none);
  add_rigid(world, "ground", b->ground, NULL, b->plane, tac_vec3(0.0, 0.0, -1.0));
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

static void run(tacWorld *world, int ticks) {
  for (int i = 0; i < ticks; ++i) step_world(world, NULL, NULL);
}

/* m v = F t, and nothing turns where the force is at the centre; beside it L = r x F t. */
TAC_TEST(push_changes_momentum) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = free_block(&b, false);
  tacBodyId block = tac_world_body(world, 0);
  for (int i = 0; i < 10; ++i) {
    tac_test_ok(tac_world_push_body(world, block, tac_vec3(0.0, 0.0, HALF), tac_vec3(3.0, 0.0, 0.0), &error), error);
    run(world, 1);
    tac_world_move_body(world, block, &(tacPose){.orientation = {1.0, 0.0, 0.0, 0.0}}, world->bodies[0].frame.linear,
                        world->bodies[0].frame.angular, &error);
  }
  tacVec3 velocity, spin;
  ck_assert_int_eq(tac_world_body_motion(world, block, NULL, &velocity, &spin, NULL), TAC_OK);
  ck_assert_double_eq_tol(velocity.x, 3.0 * 0.01 / 0.5, 1e-12);
  ck_assert_double_eq_tol(spin.y, HALF * 3.0 * 0.01 / 1e-4, 1e-9);
  ck_assert_double_eq_tol(velocity.y + velocity.z + spin.x + spin.z, 0.0, 1e-12);
  run(world, 1);
  tacVec3 after;
  tac_world_body_motion(world, block, NULL, &after, NULL, NULL); /* a push is for one step */
  ck_assert_double_eq_tol(after.x, velocity.x, 1e-12);
}

TAC_TEST(move_body_changes_the_pose) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = free_block(&b, true);
  tacBodyId ground = tac_world_body(world, 1);
  tacPose to = {.position = {0.1, 0.2, 0.3}, .orientation = {0.0, 1.0, 0.0, 0.0}}, now;
  tacVec3 none = {0.0, 0.0, 0.0};
  tac_test_ok(tac_world_move_body(world, ground, &to, none, none, &error), error);
  run(world, 10);
  tac_world_body_motion(world, ground, &now, NULL, NULL, NULL);
  ck_assert_double_eq(tac_vec3_distance(now.position, to.position), 0.0);
  double *state = tac_test_alloc((size_t)tac_world_state_size(world) * sizeof *state);
  tac_world_state(world, state);
  tacSnapshot snapshot = {.state = state};
  tacPose shown = tac_world_snapshot_pose(world, &snapshot, ground);
  ck_assert_double_eq(tac_vec3_distance(shown.position, to.position), 0.0);
  ck_assert_double_eq(shown.orientation[1], 1.0);
  tac_world_reset(world);
  tac_world_body_motion(world, ground, &now, NULL, NULL, NULL);
  ck_assert_double_eq(now.position.z, -1.0);
}

/* A held block that rubs on a plane: it goes on bit for bit from a state that was kept. */
TAC_TEST(saved_state_continues_bitwise) {
  Bench b = make_bench();
  b.pair.friction = 0.4;
  TAC_OWN(tacWorld, world) = block_world(&b);
  size_t size = tac_world_memory_size(world);
  TAC_MEMORY(void, memory) = malloc(size);
  tacToolOutput first[200], again;
  lead(world, tac_vec3(0.0, 0.0, HALF + 0.001), tac_vec3(0.0, 0.0, HALF - 0.004), 50);
  tac_test_ok(tac_world_save(world, size, memory, &error), error);
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 200; ++i) {
      tacQuat tilt = tac_quat_from_axis_angle(tac_vec3(0.0, 0.0, 1.0), 1e-3 * i);
      again = step(world, tac_vec3(5e-5 * i, 1e-5 * i, HALF - 0.004), tilt, NULL);
      if (turn == 0)
        first[i] = again;
      else
        ck_assert(memcmp(&first[i].force, &again.force, sizeof again.force) == 0 &&
                  memcmp(&first[i].torque, &again.torque, sizeof again.torque) == 0);
    }
    ck_assert_double_gt(tac_vec3_norm(again.force), 0.1);
    tac_test_ok(tac_world_load(world, size, memory, &error), error);
  }
  ck_assert_int_eq(tac_world_load(world, size - 1, memory, &error), TAC_ERR_ARGUMENT);
}

TAC_TEST(misuse_returns_error_messages) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = begin(0.0);
  tacBodyId id = add_rigid(world, "block", b.block, NULL, b.box, tac_vec3(0.0, 0.0, 0.0));
  tacVec3 none = {0.0, 0.0, 0.0}, bad = {NAN, 0.0, 0.0};
  tacPose pose = {.orientation = {1.0, 0.0, 0.0, 0.0}};
  tac_test_refused(tac_world_push_body(world, id, none, none, &error), TAC_ERR_ARGUMENT, error, "not sealed");
  ck_assert_int_eq(tac_world_push_body(NULL, id, none, none, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_seal(NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_create(NULL, &(tacWorld *){NULL}, &error), TAC_ERR_ARGUMENT);
  ck_assert_uint_eq(tac_world_memory_size(world), 0);
  tac_test_ok(tac_world_seal(world, &error), error);
  ck_assert_int_eq(tac_world_push_body(world, id, bad, none, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_push_body(world, (tacBodyId){0, 0}, none, none, &error), TAC_ERR_ARGUMENT);
  tac_test_refused(tac_world_move_body(world, id, &pose, none, none, &error), TAC_ERR_ARGUMENT, error, "movable");
  for (int i = 0; i < TAC_WORLD_MOST_PUSHES; ++i)
    ck_assert_int_eq(tac_world_push_body(world, id, none, none, &error), TAC_OK);
  ck_assert_int_eq(tac_world_push_body(world, id, none, none, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_ne(tac_version(), "");
}
