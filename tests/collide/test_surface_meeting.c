#include "collide/surface_meeting.h"

#include <tactus/mesh.h>
#include "bake/fields/field_check.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "mesh/query/triangle_point.h"
#include "mesh/trimesh.h"
#include "shape/geodesic.h"
#include "test.h"

enum { MOST = 8192 };
static tacSurfaceCandidate found[MOST], other[MOST], expected[MOST];

/* ---- meshes ---- */

static tacTriMesh *make(int vertex_count, const tacVec3 *vertices, int triangle_count, const tacTriangle *triangles) {
  tacError why;
  tacTriMesh *mesh;
  tac_test_ok(tac_trimesh_create(vertex_count, triangle_count, &mesh, &why), why);
  memcpy(mesh->vertices, vertices, (size_t)vertex_count * sizeof *vertices);
  memcpy(mesh->triangles, triangles, (size_t)triangle_count * sizeof *triangles);
  return mesh;
}

static tacTriMesh *make_box(tacVec3 lower, tacVec3 upper) {
  tacVec3 v[8];
  for (int i = 0; i < 8; ++i)
    v[i] = tac_vec3(i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z);
  const tacTriangle t[12] = {{{0, 2, 3}}, {{0, 3, 1}}, {{4, 5, 7}}, {{4, 7, 6}}, {{0, 1, 5}}, {{0, 5, 4}},
                             {{2, 6, 7}}, {{2, 7, 3}}, {{0, 4, 6}}, {{0, 6, 2}}, {{1, 3, 7}}, {{1, 7, 5}}};
  return make(8, v, 12, t);
}

static tacTriMesh *make_cube(void) {
  return make_box(tac_vec3(-1.0, -1.0, -1.0), tac_vec3(1.0, 1.0, 1.0));
}

/* A tetrahedron that stands on its tip, the origin. */
static tacTriMesh *make_tip(void) {
  const tacVec3 v[4] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 2.0}, {-0.5, 0.8, 2.0}, {-0.5, -0.8, 2.0}};
  const tacTriangle t[4] = {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 3}}, {{1, 2, 3}}};
  return make(4, v, 4, t);
}

static tacTriMesh *make_sphere(double radius, int frequency) {
  tacError why;
  tacTriMesh *mesh;
  tac_test_ok(tac_geodesic_sphere(radius, frequency, &mesh, &why), why);
  return mesh;
}

/* Two bodies; the first is turned and shifted. */
typedef struct Two {
  tacTriMesh *mesh[2];
  tacSurfaceBoxes *surface[2];
  tacSurfaceSearch search;
} Two;

static Two start(tacTriMesh *a, tacTriMesh *b, double alarm, double depth) {
  Two two = {{a, b}, {NULL, NULL}, {tac_mat3_identity(), {0.0, 0.0, 0.0}, alarm, depth}};
  for (int i = 0; i < 2; ++i) tac_test_ok(tac_surface_boxes_create(two.mesh[i], &two.surface[i], &error), error);
  return two;
}

static void finish(Two *two) {
  for (int i = 0; i < 2; ++i) {
    tac_surface_boxes_destroy(two->surface[i]);
    tac_trimesh_destroy(two->mesh[i]);
  }
}

static tacVec3 point(const tacSurfaceBoxes *s, tacSurfacePoint at) {
  tacVec3 p = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < 3; ++i) p = tac_vec3_mad(p, at.weight[i], s->vertices[s->mesh->triangles[at.triangle].v[i]]);
  return p;
}

/* What every answer has, whatever the question. */
static int search_two(Two *two) {
  tacSurfaceFound answer = tac_surface_meeting_find(two->surface[0], two->surface[1], &two->search, MOST, found);
  ck_assert_int_eq(answer.lost, 0);
  double size = 1e-12 * (double)(two->surface[0]->extent + two->surface[1]->extent);
  for (int i = 0; i < answer.count; ++i) {
    const tacSurfaceCandidate *c = &found[i];
    ck_assert_double_eq_tol(tac_vec3_norm(c->normal), 1.0, 1e-12);
    ck_assert(c->gap <= two->search.alarm && c->gap >= -two->search.depth * (1.0 + 1e-9));
    ck_assert_double_eq_tol(tac_vec3_dot(c->normal, tac_vec3_sub(c->place_a, c->place_b)), c->gap, size);
    /* Places are those of the surface coordinates, which weigh corners. */
    tacVec3 a = tac_mat3_mul_vec(two->search.turn, point(two->surface[0], c->on_a));
    ck_assert_double_le(tac_vec3_distance(tac_vec3_add(a, two->search.shift), c->place_a), 1e3 * size);
    ck_assert_double_le(tac_vec3_distance(point(two->surface[1], c->on_b), c->place_b), 1e3 * size);
    const tacSurfacePoint *points[2] = {&c->on_a, &c->on_b};
    for (int k = 0; k < 2; ++k) {
      ck_assert_double_eq_tol(points[k]->weight[0] + points[k]->weight[1] + points[k]->weight[2], 1.0, 1e-8);
      for (int j = 0; j < 3; ++j) ck_assert_double_ge(points[k]->weight[j], 0.0);
    }
    for (int j = 0; j < i; ++j) ck_assert_uint_ne(found[j].key, c->key);
  }
  return answer.count;
}

static int count_touch(int count, tacSurfaceTouch touch) {
  int n = 0;
  for (int i = 0; i < count; ++i) n += found[i].touch == touch;
  return n;
}

