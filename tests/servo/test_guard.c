#include <tactus/guard.h>
#include "device/operator.h"
#include "dive_path.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "servo/ramp.h"
#include "test.h"
#include "wall_world.h"

/* ---- what the tests share: a loop as a host writes it ---- */

static const double period = 0.001;
static const tacDeviceInfo info = {.name = "test", .dof = 3, .force_limit = 8.0, .stiffness_limit = 3000.0};

typedef struct Loop {
  tacGuard *guard;
  tacWorld world;
  tacDeviceState state; /* that the guard gave */
  tacGuardForce safe;
} Loop;

static Loop loop_begin(const tacGuardDef *def, double stiffness) {
  Loop loop = {.world = {.period = period, .tool_count = 1, .stiffness = stiffness, .bad_at = -1}};
  tac_test_ok(tac_guard_create(def, &loop.guard, &error), error);
  return loop;
}

/* Without a ramp in: the force is there at once. */
static Loop loop_at_once(double stiffness) {
  tacGuardDef def = tac_guard_def_default(&info, period);
  def.ramp_in = 0.0;
  return loop_begin(&def, stiffness);
}

static void loop_end(Loop *loop) {
  tac_guard_destroy(loop->guard);
}

static tacFault tick(Loop *loop, tacDeviceHealth health, const tacDeviceState *read) {
  tacToolOutput output = {0};
  tacTickReport report;
  if (tac_guard_read(loop->guard, health, read, &loop->state) == TAC_FAULT_NONE)
    tac_world_step(&loop->world, &(tacToolInput){.position = loop->state.position}, &output, &report);
  tac_guard_write(loop->guard, output.force, output.torque, &loop->safe);
  return loop->safe.fault;
}

static tacDeviceState at(double z) {
  return (tacDeviceState){.position = {0.0, 0.0, z}, .orientation = {1.0, 0.0, 0.0, 0.0}};
}

static tacFault tick_at(Loop *loop, double z) {
  tacDeviceState read = at(z);
  return tick(loop, TAC_DEVICE_FINE, &read);
}

/* The force was at rest at `newtons`; from this tick on it falls to zero within the ramp and stays there. */
static void check_ramp_out(Loop *loop, double newtons, tacDeviceHealth health, const tacDeviceState *read) {
  double before = newtons;
  for (int i = 0; i < 60; ++i) {
    double now = tac_vec3_norm(loop->safe.force);
    ck_assert_double_eq_tol(now, newtons * (1.0 - tac_ramp((i + 1) / 50.0)), 1e-12);
    ck_assert(i < 50 ? now < before : now == 0.0);
    ck_assert_int_eq(loop->safe.ended, i >= 49);
    before = now;
    tick(loop, health, read);
  }
}

/* Whatever jumps the speed limit allows: the force follows them with the stiffness limit, and else by its rate. */
TAC_TEST(a_force_changes_by_the_rate_and_the_motion_alone) {
  tacGuardDef def = tac_guard_def_default(&info, period);
  def.ramp_in = 0.0;
  def.speed_limit = 1e6;
  TAC_FREED(loop_end, Loop, loop) = loop_begin(&def, 50000.0);
  tacRandom random = tac_random_seed(7);
  double z = 0.0;
  for (int i = 0; i < 2000; ++i) { /* in and out, from a micrometre to 120 mm, with rests */
    double before = z, size = pow(10.0, tac_random_uniform(&random, -6.0, -0.92));
    if (i % 3 != 0) z = tac_random_uniform(&random, -1.0, 1.0) < 0.0 ? -size : size;
    tacVec3 held = loop.safe.force;
    ck_assert_int_eq(tick_at(&loop, z), TAC_FAULT_NONE);
    ck_assert_double_le(tac_vec3_distance(loop.safe.force, held), 0.5 + 3000.0 * fabs(z - before) + 1e-9);
    ck_assert_double_le(tac_vec3_norm(loop.safe.force), 8.0 + 1e-12);
    ck_assert_double_eq(loop.safe.presence, 1.0); /* there is no ramp in */
  }
  tacGuardReport report = tac_guard_report(loop.guard);
  ck_assert_int_gt(report.limited_force, 0);
  ck_assert_int_gt(report.limited_rate, 0);
  ck_assert_double_gt(report.force_max, 7.9);
}

/* ---- energy ---- */

/* A simulated hand dives into a wall whose force comes 4 ticks late. Returns the least energy that the port had taken, by
 * what was read and written, as a share of the work. */
