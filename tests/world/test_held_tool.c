/* Tools that hold bodies. */
#include "kinds/reduced/reduced_kind.h"
#include "kinds/rigid/rigid_kind.h"
#include "world/pair_bench.h"
#include "world/world_parts.h"

static tacToolInput input_at(tacVec3 at) {
  return (tacToolInput){.position = at, .orientation = {1.0, 0.0, 0.0, 0.0}};
}

/* Inputs that are refused leave the device where it was, and at rest. */
TAC_TEST(rejected_input_stops_the_device) {
  Bench b = make_bench();
  b.tool.coupling = TAC_COUPLING_DYNAMIC;
  TAC_OWN(tacWorld, world) = block_world(&b);
  tacVec3 at = tac_vec3(0.0, 0.0, HALF + 0.05);
  tacTickReport report;
  tacToolOutput out;
  for (int i = 0; i < 100; ++i) {
    at.x += 5e-4; /* 0.5 m/s */
    step(world, at, tac_quat_identity(), &report);
  }
  for (int i = 0; i < 500; ++i) {
    tacToolInput bad = input_at(tac_vec3(NAN, 0.0, 0.0));
    tac_world_step(world, &bad, &out, &report);
    ck_assert_int_eq(report.refused, 1);
  }
  ck_assert_double_lt(tac_vec3_distance(out.proxy, at), 1e-6);
  ck_assert_double_lt(tac_vec3_norm(out.force), 1e-3);
}

/* A body that a dynamic coupling leads has a mass, and gives back what it was given to quicken it. */
TAC_TEST(dynamically_coupled_body_stores_kinetic_energy) {
  const double speed = 0.5;
  for (int dynamic = 0; dynamic < 2; ++dynamic) {
    Bench b = make_bench();
    b.tool.coupling = dynamic ? TAC_COUPLING_DYNAMIC : TAC_COUPLING_STATIC;
    TAC_OWN(tacWorld, world) = block_world(&b);
    tacVec3 at = tac_vec3(0.0, 0.0, HALF + 0.05);
    for (int i = 0; i < 1000; ++i) {
      at.x += speed * tac_world_period(world);
      step(world, at, tac_quat_identity(), NULL);
    }
    double held = dynamic ? 0.5 * b.tool.mass * speed * speed : 0.0;
    ck_assert_double_eq_tol(tac_world_tool_stored(world, 0), held, 1e-3 * held + 1e-15);
  }
}

/* A lifted tool leaves its body where it is and feels nothing; when it comes down elsewhere, its body comes to it, and what is felt
 * comes without a jump. */
TAC_TEST(lifted_tool_leaves_its_body_at_rest) {
  Bench b = make_bench();
  b.tool.speed_most = 0.05;
  TAC_OWN(tacWorld, world) = block_world(&b);
  const tacVec3 start = tac_vec3(0.0, 0.0, HALF + 0.05), away = tac_vec3(0.01, 0.0, HALF + 0.05);
  tacTickReport report;
  tacToolOutput out;
  for (int i = 0; i < 2000; ++i) step(world, start, tac_quat_identity(), &report);
  for (int i = 0; i < 50; ++i) {
    tacToolInput lifted = input_at(tac_vec3_mix(start, away, i / 49.0));
    lifted.lifted = true;
    tac_world_step(world, &lifted, &out, &report);
    ck_assert_double_eq_tol(tac_vec3_distance(out.proxy, start), 0.0, 1e-6);
    ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
  }
  double before = 0.0, largest = 0.0;
  for (int i = 0; i < 1000; ++i) {
    out = step(world, away, tac_quat_identity(), &report);
    double force = tac_vec3_norm(out.force);
    ck_assert_double_le(force - before, 0.02);
    largest = fmax(largest, force);
    before = force;
  }
  ck_assert_double_gt(largest, 0.1);
  ck_assert_double_eq_tol(tac_vec3_distance(out.proxy, away), 0.0, 1e-5);
}

/* A tool with a reach takes hold where its button is pressed near the body, as both are then: nothing jumps. Let go, the body rests, and a
 * press out of reach takes nothing. */
