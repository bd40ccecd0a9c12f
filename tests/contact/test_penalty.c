#include "contact/penalty.h"

#include <string.h>
#include "math/quat.h"
#include "math/random.h"
#include "test.h"

enum { MOST = 40000 };
static tacPenaltyPoint points[MOST];
static tacContactSpring springs[MOST];

static const tacVec3 zero = {0.0, 0.0, 0.0};

static tacVec3 random_vector(tacRandom *random, double size) {
  return tac_vec3_scale(size, tac_random_normal3(random));
}

static tacPenaltyPoint new_point(tacVec3 at, tacVec3 normal, double depth, double weight) {
  return (tacPenaltyPoint){.at = at, .normal = normal, .depth = depth, .weight = weight, .anchor = at};
}

static tacVec3 total(int count) {
  tacVec3 sum = zero;
  for (int i = 0; i < count; ++i) sum = tac_vec3_add(sum, springs[i].force);
  return sum;
}

/* About the origin. */
static tacVec3 total_torque(int count) {
  tacVec3 sum = zero;
  for (int i = 0; i < count; ++i) sum = tac_vec3_add(sum, tac_vec3_cross(springs[i].at, springs[i].force));
  return sum;
}

static double entry(tacVec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* ---- gradients ---- */

enum { R = 4, N = 6 + R + 6 + R, SHELL = 60 };

/* A shell and a ball of a field, both free and deformable: the unknowns are (dx, domega, dq) of the shell, then of the
 * field. */
typedef struct Pair {
  tacVec3 point[SHELL], normal[SHELL], move[SHELL][R], tilt[SHELL][R];
  double weight[SHELL];
  tacVec3 shell_at, field_at; /* references that they turn about */
  tacVec3 ball, shift[R];     /* centre, and how deformations shift it */
  double radius, swell[R];    /* and how they blow it up */
} Pair;

static Pair make_pair(uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  Pair p = {.shell_at = {0.01, 0.0, -0.02}, .field_at = {-0.01, 0.03, 0.0}, .radius = 0.05};
  for (int j = 0; j < R; ++j) {
    p.shift[j] = random_vector(&random, 0.5);
    p.swell[j] = 0.3 * tac_random_normal(&random);
  }
  for (int i = 0; i < SHELL; ++i) {
    tacVec3 out = tac_vec3_unit(random_vector(&random, 1.0));
    p.point[i] = tac_vec3_scale(p.radius - tac_random_uniform(&random, 1e-5, 6e-4), out); /* inside the ball */
    p.normal[i] = tac_vec3_unit(tac_vec3_add(tac_vec3_scale(-1.0, out), random_vector(&random, 0.2)));
    p.weight[i] = tac_random_uniform(&random, 0.5, 1.5);
    for (int j = 0; j < R; ++j) {
      p.move[i][j] = random_vector(&random, 0.5);
      p.tilt[i][j] = random_vector(&random, 2.0);
    }
  }
  return p;
}

static tacVec3 vector_of(const double *x) {
  return tac_vec3(x[0], x[1], x[2]);
}

static void place_pair(const Pair *p, int count, const double x[N]) {
  const double *q = x + 6, *y = x + 6 + R, *field_q = y + 6;
  tacQuat turn = tac_quat_from_rotation_vector(vector_of(x + 3)), back;
  back = tac_quat_conjugate(tac_quat_from_rotation_vector(vector_of(y + 3)));
  tacVec3 ball = p->ball;
  double radius = p->radius;
  for (int j = 0; j < R; ++j) {
    ball = tac_vec3_mad(ball, field_q[j], p->shift[j]);
    radius += field_q[j] * p->swell[j];
  }
  for (int i = 0; i < count; ++i) {
    tacVec3 at = tac_vec3_sub(p->point[i], p->shell_at), normal = p->normal[i];
    for (int j = 0; j < R; ++j) {
      at = tac_vec3_mad(at, q[j], p->move[i][j]);
      normal = tac_vec3_mad(normal, q[j], p->tilt[i][j]);
    }
    at = tac_vec3_add(tac_vec3_add(p->shell_at, vector_of(x)), tac_quat_rotate(turn, at));
    normal = tac_quat_rotate(turn, tac_vec3_unit(normal));
    /* in the field's own frame */
    tacVec3 seen = tac_quat_rotate(back, tac_vec3_sub(tac_vec3_sub(at, p->field_at), vector_of(y)));
    double value = tac_vec3_distance(tac_vec3_add(seen, p->field_at), ball) - radius;
    points[i] = new_point(at, normal, -value, p->weight[i]);
  }
}

START_TEST(gradients_are_those_of_finite_differences) {
  for (int trial = 0; trial < 6; ++trial) {
    Pair p = make_pair(100 + (uint64_t)trial);
    int count = trial % 2 == 0 ? SHELL : 7; /* with s < 1, and with s = 1 */
    tacPenaltyDef def = tac_penalty_def_default();
    def.ramp = trial < 4 ? 3e-4 : 5e-6; /* some points shallower than it, or none */
    static double place[SHELL][3][N], normal[SHELL][3][N], value[SHELL][N], gradient[SHELL][3][N];
    static tacVec3 force[2][SHELL];
    memset(place, 0, sizeof place);
    memset(normal, 0, sizeof normal);
    memset(value, 0, sizeof value);
    double x[N] = {0.0}, work[N], most = 0.0, most_torque = 0.0;
    place_pair(&p, count, x);
    for (int i = 0; i < count; ++i) {
      tacVec3 at = points[i].at, n = points[i].normal, up = tac_vec3_unit(tac_vec3_sub(at, p.ball));
      for (int u = 0; u < N; ++u) {
        bool of_shell = u < 6 + R;
        int v = of_shell ? u : u - 6 - R;
        tacVec3 reference = of_shell ? p.shell_at : p.field_at, e = tac_vec3(v % 3 == 0, v % 3 == 1, v % 3 == 2);
        tacVec3 d = v < 3 ? e : tac_vec3_cross(e, tac_vec3_sub(at, reference)),
                tilt = v < 3 ? zero : tac_vec3_cross(e, n);
        if (v >= 6) {
          d = of_shell ? p.move[i][v - 6] : p.shift[v - 6];
          tilt = tac_vec3_mad(p.tilt[i][v - 6], -tac_vec3_dot(p.tilt[i][v - 6], n), n);
        }
        value[i][u] = (of_shell ? 1.0 : -1.0) * tac_vec3_dot(up, d);
        if (!of_shell && v >= 6) value[i][u] -= p.swell[v - 6];
        for (int axis = 0; axis < 3 && of_shell; ++axis) {
          place[i][axis][u] = entry(d, axis);
          normal[i][axis][u] = entry(tilt, axis);
        }
      }
    }
    tacPenaltyMotion motion = {N, place[0][0], normal[0][0], value[0]};
    tac_penalty_force_gradient(&def, count, points, &motion, work, gradient[0][0]);
    tacPenaltyReport report = tac_penalty_evaluate(&def, count, points, springs, NULL);
    ck_assert(count == SHELL ? report.scale < 0.5 : report.scale == 1.0);
    for (int i = 0; i < count; ++i) force[0][i] = springs[i].force;
    for (int i = 0; i < count; ++i)
      for (int u = 0; u < N; ++u)
        for (int axis = 0; axis < 3; ++axis) most = fmax(most, fabs(gradient[i][axis][u]));
    for (int u = 0; u < N; ++u) {
      const double h = 1e-8;
      /* d(at x f) = d(at) x f + at x df */
      tacVec3 torque = zero, ways[2];
      for (int i = 0; i < count; ++i) {
        tacVec3 df = {gradient[i][0][u], gradient[i][1][u], gradient[i][2][u]};
        tacVec3 dx = {place[i][0][u], place[i][1][u], place[i][2][u]};
        torque = tac_vec3_add(torque, tac_vec3_cross(dx, force[0][i]));
        torque = tac_vec3_add(torque, tac_vec3_cross(p.point[i], df));
      }
      most_torque = fmax(most_torque, tac_vec3_norm(torque));
      for (int side = 0; side < 2; ++side) {
        x[u] = side == 0 ? h : -h;
        place_pair(&p, count, x);
        tac_penalty_evaluate(&def, count, points, springs, NULL);
        for (int i = 0; i < count; ++i) force[1 - side][i] = springs[i].force;
        ways[side] = total_torque(count);
      }
      x[u] = 0.0;
      for (int i = 0; i < count; ++i) {
        tacVec3 slope = tac_vec3_scale(0.5 / h, tac_vec3_sub(force[1][i], force[0][i]));
        for (int axis = 0; axis < 3; ++axis)
          ck_assert_double_eq_tol(gradient[i][axis][u], entry(slope, axis), 1e-5 * most);
      }
      tacVec3 slope = tac_vec3_scale(0.5 / h, tac_vec3_sub(ways[0], ways[1]));
      ck_assert_double_le(tac_vec3_distance(torque, slope), 1e-5 * most_torque);
      place_pair(&p, count, x);
      tac_penalty_evaluate(&def, count, points, springs, NULL);
      for (int i = 0; i < count; ++i) force[0][i] = springs[i].force;
    }
  }
}
END_TEST

/* ---- the limit (3.2) ---- */

/* Points of a ball of radius 1, its centre `height` above the ground: those in contact. */
static int ball_on_ground(int rings, bool spiral, double height) {
  const double golden = M_PI * (3.0 - sqrt(5.0));
  int count = 0, all = spiral ? rings * rings : rings * 2 * rings;
  for (int i = 0; i < all; ++i) {
    double z, angle, weight = 1.0;
    if (spiral) {
      z = 1.0 - (2.0 * i + 1.0) / all;
      angle = golden * i;
    } else { /* a mesh of degrees, which is dense at the poles: only its areas know */
      double latitude = M_PI * ((i / (2 * rings)) + 0.5) / rings;
      z = cos(latitude);
      angle = M_PI * (i % (2 * rings)) / rings;
      weight = sin(latitude) * M_PI / 2.0;
    }
    tacVec3 n = {sqrt(1.0 - z * z) * cos(angle), sqrt(1.0 - z * z) * sin(angle), z};
    n = tac_quat_rotate(tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.5), n); /* a pole is in the contact */
    tacVec3 at = tac_vec3_add(n, tac_vec3(0.0, 0.0, height));
    if (at.z < 0.0) points[count++] = new_point(at, n, -at.z, weight);
  }
  return count;
}

