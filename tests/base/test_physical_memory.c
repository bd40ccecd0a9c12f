#include "base/memory/physical_memory.h"

#include <stdint.h>
#include <stdio.h>
#include "test.h"

/* The kernel's own figure. */
TAC_TEST(memory_size_matches_the_system) {
  FILE *file = fopen("/proc/meminfo", "r");
  unsigned long long kilobytes = 0;
  if (file == NULL || fscanf(file, "MemTotal: %llu kB", &kilobytes) != 1) kilobytes = 0;
  if (file != NULL) fclose(file);
  ck_assert(tac_physical_memory() > 1 << 20);
  if (kilobytes > 0 && tac_physical_memory() != SIZE_MAX)
    ck_assert_double_eq_tol((double)tac_physical_memory() / (1024.0 * (double)kilobytes), 1.0, 0.05);
}
