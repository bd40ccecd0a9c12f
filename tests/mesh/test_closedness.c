#include <tactus/trimesh.h>

#include <string.h>
#include "test.h"

static tacError error;

static tacVec3 corners[16];

static tacTriMesh borrow(int vertex_count, tacTriangle *triangles, int triangle_count) {
  return (tacTriMesh){
      .vertex_count = vertex_count, .vertices = corners, .triangle_count = triangle_count, .triangles = triangles};
}

TAC_TEST(tetrahedron_is_closed) {
  tacTriangle t[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}};
  tacTriMesh mesh = borrow(4, t, 4);
  tac_test_ok(tac_trimesh_require_closed(&mesh, &error), error);
}

TAC_TEST(missing_triangle_leaves_three_boundary_edges) {
  tacTriangle t[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}};
  tacTriMesh mesh = borrow(4, t, 3);
  ck_assert_int_eq(tac_trimesh_require_closed(&mesh, &error), TAC_ERR_GEOMETRY);
  ck_assert_str_eq(error.text, "the surface is not closed: 3 boundary edges");
  ck_assert_int_eq(tac_trimesh_require_closed(&mesh, NULL), TAC_ERR_GEOMETRY);
}

TAC_TEST(flipped_triangle_is_not_closed) {
  tacTriangle t[] = {{{0, 1, 2}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}};
  tacTriMesh mesh = borrow(4, t, 4);
  ck_assert_int_eq(tac_trimesh_require_closed(&mesh, &error), TAC_ERR_GEOMETRY);
  ck_assert_str_eq(error.text, "the surface is not closed: 6 boundary edges");
}

TAC_TEST(two_tetrahedra_that_share_an_edge_are_closed) {
  /* The edge 0-1 has four triangles, two in each direction. */
  tacTriangle t[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}},
                     {{0, 4, 1}}, {{0, 1, 5}}, {{1, 4, 5}}, {{4, 0, 5}}};
  tacTriMesh mesh = borrow(6, t, 8);
  tac_test_ok(tac_trimesh_require_closed(&mesh, &error), error);
}

TAC_TEST(triangle_with_a_repeated_corner_changes_nothing) {
  tacTriangle t[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}, {{1, 1, 2}}, {{3, 3, 3}}};
  tacTriMesh mesh = borrow(4, t, 6);
  tac_test_ok(tac_trimesh_require_closed(&mesh, &error), error);
}

TAC_TEST(empty_mesh_is_refused) {
  tacTriMesh mesh = borrow(0, NULL, 0);
  tac_test_refused(tac_trimesh_require_closed(&mesh, &error), TAC_ERR_GEOMETRY, error, "no triangles");
}
