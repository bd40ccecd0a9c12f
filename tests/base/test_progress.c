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

static void begin(Display *display, bool terminal, const volatile sig_atomic_t *cancel) {
  clock_time = 1000 * TAC_NS_PER_SECOND;
  display->stream = open_memstream(&display->text, &display->size);
  tac_progress_bar_begin(display->stream, terminal, cancel, &display->bar);
  display->bar.now = test_clock;
  display->progress = tac_progress_bar_progress(&display->bar);
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

static void end(Display *display) {
  tac_progress_bar_end(&display->bar);
  fclose(display->stream);
}

static int occurrences(const char *text, const char *part) {
  int count = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) ++count;
  return count;
}

START_TEST(work_below_a_second_shows_nothing) {
  for (int terminal = 0; terminal < 2; ++terminal) {
    Display display;
    begin(&display, terminal != 0, NULL);
    work(&display, "field", 0.9, 0, 1);
    work(&display, "tets", 0.9, 0, 1);
    end(&display);
    ck_assert_str_eq(display.text, "");
    free(display.text);
  }
}
END_TEST

START_TEST(lines_come_every_five_seconds_with_the_time_left_and_an_end) {
  Display display;
  begin(&display, false, NULL);
  work(&display, "distance field", 20, 0, 1);
  end(&display);
  ck_assert_str_eq(display.text, "distance field: 5 %, 19 s left\n"
                                 "distance field: 30 %, 14 s left\n"
                                 "distance field: 55 %, 9.0 s left\n"
                                 "distance field: 80 %, 4.0 s left\n"
                                 "distance field: done in 20 s\n");
  free(display.text);
}
END_TEST

START_TEST(a_bar_redraws_in_place_at_most_ten_times_a_second) {
  Display display;
  begin(&display, true, NULL);
  work(&display, "distance field", 3, 0, 1);
  end(&display);
  ck_assert_int_eq(occurrences(display.text, "\n"), 1);
  ck_assert_int_le(occurrences(display.text, "%"), 21); /* from 1 s to 3 s */
  ck_assert_int_ge(occurrences(display.text, "%"), 19);
  ck_assert_ptr_nonnull(strstr(display.text, "\r\033[Kdistance field [############............] 50 %, 1.5 s left\r"));
  const char *ending = "\r\033[Kdistance field: done in 3.0 s\n";
  ck_assert_str_eq(display.text + strlen(display.text) - strlen(ending), ending);
  free(display.text);
}
END_TEST

START_TEST(no_line_of_a_bar_is_wider_than_a_terminal) {
  Display display;
  begin(&display, true, NULL);
  work(&display, "a description of work that goes on for longer than anyone would want to read", 5, 0, 0.02);
  clock_time += INT64_C(999) * 3600 * TAC_NS_PER_SECOND;
  report(&display, "a description of work that goes on for longer than anyone would want to read", 0.9999);
  end(&display);
  int drawn = 0;
  for (char *line = strtok(display.text, "\r\n"); line != NULL; line = strtok(NULL, "\r\n")) {
    ++drawn;
    ck_assert_uint_lt(strlen(line), 80 + strlen("\033[K"));
  }
  ck_assert_int_gt(drawn, 10);
  free(display.text);
}
END_TEST

START_TEST(there_is_no_estimate_from_almost_nothing) {
  Display display;
  begin(&display, false, NULL);
  work(&display, "field", 2, 0, 0.001);
  end(&display);
  ck_assert_str_eq(display.text, "field: 0 %\nfield: stopped at 0 % after 2.0 s\n");
  free(display.text);
}
END_TEST

START_TEST(a_fraction_that_falls_starts_a_new_piece_of_work) {
  Display display;
  begin(&display, false, NULL);
  work(&display, "field", 4, 0, 1);
  work(&display, "tets", 2, 0, 1);
  end(&display);
  ck_assert_str_eq(display.text,
                   "field: 25 %, 3.0 s left\nfield: done in 4.0 s\ntets: 50 %, 1.0 s left\ntets: done in 2.0 s\n");
  free(display.text);
}
END_TEST

START_TEST(the_flag_cancels) {
  volatile sig_atomic_t cancel = 0;
  Display display;
  begin(&display, true, &cancel);
  ck_assert(report(&display, "field", 0.5));
  cancel = 1;
  ck_assert(!report(&display, "field", 0.6));
  end(&display);
  free(display.text);
}
END_TEST

START_TEST(fractions_outside_the_range_are_brought_into_it) {
  Display display;
  begin(&display, true, NULL);
  report(&display, "field", 0.0 / 0.0);
  clock_time += 2 * TAC_NS_PER_SECOND;
  report(&display, "field", -3);
  ck_assert_double_eq(display.bar.fraction, 0.0);
  clock_time += 2 * TAC_NS_PER_SECOND;
  report(&display, "field", 7);
  ck_assert_double_eq(display.bar.fraction, 1.0);
  end(&display);
  free(display.text);
}
END_TEST

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

START_TEST(a_part_reports_its_share_of_the_whole) {
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
END_TEST

START_TEST(a_part_of_nothing_goes_on) {
  tacProgressPart part = {.to = 1};
  tacProgress progress = tac_progress_part(&part);
  ck_assert(progress.report("stage", 0.5, progress.user));
}
END_TEST

TAC_TEST_SUITE("progress", work_below_a_second_shows_nothing,
              lines_come_every_five_seconds_with_the_time_left_and_an_end,
              a_bar_redraws_in_place_at_most_ten_times_a_second, no_line_of_a_bar_is_wider_than_a_terminal,
              there_is_no_estimate_from_almost_nothing, a_fraction_that_falls_starts_a_new_piece_of_work,
              the_flag_cancels, fractions_outside_the_range_are_brought_into_it, a_part_reports_its_share_of_the_whole,
              a_part_of_nothing_goes_on)
