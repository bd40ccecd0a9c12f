#include "mesh/query/triangle_pair.h"

#include <stdint.h>
#include "mesh/make_mesh.h"
#include "mesh/query/self_intersection.h"

typedef struct Polygon {
  int count;
  int64_t v[4][3];
} Polygon;

static void subtract(const int64_t *a, const int64_t *b, int64_t *r) {
  for (int i = 0; i < 3; ++i) r[i] = a[i] - b[i];
}

static void cross(const int64_t *a, const int64_t *b, int64_t *r) {
  for (int i = 0; i < 3; ++i) r[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void extent(const Polygon *p, const int64_t *axis, int64_t *lower, int64_t *upper) {
  *lower = INT64_MAX;
  *upper = INT64_MIN;
  for (int i = 0; i < p->count; ++i) {
    int64_t s = p->v[i][0] * axis[0] + p->v[i][1] * axis[1] + p->v[i][2] * axis[2];
    if (s < *lower) *lower = s;
    if (s > *upper) *upper = s;
  }
}

static bool separates(const Polygon *a, const Polygon *b, const int64_t *axis) {
  int64_t lower_a, upper_a, lower_b, upper_b;
  extent(a, axis, &lower_a, &upper_a);
  extent(b, axis, &lower_b, &upper_b);
  return upper_a < lower_b || upper_b < lower_a;
}

static void edge(const Polygon *p, int i, int64_t *r) {
  subtract(p->v[(i + 1) % p->count], p->v[i], r);
}

/* Two convex flat polygons are disjoint where a normal, a product of two edges or, in a common plane, an edge's normal
 * separates them; in integers this is exact. */
static bool polygons_intersect(const Polygon *a, const Polygon *b) {
  const Polygon *both[2] = {a, b};
  int64_t normal[2][3], e[3], f[3], axis[3];
  for (int k = 0; k < 2; ++k) {
    edge(both[k], 0, e);
    edge(both[k], 1, f);
    cross(e, f, normal[k]);
    if (separates(a, b, normal[k])) return false;
  }
  for (int i = 0; i < a->count; ++i) {
    edge(a, i, e);
    for (int j = 0; j < b->count; ++j) {
      edge(b, j, f);
      cross(e, f, axis);
      if (separates(a, b, axis)) return false;
    }
  }
  cross(normal[0], normal[1], axis);
  if (axis[0] != 0 || axis[1] != 0 || axis[2] != 0) return true;
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < both[k]->count; ++i) {
      edge(both[k], i, e);
      cross(normal[k], e, axis);
      if (separates(a, b, axis)) return false;
    }
  }
  return true;
}

static bool has_area(const Polygon *t) {
  int64_t e[3], f[3], n[3];
  edge(t, 0, e);
  edge(t, 1, f);
  cross(e, f, n);
  return n[0] != 0 || n[1] != 0 || n[2] != 0;
}

static bool random_triangle(tacRandom *random, double limit, Polygon *t) {
  t->count = 3;
  for (int i = 0; i < 9; ++i) t->v[i / 3][i % 3] = (int64_t)floor(tac_random_uniform(random, -limit, limit));
  return has_area(t);
}

static void to_doubles(const Polygon *p, tacVec3 *v) {
  for (int i = 0; i < 3; ++i) v[i] = tac_vec3((double)p->v[i][0], (double)p->v[i][1], (double)p->v[i][2]);
}

static int shared_corners(const Polygon *a, const Polygon *b) {
  int shared = 0;
  for (int i = 0; i < 9; ++i) shared += memcmp(a->v[i / 3], b->v[i % 3], sizeof a->v[0]) == 0;
  return shared;
}

static bool check_pair(const tacVec3 a[3], const tacVec3 b[3], bool expected) {
  ck_assert_int_eq(tac_triangle_pair_intersects(a, b), expected);
  ck_assert_int_eq(tac_triangle_pair_intersects(b, a), expected);
  return expected;
}

