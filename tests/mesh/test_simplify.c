#include "mesh/repair/simplify.h"

#include "mesh/make_mesh.h"

static tacTriMesh *simplified(const tacTriMesh *fine, int vertices) {
  tacTriMesh *coarse;
  tac_test_ok(tac_trimesh_simplify(fine, vertices, &coarse, &error), error);
  return coarse;
}

TAC_TEST(a_sphere_stays_a_sphere) {
  TAC_OWN(tacTriMesh, fine) = make_sphere(tac_vec3(0, 0, 0), 1.0, 23, 44);
  TAC_OWN(tacTriMesh, coarse) = simplified(fine, 200);
  ck_assert_int_eq(coarse->vertex_count, 200);
  ck_assert_int_eq(coarse->triangle_count, 2 * 200 - 4); /* Euler: no handle was made or lost */
  tacSurfaceReport report = report_on(coarse);
  ck_assert_int_eq(report.boundary_edges + report.nonmanifold_edges + report.misoriented_edges, 0);
  ck_assert_int_eq(report.self_intersections + report.degenerate_triangles, 0);
  /* 396 triangles of edge h = 0.27 lie h^2 / 8 off the sphere at most. */
  for (int i = 0; i < coarse->vertex_count; ++i) ck_assert_double_eq_tol(tac_vec3_norm(coarse->vertices[i]), 1.0, 0.02);
  ck_assert_double_eq_tol(tac_trimesh_volume(coarse), 4.0 / 3.0 * M_PI, 0.04 * 4.0 / 3.0 * M_PI);
}

/* Flat faces are planes, and collapsing along them costs nothing: the cube keeps its shape. */
TAC_TEST(a_cube_keeps_its_edges) {
  TAC_OWN(tacTriMesh, fine) = make_box((tacBox){{-1, -1, -1}, {1, 1, 1}}, 13);
  TAC_OWN(tacTriMesh, coarse) = simplified(fine, 150);
  ck_assert_double_eq_tol(tac_trimesh_volume(coarse), 8.0, 0.05 * 8.0);
  /* Nothing folds over in the planes: all faces of a convex body look away from its middle. */
  for (int t = 0; t < coarse->triangle_count; ++t)
    ck_assert_double_gt(tac_vec3_dot(twice_area(coarse, t), corner_of(coarse, t, 0)), 0.0);
}

TAC_TEST(the_same_mesh_gives_the_same_result) {
  TAC_OWN(tacTriMesh, fine) = make_sphere(tac_vec3(0, 0, 0), 1.0, 11, 23);
  TAC_OWN(tacTriMesh, a) = simplified(fine, 60);
  TAC_OWN(tacTriMesh, b) = simplified(fine, 60);
  check_same_mesh(a, b);
}

TAC_TEST(impossible_requests_are_refused) {
  TAC_OWN(tacTriMesh, fine) = make_sphere(tac_vec3(0, 0, 0), 1.0, 6, 10);
  tacTriMesh *coarse = fine;
  ck_assert_int_eq(tac_trimesh_simplify(fine, 2, &coarse, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(coarse);
  --fine->triangle_count; /* a hole */
  ck_assert_int_eq(tac_trimesh_simplify(fine, 30, &coarse, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(coarse);
}
