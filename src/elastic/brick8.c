#include "elastic/brick8.h"

#include <string.h>
#include "elastic/strain.h"
#include "mesh/brick_map.h"

typedef struct Gauss {
  int count; /* in each direction */
  double place[3], weight[3];
} Gauss;

static const Gauss two = {2, {-0.57735026918962576451, 0.57735026918962576451}, {1.0, 1.0}};
static const Gauss three = {
    3, {-0.77459666924148337704, 0.0, 0.77459666924148337704}, {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0}};

static int point_count(const Gauss *gauss) {
  return gauss->count * gauss->count * gauss->count;
}

static tacVec3 point(const Gauss *gauss, int index, double *weight) {
  int n = gauss->count, i = index % n, j = index / n % n, k = index / (n * n);
  *weight = gauss->weight[i] * gauss->weight[j] * gauss->weight[k];
  return tac_vec3(gauss->place[i], gauss->place[j], gauss->place[k]);
}

/* Columns of the Jacobian, from corners relative to one of them, so that the place of the mesh does not cost digits. False
 * where the map turns the brick inside out or flattens it. */
static bool jacobian(const tacVec3 corners[8], tacVec3 local, tacVec3 column[3], double *determinant) {
  tacVec3 relative[8];
  for (int c = 0; c < 8; ++c) relative[c] = tac_vec3_sub(corners[c], corners[0]);
  tac_brick_jacobian(relative, local, column);
  *determinant = tac_brick_determinant(column);
  double scale = tac_vec3_norm(column[0]) * tac_vec3_norm(column[1]) * tac_vec3_norm(column[2]);
  return *determinant > 1e-12 * scale && isfinite(1.0 / *determinant);
}

bool tac_brick8_gradients(const tacVec3 corners[8], tacVec3 local, tacVec3 gradient[8], double *determinant) {
  tacVec3 column[3];
  if (!jacobian(corners, local, column, determinant)) return false;
  /* Rows of the inverse Jacobian: the gradients of the local coordinates. */
  tacVec3 row[3] = {tac_vec3_cross(column[1], column[2]), tac_vec3_cross(column[2], column[0]),
                    tac_vec3_cross(column[0], column[1])};
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    double x = 1.0 + s[0] * local.x, y = 1.0 + s[1] * local.y, z = 1.0 + s[2] * local.z, f = 0.125 / *determinant;
    tacVec3 sum = tac_vec3_scale(f * s[0] * y * z, row[0]);
    sum = tac_vec3_mad(sum, f * s[1] * x * z, row[1]);
    gradient[c] = tac_vec3_mad(sum, f * s[2] * x * y, row[2]);
  }
  return true;
}

bool tac_brick8_usable(const tacVec3 corners[8]) {
  tacVec3 column[3];
  double determinant, weight;
  bool usable = true;
  for (int c = 0; c < 8 && usable; ++c) {
    const double *s = tac_brick_corner[c];
    usable = jacobian(corners, tac_vec3(s[0], s[1], s[2]), column, &determinant);
  }
  for (int g = 0; g < point_count(&two) && usable; ++g)
    usable = jacobian(corners, point(&two, g, &weight), column, &determinant);
  for (int g = 0; g < point_count(&three) && usable; ++g)
    usable = jacobian(corners, point(&three, g, &weight), column, &determinant);
  return usable;
}

void tac_brick8_stiffness(const tacVec3 corners[8], const double c[6][6], double k[24][24]) {
  memset(k, 0, 576 * sizeof(double));
  for (int g = 0; g < point_count(&two); ++g) {
    tacVec3 gradient[8];
    double determinant, weight;
    tacVec3 local = point(&two, g, &weight);
    if (tac_brick8_gradients(corners, local, gradient, &determinant))
      tac_strain_add_stiffness(8, gradient, c, weight * determinant, &k[0][0]);
  }
  tac_strain_mirror(24, &k[0][0]);
}

void tac_brick8_mass(const tacVec3 corners[8], double density, double m[8][8]) {
  memset(m, 0, 64 * sizeof(double));
  for (int g = 0; g < point_count(&three); ++g) {
    tacVec3 column[3];
    double weight, determinant, shape[8];
    tacVec3 local = point(&three, g, &weight);
    tac_brick_weights(local, shape);
    if (!jacobian(corners, local, column, &determinant)) continue;
    double mass = density * weight * determinant;
    for (int a = 0; a < 8; ++a)
      for (int b = a; b < 8; ++b) m[a][b] += mass * shape[a] * shape[b];
  }
  tac_strain_mirror(8, &m[0][0]);
}

void tac_brick8_lumped(const tacVec3 corners[8], double density, double m[8]) {
  double full[8][8];
  tac_brick8_mass(corners, density, full);
  for (int a = 0; a < 8; ++a) {
    m[a] = 0.0;
    for (int b = 0; b < 8; ++b) m[a] += full[a][b];
  }
}

bool tac_brick8_strain(const tacVec3 corners[8], tacVec3 local, const double u[8][3], double strain[6]) {
  tacVec3 gradient[8];
  double determinant;
  memset(strain, 0, 6 * sizeof *strain);
  if (!tac_brick8_gradients(corners, local, gradient, &determinant)) return false;
  for (int a = 0; a < 8; ++a) tac_strain_add(gradient[a], u[a], strain);
  return true;
}
