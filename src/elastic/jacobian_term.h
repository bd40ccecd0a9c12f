/* Functions of J = det F with first and second derivatives, as energies of hyperelastic laws have them
 * (elastic/hyper_law.h).
 *
 * Powers and logarithms of J end at J = 0. Each term here goes on below J = TAC_JACOBIAN_LEAST as its own parabola of
 * second order there: f, f' and f'' are continuous, finite for every finite J, and f' < 0 of what resists compression
 * keeps growing in size, so that an element that has been turned inside out is pushed back. Above, nothing is changed.
 * Safe in a tick. */
#ifndef TAC_ELASTIC_JACOBIAN_TERM_H
#define TAC_ELASTIC_JACOBIAN_TERM_H

#include <math.h>
#include <stdint.h>
#include <string.h>

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
  return tac_jacobian_power_from(pow(tac_jacobian_held(j), a), a, j);
}

/* J^(-1/3) of the J held: the root of what isochoric invariants need. A first guess by the exponent's bits (3.5 % off),
 * then three steps of third order, with 1 - J r^3 = d: r (1 + d / 3 + 2 d^2 / 9). Without a call, so that compilers
 * take several J at a time. */
static inline double tac_jacobian_root(double j) {
  double held = tac_jacobian_held(j), root;
  uint64_t bits;
  memcpy(&bits, &held, sizeof bits);
  bits = (uint64_t)(0x553ef0ffu - (uint32_t)(bits >> 32) / 3u) << 32;
  memcpy(&root, &bits, sizeof root);
  for (int k = 0; k < 3; ++k) {
    double d = 1.0 - held * root * root * root;
    root += root * d * (1.0 / 3.0 + d * (2.0 / 9.0));
  }
  return root;
}

/* (ln J)^2 / 2 */
static inline tacJacobianTerm tac_jacobian_log_square(double j) {
  double held = tac_jacobian_held(j), by = 1.0 / held, log_j = log(held);
  return tac_jacobian_continue(0.5 * log_j * log_j, log_j * by, (1.0 - log_j) * by * by, j);
}

/* J ln J - J + 1 */
static inline tacJacobianTerm tac_jacobian_log_product(double j) {
  double held = tac_jacobian_held(j), log_j = log(held);
  return tac_jacobian_continue(held * (log_j - 1.0) + 1.0, log_j, 1.0 / held, j);
}

/* (TAC_JACOBIAN_LEAST - J)^3 below it, else nothing: for laws that C alone decides, which do not tell F from its
 * reflection. */
static inline tacJacobianTerm tac_jacobian_barrier(double j) {
  double d = tac_jacobian_held(j) - j;
  return (tacJacobianTerm){d * d * d, -3.0 * d * d, 6.0 * d};
}

#endif
