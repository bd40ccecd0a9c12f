#include "app/viewer/server/server.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include "app/viewer/server/page.h"
#include "base/clock.h"
#include "viewer/served_program.h"

TAC_TEST_AROUND(start, stop)

static void restart(const char *token) {
  stop();
  start_at("127.0.0.1", 0, token);
}

/* ---- HTTP. ---- */

TAC_TEST(serves_the_page) {
  const char *paths[] = {"/", "/viewer.js", "/viewer.css", "/icon.svg"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
    const tacPageFile *file = tac_page_file(paths[i]);
    if (file == NULL) continue; /* the build had no page */
    for (int head = 0; head < 2; ++head) {
      char host[64], text[1024], size[32], socket[64];
      snprintf(host, sizeof host, "localhost:%d", port);
      snprintf(size, sizeof size, "%zu", file->size);
      TAC_FREED(web_free, WebAnswer, answer);
      web_ask(port, head ? "HEAD" : "GET", paths[i], host, "", &answer);
      ck_assert_int_eq(answer.status, 200);
      const char *headers[][2] = {{"Content-Type", file->type},  {"Content-Length", size},
                                  {"Cache-Control", "no-cache"}, {"X-Content-Type-Options", "nosniff"},
                                  {"X-Frame-Options", "DENY"},   {"Referrer-Policy", "no-referrer"}};
      for (size_t k = 0; k < sizeof headers / sizeof *headers; ++k)
        ck_assert_str_eq(web_header(&answer, headers[k][0], text, sizeof text), headers[k][1]);
      ck_assert_ptr_nonnull(web_header(&answer, "Content-Security-Policy", text, sizeof text));
      snprintf(socket, sizeof socket, "connect-src 'self' ws://localhost:%d wss://localhost:%d;", port, port);
      ck_assert_ptr_nonnull(strstr(text, socket));
      const char *parts[] = {"default-src 'self'", "script-src 'self'", "object-src 'none'", "frame-ancestors 'none'"};
      for (int k = 0; k < 4; ++k) ck_assert_ptr_nonnull(strstr(text, parts[k]));
      ck_assert_ptr_null(web_header(&answer, "Access-Control-Allow-Origin", text, sizeof text));
      ck_assert_uint_eq(answer.size, head ? 0 : file->size);
      if (!head) ck_assert_mem_eq(answer.body, file->bytes, file->size);
    }
  }
}

TAC_TEST(serves_nothing_else) {
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
    int status = status_of(absent[i]);
    ck_assert_msg(status == 404 || (strcmp(absent[i], "/.") == 0 && status == 200), "%s: %d", absent[i], status);
  }
  const char *methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    const char *cors = "Origin: http://example.org\r\nAccess-Control-Request-Method: PUT\r\nContent-Length: 0\r\n";
    char text[64];
    TAC_FREED(web_free, WebAnswer, answer);
    web_ask(port, methods[i], "/", local(), cors, &answer);
    ck_assert_int_eq(answer.status, 405);
    ck_assert_str_eq(web_header(&answer, "Allow", text, sizeof text), "GET, HEAD");
    ck_assert_ptr_null(web_header(&answer, "Access-Control-Allow-Origin", text, sizeof text));
    ck_assert_ptr_null(web_header(&answer, "Access-Control-Allow-Methods", text, sizeof text));
  }
  ck_assert_int_eq(status_of("/picture"), 405);
  ck_assert_int_eq(status_of("/socket"), 426);
  ck_assert_int_eq(web_status(port, "BREW", "/", local(), ""), 400);
}

