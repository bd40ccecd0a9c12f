#include "mesh/repair/relaxation.h"

#include <math.h>
#include <string.h>
#include <tactus/mesh_quality.h>
#include "make_mesh.h"
#include "mesh/edge_table.h"
#include "mesh/query/triangle_tree.h"
#include "mesh/repair/simplify.h"

static tacError error;

typedef struct {
  double smallest_angle; /* degrees, of all triangles */
  double edge_variation; /* standard deviation of the edges over their mean */
  double normal_error;   /* degrees, mean, of vertex normals against the original's */
  double distance;       /* root mean square, of the middles of triangles from the original */
} Measures;

static tacVec3 twice_area(const tacTriMesh *mesh, int t) {
  const int *v = mesh->triangles[t].v;
  tacVec3 p = mesh->vertices[v[0]];
  return tac_vec3_cross(tac_vec3_sub(mesh->vertices[v[1]], p), tac_vec3_sub(mesh->vertices[v[2]], p));
}

static double angle_between(tacVec3 a, tacVec3 b) {
  return 180.0 / M_PI * atan2(tac_vec3_norm(tac_vec3_cross(a, b)), tac_vec3_dot(a, b));
}

static tacVec3 *vertex_normals(const tacTriMesh *mesh) {
  tacVec3 *normals = calloc((size_t)mesh->vertex_count, sizeof *normals);
  ck_assert_ptr_nonnull(normals);
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) {
      tacVec3 *n = &normals[mesh->triangles[t].v[i]];
      *n = tac_vec3_add(*n, twice_area(mesh, t));
    }
  for (int v = 0; v < mesh->vertex_count; ++v) normals[v] = tac_vec3_unit(normals[v]);
  return normals;
}

static Measures measure(const tacTriMesh *mesh, const tacTriMesh *original) {
  Measures m = {.smallest_angle = 180.0};
  tacEdgeTable table;
  tac_test_ok(tac_edge_table_create(mesh, &table, &error), error);
  double sum = 0.0, squares = 0.0;
  for (int e = 0; e < table.edge_count; ++e) {
    double length = tac_vec3_distance(mesh->vertices[table.edges[e].a], mesh->vertices[table.edges[e].b]);
    sum += length;
    squares += length * length;
  }
  m.edge_variation = sqrt(fmax(squares * table.edge_count / (sum * sum) - 1.0, 0.0));
  tac_edge_table_free(&table);

  TAC_OWN(tacTriangleTree, tree) = NULL;
  tac_test_ok(tac_triangle_tree_create(original, &tree, &error), error);
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 middle = {0};
    for (int i = 0; i < 3; ++i) {
      const int *v = mesh->triangles[t].v;
      tacVec3 p = mesh->vertices[v[i]], q = mesh->vertices[v[(i + 1) % 3]], r = mesh->vertices[v[(i + 2) % 3]];
      m.smallest_angle = fmin(m.smallest_angle, angle_between(tac_vec3_sub(q, p), tac_vec3_sub(r, p)));
      middle = tac_vec3_mad(middle, 1.0 / 3.0, p);
    }
    double distance = tac_triangle_tree_distance(tree, middle, NULL, NULL);
    m.distance += distance * distance / mesh->triangle_count;
  }
  m.distance = sqrt(m.distance);
  TAC_MEMORY(tacVec3, mine) = vertex_normals(mesh);
  TAC_MEMORY(tacVec3, true_ones) = vertex_normals(original);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    int t;
    tac_triangle_tree_distance(tree, mesh->vertices[v], &t, NULL);
    tacVec3 n = {0};
    for (int i = 0; i < 3; ++i) n = tac_vec3_add(n, true_ones[original->triangles[t].v[i]]);
    m.normal_error += angle_between(n, mine[v]) / mesh->vertex_count;
  }
  return m;
}

/* No triangle faces the inside of the original, of which its middle is a little outside or inside. */
static void check_facing(const tacTriMesh *mesh, const tacTriMesh *original) {
  TAC_OWN(tacTriangleTree, tree) = NULL;
  tac_test_ok(tac_triangle_tree_create(original, &tree, &error), error);
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 middle = {0};
    for (int i = 0; i < 3; ++i) middle = tac_vec3_mad(middle, 1.0 / 3.0, mesh->vertices[mesh->triangles[t].v[i]]);
    int under;
    tac_triangle_tree_distance(tree, middle, &under, NULL);
    ck_assert_double_gt(tac_vec3_dot(twice_area(mesh, t), twice_area(original, under)), 0.0);
  }
}

static void check_report(const tacTriMesh *mesh, int genus) {
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(mesh, &report, &error), error);
  ck_assert_int_eq(report.boundary_edges + report.nonmanifold_edges + report.misoriented_edges, 0);
  ck_assert_int_eq(report.nonmanifold_vertices + report.self_intersections + report.degenerate_triangles, 0);
  ck_assert_int_eq(mesh->triangle_count, 2 * mesh->vertex_count - 4 + 4 * genus); /* Euler */
}

/* Simplifies, relaxes and checks what holds for every surface. */
static void check_surface(tacTriMesh *fine, int vertices, int genus, double smallest_angle, double volume_error) {
  TAC_OWN(tacTriMesh, rough) = NULL;
  TAC_OWN(tacTriMesh, even) = NULL;
  tac_test_ok(tac_trimesh_simplify(fine, vertices, &rough, &error), error);
  tac_test_ok(tac_trimesh_relax(rough, fine, &even, &error), error);
  ck_assert_int_eq(even->vertex_count, vertices);
  check_report(even, genus);
  check_facing(even, fine);
  Measures before = measure(rough, fine), after = measure(even, fine);
  ck_assert_double_gt(after.smallest_angle, smallest_angle);
  ck_assert_double_gt(after.smallest_angle, before.smallest_angle);
  ck_assert_double_lt(after.edge_variation, before.edge_variation);
  ck_assert_double_lt(after.normal_error, before.normal_error);
  ck_assert_double_lt(after.distance, before.distance);
  double volume = tac_trimesh_volume(fine);
  ck_assert_double_eq_tol(tac_trimesh_volume(even), volume, volume_error * volume);
  tac_trimesh_destroy(fine);
}

