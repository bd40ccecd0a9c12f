/* Hyperelastic bodies as a kind: they answer as the compliance of a step (Courtecuisse et al. 2015). Their frame rests or is held; a free
 * one moves by its nodes, which know of rotations themselves. */
#pragma once

#include <tactus/hyperelastic.h>
#include "body/body.h"
#include "kinds/hyperelastic/hyper_dynamics.h"

/* Between steps, of worlds without a thread of their bodies; false: not a body of this kind. */
bool tac_world_hyperelastic_report(const tacWorld *world, tacBodyId id, tacHyperelasticReport *report);

/* Load phase. Copies what it needs. */
tacStatus tac_hyperelastic_kind_create(const tacHyperelasticBodyDef *def, tacBody *body, tacError *error);
