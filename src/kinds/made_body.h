/* Adds a body of one of our own kinds to a world. */
#pragma once

#include <tactus/world.h>
#include "body/body.h"

/* Load phase. Adds the body created with this status. Destroys it if it cannot be added; the error then names the
 * body. */
tacStatus tac_made_body_add(tacWorld *world, const tacBodyDef *def, tacStatus status, const tacBody *body,
                            const tacError *reason, tacBodyId *id, tacError *error);
