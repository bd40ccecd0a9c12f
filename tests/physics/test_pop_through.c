/* Scenes with distributed contact: a hand pushes the body that it holds at 1 m/s through its partner, at several
 * places, and on until it is as far behind. How far the surfaces are through each other is measured as they are.
 * TACTUS_TEST_ALL has the scenes as they are. */
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "physics/crossing.h"
#include "physics/small_scene.h"
#include "step_world.h"
#include "world/world.h"

static tacBox box_of(tacWorld *world, tacBodyId id) {
  tacTriMesh at = surface_of(world, id);
  tacBox box = tac_trimesh_box(&at);
  free(at.vertices);
  return box;
}

/* Towards a place of the partner, in parts of half its box from the middle. Returns how far the two are through each
 * other at most. */
static double push(tacWorld *world, tacBodyId held, tacBodyId other, tacVec3 at, double *force) {
  tac_world_reset(world);
  tacBox own = box_of(world, held), its = box_of(world, other);
  tacPose pose = tac_test_made(tacPose, tac_world_body_motion(world, held, &made, NULL, NULL, NULL));
  tacQuat turn = tac_quat_of(pose.orientation);
  tacVec3 half = tac_vec3_scale(0.5, tac_box_size(its));
  tacVec3 held_at;
  tac_world_tool_body(world, 0, &held_at);
  tacVec3 start = tac_vec3_add(pose.position, tac_quat_rotate(turn, held_at));
  tacVec3 to = tac_vec3_add(tac_box_centre(its), tac_vec3(at.x * half.x, at.y * half.y, at.z * half.z));
  tacVec3 way = tac_vec3_scale(2.0, tac_vec3_sub(to, tac_box_centre(own)));
  int ticks = (int)ceil(tac_vec3_norm(way) / 1e-3), every = 25;
  double most = 0.0;
  *force = 0.0;
  for (int i = 1; i <= ticks + 100; ++i) {
    tacToolInput input = {.position = tac_vec3_mad(start, fmin(1.0, (double)i / ticks), way),
                          .orientation = {1.0, 0.0, 0.0, 0.0}};
    tacToolOutput output;
    tacTickReport report = step_world(world, &input, &output);
    *force = fmax(*force, tac_vec3_norm(output.force));
    if (i % every == 0 && report.points > 0) most = fmax(most, through_each_other(world, held, other).through);
  }
  return most;
}

/* `bound`, m: how far the two may be through each other, of the small scene and of the scene as it is. */
static void check_scene(SmallScene small, double bound, double bound_of_all) {
  static const tacVec3 places[] = {{0.0, 0.0, 0.0},  {0.4, 0.3, 0.0},  {-0.4, 0.0, 0.3}, {0.0, -0.5, 0.2},
                                   {0.2, 0.5, -0.3}, {-0.3, 0.2, 0.5}, {0.6, -0.2, 0.1}};
  const char *only = getenv("TACTUS_TEST_SCENE");
  if (only != NULL && strcmp(only, small.name) != 0) return;
  TAC_OWN(tacScene, scene) = tac_test_all() ? read_gallery(small.name) : read_small_scene(&small);
  bake_scene(scene);
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacPairDef pair = tac_world_pair(world, 0);
  tacBodyId held = tac_world_tool_body(world, 0, NULL);
  tacBodyId other = held.index == pair.points.index ? pair.field : pair.points;
  for (size_t i = 0; i < (tac_test_all() ? sizeof places / sizeof *places : 2); ++i) {
    double force, through = push(world, held, other, places[i], &force);
    tac_test_print("%s, place %zu: %.2f mm through, %.2f N\n", small.name, i, 1e3 * through, force);
    ck_assert_msg(through <= (tac_test_all() ? bound_of_all : bound), "%s, place %zu: %g m through", small.name, i,
                  through);
    ck_assert_double_gt(force, 0.1); /* N: they met */
  }
}

/* Bounds are below half of what is thin there: tubes, blades, cables, walls. With the few points of small scenes thin
 * parts slip between them, so that one with thick parts alone is looked at there. */
TAC_TEST(scenes) {
  check_scene((SmallScene){"alpha", 1500, 44, 0.0, "{shape: alpha-tube-a}|{shape: alpha-tube-a, size: 3 mm}"}, 0.004,
              0.001);
  if (!tac_test_all()) return;
  check_scene((SmallScene){.name = "knight"}, 0.0, 0.003);
  check_scene((SmallScene){.name = "peg"}, 0.0, 0.0025);
  check_scene((SmallScene){.name = "cables"}, 0.0, 0.0015);
  check_scene((SmallScene){.name = "hoses"}, 0.0, 0.0035);
  check_scene((SmallScene){.name = "chair"}, 0.0, 0.0035);
  check_scene((SmallScene){.name = "dragon-dinosaur"}, 0.0, 0.0025);
  check_scene((SmallScene){.name = "dinosaur"}, 0.0, 0.007);
}
