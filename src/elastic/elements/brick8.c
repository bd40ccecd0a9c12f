#include "elastic/elements/brick8.h"

#include <math.h>
#include <string.h>
#include "elastic/elements/strain.h"
#include "mesh/brick_map.h"

typedef struct Gauss {
  int count;
  double place[3], weight[3];
} Gauss;

static const Gauss gauss[3] = {
    {1, {0.0}, {2.0}},
    {2, {-0.57735026918962576451, 0.57735026918962576451}, {1.0, 1.0}},
    {3, {-0.77459666924148337704, 0.0, 0.77459666924148337704}, {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0}}};

tacVec3 tac_brick8_point(const int count[3], int index, double *weight) {
  const Gauss *x = &gauss[count[0] - 1], *y = &gauss[count[1] - 1], *z = &gauss[count[2] - 1];
  int i = index % count[0], j = index / count[0] % count[1], k = index / (count[0] * count[1]);
  *weight = x->weight[i] * y->weight[j] * z->weight[k];
  return tac_vec3(x->place[i], y->place[j], z->place[k]);
}

static const int three[3] = {3, 3, 3};

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

bool tac_brick8_is_affine(const tacVec3 corners[8]) {
  tacVec3 relative[8], column[3];
  for (int c = 0; c < 8; ++c) relative[c] = tac_vec3_sub(corners[c], corners[0]);
  tac_brick_jacobian(relative, tac_vec3(0.0, 0.0, 0.0), column);
  double least = fmin(fmin(tac_vec3_norm(column[0]), tac_vec3_norm(column[1])), tac_vec3_norm(column[2]));
  for (int c = 1; c < 8; ++c) {
    tacVec3 off = relative[c];
    for (int a = 0; a < 3; ++a) off = tac_vec3_mad(off, -(tac_brick_corner[c][a] + 1.0), column[a]);
    if (!(tac_vec3_norm(off) <= 1e-12 * least)) return false;
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
  if (usable && tac_brick8_is_affine(corners)) return true; /* the Jacobian is the same everywhere */
  for (int g = 0; g < 27 && usable; ++g)
    usable = jacobian(corners, tac_brick8_point(three, g, &weight), column, &determinant);
  return usable;
}

int tac_brick8_side(const tacVec3 corners[8], int degree) {
  return degree <= 3 && tac_brick8_is_affine(corners) ? 2 : 3;
}

void tac_brick8_mass(const tacVec3 corners[8], double density, double m[8][8]) {
  int side = tac_brick8_side(corners, 2);
  const int count[3] = {side, side, side};
  memset(m, 0, 64 * sizeof(double));
  for (int g = 0; g < side * side * side; ++g) {
    tacVec3 column[3];
    double weight, determinant, shape[8];
    tacVec3 local = tac_brick8_point(count, g, &weight);
    tac_brick_weights(local, shape);
    if (!jacobian(corners, local, column, &determinant)) continue;
    double mass = density * weight * determinant;
    for (int a = 0; a < 8; ++a)
      for (int b = a; b < 8; ++b) m[a][b] += mass * shape[a] * shape[b];
  }
  tac_strain_mirror(8, &m[0][0]);
}
