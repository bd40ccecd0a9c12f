/* Scenes with hyperelastic bodies: their keys, what they are made of, and what becomes of it in a world. */
#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include <tactus/scene.h>
#include "kinds/hyperelastic/hyperelastic_problem.h"
#include "math/geometry/vec3.h"
#include "scene/scene.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "world/world_parts.h"

static const char base[] = "tactus: 1\n"                                             /* 1 */
                           "bodies:\n"                                               /* 2 */
                           "  - name: cube\n"                                        /* 3 */
                           "    kind: hyperelastic\n"                                /* 4 */
                           "    volume: {shape: cube}\n"                             /* 5 */
                           "    material:\n"                                         /* 6 */
                           "      law: mooney-rivlin\n"                              /* 7 */
                           "      parameters: {c1: 1 kPa, c2: 500 Pa, k0: 30 kPa}\n" /* 8 */
                           "      density: 1000 kg/m3\n"                             /* 9 */
                           "    fixed: [{below: {axis: x, at: 0}}]\n"                /* 10 */
                           "tools:\n"                                                /* 11 */
                           "  - {name: t, kind: point, device: {kind: operator, path: [{at: [0, 0, 1 m]}]}}\n";

#define PARAMETERS "parameters: {c1: 1 kPa, c2: 500 Pa, k0: 30 kPa}"
#define MATERIAL "      law: mooney-rivlin\n      " PARAMETERS "\n      density: 1000 kg/m3\n"
#define FIXED "    fixed: [{below: {axis: x, at: 0}}]\n"

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {FIXED, FIXED "    threads: 65\n", "s:11: bodies[0].threads: 65"},
      {FIXED, FIXED "    damping: {mass: 2000 1/s}\n", "s:11: bodies[0].damping.mass: 2000 1/s"},
      {"mooney-rivlin", "mooney-rivlyn",
       "s:7: bodies[0].material.law: unknown material law mooney-rivlyn; did you mean mooney-rivlin? Available laws: "},
      {"c2: 500 Pa", "c3: 500 Pa",
       "s:8: bodies[0].material.parameters.c3: unknown parameter of the law mooney-rivlin; did you mean c1? Its "
       "parameters are c1, c2, k0"},
      {", c2: 500 Pa", "",
       "s:8: bodies[0].material.parameters: the law mooney-rivlin needs the parameter c2; write it like {c1: 1 kPa, "
       "c2: 1 kPa, k0: 1 kPa}"},
      {"c2: 500 Pa", "c2: 500 N", "s:8: bodies[0].material.parameters.c2: 500 N is not a pressure"},
      {"c2: 500 Pa", "c2: 500", "s:8: bodies[0].material.parameters.c2: 500 has no unit"},
      {"c2: 500 Pa", "c2: [500 Pa]",
       "s:8: bodies[0].material.parameters.c2: a parameter must be a single value, for "
       "example "},
      {"c2: 500 Pa", "c2: -500 Pa", "s:8: bodies[0].material.parameters: "},
      {PARAMETERS, "parameters: 1 kPa",
       "s:8: bodies[0].material.parameters: this is a single value, but a map is needed"},
      {PARAMETERS, "young: 10 kPa",
       "s:6: bodies[0].material: the material needs the parameters of its law, or young and poisson, but not both"},
      {PARAMETERS, PARAMETERS "\n      young: 10 kPa\n      poisson: 0.4",
       "s:6: bodies[0].material: the material needs"},
      {"      law: mooney-rivlin\n      " PARAMETERS, "      law: ogden\n      young: 10 kPa\n      poisson: 0.4",
       "s:8: bodies[0].material.young: this key does not determine the parameters of the law ogden; write them like "
       "parameters: {"},
      {PARAMETERS, PARAMETERS "\n      fibres: [1, 0, 0]",
       "s:9: bodies[0].material.fibres: the law mooney-rivlin is isotropic, so it has no fibres or sheets"},
      {PARAMETERS, PARAMETERS "\n      viscosity: [{share: 0.2, time: 1 Hz}]",
       "s:9: bodies[0].material.viscosity[0].time: 1 Hz is not a time"},
      {"      density: 1000 kg/m3\n", "", "s:6: bodies[0].material: a material needs a density"},
      {FIXED, "", "s:3: bodies[0]: the body is neither held nor free"},
      {FIXED, FIXED "    free: true\n", "s:10: bodies[0].fixed: the body is free, but this key holds it"},
      {FIXED, FIXED "    velocity: [1 m/s, 0, 0]\n",
       "s:11: bodies[0].velocity: only a free body can have an initial "
       "velocity or spin"},
      {FIXED, FIXED "    contact: {stiffness: 1 kN/m}\n",
       "s:11: bodies[0].contact: this key applies only to free bodies"},
      {FIXED, FIXED "    points: {count: 100}\n",
       "s:11: bodies[0].points: this key does not apply if kind is "
       "hyperelastic"},
      {FIXED, FIXED "    field: {resolution: 32}\n",
       "s:11: bodies[0].field: this key does not apply if kind is hyperelastic"},
      {FIXED, FIXED "    factor: late\n",
       "s:11: bodies[0].factor: late is not one of the allowed values: "
       "asynchronous, exact, rest"},
      {FIXED, FIXED "    live: {moved: [0, 10 mm]}\n", "s:11: bodies[0].live.moved: the body has no moved region"},
      {FIXED, FIXED "    moved: {in: [{above: {axis: x, at: 70 mm}}], along: [0, 0, 0]}\n",
       "s:11: bodies[0].moved.along: the direction is zero"},
      {FIXED, FIXED "    moved: {in: [{above: {axis: x, at: 70 mm}}], along: [1, 0, 0], distance: 5 mm}\n",
       "s:11: bodies[0].moved: distance and period need each other: the distance moved, and the time to go there and "
       "back"},
      {FIXED, FIXED "    surface: {shape: cube}\n",
       "s:11: bodies[0].surface: the shape of volume already has a "
       "surface"},
  };
  check_reading(base, sizeof cases / sizeof *cases, cases, BEGINS);
}

