#include "bake/points/pointshell_check.h"

#include <tactus/distance_field.h>
#include <tactus/meshing.h>
#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include "asset/deformed_domain.h"
#include "asset/deformed_field.h"
#include "bake/isosurface.h"
#include "bake/make_bent.h"
#include "bake/modes/embedding_check.h"
#include "kinds/reduced/embedded/deformed_field_bake.h"
#include "kinds/reduced/embedded/deformed_field_check.h"
#include "kinds/reduced/embedded/pointshell_embed.h"
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "test.h"

enum { R = 6, POINTS = 400 };

static tacDistanceField *field_of(const tacTriMesh *mesh) {
  tacFieldDef def = tac_field_def_default();
  tacDistanceField *field = NULL;
  def.resolution = 40;
  tac_test_ok(tac_distance_field_bake(mesh, &def, NULL, &field, &error), error);
  return field;
}

static tacPointshell *points_of(const tacDistanceField *field, const tacTriMesh *mesh) {
  tacPointshellDef def = {.point_count = POINTS, .level_count = 2};
  tacPointshell *shell = NULL;
  tac_test_ok(tac_pointshell_bake(field, mesh, &def, NULL, &shell, &error), error);
  return shell;
}

static void require_margin(const tacBakeChecks *checks, int count) {
  ck_assert_int_eq(checks->count, count);
  for (int i = 0; i < count; ++i)
    ck_assert_msg(checks->checks[i].worst <= 0.02 * checks->checks[i].allowed, "%s: %g of %g", checks->checks[i].what,
                  checks->checks[i].worst, checks->checks[i].allowed);
}

static float *of_asset(const float *number) {
  return (float *)(uintptr_t)number;
}

TAC_TEST(points_off_the_surface_and_wrong_normals_and_areas_are_refused) {
  TAC_OWN(tacTriMesh, mesh) = make_torus(0.05, 0.02, 40, 24);
  TAC_OWN(tacDistanceField, field) = field_of(mesh);
  const tacGrid *grid = tac_distance_field_grid(field);
  TAC_CREATE(tacTriMesh, level_set, tac_isosurface_extract(grid, 0.0, &level_set, &error));
  TAC_OWN(tacPointshell, shell) = points_of(field, mesh);
  const tacPointshellView *view = tac_pointshell_view(shell);
  require_margin(tac_pointshell_checks(shell), 6); /* with those of the field */
  tacRandom random = tac_random_seed(4);
  for (int trial = 0; trial < 30; ++trial) {
    size_t i = tac_random_bits(&random) % POINTS;
    float *number = trial % 3 == 0   ? of_asset(&view->nodes[1][i].x)
                    : trial % 3 == 1 ? of_asset(&view->normals[i][0])
                                     : of_asset(&view->areas[1][i]);
    float kept[3] = {number[0], number[1], number[2]};
    tacBakeChecks checks = {0};
    if (trial % 3 == 0)
      for (int a = 0; a < 3; ++a) number[a] += 0.01f * (float)grid->spacing * view->normals[i][a];
    if (trial % 6 == 1)
      for (int a = 0; a < 3; ++a) number[a] *= 1.001f;
    if (trial % 6 == 4)
      for (int a = 0; a < 3; ++a) number[a] *= -1.0f;
    if (trial % 3 == 2) number[0] *= 1.1f;
    ck_assert_msg(tac_pointshell_check(shell, grid, level_set, &checks, &error) == TAC_ERR_CHECK, "trial %d", trial);
    number[0] = kept[0];
    if (trial % 3 != 2) memcpy(number, kept, sizeof kept);
  }
}

