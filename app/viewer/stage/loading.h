/* The wait for a scene or a recording as one piece of work: what is being done for which scene, how far the whole is, and how
 * long the rest will take. */
#pragma once

#include <stdint.h>
#include <tactus/scene.h>
#include "base/remaining_time.h"

/* In this order; any may be left out. */
typedef enum tacLoadingPhase {
  TAC_LOADING_BAKE,
  TAC_LOADING_WORLD,
  TAC_LOADING_RECORDING,
  TAC_LOADING_SHOW,
  TAC_LOADING_PHASES
} tacLoadingPhase;

typedef struct tacLoadingMoment {
  char scene[128];  /* its name, or its file's until that is read; and the recording's */
  char what[160];   /* "kidney: columns" */
  double fraction;  /* of the whole; never falls; -1: not known yet */
  double remaining; /* s; -1: not known yet */
} tacLoadingMoment;

typedef struct tacLoading {
  tacLoadingMoment moment;
  /* Whoever is told, on the thread that loads; false cancels. NULL: nobody. */
  bool (*report)(const tacLoadingMoment *moment, void *user);
  void *user;
  double seconds[TAC_LOADING_PHASES]; /* expected; all 0 until it is planned */
  tacLoadingPhase phase;
  tacRemainingTime remaining;
  bool guessed;         /* how long the bake takes is not known: then neither is how long the rest takes */
  int64_t start;        /* ns */
  int64_t (*now)(void); /* ns; tac_clock_now, or a test's */
} tacLoading;

void tac_loading_begin(const char *name, bool (*report)(const tacLoadingMoment *moment, void *user), void *user,
                       tacLoading *loading);
/* How long the phases will take: the bake by what is remembered of it. `recording`: its name, or NULL; then it has `ticks`. */
void tac_loading_plan(tacLoading *loading, const tacScene *scene, const char *cache, const char *recording,
                      int64_t ticks);
/* The next phase begins, with what it does until it says otherwise. TAC_ERR_CANCELLED where it is not to go on. */
tacStatus tac_loading_enter(tacLoading *loading, tacLoadingPhase phase, const char *what, tacError *error);
/* What the work of a phase reports to; `loading` must outlive it. */
tacProgress tac_loading_progress(tacLoading *loading);
