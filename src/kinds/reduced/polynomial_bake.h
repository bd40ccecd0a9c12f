/* Computes the exact energy polynomials of a solid in a displacement basis, by one symmetric rank-k update per part.
 * Offline.
 *
 * At a quadrature point Green's strain is e(q) = sum_i e_i q_i + sum_{i<=j} e_ij q_i q_j. It has six components, each
 * with r linear and r (r + 1) / 2 quadratic coefficients. The rows of all points form a tall matrix B, scaled by the
 * square root of the product of quadrature weight and elasticity. With the vector m(q) of monomials the energy is |B
 * m(q)|^2 / 2, so B^T B contains every coefficient of the energy.
 *
 * B is built in chunks of elements. Only one half of the symmetric B^T B is computed, in parallel. Memory: r^4 / 8
 * numbers per part, two parts at a time, plus 24 MB for the chunk. Results do not depend on the number of threads. */
#pragma once

#include <tactus/base.h>
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced_polynomial.h"

typedef struct tacPolynomialBakeReport {
  double seconds, flops;
  size_t bytes; /* peak memory, bytes */
} tacPolynomialBakeReport;

/* Energy polynomial of one material group. An isotropic group has two parts, for lambda = 1 Pa and for mu = 1 Pa. An
 * anisotropic group has one part, for the elasticity C of the material. A group without elements has no part. */
typedef struct tacPolynomialPart {
  int group; /* index of the material in the solid */
  tacReducedPartKind kind;
  double *coefficients; /* tac_reduced_polynomial_count(r) numbers, owned */
  double *stress;       /* tac_reduced_stress_count(r) products, owned; NULL if not requested */
} tacPolynomialPart;

/* Computes the parts of all material groups. `basis` has `count` columns of 3 numbers per vertex. If `stress` is true,
 * the function also computes the products for strain-rate damping (kinds/reduced/reduced_stress.h). `parts` receives
 * `part_count` parts; the caller frees them with tac_polynomial_parts_destroy. `report` may be NULL. */
tacStatus tac_polynomial_bake(const tacSolid *solid, int count, const double *basis, bool stress,
                              const tacProgress *progress, tacPolynomialPart **parts, int *part_count,
                              tacPolynomialBakeReport *report, tacError *error);
void tac_polynomial_parts_destroy(int count, tacPolynomialPart *parts); /* NULL is allowed */
