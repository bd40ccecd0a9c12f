#include "app/viewer/frame/told_section.h"

static int count_of(const tacWorld *world, tacBodyId id) {
  tacShownNumber number;
  int count = 0;
  while (tac_world_body_number(world, id, count, &number)) ++count;
  return count;
}

size_t tac_told_sections_most_bytes(const tacWorld *world) {
  size_t bytes = 0;
  for (int b = 0; b < tac_world_body_count(world); ++b)
    bytes += TAC_VIEW_SECTION_HEAD + 16 + 4 * (size_t)count_of(world, tac_world_body(world, b));
  return bytes;
}

int tac_told_sections_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *w) {
  int sections = 0;
  if (snapshot->state == NULL) return 0;
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    tacBodyId id = tac_world_body(world, b);
    int count = count_of(world, id);
    if (count == 0) continue;
    size_t section = tac_byte_writer_begin(w, TAC_VIEW_TOLD);
    tac_byte_writer_u32(w, (uint32_t)b);
    tac_byte_writer_u32(w, (uint32_t)count);
    for (int i = 0; i < count; ++i) {
      tacShownNumber number;
      tac_world_body_number(world, id, i, &number);
      tac_byte_writer_f32(w, snapshot->state[number.at]);
    }
    tac_byte_writer_end(w, section);
    ++sections;
  }
  return sections;
}
