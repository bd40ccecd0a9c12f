#include <tactus/reduced.h>
#include "kinds/reduced/reduced_material.h"

#include "body/make_model.h"

TAC_TEST(material_factors_equal_a_scaled_body) {
  const double lambda[GROUPS] = {1.7, 0.6}, mu[GROUPS] = {0.8, 2.5};
  Model m = make_model(5, 2, 31), scaled = m;
  for (int g = 0; g < GROUPS; ++g) {
    scaled.weight[2 * g] *= lambda[g];
    scaled.weight[2 * g + 1] *= mu[g];
  }
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.gravity = tac_vec3(0.0, 0.0, -9.81);
  motion.mass_damping = 1.0;
  motion.newton_steps = 2;
  TAC_FREED(free_case, Case, c) = make_case(&m, &motion);
  TAC_FREED(free_case, Case, d) = make_case(&scaled, &motion);
  for (int g = 0; g < GROUPS; ++g) {
    tac_reduced_body_set_lambda(c.body, g, lambda[g]);
    tac_reduced_body_set_mu(c.body, g, mu[g]);
  }
  tac_reduced_body_settle(c.body);
  for (int step = 0; step < 200; ++step) {
    load_at(c.body, step);
    load_at(d.body, step);
    tac_reduced_body_advance(c.body);
    tac_reduced_body_advance(d.body);
    ck_assert_double_le(distance(5, tac_reduced_body_q(c.body), tac_reduced_body_q(d.body)),
                        1e-12 * fmax(1.0, length(5, tac_reduced_body_q(d.body))));
  }
  ck_assert_double_eq_tol(tac_reduced_body_energy(c.body), tac_reduced_body_energy(d.body), 1e-10);
}

/* 30 coordinates, four parts; of each only the coefficients of q_i^2 and q_i^4. */
static tacReduced *make_large(int size) {
  size_t r = (size_t)size, count = tac_reduced_polynomial_count(size);
  TAC_MEMORY(double, numbers) = calloc(12 * r + 2 * r * r + 6 * r + 4 * count, sizeof *numbers);
  double *u = numbers, *mass = u + 12 * r, *fall = mass + 2 * r * r, *coefficients = fall + 6 * r;
  const double group_mass[GROUPS] = {0.5, 0.5};
  tacRandom random = tac_random_seed(77);
  for (size_t i = 0; i < 12 * r; ++i) u[i] = tac_random_normal(&random);
  for (size_t i = 0; i < r; ++i) mass[i * r + i] = mass[r * r + i * r + i] = 0.5;
  tacReducedPart part[PARTS];
  for (int p = 0; p < PARTS; ++p) {
    double *c = coefficients + (size_t)p * count;
    for (int i = 0; i < size; ++i) {
      c[tac_reduced_polynomial_place(size, 2, (int[]){i, i})] = 1000.0 + i + p;
      c[tac_reduced_polynomial_place(size, 4, (int[]){i, i, i, i})] = 100.0 * (p + 1) + i;
    }
    part[p] = (tacReducedPart){.group = p / 2, .weight = 1.0 + p, .coefficients = c};
    part[p].kind = p % 2 == 0 ? TAC_REDUCED_LAMBDA : TAC_REDUCED_MU;
  }
  tacReducedParts parts = {.size = size,
                           .displacements = u,
                           .normal_changes = u,
                           .mass = 1.0,
                           .group_count = GROUPS,
                           .group_mass = group_mass,
                           .mass_matrix = mass,
                           .part_count = PARTS,
                           .parts = part,
                           .body_force = fall};
  return make_asset(&parts);
}

/* Energy without and with the factors, at q. */
static double large_energy(int size, const double *q, const double factor[PARTS]) {
  double sum = 0.0;
  for (int p = 0; p < PARTS; ++p)
    for (int i = 0; i < size; ++i)
      sum += (1.0 + p) * factor[p] * (1000.0 + i + p + (100.0 * (p + 1) + i) * q[i] * q[i]) * q[i] * q[i];
  return sum;
}

TAC_TEST(factors_take_effect_in_slices) {
  enum { SIZE = 30 };
  error = (tacError){0};
  TAC_OWN(tacReduced, reduced) = make_large(SIZE);
  tacReducedMotion motion = tac_reduced_motion_default();
  TAC_CREATE(tacReducedBody, body, tac_reduced_body_create(reduced, NULL, &motion, &body, &error));
  TAC_CREATE(tacReducedBody, settled, tac_reduced_body_create(reduced, NULL, &motion, &settled, &error));
  size_t slice = TAC_REDUCED_MATERIAL_SLICE / PARTS, count = tac_reduced_polynomial_count(SIZE);
  int expected = (int)((count + slice - 1) / slice);
  ck_assert_int_gt(expected, 3);
  double q[SIZE], factor[PARTS] = {1.0, 1.0, 1.0, 1.0}, changed[PARTS] = {1.0, 2.0, 0.5, 1.0};
  for (int i = 0; i < SIZE; ++i) q[i] = 0.01 * (i % 7 - 3);
  double before = large_energy(SIZE, q, factor), after = large_energy(SIZE, q, changed);
  ck_assert_double_gt(fabs(after - before), 0.01 * before);
  tac_reduced_body_set(body, q, NULL);
  ck_assert_double_eq_tol(tac_reduced_body_energy(body), before, 1e-12 * before);

  tac_reduced_body_set_lambda(body, 1, 0.5);
  tac_reduced_body_advance(body); /* a sum that the next change begins anew */
  tac_reduced_body_set_mu(body, 0, 2.0);
  tac_reduced_body_set_mu(body, 0, -1.0); /* ignored */
  for (int step = 1; step <= expected; ++step) {
    tac_reduced_body_set(body, q, NULL);
    ck_assert_double_eq_tol(tac_reduced_body_energy(body), before, 1e-12 * before);
    ck_assert(!tac_reduced_body_advance(body).refused);
  }
  tac_reduced_body_set(body, q, NULL);
  ck_assert_double_eq_tol(tac_reduced_body_energy(body), after, 1e-12 * after);

  tac_reduced_body_set_lambda(settled, 1, 0.5);
  tac_reduced_body_set_mu(settled, 0, 2.0);
  tac_reduced_body_settle(settled);
  tac_reduced_body_set(settled, q, NULL);
  ck_assert_double_eq(tac_reduced_body_energy(settled), tac_reduced_body_energy(body));
  for (int step = 0; step < 5; ++step) {
    tac_reduced_body_advance(body);
    tac_reduced_body_advance(settled);
    ck_assert_mem_eq(tac_reduced_body_q(body), tac_reduced_body_q(settled), sizeof q);
  }
}
