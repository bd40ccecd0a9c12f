#include "base/progress.h"

#include <stddef.h>
#include <string.h>
#include "base/clock.h"

static const int64_t quiet_time = TAC_NS_PER_SECOND;           /* before anything is shown */
static const int64_t redraw_interval = TAC_NS_PER_SECOND / 10; /* on a terminal */
static const int64_t line_interval = 5 * TAC_NS_PER_SECOND;    /* elsewhere */
static const double least_fraction = 0.02;                     /* before there is an estimate */
enum { BAR_WIDTH = 24, DURATION_SIZE = 32 };

static void format_duration(double seconds, char text[DURATION_SIZE]) {
  if (seconds < 9.95)
    snprintf(text, DURATION_SIZE, "%.1f s", seconds);
  else if (seconds < 99.5)
    snprintf(text, DURATION_SIZE, "%.0f s", seconds);
  else if (seconds < 99.5 * 60)
    snprintf(text, DURATION_SIZE, "%.0f min", seconds / 60);
  else
    snprintf(text, DURATION_SIZE, "%.1f h", seconds / 3600);
}

/* ", 12 s left": the rest takes as long per part as what is done took. Empty while too little is done to say. */
static void format_estimate(const tacProgressBar *bar, double elapsed, char text[DURATION_SIZE + 16]) {
  text[0] = 0;
  if (bar->fraction < least_fraction || bar->fraction >= 1) return;
  char duration[DURATION_SIZE];
  format_duration(elapsed * (1 - bar->fraction) / bar->fraction, duration);
  snprintf(text, DURATION_SIZE + 16, ", %s left", duration);
}

static void show(tacProgressBar *bar, int64_t time) {
  char estimate[DURATION_SIZE + 16];
  format_estimate(bar, tac_clock_seconds(time - bar->start), estimate);
  int percent = (int)(100 * bar->fraction);
  if (bar->terminal) {
    char drawn[BAR_WIDTH + 1] = {0};
    memset(drawn, '.', BAR_WIDTH);
    memset(drawn, '#', (size_t)(BAR_WIDTH * bar->fraction));
    fprintf(bar->stream, "\r\033[K%s [%s] %d %%%s", bar->label, drawn, percent, estimate);
  } else {
    fprintf(bar->stream, "%s: %d %%%s\n", bar->label, percent, estimate);
  }
  fflush(bar->stream);
  bar->shown = true;
  bar->last_shown = time;
}

static void end_piece(tacProgressBar *bar) {
  if (!bar->shown) return;
  char duration[DURATION_SIZE];
  format_duration(tac_clock_seconds(bar->now() - bar->start), duration);
  if (bar->terminal) fputs("\r\033[K", bar->stream);
  if (bar->fraction >= 1)
    fprintf(bar->stream, "%s: done in %s\n", bar->label, duration);
  else
    fprintf(bar->stream, "%s: stopped at %d %% after %s\n", bar->label, (int)(100 * bar->fraction), duration);
  fflush(bar->stream);
  bar->shown = false;
}

static bool report_to_bar(const char *what, double fraction, void *user) {
  tacProgressBar *bar = user;
  if (!(fraction > 0)) fraction = 0;
  if (fraction > 1) fraction = 1;
  int64_t time = bar->now();
  if (!bar->started || fraction < bar->fraction) {
    end_piece(bar);
    bar->started = true;
    bar->start = time;
  }
  bar->fraction = fraction;
  snprintf(bar->label, sizeof bar->label, "%s", what);
  int64_t interval = bar->terminal ? redraw_interval : line_interval;
  bool due = bar->shown ? time - bar->last_shown >= interval : time - bar->start >= quiet_time && fraction < 1;
  if (due) show(bar, time);
  return bar->cancel == NULL || *bar->cancel == 0;
}

void tac_progress_bar_begin(FILE *stream, bool terminal, const volatile sig_atomic_t *cancel, tacProgressBar *bar) {
  *bar = (tacProgressBar){.stream = stream, .terminal = terminal, .cancel = cancel, .now = tac_clock_now};
}

tacProgress tac_progress_bar_progress(tacProgressBar *bar) {
  return (tacProgress){.report = report_to_bar, .user = bar};
}

void tac_progress_bar_end(tacProgressBar *bar) {
  end_piece(bar);
  bar->started = false;
}

static bool report_part(const char *what, double fraction, void *user) {
  const tacProgressPart *part = user;
  const tacProgress *whole = part->whole;
  if (whole == NULL || whole->report == NULL) return true;
  return whole->report(part->what != NULL ? part->what : what, part->from + (part->to - part->from) * fraction,
                       whole->user);
}

tacProgress tac_progress_part(const tacProgressPart *part) {
  return (tacProgress){.report = report_part, .user = (void *)(uintptr_t)part};
}
