#include "elastic/solids/assembly.h"

#include "elastic/make_body.h"
#include "elastic/solids/constraints.h"
#include "math/dense_samples.h"
#include "math/sparse/eigen.h"

static tacSparse assemble_stiffness(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of) {
  tacSparse k;
  tac_test_ok(tac_assembly_stiffness(mesh, materials, material_of, &k, &error), error);
  tac_test_ok(tac_sparse_check(&k, &error), error);
  return k;
}

static tacSparse assemble_mass(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                               tacMassKind kind) {
  tacSparse m;
  tac_test_ok(tac_assembly_mass(mesh, materials, material_of, kind, &m, &error), error);
  tac_test_ok(tac_sparse_check(&m, &error), error);
  return m;
}

static double energy(const tacSparse *matrix, const double *x) {
  double *y = tac_test_doubles((size_t)matrix->rows), sum = 0.0;
  tac_sparse_multiply(matrix, x, 1, y);
  for (int i = 0; i < matrix->rows; ++i) sum += x[i] * y[i];
  return sum;
}

/* Entry by entry against sums of element matrices into a full array. */
TAC_TEST(matrices_are_the_sums_of_their_elements) {
  TAC_OWN(tacVolMesh, mesh) = make_mixed();
  tacMaterial materials[2] = {make_anisotropic(1), make_anisotropic(2)};
  int material_of[28];
  size_t size = 3 * (size_t)mesh->vertex_count;
  double *full = tac_test_doubles(2 * size * size), *full_mass = full + size * size;
  for (int e = 0; e < 28; ++e) {
    double k[576], m[64];
    int n = tac_element_corner_count(mesh, e);
    const int *v = tac_element_vertices(mesh, e);
    material_of[e] = e % 3 == 0;
    tac_test_ok(tac_element_stiffness(mesh, e, &materials[material_of[e]], k, &error), error);
    tac_test_ok(tac_element_mass(mesh, e, &materials[material_of[e]], TAC_MASS_CONSISTENT, m, &error), error);
    for (int i = 0; i < 3 * n; ++i) {
      for (int j = 0; j < 3 * n; ++j) {
        size_t at = (size_t)(3 * v[i / 3] + i % 3) * size + (size_t)(3 * v[j / 3] + j % 3);
        full[at] += k[i * 3 * n + j];
        if (i % 3 == j % 3) full_mass[at] += m[i / 3 * n + j / 3];
      }
    }
  }
  TAC_SPARSE k = assemble_stiffness(mesh, materials, material_of);
  TAC_SPARSE m = assemble_mass(mesh, materials, material_of, TAC_MASS_CONSISTENT);
  for (int i = 0; i < (int)size; ++i) {
    for (int j = 0; j < (int)size; ++j) {
      int p = tac_sparse_find(&k, i, j), q = tac_sparse_find(&m, i, j);
      ck_assert_double_eq(p >= 0 ? k.value[p] : 0.0, full[(size_t)i * size + (size_t)j]);
      ck_assert_double_eq(q >= 0 ? m.value[q] : 0.0, full_mass[(size_t)i * size + (size_t)j]);
      int mirror = tac_sparse_find(&k, j, i);
      ck_assert_int_eq(p >= 0, mirror >= 0);
      if (p >= 0) ck_assert_double_eq(k.value[p], k.value[mirror]);
    }
    ck_assert_int_ge(tac_sparse_find(&k, i, i), 0);
  }
}

TAC_TEST(stiffness_has_six_zero_eigenvalues_and_none_below) {
  tacMaterial materials[2] = {make_isotropic(1.0, 1e6, 0.3), make_anisotropic(4)};
  for (int kind = 0; kind < 4; ++kind) {
    TAC_OWN(tacVolMesh, mesh) = make_uneven(unit_box(), kind % 2, 2, 0.2);
    TAC_SPARSE k = assemble_stiffness(mesh, &materials[kind / 2], NULL);
    TAC_DENSE full = dense_of(&k);
    double *values = vector_of(mesh);
    tac_test_ok(tac_dense_eigen(&full, values, &error), error);
    double largest = values[k.rows - 1];
    for (int i = 0; i < 6; ++i) ck_assert_double_eq_tol(values[i], 0.0, 1e-13 * largest);
    ck_assert_double_gt(values[6], 1e-4 * largest);
  }
}

