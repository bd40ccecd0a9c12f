/* Pads that take hold of a body in a world, against direct capacitance solves and statics. */
#include <tactus/green.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "brick_beam.h"
#include "kinds/green/capacitance.h"
#include "step_world.h"
#include "world/make_defs.h"
#include "world/world.h"
#include "world/world_parts.h"

enum { NX = 4, NY = 4, NZ = 3, MOST_VERTICES = 200, BLEND = 20 };
static const double edge = 0.01;
static const tacVec3 zero = {0.0, 0.0, 0.0}, top = {0.02, 0.02, 0.03}, middle = {0.02, 0.02, 0.02};

/* ---- a block of bricks that stands on z = 0 ---- */

static tacGreen *green;

static void make_block(void) {
  TAC_OWN(tacVolMesh, mesh) = brick_beam_mesh(NX, NY, NZ, edge);
  TAC_OWN(tacTriMesh, surface) = NULL;
  bool fixed[MOST_VERTICES];
  tacMaterial material = tac_test_made(tacMaterial, tac_material_isotropic(1000.0, 5e4, 0.3, &made, &error));
  tac_test_ok(tac_volmesh_surface(mesh, &surface, NULL, NULL, &error), error);
  ck_assert_int_le(surface->vertex_count, MOST_VERTICES);
  for (int v = 0; v < surface->vertex_count; ++v) fixed[v] = surface->vertices[v].z < 0.5 * edge;
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem = (tacReferenceDef){.method = TAC_FINITE_ELEMENTS,
                                  .volume = mesh,
                                  .material_count = 1,
                                  .materials = &material,
                                  .fixed = fixed,
                                  .thread_count = 1};
  green = tac_test_kept(tacGreen, tac_green_bake(&def, NULL, &made, &error));
}
TAC_TEST_AROUND(make_block, NULL)

static tacPadToolDef one_pad(void) {
  tacPadToolDef def = tac_pad_tool_def_default();
  def.name = "pad";
  def.radius = 0.016;
  def.stiffness = 400.0;
  def.turn_stiffness = 0.3;
  return def;
}

/* Its pads are at the middles of the sides x = 0 and x = 4 edges. */
static tacPadToolDef gripper(void) {
  tacPadToolDef def = one_pad();
  def.name = "gripper";
  def.opening = NX * edge;
  return def;
}

static tacWorld *begin_at(tacPose pose, int simulate_every) {
  tacWorldDef def = tac_world_def_default();
  def.simulate_every = simulate_every;
  tacWorld *world = tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
  tacGreenBodyDef body = green_def("block", green);
  body.body.pose = pose;
  tac_test_ok(tac_world_add_green(world, &body, NULL, &error), error);
  return world;
}

static tacWorld *begin(void) {
  return begin_at((tacPose){.orientation = {1.0, 0.0, 0.0, 0.0}}, 1);
}

