/* Hyperelastic bodies in worlds (Courtecuisse and others 2015): how they fall, rest, are touched and meet others. */
#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "elastic/hyper/hyper_statics.h"
#include "elastic/laws/hyper_laws.h"
#include "kinds/hyperelastic/hyperelastic_kind.h"
#include "kinds/rigid/rigid_kind.h"
#include "math/geometry/quat.h"
#include "mesh/make_mesh.h"
#include "physics/stepped_world.h"
#include "world/world_build.h"
#include "world/world_parts.h"
#include "world/world_view.h"

#define G 9.81
#define EDGE 0.04 /* m */

static const tacFloorDef rough_floor = {.normal = {0.0, 0.0, 1.0}, .friction = 0.4};

static tacVolMesh *make_cube(int cells, double edge) {
  return make_tets((tacBox){{0.0, 0.0, 0.0}, {edge, edge, edge}}, cells, cells, cells);
}

/* mu = 2 (c1 + c2), k0 of Poisson's ratio 0.45 */
#define MOONEY(young)                                                                                  \
  {                                                                                                    \
    .law = "mooney-rivlin", .parameters = {0.25 * (young) / 2.9, 0.25 * (young) / 2.9, (young) / 0.3}, \
    .density = 1000.0                                                                                  \
  }
static const tacLawMaterial soft = MOONEY(2e4), firm = MOONEY(5e4);

static tacHyperelasticBodyDef def_of(const tacVolMesh *mesh, const tacLawMaterial *material) {
  tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
  def.body.name = "cube";
  def.mesh = mesh;
  def.material_count = 1;
  def.materials = material;
  return def;
}

/* One that falls. */
static tacHyperelasticBodyDef free_def_of(const tacVolMesh *mesh, const tacLawMaterial *material) {
  tacHyperelasticBodyDef def = def_of(mesh, material);
  def.body.free = true;
  def.body.gravity = tac_vec3(0.0, 0.0, -G);
  return def;
}

static tacBodyId add(tacWorld *world, const tacHyperelasticBodyDef *def) {
  return tac_test_made(tacBodyId, tac_world_add_hyperelastic(world, def, &made, &error));
}

/* [vertex]: at z = 0. */
static bool *held_below(const tacVolMesh *mesh) {
  bool *fixed = calloc((size_t)mesh->vertex_count, sizeof *fixed);
  for (int v = 0; v < mesh->vertex_count; ++v) fixed[v] = mesh->vertices[v].z < 1e-9;
  return fixed;
}

static double *state_of(const tacWorld *world) {
  double *state = calloc((size_t)tac_world_state_size(world), sizeof *state);
  tac_world_state(world, state);
  return state;
}

/* A free body falls as a point does by implicit Euler's method, without deforming. */
TAC_TEST(a_cube_falls_freely) {
  TAC_OWN(tacVolMesh, mesh) = make_cube(3, EDGE);
  tacHyperelasticBodyDef def = free_def_of(mesh, &soft);
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_SIGNORINI, 1);
  def.body.velocity = tac_vec3(0.1, 0.0, 1.0);
  tacBodyId id = add(world, &def);
  seal(world);
  int n = 200;
  double h = 1e-3, way = 0.0, v = 1.0, most = 0.0;
  run(world, n);
  for (int i = 0; i < n; ++i) {
    v -= h * G;
    way += h * v;
  }
  TAC_MEMORY(double, state) = state_of(world);
  const double *x = state + tac_world_body_state(world, id);
  for (int i = 0; i < mesh->vertex_count; ++i) {
    const double *p = x + 3 * i;
    tacVec3 off =
        tac_vec3_sub(tac_vec3(p[0], p[1], p[2]), tac_vec3_add(mesh->vertices[i], tac_vec3(0.1 * n * h, 0.0, way)));
    most = fmax(most, tac_vec3_norm(off));
  }
  tac_test_print("falls: off by %g m\n", most);
  ck_assert_double_lt(most, 1e-9);
}

