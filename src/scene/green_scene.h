/* Elastostatic bodies in scenes: kind: green. */
#ifndef TAC_SCENE_GREEN_SCENE_H
#define TAC_SCENE_GREEN_SCENE_H

#include "scene/scene_kind.h"

extern const tacSceneKind tac_green_scene;

#endif
