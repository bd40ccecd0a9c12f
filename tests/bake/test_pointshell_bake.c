#include <tactus/pointshell.h>
#include "asset/distance_field.h"
#include "asset/make_grid.h"
#include "asset/pointshell.h"
#include "bake/points/pointshell_bake.h"
#include "mesh/make_mesh.h"

typedef double (*Distance)(tacVec3 p);

static double sphere_distance(tacVec3 p) {
  return tac_vec3_norm(p) - 1.0;
}
static double torus_distance(tacVec3 p) {
  return hypot(hypot(p.x, p.y) - 0.9, p.z) - 0.35;
}
static double capsule_distance(tacVec3 p, tacVec3 a, tacVec3 b, double radius) {
  tacVec3 ab = tac_vec3_sub(b, a);
  double t = tac_vec3_dot(tac_vec3_sub(p, a), ab) / tac_vec3_norm2(ab);
  return tac_vec3_distance(p, tac_vec3_mad(a, fmax(0.0, fmin(1.0, t)), ab)) - radius;
}
static double blend(double a, double b) {
  double h = fmax(0.25 - fabs(a - b), 0.0) / 0.25;
  return fmin(a, b) - 0.0625 * h * h;
}
/* A head with two ears. */
static double rabbit_distance(tacVec3 p) {
  double head = tac_vec3_norm(tac_vec3_sub(p, tac_vec3(0, 0, -0.4))) - 0.7;
  double left = capsule_distance(p, tac_vec3(-0.3, 0, 0.2), tac_vec3(-0.6, 0.1, 1.0), 0.18);
  double right = capsule_distance(p, tac_vec3(0.3, 0, 0.2), tac_vec3(0.5, -0.1, 1.0), 0.18);
  return blend(head, fmin(left, right));
}

static tacPointshell *bake(const tacDistanceField *field, const tacTriMesh *mesh, int points, int levels, int threads) {
  tacPointshellDef def = {.point_count = points, .level_count = levels, .thread_count = threads};
  tacPointshell *shell = NULL;
  tac_test_ok(tac_pointshell_bake(field, mesh, &def, NULL, &shell, &error), error);
  return shell;
}

/* Over the points of a level that are on the side of the body that looks to +side (0: all), each against each. */
static tacPointshellSpacing measure_spacing(const tacPointshell *shell, int level, int side) {
  int count = tac_pointshell_size(shell, level), used = 0;
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < count; ++i) {
    double least2 = INFINITY;
    if (side * tac_pointshell_normal(shell, i).z < 0.0) continue;
    for (int j = 0; j < count; ++j) {
      if (j == i || side * tac_pointshell_normal(shell, j).z < 0.0) continue;
      tacVec3 way = tac_vec3_sub(tac_pointshell_point(shell, i), tac_pointshell_point(shell, j));
      least2 = fmin(least2, tac_vec3_norm2(way));
    }
    ++used;
    sum += sqrt(least2);
    squares += least2;
  }
  double mean = sum / used;
  return (tacPointshellSpacing){mean, sqrt(squares / used - mean * mean) / mean};
}

static void check_levels(Distance distance, int points, int levels) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(48, 1.4, distance);
  TAC_OWN(tacPointshell, shell) = bake(field, NULL, points, levels, 0);
  int last = tac_pointshell_level_count(shell) - 1;
  ck_assert_int_eq(tac_pointshell_size(shell, last), points);
  for (int l = 0; l <= last; ++l) {
    int size = tac_pointshell_size(shell, l);
    if (l < last) ck_assert_int_eq(size, tac_pointshell_size(shell, l + 1) / 4);
    tacPointshellSpacing even = measure_spacing(shell, l, 0), stored;
    ck_assert_double_lt(even.variation, 0.1);
    /* In a hexagonal pattern the spacing would be sqrt(2 / sqrt(3) area / n). */
    double hexagonal = sqrt(2.0 / sqrt(3.0) * tac_pointshell_surface_area(shell) / size);
    ck_assert_double_gt(even.mean, 0.85 * hexagonal);
    tac_test_ok(tac_pointshell_spacing(shell, l, &stored, &error), error);
    ck_assert_double_eq_tol(stored.mean, even.mean, 1e-2 * even.mean);
    ck_assert_double_eq_tol(stored.variation, even.variation, 2e-2);
  }
  double voxel = tac_distance_field_grid(field)->spacing;
  for (int i = 0; i < points; ++i) {
    tacVec3 p = tac_pointshell_point(shell, i);
    ck_assert_double_lt(fabs(tac_distance_field_value(field, p)), 1e-4 * voxel);
    ck_assert_double_lt(fabs(distance(p)), 0.2 * voxel);
  }
}

TAC_TEST(every_level_is_even_on_a_sphere_a_torus_and_a_rabbit) {
  check_levels(sphere_distance, tac_test_light() ? 800 : 1600, 0);
  check_levels(torus_distance, tac_test_light() ? 800 : 2000, 3);
  check_levels(rabbit_distance, tac_test_light() ? 800 : 1600, 0);
}

