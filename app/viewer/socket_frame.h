/* The frames in which WebSocket messages travel (RFC 6455, section 5), as far as the viewer needs them: a client's
 * message is one masked frame of at most TAC_VIEW_MOST_BYTES. */
#pragma once

#include <stddef.h>

typedef enum tacSocketOpcode {
  TAC_SOCKET_BINARY = 2,
  TAC_SOCKET_CLOSE = 8,
  TAC_SOCKET_PING = 9,
  TAC_SOCKET_PONG = 10
} tacSocketOpcode;

/* Why a connection is closed (RFC 6455, section 7.4.1). */
typedef enum tacSocketReason {
  TAC_SOCKET_OPEN = 0, /* it is not */
  TAC_SOCKET_GOING_AWAY = 1001,
  TAC_SOCKET_MALFORMED = 1002,
  TAC_SOCKET_NOT_BINARY = 1003,
  TAC_SOCKET_POLICY = 1008,
  TAC_SOCKET_TOO_LONG = 1009,
  TAC_SOCKET_FAILED = 1011,
  TAC_SOCKET_FULL = 1013
} tacSocketReason;

enum { TAC_SOCKET_CONTROL = 125, TAC_SOCKET_MOST_HEAD = 10 }; /* bytes in a control frame, and of what precedes ours */

typedef struct tacSocketFrame {
  tacSocketOpcode opcode;
  unsigned char *payload; /* in the bytes that were read, unmasked */
  size_t size;            /* of the payload */
  size_t whole;           /* of the frame; 0 while some of it is missing */
} tacSocketFrame;

/* The first of a client's frames in `bytes`, which are changed. What is wrong is found as early as it can be, before
 * the payload has come; then the reason to close is returned. */
tacSocketReason tac_socket_frame_read(unsigned char *bytes, size_t size, tacSocketFrame *frame);

/* What precedes `size` bytes of ours; returns its size. */
size_t tac_socket_frame_head(tacSocketOpcode opcode, size_t size, unsigned char head[TAC_SOCKET_MOST_HEAD]);

/* The reason in a client's closing frame, which is to be given back; TAC_SOCKET_MALFORMED for one that is not
 * allowed. 0 where there is none. */
int tac_socket_frame_reason(const tacSocketFrame *frame);
