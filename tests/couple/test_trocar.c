/* Instruments through a trocar. */
#include "couple/coupling.h"

#include "couple/held_frame.h"

static const double period = 0.001;

static tacQuat random_quat(tacRandom *random, double most) {
  tacVec3 axis = random_unit(random);
  return tac_quat_from_axis_angle(axis, tac_random_uniform(random, -most, most));
}

/* A rod whose shaft goes through the pivot; its grasp `outside` of it. */
static tacCouplingDef make(tacRandom *random, double outside, tacGrasp *body) {
  tacCouplingDef def = tac_coupling_def_default();
  def.trocar = true;
  def.pivot = tac_random_normal3(random);
  def.shaft = random_unit(random);
  body->orientation = random_quat(random, 3.0);
  body->position = tac_vec3_mad(def.pivot, -outside, tac_quat_rotate(body->orientation, def.shaft));
  return def;
}

static double off_pivot(const tacCouplingDef *def, const tacGrasp *body) {
  tacVec3 b = tac_quat_rotate(body->orientation, def->shaft);
  return tac_vec3_norm(tac_vec3_cross(b, tac_vec3_sub(def->pivot, body->position)));
}

static tacGrasp moved(const tacGrasp *from, tacVec3 way, tacVec3 turn) {
  return (tacGrasp){tac_vec3_add(from->position, way),
                    tac_quat_normalise(tac_quat_mul(tac_quat_from_rotation_vector(turn), from->orientation))};
}

/* The energy of both springs: k |way|^2 / 2 + k_t (v.a)^2. */
static double energy(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device) {
  tacVec3 n;
  double sine = tac_coupling_roll(def, body, device, &n);
  return 0.5 * def->stiffness * tac_vec3_norm2(tac_vec3_sub(device->position, body->position)) +
         def->turn_stiffness * sine * sine;
}

/* What hand and instrument feel is the gradient of one energy, at any angle between their shafts: virtual work. */
TAC_TEST(forces_are_those_of_an_energy) {
  tacRandom random = tac_random_seed(1);
  for (int c = 0; c < 200; ++c) {
    tacGrasp body, device;
    tacCouplingDef def = make(&random, 0.1, &body);
    device.position = tac_vec3_mad(body.position, 0.01, random_unit(&random));
    device.orientation = random_quat(&random, 3.0);
    tacVec3 way = random_unit(&random), turn = random_unit(&random);
    tacWrench on_body = tac_coupling_wrench(&def, &body, &device, NULL), felt = tac_coupling_felt(&def, &body, &device);
    const double d = 1e-5;
    for (int side = 0; side < 2; ++side) {
      tacGrasp *mover = side == 0 ? &body : &device, at = *mover;
      tacWrench w = side == 0 ? on_body : felt;
      *mover = moved(&at, tac_vec3_scale(d, way), tac_vec3_scale(d, turn));
      double after = energy(&def, &body, &device);
      *mover = moved(&at, tac_vec3_scale(-d, way), tac_vec3_scale(-d, turn));
      double before = energy(&def, &body, &device);
      *mover = at;
      double work = tac_vec3_dot(w.force, way) + tac_vec3_dot(w.torque, turn);
      ck_assert_double_eq_tol((before - after) / (2.0 * d), work, 1e-6);
    }
    ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(on_body.torque, felt.torque)), 1e-12);
  }
}

/* A roll of the hand about its own shaft is one of the instrument about its own, by the same angle, however the two are tilted. */
TAC_TEST(rolls_go_through_a_tilted_joint_evenly) {
  tacRandom random = tac_random_seed(2);
  for (int c = 0; c < 50; ++c) {
    tacGrasp body;
    tacCouplingDef def = make(&random, 0.1, &body);
    tacVec3 tilt = tac_vec3_unit(tac_vec3_cross(tac_quat_rotate(body.orientation, def.shaft), random_unit(&random)));
    tacGrasp device = moved(&body, tac_vec3(0.0, 0.0, 0.0), tac_vec3_scale(1.0, tilt));
    double roll = tac_random_uniform(&random, -1.0, 1.0);
    tacVec3 n, hand = tac_quat_rotate(device.orientation, def.shaft);
    tacVec3 own = tac_quat_rotate(body.orientation, def.shaft);
    ck_assert_double_lt(fabs(tac_coupling_roll(&def, &body, &device, &n)), 1e-12); /* a tilt is no roll */
    device = moved(&device, tac_vec3(0.0, 0.0, 0.0), tac_vec3_scale(roll, hand));
    ck_assert_double_gt(fabs(tac_coupling_roll(&def, &body, &device, &n)), 0.3 * fabs(roll));
    body = moved(&body, tac_vec3(0.0, 0.0, 0.0), tac_vec3_scale(roll, own));
    ck_assert_double_lt(fabs(tac_coupling_roll(&def, &body, &device, &n)), 1e-12);
  }
}

