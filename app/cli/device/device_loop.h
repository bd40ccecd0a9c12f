/* A device at 1 kHz without a world: read, guarded, and given forces that somebody chooses. */
#pragma once

#include <tactus/guard.h>

typedef struct tacDeviceLoop {
  tacDevice device;
  tacGuard *guard;
  int64_t tick, next;     /* ticks so far; when the next is due, ns */
  tacDeviceState state;   /* the newest that was good, or as it came where there is no guard */
  tacDeviceHealth health; /* of the last tick */
  tacFault fault;
  tacVec3 force; /* that was written last, N */
  /* New states, and ticks without one. */
  int64_t fresh, late, gap, gap_longest; /* gap: ticks since the newest */
  double gap_squares;                    /* sum of the squares of gaps, ticks^2: for their spread */
} tacDeviceLoop;

#define TAC_DEVICE_LOOP_PERIOD 0.001 /* s */

/* Opens the driver `name`. */
tacStatus tac_device_loop_open(const char *name, const char *options, tacDeviceLoop *loop, tacError *error);
/* From now on forces go to the hand, through a guard with these limits (N, N/m), and faults are found. */
tacStatus tac_device_loop_guard(tacDeviceLoop *loop, double force_limit, double stiffness_limit, int late_limit,
                                tacError *error);
/* Waits for the next tick, reads and writes. Without a guard nothing is written. */
void tac_device_loop_tick(tacDeviceLoop *loop, tacVec3 force);
/* Begins to count states anew. */
void tac_device_loop_count(tacDeviceLoop *loop);
double tac_device_loop_rate(const tacDeviceLoop *loop);   /* new states a second */
double tac_device_loop_jitter(const tacDeviceLoop *loop); /* s: the spread of the times between them */
/* Ramps the force to zero. What the device did, where there is a fault, is in `text`. */
void tac_device_loop_end(tacDeviceLoop *loop, char *text, size_t size);
void tac_device_loop_close(tacDeviceLoop *loop);
