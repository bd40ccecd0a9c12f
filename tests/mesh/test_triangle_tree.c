#include "mesh/query/triangle_tree.h"

#include "mesh/make_mesh.h"

static tacTriangleTree *make_tree(const tacTriMesh *mesh) {
  tacTriangleTree *tree;
  tac_test_ok(tac_triangle_tree_create(mesh, &tree, &error), error);
  return tree;
}

static double segment_distance(tacVec3 a, tacVec3 b, tacVec3 p) {
  tacVec3 d = tac_vec3_sub(b, a);
  double length2 = tac_vec3_norm2(d), t = length2 > 0.0 ? tac_vec3_dot(tac_vec3_sub(p, a), d) / length2 : 0.0;
  return tac_vec3_distance(p, tac_vec3_mad(a, fmin(1.0, fmax(0.0, t)), d));
}

/* The foot on the plane where that lies within the triangle, else the nearest edge. */
static double triangle_distance(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 p) {
  tacVec3 n = tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a));
  double least = fmin(segment_distance(a, b, p), fmin(segment_distance(b, c, p), segment_distance(c, a, p)));
  bool within = tac_vec3_norm(n) > 0.0 &&
                tac_vec3_dot(tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(p, a)), n) >= 0.0 &&
                tac_vec3_dot(tac_vec3_cross(tac_vec3_sub(c, b), tac_vec3_sub(p, b)), n) >= 0.0 &&
                tac_vec3_dot(tac_vec3_cross(tac_vec3_sub(a, c), tac_vec3_sub(p, c)), n) >= 0.0;
  return within ? fmin(least, fabs(tac_vec3_dot(tac_vec3_unit(n), tac_vec3_sub(p, a)))) : least;
}

static double mesh_triangle_distance(const tacTriMesh *mesh, int t, tacVec3 p) {
  return triangle_distance(corner_of(mesh, t, 0), corner_of(mesh, t, 1), corner_of(mesh, t, 2), p);
}

static void check_against_brute_force(const tacTriMesh *mesh, tacBox space, int query_count) {
  TAC_OWN(tacTriangleTree, tree) = make_tree(mesh);
  tacRandom random = tac_random_seed(31);
  double size = tac_box_longest(space);
  for (int q = 0; q < query_count; ++q) {
    tacVec3 p = tac_random_in_box(&random, space), closest;
    if (q % 3 == 0) p = tac_vec3_mad(mesh->vertices[q % mesh->vertex_count], 1e-3, p);
    int triangle = -1;
    double expected = INFINITY, found = tac_triangle_tree_distance(tree, p, &triangle, &closest);
    for (int t = 0; t < mesh->triangle_count; ++t) expected = fmin(expected, mesh_triangle_distance(mesh, t, p));
    ck_assert_double_eq_tol(found, expected, 1e-12 * size);
    ck_assert_int_ge(triangle, 0);
    ck_assert_double_eq_tol(mesh_triangle_distance(mesh, triangle, p), expected, 1e-12 * size);
    ck_assert_double_eq_tol(tac_vec3_distance(closest, p), expected, 1e-12 * size);
    ck_assert_double_lt(mesh_triangle_distance(mesh, triangle, closest), 1e-12 * size);
    ck_assert_double_eq_tol(tac_triangle_tree_distance(tree, p, NULL, NULL), expected, 1e-12 * size);
    int guesses[2] = {q % mesh->triangle_count, triangle};
    for (int i = 0; i < 2;
         ++i) { /* a guess, good or bad, changes nothing: not which of equally near triangles is found either */
      tacVec3 place;
      int same = -1;
      ck_assert_double_eq(tac_triangle_tree_distance_from(tree, p, guesses[i], &same, &place), found);
      ck_assert_int_eq(same, triangle);
      ck_assert_double_eq(tac_vec3_distance(place, closest), 0.0);
    }
    if (expected > 1e-3 * size)
      ck_assert_double_eq_tol(tac_triangle_tree_winding(tree, p), brute_force_winding(mesh, p), 0.01);
  }
}

static tacTriMesh *random_soup(int count, double size) {
  tacRandom random = tac_random_seed(17);
  tacTriMesh *mesh = make_trimesh(3 * count, count);
  for (int v = 0; v < 3 * count; ++v) {
    if (v % 3 == 0) mesh->vertices[v] = tac_random_in_box(&random, unit_box());
    if (v % 3 != 0)
      mesh->vertices[v] = tac_vec3_mad(mesh->vertices[v - v % 3], size, tac_random_in_box(&random, unit_box()));
    mesh->triangles[v / 3].v[v % 3] = v;
  }
  return mesh;
}

