#include "base/threads/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/clock.h"
#include "process_threads.h"
#include "test.h"

enum { COUNT = 10007 };

/* Each item waits until the other has begun, so the call ends only if two threads run at once. */
static void wait_for_both(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  atomic_size_t *arrived = context;
  atomic_fetch_add(arrived, end - begin);
  while (atomic_load(arrived) < 2) sched_yield();
}

typedef struct {
  atomic_size_t arrived;
  pthread_t thread[2];
} Pair;

static void wait_by_name(size_t begin, size_t end, int thread, void *context) {
  Pair *pair = context;
  pair->thread[thread] = pthread_self();
  wait_for_both(begin, end, thread, &pair->arrived);
}

/* Two items on two threads. */
static void do_two(tacParallelFn function, void *context) {
  ck_assert_int_eq(tac_parallel_for(2, 2, 1, function, context, NULL, "work", NULL), TAC_OK);
}

/* This test and the next are the first, as others leave threads waiting for work (with CK_FORK=no). */
TAC_TEST(threads_are_kept_from_call_to_call) {
  Pair first = {0}, then = {0};
  do_two(wait_by_name, &first);
  do_two(wait_by_name, &then);
  ck_assert(pthread_equal(first.thread[0], pthread_self()));
  ck_assert(!pthread_equal(first.thread[1], pthread_self()));
  ck_assert(pthread_equal(first.thread[1], then.thread[1]));
}

/* A thread that has ended is in /proc for a moment. */
static bool threads_become(int count) {
  for (int i = 0; i < 2000 && threads_of_this_process() != count; ++i)
    tac_clock_sleep_until(tac_clock_now() + 5 * 1000 * 1000);
  return threads_of_this_process() == count;
}

typedef struct {
  atomic_size_t arrived;
  int threads; /* while both are there */
} Counted;

static void wait_and_count(size_t begin, size_t end, int thread, void *context) {
  Counted *counted = context;
  wait_for_both(begin, end, thread, &counted->arrived);
  if (thread == 0) counted->threads = threads_of_this_process();
}

TAC_TEST(threads_end_on_request_and_when_idle) {
  for (int way = 0; way < 2; ++way) {
    Counted counted = {0};
    do_two(wait_and_count, &counted);
    if (way == 0) tac_parallel_end_threads();
    ck_assert(threads_become(counted.threads - 1));
  }
}

typedef struct {
  atomic_int visits[COUNT];
  atomic_size_t largest;
  atomic_int wrong_thread;
  int thread_count;
} Visits;

static void visit(size_t begin, size_t end, int thread, void *context) {
  Visits *visits = context;
  if (thread < 0 || thread >= visits->thread_count) atomic_fetch_add(&visits->wrong_thread, 1);
  size_t largest = atomic_load(&visits->largest);
  while (end - begin > largest && !atomic_compare_exchange_weak(&visits->largest, &largest, end - begin)) continue;
  for (size_t i = begin; i < end; ++i) atomic_fetch_add(&visits->visits[i], 1);
}

TAC_TEST(visits_every_item_once_in_chunks_of_the_grain) {
  static const int thread_counts[] = {1, 2, 7, 300};
  static const size_t grains[] = {0, 1, 64, COUNT, COUNT + 1};
  for (size_t t = 0; t < 4; ++t)
    for (size_t g = 0; g < 5; ++g) {
      static Visits visits;
      memset(&visits, 0, sizeof visits);
      visits.thread_count = thread_counts[t];
      tac_test_ok(tac_parallel_for(thread_counts[t], COUNT, grains[g], visit, &visits, NULL, "visits", &error), error);
      for (int i = 0; i < COUNT; ++i) ck_assert_int_eq(atomic_load(&visits.visits[i]), 1);
      ck_assert_uint_le(atomic_load(&visits.largest), grains[g] > 0 ? grains[g] : 1);
      ck_assert_int_eq(atomic_load(&visits.wrong_thread), 0);
    }
}

TAC_TEST(no_items_are_no_calls) {
  ck_assert_int_eq(tac_parallel_for(4, 0, 10, visit, NULL, NULL, "nothing", NULL), TAC_OK);
}

