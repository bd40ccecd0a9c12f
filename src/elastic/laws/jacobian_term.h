/* Functions of J = det F with first and second derivatives, as energies of hyperelastic laws have them
 * (elastic/laws/hyper_law.h).
 *
 * Powers and logarithms of J end at J = 0. Each term here goes on below J = TAC_JACOBIAN_LEAST as its own parabola of
 * second order there: f, f' and f'' are continuous, finite for every finite J, and f' < 0 of what resists compression
 * keeps growing in size, so that an element that has been turned inside out is pushed back. Above, nothing is changed.
 * Safe in a tick. */
#pragma once

#include "math/elementary.h"

#define TAC_JACOBIAN_LEAST 0.1

typedef struct tacJacobianTerm {
  double f, f1, f2; /* f(J), f'(J), f''(J) */
} tacJacobianTerm;

/* The J at which a term is asked. */
static inline double tac_jacobian_held(double j) {
  return j < TAC_JACOBIAN_LEAST ? TAC_JACOBIAN_LEAST : j; /* NaN stays NaN */
}

/* A term's values at the J held, gone on to J. */
static inline tacJacobianTerm tac_jacobian_continue(double f, double f1, double f2, double j) {
  double d = j - tac_jacobian_held(j); /* <= 0 */
  return (tacJacobianTerm){f + d * (f1 + 0.5 * d * f2), f1 + d * f2, f2};
}

/* J^a from the value of J_held^a: where a law has several powers of one root. */
static inline tacJacobianTerm tac_jacobian_power_from(double power, double a, double j) {
  double by = 1.0 / tac_jacobian_held(j), first = a * power * by;
  return tac_jacobian_continue(power, first, (a - 1.0) * first * by, j);
}

/* J^a */
static inline tacJacobianTerm tac_jacobian_power(double a, double j) {
  return tac_jacobian_power_from(tac_elementary_exp(a * tac_elementary_log(tac_jacobian_held(j))), a, j);
}

/* J^(-1/3) of the J held: the root of what isochoric invariants need. A first guess r by the exponent's bits (3.5 % off),
 * then r (1 - d)^(-1/3) with d = 1 - J r^3 by its series: a step to d^4 (2e-6 off), one to d^2 (2e-17). Without a call, so
 * that compilers take several J at a time. */
static inline double tac_jacobian_root(double j) {
  double held = tac_jacobian_held(j);
  /* the upper half h of its bits as a number, behind the point of 2^52, and 0x553ef0ff - h / 3 likewise */
  double high = tac_elementary_double(tac_elementary_bits(held) >> 32 | UINT64_C(0x4330000000000000));
  double guess = 4503599627370496.0 + (1430188287.0 - (high - 4503599627370496.0) * (1.0 / 3.0));
  double root = tac_elementary_double(tac_elementary_bits(guess) << 32);
  double d = 1.0 - (held * root) * (root * root);
  root += (root * d) * ((1.0 / 3.0 + d * (2.0 / 9.0)) + (d * d) * (14.0 / 81.0 + d * (35.0 / 243.0)));
  d = 1.0 - (held * root) * (root * root);
  return root + (root * d) * (1.0 / 3.0 + d * (2.0 / 9.0));
}

/* (ln J)^2 / 2 */
static inline tacJacobianTerm tac_jacobian_log_square(double j) {
  double held = tac_jacobian_held(j), by = 1.0 / held, log_j = tac_elementary_log(held);
  return tac_jacobian_continue(0.5 * log_j * log_j, log_j * by, (1.0 - log_j) * by * by, j);
}

/* J ln J - J + 1 */
static inline tacJacobianTerm tac_jacobian_log_product(double j) {
  double held = tac_jacobian_held(j), log_j = tac_elementary_log(held);
  return tac_jacobian_continue(held * (log_j - 1.0) + 1.0, log_j, 1.0 / held, j);
}

/* (TAC_JACOBIAN_LEAST - J)^3 below it, else nothing: for laws that C alone decides, which do not tell F from its
 * reflection. */
static inline tacJacobianTerm tac_jacobian_barrier(double j) {
  double d = tac_jacobian_held(j) - j;
  return (tacJacobianTerm){d * d * d, -3.0 * d * d, 6.0 * d};
}
