#include <tactus/meshing.h>

#include <math.h>
#include <string.h>
#include <tactus/mesh.h>
#include "math/geometry/vec3.h"
#include "shape/gallery.h"
#include "shape/shape.h"
#include "test.h"

/* What is said of each shape, written down here a second time. Handles: the bridge has 22 windows on each side and 3 in
 * each tower; the tower 2 beside each arch, 4 in each cross and 3 between them, 3 above, and a hole in its first floor; the
 * knight's arm, shield and body form a ring, each of the figurine's arms one with its lap. Lengths in millimetres along x, y, z; 0 where nothing is stated. */
typedef struct Statement {
  const char *name;
  int components, genus;
  double length[3];
} Statement;

static const Statement statements[] = {
    {"sphere", 1, 0, {100.0, 100.0, 100.0}},
    {"box", 1, 0, {100.0, 80.0, 60.0}},
    {"beam", 1, 0, {400.0, 40.0, 40.0}},
    {"cube", 1, 0, {70.0, 70.0, 70.0}},
    {"torus", 1, 1, {140.0, 140.0, 40.0}},
    {"nodule", 1, 0, {80.0, 80.0, 50.0}},
    {"suspension-bridge", 1, 50, {1000.0, 152.0, 300.0}},
    {"tower", 1, 27, {248.0, 248.0, 500.0}},
    {"table", 1, 0, {300.0, 200.0, 150.0}},
    {"table-reinforced", 1, 2, {300.0, 200.0, 150.0}},
    {"chair", 1, 1, {200.0, 0.0, 0.0}},
    {"clip", 1, 0, {78.788551, 20.0, 37.403058}},
    {"pipe", 1, 1, {30.0, 160.0, 30.0}},
    {"hoses", 1, 3, {201.0, 220.0, 180.0}},
    {"hose-part", 1, 3, {140.0, 62.0, 28.0}},
    {"alpha-tube-a", 1, 0, {157.5, 100.0, 32.64}},
    {"alpha-tube-b", 1, 0, {157.5, 32.64, 100.0}},
    {"coil-spring", 1, 0, {46.0, 46.0, 72.0}},
    {"cables", 1, 6, {320.0, 60.0, 76.5}},
    {"peg", 1, 0, {64.0, 64.0, 95.0}},
    {"hole", 1, 0, {76.0, 76.0, 63.25}},
    {"spatula", 1, 4, {280.0, 75.0, 27.0}},
    {"spoon", 1, 0, {180.0, 46.0, 0.0}},
    {"banana-seat", 1, 0, {380.0, 140.0, 0.0}},
    {"basket", 1, 0, {121.0, 121.0, 71.5}},
    {"grasper-jaw", 1, 1, {34.0, 8.0, 5.0}},
    {"grasper-shaft", 1, 0, {303.0, 18.0, 18.0}},
    {"swab", 1, 0, {12.0, 30.0, 20.0}},
    {"needle", 1, 0, {1.6, 1.6, 60.0}},
    {"blade", 1, 0, {1.2, 30.0, 12.0}},
    {"rod", 1, 0, {1.0, 36.0, 1.0}},
    {"sheet", 1, 0, {40.0, 40.0, 1.0}},
    {"kidney", 1, 0, {0.0, 0.0, 110.0}},
    {"liver", 1, 0, {230.0, 0.0, 0.0}},
    {"heart", 1, 0, {0.0, 0.0, 175.0}},
    {"eye", 1, 1, {25.2, 25.2, 33.4}},
    {"trocar", 1, 1, {4.9, 4.9, 6.0}},
    {"eye-trocars", 3, 3, {25.2, 25.2, 33.4}},
    {"eyeball", 1, 0, {24.0, 24.0, 25.4}},
    {"stomach", 1, 0, {0.0, 0.0, 0.0}},
    {"colon", 1, 0, {0.0, 0.0, 0.0}},
    {"small-intestine", 1, 0, {0.0, 0.0, 0.0}},
    {"diaphragm", 1, 0, {0.0, 0.0, 0.0}},
    {"bunny", 1, 0, {0.0, 0.0, 150.0}},
    {"knight", 1, 1, {0.0, 0.0, 300.0}},
    {"axe", 1, 0, {0.0, 46.0, 700.0}},
    {"dragon", 1, 0, {280.0, 0.0, 0.0}},
    {"dinosaur", 1, 0, {200.0, 0.0, 0.0}},
    {"blob", 1, 0, {90.0, 0.0, 0.0}},
    {"figurine", 1, 2, {0.0, 0.0, 150.0}},
};
#define STATEMENT_COUNT ((int)(sizeof statements / sizeof *statements))

