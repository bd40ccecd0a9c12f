#include "app/viewer/server.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include "app/viewer/page.h"
#include "base/clock.h"
#include "test.h"
#include "viewer/web_client.h"

/* ---- A program behind the server. ---- */

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

static tacPacket *make_packet(tacViewKind kind, uint32_t number, size_t size) {
  tacPacket *packet;
  ck_assert_int_eq(tac_packet_create(size, &packet, NULL), TAC_OK);
  tacByteWriter writer = {tac_packet_bytes(packet), size, 0};
  tac_byte_writer_head(&writer, kind, 0, number);
  while (writer.at < size) tac_byte_writer_u8(&writer, (unsigned)(writer.at * 7 + number));
  return packet;
}

static bool is_packet(const unsigned char *bytes, size_t size, tacViewKind kind, uint32_t number, size_t expected) {
  if (size != expected) return false;
  tacPacket *packet = make_packet(kind, number, expected);
  bool same = memcmp(bytes, tac_packet_bytes(packet), size) == 0;
  tac_packet_release(packet);
  return same;
}

static void send_packet(Program *program, int client, tacViewKind kind, uint32_t number, size_t size) {
  tacPacket *packet = make_packet(kind, number, size);
  tac_view_server_send(program->server, client, packet);
  tac_packet_release(packet);
}

static void send_frame(Program *program, uint32_t number, size_t size) {
  tacPacket *packet = make_packet(TAC_VIEW_FRAME, number, size);
  tac_view_server_frame(program->server, packet);
  tac_packet_release(packet);
}

static void send_ticks(Program *program, uint32_t number, size_t size) {
  tacPacket *packet = make_packet(TAC_VIEW_TICKS, number, size);
  tac_view_server_ticks(program->server, packet);
  tac_packet_release(packet);
}

/* The server's threads: room for what they do, beside thread-local variables of libraries, but little memory to be locked. */
static void check_stack(void) {
  pthread_attr_t attributes;
  void *lowest;
  size_t size;
  ck_assert_int_eq(pthread_getattr_np(pthread_self(), &attributes), 0);
  ck_assert_int_eq(pthread_attr_getstack(&attributes, &lowest, &size), 0);
  pthread_attr_destroy(&attributes);
  ck_assert_int_ge((char *)__builtin_frame_address(0) - (char *)lowest, 256 * 1024);
  ck_assert_uint_le(size, 1024 * 1024);
}

static void joined(void *context, int client) {
  Program *program = context;
  check_stack();
  ck_assert_ptr_nonnull(program->server);
  if (program->greets) send_packet(program, client, TAC_VIEW_WELCOME, (uint32_t)client, 8);
  pthread_mutex_lock(&program->mutex);
  ++program->joined;
  ck_assert(client > 0 && client < 1024 && !program->came[client]);
  program->came[client] = program->present[client] = true;
  ++program->here;
  pthread_cond_broadcast(&program->changed);
  pthread_mutex_unlock(&program->mutex);
}

static void left(void *context, int client) {
  Program *program = context;
  pthread_mutex_lock(&program->mutex);
  ck_assert_msg(program->present[client], "client %d left twice, or never came", client);
  program->present[client] = false;
  ++program->left;
  --program->here;
  pthread_cond_broadcast(&program->changed);
  pthread_mutex_unlock(&program->mutex);
}

static void message(void *context, int client, const tacViewMessage *message) {
  Program *program = context;
  pthread_mutex_lock(&program->mutex);
  ck_assert_msg(program->present[client], "a message of client %d, who is not here", client);
  if (program->message_count < MOST_KEPT) program->messages[program->message_count] = *message;
  ++program->message_count;
  if (message->kind == TAC_VIEW_SHOWN) ++program->shown[client];
  pthread_cond_broadcast(&program->changed);
  pthread_mutex_unlock(&program->mutex);
}

static bool picture(void *context, const char *name, char *path, size_t size) {
  const Program *program = context;
  if (strcmp(name, "kidney-2_A") != 0 && strcmp(name, "absent") != 0) return false;
  snprintf(path, size, "%s%s", program->picture, strcmp(name, "absent") == 0 ? ".not" : "");
  return true;
}

static bool recording(void *context, const char *name, char *path, size_t size) {
  const Program *program = context;
  snprintf(path, size, "%s", program->picture);
  return strcmp(name, "a (1).tacrec") == 0;
}

static void drawn(void *context, const unsigned char *bytes, size_t size) {
  Program *program = context;
  pthread_mutex_lock(&program->mutex);
  free(program->drawing);
  program->drawing = malloc(size);
  ck_assert_ptr_nonnull(program->drawing);
  memcpy(program->drawing, bytes, size);
  program->drawing_size = size;
  pthread_mutex_unlock(&program->mutex);
}

static void start_at(Program *program, const char *address, int port, const char *token) {
  memset(program, 0, sizeof *program);
  program->greets = true;
  pthread_mutex_init(&program->mutex, NULL);
  pthread_cond_init(&program->changed, NULL);
  tacViewServerDef def = {address, port, token, {program, joined, left, message, picture, drawn, recording}};
  tacError error;
  tac_test_ok(tac_view_server_start(&def, &program->server, &error), error);
}

static int start(Program *program) {
  start_at(program, "127.0.0.1", 0, NULL);
  return tac_view_server_port(program->server);
}

static void stop(Program *program) {
  tac_view_server_stop(program->server);
  ck_assert_int_eq(program->here, 0);
  ck_assert_int_eq(program->left, program->joined);
  free(program->drawing);
  pthread_mutex_destroy(&program->mutex);
  pthread_cond_destroy(&program->changed);
}

/* Until *value is `wanted`, which must come. */
static void wait_for(Program *program, const int *value, int wanted) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += WEB_PATIENCE;
  pthread_mutex_lock(&program->mutex);
  while (*value != wanted)
    ck_assert_msg(pthread_cond_timedwait(&program->changed, &program->mutex, &until) == 0, "%d did not become %d",
                  *value, wanted);
  pthread_mutex_unlock(&program->mutex);
}

