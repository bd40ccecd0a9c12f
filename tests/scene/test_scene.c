#include <tactus/green.h>
#include <tactus/mesh.h>
#include <tactus/scene.h>
#include "math/geometry/quat.h"
#include "scene/scene.h"
#include "scene/scene_device.h"
#include "scene/scene_text.h"
#include "step_world.h"

static const char base[] = "tactus: 1\n"                                                          /* 1 */
                           "name: test\n"                                                         /* 2 */
                           "duration: 2 s\n"                                                      /* 3 */
                           "bodies:\n"                                                            /* 4 */
                           "  - name: ball\n"                                                     /* 5 */
                           "    kind: green\n"                                                    /* 6 */
                           "    method: boundary-elements\n"                                      /* 7 */
                           "    surface: {shape: sphere, size: 20 mm}\n"                          /* 8 */
                           "    material: {young: 10 kPa, poisson: 0.4, density: 1 g/cm3}\n"      /* 9 */
                           "    fixed:\n"                                                         /* 10 */
                           "      - below: {axis: z, at: -30 mm}\n"                               /* 11 */
                           "    mask: 25 mm\n"                                                    /* 12 */
                           "tools:\n"                                                             /* 13 */
                           "  - name: probe\n"                                                    /* 14 */
                           "    kind: point\n"                                                    /* 15 */
                           "    device:\n"                                                        /* 16 */
                           "      kind: operator\n"                                               /* 17 */
                           "      repeat: true\n"                                                 /* 18 */
                           "      path:\n"                                                        /* 19 */
                           "        - {on: ball, near: [0, 0, 8 cm], depth: -5 mm, after: 1 s}\n" /* 20 */
                           "        - {on: ball, near: [0, 0, 8 cm], depth: 4 mm, after: 1 s}\n"; /* 21 */

TAC_TEST(accessors_return_the_scenes_values) {
  TAC_OWN(tacScene, scene) = parse(base, "folder/file.yaml");
  ck_assert_str_eq(tac_scene_name(scene), "test");
  ck_assert_str_eq(tac_scene_about(scene), "");
  ck_assert_str_eq(tac_scene_text(scene), base);
  ck_assert_str_eq(tac_scene_path(scene), "folder/file.yaml");
  ck_assert_int_eq(tac_scene_body_count(scene), 1);
  ck_assert_str_eq(tac_scene_body_name(scene, 0), "ball");
  ck_assert_int_eq(tac_scene_tool_count(scene), 1);
  ck_assert_str_eq(tac_scene_tool_name(scene, 0), "probe");
  ck_assert_double_eq(tac_scene_duration(scene), 2.0);
  ck_assert_double_eq(tac_scene_servo(scene).rate, 1000.0);
  ck_assert_double_eq(tac_scene_servo(scene).duration, 2.0);
  ck_assert_int_eq(tac_scene_set_rate(scene, 100.0, &error), TAC_ERR_ARGUMENT);
  tac_test_ok(tac_scene_set_rate(scene, 2000.0, &error), error);
  ck_assert_double_eq(tac_scene_servo(scene).rate, 2000.0);

  TAC_OWN(tacScene, nameless) = parse(edited(base, "name: test\n", ""), "folder/file.yaml");
  ck_assert_str_eq(tac_scene_name(nameless), "file");
}

static void check_live(const tacScene *scene, int index, const char *name, double least, double most) {
  tacSceneLive live;
  ck_assert(tac_scene_live(scene, index, &live));
  ck_assert_str_eq(live.name, name);
  ck_assert_double_eq_tol(live.least, least, 1e-15);
  ck_assert_double_eq_tol(live.most, most, 1e-15);
}

/* In SI, body by body, whatever the order of the keys; only what is named. The ends belong to the range. */
TAC_TEST(live_parameters_have_their_ranges) {
  TAC_OWN(tacScene, still) = parse(base, "s");
  ck_assert_int_eq(tac_scene_live_count(still), 0);
  const char *text =
      edited(base, "tools:\n",
             "    live: {mask: [6 mm, 2.5 cm], stiffness: [1, 4]}\n"
             "  - {name: still, kind: green, method: boundary-elements, surface: {shape: sphere}, material: {young: 1 "
             "kPa, poisson: 0.3, density: 1 kg/m3}, fixed: [{below: {axis: z, at: 0}}], mask: single, live: {}}\n"
             "  - {name: a.b, kind: green, method: boundary-elements, surface: {shape: sphere}, material: {young: 1 "
             "kPa, poisson: 0.3, density: 1 kg/m3}, fixed: [{below: {axis: z, at: 0}}], mask: 2 cm, storage: near, "
             "near_radius: 3 cm, live: {friction: [0, 0.8]}}\n"
             "tools:\n");
  TAC_OWN(tacScene, scene) = parse(text, "s");
  ck_assert_int_eq(tac_scene_live_count(scene), 3);
  check_live(scene, 0, "ball.stiffness", 1.0, 4.0);
  check_live(scene, 1, "ball.mask", 0.006, 0.025);
  check_live(scene, 2, "a.b.friction", 0.0, 0.8);
}

