/* The Hessian stiffness tensor at the origin, H = dK/du (Barbic 2007, (2.48), (2.50)), contracted with two
 * displacements. */
#pragma once

#include "elastic/solids/solid.h"

/* Linear and bilinear parts of Green's strain at a quadrature point, E = e(u) + q(u, u) / 2 with e(u) = (G + G^T) / 2
 * and q(a, b) = (G_a^T G_b + G_b^T G_a) / 2, give the force R = sum weight (e + q(u, .))^T C E and
 * (H : a) b = sum weight (e^T C q(a, b) + q(a, .)^T C e(b) + q(b, .)^T C e(a)): symmetric in a and b. N, 3 numbers a
 * vertex. For `count` pairs, result p from columns first[p] and second[p] of `vectors` (3 numbers a vertex each).
 * Several threads. */
tacStatus tac_stiffness_hessian_contract(const tacSolid *solid, const double *vectors, int count, const int *first,
                                         const int *second, double *result, tacError *error);
