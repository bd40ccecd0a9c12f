/* Types and functions that every part of Tactus shares: vectors and grids, errors, the log, progress reports, bake
 * checks, permission to load plugins, and struct layouts for language bindings.
 *
 * Example:
 *
 *     void print_log(tacLogLevel level, const char *text, void *user);  // defined by the program
 *     bool allow_plugin(const char *path, const char *checksum, tacError *error, void *user);  // the same
 *     tac_log_set(print_log, NULL);
 *     tac_plugin_set(allow_plugin, NULL);
 *     int count;
 *     const tacLayout *layouts = tac_layouts(&count);
 *     for (int i = 0; i < count; ++i)
 *       if (layouts[i].size == 0) return TAC_ERR_VERSION;
 *
 * Units: SI everywhere in Tactus: m, kg, s, N, Pa, J, rad. A comment states every exception.
 *
 * Phases: each function belongs to one or more of three phases.
 * - Offline: bakes and checks, which may take long. Functions may allocate and use several threads.
 * - Load: reading files, and creating or destroying objects. Functions may allocate and block.
 * - Tick: the 1 kHz loop. Functions do not allocate, lock, wait or do input and output, and take a bounded time.
 *
 * Threads: call the two setters in this header before other threads use the library. tac_layouts may be called from any
 * thread.
 *
 * Ownership: a function that creates an object stores it in a pointer argument. The caller frees it with the matching
 * destroy function. Destroy and close functions accept NULL.
 *
 * Pointers: an argument may be NULL only if its comment allows it or if it is an empty array. `error`, `progress`
 * and the `user` pointer of a callback may always be NULL. A function returning tacStatus refuses any other NULL with
 * TAC_ERR_ARGUMENT and a text that names the parameter. Every other function then does nothing and returns what it
 * returns if there is no such object: NULL, false, 0 or a zeroed struct, unless its comment names another value. This
 * covers arguments, not the pointers inside structs. */
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

/* ---- vectors, boxes and grids ---- */

/* A vector or point in three dimensions, in metres unless stated otherwise. */
typedef struct tacVec3 {
  double x, y, z;
} tacVec3;

/* An axis-aligned box. It is empty if a lower bound exceeds the upper bound of the same axis. */
typedef struct tacBox {
  tacVec3 lower, upper; /* m, corners with the smallest and the largest coordinates */
} tacBox;

/* Samples of a scalar function at the nodes of a regular grid.
 *
 * Node (i, j, k) lies at origin + spacing (i, j, k). Its value is values[(k * ny + j) * nx + i]. */
typedef struct tacGrid {
  int nx, ny, nz; /* number of nodes along each axis, at least 2 */
  tacVec3 origin; /* m, position of node (0, 0, 0) */
  double spacing; /* m, distance between neighbouring nodes, the same along each axis */
  float *values;  /* [nx ny nz] */
} tacGrid;

/* ---- errors ---- */

/* Result of every load and offline function that can fail.
 *
 * Such a function also takes an optional tacError for the text; NULL omits the text. The library never prints and never
 * exits. */
typedef enum tacStatus {
  TAC_OK = 0,             /* success */
  TAC_ERR_MEMORY,         /* memory allocation failed */
  TAC_ERR_FILE,           /* a file cannot be opened, read or written */
  TAC_ERR_FORMAT,         /* the content of a file is malformed */
  TAC_ERR_UNSUPPORTED,    /* a file or request is valid but Tactus does not support it */
  TAC_ERR_VERSION,        /* a file or plugin was made for another version */
  TAC_ERR_ARGUMENT,       /* an argument is out of range */
  TAC_ERR_GEOMETRY,       /* a mesh lacks a required property, for example it is not closed or is empty */
  TAC_ERR_SINGULAR,       /* a matrix is singular or not positive definite */
  TAC_ERR_NO_CONVERGENCE, /* an iteration did not converge within its limit */
  TAC_ERR_CANCELLED,      /* the progress callback asked to stop */
  TAC_ERR_CHECK           /* the result of a bake failed a check, see tacBakeChecks */
} tacStatus;

#define TAC_ERROR_TEXT_SIZE 512 /* bytes of tacError.text, including the final zero */

/* Description of a failure. Functions fill it only if they fail. */
typedef struct tacError {
  tacStatus status; /* the returned status */
  /* One line without a final newline: what is wrong, where (file, line, field), and what would be right. */
  char text[TAC_ERROR_TEXT_SIZE];
} tacError;

/* ---- log ---- */

/* Severity of a log message. Messages never affect correctness; a problem that does is an error. */
typedef enum tacLogLevel { TAC_LOG_INFO, TAC_LOG_WARNING } tacLogLevel;

