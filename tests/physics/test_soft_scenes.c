/* Scenes with hyperelastic bodies, touched by their operators: Courtecuisse and others 2015, Figure 2. */
#include "physics/touched_scene.h"

TAC_TEST(soft_scenes_are_touched) {
  static const char *const names[] = {"eye", "poke", "elongation", "organs"};
  touch_scenes(tac_test_all() ? 4 : 3, names, tac_test_all() ? 6.0 : 3.0, 0.2, 1, INFINITY);
}
