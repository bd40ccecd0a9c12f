/* What the viewer's clients get once of a body that moves as a whole (docs/viewer_protocol.md): its surface in its own frame. */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

/* The message `rigid`. */
tacStatus tac_view_moving_surface(const tacWorld *world, int body, uint32_t load, tacPacket **packet, tacError *error);
