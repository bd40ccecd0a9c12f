/* Delassus operator W = sum H C H^T (Duriez et al. 2006, (17), (18), (20)), m/N. W maps the forces of all contacts to
 * the resulting motions:
 *     W_ij = sum over parts p of Z_i Z_j^T  +  compliance_ij  +  blocks_ij  +  e_i n n^T (if i = j).
 * The symbols are those of tacLawProblem. In built form, W is a matrix of 3 count rows. In unbuilt form, forces are
 * converted to y_p = sum Z_i^T f_i, n_p numbers per part, and the contribution of part p to (W f)_i is Z_i y_p. Both
 * forms are exact. No function allocates. */
#pragma once

#include <stddef.h>
#include "contact/laws/law_problem.h"
#include "math/geometry/mat3.h"

/* Returns W_ij, with softness if i = j. */
tacMat3 tac_delassus_block(const tacLawProblem *problem, int i, int j);
/* Builds the matrix W, [3 count][3 count]. */
void tac_delassus_build(const tacLawProblem *problem, double *w);

/* Sets offset[p] to the start of y_p in the array of all vectors y. Returns the size of this array. */
size_t tac_delassus_offsets(const tacLawProblem *problem, size_t *offset);
/* Adds Z_i^T f_i to y. */
void tac_delassus_push(const tacLawProblem *problem, const size_t *offset, int i, const double force[3], double *y);
/* Computes (W f)_i for `forces` [3 count]. `y` must be computed from the same forces. */
void tac_delassus_motion(const tacLawProblem *problem, const size_t *offset, int i, const double *forces,
                         const double *y, double motion[3]);

/* Numbers of multiplications, used to choose the form. Built form: `build` for W, `built_sweep` per sweep over all
 * contacts. Unbuilt form: `blocks` for the diagonal blocks, `unbuilt_sweep` per sweep. */
typedef struct tacDelassusCost {
  double build, built_sweep, blocks, unbuilt_sweep;
} tacDelassusCost;
tacDelassusCost tac_delassus_cost(const tacLawProblem *problem);
