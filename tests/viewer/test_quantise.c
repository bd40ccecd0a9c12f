#include "app/viewer/protocol/quantise.h"

#include <float.h>
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "packet_reader.h"

/* Decoding as docs/viewer_protocol.md says, on its own. */
static double read_i8(unsigned char byte) {
  return byte < 128 ? byte : byte - 256;
}

static tacVec3 read_displacement(const unsigned char *bytes, float scale) {
  double step = (double)scale / 32767.0;
  return tac_vec3(step * read_i16(bytes), step * read_i16(bytes + 2), step * read_i16(bytes + 4));
}

/* Below the square |x| + |y| <= 1 lies the upper half; what is outside of it is mirrored at its sides. */
static tacVec3 read_normal(const unsigned char *bytes) {
  double x = read_i8(bytes[6]) / 127.0, y = read_i8(bytes[7]) / 127.0, z = 1.0 - fabs(x) - fabs(y);
  ck_assert(fabs(x) <= 1.0 && fabs(y) <= 1.0);
  if (z >= 0.0) return tac_vec3_unit(tac_vec3(x, y, z));
  return tac_vec3_unit(tac_vec3(copysign(1.0 - fabs(y), x), copysign(1.0 - fabs(x), y), z));
}

static double degrees_between(tacVec3 a, tacVec3 b) {
  return atan2(tac_vec3_norm(tac_vec3_cross(a, b)), tac_vec3_dot(a, b)) * 180.0 / M_PI;
}

typedef struct {
  tacTriMesh *mesh; /* at rest */
  tacVec3 *deformed;
  unsigned char *bytes;
  float scale;
} Surface;

static Surface make_surface(tacTriMesh *mesh) {
  size_t count = (size_t)mesh->vertex_count;
  Surface surface = {mesh, calloc(count, sizeof(tacVec3)), calloc(count, 8), -1.0f};
  memcpy(surface.deformed, mesh->vertices, count * sizeof(tacVec3));
  return surface;
}

static void quantise(Surface *surface) {
  tacTriMesh *mesh = surface->mesh;
  TAC_MEMORY(tacVec3, normals) = malloc((size_t)mesh->vertex_count * sizeof *normals);
  tac_quantise_surface(mesh->vertex_count, mesh->triangle_count, mesh->triangles, mesh->vertices, surface->deformed,
                       normals, surface->bytes, &surface->scale);
}

static void destroy_surface(Surface *surface) {
  tac_trimesh_destroy(surface->mesh);
  free(surface->deformed);
  free(surface->bytes);
}

