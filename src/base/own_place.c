#include "base/own_place.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool take_folder(const char *file, char *folder, size_t size) {
  const char *slash = strrchr(file, '/');
  return slash != NULL && snprintf(folder, size, "%.*s", (int)(slash - file), file) < (int)size;
}

bool tac_own_place_program(char *folder, size_t size) {
  char file[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", file, sizeof file - 1);
  if (length <= 0) return false;
  file[length] = '\0';
  return take_folder(file, folder, size);
}

bool tac_own_place_library(char *folder, size_t size) {
  static const char here = 0;
  char file[PATH_MAX];
  Dl_info object;
  if (dladdr(&here, &object) == 0 || object.dli_fname == NULL || strstr(object.dli_fname, ".so") == NULL)
    return tac_own_place_program(folder, size);
  return realpath(object.dli_fname, file) != NULL && take_folder(file, folder, size);
}
