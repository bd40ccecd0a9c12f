#include "shape/implicit.h"

#include <stddef.h>
#include <stdint.h>

static double clamp(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

static double length(double x, double y) {
  return sqrt(x * x + y * y);
}

double tac_implicit_sphere(tacVec3 p, tacVec3 centre, double radius) {
  return tac_vec3_distance(p, centre) - radius;
}

double tac_implicit_ellipsoid(tacVec3 p, tacVec3 centre, tacVec3 r) {
  tacVec3 d = tac_vec3_sub(p, centre);
  tacVec3 s = tac_vec3(d.x / r.x, d.y / r.y, d.z / r.z);
  double k0 = tac_vec3_norm(s);
  double k1 = tac_vec3_norm(tac_vec3(s.x / r.x, s.y / r.y, s.z / r.z));
  return k1 > 0.0 ? k0 * (k0 - 1.0) / k1 : -fmin(r.x, fmin(r.y, r.z));
}

double tac_implicit_box(tacVec3 p, tacVec3 centre, tacVec3 half, double rounding) {
  double x = fabs(p.x - centre.x) - half.x + rounding;
  double y = fabs(p.y - centre.y) - half.y + rounding;
  double z = fabs(p.z - centre.z) - half.z + rounding;
  double outside = tac_vec3_norm(tac_vec3(fmax(x, 0.0), fmax(y, 0.0), fmax(z, 0.0)));
  return outside + fmin(fmax(x, fmax(y, z)), 0.0) - rounding;
}

double tac_implicit_capsule(tacVec3 p, tacVec3 a, tacVec3 b, double radius) {
  tacVec3 ab = tac_vec3_sub(b, a), ap = tac_vec3_sub(p, a);
  double t = clamp(tac_vec3_dot(ap, ab) / tac_vec3_norm2(ab), 0.0, 1.0);
  return tac_vec3_norm(tac_vec3_mad(ap, -t, ab)) - radius;
}

double tac_implicit_cone(tacVec3 p, tacVec3 a, tacVec3 b, double radius_a, double radius_b) {
  tacVec3 ab = tac_vec3_sub(b, a), ap = tac_vec3_sub(p, a);
  double height = tac_vec3_norm(ab), sine = (radius_a - radius_b) / height, cosine = sqrt(1.0 - sine * sine);
  double along = tac_vec3_dot(ap, ab) / height;
  double across = sqrt(fmax(tac_vec3_norm2(ap) - along * along, 0.0));
  /* The mantle touches the spheres on the cones of normals (sine along, cosine across) from a and from b. */
  double foot = along * cosine - across * sine;
  if (foot < 0.0) return length(along, across) - radius_a;
  if (foot > height * cosine) return length(along - height, across) - radius_b;
  return along * sine + across * cosine - radius_a;
}

double tac_implicit_rectangle(double x, double y, double half_x, double half_y, double rounding) {
  double u = fabs(x) - half_x + rounding, v = fabs(y) - half_y + rounding;
  return length(fmax(u, 0.0), fmax(v, 0.0)) + fmin(fmax(u, v), 0.0) - rounding;
}

/* Height over the middle of a b, and distance from its line. */
static double axial(tacVec3 p, tacVec3 a, tacVec3 b, double *half, double *across) {
  tacVec3 ab = tac_vec3_sub(b, a), d = tac_vec3_sub(p, tac_vec3_mix(a, b, 0.5));
  double height = tac_vec3_norm(ab), along = tac_vec3_dot(d, ab) / height;
  *half = 0.5 * height;
  *across = sqrt(fmax(tac_vec3_norm2(d) - along * along, 0.0));
  return along;
}

double tac_implicit_cylinder(tacVec3 p, tacVec3 a, tacVec3 b, double radius, double rounding) {
  double half, across, along = axial(p, a, b, &half, &across);
  return tac_implicit_rectangle(across, along, radius, half, rounding);
}

double tac_implicit_torus(tacVec3 p, tacVec3 centre, tacVec3 axis, double ring, double radius) {
  tacVec3 d = tac_vec3_sub(p, centre);
  double along = tac_vec3_dot(d, axis);
  return length(tac_vec3_norm(tac_vec3_mad(d, -along, axis)) - ring, along) - radius;
}

double tac_implicit_arc(tacVec3 p, tacVec3 centre, tacVec3 u, tacVec3 v, double radius, double angle) {
  tacVec3 d = tac_vec3_sub(p, centre);
  double x = tac_vec3_dot(d, u), y = tac_vec3_dot(d, v), z = tac_vec3_dot(d, tac_vec3_cross(u, v));
  /* Measured from the middle of the arc, so that the nearest end is on the nearest side. */
  double c = cos(0.5 * angle), s = sin(0.5 * angle);
  double x_middle = x * c + y * s, y_middle = fabs(y * c - x * s);
  if (atan2(y_middle, x_middle) <= 0.5 * angle) return length(length(x_middle, y_middle) - radius, z);
  return tac_vec3_norm(tac_vec3(x_middle - radius * c, y_middle - radius * s, z));
}

double tac_implicit_bezier(tacVec3 p, tacVec3 a, tacVec3 b, tacVec3 c, double *at) {
  /* B(t) - p = q + 2 t d + t^2 e; the nearest point is an end or a root of
   * (B - p) . B' / 2 = |e|^2 t^3 + 3 (d . e) t^2 + (2 |d|^2 + q . e) t + q . d. */
  tacVec3 q = tac_vec3_sub(a, p), d = tac_vec3_sub(b, a);
  tacVec3 e = tac_vec3_sub(tac_vec3_sub(c, b), d);
  double k3 = tac_vec3_norm2(e), k2 = 3.0 * tac_vec3_dot(d, e);
  double k1 = 2.0 * tac_vec3_norm2(d) + tac_vec3_dot(q, e), k0 = tac_vec3_dot(q, d);
  double roots[3];
  int count = 0;
  if (k3 < 1e-10 * tac_vec3_norm2(d)) {
    roots[count++] = -k0 / k1; /* straight */
  } else {
    double m = k2 / (3.0 * k3), s = k1 / (3.0 * k3) - m * m, r = 0.5 * (m * (k1 / k3 - 2.0 * m * m) - k0 / k3);
    double discriminant = r * r + s * s * s;
    if (discriminant >= 0.0) {
      double w = cbrt(r + copysign(sqrt(discriminant), r));
      roots[count++] = (w != 0.0 ? w - s / w : 0.0) - m;
    } else {
      double w = 2.0 * sqrt(-s), angle = acos(clamp(r / sqrt(-s * s * s), -1.0, 1.0)) / 3.0;
      for (int i = 0; i < 3; ++i) roots[count++] = w * cos(angle - 2.0943951023931953 * i) - m;
    }
  }
  double best = INFINITY, best_at = 0.0;
  for (int i = 0; i < count; ++i) {
    double t = clamp(roots[i], 0.0, 1.0);
    double here = tac_vec3_norm2(tac_vec3_mad(tac_vec3_mad(q, 2.0 * t, d), t * t, e));
    if (here < best) best = here, best_at = t;
  }
  if (at != NULL) *at = best_at;
  return sqrt(best);
}

double tac_implicit_spline(tacVec3 p, int count, const tacVec3 *points, double *at) {
  double best = INFINITY;
  for (int i = 1; i + 1 < count; ++i) {
    tacVec3 a = i == 1 ? points[0] : tac_vec3_mix(points[i - 1], points[i], 0.5);
    tacVec3 c = i == count - 2 ? points[count - 1] : tac_vec3_mix(points[i], points[i + 1], 0.5);
    double t, distance = tac_implicit_bezier(p, a, points[i], c, &t);
    if (distance < best) {
      best = distance;
      if (at != NULL) *at = (i - 1 + t) / (count - 2);
    }
  }
  return best;
}

double tac_implicit_helix(tacVec3 p, double radius, double pitch, double turns) {
  const double turn = 6.283185307179586;
  double rise = pitch / turn, across = length(p.x, p.y), angle = atan2(p.y, p.x), end = turn * turns;
  double first = ceil(-angle / turn), last = floor((end - angle) / turn), nearest = (p.z / rise - angle) / turn;
  double ends[2] = {0.0, end}, best = INFINITY;
  /* Half the squared distance is least at an end or where across radius sin(s - angle) = rise (z - rise s): near the
   * point's own angle, on one of the turns beside it. */
  for (int i = 0; i < 5; ++i) {
    double s = i < 2 ? ends[i] : angle + turn * clamp(floor(nearest) + i - 2, first, last);
    for (int step = 0; step < 8 && i >= 2; ++step) {
      double slope = across * radius * sin(s - angle) - rise * (p.z - rise * s);
      double curvature = across * radius * cos(s - angle) + rise * rise;
      s = clamp(s - slope / fmax(curvature, 0.1 * (across * radius + rise * rise)), 0.0, end);
    }
    double up = p.z - rise * s;
    best = fmin(best, across * across + radius * radius - 2.0 * across * radius * cos(s - angle) + up * up);
  }
  return sqrt(fmax(best, 0.0));
}

double tac_implicit_polygon(double x, double y, int count, const double (*corners)[2]) {
  double best = INFINITY, sign = 1.0;
  for (int i = 0, j = count - 1; i < count; j = i++) {
    double ex = corners[j][0] - corners[i][0], ey = corners[j][1] - corners[i][1];
    double wx = x - corners[i][0], wy = y - corners[i][1];
    double t = clamp((wx * ex + wy * ey) / (ex * ex + ey * ey), 0.0, 1.0);
    best = fmin(best, length(wx - t * ex, wy - t * ey));
    bool above_i = wy >= 0.0, above_j = y >= corners[j][1];
    if (above_i != above_j && (ex * wy > ey * wx) == above_i) sign = -sign;
  }
  return sign * best;
}

double tac_implicit_extrude(double plane, double z, double half, double rounding) {
  double u = plane + rounding, v = fabs(z) - half + rounding;
  return length(fmax(u, 0.0), fmax(v, 0.0)) + fmin(fmax(u, v), 0.0) - rounding;
}

double tac_implicit_union(double a, double b, double reach) {
  double overlap = fmax(reach - fabs(a - b), 0.0);
  return fmin(a, b) - 0.25 * overlap * overlap / reach;
}

double tac_implicit_intersection(double a, double b, double reach) {
  return -tac_implicit_union(-a, -b, reach);
}

double tac_implicit_difference(double a, double b, double reach) {
  return -tac_implicit_union(-a, b, reach);
}

tacVec3 tac_implicit_turn_x(tacVec3 p, double angle) {
  double c = cos(angle), s = sin(angle);
  return tac_vec3(p.x, c * p.y + s * p.z, c * p.z - s * p.y);
}

tacVec3 tac_implicit_turn_y(tacVec3 p, double angle) {
  double c = cos(angle), s = sin(angle);
  return tac_vec3(c * p.x - s * p.z, p.y, c * p.z + s * p.x);
}

tacVec3 tac_implicit_turn_z(tacVec3 p, double angle) {
  double c = cos(angle), s = sin(angle);
  return tac_vec3(c * p.x + s * p.y, c * p.y - s * p.x, p.z);
}

/* The value at (x, y, z), relative to a lattice node, of the linear function that belongs to the node. */
static double node_ramp(int64_t i, int64_t j, int64_t k, double x, double y, double z) {
  uint64_t h =
      (uint64_t)i * 0x9E3779B97F4A7C15u ^ (uint64_t)j * 0xC2B2AE3D27D4EB4Fu ^ (uint64_t)k * 0x165667B19E3779F9u;
  h = (h ^ h >> 31) * 0xD6E8FEB86659FD93u;
  h ^= h >> 32;
  switch (h % 12) { /* towards the middle of an edge of the cube */
    case 0: return x + y;
    case 1: return x - y;
    case 2: return -x + y;
    case 3: return -x - y;
    case 4: return x + z;
    case 5: return x - z;
    case 6: return -x + z;
    case 7: return -x - z;
    case 8: return y + z;
    case 9: return y - z;
    case 10: return -y + z;
    default: return -y - z;
  }
}

double tac_implicit_noise(tacVec3 p) {
  double fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
  int64_t i = (int64_t)fx, j = (int64_t)fy, k = (int64_t)fz;
  double x = p.x - fx, y = p.y - fy, z = p.z - fz;
  double u = x * x * x * (x * (6.0 * x - 15.0) + 10.0), v = y * y * y * (y * (6.0 * y - 15.0) + 10.0);
  double w = z * z * z * (z * (6.0 * z - 15.0) + 10.0), layer[2];
  for (int c = 0; c < 2; ++c) {
    double near_row = node_ramp(i, j, k + c, x, y, z - c);
    near_row += u * (node_ramp(i + 1, j, k + c, x - 1.0, y, z - c) - near_row);
    double far_row = node_ramp(i, j + 1, k + c, x, y - 1.0, z - c);
    far_row += u * (node_ramp(i + 1, j + 1, k + c, x - 1.0, y - 1.0, z - c) - far_row);
    layer[c] = near_row + v * (far_row - near_row);
  }
  return layer[0] + w * (layer[1] - layer[0]);
}

double tac_implicit_fractal(tacVec3 p, int octaves) {
  double sum = 0.0, amplitude = 1.0;
  for (int i = 0; i < octaves; ++i) {
    sum += amplitude * tac_implicit_noise(p);
    amplitude *= 0.5;
    p = tac_vec3_scale(2.0, p);
  }
  return sum;
}
