/* Implements the body kind of reduced bodies, which deform in a few coordinates (Barbic 2007, chapters 2 and 3). */
#pragma once

#include <tactus/reduced.h>
#include <tactus/world.h>
#include "body/body.h"
#include "kinds/reduced/reduced_body.h"

/* Returns the reduced model of a reduced or vademecum body; NULL for another kind. */
const tacReduced *tac_world_body_reduced(const tacWorld *world, tacBodyId id);

/* Creates the body in the load phase. The body refers to the assets in `def`. `force` is an internal force that
 * replaces the polynomials, or NULL. A body with a given `force` has only the parameters stiffness, damping and
 * linear. */
tacStatus tac_reduced_kind_create(const tacReducedBodyDef *def, const tacCoordinateForceDef *force, tacBody *body,
                                  tacError *error);
/* Returns the tacReducedBody of a body of this kind; NULL for another kind. */
tacReducedBody *tac_reduced_kind_body(const tacBody *body);

/* Adds a reduced body to a world. `kind` is the kind name of the body. `is_free` is true if the body moves freely. */
tacStatus tac_reduced_kind_add(tacWorld *world, const char *kind, bool is_free, const tacReducedBodyDef *def,
                               const tacCoordinateForceDef *force, tacBodyId *id, tacError *error);
/* Returns tacCoordinateForceDef.source of the body's internal force. Returns NULL for a body with polynomials and for
 * another kind. */
const void *tac_reduced_kind_source(const tacWorld *world, tacBodyId id);
