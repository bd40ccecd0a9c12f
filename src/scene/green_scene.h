/* Elastostatic bodies in scenes: kind: green. */
#pragma once

#include "scene/scene_kind.h"

extern const tacSceneKind tac_green_scene;

/* What corotational bodies share with them. */
extern const tacRecord tac_green_scene_sensor, tac_green_scene_ranges;
tacStatus tac_green_scene_check_live(const tacYamlTree *tree, const tacSceneBody *body, tacError *error);
tacStatus tac_green_scene_bake(tacBodyBake *bake);
/* All but what moves. */
tacGreenBodyDef tac_green_scene_def(const tacBodyAdd *add);
/* After its first line. */
void tac_green_scene_describe(const tacSceneLines *to, const tacSceneBody *body);
