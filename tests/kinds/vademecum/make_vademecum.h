/* A small linear vademecum of made-up numbers. */
#pragma once

#include <tactus/vademecum.h>
#include "asset/make_reduced.h"
#include "kinds/vademecum/vademecum.h"

enum { LOADS = 3, VERTICES = REDUCED_VERTICES, MODES = REDUCED_SIZE };

static const double most = 2.5; /* N */
static const int vertices[LOADS] = {0, 2, 5};

/* Without a force at the vertices 1, 3 and 4. */
static inline tacVademecum *make_vademecum(tacVec3 direction) {
  tacError error;
  tacVademecum *vademecum;
  tacReduced *shape;
  MadeReduced made;
  tacRandom random = tac_random_seed(11);
  double stiffness[MODES * MODES] = {0.0};
  double rows[LOADS * 3 * MODES] = {0.0};
  float y[LOADS * 3 * MODES];
  make_reduced_parts(&made);
  made.parts.is_free = false;
  tac_test_ok(tac_reduced_create(&made.parts, &shape, &error), error);
  tac_trimesh_destroy(made.surface);
  for (int k = 0; k < MODES; ++k) stiffness[k * MODES + k] = 1.0 + k;
  for (int i = 0; i < LOADS * 3 * MODES; ++i) y[i] = (float)tac_random_uniform(&random, -1.0, 1.0);
  tacVademecumParts parts = {.stiffness = stiffness,
                             .load_count = LOADS,
                             .vertices = vertices,
                             .rows = rows,
                             .most = most,
                             .terms = {.direction = direction, .degree = 1},
                             .y = y,
                             .info = {.law = "linear"}};
  tac_test_ok(tac_vademecum_create(&parts, shape, &vademecum, &error), error);
  return vademecum;
}
