/* Hyperelastic bodies in worlds (Courtecuisse and others 2015): how they fall, rest, are touched and meet others. */
#include <math.h>
#include <string.h>
#include <tactus/hyperelastic.h>
#include <tactus/world.h>

#include "mesh/make_mesh.h"
#include "physics/block.h"
#include "world/world_parts.h"

#define G 9.81
#define EDGE 0.04 /* m */

static bool tells; /* TACTUS_TEST_TELL prints what is measured */

static tacVolMesh *make_cube(int cells, double edge) {
  tells = getenv("TACTUS_TEST_TELL") != NULL;
  return make_tets((tacBox){{0.0, 0.0, 0.0}, {edge, edge, edge}}, cells, cells, cells);
}

static tacHyperelasticMaterial mooney(double young) {
  /* mu = 2 (c1 + c2), k0 of Poisson's ratio 0.45 */
  double mu = young / 2.9, k0 = young / 0.3;
  return (tacHyperelasticMaterial){.law = "mooney-rivlin", .parameters = {0.25 * mu, 0.25 * mu, k0}, .density = 1000.0};
}

static tacHyperelasticBodyDef def_of(const tacVolMesh *mesh, const tacHyperelasticMaterial *material) {
  tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
  def.name = "cube";
  def.mesh = mesh;
  def.material_count = 1;
  def.materials = material;
  return def;
}

static tacWorld *begin(tacContactMethod method, int every) {
  tacError error;
  tacWorld *world;
  tacWorldDef def = tac_world_def_default();
  def.method = method;
  def.simulate_every = every;
  tac_test_ok(tac_world_create(&def, &world, &error), error);
  return world;
}

static void seal(tacWorld *world) {
  tacError error;
  tac_test_ok(tac_world_seal(world, &error), error);
}

static double *state_of(const tacWorld *world) {
  double *state = calloc((size_t)tac_world_state_size(world), sizeof *state);
  tac_world_state(world, state);
  return state;
}

/* A free body falls as a point does by implicit Euler's method, without deforming. */
START_TEST(it_falls) {
  tacVolMesh *mesh = make_cube(3, EDGE);
  tacHyperelasticMaterial material = mooney(2e4);
  tacHyperelasticBodyDef def = def_of(mesh, &material);
  tacWorld *world = begin(TAC_METHOD_SIGNORINI, 1);
  tacError error;
  tacBodyId id;
  def.free = true;
  def.gravity = tac_vec3(0.0, 0.0, -G);
  def.velocity = tac_vec3(0.1, 0.0, 1.0);
  tac_test_ok(tac_world_add_hyperelastic(world, &def, &id, &error), error);
  seal(world);
  tacTickReport report;
  int n = 200;
  double h = 1e-3, way = 0.0, v = 1.0;
  for (int i = 0; i < n; ++i) {
    tac_world_step(world, NULL, NULL, &report);
    v -= h * G;
    way += h * v;
  }
  double *state = state_of(world), most = 0.0;
  const double *x = state + tac_world_body_state(world, id);
  for (int i = 0; i < mesh->vertex_count; ++i) {
    const double *p = x + 3 * i;
    tacVec3 off =
        tac_vec3_sub(tac_vec3(p[0], p[1], p[2]), tac_vec3_add(mesh->vertices[i], tac_vec3(0.1 * n * h, 0.0, way)));
    most = fmax(most, tac_vec3_norm(off));
  }
  if (tells) fprintf(stderr, "falls: off by %g m\n", most);
  ck_assert_double_lt(most, 1e-9);
  free(state);
  tac_world_destroy(world);
  tac_volmesh_destroy(mesh);
}
END_TEST

/* On a floor it rests: contacts carry its weight. */
START_TEST(it_rests_on_a_floor) {
  static const tacContactMethod methods[2] = {TAC_METHOD_PENALTY, TAC_METHOD_SIGNORINI};
  tacVolMesh *mesh = make_cube(3, EDGE);
  tacHyperelasticMaterial material = mooney(2e4);
  for (int m = 0; m < 2; ++m) {
    tacHyperelasticBodyDef def = def_of(mesh, &material);
    tacWorld *world = begin(methods[m], 1);
    tacError error;
    tacBodyId id;
    tacFloorDef floor = {.normal = {0.0, 0.0, 1.0}, .friction = 0.4};
    tac_test_ok(tac_world_set_floor(world, &floor, &error), error);
    def.free = true;
    def.gravity = tac_vec3(0.0, 0.0, -G);
    def.pose.position.z = 1e-3;
    def.stiffness_damping = 2e-3;
    tac_test_ok(tac_world_add_hyperelastic(world, &def, &id, &error), error);
    seal(world);
    tacTickReport report;
    int unsolved = 0;
    for (int i = 0; i < 1500; ++i) {
      tac_world_step(world, NULL, NULL, &report);
      unsolved += report.unsolved;
    }
    tacShownContact contacts[256];
    int count = tac_world_contacts(world, 256, contacts);
    tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < count; ++i) sum = tac_vec3_add(sum, contacts[i].force);
    double weight = 1000.0 * EDGE * EDGE * EDGE * G;
    tacHyperelasticReport own;
    ck_assert(tac_world_hyperelastic_report(world, id, &own));
    if (tells)
      fprintf(stderr, "rests: %d contacts, force %g %g %g of %g, unsolved %d, age %d, its %d, error %g, energy %g\n",
              count, sum.x, sum.y, sum.z, weight, unsolved, own.factor_age, own.iterations, own.compliance_error,
              own.energy);
    ck_assert_double_eq_tol(sum.z, weight, 1e-3 * weight);
    tac_world_destroy(world);
  }
  tac_volmesh_destroy(mesh);
}
END_TEST

TAC_TEST_MAIN("hyperelastic", it_falls, it_rests_on_a_floor)
