#include "elastic/boundary/kelvin.h"

#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

static const double young = 2.0, poisson = 0.31;
static const double step = 1e-3;

static const int row_of[6] = {0, 1, 2, 1, 2, 0}, column_of[6] = {0, 1, 2, 2, 0, 1};

typedef struct {
  tacVec3 r, n;
} Place;

static Place random_place(tacRandom *random) {
  const tacBox box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  Place place;
  do {
    place.r = tac_random_in_box(random, box);
    place.n = tac_random_in_box(random, box);
  } while (tac_vec3_norm(place.r) < 0.5 || tac_vec3_norm(place.n) < 0.1);
  place.n = tac_vec3_unit(place.n);
  return place;
}

static tacVec3 moved(tacVec3 r, int axis, double by) {
  return tac_vec3_add(r, tac_vec3(axis == 0 ? by : 0.0, axis == 1 ? by : 0.0, axis == 2 ? by : 0.0));
}

/* Hooke's law for the gradient g[i][k] = u_i,k. */
static double stress(double g[3][3], int i, int j) {
  double shear = young / (2.0 * (1.0 + poisson)), lame = 2.0 * shear * poisson / (1.0 - 2.0 * poisson);
  return (i == j ? lame * (g[0][0] + g[1][1] + g[2][2]) : 0.0) + shear * (g[i][j] + g[j][i]);
}

/* gradient[i][j][k] = derivative of entry (i, j) by r_k, central differences of fourth order. */
static void differentiate(bool traction, Place place, double gradient[3][3][3]) {
  const tacKelvin kelvin = tac_kelvin(young, poisson);
  static const double way[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
  for (int k = 0; k < 3; ++k) {
    double sum[3][3] = {{0.0}};
    for (int w = 0; w < 4; ++w) {
      double value[3][3];
      tacVec3 r = moved(place.r, k, way[w] * step);
      if (traction)
        tac_kelvin_traction(&kelvin, r, place.n, value);
      else
        tac_kelvin_displacement(&kelvin, r, value);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum[i][j] += weight[w] * value[i][j] / step;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) gradient[i][j][k] = sum[i][j];
  }
}

TAC_TEST(displacement_is_symmetric_and_falls_as_the_distance) {
  const tacKelvin kelvin = tac_kelvin(young, poisson);
  tacRandom random = tac_random_seed(1);
  for (int c = 0; c < 100; ++c) {
    Place place = random_place(&random);
    double u[3][3], back[3][3], far[3][3];
    tac_kelvin_displacement(&kelvin, place.r, u);
    tac_kelvin_displacement(&kelvin, tac_vec3_scale(-1.0, place.r), back);
    tac_kelvin_displacement(&kelvin, tac_vec3_scale(3.0, place.r), far);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        ck_assert_double_eq_tol(u[i][j], u[j][i], 1e-15);
        ck_assert_double_eq_tol(u[i][j], back[j][i], 1e-15); /* Betti */
        ck_assert_double_eq_tol(u[i][j], 3.0 * far[i][j], 1e-14);
      }
  }
}

TAC_TEST(traction_is_the_stress_of_the_displacement) {
  const tacKelvin kelvin = tac_kelvin(young, poisson);
  tacRandom random = tac_random_seed(2);
  for (int c = 0; c < 100; ++c) {
    Place place = random_place(&random);
    double t[3][3], gradient[3][3][3], n[3] = {place.n.x, place.n.y, place.n.z};
    tac_kelvin_traction(&kelvin, place.r, place.n, t);
    differentiate(false, place, gradient);
    for (int i = 0; i < 3; ++i) /* force along i at x, field at y */
      for (int j = 0; j < 3; ++j) {
        double expected = 0.0;
        for (int k = 0; k < 3; ++k) expected += stress(gradient[i], j, k) * n[k];
        ck_assert_double_eq_tol(t[i][j], expected, 1e-8);
      }
  }
}

/* The whole force that a sphere about the load puts on what is inside it is minus the load: traction there is T. */
TAC_TEST(traction_balances_the_force) {
  const tacKelvin kelvin = tac_kelvin(young, poisson);
  double sum[3][3] = {{0.0}};
  const int rings = 200, sectors = 8;
  for (int a = 0; a < rings; ++a)
    for (int b = 0; b < sectors;
         ++b) { /* equal areas; products of three cosines are exact around and 1/rings^2 along */
      double z = (2.0 * a + 1.0) / rings - 1.0, s = sqrt(1.0 - z * z), angle = 2.0 * M_PI * (b + 0.5) / sectors,
             t[3][3];
      tacVec3 n = {s * cos(angle), s * sin(angle), z};
      tac_kelvin_traction(&kelvin, n, n, t);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum[i][j] += t[i][j] * 4.0 * M_PI / (rings * sectors);
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) ck_assert_double_eq_tol(sum[i][j], i == j ? -1.0 : 0.0, 1e-4);
}

/* sigma(x) = \int D p - S u follows from u(x) = \int U p - T u by Hooke's law at x; r = y - x. */
TAC_TEST(stress_kernels_are_derivatives) {
  const tacKelvin kelvin = tac_kelvin(young, poisson);
  tacRandom random = tac_random_seed(3);
  for (int c = 0; c < 100; ++c) {
    Place place = random_place(&random);
    double kernel[2][6][3], gradient[3][3][3];
    tac_kelvin_stress_of_traction(&kelvin, place.r, kernel[0]);
    tac_kelvin_stress_of_displacement(&kelvin, place.r, place.n, kernel[1]);
    for (int which = 0; which < 2; ++which) {
      differentiate(which == 1, place, gradient);
      for (int j = 0; j < 3; ++j) {
        double by_x[3][3];
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k) by_x[i][k] = -gradient[i][j][k];
        for (int row = 0; row < 6; ++row)
          ck_assert_double_eq_tol(kernel[which][row][j], stress(by_x, row_of[row], column_of[row]), 1e-7);
      }
    }
  }
}
