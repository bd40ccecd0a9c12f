/* Haptic devices: the driver interface, loading of drivers, and built-in devices that replay a trajectory, simulate a
 * hand, or follow a pointer (docs/device.md).
 *
 * A device supplies positions and receives forces. tac_device_replay_open, tac_device_operator_open and
 * tac_device_pointer_open make the built-in devices. Other devices come from drivers: shared objects that export
 *
 *     const tacDeviceDriver *tac_device_driver(void);
 *
 * tac_device_load opens a device of a driver. Drivers for hardware of several vendors are part of Tactus and are
 * found by name. A complete driver is examples/device_circle.c.
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
 * Units: m, s, N, N m, rad. Positions, forces and torques are in the device frame, which the vendor defines. The
 * servo maps the device frame to the scene. Forces and torques act on the hand.
 *
 * Phases: a driver's `read` and `write` belong to the tick phase. tac_trajectory_at and tac_device_pointer_move may
 * be called in any phase. All other functions belong to the load phase unless their comments say otherwise.
 *
 * Threads: one thread at a time uses a device. At the same time, one other thread may call tac_device_pointer_move. */
#ifndef TACTUS_DEVICE_H
#define TACTUS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/base.h>

TAC_BEGIN_DECLS

/* ---- the driver interface ---- */

#define TAC_DEVICE_ABI 1u /* version of tacDeviceDriver and tacDeviceExtras */

/* Properties of an opened device. The limits apply to every force that is written to the device. */
typedef struct tacDeviceInfo {
  char name[64];          /* name shown to users */
  int dof;                /* degrees of freedom; 3: force; 6: force and torque */
  tacBox workspace;       /* workspace of the device, m */
  double force_limit;     /* magnitude of the largest force that the device renders, N */
  double torque_limit;    /* magnitude of the largest torque that the device renders, N m; 0 for 3 dof */
  double stiffness_limit; /* largest stiffness that the device renders stably at 1 kHz, N/m */
  double resolution;      /* resolution of the position, m; 0: unknown */
} tacDeviceInfo;

#define TAC_BUTTON_INDEX 1u /* indexing button: while pressed, the hand moves without the tool (workspace indexing) */
#define TAC_BUTTON_GRAB 2u  /* grab button: while pressed, the tool holds the touched object */
#define TAC_BUTTON_LIFT 4u  /* lift button: while pressed, the tool touches nothing at any position */
/* Closing of a tool's jaws, in the bits above the buttons: `level` is 0 (open) to 255 (closed). TAC_BUTTON_GRAB
 * closes the jaws fully. */
#define TAC_BUTTON_GRIP(level) ((uint32_t)(level) << 8)
#define TAC_BUTTON_GRIP_OF(buttons) ((buttons) >> 8 & 255u) /* closing level in `buttons`, 0 to 255 */

/* State of a device in one tick. */
typedef struct tacDeviceState {
  tacVec3 position;      /* position of the handle, m */
  double orientation[4]; /* unit quaternion w, x, y, z; 1, 0, 0, 0 for a device without orientation */
  uint32_t buttons;      /* sum of TAC_BUTTON_* */
} tacDeviceState;

/* Condition of a device after a read. */
typedef enum tacDeviceHealth {
  TAC_DEVICE_FINE, /* the state is new */
  TAC_DEVICE_LATE, /* no new state since the last read; `state` is the previous state */
  TAC_DEVICE_LOST, /* the connection is lost permanently */
  TAC_DEVICE_DONE  /* the trajectory has ended: orderly stop */
} tacDeviceHealth;

/* Functions of a driver. All members are required. */
typedef struct tacDeviceDriver {
  uint32_t abi;               /* value TAC_DEVICE_ABI; another value is refused */
  const char *name, *summary; /* name and one-line summary, for messages and lists */
  /* Opens a device, stores the device in `device`, and fills `info`. `options` is the text of the scene's `options`
   * key; "" if the key is missing. `period` is the period of the servo, s. On failure, the function fills `error`
   * and returns a status other than TAC_OK. Load phase. */
  tacStatus (*open)(const char *options, double period, void **device, tacDeviceInfo *info, tacError *error);
  /* Closes the device. Load phase. */
  void (*close)(void *device);
  /* Reads the newest state. Called once in each tick, before `write`. The function must not block, allocate or
   * wait. */
  tacDeviceHealth (*read)(void *device, tacDeviceState *state);
  /* Renders a force (N) and a torque (N m) on the hand. Called once in each tick, after `read`. The function must
   * not block, allocate or wait. */
  void (*write)(void *device, tacVec3 force, tacVec3 torque);
} tacDeviceDriver;

