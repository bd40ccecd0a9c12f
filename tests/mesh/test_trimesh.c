#include "mesh/make_mesh.h"
#include "mesh/trimesh.h"

TAC_TEST(refuses_negative_counts) {
  tacTriMesh *mesh;
  ck_assert_int_eq(tac_trimesh_create(-1, 0, &mesh, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(mesh);
  ck_assert_int_eq(tac_trimesh_create(0, -5, &mesh, NULL), TAC_ERR_ARGUMENT);
}

TAC_TEST(sphere_volume_and_area_converge_quadratically) {
  double volume_error[2], area_error[2];
  for (int i = 0; i < 2; ++i) {
    TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(3.0, -1.0, 2.0), 2.0, 31 << i, 64 << i);
    volume_error[i] = 4.0 / 3.0 * M_PI * 8.0 - tac_trimesh_volume(mesh);
    area_error[i] = 4.0 * M_PI * 4.0 - tac_trimesh_area(mesh);
  }
  ck_assert_double_gt(volume_error[0], 0.0);
  ck_assert_double_lt(volume_error[0], 0.01 * 32.0);
  ck_assert_double_eq_tol(volume_error[0] / volume_error[1], 4.0, 0.2);
  ck_assert_double_eq_tol(area_error[0] / area_error[1], 4.0, 0.2);
}

TAC_TEST(volume_does_not_depend_on_place) {
  TAC_OWN(tacTriMesh, near) = make_box(unit_box(), 3);
  TAC_OWN(tacTriMesh, far) = make_box((tacBox){{1e6, 1e6, -1e6}, {1e6 + 1.0, 1e6 + 1.0, -1e6 + 1.0}}, 3);
  ck_assert_double_eq_tol(tac_trimesh_volume(near), 1.0, 1e-14);
  ck_assert_double_eq_tol(tac_trimesh_volume(far), 1.0, 1e-8);
}

TAC_TEST(box_holds_every_vertex) {
  TAC_OWN(tacTriMesh, mesh) = make_torus(2.0, 0.5, 40, 20);
  tacBox box = tac_trimesh_box(mesh);
  ck_assert_double_eq_tol(box.upper.x, 2.5, 1e-14);
  ck_assert_double_eq_tol(box.lower.x, -2.5, 1e-14);
  ck_assert_double_eq_tol(box.upper.z, 0.5, 1e-14);
}

TAC_TEST(groups_are_sorted_unique_and_named_once) {
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 1);
  tac_test_ok(tac_trimesh_add_group(mesh, "some", 5, (const int[]){7, 2, 7, 0, 2}, &error), error);
  tac_test_ok(tac_trimesh_add_group(mesh, "none", 0, NULL, &error), error);
  ck_assert_int_eq(mesh->groups[0].count, 3);
  ck_assert_mem_eq(mesh->groups[0].indices, ((const int[]){0, 2, 7}), 3 * sizeof(int));
  ck_assert_int_eq(mesh->groups[1].count, 0);
  ck_assert_int_eq(tac_trimesh_add_group(mesh, "some", 0, NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_trimesh_add_group(mesh, "wrong", 1, (const int[]){12}, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_trimesh_add_group(mesh, "wrong", 1, (const int[]){-1}, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(mesh->group_count, 2);
  tac_test_ok(tac_trimesh_validate(mesh, &error), error);
}

TAC_TEST(a_copy_is_equal_and_independent) {
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 2);
  TAC_OWN(tacTriMesh, copy) = NULL;
  tac_test_ok(tac_trimesh_add_group(mesh, "part", 2, (const int[]){3, 1}, &error), error);
  tac_test_ok(tac_trimesh_copy(mesh, &copy, &error), error);
  ck_assert_int_eq(copy->triangle_count, mesh->triangle_count);
  ck_assert_mem_eq(copy->triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof(tacTriangle));
  ck_assert_mem_eq(copy->vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof(tacVec3));
  mesh->vertices[0].x = 17.0;
  mesh->groups[0].indices[0] = 2;
  ck_assert_double_ne(copy->vertices[0].x, 17.0);
  ck_assert_str_eq(copy->groups[0].name, "part");
  ck_assert_int_eq(copy->groups[0].indices[0], 1);
}

TAC_TEST(validation_names_the_fault) {
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 1);
  mesh->triangles[5].v[1] = 8;
  tac_test_refused(tac_trimesh_validate(mesh, &error), TAC_ERR_GEOMETRY, error, "triangle 5");
  mesh->triangles[5].v[1] = -1;
  ck_assert_int_eq(tac_trimesh_validate(mesh, &error), TAC_ERR_GEOMETRY);
  mesh->triangles[5].v[1] = 0;
  mesh->vertices[3].y = NAN;
  tac_test_refused(tac_trimesh_validate(mesh, &error), TAC_ERR_GEOMETRY, error, "vertex 3");
  mesh->vertices[3].y = 0.0;
  tac_test_ok(tac_trimesh_add_group(mesh, "part", 2, (const int[]){3, 1}, &error), error);
  mesh->groups[0].indices[1] = 1;
  tac_test_refused(tac_trimesh_validate(mesh, &error), TAC_ERR_GEOMETRY, error, "part");
}

TAC_TEST(an_empty_mesh_is_valid_and_measures_nothing) {
  TAC_OWN(tacTriMesh, mesh) = make_trimesh(0, 0);
  tac_test_ok(tac_trimesh_validate(mesh, &error), error);
  ck_assert_double_eq(tac_trimesh_volume(mesh), 0.0);
  ck_assert_double_eq(tac_trimesh_area(mesh), 0.0);
  tacBox box = tac_trimesh_box(mesh);
  ck_assert(box.lower.x > box.upper.x);
}
