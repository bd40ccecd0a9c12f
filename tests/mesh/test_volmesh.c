#include "mesh/make_mesh.h"

TAC_TEST(tets_and_bricks_of_a_box_have_its_volume) {
  tacBox box = {{1.0, 2.0, 3.0}, {2.0, 4.0, 3.5}};
  TAC_OWN(tacVolMesh, bricks) = make_bricks(box, 3, 2, 4);
  TAC_OWN(tacVolMesh, tets) = make_tets(box, 3, 2, 4);
  turn_mesh(bricks->vertex_count, bricks->vertices);
  turn_mesh(tets->vertex_count, tets->vertices);
  ck_assert_double_eq_tol(tac_volmesh_volume(bricks), 1.0, 1e-13);
  ck_assert_double_eq_tol(tac_volmesh_volume(tets), 1.0, 1e-13);
}

/* A frustum of a pyramid is one brick with flat faces: V = h (A + B + sqrt(A B)) / 3. */
TAC_TEST(a_frustum_of_one_brick_has_the_volume_of_the_closed_form) {
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{-1.0, -1.0, 0.0}, {1.0, 1.0, 3.0}}, 1, 1, 1);
  for (int v = 0; v < 8; ++v) {
    if (mesh->vertices[v].z == 0.0) continue;
    mesh->vertices[v].x *= 0.5;
    mesh->vertices[v].y *= 0.5;
  }
  ck_assert_double_eq_tol(tac_volmesh_volume(mesh), 3.0 * (4.0 + 1.0 + 2.0) / 3.0, 1e-13);
}

TAC_TEST(an_inverted_tet_has_negative_volume) {
  TAC_OWN(tacVolMesh, mesh) = make_tets(unit_box(), 1, 1, 1);
  for (int t = 0; t < mesh->tet_count; ++t) flip_tet(mesh, t);
  ck_assert_double_eq_tol(tac_volmesh_volume(mesh), -1.0, 1e-14);
}

TAC_TEST(groups_and_sets_are_kept_apart) {
  TAC_OWN(tacVolMesh, mesh) = make_tets(unit_box(), 1, 1, 1);
  tac_test_ok(tac_volmesh_add_group(mesh, "left", 2, (const int[]){5, 1}, &error), error);
  tac_test_ok(tac_volmesh_add_vertex_set(mesh, "left", 2, (const int[]){7, 0}, &error), error);
  ck_assert_int_eq(tac_volmesh_add_group(mesh, "more", 1, (const int[]){6}, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_volmesh_add_vertex_set(mesh, "left", 0, NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(mesh->groups[0].indices[0], 1);
  ck_assert_int_eq(mesh->vertex_sets[0].indices[1], 7);
  tac_test_ok(tac_volmesh_validate(mesh, &error), error);
}

TAC_TEST(validation_names_the_fault) {
  TAC_OWN(tacVolMesh, mesh) = make_bricks(unit_box(), 2, 1, 1);
  tac_test_ok(tac_volmesh_validate(mesh, &error), error);
  mesh->bricks[1].v[7] = mesh->vertex_count;
  tac_test_refused(tac_volmesh_validate(mesh, &error), TAC_ERR_GEOMETRY, error, "brick 1");
  mesh->bricks[1].v[7] = 0;
  mesh->vertices[2].z = INFINITY;
  tac_test_refused(tac_volmesh_validate(mesh, &error), TAC_ERR_GEOMETRY, error, "vertex 2");
  mesh->vertices[2].z = 0.0;
  mesh->regions = calloc(1, sizeof *mesh->regions);
  mesh->region_count = 1;
  tac_test_refused(tac_volmesh_validate(mesh, &error), TAC_ERR_GEOMETRY, error, "region 0");
}

TAC_TEST(refuses_counts_that_do_not_fit) {
  tacVolMesh *mesh;
  ck_assert_int_eq(tac_volmesh_create(1, -1, 0, &mesh, NULL), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_volmesh_create(1, 2000000000, 2000000000, &mesh, NULL), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(mesh);
}
