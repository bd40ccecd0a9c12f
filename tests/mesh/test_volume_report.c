#include "mesh/make_mesh.h"

static tacVolumeReport report_and_destroy(tacVolMesh *mesh) {
  tacVolumeReport report;
  tac_test_ok(tac_volume_report(mesh, &report, &error), error);
  tac_volmesh_destroy(mesh);
  return report;
}

TAC_TEST(box_measures_equal_the_closed_form_for_tets_and_bricks) {
  tacBox box = {{100.0, 0.0, -5.0}, {101.0, 2.0, -2.0}};
  for (int kind = 0; kind < 2; ++kind) {
    tacVolumeReport r = report_and_destroy(kind == 0 ? make_tets(box, 2, 3, 4) : make_bricks(box, 2, 3, 4));
    ck_assert_int_eq(r.unused_vertices + r.duplicate_elements + r.inverted_elements + r.degenerate_elements, 0);
    ck_assert_int_eq(r.nonmanifold_faces, 0);
    ck_assert_int_eq(r.components, 1);
    ck_assert_double_eq_tol(r.volume, 6.0, 1e-12);
    ck_assert_double_eq_tol(r.centroid.z, -3.5, 1e-12);
    ck_assert_double_eq_tol(r.inertia[0][0], 6.0 / 12.0 * (4.0 + 9.0), 1e-12);
    ck_assert_double_eq_tol(r.inertia[1][1], 6.0 / 12.0 * (1.0 + 9.0), 1e-12);
    ck_assert_double_eq_tol(r.inertia[1][2], 0.0, 1e-12);
    ck_assert_double_eq_tol(r.shortest_edge, 0.5, 1e-13);
    ck_assert_double_eq(r.box.upper.x, 101.0);
  }
}

/* Faces of a cube cut along a diagonal meet at 45 and 90 degrees, and at 60 around the diagonal. */
TAC_TEST(dihedral_angles_of_a_cut_cube_are_those_of_the_cube) {
  tacVolMesh *mesh = make_tets(unit_box(), 1, 1, 1);
  turn_mesh(mesh->vertex_count, mesh->vertices);
  tacVolumeReport r = report_and_destroy(mesh);
  ck_assert_double_eq_tol(r.smallest_dihedral, 45.0, 1e-10);
  ck_assert_double_eq_tol(r.largest_dihedral, 90.0, 1e-10);
}

TAC_TEST(a_regular_tet_has_equal_dihedral_angles) {
  tacVolMesh *mesh = make_volmesh(4, 1, 0);
  const tacVec3 vertices[4] = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
  memcpy(mesh->vertices, vertices, sizeof vertices);
  mesh->tets[0] = (tacTet){{0, 1, 2, 3}};
  tacVolumeReport r = report_and_destroy(mesh);
  ck_assert_double_eq_tol(r.smallest_dihedral, acos(1.0 / 3.0) * 180.0 / M_PI, 1e-12);
  ck_assert_double_eq_tol(r.largest_dihedral, r.smallest_dihedral, 1e-12);
}

TAC_TEST(bad_elements_are_counted) {
  tacVolMesh *good = make_tets(unit_box(), 1, 1, 1), *mesh = make_volmesh(10, 9, 0);
  memcpy(mesh->vertices, good->vertices, 8 * sizeof(tacVec3));
  mesh->vertices[8] = mesh->vertices[9] = tac_vec3(0.5, 0.5, 0.0);
  memcpy(mesh->tets, good->tets, 6 * sizeof(tacTet));
  mesh->tets[6] = good->tets[2];          /* duplicate: its faces within the cube then have three elements */
  mesh->tets[7] = (tacTet){{0, 1, 3, 8}}; /* flat */
  mesh->tets[8] = (tacTet){{4, 4, 5, 6}}; /* repeated corner */
  flip_tet(mesh, 0);                      /* inverted */
  tacVolumeReport r = report_and_destroy(mesh);
  ck_assert_int_eq(r.duplicate_elements, 1);
  ck_assert_int_eq(r.degenerate_elements, 2);
  ck_assert_int_eq(r.inverted_elements, 1);
  ck_assert_int_eq(r.unused_vertices, 1);
  ck_assert_int_ge(r.nonmanifold_faces, 2);
  tac_volmesh_destroy(good);
}

TAC_TEST(a_brick_with_a_corner_pushed_through_is_inverted_though_its_volume_is_positive) {
  tacVolMesh *mesh = make_bricks(unit_box(), 1, 1, 1);
  mesh->vertices[7] = tac_vec3(0.2, 0.2, 0.2); /* from (1, 1, 1) */
  ck_assert_double_gt(tac_volmesh_volume(mesh), 0.0);
  ck_assert_int_eq(report_and_destroy(mesh).inverted_elements, 1);
}

TAC_TEST(boxes_that_touch_at_an_edge_are_two_components) {
  tacVolMesh *mesh = make_bricks(unit_box(), 2, 2, 1);
  mesh->bricks[1] = mesh->bricks[3]; /* bricks 0 and 3 lie across the middle edge */
  mesh->brick_count = 2;
  tacVolumeReport r = report_and_destroy(mesh);
  ck_assert_int_eq(r.components, 2);
  ck_assert_double_eq_tol(r.volume, 0.5, 1e-14);
}

TAC_TEST(an_empty_mesh_has_no_components) {
  tacVolumeReport r = report_and_destroy(make_volmesh(2, 0, 0));
  ck_assert_int_eq(r.components, 0);
  ck_assert_int_eq(r.unused_vertices, 2);
  ck_assert_double_eq(r.volume, 0.0);
}
