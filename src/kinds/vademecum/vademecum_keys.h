/* Scene keys specific to vademecum bodies. */
#pragma once

#include "kinds/reduced/reduced_keys.h"

/* Places, direction and size of forces. */
typedef struct tacSceneLoads {
  const tacYamlNode *node;
  double size;       /* maximum, N */
  tacVec3 direction; /* unit, after checking; zero: any */
  bool has_direction;
  tacSchemaList in; /* tacSceneRegion; none: all free vertices of the surface */
  double patch;     /* m: radius of a load; 0: a single node */
} tacSceneLoads;

/* Keys of vademecum bodies. The first member has the keys of motion, shared with reduced bodies. */
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
