#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tactus/scene.h>
#include <time.h>
#include <unistd.h>
#include "app/cli/console/console.h"
#include "app/cli/scene/scenes_folder.h"
#include "base/files/folder.h"
#include "base/threads/parallel.h"
#include "bench/report/bench.h"

/* Bakes of whole scenes with a cold cache, in processes of their own: over numbers of threads, and several at once. What is
 * not spread over threads caps the speedup, so the serial share of each stage is measured too. */

enum { MOST_STAGES = 64, MOST_PROCESSES = 64, NAME = 96, OVERSUBSCRIBED = 16 };

/* ---- folders and processes ---- */

static tacStatus make_folder(char folder[PATH_MAX], tacError *error) {
  const char *base = getenv("TMPDIR");
  snprintf(folder, PATH_MAX, "%s/tactus-bench-XXXXXX", base != NULL ? base : "/tmp");
  if (mkdtemp(folder) != NULL) return TAC_OK;
  return tac_error_set(error, TAC_ERR_FILE, "%s: cannot make a temporary folder: %s", folder, strerror(errno));
}

static tacStatus cancelled(tacError *error) {
  return tac_error_set(error, TAC_ERR_CANCELLED, "bake: cancelled");
}

/* `core` -1: any. */
static pid_t start_bake(const char *scene, const char *cache, int threads, int core) {
  char count[16];
  snprintf(count, sizeof count, "%d", threads);
  pid_t child = fork();
  if (child != 0) return child;
  if (core >= 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  execl("/proc/self/exe", "tactus", "bake", scene, "--cache", cache, "--threads", count, "--quiet", (char *)NULL);
  _exit(127);
}

/* The n-th core that this process may use. */
static int core_at(int n) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -1;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &allowed) && n-- == 0) return core;
  return -1;
}

typedef struct Times {
  double wall, processor; /* s, of the slowest process and of all together */
} Times;

/* Bakes `scene` in `processes` at once, each with a cold cache; pinned: each on one core. */
static tacStatus time_bakes(const char *scene, int processes, int threads, bool pinned, Times *times, tacError *error) {
  char folder[PATH_MAX];
  tacStatus status = make_folder(folder, error);
  if (status != TAC_OK) return status;
  pid_t child[MOST_PROCESSES];
  int running = 0;
  double start = tac_bench_now();
  *times = (Times){0};
  for (int p = 0; p < processes; ++p) {
    char cache[PATH_MAX + 16];
    snprintf(cache, sizeof cache, "%s/%d", folder, p);
    child[p] = start_bake(scene, cache, threads, pinned ? core_at(p) : -1);
    running += child[p] > 0;
  }
  bool failed = running < processes, stopped = false;
  while (running > 0) {
    for (int p = 0; p < processes; ++p) {
      struct rusage usage;
      int result;
      if (child[p] <= 0 || wait4(child[p], &result, WNOHANG, &usage) != child[p]) continue;
      child[p] = 0;
      --running;
      failed |= !WIFEXITED(result) || WEXITSTATUS(result) != 0;
      times->processor += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                          1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
      times->wall = tac_bench_now() - start;
    }
    if (tac_console_interrupted() && !stopped) {
      for (int p = 0; p < processes; ++p)
        if (child[p] > 0) kill(child[p], SIGTERM);
      stopped = true;
    }
    nanosleep(&(struct timespec){.tv_nsec = 2 * 1000 * 1000}, NULL);
  }
  tac_folder_remove(folder);
  if (stopped) return cancelled(error);
  return failed ? tac_error_set(error, TAC_ERR_FILE, "%s: a bake failed: see `tactus bake`", scene) : TAC_OK;
}

/* ---- stages ---- */

typedef struct Stage {
  char name[NAME];
  double time, parallel; /* s of processor time, and of that in parallel loops */
  double shared;         /* s that these take at least with 16 threads */
} Stage;

typedef struct Stages {
  Stage stage[MOST_STAGES];
  int count;
  double now; /* at the last report */
  tacParallelTimes times;
} Stages;

static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What passed since the last report belongs to the stage that reports. */
static bool note_stage(const char *what, double fraction, void *user) {
  (void)fraction;
  Stages *stages = user;
  int i = 0;
  while (i < stages->count && strncmp(stages->stage[i].name, what, NAME - 1) != 0) ++i;
  if (i == MOST_STAGES) --i;
  if (i == stages->count) snprintf(stages->stage[stages->count++].name, NAME, "%s", what);
  double now = processor_time();
  tacParallelTimes times = tac_parallel_times();
  stages->stage[i].time += now - stages->now;
  stages->stage[i].parallel += 1e-9 * (double)(times.busy - stages->times.busy);
  stages->stage[i].shared += 1e-9 * (double)(times.threads16 - stages->times.threads16);
  stages->now = now;
  stages->times = times;
  return !tac_console_interrupted();
}

static tacStatus bake_here(const char *path, const tacProgress *progress, tacError *error) {
  char folder[PATH_MAX];
  tacStatus status = make_folder(folder, error);
  if (status != TAC_OK) return status;
  tacScene *scene = NULL;
  status = tac_scene_read(path, &scene, error);
  if (status == TAC_OK) status = tac_scene_bake(scene, folder, false, progress, NULL, error);
  tac_scene_destroy(scene);
  tac_folder_remove(folder);
  return status;
}

