#include <tactus/green.h>
#include <tactus/recording.h>
#include <tactus/reduced.h>
#include <tactus/scene.h>
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_kind.h"
#include "math/geometry/quat.h"
#include "scene/scene.h"
#include "scene/scene_text.h"
#include "world/world.h"
#include "world/world_build.h"
#include "world/world_view.h"

static const char base[] = ROD_BODY "tools:\n"                                                         /* 10 */
                                    "  - name: probe\n"                                                /* 11 */
                                    "    kind: point\n"                                                /* 12 */
                                    "    centre: [400 mm, 0, 0]\n"                                     /* 13 */
                                    "    device:\n"                                                    /* 14 */
                                    "      kind: operator\n"                                           /* 15 */
                                    "      path:\n"                                                    /* 16 */
                                    "        - {on: rod, near: [390 mm, 20 mm, 8 cm], depth: -5 mm}\n" /* 17 */
                                    "        - {at: [400 mm, 0, 0], after: 1 s, buttons: [grab]}\n";   /* 18 */

/* One more key of the body, in line 10. */
#define KEY(text) "tools:\n", "    " text "\ntools:\n"
#define STUFF "young: 10 kPa, poisson: 0.4, density: 1 g/cm3"

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {"modes: 3", "mods: 3", "s:9: bodies[0].basis.mods: unknown key; did you mean modes?"},
      {"modes: 3", "modes: 0", "s:9: bodies[0].basis.modes: a basis from modes needs at least 1 mode"},
      {"size: 4", "size: 0", "s:9: bodies[0].basis.size: 0 is not a whole number from 1 to 160"},
      {"size: 4", "size: 500", "s:9: bodies[0].basis.size: 500 is not a whole number from 1 to 160"},
      {"from: modes, ", "", "s:9: bodies[0].basis: a basis needs from; write it like from: modes"},
      {"from: modes", "from: nodes",
       "s:9: bodies[0].basis.from: nodes is not one of the allowed values: modes, "
       "sketch, motion"},
      {"from: modes", "from: sketch", "s:9: bodies[0].basis: a basis needs file; write it like file: some-text"},
      {"from: modes", "from: motion", "s:9: bodies[0].basis: a basis needs file; write it like file: some-text"},
      {"from: modes", "from: sketch, file: a, step: 1 ms",
       "s:9: bodies[0].basis.step: this key does not apply if from is sketch; leave it out"},
      {"modes: 3", "radius: 1 mm",
       "s:9: bodies[0].basis.radius: this key does not apply if from is modes; leave it "
       "out"},
      {"modes: 3", "file: a", "s:9: bodies[0].basis.file: this key does not apply if from is modes; leave it out"},
      {"from: modes", "from: motion, file: a, step: 1 mm",
       "s:9: bodies[0].basis.step: 1 mm is not a time; write it like 0.5 s"},
      {"    basis: {from: modes, modes: 3, size: 4}\n", "",
       "s:3: bodies[0]: a body needs basis; write it like basis: {from: ...}"},
      {"    surface: {shape: beam, size: 20 mm}\n", "",
       "s:3: bodies[0]: tets and bricks fill a surface, and none is given; write it like surface: {shape: kidney}"},
      {"bricks: 20 mm", "tets: 20 mm, fill: cover",
       "s:6: bodies[0].volume.fill: this key applies only to bricks; it selects which bricks are kept at the surface"},
      {"bricks: 20 mm", "bricks: 20 mm, size: 5 mm",
       "s:6: bodies[0].volume.size: this key applies only to gallery shapes that define bricks; tets and bricks "
       "already state their size"},
      {"bricks: 20 mm", "shape: kidney",
       "s:6: bodies[0].volume.shape: the shape kidney does not define bricks; fill its surface with tets or bricks, "
       "or did you mean pipe?"},
      {"bricks: 20 mm", "bricks: 20 mm, shape: beam",
       "s:6: bodies[0].volume: a volume needs exactly one of tets, bricks, file and shape; write it like {tets: 6 "
       "mm} or {file: beam.veg}"},
      {"bricks: 20 mm", "bricks: 20 mm, fill: all",
       "s:6: bodies[0].volume.fill: all is not one of the allowed "
       "values: centre, cover, shell"},
      {KEY("mask: 5 mm"), "s:10: bodies[0].mask: this key does not apply if kind is reduced; leave it out"},
      {KEY("method: finite-elements"), "s:10: bodies[0].method: this key does not apply if kind is reduced; leave it "
                                       "out"},
      {KEY("live: {mask: [1 mm, 2 mm]}"), "s:10: bodies[0].live.mask: unknown key; did you mean mu?"},
      {KEY("live: {damping: [0, 1 ms]}"),
       "s:10: bodies[0].live.damping: the range does not contain the value of the body: its damping is 0.002, and "
       "the range is 0 to 1 ms"},
      {KEY("touch: {stiffness: 50 N/m}\n    live: {touch: [0.1 N/mm, 400 N/m]}"),
       "s:11: bodies[0].live.touch: the range does not contain the value of the body: its touch is 50 N/m, and the "
       "range is 0.1 N/mm to 400 N/m"},
      {KEY("live: {mu: [2, 4]}"), "s:10: bodies[0].live.mu: the range does not contain the value of the body: its mu "
                                  "is 1, and the range is 2 to 4"},
      {KEY("damping: {mass: 2 ms}"),
       "s:10: bodies[0].damping.mass: 2 ms is not a rate of decay; write it like 0.5 1/s"},
      {KEY("damping: {strain_rate: 2 1/s}"),
       "s:10: bodies[0].damping.strain_rate: 2 1/s is not a time; write it like 0.5 s"},
      {KEY("damping: {strain_rate: -1 ms}"),
       "s:10: bodies[0].damping.strain_rate: -1 ms is out of range; the allowed range is 0 to 1000 s"},
      {KEY("keep: 5"), "s:10: bodies[0].keep: keep is 5, but the basis has only 4 vectors; keep at most that many"},
      {KEY("newton: 11"), "s:10: bodies[0].newton: 11 is not a whole number from 1 to 10"},
      {KEY("every: 0"), "s:10: bodies[0].every: 0 is not a whole number from 1 to 1000"},
      {KEY("mass: heavy"), "s:10: bodies[0].mass: heavy is not one of the allowed values: consistent, lumped"},
      {KEY("contact: {stiffness: 1 kN/m}"), "s:10: bodies[0].contact: this key applies only to free bodies, but this "
                                            "body is fixed; remove `contact` or `fixed`"},
      {"    fixed: [{below: {axis: x, at: 1 mm}}]\n    basis: {from: modes", "    basis: {from: sketch, file: a.csv",
       "s:8: bodies[0].basis: `from: sketch` needs a fixed body, because a free body has no static equilibrium; add "
       "fixed, or write from: modes"},
      {"    fixed: [{below: {axis: x, at: 1 mm}}]\n", "    static: true\n",
       "s:8: bodies[0].static: a free body has inertia, so it cannot be static; hold it with fixed, or remove "
       "`static`"},
      {KEY("copies: {grid: [2, 2], spacing: [1 m, 1 m, 1 m]}"),
       "s:10: bodies[0].copies.grid: the list has 2 values, but 3 are needed"},
      {KEY("copies: {grid: [2, 2, 0], spacing: [1 m, 1 m, 1 m]}"),
       "s:10: bodies[0].copies.grid[2]: 0 is out of range; the allowed range is 1 to 4096"},
      {KEY("copies: {grid: [2, 2, 1.5], spacing: [1 m, 1 m, 1 m]}"),
       "s:10: bodies[0].copies.grid: 1.5 is not a whole number; write it like grid: [8, 8, 8]"},
      {KEY("copies: {grid: [100, 100, 1], spacing: [1 m, 1 m, 1 m]}"),
       "s:10: bodies[0].copies.grid: too many copies (10000); at most 4096 are allowed"},
      {KEY("copies: {grid: [2, 2, 2]}"),
       "s:10: bodies[0].copies: copies needs spacing; write it like spacing: [5 mm, 5 mm, 5 mm]"},
      {KEY("copies: {grid: [2, 2, 2], spacing: [1 m, 1 m, 1 m]}\n    live: {mu: [0.5, 2]}"),
       "s:11: bodies[0].live: a body with copies cannot have live parameters; remove `live` or `copies`"},
      {KEY("copies: {grid: [2, 2, 2], spacing: [1 m, 1 m, 1 m]}"),
       "s:18: tools[0].device.path[0].on: unknown body rod; did you mean rod-001?"},
      {"tools:\n", "floor: {normal: w}\ntools:\n", "s:10: floor.normal: w is not one of the allowed values: x, y, z"},
      {"tools:\n", "floor: {normal: [0, 0, 0]}\ntools:\n",
       "s:10: floor.normal: the normal is zero; write it like normal: z or normal: [0, 0, 1]"},
      {"tools:\n", "floor: {at: 1 s}\ntools:\n", "s:10: floor.at: 1 s is not a length; write it like 5 mm"},
      {"material: {" STUFF "}", "materials: [{" STUFF "}]",
       "s:7: bodies[0].materials[0]: a material in a list needs a name; write it like name: cables"},
      {"material: {" STUFF "}", "materials: [{name: a, " STUFF "}, {name: b, " STUFF "}]",
       "s:7: bodies[0].materials[1]: this material has no region, and only the first material of a list may apply "
       "everywhere; write it like in: [{above: {axis: z, at: 20 mm}}], or group: NAME of the mesh"},
      {"material: {" STUFF "}", "materials: [{name: a, " STUFF "}, {name: a, in: [{group: c}], " STUFF "}]",
       "s:7: bodies[0].materials[1]: materials[0] is already called a; material names must be unique"},
      {"material: {" STUFF "}", "materials: [{name: a, group: b, in: [{group: c}], " STUFF "}]",
       "s:7: bodies[0].materials[0]: group and in are both given; give only one of them"},
  };
  check_reading(base, sizeof cases / sizeof *cases, cases, WHOLE);
}

