/* All point contacts on one compliance body, coupled through it. Any phase, no allocation, bounded time.
 *
 * With the points x_i fixed on the surface, stretches u_i = y_i - x_i and forces f_i obey u = C f. C_ii = K_i^-1 is the
 * compliance of a contact alone (contact/point_contact.h), and C_ij = W(x_i, x_j) that of the body. The stored energy
 * is
 *
 *   U(y, x) = u.C^-1 u / 2,   f_i = dU/dy_i:
 *
 * while nothing slides, hands get no energy on any path. If two points are on one patch, the force at one moves the
 * other point almost as much. Where K was interpolated or limited, it may move the other point more; C would then not
 * be positive definite. So W of each pair is limited (`tac_point_group_limit`), by a rule that depends only on the two
 * places. Hence a contact that ends with zero force does not change other forces. The limited C is almost always
 * positive definite. To guarantee it, C^-1 is built contact by contact. If the older contacts would move a new point by
 * more than 0.9 of the motion by its own force, their coupling with it is scaled down to 0.9.
 *
 * A contact that moves to another place changes one block row and column of C: C^-1 is updated with rank six, in
 * O(n^2).
 *
 * A contact ends if it would be pulled while all contacts stick. The remaining contacts slide one after the other, in
 * sweeps, each by Coulomb's law. Meanwhile all others stick, which reduces the compliance of the sliding contact. C
 * changes with its place, which the law of one contact ignores. So forces are recomputed at the new places, and the
 * energy lost by hands is summed over all contacts. By the trapezium rule a step in which all contacts stick loses no
 * energy, since C is constant. A step that ends with f and U instead of f^s and U^s loses
 *
 *   sum_i (f_i - f^s_i).dy_i / 2 + U^s - U.
 *
 * When a contact ends, the force on its hand becomes zero at once. The contact may end with a force: if a grab is
 * released, or if the contact is pulled off before its tangential force has decayed. Other hands would then feel a
 * jump, since statics has no time scale. So the force remains as a fading member, whose probe moves only by dy = S df
 * as the force falls. Fading only loses energy, and the member ends when its force is zero.
 *
 * Points slide only as far as the sum of losses over steps stays >= 0 and no force changes faster than allowed. So all
 * hands together never get more energy out of the body than they put in. */
#pragma once

#include "contact/point_contact.h"

enum { TAC_POINT_GROUP_MOST = 16 };
/* Maximum displacement of one contact by another, relative to that by itself. */
#define TAC_POINT_GROUP_COUPLING 0.8

typedef struct tacPointMember {
  tacPointContact start; /* at the start of the step; a new contact has no force, and the stretch by the others */
  tacVec3 y;             /* m: probe, body's frame, minus the displacement by causes other than these contacts */
  double motion;         /* m: of the probe in the step */
  int tip;               /* touching tip: tacTouched */
  bool grabbed;
  bool fading;          /* released by its hand: y is constant, and the force fades */
  tacPointContact now;  /* state none: the contact ends */
  tacPointContact left; /* fading contact to add in the next step; state none: there is no such contact */
} tacPointMember;

/* W(at, by) between the points of two members, m/N; false: unknown. */
typedef bool tacPointCompliance(void *context, int member, tacSurfacePoint at, int other, tacSurfacePoint by,
                                tacMat3 *compliance);

typedef struct tacPointGroup {
  tacTouched touched; /* without the tip */
  double friction;
  double change; /* N: maximum change of a force per step, in addition to K times its probe's motion */
  double fading; /* share by which a released force falls per step, in addition to `change` */
  tacPointCompliance *compliance;
  void *context;
  double lost; /* J: dissipated by sliding since the first contact began */
  int count;
  tacPointMember members[TAC_POINT_GROUP_MOST];
  /* Results of the last solution: */
  int sweeps, uncoupled; /* uncoupled: pairs with unknown compliance */
  int built;             /* full computations of C^-1: one, unless rows are scaled */
  double residual;       /* m: largest motion of a contact in the last sweep */
  bool saturated;        /* the budget or the sweep limit ended the search before the laws held */
} tacPointGroup;

/* Computes `now` of all members, and `lost`. Evaluations of the laws reduce `*budget`. If it is used up, contacts slide
 * no further; everything else is computed. */
void tac_point_group_settle(tacPointGroup *group, int *budget);
/* Lets a member whose contact ended in this step touch at another place, if the energy account and the limits of the
 * other forces allow it. Then updates `now` of all members and `lost`. Returns false if the member does not touch
 * there; its state is none if no normal force presses there. */
bool tac_point_group_take_hold(tacPointGroup *group, int member, tacSurfacePoint at);

/* Scales `w` down such that |K_a^1/2 W K_b^1/2| is at most TAC_POINT_GROUP_COUPLING. */
tacMat3 tac_point_group_limit(tacMat3 ka, tacMat3 w, tacMat3 kb);