static void report(tacBench *bench, const char *case_name, const char *metric, double value, const char *unit,
                   double baseline) {
  tacBenchResult result = tac_bench_result(case_name, metric, value, unit);
  result.baseline = baseline;
  tac_bench_report(bench, &result);
}

/* One bake with one thread in this process, by processor time: time in parallel loops is what more threads can share. */
static tacStatus report_stages(tacBench *bench, const char *name, const char *path, tacError *error) {
  static Stages stages;
  memset(&stages, 0, sizeof stages);
  int before = tac_parallel_core_count();
  tac_parallel_set_threads(1);
  tacParallelTimes begin = tac_parallel_times();
  double start = stages.now = processor_time();
  stages.times = begin;
  tacStatus status = bake_here(path, &(tacProgress){.report = note_stage, .user = &stages}, error);
  note_stage("end", 1.0, &stages);
  double time = processor_time() - start;
  tacParallelTimes end = tac_parallel_times();
  tac_parallel_set_threads(before);
  if (status != TAC_OK) return status;
  double serial = time - 1e-9 * (double)(end.busy - begin.busy);
  double shared = 1e-9 * (double)(end.threads16 - begin.threads16);
  char text[NAME + 64];
  for (int i = 0; i < stages.count; ++i) {
    const Stage *stage = &stages.stage[i];
    if (stage->time < 0.005 * time) continue;
    snprintf(text, sizeof text, "%s: %s", name, stage->name);
    report(bench, text, "processor time", stage->time, "s", NAN);
    report(bench, text, "serial share", 100.0 * (1.0 - stage->parallel / stage->time), "%", NAN);
    report(bench, text, "possible speedup, 16 cores", stage->time / (stage->time - stage->parallel + stage->shared),
           "1", NAN);
  }
  snprintf(text, sizeof text, "%s: all stages", name);
  report(bench, text, "processor time", time, "s", NAN);
  report(bench, text, "serial share", 100.0 * serial / time, "%", NAN);
  report(bench, text, "parallel loops", (double)(end.calls - begin.calls), "1", NAN);
  report(bench, text, "possible speedup, 16 cores", time / (serial + shared), "1", NAN);
  return TAC_OK;
}

/* ---- scaling ---- */

static tacStatus report_threads(tacBench *bench, const char *name, const char *path, int cores, tacError *error) {
  double alone = NAN;
  int more = cores < OVERSUBSCRIBED ? OVERSUBSCRIBED : 2 * cores;
  for (int threads = 1; threads <= more;) {
    Times times;
    tacStatus status = time_bakes(path, 1, threads, false, &times, error);
    if (status != TAC_OK) return status;
    char text[NAME];
    snprintf(text, sizeof text, "%s, %d threads, %d cores", name, threads, cores);
    report(bench, text, "time", times.wall, "s", alone);
    report(bench, text, "processor time", times.processor, "s", NAN);
    if (threads == 1) alone = times.wall;
    threads = threads < cores ? (2 * threads < cores ? 2 * threads : cores) : threads < more ? more : more + 1;
  }
  return TAC_OK;
}

static tacStatus report_processes(tacBench *bench, const char *name, const char *path, int cores, tacError *error) {
  Times pinned, free_ones;
  int processes = cores < MOST_PROCESSES ? cores : MOST_PROCESSES;
  tacStatus status = time_bakes(path, processes, 1, true, &pinned, error);
  if (status == TAC_OK) status = time_bakes(path, processes, cores, false, &free_ones, error);
  if (status != TAC_OK) return status;
  char text[NAME];
  snprintf(text, sizeof text, "%s, %d at once (baseline: pinned)", name, processes);
  report(bench, text, "time", free_ones.wall, "s", pinned.wall);
  report(bench, text, "processor time", free_ones.processor, "s", pinned.processor);
  return TAC_OK;
}

static tacStatus bench_scene(tacBench *bench, const char *name, const char *path, tacError *error) {
  int cores = tac_parallel_core_count();
  tacStatus status = report_stages(bench, name, path, error);
  if (status == TAC_OK) status = report_threads(bench, name, path, cores, error);
  if (status == TAC_OK) status = report_processes(bench, name, path, cores, error);
  return status;
}

tacStatus tac_bench_bake(tacBench *bench, tacError *error) {
  static const char *const names[] = {"kidney", "kidney-fem", "spoon", "vademecum-beam", "hoses"};
  if (bench->scene != NULL) {
    const char *slash = strrchr(bench->scene, '/');
    char name[NAME];
    snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : bench->scene);
    name[strcspn(name, ".")] = '\0';
    return bench_scene(bench, name, bench->scene, error);
  }
  const char *folder = tac_scenes_folder();
  if (*folder == '\0') {
    fprintf(stderr, "bake is left out: there is no folder of scenes here; name one with --scene FILE\n");
    return TAC_OK;
  }
  tacStatus status = TAC_OK;
  for (int i = 0; i < (bench->quick ? 3 : 5) && status == TAC_OK; ++i) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.yaml", folder, names[i]);
    status = bench_scene(bench, names[i], path, error);
  }
  return status;
}
