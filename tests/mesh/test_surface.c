#include "mesh/make_mesh.h"

TAC_TEST(surfaces_of_tets_and_bricks_are_closed_and_face_outward) {
  for (int kind = 0; kind < 2; ++kind) {
    TAC_OWN(tacVolMesh, mesh) = kind == 0 ? make_tets(unit_box(), 3, 4, 2) : make_bricks(unit_box(), 3, 4, 2);
    TAC_OWN(tacTriMesh, surface) = surface_of(mesh);
    tac_test_ok(tac_trimesh_validate(surface, &error), error);
    ck_assert_int_eq(surface->triangle_count, 2 * 2 * (3 * 4 + 4 * 2 + 2 * 3));
    tacSurfaceReport report = report_on(surface);
    ck_assert(report.closed && report.manifold && report.oriented);
    ck_assert_int_eq(report.genus, 0);
    ck_assert_int_eq(report.unused_vertices, 0);
    ck_assert_double_eq_tol(report.volume, 1.0, 1e-13);
    ck_assert_double_eq_tol(report.area, 6.0, 1e-13);
  }
}

TAC_TEST(surface_vertices_and_triangles_have_their_sources) {
  TAC_OWN(tacVolMesh, mesh) = make_tets(unit_box(), 3, 3, 3);
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_MEMORY(int, vertex_of) = NULL;
  TAC_MEMORY(int, element_of) = NULL;
  tac_test_ok(tac_volmesh_surface(mesh, &surface, &vertex_of, &element_of, &error), error);
  ck_assert_int_eq(surface->vertex_count, 64 - 8);
  for (int v = 0; v < surface->vertex_count; ++v)
    ck_assert_mem_eq(&surface->vertices[v], &mesh->vertices[vertex_of[v]], sizeof(tacVec3));
  for (int t = 0; t < surface->triangle_count; ++t) {
    const int *corners = mesh->tets[element_of[t]].v;
    for (int c = 0; c < 3; ++c) {
      int v = vertex_of[surface->triangles[t].v[c]];
      ck_assert(v == corners[0] || v == corners[1] || v == corners[2] || v == corners[3]);
    }
  }
}

TAC_TEST(elements_of_negative_volume_face_outward_too) {
  TAC_OWN(tacVolMesh, mesh) = make_tets(unit_box(), 2, 2, 2);
  for (int t = 0; t < mesh->tet_count; t += 3) flip_tet(mesh, t);
  TAC_OWN(tacTriMesh, surface) = surface_of(mesh);
  ck_assert(report_on(surface).oriented);
  ck_assert_double_eq_tol(tac_trimesh_volume(surface), 1.0, 1e-13);
}

/* A brick whose top is pressed to an edge has two triangles and three quadrilaterals for faces. */
TAC_TEST(a_brick_pressed_to_a_wedge_has_a_closed_surface) {
  TAC_OWN(tacVolMesh, mesh) = make_bricks(unit_box(), 1, 1, 1);
  int *v = mesh->bricks[0].v;
  v[7] = v[4];
  v[6] = v[5];
  TAC_OWN(tacTriMesh, surface) = surface_of(mesh);
  tacSurfaceReport report = report_on(surface);
  ck_assert_int_eq(report.triangles, 8);
  ck_assert(report.closed && report.oriented);
  ck_assert_double_eq_tol(report.volume, 0.5, 1e-14);
}

TAC_TEST(broken_elements_are_survived) {
  TAC_OWN(tacVolMesh, mesh) = make_volmesh(5, 4, 1);
  mesh->tets[0] = (tacTet){{0, 0, 0, 0}};
  mesh->tets[1] = mesh->tets[2] = mesh->tets[3] = (tacTet){{0, 1, 2, 3}};
  TAC_OWN(tacTriMesh, surface) = surface_of(mesh);
  ck_assert_int_eq(surface->triangle_count, 0);
}
