#include "elastic/solids/finite_strain.h"

#include "elastic/make_body.h"
#include "elastic/solids/assembly.h"
#include "math/geometry/quat.h"
#include "mesh/brick_map.h"

static tacFiniteStrain *create(const tacSolid *solid) {
  tacFiniteStrain *strain;
  tac_test_ok(tac_finite_strain_create(solid, &strain, &error), error);
  return tac_test_keep(strain, tac_finite_strain_destroy);
}

/* Elements have one of three materials in turn: two isotropic, one anisotropic. */
typedef struct Sample {
  tacVolMesh *mesh;
  tacMaterial materials[3];
  int *material_of;
  tacSolid solid;
  tacFiniteStrain *strain;
  double *u; /* random and large: edges change by up to a half of their length */
  int size;  /* 3 numbers a vertex */
} Sample;

static void random_vector(uint64_t seed, double size, int count, double *x) {
  tacRandom random = tac_random_seed(seed);
  for (int i = 0; i < count; ++i) x[i] = tac_random_uniform(&random, -size, size);
}

static Sample *make_sample(void) {
  Sample *sample = tac_test_alloc(sizeof *sample);
  sample->mesh = tac_test_keep(make_mixed(), tac_volmesh_destroy);
  sample->materials[0] = make_isotropic(1000.0, 2e6, 0.3);
  sample->materials[1] = make_anisotropic(3);
  sample->materials[2] = make_isotropic(700.0, 5e5, 0.45);
  int count = tac_element_count(sample->mesh);
  sample->material_of = tac_test_alloc((size_t)count * sizeof(int));
  for (int e = 0; e < count; ++e) sample->material_of[e] = e % 3;
  sample->solid = (tacSolid){
      .mesh = sample->mesh, .material_count = 3, .materials = sample->materials, .material_of = sample->material_of};
  sample->strain = create(&sample->solid);
  sample->u = vector_of(sample->mesh);
  sample->size = 3 * sample->mesh->vertex_count;
  random_vector(7, 0.12, sample->size, sample->u);
  return sample;
}

static double *create_values(const tacFiniteStrain *strain) {
  return tac_test_alloc((size_t)tac_sparse_count(tac_finite_strain_pattern(strain)) * sizeof(double));
}

/* y = K x for values on the pattern. */
static void multiply(const tacFiniteStrain *strain, double *value, const double *x, double *y) {
  tacSparse matrix = *tac_finite_strain_pattern(strain);
  matrix.value = value;
  tac_sparse_multiply(&matrix, x, 1, y);
}

/* A quartic and its gradient: central differences of step h leave h^2 times the third derivatives. */
TAC_TEST(force_is_the_gradient_of_the_energy) {
  Sample *sample = make_sample();
  double *force = vector_of(sample->mesh), *u = sample->u, h = 1e-5;
  tac_finite_strain_force(sample->strain, u, force);
  double scale = tac_vector_norm(sample->size, force) / sqrt(sample->size);
  for (int i = 0; i < sample->size; ++i) {
    double at = u[i], energy[2];
    for (int side = 0; side < 2; ++side) {
      u[i] = at + (side == 0 ? -h : h);
      energy[side] = tac_finite_strain_energy(sample->strain, u);
    }
    u[i] = at;
    ck_assert_double_eq_tol((energy[1] - energy[0]) / (2.0 * h), force[i], 1e-7 * scale);
  }
}

TAC_TEST(stiffness_is_the_derivative_of_the_force) {
  Sample *sample = make_sample();
  double *value = create_values(sample->strain), *x = vector_of(sample->mesh), *kx = vector_of(sample->mesh);
  double *u = vector_of(sample->mesh), *force[2] = {vector_of(sample->mesh), vector_of(sample->mesh)}, h = 1e-5;
  tac_finite_strain_stiffness(sample->strain, sample->u, value);
  for (int direction = 0; direction < 10; ++direction) {
    random_vector((uint64_t)direction, 1.0, sample->size, x);
    multiply(sample->strain, value, x, kx);
    for (int side = 0; side < 2; ++side) {
      for (int i = 0; i < sample->size; ++i) u[i] = sample->u[i] + (side == 0 ? -h : h) * x[i];
      tac_finite_strain_force(sample->strain, u, force[side]);
    }
    double scale = tac_vector_norm(sample->size, kx) / sqrt(sample->size);
    for (int i = 0; i < sample->size; ++i)
      ck_assert_double_eq_tol((force[1][i] - force[0][i]) / (2.0 * h), kx[i], 1e-7 * scale);
  }
}

