#include "base/threads/parallel.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/clock.h"

static const int64_t report_interval = 100 * 1000 * 1000; /* ns */
static const int64_t idle_time = 1000 * 1000 * 1000;      /* ns, after which a thread of the pool ends */

/* ---- how many threads ---- */

static const char variable[] = "TACTUS_THREADS";
static atomic_int wanted_threads; /* 0: not set */

/* 0 where the variable is not set, -1 where it is wrong. */
static int threads_of_environment(void) {
  const char *text = getenv(variable);
  if (text == NULL || *text == '\0') return 0;
  char *end;
  errno = 0;
  long count = strtol(text, &end, 10);
  return errno == 0 && *end == '\0' && count >= 1 && count <= TAC_PARALLEL_MOST ? (int)count : -1;
}

tacStatus tac_parallel_check_environment(tacError *error) {
  if (threads_of_environment() >= 0) return TAC_OK;
  return tac_error_set(
      error, TAC_ERR_ARGUMENT,
      "%s is '%s'; set it to a whole number of threads from 1 to %d, or unset it for one thread per core", variable,
      getenv(variable), TAC_PARALLEL_MOST);
}

/* Cores of the quota in FOLDER/cpu.max ("max 100000" or "150000 100000"), rounded up; `most` without one. */
static int read_quota(const char *folder, int most) {
  char path[4200];
  snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", folder);
  FILE *file = fopen(path, "re");
  if (file == NULL) return most;
  double quota, period;
  bool limited = fscanf(file, "%lf %lf", &quota, &period) == 2 && quota > 0.0 && period > 0.0;
  fclose(file);
  double cores = limited ? (quota + period - 1.0) / period : most;
  return cores < 1.0 ? 1 : cores < most ? (int)cores : most;
}

static int quota_cores = TAC_PARALLEL_MOST;

/* The smallest quota of the control group (version 2) and of those around it. */
static void find_quota(void) {
  char line[4096];
  FILE *file = fopen("/proc/self/cgroup", "re");
  if (file == NULL) return;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "0::/", 4) != 0) continue;
    char *group = line + 3;
    group[strcspn(group, "\n")] = '\0';
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
      *end = '\0';
      quota_cores = read_quota(group, quota_cores);
    }
  }
  fclose(file);
}

int tac_parallel_core_count(void) {
  int count = atomic_load_explicit(&wanted_threads, memory_order_relaxed);
  if (count > 0) return count;
  count = threads_of_environment();
  if (count > 0) return count;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_quota);
  cpu_set_t allowed;
  count =
      sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  if (count > quota_cores) count = quota_cores;
  return count < 1 ? 1 : count;
}

void tac_parallel_set_threads(int count) {
  if (count > TAC_PARALLEL_MOST) count = TAC_PARALLEL_MOST;
  atomic_store(&wanted_threads, count > 0 ? count : 0);
}

/* ---- the work of one call ---- */

typedef struct Work {
  size_t count, grain, chunk_count;
  tacParallelFn function;
  void *context;
  atomic_size_t next_chunk, items_done;
  atomic_bool cancelled;
  _Atomic int64_t busy, longest; /* ns, of chunks */
  /* Guarded by the pool's lock: */
  int helpers;             /* threads of the pool that may join */
  int joined, working;     /* those that have joined, and of them those that have not left */
  bool caller_waits;       /* for them, and helps in work that they open meanwhile */
  pthread_cond_t finished; /* the last has left, or there is such work */
  struct Work *next;       /* that is open */
  struct Work *around;     /* in whose chunk this work was opened; NULL: in none */
} Work;

static _Thread_local int64_t shared_time; /* ns of this chunk that nested calls could leave to 15 other threads */
static _Thread_local int depth;           /* of calls around this one; in the pool's threads at least 1 */
static _Thread_local Work *current;       /* of whose chunks this thread does one */

static bool claim_chunk(Work *work, size_t *chunk) {
  if (atomic_load_explicit(&work->cancelled, memory_order_relaxed)) return false;
  *chunk = atomic_fetch_add_explicit(&work->next_chunk, 1, memory_order_relaxed);
  return *chunk < work->chunk_count;
}

