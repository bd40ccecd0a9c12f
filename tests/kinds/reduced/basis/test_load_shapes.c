#include "kinds/reduced/basis/load_shapes.h"

#include <tactus/reduced.h>
#include "bake/loads/load_spread.h"
#include "brick_beam.h"
#include "elastic/solids/finite_statics.h"
#include "kinds/reduced/basis/vibration_modes.h"
#include "kinds/reduced/make_solid.h"
#include "math/random.h"

/* A dense cluster and a few points apart: no two that stay are near, none goes that has no neighbour, every one that
 * went had one, and of a line of three the crowded middle one goes. */
TAC_TEST(thinning_removes_points_of_dense_regions) {
  enum { COUNT = 120 };
  double points[COUNT][3];
  bool keep[COUNT];
  tacRandom random = tac_random_seed(9);
  for (int i = 0; i < COUNT; ++i)
    for (int d = 0; d < 3; ++d)
      points[i][d] = i < 100 ? 0.1 * tac_random_normal(&random) : 10.0 + (double)(i - 100) * (d == 0);
  double distance = 0.15;
  int kept = tac_load_shapes_thin(COUNT, 3, points[0], distance, keep), counted = 0;
  for (int i = 0; i < COUNT; ++i) {
    double nearest = INFINITY;
    counted += keep[i];
    for (int j = 0; j < COUNT; ++j)
      if (j != i && keep[j])
        nearest = fmin(nearest, hypot(hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]),
                                      points[i][2] - points[j][2]));
    if (keep[i]) ck_assert_double_ge(nearest, distance);
    if (i >= 100) ck_assert(keep[i]);
  }
  ck_assert_int_eq(counted, kept);
  ck_assert_int_gt(kept, 20);
  ck_assert_int_lt(kept, 100);
  ck_assert_int_eq(tac_load_shapes_thin(3, 1, (double[]){0.0, 0.6, 1.2}, 1.0, keep), 2);
  ck_assert(keep[0] && !keep[1] && keep[2]);
  ck_assert_int_eq(tac_load_shapes_thin(3, 1, (double[]){1.0, 1.0, 1.0}, 1e-9, keep), 1);
  ck_assert(keep[0]);
  ck_assert_int_eq(tac_load_shapes_thin(3, 1, (double[]){1.0, 1.0, 1.0}, 0.0, keep), 3);
  ck_assert_int_eq(tac_load_shapes_thin(0, 1, NULL, 1.0, keep), 0);
}

/* A block of cubes of 2 cm, held below. */
static void make_block(int nx, int ny, int nz, Solid *block) {
  make_solid(brick_beam_mesh(nx, ny, nz, 0.02), make_isotropic(1000.0, 5e4, 0.3), block);
  hold_end(block, true);
}

/* A block pressed at a corner of its top until it gives way: of a load somewhat beyond that the shape that is carried is taken,
 * a load far beyond is refused by its number. */
TAC_TEST(loads_beyond_equilibrium_are_reduced_or_rejected) {
  TAC_FREED(free_solid, Solid, block);
  make_block(2, 2, 2, &block);
  double force[81] = {0.0}, u[81];
  TAC_CREATE(tacFiniteStatics, statics, tac_finite_statics_create(&block.solid, &statics, &error));
  tacNewtonReport report = {.carried = 1.0};
  double most = 1.0; /* N */
  for (int i = 0; i < 20 && report.carried == 1.0; ++i) {
    most *= 2.0;
    force[80] = -most;
    memset(u, 0, sizeof u);
    tac_finite_statics_solve(statics, force, NULL, u, &report, &error);
  }
  ck_assert_double_ge(report.carried, 0.5); /* half of it was carried in the round before */
  ck_assert_double_lt(report.carried, 1.0);
  most *= report.carried;

  tacReducedDef def = block.def;
  def.source = TAC_BASIS_SKETCH;
  def.mode_count = 0;
  def.size = 1;
  def.load_count = 1;
  tacLoadSample load = {0.0, block.mesh->vertices[26], {0.0, 0.0, -1.2 * most}, 0.0};
  def.loads = &load;
  tacReduced *reduced = NULL;
  tac_test_ok(tac_reduced_bake(&def, NULL, &reduced, &error), error);
  tac_reduced_destroy(reduced);
  load.force.z = -10.0 * most;
  ck_assert_int_ne(tac_reduced_bake(&def, NULL, &reduced, &error), TAC_OK);
  ck_assert_ptr_null(reduced);
  ck_assert_msg(strstr(error.text, "load 0") != NULL && strstr(error.text, "use a smaller load") != NULL, "%s",
                error.text);
}

