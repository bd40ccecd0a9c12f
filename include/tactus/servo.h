/* The servo: a loop at a fixed rate that reads the devices, steps the world, limits and writes the forces, and
 * reports on the run.
 *
 * Example:
 *
 *     tacTrajectory *path = NULL;
 *     tacDevice hand;
 *     tacServo *servo = NULL;
 *     tacServoDef def = tac_servo_def_default(); // 1 kHz, real time
 *     def.duration = 5.0;                        // s
 *     tacWorkspaceDef workspace = tac_workspace_def_default();
 *     workspace.scale = 2.0; // 1 cm of the device is 2 cm in the scene
 *     tacStatus status = tac_trajectory_read("path.csv", &path, error);
 *     if (status == TAC_OK) status = tac_device_replay_open(path, false, 1.0 / def.rate, &hand, error);
 *     if (status != TAC_OK) return status;
 *     status = tac_servo_create(world, 1, &hand, &workspace, &def, NULL, &servo, error); // a sealed world with one tool
 *     if (status == TAC_OK) status = tac_servo_start(servo, error);
 *     while (status == TAC_OK && tac_servo_running(servo)) {
 *       const tacSnapshot *now = tac_servo_snapshot(servo);
 *       (void)now; // draw it, and wait for the next frame
 *     }
 *     char fault[256];
 *     if (status == TAC_OK) tac_servo_fault_text(servo, fault, sizeof fault); // "": no fault
 *     tac_servo_destroy(servo);
 *     tac_device_close(&hand);
 *     if (status != TAC_OK) return status;
 *
 * A tick does the following:
 *
 *   1. read every device and check its state (guard);
 *   2. map the states to the scene (workspace) and step the world;
 *   3. map the forces back, limit, damp and ramp them (guard), and write them.
 *
 * After a fault of any device, the servo ramps all forces to zero, stops the loop, and reports the fault. A host
 * with its own loop gets the same protection from <tactus/guard.h>.
 *
 * Units: SI; m, N, N m, N/m, J, s. Forces act on the hand.
 *
 * Threads and phases: call the functions that create, start, stop and destroy a servo in the load phase, from one
 * thread. The loop runs on a separate thread. While the loop runs, one other thread may call the functions whose
 * comments allow it. These functions never wait. */
#ifndef TACTUS_SERVO_H
#define TACTUS_SERVO_H

#include <tactus/guard.h>
#include <tactus/recording.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* ---- definition ---- */

/* Map from the workspace of a device to the scene (thesis of Barbic 2007, section 4.5):
 *
 *   x_scene = centre + scale R (x_device - device_centre) + offset
 *
 * While the index button is held, the offset changes so that the tool rests. R^T maps forces back to the device,
 * without scaling. */
typedef struct tacWorkspaceDef {
  double scale;          /* scene metres per device metre; positive; default 1 */
  tacVec3 centre;        /* scene position of the device's centre, m; default the origin */
  tacVec3 device_centre; /* centre of the device's workspace, m, device frame; default the origin */
  /* Rotation R from device axes to scene axes, unit quaternion w, x, y, z; default the identity. */
  double orientation[4];
} tacWorkspaceDef;

/* Returns a definition with the defaults that the comments of tacWorkspaceDef state. */
TAC_API tacWorkspaceDef tac_workspace_def_default(void);

