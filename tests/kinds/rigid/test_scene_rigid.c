/* Scenes with free bodies: mass, motion at the start, gravity, methods of contact, rates. */
#include <tactus/rigid.h>
#include <tactus/scene.h>
#include "kinds/rigid/rigid_kind.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "spec/scene_kind.h"
#include "world/world_build.h"

static const char base[] = "tactus: 1\n"                                                               /* 1 */
                           "bodies:\n"                                                                 /* 2 */
                           "  - name: die\n"                                                           /* 3 */
                           "    kind: rigid\n"                                                         /* 4 */
                           "    analytic: [{box: {lower: [0, 0, 0], upper: [10 mm, 20 mm, 30 mm]}}]\n" /* 5 */
                           "    free: true\n"                                                          /* 6 */
                           "    density: 2 g/cm3\n"                                                    /* 7 */
                           "  - name: ball\n"                                                          /* 8 */
                           "    kind: rigid\n"                                                         /* 9 */
                           "    surface: {shape: sphere, size: 20 mm}\n"                               /* 10 */
                           "    points: {count: 100}\n"                                                /* 11 */
                           "  - name: drop\n"                                                          /* 12 */
                           "    kind: reduced\n"                                                       /* 13 */
                           "    surface: {shape: beam, size: 20 mm}\n"                                 /* 14 */
                           "    volume: {bricks: 20 mm}\n"                                             /* 15 */
                           "    material: {young: 10 kPa, poisson: 0.4, density: 1 g/cm3}\n"           /* 16 */
                           "    basis: {from: modes, modes: 3, size: 4}\n"                             /* 17 */
                           "contacts:\n"                                                               /* 18 */
                           "  - {points: ball, field: die}\n"                                          /* 19 */
                           "tools:\n"                                                                  /* 20 */
                           "  - {name: t, kind: point, device: {kind: operator, path: [{at: [0, 0, 0]}]}}\n" /* 21 */;

