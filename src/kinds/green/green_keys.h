/* Scene keys specific to elastostatic bodies. */
#pragma once

#include <tactus/material.h>
#include "spec/scene_body.h"

typedef struct tacSceneSensor {
  const tacYamlNode *node;
  const char *name;
  int kind; /* tacSensorKind */
  tacVec3 point;
} tacSceneSensor;

/* Keys that only elastostatic bodies have. */
typedef struct tacGreenKeys {
  int method;            /* tacReferenceMethod */
  tacSchemaList wanted;  /* tacSceneRegion */
  tacSchemaList sensors; /* tacSceneSensor */
  double mask;           /* m: radius of the pressure masks; 0: single vertices */
  double stiffness, rigid_stiffness;
  int storage; /* tacGreenStorage */
  double near_radius;
  bool has_near_radius;
} tacGreenKeys;
TAC_OWN_RECORD(tacGreenKeys);

static inline const tacGreenKeys *tac_green_keys(const tacSceneBody *body) {
  return tac_scene_own_of(body);
}
