#include <tactus/reduced.h>
#include "kinds/reduced/reduced_dynamics.h"

#include "body/make_model.h"

TAC_TEST(a_duffing_oscillator_keeps_its_period_and_energy) {
  double k = 400.0, hardening = 6.0 * 400.0, amplitude = 1.0;
  Model m = make_duffing(k, hardening);
  /* q'' + k q + e q^3 = 0: period 4 K(m) / sqrt(k + e A^2), m = e A^2 / (2 (k + e A^2)), K by the mean of Gauss. */
  double stiffness = k + hardening / 6.0 * amplitude * amplitude;
  double x = 1.0, y = sqrt(1.0 - hardening / 6.0 * amplitude * amplitude / (2.0 * stiffness));
  for (int i = 0; i < 10; ++i) {
    double mean = 0.5 * (x + y);
    y = sqrt(x * y);
    x = mean;
  }
  double period = 4.0 * (M_PI / (2.0 * x)) / sqrt(stiffness);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = period / 200.0;
  motion.newton_steps = 5;
  TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
  tac_reduced_body_set(c.body, &amplitude, NULL);
  double energy = tac_reduced_body_energy(c.body), last = amplitude, crossing = 0.0;
  ck_assert_double_eq_tol(energy, k / 2.0 + hardening / 24.0, 1e-9 * energy);
  int crossings = 0, periods = tac_test_light() ? 10 : 100;
  for (int step = 1; step <= periods * 200; ++step) {
    tacReducedAdvance report = tac_reduced_body_advance(c.body);
    ck_assert(!report.refused && !report.limited);
    ck_assert_int_eq(report.newton_steps, 5);
    ck_assert_double_eq_tol(tac_reduced_body_energy(c.body), energy, 0.01 * energy);
    double q = tac_reduced_body_q(c.body)[0];
    if (last > 0.0 && q <= 0.0) {
      crossing = (step - 1 + last / (last - q)) * motion.step;
      ++crossings;
    }
    last = q;
  }
  ck_assert_int_eq(crossings, periods);
  ck_assert_double_eq_tol(crossing / ((periods - 0.75) * period), 1.0, 1e-3);
}

/* tau E' : C : E' v with E' = b + 2 C q: what strain-rate damping is, from the strains themselves. */
static void add_strain_rate_drag(const Model *m, double tau, const double *q, const double *v, double *force) {
  for (int p = 0; p < 2 * m->groups; ++p)
    for (int s = 0; s < m->strains; ++s) {
      double rate = 0.0, gradient[MOST];
      for (int i = 0; i < m->size; ++i) {
        gradient[i] = m->b[p][s][i];
        for (int j = 0; j < m->size; ++j) gradient[i] += 2.0 * m->c[p][s][i][j] * q[j];
        rate += gradient[i] * v[i];
      }
      for (int i = 0; i < m->size; ++i) force[i] += tau * m->weight[p] * rate * gradient[i];
    }
}

/* (q, v) after `time` by the classical Runge-Kutta method, with M = 1, a constant force and strain rates damped by tau. */
static void run_reference(const Model *m, const double *force, double tau, double time, int steps, double *q,
                          double *v) {
  double h = time / steps;
  int n = m->size;
  for (int step = 0; step < steps; ++step) {
    double sum_q[MOST] = {0.0}, sum_v[MOST] = {0.0}, at_q[MOST], at_v[MOST], a[MOST];
    for (int stage = 0; stage < 4; ++stage) {
      double reach = stage == 0 ? 0.0 : stage < 3 ? h / 2.0 : h, weight = stage == 0 || stage == 3 ? h / 6.0 : h / 3.0;
      double before_v[MOST], before_a[MOST];
      memcpy(before_v, at_v, sizeof before_v);
      memcpy(before_a, a, sizeof before_a);
      for (int i = 0; i < n; ++i) {
        at_q[i] = q[i] + (stage == 0 ? 0.0 : reach * before_v[i]);
        at_v[i] = v[i] + (stage == 0 ? 0.0 : reach * before_a[i]);
      }
      model_force(m, at_q, a);
      add_strain_rate_drag(m, tau, at_q, at_v, a);
      for (int i = 0; i < n; ++i) {
        a[i] = force[i] - a[i];
        sum_q[i] += weight * at_v[i];
        sum_v[i] += weight * a[i];
      }
    }
    for (int i = 0; i < n; ++i) {
      q[i] += sum_q[i];
      v[i] += sum_v[i];
    }
  }
}

