/* Where a session's messages go: the server's clients (tac_view_server_sink), or whoever stands in for them in a test. Any thread
 * calls; none waits for a client. A packet stays the caller's, and no byte of it changes any more. server.h says more. */
#pragma once

#include <stdbool.h>
#include "app/viewer/protocol/packet.h"

typedef struct tacViewSink {
  void *context;
  void (*send)(void *context, int client, tacPacket *packet); /* client 0: to all that have been greeted */
  void (*frame)(void *context, tacPacket *packet);            /* to all that want one */
  void (*ticks)(void *context, tacPacket *packet);            /* to all, with their next frame */
  bool (*wants_frame)(void *context);                         /* whether some client would get one now */
  int (*client_count)(void *context);
} tacViewSink;
