/* Answers what clients ask about the distance fields of bodies (docs/viewer_protocol.md, `ask`). */
#pragma once

#include "app/viewer/field/field_moment.h"
#include "app/viewer/protocol/protocol.h"

/* The message `slice` or `isosurface` of a body of the world; `q` are its coordinates in that moment, NULL: at rest.
 * TAC_ERR_ARGUMENT where it has no field. Offline: takes up to some tenths of a second. */
tacStatus tac_field_answer_packet(const tacWorld *world, const double *q, const tacViewMessage *ask, uint32_t load,
                                  tacPacket **packet, tacError *error);

/* The message `slice`. Across `axis` (0 to 2) at `place`, m, which is brought into the moment's box. Samples of a rigid grid are at its own nodes, so that
 * what lies between four of them is bilinear: the picture is the field itself. Others are sampled at 161 places along the longer
 * side, deformed ones at 97: each costs a microsecond or two. */
tacStatus tac_field_slice_packet(const tacFieldMoment *moment, int axis, double place, int body, uint32_t number,
                                 uint32_t load, tacPacket **packet, tacError *error);

/* The message `isosurface`. At `value`, m. From every sample of a rigid grid, or every second, third, ... so that no side has more than 129; analytic fields
 * are sampled at 97 places along the longest side, deformed ones, as they are in that moment, at 57. Without a vertex where the
 * value is nowhere. */
tacStatus tac_field_surface_packet(const tacFieldMoment *moment, double value, int body, uint32_t number, uint32_t load,
                                   tacPacket **packet, tacError *error);
