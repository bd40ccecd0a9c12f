/* Where a session's messages go: the server's clients (tac_view_server_sink), or whoever stands in for them in a test. Any thread
 * calls; none waits for a client. What each does is said in server.h. */
#pragma once

#include <stdbool.h>
#include "app/viewer/protocol/packet.h"

typedef struct tacViewSink {
  void *context;
  void (*send)(void *context, int client, tacPacket *packet); /* client 0: to all that have been greeted */
  void (*frame)(void *context, tacPacket *packet);            /* to all that want one */
  void (*ticks)(void *context, tacPacket *packet);            /* to all, with their next frame */
  bool (*wants_frame)(void *context);
  int (*client_count)(void *context);
} tacViewSink;
