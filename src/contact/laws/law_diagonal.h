/* Gauss-Seidel as Duriez et al. 2006 print it (Algorithm 1): of the block W_ii only W_nn is used, and for both tangents
 * the mean of the two eigenvalues of its tangential part. A contact takes no inner iteration, and more sweeps. It begins
 * at the contacts' forces, and ends where the laws hold within the tolerance, not only where forces rest. For
 * comparison: where W_ii couples normal and tangents it need not converge. */
#pragma once

#include "contact/laws/law_iterate.h"

typedef struct tacLawDiagonalReport {
  int sweeps;
  double change; /* sum over contacts of |f - f of the sweep before| / |f|, of the last sweep: what the paper ends by */
  int unsolved;
  tacCoulombResidual residual;
} tacLawDiagonalReport;

size_t tac_law_diagonal_room(int count);
tacLawDiagonalReport tac_law_diagonal_improve(tacLawIterate *iterate, tacCoulombResidual tolerance, int most_sweeps,
                                              tacArena *arena);