static double dive(bool passivity) {
  TAC_FREED(tac_device_close, tacDevice, device);
  tacOperatorDef hand = tac_test_made(tacOperatorDef, tac_operator_def_preset("premium-3", &made, &error));
  tac_test_ok(tac_device_operator_open(&hand, dive_path(0.018, 2.0), period, &device, &error), error);
  tacGuardDef def = tac_guard_def_default(&device.info, period);
  def.passivity = passivity;
  TAC_FREED(loop_end, Loop, loop) = loop_begin(&def, 1000.0);
  loop.world.delay = 4;
  double energy = 0.0, least = 0.0, work = 0.0;
  tacDeviceState read;
  tacVec3 last = {0};
  for (int i = 0; !loop.safe.ended; ++i) {
    ck_assert_int_lt(i, 5000);
    tacDeviceHealth health = device.driver->read(device.self, &read);
    tacVec3 held = loop.safe.force;
    ck_assert_int_eq(tick(&loop, health, &read), TAC_FAULT_NONE);
    if (i > 0) {
      double given = tac_vec3_dot(held, tac_vec3_sub(loop.state.position, last));
      energy -= given;
      work += fabs(given);
      least = fmin(least, energy);
    }
    last = loop.state.position;
    device.driver->write(device.self, loop.safe.force, loop.safe.torque);
  }
  tacGuardReport report = tac_guard_report(loop.guard);
  ck_assert_double_gt(work, 0.01);
  ck_assert_double_eq_tol(report.energy_absorbed, energy, 1e-9 * work);
  ck_assert_double_eq_tol(report.energy_least, least, 1e-9 * work);
  ck_assert_double_eq_tol(report.work, work, 1e-9 * work);
  ck_assert_double_eq_tol(tac_device_operator_work(&device), energy, 0.01 * work);
  ck_assert_int_eq(report.damped > 0, passivity);
  return least / work;
}

TAC_TEST(a_wall_gives_no_energy_even_with_late_forces) {
  ck_assert_double_lt(dive(false), -0.03);
  ck_assert_double_gt(dive(true), -0.02); /* what holding gives is in it, and what is seen first in a first contact */
}

/* Returns the definition of a guard for a device with torques up to 0.2 N m, without a ramp in. */
static tacGuardDef six_degrees(void) {
  tacDeviceInfo six = info;
  six.dof = 6;
  six.torque_limit = 0.2;
  tacGuardDef def = tac_guard_def_default(&six, period);
  def.ramp_in = 0.0;
  return def;
}

/* A rotational spring gives 0.05 N m on the way in and 0.1 N m on the way out. The torque of the damper reaches the torque
 * limit of 0.2 N m after 50 ticks at the earliest. */
TAC_TEST(damping_torque_rises_in_proportion_to_the_torque_limit) {
  tacGuardDef def = six_degrees();
  def.force_rate = 1e6;
  TAC_FREED(loop_end, Loop, loop) = loop_begin(&def, 1000.0);
  double before = 0.0;
  for (int i = 0; i <= 90; ++i) {
    tacDeviceState read = at(0.0);
    tac_quat_put(tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.002 * (i <= 30 ? -i : i - 60)), read.orientation);
    ck_assert_int_eq(tac_guard_read(loop.guard, TAC_DEVICE_FINE, &read, &loop.state), TAC_FAULT_NONE);
    double asked = i <= 30 ? 0.05 : 0.1;
    tac_guard_write(loop.guard, (tacVec3){0}, tac_vec3(0.0, asked, 0.0), &loop.safe);
    double damper = asked - loop.safe.torque.y;
    ck_assert_double_le(damper, before + 0.2 / 50.0 + 1e-12);
    before = damper;
  }
  ck_assert_double_gt(before, 0.01);
}

/* ---- faults ---- */

TAC_TEST(a_force_or_torque_that_is_not_finite_is_never_given) {
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int c = 0; c < 6; ++c) {
    TAC_FREED(loop_end, Loop, loop) = loop_at_once(1000.0);
    for (int i = 0; i < 20; ++i) tick_at(&loop, -0.002);
    tacDeviceState read = at(-0.002);
    tacVec3 force = tac_vec3(0.0, 0.0, 2.0), torque = {0};
    if (c < 3)
      force.y = bad[c];
    else
      torque.x = bad[c - 3];
    ck_assert_int_eq(tac_guard_read(loop.guard, TAC_DEVICE_FINE, &read, &loop.state), TAC_FAULT_NONE);
    tac_guard_write(loop.guard, force, torque, &loop.safe);
    ck_assert_int_eq(loop.safe.fault, TAC_FAULT_FORCE_NOT_FINITE);
    check_ramp_out(&loop, 2.0, TAC_DEVICE_FINE, &read);
  }
}

