#include "record/recording.h"

#include <zstd.h>
#include "base/files/checksum.h"
#include "base/files/little_endian.h"
#include "recorded_file.h"

enum { TOOLS = 1, MOST = 512 * 19 }; /* numbers of a state: a basket of bodies */

static double state[MOST];

static void write_states(double period, int size, int64_t tick_count) {
  tacRecordingInfo info = tac_sample_info(TOOLS);
  info.period = period;
  info.state_size = size;
  int64_t lost = -1;
  tacRecorder *recorder = open_recorder(&info, 10.0);
  for (int64_t i = 0; i < tick_count; ++i) {
    tacTickRecord record;
    tac_make_tick(i, TOOLS, &record);
    tac_make_state(i, size, state);
    tac_push_tick_and_state(recorder, &record, state);
  }
  tac_test_ok(tac_recorder_close(recorder, &lost, &error), error);
  ck_assert_int_eq(lost, 0);
}

/* The states are linear in the tick's number, so that it is told by every number of one; ticks in any order. */
static void expect_state(tacRecording *recording, int64_t asked, double tick) {
  int size = tac_recording_info(recording)->state_size;
  tac_test_ok(tac_recording_state(recording, asked, state, &error), error);
  for (int i = 0; i < size; ++i) ck_assert_double_eq_tol(state[i], 0.25 * i - tick, 1e-9);
}

TAC_TEST_AROUND(set_up, clean_up)

TAC_TEST(states_of_any_size_read_back) {
  static const int sizes[] = {1, 19, MOST};
  const int64_t ticks = tac_test_light() ? 600 : 2610; /* of the largest, more than fit in a block */
  for (int k = 0; k < 3; ++k) {
    write_states(0.001, sizes[k], ticks);
    TAC_OWN(tacRecording, recording) = open_recording();
    ck_assert_int_eq(tac_recording_info(recording)->state_size, sizes[k]);
    ck_assert_int_eq(tac_recording_tick_count(recording), ticks);
    int64_t last = (ticks - 1) / 20 * 20;
    for (int64_t i = 0; i < ticks; i += sizes[k] == MOST ? 97 : 1)
      expect_state(recording, i, (double)(i < last ? i : last));
    expect_state(recording, last - 3, (double)(last - 3));
    expect_state(recording, 100, 100.0);
    expect_state(recording, -5, 0.0);
    expect_state(recording, INT64_MAX, (double)last);
    ck_assert(tac_tick_is(recording, ticks - 1, ticks - 1));
  }
}