/* A scene's body with copies stands for that many of the world's. */
TAC_TEST(world_bodies_map_to_scene_bodies) {
  const char *text =
      edited(base, "  - name: rod\n",
             "  - {name: drop, kind: reduced, surface: {shape: sphere}, volume: {tets: 2 cm}, material: {" STUFF
             "}, basis: {from: modes}, copies: {grid: [2, 3, 1], spacing: [1 m, 1 m, 1 m]}}\n"
             "  - {name: ball, kind: green, method: boundary-elements, surface: {shape: sphere}, material: {" STUFF
             "}, fixed: [{below: {axis: z, at: 0}}], mask: 2 cm}\n"
             "  - name: rod\n");
  TAC_OWN(tacScene, scene) = parse(text, "s");
  ck_assert_int_eq(tac_scene_body_count(scene), 3);
  ck_assert_str_eq(tac_scene_body_kind_name(scene, 0), "reduced");
  ck_assert_str_eq(tac_scene_body_kind_name(scene, 1), "green");
  ck_assert_int_eq(tac_scene_body_copies(scene, 0), 6);
  ck_assert_int_eq(tac_scene_body_copies(scene, 1), 1);
  static const int of[] = {0, 0, 0, 0, 0, 0, 1, 2};
  for (int i = 0; i < 8; ++i) ck_assert_int_eq(tac_scene_body_of(scene, i), of[i]);
  ck_assert_int_eq(tac_scene_body_of(scene, 8), -1);
  ck_assert_int_eq(tac_scene_body_of(scene, -1), -1);
  ck_assert_ptr_null(tac_scene_reduced(scene, 0));
}

