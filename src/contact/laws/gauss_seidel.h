/* Gauss-Seidel method for the laws of many contacts (Duriez et al. 2006, section 5): each contact in turn is solved
 * exactly (contact/laws/coulomb.h) with the forces of the others fixed. The paper replaces W_ii by a diagonal block;
 * here W_ii itself is used, so that a problem with one contact takes one sweep.
 *
 * Limits: if W couples contacts strongly (many contacts on few coordinates, a heavy body on light ones) it converges
 * slowly, and with much friction it may diverge. Time is bounded by sweeps, the residual is reported, and forces are
 * always in their cones. */
#pragma once

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

/* Data of a contact: its block of W, and lambda of its last solution. */
typedef struct tacGaussSeidelLocal {
  tacMat3 w;
  tacCoulombBlock block;
  double lambda;
} tacGaussSeidelLocal;

/* `locals` [count]. Contacts that cannot move get no force. Refreshes the iterate. */
void tac_gauss_seidel_prepare(tacLawIterate *iterate, tacGaussSeidelLocal *locals);
/* One sweep over all contacts. Returns whether each contact was within the tolerance before its turn. */
bool tac_gauss_seidel_sweep(tacLawIterate *iterate, tacGaussSeidelLocal *locals, tacContactMeasure tolerance);
