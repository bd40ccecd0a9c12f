/* Penalty contact of a shell's points with a distance field (Barbic 2007, sections 3.5, 4.1, 4.2). The forces derive
 * from a potential. Coulomb friction is added, which the thesis omits.
 *
 * Energy. A point has the depth d > 0 (minus the field's value) and the weight w (its area divided by a fixed area).
 * For unit stiffness, its energy is
 *     phi(d) = integral of g d from 0.
 * g rises from 0 to 1, with continuous slope, over a small depth (`ramp`). The total energy is
 *     U = k max sum a phi(d),   over 0 <= a <= w with  sum w (a / w)^(3/2) <= L.
 * If the sum of w is at most L, then a = w: each point has its stiffness k w, as in the thesis. Otherwise the points
 * share the stiffness:
 *     a = w min(1, (phi / e)^2),   e such that  sum w min(1, (phi / e)^3) = L.
 * By the envelope theorem, the force is
 *     f = -dU = -k sum a g d grad d,
 * as if all a were constant.
 *
 * Properties. The work along a closed path is zero, even if points enter and leave contact. A point pushes and never
 * pulls. Forces are continuous functions of all depths and weights. Points enter and leave contact with zero force. U
 * depends only on areas: several points of the same depth and the same total area can replace a point. A small deep
 * contact keeps its stiffness if a large shallow contact is added. The factor L / max(L, l) of the thesis would reduce
 * this stiffness. Points of equal depth d have the total force
 *     k d L max(1, W / L)^(1/3),   W = sum of w.
 * The sum of a is at most L max(1, W / L)^(1/3). In the thesis, all stiffnesses add up to at most L k.
 * docs/distributed_contact.md explains the difference.
 *
 * Stiffness. With t = d / ramp, phi'' = g + d g' <= 27/16 and phi'^2 / phi <= 3. Without the ramp, the bounds are 1 and
 * 2. The second derivatives of U with respect to the depths are
 *     k (a phi'' delta_ij + 2 a phi'^2 / phi delta_ij - 2 v_i v_j / sum a phi), v = a phi'.
 * The last two terms apply only to points with phi < e, and their sum is positive semidefinite. Let one body rest, let
 * the other body move by dx without rotation, and let gradients have at most length 1. If points are pushed along
 * gradients, |dF| <= k sum a (phi'' + 2 phi'^2 / phi) |dx| <= 8 k |dx| sum a. In any other direction
 * |dF| <= 14 k |dx| sum a.
 *
 * Direction. In the thesis, the direction n of the force is the shell's normal N at the point. The work of such a force
 * along a closed path is not zero. Here, let m be the gradient of the field, which points out of the field's body. If N
 * lies within half of the friction cone about -m (slope at most mu / 2), then n = N. Otherwise n is the direction of
 * this half cone that is nearest to N (tac_penalty_direction). The force along n is scaled such that its component
 * along the gradient equals the component of -dU (tac_penalty_steep). Its component across the gradient has at most
 * half of the power that friction dissipates when the point slides. docs/distributed_contact.md gives the reasons and
 * the remaining error.
 *
 * Friction. A point in contact has an anchor: the material point of the field's body at which contact began. As long as
 * the point sticks, a spring pulls the point to the anchor: f_t = -c u, c = k_t a g. u is the component of (point -
 * anchor) perpendicular to n. If |f_t| would exceed mu |f|, that is k_t |u| > mu k |d|, the point slides: the anchor
 * follows the point such that |f_t| = mu |f|. This is the law of contact/laws/coulomb.h. If c changes, u is scaled such
 * that c u^2 is constant. So a change of load does not change the energy of the spring. */
#pragma once

#include "contact/contact_spring.h"
#include "math/geometry/vec3.h"

typedef struct tacPenaltyDef {
  double stiffness;  /* stiffness k of one point, N/m; default 1000 */
  double full_count; /* L: number of points that get their full stiffness; default 10 */
  double ramp;       /* depth over which g rises, m; 0: no ramp, as in the thesis; default 0.1 mm */
  double friction;   /* Coulomb coefficient mu; default 0 */
  double tangential; /* ratio k_t / k; default 0.5 */
} tacPenaltyDef;
tacPenaltyDef tac_penalty_def_default(void);

