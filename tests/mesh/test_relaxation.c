#include "mesh/repair/relaxation.h"

#include "make_mesh.h"
#include "mesh/edge_table.h"
#include "mesh/query/triangle_tree.h"
#include "mesh/repair/simplify.h"

typedef struct {
  double smallest_angle; /* degrees, of all triangles */
  double edge_variation; /* standard deviation of the edges over their mean */
  double normal_error;   /* degrees, mean, of vertex normals against the original's */
  double distance;       /* root mean square, of the middles of triangles from the original */
} Measures;

static double angle_between(tacVec3 a, tacVec3 b) {
  return 180.0 / M_PI * atan2(tac_vec3_norm(tac_vec3_cross(a, b)), tac_vec3_dot(a, b));
}

static tacVec3 *vertex_normals(const tacTriMesh *mesh) {
  tacVec3 *normals = tac_test_alloc((size_t)mesh->vertex_count * sizeof *normals);
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
  TAC_FREED(tac_edge_table_free, tacEdgeTable, table);
  tac_test_ok(tac_edge_table_create(mesh, &table, &error), error);
  double sum = 0.0, squares = 0.0;
  for (int e = 0; e < table.edge_count; ++e) {
    double length = tac_vec3_distance(mesh->vertices[table.edges[e].a], mesh->vertices[table.edges[e].b]);
    sum += length;
    squares += length * length;
  }
  m.edge_variation = sqrt(fmax(squares * table.edge_count / (sum * sum) - 1.0, 0.0));

  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(original, &tree, &error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    for (int i = 0; i < 3; ++i) {
      tacVec3 p = corner_of(mesh, t, i);
      tacVec3 q = tac_vec3_sub(corner_of(mesh, t, (i + 1) % 3), p),
              r = tac_vec3_sub(corner_of(mesh, t, (i + 2) % 3), p);
      m.smallest_angle = fmin(m.smallest_angle, angle_between(q, r));
    }
    double distance = tac_triangle_tree_distance(tree, middle_of(mesh, t), NULL, NULL);
    m.distance += distance * distance / mesh->triangle_count;
  }
  m.distance = sqrt(m.distance);
  const tacVec3 *mine = vertex_normals(mesh), *true_ones = vertex_normals(original);
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
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(original, &tree, &error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    int under;
    tac_triangle_tree_distance(tree, middle_of(mesh, t), &under, NULL);
    ck_assert_double_gt(tac_vec3_dot(twice_area(mesh, t), twice_area(original, under)), 0.0);
  }
}

static void check_report(const tacTriMesh *mesh, int genus) {
  tacSurfaceReport report = report_on(mesh);
  ck_assert_int_eq(report.boundary_edges + report.nonmanifold_edges + report.misoriented_edges, 0);
  ck_assert_int_eq(report.nonmanifold_vertices + report.self_intersections + report.degenerate_triangles, 0);
  ck_assert_int_eq(mesh->triangle_count, 2 * mesh->vertex_count - 4 + 4 * genus); /* Euler */
}

static tacTriMesh *simplified(const tacTriMesh *fine, int vertices) {
  tacTriMesh *rough;
  tac_test_ok(tac_trimesh_simplify(fine, vertices, &rough, &error), error);
  return rough;
}

static tacTriMesh *relaxed(const tacTriMesh *rough, const tacTriMesh *fine) {
  tacTriMesh *even;
  tac_test_ok(tac_trimesh_relax(rough, fine, &even, &error), error);
  return even;
}

/* Simplifies, relaxes and checks what holds for every surface. */
static void check_surface(tacTriMesh *given, int vertices, int genus, double smallest_angle, double volume_error) {
  TAC_OWN(tacTriMesh, fine) = given;
  TAC_OWN(tacTriMesh, rough) = simplified(fine, vertices);
  TAC_OWN(tacTriMesh, even) = relaxed(rough, fine);
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
  TAC_OWN(tacTriMesh, rough) = simplified(fine, 150);
  TAC_OWN(tacTriMesh, even) = relaxed(rough, fine);
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

TAC_TEST(relaxed_surfaces_keep_mean_distance) {
  TAC_OWN(tacTriMesh, fine) = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 60, 80);
  TAC_OWN(tacTriMesh, rough) = simplified(fine, 60);
  TAC_OWN(tacTriMesh, even) = relaxed(rough, fine);
  /* With its vertices on the sphere the mesh would lack 9 % of the volume. */
  double volume = 4.0 / 3.0 * M_PI, mean = 0.0;
  ck_assert_double_eq_tol(tac_trimesh_volume(even), volume, 0.01 * volume);
  for (int v = 0; v < even->vertex_count; ++v) mean += tac_vec3_norm(even->vertices[v]) / even->vertex_count;
  /* Triangles of 1 / 116 of the area have corners 0.29 from their middle: an arc of height 0.04. */
  ck_assert(mean > 1.01 && mean < 1.05);
}

TAC_TEST(the_same_meshes_give_the_same_result) {
  TAC_OWN(tacTriMesh, fine) = make_torus(0.05, 0.02, 40, 20);
  TAC_OWN(tacTriMesh, rough) = simplified(fine, 100);
  TAC_OWN(tacTriMesh, a) = relaxed(rough, fine);
  TAC_OWN(tacTriMesh, b) = relaxed(rough, fine);
  check_same_mesh(a, b);
}

TAC_TEST(refuses_open_surfaces) {
  TAC_OWN(tacTriMesh, fine) = make_torus(0.05, 0.02, 20, 10);
  tacTriMesh *even = fine;
  TAC_OWN(tacTriMesh, twice) = join_meshes(make_torus(0.05, 0.02, 20, 10), make_torus(0.05, 0.02, 20, 10));
  for (int t = fine->triangle_count; t < twice->triangle_count; ++t) /* every edge has four triangles */
    twice->triangles[t] = twice->triangles[t - fine->triangle_count];
  ck_assert_int_eq(tac_trimesh_relax(twice, fine, &even, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(even);
  --fine->triangle_count; /* a hole */
  even = fine;
  ck_assert_int_eq(tac_trimesh_relax(fine, fine, &even, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(even);
}
