#include "elastic/elements/material.h"
#include "elastic/make_body.h"

static void stress_of(const tacMaterial *material, const double strain[6], double stress[6]) {
  for (int i = 0; i < 6; ++i) {
    stress[i] = 0.0;
    for (int j = 0; j < 6; ++j) stress[i] += material->stiffness[i][j] * strain[j];
  }
}

/* Tension along one axis: strain sigma / E along it and -nu sigma / E across it, no other stress. */
TAC_TEST(isotropic_material_contracts_across_tension) {
  const double ratios[] = {-0.9, -0.3, 0.0, 0.3, 0.49, 0.4999};
  for (int r = 0; r < 6; ++r) {
    double young = 3e5, nu = ratios[r];
    tacMaterial material = make_isotropic(1000.0, young, nu);
    for (int axis = 0; axis < 3; ++axis) {
      double strain[6] = {-nu / young, -nu / young, -nu / young}, stress[6];
      strain[axis] = 1.0 / young;
      stress_of(&material, strain, stress);
      for (int i = 0; i < 6; ++i) ck_assert_double_eq_tol(stress[i], i == axis ? 1.0 : 0.0, 1e-11);
    }
    /* Shear modulus E / (2 + 2 nu); bulk modulus E / (3 - 6 nu). */
    for (int i = 3; i < 6; ++i)
      ck_assert_double_eq_tol(material.stiffness[i][i], young / (2.0 + 2.0 * nu), 1e-9 * young);
    double swelling[6] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}, stress[6];
    stress_of(&material, swelling, stress);
    ck_assert_double_eq_tol(stress[1] * (1.0 - 2.0 * nu) / young, 1.0, 1e-12);
    ck_assert(material.isotropic);
  }
}

TAC_TEST(anisotropic_coefficients_are_the_upper_triangle) {
  double coefficients[21] = {0.0};
  for (int i = 0, place = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) coefficients[place++] = (i == j ? 100.0 : 0.0) + 10.0 * (i + 1) + j + 1;
  tacMaterial material;
  tac_test_ok(tac_material_anisotropic(2.0, coefficients, &material, &error), error);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      int low = i < j ? i : j, high = i < j ? j : i;
      ck_assert_double_eq(material.stiffness[i][j], (i == j ? 100.0 : 0.0) + 10.0 * (low + 1) + high + 1);
    }
  }
  ck_assert(!material.isotropic);
  ck_assert_double_eq(material.density, 2.0);
}

static void check_refused(double density, double young, double poisson) {
  tacMaterial material;
  ck_assert_int_eq(tac_material_isotropic(density, young, poisson, &material, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_gt(strlen(error.text), 10);
  ck_assert_double_eq(material.density, 0.0);
  ck_assert_int_eq(tac_material_isotropic(density, young, poisson, &material, NULL), TAC_ERR_ARGUMENT);
}

TAC_TEST(impossible_constants_are_refused) {
  check_refused(0.0, 1e5, 0.3);
  check_refused(-1.0, 1e5, 0.3);
  check_refused(NAN, 1e5, 0.3);
  check_refused(INFINITY, 1e5, 0.3);
  check_refused(1.0, 0.0, 0.3);
  check_refused(1.0, -1e5, 0.3);
  check_refused(1.0, NAN, 0.3);
  check_refused(1.0, INFINITY, 0.3);
  check_refused(1.0, 1e5, 0.5);
  check_refused(1.0, 1e5, -1.0);
  check_refused(1.0, 1e5, NAN);
  check_refused(1.0, 1e308, 0.49999);
}

/* C = A A^T with A of rank 5, and with a negative eigenvalue. */
TAC_TEST(stiffness_that_is_not_positive_definite_is_refused) {
  tacRandom random = tac_random_seed(5);
  for (int negative = 0; negative < 2; ++negative) {
    double a[6][5], coefficients[21];
    for (int i = 0; i < 30; ++i) a[i / 5][i % 5] = tac_random_uniform(&random, -1.0, 1.0);
    for (int i = 0, place = 0; i < 6; ++i) {
      for (int j = i; j < 6; ++j, ++place) {
        coefficients[place] = negative && i == j ? -1e-3 : 0.0;
        for (int k = 0; k < 5; ++k) coefficients[place] += a[i][k] * a[j][k];
      }
    }
    tacMaterial material;
    tac_test_refused(tac_material_anisotropic(1.0, coefficients, &material, &error), TAC_ERR_ARGUMENT, error,
                     "positive definite");
    ck_assert_double_eq(material.stiffness[0][0], 0.0);
  }
}

TAC_TEST(check_finds_what_a_caller_broke) {
  tacMaterial good = make_isotropic(1000.0, 1e5, 0.3), bad = good;
  ck_assert_int_eq(tac_material_check(&good, &error), TAC_OK);
  bad.stiffness[1][4] = 1.0;
  tac_test_refused(tac_material_check(&bad, &error), TAC_ERR_ARGUMENT, error, "C25");
  bad = good;
  bad.stiffness[2][2] = NAN;
  tac_test_refused(tac_material_check(&bad, &error), TAC_ERR_ARGUMENT, error, "C33");
  bad = good;
  bad.young *= 1.01;
  ck_assert_int_eq(tac_material_check(&bad, &error), TAC_ERR_ARGUMENT);
  bad = good;
  bad.poisson = 0.6;
  ck_assert_int_eq(tac_material_check(&bad, &error), TAC_ERR_ARGUMENT);
  bad = good;
  bad.density = 0.0;
  tac_test_refused(tac_material_check(&bad, &error), TAC_ERR_ARGUMENT, error, "density");
  tacMaterial other = make_anisotropic(1);
  ck_assert_int_eq(tac_material_check(&other, &error), TAC_OK);
  tacMaterial none = {0};
  ck_assert_int_eq(tac_material_check(&none, &error), TAC_ERR_ARGUMENT);
}
