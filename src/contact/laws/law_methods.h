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
 * For pressing contacts p (f - f_before) is added to u (a proximal term), p a share of W_ii. So a step exists for
 * singular W, and is the shortest one. The share goes to zero as steps succeed, and grows as they fail.
 *
 * If this stalls too, the interior-point method (contact/laws/law_interior.h) finds another starting point. After that,
 * proximal points are used, each the solution of the laws of u + p (f - the previous point). The best iterate is
 * returned. */

/* All parts; only the steps on the states; only what follows them. */
typedef enum tacLawNewtonPart { TAC_LAW_NEWTON_ALL, TAC_LAW_NEWTON_STATES, TAC_LAW_NEWTON_REST } tacLawNewtonPart;

/* Bytes needed, besides those of the iterate and its equations (contact/laws/law_system.h). */
size_t tac_law_newton_room(int count);
/* Starts at the iterate's forces and leaves the best ones there, in their cones. Sweeps are inserted where steps stall.
 * Infeasible: forces grow without bound or effect; then those of contacts softened by W_ii / 10 are returned. The
 * iterate must be built exactly if tac_law_system_built says so. Without memory, or with a mismatched iterate, nothing
 * changes. */
tacContactReport tac_law_newton_improve(tacLawIterate *iterate, tacContactMeasure tolerance, int most_steps,
                                        tacLawNewtonPart part, tacArena *arena);

/* Frictionless contacts: only normals count, and the laws are the linear complementarity problem
 *     0 <= g + N f  _|_  f >= 0,     N_ij = n . W_ij n
 * with one unknown per contact (Duriez et al. 2006, (18)). A few projected sweeps guess which contacts press. N f = -g
 * is solved for these, and sweeps correct the guess by contacts that pull or penetrate. If four guesses do not settle,
 * as with more contacts than coordinates, Lemke's method solves it (contact/laws/lemke.h). */
enum { TAC_FRICTIONLESS_MOST = 300 }; /* contacts */

/* Whether it applies: no contact has friction or is grabbed, and there are few enough for a dense matrix. */
bool tac_law_frictionless_fits(const tacLawProblem *problem);
size_t tac_law_frictionless_room(int count);
/* Starts at the iterate's forces; takes at most 5 steps. */
tacContactReport tac_law_frictionless_improve(tacLawIterate *iterate, tacContactMeasure tolerance, tacArena *arena);

/* Gauss-Seidel as printed in Duriez et al. 2006 (Algorithm 1): of the block W_ii only W_nn is used, and for both
 * tangents the mean eigenvalue of its tangential part. A contact needs no inner iteration, but more sweeps. Starts at
 * the contacts' forces, and ends when the laws hold within the tolerance, not when forces stop changing. For
 * comparison: it may diverge if W_ii couples normal and tangents. */
size_t tac_law_diagonal_room(int count);
tacContactReport tac_law_diagonal_improve(tacLawIterate *iterate, tacContactMeasure tolerance, int most_sweeps,
                                          tacArena *arena);

/* Coulomb's cone as a pyramid of k sides (Duriez et al. 2006, (22) to (24); Stewart and Trinkle 1996): a linear
 * complementarity problem of m (k + 2) unknowns,
 *     0 <= u_n  _|_ f_n >= 0,    0 <= l + t_r . u_t  _|_ b_r >= 0,    0 <= mu f_n - sum b_r  _|_ l >= 0,
 * f_t = sum b_r t_r with k directions t_r around the normal, solved by Lemke's method (contact/laws/lemke.h). For
 * comparison: the friction of a sliding contact is opposite to its slip only up to an angle of pi / k. No warm
 * start. */
enum { TAC_PYRAMID_MOST_SIDES = 64 };

/* Sides are clamped to 3 ... TAC_PYRAMID_MOST_SIDES. */
size_t tac_law_pyramid_room(int count, int sides);
/* Sets the iterate's forces, which are in the cones; grabbed contacts get none. Steps are pivots. Infeasible: it ended
 * on a ray or at the limit of pivots. Residuals are not computed. */
tacContactReport tac_law_pyramid_improve(tacLawIterate *iterate, int sides, int most_pivots, tacArena *arena);