TAC_TEST(button_grabs_and_releases_the_body) {
  Bench b = make_bench();
  b.tool.reach = 0.01;
  TAC_OWN(tacWorld, world) = block_world(&b);
  const tacVec3 start = tac_frame_about(&world->bodies[world->tools[0].held.body].frame);
  const tacVec3 beside = tac_vec3_add(start, tac_vec3(HALF + 0.005, 0.0, 0.0));
  const tacVec3 far = tac_vec3_add(start, tac_vec3(HALF + 0.03, 0.0, 0.0)), way = tac_vec3(0.0, 0.02, 0.01);
  const tacQuat askew = tac_quat_from_rotation_vector(tac_vec3(0.0, 0.3, 0.0));
  tacToolOutput out;
  tacToolInput in = {.position = far, .orientation = {askew.w, askew.x, askew.y, askew.z}, .grab = true};
  for (int i = 0; i < 50; ++i) { /* out of reach; and coming near with the button pressed is no press */
    in.position = tac_vec3_mix(far, beside, i / 49.0);
    step_world(world, &in, &out);
    ck_assert_double_lt(tac_vec3_distance(out.proxy, start), 1e-12);
    ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
  }
  in.grab = false;
  step_world(world, &in, &out);
  in.grab = true;
  for (int i = 0; i < 400; ++i) { /* taken: it stays as it is while the hand does */
    step_world(world, &in, &out);
    ck_assert_double_lt(tac_vec3_distance(out.proxy, start), 1e-9);
    ck_assert_double_lt(tac_vec3_norm(out.force), 1e-6);
  }
  for (int i = 0; i < 1000; ++i) {
    in.position = tac_vec3_mad(beside, i / 999.0, way);
    step_world(world, &in, &out);
  }
  for (int i = 0; i < 1000; ++i) step_world(world, &in, &out);
  ck_assert_double_lt(tac_vec3_distance(out.proxy, tac_vec3_add(start, way)), 1e-5);
  in.grab = false;
  for (int i = 0; i < 100; ++i) { /* let go */
    in.position = tac_vec3_mad(in.position, 1e-3, tac_vec3(1.0, 0.0, 0.0));
    step_world(world, &in, &out);
    ck_assert_double_lt(tac_vec3_distance(out.proxy, tac_vec3_add(start, way)), 1e-5);
    ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
  }
}

/* Two blocks in two hands: couplings and contact in series, and each hand feels the other's push. */
TAC_TEST(two_held_bodies_press_each_other) {
  Bench b = make_bench();
  TAC_OWN(tacWorld, world) = begin(0.0);
  const tacVec3 lower = tac_vec3(0.0, 0.0, 0.0), upper = tac_vec3(0.0, 0.0, 2.0 * HALF + 0.001);
  tacBodyId one = add_rigid(world, "one", b.block, b.shell, NULL, upper);
  tacBodyId two = add_rigid(world, "two", b.block, NULL, b.box, lower);
  pair_up(world, &b, one, two);
  b.tool.body = two;
  b.tool.name = "other";
  tac_test_ok(tac_world_add_body_tool(world, &b.tool, NULL, &error), error);
  b.tool.name = "hand";
  hold(world, &b, one);                                                                    /* tool 1 */
  double depth = 0.004, full = b.pair.full_count, contact = K * full * cbrt(256.0 / full); /* 256 points share */
  double together = 1.0 / (1.0 / contact + 2.0 / COUPLING);
  tacToolOutput out[2];
  for (int i = 1; i <= 300; ++i) {
    double way = fmin(1.0, i / 100.0) * (depth + 0.001);
    tacToolInput inputs[2] = {input_at(tac_vec3_add(lower, tac_vec3(0.0, 0.0, 0.5 * way))),
                              input_at(tac_vec3_sub(upper, tac_vec3(0.0, 0.0, 0.5 * way)))};
    step_world(world, inputs, out);
  }
  ck_assert_double_eq_tol(out[1].force.z, together * depth, 0.01 * together * depth);
  ck_assert_double_eq_tol(out[0].force.z, -out[1].force.z, 1e-6);
  ck_assert_int_eq((int)out[0].contact.body, 0);
  ck_assert_int_eq((int)out[1].contact.body, 1);
  ck_assert_double_eq_tol(out[0].contact.force.z, out[1].force.z, 1e-3 * out[1].force.z); /* on the upper block */
  ck_assert_double_lt(out[0].contact.normal.z, -0.99);                                    /* its outer side */
  ck_assert_double_gt(out[1].contact.normal.z, 0.99);
}

