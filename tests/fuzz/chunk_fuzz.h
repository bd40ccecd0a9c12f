/* What the fuzz targets of chunk files share. */
#pragma once

#include <stdbool.h>
#include "base/files/checksum.h"
#include "base/files/little_endian.h"
#include "repaired_file.h"

/* Layout: see chunk_file.c. */
static inline void tac_fuzz_repair(uint8_t *bytes, size_t size) {
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

static inline int tac_fuzz_file(const uint8_t *data, size_t size, char path[64]) {
  return tac_repaired_file(data, size, tac_fuzz_repair, path);
}

/* Reads the bytes as a file: an error with a text, or an object, of which `use` asks all that it answers. */
#define TAC_FUZZ_FILE(type, stem, use)                                                                  \
  int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {                                        \
    char path[64];                                                                                      \
    int file = tac_fuzz_file(data, size, path);                                                         \
    tacError error = {0};                                                                               \
    type *object = NULL;                                                                                \
    tacStatus status = stem##_read(path, &object, &error);                                              \
    if ((status == TAC_OK) != (object != NULL) || (status != TAC_OK && error.text[0] == '\0')) abort(); \
    if (object != NULL) use(object);                                                                    \
    stem##_destroy(object);                                                                             \
    close(file);                                                                                        \
    return 0;                                                                                           \
  }
