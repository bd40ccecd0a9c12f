/* What presses bodies that answer only some loads (tac_world_body_load): the section `load` of a frame (docs/viewer_protocol.md). */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

/* Bytes that they cannot exceed, of all bodies. */
size_t tac_load_sections_most_bytes(const tacWorld *world);
/* One for each such body; returns how many were written. */
int tac_load_sections_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *writer);