TAC_TEST(devices_have_their_kind_and_hand) {
  const char *text = edited(base, "  - name: probe\n",
                            "  - {name: a, kind: point, device: {kind: driver, file: libx.so}}\n"
                            "  - {name: b, kind: point, device: {kind: replay, file: p.txt}}\n"
                            "  - {name: c, kind: point, device: {kind: operator, preset: omni, hand: {stiffness: 0.3 "
                            "N/mm, mass: 70 g}, path: {file: p.txt}}}\n"
                            "  - name: probe\n");
  TAC_OWN(tacScene, scene) = parse(text, "s");
  static const char *const kinds[] = {"driver", "replay", "operator", "operator"};
  for (int i = 0; i < 4; ++i) ck_assert_str_eq(tac_scene_device_kind(scene, i), kinds[i]);

  double stiffness = -1.0, damping = -2.0, mass = -3.0;
  ck_assert(!tac_scene_hand(scene, 0, &stiffness, &damping, &mass));
  ck_assert(!tac_scene_hand(scene, 1, &stiffness, &damping, &mass));
  ck_assert(stiffness == -1.0 && damping == -2.0 && mass == -3.0);

  tacOperatorDef omni, premium;
  tac_test_ok(tac_operator_def_preset("omni", &omni, &error), error);
  tac_test_ok(tac_operator_def_preset("premium-3", &premium, &error), error);
  ck_assert(tac_scene_hand(scene, 2, &stiffness, &damping, &mass));
  ck_assert_double_eq_tol(stiffness, 300.0, 1e-9);
  ck_assert_double_eq(damping, omni.hand_damping);
  ck_assert_double_eq_tol(mass, 0.07, 1e-15);
  ck_assert(tac_scene_hand(scene, 3, &stiffness, &damping, &mass));
  ck_assert_double_eq(stiffness, premium.hand_stiffness);
  ck_assert_double_eq(damping, premium.hand_damping);
  ck_assert_double_eq(mass, premium.hand_mass);
}

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {"tactus: 1", "tactus: 2", "s:1: tactus: the scene has format 2, but this program reads format 1"},
      {"tactus: 1\n", "", "s:1: a scene needs tactus; write it like tactus: 1"},
      {"young", "yuong", "s:9: bodies[0].material.yuong: unknown key; did you mean young?"},
      {"10 kPa", "10 kg", "s:9: bodies[0].material.young: 10 kg is not a pressure; write it like 20 kPa"},
      {"10 kPa", "10", "s:9: bodies[0].material.young: 10 has no unit; write a pressure like 20 kPa"},
      {"0.4,", "0.6,", "s:9: bodies[0].material.poisson: 0.6 is out of range; the allowed range is -0.99 to 0.5"},
      {"0.4,", "0.5,",
       "s:9: bodies[0].material.poisson: Poisson's ratio 0.5 is too large: an incompressible material has an "
       "infinite bulk modulus; use at most 0.4999, for example 0.45"},
      {"poisson: 0.4, ", "",
       "s:9: bodies[0].material: a material needs young and poisson, or stiffness with 21 values; write it like "
       "{young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}, or material: liver"},
      {"    material: {young: 10 kPa, poisson: 0.4, density: 1 g/cm3}\n", "",
       "s:5: bodies[0]: a body needs either material or materials; write it like material: {young: 20 kPa, poisson: "
       "0.45, density: 1050 kg/m3}"},
      {"young: 10 kPa, poisson: 0.4", "stiffness: [1 kPa]",
       "s:9: bodies[0].material.stiffness: the list has 1 values, but 21 are needed"},
      {"mask: 25 mm", "mask: 25 mm\n    keep: 3",
       "s:13: bodies[0].keep: this key does not apply if kind is green; leave it out"},
      {"kind: green", "kind: soft",
       "s:6: bodies[0].kind: soft is not one of the allowed values: green, reduced, rigid, corotational, "
       "hyperelastic, vademecum"},
      {"boundary-elements", "finite-elements",
       "s:5: bodies[0]: finite elements need a volume; write it like volume: {tets: 6 mm} beside surface, or volume: "
       "{file: beam.veg}"},
      {"    mask: 25 mm\n", "    volume: {tets: 6 mm}\n    mask: 25 mm\n",
       "s:12: bodies[0].volume: boundary elements use only the surface; remove `volume` or write `method: "
       "finite-elements`"},
      {"    mask: 25 mm\n",
       "    materials: [{group: a, young: 1 kPa, poisson: 0.4, density: 1 kg/m3}]\n    mask: 25 mm\n",
       "s:12: bodies[0].materials: boundary elements support only one material; use material instead of materials"},
      {"    mask: 25 mm\n", "", "s:5: bodies[0]: a body needs mask; write it like mask: 5 mm"},
      {"mask: 25 mm", "mask: some", "s:12: bodies[0].mask: some is not a length; write it like 5 mm, or single"},
      {"mask: 25 mm", "mask: 25 mm\n    storage: near",
       "s:5: bodies[0]: storage: near and near_radius need each other; write it like near_radius: 20 mm"},
      {"mask: 25 mm", "mask: 25 mm\n    live: {stifness: [0.5, 2]}",
       "s:13: bodies[0].live.stifness: unknown key; did you mean stiffness?"},
      {"mask: 25 mm", "mask: 25 mm\n    live: [stiffness]",
       "s:13: bodies[0].live: this is a list, but a map is needed; write it like live: "
       "{stiffness: ...}"},
      {"mask: 25 mm", "mask: 25 mm\n    live: {stiffness: 2}",
       "s:13: bodies[0].live.stiffness: this is a single value, but a list is needed; "
       "write it like stiffness: [0.2, ...] with 2 values"},
      {"mask: 25 mm", "mask: 25 mm\n    live: {stiffness: [0.5, 2, 4]}",
       "s:13: bodies[0].live.stiffness: the list has 3 values, but 2 are needed"},
      {"mask: 25 mm", "mask: 25 mm\n    live:\n      stiffness: [0, 2]",
       "s:14: bodies[0].live.stiffness[0]: 0 is out of range; the allowed range is 1e-06 to 1e+06"},
      {"mask: 25 mm", "mask: 25 mm\n    live:\n      friction: [-0.1, 2]",
       "s:14: bodies[0].live.friction[0]: -0.1 is out of range; the allowed range is 0 to 10"},
      {"mask: 25 mm", "mask: 25 mm\n    live:\n      mask: [0, 30 mm]",
       "s:14: bodies[0].live.mask[0]: 0 is out of range; the allowed range is 1e-07 to 10000 m"},
      {"mask: 25 mm", "mask: 25 mm\n    live: {mask: [6, 30 mm]}",
       "s:13: bodies[0].live.mask[0]: 6 has no unit; write a length like 5 mm"},
      {"mask: 25 mm", "mask: 25 mm\n    live:\n      stiffness: [0.5, 2]\n      friction: [0.2, 0.2]",
       "s:15: bodies[0].live.friction: the range is empty: 0.2 is not less than 0.2; write it like [least, most]"},
      {"mask: 25 mm", "mask: 25 mm\n    live: {mask: [30 mm, 2 cm]}",
       "s:13: bodies[0].live.mask: the range is empty: 30 mm is not less than 2 cm; write it like [least, most]"},
      {"mask: 25 mm", "mask: 25 mm\n    live: {stiffness: [2, 4]}",
       "s:13: bodies[0].live.stiffness: the range does not contain the value of the body: its stiffness is 1, and "
       "the range is 2 to 4"},
      {"mask: 25 mm", "mask: 25 mm\n    friction: 0.7\n    live: {friction: [0, 0.6]}",
       "s:14: bodies[0].live.friction: the range does not contain the value of the body: its friction is 0.7, and "
       "the range is 0 to 0.6"},
      {"mask: 25 mm", "mask: 25 mm\n    live: {mask: [6 mm, 2 cm]}",
       "s:13: bodies[0].live.mask: the range does not contain the value of the body: its mask is 25 mm, and the "
       "range is 6 mm to 2 cm"},
      {"mask: 25 mm", "mask: single\n    live: {mask: [6 mm, 2 cm]}",
       "s:13: bodies[0].live.mask: the range does not contain the value of the body: its mask is single, and the "
       "range is 6 mm to 2 cm"},
      {"mask: 25 mm", "mask: 25 mm\n    storage: near\n    near_radius: 30 mm\n    live: {mask: [6 mm, 26 mm]}",
       "s:15: bodies[0].live.mask: the mask cannot be changed with storage: near; leave this key out or write "
       "storage: whole"},
      {"mask: 25 mm", "mask: 25 mm\n    rotation: {axis: [0, 0, 0], angle: 3 deg}",
       "s:13: bodies[0].rotation: the axis is zero; write it like axis: [0, 0, 1]"},
      {"shape: sphere, size: 20 mm", "size: 20 mm",
       "s:8: bodies[0].surface: a surface needs either a gallery shape or a file; write it like {shape: kidney, "
       "vertices: 322} or {file: organ.obj, scale: 0.001}"},
      {"shape: sphere", "shape: spere", "s:8: bodies[0].surface.shape: unknown shape spere; did you mean sphere?"},
      {"size: 20 mm", "size: 20 mm, vertices: 100",
       "s:8: bodies[0].surface.size: vertices and size are both given; give only one of them"},
      {"size: 20 mm", "scale: 3",
       "s:8: bodies[0].surface.scale: this key applies only to files; a gallery shape has "
       "a fixed size, so leave the key out"},
      {"shape: sphere", "file: a.obj",
       "s:8: bodies[0].surface.size: this key applies only to gallery shapes; a file keeps its own resolution, so "
       "leave the key out"},
      {"    fixed:\n      - below: {axis: z, at: -30 mm}\n", "",
       "s:5: bodies[0]: a body needs fixed; write it like fixed: [{below: ...}]"},
      {"- below: {axis: z, at: -30 mm}", "[]",
       "s:10: bodies[0].fixed: the list is empty; give it at least one entry or leave the key out"},
      {"below: {axis: z, at: -30 mm}", "{below: {axis: z, at: 1 mm}, group: a}",
       "s:11: bodies[0].fixed[0]: a region needs exactly one of the keys below, above, box, sphere, group, but has 2"},
      {"below: {axis: z, at: -30 mm}", "box: {lower: [1 mm, 0, 0], upper: [0, 0, 0]}",
       "s:11: bodies[0].fixed[0].box: the box is empty: lower exceeds upper in some coordinate; exchange the two "
       "values"},
      {"axis: z", "axis: w", "s:11: bodies[0].fixed[0].below.axis: w is not one of the allowed values: x, y, z"},
      {"tools:\n",
       "  - {name: ball, kind: green, method: boundary-elements, surface: {shape: sphere}, material: {young: 1 kPa, "
       "poisson: 0.3, density: 1 kg/m3}, fixed: [{below: {axis: z, at: 0}}], mask: single}\ntools:\n",
       "s:13: bodies[1].name: bodies[0] in line 5 is already called ball; names must be unique"},
      {"        - {on: ball, near: [0, 0, 8 cm], depth: -5 mm, after: 1 s}\n"
       "        - {on: ball, near: [0, 0, 8 cm], depth: 4 mm, after: 1 s}\n",
       "        - {at: [0, 0, 0], after: 1 s}\n  - {name: probe, kind: point, device: {kind: replay, file: a}}\n",
       "s:21: tools[1].name: tools[0] in line 14 is already called probe; names must be unique"},
      {"kind: operator\n", "kind: operator\n      preset: omny\n",
       "s:18: tools[0].device.preset: unknown preset omny; did you mean omni?"},
      {"kind: operator\n", "kind: operator\n      file: a\n",
       "s:18: tools[0].device.file: this key does not apply if kind is operator; leave it out"},
      {"kind: operator\n      repeat: true\n", "kind: driver\n",
       "s:18: tools[0].device.path: this key does not apply if kind is driver; leave it out"},
      {"on: ball", "on: bal", "s:20: tools[0].device.path[0].on: unknown body bal; did you mean ball?"},
      {"depth: 4 mm", "at: [0, 0, 0]",
       "s:21: tools[0].device.path[1]: a waypoint needs either a point, {at: [0 mm, 0 mm, 60 mm], after: 0.5 s}, or "
       "a point on the surface of a body, {on: kidney, near: [0 mm, 0 mm, 60 mm], depth: 4 mm, after: 0.5 s}"},
      {"depth: 4 mm, after: 1 s", "depth: 4 mm",
       "s:21: tools[0].device.path[1]: the waypoint has no time; give after, the time since the previous waypoint, "
       "for example after: 0.5 s"},
      {"depth: -5 mm, after: 1 s", "depth: -5 mm",
       "s:20: tools[0].device.path[0]: the path repeats, but the first waypoint has no time; give after, the time of "
       "the way from the last waypoint back to this one, for example after: 0.5 s"},
      {"repeat: true", "repeat: false",
       "s:20: tools[0].device.path[0].after: the first waypoint has no previous one, so after has no meaning; leave "
       "it out, or write repeat: true, and after is the time of the way back to this waypoint"},
      {"depth: 4 mm", "buttons: [grip]",
       "s:21: tools[0].device.path[1].buttons[0]: grip is not one of the allowed "
       "values: index, grab"},
      {"depth: 4 mm", "dept: 4 mm", "s:21: tools[0].device.path[1].dept: unknown key; did you mean depth?"},
      {"8 cm], depth: 4 mm", "8 s], depth: 4 mm",
       "s:21: tools[0].device.path[1].near[2]: 8 s is not a length; write it like 5 mm"},
      {"tools:\n", "servo: {rate: 100 Hz}\ntools:\n",
       "s:13: servo.rate: 100 Hz is out of range; the allowed range is 250 to 10000 Hz"},
  };
  check_reading(base, sizeof cases / sizeof *cases, cases, WHOLE);
}

