#include <tactus/meshing.h>

#include <stdint.h>
#include <tactus/mesh_quality.h>
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

static tacError error;

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
  tacVolumeReport report = check_fit(mesh);
  return report;
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
  tacVolMesh *meshes[2];
  for (int i = 0; i < 2; ++i) {
    def.thread_count = 1 + 2 * i;
    tac_test_ok(tac_stuffing_fill_implicit(sphere, NULL, unit_ball_box, &def, NULL, &meshes[i], &error), error);
  }
  ck_assert_int_eq(meshes[0]->vertex_count, meshes[1]->vertex_count);
  ck_assert_int_eq(meshes[0]->tet_count, meshes[1]->tet_count);
  ck_assert_mem_eq(meshes[0]->vertices, meshes[1]->vertices, (size_t)meshes[0]->vertex_count * sizeof(tacVec3));
  ck_assert_mem_eq(meshes[0]->tets, meshes[1]->tets, (size_t)meshes[0]->tet_count * sizeof(tacTet));
  tac_volmesh_destroy(meshes[0]);
  tac_volmesh_destroy(meshes[1]);
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

static tacTriMesh *sphere_surface(int nodes, tacGrid *grid) {
  *grid = (tacGrid){nodes, nodes, nodes, {-1.2, -1.2, -1.2}, 2.4 / (nodes - 1), NULL};
  grid->values = malloc((size_t)nodes * (size_t)nodes * (size_t)nodes * sizeof(float));
  ck_assert_ptr_nonnull(grid->values);
  float *value = grid->values;
  for (int k = 0; k < nodes; ++k)
    for (int j = 0; j < nodes; ++j)
      for (int i = 0; i < nodes; ++i)
        *value++ = (float)sphere(tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(i, j, k)), NULL);
  tacTriMesh *surface;
  tac_test_ok(tac_isosurface_extract(grid, 0.0, &surface, &error), error);
  return surface;
}

TAC_TEST(closed_surface_and_field_are_filled_to_their_volume) {
  tacGrid grid;
  TAC_OWN(tacTriMesh, surface) = sphere_surface(33, &grid);
  tacStuffingDef def = def_of_size(0.1, 3);
  tacVolMesh *mesh;
  tac_test_ok(tac_stuffing_fill(surface, &def, NULL, &mesh, &error), error);
  ck_assert_double_eq_tol(check_fit(mesh).volume / tac_trimesh_volume(surface), 1.0, 0.01);
  tac_volmesh_destroy(mesh);

  tacDistanceField *field;
  tac_test_ok(tac_distance_field_from_grid(&grid, &field, &error), error);
  tac_test_ok(tac_stuffing_fill_field(field, &def, NULL, &mesh, &error), error);
  ck_assert_double_eq_tol(check_fit(mesh).volume / tac_trimesh_volume(surface), 1.0, 0.01);
  tac_volmesh_destroy(mesh);
  tac_distance_field_destroy(field);

  --surface->triangle_count;
  tac_test_refused(tac_stuffing_fill(surface, &def, NULL, &mesh, &error), TAC_ERR_GEOMETRY, error, "not closed");
  ck_assert_ptr_null(mesh);
}

TAC_TEST(size_is_found_for_a_volume) {
  tacGrid grid;
  TAC_OWN(tacTriMesh, surface) = sphere_surface(25, &grid);
  free(grid.values);
  tacStuffingDef def = tac_stuffing_def_default();
  tacVolMesh *mesh;
  double size, coarser = 0.0;
  for (int i = 0; i < 2; ++i) {
    double tolerance = i == 0 ? 0.02 : 0.004;
    tac_test_ok(tac_stuffing_fill_to_volume(surface, tolerance, &def, NULL, &mesh, &size, &error), error);
    ck_assert_double_eq_tol(check_fit(mesh).volume / tac_trimesh_volume(surface), 1.0, tolerance);
    if (i > 0) ck_assert_double_lt(size, coarser);
    coarser = size;
    tac_volmesh_destroy(mesh);
  }
  ck_assert_int_eq(tac_stuffing_fill_to_volume(surface, 0.0, &def, NULL, &mesh, &size, &error), TAC_ERR_ARGUMENT);
}

