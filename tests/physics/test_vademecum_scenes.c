/* Scenes with vademecum bodies, touched by their operators: Gonzalez and others 2015, sections 4.1 and 4.2. */
#include "physics/touched_scene.h"

TAC_TEST(vademecum_scenes_are_touched) {
  static const char *const names[] = {"vademecum-beam", "vademecum-beams"};
  touch_scenes(tac_test_all() ? 2 : 1, names, 6.0, 0.2, 0, 1e-5);
}