/* A beam of 160 mm along x that a hand holds at its thick end over the plane. */
static tacWorld *beam_world(Bench *b, const tacReduced *beam, const tacPointshell *shell, tacVec3 position) {
  tacWorld *world = begin(0.0);
  tacReducedBodyDef def = reduced_def("beam", beam, shell);
  def.mass_damping = 10.0;
  def.stiffness_damping = 0.005;
  def.body.pose.position = position;
  tacBodyId id = add_reduced(world, &def);
  tacBodyId ground = add_rigid(world, "ground", b->ground, NULL, b->plane, tac_vec3(0.0, 0.0, 0.0));
  pair_up(world, b, id, ground);
  hold(world, b, id);
  return world;
}

/* Forces on a held body that bends: the hand feels what the plane pushes, force and torque, at the places where it pushes, and
 * the shape is the same wherever the body was carried before. Lifted it rests, bent as it is, and the hand feels nothing. */
TAC_TEST(held_body_bends_under_the_hand_force) {
  Bench b = make_bench();
  b.tool.turn_stiffness = 5.0;
  TAC_OWN(tacReduced, beam) = brick_beam_reduced(8, 2, 2, 0.02, false, 4, 8);
  TAC_OWN(tacPointshell, shell) = embedded_shell(beam, tac_vec3(0.16, 0.04, 0.04));
  tacVec3 start = tac_vec3(0.0, 0.0, 0.01);
  TAC_OWN(tacWorld, world) = beam_world(&b, beam, shell, start);
  tacQuat tilt = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.15); /* its tip down */
  tacReducedBody *body = tac_reduced_kind_body(&world->bodies[0].body);
  double bent[2][8], angle = 0.0;
  for (int run = 0; run < 2; ++run) {
    /* The second time it is first turned half round in the air, and comes down elsewhere. */
    tacVec3 over = tac_vec3(run * 0.3, run * -0.2, 0.05), down = tac_vec3_sub(over, tac_vec3(0.0, 0.0, 0.038));
    tacTickReport report;
    tacToolOutput out;
    double turned = run * 2.5;
    for (int i = 1; i <= 500; ++i) {
      angle = turned * i / 500;
      tacQuat about = tac_quat_from_axis_angle(tac_vec3(0.0, 0.0, 1.0), angle);
      step(world, tac_vec3_mix(start, over, i / 500.0),
           tac_quat_mul(about, tac_quat_slerp(tac_quat_identity(), tilt, i / 500.0)), &report);
    }
    tacQuat turn = tac_quat_mul(tac_quat_from_axis_angle(tac_vec3(0.0, 0.0, 1.0), angle), tilt);
    for (int i = 1; i <= 2000; ++i) out = step(world, tac_vec3_mix(over, down, fmin(1.0, i / 500.0)), turn, &report);
    memcpy(bent[run], tac_reduced_body_q(body), sizeof bent[run]);
    ck_assert_int_gt(report.points, 3);
    ck_assert_double_gt(out.force.z, 0.05);
    ck_assert_double_eq_tol(out.contact.force.z, -out.force.z, 1e-3 * out.force.z);
    tacVec3 arm = tac_vec3_cross(tac_vec3_sub(out.contact.at, out.proxy), tac_vec3_scale(-1.0, out.contact.force));
    ck_assert_double_lt(tac_vec3_distance(arm, out.torque), 1e-2 * tac_vec3_norm(arm));
    /* Lifted: the hand goes, the body stays. */
    tacToolInput input = input_at(tac_vec3_add(down, tac_vec3(0.0, 0.0, 0.1)));
    input.lifted = true;
    tacToolOutput left;
    for (int i = 0; i < 50; ++i) tac_world_step(world, &input, &left, &report);
    ck_assert_double_eq(tac_vec3_norm(left.force) + tac_vec3_norm(left.torque), 0.0);
    ck_assert_double_eq(tac_vec3_distance(left.proxy, out.proxy), 0.0);
    for (int j = 0; j < 8; ++j) ck_assert_double_eq_tol(tac_reduced_body_q(body)[j], bent[run][j], 1e-6);
    tac_world_reset(world);
  }
  double size = 0.0, apart = 0.0;
  for (int j = 0; j < 8; ++j) {
    size += bent[0][j] * bent[0][j];
    apart += pow(bent[0][j] - bent[1][j], 2.0);
  }
  ck_assert_double_lt(sqrt(apart), 1e-3 * sqrt(size));
}

