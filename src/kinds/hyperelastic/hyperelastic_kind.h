/* Implements the body kind `hyperelastic` with the step-compliance functions of tacBodyTable (Courtecuisse et al.
 * 2015). The frame of such a body is fixed or held. A free body moves and rotates by the motion of the nodes. */
#pragma once

#include <tactus/hyperelastic.h>
#include "body/body.h"
#include "kinds/hyperelastic/hyper_dynamics.h"

/* Reports on the last step of a body. Call between steps, in a world without a simulation thread. False if the body has
 * another kind. */
bool tac_world_hyperelastic_report(const tacWorld *world, tacBodyId id, tacHyperelasticReport *report);

/* Creates a body and copies the necessary data of `def`. Call in the load phase. */
tacStatus tac_hyperelastic_kind_create(const tacHyperelasticBodyDef *def, tacBody *body, tacError *error);
