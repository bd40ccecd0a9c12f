#include "mesh/make_mesh.h"

static tacSurfaceReport report_and_destroy(tacTriMesh *mesh) {
  tacSurfaceReport report = report_on(mesh);
  tac_trimesh_destroy(mesh);
  return report;
}

TAC_TEST(a_sphere_is_a_closed_oriented_manifold) {
  tacSurfaceReport r = report_and_destroy(make_sphere(tac_vec3(1, 2, 3), 0.5, 15, 30));
  ck_assert(r.closed && r.manifold && r.oriented);
  ck_assert_int_eq(r.genus, 0);
  ck_assert_int_eq(r.components, 1);
  ck_assert_int_eq(r.unused_vertices + r.duplicate_vertices + r.duplicate_triangles + r.degenerate_triangles, 0);
  ck_assert_int_eq(r.self_intersections, 0);
  ck_assert_double_eq_tol(tac_vec3_distance(r.centroid, tac_vec3(1, 2, 3)), 0.0, 1e-14);
}

TAC_TEST(a_sphere_turned_over_is_inside_out) {
  tacTriMesh *mesh = make_sphere(tac_vec3(1, 2, 3), 0.5, 15, 30);
  tacSurfaceReport r = report_on(mesh);
  ck_assert_int_eq(r.inside_out, 0);
  ck_assert_double_eq_tol(r.solid_volume, r.volume, 1e-12);
  r = report_and_destroy(turned_over(mesh));
  ck_assert(r.closed && r.manifold && r.oriented);
  ck_assert_int_eq(r.inside_out, 1);
  ck_assert_double_eq_tol(r.solid_volume, -r.volume, 1e-12);
}

TAC_TEST(torus_has_genus_one) {
  tacSurfaceReport r = report_and_destroy(make_torus(2.0, 0.5, 40, 20));
  ck_assert(r.closed && r.manifold && r.oriented);
  ck_assert_int_eq(r.genus, 1);
  ck_assert_int_eq(r.self_intersections, 0);
}

TAC_TEST(genus_is_the_sum_over_components) {
  tacTriMesh *mesh = join_meshes(make_torus(2.0, 0.5, 20, 10), make_sphere(tac_vec3(9, 0, 0), 1.0, 5, 9));
  mesh = join_meshes(mesh, make_torus(20.0, 0.5, 40, 10));
  tacSurfaceReport r = report_and_destroy(mesh);
  ck_assert_int_eq(r.components, 3);
  ck_assert_int_eq(r.genus, 2);
}

TAC_TEST(box_measures_equal_the_closed_form) {
  tacTriMesh *mesh = make_box((tacBox){{100.0, 0.0, -5.0}, {101.0, 2.0, -2.0}}, 4);
  tacSurfaceReport r = report_and_destroy(mesh);
  ck_assert_double_eq_tol(r.volume, 6.0, 1e-12);
  ck_assert_double_eq_tol(r.area, 22.0, 1e-12);
  ck_assert_double_eq_tol(r.centroid.x, 100.5, 1e-12);
  ck_assert_double_eq_tol(r.inertia[0][0], 6.0 / 12.0 * (4.0 + 9.0), 1e-12);
  ck_assert_double_eq_tol(r.inertia[1][1], 6.0 / 12.0 * (1.0 + 9.0), 1e-12);
  ck_assert_double_eq_tol(r.inertia[2][2], 6.0 / 12.0 * (1.0 + 4.0), 1e-12);
  ck_assert_double_eq_tol(r.inertia[0][1], 0.0, 1e-12);
  ck_assert_double_eq_tol(r.shortest_edge, 0.25, 1e-13);
  ck_assert_double_eq_tol(r.longest_edge, sqrt(0.25 + 0.5625), 1e-13);
  ck_assert_double_eq_tol(r.largest_angle, 90.0, 1e-10);
  ck_assert_double_eq_tol(r.smallest_angle, atan(1.0 / 3.0) * 180.0 / M_PI, 1e-10);
  ck_assert_double_eq(r.box.upper.y, 2.0);
}