/* Among them a jump by 120 mm into the wall: 122 N, if nobody guards the hand. */
TAC_TEST(a_missing_guard_or_state_is_a_lost_device) {
  TAC_FREED(loop_end, Loop, loop) = loop_at_once(1000.0);
  tacDeviceState read = at(0.0), state;
  ck_assert_int_eq(tac_guard_read(NULL, TAC_DEVICE_FINE, &read, &state), TAC_FAULT_DEVICE_LOST);
  ck_assert_int_eq(tac_guard_read(loop.guard, TAC_DEVICE_FINE, &read, NULL), TAC_FAULT_DEVICE_LOST);
}

TAC_TEST(every_device_fault_ramps_its_force_to_zero_and_is_reported) {
  tacDeviceState fine = at(-0.002), not_finite = fine, longer = fine, elsewhere = at(-0.122);
  not_finite.position.x = NAN;
  longer.orientation[3] = 0.1;
  const struct {
    tacDeviceHealth health;
    const tacDeviceState *read;
    int after; /* ticks from the event to the fault */
    tacFault fault;
    const char *text;
  } cases[] = {{TAC_DEVICE_LOST, NULL, 0, TAC_FAULT_DEVICE_LOST, "was lost"},
               {(tacDeviceHealth)77, &fine, 0, TAC_FAULT_DEVICE_LOST, "was lost"},
               {TAC_DEVICE_LATE, NULL, 20, TAC_FAULT_DEVICE_LATE, "sent no new state for 21 ticks (at most 20)"},
               {TAC_DEVICE_FINE, &elsewhere, 0, TAC_FAULT_DEVICE_JUMPED, "jumped 0.12 m in one tick (at most 5 m/s)"},
               {TAC_DEVICE_FINE, &not_finite, 0, TAC_FAULT_DEVICE_NOT_FINITE,
                "sent a state that is NaN or infinite, or not a unit quaternion"},
               {TAC_DEVICE_FINE, &longer, 0, TAC_FAULT_DEVICE_NOT_FINITE,
                "sent a state that is NaN or infinite, or not a unit quaternion"},
               {TAC_DEVICE_FINE, NULL, 0, TAC_FAULT_DEVICE_NOT_FINITE,
                "sent a state that is NaN or infinite, or not a unit "
                "quaternion"}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    TAC_FREED(loop_end, Loop, loop) = loop_at_once(1000.0);
    for (int i = 0; i < 30; ++i) tick(&loop, TAC_DEVICE_FINE, &fine);
    for (int i = 0; i <= cases[c].after; ++i) {
      ck_assert_double_eq(loop.safe.force.z, 2.0);
      tacFault fault = tick(&loop, cases[c].health, cases[c].read);
      ck_assert_int_eq(fault, i < cases[c].after ? TAC_FAULT_NONE : cases[c].fault);
    }
    ck_assert_mem_eq(&loop.state.position, &fine.position, sizeof fine.position); /* the last good one */
    ck_assert_int_eq(loop.world.steps, 30 + cases[c].after);                      /* the world sees no other */
    char text[128];
    tac_guard_fault_text(loop.guard, text, sizeof text);
    ck_assert_str_eq(text, cases[c].text);
    ck_assert_int_eq(tac_guard_report(loop.guard).fault_tick, 30 + cases[c].after);
    check_ramp_out(&loop, 2.0, cases[c].health, cases[c].read);
  }
}

/* 6 mm are too far for a tick, not for two: whether the device sent nothing, or nobody read it. */
TAC_TEST(a_device_may_move_on_while_it_is_late_or_not_read) {
  for (int skipped = 0; skipped < 2; ++skipped) {
    TAC_FREED(loop_end, Loop, loop) = loop_at_once(1000.0);
    for (int i = 0; i < 40; ++i) {
      if (skipped)
        tac_guard_skip(loop.guard, 1);
      else
        tick(&loop, TAC_DEVICE_LATE, NULL);
      ck_assert_int_eq(tick_at(&loop, i % 2 == 0 ? 0.0 : -0.006), TAC_FAULT_NONE);
    }
    ck_assert_int_eq(tick_at(&loop, 0.0), TAC_FAULT_DEVICE_JUMPED);
  }
}

