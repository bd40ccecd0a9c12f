/* Penalty contact of a shell's points with a field (Barbic 2007, sections 3.5, 4.1, 4.2), as the gradient of a
 * potential; plus Coulomb friction, which the thesis omits.
 *
 * A point of depth d > 0 (minus the field's value) and weight w (its area divided by a fixed area) has the energy
 *     phi(d) = integral of g d from 0,
 * of unit stiffness. g rises from 0 to 1, with continuous slope, over a small depth (`ramp`). The total energy is
 *     U = k max sum a phi(d),   over 0 <= a <= w with  sum w (a / w)^(3/2) <= L.
 * Up to L points (sum of w) a = w: each has its stiffness k w, as in the thesis. Above L, points share the stiffness:
 *     a = w min(1, (phi / e)^2),   e such that  sum w min(1, (phi / e)^3) = L,
 * and by the envelope theorem the force is
 *     f = -dU = -k sum a g d grad d,
 * as if shares were constant. So the work along a closed path is zero, even if points enter and leave contact. A point
 * only pushes, never pulls. Forces are continuous in all depths and weights, and points enter and leave contact with
 * zero force. U depends only on areas: replacing a point by several points of the same depth and total area changes
 * nothing. A small deep contact keeps its stiffness if there is also a large shallow contact; the factor L / max(L, l)
 * of the thesis would reduce it. Points of equal depth d have the total force
 *     k d L max(1, W / L)^(1/3),   W = sum of w.
 * sum a is at most L max(1, W / L)^(1/3); in the thesis all stiffnesses add up to at most L k.
 * docs/distributed_contact.md explains the difference.
 *
 * Stiffness. With t = d / ramp, phi'' = g + d g' <= 27/16 and phi'^2 / phi <= 3; without the ramp they are 1 and 2. The
 * second derivatives of U by the depths are
 *     k (a phi'' delta_ij + 2 a phi'^2 / phi delta_ij - 2 v_i v_j / sum a phi), v = a phi'.
 * The last two terms apply only to points with phi < e; their sum is positive semidefinite. Let one body rest and the
 * other move by dx without rotation, and let gradients have at most length 1. If points are pushed along gradients,
 * |dF| <= k sum a (phi'' + 2 phi'^2 / phi) |dx| <= 8 k |dx| sum a. In any other direction |dF| <= 14 k |dx| sum a.
 *
 * Direction. In the thesis n is the shell's normal N at the point; the work of this force along a closed path is not
 * zero. Here n is N only within half of the friction cone about -m, where m is the gradient of the field, which points
 * out of it. Otherwise n is the direction of that cone nearest to N: tac_penalty_direction. The force along n is scaled
 * such that its component along the gradient equals that of -dU (tac_penalty_steep). Its component across the gradient
 * has at most half of the power that friction dissipates when the point slides. docs/distributed_contact.md gives the
 * reasons and the remaining error.
 *
 * Friction. A point in contact has an anchor: the material point of the field's body where contact began. While the
 * point sticks, a spring pulls it to the anchor: f_t = -c u, c = k_t a g, u = the part of (point - anchor) normal to n.
 * Where |f_t| would exceed mu |f|, that is k_t |u| > mu k |d|, the anchor is dragged after the point until |f_t| = mu
 * |f|: the point slides. The law is that of contact/laws/coulomb.h, which the other contact method also uses. When c
 * changes, u is scaled to keep c u^2, so that a change of load neither gives energy to the spring nor takes it. */
#pragma once

#include "contact/contact_spring.h"
#include "math/geometry/vec3.h"

typedef struct tacPenaltyDef {
  double stiffness;  /* k, N/m of one point; default 1000 */
  double full_count; /* L; default 10 */
  double ramp;       /* m; 0: none, as in the thesis; default 0.1 mm */
  double friction;   /* mu; default 0 */
  double tangential; /* k_t / k; default 0.5 */
} tacPenaltyDef;
tacPenaltyDef tac_penalty_def_default(void);

