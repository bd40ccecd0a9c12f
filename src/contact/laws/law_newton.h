/* Newton's method for the laws of many contacts: where Gauss and Seidel's comes to a halt (a heavy body on light ones,
 * stacks, more contacts than coordinates, W without an inverse).
 *
 * The laws are equations that are smooth in pieces (Alart and Curnier 1991): with a weight r (N/m) of each contact,
 *     f_n = max(0, f_n - r u_n),   f_t = the point of the disk of radius mu f_n that is nearest to f_t - r u_t.
 * Where f_n - r u_n <= 0 a contact is open; where f_t - r u_t is inside of the disk it sticks; else it slides, d being
 * the direction of f_t - r u_t and e across it. Newton's step is linear in the new forces of all contacts at once:
 *     open     f = 0
 *     sticks   u = 0
 *     slides   u_n = 0,  f . d = mu f_n,  u . e + k f . e = 0   with k = (|f_t - r u_t| / (mu (f_n - r u_n)) - 1) / r
 * To u of contacts that press, p (f - f_before) is added (a proximal term), p a share of W_ii: so a step exists where W
 * has no inverse, and is the shortest one; the share goes to zero as steps succeed, and grows where they do not.
 *
 * Where this comes to a halt as well, a path through the inside of the cones (contact/laws/law_interior.h) leads to another
 * place to begin at. What is returned is the best that was met. */
#pragma once

#include "contact/laws/law_iterate.h"

typedef struct tacLawNewtonReport {
  int steps;                   /* of both, one factorisation each */
  int sweeps;                  /* in between, where steps come to a halt */
  int unsolved;                /* contacts whose laws do not hold within the tolerance */
  tacCoulombResidual residual; /* the worst contact's of each */
  bool infeasible; /* forces grow without bound or effect; returned are those of contacts that give way by W_ii / 10 */
} tacLawNewtonReport;

/* Bytes that it takes, besides the iterate's. Before ticks: it allocates and gives back. */
size_t tac_law_newton_room(const tacLawProblem *problem);
/* The same for any problem without blocks that has at most these numbers. Does not allocate. */
size_t tac_law_newton_room_most(int count, size_t coordinates, bool compliance);
/* Begins at the iterate's forces and leaves the best ones there, in their cones. The iterate is built where
 * tac_law_system_built says so, and not else. Without memory, or with an iterate that is not, nothing changes. */
tacLawNewtonReport tac_law_newton_improve(tacLawIterate *iterate, tacCoulombResidual tolerance, int most_steps,
                                          tacArena *arena);