/* Receives one log message. `text` is one line without a final newline and is valid only during the call. `user` is the
 * pointer given to tac_log_set. Called from any thread, by one thread at a time. */
typedef void (*tacLogFn)(tacLogLevel level, const char *text, void *user);

/* Sets the receiver of log messages for the whole process. NULL, the default, discards them. The library passes `user`
 * to each call of `receiver`. Call this before other threads use the library. */
TAC_API void tac_log_set(tacLogFn receiver, void *user);

/* ---- progress and cancellation ---- */

/* Receives the progress of a long function, a few times a second, on the thread that called the function.
 *
 * `what` names the current work, for example "distance field". `fraction` is the completed part, 0 to 1; it never falls
 * while `what` stays the same. Return true to continue. Return false to cancel: the long function then returns
 * TAC_ERR_CANCELLED and leaves no result. */
typedef bool (*tacProgressFn)(const char *what, double fraction, void *user);

/* Progress callback of a long function. Such functions take a `const tacProgress *`, which may be NULL. */
typedef struct tacProgress {
  tacProgressFn report; /* the callback */
  void *user;           /* passed to `report` */
} tacProgress;

/* ---- checks of bakes ---- */

enum {
  TAC_BAKE_CHECK_TEXT = 96, /* bytes of tacBakeCheck.what, including the final zero */
  TAC_BAKE_MOST_CHECKS = 8  /* checks of one asset */
};

/* One comparison between the result of a bake and the problem that it solves.
 *
 * Every bake ends with such checks. They recompute the compared values by another method than the bake, with plain
 * loops on one thread. If a check fails, the bake returns TAC_ERR_CHECK and leaves no result. */
typedef struct tacBakeCheck {
  char what[TAC_BAKE_CHECK_TEXT]; /* what is compared, and the unit, for example "forces with U^T f(U q)" */
  int samples;                    /* number of comparisons */
  double worst, allowed;          /* errors, relative unless `what` states a unit; passed if worst <= allowed */
} tacBakeCheck;

/* All checks of an asset. They are stored in the asset and in its file. A file with missing or failed checks is
 * refused.
 *
 * `count` is 0 for an asset that was not baked, for example a field made from the caller's own samples. */
typedef struct tacBakeChecks {
  int count;                                 /* number of checks */
  tacBakeCheck checks[TAC_BAKE_MOST_CHECKS]; /* the first `count` are valid */
} tacBakeChecks;

/* ---- permission to load plugins ---- */

/* Decides whether the shared object `path` may be loaded; false refuses it.
 *
 * Scenes can name three kinds of plugins: device drivers (<tactus/device.h>), vendor libraries in the option `library` of
 * the drivers of Tactus, and body kinds (<tactus/body_kind.h>). Their code runs inside the host process with all its
 * permissions, so a program that reads scenes from others must decide here. `checksum` is the SHA-256 of the file as 64
 * hexadecimal digits. The library loads exactly the bytes that have this checksum, even if the file changes during the
 * call. A refusal may write its reason to `error->text`; the error of the refused call contains it. `user` is the
 * pointer given to tac_plugin_set.
 *
 * The library calls this on the loading thread, before any code of the plugin runs, by one thread at a time, and once
 * for each checksum that it loads. The callback must not call the library. */
typedef bool (*tacPluginFn)(const char *path, const char *checksum, tacError *error, void *user);

/* Sets the plugin decision for the whole process. NULL, the default, refuses every file. Only drivers in the folders of
 * tac_device_drivers need no permission, if nobody but root and the user of the process can write to the file, its
 * folder and the folders above. The library writes the path of each plugin to the log before it loads the plugin. A
 * refused plugin gives TAC_ERR_UNSUPPORTED. Call this before other threads use the library. */
TAC_API void tac_plugin_set(tacPluginFn allow, void *user);

/* ---- struct layouts for bindings ---- */

/* Size and position of a public struct or of one of its fields.
 *
 * A language binding compares these values at import with those that it took from the headers. So it can report a
 * mismatch with the loaded library before the mismatch causes damage. */
typedef struct tacLayout {
  const char *type;    /* struct, for example "tacToolInput" */
  const char *field;   /* field, for example "grab"; "" for the struct itself */
  size_t size, offset; /* bytes; `offset` is from the start of the struct */
} tacLayout;

/* Returns the layouts of all public structs and stores their number in `count`. Each struct is listed first, then its
 * fields in order. The array is static. Any phase, any thread. */
TAC_API const tacLayout *tac_layouts(int *count);

TAC_END_DECLS

#endif
