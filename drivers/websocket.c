#include "drivers/websocket.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/error.h"

/* ---- the handshake's key ---- */

static uint32_t turned(uint32_t value, int bits) {
  return value << bits | value >> (32 - bits);
}

static void sha1_block(const unsigned char *block, uint32_t h[5]) {
  uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 16; ++i)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 80; ++i) w[i] = turned(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; ++i) {
    uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
    uint32_t k = i < 20 ? 0x5A827999u : i < 40 ? 0x6ED9EBA1u : i < 60 ? 0x8F1BBCDCu : 0xCA62C1D6u;
    uint32_t next = turned(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = turned(b, 30);
    b = a;
    a = next;
  }
  const uint32_t sum[5] = {a, b, c, d, e};
  for (int i = 0; i < 5; ++i) h[i] += sum[i];
}

/* Of a short text: FIPS 180-4. */
static void sha1(const char *text, unsigned char digest[20]) {
  uint32_t h[5] = {0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u};
  unsigned char padded[192] = {0};
  size_t length = strnlen(text, sizeof padded - 9), whole = (length + 9 + 63) / 64 * 64;
  memcpy(padded, text, length);
  padded[length] = 0x80;
  for (int i = 0; i < 8; ++i) padded[whole - 1 - (size_t)i] = (unsigned char)((uint64_t)(8 * length) >> (8 * i));
  for (size_t at = 0; at < whole; at += 64) sha1_block(padded + at, h);
  for (int i = 0; i < 20; ++i) digest[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void base64(const unsigned char *bytes, size_t size, char *text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    unsigned group = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                     (left > 2 ? (unsigned)bytes[i + 2] : 0);
    *text++ = digits[group >> 18];
    *text++ = digits[group >> 12 & 63];
    *text++ = left > 1 ? digits[group >> 6 & 63] : '=';
    *text++ = left > 2 ? digits[group & 63] : '=';
  }
  *text = 0;
}

void tac_websocket_accept(const char *key, char accept[TAC_WEBSOCKET_ACCEPT]) {
  char text[128];
  unsigned char digest[20];
  snprintf(text, sizeof text, "%.64s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  sha1(text, digest);
  base64(digest, sizeof digest, accept);
}

/* ---- a client ---- */

enum { LAST = 0x80, MASKED = 0x80, CONTINUED = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };

/* Whether the socket is ready before `deadline`; a stopping servo does not wait for longer than that. */
static bool ready(int socket, short events, int64_t deadline) {
  int64_t left = deadline - tac_clock_now();
  struct pollfd waits = {.fd = socket, .events = events};
  int64_t milliseconds = left > 0 ? (left + 999999) / 1000000 : 0;
  return poll(&waits, 1, (int)milliseconds) > 0;
}

static tacStatus broken(const char *what, int reason, tacError *error) {
  if (reason == EPIPE || reason == ECONNRESET) return tac_error_set(error, TAC_ERR_FILE, "has closed the connection");
  return tac_error_set(error, TAC_ERR_FILE, "cannot %s: %s", what, strerror(reason));
}

static tacStatus send_all(int socket, const void *bytes, size_t size, int64_t deadline, tacError *error) {
  for (size_t sent = 0; sent < size;) {
    ssize_t now = send(socket, (const char *)bytes + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (now > 0)
      sent += (size_t)now;
    else if (now < 0 && errno != EAGAIN && errno != EINTR)
      return broken("send", errno, error);
    else if (!ready(socket, POLLOUT, deadline))
      return tac_error_set(error, TAC_ERR_FILE, "takes nothing that is sent to it");
  }
  return TAC_OK;
}

/* More bytes; none within the time is no error. */
static tacStatus receive_more(tacWebSocket *client, int64_t deadline, bool *came, tacError *error) {
  *came = false;
  if (!ready(client->socket, POLLIN, deadline)) return TAC_OK;
  ssize_t size = recv(client->socket, client->in + client->used, TAC_WEBSOCKET_MOST - client->used, MSG_DONTWAIT);
  if (size == 0) return tac_error_set(error, TAC_ERR_FILE, "has closed the connection");
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return TAC_OK;
  if (size < 0) return broken("receive", errno, error);
  client->used += (size_t)size;
  *came = true;
  return TAC_OK;
}

static tacStatus dial(const char *host, const char *port, int64_t deadline, int *made, tacError *error) {
  struct addrinfo wish = {.ai_socktype = SOCK_STREAM}, *found = NULL;
  int failed = getaddrinfo(host, port, &wish, &found);
  if (failed != 0) return tac_error_set(error, TAC_ERR_FILE, "%s: %s", host, gai_strerror(failed));
  int reason = ECONNREFUSED;
  *made = -1;
  for (struct addrinfo *one = found; one != NULL && *made < 0; one = one->ai_next) {
    int s = socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    socklen_t size = sizeof reason;
    if (s < 0) continue;
    if (connect(s, one->ai_addr, one->ai_addrlen) == 0 ||
        (errno == EINPROGRESS && ready(s, POLLOUT, deadline) &&
         getsockopt(s, SOL_SOCKET, SO_ERROR, &reason, &size) == 0 && reason == 0)) {
      int on = 1;
      setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      *made = s;
    } else {
      close(s);
    }
  }
  freeaddrinfo(found);
  return *made >= 0 ? TAC_OK
                    : tac_error_set(error, TAC_ERR_FILE, "nothing answers at %s:%s (%s)", host, port,
                                    strerror(reason != 0 ? reason : ETIMEDOUT));
}

static tacStatus shake_hands(tacWebSocket *client, const char *host, const char *port, const char *path,
                             int64_t deadline, tacError *error) {
  unsigned char nonce[16];
  char key[25], accept[TAC_WEBSOCKET_ACCEPT], request[1024];
  if (getrandom(nonce, sizeof nonce, 0) != sizeof nonce || getrandom(&client->mask, 4, 0) != 4)
    return tac_error_set(error, TAC_ERR_FILE, "no random numbers");
  base64(nonce, sizeof nonce, key);
  tac_websocket_accept(key, accept);
  int length = snprintf(request, sizeof request,
                        "GET /%s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n",
                        path, host, port, key);
  if (length >= (int)sizeof request) return tac_error_set(error, TAC_ERR_ARGUMENT, "the address is too long");
  tacStatus status = send_all(client->socket, request, (size_t)length, deadline, error);
  const char *end = NULL;
  while (status == TAC_OK && end == NULL) {
    bool came;
    status = receive_more(client, deadline, &came, error);
    if (status == TAC_OK && !came) return tac_error_set(error, TAC_ERR_FILE, "does not answer the handshake");
    client->in[client->used] = 0; /* there is one byte more than TAC_WEBSOCKET_MOST */
    end = strstr((const char *)client->in, "\r\n\r\n");
  }
  if (status != TAC_OK) return status;
  if (strncmp((const char *)client->in, "HTTP/1.1 101", 12) != 0 || strstr((const char *)client->in, accept) == NULL)
    return tac_error_set(error, TAC_ERR_FORMAT, "does not speak WebSocket: \"%.40s\"", (const char *)client->in);
  client->whole = (size_t)(end + 4 - (const char *)client->in);
  return TAC_OK;
}

tacStatus tac_websocket_open(const char *url, double timeout, tacWebSocket *client, tacError *error) {
  char host[128] = "", port[8] = "80", path[256] = "";
  *client = (tacWebSocket){.socket = -1};
  int64_t deadline = tac_clock_now() + tac_clock_nanoseconds(timeout);
  if (sscanf(url, "ws://%127[^:/]:%7[0-9]/%255s", host, port, path) < 2 &&
      sscanf(url, "ws://%127[^:/]/%255s", host, path) < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "\"%s\" must be ws://HOST:PORT", url);
  client->in = malloc(TAC_WEBSOCKET_MOST + 1);
  client->text = malloc(TAC_WEBSOCKET_MOST + 1);
  tacStatus status = TAC_OK;
  if (client->in == NULL || client->text == NULL) status = tac_error_set(error, TAC_ERR_MEMORY, "out of memory");
  if (status == TAC_OK) status = dial(host, port, deadline, &client->socket, error);
  if (status == TAC_OK) status = shake_hands(client, host, port, path, deadline, error);
  if (status != TAC_OK) tac_websocket_close(client);
  return status;
}

/* Clients mask what they send; nobody gains by a mask that is hard to guess here, only proxies want one. */
static tacStatus send_frame(tacWebSocket *client, int opcode, const void *payload, size_t size, tacError *error) {
  unsigned char frame[4096];
  size_t head = size < 126 ? 2 : 4;
  if (head + 4 + size > sizeof frame) return tac_error_set(error, TAC_ERR_ARGUMENT, "a message of %zu bytes", size);
  frame[0] = (unsigned char)(LAST | opcode);
  frame[1] = (unsigned char)(MASKED | (head == 2 ? size : 126));
  if (head == 4) {
    frame[2] = (unsigned char)(size >> 8);
    frame[3] = (unsigned char)size;
  }
  client->mask = client->mask * 1664525u + 1013904223u;
  for (int i = 0; i < 4; ++i) frame[head + (size_t)i] = (unsigned char)(client->mask >> (8 * i));
  for (size_t i = 0; i < size; ++i)
    frame[head + 4 + i] = (unsigned char)(((const unsigned char *)payload)[i] ^ frame[head + i % 4]);
  return send_all(client->socket, frame, head + 4 + size, tac_clock_now() + TAC_NS_PER_SECOND / 10, error);
}

tacStatus tac_websocket_send(tacWebSocket *client, const char *text, size_t size, tacError *error) {
  return send_frame(client, TEXT, text, size, error);
}

void tac_websocket_close(tacWebSocket *client) {
  if (client->in != NULL && client->socket >= 0) {
    send_frame(client, CLOSE, "\x03\xE8", 2, NULL); /* 1000: all is well */
    close(client->socket);
  }
  free(client->in);
  free(client->text);
  *client = (tacWebSocket){.socket = -1};
}

/* One frame of those that have come; `*whole` is false where some of it is missing. `*text` is set by the last of a
 * message. */
static tacStatus take_frame(tacWebSocket *client, bool *whole, const char **text, tacError *error) {
  const unsigned char *bytes = client->in + client->whole;
  size_t size = client->used - client->whole, head = 2;
  *whole = false;
  if (size < 2) return TAC_OK;
  uint64_t length = bytes[1] & 0x7F;
  int extended = length == 126 ? 2 : length == 127 ? 8 : 0, opcode = bytes[0] & 0x0F;
  head += (size_t)extended;
  if (size < head) return TAC_OK;
  if (extended > 0) length = 0;
  for (int i = 0; i < extended; ++i) length = length << 8 | bytes[2 + i];
  if ((bytes[1] & MASKED) != 0 || (bytes[0] & 0x70) != 0)
    return tac_error_set(error, TAC_ERR_FORMAT, "sent a frame that a server may not send");
  if (length > TAC_WEBSOCKET_MOST - 16 - client->message)
    return tac_error_set(error, TAC_ERR_FORMAT, "sent a message that is too long");
  if (size < head + length) return TAC_OK;
  *whole = true;
  client->whole += head + (size_t)length;
  if (opcode == CLOSE) return tac_error_set(error, TAC_ERR_FILE, "has closed the connection");
  if (opcode == PING) return send_frame(client, PONG, bytes + head, (size_t)length, error);
  if (opcode == PONG) return TAC_OK;
  if (opcode != TEXT && opcode != BINARY && opcode != CONTINUED)
    return tac_error_set(error, TAC_ERR_FORMAT, "sent a frame of unknown kind %d", opcode);
  memcpy(client->text + client->message, bytes + head, (size_t)length);
  client->message += (size_t)length;
  if ((bytes[0] & LAST) == 0) return TAC_OK;
  client->text[client->message] = 0;
  client->message = 0;
  *text = (const char *)client->text;
  return TAC_OK;
}

tacStatus tac_websocket_receive(tacWebSocket *client, double timeout, const char **text, tacError *error) {
  int64_t deadline = tac_clock_now() + tac_clock_nanoseconds(timeout);
  *text = NULL;
  for (;;) {
    bool whole = true, came = false;
    tacStatus status = TAC_OK;
    while (status == TAC_OK && whole && *text == NULL) status = take_frame(client, &whole, text, error);
    if (status != TAC_OK || *text != NULL) return status;
    memmove(client->in, client->in + client->whole, client->used - client->whole);
    client->used -= client->whole;
    client->whole = 0;
    status = receive_more(client, deadline, &came, error);
    if (status != TAC_OK || !came) return status;
  }
}
