/* Solids in coordinates, with all of their elements, for tests. */
#pragma once

#include "elastic/hyper/make_hyper.h"
#include "elastic/hyper/sampled_solid.h"

/* U [vertex][3][n]: products of waves that differ in direction, phase and length, zero where z = 0 as at a clamped end. */
static inline double *make_waves(const tacVolMesh *mesh, int n, uint64_t seed) {
  double *basis = calloc(3 * (size_t)mesh->vertex_count * (size_t)n, sizeof *basis);
  tacBox box = {mesh->vertices[0], mesh->vertices[0]};
  for (int v = 1; v < mesh->vertex_count; ++v) box = tac_box_add(box, mesh->vertices[v]);
  tacRandom random = tac_random_seed(seed);
  for (int k = 0; k < n; ++k) {
    tacVec3 along = tac_random_normal3(&random), wave = tac_random_in_cube(&random, 3.0);
    double phase = tac_random_uniform(&random, 0.0, 6.0);
    for (int v = 0; v < mesh->vertex_count; ++v) {
      tacVec3 at = tac_vec3_sub(mesh->vertices[v], box.lower), size = tac_box_size(box);
      at = tac_vec3(at.x / size.x, at.y / size.y, at.z / size.z);
      double height = at.z * cos(tac_vec3_dot(wave, at) + phase);
      const double u[3] = {along.x, along.y, along.z};
      for (int i = 0; i < 3; ++i) basis[(size_t)(3 * v + i) * (size_t)n + (size_t)k] = height * u[i];
    }
  }
  return basis;
}

typedef struct Sampled {
  tacSampledParts parts;
  double *volumes, *gradients;
} Sampled;

/* All elements, each for itself. */
static inline Sampled make_sampled(const tacVolMesh *mesh, tacHyperMaterial material, int n, const double *basis) {
  Sampled made = {.parts = {.size = n, .element_count = mesh->tet_count, .material = material}};
  size_t row = 9 * (size_t)n;
  made.volumes = calloc((size_t)mesh->tet_count, sizeof(double));
  made.gradients = calloc((size_t)mesh->tet_count * row, sizeof(double));
  for (int t = 0; t < mesh->tet_count; ++t)
    made.volumes[t] = tac_sampled_gradient(mesh, t, n, basis, made.gradients + (size_t)t * row);
  made.parts.volumes = made.volumes;
  made.parts.gradients = made.gradients;
  return made;
}

static inline void free_sampled(Sampled *made) {
  free(made->volumes);
  free(made->gradients);
}

static inline tacSampledSolid *make_sampled_solid(const tacSampledParts *parts, int kept) {
  tacSampledSolid *solid;
  tac_test_ok(tac_sampled_solid_create(parts, kept, &solid, &error), error);
  return solid;
}

/* x = X + U q */
static inline void place_vertices(const tacVolMesh *mesh, int n, const double *basis, const double *q, double *x) {
  for (int v = 0; v < mesh->vertex_count; ++v) put_vec3(x, v, mesh->vertices[v]);
  for (int i = 0; i < 3 * mesh->vertex_count; ++i)
    for (int k = 0; k < n; ++k) x[i] += basis[(size_t)i * (size_t)n + (size_t)k] * q[k];
}

/* U^T f */
static inline void reduce_force(const tacVolMesh *mesh, int n, const double *basis, const double *f, double *to) {
  memset(to, 0, (size_t)n * sizeof *to);
  for (int i = 0; i < 3 * mesh->vertex_count; ++i)
    for (int k = 0; k < n; ++k) to[k] += basis[(size_t)i * (size_t)n + (size_t)k] * f[i];
}
