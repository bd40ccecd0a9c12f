#include "app/viewer/protocol/quantise.h"

#include <float.h>
#include <string.h>
#include "base/files/little_endian.h"
#include "math/geometry/vec3.h"

/* The larger of the two where the value is one that a float holds; never NaN. */
static double larger(double largest, double value) {
  return value > largest && value <= FLT_MAX ? value : largest;
}

/* Below the least normal float there is no precision left to be in proportion to. */
static float scale_of(double largest) {
  return largest < FLT_MIN ? 0.0f : (float)largest;
}

/* To the nearest of -limit to limit, as its two's complement; 0 where it is out of that range or NaN. */
static unsigned rounded(double value, int limit) {
  return fabs(value) < limit + 0.5 ? (unsigned)((int)(value + (limit + 1.5)) - (limit + 1)) : 0u;
}

static void add_normals(int triangle_count, const tacTriangle *triangles, const tacVec3 *x, tacVec3 *normals) {
  for (int t = 0; t < triangle_count; ++t) {
    const int *v = triangles[t].v;
    tacVec3 n = tac_vec3_cross(tac_vec3_sub(x[v[1]], x[v[0]]), tac_vec3_sub(x[v[2]], x[v[0]]));
    for (int corner = 0; corner < 3; ++corner) normals[v[corner]] = tac_vec3_add(normals[v[corner]], n);
  }
}

/* Both bytes, the first one lowest. */
static unsigned octahedral(tacVec3 n) {
  double size = fabs(n.x) + fabs(n.y) + fabs(n.z);
  if (!(size >= DBL_MIN && size <= DBL_MAX)) return 0;
  double inverse = 1.0 / size, x = n.x * inverse, y = n.y * inverse;
  if (n.z < 0.0) {
    double folded = copysign(1.0 - fabs(y), x);
    y = copysign(1.0 - fabs(x), y);
    x = folded;
  }
  return (rounded(127.0 * x, 127) & 0xffu) | (rounded(127.0 * y, 127) & 0xffu) << 8;
}

void tac_quantise_surface(int vertex_count, int triangle_count, const tacTriangle *triangles, const tacVec3 *rest,
                          const tacVec3 *deformed, tacVec3 *normals, unsigned char *bytes, float *scale) {
  memset(normals, 0, (size_t)vertex_count * sizeof *normals);
  add_normals(triangle_count, triangles, deformed, normals);
  tacVec3 largest = {0.0, 0.0, 0.0}; /* one for each component: they need not wait for each other */
  for (int v = 0; v < vertex_count; ++v) {
    tacVec3 d = tac_vec3_sub(deformed[v], rest[v]);
    largest.x = larger(largest.x, fabs(d.x));
    largest.y = larger(largest.y, fabs(d.y));
    largest.z = larger(largest.z, fabs(d.z));
  }
  *scale = scale_of(fmax(largest.x, fmax(largest.y, largest.z)));
  double steps = *scale > 0.0f ? 32767.0 / *scale : 0.0;
  for (int v = 0; v < vertex_count; ++v) {
    tacVec3 d = tac_vec3_scale(steps, tac_vec3_sub(deformed[v], rest[v]));
    uint64_t x = rounded(d.x, 32767) & 0xffffu, y = rounded(d.y, 32767) & 0xffffu, z = rounded(d.z, 32767) & 0xffffu;
    tac_little_endian_put_u64(x | y << 16 | z << 32 | (uint64_t)octahedral(normals[v]) << 48, bytes + 8 * (size_t)v);
  }
}

static void put_u16(unsigned value, unsigned char *bytes) {
  bytes[0] = (unsigned char)(value & 0xffu);
  bytes[1] = (unsigned char)(value >> 8 & 0xffu);
}

void tac_quantise_field(int count, const double *values, unsigned char *bytes, float *scale) {
  double largest = 0.0;
  for (int i = 0; i < count; ++i) largest = larger(largest, values[i]);
  *scale = scale_of(largest);
  double steps = *scale > 0.0f ? 65535.0 / *scale : 0.0;
  for (int i = 0; i < count; ++i) {
    unsigned value = values[i] > 0.0 ? rounded(steps * values[i], 65535) : 0u;
    put_u16(value, bytes + 2 * (size_t)i);
  }
}

void tac_quantise_signed(int count, const double *values, unsigned char *bytes, float *scale) {
  double largest = 0.0;
  for (int i = 0; i < count; ++i) largest = larger(largest, fabs(values[i]));
  *scale = scale_of(largest);
  double steps = *scale > 0.0f ? 32767.0 / *scale : 0.0;
  for (int i = 0; i < count; ++i) put_u16(rounded(steps * values[i], 32767), bytes + 2 * (size_t)i);
}

/* Half of a basis: three components for every vertex and coordinate, 12 bytes apart. */
static void quantise_columns(int vertex_count, int size, const double *columns, unsigned char *bytes, float *scales) {
  for (int j = 0; j < size; ++j) {
    double largest = 0.0;
    for (size_t i = 0; i < 3 * (size_t)vertex_count; ++i)
      largest = larger(largest, fabs(columns[i * (size_t)size + (size_t)j]));
    scales[j] = scale_of(largest);
  }
  for (int v = 0; v < vertex_count; ++v) {
    const double *from = columns + 3 * (size_t)v * (size_t)size;
    for (int j = 0; j < size; ++j) {
      double steps = scales[j] > 0.0f ? 32767.0 / scales[j] : 0.0;
      unsigned char *to = bytes + 12 * ((size_t)v * (size_t)size + (size_t)j);
      for (int axis = 0; axis < 3; ++axis) put_u16(rounded(steps * from[axis * size + j], 32767), to + 2 * axis);
    }
  }
}

void tac_quantise_basis(int vertex_count, int size, const double *displacements, const double *normal_changes,
                        unsigned char *bytes, float *scales) {
  quantise_columns(vertex_count, size, displacements, bytes, scales);
  quantise_columns(vertex_count, size, normal_changes, bytes + 6, scales + size);
}

static uint64_t within_u16(double value) {
  return value > 0.0 ? (uint64_t)(fmin(value, 65535.0) + 0.5) : 0; /* false for NaN */
}

uint64_t tac_quantise_point(tacVec3 point, tacVec3 normal, tacVec3 origin, double step) {
  double steps = step > 0.0 ? 1.0 / step : 0.0;
  tacVec3 p = tac_vec3_scale(steps, tac_vec3_sub(point, origin));
  return within_u16(p.x) | within_u16(p.y) << 16 | within_u16(p.z) << 32 | (uint64_t)octahedral(normal) << 48;
}

void tac_quantise_displacements(int point_count, int size, int stride, const float *displacements, unsigned char *bytes,
                                float *scales) {
  for (int j = 0; j < size; ++j) {
    double largest = 0.0;
    for (size_t i = 0; i < 3 * (size_t)point_count; ++i)
      largest = larger(largest, fabs((double)displacements[i * (size_t)stride + (size_t)j]));
    scales[j] = scale_of(largest);
  }
  for (size_t p = 0; p < (size_t)point_count; ++p) {
    const float *from = displacements + 3 * p * (size_t)stride;
    for (int j = 0; j < size; ++j, bytes += 6) {
      double steps = scales[j] > 0.0f ? 32767.0 / scales[j] : 0.0;
      for (int axis = 0; axis < 3; ++axis)
        put_u16(rounded(steps * (double)from[axis * stride + j], 32767), bytes + 2 * axis);
    }
  }
}
