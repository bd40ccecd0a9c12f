#include "physics/touched_scene.h"

/* Reduced bodies, pulled as far as their bases go, and free ones that are pushed. */
START_TEST(every_scene_is_bounded_passive_and_replays) {
  static const char *const fast[] = {"spoon", "twisting-beam"}, *const slow[] = {"bridge", "tower", "dragon", "heart"},
                           *const slowest[] = {"baskets"}, *const loose[] = {"boxes", "plank",    "table",
                                                                             "lift",  "peg-hole", "blocks"};
  touch_scenes(2, fast, 60.0, 0.2, 2, 1e-5);
  touch_scenes(4, slow, 20.0, 0.2, 0,
               3e-4); /* each does all of its path; large ones swing before they are touched: 0.1 mJ */
  touch_scenes(1, slowest, 8.0, 0.2, 0, INFINITY);
  touch_scenes(6, loose, 5.0, tac_test_all() ? 0.05 : 0.2, 0,
               INFINITY); /* after some time boxes lie where no hand comes */
}
END_TEST

TAC_TEST_SUITE("pull", every_scene_is_bounded_passive_and_replays)
