/* A request of the host between two steps: set a parameter, set a pose, or apply an external force. */
#pragma once

#include "world/world_parts.h"

typedef enum tacRequestKind { TAC_REQUEST_PARAMETER, TAC_REQUEST_MOVE, TAC_REQUEST_PUSH } tacRequestKind;

typedef struct tacRequest {
  tacRequestKind kind;
  int index;               /* of the parameter or the body */
  double value;            /* of the parameter */
  tacVec3 at;              /* position of the body or the force, world */
  tacQuat turn;            /* orientation of the body */
  tacVec3 linear, angular; /* velocity of the body */
  tacVec3 force;           /* N */
} tacRequest;

/* Called by the thread that steps the bodies, between steps. */
tacStatus tac_request_apply(tacWorld *world, const tacRequest *request, tacError *error);
tacStatus tac_world_change_parameter(tacWorld *world, int index, double value, tacError *error);
