#include "mesh/query/scan_winding.h"

#include "mesh/make_mesh.h"
#include "mesh/query/triangle_tree.h"

/* Every node farther than 1e-9 from the surface must be inside where its winding number is not zero. Returns how many
 * of them are inside. */
static int check_against_solid_angles(const tacTriMesh *mesh, const tacGrid *layout, int *checked) {
  tac_test_ok(tac_trimesh_require_closed(mesh, &error), error);
  size_t count = (size_t)layout->nx * (size_t)layout->ny * (size_t)layout->nz;
  unsigned char *inside = tac_test_alloc(count), *again = tac_test_alloc(count);
  tac_test_ok(tac_scan_winding(mesh, layout, 1, inside, &error), error);
  tac_test_ok(tac_scan_winding(mesh, layout, 3, again, &error), error);
  ck_assert_mem_eq(inside, again, count);
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(mesh, &tree, &error));
  int found = 0;
  *checked = 0;
  for (int k = 0, n = 0; k < layout->nz; ++k)
    for (int j = 0; j < layout->ny; ++j)
      for (int i = 0; i < layout->nx; ++i, ++n) {
        tacVec3 p = tac_vec3_mad(layout->origin, layout->spacing, tac_vec3(i, j, k));
        if (tac_triangle_tree_distance(tree, p, NULL, NULL) < 1e-9) continue;
        double winding = brute_force_winding(mesh, p);
        ck_assert_msg(inside[n] == (fabs(winding) > 0.5), "node %d %d %d: %d, winding %g", i, j, k, inside[n], winding);
        ck_assert_int_eq(tac_scan_winding_number(mesh, tac_triangle_tree_boxes(tree), p), (int)lround(winding));
        ++*checked;
        found += inside[n];
      }
  return found;
}

static int check_all(const tacTriMesh *mesh, const tacGrid *layout) {
  int checked, found = check_against_solid_angles(mesh, layout, &checked);
  ck_assert_int_gt(checked, layout->nx * layout->ny * layout->nz / 2);
  return found;
}

TAC_TEST(sphere_and_torus_agree_with_solid_angles) {
  TAC_OWN(tacTriMesh, sphere) = make_sphere(tac_vec3(0, 0, 0), 1.0, 11, 24);
  TAC_OWN(tacTriMesh, torus) = make_torus(0.8, 0.3, 32, 16);
  int n = tac_test_light() ? 13 : 25;
  /* Nodes on the axes and planes of symmetry: rows go exactly through poles, vertices and edges. */
  tacGrid layout = {n, n, n, {-1.2, -1.2, -1.2}, 2.4 / (n - 1), NULL};
  double cell = pow(layout.spacing, 3.0);
  ck_assert_double_eq_tol(check_all(sphere, &layout) * cell, 4.0 / 3.0 * M_PI, 0.35);
  ck_assert_double_eq_tol(check_all(torus, &layout) * cell, 2.0 * M_PI * M_PI * 0.8 * 0.09, 0.25);
}

TAC_TEST(box_on_grid_planes_counts_every_edge_once) {
  TAC_OWN(tacTriMesh, mesh) = make_box((tacBox){{1, 1, 1}, {4, 3, 5}}, 1);
  tacGrid layout = {7, 6, 8, {0, 0, 0}, 1.0, NULL};
  unsigned char inside[7 * 6 * 8];
  tac_test_ok(tac_scan_winding(mesh, &layout, 2, inside, &error), error);
  int strictly_inside = 0;
  for (int k = 0, n = 0; k < 8; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 7; ++i, ++n) {
        bool closed_box = i >= 1 && i <= 4 && j >= 1 && j <= 3 && k >= 1 && k <= 5;
        bool open_box = i > 1 && i < 4 && j > 1 && j < 3 && k > 1 && k < 5;
        if (!closed_box) ck_assert_int_eq(inside[n], 0);
        if (open_box) ck_assert_int_eq(inside[n], 1);
        strictly_inside += inside[n];
      }
  /* Nodes on faces belong to exactly one of the half spaces beside them: as many nodes as unit cells. */
  ck_assert_int_eq(strictly_inside, 3 * 2 * 4);
}

