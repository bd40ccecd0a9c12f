#include "mesh/make_mesh.h"

static double solid_volume(const tacTriMesh *mesh) {
  double volume;
  tac_test_ok(tac_trimesh_solid_volume(mesh, &volume, &error), error);
  return volume;
}

TAC_TEST(without_overlaps_it_is_the_volume) {
  tacTriMesh *cavity = turned_over(make_sphere(tac_vec3(0, 0, 0), 0.5, 12, 24));
  TAC_OWN(tacTriMesh, mesh) = join_meshes(make_sphere(tac_vec3(0, 0, 0), 1.0, 12, 24), cavity);
  mesh = join_meshes(mesh, make_sphere(tac_vec3(2.5, 0, 0), 0.3, 12, 24));
  ck_assert_double_eq_tol(solid_volume(mesh), tac_trimesh_volume(mesh), 1e-12);
  turned_over(mesh);
  ck_assert_double_eq_tol(solid_volume(mesh), -tac_trimesh_volume(mesh), 1e-12);
}

TAC_TEST(overlapping_parts_count_once) {
  tacBox first = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, second = {{0.5, 0.3, 0.2}, {1.7, 0.7, 0.9}};
  TAC_OWN(tacTriMesh, mesh) = join_meshes(make_box(first, 3), make_box(second, 2));
  ck_assert_double_eq_tol(tac_trimesh_volume(mesh), 1.0 + 1.2 * 0.4 * 0.7, 1e-12);
  ck_assert_double_eq_tol(solid_volume(mesh), 1.0 + 0.7 * 0.4 * 0.7, 1e-3);
  mesh = join_meshes(mesh, make_box((tacBox){{0.1, 0.1, 0.1}, {0.4, 0.4, 0.4}}, 2)); /* inside the first */
  ck_assert_double_eq_tol(solid_volume(mesh), 1.0 + 0.7 * 0.4 * 0.7, 1e-3);
  turn_mesh(mesh->vertex_count, mesh->vertices);
  ck_assert_double_eq_tol(solid_volume(mesh), 1.0 + 0.7 * 0.4 * 0.7, 1e-3);
}

/* Two cylinders of radius r that cross at right angles have 16/3 r^3 in common (Steinmetz). Prisms of n sides have about
 * 1 - 6.6 / n^2 of a cylinder's section. */
TAC_TEST(crossing_cylinders_share_steinmetz_solid) {
  enum { SIDES = 128 };
  double r = 0.2, length = 2.0;
  tacTriMesh *parts[2];
  for (int i = 0; i < 2; ++i) {
    parts[i] = make_trimesh(2 * SIDES + 2, 4 * SIDES);
    for (int end = 0, t = 0; end < 2; ++end) {
      double along = length * (end - 0.5);
      parts[i]->vertices[2 * SIDES + end] = i == 0 ? tac_vec3(along, 0, 0) : tac_vec3(0, along, 0);
      for (int j = 0; j < SIDES; ++j) {
        double a = 2.0 * M_PI * (j + 0.3) / SIDES, c = r * cos(a), s = r * sin(a);
        int k = (j + 1) % SIDES;
        parts[i]->vertices[end * SIDES + j] = i == 0 ? tac_vec3(along, c, s) : tac_vec3(s, along, c);
        parts[i]->triangles[t++ + end * 2 * SIDES] =
            end == 0 ? (tacTriangle){{2 * SIDES, k, j}} : (tacTriangle){{2 * SIDES + 1, SIDES + j, SIDES + k}};
        parts[i]->triangles[t++ + end * 2 * SIDES] =
            end == 0 ? (tacTriangle){{j, k, SIDES + k}} : (tacTriangle){{j, SIDES + k, SIDES + j}};
      }
      t = 0;
    }
    ck_assert_double_gt(tac_trimesh_volume(parts[i]), 0.0);
  }
  TAC_OWN(tacTriMesh, mesh) = join_meshes(parts[0], parts[1]);
  double expected = 2.0 * M_PI * r * r * length - 16.0 / 3.0 * r * r * r;
  ck_assert_double_eq_tol(solid_volume(mesh), expected, 2e-3 * expected);
}

TAC_TEST(open_surfaces_have_none) {
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 1);
  double volume;
  --mesh->triangle_count;
  ck_assert_int_eq(tac_trimesh_solid_volume(mesh, &volume, &error), TAC_ERR_GEOMETRY);
}
