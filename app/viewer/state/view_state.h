/* The state of the viewer as its clients are told it: the JSON of `welcome`, `state` and `notice` (docs/viewer_protocol.md). */
#pragma once

#include <jansson.h>
#include "app/viewer/library/gallery.h"
#include "app/viewer/library/recordings.h"
#include "app/viewer/stage/loading.h"
#include "app/viewer/stage/sketch.h"
#include "app/viewer/stage/whole_bake.h"

typedef enum tacViewPhase {
  TAC_VIEW_IN_GALLERY,
  TAC_VIEW_LOADING,
  TAC_VIEW_RUNNING,
  TAC_VIEW_REPLAYING,
  TAC_VIEW_FAILED
} tacViewPhase;

typedef struct tacViewParameter {
  char name[160], label[32], unit[8];
  double least, most, start, value; /* SI; start: the scene's */
  bool rebuilds;                    /* takes a moment */
  int index;                        /* of the world's; -1: the hand's stiffness, -2: the hand's damping */
  bool waits;                       /* for the servo to take it */
} tacViewParameter;

/* Of a tool; clients, 0: none. */
typedef struct tacViewHand {
  int leader; /* that touches with it, or did last */
  int page;   /* whose own it is */
} tacViewHand;

enum { TAC_VIEW_MOST_PARAMETERS = 256 };

typedef struct tacViewState {
  tacViewPhase phase;
  char file[256];           /* of the scene; "" in the gallery */
  json_t *scene;            /* what is shown, tac_view_scene_json; NULL: nothing */
  double rate;              /* Hz, of that */
  char busy[128];           /* what its world stands still for; "": it does not */
  tacLoadingMoment loading; /* what is being done; "": nothing */
  bool is_small;            /* what is shown is a small version, and how far the whole one is: */
  tacWholeBakeMoment whole;
  tacError error; /* of the phase TAC_VIEW_FAILED */
  bool paused, demo;
  bool changed, follow; /* the scene's files are others than when they were read; it is read again then */
  double speed;         /* of the running world's time; 1: as real */
  int hand_count;
  tacViewHand hands[TAC_MOST_TOOLS];
  char recording[256]; /* file that is being written; "": none */
  tacSketch sketch;
  char sketch_advice[1400]; /* tac_sketch_advice, of the last one */
  char replay[256];         /* file that is shown; "": none */
  double replay_duration, replay_speed;
  int recording_count, parameter_count;
  tacViewRecording recordings[TAC_VIEW_MOST_RECORDINGS];
  tacViewParameter parameters[TAC_VIEW_MOST_PARAMETERS];
  char remark[256], fault[300]; /* of the servo */
  bool stalled;                 /* it makes no ticks though it should */
} tacViewState;

/* Whether a recording of that name is listed. */
bool tac_view_state_lists(const tacViewState *state, const char *file);

/* Malloc'ed; NULL where memory is short. */
char *tac_view_state_welcome(const tacGallery *gallery, const char *program, double display_rate);
char *tac_view_state_text(const tacViewState *state);
char *tac_view_state_notice(bool is_error, const char *text);
/* For the client whose touch was refused. */
char *tac_view_state_held(int tool, int leader, const char *name);
