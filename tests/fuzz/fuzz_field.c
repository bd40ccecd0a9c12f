/* Bytes as a distance-field file: an error, or a field that answers queries. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tactus/distance_field.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/chunk_file.h"
#include "base/little_endian.h"
#include "math/vec3.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Puts right checksums in place of the wrong ones, which would hide everything behind them. Layout: see chunk_file.c. */
static void mend(uint8_t *bytes, size_t size) {
  if (size < 56) return;
  tac_little_endian_put_u64(tac_checksum(bytes, 48), bytes + 48);
  for (size_t at = 56; size - at >= 72;) {
    uint8_t *head = bytes + at;
    uint64_t stored = tac_little_endian_u64(head + 48);
    at += 72;
    if (stored > size - at) stored = size - at;
    bool is_end = head[0] == 0;
    if (!is_end) tac_little_endian_put_u64(tac_checksum(bytes + at, (size_t)stored), head + 56);
    tac_little_endian_put_u64(tac_checksum(head, 64), head + 64);
    at += (size_t)stored;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int file = memfd_create("fuzz", 0);
  uint8_t *mended = malloc(size + 1);
  if (file < 0 || mended == NULL) abort();
  if (size > 0) memcpy(mended, data, size);
  mend(mended, size);
  if (write(file, mended, size) != (ssize_t)size) abort();
  free(mended);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  tacError error = {0};
  tacDistanceField *field = NULL;
  tacStatus status = tac_distance_field_read(path, &field, &error);
  if ((status == TAC_OK) != (field != NULL) || (status != TAC_OK && error.text[0] == '\0')) abort();
  if (field != NULL) tac_distance_field_value(field, tac_vec3(0.1, 0.2, 0.3));
  tac_distance_field_destroy(field);

  tacChunkFile *chunks = NULL;
  if (tac_chunk_file_open(path, &chunks, &error) == TAC_OK)
    for (int i = 0; i < tac_chunk_file_count(chunks); ++i) {
      const tacChunkInfo *info = tac_chunk_file_info(chunks, i);
      uint64_t count;
      void *items = NULL;
      if (tac_chunk_file_read(chunks, info->name, info->type, UINT64_MAX, &count, &items, &error) == TAC_OK)
        free(items);
    }
  tac_chunk_file_close(chunks);
  close(file);
  return 0;
}
