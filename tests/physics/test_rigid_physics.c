/* Rigid bodies, and others that slide or are hit by them, against closed forms. */
#include <tactus/green.h>
#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include <tactus/trimesh.h>
#include "kinds/green/green_kind.h"
#include "mesh/make_mesh.h"
#include "physics/small_bodies.h"
#include "physics/stepped_world.h"
#include "world/world_parts.h"

static tacError error;

#define G 9.81
static const double pi = 3.14159265358979324, period = 1e-3;
static const char *const method_names[2] = {"penalty", "signorini"};

/* Positions of implicit Euler's method, x' = x + h v', v' = v + h g, are x0 + n h v0 + n (n + 1) / 2 h^2 g; a spin
 * about a principal axis stays. */
TAC_TEST(what_is_thrown_flies_in_a_parabola) {
  TAC_OWN(tacTriMesh, mesh) = make_box((tacBox){{0.0, 0.0, 0.0}, {0.04, 0.02, 0.03}}, 2);
  TAC_OWN(tacWorld, world) = make_world_by(TAC_METHOD_PENALTY);
  tacRigidBodyDef def = tac_rigid_body_def_default();
  def.body.name = "stone";
  def.surface = mesh;
  def.body.free = true;
  def.inertia = inertia_of(mesh, 2000.0);
  def.body.velocity = tac_vec3(1.0, 0.5, 2.0);
  def.body.spin = tac_vec3(0.0, 20.0, 0.0);
  def.body.gravity = tac_vec3(0.0, 0.0, -G);
  tac_test_ok(tac_world_add_rigid(world, &def, NULL, &error), error);
  seal(world);
  const tacFrame *frame = &world->bodies[0].frame;
  tacVec3 start = tac_frame_about(frame);
  const int n = 500;
  run(world, n);
  tacVec3 there = tac_vec3_mad(start, n * period, def.body.velocity);
  there = tac_vec3_mad(there, 0.5 * n * (n + 1.0) * period * period, def.body.gravity);
  ck_assert_double_lt(tac_vec3_distance(tac_frame_about(frame), there), 1e-11);
  ck_assert_double_lt(tac_vec3_distance(frame->angular, def.body.spin), 1e-9);
}

/* A rod that a point tool has grabbed at one end: T = 2 pi sqrt(J / (m g d)), J about the end, for small swings. */
TAC_TEST(what_is_grabbed_swings_as_a_pendulum) {
  TAC_OWN(tacTriMesh, mesh) = make_box((tacBox){{-0.01, -0.01, -0.16}, {0.01, 0.01, 0.0}}, 8);
  TAC_OWN(tacWorld, world) = make_world_by(TAC_METHOD_PENALTY);
  tacRigidBodyDef def = tac_rigid_body_def_default();
  double angle = 0.1, most = 0.0;
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), angle);
  def.body.name = "rod";
  def.surface = mesh;
  def.body.free = true;
  def.inertia = inertia_of(mesh, 1000.0);
  def.body.touch_stiffness = 1e5;
  def.body.touch_damping = 0.0;
  def.body.gravity = tac_vec3(0.0, 0.0, -G);
  memcpy(def.body.pose.orientation, (double[4]){turn.w, turn.x, turn.y, turn.z}, sizeof def.body.pose.orientation);
  tac_test_ok(tac_world_add_rigid(world, &def, NULL, &error), error);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){"finger"}, NULL, &error), error);
  seal(world);
  double d = -def.inertia.centre.z, j = def.inertia.moments[1][1] + def.inertia.mass * d * d;
  double wanted = 2.0 * pi * sqrt(j / (def.inertia.mass * G * d)) * (1.0 + angle * angle / 16.0);
  const tacFrame *frame = &world->bodies[0].frame;
  tacToolInput in = {.position = {0.0, 0.0, 0.0}, .orientation = {1.0, 0.0, 0.0, 0.0}, .grab = true};
  tacToolOutput out;
  tacTickReport report;
  double before = 0.0, first = -1.0, last = -1.0;
  int crossings = 0;
  for (int tick = 0; tick < 3000; ++tick) {
    tac_world_step(world, &in, &out, &report);
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
  tac_test_tell("pendulum: %g s, wanted %g s, %.2f %%\n", measured, wanted, 100.0 * (measured / wanted - 1.0));
  ck_assert_double_eq_tol(measured, wanted, 0.01 * wanted);
  ck_assert_double_lt(most, 1e-4); /* where it hangs */
}

