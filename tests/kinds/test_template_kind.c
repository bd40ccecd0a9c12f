/* The template of a kind (examples/template_kind.c), as it is: loaded, parsed, baked and pressed. */
#include <tactus/tactus.h>
#include "kinds/body_kind.h"
#include "kinds/scene_steps.h"
#include "world/world_view.h"

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
  tac_test_ok(tac_body_kind_load(TAC_TEST_BUTTON, &error), error);
  ck_assert_ptr_nonnull(tac_body_kind_find("button"));
}
TAC_TEST_AROUND(load_button, NULL)

/* m: the height of the top above rest. */
static double height(const Run *r) {
  return state_of(r)[tac_world_body_state(r->world, tac_world_find_body(r->world, "b"))];
}

/* The force of two springs in series, as the comment of the template says; and when the finger leaves, none, and the top is back. */
TAC_TEST(a_finger_feels_touch_and_spring_in_series) {
  TAC_FREED(end_run, Run, r) = begin_run(button_scene);
  r.input.position = (tacVec3){0.003, -0.002, 0.02};
  press(&r, 0.011);
  double depth = 0.015 - r.input.position.z, force = STIFFNESS * TOUCH / (STIFFNESS + TOUCH) * depth;
  ck_assert_double_eq_tol(r.output.force.z, force, 1e-6 * force);
  ck_assert_double_eq_tol(height(&r), -force / STIFFNESS, 1e-6 * force / STIFFNESS);
  r.input.position.z = 0.02;
  step(&r, 3000);
  ck_assert_double_eq(r.output.force.z, 0.0);
  ck_assert_double_eq_tol(height(&r), 0.0, 1e-9);
}

/* Its own weight moves the top by m g / k. */
TAC_TEST(the_top_sags_under_its_weight) {
  TAC_FREED(end_run, Run, r) = begin_run(edited(button_scene, "gravity: [0, 0, 0]", "gravity: [0, 0, -10 m/s2]"));
  step(&r, 3000);
  ck_assert_double_eq_tol(height(&r), -0.02 * 10.0 / STIFFNESS, 1e-9);
}

/* A saved world goes on where it was, and a reset one is at rest. */
TAC_TEST(state_can_be_saved_and_reset) {
  TAC_FREED(end_run, Run, r) = begin_run(edited(button_scene, "gravity: [0, 0, 0]", "gravity: [0, 0, -10 m/s2]"));
  step(&r, 10);
  size_t size = tac_world_memory_size(r.world);
  TAC_MEMORY(unsigned char, saved) = malloc(size);
  tac_test_ok(tac_world_save(r.world, size, saved, &error), error);
  step(&r, 10);
  double later = height(&r);
  tac_test_ok(tac_world_load(r.world, size, saved, &error), error);
  step(&r, 10);
  ck_assert_double_eq(height(&r), later);
  tac_world_reset(r.world);
  ck_assert_double_eq(height(&r), 0.0);
}

TAC_TEST(keys_are_validated_by_the_row) {
  static const Mistake cases[] = {
      {"stiffness: 500 N/m", "stiffness: 500 N",
       "s:3: bodies[0].stiffness: 500 N is not a stiffness; write it like 1500 N/m"},
      {" mass: 20 g,", " mass: 0 g,", "s:3: bodies[0].mass: 0 g is out of range"},
      {" stiffness: 500 N/m,", "", "s:3: bodies[0]: a body needs stiffness"},
  };
  check_reading(button_scene, sizeof cases / sizeof *cases, cases, BEGINS);
}
