/* Recordings: all inputs and outputs of a run, enough to replay it and compare it bit for bit, or to show it without a
 * replay.
 *
 * Example:
 *
 *     tacRecording *recording = NULL;
 *     tacReplayReport report; // report.first_difference is -1 where every bit is the same
 *     tacStatus status = tac_recording_open("run.tacrec", &recording, error);
 *     if (status == TAC_OK) status = tac_recording_replay(recording, world, NULL, &report, error);
 *     if (status == TAC_OK) status = tac_recording_write_csv(recording, "run.csv", error);
 *     tac_recording_close(recording);
 *     if (status != TAC_OK) return status;
 *
 * A recorder takes one record a tick and the state of the bodies 50 times a second. It takes them through ring buffers,
 * without allocation, lock or I/O. A separate thread drains the rings to a file, block by block: a run that is killed
 * leaves every block that was written. A servo fills a recorder (tac_servo_create); a host with its own loop calls
 * tac_recorder_push.
 *
 * Units: SI; m, N, N m, s, J. Times in ns where the name ends in _ns.
 *
 * Threads and phases: opening and closing a recorder is for the load phase; pushing is for ticks, from one thread.
 * Reading and replaying recordings is offline, one thread at a time for each recording. */
#ifndef TACTUS_RECORDING_H
#define TACTUS_RECORDING_H

#include <tactus/device.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* ---- records ---- */

/* Record of one tool in one tick. */
typedef struct tacToolRecord {
  tacDeviceState device;  /* as read */
  int32_t health;         /* tacDeviceHealth */
  tacVec3 position;       /* input of the world: position of the tool in the scene, m */
  double orientation[4];  /* input of the world: orientation of the tool, w, x, y, z */
  int32_t grab, lifted;   /* inputs of the world. `grab`: 1 if pressed, plus 256 times the grip in 255ths */
  tacToolOutput output;   /* output of the world */
  tacVec3 written;        /* force sent to the device, on the hand, N, device frame */
  tacVec3 written_torque; /* torque sent to the device, N m */
  uint32_t limits;        /* TAC_LIMIT_* */
} tacToolRecord;

/* Record of one tick. */
typedef struct tacTickRecord {
  int64_t tick;                /* number of the tick; the first is 0 */
  int64_t late_ns, compute_ns; /* start after the deadline, and computing time; a replay does not compare them */
  tacTickReport report;
  uint32_t flags;                     /* TAC_TICK_* */
  int32_t parameter;                  /* 1 + the parameter of the world that was set before this tick; 0: none */
  double parameter_value;             /* its value */
  tacToolRecord tool[TAC_MOST_TOOLS]; /* as many as the world has tools; the rest is not stored */
} tacTickRecord;

#define TAC_TICK_LIMITED_FORCE 1u /* a force was cut to a device's force limit */
#define TAC_TICK_LIMITED_RATE 2u  /* the change of a force was limited */
#define TAC_TICK_DAMPED 4u        /* the passivity controller added damping */
#define TAC_TICK_FAULT 8u         /* a fault: forces ramp to zero and the world rests */
#define TAC_TICK_INDEXING 16u     /* an index button is held */
#define TAC_TICK_TAKEN 32u        /* tacTickReport.taken; a replay takes results in the same ticks */

/* Description of a recording. */
typedef struct tacRecordingInfo {
  double period;            /* s, of a tick */
  int simulate_every;       /* ticks of one step of the bodies, 1 to 100 */
  int tool_count;           /* tools of the world */
  int parameter_count;      /* parameters of the world; 0: their values are not stored */
  const double *parameters; /* [parameter_count]: their values when the recording began */
  int state_size;           /* tac_world_state_size */
  const char *scene_path;   /* file of the scene */
  const char *scene;        /* complete text of the scene */
  const char *program;      /* version and build that recorded */
  const char *platform;     /* where it was computed; NULL for a recorder: this platform */
  const char *assets;       /* tac_scene_assets */
} tacRecordingInfo;

/* ---- recording a run ---- */

/* An open recorder. Opaque. */
typedef struct tacRecorder tacRecorder;

/* Opens a recorder for a sealed world: creates the file and starts the thread that writes it. Of `texts` only the
 * strings count, and they are copied. Period, rates, tools, parameters and state size are those of the world. The ring
 * holds 2 s of ticks. TAC_ERR_FILE if the file cannot be written. Load phase. */
TAC_API tacStatus tac_recorder_open_world(const char *path, const tacWorld *world, const tacRecordingInfo *texts,
                                          tacRecorder **recorder, tacError *error);

/* Appends the record of a tick. Returns false if the ring is full: the record is then lost and counted. Tick. */
TAC_API bool tac_recorder_push(tacRecorder *recorder, const tacTickRecord *record);

/* Appends the state after a tick (tac_world_state). Call it for every tick, before that tick's record is pushed. The
 * recorder keeps a state every 20 ms, as float, and ignores the others. Returns false if the ring is full: the state is
 * then lost and counted. A recording without states can be read but not replayed. Tick. */
TAC_API bool tac_recorder_push_state(tacRecorder *recorder, int64_t tick, const double *state);

/* Completes the file: writes what is in the rings, ends the thread and frees the recorder. `lost` (may be NULL)
 * receives the number of records and states that did not fit or could not be written. Returns the first error of
 * writing. Load phase. */
TAC_API tacStatus tac_recorder_close(tacRecorder *recorder, int64_t *lost, tacError *error);

/* ---- reading a recording ---- */

/* An open recording. Opaque. */
typedef struct tacRecording tacRecording;