/* On a floor it rests: contacts carry its weight. */
TAC_TEST(a_cube_rests_on_a_floor) {
  TAC_OWN(tacVolMesh, mesh) = make_cube(3, EDGE);
  for (int m = 0; m < 2; ++m) {
    tacHyperelasticBodyDef def = free_def_of(mesh, &soft);
    TAC_OWN(tacWorld, world) = make_world_with((tacContactMethod)m, 1);
    tac_test_ok(tac_world_set_floor(world, &rough_floor, &error), error);
    def.body.pose.position.z = 1e-3;
    def.stiffness_damping = 2e-3;
    def.most_sites = 16; /* as many as nodes rest on it */
    add(world, &def);
    seal(world);
    run(world, 1500);
    tacShownContact contacts[256];
    int count = tac_world_contacts(world, 256, contacts);
    tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < count; ++i) sum = tac_vec3_add(sum, contacts[i].force);
    double weight = 1000.0 * EDGE * EDGE * EDGE * G;
    tac_test_print("rests: %d contacts, force %g %g %g of %g\n", count, sum.x, sum.y, sum.z, weight);
    ck_assert_double_eq_tol(sum.z, weight, 1e-3 * weight);
  }
}

/* A cube that falls on a floor and is touched deforms alike however all of it lies: its frame is turned, what it answers is not. */
TAC_TEST(deformation_does_not_depend_on_the_orientation) {
  enum { TICKS = 400 };
  static const double slant[4] = {0.5, -0.1, 0.7, 0.5}; /* of length 1 */
  TAC_OWN(tacVolMesh, mesh) = make_cube(2, EDGE);
  tacVec3 felt[2];
  double *state[2];
  for (int turned = 0; turned < 2; ++turned) {
    tacQuat q = turned == 1 ? tac_quat_of(slant) : tac_quat_identity();
    tacVec3 up = tac_quat_rotate(q, tac_vec3(0.0, 0.0, 1.0)), most = tac_vec3(0.0, 0.0, 0.0);
    tacHyperelasticBodyDef def = free_def_of(mesh, &soft);
    TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_SIGNORINI, 1);
    tacFloorDef floor = {.normal = up, .friction = 0.4};
    tac_test_ok(tac_world_set_floor(world, &floor, &error), error);
    def.body.gravity = tac_vec3_scale(-G, up);
    def.body.velocity = tac_quat_rotate(q, tac_vec3(0.1, 0.05, 0.0));
    def.body.pose = (tacPose){tac_vec3_scale(1e-3, up), {q.w, q.x, q.y, q.z}};
    def.stiffness_damping = 2e-3;
    tacBodyId id = add(world, &def);
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
    seal(world);
    for (int i = 0; i < TICKS; ++i) {
      tacVec3 at = tac_vec3(0.02 + 1e-5 * i, 0.021, fmax(0.034, 0.05 - 6e-5 * i));
      tacToolInput input = {.position = tac_quat_rotate(q, at), .orientation = {1.0, 0.0, 0.0, 0.0}};
      tacToolOutput output;
      step_world(world, &input, &output);
      if (tac_vec3_norm(output.force) > tac_vec3_norm(most)) most = output.force;
    }
    felt[turned] = tac_quat_rotate(tac_quat_conjugate(q), most);
    state[turned] = state_of(world);
    ck_assert_int_eq(tac_world_body_state(world, id), 0);
  }
  double off = 0.0, moved = 0.0;
  for (int i = 0; i < 3 * mesh->vertex_count; ++i) off = fmax(off, fabs(state[0][i] - state[1][i]));
  for (int v = 0; v < mesh->vertex_count; ++v) moved = fmax(moved, fabs(state[0][3 * v + 2] - mesh->vertices[v].z));
  tac_test_print("turned: off by %g m of %g, feels %g %g %g, off by %g N\n", off, moved, felt[0].x, felt[0].y,
                 felt[0].z, tac_vec3_distance(felt[0], felt[1]));
  ck_assert_double_gt(moved, 1e-3);
  ck_assert_double_gt(tac_vec3_norm(felt[0]), 0.1);
  ck_assert_double_lt(off, 1e-6);
  ck_assert_double_lt(tac_vec3_distance(felt[0], felt[1]), 1e-4 * tac_vec3_norm(felt[0]));
  free(state[0]);
  free(state[1]);
}