/* A point in contact, world frame. */
typedef struct tacPenaltyPoint {
  tacVec3 at;
  tacVec3 normal; /* n: tac_penalty_direction */
  double depth;   /* -d, m, positive */
  double weight;  /* w */
  double steep;   /* tac_penalty_steep */
  tacVec3 anchor; /* present position of the anchor on the field's body; equals `at` for a new point */
  double grip;    /* N/m: c in the previous tick; 0 if new */
  double share;   /* result: a */
  double energy;  /* result: phi, m^2 */
  double alone;   /* result: N/m, part of the stiffness due to the rise of its own share; 0 unless phi < e */
} tacPenaltyPoint;

typedef struct tacPenaltyReport {
  double counted; /* sum of w */
  double shared;  /* sum of a */
  double energy;  /* J: U */
  double below;   /* J: part of U due to points with phi < e */
  tacVec3 push;   /* N: total force of those points along their n */
  tacVec3 turn;   /* N m: torque of `push` about the origin */
  double held;    /* J: energy in friction springs, sum of c u^2 / 2 */
  int sticking, sliding;
  double rubs;  /* N/m: stiffness that the friction springs of sliding points would have if they stuck */
  double depth; /* m: largest depth */
} tacPenaltyReport;

/* Returns n for the shell's normal N and the direction m out of the field, both unit. n is continuous in N and m. */
tacVec3 tac_penalty_direction(const tacPenaltyDef *def, tacVec3 normal, tacVec3 out);

/* Whether n is within half of the friction cone about the negative gradient of the field. Uses the cross product:
 * stored directions have single precision, and their length errors would exceed the slopes. */
static inline bool tac_penalty_holds(const tacPenaltyDef *def, tacVec3 n, tacVec3 gradient) {
  const double slope = def->tangential > 0.0 ? 0.5 * def->friction : 0.0, c = -tac_vec3_dot(n, gradient);
  return c > 0.0 && tac_vec3_norm2(tac_vec3_cross(n, gradient)) <= (slope * slope + 1e-14) * (c * c);
}
/* Ratio of the force along n to the derivative of the energy by depth: |gradient| / cos(n, -gradient). With this ratio
 * the component of the force along the gradient is the derivative of the energy by position. 1 if n does not face the
 * gradient. */
static inline double tac_penalty_steep(tacVec3 n, tacVec3 gradient) {
  const double c = -tac_vec3_dot(n, gradient);
  return c > 0.0 ? tac_vec3_norm2(gradient) / c : 1.0;
}

/* Tick. springs[count]: force and multiplane stiffness of each point: k a (phi'' + 2 phi'^2 / phi) n n^T, the second
 * term (`alone`) only for phi < e; plus c (I - n n^T) if it sticks, c (I - n n^T - t t^T) if it slides along t: motion
 * across t turns the friction force, which keeps its length. Points with phi < e share the stiffness and are therefore
 * coupled. To include this, subtract 2 F F^T / `below` from the sum of all stiffnesses, in any coordinates; F is the
 * total force of these points along their n. The difference is positive semidefinite (Cauchy-Schwarz). If phi of all
 * these points changes by the same ratio, each point contributes k a phi''. Updates anchors and grips, which the caller
 * keeps for the next tick. The anchor of a sticking point moves to point - u. `slides` [count] may be NULL. Without
 * friction no point slides or sticks. */
tacPenaltyReport tac_penalty_evaluate(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                      tacContactSpring *springs, bool *slides);

/* ---- exact gradients (4.3 to 4.10, and by reduced coordinates), without friction ----
 *
 * The unknowns are the motions of the shell's body (dx, domega about its reference, dq) and of the field's body. For
 * each point the caller gives the derivatives of place, normal and value. */
typedef struct tacPenaltyMotion {
  int n;                /* number of unknowns */
  const double *place;  /* [count][3][n]: derivative of `at` of the shell's material point */
  const double *normal; /* [count][3][n]: derivative of the normal n */
  const double *value;  /* [count][n]: derivative of the field's value by the motion of both bodies */
} tacPenaltyMotion;
/* Computes `gradient` [count][3][n]: derivative of the force on each shell point by all unknowns. Includes the change
 * of shares, and treats `steep` as constant. Sets the points' results. Offline or tick (no allocation): `work` [n]. */
void tac_penalty_force_gradient(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                const tacPenaltyMotion *motion, double *work, double *gradient);
