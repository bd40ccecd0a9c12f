/* Two bodies in distributed contact: points of one against the field of the other (Barbic 2007, chapters 3 and 4).
 *
 * In a step each pair is evaluated once, at the poses and shapes of its start, held bodies where they are expected at its end
 * (world/tools/held_body.h). By penalty, between bodies that answer in coordinates:
 * traversal, springs and friction; the springs enter the equations of both bodies, f - K (du_shell - du_field). Pairs whose
 * contacts obey laws have no springs: world/islands/meeting.h. */
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

/* What is kept of a point that was in contact in the evaluation before: the direction of its contact, and where it is
 * held by friction, a material point of the field's body. A line of memory, as tacPairSide is: contacts are all over
 * the shell. */
typedef struct tacPairAnchor {
  tacVec3 at;          /* frame of the field's body; where it deforms: of its rest shape, under a proxy */
  double grip;         /* N/m: tacPenaltyPoint's */
  tacPairProxy under;  /* the nearest when it last slid */
  uint32_t evaluation; /* in which it was last in contact */
  float normal[3];     /* n of tacPenaltyPoint, in the frame of the field's body */
  float steep;         /* tacPenaltyPoint's */
  float area;          /* m^2 that it stands for, on the level */
  int area_level;      /* less 1 */
} tacPairAnchor;
_Static_assert(sizeof(tacPairAnchor) == 64 && sizeof(tacPairSide) == 64, "a line of memory each");

/* What a pair takes on this machine, where the world has a budget: world/pairs/budget.h. */
typedef struct tacPairCost {
  double rate;       /* s of a unit of cost, as it goes on */
  double samples[3]; /* of the last steps that tell */
  double units;      /* of the last steps, the most */
  int64_t taken;     /* ns of this step: traversal, springs, answers of the bodies */
  double seconds;    /* of the last one */
  double share;      /* s that are its own of the budget */
} tacPairCost;

struct tacPair {
  tacPairDef def;
  int points, field; /* bodies */
  bool laws;         /* its contacts obey laws */
  const tacPointshell *shell;
  _Atomic double values[TAC_PAIR_PARAMETERS];
  tacPenaltyDef penalty;
  tacShellTraversal *traversal;
  tacContactField contact_field;
  tacTraversalLimits limits;
  tacArrays arrays; /* all that follow */
  int capacity;
  /* Of the last evaluation: */
  int count;
  tacPenaltyPoint *at;       /* [capacity] */
  tacContactSpring *springs; /* [capacity] */
  bool *slides;              /* [capacity] */
  int *point;                /* [capacity]: of the shell */
  tacPairProxy *proxies;     /* [capacity]: the nearest; NULL: the field does not deform */
  /* What moves: coordinates of the shell's body, then of the field's; turned as the shell's body is, or as the field's where only
   * that one deforms. */
  int size[2];            /* n of the shell's body, of the field's */
  int stride;             /* floats a row */
  tacSpringRows *rows;    /* [capacity] */
  float *room;            /* [capacity][3][stride], where rows are not the shell's own */
  tacPairAnchor *anchors; /* [point of the shell] */
  tacPairSide *sides;     /* [point of the shell], of those whose anchors are of the last evaluation */
  int *last;              /* [capacity]: points of the last evaluation */
  int last_count;
  double *field_q; /* coordinates of the field's body then; NULL: the field does not deform */
  uint32_t evaluation;
  tacTraversalReport traversed;
  tacPenaltyReport pressed;
  tacPairCost cost;
};

/* Load phase. `def` is complete and refers to bodies that have what it needs. */
tacStatus tac_pair_create(const tacPairDef *def, tacWorldBody *bodies, int points, int field, bool laws, tacPair *pair,
                          tacError *error);
void tac_pair_destroy(tacPair *pair);
void tac_pair_set_value(tacPair *pair, int parameter, double value);

/* Where the shell is in the field's frame. */
tacShellPose tac_pair_pose(const tacFrame *shell, const double *shell_q, const tacFrame *field);

/* The field as it is now, with what it has moved since the pair's last evaluation. */
tacContactField tac_pair_field(const tacPair *pair, const tacWorldBody *bodies);

/* r of a field that deforms, else 0. */
size_t tac_pair_field_coordinates(const tacPair *pair);

/* Tick, below. */
void tac_pair_reset(tacPair *pair);
/* Springs of what is in contact. */
void tac_pair_evaluate(tacPair *pair, const tacWorldBody *bodies);
/* Its second half, with contacts that a traversal found, and their levels: those, and points that went through. */
void tac_pair_take(tacPair *pair, const tacWorldBody *bodies, const tacTraversalReport *of,
                   const tacShellContact *found, const uint8_t *levels);

/* How the springs act. About `about` (world): wrench on the shell's body, and the answer to its motion (dx, domega), 6 x 6: as
 * tac_contact_springs_on_rigid. Of the coordinates, n = size[0] + size[1]: force [n], stiffness [n][n], and `mixed` [6][n], the
 * answer between those and the motion of the shell's body; NULL: not wanted. Overwrites. */
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

/* The pair of two bodies, or -1. */
static inline int tac_pair_of(const tacWorld *world, int a, int b) {
  int p = 0;
  while (p < world->pair_count &&
         !(tac_pair_has(&world->contact_pairs[p], a) && tac_pair_has(&world->contact_pairs[p], b)))
    ++p;
  return p < world->pair_count ? p : -1;
}