/* A vertex of no element has no mass, and nothing holds it: no step could be solved. */
TAC_TEST(every_vertex_is_of_an_element) {
  TAC_OWN(tacVolMesh, mesh) = make_cube(2, EDGE);
  tacVolMesh more = *mesh;
  tacHyperelasticBodyDef def = def_of(mesh, &soft);
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_SIGNORINI, 1);
  tacBodyId id;
  tacHyperelasticReport report;
  size_t count = (size_t)mesh->vertex_count;
  more.vertices = tac_test_alloc((count + 1) * sizeof *more.vertices);
  memcpy(more.vertices, mesh->vertices, count * sizeof *more.vertices);
  more.vertices[count] = tac_vec3(0.0, 0.0, 1.0);
  more.vertex_count = mesh->vertex_count + 1;
  def.body.free = true;
  def.mesh = &more;
  tac_test_refused(tac_world_add_hyperelastic(world, &def, &id, &error), TAC_ERR_GEOMETRY, error,
                   "vertex 27 belongs to no element");
  def.mesh = mesh;
  tac_test_ok(tac_world_add_hyperelastic(world, &def, &id, &error), error);
  ck_assert(tac_world_hyperelastic_report(world, id, &report));
  ck_assert_int_eq(report.nodes, mesh->vertex_count);
  ck_assert_int_eq(report.elements, mesh->tet_count);
}

/* How far the top of a cube that is held below sinks under a plate which makes a step in every so many ticks. */
static double sink_under_plate(int every) {
  tacBox box = {{-0.01, -0.01, 0.0}, {EDGE + 0.01, EDGE + 0.01, 0.01}};
  TAC_OWN(tacVolMesh, mesh) = make_cube(2, EDGE);
  TAC_OWN(tacVolMesh, plate) = make_tets(box, 1, 1, 1);
  tacHyperelasticBodyDef def = def_of(mesh, &soft);
  tacRigidBodyDef rigid = tac_rigid_body_def_default();
  tacBodyDef common = tac_body_def_default();
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_SIGNORINI, 1);
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_OWN(tacDistanceField, field) = NULL;
  TAC_MEMORY(bool, fixed) = held_below(mesh);
  def.fixed = fixed;
  def.stiffness_damping = 5e-3;
  tacBodyId id = add(world, &def);
  tac_test_ok(tac_volmesh_surface(plate, &surface, NULL, NULL, &error), error);
  tac_test_ok(tac_distance_field_box(box, &field, &error), error);
  rigid.surface = surface;
  rigid.field = field;
  rigid.inertia = (tacInertia){0.1, {0.02, 0.02, 0.005}, {{3e-5, 0.0, 0.0}, {0.0, 3e-5, 0.0}, {0.0, 0.0, 6e-5}}};
  tacBody body = tac_test_made(tacBody, tac_rigid_kind_create(&rigid, &made, &error));
  common.name = "plate";
  common.kind = "rigid";
  common.free = true;
  common.gravity = tac_vec3(0.0, 0.0, -G);
  common.pose.position.z = EDGE + 1e-5;
  common.every = every;
  common.shown = TAC_SHOWN_RIGID;
  tac_test_ok(tac_world_add_body(world, &common, body.table, body.self, NULL, &error), error);
  seal(world);
  run(world, 800);
  TAC_MEMORY(double, state) = state_of(world);
  double sum = 0.0;
  int count = 0;
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (mesh->vertices[v].z > EDGE - 1e-9) sum += EDGE - state[tac_world_body_state(world, id) + 3 * v + 2], ++count;
  tac_test_print("every %d: sinks by %g m\n", every, sum / count);
  return sum / count;
}

TAC_TEST(sinking_does_not_depend_on_step_rate) {
  double often = sink_under_plate(1), seldom = sink_under_plate(4);
  ck_assert_double_gt(often, 5e-4);
  ck_assert_double_eq_tol(often, seldom, 0.01 * often);
}

