/* Scenes with hyperelastic bodies: their keys and what becomes of them. */
#pragma once

#include "scene/scene_kind.h"

extern const tacSceneKind tac_hyperelastic_scene;
