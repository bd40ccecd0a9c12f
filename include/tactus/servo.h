/* The servo: reads the devices, steps the world, limits and writes the forces at a fixed rate, and reports on the run.
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
 * Any fault of any device ramps all forces to zero, stops the loop, and is reported. A host with its own loop gets the
 * same protection from <tactus/guard.h>.
 *
 * Units: SI; m, N, N m, N/m, J, s. Forces act on the hand.
 *
 * Threads and phases: creation, start, stop and destruction are for the load phase, from one thread. The loop runs on a
 * separate thread. While it runs, one other thread may call the functions that say so; they never wait. */
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
 * The offset changes while the index button is held, so that the tool rests. Forces return by R^T, unscaled. */
typedef struct tacWorkspaceDef {
  double scale;          /* alpha: metres in the scene for a metre of the device; positive; default 1 */
  tacVec3 centre;        /* position of the device's centre in the scene, m; default the origin */
  tacVec3 device_centre; /* m, device frame; default the origin */
  double orientation[4]; /* R: rotates device axes to scene axes; unit quaternion w, x, y, z; default the identity */
} tacWorkspaceDef;

/* Returns the defaults named above. */
TAC_API tacWorkspaceDef tac_workspace_def_default(void);

/* Definition of a servo. */
typedef struct tacServoDef {
  double rate; /* Hz, 250 to 10,000; must be 1 / the world's period; default 1000 */
  /* True, the default: ticks at absolute deadlines. False: one tick after another, as fast as possible. Both give the
   * same bits, as long as the bodies of a world with simulate_every > 1 are in time. */
  bool real_time;
  double duration; /* s; default 0: until stopped or until a device is done */
  int priority;    /* SCHED_FIFO, 1 to 99; 0: normal. Default 80, in real time only */
  int core;        /* processor core of the loop; default -1: any */
  /* In real time: mlockall for the whole process, of all that is mapped when the loop begins, including the host's
   * memory and the stacks of its threads. This memory becomes resident, is never swapped, and stays so after the servo
   * has ended. Default false; a program requests it if all of its memory may be locked. */
  bool lock_memory;
  double ramp_in;     /* s from zero force to full; default 0.5 */
  double ramp_out;    /* s from a fault to zero force; default 0.05 */
  double speed_limit; /* m/s of a device, above which a state is a fault (a jump); default 5 */
  double turn_limit;  /* rad/s of a device, above which a state is a fault (a jump); default 50 */
  int late_limit;     /* most ticks in a row without a new state; one more is a fault; default 20 */
  /* N/s. In a second a force changes by at most this, plus the device's stiffness limit times its motion. Default
   * 500. */
  double force_rate;
  bool passivity; /* adds damping where the port would generate energy; default true */
} tacServoDef;

/* Returns the defaults named above. */
TAC_API tacServoDef tac_servo_def_default(void);

/* ---- report ---- */

enum { TAC_SERVO_MOST_ERROR_ESTIMATES = 32 };

/* Statistics of the estimated model error of a body (tac_world_body_error_estimate). */
typedef struct tacServoErrorEstimate {
  int body;           /* index of the body */
  int64_t ticks;      /* ticks with an estimate of TAC_ERROR_ESTIMATE_SOME or more */
  int64_t much;       /* ticks with an estimate of TAC_ERROR_ESTIMATE_MUCH or more */
  double worst;       /* largest estimate; 0.1 is 10 % */
  int64_t worst_tick; /* where it was */
  double fine;        /* N: largest sum of the forces of all tools on it at an estimate below TAC_ERROR_ESTIMATE_SOME */
} tacServoErrorEstimate;

/* A limit that was reached: in how many ticks, and where it cut most. */
typedef struct tacServoLimit {
  int64_t ticks;
  /* N. Force limit: the largest force that the world requested. Rate limit: the largest difference between requested
   * and written force. Coupling: the largest force that was felt. */
  double worst;
  int64_t worst_tick; /* 0 if `ticks` is 0 */
} tacServoLimit;