enum { TAC_DEVICE_MOST_FOUND = 8 }; /* limit of devices listed in a tacDeviceProbe */

/* Information that a driver finds without opening a device. */
typedef struct tacDeviceProbe {
  bool ready;      /* true: all requirements of the driver are met */
  char needs[320]; /* name of the required library or service, and its location or how to get it */
  int count;       /* number of devices that respond */
  char found[TAC_DEVICE_MOST_FOUND][64]; /* texts that identify the first of these devices */
} tacDeviceProbe;

/* Optional functions of a driver. In addition to its function table, the driver then exports
 *
 *     const tacDeviceExtras *tac_device_extras(void);
 *
 * Each function may be NULL. None of the functions is called in ticks. */
typedef struct tacDeviceExtras {
  uint32_t abi; /* value TAC_DEVICE_ABI */
  /* Fills `probe`, which the caller has zeroed. `options` is as for tacDeviceDriver.open. */
  void (*probe)(const char *options, tacDeviceProbe *probe);
  /* Writes the reason for the loss of the device to `text` (`size` bytes); "" if the device is not lost. */
  void (*trouble)(void *device, char *text, size_t size);
} tacDeviceExtras;

/* An open device.
 *
 * A function that opens a device fills this struct. A program with its own device may fill the struct itself. It
 * must then set `self`, `info` and `driver`, and zero the other members. In the driver, at least `abi`, `name`,
 * `read` and `write` must be set, and the other members must be zero. */
typedef struct tacDevice {
  const tacDeviceDriver *driver; /* functions of the driver; NULL: no device */
  void *self;                    /* first argument of the driver's functions */
  tacDeviceInfo info;            /* properties of the device */
  void *library;                 /* shared object opened by tac_device_load; NULL for built-in devices */
  const tacDeviceExtras *extras; /* optional functions of the driver; NULL: none */
} tacDevice;

/* ---- drivers ---- */

/* Opens a device of a driver.
 *
 * A `path` that contains a slash or ends in ".so" is the path of a file. Any other text is a name: "openhaptics" means
 * the file openhaptics.so in the folders of tac_device_drivers. A file outside of these folders needs permission, see
 * tac_plugin_set. `options` is passed to the driver; NULL means "". `period` is the period of the servo, s.
 *
 * The error text names the file and the missing part. Returns TAC_ERR_FILE if the file cannot be loaded, and
 * TAC_ERR_FORMAT if the file is not a complete driver. Returns TAC_ERR_VERSION if the driver has another
 * TAC_DEVICE_ABI. Returns TAC_ERR_UNSUPPORTED if the callback of tac_plugin_set refused the file. Load phase. */
TAC_API tacStatus tac_device_load(const char *path, const char *options, double period, tacDevice *device,
                                  tacError *error);
/* Closes a device and zeroes the struct. A zeroed struct is allowed. Load phase. */
TAC_API void tac_device_close(tacDevice *device);

/* A driver that tac_device_load finds by name. */
typedef struct tacDriverFile {
  char name[64];   /* name of the driver, for tac_device_load */
  char path[1024]; /* path of the file NAME.so */
} tacDriverFile;
/* Lists the drivers that are found by name, and returns the number of these drivers. No driver is loaded. The
 * function fills the first `most` entries of `files`. If `files` is NULL, the function only counts.
 *
 * Drivers are files NAME.so in $TACTUS_DRIVERS, in the folder `drivers` beside the program, and in
 * lib/tactus/drivers where the program or the library is installed. Each name is listed once, with the file that
 * tac_device_load opens. Load phase. */
TAC_API int tac_device_drivers(int most, tacDriverFile *files);

/* ---- trajectories ---- */

/* A motion over time. A trajectory is immutable, and any thread may read a trajectory. */
typedef struct tacTrajectory tacTrajectory;

