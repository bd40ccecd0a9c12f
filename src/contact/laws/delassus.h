/* Delassus operator W = sum H C H^T (Duriez et al. 2006, (17), (18), (20)): motion of the contacts per contact force,
 * m/N:
 *     W_ij = sum over parts p of Z_i Z_j^T  +  compliance_ij  +  blocks_ij  +  e_i n n^T where i = j.
 * In built form W is a matrix of 3 count rows. In unbuilt form forces are converted to y_p = sum Z_i^T f_i, n_p numbers
 * per part, and W f is Z_i y_p. Both forms are exact. Nothing here allocates. */
#pragma once

#include <stddef.h>
#include "contact/laws/law_problem.h"
#include "math/geometry/mat3.h"

/* W_ij, with softness if i = j. */
tacMat3 tac_delassus_block(const tacLawProblem *problem, int i, int j);
/* All of W, [3 count][3 count]. */
void tac_delassus_build(const tacLawProblem *problem, double *w);

/* Layout of the vectors y_p, one after the other; offset[p]: start of part p. Returns their total size. */
size_t tac_delassus_offsets(const tacLawProblem *problem, size_t *offset);
/* y += Z_i^T f_i */
void tac_delassus_push(const tacLawProblem *problem, const size_t *offset, int i, const double force[3], double *y);
/* (W f)_i for forces [3 count], and y computed from them. */
void tac_delassus_motion(const tacLawProblem *problem, const size_t *offset, int i, const double *forces,
                         const double *y, double motion[3]);

/* Numbers of multiplications, used to choose the form. Built form: to build W, and per sweep over all contacts. Unbuilt
 * form: for the diagonal blocks, and per sweep. */
typedef struct tacDelassusCost {
  double build, built_sweep, blocks, unbuilt_sweep;
} tacDelassusCost;
tacDelassusCost tac_delassus_cost(const tacLawProblem *problem);
