/* Scenes with corotational bodies: their keys, what is baked, and what becomes of it in a world. */
#include <tactus/green.h>
#include <tactus/scene.h>
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "world/world_parts.h"

static const char base[] = "tactus: 1\n"                                                     /* 1 */
                           "gravity: [0, 0, -9.81 m/s2]\n"                                   /* 2 */
                           "method: signorini\n"                                             /* 3 */
                           "bodies:\n"                                                       /* 4 */
                           "  - name: bar\n"                                                 /* 5 */
                           "    kind: corotational\n"                                        /* 6 */
                           "    free: true\n"                                                /* 7 */
                           "    surface: {shape: beam, size: 40 mm}\n"                       /* 8 */
                           "    volume: {bricks: 20 mm}\n"                                   /* 9 */
                           "    material: {young: 30 MPa, poisson: 0.3, density: 1 g/cm3}\n" /* 10 */
                           "    velocity: [0, 0, 1 m/s]\n"                                   /* 11 */
                           "tools:\n"                                                        /* 12 */
                           "  - {name: t, kind: point, device: {kind: operator, path: [{at: [0, 0, 1 m]}]}}\n";

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {"    free: true\n", "",
       "s:10: bodies[0].velocity: only a free body can have an initial velocity or spin; write free: true, or leave "
       "this key out"},
      {"    free: true\n", "    method: finite-elements\n",
       "s:7: bodies[0].method: this key does not apply if kind is corotational"},
      {"    free: true\n", "    storage: near\n",
       "s:7: bodies[0].storage: this key does not apply if kind is "
       "corotational"},
      {"    volume: {bricks: 20 mm}\n", "", "s:5: bodies[0]: "},
      {"    material: {young: 30 MPa, poisson: 0.3, density: 1 g/cm3}\n", "", "s:5: bodies[0]: "},
      {"free: true", "stiffness: -1", "s:7: bodies[0].stiffness: -1 is out of range"},
      {"free: true", "live: {stiffness: [2, 3]}",
       "s:7: bodies[0].live.stiffness: the range does not contain the value of the body: its stiffness is 1, and the "
       "range is 2 to "},
      {"free: true", "contact: {stiffness: 5 Ns/m}", "s:7: bodies[0].contact.stiffness: 5 Ns/m is not a stiffness"},
  };
  check_reading(base, sizeof cases / sizeof *cases, cases, BEGINS);
}

/* A bar of 400 x 40 x 40 mm. */
TAC_TEST(free_body_has_the_mass_of_its_elements) {
  TAC_OWN(tacScene, scene) = bake(base, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  const tacWorldBody *body = &world->bodies[0];
  const double mass = 0.4 * 0.04 * 0.04 * 1000.0, across = mass * (0.4 * 0.4 + 0.04 * 0.04) / 12.0;
  ck_assert_str_eq(tac_world_body_kind_name(world, tac_world_body(world, 0)), "corotational");
  ck_assert_int_eq(body->frame.mode, TAC_FRAME_FREE);
  ck_assert_double_eq_tol(body->frame.mass, mass, 1e-9 * mass);
  ck_assert_double_eq_tol(body->frame.moments.m[2][2], across, 1e-9 * across);
  ck_assert_double_eq_tol(body->frame.linear.z, 1.0, 1e-15);
  ck_assert_double_eq_tol(body->frame.gravity.z, -9.81, 1e-15);
  const tacGreen *green = tac_scene_green(scene, 0);
  for (int v = 0; v < tac_green_surface(green)->vertex_count; ++v) ck_assert(!tac_green_fixed(green)[v]);
  ck_assert_int_eq(tac_green_column_count(green), tac_green_surface(green)->vertex_count);
  ck_assert_double_lt(tac_green_betti_defect(green), 1e-10);
}

/* With `fixed` it deforms from there, and is as free or at rest; another density is another answer only without. */
TAC_TEST(fixed_vertices_move_with_the_frame) {
  static const char anchored[] = "    fixed: [{below: {axis: x, at: 1 mm}}]\n    volume:";
  open_cache();
  const char *text = edited(base, "    volume:", anchored);
  for (int fixed = 0; fixed < 2; ++fixed) {
    const char *texts[2] = {fixed ? text : base, edited(fixed ? text : base, "density: 1 g/cm3", "density: 2 g/cm3")};
    tacSceneAsset assets[2];
    for (int i = 0; i < 2; ++i) {
      TAC_OWN(tacScene, scene) = parse(texts[i], "s");
      ck_assert_int_eq(tac_scene_asset_count(scene), 1);
      tac_test_ok(tac_scene_bake(scene, cache, false, NULL, &assets[i], &error), error);
      const tacGreen *green = tac_scene_green(scene, 0);
      int count = 0;
      for (int v = 0; v < tac_green_surface(green)->vertex_count; ++v) count += tac_green_fixed(green)[v];
      ck_assert_int_eq(count > 0, fixed);
      TAC_OWN(tacWorld, world) = world_of(scene);
      ck_assert_int_eq(world->bodies[0].frame.mode, TAC_FRAME_FREE);
      ck_assert_double_eq_tol(world->bodies[0].frame.mass, 0.64 * (i + 1), 1e-9);
    }
    ck_assert_int_eq(strcmp(assets[0].path, assets[1].path) == 0, fixed);
    ck_assert_int_eq(assets[1].was_cached, fixed);
  }
}

/* Of a table of 300 x 200 mm on the floor: as many contacts as are asked for, the same number at each foot. */
TAC_TEST(every_foot_gets_the_same_number_of_contacts) {
  const char *text = edited(base, "    surface: {shape: beam, size: 40 mm}\n    volume: {bricks: 20 mm}\n",
                            "    volume: {shape: table}\n");
  const char *table =
      edited(text, "    velocity: [0, 0, 1 m/s]\n", "floor: {normal: z, at: 0 m, friction: 0.5}\npatch: 16\n");
  TAC_OWN(tacScene, scene) = bake(table, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacTickReport report;
  tacToolInput input = {.position = {0.0, 0.0, 1.0}, .orientation = {1.0, 0.0, 0.0, 0.0}};
  tacToolOutput output;
  for (int i = 0; i < 20; ++i) tac_world_step(world, &input, &output, &report);
  tacShownContact contacts[32];
  int feet[4] = {0}, count = tac_world_contacts(world, 32, contacts);
  ck_assert_int_eq(count, 16);
  for (int i = 0; i < count; ++i) ++feet[(contacts[i].at.x > 0.0) + 2 * (contacts[i].at.y > 0.0)];
  for (int i = 0; i < 4; ++i) ck_assert_int_eq(feet[i], 4);
}
