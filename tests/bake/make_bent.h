/* Bodies of bricks, bent far, for the tests of what is embedded in them. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "bake/fields/field_check.h"
#include "brick_beam.h"
#include "kinds/reduced/reduced.h"
#include "math/dense/dense.h"
#include "mesh/query/triangle_tree.h"
#include "mesh/trimesh.h"
#include "test.h"

enum { BENT_MOST = 32 };

/* Two legs along z, side by side along x on a common base that is held: edge 1 cm, one brick of air between them. */
static inline tacReduced *make_legs(int size) {
  enum { NX = 5, NY = 2, NZ = 9 };
  tacError why;
  TAC_OWN(tacVolMesh, block) = brick_beam_mesh(NX, NY, NZ, 0.01);
  TAC_MEMORY(int, number) = malloc((size_t)block->vertex_count * sizeof *number);
  int vertices = 0, bricks = 0;
  for (int v = 0; v < block->vertex_count; ++v) number[v] = -1;
  for (int b = 0; b < block->brick_count; ++b) {
    if (b / (NY * NZ) == 2 && b % NZ >= 2) continue; /* the air */
    for (int c = 0; c < 8; ++c)
      if (number[block->bricks[b].v[c]] < 0) number[block->bricks[b].v[c]] = vertices++;
    block->bricks[bricks++] = block->bricks[b];
  }
  tacVolMesh *mesh;
  tac_test_ok(tac_volmesh_create(vertices, 0, bricks, &mesh, &why), why);
  for (int v = 0; v < block->vertex_count; ++v)
    if (number[v] >= 0) mesh->vertices[number[v]] = block->vertices[v];
  for (int b = 0; b < bricks; ++b)
    for (int c = 0; c < 8; ++c) mesh->bricks[b].v[c] = number[block->bricks[b].v[c]];
  TAC_MEMORY(bool, held) = calloc((size_t)vertices, sizeof *held);
  for (int v = 0; v < vertices; ++v) held[v] = mesh->vertices[v].z < 0.005;
  return reduce_mesh(mesh, held, 6, size);
}

/* Adds U^T f of a force at the vertex of the surface that is nearest to `place`. */
static inline void add_pull(const tacReduced *reduced, tacVec3 place, tacVec3 force, double *load) {
  const tacTriMesh *surface = tac_reduced_surface(reduced);
  int best = 0, r = tac_reduced_size(reduced);
  for (int v = 0; v < surface->vertex_count; ++v)
    if (tac_vec3_distance(surface->vertices[v], place) < tac_vec3_distance(surface->vertices[best], place)) best = v;
  const double *u = tac_reduced_displacements(reduced) + (size_t)(3 * r) * (size_t)best;
  for (int j = 0; j < r; ++j) load[j] += u[j] * force.x + u[r + j] * force.y + u[2 * r + j] * force.z;
}

/* Where internal forces balance the load: Newton's method in 20 steps of load. */
static inline void solve_statics(const tacReduced *reduced, const double *load, double *q) {
  const tacReducedParts *parts = tac_reduced_parts(reduced);
  int r = parts->size;
  ck_assert_int_le(r, BENT_MOST);
  double *scratch = malloc(tac_reduced_polynomial_scratch(r) * sizeof *scratch), part[BENT_MOST],
         stiffness[BENT_MOST * BENT_MOST], sum[BENT_MOST * BENT_MOST], rest[BENT_MOST];
  memset(q, 0, (size_t)r * sizeof *q);
  for (int step = 1; step <= 20; ++step)
    for (int newton = 0; newton < 10; ++newton) {
      for (int j = 0; j < r; ++j) rest[j] = 0.05 * step * load[j];
      memset(sum, 0, sizeof sum);
      for (int p = 0; p < parts->part_count; ++p) {
        tac_reduced_polynomial_evaluate(r, parts->parts[p].coefficients, q, scratch, part, stiffness);
        for (int j = 0; j < r; ++j) rest[j] -= parts->parts[p].weight * part[j];
        for (int j = 0; j < r * r; ++j) sum[j] += parts->parts[p].weight * stiffness[j];
      }
      tacDense matrix = {r, r, r, sum};
      int pivot[BENT_MOST];
      ck_assert(tac_dense_loop_lu(&matrix, pivot));
      tac_dense_loop_lu_solve(&matrix, pivot, rest);
      for (int j = 0; j < r; ++j) q[j] += rest[j];
    }
  free(scratch);
}

/* The surface in the deformation q. */
static inline tacTriMesh *bent_surface(const tacReduced *reduced, const double *q) {
  tacError why;
  tacTriMesh *mesh;
  size_t r = (size_t)tac_reduced_size(reduced);
  tac_test_ok(tac_trimesh_copy(tac_reduced_surface(reduced), &mesh, &why), why);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    const double *u = tac_reduced_displacements(reduced) + 3 * r * (size_t)v;
    for (size_t j = 0; j < r; ++j)
      mesh->vertices[v] = tac_vec3_mad(mesh->vertices[v], q[j], tac_vec3(u[j], u[r + j], u[2 * r + j]));
  }
  return mesh;
}

static inline tacDistanceField *rest_field(const tacReduced *reduced, int resolution) {
  tacError why;
  tacFieldDef def = tac_field_def_default();
  def.resolution = resolution;
  tacDistanceField *field;
  tac_test_ok(tac_distance_field_bake(tac_reduced_surface(reduced), &def, NULL, &field, &why), why);
  return field;
}

/* Distance to a surface, all triangles measured; negative inside, by the solid angle. */
static inline double true_distance(const tacTriMesh *mesh, tacVec3 p) {
  double distance = tac_field_check_distance(mesh, p);
  return tac_field_check_inside(mesh, p) ? -distance : distance;
}