static void check_symmetric(const tacSparse *pattern, const double *value) {
  for (int j = 0; j < pattern->cols; ++j) {
    for (int p = pattern->column_start[j]; p < pattern->column_start[j + 1]; ++p) {
      int q = tac_sparse_find(pattern, j, pattern->row[p]);
      ck_assert_int_ge(q, 0);
      ck_assert_double_eq(value[p], value[q]);
    }
  }
}

TAC_TEST(matrices_are_symmetric_to_the_bit) {
  Sample *sample = make_sample();
  const tacSparse *pattern = tac_finite_strain_pattern(sample->strain);
  double *value = create_values(sample->strain);
  tac_finite_strain_stiffness(sample->strain, sample->u, value);
  check_symmetric(pattern, value);
  tac_finite_strain_damping(sample->strain, (const double[]){3.0, 4.0, 5.0}, (const double[]){1.0, 2.0, 0.5}, sample->u,
                            value);
  check_symmetric(pattern, value);
}

TAC_TEST(stiffness_at_rest_is_that_of_small_strains) {
  Sample *sample = make_sample();
  TAC_SPARSE k;
  tac_test_ok(tac_assembly_stiffness(sample->mesh, sample->materials, sample->material_of, &k, &error), error);
  const tacSparse *pattern = tac_finite_strain_pattern(sample->strain);
  double *value = create_values(sample->strain), *zero = vector_of(sample->mesh);
  tac_finite_strain_stiffness(sample->strain, zero, value);
  ck_assert_int_eq(tac_sparse_count(pattern), tac_sparse_count(&k));
  double scale = tac_vector_norm(tac_sparse_count(&k), k.value) / sqrt(tac_sparse_count(&k));
  for (int p = 0; p < tac_sparse_count(&k); ++p) {
    ck_assert_int_eq(pattern->row[p], k.row[p]);
    ck_assert_double_eq(pattern->value[p], k.value[p]);
    ck_assert_double_eq_tol(value[p], k.value[p], 1e-13 * scale);
  }
}

static tacMat3 turn(tacVec3 axis, double angle) {
  return tac_quat_to_mat3(tac_quat_from_axis_angle(axis, angle));
}

/* u = (F - I) x + shift */
static void affine(const tacVolMesh *mesh, tacMat3 f, tacVec3 shift, double *u) {
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 x = mesh->vertices[v];
    put_vec3(u, v, tac_vec3_add(shift, tac_vec3_sub(tac_mat3_mul_vec(f, x), x)));
  }
}

TAC_TEST(rigid_motions_cost_nothing) {
  Sample *sample = make_sample();
  double *force = vector_of(sample->mesh), *u = vector_of(sample->mesh);
  tac_finite_strain_force(sample->strain, sample->u, force);
  double scale = tac_vector_norm(sample->size, force), energy = tac_finite_strain_energy(sample->strain, sample->u);
  for (int k = 0; k < 8; ++k) {
    affine(sample->mesh, turn(tac_vec3(1.0, k - 3.0, 0.7), 0.9 * k), tac_vec3(2.0, -0.1 * k, 0.4), u);
    tac_finite_strain_force(sample->strain, u, force);
    ck_assert_double_lt(tac_vector_norm(sample->size, force), 1e-13 * scale);
    ck_assert_double_lt(tac_finite_strain_energy(sample->strain, u), 1e-25 * energy);
    ck_assert_int_eq(tac_finite_strain_inverted(sample->strain, u), -1);
  }
}

