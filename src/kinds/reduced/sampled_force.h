/* The force of a reduced body that does not come from its polynomials: from sampled elements, or by a constant stiffness. A stiffness
 * that takes longer than a slice is summed up a slice a step, at the q of one of them, and used until the next is complete, corrected by
 * what the force did in the last few steps (math/dense/secants.h). */
#pragma once

#include "base/memory/owned.h"
#include "kinds/reduced/coordinate_force.h"

typedef struct tacSampledForce tacSampledForce;

/* The first `kept` coordinates of `size`; copies what it needs. At rest, with the factor 1. */
tacStatus tac_sampled_force_create(const tacCoordinateForceDef *def, int size, int kept, tacSampledForce **force,
                                   tacError *error);
void tac_sampled_force_destroy(tacSampledForce *force); /* NULL is allowed */
TAC_OWNED_TYPE(tacSampledForce, tac_sampled_force_destroy)
tacCoordinateForce tac_sampled_force(tacSampledForce *force);

/* On R, K and W; positive. */
void tac_sampled_force_set_factor(tacSampledForce *force, double factor);

/* A step begins at q: a slice of the stiffness. */
void tac_sampled_force_advance(tacSampledForce *force, const double *q);
/* The body was put there: the stiffness is that of q, all of it. Not for a tick, but for q = 0. */
void tac_sampled_force_settle(tacSampledForce *force, const double *q);
/* What steps go on from, as numbers: where the stiffness in use, and the one that is summed up, were taken, and the last few steps began.
 * `load` makes all of it anew, to the same bits, and is not for a tick. */
int tac_sampled_force_state_size(const tacSampledForce *force);
void tac_sampled_force_save(const tacSampledForce *force, double *state);
/* Whether all can be loaded: no coordinate is beyond `most`. */
bool tac_sampled_force_is_state(const tacSampledForce *force, double most, const double *state);
void tac_sampled_force_load(tacSampledForce *force, const double *state);