START_TEST(force_converges_to_the_integral_over_the_contact) {
  double h = 0.6, depth = 1.0 - h; /* the cap: area 2 pi depth */
  tacPenaltyDef def = tac_penalty_def_default();
  double area = 2.0 * M_PI * depth, integral = 2.0 * M_PI * ((1.0 - h * h * h) / 3.0 - h * (1.0 - h * h) / 2.0);
  double limit = def.stiffness * def.full_count * integral / area;
  for (int spiral = 0; spiral < 2; ++spiral) {
    double before = 0.0;
    for (int level = 0; level < 4; ++level) {
      int rings = (spiral ? 24 : 20) << level;
      def.ramp = 0.2 * depth * exp2(-level); /* as long as the grain of the contact */
      int count = ball_on_ground(rings, spiral, h);
      ck_assert_int_gt(count, 10);
      tac_penalty_evaluate(&def, count, points, springs, NULL);
      tacVec3 f = total(count);
      double error = tac_vec3_distance(f, tac_vec3(0.0, 0.0, limit)) / limit;
      if (level > 0) ck_assert_double_lt(error, 0.65 * before);
      before = error;
    }
    ck_assert_double_lt(before, 0.015);
    /* and without a ramp, as in the thesis */
    def.ramp = 0.0;
    int count = ball_on_ground(160, spiral, h);
    tac_penalty_evaluate(&def, count, points, springs, NULL);
    ck_assert_double_eq_tol(total(count).z / limit, 1.0, 5e-3);
  }
}
END_TEST

