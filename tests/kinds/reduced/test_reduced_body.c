#include <tactus/reduced.h>
#include "kinds/reduced/reduced_body.h"

#include "body/make_model.h"
#include "kinds/reduced/reduced.h"

TAC_TEST(points_and_normals_follow_the_formulas) {
  Model m = make_model(6, 1, 91);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = 2e-4;
  TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
  double q[MOST] = {0.05, -0.02, 0.03, 0.1, -0.04, 0.01};
  tac_reduced_body_set(c.body, q, NULL);
  tacVec3 x[4];
  const tacVec3 *normals = tac_reduced_normals(c.reduced);
  for (int v = 0; v < 4; ++v) {
    double u[3], d[3];
    for (int axis = 0; axis < 3; ++axis) {
      u[axis] = d[axis] = 0.0;
      for (int i = 0; i < m.size; ++i) {
        u[axis] += m.u[v][axis][i] * q[i];
        d[axis] += m.turn[v][axis][i] * q[i];
      }
    }
    x[v] = tac_vec3_add(corners[v], tac_vec3(u[0], u[1], u[2]));
    tacVec3 n = tac_vec3_unit(tac_vec3_add(normals[v], tac_vec3(d[0], d[1], d[2])));
    ck_assert_double_le(tac_vec3_distance(tac_reduced_body_vertex(c.body, v), x[v]), 1e-12);
    ck_assert_double_le(tac_vec3_distance(tac_reduced_body_vertex_normal(c.body, v), n), 1e-12);
  }
  for (int t = 0; t < 4; ++t) {
    tacSurfacePoint at = {t, {0.1, 0.6, 0.3}};
    tacVec3 point = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) point = tac_vec3_mad(point, at.weight[i], x[faces[t].v[i]]);
    ck_assert_double_le(tac_vec3_distance(tac_reduced_body_point(c.body, at), point), 1e-12);
    double rows[3][MOST], jacobian[3 * MOST];
    point_rows(&m, at, rows);
    tac_reduced_body_jacobian(c.body, at, jacobian);
    for (int axis = 0; axis < 3; ++axis)
      ck_assert_double_le(distance(m.size, rows[axis], jacobian + axis * m.size), 1e-15 * length(m.size, rows[axis]));
  }
  /* Velocities: with Newmark's method the mean of those before and after a step is the way in it, with Euler's the
   * last. */
  double v[MOST] = {1.0, -2.0, 0.5, 0.3, 1.0, -1.0};
  tac_reduced_body_set(c.body, q, v);
  for (int step = 0; step < 50; ++step) {
    motion.euler = step >= 25;
    tac_reduced_body_set_motion(c.body, &motion);
    tacVec3 from = tac_reduced_body_point(c.body, somewhere), at = point_velocity(c.body, somewhere);
    tac_reduced_body_advance(c.body);
    tacVec3 end = point_velocity(c.body, somewhere), mean = tac_vec3_mix(at, end, 0.5);
    tacVec3 way = tac_vec3_sub(tac_reduced_body_point(c.body, somewhere), from);
    ck_assert_double_gt(tac_vec3_norm(end), 0.1);
    ck_assert_double_le(tac_vec3_distance(tac_vec3_scale(1.0 / motion.step, way), motion.euler ? end : mean), 1e-10);
  }
}

/* The model with some of its coordinates. */
static Model restrict_model(const Model *m, const bool *kept) {
  Model less = *m;
  less.size = 0;
  int from[MOST];
  for (int i = 0; i < m->size; ++i)
    if (kept[i]) from[less.size++] = i;
  for (int i = 0; i < less.size; ++i) {
    for (int p = 0; p < PARTS; ++p)
      for (int s = 0; s < m->strains; ++s) {
        less.b[p][s][i] = m->b[p][s][from[i]];
        for (int j = 0; j < less.size; ++j) less.c[p][s][i][j] = m->c[p][s][from[i]][from[j]];
      }
    for (int g = 0; g < GROUPS; ++g) {
      for (int j = 0; j < less.size; ++j) less.mass[g][i][j] = m->mass[g][from[i]][from[j]];
      for (int axis = 0; axis < 3; ++axis) less.fall[g][axis][i] = m->fall[g][axis][from[i]];
    }
    for (int row = 0; row < 12; ++row) {
      less.u[row / 3][row % 3][i] = m->u[row / 3][row % 3][from[i]];
      less.turn[row / 3][row % 3][i] = m->turn[row / 3][row % 3][from[i]];
    }
  }
  return less;
}