/* Of the calling thread, in ns. */
static int64_t processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void do_chunk(Work *work, size_t chunk, int thread) {
  size_t begin = chunk * work->grain;
  size_t size = work->count - begin < work->grain ? work->count - begin : work->grain;
  int64_t start = processor_time(), outer = shared_time;
  Work *around = current;
  shared_time = 0;
  current = work;
  work->function(begin, begin + size, thread, work->context);
  current = around;
  int64_t time = processor_time() - start, longest = atomic_load_explicit(&work->longest, memory_order_relaxed);
  atomic_fetch_add_explicit(&work->busy, time, memory_order_relaxed);
  time -= shared_time;
  shared_time = outer;
  while (time > longest && !atomic_compare_exchange_weak(&work->longest, &longest, time)) continue;
  atomic_fetch_add_explicit(&work->items_done, size, memory_order_relaxed);
}

/* ---- the pool ---- */

typedef struct Pool {
  pthread_mutex_t lock;
  pthread_cond_t opened; /* there is work */
  pthread_cond_t left;   /* a thread has ended */
  Work *open;            /* work with chunks that nobody has begun, the newest first */
  int started, idle;     /* threads */
  bool ends;             /* those that are idle end now */
} Pool;

#define EMPTY_POOL \
  { .lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER, .left = PTHREAD_COND_INITIALIZER }
static Pool pool = EMPTY_POOL;

/* Wakes two threads at most, for `left` chunks: each of them wakes two more when it joins. */
static void call_helpers(const Work *work, size_t left) {
  int room = work->helpers - work->joined;
  for (int i = 0; i < 2 && i < room && (size_t)i < left; ++i) pthread_cond_signal(&pool.opened);
}

static size_t chunks_left(Work *work) {
  size_t begun = atomic_load_explicit(&work->next_chunk, memory_order_relaxed);
  return begun < work->chunk_count ? work->chunk_count - begun : 0;
}

static bool is_within(const Work *work, const Work *outer) {
  while (work != NULL && work != outer) work = work->around;
  return work == outer;
}

/* The first open work, within `outer` or any (NULL), that has a chunk for one more thread, and that chunk; NULL without. */
static Work *join_work(const Work *outer, size_t *chunk) {
  for (Work *work = pool.open; work != NULL; work = work->next)
    if (work->joined < work->helpers && is_within(work, outer) && claim_chunk(work, chunk)) return work;
  return NULL;
}

/* Does this chunk and what others are left. The lock is held before and after it. */
static void help(Work *work, size_t chunk) {
  int thread = ++work->joined;
  ++work->working;
  call_helpers(work, chunks_left(work));
  pthread_mutex_unlock(&pool.lock);
  do do_chunk(work, chunk, thread);
  while (claim_chunk(work, &chunk));
  pthread_mutex_lock(&pool.lock);
  if (--work->working == 0) pthread_cond_signal(&work->finished);
}

