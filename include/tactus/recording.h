/* Recordings: everything that a run took in and gave out, enough to run it again and compare bit for bit, and to show it
 * without.
 *
 * The recorder takes one record a tick, and 50 times a second the bodies' state, through rings without allocation, lock or I/O;
 * a thread drains them to a file, block by block, so that a run that is killed leaves every block that was written. */
#ifndef TACTUS_RECORDING_H
#define TACTUS_RECORDING_H

#include <tactus/device.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

typedef struct tacToolRecord {
  tacDeviceState device; /* as read */
  int32_t health;        /* tacDeviceHealth */
  tacVec3 position;      /* of the tool in the scene: the world's input */
  double orientation[4]; /* likewise */
  int32_t grab, lifted;  /* `grab`: 1 where it is pressed, and 256 times the grip in 255ths */
  tacToolOutput output;  /* of the world */
  tacVec3 written;       /* force sent to the device, N, device frame */
  tacVec3 written_torque;
  uint32_t limits; /* TAC_LIMIT_* */
} tacToolRecord;

typedef struct tacTickRecord {
  int64_t tick;
  int64_t late_ns, compute_ns; /* not compared by a replay */
  tacTickReport report;
  uint32_t flags;    /* TAC_TICK_* */
  int32_t parameter; /* 1 + the parameter of the world that was set before this tick; 0: none */
  double parameter_value;
  tacToolRecord tool[TAC_MOST_TOOLS]; /* as many as the world has tools; the rest is not stored */
} tacTickRecord;

#define TAC_TICK_LIMITED_FORCE 1u
#define TAC_TICK_LIMITED_RATE 2u
#define TAC_TICK_DAMPED 4u
#define TAC_TICK_FAULT 8u
#define TAC_TICK_INDEXING 16u
#define TAC_TICK_TAKEN 32u /* tacTickReport.taken; a replay takes in the same ticks */

typedef struct tacRecordingInfo {
  double period;      /* s */
  int simulate_every; /* ticks of one step of the bodies, 1 to 100; for a recorder 0 is 1 */
  int tool_count;
  int parameter_count;
  const double *parameters; /* of the world, when the recording began; none where the count is 0 */
  int state_size;           /* numbers of tac_world_state */
  const char *scene_path;   /* where the scene came from */
  const char *scene;        /* its text, complete */
  const char *program;      /* version and build that recorded */
  const char *platform;     /* where it was computed; NULL for a recorder: here */
  const char *assets;       /* tac_scene_assets */
} tacRecordingInfo;

typedef struct tacRecorder tacRecorder;
/* The same for a world: rates, tools, parameters and size of the state are its own, whatever `texts` says of them. */
TAC_API tacStatus tac_recorder_open_world(const char *path, const tacWorld *world, const tacRecordingInfo *texts,
                                          tacRecorder **recorder, tacError *error);
/* Tick. False where the ring is full: the record is lost and counted. */
TAC_API bool tac_recorder_push(tacRecorder *recorder, const tacTickRecord *record);
/* Tick. The state after a tick, before that tick's record is pushed. It is kept every 20 ms, as float, and otherwise passed
 * over. False where its ring is full: it is lost and counted. */
TAC_API bool tac_recorder_push_state(tacRecorder *recorder, int64_t tick, const double *state);
/* Drains, ends the thread, completes the file. `lost` (may be NULL): records and states that did not fit. Frees the
 * recorder. */
TAC_API tacStatus tac_recorder_close(tacRecorder *recorder, int64_t *lost, tacError *error);

