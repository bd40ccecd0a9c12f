#include "kinds/reduced/basis/modal_derivatives.h"

#include "elastic/solids/finite_statics.h"
#include "elastic/solids/stiffness_hessian.h"
#include "kinds/reduced/basis/modes_check.h"
#include "kinds/reduced/make_solid.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"

typedef struct Body {
  Solid s;
  tacVibrationModes modes;
  tacModalDerivatives derivatives;
  tacSparse mass;
} Body;

/* Takes the mesh over. */
static void begin(tacVolMesh *mesh, tacMaterial material, Body *body) {
  *body = (Body){.modes = {0}};
  make_solid(mesh, material, &body->s);
}

static void compute(Body *body, int count) {
  const tacSolid *solid = &body->s.solid;
  tac_test_ok(tac_vibration_modes_compute(solid, count, NULL, &body->modes, &error), error);
  tac_test_ok(tac_modal_derivatives_compute(solid, &body->modes, NULL, &body->derivatives, &error), error);
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints);
  TAC_FREED(tac_sparse_destroy, tacSparse, stiffness); /* of free vertices */
  tac_test_ok(tac_vibration_modes_blocks(solid, &constraints, &stiffness, &body->mass, &error), error);
  ck_assert_int_eq(stiffness.rows, 3 * constraints.count[TAC_SIDE_FREE]);
}

static void end_modes(Body *body) {
  tac_vibration_modes_destroy(&body->modes);
  tac_modal_derivatives_destroy(&body->derivatives);
  tac_sparse_destroy(&body->mass);
}

static void destroy_body(Body *body) {
  end_modes(body);
  free_solid(&body->s);
}

/* u(p) solves R(u) = M Psi Lambda p (2.53), where M Psi Lambda = K Psi. */
static void equilibrium(tacFiniteStatics *statics, const Body *body, int i, double pi, int j, double pj, double *u) {
  int n = body->modes.size;
  const tacSparse *k = tac_finite_strain_pattern(tac_finite_statics_strain(statics));
  TAC_MEMORY(double, shape) = calloc((size_t)n, sizeof *shape);
  TAC_MEMORY(double, force) = calloc((size_t)n, sizeof *force);
  for (int d = 0; d < n; ++d) {
    shape[d] = pi * body->modes.vector[i * n + d] + pj * body->modes.vector[j * n + d];
    u[d] = 0.0;
  }
  tac_sparse_multiply(k, shape, 1, force);
  for (int d = 0; d < n; ++d)
    if (body->s.held[d / 3]) force[d] = 0.0;
  tac_test_ok(tac_finite_statics_solve(statics, force, NULL, u, NULL, &error), error);
}

/* Phi_ij is the second derivative of u(p) (2.56). */
TAC_TEST(held_derivatives_are_second_derivatives_of_equilibria) {
  enum { MODES = 3 };
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_FREED(destroy_body, Body, body);
    begin(make_uneven((tacBox){{0.0, 0.0, 0.0}, {1.0, 0.6, 0.5}}, bricks, 3, 0.1),
          bricks ? make_anisotropic(2) : make_isotropic(1000.0, 1e6, 0.3), &body);
    hold_end(&body.s, false);
    compute(&body, MODES);
    ck_assert_int_eq(body.derivatives.count, MODES * (MODES + 1) / 2);
    int n = body.modes.size;
    TAC_CREATE(tacFiniteStatics, statics, tac_finite_statics_create(&body.s.solid, &statics, &error));
    double *u[4];
    for (int s = 0; s < 4; ++s) u[s] = tac_test_alloc((size_t)n * sizeof **u);
    for (int c = 0, i = 0, j = 0; c < body.derivatives.count; ++c) {
      const double *phi = body.derivatives.vector + c * n;
      ck_assert_int_eq(body.derivatives.pair[c][0], i);
      ck_assert_int_eq(body.derivatives.pair[c][1], j);
      double step = 2e-3 * tac_vector_norm(n, body.modes.vector + i * n) / tac_vector_norm(n, phi), rest = 0.0;
      for (int s = 0; s < 4; ++s) equilibrium(statics, &body, i, s % 2 ? step : -step, j, s / 2 ? step : -step, u[s]);
      for (int d = 0; d < n; ++d) { /* with i = j, steps of two lengths around zero */
        double expected = (u[3][d] - u[2][d] - u[1][d] + u[0][d]) / (4.0 * step * step);
        rest += (expected - phi[d]) * (expected - phi[d]);
        if (body.s.held[d / 3]) ck_assert_double_eq(phi[d], 0.0);
      }
      ck_assert_double_lt(sqrt(rest), 1e-4 * tac_vector_norm(n, phi));
      if (++j == MODES) j = ++i;
    }
  }
}

