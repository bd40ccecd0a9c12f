/* Corotational bodies (Duriez and others 2006, section 6): frames that move and deform without inertia, against
 * closed forms. */
#include <tactus/green.h>
#include <tactus/mesh.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "elastic/solids/inertia_relief.h"
#include "math/dense/dense.h"
#include "math/geometry/quat.h"
#include "mesh/make_mesh.h"
#include "physics/block.h"
#include "physics/few_points.h"
#include "physics/stepped_world.h"
#include "world/world_parts.h"
#include "world/world_tick.h"

#define G 9.81
#define EDGE 0.04 /* m */
static const double period = 1e-3;
static const char *const method_names[2] = {"penalty", "signorini"};

static bool holds_nothing(tacVec3 p) {
  (void)p;
  return false;
}

/* A cube of EDGE on z = 0 that nothing holds. 2 MPa: in a step of 1 ms its contacts swing out within some steps,
 * since implicit Euler's method damps by omega h / 2; the deformation has no damping of its own. */
typedef struct {
  Block block;
  tacGreen *green;
  tacInertia inertia;
  tacDistanceField *field;
} Cube;

static Cube make_cube(void) {
  tacBox box = {{-0.5 * EDGE, -0.5 * EDGE, 0.0}, {0.5 * EDGE, 0.5 * EDGE, EDGE}};
  Cube c = {.block = make_block(make_bricks(box, 4, 4, 4), holds_nothing, 2e6, 0.3)};
  c.green = tac_test_keep(bake_block(&c.block, 0, NULL), tac_green_destroy);
  c.inertia = inertia_of(c.block.surface, c.block.material.density);
  c.field = tac_test_kept(tacDistanceField, tac_distance_field_box(box, &made, &error));
  return c;
}

static tacGreenBodyDef def_of(const Cube *c, const char *name) {
  tacGreenBodyDef def = green_def(name, c->green);
  def.body.kind = "corotational";
  def.inertia = c->inertia;
  def.field = c->field;
  def.body.free = true;
  return def;
}

static tacVec3 contact_forces(const tacWorld *world, int body) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < world->contacts.count; ++i)
    for (int s = 0; s < 2; ++s)
      if (world->contacts.list[i].body[s] == body)
        sum = tac_vec3_mad(sum, s == 0 ? 1.0 : -1.0, world->contacts.list[i].force);
  return sum;
}

/* On a floor whose normal is z, gravity turned by `angle`. */
static tacWorld *on_slope(const Cube *c, tacContactMethod method, double angle, double friction, double stiffness,
                          double height) {
  tacWorld *world = make_world_with(method, 1);
  tacGreenBodyDef def = def_of(c, "cube");
  def.body.gravity = tac_vec3(G * sin(angle), 0.0, -G * cos(angle));
  def.stiffness = stiffness;
  def.body.pose.position.z = height;
  tac_test_ok(tac_world_add_green(world, &def, NULL, &error), error);
  tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, friction}, &error), error);
  seal(world);
  return world;
}

/* It flies as a rigid body does, then lies on the floor: forces are its weight, their moment about the centre of
 * mass vanishes, and by the laws what they deform, C f, brings every place that they press on to the floor. */
TAC_TEST(a_cube_falls_and_rests) {
  Cube c = make_cube();
  double weight = c.inertia.mass * G;
  for (int method = 0; method < 2; ++method) {
    const int n = 30;
    TAC_OWN(tacWorld, world) = on_slope(&c, (tacContactMethod)method, 0.0, 0.5, 1.0, 0.01);
    const tacWorldBody *body = &world->bodies[0];
    run(world, n);
    ck_assert_double_eq_tol(body->frame.position.z, 0.01 - 0.5 * n * (n + 1.0) * period * period * G, 1e-12);
    run(world, 1500);
    tacVec3 sum = contact_forces(world, 0), moment = tac_vec3(0.0, 0.0, 0.0);
    double apart = 0.0;
    for (int i = 0; i < world->contacts.count; ++i) {
      const tacSetContact *k = &world->contacts.list[i];
      double moved = 0.0, gap = k->at.z - k->moved.z; /* as if it were at rest */
      moment = tac_vec3_add(moment, tac_vec3_cross(tac_vec3_sub(k->at, tac_frame_about(&body->frame)), k->force));
      if (!(k->force.z > 0.0)) continue;
      for (int j = 0; j < world->contacts.count; ++j) {
        tacMat3 w;
        ck_assert(body->body.table->compliance(body->body.self, &k->site[0], &world->contacts.list[j].site[0], w.m));
        moved += tac_mat3_mul_vec(w, world->contacts.list[j].force).z;
      }
      apart = fmax(apart, fabs(gap + moved));
    }
    tac_test_print("rests, %s: force %.1e of the weight off, moment %.1e, places %.1e m, %.1e m/s, %d contacts\n",
                   method_names[method], tac_vec3_distance(sum, tac_vec3(0.0, 0.0, weight)) / weight,
                   tac_vec3_norm(moment) / (weight * EDGE), apart, tac_vec3_norm(body->frame.linear),
                   world->contacts.count);
    /* Laws hold to 1e-10 m at a step's end: that moves it there by this force. */
    double solved = 4.0 * 1e-10 * c.inertia.mass / (period * period);
    ck_assert_double_lt(tac_vec3_distance(sum, tac_vec3(0.0, 0.0, weight)), solved);
    ck_assert_double_lt(tac_vec3_norm(moment), solved * EDGE);
    if (method == TAC_METHOD_SIGNORINI) ck_assert_double_lt(apart, 1e-8); /* the solver's tolerance is 1e-10 m */
    ck_assert_double_lt(tac_vec3_norm(body->frame.linear), 5e-7);
    ck_assert_str_eq(tac_world_body_kind_name(world, tac_world_body(world, 0)), "corotational");
  }
}

