/* Methods for the laws of many contacts, besides Gauss-Seidel (contact/laws/gauss_seidel.h). Each improves an iterate,
 * and takes the arena bytes that its `room` reports. */
#pragma once

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

/* Newton's method for the laws of many contacts, for cases where Gauss-Seidel stalls (a heavy body on light ones,
 * stacks, more contacts than coordinates, singular W).
 *
 * The laws are piecewise smooth equations (Alart and Curnier 1991): with a weight r (N/m) per contact,
 *     f_n = max(0, f_n - r u_n),   f_t = the point of the disk of radius mu f_n that is nearest to f_t - r u_t.
 * A contact with f_n - r u_n <= 0 is open; one with f_t - r u_t inside the disk sticks; otherwise it slides, with d the
 * direction of f_t - r u_t and e across it. A Newton step is linear in the new forces of all contacts:
 *     open     f = 0
 *     sticks   u = 0
 *     slides   u_n = 0,  f . d = mu f_n,  u . e + k f . e = 0   with k = (|f_t - r u_t| / (mu (f_n - r u_n)) - 1) / r
 * For pressing contacts p (f - f_before) is added to u (a proximal term), p a share of W_ii. So a step also exists for
 * singular W, and it is the shortest of all possible steps. The share p / W_ii goes to zero as steps succeed, and grows
 * as steps fail.
 *
 * If Newton's method stalls too, the interior-point method (contact/laws/law_interior.h) finds another starting point.
 * If this fails as well, a sequence of proximal problems is solved: each has the laws for u + p (f - f_previous), with
 * the solution f_previous of the previous problem. The best iterate is returned. */

/* Parts of the method to run: all; only the steps on the states; only the parts that follow these steps. */
typedef enum tacLawNewtonPart { TAC_LAW_NEWTON_ALL, TAC_LAW_NEWTON_STATES, TAC_LAW_NEWTON_REST } tacLawNewtonPart;

/* Bytes needed in addition to the iterate and its equations (contact/laws/law_system.h). */
size_t tac_law_newton_room(int count);
/* Starts at the iterate's forces and replaces them by the best forces found, in their cones. Sweeps are inserted where
 * steps stall. The problem is reported as infeasible if forces grow without bound and have no effect; then it returns
 * the forces for contacts softened by W_ii / 10. The iterate must be in built form if and only if tac_law_system_built
 * is true. If memory is missing or the form is wrong, nothing changes. */
tacContactReport tac_law_newton_improve(tacLawIterate *iterate, tacContactMeasure tolerance, int most_steps,
                                        tacLawNewtonPart part, tacArena *arena);

/* Frictionless contacts: only normals count, and the laws are the linear complementarity problem
 *     0 <= g + N f  _|_  f >= 0,     N_ij = n . W_ij n
 * with one unknown per contact (Duriez et al. 2006, (18)). A few projected sweeps guess the set of pressing contacts,
 * and N f = -g is solved for this set. If a contact of the set pulls, or another contact penetrates, sweeps give the
 * next guess. If four guesses are wrong, which can happen with more contacts than coordinates, Lemke's method solves
 * the problem (contact/laws/lemke.h). */
enum { TAC_FRICTIONLESS_MOST = 300 }; /* contacts */

/* Whether the method applies: no contact has friction or is grabbed, and at most TAC_FRICTIONLESS_MOST contacts exist.
 * */
bool tac_law_frictionless_fits(const tacLawProblem *problem);
size_t tac_law_frictionless_room(int count);
/* Starts at the iterate's forces; takes at most 5 steps. */
tacContactReport tac_law_frictionless_improve(tacLawIterate *iterate, tacContactMeasure tolerance, tacArena *arena);

/* Gauss-Seidel as printed in Duriez et al. 2006 (Algorithm 1): of the block W_ii only W_nn is used, and for both
 * tangents the mean eigenvalue of its tangential part. A contact needs no inner iteration, but more sweeps. Starts at
 * the contacts' forces, and ends when the laws hold within the tolerance, not when forces stop changing. For comparison
 * only: the method may diverge if W_ii couples normal and tangents. */
size_t tac_law_diagonal_room(int count);
tacContactReport tac_law_diagonal_improve(tacLawIterate *iterate, tacContactMeasure tolerance, int most_sweeps,
                                          tacArena *arena);

/* Coulomb's cone as a pyramid of k sides (Duriez et al. 2006, (22) to (24); Stewart and Trinkle 1996): a linear
 * complementarity problem of m (k + 2) unknowns,
 *     0 <= u_n  _|_ f_n >= 0,    0 <= l + t_r . u_t  _|_ b_r >= 0,    0 <= mu f_n - sum b_r  _|_ l >= 0,
 * f_t = sum b_r t_r with k directions t_r around the normal, solved by Lemke's method (contact/laws/lemke.h). For
 * comparison only: friction and slip of a sliding contact are opposite only up to an angle of pi / k. There is no warm
 * start. */
enum { TAC_PYRAMID_MOST_SIDES = 64 };

/* Sides are clamped to 3 ... TAC_PYRAMID_MOST_SIDES. */
size_t tac_law_pyramid_room(int count, int sides);
/* Sets the iterate's forces, which are in the cones; grabbed contacts get none. Steps are pivots. Infeasible: Lemke's
 * method ended on a ray or at the limit of pivots. Residuals are not computed. */
tacContactReport tac_law_pyramid_improve(tacLawIterate *iterate, int sides, int most_pivots, tacArena *arena);
