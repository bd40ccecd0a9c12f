/* A held body, its coupling, a simulated hand and device, and the servo's guards in closed loop, driven hard: a cube
 * of 20 points against one to three planes. The contact is the plainest: k d n a point, softer in all where more than
 * ten touch (Barbic 2007, 4.7). */
#include <tactus/device.h>
#include "couple/held_frame.h"
#include "device/operator.h"
#include "math/random.h"
#include "servo/force_limits.h"
#include "servo/passivity.h"

static const double period = 0.001, pi = 3.14159265358979323846;
static const double half = 0.02, radius = 0.0347; /* m: of the cube */
static const double k_contact = 5000.0, depth_most = 0.5e-3;

enum { POINTS = 20 };

/* Corners and middles of edges. */
static int cube_points(tacVec3 points[POINTS]) {
  int count = 0;
  for (int i = 0; i < 27; ++i) {
    tacVec3 p = tac_vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    if (tac_vec3_norm2(p) >= 2.0) points[count++] = tac_vec3_scale(half, p);
  }
  return count;
}

static const tacVec3 normals[3] = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
static const double offsets[3] = {0.0, -0.03, -0.03};

/* Returns the deepest point, m. */
static double touch(int planes, tacVec3 grasp, const tacGrasp *body, tacWrench *wrench, double stiffness[6][6]) {
  tacVec3 points[POINTS];
  tacContactSpring springs[3 * POINTS];
  int count = 0;
  double deepest = 0.0;
  cube_points(points);
  for (int i = 0; i < POINTS; ++i)
    for (int j = 0; j < planes; ++j) {
      tacVec3 x = tac_vec3_add(body->position, tac_quat_rotate(body->orientation, tac_vec3_sub(points[i], grasp)));
      double d = tac_vec3_dot(normals[j], x) - offsets[j];
      if (d >= 0.0) continue;
      deepest = fmax(deepest, -d);
      springs[count++] = (tacContactSpring){x, tac_vec3_scale(-k_contact * d, normals[j]),
                                            tac_mat3_scale(k_contact, tac_mat3_outer(normals[j], normals[j]))};
    }
  double scale = count > 10 ? 10.0 / count : 1.0;
  for (int i = 0; i < count; ++i) {
    springs[i].force = tac_vec3_scale(scale, springs[i].force);
    springs[i].stiffness = tac_mat3_scale(scale, springs[i].stiffness);
  }
  memset(wrench, 0, sizeof *wrench);
  memset(stiffness, 0, 36 * sizeof(double));
  tac_contact_springs_on_rigid(count, springs, 1.0, body->position, wrench, stiffness);
  return deepest;
}

static tacCouplingDef coupling(void) {
  tacCouplingDef def = tac_coupling_def_default();
  def.force_most = k_contact * depth_most;
  def.torque_most = def.force_most * radius;
  def.mass = 0.05;
  double ball = 0.4 * def.mass * radius * radius;
  def.inertia = tac_mat3_diagonal(ball, ball, ball);
  return def;
}

/* Two high passes of second order: Butterworth's of fourth order at 100 Hz. */
typedef struct {
  double b, a1, a2, x1, x2, y1, y2;
} Pass;

static Pass high_pass(double q) {
  double w = 2.0 * pi * 100.0 * period, s = 0.5 * sin(w) / q, c = cos(w);
  return (Pass){.b = 0.5 * (1.0 + c) / (1.0 + s), .a1 = -2.0 * c / (1.0 + s), .a2 = (1.0 - s) / (1.0 + s)};
}

static double pass(Pass *p, double x) {
  double y = p->b * (x - 2.0 * p->x1 + p->x2) - p->a1 * p->y1 - p->a2 * p->y2;
  p->x2 = p->x1, p->x1 = x, p->y2 = p->y1, p->y1 = y;
  return y;
}

/* Where the hand wants to be: s, m, and degrees about an axis. */
typedef struct {
  double time, x, y, z;
  tacVec3 axis;
  double angle;
} Key;

typedef struct {
  const char *name;
  int planes;
  tacVec3 grasp;
  double hold[2]; /* s: the hand rests */
  int count;
  const Key *keys;
} Play;