#define DENSITY "    density: 2 g/cm3\n"
#define FREE "    free: true\n" DENSITY
/* One more key of the die, in line 8. */
#define KEY(text) DENSITY, DENSITY "    " text "\n"

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {DENSITY, "",
       "s:3: bodies[0]: a free body needs either density or mass; write it like density: 1000 kg/m3 or mass: 20 g"},
      {KEY("mass: 20 g"), "s:8: bodies[0].mass: density and mass are both given; give only one of them"},
      {FREE, "    density: 1 g/cm3\n    mass: 20 g\n",
       "s:7: bodies[0].mass: density and mass are both given; give "
       "only one of them"},
      {"free: true", "free: yes", "s:6: bodies[0].free: yes is not one of the allowed values: true, false"},
      {"density: 2 g/cm3", "density: 2 kg", "s:7: bodies[0].density: 2 kg is not a density; write it like 1050 kg/m3"},
      {"density: 2 g/cm3", "density: 0",
       "s:7: bodies[0].density: 0 is out of range; the allowed range is 0.001 to 1e+06 kg/m3"},
      {"density: 2 g/cm3", "mass: 2 N", "s:7: bodies[0].mass: 2 N is not a mass; write it like 0.1 kg"},
      {"density: 2 g/cm3", "mass: consistent", "s:7: bodies[0].mass: consistent is not a mass; write it like 0.1 kg"},
      {"density: 2 g/cm3", "densty: 2 g/cm3", "s:7: bodies[0].densty: unknown key; did you mean density?"},
      {KEY("inertia: [1 kg m2, 1 kg m2]"), "s:8: bodies[0].inertia: the list has 2 values, but 3 are needed"},
      {KEY("inertia: [1, 1, 1]"),
       "s:8: bodies[0].inertia[0]: 1 has no unit; write a moment of inertia like 1e-4 kg m2"},
      {KEY("inertia: [1 Nm, 1 Nm, 1 Nm]"),
       "s:8: bodies[0].inertia[0]: 1 Nm is not a moment of inertia; write it like 1e-4 kg m2"},
      {KEY("inertia: [1 kg m2, 0, 1 kg m2]"),
       "s:8: bodies[0].inertia[1]: 0 is out of range; the allowed range is 1e-20 to 1e+20 kg m2"},
      {KEY("inertia: [1 kg m2, 1 kg m2, 2.1 kg m2]"),
       "s:8: bodies[0].inertia: no solid has these moments of inertia: none may exceed the sum of the other two; "
       "write it like inertia: [2e-5 kg m2, 2e-5 kg m2, 3e-5 kg m2]"},
      {FREE, "    inertia: [1 kg m2, 1 kg m2, 1 kg m2]\n",
       "s:6: bodies[0].inertia: a body with inertia also needs a mass; write it like mass: 20 g beside it"},
      {FREE, "    velocity: [1 m/s, 0, 0]\n",
       "s:6: bodies[0].velocity: only a free body can have an initial velocity or spin; write free: true, or leave "
       "this key out"},
      {FREE, "    spin: [1 rad/s, 0, 0]\n",
       "s:6: bodies[0].spin: only a free body can have an initial velocity or spin; write free: true, or leave this "
       "key out"},
      {"    basis:", "    fixed: [{below: {axis: x, at: 1 mm}}]\n    spin: [0, 0, 1 rad/s]\n    basis:",
       "s:18: bodies[2].spin: only a free body can have an initial velocity or spin; remove `fixed`, or leave this "
       "key out"},
      {KEY("velocity: [1 m, 0, 0]"), "s:8: bodies[0].velocity[0]: 1 m is not a speed; write it like 5 m/s"},
      {KEY("spin: [0, 0, 5 Hz]"), "s:8: bodies[0].spin[2]: 5 Hz is not an angular speed; write it like 180 deg/s"},
      {KEY("gravity: [0, 0, -9.81]"),
       "s:8: bodies[0].gravity[2]: -9.81 has no unit; write an acceleration like 9.81 m/s2"},
      {KEY("touch: {stiffness: 5 Ns/m}"),
       "s:8: bodies[0].touch.stiffness: 5 Ns/m is not a stiffness; write it like 1500 N/m"},
      {KEY("friction: 20"), "s:8: bodies[0].friction: 20 is out of range; the allowed range is 0 to 10"},
      {"box: {lower: [0, 0, 0], upper: [10 mm, 20 mm, 30 mm]}", "plane: {normal: z}",
       "s:5: bodies[0].analytic[0]: a plane is an infinite solid and has no mass; write it like box: {lower: [...], "
       "upper: [...]}, or remove `density`"},
      {"    basis:", "    free: true\n    basis:",
       "s:17: bodies[2].free: this key does not apply if kind is reduced; leave it out"},
      {"contacts:\n", "method: penalti\ncontacts:\n",
       "s:18: method: penalti is not one of the allowed values: "
       "penalty, signorini"},
      {"field: die", "field: die, method: exact",
       "s:19: contacts[0].method: exact is not one of the allowed values: "
       "penalty, signorini"},
      {"contacts:\n", "gravity: -9.81 m/s2\ncontacts:\n",
       "s:18: gravity: this is a single value, but a list is needed; write it like "
       "gravity: [9.81 m/s2, 9.81 m/s2, 9.81 m/s2]"},
  };
  check_reading(base, sizeof cases / sizeof *cases, cases, WHOLE);
}

static void check_vector(tacVec3 v, double x, double y, double z) {
  ck_assert_double_eq_tol(v.x, x, 1e-12 * (1.0 + fabs(x)));
  ck_assert_double_eq_tol(v.y, y, 1e-12 * (1.0 + fabs(y)));
  ck_assert_double_eq_tol(v.z, z, 1e-12 * (1.0 + fabs(z)));
}

static const tacRigidKeys *keys_of(const tacSceneBody *body) {
  return tac_scene_own_of(body);
}

