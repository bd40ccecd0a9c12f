/* Two bodies in distributed contact: points of one against the field of the other (Barbic 2007, chapters 3 and 4).
 *
 * Each pair is evaluated once per step, at the poses and shapes at the start of the step. Held bodies are instead at
 * their predicted end pose (world/tools/held_body.h). A penalty pair of bodies with coordinates uses traversal, springs
 * and friction. Its springs enter the equations of both bodies, f - K (du_shell - du_field). Pairs whose contacts obey
 * laws have no springs: world/islands/meeting.h. */
#pragma once

#include <stdatomic.h>
#include <tactus/world.h>
#include "body/frame.h"
#include "collide/shell_traversal.h"
#include "contact/penalty.h"
#include "math/geometry/quat.h"
#include "world/pairs/pair_side.h"
#include "world/world_parts.h"

enum { TAC_PAIR_STIFFNESS, TAC_PAIR_FRICTION, TAC_PAIR_NODES, TAC_PAIR_CONTACT, TAC_PAIR_PARAMETERS };

/* State of a point that was in contact in the previous evaluation: its contact direction and its friction anchor, a
 * material point of the field's body. Its size is one cache line, as that of tacPairSide, since contacts are scattered
 * over the shell. */
typedef struct tacPairAnchor {
  tacVec3 at;          /* anchor, frame of the field's body; if that deforms: in its rest shape, by proxy `under` */
  double grip;         /* N/m, as in tacPenaltyPoint */
  tacPairProxy under;  /* nearest proxy when the point last slid */
  uint32_t evaluation; /* last evaluation in which the point was in contact */
  float normal[3];     /* n of tacPenaltyPoint, frame of the field's body */
  float steep;         /* as in tacPenaltyPoint */
  float area;          /* area of the point on its level, m^2 */
  int area_level;      /* level of `area`, plus 1; 0: unset */
} tacPairAnchor;
_Static_assert(sizeof(tacPairAnchor) == 64 && sizeof(tacPairSide) == 64, "a line of memory each");

/* Measured cost of a pair on this machine, if the world has a budget: world/pairs/budget.h. */
typedef struct tacPairCost {
  double rate;       /* s per unit of cost, running estimate */
  double samples[3]; /* s per unit of cost, in the last three steps that were large enough to count */
  double units;      /* largest cost in recent steps; decays */
  int64_t taken;     /* time in this step, ns: traversal, springs, response of the bodies */
  double seconds;    /* time in the last step, s */
  double share;      /* share of the budget, s */
} tacPairCost;

struct tacPair {
  tacPairDef def;
  int points, field; /* indices of the bodies with the shell and with the field */
  bool laws;         /* contacts obey laws */
  const tacPointshell *shell;
  _Atomic double values[TAC_PAIR_PARAMETERS];
  tacPenaltyDef penalty;
  tacShellTraversal *traversal;
  tacContactField contact_field;
  tacTraversalLimits limits;
  tacArrays arrays; /* owns all arrays below */
  int capacity;
  /* Data of the last evaluation: */
  int count;
  tacPenaltyPoint *at;       /* [capacity] */
  tacContactSpring *springs; /* [capacity] */
  bool *slides;              /* [capacity] */
  int *point;                /* [capacity]: index in the shell */
  tacPairProxy *proxies;     /* [capacity]: nearest proxy; NULL: the field does not deform */
  /* Rows of the moving coordinates: first those of the shell's body, then those of the field's body. Their axes are
   * those of the shell's body, or of the field's body if only that one deforms. */
  int size[2];            /* number of coordinates of the shell's body and of the field's body */
  int stride;             /* floats per row */
  tacSpringRows *rows;    /* [capacity] */
  float *room;            /* [capacity][3][stride], memory for rows that are not stored in the shell */
  tacPairAnchor *anchors; /* [point of the shell] */
  tacPairSide *sides;     /* [point of the shell]; valid if the point's anchor is from the last evaluation */
  int *last;              /* [capacity]: points in contact in the last evaluation */
  int last_count;
  double *field_q; /* coordinates of the field's body in the last evaluation; NULL: the field does not deform */
  uint32_t evaluation;
  tacTraversalReport traversed;
  tacPenaltyReport pressed;
  tacPairCost cost;
};

/* Load phase. `def` must be complete, and its bodies must have the required shell and field. */
tacStatus tac_pair_create(const tacPairDef *def, tacWorldBody *bodies, int points, int field, bool laws, tacPair *pair,
                          tacError *error);
void tac_pair_destroy(tacPair *pair);
void tac_pair_set_value(tacPair *pair, int parameter, double value);

/* Pose of the shell in the field's frame. */
tacShellPose tac_pair_pose(const tacFrame *shell, const double *shell_q, const tacFrame *field);

/* The present field, with its motion since the pair's last evaluation. */
tacContactField tac_pair_field(const tacPair *pair, const tacWorldBody *bodies);

/* Number r of coordinates of a deforming field; otherwise 0. */
size_t tac_pair_field_coordinates(const tacPair *pair);

/* Tick phase, as all functions below. */
void tac_pair_reset(tacPair *pair);
/* Finds the contacts and their springs. */
void tac_pair_evaluate(tacPair *pair, const tacWorldBody *bodies);
/* Second half of the evaluation: stores the contacts and levels that a traversal found, and adds points that crossed a
 * thin part. */
void tac_pair_take(tacPair *pair, const tacWorldBody *bodies, const tacTraversalReport *of,
                   const tacShellContact *found, const uint8_t *levels);

/* Linearised springs of a pair. Wrench on the shell's body about `about` (world), and its 6 x 6 stiffness for the
 * body's motion (dx, domega), as in tac_contact_springs_on_rigid. For n = size[0] + size[1] coordinates: force [n],
 * stiffness [n][n], and `mixed` [6][n], the stiffness between coordinates and the motion of the shell's body. `mixed`
 * may be NULL. tac_pair_answer overwrites all values. */
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

/* Index of the pair of two bodies, or -1. */
static inline int tac_pair_of(const tacWorld *world, int a, int b) {
  int p = 0;
  while (p < world->pair_count &&
         !(tac_pair_has(&world->contact_pairs[p], a) && tac_pair_has(&world->contact_pairs[p], b)))
    ++p;
  return p < world->pair_count ? p : -1;
}
