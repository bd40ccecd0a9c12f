/* Rigid bodies, and others that slide or are hit by them, against closed forms. */
#include "kinds/green/green_kind.h"
#include "physics/few_points.h"
#include "physics/small_bodies.h"
#include "physics/stepped_world.h"
#include "world/world_parts.h"

#define G 9.81
static const double pi = 3.14159265358979324, period = 1e-3;
static const char *const method_names[2] = {"penalty", "signorini"};

/* A rod that a point tool has grabbed at one end: T = 2 pi sqrt(J / (m g d)), J about the end, for small swings. */
TAC_TEST(a_grabbed_body_swings_as_a_pendulum) {
  TAC_OWN(tacTriMesh, mesh) = make_box((tacBox){{-0.01, -0.01, -0.16}, {0.01, 0.01, 0.0}}, 8);
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_PENALTY, 1);
  tacRigidBodyDef def = rigid_def("rod", mesh, NULL, NULL);
  double angle = 0.1, most = 0.0;
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), angle);
  def.body.free = true;
  def.inertia = inertia_of(mesh, 1000.0);
  def.body.touch_stiffness = 1e5;
  def.body.touch_damping = 0.0;
  def.body.gravity = tac_vec3(0.0, 0.0, -G);
  tac_quat_put(turn, def.body.pose.orientation);
  tac_test_ok(tac_world_add_rigid(world, &def, NULL, &error), error);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
  seal(world);
  double d = -def.inertia.centre.z, j = def.inertia.moments[1][1] + def.inertia.mass * d * d;
  double wanted = 2.0 * pi * sqrt(j / (def.inertia.mass * G * d)) * (1.0 + angle * angle / 16.0);
  const tacFrame *frame = &world->bodies[0].frame;
  tacToolInput in = {.position = {0.0, 0.0, 0.0}, .orientation = {1.0, 0.0, 0.0, 0.0}, .grab = true};
  tacToolOutput out;
  double before = 0.0, first = -1.0, last = -1.0;
  int crossings = 0;
  for (int tick = 0; tick < 3000; ++tick) {
    step_world(world, &in, &out);
    ck_assert_int_eq(out.contact.state, TAC_CONTACT_GRABBED);
    most = fmax(most, tac_vec3_norm(out.proxy));
    double x = tac_frame_about(frame).x;
    if (tick > 0 && (x > 0.0) != (before > 0.0)) {
      last = (tick - x / (x - before)) * period;
      if (crossings++ == 0) first = last;
    }
    before = x;
  }
  ck_assert_int_ge(crossings, 6);
  double measured = 2.0 * (last - first) / (crossings - 1);
  tac_test_print("pendulum: %g s, wanted %g s, %.2f %%\n", measured, wanted, 100.0 * (measured / wanted - 1.0));
  ck_assert_double_eq_tol(measured, wanted, 0.01 * wanted);
  ck_assert_double_lt(most, 1e-4); /* where it hangs */
}

/* ---- a ball on a slope ---- */

typedef struct Ball {
  double radius;
  tacTriMesh *mesh;
  tacDistanceField *field;
  tacRigidBodyDef def;
} Ball;

static Ball make_ball(double radius, double density, tacVec3 centre, tacVec3 gravity) {
  const tacVec3 middle = {0.0, 0.0, 0.0};
  Ball b = {.radius = radius};
  b.mesh = tac_test_keep(make_sphere(middle, radius, 12, 24), tac_trimesh_destroy);
  b.field = tac_test_kept(tacDistanceField, tac_distance_field_sphere(middle, radius, &made, &error));
  double mass = 4.0 / 3.0 * pi * radius * radius * radius * density, j = 0.4 * mass * radius * radius;
  b.def = tac_rigid_body_def_default();
  b.def.body.name = "ball";
  b.def.surface = b.mesh;
  b.def.field = b.field;
  b.def.body.free = true;
  b.def.body.pose.position = centre;
  b.def.inertia = (tacInertia){mass, {0.0, 0.0, 0.0}, {{j, 0.0, 0.0}, {0.0, j, 0.0}, {0.0, 0.0, j}}};
  b.def.body.gravity = gravity;
  return b;
}

