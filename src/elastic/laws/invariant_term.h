/* The term of the second isochoric invariant that hyperelastic laws share, in one lane: its energy and derivatives. */
#pragma once

#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

/* c (J^(-4/3) I2 - 3), the only term of a law with I2. `square`: J^(-2/3) of the J held, see tac_jacobian_root. */
static inline void tac_invariant_add_second(double c, double square, double i2, double j, int l,
                                            tacInvariantEnergy *restrict out) {
  tacJacobianTerm g = tac_jacobian_power_from(square * square, -4.0 / 3.0, j);
  out->w[l] += c * (g.f * i2 - 3.0);
  out->w2[l] = c * g.f;
  out->wj[l] += c * g.f1 * i2;
  out->w2j[l] = c * g.f1;
  out->wjj[l] += c * g.f2 * i2;
}