static void show(int client, uint32_t frame) {
  unsigned char bytes[8];
  tacByteWriter writer = {bytes, sizeof bytes, 0};
  tac_byte_writer_u8(&writer, TAC_VIEW_SHOWN);
  tac_byte_writer_u8(&writer, 1);
  tac_byte_writer_u16(&writer, TAC_VIEW_WISH_ALL);
  tac_byte_writer_u32(&writer, frame);
  web_send(client, bytes, sizeof bytes);
}

/* The next binary message must be this one. */
static void expect(int client, tacViewKind kind, uint32_t number, size_t size) {
  unsigned char *bytes;
  size_t got;
  int opcode = web_receive(client, &bytes, &got);
  ck_assert_int_eq(opcode, 2);
  ck_assert_msg(is_packet(bytes, got, kind, number, size), "not kind %d, number %u of %zu bytes but kind %d, %u of %zu",
                kind, number, size, bytes[0], got >= 8 ? bytes[4] | bytes[5] << 8u : 0, got);
  free(bytes);
}

/* A socket that has been greeted. */
static int join(int port, uint32_t number) {
  int client = web_socket(port);
  expect(client, TAC_VIEW_WELCOME, number, 8);
  return client;
}

/* One whose buffers are full soon, because it does not read. */
static int join_deaf(Program *program, int port) {
  int status, before = program->joined, client = web_socket_at(port, "/socket", "", true, &status);
  ck_assert_int_eq(status, 101);
  wait_for(program, &program->joined, before + 1);
  return client;
}

static int count_entries(const char *folder) {
  DIR *opened = opendir(folder);
  ck_assert_ptr_nonnull(opened);
  int count = 0;
  while (readdir(opened) != NULL) ++count;
  closedir(opened);
  return count;
}

/* Civetweb closes a socket a moment after the client has left. */
static void wait_for_entries(const char *folder, int wanted) {
  int count = 0;
  for (int64_t end = tac_clock_now() + WEB_PATIENCE * TAC_NS_PER_SECOND; tac_clock_now() < end; usleep(1000))
    if ((count = count_entries(folder)) <= wanted) return;
  ck_abort_msg("%s has %d entries, not %d", folder, count, wanted);
}

static const char *local(int port) {
  static char host[32];
  snprintf(host, sizeof host, "127.0.0.1:%d", port);
  return host;
}

/* ---- HTTP. ---- */

TAC_TEST(serves_the_page) {
  Program program;
  int port = start(&program);
  const char *paths[] = {"/", "/viewer.js", "/viewer.css", "/icon.svg"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
    const tacPageFile *file = tac_page_file(paths[i]);
    if (file == NULL) continue; /* the build had no page */
    for (int head = 0; head < 2; ++head) {
      char request[256], text[1024], size[32], socket[64];
      snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", head ? "HEAD" : "GET", paths[i],
               port);
      snprintf(size, sizeof size, "%zu", file->size);
      WebAnswer answer;
      web_ask_with(port, request, NULL, 0, &answer);
      ck_assert_int_eq(answer.status, 200);
      ck_assert_str_eq(web_header(&answer, "Content-Type", text, sizeof text), file->type);
      ck_assert_str_eq(web_header(&answer, "Content-Length", text, sizeof text), size);
      ck_assert_str_eq(web_header(&answer, "Cache-Control", text, sizeof text), "no-cache");
      ck_assert_str_eq(web_header(&answer, "X-Content-Type-Options", text, sizeof text), "nosniff");
      ck_assert_str_eq(web_header(&answer, "X-Frame-Options", text, sizeof text), "DENY");
      ck_assert_str_eq(web_header(&answer, "Referrer-Policy", text, sizeof text), "no-referrer");
      ck_assert_ptr_nonnull(web_header(&answer, "Content-Security-Policy", text, sizeof text));
      snprintf(socket, sizeof socket, "connect-src 'self' ws://localhost:%d wss://localhost:%d;", port, port);
      ck_assert_ptr_nonnull(strstr(text, socket));
      const char *parts[] = {"default-src 'self'", "script-src 'self'", "object-src 'none'", "frame-ancestors 'none'"};
      for (int k = 0; k < 4; ++k) ck_assert_ptr_nonnull(strstr(text, parts[k]));
      ck_assert_ptr_null(web_header(&answer, "Access-Control-Allow-Origin", text, sizeof text));
      ck_assert_uint_eq(answer.size, head ? 0 : file->size);
      if (!head) ck_assert_mem_eq(answer.body, file->bytes, file->size);
      web_forget(&answer);
    }
  }
  stop(&program);
}

TAC_TEST(serves_nothing_else) {
  Program program;
  int port = start(&program);
  const char *absent[] = {"/nothing",
                          "/index.html",
                          "/../etc/passwd",
                          "/%2e%2e/%2e%2e/etc/passwd",
                          "//etc/passwd",
                          "/viewer.js/x",
                          "/socket/x",
                          "/picture/x",
                          "/pictures/",
                          "/.",
                          "/web"};
  for (size_t i = 0; i < sizeof absent / sizeof *absent; ++i) {
    int status = web_status(port, "GET", absent[i], local(port), "");
    ck_assert_msg(status == 404 || (strcmp(absent[i], "/.") == 0 && status == 200), "%s: %d", absent[i], status);
  }
  const char *methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    const char *cors = "Origin: http://example.org\r\nAccess-Control-Request-Method: PUT\r\nContent-Length: 0\r\n";
    char request[512], text[64];
    snprintf(request, sizeof request, "%s / HTTP/1.1\r\nHost: %s\r\n%s\r\n", methods[i], local(port), cors);
    WebAnswer answer;
    web_ask_with(port, request, NULL, 0, &answer);
    ck_assert_int_eq(answer.status, 405);
    ck_assert_str_eq(web_header(&answer, "Allow", text, sizeof text), "GET, HEAD");
    ck_assert_ptr_null(web_header(&answer, "Access-Control-Allow-Origin", text, sizeof text));
    ck_assert_ptr_null(web_header(&answer, "Access-Control-Allow-Methods", text, sizeof text));
    web_forget(&answer);
  }
  ck_assert_int_eq(web_status(port, "GET", "/picture", local(port), ""), 405);
  ck_assert_int_eq(web_status(port, "GET", "/socket", local(port), ""), 426);
  ck_assert_int_eq(web_status(port, "BREW", "/", local(port), ""), 400);
  stop(&program);
}

