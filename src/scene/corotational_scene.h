/* Bodies that deform in a frame that moves, in scenes: kind: corotational. */
#pragma once

#include "scene/scene_kind.h"

extern const tacSceneKind tac_corotational_scene;
