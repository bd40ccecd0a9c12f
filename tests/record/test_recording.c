#include <tactus/recording.h>
#include "base/files/checksum.h"
#include "base/files/little_endian.h"
#include "base/platform.h"
#include "record/recording.h"
#include "recorded_file.h"

TAC_TEST_AROUND(set_up, clean_up)

TAC_TEST(every_bit_survives) {
  const int tools[] = {0, 1, 2, TAC_MOST_TOOLS};
  for (size_t k = 0; k < sizeof tools / sizeof *tools; ++k) {
    tac_write_recording(path, tools[k], 2600); /* two full blocks and a part */
    TAC_OWN(tacRecording, recording) = open_recording();
    ck_assert(tac_recording_complete(recording));
    ck_assert_int_eq(tac_recording_tick_count(recording), 2600);
    for (int64_t i = 0; i < 2600; ++i) ck_assert(tac_tick_is(recording, i, i));
  }
}

TAC_TEST(a_recording_is_recognised_among_other_files) {
  ck_assert(!tac_recording_recognise(path));
  ck_assert(!tac_recording_recognise(folder));
  tac_write_recording(path, 1, 10);
  ck_assert(tac_recording_recognise(path));
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  write_bytes(file.bytes, 7);
  ck_assert(!tac_recording_recognise(path));
  write_bytes(file.bytes + 1, file.size - 1);
  ck_assert(!tac_recording_recognise(path));
}

