/* Free bodies: inertia relief against modes, closed forms and implicit Euler's method. */
#include "elastic/solids/inertia_relief.h"

#include <tactus/material.h>
#include "elastic/make_body.h"
#include "elastic/reference/reference_def.h"
#include "elastic/reference/reference_problem.h"
#include "elastic/solids/assembly.h"
#include "elastic/solids/solid_mass.h"
#include "math/dense/blas.h"
#include "math/dense_samples.h"

/* An uneven box of two materials, one above the other. */
typedef struct {
  tacVolMesh *mesh;
  tacMaterial materials[2];
  int *material_of;
  int size; /* 3 numbers a vertex */
} Body;

static Body make(bool bricks) {
  tac_blas_start();
  Body b = {.mesh = tac_test_keep(make_uneven((tacBox){{0.1, -0.2, 0.3}, {0.2, -0.08, 0.45}}, bricks, 2, 0.2),
                                  tac_volmesh_destroy)};
  b.materials[0] = make_isotropic(1000.0, 1e5, 0.3);
  b.materials[1] = make_isotropic(3000.0, 4e5, 0.4);
  b.material_of = tac_test_alloc((size_t)tac_element_count(b.mesh) * sizeof *b.material_of);
  for (int e = 0; e < tac_element_count(b.mesh); ++e) {
    double z = 0.0;
    int count = tac_element_corner_count(b.mesh, e);
    for (int c = 0; c < count; ++c) z += b.mesh->vertices[tac_element_vertices(b.mesh, e)[c]].z / count;
    b.material_of[e] = z > 0.375;
  }
  b.size = 3 * b.mesh->vertex_count;
  return b;
}

/* A test of tetrahedra, and then of bricks. */
#define TEST_EITHER(name)                \
  static void check_##name(bool bricks); \
  TAC_TEST(name) {                       \
    check_##name(false);                 \
    check_##name(true);                  \
  }                                      \
  static void check_##name(bool bricks)

static tacSolid solid_of(const Body *b) {
  return (tacSolid){.mesh = b->mesh, .material_count = 2, .materials = b->materials, .material_of = b->material_of};
}

static void assemble(const Body *b, tacDense *stiffness, tacDense *mass) {
  TAC_SPARSE k, m;
  tac_test_ok(tac_assembly_stiffness(b->mesh, b->materials, b->material_of, &k, &error), error);
  tac_test_ok(tac_assembly_mass(b->mesh, b->materials, b->material_of, TAC_MASS_CONSISTENT, &m, &error), error);
  *stiffness = dense_of(&k);
  *mass = dense_of(&m);
}

/* C, column by column. */
static tacDense compliance(const Body *b, const int *support) {
  TAC_OWN(tacInertiaRelief, relief) = NULL;
  tacSolid solid = solid_of(b);
  tacDense c;
  tac_test_ok(tac_dense_create(b->size, b->size, &c, &error), error);
  for (int i = 0; i < b->size; ++i) tac_dense_column(&c, i)[i] = 1.0;
  tac_test_ok(tac_inertia_relief_create(&solid, support, &relief, &error), error);
  tac_test_ok(tac_inertia_relief_solve(relief, b->size, c.a, c.a, &error), error);
  return c;
}

/* C = sum of phi phi^T / omega^2 over the elastic modes, which a dense eigenvalue solver finds; none of six is
 * elastic. */
TEST_EITHER(it_is_the_sum_over_the_elastic_modes) {
  Body b = make(bricks);
  TAC_DENSE modes, mass, sum, c = compliance(&b, NULL);
  double *values = tac_test_doubles((size_t)b.size);
  assemble(&b, &modes, &mass);
  tac_test_ok(tac_dense_eigen_pencil(&modes, &mass, values, &error), error);
  ck_assert_double_lt(fabs(values[5]), 1e-9 * values[6]);
  tac_test_ok(tac_dense_create(b.size, b.size, &sum, &error), error);
  for (int k = 6; k < b.size; ++k)
    for (int j = 0; j < b.size; ++j)
      for (int i = 0; i < b.size; ++i)
        tac_dense_column(&sum, j)[i] += tac_dense_column(&modes, k)[i] * tac_dense_column(&modes, k)[j] / values[k];
  ck_assert_double_lt(largest_difference(&c, &sum), 1e-9 * largest_entry(c.a, c.rows * c.cols));
}

/* Which three vertices support it does not matter, near ones or far ones. */
TEST_EITHER(it_does_not_depend_on_the_support) {
  Body b = make(bricks);
  static const int others[2][3] = {{0, 1, 3}, {26, 5, 12}};
  TAC_DENSE c = compliance(&b, NULL);
  for (int k = 0; k < 2; ++k) {
    TAC_DENSE other = compliance(&b, others[k]);
    ck_assert_double_lt(largest_difference(&c, &other), 1e-10 * largest_entry(c.a, c.rows * c.cols));
  }
}

