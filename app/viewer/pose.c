#include "app/viewer/pose.h"

enum { POSE_BYTES = 32 }; /* of a body in the section */

void tac_byte_writer_pose(tacByteWriter *writer, tacPose pose) {
  tac_byte_writer_vec3(writer, pose.position);
  for (int i = 0; i < 4; ++i) tac_byte_writer_f32(writer, pose.orientation[i]);
}

int tac_view_holder(const tacWorld *world, int body) {
  tacBodyId id = tac_world_body(world, body);
  for (int t = 0; t < tac_world_tool_count(world); ++t) {
    tacBodyId held = tac_world_tool_body(world, t);
    if (held.generation == id.generation && held.index == id.index) return t;
  }
  return -1;
}

/* The rigid body that a tool holds; -1: none. */
static int held_by(const tacWorld *world, int tool) {
  tacBodyId id = tac_world_tool_body(world, tool);
  return tac_world_body_kind(world, id) == TAC_BODY_RIGID ? (int)id.index : -1;
}

bool tac_view_poses_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *writer) {
  int tools = tac_world_tool_count(world), count = 0;
  for (int t = 0; t < tools; ++t) count += held_by(world, t) >= 0;
  if (count == 0) return false;
  size_t section = tac_byte_writer_begin(writer, TAC_VIEW_POSES);
  tac_byte_writer_u32(writer, (uint32_t)count);
  tac_byte_writer_u32(writer, 0);
  for (int t = 0; t < tools; ++t) {
    int body = held_by(world, t);
    if (body < 0) continue;
    tac_byte_writer_u32(writer, (uint32_t)body);
    tac_byte_writer_pose(writer, tac_world_snapshot_pose(world, snapshot, tac_world_body(world, body)));
  }
  tac_byte_writer_end(writer, section);
  return true;
}

size_t tac_view_poses_most_bytes(const tacWorld *world) {
  return TAC_VIEW_SECTION_HEAD + 8 + POSE_BYTES * (size_t)tac_world_tool_count(world);
}