TAC_TEST(dropped_vectors_stay_zero) {
  Model m = make_model(6, 2, 21);
  const bool kept[MOST] = {true, false, true, true, false, true};
  Model less = restrict_model(&m, kept);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.gravity = tac_vec3(0.0, 0.0, -9.81);
  motion.newton_steps = 2;
  TAC_FREED(free_case, Case, c) = make_case_of(&m, &motion, kept);
  TAC_FREED(free_case, Case, d) = make_case(&less, &motion);
  double q[MOST] = {0.1, 0.2, -0.1, 0.05, 0.3, 0.02}, forces[MOST] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  double less_q[MOST], less_forces[MOST];
  int n = 0;
  for (int i = 0; i < m.size; ++i)
    if (kept[i]) {
      less_q[n] = q[i];
      less_forces[n++] = forces[i];
    }
  tac_reduced_body_set(c.body, q, q);
  tac_reduced_body_set(d.body, less_q, less_q);
  tac_reduced_body_set_density(c.body, 1, 1.3);
  tac_reduced_body_set_density(d.body, 1, 1.3);
  ck_assert_int_eq(tac_reduced_body_size(c.body), 6);
  for (int step = 0; step < 300; ++step) {
    load_at(c.body, step);
    load_at(d.body, step);
    tac_reduced_body_add_reduced(c.body, forces);
    tac_reduced_body_add_reduced(d.body, less_forces);
    ck_assert(!tac_reduced_body_advance(c.body).refused);
    tac_reduced_body_advance(d.body);
    const double *all = tac_reduced_body_q(c.body), *some = tac_reduced_body_q(d.body);
    n = 0;
    for (int i = 0; i < m.size; ++i)
      if (kept[i])
        ck_assert_double_eq_tol(all[i], some[n++], 1e-10);
      else
        ck_assert_double_eq(all[i], 0.0);
    ck_assert_double_le(
        tac_vec3_distance(tac_reduced_body_point(c.body, somewhere), tac_reduced_body_point(d.body, somewhere)), 1e-10);
  }
  ck_assert_double_gt(length(6, tac_reduced_body_q(c.body)), 1e-3);
}

/* M q'' = f at first: the velocity after a short step tells the mass matrix, and how gravity changes with it. */
TAC_TEST(densities_change_mass_and_weight) {
  Model m = make_model(4, 2, 41);
  const double density[GROUPS] = {2.0, 0.5};
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = 1e-7;
  TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
  for (int g = 0; g < GROUPS; ++g) tac_reduced_body_set_density(c.body, g, density[g]);
  ck_assert_double_eq_tol(tac_reduced_body_inertia(c.body)->mass, 2.0 * m.group_mass[0] + 0.5 * m.group_mass[1], 1e-12);
  for (int gravity = 0; gravity < 2; ++gravity) {
    double force[MOST] = {1.0, -2.0, 3.0, 0.5};
    motion.gravity = gravity ? tac_vec3(3.0, 4.0, -5.0) : nowhere;
    tac_reduced_body_set_motion(c.body, &motion);
    tac_reduced_body_reset(c.body);
    tac_reduced_body_add_reduced(c.body, force);
    tac_reduced_body_advance(c.body);
    const double *v = tac_reduced_body_rates(c.body);
    double energy = 0.0;
    for (int i = 0; i < m.size; ++i) {
      double product = 0.0;
      for (int g = 0; g < GROUPS; ++g) {
        for (int j = 0; j < m.size; ++j) product += density[g] * m.mass[g][i][j] * v[j] / motion.step;
        if (gravity) force[i] += density[g] * (3.0 * m.fall[g][0][i] + 4.0 * m.fall[g][1][i] - 5.0 * m.fall[g][2][i]);
      }
      ck_assert_double_eq_tol(product, force[i], 1e-6);
      energy += 0.5 * product * motion.step * v[i];
    }
    ck_assert_double_eq_tol(tac_reduced_body_energy(c.body) / energy, 1.0, 1e-6);
  }
}

TAC_TEST(same_inputs_give_the_same_bits) {
  Model m = make_model(6, 2, 101);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.gravity = tac_vec3(0.0, 0.0, -1.0);
  motion.acceleration_limit = 4.0;
  TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
  TAC_FREED(free_case, Case, d) = make_case(&m, &motion);
  for (int step = 0; step < 100; ++step) { /* a past, which the reset forgets */
    load_at(d.body, 3 * step);
    tac_reduced_body_advance(d.body);
  }
  load_at(d.body, 7);
  tac_reduced_body_reset(d.body);
  ck_assert_double_eq(length(6, tac_reduced_body_q(d.body)), 0.0);
  int limited = 0;
  for (int step = 0; step < 300; ++step) {
    tacReducedBody *bodies[2] = {c.body, d.body};
    for (int i = 0; i < 2; ++i) {
      if (step == 50) tac_reduced_body_set_mu(bodies[i], 0, 1.5);
      load_at(bodies[i], step);
      limited += tac_reduced_body_advance(bodies[i]).limited;
    }
    ck_assert_mem_eq(tac_reduced_body_q(c.body), tac_reduced_body_q(d.body), 6 * sizeof(double));
    ck_assert_mem_eq(tac_reduced_body_rates(c.body), tac_reduced_body_rates(d.body), 6 * sizeof(double));
  }
  ck_assert_int_gt(limited, 0);
  ck_assert_int_lt(limited, 600);
}

