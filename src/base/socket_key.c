#include "base/socket_key.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "base/base64.h"

static uint32_t turned(uint32_t value, int bits) {
  return value << bits | value >> (32 - bits);
}

static void sha1_block(const unsigned char *block, uint32_t h[5]) {
  uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 16; ++i)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 80; ++i) w[i] = turned(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; ++i) {
    uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
    uint32_t k = i < 20 ? 0x5A827999u : i < 40 ? 0x6ED9EBA1u : i < 60 ? 0x8F1BBCDCu : 0xCA62C1D6u;
    uint32_t next = turned(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = turned(b, 30);
    b = a;
    a = next;
  }
  const uint32_t sum[5] = {a, b, c, d, e};
  for (int i = 0; i < 5; ++i) h[i] += sum[i];
}

/* Of a short text: FIPS 180-4. */
static void sha1(const char *text, unsigned char digest[20]) {
  uint32_t h[5] = {0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u};
  unsigned char padded[192] = {0};
  size_t length = strnlen(text, sizeof padded - 9), whole = (length + 9 + 63) / 64 * 64;
  memcpy(padded, text, length);
  padded[length] = 0x80;
  for (int i = 0; i < 8; ++i) padded[whole - 1 - (size_t)i] = (unsigned char)((uint64_t)(8 * length) >> (8 * i));
  for (size_t at = 0; at < whole; at += 64) sha1_block(padded + at, h);
  for (int i = 0; i < 20; ++i) digest[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

void tac_socket_accept(const char *key, char accept[TAC_SOCKET_ACCEPT]) {
  char text[128];
  unsigned char digest[20];
  snprintf(text, sizeof text, "%.64s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  sha1(text, digest);
  tac_base64_text(digest, sizeof digest, accept);
}
