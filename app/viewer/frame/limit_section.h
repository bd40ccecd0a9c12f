/* How far bodies can be trusted, and what kept forces from the hand: the section `limits` of a frame
 * (docs/viewer_protocol.md). */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

size_t tac_limit_section_most_bytes(const tacWorld *world);
void tac_limit_section_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *writer);
