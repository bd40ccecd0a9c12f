#include <tactus/material.h>

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "elastic/elements/material.h"
#include "math/dense/dense.h"

static void fill_isotropic(double young, double poisson, double stiffness[6][6]) {
  double mu = young / (2.0 * (1.0 + poisson));
  double lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
  memset(stiffness, 0, 36 * sizeof(double));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) stiffness[i][j] = lambda + (i == j ? 2.0 * mu : 0.0);
    stiffness[3 + i][3 + i] = mu;
  }
}

static tacStatus check_density(double density, tacError *error) {
  if (density > 0.0 && isfinite(density)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT, "the density is %g kg/m^3; it must be above 0", density);
}

static tacStatus check_constants(double young, double poisson, tacError *error) {
  if (!(young > 0.0) || !isfinite(young))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "Young's modulus is %g Pa; it must be above 0", young);
  if (!(poisson > -1.0 && poisson < 0.5))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "Poisson's ratio is %g; it must be between -1 and 0.5", poisson);
  return TAC_OK;
}

/* Entries are finite and mirrored, and each pivot of C = L L^T can be told from rounding of its diagonal entry. */
static tacStatus check_stiffness(const double stiffness[6][6], tacError *error) {
  double a[36];
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      if (!isfinite(stiffness[i][j]))
        return tac_error_set(error, TAC_ERR_ARGUMENT, "C%d%d of a material is NaN or infinite", i + 1, j + 1);
      if (stiffness[i][j] != stiffness[j][i])
        return tac_error_set(error, TAC_ERR_ARGUMENT,
                             "the stiffness matrix C of a material is not symmetric: C%d%d "
                             "is %.17g, but C%d%d is %.17g",
                             i + 1, j + 1, stiffness[i][j], j + 1, i + 1, stiffness[j][i]);
      a[i + 6 * j] = stiffness[i][j];
    }
  }
  tacDense factor = {6, 6, 6, a};
  bool definite = tac_dense_loop_cholesky(&factor);
  for (int i = 0; definite && i < 6; ++i) definite = a[7 * i] * a[7 * i] > 1e-13 * stiffness[i][i];
  return definite ? TAC_OK
                  : tac_error_set(error, TAC_ERR_ARGUMENT,
                                  "the stiffness matrix C of a material is not positive definite: some strain would "
                                  "have no energy");
}

tacStatus tac_material_isotropic(double density, double young, double poisson, tacMaterial *material, tacError *error) {
  TAC_REQUIRE(error, material);
  *material = (tacMaterial){.density = density, .isotropic = true, .young = young, .poisson = poisson};
  tacStatus status = check_constants(young, poisson, error);
  if (status == TAC_OK) {
    fill_isotropic(young, poisson, material->stiffness);
    status = tac_material_check(material, error);
  }
  if (status != TAC_OK) *material = (tacMaterial){0};
  return status;
}

tacStatus tac_material_anisotropic(double density, const double coefficients[21], tacMaterial *material,
                                   tacError *error) {
  TAC_REQUIRE(error, material);
  *material = (tacMaterial){.density = density};
  TAC_REQUIRE(error, coefficients);
  for (int i = 0, place = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) material->stiffness[i][j] = material->stiffness[j][i] = coefficients[place++];
  tacStatus status = tac_material_check(material, error);
  if (status != TAC_OK) *material = (tacMaterial){0};
  return status;
}

tacStatus tac_material_check(const tacMaterial *material, tacError *error) {
  tacStatus status = check_density(material->density, error);
  if (status == TAC_OK) status = check_stiffness(material->stiffness, error);
  if (status != TAC_OK || !material->isotropic) return status;
  TAC_TRY(check_constants(material->young, material->poisson, error));
  double expected[6][6];
  fill_isotropic(material->young, material->poisson, expected);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      if (!(fabs(material->stiffness[i][j] - expected[i][j]) <= 1e-9 * expected[0][0]))
        return tac_error_set(
            error, TAC_ERR_ARGUMENT,
            "C%d%d of an isotropic material is %g Pa, but Young's modulus and Poisson's ratio give %g Pa", i + 1, j + 1,
            material->stiffness[i][j], expected[i][j]);
    }
  }
  return TAC_OK;
}
