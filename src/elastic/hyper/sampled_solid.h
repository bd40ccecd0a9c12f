/* Energy, internal force and stiffness of a solid in coordinates q from few of its elements (hyper-reduction: Ryckelynck 2005; with
 * weights that make it the gradient of an energy, Farhat, Chapman, Avery 2015):
 *
 *     W(q) = sum_e w_e V_e Psi(F_e),   F_e = I + sum_j G_ej q_j,   R = dW/dq,   K = d2W/dq2.
 *
 * R and W are of double precision. With d2Psi/dF dF = L L^T, projected to positive semidefinite, K is sum_e w_e V_e (L^T G)^T (L^T G),
 * whose products are in floats: an entry is wrong by less than 1e-5 sqrt(K_ii K_jj).
 *
 * Nothing here allocates after creation; one thread calls at a time. */
#pragma once

#include "elastic/hyper/hyper_solid.h"

typedef struct tacSampledParts {
  int size;                /* n */
  int element_count;       /* sampled */
  const int *tets;         /* [element]: which of the mesh, to look at */
  const double *volumes;   /* [element]: w_e V_e, m^3 */
  const double *gradients; /* [element][9][n]: dF/dq, F by rows; 1/m per unit of q */
  tacHyperMaterial material;
} tacSampledParts;

/* dF/dq [9][n] of a tetrahedron for displacements U q, with U [vertex][3][n]; returns its volume, m^3, 0 where it has none. */
double tac_sampled_gradient(const tacVolMesh *mesh, int tet, int size, const double *basis, double *gradient);

typedef struct tacSampledSolid tacSampledSolid;

/* The first `kept` coordinates, n of below; copies what it needs. */
tacStatus tac_sampled_solid_create(const tacSampledParts *parts, int kept, tacSampledSolid **solid, tacError *error);
void tac_sampled_solid_destroy(tacSampledSolid *solid); /* NULL is allowed */

double tac_sampled_solid_energy(tacSampledSolid *solid, const double *q); /* J */
void tac_sampled_solid_force(tacSampledSolid *solid, const double *q, double *force);
/* K [n][n], symmetric to the bit and positive semidefinite but for rounding: tangents of elements are projected. */
void tac_sampled_solid_stiffness(tacSampledSolid *solid, const double *q, double *stiffness);

/* The same in slices, so that no tick takes long: a call adds some elements to a sum of its own, all of them at the q of the call that
 * began it. True: it is complete and was copied to `stiffness`, which is otherwise left alone; the next call begins another. */
bool tac_sampled_solid_stiffness_slice(tacSampledSolid *solid, const double *q, double *stiffness);
int tac_sampled_solid_slices(
    const tacSampledSolid *solid); /* calls that complete a sum; with 1 slices are not worth it */
/* Where the sum stands: how many slices are in it, 0 where none is begun, and the q [n] that it is of, which is otherwise left alone. */
int tac_sampled_solid_slice_at(const tacSampledSolid *solid, double *q);
/* To go on from there; adds anew what was in it, to the same bits, which is not for a tick. */
void tac_sampled_solid_slice_set(tacSampledSolid *solid, int slices, const double *q);
