/* Computes the displacement basis U of a reduced body (Barbic 2007, section 2.8). The columns of U are
 * mass-orthonormal. Offline. */
#pragma once

#include <tactus/reduced.h>
#include "base/files/bake_check.h"
#include "kinds/reduced/basis/modal_derivatives.h"

typedef struct tacMotionBasis {
  int size, count; /* number of rows of U, 3 per vertex; number of columns, r */
  double *vector;  /* U, [column][size], kg^-1/2; U^T M U = I */
  /* Shapes from which the basis was made, for display: modes, derivatives or principal shapes. */
  int shape_count;
  char (*label)[32]; /* names such as "mode 1", "derivative 1 2", "shape 3" */
  /* Coordinates c of each shape in the basis, [shape][count]: the mass projection, scaled so that |c| is the fraction
   * of the shape's mass norm that the basis represents. |c| = 1 if the basis represents the shape exactly. */
  double *coordinates;
  double captured;      /* fraction of the data in the basis, by squared mass norms weighted for PCA */
  int linear_count;     /* number k of linear modes; 0 for a basis from loads alone */
  double *linear_value; /* eigenvalues of the k linear modes, (rad/s)^2 */
  double modes_seconds, derivatives_seconds;
  double bytes;         /* peak size of the source data, bytes */
  tacBakeChecks checks; /* results of the checks of modes and derivatives */
} tacMotionBasis;

/* Computes the basis from the source def->source:
 * - TAC_BASIS_MODES: modes and derivatives, scaled by (2.52), then mass-PCA to r vectors. If r is the number of modes
 *   and derivatives, Gram-Schmidt orthonormalisation keeps all of them.
 * - TAC_BASIS_SKETCH: thinned loads, static solves, thinned shapes, mass-PCA.
 * - TAC_BASIS_MOTION: full simulation under the loads over time, mass-PCA.
 *
 * TAC_ERR_ARGUMENT: r exceeds the rank of the data; the message gives the rank. TAC_ERR_GEOMETRY: a solid with held
 * vertices can still move rigidly, or a free solid has several pieces. TAC_ERR_MEMORY: the shapes do not fit in
 * memory. */
tacStatus tac_motion_basis_compute(const tacSolid *solid, const tacReducedDef *def, const tacProgress *progress,
                                   tacMotionBasis *basis, tacError *error);
/* Creates a basis from `count` given columns, 3 numbers per vertex. Gram-Schmidt makes the columns orthonormal in the
 * mass product, in the given order and with two passes per column. */
tacStatus tac_motion_basis_orthonormalise(const tacSolid *solid, int count, const double *vectors,
                                          tacMotionBasis *basis, tacError *error);
void tac_motion_basis_destroy(tacMotionBasis *basis); /* {0} is allowed */