/* ---- a ball on a slope ---- */

/* Points on a line along x. */
static tacPointshell *make_rail(int count, double spacing, double first) {
  TAC_MEMORY(tacVec3, positions) = calloc((size_t)count, sizeof *positions);
  TAC_MEMORY(tacVec3, normals) = calloc((size_t)count, sizeof *normals);
  TAC_MEMORY(int, level_of) = calloc((size_t)count, sizeof *level_of);
  TAC_MEMORY(double, areas) = calloc((size_t)count, sizeof *areas);
  for (int i = 0; i < count; ++i) {
    positions[i] = tac_vec3(first + spacing * i, 0.0, 0.0);
    normals[i] = tac_vec3(0.0, 0.0, 1.0);
    areas[i] = spacing * spacing;
  }
  tacPointshellParts parts = {.point_count = count,
                              .level_count = 1,
                              .positions = positions,
                              .normals = normals,
                              .level_of = level_of,
                              .areas = areas};
  tacPointshell *shell = NULL;
  tac_test_ok(tac_pointshell_create(&parts, NULL, &shell, &error), error);
  return shell;
}

typedef struct Ball {
  double radius;
  tacTriMesh *mesh;
  tacDistanceField *field;
  tacRigidBodyDef def;
} Ball;

static Ball make_ball(double radius, double density, tacVec3 centre, tacVec3 gravity) {
  Ball b = {.radius = radius, .mesh = make_sphere(tac_vec3(0.0, 0.0, 0.0), radius, 12, 24)};
  tac_test_ok(tac_distance_field_sphere(tac_vec3(0.0, 0.0, 0.0), radius, &b.field, &error), error);
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

static void free_ball(Ball *b) {
  tac_trimesh_destroy(b->mesh);
  tac_distance_field_destroy(b->field);
}

/* A slope of `angle` is a plane z = 0 with gravity turned, of points every 0.2 mm: between two of them the ball
 * sinks by 0.03 um. The ball rolls with 5/7 g sin(angle) where friction suffices: tan(angle) < 7/2 mu; else it
 * slides with g (sin(angle) - mu cos(angle)), and turns with 5/2 mu g cos(angle) / R. */
TAC_TEST(a_ball_rolls_or_slides_down) {
  const double angle = 20.0 * pi / 180.0, radius = 0.2;
  TAC_OWN(tacTriMesh, ground) = make_box((tacBox){{-0.01, -0.01, -0.01}, {0.1, 0.01, 0.0}}, 2);
  TAC_OWN(tacPointshell, rail) = make_rail(500, 2e-4, -0.005);
  for (int how = 0; how < 4; ++how) {
    bool rolls = how & 1;
    double friction = rolls ? 0.5 : 0.05;
    ck_assert(rolls == (tan(angle) < 3.5 * friction));
    tacContactMethod method = how & 2 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
    TAC_FREED(free_ball, Ball, ball) =
        make_ball(radius, 1000.0, tac_vec3(0.0, 0.0, radius), tac_vec3(G * sin(angle), 0.0, -G * cos(angle)));
    TAC_OWN(tacWorld, world) = make_world_by(method);
    tacRigidBodyDef slope = tac_rigid_body_def_default();
    tacPairDef pair = tac_pair_def_default();
    slope.body.name = "slope";
    slope.surface = ground;
    slope.shell = rail;
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
    tac_test_tell("ball %s, %s: %g m/s^2, wanted %g, %.2f %%; %g rad/s^2, wanted %g, %.2f %%\n",
                  rolls ? "rolls" : "slides", method_names[method], a, wanted, 100.0 * (a / wanted - 1.0), w, turns,
                  100.0 * (w / turns - 1.0));
    ck_assert_double_eq_tol(a, wanted, 0.03 * wanted);
    ck_assert_double_eq_tol(w, turns, 0.03 * turns);
    if (rolls) ck_assert_double_eq_tol(frame->linear.x, radius * frame->angular.y, 0.01 * frame->linear.x);
  }
}

/* ---- blocks on a slope ---- */

/* Free cubes on the floor, gravity turned: with friction 2 % below tan(angle) they slide, 2 % above they do not. */
TAC_TEST(a_block_slides_when_the_slope_is_steeper_than_friction) {
  const double angle = 20.0 * pi / 180.0;
  TAC_FREED(free_small_bodies, SmallBodies, s) = make_small_bodies();
  for (int how = 0; how < 8; ++how) {
    bool slides = how & 1, soft = how & 4;
    if (soft && tac_test_light()) continue;
    tacContactMethod method = how & 2 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
    double friction = (slides ? 0.98 : 1.02) * tan(angle);
    tacVec3 gravity = tac_vec3(G * sin(angle), 0.0, -G * cos(angle));
    TAC_OWN(tacWorld, world) = make_world_by(method);
    if (soft) {
      tacReducedBodyDef def = tac_reduced_body_def_default();
      def.body.name = "block";
      def.reduced = s.loose;
      def.field = s.loose_field;
      def.body.gravity = gravity;
      def.beta_stiffness = 0.005;
      tac_test_ok(tac_world_add_reduced(world, &def, NULL, &error), error);
    } else {
      tacRigidBodyDef def = tac_rigid_body_def_default();
      def.body.name = "block";
      def.surface = tac_reduced_surface(s.loose);
      def.field = s.field;
      def.body.free = true;
      def.inertia = s.inertia;
      def.body.gravity = gravity;
      tac_test_ok(tac_world_add_rigid(world, &def, NULL, &error), error);
    }
    tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, friction}, &error), error);
    seal(world);
    const tacFrame *frame = &world->bodies[0].frame;
    run(world, 500);
    double from = tac_frame_about(frame).x, speed = frame->linear.x;
    run(world, 500);
    double way = tac_frame_about(frame).x - from, a = (frame->linear.x - speed) / 0.5;
    double wanted = slides ? G * (sin(angle) - friction * cos(angle)) : 0.0;
    tac_test_tell("%s block, %s, mu = %.2f tan: %g m, %g m/s^2, wanted %g\n", soft ? "reduced" : "rigid",
                  method_names[method], friction / tan(angle), way, a, wanted);
    if (slides)
      ck_assert_double_gt(way, 0.5 * 0.5 * wanted * 0.25);
    else
      ck_assert_double_lt(fabs(way), 1e-7);
  }
}

