/* The displacement basis U of a reduced body (Barbic 2007, section 2.8): mass-orthonormal columns. Offline. */
#pragma once

#include <tactus/reduced.h>
#include "base/files/bake_check.h"
#include "kinds/reduced/basis/modal_derivatives.h"

typedef struct tacMotionBasis {
  int size, count; /* 3 numbers per vertex; r */
  double *vector;  /* [column][size], U^T M U = I (kg^-1/2) */
  /* Shapes that the basis was made from, for display: modes, derivatives, or principal shapes. */
  int shape_count;
  char (*label)[32]; /* "mode 1", "derivative 1 2", "shape 3" */
  /* [shape][count]: mass projection on the basis, scaled so that |c| is the share of the shape's mass norm in the
   * basis: 1 means that the shape is in the basis. */
  double *coordinates;
  double captured;      /* share of the snapshots' squared mass norms (as weighted for PCA) in the basis */
  int linear_count;     /* k; 0 for bases from loads alone */
  double *linear_value; /* lambda of the k linear modes */
  double modes_seconds, derivatives_seconds;
  double bytes;         /* peak size of the source data */
  tacBakeChecks checks; /* checks of modes and derivatives */
} tacMotionBasis;

/* Computes the basis from the source def->source:
 * - TAC_BASIS_MODES: modes and derivatives, scaled by (2.52), then mass-PCA to r vectors. If r is the number of modes
 *   and derivatives, Gram-Schmidt keeps all of them.
 * - TAC_BASIS_SKETCH: thinned loads, static solves, thinned shapes, mass-PCA.
 * - TAC_BASIS_MOTION: full simulation under the loads over time, mass-PCA.
 * TAC_ERR_ARGUMENT: r exceeds the rank of the data; the message gives the rank. TAC_ERR_GEOMETRY: a solid with held
 * vertices can still move rigidly, or a free solid has several pieces. TAC_ERR_MEMORY: the shapes do not fit in
 * memory. */
tacStatus tac_motion_basis_compute(const tacSolid *solid, const tacReducedDef *def, const tacProgress *progress,
                                   tacMotionBasis *basis, tacError *error);
/* Uses these columns (3 numbers per vertex), orthonormalised by Gram-Schmidt in the mass product, each column twice. */
tacStatus tac_motion_basis_orthonormalise(const tacSolid *solid, int count, const double *vectors,
                                          tacMotionBasis *basis, tacError *error);
void tac_motion_basis_destroy(tacMotionBasis *basis); /* {0} is allowed */
