/* Rigid bodies in scenes: kind: rigid. */
#ifndef TAC_SCENE_RIGID_SCENE_H
#define TAC_SCENE_RIGID_SCENE_H

#include "scene/scene_kind.h"

extern const tacSceneKind tac_rigid_scene;

/* A rigid body as the world gets it. */
tacStatus tac_rigid_scene_def(const tacBodyAdd *add, tacRigidBodyDef *def, tacError *error);

#endif
