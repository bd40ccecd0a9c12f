/* The laws of Signorini and Coulomb at one contact (Duriez, Dubois, Kheddar and Andriot 2006, sections 3 and 4), for
 * both contact methods.
 *
 * In the contact's frame (n, t1, t2), n out of the second body into the first: f is the force of the second body on the
 * first (N). u is the motion in the step (m): u_n is the gap at its end, u_t the slip during the step. The laws are
 *     0 <= u_n  perpendicular to  f_n >= 0,     |f_t| <= mu f_n,
 *     u_t = -lambda f_t,   lambda >= 0,   lambda = 0 where |f_t| < mu f_n,
 * and u_t is arbitrary if f_n = 0. The bodies respond by u = u0 + w f, with w symmetric and positive definite (m/N). */
#pragma once

#include <math.h>
#include <stdbool.h>
#include "contact/laws/frictional_problem.h"
#include "math/geometry/mat3.h"

/* Factor that reduces a tangential force of squared length `tangential2` (N^2) to mu times the normal force `pressing`
 * (N): 1 if the force is already within this limit, which means sticking; 0 without normal force. */
static inline double tac_coulomb_cut(double friction, double pressing, double tangential2) {
  double most = pressing > 0.0 ? friction * pressing : 0.0;
  return tangential2 > most * most ? most / sqrt(tangential2) : 1.0;
}

/* A block w, prepared for many solutions. With u_n = 0 the tangential compliance is the Schur complement S = w_tt -
 * w_tn w_nt / w_nn; along its axes only w_nt couples. */
typedef struct tacCoulombBlock {
  double normal, per_normal;     /* w_nn and its inverse */
  double couple[2], coupling;    /* w_nt along the axes of S; its length */
  double shear[2], per_shear[2]; /* eigenvalues of S, larger first, and their inverses */
  double axis[2];                /* the first axis in (t1, t2); the second is (-axis[1], axis[0]) */
} tacCoulombBlock;

/* Uses the upper triangle of w. Eigenvalues of S below round-off are raised to it. Returns false, and a block that
 * tac_coulomb_block_solve rejects, if w_nn <= 0 or an entry is not finite (or beyond 1e100). */
bool tac_coulomb_block_prepare(const tacMat3 *w, tacCoulombBlock *block);

/* Solves the laws for the free motion u0 to round-off: the residual of u = u0 + w f is about (1 + mu) eps (|u0| + |w|
 * |f|), for any condition of w. For u0_n < 0 a solution exists for every positive definite w and every mu (see
 * coulomb.c). The solution is unique if mu |w_nt| / w_nn is below the ratio of the eigenvalues of S; else there may be
 * several. For u0_n >= 0 the solution is f = 0, even if wedging could hold the contact closed. *lambda (m/N): start of
 * the search (0 if unknown); the call sets it to lambda of the solution, which is 0 if the contact sticks. Returns
 * false, with f = 0, if u0 or mu is not finite, mu < 0, or u0_n < 0 with a rejected block. f is always finite, and in
 * the cone up to round-off. Without friction a pressing contact slides. */
bool tac_coulomb_block_solve(const tacCoulombBlock *block, double friction, const double u0[3], double *lambda,
                             double force[3], tacContactState *state);

/* Residual of the laws for (u, f): the largest change of a component of u (m) and of f (N) that makes the laws hold.
 * Some violations can be removed by a change of either u or f: a gap under pressure, slip with friction inside the
 * cone, slip not opposite to friction. They count in the unit where they are the smaller part of the tolerance. So the
 * laws hold within the tolerances if and only if both residuals are within their tolerances. Both tolerances must be
 * positive. */
tacContactMeasure tac_coulomb_residual(const double u[3], const double force[3], double friction,
                                       tacContactMeasure tolerance);