TAC_TEST(refuses_other_hosts) {
  Program program;
  int port = start(&program);
  char host[64];
  ck_assert_int_eq(web_status(port, "GET", "/", local(port), ""), 200);
  ck_assert_int_eq(web_status(port, "GET", "/", NULL, ""), 400);
  ck_assert_int_eq(web_status(port, "GET", "/", "", ""), 400);
  ck_assert_int_eq(web_status(port, "GET", "/", "a b", ""), 400);
  const char *others[] = {"example.org:%d", "127.0.0.1.example.org:%d", "localhost:1%d", "127.0.0.1"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    const char *at = strchr(others[i], '%');
    snprintf(host, sizeof host, "%.*s", at != NULL ? (int)(at - others[i]) : (int)strlen(others[i]), others[i]);
    if (at != NULL) snprintf(host + strlen(host), sizeof host - strlen(host), "%d", port);
    char request[256];
    snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", host);
    WebAnswer answer;
    web_ask_with(port, request, NULL, 0, &answer);
    ck_assert_int_eq(answer.status, 403);
    answer.body[answer.size] = '\0';
    ck_assert_ptr_nonnull(strstr((char *)answer.body, host)); /* it says why */
    web_forget(&answer);
    snprintf(request, sizeof request, "Upgrade: websocket\r\nConnection: Upgrade\r\n");
    ck_assert_int_eq(web_status(port, "GET", "/socket", host, request), 403);
  }
  stop(&program);
}

TAC_TEST(serves_pictures) {
  Program program;
  start_at(&program, "127.0.0.1", 0, "a secret&");
  int port = tac_view_server_port(program.server);
  char folder[200], request[256];
  snprintf(program.picture, sizeof program.picture, "%s/k.png", tac_test_folder(folder, sizeof folder));
  FILE *file = fopen(program.picture, "wb");
  ck_assert_ptr_nonnull(file);
  fputs("a picture", file);
  fclose(file);
  const char *token = "?token=a+secret%26";
  snprintf(request, sizeof request, "GET /pictures/kidney-2_A.png%s HTTP/1.1\r\nHost: %s\r\n\r\n", token, local(port));
  WebAnswer answer;
  web_ask_with(port, request, NULL, 0, &answer);
  ck_assert_int_eq(answer.status, 200);
  ck_assert_uint_eq(answer.size, 9);
  ck_assert_mem_eq(answer.body, "a picture", 9);
  ck_assert_str_eq(web_header(&answer, "Content-Type", request, sizeof request), "image/png");
  web_forget(&answer);

  ck_assert_int_eq(web_status(port, "GET", "/pictures/kidney-2_A.png", local(port), ""), 403);
  ck_assert_int_eq(web_status(port, "GET", "/pictures/kidney-2_A.png?token=", local(port), ""), 403);
  ck_assert_int_eq(web_status(port, "GET", "/pictures/kidney-2_A.png?token=a+secret", local(port), ""), 403);
  const char *names[] = {"other.png",  "absent.png", "kidney-2_A", "kidney-2_A.jpg",   "a.b.png",
                         "..%2Fk.png", ".png",       "k%00.png",   "kidney-2_A.png%0A"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(request, sizeof request, "/pictures/%s%s", names[i], token);
    ck_assert_msg(web_status(port, "GET", request, local(port), "") == 404, "%s", names[i]);
  }
  ck_assert_int_eq(truncate(program.picture, (16 << 20) + 1), 0);
  snprintf(request, sizeof request, "/pictures/kidney-2_A.png%s", token);
  ck_assert_int_eq(web_status(port, "GET", request, local(port), ""), 404);
  unlink(program.picture);
  rmdir(folder);
  stop(&program);
}

static int put(int port, const char *path, const char *headers, const void *body, size_t size) {
  char request[512];
  snprintf(request, sizeof request, "PUT %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", path, local(port), headers);
  WebAnswer answer;
  web_ask_with(port, request, body, size, &answer);
  int status = answer.status;
  web_forget(&answer);
  return status;
}

TAC_TEST(recordings_are_fetched) {
  Program program;
  start_at(&program, "127.0.0.1", 0, "secret");
  int port = tac_view_server_port(program.server);
  char folder[200], request[256], text[256];
  const size_t size = 3 * 65536 + 17; /* several pieces */
  snprintf(program.picture, sizeof program.picture, "%s/r", tac_test_folder(folder, sizeof folder));
  FILE *file = fopen(program.picture, "wb");
  ck_assert_ptr_nonnull(file);
  for (size_t i = 0; i < size; ++i) fputc((int)(i * 7 % 251), file);
  fclose(file);
  const char *format = "%s /recordings/a%%20(1).tacrec?token=%s HTTP/1.1\r\nHost: %s\r\n\r\n";
  snprintf(request, sizeof request, format, "GET", "secret", local(port));
  WebAnswer answer;
  web_ask_with(port, request, NULL, 0, &answer);
  ck_assert_int_eq(answer.status, 200);
  ck_assert_uint_eq(answer.size, size);
  for (size_t i = 0; i < size; ++i) ck_assert_int_eq(answer.body[i], (int)(i * 7 % 251));
  ck_assert_str_eq(web_header(&answer, "Content-Disposition", text, sizeof text),
                   "attachment; filename=\"a (1).tacrec\"");
  web_forget(&answer);
  snprintf(request, sizeof request, format, "HEAD", "secret", local(port));
  web_ask_with(port, request, NULL, 0, &answer);
  ck_assert_int_eq(answer.status, 200);
  ck_assert_uint_eq(answer.size, 0);
  web_forget(&answer);
  ck_assert_int_eq(web_status(port, "GET", "/recordings/a%20(1).tacrec", local(port), ""), 403);
  const char *others[] = {"b.tacrec", "a%20(1)", "../r", "..%2Fr.tacrec", ".tacrec", "%22.tacrec", "a%0A.tacrec", ""};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    snprintf(text, sizeof text, "/recordings/%s?token=secret", others[i]);
    ck_assert_msg(web_status(port, "GET", text, local(port), "") == 404, "%s", text);
  }
  unlink(program.picture); /* it has gone meanwhile */
  ck_assert_int_eq(web_status(port, "GET", "/recordings/a%20(1).tacrec?token=secret", local(port), ""), 404);
  rmdir(folder);
  stop(&program);
}

