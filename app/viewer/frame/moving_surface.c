#include "app/viewer/frame/moving_surface.h"

#include "app/viewer/frame/pose.h"

tacStatus tac_view_moving_surface(const tacWorld *world, int body, uint32_t load, tacPacket **packet, tacError *error) {
  tacBodyId id = tac_world_body(world, body);
  const tacTriMesh *mesh = tac_world_body_surface(world, id);
  size_t size = TAC_VIEW_HEAD + 48 + 12 * (size_t)mesh->vertex_count + 12 * (size_t)mesh->triangle_count;
  tacStatus status = tac_packet_create(size, packet, error);
  if (status != TAC_OK) return status;
  tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
  tac_byte_writer_head(&w, TAC_VIEW_MOVING_SURFACE, (unsigned)body, load);
  tac_byte_writer_u32(&w, (uint32_t)mesh->vertex_count);
  tac_byte_writer_u32(&w, (uint32_t)mesh->triangle_count);
  tac_byte_writer_u64(&w, 0);
  tac_byte_writer_pose(&w, tac_world_body_pose(world, id));
  tac_byte_writer_u32(&w, 0);
  for (int v = 0; v < mesh->vertex_count; ++v) tac_byte_writer_vec3(&w, mesh->vertices[v]);
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) tac_byte_writer_u32(&w, (uint32_t)mesh->triangles[t].v[i]);
  return TAC_OK;
}
