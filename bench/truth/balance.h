/* Whether forces balance: Newton's third law between bodies, and the momentum of free ones against what acted on
 * them. */
#pragma once

#include "bench/truth/body_forces.h"

/* What acts on a body, about the world's origin, and its momentum. */
typedef struct tacBodyBalance {
  tacVec3 force, torque;   /* N, N m: of contacts */
  double size, moment;     /* sums of their sizes */
  tacVec3 linear, angular; /* momentum after the last step: N s, N m s */
  bool apart;              /* no point tool was near, in this step and before */
  tacVec3 lacked;          /* N s: of all steps, what momentum changed by less what acted */
  double acted;            /* N s: sum of the sizes of both */
} tacBodyBalance;

typedef struct tacBalance {
  const tacWorld *world;
  int64_t step;             /* of the world that was looked at last */
  int force_count;          /* of the last step */
  tacBodyForce *forces;     /* likewise */
  tacBodyBalance *bodies;   /* [body + 1]: the last is what never moves */
  double force, torque;     /* worst of a step: |sum over all bodies| / the largest force or moment */
  int free_count;           /* bodies whose momentum is known */
  double momentum, angular; /* worst of a step of bodies that no point tool is near: what is lacking over what acted */
  double impulse;           /* worst of a body, over all steps, with what point tools did */
} tacBalance;

tacStatus tac_balance_create(const tacWorld *world, tacBalance *balance, tacError *error);
void tac_balance_free(tacBalance *balance); /* a zeroed struct is allowed */
/* After each tick. */
void tac_balance_look(tacBalance *balance, const tacToolOutput *outputs, const tacTickReport *report);
/* After the last one. */
void tac_balance_end(tacBalance *balance);
