/* Tetrahedra and bricks by the same statements. */
#include "elastic/elements/element.h"

#include "elastic/elements/brick8.h"
#include "elastic/elements/tet4.h"
#include "elastic/make_body.h"
#include "math/dense/dense.h"
#include "mesh/brick_map.h"
#include "mesh/element_volume.h"

/* For a linear displacement u^T K u = V epsilon . C epsilon, with its stress at any point. K is symmetric to the bit, and six rigid
 * motions and nothing else cost no energy: no hourglass modes. */
TAC_TEST(stiffness_gives_the_strain_energy) {
  tacRandom random = tac_random_seed(1);
  const tacMat3 g = sample_gradient();
  const double strain[6] = {
      g.m[0][0], g.m[1][1], g.m[2][2], g.m[1][2] + g.m[2][1], g.m[2][0] + g.m[0][2], g.m[0][1] + g.m[1][0]};
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_OWN(tacVolMesh, mesh) = make_uneven((tacBox){{2.0, 0.3, -0.5}, {4.0, 1.7, 0.5}}, bricks, 3, 0.2);
    double *u = vector_of(mesh);
    for (int v = 0; v < mesh->vertex_count; ++v) put_vec3(u, v, linear_displacement(g, mesh->vertices[v]));
    for (int e = 0; e < tac_element_count(mesh); ++e) {
      tacMaterial material = make_anisotropic((uint64_t)e);
      const int *v = tac_element_vertices(mesh, e);
      int corners = tac_element_corner_count(mesh, e), n = 3 * corners;
      double k[576], values[24], weights[8], stress[6], found[6], sum = 0.0, work = 0.0, energy = 0.0;
      tac_test_ok(tac_element_stiffness(mesh, e, &material, k, &error), error);
      stress_of_gradient(&material, g, stress);
      for (int i = 0; i < 6; ++i) energy += tac_element_volume(mesh, e) * strain[i] * stress[i];
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          work += u[3 * v[i / 3] + i % 3] * k[i * n + j] * u[3 * v[j / 3] + j % 3];
          ck_assert_double_eq(k[i * n + j], k[j * n + i]);
        }
      ck_assert_double_eq_tol(work, energy, 1e-9 * energy);
      tacVec3 local = tac_random_in_cube(&random, 1.0);
      for (int c = 0; c < corners; ++c) {
        const double *s = tac_brick_corner[c];
        weights[c] = bricks ? (1.0 + s[0] * local.x) * (1.0 + s[1] * local.y) * (1.0 + s[2] * local.z) / 8.0
                            : tac_random_uniform(&random, 0.1, 1.0);
        sum += weights[c];
      }
      for (int c = 0; c < corners; ++c) weights[c] /= sum;
      tac_test_ok(tac_element_stress(mesh, e, &material, weights, u, found, &error), error);
      for (int i = 0; i < 6; ++i) ck_assert_double_eq_tol(found[i], stress[i], 1e-9 * material.stiffness[0][0]);
      tacDense dense = {n, n, n, k};
      tac_test_ok(tac_dense_eigen(&dense, values, &error), error);
      for (int i = 0; i < 6; ++i) ck_assert_double_eq_tol(values[i], 0.0, 1e-12 * values[n - 1]);
      ck_assert_double_gt(values[6], 1e-4 * values[n - 1]);
    }
  }
}

TAC_TEST(patch_tests_are_passed) {
  const tacMaterial materials[2] = {make_isotropic(1000.0, 2e6, 0.35), make_anisotropic(7)};
  for (int kind = 0; kind < 4; ++kind) check_patch(kind % 2, &materials[kind / 2]);
}

/* Over the corner of the unit cube: V = 1/6, \int x = 1/24, \int x^2 = 1/60, \int x y = 1/120. */
TAC_TEST(mass_of_a_tetrahedron_is_exact) {
  const tacVec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  tacTet4 tet;
  double m[4][4], lumped[4], total = 0.0, first = 0.0;
  ck_assert(tac_tet4_init(corners, &tet));
  tac_tet4_mass(&tet, 600.0, m);
  tac_tet4_lumped(&tet, 600.0, lumped);
  for (int a = 0; a < 4; ++a) {
    double sum = 0.0;
    for (int b = 0; b < 4; ++b) sum += m[a][b];
    ck_assert_double_eq_tol(sum, lumped[a], 1e-12);
    ck_assert_double_gt(lumped[a], 0.0);
    total += sum;
    first += m[1][a];
  }
  ck_assert_double_eq_tol(total, 100.0, 1e-10);
  ck_assert_double_eq_tol(first, 25.0, 1e-10);
  ck_assert_double_eq_tol(m[1][1], 10.0, 1e-10);
  ck_assert_double_eq_tol(m[1][2], 5.0, 1e-10);
}

