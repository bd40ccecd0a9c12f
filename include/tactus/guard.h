/* Guard: the safety layer between a device and a world in a haptic loop, which protects the hand from both.
 *
 * The servo (<tactus/servo.h>) has a guard for each of its devices. A host that runs its own 1 kHz loop uses one guard
 * for each device: a vendor's callback, an engine, or a robot's controller (docs/device.md).
 *
 * Example:
 *
 *     tacDeviceHealth read_device(tacDeviceState *state);               // these three are defined by the program
 *     tacVec3 step_world(tacWorld *world, const tacDeviceState *hand);  // maps the hand, steps, maps the force back
 *     void write_device(tacVec3 force);
 *     tacGuardDef def = tac_guard_def_default(NULL, 0.001);
 *     def.force_limit = 8.0;  // N and N/m, limits of the device
 *     def.stiffness_limit = 2000.0;
 *     tacGuard *guard = NULL;
 *     tacStatus status = tac_guard_create(&def, &guard, error);
 *     if (status != TAC_OK) return status;
 *     const tacVec3 zero = {0.0, 0.0, 0.0};
 *     tacGuardForce safe;
 *     do {  // once a tick
 *       tacDeviceState read, hand;
 *       tacDeviceHealth health = read_device(&read);
 *       tacFault fault = tac_guard_read(guard, health, &read, &hand);
 *       tacVec3 force = fault == TAC_FAULT_NONE ? step_world(world, &hand) : zero;
 *       tac_guard_write(guard, force, zero, &safe);
 *       write_device(safe.force);
 *     } while (!safe.ended);
 *     tac_guard_destroy(guard);
 *
 * Guarantees: a written force is always finite and never longer than the device's limit. In one tick it changes by at
 * most
 *
 *     force_rate x period + stiffness_limit x min(motion, 1 m/s x period)
 *     motion = |translation of the device in the tick| + lever x |rotation of the device in the tick|
 *     lever  = torque_limit / force_limit, m
 *
 * or along the ramp to zero. The torque changes by at most lever times as much. So, whatever the device and the world
 * send, the worst change in a tick is
 *
 *     force:  force_step  = max(period x (force_rate + stiffness_limit x 1 m/s),
 *                               force_limit x min(1, 1.5 x period / ramp_out))
 *     torque: torque_step = lever x force_step
 *
 * The second term is the ramp to zero; with the defaults it is 0.03 x force_limit. 1 m/s is above the speed of a hand in
 * contact.
 *
 * The force ramps in at the start, and is damped where the device's port would generate energy. After a fault or on
 * request it ramps to zero and stays zero.
 *
 * Faults: the device is lost, is late for too long, jumps or turns too fast, or sends a NaN or infinite value; or the
 * world's force is NaN or infinite.
 *
 * Buttons: a change is taken at once if the button was still for 20 ms, and otherwise when it has been still for 20 ms.
 * So a button that chatters keeps its value. TAC_BUTTON_LIFT is always set at once: while it chatters, there is no
 * force. The closing of jaws is a level of 0 to 255, which the jaws' motor follows at its own speed
 * (tacBodyToolDef.jaw_time).
 *
 * Units: m, s, N, N m, N/m, J. Positions, forces and torques are in the device's frame. Forces and torques act on the
 * hand.
 *
 * Phases and threads: create and destroy a guard in the load phase. One thread at a time uses it. The functions in the
 * section "ticks" allocate nothing, take no lock, never wait, and take a bounded time. */
#ifndef TACTUS_GUARD_H
#define TACTUS_GUARD_H

#include <stddef.h>
#include <tactus/device.h>

TAC_BEGIN_DECLS

