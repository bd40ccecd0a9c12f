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

/* Returns TAC_ERR_ARGUMENT for the first of the pointers that is NULL: "tac_scene_read: `path` is NULL". `names` has
 * the name of each, separated by ", ". */
tacStatus tac_error_null(tacError *error, const char *function, const char *names, const void *const *pointers);

/* Returns from a public function if one of its pointer arguments is NULL: TAC_REQUIRE(error, path, scene). */
#define TAC_REQUIRE(error, ...) \
  TAC_TRY(tac_error_null(error, __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__}))