static void check_normals(int count, tacVec3 normal, double gap) {
  for (int i = 0; i < count; ++i) {
    ck_assert_double_le(tac_vec3_distance(found[i].normal, normal), 1e-9);
    ck_assert_double_eq_tol(found[i].gap, gap, 1e-12);
  }
}

/* How many of the candidates' places on b are at (x, y), whatever z. */
static int count_at(int count, double x, double y) {
  int n = 0;
  for (int i = 0; i < count; ++i) n += fabs(found[i].place_b.x - x) < 1e-9 && fabs(found[i].place_b.y - y) < 1e-9;
  return n;
}

/* ---- closed forms ---- */

static const tacVec3 up = {0.0, 0.0, 1.0};

static const double stacked[] = {0.01, 1e-14, 0.0, -1e-14, -0.01}; /* gaps */

/* Above, touching, overlapping: every corner of the upper cube is met, by the normal of the lower one. */
TAC_TEST(small_cube_touches_a_large_one_by_its_corners) {
  for (int g = 0; g < 5; ++g) {
    TAC_FREED(finish, Two, two) =
        start(make_cube(), make_box(tac_vec3(-3.0, -3.0, -1.0), tac_vec3(3.0, 3.0, 1.0)), 0.05, 0.05);
    for (int turned = 0; turned < 2; ++turned) {
      two.search.turn = tac_quat_to_mat3(tac_quat_from_axis_angle(up, 0.3 * turned)); /* else on the diagonal */
      two.search.shift = tac_vec3(0.0, 0.0, 2.0 + stacked[g]);
      int count = search_two(&two);
      ck_assert_int_eq(count, 4);
      ck_assert_int_eq(count_touch(count, TAC_TOUCH_VERTEX_FACE), 4);
      check_normals(count, up, stacked[g]);
    }
  }
}

/* Corner over corner, edge along edge: nothing lies in the inside of anything. */
TAC_TEST(equal_cubes_stack) {
  for (int g = 0; g < 5; ++g) {
    TAC_FREED(finish, Two, two) = start(make_cube(), make_cube(), 0.05, 0.05);
    two.search.shift = tac_vec3(0.0, 0.0, 2.0 + stacked[g]);
    int count = search_two(&two);
    check_normals(count, up, stacked[g]);
    for (int i = 0; i < 4; ++i) ck_assert_int_ge(count_at(count, i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0), 1);
    ck_assert_int_le(count, 8);

    /* Shifted along one side: corners of each on the other, and those in line. */
    two.search.shift.x = 0.5;
    count = search_two(&two);
    check_normals(count, up, stacked[g]);
    const double x[] = {-0.5, 1.0};
    for (int i = 0; i < 4; ++i) ck_assert_int_ge(count_at(count, x[i / 2], i % 2 ? 1.0 : -1.0), 1);

    /* Turned: outlines cross in eight places, however little they are turned. */
    for (double angle = 1e-3; angle < 0.8; angle *= 3.0) {
      two.search.turn = tac_quat_to_mat3(tac_quat_from_axis_angle(up, angle));
      two.search.shift = tac_vec3(0.0, 0.0, 2.0 + stacked[g]);
      count = search_two(&two);
      ck_assert_int_eq(count_touch(count, TAC_TOUCH_EDGE_EDGE), 8);
      for (int i = 0; i < count; ++i) {
        if (found[i].touch != TAC_TOUCH_EDGE_EDGE) continue;
        ck_assert_double_le(tac_vec3_distance(found[i].normal, up), 1e-9);
        ck_assert_double_eq_tol(found[i].gap, stacked[g], 1e-12);
      }
    }
  }
}

/* Two rods with edges up and down that cross at any angle. */
TAC_TEST(crossed_rods_touch_by_their_edges) {
  const double gaps[] = {0.02, 0.0, -0.02};
  const tacMat3 on_edge = tac_quat_to_mat3(tac_quat_from_axis_angle(tac_vec3(1.0, 0.0, 0.0), atan(1.0)));
  for (int g = 0; g < 3; ++g) {
    for (double angle = 0.2; angle < 3.0; angle += 0.3) {
      TAC_FREED(finish, Two, two) = start(make_box(tac_vec3(-5.0, -0.1, -0.1), tac_vec3(5.0, 0.1, 0.1)),
                                          make_box(tac_vec3(-5.0, -0.1, -0.1), tac_vec3(5.0, 0.1, 0.1)), 0.05, 0.6);
      /* b lies along x on its edge; a across it. */
      tac_surface_boxes_follow(two.surface[1], two.mesh[1]->vertices);
      tacVec3 turned[8];
      for (int v = 0; v < 8; ++v) turned[v] = tac_mat3_mul_vec(on_edge, two.mesh[1]->vertices[v]);
      ck_assert(tac_surface_boxes_follow(two.surface[1], turned));
      two.search.turn = tac_mat3_mul(tac_quat_to_mat3(tac_quat_from_axis_angle(up, angle)), on_edge);
      two.search.shift = tac_vec3(0.3, 0.0, 0.2 * sqrt(2.0) + gaps[g]);
      /* Deep enough for the far sides: the lower edge of b and the upper one of a are no contact. */
      int count = search_two(&two);
      ck_assert_int_eq(count, 1);
      ck_assert_int_eq(found[0].touch, TAC_TOUCH_EDGE_EDGE);
      check_normals(count, up, gaps[g]);
      ck_assert_double_le(tac_vec3_distance(found[0].place_b, tac_vec3(0.3, 0.0, 0.1 * sqrt(2.0))), 1e-9);
    }
  }
}

