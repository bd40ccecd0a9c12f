#include "base/parallel.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>
#include "base/clock.h"

enum { MOST_THREADS = 256 };
static const int64_t report_interval = 100 * 1000 * 1000; /* ns */

typedef struct {
  size_t count, grain, chunk_count;
  tacParallelFn function;
  void *context;
  atomic_size_t next_chunk, items_done;
  atomic_bool cancelled;
  pthread_mutex_t lock; /* guards `working` */
  pthread_cond_t finished;
  int working; /* started threads that are not yet through */
} Work;

typedef struct {
  Work *work;
  int index;
} Worker;

int tac_parallel_core_count(void) {
  cpu_set_t allowed;
  int count =
      sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : count;
}

/* False when no chunk is left. */
static bool do_chunk(Work *work, int thread) {
  if (atomic_load_explicit(&work->cancelled, memory_order_relaxed)) return false;
  size_t chunk = atomic_fetch_add_explicit(&work->next_chunk, 1, memory_order_relaxed);
  if (chunk >= work->chunk_count) return false;
  size_t begin = chunk * work->grain;
  size_t size = work->count - begin < work->grain ? work->count - begin : work->grain;
  work->function(begin, begin + size, thread, work->context);
  atomic_fetch_add_explicit(&work->items_done, size, memory_order_relaxed);
  return true;
}

static void *worker_main(void *argument) {
  Worker *worker = argument;
  Work *work = worker->work;
  pthread_setname_np(pthread_self(), "tac-work");
  while (do_chunk(work, worker->index)) continue;
  pthread_mutex_lock(&work->lock);
  if (--work->working == 0) pthread_cond_signal(&work->finished);
  pthread_mutex_unlock(&work->lock);
  return NULL;
}

typedef struct {
  const tacProgress *progress;
  const char *what;
  int64_t next; /* ns */
} Reporter;

static void report(Reporter *reporter, Work *work, double fraction) {
  const tacProgress *progress = reporter->progress;
  if (progress == NULL || progress->report == NULL) return;
  if (!progress->report(reporter->what, fraction, progress->user)) atomic_store(&work->cancelled, true);
}

static void report_when_due(Reporter *reporter, Work *work) {
  if (reporter->progress == NULL || tac_clock_now() < reporter->next) return;
  size_t done = atomic_load_explicit(&work->items_done, memory_order_relaxed);
  if (done < work->count && !atomic_load(&work->cancelled)) report(reporter, work, (double)done / (double)work->count);
  reporter->next = tac_clock_now() + report_interval;
}

/* Waits for the started threads, and reports meanwhile. */
static void wait_for_workers(Work *work, Reporter *reporter) {
  pthread_mutex_lock(&work->lock);
  while (work->working > 0) {
    struct timespec deadline = tac_clock_timespec(tac_clock_now() + report_interval);
    if (pthread_cond_clockwait(&work->finished, &work->lock, CLOCK_MONOTONIC, &deadline) != ETIMEDOUT) continue;
    pthread_mutex_unlock(&work->lock);
    report_when_due(reporter, work);
    pthread_mutex_lock(&work->lock);
  }
  pthread_mutex_unlock(&work->lock);
}

tacStatus tac_parallel_for(int thread_count, size_t count, size_t grain, tacParallelFn function, void *context,
                           const tacProgress *progress, const char *what, tacError *error) {
  if (thread_count <= 0) thread_count = tac_parallel_core_count();
  if (thread_count > MOST_THREADS) thread_count = MOST_THREADS;
  if (grain == 0) grain = 1;
  Work work = {.count = count,
               .grain = grain,
               .chunk_count = count / grain + (count % grain != 0),
               .function = function,
               .context = context,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .finished = PTHREAD_COND_INITIALIZER};
  if ((size_t)thread_count > work.chunk_count) thread_count = (int)work.chunk_count;

  Reporter reporter = {.progress = progress, .what = what};
  report_when_due(&reporter, &work); /* so that work that is already cancelled does not start */

  pthread_t threads[MOST_THREADS];
  Worker workers[MOST_THREADS];
  int started = 0;
  for (int i = 1; i < thread_count; ++i) {
    workers[started] = (Worker){.work = &work, .index = i};
    pthread_mutex_lock(&work.lock);
    ++work.working;
    pthread_mutex_unlock(&work.lock);
    if (pthread_create(&threads[started], NULL, worker_main, &workers[started]) == 0) {
      ++started;
    } else {
      pthread_mutex_lock(&work.lock);
      --work.working;
      pthread_mutex_unlock(&work.lock);
      break;
    }
  }
  while (do_chunk(&work, 0)) report_when_due(&reporter, &work);
  wait_for_workers(&work, &reporter);
  for (int i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&work.lock);
  pthread_cond_destroy(&work.finished);

  if (!atomic_load(&work.cancelled)) report(&reporter, &work, 1.0);
  if (atomic_load(&work.cancelled)) return tac_error_set(error, TAC_ERR_CANCELLED, "%s: cancelled", what);
  return TAC_OK;
}
