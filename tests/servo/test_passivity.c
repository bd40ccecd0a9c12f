#include "device/operator.h"
#include "servo/passivity.h"

#include <tactus/device.h>
#include "test.h"

static const double period = 0.001;
static const tacVec3 none = {0.0, 0.0, 0.0};

/* What was asked for is written, unless a test says otherwise. */
static void hold(tacPassivity *p, tacVec3 force, tacVec3 torque) {
  tac_passivity_hold(p, force, torque, force, torque);
}

/* A force that is held does exactly force times way, on any path. */
TAC_TEST(observes_the_work_of_held_forces) {
  tacPassivity p = tac_passivity_begin(period, 1000.0, 8.0, 0.02, 0.0);
  tac_passivity_observe(&p, tac_vec3(5.0, 5.0, 5.0), tac_quat_identity()); /* the first state is no motion */
  ck_assert_double_eq(p.energy, 0.0);
  hold(&p, tac_vec3(0.0, 0.0, 2.0), tac_vec3(0.1, 0.0, 0.0));
  tac_passivity_observe(&p, tac_vec3(5.0, 5.0, 4.99), tac_quat_from_axis_angle(tac_vec3(1.0, 0.0, 0.0), 0.05));
  ck_assert_double_eq_tol(p.energy, 0.02 - 0.005, 1e-12); /* pushed against the force, turned with the torque */
  ck_assert_double_eq_tol(p.work, 0.015, 1e-12);
  ck_assert_double_eq(p.least, 0.0);
  hold(&p, tac_vec3(0.0, 0.0, 2.0), none);
  tac_passivity_observe(&p, tac_vec3(5.0, 5.0, 5.01), tac_quat_from_axis_angle(tac_vec3(1.0, 0.0, 0.0), 0.05));
  ck_assert_double_eq_tol(p.energy, -0.025, 1e-12);
  ck_assert_double_eq_tol(p.least, -0.025, 1e-12);
}

/* A spring of way and turn that is held, judged by the trapezium rule: exactly what it stores is its credit, whatever
 * was written instead of it. */
TAC_TEST(energy_is_counted_for_requested_and_written_forces) {
  const double k = 1000.0, turn_stiffness = 0.5;
  tacPassivity p = tac_passivity_begin(period, 3000.0, 8.0, 0.02, 0.0);
  for (int i = 0; i <= 40; ++i) {
    double depth = 1e-4 * fmin(i, 40 - i), angle = 2e-3 * fmin(i, 40 - i);
    tac_passivity_observe(&p, tac_vec3(0.0, 0.0, -depth), tac_quat_from_rotation_vector(tac_vec3(0.0, -angle, 0.0)));
    tacVec3 force = tac_vec3(0.0, 0.0, k * depth), torque = tac_vec3(0.0, turn_stiffness * angle, 0.0);
    double share = i > 20 ? 1.5 : 1.0; /* more on the way out: active */
    tac_passivity_hold(&p, force, torque, tac_vec3_scale(share, force), tac_vec3_scale(share, torque));
    double stored = 0.5 * k * depth * depth + 0.5 * turn_stiffness * angle * angle;
    if (i < 40) ck_assert_double_eq_tol(p.asked.credit, stored, 1e-12);
  }
  double all = 0.5 * k * 4e-6 + 0.5 * turn_stiffness * 16e-4;
  ck_assert_double_le(p.asked.generated, 1e-12);
  ck_assert_double_le(p.asked.episode.generated, 1e-12);
  ck_assert_double_gt(p.written.episode.generated, 0.4 * all);
}

TAC_TEST(a_requested_force_that_is_not_finite_counts_as_zero) {
  const tacVec3 bad[] = {{0.0, NAN, 1.0}, {0.0, 0.0, 0.0}}, bad_torque[] = {{0.0, 0.0, 0.0}, {INFINITY, 0.0, 0.0}};
  for (int i = 0; i < 2; ++i) {
    tacPassivity p = tac_passivity_begin(period, 3000.0, 8.0, 0.02, 0.0), expected = p;
    for (int k = 0; k < 3; ++k) {
      tacVec3 place = tac_vec3(1e-3 * k, -2e-3 * k, -1e-3 * k);
      tacQuat orientation = tac_quat_from_rotation_vector(tac_vec3(0.01 * k, 0.02 * k, 0.03 * k));
      tac_passivity_observe(&p, place, orientation);
      tac_passivity_observe(&expected, place, orientation);
      tac_passivity_hold(&p, bad[i], bad_torque[i], none, none);
      tac_passivity_hold(&expected, none, none, none, none);
    }
    ck_assert_double_eq(p.asked.credit, expected.asked.credit);
    ck_assert_double_eq(p.asked.generated, expected.asked.generated);
    ck_assert_double_eq(tac_vec3_norm(p.asked_force) + tac_vec3_norm(p.asked_torque), 0.0);
  }
}