static tacWorld *make_world_at(tacPose pose, tacPadToolDef def, int simulate_every) {
  tacWorld *world = begin_at(pose, simulate_every);
  def.body = tac_world_body(world, 0);
  tac_test_ok(tac_world_add_pad_tool(world, &def, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

static tacWorld *make_world(tacPadToolDef def) {
  return make_world_at((tacPose){.orientation = {1.0, 0.0, 0.0, 0.0}}, def, 1);
}

static tacToolInput at(tacVec3 position, tacVec3 turn, bool grab) {
  tacQuat q = tac_quat_from_rotation_vector(turn);
  return (tacToolInput){.position = position, .orientation = {q.w, q.x, q.y, q.z}, .grab = grab};
}

static tacToolOutput step(tacWorld *world, tacToolInput input) {
  tacToolOutput output;
  tacTickReport report = step_world(world, &input, &output);
  ck_assert_int_eq(report.refused, 0);
  return output;
}

/* From rest at `start` by a motion, within the limits of speed, and then until nothing moves any more. */
static tacToolOutput pull(tacWorld *world, tacVec3 start, tacVec3 by, tacVec3 turn) {
  tacToolOutput output = {0};
  for (int i = 0; i < 3 * BLEND; ++i) output = step(world, at(start, zero, true));
  ck_assert_int_eq(output.contact.state, TAC_CONTACT_GRABBED);
  ck_assert_double_lt(tac_vec3_norm(output.force), 1e-9);
  for (int i = 1; i <= 50; ++i)
    output = step(world, at(tac_vec3_mad(start, i / 50.0, by), tac_vec3_scale(i / 50.0, turn), true));
  for (int i = 0; i < 150; ++i) output = step(world, at(tac_vec3_add(start, by), turn, true));
  return output;
}

/* Of vertices of the faces that pads are on, within their radius, moved rigidly with the proxy: what that takes,
 * with the arms of the deformed patch, about the proxy. */
static tacWrench direct(const tacPadToolDef *def, tacVec3 start, const tacToolOutput *output) {
  const tacTriMesh *mesh = tac_green_surface(green);
  tacWrench wrench = {zero, zero};
  int count = 0;
  TAC_CREATE(tacCapacitance, c, tac_capacitance_create(green, mesh->vertex_count, mesh->vertex_count, &c, &error));
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 x = mesh->vertices[v];
    bool near = tac_vec3_distance(x, start) <= def->radius && x.z > (NZ - 0.5) * edge;
    for (int side = -1; def->opening > 0.0 && side <= 1; side += 2) {
      tacVec3 centre = tac_vec3_add(start, tac_vec3(0.5 * side * def->opening, 0.0, 0.0));
      bool face = side < 0 ? x.x < 0.5 * edge : x.x > (NX - 0.5) * edge;
      near = side < 0 ? face && tac_vec3_distance(x, centre) <= def->radius
                      : near || (face && tac_vec3_distance(x, centre) <= def->radius);
    }
    if (!near) continue;
    tacVec3 y =
        tac_vec3_add(output->proxy, tac_quat_rotate(tac_quat_of(output->proxy_orientation), tac_vec3_sub(x, start)));
    ck_assert(tac_capacitance_switch(c, v) && tac_capacitance_prescribe(c, v, tac_vec3_sub(y, x)));
    ++count;
  }
  ck_assert_int_eq(count, def->opening > 0.0 ? 18 : 9);
  tacVec3 p[MOST_VERTICES];
  tac_capacitance_solve(c);
  tac_capacitance_at_switched(c, p);
  for (int i = 0; i < count; ++i) {
    int v = tac_capacitance_switched(c)[i];
    tacVec3 f = tac_vec3_scale(tac_green_area(green)[v], p[i]);
    tacVec3 arm = tac_quat_rotate(tac_quat_of(output->proxy_orientation), tac_vec3_sub(mesh->vertices[v], start));
    wrench.force = tac_vec3_add(wrench.force, f);
    wrench.torque = tac_vec3_add(wrench.torque, tac_vec3_cross(arm, f));
  }
  return wrench;
}

/* ---- force and torque ---- */

/* At rest: the hand feels what a direct solve at the pose of the pads takes, and the coupling is stretched by just
 * that. */
TAC_TEST(force_and_torque_are_those_of_the_capacitance_matrix) {
  for (int kind = 0; kind < 2; ++kind) {
    tacPadToolDef def = kind == 0 ? one_pad() : gripper();
    tacVec3 start = kind == 0 ? top : middle, by = {0.004, -0.003, 0.005}, turn = {0.15, -0.1, 0.3};
    TAC_OWN(tacWorld, world) = make_world(def);
    tacToolOutput output = pull(world, start, by, turn);
    tacWrench on_body = direct(&def, start, &output);
    ck_assert_double_gt(tac_vec3_norm(on_body.force), 0.1);
    ck_assert_double_gt(tac_vec3_norm(on_body.torque), 1e-3);
    ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(output.force, on_body.force)), 1e-9 * tac_vec3_norm(on_body.force));
    ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(output.torque, on_body.torque)),
                        1e-9 * tac_vec3_norm(on_body.torque));
    tacVec3 stretched = tac_vec3_sub(output.proxy, tac_vec3_add(start, by));
    ck_assert_double_lt(tac_vec3_distance(output.force, tac_vec3_scale(def.stiffness, stretched)),
                        1e-9 * tac_vec3_norm(output.force));
  }
}

