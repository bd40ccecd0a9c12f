/* Bytes as a recording: an error, or ticks and states that read or are refused. */
#include <math.h>
#include <tactus/recording.h>
#include "base/files/checksum.h"
#include "base/files/little_endian.h"
#include "record/recording_file.h"
#include "repaired_file.h"

/* Layout: see docs/recording.md. */
static void repair(uint8_t *bytes, size_t size) {
  if (size < TAC_RECORDING_HEADER_SIZE) return;
  size_t at = TAC_RECORDING_HEADER_SIZE;
  for (int i = 0; i < TAC_RECORDING_TEXTS; ++i) {
    size_t text = tac_little_endian_u32(bytes + 24 + 4 * i);
    at = text < size - at ? at + text : size;
  }
  uint64_t parameters = 8 * (uint64_t)tac_little_endian_u32(bytes + 44);
  at = parameters < size - at ? at + (size_t)parameters : size;
  tac_little_endian_put_u64(tac_checksum(bytes + TAC_RECORDING_HEADER_SIZE, at - TAC_RECORDING_HEADER_SIZE),
                            bytes + 56);
  tac_little_endian_put_u64(tac_checksum(bytes, 64), bytes + 64);
  while (size - at >= TAC_RECORDING_HEAD_SIZE) {
    uint8_t *head = bytes + at;
    uint64_t stored = tac_little_endian_u64(head + 16);
    at += TAC_RECORDING_HEAD_SIZE;
    if (stored > size - at) stored = size - at;
    tac_little_endian_put_u64(tac_checksum(bytes + at, (size_t)stored), head + 24);
    tac_little_endian_put_u64(tac_checksum(head, 32), head + 32);
    at += (size_t)stored;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  int file = tac_repaired_file(data, size, repair, path);
  tacError error = {0};
  tacRecording *recording = NULL;
  tacStatus status = tac_recording_open(path, &recording, &error);
  if ((status == TAC_OK) != (recording != NULL) || (status != TAC_OK && error.text[0] == '\0')) abort();
  if (recording != NULL) {
    const tacRecordingInfo *info = tac_recording_info(recording);
    const char *texts[] = {info->scene_path, info->scene, info->program, info->platform, info->assets};
    size_t length = 0;
    for (int i = 0; i < TAC_RECORDING_TEXTS; ++i) length += strlen(texts[i]);
    if (length > size) abort();
    int64_t count = tac_recording_tick_count(recording);
    double *state = calloc((size_t)info->state_size + 1, sizeof *state);
    if (state == NULL) abort();
    for (int64_t i = 0; i < count; i += 1 + count / 16) {
      tacTickRecord record;
      error.text[0] = '\0';
      if (tac_recording_tick(recording, i, &record, &error) != TAC_OK && error.text[0] == '\0') abort();
      error.text[0] = '\0';
      status = tac_recording_state(recording, i, state, &error);
      if (status != TAC_OK && error.text[0] == '\0') abort();
      for (int k = 0; k < info->state_size && status == TAC_OK; ++k)
        if (!isfinite(state[k])) abort();
    }
    free(state);
  }
  tac_recording_close(recording);
  close(file);
  return 0;
}
