#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "app/cli/commands/command.h"
#include "app/cli/commands/fclib_file.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "contact/contact_problem.h"

TAC_OWNED_TYPE(tacContactProblem, tac_contact_problem_destroy)

static const char command[] = "tactus solve";
#define METHODS "automatic|gauss-seidel|diagonal|newton|pyramid" /* in the order of tacContactSolver */

typedef struct Options {
  int method;
  tacContactSolverDef solver;
  const char *out;
  bool dense, forces, json, has_sides;
} Options;

static const char about[] =
    "Solves frictional contact problems from files in the text format of Siconos (.dat) or in FCLIB\n"
    "(HDF5), recognised by content. The problem: find forces f and motions u = u0 + W f of all contacts,\n"
    "in frames (normal, tangent, tangent), that obey the laws of Signorini and Coulomb. Lengths are in m\n"
    "and forces in N; if a file has velocities and impulses, read m/s and N s. Plane problems are solved\n"
    "as problems in space. Prints a line per problem: numbers of open, sticking and sliding contacts; the\n"
    "residual of the laws at the worst contact, in m and N; and `error`, the measure of Siconos,\n"
    "|f - P(f - (u + mu |u_t| n))| / max(|u0|, |u|, |f|).";

static const char closing[] =
    "Exit status: 0 success; 1 a file could not be read or a problem was not solved within the tolerance.\n"
    "\n"
    "examples:\n"
    "  tactus solve stack.dat                               solve it\n"
    "  tactus solve *.dat --method newton --tolerance 1e-6  compare\n"
    "  tactus solve stack.dat --forces                      print each contact\n"
    "  tactus solve stack.dat --out stack.hdf5              convert to FCLIB, with the solution\n"
    "  tactus solve stack.hdf5 --out stack.dat              convert the problem to text";

/* The table of options writes into `o`. */
static bool parse(int argc, char **argv, Options *o, int *operands, int *result) {
  const tacOption table[] = {
      {TAC_OPTION_CHOICE, "--method",
       .help = "automatic (default): alternates\n"
               "Gauss-Seidel and Newton by measured\n"
               "progress per work; diagonal: Gauss-Seidel\n"
               "with diagonal blocks; pyramid: Lemke's\n"
               "method on a pyramid instead of the cone",
       .target = &o->method, .word = METHODS},
      {TAC_OPTION_COUNT, "--sides", "K", "sides of the pyramid (default: 8)", .target = &o->solver.sides,
       .given = &o->has_sides, .lower = 3, .upper = 64},
      {TAC_OPTION_NUMBER, "--tolerance", "X",
       "allowed residual, relative to the longest\n"
       "u0 and to the largest force that alone\n"
       "closes a contact (default: 1e-10)",
       .target = &o->solver.tolerance, .lower = 1e-16, .upper = 1.0},
      {TAC_OPTION_COUNT, "--sweeps", "N", "most Gauss-Seidel sweeps (default: 10000)", .target = &o->solver.most_sweeps,
       .lower = 1, .upper = 100000000},
      {TAC_OPTION_FLAG, "--forces", .help = "print state, force, motion of contacts", .target = &o->forces},
      {TAC_OPTION_TEXT, "--out", "OUT",
       "write the problem: .dat as text, .hdf5 or\n"
       ".h5 as FCLIB, with the solution; one FILE\n"
       "only",
       .target = &o->out},
      {TAC_OPTION_FLAG, "--dense",
       .help = "with --out .dat: write all entries of W,\n"
               "not sparse blocks",
       .target = &o->dense},
      {TAC_OPTION_FLAG, "--json", .help = "print one JSON object per line", .target = &o->json},
  };
  const tacUsage usage = {command, "FILE... [options]", about, TAC_OPTIONS(table), closing, .operand = "file"};
  return tac_options_parse(&usage, argc, argv, operands, result);
}

static bool is_hdf5_name(const char *path) {
  return tac_options_ends(path, ".hdf5") || tac_options_ends(path, ".h5");
}

