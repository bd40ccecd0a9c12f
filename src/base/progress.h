/* The display of progress, and progress in parts: the internal side of <tactus/base.h>. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <tactus/base.h>
#include "base/error.h"
#include "base/remaining_time.h"

#define TAC_PROGRESS_LABEL_SIZE 36

/* Shows what is being done, how much of it, and for how long: in one line that is redrawn on a terminal, in a line every two
 * seconds elsewhere. Work that ends within a second shows nothing. While the work reports nothing, a separate thread keeps the
 * elapsed time moving. The remaining time is shown only while it can be known (base/remaining_time.h). A fraction that falls
 * starts a new piece of work with its own time. */
typedef struct tacProgressBar {
  FILE *stream;
  bool terminal;
  const volatile sig_atomic_t *cancel; /* non-zero cancels (set by a signal handler); NULL for never */
  int64_t (*now)(void);                /* ns; tac_clock_now, or a test's */
  bool beats;                          /* whether that thread is wanted: true, but in tests */
  bool timed; /* fractions are shares of the expected time across stages, not only within one; set it before the work */

  pthread_mutex_t lock; /* guards what follows, and the stream */
  pthread_cond_t ended;
  pthread_t timer;
  bool beating;
  int64_t start, last_shown; /* ns; of the current piece of work */
  double fraction;           /* < 0: not known */
  tacRemainingTime remaining;
  double left; /* s; < 0: not known */
  bool started, shown;
  bool staged; /* the label has changed since the start */
  char label[TAC_PROGRESS_LABEL_SIZE];
} tacProgressBar;

void tac_progress_bar_begin(FILE *stream, bool terminal, const volatile sig_atomic_t *cancel, tacProgressBar *bar);
/* What to hand to long functions; `bar` must outlive it. */
tacProgress tac_progress_bar_progress(tacProgressBar *bar);
/* Work that reports nothing begins: its name is shown with the elapsed time until the next report, or the end. */
void tac_progress_bar_doing(tacProgressBar *bar, const char *what);
/* Shows what is due, without news: what the separate thread does. */
void tac_progress_bar_beat(tacProgressBar *bar);
/* Erases the line on a terminal for a moment, so that something else can be printed. */
void tac_progress_bar_hide(tacProgressBar *bar);
/* Ends the display where anything was shown: "distance field: done in 3.2 s" after success; else how far it came: "distance
 * field: stopped at 42 % after 3.2 s". */
void tac_progress_bar_end(tacProgressBar *bar, bool success);

/* A stage of longer work: its [0, 1] becomes [from, to] of the whole. */
typedef struct tacProgressPart {
  const tacProgress *whole; /* may be NULL */
  double from, to;
  const char *what; /* the name that the whole shows; NULL for the stage's own */
} tacProgressPart;

/* `part` must outlive the result. */
tacProgress tac_progress_part(const tacProgressPart *part);

/* Reports, if anybody wants to know; TAC_ERR_CANCELLED where that is to be the end. */
tacStatus tac_progress_report(const tacProgress *progress, const char *what, double fraction, tacError *error);
