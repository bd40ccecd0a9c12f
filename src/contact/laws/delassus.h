/* The Delassus operator W = sum H C H^T (Duriez et al. 2006, (17), (18), (20)): how the contacts of a problem move
 * under the forces of all of them, m/N:
 *     W_ij = sum over parts p of Z_i Z_j^T  +  compliance_ij  +  blocks_ij  +  e_i n n^T where i = j.
 * Built, it is a matrix of 3 count rows. Unbuilt, forces become y_p = sum Z_i^T f_i, a vector of n_p numbers for each
 * part, and W f is Z_i y_p: both are exact. Nothing here allocates. */
#pragma once

#include <stddef.h>
#include "contact/laws/law_problem.h"
#include "math/geometry/mat3.h"

/* W_ij, for i = j with softness. */
tacMat3 tac_delassus_block(const tacLawProblem *problem, int i, int j);
/* All of W, [3 count][3 count]. */
void tac_delassus_build(const tacLawProblem *problem, double *w);

/* The vectors y_p, one after the other; offset[p]: where that of part p begins. Returns how many numbers they have. */
size_t tac_delassus_offsets(const tacLawProblem *problem, size_t *offset);
/* y += Z_i^T f_i */
void tac_delassus_push(const tacLawProblem *problem, const size_t *offset, int i, const double force[3], double *y);
/* (W f)_i; forces [3 count], and y as pushed from them. */
void tac_delassus_motion(const tacLawProblem *problem, const size_t *offset, int i, const double *forces,
                         const double *y, double motion[3]);

/* Multiplications for W as built: to build it, and for one sweep over all contacts; and unbuilt: for the diagonal
 * blocks, and for one sweep. For choosing. */
typedef struct tacDelassusCost {
  double build, built_sweep, blocks, unbuilt_sweep;
} tacDelassusCost;
tacDelassusCost tac_delassus_cost(const tacLawProblem *problem);
