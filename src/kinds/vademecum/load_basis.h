/* Computes the modes of a vademecum: few vectors whose combinations approximate the displacement of every load. The
 * errors are small in the mass norm and in the energy norm of the stiffness at rest. The modes are computed from source
 * displacements: the linear solution of each load (separation.h) and the snapshots along loading paths
 * (load_snapshots.h). Runs offline.
 *
 * The energy norm matters because Newton's method uses the modes as a basis. Newton's solution is nearly the best
 * approximation of the displacement in the energy norm. A basis with bending modes that lacks the associated strain is
 * far too stiff.
 *
 * First, principal components of the sources become modes until the mean square error of the sources is small enough.
 * Each source is scaled to unit norm. Then the source with the largest error becomes a mode, repeatedly (the greedy
 * method of reduced bases). The second step is needed for loads that differ from all other loads. */
#pragma once

#include "kinds/vademecum/load_problem.h"
#include "kinds/vademecum/load_snapshots.h"
#include "kinds/vademecum/separation.h"

typedef struct tacLoadBasis {
  int count;
  double *vectors; /* [count][3 vertices], m J^-1/2: stiffness-orthonormal modes, in descending order of energy */
  double mean;     /* relative error of the sources: root mean square in the energy norm */
  double worst;    /* relative error, in the mass norm, of the source that misses its target error most */
} tacLoadBasis;

/* Computes the modes. `snapshots` is NULL for a linear solid. */
tacStatus tac_load_basis_create(const tacLoadProblem *problem, const tacSeparation *linear,
                                const tacLoadSnapshots *snapshots, tacLoadBasis *basis, tacError *error);
void tac_load_basis_destroy(tacLoadBasis *basis); /* a zeroed struct is allowed */