/* Live parameters are named by groups where there are several, and are parameters of the world, which takes both ends. The groups
 * have the masses of their halves, by volume and density. */
TAC_TEST(materials_follow_regions_and_parameters) {
  const char *text =
      edited(base, "material: {" STUFF "}",
             "materials: [{name: soft, " STUFF "}, {name: hard, in: [{above: {axis: x, at: 30 cm}}, {below: {axis: x, "
             "at: 4.5 cm}}], young: 1 MPa, poisson: 0.3, density: 2 g/cm3}]");
  const char *more =
      edited(text, "tools:\n",
             "    live: {mu: [0.5, 2], stiffness: [0.1, 10], density: [1, 3], touch: [1 N/m, 1 kN/m]}\ntools:\n");
  TAC_OWN(tacScene, scene) = bake(more, "s");
  const tacReduced *reduced = tac_scene_reduced(scene, 0);
  ck_assert_int_eq(tac_reduced_group_count(reduced), 2);
  ck_assert_str_eq(tac_reduced_group_name(reduced, 1), "hard");
  /* Bricks of 20 mm: those with centres up to 45 mm and from 300 mm on are hard. */
  ck_assert_double_eq_tol(tac_reduced_group_mass(reduced, 0), 13 * 4 * 8e-6 * 1000.0, 1e-9);
  ck_assert_double_eq_tol(tac_reduced_group_mass(reduced, 1), 7 * 4 * 8e-6 * 2000.0, 1e-9);
  static const char *const names[] = {"rod.stiffness",    "rod.touch",   "rod.soft.mu",
                                      "rod.soft.density", "rod.hard.mu", "rod.hard.density"};
  TAC_OWN(tacWorld, world) = world_of(scene);
  ck_assert_int_eq(tac_scene_live_count(scene), 6);
  for (int i = 0; i < 6; ++i) {
    tacSceneLive live;
    ck_assert(tac_scene_live(scene, i, &live));
    ck_assert_str_eq(live.name, names[i]);
    int parameter = tac_world_find_parameter(world, live.name);
    error = (tacError){0};
    ck_assert_int_ge(parameter, 0);
    double own = tac_world_parameter(world, parameter).value;
    ck_assert(own >= live.least && own <= live.most);
    tac_test_ok(tac_world_set_parameter(world, parameter, live.least, &error), error);
    tac_test_ok(tac_world_set_parameter(world, parameter, live.most, &error), error);
  }
}

