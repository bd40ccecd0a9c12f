/* Scenes with rigid bodies, points and fields, contacts, and tools that hold a body. */
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/reduced.h>
#include <tactus/scene.h>
#include "asset/deformed_field.h"
#include "asset/distance_field.h"
#include "asset/pointshell.h"
#include "couple/workspace.h"
#include "math/geometry/quat.h"
#include "scene/scene.h"
#include "scene/scene_bake.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "step_world.h"
#include "world/world.h"
#include "world/world_parts.h"

static const char base[] = ROD_AND_BALL(
    "{count: 100}") "  - name: corner\n"                                         /* 18 */
                    "    kind: rigid\n"                                          /* 19 */
                    "    analytic: [{plane: {normal: [0, 3, 4], at: -10 mm}}]\n" /* 20 */
                    "contacts:\n"                                                /* 21 */
                    "  - {points: rod, field: ball, stiffness: 200 N/m}\n"       /* 22 */
                    "  - {points: ball, field: corner, friction: 0.3}\n"         /* 23 */
                    "tools:\n"                                                   /* 24 */
                    "  - name: hand\n"                                           /* 25 */
                    "    kind: body\n"                                           /* 26 */
                    "    body: ball\n"                                           /* 27 */
                    "    device:\n"                                              /* 28 */
                    "      kind: operator\n"                                     /* 29 */
                    "      path:\n"                                              /* 30 */
                    "        - {at: [200 mm, 0, 80 mm]}\n"                       /* 31 */
                    "        - {at: [200 mm, 0, 60 mm], turn: {axis: [0, 0, 1], angle: 30 deg}, after: 1 s}\n";