TAC_TEST(tip_on_a_face_has_one_contact) {
  const double gaps[] = {0.04, 0.0, -0.04};
  for (int g = 0; g < 3; ++g) {
    TAC_FREED(finish, Two, two) = start(make_tip(), make_cube(), 0.05, 0.05);
    ck_assert_double_gt(tac_trimesh_volume(two.mesh[0]), 0.0);
    const double places[][2] = {{0.3, 0.1}, {0.0, 0.0}, {0.5, 0.5}, {-0.2, 0.9}}; /* in faces, on the diagonal */
    for (int i = 0; i < 4; ++i) {
      two.search.shift = tac_vec3(places[i][0], places[i][1], 1.0 + gaps[g]);
      int count = search_two(&two);
      ck_assert_int_eq(count_at(count, places[i][0], places[i][1]), 1);
      ck_assert_int_eq(count, 1);
      check_normals(count, up, gaps[g]);
    }
    /* Beyond an edge and beyond a corner: straight to it. */
    two.search.shift = tac_vec3(1.03, 0.2, 1.03);
    int count = search_two(&two), vertex = 0;
    for (int i = 0; i < count; ++i) {
      if (found[i].touch != TAC_TOUCH_VERTEX_FACE) continue;
      ++vertex;
      ck_assert_double_le(tac_vec3_distance(found[i].normal, tac_vec3(sqrt(0.5), 0.0, sqrt(0.5))), 1e-9);
      ck_assert_double_eq_tol(found[i].gap, 0.03 * sqrt(2.0), 1e-12);
    }
    ck_assert_int_eq(vertex, 1);
  }
}

/* Beside a diagonal, or a corner of four triangles, by as little as counts as on it: nearer to the face than to that, a normal
 * along the way there would be any. */
TAC_TEST(tip_near_a_coplanar_edge_uses_the_face_normal) {
  const tacVec3 w[5] = {{0.0, 0.0, 1.0}, {1.0, 0.1, 1.0}, {-0.1, 1.0, 1.0}, {-1.0, 0.1, 1.0}, {0.1, -1.0, 1.0}};
  const tacTriangle s[4] = {{{0, 1, 2}}, {{0, 2, 3}}, {{0, 3, 4}}, {{0, 4, 1}}}; /* an open sheet */
  const double gaps[] = {1e-7, 1e-9, 3e-10, -1e-10, -1e-9};
  for (int flat = 0; flat < 2; ++flat) {
    TAC_FREED(finish, Two, two) = start(make_tip(), flat == 0 ? make_cube() : make(5, w, 4, s), 0.05, 0.05);
    for (int g = 0; g < 5; ++g)
      for (int side = 0; side < 16; ++side) {
        double angle = 0.4 * side, beside = side < 8 ? 3e-10 : 9e-10;
        two.search.shift = tac_vec3(beside * cos(angle), beside * sin(angle), 1.0 + gaps[g]);
        int count = search_two(&two), tips = 0;
        for (int i = 0; i < count; ++i) {
          if (found[i].touch != TAC_TOUCH_VERTEX_FACE) continue; /* the corner against the tip */
          ++tips;
          ck_assert_double_le(tac_vec3_distance(found[i].normal, up), 1e-6);
          ck_assert_double_eq_tol(found[i].gap, gaps[g], 1e-12);
        }
        ck_assert_int_eq(tips, 1);
      }
  }
}

/* A tip through a sheet: it goes back where it came from until it is out at the other side. */
TAC_TEST(tip_in_a_thin_wall_returns_to_its_side) {
  TAC_FREED(finish, Two, two) =
      start(make_tip(), make_box(tac_vec3(-3.0, -3.0, -0.1), tac_vec3(3.0, 3.0, 0.0)), 0.05, 0.5);
  for (double depth = 0.01; depth < 0.1; depth += 0.02) {
    two.search.shift = tac_vec3(0.2, 0.3, -depth);
    ck_assert_int_eq(search_two(&two), 1);
    check_normals(1, up, -depth);
    two.search.depth = 0.9 * depth; /* deeper than is asked for */
    ck_assert_int_eq(search_two(&two), 0);
    two.search.depth = 0.5;
  }
  /* A sheet below the sheet, its lower side within reach of the upper one's: they face each other in between alone. */
  finish(&two);
  two = start(make_box(tac_vec3(-1.0, -1.0, -0.1), tac_vec3(1.0, 1.0, 0.0)),
              make_box(tac_vec3(-3.0, -3.0, -0.1), tac_vec3(3.0, 3.0, 0.0)), 0.05, 0.5);
  two.search.shift = tac_vec3(0.1, 0.2, -0.12);
  ck_assert_int_eq(search_two(&two), 4);
  check_normals(4, tac_vec3(0.0, 0.0, -1.0), 0.02);
}

