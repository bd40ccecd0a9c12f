#include "base/memory/large_pages.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#define LARGE ((uintptr_t)2 << 20)

void tac_large_pages(void *memory, size_t size) {
#ifdef MADV_HUGEPAGE
  uintptr_t from = ((uintptr_t)memory + LARGE - 1) / LARGE * LARGE, to = ((uintptr_t)memory + size) / LARGE * LARGE;
  if (from >= to) return;
  int before = errno;
  madvise((void *)from, to - from, MADV_HUGEPAGE); /* a hint; nothing depends on its result */
  errno = before;
#else
  (void)memory;
  (void)size;
#endif
}
