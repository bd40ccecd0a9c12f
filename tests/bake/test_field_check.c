#include "bake/field_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/deformed_field.h>
#include <tactus/field_bake.h>
#include "math/random.h"
#include "math/vec3.h"
#include "mesh/make_mesh.h"
#include "test.h"

static tacError error;

static tacDistanceField *bake(const tacTriMesh *mesh, bool soup, int resolution) {
  tacFieldDef def = tac_field_def_default();
  def.resolution = resolution;
  tacDistanceField *field = NULL;
  if (soup)
    tac_test_ok(tac_distance_field_bake_soup(mesh, &def, NULL, &field, NULL, &error), error);
  else
    tac_test_ok(tac_distance_field_bake(mesh, &def, NULL, &field, &error), error);
  return field;
}

START_TEST(fields_pass_and_keep_their_checks) {
  tacTriMesh *mesh = make_sphere(tac_vec3(0.1, 0.2, 0.3), 0.5, 14, 20);
  for (int soup = 0; soup < 2; ++soup) {
    tacDistanceField *field = bake(mesh, soup, 24);
    const tacBakeChecks *checks = tac_distance_field_checks(field);
    ck_assert_int_eq(checks->count, soup ? 3 : 2);
    for (int i = 0; i < checks->count; ++i) /* the offset surface is interpolated between nodes */
      ck_assert_double_le(checks->checks[i].worst, (i < 2 ? 0.01 : 1.0) * checks->checks[i].allowed);
    if (!soup) {
      tacDistanceField *half = NULL, *part = NULL;
      tac_test_ok(tac_distance_field_plane(tac_vec3(1.0, 0.2, 0.1), 0.1, &half, &error), error);
      tac_test_ok(tac_distance_field_cut(field, half, NULL, &part, &error), error);
      ck_assert_int_eq(tac_distance_field_checks(part)->count, 3);
      tac_distance_field_destroy(part);
      tac_distance_field_destroy(half);
    }
    tac_distance_field_destroy(field);
  }
  tac_trimesh_destroy(mesh);
}
END_TEST

static tacStatus check_again(const tacTriMesh *mesh, const tacGrid *grid) {
  tacBakeChecks checks = {0};
  return tac_field_check(mesh, grid, tac_field_def_default().band, &checks, &error);
}

/* All values by 1 %, or of one part of the box; every sign; one node by two voxels, or only its sign. */
START_TEST(wrong_values_and_signs_are_refused) {
  tacTriMesh *mesh = make_sphere(tac_vec3(0.1, 0.2, 0.3), 0.5, 14, 20);
  tacDistanceField *field = bake(mesh, false, 24);
  tacGrid grid = *tac_distance_field_grid(field);
  size_t count = (size_t)grid.nx * (size_t)grid.ny * (size_t)grid.nz;
  float *good = grid.values;
  grid.values = malloc(count * sizeof *good);
  for (int fault = 0; fault < 5; ++fault) {
    memcpy(grid.values, good, count * sizeof *good);
    if (fault == 0) tac_test_ok(check_again(mesh, &grid), error);
    for (size_t i = 0; i < count; ++i) {
      if (fault == 1) grid.values[i] *= 1.01f;
      if (fault == 2) grid.values[i] *= 0.99f;
      if (fault == 3) grid.values[i] = -grid.values[i];
      if (fault == 4 && i % 2 == 0) grid.values[i] = NAN;
    }
    if (fault > 0) ck_assert_msg(check_again(mesh, &grid) == TAC_ERR_CHECK, "fault %d", fault);
  }
  tacRandom random = tac_random_seed(7);
  for (int trial = 0; trial < 40; ++trial) {
    memcpy(grid.values, good, count * sizeof *good);
    size_t at = 0;
    do at = tac_random_bits(&random) % count;
    while (fabs((double)good[at]) < 0.8 * grid.spacing || fabs((double)good[at]) > 2.5 * grid.spacing);
    if (trial % 2 == 0)
      grid.values[at] += 2.0f * (float)grid.spacing;
    else
      grid.values[at] = -grid.values[at];
    ck_assert_int_eq(check_again(mesh, &grid), TAC_ERR_CHECK);
  }
  free(grid.values);
  tac_distance_field_destroy(field);
  tac_trimesh_destroy(mesh);
}
END_TEST

START_TEST(a_surface_in_the_wrong_place_is_refused) {
  tacTriMesh *mesh = make_sphere(tac_vec3(0.1, 0.2, 0.3), 0.5, 14, 20);
  tacBakeChecks checks = {0};
  double voxel = 0.05;
  tac_test_ok(tac_field_check_offset(mesh, mesh, 0.0, voxel, 4.0, &checks, &error), error);
  ck_assert_int_eq(tac_field_check_offset(mesh, mesh, 1.2 * voxel, voxel, 4.0, &checks, &error), TAC_ERR_CHECK);
  tacDistanceField *field = bake(mesh, false, 24), *half = NULL;
  tac_test_ok(tac_distance_field_plane(tac_vec3(1.0, 0.0, 0.0), 5.0, &half, &error), error);
  tac_test_ok(tac_field_check_cut(field, half, mesh, &checks, &error), error); /* all of it is inside */
  for (int v = 0; v < mesh->vertex_count; ++v) mesh->vertices[v].x *= 1.3;
  ck_assert_int_eq(tac_field_check_cut(field, half, mesh, &checks, &error), TAC_ERR_CHECK);
  tac_distance_field_destroy(field);
  tac_distance_field_destroy(half);
  tac_trimesh_destroy(mesh);
}
END_TEST

TAC_TEST_MAIN("field check", fields_pass_and_keep_their_checks, wrong_values_and_signs_are_refused,
              a_surface_in_the_wrong_place_is_refused)
