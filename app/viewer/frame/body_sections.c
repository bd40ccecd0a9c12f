#include "app/viewer/frame/body_sections.h"
#include "world/world_view.h"

size_t tac_limit_section_most_bytes(const tacWorld *world) {
  return TAC_VIEW_SECTION_HEAD + 16 + 4 * (size_t)tac_world_body_count(world) + 8 * (size_t)TAC_MOST_TOOLS;
}

void tac_limit_section_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *w) {
  int bodies = tac_world_body_count(world);
  size_t section = tac_byte_writer_begin(w, TAC_VIEW_LIMITS);
  TAC_WRITE_U32(w, bodies, snapshot->tool_count);
  for (int b = 0; b < bodies; ++b)
    tac_byte_writer_f32(w, tac_world_body_error_estimate(world, snapshot, tac_world_body(world, b)));
  for (int t = 0; t < snapshot->tool_count; ++t) {
    tac_byte_writer_f32(w, snapshot->given[t]);
    tac_byte_writer_u32(w, snapshot->limits[t]);
  }
  tac_byte_writer_end(w, section);
}

static int count_of(const tacWorld *world, tacBodyId id) {
  tacShownNumber number;
  int count = 0;
  while (tac_world_body_number(world, id, count, &number)) ++count;
  return count;
}

size_t tac_number_sections_most_bytes(const tacWorld *world) {
  size_t bytes = 0;
  for (int b = 0; b < tac_world_body_count(world); ++b)
    bytes += TAC_VIEW_SECTION_HEAD + 16 + 4 * (size_t)count_of(world, tac_world_body(world, b));
  return bytes;
}

int tac_number_sections_write(const tacWorld *world, const tacSnapshot *snapshot, tacByteWriter *w) {
  int sections = 0;
  if (snapshot->state == NULL) return 0;
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    tacBodyId id = tac_world_body(world, b);
    int count = count_of(world, id);
    if (count == 0) continue;
    size_t section = tac_byte_writer_begin(w, TAC_VIEW_BODY_NUMBERS);
    TAC_WRITE_U32(w, b, count);
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
    TAC_WRITE_U32(w, b, load.beyond);
    tac_byte_writer_vec3(w, load.at);
    tac_byte_writer_vec3(w, load.force);
    tac_byte_writer_end(w, section);
    ++sections;
  }
  return sections;
}