TAC_TEST(displacements_are_within_half_a_step) {
  tacRandom random = tac_random_seed(1);
  for (double size = 1e-30; size < 1e31; size *= 1e6) {
    TAC_FREED(destroy_surface, Surface, surface) = make_surface(make_sphere(tac_vec3(0.0, 0.0, 0.0), size, 10, 20));
    double largest = 0.0;
    for (int v = 0; v < surface.mesh->vertex_count; ++v) {
      tacVec3 d = tac_random_in_box(&random, (tacBox){{-size, -size, -size}, {size, size, size}});
      surface.deformed[v] = tac_vec3_add(surface.mesh->vertices[v], d);
      d = tac_vec3_sub(surface.deformed[v], surface.mesh->vertices[v]);
      largest = fmax(largest, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
    }
    quantise(&surface);
    ck_assert_double_eq_tol(surface.scale, largest, 1e-7 * largest);
    double bound = surface.scale / 65534.0 + 2e-7 * surface.scale;
    int extremes = 0;
    for (int v = 0; v < surface.mesh->vertex_count; ++v) {
      const unsigned char *bytes = surface.bytes + 8 * v;
      tacVec3 d = tac_vec3_sub(surface.deformed[v], surface.mesh->vertices[v]),
              back = read_displacement(bytes, surface.scale);
      ck_assert_double_le(fabs(d.x - back.x), bound);
      ck_assert_double_le(fabs(d.y - back.y), bound);
      ck_assert_double_le(fabs(d.z - back.z), bound);
      for (int i = 0; i < 3; ++i) extremes += fabs(read_i16(bytes + 2 * i)) == 32767.0;
    }
    ck_assert_int_ge(extremes, 1);
  }
}

TAC_TEST(extremes_round_trip) {
  TAC_FREED(destroy_surface, Surface, surface) = make_surface(make_trimesh(3, 0));
  surface.deformed[0] = tac_vec3(0.25, -0.25, 0.0);
  surface.deformed[1] = tac_vec3(0.25 / 32767.0, -0.25 / 32767.0, 0.25 * 12345.0 / 32767.0);
  quantise(&surface);
  static const unsigned char expected[24] = {0xff, 0x7f, 0x01, 0x80, 0, 0, 0, 0, 1, 0, 0xff, 0xff, 0x39, 0x30};
  ck_assert_mem_eq(surface.bytes, expected, 24);
  ck_assert_float_eq(surface.scale, 0.25f);
  surface.deformed[0] = tac_vec3(FLT_MAX, -1.00002 * FLT_MAX, -FLT_MAX); /* the second would be step 32768 */
  quantise(&surface);
  static const unsigned char largest[8] = {0xff, 0x7f, 0, 0, 0x01, 0x80};
  ck_assert_mem_eq(surface.bytes, largest, 8);
}

TAC_TEST(rest_is_all_zero) {
  TAC_FREED(destroy_surface, Surface, surface) = make_surface(make_sphere(tac_vec3(0.0, 0.0, 0.0), 0.1, 5, 9));
  surface.mesh->vertices[0] = tac_vec3(0.0, 0.0, 0.0);
  surface.deformed[0] = tac_vec3(2e-45, 0.0, -1.4 * 2e-45); /* nothing, to a float */
  quantise(&surface);
  ck_assert_float_eq(surface.scale, 0.0f);
  for (int v = 0; v < surface.mesh->vertex_count; ++v) ck_assert_mem_eq(surface.bytes + 8 * v, "\0\0\0\0\0\0", 6);
}

/* One triangle for each direction, of any size. */
TAC_TEST(normals_are_within_a_degree) {
  const int count = tac_test_light() ? 20000 : 200000;
  tacRandom random = tac_random_seed(2);
  TAC_FREED(destroy_surface, Surface, surface) = make_surface(make_trimesh(3 * count, count));
  TAC_MEMORY(tacVec3, normals) = malloc((size_t)count * sizeof *normals);
  for (int t = 0; t < count; ++t) {
    static const double part[] = {-1.0, -0.5, 0.0, 0.5, 1.0}; /* first the axes, the diagonals and the folds */
    tacVec3 n = {part[t % 5], part[t / 5 % 5], part[t / 25 % 5]}, other = {0.3, -0.5, 0.8};
    if (t >= 125) n = tac_random_normal3(&random);
    if (tac_vec3_norm(n) == 0.0) n.z = 1.0;
    normals[t] = n = tac_vec3_unit(n);
    double size = pow(10.0, tac_random_uniform(&random, -5.0, 1.0));
    tacVec3 a = tac_vec3_scale(size, tac_vec3_unit(tac_vec3_cross(n, other))), b = tac_vec3_cross(n, a);
    surface.deformed[3 * t + 1] = a;
    surface.deformed[3 * t + 2] = b;
    surface.mesh->triangles[t] = (tacTriangle){{3 * t, 3 * t + 1, 3 * t + 2}};
  }
  quantise(&surface);
  double worst = 0.0;
  for (int v = 0; v < surface.mesh->vertex_count; ++v)
    worst = fmax(worst, degrees_between(read_normal(surface.bytes + 8 * v), normals[v / 3]));
  ck_assert_double_lt(worst, 1.0);
  ck_assert_double_gt(worst, 0.5);
}

TAC_TEST(axes_are_exact) {
  static const double axis[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < 6; ++i) {
    tacVec3 n = tac_vec3(axis[i][0], axis[i][1], axis[i][2]), a = tac_vec3(n.y, n.z, n.x), b = tac_vec3_cross(n, a);
    TAC_FREED(destroy_surface, Surface, surface) = make_surface(make_trimesh(3, 1));
    surface.mesh->triangles[0] = (tacTriangle){{0, 1, 2}};
    surface.deformed[1] = a;
    surface.deformed[2] = b;
    quantise(&surface);
    for (int v = 0; v < 3; ++v) ck_assert_double_eq(tac_vec3_distance(read_normal(surface.bytes + 8 * v), n), 0.0);
  }
}

/* A sphere squashed to an ellipsoid: the gradient of x^2 + y^2 / b^2 + z^2 / c^2 is normal to it. */
TAC_TEST(normals_are_those_of_the_deformed_surface) {
  const double b = 0.6, c = 0.4;
  TAC_FREED(destroy_surface, Surface, surface) = make_surface(make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 99, 200));
  for (int v = 0; v < surface.mesh->vertex_count; ++v) {
    tacVec3 p = surface.mesh->vertices[v];
    surface.deformed[v] = tac_vec3(p.x, b * p.y, c * p.z);
  }
  quantise(&surface);
  for (int v = 0; v < surface.mesh->vertex_count; ++v) {
    tacVec3 p = surface.mesh->vertices[v], n = tac_vec3(p.x, p.y / b, p.z / c);
    ck_assert_double_lt(degrees_between(read_normal(surface.bytes + 8 * v), n), 1.0 + 0.7);
  }
}