TAC_TEST(takes_drawings) {
  Program program;
  start_at(&program, "127.0.0.1", 0, "secret");
  int port = tac_view_server_port(program.server);
  const size_t size = 3 << 20;
  unsigned char *body = malloc(size);
  ck_assert_ptr_nonnull(body);
  for (size_t i = 0; i < size; ++i) body[i] = (unsigned char)(i * 31);
  memcpy(body, "\x89PNG\r\n\x1A\n", 8);
  char headers[256];
  const char *path = "/picture?token=secret";
  snprintf(headers, sizeof headers, "Origin: http://%s\r\nContent-Length: %zu\r\n", local(port), size);
  ck_assert_int_eq(put(port, path, headers, body, size), 200);
  ck_assert_uint_eq(program.drawing_size, size);
  ck_assert_mem_eq(program.drawing, body, size);

  const struct {
    const char *path, *headers;
    int status;
    bool same_origin;
  } cases[] = {{"/picture", "Content-Length: 100\r\n", 403, true},
               {path, "Content-Length: 100\r\n", 403, false},
               {path, "Origin: http://example.org\r\nContent-Length: 100\r\n", 403, false},
               {path, "", 411, true},
               {path, "Transfer-Encoding: chunked\r\n", 411, true},
               {path, "Content-Length: 67108865\r\n", 413, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    snprintf(headers, sizeof headers, "%s%s%s%s", cases[i].same_origin ? "Origin: http://" : "",
             cases[i].same_origin ? local(port) : "", cases[i].same_origin ? "\r\n" : "", cases[i].headers);
    bool sized = strstr(cases[i].headers, ": 100") != NULL;
    ck_assert_msg(put(port, cases[i].path, headers, body, sized ? 100 : 0) == cases[i].status, "case %zu", i);
  }
  body[1] = 'p';
  snprintf(headers, sizeof headers, "Origin: http://%s\r\nContent-Length: 100\r\n", local(port));
  ck_assert_int_eq(put(port, path, headers, body, 100), 415);
  snprintf(headers, sizeof headers, "Origin: http://%s\r\nContent-Length: 0\r\n", local(port));
  ck_assert_int_eq(put(port, path, headers, NULL, 0), 415);
  ck_assert_uint_eq(program.drawing_size, size);
  free(body);
  stop(&program);
}

TAC_TEST(says_why_it_does_not_start) {
  Program program;
  int port = start(&program);
  tacViewServer *server;
  tacError error;
  const tacViewHandler handler = {&program, joined, left, message, NULL, NULL, NULL};
  tacViewServerDef def = {"127.0.0.1", port, NULL, handler};
  char text[128];
  snprintf(text, sizeof text, "port %d of 127.0.0.1 is taken: choose another with --port, or 0 for any", port);
  ck_assert_int_eq(tac_view_server_start(&def, &server, &error), TAC_ERR_FILE);
  ck_assert_str_eq(error.text, text);
  ck_assert_ptr_null(server);
  const tacViewServerDef wrong[] = {{"0.0.0.0", 0, NULL, handler},       {"192.168.0.1", 0, NULL, handler},
                                    {"example.org", 0, "t", handler},    {"", 0, "t", handler},
                                    {"127.0.0.1:80", 0, "t", handler},   {"127.0.0.1", -1, NULL, handler},
                                    {"127.0.0.1", 65536, NULL, handler}, {"127.0.0.1", 0, "", handler}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    error.text[0] = '\0';
    ck_assert_int_eq(tac_view_server_start(&wrong[i], &server, &error), TAC_ERR_ARGUMENT);
    ck_assert_str_ne(error.text, "");
    ck_assert_ptr_null(server);
  }
  def = (tacViewServerDef){"192.0.2.1", 0, "token", handler}; /* an address that no machine has (RFC 5737) */
  ck_assert_int_eq(tac_view_server_start(&def, &server, &error), TAC_ERR_FILE);
  ck_assert_ptr_nonnull(strstr(error.text, "192.0.2.1"));
  stop(&program);
  tac_view_server_stop(NULL);
}

TAC_TEST(listens_where_it_was_told) {
  Program program;
  int port = start(&program);
  int client = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in other = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  other.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1); /* 127.0.0.2 leads here as well */
  ck_assert_int_eq(connect(client, (struct sockaddr *)&other, sizeof other), -1);
  ck_assert_int_eq(errno, ECONNREFUSED);
  close(client);
  stop(&program);

  start_at(&program, "0.0.0.0", 0, "token"); /* by any name, but with the token */
  port = tac_view_server_port(program.server);
  int status;
  ck_assert_int_eq(web_status(port, "GET", "/", "lab.example.org", ""), 200);
  ck_assert_int_eq(web_status(port, "GET", "/socket", "lab.example.org", ""), 403);
  ck_assert_int_eq(web_status(port, "GET", "/socket?token=token", "lab.example.org", ""), 426);
  ck_assert_int_eq(web_socket_at(port, "/socket", "", false, &status), -1);
  ck_assert_int_eq(status, 403);
  client = web_socket_at(port, "/socket?token=token", "", false, &status);
  ck_assert_int_eq(status, 101);
  close(client);
  stop(&program);
}