/* In bricks and in tetrahedra, in an element and outside of all. */
TAC_TEST(wrong_point_rows_are_refused) {
  tacRandom random = tac_random_seed(6);
  for (int tets = 0; tets < 2; ++tets) {
    TAC_OWN(tacVolMesh, mesh) = tets ? make_tets(unit_box(), 3, 3, 3) : make_bricks(unit_box(), 3, 3, 3);
    for (int v = 0; v < mesh->vertex_count; ++v) { /* uneven */
      tacVec3 *p = &mesh->vertices[v];
      *p = tac_vec3(p->x + 0.05 * p->y * p->z, p->y + 0.06 * p->x * p->x, p->z + 0.04 * p->x * p->y);
    }
    /* u = A x + b is reproduced everywhere, so that rows and gradients are known. */
    double a[3][3], b[3], basis[64 * 3];
    for (int i = 0; i < 9; ++i) a[i / 3][i % 3] = tac_random_uniform(&random, -1.0, 1.0);
    for (int i = 0; i < 3; ++i) b[i] = tac_random_uniform(&random, -1.0, 1.0);
    ck_assert_int_eq(mesh->vertex_count, 64);
    for (int i = 0; i < 64 * 3; ++i) {
      tacVec3 p = mesh->vertices[i / 3];
      basis[i] = a[i % 3][0] * p.x + a[i % 3][1] * p.y + a[i % 3][2] * p.z + b[i % 3];
    }
    tacEmbeddingCheck check = tac_embedding_check(mesh, 1, basis);
    tacWorst worst = {0};
    for (int s = 0; s < 100; ++s) {
      tacVec3 p = tac_random_in_box(&random, (tacBox){{-0.1, -0.1, -0.1}, {1.1, 1.1, 1.1}});
      double row[3], change[3];
      tacVec3 n = tac_vec3_unit(tac_vec3(1.0, -2.0, 0.5));
      for (int i = 0; i < 3; ++i) {
        row[i] = a[i][0] * p.x + a[i][1] * p.y + a[i][2] * p.z + b[i];
        change[i] = a[i][0] * n.x + a[i][1] * n.y + a[i][2] * n.z;
      }
      const tacEmbeddedRows rows = {p, n, row, change, &a[0][0]};
      tac_embedding_check_compare(&check, &rows, s, &worst);
      for (int fault = 0; fault < 3; ++fault) {
        double *number = fault == 0 ? &row[s % 3] : fault == 1 ? &change[s % 3] : &a[s % 3][s / 3 % 3], kept = *number;
        tacWorst wrong = {0};
        *number += 1e-3;
        tac_embedding_check_compare(&check, &rows, s, &wrong);
        if (wrong.samples > 0) ck_assert_double_gt(wrong.error, 1e-5);
        *number = kept;
      }
    }
    ck_assert_int_gt(worst.samples, 90);
    ck_assert_double_lt(worst.error, 1e-11);
  }
}

TAC_TEST(embedded_points_and_deformed_fields_that_are_wrong_are_refused) {
  TAC_OWN(tacReduced, reduced) = brick_beam_reduced(6, 2, 2, 0.01, false, 4, R);
  tacDistanceField *domain = field_of(tac_reduced_surface(reduced));
  TAC_OWN(tacPointshell, rigid) = points_of(domain, tac_reduced_surface(reduced));
  TAC_CREATE(tacPointshell, soft, tac_pointshell_embed(rigid, reduced, &soft, &error));
  require_margin(tac_pointshell_checks(soft), 7);
  const tacPointshellView *view = tac_pointshell_view(soft);
  for (int which = 0; which < 2; ++which) {
    float *rows = of_asset(which == 0 ? view->displacements : view->normal_changes);
    tacBakeChecks checks = {0};
    for (int i = 0; i < 3 * POINTS * view->stride; ++i) rows[i] *= 1.001f;
    ck_assert_int_eq(
        tac_pointshell_check_embedded(soft, tac_reduced_volume(reduced), tac_reduced_basis(reduced), &checks, &error),
        TAC_ERR_CHECK);
    for (int i = 0; i < 3 * POINTS * view->stride; ++i) rows[i] /= 1.001f;
  }
  tacDeformedFieldDef def = tac_deformed_field_def_default();
  TAC_CREATE(tacDeformedField, field, tac_deformed_field_bake(reduced, 1, &domain, &def, NULL, &field, &error));
  require_margin(tac_deformed_field_checks(field), 6);
  tacDeformedDomain *made = &field->domains[0];
  double voxel = tac_distance_field_grid(domain)->spacing;
  for (int fault = 0; fault < 3; ++fault) {
    tacBakeChecks checks = {0};
    int numbers = TAC_PROXY_ROWS * R * made->count;
    for (int i = 0; fault > 0 && i < numbers; ++i)
      if ((i / R % TAC_PROXY_ROWS < 3) == (fault == 1)) made->modes[i] *= 1.001;
    tacVec3 kept = made->positions[7];
    if (fault == 0) made->positions[7] = tac_vec3_add(kept, tac_vec3(0.01 * voxel, 0.01 * voxel, 0.01 * voxel));
    ck_assert_int_eq(tac_deformed_field_check(field, reduced, &checks, &error), TAC_ERR_CHECK);
    made->positions[7] = kept;
    for (int i = 0; fault > 0 && i < numbers; ++i)
      if ((i / R % TAC_PROXY_ROWS < 3) == (fault == 1)) made->modes[i] /= 1.001;
  }
}
