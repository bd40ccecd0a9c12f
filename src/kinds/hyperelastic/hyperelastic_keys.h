/* Defines the values of the scene keys that only hyperelastic bodies have. */
#pragma once

#include "spec/scene_body.h"

/* Values of the key `moved`: a part of the body that follows the live parameter `moved` and a periodic motion. */
typedef struct tacSceneMoved {
  const tacYamlNode *node; /* NULL if the scene omits the key */
  tacSchemaList in;        /* tacSceneRegion items: the moved part */
  tacVec3 along;           /* direction of the motion; unit vector after the scene's checks */
  double distance, period; /* m; s: time of the motion from 0 to `distance` and back; 0: no periodic motion */
} tacSceneMoved;

/* Values of the keys that only hyperelastic bodies have. */
typedef struct tacHyperelasticKeys {
  bool patches;
  tacSceneDamping damping;
  tacSceneMoved moved;
  int factor; /* value of tacFactorMode */
  int factor_delay, sites, threads;
} tacHyperelasticKeys;
TAC_OWN_RECORD(tacHyperelasticKeys);

static inline const tacHyperelasticKeys *tac_hyperelastic_keys(const tacSceneBody *body) {
  return tac_scene_own_of(body);
}
