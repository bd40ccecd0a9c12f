#include <tactus/reduced.h>
#include "asset/load_field.h"
#include "asset/load_slice.h"
#include "bake/make_loaded.h"
#include "kinds/vademecum/crosses.h"
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/load_field_check.h"
#include "math/random.h"
#include "mesh/query/triangle_point.h"

/* A beam of 2 x 2 x 20 cm that loads at its vertices bend by more than it is thick. */
static MadeLoads make_beam_loads(int levels, int stride) {
  return make_loads(brick_beam_reduced(10, 1, 1, 0.02, false, 4, 10), levels, stride, tac_vec3(0.0, 0.1, -0.15));
}

static tacLoadField *bake(const tacLoadFieldDef *def) {
  tacLoadField *field = NULL;
  tac_test_ok(tac_load_field_bake(def, NULL, &field, &error), error);
  return field;
}

/* ---- crosses ---- */

/* A matrix of rank 3, entry by entry, from what is found. */
TAC_TEST(crosses_find_a_matrix_of_low_rank) {
  enum { COLUMNS = 40, RANK = 3 };
  tacRandom random = tac_random_seed(1);
  static float r[COLUMNS][TAC_CROSSES_ROWS], copy[COLUMNS][TAC_CROSSES_ROWS];
  static double a[RANK][TAC_CROSSES_ROWS], b[RANK][COLUMNS];
  for (int j = 0; j < RANK; ++j) {
    for (int i = 0; i < TAC_CROSSES_ROWS; ++i) a[j][i] = tac_random_normal(&random);
    for (int c = 0; c < COLUMNS; ++c) b[j][c] = tac_random_normal(&random);
  }
  for (int c = 0; c < COLUMNS; ++c)
    for (int i = 0; i < TAC_CROSSES_ROWS; ++i)
      copy[c][i] = r[c][i] = (float)(a[0][i] * b[0][c] + a[1][i] * b[1][c] + a[2][i] * b[2][c]);
  tacCrosses crosses;
  tac_test_ok(tac_crosses_find(COLUMNS, &r[0][0], 1e-2f, &crosses, &error), error);
  ck_assert_int_eq(crosses.rank, RANK);
  for (int c = 0; c < COLUMNS; ++c)
    for (int i = 0; i < TAC_CROSSES_ROWS; ++i) {
      double sum = 0.0;
      for (int j = 0; j < crosses.rank; ++j)
        sum += (double)crosses.scales[j] * crosses.shapes[j * TAC_CROSSES_ROWS + i] * crosses.loads[j * COLUMNS + c];
      if (!(fabs(sum - (double)copy[c][i]) <= 1e-2)) ck_abort_msg("%g, %g", sum, (double)copy[c][i]);
    }
  tac_crosses_free(&crosses);
  /* Noise has full rank, and is found to any tolerance that 16 bits reach. */
  for (int c = 0; c < COLUMNS; ++c)
    for (int i = 0; i < TAC_CROSSES_ROWS; ++i) r[c][i] = (float)tac_random_normal(&random);
  tac_test_ok(tac_crosses_find(COLUMNS, &r[0][0], 1e-2f, &crosses, &error), error);
  ck_assert_int_ge(crosses.rank, COLUMNS);
  ck_assert(crosses.error <= 1e-2f);
  tac_crosses_free(&crosses);
}

/* ---- distances ---- */

/* At the grid's samples to the tolerance; between them a distance, which changes by no more than the way, differs
 * from what is interpolated by half a diagonal of a voxel at most. */
static void compare_with_surfaces(const MadeLoads *made, const tacLoadField *field, int loads, int places) {
  const tacLoadFieldInfo *info = tac_load_field_info(field);
  const double voxel = info->spacing;
  tacRandom random = tac_random_seed(2);
  TAC_CREATE(tacLoadSlice, slice, tac_load_slice_create(field, &slice, &error));
  double worst = 0.0;
  for (int i = 0; i < loads; ++i) {
    const int node = (int)(tac_random_bits(&random) % (uint64_t)made->node_count), level = i % made->level_count;
    TAC_OWN(tacTriMesh, surface) = bent_surface(made->reduced, state_of(made, node, level));
    tacLoadPart part = {node, made->levels[level], 1.0};
    tac_load_slice_set(slice, 1, &part);
    for (int p = 0; p < places; ++p) {
      const int v = (int)(tac_random_bits(&random) % (uint64_t)surface->vertex_count);
      tacVec3 x = tac_vec3_add(surface->vertices[v], tac_random_in_cube(&random, 2.0 * voxel)), at;
      const tacVec3 from = tac_vec3_scale(1.0 / voxel, tac_vec3_sub(x, info->origin));
      at = tac_vec3_mad(info->origin, voxel, tac_vec3(round(from.x), round(from.y), round(from.z)));
      const double sample = tac_load_slice_value(slice, at), exact = true_distance(surface, at);
      if (fabs(exact) > 1.5 * info->tolerance) /* a sample that is nearer may have either sign */
        ck_assert_msg(fabs(sample - exact) <= 1.001 * info->tolerance + 1e-6 * voxel, "%g, not %g", sample, exact);
      const double off = fabs(tac_load_slice_value(slice, x) - true_distance(surface, x));
      ck_assert_double_le(off, 0.87 * voxel + info->tolerance);
      worst = fmax(worst, off);
    }
  }
  ck_assert_double_gt(worst, 0.0);
}

