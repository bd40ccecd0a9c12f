/* Offline work on several threads. One pool of threads serves the process; a tick never uses it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/base.h>
#include "base/error.h"

enum { TAC_PARALLEL_MOST = 256 };

/* Processes items [begin, end); `thread` is in [0, thread_count). */
typedef void (*tacParallelFn)(size_t begin, size_t end, int thread, void *context);

/* Number of threads for offline work, at least 1: what tac_parallel_set_threads says, else the environment variable
 * TACTUS_THREADS, else the cores that the affinity of the calling thread and the CPU quota of the control group allow. */
int tac_parallel_core_count(void);
/* For the program's `--threads`; 0: the default again. Not while offline work runs. */
void tac_parallel_set_threads(int count);
/* TAC_ERR_ARGUMENT where TACTUS_THREADS is set, but not to a whole number from 1 to TAC_PARALLEL_MOST. */
tacStatus tac_parallel_check_environment(tacError *error);

/* Calls `function` for chunks of at most `grain` items until all `count` are done. The calling thread works too and calls
 * `progress` (may be NULL) a few times a second with `what`. `thread_count` 0 means tac_parallel_core_count. Threads of the
 * pool join while chunks remain; the caller never waits for one that has not begun a chunk, so that work ends at the speed
 * of the caller alone where other threads or processes hold the cores. `function` may call tac_parallel_for itself; a
 * caller that waits for other threads helps in such calls of theirs.
 * Returns TAC_OK, TAC_ERR_CANCELLED, or TAC_ERR_ARGUMENT for a wrong TACTUS_THREADS; results must not depend on which
 * thread does which chunk. */
tacStatus tac_parallel_for(int thread_count, size_t count, size_t grain, tacParallelFn function, void *context,
                           const tacProgress *progress, const char *what, tacError *error);

/* The same on tac_parallel_core_count threads, without progress: it always does all of the work. */
void tac_parallel_do(size_t count, size_t grain, tacParallelFn function, void *context);

/* The same, by the calling thread alone where it is not worth waking others. */
static inline void tac_parallel_do_if(bool worth, size_t count, size_t grain, tacParallelFn function, void *context) {
  if (worth)
    tac_parallel_do(count, grain, function, context);
  else if (count > 0)
    function(0, count, 0, context);
}

/* Ends the threads of the pool that have nothing to do, as they do by themselves after a second: before memory is
 * locked, which would make their stacks resident. Later work starts them again. */
void tac_parallel_end_threads(void);

/* Processor time of chunks since the process started, of calls that are not nested: what remains of the process's time is
 * serial work. */
typedef struct tacParallelTimes {
  int64_t calls;
  int64_t busy;      /* ns, of all chunks */
  int64_t threads16; /* ns, that calls take at least with 16 threads: the longest chunk or a 16th of `busy` */
} tacParallelTimes;
tacParallelTimes tac_parallel_times(void);