/* Neither of two has a field: they meet by their surfaces, whatever the world says of others. */
TAC_TEST(one_rests_on_another) {
  TAC_OWN(tacVolMesh, mesh) = make_cube(2, EDGE);
  tacHyperelasticBodyDef def = free_def_of(mesh, &firm);
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_SIGNORINI, 1);
  tac_test_ok(tac_world_set_floor(world, &rough_floor, &error), error);
  def.stiffness_damping = 2e-3;
  add(world, &def);
  def.body.name = "other";
  def.body.pose.position = tac_vec3(1e-3, 2e-3, EDGE + 1e-3);
  tacBodyId high = add(world, &def);
  seal(world);
  run(world, 400);
  TAC_MEMORY(double, state) = state_of(world);
  double least = INFINITY;
  const double *x = state + tac_world_body_state(world, high);
  for (int v = 0; v < mesh->vertex_count; ++v) least = fmin(least, def.body.pose.position.z + x[3 * v + 2]);
  tac_test_print("on another: lowest at %g m\n", least);
  ck_assert_double_gt(least, 0.9 * EDGE);
  ck_assert_double_lt(least, EDGE);
}

/* ---- two tools on one body ---- */

static int vertex_near(const tacTriMesh *surface, tacVec3 p) {
  int nearest = 0;
  for (int v = 0; v < surface->vertex_count; ++v)
    if (tac_vec3_distance(surface->vertices[v], p) < tac_vec3_distance(surface->vertices[nearest], p)) nearest = v;
  return nearest;
}

static int node_at(const tacVolMesh *mesh, tacVec3 p) {
  int node = -1;
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (tac_vec3_distance(mesh->vertices[v], p) < 1e-9) node = v;
  ck_assert_int_ge(node, 0);
  return node;
}

/* What holds two nodes where they are: reactions of a static solution with both held there. */
static void hold_statically(const tacVolMesh *mesh, const tacLawMaterial *material, const int nodes[2],
                            const tacVec3 at[2], tacVec3 force[2]) {
  tacHyperMaterial own = {.law = tac_hyper_law_find(material->law, &error), .density = material->density};
  memcpy(own.parameters, material->parameters, sizeof own.parameters);
  tacHyperSolidDef def = {.mesh = mesh, .material_count = 1, .materials = &own, .thread_count = 1};
  int n = mesh->vertex_count;
  TAC_MEMORY(bool, held) = held_below(mesh);
  TAC_DOUBLES *x = calloc(3 * (size_t)n, sizeof *x), *target = calloc(3 * (size_t)n, sizeof *target),
              *reaction = calloc(3 * (size_t)n, sizeof *reaction);
  for (int v = 0; v < n; ++v) {
    tacVec3 p = mesh->vertices[v];
    held[v] = held[v] || v == nodes[0] || v == nodes[1];
    x[3 * v] = p.x, x[3 * v + 1] = p.y, x[3 * v + 2] = p.z;
  }
  memcpy(target, x, 3 * (size_t)n * sizeof *x);
  for (int i = 0; i < 2; ++i)
    target[3 * nodes[i]] = at[i].x, target[3 * nodes[i] + 1] = at[i].y, target[3 * nodes[i] + 2] = at[i].z;
  TAC_CREATE(tacHyperSolid, solid, tac_hyper_solid_create(&def, &solid, &error));
  TAC_CREATE(tacHyperStatics, statics, tac_hyper_statics_create(solid, held, &statics, &error));
  tac_test_ok(tac_hyper_statics_solve(statics, target, NULL, x, reaction, NULL, &error), error);
  for (int i = 0; i < 2; ++i)
    force[i] = tac_vec3(reaction[3 * nodes[i]], reaction[3 * nodes[i] + 1], reaction[3 * nodes[i] + 2]);
}

