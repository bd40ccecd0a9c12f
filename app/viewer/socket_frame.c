#include "app/viewer/socket_frame.h"

#include <stdbool.h>
#include <stdint.h>
#include "app/viewer/protocol.h"

enum { LAST = 0x80, MASKED = 0x80, LENGTH = 0x7F, LENGTH_16 = 126, LENGTH_64 = 127, MASK_SIZE = 4 };

static uint64_t read_big_endian(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

tacSocketReason tac_socket_frame_read(unsigned char *bytes, size_t size, tacSocketFrame *frame) {
  *frame = (tacSocketFrame){0};
  if (size < 2) return TAC_SOCKET_OPEN;
  unsigned opcode = bytes[0] & 0x0F, length = bytes[1] & LENGTH;
  bool control = opcode == TAC_SOCKET_CLOSE || opcode == TAC_SOCKET_PING || opcode == TAC_SOCKET_PONG;
  if ((bytes[0] & ~0x0F) != LAST) return TAC_SOCKET_MALFORMED; /* one of several, or with bits of an extension */
  if ((bytes[1] & MASKED) == 0) return TAC_SOCKET_MALFORMED;
  if (opcode == 1) return TAC_SOCKET_NOT_BINARY;
  if (!control && opcode != TAC_SOCKET_BINARY) return TAC_SOCKET_MALFORMED;
  if (control && length > TAC_SOCKET_CONTROL) return TAC_SOCKET_MALFORMED;

  int extended = length == LENGTH_16 ? 2 : length == LENGTH_64 ? 8 : 0;
  size_t head = 2 + (size_t)extended;
  if (size < head) return TAC_SOCKET_OPEN;
  uint64_t payload = extended > 0 ? read_big_endian(bytes + 2, extended) : length;
  if (payload > TAC_VIEW_MOST_BYTES) return TAC_SOCKET_TOO_LONG;
  if (length == LENGTH_64 || (length == LENGTH_16 && payload < LENGTH_16))
    return TAC_SOCKET_MALFORMED; /* not shortest */
  const unsigned char *mask = bytes + head;
  head += MASK_SIZE;
  if (size < head + payload) return TAC_SOCKET_OPEN;

  frame->opcode = (tacSocketOpcode)opcode;
  frame->payload = bytes + head;
  frame->size = (size_t)payload;
  frame->whole = head + frame->size;
  for (size_t i = 0; i < frame->size; ++i) frame->payload[i] ^= mask[i % MASK_SIZE];
  return TAC_SOCKET_OPEN;
}

size_t tac_socket_frame_head(tacSocketOpcode opcode, size_t size, unsigned char head[TAC_SOCKET_MOST_HEAD]) {
  int extended = size < LENGTH_16 ? 0 : size <= UINT16_MAX ? 2 : 8;
  head[0] = (unsigned char)(LAST | opcode);
  head[1] = (unsigned char)(extended == 0 ? size : extended == 2 ? LENGTH_16 : LENGTH_64);
  for (int i = 0; i < extended; ++i) head[2 + i] = (unsigned char)((uint64_t)size >> (8 * (extended - 1 - i)));
  return 2 + (size_t)extended;
}

int tac_socket_frame_reason(const tacSocketFrame *frame) {
  if (frame->size == 0) return TAC_SOCKET_OPEN;
  if (frame->size == 1) return TAC_SOCKET_MALFORMED;
  int reason = (int)read_big_endian(frame->payload, 2);
  bool allowed =
      (reason >= 1000 && reason <= 1003) || (reason >= 1007 && reason <= 1014) || (reason >= 3000 && reason <= 4999);
  return allowed ? reason : TAC_SOCKET_MALFORMED;
}