/* Turning a deformed body keeps its energy and turns its forces. */
TAC_TEST(forces_turn_with_the_body) {
  Sample *sample = make_sample();
  double *force = vector_of(sample->mesh), *turned = vector_of(sample->mesh), *u = vector_of(sample->mesh);
  tacMat3 r = turn(tac_vec3(0.3, -1.0, 0.6), 2.1);
  for (int v = 0; v < sample->mesh->vertex_count; ++v) {
    tacVec3 x = sample->mesh->vertices[v];
    put_vec3(u, v, tac_vec3_sub(tac_mat3_mul_vec(r, tac_vec3_add(x, get_vec3(sample->u, v))), x));
  }
  tac_finite_strain_force(sample->strain, sample->u, force);
  tac_finite_strain_force(sample->strain, u, turned);
  double energy = tac_finite_strain_energy(sample->strain, sample->u);
  ck_assert_double_eq_tol(tac_finite_strain_energy(sample->strain, u), energy, 1e-12 * energy);
  for (int v = 0; v < sample->mesh->vertex_count; ++v)
    ck_assert_double_lt(tac_vec3_distance(tac_mat3_mul_vec(r, get_vec3(force, v)), get_vec3(turned, v)),
                        1e-12 * tac_vector_norm(sample->size, force));
}

/* First Piola-Kirchhoff stress F C (F^T F - I) / 2, by tensors: C_ijkl is read from the 6 x 6 matrix. */
static tacMat3 first_stress(const tacMaterial *material, tacMat3 f) {
  static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  tacMat3 e = {0}, s = {0}, p = {0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) e.m[i][j] += 0.5 * f.m[k][i] * f.m[k][j];
      if (i == j) e.m[i][j] -= 0.5;
    }
  for (int ij = 0; ij < 9; ++ij)
    for (int kl = 0; kl < 9; ++kl)
      s.m[ij / 3][ij % 3] += material->stiffness[place[ij / 3][ij % 3]][place[kl / 3][kl % 3]] * e.m[kl / 3][kl % 3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) p.m[i][j] += f.m[i][k] * s.m[k][j];
  return p;
}

/* The patch test at large strains: under an affine displacement no force remains inside, and sum_a f_a x_a^T over the whole
 * body is the volume times P = F S. */
TAC_TEST(affine_displacements_make_uniform_stress) {
  tacBox box = {{0.5, -1.0, 2.0}, {1.5, 0.5, 2.8}};
  for (int kind = 0; kind < 4; ++kind) {
    TAC_OWN(tacVolMesh, mesh) = make_uneven(box, kind % 2 == 0, 4, 0.2);
    tacMaterial material = kind < 2 ? make_isotropic(1000.0, 3e5, 0.35) : make_anisotropic(5);
    tacSolid solid = {.mesh = mesh, .material_count = 1, .materials = &material};
    tacFiniteStrain *strain = create(&solid);
    double *u = vector_of(mesh), *force = vector_of(mesh);
    tacMat3 f = {{{1.4, 0.3, -0.2}, {0.1, 0.7, 0.5}, {-0.3, 0.2, 1.1}}}, sum = {0};
    affine(mesh, f, tac_vec3(0.3, 0.2, 0.1), u);
    tac_finite_strain_force(strain, u, force);
    double scale = tac_vector_norm(3 * mesh->vertex_count, force);
    for (int v = 0; v < mesh->vertex_count; ++v) {
      tacVec3 at = get_vec3(force, v), x = mesh->vertices[v];
      double fv[3] = {at.x, at.y, at.z}, xv[3] = {x.x, x.y, x.z};
      if (!on_boundary(box, x)) ck_assert_double_lt(tac_vec3_norm(at), 1e-13 * scale);
      for (int i = 0; i < 9; ++i) sum.m[i / 3][i % 3] += fv[i / 3] * xv[i % 3];
    }
    tacMat3 p = first_stress(&material, f);
    double volume = tac_volmesh_volume(mesh);
    for (int i = 0; i < 9; ++i) ck_assert_double_eq_tol(sum.m[i / 3][i % 3], volume * p.m[i / 3][i % 3], 1e-12 * scale);
  }
}