/* A U stands on flat ground on two feet of one area, of which one has many more points. */
START_TEST(areas_take_away_the_torque_of_uneven_points) {
  tacPenaltyDef def = tac_penalty_def_default();
  double torque[2], upright = 0.0;
  for (int weighed = 0; weighed < 2; ++weighed) {
    int count = 0;
    const int sides[2] = {4, 12};
    double mean = 2.0 / (16 + 144);
    for (int foot = 0; foot < 2; ++foot)
      for (int i = 0; i < sides[foot] * sides[foot]; ++i) {
        double x = (i % sides[foot] + 0.5) / sides[foot], y = (i / sides[foot] + 0.5) / sides[foot];
        double weight = weighed ? 1.0 / (sides[foot] * sides[foot]) / mean : 1.0;
        tacVec3 at = {0.01 * (x - 0.5) + (foot == 0 ? -0.05 : 0.05), 0.01 * (y - 0.5), -2e-4};
        points[count++] = new_point(at, tac_vec3(0.0, 0.0, -1.0), 2e-4, weight);
      }
    tac_penalty_evaluate(&def, count, points, springs, NULL);
    upright = total(count).z;
    torque[weighed] = tac_vec3_norm(total_torque(count));
    ck_assert_double_eq_tol(upright, def.stiffness * def.full_count * 2e-4, 1e-9);
  }
  ck_assert_double_gt(torque[0], 0.5 * 0.05 * upright);
  ck_assert_double_lt(torque[1], 1e-9 * upright);
}
END_TEST

/* ---- continuity ---- */

START_TEST(flat_contacts_grow_evenly) {
  tacPenaltyDef def = tac_penalty_def_default();
  const int counts[] = {1, 5, 10, 11, 40, 1000};
  for (int c = 0; c < 6; ++c) {
    int count = counts[c], steps = 2000;
    double before = 0.0, ramp = def.ramp, step = 2.0 * ramp / steps, most = def.stiffness * fmin(count, 10.0);
    for (int s = 1; s <= steps; ++s) {
      double depth = s * step;
      for (int i = 0; i < count; ++i)
        points[i] = new_point(tac_vec3(0.001 * i, 0.0, -depth), tac_vec3(0.0, 0.0, -1.0), depth, 1.0);
      tac_penalty_evaluate(&def, count, points, springs, NULL);
      double f = total(count).z;
      ck_assert_double_gt(f, before);
      ck_assert_double_le(f - before, 3.0 * most * step);
      if (depth >= ramp) ck_assert_double_eq_tol(f, most * depth, 1e-9 * f);
      /* the tangent, where the count does not change it */
      double along = 0.0;
      for (int i = 0; i < count; ++i) along += springs[i].stiffness.m[2][2];
      if (count < 10 && s > 10) ck_assert_double_eq_tol((f - before) / along / step, 1.0, 0.1);
      ck_assert_double_le(along, 3.0 * most * (1.0 + 1e-12));
      before = f;
    }
  }
}
END_TEST

/* The worst for L / l: a whole face comes in while ten points are deep. The force falls to that of the mean depth,
 * within the bound. */