TAC_TEST(many_points_on_one_level_are_even) {
  check_levels(torus_distance, 1300, 1);
}

TAC_TEST(areas_are_those_of_the_nearest_points) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(64, 1.4, sphere_distance);
  TAC_OWN(tacPointshell, shell) = bake(field, NULL, tac_test_light() ? 400 : 800, 2, 0);
  double whole = tac_pointshell_surface_area(shell);
  ck_assert_double_eq_tol(whole, 4.0 * acos(-1.0), 0.02);
  for (int l = 0; l < 2; ++l) {
    double sum = 0.0;
    for (int i = 0; i < tac_pointshell_size(shell, l); ++i) sum += tac_pointshell_area(shell, l, i);
    ck_assert_double_eq_tol(sum, whole, 1e-4 * whole);
  }
  /* Random places on the sphere, each counted for the nearest point of the first level. */
  int size = tac_pointshell_size(shell, 0), places = tac_test_light() ? 10000 : 25000;
  TAC_MEMORY(int, hits) = calloc((size_t)size, sizeof *hits);
  ck_assert_ptr_nonnull(hits);
  tacRandom random = tac_random_seed(4);
  for (int k = 0; k < places; ++k) {
    tacVec3 p = tac_vec3_unit(tac_random_normal3(&random));
    int nearest = 0;
    for (int i = 1; i < size; ++i)
      if (tac_vec3_distance(p, tac_pointshell_point(shell, i)) <
          tac_vec3_distance(p, tac_pointshell_point(shell, nearest)))
        nearest = i;
    ++hits[nearest];
  }
  for (int i = 0; i < size; ++i) {
    double expected = whole * hits[i] / places;
    /* Five standard deviations of the count. */
    ck_assert_double_eq_tol(tac_pointshell_area(shell, 0, i), expected, expected * 5.0 / sqrt(hits[i]));
  }
}

TAC_TEST(normals_of_a_sphere_point_outward) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(64, 1.4, sphere_distance);
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0, 0, 0), 1.0, 60, 120);
  for (int with_mesh = 0; with_mesh < 2; ++with_mesh) {
    TAC_OWN(tacPointshell, shell) = bake(field, with_mesh ? mesh : NULL, 300, 0, 0);
    for (int i = 0; i < 300; ++i) {
      tacVec3 n = tac_pointshell_normal(shell, i), p = tac_vec3_unit(tac_pointshell_point(shell, i));
      ck_assert_double_eq_tol(tac_vec3_norm(n), 1.0, 1e-6);
      ck_assert_double_lt(tac_vec3_distance(n, p), 0.05); /* flat triangles of 0.05 m on a radius of 1 m */
    }
  }
}

/* Up to its edges every point has the normal of a face: the one that it is nearest to. */
TAC_TEST(normals_of_a_box_keep_its_edges) {
  TAC_OWN(tacTriMesh, mesh) = make_box((tacBox){{-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}}, 4);
  tacFieldDef def = tac_field_def_default();
  def.resolution = 32;
  TAC_CREATE(tacDistanceField, field, tac_distance_field_bake(mesh, &def, NULL, &field, &error));
  TAC_OWN(tacPointshell, shell) = bake(field, mesh, tac_test_light() ? 400 : 1500, 0, 0);
  const double voxel = tac_distance_field_grid(field)->spacing;
  int near_edges = 0;
  for (int i = 0; i < tac_pointshell_size(shell, 99); ++i) {
    tacVec3 p = tac_pointshell_point(shell, i), n = tac_pointshell_normal(shell, i);
    const double at[3] = {p.x, p.y, p.z}, half[3] = {0.5, 0.4, 0.3}, along[3] = {n.x, n.y, n.z};
    double depth[3];
    int nearest = 0, uncertain = 0;
    for (int a = 0; a < 3; ++a) {
      depth[a] = half[a] - fabs(at[a]);
      if (depth[a] < depth[nearest]) nearest = a;
    }
    for (int a = 0; a < 3; ++a) {
      uncertain += a != nearest && fabs(depth[a] - depth[nearest]) < 1e-6;
      near_edges += a != nearest && depth[a] < voxel;
    }
    if (uncertain == 0) ck_assert_double_eq_tol(along[nearest], at[nearest] > 0.0 ? 1.0 : -1.0, 1e-6);
  }
  ck_assert_int_gt(near_edges, 10);
}

