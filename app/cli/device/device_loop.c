#include "app/cli/device/device_loop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/clock.h"
#include "base/threads/thread.h"
#include "device/device.h"

static const int64_t period = 1000000; /* ns */

tacStatus tac_device_loop_open(const char *name, const char *options, tacDeviceLoop *loop, tacError *error) {
  *loop = (tacDeviceLoop){.state = {.orientation = {1.0, 0.0, 0.0, 0.0}}};
  TAC_TRY(tac_device_load(name, options, TAC_DEVICE_LOOP_PERIOD, &loop->device, error));
  tac_thread_set_priority(80, NULL); /* where the system permits, as the servo has it */
  loop->next = tac_clock_now();
  return TAC_OK;
}

tacStatus tac_device_loop_guard(tacDeviceLoop *loop, double force_limit, double stiffness_limit, int late_limit,
                                tacError *error) {
  tacGuardDef def = tac_guard_def_default(&loop->device.info, TAC_DEVICE_LOOP_PERIOD);
  def.force_limit = fmin(def.force_limit, force_limit);
  def.stiffness_limit = fmin(def.stiffness_limit, stiffness_limit);
  def.torque_limit = 0.0;
  def.force_rate = 5.0 * def.force_limit; /* all of it in a fifth of a second */
  def.late_limit = late_limit;
  return tac_guard_create(&def, &loop->guard, error);
}

/* Ticks that were missed are left out. */
static void wait_for_tick(tacDeviceLoop *loop) {
  int64_t now = tac_clock_now(), missed = now > loop->next ? (now - loop->next) / period : 0;
  loop->next += missed * period;
  if (loop->guard != NULL) tac_guard_skip(loop->guard, missed);
  tac_clock_sleep_until(loop->next);
  loop->next += period;
}

static void count_state(tacDeviceLoop *loop) {
  ++loop->tick;
  ++loop->gap;
  if (loop->health == TAC_DEVICE_FINE) {
    loop->gap_squares += (double)loop->gap * (double)loop->gap;
    loop->gap = 0;
    ++loop->fresh;
  } else {
    ++loop->late;
    if (loop->gap > loop->gap_longest) loop->gap_longest = loop->gap;
  }
}

void tac_device_loop_tick(tacDeviceLoop *loop, tacVec3 force) {
  const tacVec3 none = {0.0, 0.0, 0.0};
  tacDeviceState read = loop->state;
  wait_for_tick(loop);
  loop->health = loop->device.driver->read(loop->device.self, &read);
  count_state(loop);
  if (loop->guard == NULL) {
    if (loop->health == TAC_DEVICE_FINE) loop->state = read;
    return;
  }
  tacGuardForce safe;
  loop->fault = tac_guard_read(loop->guard, loop->health, &read, &loop->state);
  tac_guard_write(loop->guard, loop->fault == TAC_FAULT_NONE ? force : none, none, &safe);
  loop->device.driver->write(loop->device.self, safe.force, none);
  loop->force = safe.force;
}

void tac_device_loop_count(tacDeviceLoop *loop) {
  loop->tick = loop->fresh = loop->late = loop->gap = loop->gap_longest = 0;
  loop->gap_squares = 0.0;
}

double tac_device_loop_rate(const tacDeviceLoop *loop) {
  return loop->tick > 0 ? (double)loop->fresh / ((double)loop->tick * TAC_DEVICE_LOOP_PERIOD) : 0.0;
}

double tac_device_loop_jitter(const tacDeviceLoop *loop) {
  if (loop->fresh == 0) return 0.0;
  double count = (double)loop->fresh, mean = (double)(loop->tick - loop->gap) / count;
  return TAC_DEVICE_LOOP_PERIOD * sqrt(fmax(0.0, loop->gap_squares / count - mean * mean));
}

void tac_device_loop_end(tacDeviceLoop *loop, char *text, size_t size) {
  text[0] = 0;
  if (loop->guard == NULL) return;
  if (loop->fault != TAC_FAULT_NONE) {
    char why[256] = "";
    tac_guard_fault_text(loop->guard, text, size);
    if (loop->fault == TAC_FAULT_DEVICE_LOST) tac_device_trouble(&loop->device, why, sizeof why);
    size_t used = strlen(text);
    if (why[0] != 0) snprintf(text + used, size - used, ": %s", why);
  }
  tac_guard_stop(loop->guard);
  for (int i = 0; i < 60; ++i) tac_device_loop_tick(loop, (tacVec3){0.0, 0.0, 0.0}); /* longer than the ramp */
}

void tac_device_loop_close(tacDeviceLoop *loop) {
  tac_device_close(&loop->device);
  tac_guard_destroy(loop->guard);
  loop->guard = NULL;
}