static bool is_one_of(const char *name, int count, const char *const *names) {
  for (int i = 0; i < count; ++i)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* Sanitizer builds look at three shapes only; five that take half of the time are left to TACTUS_TEST_ALL. */
static bool chosen(const char *name) {
  static const char *const few[] = {"nodule", "table-reinforced", "kidney"};
  static const char *const large[] = {"dragon", "knight", "axe", "suspension-bridge", "figurine"};
  return tac_test_light() ? is_one_of(name, 3, few) : tac_test_all() || !is_one_of(name, 5, large);
}

/* At their default sizes, where the coarsest do not show it all: a smooth, a sharp, a thin, a holed one and one of several parts;
 * TACTUS_TEST_ALL has every shape. */
static bool chosen_whole(const char *name) {
  static const char *const some[] = {"torus",       "clip",   "pipe",   "spoon",
                                     "grasper-jaw", "kidney", "trocar", "eye-trocars"};
  return tac_test_all() || (!tac_test_light() && is_one_of(name, sizeof some / sizeof *some, some));
}

static tacTriMesh *build(const char *name, double size) {
  tacTriMesh *mesh;
  tac_test_ok(tac_shape_build(name, size, NULL, &mesh, &error), error);
  return mesh;
}

static double length_along(tacBox box, int axis) {
  tacVec3 size = tac_box_size(box);
  return axis == 0 ? size.x : axis == 1 ? size.y : size.z;
}

static double sine_of_smallest_angle(const tacTriMesh *mesh, int triangle) {
  const int *v = mesh->triangles[triangle].v;
  double smallest = 1.0;
  for (int c = 0; c < 3; ++c) {
    tacVec3 a = mesh->vertices[v[c]];
    tacVec3 x = tac_vec3_unit(tac_vec3_sub(mesh->vertices[v[(c + 1) % 3]], a));
    tacVec3 y = tac_vec3_unit(tac_vec3_sub(mesh->vertices[v[(c + 2) % 3]], a));
    smallest = fmin(smallest, tac_vec3_norm(tac_vec3_cross(x, y)));
  }
  return smallest;
}

/* Everything that is promised of a mesh of a shape at a size. */
static void check_mesh(const Statement *said, double size, double sharp_share) {
  tacSurfaceReport report;
  const tacGalleryModel *model = tac_gallery_find(said->name);
  TAC_OWN(tacTriMesh, mesh) = build(said->name, size);
  tac_test_ok(tac_trimesh_validate(mesh, &error), error);
  tac_test_ok(tac_surface_report(mesh, &report, &error), error);
  ck_assert_msg(report.closed && report.manifold && report.oriented, "%s at %g is not sound", said->name, size);
  ck_assert_msg(report.self_intersections == 0, "%s at %g crosses itself", said->name, size);
  ck_assert_int_eq(report.degenerate_triangles, 0);
  ck_assert_int_eq(report.unused_vertices, 0);
  ck_assert_int_eq(report.duplicate_vertices, 0);
  ck_assert_msg(report.components == said->components && report.genus == said->genus,
                "%s at %g: %d components of genus %d", said->name, size, report.components, report.genus);
  ck_assert_double_gt(report.volume, 0.0);
  int sharp = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) sharp += sine_of_smallest_angle(mesh, t) < 0.34202;
  ck_assert_msg(sharp <= sharp_share * mesh->triangle_count, "%s: %d of %d triangles are sharp", said->name, sharp,
                mesh->triangle_count);
  if (model->solid.function != NULL)
    for (int i = 0; i < mesh->vertex_count; ++i)
      ck_assert_double_eq_tol(model->solid.function(mesh->vertices[i]), 0.0, 1e-9);
  /* No vertex is outside the stated bounds; the outermost one is within a fraction of an edge of them. */
  tacVec3 below = tac_vec3_sub(report.box.lower, model->solid.box.lower);
  tacVec3 above = tac_vec3_sub(model->solid.box.upper, report.box.upper);
  const double gaps[] = {below.x, below.y, below.z, above.x, above.y, above.z};
  for (int i = 0; i < 6; ++i)
    ck_assert_msg(gaps[i] > -2e-7 && gaps[i] < 0.35 * size, "%s at %g: %g short of bound %d", said->name, size, gaps[i],
                  i);
}

