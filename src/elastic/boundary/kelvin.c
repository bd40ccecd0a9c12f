#include "elastic/boundary/kelvin.h"

#include "math/geometry/vec3.h"

/* Rows of a symmetric tensor: xx yy zz yz zx xy. */
static const int row_of[6] = {0, 1, 2, 1, 2, 0}, column_of[6] = {0, 1, 2, 2, 0, 1};

tacKelvin tac_kelvin(double young, double poisson) {
  double shear = young / (2.0 * (1.0 + poisson));
  return (tacKelvin){shear, poisson, 1.0 / (16.0 * M_PI * shear * (1.0 - poisson)),
                     1.0 / (8.0 * M_PI * (1.0 - poisson))};
}

/* Returns R, and the gradient of R in `e`. */
static double split(tacVec3 r, double e[3]) {
  double length = tac_vec3_norm(r);
  e[0] = r.x / length;
  e[1] = r.y / length;
  e[2] = r.z / length;
  return length;
}

/* D and S are Hooke's law applied to the derivatives of U and T by x, which are minus those by r. */
void tac_kelvin_stress_of_traction(const tacKelvin *kelvin, tacVec3 r, double d[6][3]) {
  const double c = 1.0 - 2.0 * kelvin->poisson;
  double e[3], length = split(r, e), scale = kelvin->t / (length * length);
  for (int row = 0; row < 6; ++row)
    for (int k = 0; k < 3; ++k) {
      int i = row_of[row], j = column_of[row];
      d[row][k] = scale * (c * ((k == i ? e[j] : 0.0) + (k == j ? e[i] : 0.0) - (i == j ? e[k] : 0.0)) +
                           3.0 * e[i] * e[j] * e[k]);
    }
}

void tac_kelvin_stress_of_displacement(const tacKelvin *kelvin, tacVec3 r, tacVec3 n, double s[6][3]) {
  const double normal[3] = {n.x, n.y, n.z}, nu = kelvin->poisson, c = 1.0 - 2.0 * nu;
  double e[3], length = split(r, e), slope = tac_vec3_dot(r, n) / length;
  double scale = 2.0 * kelvin->shear * kelvin->t / (length * length * length);
  for (int row = 0; row < 6; ++row)
    for (int k = 0; k < 3; ++k) {
      int i = row_of[row], j = column_of[row];
      double ij = i == j, ik = i == k, jk = j == k;
      double bent = c * ij * e[k] + nu * (ik * e[j] + jk * e[i]) - 5.0 * e[i] * e[j] * e[k];
      s[row][k] = scale * (3.0 * slope * bent + 3.0 * nu * (normal[i] * e[j] * e[k] + normal[j] * e[i] * e[k]) +
                           c * (3.0 * normal[k] * e[i] * e[j] + normal[j] * ik + normal[i] * jk) -
                           (1.0 - 4.0 * nu) * normal[k] * ij);
    }
}
