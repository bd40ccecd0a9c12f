#include "base/files/set_aside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"

tacStatus tac_set_aside(const char *path, const char *why, tacError *error) {
  static const char ending[] = ".aside";
  size_t size = strlen(path) + sizeof ending;
  TAC_MEMORY(char, aside) = NULL;
  TAC_TRY(TAC_ARRAY(aside, size, "a path", error));
  snprintf(aside, size, "%s%s", path, ending);
  if (rename(path, aside) != 0)
    return tac_error_set(error, TAC_ERR_FILE, "%s: %s, but it cannot be renamed: %s", path, why, strerror(errno));
  tac_log(TAC_LOG_WARNING, "%s: %s; the old file is kept as %s", path, why, aside);
  return TAC_OK;
}