/* A point in contact. Vectors are in the world frame. */
typedef struct tacPenaltyPoint {
  tacVec3 at;
  tacVec3 normal; /* direction n of the force, from tac_penalty_direction */
  double depth;   /* depth d, m, positive */
  double weight;  /* weight w: area divided by a fixed area */
  double steep;   /* ratio of forces from tac_penalty_steep */
  tacVec3 anchor; /* present position of the anchor on the field's body; equals `at` for a new point */
  double grip;    /* c in the previous tick, N/m; 0 for a new point */
  double share;   /* result: effective weight a */
  double energy;  /* result: energy phi for unit stiffness, m^2 */
  /* result: part of the point's stiffness that is due to the increase of its own a, N/m; 0 unless phi < e */
  double alone;
} tacPenaltyPoint;

typedef struct tacPenaltyReport {
  double counted; /* sum of w over all points */
  double shared;  /* sum of a over all points */
  double energy;  /* energy U, J */
  double below;   /* part of U due to points with phi < e, J */
  tacVec3 push;   /* total force along n of the points with phi < e, N */
  tacVec3 turn;   /* torque of `push` about the origin, N m */
  double held;    /* energy in friction springs, sum of c u^2 / 2, J */
  int sticking, sliding;
  /* stiffness that the friction springs of sliding points would have if these points stuck, N/m */
  double rubs;
  double depth; /* largest depth, m */
} tacPenaltyReport;

/* Returns the direction n for the shell's normal N (`normal`) and the outward direction m of the field (`out`). All are
 * unit vectors. n is continuous in N and m. */
tacVec3 tac_penalty_direction(const tacPenaltyDef *def, tacVec3 normal, tacVec3 out);

/* True if n lies within half of the friction cone about the negative gradient of the field. Uses the cross product,
 * because the lengths of stored directions have single-precision errors, which would exceed the slopes. */
static inline bool tac_penalty_holds(const tacPenaltyDef *def, tacVec3 n, tacVec3 gradient) {
  const double slope = def->tangential > 0.0 ? 0.5 * def->friction : 0.0, c = -tac_vec3_dot(n, gradient);
  return c > 0.0 && tac_vec3_norm2(tac_vec3_cross(n, gradient)) <= (slope * slope + 1e-14) * (c * c);
}
/* Returns the ratio of the force along n to the derivative of the energy with respect to depth: |gradient| / cos(n,
 * -gradient). With this ratio, the component of the force along the gradient is the derivative of the energy with
 * respect to position. Returns 1 if n is 90 degrees or more from -gradient. */
static inline double tac_penalty_steep(tacVec3 n, tacVec3 gradient) {
  const double c = -tac_vec3_dot(n, gradient);
  return c > 0.0 ? tac_vec3_norm2(gradient) / c : 1.0;
}

/* Computes springs[count], the force and multiplane stiffness of each point. Call in ticks. The stiffness is
 *     k a (phi'' + 2 phi'^2 / phi) n n^T + c (I - n n^T),
 * where the term 2 phi'^2 / phi (`alone`) applies only if phi < e. If the point slides along t, the second term becomes
 * c (I - n n^T - t t^T): motion across t turns the friction force without a change of its length.
 *
 * Points with phi < e share the stiffness and are therefore coupled. To include the coupling, subtract 2 F F^T /
 * `below` from the sum of all stiffnesses, in any coordinates. F is the total force of these points along their n. The
 * difference is positive semidefinite (Cauchy-Schwarz). If phi of all these points changes by the same ratio, each
 * point contributes k a phi''.
 *
 * Updates `anchor` and `grip`, which the caller must store for the next tick. The anchor of a sticking point moves to
 * point - u. `slides` [count] may be NULL. Without friction, no point slides or sticks. */
tacPenaltyReport tac_penalty_evaluate(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                      tacContactSpring *springs, bool *slides);

/* ---- exact gradients of the forces without friction: (4.3) to (4.10), and reduced coordinates ----
 *
 * The unknowns are the motions of the shell's body (dx, domega about its reference point, dq) and of the field's body.
 * For each point, the caller provides the derivatives of position, normal and field value with respect to the
 * unknowns. */
typedef struct tacPenaltyMotion {
  int n;                /* number of unknowns */
  const double *place;  /* [count][3][n]: derivative of the position `at` of the shell's material point */
  const double *normal; /* [count][3][n]: derivative of the normal n */
  const double *value;  /* [count][n]: derivative of the field's value, due to the motion of both bodies */
} tacPenaltyMotion;
/* Computes `gradient` [count][3][n]: derivative of the force on each shell point with respect to the unknowns. Includes
 * the change of a, and treats `steep` as constant. Sets the points' results. May be called in ticks: does not allocate.
 * `work` [n]. */
void tac_penalty_force_gradient(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                const tacPenaltyMotion *motion, double *work, double *gradient);