/* Why the guard has ended the forces. */
typedef enum tacFault {
  TAC_FAULT_NONE,              /* no fault */
  TAC_FAULT_DEVICE_LOST,       /* the device is disconnected */
  TAC_FAULT_DEVICE_LATE,       /* more than tacGuardDef.late_limit ticks in a row without a new state */
  TAC_FAULT_DEVICE_JUMPED,     /* the device moved or turned faster than tacGuardDef.speed_limit or turn_limit */
  TAC_FAULT_DEVICE_NOT_FINITE, /* the device sent a NaN or infinite value, or no unit quaternion */
  TAC_FAULT_FORCE_NOT_FINITE   /* the world's force or torque was NaN or infinite */
} tacFault;

/* Options of a guard. */
typedef struct tacGuardDef {
  double period;          /* s between ticks, 1e-5 to 0.1; default 0.001 */
  double force_limit;     /* N, length of the largest force of the device; no default, must be set */
  double stiffness_limit; /* N/m, largest stiffness that the device renders stably; no default, must be set */
  double torque_limit;    /* N m, length of the largest torque of the device; default 0: it renders none */
  double resolution;      /* m, resolution of the device's position; default 0: unknown */
  tacVec3 start;          /* m, position assumed until the first valid state; default the origin */
  double ramp_in;         /* s from zero to full force, 0 to 60; default 0.5 */
  double ramp_out;        /* s from a fault to zero force, 0 to 60; default 0.05 */
  double speed_limit;     /* m/s of the device; a faster state is a fault (jump); default 5 */
  /* rad/s of the device; a faster rotation is a fault (jump); default 50, above a fast human wrist (30). Quaternions q
   * and -q are the same rotation. An orientation that stayed the same for n ticks may turn as far as in n ticks, n at
   * most late_limit + 1: orientation sensors may be slower than the position. */
  double turn_limit;
  int late_limit;    /* limit of ticks in a row without a new state; one more is a fault; default 20 */
  double force_rate; /* N/s, largest rate of change of the force while the device is at rest; default 500 */
  bool passivity;    /* damps the force where the port would generate energy; default true */
} tacGuardDef;
/* Returns the default options for a device and a period (s), with the limits of the device. If `info` is NULL, the
 * caller must set force_limit and stiffness_limit. Any phase. */
TAC_API tacGuardDef tac_guard_def_default(const tacDeviceInfo *info, double period);

/* A guard of one device. */
typedef struct tacGuard tacGuard;

/* Creates a guard. Each device needs its own. TAC_ERR_ARGUMENT: an option is missing or out of range. Load phase. */
TAC_API tacStatus tac_guard_create(const tacGuardDef *def, tacGuard **guard, tacError *error);
/* Frees a guard; NULL is allowed. Load phase. */
TAC_API void tac_guard_destroy(tacGuard *guard);

/* ---- ticks: one thread, no allocation, no lock, bounded time ---- */

/* Checks the state of the device and returns a state that is safe to use. Call it once a tick, first.
 *
 * `read` is the state as read, and `health` what the device reported. If there is no new state, pass TAC_DEVICE_LATE;
 * `read` may then be NULL. TAC_DEVICE_DONE stops the guard without a fault.
 *
 * `state` receives the last valid state, with its quaternion normalised and its buttons debounced. It may be the same
 * struct as `read`.
 *
 * Returns the fault that ended the forces, in this tick or earlier; TAC_FAULT_DEVICE_LOST for a NULL argument. With a
 * fault there is nothing left to render, and the world need not be stepped. */
TAC_API tacFault tac_guard_read(tacGuard *guard, tacDeviceHealth health, const tacDeviceState *read,
                                tacDeviceState *state);

