/* Methods for the laws of many contacts, other than Gauss-Seidel (contact/laws/gauss_seidel.h). Each method improves
 * the forces of an iterate (contact/laws/law_iterate.h). Its `room` function returns the arena bytes that the method
 * needs. */
#pragma once

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

/* Newton's method for the laws of many contacts. It also converges in cases in which Gauss-Seidel stalls: a heavy body
 * on light ones, stacks, more contacts than coordinates, singular W.
 *
 * The laws are piecewise smooth equations (Alart and Curnier 1991). With a weight r (N/m) per contact,
 *     f_n = max(0, f_n - r u_n),   f_t = the point of the disk of radius mu f_n that is nearest to f_t - r u_t.
 * A contact is open if f_n - r u_n <= 0. It sticks if f_t - r u_t lies inside the disk. Otherwise it slides. Then d is
 * the direction of f_t - r u_t, and e is perpendicular to d. A Newton step on these states is linear in the new forces:
 *     open     f = 0
 *     sticks   u = 0
 *     slides   u_n = 0,  f . d = mu f_n,  u . e + k f . e = 0   with k = (|f_t - r u_t| / (mu (f_n - r u_n)) - 1) / r
 * For pressing contacts, the proximal term p (f - f_before) is added to u, with p proportional to W_ii. With this term
 * a step exists even if W is singular, and the step is the shortest of all possible steps. The ratio p / W_ii decreases
 * to zero as steps succeed, and grows as steps fail.
 *
 * If Newton steps stall, the interior-point method (contact/laws/law_interior.h) computes another starting point. If
 * steps from this point also stall, a sequence of proximal problems is solved. Each problem has the laws for
 * u + p (f - f_previous), where f_previous is the solution of the previous problem. The method returns the best
 * iterate. */

/* Parts of Newton's method to run: all parts; only Newton steps on the states; only the parts that follow these
 * steps. */
typedef enum tacLawNewtonPart { TAC_LAW_NEWTON_ALL, TAC_LAW_NEWTON_STATES, TAC_LAW_NEWTON_REST } tacLawNewtonPart;

/* Returns the bytes needed in addition to the iterate and its equations (contact/laws/law_system.h). */
size_t tac_law_newton_room(int count);
/* Starts at the iterate's forces, and replaces them by the best forces found, which lie in their friction cones. Runs
 * Gauss-Seidel sweeps if Newton steps stall. Reports the problem as infeasible if forces grow without bound and have no
 * effect. The forces are then a solution for contacts softened by W_ii / 10. If the first steps stall at a residual of
 * at most `enough` times the tolerance, this residual counts as solved. The iterate must be in built form if and
 * only if tac_law_system_built is true. If the form is wrong or memory is short, nothing changes. */
tacContactReport tac_law_newton_improve(tacLawIterate *iterate, tacContactMeasure tolerance, double enough,
                                        int most_steps, tacLawNewtonPart part, tacArena *arena);

/* Method for frictionless contacts. Only normal directions matter. With the gaps g of the free motion, the laws are the
 * linear complementarity problem
 *     0 <= g + N f  _|_  f >= 0,     N_ij = n . W_ij n
 * with one unknown per contact (Duriez et al. 2006, (18)). A few projected Gauss-Seidel sweeps guess the set of
 * pressing contacts. For this set, N f = -g is solved. The guess is wrong if a contact of the set pulls, or if a
 * contact outside the set penetrates. More sweeps then provide the next guess. After four wrong guesses, Lemke's method
 * solves the problem (contact/laws/lemke.h). Guesses can stay wrong if there are more contacts than coordinates. */
enum { TAC_FRICTIONLESS_MOST = 300 }; /* maximum number of contacts */

/* True if the method applies: no contact has friction or is grabbed, and the number of contacts is 2 to
 * TAC_FRICTIONLESS_MOST. */
bool tac_law_frictionless_fits(const tacLawProblem *problem);
size_t tac_law_frictionless_room(int count);
/* Starts at the iterate's forces and takes at most 5 steps. */
tacContactReport tac_law_frictionless_improve(tacLawIterate *iterate, tacContactMeasure tolerance, tacArena *arena);

/* Gauss-Seidel as published (Duriez et al. 2006, Algorithm 1), for comparison only. Of the block W_ii, the method uses
 * W_nn and, for both tangents, the mean eigenvalue of the tangential part. A contact needs no inner iteration, but the
 * method needs more sweeps. The method starts at the iterate's forces. It ends when the laws hold within the tolerance,
 * or when forces no longer change. It may diverge if W_ii couples normal and tangents. */
size_t tac_law_diagonal_room(int count);
tacContactReport tac_law_diagonal_improve(tacLawIterate *iterate, tacContactMeasure tolerance, int most_sweeps,
                                          tacArena *arena);

/* Method that replaces Coulomb's cone by a pyramid with k sides (Duriez et al. 2006, (22) to (24); Stewart and Trinkle
 * 1996). For m contacts this is a linear complementarity problem of m (k + 2) unknowns,
 *     0 <= u_n  _|_ f_n >= 0,    0 <= l + t_r . u_t  _|_ b_r >= 0,    0 <= mu f_n - sum b_r  _|_ l >= 0,
 * with k directions t_r around the normal and f_t = sum b_r t_r. Lemke's method solves the problem
 * (contact/laws/lemke.h). For comparison only: friction is opposite to the slip only up to an angle of pi / k. Initial
 * forces are not used. */
enum { TAC_PYRAMID_MOST_SIDES = 64 };

/* Returns the bytes needed. `sides` is clamped to 3 ... TAC_PYRAMID_MOST_SIDES. */
size_t tac_law_pyramid_room(int count, int sides);
/* Sets the iterate's forces, which lie in their friction cones. Grabbed contacts get zero force. The report counts
 * pivots as steps. The report is marked as infeasible if Lemke's method ends on a ray or at the pivot limit. Residuals
 * are not computed. */
tacContactReport tac_law_pyramid_improve(tacLawIterate *iterate, int sides, int most_pivots, tacArena *arena);
