/* Answers what clients ask about the distance fields of bodies (docs/viewer_protocol.md, `ask`). */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

/* The message `slice` or `isosurface` of a body of the world; `q` are its coordinates in that moment, NULL: at rest.
 * TAC_ERR_ARGUMENT where it has no field. Offline: takes up to some tenths of a second. */
tacStatus tac_field_answer_packet(const tacWorld *world, const double *q, const tacViewMessage *ask, uint32_t load,
                                  tacPacket **packet, tacError *error);