static int check(const Options *o, int operands) {
  if (o->out != NULL && operands > 1)
    return tac_usage_error(command, "--out writes only one problem, but %d files were given", operands);
  if (o->out != NULL && !is_hdf5_name(o->out) && !tac_options_ends(o->out, ".dat"))
    return tac_usage_error(command, "--out takes a name that ends with .dat (text), .hdf5 or .h5 (FCLIB), not '%s'",
                           o->out);
  if (o->dense && (o->out == NULL || is_hdf5_name(o->out)))
    return tac_usage_error(command, "--dense needs --out with a name that ends with .dat");
  if (o->has_sides && o->method != TAC_CONTACT_PYRAMID)
    return tac_usage_error(command, "--sides needs --method pyramid");
  return TAC_EXIT_OK;
}

static const char *state_name(tacContactState state) {
  return state == TAC_CONTACT_NONE ? "open" : state == TAC_CONTACT_STICKS ? "sticks" : "slides";
}

typedef struct Solved {
  const char *path;
  const tacContactProblem *problem;
  tacContactReport report;
  double error, seconds;
  double stored; /* error of the solution that the file has; NAN: none */
} Solved;

static bool is_solved(const tacContactReport *report) {
  return report->unsolved == 0 && !report->infeasible;
}

static void print_header(void) {
  printf("%8s %6s %6s %6s %7s %6s %11s %11s %9s %9s  %s\n", "contacts", "open", "stick", "slide", "sweeps", "steps",
         "residual, m", "residual, N", "error", "time", "file");
}

static void print_row(const Solved *solved) {
  const tacContactReport *r = &solved->report;
  printf("%8d %6d %6d %6d %7d %6d %11.3g %11.3g %9.2g %9s  %s", solved->problem->count, r->open, r->sticking,
         r->sliding, r->sweeps, r->steps, r->residual.metres, r->residual.newtons, solved->error,
         tac_text_seconds(solved->seconds).text, solved->path);
  if (isfinite(solved->stored)) printf(" (the solution in the file has error %.2g)", solved->stored);
  if (r->infeasible) printf(": infeasible: no forces were found that keep the bodies apart");
  if (r->unsolved > 0)
    printf(": %s of %d not solved within %.2g m and %.2g N", tac_text_many(r->unsolved, "contact").text,
           solved->problem->count, r->tolerance.metres, r->tolerance.newtons);
  putchar('\n');
}

static void print_forces(const tacContactProblem *problem) {
  printf("%8s %-6s %12s %12s %12s %12s %12s %12s\n", "contact", "state", "f_n, N", "f_t1, N", "f_t2, N", "u_n, m",
         "u_t1, m", "u_t2, m");
  for (int i = 0; i < problem->count; ++i) {
    const double *f = problem->force + 3 * (size_t)i, *u = problem->motion + 3 * (size_t)i;
    printf("%8d %-6s %12.5g %12.5g %12.5g %12.5g %12.5g %12.5g\n", i, state_name(problem->state[i]), f[0], f[1], f[2],
           u[0], u[1], u[2]);
  }
}

static json_t *vectors(int count, const double *values) {
  json_t *array = json_array();
  for (int i = 0; i < count; ++i)
    json_array_append_new(array, json_pack("[f,f,f]", values[3 * i], values[3 * i + 1], values[3 * i + 2]));
  return array;
}

static void print_json(const Solved *solved, const Options *o) {
  const tacContactReport *r = &solved->report;
  const tacContactProblem *problem = solved->problem;
  char method[32];
  json_t *object =
      json_pack("{s:s, s:i, s:i, s:s, s:b, s:i, s:b, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
                "file", solved->path, "dimension", problem->dimension, "contacts", problem->count, "method",
                tac_options_word(METHODS, o->method, method, sizeof method), "solved", is_solved(r), "unsolved",
                r->unsolved, "infeasible", r->infeasible, "open", r->open, "stick", r->sticking, "slide", r->sliding,
                "sweeps", r->sweeps, "steps", r->steps, "residual_m", r->residual.metres, "residual_N",
                r->residual.newtons, "tolerance_m", r->tolerance.metres, "tolerance_N", r->tolerance.newtons, "error",
                solved->error, "asymmetry", problem->asymmetry, "seconds", solved->seconds);
  if (object == NULL) return; /* a number that is not finite, or no memory: a line less is seen */
  if (isfinite(solved->stored)) json_object_set_new(object, "stored_error", json_real(solved->stored));
  if (o->forces) {
    json_t *states = json_array();
    for (int i = 0; i < problem->count; ++i) json_array_append_new(states, json_string(state_name(problem->state[i])));
    json_object_set_new(object, "state", states);
    json_object_set_new(object, "force", vectors(problem->count, problem->force));
    json_object_set_new(object, "motion", vectors(problem->count, problem->motion));
  }
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
  putchar('\n');
  json_decref(object);
}

