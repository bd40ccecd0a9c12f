#include "elastic/reference/column_check.h"

#include "elastic/reference/make_reference.h"
#include "elastic/reference/reference_def.h"
#include "elastic/reference/reference_problem.h"
#include "math/random.h"

typedef struct {
  int *all;
  int count, rows;
  tacReferenceProblem *problem;
  double *columns; /* of every vertex, also of fixed ones */
} Solved;

static const tacSensor sensors[2] = {{"heart", TAC_SENSOR_STRESS, {0.4, 0.55, 0.6}},
                                     {"navel", TAC_SENSOR_DISPLACEMENT, {0.45, 0.5, 0.1}}};

static bool holds_all(tacVec3 p) {
  (void)p;
  return true;
}

static Solved solve(tacReferenceMethod method, bool all_fixed) {
  Body *body = make_held(make_bricks(unit_box(), 4, 4, 4), all_fixed ? holds_all : holds_bottom, method);
  body->def.sensor_count = 2;
  body->def.sensors = sensors;
  Solved s = {.count = body->surface->vertex_count, .problem = create(body)};
  s.rows = tac_reference_problem_row_count(s.problem);
  s.columns = whole(s.problem);
  s.all = tac_test_alloc((size_t)s.count * sizeof *s.all);
  for (int v = 0; v < s.count; ++v) s.all[v] = v;
  return s;
}

static tacWorst compare(const Solved *s) {
  tacWorst worst = {0};
  tac_column_check_compare(tac_reference_problem_column_check(s->problem), s->count, s->all, s->columns, &worst);
  return worst;
}

TAC_TEST(columns_of_free_and_fixed_vertices_pass_with_a_margin) {
  for (int which = 0; which < 4; ++which) {
    Solved s = solve((tacReferenceMethod)(which % 2), which >= 2);
    tacWorst worst = compare(&s);
    double allowed = tac_reference_problem_column_check(s.problem)->allowed;
    ck_assert_int_eq(worst.samples, 3 * TAC_COLUMN_FUNCTIONALS * s.count);
    ck_assert_double_le(worst.error, 0.01 * allowed);
    ck_assert_double_le(allowed, 1e-5);
    const tacBakeChecks *checks = tac_reference_problem_checks(s.problem);
    ck_assert_int_eq(checks->count, which % 2 == 0 ? 2 : 1);
    for (int i = 0; i < checks->count; ++i)
      ck_assert_double_le(checks->checks[i].worst, 0.01 * checks->checks[i].allowed);
  }
}

TAC_TEST(a_column_that_is_wrong_is_named) {
  for (int method = 0; method < 2; ++method) {
    Solved s = solve((tacReferenceMethod)method, false);
    double allowed = tac_reference_problem_column_check(s.problem)->allowed;
    for (int c = 0; c < 3 * s.count; ++c) {
      double *column = s.columns + (size_t)c * (size_t)s.rows;
      for (int r = 0; r < s.rows; ++r) column[r] *= 1.001;
      tacWorst worst = compare(&s);
      ck_assert_double_gt(worst.error, allowed);
      ck_assert_int_eq(worst.place, c);
      for (int r = 0; r < s.rows; ++r) column[r] /= 1.001;
    }
  }
}

/* Every row has a say: of a vertex that is free or fixed, or of a sensor. */
TAC_TEST(a_wrong_entry_is_detected) {
  for (int method = 0; method < 2; ++method) {
    Solved s = solve((tacReferenceMethod)method, false);
    const tacColumnCheck *check = tac_reference_problem_column_check(s.problem);
    tacRandom random = tac_random_seed(8);
    for (int r = 0; r < s.rows; ++r) {
      size_t c = tac_random_bits(&random) % (size_t)(3 * s.count), n = (size_t)s.rows;
      double *column = s.columns + c * n, kept = column[r], square = 0.0;
      for (size_t i = 0; i < n; ++i) square += check->weight[i] * column[i] * check->weight[i] * column[i];
      column[r] += 1e-3 * sqrt(square) / check->weight[r]; /* 0.1 % of the column's size, in the unit of the row */
      ck_assert_double_gt(compare(&s).error, check->allowed);
      column[r] = kept;
    }
    ck_assert_double_le(compare(&s).error, 0.01 * check->allowed);
    s.columns[5] = (double)NAN;
    ck_assert(!(compare(&s).error <= check->allowed));
  }
}
