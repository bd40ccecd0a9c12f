/* A pair of bodies in distributed contact: the points of one body are tested against the field of the other body
 * (Barbic 2007, chapters 3 and 4).
 *
 * The first body has a pointshell, here called the shell. The second body has a distance field and is called the
 * field's body.
 *
 * Each step evaluates each pair once, with the poses and shapes at the start of the step. A held body is at its
 * predicted pose instead (couple/held_body.h).
 *
 * A penalty pair finds its contacts by a traversal of the shell and has springs and friction. With the stiffness K, the
 * springs enter the equations of both bodies as f - K (du_shell - du_field). Here du is the motion of the contact point
 * on each body. A pair whose contacts are solved by the contact laws has no springs; see world/islands/meeting.h. */
#pragma once

#include <stdatomic.h>
#include <tactus/world.h>
#include "body/frame.h"
#include "collide/field_gather.h"
#include "collide/pair_side.h"
#include "collide/shell_traversal.h"
#include "contact/penalty.h"
#include "math/geometry/quat.h"
#include "world/world_parts.h"

enum { TAC_PAIR_STIFFNESS, TAC_PAIR_FRICTION, TAC_PAIR_NODES, TAC_PAIR_CONTACT, TAC_PAIR_PARAMETERS };

/* State of a point that was in contact in the previous evaluation: contact direction and friction anchor. The anchor is
 * a material point of the field's body. The struct has the size of a cache line, since contacts are scattered over the
 * shell. */
typedef struct tacPairAnchor {
  /* position of the anchor, frame of the field's body; in the rest shape of proxy `under` if the body deforms */
  tacVec3 at;
  double grip;         /* friction stiffness (tacPenaltyPoint.grip), N/m */
  tacPairProxy under;  /* proxy nearest to the point when the point last slid */
  uint32_t evaluation; /* number of the last evaluation in which the point was in contact */
  float normal[3];     /* contact direction (tacPenaltyPoint.normal), frame of the field's body */
  float steep;         /* see tacPenaltyPoint.steep */
  float area;          /* area of the point on its level, m^2 */
  int area_level;      /* 1 + level to which `area` belongs; 0 if `area` is not set */
} tacPairAnchor;
_Static_assert(sizeof(tacPairAnchor) == 64 && sizeof(tacPairSide) == 64, "a line of memory each");

/* Measured computation time of a pair on this machine. Used only if the world has a budget; see
 * world/pairs/budget.h. */
typedef struct tacPairCost {
  double rate; /* estimated time per unit of cost, s */
  /* measured time per unit of cost, s, in the last three steps that used enough of their limit */
  double samples[3];
  double units;   /* largest cost in recent steps; decays in each step */
  int64_t taken;  /* time for traversal, springs and response of the bodies in this step, ns */
  double seconds; /* value of `taken` in the last step, s */
  double share;   /* part of the budget for this pair, s */
} tacPairCost;

struct tacPair {
  tacPairDef def;
  int points, field; /* indices of the body with the shell and of the body with the field */
  bool laws;         /* true if contacts are solved by the contact laws; false for penalty springs */
  const tacPointshell *shell;
  _Atomic double values[TAC_PAIR_PARAMETERS];
  tacPenaltyDef penalty;
  tacShellTraversal *traversal;
  tacContactField contact_field;
  tacTraversalLimits limits;
  tacFieldSlack *slack; /* memory of the searches for contacts of the laws; NULL: none */
  tacArrays arrays;     /* owner of all arrays below */
  int capacity;
  /* ---- contacts of the last evaluation ---- */
  int count;
  tacPenaltyPoint *at;       /* [capacity] */
  tacContactSpring *springs; /* [capacity] */
  bool *slides;              /* [capacity] */
  int *point;                /* index of the point in the shell, [capacity] */
  tacPairProxy *proxies;     /* proxy nearest to the point, [capacity]; NULL if the field does not deform */
  /* Jacobian rows of the contacts. The columns are the coordinates of the shell's body, then those of the field's body.
   * The axes are those of the shell's body, or of the field's body if only the field's body deforms. */
  int size[2];            /* number of coordinates of the shell's body and of the field's body */
  int stride;             /* number of floats in a row */
  tacSpringRows *rows;    /* [capacity] */
  float *room;            /* [capacity][3][stride]: memory for rows that the shell does not store */
  tacPairAnchor *anchors; /* one for each point of the shell */
  /* one for each point of the shell; valid if the point was in contact in the last evaluation */
  tacPairSide *sides;
  int *last; /* indices of the points in contact in the last evaluation, [capacity] */
  int last_count;
  /* coordinates of the field's body in the last evaluation; NULL if the field does not deform */
  double *field_q;
  uint32_t evaluation;
  tacTraversalReport traversed;
  tacPenaltyReport pressed;
  tacPairCost cost;
};

