/* What bodies hold that a hand may get back. */
#include "world/store.h"

#include "world/pair_bench.h"

static const double mass = 0.5; /* kg */

static tacWorld *with_finger(void) {
  tacWorld *world = begin(0.0);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
  return world;
}

static tacToolOutput step_at(tacWorld *world, tacVec3 at) {
  tacToolInput input = {.position = at, .orientation = {1.0, 0.0, 0.0, 0.0}};
  tacToolOutput output;
  step_world(world, &input, &output);
  return output;
}

static const tacVec3 far_away = {0.0, 0.0, 10.0}, none = {0.0, 0.0, 0.0};

/* Thrown up, it holds what it was given, whether as speed or as height: of implicit Euler, m (g h)^2 / 2 less a step. */
TAC_TEST(stored_energy_converts_between_speed_and_height) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = with_finger();
  const double g = 9.81, speed = 1.0, h = tac_world_period(world);
  add_free_block(world, &b, "block", mass, none, tac_vec3(0.0, 0.0, speed), tac_vec3(0.0, 0.0, -g));
  tac_test_ok(tac_world_seal(world, &error), error);
  for (int k = 1; k <= 150; ++k) { /* up, and halfway down */
    step_at(world, far_away);
    ck_assert_double_eq_tol(tac_world_tool_stored(world, 0),
                            0.5 * mass * speed * speed - k * 0.5 * mass * g * g * h * h, 1e-9);
  }
  tac_world_reset(world);
  ck_assert_double_eq(tac_world_tool_stored(world, 0), 0.0);
}

/* A finger may get what the body holds that it touches; without contact what any body holds. */
TAC_TEST(finger_gets_energy_only_of_bodies_it_touches) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = with_finger();
  const double speed = 0.5, flying = 0.5 * mass * speed * speed;
  add_free_block(world, &b, "touched", mass, none, none, none);
  add_free_block(world, &b, "flies", mass, tac_vec3(1.0, 0.0, 0.0), tac_vec3(speed, 0.0, 0.0), none);
  tac_test_ok(tac_world_seal(world, &error), error);
  int touched = 0;
  double given = 0.0;
  tacVec3 last = none;
  for (int k = 0; k < 400; ++k) { /* comes down by 0.05 m/s, and up again before it is stopped */
    double z = HALF + 1e-3 + 5e-5 * (k < 60 ? -k : k - 120), way = k == 0 ? 0.0 : k <= 60 ? -5e-5 : 5e-5;
    tacToolOutput output = step_at(world, tac_vec3(0.0, 0.0, z));
    double stored = tac_world_tool_stored(world, 0);
    given -= 0.5 * (output.force.z + last.z) * way;
    last = output.force;
    tacVec3 velocity;
    tac_world_body_motion(world, tac_world_body(world, 0), NULL, &velocity, NULL, NULL);
    double moving = 0.5 * mass * tac_vec3_norm2(velocity);
    if (output.contact.state == TAC_CONTACT_NONE) {
      ck_assert_double_eq_tol(stored, flying + moving, 1e-12);
      continue;
    }
    ++touched;
    /* what it holds and the spring on it are less than what the finger gave: the rest was damped */
    ck_assert_double_eq_tol(stored, moving + 0.5 * tac_vec3_norm2(output.force) / 300.0, 1e-12);
    ck_assert_double_le(stored, given + 1e-9);
  }
  ck_assert_int_gt(touched, 10);
  ck_assert_double_gt(given, 1e-6);
}
