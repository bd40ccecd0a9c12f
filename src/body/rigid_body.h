/* Rigid bodies as a kind: surface, shapes and a mass; no answer of their own. */
#pragma once

#include <tactus/rigid_body.h>
#include "body/body.h"

/* Load phase. Refers to the def's assets. */
tacStatus tac_rigid_body_create(const tacRigidBodyDef *def, tacBody *body, tacError *error);
