#include "elastic/elements/tet4.h"

#include "elastic/make_body.h"

static tacTet4 make_tet(tacRandom *random, tacVec3 corners[4]) {
  tacTet4 tet;
  tacBox box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  do {
    for (int c = 0; c < 4; ++c) corners[c] = tac_random_in_box(random, box);
  } while (tac_vec3_triple(corners[0], corners[1], corners[2], corners[3]) < 0.1);
  ck_assert(tac_tet4_init(corners, &tet));
  return tet;
}

/* Sum of x_c (grad N_c)^T is the identity: gradients differentiate every linear function. */
TAC_TEST(gradients_differentiate_linear_functions) {
  tacRandom random = tac_random_seed(1);
  for (int round = 0; round < 100; ++round) {
    tacVec3 corners[4];
    tacTet4 tet = make_tet(&random, corners);
    tacMat3 sum = tac_mat3_scale(-1.0, tac_mat3_identity());
    for (int c = 0; c < 4; ++c) sum = tac_mat3_add(sum, tac_mat3_outer(corners[c], tet.gradient[c]));
    ck_assert_double_lt(tac_mat3_max_abs(sum), 1e-12);
    ck_assert_double_eq_tol(tet.volume, tac_vec3_triple(corners[0], corners[1], corners[2], corners[3]) / 6.0, 1e-14);
  }
}

/* u^T K u = V epsilon . C epsilon for linear displacements, and no force under rigid motions. */
TAC_TEST(stiffness_gives_the_strain_energy) {
  tacRandom random = tac_random_seed(2);
  for (int round = 0; round < 100; ++round) {
    tacVec3 corners[4];
    tacTet4 tet = make_tet(&random, corners);
    tacMaterial material = make_anisotropic((uint64_t)round);
    double k[12][12], u[4][3], strain[6], stress[6], work = 0.0, energy = 0.0;
    tac_tet4_stiffness(&tet, (const double(*)[6])material.stiffness, k);
    for (int c = 0; c < 4; ++c) put_vec3(u[0], c, linear_displacement(sample_gradient(), corners[c]));
    tac_tet4_strain(&tet, (const double(*)[3])u, strain);
    stress_of_gradient(&material, sample_gradient(), stress);
    for (int i = 0; i < 6; ++i) energy += tet.volume * strain[i] * stress[i];
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) {
        work += u[i / 3][i % 3] * k[i][j] * u[j / 3][j % 3];
        ck_assert_double_eq(k[i][j], k[j][i]);
      }
    ck_assert_double_eq_tol(work, energy, 1e-9 * energy);
    for (int motion = 0; motion < 6; ++motion) {
      for (int i = 0; i < 12; ++i) {
        double force = 0.0;
        for (int c = 0; c < 4; ++c) {
          tacVec3 r = rigid_motion(motion, corners[c]);
          force += k[i][3 * c] * r.x + k[i][3 * c + 1] * r.y + k[i][3 * c + 2] * r.z;
        }
        ck_assert_double_eq_tol(force, 0.0, 1e-11 * k[i][i]);
      }
    }
  }
}

/* Over the corner of the unit cube: V = 1/6, \int x = 1/24, \int x^2 = 1/60, \int x y = 1/120. */
TAC_TEST(mass_integrates_products_exactly) {
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

TAC_TEST(patch_test_isotropic) {
  tacMaterial material = make_isotropic(1000.0, 2e6, 0.35);
  check_patch(false, &material);
}

TAC_TEST(patch_test_anisotropic) {
  tacMaterial material = make_anisotropic(7);
  check_patch(false, &material);
}