/* A slope of `angle` is a plane z = 0 with gravity turned, of points every 0.2 mm: between two of them the ball
 * sinks by 0.03 um. The ball rolls with 5/7 g sin(angle) where friction suffices: tan(angle) < 7/2 mu; else it
 * slides with g (sin(angle) - mu cos(angle)), and turns with 5/2 mu g cos(angle) / R. */
TAC_TEST(a_ball_rolls_or_slides_down) {
  const double angle = 20.0 * pi / 180.0, radius = 0.2;
  TAC_OWN(tacTriMesh, ground) = make_box((tacBox){{-0.01, -0.01, -0.01}, {0.1, 0.01, 0.0}}, 2);
  tacVec3 along[500];
  for (int i = 0; i < 500; ++i) along[i] = tac_vec3(2e-4 * i - 0.005, 0.0, 0.0);
  TAC_OWN(tacPointshell, rail) = make_points(500, along, tac_vec3(0.0, 0.0, 1.0), 4e-8);
  for (int how = 0; how < 4; ++how) {
    bool rolls = how & 1;
    double friction = rolls ? 0.5 : 0.05;
    ck_assert(rolls == (tan(angle) < 3.5 * friction));
    tacContactMethod method = how & 2 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
    Ball ball = make_ball(radius, 1000.0, tac_vec3(0.0, 0.0, radius), tac_vec3(G * sin(angle), 0.0, -G * cos(angle)));
    TAC_OWN(tacWorld, world) = make_world_with(method, 1);
    tacRigidBodyDef slope = rigid_def("slope", ground, rail, NULL);
    tacPairDef pair = tac_pair_def_default();
    tac_test_ok(tac_world_add_rigid(world, &slope, &pair.points, &error), error);
    tac_test_ok(tac_world_add_rigid(world, &ball.def, &pair.field, &error), error);
    pair.friction = friction;
    pair.stiffness = 1e7;
    pair.method = method;
    tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
    seal(world);
    const tacFrame *frame = &world->bodies[1].frame;
    run(world, 50);
    double speed = frame->linear.x, spin = frame->angular.y;
    run(world, 180);
    double a = (frame->linear.x - speed) / (180 * period), w = (frame->angular.y - spin) / (180 * period);
    double wanted = rolls ? 5.0 / 7.0 * G * sin(angle) : G * (sin(angle) - friction * cos(angle));
    double turns = rolls ? wanted / radius : 2.5 * friction * G * cos(angle) / radius;
    tac_test_print("ball %s, %s: %g m/s^2, wanted %g, %.2f %%; %g rad/s^2, wanted %g, %.2f %%\n",
                   rolls ? "rolls" : "slides", method_names[method], a, wanted, 100.0 * (a / wanted - 1.0), w, turns,
                   100.0 * (w / turns - 1.0));
    ck_assert_double_eq_tol(a, wanted, 0.03 * wanted);
    ck_assert_double_eq_tol(w, turns, 0.03 * turns);
    if (rolls) ck_assert_double_eq_tol(frame->linear.x, radius * frame->angular.y, 0.01 * frame->linear.x);
  }
}

/* ---- a block on a plane ---- */

/* A held cube that a hand presses on a plane and drags, at the height where it rubs: at 0.98 mu N it stays, and
 * however far the hand goes on it feels mu N. */
