/* The template of a kind (examples/template_kind.c), as it is: loaded, parsed, baked and pressed. */
#include <tactus/tactus.h>
#include "scene/scene_text.h"

#define STIFFNESS 500.0 /* N/m */
#define TOUCH 300.0     /* N/m */
static const char button_scene[] =
    "tactus: 1\n"
    "bodies:\n"
    "  - {name: b, kind: button, size: [20 mm, 20 mm, 10 mm], stiffness: 500 N/m, mass: 20 g, damping: 2 Ns/m,\n"
    "     touch: {stiffness: 300 N/m}, position: [0, 0, 5 mm], gravity: [0, 0, 0]}\n"
    "tools:\n"
    "  - {name: t, kind: point, device: {kind: operator, preset: premium-3, path: [{at: [0, 0, 1 m]}]}}\n";

static void load_button(void) {
  tacError error = {0};
  tac_test_ok(tac_body_kind_load(TAC_TEST_BUTTON, &error), error);
  ck_assert_ptr_nonnull(tac_body_kind_find("button"));
}

static void step(tacWorld *world, const tacToolInput *input, tacToolOutput *output, int count) {
  for (int i = 0; i < count; ++i) {
    tacTickReport report = {0};
    tac_world_step(world, input, output, &report);
    ck_assert_int_eq(report.refused, 0);
  }
}

/* m: the height of the top above rest. */
static double height(const tacWorld *world) {
  double state[64];
  ck_assert_int_le(tac_world_state_size(world), 64);
  tac_world_state(world, state);
  return state[tac_world_body_state(world, tac_world_find_body(world, "b"))];
}

/* The force of two springs in series, as the comment of the template says; and when the finger leaves, none, and the top is back. */
TAC_TEST(a_finger_feels_touch_and_spring_in_series) {
  load_button();
  TAC_OWN(tacScene, scene) = bake(button_scene, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacToolInput input = {.position = {0.003, -0.002, 0.02}, .orientation = {1.0}};
  tacToolOutput output;
  step(world, &input, &output, 1);
  while (input.position.z > 0.011) {
    input.position.z -= 1e-5;
    step(world, &input, &output, 1);
  }
  step(world, &input, &output, 1000);
  double depth = 0.015 - input.position.z, force = STIFFNESS * TOUCH / (STIFFNESS + TOUCH) * depth;
  ck_assert_double_eq_tol(output.force.z, force, 1e-6 * force);
  ck_assert_double_eq_tol(height(world), -force / STIFFNESS, 1e-6 * force / STIFFNESS);
  input.position.z = 0.02;
  step(world, &input, &output, 3000);
  ck_assert_double_eq(output.force.z, 0.0);
  ck_assert_double_eq_tol(height(world), 0.0, 1e-9);
}

/* Its own weight moves the top by m g / k. */
TAC_TEST(the_top_sags_under_its_weight) {
  load_button();
  TAC_OWN(tacScene, scene) = bake(edited(button_scene, "gravity: [0, 0, 0]", "gravity: [0, 0, -10 m/s2]"), "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacToolInput input = {.position = {0.0, 0.0, 1.0}, .orientation = {1.0}};
  tacToolOutput output;
  step(world, &input, &output, 3000);
  ck_assert_double_eq_tol(height(world), -0.02 * 10.0 / STIFFNESS, 1e-9);
}

/* A saved world goes on where it was, and a reset one is at rest. */
TAC_TEST(states_are_saved_and_reset) {
  load_button();
  TAC_OWN(tacScene, scene) = bake(edited(button_scene, "gravity: [0, 0, 0]", "gravity: [0, 0, -10 m/s2]"), "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacToolInput input = {.position = {0.0, 0.0, 1.0}, .orientation = {1.0}};
  tacToolOutput output;
  tacError error = {0};
  step(world, &input, &output, 10);
  size_t size = tac_world_memory_size(world);
  TAC_MEMORY(unsigned char, saved) = malloc(size);
  tac_test_ok(tac_world_save(world, size, saved, &error), error);
  step(world, &input, &output, 10);
  double later = height(world);
  tac_test_ok(tac_world_load(world, size, saved, &error), error);
  step(world, &input, &output, 10);
  ck_assert_double_eq(height(world), later);
  tac_world_reset(world);
  ck_assert_double_eq(height(world), 0.0);
}

TAC_TEST(keys_are_checked_by_the_row) {
  static const Mistake cases[] = {
      {"stiffness: 500 N/m", "stiffness: 500 N",
       "s:3: bodies[0].stiffness: 500 N is not a stiffness; write it like 1500 N/m"},
      {" mass: 20 g,", " mass: 0 g,", "s:3: bodies[0].mass: 0 g is out of range"},
      {" stiffness: 500 N/m,", "", "s:3: bodies[0]: a body needs stiffness"},
  };
  load_button();
  check_reading(button_scene, sizeof cases / sizeof *cases, cases, BEGINS);
}
