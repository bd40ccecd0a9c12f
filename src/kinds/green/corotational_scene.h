/* Bodies that deform in a frame that moves, in scenes: kind: corotational. */
#pragma once

#include "spec/scene_kind.h"

extern const tacBodyKind tac_corotational_row;
