#include "mesh/make_mesh.h"

/* Tetrahedra: one, without a triangle, with one turned over; two that share an edge, which has four triangles, two in each direction;
 * and one with triangles of repeated corners, which change nothing. */
TAC_TEST(a_surface_is_closed_where_edges_are_used_as_often_in_both_directions) {
  static const struct {
    int count;
    tacTriangle triangles[8];
    const char *says; /* NULL: it is closed */
  } cases[] = {
      {4, {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}}, NULL},
      {3, {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}}, "the surface is not closed: 3 boundary edges"},
      {4, {{{0, 1, 2}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}}, "the surface is not closed: 6 boundary edges"},
      {8,
       {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}, {{0, 4, 1}}, {{0, 1, 5}}, {{1, 4, 5}}, {{4, 0, 5}}},
       NULL},
      {6, {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}, {{1, 1, 2}}, {{3, 3, 3}}}, NULL},
      {0, {{{0, 0, 0}}}, "the surface has no triangles"},
  };
  static const tacVec3 corners[6];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    TAC_OWN(tacTriMesh, mesh) = make_mesh_of(6, corners, cases[i].count, cases[i].triangles);
    error = (tacError){0};
    tacStatus expected = cases[i].says == NULL ? TAC_OK : TAC_ERR_GEOMETRY;
    ck_assert_int_eq(tac_trimesh_require_closed(mesh, &error), expected);
    if (cases[i].says != NULL) ck_assert_str_eq(error.text, cases[i].says);
    ck_assert_int_eq(tac_trimesh_require_closed(mesh, NULL), expected);
  }
}