/* The limit is where it is said to be, in one tick, in several, and with what the encoder may be off: 5 mm a tick, and a count. */
TAC_TEST(a_jump_is_motion_above_the_speed_limit) {
  tacGuardDef def = tac_guard_def_default(&info, period);
  const double speeds[] = {5.0, 0.2}, resolutions[] = {0.0, 3e-5};
  for (int s = 0; s < 2; ++s)
    for (int r = 0; r < 2; ++r)
      for (int waited = 1; waited < 4; ++waited)
        for (int beyond = 0; beyond < 2; ++beyond) {
          if (s > 0) def.speed_limit = speeds[s]; /* the first is the default */
          def.resolution = resolutions[r];
          TAC_FREED(loop_end, Loop, loop) = loop_begin(&def, 1.0);
          ck_assert_int_eq(tick_at(&loop, 0.0), TAC_FAULT_NONE);
          for (int i = 1; i < waited; ++i) tick(&loop, TAC_DEVICE_LATE, NULL);
          double way = (speeds[s] * period * waited + resolutions[r]) * (1.0 + (beyond ? 1e-6 : -1e-6));
          ck_assert_int_eq(tick_at(&loop, way), beyond ? TAC_FAULT_DEVICE_JUMPED : TAC_FAULT_NONE);
        }
}

/* Of a device at the origin. */
static tacFault tick_turned(Loop *loop, tacQuat q) {
  tacDeviceState read = at(0.0);
  tac_quat_put(q, read.orientation);
  return tick(loop, TAC_DEVICE_FINE, &read);
}

/* 0.05 rad a tick, in one tick, in several, and after the orientation stayed the same. */
TAC_TEST(a_jump_is_a_rotation_above_the_turn_limit) {
  const double limits[] = {50.0, 4.0};
  const tacVec3 axis = {2.0, -1.0, 2.0};
  for (int l = 0; l < 2; ++l)
    for (int same = 0; same < 2; ++same) /* the states before are late, or of the same orientation */
      for (int waited = 1; waited < 30; waited += waited < 20 ? 1 : 3)
        for (int beyond = 0; beyond < 2; ++beyond) {
          tacGuardDef def = tac_guard_def_default(&info, period);
          if (l > 0) def.turn_limit = limits[l]; /* the first is the default */
          TAC_FREED(loop_end, Loop, loop) = loop_begin(&def, 1.0);
          ck_assert_int_eq(tick_turned(&loop, tac_quat_from_axis_angle(axis, 1.0)), TAC_FAULT_NONE);
          if (!same && waited > 20) continue;
          for (int i = 1; i < waited; ++i) {
            if (same)
              tick_turned(&loop, tac_quat_from_axis_angle(axis, 1.0));
            else
              tick(&loop, TAC_DEVICE_LATE, NULL);
          }
          double way = limits[l] * period * (waited < 21 ? waited : 21) * (1.0 + (beyond ? 1e-6 : -1e-6));
          tacFault fault = tick_turned(&loop, tac_quat_from_axis_angle(axis, 1.0 + way));
          ck_assert_int_eq(fault, beyond ? TAC_FAULT_DEVICE_JUMPED : TAC_FAULT_NONE);
          fault = tick_turned(&loop, tac_quat_from_axis_angle(axis, 1.0 + way + 0.06));
          ck_assert_int_eq(fault, TAC_FAULT_DEVICE_JUMPED); /* the allowance is used up */
        }
}

TAC_TEST(a_rotation_by_half_a_turn_is_a_fault_and_a_change_of_sign_is_none) {
  TAC_FREED(loop_end, Loop, loop) = loop_at_once(1000.0);
  for (int i = 0; i < 500; ++i) { /* 40 rad/s, through whole turns, with random signs */
    tacQuat q = tac_quat_from_axis_angle(tac_vec3(1.0, 2.0, 3.0), 0.04 * i);
    ck_assert_int_eq(tick_turned(&loop, i % 3 == 1 ? tac_quat(-q.w, -q.x, -q.y, -q.z) : q), TAC_FAULT_NONE);
  }
  tacDeviceState last = loop.state;
  tacQuat half = tac_quat_mul(tac_quat(0.0, 1.0, 0.0, 0.0), tac_quat_of(last.orientation));
  ck_assert_int_eq(tick_turned(&loop, half), TAC_FAULT_DEVICE_JUMPED);
  ck_assert_mem_eq(loop.state.orientation, last.orientation, sizeof last.orientation);
  char text[128];
  tac_guard_fault_text(loop.guard, text, sizeof text);
  ck_assert_str_eq(text, "turned 3.14 rad in one tick (at most 50 rad/s)");
}