START_TEST(faces_that_come_in_beside_deep_points_give_way_within_the_bound) {
  tacPenaltyDef def = tac_penalty_def_default();
  enum { DEEP = 10, FACE = 500, STEPS = 4000 };
  double before = 0.0, step = 1.5 * def.ramp / STEPS, most = def.stiffness * def.full_count, worst = 0.0;
  for (int s = 0; s <= STEPS; ++s) {
    for (int i = 0; i < DEEP + FACE; ++i)
      points[i] = new_point(zero, tac_vec3(0.0, 0.0, -1.0), (i < DEEP ? 1e-3 : 0.0) + s * step, 1.0);
    tacPenaltyReport report = tac_penalty_evaluate(&def, DEEP + FACE, points, springs, NULL);
    double f = total(DEEP + FACE).z, shallow = s * step < def.ramp ? FACE : 0.0;
    double share = shallow / report.counted, bound = 3.0 * most;
    bound += f * fmin(1.5 * share, sqrt(12.0 * share)) / def.ramp; /* f = k L D */
    if (s > 0) {
      ck_assert_double_le(fabs(f - before), 1.05 * bound * step);
      worst = fmax(worst, fabs(f - before) / (bound * step));
    }
    before = f;
  }
  ck_assert_double_gt(worst, 0.3);
  ck_assert_double_eq_tol(before, most * (DEEP * 1e-3 / (DEEP + FACE) + 1.5 * def.ramp), 1e-9);
}
END_TEST

/* Of a box with its corner at the origin, on the negative sides. */
static double corner_value(tacVec3 x) {
  tacVec3 out = tac_vec3_max(x, zero);
  return tac_vec3_norm(out) > 0.0 ? tac_vec3_norm(out) : fmax(x.x, fmax(x.y, x.z));
}

enum { BODY = 3000 };
typedef struct Body {
  tacVec3 at[BODY], normal[BODY];
} Body;

/* A ball, or a cube of which whole faces come in at once. */
static void make_body(Body *body, bool cube, tacRandom *random) {
  for (int i = 0; i < BODY; ++i) {
    tacVec3 n = tac_vec3_unit(random_vector(random, 1.0));
    if (cube) {
      int axis = i % 3;
      double side = i % 2 == 0 ? 1.0 : -1.0;
      n = tac_vec3(axis == 0 ? side : 0.0, axis == 1 ? side : 0.0, axis == 2 ? side : 0.0);
      tacVec3 x = tac_random_in_box(random, (tacBox){{-0.02, -0.02, -0.02}, {0.02, 0.02, 0.02}});
      body->at[i] =
          tac_vec3(axis == 0 ? 0.02 * side : x.x, axis == 1 ? 0.02 * side : x.y, axis == 2 ? 0.02 * side : x.z);
    } else {
      body->at[i] = tac_vec3_scale(0.02, n);
    }
    body->normal[i] = n;
  }
}

/* Force at a pose, and the bound of its change by motion and by turning, from the header. */
static tacVec3 evaluate_body(const tacPenaltyDef *def, const Body *body, tacVec3 place, tacQuat turn, int *count,
                             double *bound, double *turning) {
  *count = 0;
  for (int i = 0; i < BODY; ++i) {
    tacVec3 at = tac_vec3_add(place, tac_quat_rotate(turn, body->at[i]));
    double value = corner_value(at);
    if (value < 0.0) points[(*count)++] = new_point(at, tac_quat_rotate(turn, body->normal[i]), -value, 1.0);
  }
  tacPenaltyReport report = tac_penalty_evaluate(def, *count, points, springs, NULL);
  double most = def->stiffness * def->full_count, shallow = 0.0;
  for (int i = 0; i < *count; ++i) shallow += points[i].depth < def->ramp;
  tacVec3 force = total(*count);
  double mean = tac_vec3_norm(force) / most, share = shallow / report.counted; /* D, M / l */
  *bound = 3.0 * most;
  if (report.counted > def->full_count) *bound += most * mean * fmin(1.5 * share, sqrt(12.0 * share)) / def->ramp;
  *turning = most * report.depth;
  return force;
}

/* A point comes in beside ten deep ones: as in the thesis the whole force falls by an eleventh at once. */
START_TEST(points_that_come_in_take_no_jump) {
  tacPenaltyDef def = tac_penalty_def_default();
  for (int thesis = 0; thesis < 2; ++thesis) {
    if (thesis) def.ramp = 0.0;
    for (int i = 0; i < 10; ++i) points[i] = new_point(zero, tac_vec3(0.0, 0.0, -1.0), 1e-3, 1.0);
    tac_penalty_evaluate(&def, 10, points, springs, NULL);
    double before = total(10).z;
    points[10] = new_point(zero, tac_vec3(0.0, 0.0, -1.0), 1e-9, 1.0);
    tac_penalty_evaluate(&def, 11, points, springs, NULL);
    double after = total(11).z;
    ck_assert_double_eq_tol(after / before, thesis ? 10.0 / 11.0 : 1.0, 1e-6);
    /* Deeper than the ramp both are the same. */
    for (int i = 0; i < 11; ++i) points[i] = new_point(zero, tac_vec3(0.0, 0.0, -1.0), 1e-3 + 1e-5 * i, 1.0);
    tac_penalty_evaluate(&def, 11, points, springs, NULL);
    ck_assert_double_eq_tol(total(11).z, 10.0 / 11.0 * def.stiffness * 11.0 * 1.05e-3, 1e-9);
  }
}
END_TEST