typedef struct {
  pthread_t caller;
  int calls, other_thread, falls;
  double last;
  int cancel_at; /* the call that returns false, 0 for none */
} Watch;

static bool watch(const char *what, double fraction, void *user) {
  Watch *seen = user;
  ck_assert_str_eq(what, "work");
  seen->other_thread += !pthread_equal(pthread_self(), seen->caller);
  seen->falls += fraction < seen->last;
  seen->last = fraction;
  return ++seen->calls != seen->cancel_at;
}

static void rest(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  atomic_size_t *done = context;
  tac_clock_sleep_until(tac_clock_now() + 5 * 1000 * 1000);
  atomic_fetch_add(done, end - begin);
}

TAC_TEST(progress_rises_to_one_on_the_calling_thread_and_is_rare) {
  Watch seen = {.caller = pthread_self()};
  tacProgress progress = {.report = watch, .user = &seen};
  atomic_size_t done = 0;
  int64_t start = tac_clock_now();
  ck_assert_int_eq(tac_parallel_for(2, 200, 1, rest, &done, &progress, "work", NULL), TAC_OK);
  double seconds = tac_clock_seconds(tac_clock_now() - start);
  ck_assert_int_eq(seen.other_thread, 0);
  ck_assert_int_eq(seen.falls, 0);
  ck_assert_double_eq(seen.last, 1.0);
  ck_assert_int_ge(seen.calls, 2);
  ck_assert_int_le(seen.calls, (int)(seconds * 10) + 3);
}

/* At its second report, when some is done; and before it starts. */
TAC_TEST(cancelling_stops_all_threads_early) {
  for (int at = 1; at <= 2; ++at) {
    Watch seen = {.caller = pthread_self(), .cancel_at = at};
    tacProgress progress = {.report = watch, .user = &seen};
    atomic_size_t done = 0;
    ck_assert_int_eq(tac_parallel_for(2, 1000000, 1, rest, &done, &progress, "work", &error), TAC_ERR_CANCELLED);
    ck_assert_str_eq(error.text, "work: cancelled");
    ck_assert_uint_lt(atomic_load(&done), at == 1 ? 1 : 1000000);
    ck_assert_int_eq(seen.calls, at);
  }
}

TAC_TEST(the_setter_wins_over_the_environment_and_that_over_the_cores) {
  unsetenv("TACTUS_THREADS");
  int cores = tac_parallel_core_count();
  setenv("TACTUS_THREADS", "5", 1);
  ck_assert_int_eq(tac_parallel_core_count(), 5);
  tac_parallel_set_threads(3);
  ck_assert_int_eq(tac_parallel_core_count(), 3);
  tac_parallel_set_threads(0);
  ck_assert_int_eq(tac_parallel_core_count(), 5);
  unsetenv("TACTUS_THREADS");
  ck_assert_int_eq(tac_parallel_core_count(), cores);
}

TAC_TEST(a_wrong_environment_is_an_error_with_a_remedy) {
  static const char *const wrong[] = {"0", "-1", "257", "two", "2x", "99999999999999999999"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    atomic_size_t done = 0;
    setenv("TACTUS_THREADS", wrong[i], 1);
    tac_test_refused(tac_parallel_for(0, 4, 1, rest, &done, NULL, "work", &error), TAC_ERR_ARGUMENT, error, wrong[i]);
    ck_assert_ptr_nonnull(strstr(error.text, "from 1 to 256, or unset it"));
    ck_assert_uint_eq(atomic_load(&done), 0);
    ck_assert_int_ge(tac_parallel_core_count(), 1);
  }
  setenv("TACTUS_THREADS", "", 1);
  ck_assert_int_eq(tac_parallel_check_environment(NULL), TAC_OK);
  unsetenv("TACTUS_THREADS");
}

static void add_one(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  atomic_fetch_add((atomic_int *)context, (int)(end - begin));
}

static void call_again(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  for (size_t i = begin; i < end; ++i)
    ck_assert_int_eq(tac_parallel_for(4, 1000, 7, add_one, context, NULL, "inner", NULL), TAC_OK);
}

