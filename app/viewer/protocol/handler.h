/* What the viewer's server calls.
 *
 * Callbacks come on the server's threads, several at a time, but those of one client one after the other. They should
 * return soon, since what they are called for waits meanwhile, and use little stack: these threads have 512 KiB, with
 * the thread-local variables of libraries. They may send, but not stop the server. None comes before tac_view_server_start has set `server`, or
 * after tac_view_server_stop has returned. */
#pragma once

#include "app/viewer/protocol/protocol.h"

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
  /* The file of /recordings/NAME: its path into `path`; false where there is none. NAME is one that tac_recordings_name_valid
   * allows. NULL: none. */
  bool (*recording)(void *context, const char *name, char *path, size_t size);
} tacViewHandler;
