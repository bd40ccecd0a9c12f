/* Bodies that deform in a frame that moves, in scenes: kind: corotational. */
#ifndef TAC_SCENE_COROTATIONAL_SCENE_H
#define TAC_SCENE_COROTATIONAL_SCENE_H

#include "scene/scene_kind.h"

extern const tacSceneKind tac_corotational_scene;

#endif