/* Moves in against a force and out with twice of it, 0.1 mm a tick, so that there is something to damp. */
static tacPassivity generated(double resolution, double noise) {
  tacPassivity p = tac_passivity_begin(period, 1260.0, 3.3, 0.0, resolution);
  for (int i = 0; i <= 60; ++i) {
    double depth = 1e-4 * (i <= 30 ? i : 60 - i) + (i % 2 != 0 ? noise : -noise);
    tac_passivity_observe(&p, tac_vec3(0.0, 0.0, -depth), tac_quat_identity());
    hold(&p, tac_vec3(0.0, 0.0, i <= 30 ? 1.0 : 2.0), none);
  }
  ck_assert_double_gt(p.debt, 1e-3);
  return p;
}

TAC_TEST(damping_rises_evenly_is_bounded_and_dissipates) {
  const double rise = 3.3 / 50.0;
  tacPassivity p = generated(0.0, 0.0);
  double before = 0.0;
  for (int i = 1; i < 30; ++i) { /* the hand goes on by 0.1 mm a tick, under 3 N */
    tac_passivity_observe(&p, tac_vec3(0.0, 0.0, 1e-4 * i), tac_quat_identity());
    tacVec3 force = tac_vec3(0.0, 0.0, -3.0), torque = none;
    tac_passivity_damp(&p, &force, &torque);
    ck_assert_double_le(fabs(force.z + 3.0), before + rise + 1e-12);
    ck_assert_double_le(force.z, -3.0 + 1e-15);                            /* against the motion */
    ck_assert_double_le(fabs(force.z + 3.0), 2.0 * 1260.0 * 1e-4 + 1e-12); /* twice the stiffest spring */
    before = fabs(force.z + 3.0);
    tac_passivity_hold(&p, tac_vec3(0.0, 0.0, -3.0), none, force, torque);
  }
  ck_assert_double_gt(before, 0.0);
  /* What the damper has dissipated is no debt any more. */
  double debt = p.debt;
  tac_passivity_observe(&p, tac_vec3(0.0, 0.0, 31e-4), tac_quat_identity());
  tac_passivity_hold(&p, tac_vec3(0.0, 0.0, -3.0), none, tac_vec3(0.0, 0.0, -3.0), none);
  ck_assert_double_lt(p.debt, debt);
}

/* The previous force of the damper would push the hand after the motion reverses. */
TAC_TEST(damping_starts_from_zero_when_the_motion_reverses) {
  const double rise = 3.3 / 50.0;
  tacPassivity p = generated(0.0, 0.0);
  double damper = 0.0;
  for (int i = 1; i <= 10; ++i) { /* the hand moves up by 0.1 mm per tick, then down */
    tac_passivity_observe(&p, tac_vec3(0.0, 0.0, i < 10 ? 1e-4 * i : 8e-4), tac_quat_identity());
    tacVec3 force = tac_vec3(0.0, 0.0, -3.0), torque = none;
    tac_passivity_damp(&p, &force, &torque);
    if (i == 10) ck_assert_double_gt(damper, 3.0 * rise);
    damper = fabs(force.z + 3.0);
    if (i == 10) ck_assert_double_le(damper, rise + 1e-12);
    tac_passivity_hold(&p, tac_vec3(0.0, 0.0, -3.0), none, force, torque);
  }
}

