#include "mesh/moments.h"

#include "math/geometry/vec3.h"
#include "mesh/brick_map.h"

static void add_outer(double matrix[3][3], double weight, tacVec3 x) {
  const double v[3] = {x.x, x.y, x.z};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) matrix[i][j] += weight * v[i] * v[j];
  }
}

/* Over a tetrahedron of volume V with corners x_i and s = sum x_i: the integral of x is V s / 4, that of x x^T is
 * V (sum x_i x_i^T + s s^T) / 20. */
void tac_moments_add_tet(tacMoments *moments, tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 d) {
  double volume = tac_vec3_triple(a, b, c, d) / 6.0;
  tacVec3 sum = tac_vec3_add(tac_vec3_add(a, b), tac_vec3_add(c, d));
  moments->volume += volume;
  moments->first = tac_vec3_mad(moments->first, 0.25 * volume, sum);
  double weight = volume / 20.0;
  add_outer(moments->second, weight, a);
  add_outer(moments->second, weight, b);
  add_outer(moments->second, weight, c);
  add_outer(moments->second, weight, d);
  add_outer(moments->second, weight, sum);
}

/* The integrand has degree 4 at most in each local coordinate: three Gauss points a direction are exact. */
void tac_moments_add_brick(tacMoments *moments, const tacVec3 corners[8]) {
  const double place[3] = {-sqrt(0.6), 0.0, sqrt(0.6)}, weight[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        tacVec3 local = {place[i], place[j], place[k]}, columns[3];
        tac_brick_jacobian(corners, local, columns);
        double volume = weight[i] * weight[j] * weight[k] * tac_brick_determinant(columns);
        tacVec3 x = tac_brick_point(corners, local);
        moments->volume += volume;
        moments->first = tac_vec3_mad(moments->first, volume, x);
        add_outer(moments->second, volume, x);
      }
    }
  }
}

tacMoments tac_moments_of_solid(const tacTriMesh *surface, tacVec3 origin) {
  tacMoments moments = {0};
  for (int t = 0; t < surface->triangle_count; ++t) {
    const int *v = surface->triangles[t].v;
    tac_moments_add_tet(&moments, tac_vec3(0.0, 0.0, 0.0), tac_vec3_sub(surface->vertices[v[0]], origin),
                        tac_vec3_sub(surface->vertices[v[1]], origin), tac_vec3_sub(surface->vertices[v[2]], origin));
  }
  return moments;
}

void tac_moments_inertia(const tacMoments *moments, double inertia[3][3]) {
  double trace = moments->second[0][0] + moments->second[1][1] + moments->second[2][2];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) inertia[i][j] = (i == j ? trace : 0.0) - moments->second[i][j];
  }
}