/* A ball over a plate: the least gap is that of the ball but for its facets, and normals are the plate's. */
TAC_TEST(ball_touches_a_plate_at_its_lowest_point) {
  double sagitta = 1.0 - cos(0.5 * 1.11 / 8.0); /* edges of an icosahedron span 1.107 rad */
  for (double gap = -0.02; gap < 0.04; gap += 0.007) {
    TAC_FREED(finish, Two, two) =
        start(make_sphere(1.0, 8), make_box(tac_vec3(-3.0, -3.0, -1.0), tac_vec3(3.0, 3.0, 0.0)), 0.05, 0.05);
    two.search.turn = tac_quat_to_mat3(tac_quat_from_rotation_vector(tac_vec3(0.3, 0.5, -0.7)));
    two.search.shift = tac_vec3(0.2, 0.1, 1.0 + gap);
    int count = search_two(&two);
    ck_assert_int_gt(count, 0);
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
      least = fmin(least, found[i].gap);
      ck_assert_double_le(tac_vec3_distance(found[i].normal, up), 1e-9);
      tacVec3 p = tac_vec3_sub(found[i].place_a, two.search.shift);
      ck_assert_double_eq_tol(found[i].gap, 1.0 + gap - sqrt(1.0 - p.x * p.x - p.y * p.y), 1e-9);
    }
    ck_assert(least >= gap - 1e-12 && least <= gap + 2.0 * sagitta);
  }
}

/* ---- brute force ---- */

typedef struct Nearest {
  int feature; /* 0 vertex, 1 edge, 2 face */
  int x, y;    /* vertex; vertices of the edge, ascending; triangle */
  tacVec3 place;
  double distance, sign;
} Nearest;

/* By the definition: of each triangle, and of all that contain the point. */
static Nearest nearest_of(const tacTriMesh *mesh, int t, tacVec3 p) {
  const int *v = mesh->triangles[t].v;
  const tacVec3 c[3] = {mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]};
  Nearest n = {.place = tac_triangle_closest(c[0], c[1], c[2], p)};
  n.distance = tac_vec3_distance(n.place, p);
  double area = tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(c[1], c[0]), tac_vec3_sub(c[2], c[0])));
  bool on[3];
  int used = 0;
  for (int i = 0; i < 3; ++i) {
    tacVec3 x = tac_vec3_sub(c[(i + 1) % 3], n.place), y = tac_vec3_sub(c[(i + 2) % 3], n.place);
    on[i] = tac_vec3_norm(tac_vec3_cross(x, y)) > 1e-9 * area; /* has a weight */
    used += on[i];
  }
  n.feature = used - 1;
  n.x = n.y = t;
  if (used == 3) return n;
  n.x = n.y = -1;
  for (int i = 0; i < 3; ++i) {
    if (!on[i]) continue;
    n.x = n.x < 0 || v[i] < n.x ? v[i] : n.x;
    n.y = v[i] > n.y ? v[i] : n.y;
  }
  return n;
}

static bool has_vertex(tacTriangle t, int v) {
  return t.v[0] == v || t.v[1] == v || t.v[2] == v;
}

static bool is_minimum(const tacTriMesh *mesh, tacVec3 p, int t, const Nearest *n) {
  for (int o = 0; o < mesh->triangle_count; ++o) {
    tacTriangle triangle = mesh->triangles[o];
    if (o == t || n->feature == 2 || !has_vertex(triangle, n->x) || !has_vertex(triangle, n->y)) continue;
    Nearest same = nearest_of(mesh, o, p);
    if (same.feature != n->feature || same.x != n->x || same.y != n->y) return false;
  }
  return true;
}

/* All of a vertex p of a, frame of b. Returns how many. */
static int minima_of(const tacTriMesh *b, tacVec3 p, double reach, Nearest *minima) {
  int count = 0;
  for (int t = 0; t < b->triangle_count; ++t) {
    Nearest n = nearest_of(b, t, p);
    if (n.distance > reach || !is_minimum(b, p, t, &n)) continue;
    bool known = false;
    for (int i = 0; i < count; ++i) known |= minima[i].feature == n.feature && minima[i].x == n.x && minima[i].y == n.y;
    if (known) continue;
    n.sign = tac_field_check_inside(b, tac_vec3_mix(n.place, p, 1e-4)) ? -1.0 : 1.0;
    minima[count++] = n;
  }
  return count;
}

static void expect(int *count, tacVec3 on_a, tacVec3 on_b, tacVec3 normal, double gap, tacSurfaceTouch touch) {
  ck_assert_int_lt(*count, MOST);
  expected[(*count)++] =
      (tacSurfaceCandidate){.place_a = on_a, .place_b = on_b, .normal = normal, .gap = gap, .touch = touch};
}

/* A vertex p of a, or where turned of b, with a normal out of the other. */
static void expect_vertex(int *count, tacVec3 p, const Nearest *m, tacVec3 normal, bool turned) {
  if (turned)
    expect(count, m->place, p, tac_vec3_scale(-1.0, normal), m->sign * m->distance, TAC_TOUCH_FACE_VERTEX);
  else
    expect(count, p, m->place, normal, m->sign * m->distance, TAC_TOUCH_VERTEX_FACE);
}