TAC_TEST(states_are_stored_at_display_rate_for_any_period) {
  static const struct {
    double period;
    int64_t every;
  } cases[] = {{0.001, 20}, {0.0001, 200}, {0.004, 5}, {0.015, 1}, {0.125, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    write_states(cases[k].period, 2, 450);
    TAC_OWN(tacRecording, recording) = open_recording();
    for (int64_t i = 0; i < 450; ++i) {
      const tacStateRecord *stored;
      tac_test_ok(tac_recording_stored_state(recording, i, &stored, &error), error);
      ck_assert_int_eq(stored->tick, i / cases[k].every * cases[k].every);
      ck_assert(stored->values[1] == (float)tac_state_at(stored->tick, 1));
    }
  }
}

/* Three blocks of ticks, each behind one of states: at 8 Hz a block holds 8 ticks. */
static tacInputFile small_file(void) {
  write_states(0.125, 5, 20);
  return read_bytes();
}

TAC_TEST(a_truncated_file_is_read_up_to_the_last_whole_block) {
  TAC_FREED(tac_input_file_free, tacInputFile, file) = small_file();
  int64_t seen = 0;
  for (size_t size = 0; size < file.size; size += tac_test_light() ? 7 : 1) {
    write_bytes(file.bytes, size);
    TAC_OWN(tacRecording, recording) = NULL;
    error = (tacError){0};
    tacStatus status = tac_recording_open(path, &recording, &error);
    ck_assert(status == TAC_OK || (status == TAC_ERR_FORMAT && seen == 0 && error.text[0] != 0));
    if (status != TAC_OK) continue;
    ck_assert(!tac_recording_complete(recording));
    int64_t count = tac_recording_tick_count(recording);
    ck_assert_int_ge(count, seen);
    ck_assert(count == 0 || count == 8 || count == 16 || count == 20);
    for (int64_t i = 0; i < count; ++i) {
      ck_assert(count == seen || tac_tick_is(recording, i, i));
      expect_state(recording, i, (double)i);
    }
    seen = count;
  }
  ck_assert_int_eq(seen, 20); /* only the end was missing */
}

/* Everything is read; returns whether an error said that something is wrong. What is read is right. */
static bool reads_with_an_error(void) {
  TAC_OWN(tacRecording, recording) = NULL;
  error = (tacError){0};
  if (tac_recording_open(path, &recording, &error) != TAC_OK) return error.text[0] != 0;
  bool found = !tac_recording_complete(recording);
  for (int64_t i = 0; i < tac_recording_tick_count(recording); ++i) {
    tacTickRecord record;
    if (tac_recording_tick(recording, i, &record, &error) != TAC_OK)
      found = true;
    else
      ck_assert(tac_tick_is(recording, i, i));
    if (tac_recording_state(recording, i, state, &error) != TAC_OK) {
      found = true;
      continue;
    }
    for (int k = 0; k < 5 && tac_recording_complete(recording); ++k) ck_assert(state[k] == tac_state_at(i, k));
  }
  return found;
}

/* The file is refused or cut there, or the ticks or states of its block are refused. */
TAC_TEST(a_changed_byte_is_found) {
  TAC_FREED(tac_input_file_free, tacInputFile, file) = small_file();
  ck_assert(!reads_with_an_error());
  for (size_t at = 0; at < file.size; at += tac_test_light() ? 11 : 1) {
    unsigned char old = file.bytes[at];
    file.bytes[at] ^= (unsigned char)(1 + at % 255);
    write_bytes(file.bytes, file.size);
    file.bytes[at] = old;
    ck_assert_msg(reads_with_an_error(), "a change at byte %zu went unnoticed", at);
  }
}

static void write_block(uint32_t kind, uint32_t count, uint64_t first, const void *bytes, size_t size, FILE *stream) {
  unsigned char stored[4096], head[TAC_RECORDING_HEAD_SIZE];
  size_t stored_size = size > 0 ? ZSTD_compress(stored, sizeof stored, bytes, size, 3) : 0;
  ck_assert(!ZSTD_isError(stored_size));
  tac_recording_head_pack(&(tacRecordingHead){.kind = kind,
                                              .count = count,
                                              .first = first,
                                              .stored = stored_size,
                                              .checksum = tac_checksum(stored, stored_size)},
                          head);
  fwrite(head, 1, sizeof head, stream);
  fwrite(stored, 1, stored_size, stream);
}

/* A complete file without ticks whose blocks of states are forged, one state each: ticks, and the first number. */
static tacStatus open_forged(int size, int count, const int64_t *heads, const int64_t *ticks, double number,
                             tacRecording **recording) {
  unsigned char header[TAC_RECORDING_HEADER_SIZE], bytes[64];
  tac_recording_header_pack(&(tacRecordingHeader){.version = TAC_RECORDING_VERSION,
                                                  .period = 0.001,
                                                  .state_size = (uint32_t)size,
                                                  .simulate_every = 1,
                                                  .data_checksum = tac_checksum("", 0)},
                            header);
  FILE *stream = fopen(path, "wb");
  ck_assert_ptr_nonnull(stream);
  fwrite(header, 1, sizeof header, stream);
  for (int i = 0; i < count; ++i) {
    struct {
      int64_t tick;
      float values[2];
    } record = {ticks[i], {(float)number, 2.0f}};
    tac_recording_states_pack(2, 1, &record, bytes);
    write_block(TAC_RECORDING_STATES, 1, (uint64_t)heads[i], bytes, 16, stream);
  }
  write_block(TAC_RECORDING_END, 0, 0, "", 0, stream);
  ck_assert_int_eq(fclose(stream), 0);
  return tac_recording_open(path, recording, &error);
}

TAC_TEST(forged_states_are_refused) {
  static const int64_t good[] = {5, 9}, swapped[] = {9, 5}, negative[] = {-1, 3};
  double found[2];
  TAC_OWN(tacRecording, recording) = tac_test_made(tacRecording *, open_forged(2, 2, good, good, 1.5, &made));
  tac_test_ok(tac_recording_state(recording, 7, found, &error), error);
  ck_assert(found[0] == 1.5 && found[1] == 2.0);
  tac_recording_close(recording);

  tac_test_ok(open_forged(2, 2, good, good, NAN, &recording), error);
  ck_assert_int_eq(tac_recording_state(recording, 7, found, &error), TAC_ERR_FORMAT);
  tac_recording_close(recording);
  tac_test_ok(open_forged(2, 2, good, swapped, 1.5, &recording), error); /* other ticks than heads say */
  ck_assert_int_eq(tac_recording_state(recording, 7, found, &error), TAC_ERR_FORMAT);
  tac_recording_close(recording);
  tac_test_ok(open_forged(2, 0, good, good, 1.5, &recording), error);
  ck_assert_int_eq(tac_recording_state(recording, 7, found, &error), TAC_ERR_ARGUMENT);
  tac_recording_close(recording);

  ck_assert_int_eq(open_forged(2, 2, swapped, swapped, 1.5, &recording), TAC_ERR_FORMAT);
  ck_assert_int_eq(open_forged(2, 2, negative, negative, 1.5, &recording), TAC_ERR_FORMAT);
  ck_assert_int_eq(open_forged(0, 2, good, good, 1.5, &recording), TAC_ERR_FORMAT);
  tac_test_ok(open_forged(3, 2, good, good, 1.5, &recording), error); /* too few numbers */
  double more[3];
  ck_assert_int_eq(tac_recording_state(recording, 7, more, &error), TAC_ERR_FORMAT);
}
