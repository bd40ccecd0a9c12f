#include "bench/benchmark.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "base/clock.h"
#include "base/files/folder.h"
#include "base/files/new_file.h"

static const tacBenchmark *find_benchmark(const char *name) {
  tacNearest nearest = {.given = name};
  for (int i = 0; i < tac_benchmark_count(); ++i) {
    if (strcmp(tac_benchmark_at(i)->name, name) == 0) return tac_benchmark_at(i);
    tac_nearest_offer(&nearest, tac_benchmark_at(i)->name);
  }
  tac_usage_error("tactus bench", "unknown benchmark %s; did you mean %s?", name, nearest.best);
  return NULL;
}

static int run_benchmark(tacBench *bench, const tacBenchmark *benchmark) {
  tacError error = {0};
  if (bench->has_rows) putchar('\n');
  bench->name = benchmark->name;
  bench->has_rows = false;
  return benchmark->run(bench, &error) == TAC_OK ? TAC_EXIT_OK : tac_console_fail(&error);
}

static int run_all(tacBench *bench, int count, char **names) {
  int result = TAC_EXIT_OK;
  for (int i = 0; i < count && result == TAC_EXIT_OK; ++i)
    result = run_benchmark(bench, names != NULL ? find_benchmark(names[i]) : tac_benchmark_at(i));
  return result;
}

static bool is_plot(const char *name) {
  const char *ending = strrchr(name, '.');
  return ending != NULL && strcmp(ending, ".svg") == 0;
}

/* Waits for the child, or ends it where the user asks for that. */
static int wait_for(pid_t child) {
  int status = 0;
  pid_t ended = 0;
  bool stopped = false;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
    stopped = tac_console_interrupted();
    if (stopped) kill(child, SIGKILL);
    tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 20);
  }
  if (stopped)
    fprintf(stderr, "tactus: interrupted; what is printed is complete\n");
  else if (ended == child && WIFSIGNALED(status))
    fprintf(stderr, "tactus: the benchmark was ended by signal %d\n", WTERMSIG(status));
  return !stopped && ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : TAC_EXIT_FAILED;
}

/* In a child process, so that a benchmark can be stopped wherever it is; its temporary files are in one folder. */
static int run_in_child(tacBench *bench, int count, char **names) {
  const char *base = getenv("TMPDIR");
  char folder[512];
  snprintf(folder, sizeof folder, "%.480s/tactus-bench-XXXXXX", base != NULL ? base : "/tmp");
  if (mkdtemp(folder) == NULL) {
    fprintf(stderr, "tactus: %s: cannot make this folder: %s\n", folder, strerror(errno));
    return TAC_EXIT_FAILED;
  }
  fflush(stdout);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(TAC_EXIT_FAILED); /* it had ended before */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    setenv("TMPDIR", folder, 1);
    exit(tac_console_finish(run_all(bench, count, names)));
  }
  int result = TAC_EXIT_FAILED;
  if (child < 0)
    fprintf(stderr, "tactus: cannot start a process: %s\n", strerror(errno));
  else
    result = wait_for(child);
  if (bench->plots != NULL) tac_new_file_sweep(bench->plots, is_plot);
  tac_folder_remove(folder);
  return result;
}

int tac_command_bench(int argc, char **argv) {
  tacBench bench = {0};
  bool list = false;
  const tacOption table[] = {
      {TAC_OPTION_FLAG, "--list", .help = "list the benchmarks", .target = &list},
      {TAC_OPTION_FLAG, "--json", .help = "print one JSON object per line", .target = &bench.json},
      {TAC_OPTION_FLAG, "--quick", .help = "small cases only, to check that everything works", .target = &bench.quick},
      tac_options_threads(),
      {TAC_OPTION_TEXT, "--plots", "DIR", "write the plots of the documentation to DIR as SVG", .target = &bench.plots},
      {TAC_OPTION_TEXT, "--scene", "NAME",
       "bake, truth: only this file; contact6: cases with this name;\n" TAC_BENCHMARKS_WITH_PARTS
       ": a part (see above)",
       .target = &bench.scene},
      {TAC_OPTION_NUMBER, "--minutes", "M", "truth: simulated time of each scene (default: 20 s)",
       .target = &bench.minutes, .lower = 0.001, .upper = 10000.0},
      {TAC_OPTION_NUMBER, "--wall", "S",
       "truth: stop a scene after S seconds of wall-clock time\n"
       "and report where",
       .target = &bench.wall, .lower = 1.0, .upper = 1e6},
  };
  const tacUsage usage = {
      "tactus bench", "[NAME...] [options]\nsolve [FILE|FOLDER...] [options]",
      "Runs the named benchmarks, or all of them. A baseline is the straightforward implementation,\n"
      "measured in the same run; less time than the baseline is better. Values hold for this machine in its\n"
      "present state: close other programs first.\n" TAC_BENCHMARK_PARTS,
      TAC_OPTIONS(table), .closing = NULL};
  int operands, result;
  if (!tac_options_parse(&usage, argc, argv, &operands, &result)) return result;
  if (list) {
    for (int i = 0; i < tac_benchmark_count(); ++i)
      printf("%-8s  %s\n", tac_benchmark_at(i)->name, tac_benchmark_at(i)->summary);
    return TAC_EXIT_OK;
  }
  for (int i = 0; i < operands; ++i) {
    const tacBenchmark *benchmark = find_benchmark(argv[i]);
    if (benchmark == NULL) return TAC_EXIT_USAGE;
    if (i > 0 || !tac_benchmark_takes_files(benchmark)) continue;
    bench.file_count = operands - 1;
    bench.files = argv + 1;
    operands = 1;
  }
  return operands > 0 ? run_in_child(&bench, operands, argv) : run_in_child(&bench, tac_benchmark_count(), NULL);
}