/* Presses of 25 ms pass as they are; shorter ones leave the button as it was. A lift is set at once, and only its end waits. */
TAC_TEST(a_button_that_chatters_keeps_its_value) {
  const uint32_t bits[] = {TAC_BUTTON_INDEX, TAC_BUTTON_GRAB, TAC_BUTTON_LIFT};
  for (int b = 0; b < 3; ++b)
    for (int length = 1; length <= 25; length += 6) {
      TAC_FREED(loop_end, Loop, loop) = loop_at_once(1000.0);
      tacDeviceState read = at(0.0);
      for (int i = 0; i < 400; ++i) {
        bool pressed = i >= 50 && i < 300 && (i - 50) / length % 2 == 0; /* the last change is at 300 at the latest */
        read.buttons = (pressed ? bits[b] : 0u) | TAC_BUTTON_GRIP(i % 256);
        tick(&loop, TAC_DEVICE_FINE, &read);
        ck_assert_uint_eq(TAC_BUTTON_GRIP_OF(loop.state.buttons), i % 256); /* the jaws' motor limits its speed */
        bool chatters = i >= 50 && i < 320 && length < 20;
        if (chatters && i >= 300) continue; /* until it has been still */
        ck_assert_msg(((loop.state.buttons & bits[b]) != 0) == (chatters || pressed), "button %u, %d ms, tick %d",
                      bits[b], length, i);
      }
    }
}

/* As many ticks without a state as are allowed, and one more; a state between them begins to count anew. */
TAC_TEST(a_device_is_late_only_after_the_limit) {
  for (int limit = 0; limit < 3; ++limit) {
    tacGuardDef def = tac_guard_def_default(&info, period);
    def.late_limit = limit;
    TAC_FREED(loop_end, Loop, loop) = loop_begin(&def, 1.0);
    for (int round = 0; round < 5; ++round) {
      ck_assert_int_eq(tick_at(&loop, 0.0), TAC_FAULT_NONE);
      for (int i = 0; i < limit; ++i) ck_assert_int_eq(tick(&loop, TAC_DEVICE_LATE, NULL), TAC_FAULT_NONE);
    }
    ck_assert_int_eq(tick(&loop, TAC_DEVICE_LATE, NULL), TAC_FAULT_DEVICE_LATE);
  }
}

/* ---- ramps ---- */

TAC_TEST(forces_ramp_in_pause_and_end_along_the_ramp) {
  tacGuardDef def = tac_guard_def_default(&info, period);
  def.ramp_in = 0.2;
  TAC_FREED(loop_end, Loop, loop) = loop_begin(&def, 1000.0);
  for (int i = 0; i < 900; ++i) {
    if (i == 300) tac_guard_pause(loop.guard, true);
    if (i == 400) tac_guard_pause(loop.guard, false);
    if (i == 700) tac_guard_stop(loop.guard);
    ck_assert_int_eq(tick_at(&loop, -0.002), TAC_FAULT_NONE);
    double expected = i < 300   ? tac_ramp((i + 1) / 200.0)
                      : i < 400 ? tac_ramp(1.0 - (i - 299) / 50.0)
                      : i < 700 ? tac_ramp((i - 399) / 200.0)
                                : 1.0 - tac_ramp((i - 699) / 50.0);
    ck_assert_double_eq_tol(loop.safe.force.z, 2.0 * expected, 1e-12);
    ck_assert_int_eq(loop.safe.ended, i >= 749);
  }
  char text[8];
  tac_guard_fault_text(loop.guard, text, sizeof text);
  ck_assert_str_eq(text, "");
}

