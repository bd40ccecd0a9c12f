#include "device/trajectory.h"

#include "test.h"

static tacTrajectory *parse(const char *text) {
  return tac_test_made(tacTrajectory *,
                       tac_trajectory_parse("path.txt", (const unsigned char *)text, strlen(text), &made, &error));
}

TAC_TEST(rows_are_read_with_comments_and_blank_lines) {
  TAC_OWN(tacTrajectory, t) = parse("# t x y z q buttons\n"
                                    "\n"
                                    "0.5 0.01 0.02 0.03  1 0 0 0  1 # pressed\r\n"
                                    "  1.5\t0.02 0.02 0.03  0 0 0 1  0\n"
                                    "2e0 -1e-2 0 .5 0 0 0 -1 3");
  tacDeviceState state;
  tacVec3 velocity;
  ck_assert_double_eq(tac_trajectory_duration(t), 2.0);
  tac_trajectory_at(t, 0.0, &state, &velocity); /* rests before its start */
  ck_assert_double_eq(state.position.x, 0.01);
  ck_assert_uint_eq(state.buttons, 0u);
  ck_assert_double_eq(tac_vec3_norm(velocity), 0.0);
  tac_trajectory_at(t, 0.5, &state, NULL);
  ck_assert_uint_eq(state.buttons, 1u);
  tac_trajectory_at(t, 1.4, &state, NULL);
  ck_assert_uint_eq(state.buttons, 1u);
  tac_trajectory_at(t, 9.0, &state, &velocity);
  ck_assert_double_eq(state.position.z, 0.5);
  ck_assert_uint_eq(state.buttons, 3u);
  ck_assert_double_eq(tac_vec3_norm(velocity), 0.0);
}

/* However a spreadsheet writes it. */
TAC_TEST(columns_may_be_separated_by_commas_semicolons_or_tabs_under_their_names) {
  static const char *const texts[] = {
      "0 0.01 0.02 0.03 1 0 0 0 1\n2 0.5 0 0 0 0 0 -1 3\n",
      "0,0.01,0.02,0.03,1,0,0,0,1\n2,0.5,0,0,0,0,0,-1,3\n",
      "t,x,y,z,qw,qx,qy,qz,buttons\r\n0,0.01,0.02,0.03,1,0,0,0,1\r\n2,0.5,0,0,0,0,0,-1,3\r\n",
      "# hand\n\nTime; X; Y; Z; QW; QX; QY; QZ; Buttons\n0; 0.01; 0.02; 0.03; 1; 0; 0; 0; 1 # start\n"
      "2 ;0.5 ;0 ;0 ;0 ;0 ;0 ;-1 ;3\n",
      "\xef\xbb\xbftime\tx\ty\tz\tqw\tqx\tqy\tqz\tbuttons\n0\t0.01\t0.02\t0.03\t1\t0\t0\t0\t1\n"
      "2\t0.5\t0\t0\t0\t0\t0\t-1\t3",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    TAC_OWN(tacTrajectory, t) = parse(texts[i]);
    tacDeviceState state;
    tac_trajectory_at(t, 0.0, &state, NULL);
    ck_assert_double_eq(tac_vec3_distance(state.position, tac_vec3(0.01, 0.02, 0.03)), 0.0);
    ck_assert_uint_eq(state.buttons, 1u);
    tac_trajectory_at(t, 2.0, &state, NULL);
    ck_assert_double_eq(state.position.x, 0.5);
    ck_assert_double_eq(fabs(state.orientation[3]), 1.0);
    ck_assert_uint_eq(state.buttons, 3u);
  }
}

