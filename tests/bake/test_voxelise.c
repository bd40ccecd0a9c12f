#include <tactus/meshing.h>

#include <tactus/mesh.h>
#include "mesh/make_mesh.h"
#include "mesh/query/triangle_tree.h"

/* A sphere of radius 1, or a torus, with triangles that are smaller than the tests' voxels. */
static tacTriMesh *round_surface(bool torus) {
  return torus ? make_torus(0.9, 0.4, 110, 50) : make_sphere(tac_vec3(0, 0, 0), 1.0, 60, 120);
}

static tacVolumeReport check_fit(const tacVolMesh *mesh) {
  tacVolumeReport report;
  tac_test_ok(tac_volmesh_validate(mesh, &error), error);
  tac_test_ok(tac_volume_report(mesh, &report, &error), error);
  ck_assert_int_eq(report.tets, 0);
  ck_assert_int_eq(report.inverted_elements, 0);
  ck_assert_int_eq(report.nonmanifold_faces, 0);
  ck_assert_int_eq(report.duplicate_elements, 0);
  ck_assert_int_eq(report.unused_vertices, 0);
  ck_assert_double_eq_tol(report.shortest_edge, report.longest_edge, 1e-9 * report.longest_edge);
  return report;
}

static tacVolMesh *voxelise(const tacTriMesh *surface, int resolution, tacVoxelRule rule) {
  tacVoxeliseDef def = tac_voxelise_def_default();
  def.resolution = resolution;
  def.rule = rule;
  tacVolMesh *mesh;
  tac_test_ok(tac_voxelise(surface, &def, NULL, &mesh, &error), error);
  return mesh;
}

static tacVec3 brick_centre(const tacVolMesh *mesh, int b) {
  return tac_vec3_mix(mesh->vertices[mesh->bricks[b].v[0]], mesh->vertices[mesh->bricks[b].v[6]], 0.5);
}

/* Whether a brick contains p to rounding, by looking at them all. */
static bool covers(const tacVolMesh *mesh, tacVec3 p) {
  for (int b = 0; b < mesh->brick_count; ++b) {
    tacVec3 l = mesh->vertices[mesh->bricks[b].v[0]], u = mesh->vertices[mesh->bricks[b].v[6]];
    double outside = fmax(fmax(fmax(l.x - p.x, p.x - u.x), fmax(l.y - p.y, p.y - u.y)), fmax(l.z - p.z, p.z - u.z));
    if (outside < 1e-12) return true;
  }
  return false;
}

TAC_TEST(box_is_filled_exactly_with_shared_vertices) {
  TAC_OWN(tacTriMesh, surface) = make_box((tacBox){{1, 2, 3}, {3, 3, 3.5}}, 1);
  for (int rule = TAC_VOXELS_CENTRE; rule <= TAC_VOXELS_COVER; ++rule) {
    TAC_OWN(tacVolMesh, mesh) = voxelise(surface, 8, (tacVoxelRule)rule);
    tacVolumeReport report = check_fit(mesh);
    ck_assert_int_eq(mesh->brick_count, 8 * 4 * 2);
    ck_assert_int_eq(mesh->vertex_count, 9 * 5 * 3);
    ck_assert_double_eq_tol(report.volume, 1.0, 1e-12);
    ck_assert_double_eq_tol(report.box.lower.x, 1.0, 1e-12);
    ck_assert_double_eq_tol(report.box.upper.z, 3.5, 1e-12);
  }
}

/* Single precision makes a side of 5 voxels a little longer; a millimetre far from the origin has few digits. */
TAC_TEST(rounding_opens_no_gap_in_a_cover) {
  const tacBox boxes[] = {{{0, 0, 0}, {1, 1, 0.5 + 2e-8}}, {{1e6, 1e6, 1e6}, {1e6 + 0.001, 1e6 + 0.001, 1e6 + 0.0005}}};
  for (int i = 0; i < 2; ++i) {
    TAC_OWN(tacTriMesh, surface) = make_box(boxes[i], 1);
    TAC_OWN(tacVolMesh, mesh) = voxelise(surface, 10, TAC_VOXELS_COVER);
    ck_assert_int_eq(mesh->brick_count, 10 * 10 * 5);
  }
}

TAC_TEST(centre_rule_has_the_right_volume) {
  for (int torus = 0; torus < 2; ++torus) {
    TAC_OWN(tacTriMesh, surface) = round_surface(torus);
    TAC_OWN(tacVolMesh, mesh) = voxelise(surface, 48, TAC_VOXELS_CENTRE);
    tacVolumeReport report = check_fit(mesh);
    ck_assert_double_eq_tol(report.volume / tac_trimesh_volume(surface), 1.0, 0.02);
    ck_assert_int_eq(report.components, 1);
  }
}