START_TEST(forces_are_continuous_along_random_paths) {
  static Body body;
  tacRandom random = tac_random_seed(31);
  tacPenaltyDef def = tac_penalty_def_default();
  def.ramp = 3e-4;
  double worst = 0.0;
  int paths = tac_test_light() ? 2 : 12, touched = 0;
  for (int path = 0; path < paths; ++path) {
    make_body(&body, path % 2 == 1, &random);
    /* over the faces, edges and the corner of the box, in and out */
    tacVec3 phase = random_vector(&random, 2.0), spin = random_vector(&random, path % 4 < 2 ? 0.0 : 0.5);
    tacVec3 before = zero, last = zero;
    double old_bound = 0.0, old_turning = 0.0;
    int axis = path % 3, steps = 1000;
    for (int s = 0; s < steps; ++s) {
      double t = 0.0005 * s;
      double dip = 0.0192 + 0.0015 * sin(15.0 * t + phase.x);
      tacVec3 place = {-0.03 * sin(2.0 * t + phase.y), -0.03 * cos(3.0 * t + phase.z), -0.03 * sin(3.0 * t)};
      place = tac_vec3(axis == 0 ? dip : place.x, axis == 1 ? dip : place.y, axis == 2 ? dip : place.z);
      tacQuat turn = tac_quat_from_rotation_vector(tac_vec3_scale(t, spin));
      int count;
      double bound, turning, angle = 0.0005 * tac_vec3_norm(spin);
      tacVec3 force = evaluate_body(&def, &body, place, turn, &count, &bound, &turning);
      if (s > 0) {
        double way = tac_vec3_distance(place, last) + 0.035 * angle; /* of any point */
        double most = 1.2 * (fmax(bound, old_bound) * way + fmax(turning, old_turning) * angle);
        double change = tac_vec3_distance(force, before);
        ck_assert_msg(change <= most, "path %d step %d: %g, bound %g", path, s, change, most);
        worst = fmax(worst, change / most);
        touched += count > 10;
      }
      before = force;
      last = place;
      old_bound = bound;
      old_turning = turning;
    }
  }
  ck_assert_int_gt(touched, paths * 200);
  ck_assert_double_gt(worst, 0.1); /* the bound is not idle */
}
END_TEST

/* ---- friction ---- */

/* A block of flat points on the ground, its corner at `place`; keeps what the points know. */
typedef struct Block {
  int side;
  double size;
  tacPenaltyPoint points[64];
  bool is_in[64];
} Block;

static tacPenaltyReport push_block(const tacPenaltyDef *def, Block *block, tacVec3 place, bool *slides) {
  int count = 0, from[64];
  for (int i = 0; i < block->side * block->side; ++i) {
    tacPenaltyPoint *p = &block->points[i];
    tacVec3 at = tac_vec3_add(place, tac_vec3(block->size * (i % block->side), block->size * (i / block->side), 0.0));
    bool was_in = block->is_in[i];
    block->is_in[i] = at.z < 0.0;
    if (at.z >= 0.0) continue;
    tacPenaltyPoint next = new_point(at, tac_vec3(0.0, 0.0, -1.0), -at.z, 1.0);
    if (was_in) {
      next.anchor = p->anchor;
      next.grip = p->grip;
    }
    points[count] = next;
    from[count++] = i;
  }
  tacPenaltyReport report = tac_penalty_evaluate(def, count, points, springs, slides);
  for (int i = 0; i < count; ++i) block->points[from[i]] = points[i];
  return report;
}