/* No force, no damper; nor for a device that rests, flickers by a count or trembles within its noise. */
TAC_TEST(there_is_no_damping_without_contact_or_within_the_noise) {
  for (int kind = 0; kind < 4; ++kind) {
    const double count = 55e-6, noise = kind == 3 ? 2e-4 : 0.0;
    tacPassivity p = generated(kind == 2 ? count : 0.0, noise);
    for (int i = 0; i < 200; ++i) {
      double tremble = kind == 2 ? i % 2 * count : kind == 3 ? noise * (i % 2 != 0 ? 1.0 : -1.0) : 0.0;
      double way = kind == 0 ? 1e-4 * i : 0.0;
      tac_passivity_observe(&p, tac_vec3(0.0, 0.0, way + tremble), tac_quat_identity());
      tacVec3 force = kind == 0 ? none : tac_vec3(0.0, 0.0, 3.0), torque = none;
      bool damped = tac_passivity_damp(&p, &force, &torque);
      ck_assert_msg(!damped || i < TAC_PASSIVITY_WINDOW, "kind %d, tick %d: %g N", kind, i, force.z);
      hold(&p, force, torque);
    }
  }
}

typedef struct {
  double least, work; /* J: of the positions as read, from the start */
  double all;         /* J: generated as written, in all contacts */
  double truth;       /* J: generated in all, by the held force on the way that the handle really went */
  double largest_step, mean_step;
  int damped;
} Outcome;

typedef struct {
  double stiffness;         /* N/m, or N m/rad */
  int delay;                /* ticks by which the force is late, which acts as a negative damper */
  double resolution, noise; /* m, of positions */
  bool turns;               /* it is a rotational spring, which a hand turns against */
} Wall;

/* A hand presses a wall by m, or rad, again and again, `pace` times as slow as in 0.8 s. */
static Outcome press(const char *preset, Wall wall, double depth, double pace, bool controlled) {
  TAC_FREED(tac_device_close, tacDevice, device);
  tacOperatorDef def = tac_test_made(tacOperatorDef, tac_operator_def_preset(preset, &made, &error));
  def.info.resolution = wall.resolution;
  def.noise = wall.noise;
  def.repeats = true;
  tacTrajectoryPoint points[3] = {{0}};
  for (int i = 0; i < 3; ++i) {
    double way = i == 1 ? -depth : wall.turns ? 0.1 : 0.005;
    points[i].time = 0.4 * pace * i;
    points[i].position.z = wall.turns ? 0.0 : way;
    tac_quat_put(tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), wall.turns ? way : 0.0), points[i].orientation);
  }
  tacTrajectory *path = tac_test_made(tacTrajectory *, tac_trajectory_create(3, points, true, &made, &error));
  tac_test_ok(tac_device_operator_open(&def, path, period, &device, &error), error);
  double lever = def.info.torque_limit / def.info.force_limit;
  tacPassivity p = tac_passivity_begin(period, def.info.stiffness_limit, def.info.force_limit, lever, wall.resolution);
  tacEnergyAccount truth = tac_energy_account_begin(period);
  tacVec3 last = none;
  double line[16] = {0.0}, worked = 0.0;
  enum { TICKS = 8000 };
  Outcome outcome = {0};
  for (int i = 0; i < TICKS; ++i) {
    tacDeviceState state;
    device.driver->read(device.self, &state);
    tacQuat orientation = tac_quat_of(state.orientation);
    tac_passivity_observe(&p, state.position, orientation);
    double way = wall.turns ? tac_quat_to_rotation_vector(orientation).y : state.position.z;
    line[i % 16] = wall.stiffness * fmax(0.0, -way);
    double push = i >= wall.delay ? line[(i - wall.delay) % 16] : 0.0;
    tacVec3 asked = wall.turns ? none : tac_vec3(0.0, 0.0, push), force = asked;
    tacVec3 asked_torque = wall.turns ? tac_vec3(0.0, push, 0.0) : none, torque = asked_torque;
    if (controlled && tac_passivity_damp(&p, &force, &torque)) ++outcome.damped;
    tacVec3 written = wall.turns ? torque : force;
    double step = tac_vec3_distance(written, last), work = tac_device_operator_work(&device);
    outcome.largest_step = fmax(outcome.largest_step, step);
    outcome.mean_step += step / TICKS;
    tac_energy_account_add(&truth, work - worked, push, push > 0.0);
    last = written, worked = work;
    device.driver->write(device.self, force, torque);
    tac_passivity_hold(&p, asked, asked_torque, force, torque);
  }
  outcome.least = p.least, outcome.work = p.work, outcome.all = p.written.generated, outcome.truth = truth.generated;
  if (wall.resolution <= 30e-6 && !(wall.noise > 0.0)) ck_assert_double_eq_tol(p.energy, worked, 0.01 * p.work);
  return outcome;
}

