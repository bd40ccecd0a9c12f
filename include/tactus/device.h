/* Haptic devices: the driver interface, loading of drivers, and built-in devices that replay a trajectory, simulate a
 * hand, or follow a pointer (docs/device.md).
 *
 * A device supplies positions and receives forces. tac_device_replay_open, tac_device_operator_open and
 * tac_device_pointer_open make the built-in devices. Other devices come from drivers: shared objects that export
 *
 *     const tacDeviceDriver *tac_device_driver(void);
 *
 * tac_device_load opens them. Drivers for hardware of several vendors come with Tactus and are found by name. A
 * complete driver is examples/device_circle.c.
 *
 * Example:
 *
 *     tacTrajectory *path = NULL;
 *     tacDevice device;
 *     tacStatus status = tac_trajectory_read("hand.txt", &path, error);  // rows "t x y z", s and m
 *     if (status == TAC_OK) status = tac_device_replay_open(path, false, 0.001, &device, error);
 *     if (status != TAC_OK) return status;
 *     tacDeviceState state;
 *     const tacVec3 force = {0.0, 0.0, 0.5}, torque = {0.0, 0.0, 0.0};
 *     while (device.driver->read(device.self, &state) == TAC_DEVICE_FINE)  // once a tick
 *       device.driver->write(device.self, force, torque);
 *     tac_device_close(&device);
 *
 * Units: m, s, N, N m, rad. Positions, forces and torques are in the device's own frame, which is the vendor's; the
 * servo maps it to the scene. Forces and torques act on the hand.
 *
 * Phases: a driver's `read` and `write` belong to the tick phase. tac_trajectory_at and tac_device_pointer_move may be
 * called in any phase. All else belongs to the load phase.
 *
 * Threads: one thread at a time uses a device. tac_device_pointer_move may be called by one other thread meanwhile. */
#ifndef TACTUS_DEVICE_H
#define TACTUS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/base.h>

TAC_BEGIN_DECLS

/* ---- the driver interface ---- */

#define TAC_DEVICE_ABI 1u /* version of tacDeviceDriver and tacDeviceExtras */

/* Properties of an opened device. Its limits apply to every force that is written to the device. */
typedef struct tacDeviceInfo {
  char name[64];          /* name shown to users */
  int dof;                /* 3: force; 6: force and torque */
  tacBox workspace;       /* m */
  double force_limit;     /* N, length of the largest force that the device renders */
  double torque_limit;    /* N m, likewise; 0 for 3 dof */
  double stiffness_limit; /* N/m, largest stiffness that the device renders stably at 1 kHz */
  double resolution;      /* m, resolution of the position; 0: unknown */
} tacDeviceInfo;

#define TAC_BUTTON_INDEX 1u /* while pressed, the hand moves without moving the tool (workspace indexing) */
#define TAC_BUTTON_GRAB 2u  /* while pressed, the tool holds what it touches */
#define TAC_BUTTON_LIFT 4u  /* while pressed, the tool touches nothing, wherever it goes */
/* Closing of a tool's jaws, in the bits above the buttons: `level` is 0 (open) to 255 (closed). TAC_BUTTON_GRAB closes
 * them fully. */
#define TAC_BUTTON_GRIP(level) ((uint32_t)(level) << 8)
#define TAC_BUTTON_GRIP_OF(buttons) ((buttons) >> 8 & 255u) /* the level, 0 to 255, in `buttons` */

/* State of a device in one tick. */
typedef struct tacDeviceState {
  tacVec3 position;      /* m */
  double orientation[4]; /* unit quaternion w, x, y, z; 1, 0, 0, 0 for a device without orientation */
  uint32_t buttons;      /* sum of TAC_BUTTON_* */
} tacDeviceState;

/* Condition of a device after a read. */
typedef enum tacDeviceHealth {
  TAC_DEVICE_FINE, /* the state is new */
  TAC_DEVICE_LATE, /* no new state since the last read; the state is the last one */
  TAC_DEVICE_LOST, /* permanently disconnected */
  TAC_DEVICE_DONE  /* a trajectory has ended: an orderly stop */
} tacDeviceHealth;

