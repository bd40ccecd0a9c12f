#include "app/viewer/server/server.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "app/viewer/library/recordings.h"
#include "app/viewer/server/answer.h"
#include "app/viewer/server/client.h"
#include "app/viewer/server/origin.h"
#include "app/viewer/server/page.h"
#include "app/viewer/server/socket_search.h"
#include "app/viewer/server/waiting_room.h"
#include "base/clock.h"
#include "base/files/input_file.h"
#include "base/memory/array.h"
#include "base/threads/hold.h"

/* Each client holds one of the threads, and so does each connection that waits for its request; the rest is for requests. */
enum { THREADS = 5 * TAC_VIEW_MOST_CLIENTS, MOST_WAITING = 2 * TAC_VIEW_MOST_CLIENTS };
enum { MOST_TOKEN = 128, MOST_NAME = 64, MOST_REFUSED_BODY = 1 << 20, MOST_DOWNLOADS = 4 };
static const long long most_drawn = 64 << 20;
static const size_t most_picture = 16 << 20; /* bytes, both */

/* ns; a picture that comes at 50 kB/s is in time. */
#define LEAST_BODY_TIME (5 * TAC_NS_PER_SECOND)
#define MOST_BODY_TIME (120 * TAC_NS_PER_SECOND)
#define BODY_TIME_PER_BYTE INT64_C(20000)

struct tacViewServer {
  struct mg_context *civetweb;
  tacViewHandler handler;
  char address[INET_ADDRSTRLEN], token[MOST_TOKEN + 1]; /* token "": none */
  int port;
  pthread_mutex_t gate; /* held until the caller has the server: no callback comes before */
  tacWaitingRoom waiting;

  pthread_mutex_t mutex; /* of what follows; taken before a client's */
  tacViewClient *clients[TAC_VIEW_MOST_CLIENTS];
  int last_number, downloads;
  bool stopping, drawing;
  char complaint[256]; /* the first of civetweb's */
};

/* ---- Connections, on civetweb's threads: each serves one from its beginning to its end. ---- */

static int begin_connection(const struct mg_connection *connection, void **data) {
  tacViewServer *server = mg_get_user_data(mg_get_context(connection));
  *data = NULL;
  pthread_mutex_lock(&server->gate);
  int port = server->port;
  pthread_mutex_unlock(&server->gate);
  tac_waiting_room_enter(&server->waiting, port);
  return 0;
}

static void end_connection(const struct mg_connection *connection) {
  tacViewServer *server = mg_get_user_data(mg_get_context(connection));
  tac_waiting_room_leave(&server->waiting);
}

/* ---- HTTP, on civetweb's threads. ---- */

static bool token_right(const tacViewServer *server, const struct mg_request_info *request) {
  if (server->token[0] == '\0') return true;
  char given[3 * MOST_TOKEN + 2] = "";
  const char *query = request->query_string != NULL ? request->query_string : "";
  return mg_get_var(query, strlen(query), "token", given, sizeof given) > 0 &&
         tac_origin_token_equal(given, server->token);
}

static int refuse_token(struct mg_connection *connection) {
  return tac_answer_text(connection, 403, NULL, "the token is wrong or missing; open the address that tactus printed");
}

static int refuse_origin(struct mg_connection *connection) {
  return tac_answer_text(connection, 403, NULL,
                         "this page was not served by this program; pages from other origins are refused");
}

static int count_clients(void *context) {
  tacViewServer *server = context;
  int count = 0;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i) count += server->clients[i] != NULL;
  return count;
}

/* 0: the request may become a socket. */
static int check_socket(tacViewServer *server, struct mg_connection *connection, const struct mg_request_info *request,
                        const char *host) {
  const char *origin = mg_get_header(connection, "Origin");
  if (!token_right(server, request)) return refuse_token(connection);
  if (origin != NULL && !tac_origin_same(origin, host)) return refuse_origin(connection);
  if (count_clients(server) >= TAC_VIEW_MOST_CLIENTS) {
    char text[64];
    snprintf(text, sizeof text, "%d clients are connected, which is the limit; close one", TAC_VIEW_MOST_CLIENTS);
    return tac_answer_text(connection, 503, NULL, text);
  }
  if (mg_get_header(connection, "Upgrade") == NULL || strcmp(request->request_method, "GET") != 0)
    return tac_answer_text(connection, 426, NULL, "this address is for WebSockets; see docs/viewer_protocol.md");
  return 0;
}

