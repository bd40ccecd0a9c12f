/* Two bodies in distributed contact: points of one against the field of the other (Barbic 2007, chapters 3 and 4).
 *
 * In a step each pair is evaluated once, at the poses and shapes of its start: traversal, penalty, friction; the result is a list of
 * springs. Then its bodies move one after the other, each implicitly against the springs as the bodies before it left them: the force of a
 * spring is f - K (du_shell - du_field) from then on, but never a pull. */
#ifndef TAC_WORLD_PAIR_H
#define TAC_WORLD_PAIR_H

#include <stdatomic.h>
#include <tactus/world.h>
#include "collide/shell_traversal.h"
#include "contact/penalty.h"
#include "math/quat.h"

enum { TAC_PAIR_STIFFNESS, TAC_PAIR_FRICTION, TAC_PAIR_NODES, TAC_PAIR_CONTACT, TAC_PAIR_PARAMETERS };

/* A proxy of a deformed field. */
typedef struct tacPairProxy {
  int16_t domain, proxy;
} tacPairProxy;

/* What is kept of a point that was in contact in the evaluation before: the direction of its contact, and where it is
 * held by friction, a material point of the field's body. */
typedef struct tacPairAnchor {
  tacVec3 at;          /* frame of the field's body; where it deforms: of its rest shape, under a proxy */
  double grip;         /* N/m: tacPenaltyPoint's */
  tacPairProxy under;  /* the nearest when it last slid */
  uint32_t evaluation; /* in which it was last in contact */
  float normal[3];     /* n of tacPenaltyPoint, in the frame of the field's body */
} tacPairAnchor;

typedef struct tacPair {
  tacPairDef def;
  int points, field; /* bodies */
  const tacPointshell *shell;
  _Atomic double values[TAC_PAIR_PARAMETERS];
  tacPenaltyDef penalty;
  tacShellTraversal *traversal;
  tacContactField contact_field;
  tacTraversalLimits limits;
  int capacity;
  /* Of the last evaluation: */
  int count;
  tacPenaltyPoint *at;       /* [capacity] */
  tacContactSpring *springs; /* [capacity] */
  bool *slides;              /* [capacity] */
  tacSpringRows *shell_rows; /* [capacity]; NULL: the shell is rigid */
  tacSpringRows *field_rows; /* likewise the field: into `field_room` */
  tacPairProxy *proxies;     /* [capacity]: the nearest */
  float *field_room;         /* [capacity][3][field_stride] */
  float *proxy_rows;         /* [proxy of all domains][12][field_stride]: its displacement and deformation gradient */
  int *first_proxy;          /* [domain] */
  int field_size, field_stride;
  tacPairAnchor *anchors; /* [point of the shell] */
  uint32_t evaluation;
  tacTraversalReport traversed;
  tacPenaltyReport pressed;
} tacPair;

struct tacWorldBody;

/* Load phase. `def` is complete and refers to bodies that have what it needs. */
tacStatus tac_pair_create(const tacPairDef *def, struct tacWorldBody *bodies, int points, int field, tacPair *pair,
                          tacError *error);
void tac_pair_destroy(tacPair *pair);
/* Measures this machine, and sets how many nodes fit into `seconds`. */
void tac_pair_set_budget(tacPair *pair, const struct tacWorldBody *bodies, double seconds);
void tac_pair_set_value(tacPair *pair, int parameter, double value);

/* Where the shell is in the field's frame. */
tacShellPose tac_pair_pose(tacVec3 shell_position, tacQuat shell_orientation, const double *shell_q,
                           tacVec3 field_position, tacQuat field_orientation);

/* Tick, below. */
void tac_pair_reset(tacPair *pair);
void tac_pair_evaluate(tacPair *pair, const struct tacWorldBody *bodies);
/* Its second half: makes springs of what a traversal found. */
void tac_pair_take(tacPair *pair, const struct tacWorldBody *bodies, int level, int count,
                   const tacShellContact *found);
/* A body of the pair has moved: by (dx, domega) about a point, or by dq. */
void tac_pair_moved(tacPair *pair, int body, tacVec3 about, const double motion[6]);
void tac_pair_deformed(tacPair *pair, int body, tacQuat orientation, const double *dq);
/* Adds what the pair does to a body: as tac_contact_springs_on_rigid and _on_reduced. */
void tac_pair_on_rigid(const tacPair *pair, int body, tacVec3 about, tacWrench *wrench, double stiffness[6][6]);
void tac_pair_on_reduced(const tacPair *pair, int body, int r, tacQuat orientation, tacVec3 about, double *force,
                         double *stiffness, double *mixed);

static inline bool tac_pair_has(const tacPair *pair, int body) {
  return pair->points == body || pair->field == body;
}

#endif