TAC_TEST(defaults_are_those_of_the_definitions) {
  TAC_OWN(tacScene, scene) = parse(base, "s");
  const tacSceneFile *file = &scene->file;
  tacRigidBodyDef def = {.body = tac_body_def_default()};
  ck_assert(tac_scene_file_body(file, 0)->free);
  const tacSceneBody *ball = tac_scene_file_body(file, 1);
  ck_assert(!ball->free && keys_of(ball)->mass == 0.0 && keys_of(ball)->density == 0.0 &&
            keys_of(ball)->inertia[0] == 0.0);
  ck_assert_double_eq(ball->friction, def.body.friction);
  ck_assert_double_eq(ball->touch.stiffness, def.body.touch_stiffness);
  ck_assert_double_eq(ball->touch.damping, def.body.touch_damping);
  check_vector(ball->gravity, 0.0, 0.0, 0.0);
  ck_assert_int_eq(tac_scene_file_pair(file, 0)->method, TAC_METHOD_PENALTY);
  ck_assert_int_eq(file->method, TAC_METHOD_PENALTY);
  ck_assert_int_eq(tac_pair_def_default().method, TAC_METHOD_PENALTY);
  ck_assert(!def.body.free);
  ck_assert_double_eq(def.inertia.mass, 0.0);
}

TAC_TEST(all_keys_are_read) {
  const char *text =
      edited(base, DENSITY,
             "    mass: 20 g\n    inertia: [2e-6 kg m2, 30 g cm2, 4000 g mm2]\n    velocity: [1 m/s, 0, -20 mm/s]\n"
             "    spin: [2 rad/s, 180 deg/s, 3 1/s]\n    gravity: [0, 1 m/s2, 0]\n    friction: 0.7\n"
             "    touch: {stiffness: 2 N/mm, damping: 1 Ns/m}\n");
  const char *more = edited(text, "    basis:", "    velocity: [0, 0, 1 m/s]\n    spin: [0, 1 rad/s, 0]\n    basis:");
  text = edited(more, "contacts:\n  - {points: ball, field: die}\n",
                "gravity: [0, 0, -9.81 m/s2]\nmethod: signorini\n"
                "contacts:\n  - {points: ball, field: die}\n  - {points: ball, field: board, method: penalty}\n");
  more = edited(text, "  - name: drop\n",
                "  - {name: board, kind: rigid, analytic: [{plane: {normal: z}}]}\n  - name: drop\n");
  TAC_OWN(tacScene, scene) = parse(more, "s");
  const tacSceneFile *file = &scene->file;
  const tacSceneBody *die = tac_scene_file_body(file, 0), *drop = tac_scene_file_body(file, 3);
  ck_assert(die->free && keys_of(die)->mass > 0.0 && keys_of(die)->density == 0.0 && keys_of(die)->inertia[0] > 0.0);
  ck_assert_double_eq_tol(keys_of(die)->mass, 0.02, 1e-15);
  check_vector(die->velocity, 1.0, 0.0, -0.02);
  check_vector(die->spin, 2.0, M_PI, 3.0);
  check_vector(die->gravity, 0.0, 1.0, 0.0);
  ck_assert_double_eq_tol(1e6 * keys_of(die)->inertia[0], 2.0, 1e-12);
  ck_assert_double_eq_tol(1e6 * keys_of(die)->inertia[1], 3.0, 1e-12);
  ck_assert_double_eq_tol(1e6 * keys_of(die)->inertia[2], 4.0, 1e-12);
  ck_assert_double_eq(die->friction, 0.7);
  ck_assert_double_eq(die->touch.stiffness, 2000.0);
  ck_assert_double_eq(die->touch.damping, 1.0);
  check_vector(tac_scene_file_body(file, 1)->gravity, 0.0, 0.0, -9.81);
  check_vector(drop->gravity, 0.0, 0.0, -9.81);
  check_vector(drop->velocity, 0.0, 0.0, 1.0);
  check_vector(drop->spin, 0.0, 1.0, 0.0);
  ck_assert_int_eq(tac_scene_file_pair(file, 0)->method, TAC_METHOD_SIGNORINI);
  ck_assert_int_eq(tac_scene_file_pair(file, 1)->method, TAC_METHOD_PENALTY);
}

