#include "base/progress.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "base/clock.h"

static const int64_t quiet_time = TAC_NS_PER_SECOND;              /* before anything is shown */
static const int64_t redraw_interval = TAC_NS_PER_SECOND / 10;    /* on a terminal */
static const int64_t line_interval = 19 * TAC_NS_PER_SECOND / 10; /* elsewhere; with a beat more it is below 2 s */
static const int64_t beat_interval = TAC_NS_PER_SECOND / 10;
enum { BAR_WIDTH = 12, DURATION_SIZE = 32 };

static void format_duration(double seconds, char text[DURATION_SIZE]) {
  if (seconds < 9.95)
    snprintf(text, DURATION_SIZE, "%.1f s", seconds);
  else if (seconds < 99.5)
    snprintf(text, DURATION_SIZE, "%.0f s", seconds);
  else if (seconds < 99.5 * 60)
    snprintf(text, DURATION_SIZE, "%.0f min", seconds / 60);
  else
    snprintf(text, DURATION_SIZE, "%.0f h", seconds / 3600);
}

static void show(tacProgressBar *bar, int64_t time) {
  char elapsed[DURATION_SIZE], duration[DURATION_SIZE], left[DURATION_SIZE + 16] = "";
  format_duration(tac_clock_seconds(time - bar->start), elapsed);
  if (bar->left >= 0) {
    format_duration(bar->left, duration);
    snprintf(left, sizeof left, ", %s left", duration);
  }
  int percent = bar->fraction < 1 ? (int)(100 * bar->fraction) : 99; /* all of it is done when it ends */
  if (bar->terminal && bar->fraction < 0) {
    fprintf(bar->stream, "\r\033[K%s ... %s", bar->label, elapsed);
  } else if (bar->terminal) {
    char drawn[BAR_WIDTH + 1] = {0};
    memset(drawn, '.', BAR_WIDTH);
    memset(drawn, '#', (size_t)(BAR_WIDTH * bar->fraction));
    fprintf(bar->stream, "\r\033[K[%s] %3d %%  %s  %s%s", drawn, percent, elapsed, bar->label, left);
  } else if (bar->fraction < 0) {
    fprintf(bar->stream, "%s: %s\n", bar->label, elapsed);
  } else {
    fprintf(bar->stream, "%s: %d %% after %s%s\n", bar->label, percent, elapsed, left);
  }
  fflush(bar->stream);
  bar->shown = true;
  bar->last_shown = time;
}

static void show_when_due(tacProgressBar *bar, int64_t time) {
  int64_t interval = bar->terminal ? redraw_interval : line_interval;
  if (bar->shown ? time - bar->last_shown >= interval : time - bar->start >= quiet_time) show(bar, time);
}

/* Where the fraction is by time within a stage only, the next stage's rate is not known. */
static void estimate(tacProgressBar *bar, int64_t time) {
  if (bar->fraction < 0 || (bar->staged && !bar->timed))
    bar->left = -1;
  else
    bar->left = tac_remaining_time_update(&bar->remaining, tac_clock_seconds(time - bar->start), bar->fraction);
}

static void begin_piece(tacProgressBar *bar, const char *what, double fraction, int64_t time) {
  bar->started = true;
  bar->staged = bar->shown = false;
  bar->start = time;
  bar->fraction = fraction;
  bar->left = -1;
  tac_remaining_time_begin(&bar->remaining);
  snprintf(bar->label, sizeof bar->label, "%s", what);
}

static void end_piece(tacProgressBar *bar, bool success) {
  if (!bar->shown) return;
  char duration[DURATION_SIZE];
  format_duration(tac_clock_seconds(bar->now() - bar->start), duration);
  if (bar->terminal) fputs("\r\033[K", bar->stream);
  if (bar->fraction < 0)
    ; /* what was done says who asked for it */
  else if (success)
    fprintf(bar->stream, "%s: done in %s\n", bar->label, duration);
  else
    fprintf(bar->stream, "%s: stopped at %d %% after %s\n", bar->label, (int)(100 * bar->fraction), duration);
  fflush(bar->stream);
  bar->shown = false;
}

