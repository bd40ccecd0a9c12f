/* Scenes with vademecum bodies: their keys, what they are baked from, and what becomes of it in a world. */
#include <sys/stat.h>
#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include <tactus/scene.h>
#include "asset/load_field.h"
#include "elastic/hyper/load_path.h"
#include "kinds/reduced/reduced_kind.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_cache.h"
#include "kinds/vademecum/vademecum_loads.h"
#include "kinds/vademecum/vademecum_problem.h"
#include "math/geometry/vec3.h"
#include "scene/scene.h"
#include "scene/scene_bake.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "spec/cache/bake_cache.h"

/* The beam of Gonzalez et al. 2015, section 4.1, softer by 4 N / 1 MN so that a hand bends it as far. */
static const char base[] = "tactus: 1\n"                                                      /* 1 */
                           "bodies:\n"                                                        /* 2 */
                           "  - name: beam\n"                                                 /* 3 */
                           "    kind: vademecum\n"                                            /* 4 */
                           "    volume: {shape: beam}\n"                                      /* 5 */
                           "    material: {young: 836 kPa, poisson: 0.3, density: 1 g/cm3}\n" /* 6 */
                           "    fixed: [{below: {axis: x, at: 0}}]\n"                         /* 7 */
                           "    loads: {size: 4 N, direction: [0, 0, -2]}\n"                  /* 8 */
                           "    modes: 12\n"                                                  /* 9 */
                           "    sample: 5\n"                                                  /* 10 */
                           "tools:\n"                                                         /* 11 */
                           "  - {name: t, kind: point, device: {kind: operator, path: [{at: [0, 0, 1 m]}]}}\n";

#define FIXED "    fixed: [{below: {axis: x, at: 0}}]\n"
#define LOADS "    loads: {size: 4 N, direction: [0, 0, -2]}\n"
/* One more key, in line 11. */
#define MORE(text) "    sample: 5\n", "    sample: 5\n    " text "\n"

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {FIXED, "", "s:3: bodies[0]: nothing is fixed, so a load has no displacement"},
      {LOADS, "", "s:3: bodies[0]: a body needs loads"},
      {"size: 4 N, ", "", "s:8: bodies[0].loads: loads needs size"},
      {"4 N", "4 kg", "s:8: bodies[0].loads.size: 4 kg is not a force; write it like 2 N"},
      {"[0, 0, -2]", "[0, 0, 0]", "s:8: bodies[0].loads.direction: the direction is zero"},
      {"modes: 12", "modes: 161", "s:9: bodies[0].modes: 161"},
      {MORE("accuracy: 5 mm"), "s:11: bodies[0].accuracy: 5 mm is not a plain number"},
      {MORE("accuracy: 500 %"), "s:11: bodies[0].accuracy: 500 %"},
      {MORE("method: newton"), "s:11: bodies[0].method: newton is not one of the allowed values: series, increments"},
      {MORE("field: {loads: 3, domains: [{below: {axis: x, at: 1 m}}]}"),
       "s:11: bodies[0].field.loads: a field with domains cannot have loads"},
      {MORE("keep: 13"), "s:11: bodies[0].keep: keep is 13, but the vademecum has at most 12 modes; keep at most "
                         "that many"},
      {MORE("basis: {from: modes}"), "s:11: bodies[0].basis: this key does not apply if kind is vademecum"},
      {MORE("contact: {stiffness: 1 kN/m}"), "s:11: bodies[0].contact: this key applies only to free bodies"},
      {MORE("velocity: [1 m/s, 0, 0]"), "s:11: bodies[0].velocity: only a free body can have an initial velocity or "
                                        "spin"},
      {MORE("free: true\n    static: true"), "s:12: bodies[0].static: a free body has inertia, so it cannot be static"},
      {MORE("surface: {shape: beam}"), "s:11: bodies[0].surface: the shape of volume already has a surface"},
      {MORE("live: {stiffness: [2, 4]}"),
       "s:11: bodies[0].live.stiffness: the range does not contain the value of the body"},
      {"young: 836 kPa, poisson: 0.3", "law: ogden, parameters: {}",
       "s:6: bodies[0].material.law: ogden: vademecums support only st-venant-kirchhoff and neo-hookean"},
      {"poisson: 0.3, ", "", "s:6: bodies[0].material: the material needs the parameters of its law"},
      {"young: 836 kPa, poisson: 0.3", "law: neo-hookean, parameters: {mu: 1 kPa}",
       "s:6: bodies[0].material.parameters: the law neo-hookean needs the parameter k0"},
  };
  check_reading(base, sizeof cases / sizeof *cases, cases, BEGINS);
}