/* After a fault, and in the midst of a force: without a step. */
TAC_TEST(a_guard_begins_again_where_its_force_was) {
  TAC_FREED(loop_end, Loop, loop) = loop_at_once(1000.0);
  for (int i = 0; i < 20; ++i) tick_at(&loop, -0.005);
  ck_assert_int_eq(tick_at(&loop, -0.5), TAC_FAULT_DEVICE_JUMPED);
  for (int i = 0; i < 10; ++i) tick_at(&loop, -0.5);
  double before = loop.safe.force.z;
  ck_assert_double_gt(before, 4.0);
  tac_guard_reset(loop.guard);
  ck_assert_int_eq(tac_guard_report(loop.guard).fault, TAC_FAULT_NONE);
  ck_assert_int_eq(tick_at(&loop, 0.1), TAC_FAULT_NONE); /* where no force is */
  ck_assert_double_eq_tol(loop.safe.force.z, before - 0.5, 1e-12);
  for (int i = 0; i < 20; ++i) tick_at(&loop, 0.1);
  ck_assert_double_eq(loop.safe.force.z, 0.0);
  ck_assert_int_eq(tac_guard_report(loop.guard).ticks, 21);
}

/* A torque likewise: 0.15 N m fall by 0.5 N x 25 mm a tick. */
TAC_TEST(a_guard_begins_again_where_its_torque_was) {
  tacGuardDef def = six_degrees();
  TAC_FREED(loop_end, Loop, loop) = loop_begin(&def, 1000.0);
  tacDeviceState read = at(0.0);
  const tacVec3 force = {0.0, 0.0, 0.0};
  for (int i = 0; i < 60; ++i) {
    if (i == 40) tac_guard_reset(loop.guard);
    tac_guard_read(loop.guard, TAC_DEVICE_FINE, &read, &loop.state);
    tac_guard_write(loop.guard, force, tac_vec3(0.0, i < 40 ? 0.15 : 0.0, 0.0), &loop.safe);
    double expected = i < 40 ? fmin(0.15, 0.0125 * (i + 1)) : fmax(0.0, 0.15 - 0.0125 * (i - 39));
    ck_assert_double_eq_tol(loop.safe.torque.y, expected, 1e-12);
  }
}

/* ---- whatever comes ---- */

static double any_number(tacRandom *random) {
  double kind = tac_random_uniform(random, 0.0, 1.0);
  if (kind < 0.0003) return NAN;
  if (kind < 0.0006) return INFINITY;
  if (kind < 0.003) return tac_random_uniform(random, -1.0, 1.0) * 1e308;
  if (kind < 0.03) return tac_random_uniform(random, -1.0, 1.0) * 1e-310;
  return tac_random_uniform(random, -20.0, 20.0);
}

static tacVec3 any_vector(tacRandom *random) {
  double x = any_number(random), y = any_number(random), z = any_number(random);
  return tac_vec3(x, y, z);
}

TAC_TEST(force_is_finite_bounded_and_continuous_for_any_input) {
  tacRandom random = tac_random_seed(3);
  tacDeviceInfo six = info;
  six.dof = 6;
  six.torque_limit = 0.2;
  tacGuardDef def = tac_guard_def_default(&six, period);
  def.speed_limit = 100.0;
  def.ramp_in = 0.02;
  TAC_CREATE(tacGuard, guard, tac_guard_create(&def, &guard, &error));
  const double lever = 0.2 / 8.0;
  tacDeviceState read = at(0.0), state = at(0.0), last = state;
  tacGuardForce safe = {0}, before = safe;
  double most = 0.0;
  int faults = 0, count = tac_test_light() ? 20000 : 200000;
  for (int i = 0; i < count; ++i) {
    read.position = tac_vec3_mad(state.position, 1e-3, any_vector(&random));
    tacVec3 turn = tac_vec3_scale(1e-3, any_vector(&random));
    tacQuat q = tac_vec3_norm(turn) < 1.0
                    ? tac_quat_mul(tac_quat_from_rotation_vector(turn), tac_quat_of(state.orientation))
                    : tac_quat_identity();
    tac_quat_put(q, read.orientation);
    double kind = tac_random_uniform(&random, 0.0, 1.0);
    tac_guard_pause(guard, kind > 0.9);
    if (safe.ended) tac_guard_reset(guard);
    tac_guard_read(guard, kind < 0.3 ? TAC_DEVICE_LATE : TAC_DEVICE_FINE, &read, &state);
    tacVec3 force = any_vector(&random), torque = any_vector(&random);
    tac_guard_write(guard, force, torque, &safe);
    faults += safe.ended;
    ck_assert(tac_vec3_finite(state.position) && tac_vec3_finite(safe.force) && tac_vec3_finite(safe.torque));
    ck_assert_double_eq_tol(tac_quat_norm(tac_quat_of(state.orientation)), 1.0, 1e-12);
    ck_assert_double_le(tac_vec3_norm(safe.force), 8.0 * (1.0 + 1e-12));
    ck_assert_double_le(tac_vec3_norm(safe.torque), 0.2 * (1.0 + 1e-12));
    tacQuat turned = tac_quat_mul(tac_quat_of(state.orientation), tac_quat_conjugate(tac_quat_of(last.orientation)));
    double angle = 2.0 * atan2(tac_vec3_norm(tac_vec3(turned.x, turned.y, turned.z)), fabs(turned.w));
    double change = 0.5 + 3000.0 * (tac_vec3_distance(state.position, last.position) + lever * angle) + 1e-6;
    ck_assert_double_le(tac_vec3_distance(safe.force, before.force), change);
    ck_assert_double_le(tac_vec3_distance(safe.torque, before.torque), lever * change);
    ck_assert_double_le(tac_vec3_distance(safe.force, before.force), 3.5 + 1e-9); /* 0.5 N + 3000 N/m x 1 mm */
    ck_assert_double_le(tac_vec3_distance(safe.torque, before.torque), lever * 3.5 + 1e-9);
    most = fmax(most, tac_vec3_norm(safe.force));
    last = state;
    before = safe;
  }
  ck_assert_int_gt(faults, 10);
  ck_assert_double_gt(most, 7.9);
}