/* A frustum of a square pyramid, side s = a + (b - a) z / h: V = h (a^2 + a b + b^2) / 3,
 * \int x^2 = h (a^5 - b^5) / (60 (a - b)), \int z^2 = h^3 (a^2 / 3 + a (b - a) / 2 + (b - a)^2 / 5). */
TAC_TEST(mass_of_a_frustum_is_exact) {
  double a = 2.0, b = 1.2, h = 1.5, m[64], lumped[64], total = 0.0, xx = 0.0, zz = 0.0, lumped_total = 0.0;
  TAC_OWN(tacVolMesh, mesh) = make_bricks(unit_box(), 1, 1, 1);
  tacMaterial material = make_isotropic(1.0, 1e6, 0.3);
  tacVec3 corners[8];
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    double side = s[2] < 0.0 ? a : b;
    corners[c] = tac_vec3(0.5 * side * s[0], 0.5 * side * s[1], s[2] < 0.0 ? 0.0 : h);
    mesh->vertices[mesh->bricks[0].v[c]] = corners[c];
  }
  tac_test_ok(tac_element_mass(mesh, 0, &material, TAC_MASS_CONSISTENT, m, &error), error);
  tac_test_ok(tac_element_mass(mesh, 0, &material, TAC_MASS_LUMPED, lumped, &error), error);
  for (int i = 0; i < 8; ++i) {
    lumped_total += lumped[9 * i];
    ck_assert_double_gt(lumped[9 * i], 0.0);
    for (int j = 0; j < 8; ++j) {
      ck_assert_double_eq(m[8 * i + j], m[8 * j + i]);
      total += m[8 * i + j];
      xx += corners[i].x * m[8 * i + j] * corners[j].x;
      zz += corners[i].z * m[8 * i + j] * corners[j].z;
    }
  }
  ck_assert_double_eq_tol(total, h * (a * a + a * b + b * b) / 3.0, 1e-13);
  ck_assert_double_eq_tol(lumped_total, total, 1e-13);
  ck_assert_double_eq_tol(xx, h * (pow(a, 5.0) - pow(b, 5.0)) / (60.0 * (a - b)), 1e-13);
  ck_assert_double_eq_tol(zz, h * h * h * (a * a / 3.0 + a * (b - a) / 2.0 + (b - a) * (b - a) / 5.0), 1e-13);
}

TAC_TEST(inverted_and_flat_tetrahedra_are_refused) {
  tacTet4 tet;
  const tacVec3 inverted[4] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  const tacVec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1e-13}};
  const tacVec3 point[4] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  const tacVec3 needle[4] = {{0, 0, 0}, {1e-6, 0, 0}, {0, 1e-6, 0}, {0, 0, 1}};
  ck_assert(!tac_tet4_init(inverted, &tet));
  ck_assert(!tac_tet4_init(flat, &tet));
  ck_assert(!tac_tet4_init(point, &tet));
  ck_assert(tac_tet4_init(needle, &tet));
}

TAC_TEST(inverted_and_flat_bricks_are_refused) {
  tacVec3 good[8], bad[8];
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    good[c] = tac_vec3(3.0 + s[0], 1.0 + 0.7 * s[1], 0.5 * s[2]);
  }
  ck_assert(tac_brick8_usable(good));
  for (int c = 0; c < 8; ++c) bad[c] = good[(c + 4) % 8]; /* upside down */
  ck_assert(!tac_brick8_usable(bad));
  memcpy(bad, good, sizeof bad);
  bad[6] = tac_vec3_mix(good[6], good[0], 0.8); /* one corner pushed in: the angles there pass 180 degrees */
  ck_assert(!tac_brick8_usable(bad));
  memcpy(bad, good, sizeof bad);
  bad[6] = bad[7]; /* collapsed edge */
  ck_assert(!tac_brick8_usable(bad));
  for (int c = 0; c < 8; ++c) bad[c] = tac_vec3(good[c].x, good[c].y, 0.0);
  ck_assert(!tac_brick8_usable(bad));
}
