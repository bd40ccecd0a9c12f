/* Contacts without friction: normals alone count, and the laws are the linear complementarity problem
 *     0 <= g + N f  _|_  f >= 0,     N_ij = n . W_ij n
 * of as many unknowns as contacts (Duriez et al. 2006, (18)). A few projected sweeps guess which contacts press, N f = -g is
 * solved for those at once, and sweeps correct the guess by what pulls and what penetrates. Where four guesses do not
 * settle, as with more contacts than coordinates, Lemke's method makes it (contact/laws/lemke.h). */
#pragma once

#include "contact/laws/law_iterate.h"

enum { TAC_FRICTIONLESS_MOST = 300 }; /* contacts */

typedef struct tacLawFrictionlessReport {
  int sweeps, steps; /* steps: at most 5 */
  int unsolved;
  tacCoulombResidual residual;
} tacLawFrictionlessReport;

/* Whether it is for a problem: none has friction or is grabbed, and there are not too many for a matrix of all. */
bool tac_law_frictionless_fits(const tacLawProblem *problem);
size_t tac_law_frictionless_room(int count);
/* Begins at the iterate's forces. */
tacLawFrictionlessReport tac_law_frictionless_improve(tacLawIterate *iterate, tacCoulombResidual tolerance,
                                                      tacArena *arena);
