/* The display of progress, and progress in parts: the internal side of <tactus/progress.h>. */
#ifndef TAC_BASE_PROGRESS_H
#define TAC_BASE_PROGRESS_H

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <tactus/progress.h>

#define TAC_PROGRESS_LABEL_SIZE 32

/* A bar that redraws in place on a terminal, plain lines elsewhere, with an estimate of the time left. Work that ends
 * within a second shows nothing. A fraction that falls starts a new piece of work with a time of its own. */
typedef struct tacProgressBar {
  FILE *stream;
  bool terminal;
  const volatile sig_atomic_t *cancel; /* non-zero cancels (set by a signal handler); NULL for never */
  int64_t (*now)(void);                /* ns; tac_clock_now, or a test's */
  int64_t start, last_shown;           /* ns; of the current piece of work */
  double fraction;
  bool started, shown;
  char label[TAC_PROGRESS_LABEL_SIZE];
} tacProgressBar;

void tac_progress_bar_begin(FILE *stream, bool terminal, const volatile sig_atomic_t *cancel, tacProgressBar *bar);
/* What to hand to long functions; `bar` must outlive it. */
tacProgress tac_progress_bar_progress(tacProgressBar *bar);
/* Ends the display: "distance field: done in 3.2 s", or how far it came, where anything was shown. */
void tac_progress_bar_end(tacProgressBar *bar);

/* A stage of longer work: its [0, 1] becomes [from, to] of the whole. */
typedef struct tacProgressPart {
  const tacProgress *whole; /* may be NULL */
  double from, to;
  const char *what; /* the name that the whole shows; NULL for the stage's own */
} tacProgressPart;

/* `part` must outlive the result. */
tacProgress tac_progress_part(const tacProgressPart *part);

#endif
