/* Scene kinds of elastostatic bodies: `kind: green`, and `kind: corotational`, which deforms in a moving frame. */
#pragma once

#include "kinds/green/green_keys.h"
#include "spec/scene_kind.h"

extern const tacBodyKind tac_green_row, tac_corotational_row;
