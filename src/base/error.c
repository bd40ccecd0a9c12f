#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *tac_status_name(tacStatus status) {
  switch (status) {
    case TAC_OK: return "ok";
    case TAC_ERR_MEMORY: return "memory";
    case TAC_ERR_FILE: return "file";
    case TAC_ERR_FORMAT: return "format";
    case TAC_ERR_UNSUPPORTED: return "unsupported";
    case TAC_ERR_VERSION: return "version";
    case TAC_ERR_ARGUMENT: return "argument";
    case TAC_ERR_GEOMETRY: return "geometry";
    case TAC_ERR_SINGULAR: return "singular";
    case TAC_ERR_NO_CONVERGENCE: return "no convergence";
    case TAC_ERR_CANCELLED: return "cancelled";
    case TAC_ERR_CHECK: return "check";
  }
  return "unknown";
}

tacStatus tac_error_set(tacError *error, tacStatus status, const char *format, ...) {
  if (error != NULL) {
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return status;
}

tacStatus tac_error_memory(tacError *error, size_t bytes, const char *what) {
  return tac_error_set(error, TAC_ERR_MEMORY, "out of memory (%.1f MiB for %s)", (double)bytes / (1024.0 * 1024.0),
                       what);
}

tacStatus tac_error_null(tacError *error, const char *function, const char *names, const void *const *pointers) {
  for (;; ++pointers) {
    size_t length = strcspn(names, ",");
    if (*pointers == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: `%.*s` is NULL", function, (int)length, names);
    if (names[length] == '\0') return TAC_OK;
    names += length + 2;
  }
}