TAC_TEST(newmark_is_of_second_order) {
  Model m = make_model(4, 1, 7);
  const double start[MOST] = {0.2, -0.1, 0.15, 0.1}, speed[MOST] = {1.0, 0.5, -2.0, 0.3},
               force[MOST] = {3.0, -4.0, 5.0};
  double time = 0.2, q[MOST], v[MOST], off[2], off_v[2];
  memcpy(q, start, sizeof q);
  memcpy(v, speed, sizeof v);
  run_reference(&m, force, 0.0, time, 4000, q, v);
  for (int fine = 0; fine < 2; ++fine) {
    tacReducedMotion motion = tac_reduced_motion_default();
    int steps = 400 << fine;
    motion.step = time / steps;
    motion.newton_steps = 5;
    TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
    tac_reduced_body_set(c.body, start, speed);
    for (int step = 0; step < steps; ++step) {
      tac_reduced_body_add_reduced(c.body, force);
      ck_assert(!tac_reduced_body_advance(c.body).refused);
    }
    off[fine] = distance(m.size, q, tac_reduced_body_q(c.body));
    off_v[fine] = distance(m.size, v, tac_reduced_body_rates(c.body));
  }
  ck_assert_double_le(off[1], 1e-3 * length(m.size, q));
  ck_assert_double_eq_tol(off[0] / off[1], 4.0, 0.6);
  ck_assert_double_eq_tol(off_v[0] / off_v[1], 4.0, 0.6);
}

/* What a body holds, from what the end of its step evaluated. */
TAC_TEST(stored_energy_matches_the_energy) {
  Model m = make_model(4, 1, 11);
  const double start[MOST] = {0.4, -0.3, 0.35, 0.2}, speed[MOST] = {1.0, 0.5, -2.0, 0.3};
  double worst = 0.0, largest = 0.0;
  tacReducedMotion motion = tac_reduced_motion_default();
  TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
  tac_reduced_body_set(c.body, start, speed);
  for (int step = 0; step < 100; ++step) {
    ck_assert(!tac_reduced_body_advance(c.body).refused);
    double energy = tac_reduced_body_energy(c.body);
    worst = fmax(worst, fabs(tac_reduced_body_stored(c.body) - energy));
    largest = fmax(largest, energy);
  }
  ck_assert_double_le(worst, 1e-12 * largest);
}

/* Long implicit steps of a strongly nonlinear body: the force at the end of a step is not what was linearised at its start, and steps that
 * overshoot would each go farther than the last. An excess of a tenth of the fall is left to Newton's method: half a percent of the energy. */
TAC_TEST(long_euler_steps_gain_no_energy) {
  Model m = make_model(4, 1, 11);
  const double start[MOST] = {0.4, -0.3, 0.35, 0.2}, speed[MOST] = {10.0, 5.0, -20.0, 3.0};
  for (int every = 1; every <= 64; every *= 2) {
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.step = 1e-3 * every;
    motion.euler = true;
    TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
    for (int throw = 1; throw <= 64; throw *= 4) {
      double velocity[MOST];
      for (int i = 0; i < MOST; ++i) velocity[i] = throw *speed[i];
      tac_reduced_body_set(c.body, start, velocity);
      double energy = tac_reduced_body_energy(c.body);
      for (int step = 0; step < 200; ++step) {
        tac_reduced_body_advance(c.body);
        double now = tac_reduced_body_energy(c.body);
        ck_assert_msg(now <= energy * 1.005, "%d ms, %d: step %d: %g J after %g J", every, throw, step, now, energy);
        energy = now;
      }
    }
  }
}