/* A box of sides a b c about its centre: x^T M x = m for unit translations, m (b^2 + c^2) / 12 for unit rotations. Exact
 * with the consistent mass on every mesh; with the lumped one the error falls as h^2. */
TAC_TEST(mass_has_the_inertia_of_a_box) {
  tacMaterial material = make_isotropic(800.0, 1e6, 0.3);
  tacBox box = {{-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}};
  double mass = 800.0 * 1.0 * 0.8 * 0.6;
  double inertia[3] = {mass * (0.64 + 0.36) / 12.0, mass * (0.36 + 1.0) / 12.0, mass * (1.0 + 0.64) / 12.0};
  for (int bricks = 0; bricks < 2; ++bricks) {
    double lumped_error[2];
    for (int fine = 0; fine < 2; ++fine) {
      TAC_OWN(tacVolMesh, mesh) = make_uneven(box, bricks, fine ? 8 : 4, fine ? 0.0 : 0.2);
      TAC_OWN(tacVolMesh, even) = make_uneven(box, bricks, fine ? 8 : 4, 0.0);
      TAC_SPARSE m = assemble_mass(mesh, &material, NULL, TAC_MASS_CONSISTENT);
      TAC_SPARSE lumped = assemble_mass(even, &material, NULL, TAC_MASS_LUMPED);
      ck_assert_int_eq(tac_sparse_count(&lumped), lumped.rows); /* the diagonal alone, since all are positive */
      double *x = vector_of(mesh);
      for (int motion = 0; motion < 6; ++motion) {
        for (int v = 0; v < mesh->vertex_count; ++v) put_vec3(x, v, rigid_motion(motion, mesh->vertices[v]));
        ck_assert_double_eq_tol(energy(&m, x), motion < 3 ? mass : inertia[motion - 3], 1e-11 * mass);
        for (int v = 0; v < mesh->vertex_count; ++v) put_vec3(x, v, rigid_motion(motion, even->vertices[v]));
        if (motion < 3) ck_assert_double_eq_tol(energy(&lumped, x), mass, 1e-11 * mass);
      }
      lumped_error[fine] = energy(&lumped, x) - inertia[2];
      for (int i = 0; i < lumped.rows; ++i) ck_assert_double_gt(lumped.value[i], 0.0);
    }
    ck_assert_double_eq_tol(lumped_error[0] / lumped_error[1], 4.0, 0.05);
  }
}

/* ---- vibrations of a cantilever along x ---- */

static const double length = 1.0, width = 0.1, height = 0.08, young = 1e7, poisson = 0.3, density = 1000.0;

/* Timoshenko's cantilever (Huang 1961): with b^2 = density A L^4 omega^2 / (E I), r^2 = I / (A L^2) and
 * s^2 = E I / (k A G L^2), zero at natural frequencies. */
static double timoshenko(double b, double r2, double s2) {
  double root = sqrt((r2 - s2) * (r2 - s2) + 4.0 / (b * b));
  double alpha = sqrt(0.5 * (root - (r2 + s2))), beta = sqrt(0.5 * (root + (r2 + s2)));
  return 2.0 + (b * b * (r2 - s2) * (r2 - s2) + 2.0) * cosh(b * alpha) * cos(b * beta) -
         b * (r2 + s2) / sqrt(1.0 - b * b * r2 * s2) * sinh(b * alpha) * sin(b * beta);
}

/* rad/s, of bending across the side `depth`, below Euler and Bernoulli's, whose b is 3.516 and 22.034. */
static double bending_frequency(double depth, int mode) {
  double euler = mode == 0 ? 3.516015 : 22.03449, high = 1.001 * euler, low = 0.85 * euler;
  double r2 = depth * depth / (12.0 * length * length);
  double shear_factor = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson); /* Cowper 1966 */
  double s2 = r2 * 2.0 * (1.0 + poisson) / shear_factor;
  ck_assert(timoshenko(low, r2, s2) * timoshenko(high, r2, s2) < 0.0);
  for (int i = 0; i < 60; ++i) {
    double middle = 0.5 * (low + high);
    if (timoshenko(low, r2, s2) * timoshenko(middle, r2, s2) <= 0.0)
      high = middle;
    else
      low = middle;
  }
  return low * sqrt(young * depth * depth / (12.0 * density)) / (length * length);
}