TAC_TEST(closed_meshes_agree_with_brute_force) {
  int queries = tac_test_light() ? 60 : 600;
  TAC_OWN(tacTriMesh, torus) = make_torus(2.0, 0.5, 60, 30);
  TAC_OWN(tacTriMesh, box) = make_box(unit_box(), 12);
  TAC_OWN(tacTriMesh, sphere) = make_sphere(tac_vec3(0, 0, 0), 1.0, 19, 40);
  check_against_brute_force(torus, (tacBox){{-4, -4, -2}, {4, 4, 2}}, queries);
  check_against_brute_force(sphere, (tacBox){{-2, -2, -2}, {2, 2, 2}}, queries);
  check_against_brute_force(box, (tacBox){{-0.5, -0.5, -0.5}, {1.5, 1.5, 1.5}}, queries);
}

TAC_TEST(open_meshes_and_soups_agree_with_brute_force) {
  int queries = tac_test_light() ? 60 : 600;
  TAC_OWN(tacTriMesh, half) = make_sphere(tac_vec3(0, 0, 0), 1.0, 19, 40);
  half->triangle_count /= 2;
  TAC_OWN(tacTriMesh, soup) = random_soup(800, 0.2);
  TAC_OWN(tacTriMesh, large) = random_soup(50, 2.0);
  check_against_brute_force(half, (tacBox){{-2, -2, -2}, {2, 2, 2}}, queries);
  check_against_brute_force(soup, (tacBox){{-1, -1, -1}, {2, 2, 2}}, queries);
  check_against_brute_force(large, (tacBox){{-1, -1, -1}, {4, 4, 4}}, queries);
}

TAC_TEST(small_and_degenerate_meshes_agree_with_brute_force) {
  for (int count = 1; count < 12; ++count) {
    TAC_OWN(tacTriMesh, mesh) = random_soup(count, 0.5);
    if (count % 2 == 0) mesh->triangles[0].v[1] = mesh->triangles[0].v[0];
    if (count % 3 == 0)
      mesh->triangles[count - 1].v[2] = mesh->triangles[count - 1].v[1] = mesh->triangles[count - 1].v[0];
    check_against_brute_force(mesh, (tacBox){{-1, -1, -1}, {2, 2, 2}}, 60);
  }
}

/* The mesh lies within its chord error of the surface. */
TAC_TEST(signed_distance_of_sphere_and_torus_is_that_of_the_closed_form) {
  TAC_OWN(tacTriMesh, sphere) = make_sphere(tac_vec3(1, 2, 3), 1.5, 63, 128);
  TAC_OWN(tacTriMesh, torus) = make_torus(2.0, 0.5, 200, 60);
  TAC_OWN(tacTriangleTree, sphere_tree) = make_tree(sphere);
  TAC_OWN(tacTriangleTree, torus_tree) = make_tree(torus);
  tacRandom random = tac_random_seed(13);
  int inside = 0;
  for (int q = 0; q < 2000; ++q) {
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-3, -3, -1}, {3, 3, 1}});
    double expected = hypot(hypot(p.x, p.y) - 2.0, p.z) - 0.5;
    ck_assert_double_eq_tol(tac_triangle_tree_signed_distance(torus_tree, p), expected, 2e-3);
    inside += expected < 0.0;
    tacVec3 s = tac_vec3_add(tac_vec3(1, 2, 3), p);
    ck_assert_double_eq_tol(tac_triangle_tree_signed_distance(sphere_tree, s), tac_vec3_norm(p) - 1.5, 2e-3);
  }
  ck_assert_int_gt(inside, 100);
}

TAC_TEST(distances_to_a_box_are_those_of_the_closed_form) {
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 3);
  TAC_OWN(tacTriangleTree, tree) = make_tree(mesh);
  ck_assert_double_eq_tol(tac_triangle_tree_signed_distance(tree, tac_vec3(0.5, 0.5, 0.9)), -0.1, 1e-14);
  ck_assert_double_eq_tol(tac_triangle_tree_signed_distance(tree, tac_vec3(0.5, 0.5, 1.25)), 0.25, 1e-14);
  ck_assert_double_eq_tol(tac_triangle_tree_signed_distance(tree, tac_vec3(4.0, 5.0, 0.5)), 5.0, 1e-14);
  ck_assert_int_eq(tac_triangle_tree_boxes(tree)->item_count, 108);
}