typedef struct Spring {
  double stiffness, hardening;
} Spring;

static void evaluate_spring(void *self, bool linear, const double *q, double *force, double *stiffness) {
  const Spring *s = self;
  double e = linear ? 0.0 : s->hardening;
  *force = s->stiffness * *q + e / 6.0 * *q * *q * *q;
  if (stiffness != NULL) *stiffness = s->stiffness + e / 2.0 * *q * *q;
}

static double spring_energy(void *self, bool linear, const double *q) {
  const Spring *s = self;
  return s->stiffness / 2.0 * *q * *q + (linear ? 0.0 : s->hardening / 24.0) * *q * *q * *q * *q;
}

/* A spring that hardens, under a force that the stiffness at rest would bear only far outside the allowed coordinates: the steps are
 * shortened, none is refused, and the body comes to where the spring bears the force, k q + e q^3 / 6 = f. What it stores is the energy
 * there, also after shortened steps. With all of the motion refused, it never moved. */
TAC_TEST(motion_out_of_the_allowed_coordinates_is_shortened) {
  const double k = 1e-3, hardening = 1e6, mass = 1e-4, q = 0.02, force = k * q + hardening * q * q * q / 6.0;
  Spring hardens = {k, hardening};
  tacCoordinateForce spring = {&hardens, evaluate_spring, spring_energy, NULL, true};
  tacReducedMotion motion = tac_reduced_motion_default();
  tacReducedDynamics d;
  motion.step = 0.1;
  motion.euler = true;
  tac_test_ok(tac_reduced_dynamics_create(1, &d, &error), error);
  d.mass.a[0] = mass;
  d.most_q = 0.2;
  double worst = 0.0;
  int shortened = 0;
  for (int step = 0; step < 200; ++step) {
    tacReducedAdvance report;
    d.load[0] = force;
    ck_assert(tac_reduced_dynamics_advance(&d, &motion, &spring, &report));
    ck_assert_double_le(fabs(d.q[0]), d.most_q);
    shortened += d.shortened;
    double energy = tac_reduced_dynamics_energy(&d, false, &spring);
    worst = fmax(worst, fabs(tac_reduced_dynamics_stored(&d, false, &spring) - energy) / energy);
  }
  ck_assert_int_gt(shortened, 0);
  ck_assert_double_le(worst, 1e-9);
  ck_assert_double_eq_tol(d.q[0], q, 1e-3 * q);
  tac_reduced_dynamics_destroy(&d);
}

/* q'' + k q = 0 by Euler's implicit method: (q, q') is turned and shrinks, each step by sqrt(1 + h^2 k) exactly. */
TAC_TEST(euler_damping_matches_theory) {
  double k = 900.0, amplitude = 0.01;
  Model m = make_duffing(k, 600.0);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.euler = motion.linear = true;
  TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
  tac_reduced_body_set(c.body, &amplitude, NULL);
  double energy = tac_reduced_body_energy(c.body), per = 1.0 + motion.step * motion.step * k,
         angle = atan(motion.step * sqrt(k));
  for (int step = 1; step <= 1000; ++step) {
    ck_assert(!tac_reduced_body_advance(c.body).refused);
    ck_assert_double_eq_tol(tac_reduced_body_energy(c.body) / energy, pow(per, -step), 1e-10);
    ck_assert_double_eq_tol(tac_reduced_body_q(c.body)[0], amplitude * pow(per, -0.5 * step) * cos(step * angle),
                            1e-10 * amplitude);
  }
}

/* A mode that swings little decays by (alpha + beta k) / 2, of Rayleigh's damping; by that of strain rates as by a beta of the same
 * time. */
