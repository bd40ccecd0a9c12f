/* Internal force of a reduced body from sampled elements or a constant stiffness, instead of its polynomials. A
 * stiffness that takes longer than a slice is summed over several steps, at the q where the sum started. It is used
 * until the next stiffness is complete. Changes of the force in the last few steps correct it
 * (math/dense/secants.h). */
#pragma once

#include "base/memory/owned.h"
#include "kinds/reduced/coordinate_force.h"

typedef struct tacSampledForce tacSampledForce;

/* Uses the first `kept` of `size` coordinates; copies the data of `def` that it needs. Starts at q = 0 with factor
 * 1. */
tacStatus tac_sampled_force_create(const tacCoordinateForceDef *def, int size, int kept, tacSampledForce **force,
                                   tacError *error);
void tac_sampled_force_destroy(tacSampledForce *force); /* NULL is allowed */
TAC_OWNED_TYPE(tacSampledForce, tac_sampled_force_destroy)
tacCoordinateForce tac_sampled_force(tacSampledForce *force);

/* Factor on R, K and W; > 0. */
void tac_sampled_force_set_factor(tacSampledForce *force, double factor);

/* A step starts at q: sums a slice of the stiffness. */
void tac_sampled_force_advance(tacSampledForce *force, const double *q);
/* The body was placed at q: computes the complete stiffness there. Not in a tick, except for q = 0. */
void tac_sampled_force_settle(tacSampledForce *force, const double *q);
/* State that steps depend on, as numbers: q of the present and of the next stiffness, and q at the start of the last
 * few steps. `load` recomputes all other values, bitwise equal; do not call it in a tick. */
int tac_sampled_force_state_size(const tacSampledForce *force);
void tac_sampled_force_save(const tacSampledForce *force, double *state);
/* Whether `state` can be loaded: no coordinate exceeds `most`. */
bool tac_sampled_force_is_state(const tacSampledForce *force, double most, const double *state);
void tac_sampled_force_load(tacSampledForce *force, const double *state);