/* A rod at rest under a push at its tip: the hand feels it reversed and scaled by the lever, inside over outside, and the pivot stays
 * on the shaft while the hand moves it and the tip is pushed aside. */
TAC_TEST(a_push_at_the_tip_is_felt_by_the_law_of_the_lever) {
  tacRandom random = tac_random_seed(3);
  for (int c = 0; c < 40; ++c) {
    double outside = tac_random_uniform(&random, 0.05, 0.2), inside = tac_random_uniform(&random, 0.03, 0.2);
    tacGrasp body, device;
    tacCouplingDef def = make(&random, outside, &body);
    def.speed_most = 10.0;
    def.turn_most = 100.0;
    bool heavy = c % 2 == 1;
    tacVec3 aside = random_unit(&random), turned = random_unit(&random);
    device = moved(&body, tac_vec3_scale(0.02, aside), tac_vec3_scale(0.3, turned));
    tacVec3 push = tac_vec3_scale(2.0, random_unit(&random));
    tacTwist none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, velocity = none;
    double free[6][6] = {{0.0}};
    double length = outside + inside; /* from the grasp to the tip, of a rod that slides along its shaft */
    for (int i = 0; i < (heavy ? 6000 : 2000); ++i) {
      tacVec3 arm = tac_vec3_scale(length, tac_quat_rotate(body.orientation, def.shaft));
      tacWrench contact = {push, tac_vec3_cross(arm, push)};
      if (heavy)
        held_frame_dynamic(&def, period, &device, &none, &contact, free, &body, &velocity);
      else
        held_frame_static(&def, period, &device, &contact, free, &body);
      tac_trocar_place(&def, &body);
      ck_assert_double_lt(off_pivot(&def, &body), 1e-12);
    }
    tacWrench felt = tac_coupling_felt(&def, &body, &device);
    tacVec3 shaft = tac_quat_rotate(body.orientation, def.shaft), r = tac_vec3_sub(body.position, def.pivot);
    double out = tac_vec3_norm(r), in = length - out; /* both, as it is now */
    tacVec3 across = tac_vec3_mad(push, -tac_vec3_dot(push, shaft), shaft);
    tacVec3 force = tac_vec3_mad(felt.force, -tac_vec3_dot(felt.force, shaft), shaft);
    ck_assert_double_lt(tac_vec3_norm(tac_vec3_mad(force, in / out, across)), 1e-5 * tac_vec3_norm(push));
    ck_assert_double_eq_tol(tac_vec3_dot(felt.force, shaft), tac_vec3_dot(push, shaft), 1e-5 * tac_vec3_norm(push));
    ck_assert_double_lt(fabs(tac_vec3_dot(felt.torque, shaft)), 1e-6); /* it is not rolled */
  }
}

/* A hand that holds a rod at its pivot has no lever; the equations keep their factor, and nothing tilts by itself. */
TAC_TEST(a_grasp_at_the_pivot_has_no_lever) {
  tacRandom random = tac_random_seed(4);
  tacGrasp body;
  tacCouplingDef def = make(&random, 0.0, &body);
  tacGrasp device = body, before = body;
  tacWrench contact = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  double free[6][6] = {{0.0}};
  for (int i = 0; i < 100; ++i) held_frame_static(&def, period, &device, &contact, free, &body);
  ck_assert_double_lt(tac_vec3_distance(body.position, before.position), 1e-12);
  ck_assert_double_lt(tac_vec3_norm(tac_quat_to_rotation_vector(
                          tac_quat_mul(body.orientation, tac_quat_conjugate(before.orientation)))),
                      1e-9);
}

/* However far the device is rolled, up to half a turn, a step leads there and no farther, and the grasp goes with the device. */
TAC_TEST(any_roll_is_followed) {
  for (int i = 0; i <= 12; ++i) {
    double roll = i * 3.14159265358979 / 12.0, matrix[6][6], motion[6];
    tacCouplingDef def = tac_coupling_def_default();
    def.trocar = true;
    def.pivot = tac_vec3(0.0, 0.0, 0.1);
    def.shaft = tac_vec3(0.0, 0.0, 1.0);
    tacGrasp body = {tac_vec3(0.0, 0.0, 0.0), tac_quat_identity()};
    tacGrasp device = {tac_vec3(0.0, 0.0, 0.001), tac_quat(cos(0.5 * roll), 0.0, 0.0, sin(0.5 * roll))};
    if (i == 12) device.orientation = tac_quat(0.0, 0.0, 0.0, 1.0); /* nothing says which way */
    tac_static_coupling_equation(&def, &device, &body, matrix, motion);
    tacDense factor = {6, 6, 6, &matrix[0][0]};
    ck_assert(tac_dense_loop_cholesky(&factor));
    tac_dense_loop_cholesky_solve(&factor, motion);
    ck_assert_double_eq_tol(motion[2], 0.001, 1e-9);
    ck_assert_double_eq_tol(motion[5], i < 12 ? roll : 0.0, 1e-6);
  }
}