/* The force of one tick. */
typedef struct tacGuardForce {
  tacVec3 force, torque; /* N, N m on the hand: write them to the device */
  double presence;       /* 0 to 1: progress of the ramp in, or of the ramp into or out of a pause */
  /* The force was cut to the device's limit; the change of the force was limited; the passivity damper acted. */
  bool limited_force, limited_rate, damped;
  bool ended;     /* the force has reached zero after a fault or stop, and stays zero */
  tacFault fault; /* as tac_guard_read returns it */
} tacGuardForce;
/* Sets the energy that the world's bodies hold and may give back to this hand (tac_world_tool_stored). Call it before
 * tac_guard_write, in every tick or never.
 *
 * `energy` is in J at the device: the scene's energy divided by the scale of the workspace. Energy that the hand gave
 * the bodies in an earlier contact then does not count as generated. The value only limits how much of the hand's own
 * work may remain; it is never a credit by itself. */
TAC_API void tac_guard_set_stored(tacGuard *guard, double energy);
/* Computes the force to write from the world's force (N) and torque (N m) on the hand. Call it once a tick after
 * tac_guard_read, also after a fault: these calls make the ramp to zero. The caller must write `safe->force` and
 * `safe->torque` to the device: the guard assumes that they act until the next tick. */
TAC_API void tac_guard_write(tacGuard *guard, tacVec3 force, tacVec3 torque, tacGuardForce *safe);

/* Reports that `periods` periods passed without a tick, so that the device may have moved that much farther. Call it
 * before tac_guard_read. */
TAC_API void tac_guard_skip(tacGuard *guard, int64_t periods);
/* Fades the force out (`paused` true, in ramp_out) or in again (false, in ramp_in). Ticks continue meanwhile. */
TAC_API void tac_guard_pause(tacGuard *guard, bool paused);
/* Ramps the force to zero for good, as a fault does. With several devices, call it for all guards if one has a
 * fault. */
TAC_API void tac_guard_stop(tacGuard *guard);
/* Starts again, also after a fault, with a ramp in and a new report. The force continues from the last written one. */
TAC_API void tac_guard_reset(tacGuard *guard);

/* ---- reports ---- */

/* The worst interval in which energy was generated. */
typedef struct tacGeneratedWorst {
  double energy; /* J, generated; 0: none */
  double work;   /* J, for comparison: sum |f.dx| from `tick` to the moment of generation */
  int64_t tick;  /* first tick of the interval; -1: none */
} tacGeneratedWorst;
/* Energy generated at the device: what went to the hand beyond what the hand had put in. docs/device.md, Passivity,
 * explains it.
 *
 * Energy that arises only because a force is held constant between ticks is not counted. In the 0.1 s, 1 s and total
 * readings, work of the hand counts as put in only as far as springs could store it. */
typedef struct tacGenerated {
  tacGeneratedWorst contact, tenth, second; /* worst contact from begin to end, worst 0.1 s, worst 1 s */
  double all;                               /* J, total */
} tacGenerated;

/* Summary since the guard was created or reset. */
typedef struct tacGuardReport {
  int64_t ticks;                               /* calls of tac_guard_write */
  tacFault fault;                              /* first fault */
  int64_t fault_tick;                          /* its tick; -1: none */
  double force_max;                            /* N, largest written force */
  double force_step_max;                       /* N, largest change of the written force between ticks */
  double energy_absorbed;                      /* J, net work of the hand on the world at the device: sum -f.dx */
  double energy_least;                         /* J, smallest value of that sum over time; negative: generated */
  double work;                                 /* J, sum |f.dx|, for comparison */
  tacGenerated asked;                          /* by the world's force, before ramps, limits and damper */
  tacGenerated written;                        /* by the written force */
  int64_t limited_force, limited_rate, damped; /* ticks in which a limit or the damper acted */
} tacGuardReport;
/* Returns the summary so far. Any phase, from the thread that uses the guard. */
TAC_API tacGuardReport tac_guard_report(const tacGuard *guard);

/* Writes what the device did, as the rest of a sentence after its name: "jumped 0.12 m in one tick (at most 5 m/s)". ""
 * if there is no fault. `size` is in bytes. Not for ticks. */
TAC_API void tac_guard_fault_text(const tacGuard *guard, char *text, size_t size);

TAC_END_DECLS

#endif
