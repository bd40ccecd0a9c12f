/* Simulates a reduced body: time steps, loads, state, surface points and material factors.
 *
 * The equation of motion is M q'' + D(q, q') + R(q) = f (Barbic 2007, (2.21)). The integration method is the implicit
 * Newmark method of section 2.9, implicit Euler, or a static solve. Creation is for the load phase. All other functions
 * may be called in any phase, do not allocate, and take bounded time. All vectors are in the frame of the body.
 * Equation and section numbers refer to Barbic 2007. */
#pragma once

#include <tactus/body.h>
#include <tactus/reduced.h>
#include "base/memory/owned.h"
#include "kinds/reduced/coordinate_force.h"
#include "kinds/reduced/reduced_dynamics.h"
#include "math/geometry/mat3.h"
#include "mesh/surface_point.h"

typedef struct tacReducedBody tacReducedBody;

/* Creates a body at rest. `kept` [r] selects the vectors of the basis to use; NULL selects all. The body refers to
 * `reduced`, which must outlive the body. */
tacStatus tac_reduced_body_create(const tacReduced *reduced, const bool *kept, const tacReducedMotion *motion,
                                  tacReducedBody **body, tacError *error);
/* Creates a body with the internal force `force` instead of the polynomials of `reduced`; copies the required data of
 * `force`. `kept` must then select the first vectors of the basis without gaps. */
tacStatus tac_reduced_body_create_with(const tacReduced *reduced, const tacCoordinateForceDef *force, const bool *kept,
                                       const tacReducedMotion *motion, tacReducedBody **body, tacError *error);
void tac_reduced_body_destroy(tacReducedBody *body); /* NULL is allowed */
TAC_OWNED_TYPE(tacReducedBody, tac_reduced_body_destroy)
const tacReduced *tac_reduced_body_asset(const tacReducedBody *body);
const tacReducedMotion *tac_reduced_body_motion(const tacReducedBody *body);
/* Replaces the parameters of the time integration. Call between steps. Invalid parameters are ignored. */
void tac_reduced_body_set_motion(tacReducedBody *body, const tacReducedMotion *motion);
/* Sets the body to its undeformed state with zero velocity. */
void tac_reduced_body_reset(tacReducedBody *body);

/* ---- loads of the next step ---- */

/* Adds a force (N) at a point of the surface. */
void tac_reduced_body_add_force(tacReducedBody *body, tacSurfacePoint at, tacVec3 force);
/* Adds a reduced force U^T f, with r numbers. */
void tac_reduced_body_add_reduced(tacReducedBody *body, const double *force);

/* ---- a step ---- */

/* Advances the body by one step under the added loads, then clears the loads. */
tacReducedAdvance tac_reduced_body_advance(tacReducedBody *body);
/* These functions make a step in parts, for a joint solve of several bodies: call begin once, then linearise and move
 * any number of times, then finish.
 *
 * `linearise` computes the equations matrix d = load + external forces at the end of the step, for a change d of the n
 * kept coordinates. `matrix` is [n][n] and symmetric. `linearise` returns false if a value is not finite. */
void tac_reduced_body_begin(tacReducedBody *body);
bool tac_reduced_body_linearise(tacReducedBody *body, double *matrix, double *load, tacReducedAdvance *report);
void tac_reduced_body_move(tacReducedBody *body, const double *motion);
bool tac_reduced_body_finish(tacReducedBody *body); /* false: the step failed, and the body was stopped */
/* True if the last step was shortened because the internal force resisted the motion more than the stiffness
 * predicted. */
bool tac_reduced_body_shortened(const tacReducedBody *body);
/* Computes the rows of U at a point of the surface, [3][n]. */
void tac_reduced_body_jacobian(const tacReducedBody *body, tacSurfacePoint at, double *jacobian);

/* ---- state ---- */

int tac_reduced_body_size(const tacReducedBody *body); /* r of the basis; coordinates that are not kept stay 0 */
const double *tac_reduced_body_q(const tacReducedBody *body);
/* Sets q and q', r numbers each; NULL sets q' to zero. Returns false and leaves the state unchanged if the state is not
 * finite or too large. Do not call this function in a tick if the body has a given internal force. */
bool tac_reduced_body_set(tacReducedBody *body, const double *q, const double *velocity);
/* `tac_reduced_body_kept` returns n and the indices of the kept coordinates, ascending. `tac_reduced_body_rates`
 * returns the velocities of the kept coordinates, [n]. */
int tac_reduced_body_kept(const tacReducedBody *body, const int **kept);
const double *tac_reduced_body_rates(const tacReducedBody *body);
/* Save and load the state on which a step depends, as `tac_reduced_body_state_size` numbers. The first r numbers are
 * q. */
int tac_reduced_body_state_size(const tacReducedBody *body);
void tac_reduced_body_save(const tacReducedBody *body, double *state);
/* Loads a saved state. Returns false and leaves the body unchanged if the state is invalid. */
bool tac_reduced_body_load(tacReducedBody *body, const double *state);
/* Returns mass, centre and moments of inertia of the undeformed shape with the present densities. */
const tacInertia *tac_reduced_body_inertia(const tacReducedBody *body);
/* Returns the estimated model error (tacBodyTable.error_estimate) of a material `stiffness` times as stiff as in the
 * bake. Returns -1 if the error is unknown. */
double tac_reduced_body_error_estimate(const tacReducedBody *body, double stiffness);
double tac_reduced_body_energy(const tacReducedBody *body); /* elastic and kinetic energy of the deformation, J */
double tac_reduced_body_stored(const tacReducedBody *body); /* value of tacBodyTable.energy, J; call after a step */

/* Compute one point or normal of the deformed surface, in O(r). */
tacVec3 tac_reduced_body_vertex(const tacReducedBody *body, int vertex);        /* position (3.6), m */
tacVec3 tac_reduced_body_vertex_normal(const tacReducedBody *body, int vertex); /* unit outward normal (3.8) */
tacVec3 tac_reduced_body_point(const tacReducedBody *body, tacSurfacePoint at);

/* ---- materials (section 2.11) ---- */

/* Set the factors (> 0) on lambda, mu and density of a group, relative to the bake. In anisotropic groups the factor on
 * mu applies to all of C, and the factor on lambda is ignored. Each call of `tac_reduced_body_advance` sums a bounded
 * number of new coefficients. The new coefficients take effect together when all are complete.
 * `tac_reduced_body_settle` completes the sum at once. */
void tac_reduced_body_set_lambda(tacReducedBody *body, int group, double factor);
void tac_reduced_body_set_mu(tacReducedBody *body, int group, double factor);
void tac_reduced_body_set_density(tacReducedBody *body, int group, double factor);
void tac_reduced_body_settle(tacReducedBody *body);
/* True if the body has a given internal force. `tac_reduced_body_set_stiffness` sets a single factor on this force. */
bool tac_reduced_body_has_force(const tacReducedBody *body);
void tac_reduced_body_set_stiffness(tacReducedBody *body, double factor);
