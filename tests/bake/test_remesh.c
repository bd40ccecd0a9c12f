#include <tactus/material.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include "elastic/reference/reference_problem.h"
#include "math/geometry/vec3.h"
#include "mesh/make_mesh.h"
#include "mesh/query/triangle_tree.h"
#include "test.h"

static tacSurfaceReport check_fit(const tacTriMesh *mesh, double size) {
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(mesh, &report, &error), error);
  ck_assert(report.closed && report.manifold && report.oriented);
  ck_assert_int_eq(report.self_intersections + report.degenerate_triangles + report.inside_out, 0);
  ck_assert_int_eq(report.components, 1);
  ck_assert_double_gt(report.smallest_angle, 12.0);
  ck_assert_double_lt(report.longest_edge, 2.5 * size);
  ck_assert_double_gt(report.shortest_edge, 0.1 * size);
  return report;
}

/* How far vertices and middles of triangles of `a` are from `b`, at most. */
static double farthest(const tacTriMesh *a, const tacTriMesh *b) {
  double most = 0.0;
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(b, &tree, &error));
  for (int t = 0; t < a->triangle_count; ++t) {
    tacVec3 middle = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
      tacVec3 p = a->vertices[a->triangles[t].v[i]];
      most = fmax(most, tac_triangle_tree_distance(tree, p, NULL, NULL));
      middle = tac_vec3_mad(middle, 1.0 / 3.0, p);
    }
    most = fmax(most, tac_triangle_tree_distance(tree, middle, NULL, NULL));
  }
  return most;
}

/* Displacement of the top of a ball that stands on its lowest tenth, under a load of 1 N/m^2 on its upper half, times Young's modulus. */
static double sink(const tacTriMesh *ball) {
  int count = 0, *loaded = calloc((size_t)ball->vertex_count, sizeof *loaded), top = 0;
  TAC_MEMORY(bool, fixed) = calloc((size_t)ball->vertex_count, sizeof *fixed);
  for (int v = 0; v < ball->vertex_count; ++v) {
    fixed[v] = ball->vertices[v].z < -0.6;
    if (ball->vertices[v].z > 0.0) loaded[count++] = v;
    if (ball->vertices[v].z > ball->vertices[top].z) top = v;
  }
  tacMaterial material;
  tac_test_ok(tac_material_isotropic(1000.0, 1.0, 0.3, &material, &error), error);
  tacReferenceDef def = {
      .method = TAC_BOUNDARY_ELEMENTS, .surface = ball, .material_count = 1, .materials = &material, .fixed = fixed};
  TAC_CREATE(tacReferenceProblem, problem, tac_reference_problem_create(&def, NULL, &problem, &error));
  size_t rows = 3 * (size_t)ball->vertex_count;
  double *columns = malloc(3 * (size_t)count * rows * sizeof *columns), sum = 0.0;
  tac_test_ok(tac_reference_problem_columns(problem, count, loaded, NULL, columns, &error), error);
  for (int i = 0; i < count; ++i) sum += columns[(3 * (size_t)i + 2) * rows + 3 * (size_t)top + 2];
  free(columns);
  free(loaded);
  return sum;
}

/* Both balls have their vertices near the sphere: a mesh that was made by hand and what became of a finer one. */
TAC_TEST(a_remeshed_ball_has_the_response_of_an_even_one) {
  TAC_OWN(tacTriMesh, fine) = make_sphere(tac_vec3(0, 0, 0), 1.0, 40, 80);
  TAC_OWN(tacTriMesh, even) = make_sphere(tac_vec3(0, 0, 0), 1.0, 15, 26);
  double size = 0.3;
  TAC_CREATE(tacTriMesh, ball, tac_remesh(fine, size, 0, NULL, &ball, &error));
  tacSurfaceReport report = check_fit(ball, size);
  ck_assert_double_eq_tol(report.volume / tac_trimesh_volume(fine), 1.0, 0.02);
  ck_assert_double_lt(farthest(ball, fine), 0.1 * size);
  ck_assert_double_lt(farthest(fine, ball), 0.15 * size);
  double remeshed = sink(ball);
  double by_hand = sink(even);
  ck_assert_double_eq_tol(remeshed / by_hand, 1.0, 0.08);
}

TAC_TEST(crossing_boxes_become_one_surface) {
  TAC_OWN(tacTriMesh, crossing) = join_meshes(make_box((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 1),
                                              make_box((tacBox){{0.5, 0.3, 0.2}, {1.7, 0.7, 0.9}}, 1));
  double size = tac_test_light() ? 0.2 : 0.12;
  TAC_CREATE(tacTriMesh, mesh, tac_remesh(crossing, size, 0, NULL, &mesh, &error));
  tacSurfaceReport report = check_fit(mesh, size);
  ck_assert_double_eq_tol(report.volume, 1.196, 0.03);       /* of the union: 1 + 1.2 x 0.4 x 0.7 - 0.5 x 0.4 x 0.7 */
  ck_assert_double_lt(farthest(mesh, crossing), 0.3 * size); /* edges are rounded; walls inside are no part of it */
}

TAC_TEST(wrong_sizes_are_refused_with_a_remedy) {
  tacTriMesh *plate = make_box((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 0.01}}, 1), *mesh;
  tac_test_refused(tac_remesh(plate, 0.4, 0, NULL, &mesh, &error), TAC_ERR_GEOMETRY, error, "0.01 m");
  ck_assert_ptr_null(mesh);
  tac_test_refused(tac_remesh(plate, 1e-5, 0, NULL, &mesh, &error), TAC_ERR_ARGUMENT, error, "metres");
  ck_assert_int_eq(tac_remesh(plate, NAN, 0, NULL, &mesh, &error), TAC_ERR_ARGUMENT);
  --plate->triangle_count;
  ck_assert_int_eq(tac_remesh(plate, 0.1, 0, NULL, &mesh, &error), TAC_ERR_GEOMETRY);
  tac_trimesh_destroy(plate);
}

TAC_TEST(simplified_surfaces_have_the_requested_triangle_count) {
  tacTriMesh *fine = make_torus(1.0, 0.4, 48, 24), *coarse;
  tac_test_ok(tac_remesh_simplify(fine, 400, &coarse, &error), error);
  ck_assert_int_eq(coarse->triangle_count, 400);
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(coarse, &report, &error), error);
  ck_assert(report.closed && report.manifold && report.genus == 1);
  ck_assert_int_eq(report.self_intersections, 0);
  ck_assert_double_eq_tol(report.volume / tac_trimesh_volume(fine), 1.0, 0.03);
  tac_trimesh_destroy(coarse);
  ck_assert_int_eq(tac_remesh_simplify(fine, fine->triangle_count, &coarse, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_remesh_simplify(fine, 3, &coarse, &error), TAC_ERR_ARGUMENT);
  tac_trimesh_destroy(fine);
}
