/* Power series of the internal forces of linear tetrahedra whose positions are a power series: x(t) = x_0 + sum_p
 * t^p u_p.
 *
 * The coefficient p of the force is K_T(x_0) u_p + n_p, and n_p depends on u_1 to u_{p-1} alone: equilibria along a
 * load follow by one linear solve an order (elastic/hyper/load_path.h). With F_p = grad u_p and Cauchy's products,
 * - St. Venant-Kirchhoff: C_p = sum F_k^T F_{p-k}, S_p = lambda / 2 tr C_p 1 + mu C_p, P_p = sum F_k S_{p-k};
 * - neo-Hooke: P = mu f F + h cof F, f = J^(-2/3), h = (k0 ln J - mu / 3 f I1) / J, by the recurrences of power series.
 * Both laws are others where J < TAC_JACOBIAN_LEAST (elastic/laws/jacobian_term.h): the series is not theirs there.
 *
 * O(p) products an element for the order p. Nothing allocates after creation; one thread calls at a time. Offline. */
#pragma once

#include "base/memory/owned.h"
#include "elastic/hyper/hyper_solid.h"

typedef struct tacForceSeries tacForceSeries;

/* Tetrahedra only; copies what it needs. TAC_ERR_UNSUPPORTED, which names what there is, for other laws. */
tacStatus tac_force_series_create(const tacVolMesh *mesh, const tacHyperMaterial *material, int order,
                                  tacForceSeries **series, tacError *error);
void tac_force_series_destroy(tacForceSeries *series); /* NULL is allowed */
TAC_OWNED_TYPE(tacForceSeries, tac_force_series_destroy)

/* A new series about x_0 [3 vertices]. Returns the least J of an element: below TAC_JACOBIAN_LEAST, or not a number,
 * there is none. */
double tac_force_series_begin(tacForceSeries *series, const double *x);
/* For p = 2, 3, ... up to the order, in turn: n_p (N, [3 vertices]), given u_{p-1} (m, [3 vertices]). n_1 = 0. */
void tac_force_series_next(tacForceSeries *series, int p, const double *u, double *n);
