/* Faulty devices in a closed loop of six degrees of freedom: servo, guard, a wall that is a spring, and a simulated hand that
 * feels what is written. Each fault has a name and a ramp to zero, or forces stay within the bounds of guard.h. */
#include "math/random.h"
#include "script_device.h"

TAC_TEST_AROUND(begin, end)

enum { EVENT = 600 /* tick of the fault, in contact */, MOST_DELAY = 15 };

typedef struct Faulty Faulty;
/* Changes the state that the device reports. `axis`: 0 to 2 translation, 3 to 5 rotation. `since`: ticks since EVENT. */
typedef void Spoil(Faulty *f, int axis, int since, tacDeviceState *state);

struct Faulty {
  tacDevice inner;
  Spoil *spoil;
  int axis, tick;
  tacDeviceState frozen, past[MOST_DELAY];
  tacRandom random;
};

static void shift(tacDeviceState *state, int axis, double way) {
  double *position[] = {&state->position.x, &state->position.y, &state->position.z};
  if (axis < 3) {
    *position[axis] += way;
    return;
  }
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(axis == 3, axis == 4, axis == 5), way);
  tac_quat_put(tac_quat_mul(turn, tac_quat_of(state->orientation)), state->orientation);
}

static double *number(tacDeviceState *state, int axis) {
  double *numbers[] = {&state->position.x,     &state->position.y,     &state->position.z,
                       &state->orientation[1], &state->orientation[2], &state->orientation[3]};
  return numbers[axis];
}

/* ---- faults ---- */

static void works(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f, (void)axis, (void)since, (void)state;
}

static void freezes(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)axis;
  if (since == 0) f->frozen = *state;
  *state = f->frozen;
}

static void jumps(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f;
  shift(state, axis, since % 2 == 0 ? 0.12 : 0.0);
}

/* Back and forth below the limits of 5 m/s and 50 rad/s; the hand moves, too. */
static void shakes(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f;
  shift(state, axis, (since % 2 == 0 ? 0.5 : -0.5) * (axis < 3 ? 4.5e-3 : 0.03));
}

/* Rests for 20 ms, then goes as far as the limits allow for the orientation. */
static void rests_and_turns(Faulty *f, int axis, int since, tacDeviceState *state) {
  freezes(f, axis, since, state);
  shift(state, axis, since / 20 % 2 == 0 ? 0.0 : axis < 3 ? 4.5e-3 : 0.95);
}

/* Slowly becomes its mirror image, as an axis of the wrong sign is: what it does drives it on. */
static void is_mirrored(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f;
  double share = since < 200 ? 1.0 - 0.01 * since : -1.0;
  if (axis < 3) {
    *number(state, axis) *= share;
    return;
  }
  tacVec3 turn = tac_quat_to_rotation_vector(tac_quat_of(state->orientation));
  double *component[] = {&turn.x, &turn.y, &turn.z};
  *component[axis - 3] *= share;
  tac_quat_put(tac_quat_from_rotation_vector(turn), state->orientation);
}

static void is_delayed(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)axis;
  tacDeviceState now = *state;
  if (since >= MOST_DELAY)
    *state = f->past[since % MOST_DELAY];
  else if (since > 0)
    *state = f->past[0];
  f->past[since % MOST_DELAY] = now;
}

static void is_noisy(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)since;
  shift(state, axis, tac_random_uniform(&f->random, -1.0, 1.0) * (axis < 3 ? 2e-3 : 0.02));
}

static void is_nan(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f, (void)since;
  *number(state, axis) = NAN;
}

static void is_infinite(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f, (void)since;
  *number(state, axis) = -INFINITY;
}

static void is_no_unit_quaternion(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f, (void)since;
  if (axis < 3)
    memset(state->orientation, 0, sizeof state->orientation);
  else
    *number(state, axis) += 0.5;
}

/* A counter of 16 bits at 30 um, and a joint that is off by half a turn. */
static void wraps(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f, (void)since;
  shift(state, axis, axis < 3 ? 65536.0 * 3e-5 : 3.14159265358979);
}