TAC_TEST(table_of_shapes_is_complete) {
  ck_assert_int_eq(tac_shape_count(), STATEMENT_COUNT);
  for (int i = 0; i < STATEMENT_COUNT; ++i) {
    const tacShapeInfo *info = tac_shape_find(statements[i].name);
    ck_assert_ptr_nonnull(info);
    ck_assert_double_gt(info->size, 0.0);
    ck_assert_int_gt((int)strlen(info->summary), 10);
    int matches = 0;
    for (int k = 0; k < tac_shape_count(); ++k) matches += tac_shape_info(k) == info;
    ck_assert_int_eq(matches, 1);
  }
  ck_assert_ptr_null(tac_shape_find("teapot"));
  ck_assert_ptr_null(tac_shape_info(-1));
  ck_assert_ptr_null(tac_shape_info(tac_shape_count()));
}

TAC_TEST(bounds_are_the_stated_lengths) {
  for (int i = 0; i < STATEMENT_COUNT; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      double stated = 1e-3 * statements[i].length[axis];
      if (stated == 0.0) continue;
      ck_assert_double_eq_tol(length_along(tac_gallery_find(statements[i].name)->solid.box, axis), stated,
                              1e-7 * stated);
    }
}

/* At the default size one triangle in 500 may have an angle below 20 degrees. */
TAC_TEST(every_shape_is_valid_at_its_default_size) {
  for (int i = 0; i < STATEMENT_COUNT; ++i)
    if (chosen_whole(statements[i].name)) check_mesh(&statements[i], tac_shape_find(statements[i].name)->size, 0.002);
}

TAC_TEST(every_shape_is_valid_at_its_coarsest_size) {
  for (int i = 0; i < STATEMENT_COUNT; ++i) {
    const tacGalleryModel *model = tac_gallery_find(statements[i].name);
    /* A sphere of twenty triangles does not reach its bounds. */
    double size = strcmp(statements[i].name, "sphere") == 0 ? 0.25 * model->coarsest : model->coarsest;
    if (chosen(statements[i].name)) check_mesh(&statements[i], size, 1.0);
  }
}

/* The bound on the slope that lets far blocks be skipped is right where skipping nothing gives the same surface. */
TAC_TEST(skipping_far_blocks_loses_no_part_of_any_shape) {
  for (int i = 0; i < STATEMENT_COUNT; ++i) {
    const tacGalleryModel *model = tac_gallery_find(statements[i].name);
    if (model->solid.function == NULL || model->build != NULL || !chosen(statements[i].name)) continue;
    if (!tac_test_all() && i % 3 != 0) continue;
    tacImplicitSolid patient = model->solid;
    patient.slope = 1e9;
    TAC_OWN(tacTriMesh, mesh) = build(statements[i].name, model->coarsest);
    TAC_CREATE(tacTriMesh, complete, tac_implicit_mesh_build(&patient, model->coarsest, NULL, &complete, &error));
    ck_assert_msg(mesh->vertex_count == complete->vertex_count && mesh->triangle_count == complete->triangle_count &&
                      memcmp(mesh->vertices, complete->vertices, (size_t)mesh->vertex_count * sizeof(tacVec3)) == 0,
                  "%s: its slope is more than %g", statements[i].name, model->solid.slope);
  }
}

TAC_TEST(sharp_shapes_have_their_exact_volume) {
  const struct {
    const char *name;
    double volume;
  } exact[] = {{"box", 0.1 * 0.08 * 0.06},
               {"beam", 0.4 * 0.04 * 0.04},
               {"table", 0.3 * 0.2 * 0.02 + 4.0 * 0.02 * 0.02 * 0.13},
               {"table-reinforced", 0.3 * 0.2 * 0.02 + 4.0 * 0.02 * 0.02 * 0.13 + 2.0 * 0.02 * 0.02 * 0.24}};
  for (int i = 0; i < 4; ++i) {
    TAC_OWN(tacTriMesh, mesh) = build(exact[i].name, 0.0);
    ck_assert_double_eq_tol(tac_trimesh_volume(mesh), exact[i].volume, 1e-12 * exact[i].volume);
  }
}