/* ---- The handshake. ---- */

TAC_TEST(asks_for_the_token) {
  Program program;
  start_at(&program, "127.0.0.1", 0, "secret");
  int port = tac_view_server_port(program.server), status;
  const char *wrong[] = {"/socket",
                         "/socket?",
                         "/socket?token",
                         "/socket?token=",
                         "/socket?token=secre",
                         "/socket?token=secrets",
                         "/socket?token=Secret",
                         "/socket?Token=x&a=secret",
                         "/socket?token=%00secret"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    ck_assert_int_eq(web_socket_at(port, wrong[i], "", false, &status), -1);
    ck_assert_msg(status == 403, "%s: %d", wrong[i], status);
    ck_assert_int_eq(web_status(port, "GET", wrong[i], local(port), ""), 403); /* a page asks so why it was refused */
  }
  int client = web_socket_at(port, "/socket?a=b&token=%73ecret", "", false, &status);
  ck_assert_int_eq(status, 101);
  expect(client, TAC_VIEW_WELCOME, 1, 8);
  close(client);
  stop(&program);
}

TAC_TEST(refuses_pages_from_elsewhere) {
  Program program;
  int port = start(&program), status;
  const char *wrong[] = {"http://example.org",  "null",    "http://127.0.0.1",
                         "http://localhost:%d", "file://", "http://127.0.0.1:%d.org"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char header[128];
    const char *at = strchr(wrong[i], '%');
    if (at == NULL)
      snprintf(header, sizeof header, "Origin: %s\r\n", wrong[i]);
    else
      snprintf(header, sizeof header, "Origin: %.*s%d%s\r\n", (int)(at - wrong[i]), wrong[i], port, at + 2);
    ck_assert_int_eq(web_socket_at(port, "/socket", header, false, &status), -1);
    ck_assert_msg(status == 403, "%s", wrong[i]);
  }
  char header[128];
  snprintf(header, sizeof header, "Origin: http://127.0.0.1:%d\r\n", port);
  int client = web_socket_at(port, "/socket", header, false, &status);
  ck_assert_int_eq(status, 101);
  close(client);
  stop(&program);
}

TAC_TEST(has_room_for_eight) {
  Program program;
  int port = start(&program), clients[TAC_VIEW_MOST_CLIENTS], status;
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i) clients[i] = join(port, (uint32_t)i + 1);
  ck_assert_int_eq(tac_view_server_client_count(program.server), TAC_VIEW_MOST_CLIENTS);
  ck_assert_int_eq(web_socket_at(port, "/socket", "", false, &status), -1);
  ck_assert_int_eq(status, 503);
  ck_assert_int_eq(web_status(port, "GET", "/socket", local(port), ""), 503);
  ck_assert_int_eq(web_status(port, "GET", "/", local(port), ""), 200); /* pages still come */
  close(clients[3]);
  wait_for(&program, &program.left, 1);
  clients[3] = join(port, TAC_VIEW_MOST_CLIENTS + 1);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i) close(clients[i]);
  stop(&program);
}

/* ---- Messages. ---- */

TAC_TEST(hands_messages_on) {
  Program program;
  int port = start(&program), client = join(port, 1);
  const unsigned char command[] = {66, 1, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'a', '.', 'y'};
  show(client, 77);
  web_send_frame(client, 0x8A, true, "?", 1); /* a pong that nobody asked for */
  web_send(client, command, sizeof command);
  wait_for(&program, &program.message_count, 2);
  ck_assert_int_eq(program.messages[0].kind, TAC_VIEW_SHOWN);
  ck_assert_uint_eq(program.messages[0].shown.frame, 77);
  ck_assert_int_eq(program.messages[1].kind, TAC_VIEW_COMMAND);
  ck_assert_int_eq(program.messages[1].command.command, TAC_VIEW_OPEN);
  ck_assert_str_eq(program.messages[1].command.text, "a.y");

  unsigned char pieces[64]; /* the same, byte by byte */
  const unsigned char mask[4] = {1, 2, 3, 4};
  pieces[0] = 0x82;
  pieces[1] = 0x80 | sizeof command;
  memcpy(pieces + 2, mask, 4);
  for (size_t i = 0; i < sizeof command; ++i) pieces[6 + i] = command[i] ^ mask[i % 4];
  for (size_t i = 0; i < 6 + sizeof command; ++i) web_write(client, pieces + i, 1);
  wait_for(&program, &program.message_count, 3);
  ck_assert_str_eq(program.messages[2].command.text, "a.y");
  close(client);
  stop(&program);
}

TAC_TEST(closes_on_what_is_wrong) {
  Program program;
  int port = start(&program);
  unsigned char bytes[2048] = {65, 1};
  const unsigned char command[16] = {66, 1, 3, 0};
  const struct {
    unsigned first;
    bool masked;
    size_t size;
    int code;
  } cases[] = {{0x82, true, 1025, 1009}, {0x82, true, 2048, 1009}, {0x82, true, 9, 1002}, {0x82, true, 0, 1002},
               {0x82, true, 1024, 1002}, {0x02, true, 8, 1002},    {0x80, true, 8, 1002}, {0x82, false, 8, 1002},
               {0x81, true, 8, 1003},    {0xC2, true, 8, 1002},    {0x83, true, 8, 1002}, {0x89, true, 126, 1002},
               {0x09, true, 0, 1002},    {0x88, true, 1, 1002},    {0x88, false, 2, 1002}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    int client = web_socket(port);
    web_send_frame(client, cases[i].first, cases[i].masked, bytes, cases[i].size);
    int code = web_closing_code(client);
    ck_assert_msg(code == cases[i].code, "case %zu: %d", i, code);
    wait_for(&program, &program.left, (int)i + 1); /* else there might be no room for the next */
  }
  ck_assert_int_eq(program.message_count, 0);
  int client = web_socket(port); /* what came before counts, what comes after does not */
  show(client, 1);
  web_send_frame(client, 0x82, true, "?", 1);
  web_send(client, command, sizeof command);
  ck_assert_int_eq(web_closing_code(client), 1002);
  wait_for(&program, &program.here, 0);
  ck_assert_int_eq(program.message_count, 1);
  stop(&program);
}

