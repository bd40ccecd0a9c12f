/* A proxy of a deformed field in one deformation: the affine map X -> p + F (X - P), and its inverse as far as it
 * has one. */
#pragma once

#include "asset/deformed_domain.h"
#include "math/dense/vector.h"
#include "math/geometry/mat3.h"
#include "math/geometry/vec3.h"

/* F is inverted as it is while 1 / |F^-1| (Frobenius) is above TAC_PROXY_SOUND, thus until some direction is
 * squeezed to a fifth. Below, the inverse is blended with the identity, which alone is left where F is nearly
 * singular or inverted. So |G| < 1 / TAC_PROXY_SOUND + 1. */
#define TAC_PROXY_SOUND 0.2
#define TAC_PROXY_SINGULAR 0.1

typedef struct tacProxyMap {
  tacMat3 inverse;   /* G: F^-1, or what stands in for it */
  tacVec3 origin;    /* P - G p: X = origin + G x */
  double to_reaches; /* at most 1 / |G|: from reaches at rest to those here; 0 where G stands in */
  bool sound;        /* G = F^-1 */
  tacVec3 at;        /* p */
  tacMat3 f;         /* F */
} tacProxyMap;

/* A bound of the spectral norm that is exact for multiples of rotations. The eigenvalues of A^T A have the mean m and
 * deviate from it by S in the sum of squares; then the largest is at most m + sqrt(2 S / 3). */
static inline double tac_proxy_map_norm(tacMat3 a) {
  tacVec3 x = tac_mat3_column(a, 0), y = tac_mat3_column(a, 1), z = tac_mat3_column(a, 2);
  double xx = tac_vec3_norm2(x), yy = tac_vec3_norm2(y), zz = tac_vec3_norm2(z), mean = (xx + yy + zz) / 3.0;
  double xy = tac_vec3_dot(x, y), yz = tac_vec3_dot(y, z), zx = tac_vec3_dot(z, x);
  double square = (xx - mean) * (xx - mean) + (yy - mean) * (yy - mean) + (zz - mean) * (zz - mean) +
                  2.0 * (xy * xy + yz * yz + zx * zx);
  return sqrt(mean + sqrt(2.0 / 3.0 * square)) * (1.0 + 1e-12);
}

/* The share of F^-1 in G, and F^-1 itself where the share is not 0. */
static inline double tac_proxy_map_share(tacMat3 f, tacMat3 *inverse) {
  tacVec3 a = tac_mat3_column(f, 0), b = tac_mat3_column(f, 1), c = tac_mat3_column(f, 2);
  tacMat3 adjugate =
      tac_mat3_transpose(tac_mat3_from_columns(tac_vec3_cross(b, c), tac_vec3_cross(c, a), tac_vec3_cross(a, b)));
  double determinant = tac_vec3_dot(a, tac_vec3_cross(b, c)), soundness = determinant / tac_mat3_norm(adjugate);
  if (!(soundness > TAC_PROXY_SINGULAR) || !isfinite(determinant)) return 0.0;
  *inverse = tac_mat3_scale(1.0 / determinant, adjugate);
  return soundness < TAC_PROXY_SOUND ? (soundness - TAC_PROXY_SINGULAR) / (TAC_PROXY_SOUND - TAC_PROXY_SINGULAR) : 1.0;
}

static inline void tac_proxy_map_invert(tacProxyMap *proxy, tacVec3 material) {
  tacMat3 inverse;
  double share = tac_proxy_map_share(proxy->f, &inverse);
  proxy->sound = share == 1.0;
  proxy->inverse = proxy->sound ? inverse : tac_mat3_identity();
  for (int i = 0; share > 0.0 && share < 1.0 && i < 3; ++i)
    for (int j = 0; j < 3; ++j) proxy->inverse.m[i][j] += share * (inverse.m[i][j] - (i == j));
  proxy->to_reaches = proxy->sound ? (1.0 - 1e-12) / tac_proxy_map_norm(proxy->inverse) : 0.0;
  proxy->origin = tac_vec3_sub(material, tac_mat3_mul_vec(proxy->inverse, proxy->at));
}

/* p = P + U q, F = I + sum_j F_j q_j (3.7). */
static inline tacProxyMap tac_proxy_map_at(const tacDeformedDomain *domain, int r, int index, const double *q) {
  const double *row = domain->modes + (size_t)(TAC_PROXY_ROWS * r) * (size_t)index;
  double sums[TAC_PROXY_ROWS];
  for (int i = 0; i < TAC_PROXY_ROWS; i += 3, row += 3 * r) tac_vector_dot3(r, row, q, sums + i);
  tacProxyMap proxy = {
      .at = tac_vec3_add(domain->positions[index], tac_vec3(sums[0], sums[1], sums[2])),
      .f = {
          {{1.0 + sums[3], sums[4], sums[5]}, {sums[6], 1.0 + sums[7], sums[8]}, {sums[9], sums[10], 1.0 + sums[11]}}}};
  tac_proxy_map_invert(&proxy, domain->positions[index]);
  return proxy;
}

static inline tacVec3 tac_proxy_map_image(const tacDeformedDomain *domain, const tacProxyMap *proxy, int index,
                                          tacVec3 material) {
  return tac_vec3_add(proxy->at, tac_mat3_mul_vec(proxy->f, tac_vec3_sub(material, domain->positions[index])));
}