/* A body that rests and has no motion of its own is held in every tick, be the steps of other bodies ever so long. */
TAC_TEST(pads_at_two_rates_are_those_of_one) {
  tacPose pose = {.orientation = {1.0, 0.0, 0.0, 0.0}};
  TAC_OWN(tacWorld, one) = make_world_at(pose, gripper(), 1);
  TAC_OWN(tacWorld, slow) = make_world_at(pose, gripper(), 10);
  tac_test_ok(tac_world_start_simulation(slow, &error), error);
  double most = 0.0;
  for (int i = 0; i < 200; ++i) {
    double way = i < 50 ? 0.0 : 2e-5 * (i - 50);
    tacToolInput input =
        at(tac_vec3_mad(middle, way, tac_vec3(1.0, -0.5, 1.0)), tac_vec3(0.0, 10.0 * way, 0.0), i < 150);
    tacToolOutput a = step(one, input), b = step(slow, input);
    ck_assert_mem_eq(&a, &b, sizeof a);
    most = fmax(most, tac_vec3_norm(a.force));
  }
  ck_assert_double_gt(most, 0.1);
}

/* Up along an axis of symmetry nothing turns: k K / (k + K) times the way, in every tick, while the hand moves. */
TAC_TEST(translation_is_two_springs_in_series_in_every_tick) {
  tacPadToolDef def = one_pad();
  tacToolOutput unit = {.proxy = tac_vec3_add(top, tac_vec3(0.0, 0.0, 1.0)), .proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
  double own = direct(&def, top, &unit).force.z, series = own * def.stiffness / (own + def.stiffness);
  TAC_OWN(tacWorld, world) = make_world(def);
  for (int i = 0; i < 3 * BLEND; ++i) step(world, at(top, zero, true));
  for (int i = 1; i <= 200; ++i) {
    double way = 5e-3 * sin(0.05 * i);
    tacToolOutput output = step(world, at(tac_vec3_add(top, tac_vec3(0.0, 0.0, way)), zero, true));
    ck_assert_double_eq_tol(output.force.z, -series * way, 1e-9 * series * 5e-3);
    ck_assert_double_eq_tol(output.proxy.z, top.z + way * series / own, 1e-11);
  }
}

/* The work of the hand round a closed loop with turns, by trapezoids, the second time round. What the pads lag
 * behind by, because one Newton step takes the secant of the coupling, brakes: that is above its gradient. It is
 * 7e-6 of what is exchanged. */
TAC_TEST(a_closed_loop_gives_no_energy) {
  for (int kind = 0; kind < 2; ++kind) {
    tacVec3 start = kind == 0 ? top : middle;
    TAC_OWN(tacWorld, world) = make_world(kind == 0 ? one_pad() : gripper());
    enum { LAP = 2000 };
    double work = 0.0, exchanged = 0.0;
    tacToolOutput last = {0};
    tacToolInput before = at(start, zero, true);
    for (int i = 0; i < 3 * BLEND; ++i) last = step(world, before);
    for (int i = 1; i <= 2 * LAP; ++i) {
      double a = 2.0 * 3.14159265358979323846 * i / LAP, s = fmin(1.0, (double)i / LAP);
      tacVec3 by = tac_vec3_scale(s, tac_vec3(4e-3 * sin(a), 3e-3 * (cos(a) - 1.0), 2e-3 * sin(2.0 * a)));
      tacVec3 turn = tac_vec3_scale(s, tac_vec3(0.2 * sin(a), 0.15 * sin(2.0 * a), 0.3 * (cos(a) - 1.0)));
      tacToolInput now = at(tac_vec3_add(start, by), turn, true);
      tacToolOutput output = step(world, now);
      tacVec3 way = tac_vec3_sub(now.position, before.position);
      tacVec3 angle = tac_quat_to_rotation_vector(
          tac_quat_mul(tac_quat_of(now.orientation), tac_quat_conjugate(tac_quat_of(before.orientation))));
      double power = -0.5 * (tac_vec3_dot(tac_vec3_add(output.force, last.force), way) +
                             tac_vec3_dot(tac_vec3_add(output.torque, last.torque), angle));
      if (i > LAP) work += power, exchanged += fabs(power);
      before = now;
      last = output;
    }
    ck_assert_double_gt(exchanged, 1e-3);
    ck_assert_msg(work >= -1e-7 * exchanged && work <= 1e-3 * exchanged, "%g J of %g J", work, exchanged);
  }
}

/* ---- letting go ---- */

/* With the hand at rest the force falls in equal parts over the ticks of the blend, none of them larger; then there
 * is none. */
TAC_TEST(release_leaves_no_force_and_causes_no_jump) {
  tacVec3 by = {0.003, 0.002, 0.004}, turn = {0.1, 0.0, 0.2};
  for (int kind = 0; kind < 2; ++kind) {
    tacVec3 start = kind == 0 ? top : middle;
    TAC_OWN(tacWorld, world) = make_world(kind == 0 ? one_pad() : gripper());
    tacToolOutput last = pull(world, start, by, turn);
    double force = tac_vec3_norm(last.force), torque = tac_vec3_norm(last.torque);
    ck_assert_double_gt(force, 0.1);
    for (int i = 0; i < 2 * BLEND; ++i) {
      tacToolOutput output = step(world, at(tac_vec3_add(start, by), turn, false));
      ck_assert_double_le(tac_vec3_distance(output.force, last.force), (1.0 + 1e-6) * force / BLEND);
      /* The lever to the pads, which stay, changes as the proxy goes back to the device. */
      double lever = tac_vec3_distance(output.proxy, last.proxy);
      ck_assert_double_le(tac_vec3_distance(output.torque, last.torque),
                          (1.0 + 1e-6) * torque / BLEND + 2.0 * lever * force);
      last = output;
    }
    ck_assert_int_eq(last.contact.state, TAC_CONTACT_NONE);
    ck_assert_double_eq(tac_vec3_norm(last.force) + tac_vec3_norm(last.torque), 0.0);
    ck_assert_double_eq(tac_vec3_distance(last.proxy, tac_vec3_add(start, by)), 0.0);
    /* Lifted, it is let go at once for the hand. */
    pull(world, start, by, turn);
    tacToolInput lifted = at(tac_vec3_add(start, by), turn, true);
    lifted.lifted = true;
    ck_assert_double_eq(tac_vec3_norm(step(world, lifted).force), 0.0);
    ck_assert_double_eq(tac_vec3_norm(step(world, at(start, turn, false)).force), 0.0);
    /* Pressed again before it has let go, it takes hold when it has. */
    for (int i = 0; i < 3 * BLEND; ++i) last = step(world, at(start, zero, true));
    ck_assert_int_eq(last.contact.state, TAC_CONTACT_GRABBED);
  }
}

/* The button takes hold of what is there when it goes down, and of nothing on the way. */
TAC_TEST(pad_grips_only_when_the_button_is_pressed) {
  TAC_OWN(tacWorld, world) = make_world(one_pad());
  tacVec3 far = tac_vec3_add(top, tac_vec3(0.0, 0.0, 0.05));
  tacToolOutput output = {0};
  for (int i = 0; i < 100; ++i) {
    output = step(world, at(tac_vec3_mix(far, tac_vec3_sub(top, tac_vec3(0.0, 0.0, 0.003)), i / 100.0), zero, true));
    ck_assert_int_eq(output.contact.state, TAC_CONTACT_NONE);
  }
  for (int i = 0; i < 5; ++i) output = step(world, at(top, zero, false));
  for (int i = 0; i < 5; ++i) output = step(world, at(top, zero, true));
  ck_assert_int_eq(output.contact.state, TAC_CONTACT_GRABBED);
}

/* A plate is felt from the surface inward, and never pulls: vertices leave it one tick after they came into tension,
 * four at a time, and with the tension that they have then. Nine have left in four ticks: no more is seen than what
 * the way of these makes. */
TAC_TEST(a_pad_that_presses_never_pulls) {
  tacPadToolDef def = one_pad();
  def.hold = TAC_PAD_PRESS;
  TAC_OWN(tacWorld, world) = make_world(def);
  double most = 0.0, rate = 2e-3 * 3.14159265358979323846;
  for (int i = 0; i < 2000; ++i) {
    double height = 4e-3 * cos(rate * i);
    tacToolOutput output = step(world, at(tac_vec3_add(top, tac_vec3(0.0, 0.0, height)), zero, false));
    most = fmax(most, output.force.z);
    ck_assert_double_ge(output.force.z, -4.0 * rate * most);
    if (height > 0.0 && i < 500) ck_assert_double_eq(tac_vec3_norm(output.force), 0.0);
    if (height < -1e-3) ck_assert_int_ne(output.contact.state, TAC_CONTACT_NONE);
  }
  ck_assert_double_gt(most, 0.3);
}

/* ---- what is shown ---- */

/* Held vertices are where the proxy has them, and the tractions there are the force on the body; the base is held
 * against it. */
TAC_TEST(the_deformed_body_is_in_the_state) {
  const tacTriMesh *mesh = tac_green_surface(green);
  tacPadToolDef def = gripper();
  TAC_OWN(tacWorld, world) = make_world(def);
  tacToolOutput output = pull(world, middle, tac_vec3(0.003, -0.002, 0.004), tac_vec3(0.1, 0.0, 0.2));
  TAC_MEMORY(double, state) = calloc((size_t)tac_world_state_size(world), sizeof *state);
  tacVec3 shown[MOST_VERTICES], tractions[MOST_VERTICES], force = zero, base = zero;
  tac_world_state(world, state);
  tacSnapshot snapshot = {.state = state, .tool_count = 1, .output[0] = output};
  tacBodyId id = tac_world_body(world, 0);
  tac_world_surface(world, &snapshot, id, shown);
  tac_world_tractions(world, &snapshot, id, tractions);
  int held = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 f = tac_vec3_scale(tac_green_area(green)[v], tractions[v]),
            *sum = tac_green_fixed(green)[v] ? &base : &force;
    *sum = tac_vec3_add(*sum, f);
    if (tac_green_fixed(green)[v]) ck_assert_double_eq(tac_vec3_distance(shown[v], mesh->vertices[v]), 0.0);
    if (tac_green_fixed(green)[v] || tac_vec3_norm(tractions[v]) == 0.0) continue;
    tacVec3 arm = tac_vec3_sub(mesh->vertices[v], middle);
    tacVec3 y = tac_vec3_add(output.proxy, tac_quat_rotate(tac_quat_of(output.proxy_orientation), arm));
    ck_assert_double_lt(tac_vec3_distance(shown[v], y), 1e-12);
    ++held;
  }
  ck_assert_int_eq(held, 18);
  ck_assert_double_lt(tac_vec3_distance(force, output.contact.force), 1e-10 * tac_vec3_norm(force));
  ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(force, base)), 1e-9 * tac_vec3_norm(force));
  /* A state from a file may be anything. */
  for (int i = 0; i < tac_world_state_size(world); ++i) state[i] = i % 3 == 0 ? 1e300 : i % 3 == 1 ? -5.0 : NAN;
  tac_world_surface(world, &snapshot, id, shown);
  for (int v = 0; v < mesh->vertex_count; ++v) ck_assert(tac_vec3_finite(shown[v]));
}

