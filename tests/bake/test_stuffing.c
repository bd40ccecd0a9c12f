#include <tactus/meshing.h>

#include <stdint.h>
#include <tactus/mesh.h>
#include "asset/make_grid.h"
#include "bake/isosurface.h"
#include "bake/meshing/stuffing.h"
#include "mesh/make_mesh.h"
#include "mesh/trimesh.h"

static tacStuffingDef def_of_size(double size, int levels) {
  tacStuffingDef def = tac_stuffing_def_default();
  def.size = size;
  def.levels = levels;
  return def;
}

/* What every filling must be: no inverted or flat element, dihedral angles above 8 degrees, faces shared by at most two
 * elements, a closed boundary that encloses exactly the elements' volume, no vertex without an element. */
static tacVolumeReport check_fit(const tacVolMesh *mesh) {
  tacVolumeReport report;
  tac_test_ok(tac_volmesh_validate(mesh, &error), error);
  tac_test_ok(tac_volume_report(mesh, &report, &error), error);
  ck_assert_int_gt(report.tets, 0);
  ck_assert_int_eq(report.inverted_elements, 0);
  ck_assert_int_eq(report.degenerate_elements, 0);
  ck_assert_int_eq(report.duplicate_elements, 0);
  ck_assert_int_eq(report.nonmanifold_faces, 0);
  ck_assert_int_eq(report.unused_vertices, 0);
  ck_assert_double_gt(report.smallest_dihedral, 8.0);
  ck_assert_double_lt(report.largest_dihedral, 170.0);
  TAC_CREATE(tacTriMesh, boundary, tac_volmesh_surface(mesh, &boundary, NULL, NULL, &error));
  ck_assert_double_eq_tol(tac_trimesh_volume(boundary), report.volume, 1e-9 * report.volume);
  /* Signed sum of the boundary's area vectors: zero for a closed surface, off by an element's face where one is open. */
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int t = 0; t < boundary->triangle_count; ++t) {
    const int *v = boundary->triangles[t].v;
    tacVec3 a = boundary->vertices[v[0]];
    sum = tac_vec3_add(
        sum, tac_vec3_cross(tac_vec3_sub(boundary->vertices[v[1]], a), tac_vec3_sub(boundary->vertices[v[2]], a)));
  }
  ck_assert_double_lt(tac_vec3_norm(sum), 1e-9 * tac_trimesh_area(boundary));
  return report;
}

static tacVolumeReport fill_and_check(tacImplicitFn function, void *user, tacBox box, double size, int levels) {
  tacStuffingDef def = def_of_size(size, levels);
  TAC_CREATE(tacVolMesh, mesh, tac_stuffing_fill_implicit(function, user, box, &def, NULL, &mesh, &error));
  return check_fit(mesh);
}

static double sphere(tacVec3 p, void *user) {
  (void)user;
  return tac_vec3_norm(p) - 1.0;
}

static const tacBox unit_ball_box = {{-1, -1, -1}, {1, 1, 1}};

typedef struct Slab {
  tacVec3 half, axes[3]; /* a box around the origin */
} Slab;

static double slab_distance(tacVec3 p, void *user) {
  const Slab *slab = user;
  tacVec3 q = {fabs(tac_vec3_dot(p, slab->axes[0])) - slab->half.x, fabs(tac_vec3_dot(p, slab->axes[1])) - slab->half.y,
               fabs(tac_vec3_dot(p, slab->axes[2])) - slab->half.z};
  return tac_vec3_norm(tac_vec3_max(q, tac_vec3(0, 0, 0))) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0);
}

static Slab random_slab(tacRandom *random, tacVec3 half) {
  tacVec3 a, b;
  do {
    a = tac_random_normal3(random);
    b = tac_random_normal3(random);
  } while (tac_vec3_norm(tac_vec3_cross(a, b)) < 0.1);
  Slab slab = {.half = half};
  slab.axes[0] = tac_vec3_unit(a);
  slab.axes[2] = tac_vec3_unit(tac_vec3_cross(a, b));
  slab.axes[1] = tac_vec3_cross(slab.axes[2], slab.axes[0]);
  return slab;
}

static tacBox cube_box(double reach) {
  return (tacBox){{-reach, -reach, -reach}, {reach, reach, reach}};
}

/* Random steps: values of either sign with no smoothness at all, so that signs at lattice points and places of cuts on
 * edges take all combinations. */
