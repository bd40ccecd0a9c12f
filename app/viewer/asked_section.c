#include "app/viewer/asked_section.h"

enum { ENTRY_SIZE = 24 };

static bool is_limited(const tacTickSample *sample, int tool) {
  return (sample->limits[tool] & (TAC_LIMIT_FORCE | TAC_LIMIT_RATE)) != 0;
}

static size_t count_limited(int count, const tacTickSample *samples, int tools) {
  size_t limited = 0;
  for (int i = 0; i < count; ++i)
    for (int t = 0; t < tools; ++t) limited += is_limited(&samples[i], t);
  return limited;
}

size_t tac_asked_section_bytes(int count, const tacTickSample *samples, int tools) {
  size_t limited = count_limited(count, samples, tools);
  return limited > 0 ? TAC_VIEW_SECTION_HEAD + 8 + ENTRY_SIZE * limited : 0;
}

int tac_asked_section_write(int count, const tacTickSample *samples, int tools, tacByteWriter *w) {
  size_t limited = count_limited(count, samples, tools);
  if (limited == 0) return 0;
  size_t section = tac_byte_writer_begin(w, TAC_VIEW_ASKED);
  tac_byte_writer_u32(w, (uint32_t)limited);
  tac_byte_writer_u32(w, 0);
  for (int i = 0; i < count; ++i) {
    for (int t = 0; t < tools; ++t) {
      if (!is_limited(&samples[i], t)) continue;
      tac_byte_writer_u64(w, (uint64_t)samples[i].tick);
      tac_byte_writer_u32(w, (uint32_t)t);
      tac_byte_writer_u32(w, samples[i].limits[t]);
      tac_byte_writer_f32(w, (double)samples[i].asked[t]);
      tac_byte_writer_u32(w, 0);
    }
  }
  tac_byte_writer_end(w, section);
  return 1;
}
