/* All point contacts on one compliance body. The body couples the contacts. All functions are for any phase: no
 * allocation, bounded time.
 *
 * Compliance. Contact i has the point x_i on the surface, the probe y_i, the stretch u_i = y_i - x_i and the force f_i.
 * While all points x_i are fixed on the surface, u = C f. C_ii = K_i^-1 is the compliance of a single contact
 * (contact/point_contact.h), and C_ij = W(x_i, x_j) the compliance of the body. The stored energy is
 *   U(y, x) = u.C^-1 u / 2,   f_i = dU/dy_i.
 * As long as no point slides, hands get no energy on any path.
 *
 * Limited coupling. The force at one point of a patch moves another point of the same patch almost as much. If K was
 * interpolated or limited, the force may move the other point even more. C would then not be positive definite. So W of
 * each pair is limited (`tac_point_group_limit`), by a rule that depends only on the two places. With this rule, a
 * contact that ends with zero force does not change other forces. The limited C is almost always positive definite. To
 * guarantee a positive definite C, C^-1 is built contact by contact, from the oldest to the newest. All older contacts
 * together may move a point by at most 0.9 of its motion by its own force. If necessary, the coupling of this point
 * with the older contacts is scaled down. If a contact moves to another place, one block row and column of C changes,
 * and C^-1 is updated with rank six, in O(n^2).
 *
 * Slides. A contact ends if it would be pulled while all contacts stick. The remaining contacts slide one after the
 * other, in sweeps, each by Coulomb's law. While one contact slides, all other contacts stick, which reduces the
 * compliance of the sliding contact. C changes with the place of the contact, but the law of a single contact ignores
 * this change. So forces are recomputed at the new places, and the energy that hands lose is summed over all contacts.
 * By the trapezium rule, a step in which all contacts stick loses no energy, since C is constant. Let f^s and U^s be
 * the forces and the energy if all contacts stick. A step that ends with f and U loses
 *   sum_i (f_i - f^s_i).dy_i / 2 + U^s - U.
 * Points slide only as far as the sum of the losses of all steps stays >= 0 and no force changes faster than allowed.
 * So all hands together never get more energy out of the body than they put in.
 *
 * Fading. When a contact ends, the force on its hand becomes zero at once. The contact may end with a nonzero force: a
 * grab is released, or the contact is pulled off before its tangential force has decayed. Other hands would then feel a
 * jump, since statics has no time scale. So the contact remains as a fading member. Its probe moves by dy = S df as its
 * force falls by df, where S is its remaining compliance. Fading only loses energy. The member ends when its force is
 * zero. */
#pragma once

#include "contact/point_contact.h"

enum { TAC_POINT_GROUP_MOST = 16 };
/* Maximum displacement of a contact by the force of one other contact, relative to the displacement by its own
 * force. */
#define TAC_POINT_GROUP_COUPLING 0.8

typedef struct tacPointMember {
  /* Contact at the start of the step. A new contact has zero force, and the stretch that the other contacts cause. */
  tacPointContact start;
  /* Probe in the body's frame, m, minus the displacement by all causes other than the contacts of the group. */
  tacVec3 y;
  double motion; /* motion of the probe in the step, m */
  int tip;       /* index of the touching tip (tacTouched) */
  bool grabbed;
  bool fading;         /* true if the hand has released the contact: y is constant, and the force fades */
  tacPointContact now; /* result; state TAC_CONTACT_NONE: the contact ends */
  /* Result: fading contact to add in the next step; state TAC_CONTACT_NONE: no contact to add. */
  tacPointContact left;
} tacPointMember;

/* Computes the compliance W(at, by) between the points of two members, m/N. Returns false if the compliance is
 * unknown. */
typedef bool tacPointCompliance(void *context, int member, tacSurfacePoint at, int other, tacSurfacePoint by,
                                tacMat3 *compliance);

typedef struct tacPointGroup {
  tacTouched touched; /* touched body; the member `tip` is not used */
  double friction;
  /* Maximum change of a force per step, N, in addition to K times the motion of the probe. */
  double change;
  /* Fraction by which a released force decreases per step, in addition to `change`. */
  double fading;
  tacPointCompliance *compliance;
  void *context;
  double lost; /* energy dissipated by sliding since the first contact began, J */
  int count;
  tacPointMember members[TAC_POINT_GROUP_MOST];
  /* Results of the last solution. */
  int sweeps, uncoupled; /* `uncoupled`: number of pairs with unknown compliance */
  int built;             /* number of complete computations of C^-1: one, unless rows are scaled */
  double residual;       /* largest motion of a contact in the last sweep, m */
  bool saturated;        /* true if the budget or the sweep limit ended the search before the laws held */
} tacPointGroup;

/* Computes `now` of all members, and `lost`. Evaluations of the laws reduce `*budget`. If the budget is used up,
 * contacts slide no further, and everything else is still computed. */
void tac_point_group_settle(tacPointGroup *group, int *budget);
/* Adds the contact of a member at another place, after the member's contact ended in this step. The energy account and
 * the limits of the other forces must allow the new contact. Returns true and updates `now` of all members and `lost`
 * if the member touches this place. Otherwise returns false. If no normal force presses at this place, the member's
 * state is then TAC_CONTACT_NONE. */
bool tac_point_group_take_hold(tacPointGroup *group, int member, tacSurfacePoint at);

/* Returns `w`, scaled down if necessary, such that |K_a^1/2 W K_b^1/2| is at most TAC_POINT_GROUP_COUPLING. */
tacMat3 tac_point_group_limit(tacMat3 ka, tacMat3 w, tacMat3 kb);
