/* The servo: reads the devices, steps the world, limits and writes the forces, at a fixed rate, and tells how it went.
 *
 * A tick: read every device and check its state (guard); map it to the scene (workspace); step the world; map the force back,
 * limit, damp and ramp it (guard); write it. Any fault of any device ramps all forces to zero, stops, and says why. A host with
 * a loop of its own has the same by <tactus/guard.h>. */
#ifndef TACTUS_SERVO_H
#define TACTUS_SERVO_H

#include <tactus/guard.h>
#include <tactus/recording.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* Device workspace to scene: x_scene = centre + scale R (x_device - device_centre) + offset, where the offset changes while the
 * index button is held so that the tool rests (thesis of Barbic 2007, section 4.5). Forces go back by R^T, unscaled. */
typedef struct tacWorkspaceDef {
  double scale;          /* alpha, metres in the scene a metre of the device */
  tacVec3 centre;        /* where the device's centre is in the scene, m */
  tacVec3 device_centre; /* m, device frame */
  double orientation[4]; /* R: rotates device axes to scene axes; w, x, y, z */
} tacWorkspaceDef;

typedef struct tacServoDef {
  double rate;        /* Hz, 250 to 10,000; must be 1 / the world's period */
  bool real_time;     /* ticks at absolute deadlines; else one after another as fast as possible (same bits, as long as
                       * the bodies of a world that is simulated slower are in time) */
  double duration;    /* s; 0: until stopped or a device is done */
  int priority;       /* SCHED_FIFO, 1 to 99; 0: normal. Default 80 */
  int core;           /* -1: any */
  bool lock_memory;   /* in real time: mlockall for the whole process, of all that is mapped when the loop begins, the
                       * host's memory and its threads' stacks too. It becomes resident, is never swapped, and stays so
                       * when the servo has gone. Default false: a program asks for it where all of it may be */
  double ramp_in;     /* s from zero force to full; default 0.5 */
  double ramp_out;    /* s from a fault to zero force; default 0.05 */
  double speed_limit; /* m/s of a device, above which a state is a fault (a jump); default 5 */
  int late_limit;     /* ticks without a new state that are a fault; default 20 */
  double
      force_rate; /* N/s: the force changes by at most this, plus the device's stiffness limit times its motion, a second;
                          * default 500 */
  bool passivity; /* injects damping where the port would generate energy; default true */
} tacServoDef;
TAC_API tacServoDef tac_servo_def_default(void);

/* Of a body that knows how far it can be trusted (tac_world_body_error_estimate). */
enum { TAC_SERVO_MOST_ERROR_ESTIMATES = 32 };
typedef struct tacServoErrorEstimate {
  int body;           /* its index */
  int64_t ticks;      /* with TAC_ERROR_ESTIMATE_SOME or more; */
  int64_t much;       /* with TAC_ERROR_ESTIMATE_MUCH or more */
  double worst;       /* the largest */
  int64_t worst_tick; /* where that was */
  double fine;        /* N: the largest force of all tools on it together with less than TAC_ERROR_ESTIMATE_SOME */
} tacServoErrorEstimate;
/* A limit that was met: in how many ticks, and where most was lacking. */
typedef struct tacServoLimit {
  int64_t ticks;
  double
      worst; /* N: of the device's force, what the world asked for; of the rate, what was not written; of a coupling, felt */
  int64_t worst_tick; /* of `ticks` 0: 0 */
} tacServoLimit;

typedef struct tacServoReport {
  int64_t ticks;
  double seconds; /* of wall clock */
  double rate;    /* ticks / seconds */
  /* s of the servo thread's processor time: reading, stepping, writing; from a histogram, 1 % wide */
  double compute_p50, compute_p99, compute_p999, compute_max;
  double late_p50, late_p99, late_p999, late_max; /* s: start of the tick after its deadline */
  int64_t missed_by_computation;                  /* ticks that computed longer than a period */
  int64_t missed_by_lateness;             /* ticks that ended after the next deadline though they computed in time */
  double force_max[TAC_MOST_TOOLS];       /* N, written */
  double force_step_max[TAC_MOST_TOOLS];  /* N between ticks, written */
  double penetration_max[TAC_MOST_TOOLS]; /* m, |x^H - x^C| */
  double energy_absorbed[TAC_MOST_TOOLS]; /* J: net work of the hand on the world at the device port, sum f.dx */
  double energy_least[TAC_MOST_TOOLS];    /* J: least of that sum over time; negative: generated */
  double work[TAC_MOST_TOOLS];            /* J: sum |f.dx|, to compare with */
  tacGenerated asked[TAC_MOST_TOOLS];     /* by the world: with its force, before ramps, limits and damper */
  tacGenerated written[TAC_MOST_TOOLS];   /* with what was written */
  int64_t limited_force, limited_rate, damped; /* ticks in which a limit or the passivity controller acted */
  int64_t saturated, refused;                  /* sums of the tick reports */
  int64_t contact_ticks;                       /* ticks with contact, of any tool */
  /* Of worlds that are simulated slower than they are rendered: */
  int64_t taken;                                  /* steps of the bodies that ticks took */
  int64_t overdue;                                /* ticks in which one was late */
  double step_p50, step_p99, step_p999, step_max; /* s of a processor that one took */
  tacFault fault;
  int fault_device;
  int64_t fault_tick;
  char remark[256];         /* what the system refused (priority, memory locking), one line; "" where all was granted */
  int error_estimate_count; /* bodies that know, the first TAC_SERVO_MOST_ERROR_ESTIMATES of them */
  tacServoErrorEstimate error_estimates[TAC_SERVO_MOST_ERROR_ESTIMATES];
  tacServoLimit force_limit[TAC_MOST_TOOLS], rate_limit[TAC_MOST_TOOLS], coupling_limit[TAC_MOST_TOOLS];
} tacServoReport;

