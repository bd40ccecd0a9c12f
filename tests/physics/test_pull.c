#include "physics/touched_scene.h"

/* Reduced bodies, pulled as far as their bases go. */
START_TEST(every_scene_is_bounded_passive_and_replays) {
  static const char *const scenes[] = {"spoon", "twisting-beam", "bridge", "tower", "dragon", "heart", "baskets"};
  touch_scenes(sizeof scenes / sizeof *scenes, scenes, 2);
}
END_TEST

TAC_TEST_MAIN("pull", every_scene_is_bounded_passive_and_replays)