/* Two tools hold a body at two places. What one does the other feels, as a static solution says, at one rate and at two. */
static void couple_tools(int every) {
  TAC_OWN(tacVolMesh, mesh) = make_cube(4, EDGE);
  tacHyperelasticBodyDef def = def_of(mesh, &soft);
  tacWorldDef world_def = tac_world_def_default();
  world_def.method = TAC_METHOD_SIGNORINI;
  world_def.simulate_every = every;
  TAC_OWN(tacWorld, world) = make_world_of(&world_def);
  TAC_MEMORY(bool, fixed) = held_below(mesh);
  def.fixed = fixed;
  def.stiffness_damping = 5e-3;
  tacBodyId id = add(world, &def);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "left"}, NULL, &error), error);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "right"}, NULL, &error), error);
  seal(world);
  tacToolInput inputs[2] = {{.position = {0.01, 0.02, 0.0405}, .orientation = {1.0, 0.0, 0.0, 0.0}},
                            {.position = {0.03, 0.02, 0.0405}, .orientation = {1.0, 0.0, 0.0, 0.0}}};
  tacVec3 start[2] = {inputs[0].position, inputs[1].position}, before = {0.0, 0.0, 0.0};
  tacToolOutput outputs[2];
  for (int i = 0; i < 3000; ++i) {
    double t = fmin(1.0, i / 500.0), later = fmin(1.0, fmax(0.0, (i - 1500) / 500.0));
    inputs[0].grab = inputs[1].grab = i > 10;
    inputs[0].position = tac_vec3_add(start[0], tac_vec3(0.0, 0.0, -0.004 * t));
    inputs[1].position = tac_vec3_add(start[1], tac_vec3(0.004 * later, 0.0, -0.012 * later));
    step_world(world, inputs, outputs);
    if (i == 1499) before = outputs[0].force;
  }
  const tacTriMesh *surface = world->bodies[0].surface->mesh;
  TAC_MEMORY(double, state) = state_of(world);
  int nodes[2];
  tacVec3 at[2], wanted[2];
  for (int t = 0; t < 2; ++t) {
    tacVec3 rest = surface->vertices[vertex_near(surface, start[t])];
    nodes[t] = node_at(mesh, rest);
    const double *x = state + tac_world_body_state(world, id) + 3 * nodes[t];
    at[t] = tac_vec3(x[0], x[1], x[2]);
  }
  hold_statically(mesh, &soft, nodes, at, wanted);
  for (int t = 0; t < 2; ++t) {
    tacVec3 off = tac_vec3_add(wanted[t], outputs[t].force);
    tac_test_print("every %d, tool %d: feels %g %g %g N, off by %g N of %g\n", every, t, outputs[t].force.x,
                   outputs[t].force.y, outputs[t].force.z, tac_vec3_norm(off), tac_vec3_norm(wanted[t]));
    ck_assert_double_lt(tac_vec3_norm(off), 0.01 * tac_vec3_norm(wanted[t]));
  }
  tacVec3 change = tac_vec3_sub(outputs[0].force, before);
  tac_test_print("every %d: what the other did is felt by %g %g %g N\n", every, change.x, change.y, change.z);
  ck_assert_double_gt(tac_vec3_norm(change), 0.05 * tac_vec3_norm(before));
}

TAC_TEST(two_tools_are_coupled_through_it) {
  couple_tools(1);
  couple_tools(10);
}

/* What is shown of a state: a cube that is pulled to 1.3 of its height, and free aside, has that stretch and the stress of a bar, here by
 * its own law at one point; its stiffness counts, and what it tells of itself is that of its report. */
