/* Exact laws look at the whole surface: what rests is borne by its load alone, however many points the bodies have. */
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "physics/few_points.h"
#include "step_world.h"
#include "world/make_defs.h"
#include "world/make_shell.h"
#include "world/world_interpenetration.h"
#include "world/world_parts.h"

static const double radius = 0.02, stiffness = 1000.0, load = 3.0; /* m, N/m, N */
static const tacBox slab = {{-0.06, -0.05, -0.02}, {0.06, 0.05, 0.0}};

typedef enum Points { SLAB, BALL } Points;

/* A grid of points on the upper face of the slab; the golden spiral on the ball. */
static tacPointshell *make_covering(Points of, int count) {
  tacVec3 *at = tac_test_alloc((size_t)count * sizeof *at);
  int side = (int)ceil(sqrt(count));
  for (int i = 0; i < count; ++i) {
    double u = (i % side + 0.5) / side, v = (i / side + 0.5) / side;
    double z = 1.0 - (2.0 * i + 1.0) / count, r = sqrt(1.0 - z * z), turn = 2.399963229728653 * i;
    at[i] = of == SLAB ? tac_vec3(slab.lower.x + 0.12 * u, slab.lower.y + 0.1 * v, 0.0)
                       : tac_vec3(radius * r * cos(turn), radius * r * sin(turn), radius * z);
  }
  double area = of == SLAB ? 2.0 * (0.12 * 0.1 + 0.12 * 0.02 + 0.1 * 0.02) : 4.0 * 3.141592653589793 * radius * radius;
  return make_points(count, at, tac_vec3(0.0, 0.0, 1.0), area / count); /* each stands for a part of all */
}

/* A ball in the hand comes down on a slab at 0.2 m/s and is pressed with 3 N where points of neither are below it. */
static void press(Points of, int count, double friction) {
  TAC_OWN(tacTriMesh, surface) = make_box_surface(slab);
  TAC_OWN(tacTriMesh, round) = make_sphere(tac_vec3(0.0, 0.0, 0.0), radius, 12, 24);
  TAC_OWN(tacPointshell, shell) = make_covering(of, count);
  TAC_CREATE(tacDistanceField, box, tac_distance_field_box(slab, &box, &error));
  TAC_CREATE(tacDistanceField, ball, tac_distance_field_sphere(tac_vec3(0.0, 0.0, 0.0), radius, &ball, &error));
  tacWorldDef world_def = tac_world_def_default();
  TAC_CREATE(tacWorld, world, tac_world_create(&world_def, &world, &error));
  tacRigidBodyDef below = rigid_def("slab", surface, of == SLAB ? shell : NULL, box);
  tacRigidBodyDef above = rigid_def("ball", round, of == BALL ? shell : NULL, ball);
  tacVec3 start = {0.0123, -0.0071, radius + 0.002};
  above.body.pose.position = start;
  tacBodyId slab_id = tac_test_made(tacBodyId, tac_world_add_rigid(world, &below, &made, &error));
  tacBodyId ball_id = tac_test_made(tacBodyId, tac_world_add_rigid(world, &above, &made, &error));
  tacBodyToolDef tool = tac_body_tool_def_default();
  tool.name = "hand";
  tool.body = ball_id;
  tool.stiffness = stiffness;
  tac_test_ok(tac_world_add_body_tool(world, &tool, NULL, &error), error);
  tacPairDef pair = tac_pair_def_default();
  pair.points = of == SLAB ? slab_id : ball_id;
  pair.field = of == SLAB ? ball_id : slab_id;
  pair.method = TAC_METHOD_SIGNORINI;
  pair.friction = friction;
  tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  tacToolInput input = {.position = start, .orientation = {1.0, 0.0, 0.0, 0.0}};
  tacToolOutput output = {0};
  int saturated = 0;
  for (int tick = 0; tick < 1000; ++tick) {
    input.position.z = fmax(start.z - 2e-4 * tick, radius - load / stiffness);
    saturated += step_world(world, &input, &output).saturated;
  }
  tac_test_print("%s with %d points, mu %g: (%.3g, %.3g, %.9f) N, %d ticks saturated\n", of == SLAB ? "slab" : "ball",
                 count, friction, output.force.x, output.force.y, output.force.z, saturated);
  /* Points of a ball are as far inside it as chords are, and the lowest is so much higher than the ball. */
  double sag = of == BALL ? stiffness * radius * 8.0 / count : 0.0, exact = 1e-6;
  ck_assert_double_eq_tol(output.force.x, 0.0, exact);
  ck_assert_double_eq_tol(output.force.y, 0.0, exact);
  ck_assert_double_ge(output.force.z, load - exact - sag);
  ck_assert_double_le(output.force.z, load + exact);
  ck_assert_int_eq(saturated, 0);
}