/* ---- the servo ---- */

/* An operator that meets with something at a tick. */
typedef struct Disturbed {
  tacDevice inner;
  int tick, event;
  tacFault kind;
} Disturbed;

static tacDeviceHealth disturbed_read(void *self, tacDeviceState *state) {
  Disturbed *d = self;
  tacDeviceHealth health = d->inner.driver->read(d->inner.self, state);
  int since = d->tick++ - d->event;
  if (since < 0 || health != TAC_DEVICE_FINE) return health;
  switch (d->kind) {
    case TAC_FAULT_DEVICE_LOST: return TAC_DEVICE_LOST;
    case TAC_FAULT_DEVICE_LATE: return TAC_DEVICE_LATE;
    case TAC_FAULT_DEVICE_JUMPED: state->position.y += 0.12; break;
    case TAC_FAULT_DEVICE_NOT_FINITE: state->position.y = NAN; break;
    default:
      if (since % 50 < 15) return TAC_DEVICE_LATE; /* now and then */
  }
  return health;
}

static void disturbed_write(void *self, tacVec3 force, tacVec3 torque) {
  Disturbed *d = self;
  d->inner.driver->write(d->inner.self, force, torque);
}

static const tacDeviceDriver disturbed_driver = {
    .abi = TAC_DEVICE_ABI, .name = "disturbed", .summary = "", .read = disturbed_read, .write = disturbed_write};

static Disturbed disturbed_open(const char *preset, tacFault kind) {
  Disturbed d = {.event = 600, .kind = kind}; /* in contact */
  tacOperatorDef hand = tac_test_made(tacOperatorDef, tac_operator_def_preset(preset, &made, &error));
  tac_test_ok(tac_device_operator_open(&hand, dive_path(0.018, 2.0), period, &d.inner, &error), error);
  return d;
}

static tacWorld late_wall(tacFault kind) {
  return (tacWorld){.period = period,
                    .tool_count = 1,
                    .stiffness = 1500.0,
                    .torque = 0.05,
                    .delay = 3,
                    .bad_at = kind == TAC_FAULT_FORCE_NOT_FINITE ? 600 : -1};
}

/* Two simulated hands, one in the servo and one in a loop of one's own: every bit of what they get is the same,
 * whatever happens. Each feels what it is given, so one bit would part them for good. */