/* ---- a body that is elsewhere, and in another hand ---- */

/* Body and hand turned and moved as one: so are the forces. */
TAC_TEST(forces_do_not_depend_on_the_body_pose) {
  tacQuat turn = tac_quat_from_rotation_vector(tac_vec3(0.5, -1.0, 0.7));
  tacVec3 shift = {0.3, -0.2, 0.1};
  TAC_OWN(tacWorld, upright) = make_world(gripper());
  TAC_OWN(tacWorld, turned) = make_world_at((tacPose){shift, {turn.w, turn.x, turn.y, turn.z}}, gripper(), 1);
  double most = 0.0;
  for (int tick = 0; tick < 360; ++tick) { /* at rest at first: vertices that are equally near join in any order */
    int i = tick < 3 * BLEND ? 0 : tick - 3 * BLEND;
    tacVec3 by = tac_vec3(4e-3 * sin(0.03 * i), 1e-5 * i, 2e-3 * sin(0.02 * i));
    tacVec3 spin = tac_vec3(0.2 * sin(0.02 * i), 0.0, 1e-3 * i);
    tacToolInput input = at(tac_vec3_add(middle, by), spin, i < 200), other = input;
    tacQuat q = tac_quat_mul(turn, tac_quat_of(input.orientation));
    other.position = tac_vec3_add(tac_quat_rotate(turn, input.position), shift);
    memcpy(other.orientation, (double[4]){q.w, q.x, q.y, q.z}, sizeof other.orientation);
    tacToolOutput a = step(upright, input), b = step(turned, other);
    most = fmax(most, tac_vec3_norm(a.force));
    ck_assert_double_lt(tac_vec3_distance(tac_quat_rotate(turn, a.force), b.force), 1e-8);
    ck_assert_double_lt(tac_vec3_distance(tac_quat_rotate(turn, a.torque), b.torque), 1e-10);
    ck_assert_double_lt(tac_vec3_distance(tac_vec3_add(tac_quat_rotate(turn, a.proxy), shift), b.proxy), 1e-10);
  }
  ck_assert_double_gt(most, 0.5);
}

