#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include "asset/distance_field.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "mesh/query/triangle_tree.h"
#include "test.h"

static tacFieldDef def_of(int resolution, double expansion) {
  tacFieldDef def = tac_field_def_default();
  def.resolution = resolution;
  if (expansion > 0.0) def.expansion = expansion;
  return def;
}

static tacDistanceField *bake_def(const tacTriMesh *mesh, tacFieldDef def) {
  tacDistanceField *field = NULL;
  tac_test_ok(tac_distance_field_bake(mesh, &def, NULL, &field, &error), error);
  return field;
}

static tacDistanceField *bake(const tacTriMesh *mesh, int resolution) {
  return bake_def(mesh, def_of(resolution, 0.0));
}

typedef double (*Distance)(tacVec3 p);

static double sphere_distance(tacVec3 p) {
  return tac_vec3_norm(p) - 1.0;
}
static double torus_distance(tacVec3 p) {
  return hypot(hypot(p.x, p.y) - 1.0, p.z) - 0.4;
}
static double box_distance(tacVec3 p) {
  tacVec3 q = tac_vec3(fabs(p.x) - 0.5, fabs(p.y) - 0.4, fabs(p.z) - 0.3);
  tacVec3 outside = tac_vec3_max(q, tac_vec3(0, 0, 0));
  return tac_vec3_norm(outside) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0);
}

/* The largest error in voxels against the closed form over nodes nearer than `band` voxels. */
static double worst_error(const tacDistanceField *field, Distance distance, double band) {
  const tacGrid *grid = tac_distance_field_grid(field);
  double worst = 0.0;
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j)
      for (int i = 0; i < grid->nx; ++i) {
        double d = distance(tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(i, j, k)));
        if (fabs(d) > band * grid->spacing) continue;
        double value = grid->values[((size_t)k * (size_t)grid->ny + (size_t)j) * (size_t)grid->nx + (size_t)i];
        worst = fmax(worst, fabs(value - d) / grid->spacing);
      }
  return worst;
}

/* How far the flat triangles lie inside the curved surface at most, by sampling their edges and middles. */
static double sagitta(const tacTriMesh *mesh, Distance distance) {
  double worst = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
    const tacVec3 places[4] = {tac_vec3_mix(a, b, 0.5), tac_vec3_mix(b, c, 0.5), tac_vec3_mix(c, a, 0.5),
                               tac_vec3_mix(tac_vec3_mix(a, b, 0.5), c, 1.0 / 3.0)};
    for (int i = 0; i < 4; ++i) worst = fmax(worst, fabs(distance(places[i])));
  }
  return worst;
}

static void check_near_band(tacTriMesh *mesh, Distance distance, int resolution) {
  TAC_OWN(tacDistanceField, field) = bake(mesh, resolution);
  double triangulation = sagitta(mesh, distance) / tac_distance_field_grid(field)->spacing;
  ck_assert_double_lt(worst_error(field, distance, 4.0), 0.01 + 1.05 * triangulation);
  tac_trimesh_destroy(mesh);
}

TAC_TEST(near_the_surface_values_match_the_closed_form) {
  check_near_band(make_sphere(tac_vec3(0, 0, 0), 1.0, 60, 120), sphere_distance, 64);
  check_near_band(make_torus(1.0, 0.4, 160, 80), torus_distance, 64);
  check_near_band(make_box((tacBox){{-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}}, 8), box_distance, 64);
}

/* Against the tree in double precision: exact in the band, elsewhere too large by less than a voxel, never too small. */
TAC_TEST(far_away_the_error_is_bounded) {
  TAC_OWN(tacTriMesh, mesh) =
      join_meshes(make_torus(1.0, 0.4, 80, 40), make_sphere(tac_vec3(0.1, 0, 0.9), 0.3, 20, 40));
  turn_mesh(mesh->vertex_count, mesh->vertices);
  TAC_OWN(tacDistanceField, field) = bake(mesh, 96);
  const tacGrid *grid = tac_distance_field_grid(field);
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(mesh, &tree, &error));
  tacRandom random = tac_random_seed(1);
  for (int q = 0; q < (tac_test_light() ? 2000 : 50000); ++q) {
    int i = (int)(tac_random_bits(&random) % 97), j = (int)(tac_random_bits(&random) % 97),
        k = (int)(tac_random_bits(&random) % 97);
    tacVec3 p = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(i, j, k));
    double exact = tac_triangle_tree_distance(tree, p, NULL, NULL);
    if (tac_triangle_tree_winding(tree, p) > 0.5) exact = -exact;
    double value = grid->values[(k * 97 + j) * 97 + i];
    ck_assert(signbit(exact) == signbit(value) || fabs(exact) < 1e-6);
    double excess = (fabs(value) - fabs(exact)) / grid->spacing;
    ck_assert_double_gt(excess, -1e-4);
    ck_assert_double_lt(excess, fabs(exact) < 4.0 * grid->spacing ? 1e-4 : 1.0);
  }
}