TEST_EITHER(it_is_symmetric_and_positive_semidefinite) {
  Body b = make(bricks);
  TAC_DENSE c = compliance(&b, NULL);
  double *values = tac_test_doubles((size_t)b.size), size = largest_entry(c.a, c.rows * c.cols), defect = 0.0;
  for (int i = 0; i < b.size; ++i)
    for (int j = 0; j < i; ++j) defect = fmax(defect, fabs(tac_dense_column(&c, i)[j] - tac_dense_column(&c, j)[i]));
  ck_assert_double_lt(defect, 1e-12 * size);
  tac_test_ok(tac_dense_eigen(&c, values, &error), error);
  ck_assert_double_gt(values[0], -1e-12 * values[b.size - 1]);
  ck_assert_double_lt(values[5], 1e-12 * values[b.size - 1]); /* six loads that deform nothing, */
  ck_assert_double_gt(values[6], 1e-6 * values[b.size - 1]);  /* and no more */
}

/* What accelerates every part alike deforms nothing, and what is deformed has no momentum. */
TEST_EITHER(rigid_motion_is_none_of_it) {
  Body b = make(bricks);
  TAC_DENSE stiffness, mass, c = compliance(&b, NULL);
  double *rigid = vector_of(b.mesh), *load = vector_of(b.mesh), *moved = vector_of(b.mesh);
  assemble(&b, &stiffness, &mass);
  for (int kind = 0; kind < 6; ++kind) {
    double f = 0.0, u = 0.0;
    for (int v = 0; v < b.mesh->vertex_count; ++v) put_vec3(rigid, v, rigid_motion(kind, b.mesh->vertices[v]));
    tac_dense_gemv(1.0, &mass, false, rigid, 0.0, load);
    tac_dense_gemv(1.0, &c, false, load, 0.0, moved);
    for (int i = 0; i < b.size; ++i) f = fmax(f, fabs(load[i])), u = fmax(u, fabs(moved[i]));
    ck_assert_double_lt(u, 1e-10 * largest_entry(c.a, c.rows * c.cols) * f);
    tac_dense_gemv(1.0, &c, true, load, 0.0, moved); /* (M R)^T C */
    u = 0.0;
    for (int i = 0; i < b.size; ++i) u = fmax(u, fabs(moved[i]));
    ck_assert_double_lt(u, 1e-10 * largest_entry(c.a, c.rows * c.cols) * f);
  }
}

/* Implicit Euler's method for the whole solid moves a force by (M / h^2 + K)^-1 f in a step. With modes that is h^2
 * of rigid motions and 1 / (omega^2 + 1 / h^2) of elastic ones, W = C + R (R^T M R / h^2)^-1 R^T has 1 / omega^2 of
 * these: more by 1 / (1 + h^2 omega_1^2) of C at most, never less. */
TEST_EITHER(with_its_rigid_motion_it_is_a_long_step_of_the_whole_solid) {
  Body b = make(bricks);
  TAC_DENSE k, m, modes, own, c = compliance(&b, NULL);
  tacInertia mass;
  tacSolid solid = solid_of(&b);
  double *values = tac_test_doubles((size_t)b.size), *f = vector_of(b.mesh), *u = vector_of(b.mesh);
  tacRandom random = tac_random_seed(5);
  assemble(&b, &k, &m);
  tac_test_ok(tac_dense_copy(&k, &modes, &error), error);
  tac_test_ok(tac_dense_copy(&m, &own, &error), error);
  tac_test_ok(tac_dense_eigen_pencil(&modes, &own, values, &error), error);
  tac_test_ok(tac_solid_mass(&solid, &mass, &error), error);
  tacMat3 turn;
  memcpy(turn.m, mass.moments, sizeof turn.m);
  ck_assert(tac_mat3_inverse(turn, &turn));
  for (int length = 1; length <= 100; length *= 10) {
    double h = length / sqrt(values[6]);
    TAC_DENSE step;
    tac_test_ok(tac_dense_copy(&k, &step, &error), error);
    for (int i = 0; i < b.size; ++i)
      for (int j = 0; j < b.size; ++j) tac_dense_column(&step, i)[j] += tac_dense_column(&m, i)[j] / (h * h);
    tac_test_ok(tac_dense_cholesky(&step, &error), error);
    for (int trial = 0; trial < 5; ++trial) {
      tacVec3 force = tac_vec3(0.0, 0.0, 0.0), torque = force;
      double elastic = 0.0, euler = 0.0, rigid;
      for (int v = 0; v < b.mesh->vertex_count; ++v) {
        tacVec3 at = tac_random_in_cube(&random, 1.0);
        put_vec3(f, v, at);
        force = tac_vec3_add(force, at);
        torque = tac_vec3_add(torque, tac_vec3_cross(tac_vec3_sub(b.mesh->vertices[v], mass.centre), at));
      }
      tac_dense_gemv(1.0, &c, false, f, 0.0, u);
      for (int i = 0; i < b.size; ++i) elastic += f[i] * u[i];
      rigid = h * h * (tac_vec3_norm2(force) / mass.mass + tac_vec3_dot(torque, tac_mat3_mul_vec(turn, torque)));
      tacDense x = {b.size, 1, b.size, u};
      memcpy(u, f, (size_t)b.size * sizeof *u);
      tac_dense_cholesky_solve(&step, &x);
      for (int i = 0; i < b.size; ++i) euler += f[i] * u[i];
      double more = (elastic + rigid - euler) / elastic, most = 1.0 / (1.0 + length * length);
      ck_assert_double_gt(more, -1e-9 * (1.0 + rigid / elastic));
      ck_assert_double_lt(more, most + 1e-9 * (1.0 + rigid / elastic));
    }
  }
}

