#include "mesh/repair/outer_parts.h"

#include "mesh/make_mesh.h"

static double ball(double radius) {
  return 4.0 / 3.0 * 3.14159265358979 * radius * radius * radius;
}

TAC_TEST(enclosed_parts_are_removed_and_separate_parts_kept) {
  tacTriMesh *cavity = turned_over(make_sphere(tac_vec3(0, 0, 0), 0.8, 20, 40));
  TAC_OWN(tacTriMesh, mesh) = join_meshes(make_sphere(tac_vec3(0, 0, 0), 0.3, 20, 40), cavity);
  mesh = join_meshes(mesh, make_sphere(tac_vec3(0, 0, 0), 1.0, 20, 40));
  mesh = join_meshes(mesh, make_sphere(tac_vec3(3, 0, 0), 0.5, 20, 40));
  TAC_CREATE(tacTriMesh, outer, tac_outer_parts(mesh, &outer, &error));
  tac_test_ok(tac_trimesh_validate(outer, &error), error);
  ck_assert_double_eq_tol(tac_trimesh_volume(outer), ball(1.0) + ball(0.5), 0.02 * ball(1.0));
  ck_assert_int_eq(outer->triangle_count, mesh->triangle_count / 2);
  ck_assert_int_eq(outer->vertex_count, mesh->vertex_count / 2);
}

/* The box of the ring holds the ball in its hole, but the ring does not. */
TAC_TEST(a_ball_in_the_hole_of_a_ring_is_kept) {
  TAC_OWN(tacTriMesh, mesh) = join_meshes(make_torus(1.0, 0.3, 40, 20), make_sphere(tac_vec3(0, 0, 0), 0.2, 20, 40));
  TAC_CREATE(tacTriMesh, outer, tac_outer_parts(mesh, &outer, &error));
  ck_assert_int_eq(outer->triangle_count, mesh->triangle_count);
}

TAC_TEST(result_is_the_same_far_from_the_origin) {
  TAC_OWN(tacTriMesh, mesh) =
      join_meshes(make_sphere(tac_vec3(0, 0, 0), 1e-3, 12, 24), make_sphere(tac_vec3(0, 0, 0), 5e-4, 12, 24));
  for (int v = 0; v < mesh->vertex_count; ++v)
    mesh->vertices[v] = tac_vec3_add(mesh->vertices[v], tac_vec3(1e6, -1e6, 1e6));
  TAC_CREATE(tacTriMesh, outer, tac_outer_parts(mesh, &outer, &error));
  ck_assert_int_eq(outer->triangle_count, mesh->triangle_count / 2);
}

static void check_counts(tacTriMesh *mesh, int solids, int inside_out) {
  int count;
  tac_test_ok(tac_solid_parts(mesh, &count, &error), error);
  ck_assert_int_eq(count, solids);
  tac_test_ok(tac_inside_out_parts(mesh, &count, &error), error);
  ck_assert_int_eq(count, inside_out);
}

TAC_TEST(solids_and_inverted_parts_are_counted) {
  tacVec3 origin = {0.0, 0.0, 0.0};
  tacTriMesh *mesh = make_sphere(origin, 1.0, 10, 20);
  check_counts(mesh, 1, 0);
  mesh = join_meshes(mesh, make_sphere(tac_vec3(1.1, 0.0, 0.0), 0.7, 10, 20)); /* crosses it */
  check_counts(mesh, 1, 0);
  mesh = join_meshes(mesh, make_sphere(tac_vec3(0.1, 0.0, 0.0), 0.2, 10, 20)); /* inside */
  check_counts(mesh, 1, 0);
  mesh = join_meshes(mesh, make_sphere(tac_vec3(5.0, 0.0, 0.0), 1.0, 10, 20)); /* beside */
  check_counts(mesh, 2, 0);
  mesh = join_meshes(mesh, turned_over(make_sphere(tac_vec3(5.0, 0.0, 0.0), 0.8, 10, 20))); /* a cavity */
  check_counts(mesh, 2, 0);
  mesh = join_meshes(mesh, make_sphere(tac_vec3(5.0, 0.0, 0.0), 0.5, 10, 20)); /* what rattles in it */
  check_counts(mesh, 3, 0);
  mesh = join_meshes(mesh, turned_over(make_sphere(tac_vec3(10.0, 0.0, 0.0), 1.0, 10, 20))); /* beside, inside out */
  check_counts(mesh, 3, 1);
  tac_trimesh_destroy(mesh);
  mesh = turned_over(join_meshes(make_sphere(origin, 1.0, 10, 20), turned_over(make_sphere(origin, 0.5, 10, 20))));
  check_counts(mesh, 1, 1); /* a hollow ball inside out: its cavity looks like a solid */
  tac_trimesh_destroy(mesh);
}