TAC_TEST(an_active_spring_is_made_passive) {
  for (int encoder = 0; encoder < 2; ++encoder) {
    Wall wall = {800.0, 4, encoder * 30e-6, 0.0, false};
    Outcome active = press("premium-3", wall, 0.015, 1.0, false), tamed = press("premium-3", wall, 0.015, 1.0, true);
    ck_assert_double_lt(active.least, -0.05 * active.work);
    ck_assert_double_gt(tamed.least, -0.01 * tamed.work);
    ck_assert_double_lt(tamed.all, 0.05 * active.all);
    ck_assert_double_lt(tamed.truth, 0.2 * active.truth);
    ck_assert_int_gt(tamed.damped, 0);
  }
}

/* Positions in counts of 0.055 mm, or with errors of 0.2 mm: what a spring gives is no energy of the world, so nothing
 * is damped; neither steps of the force nor what truly reaches the hand grow. Walls softer and stiffer than what the
 * device renders, slow and fast hands. */
TAC_TEST(counts_and_noise_are_not_made_worse) {
  const struct { double resolution, noise; } reads[] = {{55e-6, 0.0}, {55e-6, 55e-6}, {0.0, 2e-4}, {55e-6, 2e-4}};
  const char *presets[] = {"omni", "premium-3"};
  for (int i = 0; i < (int)(sizeof reads / sizeof *reads); ++i)
    for (int j = 0; j < 8; j += tac_test_light() ? 3 : 1) {
      Wall wall = {j & 1 ? 2000.0 : 800.0, 0, reads[i].resolution, reads[i].noise, false};
      double depth = j & 2 ? 0.004 : 0.012, pace = j & 2 ? 5.0 : 1.0;
      Outcome plain = press(presets[j / 4], wall, depth, pace, false);
      Outcome watched = press(presets[j / 4], wall, depth, pace, true);
      ck_assert_msg(watched.largest_step <= plain.largest_step, "%d %d: a step of %g N, not %g", i, j,
                    watched.largest_step, plain.largest_step);
      ck_assert_msg(watched.mean_step <= plain.mean_step, "%d %d: %g N a tick, not %g", i, j, watched.mean_step,
                    plain.mean_step);
      ck_assert_msg(watched.truth <= plain.truth, "%d %d: %g J, not %g", i, j, watched.truth, plain.truth);
    }
}

/* And yet a wall that is truly active is answered, through counts and noise. */
TAC_TEST(an_active_wall_is_damped_despite_counts_and_noise) {
  const Wall walls[] = {
      {2000.0, 4, 55e-6, 0.0, false}, {2000.0, 4, 55e-6, 55e-6, false}, {2000.0, 4, 0.0, 2e-4, false}};
  for (int i = 0; i < 3; ++i) {
    Outcome active = press("premium-3", walls[i], 0.012, 1.0, false);
    Outcome tamed = press("premium-3", walls[i], 0.012, 1.0, true);
    ck_assert_double_lt(tamed.truth, 0.2 * active.truth);
    ck_assert_double_lt(tamed.mean_step, 1.1 * active.mean_step);
  }
}

/* The same with a torque: a hand turns against a rotational spring of 0.5 N m/rad whose torque comes late. */
TAC_TEST(an_active_rotational_spring_is_made_passive) {
  for (int delay = 4; delay <= 8; delay += 4) {
    Wall wall = {0.5, delay, 30e-6, 0.0, true};
    Outcome active = press("premium-6", wall, 0.5, 1.0, false), tamed = press("premium-6", wall, 0.5, 1.0, true);
    ck_assert_double_lt(active.least, -0.008 * delay * active.work);
    ck_assert_double_gt(tamed.least, -0.01 * tamed.work);
    ck_assert_double_lt(tamed.all, 0.25 * active.all);
    ck_assert_int_gt(tamed.damped, 0);
    ck_assert_double_lt(tamed.largest_step, active.largest_step + 1.5 * 0.17 / 50.0);
  }
}

/* Of an undelayed spring only what holding gives is generated (K T / 2 as a negative damper), and nothing is damped. */
TAC_TEST(a_passive_spring_gets_no_damping) {
  Wall wall = {800.0, 0, 0.0, 0.0, false};
  Outcome watched = press("premium-3", wall, 0.015, 1.0, true);
  ck_assert_int_eq(watched.damped, 0);
  ck_assert_double_le(watched.all, 1e-12);
  ck_assert_double_gt(watched.least, -0.01 * watched.work);
}