TAC_TEST(damped_decay_matches_theory) {
  const double k = 900.0, alpha = 2.0, tau = 0.004;
  for (int rayleigh = 0; rayleigh < 2; ++rayleigh) {
    Model m = make_duffing(k, 600.0);
    m.damps_strain_rate = !rayleigh;
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.linear = rayleigh;
    motion.mass_damping = rayleigh ? alpha : 0.0;
    *(rayleigh ? &motion.stiffness_damping : &motion.strain_rate) = tau;
    TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
    double amplitude = rayleigh ? 0.01 : 1e-4, rate = 0.5 * (motion.mass_damping + tau * k),
           omega = sqrt(k - rate * rate);
    tac_reduced_body_set(c.body, &amplitude, NULL);
    if (rayleigh) ck_assert_double_eq_tol(tac_reduced_body_energy(c.body), 0.5 * k * amplitude * amplitude, 1e-12);
    for (int step = 1; step <= 1000; ++step) {
      tac_reduced_body_advance(c.body);
      double t = step * motion.step;
      double exact = amplitude * exp(-rate * t) * (cos(omega * t) + rate / omega * sin(omega * t));
      ck_assert_double_eq_tol(tac_reduced_body_q(c.body)[0], exact, 1e-3 * amplitude);
    }
  }
}

/* Large motion of several coordinates, all or some of them, against Runge and Kutta's method with the damping of the strains; an error
 * of second order in the step. Rayleigh's damping of the same time is elsewhere by then: it is that of K, stress and all. */
TAC_TEST(strain_rate_damping_is_that_of_the_strains) {
  const double tau = 0.004, time = 0.1, start[MOST] = {0.2, -0.15, 0.25, 0.1}, speed[MOST] = {1.0, 0.5, -2.0, 0.3};
  Model m = make_model(4, 2, 7);
  m.damps_strain_rate = true;
  double q[MOST], v[MOST], off[2];
  memcpy(q, start, sizeof q);
  memcpy(v, speed, sizeof v);
  run_reference(&m, (const double[MOST]){0.0}, tau, time, 4000, q, v);
  for (int rayleigh = 0; rayleigh < 2; ++rayleigh)
    for (int fine = 0; fine < 2; ++fine) {
      tacReducedMotion motion = tac_reduced_motion_default();
      int steps = 400 << fine;
      motion.step = time / steps;
      motion.newton_steps = 10;
      *(rayleigh ? &motion.stiffness_damping : &motion.strain_rate) = tau;
      TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
      tac_reduced_body_set(c.body, start, speed);
      for (int step = 0; step < steps; ++step) ck_assert(!tac_reduced_body_advance(c.body).refused);
      off[fine] = distance(m.size, q, tac_reduced_body_q(c.body)) / length(m.size, q);
      if (rayleigh) ck_assert_double_gt(off[fine], 0.01);
      if (!rayleigh && fine) {
        ck_assert_double_lt(off[1], 2e-4);
        ck_assert_double_eq_tol(off[0] / off[1], 4.0, 0.6);
      }
    }
}

TAC_TEST(models_without_stress_reject_strain_rate_damping) {
  Model m = make_model(3, 1, 7);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.strain_rate = 0.01;
  error = (tacError){0};
  TAC_OWN(tacReduced, reduced) = make_reduced(&m);
  TAC_OWN(tacReducedBody, body) = NULL;
  tac_test_refused(tac_reduced_body_create(reduced, NULL, &motion, &body, &error), TAC_ERR_ARGUMENT, error,
                   "strain-rate");
  motion.strain_rate = 0.0;
  tac_test_ok(tac_reduced_body_create(reduced, NULL, &motion, &body, &error), error);
  motion.strain_rate = 0.01;
  tac_reduced_body_set_motion(body, &motion);
  ck_assert_double_eq(tac_reduced_body_motion(body)->strain_rate, 0.0);
}

