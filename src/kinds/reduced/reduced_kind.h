/* Reduced bodies as a kind: they answer in coordinates (Barbic 2007, chapters 2 and 3). */
#pragma once

#include <tactus/reduced.h>
#include <tactus/world.h>
#include "body/body.h"
#include "kinds/reduced/reduced_body.h"

/* NULL for another kind; of a vademecum its modes. */
const tacReduced *tac_world_body_reduced(const tacWorld *world, tacBodyId id);

/* Load phase. Refers to the def's assets. `force`: NULL, or an internal force of its own, of which it copies what it has; its
 * parameters are stiffness, damping and linear then. */
tacStatus tac_reduced_kind_create(const tacReducedBodyDef *def, const tacCoordinateForceDef *force, tacBody *body,
                                  tacError *error);
/* What a body of this kind is made of; NULL for another. */
tacReducedBody *tac_reduced_kind_body(const tacBody *body);

/* Adds one to a world, by the name of the kind that it is of; free ones fall. */
tacStatus tac_reduced_kind_add(tacWorld *world, const char *kind, bool is_free, const tacReducedBodyDef *def,
                               const tacCoordinateForceDef *force, tacBodyId *id, tacError *error);
/* What its force answers from (tacCoordinateForceDef.source); NULL: polynomials, or a body of another kind. */
const void *tac_reduced_kind_source(const tacWorld *world, tacBodyId id);
