/* What every part of Tactus shares: vectors, grids, errors, the log, progress, checks of bakes, plugins. */
#ifndef TACTUS_BASE_H
#define TACTUS_BASE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
#define TAC_BEGIN_DECLS extern "C" {
#define TAC_END_DECLS }
#else
#define TAC_BEGIN_DECLS
#define TAC_END_DECLS
#endif

#define TAC_API __attribute__((visibility("default")))

TAC_BEGIN_DECLS

/* A vector or point in three dimensions, in metres unless said otherwise. */

typedef struct tacVec3 {
  double x, y, z;
} tacVec3;

/* An axis-aligned box; empty where a lower bound exceeds the upper one. */
typedef struct tacBox {
  tacVec3 lower, upper;
} tacBox;

/* Samples of a scalar function on a regular grid of nodes. */

/* The value at node (i, j, k), which lies at origin + spacing (i, j, k), is values[(k * ny + j) * nx + i]. */
typedef struct tacGrid {
  int nx, ny, nz; /* nodes along each axis, at least 2 */
  tacVec3 origin;
  double spacing; /* metres, the same along each axis */
  float *values;
} tacGrid;

/* How offline and load functions report failure.
 *
 * They return a tacStatus and take an optional tacError for the text: what is wrong, where (file, line, field), and what
 * would be right. The text is one line without a final newline. The library never prints and never exits. */

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
  TAC_ERR_CHECK           /* a bake's result did not pass its check (tacBakeChecks) */
} tacStatus;

#define TAC_ERROR_TEXT_SIZE 512

typedef struct tacError {
  tacStatus status;
  char text[TAC_ERROR_TEXT_SIZE];
} tacError;

/* Where the library's remarks go. It has none that matter for correctness: those are errors. */

typedef enum tacLogLevel { TAC_LOG_INFO, TAC_LOG_WARNING } tacLogLevel;

/* `text` is one line without a final newline, valid during the call only. Called from any thread, one at a time. */
typedef void (*tacLogFn)(tacLogLevel level, const char *text, void *user);

/* Sets the process-wide receiver; NULL (the default) discards. Call it before other threads use the library. */
TAC_API void tac_log_set(tacLogFn receiver, void *user);

/* Progress of long offline work, and its cancellation. */

/* Called on the thread that called the long function, a few times a second, with what is being done ("distance field")
 * and the fraction done in [0, 1]; `fraction` never falls while `what` stays the same. Return false to cancel: the long
 * function then returns TAC_ERR_CANCELLED and leaves nothing behind. */
typedef bool (*tacProgressFn)(const char *what, double fraction, void *user);

/* Long functions take a `const tacProgress *` that may be NULL. */
typedef struct tacProgress {
  tacProgressFn report;
  void *user;
} tacProgress;

/* What a bake was compared with when it ended.
 *
 * Every bake ends in checks of its result against the problem that it solves, worked out anew by plain loops on one
 * thread, by another way than the result itself. A bake whose check fails is TAC_ERR_CHECK and leaves nothing. Checks
 * stay in the asset and in its file; a file whose checks are missing or bad is refused. */

enum { TAC_BAKE_CHECK_TEXT = 96, TAC_BAKE_MOST_CHECKS = 8 };

typedef struct tacBakeCheck {
  char what[TAC_BAKE_CHECK_TEXT]; /* what was compared with what, and in which unit: "forces with U^T f(U q)" */
  int samples;                    /* comparisons */
  double worst, allowed;          /* errors, relative unless `what` says otherwise; good where worst <= allowed */
} tacBakeCheck;

/* None for an asset that was not baked, such as a field from a caller's own samples. */
typedef struct tacBakeChecks {
  int count;
  tacBakeCheck checks[TAC_BAKE_MOST_CHECKS];
} tacBakeChecks;

/* Code that scenes load from files: drivers of devices (<tactus/device.h>) and kinds of bodies (<tactus/body_kind.h>).
 *
 * It runs as part of the host, with all that the host may do. Whoever reads scenes of others decides here. */

/* Asked before any code of the shared object `path` runs, from the thread that loads it; false refuses the file. Must not
 * call the library. */
typedef bool (*tacPluginFn)(const char *path, void *user);

/* Sets who is asked, for the process; NULL (the default) allows every file. Each that is loaded is named in the log first
 * (tac_log_set). Call it before other threads use the library. */
TAC_API void tac_plugin_set(tacPluginFn allow, void *user);

/* How large the public structs are and where their fields lie, for bindings of other languages: what they took from headers
 * is compared with the library that runs, and a difference is told in words before it can harm. */

typedef struct tacLayout {
  const char *type;    /* "tacToolInput" */
  const char *field;   /* "grab"; "": the struct itself */
  size_t size, offset; /* bytes */
} tacLayout;

/* Of every public struct first itself, then its fields in their order. Any phase and thread. */
TAC_API const tacLayout *tac_layouts(int *count); /* [count] */

TAC_END_DECLS

#endif