static void *pool_main(void *unused) {
  (void)unused;
  pthread_setname_np(pthread_self(), "tac-work");
  depth = 1;
  pthread_mutex_lock(&pool.lock);
  for (bool waited = false; !pool.ends;) {
    size_t chunk;
    Work *work = join_work(NULL, &chunk);
    if (work == NULL) {
      if (waited) break;
      struct timespec deadline = tac_clock_timespec(tac_clock_now() + idle_time);
      ++pool.idle;
      waited = pthread_cond_clockwait(&pool.opened, &pool.lock, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT;
      --pool.idle;
      continue;
    }
    waited = false;
    help(work, chunk);
  }
  --pool.started;
  pthread_cond_broadcast(&pool.left);
  pthread_mutex_unlock(&pool.lock);
  return NULL;
}

/* A child has the pool's memory, but none of its threads. */
static void before_fork(void) {
  pthread_mutex_lock(&pool.lock);
}

static void after_fork(void) {
  pthread_mutex_unlock(&pool.lock);
}

static void clear_threads(void) {
  pool = (Pool)EMPTY_POOL;
}

static void watch_forks(void) {
  pthread_atfork(before_fork, after_fork, clear_threads);
}

/* Threads until there are `count`. They take no signals, and have no real-time priority even if the caller has. Where one
 * cannot be started the others do its work. */
static void start_threads(int count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_mutex_lock(&pool.lock);
  pthread_t thread;
  while (pool.started < count && pthread_create(&thread, &attributes, pool_main, NULL) == 0) ++pool.started;
  pthread_mutex_unlock(&pool.lock);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

void tac_parallel_end_threads(void) {
  pthread_mutex_lock(&pool.lock);
  pool.ends = true;
  pthread_cond_broadcast(&pool.opened);
  while (pool.idle > 0) pthread_cond_wait(&pool.left, &pool.lock);
  pool.ends = false;
  pthread_mutex_unlock(&pool.lock);
}

static void open_work(Work *work) {
  pthread_mutex_lock(&pool.lock);
  bool too_few = pool.started < work->helpers;
  pthread_mutex_unlock(&pool.lock);
  if (too_few) start_threads(work->helpers);
  pthread_mutex_lock(&pool.lock);
  work->next = pool.open;
  pool.open = work;
  call_helpers(work, work->chunk_count - 1);
  for (Work *outer = work->around; outer != NULL; outer = outer->around)
    if (outer->caller_waits) pthread_cond_signal(&outer->finished);
  pthread_mutex_unlock(&pool.lock);
}

/* ---- a call ---- */

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

/* Closes the work and waits for the threads that are in it; helps in work that they open, and reports meanwhile. */
static void close_work(Work *work, Reporter *reporter) {
  pthread_mutex_lock(&pool.lock);
  Work **place = &pool.open;
  while (*place != work) place = &(*place)->next;
  *place = work->next;
  work->caller_waits = true;
  while (work->working > 0) {
    struct timespec deadline = tac_clock_timespec(tac_clock_now() + report_interval);
    size_t chunk;
    Work *inner = join_work(work, &chunk);
    if (inner != NULL)
      help(inner, chunk);
    else if (pthread_cond_clockwait(&work->finished, &pool.lock, CLOCK_MONOTONIC, &deadline) != ETIMEDOUT)
      continue;
    pthread_mutex_unlock(&pool.lock);
    report_when_due(reporter, work);
    pthread_mutex_lock(&pool.lock);
  }
  pthread_mutex_unlock(&pool.lock);
}

static struct { _Atomic int64_t calls, busy, threads16; } times;

static void add(_Atomic int64_t *sum, int64_t term) {
  atomic_fetch_add_explicit(sum, term, memory_order_relaxed);
}

static void add_times(const Work *work, bool spread) {
  int64_t busy = atomic_load(&work->busy), longest = atomic_load(&work->longest);
  int64_t threads16 = !spread ? busy : longest > busy / 16 ? longest : busy / 16;
  if (depth > 0) {
    shared_time += busy - threads16;
    return;
  }
  add(&times.calls, 1);
  add(&times.busy, busy);
  add(&times.threads16, threads16);
}

tacParallelTimes tac_parallel_times(void) {
  return (tacParallelTimes){
      .calls = atomic_load(&times.calls), .busy = atomic_load(&times.busy), .threads16 = atomic_load(&times.threads16)};
}

tacStatus tac_parallel_for(int thread_count, size_t count, size_t grain, tacParallelFn function, void *context,
                           const tacProgress *progress, const char *what, tacError *error) {
  tacStatus status = tac_parallel_check_environment(error);
  if (status != TAC_OK) return status;
  bool spread = thread_count <= 0 || thread_count >= tac_parallel_core_count();
  if (thread_count <= 0) thread_count = tac_parallel_core_count();
  if (thread_count > TAC_PARALLEL_MOST) thread_count = TAC_PARALLEL_MOST;
  if (grain == 0) grain = 1;
  Work work = {.count = count,
               .grain = grain,
               .chunk_count = count / grain + (count % grain != 0),
               .function = function,
               .context = context,
               .finished = PTHREAD_COND_INITIALIZER,
               .around = current};
  if ((size_t)thread_count > work.chunk_count) thread_count = (int)work.chunk_count;
  work.helpers = thread_count - 1;

  Reporter reporter = {.progress = progress, .what = what};
  report_when_due(&reporter, &work); /* so that work that is already cancelled does not start */

  ++depth;
  if (work.helpers > 0) open_work(&work);
  for (size_t chunk; claim_chunk(&work, &chunk);) {
    do_chunk(&work, chunk, 0);
    report_when_due(&reporter, &work);
  }
  if (work.helpers > 0) close_work(&work, &reporter);
  --depth;
  pthread_cond_destroy(&work.finished);
  add_times(&work, spread);

  if (!atomic_load(&work.cancelled)) report(&reporter, &work, 1.0);
  if (atomic_load(&work.cancelled)) return tac_error_set(error, TAC_ERR_CANCELLED, "%s: cancelled", what);
  return TAC_OK;
}

void tac_parallel_do(size_t count, size_t grain, tacParallelFn function, void *context) {
  if (tac_parallel_for(0, count, grain, function, context, NULL, "", NULL) == TAC_OK) return;
  for (size_t i = 0; i < count; i += grain) /* TACTUS_THREADS is wrong */
    function(i, count - i < grain ? count : i + grain, 0, context);
}
