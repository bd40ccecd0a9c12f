/* A template of a material law: Yeoh's. To add a law to Tactus:
 *
 *   1. Copy this file to src/elastic/laws/hyper_<law>.c. The build finds it there.
 *   2. Change the energy, its derivatives, the parameters and the row at the end.
 *   3. Add the row to src/elastic/laws/hyper_laws.c: once where it is declared, once in the list.
 *
 * Then scenes take `law: <law>` (docs/hyperelastic_laws.md), and test_hyper_law compares the derivatives with differences of the
 * energy. The file compiles inside the library alone: it uses headers of src/elastic/laws.
 *
 * Yeoh 1993, with two terms:
 *
 *   Psi = c1 X + c2 X^2 + k0 / 2 (ln J)^2,   X = J^(-2/3) I1 - 3,   I1 = tr C,   C = F^T F,   J = det F.
 *
 * c1 is half of the shear modulus; c2 makes the material stiffer where it is stretched far. */
#include <math.h>
#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

/* Parameters, in the order of the row. */
enum { C1, C2, K0, COUNT };

/* Shear and bulk modulus at small strain, Pa: the tangent at F = I. Time steps and contacts rely on them. */
static void moduli(const double *p, double *shear, double *bulk) {
  *shear = 2.0 * p[C1];
  *bulk = p[K0];
}

/* The energy without its volumetric term U(J), and its first and second derivatives by I1, I2 and J, as if these were independent:
 * w1 = dw/dI1, w1j = d2w/dI1 dJ. Those that are not set stay 0. A law that is no function of the invariants defines `strain` or
 * `gradient` instead (hyper_law.h).
 *
 * Several elements at a time, one a lane: no branches, and no calls but inline ones. Functions of J come from jacobian_term.h, which
 * continues them below J = 0.1, so that everything is finite and an inverted element is pushed back. */
TAC_HYPER_INVARIANTS_BODY {
  (void)doubles;
  (void)i2;
  *out = (tacInvariantEnergy){0};
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    double root = tac_jacobian_root(j[l]); /* J^(-1/3) */
    tacJacobianTerm f =
        tac_jacobian_power_from(root * root, -2.0 / 3.0, j[l]);          /* f = J^(-2/3), with f1 = f', f2 = f'' */
    double x = f.f * i1[l] - 3.0, xj = f.f1 * i1[l], xjj = f.f2 * i1[l]; /* X, dX/dJ, d2X/dJ2; dX/dI1 = f */
    double wx = p[C1] + 2.0 * p[C2] * x, wxx = 2.0 * p[C2];              /* dw/dX, d2w/dX2 */
    out->w[l] = (p[C1] + p[C2] * x) * x;
    out->w1[l] = wx * f.f;
    out->wj[l] = wx * xj;
    out->w11[l] = wxx * f.f * f.f;
    out->w1j[l] = wx * f.f1 + wxx * f.f * xj;
    out->wjj[l] = wx * xjj + wxx * xj * xj;
  }
}
TAC_HYPER_INVARIANTS

/* The row. A parameter has a name in scenes, a unit, a text, its range (above < value <= most; `true`: above <= value), and the value
 * where a scene gives none (NAN: it must). Refuse what ranges cannot say in `.check`. */
const tacHyperLaw tac_hyper_yeoh = {
    .name = "yeoh",
    .about = "c1 X + c2 X^2 + k0/2 (ln J)^2, X = J^(-2/3) I1 - 3",
    .parameter_count = COUNT,
    .parameters = {[C1] = {"c1", "Pa", "half of the shear modulus", 0.0, INFINITY, false, NAN},
                   [C2] = {"c2", "Pa", "stiffening at large stretches", 0.0, INFINITY, true, 0.0},
                   [K0] = {"k0", "Pa", "bulk modulus", 0.0, INFINITY, false, NAN}},
    .moduli = moduli,
    .volume = tac_hyper_volume_log_square, /* U(J) */
    .k0 = K0,                              /* the parameter of U */
    .invariants = invariants};
