/* All point-like contacts on one body that answers as a compliance: they feel each other through it. Any phase, no allocation, bounded
 * time.
 *
 * With the points x_i at fixed places of the surface, stretches u_i = y_i - x_i and forces f_i obey u = C f, where C_ii = K_i^-1 is what
 * a contact alone would feel (contact/point_contact.h) and C_ij = W(x_i, x_j) the body's compliance. What the body holds is
 *
 *   U(y, x) = u.C^-1 u / 2,   f_i = dU/dy_i:
 *
 * while nothing slides, no path of the hands gets anything. Two points on one patch move each other almost as much as themselves, and
 * where K was interpolated or cut, more than that; there would be no energy to speak of, and no forces. So W of each pair is limited
 * (`tac_point_group_limit`), which depends on its two places alone: a contact that ends without a force changes no other's. With that,
 * C is hardly ever not positive definite. To make sure of it, C^-1 is built contact by contact, and where the older ones would move a new point by more than 0.9 of what it moves itself, their coupling with it is scaled down
 * to that.
 *
 * A contact at another place changes one block row and column of C: C^-1 is exchanged by an update of rank six, in O(n^2).
 *
 * Contacts end that would be pulled if all stuck. Then they slide one after the other, in sweeps, each by Coulomb's law with the
 * others condensed: they stick, and take their share of its compliance. Where it comes to, C is another one, which the law of one
 * contact does not know. So forces are always those of the places to which points have come, and what hands lost is counted for all
 * contacts together. By the trapezium rule a step in which all stick loses nothing, C being constant; one that ends with f and
 * U where that had f^s and U^s loses
 *
 *   sum_i (f_i - f^s_i).dy_i / 2 + U^s - U.
 *
 * The hand of a contact that ends feels nothing at once. The others would feel a jump, if it ended with a force: by a grab that is let
 * go, or pulled off before its tangential force has slid away. Statics knows no time; so what it held remains as a member whose probe
 * rests where it was and gives way as its force falls, dy = S df. That only loses energy, and when the force is gone,
 * the member ends.
 *
 * Points slide only as far as the sum of that over steps stays at or above zero, and no force changes by more than it may: no path of
 * the hands gets more out of the body than they put in, whoever of them did. */
#pragma once

#include "contact/point_contact.h"

enum { TAC_POINT_GROUP_MOST = 16 };
/* What one contact moves another by, of what it moves its own point by, at most. */
#define TAC_POINT_GROUP_COUPLING 0.8

typedef struct tacPointMember {
  tacPointContact start; /* as the step began; of one that begins: no force, and the stretch that the others make */
  tacVec3 y;             /* m: of the probe, body's frame, less what others than these contacts displace */
  double motion;         /* m: of the probe in the step */
  int tip;               /* what touches: tacTouched */
  bool grabbed;
  bool fading;          /* its hand has let go: y is where it was, and the force fades */
  tacPointContact now;  /* state none: the contact ends */
  tacPointContact left; /* and what fades then, unless its state is none, too: a member of the next step */
} tacPointMember;

/* W(at, by) between the points of two members, m/N; false where it is not known. */
typedef bool tacPointCompliance(void *context, int member, tacSurfacePoint at, int other, tacSurfacePoint by,
                                tacMat3 *compliance);

typedef struct tacPointGroup {
  tacTouched touched; /* but for the tip */
  double friction;
  double change; /* N: by which a force may change in a step beyond K times its probe's motion */
  double fading; /* of a force that nobody holds: what is lost in a step, beside `change` */
  tacPointCompliance *compliance;
  void *context;
  double lost; /* J: what sliding took since the first contact began */
  int count;
  tacPointMember members[TAC_POINT_GROUP_MOST];
  /* Of the last solution: */
  int sweeps, uncoupled; /* pairs whose compliance is not known */
  int built;             /* times that C^-1 was computed from nothing: once, but where rows of it are scaled */
  double residual;       /* m: what one more sweep would move a contact */
  bool saturated;        /* by the budget or the bound on sweeps: contacts are on their way */
} tacPointGroup;

/* `now` of all members, and `lost`. Evaluations of the laws take from `*budget`; what is left undone without it is sliding. */
void tac_point_group_settle(tacPointGroup *group, int *budget);
/* A member whose contact has ended in this step takes hold elsewhere, as far as the account and the others' forces allow; `now` of all
 * members and `lost` go on from what they are. False: it does not; state none, then: nothing presses there. */
bool tac_point_group_take_hold(tacPointGroup *group, int member, tacSurfacePoint at);

/* `w` scaled down until |K_a^1/2 W K_b^1/2| is at most TAC_POINT_GROUP_COUPLING. */
tacMat3 tac_point_group_limit(tacMat3 ka, tacMat3 w, tacMat3 kb);
