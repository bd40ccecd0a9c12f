/* Terms of isochoric invariants that hyperelastic laws share, added to what a law has in one lane: their energy and its derivatives.
 * `square`: J^(-2/3) of the J held, see tac_jacobian_root. */
#pragma once

#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

/* c (J^(-2/3) I1 - 3) */
static inline void tac_invariant_add_first(double c, double square, double i1, double j, int l,
                                           tacInvariantEnergy *restrict out) {
  tacJacobianTerm f = tac_jacobian_power_from(square, -2.0 / 3.0, j);
  out->w[l] += c * (f.f * i1 - 3.0);
  out->w1[l] += c * f.f;
  out->wj[l] += c * f.f1 * i1;
  out->w1j[l] += c * f.f1;
  out->wjj[l] += c * f.f2 * i1;
}

/* c (J^(-4/3) I2 - 3) */
static inline void tac_invariant_add_second(double c, double square, double i2, double j, int l,
                                            tacInvariantEnergy *restrict out) {
  tacJacobianTerm g = tac_jacobian_power_from(square * square, -4.0 / 3.0, j);
  out->w[l] += c * (g.f * i2 - 3.0);
  out->w2[l] += c * g.f;
  out->wj[l] += c * g.f1 * i2;
  out->w2j[l] += c * g.f1;
  out->wjj[l] += c * g.f2 * i2;
}