/* A bar along x: forces on its ends as tractions p, -1 and 1 of them outward. */
static double stretch(double poisson, double left, double right) {
  enum { NX = 8, N = 2 };
  const double length = 0.4, width = 0.05, young = 2e5, force = 3.0;
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {length, width, width}}, NX, N, N);
  tacMaterial material = make_isotropic(700.0, young, poisson);
  const tacSolid solid = {.mesh = mesh, .material_count = 1, .materials = &material};
  double *load = vector_of(mesh), ends[2] = {0.0, 0.0};
  TAC_OWN(tacInertiaRelief, relief) = NULL;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 p = mesh->vertices[v];
    /* The share of the end's area that a hat function has. */
    double y = p.y <= 0.0 || p.y >= width ? 0.5 : 1.0, z = p.z <= 0.0 || p.z >= width ? 0.5 : 1.0;
    double part = force * y * z / (N * N);
    if (p.x <= 0.0) load[3 * v] = -left * part;
    if (p.x >= length) load[3 * v] = right * part;
  }
  tac_blas_start();
  tac_test_ok(tac_inertia_relief_create(&solid, NULL, &relief, &error), error);
  tac_test_ok(tac_inertia_relief_solve(relief, 1, load, load, &error), error);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    if (mesh->vertices[v].x <= 0.0) ends[0] += load[3 * v] / ((N + 1) * (N + 1));
    if (mesh->vertices[v].x >= length) ends[1] += load[3 * v] / ((N + 1) * (N + 1));
  }
  return (ends[1] - ends[0]) * young * width * width / (force * length);
}

/* Pulled at both ends by F it is longer by F L / (E A), which linear elements have exactly; pushed at one end it
 * flies, and the force that passes through falls linearly to zero: F L / (2 E A), exact at the ends without
 * Poisson's contraction. */
TAC_TEST(a_bar_stretches_by_the_closed_form) {
  ck_assert_double_eq_tol(stretch(0.3, 1.0, 1.0), 1.0, 1e-9);
  ck_assert_double_eq_tol(stretch(0.0, 0.0, 1.0), 0.5, 1e-9);
  ck_assert_double_eq_tol(stretch(0.0, -1.0, 0.0), -0.5, 1e-9);
  ck_assert_double_eq_tol(stretch(0.3, 0.0, 1.0), 0.5, 0.01);
}

/* Columns of the reference problem are the surface's part of C, times the vertex's area. */
TEST_EITHER(columns_are_its_part_on_the_surface) {
  Body b = make(bricks);
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_MEMORY(int, vertex_of) = NULL;
  tac_test_ok(tac_volmesh_surface(b.mesh, &surface, &vertex_of, NULL, &error), error);
  bool *fixed = tac_test_alloc((size_t)surface->vertex_count * sizeof *fixed);
  tacReferenceDef def = {.method = TAC_FINITE_ELEMENTS,
                         .volume = b.mesh,
                         .material_count = 2,
                         .materials = b.materials,
                         .material_of = b.material_of,
                         .fixed = fixed};
  TAC_OWN(tacReferenceProblem, problem) = NULL;
  tac_test_ok(tac_reference_problem_create(&def, NULL, &problem, &error), error);
  const double *area = tac_reference_problem_area(problem);
  TAC_DENSE c = compliance(&b, NULL);
  double *columns = tac_test_doubles(9 * (size_t)surface->vertex_count), size = largest_entry(c.a, c.rows * c.cols);
  for (int j = 0; j < surface->vertex_count; ++j) {
    tac_test_ok(tac_reference_problem_columns(problem, 1, &j, NULL, columns, &error), error);
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < 3 * surface->vertex_count; ++i)
        ck_assert_double_eq_tol(columns[3 * axis * surface->vertex_count + i],
                                area[j] * tac_dense_column(&c, 3 * vertex_of[j] + axis)[3 * vertex_of[i / 3] + i % 3],
                                1e-11 * area[j] * size);
  }
  ck_assert_int_eq(tac_reference_problem_checks(problem)->count, 2);
  /* Where the mass is matters, if nothing holds the body: another density is another problem. */
  uint64_t key = tac_reference_def_key(&def, surface->vertex_count);
  b.materials[1].density *= 2.0;
  ck_assert(tac_reference_def_key(&def, surface->vertex_count) != key);
  fixed[0] = true;
  key = tac_reference_def_key(&def, surface->vertex_count);
  b.materials[1].density *= 2.0;
  ck_assert(tac_reference_def_key(&def, surface->vertex_count) == key);
}

