/* Penalty contact of a shell's points with a field (Barbic 2007, sections 3.5, 4.1, 4.2), as the gradient of a
 * potential; and Coulomb friction, which the thesis leaves for later.
 *
 * A point of the depth d > 0 (minus the field's value) and of weight w (its area over a fixed one) has the energy
 *     phi(d) = integral of g d from 0,
 * of unit stiffness, where g rises from 0 to 1, with continuous slope, over a small depth (`ramp`). All together
 * have
 *     U = k max sum a phi(d),   over 0 <= a <= w with  sum w (a / w)^(3/2) <= L.
 * Up to L points (sum of w) that is a = w: each has its stiffness k w, as in the thesis. More of them share:
 *     a = w min(1, (phi / e)^2),   e such that  sum w min(1, (phi / e)^3) = L,
 * and by the envelope theorem the force is
 *     f = -dU = -k sum a g d grad d,
 * as if shares did not change. So the work round a closed way is zero, whichever points come and go on it; each
 * point only repels; forces are continuous in all depths and weights, and points come and go with a force of zero. U
 * depends on areas alone: a point that gives way to others of the same depth and area changes nothing. A small deep
 * contact keeps its stiffness beside a large shallow one, which the thesis's L / max(L, l) takes from it. Points of
 * one depth d push with
 *     k d L max(1, W / L)^(1/3),   W = sum of w,
 * and sum a is never more: L k in the thesis. docs/distributed_contact.md tells why not here.
 *
 * How stiff it is. With t = d / ramp, phi'' = g + d g' <= 27/16 and phi'^2 / phi <= 3; without the ramp they are 1
 * and 2. By depths, U has second derivatives
 *     k (a phi'' delta_ij + 2 a phi'^2 / phi delta_ij - 2 v_i v_j / sum a phi),   v = a phi',
 * the last two for points below e, where together they are not negative. So with one body at rest and the other
 * moving by dx without turning, and gradients no longer than 1, |dF| <= k sum a (phi'' + 2 phi'^2 / phi) |dx| <= 8 k
 * |dx| sum a where points are pushed along gradients, and 14 k |dx| sum a whichever way they are.
 *
 * Which way. In the thesis n is the shell's normal N at the point, whose work round a closed way is not zero. Here n is N only while it
 * is within half of the cone of friction about -m, where m is the way out at the point, a gradient of the field, and else the direction
 * of that cone that is nearest to N: tac_penalty_direction. The force along n is as long as it takes for its part along the gradient
 * to be that of U (tac_penalty_steep), and across it the part that drives is at most half of what friction takes when the point
 * slides. docs/distributed_contact.md has the reasons, and what is left.
 *
 * Friction. A point in contact has an anchor, a material point of the field's body, where it came in. While it
 * sticks a spring pulls it there: f_t = -c u, c = k_t a g, u = the part of (point - anchor) normal to n. Where |f_t|
 * would exceed mu |f|, which is where k_t |u| > mu k |d|, the anchor is dragged after the point, so that it equals
 * mu |f|: the point slides. The law is that of coulomb.h, as in the other method of contact. Where c changes, u is
 * scaled such that c u^2 does not: a load that changes neither gives energy to the spring nor takes it. */
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
  tacVec3 anchor; /* where the field's body has it now; `at` where it is new */
  double grip;    /* N/m: c in the tick before; 0 where it is new */
  double share;   /* result: a */
  double energy;  /* result: phi, m^2 */
  double alone;   /* result: N/m, what is in its stiffness because its share would rise while others stay; 0 at e */
} tacPenaltyPoint;

typedef struct tacPenaltyReport {
  double counted; /* sum of w */
  double shared;  /* sum of a */
  double energy;  /* J: U */
  double below;   /* J: of U, what points below e have */
  tacVec3 push;   /* N: the force of those points along their n, together, */
  tacVec3 turn;   /* N m: and its torque about the origin */
  double held;    /* J: in the springs of friction, sum of c u^2 / 2 */
  int sticking, sliding;
  double rubs;  /* N/m: what the springs of friction of points that slide would resist with if they stuck */
  double depth; /* the deepest */
} tacPenaltyReport;

/* n, for a shell's normal N and the way out m of the field, both unit: continuous in both. */
tacVec3 tac_penalty_direction(const tacPenaltyDef *def, tacVec3 normal, tacVec3 out);

/* Whether n is within that cone about this gradient of the field. By the part across n, for directions are kept in
 * single precision, and their lengths would tell more than their slopes do. */
static inline bool tac_penalty_holds(const tacPenaltyDef *def, tacVec3 n, tacVec3 gradient) {
  const double slope = def->tangential > 0.0 ? 0.5 * def->friction : 0.0, c = -tac_vec3_dot(n, gradient);
  return c > 0.0 && tac_vec3_norm2(tac_vec3_cross(n, gradient)) <= (slope * slope + 1e-14) * (c * c);
}
/* How much longer than the slope of the energy by depth a force along n is, so that its part along the gradient is
 * that of the energy by place: |gradient| / cos(n, -gradient). 1 where n does not face the gradient. */
static inline double tac_penalty_steep(tacVec3 n, tacVec3 gradient) {
  const double c = -tac_vec3_dot(n, gradient);
  return c > 0.0 ? tac_vec3_norm2(gradient) / c : 1.0;
}

/* Tick. springs[count]: force and multiplane stiffness of each: k a (phi'' + 2 phi'^2 / phi) n n^T, the second
 * (`alone`) below e only, and c (I - n n^T) while it sticks, c (I - n n^T - t t^T) while it slides along t: a way
 * across turns the force of friction, which keeps its length. Points that share answer each other: of the sum of
 * all, by any coordinates, -2 F F^T / `below` is to be taken, F the force of the parts along n of those below e.
 * What is left is not negative (Cauchy and Schwarz), and where all go in alike it is k a phi'' of each: `along` less
 * `alone`. Anchors are moved, those of sticking points too (to where u is all of point - anchor), and grips set: the
 * caller keeps both for the next tick. `slides` [count] may be NULL; no point slides or sticks without friction. */
tacPenaltyReport tac_penalty_evaluate(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                      tacContactSpring *springs, bool *slides);

/* ---- exact gradients (4.3 to 4.10 and those by reduced coordinates), without friction ----
 *
 * Everything that moves: the shell's body (dx, domega about its reference, dq) and the field's body likewise. For each
 * point the caller gives how its place, normal and value answer. */
typedef struct tacPenaltyMotion {
  int n;                /* unknowns in all */
  const double *place;  /* [count][3][n]: d(at) of the material point of the shell */
  const double *normal; /* [count][3][n]: d(n) */
  const double *value;  /* [count][n]: d(d), the field's value there, both bodies moving */
} tacPenaltyMotion;
/* d(force on the shell's point i), by all unknowns: [count][3][n], with the change of shares; `steep` is held. Sets
 * results of the points. Offline or tick (no allocation): `work` [n]. */
void tac_penalty_force_gradient(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                const tacPenaltyMotion *motion, double *work, double *gradient);