static double axial_frequency(void) {
  return 0.5 * M_PI * sqrt(young / density) / length;
}

/* St. Venant's torsion of a rectangle a > b: J = a b^3 (1/3 - 0.21 (b / a) (1 - b^4 / (12 a^4))). */
static double torsion_frequency(void) {
  double a = width, b = height, shear = young / (2.0 + 2.0 * poisson);
  double j = a * b * b * b * (1.0 / 3.0 - 0.21 * b / a * (1.0 - pow(b / a, 4.0) / 12.0));
  return 0.5 * M_PI / length * sqrt(shear * j / (density * a * b * (a * a + b * b) / 12.0));
}

/* Frequencies in rad/s, sorted by how the tip moves. */
typedef struct Modes {
  double y[2], z[2], axial, torsion;
} Modes;

static Modes cantilever_modes(tacVolMesh *mesh, tacMassKind kind) {
  enum { MODES = 8 };
  tacMaterial material = make_isotropic(density, young, poisson);
  TAC_SPARSE k = assemble_stiffness(mesh, &material, NULL), m = assemble_mass(mesh, &material, NULL, kind);
  bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
  for (int v = 0; v < mesh->vertex_count; ++v) held[v] = mesh->vertices[v].x == 0.0;
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints);
  TAC_SPARSE kf, mf;
  TAC_FREED(tac_eigen_destroy, tacEigen, eigen);
  tac_test_ok(tac_constraints_create(mesh->vertex_count, held, &constraints, &error), error);
  tac_test_ok(tac_constraints_block(&constraints, &k, TAC_SIDE_FREE, TAC_SIDE_FREE, &kf, &error), error);
  tac_test_ok(tac_constraints_block(&constraints, &m, TAC_SIDE_FREE, TAC_SIDE_FREE, &mf, &error), error);
  tac_test_ok(tac_eigen_lowest(&kf, &mf, MODES, NULL, &eigen, &error), error);
  double *x = vector_of(mesh);
  Modes modes = {{0.0}, {0.0}, 0.0, 0.0};
  int y = 0, z = 0;
  for (int i = 0; i < MODES; ++i) {
    double frequency = sqrt(eigen.value[i]), spin = 0.0;
    tacVec3 mean = {0.0, 0.0, 0.0};
    tac_constraints_put(&constraints, TAC_SIDE_FREE, eigen.vector + (size_t)i * (size_t)eigen.size, x);
    for (int v = 0; v < mesh->vertex_count; ++v) {
      if (mesh->vertices[v].x < length) continue;
      tacVec3 u = get_vec3(x, v), p = mesh->vertices[v];
      mean = tac_vec3_add(mean, u);
      spin += ((p.y - 0.5 * height) * u.z - (p.z - 0.5 * width) * u.y) / (0.5 * height);
    }
    double most = fmax(fmax(fabs(mean.x), fabs(mean.y)), fmax(fabs(mean.z), fabs(spin)));
    if (most == fabs(mean.y) && y < 2)
      modes.y[y++] = frequency;
    else if (most == fabs(mean.z) && z < 2)
      modes.z[z++] = frequency;
    else if (most == fabs(mean.x) && modes.axial == 0.0)
      modes.axial = frequency;
    else if (most == fabs(spin) && modes.torsion == 0.0)
      modes.torsion = frequency;
  }
  tac_volmesh_destroy(mesh);
  return modes;
}

static tacBox beam(void) {
  return (tacBox){{0.0, 0.0, 0.0}, {length, height, width}};
}

static void check_ratio(double value, double expected, double tolerance) {
  ck_assert_double_eq_tol(value / expected, 1.0, tolerance);
}

TAC_TEST(brick_cantilever_vibrates_as_a_beam) {
  for (int kind = 0; kind < 2; ++kind) {
    Modes modes = cantilever_modes(make_bricks(beam(), 120, 6, 6), kind ? TAC_MASS_LUMPED : TAC_MASS_CONSISTENT);
    for (int i = 0; i < 2; ++i) {
      check_ratio(modes.y[i], bending_frequency(height, i), 0.02);
      check_ratio(modes.z[i], bending_frequency(width, i), 0.02);
    }
    check_ratio(modes.axial, axial_frequency(), 0.01);
    check_ratio(modes.torsion, torsion_frequency(), 0.02);
  }
}