TAC_TEST(answers_pings_and_goodbyes) {
  Program program;
  int port = start(&program), client = join(port, 1);
  char longest[125];
  memset(longest, 'p', sizeof longest);
  unsigned char *bytes;
  size_t size;
  web_send_frame(client, 0x89, true, longest, sizeof longest);
  ck_assert_int_eq(web_receive(client, &bytes, &size), 10);
  ck_assert_uint_eq(size, sizeof longest);
  ck_assert_mem_eq(bytes, longest, size);
  free(bytes);
  web_send_frame(client, 0x88, true, "\x0F\xA0 bye", 6);
  ck_assert_int_eq(web_closing_code(client), 4000);
  client = web_socket(port);
  web_send_frame(client, 0x88, true, NULL, 0);
  ck_assert_int_eq(web_closing_code(client), 0);
  wait_for(&program, &program.here, 0);
  stop(&program);
}

TAC_TEST(closes_who_talks_without_end) {
  Program program;
  int port = start(&program), client = join(port, 1);
  enum { COUNT = 100000 };
  unsigned char *pongs = malloc(6 * COUNT); /* without payload */
  ck_assert_ptr_nonnull(pongs);
  for (int i = 0; i < COUNT; ++i) memcpy(pongs + 6 * i, "\x8A\x80\1\2\3\4", 6);
  web_write(client, pongs, 6 * COUNT);
  ck_assert_int_eq(web_closing_code(client), 1008);
  free(pongs);
  stop(&program);
}

/* ---- What is sent. ---- */

TAC_TEST(packets_come_in_order) {
  Program program;
  int port = start(&program), clients[3];
  const int count = 400;
  for (int i = 0; i < 3; ++i) clients[i] = join(port, (uint32_t)i + 1);
  for (int i = 0; i < count; ++i) {
    size_t size = 8 + (size_t)(i * i * 37 % 70000);
    send_packet(&program, 0, TAC_VIEW_STATE, (uint32_t)i, size);
    send_packet(&program, 2, TAC_VIEW_NOTICE, (uint32_t)i, 9);
    send_packet(&program, 99, TAC_VIEW_NOTICE, 0, 9); /* nobody */
  }
  send_frame(&program, 5, 100000);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < count; ++i) {
      expect(clients[k], TAC_VIEW_STATE, (uint32_t)i, 8 + (size_t)(i * i * 37 % 70000));
      if (k == 1) expect(clients[k], TAC_VIEW_NOTICE, (uint32_t)i, 9);
    }
    expect(clients[k], TAC_VIEW_FRAME, 5, 100000);
    close(clients[k]);
  }
  stop(&program);
}

TAC_TEST(the_welcome_comes_first) {
  Program program;
  int port = start(&program);
  program.greets = false;
  int client = web_socket(port);
  wait_for(&program, &program.joined, 1);
  send_packet(&program, 0, TAC_VIEW_STATE, 1, 8); /* to all, before the new one was greeted */
  send_frame(&program, 1, 64);
  ck_assert(!tac_view_server_wants_frame(program.server));
  send_packet(&program, 1, TAC_VIEW_WELCOME, 1, 8);
  ck_assert(tac_view_server_wants_frame(program.server));
  send_frame(&program, 2, 64);
  send_packet(&program, 0, TAC_VIEW_STATE, 2, 8);
  expect(client, TAC_VIEW_WELCOME, 1, 8);
  unsigned char *bytes;
  size_t size;
  for (int i = 0; i < 2; ++i) { /* in either order */
    ck_assert_int_eq(web_receive(client, &bytes, &size), 2);
    ck_assert(is_packet(bytes, size, TAC_VIEW_STATE, 2, 8) || is_packet(bytes, size, TAC_VIEW_FRAME, 2, 64));
    free(bytes);
  }
  close(client);
  stop(&program);
}

/* One client shows every frame, one shows none, one does not even read: the first misses nothing, the others get
 * two. */
TAC_TEST(slow_clients_miss_frames) {
  Program program;
  int port = start(&program);
  const size_t size = 300000;
  const uint32_t count = tac_test_light() ? 30 : 200;
  ck_assert(!tac_view_server_wants_frame(program.server)); /* there is nobody */
  int quick = join(port, 1), slow = join(port, 2), deaf = join_deaf(&program, port);
  for (uint32_t frame = 1; frame <= count; ++frame) {
    ck_assert(tac_view_server_wants_frame(program.server));
    send_frame(&program, frame, size);
    expect(quick, TAC_VIEW_FRAME, frame, size);
    if (frame <= 2) expect(slow, TAC_VIEW_FRAME, frame, size);
    show(quick, frame);
    wait_for(&program, &program.shown[1], (int)frame);
  }
  close(quick);
  wait_for(&program, &program.left, 1);
  /* The deaf one's buffers, full of the first frame, may still take a second. */
  close(deaf);
  wait_for(&program, &program.left, 2);
  ck_assert(!tac_view_server_wants_frame(program.server));
  send_frame(&program, 1000, size);
  send_packet(&program, 0, TAC_VIEW_NOTICE, 1, 8);
  expect(slow, TAC_VIEW_NOTICE, 1, 8); /* what is no frame comes all the same */

  show(slow, 12345); /* none of those sent */
  wait_for(&program, &program.shown[2], 1);
  ck_assert(!tac_view_server_wants_frame(program.server));
  show(slow, 1); /* all but one */
  wait_for(&program, &program.shown[2], 2);
  ck_assert(tac_view_server_wants_frame(program.server));
  send_frame(&program, 1001, size);
  expect(slow, TAC_VIEW_FRAME, 1001, size);
  ck_assert(!tac_view_server_wants_frame(program.server));
  show(slow, 1001); /* and with it the second */
  wait_for(&program, &program.shown[2], 3);
  for (uint32_t frame = 1002; frame <= 1003; ++frame) {
    ck_assert(tac_view_server_wants_frame(program.server));
    send_frame(&program, frame, size);
    expect(slow, TAC_VIEW_FRAME, frame, size);
  }
  ck_assert(!tac_view_server_wants_frame(program.server));
  close(slow);
  stop(&program);
}