static double largest_displacement(const MadeLoads *made) {
  double most = 0.0;
  for (int i = 0; i < made->node_count; ++i) {
    TAC_OWN(tacTriMesh, surface) = bent_surface(made->reduced, state_of(made, i, made->level_count - 1));
    for (int v = 0; v < surface->vertex_count; ++v)
      most = fmax(most, tac_vec3_distance(surface->vertices[v], tac_reduced_surface(made->reduced)->vertices[v]));
  }
  return most;
}

TAC_TEST(field_matches_distances_to_a_deformed_beam) {
  TAC_FREED(free_loads, MadeLoads, made) = make_beam_loads(2, tac_test_light() ? 8 : 1);
  ck_assert_double_gt(largest_displacement(&made), 0.05); /* of 0.2 m; 0.02 m thick */
  tacLoadFieldDef def = loads_def(&made, tac_test_light() ? 24 : 40);
  TAC_OWN(tacLoadField, field) = bake(&def);
  const tacLoadFieldInfo *info = tac_load_field_info(field);
  ck_assert_double_le(info->error, info->tolerance);
  ck_assert(info->steepest >= 1.0 && info->steepest < 2.0);
  ck_assert(tac_test_light() || info->bytes < 0.7 * info->bytes_dense);
  ck_assert_int_ge(tac_load_field_checks(field)->count, 1);
  compare_with_surfaces(&made, field, tac_test_light() ? 6 : 30, 60);
}

/* Two legs that are bent through each other: overlapping parts are one solid. */
TAC_TEST(field_matches_distances_to_crossing_legs) {
  TAC_FREED(free_loads, MadeLoads, made) =
      make_loads(make_legs(8), 1, tac_test_light() ? 40 : 12, tac_vec3(0.02, 0.0, 0.0));
  tacLoadFieldDef def = loads_def(&made, 32);
  def.tolerance = 1e-4;
  TAC_OWN(tacLoadField, field) = bake(&def);
  compare_with_surfaces(&made, field, tac_test_light() ? 4 : 12, 60);
}

/* A load that slides over triangles and grows meanwhile: the value never jumps. Weights add up to 1, so that over a
 * step of the path the value moves by the change of weights times the distances between the fields that are mixed,
 * at most the largest displacement and what interpolation and tolerance add. */
TAC_TEST(sliding_loads_do_not_jump) {
  TAC_FREED(free_loads, MadeLoads, made) = make_beam_loads(2, 1);
  tacLoadFieldDef def = loads_def(&made, 24);
  TAC_OWN(tacLoadField, field) = bake(&def);
  const tacTriMesh *surface = tac_reduced_surface(made.reduced);
  const double span = largest_displacement(&made) * 2.0 + 4.0 * tac_load_field_info(field)->spacing;
  TAC_CREATE(tacLoadSlice, slice, tac_load_slice_create(field, &slice, &error));
  const tacVec3 x = tac_vec3(0.15, 0.01, -0.01);
  const int steps = 200;
  int slid = 0;
  double last = 0.0;
  for (int t = 0; t < surface->triangle_count; ++t) {
    const int *v = surface->triangles[t].v;
    int nodes[3], known = 1;
    for (int c = 0; c < 3; ++c) known = known && (nodes[c] = tac_load_field_node_of(field, v[c])) >= 0;
    if (!known) continue;
    for (int i = 0; i <= steps; ++i) { /* from the first corner to the last, through the inside */
      const double s = (double)i / steps, size = fabs(1.2 * s - 0.1);
      const double w[3] = {(1.0 - s) * (1.0 - s), 2.0 * s * (1.0 - s), s * s};
      tacLoadPart parts[3];
      for (int c = 0; c < 3; ++c) parts[c] = (tacLoadPart){nodes[c], size, w[c]};
      tac_load_slice_set(slice, 3, parts);
      const double value = tac_load_slice_value(slice, x);
      /* sum |dw| <= 4 / steps; sizes move by 1.2 / steps of levels that are 0.5 apart. */
      if (i > 0) ck_assert_double_le(fabs(value - last), (4.0 + 2.4) / steps * span);
      last = value;
    }
    ++slid;
  }
  ck_assert_int_gt(slid, 20);
}

/* ---- how it is baked ---- */

