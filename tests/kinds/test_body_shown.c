/* What worlds answer about how bodies of each kind are shown: bases, shapes, sensors, known loads. */
#include <tactus/green.h>
#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include "asset/make_vademecum.h"
#include "body/make_green.h"
#include "kinds/reduced/reduced.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_body.h"
#include "math/random.h"
#include "world/world.h"
#include "world/world_view.h"

static const tacSensor sensors[2] = {{"core", TAC_SENSOR_STRESS, {0.0, 0.0, 0.01}},
                                     {"depth", TAC_SENSOR_DISPLACEMENT, {0.0, 0.01, 0.0}}};

/* A body of each kind but hyperelastic, which answers none of this. */
typedef struct Bodies {
  tacReduced *reduced;
  tacVademecum *vademecum;
  tacGreen *green;
  tacWorld *world;
  tacBodyId soft, copy, known, elastic, stone;
} Bodies;

static Bodies make_bodies(void) {
  Bodies b = {.reduced = make_reduced(), .vademecum = make_vademecum(true, tac_vec3(0.6, 0.0, -0.8))};
  b.green = make_green_with("sphere", 0.025, 2, sensors, TAC_GREEN_WHOLE, 0.0);
  tacWorldDef def = tac_world_def_default();
  tac_test_ok(tac_world_create(&def, &b.world, &error), error);
  tacReducedBodyDef soft = tac_reduced_body_def_default();
  soft.body.name = "soft";
  soft.reduced = b.reduced;
  tac_test_ok(tac_world_add_reduced(b.world, &soft, &b.soft, &error), error);
  soft.body.name = "copy";
  tac_test_ok(tac_world_add_reduced(b.world, &soft, &b.copy, &error), error);
  tacVademecumBodyDef known = tac_vademecum_body_def_default();
  known.motion.body.name = "known";
  known.vademecum = b.vademecum;
  tac_test_ok(tac_world_add_vademecum(b.world, &known, &b.known, &error), error);
  tacGreenBodyDef elastic = tac_green_body_def_default();
  elastic.body.name = "elastic";
  elastic.green = b.green;
  elastic.mask_radius = 0.02;
  tac_test_ok(tac_world_add_green(b.world, &elastic, &b.elastic, &error), error);
  tacRigidBodyDef stone = tac_rigid_body_def_default();
  stone.body.name = "stone";
  stone.surface = tac_green_surface(b.green);
  tac_test_ok(tac_world_add_rigid(b.world, &stone, &b.stone, &error), error);
  tac_test_ok(tac_world_seal(b.world, &error), error);
  return b;
}

static void free_bodies(Bodies *b) {
  tac_world_destroy(b->world);
  tac_reduced_destroy(b->reduced);
  tac_vademecum_destroy(b->vademecum);
  tac_green_destroy(b->green);
}

static void check_basis(const tacWorld *world, tacBodyId id, const tacReduced *asset) {
  tacShownBasis basis;
  ck_assert(tac_world_body_basis(world, id, &basis));
  ck_assert_int_eq(tac_world_body_shown(world, id), TAC_SHOWN_COORDINATES);
  ck_assert_int_eq(basis.size, tac_reduced_size(asset));
  ck_assert_int_eq(basis.is_free, tac_reduced_is_free(asset));
  ck_assert_ptr_eq(basis.surface, tac_world_body_surface(world, id));
  ck_assert_ptr_eq(basis.fixed, tac_reduced_fixed(asset));
  ck_assert_ptr_eq(basis.displacements, tac_reduced_displacements(asset));
  ck_assert_ptr_eq(basis.normals, tac_reduced_normals(asset));
  ck_assert_ptr_eq(basis.normal_changes, tac_reduced_normal_changes(asset));
  tacShownShape shape;
  int count = 0;
  for (; tac_world_body_shape(world, id, count, &shape); ++count) {
    ck_assert_str_eq(shape.label, tac_reduced_shape_label(asset, count));
    ck_assert_ptr_eq(shape.coordinates, tac_reduced_shape(asset, count));
  }
  ck_assert_int_eq(count, REDUCED_SHAPES);
  ck_assert(!tac_world_body_shape(world, id, -1, &shape));
}

TAC_TEST(basis_of_a_body_is_that_of_its_asset) {
  TAC_FREED(free_bodies, Bodies, b) = make_bodies();
  tacShownBasis basis;
  tacShownShape shape;
  check_basis(b.world, b.soft, b.reduced);
  check_basis(b.world, b.copy, b.reduced);
  check_basis(b.world, b.known, tac_vademecum_shape(b.vademecum));
  const tacBodyId others[] = {b.elastic, b.stone, {0, 0}};
  for (int i = 0; i < 3; ++i)
    ck_assert(!tac_world_body_basis(b.world, others[i], &basis) &&
              !tac_world_body_shape(b.world, others[i], 0, &shape));
}

