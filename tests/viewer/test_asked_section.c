/* What clients see of the ticks in which a limit kept a force from the hand. */
#include "app/viewer/asked_section.h"

#include <stdlib.h>
#include "packet_reader.h"

enum { TICKS = 5, TOOLS = 2 };

/* Only the third tick, of the second tool, and the fifth, of both, were limited. */
static void make_samples(tacTickSample samples[TICKS]) {
  memset(samples, 0, TICKS * sizeof *samples);
  for (int i = 0; i < TICKS; ++i) {
    samples[i].tick = 1000000000000 + i;
    for (int t = 0; t < TOOLS; ++t) samples[i].asked[t] = (float)(10 * i + t);
    samples[i].limits[0] = i == 4 ? TAC_LIMIT_FORCE | TAC_LIMIT_COUPLING : TAC_LIMIT_COUPLING;
    samples[i].limits[1] = i == 4 || i == 2 ? TAC_LIMIT_RATE : 0;
  }
}

static void read_entry(Reader *r, int64_t tick, uint32_t tool, uint32_t flags, double asked) {
  uint64_t low = read_u32(r), high = read_u32(r);
  ck_assert_int_eq((int64_t)(low | high << 32), tick);
  ck_assert_uint_eq(read_u32(r), tool);
  ck_assert_uint_eq(read_u32(r), flags);
  ck_assert_double_eq(read_f32(r), asked);
  ck_assert_uint_eq(read_u32(r), 0);
}

START_TEST(limited_ticks_come_with_what_was_asked_for) {
  tacTickSample samples[TICKS];
  make_samples(samples);
  size_t size = tac_asked_section_bytes(TICKS, samples, TOOLS);
  unsigned char *bytes = malloc(size);
  tacByteWriter w = {bytes, size, 0};
  ck_assert_int_eq(tac_asked_section_write(TICKS, samples, TOOLS, &w), 1);
  ck_assert_uint_eq(w.at, size);
  Reader r = {bytes, size, 0};
  ck_assert_uint_eq(read_u32(&r), 15);
  ck_assert_uint_eq(read_u32(&r), 8 + 3 * 24);
  ck_assert_uint_eq(read_u32(&r), 3);
  ck_assert_uint_eq(read_u32(&r), 0);
  read_entry(&r, 1000000000002, 1, TAC_LIMIT_RATE, 21.0);
  read_entry(&r, 1000000000004, 0, TAC_LIMIT_FORCE | TAC_LIMIT_COUPLING, 40.0);
  read_entry(&r, 1000000000004, 1, TAC_LIMIT_RATE, 41.0);
  ck_assert_uint_eq(r.at, r.size);
  free(bytes);
}
END_TEST

START_TEST(nothing_comes_where_nothing_was_limited) {
  tacTickSample samples[TICKS];
  make_samples(samples);
  ck_assert_uint_eq(tac_asked_section_bytes(2, samples, TOOLS), 0);
  tacByteWriter w = {NULL, 0, 0};
  ck_assert_int_eq(tac_asked_section_write(2, samples, TOOLS, &w), 0);
  ck_assert_uint_eq(w.at, 0);
}
END_TEST

TAC_TEST_MAIN("asked_section", limited_ticks_come_with_what_was_asked_for, nothing_comes_where_nothing_was_limited)
