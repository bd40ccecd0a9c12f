/* Reduced bodies as a kind: they answer in coordinates (Barbic 2007, chapters 2 and 3). */
#pragma once

#include <tactus/deformed_field.h>
#include <tactus/reduced.h>
#include "body/body.h"
#include "body/reduced_body.h"

/* Load phase. Refers to the def's assets. */
tacStatus tac_reduced_kind_create(const tacReducedBodyDef *def, tacBody *body, tacError *error);
/* With an internal force of its own: its parameters are stiffness, damping and linear. Copies what `force` has. */
tacStatus tac_reduced_kind_create_with(const tacReducedBodyDef *def, const tacCoordinateForceDef *force, tacBody *body,
                                       tacError *error);
bool tac_reduced_kind_is(const tacBody *body);
/* What a body of this kind is made of; NULL for another. */
tacReducedBody *tac_reduced_kind_body(const tacBody *body);
const tacDeformedField *tac_reduced_kind_field(const tacBody *body);
const tacLoadField *tac_reduced_kind_loads(const tacBody *body);