TAC_TEST(a_held_block_slides_at_mu_n) {
  SmallBodies s = make_small_bodies();
  TAC_OWN(tacDistanceField, plane) = NULL;
  TAC_OWN(tacTriMesh, ground) = make_box((tacBox){{-0.5, -0.5, -0.01}, {0.5, 0.5, 0.0}}, 2);
  tac_test_ok(tac_distance_field_plane(tac_vec3(0.0, 0.0, 1.0), 0.0, &plane, &error), error);
  for (int how = 0; how < 4; ++how) {
    bool soft = how & 2;
    tacContactMethod method = (tacContactMethod)(how & 1);
    if (soft && tac_test_light()) continue;
    const double mu = 0.4;
    TAC_OWN(tacWorld, world) = make_world_with(method, 1);
    tacPairDef pair = tac_pair_def_default();
    tacBodyToolDef tool = tac_body_tool_def_default();
    /* The anchored face of a soft one is on top. */
    tacQuat turn = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.5 * pi);
    Cube block = cube_of(soft ? REDUCED : RIGID, "block");
    block.body.pose = (tacPose){{0.0, 0.0, EDGE}, {turn.w, turn.x, turn.y, turn.z}};
    pair.points = add_cube(world, &s, &block);
    tacRigidBodyDef below = rigid_def("ground", ground, NULL, plane);
    tac_test_ok(tac_world_add_rigid(world, &below, &pair.field, &error), error);
    pair.friction = mu;
    pair.stiffness = 400.0;
    pair.method = method;
    tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
    tool.name = "hand";
    tool.body = pair.points;
    tool.grasp = tac_vec3(EDGE, 0.5 * EDGE, 0.5 * EDGE);
    tool.turn_stiffness = 5.0;
    tac_test_ok(tac_world_add_body_tool(world, &tool, NULL, &error), error);
    seal(world);
    tacToolInput in = {.position = tac_frame_about(&world->bodies[0].frame), .orientation = {1.0, 0.0, 0.0, 0.0}};
    tacToolOutput out;
    tacVec3 start = in.position;
    for (int i = 0; i < 600; ++i) {
      in.position.z = start.z - (soft ? 0.0005 : 0.002) * fmin(1.0, i / 300.0);
      step_world(world, &in, &out);
    }
    /* Along the normal it stays as it is; the hand goes on until it feels 0.98 mu N, and waits. */
    for (int i = 0; i < 4000 && -out.force.x < 0.98 * mu * out.force.z; ++i) {
      in.position.x += 1e-6;
      step_world(world, &in, &out);
    }
    for (int i = 0; i < 300; ++i) step_world(world, &in, &out); /* what is soft comes to rest */
    double force = -out.force.x / (mu * out.force.z), at = out.proxy.x;
    for (int i = 0; i < 500; ++i) step_world(world, &in, &out);
    double kept = -out.force.x / (mu * out.force.z), crept = out.proxy.x - at;
    for (int i = 0; i < 4000; ++i) {
      in.position.x += 2e-6;
      step_world(world, &in, &out);
    }
    double sliding = -out.force.x / (mu * out.force.z), went = out.proxy.x - at;
    tac_test_print("held %s block, %s: N %g, waits at %.4f then %.4f mu N, crept %g m; sliding %.4f mu N, went %g m\n",
                   soft ? "reduced" : "rigid", method_names[method], out.force.z, force, kept, crept, sliding, went);
    ck_assert_double_gt(force, 0.95);
    ck_assert_double_eq_tol(kept, force, 0.002);
    ck_assert_double_lt(fabs(crept), 1e-7);
    ck_assert_double_eq_tol(sliding, 1.0, 0.02);
    ck_assert_double_gt(went, 5e-3);
  }
}

/* ---- impact ---- */

/* Dropped from the height H on a floor, a ball comes up again to e^2 H, by Newton's law of impact; with its
 * points it may get a spin there. Its energy never grows, in any tick. In steps of h heights are known to some v h. */