/* Functions of a driver. All members are required. */
typedef struct tacDeviceDriver {
  uint32_t abi;               /* TAC_DEVICE_ABI; another value is refused */
  const char *name, *summary; /* for messages and lists */
  /* Opens a device, stores it in `device` and fills `info`. `options` is the text of the scene's `options` key, "" if
   * there is none. `period` is that of the servo, s. On failure it fills `error` and returns a status other than
   * TAC_OK. Load phase. */
  tacStatus (*open)(const char *options, double period, void **device, tacDeviceInfo *info, tacError *error);
  /* Closes the device. Load phase. */
  void (*close)(void *device);
  /* Reads the newest state. Called once in each tick, before `write`. It must not block, allocate or wait. */
  tacDeviceHealth (*read)(void *device, tacDeviceState *state);
  /* Renders a force (N) and a torque (N m) on the hand. Called once in each tick, after `read`. It must not block,
   * allocate or wait. */
  void (*write)(void *device, tacVec3 force, tacVec3 torque);
} tacDeviceDriver;

enum { TAC_DEVICE_MOST_FOUND = 8 }; /* devices listed in a tacDeviceProbe */

/* What a driver finds without opening a device. */
typedef struct tacDeviceProbe {
  bool ready;                            /* everything that the driver needs is there */
  char needs[320];                       /* the required library or service, and where it was found or how to get it */
  int count;                             /* number of devices that respond */
  char found[TAC_DEVICE_MOST_FOUND][64]; /* the first of them, each by a text that identifies it */
} tacDeviceProbe;

/* Optional functions of a driver, which it exports besides its table as
 *
 *     const tacDeviceExtras *tac_device_extras(void);
 *
 * Each function may be NULL. None is called in ticks. */
typedef struct tacDeviceExtras {
  uint32_t abi; /* TAC_DEVICE_ABI */
  /* Fills `probe`, which is zeroed before. `options` is as for tacDeviceDriver.open. */
  void (*probe)(const char *options, tacDeviceProbe *probe);
  /* Writes why the device was lost to `text` of `size` bytes; "" if it was not lost. */
  void (*trouble)(void *device, char *text, size_t size);
} tacDeviceExtras;

/* An open device.
 *
 * A function that opens a device fills it. A program may also fill one itself, for a device of its own: with
 * `self`, `info`, and a `driver` that has at least `abi`, `name`, `read` and `write`; zeros otherwise. */
typedef struct tacDevice {
  const tacDeviceDriver *driver; /* NULL: no device */
  void *self;                    /* first argument of the driver's functions */
  tacDeviceInfo info;            /* properties */
  void *library;                 /* shared object opened by tac_device_load; NULL for built-in devices */
  const tacDeviceExtras *extras; /* NULL: the driver has none */
} tacDevice;

/* ---- drivers ---- */

/* Opens a device of a driver.
 *
 * `path` is a file if it contains a slash or ends in ".so". Any other text is a name: "openhaptics" means the file
 * openhaptics.so in the folders of tac_device_drivers. A file outside of these folders needs permission, see
 * tac_plugin_set. `options` is passed to the driver; NULL means "". `period` is that of the servo, s.
 *
 * The error text names the file and what it lacks. TAC_ERR_FILE: it cannot be loaded. TAC_ERR_FORMAT: it is not a
 * complete driver. TAC_ERR_VERSION: another TAC_DEVICE_ABI. TAC_ERR_UNSUPPORTED: refused by the callback of
 * tac_plugin_set. Load phase. */
TAC_API tacStatus tac_device_load(const char *path, const char *options, double period, tacDevice *device,
                                  tacError *error);
/* Closes a device and zeroes the struct. A zeroed struct is allowed. Load phase. */
TAC_API void tac_device_close(tacDevice *device);

/* A driver that tac_device_load finds by name. */
typedef struct tacDriverFile {
  char name[64];   /* for tac_device_load */
  char path[1024]; /* of the file NAME.so */
} tacDriverFile;
/* Lists the drivers that are found by name, without loading them, and returns their number. It fills the first `most`
 * entries of `files`.
 *
 * Drivers are files NAME.so in $TACTUS_DRIVERS, in the folder `drivers` beside the program, and where the program or
 * the library is installed (lib/tactus/drivers). Each name is listed once, with the file that tac_device_load opens.
 * Load phase. */
TAC_API int tac_device_drivers(int most, tacDriverFile *files);