/* Definition of a servo. */
typedef struct tacServoDef {
  double rate; /* rate of the loop, Hz, 250 to 10,000; must be 1 / period of the world; default 1000 */
  /* True, the default: each tick begins at an absolute deadline. False: each tick begins as soon as the previous
   * tick has ended. Both modes give the same bits as long as the bodies of a world with simulate_every > 1 are in
   * time. */
  bool real_time;
  double duration; /* duration of the run, s; default 0: until the servo is stopped or a device is done */
  int priority;    /* SCHED_FIFO priority of the loop in real time, 1 to 99; 0: normal scheduling; default 80 */
  int core;        /* processor core of the loop; default -1: any core */
  /* True: in real time, mlockall locks all memory of the process that is mapped when the loop begins. This memory
   * includes the host's memory and the stacks of the host's threads. The memory becomes resident and is never
   * swapped, even after the servo has ended. Default false. Set the member only if all memory of the program may be
   * locked. */
  bool lock_memory;
  double ramp_in;     /* duration of the ramp from zero force to full force at the start, s; default 0.5 */
  double ramp_out;    /* duration of the ramp to zero force after a fault, s; default 0.05 */
  double speed_limit; /* limit of a device's speed, m/s; a faster state is a fault (a jump); default 5 */
  double turn_limit;  /* limit of a device's angular speed, rad/s; a faster state is a fault (a jump); default 50 */
  int late_limit;     /* limit of consecutive ticks without a new device state; one more is a fault; default 20 */
  /* Limit of the rate at which a force changes, N/s; default 500. In one second a force changes by at most
   * `force_rate` plus the device's stiffness limit times the device's motion. */
  double force_rate;
  bool passivity; /* true: damping is added if the device port would generate energy; default true */
} tacServoDef;

/* Returns a definition with the defaults that the comments of tacServoDef state. */
TAC_API tacServoDef tac_servo_def_default(void);

/* ---- report ---- */

enum { TAC_SERVO_MOST_ERROR_ESTIMATES = 32 }; /* limit of the bodies with error estimates in a report */

/* Statistics of the estimated model error of a body (tac_world_body_error_estimate). */
typedef struct tacServoErrorEstimate {
  int body;           /* index of the body */
  int64_t ticks;      /* number of ticks with an error estimate of at least TAC_ERROR_ESTIMATE_SOME */
  int64_t much;       /* number of ticks with an error estimate of at least TAC_ERROR_ESTIMATE_MUCH */
  double worst;       /* largest error estimate; 0.1 is 10 % */
  int64_t worst_tick; /* tick of the largest error estimate */
  /* Largest sum of the forces of all tools on the body at an error estimate below TAC_ERROR_ESTIMATE_SOME, N. */
  double fine;
} tacServoErrorEstimate;

/* Statistics of a limit that cuts forces. */
typedef struct tacServoLimit {
  int64_t ticks; /* number of ticks in which the limit was reached */
  /* Largest force, N: the force requested by the world for the force limit; the difference between requested and
   * written force for the rate limit; the force on the hand for the coupling limit. */
  double worst;
  int64_t worst_tick; /* tick of `worst`; 0 if `ticks` is 0 */
} tacServoLimit;

