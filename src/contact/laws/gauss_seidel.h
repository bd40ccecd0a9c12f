/* Gauss and Seidel's method for the laws of many contacts (Duriez et al. 2006, section 5): contact after contact, in
 * their order, each solved exactly (contact/laws/coulomb.h) while the forces of the others stay. The paper replaces the
 * block W_ii by a diagonal one; here it is the block itself, so that a contact alone takes one sweep.
 *
 * What it cannot: where W couples contacts strongly (many contacts on few coordinates, a heavy body on light ones) it
 * converges slowly, and with much friction it need not. Time is bounded by sweeps, what is reached is reported, and
 * forces are always in their cones. */
#pragma once

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

/* What it needs of a contact: its own part of W, and lambda of its last solution. */
typedef struct tacGaussSeidelLocal {
  tacMat3 w;
  tacCoulombBlock block;
  double lambda;
} tacGaussSeidelLocal;

/* `locals` [count]. Contacts that cannot move get no force; refreshes the iterate. */
void tac_gauss_seidel_prepare(tacLawIterate *iterate, tacGaussSeidelLocal *locals);
/* One sweep over all contacts. Returns whether the laws of each held within the tolerance before its turn. */
bool tac_gauss_seidel_sweep(tacLawIterate *iterate, tacGaussSeidelLocal *locals, tacContactMeasure tolerance);
