#include "physics/touched_scene.h"

/* Elastostatic bodies, pressed and rubbed by points and by a body in the hand, and taken hold of. */
TAC_TEST(every_scene_is_bounded_passive_and_replays) {
  static const char *const scenes[] = {"nodule", "kidney", "grasp", "gripper", "kidney-fem", "spatula", "banana-seat"},
                           *const pressed[] = {"press"};
  touch_scenes(tac_test_all() ? 7 : 4, scenes, 10.0, 0.2, 3, 1e-5);
  touch_scenes(1, pressed, 9.0, 0.2, 1, 1e-5);
}