TAC_TEST(mesh_errors_name_their_line) {
  static const Mistake cases[] = {
      {"at: 0}", "at: 1 m}", "s:10: bodies[0].fixed: all 512 vertices are fixed or moved, so the body cannot deform"},
      {"at: 0}", "at: -1 mm}", "s:10: bodies[0].fixed[0]: no vertex of the volume lies in this region"},
      {FIXED, FIXED "    moved: {in: [{above: {axis: y, at: 70 mm}}], along: [0, 1, 0]}\n",
       "s:11: bodies[0].moved: the vertex at (0, 70, 0) mm is both fixed and moved"},
  };
  check_mistakes(base, sizeof cases / sizeof *cases, cases);
}

static const tacLawMaterial *material_of(const tacScene *scene) {
  return &tac_scene_body_material(tac_scene_file_body(&scene->file, 0), 0)->all;
}

/* Of the same Young's modulus and Poisson's ratio every law has the same shear modulus mu = E / 2 (1 + nu) and bulk modulus
 * k = E / 3 (1 - 2 nu) at small strain: those of Courtecuisse et al. 2015, Figure 3, for E = 1 and nu = 0.45. */
TAC_TEST(youngs_modulus_gives_the_moduli_of_laws) {
  static const struct {
    const char *law;
    double parameters[3];
  } cases[] = {
      {"st-venant-kirchhoff", {0.344828, 3.10345}},
      {"neo-hookean", {0.344828, 3.33333}},
      {"mooney-rivlin", {0.0862069, 0.0862069, 3.33333}},
      {"corotational", {1.0, 0.45}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char to[200];
    snprintf(to, sizeof to, "      law: %s\n      young: 1 kPa\n      poisson: 0.45\n      density: 1 g/cm3\n",
             cases[i].law);
    const char *text = edited(base, MATERIAL, to);
    TAC_OWN(tacScene, scene) = parse(text, "s");
    const tacLawMaterial *m = material_of(scene);
    ck_assert_str_eq(m->law, cases[i].law);
    ck_assert_double_eq(m->density, 1000.0);
    bool ratio = strcmp(cases[i].law, "corotational") == 0;
    for (int k = 0; k < 3; ++k) {
      double unit = ratio && k == 1 ? 1.0 : 1000.0;
      ck_assert_double_eq_tol(m->parameters[k], unit * cases[i].parameters[k],
                              1e-5 * unit * (cases[i].parameters[k] + 1e-9));
    }
    double young, poisson;
    ck_assert(tac_scene_material(scene, 0, &young, &poisson));
    ck_assert_double_eq(young, 1000.0);
  }
}

TAC_TEST(parameters_follow_the_order_of_the_law) {
  double young, poisson;
  const char *text =
      edited(base, PARAMETERS,
             "parameters: {k0: 30 kPa, c2: 500 Pa, c1: 1 kPa}\n      viscosity: [{share: 0.25, time: 20 ms}]");
  TAC_OWN(tacScene, scene) = parse(text, "s");
  const tacLawMaterial *m = material_of(scene);
  ck_assert_double_eq(m->parameters[0], 1000.0);
  ck_assert_double_eq(m->parameters[1], 500.0);
  ck_assert_double_eq(m->parameters[2], 30000.0);
  ck_assert_int_eq(m->term_count, 1);
  ck_assert_double_eq(m->share[0], 0.25);
  ck_assert_double_eq(m->time[0], 0.02);
  ck_assert(!tac_scene_material(scene, 0, &young, &poisson));
}

/* Courtecuisse et al. 2015: 2,058 tetrahedra, 512 nodes. */
TAC_TEST(cube_mesh_matches_the_paper) {
  TAC_OWN(tacScene, scene) = bake(base, "s");
  const tacHyperelasticProblem *p = scene->baked[0].own;
  int fixed = 0;
  ck_assert_int_eq(p->volume->tet_count, 2058);
  ck_assert_int_eq(p->volume->vertex_count, 512);
  ck_assert_double_eq_tol(tac_volmesh_volume(p->volume), 0.07 * 0.07 * 0.07, 1e-12);
  for (int v = 0; v < 512; ++v) {
    ck_assert_int_eq(p->fixed[v], p->volume->vertices[v].x == 0.0);
    fixed += p->fixed[v];
  }
  ck_assert_int_eq(fixed, 64);
  ck_assert_ptr_null(p->moved);
  ck_assert_ptr_null(p->fibres);
  ck_assert_int_eq(tac_scene_surface(scene, 0)->vertex_count, 512 - 216);
}

/* Each element has the material of where its centre is, and that one's fibres with sheets at right angles. */
TAC_TEST(materials_and_fibres_follow_their_regions) {
  static const char two[] =
      "    materials:\n"
      "      - {name: base, law: neo-hookean, young: 1 kPa, poisson: 0.4, density: 1000 kg/m3}\n"
      "      - {name: muscle, law: costa, parameters: {a: 1 kPa, b_ff: 8, b_ss: 2, b_nn: 2, b_sn: 2, b_fn: 3, b_fs: 3, "
      "k0: 20 "
      "kPa}, fibres: [3, 4, 0], sheets: [1, 0, 1], density: 1100 kg/m3, in: [{above: {axis: z, at: 35 mm}}]}\n";
  const char *text = edited(base, "    material:\n" MATERIAL, two);
  TAC_OWN(tacScene, scene) = bake(text, "s");
  const tacHyperelasticProblem *p = scene->baked[0].own;
  ck_assert_int_eq(p->material_count, 2);
  ck_assert_str_eq(p->materials[1].law, "costa");
  ck_assert_double_eq(p->materials[1].parameters[1], 8.0);
  for (int e = 0; e < p->volume->tet_count; ++e) {
    double centre = 0.0;
    for (int k = 0; k < 4; ++k) centre += 0.25 * p->volume->vertices[p->volume->tets[e].v[k]].z;
    ck_assert_int_eq(p->material_of[e], centre >= 0.035);
    const tacVec3 *axes = p->fibres[e];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) ck_assert_double_eq_tol(tac_vec3_dot(axes[a], axes[b]), a == b, 1e-14);
    tacVec3 fibre = centre >= 0.035 ? tac_vec3(0.6, 0.8, 0.0) : tac_vec3(1.0, 0.0, 0.0);
    ck_assert_double_lt(tac_vec3_distance(axes[0], fibre), 1e-14);
  }
}

