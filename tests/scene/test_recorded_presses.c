/* What presses a compliant body is recorded with triangles' numbers: between two stored states it is that of the first. */
#include "physics/played_scene.h"
#include "scene/scene_text.h"
#include "world/world_parts.h"

static const char text[] =
    "tactus: 1\nname: stroked\nmethod: signorini\nbodies:\n"
    "  - {name: kidney, kind: green, method: boundary-elements, surface: {shape: kidney, vertices: 300}, mask: 8 mm,\n"
    "     material: {young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}, fixed: [{below: {axis: y, at: -15 mm}}],\n"
    "     points: {count: 1000, levels: 2, resolution: 32}}\n"
    "  - {name: ball, kind: rigid, analytic: [{sphere: {centre: [0, 0, 0], radius: 10 mm}}], position: [0, 40 mm, 0]}\n"
    "contacts:\n  - {points: kidney, field: ball}\n"
    "tools:\n  - name: hand\n    kind: body\n    body: ball\n    coupling: {stiffness: 600 N/m}\n"
    "    device: {kind: operator, path: [{at: [0, 40 mm, 0]}, {at: [0, 24 mm, 0], after: 0.3 s},\n"
    "      {at: [0, 24 mm, 15 mm], after: 0.5 s}]}\n";

TAC_TEST(triangles_are_whole_between_states) {
  TAC_OWN(tacScene, scene) = bake(text, "test.yaml");
  TAC_OWN(tacWorld, world) = world_of(scene);
  TAC_FREED(end_played, Played, played) = play_scene(scene, world, "stroked.tacrec", 0.8);
  double *state = tac_test_alloc((size_t)tac_world_state_size(world) * sizeof *state);
  int first = world->bodies[0].shown.presses, changes = 0;
  double last = 0.0;
  ck_assert_int_ge(first, 0);
  for (int64_t i = 0; i < tac_recording_tick_count(played.recording); ++i) {
    tacSnapshot snapshot;
    tac_test_ok(tac_recording_snapshot(played.recording, world, i, state, &snapshot, &error), error);
    for (int k = 0; k < world->most_presses; ++k)
      ck_assert_double_eq(state[first + 7 * k], round(state[first + 7 * k]));
    changes += state[first] != last;
    last = state[first];
  }
  ck_assert_int_gt(changes, 1); /* it was stroked over several */
}
