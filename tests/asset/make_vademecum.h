/* A vademecum of made-up numbers, for the tests of this room and the fuzz target's seeds. */
#pragma once

#include <string.h>
#include <tactus/reduced.h>
#include "asset/make_reduced.h"
#include "elastic/laws/hyper_laws.h"
#include "kinds/vademecum/vademecum.h"

enum { VADEMECUM_LOADS = 3, VADEMECUM_ELEMENTS = 2 };

/* On the octahedron of make_reduced, whose vertices 1 and 4 are fixed; loads at 0, 2 and 5, none at 3. */
typedef struct MadeVademecum {
  tacReduced *shape;
  double stiffness[REDUCED_SIZE][REDUCED_SIZE];
  int tets[VADEMECUM_ELEMENTS];
  double volumes[VADEMECUM_ELEMENTS], gradients[VADEMECUM_ELEMENTS][9][REDUCED_SIZE];
  int vertices[VADEMECUM_LOADS];
  double rows[VADEMECUM_LOADS][3][REDUCED_SIZE];
  float y[VADEMECUM_LOADS * TAC_LOAD_MOST_TERMS * REDUCED_SIZE];
  tacVademecumParts parts;
} MadeVademecum;

/* `made` must stay where it is; the shape is the caller's. */
static inline void make_vademecum_parts(MadeVademecum *made, bool linear, tacVec3 direction) {
  *made = (MadeVademecum){.shape = make_reduced(), .volumes = {2e-3, 5e-3}, .vertices = {0, 2, 5}};
  tacRandom random = tac_random_seed(17);
  for (int e = 0; e < VADEMECUM_ELEMENTS; ++e)
    for (int i = 0; i < 9 * REDUCED_SIZE; ++i)
      made->gradients[e][i / REDUCED_SIZE][i % REDUCED_SIZE] = tac_random_uniform(&random, -0.3, 0.3);
  for (int s = 0; s < VADEMECUM_LOADS; ++s)
    memcpy(made->rows[s], tac_reduced_displacements(made->shape) + 3 * REDUCED_SIZE * made->vertices[s],
           sizeof made->rows[s]);
  for (size_t i = 0; i < sizeof made->y / sizeof *made->y; ++i)
    made->y[i] = (float)tac_random_uniform(&random, -1.0, 1.0);
  for (int i = 0; i < REDUCED_SIZE; ++i)
    for (int j = 0; j < REDUCED_SIZE; ++j) made->stiffness[i][j] = i == j ? 30.0 + i : 2.0;
  made->parts = (tacVademecumParts){.stiffness = &made->stiffness[0][0],
                                    .sampled = {.size = REDUCED_SIZE,
                                                .element_count = linear ? 0 : VADEMECUM_ELEMENTS,
                                                .tets = made->tets,
                                                .volumes = made->volumes,
                                                .gradients = &made->gradients[0][0][0],
                                                .material = {.parameters = {4e3, 6e3}, .density = 900.0}},
                                    .load_count = VADEMECUM_LOADS,
                                    .vertices = made->vertices,
                                    .rows = &made->rows[0][0][0],
                                    .most = 5.0,
                                    .patch = 0.02,
                                    .terms = {direction, linear ? 1 : 3},
                                    .y = made->y,
                                    .info = {.node_count = REDUCED_VOLUME_VERTICES,
                                             .element_count = 2,
                                             .load_count = VADEMECUM_LOADS,
                                             .mode_count = REDUCED_SIZE,
                                             .sampled_count = linear ? 0 : VADEMECUM_ELEMENTS,
                                             .path_count = 7,
                                             .wanted = 0.05,
                                             .reached = true,
                                             .sample_count = 200,
                                             .error_mean = 0.01,
                                             .error_most = 0.02,
                                             .corrected_mean = 0.015,
                                             .corrected_most = 0.03,
                                             .linear_mean = 0.4,
                                             .residual = 1e-5,
                                             .bytes = 4096.0}};
  if (!linear) made->parts.sampled.material.law = tac_hyper_law_find("neo-hookean", NULL);
  made->parts.info.term_count = tac_load_terms_count(&made->parts.terms);
  snprintf(made->parts.info.law, sizeof made->parts.info.law, "%s", linear ? "linear" : "neo-hookean");
}

static inline tacVademecum *make_vademecum(bool linear, tacVec3 direction) {
  MadeVademecum made;
  tacVademecum *vademecum;
  make_vademecum_parts(&made, linear, direction);
  tac_test_ok(tac_vademecum_create(&made.parts, made.shape, &vademecum, &error), error);
  return vademecum;
}