#define CORNER "{plane: {normal: [0, 3, 4], at: -10 mm}}"

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      /* Rigid bodies. */
      {"    surface: {shape: sphere, size: 20 mm}\n", "",
       "s:12: bodies[1]: a rigid body needs either surface or analytic; write it like surface: {shape: box} or "
       "analytic: [{plane: {normal: z}}]"},
      {"    points: {count: 100}\n", "    analytic: [" CORNER "]\n",
       "s:12: bodies[1]: a rigid body needs either surface or analytic; write it like surface: {shape: box} or "
       "analytic: [{plane: {normal: z}}]"},
      {"contacts:\n", "    field: {}\ncontacts:\n",
       "s:21: bodies[2].field: this key applies only to surfaces; `analytic` is already an exact field, so remove "
       "this key"},
      {"contacts:\n", "    points: {}\ncontacts:\n",
       "s:21: bodies[2].points: points are sampled on a surface, but this body has only analytic; write it like "
       "surface: {shape: box} instead of analytic"},
      {"kind: rigid\n", "kind: rigid\n    volume: {tets: 5 mm}\n",
       "s:14: bodies[1].volume: this key does not apply if kind is rigid; leave it out"},
      {"kind: rigid\n", "kind: rigid\n    mask: 5 mm\n",
       "s:14: bodies[1].mask: this key does not apply if kind is rigid; leave it out"},
      {"kind: rigid\n", "kind: rigid\n    fixed: [{below: {axis: z, at: 0}}]\n",
       "s:14: bodies[1].fixed: this key does not apply if kind is rigid; leave it out"},
      {CORNER, "{plane: {normal: [0, 0, 0]}}",
       "s:20: bodies[2].analytic[0].plane.normal: the normal is zero; write it like normal: z or normal: [0, 0, 1]"},
      {CORNER, "{plane: {normal: up}}",
       "s:20: bodies[2].analytic[0].plane.normal: up is not one of the allowed "
       "values: x, y, z"},
      {CORNER, "{plane: {at: 1 kg}}", "s:20: bodies[2].analytic[0].plane.at: 1 kg is not a length; write it like 5 mm"},
      {CORNER, "{cone: {}}", "s:20: bodies[2].analytic[0].cone: unknown key; did you mean plane?"},
      {CORNER, "{plane: {normal: z}, sphere: {centre: [0, 0, 0], radius: 1 mm}}",
       "s:20: bodies[2].analytic[0]: a solid needs exactly one of the keys plane, sphere, box, capsule, but has 2"},
      {CORNER, "{capsule: {from: [0, 0, 0], to: [0, 0, 1 mm]}}",
       "s:20: bodies[2].analytic[0].capsule: a capsule needs radius; write it like radius: 5 mm"},
      {CORNER, "{box: {lower: [0, 0, 1 mm], upper: [0, 0, 0]}}",
       "s:20: bodies[2].analytic[0].box: the box is empty: lower exceeds upper in some coordinate; exchange the two "
       "values"},
      /* Points and fields. */
      {"count: 120", "count: 5", "s:10: bodies[0].points.count: 5 is not a whole number from 10 to 10000000"},
      {"levels: 2", "levels: 13", "s:10: bodies[0].points.levels: 13 is not a whole number from 1 to 12"},
      {"levels: 2", "resolution: 4", "s:10: bodies[0].points.resolution: 4 is not a whole number from 8 to 1024"},
      {"levels: 2", "offset: thin", "s:10: bodies[0].points.offset: thin is not a length; write it like 5 mm, or auto"},
      {"levels: 2", "proxies: 3", "s:10: bodies[0].points.proxies: unknown key; did you mean count?"},
      {ROD_POINTS, "    points: 120\n",
       "s:10: bodies[0].points: this is a single value, but a map is needed; write it "
       "like points: {count: ...}"},
      {"expansion: 1.3", "expansion: 1",
       "s:16: bodies[1].field.expansion: 1 is out of range; the allowed range is "
       "1.05 to 10"},
      {"expansion: 1.3", "proxies: 9", "s:16: bodies[1].field.proxies: unknown key; did you mean offset?"},
      {"nearest: 4", "nearest: 9",
       "s:11: bodies[0].field.nearest: nearest is 9, but there are only 8 proxies; use "
       "at most the number of proxies"},
      {"nearest: 4", "domains: [{group: end}]",
       "s:11: bodies[0].field.domains[0].group: a domain cannot be a group; cut it from the body with a half-space, "
       "a box or a sphere, for example below: {axis: z, at: 5 mm}"},
      {"nearest: 4", "domains: []",
       "s:11: bodies[0].field.domains: the list is empty; give it at least one entry or "
       "leave the key out"},
      /* Contacts. */
      {"points: rod, field", "points: rode, field", "s:22: contacts[0].points: unknown body rode; did you mean rod?"},
      {"field: ball", "field: bell", "s:22: contacts[0].field: unknown body bell; did you mean ball?"},
      {ROD_POINTS, "",
       "s:21: contacts[0].points: rod has no points; add them, for example points: {count: 65536} below line 3"},
      {"    field: {resolution: 20, expansion: 1.3}\n", "",
       "s:21: contacts[0].field: ball has no field; add them, for example field: {resolution: 128} below line 12"},
      {"points: rod, field", "points: ball, field",
       "s:22: contacts[0]: points and field are the same body; give two different bodies"},
      {"points: ball, field: corner, friction: 0.3", "points: rod, field: ball",
       "s:23: contacts[1]: contacts[0] in line 22 already has these two bodies; leave one of the two contacts out"},
      {"points: rod, ", "", "s:22: contacts[0]: a contact needs points; write it like points: some-text"},
      {"stiffness: 200 N/m", "stiffness: 0 N/m",
       "s:22: contacts[0].stiffness: 0 N/m is out of range; the allowed range is 0.001 to 1e+07 N/m"},
      {"stiffness: 200 N/m", "full_count: 0.5",
       "s:22: contacts[0].full_count: 0.5 is out of range; the allowed range is 1 to 1e+06"},
      {"stiffness: 200 N/m", "levels: 0", "s:22: contacts[0].levels: 0 is not a whole number from 1 to 12"},
      {"stiffness: 200 N/m", "areas: some",
       "s:22: contacts[0].areas: some is not one of the allowed values: true, "
       "false"},
      {"stiffness: 200 N/m", "stiffness: 200 N/m, live: {stiffness: [0.3 N/mm, 1 kN/m]}",
       "s:22: contacts[0].live.stiffness: the range does not contain the value of the contact: its stiffness is 200 "
       "N/m, and the range is 0.3 N/mm to 1 kN/m"},
      {"stiffness: 200 N/m", "live: {friction: [0.1, 0.5]}",
       "s:22: contacts[0].live.friction: the range does not contain the value of the contact: its friction is 0, and "
       "the range is 0.1 to 0.5"},
      {"stiffness: 200 N/m", "live: {ramp: [0, 1 mm]}",
       "s:22: contacts[0].live.ramp: unknown key; did you mean friction?"},
      {"tools:\n", "budget: 2 s\ntools:\n", "s:24: budget: 2 s is out of range; the allowed range is 1e-05 to 0.01 s"},
      /* Tools. */
      {"    body: ball\n", "", "s:25: tools[0]: a tool needs body; write it like body: some-text"},
      {"body: ball\n", "body: bal\n", "s:27: tools[0].body: unknown body bal; did you mean ball?"},
      {"kind: body\n    body: ball\n", "kind: point\n",
       "s:31: tools[0].device.path[1].turn: a point or fingertip tool cannot be turned; remove `turn`, or hold a "
       "body with kind: body"},
      {"kind: body\n", "kind: point\n", "s:27: tools[0].body: this key does not apply if kind is point; leave it out"},
      {"  - name: hand\n",
       "  - {name: first, kind: body, body: ball, device: {kind: replay, file: a}}\n  - name: hand\n",
       "s:28: tools[1].body: tools[0] in line 25 already holds ball; a body can be held by one tool only"},
      {"kind: body\n    body: ball\n", "kind: pad\n    body: bal\n",
       "s:27: tools[0].body: unknown body bal; did you mean ball?"},
      {"kind: body\n    body: ball\n", "kind: pad\n    body: ball\n    hold: glue\n",
       "s:28: tools[0].hold: glue is not one of the allowed values: stick, press"},
      {"kind: body\n    body: ball\n", "kind: pad\n    body: ball\n    approach: [0, 0, 0]\n",
       "s:28: tools[0].approach: the direction is zero; write it like approach: [0, 0, -1]"},
      {"kind: body\n    body: ball\n", "kind: pad\n    body: ball\n    coupling: {damping: 0.5}\n",
       "s:28: tools[0].coupling.damping: unknown key; did you mean stiffness?"},
      {"kind: body\n    body: ball\n", "kind: pad\n    body: ball\n    grasp: [0, 0, 0]\n",
       "s:28: tools[0].grasp: this key does not apply if kind is pad; leave it out"},
      {"body: ball\n", "body: ball\n    opening: 10 mm\n",
       "s:28: tools[0].opening: this key does not apply if kind is body; leave it out"},
      {"body: ball\n", "body: ball\n    grasp: [0, 0]\n",
       "s:28: tools[0].grasp: the list has 2 values, but 3 are "
       "needed"},
      {"body: ball\n", "body: ball\n    coupling: {kind: stiff}\n",
       "s:28: tools[0].coupling.kind: stiff is not one of the allowed values: static, dynamic"},
      {"body: ball\n", "body: ball\n    coupling: {mass: 1 kg}\n",
       "s:28: tools[0].coupling.mass: this key does not apply if kind is static; leave it out"},
      {"body: ball\n", "body: ball\n    coupling: {joint: true}\n",
       "s:28: tools[0].coupling.joint: this key was removed; leave it out: a held body and what it touches are always "
       "solved together"},
      {"body: ball\n", "body: ball\n    coupling: {kind: dynamic, substeps: 4}\n",
       "s:28: tools[0].coupling.substeps: this key was removed; leave it out: a dynamic coupling takes one implicit "
       "step "
       "a tick"},
      {"body: ball\n", "body: ball\n    coupling: {damping: 1}\n",
       "s:28: tools[0].coupling.damping: 1 is out of range; the allowed range is 0 to 0.99"},
      {"body: ball\n", "body: ball\n    coupling: {depth: 1 mm, force_limit: 3 N}\n",
       "s:28: tools[0].coupling.depth: depth and force_limit both define where the force saturates; give only one of "
       "them"},
      {"body: ball\n", "body: ball\n    coupling: {turn_stiffness: 1 N/m}\n",
       "s:28: tools[0].coupling.turn_stiffness: 1 N/m is not a torque; write it like 0.5 Nm"},
      {"body: ball\n", "body: ball\n    coupling: {torque_limit: much}\n",
       "s:28: tools[0].coupling.torque_limit: much is not a torque; write it like 0.5 Nm, or none"},
      {"body: ball\n", "body: ball\n    coupling: {turn_limit: 3}\n",
       "s:28: tools[0].coupling.turn_limit: 3 has no unit; write an angular speed like 180 deg/s"},
      {"axis: [0, 0, 1], angle: 30 deg", "angle: 30 deg",
       "s:32: tools[0].device.path[1].turn: a rotation needs axis; write it like axis: [0.2, 0.2, 0.2]"},
  };
  check_reading(base, sizeof cases / sizeof *cases, cases, WHOLE);
}

