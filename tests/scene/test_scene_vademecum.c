/* Scenes with vademecum bodies: their keys, what they are baked from, and what becomes of it in a world. */
#include <math.h>
#include <string.h>
#include <tactus/scene.h>
#include "math/vec3.h"
#include "scene/bake_key.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "scene/vademecum_problem.h"

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
#define SAMPLE "    sample: 5\n"

START_TEST(every_mistake_has_its_line) {
  static const Mistake cases[] = {
      {FIXED, "", "s:3: bodies[0]: nothing is fixed, so that no load has a displacement; write it like fixed: "},
      {LOADS, "", "s:3: bodies[0]: a body needs loads"},
      {"size: 4 N, ", "", "s:8: bodies[0].loads: loads needs size"},
      {"4 N", "4 kg", "s:8: bodies[0].loads.size: 4 kg is not a force; write it like 2 N"},
      {"[0, 0, -2]", "[0, 0, 0]",
       "s:8: bodies[0].loads.direction: is no direction; write it like direction: [0, 0, -1]"},
      {"modes: 12", "modes: 161", "s:9: bodies[0].modes: 161"},
      {SAMPLE, SAMPLE "    accuracy: 5 mm\n", "s:11: bodies[0].accuracy: 5 mm is not a plain number"},
      {SAMPLE, SAMPLE "    accuracy: 500 %\n", "s:11: bodies[0].accuracy: 500 %"},
      {SAMPLE, SAMPLE "    method: newton\n", "s:11: bodies[0].method: newton is none of series, increments"},
      {SAMPLE, SAMPLE "    keep: 13\n", "s:11: bodies[0].keep: 13 of at most 12 modes"},
      {SAMPLE, SAMPLE "    basis: {from: modes}\n", "s:11: bodies[0].basis: has no meaning where kind is vademecum"},
      {SAMPLE, SAMPLE "    contact: {stiffness: 1 kN/m}\n", "s:11: bodies[0].contact: is of free bodies"},
      {SAMPLE, SAMPLE "    velocity: [1 m/s, 0, 0]\n", "s:11: bodies[0].velocity: is of free bodies"},
      {SAMPLE, SAMPLE "    free: true\n    static: true\n", "s:12: bodies[0].static: a free body has inertia"},
      {SAMPLE, SAMPLE "    surface: {shape: beam}\n",
       "s:11: bodies[0].surface: the shape of volume has its own surface"},
      {SAMPLE, SAMPLE "    live: {stiffness: [2, 4]}\n", "s:11: bodies[0].live.stiffness: the body's own stiffness, 1"},
      {"young: 836 kPa, poisson: 0.3", "law: ogden, parameters: {}",
       "s:6: bodies[0].material.law: ogden: vademecums are of st-venant-kirchhoff and neo-hookean"},
      {"poisson: 0.3, ", "", "s:6: bodies[0].material: a hyperelastic material has the parameters of its law"},
      {"young: 836 kPa, poisson: 0.3", "law: neo-hookean, parameters: {mu: 1 kPa}",
       "s:6: bodies[0].material.parameters: the law neo-hookean needs k0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[4096];
    tacScene *scene = NULL;
    tacError error = {0};
    edit(base, cases[i].from, cases[i].to, text, sizeof text);
    ck_assert_msg(tac_scene_parse(text, "s", &scene, &error) != TAC_OK, "%s", cases[i].to);
    ck_assert_ptr_null(scene);
    ck_assert_msg(strncmp(error.text, cases[i].message, strlen(cases[i].message)) == 0, "%s", error.text);
  }
}
END_TEST

START_TEST(mistakes_of_the_mesh_have_their_line) {
  static const Mistake cases[] = {
      {"at: 0}", "at: 1 m}", "s:7: bodies[0].fixed: all 189 vertices are fixed: nothing would deform"},
      {"at: 0}", "at: -1 mm}", "s:7: bodies[0].fixed[0]: no vertex of the volume is here"},
      {"[0, 0, -2]}", "[0, 0, -2], in: [{below: {axis: x, at: 0}}]}",
       "s:8: bodies[0].loads.in: no vertex of the surface that is free is here"},
      {"[0, 0, -2]}", "[0, 0, -2], in: [{above: {axis: z, at: 1 m}}]}",
       "s:8: bodies[0].loads.in[0]: no vertex of the volume is here"},
  };
  check_mistakes(base, sizeof cases / sizeof *cases, cases);
}
END_TEST

static tacVademecumProblem problem_of(const char *text) {
  tacScene *scene = parse(text, "s");
  tacVademecumProblem problem;
  tacError error = {0};
  tac_test_ok(tac_vademecum_problem_create(scene->tree, tac_scene_file_body(&scene->file, 0), NULL, &problem, &error),
              error);
  tac_scene_destroy(scene);
  return problem;
}

static int count(int size, const bool *flags) {
  int found = 0;
  for (int i = 0; i < size; ++i) found += flags[i];
  return found;
}

/* 3 x 3 x 21 nodes in 2 x 2 x 20 cells of six tetrahedra, of which 9 nodes are clamped; mu = E / 2 (1 + nu) and
 * lambda = E nu / (1 + nu) (1 - 2 nu). */
START_TEST(the_beam_of_the_paper_is_a_lattice) {
  tacVademecumProblem p = problem_of(base);
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
  tac_vademecum_problem_free(&p);
}
END_TEST

/* Of the upper face, 63 nodes, all but the three at the clamp; the middle of the beam is inside. */
START_TEST(loads_act_where_the_surface_is_free) {
  char text[4096];
  edit(base, LOADS "    modes: 12\n",
       "    loads: {size: 4 N, in: [{above: {axis: z, at: 40 mm}}, {box: {lower: [190 mm, 19 mm, 19 mm], upper: [210 "
       "mm, "
       "21 mm, 21 mm]}}]}\n"
       "    accuracy: 2 %\n    linear: true\n    method: increments\n    paths: 7\n",
       text, sizeof text);
  tacVademecumProblem p = problem_of(text);
  ck_assert_int_eq(count(189, p.accessible), 60);
  ck_assert(tac_vec3_norm(p.def.direction) == 0.0);
  ck_assert(p.def.accuracy == 0.02 && p.def.linear && p.def.method == TAC_PATH_INCREMENTS && p.def.path_most == 7);
  tac_vademecum_problem_free(&p);
}
END_TEST

START_TEST(the_key_follows_what_matters) {
  tacVademecumProblem p = problem_of(base);
  uint64_t keys[16];
  int made = 0;
  bool accessible[189] = {[188] = true};
  keys[made++] = tac_bake_key_vademecum(&p.def);
  ck_assert_uint_eq(keys[0], tac_bake_key_vademecum(&p.def));
  p.def.checkpoint = "part"; /* where it goes on does not change what it makes */
  ck_assert_uint_eq(keys[0], tac_bake_key_vademecum(&p.def));
  p.volume->vertices[9].y += 1e-9;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.fixed[100] = true;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.accessible = accessible;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.material.law = "neo-hookean";
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.material.parameters[1] *= 1.001;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.material.density += 1.0;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.direction.y = 0.1;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.load *= 2.0;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.accuracy = 0.01;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.residual = 1e-6;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.linear = true;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  ++p.def.mode_most;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  ++p.def.path_most;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  p.def.method = TAC_PATH_INCREMENTS;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  ++p.def.sample_count;
  keys[made++] = tac_bake_key_vademecum(&p.def);
  for (int i = 0; i < made; ++i)
    for (int k = 0; k < i; ++k) ck_assert_uint_ne(keys[i], keys[k]);
  tac_vademecum_problem_free(&p);
}
END_TEST

static void keep_line(const char *label, const char *text, void *user) {
  (void)label;
  strcat(strcat(user, text), "\n");
}

START_TEST(is_described_in_words) {
  char text[4096] = "";
  tacScene *scene = parse(base, "s");
  tac_scene_describe(scene, keep_line, text);
  ck_assert_msg(strstr(text, "vademecum, of beam\n") != NULL, "%s", text);
  ck_assert_msg(strstr(text, "loads up to 4 N of direction (0, 0, -1), to 5 %") != NULL, "%s", text);
  tac_scene_destroy(scene);
}
END_TEST

TAC_TEST_MAIN("scene_vademecum", every_mistake_has_its_line, mistakes_of_the_mesh_have_their_line,
              the_beam_of_the_paper_is_a_lattice, loads_act_where_the_surface_is_free, the_key_follows_what_matters,
              is_described_in_words)