/* GET /pictures/NAME.png; `name` begins behind the folder. */
static int send_picture(tacViewServer *server, struct mg_connection *connection, const struct mg_request_info *request,
                        const char *host, const char *name) {
  if (!token_right(server, request)) return refuse_token(connection);
  char stem[MOST_NAME + 1], path[PATH_MAX];
  size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
  bool valid = length > 0 && length <= MOST_NAME && strcmp(name + length, ".png") == 0;
  if (valid) snprintf(stem, sizeof stem, "%.*s", (int)length, name);
  if (!valid || server->handler.picture == NULL ||
      !server->handler.picture(server->handler.context, stem, path, sizeof path))
    return tac_answer_text(connection, 404, NULL, "there is no such picture");

  int file = -1, status = 404;
  size_t size = 0, filled = 0;
  unsigned char *bytes = NULL;
  if (tac_input_file_open(path, &file, &size, NULL) == TAC_OK && size <= most_picture &&
      (bytes = tac_array_create(size, 1, "a picture", NULL)) != NULL &&
      tac_input_file_read_at(file, path, 0, size, bytes, &filled, NULL) == TAC_OK)
    status = tac_answer_bytes(connection, host, "image/png", bytes, filled);
  else
    tac_answer_text(connection, status, NULL, "the picture cannot be read, or is larger than 16 MiB");
  free(bytes);
  if (file >= 0) close(file);
  return status;
}

/* GET /recordings/NAME. A few at a time: each holds a thread for as long as it takes. */
static int send_recording(tacViewServer *server, struct mg_connection *connection,
                          const struct mg_request_info *request, const char *name) {
  char path[PATH_MAX];
  if (!token_right(server, request)) return refuse_token(connection);
  if (!tac_recordings_name_valid(name) || server->handler.recording == NULL ||
      !server->handler.recording(server->handler.context, name, path, sizeof path))
    return tac_answer_text(connection, 404, NULL, "there is no such recording");
  pthread_mutex_lock(&server->mutex);
  bool full = server->downloads >= MOST_DOWNLOADS;
  server->downloads += !full;
  pthread_mutex_unlock(&server->mutex);
  if (full) return tac_answer_text(connection, 503, NULL, "too many recordings are being downloaded; try again later");
  int status = tac_answer_file(connection, path, name);
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  --server->downloads;
  return status;
}

/* Reads a body for `time` (ns) at most, and returns how many bytes came. `bytes` NULL discards them. mg_read waits up to 5 s for
 * each byte that it is asked for, so it is asked for those that have come, or for one. */
static long long read_body(struct mg_connection *connection, int64_t time, long long size, unsigned char *bytes) {
  const struct mg_request_info *request = mg_get_request_info(connection);
  int socket = tac_socket_search_connection(request->remote_addr, request->remote_port, request->server_port);
  int64_t end = tac_clock_now() + time;
  unsigned char unused[4096];
  long long at = 0;
  while (at < size && tac_clock_now() < end) {
    int come = 0;
    if (socket >= 0) ioctl(socket, FIONREAD, &come);
    long long piece = come < 1 ? 1 : come;
    if (bytes == NULL && piece > (long long)sizeof unused) piece = sizeof unused;
    if (piece > size - at) piece = size - at;
    int got = mg_read(connection, bytes != NULL ? bytes + at : unused, (size_t)piece);
    if (got <= 0) break;
    at += got;
  }
  return at;
}

