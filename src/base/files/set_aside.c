#include "base/files/set_aside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory/array.h"

tacStatus tac_set_aside(const char *path, const char *why, tacError *error) {
  static const char ending[] = ".aside";
  size_t size = strlen(path) + sizeof ending;
  char *aside = tac_array_create(size, 1, "a path", error);
  if (aside == NULL) return TAC_ERR_MEMORY;
  snprintf(aside, size, "%s%s", path, ending);
  tacStatus status = TAC_OK;
  if (rename(path, aside) != 0)
    status = tac_error_set(error, TAC_ERR_FILE, "%s: %s, and cannot be renamed: %s", path, why, strerror(errno));
  else
    tac_log(TAC_LOG_WARNING, "%s: %s; set aside as %s", path, why, aside);
  free(aside);
  return status;
}
