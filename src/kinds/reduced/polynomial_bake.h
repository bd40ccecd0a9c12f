/* The reduced polynomials of a solid in a basis, exactly, by one symmetric rank-k update a part. Offline.
 *
 * At a quadrature point Green's strain is e(q) = sum_i e_i q_i + sum_{i<=j} e_ij q_i q_j: six numbers, each with r
 * linear and r (r + 1) / 2 quadratic coefficients. Rows of all points, scaled by the root of weight times elasticity,
 * make a tall matrix B; B^T B holds every coefficient of the energy |B m(q)|^2 / 2 in the monomials m(q). B is never
 * whole: a chunk of elements at a time. Threads share the products, of which only one half is made: r^4 / 8 numbers a
 * part, two parts at a time, and 24 MB for the chunk. Results do not depend on the number of threads. */
#pragma once

#include <tactus/base.h>
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced_polynomial.h"

typedef struct tacPolynomialBakeReport {
  double seconds, flops;
  size_t bytes; /* largest amount of memory that was held at once */
} tacPolynomialBakeReport;

/* `parts` receives, malloc'ed, one polynomial a part: isotropic groups (materials of the solid) have two, with lambda =
 * 1 Pa and mu = 1 Pa, others one with the material's C. Materials of no element have none. `basis` has `count` columns
 * of 3 numbers a vertex. `stress`: products for strain-rate damping (kinds/reduced/reduced_stress.h), too. `report` may be
 * NULL. */
typedef struct tacPolynomialPart {
  int group; /* index of the material */
  tacReducedPartKind kind;
  double *coefficients; /* tac_reduced_polynomial_count(r) of them, owned */
  double *stress;       /* tac_reduced_stress_count(r) products, owned; NULL where they were not asked for */
} tacPolynomialPart;

tacStatus tac_polynomial_bake(const tacSolid *solid, int count, const double *basis, bool stress,
                              const tacProgress *progress, tacPolynomialPart **parts, int *part_count,
                              tacPolynomialBakeReport *report, tacError *error);
void tac_polynomial_parts_destroy(int count, tacPolynomialPart *parts); /* NULL is allowed */