START_TEST(points_stick_then_slide_with_the_right_force) {
  tacPenaltyDef def = tac_penalty_def_default();
  def.friction = 0.4;
  tacRandom random = tac_random_seed(41);
  for (int trial = 0; trial < 40; ++trial) {
    Block block = {.side = 2 + trial % 6, .size = 0.01};
    double depth = tac_random_uniform(&random, 0.2, 3.0) * def.ramp,
           angle = tac_random_uniform(&random, 0.0, 2.0 * M_PI);
    tacVec3 direction = {cos(angle), sin(angle), 0.0};
    double reach = def.friction / def.tangential * depth; /* where it begins to slide */
    int count = block.side * block.side;
    bool slides[64];
    tacPenaltyReport report = {0};
    for (int step = 0; step <= 60; ++step) {
      tacVec3 place = tac_vec3_mad(tac_vec3(0.0, 0.0, -depth), reach * step / 20.0, direction);
      report = push_block(&def, &block, place, slides);
      tacVec3 f = total(count);
      double along = tac_vec3_dot(f, direction), normal = f.z;
      ck_assert_double_eq_tol(
          tac_vec3_norm(tac_vec3_sub(f, tac_vec3_mad(tac_vec3(0.0, 0.0, normal), along, direction))), 0.0,
          1e-9 * normal);
      bool sliding = step > 20;
      ck_assert_int_eq(report.sliding + report.sticking, count);
      ck_assert_double_eq_tol(along, -def.friction * normal * (sliding ? 1.0 : step / 20.0), 1e-9 * normal);
      /* While it sticks it resists sideways, while it slides only across its way. */
      if (step == 20) continue; /* just between */
      ck_assert_int_eq(report.sliding, sliding ? count : 0);
      ck_assert(slides[count - 1] == sliding);
      tacVec3 across = tac_vec3_cross(tac_vec3(0.0, 0.0, 1.0), direction);
      tacVec3 back = tac_mat3_mul_vec(springs[0].stiffness, direction);
      tacVec3 aside = tac_mat3_mul_vec(springs[0].stiffness, across);
      ck_assert_double_eq_tol(tac_vec3_distance(back, tac_vec3_scale(sliding ? 0.0 : points[0].grip, direction)), 0.0,
                              1e-9 * points[0].grip);
      ck_assert_double_eq_tol(tac_vec3_distance(aside, tac_vec3_scale(points[0].grip, across)), 0.0,
                              1e-9 * points[0].grip);
      if (!sliding) continue;
      Block turned = block; /* a small way across: the force turns, as that stiffness says */
      double little = 1e-4 * reach;
      tacVec3 before = springs[0].force;
      push_block(&def, &turned, tac_vec3_mad(place, little, across), NULL);
      double change = tac_vec3_dot(tac_vec3_sub(springs[0].force, before), across);
      ck_assert_double_eq_tol(change, -points[0].grip * little, 1e-3 * points[0].grip * little);
    }
    /* Back: first it unloads, then slides the other way. */
    tacVec3 f = zero;
    for (int step = 60; step >= 0; --step) {
      push_block(&def, &block, tac_vec3_mad(tac_vec3(0.0, 0.0, -depth), reach * step / 20.0, direction), NULL);
      f = total(count);
    }
    ck_assert_double_eq_tol(tac_vec3_dot(f, direction), def.friction * f.z, 1e-9 * f.z);
    /* A load that falls takes the anchors along: the force stays within the cone, at its edge. */
    for (int step = 20; step > 0; --step) {
      push_block(&def, &block, tac_vec3(0.0, 0.0, -depth * step / 20.0), NULL);
      f = total(count);
      ck_assert_double_eq_tol(hypot(f.x, f.y), def.friction * f.z, 1e-9 * f.z);
      ck_assert_double_eq_tol(tac_vec3_distance(points[0].at, points[0].anchor), reach * step / 20.0, 1e-12);
    }
  }
}
END_TEST

/* A block with mass that lies on the ground and is pulled: m x'' = pull + contact, with a damper that settles it. */
static double pulled_way(double share, double angle, double *speed) {
  tacPenaltyDef def = tac_penalty_def_default();
  def.friction = 0.5;
  Block block = {.side = 5, .size = 0.01};
  double mass = 0.1, weight = 1.0, h = 1e-4;
  tacVec3 place = {0.0, 0.0, -weight / (def.stiffness * def.full_count)}, velocity = zero, start = place;
  tacVec3 pull = {share * def.friction * weight * cos(angle), share * def.friction * weight * sin(angle), -weight};
  for (int step = 0; step < 5000; ++step) {
    push_block(&def, &block, place, NULL);
    tacVec3 f = tac_vec3_add(total(25), tac_vec3_scale(fmin(1.0, step / 1000.0), tac_vec3(pull.x, pull.y, 0.0)));
    f.z += pull.z;
    if (share < 1.0 || step < 1000) f = tac_vec3_mad(f, -20.0, velocity);
    velocity = tac_vec3_mad(velocity, h / mass, f);
    place = tac_vec3_mad(place, h, velocity);
  }
  *speed = tac_vec3_norm(velocity);
  return tac_vec3_distance(place, start);
}

START_TEST(blocks_stick_below_and_slide_above_the_cone) {
  double speed;
  for (int i = 0; i < 3; ++i) {
    double stuck = pulled_way(0.98, 0.7 * i, &speed);
    ck_assert_double_le(stuck, 1.01 * 0.98 * 0.5 * 1.0 / (0.5 * 1e4)); /* the springs' stretch */
    ck_assert_double_lt(speed, 1e-8);
    pulled_way(1.02, 0.7 * i, &speed);
    /* 0.4 s free of damping under 2 % of mu N */
    ck_assert_double_gt(speed, 0.5 * 0.4 * 0.02 * 0.5 / 0.1);
    ck_assert_double_lt(speed, 1.5 * 0.4 * 0.02 * 0.5 / 0.1);
  }
}
END_TEST

