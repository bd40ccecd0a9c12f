#include "base/memory/physical_memory.h"

#include <stdint.h>
#include <unistd.h>

size_t tac_physical_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0 || (size_t)pages > SIZE_MAX / (size_t)size) return SIZE_MAX;
  return (size_t)pages * (size_t)size;
}
