#include "app/viewer/frame/pose.h"
#include "world/world.h"
#include "world/world_view.h"

enum { POSE_BYTES = 32 }; /* of a body in the section */

void tac_byte_writer_pose(tacByteWriter *writer, tacPose pose) {
  tac_byte_writer_vec3(writer, pose.position);
  for (int i = 0; i < 4; ++i) tac_byte_writer_f32(writer, pose.orientation[i]);
}

int tac_view_holder(const tacWorld *world, int body) {
  tacBodyId id = tac_world_body(world, body);
  for (int t = 0; t < tac_world_tool_count(world); ++t) {
    tacBodyId parts[1 + TAC_MOST_JAWS] = {tac_world_tool_body(world, t, NULL)};
    int count = 1 + tac_world_tool_jaws(world, t, parts + 1);
    for (int i = 0; i < count; ++i)
      if (parts[i].generation == id.generation && parts[i].index == id.index) return t;
  }
  return -1;
}

/* Of those that are shown by coordinates the pose comes with these; vertices have it in them. */
static bool has_pose(const tacWorld *world, int body) {
  tacBodyId id = tac_world_body(world, body);
  return tac_world_body_shown(world, id) == TAC_SHOWN_RIGID && tac_world_body_pose_state(world, id) >= 0;
}

static int count_poses(const tacWorld *world) {
  int count = 0;
  for (int b = 0; b < tac_world_body_count(world); ++b) count += has_pose(world, b);
  return count;
}

bool tac_view_poses_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *writer) {
  int count = count_poses(world);
  if (count == 0) return false;
  size_t section = tac_byte_writer_begin(writer, TAC_VIEW_POSES);
  TAC_WRITE_U32(writer, count, 0);
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    if (!has_pose(world, b)) continue;
    tac_byte_writer_u32(writer, (uint32_t)b);
    tac_byte_writer_pose(writer, tac_world_snapshot_pose(world, snapshot, tac_world_body(world, b)));
  }
  tac_byte_writer_end(writer, section);
  return true;
}

size_t tac_view_poses_most_bytes(const tacWorld *world) {
  return TAC_VIEW_SECTION_HEAD + 8 + POSE_BYTES * (size_t)count_poses(world);
}