TAC_TEST(missing_files_name_their_line) {
  char message[700];
  tacScene *scene = NULL;
  const char *path = tac_test_write("s.yaml", edited(base, "shape: sphere, size: 20 mm", "file: liver.obj"));
  ck_assert_int_eq(tac_scene_read(path, &scene, &error), TAC_ERR_FILE);
  ck_assert_ptr_null(scene);
  snprintf(message, sizeof message, "%s:8: bodies[0].surface.file: no such file: %s", path, tac_test_path("liver.obj"));
  ck_assert_str_eq(error.text, message);
  remove(path);
  tac_test_refused(tac_scene_read(path, &scene, &error), TAC_ERR_FILE, error, "No such file");
}

TAC_TEST(geometry_errors_name_their_line) {
  static const Mistake cases[] = {
      {"at: -30 mm", "at: -60 mm",
       "s:11: bodies[0].fixed[0]: no vertex of the surface lies in this region; the body extends from (-49.11, "},
      {"at: -30 mm", "at: 60 mm", "s:10: bodies[0].fixed: all "},
      {"below: {axis: z, at: -30 mm}", "group: base",
       "s:11: bodies[0].fixed[0].group: the mesh has no group base; the mesh has no groups"},
      {"size: 20 mm", "size: 900 mm", "s:8: bodies[0].surface: "},
      {"shape: sphere, size: 20 mm", "file: nothing.obj", "s:8: bodies[0].surface.file: nothing.obj: cannot read"},
      {"mask: 25 mm", "mask: 25 mm\n    wanted: [{below: {axis: z, at: -35 mm}}]",
       "s:13: bodies[0].wanted: every vertex of the wanted regions is fixed; use regions with free vertices"},
  };
  check_mistakes(base, sizeof cases / sizeof *cases, cases);
}