/* Report of a run. Arrays of TAC_MOST_TOOLS entries have one entry for each tool. */
typedef struct tacServoReport {
  int64_t ticks;  /* number of ticks */
  double seconds; /* wall-clock time of the run, s */
  double rate;    /* mean rate, ticks / seconds, Hz */
  /* Processor time of the servo thread for one tick (reading, stepping and writing), s: median, 99 % and 99.9 %
   * quantiles, and maximum, from a histogram with classes 1 % wide. */
  double compute_p50, compute_p99, compute_p999, compute_max;
  /* Delay of the start of a tick after the deadline of the tick, s: median, 99 % and 99.9 % quantiles, and maximum. */
  double late_p50, late_p99, late_p999, late_max;
  int64_t missed_by_computation; /* number of ticks whose computing time was longer than a period */
  /* Number of ticks that ended after the next deadline although their computing time was within a period. */
  int64_t missed_by_lateness;
  double force_max[TAC_MOST_TOOLS];       /* largest written force, N */
  double force_step_max[TAC_MOST_TOOLS];  /* largest change of the written force between consecutive ticks, N */
  double penetration_max[TAC_MOST_TOOLS]; /* largest tacToolOutput.depth, m; for a point tool, |x^H - x^C| */
  double energy_absorbed[TAC_MOST_TOOLS]; /* net work of the hand on the world at the device port, J: sum -f.dx */
  /* Least value of that net work during the run, J; negative: the port generated energy. */
  double energy_least[TAC_MOST_TOOLS];
  double work[TAC_MOST_TOOLS];          /* sum |f.dx| at the device port, J, for comparison */
  tacGenerated asked[TAC_MOST_TOOLS];   /* energy generated by the world's force, before ramps, limits and damper */
  tacGenerated written[TAC_MOST_TOOLS]; /* energy generated by the force that is sent to the device */
  /* Numbers of ticks in which the force limit, the rate limit or the passivity controller acted. */
  int64_t limited_force, limited_rate, damped;
  int64_t saturated, refused; /* sums of tacTickReport.saturated and tacTickReport.refused over all ticks */
  int64_t contact_ticks;      /* number of ticks in which any tool had contact */
  /* Members for worlds with simulate_every > 1, whose bodies are simulated at a lower rate: */
  int64_t taken;   /* number of steps of the bodies whose results were taken in ticks */
  int64_t overdue; /* number of ticks in which a result was late */
  /* Processor time of a step of the bodies, s: median, 99 % and 99.9 % quantiles, and maximum. */
  double step_p50, step_p99, step_p999, step_max;
  tacFault fault;           /* first fault of the run; TAC_FAULT_NONE: no fault */
  int fault_device;         /* index of the device with the first fault; -1: no device */
  int64_t fault_tick;       /* tick of the first fault; -1: no fault */
  char remark[256];         /* text of tac_servo_remark */
  int error_estimate_count; /* number of bodies with an error estimate, at most TAC_SERVO_MOST_ERROR_ESTIMATES */
  /* Statistics of bodies with an error estimate; the first `error_estimate_count` entries are valid. */
  tacServoErrorEstimate error_estimates[TAC_SERVO_MOST_ERROR_ESTIMATES];
  /* Statistics of the limits that cut forces. A coupling is at its limit if tacToolOutput.saturated is 1. */
  tacServoLimit force_limit[TAC_MOST_TOOLS], rate_limit[TAC_MOST_TOOLS], coupling_limit[TAC_MOST_TOOLS];
} tacServoReport;

/* ---- creation, start and stop ---- */

/* A servo. Opaque. */
typedef struct tacServo tacServo;

/* Creates a servo with one device for each tool of the world, in the order of the tools. `workspaces` has one entry
 * for each tool; NULL means scale 1 and no offsets. `recorder` may be NULL. The servo refers to the world, the
 * devices and the recorder. The world and the recorder must exist until the servo has stopped, and the devices
 * until the servo is destroyed. The world must be sealed. No other servo may use the world until this servo has
 * stopped or is destroyed. Returns TAC_ERR_ARGUMENT if a condition is violated or a value of `def` is out of range.
 * Load phase. */
TAC_API tacStatus tac_servo_create(tacWorld *world, int device_count, tacDevice *devices,
                                   const tacWorkspaceDef *workspaces, const tacServoDef *def, tacRecorder *recorder,
                                   tacServo **servo, tacError *error);

/* Stops the loop and frees the servo. `servo` may be NULL. Load phase. */
TAC_API void tac_servo_destroy(tacServo *servo);

/* Resets the world and starts the loop on a separate thread. In real time, it also starts the simulation of a world
 * with simulate_every > 1 (tac_world_start_simulation). A servo starts only once: a second call returns
 * TAC_ERR_ARGUMENT. Load phase. */
TAC_API tacStatus tac_servo_start(tacServo *servo, tacError *error);

/* Returns true while the loop runs. Any thread; never waits. */
TAC_API bool tac_servo_running(const tacServo *servo);

/* Stops the loop: ramps the forces to zero and waits until the loop has ended. Load phase. */
TAC_API void tac_servo_stop(tacServo *servo);

/* Returns the latest snapshot. The snapshot and its state stay valid until the next call. One other thread may call
 * the function, at display rate. Never waits. */
TAC_API const tacSnapshot *tac_servo_snapshot(tacServo *servo);

