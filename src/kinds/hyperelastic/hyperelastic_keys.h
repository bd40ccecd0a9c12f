/* Scene keys specific to hyperelastic bodies. */
#pragma once

#include "spec/scene_body.h"

/* A part of a body whose motion is prescribed: by the live parameter `moved`, and by a periodic motion. */
typedef struct tacSceneMoved {
  const tacYamlNode *node; /* NULL: none */
  tacSchemaList in;        /* tacSceneRegion */
  tacVec3 along;           /* unit, after checking */
  double distance, period; /* m, s: moves from 0 to `distance` and back in each period; 0: no periodic motion */
} tacSceneMoved;

/* Keys that only hyperelastic bodies have. */
typedef struct tacHyperelasticKeys {
  bool patches;
  tacSceneDamping damping;
  tacSceneMoved moved;
  int factor; /* tacFactorMode */
  int factor_delay, sites, threads;
} tacHyperelasticKeys;
TAC_OWN_RECORD(tacHyperelasticKeys);

static inline const tacHyperelasticKeys *tac_hyperelastic_keys(const tacSceneBody *body) {
  return tac_scene_own_of(body);
}
