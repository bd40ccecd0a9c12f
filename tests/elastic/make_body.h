/* Materials, uneven meshes and linear displacement fields for the tests of this room. */
#pragma once

#include <tactus/material.h>
#include <tactus/mesh.h>
#include "elastic/elements/element.h"
#include "elastic/solids/statics.h"
#include "math/dense/vector.h"
#include "math/geometry/mat3.h"
#include "mesh/make_mesh.h"
#include "mesh/query/embedding.h"

static inline tacMaterial make_isotropic(double density, double young, double poisson) {
  tacMaterial material;
  tacError why;
  tac_test_ok(tac_material_isotropic(density, young, poisson, &material, &why), why);
  return material;
}

/* C = A A^T + 2 I with a random A, times 1 MPa: every strain makes every stress. */
static inline tacMaterial make_anisotropic(uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  double a[6][6], coefficients[21];
  for (int i = 0; i < 36; ++i) a[i / 6][i % 6] = tac_random_uniform(&random, -1.0, 1.0);
  for (int i = 0, place = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) {
      double sum = i == j ? 2.0 : 0.0;
      for (int k = 0; k < 6; ++k) sum += a[i][k] * a[j][k];
      coefficients[place++] = 1e6 * sum;
    }
  }
  tacMaterial material;
  tacError why;
  tac_test_ok(tac_material_anisotropic(1200.0, coefficients, &material, &why), why);
  return material;
}

static inline bool on_boundary(tacBox box, tacVec3 p) {
  return p.x <= box.lower.x || p.x >= box.upper.x || p.y <= box.lower.y || p.y >= box.upper.y || p.z <= box.lower.z ||
         p.z >= box.upper.z;
}

/* A box of n^3 bricks, or 6 n^3 tetrahedra, whose inner vertices are moved at random by up to `by` of a cell. */
static inline tacVolMesh *make_uneven(tacBox box, bool bricks, int n, double by) {
  tacVolMesh *mesh = bricks ? make_bricks(box, n, n, n) : make_tets(box, n, n, n);
  tacRandom random = tac_random_seed(11);
  tacVec3 reach = tac_vec3_scale(by / n, tac_box_size(box));
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 shift = tac_random_in_box(&random, (tacBox){tac_vec3_scale(-1.0, reach), reach});
    if (!on_boundary(box, mesh->vertices[v])) mesh->vertices[v] = tac_vec3_add(mesh->vertices[v], shift);
  }
  return mesh;
}

/* Bricks below, tetrahedra above, one vertex of no element; the two kinds share the vertices between them. */
static inline tacVolMesh *make_mixed(void) {
  TAC_OWN(tacVolMesh, bricks) = make_uneven(unit_box(), true, 2, 0.15);
  TAC_OWN(tacVolMesh, tets) = make_uneven(unit_box(), false, 2, 0.15);
  tacVolMesh *mesh = make_volmesh(bricks->vertex_count + 1, 24, 4);
  memcpy(mesh->vertices, bricks->vertices, (size_t)bricks->vertex_count * sizeof *mesh->vertices);
  memcpy(mesh->bricks, bricks->bricks, 4 * sizeof *mesh->bricks);
  memcpy(mesh->tets, tets->tets + 24, 24 * sizeof *mesh->tets);
  return mesh;
}

/* Puts elements into no order. */
static inline void shuffle_tets(tacVolMesh *mesh, uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  for (int t = mesh->tet_count - 1; t > 0; --t) {
    int other = (int)(tac_random_bits(&random) % (uint64_t)(t + 1));
    tacTet moved = mesh->tets[t];
    mesh->tets[t] = mesh->tets[other];
    mesh->tets[other] = moved;
  }
}

/* A cube's surface, n cells a side, blown up to a ball's: 6 n^2 + 2 vertices. */
static inline tacTriMesh *make_ball(double radius, int n) {
  tacTriMesh *mesh = make_box((tacBox){{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}}, n);
  for (int v = 0; v < mesh->vertex_count; ++v)
    mesh->vertices[v] = tac_vec3_scale(radius, tac_vec3_unit(mesh->vertices[v]));
  return mesh;
}

/* A displacement gradient that is neither symmetric nor free of stretch. */
static inline tacMat3 sample_gradient(void) {
  return (tacMat3){{{0.011, -0.004, 0.007}, {0.002, -0.006, 0.003}, {-0.005, 0.009, 0.008}}};
}

static inline tacVec3 linear_displacement(tacMat3 gradient, tacVec3 p) {
  return tac_vec3_add(tac_vec3(0.01, -0.02, 0.03), tac_mat3_mul_vec(gradient, p));
}