TAC_TEST(refuses_other_hosts) {
  char host[64];
  ck_assert_int_eq(status_of("/"), 200);
  ck_assert_int_eq(web_status(port, "GET", "/", NULL, ""), 400);
  ck_assert_int_eq(web_status(port, "GET", "/", "", ""), 400);
  ck_assert_int_eq(web_status(port, "GET", "/", "a b", ""), 400);
  const char *others[] = {"example.org:%d", "127.0.0.1.example.org:%d", "localhost:1%d", "127.0.0.1"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    const char *at = strchr(others[i], '%');
    snprintf(host, sizeof host, "%.*s", at != NULL ? (int)(at - others[i]) : (int)strlen(others[i]), others[i]);
    if (at != NULL) snprintf(host + strlen(host), sizeof host - strlen(host), "%d", port);
    TAC_FREED(web_free, WebAnswer, answer);
    web_ask(port, "GET", "/", host, "", &answer);
    ck_assert_int_eq(answer.status, 403);
    answer.body[answer.size] = '\0';
    ck_assert_ptr_nonnull(strstr((char *)answer.body, host)); /* it says why */
    const char *upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
    ck_assert_int_eq(web_status(port, "GET", "/socket", host, upgrade), 403);
  }
}

TAC_TEST(serves_pictures) {
  restart("a secret&");
  char request[256];
  snprintf(program.picture, sizeof program.picture, "%s", tac_test_write("k.png", "a picture"));
  const char *token = "?token=a+secret%26";
  TAC_FREED(web_free, WebAnswer, answer);
  web_ask(port, "GET", "/pictures/kidney-2_A.png?token=a+secret%26", local(), "", &answer);
  ck_assert_int_eq(answer.status, 200);
  ck_assert_uint_eq(answer.size, 9);
  ck_assert_mem_eq(answer.body, "a picture", 9);
  ck_assert_str_eq(web_header(&answer, "Content-Type", request, sizeof request), "image/png");

  ck_assert_int_eq(status_of("/pictures/kidney-2_A.png"), 403);
  ck_assert_int_eq(status_of("/pictures/kidney-2_A.png?token="), 403);
  ck_assert_int_eq(status_of("/pictures/kidney-2_A.png?token=a+secret"), 403);
  const char *names[] = {"other.png",  "absent.png", "kidney-2_A", "kidney-2_A.jpg",   "a.b.png",
                         "..%2Fk.png", ".png",       "k%00.png",   "kidney-2_A.png%0A"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(request, sizeof request, "/pictures/%s%s", names[i], token);
    ck_assert_msg(status_of(request) == 404, "%s", names[i]);
  }
  ck_assert_int_eq(truncate(program.picture, (16 << 20) + 1), 0);
  ck_assert_int_eq(status_of("/pictures/kidney-2_A.png?token=a+secret%26"), 404);
}

static int put(const char *path, const char *headers, const void *body, size_t size) {
  TAC_FREED(web_free, WebAnswer, answer);
  web_put(port, "PUT", path, local(), headers, body, size, &answer);
  return answer.status;
}

TAC_TEST(recordings_are_fetched) {
  restart("secret");
  char text[256];
  const size_t size = 3 * 65536 + 17; /* several pieces */
  snprintf(program.picture, sizeof program.picture, "%s", tac_test_path("r"));
  FILE *file = fopen(program.picture, "wb");
  ck_assert_ptr_nonnull(file);
  for (size_t i = 0; i < size; ++i) fputc((int)(i * 7 % 251), file);
  fclose(file);
  const char *name = "/recordings/a%20(1).tacrec", *allowed = "/recordings/a%20(1).tacrec?token=secret";
  TAC_FREED(web_free, WebAnswer, answer);
  web_ask(port, "GET", allowed, local(), "", &answer);
  ck_assert_int_eq(answer.status, 200);
  ck_assert_uint_eq(answer.size, size);
  for (size_t i = 0; i < size; ++i) ck_assert_int_eq(answer.body[i], (int)(i * 7 % 251));
  ck_assert_str_eq(web_header(&answer, "Content-Disposition", text, sizeof text),
                   "attachment; filename=\"a (1).tacrec\"");
  web_free(&answer);
  web_ask(port, "HEAD", allowed, local(), "", &answer);
  ck_assert_int_eq(answer.status, 200);
  ck_assert_uint_eq(answer.size, 0);
  ck_assert_int_eq(status_of(name), 403);
  const char *others[] = {"b.tacrec", "a%20(1)", "../r", "..%2Fr.tacrec", ".tacrec", "%22.tacrec", "a%0A.tacrec", ""};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    snprintf(text, sizeof text, "/recordings/%s?token=secret", others[i]);
    ck_assert_msg(status_of(text) == 404, "%s", text);
  }
  unlink(program.picture); /* it has gone meanwhile */
  ck_assert_int_eq(status_of(allowed), 404);
}

