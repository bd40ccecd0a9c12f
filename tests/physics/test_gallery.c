/* Every shape of the gallery through everything that is made from a surface. */
#include <stdatomic.h>
#include <tactus/tactus.h>
#include "asset/distance_field.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/query/triangle_tree.h"
#include "mesh/repair/outer_parts.h"
#include "shape/gallery.h"
#include "shape/shape.h"
#include "test.h"

typedef struct {
  const tacTriangleTree *tree;
  const tacDistanceField *field;
  tacSolidFn solid; /* may be NULL */
  const tacVec3 *points;
  double slack; /* metres from the surface within which interpolation may err */
  atomic_int wrong, inside;
} Signs;

static void compare_signs(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Signs *signs = context;
  for (size_t i = begin; i < end; ++i) {
    /* The winding number costs a hundred times as much as the function that the shape was made of: it takes its turn. */
    bool winding = i % 11 == 0;
    if (!winding && signs->solid == NULL) continue;
    bool inside =
        winding ? tac_triangle_tree_winding(signs->tree, signs->points[i]) > 0.5 : signs->solid(signs->points[i]) < 0.0;
    bool negative = tac_distance_field_value(signs->field, signs->points[i]) < 0.0;
    if (inside) atomic_fetch_add(&signs->inside, 1);
    if (inside != negative && tac_triangle_tree_distance(signs->tree, signs->points[i], NULL, NULL) > signs->slack)
      atomic_fetch_add(&signs->wrong, 1);
  }
}

/* Nodes within four voxels of the surface are exact, the others less than a voxel too large and never too small. */
static void check_nodes(const char *name, const tacTriangleTree *tree, const tacGrid *grid) {
  tacRandom random = tac_random_seed(8);
  for (int n = 0; n < (tac_test_light() ? 300 : tac_test_all() ? 5000 : 1500); ++n) {
    uint64_t i = tac_random_bits(&random) % (uint64_t)grid->nx, j = tac_random_bits(&random) % (uint64_t)grid->ny,
             k = tac_random_bits(&random) % (uint64_t)grid->nz;
    tacVec3 p = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3((double)i, (double)j, (double)k));
    double exact = tac_triangle_tree_distance(tree, p, NULL, NULL) / grid->spacing;
    double value = fabs((double)grid->values[(k * (uint64_t)grid->ny + j) * (uint64_t)grid->nx + i]) / grid->spacing;
    ck_assert_msg(value > exact - 1e-4 && value < exact + (exact < 4.0 ? 1e-4 : 1.0),
                  "%s: %g voxels from the surface, the field says %g", name, exact, value);
  }
}

/* Half of the points are anywhere in the box, half within a tenth of a diagonal of the surface. */
static void the_field_is_distances_with_the_sign_of_the_solid(const char *name, const tacTriMesh *mesh) {
  const int count = tac_test_light() ? 2000 : tac_test_all() ? 100000 : 20000;
  TAC_MEMORY(tacVec3, points) = malloc((size_t)count * sizeof *points);
  tacFieldDef def = tac_field_def_default();
  def.resolution = tac_test_light() ? 32 : tac_test_all() ? 96 : 64;
  TAC_CREATE(tacDistanceField, field, tac_distance_field_bake(mesh, &def, NULL, &field, &error));
  TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(mesh, &tree, &error));
  tacRandom random = tac_random_seed(7);
  const tacBox box = tac_trimesh_box(mesh);
  double reach = 0.1 * tac_vec3_norm(tac_box_size(box));
  for (int i = 0; i < count; ++i) {
    tacVec3 vertex = mesh->vertices[tac_random_bits(&random) % (uint64_t)mesh->vertex_count];
    tacVec3 offset = tac_random_in_cube(&random, reach);
    points[i] = i % 2 == 0 ? tac_random_in_box(&random, box) : tac_vec3_add(vertex, offset);
  }
  /* Half a voxel's diagonal: a point farther from the surface than that shares its side with some corner of its cell; thin
     * parts make the others outvote it, so the diagonal as a whole is allowed. */
  Signs signs = {
      tree, field, tac_gallery_find(name)->solid.function, points, sqrt(3.0) * tac_distance_field_grid(field)->spacing,
      0,    0};
  tac_test_ok(tac_parallel_for(0, (size_t)count, 256, compare_signs, &signs, NULL, "signs", &error), error);
  ck_assert_msg(signs.wrong == 0, "%s: %d of %d points have the wrong sign", name, signs.wrong, count);
  ck_assert_int_gt(signs.inside, count / 1000);
  check_nodes(name, tree, tac_distance_field_grid(field));
}

