/* Setting errors: the internal side of <tactus/base.h>. */
#pragma once

#include <stddef.h>
#include <tactus/base.h>

/* A short lower-case name such as "memory" or "format"; never NULL. */
const char *tac_status_name(tacStatus status);

/* Fills `error` (which may be NULL) and returns `status`, so that a failure is one statement:
 *   return tac_error_set(error, TAC_ERR_FORMAT, "%s:%d: ...", path, line); */
tacStatus tac_error_set(tacError *error, tacStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "out of memory (12.0 MiB for triangles)" */
tacStatus tac_error_memory(tacError *error, size_t bytes, const char *what);

/* Returns from the calling function with the status of a call that failed. */
#define TAC_TRY(call)                              \
  do {                                             \
    tacStatus try_status_ = (call);                \
    if (try_status_ != TAC_OK) return try_status_; \
  } while (0)