/* Inscribed triangles miss a volume that falls with the square of their size. */
TAC_TEST(round_shapes_converge_to_their_exact_volume) {
  const double pi = 3.141592653589793;
  const double wire = 6.0 * sqrt(pow(2.0 * pi * 0.02, 2.0) + 0.011 * 0.011);
  const struct {
    const char *name;
    double volume;
  } exact[] = {
      {"sphere", 4.0 / 3.0 * pi * pow(0.05, 3.0)},
      {"torus", 2.0 * pi * pi * 0.05 * 0.02 * 0.02},
      {"pipe", 2.0 * pi * 0.013 * 0.004 * 0.16}, /* Pappus */
      /* a wire and half a ball at each end */
      {"coil-spring", pi * 0.003 * 0.003 * wire + 4.0 / 3.0 * pi * pow(0.003, 3.0)},
  };
  for (int i = 0; i < (tac_test_light() ? 2 : tac_test_all() ? 4 : 3); ++i) {
    double size = tac_shape_find(exact[i].name)->size, errors[2];
    for (int fine = 0; fine < 2; ++fine) {
      TAC_OWN(tacTriMesh, mesh) = build(exact[i].name, fine ? 0.5 * size : size);
      errors[fine] = exact[i].volume - tac_trimesh_volume(mesh);
    }
    ck_assert_double_gt(errors[1], 0.0);
    ck_assert_double_lt(errors[0], 0.025 * exact[i].volume);
    ck_assert_msg(errors[0] / errors[1] > 3.4, "%s: %g, then %g", exact[i].name, errors[0], errors[1]);
  }
}

TAC_TEST(default_sphere_has_642_vertices_on_its_radius) {
  TAC_OWN(tacTriMesh, mesh) = build("sphere", 0.0);
  ck_assert_int_eq(mesh->vertex_count, 642);
  for (int i = 0; i < mesh->vertex_count; ++i)
    ck_assert_double_eq_tol(tac_vec3_norm(mesh->vertices[i]), 0.05, 0.05 * 1e-12);
}

/* As fine as they are meant to be simulated; of as many parts and holes as the surface, and as large. */
TAC_TEST(bricks_fill_their_shape) {
  int count = 0;
  for (int i = 0; i < STATEMENT_COUNT; ++i) {
    tacSurfaceReport report;
    tacVolumeReport volume;
    if (tac_shape_find(statements[i].name)->brick_size == 0.0) continue;
    ++count;
    TAC_CREATE(tacVolMesh, bricks, tac_shape_bricks(statements[i].name, 0.0, &bricks, &error));
    tac_test_ok(tac_volmesh_validate(bricks, &error), error);
    tac_test_ok(tac_volume_report(bricks, &volume, &error), error);
    ck_assert_int_eq(volume.inverted_elements + volume.degenerate_elements + volume.nonmanifold_faces, 0);
    ck_assert_int_eq(volume.components, 1);
    TAC_CREATE(tacTriMesh, surface, tac_volmesh_surface(bricks, &surface, NULL, NULL, &error));
    tac_test_ok(tac_surface_report(surface, &report, &error), error);
    ck_assert_msg(report.closed && report.manifold && report.oriented, "%s is not sound", statements[i].name);
    ck_assert_int_eq(report.self_intersections, 0);
    ck_assert_int_eq(report.genus, statements[i].genus);
    ck_assert_msg(surface->vertex_count < 900, "%s: %d vertices", statements[i].name, surface->vertex_count);
    TAC_OWN(tacTriMesh, shape) = build(statements[i].name, 0.0);
    ck_assert_double_eq_tol(report.volume / tac_trimesh_volume(shape), 1.0, 0.015);
  }
  ck_assert_int_eq(count, 8);
}

TAC_TEST(bricks_of_shapes_without_them_and_of_bad_sizes_are_refused) {
  tacVolMesh *mesh;
  tac_test_refused(tac_shape_bricks("kidney", 0.0, &mesh, &error), TAC_ERR_ARGUMENT, error, "kidney");
  ck_assert_int_eq(tac_shape_bricks("teapot", 0.0, &mesh, &error), TAC_ERR_ARGUMENT);
  for (int i = 0; i < STATEMENT_COUNT; ++i) {
    if (tac_shape_find(statements[i].name)->brick_size == 0.0) continue;
    tac_test_refused(tac_shape_bricks(statements[i].name, 1e-9, &mesh, &error), TAC_ERR_ARGUMENT, error, "too small");
    ck_assert_int_eq(tac_shape_bricks(statements[i].name, NAN, &mesh, &error), TAC_ERR_ARGUMENT);
    ck_assert_ptr_null(mesh);
  }
}

TAC_TEST(part_is_thicker_than_the_gap_between_the_hoses) {
  tacSolidFn hoses = tac_gallery_find("hoses")->solid.function;
  double gap = 2.0 * hoses(tac_vec3(0.06, 0.05, 0.0)); /* between the straight lengths of the upper two */
  ck_assert_double_eq_tol(gap, 0.02, 1e-12);
  ck_assert_double_gt(length_along(tac_gallery_find("hose-part")->solid.box, 2), gap);
}

