/* The viewer's server: the page's files over HTTP, and one WebSocket for every page that is open. Slow clients miss
 * frames and hold nobody up. */
#pragma once

#include "app/viewer/protocol/handler.h"
#include "app/viewer/protocol/packet.h"
#include "app/viewer/protocol/sink.h"

enum { TAC_VIEW_MOST_CLIENTS = 8 };

typedef struct tacViewServer tacViewServer;

typedef struct tacViewServerDef {
  const char *address; /* IPv4: "127.0.0.1", "0.0.0.0"; or "localhost" */
  int port;            /* 0: any that is free */
  const char *token;   /* NULL: none; required unless the address is a loopback one; at most 128 characters */
  tacViewHandler handler;
} tacViewServerDef;

/* Errors say what to do: "port 8080 of 127.0.0.1 is taken: choose another with --port, or 0 for any". */
tacStatus tac_view_server_start(const tacViewServerDef *def, tacViewServer **server, tacError *error);
void tac_view_server_stop(tacViewServer *server); /* closes every client; NULL is allowed */
int tac_view_server_port(const tacViewServer *server);

/* What a session speaks to. Messages are sent in order, none is left out; a client for whom more than 256 MiB wait is closed. To all
 * are those that have been sent something of their own before. So the welcome always comes first: whoever greets a client in `joined`
 * under the lock under which it sends to all misses nothing. Of frames the latest only: one that has not been sent when the next one
 * comes is dropped. Clients that have not shown all but one of those sent to them get none, nor do those that have not been greeted.
 * To show a frame is to show those before it too. A frame follows all that was sent before it. Ticks come with the next frame, before
 * it, however many frames a client misses until then; of more than TAC_VIEW_MOST_TICKS that wait the oldest are dropped. */
tacViewSink tac_view_server_sink(tacViewServer *server);
enum { TAC_VIEW_MOST_TICKS = 600 }; /* 10 s, where they come with every frame */
