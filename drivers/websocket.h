/* A client of a WebSocket (RFC 6455) that speaks text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/base.h>

enum { TAC_WEBSOCKET_MOST = 262144 }; /* bytes of a message */

typedef struct tacWebSocket {
  int socket;
  size_t used;              /* bytes in `in` */
  size_t whole;             /* those of the message that was given last, and everything before it */
  size_t message;           /* payload that was gathered of a message in several frames */
  unsigned char *in, *text; /* TAC_WEBSOCKET_MOST each */
  uint32_t mask;            /* of the next frame */
} tacWebSocket;

/* Connects to "ws://HOST[:PORT][/PATH]" and shakes hands, within `timeout` seconds. */
tacStatus tac_websocket_open(const char *url, double timeout, tacWebSocket *client, tacError *error);
void tac_websocket_close(tacWebSocket *client); /* a zeroed one is allowed */

/* Waits up to `timeout` seconds for a text message; `*text` (zero at its end) stays until the next call, NULL where none
 * came. Answers pings. */
tacStatus tac_websocket_receive(tacWebSocket *client, double timeout, const char **text, tacError *error);
tacStatus tac_websocket_send(tacWebSocket *client, const char *text, size_t size, tacError *error);
