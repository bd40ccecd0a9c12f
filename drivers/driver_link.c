#include "drivers/driver_link.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include "base/clock.h"

enum { PRIORITY = 81 }; /* above the servo's own: it needs a few microseconds, and the servo lives on what it brings */

typedef struct {
  tacDeviceState state;
  int64_t time; /* when it was told */
} ReportedState;

typedef struct {
  tacVec3 force, torque;
  int64_t time; /* when it was written; 0: never */
} Order;

tacStatus tac_driver_link_open(tacDriverLink *link, tacError *error) {
  *link = (tacDriverLink){.presence = 1.0};
  tacStatus status = tac_triple_buffer_create(sizeof(ReportedState), &link->states, error);
  if (status == TAC_OK) status = tac_triple_buffer_create(sizeof(Order), &link->forces, error);
  if (status != TAC_OK) tac_driver_link_close(link);
  return status;
}

tacStatus tac_driver_link_start(tacDriverLink *link, const char *name, void (*talk)(void *context), void *context,
                                tacError *error) {
  tacThreadDef def = tac_thread_def_default();
  def.name = name;
  def.priority = PRIORITY;
  tacStatus status = tac_thread_create(&def, talk, context, &link->thread, error);
  link->runs = status == TAC_OK;
  return status;
}

void tac_driver_link_stop(tacDriverLink *link) {
  atomic_store(&link->stops, true);
  if (link->runs) tac_thread_join(&link->thread);
  link->runs = false;
}

void tac_driver_link_close(tacDriverLink *link) {
  tac_driver_link_stop(link);
  tac_triple_buffer_destroy(link->states);
  tac_triple_buffer_destroy(link->forces);
  link->states = link->forces = NULL;
}

bool tac_driver_link_stops(const tacDriverLink *link) {
  return atomic_load(&link->stops);
}

void tac_driver_link_report(tacDriverLink *link, const tacDeviceState *state) {
  *(ReportedState *)tac_triple_buffer_begin(link->states) = (ReportedState){*state, tac_clock_now()};
  tac_triple_buffer_publish(link->states);
}

static tacVec3 scaled(double factor, tacVec3 v) {
  return (tacVec3){factor * v.x, factor * v.y, factor * v.z};
}

void tac_driver_link_force(tacDriverLink *link, tacVec3 *force, tacVec3 *torque, bool *live) {
  const Order *order = tac_triple_buffer_latest(link->forces, NULL);
  int64_t now = tac_clock_now();
  bool fresh = order->time != 0 && now - order->time <= TAC_DRIVER_TIMEOUT && !tac_driver_link_stops(link) &&
               !atomic_load(&link->lost);
  if (fresh)
    link->presence = fmin(1.0, link->presence + (double)(now - link->force_read) / (double)TAC_DRIVER_RETURN);
  else if (order->time != 0)
    link->presence = 0.0;
  link->force_read = now;
  double part = fresh ? link->presence : 0.0;
  *force = scaled(part, order->force);
  *torque = scaled(part, order->torque);
  if (live != NULL) *live = fresh;
}

void tac_driver_link_lose(tacDriverLink *link, const char *format, ...) {
  if (atomic_load(&link->lost)) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(link->trouble, sizeof link->trouble, format, arguments);
  va_end(arguments);
  atomic_store(&link->lost, true);
}

tacDeviceHealth tac_driver_link_read(void *device, tacDeviceState *state) {
  tacDriverLink *link = device;
  bool fresh;
  const ReportedState *force_read = tac_triple_buffer_latest(link->states, &fresh);
  *state = force_read->state;
  if (atomic_load(&link->lost)) return TAC_DEVICE_LOST;
  /* One that nobody read for long says where the hand was, not where it is: the next may be far from it. */
  return fresh && tac_clock_now() - force_read->time <= TAC_DRIVER_TIMEOUT ? TAC_DEVICE_FINE : TAC_DEVICE_LATE;
}

static bool is_finite(tacVec3 v) {
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

void tac_driver_link_write(void *device, tacVec3 force, tacVec3 torque) {
  tacDriverLink *link = device;
  bool usable = is_finite(force) && is_finite(torque);
  Order *order = tac_triple_buffer_begin(link->forces);
  *order = (Order){.time = tac_clock_now()};
  if (usable) {
    order->force = force;
    order->torque = torque;
  }
  tac_triple_buffer_publish(link->forces);
}

void tac_driver_link_trouble(void *device, char *text, size_t size) {
  const tacDriverLink *link = device;
  if (size > 0) snprintf(text, size, "%s", atomic_load(&link->lost) ? link->trouble : "");
}
