/* Static equilibrium at large deformations, R(u) = f, by Newton's method (elastic/solids/newton.h; Barbic 2007, section 2.1.10). Offline. */
#pragma once

#include "base/memory/owned.h"
#include "elastic/solids/finite_strain.h"
#include "elastic/solids/newton.h"

typedef struct tacFiniteStatics tacFiniteStatics;

/* TAC_ERR_GEOMETRY where a part of the mesh is not held against rigid motion (says how to hold it). */
tacStatus tac_finite_statics_create(const tacSolid *solid, tacFiniteStatics **statics, tacError *error);
/* For displacements that may err by a share of their norm: Newton's method ends with a step of at most that, and leaves far less since
 * its steps fall quadratically; bricks as of tac_finite_strain_create_rough. Gives up after 20 factorisations. */
tacStatus tac_finite_statics_create_rough(const tacSolid *solid, double share, tacFiniteStatics **statics,
                                          tacError *error);
/* For another thread: solves the same problems, to the same bits, at the same time. Not while `statics` solves, which must
 * outlive the copy. */
tacStatus tac_finite_statics_copy(tacFiniteStatics *statics, tacFiniteStatics **copy, tacError *error);
size_t tac_finite_statics_bytes(const tacFiniteStatics *statics); /* of a copy, about */
void tac_finite_statics_destroy(tacFiniteStatics *statics);       /* NULL is allowed */
TAC_OWNED_TYPE(tacFiniteStatics, tac_finite_statics_destroy)
const tacFiniteStrain *tac_finite_statics_strain(const tacFiniteStatics *statics);

/* `u` holds the start (zero, or an equilibrium nearby; held vertices' values are kept as prescribed) and receives the
 * result, with |R - f| <= 1e-9 |f| (of |R(start)| where f is zero), or as small as rounding allows for bodies some
 * hundred times longer than thick: `report`, which may be NULL, tells. TAC_ERR_GEOMETRY where the load inverts an
 * element: names it and the share of the load that was carried; TAC_ERR_NO_CONVERGENCE. On failure `u` is the last
 * equilibrium that was found. Under compression the material may buckle and lose its stability; beyond that the result
 * may be an unstable equilibrium. */
tacStatus tac_finite_statics_solve(tacFiniteStatics *statics, const double *force, const tacProgress *progress,
                                   double *u, tacNewtonReport *report, tacError *error);
/* K(0) u = f, with u = 0 of held vertices; `u` may be `force`. */
tacStatus tac_finite_statics_solve_linear(tacFiniteStatics *statics, const double *force, double *u, tacError *error);

/* Of a Newton step, in operations of a factorisation: its own, and as many as take the time of the elements. */
double tac_finite_statics_step_cost(const tacFiniteStatics *statics);