TAC_TEST(balls_rebound) {
  const double coefficients[] = {0.0, 0.3, 0.7, 1.0}, radius = 0.02, height = 0.3;
  for (int k = 0; k < 4; ++k) {
    double e = coefficients[k], top = 0.0, before = INFINITY;
    tacWorldDef def = tac_world_def_default();
    def.method = TAC_METHOD_SIGNORINI;
    def.laws.restitution = e;
    Ball ball = make_ball(radius, 1000.0, tac_vec3(0.0, 0.0, radius + height), tac_vec3(0.0, 0.0, -G));
    TAC_OWN(tacWorld, world) = make_world_of(&def);
    tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, e < 1.0 ? 0.5 : 0.0}, &error), error);
    tac_test_ok(tac_world_add_rigid(world, &ball.def, NULL, &error), error);
    seal(world);
    const tacFrame *frame = &world->bodies[0].frame;
    bool fell = true;
    int bounces = 0;
    for (int tick = 0; tick < 3000 && bounces < 5; ++tick) {
      run(world, 1);
      bool falls = frame->linear.z < 0.0;
      double energy = ball.def.inertia.mass * (G * frame->position.z + 0.5 * tac_vec3_norm2(frame->linear)) +
                      0.5 * ball.def.inertia.moments[0][0] * tac_vec3_norm2(frame->angular);
      ck_assert_double_le(energy,
                          before + 1e-7 * ball.def.inertia.mass * G * height); /* what rests sways by nanometres */
      before = energy;
      double above = frame->position.z - radius;
      if (falls && !fell && top > 1e-4) {
        tac_test_print("e %g: %g m\n", e, top);
        if (bounces == 0) ck_assert_double_eq_tol(top, e * e * height, 0.02 * height);
        top = 0.0;
        ++bounces;
      }
      if (!falls) top = fmax(top, above);
      fell = falls;
    }
    if (e == 0.0) {
      ck_assert_int_eq(bounces, 0);
      ck_assert_double_lt(fabs(frame->position.z - radius), 1e-3); /* it has points every millimetre or two */
    }
  }
}

/* ---- a block on a compliant body ---- */

/* It is dropped on three points of a cube that is fixed below, and cannot tilt, since its moments are huge. It comes to rest where
 * all three are as deep: d (1^T (C + e)^-1 1) = m g, with e = 1 / k by penalty and none by the laws. */
TAC_TEST(a_dropped_block_rests_at_its_weights_depth) {
  Block block = make_block(make_bricks((tacBox){{0.0, 0.0, 0.0}, {EDGE, EDGE, EDGE}}, 4, 4, 4), at_bottom, 5e4, 0.3);
  TAC_OWN(tacGreen, green) = bake_block(&block, 0, NULL);
  tacVec3 top = tac_vec3(0.5 * EDGE, 0.5 * EDGE, EDGE), up = tac_vec3(0.0, 0.0, 1.0);
  tacVec3 positions[3];
  for (int i = 0; i < 3; ++i)
    positions[i] = tac_vec3_add(top, tac_vec3(0.006 * cos(2.0944 * i), 0.006 * sin(2.0944 * i), 0.0));
  TAC_OWN(tacPointshell, three) = make_points(3, positions, up, 1e-6);
  tacBox box = {{-0.012, -0.012, 0.0}, {0.012, 0.012, 0.01}};
  TAC_OWN(tacTriMesh, mesh) = make_box(box, 2);
  TAC_CREATE(tacDistanceField, field, tac_distance_field_box(box, &field, &error));
  for (int method = 0; method < 2; ++method) {
    TAC_OWN(tacWorld, world) = make_world_with((tacContactMethod)method, 1);
    tacPairDef pair = tac_pair_def_default();
    tacGreenBodyDef def = green_def("cushion", green);
    tacRigidBodyDef weight = rigid_def("block", mesh, NULL, field);
    def.mask_radius = 0.008;
    def.shell = three;
    tac_test_ok(tac_world_add_green(world, &def, &pair.points, &error), error);
    weight.body.free = true;
    weight.body.pose.position = tac_vec3_mad(top, 0.001, up);
    weight.inertia = (tacInertia){0.03, {0.0, 0.0, 0.005}, {{1e3, 0.0, 0.0}, {0.0, 1e3, 0.0}, {0.0, 0.0, 1e3}}};
    weight.body.gravity = tac_vec3(0.0, 0.0, -G);
    tac_test_ok(tac_world_add_rigid(world, &weight, &pair.field, &error), error);
    pair.stiffness = 2000.0;
    pair.method = (tacContactMethod)method;
    tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
    seal(world);
    run(world, 3000);
    const tacWorldBody *cushion = &world->bodies[0];
    tacMat3 give = tac_mat3_diagonal(0.0, 0.0, 0.0), stiff;
    for (int i = 0; i < 9; ++i) {
      tacSurfacePoint at, by;
      tacMat3 c;
      tac_proximity_distance(&cushion->fingers.proximity, positions[i / 3], &at);
      tac_proximity_distance(&cushion->fingers.proximity, positions[i % 3], &by);
      ck_assert(tac_green_body_compliance(tac_green_kind_body(&cushion->body), at, by, &c));
      give.m[i / 3][i % 3] = c.m[2][2] + (i % 4 == 0 && method == TAC_METHOD_PENALTY ? 1.0 / pair.stiffness : 0.0);
    }
    ck_assert(tac_mat3_inverse(give, &stiff));
    tacVec3 ones = tac_vec3(1.0, 1.0, 1.0);
    double wanted = weight.inertia.mass * G / tac_vec3_dot(ones, tac_mat3_mul_vec(stiff, ones));
    double depth = top.z - world->bodies[1].frame.position.z;
    tac_test_print("block of %g N, %s: %g m deep, wanted %g, %.4f %%; %g m/s\n", weight.inertia.mass * G,
                   method_names[method], depth, wanted, 100.0 * (depth / wanted - 1.0),
                   tac_vec3_norm(world->bodies[1].frame.linear));
    ck_assert_double_eq_tol(depth, wanted, 1e-3 * wanted);
    ck_assert_double_lt(tac_vec3_norm(world->bodies[1].frame.linear), 1e-4);
  }
}