/* The shape that a load gives a block, held below. `force` [3 vertices]: NULL, or what the full statics are given
 * instead. */
static void shape_of(const tacSolid *solid, double radius, const double *force, double *u) {
  size_t bytes = 3 * (size_t)solid->mesh->vertex_count * sizeof *u;
  if (force != NULL) {
    tacNewtonReport report;
    TAC_CREATE(tacFiniteStatics, statics, tac_finite_statics_create(solid, &statics, &error));
    memset(u, 0, bytes);
    tac_test_ok(tac_finite_statics_solve(statics, force, NULL, u, &report, &error), error);
    return;
  }
  tacLoadSample load = {0.0, {0.021, 0.033, 0.06}, {0.01, 0.0, -0.02}, radius};
  tacReducedDef def = tac_reduced_def_default();
  def.volume = solid->mesh;
  def.size = 1;
  def.load_count = 1;
  def.loads = &load;
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints);
  TAC_FREED(tac_sparse_destroy, tacSparse, mass);
  TAC_FREED(tac_load_shapes_destroy, tacLoadShapes, shapes);
  tac_test_ok(tac_vibration_modes_blocks(solid, &constraints, NULL, &mass, &error), error);
  tac_test_ok(tac_load_shapes_static(solid, &def, &constraints, &mass, NULL, &shapes, &error), error);
  ck_assert_int_eq(shapes.count, 1);
  memcpy(u, shapes.vector, bytes);
}

/* A radius that no element is as small as is that of a point, to the bit; a larger one gives the shape under the
 * forces that it is spread to, which is another, and dents less. */
TAC_TEST(loads_are_spread_over_their_radius) {
  enum { VERTICES = 5 * 5 * 4 };
  TAC_FREED(free_solid, Solid, block);
  make_block(4, 4, 3, &block);
  ck_assert_int_eq(block.mesh->vertex_count, VERTICES);
  double point[3 * VERTICES], small[3 * VERTICES], wide[3 * VERTICES], expected[3 * VERTICES],
      force[3 * VERTICES] = {0.0};
  shape_of(&block.solid, 0.0, NULL, point);
  shape_of(&block.solid, 0.004, NULL, small);
  ck_assert_mem_eq(point, small, sizeof point);
  shape_of(&block.solid, 0.035, NULL, wide);
  TAC_FREED(tac_load_spread_free, tacLoadSpread, spread);
  tac_test_ok(tac_load_spread_create(block.mesh, &spread, &error), error);
  ck_assert(tac_load_spread_add(&spread, tac_vec3(0.021, 0.033, 0.06), 0.035, tac_vec3(0.01, 0.0, -0.02), force));
  shape_of(&block.solid, 0.0, force, expected);
  double most_point = 0.0, most_wide = 0.0, apart = 0.0;
  for (int k = 0; k < 3 * VERTICES; ++k) {
    most_point = fmax(most_point, fabs(point[k]));
    most_wide = fmax(most_wide, fabs(wide[k]));
    apart = fmax(apart, fabs(wide[k] - expected[k]));
  }
  ck_assert_double_le(apart, 1e-6 * most_wide); /* both to the tolerance of Newton's method */
  ck_assert_double_lt(most_wide, 0.8 * most_point);
}
