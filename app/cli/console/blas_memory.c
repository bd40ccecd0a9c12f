/* Ends the program with an error if OpenBLAS finds no memory.
 *
 * OpenBLAS requests a work buffer with mmap. If mmap fails, OpenBLAS repeats the call without end, in a bake or in a
 * separate thread that the exit of the program waits for. OpenBLAS cannot report the failure. So this file replaces mmap
 * for the whole program. */
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "app/cli/console/console.h"

static bool is_openblas(const void *caller) {
  Dl_info info;
  return dladdr(caller, &info) != 0 && info.dli_fname != NULL && strstr(info.dli_fname, "openblas") != NULL;
}

__attribute__((visibility("default"))) void *mmap(void *address, size_t size, int protection, int flags, int file,
                                                  off_t offset) {
  static const char text[] = "tactus: out of memory (OpenBLAS needs a work buffer); raise the limit of virtual memory, "
                             "`ulimit -v`\n";
  long result = syscall(SYS_mmap, address, size, protection, flags, file, offset);
  if (result == -1 && is_openblas(__builtin_return_address(0))) {
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(TAC_EXIT_FAILED);
    _exit(TAC_EXIT_FAILED); /* other threads may be anywhere, also before main */
  }
  return (void *)result;
}
