/* The recording of a test, in a folder in which nothing else may be left. Suites say TAC_TEST_AROUND(set_up, clean_up). */
#pragma once

#include "base/files/input_file.h"
#include "record/recorder.h"
#include "recorded_ticks.h"

static char folder[256], path[512];

static void set_up(void) {
  tac_test_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/run.rec", folder);
}

static void clean_up(void) {
  remove(path);
  ck_assert_int_eq(rmdir(folder), 0);
}

static inline tacRecorder *open_recorder(const tacRecordingInfo *info, double seconds) {
  return tac_test_made(tacRecorder *, tac_recorder_open(path, info, seconds, &made, &error));
}

static inline tacRecording *open_recording(void) {
  return tac_test_made(tacRecording *, tac_recording_open(path, &made, &error));
}

/* What a recorder that is closed here has written. */
static inline tacRecording *open_recorded(tacRecorder *recorder) {
  tac_test_ok(tac_recorder_close(recorder, NULL, &error), error);
  return open_recording();
}

static inline tacInputFile read_bytes(void) {
  return tac_test_made(tacInputFile, tac_input_file_read(path, TAC_INPUT_ANY, &made, &error));
}

static inline void write_bytes(const void *bytes, size_t size) {
  remove(path);
  FILE *stream = fopen(path, "wb");
  ck_assert_ptr_nonnull(stream);
  ck_assert_uint_eq(fwrite(bytes, 1, size, stream), size);
  ck_assert_int_eq(fclose(stream), 0);
}
