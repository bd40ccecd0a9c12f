/* Recordings: all inputs and outputs of a run. A recording is sufficient to replay the run and compare every bit,
 * or to show the run without a replay.
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
 * A recorder takes one record per tick, and the state of the bodies 50 times per second. Records and states pass
 * through ring buffers, without allocation, lock, input or output. A separate thread writes the content of the
 * rings to a file, block by block. If a run is killed, the file has every block that was written before. A servo
 * passes records to a recorder (tac_servo_create). A host with its own loop calls tac_recorder_push.
 *
 * Units: SI; m, N, N m, s, J. Times are in ns if the name ends in _ns.
 *
 * Threads and phases: open and close a recorder in the load phase. Push records in ticks, from one thread. Read and
 * replay recordings offline. Only one thread at a time may use a recording. */
#ifndef TACTUS_RECORDING_H
#define TACTUS_RECORDING_H

#include <tactus/device.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* ---- records ---- */

/* Record of one tool in one tick. */
typedef struct tacToolRecord {
  tacDeviceState device;  /* state of the device, as read */
  int32_t health;         /* condition of the device, a tacDeviceHealth */
  tacVec3 position;       /* position of the tool in the scene, m; input of the world */
  double orientation[4];  /* orientation of the tool, unit quaternion w, x, y, z; input of the world */
  int32_t grab, lifted;   /* inputs of the world; `grab` is 0 or 1, plus 256 times the grip in 255ths */
  tacToolOutput output;   /* output of the world */
  tacVec3 written;        /* force on the hand that was sent to the device, N, device frame */
  tacVec3 written_torque; /* torque on the hand that was sent to the device, N m */
  uint32_t limits;        /* sum of TAC_LIMIT_* */
} tacToolRecord;

/* Record of one tick. */
typedef struct tacTickRecord {
  int64_t tick; /* number of the tick; the first is 0 */
  /* Delay of the start after the deadline, ns; computing time, ns; a replay does not compare these times. */
  int64_t late_ns, compute_ns;
  tacTickReport report;   /* report of the world for this tick */
  uint32_t flags;         /* sum of TAC_TICK_* */
  int32_t parameter;      /* 1 + index of the world's parameter that was set before this tick; 0: no parameter */
  double parameter_value; /* value to which this parameter was set */
  tacToolRecord tool[TAC_MOST_TOOLS]; /* records of the tools; only entries for tools of the world are stored */
} tacTickRecord;

#define TAC_TICK_LIMITED_FORCE 1u /* a force was reduced to the force limit of a device */
#define TAC_TICK_LIMITED_RATE 2u  /* the rate of change of a force was limited */
#define TAC_TICK_DAMPED 4u        /* the passivity controller added damping */
#define TAC_TICK_FAULT 8u         /* a fault occurred: the forces ramp to zero and the world rests */
#define TAC_TICK_INDEXING 16u     /* an index button is held */
#define TAC_TICK_TAKEN 32u        /* tacTickReport.taken is true; a replay takes results in the same ticks */

/* Description of a recording. */
typedef struct tacRecordingInfo {
  double period;            /* period of a tick, s */
  int simulate_every;       /* number of ticks in one step of the bodies, 1 to 100 */
  int tool_count;           /* number of tools of the world */
  int parameter_count;      /* number of parameters of the world; 0: the values of parameters are not stored */
  const double *parameters; /* values of the parameters at the start of the recording, [parameter_count] */
  int state_size;           /* number of values in a state, see tac_world_state_size */
  const char *scene_path;   /* path of the scene file */
  const char *scene;        /* complete text of the scene */
  const char *program;      /* version and build of the program that recorded */
  const char *platform;     /* platform on which the run was computed; for a recorder NULL: this platform */
  const char *assets;       /* list of assets from tac_scene_assets */
} tacRecordingInfo;

/* ---- recording a run ---- */

/* An open recorder. Opaque. */
typedef struct tacRecorder tacRecorder;

