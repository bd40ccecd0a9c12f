/* Where bodies are that move as a whole, as the viewer's messages tell it. */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

/* Seven f32: position, then the quaternion w, x, y, z. */
void tac_byte_writer_pose(tacByteWriter *writer, tacPose pose);

/* The number of the tool that holds a body; -1: none. */
int tac_view_holder(const tacWorld *world, int body);

/* The section `poses` of a frame, with every body that is shown as a whole (TAC_SHOWN_RIGID) and moves. Returns whether
 * there is any: else nothing is written. */
bool tac_view_poses_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *writer);
size_t tac_view_poses_most_bytes(const tacWorld *world);
