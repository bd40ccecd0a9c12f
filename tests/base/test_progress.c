#include "base/progress.h"

#include <string.h>
#include "base/clock.h"
#include "test.h"

static int64_t clock_time;

static int64_t test_clock(void) {
  return clock_time;
}

typedef struct {
  char *text;
  size_t size;
  FILE *stream;
  tacProgressBar bar;
  tacProgress progress;
} Display;

static Display *begin(bool terminal, const volatile sig_atomic_t *cancel) {
  Display *display = tac_test_alloc(sizeof *display);
  clock_time = 1000 * TAC_NS_PER_SECOND;
  display->stream = open_memstream(&display->text, &display->size);
  tac_progress_bar_begin(display->stream, terminal, cancel, &display->bar);
  display->bar.now = test_clock;
  display->bar.beats = false;
  display->progress = tac_progress_bar_progress(&display->bar);
  return display;
}

static bool report(Display *display, const char *what, double fraction) {
  return display->progress.report(what, fraction, display->progress.user);
}

/* `seconds` of even work from `from` to `to`, reported twenty times a second. */
static void work(Display *display, const char *what, double seconds, double from, double to) {
  int steps = (int)(20 * seconds);
  for (int i = 0; i <= steps; ++i) {
    report(display, what, from + (to - from) * i / steps);
    if (i < steps) clock_time += TAC_NS_PER_SECOND / 20;
  }
}

/* `seconds` without a report. */
static void silence(Display *display, double seconds) {
  for (int i = 0; i < (int)(20 * seconds); ++i) {
    clock_time += TAC_NS_PER_SECOND / 20;
    tac_progress_bar_beat(&display->bar);
  }
}

/* Ends the display; its text lasts as long as the test. */
static void end_as(Display *display, bool success) {
  tac_progress_bar_end(&display->bar, success);
  fclose(display->stream);
  char *text = display->text;
  display->text = tac_test_alloc(display->size + 1);
  memcpy(display->text, text, display->size);
  free(text);
}

static void end(Display *display) {
  end_as(display, true);
}

static int occurrences(const char *text, const char *part) {
  int count = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) ++count;
  return count;
}

TAC_TEST(work_below_a_second_shows_nothing) {
  for (int terminal = 0; terminal < 2; ++terminal) {
    Display *display = begin(terminal != 0, NULL);
    work(display, "field", 0.9, 0, 1);
    work(display, "tets", 0.9, 0, 1);
    end(display);
    ck_assert_str_eq(display->text, "");
  }
}

TAC_TEST(a_line_is_printed_every_two_seconds_and_at_the_end) {
  Display *display = begin(false, NULL);
  work(display, "distance field", 12, 0, 1);
  end(display);
  ck_assert_str_eq(display->text, "distance field: 8 % after 1.0 s\n"
                                  "distance field: 24 % after 2.9 s\n"
                                  "distance field: 40 % after 4.8 s\n"
                                  "distance field: 55 % after 6.7 s, 5.3 s left\n"
                                  "distance field: 71 % after 8.6 s, 3.4 s left\n"
                                  "distance field: 87 % after 10 s, 1.5 s left\n"
                                  "distance field: done in 12 s\n");
}

TAC_TEST(a_bar_redraws_in_place_at_most_ten_times_a_second) {
  Display *display = begin(true, NULL);
  work(display, "distance field", 3, 0, 1);
  end(display);
  ck_assert_int_eq(occurrences(display->text, "\n"), 1);
  ck_assert_int_le(occurrences(display->text, "%"), 21); /* from 1 s to 3 s */
  ck_assert_int_ge(occurrences(display->text, "%"), 19);
  ck_assert_ptr_nonnull(strstr(display->text, "\r\033[K[######......]  50 %  1.5 s  distance field\r"));
  const char *ending = "\r\033[Kdistance field: done in 3.0 s\n";
  ck_assert_str_eq(display->text + strlen(display->text) - strlen(ending), ending);
}

/* Stages need not add up to the whole; and how far work came that failed is shown. */
TAC_TEST(the_outcome_decides_how_a_bar_ends) {
  Display *display = begin(false, NULL);
  work(display, "field", 2, 0, 0.96);
  end_as(display, true);
  ck_assert_str_eq(display->text, "field: 48 % after 1.0 s\nfield: done in 2.0 s\n");
  display = begin(false, NULL);
  work(display, "field", 2, 0, 0.96);
  end_as(display, false);
  ck_assert_str_eq(display->text, "field: 48 % after 1.0 s\nfield: stopped at 96 % after 2.0 s\n");
}

TAC_TEST(the_bar_moves_without_reports) {
  for (int terminal = 0; terminal < 2; ++terminal) {
    Display *display = begin(terminal != 0, NULL);
    report(display, "factors", 0.25);
    silence(display, 7);
    end(display);
    if (terminal == 0)
      ck_assert_str_eq(display->text, "factors: 25 % after 1.0 s\nfactors: 25 % after 2.9 s\n"
                                      "factors: 25 % after 4.8 s\nfactors: 25 % after 6.7 s\nfactors: done in 7.0 s\n");
    for (int s = 1; terminal != 0 && s < 7; ++s) {
      char drawn[80];
      snprintf(drawn, sizeof drawn, "[###.........]  25 %%  %d.5 s  factors\r", s);
      ck_assert_ptr_nonnull(strstr(display->text, drawn));
    }
  }
}

TAC_TEST(a_separate_thread_shows_work_that_reports_nothing) {
  Display *display = begin(false, NULL);
  display->bar.now = tac_clock_now;
  display->bar.beats = true;
  report(display, "factors", 0.25);
  tac_clock_sleep_until(tac_clock_now() + 13 * TAC_NS_PER_SECOND / 10);
  end(display);
  ck_assert_ptr_nonnull(strstr(display->text, "factors: 25 % after 1."));
}

