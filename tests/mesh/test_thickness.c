#include "mesh/query/thickness.h"

#include "mesh/make_mesh.h"

static double *measure(const tacTriMesh *mesh) {
  double *thickness = tac_test_alloc((size_t)mesh->triangle_count * sizeof *thickness);
  tac_test_ok(tac_thickness_measure(mesh, thickness, &error), error);
  return thickness;
}

static tacVec3 normal_of(const tacTriMesh *mesh, int t) {
  return tac_vec3_unit(twice_area(mesh, t));
}

TAC_TEST(a_plate_is_as_thick_as_its_sides_are_apart) {
  tacBox box = {{0.0, 0.0, 0.0}, {3.0, 2.0, 0.1}};
  const double sides[3] = {3.0, 2.0, 0.1};
  for (int turned = 0; turned < 2; ++turned) {
    TAC_OWN(tacTriMesh, mesh) = make_box(box, 7);
    TAC_MEMORY(double, axes) = malloc((size_t)mesh->triangle_count * sizeof *axes);
    for (int t = 0; t < mesh->triangle_count; ++t) {
      tacVec3 n = normal_of(mesh, t);
      axes[t] = fabs(n.x) > 0.5 ? sides[0] : fabs(n.y) > 0.5 ? sides[1] : sides[2];
    }
    if (turned) turn_mesh(mesh->vertex_count, mesh->vertices);
    const double *thickness = measure(mesh);
    for (int t = 0; t < mesh->triangle_count; ++t) ck_assert_double_eq_tol(thickness[t], axes[t], 1e-12);
    /* Of 2 (6 + 0.2 + 0.3) the two large faces have 12, the next 0.4 (3 apart), the last 0.6 (2 apart). */
    ck_assert_double_eq_tol(tac_thickness_quantile(mesh, thickness, 0.0), 0.1, 1e-12);
    ck_assert_double_eq_tol(tac_thickness_quantile(mesh, thickness, 0.9), 0.1, 1e-12);
    ck_assert_double_eq_tol(tac_thickness_quantile(mesh, thickness, 0.95), 2.0, 1e-12);
    ck_assert_double_eq_tol(tac_thickness_quantile(mesh, thickness, 0.99), 3.0, 1e-12);
    ck_assert_double_eq_tol(tac_thickness_quantile(mesh, thickness, 1.0), 3.0, 1e-12);
    double thick = 0.0;
    tac_test_ok(tac_surface_thickness(mesh, 0.95, &thick, &error), error);
    ck_assert_double_eq_tol(thick, 2.0, 1e-12);
    --mesh->triangle_count; /* a hole */
    ck_assert_int_eq(tac_surface_thickness(mesh, 0.95, &thick, &error), TAC_ERR_GEOMETRY);
    ++mesh->triangle_count;
  }
}

/* Where the plane of triangle t is met along the ray, if within the triangle by more than rounding; else 0. */
static double hit(const tacTriMesh *mesh, int t, tacVec3 start, tacVec3 along) {
  tacVec3 n = normal_of(mesh, t);
  double towards = tac_vec3_dot(n, along);
  if (towards == 0.0) return 0.0;
  double s = tac_vec3_dot(n, tac_vec3_sub(corner_of(mesh, t, 0), start)) / towards;
  tacVec3 p = tac_vec3_mad(start, s, along);
  for (int i = 0; i < 3; ++i) {
    tacVec3 side = tac_vec3_sub(corner_of(mesh, t, (i + 1) % 3), corner_of(mesh, t, i));
    if (tac_vec3_dot(tac_vec3_cross(side, tac_vec3_sub(p, corner_of(mesh, t, i))), n) < 0.0) return 0.0;
  }
  return s;
}

TAC_TEST(ray_hits_match_brute_force) {
  TAC_OWN(tacTriMesh, mesh) = make_torus(1.0, 0.3, 40, 21);
  turn_mesh(mesh->vertex_count, mesh->vertices);
  const double *thickness = measure(mesh);
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 start = middle_of(mesh, t), along = tac_vec3_scale(-1.0, normal_of(mesh, t));
    double least = INFINITY;
    for (int other = 0; other < mesh->triangle_count; ++other) {
      double s = other == t ? 0.0 : hit(mesh, other, start, along);
      if (s > 0.0) least = fmin(least, s);
    }
    ck_assert_double_eq_tol(thickness[t], least, 1e-10);
    ck_assert_double_lt(least, 0.61);
  }
}

