/* Numbers as bytes of a file, in either byte order, whatever the machine's own is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t tac_bytes_load(const unsigned char *bytes, size_t size, bool big_endian) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) value |= (uint64_t)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
  return value;
}
static inline void tac_bytes_store(unsigned char *bytes, size_t size, bool big_endian, uint64_t value) {
  for (size_t i = 0; i < size; ++i) bytes[i] = (unsigned char)(value >> 8 * (big_endian ? size - 1 - i : i));
}
static inline float tac_bytes_load_float(const unsigned char *bytes, bool big_endian) {
  uint32_t bits = (uint32_t)tac_bytes_load(bytes, 4, big_endian);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline double tac_bytes_load_double(const unsigned char *bytes, bool big_endian) {
  uint64_t bits = tac_bytes_load(bytes, 8, big_endian);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline void tac_bytes_store_float(unsigned char *bytes, bool big_endian, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  tac_bytes_store(bytes, 4, big_endian, bits);
}
static inline void tac_bytes_store_double(unsigned char *bytes, bool big_endian, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  tac_bytes_store(bytes, 8, big_endian, bits);
}