TAC_TEST(takes_drawings) {
  restart("secret");
  const size_t size = 3 << 20;
  TAC_MEMORY(unsigned char, body) = malloc(size);
  ck_assert_ptr_nonnull(body);
  for (size_t i = 0; i < size; ++i) body[i] = (unsigned char)(i * 31);
  memcpy(body, "\x89PNG\r\n\x1A\n", 8);
  char headers[256];
  const char *path = "/picture?token=secret";
  snprintf(headers, sizeof headers, "Origin: http://%s\r\nContent-Length: %zu\r\n", local(), size);
  ck_assert_int_eq(put(path, headers, body, size), 200);
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
             cases[i].same_origin ? local() : "", cases[i].same_origin ? "\r\n" : "", cases[i].headers);
    bool sized = strstr(cases[i].headers, ": 100") != NULL;
    ck_assert_msg(put(cases[i].path, headers, body, sized ? 100 : 0) == cases[i].status, "case %zu", i);
  }
  body[1] = 'p';
  snprintf(headers, sizeof headers, "Origin: http://%s\r\nContent-Length: 100\r\n", local());
  ck_assert_int_eq(put(path, headers, body, 100), 415);
  snprintf(headers, sizeof headers, "Origin: http://%s\r\nContent-Length: 0\r\n", local());
  ck_assert_int_eq(put(path, headers, NULL, 0), 415);
  ck_assert_uint_eq(program.drawing_size, size);
}

TAC_TEST(start_errors_give_the_reason) {
  tacViewServer *server;
  const tacViewHandler handler = {&program, joined, left, message, NULL, NULL, NULL};
  tacViewServerDef def = {"127.0.0.1", port, NULL, handler};
  char text[128];
  snprintf(text, sizeof text, "port %d of 127.0.0.1 is in use; choose another with --port, or 0 for any", port);
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
  tac_view_server_stop(NULL);
}

TAC_TEST(listens_on_the_given_address) {
  int client = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in other = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  other.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1); /* 127.0.0.2 leads here as well */
  ck_assert_int_eq(connect(client, (struct sockaddr *)&other, sizeof other), -1);
  ck_assert_int_eq(errno, ECONNREFUSED);
  close(client);

  stop();
  start_at("0.0.0.0", 0, "token"); /* by any name, but with the token */
  int status;
  ck_assert_int_eq(web_status(port, "GET", "/", "lab.example.org", ""), 200);
  ck_assert_int_eq(web_status(port, "GET", "/socket", "lab.example.org", ""), 403);
  ck_assert_int_eq(web_status(port, "GET", "/socket?token=token", "lab.example.org", ""), 426);
  ck_assert_int_eq(web_socket_at(port, "/socket", "", false, &status), -1);
  ck_assert_int_eq(status, 403);
  client = web_socket_at(port, "/socket?token=token", "", false, &status);
  ck_assert_int_eq(status, 101);
  close(client);
}

/* ---- The handshake. ---- */

TAC_TEST(requires_the_token) {
  restart("secret");
  int status;
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
    ck_assert_int_eq(status_of(wrong[i]), 403); /* a page asks so why it was refused */
  }
  int client = web_socket_at(port, "/socket?a=b&token=%73ecret", "", false, &status);
  ck_assert_int_eq(status, 101);
  expect(client, TAC_VIEW_WELCOME, 1, 8);
  close(client);
}