static const Key impacts[13] = {{0.0, 0.0, 0.0, 0.05, {1, 0, 0}, 0.0},    {0.12, 0.0, 0.0, -0.02, {1, 0, 0}, 10.0},
                                {0.24, 0.0, 0.0, 0.05, {0, 1, 0}, 20.0},  {0.36, 0.03, 0.0, -0.02, {0, 1, 0}, -30.0},
                                {0.5, 0.0, 0.03, -0.02, {1, 1, 0}, 45.0}, {0.62, 0.0, 0.0, 0.05, {1, 0, 0}, 60.0},
                                {0.74, 0.0, 0.0, 0.0, {1, 0, 0}, -60.0},  {0.9, 0.0, 0.0, 0.05, {0, 0, 1}, 90.0},
                                {1.0, 0.0, 0.0, -0.03, {0, 0, 1}, 0.0},   {1.5, 0.0, 0.0, -0.03, {0, 0, 1}, 0.0},
                                {1.6, 0.05, 0.0, -0.03, {0, 0, 1}, 0.0},  {1.75, -0.05, 0.0, -0.03, {0, 0, 1}, 0.0},
                                {2.0, 0.0, 0.0, 0.05, {0, 0, 1}, 0.0}};
static const Key levering[11] = {{0.0, 0.0, 0.0, 0.05, {1, 0, 0}, 0.0},     {0.2, 0.0, 0.0, 0.01, {1, 0, 0}, 0.0},
                                 {0.4, 0.0, 0.0, 0.01, {0, 1, 0}, 40.0},    {0.55, 0.0, 0.0, 0.01, {0, 1, 0}, -40.0},
                                 {0.7, -0.03, 0.0, 0.01, {0, 1, 0}, -40.0}, {0.85, -0.03, 0.0, 0.01, {0, 1, 0}, 60.0},
                                 {1.0, -0.03, 0.0, 0.0, {1, 0, 0}, 60.0},   {1.15, -0.03, 0.0, 0.0, {1, 0, 0}, -80.0},
                                 {1.4, -0.03, 0.0, 0.0, {0, 1, 0}, 70.0},   {2.0, -0.03, 0.0, 0.0, {0, 1, 0}, 70.0},
                                 {2.3, 0.0, 0.0, 0.05, {1, 0, 0}, 0.0}};
static const Key jamming[11] = {
    {0.0, 0.0, 0.0, 0.05, {1, 0, 0}, 0.0},        {0.15, -0.04, -0.04, -0.02, {1, 0, 0}, 0.0},
    {0.5, -0.04, -0.04, -0.02, {1, 1, 1}, 30.0},  {0.8, -0.05, -0.05, -0.03, {1, -1, 0}, -50.0},
    {1.0, -0.05, -0.02, -0.03, {0, 0, 1}, 45.0},  {1.2, -0.02, -0.05, -0.03, {0, 0, 1}, -45.0},
    {1.4, -0.05, -0.05, -0.03, {1, 1, 1}, 120.0}, {1.6, -0.05, -0.05, -0.03, {1, 1, 1}, -60.0},
    {1.8, -0.05, -0.05, -0.03, {0, 0, 1}, 20.0},  {2.2, -0.05, -0.05, -0.03, {0, 0, 1}, 20.0},
    {2.4, 0.0, 0.0, 0.05, {1, 0, 0}, 0.0}};
static const Play plays[] = {{"impacts", 1, {0.0, 0.0, 0.0}, {1.3, 1.5}, 13, impacts},
                             {"levering", 2, {0.0, 0.0, half}, {1.85, 2.0}, 11, levering},
                             {"jamming", 3, {0.0, 0.0, 0.0}, {2.05, 2.2}, 11, jamming}};

enum { PLAYS = sizeof plays / sizeof *plays };

typedef struct {
  tacPassivity port;
  double depth, held_depth; /* m */
  double buzz, turn_buzz;   /* N, N m: rms above 100 Hz */
  double held_buzz;         /* N: largest of it while the hand rests */
  double force, torque;     /* largest written */
} Outcome;

static tacDevice open_hand(const Play *play, double slow, tacOperatorDef *def) {
  tacTrajectoryPoint points[16] = {{0}};
  for (int i = 0; i < play->count; ++i) {
    const Key *key = &play->keys[i];
    tacQuat q = tac_quat_from_axis_angle(key->axis, key->angle * pi / 180.0);
    points[i] = (tacTrajectoryPoint){
        .time = slow * key->time, .position = {key->x, key->y, key->z}, .orientation = {q.w, q.x, q.y, q.z}};
  }
  tac_test_ok(tac_operator_def_preset("premium-6", def, &error), error);
  def->repeats = true;
  tacTrajectory *path = tac_test_made(tacTrajectory *, tac_trajectory_create(play->count, points, true, &made, &error));
  return tac_test_made(tacDevice, tac_device_operator_open(def, path, period, &made, &error));
}

