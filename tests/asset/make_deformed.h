/* Deformed fields of made-up bodies, for the tests of this room and the fuzz target's seeds. */
#pragma once

#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "math/random.h"
#include "test.h"

enum { MADE_MOST = 64 };

typedef struct MadeProxies {
  int count, r;
  tacVec3 *positions;
  double *displacements, *gradients;
} MadeProxies;

static inline MadeProxies new_proxies(int count, int r) {
  size_t numbers = (size_t)(count * r);
  return (MadeProxies){count, r, calloc((size_t)count, sizeof(tacVec3)), calloc(3 * numbers, sizeof(double)),
                       calloc(9 * numbers, sizeof(double))};
}

static inline void free_proxies(MadeProxies *made) {
  free(made->positions);
  free(made->displacements);
  free(made->gradients);
}

static inline tacProxyParts proxy_parts(const MadeProxies *made) {
  return (tacProxyParts){made->count, made->positions, made->displacements, made->gradients, false};
}

/* p and F of a proxy, straight from (3.6) and (3.7). */
static inline void made_proxy(const MadeProxies *made, int index, const double *q, tacVec3 *p, tacMat3 *f) {
  double u[3] = {0.0, 0.0, 0.0};
  *f = tac_mat3_identity();
  for (int j = 0; j < made->r; ++j)
    for (int a = 0; a < 3; ++a) {
      u[a] += made->displacements[(3 * index + a) * made->r + j] * q[j];
      for (int b = 0; b < 3; ++b) f->m[a][b] += made->gradients[(9 * index + 3 * a + b) * made->r + j] * q[j];
    }
  *p = tac_vec3_add(made->positions[index], tac_vec3(u[0], u[1], u[2]));
}

static inline tacDistanceField *sample_field(tacBox solid, tacBox box, double spacing) {
  tacDistanceField *exact, *field;
  tac_test_ok(tac_distance_field_box(solid, &exact, &error), error);
  tacVec3 size = tac_box_size(box);
  tacGrid grid = {.nx = 1 + (int)lround(size.x / spacing),
                  .ny = 1 + (int)lround(size.y / spacing),
                  .nz = 1 + (int)lround(size.z / spacing),
                  .origin = box.lower,
                  .spacing = spacing};
  grid.values = malloc((size_t)grid.nx * (size_t)grid.ny * (size_t)grid.nz * sizeof *grid.values);
  float *value = grid.values;
  for (int k = 0; k < grid.nz; ++k)
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.nx; ++i)
        *value++ = (float)tac_distance_field_value(exact, tac_vec3_mad(box.lower, spacing, tac_vec3(i, j, k)));
  tac_distance_field_destroy(exact);
  tac_test_ok(tac_distance_field_from_grid(&grid, &field, &error), error);
  return field;
}

/* A bar along x of length 1 in a grid from -1 to 1. */
static const tacBox made_bar = {{-0.5, -0.15, -0.2}, {0.5, 0.15, 0.2}};

static inline tacDistanceField *make_bar_field(void) {
  return sample_field(made_bar, (tacBox){{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}}, 0.05);
}

/* A place on the bar's surface. */
static inline tacVec3 place_on(tacBox box, tacRandom *random) {
  tacVec3 p = tac_random_in_box(random, box);
  int face = (int)(6.0 * tac_random_uniform(random, 0.0, 1.0));
  tacVec3 side = face % 2 == 0 ? box.lower : box.upper;
  return tac_vec3(face / 2 == 0 ? side.x : p.x, face / 2 == 1 ? side.y : p.y, face / 2 == 2 ? side.z : p.z);
}

/* Quadratic modes u_j = A_j (x^2, y^2, z^2, x y, y z, z x), so that each proxy has another F. */
static inline void set_quadratic(MadeProxies *made, int index) {
  tacRandom random = tac_random_seed(1000);
  tacVec3 p = made->positions[index];
  const double value[6] = {p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.y * p.z, p.z * p.x};
  const double slope[6][3] = {{2.0 * p.x, 0.0, 0.0}, {0.0, 2.0 * p.y, 0.0}, {0.0, 0.0, 2.0 * p.z},
                              {p.y, p.x, 0.0},       {0.0, p.z, p.y},       {p.z, 0.0, p.x}};
  for (int j = 0; j < made->r; ++j)
    for (int a = 0; a < 3; ++a)
      for (int t = 0; t < 6; ++t) {
        double c = 0.5 * tac_random_normal(&random);
        made->displacements[(3 * index + a) * made->r + j] += c * value[t];
        for (int b = 0; b < 3; ++b) made->gradients[(9 * index + 3 * a + b) * made->r + j] += c * slope[t][b];
      }
}

