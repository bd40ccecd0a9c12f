#include "record/recorder.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "recorded_file.h"

enum { STATE = 300 }; /* numbers of a state */
static double state[STATE];

static void sleep_a_moment(void) {
  nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static int64_t count_ticks(void) {
  TAC_OWN(tacRecording, recording) = NULL;
  if (tac_recording_open(path, &recording, NULL) != TAC_OK) return 0;
  int64_t count = tac_recording_tick_count(recording);
  return count;
}

TAC_TEST_AROUND(set_up, clean_up)

/* The first test, as it forks: a child of a process that had threads must not start any under the thread sanitizer. */
TAC_TEST(a_killed_run_leaves_its_blocks) {
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* should the test fail */
    tacRecordingInfo info = tac_sample_info(1);
    info.state_size = STATE;
    tacRecorder *recorder = NULL;
    if (tac_recorder_open(path, &info, 0.0, &recorder, NULL) != TAC_OK) _exit(1);
    for (int64_t i = 0;; ++i) {
      tacTickRecord record;
      tac_make_tick(i, 1, &record);
      tac_make_state(i, STATE, state);
      tac_push_tick_and_state(recorder, &record, state);
    }
  }
  int64_t seen = 0;
  while ((seen = count_ticks()) < 3000) {
    sleep_a_moment();
    ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0); /* it runs until it is killed */
  }
  ck_assert_int_eq(kill(child, SIGKILL), 0);
  ck_assert_int_eq(waitpid(child, NULL, 0), child);
  TAC_OWN(tacRecording, recording) = open_recording();
  ck_assert(!tac_recording_complete(recording));
  int64_t count = tac_recording_tick_count(recording);
  ck_assert_int_ge(count, seen);
  for (int64_t i = 0; i < count; i += 7) ck_assert(tac_tick_is(recording, i, i));
  for (int64_t i = 0; i < count; i += 20) { /* no tick without the state that was kept of it */
    tac_test_ok(tac_recording_state(recording, i, state, &error), error);
    for (int k = 0; k < STATE; ++k) ck_assert(state[k] == tac_state_at(i, k));
  }
}

/* What was pushed is in the file, in order and whole; what was refused is counted; nothing else. */
TAC_TEST(a_full_ring_loses_and_counts) {
  tacRecordingInfo info = tac_sample_info(2);
  const int64_t total = tac_test_light() ? 20000 : 200000;
  TAC_MEMORY(int64_t, kept) = calloc((size_t)total, sizeof *kept);
  int64_t kept_count = 0, refused = 0, lost = -1;
  ck_assert_ptr_nonnull(kept);
  tacRecorder *recorder = open_recorder(&info, 0.016);
  tacTickRecord record;
  tac_make_tick(0, 2, &record);
  for (int64_t i = 0; i < total; ++i) {
    record.tick = i;
    if (tac_recorder_push(recorder, &record))
      kept[kept_count++] = i;
    else
      ++refused;
  }
  tac_test_ok(tac_recorder_close(recorder, &lost, &error), error);
  ck_assert_int_ge(kept_count, 16); /* what the ring holds */
  ck_assert_int_gt(refused, 0);
  ck_assert_int_eq(lost, refused);
  TAC_OWN(tacRecording, recording) = open_recording();
  ck_assert(tac_recording_complete(recording));
  ck_assert_int_eq(tac_recording_tick_count(recording), kept_count);
  for (int64_t i = 0; i < kept_count; ++i) {
    tacTickRecord found;
    tac_test_ok(tac_recording_tick(recording, i, &found, &error), error);
    record.tick = kept[i];
    ck_assert_mem_eq(&found, &record, sizeof record);
  }
}

TAC_TEST(states_that_do_not_fit_are_counted) {
  tacRecordingInfo info = tac_sample_info(1);
  info.state_size = STATE;
  int64_t refused = 0, kept = 0, first = -1, last = -1, lost = -1;
  const int64_t total = tac_test_light() ? 200 : 2000;
  tacRecorder *recorder = open_recorder(&info, 0.1);
  for (int64_t i = 0; i < 20 * total; ++i) { /* faster than any disk */
    tac_make_state(i, i % 20 == 0 ? STATE : 0, state);
    if (!tac_recorder_push_state(recorder, i, state)) {
      ck_assert_int_eq(i % 20, 0);
      ++refused;
      if (first < 0) first = i;
    } else if (i % 20 == 0) {
      ++kept;
      last = i;
    }
  }
  tac_test_ok(tac_recorder_close(recorder, &lost, &error), error);
  ck_assert_int_ge(kept, 5); /* what the ring holds */
  ck_assert_int_gt(refused, 0);
  ck_assert_int_eq(kept + refused, total);
  ck_assert_int_eq(lost, refused);
  TAC_OWN(tacRecording, recording) = open_recording();
  ck_assert(tac_recording_complete(recording));
  int64_t ticks[] = {0, first - 20, last};
  for (int i = 0; i < 3; ++i) {
    tac_test_ok(tac_recording_state(recording, ticks[i], state, &error), error);
    for (int k = 0; k < STATE; ++k) ck_assert(state[k] == tac_state_at(ticks[i], k));
  }
}