static void *call_from_a_thread(void *context) {
  ck_assert_int_eq(tac_parallel_for(4, 200, 1, call_again, context, NULL, "outer", NULL), TAC_OK);
  return NULL;
}

TAC_TEST(calls_may_be_nested_and_come_from_several_threads) {
  atomic_int sum = 0;
  pthread_t threads[3];
  for (int t = 0; t < 3; ++t) ck_assert_int_eq(pthread_create(&threads[t], NULL, call_from_a_thread, &sum), 0);
  for (int t = 0; t < 3; ++t) pthread_join(threads[t], NULL);
  ck_assert_int_eq(atomic_load(&sum), 3 * 200 * 1000);
}

typedef struct {
  atomic_size_t outer, inner;
  atomic_bool met;
} Tail;

static void wait_within_seconds(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Tail *tail = context;
  int64_t deadline = tac_clock_now() + 20 * TAC_NS_PER_SECOND;
  atomic_fetch_add(&tail->inner, end - begin);
  while (atomic_load(&tail->inner) < 2 && tac_clock_now() < deadline) sched_yield();
  if (atomic_load(&tail->inner) < 2) atomic_store(&tail->met, false);
}

static void leave_the_caller_idle(size_t begin, size_t end, int thread, void *context) {
  Tail *tail = context;
  wait_for_both(begin, end, thread, &tail->outer);
  if (thread == 0) return;
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  do_two(wait_within_seconds, tail);
}

/* Of two threads one has finished its chunk, the caller's; the other opens work in its own. */
TAC_TEST(a_caller_that_waits_helps_in_work_that_others_open) {
  Tail tail = {.met = true};
  tac_parallel_end_threads();
  do_two(leave_the_caller_idle, &tail);
  ck_assert_uint_eq(atomic_load(&tail.inner), 2);
  ck_assert(atomic_load(&tail.met));
}

TAC_TEST(work_without_a_status_is_done_also_in_a_wrong_environment) {
  atomic_int sum = 0;
  tac_parallel_do(1000, 7, add_one, &sum);
  ck_assert_int_eq(atomic_load(&sum), 1000);
  setenv("TACTUS_THREADS", "none", 1);
  tac_parallel_do(1000, 7, add_one, &sum);
  ck_assert_int_eq(atomic_load(&sum), 2000);
  unsetenv("TACTUS_THREADS");
}

#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#elif defined(__has_feature)
#define THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#define THREAD_SANITIZER 0
#endif

TAC_TEST(a_forked_child_has_a_separate_pool) {
  if (THREAD_SANITIZER) return; /* it refuses threads in such a child */
  atomic_size_t arrived = 0;
  do_two(wait_for_both, &arrived);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    alarm(20); /* without threads the child would wait forever */
    arrived = 0;
    _exit(tac_parallel_for(2, 2, 1, wait_for_both, &arrived, NULL, "meeting", NULL) == TAC_OK && arrived == 2 ? 0 : 1);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* 2 ms of processor time each. */
static void work_long(size_t begin, size_t end, int thread, void *context) {
  (void)begin, (void)end, (void)thread, (void)context;
  struct timespec start, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < 2 * 1000 * 1000);
}

TAC_TEST(times_count_the_outermost_calls_once) {
  tac_parallel_set_threads(2); /* on any machine, calls with as many threads count as spread */
  tacParallelTimes before = tac_parallel_times();
  atomic_int sum = 0;
  atomic_size_t done = 0;
  call_from_a_thread(&sum);
  ck_assert_int_eq(tac_parallel_for(2, 20, 1, work_long, &done, NULL, "work", NULL), TAC_OK);
  tacParallelTimes after = tac_parallel_times();
  ck_assert_int_eq(after.calls - before.calls, 2);
  ck_assert_int_ge(after.busy - before.busy, 20 * 2 * 1000 * 1000);
  ck_assert_int_ge(after.threads16 - before.threads16, 2 * 1000 * 1000);
  ck_assert_int_lt(after.threads16 - before.threads16, after.busy - before.busy);
  tac_parallel_set_threads(0);
}