/* A box whose upper half is three times as heavy, and one of one material against the integral over its surface. */
TEST_EITHER(mass_is_that_of_the_elements) {
  Body b = make(bricks);
  tacInertia mass, wanted;
  TAC_OWN(tacTriMesh, surface) = NULL;
  tacSolid solid = solid_of(&b);
  b.materials[1] = b.materials[0];
  tac_test_ok(tac_solid_mass(&solid, &mass, &error), error);
  tac_test_ok(tac_volmesh_surface(b.mesh, &surface, NULL, NULL, &error), error);
  tac_test_ok(tac_mass_properties(surface, b.materials[0].density, &wanted, &error), error);
  ck_assert_double_eq_tol(mass.mass, wanted.mass, 1e-12 * wanted.mass);
  ck_assert_double_lt(tac_vec3_distance(mass.centre, wanted.centre), 1e-13);
  for (int i = 0; i < 9; ++i)
    ck_assert_double_eq_tol(mass.moments[i / 3][i % 3], wanted.moments[i / 3][i % 3], 1e-12 * wanted.moments[0][0]);
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.0, 2.0, 4.0}}, 1, 1, 2);
  const tacMaterial two[2] = {make_isotropic(1.0, 1e5, 0.3), make_isotropic(3.0, 1e5, 0.3)};
  int above[2] = {mesh->vertices[mesh->bricks[0].v[6]].z > 2.5, mesh->vertices[mesh->bricks[1].v[6]].z > 2.5};
  solid = (tacSolid){.mesh = mesh, .material_count = 2, .materials = two, .material_of = above};
  tac_test_ok(tac_solid_mass(&solid, &mass, &error), error);
  ck_assert_double_eq_tol(mass.mass, 16.0, 1e-12);
  ck_assert_double_lt(tac_vec3_distance(mass.centre, tac_vec3(0.5, 1.0, 2.5)), 1e-12);
  /* z: 4 (4 / 12 + 1.5^2) + 12 (4 / 12 + 0.5^2) of the halves about the centre; x: 16 / 12 */
  double z = 4.0 * (4.0 / 12.0 + 2.25) + 12.0 * (4.0 / 12.0 + 0.25);
  ck_assert_double_eq_tol(mass.moments[1][1], z + 16.0 / 12.0, 1e-11);
}

TAC_TEST(anything_but_one_free_body_is_refused) {
  tacMaterial material = make_isotropic(1000.0, 1e5, 0.3);
  tacInertiaRelief *relief;
  TAC_OWN(tacVolMesh, one) = make_bricks(unit_box(), 1, 1, 1);
  TAC_OWN(tacVolMesh, two) = NULL;
  tac_test_ok(tac_volmesh_create(16, 0, 2, &two, &error), error);
  for (int i = 0; i < 16; ++i)
    two->vertices[i] = tac_vec3_add(one->vertices[i % 8], tac_vec3(i < 8 ? 0.0 : 3.0, 0.0, 0.0));
  for (int i = 0; i < 16; ++i) two->bricks[i / 8].v[i % 8] = one->bricks[0].v[i % 8] + (i < 8 ? 0 : 8);
  tacSolid solid = {.mesh = two, .material_count = 1, .materials = &material};
  tac_test_refused(tac_inertia_relief_create(&solid, NULL, &relief, &error), TAC_ERR_GEOMETRY, error,
                   "a free body consists of 2 pieces that are not connected");
  ck_assert_ptr_null(relief);
  TAC_OWN(tacTriMesh, surface) = NULL;
  tac_test_ok(tac_volmesh_surface(one, &surface, NULL, NULL, &error), error);
  bool fixed[8] = {false};
  tacReferenceDef def = {
      .method = TAC_BOUNDARY_ELEMENTS, .surface = surface, .material_count = 1, .materials = &material, .fixed = fixed};
  tacReferenceProblem *problem;
  tac_test_refused(tac_reference_problem_create(&def, NULL, &problem, &error), TAC_ERR_GEOMETRY, error,
                   "or use finite elements");
}
