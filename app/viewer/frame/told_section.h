/* What bodies tell of themselves beside their shape (the age of a factor, ...): the section `told` of a frame
 * (docs/viewer_protocol.md). */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

/* Bytes that those of all bodies cannot exceed. */
size_t tac_told_sections_most_bytes(const tacWorld *world);
/* One for each body that tells something; returns how many were written. */
int tac_told_sections_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *writer);
