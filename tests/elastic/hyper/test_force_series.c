#include "elastic/hyper/force_series.h"

#include "elastic/hyper/make_hyper.h"
#include "elastic/laws/every_law.h"
#include "math/dense/vector.h"

/* x(t) = x_0 + sum t^p u_p with any u_p about any x_0: R(x(t)) is what orders 0 to P give, and what is left of it
 * begins with t^(P + 1): down to some 1e-9 N of 1e3 N, far above rounding. An odd number of elements: one lane is
 * empty. */
TAC_TEST(residual_forces_are_of_the_next_order) {
  const tacBox box = {{0.5, -1.0, 2.0}, {1.5, 0.5, 2.8}};
  enum { MOST = 8 };
  for (int n = 0; n < 2; ++n) {
    tacHyperMaterial material = find_hyper(n == 0 ? "st-venant-kirchhoff" : "neo-hookean", 2e3, 5e3, 0.0);
    TAC_OWN(tacVolMesh, mesh) = make_uneven(box, false, 2, 0.2);
    --mesh->tet_count;
    TAC_OWN(tacHyperSolid, solid) = make_hyper_solid((tacHyperSolidDef){.mesh = mesh, .materials = &material});
    int size = 3 * mesh->vertex_count;
    double *start = deformed_of(mesh, large_gradient(), 0.02), *x = vector_of(mesh), *product = vector_of(mesh),
           *force = vector_of(mesh);
    double *u[MOST + 1], *coefficient[MOST + 1];
    tacSparse tangent = *tac_hyper_solid_pattern(solid);
    tangent.value = tac_test_alloc((size_t)tac_sparse_count(&tangent) * sizeof *tangent.value);
    for (int p = 0; p <= MOST; ++p) {
      u[p] = vector_of(mesh);
      coefficient[p] = vector_of(mesh);
    }
    tac_hyper_solid_evaluate(solid, start, 0.0, coefficient[0], tangent.value);
    TAC_CREATE(tacForceSeries, series, tac_force_series_create(mesh, &material, MOST, &series, &error));
    tacRandom random = tac_random_seed(3);
    for (int again = 0; again < 2; ++again) { /* the second time over what the first has left */
      double least = tac_force_series_begin(series, start);
      ck_assert_double_gt(least, 0.5);
      ck_assert_double_lt(least, 1.3);
      for (int p = 1; p <= MOST; ++p) {
        for (int i = 0; i < size; ++i) u[p][i] = tac_random_uniform(&random, -0.1, 0.1);
        memset(coefficient[p], 0, (size_t)size * sizeof(double));
        if (p > 1) tac_force_series_next(series, p, u[p - 1], coefficient[p]);
        tac_sparse_multiply_lower(&tangent, u[p], 1, product);
        for (int i = 0; i < size; ++i) coefficient[p][i] += product[i];
      }
      for (int order = 1; order <= MOST; ++order) {
        double left[2];
        for (int half = 0; half < 2; ++half) {
          double t = half ? 0.05 : 0.1, power = 1.0;
          memcpy(x, start, (size_t)size * sizeof *x);
          for (int p = 1; p <= MOST; ++p)
            for (int i = 0; i < size; ++i) x[i] += pow(t, p) * u[p][i];
          tac_hyper_solid_evaluate(solid, x, 0.0, force, NULL);
          for (int p = 0; p <= order; ++p, power *= t)
            for (int i = 0; i < size; ++i) force[i] -= power * coefficient[p][i];
          left[half] = tac_vector_norm(size, force);
        }
        double slope = log2(left[0] / left[1]);
        ck_assert_double_eq_tol(slope, order + 1.0, 0.5);
      }
    }
  }
}

TAC_TEST(unsupported_laws_are_refused) {
  TAC_OWN(tacVolMesh, mesh) = make_tets((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, 1, 1, 1);
  for (int n = 0; n < law_count(); ++n) {
    tacHyperMaterial material = make_hyper(law_at(n));
    TAC_OWN(tacForceSeries, series) = NULL;
    tacStatus status = tac_force_series_create(mesh, &material, 4, &series, &error);
    bool there = strcmp(law_at(n)->name, "st-venant-kirchhoff") == 0 || strcmp(law_at(n)->name, "neo-hookean") == 0;
    ck_assert_int_eq(status, there ? TAC_OK : TAC_ERR_UNSUPPORTED);
    if (!there) {
      ck_assert_ptr_null(series);
      ck_assert_ptr_nonnull(strstr(error.text, law_at(n)->name));
      ck_assert_ptr_nonnull(strstr(error.text, "st-venant-kirchhoff and neo-hookean"));
    }
  }
}
