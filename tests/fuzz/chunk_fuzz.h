/* What the fuzz targets of chunk files share. */
#ifndef TAC_TESTS_CHUNK_FUZZ_H
#define TAC_TESTS_CHUNK_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/little_endian.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Puts right checksums in place of the wrong ones, which would hide everything behind them. Layout: see chunk_file.c. */
static inline void tac_fuzz_mend(uint8_t *bytes, size_t size) {
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

/* The bytes, mended, as a file in memory; close the descriptor. */
static inline int tac_fuzz_file(const uint8_t *data, size_t size, char path[64]) {
  int file = memfd_create("fuzz", 0);
  uint8_t *mended = malloc(size + 1);
  if (file < 0 || mended == NULL) abort();
  if (size > 0) memcpy(mended, data, size);
  tac_fuzz_mend(mended, size);
  if (write(file, mended, size) != (ssize_t)size) abort();
  free(mended);
  snprintf(path, 64, "/proc/self/fd/%d", file);
  return file;
}

#endif