TAC_TEST(touching_nested_and_overlapping_boxes_follow_the_nonzero_rule) {
  tacGrid layout = {21, 21, 21, {-0.5, -0.5, -0.5}, 0.25, NULL};
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 1);
  mesh = join_meshes(mesh, make_box((tacBox){{1, 0, 0}, {2, 1, 1}}, 1)); /* shares a face */
  mesh = join_meshes(mesh, make_box((tacBox){{0.5, 0.5, 0.5}, {3, 3, 3}}, 1));
  mesh = join_meshes(mesh, turned_over(make_box((tacBox){{2.1, 2.1, 2.1}, {2.9, 2.9, 2.9}}, 1))); /* a cavity */
  check_all(mesh, &layout);
}

TAC_TEST(walls_thinner_than_the_spacing_are_found) {
  tacGrid layout = {11, 11, 11, {0, 0, 0}, 1.0, NULL};
  TAC_OWN(tacTriMesh, mesh) = join_meshes(make_box((tacBox){{0.5, 0.5, 5.0 - 1e-7}, {9.5, 9.5, 5.0 + 1e-7}}, 1),
                                          make_box((tacBox){{3.0 - 1e-7, 0.5, 0.5}, {3.0 + 1e-7, 9.5, 9.5}}, 1));
  ck_assert_int_eq(check_all(mesh, &layout), 81 + 81 - 9);
}

static const tacTriangle tet_faces[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}};

TAC_TEST(random_closed_tangles_agree_with_solid_angles) {
  tacRandom random = tac_random_seed(3);
  for (int round = 0; round < (tac_test_light() ? 10 : 60); ++round) {
    TAC_OWN(tacTriMesh, mesh) = make_trimesh(0, 0);
    /* Tetrahedra with corners on a coarse lattice of which the grid nodes are a part: many rows meet edges and vertices
     * exactly, many triangles are parallel to the rows or flat. */
    for (int part = 0; part < 6; ++part) {
      tacVec3 corners[4];
      for (int c = 0; c < 4; ++c) {
        tacVec3 p = tac_random_in_box(&random, (tacBox){{0.0, 0.0, 0.0}, {13.0, 13.0, 13.0}});
        corners[c] = tac_vec3(floor(p.x) / 2, floor(p.y) / 2, floor(p.z) / 2);
      }
      mesh = join_meshes(mesh, make_mesh_of(4, corners, 4, tet_faces));
    }
    tacGrid layout = {14, 14, 14, {0, 0, 0}, 0.5, NULL};
    int checked;
    check_against_solid_angles(mesh, &layout, &checked);
    ck_assert_int_gt(checked, 1000);
  }
}

TAC_TEST(crossing_of_a_needle_is_in_the_right_place) {
  /* A flat tetrahedron whose projection along x is a needle, 1e-13 wide: x must follow the needle's length. */
  const tacVec3 corners[4] = {{0.0, 0.0, 0.0}, {10.0, 1.0, 1.0}, {5.0, 0.5 + 1e-13, 0.5}, {30.0, 0.5 - 1e-13, 0.5}};
  TAC_OWN(tacTriMesh, mesh) = make_mesh_of(4, corners, 4, tet_faces);
  if (tac_vec3_triple(corners[0], corners[1], corners[2], corners[3]) < 0.0) turned_over(mesh);
  tacGrid layout = {160, 5, 5, {-5.0, 0.0, 0.0}, 0.25, NULL};
  unsigned char inside[160 * 5 * 5];
  tac_test_ok(tac_scan_winding(mesh, &layout, 1, inside, &error), error);
  for (int i = 0; i < 160; ++i) {
    /* On the row y = z = 0.25 the solid is between the edge a-b at x = 2.5 and the
     * triangle a c d at x = 8.75, half of the mean of c and d. */
    double x = layout.origin.x + layout.spacing * i;
    int at = (1 * 5 + 1) * 160 + i;
    if (x < 2.4 || x > 8.85) ck_assert_int_eq(inside[at], 0);
    if (x > 2.6 && x < 8.65) ck_assert_int_eq(inside[at], 1);
  }
}
