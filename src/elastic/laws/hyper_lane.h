/* Derivatives of an energy density by F: laws that no invariants describe, and, one element at a time, projection to
 * positive semidefinite tangents. Blocks are those of the unit shape (elastic/laws/hyper_batch.h): corners 1 to 3 stand
 * for the columns of F. */
#pragma once

#include "elastic/laws/hyper_batch.h"

/* A law by strain or gradient, of all lanes; uj and ujj: of the volumetric term, [lane]. `with_tangent`: not only the
 * force. */
void tac_hyper_lane_evaluate(const tacHyperLaw *law, const double *p, const tacHyperState *unit, const double *uj,
                             const double *ujj, bool with_tangent, tacHyperBlocks *by_gradient);
/* Their energy densities without the volumetric term, J/m^3, [lane]. */
void tac_hyper_lane_energy(const tacHyperLaw *law, const double *p, const tacHyperState *state, double *w);
/* Adds to the tangent of a law by invariants, of the elements themselves, what makes it that of the nearest positive
 * semidefinite d2 Psi / dF dF: in the axes of the principal stretches s that falls into a block of 3 x 3, d2 Psi /
 * ds ds, and one of 2 x 2 for each pair of axes (Smith, de Goes, Kim 2019). `keep` and G as in
 * tac_hyper_batch_relax, which has gone before; NULL: no viscosity. What of G is off those axes is made definite by
 * itself: then the tangent is definite, though not the nearest. Corners 1 to 3: see tac_hyper_batch_complete. */
void tac_hyper_lane_lift(const tacHyperShape *shape, const tacHyperState *state, const tacInvariantEnergy *energy,
                         double keep, const double g[6][TAC_HYPER_LANES], int lane, tacHyperBlocks *blocks);
/* The nearest positive semidefinite 9 x 9 matrix d2 Psi / dF dF in Frobenius' norm: eigenvalues below zero become
 * zero. */
void tac_hyper_lane_project(tacHyperBlocks *by_gradient, int lane);
/* Its lower triangle: rows and columns 3 a + i are F's column a, row i. */
void tac_hyper_lane_take(const tacHyperBlocks *by_gradient, int lane, double h[9][9]);
