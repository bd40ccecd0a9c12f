/* Fuzzed bytes as a file in memory, with its checksums put right: wrong ones would hide everything behind them. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef void tacRepairFn(uint8_t *bytes, size_t size);

/* Close the descriptor. */
static inline int tac_repaired_file(const uint8_t *data, size_t size, tacRepairFn *repair, char path[64]) {
  int file = memfd_create("fuzz", 0);
  uint8_t *repaired = malloc(size + 1);
  if (file < 0 || repaired == NULL) abort();
  if (size > 0) memcpy(repaired, data, size);
  repair(repaired, size);
  if (write(file, repaired, size) != (ssize_t)size) abort();
  free(repaired);
  snprintf(path, 64, "/proc/self/fd/%d", file);
  return file;
}
