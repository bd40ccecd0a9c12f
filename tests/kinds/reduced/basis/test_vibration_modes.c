#include "kinds/reduced/basis/vibration_modes.h"

#include "elastic/make_body.h"
#include "elastic/solids/assembly.h"

static tacVibrationModes compute(const tacSolid *solid, int count) {
  tacVibrationModes modes;
  tac_test_ok(tac_vibration_modes_compute(solid, count, NULL, &modes, &error), error);
  ck_assert_int_eq(modes.size, 3 * solid->mesh->vertex_count);
  ck_assert_int_eq(modes.count, count);
  return modes;
}

static bool *hold_end(const tacVolMesh *mesh) {
  bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
  for (int v = 0; v < mesh->vertex_count; ++v) held[v] = mesh->vertices[v].x == 0.0;
  return held;
}

/* A bar of N elements without contraction (nu = 0) stretches like a chain: with linear elements of length h and the
 * consistent mass, lambda = 6 (E / rho) (1 - cos t) / (h^2 (2 + cos t)); lumped, 2 (E / rho) (1 - cos t) / h^2. A free
 * chain has t = m pi / N, one held at an end (m - 1/2) pi / N. */
TAC_TEST(bar_modes_match_a_chain) {
  enum { N = 6 };
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.5, 0.4, 0.3}}, N, 1, 1);
  tacMaterial material = make_isotropic(1200.0, 3e6, 0.0);
  bool *held = hold_end(mesh);
  for (int kind = 0; kind < 4; ++kind) {
    bool is_free = kind % 2 == 0, lumped = kind / 2 == 1;
    tacSolid solid = {.mesh = mesh,
                      .material_count = 1,
                      .materials = &material,
                      .held = is_free ? NULL : held,
                      .mass = lumped ? TAC_MASS_LUMPED : TAC_MASS_CONSISTENT};
    TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, modes) = compute(&solid, 60);
    for (int m = 1; m <= 2; ++m) {
      double t = (m - (is_free ? 0.0 : 0.5)) * M_PI / N, h = 1.5 / N;
      double expected = (lumped ? 2.0 : 6.0 / (2.0 + cos(t))) * 3e6 / 1200.0 * (1.0 - cos(t)) / (h * h);
      double nearest = INFINITY;
      for (int i = 0; i < modes.count; ++i) nearest = fmin(nearest, fabs(modes.value[i] - expected));
      ck_assert_double_lt(nearest, 1e-9 * expected);
    }
  }
}

/* The first bending modes of a cantilever: lambda = 1.8751^4 E I / (rho A L^4). Elements as long as a quarter of the
 * height are 3 % too stiff, the beam's shear makes it 2 % softer. */
TAC_TEST(cantilever_modes_match_beam_theory) {
  double length = 10.0, height = 1.0, width = 1.3, e = 2e6, density = 900.0;
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {length, height, width}}, 40, 1, 1);
  tacMaterial material = make_isotropic(density, e, 0.0);
  bool *held = hold_end(mesh);
  TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, modes) =
      compute(&(tacSolid){.mesh = mesh, .materials = &material, .held = held}, 2);
  for (int i = 0; i < 2; ++i) {
    double t = i == 0 ? height : width;
    double expected = pow(1.87510406871, 4.0) * e * t * t / 12.0 / (density * pow(length, 4.0));
    ck_assert_double_eq_tol(modes.value[i], expected, 0.04 * expected);
    /* Mode i bends along y or z: most there at the end. */
    const double *end = modes.vector + i * modes.size + 3 * 40;
    ck_assert_double_gt(fabs(end[1 + i]), 10.0 * fabs(end[2 - i]));
  }
}

static void check_pairs(const tacSolid *solid, const tacVibrationModes *modes) {
  TAC_SPARSE k, m;
  tac_test_ok(tac_assembly_stiffness(solid->mesh, solid->materials, solid->material_of, &k, &error), error);
  tac_test_ok(tac_assembly_mass(solid->mesh, solid->materials, solid->material_of, solid->mass, &m, &error), error);
  int n = modes->size, all = modes->count + modes->more_count;
  TAC_MEMORY(double, kx) = calloc((size_t)n, sizeof *kx);
  TAC_MEMORY(double, mx) = calloc((size_t)n, sizeof *mx);
  for (int i = 0; i < all + modes->rigid_count; ++i) {
    const double *x = i < all ? modes->vector + i * n : modes->rigid + (i - all) * n;
    double value = i < all ? modes->value[i] : 0.0, largest = 0.0, size = 0.0;
    tac_sparse_multiply(&k, x, 1, kx);
    tac_sparse_multiply(&m, x, 1, mx);
    for (int d = 0; d < n; ++d) {
      size = fmax(size, modes->value[0] * fabs(mx[d]));
      largest = fmax(largest, fabs(x[d]));
    }
    bool positive = false;
    for (int d = 0; d < n; ++d) {
      bool is_held = solid->held != NULL && solid->held[d / 3];
      if (is_held) ck_assert_double_eq(x[d], 0.0);
      if (!is_held) ck_assert_double_eq_tol(kx[d], value * mx[d], 1e-7 * size);
      positive |= x[d] > (1.0 - 1e-5) * largest;
    }
    if (i < all) ck_assert(positive);
    if (i > 0 && i < all) ck_assert_double_ge(value, modes->value[i - 1]);
    for (int j = 0; j <= i; ++j) {
      const double *y = j < all ? modes->vector + j * n : modes->rigid + (j - all) * n;
      double product = 0.0;
      for (int d = 0; d < n; ++d) product += y[d] * mx[d];
      ck_assert_double_eq_tol(product, i == j ? 1.0 : 0.0, 1e-12);
    }
  }
}