TAC_TEST(an_infinite_band_is_exact_everywhere) {
  TAC_OWN(tacTriMesh, mesh) = make_torus(1.0, 0.4, 40, 20);
  turn_mesh(mesh->vertex_count, mesh->vertices);
  tacFieldDef def = def_of(64, 0.0);
  def.band = INFINITY;
  TAC_OWN(tacDistanceField, field) = bake_def(mesh, def);
  const tacGrid *grid = tac_distance_field_grid(field);
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(mesh, &tree, &error));
  for (int n = 0; n < 65 * 65 * 65; n += tac_test_light() ? 97 : 7) {
    tacVec3 p = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(n % 65, n / 65 % 65, n / 65 / 65));
    ck_assert_double_eq_tol(fabs((double)grid->values[n]), tac_triangle_tree_distance(tree, p, NULL, NULL),
                            1e-4 * grid->spacing);
  }
}

/* Inequality 3.14, on coarse fields whose boxes are tight: the bound stands on exact samples of the box's faces. */
TAC_TEST(outside_the_box_no_value_exceeds_the_distance) {
  TAC_OWN(tacTriMesh, mesh) = make_torus(1.0, 0.4, 40, 20);
  turn_mesh(mesh->vertex_count, mesh->vertices);
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(mesh, &tree, &error));
  tacRandom random = tac_random_seed(3);
  for (int resolution = 3; resolution < 20; resolution += 4) {
    TAC_OWN(tacDistanceField, field) = bake_def(mesh, def_of(resolution, 1.02));
    for (int i = 0; i < 3000; ++i) {
      tacVec3 p = tac_random_in_cube(&random, 3.0);
      const tacGrid *grid = tac_distance_field_grid(field);
      tacVec3 q = tac_vec3_scale(1.0 / grid->spacing, tac_vec3_sub(p, grid->origin));
      bool inside = fmin(q.x, fmin(q.y, q.z)) >= 0.0 && fmax(q.x, fmax(q.y, q.z)) <= resolution;
      if (!inside)
        ck_assert_double_le(tac_distance_field_value(field, p), tac_triangle_tree_distance(tree, p, NULL, NULL) + 1e-6);
    }
  }
}

TAC_TEST(nodes_on_the_faces_of_the_box_are_exact) {
  TAC_OWN(tacTriMesh, mesh) = make_box((tacBox){{-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}}, 12);
  turn_mesh(mesh->vertex_count, mesh->vertices);
  TAC_OWN(tacDistanceField, field) = bake_def(mesh, def_of(48, 2.5));
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(mesh, &tree, &error));
  const tacGrid *grid = tac_distance_field_grid(field);
  for (int a = 0; a <= 48; ++a)
    for (int b = 0; b <= 48; ++b) {
      const int nodes[3][3] = {{0, a, b}, {a, 48, b}, {a, b, 48}};
      for (int f = 0; f < 3; ++f) {
        const int *n = nodes[f];
        tacVec3 p = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(n[0], n[1], n[2]));
        ck_assert_double_eq_tol(grid->values[(n[2] * 49 + n[1]) * 49 + n[0]],
                                tac_triangle_tree_distance(tree, p, NULL, NULL), 1e-4 * grid->spacing);
      }
    }
}

static tacTriMesh *cube_at(double x, double y, double z, double half) {
  return make_box((tacBox){{x - half, y - half, z - half}, {x + half, y + half, z + half}}, 4);
}

TAC_TEST(touching_boxes_are_one_solid) {
  TAC_OWN(tacTriMesh, mesh) = join_meshes(cube_at(-0.5, 0, 0, 0.5), cube_at(0.5, 0, 0, 0.5));
  TAC_OWN(tacDistanceField, field) = bake(mesh, 40);
  tacRandom random = tac_random_seed(2);
  double voxel = tac_distance_field_grid(field)->spacing;
  for (int i = 0; i < 10000; ++i) {
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-1.4, -0.9, -0.9}, {1.4, 0.9, 0.9}});
    tacVec3 q = tac_vec3(fabs(p.x) - 1.0, fabs(p.y) - 0.5, fabs(p.z) - 0.5);
    double outermost = fmax(q.x, fmax(q.y, q.z));
    if (outermost < -voxel && fabs(p.x) > voxel) ck_assert_double_lt(tac_distance_field_value(field, p), 0.0);
    if (outermost > voxel) ck_assert_double_gt(tac_distance_field_value(field, p), 0.0);
  }
  /* Along the seam the triangles of both boxes are inside: close to zero, and never outside. */
  ck_assert_double_le(tac_distance_field_value(field, tac_vec3(0.0, 0.1, 0.1)), 0.0);
}

