#include "physics/touched_scene.h"

/* Reduced bodies, pulled as far as their bases go, and free ones that are pushed; those whose bakes take long with TACTUS_TEST_ALL. */
TAC_TEST(every_scene_is_bounded_passive_and_replays) {
  static const char *const fast[] = {"spoon", "twisting-beam"}, *const slow[] = {"bridge", "tower", "dragon", "heart"},
                           *const slowest[] = {"baskets"}, *const loose[] = {"boxes",  "plank", "lift",
                                                                             "blocks", "table", "peg-hole"};
  touch_scenes(2, fast, 10.0, 0.2, 2, 1e-5);
  /* after some time boxes lie where no hand comes */
  touch_scenes(tac_test_all() ? 6 : 3, loose, 5.0, tac_test_all() ? 0.05 : 0.2, 0, INFINITY);
  if (!tac_test_all()) return;
  touch_scenes(4, slow, 60.0, 0.2, 0, 3e-4); /* large ones swing before they are touched: 0.1 mJ */
  touch_scenes(1, slowest, 60.0, 0.2, 0, INFINITY);
}