/* ---- the quasi-rigid limit ---- */

enum { FEET = 5 };
/* Vertices of the mesh on its lower face, in units of EDGE / 4 from its middle: no two alike. */
static const int feet[FEET][2] = {{-2, -2}, {2, -1}, {-1, 2}, {2, 2}, {1, -2}};

static tacVec3 foot_at(int i) {
  return tac_vec3(0.25 * EDGE * feet[i][0], 0.25 * EDGE * feet[i][1], 0.0);
}

/* Forces of the feet on a floor without friction. Of five, equilibrium (force and two moments) leaves two open; that
 * they stand on one plane decides: C f + a + b x + c y = 0, from the whole solid's inertia relief, by Gaussian
 * elimination. Returns how far its middle sinks, -a. */
static double expect_feet(const Cube *c, double weight, double *forces) {
  enum { N = FEET + 3 };
  const tacVolMesh *mesh = c->block.volume;
  const tacSolid solid = {.mesh = mesh, .material_count = 1, .materials = &c->block.material};
  size_t size = 3 * (size_t)mesh->vertex_count;
  double *u = calloc(FEET * size, sizeof *u), matrix[N * N] = {0.0}, x[N] = {0.0};
  int vertex[FEET], pivot[N];
  for (int i = 0; i < FEET; ++i) {
    vertex[i] = -1;
    for (int v = 0; v < mesh->vertex_count; ++v)
      if (tac_vec3_distance(mesh->vertices[v], foot_at(i)) < 1e-9) vertex[i] = v;
    ck_assert_int_ge(vertex[i], 0);
    u[(size_t)i * size + 3 * (size_t)vertex[i] + 2] = 1.0;
  }
  tacInertiaRelief *relief = tac_test_made(tacInertiaRelief *, tac_inertia_relief_create(&solid, NULL, &made, &error));
  tac_test_ok(tac_inertia_relief_solve(relief, FEET, u, u, &error), error);
  double scale = u[3 * (size_t)vertex[0] + 2];
  tacDense dense = {N, N, N, matrix};
  for (int i = 0; i < FEET; ++i) {
    const double plane[3] = {1.0, feet[i][0], feet[i][1]};
    for (int j = 0; j < FEET; ++j)
      tac_dense_column(&dense, j)[i] = u[(size_t)j * size + 3 * (size_t)vertex[i] + 2] / scale;
    for (int k = 0; k < 3; ++k)
      tac_dense_column(&dense, FEET + k)[i] = tac_dense_column(&dense, i)[FEET + k] = plane[k];
  }
  x[FEET] = weight; /* about the middle, above which the centre of mass is */
  ck_assert(tac_dense_loop_lu(&dense, pivot));
  tac_dense_loop_lu_solve(&dense, pivot, x);
  memcpy(forces, x, FEET * sizeof *forces);
  tac_inertia_relief_destroy(relief);
  free(u);
  return -scale * x[FEET];
}

/* A rigid body on five feet has no one answer to what each bears. A corotational one has, however stiff it is and
 * however it came to stand there; the stiffer, the less it sinks. */
