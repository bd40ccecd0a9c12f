/* A small HTTP and WebSocket client over plain sockets, which can be made to misbehave. It never waits for longer than
 * WEB_TIMEOUT, and asserts. */
#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "test.h"

enum { WEB_TIMEOUT = 300 }; /* s, far longer than anything takes */

/* A connection from 127.0.0.`from` to 127.0.0.1. A small buffer makes the server feel soon that the client does not read. */
static inline int web_connect_from(int from, int port, bool small_buffer) {
  int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ck_assert_int_ge(client, 0);
  int size = 4096;
  if (small_buffer) ck_assert_int_eq(setsockopt(client, SOL_SOCKET, SO_RCVBUF, &size, sizeof size), 0);
  struct timeval patience = {.tv_sec = WEB_TIMEOUT};
  setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + (uint32_t)from);
  if (from != 1) ck_assert_int_eq(bind(client, (struct sockaddr *)&address, sizeof address), 0);
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ck_assert_int_eq(connect(client, (struct sockaddr *)&address, sizeof address), 0);
  return client;
}

static inline int web_connect(int port, bool small_buffer) {
  return web_connect_from(1, port, small_buffer);
}

/* Whatever the other side thinks of it. */
static inline void web_write(int client, const void *bytes, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t sent = send(client, (const char *)bytes + at, size - at, MSG_NOSIGNAL);
    if (sent <= 0) return;
    at += (size_t)sent;
  }
}

/* False at the end of the connection. */
static inline bool web_read(int client, void *bytes, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t got = recv(client, (char *)bytes + at, size - at, 0);
    ck_assert_msg(got >= 0 || errno == ECONNRESET || errno == EPIPE, "no answer: %s", strerror(errno));
    if (got <= 0) return false;
    at += (size_t)got;
  }
  return true;
}

typedef struct WebAnswer {
  int status;
  char head[4096]; /* with the empty line */
  unsigned char *body;
  size_t size;
} WebAnswer;

static inline void web_read_head(int client, WebAnswer *answer) {
  size_t length = 0;
  memset(answer, 0, sizeof *answer);
  while (length < sizeof answer->head - 1 && strstr(answer->head, "\r\n\r\n") == NULL)
    if (!web_read(client, answer->head + length++, 1)) break;
  ck_assert_msg(sscanf(answer->head, "HTTP/1.1 %d", &answer->status) == 1, "no answer but \"%s\"", answer->head);
}

/* The value of a header in `text`, NULL where there is none. */
static inline const char *web_header(const WebAnswer *answer, const char *name, char *text, size_t size) {
  char start[64];
  snprintf(start, sizeof start, "\r\n%s: ", name);
  const char *found = strcasestr(answer->head, start);
  if (found == NULL) return NULL;
  found += strlen(start);
  snprintf(text, size, "%.*s", (int)strcspn(found, "\r"), found);
  return text;
}

/* A request with a body, of which `host` may be NULL and `more` are further headers with their line ends; reads to the end of the
 * connection. web_free frees. */
static inline void web_put(int port, const char *method, const char *path, const char *host, const char *more,
                           const void *body, size_t size, WebAnswer *answer) {
  char request[8192];
  int client = web_connect(port, false);
  snprintf(request, sizeof request, "%s %s HTTP/1.1\r\n%s%s%s%s\r\n", method, path, host != NULL ? "Host: " : "",
           host != NULL ? host : "", host != NULL ? "\r\n" : "", more);
  web_write(client, request, strlen(request));
  web_write(client, body, size);
  web_read_head(client, answer);
  const size_t most = 16 << 20;
  answer->body = malloc(most);
  ck_assert_ptr_nonnull(answer->body);
  for (ssize_t got; (got = recv(client, answer->body + answer->size, most - answer->size, 0)) > 0;)
    answer->size += (size_t)got;
  close(client);
}

static inline void web_ask(int port, const char *method, const char *path, const char *host, const char *more,
                           WebAnswer *answer) {
  web_put(port, method, path, host, more, NULL, 0, answer);
}

