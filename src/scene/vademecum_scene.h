/* Vademecum bodies in scenes: kind: vademecum. */
#ifndef TAC_SCENE_VADEMECUM_SCENE_H
#define TAC_SCENE_VADEMECUM_SCENE_H

#include "scene/scene_kind.h"

extern const tacSceneKind tac_vademecum_scene;

#endif