TAC_TEST(stress_stretch_and_numbers_are_shown) {
  const double pull = 1.3;
  TAC_OWN(tacVolMesh, mesh) = make_cube(3, EDGE);
  tacHyperelasticBodyDef def = def_of(mesh, &soft);
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_SIGNORINI, 1);
  tacHyperelasticReport own;
  tacShownNumber number;
  TAC_MEMORY(bool, fixed) = held_below(mesh);
  def.fixed = fixed;
  def.body.gravity = tac_vec3(0.0, 0.0, -G);
  def.factor_delay = 3;
  tacBodyId id = add(world, &def);
  seal(world);
  run(world, 20);
  TAC_MEMORY(double, state) = state_of(world);
  ck_assert(tac_world_hyperelastic_report(world, id, &own));
  const double reported[4] = {own.factor_age, own.compliance_error, own.iterations, own.inverted};
  for (int i = 0; i < 4; ++i) {
    ck_assert(tac_world_body_number(world, id, i, &number));
    ck_assert_double_eq(state[number.at], reported[i]);
    ck_assert(strcmp(number.unit, "steps") == 0 || i > 0);
  }
  ck_assert_int_gt(own.factor_age, 0);
  ck_assert(!tac_world_body_number(world, id, 4, &number));
  ck_assert_double_eq(tac_world_body_step(world, id), 1e-3);

  size_t count = (size_t)tac_world_body_surface(world, id)->vertex_count;
  TAC_MEMORY(tacVec3, vertices) = calloc(count, sizeof *vertices);
  TAC_MEMORY(tacStressSum, room) = calloc(count, sizeof *room);
  TAC_MEMORY(double, values) = calloc(count, sizeof *values);
  double *x = state + tac_world_body_state(world, id);
  for (int i = 0; i < mesh->vertex_count; ++i) {
    tacVec3 p = mesh->vertices[i];
    const double to[3] = {p.x / sqrt(pull), p.y / sqrt(pull), pull * p.z}; /* of the same volume */
    memcpy(x + 3 * i, to, sizeof to);
  }
  tacSnapshot snapshot = {.state = state};
  ck_assert(tac_world_colours(world, &snapshot, id, TAC_COLOUR_STRETCH, room, vertices, values));
  for (size_t v = 0; v < count; ++v) ck_assert_double_eq_tol(values[v], pull, 1e-9);
  /* Mooney and Rivlin: s_zz - s_xx = 2 (pull^2 - 1 / pull) (c1 + c2 / pull) */
  double stress = 2.0 * (pull * pull - 1.0 / pull) * (soft.parameters[0] + soft.parameters[1] / pull);
  for (int half = 0; half < 2; ++half) {
    int stiffness = tac_world_find_parameter(world, "cube.stiffness");
    tac_test_ok(tac_world_set_parameter(world, stiffness, half ? 0.5 : 1.0, &error), error);
    ck_assert(tac_world_colours(world, &snapshot, id, TAC_COLOUR_STRESS, room, vertices, values));
    for (size_t v = 0; v < count; ++v) ck_assert_double_eq_tol(values[v], half ? 0.5 * stress : stress, 1e-6 * stress);
  }
  snapshot.state = NULL; /* at rest */
  ck_assert(tac_world_colours(world, &snapshot, id, TAC_COLOUR_STRESS, room, vertices, values));
  for (size_t v = 0; v < count; ++v) ck_assert_double_lt(values[v], 1e-6 * stress);
}

/* ---- threads of bodies ---- */

static const tacBodyTable *whole;
static int stops, alive;

static void count_stop(void *self) {
  ck_assert_int_eq(alive, 1);
  ++stops;
  whole->thread->stop(self);
}

static void count_destroy(void *self) {
  --alive;
  whole->destroy(self);
}

/* A body with a thread has all four functions of that, and is stopped before it is destroyed. */
TAC_TEST(threads_of_bodies_are_stopped) {
  TAC_OWN(tacVolMesh, mesh) = make_cube(1, EDGE);
  tacHyperelasticBodyDef def = def_of(mesh, &soft);
  tacBodyDef common = tac_body_def_default();
  tacWorld *world = make_world_with(TAC_METHOD_SIGNORINI, 1);
  tacBody body = tac_test_made(tacBody, tac_hyperelastic_kind_create(&def, &made, &error));
  whole = body.table;
  common.name = "cube";
  common.kind = "counted";
  for (int lacks = 0; lacks < 4; ++lacks) {
    tacBodyTable table = *whole;
    tacBodyThread thread = *whole->thread;
    if (lacks == 0) thread.start = NULL;
    if (lacks == 1) thread.stop = NULL;
    if (lacks == 2) thread.ready = NULL;
    if (lacks == 3) thread.prepare = NULL;
    table.thread = &thread;
    tac_test_refused(tac_world_add_body(world, &common, &table, body.self, NULL, &error), TAC_ERR_ARGUMENT, error,
                     "start, stop, ready and prepare");
  }
  tacBodyTable counted = *whole;
  tacBodyThread thread = *whole->thread;
  thread.stop = count_stop;
  counted.thread = &thread;
  counted.destroy = count_destroy;
  alive = 1;
  tac_test_ok(tac_world_add_body(world, &common, &counted, body.self, NULL, &error), error);
  seal(world);
  tac_test_ok(tac_world_start_simulation(world, &error), error);
  tac_world_destroy(world);
  ck_assert_int_eq(stops, 1);
  ck_assert_int_eq(alive, 0);
}