/* Opens a recording. Reads its header and the table of its blocks; ticks are read as they are requested. A file that
 * was cut short is read as far as its blocks are complete. TAC_ERR_VERSION if another version wrote it, TAC_ERR_FORMAT
 * if it is damaged or not a recording. */
TAC_API tacStatus tac_recording_open(const char *path, tacRecording **recording, tacError *error);

/* Closes a recording and frees it. NULL is allowed. */
TAC_API void tac_recording_close(tacRecording *recording);

/* Returns the description, owned by the recording. */
TAC_API const tacRecordingInfo *tac_recording_info(const tacRecording *recording);

/* Returns the number of ticks that can be read. */
TAC_API int64_t tac_recording_tick_count(const tacRecording *recording);

/* Returns whether the file has its end; false if it was cut short. */
TAC_API bool tac_recording_complete(const tacRecording *recording);

/* Reads the record of an index, 0 to tac_recording_tick_count - 1. Any order; consecutive ones are cheap. The index
 * differs from the tick's number where records were lost. TAC_ERR_ARGUMENT if there is no such index. */
TAC_API tacStatus tac_recording_tick(tacRecording *recording, int64_t index, tacTickRecord *record, tacError *error);

/* Computes the state of the bodies after a tick (its number, not its index) into `state`, `state_size` numbers. Between
 * two stored states each number is interpolated. Before the first and after the last the result is that state. An error
 * if no state is stored, or if it is not finite. */
TAC_API tacStatus tac_recording_state(tacRecording *recording, int64_t tick, double *state, tacError *error);

/* Makes the snapshot of the tick of an index, for tac_world_surface and the like. `state` has tac_world_state_size
 * numbers; the snapshot refers to it. TAC_ERR_ARGUMENT if tools or state size differ from those of the world;
 * TAC_ERR_FORMAT if a record does not fit the world, such as a contact with a triangle that it does not have, or is not
 * finite. */
TAC_API tacStatus tac_recording_snapshot(tacRecording *recording, const tacWorld *world, int64_t index, double *state,
                                         tacSnapshot *snapshot, tacError *error);

/* Sets the parameters of the world to their values when the recording began. Tools, state size and number of parameters
 * must be the same, else TAC_ERR_ARGUMENT. A host that goes through the ticks with its own world calls this first.
 * Before each tick it sets the parameter that the record names (tacTickRecord.parameter). Only tac_recording_replay
 * also repeats in which ticks a world with `simulate_every` > 1, or with bodies that have separate threads, takes its
 * results. Offline. */
TAC_API tacStatus tac_recording_begin(const tacRecording *recording, tacWorld *world, tacError *error);

/* ---- export ---- */

/* Writes a table in CSV: one row for each tick, one group of columns for each tool, units in the header. */
TAC_API tacStatus tac_recording_write_csv(tacRecording *recording, const char *path, tacError *error);

/* Writes the surfaces of the world's bodies over time, at `rate` frames a second, for ParaView. The files are
 * FOLDER/<body>_<frame>.vtu with displacements, FOLDER/contacts_<frame>.vtu with contact forces, and
 * FOLDER/recording.pvd, which lists them. Sets the world's parameters as they were during the recording.
 * TAC_ERR_CANCELLED if `progress` asks to stop; an error removes the frames that were written. */
TAC_API tacStatus tac_recording_write_vtu(tacRecording *recording, tacWorld *world, double rate, const char *folder,
                                          const tacProgress *progress, tacError *error);

/* ---- replay ---- */

/* Largest distance between recorded and replayed values. */
typedef struct tacReplayGap {
  double most;  /* infinity if one of the values is NaN */
  int64_t tick; /* where it is; -1: the values are equal everywhere */
  int index;    /* of the tool, or of the body of the world */
} tacReplayGap;

/* Result of a replay. */
typedef struct tacReplayReport {
  int64_t tick_count;       /* compared ticks */
  int64_t first_difference; /* number of the first tick that differs; -1: every bit is the same */
  char difference[320];     /* one line that names the first difference; "" if there is none */
  bool ended;               /* a record was lost while recording, so the ticks after it could not be compared */
  double force, torque;     /* the largest recorded on a hand, N and N m */
  tacReplayGap force_gap, torque_gap, proxy_gap; /* of tools: N, N m, and m */
  tacReplayGap surface_gap;      /* of vertices of bodies with a state, m; in the ticks whose state was stored */
  int64_t felt_ticks, far_ticks; /* ticks with a force or torque, then or now; those of them with a tool far apart */
} tacReplayReport;

/* Values of a tool are far apart if they differ by more than 1 % of the largest force or torque, or by 0.1 mm. */
#define TAC_REPLAY_FAR_SHARE 0.01 /* of tacReplayReport.force and .torque */
#define TAC_REPLAY_FAR 1e-4       /* m, of the proxy */

/* Replays a recording: resets the world, steps it with the recorded inputs to the end, and compares every output bit
 * for bit. Stored states are compared as float. A difference is part of the report and not an error. TAC_ERR_ARGUMENT
 * if the world has another period or `simulate_every`, or other tools, parameters or state size. */
TAC_API tacStatus tac_recording_replay(tacRecording *recording, tacWorld *world, const tacProgress *progress,
                                       tacReplayReport *report, tacError *error);

/* Returns whether this program computes on the platform of the recording: the same architecture and kernels, compiler,
 * flags and C library, which give the same bits. Otherwise, or if the platform is not known, `text` (`size` bytes)
 * receives a line that names both platforms. */
TAC_API bool tac_recording_same_platform(const tacRecording *recording, char *text, size_t size);

TAC_END_DECLS

#endif
