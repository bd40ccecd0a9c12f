/* Evaluates the monomials phi_m of a load's force. The coordinates of a vademecum at load s and force t are q(s, t) =
 * sum_m Y_m(s) phi_m(t / T), where T is the largest baked force.
 *
 * Let (x, y, z) = t / T. For loads of any direction, the monomials are x^a y^b z^c with 1 <= a + b + c <= degree.
 * The order is by degree, so x, y, z come first. For loads along a direction d, the monomials are x, y, z, then l^2,
 * l^3, ..., where l = d . t / T. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>

enum { TAC_LOAD_MOST_DEGREE = 5, TAC_LOAD_MOST_TERMS = 55 };

typedef struct tacLoadTerms {
  tacVec3 direction; /* unit vector along all loads; zero if loads may have any direction */
  int degree;        /* largest degree of a monomial; 1 for a linear solid */
} tacLoadTerms;

int tac_load_terms_count(const tacLoadTerms *terms);
/* Computes the values of all monomials. `t` is the force divided by the largest baked force T. */
void tac_load_terms_values(const tacLoadTerms *terms, tacVec3 t, double *values);
