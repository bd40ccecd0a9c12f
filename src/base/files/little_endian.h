/* Numbers in files, lowest byte first, at any address. Compilers turn each into one load or store. */
#pragma once

#include <stdint.h>

static inline uint32_t tac_little_endian_u32(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t tac_little_endian_u64(const unsigned char *bytes) {
  return (uint64_t)tac_little_endian_u32(bytes) | (uint64_t)tac_little_endian_u32(bytes + 4) << 32;
}

static inline void tac_little_endian_put_u32(uint32_t value, unsigned char *bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = (unsigned char)(value >> (8 * i));
}

static inline void tac_little_endian_put_u64(uint64_t value, unsigned char *bytes) {
  for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)(value >> (8 * i));
}