/* Vertices of a against b, both in one frame; turned: a is the search's b. */
static void expect_vertices(const tacTriMesh *a, const tacTriMesh *b, const tacSurfaceSearch *search, bool turned,
                            int *count) {
  static Nearest minima[256], back[256];
  static tacVec3 normals[4096];
  ck_assert_int_le(a->vertex_count, 4096);
  tac_trimesh_normals(a, normals);
  double reach = fmax(search->alarm, search->depth);
  for (int v = 0; v < a->vertex_count; ++v) {
    tacVec3 p = a->vertices[v];
    int n = minima_of(b, p, reach, minima), best = -1;
    bool inside = n > 0 && tac_field_check_inside(b, p);
    for (int i = 0; i < n; ++i) {
      const Nearest *m = &minima[i];
      tacVec3 normal = tac_vec3_scale(m->sign / m->distance, tac_vec3_sub(p, m->place));
      if (tac_vec3_dot(normal, normals[v]) >= 0.0) continue;
      if (m->sign < 0.0 && inside && m->distance <= search->depth && (best < 0 || m->distance < minima[best].distance))
        best = i;
      if (m->sign < 0.0 || m->distance > search->alarm) continue;
      if (m->feature == 0) { /* of two vertices both have to be the nearest, and one time is enough */
        int backs = minima_of(a, m->place, reach, back);
        bool mutual = false;
        for (int k = 0; k < backs; ++k) mutual |= back[k].feature == 0 && back[k].x == v;
        if (turned || !mutual) continue;
      } else if (inside) {
        continue;
      }
      expect_vertex(count, p, m, normal, turned);
    }
    if (best < 0) continue;
    const Nearest *m = &minima[best]; /* within: its sign is negative */
    expect_vertex(count, p, m, tac_vec3_scale(-1.0 / m->distance, tac_vec3_sub(p, m->place)), turned);
  }
}

/* An edge with its two triangles, each with the corner that is not on it. */
typedef struct Side {
  tacVec3 end[2], third[2], face[2], inward[2];
} Side;

static int list_sides(const tacTriMesh *mesh, Side *sides) {
  int count = 0;
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) {
      int x = mesh->triangles[t].v[i], y = mesh->triangles[t].v[(i + 1) % 3];
      for (int o = t + 1; o < mesh->triangle_count; ++o) {
        if (!has_vertex(mesh->triangles[o], x) || !has_vertex(mesh->triangles[o], y)) continue;
        const int *v = mesh->triangles[o].v;
        Side *s = &sides[count++];
        *s = (Side){.end = {mesh->vertices[x], mesh->vertices[y]}};
        s->third[0] = mesh->vertices[mesh->triangles[t].v[(i + 2) % 3]];
        s->third[1] = mesh->vertices[v[0] + v[1] + v[2] - x - y];
        tacVec3 along = tac_vec3_unit(tac_vec3_sub(s->end[1], s->end[0]));
        for (int k = 0; k < 2; ++k) {
          tacVec3 away = tac_vec3_sub(s->third[k], s->end[0]);
          s->inward[k] = tac_vec3_unit(tac_vec3_mad(away, -tac_vec3_dot(away, along), along));
          s->face[k] = tac_vec3_scale(k == 0 ? 1.0 : -1.0, tac_vec3_cross(along, s->inward[k]));
        }
      }
    }
  return count;
}

/* Solid in the angle between its faces, which is below 179 degrees. */
static bool is_sharp(const Side *s) {
  bool convex = tac_vec3_dot(s->face[0], s->inward[1]) < 0.0;
  double angle = atan2(tac_vec3_norm(tac_vec3_cross(s->face[0], s->face[1])), tac_vec3_dot(s->face[0], s->face[1]));
  return convex && angle > atan(1.0) / 45.0;
}

/* Whether all of the way from one point of an edge to another point is inside. */
static bool is_inside(const tacTriMesh *mesh, const Side *edge, tacVec3 from, tacVec3 to) {
  if (!tac_field_check_inside(mesh, tac_vec3_mix(from, to, 1e-6))) return false;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 x = mesh->vertices[v[0]], y = mesh->vertices[v[1]], z = mesh->vertices[v[2]];
    bool at_edge = false; /* which is left already */
    for (int k = 0; k < 2; ++k)
      at_edge |= tac_vec3_distance(tac_vec3_add(x, tac_vec3_add(y, z)),
                                   tac_vec3_add(edge->third[k], tac_vec3_add(edge->end[0], edge->end[1]))) < 1e-12;
    double below = tac_vec3_triple(x, y, z, from), above = tac_vec3_triple(x, y, z, to);
    double i = tac_vec3_triple(from, to, x, y), j = tac_vec3_triple(from, to, y, z);
    double k = tac_vec3_triple(from, to, z, x);
    bool through = (i > 0.0 && j > 0.0 && k > 0.0) || (i < 0.0 && j < 0.0 && k < 0.0);
    if (!at_edge && below * above < 0.0 && through) return false;
  }
  return true;
}

/* Whether the way leaves the body along one of the faces, within the tilt that is allowed: it may count as inside or
 * not. */
static bool is_along_face(const Side *edge, tacVec3 normal) {
  for (int k = 0; k < 2; ++k)
    if (fabs(tac_vec3_dot(edge->face[k], normal)) <= TAC_MEETING_TILT) return true;
  return false;
}