TAC_TEST(single_material_uses_body_parameters) {
  const char *text = edited(base, KEY("live: {mu: [0.5, 2], lambda: [0.5, 2]}"));
  TAC_OWN(tacScene, scene) = parse(text, "s");
  ck_assert_int_eq(tac_scene_live_count(scene), 2);
  tacSceneLive own;
  ck_assert(tac_scene_live(scene, 0, &own));
  ck_assert_str_eq(own.name, "rod.lambda");
  ck_assert(tac_scene_live(scene, 1, &own));
  ck_assert_str_eq(own.name, "rod.mu");
}

/* Strain rates are damped where the scene says so, or may: then the bake has what it takes, and the world a parameter. */
TAC_TEST(strain_rate_damping_is_optional) {
  static const struct {
    const char *lines;
    double value; /* s; negative: the world has no such parameter */
  } cases[] = {{"", -1.0},
               {"    damping: {strain_rate: 5 ms}\n", 0.005},
               {"    live: {strain_rate: [0, 20 ms]}\n", 0.0},
               {"    damping: {strain_rate: 5 ms}\n    live: {strain_rate: [1 ms, 20 ms]}\n", 0.005}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char lines[200];
    error = (tacError){0};
    snprintf(lines, sizeof lines, "%stools:\n", cases[i].lines);
    const char *text = edited(base, "tools:\n", lines);
    TAC_OWN(tacScene, scene) = bake(text, "s");
    TAC_OWN(tacWorld, world) = world_of(scene);
    int parameter = tac_world_find_parameter(world, "rod.strain_rate");
    ck_assert_int_eq(parameter >= 0, cases[i].value >= 0.0);
    ck_assert_int_eq(tac_reduced_has_strain_rate(tac_scene_reduced(scene, 0)), cases[i].value >= 0.0);
    ck_assert_int_eq(tac_scene_live_count(scene), i >= 2);
    if (parameter >= 0) {
      ck_assert_double_eq(tac_world_parameter(world, parameter).value, cases[i].value);
      tac_test_ok(tac_world_set_parameter(world, parameter, 0.02, &error), error);
      ck_assert_double_eq(tac_world_parameter(world, parameter).value, 0.02);
    }
  }
}

