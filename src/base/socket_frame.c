#include "base/socket_frame.h"

enum { LAST = 0x80, EXTENSION = 0x70, OPCODE = 0x0F, MASKED = 0x80, LENGTH = 0x7F, LENGTH_16 = 126, LENGTH_64 = 127 };

static uint64_t read_big_endian(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

/* What the first two bytes have. */
static tacSocketReason check_start(const unsigned char *bytes, tacSocketSender sender) {
  unsigned opcode = bytes[0] & OPCODE;
  bool control = opcode == TAC_SOCKET_CLOSE || opcode == TAC_SOCKET_PING || opcode == TAC_SOCKET_PONG;
  bool whole = (bytes[0] & LAST) != 0, from_client = sender == TAC_SOCKET_FROM_CLIENT;
  if ((bytes[0] & EXTENSION) != 0 || ((bytes[1] & MASKED) != 0) != from_client) return TAC_SOCKET_MALFORMED;
  if (!whole && (control || from_client)) return TAC_SOCKET_MALFORMED;
  if (opcode == TAC_SOCKET_TEXT && from_client) return TAC_SOCKET_NOT_BINARY;
  if (!control && opcode > TAC_SOCKET_BINARY) return TAC_SOCKET_MALFORMED;
  if (opcode == TAC_SOCKET_CONTINUED && from_client) return TAC_SOCKET_MALFORMED;
  return control && (bytes[1] & LENGTH) > TAC_SOCKET_CONTROL ? TAC_SOCKET_MALFORMED : TAC_SOCKET_OPEN;
}

tacSocketReason tac_socket_frame_read(unsigned char *bytes, size_t size, tacSocketSender sender, size_t most,
                                      tacSocketFrame *frame) {
  *frame = (tacSocketFrame){0};
  if (size < 2) return TAC_SOCKET_OPEN;
  tacSocketReason wrong = check_start(bytes, sender);
  if (wrong != TAC_SOCKET_OPEN) return wrong;

  unsigned length = bytes[1] & LENGTH;
  int extended = length == LENGTH_16 ? 2 : length == LENGTH_64 ? 8 : 0;
  size_t head = 2 + (size_t)extended;
  if (size < head) return TAC_SOCKET_OPEN;
  uint64_t payload = extended > 0 ? read_big_endian(bytes + 2, extended) : length;
  if (payload > most) return TAC_SOCKET_TOO_LONG;
  if ((extended == 8 && payload <= UINT16_MAX) || (extended == 2 && payload < LENGTH_16))
    return TAC_SOCKET_MALFORMED; /* not shortest */
  const unsigned char *mask = bytes + head;
  if (sender == TAC_SOCKET_FROM_CLIENT) head += TAC_SOCKET_MASK;
  if (size < head + payload) return TAC_SOCKET_OPEN;

  frame->opcode = (tacSocketOpcode)(bytes[0] & OPCODE);
  frame->last = (bytes[0] & LAST) != 0;
  frame->payload = bytes + head;
  frame->size = (size_t)payload;
  frame->whole = head + frame->size;
  if (sender == TAC_SOCKET_FROM_CLIENT) tac_socket_frame_mask(frame->payload, frame->size, mask);
  return TAC_SOCKET_OPEN;
}

size_t tac_socket_frame_head(tacSocketOpcode opcode, size_t size, unsigned char head[TAC_SOCKET_MOST_HEAD]) {
  int extended = size < LENGTH_16 ? 0 : size <= UINT16_MAX ? 2 : 8;
  head[0] = (unsigned char)(LAST | opcode);
  head[1] = (unsigned char)(extended == 0 ? size : extended == 2 ? LENGTH_16 : LENGTH_64);
  for (int i = 0; i < extended; ++i) head[2 + i] = (unsigned char)((uint64_t)size >> (8 * (extended - 1 - i)));
  return 2 + (size_t)extended;
}

size_t tac_socket_frame_masked_head(tacSocketOpcode opcode, size_t size, uint32_t mask,
                                    unsigned char head[TAC_SOCKET_MOST_HEAD]) {
  size_t length = tac_socket_frame_head(opcode, size, head);
  head[1] |= MASKED;
  for (int i = 0; i < TAC_SOCKET_MASK; ++i) head[length++] = (unsigned char)(mask >> (8 * i));
  return length;
}

void tac_socket_frame_mask(unsigned char *payload, size_t size, const unsigned char mask[TAC_SOCKET_MASK]) {
  for (size_t i = 0; i < size; ++i) payload[i] ^= mask[i % TAC_SOCKET_MASK];
}

int tac_socket_frame_reason(const tacSocketFrame *frame) {
  if (frame->size == 0) return TAC_SOCKET_OPEN;
  if (frame->size == 1) return TAC_SOCKET_MALFORMED;
  int reason = (int)read_big_endian(frame->payload, 2);
  bool allowed =
      (reason >= 1000 && reason <= 1003) || (reason >= 1007 && reason <= 1014) || (reason >= 3000 && reason <= 4999);
  return allowed ? reason : TAC_SOCKET_MALFORMED;
}