TAC_TEST(forces_on_many_feet_are_unique) {
  Cube c = make_cube();
  tacVec3 places[FEET];
  for (int i = 0; i < FEET; ++i) places[i] = foot_at(i);
  TAC_OWN(tacPointshell, shell) = make_points(FEET, places, tac_vec3(0.0, 0.0, -1.0), 1e-4);
  double weight = c.inertia.mass * G, wanted[FEET], sunk[2] = {0.0, 0.0};
  double sinks = expect_feet(&c, weight, wanted);
  for (int i = 0; i < FEET; ++i) ck_assert_double_gt(wanted[i], 0.02 * weight); /* all of them stand */
  for (int how = 0; how < 4; ++how) {
    double stiffness = how & 1 ? 1e3 : 1.0, worst = 0.0;
    tacQuat turn = tac_quat_from_axis_angle(tac_vec3(how & 2 ? 0.6 : 0.0, how & 2 ? -0.8 : 1.0, 0.0), 0.02);
    TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_SIGNORINI, 1);
    tacGreenBodyDef def = def_of(&c, "stool");
    def.shell = shell;
    def.stiffness = stiffness;
    def.body.gravity = tac_vec3(0.0, 0.0, -G);
    def.body.pose = (tacPose){{0.0, 0.0, 0.002}, {turn.w, turn.x, turn.y, turn.z}}; /* one foot comes first */
    tac_test_ok(tac_world_add_green(world, &def, NULL, &error), error);
    tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, 0.0}, &error), error);
    seal(world);
    run(world, 2000);
    ck_assert_int_eq(world->contacts.count, FEET);
    for (int i = 0; i < FEET; ++i) {
      const tacSetContact *k = &world->contacts.list[i];
      tacVec3 at = tac_frame_from_world(&world->bodies[0].frame, k->at);
      for (int j = 0; j < FEET; ++j)
        if (hypot(at.x - foot_at(j).x, at.y - foot_at(j).y) < 1e-5)
          worst = fmax(worst, fabs(k->force.z - wanted[j]) / weight);
    }
    sunk[how & 1] = -world->bodies[0].frame.position.z;
    tac_test_print("feet, stiffness %g, fell %d: forces off by %.1e of the weight; sunk %g m\n", stiffness, how >> 1,
                   worst, sunk[how & 1]);
    /* The weight's lever is as much longer as it tilts: the answer is linear up to that. */
    ck_assert_double_lt(worst, sunk[how & 1] / EDGE + 4.0 * 1e-10 / (period * period * G));
    ck_assert_double_eq_tol(sunk[how & 1], sinks / stiffness, 0.01 * sinks / stiffness + 2e-10);
  }
}

/* ---- two bodies ---- */

/* Between the floor and a plate of ten times its weight: what comes from above goes through, with its own weight. */
TAC_TEST(a_squeezed_cube_transmits_the_load) {
  Cube c = make_cube();
  for (int method = 0; method < 2; ++method) {
    tacBox box = {{-0.5 * EDGE, -0.5 * EDGE, EDGE}, {0.5 * EDGE, 0.5 * EDGE, 1.5 * EDGE}};
    TAC_OWN(tacTriMesh, mesh) = make_box(box, 4);
    TAC_OWN(tacDistanceField, field) = NULL;
    tacRigidBodyDef plate = tac_rigid_body_def_default();
    tac_test_ok(tac_distance_field_box(box, &field, &error), error);
    TAC_OWN(tacWorld, world) = make_world_with((tacContactMethod)method, 1);
    tacGreenBodyDef def = def_of(&c, "cube");
    def.stiffness = 10.0;
    def.body.gravity = plate.body.gravity = tac_vec3(0.0, 0.0, -G);
    plate.body.name = "plate";
    plate.surface = mesh;
    plate.field = field;
    plate.body.free = true;
    plate.inertia = inertia_of(mesh, 20.0 * c.block.material.density);
    tac_test_ok(tac_world_add_green(world, &def, NULL, &error), error);
    tac_test_ok(tac_world_add_rigid(world, &plate, NULL, &error), error);
    tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, 0.5}, &error), error);
    seal(world);
    run(world, 2000);
    double weight = plate.inertia.mass * G, all = weight + c.inertia.mass * G;
    double above = contact_forces(world, 1).z, floor = contact_forces(world, 0).z + above;
    tac_test_print("squeezed, %s: floor %.1e, plate %.1e off; %.1e and %.1e m/s\n", method_names[method],
                   floor / all - 1.0, above / weight - 1.0, tac_vec3_norm(world->bodies[0].frame.linear),
                   tac_vec3_norm(world->bodies[1].frame.linear));
    ck_assert_double_eq_tol(floor, all, 1e-3 * all);
    ck_assert_double_eq_tol(above, weight, 1e-3 * weight);
  }
}

/* W is gathered from compliances that are kept from step to step: those of a body whose stiffness was changed are asked for again. */
TAC_TEST(a_change_of_stiffness_is_seen_at_once) {
  Cube c = make_cube();
  TAC_OWN(tacWorld, world) = on_slope(&c, TAC_METHOD_SIGNORINI, 0.0, 0.5, 1.0, 0.0);
  static double soft[9 * 64 * 64], stiff[9 * 64 * 64];
  run(world, 300);
  tac_world_delassus(world, 64, soft);
  run(world, 1);
  int count = tac_world_delassus(world, 64, soft);
  ck_assert_int_gt(count, 3);
  tac_test_ok(tac_world_set_parameter(world, tac_world_find_parameter(world, "cube.stiffness"), 2.0, &error), error);
  run(world, 1);
  ck_assert_int_eq(tac_world_delassus(world, 64, stiff), count);
  /* What is left of W_nn when the stiffness is doubled: C / 2 is gone of it, and C is more than a tenth of it. */
  for (int i = 0; i < count; ++i) {
    int at = 3 * i * (3 * count + 1);
    ck_assert_double_lt(stiff[at], 0.95 * soft[at]);
  }
}
