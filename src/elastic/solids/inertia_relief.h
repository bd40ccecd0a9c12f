/* Linear elasticity of a free body: what forces deform, relative to the rigid motion that they cause. Offline.
 *
 * With rigid motions R (3 of the centre of mass, 3 about it) and the mass matrix M, forces f accelerate the body by
 * R (R^T M R)^-1 R^T f. What that leaves of them,
 *     P^T f,   P = 1 - R (R^T M R)^-1 R^T M,
 * is in equilibrium, so K u = P^T f has solutions, which differ by rigid motions; P u is the one without any. Hence
 *     u = C f,   C = P K^+ P^T,
 * with any generalised inverse K^+: symmetric, positive semidefinite, C M R = 0, and the sum over the elastic modes of
 * phi phi^T / omega^2 (phi^T M phi = 1). Under its weight on a floor, P^T f is the load of floor and gravity. */
#pragma once

#include <tactus/mesh.h>
#include "base/memory/owned.h"
#include "elastic/solids/solid.h"

typedef struct tacInertiaRelief tacInertiaRelief;

/* Of a solid that nothing holds. `support`: as tac_statics_create_free has it, on which C does not depend. Refers to
 * nothing afterwards. TAC_ERR_GEOMETRY where it is in several pieces; else as tac_statics_create. */
tacStatus tac_inertia_relief_create(const tacSolid *solid, const int support[3], tacInertiaRelief **relief,
                                    tacError *error);
void tac_inertia_relief_destroy(tacInertiaRelief *relief); /* NULL is allowed */
TAC_OWNED_TYPE(tacInertiaRelief, tac_inertia_relief_destroy)

/* Of what moves rigidly. */
const tacInertia *tac_inertia_relief_mass(const tacInertiaRelief *relief);

/* P^T f in place, for `count` vectors, 3 numbers a vertex. */
void tac_inertia_relief_balance(const tacInertiaRelief *relief, int count, double *forces);

/* u = C f; `response` may be `load`. One thread at a time. */
tacStatus tac_inertia_relief_solve(tacInertiaRelief *relief, int count, const double *load, double *response,
                                   tacError *error);
