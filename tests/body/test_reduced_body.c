#include "body/reduced_body.h"

#include "body/make_model.h"

START_TEST(points_and_normals_follow_the_formulas) {
  Model m = make_model(6, 1, 91);
  m.is_free = true;
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = 2e-4;
  tacVec3 place = {0.2, -0.3, 0.4};
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(0.3, 1.0, 0.2), 2.0);
  tacMat3 matrix = tac_quat_to_mat3(turn);
  Case c = make_case_at(&m, &motion, NULL, place, turn);
  double q[MOST] = {0.05, -0.02, 0.03, 0.1, -0.04, 0.01};
  tac_reduced_body_set(c.body, q, NULL);
  tacVec3 x[4], n[4];
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
    tacVec3 inside = tac_vec3_add(corners[v], tac_vec3(u[0], u[1], u[2]));
    x[v] = tac_vec3_add(place, tac_mat3_mul_vec(matrix, inside));
    n[v] = tac_mat3_mul_vec(matrix, tac_vec3_add(normals[v], tac_vec3(d[0], d[1], d[2])));
    ck_assert_double_le(tac_vec3_distance(tac_reduced_body_vertex(c.body, v), x[v]), 1e-12);
    ck_assert_double_le(tac_vec3_distance(tac_reduced_body_vertex_normal(c.body, v), tac_vec3_unit(n[v])), 1e-12);
  }
  for (int t = 0; t < 4; ++t) {
    tacSurfacePoint at = {t, {0.1, 0.6, 0.3}};
    tacVec3 point = {0.0, 0.0, 0.0}, normal = point;
    for (int i = 0; i < 3; ++i) {
      point = tac_vec3_mad(point, at.weight[i], x[faces[t].v[i]]);
      normal = tac_vec3_mad(normal, at.weight[i], n[faces[t].v[i]]);
    }
    ck_assert_double_le(tac_vec3_distance(tac_reduced_body_point(c.body, at), point), 1e-12);
    ck_assert_double_le(tac_vec3_distance(tac_reduced_body_point_normal(c.body, at), tac_vec3_unit(normal)), 1e-12);
  }
  /* Velocities: the mean of those before and after a step against the way in it. */
  double v[MOST] = {1.0, -2.0, 0.5, 0.3, 1.0, -1.0};
  tac_reduced_body_set(c.body, q, v);
  tac_reduced_body_set_rigid_velocity(c.body, tac_vec3(1.0, 0.5, -0.2), tac_vec3(3.0, -4.0, 5.0));
  for (int step = 0; step < 50; ++step) {
    tacVec3 from = tac_reduced_body_point(c.body, somewhere), at = tac_reduced_body_point_velocity(c.body, somewhere);
    tac_reduced_body_advance(c.body);
    tacVec3 mean = tac_vec3_mix(at, tac_reduced_body_point_velocity(c.body, somewhere), 0.5);
    tacVec3 way = tac_vec3_sub(tac_reduced_body_point(c.body, somewhere), from);
    ck_assert_double_gt(tac_vec3_norm(mean), 0.1);
    ck_assert_double_le(tac_vec3_distance(tac_vec3_scale(1.0 / motion.step, way), mean), 1e-4 * tac_vec3_norm(mean));
  }
  free_case(&c);
}
END_TEST

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

START_TEST(dropped_vectors_stay_zero) {
  Model m = make_model(6, 2, 21);
  const bool kept[MOST] = {true, false, true, true, false, true};
  Model less = restrict_model(&m, kept);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.gravity = tac_vec3(0.0, 0.0, -9.81);
  motion.newton_steps = 2;
  Case c = make_case_at(&m, &motion, kept, nowhere, tac_quat_identity());
  Case d = make_case(&less, &motion);
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
  free_case(&c);
  free_case(&d);
}
END_TEST