static inline MadeProxies quadratic_proxies(tacBox box, int r, int count) {
  MadeProxies made = new_proxies(count, r);
  tacRandom random = tac_random_seed(2000);
  for (int i = 0; i < count; ++i) {
    made.positions[i] = place_on(box, &random);
    set_quadratic(&made, i);
  }
  return made;
}

static inline MadeProxies bending_proxies(int r, int count) {
  return quadratic_proxies(made_bar, r, count);
}

static inline tacDeformedField *field_of(int r, int nearest, int domain_count, tacDistanceField **domains,
                                         MadeProxies *made) {
  tacDeformedField *field;
  tacProxyParts parts[2] = {0};
  for (int d = 0; d < domain_count; ++d) parts[d] = proxy_parts(&made[d]);
  tac_test_ok(tac_deformed_field_create(r, nearest, domain_count, domains, parts, &field, &error), error);
  for (int d = 0; d < domain_count; ++d) free_proxies(&made[d]);
  return field;
}

static inline tacDeformedField *bar_of(int nearest, MadeProxies *made) {
  tacDistanceField *bar = make_bar_field();
  return field_of(made->r, nearest, 1, &bar, made);
}

static inline tacDeformedField *make_bending(int r, int count, int nearest) {
  MadeProxies made = bending_proxies(r, count);
  return bar_of(nearest, &made);
}

/* Both halves of the bar. */
static inline tacDeformedField *make_two_domains(int r, int count, int nearest) {
  tacBox halves[2] = {made_bar, made_bar}, grid = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  halves[0].upper.x = 0.05;
  halves[1].lower.x = -0.05;
  MadeProxies made[2];
  tacDistanceField *domains[2];
  for (int d = 0; d < 2; ++d) {
    made[d] = quadratic_proxies(halves[d], r, count);
    domains[d] = sample_field(halves[d], grid, 0.1);
  }
  return field_of(r, nearest, 2, domains, made);
}

/* Every affine motion: q[0..2] moves, q[3..11] are the entries of F - I. */
static inline tacDeformedField *make_affine(int count, int nearest) {
  MadeProxies made = new_proxies(count, 12);
  tacRandom random = tac_random_seed(3000);
  for (int i = 0; i < count; ++i) {
    tacVec3 p = made.positions[i] = place_on(made_bar, &random);
    const double place[3] = {p.x, p.y, p.z};
    for (int a = 0; a < 3; ++a) {
      made.displacements[(3 * i + a) * 12 + a] = 1.0;
      for (int b = 0; b < 3; ++b) {
        made.displacements[(3 * i + a) * 12 + 3 + 3 * a + b] = place[b];
        made.gradients[(9 * i + 3 * a + b) * 12 + 3 + 3 * a + b] = 1.0;
      }
    }
  }
  return bar_of(nearest, &made);
}

/* Proxies that move and turn each on its own, as no body does: what one says tells nothing of the others. */
static inline tacDeformedField *make_scattered(int r, int count, int nearest) {
  MadeProxies made = new_proxies(count, r);
  tacRandom random = tac_random_seed(5000);
  for (int i = 0; i < count; ++i) made.positions[i] = place_on(made_bar, &random);
  for (int i = 0; i < 3 * count * r; ++i) made.displacements[i] = 0.5 * tac_random_normal(&random);
  for (int i = 0; i < 9 * count * r; ++i) made.gradients[i] = 0.5 * tac_random_normal(&random);
  return bar_of(nearest, &made);
}

/* One proxy at the end of the bar that stays where it is while q[0..8], the entries of F - I, turn and stretch what is
 * around it. */
static inline tacDeformedField *make_pivot(void) {
  MadeProxies made = new_proxies(1, 9);
  made.positions[0] = tac_vec3(-0.5, 0.0, 0.0);
  for (int c = 0; c < 9; ++c) made.gradients[9 * c + c] = 1.0;
  return bar_of(1, &made);
}

