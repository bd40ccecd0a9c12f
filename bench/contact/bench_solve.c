#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "app/cli/commands/fclib_file.h"
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/contact/siconos.h"
#include "bench/contact/sphere_pile.h"
#include "bench/report/bench.h"
#include "contact/contact_problem.h"
#include "contact/laws/law_problem.h"
#include "contact/laws/law_solver.h"

/* Both solvers get the same problem in memory, begin at no force, and are measured by the same error, that of
 * Siconos computed by our own code. Each has the loosest tolerance, of a series a factor of sqrt(10) apart, with
 * which its error is within the target: neither is charged for digits that the other does not give. They take turns. */

static const double targets[] = {1e-4, 1e-12};
enum { MOST_SWEEPS = 10000, MOST_STEPS = 500, MOST_SAMPLES = 500 };

/* One problem in the hands of both, with the memory that ours needs; `theirs` is NULL where there is no Siconos. */
typedef struct Comparison {
  const tacContactProblem *problem;
  tacContactMeasure scale;
  tacLawContact *contacts;
  tacLawProblem laws;
  tacLawSolverDef def;
  tacArena arena;
  tacSiconosProblem *theirs;
  double *force;
} Comparison;

static void close_comparison(Comparison *comparison) {
  free(comparison->contacts);
  free(comparison->force);
  tac_arena_destroy(&comparison->arena);
  tac_siconos_unload(comparison->theirs);
}

static tacStatus open_comparison(const tacContactProblem *problem, const tacSiconos *siconos, Comparison *comparison,
                                 tacError *error) {
  size_t count = (size_t)problem->count;
  *comparison = (Comparison){.problem = problem, .scale = tac_contact_problem_scale(problem)};
  comparison->contacts = tac_array_create(count, sizeof *comparison->contacts, "contacts", error);
  comparison->force = tac_array_create(count, 3 * sizeof *comparison->force, "forces", error);
  comparison->laws = (tacLawProblem){.count = problem->count, .contacts = comparison->contacts, .blocks = problem};
  comparison->def = tac_law_solver_def_default();
  comparison->def.most_sweeps = MOST_SWEEPS;
  comparison->def.most_steps = MOST_STEPS;
  tacStatus status = comparison->contacts != NULL && comparison->force != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK)
    status =
        tac_arena_create(tac_law_solver_room(&comparison->laws, &comparison->def), "laws", &comparison->arena, error);
  if (status == TAC_OK && siconos != NULL) status = tac_siconos_load(siconos, problem, &comparison->theirs, error);
  return status;
}

/* What a solver gives with one tolerance. */
typedef struct Trial {
  double tolerance, seconds, error;
  int iterations;
  bool reached; /* the target */
} Trial;

/* `times` solutions, of which the trial has one's time: of the processor, so that others on the machine do not count. */
typedef Trial (*SolveFn)(Comparison *comparison, double tolerance, int times);

static Trial solve_ours(Comparison *comparison, double tolerance, int times) {
  tacContactReport report = {0};
  comparison->def.tolerance =
      (tacContactMeasure){tolerance * comparison->scale.metres, tolerance * comparison->scale.newtons};
  int64_t start = tac_clock_thread();
  for (int k = 0; k < times; ++k) {
    tac_problem_laws_fill(comparison->problem, comparison->contacts);
    report = tac_law_solve(&comparison->laws, &comparison->def, &comparison->arena);
  }
  Trial trial = {tolerance, tac_clock_seconds(tac_clock_thread() - start) / times, 0.0, report.sweeps + report.steps,
                 false};
  for (int i = 0; i < comparison->problem->count; ++i)
    memcpy(comparison->force + 3 * (size_t)i, comparison->contacts[i].force, sizeof comparison->contacts[i].force);
  trial.error = tac_contact_problem_error(comparison->problem, comparison->force);
  return trial;
}

static Trial solve_theirs(Comparison *comparison, double tolerance, int times) {
  tacSiconosReport report = {0};
  int64_t start = tac_clock_thread();
  for (int k = 0; k < times; ++k)
    report = tac_siconos_solve(comparison->theirs, tolerance, MOST_SWEEPS, comparison->force);
  Trial trial = {tolerance, tac_clock_seconds(tac_clock_thread() - start) / times, 0.0, report.iterations, false};
  trial.error = tac_contact_problem_error(comparison->problem, comparison->force);
  return trial;
}

