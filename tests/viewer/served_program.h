/* A program behind the viewer's server, and clients of it. Suites say TAC_TEST_AROUND(start, stop). */
#pragma once

#include <pthread.h>
#include <time.h>
#include "app/viewer/server/server.h"
#include "base/threads/hold.h"
#include "test.h"
#include "viewer/web_client.h"

enum { MOST_KEPT = 16 };

typedef struct Program {
  tacViewServer *server;
  bool greets; /* new clients, with a welcome */
  char picture[256];

  pthread_mutex_t mutex; /* of what follows */
  pthread_cond_t changed;
  int joined, left, here;
  bool came[1024], present[1024]; /* by the client's number */
  int shown[1024];                /* messages of that kind */
  int message_count;
  tacViewMessage messages[MOST_KEPT];
  unsigned char *drawing;
  size_t drawing_size;
} Program;

static Program program;
static int port;

static inline tacPacket *make_packet(tacViewKind kind, uint32_t number, size_t size) {
  tacPacket *packet;
  ck_assert_int_eq(tac_packet_create(size, &packet, NULL), TAC_OK);
  tacByteWriter writer = {tac_packet_bytes(packet), size, 0};
  tac_byte_writer_head(&writer, kind, 0, number);
  while (writer.at < size) tac_byte_writer_u8(&writer, (unsigned)(writer.at * 7 + number));
  return packet;
}

static inline bool is_packet(const unsigned char *bytes, size_t size, tacViewKind kind, uint32_t number,
                             size_t expected) {
  if (size != expected) return false;
  TAC_OWN(tacPacket, packet) = make_packet(kind, number, expected);
  return memcmp(bytes, tac_packet_bytes(packet), size) == 0;
}

static inline tacViewSink sink(void) {
  return tac_view_server_sink(program.server);
}

static inline void send_packet(int client, tacViewKind kind, uint32_t number, size_t size) {
  TAC_OWN(tacPacket, packet) = make_packet(kind, number, size);
  sink().send(program.server, client, packet);
}

static inline void send_frame(uint32_t number, size_t size) {
  TAC_OWN(tacPacket, packet) = make_packet(TAC_VIEW_FRAME, number, size);
  sink().frame(program.server, packet);
}

static inline void send_ticks(uint32_t number, size_t size) {
  TAC_OWN(tacPacket, packet) = make_packet(TAC_VIEW_TICKS, number, size);
  sink().ticks(program.server, packet);
}

/* The server's threads: room for what they do, beside thread-local variables of libraries, but little memory to be locked. */
static inline void check_stack(void) {
  pthread_attr_t attributes;
  void *lowest;
  size_t size;
  ck_assert_int_eq(pthread_getattr_np(pthread_self(), &attributes), 0);
  ck_assert_int_eq(pthread_attr_getstack(&attributes, &lowest, &size), 0);
  pthread_attr_destroy(&attributes);
  ck_assert_int_ge((char *)__builtin_frame_address(0) - (char *)lowest, 256 * 1024);
  ck_assert_uint_le(size, 1024 * 1024);
}

static inline void joined(void *context, int client) {
  (void)context;
  check_stack();
  ck_assert_ptr_nonnull(program.server);
  if (program.greets) send_packet(client, TAC_VIEW_WELCOME, (uint32_t)client, 8);
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&program.mutex);
  ++program.joined;
  ck_assert(client > 0 && client < 1024 && !program.came[client]);
  program.came[client] = program.present[client] = true;
  ++program.here;
  pthread_cond_broadcast(&program.changed);
}

static inline void left(void *context, int client) {
  (void)context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&program.mutex);
  ck_assert_msg(program.present[client], "client %d left twice, or never came", client);
  program.present[client] = false;
  ++program.left;
  --program.here;
  pthread_cond_broadcast(&program.changed);
}