/* In slabs, on one thread or several: the same samples to the tolerance. */
TAC_TEST(result_is_independent_of_slabs_and_threads) {
  TAC_FREED(free_loads, MadeLoads, made) = make_beam_loads(1, 6);
  tacLoadFieldDef def = loads_def(&made, 32);
  def.thread_count = 1;
  tacLoadFieldEstimate estimate;
  tac_test_ok(tac_load_field_estimate(&def, &estimate, &error), error);
  TAC_OWN(tacLoadField, whole) = bake(&def);
  const tacLoadFieldInfo *info = tac_load_field_info(whole);
  ck_assert_int_eq(memcmp(estimate.nodes, info->nodes, sizeof info->nodes), 0);
  ck_assert_double_eq(estimate.bytes_dense, info->bytes_dense);
  def.bytes_most = 0.75 * estimate.bytes_bake;
  TAC_OWN(tacLoadField, slabs) = bake(&def);
  ck_assert_double_lt(tac_load_field_info(slabs)->bytes_bake, estimate.bytes_bake);
  def.thread_count = 3;
  def.bytes_most = 1e9;
  TAC_OWN(tacLoadField, threads) = bake(&def);
  const tacLoadField *const fields[3] = {whole, slabs, threads};
  tacLoadSlice *slices[3];
  for (int s = 0; s < 3; ++s) tac_test_ok(tac_load_slice_create(fields[s], &slices[s], &error), error);
  const size_t count = (size_t)info->nodes[0] * (size_t)info->nodes[1] * (size_t)info->nodes[2];
  TAC_MEMORY(float, a) = malloc(count * sizeof *a);
  TAC_MEMORY(float, b) = malloc(count * sizeof *b);
  for (int c = 0; c < made.node_count; ++c) {
    for (int s = 0; s < 3; ++s) tac_load_slice_set_column(slices[s], c);
    tac_load_slice_samples(slices[0], a);
    tac_load_slice_samples(slices[2], b);
    ck_assert_int_eq(memcmp(a, b, count * sizeof *a), 0);
    tac_load_slice_samples(slices[1], b);
    for (size_t i = 0; i < count; ++i) /* exact near the surface; elsewhere too large in another way */
      if (fabsf(a[i]) < 3.0f * (float)info->spacing && fabsf(a[i] - b[i]) > 2.01f * (float)info->tolerance)
        ck_abort_msg("%g, %g", (double)a[i], (double)b[i]);
  }
  for (int s = 0; s < 3; ++s) tac_load_slice_destroy(slices[s]);
}

TAC_TEST(unbakeable_input_is_rejected) {
  TAC_FREED(free_loads, MadeLoads, made) = make_beam_loads(2, 12);
  const double falling[2] = {1.0, 0.5};
  int vertices[64];
  memcpy(vertices, made.vertices, (size_t)made.node_count * sizeof *vertices);
  vertices[0] = 1000000;
  int calls = 0;
  const tacProgress cancel = {tac_test_cancel, &calls};
  for (int bad = 0; bad < 7; ++bad) {
    tacLoadFieldDef def = loads_def(&made, 24);
    tacStatus expected = bad == 0 ? TAC_ERR_CANCELLED : TAC_ERR_ARGUMENT;
    const char *text = "";
    switch (bad) {
      case 1: def.box = (tacBox){{-0.05, -0.02, -0.02}, {0.25, 0.04, 0.04}}, text = "too small by"; break;
      case 2: def.bytes_most = 1e4, expected = TAC_ERR_MEMORY, text = "MB"; break;
      case 3: def.resolution = 2, text = "voxels"; break;
      case 4: def.levels = falling, text = "must increase"; break;
      case 5: def.vertices = vertices, text = "vertex"; break;
      case 6: made.states[0] = NAN, text = "finite"; break;
    }
    tacLoadField *field = NULL;
    tac_test_refused(tac_load_field_bake(&def, bad == 0 ? &cancel : NULL, &field, &error), expected, error, text);
    ck_assert_ptr_null(field);
  }
}

/* A thousandth of a box that is off: refused by the check that every bake ends in. */
TAC_TEST(check_detects_a_wrong_number) {
  TAC_FREED(free_loads, MadeLoads, made) = make_beam_loads(1, 12);
  tacLoadFieldDef def = loads_def(&made, 24);
  TAC_OWN(tacLoadField, field) = bake(&def);
  tacBakeChecks checks = {0};
  tac_test_ok(tac_load_field_check(field, made.reduced, def.band, &checks, &error), error);
  const tacLoadFieldParts *parts = tac_load_field_parts(field);
  for (int b = 0; b < tac_load_field_info(field)->block_count; ++b)
    for (int i = 0; i < TAC_LOAD_BLOCK; ++i)
      parts->rest[b * TAC_LOAD_BLOCK + i] += 0.15f * (float)tac_load_field_info(field)->spacing;
  ck_assert_int_eq(tac_load_field_check(field, made.reduced, def.band, &checks, &error), TAC_ERR_CHECK);
}
