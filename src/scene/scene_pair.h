/* Defines the values of a contact pair in a scene file: two bodies with distributed contact. */
#pragma once

#include <tactus/world.h>
#include "spec/scene_body.h"

typedef struct tacScenePair {
  const tacYamlNode *node;
  const char *points, *field; /* names of world bodies */
  tacPairDef def;             /* definition of the pair, except the bodies */
  int method;                 /* value of tacContactMethod; the default is the method of the scene */
  bool has_method, has_patch, has_restitution, has_detect; /* true if the scene gives the key for this pair */
  int detect;                                              /* value of tacDetection */
  int levels;                                              /* number of point levels in use; 0: all */
  tacSceneRanges live;                                     /* ranges of stiffness and friction */
} tacScenePair;

#define TAC_SCENE_DETECTIONS "points|surfaces" /* names in the order of tacDetection */
#define TAC_SCENE_METHODS "penalty|signorini"  /* names in the order of tacContactMethod */
extern const tacRecord tac_scene_pair_record;
