/* Reduced bodies as a kind: bodies in coordinates (Barbic 2007, chapters 2 and 3). */
#pragma once

#include <tactus/reduced.h>
#include <tactus/world.h>
#include "body/body.h"
#include "kinds/reduced/reduced_body.h"

/* The asset of a reduced body, or the modes of a vademecum body; NULL for another kind. */
const tacReduced *tac_world_body_reduced(const tacWorld *world, tacBodyId id);

/* Load phase. Refers to the def's assets. `force`: NULL, or a given internal force, copied as needed; the parameters
 * are then stiffness, damping and linear. */
tacStatus tac_reduced_kind_create(const tacReducedBodyDef *def, const tacCoordinateForceDef *force, tacBody *body,
                                  tacError *error);
/* The reduced body of a body of this kind; NULL for another. */
tacReducedBody *tac_reduced_kind_body(const tacBody *body);

/* Adds a reduced body to a world. `kind`: kind name of the body; `is_free`: the body moves freely. */
tacStatus tac_reduced_kind_add(tacWorld *world, const char *kind, bool is_free, const tacReducedBodyDef *def,
                               const tacCoordinateForceDef *force, tacBodyId *id, tacError *error);
/* Data of the body's internal force (tacCoordinateForceDef.source); NULL: polynomials, or a body of another kind. */
const void *tac_reduced_kind_source(const tacWorld *world, tacBodyId id);