/* The nearest points of two lines, by Gauss' elimination. */
static void expect_edges(const tacTriMesh *a, const tacTriMesh *b, const tacSurfaceSearch *search, int *count) {
  static Side sides_a[4096], sides_b[4096];
  int count_a = list_sides(a, sides_a), count_b = list_sides(b, sides_b);
  for (int i = 0; i < count_a; ++i) {
    const Side *s = &sides_a[i];
    if (!is_sharp(s)) continue;
    for (int j = 0; j < count_b; ++j) {
      const Side *t = &sides_b[j];
      if (!is_sharp(t)) continue;
      tacVec3 u = tac_vec3_sub(s->end[1], s->end[0]), v = tac_vec3_sub(t->end[0], t->end[1]);
      tacVec3 n = tac_vec3_unit(tac_vec3_cross(u, v)), w = tac_vec3_sub(t->end[0], s->end[0]);
      tacMat3 inverse;
      if (!tac_mat3_inverse(tac_mat3_from_columns(u, v, n), &inverse)) continue;
      tacVec3 x = tac_mat3_mul_vec(inverse, w); /* end + x u + z n = end' + y (-v) */
      if (!(x.x > 0.0 && x.x < 1.0 && x.y > 0.0 && x.y < 1.0)) continue;
      for (int sign = -1; sign < 2; sign += 2) {
        tacVec3 normal = tac_vec3_scale(sign, n);
        double gap = -sign * x.z;
        bool facing = true;
        for (int k = 0; k < 2; ++k)
          facing = facing && tac_vec3_dot(t->inward[k], normal) <= TAC_MEETING_TILT &&
                   tac_vec3_dot(s->inward[k], normal) >= -TAC_MEETING_TILT;
        /* The cones are less than half a circle, but for the tilt. */
        tacVec3 out = tac_vec3_sub(tac_vec3_add(t->face[0], t->face[1]), tac_vec3_add(s->face[0], s->face[1]));
        facing = facing && tac_vec3_dot(out, normal) > 0.0;
        if (!facing || gap > search->alarm || gap < -search->depth) continue;
        tacVec3 p = tac_vec3_mad(s->end[0], x.x, u), q = tac_vec3_mad(t->end[0], -x.y, v);
        bool uncertain = gap < 0.0 && (is_along_face(s, normal) || is_along_face(t, normal));
        if (gap < 0.0 && !uncertain && !(is_inside(a, s, p, q) && is_inside(b, t, q, p))) continue;
        expect(count, p, q, normal, gap, TAC_TOUCH_EDGE_EDGE);
        expected[*count - 1].key = uncertain;
      }
    }
  }
}

/* Every one of x is one of y, and the other way round but for those that are doubtful. */
static void check_same(int count, const tacSurfaceCandidate *x, int other_count, const tacSurfaceCandidate *y,
                       bool error_estimates) {
  static bool used[MOST];
  memset(used, 0, sizeof used);
  for (int i = 0; i < count; ++i) {
    int match = -1;
    for (int j = 0; j < other_count && match < 0; ++j)
      if (!used[j] && x[i].touch == y[j].touch && fabs(x[i].gap - y[j].gap) < 1e-9 &&
          tac_vec3_distance(x[i].place_a, y[j].place_a) < 1e-7 &&
          tac_vec3_distance(x[i].place_b, y[j].place_b) < 1e-7 && tac_vec3_distance(x[i].normal, y[j].normal) < 1e-7)
        match = j;
    ck_assert_msg(match >= 0, "touch %d, gap %g has no counterpart", (int)x[i].touch, x[i].gap);
    used[match] = true;
  }
  for (int j = 0; j < other_count; ++j)
    ck_assert_msg(used[j] || (error_estimates && y[j].key != 0), "touch %d, gap %g is missing", (int)y[j].touch,
                  y[j].gap);
}

static void deform(tacRandom *random, const tacTriMesh *rest, double noise, tacVec3 *vertices) {
  tacVec3 bend = tac_random_in_cube(random, 0.3); /* no folds */
  for (int v = 0; v < rest->vertex_count; ++v) {
    tacVec3 p = rest->vertices[v];
    tacVec3 q = tac_vec3_add(p, tac_vec3(bend.x * p.y * p.y, bend.y * p.z * p.x, bend.z * p.x * p.y));
    vertices[v] = tac_vec3_mad(q, noise, tac_random_in_cube(random, 1.0));
  }
}

static tacTriMesh *random_body(tacRandom *random) {
  switch (tac_random_bits(random) % 3) {
    case 0: return make_sphere(1.0, 3);
    case 1: return make_sphere(1.0, 1);
    default: return make_cube();
  }
}

/* Bodies of all sizes of facets, bent and dented, turned at random, from apart to well into each other. */
static Two random_two(tacRandom *random) {
  static tacVec3 copy_a[4096], copy_b[4096];
  tacTriMesh *a = random_body(random), *b = random_body(random);
  double alarm = tac_random_uniform(random, 0.02, 0.3), depth = tac_random_uniform(random, 0.02, 0.4);
  Two two = start(a, b, alarm, depth);
  deform(random, a, 0.06, copy_a);
  deform(random, b, 0.06, copy_b);
  tacVec3 turn = tac_random_normal3(random), way = tac_vec3_unit(tac_random_normal3(random));
  two.search.turn = tac_quat_to_mat3(tac_quat_from_rotation_vector(turn));
  two.search.shift = tac_vec3_scale(tac_random_uniform(random, 1.6, 2.2), way);
  ck_assert(tac_surface_boxes_follow(two.surface[0], copy_a));
  ck_assert(tac_surface_boxes_follow(two.surface[1], copy_b));
  return two;
}

/* The first in the frame of the second, where vertices are then those that both have. */
static void into_one_frame(const Two *two, tacTriMesh *a, tacTriMesh *b) {
  for (int v = 0; v < a->vertex_count; ++v)
    a->vertices[v] = tac_vec3_add(tac_mat3_mul_vec(two->search.turn, two->surface[0]->vertices[v]), two->search.shift);
  memcpy(b->vertices, two->surface[1]->vertices, (size_t)b->vertex_count * sizeof *b->vertices);
}

