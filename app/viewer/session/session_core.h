/* The parts of a session, for its own files; session.h says who may touch what. */
#pragma once

#include <stdatomic.h>
#include "app/viewer/frame/measure.h"
#include "app/viewer/library/badges.h"
#include "app/viewer/library/gallery.h"
#include "app/viewer/library/watched_files.h"
#include "app/viewer/server/server.h"
#include "app/viewer/session/jobs.h"
#include "app/viewer/session/session_def.h"
#include "app/viewer/stage/hands.h"
#include "app/viewer/stage/show.h"
#include "app/viewer/stage/spacemouse.h"
#include "app/viewer/stage/stage.h"
#include "app/viewer/stage/tape.h"
#include "app/viewer/stage/whole_bake.h"
#include "app/viewer/state/view_state.h"
#include "base/threads/hold.h"
#include "base/threads/thread.h"

enum { TAC_SESSION_RATE = 60 /* frames a second */, TAC_SESSION_MOST_SAMPLES = 10000, TAC_SESSION_TEXTS = 6 };

/* What frames are made from. */
typedef enum tacShows { TAC_SHOWS_NOTHING, TAC_SHOWS_WORLD, TAC_SHOWS_TAPE, TAC_SHOWS_STILL } tacShows;

/* Where a tape is. */
typedef struct tacReel {
  int64_t index, sent; /* of the tick that is shown; samples were sent up to there (-1: none) */
  double time;         /* s since its start */
} tacReel;

/* Those that have joined and not yet left: more than there are clients, since the server tells that one left after it has let
 * another one in. */
enum { TAC_SESSION_MOST_CLIENTS = 8 * TAC_VIEW_MOST_CLIENTS };

typedef struct tacSessionClient {
  int number; /* 0: a free place */
  unsigned requests;
  bool refused;    /* it was told that another one holds the tool that it wants to touch with */
  uint32_t shells; /* 1 + the load whose pointshells it is sent; 0: none */
} tacSessionClient;

typedef struct tacSessionClients {
  tacSessionClient list[TAC_SESSION_MOST_CLIENTS];
} tacSessionClients;

struct tacSession {
  tacSessionDef def;
  char *texts[TAC_SESSION_TEXTS]; /* the def's strings */
  tacGallery gallery;
  tacViewSink sink;
  tacThread worker, display;
  bool working, displaying; /* the threads are there */

  pthread_mutex_t lock;   /* of all that follows */
  pthread_cond_t changed; /* a job waits, it has begun, or it ends */
  bool begun, ending;
  atomic_bool cancelled; /* what loads now shall not go on */

  tacJobs jobs;
  tacSessionClients clients;
  tacHands hands;
  tacViewState state;
  bool state_changed; /* and is not told yet */

  tacShows shows;
  uint32_t load;
  tacShow show;
  tacStage stage;
  tacTape *tape;
  tacReel reel;
  tacPacket *still; /* the frame of TAC_SHOWS_STILL; NULL: there was no tick yet */

  tacMeasure measure;
  tacTickSample *samples;              /* room for them on their way */
  int64_t watched_tick, watched_since; /* of the servo, and when it was new (ns) */
  uint32_t frame;                      /* number of the last */
  int64_t frames_since;
  int frames_counted;
  double frame_rate; /* Hz */
  tacSpaceMouse *spacemouse;

  tacLoading loading;  /* the worker's: what it waits for */
  tacWholeBake *whole; /* likewise: the bake of the whole scene, while its small version is shown; NULL: none */
  tacBadges *badges;   /* NULL: no gallery */
  char recordings_folder[1024]; /* of those that the state lists */
  tacWatchedFiles watched;      /* the worker's */
  tacViewRecording *listed;     /* the worker's, while it looks for them */
};

/* ---- session_clients.c: the clients of a session, and what each requests. ---- */

/* A new client requests surfaces. */
void tac_session_clients_join(tacSessionClients *clients, int number);
void tac_session_clients_leave(tacSessionClients *clients, int number);
tacSessionClient *tac_session_clients_find(tacSessionClients *clients, int number); /* NULL where it is not here */
/* Requests of any client: TAC_VIEW_REQUEST_*. */
unsigned tac_session_clients_requests(const tacSessionClients *clients);

/* ---- session_messages.c: messages to a session's clients. The lock is held unless noted; `client` 0: all that have been greeted. ---- */

void tac_session_send_welcome(tacSession *s, int client);
/* To the client alone: it may not touch with this tool. */
void tac_session_send_held(tacSession *s, int client, int tool);
/* The state says who has which tool. */
void tac_session_update_hands(tacSession *s);
void tac_session_send_state(tacSession *s, int client);
void tac_session_send_bodies(tacSession *s, int client); /* of what is on show */
/* That the program is there. */
void tac_session_send_beat(tacSession *s);
void tac_session_notice(tacSession *s, bool is_error, const char *text);
/* Without the lock. */
void tac_session_notice_unlocked(tacSession *s, bool is_error, const char *text);
/* Of the gallery; takes the JSON. Without the lock. `user` is the session, here and below. */
void tac_session_send_badges(char *json, void *user);
/* For tacLoading; without the lock. */
bool tac_session_send_loading(const tacLoadingMoment *moment, void *user);
void tac_session_end_loading(tacSession *s, tacStatus status);
/* For tacWholeBake; without the lock. */
void tac_session_send_whole(const tacWholeBakeMoment *moment, void *user);

