/* Devices: where positions come from and forces go.
 *
 * A device is a table of functions. Those that come with Tactus are made by tac_device_replay_open and
 * tac_device_operator_open; others come as shared objects that export
 *
 *     const tacDeviceDriver *tac_device_driver(void);
 *
 * and are opened by tac_device_load; examples/device_circle.c is a complete one. Those for the hardware of several vendors
 * come with Tactus and are known by name (docs/device.md). Device frame: that of the vendor, metres, newtons; the servo maps
 * it to the scene's. */
#ifndef TACTUS_DEVICE_H
#define TACTUS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/base.h>

TAC_BEGIN_DECLS

#define TAC_DEVICE_ABI 1u

typedef struct tacDeviceInfo {
  char name[64];          /* for people */
  int dof;                /* 3: force; 6: force and torque */
  tacBox workspace;       /* m, device frame */
  double force_limit;     /* N, length of the largest force that it renders */
  double torque_limit;    /* N m; 0 for 3 dof */
  double stiffness_limit; /* N/m, the largest that it renders stably at 1 kHz */
  double resolution;      /* m, of the position; 0: unknown */
} tacDeviceInfo;

#define TAC_BUTTON_INDEX 1u /* held: the hand moves without moving the tool (workspace indexing) */
#define TAC_BUTTON_GRAB 2u  /* held: the tool holds what it touches */
#define TAC_BUTTON_LIFT 4u  /* held: the tool touches nothing, wherever it goes */
/* How far the jaws of a tool are to close, 0 to 255, beside the buttons; TAC_BUTTON_GRAB closes them all the way. */
#define TAC_BUTTON_GRIP(level) ((uint32_t)(level) << 8)
#define TAC_BUTTON_GRIP_OF(buttons) ((buttons) >> 8 & 255u)

typedef struct tacDeviceState {
  tacVec3 position;
  double orientation[4]; /* unit quaternion w, x, y, z */
  uint32_t buttons;
} tacDeviceState;

typedef enum tacDeviceHealth {
  TAC_DEVICE_FINE,
  TAC_DEVICE_LATE, /* no new state since the last read; the state is the last one */
  TAC_DEVICE_LOST, /* gone for good */
  TAC_DEVICE_DONE  /* a trajectory came to its end: an orderly stop */
} tacDeviceHealth;

typedef struct tacDeviceDriver {
  uint32_t abi; /* TAC_DEVICE_ABI */
  const char *name, *summary;
  /* `options` is the text of the scene's `options` key, "" where there is none. `period` is the servo's, seconds. On failure
   * fills `error` and returns other than TAC_OK. */
  tacStatus (*open)(const char *options, double period, void **device, tacDeviceInfo *info, tacError *error);
  void (*close)(void *device);
  /* Ticks: each is called once a tick, first read, then write; neither may block, allocate or wait. */
  tacDeviceHealth (*read)(void *device, tacDeviceState *state);
  void (*write)(void *device, tacVec3 force, tacVec3 torque); /* on the hand */
} tacDeviceDriver;

/* What a driver finds without opening a device. */
enum { TAC_DEVICE_MOST_FOUND = 8 };
typedef struct tacDeviceProbe {
  bool ready;      /* what the driver needs is there */
  char needs[320]; /* the library or service that it needs and where that was found, or how to get it */
  int count;       /* devices that answer, */
  char found[TAC_DEVICE_MOST_FOUND][64]; /* the first of them by what tells them apart */
} tacDeviceProbe;

/* What a driver may export beside its table, as
 *
 *     const tacDeviceExtras *tac_device_extras(void);
 *
 * Members may be NULL. None is called in ticks. */
typedef struct tacDeviceExtras {
  uint32_t abi;                                              /* TAC_DEVICE_ABI */
  void (*probe)(const char *options, tacDeviceProbe *probe); /* gets a zeroed one */
  void (*trouble)(void *device, char *text, size_t size);    /* why the device was lost, "" where it was not */
} tacDeviceExtras;

typedef struct tacDevice {
  const tacDeviceDriver *driver;
  void *self;
  tacDeviceInfo info;
  void *library;                 /* of tac_device_load */
  const tacDeviceExtras *extras; /* likewise; NULL: the driver has none */
} tacDevice;

/* A shared object; the error names the file and what it lacks. `path` is a file where it has a slash; a name such as
 * "openhaptics" is looked for as openhaptics.so in the folders of tac_device_drivers; what ends in ".so", or is in none
 * of them, is looked up by the system. */
TAC_API tacStatus tac_device_load(const char *path, const char *options, double period, tacDevice *device,
                                  tacError *error);
TAC_API void tac_device_close(tacDevice *device); /* a zeroed struct is allowed */

/* Drivers that are known by name: the files NAME.so in $TACTUS_DRIVERS, in `drivers` beside the program, and where the
 * program or the library is installed (lib/tactus/drivers). Each name once, the one that tac_device_load takes. Returns
 * how many there are, of which the first `most` are filled in. Loads nothing. */
typedef struct tacDriverFile {
  char name[64];
  char path[1024];
} tacDriverFile;
TAC_API int tac_device_drivers(int most, tacDriverFile *files);

/* A trajectory in time: rows "t x y z [qw qx qy qz [buttons]]", seconds and metres, with blanks, tabs, commas or
 * semicolons between them, perhaps under a line of these names; '#' starts a comment; t ascends. Between rows position
 * is interpolated by a cubic (Catmull-Rom) or a line, orientation likewise: by a cubic or along the shortest arc. */
