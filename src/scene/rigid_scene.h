/* Rigid bodies in scenes: kind: rigid. */
#pragma once

#include "scene/scene_kind.h"

extern const tacSceneKind tac_rigid_scene;

/* A rigid body as the world gets it. */
tacStatus tac_rigid_scene_def(const tacBodyAdd *add, tacRigidBodyDef *def, tacError *error);
