/* Adds a body of one of Tactus's own kinds to a world. */
#pragma once

#include <tactus/world.h>
#include "body/body.h"

/* Load phase. `status` and `reason` are the result of the creation of `body`. If the creation failed, the function
 * returns that status, and the error names the body. If the body cannot be added, the function destroys it. */
tacStatus tac_made_body_add(tacWorld *world, const tacBodyDef *def, tacStatus status, const tacBody *body,
                            const tacError *reason, tacBodyId *id, tacError *error);
