#include "mesh/brick_division.h"

#include "mesh/element_volume.h"
#include "mesh/make_mesh.h"

/* A lattice of 3 x 3 x 3 unit cells; nodes inside are displaced by up to `jitter` along each axis, and corners of each
 * brick are numbered from a random one of its 24 orientations. */
static tacVolMesh *lattice(double jitter, tacRandom *random) {
  static const int about_z[8] = {1, 2, 3, 0, 5, 6, 7, 4}, about_x[8] = {4, 5, 1, 0, 7, 6, 2, 3};
  tacVolMesh *mesh = make_bricks((tacBox){{0, 0, 0}, {3, 3, 3}}, 3, 3, 3);
  for (int i = 0; i < mesh->vertex_count; ++i) {
    tacVec3 *p = &mesh->vertices[i];
    bool inside = fmin(p->x, fmin(p->y, p->z)) > 0.0 && fmax(p->x, fmax(p->y, p->z)) < 3.0;
    if (inside) *p = tac_vec3_add(*p, tac_random_in_cube(random, jitter));
  }
  for (int b = 0; b < mesh->brick_count; ++b)
    for (int turn = 0; turn < 8; ++turn) {
      bool z = tac_random_uniform(random, 0.0, 1.0) < 0.5;
      tacBrick before = mesh->bricks[b];
      for (int c = 0; c < 8; ++c) mesh->bricks[b].v[c] = before.v[z ? about_z[c] : about_x[c]];
    }
  return mesh;
}

static tacVolMesh *divided(const tacVolMesh *bricks) {
  tacVolMesh *tets;
  tac_test_ok(tac_brick_division(bricks, &tets, &error), error);
  return tets;
}

/* Neighbours agree on the diagonals of their faces: no face inside is open, and the whole is as large as it was. */
TAC_TEST(division_of_a_conforming_mesh_is_conforming) {
  tacRandom random = tac_random_seed(7);
  for (int round = 0; round < 20; ++round) {
    TAC_OWN(tacVolMesh, bricks) = lattice(0.15, &random);
    TAC_OWN(tacVolMesh, tets) = divided(bricks);
    tacVolumeReport report;
    ck_assert_int_eq(tets->brick_count, 0);
    ck_assert_int_eq(tets->tet_count, 6 * 27);
    tac_test_ok(tac_volmesh_validate(tets, &error), error);
    tac_test_ok(tac_volume_report(tets, &report, &error), error);
    ck_assert_int_eq(report.inverted_elements + report.degenerate_elements + report.nonmanifold_faces, 0);
    ck_assert_int_eq(report.components, 1);
    ck_assert_double_eq_tol(report.volume, 27.0, 1e-12);
    TAC_OWN(tacTriMesh, surface) = surface_of(tets);
    ck_assert_int_eq(surface->triangle_count, 2 * 6 * 9);
  }
}

/* Of a lattice every tetrahedron has the diagonal of its cell, and a sixth of it. */
TAC_TEST(cells_of_a_lattice_are_divided_alike) {
  tacRandom random = tac_random_seed(3);
  TAC_OWN(tacVolMesh, bricks) = lattice(0.0, &random);
  TAC_OWN(tacVolMesh, tets) = divided(bricks);
  for (int e = 0; e < tets->tet_count; ++e) {
    double longest = 0.0;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b)
        longest =
            fmax(longest, tac_vec3_distance(tets->vertices[tets->tets[e].v[a]], tets->vertices[tets->tets[e].v[b]]));
    ck_assert_double_eq_tol(longest, sqrt(3.0), 1e-15);
    ck_assert_double_eq_tol(tac_element_volume(tets, e), 1.0 / 6.0, 1e-15);
  }
}

TAC_TEST(groups_and_sets_of_vertices_are_kept) {
  tacRandom random = tac_random_seed(5);
  TAC_OWN(tacVolMesh, bricks) = lattice(0.0, &random);
  const int some[2] = {4, 20}, nodes[3] = {0, 5, 63};
  tac_test_ok(tac_volmesh_add_group(bricks, "some", 2, some, &error), error);
  tac_test_ok(tac_volmesh_add_vertex_set(bricks, "nodes", 3, nodes, &error), error);
  TAC_OWN(tacVolMesh, tets) = divided(bricks);
  ck_assert_int_eq(tets->group_count, 1);
  ck_assert_str_eq(tets->groups[0].name, "some");
  ck_assert_int_eq(tets->groups[0].count, 12);
  for (int i = 0; i < 12; ++i) { /* each in one of the two cells */
    const int *v = tets->tets[tets->groups[0].indices[i]].v;
    const tacBrick *cell = &bricks->bricks[some[i / 6]];
    for (int k = 0; k < 4; ++k) {
      bool found = false;
      for (int c = 0; c < 8; ++c) found = found || cell->v[c] == v[k];
      ck_assert(found);
    }
  }
  ck_assert_int_eq(tets->vertex_sets[0].count, 3);
  ck_assert_int_eq(tets->vertex_sets[0].indices[2], 63);
}

TAC_TEST(skewed_brick_is_refused) {
  tacRandom random = tac_random_seed(5);
  TAC_OWN(tacVolMesh, bricks) = lattice(0.0, &random);
  tacVolMesh *tets;
  bricks->vertices[21] = tac_vec3(2.5, 2.5, 2.5); /* of (1, 1, 1), beyond the opposite corner of its cell */
  ck_assert_int_eq(tac_brick_division(bricks, &tets, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_null(tets);
}
