/* What scenes say of hyperelastic bodies alone. */
#pragma once

#include "spec/scene_body.h"

/* A part of a body that goes to and fro: by the live parameter `moved`, and by a motion of its own. */
typedef struct tacSceneMoved {
  const tacYamlNode *node; /* NULL: none */
  tacSchemaList in;        /* tacSceneRegion */
  tacVec3 along;           /* unit, once it was checked */
  double distance, period; /* m, s: goes from 0 to `distance` and back in each period; 0: does not go by itself */
} tacSceneMoved;

/* Keys of their own. */
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
