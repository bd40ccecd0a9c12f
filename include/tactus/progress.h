/* Progress of long offline work, and its cancellation. */
#ifndef TACTUS_PROGRESS_H
#define TACTUS_PROGRESS_H

#include <stdbool.h>
#include <tactus/api.h>

TAC_BEGIN_DECLS

/* Called on the thread that called the long function, a few times a second, with what is being done ("distance field")
 * and the fraction done in [0, 1]; `fraction` never falls while `what` stays the same. Return false to cancel: the long
 * function then returns TAC_ERR_CANCELLED and leaves nothing behind. */
typedef bool (*tacProgressFn)(const char *what, double fraction, void *user);

/* Long functions take a `const tacProgress *` that may be NULL. */
typedef struct tacProgress {
  tacProgressFn report;
  void *user;
} tacProgress;

TAC_END_DECLS

#endif