/* With the loosest tolerance that reaches the target; else what comes nearest. */
static Trial calibrate(Comparison *comparison, SolveFn solve, double target) {
  Trial best = {.error = INFINITY};
  for (double tolerance = fmin(1e3 * target, 0.1); tolerance >= fmax(1e-4 * target, 1e-17); tolerance /= sqrt(10.0)) {
    Trial trial = solve(comparison, tolerance, 1);
    trial.reached = trial.error <= target;
    if (trial.error < best.error || trial.reached) best = trial;
    if (trial.reached || trial.iterations >= MOST_SWEEPS) break;
  }
  return best;
}

static void report_number(tacBench *bench, const char *name, const char *metric, double ours, double theirs) {
  tacBenchResult result = tac_bench_result(name, metric, ours, "");
  result.baseline = theirs;
  tac_bench_report(bench, &result);
}

/* Times of one solver, us. */
typedef struct Times {
  Trial trial; /* with the tolerance that it has */
  int at_once; /* solutions a sample, so that it takes 50 us at least */
  size_t count, least;
  double budget; /* s */
  double samples[MOST_SAMPLES];
} Times;

static void plan(const tacBench *bench, Trial trial, Times *times) {
  times->trial = trial;
  times->at_once = trial.seconds < 50e-6 ? (int)ceil(50e-6 / fmax(trial.seconds, 1e-7)) : 1;
  times->count = 0;
  times->least = bench->quick || trial.seconds > 0.3 ? 1 : 5;
  times->budget = bench->quick ? 0.0 : 0.3;
}

/* One more, where any is wanted. */
static bool take(Comparison *comparison, SolveFn solve, Times *times) {
  if (times->count == MOST_SAMPLES || (times->count >= times->least && times->budget <= 0.0)) return false;
  double seconds = solve(comparison, times->trial.tolerance, times->at_once).seconds;
  times->samples[times->count++] = 1e6 * seconds;
  times->budget -= seconds * times->at_once;
  return true;
}

static void report_times(tacBench *bench, const char *name, Times *ours, Times *theirs) {
  tacBenchResult mine = tac_bench_result(name, ours->trial.reached ? "time" : "time, not reached", NAN, "us");
  tacBenchResult other = tac_bench_result(name, "time, Siconos, not reached", NAN, "us");
  tac_bench_percentiles(ours->count, ours->samples, &mine);
  tac_bench_percentiles(theirs->count, theirs->samples, &other);
  if (ours->trial.reached && theirs->trial.reached) mine.baseline = other.value;
  tac_bench_report(bench, &mine);
  if (theirs->count == 0 || isfinite(mine.baseline)) return;
  if (theirs->trial.reached) other.metric = "time, Siconos";
  tac_bench_report(bench, &other);
}

/* In turns, after the warm-up that finding tolerances is: for a third of a second each, five times at least unless one
 * takes longer than that. */
static void measure(tacBench *bench, Comparison *comparison, const char *case_name, double target) {
  static Times ours, theirs;
  char name[160];
  bool both = comparison->theirs != NULL;
  plan(bench, calibrate(comparison, solve_ours, target), &ours);
  plan(bench, both ? calibrate(comparison, solve_theirs, target) : (Trial){.error = NAN}, &theirs);
  for (bool more = true; more;) {
    more = take(comparison, solve_ours, &ours);
    if (both) more = take(comparison, solve_theirs, &theirs) || more;
  }
  snprintf(name, sizeof name, "%s, %.0e", case_name, target);
  report_times(bench, name, &ours, &theirs);
  report_number(bench, name, "error", ours.trial.error, theirs.trial.error);
  report_number(bench, name, "iterations", ours.trial.iterations, both ? theirs.trial.iterations : NAN);
}