TAC_TEST(refuses_pages_from_elsewhere) {
  int status;
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
}

TAC_TEST(has_room_for_eight) {
  int clients[TAC_VIEW_MOST_CLIENTS], status;
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i) clients[i] = join((uint32_t)i + 1);
  ck_assert_int_eq(sink().client_count(program.server), TAC_VIEW_MOST_CLIENTS);
  ck_assert_int_eq(web_socket_at(port, "/socket", "", false, &status), -1);
  ck_assert_int_eq(status, 503);
  ck_assert_int_eq(status_of("/socket"), 503);
  ck_assert_int_eq(status_of("/"), 200); /* pages still come */
  close(clients[3]);
  wait_for(&program.left, 1);
  clients[3] = join(TAC_VIEW_MOST_CLIENTS + 1);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i) close(clients[i]);
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
  for (int64_t end = tac_clock_now() + WEB_TIMEOUT * TAC_NS_PER_SECOND; tac_clock_now() < end; usleep(1000))
    if ((count = count_entries(folder)) <= wanted) return;
  ck_abort_msg("%s has %d entries, not %d", folder, count, wanted);
}

/* ---- The end, and trouble. ---- */

TAC_TEST(stops_despite_stuck_clients) {
  int clients[TAC_VIEW_MOST_CLIENTS];
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i) clients[i] = i % 2 == 0 ? join_deaf() : join((uint32_t)i + 1);
  tacPacket *packet = make_packet(TAC_VIEW_BODY, 1, 40 << 20);
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; i += 2) sink().send(program.server, i + 1, packet);
  tac_packet_release(packet);
  stop(); /* it takes 0.3 s; else it does not end */
  for (int i = 0; i < TAC_VIEW_MOST_CLIENTS; ++i)
    if (i % 2 == 0)
      close(clients[i]);
    else
      ck_assert_int_eq(web_closing_code(clients[i]), 1001);
}

