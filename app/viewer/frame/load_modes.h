/* What the viewer's clients get, once, of the loads that a body knows its answer to (docs/viewer_protocol.md): the modes Y_k(s) that
 * belong to its modes X_k, which are the basis of a model. */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

/* The message `load modes` of a body, which has the basis of the model of this number; NULL where it knows no such loads. */
tacStatus tac_view_load_modes_packet(const tacWorld *world, tacBodyId id, int model, uint32_t load, tacPacket **packet,
                                     tacError *error);
