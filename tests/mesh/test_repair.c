#include "mesh/make_mesh.h"
#include "mesh/trimesh.h"

static tacRepairReport report; /* of the last repair */

static tacTriMesh *repair(const tacTriMesh *mesh, double weld) {
  tacTriMesh *repaired;
  tacRepairDef def = tac_repair_def_default();
  def.weld = weld;
  tac_test_ok(tac_repair(mesh, &def, &repaired, &report, &error), error);
  return repaired;
}

/* Keeps the triangles for whose middle `keep` is true; returns how many are gone. */
static int keep_triangles(tacTriMesh *mesh, bool (*keep)(tacVec3 middle)) {
  int kept = 0, before = mesh->triangle_count;
  for (int t = 0; t < before; ++t)
    if (keep(middle_of(mesh, t))) mesh->triangles[kept++] = mesh->triangles[t];
  mesh->triangle_count = kept;
  return before - kept;
}

static bool is_top(tacVec3 m) {
  return m.z > 1.0 - 1e-9;
}

static bool is_not_top(tacVec3 m) {
  return !is_top(m);
}

static void check_sound(const tacTriMesh *mesh) {
  tacSurfaceReport r = report_on(mesh);
  ck_assert_int_eq(r.boundary_edges, 0);
  ck_assert_int_eq(r.misoriented_edges, 0);
  ck_assert(r.closed && r.manifold && r.oriented);
  ck_assert_int_eq(r.unused_vertices + r.duplicate_vertices + r.duplicate_triangles + r.degenerate_triangles, 0);
}

TAC_TEST(a_valid_mesh_is_unchanged) {
  TAC_OWN(tacTriMesh, mesh) = make_torus(2.0, 0.5, 20, 10);
  TAC_OWN(tacTriMesh, repaired) = repair(mesh, 0.0);
  ck_assert_int_eq(report.welded_vertices + report.removed_vertices + report.removed_triangles, 0);
  ck_assert_int_eq(report.flipped_triangles + report.filled_holes, 0);
  check_same_mesh(repaired, mesh);
}

/* A box and its mirror image share a face: the wall between them belongs to both. */
TAC_TEST(closed_parts_that_touch_stay_closed) {
  tacTriMesh *image = turned_over(make_box(unit_box(), 3));
  for (int v = 0; v < image->vertex_count; ++v) image->vertices[v].x = 2.0 - image->vertices[v].x;
  TAC_OWN(tacTriMesh, mesh) = join_meshes(make_box(unit_box(), 3), image);
  tac_test_ok(tac_trimesh_require_closed(mesh, &error), error);
  TAC_OWN(tacTriMesh, repaired) = repair(mesh, 0.0);
  tac_test_ok(tac_trimesh_require_closed(repaired, &error), error);
  ck_assert_int_eq(repaired->triangle_count, mesh->triangle_count);
  ck_assert_int_eq(report.welded_vertices, 16);
  ck_assert_double_eq_tol(tac_trimesh_volume(repaired), 2.0, 1e-12);
}

/* Splits all vertices, moves them by less than the weld distance, flips, repeats and takes away triangles; no two of those
 * taken away share a vertex, so that each hole has one filling. */