static int read_drawing(tacViewServer *server, struct mg_connection *connection, long long size) {
  static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  if (mg_get_header(connection, "Expect") != NULL) mg_printf(connection, "HTTP/1.1 100 Continue\r\n\r\n");
  unsigned char *bytes = tac_array_create((size_t)size, 1, "a picture", NULL);
  if (bytes == NULL) return tac_answer_text(connection, 500, NULL, "not enough memory for the picture");
  int64_t time = LEAST_BODY_TIME + size * BODY_TIME_PER_BYTE;
  int status = 200;
  if (read_body(connection, time < MOST_BODY_TIME ? time : MOST_BODY_TIME, size, bytes) < size) {
    status = tac_answer_text(connection, 400, NULL, "the picture is incomplete");
  } else if (size < (long long)sizeof signature || memcmp(bytes, signature, sizeof signature) != 0) {
    status = tac_answer_text(connection, 415, NULL, "this is not a PNG picture");
  } else {
    server->handler.drawn(server->handler.context, bytes, (size_t)size);
    tac_answer_text(connection, 200, NULL, "taken");
  }
  free(bytes);
  return status;
}

/* PUT /picture. One at a time, so that no more than one is in memory. */
static int take_drawing(tacViewServer *server, struct mg_connection *connection, const struct mg_request_info *request,
                        const char *host) {
  const char *origin = mg_get_header(connection, "Origin");
  long long size = mg_get_header(connection, "Content-Length") != NULL ? request->content_length : -1;
  int status = 0;
  if (!token_right(server, request))
    status = refuse_token(connection);
  else if (origin == NULL || !tac_origin_same(origin, host))
    status = refuse_origin(connection);
  else if (server->handler.drawn == NULL)
    status = tac_answer_text(connection, 403, NULL, "no picture was requested");
  else if (size < 0 || mg_get_header(connection, "Transfer-Encoding") != NULL)
    status = tac_answer_text(connection, 411, NULL, "the request must have a Content-Length");
  else if (size > most_drawn)
    status = tac_answer_text(connection, 413, NULL, "the picture is larger than 64 MiB");
  if (status != 0) {
    /* A client that still sends when the connection is closed may lose the answer. */
    if (size <= MOST_REFUSED_BODY) read_body(connection, LEAST_BODY_TIME, size, NULL);
    return status;
  }
  pthread_mutex_lock(&server->mutex);
  bool busy = server->drawing;
  server->drawing = true;
  pthread_mutex_unlock(&server->mutex);
  if (busy) return tac_answer_text(connection, 503, NULL, "another picture is being received");
  status = read_drawing(server, connection, size);
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  server->drawing = false;
  return status;
}

/* Every request comes here first. 0 hands it to civetweb, which goes on with the WebSocket. */
static int begin_request(struct mg_connection *connection) {
  const struct mg_request_info *request = mg_get_request_info(connection);
  tacViewServer *server = request->user_data;
  tac_waiting_room_serve(&server->waiting, request->remote_addr, request->remote_port);
  mg_disable_connection_keep_alive(connection); /* so that it reads no body that we have left */

  const char *host = mg_get_header(connection, "Host"), *method = request->request_method, *path = request->local_uri;
  if (host == NULL || !tac_origin_host_valid(host))
    return tac_answer_text(connection, 400, NULL, "the request has no valid Host header");
  if (tac_origin_is_local(server->address) && !tac_origin_host_local(host, server->address, request->server_port)) {
    char text[512];
    snprintf(text, sizeof text,
             "the address of this server is %s:%d, not %s; use that address (through ssh, forward the same port: -L "
             "%d:%s:%d)",
             server->address, request->server_port, host, request->server_port, server->address, request->server_port);
    return tac_answer_text(connection, 403, NULL, text);
  }

  const char *folder = "/pictures/", *recordings = "/recordings/";
  bool reads = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
  if (strcmp(path, "/picture") == 0) {
    if (strcmp(method, "PUT") != 0) return tac_answer_text(connection, 405, "PUT", "this address accepts only PUT");
    return take_drawing(server, connection, request, host);
  }
  if (!reads) return tac_answer_text(connection, 405, "GET, HEAD", "only GET and HEAD are allowed");
  if (strcmp(path, "/socket") == 0) return check_socket(server, connection, request, host);
  if (strncmp(path, folder, strlen(folder)) == 0)
    return send_picture(server, connection, request, host, path + strlen(folder));
  if (strncmp(path, recordings, strlen(recordings)) == 0)
    return send_recording(server, connection, request, path + strlen(recordings));
  const tacPageFile *file = tac_page_file(path);
  if (file == NULL) return tac_answer_text(connection, 404, NULL, "there is no such page");
  return tac_answer_bytes(connection, host, file->type, file->bytes, file->size);
}

