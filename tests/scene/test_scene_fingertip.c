/* Scenes with fingertips. */
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "world/world.h"

#define TOOL              \
  "tools:\n"              \
  "  - name: finger\n"    \
  "    kind: fingertip\n" \
  "    radius: 4 mm\n"    \
  "    device: {kind: operator, path: [{at: [80 mm, 0, 30 mm]}, {at: [80 mm, 0, 8 mm], after: 1 s}]}\n"
static const char scene_text[] = ROD_BODY TOOL; /* the tool is from line 11 on */

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {"radius: 4 mm", "radius: 4 m",
       "s:13: tools[0].radius: 4 m is out of range; the allowed range is 0.0001 to "
       "0.1 m"},
      {"kind: fingertip", "kind: point", "s:13: tools[0].radius: "},
      {"{at: [80 mm, 0, 30 mm]}", "{at: [80 mm, 0, 30 mm], turn: {axis: [0, 0, 1], angle: 9 deg}}",
       "s:14: tools[0].device.path[0].turn: a point or fingertip tool cannot be turned"},
  };
  check_reading(scene_text, sizeof cases / sizeof *cases, cases, BEGINS);
}

/* 6 mm by default; what is given is the world's. */
TAC_TEST(worlds_have_the_radius) {
  for (int given = 0; given < 2; ++given) {
    TAC_OWN(tacScene, scene) = bake(given ? scene_text : edited(scene_text, "    radius: 4 mm\n", ""), "s");
    TAC_OWN(tacWorld, world) = tac_test_made(tacWorld *, tac_scene_world(scene, &made, &error));
    ck_assert_double_eq(tac_world_tool_radius(world, 0), given ? 4e-3 : 6e-3);
  }
}
