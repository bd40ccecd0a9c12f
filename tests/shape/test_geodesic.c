#include <tactus/mesh.h>
#include "math/geometry/vec3.h"
#include "shape/geodesic.h"
#include "test.h"

static tacSurfaceReport sound_report(const tacTriMesh *mesh) {
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(mesh, &report, &error), error);
  ck_assert(report.closed && report.manifold && report.oriented);
  ck_assert_int_eq(report.self_intersections, 0);
  ck_assert_int_eq(report.components, 1);
  return report;
}

TAC_TEST(sphere_has_its_vertices_on_the_radius) {
  for (int frequency = 1; frequency <= 9; ++frequency) {
    TAC_CREATE(tacTriMesh, mesh, tac_geodesic_sphere(0.7, frequency, &mesh, &error));
    ck_assert_int_eq(mesh->vertex_count, 10 * frequency * frequency + 2);
    ck_assert_int_eq(sound_report(mesh).genus, 0);
    for (int i = 0; i < mesh->vertex_count; ++i) ck_assert_double_eq_tol(tac_vec3_norm(mesh->vertices[i]), 0.7, 1e-15);
  }
}

TAC_TEST(sphere_has_good_triangles) {
  TAC_CREATE(tacTriMesh, mesh, tac_geodesic_sphere(1.0, 20, &mesh, &error));
  tacSurfaceReport report = sound_report(mesh);
  ck_assert_double_gt(report.smallest_angle, 50.0);
  ck_assert_double_lt(report.longest_edge / report.shortest_edge, 1.5);
}

TAC_TEST(torus_has_genus_one_and_its_vertices_on_the_tube) {
  TAC_CREATE(tacTriMesh, mesh, tac_geodesic_torus(2.0, 0.5, 40, 12, &mesh, &error));
  ck_assert_int_eq(sound_report(mesh).genus, 1);
  for (int i = 0; i < mesh->vertex_count; ++i) {
    tacVec3 p = mesh->vertices[i];
    double across = sqrt(p.x * p.x + p.y * p.y) - 2.0;
    ck_assert_double_eq_tol(sqrt(across * across + p.z * p.z), 0.5, 1e-14);
  }
}