/* Tetrahedra fill a surface, and a file of bricks is divided. */
TAC_TEST(surfaces_are_filled_with_tetrahedra) {
  const char *text =
      edited(base, "    volume: {shape: cube}\n", "    surface: {shape: sphere}\n    volume: {tets: 20 mm}\n");
  const char *placed = edited(text, "at: 0}", "at: -30 mm}");
  TAC_OWN(tacScene, scene) = bake(placed, "s");
  const tacHyperelasticProblem *p = scene->baked[0].own;
  double ball = 4.0 / 3.0 * 3.14159265358979 * 0.05 * 0.05 * 0.05;
  ck_assert_int_eq(p->volume->brick_count, 0);
  ck_assert_double_eq_tol(tac_volmesh_volume(p->volume), ball, 0.1 * ball);
}

static const char plate[] =
    "  - {name: plate, kind: rigid, analytic: [{box: {lower: [0, 0, -9 mm], upper: [70 mm, 70 mm, -1 mm]}}]}\n"
    "contacts:\n"
    "  - {points: cube, field: plate}\n"
    "tools:\n";

/* Its vertices are its points, and it has no field: where the other has none either, the triangles of both are left. */
TAC_TEST(contact_uses_vertices_or_surfaces) {
  static const struct {
    const char *from, *to;
    int detect;
    const char *message;
  } cases[] = {
      {"field: plate", "field: plate", TAC_DETECT_POINTS, NULL},
      {"field: plate", "field: plate, detect: surfaces", TAC_DETECT_SURFACES, NULL},
      {"points: cube, field: plate", "points: plate, field: cube", TAC_DETECT_SURFACES, NULL},
      {"analytic: [{box: {lower: [0, 0, -9 mm], upper: [70 mm, 70 mm, -1 mm]}}]",
       "surface: {shape: box}, position: [0, 0, -61 mm]", TAC_DETECT_SURFACES, NULL},
      {"points: cube, field: plate", "points: plate, field: cube, detect: points", 0,
       "s:13: contacts[0].points: plate has no points"},
  };
  open_cache();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const char *text = edited(base, "tools:\n", plate);
    text = edited(text, cases[i].from, cases[i].to);
    if (cases[i].message != NULL) {
      check_refused(text, cases[i].message, BEGINS);
      continue;
    }
    TAC_CREATE(tacScene, scene, tac_scene_parse(text, "s", &scene, &error));
    ck_assert_int_eq(tac_scene_file_pair(&scene->file, 0)->detect, cases[i].detect);
    tac_test_ok(tac_scene_bake(scene, cache, false, NULL, NULL, &error), error);
    tac_world_destroy(world_of(scene));
  }
}