TAC_TEST(modes_are_eigenvectors_and_orthonormal) {
  tacMaterial materials[2] = {make_anisotropic(4), make_isotropic(700.0, 2e6, 0.3)};
  for (int kind = 0; kind < 8; ++kind) {
    TAC_OWN(tacVolMesh, mesh) = make_uneven((tacBox){{0.0, -1.0, 2.0}, {1.4, 0.2, 2.7}}, kind % 2, 3, 0.2);
    TAC_MEMORY(int, material_of) = calloc((size_t)tac_element_count(mesh), sizeof *material_of);
    for (int e = 0; e < tac_element_count(mesh); ++e) material_of[e] = e % 2;
    bool *held = hold_end(mesh);
    tacSolid solid = {.mesh = mesh,
                      .material_count = 2,
                      .materials = materials,
                      .material_of = material_of,
                      .held = kind / 2 % 2 ? held : NULL,
                      .mass = kind / 4 ? TAC_MASS_LUMPED : TAC_MASS_CONSISTENT};
    TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, modes) = compute(&solid, 8);
    TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, again) = compute(&solid, 8);
    ck_assert_int_eq(modes.rigid_count, solid.held == NULL ? 6 : 0);
    check_pairs(&solid, &modes);
    ck_assert_mem_eq(modes.vector, again.vector, (size_t)(8 * modes.size) * sizeof *modes.vector);
    if (solid.held != NULL) { /* nobody held is free, too */
      memset(held, 0, (size_t)mesh->vertex_count * sizeof *held);
      TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, unheld) = compute(&solid, 2);
      ck_assert_int_eq(unheld.rigid_count, 6);
    }
  }
}

static void check_refused(const tacSolid *solid, int count, tacStatus expected, const char *says) {
  tacVibrationModes modes;
  tac_test_refused(tac_vibration_modes_compute(solid, count, NULL, &modes, &error), expected, error, says);
  ck_assert_ptr_null(modes.vector);
}

/* Keeps the bricks b with b % period == first or == second, and the vertices that those have. */
static void keep_bricks(tacVolMesh *mesh, int period, int first, int second) {
  int kept = 0, count = 0, *renamed = calloc((size_t)mesh->vertex_count, sizeof *renamed);
  for (int b = 0; b < mesh->brick_count; ++b)
    if (b % period == first || b % period == second) mesh->bricks[kept++] = mesh->bricks[b];
  mesh->brick_count = kept;
  for (int b = 0; b < kept; ++b)
    for (int c = 0; c < 8; ++c) renamed[mesh->bricks[b].v[c]] = 1;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    mesh->vertices[count] = mesh->vertices[v];
    bool used = renamed[v] == 1;
    renamed[v] = count;
    count += used;
  }
  for (int b = 0; b < kept; ++b)
    for (int c = 0; c < 8; ++c) mesh->bricks[b].v[c] = renamed[mesh->bricks[b].v[c]];
  mesh->vertex_count = count;
  free(renamed);
}

TAC_TEST(errors_say_why_there_are_no_modes) {
  tacMaterial material = make_isotropic(700.0, 2e6, 0.3);
  tacVolMesh *mesh = make_bricks((tacBox){{0.0, 0.0, 0.0}, {4.0, 1.0, 1.0}}, 4, 1, 1);
  bool held[60] = {false};
  tacSolid solid = {.mesh = mesh, .materials = &material, .held = held};
  check_refused(&solid, 0, TAC_ERR_ARGUMENT, "at least 1");
  check_refused(&solid, 55, TAC_ERR_ARGUMENT, "has only 54");
  held[3] = true;
  check_refused(&solid, 2, TAC_ERR_GEOMETRY, "can move rigidly");
  held[3] = false;
  tacBrick middle = mesh->bricks[2];
  mesh->bricks[1] = mesh->bricks[3]; /* without two bricks, vertices in the middle belong to none */
  mesh->brick_count = 2;
  check_refused(&solid, 2, TAC_ERR_SINGULAR, "vertex 2 ");
  mesh->bricks[2] = middle;
  keep_bricks(mesh, 5, 0, 1);
  check_refused(&solid, 2, TAC_ERR_GEOMETRY, "2 pieces");
  tac_volmesh_destroy(mesh);

  /* Columns of bricks that share an edge are a hinge, free or with one of them held. */
  solid.mesh = mesh = make_bricks((tacBox){{0.0, 0.0, 0.0}, {4.0, 4.0, 3.0}}, 2, 2, 3);
  keep_bricks(mesh, 4, 0, 3);
  check_refused(&solid, 2, TAC_ERR_GEOMETRY, "in more ways than a rigid body");
  for (int v = 0; v < mesh->vertex_count; ++v) held[v] = mesh->vertices[v].x == 0.0;
  check_refused(&solid, 2, TAC_ERR_GEOMETRY, "without strain:");
  tac_volmesh_destroy(mesh);

  int calls = 0;
  tacVibrationModes modes;
  tacProgress cancel = {tac_test_cancel, &calls};
  solid = (tacSolid){.mesh = mesh = make_bricks(unit_box(), 4, 4, 4), .materials = &material};
  ck_assert_int_eq(tac_vibration_modes_compute(&solid, 3, &cancel, &modes, &error), TAC_ERR_CANCELLED);
  tac_volmesh_destroy(mesh);
}
