/* What scenes say of vademecum bodies alone. */
#pragma once

#include "kinds/reduced/reduced_keys.h"

/* Where forces act, which way, and how large they are. */
typedef struct tacSceneLoads {
  const tacYamlNode *node;
  double size;       /* the largest, N */
  tacVec3 direction; /* unit, once it was checked; zero: any */
  bool has_direction;
  tacSchemaList in; /* tacSceneRegion; none: all of the surface that is free */
  double patch;     /* m: radius over which each is spread; 0: it acts at one node */
} tacSceneLoads;

/* Keys of their own, beside how they move, which is as of reduced ones. */
typedef struct tacVademecumKeys {
  tacReducedKeys motion;
  tacSceneLoads loads;
  bool linear;
  double accuracy;
  int modes, paths, sample;
  int method; /* tacLoadPathMethod */
} tacVademecumKeys;
TAC_OWN_RECORD(tacVademecumKeys);

static inline const tacVademecumKeys *tac_vademecum_keys(const tacSceneBody *body) {
  return tac_scene_own_of(body);
}