TAC_TEST(mesh_errors_name_their_line) {
  static const Mistake cases[] = {
      {"at: 0}", "at: 1 m}",
       "s:7: bodies[0].fixed: all 189 vertices are fixed, so the body cannot deform; use a "
       "smaller region"},
      {"at: 0}", "at: -1 mm}", "s:7: bodies[0].fixed[0]: no vertex of the volume lies in this region"},
      {"[0, 0, -2]}", "[0, 0, -2], in: [{below: {axis: x, at: 0}}]}",
       "s:8: bodies[0].loads.in: no free vertex of the surface lies in this region"},
      {"[0, 0, -2]}", "[0, 0, -2], in: [{above: {axis: z, at: 1 m}}]}",
       "s:8: bodies[0].loads.in[0]: no vertex of the volume lies in this region"},
  };
  check_mistakes(base, sizeof cases / sizeof *cases, cases);
}

static tacScene *described; /* what the last problem is of, and refers to */

static tacVademecumProblem problem_of(const char *text) {
  described = parse(text, "s");
  tacVademecumProblem problem;
  const tacBodyMaker maker = {described->tree, tac_scene_file_body(&described->file, 0), .error = &error};
  tac_test_ok(tac_vademecum_problem_create(&maker, &problem), error);
  return problem;
}

static void drop(tacVademecumProblem *problem) {
  tac_vademecum_problem_free(problem);
  tac_scene_destroy(described);
}

static int count(int size, const bool *flags) {
  int found = 0;
  for (int i = 0; i < size; ++i) found += flags[i];
  return found;
}

/* 3 x 3 x 21 nodes in 2 x 2 x 20 cells of six tetrahedra, of which 9 nodes are clamped; mu = E / 2 (1 + nu) and
 * lambda = E nu / (1 + nu) (1 - 2 nu). */
TAC_TEST(beam_of_the_paper_has_its_mesh_and_moduli) {
  TAC_FREED(drop, tacVademecumProblem, p) = problem_of(base);
  ck_assert_int_eq(p.volume->vertex_count, 189);
  ck_assert_int_eq(p.volume->tet_count, 480);
  ck_assert_int_eq(count(189, p.fixed), 9);
  ck_assert_ptr_null(p.accessible);
  ck_assert_str_eq(p.def.material.law, "st-venant-kirchhoff");
  ck_assert_double_eq_tol(p.def.material.parameters[0], 836e3 / 2.6, 1e-6);
  ck_assert_double_eq_tol(p.def.material.parameters[1], 836e3 * 0.3 / (1.3 * 0.4), 1e-6);
  ck_assert_double_eq(p.def.material.density, 1000.0);
  ck_assert(p.def.direction.x == 0.0 && p.def.direction.y == 0.0 && p.def.direction.z == -1.0);
  ck_assert(p.def.load == 4.0 && p.def.accuracy == 0.05 && p.def.mode_most == 12 && p.def.sample_count == 5);
  ck_assert(!p.def.linear && p.def.method == TAC_PATH_SERIES);
}

/* Of the upper face, 63 nodes, all but the three at the clamp; the middle of the beam is inside. */
TAC_TEST(loads_act_where_the_surface_is_free) {
  const char *text = edited(
      base, LOADS "    modes: 12\n",
      "    loads: {size: 4 N, in: [{above: {axis: z, at: 40 mm}}, {box: {lower: [190 mm, 19 mm, 19 mm], upper: [210 "
      "mm, "
      "21 mm, 21 mm]}}]}\n"
      "    accuracy: 2 %\n    linear: true\n    method: increments\n    paths: 7\n");
  TAC_FREED(drop, tacVademecumProblem, p) = problem_of(text);
  ck_assert_int_eq(count(189, p.accessible), 60);
  ck_assert(tac_vec3_norm(p.def.direction) == 0.0);
  ck_assert(p.def.accuracy == 0.02 && p.def.linear && p.def.method == TAC_PATH_INCREMENTS && p.def.path_most == 7);
}