/* The face that is moved is where the scene has it: half of the way after a quarter of the period, all of it after half. */
TAC_TEST(moved_part_follows_its_periodic_motion) {
  const char *text =
      edited(base, FIXED,
             FIXED "    damping: {mass: 10 1/s, stiffness: 50 ms}\n"
                   "    moved: {in: [{above: {axis: x, at: 70 mm}}], along: [2, 0, 0], distance: 14 mm, period: 2 s}\n"
                   "    live: {moved: [0, 10 mm]}\n");
  const char *coarse = edited(text, "{shape: cube}", "{shape: cube, size: 35 mm}");
  TAC_OWN(tacScene, scene) = bake(coarse, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  const tacBody *body = &world->bodies[0].body;
  const tacToolInput input = {.position = {0.0, 0.0, 1.0}, .orientation = {1.0, 0.0, 0.0, 0.0}};
  tacToolOutput output;
  tacTickReport report;
  ck_assert_int_ge(tac_world_find_parameter(world, "cube.moved"), 0);
  const tacTriMesh *rest = tac_scene_surface(scene, 0);
  const double ways[] = {0.007, 0.014};
  for (int part = 0; part < 2; ++part) {
    for (int i = 0; i < 500; ++i) tac_world_step(world, &input, &output, &report);
    for (int v = 0; v < rest->vertex_count; ++v) {
      tacVec3 way = tac_vec3_sub(body->table->vertex(body->self, v), rest->vertices[v]);
      if (rest->vertices[v].x == 0.0) ck_assert_double_lt(tac_vec3_norm(way), 1e-12);
      if (rest->vertices[v].x == 0.07)
        ck_assert_double_lt(tac_vec3_distance(way, tac_vec3(ways[part], 0.0, 0.0)), 0.02 * ways[part]);
    }
  }
}