/* What civetweb refuses by itself. */
static int answer_error(struct mg_connection *connection, int status, const char *text) {
  tac_answer_text(connection, status, NULL, text);
  return 0;
}

static int keep_complaint(const struct mg_connection *connection, const char *text) {
  tacViewServer *server = mg_get_user_data(mg_get_context(connection));
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  if (server->complaint[0] == '\0') snprintf(server->complaint, sizeof server->complaint, "%s", text);
  return 1; /* it is not to print */
}

/* ---- The socket. ---- */

/* NULL where all places are taken. */
static tacViewClient *admit(tacViewServer *server, int socket) {
  tacViewClient *client = NULL;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS && client == NULL && !server->stopping; ++i)
    if (server->clients[i] == NULL &&
        tac_view_client_create(server->last_number + 1, socket, &client, NULL) == TAC_OK) {
      server->clients[i] = client;
      ++server->last_number;
    }
  return client;
}

static void dismiss(tacViewServer *server, tacViewClient *client) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i)
    if (server->clients[i] == client) server->clients[i] = NULL;
}

/* Called when civetweb has done the handshake; returns when the client has gone. Then civetweb closes the socket and
 * reads nothing from it, since begin_request has told it to keep nothing alive. Bytes that came before the
 * handshake's answer are lost, but no client may send any (RFC 6455, section 4.1). */
static void serve_socket(struct mg_connection *connection, void *context) {
  tacViewServer *server = context;
  const tacViewHandler *handler = &server->handler;
  const struct mg_request_info *request = mg_get_request_info(connection);
  int socket = tac_socket_search_connection(request->remote_addr, request->remote_port, request->server_port);
  tacViewClient *client = socket >= 0 ? admit(server, socket) : NULL;
  if (client == NULL) {
    int reason = socket >= 0 ? TAC_SOCKET_FULL : TAC_SOCKET_FAILED;
    const char payload[] = {(char)(reason >> 8), (char)(reason & 0xFF)};
    mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, payload, sizeof payload);
    return;
  }
  int number = tac_view_client_number(client);
  tac_waiting_room_stay(&server->waiting);
  handler->joined(handler->context, number);
  tac_view_client_run(client, handler);
  dismiss(server, client);
  handler->left(handler->context, number);
  tac_view_client_destroy(client);
}

/* ---- Start and stop. ---- */

static tacStatus check_def(const tacViewServerDef *def, tacViewServer *server, tacError *error) {
  struct in_addr parsed;
  const char *address = strcmp(def->address, "localhost") == 0 ? "127.0.0.1" : def->address;
  if (inet_pton(AF_INET, address, &parsed) != 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "address \"%s\": not an IPv4 address; use 127.0.0.1 (this machine only) or 0.0.0.0 (every "
                         "network), for example",
                         def->address);
  inet_ntop(AF_INET, &parsed, server->address, sizeof server->address);
  if (def->port < 0 || def->port > 65535)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "port %d: out of range; use 0 (any) to 65535", def->port);
  size_t length = def->token != NULL ? strlen(def->token) : 0;
  if (def->token != NULL && (length == 0 || length > MOST_TOKEN))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the token has %zu characters; it must have 1 to %d", length,
                         MOST_TOKEN);
  if (length == 0 && !tac_origin_is_local(server->address))
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "address %s can be reached by others; it needs a token, so that only people who know it can connect",
        server->address);
  if (length > 0) memcpy(server->token, def->token, length + 1);
  return TAC_OK;
}