/* However many frames a client misses, it gets all ticks, each before a frame that is later. */
TAC_TEST(ticks_wait_for_the_next_frame) {
  Program program;
  int port = start(&program), slow = join(port, 1);
  const size_t size = 64;
  uint32_t tick = 0;
  for (uint32_t frame = 1; frame <= 2; ++frame) {
    send_ticks(&program, ++tick, size);
    send_ticks(&program, ++tick, size);
    send_frame(&program, frame, size);
    expect(slow, TAC_VIEW_TICKS, tick - 1, size);
    expect(slow, TAC_VIEW_TICKS, tick, size);
    expect(slow, TAC_VIEW_FRAME, frame, size);
  }
  for (uint32_t frame = 3; frame <= 100; ++frame) { /* for which it is too slow */
    send_ticks(&program, ++tick, size);
    send_frame(&program, frame, size);
  }
  send_packet(&program, 0, TAC_VIEW_NOTICE, 1, 8);
  expect(slow, TAC_VIEW_NOTICE, 1, 8); /* no ticks without a frame */
  show(slow, 2);
  wait_for(&program, &program.shown[1], 1);
  send_frame(&program, 101, size);
  for (uint32_t t = 5; t <= tick; ++t) expect(slow, TAC_VIEW_TICKS, t, size);
  expect(slow, TAC_VIEW_FRAME, 101, size);
  close(slow);
  stop(&program);
}

TAC_TEST(the_oldest_of_too_many_ticks_are_dropped) {
  Program program;
  int port = start(&program), client = join(port, 1);
  for (uint32_t t = 1; t <= TAC_VIEW_MOST_TICKS + 50; ++t) send_ticks(&program, t, 64);
  send_frame(&program, 1, 64);
  for (uint32_t t = 51; t <= TAC_VIEW_MOST_TICKS + 50; ++t) expect(client, TAC_VIEW_TICKS, t, 64);
  expect(client, TAC_VIEW_FRAME, 1, 64);
  send_ticks(&program, 1000, 64); /* it waits at the end */
  close(client);
  stop(&program);
}

/* While something large travels, frames replace each other. */
TAC_TEST(only_the_latest_frame_waits) {
  Program program;
  int port = start(&program), client = join_deaf(&program, port);
  const size_t large = 40 << 20; /* more than the system's buffers */
  send_packet(&program, 1, TAC_VIEW_BODY, 3, large);
  for (uint32_t frame = 1; frame <= 20; ++frame) send_frame(&program, frame, 1000);
  expect(client, TAC_VIEW_WELCOME, 1, 8);
  expect(client, TAC_VIEW_BODY, 3, large);
  expect(client, TAC_VIEW_FRAME, 20, 1000);
  close(client);
  stop(&program);
}

TAC_TEST(closes_whom_too_much_waits_for) {
  Program program;
  int port = start(&program), deaf = join_deaf(&program, port), other = join(port, 2);
  tacPacket *packet = make_packet(TAC_VIEW_BODY, 1, 32 << 20);
  for (int i = 0; i < 7; ++i) tac_view_server_send(program.server, 1, packet); /* 224 MiB */
  ck_assert_int_eq(tac_view_server_client_count(program.server), 2);
  for (int i = 0; i < 2; ++i) tac_view_server_send(program.server, 1, packet); /* 288 MiB */
  tac_packet_release(packet);
  wait_for(&program, &program.left, 1);
  ck_assert_int_eq(tac_view_server_client_count(program.server), 1);
  send_packet(&program, 0, TAC_VIEW_NOTICE, 1, 8);
  expect(other, TAC_VIEW_NOTICE, 1, 8);
  close(deaf);
  close(other);
  stop(&program);
}

/* ---- The end, and trouble. ---- */

TAC_TEST(stops_though_clients_are_stuck) {
  Program program;
  int port = start(&program), clients[TAC_VIEW_MOST_CLIENTS];
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i)
    clients[i] = i % 2 == 0 ? join_deaf(&program, port) : join(port, (uint32_t)i + 1);
  tacPacket *packet = make_packet(TAC_VIEW_BODY, 1, 40 << 20);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; i += 2) tac_view_server_send(program.server, i + 1, packet);
  tac_packet_release(packet);
  stop(&program); /* it takes 0.3 s; else it does not end */
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i)
    if (i % 2 == 0)
      close(clients[i]);
    else
      ck_assert_int_eq(web_closing_code(clients[i]), 1001);
}