/* Pad and hand pull against each other: at rest their forces are opposite, and so are their moments about one point. */
TAC_TEST(a_pad_on_a_held_body_pulls_at_its_hand) {
  TAC_OWN(tacWorld, world) = begin();
  tacPadToolDef def = one_pad();
  tacBodyToolDef holder = tac_body_tool_def_default();
  holder.name = "hand";
  def.body = holder.body = tac_world_body(world, 0);
  holder.grasp = tac_vec3(0.02, 0.02, 0.0);
  holder.static_damping = 0.0;
  tac_test_ok(tac_world_add_pad_tool(world, &def, NULL, &error), error);
  tac_test_ok(tac_world_add_body_tool(world, &holder, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  tacToolOutput outputs[2];
  for (int i = 0; i < 1000; ++i) {
    double s = fmin(1.0, fmax(0.0, (i - 100) / 300.0));
    tacVec3 by = tac_vec3_scale(s, tac_vec3(0.004, 0.001, 0.006));
    tacToolInput inputs[2] = {at(tac_vec3_add(top, by), tac_vec3(0.0, 0.1 * s, 0.2 * s), true),
                              at(holder.grasp, zero, false)};
    step_world(world, inputs, outputs);
  }
  tacVec3 pad = outputs[0].force, hand = outputs[1].force;
  ck_assert_double_gt(tac_vec3_norm(pad), 0.1);
  ck_assert_double_gt(tac_vec3_distance(outputs[1].proxy, holder.grasp), 1e-4);
  ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(pad, hand)), 1e-7 * tac_vec3_norm(pad));
  tacVec3 moment = tac_vec3_add(outputs[0].torque, tac_vec3_cross(outputs[0].proxy, pad));
  tacVec3 other = tac_vec3_add(outputs[1].torque, tac_vec3_cross(outputs[1].proxy, hand));
  ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(moment, other)), 1e-6 * tac_vec3_norm(moment));
}

