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
#include "base/base64.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/socket_frame.h"
#include "base/socket_key.h"

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
      return tac_error_set(error, TAC_ERR_FILE, "does not accept data");
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
  struct addrinfo request = {.ai_socktype = SOCK_STREAM}, *found = NULL;
  int failed = getaddrinfo(host, port, &request, &found);
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
                    : tac_error_set(error, TAC_ERR_FILE, "no server responds at %s:%s (%s)", host, port,
                                    strerror(reason != 0 ? reason : ETIMEDOUT));
}

static tacStatus shake_hands(tacWebSocket *client, const char *host, const char *port, const char *path,
                             int64_t deadline, tacError *error) {
  unsigned char nonce[16];
  char key[TAC_BASE64_SIZE(sizeof nonce)], accept[TAC_SOCKET_ACCEPT], request[1024];
  if (getrandom(nonce, sizeof nonce, 0) != sizeof nonce || getrandom(&client->mask, 4, 0) != 4)
    return tac_error_set(error, TAC_ERR_FILE, "the operating system gives no random numbers");
  tac_base64_text(nonce, sizeof nonce, key);
  tac_socket_accept(key, accept);
  int length = snprintf(request, sizeof request,
                        "GET /%s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n",
                        path, host, port, key);
  if (length >= (int)sizeof request)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the address of the service is too long");
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
static tacStatus send_frame(tacWebSocket *client, tacSocketOpcode opcode, const void *payload, size_t size,
                            tacError *error) {
  unsigned char frame[4096];
  if (size > sizeof frame - TAC_SOCKET_MOST_HEAD)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a message of %zu bytes", size);
  client->mask = client->mask * 1664525u + 1013904223u;
  size_t head = tac_socket_frame_masked_head(opcode, size, client->mask, frame);
  memcpy(frame + head, payload, size);
  tac_socket_frame_mask(frame + head, size, frame + head - TAC_SOCKET_MASK);
  return send_all(client->socket, frame, head + size, tac_clock_now() + TAC_NS_PER_SECOND / 10, error);
}

tacStatus tac_websocket_send(tacWebSocket *client, const char *text, size_t size, tacError *error) {
  return send_frame(client, TAC_SOCKET_TEXT, text, size, error);
}

void tac_websocket_close(tacWebSocket *client) {
  if (client->in != NULL && client->socket >= 0) {
    send_frame(client, TAC_SOCKET_CLOSE, "\x03\xE8", 2, NULL); /* 1000: all is well */
    close(client->socket);
  }
  free(client->in);
  free(client->text);
  *client = (tacWebSocket){.socket = -1};
}

/* One frame of those that have come; `*whole` is false where some of it is missing. `*text` is set by the last of a
 * message. */
static tacStatus take_frame(tacWebSocket *client, bool *whole, const char **text, tacError *error) {
  tacSocketFrame frame;
  unsigned char *bytes = client->in + client->whole;
  tacSocketReason wrong = tac_socket_frame_read(bytes, client->used - client->whole, TAC_SOCKET_FROM_SERVER,
                                                TAC_WEBSOCKET_MOST - 16 - client->message, &frame);
  if (wrong == TAC_SOCKET_TOO_LONG) return tac_error_set(error, TAC_ERR_FORMAT, "sent too long a message");
  if (wrong != TAC_SOCKET_OPEN)
    return tac_error_set(error, TAC_ERR_FORMAT, "sent an invalid WebSocket frame (%02X %02X)", bytes[0], bytes[1]);
  *whole = frame.whole > 0;
  if (!*whole) return TAC_OK;
  client->whole += frame.whole;
  if (frame.opcode == TAC_SOCKET_CLOSE) return tac_error_set(error, TAC_ERR_FILE, "has closed the connection");
  if (frame.opcode == TAC_SOCKET_PING) return send_frame(client, TAC_SOCKET_PONG, frame.payload, frame.size, error);
  if (frame.opcode == TAC_SOCKET_PONG) return TAC_OK;
  memcpy(client->text + client->message, frame.payload, frame.size);
  client->message += frame.size;
  if (!frame.last) return TAC_OK;
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