/* M q'' = f at first: the velocity after a short step tells the mass matrix, and how gravity changes with it. */
START_TEST(densities_change_mass_and_weight) {
  Model m = make_model(4, 2, 41);
  const double density[GROUPS] = {2.0, 0.5};
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = 1e-7;
  Case c = make_case(&m, &motion);
  for (int g = 0; g < GROUPS; ++g) {
    tac_reduced_body_set_density(c.body, g, density[g]);
    ck_assert_double_eq(tac_reduced_body_density(c.body, g), density[g]);
  }
  ck_assert_double_eq_tol(tac_reduced_body_mass(c.body), 2.0 * m.group_mass[0] + 0.5 * m.group_mass[1], 1e-12);
  for (int gravity = 0; gravity < 2; ++gravity) {
    double force[MOST] = {1.0, -2.0, 3.0, 0.5};
    motion.gravity = gravity ? tac_vec3(3.0, 4.0, -5.0) : nowhere;
    tac_reduced_body_set_motion(c.body, &motion);
    tac_reduced_body_reset(c.body);
    tac_reduced_body_add_reduced(c.body, force);
    tac_reduced_body_advance(c.body);
    const double *v = tac_reduced_body_velocity(c.body);
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
  free_case(&c);
}
END_TEST

/* Below, at the centre for the rigid motion: it does not turn the body. */
static tacReducedContact ground(const tacReducedBody *body, double depth) {
  return (tacReducedContact){.at = somewhere,
                             .where = tac_reduced_body_centre(body),
                             .normal = {0.0, 0.0, 1.0},
                             .depth = depth,
                             .stiffness = 1e3,
                             .damping = 2.0,
                             .friction = 0.3};
}

START_TEST(contacts_hold_stop_and_rub_but_never_pull) {
  Model m = make_model(3, 1, 131);
  m.is_free = true;
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.gravity = tac_vec3(0.0, 0.0, -10.0);
  motion.alpha_mass = 50.0;
  Case c = make_case(&m, &motion);
  double mass = tac_reduced_body_mass(c.body);
  tacVec3 start = tac_reduced_body_centre(c.body);
  /* It sinks until the spring bears it, slides until friction has stopped it, and stays. */
  tac_reduced_body_set_rigid_velocity(c.body, tac_vec3(0.3, -0.4, 0.0), tac_vec3(0.0, 0.0, 0.0));
  for (int step = 1; step <= 6000; ++step) {
    tacReducedContact contact = ground(c.body, start.z - tac_reduced_body_centre(c.body).z);
    tac_reduced_body_add_contacts(c.body, 1, &contact);
    ck_assert(!tac_reduced_body_advance(c.body).refused);
  }
  tacVec3 end = tac_reduced_body_centre(c.body), way = tac_vec3_sub(end, start);
  ck_assert_double_lt(tac_vec3_norm(tac_reduced_body_linear(c.body)), 1e-6);
  ck_assert_double_lt(tac_vec3_norm(tac_reduced_body_angular(c.body)), 1e-9);
  ck_assert_double_eq_tol(hypot(way.x, way.y), 0.5 * 0.5 * 0.5 / (0.3 * 10.0), 0.004); /* v^2 / (2 mu g) */
  ck_assert_double_eq_tol(way.x / way.y, -0.75, 1e-6);
  ck_assert_double_eq_tol(way.z, -mass * 10.0 / 1e3, 1e-4);
  /* What leaves is not held. */
  tac_reduced_body_reset(c.body);
  tac_reduced_body_set_rigid_velocity(c.body, tac_vec3(0.0, 0.0, 2.0), tac_vec3(0.0, 0.0, 0.0));
  tacReducedContact contact = ground(c.body, 1e-4);
  tac_reduced_body_add_contacts(c.body, 1, &contact);
  tac_reduced_body_advance(c.body);
  ck_assert_double_eq_tol(tac_reduced_body_linear(c.body).z, 2.0 - 10.0 * motion.step, 1e-12);
  /* However stiff, and however many of them: what comes is stopped or comes back no faster, and turns no faster. */
  for (int count = 1; count <= 3; ++count) {
    tac_reduced_body_reset(c.body);
    tac_reduced_body_set_rigid_velocity(c.body, tac_vec3(0.0, 0.0, -2.0), tac_vec3(0.0, 0.0, 0.0));
    tacReducedContact contacts[3];
    for (int i = 0; i < count; ++i) {
      contacts[i] = ground(c.body, 1e-3);
      contacts[i].where.x += 0.02 * (i == 1) - 0.02 * (i == 2);
      contacts[i].stiffness = 1e12;
    }
    tac_reduced_body_add_contacts(c.body, count, contacts);
    ck_assert(!tac_reduced_body_advance(c.body).refused);
    double speed = tac_reduced_body_linear(c.body).z;
    ck_assert(speed > -2.0 && speed < 1.01);
    ck_assert_double_le(tac_reduced_body_energy(c.body) + 0.5 * mass * speed * speed, 0.5 * mass * 2.0 * 2.0);
  }
  /* Anchored bodies do not take them; too many are left out. */
  tacReducedContact many[TAC_REDUCED_MOST_SPRINGS + 8];
  for (int i = 0; i < TAC_REDUCED_MOST_SPRINGS + 8; ++i) many[i] = ground(c.body, 1e-5);
  tac_reduced_body_add_contacts(c.body, TAC_REDUCED_MOST_SPRINGS + 8, many);
  ck_assert(!tac_reduced_body_advance(c.body).refused);
  free_case(&c);
}
END_TEST

START_TEST(same_inputs_give_the_same_bits) {
  Model m = make_model(6, 2, 101);
  m.is_free = true;
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.gravity = tac_vec3(0.0, 0.0, -1.0);
  motion.acceleration_limit = 4.0;
  Case c = make_case(&m, &motion), d = make_case(&m, &motion);
  for (int step = 0; step < 100; ++step) { /* a past, which the reset forgets */
    load_at(d.body, 3 * step);
    tac_reduced_body_advance(d.body);
  }
  load_at(d.body, 7);
  tac_reduced_body_reset(d.body);
  ck_assert_double_eq(length(6, tac_reduced_body_q(d.body)), 0.0);
  ck_assert_double_eq(tac_vec3_norm(tac_reduced_body_position(d.body)), 0.0);
  int limited = 0;
  for (int step = 0; step < 300; ++step) {
    tacReducedBody *bodies[2] = {c.body, d.body};
    for (int i = 0; i < 2; ++i) {
      if (step == 50) tac_reduced_body_set_mu(bodies[i], 0, 1.5);
      load_at(bodies[i], step);
      limited += tac_reduced_body_advance(bodies[i]).limited;
    }
    tacVec3 a = tac_reduced_body_position(c.body), b = tac_reduced_body_position(d.body);
    ck_assert_mem_eq(tac_reduced_body_q(c.body), tac_reduced_body_q(d.body), 6 * sizeof(double));
    ck_assert_mem_eq(&a, &b, sizeof a);
  }
  ck_assert_int_gt(limited, 0);
  ck_assert_int_lt(limited, 600);
  free_case(&c);
  free_case(&d);
}
END_TEST

static bool body_is_finite(const tacReducedBody *body, int size) {
  bool finite = isfinite(tac_reduced_body_energy(body)) && tac_vec3_finite(tac_reduced_body_position(body)) &&
                isfinite(tac_quat_norm(tac_reduced_body_orientation(body))) &&
                tac_vec3_finite(tac_reduced_body_linear(body)) && tac_vec3_finite(tac_reduced_body_angular(body));
  for (int i = 0; i < size; ++i)
    finite = finite && isfinite(tac_reduced_body_q(body)[i]) && isfinite(tac_reduced_body_velocity(body)[i]);
  for (int v = 0; v < 4; ++v)
    finite = finite && tac_vec3_finite(tac_reduced_body_vertex(body, v)) &&
             fabs(tac_vec3_norm(tac_reduced_body_vertex_normal(body, v)) - 1.0) < 1e-9;
  return finite && tac_vec3_finite(tac_reduced_body_point_velocity(body, somewhere)) &&
         fabs(tac_vec3_norm(tac_reduced_body_point_normal(body, somewhere)) - 1.0) < 1e-9;
}

START_TEST(absurd_inputs_are_refused) {
  const double absurd[] = {1e300, -1e300, NAN, INFINITY, 1e100, 1e30, 1e12};
  for (int kind = 0; kind < 8; ++kind) {
    Model m = make_model(5, 1, 111);
    m.is_free = kind % 2 == 1;
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.is_static = kind / 2 % 2 == 1;
    motion.acceleration_limit = kind / 4 == 1 ? 100.0 : 0.0;
    motion.newton_steps = 1 + kind % 3;
    Case c = make_case(&m, &motion);
    double q[MOST] = {0.1, 0.0, -0.1, 0.05, 0.02}, many[MOST];
    for (int a = 0; a < (int)(sizeof absurd / sizeof *absurd); ++a) {
      for (int i = 0; i < MOST; ++i) many[i] = absurd[a];
      tacVec3 all = {absurd[a], absurd[a], absurd[a]};
      for (int how = 0; how < 12; ++how) {
        tac_reduced_body_set(c.body, q, q);
        const double *now = tac_reduced_body_q(c.body);
        if (how == 0) tac_reduced_body_add_force(c.body, somewhere, all);
        if (how == 1) tac_reduced_body_add_spring(c.body, somewhere, all, 1.0, 0.0);
        if (how == 2) tac_reduced_body_add_spring(c.body, somewhere, tac_vec3(1.0, 0.0, 0.0), absurd[a], absurd[a]);
        if (how == 3) tac_reduced_body_add_wrench(c.body, all, all);
        if (how == 4) tac_reduced_body_add_reduced(c.body, many);
        if (how == 5) tac_reduced_body_set(c.body, many, NULL);
        if (how == 6) tac_reduced_body_set(c.body, q, many);
        if (how == 7) tac_reduced_body_set_rigid_velocity(c.body, all, all);
        if (how == 8 && !isfinite(absurd[a])) tac_reduced_body_set_pose(c.body, all, tac_quat(absurd[a], 0, 0, 0));
        if (how == 9) tac_reduced_body_add_spring(c.body, somewhere, nowhere, -absurd[a], absurd[a]);
        if (how >= 10) {
          tacReducedContact contact = ground(c.body, how == 10 ? absurd[a] : 1e-3);
          if (how == 11) contact.stiffness = contact.damping = contact.friction = absurd[a];
          if (how == 11) contact.where = all;
          tac_reduced_body_add_contacts(c.body, 1, &contact);
        }
        tacReducedAdvance report = tac_reduced_body_advance(c.body);
        ck_assert(isfinite(report.residual));
        ck_assert_msg(body_is_finite(c.body, m.size), "kind %d, number %d, way %d", kind, a, how);
        if (report.refused) {
          ck_assert_double_eq(length(m.size, tac_reduced_body_velocity(c.body)), 0.0);
          ck_assert_double_eq(distance(m.size, now, q), 0.0);
          ck_assert_double_eq(tac_vec3_norm(tac_reduced_body_linear(c.body)), 0.0);
        }
        if (how == 0 && a < 5 && kind < 4) ck_assert(report.refused);
        for (int step = 0; step < 20; ++step) {
          tac_reduced_body_advance(c.body);
          ck_assert_msg(body_is_finite(c.body, m.size), "kind %d, number %d, way %d, later", kind, a, how);
        }
        tac_reduced_body_reset(c.body);
      }
    }
    free_case(&c);
  }
}
END_TEST

START_TEST(wrong_arguments_are_refused) {
  tacError error = {0};
  Model m = make_model(2, 1, 121);
  tacReduced *reduced = make_reduced(&m);
  tacReducedBody *body;
  const bool none[2] = {false, false};
  tacReducedMotion motion = tac_reduced_motion_default();
  ck_assert_int_eq(tac_reduced_body_create(reduced, none, &motion, nowhere, tac_quat_identity(), &body, &error),
                   TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(body);
  motion.step = 0.0;
  ck_assert_int_eq(tac_reduced_body_create(reduced, NULL, &motion, nowhere, tac_quat_identity(), &body, &error),
                   TAC_ERR_ARGUMENT);
  motion = tac_reduced_motion_default();
  motion.newton_steps = 11;
  ck_assert_int_eq(tac_reduced_body_create(reduced, NULL, &motion, nowhere, tac_quat_identity(), &body, &error),
                   TAC_ERR_ARGUMENT);
  motion.newton_steps = 1;
  ck_assert_int_eq(tac_reduced_body_create(reduced, NULL, &motion, nowhere, tac_quat(0, 0, 0, 0), &body, &error),
                   TAC_ERR_ARGUMENT);
  tac_test_ok(tac_reduced_body_create(reduced, NULL, &motion, nowhere, tac_quat_identity(), &body, &error), error);
  ck_assert_ptr_eq(tac_reduced_body_asset(body), reduced);
  /* A changed motion keeps its step; one that cannot be is ignored. */
  motion.step = 0.5;
  motion.alpha_mass = 3.0;
  tac_reduced_body_set_motion(body, &motion);
  ck_assert_double_eq(tac_reduced_body_motion(body)->step, 0.001);
  ck_assert_double_eq(tac_reduced_body_motion(body)->alpha_mass, 3.0);
  motion.alpha_mass = NAN;
  tac_reduced_body_set_motion(body, &motion);
  ck_assert_double_eq(tac_reduced_body_motion(body)->alpha_mass, 3.0);
  /* A full list of springs. */
  for (int i = 0; i < TAC_REDUCED_MOST_SPRINGS; ++i)
    ck_assert(tac_reduced_body_add_spring(body, somewhere, tac_vec3(0.1, 0.1, 0.1), 1.0, 0.0));
  ck_assert(!tac_reduced_body_add_spring(body, somewhere, tac_vec3(0.1, 0.1, 0.1), 1.0, 0.0));
  ck_assert(!tac_reduced_body_advance(body).refused);
  ck_assert(tac_reduced_body_add_spring(body, somewhere, tac_vec3(0.1, 0.1, 0.1), 1.0, 0.0));
  tac_reduced_body_destroy(body);
  tac_reduced_body_destroy(NULL);
  tac_reduced_destroy(reduced);
}
END_TEST

TAC_TEST_MAIN("reduced_body", points_and_normals_follow_the_formulas, dropped_vectors_stay_zero,
              densities_change_mass_and_weight, contacts_hold_stop_and_rub_but_never_pull,
              same_inputs_give_the_same_bits, absurd_inputs_are_refused, wrong_arguments_are_refused)
