/* Adds a body of a built-in kind to a world. */
#pragma once

#include <tactus/world.h>
#include "body/body.h"

/* Adds `body` to `world`. `status` and `reason` report whether `body` was created successfully. If the creation
 * failed, the function returns `status`, and `error` names the body. If the world rejects the body, the function
 * destroys `body`. Call in the load phase. */
tacStatus tac_made_body_add(tacWorld *world, const tacBodyDef *def, tacStatus status, const tacBody *body,
                            const tacError *reason, tacBodyId *id, tacError *error);