/* Two boxes along x that overlap: 1 x 1 x 1 and one through its middle, 0.2 high and 3 long. */
TAC_TEST(parts_that_overlap_are_one_solid) {
  TAC_OWN(tacTriMesh, mesh) =
      join_meshes(make_box((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 6),
                  make_box((tacBox){{-1.03, 0.41, 0.39}, {2.03, 0.59, 0.59}}, 9)); /* no two planes are the same */
  const double *thickness = measure(mesh);
  int walls = 0, small = mesh->triangle_count;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 p = middle_of(mesh, t), n = normal_of(mesh, t);
    bool cube = t < 12 * 36;
    if (fabs(n.x) > 0.5 && cube) { /* its ends, where the bar comes through; p is inside or outside of the bar */
      bool covered = p.y > 0.41 && p.y < 0.59 && p.z > 0.39 && p.z < 0.59;
      /* Where it is not covered the ray to the other end does not meet the bar either. */
      ck_assert_double_eq(covered ? 1.0 / thickness[t] : 0.0, 0.0);
      if (!covered) ck_assert_double_eq_tol(thickness[t], 1.0, 1e-12);
      walls += covered;
    } else if (!cube && p.x > 0.0 && p.x < 1.0) { /* inside the cube */
      ck_assert_double_eq(thickness[t], INFINITY);
      ++walls;
    } else if (!cube && fabs(n.x) > 0.5) {
      ck_assert_double_eq_tol(thickness[t], 3.06, 1e-12);
    }
    if (!cube && fabs(n.z) > 0.5 && (p.x < 0.0 || p.x > 1.0)) small = t;
  }
  ck_assert_int_gt(walls, 100);
  ck_assert_int_lt(small, mesh->triangle_count);
  ck_assert_double_eq_tol(thickness[small], 0.2, 1e-12);
}

/* A bar of square section that tapers to a point over a tenth of its length. */
TAC_TEST(a_point_does_not_make_a_bar_thin) {
  enum { RINGS = 101 };
  TAC_OWN(tacTriMesh, mesh) = make_trimesh(4 * RINGS + 2, 8 * (RINGS - 1) + 8);
  int t = 0, base = 4 * RINGS, tip = base + 1;
  for (int i = 0; i < RINGS; ++i) {
    double x = (double)i / (RINGS - 1), half = 0.05 * fmin(1.0, 10.0 * (1.001 - x));
    for (int j = 0; j < 4; ++j) {
      int a = 4 * i + j, b = 4 * i + (j + 1) % 4;
      mesh->vertices[a] = tac_vec3(x, j == 0 || j == 3 ? half : -half, j < 2 ? half : -half);
      if (i + 1 == RINGS) continue;
      mesh->triangles[t++] = (tacTriangle){{a, b, b + 4}};
      mesh->triangles[t++] = (tacTriangle){{a, b + 4, a + 4}};
    }
  }
  mesh->vertices[base] = tac_vec3(0.0, 0.0, 0.0);
  mesh->vertices[tip] = tac_vec3(1.001, 0.0, 0.0);
  for (int j = 0; j < 4; ++j) {
    mesh->triangles[t++] = (tacTriangle){{base, (j + 1) % 4, j}};
    mesh->triangles[t++] = (tacTriangle){{tip, base - 4 + j, base - 4 + (j + 1) % 4}};
  }
  ck_assert_int_eq(t, mesh->triangle_count);
  ck_assert_double_gt(tac_trimesh_volume(mesh), 0.0);
  const double *thickness = measure(mesh);
  ck_assert_double_lt(tac_thickness_quantile(mesh, thickness, 0.0), 0.002);
  ck_assert_double_gt(tac_thickness_quantile(mesh, thickness, 0.06), 0.07);
  ck_assert_double_eq_tol(tac_thickness_quantile(mesh, thickness, 0.5), 0.1, 1e-12);
}

TAC_TEST(open_surfaces_have_no_thickness) {
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 1);
  --mesh->triangle_count;
  double thickness[12];
  ck_assert_int_eq(tac_thickness_measure(mesh, thickness, &error), TAC_ERR_GEOMETRY);
  ++mesh->triangle_count;
  turned_over(mesh);
  tac_test_ok(tac_thickness_measure(mesh, thickness, &error), error);
  ck_assert_double_eq(tac_thickness_quantile(mesh, thickness, 0.5), INFINITY);
}
