/* Rigid bodies in scenes: kind: rigid. */
#ifndef TAC_SCENE_RIGID_SCENE_H
#define TAC_SCENE_RIGID_SCENE_H

#include "scene/scene_kind.h"

extern const tacSceneKind tac_rigid_scene;

#endif