/* Three in a row along x, of which with q = 1 the first two see the bar 0.25 away and the last one sees itself in its
 * middle. */
static inline tacDeformedField *make_row(void) {
  MadeProxies made = new_proxies(3, 1);
  const double place[3] = {-0.06, 0.0, 0.3};
  for (int i = 0; i < 3; ++i) {
    made.positions[i] = tac_vec3(place[i], 0.0, i < 2 ? made_bar.upper.z + 0.25 : 0.0);
    made.displacements[3 * i + 2] = -made.positions[i].z;
  }
  return bar_of(2, &made);
}

/* Eight at the corners of a cube around the origin; with q = 1 each is stretched in its own way, and none moves. */
static inline tacDeformedField *make_cube_of_proxies(void) {
  MadeProxies made = new_proxies(8, 1);
  tacRandom random = tac_random_seed(4000);
  for (int i = 0; i < 8; ++i) {
    made.positions[i] = tac_vec3(i & 1 ? 0.25 : -0.25, i & 2 ? 0.25 : -0.25, i & 4 ? 0.25 : -0.25);
    for (int c = 0; c < 9; ++c) made.gradients[9 * i + c] = tac_random_uniform(&random, -0.2, 0.2);
  }
  return bar_of(5, &made);
}

/* Two domains of few nodes and proxies. */
static inline tacDeformedField *make_small_deformed(void) {
  MadeProxies made[2];
  tacDistanceField *domains[2];
  for (int d = 0; d < 2; ++d) {
    made[d] = quadratic_proxies(made_bar, 2, 4 + d);
    domains[d] = sample_field(made_bar, (tacBox){{-1.0, -0.5, -0.5}, {1.0, 0.5, 0.5}}, 0.25);
  }
  return field_of(2, 3, 2, domains, made);
}

/* The rotation whose vector a skew matrix holds (Rodrigues). */
static inline tacMat3 rotation_of(tacMat3 skew) {
  double angle = sqrt(0.5) * tac_mat3_norm(skew);
  if (!(angle > 0.0)) return tac_mat3_identity();
  tacMat3 k = tac_mat3_scale(1.0 / angle, skew);
  return tac_mat3_add(tac_mat3_identity(), tac_mat3_add(tac_mat3_scale(sin(angle), k),
                                                        tac_mat3_scale(1.0 - cos(angle), tac_mat3_mul(k, k))));
}

/* What a look at one place tells of its reach. */
static inline double reach_of(const tacDeformedPose *pose, tacVec3 x, double radius, double more) {
  tacDeformedLook look;
  tac_deformed_pose_look(pose, 1, &x, &radius, more, &look);
  return look.reach;
}

/* No value is negative at y, or where the way there ends within the reach. */
static inline tacVec3 check_place(const tacDeformedPose *pose, tacVec3 x, tacVec3 y, double reach) {
  tacVec3 away = tac_vec3_sub(y, x);
  double length = tac_vec3_norm(away), value;
  if (length > 0.999999 * reach) y = tac_vec3_mad(x, 0.999999 * reach / length, away);
  value = tac_deformed_pose_value(pose, y);
  ck_assert_msg(value >= 0.0, "%g at %g of %g", value, tac_vec3_distance(x, y), reach);
  return y;
}

/* The same of `places` random ones, and of others on the way to where values fall, by steps of `most` (m) at most. */
static inline void check_reach(const tacDeformedPose *pose, tacVec3 x, double reach, int places, double most,
                               tacRandom *random) {
  for (int i = 0; i < places; ++i) {
    double away = reach * cbrt(tac_random_uniform(random, 0.0, 1.0));
    tacVec3 y = tac_vec3_mad(x, away, tac_vec3_unit(tac_random_normal3(random)));
    for (int step = 0; step < 5; ++step) {
      y = check_place(pose, x, y, reach);
      tacDeformedAnswer answer = tac_deformed_pose_gradient(pose, y, NULL);
      y = tac_vec3_mad(y, -fmin(answer.value / fmax(tac_vec3_norm2(answer.gradient), 1e-3), most), answer.gradient);
    }
  }
}
