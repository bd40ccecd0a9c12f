/* Scene keys of elastostatic bodies. */
#pragma once

#include <tactus/material.h>
#include "spec/scene_body.h"

typedef struct tacSceneSensor {
  const tacYamlNode *node;
  const char *name;
  int kind; /* value of tacSensorKind */
  tacVec3 point;
} tacSceneSensor;

/* Values of the scene keys that only elastostatic bodies have. */
typedef struct tacGreenKeys {
  int method;            /* value of tacReferenceMethod */
  tacSchemaList wanted;  /* list of tacSceneRegion */
  tacSchemaList sensors; /* list of tacSceneSensor */
  double mask;           /* radius of the pressure masks, m; 0: single vertices */
  double stiffness, rigid_stiffness;
  int storage; /* value of tacGreenStorage */
  double near_radius;
  bool has_near_radius;
} tacGreenKeys;
TAC_OWN_RECORD(tacGreenKeys);

static inline const tacGreenKeys *tac_green_keys(const tacSceneBody *body) {
  return tac_scene_own_of(body);
}