TAC_TEST(geometry_errors_name_their_line) {
  static const Mistake cases[] = {
      {"at: 1 mm}", "at: -1 mm}",
       "s:8: bodies[0].fixed[0]: no vertex of the volume lies in this region; the body "
       "extends from ("},
      {"at: 1 mm}", "at: 1 m}", "s:8: bodies[0].fixed: all "},
      {"material: {" STUFF "}",
       "materials: [{name: a, " STUFF "}, {name: b, in: [{below: {axis: z, at: 0}}], " STUFF "}]",
       "s:7: bodies[0].materials[1]: no element uses this material: no element centre lies in its region, or later "
       "materials in the list cover all of them"},
      {"size: 4}", "size: 100}",
       "s:9: bodies[0].basis: too few modes: 100 coordinates are wanted, but 3 linear "
       "modes and their derivatives give only "},
      {"from: modes, modes: 3", "from: sketch, file: nothing.csv", "s:9: bodies[0].basis.file: nothing.csv: "},
  };
  check_mistakes(base, sizeof cases / sizeof *cases, cases);
}

/* Copies share what was baked, have the poses of the grid, and a path finds one of them. */
TAC_TEST(copies_become_world_bodies) {
  const char *text = edited(base, "    fixed: [{below: {axis: x, at: 1 mm}}]\n", "");
  const char *more = edited(text, "tools:\n",
                            "    position: [1 m, 0, 0]\n    copies: {grid: [1, 3, 1], spacing: [0, 1 m, 0]}\n    "
                            "gravity: [0, 0, -9.81 m/s2]\n"
                            "floor: {normal: [0, 0, 2], at: -5 m, friction: 0.25}\ntools:\n");
  text = edited(more, "{on: rod, near: [390 mm, 20 mm, 8 cm]", "{on: rod-003, near: [1.2 m, 2.02 m, 8 cm]");
  more = edited(text, "centre: [400 mm, 0, 0]", "centre: [1.2 m, 2 m, 0]");
  TAC_OWN(tacScene, scene) = bake(more, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  ck_assert_int_eq(tac_world_body_count(world), 3);
  for (int i = 0; i < 3; ++i) {
    tacBodyId id = tac_world_body(world, i);
    char name[16];
    snprintf(name, sizeof name, "rod-%03d", i + 1);
    ck_assert_str_eq(tac_world_body_name(world, id), name);
    ck_assert_ptr_eq(tac_world_body_reduced(world, id), tac_scene_reduced(scene, 0));
    ck_assert_double_eq(tac_world_body_pose(world, id).position.y, i);
  }
  tacFloorDef floor;
  ck_assert(tac_world_floor(world, &floor));
  ck_assert(floor.normal.z == 1.0 && floor.offset == -5.0 && floor.friction == 0.25);
  tacDevice devices[TAC_MOST_TOOLS];
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  tac_test_ok(tac_scene_devices(scene, devices, workspaces, &error), error);
  tacDeviceState state;
  devices[0].driver->read(devices[0].self, &state);
  tacVec3 start = tac_vec3_add(workspaces[0].centre, tac_vec3_sub(state.position, workspaces[0].device_centre));
  ck_assert_double_le(tac_vec3_distance(start, tac_vec3(1.2, 2.02, 0.045)), 3e-4);
  tac_device_close(&devices[0]);
  /* They fall: after 0.1 s by g t^2 / 2, to the first order of the step. */
  ck_assert_int_ge(tac_world_state_size(world), 3 * (4 + 7));
  tacToolInput input = {.position = {0.0, 0.0, 50.0}, .orientation = {1.0, 0.0, 0.0, 0.0}};
  for (int k = 0; k < 100; ++k) {
    tacToolOutput output;
    tacTickReport report;
    tac_world_step(world, &input, &output, &report);
  }
  TAC_MEMORY(double, whole) = calloc((size_t)tac_world_state_size(world), sizeof *whole);
  tac_world_state(world, whole);
  for (int i = 0; i < 3; ++i)
    ck_assert_double_eq_tol(whole[tac_world_body_state(world, tac_world_body(world, i)) + 4 + 2], -0.5 * 9.81 * 0.01,
                            1e-3);
}

/* A device that renders k stably feels k / scale in the scene as k; and both kinds are in one world. */
TAC_TEST(touch_stiffness_is_limited_by_the_device) {
  tacOperatorDef preset;
  tac_test_ok(tac_operator_def_preset("premium-3", &preset, &error), error);
  const char *text = edited(base, "tools:\n",
                            "    touch: {stiffness: 100 kN/m}\n"
                            "  - {name: ball, kind: green, method: boundary-elements, surface: {shape: sphere, size: "
                            "25 mm}, material: {" STUFF "}, fixed: [{below: {axis: z, at: 0}}], mask: 3 cm}\ntools:\n");
  const char *more = edited(text, "    device:\n", "    scale: 3\n    device:\n");
  TAC_OWN(tacScene, scene) = bake(more, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacBodyId rod = tac_world_find_body(world, "rod"), ball = tac_world_find_body(world, "ball");
  ck_assert_str_eq(tac_world_body_kind_name(world, rod), "reduced");
  ck_assert_str_eq(tac_world_body_kind_name(world, ball), "green");
  ck_assert_ptr_null(tac_world_body_kind_name(world, (tacBodyId){0, 0}));
  ck_assert_int_eq(tac_world_body_shown(world, rod), TAC_SHOWN_COORDINATES);
  ck_assert_int_eq(tac_world_body_shown(world, ball), TAC_SHOWN_VERTICES);
  ck_assert_double_eq_tol(tac_world_body_most_stiffness(world, rod), preset.info.stiffness_limit / 3.0, 1e-9);
  ck_assert_ptr_null(tac_scene_green(scene, 0));
  ck_assert_ptr_null(tac_scene_reduced(scene, 1));
}

/* A sketch that only bends the rod upwards makes a basis that only does that. */
TAC_TEST(sketch_basis_spans_the_drawn_motion) {
  char table[1000] = "time, x, y, z, fx, fy, fz\n";
  for (int i = 1; i <= 12; ++i) sprintf(table + strlen(table), "%d, 0.4, 0.02, 0.02, 0, 0, %g\n", i, 0.001 * i);
  tac_test_write("up.csv", table);
  const char *text = edited(base, "{from: modes, modes: 3, size: 4}", "{from: sketch, file: up.csv, size: 2}");
  TAC_OWN(tacScene, scene) = bake(text, tac_test_path("s.yaml"));
  const tacReduced *reduced = tac_scene_reduced(scene, 0);
  ck_assert_str_eq(tac_reduced_info(reduced)->source, "sketch");
  const tacTriMesh *mesh = tac_reduced_surface(reduced);
  double most[3] = {0};
  for (int v = 0; v < mesh->vertex_count; ++v)
    for (int axis = 0; axis < 3; ++axis)
      most[axis] = fmax(most[axis], fabs(tac_reduced_displacements(reduced)[(3 * v + axis) * 2]));
  ck_assert_double_gt(most[2], 3.0 * most[0]);
  ck_assert_double_gt(most[2], 20.0 * most[1]);
}

/* The radius of the scene is that of a file that has no column for it: the same bake as with one, and another than
 * without. */
TAC_TEST(load_radius_comes_from_scene_or_file) {
  static const struct {
    const char *head, *tail, *basis;
  } cases[] = {{"", "", "{from: sketch, file: up.csv, size: 2}"},
               {"", "", "{from: sketch, file: up.csv, size: 2, radius: 50 mm}"},
               {", radius", ", 0.05", "{from: sketch, file: up.csv, size: 2}"},
               {", radius", ", 0.05", "{from: sketch, file: up.csv, size: 2, radius: 10 mm}"}};
  tacSceneAsset assets[4];
  open_cache();
  for (int i = 0; i < 4; ++i) {
    char table[200];
    snprintf(table, sizeof table,
             "time, x, y, z, fx, fy, fz%s\n1, 0.4, 0.02, 0.02, 0, 0, 0.01%s\n2, 0.4, 0.02, 0.02, 0, 0.01, 0%s\n",
             cases[i].head, cases[i].tail, cases[i].tail);
    tac_test_write("up.csv", table);
    const char *text = edited(base, "{from: modes, modes: 3, size: 4}", cases[i].basis);
    TAC_OWN(tacScene, scene) = parse(text, tac_test_path("s.yaml"));
    tac_test_ok(tac_scene_bake(scene, cache, false, NULL, &assets[i], &error), error);
  }
  ck_assert_uint_ne(assets[0].checksum, assets[1].checksum);
  ck_assert_str_eq(assets[1].path, assets[2].path);
  ck_assert_str_eq(assets[1].path, assets[3].path);
}
