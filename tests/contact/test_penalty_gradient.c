#include "contact/penalty_points.h"

static double entry(tacVec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

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

TAC_TEST(gradients_are_those_of_finite_differences) {
  for (int trial = 0; trial < 6; ++trial) {
    Pair p = make_pair(100 + (uint64_t)trial);
    int count = trial % 2 == 0 ? SHELL : 7; /* that share, and that do not */
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
    ck_assert(count == SHELL ? report.shared < 0.5 * report.counted : report.shared == report.counted);
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
