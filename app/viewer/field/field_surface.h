/* The surface on which a distance field has a value, as the viewer's clients ask for it (docs/viewer_protocol.md, `isosurface`). */
#pragma once

#include "app/viewer/field/field_moment.h"
#include "app/viewer/protocol/protocol.h"

/* At `value`, m. From every sample of a rigid grid, or every second, third, ... so that no side has more than 129; analytic fields
 * are sampled at 97 places along the longest side, deformed ones, as they are in that moment, at 57. Without a vertex where the
 * value is nowhere. */
tacStatus tac_field_surface_packet(const tacFieldMoment *moment, double value, int body, uint32_t number, uint32_t load,
                                   tacPacket **packet, tacError *error);
