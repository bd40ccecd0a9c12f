/* A guard: what stands between a device and a world in a loop, so that neither harms the hand. The servo has one for
 * each of its devices; a host with a 1 kHz thread of its own (a vendor's callback, an engine, a robot's controller) has
 * the same.
 *
 * A tick is two calls, in the device's frame:
 *
 *     tac_guard_read(guard, TAC_DEVICE_FINE, &read, &state);    what may be used of the device
 *     ... map state to the scene, tac_world_step, map the force back ...
 *     tac_guard_write(guard, out.force, out.torque, &safe);     what may be written: safe.force, safe.torque
 *
 * What may be written is always finite, no longer than the device's limits, and changes in a tick by at most
 * force_rate x period + stiffness_limit x the device's motion, or along the ramp to zero. It ramps in, is damped where
 * the port would generate energy, and ramps to zero after a fault or when asked; from then on it is zero. A fault is a
 * device that is lost, late for too long, jumps or sends what is not finite, or a force that is not finite. */
#ifndef TACTUS_GUARD_H
#define TACTUS_GUARD_H

#include <stddef.h>
#include <tactus/device.h>

TAC_BEGIN_DECLS

typedef enum tacFault {
  TAC_FAULT_NONE,
  TAC_FAULT_DEVICE_LOST,
  TAC_FAULT_DEVICE_LATE,
  TAC_FAULT_DEVICE_JUMPED,
  TAC_FAULT_DEVICE_NOT_FINITE,
  TAC_FAULT_FORCE_NOT_FINITE
} tacFault;

typedef struct tacGuardDef {
  double period; /* s between ticks; default 0.001 */
  /* Of the device; the first two must be chosen. */
  double force_limit;     /* N, length of the largest force */
  double stiffness_limit; /* N/m, the largest that it renders stably */
  double torque_limit;    /* N m; default 0: it renders none */
  double resolution;      /* m, of the position; default 0: unknown */
  tacVec3 start;          /* m: where it is taken to be until its first good state; default the origin */
  /* Of the loop. */
  double ramp_in;     /* s from zero force to full; default 0.5 */
  double ramp_out;    /* s from a fault to zero force; default 0.05 */
  double speed_limit; /* m/s of the device, above which a state is a fault (a jump); default 5 */
  int late_limit;     /* most ticks in a row without a new state; one more is a fault; default 20 */
  double force_rate;  /* N/s, by which the force may change while the device rests; default 500 */
  bool passivity;     /* damps where the port would generate energy; default true */
} tacGuardDef;
TAC_API tacGuardDef tac_guard_def_default(void);
/* With the limits of a device; `period` in s. A NULL info gives none, which tac_guard_create refuses. */
TAC_API tacGuardDef tac_guard_def_for(const tacDeviceInfo *info, double period);

typedef struct tacGuard tacGuard;

/* Load phase. One a device. */
TAC_API tacStatus tac_guard_create(const tacGuardDef *def, tacGuard **guard, tacError *error);
TAC_API void tac_guard_destroy(tacGuard *guard); /* NULL is allowed */

/* ---- ticks: one thread; none of these allocates, locks or waits, and all take a bounded time ---- */

/* The device's state as read; `health` is TAC_DEVICE_LATE where there is no new one, and `read` may be NULL then. Gives
 * the last good state, its quaternion of length 1, which is always safe to use; it may go where `read` is. Returns the
 * fault that ended the forces, now or before: with one there is nothing left to render, and the world need not be
 * stepped. TAC_DEVICE_DONE stops the guard without a fault. */
TAC_API tacFault tac_guard_read(tacGuard *guard, tacDeviceHealth health, const tacDeviceState *read,
                                tacDeviceState *state);

typedef struct tacGuardForce {
  tacVec3 force, torque; /* on the hand, N and N m: to be written */
  double presence;       /* 0 to 1: of the ramp in, or into and out of a pause */
  bool limited_force, limited_rate, damped;
  bool ended; /* the force has come to zero after a fault or stop, and stays there */
  tacFault fault;
} tacGuardForce;
/* Before tac_guard_write, in every tick or never: what the world's bodies hold that they may give back to this hand
 * (tac_world_tool_stored), J at the device: that of the scene over the workspace's scale. Energy that the hand gave them
 * in an earlier contact is then no generated one. It says only how much of the hand's own work may still be there. */
TAC_API void tac_guard_set_stored(tacGuard *guard, double energy);
/* The world's force and torque on the hand, device frame. Once a tick, after tac_guard_read, also with a fault: the ramp
 * to zero is made of these calls. What it gives must be written: it counts as held until the next tick. */
TAC_API void tac_guard_write(tacGuard *guard, tacVec3 force, tacVec3 torque, tacGuardForce *safe);

/* Before tac_guard_read, where periods went by without a tick: a device may have moved that much farther. */
TAC_API void tac_guard_skip(tacGuard *guard, int64_t periods);
/* Fades the world's force out (`ramp_out`) and in again (`ramp_in`); ticks go on meanwhile. */
TAC_API void tac_guard_pause(tacGuard *guard, bool paused);
/* Ramps to zero for good, as a fault does: with several devices, call it for all where one has a fault. */
TAC_API void tac_guard_stop(tacGuard *guard);
/* Begins again, also after a fault, with a ramp in and a new report. The force goes on from what was written last. */
TAC_API void tac_guard_reset(tacGuard *guard);

/* What went to the hand beyond what the hand had put in: in the worst contact, from its begin to its end; in the worst
 * 0.1 s and 1 s and in all, where what was put in counts only as far as springs could hold it. Apart from what holding
 * the force between ticks gives. docs/device.md, Passivity, says what that means. */
typedef struct tacGeneratedWorst {
  double energy; /* J; 0: none */
  double work;   /* J: sum |f.dx| from `tick` to where it was generated, to compare with */
  int64_t tick;  /* in which it began; -1: none */
} tacGeneratedWorst;
typedef struct tacGenerated {
  tacGeneratedWorst contact, tenth, second;
  double all; /* J */
} tacGenerated;

typedef struct tacGuardReport {
  int64_t ticks; /* forces that were given */
  tacFault fault;
  int64_t fault_tick;                          /* -1: none */
  double force_max;                            /* N, written */
  double force_step_max;                       /* N between ticks, written */
  double energy_absorbed;                      /* J: net work of the hand on the world at the device, sum -f.dx */
  double energy_least;                         /* J: least of that sum over time; negative: generated */
  double work;                                 /* J: sum |f.dx|, to compare with */
  tacGenerated asked;                          /* by the world: with its force, before ramps, limits and damper */
  tacGenerated written;                        /* with what was written */
  int64_t limited_force, limited_rate, damped; /* ticks in which a limit or the damper acted */
} tacGuardReport;
TAC_API tacGuardReport tac_guard_report(const tacGuard *guard);

/* ---- not in ticks ---- */

/* What the device did, to stand after its name: "jumped 0.12 m in one tick (at most 5 m/s)". Empty where there is no
 * fault. */
TAC_API void tac_guard_fault_text(const tacGuard *guard, char *text, size_t size);

TAC_END_DECLS

#endif