/* Opens a recorder for a sealed world: creates the file and starts the thread that writes the file. The recorder
 * copies the strings in `texts` and ignores the other members of `texts`. Period, rates, tools, parameters and
 * state size come from the world. The ring holds 2 s of ticks. Returns TAC_ERR_FILE if the file cannot be written.
 * Load phase. */
TAC_API tacStatus tac_recorder_open_world(const char *path, const tacWorld *world, const tacRecordingInfo *texts,
                                          tacRecorder **recorder, tacError *error);

/* Appends the record of a tick. If the ring is full, returns false; the lost record is counted. Tick. */
TAC_API bool tac_recorder_push(tacRecorder *recorder, const tacTickRecord *record);

/* Appends the state after a tick (tac_world_state). Call it for every tick, before the record of the same tick is
 * pushed. The recorder stores a state every 20 ms, as float, and ignores the other states. If the ring is full,
 * returns false; the lost state is counted. A recording without states can be read but not replayed. Tick. */
TAC_API bool tac_recorder_push_state(tacRecorder *recorder, int64_t tick, const double *state);

/* Closes a recorder: writes the content of the rings, completes the file, ends the thread, and frees the recorder.
 * `lost` receives the number of records and states that did not fit into the rings or could not be written. `lost`
 * may be NULL. Returns the first error in writing. Load phase. */
TAC_API tacStatus tac_recorder_close(tacRecorder *recorder, int64_t *lost, tacError *error);

/* ---- reading a recording ---- */

/* An open recording. Opaque. */
typedef struct tacRecording tacRecording;

/* Opens a recording. Reads the header and the table of blocks; ticks are read when they are requested. In a
 * truncated file, only the ticks in complete blocks can be read. Returns TAC_ERR_VERSION if the file was written by
 * another version, and TAC_ERR_FORMAT if the file is damaged or not a recording. */
TAC_API tacStatus tac_recording_open(const char *path, tacRecording **recording, tacError *error);

/* Closes a recording and frees it. `recording` may be NULL. */
TAC_API void tac_recording_close(tacRecording *recording);

/* Returns the description of a recording, owned by the recording. */
TAC_API const tacRecordingInfo *tac_recording_info(const tacRecording *recording);

/* Returns the number of ticks that can be read. */
TAC_API int64_t tac_recording_tick_count(const tacRecording *recording);

/* Returns true if the file is complete, and false if the file is truncated. */
TAC_API bool tac_recording_complete(const tacRecording *recording);

/* Reads the record with this index, 0 to tac_recording_tick_count - 1. Records may be read in any order; reading
 * consecutive records is fast. If records were lost, the index of a record differs from the number of its tick.
 * Returns TAC_ERR_ARGUMENT if the index is out of range. */
TAC_API tacStatus tac_recording_tick(tacRecording *recording, int64_t index, tacTickRecord *record, tacError *error);

/* Computes the state of the bodies after a tick. `tick` is the number of the tick, not the index of the record.
 * `state` receives `state_size` numbers. Between two stored states, each number is interpolated. Before the first
 * stored state, the result is the first stored state. After the last stored state, the result is the last stored
 * state. Returns an error if no state is stored or a state is not finite. */
TAC_API tacStatus tac_recording_state(tacRecording *recording, int64_t tick, double *state, tacError *error);

/* Makes the snapshot of the tick with this index, for tac_world_surface and similar functions. `state` has
 * tac_world_state_size numbers, and the snapshot refers to `state`. Returns TAC_ERR_ARGUMENT if tools or state size
 * differ from those of the world. Returns TAC_ERR_FORMAT if a record is not finite or does not fit the world, for
 * example a contact with a triangle that does not exist. */
TAC_API tacStatus tac_recording_snapshot(tacRecording *recording, const tacWorld *world, int64_t index, double *state,
                                         tacSnapshot *snapshot, tacError *error);

