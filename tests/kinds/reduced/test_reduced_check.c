#include "kinds/reduced/reduced_check.h"

#include <tactus/reduced.h>
#include "kinds/reduced/basis/modes_check.h"
#include "kinds/reduced/make_solid.h"
#include "math/dense/blas.h"
#include "math/random.h"
#include "test.h"

/* A block of two materials, one of them anisotropic, held at its bottom or free. */
static void make_body(bool tets, bool is_free, Solid *body) {
  tac_blas_start();
  make_solid(tets ? make_tets(unit_box(), 3, 3, 4) : make_bricks(unit_box(), 3, 3, 4), make_isotropic(1000.0, 1e5, 0.3),
             body);
  int elements = tac_element_count(body->mesh);
  body->materials[1] = make_anisotropic(3);
  body->def.material_count = body->solid.material_count = 2;
  for (int e = 0; e < elements; ++e) body->material_of[e] = e > elements / 2;
  if (!is_free) hold_end(body, true);
  body->solid.mass = tets ? TAC_MASS_LUMPED : TAC_MASS_CONSISTENT;
  body->def.lumped_mass = tets;
  body->def.mode_count = 5;
  body->def.size = 12;
  body->def.strain_rate = true;
}

static tacReduced *bake(const Solid *body) {
  tacReduced *reduced = NULL;
  tac_test_ok(tac_reduced_bake(&body->def, NULL, &reduced, &error), error);
  return reduced;
}

TAC_TEST(reduced_bodies_pass_with_a_margin) {
  for (int which = 0; which < 4; ++which) {
    TAC_FREED(free_solid, Solid, body);
    make_body(which % 2 == 0, which >= 2, &body);
    TAC_OWN(tacReduced, reduced) = bake(&body);
    const tacBakeChecks *checks = tac_reduced_checks(reduced);
    ck_assert_int_eq(checks->count, 6);
    for (int i = 0; i < checks->count; ++i)
      ck_assert_msg(checks->checks[i].worst <= 0.01 * checks->checks[i].allowed, "%s: %g of %g", checks->checks[i].what,
                    checks->checks[i].worst, checks->checks[i].allowed);
  }
}

static tacStatus check_again(const tacReducedParts *parts, const Solid *body) {
  tacBakeChecks checks = {0};
  return tac_reduced_check(parts, &body->solid, &checks, &error);
}

/* A number that tests change, though the asset is const. */
static double *of_asset(const double *number) {
  return (double *)(uintptr_t)number;
}

/* A number that is refused when it is changed by 0.1 % of the largest of its kind, and passes again afterwards. */
static void check_number(const tacReducedParts *parts, const Solid *body, const double *numbers, size_t count,
                         size_t at) {
  double largest = 0.0, *number = of_asset(numbers + at), kept = *number;
  for (size_t i = 0; i < count; ++i) largest = fmax(largest, fabs(numbers[i]));
  *number += 1e-3 * largest;
  ck_assert_int_eq(check_again(parts, body), TAC_ERR_CHECK);
  *number = kept;
}