static bool body_is_finite(const tacReducedBody *body, int size) {
  bool finite = isfinite(tac_reduced_body_energy(body));
  for (int i = 0; i < size; ++i)
    finite = finite && isfinite(tac_reduced_body_q(body)[i]) && isfinite(tac_reduced_body_rates(body)[i]);
  for (int v = 0; v < 4; ++v)
    finite = finite && tac_vec3_finite(tac_reduced_body_vertex(body, v)) &&
             fabs(tac_vec3_norm(tac_reduced_body_vertex_normal(body, v)) - 1.0) < 1e-9;
  return finite && tac_vec3_finite(point_velocity(body, somewhere));
}

/* A step by hand whose solver gave `motion` for every coordinate. */
static bool step_by_hand(tacReducedBody *body, int n, double motion) {
  double matrix[MOST * MOST], load[MOST];
  tacReducedAdvance report = {0};
  tac_reduced_body_begin(body);
  bool finite = tac_reduced_body_linearise(body, matrix, load, &report);
  for (int i = 0; i < n; ++i) load[i] = motion;
  if (finite) tac_reduced_body_move(body, load);
  return tac_reduced_body_finish(body);
}

TAC_TEST(extreme_inputs_are_rejected) {
  const double absurd[] = {1e300, -1e300, NAN, INFINITY, 1e100, 1e30, 1e12};
  for (int kind = 0; kind < 8; ++kind) {
    Model m = make_model(5, 1, 111);
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.euler = kind % 2 == 1;
    motion.is_static = kind / 2 % 2 == 1;
    motion.acceleration_limit = kind / 4 == 1 ? 100.0 : 0.0;
    motion.newton_steps = 1 + kind % 3;
    TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
    double q[MOST] = {0.1, 0.0, -0.1, 0.05, 0.02}, many[MOST];
    for (int a = 0; a < (int)(sizeof absurd / sizeof *absurd); ++a) {
      for (int i = 0; i < MOST; ++i) many[i] = absurd[a];
      tacVec3 all = {absurd[a], absurd[a], absurd[a]};
      for (int how = 0; how < 6; ++how) {
        ck_assert(tac_reduced_body_set(c.body, q, q));
        const double *now = tac_reduced_body_q(c.body);
        if (how == 0) tac_reduced_body_add_force(c.body, somewhere, all);
        if (how == 1) tac_reduced_body_add_reduced(c.body, many);
        if (how == 2) ck_assert(!tac_reduced_body_set(c.body, many, NULL));
        if (how == 3) tac_reduced_body_set(c.body, q, many);
        if (how == 4) {
          double state[3 * MOST + 1];
          ck_assert_int_le(tac_reduced_body_state_size(c.body), 3 * MOST + 1);
          tac_reduced_body_save(c.body, state);
          state[0] = absurd[a];
          ck_assert(!tac_reduced_body_load(c.body, state));
          ck_assert_double_eq(distance(m.size, now, q), 0.0);
        }
        bool refused;
        if (how == 5) {
          refused = !step_by_hand(c.body, m.size, absurd[a]);
          ck_assert(refused);
        } else {
          tacReducedAdvance report = tac_reduced_body_advance(c.body);
          ck_assert(isfinite(report.residual));
          refused = report.refused;
        }
        ck_assert_msg(body_is_finite(c.body, m.size), "kind %d, number %d, way %d", kind, a, how);
        if (refused) {
          ck_assert_double_eq(length(m.size, tac_reduced_body_rates(c.body)), 0.0);
          ck_assert_double_eq(distance(m.size, now, q), 0.0);
        }
        if (how == 0 && a < 5 && kind < 4) ck_assert(refused);
        for (int step = 0; step < 20; ++step) {
          tac_reduced_body_advance(c.body);
          ck_assert_msg(body_is_finite(c.body, m.size), "kind %d, number %d, way %d, later", kind, a, how);
        }
        tac_reduced_body_reset(c.body);
      }
    }
  }
}

TAC_TEST(invalid_arguments_are_rejected) {
  error = (tacError){0};
  Model m = make_model(2, 1, 121);
  TAC_OWN(tacReduced, reduced) = make_reduced(&m);
  const bool none[2] = {false, false};
  for (int bad = 0; bad < 4; ++bad) {
    tacReducedMotion motion = tac_reduced_motion_default();
    TAC_OWN(tacReducedBody, body) = NULL;
    if (bad == 1) motion.step = 0.0;
    if (bad == 2) motion.newton_steps = 11;
    tacStatus status = tac_reduced_body_create(reduced, bad == 0 ? none : NULL, &motion, &body, &error);
    ck_assert_int_eq(status, bad < 3 ? TAC_ERR_ARGUMENT : TAC_OK);
    ck_assert_int_eq(body != NULL, bad == 3);
    if (body == NULL) continue;
    ck_assert_ptr_eq(tac_reduced_body_asset(body), reduced);
    /* All of a motion may change; one that cannot be is ignored. */
    for (int i = 0; i < 2; ++i) {
      motion.step = i == 0 ? 0.5 : 0.25;
      motion.mass_damping = i == 0 ? 3.0 : NAN;
      tac_reduced_body_set_motion(body, &motion);
      ck_assert_double_eq(tac_reduced_body_motion(body)->step, 0.5);
      ck_assert_double_eq(tac_reduced_body_motion(body)->mass_damping, 3.0);
    }
  }
  tac_reduced_body_destroy(NULL);
}
