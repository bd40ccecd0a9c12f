/* All point contacts on one compliance body, coupled through it. Any phase, no allocation, bounded time.
 *
 * With the points x_i fixed on the surface, stretches u_i = y_i - x_i and forces f_i obey u = C f. C_ii = K_i^-1 is the
 * compliance of a contact alone (contact/point_contact.h), and C_ij = W(x_i, x_j) that of the body. The stored energy
 * is
 *
 *   U(y, x) = u.C^-1 u / 2,   f_i = dU/dy_i:
 *
 * while nothing slides, hands get no energy on any path. Two points on one patch move each other almost as much as
 * themselves; where K was interpolated or limited, even more, and then neither energy nor forces would exist. So W of
 * each pair is limited (`tac_point_group_limit`), depending only on its two places: a contact that ends without a force
 * changes no other's. After that C is almost always positive definite. To guarantee it, C^-1 is built contact by
 * contact. If the older ones would move a new point by more than 0.9 of its own motion, their coupling with it is
 * scaled down to that.
 *
 * A contact that moves to another place changes one block row and column of C: C^-1 is updated with rank six, in
 * O(n^2).
 *
 * Contacts end that would be pulled if all stuck. The others slide one after the other, in sweeps, each by Coulomb's
 * law with the others condensed: they stick, and take their share of its compliance. At the new place C differs, which
 * the law of one contact does not include. So forces are always those of the new places, and the energy lost by hands
 * is summed over all contacts. By the trapezium rule a step in which all stick loses nothing, C being constant. A step
 * that ends with f and U instead of f^s and U^s loses
 *
 *   sum_i (f_i - f^s_i).dy_i / 2 + U^s - U.
 *
 * The hand of a contact that ends feels nothing at once. If the contact ended with a force, because a grab was released
 * or pulled off before its tangential force slid away, the others would feel a jump. Statics has no time scale; so that
 * force remains as a member whose probe rests and yields as its force falls, dy = S df. This only loses energy, and the
 * member ends with its force.
 *
 * Points slide only as far as the sum of losses over steps stays >= 0 and no force changes faster than allowed: on no
 * path do all hands together get more energy out of the body than they put in. */
#pragma once

#include "contact/point_contact.h"

enum { TAC_POINT_GROUP_MOST = 16 };
/* Maximum displacement of one contact by another, relative to that by itself. */
#define TAC_POINT_GROUP_COUPLING 0.8

typedef struct tacPointMember {
  tacPointContact start; /* at the start of the step; of a new one: no force, and the stretch by the others */
  tacVec3 y;             /* m: probe, body's frame, minus the displacement by anything but these contacts */
  double motion;         /* m: of the probe in the step */
  int tip;               /* touching tip: tacTouched */
  bool grabbed;
  bool fading;          /* released by its hand: y is constant, and the force fades */
  tacPointContact now;  /* state none: the contact ends */
  tacPointContact left; /* fading rest, unless its state is none too: a member of the next step */
} tacPointMember;

/* W(at, by) between the points of two members, m/N; false: unknown. */
typedef bool tacPointCompliance(void *context, int member, tacSurfacePoint at, int other, tacSurfacePoint by,
                                tacMat3 *compliance);

typedef struct tacPointGroup {
  tacTouched touched; /* without the tip */
  double friction;
  double change; /* N: limit of a force's change in a step, beyond K times its probe's motion */
  double fading; /* share of a released force that is lost per step, besides `change` */
  tacPointCompliance *compliance;
  void *context;
  double lost; /* J: dissipated by sliding since the first contact began */
  int count;
  tacPointMember members[TAC_POINT_GROUP_MOST];
  /* Results of the last solution: */
  int sweeps, uncoupled; /* uncoupled: pairs with unknown compliance */
  int built;             /* full computations of C^-1: one, unless rows are scaled */
  double residual;       /* m: motion of a contact by one more sweep */
  bool saturated;        /* by the budget or sweep limit: contacts are on their way */
} tacPointGroup;

/* Computes `now` of all members, and `lost`. Evaluations of the laws take from `*budget`; without budget only sliding
 * is left undone. */
void tac_point_group_settle(tacPointGroup *group, int *budget);
/* A member whose contact ended in this step touches elsewhere, as far as the energy account and the others' forces
 * allow; updates `now` of all members and `lost`. False: it does not; state none: nothing presses there. */
bool tac_point_group_take_hold(tacPointGroup *group, int member, tacSurfacePoint at);

/* Scales `w` down such that |K_a^1/2 W K_b^1/2| is at most TAC_POINT_GROUP_COUPLING. */
tacMat3 tac_point_group_limit(tacMat3 ka, tacMat3 w, tacMat3 kb);
