/* A hyperelastic law at one deformation gradient, by direct differentiation: what kernels of many elements are compared
 * with, and what offline tools use. */
#pragma once

#include "elastic/laws/hyper_law.h"

typedef struct tacHyperPoint {
  double energy;        /* Psi, J/m^3 at rest */
  tacMat3 stress;       /* P = dPsi/dF (first Piola-Kirchhoff), Pa */
  double tangent[9][9]; /* dP_ij/dF_kl at [3 i + j][3 k + l]; symmetric to the bit */
} tacHyperPoint;

/* `axes`: see tacHyperLaw; NULL: the identity. The volumetric term is that of det F. */
void tac_hyper_point_evaluate(const tacHyperLaw *law, const double *parameters, const tacMat3 *axes, const tacMat3 *f,
                              tacHyperPoint *point);
