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

/* A connection that nothing was ever sent on, and that is open for reading. */
typedef struct tacUnansweredSocket {
  uint64_t cookie; /* the system's name for it */
  uint32_t remote; /* IPv4 address, as in struct in_addr */
  int remote_port;
} tacUnansweredSocket;
/* Those to our `port`, at most `most`; returns how many. */
int tac_socket_search_unanswered(int port, int most, tacUnansweredSocket *unanswered);
/* Nothing more is waited for from those of them that are unanswered still: what has come is read, and then the end. */
void tac_socket_search_end_unanswered(int port, int count, const tacUnansweredSocket *unanswered);