/* ---- point tools ---- */

/* A block on the floor that a finger pushes from the side, near the floor: below mu m g it stays, above it goes
 * until the finger's spring has no more than that. */
TAC_TEST(a_finger_moves_a_block_with_more_than_mu_n) {
  SmallBodies s = make_small_bodies();
  const double mu = 0.5, weight = s.inertia.mass * G;
  for (int how = 0; how < 4; ++how) {
    bool moves = how & 1;
    tacContactMethod method = how & 2 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
    TAC_OWN(tacWorld, world) = make_world_with(method, 1);
    Cube block = cube_of(RIGID, "block");
    block.body.free = block.bare = true;
    block.body.gravity = tac_vec3(0.0, 0.0, -G);
    add_cube(world, &s, &block);
    tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, mu}, &error), error);
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
    seal(world);
    tacToolInput in = {.position = {-0.002, 0.5 * EDGE, 0.25 * EDGE}, .orientation = {1.0, 0.0, 0.0, 0.0}};
    tacToolOutput out;
    for (int i = 0; i < 300; ++i) step_world(world, &in, &out);
    double from = tac_frame_about(&world->bodies[0].frame).x;
    double depth = (moves ? 1.3 : 0.95) * mu * weight / block.body.touch_stiffness;
    for (int i = 0; i < 2000; ++i) {
      in.position.x = -0.002 + (0.002 + depth) * fmin(1.0, i / 1000.0);
      step_world(world, &in, &out);
    }
    double way = tac_frame_about(&world->bodies[0].frame).x - from, force = -out.force.x / (mu * weight);
    tac_test_print("finger, %s: moved by %g m, %g mu N\n", method_names[method], way, force);
    if (moves)
      ck_assert_double_gt(way, 0.2 * mu * weight / block.body.touch_stiffness);
    else
      ck_assert_double_lt(fabs(way), 5e-5);
    ck_assert_double_lt(force, 1.02);
    if (!moves) ck_assert_double_eq_tol(force, 0.95, 0.05);
  }
}