/* Sets the parameters of a world to their values at the start of the recording. Returns TAC_ERR_ARGUMENT if tools,
 * state size or number of parameters differ. A host that replays the ticks with its own world calls this function
 * first. Before each tick, the host sets the parameter that the record names (tacTickRecord.parameter).
 *
 * A world with `simulate_every` > 1, or with bodies that have separate threads, takes results in certain ticks.
 * Only tac_recording_replay takes the results in the recorded ticks. Offline. */
TAC_API tacStatus tac_recording_begin(const tacRecording *recording, tacWorld *world, tacError *error);

/* ---- export ---- */

/* Writes a table in CSV, with one row for each tick and one group of columns for each tool. The header states the
 * units. */
TAC_API tacStatus tac_recording_write_csv(tacRecording *recording, const char *path, tacError *error);

/* Writes the surfaces of the world's bodies over time for ParaView, at `rate` frames per second. The files are
 * FOLDER/<body>_<frame>.vtu with displacements, FOLDER/contacts_<frame>.vtu with contact forces, and
 * FOLDER/recording.pvd with the list of these files. The function sets the parameters of the world as in the
 * recording. Returns TAC_ERR_CANCELLED if `progress` requests a stop. After an error, the function removes the
 * frames that it wrote. */
TAC_API tacStatus tac_recording_write_vtu(tacRecording *recording, tacWorld *world, double rate, const char *folder,
                                          const tacProgress *progress, tacError *error);

/* ---- replay ---- */

/* Largest difference between recorded and replayed values. */
typedef struct tacReplayGap {
  double most;  /* largest difference; infinity if one of the values is NaN */
  int64_t tick; /* tick of the largest difference; -1: all values are equal */
  int index;    /* index of the tool, or of the body in the world */
} tacReplayGap;

/* Result of a replay. */
typedef struct tacReplayReport {
  int64_t tick_count;       /* number of compared ticks */
  int64_t first_difference; /* number of the first tick that differs; -1: every bit is the same */
  char difference[320];     /* one line that names the first difference; "" if there is no difference */
  bool ended; /* true: a record was lost in the recording, so the ticks after the lost record could not be compared */
  double force, torque; /* largest recorded force on a hand, N; largest recorded torque on a hand, N m */
  tacReplayGap force_gap, torque_gap, proxy_gap; /* differences of tools: force, N; torque, N m; proxy, m */
  /* Difference of vertex positions, m, for bodies with a state, in ticks with a stored state. */
  tacReplayGap surface_gap;
  /* Number of ticks with a force or torque in the recording or in the replay; number of these ticks in which values
   * of a tool are far apart. */
  int64_t felt_ticks, far_ticks;
} tacReplayReport;

/* Values of a tool are far apart if they differ by more than 1 % of the largest force or torque, or if their
 * proxies are more than 0.1 mm apart. */
#define TAC_REPLAY_FAR_SHARE 0.01 /* limit of the difference, relative to tacReplayReport.force and .torque */
#define TAC_REPLAY_FAR 1e-4       /* limit of the distance between the proxies, m */

/* Replays a recording: resets the world, steps the world with the recorded inputs to the end, and compares every
 * output bit for bit. Stored states are compared as float. Differences are part of the report and not errors.
 * Returns TAC_ERR_ARGUMENT if period, `simulate_every`, tools, parameters or state size of the world differ from
 * the recording. */
TAC_API tacStatus tac_recording_replay(tacRecording *recording, tacWorld *world, const tacProgress *progress,
                                       tacReplayReport *report, tacError *error);

/* Returns true if this program runs on the platform of the recording. The platform is the architecture and kernels,
 * compiler, flags and C library; the same platform gives the same bits. If the platform differs or is not known,
 * returns false and writes one line with both platforms to `text` (`size` bytes). */
TAC_API bool tac_recording_same_platform(const tacRecording *recording, char *text, size_t size);

TAC_END_DECLS

#endif