static tacStatus compare_problem(tacBench *bench, const tacSiconos *siconos, const char *name,
                                 const tacContactProblem *problem, tacError *error) {
  Comparison comparison;
  char case_name[128];
  const char *slash = strrchr(name, '/');
  snprintf(case_name, sizeof case_name, "%.80s (%d)", slash != NULL ? slash + 1 : name, problem->count);
  tacStatus status = open_comparison(problem, siconos, &comparison, error);
  for (size_t k = 0; k < sizeof targets / sizeof *targets && status == TAC_OK; ++k)
    measure(bench, &comparison, case_name, targets[k]);
  close_comparison(&comparison);
  return status;
}

static tacStatus compare_file(tacBench *bench, const tacSiconos *siconos, const char *path, tacError *error) {
  tacContactProblem *problem = NULL;
  bool solved;
  tacStatus status = tac_fclib_file_recognise(path) ? tac_fclib_file_read(path, &problem, &solved, error)
                                                    : tac_contact_problem_read(path, &problem, error);
  if (status == TAC_OK) {
    memset(problem->force, 0, 3 * (size_t)problem->count * sizeof *problem->force);
    status = compare_problem(bench, siconos, path, problem, error);
  }
  tac_contact_problem_destroy(problem);
  return status;
}

static int is_problem_name(const struct dirent *entry) {
  const char *dot = strrchr(entry->d_name, '.');
  return dot != NULL && (strcmp(dot, ".dat") == 0 || strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static tacStatus compare_folder(tacBench *bench, const tacSiconos *siconos, const char *path, tacError *error) {
  struct dirent **entries = NULL;
  int count = scandir(path, &entries, is_problem_name, by_name);
  if (count <= 0) {
    free(entries);
    return tac_error_set(error, TAC_ERR_FILE, "%s: no files of contact problems (.dat, .hdf5, .h5)", path);
  }
  tacStatus status = TAC_OK;
  for (int i = 0; i < count; ++i) {
    char file[4096];
    int length = snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
    if (status == TAC_OK && length < (int)sizeof file) status = compare_file(bench, siconos, file, error);
    free(entries[i]);
  }
  free(entries);
  return status;
}

static tacStatus compare_path(tacBench *bench, const tacSiconos *siconos, const char *path, tacError *error) {
  struct stat about;
  bool folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
  return folder ? compare_folder(bench, siconos, path, error) : compare_file(bench, siconos, path, error);
}

static tacStatus compare_piles(tacBench *bench, const tacSiconos *siconos, tacError *error) {
  static const struct {
    const char *name;
    int size[3];
    double friction, push;
  } piles[] = {{"spheres 2x2x2", {2, 2, 2}, 0.5, 0.3},
               {"spheres 2x2x2, sliding", {2, 2, 2}, 0.3, 2.0},
               {"spheres 4x4x3", {4, 4, 3}, 0.5, 0.3},
               {"spheres 4x4x3, sliding", {4, 4, 3}, 0.3, 2.0},
               {"spheres 7x7x5, sliding", {7, 7, 5}, 0.3, 2.0}};
  tacStatus status = TAC_OK;
  size_t count = bench->quick ? 2 : sizeof piles / sizeof *piles;
  for (size_t k = 0; k < count && status == TAC_OK; ++k) {
    tacContactProblem *problem = NULL;
    status = tac_sphere_pile_create(piles[k].size[0], piles[k].size[1], piles[k].size[2], piles[k].friction,
                                    piles[k].push, &problem, error);
    if (status == TAC_OK) status = compare_problem(bench, siconos, piles[k].name, problem, error);
    tac_contact_problem_destroy(problem);
  }
  return status;
}

tacStatus tac_bench_solve(tacBench *bench, tacError *error) {
  tacSiconos *siconos = NULL;
  tacError missing = {.text = ""};
  bool compares = tac_siconos_open(&siconos, &missing) == TAC_OK;
  tacStatus status = bench->file_count == 0 ? compare_piles(bench, siconos, error) : TAC_OK;
  for (int i = 0; i < bench->file_count && status == TAC_OK; ++i)
    status = compare_path(bench, siconos, bench->files[i], error);
  if (status == TAC_OK && !compares) fprintf(stderr, "tactus: no comparison: %s\n", missing.text);
  tac_siconos_close(siconos);
  return status;
}
