/* A plane through a distance field, as the viewer's clients ask for it (docs/viewer_protocol.md, `slice`). */
#pragma once

#include "app/viewer/field/field_moment.h"
#include "app/viewer/protocol/protocol.h"

/* Across `axis` (0 to 2) at `place`, m, which is brought into the moment's box. Samples of a rigid grid are at its own nodes, so that
 * what lies between four of them is bilinear: the picture is the field itself. Others are sampled at 161 places along the longer
 * side, deformed ones at 97: each costs a microsecond or two. */
tacStatus tac_field_slice_packet(const tacFieldMoment *moment, int axis, double place, int body, uint32_t number,
                                 uint32_t load, tacPacket **packet, tacError *error);