/* sigma = C epsilon of a displacement gradient, written out from the definition of strain. */
static inline void stress_of_gradient(const tacMaterial *material, tacMat3 g, double stress[6]) {
  double strain[6] = {
      g.m[0][0], g.m[1][1], g.m[2][2], g.m[1][2] + g.m[2][1], g.m[2][0] + g.m[0][2], g.m[0][1] + g.m[1][0]};
  for (int i = 0; i < 6; ++i) {
    stress[i] = 0.0;
    for (int j = 0; j < 6; ++j) stress[i] += material->stiffness[i][j] * strain[j];
  }
}

/* One of the six rigid motions: three translations, three infinitesimal rotations about the origin. */
static inline tacVec3 rigid_motion(int kind, tacVec3 p) {
  tacVec3 axis = tac_vec3(kind % 3 == 0, kind % 3 == 1, kind % 3 == 2);
  return kind < 3 ? axis : tac_vec3_cross(axis, p);
}

static inline double *make_vector(const tacVolMesh *mesh) {
  return calloc(3 * (size_t)mesh->vertex_count, sizeof(double));
}

/* Zeros, 3 a vertex, until the end of the test. */
static inline double *vector_of(const tacVolMesh *mesh) {
  return tac_test_alloc(3 * (size_t)mesh->vertex_count * sizeof(double));
}

static inline void put_vec3(double *vector, int vertex, tacVec3 value) {
  vector[3 * vertex] = value.x;
  vector[3 * vertex + 1] = value.y;
  vector[3 * vertex + 2] = value.z;
}

static inline tacVec3 get_vec3(const double *vector, int vertex) {
  return tac_vec3(vector[3 * vertex], vector[3 * vertex + 1], vector[3 * vertex + 2]);
}

static inline double largest_entry(const double *x, int count) {
  double most = 0.0;
  for (int i = 0; i < count; ++i) most = fmax(most, fabs(x[i]));
  return most;
}

static inline double largest_apart(const double *x, const double *y, int count) {
  double most = 0.0;
  for (int i = 0; i < count; ++i) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

/* Stress (xx, yy, zz, yz, zx, xy) at points in the mesh for displacements of its vertices; `material_of` may be NULL. */
static inline void stress_at(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of, int count,
                             const tacVec3 *points, const double *displacement, double (*stress)[6]) {
  tacError why;
  TAC_OWN(tacEmbedding, embedding) = NULL;
  tac_test_ok(tac_embedding_create(mesh, count, points, &embedding, &why), why);
  for (int p = 0; p < count; ++p) {
    int element = embedding->elements[p];
    const tacMaterial *material = &materials[material_of != NULL ? material_of[element] : 0];
    tac_test_ok(tac_element_stress(mesh, element, material, embedding->weights[p], displacement, stress[p], &why), why);
  }
}

/* The patch test: a linear displacement imposed on the boundary of an uneven mesh is found inside, with its stress
 * everywhere. */
static inline void check_patch(bool bricks, const tacMaterial *material) {
  enum { POINTS = 200 };
  tacBox box = {{0.5, -1.0, 2.0}, {1.5, 0.5, 2.8}};
  TAC_OWN(tacVolMesh, mesh) = make_uneven(box, bricks, 4, 0.2);
  bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
  double *load = vector_of(mesh);
  tacMat3 gradient = sample_gradient();
  int free_count = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    held[v] = on_boundary(box, mesh->vertices[v]);
    free_count += !held[v];
    if (held[v]) put_vec3(load, v, linear_displacement(gradient, mesh->vertices[v]));
  }
  ck_assert_int_eq(free_count, 27);
  TAC_OWN(tacStatics, statics) = NULL;
  tacError why;
  tac_test_ok(tac_statics_create(mesh, material, NULL, held, &statics, &why), why);
  tac_test_ok(tac_statics_solve(statics, 1, load, load, &why), why);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 expected = linear_displacement(gradient, mesh->vertices[v]);
    if (!held[v]) ck_assert_double_lt(tac_vec3_distance(get_vec3(load, v), expected), 1e-10 * tac_vec3_norm(expected));
    put_vec3(load, v, held[v] ? expected : get_vec3(load, v)); /* displacements for the stress, not reactions */
  }
  tacVec3 points[POINTS];
  double stress[POINTS][6], expected[6];
  tacRandom random = tac_random_seed(3);
  for (int p = 0; p < POINTS; ++p) points[p] = tac_random_in_box(&random, box);
  points[0] = box.lower;
  stress_at(mesh, material, NULL, POINTS, points, load, stress);
  stress_of_gradient(material, gradient, expected);
  for (int p = 0; p < POINTS; ++p)
    for (int i = 0; i < 6; ++i)
      ck_assert_double_eq_tol(stress[p][i], expected[i], 1e-10 * material->stiffness[0][0] * 0.01);
}
