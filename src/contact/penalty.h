/* Penalty contact of a shell's points with a field (Barbic 2007, sections 3.5, 4.1, 4.2), as the gradient of a
 * potential; plus Coulomb friction, which the thesis omits.
 *
 * A point of depth d > 0 (minus the field's value) and weight w (its area over a fixed one) has the energy
 *     phi(d) = integral of g d from 0,
 * of unit stiffness. g rises from 0 to 1, with continuous slope, over a small depth (`ramp`). The total energy is
 *     U = k max sum a phi(d),   over 0 <= a <= w with  sum w (a / w)^(3/2) <= L.
 * Up to L points (sum of w) a = w: each has its stiffness k w, as in the thesis. Beyond that they share:
 *     a = w min(1, (phi / e)^2),   e such that  sum w min(1, (phi / e)^3) = L,
 * and by the envelope theorem the force is
 *     f = -dU = -k sum a g d grad d,
 * as if shares were constant. So the work round a closed path is zero, whichever points come and go on it. Each point
 * only repels. Forces are continuous in all depths and weights, and points come and go with zero force. U depends only
 * on areas: replacing a point by others of the same depth and total area changes nothing. A small deep contact keeps
 * its stiffness beside a large shallow one; L / max(L, l) of the thesis reduces it. Points of one depth d push with
 *     k d L max(1, W / L)^(1/3),   W = sum of w.
 * sum a is at most L max(1, W / L)^(1/3); in the thesis all stiffnesses add up to at most L k.
 * docs/distributed_contact.md explains the difference.
 *
 * Stiffness. With t = d / ramp, phi'' = g + d g' <= 27/16 and phi'^2 / phi <= 3; without the ramp they are 1 and 2. By
 * depths, U has second derivatives
 *     k (a phi'' delta_ij + 2 a phi'^2 / phi delta_ij - 2 v_i v_j / sum a phi),   v = a phi',
 * the last two for points below e, where their sum is positive semidefinite. So with one body at rest and the other
 * moving by dx without rotation, and gradients of length at most 1, |dF| <= k sum a (phi'' + 2 phi'^2 / phi) |dx| <= 8
 * k |dx| sum a if points are pushed along gradients, and 14 k |dx| sum a in any direction.
 *
 * Direction. In the thesis n is the shell's normal N at the point, whose work round a closed path is not zero. Here n
 * is N only within half of the friction cone about -m, where m is the way out at the point, a gradient of the field.
 * Otherwise n is the direction of that cone nearest to N: tac_penalty_direction. The length of the force along n makes
 * its part along the gradient that of U (tac_penalty_steep). Across the gradient, the driving part is at most half of
 * what friction dissipates when the point slides. docs/distributed_contact.md gives the reasons and the remaining
 * error.
 *
 * Friction. A point in contact has an anchor, a material point of the field's body, where it came in. While it sticks,
 * a spring pulls it there: f_t = -c u, c = k_t a g, u = the part of (point - anchor) normal to n. Where |f_t| would
 * exceed mu |f|, that is k_t |u| > mu k |d|, the anchor is dragged after the point until |f_t| = mu |f|: the point
 * slides. The law is that of coulomb.h, as in the other contact method. When c changes, u is scaled to keep c u^2, so
 * that a change of load neither gives energy to the spring nor takes it. */
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
  tacVec3 anchor; /* its present position on the field's body; `at` if new */
  double grip;    /* N/m: c in the previous tick; 0 if new */
  double share;   /* result: a */
  double energy;  /* result: phi, m^2 */
  double alone;   /* result: N/m, part of its stiffness due to its share rising with the others fixed; 0 at e */
} tacPenaltyPoint;

typedef struct tacPenaltyReport {
  double counted; /* sum of w */
  double shared;  /* sum of a */
  double energy;  /* J: U */
  double below;   /* J: part of U of points below e */
  tacVec3 push;   /* N: total force of those points along their n */
  tacVec3 turn;   /* N m: torque of `push` about the origin */
  double held;    /* J: in friction springs, sum of c u^2 / 2 */
  int sticking, sliding;
  double rubs;  /* N/m: stiffness that the friction springs of sliding points would have if they stuck */
  double depth; /* the largest */
} tacPenaltyReport;

/* n, for a shell's normal N and the way out m of the field, both unit; continuous in both. */
tacVec3 tac_penalty_direction(const tacPenaltyDef *def, tacVec3 normal, tacVec3 out);

/* Whether n is within that cone about this gradient of the field. Uses the part across n, since stored directions are
 * single precision, and their length errors would exceed the slopes. */
static inline bool tac_penalty_holds(const tacPenaltyDef *def, tacVec3 n, tacVec3 gradient) {
  const double slope = def->tangential > 0.0 ? 0.5 * def->friction : 0.0, c = -tac_vec3_dot(n, gradient);
  return c > 0.0 && tac_vec3_norm2(tac_vec3_cross(n, gradient)) <= (slope * slope + 1e-14) * (c * c);
}
/* Ratio of a force along n to the slope of the energy by depth, such that its part along the gradient is that of the
 * energy by place:
 * gradient| / cos(n, -gradient). 1 if n does not face the gradient. */
static inline double tac_penalty_steep(tacVec3 n, tacVec3 gradient) {
  const double c = -tac_vec3_dot(n, gradient);
  return c > 0.0 ? tac_vec3_norm2(gradient) / c : 1.0;
}

/* Tick. springs[count]: force and multiplane stiffness of each point: k a (phi'' + 2 phi'^2 / phi) n n^T, the second
 * term (`alone`) only below e; plus c (I - n n^T) if it sticks, c (I - n n^T - t t^T) if it slides along t: motion
 * across t turns the friction force, which keeps its length. Sharing points are coupled: from the sum of all, in any
 * coordinates, subtract 2 F F^T / `below`, F being the force of the parts along n of points below e. The rest is
 * positive semidefinite (Cauchy-Schwarz); if all points go in alike it is k a phi'' of each: `along` less `alone`.
 * Moves anchors, also those of sticking points (to where u is all of point - anchor), and sets grips; the caller keeps
 * both for the next tick. `slides` [count] may be NULL. Without friction no point slides or sticks. */
tacPenaltyReport tac_penalty_evaluate(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                      tacContactSpring *springs, bool *slides);

/* ---- exact gradients (4.3 to 4.10 and those by reduced coordinates), without friction ----
 *
 * Unknowns are all motions: of the shell's body (dx, domega about its reference, dq) and of the field's body. For each
 * point the caller gives the derivatives of place, normal and value. */
typedef struct tacPenaltyMotion {
  int n;                /* number of unknowns */
  const double *place;  /* [count][3][n]: d(at), of the shell's material point */
  const double *normal; /* [count][3][n]: d(n) */
  const double *value;  /* [count][n]: d(d), of the field's value, both bodies moving */
} tacPenaltyMotion;
/* d(force on the shell's point i) by all unknowns: [count][3][n], with the change of shares; `steep` is constant. Sets
 * the points' results. Offline or tick (no allocation): `work` [n]. */
void tac_penalty_force_gradient(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                const tacPenaltyMotion *motion, double *work, double *gradient);
