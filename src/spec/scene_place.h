/* What a scene file says of places: rotations, half-spaces, boxes, spheres, and regions that are one of them. */
#pragma once

#include <tactus/base.h>
#include "spec/text/schema.h"

typedef struct tacSceneRotation {
  const tacYamlNode *node;
  tacVec3 axis;
  double angle;
} tacSceneRotation;

/* An axis by its letter, or three numbers. */
typedef struct tacSceneNormal {
  int axis;
  tacVec3 vector; /* unit, once it was checked */
  bool has_vector;
} tacSceneNormal;

typedef struct tacScenePlane {
  const tacYamlNode *node;
  int axis;
  double at;
} tacScenePlane;

typedef struct tacSceneBox {
  const tacYamlNode *node;
  tacVec3 lower, upper;
} tacSceneBox;

typedef struct tacSceneBall {
  const tacYamlNode *node;
  tacVec3 centre;
  double radius;
} tacSceneBall;

/* Exactly one is there. */
typedef struct tacSceneRegion {
  const tacYamlNode *node;
  bool has_below, has_above, has_box, has_sphere;
  tacScenePlane below, above;
  tacSceneBox box;
  tacSceneBall sphere;
  const char *group;
} tacSceneRegion;

extern const tacRecord tac_scene_rotation_record, tac_scene_box_record, tac_scene_ball_record, tac_scene_region_record;

/* Both forms of a normal, as fields of `type`; z where neither is given. */
#define TAC_SCENE_NORMAL(type, member)                                                                            \
  {.key = #member, .offset = offsetof(type, member) + offsetof(tacSceneNormal, axis), TAC_CHOICE("x|y|z")}, {     \
    .key = #member, .offset = offsetof(type, member) + offsetof(tacSceneNormal, vector), TAC_VECTOR(NUMBER, 1e6), \
    .given = offsetof(type, member) + offsetof(tacSceneNormal, has_vector)                                        \
  }
/* Makes it a unit vector; `node` is the map that has it under the key `normal`. */
tacStatus tac_scene_normal_check(const tacYamlTree *tree, const tacYamlNode *node, tacSceneNormal *normal,
                                 tacError *error);
