/* Bytes as a file of a reduced body: an error, or an asset whose every answer can be read, and a body that moves. */
#include <math.h>
#include <tactus/reduced.h>

#include "chunk_fuzz.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_body.h"

/* Pushed at a vertex, with gravity: coordinates stay finite. */
static void move(const tacReduced *reduced) {
  int r = tac_reduced_size(reduced), groups = tac_reduced_group_count(reduced);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = 0.001;
  motion.gravity.z = -9.81;
  tacReducedBody *body = NULL;
  tacStatus status = tac_reduced_body_create(reduced, NULL, &motion, &body, NULL);
  for (int i = 0; status == TAC_OK && i < 10; ++i) {
    tac_reduced_body_add_force(body, (tacSurfacePoint){0, {1.0, 0.0, 0.0}}, (tacVec3){0.1, 0.2, -1.0});
    if (i == 5) tac_reduced_body_set_mu(body, groups - 1, 2.0);
    tac_reduced_body_advance(body);
    const double *q = tac_reduced_body_q(body);
    for (int j = 0; j < r; ++j)
      if (!isfinite(q[j])) abort();
  }
  tac_reduced_body_destroy(body);
}

static void ask(const tacReduced *reduced) {
  const tacReducedParts *parts = tac_reduced_parts(reduced);
  size_t r = (size_t)tac_reduced_size(reduced), n = (size_t)tac_reduced_surface(reduced)->vertex_count;
  double sum = tac_reduced_info(reduced)->mass;
  for (size_t i = 0; i < 3 * n * r; ++i)
    sum += 0.0 * (tac_reduced_displacements(reduced)[i] + 0.5 * tac_reduced_normal_changes(reduced)[i]);
  const tacVolMesh *volume = tac_reduced_volume(reduced);
  for (size_t i = 0; i < 3 * r * (size_t)volume->vertex_count; ++i) sum += 0.0 * tac_reduced_basis(reduced)[i];
  for (int b = 0; b < volume->brick_count; ++b) sum += 0.0 * volume->vertices[volume->bricks[b].v[7]].x;
  for (int g = 0; g < tac_reduced_group_count(reduced); ++g)
    sum += (double)strlen(tac_reduced_group_name(reduced, g)) + tac_reduced_group_mass(reduced, g);
  for (int s = 0; s < tac_reduced_shape_count(reduced); ++s)
    sum += (double)strlen(tac_reduced_shape_label(reduced, s)) + 0.0 * tac_reduced_shape(reduced, s)[r - 1];
  for (int p = 0; p < parts->part_count; ++p)
    sum += 0.0 * parts->parts[p].coefficients[tac_reduced_polynomial_count((int)r) - 1];
  if (sum != sum) abort();
  move(reduced);
}

TAC_FUZZ_FILE(tacReduced, tac_reduced, ask)
