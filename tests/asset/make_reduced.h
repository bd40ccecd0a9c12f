/* A reduced body of made-up numbers, for the tests of this room and the fuzz target's seeds. */
#pragma once

#include <tactus/reduced.h>
#include "asset/make_green.h"
#include "kinds/reduced/reduced.h"

enum { REDUCED_SIZE = 3, REDUCED_VERTICES = 6, REDUCED_GROUPS = 3, REDUCED_PARTS = 3, REDUCED_SHAPES = 2 };
enum { REDUCED_VOLUME_VERTICES = 9 };
enum { REDUCED_COEFFICIENTS = 4 * 5 * 6 * 7 / 24, REDUCED_STRESS = 6 * 3 + 6 * 7 / 2 };

/* The octahedron in a brick with a tetrahedron on top; an isotropic group, one that is not, and one without elements. */
typedef struct MadeReduced {
  tacTriMesh *surface;
  bool fixed[REDUCED_VERTICES];
  tacVec3 normals[REDUCED_VERTICES];
  double displacements[REDUCED_VERTICES][3][REDUCED_SIZE], normal_changes[REDUCED_VERTICES][3][REDUCED_SIZE];
  tacVec3 volume_vertices[REDUCED_VOLUME_VERTICES];
  tacTet tet;
  tacBrick brick;
  tacVolMesh volume;
  double basis[REDUCED_VOLUME_VERTICES][3][REDUCED_SIZE];
  const char *names[REDUCED_GROUPS];
  tacMaterial materials[REDUCED_GROUPS];
  double group_mass[REDUCED_GROUPS], mass_matrix[REDUCED_GROUPS][REDUCED_SIZE][REDUCED_SIZE];
  double body_force[REDUCED_GROUPS][3][REDUCED_SIZE];
  tacReducedPart part[REDUCED_PARTS];
  double coefficients[REDUCED_PARTS][REDUCED_COEFFICIENTS], stress[REDUCED_PARTS][REDUCED_STRESS];
  char labels[REDUCED_SHAPES][32];
  double shapes[REDUCED_SHAPES][REDUCED_SIZE];
  tacReducedParts parts;
} MadeReduced;