/* ---- again ---- */

static void lap(tacWorld *world, int ticks, tacToolOutput *outputs) {
  for (int i = 0; i < ticks; ++i) {
    tacVec3 by = tac_vec3(3e-5 * i, 1e-5 * i, 2e-5 * i), turn = tac_vec3(0.0, 1e-3 * i, -2e-3 * i);
    outputs[i] = step(world, at(tac_vec3_add(middle, by), turn, i % 120 > 5 && i % 120 < 70));
  }
}

/* A block of bricks is as hard to hold as any: takes, pulls and lets go twice in it. */
TAC_TEST(reset_and_saved_state_continue_bitwise) {
  enum { TICKS = 240 };
  TAC_OWN(tacWorld, world) = make_world(gripper());
  static tacToolOutput first[TICKS], again[TICKS];
  size_t size = tac_world_memory_size(world);
  TAC_MEMORY(void, memory) = malloc(size);
  lap(world, TICKS, first);
  ck_assert_double_gt(tac_vec3_norm(first[60].force), 0.05);
  tac_world_reset(world);
  tac_test_ok(tac_world_save(world, size, memory, &error), error);
  for (int turn = 0; turn < 3; ++turn) {
    lap(world, TICKS, again);
    for (int i = 0; i < TICKS; ++i)
      ck_assert(memcmp(&first[i].force, &again[i].force, sizeof(tacVec3)) == 0 &&
                memcmp(&first[i].torque, &again[i].torque, sizeof(tacVec3)) == 0);
    step(world, at(middle, zero, false));
    for (int i = 0; i < 10; ++i) step(world, at(middle, zero, true));
    tac_test_refused(tac_world_save(world, size, memory, &error), TAC_ERR_ARGUMENT, error, "release it");
    if (turn == 0)
      tac_world_reset(world);
    else
      tac_test_ok(tac_world_load(world, size, memory, &error), error);
  }
}

