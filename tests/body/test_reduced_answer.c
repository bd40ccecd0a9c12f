/* tac_reduced_body_add_answer: implicit loads of reduced coordinates. */
#include "body/make_model.h"

typedef struct Answer {
  double force[MOST], stiffness[MOST * MOST];
} Answer;

/* The same as tac_reduced_body_add_spring without damping, as the body is now. */
static Answer answer_of_spring(const Model *m, const tacReducedBody *body, tacSurfacePoint at, tacVec3 target,
                               double k) {
  Answer answer = {{0.0}, {0.0}};
  double rows[3][MOST];
  point_rows(m, at, rows);
  tacVec3 gap = tac_vec3_sub(target, tac_reduced_body_point(body, at));
  gap = tac_quat_rotate(tac_quat_conjugate(tac_reduced_body_orientation(body)), gap);
  for (int i = 0; i < m->size; ++i) {
    answer.force[i] = k * (rows[0][i] * gap.x + rows[1][i] * gap.y + rows[2][i] * gap.z);
    for (int j = 0; j < m->size; ++j)
      for (int axis = 0; axis < 3; ++axis) answer.stiffness[i * m->size + j] += k * rows[axis][i] * rows[axis][j];
  }
  return answer;
}

static const tacSurfacePoint elsewhere = {0, {0.5, 0.25, 0.25}};

START_TEST(an_answer_is_the_spring_that_it_stands_for) {
  const bool kept[MOST] = {true, false, true, true, false, true};
  for (int kind = 0; kind < 24; ++kind) {
    Model m = make_model(6, 2, 211 + (uint64_t)kind);
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.is_static = kind % 4 == 3;
    motion.linear = kind % 2 == 1;
    motion.newton_steps = 1 + kind % 3;
    motion.alpha_mass = kind % 5 == 0 ? 0.0 : 2.0;
    motion.beta_stiffness = kind % 5 == 0 ? 0.0 : 1e-3;
    motion.acceleration_limit = kind % 7 == 1 ? 20.0 : 0.0;
    motion.gravity = tac_vec3(0.0, 1.0, -9.81);
    tacVec3 place = {0.1, -0.2, 0.3};
    tacQuat turn = tac_quat_from_axis_angle(tac_vec3(1.0, -0.3, 0.2), 0.8);
    Case c = make_case_at(&m, &motion, kind >= 12 ? kept : NULL, place, turn);
    Case d = make_case_at(&m, &motion, kind >= 12 ? kept : NULL, place, turn);
    tac_reduced_body_set_density(c.body, 1, 1.4);
    tac_reduced_body_set_density(d.body, 1, 1.4);
    double k = kind % 2 == 0 ? 300.0 : 1e6, moved = 0.0;
    for (int step = 0; step < 200; ++step) {
      tacVec3 target = tac_vec3_add(place, tac_vec3(0.05 * sin(0.05 * step), 0.02, 0.06 * cos(0.03 * step)));
      Answer first = answer_of_spring(&m, c.body, somewhere, target, k);
      Answer second = answer_of_spring(&m, c.body, elsewhere, place, 50.0);
      tac_reduced_body_add_answer(c.body, first.force, first.stiffness); /* several add up */
      tac_reduced_body_add_answer(c.body, second.force, second.stiffness);
      tac_reduced_body_add_spring(d.body, somewhere, target, k, 0.0);
      tac_reduced_body_add_spring(d.body, elsewhere, place, 50.0, 0.0);
      if (step % 50 == 20) {
        load_at(c.body, step);
        load_at(d.body, step);
      }
      tacReducedAdvance a = tac_reduced_body_advance(c.body), b = tac_reduced_body_advance(d.body);
      ck_assert(!a.refused && !b.refused && a.limited == b.limited && a.newton_steps == b.newton_steps);
      const double *q = tac_reduced_body_q(c.body), *right = tac_reduced_body_q(d.body);
      ck_assert_double_le(distance(6, q, right), 1e-9 * (1e-3 + length(6, right)));
      ck_assert_double_le(distance(6, tac_reduced_body_velocity(c.body), tac_reduced_body_velocity(d.body)), 1e-5);
      moved = fmax(moved, length(6, q));
    }
    ck_assert_double_gt(moved, 1e-4);
    /* Forgotten after the advance, and by a reset. */
    tac_reduced_body_set(c.body, tac_reduced_body_q(d.body), NULL);
    tac_reduced_body_set(d.body, tac_reduced_body_q(d.body), NULL);
    Answer last = answer_of_spring(&m, c.body, somewhere, nowhere, k);
    for (int step = 0; step < 5; ++step) {
      tac_reduced_body_advance(c.body);
      tac_reduced_body_advance(d.body);
    }
    ck_assert_mem_eq(tac_reduced_body_q(c.body), tac_reduced_body_q(d.body), 6 * sizeof(double));
    tac_reduced_body_add_answer(c.body, last.force, last.stiffness);
    tac_reduced_body_reset(c.body);
    tac_reduced_body_reset(d.body);
    tac_reduced_body_advance(c.body);
    tac_reduced_body_advance(d.body);
    ck_assert_mem_eq(tac_reduced_body_q(c.body), tac_reduced_body_q(d.body), 6 * sizeof(double));
    free_case(&c);
    free_case(&d);
  }
}
END_TEST