/* ---- trajectories ---- */

/* A motion in time. Immutable; any thread may read it. */
typedef struct tacTrajectory tacTrajectory;

/* A point of a trajectory. */
typedef struct tacTrajectoryPoint {
  double time;           /* s, 0 or later */
  tacVec3 position;      /* m */
  double orientation[4]; /* unit quaternion w, x, y, z */
  uint32_t buttons;      /* TAC_BUTTON_*, from this point to the next */
} tacTrajectoryPoint;
/* Reads a trajectory from a text file and interpolates it smoothly, see tac_trajectory_create.
 *
 * Each row is "t x y z [qw qx qy qz [buttons]]", in s and m, with the same number of columns in all rows. Blanks, tabs,
 * commas or semicolons separate columns. The first line may name the columns. '#' starts a comment. Times must ascend.
 * TAC_ERR_FORMAT names the wrong line. Load phase. */
TAC_API tacStatus tac_trajectory_read(const char *path, tacTrajectory **trajectory, tacError *error);
/* Creates a trajectory from `count` points, at least 1, which it copies. Times must ascend.
 *
 * `smooth` true: positions follow a cubic (Catmull-Rom) between points, and orientations a cubic. false: positions
 * follow a line, and orientations the shortest arc. TAC_ERR_ARGUMENT names the invalid point. Load phase. */
TAC_API tacStatus tac_trajectory_create(int count, const tacTrajectoryPoint *points, bool smooth,
                                        tacTrajectory **trajectory, tacError *error);
/* Frees a trajectory; NULL is allowed. Load phase. */
TAC_API void tac_trajectory_destroy(tacTrajectory *trajectory);
/* Returns the time of the last point, s. Any phase. */
TAC_API double tac_trajectory_duration(const tacTrajectory *trajectory);
/* Computes the state, and the velocity (m/s; may be NULL), at `time` (s). Before the first and after the last point the
 * trajectory is at rest. Any phase. */
TAC_API void tac_trajectory_at(const tacTrajectory *trajectory, double time, tacDeviceState *state, tacVec3 *velocity);

/* ---- replay ---- */

/* Opens a device that plays a trajectory and ignores forces.
 *
 * Each read advances the time by `period`, s. At the end the device reports TAC_DEVICE_DONE. With `repeats` it starts
 * again instead; the two ends of the trajectory must then meet. It takes over the trajectory, also on failure. Load
 * phase. */
TAC_API tacStatus tac_device_replay_open(tacTrajectory *trajectory, bool repeats, double period, tacDevice *device,
                                         tacError *error);

/* ---- operator: a simulated hand and device ---- */

/* A simulated hand that follows a path and holds a simulated device, in a closed loop with the rendered force f:
 *
 *     M x'' = k_h (p - x) + b_h (p' - x') - b_d x' - friction + f
 *
 * p is the path, x the position of the handle, and M the mass of device and hand. A spring k_h and a damper b_h, the
 * hand, pull the handle towards the path; b_d is the device's damping. The force is held constant between ticks
 * (zero-order hold) and cut at the device's limit. The position is read through an encoder. Time is integrated in steps
 * of `substep`. */
typedef struct tacOperatorDef {
  tacDeviceInfo info;     /* properties of the device */
  double device_mass;     /* kg, apparent mass at the handle */
  double device_damping;  /* b_d, N s/m */
  double device_friction; /* N, Coulomb friction */
  double device_inertia;  /* kg m^2, for 6 dof */
  double hand_mass;       /* kg, moves with the handle */
  double hand_damping;    /* b_h, N s/m, towards the path's velocity */
  double hand_stiffness;  /* k_h, N/m, towards the path */
  /* N m/rad and N m s/rad, towards the path's orientation and spin, for 6 dof. */
  double hand_rotational_stiffness, hand_rotational_damping;
  /* m: each axis of a read position has a random error, uniform between -noise and +noise, the same in every run.
   * Default 0. */
  double noise;
  double substep; /* s, upper bound of a substep; default 25e-6 */
  bool repeats;   /* the path repeats; its two ends must meet */
} tacOperatorDef;