TAC_TEST(cache_key_depends_on_relevant_inputs) {
  TAC_FREED(drop, tacVademecumProblem, p) = problem_of(base);
  uint64_t keys[16];
  int made = 0;
  bool accessible[189] = {[188] = true};
#define KEY keys[made++] = tac_vademecum_cache_key(&p.def)
  KEY;
  ck_assert_uint_eq(keys[0], tac_vademecum_cache_key(&p.def));
  p.def.checkpoint = "part"; /* where it goes on does not change what it makes */
  ck_assert_uint_eq(keys[0], tac_vademecum_cache_key(&p.def));
  p.volume->vertices[9].y += 1e-9, KEY;
  p.fixed[100] = true, KEY;
  p.def.accessible = accessible, KEY;
  p.def.material.law = "neo-hookean", KEY;
  p.def.material.parameters[1] *= 1.001, KEY;
  p.def.material.density += 1.0, KEY;
  p.def.direction.y = 0.1, KEY;
  p.def.load *= 2.0, KEY;
  p.def.accuracy = 0.01, KEY;
  p.def.residual = 1e-6, KEY;
  p.def.linear = true, KEY;
  ++p.def.mode_most, KEY;
  ++p.def.path_most, KEY;
  p.def.method = TAC_PATH_INCREMENTS, KEY;
  ++p.def.sample_count, KEY;
  for (int i = 0; i < made; ++i)
    for (int k = 0; k < i; ++k) ck_assert_uint_ne(keys[i], keys[k]);
}

/* A cube of 27 nodes that bakes in no time, fixed below; loads from above. */
static const char cube[] =
    "tactus: 1\n"
    "bodies:\n"
    "  - name: cube\n"
    "    kind: vademecum\n"
    "    volume: {shape: cube, size: 35 mm}\n"
    "    material: {law: neo-hookean, young: 20 kPa, poisson: 0.3, density: 1 g/cm3}\n"
    "    fixed: [{below: {axis: z, at: 0}}]\n"
    "    loads: {size: 2 N, direction: [0, 0, -1], in: [{above: {axis: z, at: 70 mm}}]}\n"
    "    static: true\n"
    "    friction: 0.1\n"
    "    sample: 3\n"
    "    newton: 4\n"
    "    live: {stiffness: [0.5, 2], damping: [0, 1 s], friction: [0, 1], touch: [10 N/m, 1 kN/m]}\n"
    "tools:\n"
    "  - {name: t, kind: point, device: {kind: operator, path: [{at: [0, 0, 1 m]}]}}\n";

static bool same_answers(const tacVademecum *a, const tacVademecum *b) {
  double p[160], q[160];
  int n = tac_vademecum_mode_count(a);
  bool same = n == tac_vademecum_mode_count(b) && tac_vademecum_load_count(a) == tac_vademecum_load_count(b);
  for (int load = 0; same && load < tac_vademecum_load_count(a); ++load) {
    tac_vademecum_coordinates(a, load, tac_vec3(0.0, 0.0, -1.5), p);
    tac_vademecum_coordinates(b, load, tac_vec3(0.0, 0.0, -1.5), q);
    same = memcmp(p, q, (size_t)n * sizeof *p) == 0;
  }
  return same;
}

/* Bodies of any name that are alike share one file; what is there is not baked again but where that is asked for. */
TAC_TEST(baked_assets_are_reused) {
  TAC_FREED(drop, tacVademecumProblem, p) = problem_of(cube);
  tacVademecum *made[4] = {NULL};
  tacSceneAsset assets[4];
  open_cache();
  for (int i = 0; i < 3; ++i)
    tac_test_ok(
        tac_vademecum_cache(cache, i == 1 ? "other" : "cube", &p.def, i == 2, NULL, &made[i], &assets[i], &error),
        error);
  ck_assert(!assets[0].was_cached && assets[1].was_cached && !assets[2].was_cached);
  ck_assert_str_eq(assets[0].path, assets[1].path);
  ck_assert(strstr(assets[0].path, ".vademecum") != NULL && assets[0].bytes > 0);
  ck_assert(same_answers(made[0], made[1]) && same_answers(made[0], made[2]));
  p.def.load = 1.0;
  tac_test_ok(tac_vademecum_cache(cache, "cube", &p.def, false, NULL, &made[3], &assets[3], &error), error);
  ck_assert(!assets[3].was_cached && strcmp(assets[0].path, assets[3].path) != 0);
  for (int i = 0; i < 4; ++i) tac_vademecum_destroy(made[i]);
}

/* Stops a bake once its paths were followed. */
static bool until_loads(const char *what, double fraction, void *stage) {
  (void)fraction;
  snprintf(stage, 64, "%s", what);
  return strcmp(what, "coordinates of loads") != 0;
}

