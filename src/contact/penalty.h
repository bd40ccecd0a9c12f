/* Penalty contact of a shell's points with a field (Barbic 2007, sections 3.5, 4.1, 4.2), and Coulomb friction, which
 * the thesis leaves for later.
 *
 * A point with the value d < 0, direction n (unit, out of the shell's body) and weight w (its area over the mean area
 * of its level) is pushed by
 *     f = s k w g d n,   s = L / max(L, l),   l = sum w g(-d)
 * on the shell's body, and by the opposite on the field's. In the thesis g = 1, so that l jumps when a point enters,
 * and with it the whole force, by up to a tenth. Here g rises from 0 to 1, with continuous slope, over a small depth
 * (`ramp`): a point's weight fades in, in the sum of forces and in the count alike, and forces are continuous. Where
 * all points are deeper than the ramp, it is the thesis's. (With g in the count alone a flat contact of many points
 * would resist with k for each of them until they are counted, and then give way.)
 *
 * Which way. In the thesis n is the shell's normal N at the point. Depths fall along the field's gradient, so the work
 * of d N round a closed way is not zero, and where N is off -gradient by more than friction holds, contact gives
 * energy: an edge drives its own sliding, and a thin part that is entered from behind, where N points out of the
 * field's body, is drawn through it. So n is N only while it is within half of the cone of friction about -m, where m
 * is the way out at the point, a gradient of the field, and else the direction of that cone that is nearest to N:
 * tac_penalty_direction. Then along m the force has the potential s k w times the integral of g d, and across it the
 * part that drives is at most half of what friction takes when the point slides. docs/distributed_contact.md says what
 * is left.
 *
 * How stiff that is. With one body at rest and the other moving by dx without turning, and a field whose gradient is no
 * longer than 1,
 *     |dF| <= k L (3 + D G / l) |dx|,   D = |sum w g d n| / l,   G = sum w g',
 * where the last term is the change of s: it is there only while l > L, and G counts only points that are shallower
 * than the ramp: with M the sum of their w, ramp G <= 3 M / 2 and ramp G <= sqrt(12 M l). If all depths and normals are
 * equal it cancels, and the stiffness is k L or at most 3 k L while l < L. It lowers the force where many points come
 * in while others are deep, for L / l makes the force that of the mean depth; then a longer ramp makes it smoother.
 *
 * Friction. A point in contact has an anchor, a material point of the field's body, where it came in. While it sticks a
 * spring pulls it there: f_t = -c u, c = s k_t w g, u = the part of (point - anchor) normal to n. Where |f_t| would
 * exceed mu |f|, which is where k_t |u| > mu k |d|, the anchor is dragged after the point, so that it equals mu |f|:
 * the point slides. The law is that of coulomb.h, as in the other method of contact. Where c changes, u is scaled such that c u^2 does not: a load that changes neither gives energy to
 * the spring nor takes it. */
#ifndef TAC_CONTACT_PENALTY_H
#define TAC_CONTACT_PENALTY_H

#include "contact/contact_spring.h"

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
  tacVec3 anchor; /* where the field's body has it now; `at` where it is new */
  double grip;    /* N/m: c in the tick before; 0 where it is new */
} tacPenaltyPoint;

typedef struct tacPenaltyReport {
  double counted; /* l */
  double scale;   /* s */
  int sticking, sliding;
  double depth; /* the deepest */
} tacPenaltyReport;

/* n, for a shell's normal N and the way out m of the field, both unit: continuous in both. */
tacVec3 tac_penalty_direction(const tacPenaltyDef *def, tacVec3 normal, tacVec3 out);

/* Tick. springs[count]: force and multiplane stiffness of each: s k w (g - d g') n n^T, and c (I - n n^T) while it
 * sticks, c (I - n n^T - t t^T) while it slides along t: a way across turns the force of friction, which keeps its
 * length. Together they are at most 3 k L (4.31 bounds what is felt of it). Anchors are moved, those of sticking points
 * too (to where u is all of point - anchor), and grips set: the caller keeps both for the next tick. `slides` [count]
 * may be NULL; no point slides or sticks without friction. */
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
/* d(force on the shell's point i), by all unknowns: [count][3][n], with the change of the scale s. Offline or tick (no
 * allocation): `work` [n]. */
void tac_penalty_force_gradient(const tacPenaltyDef *def, int count, const tacPenaltyPoint *points,
                                const tacPenaltyMotion *motion, double *work, double *gradient);

#endif
