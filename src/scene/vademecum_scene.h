/* Vademecum bodies in scenes: kind: vademecum. */
#pragma once

#include "scene/scene_kind.h"

extern const tacSceneKind tac_vademecum_scene;