TAC_TEST(random_bodies_match_brute_force) {
  tacRandom random = tac_random_seed(21);
  int touches[3] = {0, 0, 0}, overlaps[3] = {0, 0, 0};
  for (int trial = 0; trial < (tac_test_light() ? 10 : 600); ++trial) {
    TAC_FREED(finish, Two, two) = random_two(&random);
    int count = search_two(&two), wanted = 0;
    TAC_CREATE(tacTriMesh, a, tac_trimesh_copy(two.mesh[0], &a, &error));
    TAC_CREATE(tacTriMesh, b, tac_trimesh_copy(two.mesh[1], &b, &error));
    into_one_frame(&two, a, b);
    expect_vertices(a, b, &two.search, false, &wanted);
    expect_vertices(b, a, &two.search, true, &wanted);
    expect_edges(a, b, &two.search, &wanted);
    check_same(count, found, wanted, expected, true);
    for (int i = 0; i < count; ++i) {
      ++touches[found[i].touch];
      overlaps[found[i].touch] += found[i].gap < 0.0;
    }
  }
  for (int i = 0; i < 3 && !tac_test_light(); ++i) {
    ck_assert_int_gt(overlaps[i], 30);
    ck_assert_int_gt(touches[i] - overlaps[i], 30);
  }
}

/* The other way round: the same contacts, seen from the other frame. */
TAC_TEST(exchanged_bodies_touch_at_the_same_places) {
  tacRandom random = tac_random_seed(5);
  int seen = 0;
  for (int trial = 0; trial < (tac_test_light() ? 30 : 1000); ++trial) {
    TAC_FREED(finish, Two, two) = random_two(&random);
    int count = search_two(&two);
    memcpy(other, found, sizeof other);
    tacSurfaceSearch search = two.search;
    Two turned = {{two.mesh[1], two.mesh[0]}, {two.surface[1], two.surface[0]}, search};
    turned.search.turn = tac_mat3_transpose(search.turn);
    turned.search.shift = tac_vec3_scale(-1.0, tac_mat3_mul_vec(turned.search.turn, search.shift));
    int turned_count = search_two(&turned);
    for (int i = 0; i < turned_count; ++i) {
      tacSurfaceCandidate c = found[i];
      found[i].place_a = tac_vec3_add(tac_mat3_mul_vec(search.turn, c.place_b), search.shift);
      found[i].place_b = tac_vec3_add(tac_mat3_mul_vec(search.turn, c.place_a), search.shift);
      found[i].normal = tac_mat3_mul_vec(search.turn, tac_vec3_scale(-1.0, c.normal));
      bool vertices = c.key >> 60 == 0; /* which has the kind of the first body's */
      if (!vertices && c.touch != TAC_TOUCH_EDGE_EDGE)
        found[i].touch = c.touch == TAC_TOUCH_VERTEX_FACE ? TAC_TOUCH_FACE_VERTEX : TAC_TOUCH_VERTEX_FACE;
      if (vertices && c.gap < 0.0) found[i].touch = TAC_TOUCH_FACE_VERTEX;
    }
    check_same(count, other, turned_count, found, false);
    seen += count;
  }
  ck_assert_int_gt(seen, tac_test_light() ? 10 : 1000);
}

/* Pairs of leaves are remembered where there is room, and searched again where there is none. */
TAC_TEST(result_is_independent_of_room_for_pairs) {
  tacRandom random = tac_random_seed(9);
  int seen = 0;
  for (int trial = 0; trial < (tac_test_light() ? 10 : 100); ++trial) {
    TAC_FREED(finish, Two, two) = random_two(&random);
    int count = search_two(&two), most = two.surface[0]->near_most;
    memcpy(other, found, sizeof other);
    for (int room = 0; room < 12; ++room) {
      two.surface[0]->near_most = room;
      int again = search_two(&two);
      check_same(count, other, again, found, false);
    }
    two.surface[0]->near_most = most;
    int again = search_two(&two);
    check_same(count, other, again, found, false);
    seen += count;
  }
  ck_assert_int_gt(seen, 20);
}

/* One leaf of a coarse surface may be near all leaves of a fine one. */
TAC_TEST(coarse_and_fine_surfaces_touch) {
  TAC_FREED(finish, Two, two) = start(make_sphere(1.0, 12), make_cube(), 2.0, 0.5);
  two.search.shift = tac_vec3(0.1, 0.2, 1.3);
  ck_assert_int_gt(two.surface[0]->leaf_count, 3 * two.surface[1]->near_most);
  int count = search_two(&two);
  ck_assert_int_gt(count, 1);
  memcpy(other, found, sizeof other);
  two.surface[0]->near_most = 0; /* nothing is remembered for the other way round */
  int again = search_two(&two);
  check_same(count, other, again, found, false);
}

static int by_gap(const void *x, const void *y) {
  const tacSurfaceCandidate *a = x, *b = y;
  if (a->gap != b->gap) return a->gap < b->gap ? -1 : 1;
  return (a->key > b->key) - (a->key < b->key);
}

