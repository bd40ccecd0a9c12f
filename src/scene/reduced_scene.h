/* Reduced bodies in scenes: kind: reduced. */
#ifndef TAC_SCENE_REDUCED_SCENE_H
#define TAC_SCENE_REDUCED_SCENE_H

#include "scene/scene_kind.h"

extern const tacSceneKind tac_reduced_scene;

#endif
