#include "elastic/elements/brick8.h"

#include <string.h>
#include "elastic/make_body.h"
#include "math/dense/dense.h"
#include "mesh/brick_map.h"
#include "mesh/element_volume.h"

static void make_brick(tacRandom *random, double by, tacVec3 corners[8]) {
  tacBox shift = {{-by, -by, -by}, {by, by, by}};
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    corners[c] = tac_vec3_add(tac_vec3(3.0 + s[0], 1.0 + 0.7 * s[1], 0.5 * s[2]), tac_random_in_box(random, shift));
  }
  ck_assert(tac_brick8_usable(corners));
}

/* Sum of x_c (grad N_c)^T is the identity everywhere in an uneven brick: linear fields have their strain. */
TAC_TEST(gradients_differentiate_linear_functions) {
  tacRandom random = tac_random_seed(1);
  for (int round = 0; round < 100; ++round) {
    tacVec3 corners[8], gradient[8];
    make_brick(&random, 0.2, corners);
    tacVec3 local = tac_random_in_box(&random, (tacBox){{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}});
    double determinant, u[8][3], strain[6];
    ck_assert(tac_brick8_gradients(corners, local, gradient, &determinant));
    tacMat3 sum = tac_mat3_scale(-1.0, tac_mat3_identity());
    for (int c = 0; c < 8; ++c) sum = tac_mat3_add(sum, tac_mat3_outer(corners[c], gradient[c]));
    ck_assert_double_lt(tac_mat3_max_abs(sum), 1e-13);
    tacMat3 g = sample_gradient();
    for (int c = 0; c < 8; ++c) put_vec3(u[0], c, linear_displacement(g, corners[c]));
    ck_assert(tac_brick8_strain(corners, local, (const double(*)[3])u, strain));
    ck_assert_double_eq_tol(strain[1], g.m[1][1], 1e-14);
    ck_assert_double_eq_tol(strain[4], g.m[2][0] + g.m[0][2], 1e-14);
  }
}

TAC_TEST(stiffness_gives_the_strain_energy) {
  tacRandom random = tac_random_seed(2);
  for (int round = 0; round < 50; ++round) {
    tacVec3 corners[8];
    make_brick(&random, 0.2, corners);
    tacVolMesh *mesh = make_volmesh(8, 0, 1);
    memcpy(mesh->vertices, corners, sizeof corners);
    for (int c = 0; c < 8; ++c) mesh->bricks[0].v[c] = c;
    double volume = tac_element_volume(mesh, 0);
    tac_volmesh_destroy(mesh);
    tacMaterial material = make_anisotropic((uint64_t)round);
    double k[24][24], u[8][3], strain[6], stress[6], work = 0.0, energy = 0.0;
    tac_brick8_stiffness(corners, (const double(*)[6])material.stiffness, k);
    for (int c = 0; c < 8; ++c) put_vec3(u[0], c, linear_displacement(sample_gradient(), corners[c]));
    tac_brick8_strain(corners, tac_vec3(0.0, 0.0, 0.0), (const double(*)[3])u, strain);
    stress_of_gradient(&material, sample_gradient(), stress);
    for (int i = 0; i < 6; ++i) energy += volume * strain[i] * stress[i];
    for (int i = 0; i < 24; ++i)
      for (int j = 0; j < 24; ++j) {
        work += u[i / 3][i % 3] * k[i][j] * u[j / 3][j % 3];
        ck_assert_double_eq(k[i][j], k[j][i]);
      }
    ck_assert_double_eq_tol(work, energy, 1e-9 * energy);
  }
}

/* Six rigid motions and nothing else cost no energy: no hourglass modes. */
TAC_TEST(stiffness_has_six_zero_eigenvalues) {
  tacRandom random = tac_random_seed(3);
  tacError error;
  tacVec3 corners[8];
  tacMaterial material = make_isotropic(1.0, 1e6, 0.3);
  double k[24][24], values[24];
  make_brick(&random, 0.2, corners);
  tac_brick8_stiffness(corners, (const double(*)[6])material.stiffness, k);
  tacDense dense = {24, 24, 24, &k[0][0]};
  tac_test_ok(tac_dense_eigen(&dense, values, &error), error);
  for (int i = 0; i < 6; ++i) ck_assert_double_eq_tol(values[i], 0.0, 1e-12 * values[23]);
  ck_assert_double_gt(values[6], 1e-3 * values[23]);
}

/* A frustum of a square pyramid, side s = a + (b - a) z / h: V = h (a^2 + a b + b^2) / 3,
 * \int x^2 = h (a^5 - b^5) / (60 (a - b)), \int z^2 = h^3 (a^2 / 3 + a (b - a) / 2 + (b - a)^2 / 5). */
TAC_TEST(mass_of_a_frustum_is_exact) {
  double a = 2.0, b = 1.2, h = 1.5, m[8][8], lumped[8], total = 0.0, xx = 0.0, zz = 0.0, lumped_total = 0.0;
  tacVec3 corners[8];
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    double side = s[2] < 0.0 ? a : b;
    corners[c] = tac_vec3(0.5 * side * s[0], 0.5 * side * s[1], s[2] < 0.0 ? 0.0 : h);
  }
  tac_brick8_mass(corners, 1.0, m);
  tac_brick8_lumped(corners, 1.0, lumped);
  for (int i = 0; i < 8; ++i) {
    lumped_total += lumped[i];
    ck_assert_double_gt(lumped[i], 0.0);
    for (int j = 0; j < 8; ++j) {
      ck_assert_double_eq(m[i][j], m[j][i]);
      total += m[i][j];
      xx += corners[i].x * m[i][j] * corners[j].x;
      zz += corners[i].z * m[i][j] * corners[j].z;
    }
  }
  ck_assert_double_eq_tol(total, h * (a * a + a * b + b * b) / 3.0, 1e-13);
  ck_assert_double_eq_tol(lumped_total, total, 1e-13);
  ck_assert_double_eq_tol(xx, h * (pow(a, 5.0) - pow(b, 5.0)) / (60.0 * (a - b)), 1e-13);
  ck_assert_double_eq_tol(zz, h * h * h * (a * a / 3.0 + a * (b - a) / 2.0 + (b - a) * (b - a) / 5.0), 1e-13);
}

TAC_TEST(inverted_and_flat_bricks_are_refused) {
  tacVec3 good[8], bad[8];
  tacRandom random = tac_random_seed(4);
  make_brick(&random, 0.0, good);
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

TAC_TEST(patch_test_isotropic) {
  tacMaterial material = make_isotropic(1000.0, 2e6, 0.35);
  check_patch(true, &material);
}

TAC_TEST(patch_test_anisotropic) {
  tacMaterial material = make_anisotropic(7);
  check_patch(true, &material);
}