/* Elastostatic and free bodies are held and touch as others do, by both methods. */
TAC_TEST(every_kind_is_held_and_touches) {
#define GREEN                                                                                                        \
  "  - {name: lump, kind: green, method: boundary-elements, surface: {shape: sphere, size: 40 mm}, material: "       \
  "{young: 1 kPa, poisson: 0.3, density: 1 g/cm3}, fixed: [{below: {axis: z, at: 0}}], mask: 1 cm, points: {count: " \
  "50}, field: {resolution: 12}}\n"
#define FREE                                                                                                          \
  "  - {name: drop, kind: reduced, surface: {shape: sphere, size: 40 mm}, volume: {tets: 3 cm}, material: {young: 1 " \
  "kPa, poisson: 0.3, density: 1 g/cm3}, basis: {from: modes, modes: 2, size: 2}, points: {count: 50}, field: "       \
  "{resolution: 12}}\n"
  static const struct { const char *body, *name; } bodies[] = {{GREEN, "lump"}, {FREE, "drop"}};
  for (int i = 0; i < 2; ++i)
    for (int held = 0; held < 2; ++held)
      for (int signorini = 0; signorini < 2; ++signorini) {
        char line[1024];
        error = (tacError){0};
        snprintf(line, sizeof line, "%scontacts:\n  - {points: %s, field: corner, method: %s}\n", bodies[i].body,
                 bodies[i].name, signorini ? "signorini" : "penalty");
        const char *text = edited(base, "contacts:\n", line);
        snprintf(line, sizeof line, "points: rod, field: %s", bodies[i].name);
        const char *more = edited(text, "points: rod, field: ball", line);
        snprintf(line, sizeof line, "body: %s\n    coupling: {kind: dynamic}\n", held ? bodies[i].name : "ball");
        text = edited(more, "body: ball\n", line);
        TAC_OWN(tacScene, scene) = bake(text, "s");
        ck_assert_int_eq(tac_scene_asset_count(scene), 8);
        ck_assert_ptr_nonnull(tac_scene_points(scene, 3));
        ck_assert_ptr_nonnull(i == 0 ? (const void *)tac_scene_field(scene, 3) : tac_scene_deformed_field(scene, 3));
        TAC_OWN(tacWorld, world) = world_of(scene);
        tacBodyId id = tac_world_find_body(world, bodies[i].name);
        if (i == 0) ck_assert_ptr_eq(tac_world_body_field(world, id), tac_scene_field(scene, 3));
        /* It weighs as what its surface encloses. */
        const tacWorldBody *body = tac_world_find(world, id);
        double volume = tac_trimesh_volume(tac_scene_surface(scene, 3));
        if (i == 0) ck_assert_double_eq_tol(body->start.mass, 1000.0 * volume, 1e-12 * body->start.mass);
        ck_assert_int_eq(body->start.mode, held ? TAC_FRAME_HELD : i == 0 ? TAC_FRAME_RESTS : TAC_FRAME_FREE);
      }
}

