#include "spec/body_copy.h"

#include "math/geometry/quat.h"
#include "test.h"

static tacSceneBody body(const char *name, double nx, double ny, double nz, bool turn) {
  static const tacYamlNode node;
  tacSceneBody made = {.name = name, .position = {1.0, 2.0, 3.0}};
  made.copies = (tacSceneCopies){&node, {nx, ny, nz}, {0.1, 0.2, 0.3}, turn};
  return made;
}

TAC_TEST(a_body_without_copies_is_unchanged) {
  tacSceneBody one = {.name = "spoon", .position = {1.0, 2.0, 3.0}};
  char name[TAC_BODY_COPY_NAME];
  tac_body_copy_name(&one, 0, name);
  ck_assert_int_eq(tac_body_copy_count(&one), 1);
  ck_assert_str_eq(name, "spoon");
  ck_assert_int_eq(tac_body_copy_find(&one, "spoon"), 0);
  ck_assert_int_eq(tac_body_copy_find(&one, "spoon-001"), -1);
  ck_assert_double_eq(tac_body_copy_pose(&one, 0).position.y, 2.0);
}

TAC_TEST(copies_have_names_and_places) {
  tacSceneBody many = body("b", 2, 3, 4, false);
  char name[TAC_BODY_COPY_NAME];
  ck_assert_int_eq(tac_body_copy_count(&many), 24);
  tac_body_copy_name(&many, 23, name);
  ck_assert_str_eq(name, "b-024");
  ck_assert_int_eq(tac_body_copy_find(&many, "b-024"), 23);
  ck_assert_int_eq(tac_body_copy_find(&many, "b"), -1);
  ck_assert_int_eq(tac_body_copy_find(&many, "b-025"), -1);
  /* Number 1 + 2 (2 + 3 * 3). */
  tacVec3 last = tac_body_copy_pose(&many, 23).position;
  ck_assert_double_eq_tol(last.x, 1.1, 1e-15);
  ck_assert_double_eq_tol(last.y, 2.4, 1e-15);
  ck_assert_double_eq_tol(last.z, 3.9, 1e-15);
  ck_assert_double_eq(tac_body_copy_pose(&many, 23).orientation[0], 1.0);
  many = body("b", 10, 10, 10, false);
  tac_body_copy_name(&many, 0, name);
  ck_assert_str_eq(name, "b-0001");
}

/* Rotations that are uniform leave no direction preferred: the mean of a turned axis is small. */
TAC_TEST(random_turns_are_reproducible_and_uniform) {
  tacSceneBody many = body("b", 8, 8, 8, true);
  tacVec3 mean = {0};
  for (int i = 0; i < 512; ++i) {
    tacPose pose = tac_body_copy_pose(&many, i), again = tac_body_copy_pose(&many, i);
    ck_assert_mem_eq(pose.orientation, again.orientation, sizeof pose.orientation);
    tacQuat q = tac_quat(pose.orientation[0], pose.orientation[1], pose.orientation[2], pose.orientation[3]);
    ck_assert_double_eq_tol(tac_quat_norm(q), 1.0, 1e-12);
    mean = tac_vec3_mad(mean, 1.0 / 512.0, tac_quat_rotate(q, tac_vec3(0.0, 0.0, 1.0)));
  }
  ck_assert_double_lt(tac_vec3_norm(mean), 4.0 / sqrt(512.0));
  ck_assert_double_gt(fabs(tac_body_copy_pose(&many, 0).orientation[0] - tac_body_copy_pose(&many, 1).orientation[0]),
                      1e-6);
}