/* Under an affine motion F(t) all is uniform: the strain rate comes from differences of E(F(t)) in time, S_D from (2.34),
 * and the forces are those of the uniform first Piola-Kirchhoff stress F S_D: sum f_a x_a^T = V F S_D. */
TAC_TEST(viscous_stress_is_that_of_the_strain_rate) {
  double phi = 30.0, psi = 12.0, h = 1e-5;
  tacMaterial material = make_isotropic(1000.0, 1e5, 0.3);
  tacMat3 f = {{{1.3, 0.2, -0.3}, {0.15, 0.8, 0.4}, {-0.2, 0.1, 1.2}}},
          rate = {{{0.5, -1.0, 0.3}, {0.8, 0.2, -0.6}, {0.1, 0.9, -0.7}}}, s;
  double e[2][3][3], de[3][3], trace = 0.0;
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        e[side][i][j] = i == j ? -0.5 : 0.0;
        for (int k = 0; k < 3; ++k)
          e[side][i][j] +=
              0.5 * (f.m[k][i] + (2 * side - 1) * h * rate.m[k][i]) * (f.m[k][j] + (2 * side - 1) * h * rate.m[k][j]);
      }
  for (int i = 0; i < 9; ++i) de[i / 3][i % 3] = (e[1][i / 3][i % 3] - e[0][i / 3][i % 3]) / (2.0 * h);
  for (int i = 0; i < 3; ++i) trace += de[i][i];
  for (int i = 0; i < 9; ++i) s.m[i / 3][i % 3] = 2.0 * psi * de[i / 3][i % 3] + (i % 4 == 0 ? phi * trace : 0.0);
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_OWN(tacVolMesh, mesh) = make_uneven(unit_box(), bricks == 1, 2, 0.2);
    tacSolid solid = {.mesh = mesh, .material_count = 1, .materials = &material};
    tacFiniteStrain *strain = create(&solid);
    double *u = vector_of(mesh), *v = vector_of(mesh), *d = vector_of(mesh), *value = create_values(strain);
    tacMat3 sum = {0};
    affine(mesh, f, tac_vec3(0.0, 0.0, 0.0), u);
    for (int i = 0; i < mesh->vertex_count; ++i) put_vec3(v, i, tac_mat3_mul_vec(rate, mesh->vertices[i]));
    tac_finite_strain_damping(strain, &phi, &psi, u, value);
    multiply(strain, value, v, d);
    for (int i = 0; i < 3 * mesh->vertex_count; ++i) {
      tacVec3 x = mesh->vertices[i / 3];
      double xv[3] = {x.x, x.y, x.z};
      for (int j = 0; j < 3; ++j) sum.m[i % 3][j] += d[i] * xv[j];
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double p = 0.0;
        for (int k = 0; k < 3; ++k) p += f.m[i][k] * s.m[k][j];
        ck_assert_double_eq_tol(sum.m[i][j], p, 1e-8 * psi);
      }
  }
}

/* v . C v >= 0, and nothing where the deformed body moves rigidly. */
TAC_TEST(damping_dissipates_and_leaves_rigid_motion) {
  Sample *sample = make_sample();
  double *value = create_values(sample->strain), *v = vector_of(sample->mesh), *d = vector_of(sample->mesh);
  tac_finite_strain_damping(sample->strain, (const double[]){3.0, 4.0, 5.0}, (const double[]){1.0, 2.0, 0.5}, sample->u,
                            value);
  double least = 1e300;
  for (int n = 0; n < 20; ++n) {
    random_vector((uint64_t)n, 1.0, sample->size, v);
    multiply(sample->strain, value, v, d);
    double power = 0.0;
    for (int i = 0; i < sample->size; ++i) power += v[i] * d[i];
    least = fmin(least, power);
  }
  ck_assert_double_gt(least, 0.0);
  double scale = tac_vector_norm(sample->size, d);
  for (int kind = 0; kind < 6; ++kind) {
    for (int i = 0; i < sample->mesh->vertex_count; ++i)
      put_vec3(v, i, rigid_motion(kind, tac_vec3_add(sample->mesh->vertices[i], get_vec3(sample->u, i))));
    multiply(sample->strain, value, v, d);
    ck_assert_double_lt(tac_vector_norm(sample->size, d), 1e-13 * scale);
  }
}