TAC_TEST(survives_noise) {
  Program program;
  int port = start(&program);
  unsigned state = 7;
  int sockets = 0;
  for (int round = 0; round < (tac_test_light() ? 30 : 150); ++round) {
    unsigned char bytes[3000];
    for (size_t i = 0; i < sizeof bytes; ++i)
      bytes[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
    size_t size = state % sizeof bytes + 1;
    bool upgraded = round % 3 != 0;
    int client = upgraded ? join(port, (uint32_t)++sockets) : web_connect(port, false);
    if (round % 3 == 1) { /* well-framed, each with random content */
      for (size_t at = 0, length; at < size; at += length + 1) {
        length = bytes[at] % 40;
        if (at + 1 + length <= size) web_send(client, bytes + at + 1, length);
      }
    } else {
      web_write(client, bytes, size);
      if (!upgraded) web_write(client, "\r\n\r\n", 4);
    }
    if (round % 2 == 0) { /* without a goodbye, and with a reset */
      struct linger now = {.l_onoff = 1};
      setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    close(client);
    wait_for(&program, &program.left, sockets);
  }
  ck_assert_int_eq(web_status(port, "GET", "/", local(port), ""), 200);
  close(join(port, (uint32_t)sockets + 1));
  stop(&program);
}

TAC_TEST(slow_requests_hold_nobody_up) {
  Program program;
  int port = start(&program), slow[20];
  for (int i = 0; i < 20; ++i) {
    slow[i] = web_connect(port, false);
    web_write(slow[i], "GET / HTTP/1.1\r\nHost: ", (size_t)i);
  }
  int client = join(port, 1);
  ck_assert_int_eq(web_status(port, "GET", "/", local(port), ""), 200);
  for (int i = 0; i < 20; ++i) close(slow[i]);
  close(client);
  stop(&program);
}

/* Five requests of the page and a client that joins; s. */
static double time_of_page(int port, uint32_t number, int *client) {
  int64_t begin = tac_clock_now();
  for (int i = 0; i < 5; ++i) ck_assert_int_eq(web_status(port, "GET", "/", local(port), ""), 200);
  *client = join(port, number);
  return tac_clock_seconds(tac_clock_now() - begin);
}

/* Emulators of processors do not know the option by which the system names a socket. */
static bool has_cookies(void) {
  uint64_t cookie;
  socklen_t size = sizeof cookie;
  int probe = socket(AF_INET, SOCK_STREAM, 0);
  bool known = getsockopt(probe, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0;
  close(probe);
  return known;
}

/* Each would hold one of 40 threads until its request is due, after 5 s, and the page would come after six rounds of that or
 * more: 30 s. It comes as soon as without them. Sockets that are in use stay so, however long nothing was said on them. */
TAC_TEST(half_open_connections_do_not_keep_the_page) {
  enum { HALF_OPEN = 300 };
  Program program;
  if (!has_cookies()) return;
  int port = start(&program), half_open[HALF_OPEN], silent, late;
  double usual = time_of_page(port, 1, &silent);
  for (int i = 0; i < HALF_OPEN; ++i) {
    const char *half = i % 3 == 0 ? "" : i % 3 == 1 ? "GET / HT" : "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    half_open[i] = web_connect(port, false);
    web_write(half_open[i], half, strlen(half));
  }
  usleep(50000); /* the clock that tells who is older ticks 100 times a second or more */
  double seconds = time_of_page(port, 2, &late);
  ck_assert_msg(seconds < 20.0 + 10.0 * usual, "the page took %.1f s, and %.1f s without them", seconds, usual);
  send_packet(&program, 0, TAC_VIEW_STATE, 5, 100);
  expect(silent, TAC_VIEW_STATE, 5, 100);
  expect(late, TAC_VIEW_STATE, 5, 100);
  for (int i = 0; i < HALF_OPEN; ++i) close(half_open[i]);
  close(silent);
  close(late);
  stop(&program);
}

TAC_TEST(leaves_nothing_behind) {
  int files = count_entries("/proc/self/fd"), threads = count_entries("/proc/self/task");
  Program program;
  int port = start(&program);
  close(join(port, 1));
  wait_for(&program, &program.left, 1);
  usleep(1000);
  int served_files = files + 1; /* it listens */
  wait_for_entries("/proc/self/fd", served_files);
  int served_threads = count_entries("/proc/self/task");
  const int cycles = tac_test_light() ? 100 : 400;
  for (int i = 0; i < cycles; ++i) {
    int client = join(port, (uint32_t)i + 2);
    send_frame(&program, 1, 5000);
    send_packet(&program, 0, TAC_VIEW_NOTICE, 1, 100000); /* some leave while it waits for them */
    if (i % 3 == 0) {
      web_send_frame(client, 0x88, true, "\x03\xE8", 2);
      ck_assert_int_eq(web_closing_code(client), 1000);
    } else {
      struct linger now = {.l_onoff = i % 3 == 1};
      setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
      close(client);
    }
    wait_for(&program, &program.left, i + 2);
  }
  wait_for_entries("/proc/self/fd", served_files);
  ck_assert_int_eq(count_entries("/proc/self/task"), served_threads);
  stop(&program);
  ck_assert_int_eq(count_entries("/proc/self/fd"), files);
  wait_for_entries("/proc/self/task", threads);
}

/* A page that waits for the program to come back may be quicker than the program. */
static atomic_bool eager_ends;

static void *knock(void *argument) {
  int port = *(const int *)argument;
  char request[256];
  int length = snprintf(request, sizeof request,
                        "GET /socket HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                        port);
  while (!atomic_load(&eager_ends)) {
    int client = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(client, (struct sockaddr *)&address, sizeof address) == 0) {
      web_write(client, request, (size_t)length);
      struct pollfd polled = {.fd = client, .events = POLLIN};
      poll(&polled, 1, 50); /* the answer, or the end */
    }
    close(client);
  }
  return NULL;
}

TAC_TEST(nobody_joins_before_the_start_is_over) {
  Program program;
  int port = start(&program);
  stop(&program);
  pthread_t thread;
  atomic_store(&eager_ends, false);
  ck_assert_int_eq(pthread_create(&thread, NULL, knock, &port), 0);
  for (int i = 0; i < 5; ++i) {
    start_at(&program, "127.0.0.1", port, NULL); /* `joined` finds the server set */
    struct timespec moment = {.tv_nsec = 5000000};
    nanosleep(&moment, NULL);
    stop(&program);
  }
  atomic_store(&eager_ends, true);
  pthread_join(thread, NULL);
}