/* Small integers, so that touching and coplanar pairs are frequent. */
TAC_TEST(triangles_without_common_corners_intersect_unless_an_axis_separates_them) {
  tacRandom random = tac_random_seed(11);
  int meeting = 0, cases = 0;
  for (int i = 0; i < 200000; ++i) {
    Polygon a, b;
    tacVec3 x[3], y[3];
    double limit = i % 2 == 0 ? 2.0 : 5.0;
    if (!random_triangle(&random, limit, &a) || !random_triangle(&random, limit, &b)) continue;
    if (i % 3 == 0) { /* both into the plane z = x + 2 y */
      for (int c = 0; c < 3; ++c) {
        a.v[c][2] = a.v[c][0] + 2 * a.v[c][1];
        b.v[c][2] = b.v[c][0] + 2 * b.v[c][1];
      }
      if (!has_area(&a) || !has_area(&b)) continue;
    }
    if (shared_corners(&a, &b) != 0) continue;
    to_doubles(&a, x);
    to_doubles(&b, y);
    meeting += check_pair(x, y, polygons_intersect(&a, &b));
    ++cases;
  }
  ck_assert_int_gt(meeting, cases / 50);
  ck_assert_int_lt(meeting, cases - cases / 50);
}

/* With the tip at the common corner cut off one of them, they are triangles without common corners. */
TAC_TEST(triangles_with_a_common_corner_intersect_where_truncated_ones_do) {
  tacRandom random = tac_random_seed(12);
  int meeting = 0, cases = 0;
  for (int i = 0; i < 100000; ++i) {
    Polygon a, b, cut = {.count = 4};
    tacVec3 x[3], y[3];
    if (!random_triangle(&random, 3.0, &a)) continue;
    random_triangle(&random, 3.0, &b);
    memcpy(b.v[0], a.v[0], sizeof a.v[0]);
    if (!has_area(&b) || shared_corners(&a, &b) != 1) continue;
    const int64_t fine = 4096;
    for (int c = 0; c < 3; ++c) {
      cut.v[0][c] = (fine - 1) * a.v[0][c] + a.v[1][c];
      cut.v[1][c] = fine * a.v[1][c];
      cut.v[2][c] = fine * a.v[2][c];
      cut.v[3][c] = (fine - 1) * a.v[0][c] + a.v[2][c];
    }
    to_doubles(&a, x);
    to_doubles(&b, y);
    for (int c = 0; c < 9; ++c) b.v[c / 3][c % 3] *= fine;
    meeting += check_pair(x, y, polygons_intersect(&cut, &b));
    ++cases;
  }
  ck_assert_int_gt(meeting, cases / 50);
  ck_assert_int_lt(meeting, cases - cases / 50);
}

TAC_TEST(triangles_with_a_common_edge_intersect_only_when_folded_flat) {
  const tacVec3 a[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const struct {
    tacVec3 apex;
    bool expected;
  } cases[] = {{{0.3, 0.4, 0.0}, true},   {{0.3, -0.4, 0.0}, false}, {{0.3, 0.4, 1e-3}, false},
               {{0.3, 0.4, 1e-14}, true}, {{5.0, 9.0, 0.0}, true},   {{0.0, 0.0, 1.0}, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    for (int turn = 0; turn < 3; ++turn) {
      tacVec3 b[3];
      b[turn] = a[1];
      b[(turn + 1) % 3] = a[0];
      b[(turn + 2) % 3] = cases[i].apex;
      check_pair(a, b, cases[i].expected);
    }
  }
  ck_assert(tac_triangle_pair_intersects(a, a));
}

TAC_TEST(mesh_search_finds_as_many_pairs_as_brute_force) {
  tacRandom random = tac_random_seed(5);
  int count = tac_test_light() ? 150 : 600, expected = 0, found;
  TAC_OWN(tacTriMesh, mesh) = make_trimesh(3 * count, count);
  for (int v = 0; v < 3 * count; ++v) {
    mesh->vertices[v] = tac_random_in_box(&random, (tacBox){{0, 0, 0}, {0.3, 0.3, 0.3}});
    mesh->vertices[v].x += v / 3 % 20 * 0.2;
    mesh->triangles[v / 3].v[v % 3] = v;
  }
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j)
      expected += tac_triangle_pair_intersects(mesh->vertices + 3 * i, mesh->vertices + 3 * j);
  }
  unsigned char *skip = tac_test_alloc((size_t)count);
  tac_test_ok(tac_self_intersection_count(mesh, skip, &found, &error), error);
  ck_assert_int_gt(expected, 100);
  ck_assert_int_eq(found, expected);
  memset(skip, 1, (size_t)count);
  tac_test_ok(tac_self_intersection_count(mesh, skip, &found, &error), error);
  ck_assert_int_eq(found, 0);
}
