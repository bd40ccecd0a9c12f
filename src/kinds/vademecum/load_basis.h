/* The modes of a vademecum: few vectors in which every load's displacements, from the separation of the linear problem and from loads
 * that were followed, have a small error, in the norm of masses and in the energy norm at rest. Offline.
 *
 * The energy norm, since the modes serve Newton's method, too: its solution in a basis is nearly the best of the basis in that norm,
 * and where gradients are missing (bending without the strain that goes with it) it is far too stiff.
 *
 * Principal components of all of them, each of length 1, until their mean square error is small enough; then, since some loads are
 * unlike all others, the one with the largest error becomes a vector itself, again and again (greedy, as for reduced bases). */
#pragma once

#include "kinds/vademecum/load_problem.h"
#include "kinds/vademecum/load_snapshots.h"
#include "kinds/vademecum/separation.h"

typedef struct tacLoadBasis {
  int count;
  double *vectors; /* [count][3 vertices], K-orthonormal, in descending order of what they hold; m J^-1/2 */
  double mean;     /* error that is left of what it was made from: mean square in the energy norm, */
  double worst;    /* and of displacements that of the one that is farthest from what is wanted; relative */
} tacLoadBasis;

/* `snapshots`: NULL, or of a nonlinear solid. */
tacStatus tac_load_basis_create(const tacLoadProblem *problem, const tacSeparation *linear,
                                const tacLoadSnapshots *snapshots, tacLoadBasis *basis, tacError *error);
void tac_load_basis_destroy(tacLoadBasis *basis); /* a zeroed struct is allowed */