TAC_TEST(alpha_tubes_are_equally_spaced_and_wider_than_their_diameter) {
  tacSolidFn a = tac_gallery_find("alpha-tube-a")->solid.function;
  tacSolidFn b = tac_gallery_find("alpha-tube-b")->solid.function;
  double half_gap = INFINITY;
  for (double x = 0.0; x < 0.06; x += 1e-6) half_gap = fmin(half_gap, a(tac_vec3(x, 0.0, 0.0)));
  ck_assert_double_eq_tol(2.0 * half_gap, 1.1 * 0.01, 1e-5);
  /* b is a after half a turn about z, a quarter turn about x and a shift. */
  for (int i = 0; i < 100; ++i) {
    tacVec3 p = {0.001 * i - 0.05, 0.0007 * i - 0.03, 0.0003 * i};
    ck_assert_double_eq_tol(b(tac_vec3(0.2 - p.x, -p.z, 0.03 - p.y)), a(p), 1e-15);
  }
  ck_assert_double_lt(tac_gallery_find("alpha-tube-a")->solid.box.upper.x,
                      tac_gallery_find("alpha-tube-b")->solid.box.lower.x);
}

/* The height of the dinosaur's back in the plane y = 0, metres. */
static double height_of_back(double x) {
  tacSolidFn dinosaur = tac_gallery_find("dinosaur")->solid.function;
  double inside = 0.07, outside = 0.1;
  while (outside - inside > 1e-12) {
    double middle = 0.5 * (inside + outside);
    if (dinosaur(tac_vec3(x, 0.0, middle)) < 0.0)
      inside = middle;
    else
      outside = middle;
  }
  return outside;
}

TAC_TEST(dinosaur_has_six_equal_bumps_in_a_row) {
  const double step = 2.5e-4;
  int count = 0;
  for (double x = -0.045; x < 0.04501; x += step) {
    double z = height_of_back(x);
    if (z < height_of_back(x - step) || z <= height_of_back(x + step)) continue;
    ck_assert_double_eq_tol(x, 0.015 * count - 0.0375, 1e-9);
    ck_assert_double_eq_tol(z, 0.085, 1e-9);
    ck_assert_double_lt(height_of_back(x + 0.0075), 0.0815); /* the valley behind it */
    ++count;
  }
  ck_assert_int_eq(count, 6);
}

TAC_TEST(cables_are_seven_of_five_millimetres) {
  tacSolidFn cables = tac_gallery_find("cables")->solid.function;
  const double step = 1e-4;
  int inside = 0;
  for (double y = -0.03; y < 0.03; y += step)
    for (double z = -0.05; z < 0.03; z += step) inside += cables(tac_vec3(0.0, y, z)) < 0.0;
  ck_assert_double_eq_tol(inside * step * step, 7.0 * 3.141592653589793 * 0.0025 * 0.0025, 1.4e-6);
}

/* How near the peg comes to the hole when it is turned by `turn` about its axis and raised by `lift`, metres. */
static double clearance_of_peg(const tacTriMesh *peg, double turn, double lift, int *close) {
  tacSolidFn hole = tac_gallery_find("hole")->solid.function;
  double least = INFINITY;
  *close = 0;
  for (int i = 0; i < peg->vertex_count; ++i) {
    tacVec3 p = tac_implicit_turn_z(peg->vertices[i], -turn);
    double distance = hole(tac_vec3(p.x, p.y, p.z + lift));
    least = fmin(least, distance);
    *close += distance < 0.0009;
  }
  return least;
}

TAC_TEST(peg_fits_the_hole_along_its_axis_in_one_orientation) {
  TAC_OWN(tacTriMesh, peg) = build("peg", tac_gallery_find("peg")->coarsest);
  int close, below = 0;
  for (int i = 0; i < peg->vertex_count; ++i) below += peg->vertices[i].z < 0.0;
  for (double lift = 0.06; lift > -1e-9; lift -= 0.005)
    ck_assert_double_gt(clearance_of_peg(peg, 0.0, lift, &close), 0.00075 - 1e-8);
  ck_assert_double_lt(clearance_of_peg(peg, 0.0, 0.0, &close), 0.00076);
  ck_assert_msg(close > 0.9 * below, "%d of %d vertices are near when it is seated", close, below);
  ck_assert_double_lt(clearance_of_peg(peg, 0.0, -0.001, &close), 0.0);
  for (int i = 1; i < 5; ++i) ck_assert_double_lt(clearance_of_peg(peg, 1.2566370614359172 * i, 0.0, &close), -0.0005);
}

