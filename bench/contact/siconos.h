/* Siconos (Acary et al., Apache-2.0), to compare with: its nonsmooth Gauss-Seidel for the same problem. The library
 * is loaded when it is opened here, and at no other time; where it was not there when this program was configured,
 * or is not where it runs, opening says so. */
#pragma once

#include "contact/laws/frictional_problem.h"

typedef struct tacSiconos tacSiconos;               /* the library */
typedef struct tacSiconosProblem tacSiconosProblem; /* a problem in its own structs */

tacStatus tac_siconos_open(tacSiconos **siconos, tacError *error);
void tac_siconos_close(tacSiconos *siconos); /* NULL is allowed; the library stays loaded */

/* A problem of a plane is handed over as what it is in space. */
tacStatus tac_siconos_load(const tacSiconos *siconos, const tacContactProblem *problem, tacSiconosProblem **loaded,
                           tacError *error);
void tac_siconos_unload(tacSiconosProblem *problem); /* NULL is allowed */

typedef struct tacSiconosReport {
  int iterations;
  bool converged;
  double error; /* as it says itself */
} tacSiconosReport;

/* SICONOS_FRICTION_3D_NSGS with its own defaults but for these two, from forces of zero; force [3 count]. */
tacSiconosReport tac_siconos_solve(tacSiconosProblem *problem, double tolerance, int most_iterations, double *force);
/* Its fc3d_compute_error. */
double tac_siconos_error(tacSiconosProblem *problem, const double *force);
