#include "app/viewer/frame/load_section.h"

enum { LOAD_BYTES = 32 };

size_t tac_load_sections_most_bytes(const tacWorld *world) {
  return (size_t)tac_world_body_count(world) * (TAC_VIEW_SECTION_HEAD + LOAD_BYTES);
}

int tac_load_sections_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *w) {
  int sections = 0;
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    tacShownLoad load;
    if (!tac_world_body_load(world, snapshot, tac_world_body(world, b), &load)) continue;
    size_t section = tac_byte_writer_begin(w, TAC_VIEW_LOAD);
    tac_byte_writer_u32(w, (uint32_t)b);
    tac_byte_writer_u32(w, load.beyond);
    tac_byte_writer_vec3(w, load.at);
    tac_byte_writer_vec3(w, load.force);
    tac_byte_writer_end(w, section);
    ++sections;
  }
  return sections;
}
