/* What clients see of ticks: stretches of consecutive ones, and of those in which a limit was met what was asked for. */
#include "app/viewer/frame/ticks.h"

#include <stdlib.h>
#include "packet_reader.h"

enum { TICKS = 3, TOOLS = 2 };
static const int64_t first = 1000000000000;

static void make_samples(tacTickSample samples[TICKS]) {
  memset(samples, 0, TICKS * sizeof *samples);
  for (int i = 0; i < TICKS; ++i) {
    samples[i].tick = first + i;
    samples[i].compute = 0.5f;
    samples[i].late = 0.25f;
    for (int t = 0; t < TOOLS; ++t) {
      samples[i].force[t] = (float)(i + 1);
      samples[i].penetration[t] = (float)(t + 10);
      samples[i].energy[t] = -2.0f;
      samples[i].asked[t] = (float)(10 * i + t);
    }
    samples[i].limits[0] = i == 2 ? TAC_LIMIT_FORCE | TAC_LIMIT_COUPLING : TAC_LIMIT_COUPLING;
    samples[i].limits[1] = i == 1 ? TAC_LIMIT_RATE : 0;
  }
}

TAC_TEST(ticks_contain_requested_and_limited_forces) {
  const double asked[TICKS][TOOLS] = {{-1.0, -1.0}, {-1.0, 11.0}, {20.0, -1.0}};
  tacTickSample samples[TICKS];
  TAC_OWN(tacPacket, packet) = NULL;
  make_samples(samples);
  ck_assert_int_eq(tac_ticks_packet(TOOLS, TICKS, samples, 7, &packet, NULL), TAC_OK);
  Reader r = open_packet(packet, 13, 0, 7);
  uint64_t low = read_u32(&r), high = read_u32(&r);
  ck_assert_int_eq((int64_t)(low | high << 32), first);
  check_u32(&r, TICKS, TOOLS);
  for (int i = 0; i < TICKS; ++i) {
    ck_assert_double_eq(read_f32(&r), 0.5);
    ck_assert_double_eq(read_f32(&r), 0.25);
    for (int t = 0; t < TOOLS; ++t) {
      const double of_tool[4] = {i + 1.0, t + 10.0, -2.0, asked[i][t]};
      for (int k = 0; k < 4; ++k) ck_assert_double_eq(read_f32(&r), of_tool[k]);
    }
  }
  ck_assert_uint_eq(r.at, r.size);
}

TAC_TEST(a_gap_ends_a_stretch) {
  tacTickSample samples[TICKS];
  make_samples(samples);
  ck_assert_int_eq(tac_ticks_stretch(0, samples), 0);
  ck_assert_int_eq(tac_ticks_stretch(TICKS, samples), TICKS);
  samples[2].tick = first + 3;
  ck_assert_int_eq(tac_ticks_stretch(TICKS, samples), 2);
  samples[1].tick = first; /* the same again */
  ck_assert_int_eq(tac_ticks_stretch(TICKS, samples), 1);
}
