#include "app/cli/scenes_folder.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

const char *tac_scenes_folder(void) {
  static char path[PATH_MAX];
  if (is_folder("scenes")) return "scenes";
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return "";
  path[length] = 0;
  char *name = strrchr(path, '/') + 1;
  size_t room = sizeof path - (size_t)(name - path);
  if ((size_t)snprintf(name, room, "%s", TAC_SCENES_FROM_PROGRAM) >= room) return "";
  return is_folder(path) ? path : "";
}
