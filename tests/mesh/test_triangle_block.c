#include "mesh/query/triangle_block.h"

#include "math/random.h"
#include "mesh/query/triangle_point.h"
#include "test.h"

static tacVec3 random_point(tacRandom *random, double size) {
  return tac_random_in_box(random, (tacBox){{-size, -size, -size}, {size, size, size}});
}

/* One triangle, or one that is a segment or a point, against the scalar routine in double precision. */
static void check_triangle(const tacVec3 corners[3], tacRandom *random) {
  tacVec3 vertices[3] = {corners[0], corners[1], corners[2]};
  tacTriangle triangle = {{0, 1, 2}};
  tacTriMesh mesh = {.vertex_count = 3, .vertices = vertices, .triangle_count = 1, .triangles = &triangle};
  tacBox box = tac_box_empty();
  for (int i = 0; i < 3; ++i) box = tac_box_add(box, corners[i]);
  TAC_OWN(tacBoxTree, tree) = NULL;
  tac_test_ok(tac_box_tree_create(1, &box, &tree, &error), error);
  tacTriangleBlock block;
  tac_triangle_block_fill(&mesh, tree, 0, 1, &block);
  for (int i = 0; i < 200; ++i) {
    tacVec3 p = i < 3 ? corners[i] : random_point(random, 2.0);
    tacVec3 local = tac_box_tree_local(tree, p);
    const tacFloat4 q[3] = {tac_float4((float)local.x), tac_float4((float)local.y), tac_float4((float)local.z)};
    double fast = sqrt((double)tac_triangle_block_distance2(&block, q)) / tree->scale;
    double exact = tac_vec3_distance(tac_triangle_closest(corners[0], corners[1], corners[2], p), p);
    ck_assert_double_eq_tol(fast, exact, 1e-5 * (1.0 + exact));
  }
}

TAC_TEST(triangles_agree_with_double_precision) {
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 500; ++i) {
    tacVec3 corners[3];
    for (int c = 0; c < 3; ++c) corners[c] = random_point(&random, 1.0);
    check_triangle(corners, &random);
  }
}

TAC_TEST(triangles_of_no_area_are_segments_and_points) {
  tacRandom random = tac_random_seed(2);
  for (int i = 0; i < 100; ++i) {
    tacVec3 a = random_point(&random, 1.0), b = random_point(&random, 1.0);
    tacVec3 between = tac_vec3_mix(a, b, tac_random_uniform(&random, 0.0, 1.0));
    const tacVec3 cases[8][3] = {{a, a, a},       {a, b, b},       {a, a, b},       {a, b, a},
                                 {a, b, between}, {between, a, b}, {a, between, b}, {b, b, a}};
    for (int c = 0; c < 8; ++c) check_triangle(cases[c], &random);
  }
  /* Along an axis, where rounding cannot help. */
  const tacVec3 axis[3] = {{-1, 0, 0}, {1, 0, 0}, {0.25, 0, 0}};
  check_triangle(axis, &random);
}