static off_t size_of_part(const char *asset) {
  char path[1100];
  struct stat file;
  snprintf(path, sizeof path, "%.*s.part", (int)(strlen(asset) - strlen(".vademecum")), asset);
  return stat(path, &file) == 0 ? file.st_size : 0;
}

/* An interrupted bake leaves no asset but the paths that it had followed, from which another one goes on (test_vademecum_bake); that
 * leaves nothing else. */
TAC_TEST(interrupted_bake_resumes) {
  TAC_FREED(drop, tacVademecumProblem, p) = problem_of(cube);
  TAC_OWN(tacVademecum, resumed) = NULL;
  tacSceneAsset asset;
  char stage[64] = "";
  tacProgress progress = {until_loads, stage};
  open_cache();
  TAC_CREATE(tacVademecum, whole, tac_vademecum_cache(cache, "cube", &p.def, false, NULL, &whole, &asset, &error));
  ck_assert_int_eq(unlink(asset.path), 0);
  ck_assert_int_eq(tac_vademecum_cache(cache, "cube", &p.def, false, &progress, &resumed, NULL, &error),
                   TAC_ERR_CANCELLED);
  ck_assert_ptr_null(resumed);
  ck_assert_int_ne(access(asset.path, F_OK), 0);
  ck_assert_int_gt(size_of_part(asset.path), 0);
  tac_test_ok(tac_vademecum_cache(cache, "cube", &p.def, false, NULL, &resumed, &asset, &error), error);
  ck_assert_int_eq(size_of_part(asset.path), 0);
  ck_assert(same_answers(whole, resumed));
}

/* A finger presses the middle of the cube's upper face until all is at rest. Force and place of the finger's proxy are a load and a
 * displacement of the vademecum, which solves for it another way: from its baked coordinates, without time. */