/* A solid ball's moments about its middle, moved to the grasp. */
TAC_TEST(dynamic_coupling_uses_body_inertia_or_a_ball) {
  Bench b = make_bench();
  b.tool.mass = 0.3;
  b.tool.grasp = tac_vec3(0.0, 0.0, 0.1);
  tacRigidBodyDef def = tac_rigid_body_def_default();
  def.surface = b.block;
  tacBody body = tac_test_made(tacBody, tac_rigid_kind_create(&def, &made, &error));
  tacCouplingDef c = tac_held_body_coupling(&b.tool, &body);
  double ball = 0.4 * 0.3 * 3.0 * HALF * HALF;
  ck_assert_double_eq_tol(c.inertia.m[2][2], ball, 1e-9 * ball);
  ck_assert_double_eq_tol(c.inertia.m[0][0], ball + 0.3 * 0.01, 1e-9);
  ck_assert_double_eq_tol(c.inertia.m[0][1], 0.0, 1e-12);
  ck_assert_double_eq_tol(tac_vec3_distance(c.centre, tac_vec3(0.0, 0.0, -0.1)), 0.0, 1e-12);
  body.table->destroy(body.self);
  /* A body that has a mass has its own. */
  def.inertia = (tacInertia){0.2, {0.0, 0.0, 0.05}, {{1e-4, 0.0, 0.0}, {0.0, 2e-4, 0.0}, {0.0, 0.0, 3e-4}}};
  tac_test_ok(tac_rigid_kind_create(&def, &body, &error), error);
  c = tac_held_body_coupling(&b.tool, &body);
  ck_assert_double_eq(c.mass, 0.2);
  ck_assert_double_eq_tol(c.inertia.m[0][0], 1e-4 + 0.2 * 0.0025, 1e-12);
  ck_assert_double_eq_tol(c.inertia.m[2][2], 3e-4, 1e-12);
  body.table->destroy(body.self);
}

/* A coupling of at most 2 N gives the body all of a force up to 1 N: pressed into the ground with 0.8 N it is not saturated, with 4 N it
 * is, in the tool's output and in the report. */
TAC_TEST(saturated_coupling_is_reported) {
  Bench b = make_bench();
  b.tool.force_most = 2.0;
  b.tool.torque_most = 2.0;
  TAC_OWN(tacWorld, world) = block_world(&b);
  tacTickReport report;
  for (int k = 0; k < 2; ++k) {
    tacToolOutput out;
    double depth = (k == 0 ? 0.8 : 4.0) / COUPLING;
    tac_world_reset(world);
    for (int i = 0; i < 400; ++i)
      out = step(world, tac_vec3(0.0, 0.0, HALF - depth * fmin(1.0, i / 200.0)), tac_quat_identity(), &report);
    ck_assert_int_eq(out.saturated, k == 1);
    ck_assert_int_eq(report.coupling_saturated, k);
  }
}

/* Ticks have no room for the contacts of one held body with seven others: that is told, and does not happen with one. */
TAC_TEST(contacts_without_room_are_reported) {
  for (int others = 1; others <= 7; others += 6) {
    Bench b = make_bench();
    tacWorldDef def = tac_world_def_default();
    def.simulate_every = 10;
    TAC_OWN(tacWorld, world) = tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
    tacBodyId block = add_rigid(world, "block", b.block, b.shell, NULL, tac_vec3(0.0, 0.0, HALF + 0.001));
    b.pair.method = TAC_METHOD_SIGNORINI;
    for (int i = 0; i < others; ++i) {
      char name[16];
      snprintf(name, sizeof name, "ground %d", i);
      pair_up(world, &b, block, add_rigid(world, name, b.ground, NULL, b.plane, tac_vec3(0.0, 0.0, 0.0)));
    }
    hold(world, &b, block);
    int most, told = 0;
    for (int i = 0; i < 100; ++i) {
      tacTickReport report;
      step(world, tac_vec3(0.0, 0.0, HALF - 0.001), tac_quat_identity(), &report);
      if (report.taken) told = report.saturated > told ? report.saturated : told;
    }
    int64_t steps = tac_world_left_out(world, &most);
    ck_assert_int_eq(steps > 0, others > 1);
    ck_assert_int_eq(most, told);
    tac_world_reset(world);
    ck_assert_int_eq((int)tac_world_left_out(world, NULL), 0);
  }
}