static tacStatus start_civetweb(tacViewServer *server, int port, tacError *error) {
  char ports[32], threads[16];
  snprintf(ports, sizeof ports, "%s:%d", server->address, port);
  snprintf(threads, sizeof threads, "%d", THREADS);
  const char *options[] = {"listening_ports",    ports,  "num_threads", threads,
                           "request_timeout_ms", "5000", "tcp_nodelay", "1",
                           "listen_backlog",     "1024", NULL};
  /* No log_access: it would make civetweb call localtime on several threads at once. */
  struct mg_callbacks callbacks = {.begin_request = begin_request,
                                   .log_message = keep_complaint,
                                   .http_error = answer_error,
                                   .init_connection = begin_connection,
                                   .connection_close = end_connection};
  mg_init_library(MG_FEATURES_DEFAULT);
  server->civetweb = mg_start(&callbacks, server, options);
  if (server->civetweb != NULL) {
    struct mg_server_port served = {0};
    mg_get_server_ports(server->civetweb, 1, &served);
    server->port = served.port;
    mg_set_websocket_handler(server->civetweb, "/socket", NULL, serve_socket, NULL, NULL, server);
    return TAC_OK;
  }
  mg_exit_library();
  if (strstr(server->complaint, strerror(EADDRINUSE)) != NULL)
    return tac_error_set(error, TAC_ERR_FILE, "port %d of %s is in use; choose another with --port, or 0 for any", port,
                         server->address);
  return tac_error_set(error, TAC_ERR_FILE, "cannot serve at %s, port %d: %s", server->address, port,
                       server->complaint[0] != '\0' ? server->complaint : "out of memory or threads");
}

static void destroy(tacViewServer *server) {
  pthread_mutex_destroy(&server->gate);
  pthread_mutex_destroy(&server->mutex);
  free(server);
}

tacStatus tac_view_server_start(const tacViewServerDef *def, tacViewServer **server, tacError *error) {
  *server = NULL;
  tacViewServer *s = tac_array_create(1, sizeof *s, "the server", error);
  if (s == NULL) return TAC_ERR_MEMORY;
  pthread_mutex_init(&s->gate, NULL);
  pthread_mutex_init(&s->mutex, NULL);
  s->handler = def->handler;
  tacStatus status = check_def(def, s, error);
  if (status == TAC_OK) status = tac_waiting_room_open(MOST_WAITING, THREADS, &s->waiting, error);
  if (status == TAC_OK) {
    pthread_mutex_lock(&s->gate);
    status = start_civetweb(s, def->port, error);
    if (status == TAC_OK) *server = s;
    pthread_mutex_unlock(&s->gate);
    if (status != TAC_OK) tac_waiting_room_close(&s->waiting);
  }
  if (status != TAC_OK) destroy(s);
  return status;
}

void tac_view_server_stop(tacViewServer *server) {
  if (server == NULL) return;
  pthread_mutex_lock(&server->mutex);
  server->stopping = true;
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i)
    if (server->clients[i] != NULL) tac_view_client_close(server->clients[i], TAC_SOCKET_GOING_AWAY);
  pthread_mutex_unlock(&server->mutex);
  /* Else civetweb sees up to 2 s later that it shall stop. */
  int listener = tac_socket_search_listener(server->address, server->port);
  if (listener >= 0) shutdown(listener, SHUT_RDWR);
  mg_stop(server->civetweb);
  mg_exit_library();
  tac_waiting_room_close(&server->waiting);
  destroy(server);
}

int tac_view_server_port(const tacViewServer *server) {
  return server->port;
}

/* ---- What is sent. ---- */

static void sink_send(void *context, int client, tacPacket *packet) {
  tacViewServer *server = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i)
    if (server->clients[i] != NULL && (client == 0 || tac_view_client_number(server->clients[i]) == client))
      tac_view_client_send(server->clients[i], packet, client == 0);
}

static void sink_frame(void *context, tacPacket *packet) {
  tacViewServer *server = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i)
    if (server->clients[i] != NULL) tac_view_client_frame(server->clients[i], packet);
}

static void sink_ticks(void *context, tacPacket *packet) {
  tacViewServer *server = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i)
    if (server->clients[i] != NULL) tac_view_client_ticks(server->clients[i], packet, TAC_VIEW_MOST_TICKS);
}

static bool sink_wants_frame(void *context) {
  tacViewServer *server = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&server->mutex);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i)
    if (server->clients[i] != NULL && tac_view_client_wants_frame(server->clients[i])) return true;
  return false;
}

tacViewSink tac_view_server_sink(tacViewServer *server) {
  return (tacViewSink){server, sink_send, sink_frame, sink_ticks, sink_wants_frame, count_clients};
}