static tacDense dense_of(const tacSparse *sparse) {
  tacDense dense;
  tac_test_ok(tac_dense_create(sparse->rows, sparse->cols, &dense, &error), error);
  for (int j = 0; j < sparse->cols; ++j)
    for (int p = sparse->column_start[j]; p < sparse->column_start[j + 1]; ++p)
      tac_dense_column(&dense, j)[sparse->row[p]] = sparse->value[p];
  return dense;
}

/* Psi_i of the body deformed by u, with the sign of the one at rest. */
static void tangent_mode(const tacFiniteStrain *strain, const Body *body, const double *u, int i, double *mode) {
  int n = body->modes.size, best = 0;
  tacSparse k = *tac_finite_strain_pattern(strain);
  k.value = tac_test_alloc((size_t)tac_sparse_count(&k) * sizeof *k.value);
  tac_finite_strain_stiffness(strain, u, k.value);
  TAC_DENSE a = dense_of(&k), b = dense_of(&body->mass);
  double *values = tac_test_alloc((size_t)n * sizeof *values), *weighted = tac_test_alloc((size_t)n * sizeof *weighted);
  double most = 0.0;
  tac_test_ok(tac_dense_eigen_pencil(&a, &b, values, &error), error);
  tac_sparse_multiply(&body->mass, body->modes.vector + i * n, 1, weighted);
  for (int j = 0; j < n; ++j) {
    double product = tac_vector_dot(n, tac_dense_column(&a, j), weighted);
    if (fabs(product) <= fabs(most)) continue;
    most = product;
    best = j;
  }
  for (int d = 0; d < n; ++d) mode[d] = (most > 0.0 ? 1.0 : -1.0) * tac_dense_column(&a, best)[d];
}

static void remove_rigid(const Body *body, double *x) {
  int n = body->modes.size;
  TAC_MEMORY(double, weighted) = calloc((size_t)n, sizeof *weighted);
  for (int r = 0; r < 6; ++r) {
    const double *y = body->modes.rigid + r * n;
    tac_sparse_multiply(&body->mass, x, 1, weighted);
    tac_vector_add(n, -tac_vector_dot(n, y, weighted), y, x);
  }
}

/* Phi_ij is how the mode Psi_i of the body deformed along Psi_j changes (2.45), without its rigid part. */
TAC_TEST(free_derivatives_are_derivatives_of_tangent_modes) {
  int count = tac_test_light() ? 2 : 4;
  TAC_FREED(destroy_body, Body, body);
  begin(make_uneven((tacBox){{0.0, 0.0, 0.0}, {1.0, 0.7, 0.45}}, true, 2, 0.2), make_anisotropic(5), &body);
  compute(&body, count);
  ck_assert_int_eq(body.derivatives.count, count * count);
  int n = body.modes.size;
  TAC_CREATE(tacFiniteStrain, strain, tac_finite_strain_create(&body.s.solid, &strain, &error));
  double *u = tac_test_alloc((size_t)n * sizeof *u),
         *mode[2] = {tac_test_alloc((size_t)n * sizeof *u), tac_test_alloc((size_t)n * sizeof *u)};
  for (int c = 0; c < body.derivatives.count; ++c) {
    int i = body.derivatives.pair[c][0], j = body.derivatives.pair[c][1];
    const double *phi = body.derivatives.vector + c * n;
    double step = 1e-3 * tac_vector_norm(n, body.modes.vector + i * n) / tac_vector_norm(n, phi), rest = 0.0;
    for (int side = 0; side < 2; ++side) {
      for (int d = 0; d < n; ++d) u[d] = (side ? step : -step) * body.modes.vector[j * n + d];
      tangent_mode(strain, &body, u, i, mode[side]);
    }
    for (int d = 0; d < n; ++d) mode[1][d] = (mode[1][d] - mode[0][d]) / (2.0 * step);
    remove_rigid(&body, mode[1]);
    for (int d = 0; d < n; ++d) rest += (mode[1][d] - phi[d]) * (mode[1][d] - phi[d]);
    ck_assert_double_lt(sqrt(rest), 1e-4 * tac_vector_norm(n, phi));
  }
}