/* A corner pushed through the opposite face turns its element over. */
TAC_TEST(inverted_elements_are_named) {
  Sample *sample = make_sample();
  double *u = vector_of(sample->mesh);
  int tet = 17, brick = sample->mesh->tet_count + 2;
  ck_assert_int_eq(tac_finite_strain_inverted(sample->strain, u), -1);
  for (int k = 0; k < 2; ++k) {
    int element = k == 0 ? tet : brick;
    const int *v = tac_element_vertices(sample->mesh, element);
    memset(u, 0, (size_t)sample->size * sizeof *u);
    tacVec3 from = sample->mesh->vertices[v[0]], to = sample->mesh->vertices[v[k == 0 ? 3 : 6]], base = from;
    if (k == 0) { /* to the mirror image behind the face 1 2 3 */
      base = tac_vec3_scale(1.0 / 3.0,
                            tac_vec3_add(to, tac_vec3_add(sample->mesh->vertices[v[1]], sample->mesh->vertices[v[2]])));
      put_vec3(u, v[0], tac_vec3_scale(2.0, tac_vec3_sub(base, from)));
    } else {
      put_vec3(u, v[0], tac_vec3_scale(1.5, tac_vec3_sub(to, from)));
    }
    int found = tac_finite_strain_inverted(sample->strain, u);
    ck_assert_int_ge(found, 0);
    const int *w = tac_element_vertices(sample->mesh, found);
    bool shares = false; /* others at this corner may be inverted too, and come first */
    for (int c = 0; c < tac_element_corner_count(sample->mesh, found); ++c) shares = shares || w[c] == v[0];
    ck_assert(shares);
    ck_assert_int_le(found, element);
  }
}

static void check_refused(tacSolid solid, tacStatus status, const char *text) {
  tacFiniteStrain *strain;
  tac_test_refused(tac_finite_strain_create(&solid, &strain, &error), status, error, text);
  ck_assert_ptr_null(strain);
}

TAC_TEST(broken_solids_are_refused) {
  tacMaterial material = make_isotropic(1000.0, 1e5, 0.3), wrong = material;
  TAC_OWN(tacVolMesh, mesh) = make_bricks(unit_box(), 2, 1, 1);
  int material_of[2] = {0, 1};
  tacSolid solid = {.mesh = mesh, .material_count = 1, .materials = &material, .material_of = material_of};
  check_refused(solid, TAC_ERR_ARGUMENT, "element 1 has material 1");
  wrong.density = -1.0;
  solid.material_of = NULL;
  solid.materials = &wrong;
  check_refused(solid, TAC_ERR_ARGUMENT, "density");
  solid.materials = &material;
  tacVec3 kept = mesh->vertices[2];
  mesh->vertices[2].x = -1.0;
  check_refused(solid, TAC_ERR_GEOMETRY, "inverted");
  mesh->vertices[2] = kept;
  mesh->bricks[1].v[3] = 99;
  check_refused(solid, TAC_ERR_GEOMETRY, "99");
}

/* The energy of one parallelepiped by 5 Gauss points a side, exact for degree 9: with x = origin + J (local + 1), u = sum N_c u_c and
 * E = (F^T F - I) / 2. */
