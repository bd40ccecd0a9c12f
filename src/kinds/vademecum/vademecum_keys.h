/* Defines the values of the scene keys of vademecum bodies. */
#pragma once

#include "kinds/reduced/reduced_keys.h"

/* Values of the key `loads`: places, direction and size of the baked forces. */
typedef struct tacSceneLoads {
  const tacYamlNode *node;
  double size;       /* largest force, N */
  tacVec3 direction; /* unit vector after the scene's checks; zero: any direction */
  bool has_direction;
  tacSchemaList in; /* tacSceneRegion items; empty: all free surface vertices */
  double patch;     /* radius of the patch that a load acts on, m; 0: a single node */
} tacSceneLoads;

/* Values of the keys of a vademecum body. `motion` comes first, because functions of reduced bodies read this
 * member. */
typedef struct tacVademecumKeys {
  tacReducedKeys motion;
  tacSceneLoads loads;
  bool linear;
  double accuracy;
  int modes, paths, sample;
  int method; /* value of tacLoadPathMethod */
} tacVademecumKeys;
TAC_OWN_RECORD(tacVademecumKeys);

static inline const tacVademecumKeys *tac_vademecum_keys(const tacSceneBody *body) {
  return tac_scene_own_of(body);
}