TAC_TEST(a_damaged_sphere_is_closed_oriented_and_of_the_same_volume_again) {
  TAC_OWN(tacTriMesh, sphere) = make_sphere(tac_vec3(1, 1, 1), 1.0, 19, 36);
  tacRandom random = tac_random_seed(8);
  unsigned char *taken = tac_test_alloc((size_t)sphere->vertex_count);
  TAC_OWN(tacTriMesh, soup) = make_trimesh(6 * sphere->triangle_count, 2 * sphere->triangle_count);
  int count = 0, missing = 0, repeated = 0;
  for (int t = 0; t < sphere->triangle_count; ++t) {
    const int *v = sphere->triangles[t].v;
    double outcome = tac_random_uniform(&random, 0.0, 1.0);
    if (outcome < 0.1 && !taken[v[0]] && !taken[v[1]] && !taken[v[2]]) {
      taken[v[0]] = taken[v[1]] = taken[v[2]] = 1;
      ++missing;
      continue;
    }
    int copies = outcome > 0.9 ? 2 : 1;
    repeated += copies - 1;
    for (int i = 0; i < copies; ++i, ++count) {
      for (int c = 0; c < 3; ++c) {
        tacVec3 noise = tac_random_in_box(&random, (tacBox){{-1e-9, -1e-9, -1e-9}, {1e-9, 1e-9, 1e-9}});
        soup->vertices[3 * count + c] = tac_vec3_add(sphere->vertices[v[c]], noise);
        soup->triangles[count].v[c] = 3 * count + c;
      }
      if (tac_random_uniform(&random, 0.0, 1.0) < 0.3) flip_triangle(soup, count);
    }
  }
  soup->triangle_count = count;
  TAC_OWN(tacTriMesh, repaired) = repair(soup, 1e-8);
  check_sound(repaired);
  ck_assert_int_gt(missing, 20);
  ck_assert_int_eq(report.filled_holes, missing);
  ck_assert_int_eq(report.removed_triangles, repeated);
  ck_assert_int_gt(report.flipped_triangles, count / 5);
  ck_assert_int_eq(repaired->vertex_count, sphere->vertex_count);
  ck_assert_int_eq(repaired->triangle_count, sphere->triangle_count);
  ck_assert_double_eq_tol(tac_trimesh_volume(repaired), tac_trimesh_volume(sphere), 1e-7);
  ck_assert_double_eq_tol(tac_trimesh_area(repaired), tac_trimesh_area(sphere), 1e-7);
}

TAC_TEST(closed_parts_face_outward_and_cavities_inward) {
  tacVec3 o = {0, 0, 0};
  const struct {
    bool outer_inward, inner_inward;
    double inner_sign;
  } cases[] = {{false, true, -1.0}, {false, false, 1.0}, {true, false, -1.0}, {true, true, 1.0}};
  double outer_volume = 0.0, inner_volume = 0.0;
  for (int i = 0; i < 4; ++i) {
    tacTriMesh *outer = make_sphere(o, 1.0, 9, 16), *inner = make_sphere(o, 0.5, 9, 16);
    outer_volume = tac_trimesh_volume(outer);
    inner_volume = tac_trimesh_volume(inner);
    if (cases[i].outer_inward) turned_over(outer);
    if (cases[i].inner_inward) turned_over(inner);
    TAC_OWN(tacTriMesh, mesh) = join_meshes(outer, inner);
    TAC_OWN(tacTriMesh, repaired) = repair(mesh, 0.0);
    ck_assert_double_eq_tol(tac_trimesh_volume(repaired), outer_volume + cases[i].inner_sign * inner_volume, 1e-12);
  }
}

/* Beside another part; or within the box of a torus but not within the torus: no cavity. */
TAC_TEST(an_inward_part_outside_of_others_is_turned_over) {
  for (int beside = 0; beside < 2; ++beside) {
    tacTriMesh *small = turned_over(make_sphere(tac_vec3(5.0 * beside, 0, 0), 0.25, 9, 16));
    int flips = small->triangle_count;
    tacTriMesh *large = beside ? make_sphere(tac_vec3(0, 0, 0), 1.0, 9, 16) : make_torus(2.0, 0.5, 20, 10);
    TAC_OWN(tacTriMesh, mesh) = join_meshes(large, small);
    TAC_OWN(tacTriMesh, repaired) = repair(mesh, 0.0);
    ck_assert_int_eq(report.flipped_triangles, flips);
    check_sound(repaired);
  }
}

