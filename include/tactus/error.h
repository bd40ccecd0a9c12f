/* How offline and load functions report failure.
 *
 * They return a tacStatus and take an optional tacError for the text: what is wrong, where (file, line, field), and what
 * would be right. The text is one line without a final newline. The library never prints and never exits. */
#ifndef TACTUS_ERROR_H
#define TACTUS_ERROR_H

#include <tactus/api.h>

TAC_BEGIN_DECLS

typedef enum tacStatus {
  TAC_OK = 0,
  TAC_ERR_MEMORY,         /* an allocation failed */
  TAC_ERR_FILE,           /* a file could not be opened, read or written */
  TAC_ERR_FORMAT,         /* a file's content is broken */
  TAC_ERR_UNSUPPORTED,    /* a file or request is valid but not something Tactus handles */
  TAC_ERR_VERSION,        /* a file was written by another version */
  TAC_ERR_ARGUMENT,       /* an argument is out of its range */
  TAC_ERR_GEOMETRY,       /* a mesh does not have the property that is needed (closed, not empty, ...) */
  TAC_ERR_SINGULAR,       /* a matrix is singular or not positive definite */
  TAC_ERR_NO_CONVERGENCE, /* an iteration did not converge within its bound */
  TAC_ERR_CANCELLED,      /* the progress callback asked to stop */
  TAC_ERR_CHECK           /* a bake's result did not pass its check (<tactus/bake_check.h>) */
} tacStatus;

#define TAC_ERROR_TEXT_SIZE 512

typedef struct tacError {
  tacStatus status;
  char text[TAC_ERROR_TEXT_SIZE];
} tacError;

/* A short lower-case name such as "memory" or "format"; never NULL. */
TAC_API const char *tac_status_name(tacStatus status);

TAC_END_DECLS

#endif
