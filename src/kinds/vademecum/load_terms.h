/* Monomials phi_m of a load's force. Weighted sums of them give the coordinates of a vademecum:
 * q(s, t) = sum_m Y_m(s) phi_m(t / T).
 *
 * Loads of any direction: x^a y^b z^c with 1 <= a + b + c <= degree, in order of degree, so x, y, z come first. Loads
 * along one direction d: x, y, z, then l^2, l^3, ... with l = d . t / T. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>

enum { TAC_LOAD_MOST_DEGREE = 5, TAC_LOAD_MOST_TERMS = 55 };

typedef struct tacLoadTerms {
  tacVec3 direction; /* unit; zero: any */
  int degree;        /* 1: linear */
} tacLoadTerms;

int tac_load_terms_count(const tacLoadTerms *terms);
/* t: force in units of T. */
void tac_load_terms_values(const tacLoadTerms *terms, tacVec3 t, double *values);
