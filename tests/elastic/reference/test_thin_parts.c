#include "elastic/reference/thin_parts.h"

#include <tactus/base.h>
#include <tactus/material.h>
#include "elastic/reference/reference_problem.h"
#include "math/geometry/vec3.h"
#include "mesh/make_mesh.h"

#define LENGTH 0.1
#define WIDTH 0.02
#define THICKNESS 0.004
#define YOUNG 1e9
#define POISSON 0.3

static tacTriMesh *make_plate(double edge) {
  tacTriMesh *surface;
  TAC_OWN(tacVolMesh, bricks) =
      make_bricks((tacBox){{0.0, 0.0, 0.0}, {LENGTH, WIDTH, THICKNESS}}, (int)round(LENGTH / edge),
                  (int)fmax(1.0, round(WIDTH / edge)), (int)fmax(1.0, round(THICKNESS / edge)));
  tac_test_ok(tac_volmesh_surface(bricks, &surface, NULL, NULL, &error), error);
  return surface;
}

/* Displacement of the free end along z under a force of 1 N there, over that of Timoshenko's beam; the status of the problem. */
static tacStatus bend(const tacTriMesh *surface, bool accept, double *share) {
  bool *fixed = tac_test_alloc((size_t)surface->vertex_count * sizeof *fixed);
  int *end = tac_test_alloc((size_t)surface->vertex_count * sizeof *end), count = 0;
  for (int v = 0; v < surface->vertex_count; ++v) {
    fixed[v] = surface->vertices[v].x < 1e-9;
    if (surface->vertices[v].x > LENGTH - 1e-9) end[count++] = v;
  }
  tacMaterial material;
  tac_test_ok(tac_material_isotropic(1000.0, YOUNG, POISSON, &material, &error), error);
  tacReferenceDef def = {.method = TAC_BOUNDARY_ELEMENTS,
                         .surface = surface,
                         .material_count = 1,
                         .materials = &material,
                         .fixed = fixed,
                         .accept_thin = accept};
  tacReferenceProblem *problem;
  tacStatus status = tac_reference_problem_create(&def, NULL, &problem, &error);
  if (status == TAC_OK) {
    size_t rows = 3 * (size_t)surface->vertex_count;
    double *columns = tac_test_doubles(3 * (size_t)count * rows), area = 0.0, sum = 0.0;
    tac_test_ok(tac_reference_problem_columns(problem, count, end, NULL, columns, &error), error);
    const double *areas = tac_reference_problem_area(problem);
    for (int i = 0; i < count; ++i) area += areas[end[i]];
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        sum += areas[end[j]] / (area * area) * columns[(3 * (size_t)i + 2) * rows + 3 * (size_t)end[j] + 2];
    double beam = 4.0 * pow(LENGTH / THICKNESS, 3.0) / (YOUNG * WIDTH) +
                  1.2 * LENGTH * 2.0 * (1.0 + POISSON) / (YOUNG * WIDTH * THICKNESS);
    *share = sum / beam;
    tac_reference_problem_destroy(problem);
  }
  return status;
}

static void count_warning(tacLogLevel level, const char *text, void *user) {
  if (level == TAC_LOG_WARNING && strstr(text, "too stiff") != NULL) ++*(int *)user;
}

TAC_TEST(plates_with_long_edges_are_refused_with_their_error) {
  double share;
  tacTriMesh *coarse = make_plate(2.0 * THICKNESS);
  ck_assert_int_eq(bend(coarse, false, &share), TAC_ERR_GEOMETRY);
  ck_assert_ptr_nonnull(strstr(error.text, "too stiff"));
  ck_assert_ptr_nonnull(strstr(error.text, "0.002 m")); /* half of the thickness */
  ck_assert_ptr_nonnull(strstr(error.text, "--remesh"));
  int warnings = 0;
  tac_log_set(count_warning, &warnings);
  tac_test_ok(bend(coarse, true, &share), error);
  ck_assert_int_eq(warnings, 1);
  ck_assert_double_lt(share, 0.3); /* 0.19 */
  tac_trimesh_destroy(coarse);
  if (!tac_test_light()) {
    TAC_OWN(tacTriMesh, fine) = make_plate(0.5 * THICKNESS);
    warnings = 0;
    tac_test_ok(bend(fine, false, &share), error);
    ck_assert_int_eq(warnings, 0);
    ck_assert_double_gt(share, 0.85); /* 0.90 */
    ck_assert_double_lt(share, 1.0);
  }
  tac_log_set(NULL, NULL);
}

TAC_TEST(blocks_pass_however_coarse) {
  TAC_OWN(tacTriMesh, cube) = make_box(unit_box(), 1);
  TAC_OWN(tacTriMesh, ball) = make_sphere(tac_vec3(0, 0, 0), 1.0, 5, 8);
  tac_test_ok(tac_thin_parts_check(cube, false, &error), error);
  tac_test_ok(tac_thin_parts_check(ball, false, &error), error);
}

TAC_TEST(surfaces_that_cross_themselves_are_refused) {
  TAC_OWN(tacTriMesh, mesh) =
      join_meshes(make_sphere(tac_vec3(0, 0, 0), 1.0, 9, 16), make_sphere(tac_vec3(0.7, 0.1, 0.2), 0.8, 9, 16));
  double share;
  ck_assert_int_eq(bend(mesh, true, &share), TAC_ERR_GEOMETRY);
  ck_assert_ptr_nonnull(strstr(error.text, "intersects itself"));
  ck_assert_ptr_nonnull(strstr(error.text, "--remesh"));
}