TAC_TEST(without_room_the_deepest_are_kept) {
  TAC_FREED(finish, Two, two) = start(make_sphere(1.0, 8), make_sphere(1.0, 7), 0.2, 0.2);
  two.search.shift = tac_vec3(0.5, 0.7, 1.7);
  int count = search_two(&two);
  ck_assert_int_gt(count, 60);
  memcpy(other, found, sizeof other);
  qsort(other, (size_t)count, sizeof *other, by_gap);
  for (int capacity = 0; capacity <= count + 1; ++capacity) {
    tacSurfaceFound answer = tac_surface_meeting_find(two.surface[0], two.surface[1], &two.search, capacity, found);
    ck_assert_int_eq(answer.count, capacity < count ? capacity : count);
    ck_assert_int_eq(answer.count + answer.lost, count);
    qsort(found, (size_t)answer.count, sizeof *found, by_gap);
    for (int i = 0; i < answer.count; ++i) ck_assert_uint_eq(found[i].key, other[i].key);
  }
}

/* A body that moves a little keeps the keys of what it still meets: what has the same key is the same pair of
 * features. */
TAC_TEST(keys_persist_under_small_motion) {
  TAC_FREED(finish, Two, two) = start(make_sphere(1.0, 8), make_sphere(1.0, 7), 0.05, 0.05);
  tacVec3 shift = tac_vec3(0.5, 0.7, 1.75);
  two.search.shift = shift;
  int count = search_two(&two);
  ck_assert_int_gt(count, 5);
  memcpy(other, found, sizeof other);
  for (int step = 0; step < 20; ++step) {
    two.search.shift = tac_vec3_mad(shift, 1e-7 * step, tac_vec3(1.0, -2.0, 0.5));
    int now = search_two(&two), same = 0;
    for (int i = 0; i < now; ++i)
      for (int j = 0; j < count; ++j) {
        if (found[i].key != other[j].key) continue;
        ++same;
        ck_assert_int_eq(found[i].on_a.triangle, other[j].on_a.triangle);
        ck_assert_int_eq(found[i].on_b.triangle, other[j].on_b.triangle);
        ck_assert_double_le(tac_vec3_distance(found[i].place_b, other[j].place_b), 1e-3);
      }
    ck_assert_int_ge(same, count - 2);
  }
}

/* Triangles and edges without extent, repeated corners, vertices of nothing, borders, coordinates that are none. */
TAC_TEST(degenerate_meshes_are_accepted) {
  tacRandom random = tac_random_seed(3);
  int seen = 0;
  for (int trial = 0; trial < (tac_test_light() ? 50 : 1000); ++trial) {
    tacVec3 v[12], moved[12];
    tacTriangle t[10];
    for (int i = 0; i < 12; ++i) v[i] = tac_random_in_cube(&random, 1.0);
    v[1] = v[0];
    v[3] = tac_vec3_mix(v[2], v[4], 0.5);
    for (int i = 0; i < 10; ++i)
      for (int k = 0; k < 3; ++k) t[i].v[k] = (int)(tac_random_bits(&random) % 11);
    t[0] = (tacTriangle){{0, 1, 5}};
    t[1] = (tacTriangle){{2, 3, 4}};
    t[2] = (tacTriangle){{6, 6, 7}};
    t[3] = (tacTriangle){{8, 8, 8}};
    for (int i = 0; i < 12; ++i) {
      tacVec3 noise = tac_random_in_cube(&random, trial % 2 == 0 ? 0.3 : 0.0);
      moved[i] = tac_vec3_add(v[i], noise);
    }
    TAC_FREED(finish, Two, two) = start(make(12, v, 10, t), make(12, moved, 10, t), 0.2, 0.2);
    seen += search_two(&two);
    const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, 1e160, 1e-200, 1e39};
    tacSurfaceFound answer;
    for (int i = 0; i < 7; ++i) {
      tacVec3 broken[12];
      memcpy(broken, moved, sizeof broken);
      broken[i].x = odd[i];
      broken[11 - i].z = odd[6 - i];
      tac_surface_boxes_follow(two.surface[1], broken);
      answer = tac_surface_meeting_find(two.surface[0], two.surface[1], &two.search, MOST, found);
      for (int k = 0; k < answer.count; ++k) {
        ck_assert(isfinite(found[k].gap) && tac_vec3_finite(found[k].place_a) && tac_vec3_finite(found[k].place_b));
        ck_assert_double_eq_tol(tac_vec3_norm(found[k].normal), 1.0, 1e-9);
      }
    }
    tac_surface_boxes_follow(two.surface[1], moved); /* and all is well again */
    memcpy(other, found, sizeof other);
    search_two(&two);
    two.search.shift.y = NAN;
    answer = tac_surface_meeting_find(two.surface[0], two.surface[1], &two.search, MOST, found);
    ck_assert_int_eq(answer.count, 0);
  }
  ck_assert_int_gt(seen, 100);
}

/* A sheet with borders meets what comes from its front, at its rim by edges, too. */
TAC_TEST(an_open_sheet_has_a_rim) {
  const tacVec3 v[4] = {{-1.0, -1.0, 0.0}, {1.0, -1.0, 0.0}, {1.0, 1.0, 0.0}, {-1.0, 1.0, 0.0}};
  const tacTriangle t[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
  TAC_FREED(finish, Two, two) =
      start(make_box(tac_vec3(-0.2, -3.0, 0.0), tac_vec3(0.2, 3.0, 1.0)), make(4, v, 2, t), 0.05, 0.05);
  two.search.shift = tac_vec3(0.1, 0.0, 0.01);
  int count = search_two(&two);
  ck_assert_int_eq(count, 4);
  ck_assert_int_eq(count_touch(count, TAC_TOUCH_EDGE_EDGE), 4);
  check_normals(count, up, 0.01);
}