/* Appends a box of 12 triangles to a mesh that has room for it. */
static void add_box(tacTriMesh *mesh, int box, tacVec3 lower, tacVec3 upper) {
  static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (int c = 0; c < 8; ++c)
    mesh->vertices[8 * box + c] =
        tac_vec3(c & 1 ? upper.x : lower.x, c & 2 ? upper.y : lower.y, c & 4 ? upper.z : lower.z);
  for (int t = 0; t < 12; ++t)
    for (int i = 0; i < 3; ++i) mesh->triangles[12 * box + t].v[i] = 8 * box + faces[t][i];
}

/* Boxes that share 0.5 x 0.4 x 0.7: the union has 1 + 1.2 x 0.4 x 0.7 - 0.14 = 1.196, and is one part. */
TAC_TEST(overlapping_parts_are_filled_once) {
  TAC_CREATE(tacTriMesh, surface, tac_trimesh_create(16, 24, &surface, &error));
  add_box(surface, 0, tac_vec3(0.0, 0.0, 0.0), tac_vec3(1.0, 1.0, 1.0));
  add_box(surface, 1, tac_vec3(0.5, 0.3, 0.2), tac_vec3(1.7, 0.7, 0.9));
  tacStuffingDef def = tac_stuffing_def_default();
  double size;
  TAC_CREATE(tacVolMesh, mesh, tac_stuffing_fill_to_volume(surface, 0.02, &def, NULL, &mesh, &size, &error));
  tacVolumeReport report = check_fit(mesh);
  ck_assert_double_eq_tol(report.volume / 1.196, 1.0, 0.021);
  ck_assert_int_eq(report.components, 1);
  ck_assert_double_gt(size, 0.05);
}

static bool count_calls(const char *what, double fraction, void *calls) {
  (void)what;
  (void)fraction;
  ++*(int *)calls;
  return true;
}

TAC_TEST(a_foil_is_refused_before_anything_is_tried) {
  TAC_CREATE(tacTriMesh, surface, tac_trimesh_create(8, 12, &surface, &error));
  add_box(surface, 0, tac_vec3(0.0, 0.0, 0.0), tac_vec3(1.0, 0.9, 0.0002));
  tacStuffingDef def = tac_stuffing_def_default();
  tacVolMesh *mesh;
  double size;
  int calls = 0;
  ck_assert_int_eq(
      tac_stuffing_fill_to_volume(surface, 0.02, &def, &(tacProgress){count_calls, &calls}, &mesh, &size, &error),
      TAC_ERR_GEOMETRY);
  ck_assert_int_eq(calls, 0);
  ck_assert_ptr_nonnull(strstr(error.text, "too thin to fill"));
}

TAC_TEST(bad_requests_are_refused_with_what_would_do) {
  tacVolMesh *mesh = NULL;
  tacStuffingDef def = def_of_size(0.0009, 3);
  tac_test_refused(tac_stuffing_fill_implicit(sphere, NULL, unit_ball_box, &def, NULL, &mesh, &error), TAC_ERR_ARGUMENT,
                   error, "at least 0.001");
  def.size = 0.0;
  ck_assert_int_eq(tac_stuffing_fill_implicit(sphere, NULL, unit_ball_box, &def, NULL, &mesh, NULL), TAC_ERR_ARGUMENT);
  def.size = NAN;
  ck_assert_int_eq(tac_stuffing_fill_implicit(sphere, NULL, unit_ball_box, &def, NULL, &mesh, NULL), TAC_ERR_ARGUMENT);
  def = def_of_size(0.1, -1);
  ck_assert_int_eq(tac_stuffing_fill_implicit(sphere, NULL, unit_ball_box, &def, NULL, &mesh, NULL), TAC_ERR_ARGUMENT);
  def = def_of_size(0.1, 3);
  ck_assert_int_eq(tac_stuffing_fill_implicit(sphere, NULL, (tacBox){{0, 0, 0}, {-1, 1, 1}}, &def, NULL, &mesh, NULL),
                   TAC_ERR_ARGUMENT);
  Slab needle = {{0.01, 0.01, 0.01}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  tac_test_refused(tac_stuffing_fill_implicit(slab_distance, &needle, (tacBox){{0.02, 0.02, 0.02}, {1, 1, 1}}, &def,
                                              NULL, &mesh, &error),
                   TAC_ERR_GEOMETRY, error, "nothing inside");
  ck_assert_ptr_null(mesh);
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