/* The work that a hand does along a path of the block through the given places, in straight ways. */
static double path_work(const tacPenaltyDef *def, Block *block, int place_count, const tacVec3 *places,
                        bool forgetful) {
  double work = 0.0;
  int count = block->side * block->side, steps = 200;
  tacVec3 before = zero, last = places[0];
  for (int leg = 0; leg + 1 < place_count; ++leg)
    for (int step = leg == 0 ? 0 : 1; step <= steps; ++step) {
      tacVec3 place = tac_vec3_mix(places[leg], places[leg + 1], (double)step / steps);
      if (forgetful)
        for (int i = 0; i < count; ++i) block->points[i].grip = 0.0;
      push_block(def, block, place, NULL);
      tacVec3 f = zero;
      if (place.z < 0.0) f = total(count);
      work -= tac_vec3_dot(tac_vec3_mix(before, f, 0.5), tac_vec3_sub(place, last));
      before = f;
      last = place;
    }
  return work;
}

START_TEST(closed_ways_never_give_energy) {
  tacPenaltyDef def = tac_penalty_def_default();
  def.friction = 0.6;
  def.ramp = 1e-3;
  double scale = def.stiffness * 1e-3 * 1e-3; /* J */
  /* Stretch under a light load, press, let go, lift: a spring that grows stiffer with its load would give energy. */
  double small = 2e-4;
  const tacVec3 trick[] = {{0.0, 0.0, 1e-5},          {0.0, 0.0, -small}, {0.9 * small, 0.0, -small},
                           {0.9 * small, 0.0, -1e-3}, {0.0, 0.0, -1e-3},  {0.0, 0.0, 1e-5}};
  for (int forgetful = 0; forgetful < 2; ++forgetful) {
    Block block = {.side = 2, .size = 0.01};
    double work = path_work(&def, &block, 6, trick, forgetful);
    if (forgetful)
      ck_assert_double_lt(work, -1e-3 * scale);
    else
      ck_assert_double_ge(work, -1e-5 * scale);
  }
  tacRandom random = tac_random_seed(51);
  int trials = tac_test_light() ? 10 : 100, sticking = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Block block = {.side = 1 + trial % 5, .size = 0.01};
    enum { PLACES = 10 };
    tacVec3 places[PLACES];
    double size = exp(tac_random_uniform(&random, log(1e-5), log(3e-3)));
    for (int i = 0; i < PLACES; ++i) {
      double x = tac_random_normal(&random), y = tac_random_normal(&random);
      places[i] = tac_vec3(size * x, size * y, tac_random_uniform(&random, -1.5e-3, -1e-5));
    }
    places[0] = tac_vec3(places[0].x, places[0].y, 1e-5);
    places[PLACES - 1] = places[0];
    places[1] = tac_vec3(places[0].x, places[0].y, places[1].z); /* comes and goes straight */
    double work = path_work(&def, &block, PLACES, places, false);
    double full = fmin(block.side * block.side, 10.0) * scale;
    ck_assert_double_ge(work, -1e-3 * full);
    sticking += work < 1e-2 * full;
  }
  ck_assert_int_gt(sticking, trials / 10); /* some of them stick nearly all the way */
}
END_TEST

/* Directions are unit, off -m by a slope of mu / 2 at most, the normal itself where that is so already, else in its
 * plane with m and as near to it as the cone allows; a small change of either changes them little. */
START_TEST(directions_stay_within_half_of_the_cone_of_friction) {
  tacRandom random = tac_random_seed(71);
  for (int trial = 0; trial < (tac_test_light() ? 500 : 5000); ++trial) {
    tacPenaltyDef def = tac_penalty_def_default();
    def.friction = trial % 5 == 0 ? 0.0 : tac_random_uniform(&random, 0.01, 1.5);
    tacVec3 out = tac_vec3_unit(random_vector(&random, 1.0)), normal = tac_vec3_unit(random_vector(&random, 1.0));
    if (trial % 3 == 0) normal = tac_vec3_unit(tac_vec3_mad(out, -0.1, normal)); /* nearly behind */
    if (trial % 3 == 1) normal = tac_vec3_unit(tac_vec3_mad(normal, -5.0, out)); /* nearly in front */
    tacVec3 n = tac_penalty_direction(&def, normal, out);
    double c = -tac_vec3_dot(n, out), slope = tac_vec3_norm(tac_vec3_cross(n, out)) / c, most = 0.5 * def.friction;
    double own = -tac_vec3_dot(normal, out), before = tac_vec3_norm(tac_vec3_cross(normal, out));
    ck_assert_double_eq_tol(tac_vec3_norm(n), 1.0, 1e-12);
    ck_assert(c > 0.0 && slope <= most + 1e-7);
    if (before < most * own - 1e-9) ck_assert_double_lt(tac_vec3_distance(n, normal), 1e-15);
    if (own > 0.0 && before > most * own) ck_assert_double_eq_tol(slope, most, 1e-7);
    ck_assert_double_lt(fabs(tac_vec3_dot(n, tac_vec3_cross(normal, out))), 1e-12);
    tacVec3 turned = tac_vec3_unit(tac_vec3_add(normal, random_vector(&random, 1e-7)));
    tacVec3 other = tac_vec3_unit(tac_vec3_add(out, random_vector(&random, 1e-7)));
    double way = tac_vec3_distance(turned, normal) + tac_vec3_distance(other, out);
    ck_assert_double_lt(tac_vec3_distance(tac_penalty_direction(&def, turned, other), n), 4.0 * way);
  }
}
END_TEST

