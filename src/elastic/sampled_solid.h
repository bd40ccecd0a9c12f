/* Energy, internal force and stiffness of a solid in coordinates q from few of its elements (hyper-reduction: Ryckelynck 2005; with
 * weights that make it the gradient of an energy, Farhat, Chapman, Avery 2015):
 *
 *     W(q) = sum_e w_e V_e Psi(F_e),   F_e = I + sum_j G_ej q_j,   R = dW/dq,   K = d2W/dq2.
 *
 * Nothing here allocates after creation; one thread calls at a time. */
#ifndef TAC_ELASTIC_SAMPLED_SOLID_H
#define TAC_ELASTIC_SAMPLED_SOLID_H

#include "elastic/hyper_solid.h"

typedef struct tacSampledParts {
  int size;                /* n */
  int element_count;       /* sampled */
  const int *tets;         /* [element]: which of the mesh, to look at */
  const double *volumes;   /* [element]: w_e V_e, m^3 */
  const double *gradients; /* [element][9][n]: dF/dq, F by rows; 1/m per unit of q */
  tacHyperMaterial material;
} tacSampledParts;

typedef struct tacSampledSolid tacSampledSolid;

/* The first `kept` coordinates; copies what it needs. */
tacStatus tac_sampled_solid_create(const tacSampledParts *parts, int kept, tacSampledSolid **solid, tacError *error);
void tac_sampled_solid_destroy(tacSampledSolid *solid); /* NULL is allowed */

double tac_sampled_solid_energy(tacSampledSolid *solid, const double *q); /* J */
void tac_sampled_solid_force(tacSampledSolid *solid, const double *q, double *force);
/* K [n][n], symmetric and positive semidefinite: tangents of elements are projected. */
void tac_sampled_solid_stiffness(tacSampledSolid *solid, const double *q, double *stiffness);
/* The same in slices, so that no tick takes long: each call adds a bounded number of elements at the present q to a sum of its own.
 * True: it is complete and was copied to `stiffness`, which is otherwise left alone. */
bool tac_sampled_solid_stiffness_slice(tacSampledSolid *solid, const double *q, double *stiffness);

#endif
