/* Reads the viewer's messages as docs/viewer_protocol.md says, on its own. */
#pragma once

#include <stdint.h>
#include <string.h>
#include "app/viewer/protocol/packet.h"
#include "math/geometry/vec3.h"
#include "test.h"

typedef struct Reader {
  const unsigned char *bytes;
  size_t size, at;
} Reader;

static inline uint32_t read_u32(Reader *r) {
  ck_assert_uint_le(r->at + 4, r->size);
  const unsigned char *b = r->bytes + r->at;
  r->at += 4;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline double read_f32(Reader *r) {
  uint32_t bits = read_u32(r);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static inline tacVec3 read_vec3(Reader *r) {
  double x = read_f32(r), y = read_f32(r), z = read_f32(r);
  return tac_vec3(x, y, z);
}

static inline double read_i16(const unsigned char *b) {
  int value = b[0] + 256 * b[1];
  return value < 32768 ? value : value - 65536;
}

static inline unsigned read_u16(const unsigned char *b) {
  return b[0] + 256u * b[1];
}

/* The next numbers must be these. */
static inline void read_and_check(Reader *r, size_t count, const uint32_t *expected) {
  for (size_t i = 0; i < count; ++i) ck_assert_uint_eq(read_u32(r), expected[i]);
}
#define check_u32(r, ...) \
  read_and_check(r, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

/* Behind the head, which must be of that type. */
static inline Reader open_packet(tacPacket *packet, unsigned type, unsigned a, uint32_t b) {
  Reader r = {tac_packet_bytes(packet), tac_packet_size(packet), 4};
  ck_assert_uint_eq(r.bytes[0], type);
  ck_assert_uint_eq(r.bytes[1], 1);
  ck_assert_uint_eq(read_u16(r.bytes + 2), a);
  ck_assert_uint_eq(read_u32(&r), b);
  return r;
}

/* The frame's sections with a tag: the one with that number; `bytes` is NULL where there are fewer. Checks all lengths. */
static inline Reader find_section(tacPacket *packet, uint32_t tag, int number) {
  Reader r = {tac_packet_bytes(packet), tac_packet_size(packet), 32}, found = {0};
  unsigned sections = read_u16(r.bytes + 2);
  for (unsigned i = 0; i < sections; ++i) {
    uint32_t now = read_u32(&r), length = read_u32(&r);
    ck_assert_uint_eq(length % 8, 0);
    if (now == tag && number-- == 0) found = (Reader){r.bytes, r.at + length, r.at};
    r.at += length;
  }
  ck_assert_uint_eq(r.at, r.size);
  return found;
}