/* Free its surface. `made` must stay where it is. */
static inline void make_reduced_parts(MadeReduced *made) {
  tacRandom random = tac_random_seed(5);
  *made = (MadeReduced){.surface = make_octahedron(),
                        .fixed = {[1] = true, [4] = true},
                        .tet = {{4, 5, 6, 8}},
                        .brick = {{0, 1, 2, 3, 4, 5, 6, 7}},
                        .names = {"skin", "a bone", ""},
                        .group_mass = {0.75, 0.5, 0.0},
                        .labels = {"mode 1", "derivative 1 2"}};
  double *numbers[] = {&made->displacements[0][0][0], &made->normal_changes[0][0][0],
                       &made->body_force[0][0][0],    &made->coefficients[0][0],
                       &made->shapes[0][0],           &made->basis[0][0][0]};
  const size_t counts[] = {sizeof made->displacements, sizeof made->normal_changes, sizeof made->body_force,
                           sizeof made->coefficients,  sizeof made->shapes,         sizeof made->basis};
  for (int a = 0; a < 6; ++a)
    for (size_t i = 0; i < counts[a] / sizeof(double); ++i) numbers[a][i] = tac_random_uniform(&random, -1.0, 1.0);
  for (int v = 0; v < REDUCED_VERTICES; ++v) {
    made->normals[v] = tac_vec3_unit(made->surface->vertices[v]);
    if (made->fixed[v]) memset(made->displacements[v], 0, sizeof made->displacements[v]);
  }
  static const double corner[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int v = 0; v < 8; ++v) made->volume_vertices[v] = tac_vec3(corner[v][0], corner[v][1], v < 4 ? -1.0 : 1.0);
  made->volume_vertices[8] = tac_vec3(0.25, 0.0, 2.0);
  made->volume = (tacVolMesh){.vertex_count = REDUCED_VOLUME_VERTICES,
                              .vertices = made->volume_vertices,
                              .tet_count = 1,
                              .tets = &made->tet,
                              .brick_count = 1,
                              .bricks = &made->brick};
  /* A projection and what it leaves, which is not definite: both add up to the identity. */
  const double direction[REDUCED_SIZE] = {0.6, 0.0, -0.8};
  for (int i = 0; i < REDUCED_SIZE; ++i)
    for (int j = 0; j < REDUCED_SIZE; ++j) {
      made->mass_matrix[1][i][j] = direction[i] * direction[j];
      made->mass_matrix[0][i][j] = (i == j) - made->mass_matrix[1][i][j];
    }
  double coefficients[21] = {3e4, 1e4, 1e4, 0, 0, 0, 2e4, 1e4, 0, 0, 0, 5e4, 0, 0, 0, 1e4, 0, 0, 1e4, 0, 2e4};
  tac_test_ok(tac_material_isotropic(1000.0, 1e4, 0.4, &made->materials[0], &error), error);
  tac_test_ok(tac_material_anisotropic(1200.0, coefficients, &made->materials[1], &error), error);
  made->part[0] =
      (tacReducedPart){0, TAC_REDUCED_LAMBDA, made->materials[0].stiffness[0][1], made->coefficients[0], NULL};
  made->part[1] = (tacReducedPart){0, TAC_REDUCED_MU, made->materials[0].stiffness[3][3], made->coefficients[1], NULL};
  made->part[2] = (tacReducedPart){1, TAC_REDUCED_WHOLE, 1.0, made->coefficients[2], NULL};
  for (int p = 0; p < REDUCED_PARTS; ++p) {
    for (int i = 0; i < REDUCED_STRESS; ++i) made->stress[p][i] = tac_random_uniform(&random, -1.0, 1.0);
    made->part[p].stress = made->stress[p];
  }
  made->parts = (tacReducedParts){.size = REDUCED_SIZE,
                                  .surface = made->surface,
                                  .fixed = made->fixed,
                                  .normals = made->normals,
                                  .displacements = &made->displacements[0][0][0],
                                  .normal_changes = &made->normal_changes[0][0][0],
                                  .volume = &made->volume,
                                  .basis = &made->basis[0][0][0],
                                  .is_free = true,
                                  .mass = 1.25,
                                  .inertia = {{0.4, 0.1, 0.0}, {0.1, 0.3, -0.05}, {0.0, -0.05, 0.5}},
                                  .centre = {0.1, -0.2, 0.3},
                                  .group_count = REDUCED_GROUPS,
                                  .group_names = made->names,
                                  .materials = made->materials,
                                  .group_mass = made->group_mass,
                                  .mass_matrix = &made->mass_matrix[0][0][0],
                                  .part_count = REDUCED_PARTS,
                                  .parts = made->part,
                                  .body_force = &made->body_force[0][0][0],
                                  .shape_count = REDUCED_SHAPES,
                                  .labels = (const char(*)[32])made->labels,
                                  .shapes = &made->shapes[0][0],
                                  .info = {.source = "modes",
                                           .mode_count = 2,
                                           .element_count = 12,
                                           .vertex_count = 27,
                                           .captured = 0.97,
                                           .linear_least = 12.0,
                                           .linear_most = 14.0,
                                           .reduced_least = 12.0,
                                           .reduced_most = 40.0,
                                           .seconds_modes = 0.1,
                                           .seconds_derivatives = 0.2,
                                           .seconds_basis = 0.3,
                                           .seconds_polynomials = 0.4,
                                           .bytes_polynomials = 840.0,
                                           .bytes_bake = 1e5}};
}

static inline tacReduced *make_reduced(void) {
  MadeReduced made;
  tacReduced *reduced;
  make_reduced_parts(&made);
  tac_test_ok(tac_reduced_create(&made.parts, &reduced, &error), error);
  tac_trimesh_destroy(made.surface);
  return reduced;
}