TAC_TEST(a_ball_on_a_slab_feels_its_load) {
  static const int counts[] = {4, 500, 4000, 16000, 100000, 1000000};
  for (int i = 0; i < (tac_test_all() ? 6 : tac_test_light() ? 3 : 5); ++i)
    for (int of = SLAB; of <= BALL; ++of)
      for (int rubs = 0; rubs < 2; ++rubs) {
        if (of == BALL && counts[i] < 500) continue;
        press((Points)of, counts[i], rubs ? 0.3 : 0.0);
      }
}

/* A thin plate is thrown at another, anyhow turned and spinning, at up to 20 m/s: it meets it by its edges and corners, too, and does not pass. Where
 * points alone are met, a corner between them slips in, and what is in by half is let go on to the far side. */
TAC_TEST(thin_plates_do_not_pass_through_each_other) {
  static const tacBox wide = {{-0.1, -0.1, -0.0005}, {0.1, 0.1, 0.0005}},
                      small = {{-0.02, -0.02, -0.0005}, {0.02, 0.02, 0.0005}};
  TAC_OWN(tacTriMesh, below) = make_box_surface(wide);
  TAC_OWN(tacTriMesh, above) = make_box_surface(small);
  TAC_CREATE(tacDistanceField, of_below, tac_distance_field_box(wide, &of_below, &error));
  TAC_CREATE(tacDistanceField, of_above, tac_distance_field_box(small, &of_above, &error));
  tacRandom random = tac_random_seed(5);
  int passed = 0, met = 0;
  for (int trial = 0; trial < (tac_test_all() ? 200 : 40); ++trial) {
    tacWorldDef world_def = tac_world_def_default();
    world_def.method = TAC_METHOD_SIGNORINI;
    TAC_CREATE(tacWorld, world, tac_world_create(&world_def, &world, &error));
    tacRigidBodyDef rests = rigid_def("wide", below, NULL, of_below), flies = rigid_def("small", above, NULL, of_above);
    flies.body.free = true;
    flies.inertia =
        (tacInertia){.mass = 3.2e-3, .moments = {{4.3e-7, 0.0, 0.0}, {0.0, 4.3e-7, 0.0}, {0.0, 0.0, 8.5e-7}}};
    flies.body.pose.position = tac_vec3(0.01, 0.01, 0.05);
    double number[5];
    for (int i = 0; i < 5; ++i) number[i] = tac_random_uniform(&random, -1.0, 1.0);
    tacQuat turn = tac_quat_from_rotation_vector(tac_vec3(3.0 * number[0], 3.0 * number[1], 3.0 * number[2]));
    flies.body.pose.orientation[0] = turn.w;
    flies.body.pose.orientation[1] = turn.x;
    flies.body.pose.orientation[2] = turn.y;
    flies.body.pose.orientation[3] = turn.z;
    double speed = 0.5 * pow(40.0, tac_random_uniform(&random, 0.0, 1.0));
    flies.body.velocity = tac_vec3(0.0, 0.0, -speed);
    flies.body.spin = tac_vec3(40.0 * number[3], 40.0 * number[4], 0.0);
    tac_test_ok(tac_world_add_rigid(world, &rests, NULL, &error), error);
    tac_test_ok(tac_world_add_rigid(world, &flies, NULL, &error), error);
    tac_test_ok(tac_world_seal(world, &error), error);
    for (int tick = 0; tick < 200; ++tick) {
      step_world(world, NULL, NULL);
      tacVec3 at = world->bodies[1].frame.position;
      if (at.z < 0.0 && fmax(fabs(at.x), fabs(at.y)) < wide.upper.x) {
        ++passed;
        break;
      }
    }
    met += world->contacts.count > 0;
  }
  tac_test_print("%d of the plates passed\n", passed);
  ck_assert_int_gt(met, 0);
  ck_assert_int_eq(passed, 0);
}

