/* e^x as energies of hyperelastic laws have it. Beyond x = TAC_EXPONENT_MOST it goes on as its parabola of second order
 * there: continuous with two derivatives, and finite where e^x would not be (a law's exponent is 1e14 where it is asked
 * far out). At that exponent an energy is 1e13 times what it is at x = 0; what solids do is over long before. Safe in a
 * tick. */
#pragma once

#include "math/elementary.h"

#define TAC_EXPONENT_MOST 30.0

typedef struct tacExponentialTerm {
  double f, f1, f2;
} tacExponentialTerm;

static inline tacExponentialTerm tac_exponential_term(double x) {
  double held = x > TAC_EXPONENT_MOST ? TAC_EXPONENT_MOST : x, d = x - held, f = tac_elementary_exp(held);
  return (tacExponentialTerm){f * (1.0 + d * (1.0 + 0.5 * d)), f * (1.0 + d), f};
}
