/* Exact reduced polynomials of a solid in a basis, by one symmetric rank-k update per part. Offline.
 *
 * At a quadrature point Green's strain is e(q) = sum_i e_i q_i + sum_{i<=j} e_ij q_i q_j: six numbers, each with r
 * linear and r (r + 1) / 2 quadratic coefficients. Rows of all points, scaled by the root of weight times elasticity,
 * form a tall matrix B; B^T B holds every coefficient of the energy |B m(q)|^2 / 2 in the monomials m(q). B is built in
 * chunks of elements. Threads share the products; only one half of the symmetric B^T B is computed. Memory: r^4 / 8
 * numbers per part, two parts at a time, plus 24 MB for the chunk. Results do not depend on the number of threads. */
#pragma once

#include <tactus/base.h>
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced_polynomial.h"

typedef struct tacPolynomialBakeReport {
  double seconds, flops;
  size_t bytes; /* peak memory */
} tacPolynomialBakeReport;

/* `parts` receives, from malloc, one polynomial per part: isotropic groups (materials of the solid) have two, for
 * lambda = 1 Pa and mu = 1 Pa; others one with the material's C. Materials without elements have none. `basis` has
 * `count` columns of 3 numbers per vertex. `stress`: also computes products for strain-rate damping
 * (kinds/reduced/reduced_stress.h). `report` may be NULL. */
typedef struct tacPolynomialPart {
  int group; /* index of the material */
  tacReducedPartKind kind;
  double *coefficients; /* tac_reduced_polynomial_count(r) of them, owned */
  double *stress;       /* tac_reduced_stress_count(r) products, owned; NULL: not requested */
} tacPolynomialPart;

tacStatus tac_polynomial_bake(const tacSolid *solid, int count, const double *basis, bool stress,
                              const tacProgress *progress, tacPolynomialPart **parts, int *part_count,
                              tacPolynomialBakeReport *report, tacError *error);
void tac_polynomial_parts_destroy(int count, tacPolynomialPart *parts); /* NULL is allowed */
