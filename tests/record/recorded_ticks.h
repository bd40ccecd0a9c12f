/* Records for tests: every bit of every field is random, and the same for the same tick. */
#pragma once

#include <tactus/recording.h>
#include <time.h>
#include "math/random.h"
#include "record/record_column.h"
#include "record/recorder.h"
#include "test.h"

/* Padding is zero, so that records may be compared by memcmp. Random bits make NaNs with payloads now and then; some numbers are
 * made so on purpose. */
static inline void tac_make_tick(int64_t tick, int tool_count, tacTickRecord *record) {
  tacRandom random = tac_random_seed((uint64_t)tick + 1);
  memset(record, 0, sizeof *record);
  for (int c = 0; c < tac_record_column_count(tool_count); ++c) {
    tacRecordColumn column = tac_record_column(c);
    tac_record_column_set_bits(&column, tac_random_bits(&random), record);
  }
  record->tick = tick;
  for (int t = 0; t < tool_count; ++t) {
    tacToolRecord *tool = &record->tool[t];
    const uint64_t nan = UINT64_C(0xfff4000000000000) | (tac_random_bits(&random) & 0xffff) | 1;
    tool->output.contact.state = (tacContactState)(tac_random_bits(&random) % (TAC_CONTACT_GRABBED + 1));
    memcpy(&tool->written.x, &nan, sizeof nan);
    tool->written.y = -0.0;
  }
}

/* Number i of the state after a tick: such that floats keep it, and between any two ticks it is linear in the tick's number. */
static inline double tac_state_at(int64_t tick, int i) {
  return 0.25 * (double)i - (double)tick;
}

static inline void tac_make_state(int64_t tick, int state_size, double *state) {
  for (int i = 0; i < state_size; ++i) state[i] = tac_state_at(tick, i);
}

/* Waits for room where there is none, as a run does that is not in real time. `state` may be NULL. */
static inline void tac_push_tick_and_state(tacRecorder *recorder, const tacTickRecord *record, const double *state) {
  const struct timespec millisecond = {.tv_nsec = 1000000};
  while (tac_recorder_full(recorder)) nanosleep(&millisecond, NULL);
  if (state != NULL) ck_assert(tac_recorder_push_state(recorder, record->tick, state));
  ck_assert(tac_recorder_push(recorder, record));
}

/* Ticks 0 to `count` - 1. */
static inline void tac_push_ticks(tacRecorder *recorder, int tool_count, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    tacTickRecord record;
    tac_make_tick(i, tool_count, &record);
    tac_push_tick_and_state(recorder, &record, NULL);
  }
}

static inline tacRecordingInfo tac_sample_info(int tool_count) {
  static const double parameter = 0.125;
  return (tacRecordingInfo){.period = 0.001,
                            .tool_count = tool_count,
                            .parameter_count = 1,
                            .parameters = &parameter,
                            .scene_path = "scenes/liver.yaml",
                            .scene = "world:\n  period: 0.001\n",
                            .program = "tactus 0.1.0",
                            .platform = "abacus",
                            .assets = "0123456789abcdef liver-1.green"};
}

/* A complete recording of ticks 0, 1, ... */
static inline void tac_write_recording(const char *path, int tool_count, int64_t tick_count) {
  tacRecordingInfo info = tac_sample_info(tool_count);
  int64_t lost = -1;
  tacRecorder *recorder = tac_test_made(tacRecorder *, tac_recorder_open(path, &info, 0.0, &made, &error));
  tac_push_ticks(recorder, tool_count, tick_count);
  tac_test_ok(tac_recorder_close(recorder, &lost, &error), error);
  ck_assert_int_eq(lost, 0);
}

/* Whether record `index` reads and is tick `tick`, bit for bit. */
static inline bool tac_tick_is(tacRecording *recording, int64_t index, int64_t tick) {
  tacTickRecord wanted, found;
  tac_make_tick(tick, tac_recording_info(recording)->tool_count, &wanted);
  return tac_recording_tick(recording, index, &found, NULL) == TAC_OK && memcmp(&wanted, &found, sizeof found) == 0;
}