/* Solves from forces of zero. No solver can be stopped half-way, and none leaves anything behind: Ctrl-C ends the
 * program. */
static tacStatus solve(const Options *o, tacContactProblem *problem, Solved *solved, tacError *error) {
  memset(problem->force, 0, 3 * (size_t)problem->count * sizeof *problem->force);
  tacContactSolverDef def = o->solver;
  def.solver = (tacContactSolver)o->method;
  const struct sigaction plain = {.sa_handler = SIG_DFL};
  struct sigaction interrupt, end;
  sigaction(SIGINT, &plain, &interrupt);
  sigaction(SIGTERM, &plain, &end);
  int64_t start = tac_clock_now();
  tacStatus status = tac_contact_problem_solve(problem, &def, &solved->report, error);
  solved->seconds = tac_clock_seconds(tac_clock_now() - start);
  sigaction(SIGINT, &interrupt, NULL);
  sigaction(SIGTERM, &end, NULL);
  solved->error = tac_contact_problem_error(problem, NULL);
  solved->problem = problem;
  return status;
}

static tacStatus write_out(const Options *o, const tacContactProblem *problem, tacError *error) {
  if (is_hdf5_name(o->out)) return tac_fclib_file_write(problem, o->out, true, error);
  return tac_contact_problem_write(problem, o->out, o->dense ? TAC_CONTACT_DENSE : TAC_CONTACT_BLOCKS, error);
}

static tacStatus solve_file(const Options *o, const char *path, tacConsole *console, bool *good, tacError *error) {
  TAC_OWN(tacContactProblem, problem) = NULL;
  bool stored = false;
  TAC_TRY(tac_fclib_file_recognise(path) ? tac_fclib_file_read(path, &problem, &stored, error)
                                         : tac_contact_problem_read(path, &problem, error));
  if (problem->asymmetry > 1e-9)
    tac_console_warn(console, "%s: W is not symmetric (by %.1e of its largest entry); it is solved as given", path,
                     problem->asymmetry);
  Solved solved = {.path = path, .stored = stored ? tac_contact_problem_error(problem, NULL) : NAN};
  tacError inner = {.text = ""};
  tacStatus status = solve(o, problem, &solved, &inner);
  if (status != TAC_OK) return tac_error_set(error, status, "%s: %s", path, inner.text);
  if (o->json) print_json(&solved, o);
  if (!o->json) print_row(&solved);
  if (!o->json && o->forces) print_forces(problem);
  *good = is_solved(&solved.report);
  return o->out != NULL ? write_out(o, problem, error) : TAC_OK;
}

int tac_command_solve(int argc, char **argv) {
  Options options = {.method = TAC_CONTACT_AUTOMATIC, .solver = tac_contact_solver_def_default()};
  int operands, result;
  if (!parse(argc, argv, &options, &operands, &result) || (result = check(&options, operands)) != TAC_EXIT_OK)
    return result;
  tacConsole *console = tac_console_open(false);
  if (!options.json) print_header();
  for (int i = 0; i < operands && !tac_console_interrupted(); ++i) {
    tacError error = {0};
    bool good = true;
    tacStatus status = solve_file(&options, argv[i], console, &good, &error);
    fflush(stdout);
    if (status != TAC_OK) tac_console_fail(&error);
    if (status != TAC_OK || !good) result = TAC_EXIT_FAILED;
  }
  return result;
}