static void flips(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f;
  shift(state, 3 + axis % 3, since % 2 == 0 ? 3.14159265358979 : 0.0);
}

static void changes_sign(Faulty *f, int axis, int since, tacDeviceState *state) {
  (void)f, (void)axis;
  for (int i = 0; since % 2 == 0 && i < 4; ++i) state->orientation[i] = -state->orientation[i];
}

/* One button, a pair of buttons, and all bits. */
static void chatters(Faulty *f, int axis, int since, tacDeviceState *state) {
  const uint32_t bits[] = {TAC_BUTTON_INDEX, TAC_BUTTON_LIFT, TAC_BUTTON_GRAB, TAC_BUTTON_GRIP(since * 37 % 256), 5u,
                           UINT32_MAX};
  state->buttons = axis < 3 || since % 2 == 0 ? bits[axis] : 0u;
  if (tac_random_uniform(&f->random, 0.0, 1.0) < 0.5) state->buttons = 0;
}

/* ---- the loop ---- */

static tacDeviceHealth faulty_read(void *self, tacDeviceState *state) {
  Faulty *f = self;
  tacDeviceHealth health = f->inner.driver->read(f->inner.self, state);
  int since = f->tick++ - EVENT;
  if (since >= 0 && health == TAC_DEVICE_FINE) f->spoil(f, f->axis, since, state);
  return health;
}

static void faulty_write(void *self, tacVec3 force, tacVec3 torque) {
  Faulty *f = self;
  f->inner.driver->write(f->inner.self, force, torque);
}

static const tacDeviceDriver faulty_driver = {
    .abi = TAC_DEVICE_ABI, .name = "faulty", .summary = "", .read = faulty_read, .write = faulty_write};

/* Dives into the wall and turns by 0.3 rad about all axes. */
static tacTrajectory *path(void) {
  tacTrajectoryPoint points[5] = {{.position = {0.0, 0.0, 0.01}},
                                  {.position = {0.01, 0.0, -0.008}},
                                  {.position = {0.02, 0.01, 0.002}},
                                  {.position = {0.01, 0.01, -0.008}},
                                  {.position = {0.0, 0.0, 0.01}}};
  for (int i = 0; i < 5; ++i) {
    points[i].time = 0.4 * i;
    double angle = i % 2 == 1 ? 0.3 : 0.0;
    tac_quat_put(tac_quat_from_rotation_vector(tac_vec3(angle, -angle, angle)), points[i].orientation);
  }
  return tac_test_made(tacTrajectory *, tac_trajectory_create(5, points, true, &made, &error));
}

/* The bounds of guard.h. */
static void check_bounds(const tacDeviceInfo *info) {
  const double lever = info->torque_limit / info->force_limit;
  const double ramp = info->force_limit * fmin(1.0, 1.5 * period / def.ramp_out);
  const double step = fmax(period * (def.force_rate + info->stiffness_limit * 1.0), ramp);
  tacVec3 force = {0.0, 0.0, 0.0}, torque = force;
  for (int i = 0; i < recorder.count; ++i) {
    const tacToolRecord *r = &recorder.records[i].tool[0];
    ck_assert(tac_vec3_finite(r->written) && tac_vec3_finite(r->written_torque));
    ck_assert_double_le(tac_vec3_norm(r->written), info->force_limit * (1.0 + 1e-12));
    ck_assert_double_le(tac_vec3_norm(r->written_torque), info->torque_limit * (1.0 + 1e-12));
    ck_assert_double_le(tac_vec3_distance(r->written, force), step * (1.0 + 1e-12));
    ck_assert_double_le(tac_vec3_distance(r->written_torque, torque), lever * step * (1.0 + 1e-12));
    force = r->written;
    torque = r->written_torque;
  }
  ck_assert_double_eq(tac_vec3_norm(force) + tac_vec3_norm(torque), 0.0); /* it ends with the ramp to zero */
}

