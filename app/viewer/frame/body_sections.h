/* What is known of bodies beside their shape: the sections `limits`, `body numbers` and `load` of a frame (docs/viewer_protocol.md). Each has
 * a bound on the bytes of all bodies, and returns how many sections were written. */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

/* How far bodies can be trusted, and what kept forces from the hand: one section. */
size_t tac_limit_section_most_bytes(const tacWorld *world);
void tac_limit_section_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *writer);

/* Numbers that bodies report, such as the age of a factor. */
size_t tac_number_sections_most_bytes(const tacWorld *world);
int tac_number_sections_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *writer);

/* What presses bodies that answer only some loads (tac_world_body_load). */
size_t tac_load_sections_most_bytes(const tacWorld *world);
int tac_load_sections_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *writer);
