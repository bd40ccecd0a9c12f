/* What passes between the thread that talks to a device and the ticks of the servo: states one way, forces the other.
 * Neither side ever waits for the other.
 *
 * A servo that stands still must leave no force on the hand: the thread gets zero once the newest force is older than
 * TAC_DRIVER_TIMEOUT. When forces come again they fade in, for the guard does not know that they were gone. */
#pragma once

#include <stdatomic.h>
#include <tactus/device.h>
#include "base/threads/thread.h"
#include "base/threads/triple_buffer.h"

#define TAC_DRIVER_TIMEOUT INT64_C(20000000) /* ns */
#define TAC_DRIVER_RETURN INT64_C(100000000) /* ns from no force to all of it, after that */

typedef struct tacDriverLink {
  tacTripleBuffer *states, *forces;
  atomic_bool lost, stops;
  char trouble[256]; /* written before `lost` is set, and never again */
  tacThread thread;
  bool runs;
  /* Of the thread: how much of the force goes to the hand, and when that was told last. */
  double presence;
  int64_t force_read;
} tacDriverLink;

tacStatus tac_driver_link_open(tacDriverLink *link, tacError *error);
/* Runs `talk(context)`, which returns once tac_driver_link_stops. Drivers whose vendor has a thread do without. */
tacStatus tac_driver_link_start(tacDriverLink *link, const char *name, void (*talk)(void *context), void *context,
                                tacError *error);
/* Asks the thread to stop and waits for it; then frees. A zeroed one is allowed. */
void tac_driver_link_stop(tacDriverLink *link);
void tac_driver_link_close(tacDriverLink *link);

/* ---- the thread that talks to the device ---- */

bool tac_driver_link_stops(const tacDriverLink *link);
void tac_driver_link_report(tacDriverLink *link, const tacDeviceState *state);
/* What the hand is to feel now, N and N m; `live` (may be NULL): the servo writes. */
void tac_driver_link_force(tacDriverLink *link, tacVec3 *force, tacVec3 *torque, bool *live);
/* For good, and why; the first reason counts. */
void tac_driver_link_lose(tacDriverLink *link, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- what a driver's tables have as it is: the device's struct begins with its link ---- */

tacDeviceHealth tac_driver_link_read(void *link, tacDeviceState *state);
void tac_driver_link_write(void *link, tacVec3 force, tacVec3 torque); /* what is not finite counts as none */
void tac_driver_link_trouble(void *link, char *text, size_t size);
