/* Reduced bodies in scenes: kind: reduced. */
#pragma once

#include "scene/scene_kind.h"

extern const tacSceneKind tac_reduced_scene;

/* What vademecum bodies share with them. */
extern const tacRecord tac_reduced_scene_damping, tac_reduced_scene_touch, tac_reduced_scene_contact;
void tac_reduced_scene_motion_defaults(tacSceneReduced *motion);
/* The deforming field, where the body has one; and points: both moved by the baked coordinates. */
tacStatus tac_reduced_scene_bake_field(tacBodyBake *bake, uint64_t key);
tacStatus tac_reduced_scene_bake_points(tacBodyBake *bake, uint64_t key);
/* Calls `add` for the body, or for each of its copies, with all but the asset in `def`. */
typedef tacStatus (*tacReducedAdd)(const tacBodyAdd *to, const tacReducedBodyDef *def, tacError *error);
tacStatus tac_reduced_scene_add(const tacBodyAdd *to, tacReducedAdd add, tacError *error);
/* Its line on damping, touch and friction, and those on copies, field and points; `held` begins the first. */
void tac_reduced_scene_describe(const tacSceneLines *to, const tacSceneBody *body, const char *held);