TAC_TEST(eye_with_trocars_names_its_parts) {
  TAC_OWN(tacTriMesh, mesh) = build("eye-trocars", 0.0006);
  ck_assert_int_eq(mesh->group_count, 3);
  ck_assert_str_eq(mesh->groups[0].name, "eye");
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += mesh->groups[i].count;
  ck_assert_int_eq(sum, mesh->triangle_count);
}

/* How far the nearest vertex of one organ is from another, m; negative: inside it. */
static double clearance(const char *one, const char *other) {
  TAC_OWN(tacTriMesh, mesh) = build(one, tac_gallery_find(one)->coarsest);
  tacSolidFn solid = tac_gallery_find(other)->solid.function;
  double least = INFINITY;
  for (int i = 0; i < mesh->vertex_count; ++i) least = fmin(least, solid(mesh->vertices[i]));
  return least;
}

/* They lie beside each other as they are: neighbours nearly touch, and none is in another. */
TAC_TEST(organs_around_the_liver_touch_and_do_not_overlap) {
  static const struct {
    const char *one, *other;
    bool near;
  } pairs[] = {{"stomach", "liver", true},          {"colon", "liver", true},
               {"colon", "stomach", true},          {"small-intestine", "colon", true},
               {"small-intestine", "liver", false}, {"small-intestine", "stomach", false},
               {"diaphragm", "liver", true},        {"diaphragm", "stomach", false},
               {"diaphragm", "colon", false},       {"diaphragm", "small-intestine", false}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    double gap = clearance(pairs[i].one, pairs[i].other);
    ck_assert_msg(gap > 0.001 && (!pairs[i].near || gap < 0.0025), "%s and %s: %g mm", pairs[i].one, pairs[i].other,
                  1e3 * gap);
  }
}

TAC_TEST(same_size_gives_the_same_mesh) {
  TAC_OWN(tacTriMesh, first) = build("kidney", 0.0);
  TAC_OWN(tacTriMesh, second) = build("kidney", tac_shape_find("kidney")->size);
  ck_assert_int_eq(first->vertex_count, second->vertex_count);
  ck_assert_mem_eq(first->vertices, second->vertices, (size_t)first->vertex_count * sizeof *first->vertices);
}

TAC_TEST(unknown_names_and_sizes_out_of_range_are_refused) {
  tacTriMesh *mesh;
  tac_test_refused(tac_shape_build("teapot", 0.0, NULL, &mesh, &error), TAC_ERR_ARGUMENT, error, "teapot");
  const double sizes[] = {-0.001, NAN, INFINITY, 1.0};
  for (int i = 0; i < 4; ++i) {
    tac_test_refused(tac_shape_build("kidney", sizes[i], NULL, &mesh, &error), TAC_ERR_ARGUMENT, error, "0.0035");
    ck_assert_ptr_null(mesh);
  }
  for (int i = 0; i < STATEMENT_COUNT; ++i) {
    tac_test_refused(tac_shape_build(statements[i].name, 1e-9, NULL, &mesh, &error), TAC_ERR_ARGUMENT, error,
                     "too small");
    ck_assert_ptr_null(mesh);
  }
}

typedef struct Reported {
  double fraction;
  int falls;
} Reported;

static bool remember(const char *what, double fraction, void *user) {
  Reported *last = user;
  (void)what;
  last->falls += fraction < last->fraction; /* stages are shares of the whole */
  last->fraction = fraction;
  return true;
}

TAC_TEST(progress_never_falls) {
  const char *names[] = {"trocar", "eye-trocars"};
  for (int i = 0; i < 2; ++i) {
    TAC_OWN(tacTriMesh, mesh) = NULL;
    Reported last = {0};
    tac_test_ok(tac_shape_build(names[i], 0.0, &(tacProgress){remember, &last}, &mesh, &error), error);
    ck_assert_int_eq(last.falls, 0);
  }
}

TAC_TEST(progress_can_cancel) {
  int calls = 0;
  tacTriMesh *mesh;
  const tacProgress progress = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_shape_build("knight", 0.001, &progress, &mesh, &error), TAC_ERR_CANCELLED);
  ck_assert_ptr_null(mesh);
  ck_assert_int_ge(calls, 1);
}
