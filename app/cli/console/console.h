/* How the program talks: summary lines on standard output, progress, warnings and errors on standard error. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>
#include "app/cli/console/options.h"
#include "base/progress.h"

const char *tac_program_text(void); /* "tactus 0.1.0, compiled by gcc 12.2.0" */

/* Exit statuses of the program. */
#define TAC_EXIT_OK 0
#define TAC_EXIT_FAILED 1 /* the work failed; one line on standard error says why */
#define TAC_EXIT_USAGE 2  /* wrong usage */

/* Ctrl-C and SIGTERM ask long work to stop, a second one kills; a reader that goes away does not. Warnings of the library go
 * to standard error. */
void tac_console_start(void);
bool tac_console_interrupted(void);
bool tac_console_terminated(void); /* by SIGTERM */
/* The interrupted work has ended. What follows can be interrupted again. */
void tac_console_resume(void);
/* Ends the bar and flushes standard output; returns `status`, or 1 with a message where the output could not be written. */
int tac_console_finish(int status);

typedef struct tacConsole {
  bool quiet; /* neither summary nor progress nor warnings */
  tacProgressBar bar;
  tacProgress progress; /* for long functions */
} tacConsole;

/* Opens the program's one console, once in a process. tac_console_finish closes it. */
tacConsole *tac_console_open(bool quiet);
/* One line of summary. */
void tac_console_print(tacConsole *console, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One line of warning. */
void tac_console_warn(tacConsole *console, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Ends the bar of the step before, which came to `status`. */
void tac_console_step(tacConsole *console, tacStatus status);
/* Shows what is being done until the next line or bar, and for how long: for work that reports no progress. */
void tac_console_doing(tacConsole *console, const char *what);

/* Prints "tactus: text" and returns 1, the status of failed work. */
int tac_console_fail(const tacError *error);
