/* A deforming reduced body: M q'' + D(q, q') + R(q) = f (Barbic 2007, (2.21)), by the implicit Newmark method of
 * section 2.9, by implicit Euler, or statically. Creation is for the load phase; everything else is for any phase,
 * without allocation, in bounded time. Frame: the body's, which is the asset's. */
#pragma once

#include <tactus/body.h>
#include <tactus/reduced.h>
#include "base/memory/owned.h"
#include "kinds/reduced/coordinate_force.h"
#include "kinds/reduced/reduced_dynamics.h"
#include "math/geometry/mat3.h"
#include "mesh/surface_point.h"

typedef struct tacReducedBody tacReducedBody;

/* `kept[r]`: vectors of the basis to use; NULL: all. Refers to `reduced`. */
tacStatus tac_reduced_body_create(const tacReduced *reduced, const bool *kept, const tacReducedMotion *motion,
                                  tacReducedBody **body, tacError *error);
/* The same with a given internal force, copied as needed. `kept` must then select the first vectors only. */
tacStatus tac_reduced_body_create_with(const tacReduced *reduced, const tacCoordinateForceDef *force, const bool *kept,
                                       const tacReducedMotion *motion, tacReducedBody **body, tacError *error);
void tac_reduced_body_destroy(tacReducedBody *body); /* NULL is allowed */
TAC_OWNED_TYPE(tacReducedBody, tac_reduced_body_destroy)
const tacReduced *tac_reduced_body_asset(const tacReducedBody *body);
const tacReducedMotion *tac_reduced_body_motion(const tacReducedBody *body);
/* Between steps any member of the motion may change. */
void tac_reduced_body_set_motion(tacReducedBody *body, const tacReducedMotion *motion);
/* Sets the body to its undeformed state, at rest. */
void tac_reduced_body_reset(tacReducedBody *body);

/* ---- loads of the next step ---- */

/* A force (N) at a point of the surface. */
void tac_reduced_body_add_force(tacReducedBody *body, tacSurfacePoint at, tacVec3 force);
/* A reduced force, U^T f; r numbers in the asset's numbering. */
void tac_reduced_body_add_reduced(tacReducedBody *body, const double *force);

/* ---- a step ---- */

/* Advances the body by one step under the added loads, then clears the loads. */
tacReducedAdvance tac_reduced_body_advance(tacReducedBody *body);
/* The same in parts, for a joint solve: begin; linearise and move, any number of times; finish. In the n kept
 * coordinates: matrix d = load + forces at the end of the step, matrix [n][n] symmetric. False: not finite. */
void tac_reduced_body_begin(tacReducedBody *body);
bool tac_reduced_body_linearise(tacReducedBody *body, double *matrix, double *load, tacReducedAdvance *report);
void tac_reduced_body_move(tacReducedBody *body, const double *motion);
bool tac_reduced_body_finish(tacReducedBody *body); /* false: the body was stopped at its previous position */
/* Of the last step: the force resisted more than its stiffness predicted, and the motion was shortened. */
bool tac_reduced_body_shortened(const tacReducedBody *body);
/* U at a point of the surface, [3][n]. */
void tac_reduced_body_jacobian(const tacReducedBody *body, tacSurfacePoint at, double *jacobian);

/* ---- state ---- */

int tac_reduced_body_size(const tacReducedBody *body); /* the asset's r; dropped coordinates stay 0 */
const double *tac_reduced_body_q(const tacReducedBody *body);
/* Sets q and dq/dt (NULL: zero), r numbers in the asset's numbering. False, unchanged: not finite or too large. With a
 * given internal force, not in a tick. */
bool tac_reduced_body_set(tacReducedBody *body, const double *q, const double *velocity);
/* Kept coordinates, ascending; the first function returns their number n, the second one their velocities [n]. */
int tac_reduced_body_kept(const tacReducedBody *body, const int **kept);
const double *tac_reduced_body_rates(const tacReducedBody *body);
/* All state that a step depends on, as numbers; the first r are q. */
int tac_reduced_body_state_size(const tacReducedBody *body);
void tac_reduced_body_save(const tacReducedBody *body, double *state);
bool tac_reduced_body_load(tacReducedBody *body, const double *state);  /* false: unchanged */
const tacInertia *tac_reduced_body_inertia(const tacReducedBody *body); /* undeformed shape, present densities */
/* Estimate for tacBodyTable.error_estimate, with a material `stiffness` times as stiff as baked; -1: unknown. */
double tac_reduced_body_error_estimate(const tacReducedBody *body, double stiffness);
double tac_reduced_body_energy(const tacReducedBody *body); /* elastic and kinetic, of the deformation, J */
double tac_reduced_body_stored(const tacReducedBody *body); /* after a step: value for tacBodyTable.energy */

/* Single points of the deformed surface in O(r). */
tacVec3 tac_reduced_body_vertex(const tacReducedBody *body, int vertex);        /* (3.6) */
tacVec3 tac_reduced_body_vertex_normal(const tacReducedBody *body, int vertex); /* (3.8), unit, outward */
tacVec3 tac_reduced_body_point(const tacReducedBody *body, tacSurfacePoint at);

/* ---- materials (section 2.11) ---- */

/* Set the factors on the baked lambda, mu and density of a group; > 0. In groups that are not isotropic, the factor on
 * mu applies to all of C, and the factor on lambda is ignored. Each call of tac_reduced_body_advance sums a bounded
 * number of new coefficients. The new coefficients take effect together when all are complete. tac_reduced_body_settle
 * completes them at once. */
void tac_reduced_body_set_lambda(tacReducedBody *body, int group, double factor);
void tac_reduced_body_set_mu(tacReducedBody *body, int group, double factor);
void tac_reduced_body_set_density(tacReducedBody *body, int group, double factor);
void tac_reduced_body_settle(tacReducedBody *body);
/* A body with a given internal force has a single factor on this force instead. */
bool tac_reduced_body_has_force(const tacReducedBody *body);
void tac_reduced_body_set_stiffness(tacReducedBody *body, double factor);