static tacRigidBodyDef def_of(const char *line, double limit) {
  tacRigidBodyDef def = {.body = tac_body_def_default()};
  const char *text = edited(base, FREE, line);
  TAC_OWN(tacScene, scene) = bake(text, "s");
  const tacBodyAdd add = {.body = tac_scene_file_body(&scene->file, 0), .baked = &scene->baked[0], .limit = limit};
  const tacBodyKind *kind = add.body->row;
  const tacBodyCreate context = {.name = "die", .folder = ".", .surface = add.baked->surface};
  void *self;
  tac_test_ok(kind->create(tac_scene_own_of(add.body), &context, &self, &error), error);
  kind->table->inertia(self, &def.inertia);
  kind->table->destroy(self);
  def.body = tac_scene_kind_def(&add);
  def.body.name = NULL; /* was the scene's */
  return def;
}

static void check_inertia(const tacRigidBodyDef *def, double x, double y, double z) {
  const double expected[3] = {x, y, z};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      ck_assert_double_eq_tol(def->inertia.moments[i][j], i == j ? expected[i] : 0.0, 1e-12 * x);
}

/* A brick of 10 x 20 x 30 mm, 6 cm3. */
TAC_TEST(mass_properties_come_from_the_surface) {
  tacRigidBodyDef def = def_of(FREE "    velocity: [1 m/s, 0, 0]\n    gravity: [0, 0, -1 m/s2]\n", INFINITY);
  double a = 1e-4, b = 4e-4, c = 9e-4, twelfth = 0.012 / 12.0;
  ck_assert(def.body.free);
  ck_assert_double_eq_tol(def.inertia.mass, 0.012, 1e-14);
  check_vector(def.inertia.centre, 0.005, 0.01, 0.015);
  check_inertia(&def, twelfth * (b + c), twelfth * (c + a), twelfth * (a + b));
  check_vector(def.body.velocity, 1.0, 0.0, 0.0);
  check_vector(def.body.gravity, 0.0, 0.0, -1.0);
  ck_assert_double_eq(def.body.touch_stiffness, tac_body_def_default().touch_stiffness);
  def = def_of("    free: true\n    mass: 24 g\n", 100.0);
  ck_assert_double_eq_tol(def.inertia.mass, 0.024, 1e-14);
  check_inertia(&def, 2.0 * twelfth * (b + c), 2.0 * twelfth * (c + a), 2.0 * twelfth * (a + b));
  ck_assert_double_eq(def.body.touch_stiffness, 100.0); /* what the device can */
  def = def_of("    mass: 24 g\n    inertia: [4e-6 kg m2, 3e-6 kg m2, 2e-6 kg m2]\n", INFINITY);
  ck_assert(!def.body.free);
  ck_assert_double_eq_tol(def.inertia.mass, 0.024, 1e-14);
  check_inertia(&def, 4e-6, 3e-6, 2e-6);
  def = def_of("", INFINITY);
  ck_assert(!def.body.free);
  ck_assert_double_eq(def.inertia.mass, 0.0);
}

TAC_TEST(an_open_surface_has_no_mass) {
  tac_test_write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
  const char *text = edited(base, "    analytic: [{box: {lower: [0, 0, 0], upper: [10 mm, 20 mm, 30 mm]}}]\n",
                            "    surface: {file: sheet.obj}\n    field: {resolution: 16, offset: 10 cm}\n");
  TAC_OWN(tacScene, scene) = parse(text, tac_test_path("s"));
  open_cache();
  tac_test_refused(tac_scene_bake(scene, cache, false, NULL, NULL, &error), TAC_ERR_GEOMETRY, error,
                   "/s:3: bodies[0]: the surface is not closed: 4 boundary edges; mass needs one that encloses a solid "
                   "(tactus mesh --repair closes holes)");
}