/* ---- session_show.c: what is on show: a world that runs, a tape, a still picture of what the worker is busy with, or nothing. For the worker. ---- */

/* The stage, or a tape, as it is to be shown under the number `load`: made without the lock, while the worker alone has it. */
typedef struct tacExhibit {
  uint32_t load;
  tacShow show;
  json_t *scene;
} tacExhibit;
tacStatus tac_exhibit_make_stage(tacSession *s, uint32_t load, tacExhibit *exhibit, tacError *error);
tacStatus tac_exhibit_make_tape(tacSession *s, uint32_t load, const tacTape *tape, tacExhibit *exhibit,
                                tacError *error);
void tac_exhibit_free(tacExhibit *exhibit);
/* The stage's scene as clients are told it, made again after a parameter has changed a body; NULL where memory is short. */
json_t *tac_exhibit_stage_scene(const tacSession *s);

/* With the lock. What was on show before comes back in `exhibit`, to be freed without it. */
void tac_session_show_stage(tacSession *s, tacExhibit *exhibit); /* a servo runs on it */
void tac_session_show_tape(tacSession *s, tacTape **tape, tacExhibit *exhibit);
void tac_session_show_nothing(tacSession *s, tacExhibit *exhibit);

/* With the lock, while a world is shown: its servo and world are the worker's from here on. `why`: "making kidney.mask anew". */
void tac_session_hold(tacSession *s, const char *why);
/* With the lock: they are everyone's again. */
void tac_session_resume(tacSession *s);

/* Without the lock: what went wrong is shown instead. */
void tac_session_fail(tacSession *s, const tacError *error);

/* ---- session_frames.c: frames of what is on show. With the lock. ---- */

/* A frame of the moment; NULL where there is nothing to show or nobody to see it. `round` counts the display's. */
tacPacket *tac_session_frame(tacSession *s, int round);
/* All that the running world shows now, without ticks, for as long as it stands; NULL where it has not begun. */
tacPacket *tac_session_still(tacSession *s);

/* ---- session_run.c: what runs on stage: started, ended, recorded, reset, and bodies made again. For the worker, without the lock. ---- */

/* While the stage is the worker's. */
/* Ends what runs, and a recording or a sketch with it. */
void tac_session_halt(tacSession *s);
/* From the reset state, with the parameters that the state tells; into a recording where `recording` is a path, else NULL, and without one
 * where it cannot be written. False where nothing runs: the session has failed. */
bool tac_session_run(tacSession *s, const char *recording);

/* At any time. */
void tac_session_list_recordings(tacSession *s);
/* Where recordings are. */
void tac_session_output_folder(const tacSession *s, char *folder, size_t size);
/* False where the servo has ended: a device has failed or come to its end, and must be opened again. */
bool tac_session_reset(tacSession *s);
/* `sketched`: the body that is to be sketched on; -1: none. */
void tac_session_record(tacSession *s, bool on, int sketched);
/* Sets a parameter that takes time. */
void tac_session_rebuild(tacSession *s, uint32_t index);

/* ---- session_scene.c: scenes come on stage and leave it. For the worker, without the lock. ---- */

/* A file of the gallery; "": back to it. */
void tac_session_open(tacSession *s, const char *file);
/* The scene that is open, from its file. */
void tac_session_reopen(tacSession *s);
/* Whether its files have changed on the disk, which clients are told; it is opened again where the state says so. Once a second. */
void tac_session_look_at_files(tacSession *s);

/* ---- session_replay.c: recordings instead of the running world, and back. For the worker, without the lock. ---- */

/* `moment`: s, negative for that of the largest force. */
void tac_session_open_tape(tacSession *s, const char *path, double moment);
/* One of the list; "": back to the world. */
void tac_session_replay(tacSession *s, const char *file);
/* Gives one of the list another name: `text` is "old.tacrec/new", with or without .tacrec. */
void tac_session_rename(tacSession *s, const char *text);
void tac_session_delete(tacSession *s, const char *file);

/* ---- session_answers.c: what single clients asked for. For the worker, without the lock. ---- */

/* The pointshells of what is on show. */
void tac_session_send_shells(tacSession *s, int client);
/* A slice or an isosurface of a body's field. */
void tac_session_send_field(tacSession *s, int client, const tacViewMessage *ask);

/* ---- session_commands.c: what clients command: at once, or as a job for the worker where it takes time. ---- */

/* With the lock. */
void tac_session_command(tacSession *s, int client, const tacViewMessage *message);
/* With the lock. False where too many wait. */
bool tac_session_queue(tacSession *s, int client, const tacViewMessage *message);
/* For the worker, without the lock: a command that had to wait until the world went on. */
void tac_session_catch_up(tacSession *s, int client, const tacViewMessage *message);

/* ---- session_worker.c: the thread that does what takes time, one job after the other. ---- */

/* `context` is the session; until it ends. Begins with what its def names. */
void tac_session_work(void *context);

/* ---- session_display.c: the thread that shows: 60 frames a second, the state where it changed, what a SpaceMouse does. ---- */

/* `context` is the session; until it ends. */
void tac_session_display(void *context);