/* A cube has modes of equal eigenvalues, also beyond the last one wanted. The equation holds but for the part of its
 * right side along such modes and rigid motions, and Phi_ij has none of those. */
TAC_TEST(repeated_eigenvalues_do_not_affect_free_derivatives) {
  int count = tac_test_light() ? 3 : 7;
  TAC_FREED(destroy_body, Body, body);
  begin(make_bricks(unit_box(), 3, 3, 3), make_isotropic(1000.0, 1e6, 0.3), &body);
  compute(&body, count);
  int n = body.modes.size, all = body.modes.count + body.modes.more_count, equal = 0;
  tacBakeChecks checks = {0};
  tac_test_ok(tac_modes_check(&body.s.solid, &body.modes, &body.derivatives, &checks, &error), error);
  ck_assert_double_lt(checks.checks[1].worst, 1e-7);
  TAC_DOUBLES *mx = calloc((size_t)n, sizeof *mx), *right = calloc((size_t)n, sizeof *right);
  for (int c = 0; c < body.derivatives.count; ++c) {
    int i = body.derivatives.pair[c][0], j = body.derivatives.pair[c][1];
    double value = body.modes.value[i];
    tac_test_ok(tac_stiffness_hessian_contract(&body.s.solid, body.modes.vector, 1, &j, &i, right, &error), error);
    tac_sparse_multiply(&body.mass, body.derivatives.vector + c * n, 1, mx);
    for (int l = 0; l < all + 6; ++l) {
      const double *psi = l < all ? body.modes.vector + l * n : body.modes.rigid + (l - all) * n;
      if (l < all && fabs(body.modes.value[l] - value) > 1e-6 * value) continue;
      equal += l < all && l != i;
      ck_assert_double_lt(fabs(tac_vector_dot(n, psi, mx)), 1e-8 * tac_vector_norm(n, right) / value);
    }
  }
  ck_assert_int_gt(equal, 0);
}

/* With nearly all modes known, little is left beside them to solve for, and at last nothing. How many are known does
 * not change the derivative of the first. */
TAC_TEST(any_number_of_modes_of_a_free_body_has_derivatives) {
  TAC_FREED(destroy_body, Body, body);
  begin(make_tets((tacBox){{0.0, 0.0, 0.0}, {0.2, 0.03, 0.02}}, 3, 1, 1), make_anisotropic(4), &body);
  int n = 3 * body.s.mesh->vertex_count, all = n - 6;
  TAC_MEMORY(double, first) = calloc((size_t)n, sizeof *first);
  ck_assert_int_eq(all, 42);
  for (int count = 1; count <= all; count += tac_test_light() ? 18 : 9) {
    compute(&body, count);
    if (count == 1) memcpy(first, body.derivatives.vector, (size_t)n * sizeof *first);
    double rest = 0.0; /* Psi_1 has its sign by its largest entry, and Phi_11 is even in it */
    for (int d = 0; d < n; ++d) rest += pow(body.derivatives.vector[d] - first[d], 2);
    ck_assert_msg(sqrt(rest) < 1e-7 * tac_vector_norm(n, first), "%d modes: %g", count,
                  sqrt(rest) / tac_vector_norm(n, first));
    end_modes(&body);
  }
}

TAC_TEST(computation_can_be_cancelled_and_checks_sizes) {
  TAC_FREED(destroy_body, Body, body);
  begin(make_bricks(unit_box(), 2, 2, 2), make_isotropic(1000.0, 1e6, 0.3), &body);
  compute(&body, 2);
  tacModalDerivatives derivatives;
  int calls = 0;
  tacProgress cancel = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_modal_derivatives_compute(&body.s.solid, &body.modes, &cancel, &derivatives, &error),
                   TAC_ERR_CANCELLED);
  ck_assert_int_eq(calls, 1);
  ck_assert_ptr_null(derivatives.vector);
  body.modes.size -= 3;
  ck_assert_int_eq(tac_modal_derivatives_compute(&body.s.solid, &body.modes, NULL, &derivatives, &error),
                   TAC_ERR_ARGUMENT);
}
