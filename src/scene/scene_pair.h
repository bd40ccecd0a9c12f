/* What a scene file says of two bodies in distributed contact. */
#pragma once

#include <tactus/world.h>
#include "spec/scene_body.h"

typedef struct tacScenePair {
  const tacYamlNode *node;
  const char *points, *field; /* bodies of the world */
  tacPairDef def;             /* without its bodies */
  int method;                 /* tacContactMethod: the scene's where it has none of its own */
  bool has_method, has_patch, has_restitution, has_detect; /* of its own */
  int detect;                                              /* tacDetection */
  int levels;                                              /* of the points that are used; 0: all */
  tacSceneRanges live;                                     /* stiffness and friction */
} tacScenePair;

#define TAC_SCENE_DETECTIONS "points|surfaces" /* tacDetection */
#define TAC_SCENE_METHODS "penalty|signorini"  /* tacContactMethod */
extern const tacRecord tac_scene_pair_record;
