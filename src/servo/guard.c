#include <tactus/guard.h>

#include <stdio.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "servo/force_limits.h"
#include "servo/guard.h"
#include "servo/passivity.h"
#include "servo/ramp.h"

static const double unit_tolerance = 1e-3; /* largest error of the norm of a device's quaternion */
static const double same_angle = 1e-9;     /* rad, rounding error between two states of the same orientation */
static const double bounce_time = 0.02;    /* s without a change after which a button no longer bounces */

enum { BUTTON_COUNT = 8 }; /* number of the bits below TAC_BUTTON_GRIP */

struct tacGuard {
  tacGuardDef def;
  tacForceLimits limits;
  tacPassivity passivity;
  tacDeviceState state;                 /* last valid state */
  bool seen, done;                      /* a valid state was read; the device is done */
  int64_t late;                         /* number of ticks in a row without a new state */
  int64_t waited;                       /* number of periods since the last valid state */
  int64_t turn_waited;                  /* number of periods since the orientation last changed */
  uint32_t buttons_read;                /* buttons of the last valid state, before debouncing */
  int64_t button_bounces[BUTTON_COUNT]; /* number of periods for which a button still counts as bouncing */
  bool paused;
  double presence;               /* progress of the ramp in, 0 to 1 */
  tacVec3 force, torque;         /* force and torque of the last write */
  int64_t ramp_tick, ramp_ticks; /* ramp to zero: elapsed ticks (-1 before the ramp); length in ticks */
  tacVec3 force_before_ramp, torque_before_ramp;
  double fault_value; /* value that caused the fault, m, rad or ticks; see tac_guard_fault_text */
  bool fault_turned;  /* the jump is a rotation */
  tacGuardReport report;
};

const char *tac_fault_name(tacFault fault) {
  switch (fault) {
    case TAC_FAULT_NONE: return "none";
    case TAC_FAULT_DEVICE_LOST: return "device lost";
    case TAC_FAULT_DEVICE_LATE: return "device late";
    case TAC_FAULT_DEVICE_JUMPED: return "device jumped";
    case TAC_FAULT_DEVICE_NOT_FINITE: return "device state not finite";
    case TAC_FAULT_FORCE_NOT_FINITE: return "force not finite";
  }
  return "unknown";
}

/* ---- creation ---- */

tacGuardDef tac_guard_def_default(const tacDeviceInfo *info, double period) {
  tacGuardDef def = {.period = period,
                     .ramp_in = 0.5,
                     .ramp_out = 0.05,
                     .speed_limit = 5.0,
                     .turn_limit = 50.0,
                     .late_limit = 20,
                     .force_rate = 500.0,
                     .passivity = true};
  if (info == NULL) return def;
  def.force_limit = info->force_limit;
  def.stiffness_limit = info->stiffness_limit;
  def.torque_limit = info->dof == 6 ? info->torque_limit : 0.0;
  def.resolution = info->resolution;
  return def;
}

static tacStatus check_def(const tacGuardDef *def, tacError *error) {
  const struct {
    const char *name, *unit;
    double value, least, most;
  } fields[] = {{"period", " s", def->period, 1e-5, 0.1},
                {"force_limit", " N", def->force_limit, 1e-9, 1e9},
                {"stiffness_limit", " N/m", def->stiffness_limit, 1e-9, 1e12},
                {"torque_limit", " N m", def->torque_limit, 0.0, 1e9},
                {"resolution", " m", def->resolution, 0.0, 1.0},
                {"ramp_in", " s", def->ramp_in, 0.0, 60.0},
                {"ramp_out", " s", def->ramp_out, 0.0, 60.0},
                {"speed_limit", " m/s", def->speed_limit, 1e-6, 1e6},
                {"turn_limit", " rad/s", def->turn_limit, 1e-6, 1e6},
                {"late_limit", "", def->late_limit, 0.0, 1e9},
                {"force_rate", " N/s", def->force_rate, 0.0, 1e9}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    if (!(fields[i].value >= fields[i].least && fields[i].value <= fields[i].most))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "guard: %s is %g%s; it must be %g to %g%s", fields[i].name,
                           fields[i].value, fields[i].unit, fields[i].least, fields[i].most,
                           fields[i].least == 1e-9 ? "; it has no default: set the limit of the device" : "");
  if (!tac_vec3_finite(def->start))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "guard: start is NaN or infinite; it must be finite");
  return TAC_OK;
}