TAC_TEST(broken_files_are_refused_with_the_line) {
  const struct {
    const char *text, *message;
  } cases[] = {
      {"", "no row"},
      {"# only a comment\n", "no row"},
      {"0 1 2\n", "bad.txt:1: "},
      {"0 0 0 0\n1 0 0\n", "bad.txt:2: "},
      {"0 0 0 0\n\n# x\n1 0 zero 0\n", "bad.txt:4: "},
      {"0 0 0 0\n1 0 0 0 1 0 0 0\n", "bad.txt:2: this line has 8 columns, but the first line has 4"},
      {"0 0 0 0 1 0 0\n", "bad.txt:1: "},
      {"0 0 0 0 1 0 0 0 1 7\n", "bad.txt:1: "},
      {"0 0 0 0 1 0 0 0 -1\n", "bad.txt:1: "},
      {"0 0 0 0 1 0 0 0 4294967296\n", "bad.txt:1: "},
      {"0 0 0 0 1 1 0 0\n", "bad.txt:1: the orientation has length 1.41421; it must be a unit quaternion (w "
                            "x y z)"},
      {"0 0 0 0\n1 0 0 0\n1 0 0 0\n", "bad.txt:3: time 1 s does not follow 1 s; times must increase"},
      {"0 0 0 0\n2 0 0 0\n1 0 0 0\n3 0 0 0\n", "bad.txt:3: time 1 s does not follow 2 s; times must increase"},
      {"-1 0 0 0\n", "bad.txt:1: the time is -1 s; it must be 0 to "},
      {"nan 0 0 0\n", "bad.txt:1: "},
      {"0 inf 0 0\n", "bad.txt:1: "},
      {"0 1e300 0 0\n", "bad.txt:1: the position (1e+300, 0, 0) m is out of range"},
      {"0 1e999 0 0\n", "bad.txt:1: "},
      {"t x y z\n", "no row"},
      {"t x y z\n0 0 0 0\nt x y z\n", "bad.txt:3: "},
      {"x, y, z, t\n0, 0, 0, 0\n", "bad.txt:1: \"x\" is the name of column 1; it must be t"},
      {"t,x,y,z,qx,qy,qz,qw\n", "bad.txt:1: \"qx\" is the name of column 5; it must be qw"},
      {"t,x,y\n", "bad.txt:1: "},
      {"t,x,y,z\n0,0,0,0,1,0,0,0\n", "bad.txt:2: this line has 8 columns, but the first line has 4"},
      {"0,0,,0\n", "bad.txt:1: expected y, m (a finite number), found nothing"},
      {"0,0,0,0,\n", "bad.txt:1: "},
      {"0,5 0,1 0,2 0,3\n", "bad.txt:1: the columns have a comma between them: \"5 0\"; write decimals with a point"},
      {"0,0 0,0 0,0 0,1\n", "write decimals with a point"},
      {"0 0 0 0\n0,5\t0,1\t0,2\t0,3\n", "bad.txt:2: the columns have a comma"},
      {"t;x;y;z\n0,5;0,1;0,2;0,3\n",
       "bad.txt:2: the number has a comma: \"0,5\"; write decimals with a point, not a comma"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    tacTrajectory *t = NULL;
    error = (tacError){0};
    const char *text = cases[i].text;
    tacStatus status = tac_trajectory_parse("bad.txt", (const unsigned char *)text, strlen(text), &t, &error);
    ck_assert_msg(status == TAC_ERR_FORMAT, "case %zu is accepted", i);
    ck_assert_ptr_null(t);
    ck_assert_msg(strstr(error.text, cases[i].message) != NULL, "case %zu: \"%s\"", i, error.text);
  }
}

TAC_TEST(a_file_is_read_and_a_missing_one_is_named) {
  const char *path = tac_test_write("path.txt", "0 0 0 0\n1 0.1 0 0\n");
  tacTrajectory *t = tac_test_made(tacTrajectory *, tac_trajectory_read(path, &made, &error));
  ck_assert_double_eq(tac_trajectory_duration(t), 1.0);
  tac_trajectory_destroy(t);
  remove(path);
  tac_test_refused(tac_trajectory_read(path, &t, &error), TAC_ERR_FILE, error, path);
  ck_assert_ptr_null(t);
}

TAC_TEST(wrong_points_are_refused) {
  tacTrajectoryPoint p[2] = {{.orientation = {1.0, 0.0, 0.0, 0.0}}, {.time = 1.0, .orientation = {1.0, 0.0, 0.0, 0.0}}};
  tacTrajectory *t = NULL;
  ck_assert_int_eq(tac_trajectory_create(0, p, true, &t, &error), TAC_ERR_ARGUMENT);
  p[1].orientation[0] = 0.5;
  tac_test_refused(tac_trajectory_create(2, p, true, &t, &error), TAC_ERR_ARGUMENT, error, "point 1 of the trajectory");
  p[1] = p[0];
  ck_assert_int_eq(tac_trajectory_create(2, p, true, &t, &error), TAC_ERR_ARGUMENT);
  p[0].position.x = NAN;
  ck_assert_int_eq(tac_trajectory_create(1, p, true, &t, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(t);
}

static tacVec3 curve(double t) {
  return tac_vec3(sin(2.0 * t), cos(3.0 * t), t * t);
}

static tacTrajectory *sampled(int count, double duration, bool smooth) {
  tacTrajectoryPoint points[257];
  for (int i = 0; i < count; ++i) {
    double t = duration * i / (count - 1);
    points[i] = (tacTrajectoryPoint){.time = t, .position = curve(t), .orientation = {1.0, 0.0, 0.0, 0.0}};
  }
  return tac_test_made(tacTrajectory *, tac_trajectory_create(count, points, smooth, &made, &error));
}

/* Largest error away from the ends, where the trajectory starts and stops. */
static double error_of(int count, bool smooth) {
  TAC_OWN(tacTrajectory, t) = sampled(count, 2.0, smooth);
  double largest = 0.0;
  for (int i = 0; i <= 1000; ++i) {
    double at = 0.5 + i * 1e-3;
    tacDeviceState state;
    tac_trajectory_at(t, at, &state, NULL);
    largest = fmax(largest, tac_vec3_distance(state.position, curve(at)));
  }
  return largest;
}

TAC_TEST(interpolation_converges) {
  double cubic = error_of(65, true), finer_cubic = error_of(129, true);
  double line = error_of(65, false), finer_line = error_of(129, false);
  ck_assert_double_gt(cubic / finer_cubic, 7.5); /* third order: Catmull-Rom's slopes are of second */
  ck_assert_double_eq_tol(line / finer_line, 4.0, 0.1);
}

TAC_TEST(a_smooth_trajectory_has_a_continuous_velocity_that_is_its_derivative) {
  TAC_OWN(tacTrajectory, t) = sampled(9, 2.0, true);
  const double h = 1e-6;
  tacDeviceState a, b;
  tacVec3 before, after, v;
  for (int i = 0; i <= 200; ++i) {
    double at = -0.003 + i * 0.0101;
    tac_trajectory_at(t, at - h, &a, NULL);
    tac_trajectory_at(t, at + h, &b, NULL);
    tac_trajectory_at(t, at, &a, &v);
    tac_trajectory_at(t, at - h, &a, NULL);
    tacVec3 difference = tac_vec3_scale(0.5 / h, tac_vec3_sub(b.position, a.position));
    ck_assert_double_lt(tac_vec3_distance(difference, v), 1e-4);
  }
  for (int i = 0; i < 9; ++i) { /* at every point, and at the ends, where it rests */
    tac_trajectory_at(t, 0.25 * i - 1e-9, &a, &before);
    tac_trajectory_at(t, 0.25 * i + 1e-9, &b, &after);
    ck_assert_double_lt(tac_vec3_distance(before, after), 1e-6);
    ck_assert_double_lt(tac_vec3_distance(a.position, curve(0.25 * i)), 1e-7);
  }
}

/* Along lines the spin is constant; smoothly it starts and ends at rest, as positions do. Both go the shorter way. */
TAC_TEST(orientation_turns_the_shorter_way) {
  tacQuat end = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 1.0), 1.2);
  tacTrajectoryPoint p[2] = {{.orientation = {1.0, 0.0, 0.0, 0.0}},
                             {.time = 3.0, .orientation = {-end.w, -end.x, -end.y, -end.z}}};
  for (int smooth = 0; smooth < 2; ++smooth) {
    TAC_CREATE(tacTrajectory, t, tac_trajectory_create(2, p, smooth, &t, &error));
    for (int i = 0; i < 10; ++i) {
      tacTrajectoryMotion m;
      tac_trajectory_motion(t, 0.3 * i, &m);
      double s = i / 10.0, share = smooth ? s * s * (3.0 - 2.0 * s) : s, speed = smooth ? 6.0 * s * (1.0 - s) : 1.0;
      ck_assert_double_eq_tol(tac_vec3_norm(tac_quat_to_rotation_vector(m.orientation)), 1.2 * share, 1e-12);
      ck_assert_double_eq_tol(tac_vec3_norm(m.spin), 0.4 * speed, 1e-12);
    }
  }
}

/* Turns about changing axes, through half turns: orientations and spins are continuous, and the spin is how the
 * orientation changes. */
TAC_TEST(a_smooth_trajectory_turns_without_a_jump_of_its_spin) {
  tacTrajectoryPoint p[8] = {{0}};
  tacQuat q = tac_quat_identity();
  const double turns[8] = {0.0, 0.5, 3.0, -2.0, 1.0, 2.9, 2.9, 0.1};
  for (int i = 0; i < 8; ++i) {
    q = tac_quat_mul(tac_quat_from_axis_angle(tac_vec3(sin(2.0 * i), cos(3.0 * i), 0.5), turns[i]), q);
    p[i] = (tacTrajectoryPoint){.time = 0.4 * i + 0.1 * (i % 2), .orientation = {q.w, q.x, q.y, q.z}};
  }
  TAC_CREATE(tacTrajectory, t, tac_trajectory_create(8, p, true, &t, &error));
  tacTrajectoryMotion last, now, next;
  const double h = 1e-5;
  tac_trajectory_motion(t, 0.0, &last);
  for (int i = 1; i < 29000; ++i) {
    tac_trajectory_motion(t, 1e-4 * i, &now);
    tac_trajectory_motion(t, 1e-4 * i + h, &next);
    ck_assert_double_lt(tac_vec3_distance(now.spin, last.spin), 0.1); /* at most 1,000 rad/s^2 */
    tacVec3 way = tac_quat_to_rotation_vector(tac_quat_mul(next.orientation, tac_quat_conjugate(now.orientation)));
    tacVec3 mean = tac_vec3_mix(now.spin, next.spin, 0.5);
    ck_assert_double_lt(tac_vec3_distance(tac_vec3_scale(1.0 / h, way), mean), 1e-4);
    last = now;
  }
  for (int i = 0; i < 8; ++i) {
    tac_trajectory_motion(t, p[i].time, &now);
    double cosine = tac_quat_dot(now.orientation, tac_quat_of(p[i].orientation));
    ck_assert_double_eq_tol(fabs(cosine), 1.0, 1e-12);
  }
}

/* About one axis it is the cubic that positions follow, also beyond half turns. */
TAC_TEST(a_fixed_axis_turns_by_the_cubic_of_positions) {
  tacTrajectoryPoint p[6] = {{0}};
  const double angles[6] = {0.0, 1.0, 3.9, 6.5, 4.0, 4.0};
  tacVec3 axis = tac_vec3_unit(tac_vec3(1.0, 2.0, -2.0));
  for (int i = 0; i < 6; ++i) {
    tacQuat q = tac_quat_from_axis_angle(axis, angles[i]);
    p[i] = (tacTrajectoryPoint){
        .time = i * (0.3 + 0.02 * i), .position = tac_vec3_scale(angles[i], axis), .orientation = {q.w, q.x, q.y, q.z}};
  }
  TAC_CREATE(tacTrajectory, t, tac_trajectory_create(6, p, true, &t, &error));
  for (int i = 0; i < 1000; ++i) {
    tacTrajectoryMotion m;
    tac_trajectory_motion(t, 2e-3 * i, &m);
    tacQuat expected = tac_quat_from_axis_angle(axis, tac_vec3_dot(axis, m.position));
    ck_assert_double_eq_tol(fabs(tac_quat_dot(expected, m.orientation)), 1.0, 1e-12);
    ck_assert_double_lt(tac_vec3_distance(m.spin, m.velocity), 1e-9);
  }
}