/* The error of an inscribed mesh shrinks fourfold when the mesh is twice as fine. */
TAC_TEST(torus_inertia_converges_to_the_closed_form) {
  double torus_axis[2], torus_across[2];
  for (int i = 0; i < 2; ++i) {
    double volume = 2.0 * M_PI * M_PI * 2.0 * 0.25;
    tacSurfaceReport r = report_and_destroy(make_torus(2.0, 0.5, 64 << i, 32 << i));
    torus_axis[i] = volume * (4.0 + 0.75 * 0.25) - r.inertia[2][2];
    torus_across[i] = volume * (2.0 + 0.625 * 0.25) - r.inertia[0][0];
  }
  ck_assert_double_eq_tol(torus_axis[0] / torus_axis[1], 4.0, 0.2);
  ck_assert_double_eq_tol(torus_across[0] / torus_across[1], 4.0, 0.2);
}

TAC_TEST(a_flipped_triangle_misorients_its_three_edges) {
  tacTriMesh *mesh = make_sphere(tac_vec3(0, 0, 0), 1.0, 7, 12);
  flip_triangle(mesh, 20);
  tacSurfaceReport r = report_and_destroy(mesh);
  ck_assert_int_eq(r.misoriented_edges, 3);
  ck_assert(r.closed && r.manifold && !r.oriented);
}

TAC_TEST(a_missing_triangle_leaves_three_boundary_edges) {
  tacTriMesh *mesh = make_sphere(tac_vec3(0, 0, 0), 1.0, 7, 12);
  --mesh->triangle_count;
  tacSurfaceReport r = report_and_destroy(mesh);
  ck_assert_int_eq(r.boundary_edges, 3);
  ck_assert(!r.closed && r.manifold && r.oriented);
  ck_assert_int_eq(r.genus, -1);
  ck_assert_double_eq(r.volume, 0.0);
}

TAC_TEST(three_triangles_on_an_edge_are_not_a_manifold) {
  const tacVec3 vertices[5] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}};
  const tacTriangle triangles[3] = {{{0, 1, 2}}, {{0, 1, 3}}, {{0, 1, 4}}};
  tacSurfaceReport r = report_and_destroy(make_mesh_of(5, vertices, 3, triangles));
  ck_assert_int_eq(r.nonmanifold_edges, 1);
  ck_assert_int_eq(r.nonmanifold_vertices, 0);
  ck_assert_int_eq(r.boundary_edges, 6);
  ck_assert(!r.manifold && !r.closed);
  ck_assert_int_eq(r.self_intersections, 0);
}

TAC_TEST(two_cones_with_a_common_apex_are_not_a_manifold) {
  int n = 8;
  tacTriMesh *mesh = make_trimesh(2 * n + 1, 2 * n);
  for (int i = 0; i < n; ++i) {
    double a = 2.0 * M_PI * i / n;
    mesh->vertices[i] = tac_vec3(cos(a), sin(a), 1.0);
    mesh->vertices[n + i] = tac_vec3(cos(a), sin(a), -1.0);
    mesh->triangles[i] = (tacTriangle){{2 * n, i, (i + 1) % n}};
    mesh->triangles[n + i] = (tacTriangle){{2 * n, n + (i + 1) % n, n + i}};
  }
  tacSurfaceReport r = report_and_destroy(mesh);
  ck_assert_int_eq(r.nonmanifold_vertices, 1);
  ck_assert_int_eq(r.nonmanifold_edges, 0);
  ck_assert_int_eq(r.components, 1);
  ck_assert(!r.manifold);
  ck_assert_int_eq(r.self_intersections, 0);
}

