#include "app/cli/scene/scenes_folder.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include "base/own_place.h"

static int is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

const char *tac_scenes_folder(void) {
  static char path[PATH_MAX];
  if (is_folder("scenes")) return "scenes";
  char own[PATH_MAX];
  if (!tac_own_place_program(own, sizeof own)) return "";
  if (snprintf(path, sizeof path, "%s/%s", own, TAC_SCENES_FROM_PROGRAM) >= (int)sizeof path) return "";
  return is_folder(path) ? path : "";
}