/* Creates a pair. `def` must be complete, and the bodies must have the required shell and field. `laws`: the contacts
 * are solved by the contact laws. Load phase. */
tacStatus tac_pair_create(const tacPairDef *def, tacWorldBody *bodies, int points, int field, bool laws, tacPair *pair,
                          tacError *error);
void tac_pair_destroy(tacPair *pair);
void tac_pair_set_value(tacPair *pair, int parameter, double value);

/* Returns the pose of the shell in the frame of the field. */
tacShellPose tac_pair_pose(const tacFrame *shell, const double *shell_q, const tacFrame *field);

/* Returns the present field. Its member `moved` is the motion since the pair's last evaluation. */
tacContactField tac_pair_field(const tacPair *pair, const tacWorldBody *bodies);

/* Returns the number of coordinates of a deforming field; 0 for any other field. */
size_t tac_pair_field_coordinates(const tacPair *pair);

/* Resets the pair to its initial state. Tick phase, as all functions below. */
void tac_pair_reset(tacPair *pair);
/* Finds the contacts of the pair and computes their springs. */
void tac_pair_evaluate(tacPair *pair, const tacWorldBody *bodies);
/* Second part of tac_pair_evaluate: computes the springs of the contacts `found`, and adds points that crossed a thin
 * part. `levels`: level of each contact; NULL if all are equal. */
void tac_pair_take(tacPair *pair, const tacWorldBody *bodies, const tacTraversalReport *of,
                   const tacShellContact *found, const uint8_t *levels);

/* Linearised springs of a pair, with n = size[0] + size[1] coordinates. `wrench` acts on the shell's body about a point
 * `about` in the world frame. `six` is the stiffness for a motion (dx, domega) of this body. The other arrays are force
 * [n], stiffness [n][n], and `mixed` [6][n], the stiffness between coordinates and the motion of the body. `mixed` may
 * be NULL. tac_pair_answer overwrites all values. */
typedef struct tacPairAnswer {
  tacWrench wrench;
  double six[6][6];
  double *force, *stiffness, *mixed;
} tacPairAnswer;
void tac_pair_answer(const tacPair *pair, const tacWorldBody *bodies, tacVec3 about, tacPairAnswer *answer);

static inline bool tac_pair_is_held(const tacPair *pair, const tacWorldBody *bodies) {
  return bodies[pair->points].holder >= 0 || bodies[pair->field].holder >= 0;
}

static inline bool tac_pair_has(const tacPair *pair, int body) {
  return pair->points == body || pair->field == body;
}

/* Returns the index of the pair of two bodies, or -1 if the bodies form no pair. */
static inline int tac_pair_of(const tacWorld *world, int a, int b) {
  int p = 0;
  while (p < world->pair_count &&
         !(tac_pair_has(&world->contact_pairs[p], a) && tac_pair_has(&world->contact_pairs[p], b)))
    ++p;
  return p < world->pair_count ? p : -1;
}