TAC_TEST(work_of_unknown_length_shows_its_name_and_time) {
  for (int terminal = 0; terminal < 2; ++terminal) {
    Display *display = begin(terminal != 0, NULL);
    tac_progress_bar_doing(&display->bar, "reading");
    silence(display, 3);
    tac_progress_bar_doing(&display->bar, "checking");
    report(display, "field", 0.5); /* ends what was being done */
    end(display);
    if (terminal == 0)
      ck_assert_str_eq(display->text, "reading: 1.0 s\nreading: 2.9 s\n");
    else
      ck_assert_ptr_nonnull(strstr(display->text, "\r\033[Kreading ... 2.5 s\r"));
    if (terminal != 0) ck_assert_ptr_nonnull(strstr(display->text, "\r\033[K\r\033[Kchecking ... 0.0 s\r\033[K"));
    ck_assert_ptr_null(strstr(display->text, "done"));
  }
}

/* How long the next stage takes is not known from the one before, unless fractions are shares of the time. */
TAC_TEST(an_estimate_across_stages_needs_times) {
  for (int timed = 0; timed < 2; ++timed) {
    Display *display = begin(false, NULL);
    display->bar.timed = timed != 0;
    work(display, "columns", 8, 0, 0.4);
    work(display, "checks", 12, 0.4, 1);
    end(display);
    ck_assert_int_eq(occurrences(display->text, "columns: 33 % after 6.7 s, 13 s left\n"), 1);
    ck_assert_int_eq(occurrences(display->text, "checks: 52 % after 10 s, 9.5 s left\n"), timed);
    ck_assert(timed || strstr(strstr(display->text, "checks"), "left") == NULL);
  }
}

TAC_TEST(a_hidden_bar_clears_its_line_and_returns) {
  Display *display = begin(true, NULL);
  work(display, "field", 2, 0, 0.5);
  tac_progress_bar_hide(&display->bar);
  fputs("warning\n", display->stream);
  silence(display, 0.2);
  end(display);
  ck_assert_ptr_nonnull(strstr(display->text, "field\r\033[Kwarning\n\r\033[K[######......]  50 %  2.1 s  field"));
}

TAC_TEST(no_line_of_a_bar_is_wider_than_a_terminal) {
  Display *display = begin(true, NULL);
  work(display, "a description of work that goes on for longer than anyone would want to read", 5, 0, 0.02);
  clock_time += INT64_C(999) * 3600 * TAC_NS_PER_SECOND;
  report(display, "a description of work that goes on for longer than anyone would want to read", 0.9999);
  display->bar.left = 1e9;
  silence(display, 1);
  end(display);
  int drawn = 0;
  for (char *line = strtok(display->text, "\r\n"); line != NULL; line = strtok(NULL, "\r\n")) {
    ++drawn;
    ck_assert_uint_lt(strlen(line), 80 + strlen("\033[K"));
  }
  ck_assert_int_gt(drawn, 10);
}

TAC_TEST(a_fraction_that_falls_starts_a_new_piece_of_work) {
  Display *display = begin(false, NULL);
  work(display, "field", 4, 0, 1);
  work(display, "tets", 2, 0, 1);
  end(display);
  ck_assert_str_eq(display->text, "field: 25 % after 1.0 s\nfield: 72 % after 2.9 s\nfield: done in 4.0 s\n"
                                  "tets: 50 % after 1.0 s\ntets: done in 2.0 s\n");
}

TAC_TEST(the_flag_cancels) {
  volatile sig_atomic_t cancel = 0;
  Display *display = begin(true, &cancel);
  ck_assert(report(display, "field", 0.5));
  cancel = 1;
  ck_assert(!report(display, "field", 0.6));
  end(display);
}

TAC_TEST(fractions_outside_the_range_are_brought_into_it) {
  Display *display = begin(true, NULL);
  report(display, "field", 0.0 / 0.0);
  clock_time += 2 * TAC_NS_PER_SECOND;
  report(display, "field", -3);
  ck_assert_double_eq(display->bar.fraction, 0.0);
  clock_time += 2 * TAC_NS_PER_SECOND;
  report(display, "field", 7);
  ck_assert_double_eq(display->bar.fraction, 1.0);
  end(display);
}

typedef struct {
  char what[32];
  double fraction;
} Last;

static bool keep(const char *what, double fraction, void *user) {
  Last *last = user;
  snprintf(last->what, sizeof last->what, "%s", what);
  last->fraction = fraction;
  return fraction < 0.7;
}

TAC_TEST(a_part_reports_its_share_of_the_whole) {
  Last last;
  tacProgress whole = {.report = keep, .user = &last};
  tacProgressPart part = {.whole = &whole, .from = 0.25, .to = 0.75};
  tacProgress progress = tac_progress_part(&part);
  ck_assert(progress.report("stage", 0.0, progress.user));
  ck_assert_double_eq(last.fraction, 0.25);
  ck_assert(progress.report("stage", 0.5, progress.user));
  ck_assert_double_eq(last.fraction, 0.5);
  ck_assert_str_eq(last.what, "stage");
  part.what = "the whole";
  ck_assert(!progress.report("stage", 1.0, progress.user)); /* cancelling passes through */
  ck_assert_str_eq(last.what, "the whole");
}

TAC_TEST(a_part_without_a_parent_never_cancels) {
  tacProgressPart part = {.to = 1};
  tacProgress progress = tac_progress_part(&part);
  ck_assert(progress.report("stage", 0.5, progress.user));
}
