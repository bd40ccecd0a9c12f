#include "base/files/checksum.h"

#include "base/files/little_endian.h"

/* The constants and steps of XXH64 are those of its published specification. */
static const uint64_t prime1 = 0x9E3779B185EBCA87u, prime2 = 0xC2B2AE3D27D4EB4Fu, prime3 = 0x165667B19E3779F9u,
                      prime4 = 0x85EBCA77C2B2AE63u, prime5 = 0x27D4EB2F165667C5u;

static uint64_t rotate(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

static uint64_t mix(uint64_t lane, uint64_t word) {
  return rotate(lane + word * prime2, 31) * prime1;
}

uint64_t tac_checksum(const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  size_t left = size;
  uint64_t sum = prime5;
  if (left >= 32) {
    uint64_t lanes[4] = {prime1 + prime2, prime2, 0, 0 - prime1};
    for (; left >= 32; at += 32, left -= 32)
      for (int i = 0; i < 4; ++i) lanes[i] = mix(lanes[i], tac_little_endian_u64(at + 8 * i));
    sum = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
    for (int i = 0; i < 4; ++i) sum = (sum ^ mix(0, lanes[i])) * prime1 + prime4;
  }
  sum += size;
  for (; left >= 8; at += 8, left -= 8) sum = rotate(sum ^ mix(0, tac_little_endian_u64(at)), 27) * prime1 + prime4;
  if (left >= 4) {
    sum = rotate(sum ^ tac_little_endian_u32(at) * prime1, 23) * prime2 + prime3;
    at += 4;
    left -= 4;
  }
  for (; left > 0; ++at, --left) sum = rotate(sum ^ *at * prime5, 11) * prime1;
  sum = (sum ^ sum >> 33) * prime2;
  sum = (sum ^ sum >> 29) * prime3;
  return sum ^ sum >> 32;
}