void tac_guard_reset(tacGuard *g) {
  if (g == NULL) return;
  const tacGuardDef *def = &g->def;
  *g = (tacGuard){.def = *def,
                  .limits = {.force = def->force_limit,
                             .torque = def->torque_limit,
                             .stiffness = def->stiffness_limit,
                             .step = def->force_rate * def->period,
                             .motion = TAC_FORCE_LIMITS_SPEED * def->period,
                             .last_force = g->force,
                             .last_torque = g->torque},
                  .passivity = tac_passivity_begin(def->period, def->stiffness_limit, def->force_limit,
                                                   def->torque_limit / def->force_limit, def->resolution),
                  .state = {.position = def->start, .orientation = {1.0, 0.0, 0.0, 0.0}},
                  .force = g->force,
                  .torque = g->torque,
                  .ramp_tick = -1,
                  .ramp_ticks = tac_ramp_ticks(def->ramp_out, def->period),
                  .report.fault_tick = -1};
}

tacStatus tac_guard_create(const tacGuardDef *def, tacGuard **guard, tacError *error) {
  TAC_REQUIRE(error, guard);
  *guard = NULL;
  TAC_REQUIRE(error, def);
  TAC_TRY(check_def(def, error));
  tacGuard *made = tac_array_create(1, sizeof *made, "a guard", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->def = *def;
  tac_guard_reset(made);
  *guard = made;
  return TAC_OK;
}

void tac_guard_destroy(tacGuard *guard) {
  free(guard);
}

/* ---- ticks ---- */

void tac_guard_stop(tacGuard *g) {
  if (g == NULL || g->ramp_tick >= 0) return;
  g->ramp_tick = 0;
  g->force_before_ramp = g->force;
  g->torque_before_ramp = g->torque;
}

/* Stores the first fault and starts the ramp to zero. Later faults often follow from the first fault and are
 * ignored. */
static void raise_fault(tacGuard *g, tacFault fault, double value, bool turned) {
  if (g->report.fault != TAC_FAULT_NONE) return;
  g->report.fault = fault;
  g->report.fault_tick = g->report.ticks;
  g->fault_value = value;
  g->fault_turned = turned;
  tac_guard_stop(g);
}

/* Returns the angle between two orientations, rad, 0 to pi. */
static double angle_between(const double a[4], const double b[4]) {
  return tac_vec3_norm(tac_quat_to_rotation_vector(tac_quat_mul(tac_quat_of(a), tac_quat_conjugate(tac_quat_of(b)))));
}

/* Returns the fault of a state as read. `value` receives the value that caused the fault, and `turned` whether it is an
 * angle, for the message. */
static tacFault judge(const tacGuard *g, tacDeviceHealth health, const tacDeviceState *read, double *value,
                      bool *turned) {
  if (health == TAC_DEVICE_LATE) {
    *value = (double)g->late;
    return g->late > g->def.late_limit ? TAC_FAULT_DEVICE_LATE : TAC_FAULT_NONE;
  }
  if (health != TAC_DEVICE_FINE) return TAC_FAULT_DEVICE_LOST;
  if (read == NULL || !tac_vec3_finite(read->position) ||
      !(fabs(tac_quat_norm(tac_quat_of(read->orientation)) - 1.0) <= unit_tolerance))
    return TAC_FAULT_DEVICE_NOT_FINITE;
  *value = tac_vec3_distance(read->position, g->state.position);
  double reach = g->def.speed_limit * g->def.period * (double)g->waited + g->def.resolution;
  if (!g->seen) return TAC_FAULT_NONE;
  if (!(*value <= reach)) return TAC_FAULT_DEVICE_JUMPED;
  double same = fmax((double)g->waited, fmin((double)g->turn_waited, g->def.late_limit + 1.0)); /* periods */
  *value = angle_between(read->orientation, g->state.orientation);
  *turned = !(*value <= g->def.turn_limit * g->def.period * same);
  return *turned ? TAC_FAULT_DEVICE_JUMPED : TAC_FAULT_NONE;
}

/* Returns the buttons as read, except those that bounce, which keep their value. */
static uint32_t debounce(tacGuard *g, uint32_t read) {
  uint32_t buttons = read, changed = g->seen ? read ^ g->buttons_read : 0u;
  for (int i = 0; i < BUTTON_COUNT; ++i) {
    uint32_t bit = 1u << i;
    bool lifts = bit == TAC_BUTTON_LIFT && (read & bit) != 0;
    if (g->button_bounces[i] > 0 && !lifts) buttons = (buttons & ~bit) | (g->state.buttons & bit);
    if ((changed & bit) != 0) g->button_bounces[i] = tac_ramp_ticks(bounce_time, g->def.period);
  }
  g->buttons_read = read;
  return buttons;
}

static void accept(tacGuard *g, const tacDeviceState *read) {
  tacQuat q = tac_quat_normalise(tac_quat_of(read->orientation));
  uint32_t buttons = debounce(g, read->buttons);
  if (angle_between(read->orientation, g->state.orientation) > same_angle) g->turn_waited = 0;
  g->state = (tacDeviceState){.position = read->position, .orientation = {q.w, q.x, q.y, q.z}, .buttons = buttons};
  g->seen = true;
  g->waited = 0;
}

/* Advances the time since the last state and since the last changes by `periods`. */
static void wait_on(tacGuard *g, int64_t periods) {
  g->waited += periods;
  g->turn_waited += periods;
  for (int i = 0; i < BUTTON_COUNT; ++i)
    g->button_bounces[i] -= periods < g->button_bounces[i] ? periods : g->button_bounces[i];
}

tacFault tac_guard_read(tacGuard *g, tacDeviceHealth health, const tacDeviceState *read, tacDeviceState *state) {
  if (g == NULL || state == NULL) return TAC_FAULT_DEVICE_LOST;
  wait_on(g, 1);
  g->late = health == TAC_DEVICE_LATE ? g->late + 1 : 0;
  if (health == TAC_DEVICE_DONE) {
    g->done = true;
    tac_guard_stop(g);
  }
  double value = 0.0;
  bool turned = false;
  tacFault fault = g->done ? TAC_FAULT_NONE : judge(g, health, read, &value, &turned);
  if (fault != TAC_FAULT_NONE)
    raise_fault(g, fault, value, turned);
  else if (!g->done && health == TAC_DEVICE_FINE)
    accept(g, read);
  /* Without a new valid state, the device counts as at rest: no motion, no work. */
  if (g->seen) tac_passivity_observe(&g->passivity, g->state.position, tac_quat_of(g->state.orientation));
  *state = g->state;
  return g->report.fault;
}

static void move_presence(tacGuard *g) {
  double ramp = g->paused ? -g->def.ramp_out : g->def.ramp_in, end = g->paused ? 0.0 : 1.0;
  g->presence = ramp != 0.0 ? fmin(1.0, fmax(0.0, g->presence + g->def.period / ramp)) : end;
}

/* Computes the force for the device: ramps in, damps and limits the world's force. The limits come last, so that
 * every written force is within the limits. If the limits generate energy, the passivity observer measures this
 * energy, and the damper acts in the next tick. */
static void render(tacGuard *g, tacVec3 force, tacVec3 torque, tacGuardForce *safe) {
  double ramp = tac_ramp(g->presence);
  tacVec3 present = tac_vec3_scale(ramp, force);
  safe->force = tac_force_limits_cut(present, g->limits.force); /* the damper needs a force that can be rendered */
  safe->torque = tac_force_limits_cut(tac_vec3_scale(ramp, torque), g->limits.torque);
  safe->limited_force = tac_vec3_norm2(safe->force) < tac_vec3_norm2(present);
  /* In a pause there is no force, and no damping. */
  if (g->def.passivity && g->presence > 0.0)
    safe->damped = tac_passivity_damp(&g->passivity, &safe->force, &safe->torque);
  tac_force_limits_apply(&g->limits, g->passivity.motion, g->passivity.turn, &safe->force, &safe->torque,
                         &safe->limited_force, &safe->limited_rate);
}

static void ramp_out(tacGuard *g, tacGuardForce *safe) {
  if (g->ramp_tick < g->ramp_ticks) ++g->ramp_tick;
  double left = 1.0 - tac_ramp((double)g->ramp_tick / (double)g->ramp_ticks);
  safe->force = tac_vec3_scale(left, g->force_before_ramp);
  safe->torque = tac_vec3_scale(left, g->torque_before_ramp);
  safe->ended = g->ramp_tick == g->ramp_ticks;
}

void tac_guard_set_stored(tacGuard *g, double energy) {
  if (g != NULL) tac_passivity_set_stored(&g->passivity, energy);
}

void tac_guard_write(tacGuard *g, tacVec3 force, tacVec3 torque, tacGuardForce *safe) {
  if (safe == NULL) return;
  *safe = (tacGuardForce){0};
  if (g == NULL) return;
  if (!tac_vec3_finite(force) || !tac_vec3_finite(torque)) raise_fault(g, TAC_FAULT_FORCE_NOT_FINITE, 0.0, false);
  move_presence(g);
  if (g->ramp_tick < 0)
    render(g, force, torque, safe);
  else
    ramp_out(g, safe);
  safe->presence = g->presence;
  safe->fault = g->report.fault;
  tac_passivity_hold(&g->passivity, force, torque, safe->force, safe->torque);
  tacGuardReport *r = &g->report;
  r->force_max = fmax(r->force_max, tac_vec3_norm(safe->force));
  r->force_step_max = fmax(r->force_step_max, tac_vec3_distance(safe->force, g->force));
  r->limited_force += safe->limited_force;
  r->limited_rate += safe->limited_rate;
  r->damped += safe->damped;
  ++r->ticks;
  g->force = safe->force;
  g->torque = safe->torque;
}

void tac_guard_skip(tacGuard *g, int64_t periods) {
  if (g != NULL && periods > 0) wait_on(g, periods);
}

void tac_guard_pause(tacGuard *g, bool paused) {
  if (g != NULL) g->paused = paused;
}

/* ---- reports ---- */

static tacGeneratedWorst worst_of(const tacEnergyReading *reading) {
  return (tacGeneratedWorst){reading->generated, reading->work, reading->begin};
}

static tacGenerated generated_of(const tacEnergyAccount *account) {
  return (tacGenerated){worst_of(&account->episode), worst_of(&account->tenth), worst_of(&account->second),
                        account->generated};
}

tacGuardReport tac_guard_report(const tacGuard *g) {
  if (g == NULL) return (tacGuardReport){0};
  tacGuardReport report = g->report;
  report.energy_absorbed = g->passivity.energy;
  report.energy_least = g->passivity.least;
  report.work = g->passivity.work;
  report.asked = generated_of(&g->passivity.asked);
  report.written = generated_of(&g->passivity.written);
  return report;
}

void tac_guard_fault_text(const tacGuard *g, char *text, size_t size) {
  if (text == NULL || size == 0) return;
  text[0] = 0;
  if (g == NULL) return;
  switch (g->report.fault) {
    case TAC_FAULT_NONE: break;
    case TAC_FAULT_DEVICE_LOST: snprintf(text, size, "was lost"); break;
    case TAC_FAULT_DEVICE_LATE:
      snprintf(text, size, "sent no new state for %.0f ticks (at most %d)", g->fault_value, g->def.late_limit);
      break;
    case TAC_FAULT_DEVICE_JUMPED:
      if (g->fault_turned)
        snprintf(text, size, "turned %.3g rad in one tick (at most %g rad/s)", g->fault_value, g->def.turn_limit);
      else
        snprintf(text, size, "jumped %.3g m in one tick (at most %g m/s)", g->fault_value, g->def.speed_limit);
      break;
    case TAC_FAULT_DEVICE_NOT_FINITE:
      snprintf(text, size, "sent a state that is NaN or infinite, or not a unit quaternion");
      break;
    case TAC_FAULT_FORCE_NOT_FINITE: snprintf(text, size, "would have received a force that is NaN or infinite"); break;
  }
}
