#include "app/viewer/frame/ticks.h"

#include "app/viewer/protocol/protocol.h"
#include "base/error.h"

/* Ticks come from files too: their numbers may be any. */
static bool follows(const tacTickSample *a, const tacTickSample *b) {
  return (uint64_t)b->tick == (uint64_t)a->tick + 1;
}

/* N: what a limit kept from the hand; -1: none did. */
static double asked_of(const tacTickSample *sample, int tool) {
  return (sample->limits[tool] & (TAC_LIMIT_FORCE | TAC_LIMIT_RATE)) != 0 ? (double)sample->asked[tool] : -1.0;
}

int tac_ticks_stretch(int count, const tacTickSample *samples) {
  int end = count > 0 ? 1 : 0;
  while (end < count && follows(&samples[end - 1], &samples[end])) ++end;
  return end;
}

tacStatus tac_ticks_packet(int tool_count, int count, const tacTickSample *samples, uint32_t load, tacPacket **packet,
                           tacError *error) {
  size_t size = TAC_VIEW_HEAD + 16 + (size_t)count * (8 + 16 * (size_t)tool_count);
  TAC_TRY(tac_packet_create(size, packet, error));
  tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
  tac_byte_writer_head(&w, TAC_VIEW_TICKS, 0, load);
  tac_byte_writer_u64(&w, count > 0 ? (uint64_t)samples[0].tick : 0);
  TAC_WRITE_U32(&w, count, tool_count);
  for (int i = 0; i < count; ++i) {
    TAC_WRITE_F32(&w, (double)samples[i].compute, (double)samples[i].late);
    for (int t = 0; t < tool_count; ++t) {
      TAC_WRITE_F32(&w, (double)samples[i].force[t], (double)samples[i].penetration[t], (double)samples[i].energy[t],
                    asked_of(&samples[i], t));
    }
  }
  return TAC_OK;
}