TAC_TEST(building_the_world_requires_the_bake) {
  TAC_OWN(tacScene, scene) = parse(base, "s");
  tacWorld *world = NULL;
  tacDevice devices[TAC_MOST_TOOLS];
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  ck_assert_int_eq(tac_scene_world(scene, &world, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_scene_devices(scene, devices, workspaces, &error), TAC_ERR_ARGUMENT);
}

static tacVec3 to_scene(const tacWorkspaceDef *w, tacVec3 p) {
  tacQuat q = tac_quat_of(w->orientation);
  return tac_vec3_mad(w->centre, w->scale, tac_quat_rotate(q, tac_vec3_sub(p, w->device_centre)));
}

/* The hand starts 5 mm above the pole of a sphere of 50 mm, wherever the body and the device are and however they are
 * turned and scaled. */
TAC_TEST(hand_paths_reach_the_surface) {
  static const struct {
    const char *body, *tool, *near;
    tacVec3 start;
  } cases[] = {
      {"", "", "[0, 0, 8 cm]", {0.0, 0.0, 0.055}},
      {"    position: [1 m, 0, 0]\n    rotation: {axis: [1, 0, 0], angle: 90 deg}\n",
       "    scale: 2\n    centre: [1 m, 2 m, 0]\n    rotation: {axis: [1, 2, 3], angle: 70 deg}\n",
       "[1 m, -8 cm, 0]",
       {1.0, -0.055, 0.0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char more[4096];
    snprintf(more, sizeof more, "%stools:\n", cases[i].body);
    const char *text = edited(base, "tools:\n", more);
    snprintf(more, sizeof more, "%s    device:\n", cases[i].tool);
    const char *again = edited(text, "    device:\n", more);
    text = edited(again, "[0, 0, 8 cm]", cases[i].near);
    TAC_OWN(tacScene, scene) = bake(text, "s");
    tacDevice devices[TAC_MOST_TOOLS];
    tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
    error = (tacError){0};
    tac_test_ok(tac_scene_devices(scene, devices, workspaces, &error), error);
    tacDeviceState state;
    devices[0].driver->read(devices[0].self, &state);
    tacVec3 start = to_scene(&workspaces[0], state.position);
    /* The encoder resolves 0.03 mm of the device; the pole is a vertex of the mesh. */
    ck_assert_double_le(tac_vec3_distance(start, cases[i].start), 2e-4);
    tac_device_close(&devices[0]);
  }
}

/* A device that renders k stably feels k / scale in the scene as k. */
TAC_TEST(no_contact_is_stiffer_than_the_device) {
  tacOperatorDef preset = tac_test_made(tacOperatorDef, tac_operator_def_preset("omni", &made, &error));
  const char *text = edited(base, "kind: operator\n", "kind: operator\n      preset: omni\n");
  const char *more = edited(text, "    device:\n", "    scale: 4\n    device:\n");
  TAC_OWN(tacScene, scene) = bake(more, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  double most = tac_world_body_most_stiffness(world, tac_world_find_body(world, "ball"));
  ck_assert_double_le(most, preset.info.stiffness_limit / 4.0 * (1.0 + 1e-12));
  ck_assert_double_eq(tac_world_period(world), 0.001);
  ck_assert_str_eq(tac_world_tool_name(world, 0), "probe");
}

/* What is stored near renders the same force as what is stored whole. */
TAC_TEST(storage_does_not_change_the_force) {
  static const char *const masks[2] = {"mask: 25 mm", "mask: 25 mm\n    storage: near\n    near_radius: 60 mm"};
  tacToolOutput output[2];
  for (int i = 0; i < 2; ++i) {
    TAC_OWN(tacScene, scene) = bake(edited(base, masks[0], masks[i]), "s");
    TAC_OWN(tacWorld, world) = world_of(scene);
    for (int k = 0; k <= 100; ++k) {
      tacToolInput input = {.position = {0.001, 0.002, 0.055 - 1e-4 * k}, .orientation = {1.0, 0.0, 0.0, 0.0}};
      step_world(world, &input, &output[i]);
    }
  }
  ck_assert_double_gt(tac_vec3_norm(output[0].force), 0.1);
  ck_assert_double_le(tac_vec3_distance(output[0].force, output[1].force), 1e-9);
}

/* The world has what the scene names, and takes both ends. */
TAC_TEST(live_parameters_are_those_of_the_world) {
  const char *text = edited(base, "mask: 25 mm",
                            "mask: 25 mm\n    live: {stiffness: [0.25, 4], friction: [0, 1], mask: [6 mm, 60 mm]}");
  TAC_OWN(tacScene, scene) = bake(text, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  ck_assert_int_eq(tac_scene_live_count(scene), 3);
  for (int i = 0; i < 3; ++i) {
    tacSceneLive live;
    ck_assert(tac_scene_live(scene, i, &live));
    int parameter = tac_world_find_parameter(world, live.name);
    ck_assert_int_ge(parameter, 0);
    double own = tac_world_parameter(world, parameter).value;
    ck_assert(own >= live.least && own <= live.most);
    tac_test_ok(tac_world_set_parameter(world, parameter, live.least, &error), error);
    tac_test_ok(tac_world_set_parameter(world, parameter, live.most, &error), error);
    ck_assert_double_eq(tac_world_parameter(world, parameter).value, live.most);
  }
}

/* Shapes with a given number of vertices, and regions of every kind. */
TAC_TEST(regions_and_counts_match_the_scene) {
  const char *text = edited(base, "shape: sphere, size: 20 mm", "shape: nodule, vertices: 140");
  const char *more = edited(text, "      - below: {axis: z, at: -30 mm}\n",
                            "      - below: {axis: z, at: 3 mm}\n"
                            "      - above: {axis: z, at: 49 mm}\n"
                            "      - box: {lower: [-5 cm, -5 cm, 0], upper: [-39 mm, 5 cm, 2 cm]}\n"
                            "      - sphere: {centre: [40 mm, 0, 8 mm], radius: 15 mm}\n");
  TAC_OWN(tacScene, scene) = bake(more, "s");
  const tacGreen *green = tac_scene_green(scene, 0);
  const tacTriMesh *mesh = tac_green_surface(green);
  ck_assert_int_eq(mesh->vertex_count, 140);
  for (int i = 0; i < mesh->vertex_count; ++i) {
    tacVec3 p = mesh->vertices[i];
    bool in = p.z <= 0.003 || p.z >= 0.049 || (p.x >= -0.05 && p.x <= -0.039 && fabs(p.y) <= 0.05 && p.z <= 0.02) ||
              tac_vec3_distance(p, tac_vec3(0.04, 0.0, 0.008)) <= 0.015;
    ck_assert_int_eq(tac_green_fixed(green)[i], in);
  }
}

/* A bar of four bricks along x, 10 mm each, with groups left and right. */
static void write_bar(const char *path) {
  TAC_CREATE(tacVolMesh, mesh, tac_volmesh_create(20, 0, 4, &mesh, &error));
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 4; ++k)
      mesh->vertices[4 * i + k] = tac_vec3(0.01 * i, k == 1 || k == 2 ? 0.01 : 0.0, k >= 2 ? 0.01 : 0.0);
  /* Bottom face seen from the top face, which is towards +x. */
  for (int e = 0; e < 4; ++e)
    for (int k = 0; k < 8; ++k) mesh->bricks[e].v[k] = 4 * e + k;
  tac_test_ok(tac_volmesh_add_group(mesh, "left", 2, (const int[]){0, 1}, &error), error);
  tac_test_ok(tac_volmesh_add_group(mesh, "right", 2, (const int[]){2, 3}, &error), error);
  tac_test_ok(tac_volmesh_add_vertex_set(mesh, "wall", 4, (const int[]){0, 1, 2, 3}, &error), error);
  ck_assert_double_gt(tac_volmesh_volume(mesh), 0.0);
  tac_test_ok(tac_mesh_write(path, TAC_MESH_FORMAT_VTU_ASCII, &(tacMeshContents){.volume = mesh}, &error), error);
}

/* A scene with the bar, held at its wall. */
static const char *bar_scene(const char *volume, const char *material) {
  const char *text = edited(base, "boundary-elements", "finite-elements");
  text = edited(text, "surface: {shape: sphere, size: 20 mm}", volume);
  text = edited(text, "material: {young: 10 kPa, poisson: 0.4, density: 1 g/cm3}", material);
  return edited(text, "below: {axis: z, at: -30 mm}", "group: wall");
}

/* Compliance of the bar's free end along x, m/N, for a force on one of its corners. */
static double end_compliance(const char *material) {
  TAC_OWN(tacScene, scene) = bake(bar_scene("volume: {file: bar.vtu}", material), in_cache("s.yaml"));
  const tacGreen *green = tac_scene_green(scene, 0);
  int end = -1;
  for (int i = 0; i < tac_green_surface(green)->vertex_count; ++i)
    if (tac_green_surface(green)->vertices[i].x > 0.039 && tac_green_surface(green)->vertices[i].y < 1e-3) end = i;
  double block[3][3];
  ck_assert(end >= 0 && tac_green_block(green, end, end, block));
  double compliance = block[0][0] / tac_green_area(green)[end];
  return compliance;
}

/* Finite elements with materials by group, and anisotropic ones. Statics are linear in 1 / E: bars of one material scale
 * exactly, and one that is stiffer in its half lies between. An isotropic C given by its 21 numbers is the same material. */
TAC_TEST(materials_are_those_of_the_groups) {
  open_cache();
  const char *path = in_cache("bar.vtu");
  write_bar(path);
  double soft = end_compliance("material: {young: 10 kPa, poisson: 0.25, density: 1 g/cm3}");
  double hard = end_compliance("material: {young: 40 kPa, poisson: 0.25, density: 1 g/cm3}");
  double both = end_compliance("materials: [{group: left, young: 10 kPa, poisson: 0.25, density: 1 g/cm3}, {group: "
                               "right, young: 40 kPa, poisson: 0.25, density: 1 g/cm3}]");
  /* E = 10 kPa, nu = 1/4: lambda = mu = 4 kPa. */
  double same = end_compliance("material: {density: 1 g/cm3, stiffness: [12 kPa, 4 kPa, 4 kPa, 0, 0, 0, 12 kPa, 4 kPa, "
                               "0, 0, 0, 12 kPa, 0, 0, 0, 4 kPa, 0, 0, 4 kPa, 0, 4 kPa]}");
  ck_assert_double_eq_tol(soft, 4.0 * hard, 1e-9 * soft);
  ck_assert_double_eq_tol(same, soft, 1e-9 * soft);
  ck_assert(both > hard && both < soft);
}

/* A region holds the elements whose centres are in it, later entries override earlier ones, and the first may be everywhere. */
TAC_TEST(materials_are_those_of_the_regions) {
  open_cache();
  const char *path = in_cache("bar.vtu");
  write_bar(path);
  double both = end_compliance("materials: [{group: left, young: 10 kPa, poisson: 0.25, density: 1 g/cm3}, {group: "
                               "right, young: 40 kPa, poisson: 0.25, density: 1 g/cm3}]");
#define ALL(young) "{name: all, young: " young ", poisson: 0.25, density: 1 g/cm3}"
#define PART(where, young) "{name: part, in: [" where "], young: " young ", poisson: 0.25, density: 1 g/cm3}"
  static const char *const same[] = {
      "materials: [" ALL("10 kPa") ", " PART("{above: {axis: x, at: 2 cm}}", "40 kPa") "]",
      "materials: [" ALL("40 kPa") ", " PART("{below: {axis: x, at: 2 cm}}", "10 kPa") "]",
      "materials: [" ALL("40 kPa") ", " PART("{sphere: {centre: [0, 0, 0], radius: 17 mm}}", "10 kPa") "]",
      "materials: [" ALL("40 kPa") ", " PART("{box: {lower: [0, 0, 0], upper: [8 mm, 1 cm, 1 cm]}}, {box: {lower: [1 "
                                             "cm, 0, 0], upper: [18 mm, 1 cm, 1 cm]}}",
                                             "10 kPa") "]",
  };
  for (int i = 0; i < 4; ++i) ck_assert_double_eq_tol(end_compliance(same[i]), both, 1e-12 * both);
}

TAC_TEST(elements_without_material_are_found) {
  open_cache();
  write_bar(in_cache("bar.vtu"));
  const char *text =
      bar_scene("volume: {file: bar.vtu}", "materials: [{group: lft, young: 10 kPa, poisson: 0.25, density: 1 g/cm3}]");
  static const char *const messages[] = {"bodies[0].materials[0].group: the mesh has no group lft; did you mean left?",
                                         "bodies[0].materials: element 2 of the mesh has no material: none of these "
                                         "regions contains it; let the first material apply everywhere"};
  for (int i = 0; i < 2; ++i) {
    TAC_OWN(tacScene, scene) = parse(i == 0 ? text : edited(text, "lft", "left"), in_cache("s.yaml"));
    ck_assert_int_ne(tac_scene_bake(scene, cache, false, NULL, NULL, &error), TAC_OK);
    ck_assert_msg(strstr(error.text, messages[i]) != NULL, "%s", error.text);
  }
}

TAC_TEST(one_isotropic_material_has_its_constants) {
  static const struct {
    const char *material;
    double young, poisson; /* 0: not one */
  } cases[] = {
      {"material: {young: 12 kPa, poisson: 0.3, density: 1 g/cm3}\n    stiffness: 3", 12e3, 0.3},
      {"materials: [{group: left, young: 0.01 MPa, poisson: 0.3, density: 1 g/cm3}, {group: right, young: 0.01 MPa, "
       "poisson: 0.3, density: 2 g/cm3}]",
       1e4, 0.3},
      {"materials: [{group: left, young: 10 kPa, poisson: 0.3, density: 1 g/cm3}, {group: right, young: 11 kPa, "
       "poisson: 0.3, density: 1 g/cm3}]",
       0.0, 0.0},
      {"materials: [{group: left, young: 10 kPa, poisson: 0.3, density: 1 g/cm3}, {group: right, young: 10 kPa, "
       "poisson: 0.4, density: 1 g/cm3}]",
       0.0, 0.0},
      {"material: {density: 1 g/cm3, stiffness: [12 kPa, 4 kPa, 4 kPa, 0, 0, 0, 12 kPa, 4 kPa, 0, 0, 0, 15 kPa, 0, 0, "
       "0, 4 kPa, 0, 0, 4 kPa, 0, 4 kPa]}",
       0.0, 0.0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    TAC_OWN(tacScene, scene) = parse(bar_scene("volume: {file: bar.vtu}", cases[i].material), "s");
    double young = -1.0, poisson = -1.0;
    ck_assert_int_eq(tac_scene_material(scene, 0, &young, &poisson), cases[i].young > 0.0);
    ck_assert_double_eq_tol(young, cases[i].young > 0.0 ? cases[i].young : -1.0, 1e-9);
    ck_assert_double_eq(poisson, cases[i].young > 0.0 ? cases[i].poisson : -1.0);
  }
}

/* The volume's boundary is the surface that was baked, whether it was filled or read. */
TAC_TEST(volumes_are_those_of_the_bake) {
  static const struct {
    const char *volume, *fixed;
    bool bricks;
  } cases[] = {
      {"surface: {shape: sphere, size: 40 mm}\n    volume: {tets: 40 mm}", "below: {axis: z, at: 0}", false},
      {"surface: {shape: sphere, size: 40 mm}\n    volume: {bricks: 40 mm}", "below: {axis: z, at: 0}", true},
      {"volume: {file: bar.vtu, scale: 2}", "group: wall", true},
      {"volume: {shape: box, size: 30 mm}", "below: {axis: z, at: 1 mm}", true},
  };
  open_cache();
  write_bar(in_cache("bar.vtu"));
  for (int i = 0; i < 4; ++i) {
    const char *text = bar_scene(cases[i].volume, "material: {young: 10 kPa, poisson: 0.4, density: 1 g/cm3}");
    TAC_OWN(tacScene, scene) = bake(edited(text, "group: wall", cases[i].fixed), in_cache("s.yaml"));
    error = (tacError){0};
    TAC_CREATE(tacVolMesh, volume, tac_scene_volume(scene, 0, NULL, &volume, &error));
    ck_assert_ptr_nonnull(volume);
    ck_assert_int_eq(volume->brick_count > 0, cases[i].bricks);
    ck_assert_int_eq(volume->tet_count > 0, !cases[i].bricks);
    if (i == 2) ck_assert_double_eq_tol(tac_volmesh_volume(volume), 8.0 * 4e-6, 1e-15);
    if (i == 3) ck_assert_int_eq(volume->brick_count, 3 * 3 * 2);
    TAC_CREATE(tacTriMesh, surface, tac_volmesh_surface(volume, &surface, NULL, NULL, &error));
    const tacTriMesh *baked = tac_green_surface(tac_scene_green(scene, 0));
    ck_assert_int_eq(surface->vertex_count, baked->vertex_count);
    for (int v = 0; v < baked->vertex_count; ++v)
      ck_assert_double_eq(tac_vec3_distance(surface->vertices[v], baked->vertices[v]), 0.0);
  }
}

TAC_TEST(boundary_elements_have_no_volume) {
  tacVolMesh some, *volume = &some;
  TAC_OWN(tacScene, scene) = parse(base, "s");
  tac_test_ok(tac_scene_volume(scene, 0, NULL, &volume, &error), error);
  ck_assert_ptr_null(volume);
}

TAC_TEST(failed_volumes_name_their_line) {
  tacVolMesh some, *volume = &some;
  const char *text =
      bar_scene("volume: {file: nothing.vtu}", "material: {young: 1 kPa, poisson: 0.4, density: 1 g/cm3}");
  TAC_OWN(tacScene, scene) = parse(text, "s");
  ck_assert_int_eq(tac_scene_volume(scene, 0, NULL, &volume, &error), TAC_ERR_FILE);
  ck_assert_ptr_null(volume);
  ck_assert_msg(strncmp(error.text, "s:8: bodies[0].volume.file: nothing.vtu", 39) == 0, "%s", error.text);
}