typedef struct Noise {
  double frequency, share;
  uint64_t seed;
} Noise;

static double noise(tacVec3 p, void *user) {
  const Noise *n = user;
  uint64_t h = n->seed;
  const double at[3] = {p.x, p.y, p.z};
  for (int i = 0; i < 3; ++i) {
    h = (h ^ (uint64_t)(int64_t)floor(at[i] * n->frequency)) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    h ^= h >> 32;
  }
  double u = (double)(h >> 11) * 0x1p-53;
  return u < 0.01 ? 0.0 : u < 0.02 ? (double)NAN : n->share - u;
}

TAC_TEST(angles_are_bounded_for_arbitrary_signs_and_cuts) {
  int rounds = tac_test_light() ? 4 : 30;
  for (int round = 0; round < rounds; ++round) {
    Noise n = {round % 3 == 0 ? 31.7 : round % 3 == 1 ? 2.3 : 0.6, 0.4 + 0.005 * round, (uint64_t)round * 77 + 5};
    fill_and_check(noise, &n, (tacBox){{0, 0, 0}, {11, 12, 13}}, 1.0, round % 4);
  }
}

TAC_TEST(sharp_boxes_at_random_rotations_are_filled_well) {
  tacRandom random = tac_random_seed(11);
  for (int round = 0; round < (tac_test_light() ? 3 : 10); ++round) {
    tacVec3 half = tac_random_in_box(&random, (tacBox){{0.3, 0.3, 0.3}, {1.0, 1.0, 1.0}});
    Slab slab = random_slab(&random, half);
    tacVolumeReport report = fill_and_check(slab_distance, &slab, cube_box(1.8), 0.1, 3);
    /* Edges are cut off over about a size: a share of size times edge length to area. */
    ck_assert_double_eq_tol(report.volume, 8.0 * half.x * half.y * half.z, 0.04 * 8.0 * half.x * half.y * half.z);
    ck_assert_int_eq(report.components, 1);
  }
}