typedef struct tacTrajectory tacTrajectory;
typedef struct tacTrajectoryPoint {
  double time;
  tacVec3 position;
  double orientation[4];
  uint32_t buttons;
} tacTrajectoryPoint;
TAC_API tacStatus tac_trajectory_read(const char *path, tacTrajectory **trajectory, tacError *error);
/* Copies the points; times must ascend. `smooth` interpolates by a cubic. */
TAC_API tacStatus tac_trajectory_create(int count, const tacTrajectoryPoint *points, bool smooth,
                                        tacTrajectory **trajectory, tacError *error);
TAC_API void tac_trajectory_destroy(tacTrajectory *trajectory); /* NULL is allowed */
TAC_API double tac_trajectory_duration(const tacTrajectory *trajectory);
/* Any phase. Before the first and after the last point the trajectory rests. `velocity` (m/s) may be NULL. */
TAC_API void tac_trajectory_at(const tacTrajectory *trajectory, double time, tacDeviceState *state, tacVec3 *velocity);

/* Plays a trajectory, whatever the forces; TAC_DEVICE_DONE at its end, unless it `repeats` (its ends must then meet). Takes the trajectory over,
 * also on failure. */
TAC_API tacStatus tac_device_replay_open(tacTrajectory *trajectory, bool repeats, double period, tacDevice *device,
                                         tacError *error);

/* A simulated hand and device in closed loop. The hand wants to follow a path: a spring and damper pull the device's handle
 * towards it; the handle's mass moves under hand, damping and the rendered force, held constant between ticks (zero-order
 * hold) and cut at the device's limit; the position is read through an encoder. Integrated in steps of `substep`. */
typedef struct tacOperatorDef {
  tacDeviceInfo info;                                        /* of the device */
  double device_mass;                                        /* kg, apparent at the handle */
  double device_damping;                                     /* N s/m */
  double device_friction;                                    /* N, Coulomb */
  double device_inertia;                                     /* kg m^2, for 6 dof */
  double hand_mass;                                          /* kg, moves with the handle */
  double hand_damping;                                       /* N s/m, towards the path's velocity */
  double hand_stiffness;                                     /* N/m, towards the path */
  double hand_rotational_stiffness, hand_rotational_damping; /* N m/rad, N m s/rad */
  double noise;                                              /* m: positions are read with errors of up to this, each
                                                              * axis; evenly spread, the same in every run; default 0 */
  double substep;                                            /* s, at most this; default 25e-6 */
  bool repeats;
} tacOperatorDef;

/* Presets: "premium-3", "premium-6" (Phantom Premium-like, 3 and 6 dof), "omni" (Omni-like, 3 dof of force, encoder
 * 0.055 mm), "omni-6", "virtuose-6" (Virtuose 6D-like, 35 N). TAC_ERR_ARGUMENT names them all. */
TAC_API tacStatus tac_operator_def_preset(const char *name, tacOperatorDef *def, tacError *error);
TAC_API const char *tac_operator_preset_name(int index); /* 0, 1, ... until NULL */
/* Takes the path over, also on failure. */
TAC_API tacStatus tac_device_operator_open(const tacOperatorDef *def, tacTrajectory *path, double period,
                                           tacDevice *device, tacError *error);

/* A hand for a pointer that renders no force (mouse, touch screen, SpaceMouse). A spring and damper pull a handle of
 * some mass to where the pointer is, the rendered force pushes it back, and the tool is where the handle is: the
 * spring's length shows the force. Samples come at display rate and in bursts: between them the spring's end goes on a
 * line, in about the time that lies between samples, never faster than `speed`. Orientations turn likewise; torques
 * turn nothing.
 *
 * While the pointer does not touch, the tool is lifted (TAC_BUTTON_LIFT): it follows, and forces do nothing. A touch
 * that begins far from the handle stays lifted until the handle has come to where it began, and nearly to rest; the
 * spring's end waits there for it, wherever the pointer goes meanwhile. No time cuts this short: the tool never comes
 * down elsewhere.
 *
 * It may stand in front of a device of the tool's own, which goes on leading until the pointer takes over. From one to
 * the other the tool goes lifted. While the pointer leads, the own device is read all the same (its time goes on), gets
 * no force, and may be late, lost or done: the pointer is fine. When the own device leads, its states, buttons, health
 * and forces pass through; its health also while the tool is still on its way back. */
typedef struct tacPointerDef {
  double stiffness; /* N/m, of the spring; 1 to 1e5 */
  double damping;   /* N s/m, 0.01 to 1e4 */
  double mass;      /* kg, 0.001 to 100 */
  double speed;     /* m/s, most of the spring's end; at most 2. The handle's is at most 2.5 */
  double arrival;   /* m: nearer than this the handle has arrived */
} tacPointerDef;
TAC_API tacPointerDef tac_pointer_def_default(void); /* 600 N/m, near critical damping, 0.15 kg, 1 m/s, 1 mm */

typedef struct tacPointerSample {
  tacVec3 position;      /* device frame, m */
  double orientation[4]; /* w, x, y, z, of any length; zeros: not turned */
  bool touch, grab;      /* `grab` counts while the tool is not lifted */
} tacPointerSample;

/* `own` (a zeroed struct or NULL: none) is taken over and zeroed, also on failure; the new device has its info (without
 * it: 3 dof, 20 N, 3000 N/m). The handle begins at the first state of `own`, or at `start`. The pointer leads where
 * there is no other. */
TAC_API tacStatus tac_device_pointer_open(const tacPointerDef *def, tacDevice *own, tacVec3 start, double period,
                                          tacDevice *device, tacError *error);
/* Below: one other thread at a time, any phase; never wait. Samples that are not finite are ignored, and so is a hand
 * outside the bounds above. Samples between two ticks may be skipped, but not that a touch ended and another began. */
TAC_API void tac_device_pointer_move(const tacDevice *device, const tacPointerSample *sample);

TAC_END_DECLS

#endif