/* A box without its lid, whose rim is a planar loop of many collinear edges. */
static void check_lid(int n, bool turned) {
  TAC_OWN(tacTriMesh, box) = make_box(unit_box(), n);
  keep_triangles(box, is_not_top);
  if (turned) turn_mesh(box->vertex_count, box->vertices);
  TAC_OWN(tacTriMesh, repaired) = repair(box, 0.0);
  ck_assert_int_eq(report.filled_holes, 1);
  ck_assert_int_eq(report.removed_vertices, (n - 1) * (n - 1));
  check_sound(repaired);
  ck_assert_double_eq_tol(tac_trimesh_volume(repaired), 1.0, 1e-11);
  ck_assert_double_eq_tol(tac_trimesh_area(repaired), 6.0, 1e-11);
  ck_assert_int_eq(report_on(repaired).self_intersections, 0);
}

TAC_TEST(a_large_planar_hole_is_filled_flat) {
  check_lid(1, false);
  check_lid(12, false);
  check_lid(12, true);
  if (!tac_test_light()) check_lid(130, true); /* 520 edges: a fan about the centroid */
}

static bool is_outside_of_the_l(tacVec3 m) {
  bool inside = is_top(m) && m.x > 0.125 && m.x < 0.875 && m.y > 0.125 && m.y < 0.875 && (m.x < 0.375 || m.y < 0.375);
  return !inside;
}

/* An L-shaped hole: the filling of least area stays within it. */
TAC_TEST(a_concave_planar_hole_is_filled_within_its_rim) {
  TAC_OWN(tacTriMesh, box) = make_box(unit_box(), 8);
  ck_assert_int_eq(keep_triangles(box, is_outside_of_the_l), 2 * (6 * 6 - 4 * 4));
  turn_mesh(box->vertex_count, box->vertices);
  TAC_OWN(tacTriMesh, repaired) = repair(box, 0.0);
  check_sound(repaired);
  ck_assert_double_eq_tol(tac_trimesh_area(repaired), 6.0, 1e-12);
  ck_assert_int_eq(report_on(repaired).self_intersections, 0);
}

/* Triangles at the middle of the top, of two squares or halves of them at opposite corners. */
static bool is_not_of_the_squares(tacVec3 m) {
  bool at_centre = is_top(m) && fabs(m.x - 0.5) < 0.2 && fabs(m.y - 0.5) < 0.2;
  return !(at_centre && (m.x < 0.5) == (m.y < 0.5));
}

TAC_TEST(holes_that_touch_at_a_vertex_are_filled_one_by_one) {
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 4);
  ck_assert_int_ge(keep_triangles(mesh, is_not_of_the_squares), 2);
  ck_assert_int_eq(report_on(mesh).nonmanifold_vertices, 1);
  TAC_OWN(tacTriMesh, repaired) = repair(mesh, 0.0);
  ck_assert_int_eq(report.filled_holes, 2);
  check_sound(repaired);
  ck_assert_double_eq_tol(tac_trimesh_area(repaired), 6.0, 1e-12);
}

/* One face of a cube is cut more finely than its neighbours: its extra vertices lie on their edges. */
TAC_TEST(vertices_on_edges_of_neighbours_are_joined_to_them) {
  tacTriMesh *coarse = make_box(unit_box(), 1), *fine = make_box(unit_box(), 3);
  keep_triangles(coarse, is_not_top);
  keep_triangles(fine, is_top);
  TAC_OWN(tacTriMesh, mesh) = join_meshes(coarse, fine);
  TAC_OWN(tacTriMesh, repaired) = repair(mesh, 0.0);
  check_sound(repaired);
  ck_assert_double_eq_tol(tac_trimesh_volume(repaired), 1.0, 1e-13);
  ck_assert_double_eq_tol(tac_trimesh_area(repaired), 6.0, 1e-13);
}