typedef struct tacServo tacServo;

/* Load phase. One device a tool of the world, in their order; `workspaces` likewise (NULL: defaults). Refers to all of them.
 * `recorder` may be NULL. The world must be sealed; it is this servo's alone until that has stopped or is destroyed. */
TAC_API tacStatus tac_servo_create(tacWorld *world, int device_count, tacDevice *devices,
                                   const tacWorkspaceDef *workspaces, const tacServoDef *def, tacRecorder *recorder,
                                   tacServo **servo, tacError *error);
TAC_API void tac_servo_destroy(tacServo *servo); /* NULL is allowed; stops first */
/* Starts the loop on a thread of its own, and in real time the simulation of a world that is simulated slower than it is
 * rendered (tac_world_start_simulation). */
TAC_API tacStatus tac_servo_start(tacServo *servo, tacError *error);
TAC_API bool tac_servo_running(const tacServo *servo);
/* Asks it to ramp out and stop, and waits until it has. */
TAC_API void tac_servo_stop(tacServo *servo);
/* The latest snapshot, for one other thread at display rate; never waits. It stays, with its state, until the next call. */
TAC_API const tacSnapshot *tac_servo_snapshot(tacServo *servo);
/* What the system refused (priority, memory locking), one line; "" where all was granted or the loop has not begun. */
TAC_API const char *tac_servo_remark(const tacServo *servo);

/* While it runs, from one other thread; none waits. A paused loop ramps the forces to zero, then reads the devices and does
 * nothing else: no tick is counted or recorded. Steps are for a paused loop: so many ticks, without force on the devices. */
TAC_API void tac_servo_pause(tacServo *servo, bool paused);
TAC_API void tac_servo_step(tacServo *servo, int ticks);
/* Slow motion, for hands that are computed: the loop waits 1/speed times as long between ticks, 1 (at first) to TAC_SERVO_LEAST_SPEED.
 * Ticks, forces and recordings are the same to the bit as at full speed, since a tick knows its period and not the clock. A real
 * device would feel each force for as long: leave it at 1 there. Only in real time; a loop that ends does so at full speed. */
#define TAC_SERVO_LEAST_SPEED 0.01
/* Sets a parameter of the world (one that is `in_tick`) before one of the next ticks, one a tick, so that the recording has it.
 * False where too many wait, or it cannot be set in a tick; values out of range are ignored. */
TAC_API bool tac_servo_set_parameter(tacServo *servo, int parameter, double value);

/* What a tick cost and gave, for plots. */
typedef struct tacTickSample {
  int64_t tick;
  float compute, late; /* s */
  int32_t contact_count;
  float force[TAC_MOST_TOOLS];       /* N, written */
  float penetration[TAC_MOST_TOOLS]; /* m */
  float energy[TAC_MOST_TOOLS];      /* J, absorbed at the device port so far */
  float error_estimate;              /* tacTickReport.error_estimate */
  uint32_t limits[TAC_MOST_TOOLS];   /* TAC_LIMIT_* */
  float asked[TAC_MOST_TOOLS];       /* N, of the world: what the hand would get without ramps, dampers and limits */
} tacTickSample;
/* Those since the last call, oldest first, at most `capacity`; returns how many. For one other thread. At least 4,096 ticks
 * wait; those that come while nobody fetches them are left out. */
TAC_API int tac_servo_samples(tacServo *servo, int capacity, tacTickSample *samples);

/* The contacts of a tick that obey laws, and how they are coupled. */
enum { TAC_SERVO_MOST_CONTACTS = 256, TAC_SERVO_MOST_COUPLED = 64 };
typedef struct tacContactMoment {
  int64_t tick;
  int count;
  tacShownContact contacts[TAC_SERVO_MOST_CONTACTS];                    /* tac_world_contacts */
  int coupled;                                                          /* rows of W; 0 where it was not asked for */
  double delassus[9 * TAC_SERVO_MOST_COUPLED * TAC_SERVO_MOST_COUPLED]; /* tac_world_delassus */
} tacContactMoment;

/* After the loop has ended. */
TAC_API tacServoReport tac_servo_report(const tacServo *servo);
/* The report's fault as a line: "device 0 (omni) jumped 1.02 m in one tick at 3.204 s; ...". Empty where there is none. */
TAC_API void tac_servo_fault_text(const tacServo *servo, char *text, size_t size);

TAC_END_DECLS

#endif
