/* Gauss-Seidel method for the laws of many contacts (Duriez et al. 2006, section 5). The method solves one contact
 * after the other exactly (contact/laws/coulomb.h), with the forces of all other contacts fixed. The paper replaces
 * W_ii by a diagonal block. The present method uses W_ii itself, so that a problem with one contact takes one sweep.
 *
 * Limits: the method converges slowly if W couples contacts strongly (many contacts on few coordinates, a heavy body on
 * light ones). With much friction, the method may diverge. The number of sweeps bounds the time, the residual is
 * reported, and forces are always in their cones. */
#pragma once

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

/* Data of a contact: its block W_ii, and lambda of its last solution. */
typedef struct tacGaussSeidelLocal {
  tacMat3 w;
  tacCoulombBlock block;
  double lambda;
} tacGaussSeidelLocal;

/* Prepares `locals` [count]. Sets the forces of contacts that cannot move to zero, and calls
 * tac_law_iterate_refresh. */
void tac_gauss_seidel_prepare(tacLawIterate *iterate, tacGaussSeidelLocal *locals);
/* Solves each contact once. Returns true if every contact was within the tolerance before its solution. */
bool tac_gauss_seidel_sweep(tacLawIterate *iterate, tacGaussSeidelLocal *locals, tacContactMeasure tolerance);
