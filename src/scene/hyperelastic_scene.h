/* Scenes with hyperelastic bodies: their keys and what becomes of them. */
#ifndef TAC_SCENE_HYPERELASTIC_SCENE_H
#define TAC_SCENE_HYPERELASTIC_SCENE_H

#include "scene/scene_kind.h"

extern const tacSceneKind tac_hyperelastic_scene;

#endif