TAC_TEST(groups_keep_their_triangles) {
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 2);
  int count = mesh->triangle_count;
  TAC_MEMORY(int, members) = calloc((size_t)count, sizeof *members);
  int member_count = 0;
  for (int t = 0; t < count; t += 3) members[member_count++] = t;
  mesh->triangles[0] = mesh->triangles[1]; /* triangle 1 becomes a repetition, and there is a hole where 0 was */
  mesh->triangles[6].v[1] = mesh->triangles[6].v[0];
  tac_test_ok(tac_trimesh_add_group(mesh, "third", member_count, members, &error), error);
  tac_test_ok(tac_trimesh_add_group(mesh, "gone", 2, (const int[]){1, 6}, &error), error);
  TAC_OWN(tacTriMesh, repaired) = repair(mesh, 0.0);
  ck_assert_int_eq(report.removed_triangles, 2);
  ck_assert_int_eq(repaired->groups[0].count, member_count - 1);
  ck_assert_int_eq(repaired->groups[1].count, 0);
  ck_assert_str_eq(repaired->groups[0].name, "third");
  for (int i = 0, m = 0; i < repaired->groups[0].count; ++i, ++m) {
    if (members[m] == 6) ++m;
    const tacTriangle *now = &repaired->triangles[repaired->groups[0].indices[i]];
    for (int c = 0; c < 3; ++c)
      ck_assert_mem_eq(&repaired->vertices[now->v[c]], &mesh->vertices[mesh->triangles[members[m]].v[c]],
                       sizeof(tacVec3));
  }
}

/* Only where closed parts touch do repetitions stay: three sheets that meet at an edge have no inside. */
TAC_TEST(repetitions_at_an_edge_of_three_sheets_are_removed) {
  const tacVec3 vertices[5] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0.5}, {-1, 1, 0.5}, {-1, -1, 0.5}};
  const tacTriangle triangles[5] = {{{0, 1, 2}}, {{0, 1, 2}}, {{0, 1, 3}}, {{0, 1, 3}}, {{0, 1, 4}}};
  TAC_OWN(tacTriMesh, mesh) = make_mesh_of(5, vertices, 5, triangles);
  tac_trimesh_destroy(repair(mesh, 0.0));
  ck_assert_int_eq(report.removed_triangles, 2);
}

TAC_TEST(vertices_weld_to_the_nearest_within_the_distance) {
  const tacVec3 vertices[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1.0005, 0, 0}, {0, 1.002, 0}, {1, 1, 0}};
  TAC_OWN(tacTriMesh, mesh) = make_mesh_of(6, vertices, 2, (const tacTriangle[]){{{0, 1, 2}}, {{3, 5, 4}}});
  tac_trimesh_destroy(repair(mesh, 1e-3));
  ck_assert_int_eq(report.welded_vertices, 1);
  tac_trimesh_destroy(repair(mesh, 0.01));
  ck_assert_int_eq(report.welded_vertices, 2);
  ck_assert_int_eq(report.removed_vertices, 0);
}

TAC_TEST(unrepairable_input_is_handled) {
  TAC_OWN(tacTriMesh, mesh) = make_trimesh(7, 9);
  tacRandom random = tac_random_seed(2);
  for (int round = 0; round < (tac_test_all() ? 3000 : tac_test_light() ? 100 : 600); ++round) {
    mesh->triangle_count = (int)(tac_random_bits(&random) % 10);
    mesh->vertex_count = 7;
    for (int v = 0; v < 7; ++v) {
      uint64_t x = tac_random_bits(&random) % 3, y = tac_random_bits(&random) % 2, z = tac_random_bits(&random) % 2;
      mesh->vertices[v] = tac_vec3((double)x, (double)y, (double)z);
    }
    for (int i = 0; i < 27; ++i) mesh->triangles[i / 3].v[i % 3] = (int)(tac_random_bits(&random) % 7);
    TAC_OWN(tacTriMesh, repaired) = repair(mesh, round % 2 == 0 ? 0.0 : 1.0);
    ck_assert_int_eq(report_on(repaired).unused_vertices, 0);
  }
}

TAC_TEST(refuses_a_negative_weld_distance) {
  TAC_OWN(tacTriMesh, mesh) = make_trimesh(0, 0);
  const double wrong[] = {-1.0, NAN};
  for (int i = 0; i < 2; ++i) {
    tacTriMesh *repaired;
    ck_assert_int_eq(tac_repair(mesh, &(tacRepairDef){.weld = wrong[i]}, &repaired, &report, NULL), TAC_ERR_ARGUMENT);
    ck_assert_ptr_null(repaired);
  }
}
