/* The laws of Signorini and Coulomb at one contact (Duriez, Dubois, Kheddar and Andriot 2006, sections 3 and 4), for
 * both methods of contact.
 *
 * In the contact's frame (n, t1, t2), n out of the second body into the first: f is the force on the first body by
 * the second (N), u what becomes of the contact over the step: u_n the gap at its end, u_t the slip over it (m). The
 * laws are
 *     0 <= u_n  perpendicular to  f_n >= 0,     |f_t| <= mu f_n,
 *     u_t = -lambda f_t,   lambda >= 0,   lambda = 0 where |f_t| < mu f_n,
 * and f_n = 0 lets u_t be anything. The bodies answer u = u0 + w f, with w symmetric and positive definite (m/N). */
#pragma once

#include <math.h>
#include <stdbool.h>
#include "contact/laws/frictional_problem.h"
#include "math/geometry/mat3.h"

/* What to scale a tangential force of squared length `tangential2` (N^2) by, so that it is within mu times the
 * pressing force (N): 1 where it is already, which is where it sticks; 0 where nothing presses. */
static inline double tac_coulomb_cut(double friction, double pressing, double tangential2) {
  double most = pressing > 0.0 ? friction * pressing : 0.0;
  return tangential2 > most * most ? most / sqrt(tangential2) : 1.0;
}

/* A block w, prepared for many solutions. With u_n held at 0 the contact gives way sideways by the Schur complement
 * S = w_tt - w_tn w_nt / w_nn; along its axes only w_nt couples. */
typedef struct tacCoulombBlock {
  double normal, per_normal;     /* w_nn and its inverse */
  double couple[2], coupling;    /* w_nt, along the axes of S, and its length */
  double shear[2], per_shear[2]; /* eigenvalues of S, larger first, and their inverses */
  double axis[2];                /* the first axis in (t1, t2); the second is (-axis[1], axis[0]) */
} tacCoulombBlock;

/* w: its upper triangle is used. Eigenvalues of S below round-off become what round-off is. Returns false, and a
 * block that tac_coulomb_block_solve refuses, where w_nn is not positive or an entry not finite (or beyond 1e100). */
bool tac_coulomb_block_prepare(const tacMat3 *w, tacCoulombBlock *block);

/* Solves the laws for the free motion u0, to round-off: the residual of u = u0 + w f is some (1 + mu) eps (|u0| + |w|
 * |f|), for any condition of w. Where u0_n < 0 a solution exists for every positive definite w and every mu (see
 * coulomb.c); it is the only one where mu |w_nt| / w_nn is below the ratio of the eigenvalues of S, else one of
 * several. Where u0_n >= 0 it is f = 0, also where wedging could hold the contact closed. *lambda (m/N) is where the
 * search begins, and is set to the solution's: 0 where it sticks; give 0 where nothing is known.
 * Returns false, with f = 0, where u0 or mu is not finite, or mu is negative, or u0_n < 0 and the block was refused.
 * f is never outside of the cone by more than round-off, never not finite. Without friction what presses slides. */
bool tac_coulomb_block_solve(const tacCoulombBlock *block, double friction, const double u0[3], double *lambda,
                             double force[3], tacContactState *state);

/* How far a pair (u, f) is from the laws: by how many metres and newtons it has to be changed, at the most in one of
 * its parts, so that they hold. What a change of either heals (a gap under pressure; slip while friction is inside of
 * the cone; slip that is not opposite to friction) is counted in the unit in which it is the smaller part of its
 * tolerance. So the laws hold within the tolerances exactly where both numbers are. As tolerance it stands for
 * itself; both are positive. */
tacContactMeasure tac_coulomb_residual(const double u[3], const double force[3], double friction,
                                       tacContactMeasure tolerance);