TAC_OWNED_TYPE(tacWorldInterpenetration, tac_world_interpenetration_destroy)

/* m: how deep two bodies truly are in each other. */
static double depth_of(const tacWorld *world, tacWorldInterpenetration *within) {
  double state[64];
  tacSeenWithin seen;
  ck_assert_int_le(tac_world_state_size(world), 64);
  tac_world_state(world, state);
  const tacSnapshot snapshot = {.state = state};
  tac_test_ok(tac_world_interpenetration_at(within, &snapshot, &seen, &error), error);
  return seen.count > 0 ? seen.bodies[0].is.depth : 0.0;
}

/* A box that lies on its edge, and another that falls on that with its own edge, across: the edges meet in their middles, where neither
 * has a point. By points alone they are 3 mm in each other. */
TAC_TEST(edges_of_boxes_do_not_cross) {
  static const tacBox cube = {{-0.02, -0.02, -0.02}, {0.02, 0.02, 0.02}};
  const double edge = 0.02 * sqrt(2.0), gap = 0.005; /* m: of the middle above an edge; between the two */
  const tacQuat turn[2] = {tac_quat_from_rotation_vector(tac_vec3(M_PI / 4.0, 0.0, 0.0)),
                           tac_quat_from_rotation_vector(tac_vec3(0.0, M_PI / 4.0, 0.0))};
  TAC_OWN(tacTriMesh, mesh) = make_box_surface(cube);
  TAC_CREATE(tacDistanceField, field, tac_distance_field_box(cube, &field, &error));
  tacWorldDef world_def = tac_world_def_default();
  world_def.method = TAC_METHOD_SIGNORINI;
  TAC_CREATE(tacWorld, world, tac_world_create(&world_def, &world, &error));
  for (int b = 0; b < 2; ++b) {
    tacRigidBodyDef box = rigid_def(b == 0 ? "below" : "above", mesh, NULL, field);
    box.body.pose.position = b == 0 ? tac_vec3(0.0, 0.0, 0.0) : tac_vec3(0.0033, 0.0021, 2.0 * edge + gap);
    tac_quat_put(turn[b], box.body.pose.orientation);
    box.body.free = b == 1;
    box.body.gravity = tac_vec3(0.0, 0.0, -9.81);
    box.body.friction = 0.0;
    box.inertia = (tacInertia){.mass = 0.064, .moments = {{1.7e-5, 0.0, 0.0}, {0.0, 1.7e-5, 0.0}, {0.0, 0.0, 1.7e-5}}};
    tac_test_ok(tac_world_add_rigid(world, &box, NULL, &error), error);
  }
  tac_test_ok(tac_world_seal(world, &error), error);
  TAC_CREATE(tacWorldInterpenetration, within, tac_world_interpenetration_create(world, &within, &error));
  double deepest = 0.0, lowest = INFINITY;
  for (int tick = 0; tick < 200; ++tick) {
    step_world(world, NULL, NULL);
    lowest = fmin(lowest, world->bodies[1].frame.position.z);
    deepest = fmax(deepest, depth_of(world, within));
  }
  tac_test_print("edges of boxes: %.3g mm deep\n", 1e3 * deepest);
  ck_assert_double_lt(lowest, 2.0 * edge + 1e-4); /* it has fallen so far */
  ck_assert_double_lt(deepest, 1e-5);
}
