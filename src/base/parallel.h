/* Offline work on several threads. */
#ifndef TAC_BASE_PARALLEL_H
#define TAC_BASE_PARALLEL_H

#include <stddef.h>
#include <tactus/progress.h>
#include "base/error.h"

/* Processes items [begin, end); `thread` is in [0, thread_count). */
typedef void (*tacParallelFn)(size_t begin, size_t end, int thread, void *context);

/* Number of cores that this process may use, at least 1. */
int tac_parallel_core_count(void);

/* Calls `function` for chunks of at most `grain` items until all `count` are done. The calling thread works too and calls
 * `progress` (may be NULL) a few times a second with `what`. `thread_count` 0 means one for each core. Where a thread
 * cannot be started the others do its work. Returns TAC_OK or TAC_ERR_CANCELLED; results must not depend on which thread
 * does which chunk. */
tacStatus tac_parallel_for(int thread_count, size_t count, size_t grain, tacParallelFn function, void *context,
                           const tacProgress *progress, const char *what, tacError *error);

#endif
