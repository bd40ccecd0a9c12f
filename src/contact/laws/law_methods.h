/* Methods that solve the laws of many contacts, beside Gauss and Seidel's (contact/laws/gauss_seidel.h). Each takes an iterate, and of
 * the arena so many bytes as its `room` tells. */
#pragma once

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

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
 * place to begin at; and from there proximal points, each of them the solution of laws of u + p (f - the point before). What is
 * returned is the best that was met. */

/* All of it; only the steps on the states; or what comes after them. */
typedef enum tacLawNewtonPart { TAC_LAW_NEWTON_ALL, TAC_LAW_NEWTON_STATES, TAC_LAW_NEWTON_REST } tacLawNewtonPart;

/* Bytes that it takes, besides those of the iterate and of its equations (contact/laws/law_system.h). */
size_t tac_law_newton_room(int count);
/* Begins at the iterate's forces and leaves the best ones there, in their cones. Sweeps are in between, where steps come to a
 * halt. Infeasible: forces grow without bound or effect; returned are those of contacts that give way by W_ii / 10. The iterate is built where
 * tac_law_system_built says so, and not else. Without memory, or with an iterate that is not, nothing changes. */
tacContactReport tac_law_newton_improve(tacLawIterate *iterate, tacContactMeasure tolerance, int most_steps,
                                        tacLawNewtonPart part, tacArena *arena);

/* Contacts without friction: normals alone count, and the laws are the linear complementarity problem
 *     0 <= g + N f  _|_  f >= 0,     N_ij = n . W_ij n
 * of as many unknowns as contacts (Duriez et al. 2006, (18)). A few projected sweeps guess which contacts press, N f = -g is
 * solved for those at once, and sweeps correct the guess by what pulls and what penetrates. Where four guesses do not
 * settle, as with more contacts than coordinates, Lemke's method makes it (contact/laws/lemke.h). */
enum { TAC_FRICTIONLESS_MOST = 300 }; /* contacts */

/* Whether it is for a problem: none has friction or is grabbed, and there are not too many for a matrix of all. */
bool tac_law_frictionless_fits(const tacLawProblem *problem);
size_t tac_law_frictionless_room(int count);
/* Begins at the iterate's forces; takes at most 5 steps. */
tacContactReport tac_law_frictionless_improve(tacLawIterate *iterate, tacContactMeasure tolerance, tacArena *arena);

/* Gauss-Seidel as Duriez et al. 2006 print it (Algorithm 1): of the block W_ii only W_nn is used, and for both tangents
 * the mean of the two eigenvalues of its tangential part. A contact takes no inner iteration, and more sweeps. It begins
 * at the contacts' forces, and ends where the laws hold within the tolerance, not only where forces rest. For
 * comparison: where W_ii couples normal and tangents it need not converge. */
size_t tac_law_diagonal_room(int count);
tacContactReport tac_law_diagonal_improve(tacLawIterate *iterate, tacContactMeasure tolerance, int most_sweeps,
                                          tacArena *arena);

/* Coulomb's cone as a pyramid of k sides (Duriez et al. 2006, (22) to (24); Stewart and Trinkle 1996): a linear
 * complementarity problem of m (k + 2) unknowns,
 *     0 <= u_n  _|_ f_n >= 0,    0 <= l + t_r . u_t  _|_ b_r >= 0,    0 <= mu f_n - sum b_r  _|_ l >= 0,
 * f_t = sum b_r t_r with k directions t_r around the normal, solved by Lemke's method (contact/laws/lemke.h). For comparison:
 * friction of a contact that slides is opposite to its slip to an angle of pi / k alone. There is no warm start. */
enum { TAC_PYRAMID_MOST_SIDES = 64 };

/* Sides are brought to 3 ... TAC_PYRAMID_MOST_SIDES. */
size_t tac_law_pyramid_room(int count, int sides);
/* Sets the iterate's forces, which are inside of the cones; contacts that are grabbed have none. Steps are pivots; infeasible
 * where it ended on a ray, or at the bound on them. Residuals are not looked at. */
tacContactReport tac_law_pyramid_improve(tacLawIterate *iterate, int sides, int most_pivots, tacArena *arena);
