#include "bench/reduced/brick_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/meshing.h>
#include <tactus/reduced.h>
#include "base/memory/array.h"
#include "kinds/reduced/polynomial_bake.h"
#include "kinds/reduced/reduced.h"
#include "math/geometry/vec3.h"

static double component(tacVec3 p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static tacStatus hold(tacBrickBody *body, int axis, double from, double to, tacError *error) {
  int count = body->mesh->vertex_count;
  body->held = tac_array_create((size_t)count, sizeof *body->held, "held vertices", error);
  if (body->held == NULL) return TAC_ERR_MEMORY;
  double low = component(body->box.lower, axis), size = component(body->box.upper, axis) - low;
  for (int v = 0; v < count; ++v) {
    double place = (component(body->mesh->vertices[v], axis) - low) / size;
    body->held[v] = place > from - 1e-9 && place < to + 1e-9;
  }
  return TAC_OK;
}

tacStatus tac_brick_body_create(const char *shape, double edge, int resolution, bool hollow, int axis, double from,
                                double to, tacBrickBody *body, tacError *error) {
  tacTriMesh *surface = NULL;
  tacVoxeliseDef def = {resolution, hollow ? TAC_VOXELS_SHELL : TAC_VOXELS_COVER};
  *body = (tacBrickBody){0};
  tacStatus status = tac_material_isotropic(1000.0, 1e6, 0.3, &body->material, error);
  if (status == TAC_OK) status = tac_shape_build(shape, edge, NULL, &surface, error);
  if (status == TAC_OK) status = tac_voxelise(surface, &def, NULL, &body->mesh, error);
  tac_trimesh_destroy(surface);
  if (status == TAC_OK) {
    body->box = tac_volmesh_box(body->mesh);
    body->side = cbrt(tac_volmesh_volume(body->mesh) / body->mesh->brick_count);
    status = hold(body, axis, from, to, error);
  }
  body->solid = (tacSolid){.mesh = body->mesh, .material_count = 1, .materials = &body->material, .held = body->held};
  if (status != TAC_OK) tac_brick_body_free(body);
  return status;
}

void tac_brick_body_free(tacBrickBody *body) {
  tac_volmesh_destroy(body->mesh);
  free(body->held);
  *body = (tacBrickBody){0};
}

int tac_brick_body_nearest(const tacBrickBody *body, tacVec3 point) {
  const tacVec3 *x = body->mesh->vertices;
  int best = 0;
  for (int v = 0; v < body->mesh->vertex_count; ++v)
    if (tac_vec3_distance(x[v], point) < tac_vec3_distance(x[best], point)) best = v;
  return best;
}

/* ---- the reduced body ---- */

/* The boundary of the bricks, moved by the basis, and what else belongs to a basis of one group of material. */
typedef struct Outside {
  tacTriMesh *surface;
  int *vertex_of;
  bool *fixed;
  tacVec3 *normals;
  double *displacements, *normal_changes, *basis, *mass_matrix, *body_force;
} Outside;

static void outside_free(Outside *outside) {
  tac_trimesh_destroy(outside->surface);
  free(outside->vertex_of);
  free(outside->fixed);
  free(outside->normals);
  free(outside->displacements);
  free(outside->normal_changes);
  free(outside->basis);
  free(outside->mass_matrix);
  free(outside->body_force);
}

static tacStatus outside_create(const tacBrickBody *body, const tacMotionBasis *basis, Outside *outside,
                                tacError *error) {
  size_t r = (size_t)basis->count;
  tacStatus status = tac_volmesh_surface(body->mesh, &outside->surface, &outside->vertex_of, NULL, error);
  if (status != TAC_OK) return status;
  size_t vertices = (size_t)outside->surface->vertex_count, size = (size_t)basis->size;
  outside->fixed = tac_array_create(vertices, sizeof *outside->fixed, "a surface", error);
  outside->normals = tac_array_create(vertices, sizeof *outside->normals, "a surface", error);
  outside->displacements = tac_array_create(3 * vertices * r, sizeof(double), "a surface", error);
  outside->normal_changes = tac_array_create(3 * vertices * r, sizeof(double), "a surface", error);
  outside->basis = tac_array_create(size * r, sizeof(double), "a basis", error);
  outside->mass_matrix = tac_array_create(r * r, sizeof(double), "a mass matrix", error);
  outside->body_force = tac_array_create(3 * r, sizeof(double), "a body force", error);
  if (outside->fixed == NULL || outside->normals == NULL || outside->displacements == NULL ||
      outside->normal_changes == NULL || outside->basis == NULL || outside->mass_matrix == NULL ||
      outside->body_force == NULL)
    return TAC_ERR_MEMORY;
  for (size_t j = 0; j < r; ++j)
    for (size_t i = 0; i < size; ++i) outside->basis[i * r + j] = basis->vector[j * size + i];
  for (size_t v = 0; v < vertices; ++v) {
    const double *from = outside->basis + 3 * r * (size_t)outside->vertex_of[v];
    outside->fixed[v] = body->held[outside->vertex_of[v]];
    outside->normals[v] = tac_vec3(0.0, 0.0, 1.0);
    memcpy(outside->displacements + 3 * r * v, from, 3 * r * sizeof *from);
  }
  for (size_t j = 0; j < r; ++j) outside->mass_matrix[j * r + j] = 1.0;
  return TAC_OK;
}

tacStatus tac_brick_body_reduce(const tacBrickBody *body, const tacMotionBasis *basis, tacReduced **reduced,
                                tacError *error) {
  tacPolynomialPart *polynomials = NULL;
  tacPolynomialBakeReport report;
  tacReducedPart part[2];
  Outside outside = {0};
  int count = 0;
  *reduced = NULL;
  tacStatus status =
      tac_polynomial_bake(&body->solid, basis->count, basis->vector, false, NULL, &polynomials, &count, &report, error);
  if (status == TAC_OK) status = outside_create(body, basis, &outside, error);
  if (status == TAC_OK) {
    for (int p = 0; p < count; ++p) { /* lambda is C12, mu is C44 */
      bool lambda = polynomials[p].kind == TAC_REDUCED_LAMBDA;
      part[p] = (tacReducedPart){.kind = lambda ? TAC_REDUCED_LAMBDA : TAC_REDUCED_MU,
                                 .weight = body->material.stiffness[lambda ? 0 : 3][lambda ? 1 : 3],
                                 .coefficients = polynomials[p].coefficients};
    }
    double mass = body->material.density * tac_volmesh_volume(body->mesh);
    tacReducedParts parts = {.size = basis->count,
                             .surface = outside.surface,
                             .fixed = outside.fixed,
                             .normals = outside.normals,
                             .displacements = outside.displacements,
                             .normal_changes = outside.normal_changes,
                             .volume = body->mesh,
                             .basis = outside.basis,
                             .mass = mass,
                             .group_count = 1,
                             .group_names = (const char *const[]){"body"},
                             .materials = &body->material,
                             .group_mass = &mass,
                             .mass_matrix = outside.mass_matrix,
                             .part_count = count,
                             .parts = part,
                             .body_force = outside.body_force,
                             .info = {.source = "vectors"}};
    status = tac_reduced_create(&parts, reduced, error);
  }
  outside_free(&outside);
  tac_polynomial_parts_destroy(count, polynomials);
  return status;
}
