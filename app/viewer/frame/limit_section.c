#include "app/viewer/frame/limit_section.h"

size_t tac_limit_section_most_bytes(const tacWorld *world) {
  return TAC_VIEW_SECTION_HEAD + 16 + 4 * (size_t)tac_world_body_count(world) + 8 * (size_t)TAC_MOST_TOOLS;
}

void tac_limit_section_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *w) {
  int bodies = tac_world_body_count(world);
  size_t section = tac_byte_writer_begin(w, TAC_VIEW_LIMITS);
  tac_byte_writer_u32(w, (uint32_t)bodies);
  tac_byte_writer_u32(w, (uint32_t)snapshot->tool_count);
  for (int b = 0; b < bodies; ++b)
    tac_byte_writer_f32(w, tac_world_body_doubt(world, snapshot, tac_world_body(world, b)));
  for (int t = 0; t < snapshot->tool_count; ++t) {
    tac_byte_writer_f32(w, snapshot->given[t]);
    tac_byte_writer_u32(w, snapshot->limits[t]);
  }
  tac_byte_writer_end(w, section);
}