static tacServoReport run_faulty(const char *preset, Spoil *spoil, int axis) {
  static Faulty faulty;
  faulty = (Faulty){.spoil = spoil, .axis = axis, .random = tac_random_seed(5)};
  tacOperatorDef hand = tac_test_made(tacOperatorDef, tac_operator_def_preset(preset, &made, &error));
  tac_test_ok(tac_device_operator_open(&hand, path(), period, &faulty.inner, &error), error);
  tacDevice spoiled = {.driver = &faulty_driver, .self = &faulty, .info = faulty.inner.info};
  world = wall(1);
  world.stiffness = 0.6 * spoiled.info.stiffness_limit;
  world.turn_stiffness = 5.0 * spoiled.info.torque_limit;
  def.passivity = true;
  tacServoReport report = run(&spoiled, NULL);
  check_bounds(&spoiled.info);
  tac_device_close(&faulty.inner);
  return report;
}

TAC_TEST(faults_of_a_device_are_named_or_within_bounds) {
  const struct {
    const char *name;
    Spoil *spoil;
    tacFault fault;
    bool drives; /* forces may drive the handle beyond a limit of speed, which is a fault, too */
  } cases[] = {{"works", works, TAC_FAULT_NONE, false},
               {"freezes", freezes, TAC_FAULT_NONE, false},
               {"jumps", jumps, TAC_FAULT_DEVICE_JUMPED, false},
               {"shakes", shakes, TAC_FAULT_NONE, true},
               {"rests and turns", rests_and_turns, TAC_FAULT_NONE, true},
               {"is mirrored", is_mirrored, TAC_FAULT_NONE, true},
               {"is delayed", is_delayed, TAC_FAULT_NONE, true},
               {"is noisy", is_noisy, TAC_FAULT_NONE, true},
               {"is nan", is_nan, TAC_FAULT_DEVICE_NOT_FINITE, false},
               {"is infinite", is_infinite, TAC_FAULT_DEVICE_NOT_FINITE, false},
               {"is no unit quaternion", is_no_unit_quaternion, TAC_FAULT_DEVICE_NOT_FINITE, false},
               {"wraps", wraps, TAC_FAULT_DEVICE_JUMPED, false},
               {"flips", flips, TAC_FAULT_DEVICE_JUMPED, false},
               {"changes sign", changes_sign, TAC_FAULT_NONE, false},
               {"chatters", chatters, TAC_FAULT_NONE, false}};
  const char *presets[] = {"premium-6", "virtuose-6"};
  for (int p = 0; p < 2; ++p)
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
      for (int axis = 0; axis < 6; ++axis) {
        tacServoReport report = run_faulty(presets[p], cases[c].spoil, axis);
        bool driven = cases[c].drives && report.fault == TAC_FAULT_DEVICE_JUMPED;
        ck_assert_msg(report.fault == cases[c].fault || driven, "%s, %s, axis %d: fault %d at tick %d, %s", presets[p],
                      cases[c].name, axis, (int)report.fault, (int)report.fault_tick, fault_text);
        ck_assert_double_gt(report.force_max[0], 1.0);
        if (cases[c].spoil == chatters) /* 88 mJ if each change of a button counted */
          ck_assert_double_lt(report.written[0].second.energy, 1e-4);
        if (cases[c].fault == TAC_FAULT_NONE) continue;
        ck_assert_int_eq(report.fault_tick, EVENT);
        ck_assert_int_eq(report.ticks, EVENT + 50); /* with the ramp to zero */
      }
}

/* q and -q are one rotation: every bit of what is written is the same. */
TAC_TEST(signs_of_quaternions_do_not_matter) {
  static tacRecorder as_is;
  run_faulty("virtuose-6", works, 0);
  as_is = recorder;
  run_faulty("virtuose-6", changes_sign, 0);
  ck_assert_int_eq(recorder.count, as_is.count);
  for (int i = 0; i < recorder.count; ++i) {
    const tacToolRecord *a = &as_is.records[i].tool[0], *b = &recorder.records[i].tool[0];
    ck_assert_double_eq(tac_vec3_distance(a->written, b->written), 0.0);
    ck_assert_double_eq(tac_vec3_distance(a->written_torque, b->written_torque), 0.0);
  }
}
