/* What the viewer's clients get of a rigid body once (docs/viewer_protocol.md): its surface in its own frame. */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

/* The message `rigid`. */
tacStatus tac_view_rigid_packet(const tacWorld *world, int body, uint32_t load, tacPacket **packet, tacError *error);
