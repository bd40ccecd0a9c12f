/* Modes of a vademecum: few vectors in which the displacements of every load have a small error, in the mass norm and
 * in the energy norm at rest. Sources: the separation of the linear problem, and followed loads. Offline.
 *
 * The energy norm matters because the modes also serve Newton's method: its solution in a basis is nearly the best of
 * the basis in that norm, and a basis without some gradients (bending without the associated strain) is far too stiff.
 *
 * Takes principal components of all sources, each scaled to length 1, until their mean square error is small enough.
 * Since some loads are unlike all others, the one with the largest error then becomes a vector itself, repeatedly
 * (greedy, as for reduced bases). */
#pragma once

#include "kinds/vademecum/load_problem.h"
#include "kinds/vademecum/load_snapshots.h"
#include "kinds/vademecum/separation.h"

typedef struct tacLoadBasis {
  int count;
  double *vectors; /* [count][3 vertices], K-orthonormal, in descending order of captured energy; m J^-1/2 */
  double mean;     /* remaining error of the sources: mean square in the energy norm */
  double worst;    /* relative displacement error of the source farthest from its target */
} tacLoadBasis;

/* `snapshots`: NULL for a linear solid. */
tacStatus tac_load_basis_create(const tacLoadProblem *problem, const tacSeparation *linear,
                                const tacLoadSnapshots *snapshots, tacLoadBasis *basis, tacError *error);
void tac_load_basis_destroy(tacLoadBasis *basis); /* a zeroed struct is allowed */
