#include <tactus/mesh.h>
#include "shape/cuboids.h"
#include "test.h"

static tacSurfaceReport mesh_report(int count, const tacBox *boxes, double size) {
  TAC_CREATE(tacTriMesh, mesh, tac_cuboids_mesh(count, boxes, size, &mesh, &error));
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(mesh, &report, &error), error);
  ck_assert(report.closed && report.manifold && report.oriented);
  ck_assert_int_eq(report.self_intersections, 0);
  ck_assert_int_eq(report.degenerate_triangles, 0);
  ck_assert_int_eq(report.unused_vertices, 0);
  return report;
}

TAC_TEST(box_has_its_exact_volume_area_and_bounds) {
  const tacBox box = {{-0.1, 0.2, 0.3}, {0.27, 0.61, 0.7}};
  tacSurfaceReport report = mesh_report(1, &box, 0.03);
  ck_assert_double_eq_tol(report.volume, 0.37 * 0.41 * 0.4, 1e-14);
  ck_assert_double_eq_tol(report.area, 2.0 * (0.37 * 0.41 + 0.41 * 0.4 + 0.37 * 0.4), 1e-14);
  ck_assert_double_eq(report.box.lower.x, -0.1);
  ck_assert_double_eq(report.box.upper.z, 0.7);
  ck_assert_double_lt(report.longest_edge, 1.5 * sqrt(2.0) * 0.03);
  ck_assert_int_eq(report.genus, 0);
}

TAC_TEST(coarsest_box_has_twelve_triangles) {
  const tacBox box = {{0.0, 0.0, 0.0}, {1.0, 2.0, 3.0}};
  ck_assert_int_eq(mesh_report(1, &box, 10.0).triangles, 12);
}

TAC_TEST(overlap_counts_once) {
  const tacBox cross[] = {{{0.0, 1.0, 0.0}, {3.0, 2.0, 1.0}}, {{1.0, 0.0, 0.0}, {2.0, 3.0, 1.0}}};
  tacSurfaceReport report = mesh_report(2, cross, 0.5);
  ck_assert_double_eq_tol(report.volume, 5.0, 1e-13);
  ck_assert_double_eq_tol(report.area, 22.0, 1e-13);
}

TAC_TEST(frame_has_genus_one) {
  const tacBox frame[] = {{{0.0, 0.0, 0.0}, {3.0, 1.0, 1.0}},
                          {{0.0, 2.0, 0.0}, {3.0, 3.0, 1.0}},
                          {{0.0, 1.0, 0.0}, {1.0, 2.0, 1.0}},
                          {{2.0, 1.0, 0.0}, {3.0, 2.0, 1.0}}};
  tacSurfaceReport report = mesh_report(4, frame, 0.4);
  ck_assert_int_eq(report.genus, 1);
  ck_assert_double_eq_tol(report.volume, 8.0, 1e-13);
}

TAC_TEST(hollow_box_has_an_inner_surface) {
  tacBox walls[6];
  for (int i = 0; i < 6; ++i) walls[i] = (tacBox){{0.0, 0.0, 0.0}, {3.0, 3.0, 3.0}};
  walls[0].upper.x = walls[1].upper.y = walls[2].upper.z = 1.0;
  walls[3].lower.x = walls[4].lower.y = walls[5].lower.z = 2.0;
  tacSurfaceReport report = mesh_report(6, walls, 1.0);
  ck_assert_int_eq(report.components, 2);
  ck_assert_double_eq_tol(report.volume, 26.0, 1e-12);
}

TAC_TEST(too_small_a_size_is_refused) {
  const tacBox box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  tacTriMesh *mesh;
  ck_assert_int_eq(tac_cuboids_mesh(1, &box, 1e-3, &mesh, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(mesh);
  ck_assert_int_eq(tac_cuboids_mesh(1, &box, 1e-300, &mesh, NULL), TAC_ERR_ARGUMENT);
}

/* Two through the thickness of each box, though they are of 0.4, and one where none is as thick. */
TAC_TEST(bricks_fill_the_union_with_two_through_each_box) {
  const tacBox boxes[] = {{{0.0, 0.0, 1.0}, {4.0, 1.0, 1.2}}, {{1.0, 0.0, 0.0}, {1.2, 1.0, 1.0}}};
  TAC_CREATE(tacVolMesh, mesh, tac_cuboids_bricks(2, boxes, 0.4, &mesh, &error));
  ck_assert_double_eq_tol(tac_volmesh_volume(mesh), 4.0 * 0.2 + 0.2, 1e-13);
  int along = 3 + 2 + 7; /* 1 m and 2.8 m beside the foot */
  ck_assert_int_eq(mesh->brick_count, along * 3 * 2 + 2 * 3 * 3);
  ck_assert_int_eq(mesh->vertex_count, (along + 1) * 4 * 3 + 3 * 4 * 3);
}
