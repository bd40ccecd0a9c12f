/* Energy of a linear material in reduced coordinates: a polynomial W(q) of degree 4 that stores every coefficient once
 * (Barbic 2007, section 2.6, has two tables for force and stiffness, nine times as large).
 *
 * W(q) = sum of c(i, j, k, l) x_i x_j x_k x_l over i <= j <= k <= l, with x = (1, q): monomials of degree 2 and 3 have
 * x_0 = 1 as a factor. Coefficients of degree 0 and 1 exist too, and are zero, as force and energy vanish at rest. W is
 * homogeneous in x, so only its second derivatives K by x need evaluation:
 *   force R = dW/dq = (K x / 3 without row 0), stiffness dR/dq = (K without row and column 0), W = x.K x / 12.
 *
 * Evaluation reads each coefficient once, in storage order, with three multiply-adds each. Eight coefficients used
 * together are stored side by side, padded with zeros. */
#pragma once

#include <stddef.h>
#include <tactus/body.h>

/* Meaning of a polynomial: the energy per lambda or per mu, or all of it. */
typedef enum tacReducedPartKind { TAC_REDUCED_LAMBDA, TAC_REDUCED_MU, TAC_REDUCED_WHOLE } tacReducedPartKind;

/* Stored numbers of a polynomial: (r + 1) (r + 2) (r + 3) (r + 4) / 24 coefficients, and padding: 20 % more at r = 12,
 * 4 % at 30. */
size_t tac_reduced_polynomial_count(int r);
/* Position of the coefficient of the monomial q_a q_b ... in storage. `index` has `degree` (0 to 4) indices from [0,
 * r), in any order. The coefficient is the derivative of W by these coordinates at q = 0, divided by the factorial of
 * each index's multiplicity: c = K_ab(0) if a != b, and K_aa(0) / 2. All other stored numbers are padding and zero. */
size_t tac_reduced_polynomial_place(int r, int degree, const int *index);

/* Doubles of workspace that the functions below need. */
size_t tac_reduced_polynomial_scratch(int r);

/* Any phase, no allocation. `stiffness` is r x r, column-major without gaps, both triangles, bitwise symmetric; either
 * output may be NULL. The time does not depend on q. At q = 0 the stiffness is exactly that of the coefficients. */
void tac_reduced_polynomial_evaluate(int r, const double *coefficients, const double *q, double *scratch, double *force,
                                     double *stiffness);
/* The stiffness at q = 0, without an evaluation. */
void tac_reduced_polynomial_rest(int r, const double *coefficients, double *stiffness);
double tac_reduced_polynomial_energy(int r, const double *coefficients, const double *q, double *scratch);

/* The same polynomial restricted to the coordinates kept[0] < kept[1] < ...; `to` receives their coefficients. */
void tac_reduced_polynomial_restrict(int r, const double *from, int kept_count, const int *kept, double *to);