/* R(q) = force - stiffness (q - q0): from the equations of the model. */
START_TEST(static_bodies_find_the_equilibrium_of_an_answer) {
  Model m = make_model(5, 1, 231);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.is_static = true;
  motion.newton_steps = 10;
  Case c = make_case(&m, &motion);
  double start[MOST] = {0.02, -0.01, 0.03, 0.0, 0.01}, right[MOST];
  tac_reduced_body_set(c.body, start, NULL);
  Answer answer = answer_of_spring(&m, c.body, somewhere, tac_vec3(0.1, 0.0, 0.05), 400.0);
  for (int i = 0; i < m.size; ++i) answer.stiffness[i * m.size + i] += 10.0;
  tac_reduced_body_add_answer(c.body, answer.force, answer.stiffness);
  ck_assert(!tac_reduced_body_advance(c.body).refused);
  const double *q = tac_reduced_body_q(c.body);
  model_force(&m, q, right);
  for (int i = 0; i < m.size; ++i) {
    double f = answer.force[i];
    for (int j = 0; j < m.size; ++j) f -= answer.stiffness[i * m.size + j] * (q[j] - start[j]);
    ck_assert_double_eq_tol(right[i], f, 1e-8);
  }
  ck_assert_double_gt(distance(m.size, q, start), 1e-3);
  free_case(&c);
}
END_TEST

/* A linear oscillator whose second spring is an answer, told anew each tick: the method keeps its energy for any
 * stiffness. */
START_TEST(answers_told_anew_keep_the_energy) {
  for (double k = 1e2; k < 1e11; k *= 100.0) {
    Model m = make_duffing(400.0, 0.0);
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.linear = true;
    Case c = make_case(&m, &motion);
    double q0 = 0.01, before = 0.0;
    tac_reduced_body_set(c.body, &q0, NULL);
    for (int step = 0; step < 5000; ++step) {
      double q = tac_reduced_body_q(c.body)[0], v = tac_reduced_body_velocity(c.body)[0], force = -k * q;
      double energy = 0.5 * v * v + 0.5 * (400.0 + k) * q * q;
      /* the first step begins without it, as with springs */
      if (step == 1) before = energy;
      if (step > 1) ck_assert_double_eq_tol(energy / before, 1.0, 1e-6);
      tac_reduced_body_add_answer(c.body, &force, &k);
      ck_assert(!tac_reduced_body_advance(c.body).refused);
    }
    free_case(&c);
  }
}
END_TEST

/* Stiff walls that come and go: 1e6 N/m at a point of the surface, with a damper of `share` x step x stiffness in the
 * answer. */
