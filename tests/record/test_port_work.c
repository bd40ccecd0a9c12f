#include <tactus/recording.h>
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "record/port_work.h"
#include "test.h"

static tacToolRecord at(tacVec3 position, tacVec3 turn) {
  tacQuat q = tac_quat_from_rotation_vector(turn);
  return (tacToolRecord){.device = {.position = position, .orientation = {q.w, q.x, q.y, q.z}}};
}

/* A force does f . dx, a torque along the axis of a turn its size times the angle; the force and torque of the first
 * tick are held. */
TAC_TEST(work_is_force_by_way_and_torque_by_angle) {
  tacVec3 axis = tac_vec3(0.6, 0.0, 0.8);
  tacToolRecord a = at(tac_vec3(1.0, 2.0, 3.0), tac_vec3_scale(0.3, axis));
  tacToolRecord b = at(tac_vec3(1.5, 2.0, 2.0), tac_vec3_scale(0.5, axis));
  a.written = tac_vec3(4.0, 7.0, 1.0);
  b.written = tac_vec3(100.0, 100.0, 100.0);
  ck_assert_double_eq_tol(tac_port_work(&a, &b), 4.0 * 0.5 - 1.0, 1e-12);
  a.written_torque = tac_vec3_scale(2.0, axis);
  ck_assert_double_eq_tol(tac_port_work(&a, &b), 4.0 * 0.5 - 1.0 + 2.0 * 0.2, 1e-12);
  /* Across the sign of quaternions it is the short way. */
  for (int i = 0; i < 4; ++i) b.device.orientation[i] *= -1.0;
  ck_assert_double_eq_tol(tac_port_work(&a, &b), 4.0 * 0.5 - 1.0 + 2.0 * 0.2, 1e-12);
}

/* Devices of 3 dof say nothing of their orientation; what a broken file has is no work. */
TAC_TEST(non_finite_samples_do_no_work) {
  tacToolRecord a = {.written = {1.0, 0.0, 0.0}}, b = {.device.position = {2.0, 0.0, 0.0}};
  ck_assert_double_eq(tac_port_work(&a, &b), 2.0);
  a.written.x = NAN;
  ck_assert_double_eq(tac_port_work(&a, &b), 0.0);
  a.written.x = 1.0;
  b.device.position.y = INFINITY;
  ck_assert_double_eq(tac_port_work(&a, &b), 0.0);
}