TAC_TEST(a_cavity_is_outside_and_an_island_in_it_inside) {
  tacTriMesh *cavity = cube_at(0, 0, 0, 0.6);
  for (int t = 0; t < cavity->triangle_count; ++t) flip_triangle(cavity, t);
  TAC_OWN(tacTriMesh, mesh) = join_meshes(join_meshes(cube_at(0, 0, 0, 1.0), cavity), cube_at(0, 0, 0, 0.2));
  TAC_OWN(tacDistanceField, field) = bake(mesh, 48);
  ck_assert_double_lt(tac_distance_field_value(field, tac_vec3(0.8, 0, 0)), -0.15);
  ck_assert_double_gt(tac_distance_field_value(field, tac_vec3(0.4, 0, 0)), 0.15);
  ck_assert_double_lt(tac_distance_field_value(field, tac_vec3(0.0, 0, 0)), -0.1);
}

/* A plate two voxels thick and one that is thinner than a voxel but has a layer of nodes in it. */
TAC_TEST(thin_walls_have_an_inside) {
  for (int thin = 0; thin < 2; ++thin) {
    double half = thin ? 0.004 : 0.024;
    TAC_OWN(tacTriMesh, mesh) = make_box((tacBox){{-1, -1, -half}, {1, 1, half}}, 30);
    TAC_OWN(tacDistanceField, field) = bake(mesh, 128); /* voxels of 0.0234, with nodes at z = 0 */
    ck_assert_double_eq_tol(tac_distance_field_value(field, tac_vec3(0.3, 0.2, 0.0)), -half, 1e-6);
    ck_assert_double_gt(tac_distance_field_value(field, tac_vec3(0.3, 0.2, 0.06)), 0.02);
    ck_assert_double_gt(tac_distance_field_value(field, tac_vec3(0.3, 0.2, -0.06)), 0.02);
  }
}

TAC_TEST(degenerate_triangles_change_nothing) {
  TAC_OWN(tacTriMesh, plain) = make_sphere(tac_vec3(0, 0, 0), 1.0, 12, 24);
  TAC_CREATE(tacTriMesh, extra, tac_trimesh_create(plain->vertex_count, plain->triangle_count + 3, &extra, &error));
  memcpy(extra->vertices, plain->vertices, (size_t)plain->vertex_count * sizeof *plain->vertices);
  memcpy(extra->triangles, plain->triangles, (size_t)plain->triangle_count * sizeof *plain->triangles);
  int v = plain->triangles[5].v[0], w = plain->triangles[5].v[1];
  extra->triangles[plain->triangle_count] = (tacTriangle){{v, v, v}};
  extra->triangles[plain->triangle_count + 1] = (tacTriangle){{v, w, w}};
  extra->triangles[plain->triangle_count + 2] = (tacTriangle){{w, w, v}};
  TAC_OWN(tacDistanceField, a) = bake(plain, 32);
  TAC_OWN(tacDistanceField, b) = bake(extra, 32);
  double voxel = tac_distance_field_grid(a)->spacing;
  for (int i = 0; i < 33 * 33 * 33; ++i) {
    double with = tac_distance_field_grid(b)->values[i], without = tac_distance_field_grid(a)->values[i];
    ck_assert_double_eq_tol(with, without, fabs(without) < 4.0 * voxel ? 1e-5 : voxel);
  }
  ck_assert_double_lt(worst_error(b, sphere_distance, 4.0), 0.5);
}

TAC_TEST(threads_do_not_change_a_bit) {
  TAC_OWN(tacTriMesh, mesh) = make_torus(1.0, 0.4, 40, 20);
  tacFieldDef def = def_of(40, 0.0);
  def.thread_count = 1;
  TAC_OWN(tacDistanceField, one) = bake_def(mesh, def);
  def.thread_count = 5;
  TAC_OWN(tacDistanceField, five) = bake_def(mesh, def);
  ck_assert_mem_eq(tac_distance_field_grid(one)->values, tac_distance_field_grid(five)->values,
                   41 * 41 * 41 * sizeof(float));
}