/* The separate thread */

static void beat(tacProgressBar *bar) {
  if (!bar->started) return;
  int64_t time = bar->now();
  estimate(bar, time);
  show_when_due(bar, time);
}

static void *timer_main(void *argument) {
  tacProgressBar *bar = argument;
  pthread_setname_np(pthread_self(), "tac-progress");
  pthread_mutex_lock(&bar->lock);
  while (bar->started) {
    struct timespec deadline = tac_clock_timespec(tac_clock_now() + beat_interval);
    if (pthread_cond_clockwait(&bar->ended, &bar->lock, CLOCK_MONOTONIC, &deadline) != ETIMEDOUT) continue;
    beat(bar);
  }
  pthread_mutex_unlock(&bar->lock);
  return NULL;
}

/* With the lock. Where there is no thread, what is reported is shown. */
static void start_timer(tacProgressBar *bar) {
  if (!bar->beats || bar->beating) return;
  bar->beating = pthread_create(&bar->timer, NULL, timer_main, bar) == 0;
  if (!bar->beating) bar->beats = false;
}

void tac_progress_bar_beat(tacProgressBar *bar) {
  pthread_mutex_lock(&bar->lock);
  beat(bar);
  pthread_mutex_unlock(&bar->lock);
}

static bool report_to_bar(const char *what, double fraction, void *user) {
  tacProgressBar *bar = user;
  if (!(fraction > 0)) fraction = 0;
  if (fraction > 1) fraction = 1;
  pthread_mutex_lock(&bar->lock);
  int64_t time = bar->now();
  if (!bar->started || bar->fraction < 0 || fraction < bar->fraction) {
    end_piece(bar, true);
    begin_piece(bar, what, fraction, time);
    start_timer(bar);
  }
  if (strncmp(bar->label, what, sizeof bar->label - 1) != 0) {
    bar->staged = true;
    snprintf(bar->label, sizeof bar->label, "%s", what);
  }
  bar->fraction = fraction;
  estimate(bar, time);
  show_when_due(bar, time);
  pthread_mutex_unlock(&bar->lock);
  return bar->cancel == NULL || *bar->cancel == 0;
}

void tac_progress_bar_begin(FILE *stream, bool terminal, const volatile sig_atomic_t *cancel, tacProgressBar *bar) {
  *bar = (tacProgressBar){.stream = stream,
                          .terminal = terminal,
                          .cancel = cancel,
                          .now = tac_clock_now,
                          .beats = true,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .ended = PTHREAD_COND_INITIALIZER};
}

tacProgress tac_progress_bar_progress(tacProgressBar *bar) {
  return (tacProgress){.report = report_to_bar, .user = bar};
}

void tac_progress_bar_doing(tacProgressBar *bar, const char *what) {
  tac_progress_bar_end(bar, true);
  pthread_mutex_lock(&bar->lock);
  begin_piece(bar, what, -1, bar->now());
  if (bar->terminal) show(bar, bar->start);
  start_timer(bar);
  pthread_mutex_unlock(&bar->lock);
}

void tac_progress_bar_hide(tacProgressBar *bar) {
  pthread_mutex_lock(&bar->lock);
  if (bar->shown && bar->terminal) {
    fputs("\r\033[K", bar->stream);
    fflush(bar->stream);
    bar->last_shown = bar->now();
  }
  pthread_mutex_unlock(&bar->lock);
}

void tac_progress_bar_end(tacProgressBar *bar, bool success) {
  pthread_mutex_lock(&bar->lock);
  end_piece(bar, success);
  bar->started = false;
  bool beating = bar->beating;
  bar->beating = false;
  pthread_cond_signal(&bar->ended);
  pthread_mutex_unlock(&bar->lock);
  if (beating) pthread_join(bar->timer, NULL);
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

tacStatus tac_progress_report(const tacProgress *progress, const char *what, double fraction, tacError *error) {
  if (progress == NULL || progress->report == NULL || progress->report(what, fraction, progress->user)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_CANCELLED, "%s: cancelled", what);
}
