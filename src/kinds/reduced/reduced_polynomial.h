/* Evaluates the energy polynomial W(q) of a linear material in r reduced coordinates, and its derivatives.
 *
 * W has degree 4, and every coefficient is stored once. (Barbic 2007, section 2.6, stores two tables for force and
 * stiffness, which are nine times as large.)
 *
 * W(q) = sum of c(i, j, k, l) x_i x_j x_k x_l over i <= j <= k <= l, with x = (1, q). Monomials of degree 2 and 3
 * contain the factor x_0 = 1. The coefficients of degree 0 and 1 are also stored. They are zero, because energy and
 * force vanish at q = 0. W is homogeneous in x, so the matrix K of the second derivatives of W by x gives all results:
 *   force R = dW/dq = (K x / 3 without row 0), stiffness dR/dq = (K without row and column 0), W = x.K x / 12.
 *
 * The evaluation reads each coefficient once, in storage order, with three multiply-adds per coefficient. Eight
 * coefficients that are used together are adjacent in storage, padded with zeros. */
#pragma once

#include <stddef.h>
#include <tactus/body.h>

/* Part of the energy that a polynomial describes: the energy per lambda, the energy per mu, or the whole energy. */
typedef enum tacReducedPartKind { TAC_REDUCED_LAMBDA, TAC_REDUCED_MU, TAC_REDUCED_WHOLE } tacReducedPartKind;

/* Returns the number of stored values of a polynomial: (r + 1) (r + 2) (r + 3) (r + 4) / 24 coefficients and the
 * padding. The padding adds 20 % at r = 12 and 4 % at r = 30. */
size_t tac_reduced_polynomial_count(int r);
/* Returns the storage index of the coefficient of a monomial of coordinates. `index` contains `degree` (0 to 4) indices
 * from [0, r), in any order. The coefficient is the derivative of W by the coordinates of the monomial at q = 0,
 * divided by the factorial of each index's multiplicity. Example: c = K_ab(0) if a != b, and c = K_aa(0) / 2. All other
 * stored values are padding and zero. */
size_t tac_reduced_polynomial_place(int r, int degree, const int *index);

/* Returns the number of doubles that `scratch` must contain in the functions below. */
size_t tac_reduced_polynomial_scratch(int r);

/* Computes force and stiffness at q. Either output may be NULL. `stiffness` is r x r, column-major, with both
 * triangles, and bitwise symmetric. At q = 0 the stiffness equals the stored coefficients without rounding. The
 * function may be called in any phase and does not allocate. The run time does not depend on q. */
void tac_reduced_polynomial_evaluate(int r, const double *coefficients, const double *q, double *scratch, double *force,
                                     double *stiffness);
/* Computes the stiffness at q = 0 from the coefficients of degree 2. */
void tac_reduced_polynomial_rest(int r, const double *coefficients, double *stiffness);
double tac_reduced_polynomial_energy(int r, const double *coefficients, const double *q, double *scratch);

/* Restricts the polynomial to the coordinates kept[0] < kept[1] < ...; `to` receives the coefficients of the restricted
 * polynomial. */
void tac_reduced_polynomial_restrict(int r, const double *from, int kept_count, const int *kept, double *to);