static inline void message(void *context, int client, const tacViewMessage *message) {
  (void)context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&program.mutex);
  ck_assert_msg(program.present[client], "a message of client %d, who is not here", client);
  if (program.message_count < MOST_KEPT) program.messages[program.message_count] = *message;
  ++program.message_count;
  if (message->kind == TAC_VIEW_SHOWN) ++program.shown[client];
  pthread_cond_broadcast(&program.changed);
}

static inline bool picture(void *context, const char *name, char *path, size_t size) {
  (void)context;
  if (strcmp(name, "kidney-2_A") != 0 && strcmp(name, "absent") != 0) return false;
  snprintf(path, size, "%s%s", program.picture, strcmp(name, "absent") == 0 ? ".not" : "");
  return true;
}

static inline bool recording(void *context, const char *name, char *path, size_t size) {
  (void)context;
  snprintf(path, size, "%s", program.picture);
  return strcmp(name, "a (1).tacrec") == 0;
}

static inline void drawn(void *context, const unsigned char *bytes, size_t size) {
  (void)context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&program.mutex);
  free(program.drawing);
  program.drawing = malloc(size);
  ck_assert_ptr_nonnull(program.drawing);
  memcpy(program.drawing, bytes, size);
  program.drawing_size = size;
}

static inline void start_at(const char *address, int wanted, const char *token) {
  program = (Program){.greets = true};
  pthread_mutex_init(&program.mutex, NULL);
  pthread_cond_init(&program.changed, NULL);
  tacViewServerDef def = {address, wanted, token, {&program, joined, left, message, picture, drawn, recording}};
  tac_test_ok(tac_view_server_start(&def, &program.server, &error), error);
  port = tac_view_server_port(program.server);
}

static inline void start(void) {
  start_at("127.0.0.1", 0, NULL);
}

static inline void stop(void) {
  if (program.server == NULL) return;
  tac_view_server_stop(program.server);
  program.server = NULL;
  ck_assert_int_eq(program.here, 0);
  ck_assert_int_eq(program.left, program.joined);
  free(program.drawing);
  pthread_mutex_destroy(&program.mutex);
  pthread_cond_destroy(&program.changed);
}

/* Until *value is `wanted`, which must come. */
static inline void wait_for(const int *value, int wanted) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += WEB_TIMEOUT;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&program.mutex);
  while (*value != wanted)
    ck_assert_msg(pthread_cond_timedwait(&program.changed, &program.mutex, &until) == 0, "%d did not become %d", *value,
                  wanted);
}

static inline void show(int client, uint32_t frame) {
  unsigned char bytes[8];
  tacByteWriter writer = {bytes, sizeof bytes, 0};
  tac_byte_writer_head(&writer, (tacViewKind)TAC_VIEW_SHOWN, TAC_VIEW_REQUEST_ALL, frame);
  web_send(client, bytes, sizeof bytes);
}

/* The next binary message must be this one. */
static inline void expect(int client, tacViewKind kind, uint32_t number, size_t size) {
  TAC_MEMORY(unsigned char, bytes) = NULL;
  size_t got;
  ck_assert_int_eq(web_receive(client, &bytes, &got), 2);
  ck_assert_msg(is_packet(bytes, got, kind, number, size), "not kind %d, number %u of %zu bytes but kind %d, %u of %zu",
                kind, number, size, bytes[0], got >= 8 ? bytes[4] | bytes[5] << 8u : 0, got);
}

/* A socket that has been greeted. */
static inline int join(uint32_t number) {
  int client = web_socket(port);
  expect(client, TAC_VIEW_WELCOME, number, 8);
  return client;
}

/* One whose buffers are full soon, because it does not read. */
static inline int join_deaf(void) {
  int status, before = program.joined, client = web_socket_at(port, "/socket", "", true, &status);
  ck_assert_int_eq(status, 101);
  wait_for(&program.joined, before + 1);
  return client;
}

static inline const char *local(void) {
  static char host[32];
  snprintf(host, sizeof host, "127.0.0.1:%d", port);
  return host;
}

/* The status of GET. */
static inline int status_of(const char *path) {
  return web_status(port, "GET", path, local(), "");
}
