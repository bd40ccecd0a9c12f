/* Defines the scene keys of reduced bodies. */
#pragma once

#include <tactus/reduced.h>
#include "spec/scene_body.h"

typedef struct tacSceneBasis {
  const tacYamlNode *node;
  int from; /* source of the basis, a tacBasisSource */
  const char *file;
  int modes, size;
  double step, duration; /* time step and duration of the full simulation, s */
  double radius;         /* radius of the loads if the file gives no radius, m; 0: none */
} tacSceneBasis;

/* Scene keys that only reduced bodies have. The keys of vademecum bodies start with the same struct. */
typedef struct tacReducedKeys {
  tacSceneBasis basis;
  int mass; /* mass matrix; 0: consistent, 1: lumped */
  int keep; /* number of leading basis vectors in use; 0: all */
  tacSceneDamping damping;
  int newton;
  bool is_static, linear;
  double acceleration_limit; /* limit of the root mean square acceleration over the mass of the body, m/s^2; 0: none */
} tacReducedKeys;
TAC_OWN_RECORD(tacReducedKeys);

static inline const tacReducedKeys *tac_reduced_keys(const tacSceneBody *body) {
  return tac_scene_own_of(body);
}