/* Points of both sides do not see each other, however thin the sheet is compared to their spacing. */
TAC_TEST(both_sides_of_a_sheet_are_sampled) {
  TAC_CREATE(tacTriMesh, sheet, tac_trimesh_create(4, 2, &sheet, &error));
  for (int v = 0; v < 4; ++v) sheet->vertices[v] = tac_vec3(v & 1, v >> 1, 0.0);
  sheet->triangles[0] = (tacTriangle){{0, 1, 2}};
  sheet->triangles[1] = (tacTriangle){{1, 3, 2}};
  tacFieldDef def = tac_field_def_default();
  def.resolution = 64;
  def.expansion = 1.1;
  TAC_CREATE(tacDistanceField, field, tac_distance_field_bake_soup(sheet, &def, NULL, &field, NULL, &error));
  TAC_OWN(tacPointshell, shell) = bake(field, NULL, 600, 2, 0);
  for (int l = 0; l < 2; ++l) {
    int size = tac_pointshell_size(shell, l), up = 0, down = 0;
    double area_up = 0.0;
    for (int i = 0; i < size; ++i) {
      tacVec3 p = tac_pointshell_point(shell, i), n = tac_pointshell_normal(shell, i);
      if (n.z > 0.0) area_up += tac_pointshell_area(shell, l, i);
      up += n.z > 0.9;
      down += n.z < -0.9;
      if (p.x > 0.1 && p.x < 0.9 && p.y > 0.1 && p.y < 0.9) {
        ck_assert_double_gt(n.z * p.z, 0.0);
        ck_assert_double_gt(fabs(n.z), 0.99);
      }
    }
    ck_assert_int_gt(up, size / 4);
    ck_assert_int_gt(down, size / 4);
    ck_assert_double_eq_tol(area_up / tac_pointshell_surface_area(shell), 0.5, 0.1);
    ck_assert_double_lt(measure_spacing(shell, l, 1).variation, 0.15);
    ck_assert_double_lt(measure_spacing(shell, l, -1).variation, 0.15);
  }
  /* Thin: half the spacing of the first level. */
  tacPointshellSpacing spacing;
  tac_test_ok(tac_pointshell_spacing(shell, 0, &spacing, &error), error);
  ck_assert_double_lt(3.0 * tac_distance_field_grid(field)->spacing, 0.6 * spacing.mean);
}

TAC_TEST(result_is_independent_of_threads) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(48, 1.4, rabbit_distance);
  TAC_OWN(tacPointshell, one) = bake(field, NULL, 1500, 2, 1);
  TAC_OWN(tacPointshell, two) = bake(field, NULL, 1500, 2, 2);
  for (int i = 0; i < 1500; ++i) {
    tacVec3 p[2] = {tac_pointshell_point(one, i), tac_pointshell_point(two, i)};
    tacVec3 n[2] = {tac_pointshell_normal(one, i), tac_pointshell_normal(two, i)};
    ck_assert(memcmp(&p[0], &p[1], sizeof p[0]) == 0 && memcmp(&n[0], &n[1], sizeof n[0]) == 0);
    ck_assert(tac_pointshell_area(one, 1, i) == tac_pointshell_area(two, 1, i));
  }
}

static void check_refused(const tacDistanceField *field, const tacTriMesh *mesh, int points, int levels,
                          tacStatus status, const char *says) {
  tacPointshellDef def = {.point_count = points, .level_count = levels};
  tacPointshell *shell = (tacPointshell *)&def;
  tac_test_refused(tac_pointshell_bake(field, mesh, &def, NULL, &shell, &error), status, error, says);
  ck_assert_ptr_null(shell);
}

static double nowhere(tacVec3 p) {
  return 1.0 + tac_vec3_norm(p);
}
static double floor_distance(tacVec3 p) {
  return p.z;
}

TAC_TEST(impossible_requests_are_refused) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(24, 1.4, sphere_distance);
  TAC_OWN(tacDistanceField, empty) = make_grid_field(8, 1.0, nowhere);
  TAC_OWN(tacDistanceField, cut) = make_grid_field(8, 1.0, floor_distance);
  TAC_OWN(tacTriMesh, other) = make_sphere(tac_vec3(0, 0, 0), 0.5, 8, 16);
  TAC_CREATE(tacDistanceField, analytic, tac_distance_field_sphere(tac_vec3(0, 0, 0), 1.0, &analytic, &error));
  check_refused(analytic, NULL, 100, 0, TAC_ERR_ARGUMENT, "grid");
  check_refused(field, NULL, 3, 0, TAC_ERR_ARGUMENT, "at least 4");
  check_refused(field, NULL, 100, 4, TAC_ERR_ARGUMENT, "at most 3 levels");
  check_refused(field, NULL, 100, -1, TAC_ERR_ARGUMENT, "1 to 12");
  check_refused(field, NULL, 2147483647, 0, TAC_ERR_MEMORY, "use fewer");
  check_refused(field, other, 100, 0, TAC_ERR_ARGUMENT, "mesh");
  check_refused(empty, NULL, 100, 0, TAC_ERR_GEOMETRY, "");
  check_refused(cut, NULL, 100, 0, TAC_ERR_GEOMETRY, "box");
  tacPointshellSpacing spacing;
  tacPointshell *shell = bake(field, NULL, 20, 0, 0);
  ck_assert_int_eq(tac_pointshell_spacing(shell, -1, &spacing, &error), TAC_ERR_ARGUMENT);
  tac_pointshell_destroy(shell);
  int calls = 0;
  tacPointshellDef def = tac_pointshell_def_default();
  const tacProgress cancel = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_pointshell_bake(field, NULL, &def, &cancel, &shell, &error), TAC_ERR_CANCELLED);
  ck_assert_ptr_null(shell);
  ck_assert_int_eq(calls, 1);
}