/* No inverted or degenerate element, conforming, as many parts as the surface, the volume within 2 %. */
static void check_volume(const char *name, const tacTriMesh *surface, const tacVolMesh *mesh, tacVolumeReport *report) {
  tac_test_ok(tac_volume_report(mesh, report, &error), error);
  ck_assert_msg(report->inverted_elements == 0 && report->degenerate_elements == 0 && report->nonmanifold_faces == 0,
                "%s: %d inverted, %d degenerate, %d non-manifold", name, report->inverted_elements,
                report->degenerate_elements, report->nonmanifold_faces);
  int parts = tac_test_made(int, tac_solid_parts(surface, &made, &error));
  ck_assert_msg(report->components == parts, "%s: %d parts of %d", name, report->components, parts);
  double volume = tac_trimesh_volume(surface);
  ck_assert_msg(fabs(report->volume - volume) <= 0.02 * volume, "%s: volume %g of %g", name, report->volume, volume);
}

/* Sizes that keep the volume of shapes with many thin parts, where the search for them takes seconds; TACTUS_TEST_ALL searches for the last
 * two. */
static double known_size(const char *name) {
  const struct {
    const char *name;
    double size;
  } known[] = {{"suspension-bridge", 0.006}, {"tower", 0.006},        {"table-reinforced", 0.006},
               {"coil-spring", 0.0011},      {"dragon", 0.0026},      {"cables", 0.00175},
               {"sheet", 0.00063},           {"eye-trocars", 0.00069}};
  const size_t count = sizeof known / sizeof *known - (tac_test_all() ? 2 : 0);
  for (size_t i = 0; i < count; ++i)
    if (strcmp(name, known[i].name) == 0) return known[i].size;
  return 0.0;
}

static void stuffing_is_valid_and_has_the_volume(const char *name, const tacTriMesh *mesh) {
  tacStuffingDef def = tac_stuffing_def_default();
  TAC_OWN(tacVolMesh, tets) = NULL;
  def.size = known_size(name);
  double size;
  tacStatus status = def.size > 0.0 ? tac_stuffing_fill(mesh, &def, NULL, &tets, &error)
                                    : tac_stuffing_fill_to_volume(mesh, 0.02, &def, NULL, &tets, &size, &error);
  ck_assert_msg(status == TAC_OK, "%s: %s", name, error.text);
  tacVolumeReport report;
  check_volume(name, mesh, tets, &report);
  ck_assert_msg(report.smallest_dihedral > 8.0, "%s: a dihedral angle of %g degrees", name, report.smallest_dihedral);
}

static void voxels_are_valid_and_have_the_volume(const char *name, const tacTriMesh *mesh) {
  TAC_OWN(tacVolMesh, bricks) = NULL;
  int resolution;
  tacStatus status = tac_voxelise_to_volume(mesh, 0.02, NULL, &bricks, &resolution, &error);
  ck_assert_msg(status == TAC_OK, "%s: %s", name, error.text);
  tacVolumeReport report;
  check_volume(name, mesh, bricks, &report);
}

/* Of smooth, sharp, thin, slender, holed and hollow shapes, one or two each; TACTUS_TEST_ALL has the whole gallery. */
static bool is_chosen(const char *name) {
  static const char *const some[] = {"torus", "table-reinforced", "pipe", "needle", "sheet", "eye-trocars", "kidney"};
  const int count = tac_test_light() ? 3 : (int)(sizeof some / sizeof *some);
  for (int i = 0; i < count; ++i)
    if (strcmp(name, some[i]) == 0) return true;
  return tac_test_all();
}

/* Each shape is built once: that takes as long as most of what is made from it. */
TAC_TEST(every_shape_becomes_a_field_tetrahedra_and_bricks) {
  for (int s = 0; s < tac_shape_count(); ++s) {
    const char *name = tac_shape_info(s)->name;
    if (!is_chosen(name)) continue;
    TAC_CREATE(tacTriMesh, mesh, tac_shape_build(name, 0.0, NULL, &mesh, &error));
    the_field_is_distances_with_the_sign_of_the_solid(name, mesh);
    stuffing_is_valid_and_has_the_volume(name, mesh);
    voxels_are_valid_and_have_the_volume(name, mesh);
  }
}