static void refused(tacWorld *world, const tacPadToolDef *def, const char *says) {
  int tool;
  tac_test_refused(tac_world_add_pad_tool(world, def, &tool, &error), TAC_ERR_ARGUMENT, error, says);
  ck_assert_int_eq(tool, -1);
}

TAC_TEST(misuse_returns_error_messages) {
  TAC_OWN(tacWorld, world) = begin();
  tacPadToolDef good = gripper(), bad, told;
  tacRigidBodyDef rigid = rigid_def("stone", tac_green_surface(green), NULL, NULL);
  tacBodyId stone;
  tac_test_ok(tac_world_add_rigid(world, &rigid, &stone, &error), error);
  good.body = tac_world_body(world, 0);
  refused(NULL, &good, "NULL");
  refused(world, NULL, "`def` is NULL");
  refused(world, (bad = good, bad.body = (tacBodyId){0, 0}, &bad), "does not exist in this world");
  refused(world, (bad = good, bad.body = stone, &bad), "storage: whole; stone is not one");
  refused(world, (bad = good, bad.name = NULL, &bad), "needs a name");
  refused(world, (bad = good, bad.radius = 0.0, &bad), "radius 0 must be positive");
  refused(world, (bad = good, bad.turn_stiffness = NAN, &bad), "turn stiffness");
  refused(world, (bad = good, bad.friction = -1.0, &bad), "friction is -1");
  refused(world, (bad = good, bad.opening = INFINITY, &bad), "opening is inf");
  refused(world, (bad = good, bad.approach = tac_vec3(0.0, 0.0, 2.0), &bad), "not a unit vector");
  tac_test_ok(tac_world_add_pad_tool(world, &good, NULL, &error), error);
  refused(world, &good, "another tool is already called gripper");
  good.name = "other";
  tac_test_ok(tac_world_add_pad_tool(world, &good, NULL, &error), error);
  good.name = "third";
  refused(world, &good, "would have 6 pads");
  ck_assert(tac_world_tool_pads(world, 1, &told) && told.opening == good.opening && told.body.index == 0);
  ck_assert(!tac_world_tool_pads(world, 2, &told) && tac_world_tool_body(world, 0, NULL).generation == 0);
  tac_test_ok(tac_world_seal(world, &error), error);
  refused(world, &good, "sealed");
}
