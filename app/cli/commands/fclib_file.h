/* Frictional contact problems in HDF5 as FCLIB has them (Acary, Brémond, Koziara, Pérignon 2014, "FCLIB: a
 * collection of discrete 3D frictional contact problems"): /fclib_local or /fclib_global with matrices by compressed
 * rows, columns or triplets, and /solution. HDF5 sees bytes in memory; datasets that lie in other files are
 * refused. */
#pragma once

#include <stdbool.h>
#include "contact/contact_problem.h"

/* Whether the file begins as HDF5 does. */
bool tac_fclib_file_recognise(const char *path);

/* Of /fclib_global, M v = H f + f0 and u = H^T v + w, W = H^T M^-1 H and u0 = H^T M^-1 f0 + w are computed. Equality
 * constraints (G; V and R) are TAC_ERR_UNSUPPORTED, and so is everything in a program that was built without HDF5.
 * Where numbers were written to /solution/u and r they are in `motion` and `force`, and `solved` is set. Without
 * /solution, or where either dataset is missing or was never written, the file has no solution. Guesses are not read. */
tacStatus tac_fclib_file_read(const char *path, tacContactProblem **problem, bool *solved, tacError *error);

/* /fclib_local in the problem's dimension, W by compressed columns, and with `solution` /solution/r and u. */
tacStatus tac_fclib_file_write(const tacContactProblem *problem, const char *path, bool solution, tacError *error);
