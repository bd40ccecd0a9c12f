#include "mesh/query/triangle_box.h"

#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

static double coordinate(tacVec3 p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* Clips the triangle by the six half spaces of the box, grown by `margin` (Sutherland and Hodgman): what is left? */
static bool clipping_leaves_something(const tacVec3 corners[3], tacVec3 centre, tacVec3 half, double margin) {
  tacVec3 polygon[16], clipped[16];
  int count = 3;
  for (int i = 0; i < 3; ++i) polygon[i] = tac_vec3_sub(corners[i], centre);
  for (int plane = 0; plane < 6 && count > 0; ++plane) {
    int axis = plane / 2, kept = 0;
    double sign = plane % 2 ? 1.0 : -1.0, limit = coordinate(half, axis) + margin;
    for (int i = 0; i < count; ++i) {
      tacVec3 p = polygon[i], q = polygon[(i + 1) % count];
      double dp = sign * coordinate(p, axis) - limit, dq = sign * coordinate(q, axis) - limit;
      if (dp <= 0.0) clipped[kept++] = p;
      if ((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0)) clipped[kept++] = tac_vec3_mix(p, q, dp / (dp - dq));
    }
    count = kept;
    for (int i = 0; i < count; ++i) polygon[i] = clipped[i];
  }
  return count > 0;
}

TAC_TEST(random_triangles_agree_with_clipping) {
  tacRandom random = tac_random_seed(5);
  int hits = 0, rounds = tac_test_light() ? 20000 : 200000;
  for (int round = 0; round < rounds; ++round) {
    tacVec3 corners[3], half = {0.5, 0.8, 0.3}, centre = {0.1, -0.2, 0.3};
    double reach = round % 2 ? 1.2 : 3.0;
    for (int i = 0; i < 3; ++i)
      corners[i] = tac_random_in_box(&random, (tacBox){{-reach, -reach, -reach}, {reach, reach, reach}});
    bool intersects = tac_triangle_intersects_box(corners[0], corners[1], corners[2], centre, half);
    hits += intersects;
    if (clipping_leaves_something(corners, centre, half, -1e-9)) ck_assert(intersects);
    if (!clipping_leaves_something(corners, centre, half, 1e-9)) ck_assert(!intersects);
  }
  ck_assert_int_gt(hits, rounds / 10);
  ck_assert_int_lt(hits, rounds - rounds / 10);
}

TAC_TEST(touching_counts_and_degenerate_triangles_are_points_and_segments) {
  tacVec3 centre = {0, 0, 0}, half = {1, 1, 1};
  tacVec3 on_face = {1, 0.5, 0.5}, beyond = {3, 0.5, 0.5}, above = {3, 0.5, 2};
  ck_assert(tac_triangle_intersects_box(on_face, beyond, above, centre, half));
  ck_assert(tac_triangle_intersects_box(on_face, on_face, on_face, centre, half));
  ck_assert(!tac_triangle_intersects_box(beyond, beyond, above, centre, half));
  /* A segment past an edge of the box that no face separates. */
  ck_assert(!tac_triangle_intersects_box(tac_vec3(2.1, 0, 0), tac_vec3(0, 2.1, 0), tac_vec3(0, 2.1, 0), centre, half));
  ck_assert(tac_triangle_intersects_box(tac_vec3(1.9, 0, 0), tac_vec3(0, 1.9, 0), tac_vec3(0, 1.9, 0), centre, half));
}
