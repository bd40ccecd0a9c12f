/* Modes of a vademecum: few vectors that represent the displacement of every load with a small error, in the mass norm
 * and in the energy norm at rest. Sources: the separation of the linear problem, and the displacements along loading
 * paths. Offline.
 *
 * The energy norm matters because Newton's method uses the modes as a basis. Its solution is nearly the best
 * approximation of the basis in that norm. A basis that lacks some gradients (bending without the associated strain) is
 * far too stiff.
 *
 * The modes are principal components of all sources, each source scaled to length 1, until the mean square error of the
 * sources is small enough. Some loads are unlike all others. So the source with the largest error is then added as a
 * vector, repeatedly (a greedy method, as for reduced bases). */
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
