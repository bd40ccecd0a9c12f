/* Stress part of the stiffness of a reduced body. With Green's strain E(q) = sum of e_m m(q) over the monomials m =
 * q_0, q_1 ..., q_0 q_0, q_0 q_1 ..., q_1 q_1 ... and S = C E, the stiffness has two parts,
 *
 *     K(q) = E' : C : E' + S : E'',    (S : E'')_ab = (1 + [a = b]) sum over m of (e_ab : C : e_m) m(q),
 *
 * integrated over the body. Strain-rate damping (Barbic 2007, (2.34)) multiplies velocities by the first part only. The
 * second part follows from the products e_ab : C : e_m; the energy contains only sums of these products. They are
 * stored by rows, one row per pair (a, b), a <= b, in the order of the monomials. A row has the products with all
 * monomials up to its own. There are r^4 / 8 products, three times the number of coefficients of the energy. */
#pragma once

#include <stddef.h>

size_t tac_reduced_stress_count(int r); /* number of products */
/* Index of e_ab : C : e_m, a <= b, with m = q_i if j < 0, else q_i q_j, i <= j. */
size_t tac_reduced_stress_place(int r, int a, int b, int i, int j);

/* Any phase, no allocation. `stiffness`: S : E'', r x r, both triangles, bitwise symmetric. `scratch` has
 * tac_reduced_stress_scratch doubles. */
size_t tac_reduced_stress_scratch(int r);
void tac_reduced_stress_evaluate(int r, const double *products, const double *q, double *scratch, double *stiffness);

/* The same restricted to the coordinates kept[0] < kept[1] < ... */
void tac_reduced_stress_restrict(int r, const double *from, int kept_count, const int *kept, double *to);
