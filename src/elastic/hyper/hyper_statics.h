/* Static equilibrium of a hyperelastic solid with prescribed positions and nodal forces, by Newton's method
 * (elastic/solids/newton.h). Offline; viscosity at rest: the stress at once. */
#pragma once

#include "base/memory/owned.h"
#include "elastic/hyper/hyper_solid.h"
#include "elastic/solids/newton.h"

typedef struct tacHyperStatics tacHyperStatics;

/* held: [vertex]; enough of them to stop rigid motion. Refers to the solid, and copies `held`. */
tacStatus tac_hyper_statics_create(tacHyperSolid *solid, const bool *held, tacHyperStatics **statics, tacError *error);
/* For another thread: solves the same problems, to the same bits, at the same time. The solid must have neither patches nor
 * a crew, since both use it. Not while `statics` solves; `statics` must outlive the copy. */
tacStatus tac_hyper_statics_copy(tacHyperStatics *statics, tacHyperStatics **copy, tacError *error);
/* A solution that takes more Newton iterations, over all load steps, ends with TAC_ERR_NO_CONVERGENCE; 0: no limit, the default.
 * Copies that are made later have it too. */
void tac_hyper_statics_limit(tacHyperStatics *statics, int iterations);
void tac_hyper_statics_destroy(tacHyperStatics *statics); /* NULL is allowed */
TAC_OWNED_TYPE(tacHyperStatics, tac_hyper_statics_destroy)

/* target: positions, of which those of held vertices are read; force: on free vertices, N; NULL: none. Both have 3
 * numbers a vertex. x holds the start, finite and otherwise arbitrary (elements may be inverted), and receives the
 * result, with a residual of at most 1e-9 of the forces and reactions or what rounding allows. `reaction` (NULL: not
 * wanted) receives what holds the vertices that are held, N, zero at others. TAC_ERR_NO_CONVERGENCE, with what was
 * carried: x is then the last equilibrium, or the start. */
tacStatus tac_hyper_statics_solve(tacHyperStatics *statics, const double *target, const double *force, double *x,
                                  double *reaction, tacNewtonReport *report, tacError *error);
