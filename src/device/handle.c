#include "device/handle.h"

#include <string.h>

/* exp(h A) for A = [0 1 0; -k/m -b/m 1/m; 0 0 0], by its series at h / 2^n and n squarings. */
tacHandle tac_handle_make(double m, double b, double k, double h) {
  double a[3][3] = {{0.0, h, 0.0}, {-h * k / m, -h * b / m, h / m}, {0.0, 0.0, 0.0}};
  double size = fmax(h, h * (k + b + 1.0) / m);
  int squarings = size > 0.125 && isfinite(size) ? (int)ceil(log2(size / 0.125)) : 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = ldexp(a[i][j], -squarings);
  double sum[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int n = 12; n >= 1; --n) { /* Horner: I + A/1 (I + A/2 (I + ...)) */
    double next[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        next[i][j] = (i == j) + (a[i][0] * sum[0][j] + a[i][1] * sum[1][j] + a[i][2] * sum[2][j]) / n;
    memcpy(sum, next, sizeof sum);
  }
  for (; squarings > 0; --squarings) {
    double next[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) next[i][j] = sum[i][0] * sum[0][j] + sum[i][1] * sum[1][j] + sum[i][2] * sum[2][j];
    memcpy(sum, next, sizeof sum);
  }
  return (tacHandle){{sum[0][0], sum[0][1], sum[0][2]}, {sum[1][0], sum[1][1], sum[1][2]}};
}

bool tac_handle_finite(const tacHandle *handle) {
  bool finite = true;
  for (int i = 0; i < 3; ++i) finite = finite && isfinite(handle->e[i]) && isfinite(handle->v[i]);
  return finite;
}

static tacVec3 combine(const double row[3], tacVec3 e, tacVec3 v, tacVec3 g) {
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(row[0], e), row[1], v), row[2], g);
}

void tac_handle_advance(const tacHandle *handle, tacVec3 load, tacVec3 *e, tacVec3 *velocity) {
  tacVec3 e0 = *e, v0 = *velocity;
  *e = combine(handle->e, e0, v0, load);
  *velocity = combine(handle->v, e0, v0, load);
}

tacVec3 tac_handle_cut(tacVec3 a, double limit) {
  double length = tac_vec3_norm(a);
  if (!isfinite(length)) return tac_vec3(0.0, 0.0, 0.0);
  return length > limit ? tac_vec3_scale(limit / length, a) : a;
}