TAC_TEST(a_custom_loop_equals_the_servo) {
  static tacRecorder recorder;
  const char *presets[] = {"premium-6", "omni"};
  for (int p = 0; p < 2; ++p)
    for (int kind = TAC_FAULT_NONE; kind <= TAC_FAULT_FORCE_NOT_FINITE; ++kind) {
      Disturbed inside = disturbed_open(presets[p], (tacFault)kind), own = disturbed_open(presets[p], (tacFault)kind);
      tacDevice device = {.driver = &disturbed_driver, .self = &inside, .info = inside.inner.info};
      tacWorld world = late_wall((tacFault)kind);
      tacServoDef servo_def = tac_servo_def_default();
      servo_def.real_time = false;
      tacServo *servo = NULL;
      recorder.count = 0;
      tac_test_ok(tac_servo_create(&world, 1, &device, NULL, &servo_def, &recorder, &servo, &error), error);
      tac_test_ok(tac_servo_start(servo, &error), error);
      for (int i = 0; tac_servo_running(servo); ++i) {
        ck_assert_msg(i < 600000, "the servo does not end");
        usleep(1000);
      }
      tac_servo_stop(servo);
      tacServoReport report = tac_servo_report(servo);
      ck_assert_int_eq(report.fault, kind);

      tacGuardDef def = tac_guard_def_default(&own.inner.info, period);
      TAC_FREED(loop_end, Loop, loop) = {.world = late_wall((tacFault)kind)};
      tac_test_ok(tac_guard_create(&def, &loop.guard, &error), error);
      for (int i = 0; i < recorder.count; ++i) {
        tacDeviceState read;
        tacDeviceHealth health = disturbed_read(&own, &read);
        tick(&loop, health, &read);
        disturbed_write(&own, loop.safe.force, loop.safe.torque);
        const tacToolRecord *r = &recorder.records[i].tool[0];
        ck_assert(loop.safe.force.x == r->written.x && loop.safe.force.y == r->written.y &&
                  loop.safe.force.z == r->written.z);
        ck_assert(loop.safe.torque.x == r->written_torque.x && loop.safe.torque.y == r->written_torque.y &&
                  loop.safe.torque.z == r->written_torque.z);
        ck_assert_int_eq(loop.safe.damped, (recorder.records[i].flags & TAC_TICK_DAMPED) != 0);
        ck_assert_int_eq(loop.safe.ended, i == recorder.count - 1);
      }
      tacGuardReport mine = tac_guard_report(loop.guard);
      ck_assert_int_eq(mine.ticks, report.ticks);
      ck_assert_int_eq(mine.fault, report.fault);
      ck_assert_int_eq(mine.fault_tick, report.fault_tick);
      ck_assert_int_eq(mine.damped, report.damped);
      ck_assert_int_eq(mine.limited_force, report.limited_force);
      ck_assert_int_eq(mine.limited_rate, report.limited_rate);
      ck_assert_double_eq(mine.force_max, report.force_max[0]);
      ck_assert_double_gt(mine.force_max, 1.0);
      ck_assert_double_eq(mine.force_step_max, report.force_step_max[0]);
      ck_assert_double_eq(mine.energy_absorbed, report.energy_absorbed[0]);
      ck_assert_double_eq(mine.energy_least, report.energy_least[0]);
      ck_assert_double_eq(mine.work, report.work[0]);
      tac_servo_destroy(servo);
      tac_device_close(&inside.inner);
      tac_device_close(&own.inner);
    }
}

/* ---- refusals ---- */

TAC_TEST(impossible_guards_are_refused) {
  tacGuard *guard = NULL;
  tacGuardDef good = tac_guard_def_default(&info, period), def = tac_guard_def_default(NULL, 0.001);
  ck_assert_int_eq(tac_guard_create(NULL, &guard, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "tac_guard_create: `def` is NULL");
  ck_assert_int_eq(tac_guard_create(&good, NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_guard_create(NULL, NULL, NULL), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_guard_create(&def, &guard, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(
      error.text,
      "guard: force_limit is 0 N; it must be 1e-09 to 1e+09; it has no default: set the limit of the device");
  def = tac_guard_def_default(NULL, period);
  ck_assert_int_eq(tac_guard_create(&def, &guard, &error), TAC_ERR_ARGUMENT);
  double *fields[] = {&def.period,      &def.force_limit, &def.stiffness_limit, &def.torque_limit,
                      &def.resolution,  &def.start.y,     &def.ramp_in,         &def.ramp_out,
                      &def.speed_limit, &def.turn_limit,  &def.force_rate};
  const double values[] = {NAN, -1.0, INFINITY};
  for (size_t f = 0; f < sizeof fields / sizeof *fields; ++f)
    for (int v = 0; v < 3; ++v) {
      def = good;
      *fields[f] = values[v];
      if (fields[f] == &def.start.y && v == 1) continue; /* may be anywhere */
      ck_assert_int_eq(tac_guard_create(&def, &guard, &error), TAC_ERR_ARGUMENT);
      ck_assert_ptr_null(guard);
    }
  def = good;
  def.late_limit = -1;
  ck_assert_int_eq(tac_guard_create(&def, &guard, &error), TAC_ERR_ARGUMENT);
  tac_guard_destroy(NULL);
}
