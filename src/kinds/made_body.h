/* A body of one of our own kinds on its way into a world. */
#pragma once

#include <tactus/world.h>
#include "body/body.h"

/* Load phase. Adds what was made with this status; what cannot be added is destroyed, and a reason names the body. */
tacStatus tac_made_body_add(tacWorld *world, const tacBodyDef *def, tacStatus status, const tacBody *body,
                            const tacError *reason, tacBodyId *id, tacError *error);