TAC_TEST(unbakeable_input_is_refused) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0, 0, 0), 1.0, 6, 12);
  tacDistanceField *field;
  tacFieldDef def = def_of(16, 0.0), faults[3] = {def_of(0, 0.0), def, def_of(16, 0.5)};
  faults[1].band = NAN;
  for (int i = 0; i < 3; ++i)
    ck_assert_int_eq(tac_distance_field_bake(mesh, &faults[i], NULL, &field, &error), TAC_ERR_ARGUMENT);
  int calls = 0;
  tacProgress cancel = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_distance_field_bake(mesh, &def, &cancel, &field, &error), TAC_ERR_CANCELLED);
  ck_assert_int_eq(calls, 1);
  ck_assert_ptr_null(field);
  mesh->triangle_count -= 1;
  tac_test_refused(tac_distance_field_bake(mesh, &def, NULL, &field, &error), TAC_ERR_GEOMETRY, error,
                   "boundary edges");
  mesh->triangles[0].v[0] = mesh->vertex_count;
  ck_assert_int_eq(tac_distance_field_bake(mesh, &def, NULL, &field, &error), TAC_ERR_GEOMETRY);
  mesh->triangle_count = 0;
  ck_assert_int_eq(tac_distance_field_bake(mesh, &def, NULL, &field, NULL), TAC_ERR_GEOMETRY);
  ck_assert_int_eq(tac_distance_field_bake_soup(mesh, &def, NULL, &field, NULL, &error), TAC_ERR_GEOMETRY);
}

/* ---- soups (thesis 3.8.1, 3.11) ---- */

TAC_TEST(a_sheet_becomes_a_plate_of_twice_the_offset) {
  TAC_CREATE(tacTriMesh, sheet, tac_trimesh_create(4, 2, &sheet, &error));
  const tacVec3 corners[4] = {{-1, -1, 0.013}, {1, -1, 0.013}, {1, 1, 0.013}, {-1, 1, 0.013}};
  memcpy(sheet->vertices, corners, sizeof corners);
  sheet->triangles[0] = (tacTriangle){{0, 1, 2}};
  sheet->triangles[1] = (tacTriangle){{0, 3, 2}}; /* facing the other way: a soup has no orientation */
  tacFieldDef def = def_of(64, 0.0);
  def.offset = 0.15;
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_CREATE(tacDistanceField, field, tac_distance_field_bake_soup(sheet, &def, NULL, &field, &surface, &error));
  double voxel = tac_distance_field_grid(field)->spacing;
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(surface, &report, &error), error);
  ck_assert(report.closed && report.manifold && report.oriented);
  ck_assert_int_eq(report.components, 1);
  ck_assert_double_eq_tol(tac_distance_field_value(field, tac_vec3(0.2, 0.1, 0.013)), -0.15, 0.3 * voxel);
  ck_assert_double_eq_tol(tac_distance_field_value(field, tac_vec3(0.2, 0.1, 0.263)), 0.1, 0.1 * voxel);
  ck_assert_double_eq_tol(tac_distance_field_value(field, tac_vec3(0.2, 0.1, -0.237)), 0.1, 0.1 * voxel);
}

TAC_TEST(triangle_soup_shells_enclose_their_inside) {
  /* A sphere in loose triangles that face either way, with a ball hidden in it. */
  TAC_OWN(tacTriMesh, mesh) =
      join_meshes(make_sphere(tac_vec3(0, 0, 0), 1.0, 24, 48), make_sphere(tac_vec3(0, 0, 0), 0.3, 8, 16));
  for (int t = 0; t < mesh->triangle_count; t += 3) flip_triangle(mesh, t);
  tacFieldDef def = def_of(64, 0.0);
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_CREATE(tacDistanceField, field, tac_distance_field_bake_soup(mesh, &def, NULL, &field, &surface, &error));
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(surface, &report, &error), error);
  ck_assert_int_eq(report.components, 1);
  double voxel = tac_distance_field_grid(field)->spacing;
  double radius = 1.0 + 1.4 * voxel;
  ck_assert_double_eq_tol(report.volume, 4.0 / 3.0 * 3.14159265 * radius * radius * radius, 0.03 * report.volume);
  ck_assert_double_lt(tac_distance_field_value(field, tac_vec3(0.0, 0.0, 0.0)), -0.9);
  ck_assert_double_lt(tac_distance_field_value(field, tac_vec3(0.6, 0.0, 0.0)), -0.3);
}

TAC_TEST(an_offset_below_half_a_voxel_is_refused) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0, 0, 0), 1.0, 6, 12);
  tacFieldDef def = def_of(16, 0.0);
  def.offset = 0.01;
  tacDistanceField *field;
  ck_assert_int_eq(tac_distance_field_bake_soup(mesh, &def, NULL, &field, NULL, &error), TAC_ERR_ARGUMENT);
  def.offset = -1.0;
  ck_assert_int_eq(tac_distance_field_bake_soup(mesh, &def, NULL, &field, NULL, &error), TAC_ERR_ARGUMENT);
}
