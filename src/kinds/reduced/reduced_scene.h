/* Reads, bakes and describes the bodies of a scene that have `kind: reduced`. */
#pragma once

#include <tactus/reduced.h>
#include "kinds/reduced/reduced_keys.h"
#include "spec/scene_kind.h"

extern const tacBodyKind tac_reduced_row;

/* Scene keys that reduced bodies and vademecum bodies have in common. */
#define TAC_REDUCED_OWN(member, ...) TAC_OWN_KEY(tacReducedKeys, member, __VA_ARGS__)
#define TAC_REDUCED_KEYS_OF_STEPS                                                                                    \
  TAC_REDUCED_OWN(newton, TAC_COUNT(1, 10)),                                                                         \
      {.key = "static", .offset = TAC_OWN_OFFSET(tacReducedKeys, is_static), TAC_FLAG},                              \
      TAC_REDUCED_OWN(acceleration_limit, TAC_QUANTITY(ACCELERATION, 0.0, 1e9)), TAC_KEY(every, TAC_COUNT(1, 1000)), \
      TAC_KEY(touch, TAC_RECORD(tac_scene_touch_record)), TAC_KEY_FRICTION,                                          \
      TAC_KEY(contact, TAC_RECORD(tac_scene_contact_record)), TAC_KEY(copies, TAC_RECORD(tac_scene_copies_record)),  \
      TAC_KEYS_OF_MOTION, TAC_KEY(points, TAC_RECORD(tac_scene_points_record))
extern const tacRecord tac_reduced_scene_damping;
bool tac_reduced_scene_lower(int *value, int most); /* lowers `value` to at most `most`; true if `value` was larger */
/* Checks that each range of `live` contains the value of the same key of the body. A body with copies must not have
 * ranges. */
tacStatus tac_reduced_scene_check_live(const tacYamlTree *tree, const tacSceneBody *body, tacError *error);
void tac_reduced_scene_motion_defaults(tacReducedKeys *motion);
/* Bakes the deforming distance field, if the body has one. */
tacStatus tac_reduced_scene_bake_field(tacBodyBake *bake, const tacReduced *reduced, uint64_t key);
/* Bakes the points. `placed` is the time (s) that another thread took to place the rest points in the cache. `placed`
 * is negative if no other thread placed the rest points. */
tacStatus tac_reduced_scene_bake_points(tacBodyBake *bake, const tacReduced *reduced, uint64_t key, double placed);
/* Calls `add` with a complete definition for the body, or for each copy of the body. */
typedef tacStatus (*tacReducedAdd)(const tacBodyAdd *to, const tacReducedBodyDef *def, tacError *error);
tacStatus tac_reduced_scene_add(const tacBodyAdd *to, const tacReduced *reduced, tacReducedAdd add, tacError *error);
/* Prints one line with damping, touch and friction that starts with the text `held`, then lines on copies, field and
 * points. */
void tac_reduced_scene_describe(const tacSceneLines *to, const tacSceneBody *body, const char *held);
