/* The viewer's server: the page's files over HTTP, and one WebSocket for every page that is open. Slow clients miss
 * frames and hold nobody up.
 *
 * Callbacks come on the server's threads, several at a time, but those of one client one after the other. They should
 * return soon, since what they are called for waits meanwhile, and use little stack: on some machines these threads have
 * 100 KiB. They may send, but not stop the server. None comes before tac_view_server_start has set `server`, or after
 * tac_view_server_stop has returned. */
#ifndef TAC_VIEWER_SERVER_H
#define TAC_VIEWER_SERVER_H

#include "app/viewer/packet.h"
#include "app/viewer/protocol.h"

enum { TAC_VIEW_MOST_CLIENTS = 8 };

typedef struct tacViewServer tacViewServer;

typedef struct tacViewHandler {
  void *context;
  /* A client may be sent to from here on. Clients are numbered from 1 and numbers do not return. */
  void (*joined)(void *context, int client);
  void (*left)(void *context, int client); /* once for each that joined; it is sent nothing any more */
  void (*message)(void *context, int client, const tacViewMessage *message); /* of clients between joined and left */
  /* The file of /pictures/NAME.png (at most 16 MiB): its path into `path`; false where there is none. NAME has
   * letters, digits, - and _ only, 64 at most. NULL: no pictures. */
  bool (*picture)(void *context, const char *name, char *path, size_t size);
  /* The bytes of PUT /picture (a PNG, at most 64 MiB), from the page that draws for the program; one at a time. NULL:
   * refused. */
  void (*drawn)(void *context, const unsigned char *bytes, size_t size);
} tacViewHandler;

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
int tac_view_server_client_count(const tacViewServer *server);

/* Any thread; never wait for a client. The packet stays the caller's, and no byte of it changes any more. */
/* In order, none is left out; a client for whom more than 256 MiB wait is closed. `client` 0: all that have been
 * sent something of their own before. So the welcome always comes first: whoever greets a client in `joined` under
 * the lock under which it sends to all misses nothing. */
void tac_view_server_send(tacViewServer *server, int client, tacPacket *packet);
/* The latest only: a frame that has not been sent when the next one comes is dropped. Clients that have not shown
 * all but one of those sent to them get none, nor do those that have not been greeted. To show a frame is to show
 * those before it too. A frame follows all that was sent (tac_view_server_send) before it. */
void tac_view_server_frame(tacViewServer *server, tacPacket *packet);
/* Whether some client would get a frame now. */
bool tac_view_server_wants_frame(const tacViewServer *server);

/* The page's file for a URL's path ("/", "/viewer.js"): part of the program. NULL where there is none. */
typedef struct tacPageFile {
  const char *path, *type; /* "text/html; charset=utf-8" */
  const unsigned char *bytes;
  size_t size;
} tacPageFile;
const tacPageFile *tac_page_file(const char *path);
/* "" where the page is whole; else a line that says what the build lacked and how to get it. */
const char *tac_page_missing(void);

#endif