/* A point at a depth d in a plane, dragged along it: whichever way its normal stands and it goes, friction takes at
 * least half of what it takes from one that stands upright, F l mu / 2 sqrt(1 + mu^2 / 4). With the normal itself as
 * direction it would give. */
START_TEST(sliding_takes_energy_however_normals_stand) {
  const double depth = 5e-4, step = 1e-6, pi = 3.141592653589793;
  const tacVec3 up = {0.0, 0.0, 1.0};
  for (int mu = 1; mu <= 4; ++mu)
    for (int tilt = 0; tilt <= 12; ++tilt)
      for (int way = 0; way < 8; ++way) {
        tacPenaltyDef def = tac_penalty_def_default();
        def.friction = 0.2 * mu;
        double angle = pi * tilt / 12.0, heading = pi * way / 4.0, work = 0.0, most = 0.5 * def.friction;
        tacVec3 normal = tac_vec3(sin(angle), 0.0, -cos(angle)), along = tac_vec3(cos(heading), sin(heading), 0.0);
        tacVec3 at = tac_vec3(0.0, 0.0, -depth);
        points[0] = new_point(at, tac_penalty_direction(&def, normal, up), depth, 1.0);
        enum { STICKS = 4000, STEPS = 2000 };
        for (int i = 0; i < STICKS + STEPS; ++i) {
          tac_penalty_evaluate(&def, 1, points, springs, NULL);
          if (i >= STICKS) work -= step * tac_vec3_dot(springs[0].force, along);
          points[0].at = tac_vec3_mad(points[0].at, step, along);
        }
        double pressed = def.stiffness * depth * step * STEPS;
        ck_assert_msg(work >= 0.999 * pressed * most / sqrt(1.0 + most * most), "mu %g, %g degrees: %g of %g",
                      def.friction, 15.0 * tilt, work, pressed);
      }
}
END_TEST

/* What turns about its point of contact does not slip. */
START_TEST(turning_in_place_is_no_slip) {
  tacPenaltyDef def = tac_penalty_def_default();
  def.friction = 0.8;
  tacPenaltyPoint p = new_point(zero, tac_vec3(0.0, 0.0, -1.0), 1e-5, 1.0);
  for (int step = 0; step <= 100; ++step) { /* pressed in along its normal, then tilted */
    double depth = 1e-5 + 1e-5 * fmin(step, 50), angle = 0.01 * fmax(step - 50, 0);
    p.at = tac_vec3(0.0, 0.0, -depth);
    p.normal = tac_vec3(sin(angle), 0.0, -cos(angle));
    p.depth = depth;
    tac_penalty_evaluate(&def, 1, &p, springs, NULL);
    tacVec3 f = springs[0].force;
    ck_assert_double_le(tac_vec3_norm(tac_vec3_mad(f, -tac_vec3_dot(f, p.normal), p.normal)), 1e-12);
  }
}
END_TEST

START_TEST(no_friction_and_no_points_are_nothing_special) {
  tacPenaltyDef def = tac_penalty_def_default();
  tacPenaltyReport report = tac_penalty_evaluate(&def, 0, points, springs, NULL);
  ck_assert_double_eq(report.scale, 1.0);
  ck_assert_double_eq(report.counted, 0.0);
  bool slides = true;
  points[0] = new_point(tac_vec3(1.0, 2.0, 3.0), tac_vec3(0.0, 1.0, 0.0), 2e-3, 1.5);
  points[0].anchor = zero;
  report = tac_penalty_evaluate(&def, 1, points, springs, &slides);
  ck_assert(!slides && report.sticking == 0 && report.sliding == 0);
  ck_assert_double_eq(report.depth, 2e-3);
  ck_assert_double_eq_tol(springs[0].force.y, -3.0, 1e-12);
  ck_assert_double_eq(springs[0].force.x, 0.0);
  ck_assert_double_eq_tol(springs[0].stiffness.m[1][1], 1500.0, 1e-9);
  ck_assert_double_eq(springs[0].stiffness.m[0][0], 0.0);
}
END_TEST

TAC_TEST_MAIN("penalty", gradients_are_those_of_finite_differences, force_converges_to_the_integral_over_the_contact,
              areas_take_away_the_torque_of_uneven_points, flat_contacts_grow_evenly,
              faces_that_come_in_beside_deep_points_give_way_within_the_bound, points_that_come_in_take_no_jump,
              forces_are_continuous_along_random_paths, points_stick_then_slide_with_the_right_force,
              blocks_stick_below_and_slide_above_the_cone, closed_ways_never_give_energy,
              directions_stay_within_half_of_the_cone_of_friction, sliding_takes_energy_however_normals_stand,
              turning_in_place_is_no_slip, no_friction_and_no_points_are_nothing_special)