/* A point of a trajectory. */
typedef struct tacTrajectoryPoint {
  double time;           /* time of the point, s, 0 or later */
  tacVec3 position;      /* position, m */
  double orientation[4]; /* orientation, unit quaternion w, x, y, z */
  uint32_t buttons;      /* sum of TAC_BUTTON_* from this point to the next point */
} tacTrajectoryPoint;
/* Reads a trajectory from a text file and interpolates the points smoothly, see tac_trajectory_create.
 *
 * Each row is "t x y z [qw qx qy qz [buttons]]", in s and m. All rows have the same number of columns. Blanks,
 * tabs, commas or semicolons separate columns. The first line may contain the names of the columns. '#' starts a
 * comment. Times must ascend. A TAC_ERR_FORMAT error names the wrong line. Load phase. */
TAC_API tacStatus tac_trajectory_read(const char *path, tacTrajectory **trajectory, tacError *error);
/* Creates a trajectory from a copy of `count` points, at least 1. Times must ascend.
 *
 * If `smooth` is true, positions follow a cubic (Catmull-Rom) between points, and orientations also follow a cubic.
 * If `smooth` is false, positions follow a line, and orientations the shortest arc. A TAC_ERR_ARGUMENT error names
 * the invalid point. Load phase. */
TAC_API tacStatus tac_trajectory_create(int count, const tacTrajectoryPoint *points, bool smooth,
                                        tacTrajectory **trajectory, tacError *error);
/* Frees a trajectory. `trajectory` may be NULL. Load phase. */
TAC_API void tac_trajectory_destroy(tacTrajectory *trajectory);
/* Returns the time of the last point of a trajectory, s. Any phase. */
TAC_API double tac_trajectory_duration(const tacTrajectory *trajectory);
/* Computes the state and the velocity (m/s) of a trajectory at `time` (s). `velocity` may be NULL. Before the first
 * and after the last point, the trajectory is at rest. Any phase. */
TAC_API void tac_trajectory_at(const tacTrajectory *trajectory, double time, tacDeviceState *state, tacVec3 *velocity);

/* ---- replay ---- */

/* Opens a device that plays a trajectory and ignores forces.
 *
 * Each read advances the time by `period`, s. At the end of the trajectory, the device reports TAC_DEVICE_DONE. If
 * `repeats` is true, the trajectory starts again instead; its first and last points must then coincide. The device
 * takes ownership of the trajectory. On failure, the function destroys the trajectory. Load phase. */
TAC_API tacStatus tac_device_replay_open(tacTrajectory *trajectory, bool repeats, double period, tacDevice *device,
                                         tacError *error);

/* ---- operator: a simulated hand and device ---- */

/* A simulated hand that follows a path and holds a simulated device. Hand and device form a closed loop with the
 * rendered force f:
 *
 *     M x'' = k_h (p - x) + b_h (p' - x') - b_d x' - friction + f
 *
 * p is the position on the path, x is the position of the handle, and M is the mass of device and hand. A prime is
 * a time derivative. The hand is a spring k_h and a damper b_h, which pull the handle towards the path. b_d is the
 * damping of the device. The force is constant between ticks (zero-order hold) and is cut at the force limit of the
 * device. The position is read through an encoder. The integration uses steps of `substep`. */
typedef struct tacOperatorDef {
  tacDeviceInfo info;     /* properties of the device */
  double device_mass;     /* apparent mass of the device at the handle, kg */
  double device_damping;  /* damping b_d of the device, N s/m */
  double device_friction; /* Coulomb friction of the device, N */
  double device_inertia;  /* rotational inertia of the device, kg m^2, for 6 dof */
  double hand_mass;       /* mass of the hand, which moves with the handle, kg */
  double hand_damping;    /* damping b_h of the hand relative to the path's velocity, N s/m */
  double hand_stiffness;  /* stiffness k_h of the hand towards the path, N/m */
  /* Rotational stiffness, N m/rad, towards the path's orientation; rotational damping, N m s/rad, relative to the
   * path's angular velocity; both for 6 dof. */
  double hand_rotational_stiffness, hand_rotational_damping;
  /* Amplitude of the position noise, m; default 0. Each axis of a read position has a random error, uniform between
   * -noise and +noise. The errors are the same in every run. */
  double noise;
  double substep; /* upper bound of an integration step, s; default 25e-6 */
  bool repeats;   /* true: the path repeats; its first and last points must coincide */
} tacOperatorDef;

/* Fills `def` with a preset of hand and device.
 *
 * The names are "premium-3" and "premium-6" (Phantom Premium-like, 3 and 6 dof), "omni" (Omni-like, 3 dof of force,
 * encoder 0.055 mm), "omni-6", and "virtuose-6" (Virtuose 6D-like, 35 N). Returns TAC_ERR_ARGUMENT if the name is
 * unknown; the error text lists all names. Load phase. */