/* The tick of the servo, with its guards; the play `slow` times slower. */
static Outcome run(const Play *play, bool dynamic, const tacCouplingDef *def, double seconds, double slow,
                   bool controlled) {
  tacOperatorDef hand;
  tacDevice device = open_hand(play, slow, &hand);
  tacDeviceInfo info = hand.info;
  tacForceLimits limits = {.force = info.force_limit,
                           .torque = info.torque_limit,
                           .stiffness = info.stiffness_limit,
                           .step = 0.5,
                           .motion = TAC_FORCE_LIMITS_SPEED * period};
  Outcome o = {.port = tac_passivity_begin(period, info.stiffness_limit, info.force_limit,
                                           info.torque_limit / info.force_limit, info.resolution)};
  Pass passes[6][2];
  for (int i = 0; i < 6; ++i) passes[i][0] = high_pass(0.541), passes[i][1] = high_pass(1.307);
  tacGrasp body = {{0.0, 0.0, 0.0}, tac_quat_identity()}, last = body;
  tacTwist velocity = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, hand_velocity = velocity;
  tacWrench before = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, rise = before;
  int ticks = (int)(seconds / period);
  for (int i = 0; i < ticks; ++i) {
    tacDeviceState state;
    device.driver->read(device.self, &state);
    tacGrasp grasp = {state.position, tac_quat_of(state.orientation)};
    tac_passivity_observe(&o.port, grasp.position, grasp.orientation);
    if (i == 0) body = last = grasp;
    double toward[6], stiffness[6][6];
    tac_coupling_toward(&last, &grasp, toward);
    last = grasp;
    hand_velocity.linear =
        tac_vec3_mix(hand_velocity.linear, tac_vec3(1e3 * toward[0], 1e3 * toward[1], 1e3 * toward[2]), 1.0 / 6.0);
    hand_velocity.angular =
        tac_vec3_mix(hand_velocity.angular, tac_vec3(1e3 * toward[3], 1e3 * toward[4], 1e3 * toward[5]), 1.0 / 6.0);
    tacWrench contact, felt;
    double depth = touch(play->planes, play->grasp, &body, &contact, stiffness);
    if (dynamic) {
      held_frame_dynamic(def, period, &grasp, &hand_velocity, &contact, stiffness, &body, &velocity);
      felt = tac_dynamic_coupling_felt(def, &body, &grasp, &velocity, &hand_velocity);
    } else {
      held_frame_static(def, period, &grasp, &contact, stiffness, &body);
      tacWrench now = tac_coupling_felt(def, &body, &grasp);
      rise = tac_coupling_rise(&rise, &before, &now);
      felt = tac_coupling_lead(&now, &rise);
      before = now;
    }
    tacVec3 force = tac_force_limits_cut(felt.force, info.force_limit);
    tacVec3 torque = tac_force_limits_cut(felt.torque, info.torque_limit);
    bool cut = false;
    if (controlled) tac_passivity_damp(&o.port, &force, &torque);
    tac_force_limits_apply(&limits, o.port.motion, o.port.turn, &force, &torque, &cut, &cut);
    device.driver->write(device.self, force, torque);
    tac_passivity_hold(&o.port, felt.force, felt.torque, force, torque);
    ck_assert(tac_vec3_finite(body.position) && tac_vec3_finite(force) && tac_vec3_finite(torque));

    const double written[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    double time = fmod(i * period / slow, play->keys[play->count - 1].time);
    bool holds = time > play->hold[0] && time < play->hold[1];
    for (int j = 0; j < 6; ++j) {
      double high = pass(&passes[j][1], pass(&passes[j][0], written[j]));
      *(j < 3 ? &o.buzz : &o.turn_buzz) += high * high / ticks;
      if (j < 3 && holds) o.held_buzz = fmax(o.held_buzz, fabs(high));
    }
    o.depth = fmax(o.depth, depth);
    if (holds) o.held_depth = fmax(o.held_depth, depth);
    o.force = fmax(o.force, tac_vec3_norm(force));
    o.torque = fmax(o.torque, tac_vec3_norm(torque));
  }
  o.buzz = sqrt(o.buzz), o.turn_buzz = sqrt(o.turn_buzz);
  /* What the servo observed is what the device's exact integral says, but for the encoder. */
  ck_assert_double_eq_tol(o.port.energy, tac_device_operator_work(&device), 0.02 * o.port.work);
  tac_device_close(&device);
  return o;
}

static double seconds(void) {
  return tac_test_light() ? 0.6 : 3.0;
}

/* Whatever the world asks for, limits cut and the damper answers: by the account whose credit ends, no more is generated
 * than passivity.h lets go, the encoder's count times the largest force; and what holding the force between ticks gives is
 * below 1 % of the work. */
static void check_passive(const tacPassivity *port, const char *name, int number) {
  double allowed = port->force_limit * port->resolution;
  ck_assert_msg(port->written.episode.generated <= allowed, "%s %d: %g J in a contact, allowed %g", name, number,
                port->written.episode.generated, allowed);
  ck_assert_msg(port->written.generated <= allowed, "%s %d: %g J, allowed %g", name, number, port->written.generated,
                allowed);
  ck_assert_msg(port->least >= -0.01 * port->work, "%s %d: %g J of %g J", name, number, port->least, port->work);
}

/* Passive: see above. Calm: above 100 Hz there is 1 % of the force limit rms; with a mass,
 * whose blows pass through its damper, 2.5 %; and a hand at rest feels but its encoder, whose count is 0.018 N here.
 * Not deep: force and torque at their most press one point in by F / k each, a tick's motion comes on top, and a
 * mass's momentum. */
TAC_TEST(rough_play_is_passive_calm_and_not_deep) {
  tacCouplingDef def = coupling();
  for (int p = 0; p < PLAYS; ++p)
    for (int dynamic = 0; dynamic < 2; ++dynamic) {
      const char *name = plays[p].name;
      Outcome o = run(&plays[p], dynamic, &def, seconds(), 1.0, true);
      check_passive(&o.port, name, dynamic);
      ck_assert_double_gt(o.force, 4.0); /* it was rough */
      double tick = (def.speed_most + radius * sqrt(2.0) * def.turn_most) * period;
      double blow = dynamic ? def.speed_most * sqrt(def.mass / k_contact) : 0.0;
      ck_assert_msg(o.depth < 2.0 * depth_most + tick + blow, "%s %d: %g m", name, dynamic, o.depth);
      if (tac_test_light()) continue; /* too short for the means */
      ck_assert_msg(o.held_depth < 2.0 * depth_most, "%s %d: held %g m", name, dynamic, o.held_depth);
      double share = dynamic ? 0.025 : 0.01;
      ck_assert_msg(o.buzz < share * 8.5, "%s %d: %g N above 100 Hz", name, dynamic, o.buzz);
      ck_assert_msg(o.turn_buzz < share * 0.17, "%s %d: %g N m", name, dynamic, o.turn_buzz);
      ck_assert_msg(o.held_buzz < (dynamic ? 0.1 : 0.03), "%s %d: %g N while held", name, dynamic, o.held_buzz);
    }
}

/* Stiff settings, with and without saturation and damping: still passive within the tolerance. */
TAC_TEST(stiff_couplings_stay_passive) {
  for (int c = 0; c < 3; ++c) {
    tacCouplingDef def = coupling();
    def.stiffness = c == 2 ? 1000.0 : 3000.0;
    def.turn_stiffness = c == 2 ? 1.0 : 2.0;
    if (c == 1) def.force_most = def.torque_most = INFINITY;
    if (c == 2) def.static_damping = 0.0;
    for (int dynamic = 0; dynamic < 2; ++dynamic) {
      Outcome o = run(&plays[1], dynamic, &def, 0.5 * seconds(), 1.0, true);
      check_passive(&o.port, dynamic ? "dynamic" : "static", c);
    }
  }
}

/* The hand feels more than acts on a saturated body. As long as both have one lever that gives no energy away: slowly,
 * where neither limits nor damping take any, and without the servo's damper. */
TAC_TEST(saturation_alone_gives_no_energy_away) {
  tacCouplingDef def = coupling();
  for (int dynamic = 0; dynamic < 2; ++dynamic) {
    Outcome o = run(&plays[0], dynamic, &def, tac_test_light() ? 1.0 : 6.0, 3.0, false);
    ck_assert_double_ge(o.port.least, -(o.port.force_limit * o.port.resolution + 0.0025 * o.port.work));
    ck_assert_double_le(o.port.asked.generated, o.port.force_limit * o.port.resolution);
    ck_assert_double_gt(o.port.energy, 0.0);
  }
}

/* A device that nothing holds goes through a slab at up to 20 m/s, spinning. The body stays on its side where the slab
 * is thicker than the limits of speed and turn allow in a tick, plus what saturation presses in; a mass needs its
 * momentum's way as well. Values in the slab are those to the nearer face, so that beyond the middle they fall again;
 * points push along their own normals, as shells do. */
TAC_TEST(nothing_pops_through_a_slab) {
  tacRandom random = tac_random_seed(1);
  tacVec3 points[POINTS];
  cube_points(points);
  for (int c = 0; c < (tac_test_light() ? 10 : 200); ++c) {
    bool dynamic = c % 2;
    tacCouplingDef def = coupling();
    def.force_most = k_contact * 0.25e-3;
    def.torque_most = def.force_most * radius;
    double tick = def.speed_most * period;
    double thickness = tick + 0.25e-3 + (dynamic ? 0.4 * def.speed_most * sqrt(def.mass / k_contact) : 0.0);
    double speed = exp(tac_random_uniform(&random, log(0.3), log(20.0))),
           spin = c % 4 < 2 ? 0.0 : tac_random_uniform(&random, -30.0, 30.0);
    tacVec3 axis = tac_vec3_unit(tac_random_normal3(&random));
    double height = 0.06 + tac_random_uniform(&random, 0.0, tick);
    double angle = c % 3 == 0 ? 0.0 : tac_random_uniform(&random, 0.0, 0.8);
    tacGrasp body = {{0.0, 0.0, height}, tac_quat_from_axis_angle(axis, angle)};
    tacGrasp device = body;
    tacTwist velocity = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, motion = velocity;
    for (int i = 0; i < 500; ++i) {
      motion.linear.z = device.position.z > -0.3 ? -speed : 0.0;
      motion.angular = tac_vec3_scale(i < 60 ? spin : 0.0, axis);
      device.position = tac_vec3_mad(device.position, period, motion.linear);
      device.orientation =
          tac_quat_mul(tac_quat_from_rotation_vector(tac_vec3_scale(period, motion.angular)), device.orientation);
      tacWrench contact = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
      double stiffness[6][6] = {{0.0}};
      for (int j = 0; j < POINTS; ++j) {
        tacVec3 arm = tac_quat_rotate(body.orientation, points[j]), x = tac_vec3_add(body.position, arm),
                n = {0.0, 0.0, 1.0};
        double depth = fmin(-x.z, x.z + thickness);
        if (depth <= 0.0 || arm.z > 0.0) continue; /* those above the middle point upward */
        tacContactSpring spring = {x, tac_vec3_scale(k_contact * depth, n),
                                   tac_mat3_scale(k_contact, tac_mat3_outer(n, n))};
        tac_contact_springs_on_rigid(1, &spring, 1.0, body.position, &contact, stiffness);
      }
      if (dynamic)
        held_frame_dynamic(&def, period, &device, &motion, &contact, stiffness, &body, &velocity);
      else
        held_frame_static(&def, period, &device, &contact, stiffness, &body);
    }
    ck_assert_double_lt(device.position.z, -0.05);
    ck_assert_msg(body.position.z > 0.0, "case %d: %g m/s, %g rad/s, slab %g m", c, speed, spin, thickness);
  }
}

/* Forces that are held for a tick give the hand nothing: what the port gave at most from the start, holding included, without the servo's
 * damper. Of 1 to 6 J that is exchanged in three seconds, a count of the encoder times the largest force is 0.3 mJ. */
TAC_TEST(held_forces_give_no_energy_away) {
  tacCouplingDef def = coupling();
  for (int p = 0; p < PLAYS; ++p)
    for (int dynamic = 0; dynamic < 2; ++dynamic) {
      Outcome o = run(&plays[p], dynamic, &def, seconds(), 1.0, false);
      double allowed = o.port.force_limit * o.port.resolution;
      ck_assert_msg(o.port.least >= -allowed, "%s %d: %g J, allowed %g", plays[p].name, dynamic, -o.port.least,
                    allowed);
    }
}
