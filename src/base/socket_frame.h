/* The frames in which WebSocket messages travel (RFC 6455, section 5), as far as we need them. A client's message is one masked
 * binary frame; a server's is text or binary, in one frame or several. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tacSocketOpcode {
  TAC_SOCKET_CONTINUED = 0,
  TAC_SOCKET_TEXT = 1,
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

typedef enum tacSocketSender { TAC_SOCKET_FROM_CLIENT, TAC_SOCKET_FROM_SERVER } tacSocketSender;

enum {
  TAC_SOCKET_CONTROL = 125, /* bytes in a control frame */
  TAC_SOCKET_MASK = 4,
  TAC_SOCKET_MOST_HEAD = 10 + TAC_SOCKET_MASK
};

typedef struct tacSocketFrame {
  tacSocketOpcode opcode;
  bool last;              /* of its message */
  unsigned char *payload; /* in the bytes that were read, unmasked */
  size_t size;            /* of the payload */
  size_t whole;           /* of the frame; 0 while some of it is missing */
} tacSocketFrame;

/* The first of the sender's frames in `bytes`, which are changed; its payload may have `most` bytes. What is wrong is found as
 * early as it can be, before the payload has come; then the reason to close is returned. */
tacSocketReason tac_socket_frame_read(unsigned char *bytes, size_t size, tacSocketSender sender, size_t most,
                                      tacSocketFrame *frame);

/* What precedes `size` bytes of a server; returns its size. */
size_t tac_socket_frame_head(tacSocketOpcode opcode, size_t size, unsigned char head[TAC_SOCKET_MOST_HEAD]);
/* What precedes `size` bytes of a client; the mask is at its end. */
size_t tac_socket_frame_masked_head(tacSocketOpcode opcode, size_t size, uint32_t mask,
                                    unsigned char head[TAC_SOCKET_MOST_HEAD]);
/* Masks a payload, or unmasks it. */
void tac_socket_frame_mask(unsigned char *payload, size_t size, const unsigned char mask[TAC_SOCKET_MASK]);

/* The reason in a client's closing frame, which is to be given back; TAC_SOCKET_MALFORMED for one that is not
 * allowed. 0 where there is none. */
int tac_socket_frame_reason(const tacSocketFrame *frame);