typedef struct tacRecording tacRecording;
/* Reads the table; ticks are read as they are asked for. A file that was cut short is read as far as its blocks are whole. */
TAC_API tacStatus tac_recording_open(const char *path, tacRecording **recording, tacError *error);
TAC_API void tac_recording_close(tacRecording *recording); /* NULL is allowed */
TAC_API const tacRecordingInfo *tac_recording_info(const tacRecording *recording);
TAC_API int64_t tac_recording_tick_count(const tacRecording *recording);
TAC_API bool tac_recording_complete(const tacRecording *recording); /* false where it was cut short */
/* Ticks in any order; consecutive ones are cheap. */
TAC_API tacStatus tac_recording_tick(tacRecording *recording, int64_t index, tacTickRecord *record, tacError *error);
/* The bodies' state after a tick (its number, not its index), `state_size` numbers: between two stored ones each number is
 * interpolated. Before the first and after the last it is that one; an error where there is none or it is not finite. */
TAC_API tacStatus tac_recording_state(tacRecording *recording, int64_t tick, double *state, tacError *error);
/* What a tick showed, for tac_world_surface and the like. The snapshot refers to `state`, tac_world_state_size numbers. What
 * does not fit the world (a contact with a triangle that it does not have) or is not finite is an error. */
TAC_API tacStatus tac_recording_snapshot(tacRecording *recording, const tacWorld *world, int64_t index, double *state,
                                         tacSnapshot *snapshot, tacError *error);

/* Brings the world's parameters to what they were when the recording began, and, before a tick, does what was done before it
 * (a parameter set): for those who go through the ticks with a world of their own. Those who step it tell it when to
 * take, too (tac_world_replay_taking, TAC_TICK_TAKEN). Offline. */
TAC_API tacStatus tac_recording_begin(const tacRecording *recording, tacWorld *world, tacError *error);

/* One row a tick, one group of columns a tool; units in the header. */
TAC_API tacStatus tac_recording_write_csv(tacRecording *recording, const char *path, tacError *error);
/* Surfaces of the world's bodies over time: FOLDER/<body>_<frame>.vtu with displacement and, per frame, contact forces, and
 * FOLDER/<name>.pvd that lists them for ParaView. `rate` frames a second. Sets the world's parameters as they were. */
TAC_API tacStatus tac_recording_write_vtu(tacRecording *recording, tacWorld *world, double rate, const char *folder,
                                          const tacProgress *progress, tacError *error);

/* The largest distance between what was and what is. */
typedef struct tacReplayGap {
  double most;  /* infinity where one of them is no number */
  int64_t tick; /* where; -1: they are the same everywhere */
  int index;    /* of the tool, or of the body of the world */
} tacReplayGap;

typedef struct tacReplayReport {
  int64_t tick_count;       /* of those that were compared */
  int64_t first_difference; /* the tick, or -1: every bit is the same */
  char difference[320];     /* a line that says what differs there; "" where nothing does */
  bool ended;               /* by a tick that was lost while recording: the rest cannot be compared */
  double force, torque;     /* the largest recorded on a hand, N and N m */
  tacReplayGap force_gap, torque_gap, proxy_gap; /* of tools, N, N m and m */
  tacReplayGap surface_gap;                      /* of vertices of bodies that have a state, m; where it was stored */
  int64_t felt_ticks, far_ticks; /* with a force or torque, then or now; of those, far apart at a tool */
} tacReplayReport;

/* Far apart is more than 1 % of the largest force or torque, or 0.1 mm. */
#define TAC_REPLAY_FAR_SHARE 0.01
#define TAC_REPLAY_FAR 1e-4 /* m */

/* The world runs again on the recorded inputs, from its reset state, to the end; every output is compared bit for bit,
 * and so is the state as float where it was stored. */
TAC_API tacStatus tac_recording_replay(tacRecording *recording, tacWorld *world, const tacProgress *progress,
                                       tacReplayReport *report, tacError *error);

/* Whether this program computes where the recording was made: the same architecture and kernels, compiler, flags and C
 * library, which give the same bits. Otherwise, and where it is not known, `text` gets a line that names both places.
 */
TAC_API bool tac_recording_same_platform(const tacRecording *recording, char *text, size_t size);

TAC_END_DECLS

#endif
