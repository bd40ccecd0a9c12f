/* The sockets that civetweb opens and keeps to itself. We need the one of a client to speak WebSocket on it
 * ourselves: civetweb takes frames without a mask and messages of 2 GiB, and what blocks in it cannot be ended. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* This process's end of the connection between `remote_port` of `remote` (IPv4) and our `port`; -1 where there is
 * none. It must be known to stay open. */
int tac_socket_search_connection(const char *remote, int remote_port, int port);
/* The socket that listens at `port` of `address` (IPv4), or -1. */
int tac_socket_search_listener(const char *address, int port);

/* A connection that nothing was ever sent on, that has no bytes that wait to be read, and is open for reading. */
typedef struct tacSilentSocket {
  uint64_t cookie, received; /* the system's name for it; bytes */
} tacSilentSocket;
/* Those to our `port`, at most `most`; returns how many. */
int tac_socket_search_silent(int port, int most, tacSilentSocket *silent);
/* Nothing more is read from those of them that are as they were: whoever waits for their bytes finds the end. */
void tac_socket_search_end_silent(int port, int count, const tacSilentSocket *silent);
