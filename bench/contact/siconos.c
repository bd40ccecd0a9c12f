#include "bench/contact/siconos.h"

#ifdef TAC_SICONOS_LIBRARY

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <dlfcn.h>
#include <fc3d_compute_error.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory/array.h"

struct tacSiconos {
  __typeof__(&frictionContact_new_from_filename) read;
  __typeof__(&frictionContactProblem_free) free_problem;
  __typeof__(&solver_options_create) create_options;
  __typeof__(&solver_options_delete) delete_options;
  __typeof__(&fc3d_driver) solve;
  __typeof__(&fc3d_compute_error) compute_error;
  __typeof__(&numerics_set_verbose) set_verbose;
};

struct tacSiconosProblem {
  const tacSiconos *siconos;
  FrictionContactProblem *problem;
  SolverOptions *options;
  double norm; /* |q| */
  double *force, *velocity;
};

tacStatus tac_siconos_open(tacSiconos **siconos, tacError *error) {
  *siconos = NULL;
  void *library = dlopen(TAC_SICONOS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return tac_error_set(error, TAC_ERR_UNSUPPORTED, "Siconos is not installed: %s", dlerror());
  tacSiconos *opened = tac_array_create(1, sizeof *opened, "Siconos", error);
  if (opened == NULL) return TAC_ERR_MEMORY;
  const struct {
    const char *name;
    void *at;
  } functions[] = {{"frictionContact_new_from_filename", &opened->read},
                   {"frictionContactProblem_free", &opened->free_problem},
                   {"solver_options_create", &opened->create_options},
                   {"solver_options_delete", &opened->delete_options},
                   {"fc3d_driver", &opened->solve},
                   {"fc3d_compute_error", &opened->compute_error},
                   {"numerics_set_verbose", &opened->set_verbose}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    void *symbol = dlsym(library, functions[i].name);
    memcpy(functions[i].at, &symbol, sizeof symbol);
    if (symbol != NULL) continue;
    free(opened);
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s has no %s", TAC_SICONOS_LIBRARY, functions[i].name);
  }
  opened->set_verbose(0);
  *siconos = opened;
  return TAC_OK;
}

void tac_siconos_close(tacSiconos *siconos) {
  free(siconos);
}

/* By way of a file: its own reader makes the blocks that its solvers like best. */
static tacStatus hand_over(const tacSiconos *siconos, const tacContactProblem *problem, FrictionContactProblem **handed,
                           tacError *error) {
  const char *base = getenv("TMPDIR");
  char path[400];
  snprintf(path, sizeof path, "%.360s/tactus-siconos-XXXXXX.dat", base != NULL ? base : "/tmp");
  int file = mkstemps(path, 4);
  if (file < 0) return tac_error_set(error, TAC_ERR_FILE, "%s cannot be made", path);
  close(file);
  tacContactProblem space = *problem;
  space.dimension = 3;
  tacStatus status = tac_contact_problem_write(&space, path, TAC_CONTACT_BLOCKS, error);
  if (status == TAC_OK) {
    *handed = siconos->read(path);
    if (*handed == NULL) status = tac_error_set(error, TAC_ERR_FORMAT, "Siconos does not read the problem");
  }
  unlink(path);
  return status;
}

tacStatus tac_siconos_load(const tacSiconos *siconos, const tacContactProblem *problem, tacSiconosProblem **loaded,
                           tacError *error) {
  *loaded = NULL;
  tacSiconosProblem *made = tac_array_create(1, sizeof *made, "a problem", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->siconos = siconos;
  size_t count = (size_t)problem->count;
  for (size_t i = 0; i < 3 * count; ++i) made->norm = hypot(made->norm, problem->free[i]);
  made->force = tac_array_create(count, 3 * sizeof *made->force, "forces", error);
  made->velocity = tac_array_create(count, 3 * sizeof *made->velocity, "velocities", error);
  tacStatus status = made->force != NULL && made->velocity != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = hand_over(siconos, problem, &made->problem, error);
  if (status == TAC_OK) {
    made->options = siconos->create_options(SICONOS_FRICTION_3D_NSGS);
    if (made->options == NULL) status = tac_error_set(error, TAC_ERR_MEMORY, "Siconos makes no options");
  }
  if (status == TAC_OK)
    *loaded = made;
  else
    tac_siconos_unload(made);
  return status;
}

void tac_siconos_unload(tacSiconosProblem *problem) {
  if (problem == NULL) return;
  if (problem->problem != NULL) problem->siconos->free_problem(problem->problem);
  if (problem->options != NULL) problem->siconos->delete_options(problem->options);
  free(problem->force);
  free(problem->velocity);
  free(problem);
}

static size_t bytes_of(const tacSiconosProblem *problem) {
  return 3 * (size_t)problem->problem->numberOfContacts * sizeof(double);
}

tacSiconosReport tac_siconos_solve(tacSiconosProblem *problem, double tolerance, int most_iterations, double *force) {
  SolverOptions *options = problem->options;
  memset(force, 0, bytes_of(problem));
  memset(problem->velocity, 0, bytes_of(problem));
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = most_iterations;
  bool converged = problem->siconos->solve(problem->problem, force, problem->velocity, options) == 0;
  return (tacSiconosReport){options->iparam[SICONOS_IPARAM_ITER_DONE], converged,
                            options->dparam[SICONOS_DPARAM_RESIDU]};
}

double tac_siconos_error(tacSiconosProblem *problem, const double *force) {
  double error = NAN;
  memcpy(problem->force, force, bytes_of(problem));
  problem->siconos->compute_error(problem->problem, problem->force, problem->velocity, 0.0, problem->options,
                                  problem->norm, &error);
  return error;
}

#else

#include "base/error.h"
#include "contact/contact_problem.h"

tacStatus tac_siconos_open(tacSiconos **siconos, tacError *error) {
  *siconos = NULL;
  return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                       "Siconos was not installed (libsiconos-numerics-dev) when this program was configured");
}

void tac_siconos_close(tacSiconos *siconos) {
  (void)siconos;
}

tacStatus tac_siconos_load(const tacSiconos *siconos, const tacContactProblem *problem, tacSiconosProblem **loaded,
                           tacError *error) {
  (void)siconos;
  (void)problem;
  *loaded = NULL;
  return tac_error_set(error, TAC_ERR_UNSUPPORTED, "no Siconos");
}

void tac_siconos_unload(tacSiconosProblem *problem) {
  (void)problem;
}

tacSiconosReport tac_siconos_solve(tacSiconosProblem *problem, double tolerance, int most_iterations, double *force) {
  (void)problem;
  (void)tolerance;
  (void)most_iterations;
  (void)force;
  return (tacSiconosReport){0};
}

double tac_siconos_error(tacSiconosProblem *problem, const double *force) {
  (void)problem;
  (void)force;
  return 0.0;
}

#endif