/* The mass of two materials is that of their elements. */
TAC_TEST(a_lump_of_two_materials_has_the_mass_of_both) {
  const char *text = edited(
      base, "contacts:\n",
      "  - {name: lump, kind: green, method: finite-elements, surface: {shape: box}, volume: {bricks: 50 mm}, mask: 1 "
      "cm, materials: [{name: all, young: 1 kPa, poisson: 0.3, density: 1 g/cm3}, {name: half, young: 1 kPa, poisson: "
      "0.3, density: 3 g/cm3, in: [{above: {axis: y, at: 40 mm}}]}], fixed: [{below: {axis: z, at: 0}}]}\ncontacts:\n");
  TAC_OWN(tacScene, scene) = bake(text, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  const tacWorldBody *body = tac_world_find(world, tac_world_find_body(world, "lump"));
  double volume = tac_trimesh_volume(tac_scene_surface(scene, 3));
  ck_assert_double_eq_tol(body->start.mass, 2000.0 * volume, 1e-9 * body->start.mass);
}

static int warnings;
static char warned[512];
static void keep_warning(tacLogLevel level, const char *text, void *user) {
  (void)user;
  warnings += level == TAC_LOG_WARNING;
  snprintf(warned, sizeof warned, "%s", text);
}

static int warnings_of(const char *text) {
  warnings = 0;
  tac_scene_destroy(parse(text, "s"));
  return warnings;
}

/* Free bodies without a field go through each other, and a scene of them says so once. */
TAC_TEST(free_bodies_without_a_field_are_reported) {
#define LOOSE(name, more) "  - {name: " name ", kind: rigid, surface: {shape: box}, free: true, mass: 1 kg" more "}\n"
  static const struct {
    const char *bodies;
    int count;
  } cases[] = {
      {LOOSE("a", ""), 0},
      {LOOSE("a", "") LOOSE("b", ""), 1},
      {LOOSE("a", "") LOOSE("b", "") LOOSE("c", ""), 1},
      {LOOSE("a", "") LOOSE("b", ", field: {}"), 0},
      {LOOSE("a", "") "  - {name: b, kind: rigid, free: true, mass: 1 kg, analytic: [{sphere: {centre: [0, 0, 0], "
                      "radius: 1 cm}}]}\n",
       0},
      {"  - {name: a, kind: reduced, surface: {shape: box}, volume: {bricks: 1 cm}, material: {young: 1 kPa, poisson: "
       "0.3, density: 1 g/cm3}, basis: {from: modes}, copies: {grid: [2, 1, 1], spacing: [1 m, 1 m, 1 m]}}\n",
       1},
  };
  tac_log_set(keep_warning, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char line[2048];
    snprintf(line, sizeof line, "%scontacts:\n", cases[i].bodies);
    ck_assert_int_eq(warnings_of(edited(base, "contacts:\n", line)), cases[i].count);
    if (i == 1)
      ck_assert_str_eq(warned, "s: a and b are free and pass through each other, because no free body has a field; "
                               "give one of them a field, for example field: {resolution: 32}");
  }
  /* One that is in the hand is not free. */
  const char *text = edited(base, "contacts:\n", LOOSE("a", "") LOOSE("b", "") "contacts:\n");
  ck_assert_int_eq(warnings_of(edited(text, "body: ball\n", "body: a\n")), 0);
  /* Surfaces all have. */
  text = edited(base, "contacts:\n", LOOSE("a", "") LOOSE("b", "") "method: signorini\ndetect: surfaces\ncontacts:\n");
  ck_assert_int_eq(warnings_of(text), 0);
  tac_log_set(NULL, NULL);
}

/* Bodies that meet by their surfaces need neither points nor a field, whether the contact says so or the scene. */
TAC_TEST(surfaces_need_neither_points_nor_a_field) {
  static const char *const ways[2][2] = {{"stiffness: 200 N/m", "method: signorini, detect: surfaces"},
                                         {"contacts:\n", "method: signorini\ndetect: surfaces\ncontacts:\n"}};
  for (int way = 0; way < 2; ++way) {
    const char *text = edited(base, ROD_POINTS, "");
    const char *less = edited(text, "    field: {resolution: 20, expansion: 1.3}\n", "");
    text = edited(less, ways[way][0], ways[way][1]);
    TAC_OWN(tacScene, scene) = bake(text, "s");
    error = (tacError){0};
    TAC_OWN(tacWorld, world) = world_of(scene);
    ck_assert_int_eq(tac_world_pair(world, 0).laws.detect, TAC_DETECT_SURFACES);
    ck_assert_int_eq(tac_world_pair(world, 1).laws.detect, way == 0 ? TAC_DETECT_POINTS : TAC_DETECT_SURFACES);
  }
}

/* Every key that the base leaves out. */
TAC_TEST(all_keys_are_read) {
  const char *text = edited(base, "stiffness: 200 N/m",
                            "stiffness: 200 N/m, friction: 0.2, tangential: 0.7, full_count: 20, ramp: 0.1 mm, areas: "
                            "false, levels: 1, live: {friction: [0, 1], stiffness: [100 N/m, 0.4 N/mm]}");
  const char *more = edited(text, "tools:\n", "budget: 400 us\ntools:\n");
  text = edited(
      more, "body: ball\n",
      "body: ball\n    grasp: [0, 0, 10 mm]\n    coupling: {kind: dynamic, stiffness: 500 N/m, turn_stiffness: 2 Nm, "
      "force_limit: none, torque_limit: 30 mNm, damping: 2, speed_limit: 50 cm/s, turn_limit: 90 deg/s, mass: 50 g}\n");
  more =
      edited(text, CORNER,
             "{plane: {normal: x, at: -1 cm, size: 10 cm}}, {sphere: {centre: [0, 0, 0], radius: 1 cm}}, {box: {lower: "
             "[0, 0, 0], upper: [1 cm, 1 cm, 1 cm]}}, {capsule: {from: [0, 0, 0], to: [0, 0, 1 cm], radius: 1 mm}}");
  text = edited(more, "expansion: 1.3", "expansion: 1.3, offset: auto");
  more = edited(text, "points: {count: 100}", "points: {count: 100, resolution: 32, offset: 3 mm}");
  text = edited(more, "nearest: 4",
                "nearest: 4, expansion: 2, domains: [{below: {axis: x, at: 20 cm}}, {above: {axis: x, at: 18 cm}}]");
  TAC_OWN(tacScene, scene) = parse(text, "s");
  ck_assert_int_eq(tac_scene_asset_count(scene), 5);
  ck_assert_int_eq(tac_scene_body_copies(scene, 1), 1);
  ck_assert_int_eq(tac_scene_live_count(scene), 2);
  tacSceneLive stiffness, friction;
  ck_assert(tac_scene_live(scene, 0, &stiffness) && tac_scene_live(scene, 1, &friction));
  ck_assert(!tac_scene_live(scene, 2, &friction));
  ck_assert_str_eq(stiffness.name, "rod-ball.stiffness");
  ck_assert_str_eq(friction.name, "rod-ball.friction");
  ck_assert_double_eq_tol(stiffness.most, 400.0, 1e-9);
  double young = -1.0, poisson = -1.0;
  ck_assert(!tac_scene_material(scene, 1, &young, &poisson));
  ck_assert(tac_scene_material(scene, 0, &young, &poisson));
  tacVolMesh *volume = tac_test_made(tacVolMesh *, tac_scene_volume(scene, 1, NULL, &made, &error));
  ck_assert_ptr_null(volume);
  ck_assert_ptr_null(tac_scene_surface(scene, 1));
}

static bool ends(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

/* Body by body, each once; fetched the second time. What another material changes is baked again, and nothing else. */
TAC_TEST(assets_are_listed_and_cached) {
  static const struct {
    int body;
    const char *kind, *ending;
  } wanted[5] = {{0, "reduced", ".reduced"},
                 {0, "deformed", ".deformed"},
                 {0, "points", ".embedded"},
                 {1, "field", ".field"},
                 {1, "points", ".points"}};
  /* What is baked anew of the five. */
  static const struct {
    const char *from, *to;
    bool again, baked[5];
  } rounds[] = {
      {"", "", false, {true, true, true, true, true}},
      {"", "", false, {false, false, false, false, false}},
      {"young: 10 kPa", "young: 11 kPa", false, {true, true, true, false, false}},
      {"nearest: 4", "nearest: 3", false, {false, true, false, false, false}},
      {"count: 120", "count: 130", false, {false, false, true, false, false}},
      {"resolution: 20", "resolution: 18", false, {false, false, false, true, true}},
      {"stiffness: 200 N/m", "stiffness: 201 N/m", false, {false, false, false, false, false}},
      {"", "", true, {true, true, true, true, true}},
  };
  open_cache();
  for (size_t i = 0; i < (tac_test_light() ? 3 : sizeof rounds / sizeof *rounds); ++i) {
    tacSceneAsset assets[5];
    error = (tacError){0};
    const char *text = edited(base, rounds[i].from, rounds[i].to);
    TAC_OWN(tacScene, scene) = parse(text, "s");
    ck_assert_int_eq(tac_scene_asset_count(scene), 5);
    tac_test_ok(tac_scene_bake(scene, cache, rounds[i].again, NULL, assets, &error), error);
    for (int k = 0; k < 5; ++k) {
      ck_assert_int_eq(assets[k].body, wanted[k].body);
      ck_assert_str_eq(assets[k].kind, wanted[k].kind);
      ck_assert_msg(ends(assets[k].path, wanted[k].ending), "%s", assets[k].path);
      ck_assert_msg(assets[k].was_cached == !rounds[i].baked[k], "round %d, %s", (int)i, assets[k].path);
      ck_assert_uint_gt(assets[k].bytes, 0);
    }
  }
}

/* Points lie on their surfaces, fields are those of their bodies. */
TAC_TEST(points_and_fields_are_those_of_the_body) {
  TAC_OWN(tacScene, scene) = bake(base, "s");
  const tacReduced *rod = tac_scene_reduced(scene, 0);
  const tacPointshell *soft = tac_scene_points(scene, 0), *stiff = tac_scene_points(scene, 1);
  ck_assert_int_eq(tac_pointshell_coordinates(soft), tac_reduced_size(rod));
  ck_assert_int_eq(tac_pointshell_coordinates(stiff), 0);
  ck_assert_int_eq(tac_pointshell_level_count(soft), 2);
  int count = tac_pointshell_size(stiff, 11);
  ck_assert_int_eq(tac_pointshell_size(soft, 11), 120);
  ck_assert_int_eq(count, 100);
  for (int i = 0; i < count; ++i) { /* a sphere of 50 mm in voxels of 6.5 mm, with triangles of 20 mm */
    tacVec3 p = tac_pointshell_point(stiff, i);
    ck_assert_double_eq_tol(tac_vec3_norm(p), 0.049, 0.0025);
    ck_assert_double_ge(tac_vec3_dot(tac_pointshell_normal(stiff, i), tac_vec3_unit(p)), 0.9);
  }
  const tacGrid *grid = tac_distance_field_grid(tac_scene_field(scene, 1));
  ck_assert_int_eq(grid->nx, 21);
  ck_assert_double_eq_tol(grid->spacing, 1.3 * tac_box_longest(tac_trimesh_box(tac_scene_surface(scene, 1))) / 20.0,
                          1e-9);
  const tacDeformedField *field = tac_scene_deformed_field(scene, 0);
  ck_assert_int_eq(tac_deformed_field_domain_count(field), 1);
  ck_assert_int_eq(tac_distance_field_grid(tac_deformed_field_domain(field, 0))->nx, 17);
  ck_assert_int_eq(tac_deformed_field_proxy_count(field, 0), 8);
  /* The plane 0.6 y + 0.8 z = -10 mm, solid below. */
  const tacDistanceField *plane = tac_scene_field(scene, 2);
  ck_assert_double_eq_tol(tac_distance_field_value(plane, tac_vec3(5.0, 0.1, 0.2)), 0.06 + 0.16 + 0.01, 1e-12);
  ck_assert_double_eq_tol(tac_distance_field_value(plane, tac_vec3(5.0, -0.1, 0.0)), -0.06 + 0.01, 1e-12);
  ck_assert_ptr_null(tac_scene_points(scene, 2));
}

/* What shows an exact solid is closed, has its volume, and has its vertices where the distance is zero. */
TAC_TEST(exact_solids_are_shown) {
  static const struct {
    const char *text;
    double volume, tolerance; /* m^3; round ones have fewer triangles than the eye would want */
  } cases[] = {
      {"{box: {lower: [-1 cm, 0, 0], upper: [1 cm, 1 cm, 3 cm]}}", 6e-6, 1e-12},
      {"{sphere: {centre: [1 m, 0, 0], radius: 10 cm}}", 4.18879e-3, 3e-5},
      {"{capsule: {from: [0, 0, 1 cm], to: [0, 5 cm, 1 cm], radius: 1 cm}}", 4.18879e-6 + 15.70796e-6, 0.5e-6},
      {"{plane: {normal: [1, -2, 3], at: 2 cm, size: 20 cm}}", 0.2 * 0.2 * 0.004, 1e-12},
      {"{plane: {normal: [0, 0, -1], at: 2 cm, size: 20 cm}}", 0.2 * 0.2 * 0.004, 1e-12},
      {"{sphere: {centre: [1 m, 0, 0], radius: 10 cm}}, {box: {lower: [0, 0, 0], upper: [1 cm, 1 cm, 1 cm]}}",
       4.18879e-3 + 1e-6, 3e-5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[8192];
    error = (tacError){0};
    snprintf(text, sizeof text,
             "tactus: 1\nbodies: [{name: b, kind: rigid, analytic: [%s]}]\ntools: [{name: t, kind: point, device: "
             "{kind: replay, file: a}}]\n",
             cases[i].text);
    TAC_OWN(tacScene, scene) = bake(text, "s");
    const tacTriMesh *mesh = tac_scene_surface(scene, 0);
    const tacDistanceField *field = tac_scene_field(scene, 0);
    tac_test_ok(tac_trimesh_require_closed(mesh, &error), error);
    ck_assert_double_eq_tol(tac_trimesh_volume(mesh), cases[i].volume, cases[i].tolerance);
    int on = 0;
    for (int v = 0; v < mesh->vertex_count; ++v) on += fabs(tac_distance_field_value(field, mesh->vertices[v])) < 1e-9;
    bool plane = strstr(cases[i].text, "plane") != NULL;
    ck_assert_int_eq(on, plane ? 4 : mesh->vertex_count);
  }
}

/* Triangles that enclose nothing are given a thickness: that of 1.4 voxels, or the one that is asked for. */
TAC_TEST(open_surfaces_get_a_thickness) {
  char text[1024];
  open_cache();
  const char *path = in_cache("sheet.obj");
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs("v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\nf 1 2 3\nf 1 3 4\n", file);
  fclose(file);
  const char *scene_path = in_cache("s.yaml");
  double voxel = 0.1 * 1.5 / 40.0;
  static const char *const keys[] = {"", ", offset: 8 mm", ", offset: auto"};
  const double offsets[] = {1.4 * voxel, 0.008, 1.4 * voxel};
  for (int i = 0; i < 3; ++i) {
    snprintf(text, sizeof text,
             "tactus: 1\nbodies: [{name: b, kind: rigid, surface: {file: sheet.obj}, field: {resolution: 40%s}, "
             "points: {count: 100}}]\ntools: [{name: t, kind: point, device: {kind: replay, file: a}}]\n",
             keys[i]);
    TAC_OWN(tacScene, scene) = bake(text, scene_path);
    tacVec3 middle = tac_vec3(0.05, 0.04, 0.0);
    ck_assert_double_eq_tol(tac_distance_field_value(tac_scene_field(scene, 0), middle), -offsets[i], 0.3 * voxel);
    const tacPointshell *shell = tac_scene_points(scene, 0);
    for (int k = 0; k < tac_pointshell_size(shell, 11); ++k) {
      tacVec3 p = tac_pointshell_point(shell, k);
      tacVec3 nearest = tac_vec3(fmax(0.0, fmin(0.1, p.x)), fmax(0.0, fmin(0.1, p.y)), 0.0);
      ck_assert_double_eq_tol(tac_vec3_distance(p, nearest), offsets[i], 0.3 * voxel);
    }
  }
}

TAC_TEST(geometry_errors_name_their_line) {
  static const Mistake cases[] = {
      {"nearest: 4", "domains: [{below: {axis: x, at: 10 cm}}, {above: {axis: x, at: 30 cm}}]",
       "s:11: bodies[0].field.domains: the surface point ("},
      {"shape: sphere, size: 20 mm", "file: nothing.obj", "s:14: bodies[1].surface.file: nothing.obj: cannot read"},
  };
  check_mistakes(base, sizeof cases / sizeof *cases, cases);
}

TAC_TEST(the_world_has_the_pairs) {
  const char *text =
      edited(base, "stiffness: 200 N/m",
             "stiffness: 200 N/m, friction: 0.2, tangential: 0.7, full_count: 20, ramp: 0.1 mm, areas: false, levels: "
             "1, live: {friction: [0, 1], stiffness: [100 N/m, 0.4 N/mm]}, method: penalty");
  TAC_OWN(tacScene, scene) = bake(text, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacBodyId rod = tac_world_find_body(world, "rod"), ball = tac_world_find_body(world, "ball"),
            corner = tac_world_find_body(world, "corner");
  ck_assert_int_eq(tac_world_pair_count(world), 2);
  tacPairDef first = tac_world_pair(world, 0), second = tac_world_pair(world, 1);
  ck_assert(first.points.index == rod.index && first.field.index == ball.index);
  ck_assert(second.points.index == ball.index && second.field.index == corner.index);
  ck_assert_int_eq(first.method, TAC_METHOD_PENALTY);
  ck_assert_double_eq(first.stiffness, 200.0);
  ck_assert_double_eq(first.friction, 0.2);
  ck_assert_double_eq(first.tangential, 0.7);
  ck_assert_double_eq(first.full_count, 20.0);
  ck_assert_double_eq_tol(first.ramp, 1e-4, 1e-12);
  ck_assert(!first.area_weights);
  ck_assert_int_eq(first.level_most, 0);
  ck_assert_double_eq(second.friction, 0.3);
  ck_assert_double_gt(second.stiffness, 0.0); /* chosen */
  ck_assert_str_eq(tac_world_body_kind_name(world, ball), "rigid");
  ck_assert_str_eq(tac_world_body_kind_name(world, ball), "rigid");
  ck_assert_int_eq(tac_world_body_shown(world, ball), TAC_SHOWN_RIGID);
  ck_assert_ptr_eq(tac_world_body_shell(world, rod), tac_scene_points(scene, 0));
  ck_assert_ptr_eq(tac_world_body_deformed_field(world, rod), tac_scene_deformed_field(scene, 0));
  ck_assert_ptr_eq(tac_world_body_shell(world, ball), tac_scene_points(scene, 1));
  ck_assert_ptr_eq(tac_world_body_field(world, ball), tac_scene_field(scene, 1));
  ck_assert_ptr_eq(tac_world_body_surface(world, ball), tac_scene_surface(scene, 1));
  ck_assert_uint_eq(tac_world_tool_body(world, 0, NULL).index, ball.index);
  for (int i = 0; i < tac_scene_live_count(scene); ++i) {
    tacSceneLive live;
    ck_assert(tac_scene_live(scene, i, &live));
    int parameter = tac_world_find_parameter(world, live.name);
    error = (tacError){0};
    ck_assert_msg(parameter >= 0, "%s", live.name);
    tac_test_ok(tac_world_set_parameter(world, parameter, live.least, &error), error);
    tac_test_ok(tac_world_set_parameter(world, parameter, live.most, &error), error);
  }
}

static tacBodyToolDef coupling_of(const char *line) {
  char more[1024];
  snprintf(more, sizeof more, "body: ball\n%s", line);
  const char *text = edited(base, "body: ball\n", more);
  TAC_OWN(tacScene, scene) = bake(text, "s");
  return tac_test_made(tacBodyToolDef,
                       tac_scene_coupling(scene, tac_scene_file_tool(&scene->file, 0), NULL, &made, &error));
}

/* From the device (premium-6: 3500 N/m, 0.17 N m), the body (a ball of 50 mm) and its pairs (200 N/m in voxels of 6.5 mm; 300 N/m of
 * points of which each has its area). */
TAC_TEST(couplings_are_chosen) {
  tacBodyToolDef def = coupling_of("");
  ck_assert_int_eq(def.coupling, TAC_COUPLING_STATIC);
  ck_assert_double_eq_tol(tac_vec3_norm(def.grasp), 0.0, 1e-3);
  ck_assert_double_eq_tol(def.stiffness, 1750.0, 1e-9);
  ck_assert_double_eq_tol(def.turn_stiffness * sin(0.05), 0.17, 1e-9);
  ck_assert_double_eq_tol(def.force_most, 200.0 * 10.0 * 0.5 * 1.3 * 0.1 / 20.0, 0.2);
  ck_assert_double_eq_tol(def.torque_most, 0.05 * def.force_most, 2e-3 * def.force_most);
  /* As the ball's points and the plane have it, where that is less. */
  def = coupling_of("    coupling: {depth: 0.1 mm}\n");
  ck_assert_double_eq_tol(def.force_most, 200.0 * 10.0 * 1e-4, 1e-9);
  /* A device in the scene scale times as far is that much softer, and what is given is no stiffer than it may be. */
  def = coupling_of("    scale: 7\n    coupling: {stiffness: 2 kN/m}\n");
  ck_assert_double_eq_tol(def.stiffness, 500.0, 1e-9);
  /* Soft enough, the turn follows the lever: k R at the end of R, for an angle that is twice sin(theta / 2). */
  def = coupling_of("    coupling: {stiffness: 10 N/m}\n");
  ck_assert_double_eq_tol(def.turn_stiffness, 2.0 * 10.0 * 0.05 * 0.05, 2e-3);
  def = coupling_of(
      "    grasp: [0, 0, 10 mm]\n    coupling: {kind: dynamic, stiffness: 500 N/m, turn_stiffness: 2 Nm, force_limit: "
      "none, torque_limit: 30 mNm, damping: 2, speed_limit: 50 cm/s, turn_limit: 90 deg/s, mass: 50 g}\n");
  ck_assert_int_eq(def.coupling, TAC_COUPLING_DYNAMIC);
  ck_assert_double_eq_tol(def.grasp.z, 0.01, 1e-12);
  ck_assert_double_eq(def.stiffness, 500.0);
  ck_assert_double_eq(def.turn_stiffness, 2.0);
  ck_assert_double_eq(def.force_most, 0.0);
  ck_assert_double_eq_tol(def.torque_most, 0.03, 1e-12);
  ck_assert_double_eq(def.damping_ratio, 2.0);
  ck_assert_double_eq_tol(def.speed_most, 0.5, 1e-12);
  ck_assert_double_eq_tol(def.turn_most, 0.5 * M_PI, 1e-12);
  ck_assert_double_eq_tol(def.mass, 0.05, 1e-12);
  def = coupling_of("    coupling: {damping: 0.25, force_limit: 2 N}\n");
  ck_assert_double_eq(def.static_damping, 0.25);
  ck_assert_double_eq(def.force_most, 2.0);
}

/* The body begins where the scene puts it, and the coupling brings it to where the device holds it, turned from how it lay. */
TAC_TEST(the_held_body_follows_the_hand) {
  const char *text = edited(base, "    position: [200 mm, 0, 80 mm]\n",
                            "    position: [200 mm, 0, 200 mm]\n    rotation: {axis: [1, 0, 0], angle: 20 deg}\n");
  TAC_OWN(tacScene, scene) = bake(text, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacBodyId ball = tac_world_find_body(world, "ball");
  tacQuat lay = tac_quat_from_axis_angle(tac_vec3(1.0, 0.0, 0.0), M_PI / 9.0);
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.4);
  tacPose start = tac_world_body_pose(world, ball);
  ck_assert_double_eq_tol(start.position.z, 0.2, 1e-12);
  tacVec3 held_at;
  tac_world_tool_body(world, 0, &held_at);
  tacVec3 grasp = tac_vec3_add(start.position, tac_quat_rotate(lay, held_at));
  tacVec3 target = tac_vec3_add(grasp, tac_vec3(0.0, 0.01, 0.03));
  tacToolInput input = {.position = target, .orientation = {turn.w, turn.x, turn.y, turn.z}};
  tacToolOutput output;
  for (int i = 0; i < 500; ++i) step_world(world, &input, &output);
  ck_assert_double_le(tac_vec3_distance(output.proxy, target), 1e-5);
  TAC_MEMORY(double, state) = malloc((size_t)tac_world_state_size(world) * sizeof *state);
  tac_world_state(world, state);
  tacSnapshot snapshot = {.state = state, .tool_count = 1};
  tacPose pose = tac_world_snapshot_pose(world, &snapshot, ball);
  tacQuat at = tac_quat_of(pose.orientation), wanted = tac_quat_mul(turn, lay);
  ck_assert_double_ge(fabs(tac_quat_dot(at, wanted)), 1.0 - 1e-8);
}

/* What the workspace makes of the device's orientation is the waypoint's turn, whatever the axes of the device. */
TAC_TEST(paths_turn_the_body) {
  const char *text =
      edited(base, "{at: [200 mm, 0, 80 mm]}", "{at: [200 mm, 0, 80 mm], turn: {axis: [1, 2, 0], angle: 50 deg}}");
  const char *more = edited(
      text, "body: ball\n",
      "body: ball\n    scale: 2\n    centre: [20 cm, 0, 7 cm]\n    rotation: {axis: [0, 1, 1], angle: 80 deg}\n");
  TAC_OWN(tacScene, scene) = bake(more, "s");
  tacDevice devices[TAC_MOST_TOOLS];
  tacWorkspaceDef w[TAC_MOST_TOOLS];
  tac_test_ok(tac_scene_devices(scene, devices, w, &error), error);
  ck_assert_int_eq(devices[0].info.dof, 6);
  tacDeviceState state;
  devices[0].driver->read(devices[0].self, &state);
  tacWorkspace workspace =
      tac_workspace_begin(w[0].scale, w[0].centre, w[0].device_centre, tac_quat_of(w[0].orientation), 1e-3);
  tac_workspace_move(&workspace, state.position, tac_quat_of(state.orientation), false);
  ck_assert_double_le(tac_vec3_distance(workspace.position, tac_vec3(0.2, 0.0, 0.08)), 2e-4);
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(1.0, 2.0, 0.0), 50.0 * M_PI / 180.0);
  ck_assert_double_ge(fabs(tac_quat_dot(workspace.orientation, turn)), 1.0 - 1e-6);
  tac_device_close(&devices[0]);
}