/* Linear tetrahedra are too stiff in bending: frequencies come down to the beam's from above as the mesh gets finer. */
TAC_TEST(tet_cantilever_converges_from_above) {
  Modes coarse = cantilever_modes(make_tets(beam(), 60, 4, 4), TAC_MASS_CONSISTENT);
  Modes fine = cantilever_modes(make_tets(beam(), 120, 9, 9), TAC_MASS_CONSISTENT);
  check_ratio(coarse.axial, axial_frequency(), 0.02);
  check_ratio(fine.axial, axial_frequency(), 0.01);
  for (int i = 0; i < 2; ++i) {
    double high[2] = {coarse.y[i] / bending_frequency(height, i) - 1.0,
                      coarse.z[i] / bending_frequency(width, i) - 1.0};
    double low[2] = {fine.y[i] / bending_frequency(height, i) - 1.0, fine.z[i] / bending_frequency(width, i) - 1.0};
    for (int side = 0; side < 2; ++side) {
      ck_assert_double_gt(low[side], 0.0);
      ck_assert_double_lt(low[side], 0.04);
      ck_assert_double_gt(high[side] / low[side], 3.0);
    }
  }
}

TAC_TEST(unusable_meshes_and_materials_are_refused) {
  tacSparse k, m;
  tacMaterial materials[2] = {make_isotropic(1.0, 1.0, 0.3)};
  tacVolMesh *mesh = tac_test_keep(make_mixed(), tac_volmesh_destroy);
  int material_of[28] = {0};
  int *tet = mesh->tets[5].v, kept = tet[0];

  tet[0] = tet[1];
  tet[1] = kept;
  tac_test_refused(tac_assembly_stiffness(mesh, materials, NULL, &k, &error), TAC_ERR_GEOMETRY, error,
                   "tetrahedron 5 ");
  tac_test_refused(tac_assembly_mass(mesh, materials, NULL, TAC_MASS_LUMPED, &m, &error), TAC_ERR_GEOMETRY, error,
                   "tetrahedron 5 ");
  ck_assert_ptr_null(k.value);
  ck_assert_ptr_null(m.value);
  tet[1] = tet[0];
  tet[0] = kept;

  tacVec3 place = mesh->vertices[mesh->bricks[2].v[1]];
  mesh->vertices[mesh->bricks[2].v[1]].x -= 0.9;
  ck_assert_int_eq(tac_assembly_mass(mesh, materials, NULL, TAC_MASS_CONSISTENT, &m, &error), TAC_ERR_GEOMETRY);
  mesh->vertices[mesh->bricks[2].v[1]] = place;

  tet[2] = mesh->vertex_count;
  ck_assert_int_eq(tac_assembly_stiffness(mesh, materials, NULL, &k, &error), TAC_ERR_GEOMETRY);

  mesh = tac_test_keep(make_mixed(), tac_volmesh_destroy);
  int *brick = mesh->bricks[1].v;
  for (int c = 0; c < 4; ++c) {
    int low = brick[c];
    brick[c] = brick[c + 4];
    brick[c + 4] = low;
  }
  tac_test_refused(tac_assembly_stiffness(mesh, materials, NULL, &k, &error), TAC_ERR_GEOMETRY, error,
                   "brick 1 (element 25)");

  mesh = tac_test_keep(make_mixed(), tac_volmesh_destroy);
  material_of[9] = -1;
  tac_test_refused(tac_assembly_stiffness(mesh, materials, material_of, &k, &error), TAC_ERR_ARGUMENT, error,
                   "element 9");
  material_of[9] = 1; /* a material that was never set */
  tac_test_refused(tac_assembly_stiffness(mesh, materials, material_of, &k, &error), TAC_ERR_ARGUMENT, error,
                   "element 9");
  ck_assert_int_eq(tac_assembly_mass(mesh, materials, material_of, TAC_MASS_LUMPED, &m, NULL), TAC_ERR_ARGUMENT);
}
