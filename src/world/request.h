/* Requests of the host to a running world: set a parameter, set a pose, or apply an external force. */
#pragma once

#include "world/world_parts.h"

typedef enum tacRequestKind { TAC_REQUEST_PARAMETER, TAC_REQUEST_MOVE, TAC_REQUEST_PUSH } tacRequestKind;

typedef struct tacRequest {
  tacRequestKind kind;
  int index;               /* index of the parameter or of the body */
  double value;            /* value of the parameter */
  tacVec3 at;              /* m, world frame: position of the body, or point where the force acts */
  tacQuat turn;            /* orientation of the body */
  tacVec3 linear, angular; /* velocity of the body */
  tacVec3 force;           /* N, world frame */
} tacRequest;

/* Applies a request. Only the thread that steps the bodies may call these functions, between two steps. */
tacStatus tac_request_apply(tacWorld *world, const tacRequest *request, tacError *error);
tacStatus tac_world_change_parameter(tacWorld *world, int index, double value, tacError *error);