static inline void web_free(WebAnswer *answer) {
  free(answer->body);
  *answer = (WebAnswer){0};
}

/* The status alone. */
static inline int web_status(int port, const char *method, const char *path, const char *host, const char *more) {
  TAC_FREED(web_free, WebAnswer, answer);
  web_ask(port, method, path, host, more, &answer);
  return answer.status;
}

/* Asks for the socket; returns it where the answer is 101, else -1 with the status. */
static inline int web_socket_at(int port, const char *path, const char *more, bool small_buffer, int *status) {
  int client = web_connect(port, small_buffer);
  char request[8192], accept[64];
  snprintf(request, sizeof request,
           "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
           path, port, more);
  web_write(client, request, strlen(request));
  WebAnswer answer;
  web_read_head(client, &answer);
  *status = answer.status;
  if (answer.status == 101) { /* key and answer are the example of RFC 6455, section 1.3 */
    ck_assert_ptr_nonnull(web_header(&answer, "Sec-WebSocket-Accept", accept, sizeof accept));
    ck_assert_str_eq(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    return client;
  }
  close(client);
  return -1;
}

static inline int web_socket(int port) {
  int status, client = web_socket_at(port, "/socket", "", false, &status);
  ck_assert_int_eq(status, 101);
  return client;
}

/* A frame with any first byte; `masked` as clients must. */
static inline void web_send_frame(int client, unsigned first, bool masked, const void *payload, size_t size) {
  const unsigned char mask[4] = {0x12, 0xA4, 0x56, 0xE8};
  TAC_MEMORY(unsigned char, frame) = malloc(size + 14);
  ck_assert_ptr_nonnull(frame);
  size_t at = 0;
  frame[at++] = (unsigned char)first;
  frame[at++] = (unsigned char)((masked ? 0x80 : 0) | (size < 126 ? size : size < 65536 ? 126 : 127));
  for (int i = size < 126 ? 0 : size < 65536 ? 2 : 8; i > 0; --i)
    frame[at++] = (unsigned char)((uint64_t)size >> (8 * (i - 1)));
  for (int i = 0; masked && i < 4; ++i) frame[at++] = mask[i];
  for (size_t i = 0; i < size; ++i)
    frame[at++] = (unsigned char)(((const unsigned char *)payload)[i] ^ (masked ? mask[i % 4] : 0));
  web_write(client, frame, at);
}

static inline void web_send(int client, const void *payload, size_t size) {
  web_send_frame(client, 0x82, true, payload, size);
}

/* The next frame of the server: its opcode, -1 at the end of the connection. The payload is malloc'ed. */
static inline int web_receive(int client, unsigned char **payload, size_t *size) {
  unsigned char head[10];
  *payload = NULL;
  *size = 0;
  if (!web_read(client, head, 2)) return -1;
  ck_assert_msg((head[0] & 0xF0) == 0x80 && (head[1] & 0x80) == 0, "a frame begins with %02x %02x", head[0], head[1]);
  int extended = head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0;
  if (!web_read(client, head + 2, (size_t)extended)) return -1;
  uint64_t length = extended == 0 ? head[1] : 0;
  for (int i = 0; i < extended; ++i) length = length << 8 | head[2 + i];
  ck_assert_uint_le(length, 1u << 30);
  *payload = malloc((size_t)length + 1);
  ck_assert_ptr_nonnull(*payload);
  *size = (size_t)length;
  if (web_read(client, *payload, *size)) return head[0] & 0x0F;
  free(*payload);
  *payload = NULL;
  return -1;
}

/* Reads to the end; returns the code of the closing frame, 0 where it had none, -1 where none came. Closes the
 * socket. */
static inline int web_closing_code(int client) {
  unsigned char *payload;
  size_t size;
  int code = -1, opcode;
  while ((opcode = web_receive(client, &payload, &size)) >= 0) {
    if (opcode == 8) code = size >= 2 ? payload[0] << 8 | payload[1] : 0;
    free(payload);
  }
  close(client);
  return code;
}