START_TEST(damped_answers_of_stiff_walls_take_energy) {
  for (int trial = 0; trial < 8; ++trial) {
    Model m = make_model(5, 1, 241 + (uint64_t)trial);
    for (int i = 0; i < 12 * MOST; ++i) m.u[i / (3 * MOST)][i / MOST % 3][i % MOST] *= 0.4;
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.newton_steps = 3;
    Case c = make_case(&m, &motion);
    double velocity[MOST] = {0.3, -0.4, 0.2, 0.5, -0.1}, q[MOST] = {0.0}, rows[3][MOST], k = 1e6, share = 1.0;
    tac_reduced_body_set(c.body, q, velocity);
    point_rows(&m, somewhere, rows);
    double wall = tac_reduced_body_point(c.body, somewhere).z - 1e-3, energy = tac_reduced_body_energy(c.body);
    int hits = 0;
    for (int step = 0; step < 3000; ++step) {
      double depth = wall - tac_reduced_body_point(c.body, somewhere).z, force[MOST], stiffness[MOST * MOST];
      if (depth > 0.0) { /* a damper of the velocity at the end of the step, 2 (q - q_now) / h - q'_now */
        double speed = tac_reduced_body_point_velocity(c.body, somewhere).z;
        for (int i = 0; i < m.size; ++i) {
          force[i] = rows[2][i] * (k * depth + share * motion.step * k * speed);
          for (int j = 0; j < m.size; ++j)
            stiffness[i * m.size + j] = (1.0 + 2.0 * share) * k * rows[2][i] * rows[2][j];
        }
        tac_reduced_body_add_answer(c.body, force, stiffness);
        ++hits;
      }
      ck_assert(!tac_reduced_body_advance(c.body).refused);
      ck_assert_double_le(tac_reduced_body_energy(c.body), 1.3 * energy);
    }
    ck_assert_int_gt(hits, 3);
    ck_assert_double_le(tac_reduced_body_energy(c.body), energy);
    free_case(&c);
  }
}
END_TEST

START_TEST(free_bodies_deform_as_anchored_ones_do) {
  Model m = make_model(5, 1, 251);
  tacReducedMotion motion = tac_reduced_motion_default();
  Case anchored = make_case(&m, &motion);
  m.is_free = true;
  Case c = make_case(&m, &motion);
  tac_reduced_body_set_rigid_velocity(c.body, tac_vec3(0.1, 0.2, 0.3), tac_vec3(1.0, 0.0, -1.0));
  for (int step = 0; step < 200; ++step) {
    Answer answer = answer_of_spring(&m, anchored.body, somewhere, tac_vec3(0.1, 0.01 * sin(0.1 * step), 0.0), 500.0);
    tac_reduced_body_add_answer(anchored.body, answer.force, answer.stiffness);
    tac_reduced_body_add_answer(c.body, answer.force, answer.stiffness);
    tac_reduced_body_advance(anchored.body);
    tac_reduced_body_advance(c.body);
    ck_assert_mem_eq(tac_reduced_body_q(c.body), tac_reduced_body_q(anchored.body), 5 * sizeof(double));
  }
  ck_assert_double_gt(length(5, tac_reduced_body_q(c.body)), 1e-3);
  /* The rigid motion is not its business. */
  ck_assert_double_eq_tol(tac_vec3_distance(tac_reduced_body_linear(c.body), tac_vec3(0.1, 0.2, 0.3)), 0.0, 1e-12);
  free_case(&c);
  free_case(&anchored);
}
END_TEST

START_TEST(absurd_answers_are_refused) {
  const double absurd[] = {1e300, NAN, INFINITY, -INFINITY, 1e100};
  for (int kind = 0; kind < 2; ++kind) {
    Model m = make_model(4, 1, 261);
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.is_static = kind == 1;
    Case c = make_case(&m, &motion);
    double q[MOST] = {0.01, 0.02, -0.01, 0.0};
    for (int a = 0; a < 5; ++a)
      for (int how = 0; how < 3; ++how) {
        tac_reduced_body_set(c.body, q, NULL);
        Answer answer = answer_of_spring(&m, c.body, somewhere, nowhere, 100.0);
        for (int i = 0; i < m.size; ++i) {
          if (how != 1) answer.force[i] = absurd[a];
          if (how != 0) answer.stiffness[i * m.size + i] = absurd[a];
        }
        tac_reduced_body_add_answer(c.body, answer.force, answer.stiffness);
        tacReducedAdvance report = tac_reduced_body_advance(c.body);
        ck_assert(isfinite(report.residual) && isfinite(tac_reduced_body_energy(c.body)));
        if (report.refused) ck_assert_double_eq(distance(m.size, tac_reduced_body_q(c.body), q), 0.0);
        if (how == 0) ck_assert(report.refused);
        for (int step = 0; step < 5; ++step) tac_reduced_body_advance(c.body);
        ck_assert(isfinite(tac_reduced_body_energy(c.body)));
      }
    free_case(&c);
  }
}
END_TEST

TAC_TEST_MAIN("reduced_answer", an_answer_is_the_spring_that_it_stands_for,
              static_bodies_find_the_equilibrium_of_an_answer, answers_told_anew_keep_the_energy,
              damped_answers_of_stiff_walls_take_energy, free_bodies_deform_as_anchored_ones_do,
              absurd_answers_are_refused)