/* Report of a run. Arrays have one entry for each tool. */
typedef struct tacServoReport {
  int64_t ticks;
  double seconds; /* wall clock */
  double rate;    /* ticks / seconds, Hz */
  /* s, processor time of the servo thread for a tick: reading, stepping, writing. Median, 99 %, 99.9 % and maximum,
   * from a histogram with classes 1 % wide. */
  double compute_p50, compute_p99, compute_p999, compute_max;
  double late_p50, late_p99, late_p999, late_max; /* s: start of the tick after its deadline */
  int64_t missed_by_computation;                  /* ticks that computed longer than a period */
  int64_t missed_by_lateness;             /* ticks that ended after the next deadline although they computed in time */
  double force_max[TAC_MOST_TOOLS];       /* N, written */
  double force_step_max[TAC_MOST_TOOLS];  /* N: largest change between ticks, written */
  double penetration_max[TAC_MOST_TOOLS]; /* m, tacToolOutput.depth: |x^H - x^C| of a point tool */
  double energy_absorbed[TAC_MOST_TOOLS]; /* J: net work of the hand on the world at the device port, sum -f.dx */
  double energy_least[TAC_MOST_TOOLS];    /* J: least value of that sum over time; negative: generated */
  double work[TAC_MOST_TOOLS];            /* J: sum |f.dx|, for comparison */
  tacGenerated asked[TAC_MOST_TOOLS];     /* energy generated by the world's force, before ramps, limits and damper */
  tacGenerated written[TAC_MOST_TOOLS];   /* energy generated by the written force */
  int64_t limited_force, limited_rate, damped; /* ticks in which a limit or the passivity controller acted */
  int64_t saturated, refused;                  /* sums of the tick reports */
  int64_t contact_ticks;                       /* ticks with contact, of any tool */
  /* Of worlds with simulate_every > 1, whose bodies are simulated at a lower rate: */
  int64_t taken;                                  /* steps of the bodies whose results ticks took */
  int64_t overdue;                                /* ticks in which a result was late */
  double step_p50, step_p99, step_p999, step_max; /* s: processor time of such a step */
  tacFault fault;                                 /* the first fault; TAC_FAULT_NONE if there was none */
  int fault_device;                               /* its device; -1: none */
  int64_t fault_tick;                             /* its tick; -1: none */
  char remark[256];                               /* see tac_servo_remark */
  int error_estimate_count; /* bodies with an error estimate, at most TAC_SERVO_MOST_ERROR_ESTIMATES */
  tacServoErrorEstimate error_estimates[TAC_SERVO_MOST_ERROR_ESTIMATES]; /* the first of these bodies */
  /* Limits that cut a force. A coupling is at its limit if tacToolOutput.saturated. */
  tacServoLimit force_limit[TAC_MOST_TOOLS], rate_limit[TAC_MOST_TOOLS], coupling_limit[TAC_MOST_TOOLS];
} tacServoReport;

/* ---- life ---- */

/* A servo. Opaque. */
typedef struct tacServo tacServo;

/* Creates a servo with one device for each tool of the world, in the order of the tools. `workspaces` has one entry for
 * each tool; NULL: scale 1 and no offsets. `recorder` may be NULL. The servo refers to world, devices and recorder:
 * world and recorder must stay until it has stopped, the devices until it is destroyed. The world must be sealed, and
 * no other servo may use it until this one has stopped or is destroyed. TAC_ERR_ARGUMENT if any of this does not hold
 * or the definition is out of range. Load phase. */
TAC_API tacStatus tac_servo_create(tacWorld *world, int device_count, tacDevice *devices,
                                   const tacWorkspaceDef *workspaces, const tacServoDef *def, tacRecorder *recorder,
                                   tacServo **servo, tacError *error);

/* Stops the loop and frees the servo. NULL is allowed. */
TAC_API void tac_servo_destroy(tacServo *servo);

/* Resets the world and starts the loop on a separate thread. In real time it also starts the simulation of a world with
 * simulate_every > 1 (tac_world_start_simulation). A servo starts only once: TAC_ERR_ARGUMENT for the second time. */
TAC_API tacStatus tac_servo_start(tacServo *servo, tacError *error);

/* Returns whether the loop runs. Any thread; never waits. */
TAC_API bool tac_servo_running(const tacServo *servo);