/* A triangle of area 3/2 facing x and one of area 2 facing y meet at vertex 0. */
TAC_TEST(normals_are_weighted_by_area) {
  TAC_FREED(destroy_surface, Surface, surface) = make_surface(make_trimesh(5, 2));
  surface.deformed[1] = tac_vec3(0.0, 1.0, 0.0);
  surface.deformed[2] = tac_vec3(0.0, 0.0, 3.0);
  surface.deformed[3] = tac_vec3(0.0, 0.0, 2.0);
  surface.deformed[4] = tac_vec3(2.0, 0.0, 0.0);
  surface.mesh->triangles[0] = (tacTriangle){{0, 1, 2}};
  surface.mesh->triangles[1] = (tacTriangle){{0, 3, 4}};
  quantise(&surface);
  ck_assert_double_lt(degrees_between(read_normal(surface.bytes), tac_vec3(3.0, 4.0, 0.0)), 1.0);
}

/* Whatever comes, the bytes are valid and what is sound beside it is right. */
TAC_TEST(extreme_numbers_give_valid_bytes) {
  static const double bad[] = {NAN,    INFINITY, -INFINITY,      DBL_MAX,        -DBL_MAX, 1.00002 * FLT_MAX,
                               1e-320, 2e-45,    -0.5 * FLT_MIN, -1.0 * FLT_MAX, 0.0};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    for (int where = 0; where < 2; ++where) {
      TAC_FREED(destroy_surface, Surface, surface) =
          make_surface(make_trimesh(5, 2)); /* 3 and 4 without a sound triangle */
      surface.mesh->triangles[0] = (tacTriangle){{0, 1, 2}};
      surface.mesh->triangles[1] = (tacTriangle){{3, 3, 3}};
      surface.mesh->vertices[1] = surface.deformed[1] = tac_vec3(0.0, 1.0, 0.0);
      surface.mesh->vertices[2] = surface.deformed[2] = tac_vec3(0.0, 0.0, 1.0);
      (where == 0 ? surface.deformed : surface.mesh->vertices)[0] = tac_vec3(bad[i], 0.25, bad[i]);
      surface.deformed[4] = tac_vec3(0.0, 0.0, -1.0);
      quantise(&surface);
      ck_assert(isfinite(surface.scale) && surface.scale >= 1.0f);
      for (int v = 0; v < 5; ++v) {
        tacVec3 n = read_normal(surface.bytes + 8 * v);
        ck_assert_double_eq_tol(tac_vec3_norm(n), 1.0, 1e-12);
        for (int k = 0; k < 3; ++k) ck_assert_double_ge(read_i16(surface.bytes + 8 * v + 2 * k), -32767.0);
      }
      if (surface.scale == 1.0f) { /* the bad one was left out */
        ck_assert_double_eq_tol(read_i16(surface.bytes + 2), where == 0 ? 8192.0 : -8192.0, 1.0);
        ck_assert_double_eq(read_i16(surface.bytes), 0.0);
        ck_assert_double_eq(read_i16(surface.bytes + 8 * 4 + 4), -32767.0);
      } else {
        ck_assert_double_eq(fabs(bad[i]), FLT_MAX);
      }
    }
}

