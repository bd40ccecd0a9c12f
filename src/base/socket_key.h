/* The handshake of a WebSocket (RFC 6455, section 4): what a server answers to a client's key. */
#pragma once

enum { TAC_SOCKET_ACCEPT = 29 }; /* bytes of the answer, with the zero at its end */

/* Of at most 64 characters of the key. */
void tac_socket_accept(const char *key, char accept[TAC_SOCKET_ACCEPT]);
