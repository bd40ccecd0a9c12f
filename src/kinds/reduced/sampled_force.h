/* Computes the internal force of a reduced body from sampled elements or from a constant stiffness, instead of
 * polynomials.
 *
 * If the stiffness takes too long for one step, the stiffness is summed in slices over several steps. The sum belongs
 * to the q of the first of these steps. A complete stiffness is used until the next stiffness is complete. Secant
 * updates correct the stiffness by the changes of the force in the last few steps (math/dense/secants.h). */
#pragma once

#include "base/memory/owned.h"
#include "kinds/reduced/coordinate_force.h"

typedef struct tacSampledForce tacSampledForce;

/* Creates the force at q = 0 with factor 1. Uses the first `kept` of `size` coordinates. Copies the required data of
 * `def`. */
tacStatus tac_sampled_force_create(const tacCoordinateForceDef *def, int size, int kept, tacSampledForce **force,
                                   tacError *error);
void tac_sampled_force_destroy(tacSampledForce *force); /* NULL is allowed */
TAC_OWNED_TYPE(tacSampledForce, tac_sampled_force_destroy)
tacCoordinateForce tac_sampled_force(tacSampledForce *force);

/* Sets the factor (> 0) on R, K and W. */
void tac_sampled_force_set_factor(tacSampledForce *force, double factor);

/* Adds one slice to the stiffness sum. Call at the start of each step, with the q of the body. */
void tac_sampled_force_advance(tacSampledForce *force, const double *q);
/* Computes the complete stiffness at q. Call after the state of the body was set. Do not call this function in a tick,
 * except with q = 0. */
void tac_sampled_force_settle(tacSampledForce *force, const double *q);
/* Save and load the state on which a step depends, as `tac_sampled_force_state_size` numbers: q of the present
 * stiffness, of the next stiffness, and of the last few steps. `tac_sampled_force_load` recomputes all other values,
 * bitwise equal. Do not call `tac_sampled_force_load` in a tick. */
int tac_sampled_force_state_size(const tacSampledForce *force);
void tac_sampled_force_save(const tacSampledForce *force, double *state);
/* True if `state` can be loaded. No coordinate may exceed `most`. */
bool tac_sampled_force_is_state(const tacSampledForce *force, double most, const double *state);
void tac_sampled_force_load(tacSampledForce *force, const double *state);
