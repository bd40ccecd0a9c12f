#include <string.h>
#include <tactus/mesh.h>
#include "shape/implicit_mesh.h"
#include "test.h"

static double ball(tacVec3 p) {
  return tac_implicit_sphere(p, tac_vec3(0.01, -0.02, 0.03), 0.1);
}
static double ring(tacVec3 p) {
  return tac_implicit_torus(p, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.6, 0.0, 0.8), 0.1, 0.03);
}
static double rounded_box(tacVec3 p) {
  return tac_implicit_box(p, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.1, 0.06, 0.04), 0.015);
}
static double nothing(tacVec3 p) {
  return tac_vec3_norm(p) + 1.0;
}

static const tacBox cube = {{-0.15, -0.15, -0.15}, {0.15, 0.15, 0.15}};

static tacTriMesh *build(tacSolidFn function, double size) {
  tacTriMesh *mesh;
  tac_test_ok(tac_implicit_mesh_build(&(tacImplicitSolid){function, cube, 1.0}, size, NULL, &mesh, &error), error);
  return mesh;
}

TAC_TEST(surface_is_valid_with_edges_of_the_requested_length_and_good_angles) {
  const tacSolidFn functions[] = {ball, ring, rounded_box};
  const int genus[] = {0, 1, 0};
  for (int f = 0; f < 3; ++f) {
    tacSurfaceReport report;
    TAC_OWN(tacTriMesh, mesh) = build(functions[f], 0.006);
    tac_test_ok(tac_surface_report(mesh, &report, &error), error);
    ck_assert(report.closed && report.manifold && report.oriented);
    ck_assert_int_eq(report.self_intersections, 0);
    ck_assert_int_eq(report.genus, genus[f]);
    ck_assert_double_gt(report.smallest_angle, 20.0);
    double edge = sqrt(report.area / report.triangles * 4.0 / sqrt(3.0));
    ck_assert_double_eq_tol(edge, 0.006, 0.1 * 0.006);
  }
}

TAC_TEST(volume_converges_to_the_closed_form) {
  const double exact = 4.1887902047863905e-3;
  double errors[2];
  for (int fine = 0; fine < 2; ++fine) {
    TAC_OWN(tacTriMesh, mesh) = build(ball, fine ? 0.005 : 0.01);
    errors[fine] = exact - tac_trimesh_volume(mesh);
  }
  ck_assert_double_gt(errors[1], 0.0);
  ck_assert_double_eq_tol(errors[0] / errors[1], 4.0, 0.5);
}

TAC_TEST(too_small_a_size_is_refused_with_the_smallest_one) {
  const tacImplicitSolid solid = {ball, cube, 1.0};
  tacTriMesh *mesh;
  ck_assert_int_eq(tac_implicit_mesh_build(&solid, 1e-5, NULL, &mesh, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(mesh);
  /* 0.3 m in 700 nodes */
  double smallest = strtod(strstr(error.text, "about ") + 6, NULL);
  ck_assert_double_eq_tol(smallest, 0.3 / 700.0 / 1.05, 1e-5);
  ck_assert_int_eq(tac_implicit_mesh_build(&solid, 1e-320, NULL, &mesh, NULL), TAC_ERR_ARGUMENT);
}

TAC_TEST(solid_without_points_is_refused) {
  const tacImplicitSolid solid = {nothing, cube, 1.0};
  tacTriMesh *mesh;
  ck_assert_int_eq(tac_implicit_mesh_build(&solid, 0.01, NULL, &mesh, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(mesh);
}