TAC_TEST(box_on_the_lattice_is_filled_exactly) {
  Slab slab = {{0.5, 0.4, 0.3}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  tacVolumeReport report = fill_and_check(slab_distance, &slab, cube_box(0.6), 0.1, 2);
  ck_assert_double_eq_tol(report.volume, 8 * 0.5 * 0.4 * 0.3, 1e-9);
}

TAC_TEST(thin_plates_are_filled_well) {
  tacRandom random = tac_random_seed(12);
  for (int round = 0; round < (tac_test_light() ? 2 : 8); ++round) {
    Slab slab = random_slab(&random, tac_vec3(1.0, 0.8, 0.08));
    tacVolumeReport report = fill_and_check(slab_distance, &slab, cube_box(1.4), 0.1, 3);
    ck_assert_double_eq_tol(report.volume, 8 * 1.0 * 0.8 * 0.08, 0.15 * 8 * 1.0 * 0.8 * 0.08);
  }
}

TAC_TEST(volume_of_a_sphere_converges_with_the_square_of_the_size) {
  double coarse = 1.0 - fill_and_check(sphere, NULL, unit_ball_box, 0.2, 3).volume / (4.0 / 3.0 * M_PI);
  double fine = 1.0 - fill_and_check(sphere, NULL, unit_ball_box, 0.1, 3).volume / (4.0 / 3.0 * M_PI);
  ck_assert_double_gt(coarse / fine, 3.0);
  ck_assert_double_lt(fabs(fine), 0.004);
}

TAC_TEST(boundary_vertices_lie_on_the_surface) {
  tacStuffingDef def = def_of_size(0.15, 3);
  TAC_CREATE(tacVolMesh, mesh, tac_stuffing_fill_implicit(sphere, NULL, cube_box(1.3), &def, NULL, &mesh, &error));
  TAC_CREATE(tacTriMesh, boundary, tac_volmesh_surface(mesh, &boundary, NULL, NULL, &error));
  for (int v = 0; v < boundary->vertex_count; ++v)
    ck_assert_double_eq_tol(tac_vec3_norm(boundary->vertices[v]), 1.0, 1e-6);
  tacSurfaceReport report;
  tac_test_ok(tac_surface_report(boundary, &report, &error), error);
  ck_assert(report.closed && report.manifold && report.oriented);
  ck_assert_int_eq(report.genus, 0);
  ck_assert_double_gt(report.shortest_edge, 0.15 * 0.2);
  ck_assert_double_lt(report.longest_edge, 0.15 * 1.5);
}

TAC_TEST(grading_leaves_the_surface_and_saves_elements) {
  const double size = 0.045;
  tacVolumeReport uniform = fill_and_check(sphere, NULL, unit_ball_box, size, 0);
  tacVolumeReport once = fill_and_check(sphere, NULL, unit_ball_box, size, 1);
  tacVolumeReport thrice = fill_and_check(sphere, NULL, unit_ball_box, size, 3);
  ck_assert_double_eq_tol(once.volume, uniform.volume, 1e-9);
  ck_assert_double_eq_tol(thrice.volume, uniform.volume, 1e-9);
  ck_assert_double_lt(uniform.longest_edge, 1.6 * size);
  ck_assert_double_eq_tol(once.longest_edge, 2.0 * size, 1e-9);
  ck_assert_double_eq_tol(thrice.longest_edge, 8.0 * size, 1e-9);
  ck_assert_int_lt(once.tets, uniform.tets / 2);
  ck_assert_int_lt(thrice.tets, once.tets);
}

TAC_TEST(result_is_the_same_for_any_number_of_threads) {
  tacStuffingDef def = def_of_size(0.12, 2);
  def.thread_count = 1;
  TAC_CREATE(tacVolMesh, one, tac_stuffing_fill_implicit(sphere, NULL, unit_ball_box, &def, NULL, &one, &error));
  def.thread_count = 3;
  TAC_CREATE(tacVolMesh, three, tac_stuffing_fill_implicit(sphere, NULL, unit_ball_box, &def, NULL, &three, &error));
  ck_assert_int_eq(one->vertex_count, three->vertex_count);
  ck_assert_int_eq(one->tet_count, three->tet_count);
  ck_assert_mem_eq(one->vertices, three->vertices, (size_t)one->vertex_count * sizeof(tacVec3));
  ck_assert_mem_eq(one->tets, three->tets, (size_t)one->tet_count * sizeof(tacTet));
}

static double step(tacVec3 p, void *user) {
  (void)user;
  return p.x + 0.5 * p.y < 0.2 ? -0.5 : 0.5;
}

TAC_TEST(function_far_from_a_distance_is_filled_even_where_cubes_are_passed_over) {
  /* More cubes than are all sampled; the function says everywhere that the surface is at least 20 cubes away. The solid is
   * cut off at the box. */
  const double depth = 0.3;
  tacVolumeReport report = fill_and_check(step, NULL, (tacBox){{0, 0, 0}, {1, 1, depth}}, 0.005, 4);
  ck_assert_double_eq_tol(report.volume, depth * 0.5 * 0.2 * 0.4, 0.02 * depth * 0.5 * 0.2 * 0.4);
}

static double ball(tacVec3 p) {
  return sphere(p, NULL);
}

TAC_TEST(closed_surface_and_field_are_filled_to_their_volume) {
  TAC_OWN(tacDistanceField, field) = make_grid_field(33, 1.2, ball);
  TAC_CREATE(tacTriMesh, surface, tac_isosurface_extract(tac_distance_field_grid(field), 0.0, &surface, &error));
  tacStuffingDef def = def_of_size(0.1, 3);
  TAC_CREATE(tacVolMesh, of_surface, tac_stuffing_fill(surface, &def, NULL, &of_surface, &error));
  TAC_CREATE(tacVolMesh, of_field, tac_stuffing_fill_field(field, &def, NULL, &of_field, &error));
  ck_assert_double_eq_tol(check_fit(of_surface).volume / tac_trimesh_volume(surface), 1.0, 0.01);
  ck_assert_double_eq_tol(check_fit(of_field).volume / tac_trimesh_volume(surface), 1.0, 0.01);
  tacVolMesh *none;
  --surface->triangle_count;
  tac_test_refused(tac_stuffing_fill(surface, &def, NULL, &none, &error), TAC_ERR_GEOMETRY, error, "not closed");
  ck_assert_ptr_null(none);
}

TAC_TEST(size_is_found_for_a_volume) {
  TAC_OWN(tacTriMesh, surface) = make_sphere(tac_vec3(0, 0, 0), 1.0, 20, 40);
  tacStuffingDef def = tac_stuffing_def_default();
  double size, coarser = INFINITY;
  for (int i = 0; i < 2; ++i) {
    double tolerance = i == 0 ? 0.02 : 0.004;
    TAC_CREATE(tacVolMesh, mesh, tac_stuffing_fill_to_volume(surface, tolerance, &def, NULL, &mesh, &size, &error));
    ck_assert_double_eq_tol(check_fit(mesh).volume / tac_trimesh_volume(surface), 1.0, tolerance);
    ck_assert_double_lt(size, coarser);
    coarser = size;
  }
  tacVolMesh *none;
  ck_assert_int_eq(tac_stuffing_fill_to_volume(surface, 0.0, &def, NULL, &none, &size, &error), TAC_ERR_ARGUMENT);
}

/* Boxes that share 0.5 x 0.4 x 0.7: the union has 1 + 1.2 x 0.4 x 0.7 - 0.14 = 1.196, and is one part. */
TAC_TEST(overlapping_parts_are_filled_once) {
  TAC_OWN(tacTriMesh, surface) =
      join_meshes(make_box(unit_box(), 1), make_box((tacBox){{0.5, 0.3, 0.2}, {1.7, 0.7, 0.9}}, 1));
  tacStuffingDef def = tac_stuffing_def_default();
  double size;
  TAC_CREATE(tacVolMesh, mesh, tac_stuffing_fill_to_volume(surface, 0.02, &def, NULL, &mesh, &size, &error));
  tacVolumeReport report = check_fit(mesh);
  ck_assert_double_eq_tol(report.volume / 1.196, 1.0, 0.021);
  ck_assert_int_eq(report.components, 1);
  ck_assert_double_gt(size, 0.05);
}

TAC_TEST(a_foil_is_refused_immediately) {
  TAC_OWN(tacTriMesh, surface) = make_box((tacBox){{0.0, 0.0, 0.0}, {1.0, 0.9, 0.0002}}, 1);
  tacStuffingDef def = tac_stuffing_def_default();
  tacVolMesh *mesh;
  double size;
  int calls = 0;
  const tacProgress progress = {tac_test_cancel, &calls};
  tac_test_refused(tac_stuffing_fill_to_volume(surface, 0.02, &def, &progress, &mesh, &size, &error), TAC_ERR_GEOMETRY,
                   error, "too thin to fill");
  ck_assert_int_eq(calls, 0);
}

TAC_TEST(bad_requests_are_refused_with_a_remedy) {
  Slab needle = {{0.01, 0.01, 0.01}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const tacBox inverted = {{0, 0, 0}, {-1, 1, 1}}, beside = {{0.02, 0.02, 0.02}, {1, 1, 1}};
  const struct {
    tacBox box;
    double size;
    int levels;
    tacStatus status;
    const char *words;
  } faults[] = {{unit_ball_box, 0.0009, 3, TAC_ERR_ARGUMENT, "at least 0.001"},
                {unit_ball_box, 0.0, 3, TAC_ERR_ARGUMENT, "positive"},
                {unit_ball_box, NAN, 3, TAC_ERR_ARGUMENT, "positive"},
                {unit_ball_box, 0.1, -1, TAC_ERR_ARGUMENT, "0 to 16"},
                {inverted, 0.1, 3, TAC_ERR_ARGUMENT, "empty"},
                {beside, 0.1, 3, TAC_ERR_GEOMETRY, "no tetrahedra fit inside"}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    tacVolMesh *mesh = NULL;
    tacStuffingDef def = def_of_size(faults[i].size, faults[i].levels);
    tac_test_refused(tac_stuffing_fill_implicit(slab_distance, &needle, faults[i].box, &def, NULL, &mesh, &error),
                     faults[i].status, error, faults[i].words);
    ck_assert_ptr_null(mesh);
  }
}

TAC_TEST(progress_can_cancel) {
  int calls = 0;
  tacProgress progress = {tac_test_cancel, &calls};
  tacStuffingDef def = def_of_size(0.1, 3);
  tacVolMesh *mesh = NULL;
  ck_assert_int_eq(tac_stuffing_fill_implicit(sphere, NULL, unit_ball_box, &def, &progress, &mesh, NULL),
                   TAC_ERR_CANCELLED);
  ck_assert_int_gt(calls, 0);
  ck_assert_ptr_null(mesh);
}