/* Stops the loop: ramps the forces to zero and waits until the loop has ended. */
TAC_API void tac_servo_stop(tacServo *servo);

/* Returns the latest snapshot. It stays valid, with its state, until the next call. For one other thread, at display
 * rate; never waits. */
TAC_API const tacSnapshot *tac_servo_snapshot(tacServo *servo);

/* Returns which permissions the operating system denied (priority, memory locking), as one line; "" if it granted all
 * or the loop has not begun. */
TAC_API const char *tac_servo_remark(const tacServo *servo);

/* ---- control while the loop runs: one other thread; none of these waits ---- */

/* Pauses the loop, or continues it. A paused loop ramps the forces to zero. Then it reads the devices and does nothing
 * else: it counts and records no tick. */
TAC_API void tac_servo_pause(tacServo *servo, bool paused);

/* Runs a number of ticks of a paused loop, without force on the devices. */
TAC_API void tac_servo_step(tacServo *servo, int ticks);

/* Lowest speed of slow motion; 1 is full speed. At a speed below 1 the loop waits 1/speed times as long between ticks.
 * Ticks, forces and recordings are the same bits as at full speed, since a tick knows its period and not the clock.
 * Slow motion is for simulated hands: a real device would feel each force for that much longer. It works in real time
 * only, and a loop that ends does so at full speed. */
#define TAC_SERVO_LEAST_SPEED 0.01

/* Sets a parameter of the world before one of the next ticks, one parameter for each tick, so that the recording holds
 * it. Returns false if too many requests wait, or if the parameter is not `in_tick`. Values out of range are
 * ignored. */
TAC_API bool tac_servo_set_parameter(tacServo *servo, int parameter, double value);

/* Measurements of one tick, for plots. */
typedef struct tacTickSample {
  int64_t tick;
  float compute, late; /* s: processor time, and start after the deadline */
  int32_t contact_count;
  float force[TAC_MOST_TOOLS];       /* N, written */
  float penetration[TAC_MOST_TOOLS]; /* m, tacToolOutput.depth */
  float energy[TAC_MOST_TOOLS];      /* J, absorbed at the device port so far */
  float error_estimate;              /* tacTickReport.error_estimate */
  uint32_t limits[TAC_MOST_TOOLS];   /* TAC_LIMIT_* */
  float asked[TAC_MOST_TOOLS]; /* N, force of the world: what the hand would get without ramps, damper and limits */
} tacTickSample;

/* Takes the samples since the previous call, oldest first, at most `capacity`; returns their number. The buffer holds
 * at least 4,096 ticks; when it is full, new samples are dropped. For one other thread. */
TAC_API int tac_servo_samples(tacServo *servo, int capacity, tacTickSample *samples);

enum { TAC_SERVO_MOST_CONTACTS = 256, TAC_SERVO_MOST_COUPLED = 64 };

/* Contacts of a tick that obey contact laws, and their coupling. */
typedef struct tacContactMoment {
  int64_t tick;
  int count;                                         /* number of `contacts` */
  tacShownContact contacts[TAC_SERVO_MOST_CONTACTS]; /* tac_world_contacts */
  int coupled;                                       /* contacts in `delassus`, the first ones; 0 if not requested */
  /* The Delassus operator W, m/N, dense [3 coupled][3 coupled]: the motion of each contact under the force of each
   * other. Each contact has three rows: along its normal, then along two tangential directions. */
  double delassus[9 * TAC_SERVO_MOST_COUPLED * TAC_SERVO_MOST_COUPLED];
} tacContactMoment;

/* ---- after the loop has ended ---- */

/* Returns the report of the run; an empty one, with `fault_device` -1, while the loop runs. */
TAC_API tacServoReport tac_servo_report(const tacServo *servo);

/* Writes the fault of the report as one line into `text` (`size` bytes), such as "device 0 (omni) jumped 1.02 m in one
 * tick at 3.204 s; ...". Empty if there is no fault. */
TAC_API void tac_servo_fault_text(const tacServo *servo, char *text, size_t size);

TAC_END_DECLS

#endif
