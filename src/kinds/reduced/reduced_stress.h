/* Evaluates the stress part of the stiffness of a reduced body, which strain-rate damping needs.
 *
 * Green's strain is E(q) = sum of e_m m(q) over the monomials m = q_0, q_1, ..., q_0 q_0, q_0 q_1, ..., q_1 q_1, ...
 * With the stress S = C E, the stiffness has two parts, integrated over the body:
 *
 *     K(q) = E' : C : E' + S : E'',    (S : E'')_ab = (1 + [a = b]) sum over m of (e_ab : C : e_m) m(q).
 *
 * E' and E'' are the derivatives of E by q, and [a = b] is 1 if a = b, otherwise 0.
 *
 * Strain-rate damping (Barbic 2007, (2.34)) multiplies velocities by the first part only. The second part requires the
 * products e_ab : C : e_m one by one, but the energy contains only sums of products. The products are stored in rows,
 * one row per pair (a, b), a <= b, in the order of the monomials. A row contains the products with all monomials up to
 * q_a q_b. There are r^4 / 8 products, three times the number of coefficients of the energy. */
#pragma once

#include <stddef.h>

size_t tac_reduced_stress_count(int r); /* number of stored products */
/* Returns the index of the product e_ab : C : e_m, a <= b. If j < 0, the monomial m is q_i; otherwise m is q_i q_j, and
 * i <= j. */
size_t tac_reduced_stress_place(int r, int a, int b, int i, int j);

/* `tac_reduced_stress_evaluate` computes S : E'' into `stiffness`, r x r, with both triangles, and bitwise symmetric.
 * `scratch` has tac_reduced_stress_scratch(r) doubles. The function may be called in any phase and does not
 * allocate. */
size_t tac_reduced_stress_scratch(int r);
void tac_reduced_stress_evaluate(int r, const double *products, const double *q, double *scratch, double *stiffness);

/* Restricts the products to the coordinates kept[0] < kept[1] < ...; `to` receives the products of these
 * coordinates. */
void tac_reduced_stress_restrict(int r, const double *from, int kept_count, const int *kept, double *to);