/* The surface that a world tells is the basis times the first numbers of the body's state. */
TAC_TEST(basis_reproduces_the_displayed_surface) {
  TAC_FREED(free_bodies, Bodies, b) = make_bodies();
  tacShownBasis basis;
  tacVec3 moved[REDUCED_VERTICES];
  tacRandom random = tac_random_seed(5);
  double *state = tac_test_alloc((size_t)tac_world_state_size(b.world) * sizeof *state);
  tac_world_state(b.world, state);
  ck_assert(tac_world_body_basis(b.world, b.known, &basis));
  double *q = state + tac_world_body_state(b.world, b.known);
  for (int j = 0; j < basis.size; ++j) q[j] = tac_random_uniform(&random, -1.0, 1.0);
  const tacSnapshot snapshot = {.state = state};
  tac_world_surface(b.world, &snapshot, b.known, moved);
  for (int v = 0; v < REDUCED_VERTICES; ++v) {
    double u[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; ++axis)
      for (int j = 0; j < basis.size; ++j) u[axis] += basis.displacements[(3 * v + axis) * basis.size + j] * q[j];
    tacVec3 at = tac_vec3_add(basis.surface->vertices[v], tac_vec3(u[0], u[1], u[2]));
    ck_assert_double_le(tac_vec3_distance(moved[v], at), 1e-12);
  }
}

TAC_TEST(sensors_have_names_quantities_and_rows) {
  static const tacShownSensor expected[2] = {{"core", "stress", "Pa", 6}, {"depth", "displacement", "m", 3}};
  TAC_FREED(free_bodies, Bodies, b) = make_bodies();
  tacShownSensor sensor;
  for (int i = -1; i < 3; ++i) {
    ck_assert_int_eq(tac_world_body_sensor(b.world, b.elastic, i, &sensor), i == 0 || i == 1);
    if (i != 0 && i != 1) continue;
    ck_assert_str_eq(sensor.name, expected[i].name);
    ck_assert_str_eq(sensor.quantity, expected[i].quantity);
    ck_assert_str_eq(sensor.unit, expected[i].unit);
    ck_assert_int_eq(sensor.row_count, expected[i].row_count);
  }
  int rows = tac_green_row_count(b.green) - 3 * tac_green_surface(b.green)->vertex_count;
  ck_assert_int_eq(tac_world_body_sensor_rows(b.world, b.elastic), rows);
  const tacBodyId others[] = {b.soft, b.known, b.stone, {0, 0}};
  for (int i = 0; i < 4; ++i) {
    ck_assert(!tac_world_body_sensor(b.world, others[i], 0, &sensor));
    ck_assert_int_eq(tac_world_body_sensor_rows(b.world, others[i]), 0);
  }
}

TAC_TEST(methods_and_tractions_are_those_of_the_kind) {
  TAC_FREED(free_bodies, Bodies, b) = make_bodies();
  ck_assert_str_eq(tac_world_body_method(b.world, b.elastic), "finite elements");
  ck_assert_str_eq(tac_world_body_method(b.world, b.soft), "reduced");
  ck_assert_str_eq(tac_world_body_method(b.world, b.known), "vademecum");
  ck_assert_str_eq(tac_world_body_method(b.world, b.stone), "rigid");
  ck_assert_ptr_null(tac_world_body_method(b.world, (tacBodyId){0, 0}));
  ck_assert(tac_world_body_has_tractions(b.world, b.elastic));
  const tacBodyId others[] = {b.soft, b.known, b.stone, {0, 0}};
  for (int i = 0; i < 4; ++i) ck_assert(!tac_world_body_has_tractions(b.world, others[i]));
}

TAC_TEST(known_loads_are_the_baked_ones) {
  TAC_FREED(free_bodies, Bodies, b) = make_bodies();
  tacKnownLoads loads;
  tacVec3 mode;
  ck_assert(tac_world_body_known_loads(b.world, b.known, &loads));
  ck_assert_int_eq(loads.count, VADEMECUM_LOADS);
  ck_assert_double_eq(loads.most, 5.0);
  ck_assert_double_eq(tac_vec3_distance(loads.direction, tac_vec3(0.6, 0.0, -0.8)), 0.0);
  int acting = 0;
  for (int v = 0; v < REDUCED_VERTICES; ++v) {
    int load = tac_vademecum_load_of(b.vademecum, v);
    acting += load >= 0;
    for (int k = 0; k < REDUCED_SIZE; ++k) {
      ck_assert_int_eq(tac_world_body_load_mode(b.world, b.known, v, k, &mode), load >= 0);
      if (load < 0) continue;
      ck_assert_double_eq(mode.x, tac_vademecum_load_mode(b.vademecum, k, load, 0));
      ck_assert_double_eq(mode.y, tac_vademecum_load_mode(b.vademecum, k, load, 1));
      ck_assert_double_eq(mode.z, tac_vademecum_load_mode(b.vademecum, k, load, 2));
    }
  }
  ck_assert_int_eq(acting, VADEMECUM_LOADS);
  ck_assert(!tac_world_body_load_mode(b.world, b.known, -1, 0, &mode));
  ck_assert(!tac_world_body_load_mode(b.world, b.known, REDUCED_VERTICES, 0, &mode));
  ck_assert(!tac_world_body_load_mode(b.world, b.known, 0, REDUCED_SIZE, &mode));
  const tacBodyId others[] = {b.soft, b.elastic, b.stone, {0, 0}};
  for (int i = 0; i < 4; ++i)
    ck_assert(!tac_world_body_known_loads(b.world, others[i], &loads) &&
              !tac_world_body_load_mode(b.world, others[i], 0, 0, &mode));
}