/* Returns one line that names the permissions denied by the operating system (priority, memory locking). The line
 * is "" if all permissions were granted or the loop has not begun. */
TAC_API const char *tac_servo_remark(const tacServo *servo);

/* ---- control while the loop runs: from one other thread; no function waits ---- */

/* Pauses or continues the loop. A paused loop ramps the forces to zero. After the ramp the loop only reads the
 * devices, and neither counts nor records ticks. */
TAC_API void tac_servo_pause(tacServo *servo, bool paused);

/* Runs `ticks` ticks of a paused loop, without force on the devices. */
TAC_API void tac_servo_step(tacServo *servo, int ticks);

/* Least speed of slow motion; 1 is full speed. At a lower speed, the time between ticks is 1/speed times as long.
 * Ticks, forces and recordings have the same bits as at full speed, because a tick uses its period and not the
 * clock. Slow motion is for simulated hands: a real device would render each force for a longer time. Slow motion
 * works only in real time. A loop that is ending runs at full speed. */
#define TAC_SERVO_LEAST_SPEED 0.01

/* Requests a new value of a world parameter for one of the next ticks. Each tick sets at most one parameter, so
 * that the recording contains every change. Returns false if too many requests wait or the parameter is not
 * `in_tick`. A value out of range is ignored. */
TAC_API bool tac_servo_set_parameter(tacServo *servo, int parameter, double value);

/* Measurements of one tick, for plots. */
typedef struct tacTickSample {
  int64_t tick;
  float compute, late; /* processor time of the tick, s; delay of its start after the deadline, s */
  int32_t contact_count;
  float force[TAC_MOST_TOOLS];       /* magnitude of the written force, N */
  float penetration[TAC_MOST_TOOLS]; /* tacToolOutput.depth, m */
  float energy[TAC_MOST_TOOLS];      /* energy absorbed at the device port since the start, J */
  float error_estimate;              /* tacTickReport.error_estimate */
  uint32_t limits[TAC_MOST_TOOLS];   /* sum of TAC_LIMIT_* */
  float asked[TAC_MOST_TOOLS];       /* magnitude of the world's force before ramps, damper and limits, N */
} tacTickSample;

/* Copies the samples since the previous call to `samples`, oldest first, at most `capacity`, and returns the number
 * of copied samples. The buffer holds at least 4,096 ticks. When the buffer is full, new samples are dropped. One
 * other thread may call the function. */
TAC_API int tac_servo_samples(tacServo *servo, int capacity, tacTickSample *samples);

enum { TAC_SERVO_MOST_CONTACTS = 256, TAC_SERVO_MOST_COUPLED = 64 }; /* limits of tacContactMoment.count and .coupled */

/* Contacts of one tick that obey contact laws, and the coupling between these contacts. */
typedef struct tacContactMoment {
  int64_t tick;
  int count;                                         /* number of entries in `contacts` */
  tacShownContact contacts[TAC_SERVO_MOST_CONTACTS]; /* contacts from tac_world_contacts */
  int coupled; /* number of first contacts that `delassus` covers; 0: `delassus` was not requested */
  /* Delassus operator W, m/N, dense [3 coupled][3 coupled]: the motion of each contact per unit force at each
   * contact. Each contact has three rows: one for its normal, then two for tangential directions. */
  double delassus[9 * TAC_SERVO_MOST_COUPLED * TAC_SERVO_MOST_COUPLED];
} tacContactMoment;

/* ---- after the loop has ended ---- */

/* Returns the report of the run. While the loop runs, the report is empty, with `fault_device` -1. */
TAC_API tacServoReport tac_servo_report(const tacServo *servo);

/* Writes the fault of the report as one line to `text` (`size` bytes), such as "device 0 (omni) jumped 1.02 m in
 * one tick at 3.204 s; ...". The line is empty if there is no fault. */
TAC_API void tac_servo_fault_text(const tacServo *servo, char *text, size_t size);

TAC_END_DECLS

#endif