TAC_API tacStatus tac_operator_def_preset(const char *name, tacOperatorDef *def, tacError *error);
/* Returns the name of the preset with this index, 0, 1, ...; NULL after the last preset. Any phase. */
TAC_API const char *tac_operator_preset_name(int index);
/* Opens a simulated hand and device. `period` is the period of the servo, s. The path gives position, orientation
 * and buttons. At the end of a path that does not repeat, the device reports TAC_DEVICE_DONE. The device takes
 * ownership of the path. On failure, the function destroys the path. Returns TAC_ERR_ARGUMENT if a value of `def`
 * is out of range. Load phase. */
TAC_API tacStatus tac_device_operator_open(const tacOperatorDef *def, tacTrajectory *path, double period,
                                           tacDevice *device, tacError *error);

/* ---- pointer: a hand for mouse, touch screen or SpaceMouse ---- */

/* A simulated hand for a pointer that renders no force.
 *
 * A spring and a damper pull a handle with a mass towards the pointer. The rendered force acts on the handle, and
 * the tool is at the position of the handle. So the length of the spring shows the force. Samples of the pointer
 * come at display rate and in bursts. Between samples, the end of the spring moves along a line, in about the time
 * between samples, and never faster than `speed`. Orientations follow in the same way. Torques have no effect.
 *
 * Touch: while the pointer does not touch, the tool is lifted (TAC_BUTTON_LIFT): the tool follows the pointer, and
 * forces have no effect. After a touch begins, the tool stays lifted until the handle has reached the start
 * position of the touch and is nearly at rest. Until then, the end of the spring waits at this position, even if
 * the pointer moves away. The tool waits without a time limit, and so it is never lowered at another position.
 *
 * Second device: a pointer device may contain a second device, which controls the tool until the pointer is used. When
 * the control changes, the tool is lifted while it moves from one device to the other. While the pointer controls the
 * tool, the second device is still read, so that its time advances, but it gets no force. If the second device is late,
 * lost or done during this time, the pointer device still reports TAC_DEVICE_FINE. While the second device controls the
 * tool, its states, buttons, health and forces pass through. The health of the second device also passes through while
 * the tool returns to the second device. */
typedef struct tacPointerDef {
  double stiffness; /* stiffness of the spring, N/m, 1 to 1e5 */
  double damping;   /* damping of the damper, N s/m, 0.01 to 1e4 */
  double mass;      /* mass of the handle, kg, 0.001 to 100 */
  double speed;     /* largest speed of the spring's end, m/s, at most 2; the speed of the handle is at most 2.5 */
  double arrival;   /* distance from the start of a touch below which the handle has arrived, m */
} tacPointerDef;
/* Returns the default definition: 600 N/m, near critical damping, 0.15 kg, 1 m/s, 1 mm. Any phase. */
TAC_API tacPointerDef tac_pointer_def_default(void);

/* State of the pointer at one moment. */
typedef struct tacPointerSample {
  tacVec3 position;      /* position of the pointer, m, device frame */
  double orientation[4]; /* orientation, quaternion w, x, y, z of any length; zeros: no rotation */
  bool touch, grab;      /* states of touching and grabbing; `grab` has no effect while the tool is lifted */
} tacPointerSample;

/* Opens a pointer device.
 *
 * `own` is the second device. If `own` is NULL or a zeroed struct, there is no second device, and the pointer
 * leads. The function takes ownership of `own` and zeroes the struct, also on failure. The new device has the info
 * of `own`; without a second device, it has 3 dof, 20 N and 3000 N/m. The handle starts at the first state of
 * `own`, or otherwise at `start` (m). `period` is the period of the servo, s. Returns TAC_ERR_ARGUMENT if a value
 * of `def` is out of range. Load phase. */
TAC_API tacStatus tac_device_pointer_open(const tacPointerDef *def, tacDevice *own, tacVec3 start, double period,
                                          tacDevice *device, tacError *error);
/* Passes a new sample to a pointer device. The function has no effect on other devices. Samples with a NaN or
 * infinite number are ignored. Between two ticks, only the newest sample is used, but a touch that ended and began
 * again is never lost. Any phase, from one other thread at a time; never waits. */
TAC_API void tac_device_pointer_move(const tacDevice *device, const tacPointerSample *sample);

TAC_END_DECLS

#endif
