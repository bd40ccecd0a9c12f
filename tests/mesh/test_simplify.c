#include "mesh/repair/simplify.h"

#include <math.h>
#include <string.h>
#include <tactus/mesh_quality.h>
#include "math/geometry/vec3.h"
#include "test.h"

static tacError error;

/* A sphere of radius 1: an octahedron whose triangles are split `levels` times. */
static tacTriMesh *make_sphere(int levels) {
  static const double corners[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  static const int faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                  {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  int n = 1 << levels, side = n + 1;
  tacTriMesh *mesh = NULL;
  /* Vertices of each face on a grid of their own, joined where they coincide. */
  tac_test_ok(tac_trimesh_create(4 * n * n + 2, 8 * n * n, &mesh, &error), error);
  int vertices = 0, triangles = 0;
  int *index = calloc((size_t)(side * side), sizeof *index);
  ck_assert_ptr_nonnull(index);
  for (int f = 0; f < 8; ++f) {
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j + i <= n; ++j) {
        double w[3] = {(double)(n - i - j), (double)i, (double)j};
        tacVec3 p = {0};
        for (int k = 0; k < 3; ++k)
          p = tac_vec3_mad(p, w[k],
                           tac_vec3(corners[faces[f][k]][0], corners[faces[f][k]][1], corners[faces[f][k]][2]));
        p = tac_vec3_unit(p);
        int found = 0;
        while (found < vertices && tac_vec3_distance(mesh->vertices[found], p) > 1e-9) ++found;
        if (found == vertices) mesh->vertices[vertices++] = p;
        index[i * side + j] = found;
      }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j + i < n; ++j) {
        mesh->triangles[triangles++] =
            (tacTriangle){{index[i * side + j], index[(i + 1) * side + j], index[i * side + j + 1]}};
        if (j + i + 1 < n)
          mesh->triangles[triangles++] =
              (tacTriangle){{index[(i + 1) * side + j], index[(i + 1) * side + j + 1], index[i * side + j + 1]}};
      }
  }
  free(index);
  ck_assert_int_eq(vertices, mesh->vertex_count);
  ck_assert_int_eq(triangles, mesh->triangle_count);
  return mesh;
}

TAC_TEST(a_sphere_stays_a_sphere) {
  TAC_OWN(tacTriMesh, fine) = make_sphere(4);
  TAC_OWN(tacTriMesh, coarse) = NULL;
  tac_test_ok(tac_trimesh_simplify(fine, 200, &coarse, &error), error);
  ck_assert_int_eq(coarse->vertex_count, 200);
  ck_assert_int_eq(coarse->triangle_count, 2 * 200 - 4); /* Euler: no handle was made or lost */
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(coarse, &report, &error), error);
  ck_assert_int_eq(report.boundary_edges + report.nonmanifold_edges + report.misoriented_edges, 0);
  ck_assert_int_eq(report.self_intersections + report.degenerate_triangles, 0);
  /* 396 triangles of edge h = 0.27 lie h^2 / 8 off the sphere at most. */
  for (int i = 0; i < coarse->vertex_count; ++i) ck_assert_double_eq_tol(tac_vec3_norm(coarse->vertices[i]), 1.0, 0.02);
  ck_assert_double_eq_tol(tac_trimesh_volume(coarse), 4.0 / 3.0 * M_PI, 0.04 * 4.0 / 3.0 * M_PI);
}

/* Flat faces are planes, and collapsing along them costs nothing: the cube keeps its shape. */
TAC_TEST(a_cube_keeps_its_edges) {
  TAC_OWN(tacTriMesh, fine) = make_sphere(4);
  TAC_OWN(tacTriMesh, coarse) = NULL;
  for (int i = 0; i < fine->vertex_count; ++i) {
    tacVec3 p = fine->vertices[i];
    double largest = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
    fine->vertices[i] = tac_vec3_scale(1.0 / largest, p);
  }
  double volume = tac_trimesh_volume(fine);
  tac_test_ok(tac_trimesh_simplify(fine, 150, &coarse, &error), error);
  ck_assert_double_eq_tol(tac_trimesh_volume(coarse), volume, 0.05 * volume);
  /* Nothing folds over in the planes: all faces of a convex body look away from its middle. */
  for (int t = 0; t < coarse->triangle_count; ++t) {
    const tacVec3 *p = coarse->vertices, a = p[coarse->triangles[t].v[0]], b = p[coarse->triangles[t].v[1]];
    tacVec3 c = p[coarse->triangles[t].v[2]], n = tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a));
    ck_assert_double_gt(tac_vec3_dot(n, a), 0.0);
  }
}

TAC_TEST(the_same_mesh_gives_the_same_result) {
  TAC_OWN(tacTriMesh, fine) = make_sphere(3);
  TAC_OWN(tacTriMesh, a) = NULL;
  TAC_OWN(tacTriMesh, b) = NULL;
  tac_test_ok(tac_trimesh_simplify(fine, 60, &a, &error), error);
  tac_test_ok(tac_trimesh_simplify(fine, 60, &b, &error), error);
  ck_assert_int_eq(a->triangle_count, b->triangle_count);
  ck_assert_int_eq(memcmp(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof *a->vertices), 0);
  ck_assert_int_eq(memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof *a->triangles), 0);
}

TAC_TEST(refuses_what_it_cannot_do) {
  tacTriMesh *fine = make_sphere(2), *coarse = fine;
  ck_assert_int_eq(tac_trimesh_simplify(fine, 2, &coarse, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(coarse);
  --fine->triangle_count; /* a hole */
  ck_assert_int_eq(tac_trimesh_simplify(fine, 30, &coarse, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(coarse);
  tac_trimesh_destroy(fine);
}
