/* Elastostatic bodies in scenes: kind: green. */
#pragma once

#include <tactus/green.h>
#include <tactus/reference_problem.h>
#include <tactus/trimesh.h>
#include "kinds/green/green_keys.h"
#include "spec/scene_kind.h"

extern const tacBodyKind tac_green_row;

/* What the bake makes of one. */
typedef struct tacGreenBaked {
  tacGreen *green;
  tacReferenceProblem *problem; /* of a body that is stored near */
  tacMassProperties mass;       /* 0: its surface encloses nothing */
} tacGreenBaked;

/* What corotational bodies share with them. */
#define TAC_GREEN_OWN(member, ...) TAC_OWN_KEY(tacGreenKeys, member, __VA_ARGS__)
#define TAC_GREEN_KEYS_OF_TOUCH                              \
  TAC_GREEN_OWN(stiffness, TAC_QUANTITY(NUMBER, 1e-6, 1e6)), \
      TAC_GREEN_OWN(rigid_stiffness, TAC_QUANTITY(STIFFNESS, 1.0, 1e6)), TAC_KEY_FRICTION
extern const tacRecord tac_green_scene_sensor, tac_green_scene_ranges;
void tac_green_scene_defaults(tacSceneBody *body);
double tac_green_scene_touch(const tacSceneBody *body);
double tac_green_scene_finger(const tacSceneBody *body);
const void *tac_green_scene_made(const tacBakedBody *baked, const char *ending);
const tacBakeChecks *tac_green_scene_checks(const void *made);
tacBodyAppetite tac_green_scene_appetite(const tacSceneBody *body, const tacBodyExtent *extent);
tacStatus tac_green_scene_check_live(const tacYamlTree *tree, const tacSceneBody *body, tacError *error);
tacStatus tac_green_scene_bake(tacBodyBake *bake);
tacStatus tac_green_scene_add(const tacBodyAdd *add, tacError *error);
/* After its first line. */
void tac_green_scene_describe(const tacSceneLines *to, const tacSceneBody *body);