static double energy_by_five(const tacVec3 corners[8], const tacVec3 u[8], const tacMaterial *material) {
  static const double place[5] = {-0.90617984593866399280, -0.53846931010568309104, 0.0, 0.53846931010568309104,
                                  0.90617984593866399280};
  static const double weight[5] = {0.23692688505618908751, 0.47862867049936646804, 128.0 / 225.0,
                                   0.47862867049936646804, 0.23692688505618908751};
  static const int row[6] = {0, 1, 2, 1, 2, 0}, col[6] = {0, 1, 2, 2, 0, 1};
  tacMat3 jacobian = tac_mat3_zero(), inverse;
  const int along[3] = {1, 3, 4};
  for (int a = 0; a < 3; ++a) {
    tacVec3 edge = tac_vec3_scale(0.5, tac_vec3_sub(corners[along[a]], corners[0]));
    jacobian.m[0][a] = edge.x;
    jacobian.m[1][a] = edge.y;
    jacobian.m[2][a] = edge.z;
  }
  ck_assert(tac_mat3_inverse(jacobian, &inverse));
  double sum = 0.0;
  for (int p = 0; p < 125; ++p) {
    const double local[3] = {place[p % 5], place[p / 5 % 5], place[p / 25]};
    tacMat3 by_local = tac_mat3_zero();
    for (int n = 0; n < 8; ++n)
      for (int a = 0; a < 3; ++a) {
        double slope = 0.125;
        for (int b = 0; b < 3; ++b) {
          double side = tac_brick_corner[n][b];
          slope *= a == b ? side : 1.0 + side * local[b];
        }
        by_local.m[0][a] += slope * u[n].x;
        by_local.m[1][a] += slope * u[n].y;
        by_local.m[2][a] += slope * u[n].z;
      }
    tacMat3 f = tac_mat3_add(tac_mat3_identity(), tac_mat3_mul(by_local, inverse));
    tacMat3 square = tac_mat3_mul(tac_mat3_transpose(f), f);
    double e[6];
    for (int k = 0; k < 6; ++k) e[k] = k < 3 ? 0.5 * (square.m[k][k] - 1.0) : square.m[row[k]][col[k]];
    for (int i = 0; i < 36; ++i)
      sum += 0.5 * weight[p % 5] * weight[p / 5 % 5] * weight[p / 25] * e[i / 6] * material->stiffness[i / 6][i % 6] *
             e[i % 6];
  }
  return sum * tac_mat3_det(jacobian);
}

/* Bricks that are boxes, or those that one shear makes of them, are integrated exactly at any displacement: the energy has degree 4 in
 * each local coordinate, and two points a side, exact to degree 3, are off by 0.1 % and more here. */
TAC_TEST(energy_of_boxes_is_exact) {
  for (int kind = 0; kind < 4; ++kind) {
    TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.1, -0.2, 0.3}, {1.1, 0.7, 1.2}}, 2, 1, 2);
    tacMaterial material = kind % 2 == 0 ? make_isotropic(1000.0, 2e6, 0.3) : make_anisotropic(3);
    for (int v = 0; kind >= 2 && v < mesh->vertex_count; ++v) {
      tacVec3 p = mesh->vertices[v];
      mesh->vertices[v] = tac_vec3(p.x + 0.3 * p.y, p.y - 0.2 * p.z, p.z + 0.1 * p.x);
    }
    tacSolid solid = {.mesh = mesh, .material_count = 1, .materials = &material};
    tacFiniteStrain *strain = create(&solid);
    double *u = vector_of(mesh), exact = 0.0;
    random_vector(9, 0.2, 3 * mesh->vertex_count, u);
    for (int b = 0; b < mesh->brick_count; ++b) {
      tacVec3 corners[8], moved[8];
      for (int c = 0; c < 8; ++c) {
        int v = mesh->bricks[b].v[c];
        corners[c] = mesh->vertices[v];
        moved[c] = tac_vec3(u[3 * v], u[3 * v + 1], u[3 * v + 2]);
      }
      exact += energy_by_five(corners, moved, &material);
    }
    ck_assert_double_eq_tol(tac_finite_strain_energy(strain, u), exact, 1e-12 * exact);
  }
}
