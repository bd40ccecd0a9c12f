/* Hyperelastic bodies as a kind: step-compliance bodies (Courtecuisse et al. 2015). Their frame is fixed or held; a
 * free body moves by its nodes, which include rotation. */
#pragma once

#include <tactus/hyperelastic.h>
#include "body/body.h"
#include "kinds/hyperelastic/hyper_dynamics.h"

/* Between steps, for worlds without a simulation thread; false: not a body of this kind. */
bool tac_world_hyperelastic_report(const tacWorld *world, tacBodyId id, tacHyperelasticReport *report);

/* Load phase. Copies the data of `def` that it needs. */
tacStatus tac_hyperelastic_kind_create(const tacHyperelasticBodyDef *def, tacBody *body, tacError *error);