TAC_TEST(ticks_are_read_in_any_order) {
  tac_write_recording(path, 1, 5000);
  TAC_OWN(tacRecording, recording) = open_recording();
  tacRandom random = tac_random_seed(3);
  for (int i = 0; i < 300; ++i) {
    int64_t index = (int64_t)(tac_random_bits(&random) % 5000);
    ck_assert(tac_tick_is(recording, index, index));
  }
  tacTickRecord record;
  ck_assert_int_eq(tac_recording_tick(recording, 5000, &record, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_recording_tick(recording, -1, &record, &error), TAC_ERR_ARGUMENT);
}

TAC_TEST(the_scene_text_round_trips) {
  tac_write_recording(path, 3, 0);
  TAC_OWN(tacRecording, recording) = open_recording();
  const tacRecordingInfo *info = tac_recording_info(recording);
  tacRecordingInfo wanted = tac_sample_info(3);
  ck_assert(tac_recording_complete(recording));
  ck_assert_int_eq(tac_recording_tick_count(recording), 0);
  ck_assert(info->period == wanted.period);
  ck_assert_int_eq(info->simulate_every, 1); /* of those who do not say it */
  ck_assert_int_eq(info->tool_count, 3);
  ck_assert_int_eq(info->parameter_count, 1);
  ck_assert(info->parameters[0] == wanted.parameters[0]);
  ck_assert_str_eq(info->scene_path, wanted.scene_path);
  ck_assert_str_eq(info->scene, wanted.scene);
  ck_assert_str_eq(info->program, wanted.program);
  ck_assert_str_eq(info->platform, wanted.platform);
  ck_assert_str_eq(info->assets, wanted.assets);
  tac_recording_close(recording);

  tacRecordingInfo bare = {.period = 0.002, .simulate_every = 10, .tool_count = 1};
  recording = open_recorded(open_recorder(&bare, 0.0));
  ck_assert_int_eq(tac_recording_info(recording)->simulate_every, 10);
  ck_assert_str_eq(tac_recording_info(recording)->scene, "");
  ck_assert_str_eq(tac_recording_info(recording)->program, "");
  ck_assert_str_eq(tac_recording_info(recording)->platform, tac_platform()); /* it was recorded here */
  ck_assert_str_eq(tac_recording_info(recording)->assets, "");
}

/* Three small blocks: at 8 Hz a block holds 8 ticks. */
static tacInputFile small_file(void) {
  tacRecordingInfo info = tac_sample_info(1);
  info.period = 0.125;
  tacRecorder *recorder = open_recorder(&info, 10.0);
  tac_push_ticks(recorder, 1, 20);
  tac_test_ok(tac_recorder_close(recorder, NULL, &error), error);
  return read_bytes();
}

/* A machine that failed leaves a last block of the right length, of which a part never reached the disk: without the end of the file
 * it is left out, and what is before it is read. In a file that has its end it is damage, and its ticks are refused. */
TAC_TEST(a_last_block_that_was_not_written_is_left_out) {
  enum { END = 40 }; /* bytes: the head that ends a file */
  TAC_FREED(tac_input_file_free, tacInputFile, file) = small_file();
  memset(file.bytes + file.size - END - 16, 0, 16);
  for (int ended = 0; ended < 2; ++ended) {
    write_bytes(file.bytes, ended ? file.size : file.size - END);
    TAC_OWN(tacRecording, recording) = open_recording();
    int64_t count = tac_recording_tick_count(recording);
    ck_assert_int_eq(tac_recording_complete(recording), ended);
    ck_assert_int_eq(count, ended ? 20 : 16);
    for (int64_t i = 0; i < count; ++i) {
      tacTickRecord record;
      ck_assert_int_eq(tac_recording_tick(recording, i, &record, NULL), i < 16 ? TAC_OK : TAC_ERR_FORMAT);
      if (i < 16) ck_assert(tac_tick_is(recording, i, i));
    }
  }
}

TAC_TEST(another_version_is_named) {
  TAC_FREED(tac_input_file_free, tacInputFile, file) = small_file();
  tac_little_endian_put_u32(6, file.bytes + 8);
  tac_little_endian_put_u64(tac_checksum(file.bytes, 64), file.bytes + 64);
  write_bytes(file.bytes, file.size);
  tacRecording *recording = NULL;
  tac_test_refused(tac_recording_open(path, &recording, &error), TAC_ERR_VERSION, error, "version 6");
  ck_assert_ptr_null(recording);
}

TAC_TEST(a_forged_header_asks_for_no_memory) {
  TAC_FREED(tac_input_file_free, tacInputFile, file) = small_file();
  for (int field = 0; field < 9; ++field) {
    unsigned char old[4];
    unsigned char *place =
        file.bytes + (field == 0 ? 12 : 20 + 4 * field); /* tools, sizes of texts, parameters, state, ticks of a step */
    memcpy(old, place, 4);
    tac_little_endian_put_u32(0xfffffff0u, place);
    tac_little_endian_put_u64(tac_checksum(file.bytes, 64), file.bytes + 64);
    write_bytes(file.bytes, file.size);
    tacRecording *recording = NULL;
    ck_assert_int_eq(tac_recording_open(path, &recording, &error), TAC_ERR_FORMAT);
    memcpy(place, old, 4);
  }
}

TAC_TEST(bytes_are_little_endian_and_in_their_places) {
  TAC_FREED(tac_input_file_free, tacInputFile, file) = small_file();
  ck_assert_mem_eq(file.bytes, "\x89TACREC\n\13\0\0\0\1\0\0\0\0\0\0\0\0\0\xc0\x3f", 24); /* 0.125 */
  ck_assert_mem_eq(file.bytes + 24, "\x11\0\0\0\x17\0\0\0\x0c\0\0\0\x06\0\0\0\x1e\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0", 32);
  ck_assert_mem_eq(file.bytes + 72, "scenes/liver.yamlworld:\n  period: 0.001\ntactus 0.1.0abacus", 58);
  ck_assert_mem_eq(file.bytes + 130, "0123456789abcdef liver-1.green", 30);
  ck_assert_mem_eq(file.bytes + 160, "\0\0\0\0\0\0\xc0\x3f", 8); /* the parameter */
  ck_assert_mem_eq(file.bytes + 168, "\1\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0", 16);
  ck_assert_mem_eq(file.bytes + file.size - 40, "\2\0\0\0\0\0\0\0\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
}