TAC_TEST(a_sphere_becomes_even) {
  check_surface(make_sphere(tac_vec3(0.1, 0.2, 0.3), 0.05, 40, 60), 200, 0, 28.0, 0.01);
}

TAC_TEST(a_torus_becomes_even) {
  check_surface(make_torus(0.05, 0.02, 80, 40), 300, 1, 28.0, 0.01);
}

/* A plate with a round rim, as thick as its triangles are long: both sides stay apart. */
TAC_TEST(a_thin_plate_stays_whole) {
  tacTriMesh *fine = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 80, 80);
  for (int v = 0; v < fine->vertex_count; ++v) { /* the superellipsoid |x / a|^4 + ... = 1 */
    tacVec3 *p = &fine->vertices[v];
    double size = pow(pow(p->x, 4.0) + pow(p->y, 4.0) + pow(p->z, 4.0), -0.25);
    *p = tac_vec3(0.03 * size * p->x, 0.03 * size * p->y, 0.003 * size * p->z);
  }
  check_surface(fine, 250, 0, 15.0, 0.02);
}

/* Flat faces, ridges and corners are in the planes of their patches: a box stays a box. */
TAC_TEST(a_box_keeps_ridges_and_corners) {
  TAC_OWN(tacTriMesh, fine) = make_box(unit_box(), 16);
  TAC_OWN(tacTriMesh, rough) = NULL;
  TAC_OWN(tacTriMesh, even) = NULL;
  tac_test_ok(tac_trimesh_simplify(fine, 150, &rough, &error), error);
  tac_test_ok(tac_trimesh_relax(rough, fine, &even, &error), error);
  check_report(even, 0);
  ck_assert_double_eq_tol(tac_trimesh_volume(even), 1.0, 0.005);
  Measures before = measure(rough, fine), after = measure(even, fine);
  ck_assert_double_lt(after.edge_variation, before.edge_variation);
  ck_assert_double_gt(after.smallest_angle, 20.0);
  ck_assert_double_lt(after.distance, 0.005);
  for (int corner = 0; corner < 8; ++corner) {
    double nearest = 1.0;
    tacVec3 p = tac_vec3(corner & 1, corner >> 1 & 1, corner >> 2);
    for (int v = 0; v < even->vertex_count; ++v) nearest = fmin(nearest, tac_vec3_distance(p, even->vertices[v]));
    ck_assert_double_lt(nearest, 0.02);
  }
}

TAC_TEST(it_fits_in_the_mean) {
  TAC_OWN(tacTriMesh, fine) = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 60, 80);
  TAC_OWN(tacTriMesh, rough) = NULL;
  TAC_OWN(tacTriMesh, even) = NULL;
  tac_test_ok(tac_trimesh_simplify(fine, 60, &rough, &error), error);
  tac_test_ok(tac_trimesh_relax(rough, fine, &even, &error), error);
  /* With its vertices on the sphere the mesh would lack 9 % of the volume. */
  double volume = 4.0 / 3.0 * M_PI, mean = 0.0;
  ck_assert_double_eq_tol(tac_trimesh_volume(even), volume, 0.01 * volume);
  for (int v = 0; v < even->vertex_count; ++v) mean += tac_vec3_norm(even->vertices[v]) / even->vertex_count;
  /* Triangles of 1 / 116 of the area have corners 0.29 from their middle: an arc of height 0.04. */
  ck_assert(mean > 1.01 && mean < 1.05);
}

TAC_TEST(the_same_meshes_give_the_same_result) {
  TAC_OWN(tacTriMesh, fine) = make_torus(0.05, 0.02, 40, 20);
  TAC_OWN(tacTriMesh, rough) = NULL;
  TAC_OWN(tacTriMesh, a) = NULL;
  TAC_OWN(tacTriMesh, b) = NULL;
  tac_test_ok(tac_trimesh_simplify(fine, 100, &rough, &error), error);
  tac_test_ok(tac_trimesh_relax(rough, fine, &a, &error), error);
  tac_test_ok(tac_trimesh_relax(rough, fine, &b, &error), error);
  ck_assert_int_eq(memcmp(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof *a->vertices), 0);
  ck_assert_int_eq(memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * sizeof *a->triangles), 0);
}

TAC_TEST(refuses_open_surfaces) {
  tacTriMesh *fine = make_torus(0.05, 0.02, 20, 10), *even = fine;
  TAC_OWN(tacTriMesh, twice) = join_meshes(make_torus(0.05, 0.02, 20, 10), make_torus(0.05, 0.02, 20, 10));
  for (int t = fine->triangle_count; t < twice->triangle_count; ++t) /* every edge has four triangles */
    twice->triangles[t] = twice->triangles[t - fine->triangle_count];
  ck_assert_int_eq(tac_trimesh_relax(twice, fine, &even, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(even);
  --fine->triangle_count; /* a hole */
  even = fine;
  ck_assert_int_eq(tac_trimesh_relax(fine, fine, &even, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(even);
  tac_trimesh_destroy(fine);
}