TAC_TEST(bad_triangles_and_vertices_are_counted) {
  tacTriMesh *box = make_box(unit_box(), 1);
  int n = box->vertex_count, m = box->triangle_count;
  const int *fourth = box->triangles[4].v, swapped[3] = {fourth[1], fourth[0], fourth[2]};
  tacTriMesh *mesh = join_meshes(box, make_trimesh(3, 3));
  mesh->vertices[n] = mesh->vertices[2];             /* a duplicate, unused */
  mesh->vertices[n + 1] = tac_vec3(-0.0, 0.5, 9.0);  /* unused */
  mesh->vertices[n + 2] = tac_vec3(0.5, 0.0, 0.0);   /* on the edge from 0 to 1 */
  mesh->triangles[m] = (tacTriangle){{0, 1, n + 2}}; /* no height */
  mesh->triangles[m + 1] = (tacTriangle){{3, 3, 5}}; /* repeated corner */
  memcpy(mesh->triangles[m + 2].v, swapped, sizeof swapped);
  tacSurfaceReport r = report_and_destroy(mesh);
  ck_assert_int_eq(r.duplicate_vertices, 1);
  ck_assert_int_eq(r.unused_vertices, 2);
  ck_assert_int_eq(r.degenerate_triangles, 2);
  ck_assert_int_eq(r.duplicate_triangles, 1);
  ck_assert_int_eq(r.self_intersections, 1); /* the duplicate and its original */
}

TAC_TEST(interpenetrating_spheres_intersect_and_separate_ones_do_not) {
  tacVec3 o = {0, 0, 0};
  tacSurfaceReport r =
      report_and_destroy(join_meshes(make_sphere(o, 1.0, 15, 30), make_sphere(tac_vec3(1, 0.1, 0.2), 1.0, 15, 30)));
  ck_assert_int_gt(r.self_intersections, 30);
  ck_assert_int_eq(r.components, 2);
  r = report_and_destroy(join_meshes(make_sphere(o, 1.0, 15, 30), make_sphere(tac_vec3(2.1, 0, 0), 1.0, 15, 30)));
  ck_assert_int_eq(r.self_intersections, 0);
  r = report_and_destroy(join_meshes(make_sphere(o, 1.0, 15, 30), make_sphere(o, 0.9, 15, 30)));
  ck_assert_int_eq(r.self_intersections, 0);
}

/* Every triangle of a face touches its coplanar neighbours: none of it is an intersection, however the box lies. */
TAC_TEST(flat_faces_do_not_intersect_themselves) {
  for (int turned = 0; turned < 2; ++turned) {
    tacTriMesh *mesh = make_box((tacBox){{10.0, 10.1, 10.3}, {11.0, 11.3, 11.7}}, 7);
    if (turned) turn_mesh(mesh->vertex_count, mesh->vertices);
    ck_assert_int_eq(report_and_destroy(mesh).self_intersections, 0);
  }
}

TAC_TEST(a_soup_with_split_vertices_does_not_intersect_itself) {
  TAC_OWN(tacTriMesh, sphere) = make_sphere(tac_vec3(0, 0, 0), 1.0, 9, 16);
  tacTriMesh *soup = make_trimesh(3 * sphere->triangle_count, sphere->triangle_count);
  for (int i = 0; i < soup->vertex_count; ++i) {
    soup->vertices[i] = sphere->vertices[sphere->triangles[i / 3].v[i % 3]];
    soup->triangles[i / 3].v[i % 3] = i;
  }
  tacSurfaceReport r = report_and_destroy(soup);
  ck_assert_int_eq(r.self_intersections, 0);
  ck_assert_int_eq(r.duplicate_vertices, r.vertices - sphere->vertex_count);
  ck_assert_int_eq(r.components, sphere->triangle_count);
}

TAC_TEST(an_empty_mesh_is_not_closed) {
  tacSurfaceReport r = report_and_destroy(make_trimesh(0, 0));
  ck_assert(!r.closed && r.manifold && r.oriented);
  ck_assert_int_eq(r.components, 0);
  r = report_and_destroy(make_trimesh(3, 1)); /* one triangle with all its corners at vertex 0 */
  ck_assert_int_eq(r.degenerate_triangles, 1);
  ck_assert_int_eq(r.unused_vertices, 2);
  ck_assert(!r.closed);
}