TAC_TEST(fields_are_within_half_a_step) {
  enum { COUNT = 1000 };
  tacRandom random = tac_random_seed(3);
  for (double size = 1e-30; size < 1e31; size *= 1e6) {
    double values[COUNT];
    unsigned char bytes[2 * COUNT + 1] = {[2 * COUNT] = 77};
    float scale;
    for (int i = 0; i < COUNT; ++i) values[i] = tac_random_uniform(&random, 0.0, size);
    values[0] = size;
    tac_quantise_field(COUNT, values, bytes, &scale);
    ck_assert_double_eq_tol(scale, size, 1e-7 * size);
    for (int i = 0; i < COUNT; ++i) {
      double back = (double)scale * (bytes[2 * i] + 256 * bytes[2 * i + 1]) / 65535.0;
      ck_assert_double_le(fabs(back - values[i]), (double)scale * (1.0 / 131070.0 + 2e-7));
    }
    ck_assert(bytes[0] == 255 && bytes[1] == 255 && bytes[2 * COUNT] == 77);
  }
}

TAC_TEST(bad_values_of_a_field_are_zero) {
  static const double values[] = {-1.0,     NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, 1.000005 * FLT_MAX,
                                  -FLT_MAX, 1.0, -0.0,     5e-324};
  enum { COUNT = sizeof values / sizeof *values };
  unsigned char bytes[2 * COUNT];
  float scale;
  tac_quantise_field(COUNT, values, bytes, &scale);
  ck_assert_float_eq(scale, 1.0f);
  for (int i = 0; i < COUNT; ++i) ck_assert_int_eq(bytes[2 * i] + 256 * bytes[2 * i + 1], values[i] == 1.0 ? 65535 : 0);
  tac_quantise_field(8, values, bytes, &scale);
  ck_assert_float_eq(scale, 0.0f);
  for (int i = 0; i < 16; ++i) ck_assert_int_eq(bytes[i], 0);
  tac_quantise_field(0, values, bytes, &scale);
  ck_assert_float_eq(scale, 0.0f);
}

TAC_TEST(bases_are_within_half_a_step) {
  enum { VERTICES = 50, SIZE = 4 };
  static double u[VERTICES][3][SIZE], n[VERTICES][3][SIZE];
  static unsigned char bytes[12 * VERTICES * SIZE];
  const double size[SIZE] = {1.0, 1e-6, 300.0, 0.0}; /* each coordinate has a scale of its own */
  tacRandom random = tac_random_seed(3);
  float scales[2 * SIZE];
  for (int v = 0; v < VERTICES; ++v)
    for (int axis = 0; axis < 3; ++axis)
      for (int j = 0; j < SIZE; ++j) {
        u[v][axis][j] = size[j] * tac_random_uniform(&random, -1.0, 1.0);
        n[v][axis][j] = 7.0 * size[j] * tac_random_uniform(&random, -1.0, 1.0);
      }
  u[3][1][0] = NAN;
  n[4][2][2] = -INFINITY;
  tac_quantise_basis(VERTICES, SIZE, &u[0][0][0], &n[0][0][0], bytes, scales);
  for (int j = 0; j < SIZE; ++j)
    for (int half = 0; half < 2; ++half) {
      double scale = (double)scales[half * SIZE + j], largest = 0.0;
      for (int v = 0; v < VERTICES; ++v)
        for (int axis = 0; axis < 3; ++axis) {
          double exact = half ? n[v][axis][j] : u[v][axis][j];
          double read = scale / 32767.0 * read_i16(bytes + 12 * (v * SIZE + j) + 6 * half + 2 * axis);
          if (!isfinite(exact)) exact = 0.0;
          largest = fmax(largest, fabs(exact));
          ck_assert_double_le(fabs(read - exact), 0.5001 * scale / 32767.0);
        }
      ck_assert_double_le(fabs(scale - largest), 1e-6 * largest);
    }
}