/* A held cube that a hand presses on a plane and drags, at the height where it rubs: at 0.98 mu N it stays, and
 * however far the hand goes on it feels mu N. */
TAC_TEST(a_held_block_slides_at_mu_n) {
  TAC_FREED(free_small_bodies, SmallBodies, s) = make_small_bodies();
  TAC_OWN(tacDistanceField, plane) = NULL;
  TAC_OWN(tacTriMesh, ground) = make_box((tacBox){{-0.5, -0.5, -0.01}, {0.5, 0.5, 0.0}}, 2);
  tac_test_ok(tac_distance_field_plane(tac_vec3(0.0, 0.0, 1.0), 0.0, &plane, &error), error);
  for (int how = 0; how < 4; ++how) {
    bool soft = how & 2;
    tacContactMethod method = (tacContactMethod)(how & 1);
    if (soft && tac_test_light()) continue;
    const double mu = 0.4;
    TAC_OWN(tacWorld, world) = make_world_by(method);
    tacPairDef pair = tac_pair_def_default();
    tacBodyToolDef tool = tac_body_tool_def_default();
    /* The anchored face of a soft one is on top. */
    tacQuat turn = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.5 * pi);
    tacPose pose = {{0.0, 0.0, EDGE}, {turn.w, turn.x, turn.y, turn.z}};
    if (soft) {
      tacReducedBodyDef def = tac_reduced_body_def_default();
      def.body.name = "block";
      def.reduced = s.anchored;
      def.shell = s.anchored_shell;
      def.body.pose = pose;
      tac_test_ok(tac_world_add_reduced(world, &def, &pair.points, &error), error);
    } else {
      tacRigidBodyDef def = tac_rigid_body_def_default();
      def.body.name = "block";
      def.surface = tac_reduced_surface(s.loose);
      def.shell = s.shell;
      def.body.pose = pose;
      tac_test_ok(tac_world_add_rigid(world, &def, &pair.points, &error), error);
    }
    tacRigidBodyDef below = tac_rigid_body_def_default();
    below.body.name = "ground";
    below.surface = ground;
    below.field = plane;
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
    tacTickReport report;
    tacVec3 start = in.position;
    for (int i = 0; i < 600; ++i) {
      in.position.z = start.z - (soft ? 0.0005 : 0.002) * fmin(1.0, i / 300.0);
      tac_world_step(world, &in, &out, &report);
    }
    /* Along the normal it stays as it is; the hand goes on until it feels 0.98 mu N, and waits. */
    for (int i = 0; i < 4000 && -out.force.x < 0.98 * mu * out.force.z; ++i) {
      in.position.x += 1e-6;
      tac_world_step(world, &in, &out, &report);
    }
    for (int i = 0; i < 300; ++i) tac_world_step(world, &in, &out, &report); /* what is soft comes to rest */
    double force = -out.force.x / (mu * out.force.z), at = out.proxy.x;
    for (int i = 0; i < 500; ++i) tac_world_step(world, &in, &out, &report);
    double kept = -out.force.x / (mu * out.force.z), crept = out.proxy.x - at;
    for (int i = 0; i < 4000; ++i) {
      in.position.x += 2e-6;
      tac_world_step(world, &in, &out, &report);
    }
    double sliding = -out.force.x / (mu * out.force.z), went = out.proxy.x - at;
    tac_test_tell("held %s block, %s: N %g, waits at %.4f then %.4f mu N, crept %g m; sliding %.4f mu N, went %g m\n",
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
    TAC_FREED(free_ball, Ball, ball) =
        make_ball(radius, 1000.0, tac_vec3(0.0, 0.0, radius + height), tac_vec3(0.0, 0.0, -G));
    TAC_OWN(tacWorld, world) = NULL;
    def.method = TAC_METHOD_SIGNORINI;
    def.laws.restitution = e;
    tac_test_ok(tac_world_create(&def, &world, &error), error);
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
        tac_test_tell("e %g: %g m\n", e, top);
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
  TAC_FREED(free_block, Block, block) =
      make_block(make_bricks((tacBox){{0.0, 0.0, 0.0}, {EDGE, EDGE, EDGE}}, 4, 4, 4), at_bottom, 5e4, 0.3);
  TAC_OWN(tacGreen, green) = bake_block(&block, 0, NULL);
  TAC_OWN(tacPointshell, three) = NULL;
  tacVec3 top = tac_vec3(0.5 * EDGE, 0.5 * EDGE, EDGE), up = tac_vec3(0.0, 0.0, 1.0);
  tacVec3 positions[3], normals[3] = {up, up, up};
  for (int i = 0; i < 3; ++i)
    positions[i] = tac_vec3_add(top, tac_vec3(0.006 * cos(2.0944 * i), 0.006 * sin(2.0944 * i), 0.0));
  const double areas[3] = {1e-6, 1e-6, 1e-6};
  const int level_of[3] = {0};
  tacPointshellParts parts = {.point_count = 3,
                              .level_count = 1,
                              .positions = positions,
                              .normals = normals,
                              .level_of = level_of,
                              .areas = areas};
  tac_test_ok(tac_pointshell_create(&parts, NULL, &three, &error), error);
  tacBox box = {{-0.012, -0.012, 0.0}, {0.012, 0.012, 0.01}};
  TAC_OWN(tacTriMesh, mesh) = make_box(box, 2);
  TAC_OWN(tacDistanceField, field) = NULL;
  tac_test_ok(tac_distance_field_box(box, &field, &error), error);
  for (int method = 0; method < 2; ++method) {
    TAC_OWN(tacWorld, world) = make_world_by((tacContactMethod)method);
    tacPairDef pair = tac_pair_def_default();
    tacGreenBodyDef def = tac_green_body_def_default();
    tacRigidBodyDef weight = tac_rigid_body_def_default();
    def.body.name = "cushion";
    def.green = green;
    def.mask_radius = 0.008;
    def.shell = three;
    tac_test_ok(tac_world_add_green(world, &def, &pair.points, &error), error);
    weight.body.name = "block";
    weight.surface = mesh;
    weight.field = field;
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
      tac_proximity_distance(&cushion->proximity, positions[i / 3], &at);
      tac_proximity_distance(&cushion->proximity, positions[i % 3], &by);
      ck_assert(tac_green_body_compliance(tac_green_kind_body(&cushion->body), at, by, &c));
      give.m[i / 3][i % 3] = c.m[2][2] + (i % 4 == 0 && method == TAC_METHOD_PENALTY ? 1.0 / pair.stiffness : 0.0);
    }
    ck_assert(tac_mat3_inverse(give, &stiff));
    tacVec3 ones = tac_vec3(1.0, 1.0, 1.0);
    double wanted = weight.inertia.mass * G / tac_vec3_dot(ones, tac_mat3_mul_vec(stiff, ones));
    double depth = top.z - world->bodies[1].frame.position.z;
    tac_test_tell("block of %g N, %s: %g m deep, wanted %g, %.4f %%; %g m/s\n", weight.inertia.mass * G,
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
  TAC_FREED(free_small_bodies, SmallBodies, s) = make_small_bodies();
  const double mu = 0.5, weight = s.inertia.mass * G;
  for (int how = 0; how < 4; ++how) {
    bool moves = how & 1;
    tacContactMethod method = how & 2 ? TAC_METHOD_SIGNORINI : TAC_METHOD_PENALTY;
    TAC_OWN(tacWorld, world) = make_world_by(method);
    tacRigidBodyDef def = tac_rigid_body_def_default();
    def.body.name = "block";
    def.surface = tac_reduced_surface(s.loose);
    def.field = s.field;
    def.body.free = true;
    def.inertia = s.inertia;
    def.body.gravity = tac_vec3(0.0, 0.0, -G);
    tac_test_ok(tac_world_add_rigid(world, &def, NULL, &error), error);
    tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, mu}, &error), error);
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){"finger"}, NULL, &error), error);
    seal(world);
    tacToolInput in = {.position = {-0.002, 0.5 * EDGE, 0.25 * EDGE}, .orientation = {1.0, 0.0, 0.0, 0.0}};
    tacToolOutput out;
    tacTickReport report;
    for (int i = 0; i < 300; ++i) tac_world_step(world, &in, &out, &report);
    double from = tac_frame_about(&world->bodies[0].frame).x;
    double depth = (moves ? 1.3 : 0.95) * mu * weight / def.body.touch_stiffness;
    for (int i = 0; i < 2000; ++i) {
      in.position.x = -0.002 + (0.002 + depth) * fmin(1.0, i / 1000.0);
      tac_world_step(world, &in, &out, &report);
    }
    double way = tac_frame_about(&world->bodies[0].frame).x - from, force = -out.force.x / (mu * weight);
    tac_test_tell("finger, %s: moved by %g m, %g mu N\n", method_names[method], way, force);
    if (moves)
      ck_assert_double_gt(way, 0.2 * mu * weight / def.body.touch_stiffness);
    else
      ck_assert_double_lt(fabs(way), 5e-5);
    ck_assert_double_lt(force, 1.02);
    if (!moves) ck_assert_double_eq_tol(force, 0.95, 0.05);
  }
}
