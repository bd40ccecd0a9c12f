/* What a host asks for between two steps: a parameter, a place, a force. */
#pragma once

#include "world/world_parts.h"

typedef enum tacWishKind { TAC_WISH_PARAMETER, TAC_WISH_MOVE, TAC_WISH_PUSH } tacWishKind;

typedef struct tacWish {
  tacWishKind kind;
  int index;               /* of the parameter, or the body */
  double value;            /* of the parameter */
  tacVec3 at;              /* where the body, or the force, is; world */
  tacQuat turn;            /* how the body lies there */
  tacVec3 linear, angular; /* its velocity */
  tacVec3 force;           /* N */
} tacWish;

/* From the thread that steps the bodies, between steps. */
tacStatus tac_wish_fulfil(tacWorld *world, const tacWish *wish, tacError *error);
tacStatus tac_world_change_parameter(tacWorld *world, int index, double value, tacError *error);