TAC_TEST(survives_noise) {
  unsigned state = 7;
  int sockets = 0;
  for (int round = 0; round < (tac_test_light() ? 30 : 150); ++round) {
    unsigned char bytes[3000];
    for (size_t i = 0; i < sizeof bytes; ++i)
      bytes[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
    size_t size = state % sizeof bytes + 1;
    bool upgraded = round % 3 != 0;
    int client = upgraded ? join((uint32_t)++sockets) : web_connect(port, false);
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
    wait_for(&program.left, sockets);
  }
  ck_assert_int_eq(status_of("/"), 200);
  close(join((uint32_t)sockets + 1));
}

/* Five requests of the page and a client that joins; s. */
static double time_of_page(uint32_t number, int *client) {
  int64_t begin = tac_clock_now();
  for (int i = 0; i < 5; ++i) ck_assert_int_eq(status_of("/"), 200);
  *client = join(number);
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

TAC_TEST(slow_requests_do_not_delay_others) {
  int slow[20];
  for (int i = 0; i < 20; ++i) {
    slow[i] = web_connect(port, false);
    web_write(slow[i], "GET / HTTP/1.1\r\nHost: ", (size_t)i);
  }
  int client = join(1);
  ck_assert_int_eq(status_of("/"), 200);
  for (int i = 0; i < 20; ++i) close(slow[i]);
  close(client);
}

/* Each would hold one of 40 threads until its request is due, after 5 s, and the page would come after six rounds of that or
 * more: 30 s. It comes as soon as without them. Its address is another, because on a busy machine a page of their address may be
 * ended with them. Sockets that are in use stay so, however long nothing was said on them. */
TAC_TEST(half_open_connections_do_not_block_the_page) {
  enum { HALF_OPEN = 300 };
  if (!has_cookies()) return;
  int half_open[HALF_OPEN], silent, late;
  double usual = time_of_page(1, &silent);
  for (int i = 0; i < HALF_OPEN; ++i) {
    const char *half = i % 3 == 0 ? "" : i % 3 == 1 ? "GET / HT" : "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    half_open[i] = web_connect_from(2, port, false);
    web_write(half_open[i], half, strlen(half));
  }
  double seconds = time_of_page(2, &late);
  ck_assert_msg(seconds < 20.0 + 10.0 * usual, "the page took %.1f s, and %.1f s without them", seconds, usual);
  send_packet(0, TAC_VIEW_STATE, 5, 100);
  expect(silent, TAC_VIEW_STATE, 5, 100);
  expect(late, TAC_VIEW_STATE, 5, 100);
  for (int i = 0; i < HALF_OPEN; ++i) close(half_open[i]);
  close(silent);
  close(late);
}

/* Connections that send a byte and read a little every 50 ms, and begin again where they are ended. */
typedef struct Drip {
  const char *request;     /* what each begins with */
  int from, count, server; /* the last number of the address, 127.0.0.`from`; connections, at most 200; port */
  int sockets[200];
  atomic_int again; /* how often a connection was ended */
  atomic_bool ends;
  pthread_t thread;
} Drip;

static int begin_dripping(const Drip *drip) {
  int client = web_connect_from(drip->from, drip->server, true);
  web_write(client, drip->request, strlen(drip->request));
  return client;
}

static void *drip_slowly(void *context) {
  Drip *drip = context;
  for (; !drip->ends; usleep(50000))
    for (int i = 0; i < drip->count; ++i) {
      char bytes[1024];
      bool open = send(drip->sockets[i], "G", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
      ssize_t got = recv(drip->sockets[i], bytes, sizeof bytes, MSG_DONTWAIT);
      if (open && (got > 0 || (got < 0 && errno == EAGAIN))) continue;
      close(drip->sockets[i]);
      drip->sockets[i] = begin_dripping(drip);
      ++drip->again;
    }
  return NULL;
}

static void start_drip(Drip *drip) {
  drip->server = port;
  for (int i = 0; i < drip->count; ++i) drip->sockets[i] = begin_dripping(drip);
  ck_assert_int_eq(pthread_create(&drip->thread, NULL, drip_slowly, drip), 0);
  usleep(200000);
}

static void end_drip(Drip *drip) {
  drip->ends = true;
  pthread_join(drip->thread, NULL);
  for (int i = 0; i < drip->count; ++i) close(drip->sockets[i]);
}

TAC_TEST(slow_headers_do_not_block_the_page) {
  if (!has_cookies()) return;
  int before, late;
  double usual = time_of_page(1, &before);
  Drip drip = {.from = 2, .count = 200, .request = ""};
  start_drip(&drip);
  double seconds = time_of_page(2, &late);
  end_drip(&drip);
  ck_assert_msg(seconds < 20.0 + 10.0 * usual, "the page took %.1f s, and %.1f s without them", seconds, usual);
  close(before);
  close(late);
}

TAC_TEST(a_slow_header_has_a_deadline) {
  int client = web_connect(port, false);
  char byte;
  int sent = 0; /* bytes, one every 50 ms at most */
  while (send(client, "G", 1, MSG_NOSIGNAL) == 1 && recv(client, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN &&
         sent < 400) {
    ++sent;
    usleep(50000);
  }
  ck_assert_int_lt(sent, 400);
  close(client);
}

/* The server refuses the one and accepts the other. They would take hours. */
TAC_TEST(slow_bodies_have_a_deadline) {
  const char *form = "PUT /picture HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nContent-Length: %d\r\n\r\n";
  for (int i = 0; i < 2; ++i) {
    char request[256];
    const char *host = local();
    snprintf(request, sizeof request, form, host, i == 0 ? "example.org" : host, i == 0 ? 1 << 20 : 100000);
    Drip drip = {.from = 1, .count = 1, .request = request};
    start_drip(&drip);
    int waited = 0; /* tenths of a second */
    while (drip.again == 0 && ++waited < WEB_TIMEOUT * 10) usleep(100000);
    ck_assert_int_gt(drip.again, 0);
    end_drip(&drip);
  }
}

/* Two addresses that send a request slowly, send a body slowly or read an answer slowly, so that the queue is never empty: the
 * page comes to a third one, and a WebSocket of one of them stays open. */
TAC_TEST(addresses_at_their_limit_do_not_keep_another_from_the_page) {
  const char *requests[] = {"", "PUT /picture HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n",
                            "GET /pictures/kidney-2_A.png?token=t HTTP/1.1\r\nHost: a\r\n\r\n"};
  stop();
  start_at("0.0.0.0", 0, "t");
  snprintf(program.picture, sizeof program.picture, "%s", tac_test_write("k.png", ""));
  ck_assert_int_eq(truncate(program.picture, 16 << 20), 0);
  int joined_client = web_connect_from(2, port, false);
  const char *upgrade = "GET /socket?token=t HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  web_write(joined_client, upgrade, strlen(upgrade));
  wait_for(&program.joined, 1);
  for (size_t i = has_cookies() ? 0 : 1; i < sizeof requests / sizeof *requests; ++i) {
    Drip first = {.from = 2, .count = 60, .request = requests[i]},
         second = {.from = 3, .count = 60, .request = requests[i]};
    start_drip(&first);
    start_drip(&second);
    int64_t begin = tac_clock_now();
    ck_assert_int_eq(status_of("/"), 200);
    tac_test_print("%zu: %.2f s, %d %d again\n", i, tac_clock_seconds(tac_clock_now() - begin), first.again,
                   second.again);
    end_drip(&first);
    end_drip(&second);
  }
  wait_for(&program.left, 0); /* their client stays */
  close(joined_client);
}

TAC_TEST(leaves_nothing_behind) {
  stop();
  int files = count_entries("/proc/self/fd"), threads = count_entries("/proc/self/task");
  start();
  close(join(1));
  wait_for(&program.left, 1);
  usleep(1000);
  int served_files = files + 1; /* it listens */
  wait_for_entries("/proc/self/fd", served_files);
  int served_threads = count_entries("/proc/self/task");
  const int cycles = tac_test_light() ? 100 : 400;
  for (int i = 0; i < cycles; ++i) {
    int client = join((uint32_t)i + 2);
    send_frame(1, 5000);
    send_packet(0, TAC_VIEW_NOTICE, 1, 100000); /* some leave while it waits for them */
    if (i % 3 == 0) {
      web_send_frame(client, 0x88, true, "\x03\xE8", 2);
      ck_assert_int_eq(web_closing_code(client), 1000);
    } else {
      struct linger now = {.l_onoff = i % 3 == 1};
      setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
      close(client);
    }
    wait_for(&program.left, i + 2);
  }
  wait_for_entries("/proc/self/fd", served_files);
  ck_assert_int_eq(count_entries("/proc/self/task"), served_threads);
  stop();
  ck_assert_int_eq(count_entries("/proc/self/fd"), files);
  wait_for_entries("/proc/self/task", threads);
}

/* A page that waits for the program to come back may be quicker than the program. */
static atomic_bool eager_ends;

static void *knock(void *of) {
  int at = *(const int *)of; /* `port` is written again by each start */
  char request[256];
  int length = snprintf(request, sizeof request,
                        "GET /socket HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                        at);
  while (!atomic_load(&eager_ends)) {
    int client = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)at)};
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

TAC_TEST(clients_join_only_after_the_start) {
  stop();
  pthread_t thread;
  int where = port;
  atomic_store(&eager_ends, false);
  ck_assert_int_eq(pthread_create(&thread, NULL, knock, &where), 0);
  for (int i = 0; i < 5; ++i) {
    start_at("127.0.0.1", port, NULL); /* `joined` finds the server set */
    struct timespec moment = {.tv_nsec = 5000000};
    nanosleep(&moment, NULL);
    stop();
  }
  atomic_store(&eager_ends, true);
  pthread_join(thread, NULL);
}