TAC_TEST(finger_contact_matches_the_vademecum_solution) {
  TAC_OWN(tacScene, scene) = bake(cube, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  tacBodyId id = tac_world_body(world, 0);
  const tacVademecum *vademecum = tac_scene_vademecum(scene, 0);
  ck_assert_str_eq(tac_world_body_kind_name(world, id), "vademecum");
  ck_assert_ptr_eq(tac_world_body_reduced(world, id), tac_vademecum_shape(vademecum));
  ck_assert_ptr_eq(tac_scene_reduced(scene, 0), tac_vademecum_shape(vademecum));
  ck_assert_int_eq(tac_scene_live_count(scene), 4); /* of which the world has each */
  tacSceneLive live;
  for (int i = 0; tac_scene_live(scene, i, &live); ++i) ck_assert_int_ge(tac_world_find_parameter(world, live.name), 0);
  tacToolOutput out = {0};
  for (int tick = 0; tick < 1500; ++tick) {
    tacTickReport report;
    double in = fmin(1.0, tick / 500.0);
    tacToolInput at = {.position = {0.036, 0.034, 0.073 - 0.012 * in}, .orientation = {1.0, 0.0, 0.0, 0.0}};
    tac_world_step(world, &at, &out, &report);
    ck_assert_int_eq(report.refused, 0);
  }
  ck_assert_int_ne(out.contact.state, TAC_CONTACT_NONE);
  ck_assert_double_gt(out.force.z, 0.3);
  tacVademecumLoad load = {.triangle = out.contact.triangle, .force = tac_vec3_scale(-1.0, out.force)};
  memcpy(load.weight, out.contact.weight, sizeof load.weight);
  double q[160];
  TAC_CREATE(tacVademecumSolver, solver, tac_vademecum_solver_create(vademecum, &solver, &error));
  tacVademecumSolution solution = tac_vademecum_solve(solver, 1, &load, 20, q);
  ck_assert_double_lt(solution.residual, 1e-4);
  const tacTriMesh *surface = tac_scene_surface(scene, 0);
  tacVec3 moved = tac_vec3(0.0, 0.0, 0.0), rest = moved;
  for (int k = 0; k < 3; ++k) {
    int v = surface->triangles[load.triangle].v[k];
    moved = tac_vec3_mad(moved, load.weight[k], tac_vademecum_displacement(vademecum, v, q));
    rest = tac_vec3_mad(rest, load.weight[k], surface->vertices[v]);
  }
  ck_assert_double_gt(tac_vec3_norm(moved), 0.002);
  ck_assert_msg(tac_vec3_distance(tac_vec3_add(rest, moved), out.proxy) < 1e-3 * tac_vec3_norm(moved), "%g of %g mm",
                1e3 * tac_vec3_distance(tac_vec3_add(rest, moved), out.proxy), 1e3 * tac_vec3_norm(moved));
}

/* The places of baked deformations: no load is farther from one of them than they are from each other, and each of their loads goes
 * inward where it acts, farther with its size. */
TAC_TEST(baked_deformations_use_evenly_spread_loads) {
  enum { MOST = 7 };
  const char *text = edited(cube, "direction: [0, 0, -1], in: [{above: {axis: z, at: 70 mm}}]", "patch: 0");
  TAC_OWN(tacScene, scene) = bake(text, "s");
  const tacVademecum *vademecum = tac_scene_vademecum(scene, 0);
  const tacTriMesh *surface = tac_scene_surface(scene, 0);
  TAC_FREED(tac_vademecum_loads_free, tacVademecumLoads, loads);
  tac_test_ok(tac_vademecum_loads_create(&(tacVademecumLoadsDef){vademecum, 0, MOST, 0}, &loads, &error), error);
  ck_assert_int_eq(loads.def.node_count, MOST);
  double apart = INFINITY;
  for (int i = 0; i < MOST; ++i)
    for (int k = 0; k < i; ++k)
      apart =
          fmin(apart, tac_vec3_distance(surface->vertices[loads.vertices[i]], surface->vertices[loads.vertices[k]]));
  for (int l = 0; l < tac_vademecum_load_count(vademecum); ++l) {
    double away = INFINITY;
    tacVec3 at = surface->vertices[tac_vademecum_load_vertex(vademecum, l)];
    for (int i = 0; i < MOST; ++i) away = fmin(away, tac_vec3_distance(at, surface->vertices[loads.vertices[i]]));
    ck_assert_double_le(away, apart);
  }
  tacVec3 middle = tac_box_centre(tac_trimesh_box(surface));
  for (int i = 0; i < MOST; ++i) {
    int n = tac_vademecum_mode_count(vademecum), v = loads.vertices[i];
    double in[2];
    for (int l = 0; l < 2; ++l)
      in[l] = tac_vec3_dot(tac_vademecum_displacement(vademecum, v, loads.states + (2 * i + l) * n),
                           tac_vec3_unit(tac_vec3_sub(middle, surface->vertices[v])));
    ck_assert_double_gt(in[0], 1e-4);
    ck_assert_double_gt(in[1], in[0]);
  }
}

/* A vademecum, the field at rest that follows it, distances to baked deformations, points; all are kept. */
TAC_TEST(contact_assets_are_baked_and_cached) {
  static const struct {
    const char *kind, *ending;
  } wanted[4] = {{"vademecum", ".vademecum"}, {"deformed", ".deformed"}, {"loads", ".loads"}, {"points", ".embedded"}};
  const char *text = edited(cube, "    static: true\n",
                            "    static: true\n    points: {count: 100}\n    field: {resolution: 16, loads: 3}\n");
  TAC_OWN(tacScene, scene) = parse(text, "s");
  tacSceneAsset assets[4];
  open_cache();
  ck_assert_int_eq(tac_scene_asset_count(scene), 4);
  for (int again = 0; again < 2; ++again) {
    tac_test_ok(tac_scene_bake(scene, cache, false, NULL, assets, &error), error);
    for (int i = 0; i < 4; ++i) {
      ck_assert_str_eq(assets[i].kind, wanted[i].kind);
      ck_assert_msg(strstr(assets[i].path, wanted[i].ending) != NULL, "%s", assets[i].path);
      ck_assert_int_eq(assets[i].was_cached, again);
    }
  }
  ck_assert_int_eq(tac_load_field_node_count(tac_scene_load_field(scene, 0)), 3);
  ck_assert_int_eq(tac_load_field_coordinates(tac_scene_load_field(scene, 0)),
                   tac_vademecum_mode_count(tac_scene_vademecum(scene, 0)));
  TAC_OWN(tacWorld, world) = world_of(scene);
}

static void keep_line(const char *label, const char *text, void *user) {
  (void)label;
  strcat(strcat(user, text), "\n");
}

TAC_TEST(scene_is_described_in_text) {
  char text[4096] = "";
  TAC_OWN(tacScene, scene) = parse(base, "s");
  tac_scene_describe(scene, keep_line, text);
  ck_assert_msg(strstr(text, "vademecum, of beam\n") != NULL, "%s", text);
  ck_assert_msg(strstr(text, "loads up to 4 N of direction (0, 0, -1), to 5 %") != NULL, "%s", text);
}