/* The thread that pushes and the one that drains meet in every slot, many times over. */
TAC_TEST(records_pass_between_threads_unharmed) {
  tacRecordingInfo info = tac_sample_info(1);
  const int64_t total = tac_test_light() ? 5000 : 50000;
  tacRecorder *recorder = open_recorder(&info, 1.0);
  tac_push_ticks(recorder, 1, total);
  TAC_OWN(tacRecording, recording) = open_recorded(recorder);
  ck_assert_int_eq(tac_recording_tick_count(recording), total);
  for (int64_t i = 0; i < total; ++i) ck_assert(tac_tick_is(recording, i, i));
}

int __real_fdatasync(int descriptor);
int __wrap_fdatasync(int descriptor);

static off_t synced_size; /* bytes of the file at the last fdatasync; -1: none */
static bool sync_fails;

int __wrap_fdatasync(int descriptor) {
  struct stat about;
  ck_assert_int_eq(fstat(descriptor, &about), 0);
  synced_size = about.st_size;
  if (!sync_fails) return __real_fdatasync(descriptor);
  errno = EIO;
  return -1;
}

TAC_TEST(a_closed_recording_is_synced_to_the_disk) {
  for (int fails = 0; fails < 2; ++fails) {
    synced_size = -1;
    sync_fails = fails;
    tacRecordingInfo info = tac_sample_info(1);
    tacRecorder *recorder = open_recorder(&info, 1.0);
    tac_push_ticks(recorder, 1, 100);
    tacStatus status = tac_recorder_close(recorder, NULL, &error);
    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(synced_size, about.st_size); /* nothing is written after the sync */
    if (fails)
      tac_test_refused(status, TAC_ERR_FILE, error, strerror(EIO));
    else
      tac_test_ok(status, error);
  }
}

/* A limit on the size of files stands for a full disk. */
TAC_TEST(a_full_disk_is_an_error_at_the_end) {
  struct rlimit old, small;
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = (struct rlimit){.rlim_cur = 2000000, .rlim_max = old.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  tacRecordingInfo info = tac_sample_info(1);
  tacRecorder *recorder = open_recorder(&info, 0.0);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  const int64_t total = 20000; /* random bits do not compress: 8 MB */
  int64_t lost = -1;
  for (int64_t i = 0; i < total; ++i) {
    tacTickRecord record;
    tac_make_tick(i, 1, &record);
    while (tac_recorder_full(recorder)) sleep_a_moment(); /* and not for ever */
    tac_recorder_push(recorder, &record);
  }
  tacStatus status = tac_recorder_close(recorder, &lost, &error);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
  signal(SIGXFSZ, SIG_DFL);
  tac_test_refused(status, TAC_ERR_FILE, error, path);
  ck_assert_int_gt(lost, 0);
  ck_assert_int_eq(count_ticks() + lost, total);
}

TAC_TEST(a_recording_that_cannot_begin_leaves_no_file) {
  struct rlimit old, small;
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = (struct rlimit){.rlim_cur = 10, .rlim_max = old.rlim_max}; /* bytes: less than the header */
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  tacRecordingInfo info = tac_sample_info(1);
  tacRecorder *recorder = NULL;
  tacStatus status = tac_recorder_open(path, &info, 0.0, &recorder, &error);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
  signal(SIGXFSZ, SIG_DFL);
  tac_test_refused(status, TAC_ERR_FILE, error, path);
  ck_assert_ptr_null(recorder);
  ck_assert_int_ne(access(path, F_OK), 0);
}

TAC_TEST(impossible_recorders_are_refused) {
  tacRecordingInfo info = tac_sample_info(1);
  tacRecorder *recorder = NULL;
  const char *const nowhere[] = {folder, "/dev/null", "/no/such/folder/run.rec"};
  for (int i = 0; i < 3; ++i)
    tac_test_refused(tac_recorder_open(nowhere[i], &info, 0.0, &recorder, &error), TAC_ERR_FILE, error, nowhere[i]);
  const struct {
    double period, seconds;
    int tools, state_size, simulate_every;
  } wrong[] = {{0.001, -1.0, 1, 0, 0},
               {0.001, 1e300, 1, 0, 0},
               {1e-300, 0.0, 1, 0, 0},
               {0.0, 0.0, 1, 0, 0},
               {0.001, 0.0, TAC_MOST_TOOLS + 1, 0, 0},
               {0.001, 0.0, 1, -1, 0},
               {0.001, 0.0, 1, INT32_MAX, 0},
               {0.001, 0.0, 1, 0, -1},
               {0.001, 0.0, 1, 0, 101}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    info = tac_sample_info(wrong[i].tools);
    info.period = wrong[i].period;
    info.state_size = wrong[i].state_size;
    info.simulate_every = wrong[i].simulate_every;
    ck_assert_int_eq(tac_recorder_open(path, &info, wrong[i].seconds, &recorder, &error), TAC_ERR_ARGUMENT);
  }
  ck_assert_ptr_nonnull(strstr(error.text, "a step of the bodies takes 101 ticks; 1 to 100 are possible"));
  ck_assert_ptr_null(recorder);
  ck_assert_int_ne(access(path, F_OK), 0);
}

TAC_TEST(closing_no_recorder_succeeds_and_loses_nothing) {
  int64_t lost = -1;
  tac_test_ok(tac_recorder_close(NULL, &lost, &error), error);
  ck_assert_int_eq(lost, 0);
}
