#include "bake/fields/field_check.h"

#include <tactus/base.h>
#include <tactus/distance_field.h>
#include "asset/distance_field.h"
#include "bake/fields/field_bake.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "test.h"

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

TAC_TEST(fields_pass_and_keep_their_checks) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0.1, 0.2, 0.3), 0.5, 14, 20);
  for (int soup = 0; soup < 2; ++soup) {
    TAC_OWN(tacDistanceField, field) = bake(mesh, soup, 24);
    const tacBakeChecks *checks = tac_distance_field_checks(field);
    ck_assert_int_eq(checks->count, soup ? 4 : 3);
    for (int i = 0; i < checks->count; ++i) /* the offset surface is interpolated between nodes */
      ck_assert_double_le(checks->checks[i].worst, (i < 3 ? 0.01 : 1.0) * checks->checks[i].allowed);
    if (!soup) {
      TAC_CREATE(tacDistanceField, half, tac_distance_field_plane(tac_vec3(1.0, 0.2, 0.1), 0.1, &half, &error));
      TAC_CREATE(tacDistanceField, part, tac_distance_field_cut(field, half, NULL, &part, &error));
      ck_assert_int_eq(tac_distance_field_checks(part)->count, 4);
    }
  }
}

static void keep_warning(tacLogLevel level, const char *text, void *user) {
  if (level == TAC_LOG_WARNING) snprintf(user, 1024, "%s", text);
}

/* A frame of twelve bars along the edges of a cube of 1 m, with square sections of `thick`: they overlap at its corners. */
static tacTriMesh *make_frame(double thick) {
  tacTriMesh *mesh = NULL;
  for (int bar = 0; bar < 12; ++bar) {
    int axis = bar / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
    double lower[3] = {0.0}, upper[3];
    lower[u] = bar & 1 ? 1.0 - thick : 0.0;
    lower[v] = bar & 2 ? 1.0 - thick : 0.0;
    upper[axis] = 1.0;
    upper[u] = lower[u] + thick;
    upper[v] = lower[v] + thick;
    tacTriMesh *part = make_box((tacBox){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}}, 1);
    mesh = mesh == NULL ? part : join_meshes(mesh, part);
  }
  return mesh;
}

/* The area in which the field is negative across the bar at y, z = 0, half along it. The grid is as symmetric as the frame: that of
 * every bar. */
static double section_of_bar(const tacDistanceField *field) {
  enum { POINTS = 400 };
  double side = 0.1;
  int inside = 0;
  for (int j = 0; j < POINTS; ++j)
    for (int i = 0; i < POINTS; ++i)
      inside += tac_distance_field_value(
                    field, tac_vec3(0.5, side * ((i + 0.5) / POINTS - 0.4), side * ((j + 0.5) / POINTS - 0.4))) < 0.0;
  return side * side * inside / (POINTS * POINTS);
}

TAC_TEST(coarse_fields_report_lost_volume) {
  static const double thick = 0.02;
  double shares[2];
  TAC_OWN(tacTriMesh, mesh) = make_frame(thick);
  char warning[1024] = "";
  tac_log_set(keep_warning, warning);
  for (int fine = 0; fine < 2; ++fine) {
    warning[0] = '\0';
    tacDistanceField *field = bake(mesh, false, fine ? 150 : 40);
    const tacBakeChecks *checks = tac_distance_field_checks(field);
    ck_assert_ptr_nonnull(strstr(checks->checks[2].what, "volume"));
    shares[fine] = 1.0 - checks->checks[2].worst;
    ck_assert_double_eq_tol(shares[fine], section_of_bar(field) / (thick * thick), 0.1);
    tac_distance_field_destroy(field);
    if (!fine) ck_assert_ptr_nonnull(strstr(warning, "so use 150")); /* 1.5 m / 150 are half of a bar */
  }
  tac_log_set(NULL, NULL);
  ck_assert_double_lt(shares[0], 0.7);
  ck_assert_double_gt(shares[1], 0.8);
}

static tacStatus check_again(const tacTriMesh *mesh, const tacGrid *grid) {
  tacBakeChecks checks = {0};
  return tac_field_check(mesh, grid, tac_field_def_default().band, &checks, &error);
}

/* All values by 1 %, or of one part of the box; every sign; one node by two voxels, or only its sign. */
TAC_TEST(wrong_values_and_signs_are_refused) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0.1, 0.2, 0.3), 0.5, 14, 20);
  TAC_OWN(tacDistanceField, field) = bake(mesh, false, 24);
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
}

TAC_TEST(a_surface_in_the_wrong_place_is_refused) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0.1, 0.2, 0.3), 0.5, 14, 20);
  tacBakeChecks checks = {0};
  double voxel = 0.05;
  tac_test_ok(tac_field_check_offset(mesh, mesh, 0.0, voxel, 4.0, &checks, &error), error);
  ck_assert_int_eq(tac_field_check_offset(mesh, mesh, 1.2 * voxel, voxel, 4.0, &checks, &error), TAC_ERR_CHECK);
  TAC_OWN(tacDistanceField, field) = bake(mesh, false, 24);
  TAC_CREATE(tacDistanceField, half, tac_distance_field_plane(tac_vec3(1.0, 0.0, 0.0), 5.0, &half, &error));
  tac_test_ok(tac_field_check_cut(field, half, mesh, &checks, &error), error); /* all of it is inside */
  for (int v = 0; v < mesh->vertex_count; ++v) mesh->vertices[v].x *= 1.3;
  ck_assert_int_eq(tac_field_check_cut(field, half, mesh, &checks, &error), TAC_ERR_CHECK);
}