TAC_TEST(cover_loses_nothing_and_shell_is_hollow) {
  TAC_OWN(tacTriMesh, surface) = round_surface(false);
  TAC_OWN(tacVolMesh, cover) = voxelise(surface, 14, TAC_VOXELS_COVER);
  TAC_OWN(tacVolMesh, shell) = voxelise(surface, 14, TAC_VOXELS_SHELL);
  TAC_OWN(tacVolMesh, centre) = voxelise(surface, 14, TAC_VOXELS_CENTRE);
  check_fit(cover);
  check_fit(shell);
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 500; ++i) {
    const int *v = surface->triangles[tac_random_bits(&random) % (uint64_t)surface->triangle_count].v;
    tacVec3 p = tac_vec3_mix(surface->vertices[v[0]], surface->vertices[v[1]], tac_random_uniform(&random, 0, 1));
    p = tac_vec3_mix(p, surface->vertices[v[2]], tac_random_uniform(&random, 0, 1));
    ck_assert(covers(shell, p) && covers(cover, p));
    ck_assert(covers(cover, tac_vec3_scale(tac_random_uniform(&random, 0, 1), p)));
  }
  ck_assert(!covers(shell, tac_vec3(0.01, 0.01, 0.01)));
  /* The shell is what the surface touches: no brick farther than half its diagonal, none nearer than half its side left
   * out; the cover is the shell and what lies inside it. */
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(surface, &tree, &error));
  double side = 2.0 / 14, touched = 0;
  for (int b = 0; b < shell->brick_count; ++b)
    ck_assert_double_lt(tac_triangle_tree_distance(tree, brick_centre(shell, b), NULL, NULL),
                        0.5 * sqrt(3.0) * side * 1.001);
  for (int b = 0; b < cover->brick_count; ++b) {
    double distance = tac_triangle_tree_distance(tree, brick_centre(cover, b), NULL, NULL);
    bool in_shell = covers(shell, brick_centre(cover, b));
    if (distance < 0.499 * side) ck_assert(in_shell);
    if (!in_shell) ck_assert_double_lt(tac_vec3_norm(brick_centre(cover, b)), 1.0);
    touched += in_shell;
  }
  ck_assert_int_eq((int)touched, shell->brick_count);
  ck_assert_int_gt(cover->brick_count, centre->brick_count);
}

TAC_TEST(soup_is_covered_but_has_no_inside) {
  TAC_OWN(tacTriMesh, surface) = make_box((tacBox){{0, 0, 0}, {1, 1, 1}}, 1);
  surface->triangle_count = 10; /* without one face */
  TAC_OWN(tacVolMesh, cover) = voxelise(surface, 10, TAC_VOXELS_COVER);
  TAC_OWN(tacVolMesh, shell) = voxelise(surface, 10, TAC_VOXELS_SHELL);
  ck_assert_int_eq(cover->brick_count, shell->brick_count);
  ck_assert_int_eq(shell->brick_count, 10 * 10 * 10 - 9 * 8 * 8);
  tacVoxeliseDef def = {10, TAC_VOXELS_CENTRE};
  tacVolMesh *mesh = NULL;
  tac_test_refused(tac_voxelise(surface, &def, NULL, &mesh, &error), TAC_ERR_GEOMETRY, error, "not closed");
  surface->triangle_count = 1; /* flat */
  TAC_OWN(tacVolMesh, flat) = voxelise(surface, 16, TAC_VOXELS_SHELL);
  ck_assert_int_eq(flat->brick_count,
                   16 * 17 / 2 + 15); /* the triangle's half, and voxels that its long side touches */
}

TAC_TEST(resolution_is_found_for_a_volume) {
  TAC_OWN(tacTriMesh, surface) = round_surface(true);
  int resolution;
  TAC_CREATE(tacVolMesh, mesh, tac_voxelise_to_volume(surface, 0.02, NULL, &mesh, &resolution, &error));
  ck_assert_double_eq_tol(check_fit(mesh).volume / tac_trimesh_volume(surface), 1.0, 0.02);
  ck_assert_int_gt(resolution, 8);
  TAC_OWN(tacVolMesh, coarse) = voxelise(surface, 8, TAC_VOXELS_CENTRE);
  ck_assert_double_gt(fabs(check_fit(coarse).volume / tac_trimesh_volume(surface) - 1.0), 0.02);
  tacVolMesh *none;
  ck_assert_int_eq(tac_voxelise_to_volume(surface, -1.0, NULL, &none, &resolution, &error), TAC_ERR_ARGUMENT);
}

TAC_TEST(bad_requests_are_refused) {
  TAC_OWN(tacTriMesh, surface) = make_box((tacBox){{0, 0, 0}, {1, 1, 1}}, 1);
  static const struct {
    int resolution;
    tacStatus status;
  } faults[] = {{0, TAC_ERR_ARGUMENT}, {1025, TAC_ERR_ARGUMENT}, {8, TAC_ERR_GEOMETRY}, {8, TAC_ERR_GEOMETRY}};
  for (int i = 0; i < 4; ++i) {
    tacVolMesh *mesh = NULL;
    for (int v = 0; i == 2 && v < surface->vertex_count; ++v) surface->vertices[v] = tac_vec3(1, 1, 1);
    if (i == 3) surface->triangle_count = 0;
    const tacVoxeliseDef def = {faults[i].resolution, TAC_VOXELS_SHELL};
    ck_assert_int_eq(tac_voxelise(surface, &def, NULL, &mesh, &error), faults[i].status);
    ck_assert_ptr_null(mesh);
  }
}