TAC_TEST(check_detects_a_wrong_coefficient_mass_or_load) {
  TAC_FREED(free_solid, Solid, body);
  make_body(false, false, &body);
  TAC_OWN(tacReduced, reduced) = bake(&body);
  const tacReducedParts *parts = tac_reduced_parts(reduced);
  size_t r = (size_t)parts->size;
  tacRandom random = tac_random_seed(3);
  tac_test_ok(check_again(parts, &body), error);
  for (int trial = 0; trial < (tac_test_light() ? 5 : 40); ++trial) {
    int index[4], degree = 2 + trial % 3;
    for (int i = 0; i < degree; ++i) index[i] = (int)(tac_random_bits(&random) % r);
    size_t place = tac_reduced_polynomial_place(parts->size, degree, index);
    const double *coefficients = parts->parts[trial % parts->part_count].coefficients;
    double scale = 0.0, *number = of_asset(coefficients + place), kept = *number; /* of the same degree */
    for (int i = 0; i < parts->size; ++i) {
      const int same[4] = {i, i, i, i};
      scale = fmax(scale, fabs(coefficients[tac_reduced_polynomial_place(parts->size, degree, same)]));
    }
    *number += 1e-3 * scale;
    ck_assert_msg(check_again(parts, &body) == TAC_ERR_CHECK, "degree %d", degree);
    *number = kept;
    size_t at = tac_random_bits(&random) % (2 * r * r);
    check_number(parts, &body, parts->mass_matrix, 2 * r * r, at);
    check_number(parts, &body, parts->body_force, 6 * r, at % (6 * r));
    check_number(parts, &body, parts->basis, 3 * (size_t)body.mesh->vertex_count * r,
                 (size_t)(3 * (body.mesh->vertex_count - 1)) * r + at % (3 * r));
  }
  for (int trial = 0; trial < (tac_test_light() ? 5 : 20); ++trial) {
    size_t count = tac_reduced_stress_count(parts->size);
    const double *stress = parts->parts[trial % parts->part_count].stress;
    check_number(parts, &body, stress, count, tac_random_bits(&random) % count);
  }
  check_number(parts, &body, parts->group_mass, 2, 1);
  size_t numbers = 3 * (size_t)parts->surface->vertex_count * r;
  for (size_t i = 0; i < numbers; ++i) of_asset(parts->displacements)[i] *= 1.001;
  ck_assert_int_eq(check_again(parts, &body), TAC_ERR_CHECK);
  for (size_t i = 0; i < numbers; ++i) of_asset(parts->displacements)[i] /= 1.001;
  for (size_t i = 0; i < numbers; ++i) of_asset(parts->normal_changes)[i] *= 1.001;
  ck_assert_int_eq(check_again(parts, &body), TAC_ERR_CHECK);
}

TAC_TEST(check_detects_a_wrong_mode_or_derivative) {
  for (int is_free = 0; is_free < 2; ++is_free) {
    TAC_FREED(free_solid, Solid, body);
    make_body(true, is_free, &body);
    TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, modes);
    TAC_FREED(tac_modal_derivatives_destroy, tacModalDerivatives, derivatives);
    tacBakeChecks checks = {0};
    tac_test_ok(tac_vibration_modes_compute(&body.solid, 4, NULL, &modes, &error), error);
    tac_test_ok(tac_modal_derivatives_compute(&body.solid, &modes, NULL, &derivatives, &error), error);
    tac_test_ok(tac_modes_check(&body.solid, &modes, &derivatives, &checks, &error), error);
    for (int i = 0; i < 2; ++i) ck_assert_double_le(checks.checks[i].worst, 0.01 * checks.checks[i].allowed);
    size_t size = (size_t)modes.size;
    for (int m = 0; m < modes.count; ++m) {
      modes.value[m] *= 1.001;
      ck_assert_int_eq(tac_modes_check(&body.solid, &modes, &derivatives, &checks, &error), TAC_ERR_CHECK);
      modes.value[m] /= 1.001;
      modes.vector[(size_t)m * size + size - 1] *= 1.001;
      ck_assert_int_eq(tac_modes_check(&body.solid, &modes, &derivatives, &checks, &error), TAC_ERR_CHECK);
      modes.vector[(size_t)m * size + size - 1] /= 1.001;
    }
    for (int c = 0; c < derivatives.count; ++c) {
      double *phi = derivatives.vector + (size_t)c * size;
      for (size_t i = 0; i < size; ++i) phi[i] *= 1.001;
      ck_assert_int_eq(tac_modes_check(&body.solid, &modes, &derivatives, &checks, &error), TAC_ERR_CHECK);
      for (size_t i = 0; i < size; ++i) phi[i] /= 1.001;
    }
  }
}