/* Fills `def` with a preset of hand and device.
 *
 * Names: "premium-3" and "premium-6" (Phantom Premium-like, 3 and 6 dof), "omni" (Omni-like, 3 dof of force, encoder
 * 0.055 mm), "omni-6", "virtuose-6" (Virtuose 6D-like, 35 N). TAC_ERR_ARGUMENT: unknown name; the text lists all names.
 * Load phase. */
TAC_API tacStatus tac_operator_def_preset(const char *name, tacOperatorDef *def, tacError *error);
/* Returns the names of the presets: index 0, 1, ... until NULL. Any phase. */
TAC_API const char *tac_operator_preset_name(int index);
/* Opens a simulated hand and device. `period` is that of the servo, s. The path gives position, orientation and
 * buttons; the device reports TAC_DEVICE_DONE at its end unless it repeats. It takes over the path, also on failure.
 * TAC_ERR_ARGUMENT: a value of `def` is out of range. Load phase. */
TAC_API tacStatus tac_device_operator_open(const tacOperatorDef *def, tacTrajectory *path, double period,
                                           tacDevice *device, tacError *error);

/* ---- pointer: a hand for mouse, touch screen or SpaceMouse ---- */

/* A simulated hand for a pointer that renders no force.
 *
 * A spring and a damper pull a handle of some mass to the pointer, the rendered force pushes it back, and the tool is
 * where the handle is. So the length of the spring shows the force. Samples come at display rate and in bursts. Between
 * samples the end of the spring moves on a line, in about the time between samples, and never faster than `speed`.
 * Orientations follow in the same way; torques have no effect.
 *
 * Touch: while the pointer does not touch, the tool is lifted (TAC_BUTTON_LIFT): it follows, and forces have no effect.
 * After a touch begins, the tool stays lifted until the handle has arrived where the touch began and is nearly at rest.
 * The end of the spring waits there for it, wherever the pointer goes meanwhile. There is no time limit, so the tool
 * never comes down elsewhere.
 *
 * Second device: the pointer may stand in front of another device, which leads until the pointer takes over. While the
 * tool moves from one to the other, it is lifted. While the pointer leads, the other device is still read, so that its
 * time goes on, and gets no force. If it is then late, lost or done, the pointer device still reports TAC_DEVICE_FINE.
 * While the other device leads, its states, buttons, health and forces pass through. Its health also passes through
 * while the tool is on its way back to it. */
typedef struct tacPointerDef {
  double stiffness; /* N/m, of the spring; 1 to 1e5 */
  double damping;   /* N s/m, of the damper; 0.01 to 1e4 */
  double mass;      /* kg, of the handle; 0.001 to 100 */
  double speed;     /* m/s, largest speed of the spring's end, at most 2; the handle's speed is at most 2.5 */
  double arrival;   /* m: closer than this, the handle has arrived */
} tacPointerDef;
/* Returns the defaults: 600 N/m, near critical damping, 0.15 kg, 1 m/s, 1 mm. Any phase. */
TAC_API tacPointerDef tac_pointer_def_default(void);

/* State of the pointer at one moment. */
typedef struct tacPointerSample {
  tacVec3 position;      /* m, device frame */
  double orientation[4]; /* quaternion w, x, y, z of any length; zeros: not turned */
  bool touch, grab;      /* the pointer touches; it grabs, which has no effect while the tool is lifted */
} tacPointerSample;

/* Opens a pointer device.
 *
 * `own` is the second device; NULL or a zeroed struct: none, and the pointer leads. It is taken over and zeroed, also
 * on failure. The new device has its info; without it 3 dof, 20 N and 3000 N/m. The handle starts at the first state of
 * `own`, or at `start` (m). `period` is that of the servo, s. TAC_ERR_ARGUMENT: a value of `def` is out of range. Load
 * phase. */
TAC_API tacStatus tac_device_pointer_open(const tacPointerDef *def, tacDevice *own, tacVec3 start, double period,
                                          tacDevice *device, tacError *error);
/* Passes a new sample to a pointer device; has no effect on other devices. Samples with a NaN or infinite number are
 * ignored. Of several samples between two ticks only the newest counts, but a touch that ended and began again is never
 * lost. Any phase, from one other thread at a time; never waits. */
TAC_API void tac_device_pointer_move(const tacDevice *device, const tacPointerSample *sample);

TAC_END_DECLS

#endif