TAC_TEST(statics_finds_the_root) {
  tacRandom random = tac_random_seed(5);
  for (int trial = 0; trial < (tac_test_light() ? 6 : 30); ++trial) {
    Model m = make_model(1 + trial % MOST, 1, (uint64_t)trial);
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.is_static = true;
    motion.newton_steps = trial % 2 == 0 ? 1 : 10;
    TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
    double force[MOST], internal[MOST], scale = pow(10.0, tac_random_uniform(&random, 0.0, 4.0));
    for (int i = 0; i < m.size; ++i) force[i] = scale * tac_random_normal(&random);
    double last = INFINITY;
    for (int step = 0; step < 200; ++step) {
      tac_reduced_body_add_reduced(c.body, force);
      ck_assert(!tac_reduced_body_advance(c.body).refused);
      double energy = tac_reduced_body_energy(c.body); /* less the load's: it never grows */
      for (int i = 0; i < m.size; ++i) energy -= force[i] * tac_reduced_body_q(c.body)[i];
      ck_assert(step > 20 || energy <= last + 1e-9 * fabs(last));
      last = energy;
    }
    model_force(&m, tac_reduced_body_q(c.body), internal);
    ck_assert_double_le(distance(m.size, internal, force), 1e-8 * length(m.size, force));
    ck_assert_double_eq(length(m.size, tac_reduced_body_rates(c.body)), 0.0);
  }
}

TAC_TEST(acceleration_is_limited) {
  Model m = make_model(4, 1, 9);
  tacReducedMotion motion = tac_reduced_motion_default();
  double limit = motion.acceleration_limit = 50.0;
  motion.step = 1e-4;
  TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
  double push[MOST] = {3e4, -2e4, 1e4, 5e3}, q[MOST], v[MOST], spent = 0.0;
  /* At the start the acceleration is the limit, along the force. */
  tac_reduced_body_add_reduced(c.body, push);
  tacReducedAdvance report = tac_reduced_body_advance(c.body);
  ck_assert(report.limited && !report.refused);
  double size = length(m.size, push);
  for (int i = 0; i < m.size; ++i)
    ck_assert_double_eq_tol(tac_reduced_body_rates(c.body)[i], motion.step * limit * push[i] / size,
                            1e-3 * motion.step * limit);
  /* Pushed on, then let go: changes of velocity stay within the limit, nearly: it holds at the start of a step, and
   * in a tenth of a millisecond forces change by some per cent. */
  int limited = 0;
  for (int step = 0; step < 40000; ++step) {
    memcpy(v, tac_reduced_body_rates(c.body), sizeof(double) * (size_t)m.size);
    if (step < 1000) tac_reduced_body_add_reduced(c.body, push);
    report = tac_reduced_body_advance(c.body);
    ck_assert(!report.refused);
    limited += report.limited;
    double change = distance(m.size, v, tac_reduced_body_rates(c.body));
    ck_assert_double_le(change, 1.1 * limit * motion.step);
    ck_assert_double_le(length(m.size, tac_reduced_body_q(c.body)), 1.0);
    spent = fmax(spent, length(m.size, tac_reduced_body_q(c.body)));
  }
  ck_assert_int_gt(limited, 100);
  ck_assert_double_gt(spent, 0.1);
  /* Where it is not reached nothing changes. */
  motion.acceleration_limit = 0.0;
  TAC_FREED(free_case, Case, d) = make_case(&m, &motion);
  tac_reduced_body_reset(c.body);
  for (int i = 0; i < m.size; ++i) q[i] = 1e-3 * (i + 1);
  tac_reduced_body_set(c.body, q, NULL);
  tac_reduced_body_set(d.body, q, NULL);
  for (int step = 0; step < 100; ++step) {
    ck_assert(!tac_reduced_body_advance(c.body).limited);
    tac_reduced_body_advance(d.body);
    ck_assert_mem_eq(tac_reduced_body_q(c.body), tac_reduced_body_q(d.body), sizeof(double) * (size_t)m.size);
  }
}
