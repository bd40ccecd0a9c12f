/* The parts of a session, for its own files; session.h says who may touch what. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include "app/viewer/frame/measure.h"
#include "app/viewer/library/badges.h"
#include "app/viewer/library/gallery.h"
#include "app/viewer/library/watched_files.h"
#include "app/viewer/protocol/sink.h"
#include "app/viewer/session/jobs.h"
#include "app/viewer/session/session_clients.h"
#include "app/viewer/session/session_def.h"
#include "app/viewer/stage/hands.h"
#include "app/viewer/stage/show.h"
#include "app/viewer/stage/spacemouse.h"
#include "app/viewer/stage/stage.h"
#include "app/viewer/stage/tape.h"
#include "app/viewer/stage/whole_bake.h"
#include "app/viewer/state/view_state.h"
#include "base/threads/thread.h"

enum { TAC_SESSION_RATE = 60 /* frames a second */, TAC_SESSION_MOST_SAMPLES = 10000, TAC_SESSION_TEXTS = 6 };

/* What frames are made from. */
typedef enum tacShows { TAC_SHOWS_NOTHING, TAC_SHOWS_WORLD, TAC_SHOWS_TAPE, TAC_SHOWS_STILL } tacShows;

/* Where a tape is. */
typedef struct tacReel {
  int64_t index, sent; /* of the tick that is shown; samples were sent up to there (-1: none) */
  double time;         /* s since its start */
} tacReel;

struct tacSession {
  tacSessionDef def;
  char *texts[TAC_SESSION_TEXTS]; /* the def's strings */
  tacGallery gallery;
  tacViewSink sink;
  tacThread worker, display;
  bool working, displaying; /* the threads are there */

  pthread_mutex_t lock;   /* of all that follows */
  pthread_cond_t changed; /* a job waits, it has begun, or it ends */
  bool lock_ready;        /* both are made */
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
