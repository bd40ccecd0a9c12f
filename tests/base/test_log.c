#include "base/log.h"

#include <pthread.h>
#include <string.h>
#include "test.h"

enum { THREADS = 4, LINES = 500 };

typedef struct {
  int count, warnings; /* not atomic: the log promises one call at a time */
  char last[2048];
} Received;

static void receive(tacLogLevel level, const char *text, void *user) {
  Received *received = user;
  ++received->count;
  received->warnings += level == TAC_LOG_WARNING;
  snprintf(received->last, sizeof received->last, "%s", text);
}

TAC_TEST(lines_reach_the_receiver) {
  Received received = {0};
  tac_log_set(receive, &received);
  tac_log(TAC_LOG_WARNING, "%s:%d: skipped", "a.msh", 3);
  tac_log_set(NULL, NULL);
  ck_assert_str_eq(received.last, "a.msh:3: skipped");
  ck_assert_int_eq(received.warnings, 1);
}

TAC_TEST(without_a_receiver_lines_are_dropped) {
  Received received = {0};
  tac_log_set(receive, &received);
  tac_log_set(NULL, NULL);
  tac_log(TAC_LOG_INFO, "nobody listens");
  ck_assert_int_eq(received.count, 0);
}

TAC_TEST(a_line_is_one_line_and_long_ones_are_cut) {
  Received received = {0};
  tac_log_set(receive, &received);
  tac_log(TAC_LOG_INFO, "two\nlines");
  ck_assert_str_eq(received.last, "two lines");
  char text[2000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = 0;
  tac_log(TAC_LOG_INFO, "%s", text);
  tac_log_set(NULL, NULL);
  ck_assert_uint_eq(strlen(received.last), 1023);
}

static void *log_many(void *unused) {
  (void)unused;
  for (int i = 0; i < LINES; ++i) tac_log(i % 2 == 0 ? TAC_LOG_INFO : TAC_LOG_WARNING, "line %d", i);
  return NULL;
}

TAC_TEST(lines_of_several_threads_do_not_mix) {
  Received received = {0};
  tac_log_set(receive, &received);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) ck_assert_int_eq(pthread_create(&threads[i], NULL, log_many, NULL), 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  tac_log_set(NULL, NULL);
  ck_assert_int_eq(received.count, THREADS * LINES);
  ck_assert_int_eq(received.warnings, THREADS * LINES / 2);
}
