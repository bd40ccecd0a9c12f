#include "kinds/green/green_columns.h"

#include <tactus/green.h>
#include "body/make_green.h"
#include "elastic/reference/reference_problem.h"
#include "kinds/green/green_body.h"

/* Asks until the answer is there, for at most ten minutes. */
static int deform_patiently(const tacGreenBody *body, const tacPointForce *force, tacVec3 *u) {
  int missing = 1;
  for (int i = 0; i < 120000 && missing > 0; ++i) {
    missing = tac_green_body_deform(body, 1, force, u, NULL);
    if (missing > 0) usleep(5000);
  }
  return missing;
}

TAC_TEST(responses_on_demand_equal_stored_ones) {
  double size = 0.025;
  TAC_OWN(tacGreen, whole) = make_green("sphere", size);
  TAC_OWN(tacGreen, near) = make_green_with("sphere", size, 0, NULL, TAC_GREEN_NEAR, 0.031);
  TAC_OWN(tacReferenceProblem, problem) = make_problem("sphere", size);
  TAC_CREATE(tacGreenBody, a, tac_green_body_create(whole, 0.03, 1e4, &a, &error));
  TAC_CREATE(tacGreenBody, b, tac_green_body_create(near, 0.03, 1e4, &b, &error));
  tac_test_ok(tac_green_body_compute_on_demand(b, problem, 0, &error), error);
  const tacTriMesh *mesh = tac_green_surface(whole);
  TAC_MEMORY(tacVec3, expected) = calloc((size_t)mesh->vertex_count, sizeof *expected);
  TAC_MEMORY(tacVec3, found) = calloc((size_t)mesh->vertex_count, sizeof *found);
  int step = tac_test_light() ? 40 : 7, compared = 0;
  for (int t = 0; t < mesh->triangle_count; t += step) {
    tacPointForce force = {{t, {0.2, 0.3, 0.5}}, {0.3, -0.2, -1.0}, NULL};
    ck_assert_int_eq(tac_green_body_deform(a, 1, &force, expected, NULL), 0);
    ck_assert_int_eq(deform_patiently(b, &force, found), 0);
    double largest = 0.0, difference = 0.0;
    for (int v = 0; v < mesh->vertex_count; ++v) {
      largest = fmax(largest, tac_vec3_norm(expected[v]));
      difference = fmax(difference, tac_vec3_distance(expected[v], found[v]));
    }
    ck_assert_double_le(difference, 1e-6 * largest);
    tacMat3 w, v;
    ck_assert(tac_green_body_compliance(a, force.at, force.at, &w));
    ck_assert(tac_green_body_compliance(b, force.at, force.at, &v));
    ck_assert_double_le(tac_mat3_max_abs(tac_mat3_sub(w, v)), 1e-6 * tac_mat3_max_abs(w));
    ++compared;
  }
  ck_assert_int_gt(compared, 3);
}

/* More vertices than there is room for: old responses make place, and come back when they are asked for again. */
TAC_TEST(old_responses_are_evicted_and_recomputed) {
  enum { MOST = 1024 };
  int identity[MOST]; /* masks of single vertices */
  double ones[MOST];
  TAC_OWN(tacReferenceProblem, problem) = make_problem("sphere", 0.02);
  int n = tac_reference_problem_surface(problem)->vertex_count;
  ck_assert(n > 64 && n < MOST);
  for (int v = 0; v <= n; ++v) identity[v] = v, ones[v] = 1.0;
  TAC_CREATE(tacGreenColumns, columns,
             tac_green_columns_create(problem, identity, identity, ones, 0, &columns, &error));
  int count = tac_test_light() ? 70 : 90; /* there is room for 64 */
  for (int pass = 0; pass < 2; ++pass) {
    for (int v = 0; v < count; v += pass == 0 ? 1 : 30) {
      const float *zeta = NULL;
      for (int i = 0; i < 300000 && zeta == NULL; ++i) {
        zeta = tac_green_columns_find(columns, v);
        if (zeta == NULL) usleep(2000);
      }
      ck_assert_ptr_nonnull(zeta);
      if (v % 10 == 0) ck_assert_ptr_eq(zeta, tac_green_columns_find(columns, v));
    }
  }
}

TAC_TEST(problem_of_another_body_is_rejected) {
  TAC_OWN(tacGreen, near) = make_green_with("sphere", 0.025, 0, NULL, TAC_GREEN_NEAR, 0.031);
  TAC_OWN(tacReferenceProblem, problem) = make_problem("sphere", 0.02);
  TAC_CREATE(tacGreenBody, body, tac_green_body_create(near, 0.03, 1e4, &body, &error));
  tac_test_refused(tac_green_body_compute_on_demand(body, problem, 0, &error), TAC_ERR_ARGUMENT, error,
                   "both must belong to the same body");
}
