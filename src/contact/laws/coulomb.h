/* Laws of Signorini and Coulomb at one contact (Duriez, Dubois, Kheddar and Andriot 2006, sections 3 and 4).
 *
 * The contact has the frame (n, t1, t2). The normal n points out of the second body into the first. f is the force of
 * the second body on the first (N). u is the motion in the step (m): u_n is the gap at the end of the step, and u_t the
 * slip during the step. The laws are
 *     0 <= u_n  perpendicular to  f_n >= 0,     |f_t| <= mu f_n,
 *     u_t = -lambda f_t,   lambda >= 0,   lambda = 0 if |f_t| < mu f_n.
 * If f_n = 0, u_t is arbitrary. The bodies respond by u = u0 + w f. w is symmetric and positive definite (m/N). */
#pragma once

#include <math.h>
#include <stdbool.h>
#include "contact/laws/frictional_problem.h"
#include "math/geometry/mat3.h"

/* Returns the factor that reduces a tangential force of squared length `tangential2` (N^2) to mu times the normal force
 * `pressing` (N). The factor is 1 if the force is within this limit, so that the contact sticks. Without normal force,
 * the factor is 0. */
static inline double tac_coulomb_cut(double friction, double pressing, double tangential2) {
  double most = pressing > 0.0 ? friction * pressing : 0.0;
  return tangential2 > most * most ? most / sqrt(tangential2) : 1.0;
}

/* A block w, prepared for many solutions. If u_n = 0, the tangential compliance is the Schur complement
 * S = w_tt - w_tn w_nt / w_nn. In the axes of S, only w_nt couples the three directions. */
typedef struct tacCoulombBlock {
  double normal, per_normal;     /* w_nn; 1 / w_nn */
  double couple[2], coupling;    /* `couple`: w_nt along the axes of S; `coupling`: length of w_nt */
  double shear[2], per_shear[2]; /* eigenvalues of S, the larger first; inverse eigenvalues */
  double axis[2];                /* first axis of S in (t1, t2); the second axis is (-axis[1], axis[0]) */
} tacCoulombBlock;

/* Prepares the block from the upper triangle of w. Eigenvalues of S are limited from below by the round-off. Returns
 * false if w_nn <= 0 or an entry is not finite (or beyond 1e100). tac_coulomb_block_solve rejects the block then. */
bool tac_coulomb_block_prepare(const tacMat3 *w, tacCoulombBlock *block);

/* Solves the laws for the free motion u0 up to round-off: the residual of u = u0 + w f is about
 * (1 + mu) eps (|u0| + |w| |f|) for any condition number of w.
 *
 * If u0_n < 0, a solution exists for every positive definite w and every mu (see coulomb.c). The solution is unique if
 * mu |w_nt| / w_nn is below the ratio of the smaller to the larger eigenvalue of S. Otherwise several solutions may
 * exist. If u0_n >= 0, the solution is f = 0, even if wedging could hold the contact closed. Without friction a
 * pressing contact slides.
 *
 * `lambda` (m/N): initial value of the search, 0 if unknown. On return, `lambda` belongs to the solution: 0 if the
 * contact sticks. `force` is always finite, and in the cone up to round-off. Returns false, with f = 0, if u0 or mu is
 * not finite, if mu < 0, or if u0_n < 0 and the block is rejected. */
bool tac_coulomb_block_solve(const tacCoulombBlock *block, double friction, const double u0[3], double *lambda,
                             double force[3], tacContactState *state);

/* Returns the residual of the laws for (u, f): the largest change of a component of u (m) and of f (N) that makes the
 * laws hold. Some violations can be removed by a change of either u or f: a gap under pressure, slip with friction
 * inside the cone, slip not opposite to friction. Such a violation counts in the unit in which it is the smaller
 * fraction of the tolerance. So the laws hold within the tolerances if and only if both residuals are within their
 * tolerances. Both tolerances must be positive. */
tacContactMeasure tac_coulomb_residual(const double u[3], const double force[3], double friction,
                                       tacContactMeasure tolerance);
