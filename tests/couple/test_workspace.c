#include "couple/workspace.h"

#include "test.h"

static const double period = 0.001;

static tacWorkspace some_workspace(void) {
  return tac_workspace_begin(2.5, tac_vec3(0.1, -0.2, 0.3), tac_vec3(0.01, 0.02, -0.03),
                             tac_quat_from_axis_angle(tac_vec3(1.0, 2.0, -1.0), 0.8), period);
}

static tacVec3 device_at(double t) {
  return tac_vec3(0.05 * sin(3.0 * t), 0.04 * cos(2.0 * t), 0.03 * t);
}

static tacQuat turned_at(double t) {
  return tac_quat_from_rotation_vector(tac_vec3(0.4 * t, sin(t), 0.2));
}

static double angle_between(tacQuat a, tacQuat b) {
  return tac_vec3_norm(tac_quat_to_rotation_vector(tac_quat_mul(a, tac_quat_conjugate(b))));
}

TAC_TEST(maps_by_scale_rotation_and_centres) {
  tacWorkspace w = some_workspace();
  tacMat3 r = tac_quat_to_mat3(w.rotation);
  for (int i = 0; i < 50; ++i) {
    tacVec3 x = device_at(0.1 * i), arm = tac_vec3_sub(x, w.device_centre);
    tac_workspace_move(&w, x, turned_at(0.1 * i), false);
    tacVec3 expected = tac_vec3_mad(w.centre, 2.5, tac_mat3_mul_vec(r, arm));
    ck_assert_double_lt(tac_vec3_distance(w.position, expected), 1e-14);
    ck_assert_double_lt(angle_between(w.orientation, tac_quat_mul(w.rotation, turned_at(0.1 * i))), 1e-7);
  }
}

/* While the button is held the tool rests; afterwards it goes on as the hand does, from where it rests. */
TAC_TEST(indexing_rests_and_continues_without_a_jump) {
  tacWorkspace w = some_workspace();
  tacVec3 last = {0};
  tacQuat last_turn = tac_quat_identity();
  double largest_move = 0.0, largest_turn = 0.0;
  for (int i = 0; i < 4000; ++i) {
    double t = i * period;
    bool held = (i >= 1000 && i < 2000) || (i >= 2500 && i < 2501);
    tac_workspace_move(&w, device_at(t), turned_at(t), held);
    if (i > 0) {
      double moved = tac_vec3_distance(w.position, last), turned = angle_between(w.orientation, last_turn);
      bool rests = (i > 1000 && i <= 2000) || i == 2501;
      if (rests) {
        ck_assert_double_eq(moved, 0.0);
        ck_assert_double_lt(turned, 1e-12);
      } else {
        double hand = tac_vec3_distance(device_at(t), device_at(t - period));
        ck_assert_double_eq_tol(moved, 2.5 * hand, 1e-12);
      }
      largest_move = fmax(largest_move, moved);
      largest_turn = fmax(largest_turn, turned);
    }
    last = w.position;
    last_turn = w.orientation;
  }
  ck_assert_double_lt(largest_move, 2.5 * 0.2 * period); /* the hand's speed is below 0.2 m/s */
  ck_assert_double_lt(largest_turn, 1.5 * period);
}

/* However the tool was turned by indexing, a turn of the hand about an axis of the scene turns the tool about that axis. */
TAC_TEST(rotations_keep_their_axis_after_indexing) {
  tacWorkspace w = some_workspace();
  tac_workspace_move(&w, device_at(0.0), turned_at(0.0), true);
  tac_workspace_move(&w, device_at(1.0), turned_at(1.3), true);
  tac_workspace_move(&w, device_at(1.0), turned_at(1.3), false);
  tacQuat before = w.orientation;
  tacVec3 turn = tac_vec3(0.03, -0.05, 0.02); /* device frame */
  tac_workspace_move(&w, device_at(1.0), tac_quat_mul(tac_quat_from_rotation_vector(turn), turned_at(1.3)), false);
  tacVec3 tool_turn = tac_quat_to_rotation_vector(tac_quat_mul(w.orientation, tac_quat_conjugate(before)));
  ck_assert_double_lt(tac_vec3_distance(tool_turn, tac_quat_rotate(w.rotation, turn)), 1e-12);
}

/* Unscaled forces: the power at the device is the scene's divided by the scale. */
TAC_TEST(forces_go_back_by_the_transposed_rotation) {
  tacWorkspace w = some_workspace();
  tacVec3 force = tac_vec3(1.0, -2.0, 0.5);
  tac_workspace_move(&w, device_at(0.0), turned_at(0.0), false);
  tacVec3 x0 = w.position;
  tac_workspace_move(&w, device_at(0.2), turned_at(0.0), false);
  double scene = tac_vec3_dot(force, tac_vec3_sub(w.position, x0));
  double device = tac_vec3_dot(tac_workspace_to_device(&w, force), tac_vec3_sub(device_at(0.2), device_at(0.0)));
  ck_assert_double_eq_tol(scene, 2.5 * device, 1e-14);
  ck_assert_double_eq_tol(tac_vec3_norm(tac_workspace_to_device(&w, force)), tac_vec3_norm(force), 1e-14);
}

TAC_TEST(forces_fade_while_indexing) {
  tacWorkspace w = some_workspace();
  tacVec3 force = tac_vec3(0.0, 0.0, 4.0);
  double last = 4.0;
  for (int i = 0; i < 100; ++i) {
    bool held = i >= 10 && i < 60;
    tac_workspace_move(&w, device_at(0.0), turned_at(0.0), held);
    double size = tac_vec3_norm(tac_workspace_to_device(&w, force));
    ck_assert_double_le(fabs(size - last), 4.0 / 20.0 + 1e-12);
    if (i < 10 || i >= 80) ck_assert_double_eq_tol(size, 4.0, 1e-12);
    if (i >= 30 && i < 60) ck_assert_double_eq_tol(size, 0.0, 1e-12);
    ck_assert(held ? size <= last : size >= last);
    last = size;
  }
}
