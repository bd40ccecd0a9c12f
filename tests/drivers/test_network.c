/* The driver and a client over UDP or WebSocket, byte by byte as docs/network_device.md has it. */
#include <poll.h>
#include <stdatomic.h>
#include "base/clock.h"
#include "base/socket_key.h"
#include "driver_checks.h"
#include "drivers/network_message.h"
#include "tcp_end.h"

static const char name[] = "network";

/* ---- a client on a thread of its own, whose hand the test moves ---- */

static struct {
  StandIn hand;
  bool web;
  int port, socket;
  tacNetworkMessage hello;
  atomic_bool stops, welcomed, bye, live;
  atomic_int version;            /* of what it says */
  uint32_t session, sequence;    /* of the thread */
  atomic_uint answered, refused; /* the newest sequence that was answered; refusals */
  char reason[TAC_NETWORK_REASON + 1], options[200];
  pthread_t thread;
} client;

static void say(const tacNetworkMessage *message) {
  unsigned char frame[8 + TAC_NETWORK_MOST] = {0x82, 0, 1, 2, 3, 4}, *bytes = frame + 6;
  size_t size = tac_network_message_write(message, bytes);
  bytes[4] = (unsigned char)atomic_load(&client.version);
  if (!client.web) {
    send(client.socket, bytes, size, MSG_NOSIGNAL);
    return;
  }
  unsigned char long_head[8] = {0x82, 0x80 | 126, (unsigned char)(size >> 8), (unsigned char)size, 1, 2, 3, 4};
  frame[1] = (unsigned char)(0x80 | size);
  for (size_t i = 0; i < size; ++i) bytes[i] ^= frame[2 + i % 4];
  send(client.socket, size < 126 ? frame : long_head, size < 126 ? 6 : 8, MSG_NOSIGNAL);
  send(client.socket, bytes, size, MSG_NOSIGNAL);
}

static void take_message(const unsigned char *bytes, size_t size) {
  tacNetworkMessage m;
  if (!tac_network_message_read(bytes, size, &m)) return;
  if (m.kind == TAC_NETWORK_WELCOME) {
    client.session = m.session;
    atomic_store(&client.welcomed, true);
  } else if (m.kind == TAC_NETWORK_REFUSAL) {
    snprintf(client.reason, sizeof client.reason, "%s", m.reason);
    atomic_fetch_add(&client.refused, 1);
  } else if (m.kind == TAC_NETWORK_BYE) {
    atomic_store(&client.bye, true);
  } else if (m.kind == TAC_NETWORK_FORCE && m.session == client.session) {
    const double force[3] = {m.force.x, m.force.y, m.force.z};
    pthread_mutex_lock(&client.hand.lock);
    memcpy(client.hand.force, force, sizeof force);
    ++client.hand.sets;
    pthread_mutex_unlock(&client.hand.lock);
    atomic_store(&client.answered, m.answers);
    atomic_store(&client.live, m.live);
  }
}

static void take_all(void) {
  struct pollfd waits = {.fd = client.socket, .events = POLLIN};
  while (poll(&waits, 1, 0) > 0) {
    unsigned char bytes[256];
    if (!client.web) {
      ssize_t size = recv(client.socket, bytes, sizeof bytes, MSG_DONTWAIT);
      if (size < 0) continue; /* a state that found nobody there; what arrived before waits behind that */
      take_message(bytes, (size_t)size);
    } else {
      if (!end_read_all(client.socket, bytes, 2) || !end_read_all(client.socket, bytes + 2, bytes[1] & 0x7F)) return;
      ck_assert_int_eq(bytes[1] & 0x80, 0); /* servers do not mask */
      if ((bytes[0] & 0x0F) == 2) take_message(bytes + 2, bytes[1] & 0x7F);
    }
  }
}

/* Over TCP nothing listens until the driver is there. */
static void connect_web(void) {
  char request[512], answer[1024];
  struct sockaddr_in address = end_address(client.port);
  do {
    if (client.socket >= 0) close(client.socket);
    bench_pause();
    client.socket = socket(AF_INET, SOCK_STREAM, 0);
  } while (connect(client.socket, (struct sockaddr *)&address, sizeof address) != 0 && !atomic_load(&client.stops));
  int size = snprintf(request, sizeof request,
                      "GET /device HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                      "Origin: http://127.0.0.1:%d\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                      "Sec-WebSocket-Version: 13\r\n\r\n",
                      client.port, client.port);
  send(client.socket, request, (size_t)size, MSG_NOSIGNAL);
  while (recv(client.socket, answer, 129, MSG_PEEK) == 128) bench_pause();
  end_read_all(client.socket, answer, 129);
  answer[129] = 0;
  ck_assert_ptr_nonnull(strstr(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"));
}

static void *be_a_client(void *unused) {
  (void)unused;
  if (client.web) connect_web();
  while (!atomic_load(&client.stops)) {
    StandIn s = stand_in_look(&client.hand);
    tacNetworkMessage state = {.kind = TAC_NETWORK_STATE,
                               .session = client.session,
                               .state = {.position = {s.position[0], s.position[1], s.position[2]},
                                         .orientation = {1.0, 0.0, 0.0, 0.0},
                                         .buttons = s.buttons}};
    if (!atomic_load(&client.welcomed)) {
      say(&client.hello);
    } else if (s.fault == STAND_IN_FINE) {
      state.sequence = ++client.sequence;
      say(&state);
      if (!client.web) say(&state); /* twice, and an older one after it: neither may count */
      state.sequence -= 3;
      state.state.position.x = 99.0;
      if (!client.web && client.sequence > 3) say(&state);
    } else if (s.fault == STAND_IN_GONE) {
      say(&(tacNetworkMessage){.kind = TAC_NETWORK_BYE, .session = client.session});
    }
    bench_pause();
    take_all();
  }
  return NULL;
}

static void begin(bool web, const char *more) {
  client.hand = (StandIn)STAND_IN_REST;
  client.web = web;
  client.port = end_free_port();
  client.sequence = UINT32_MAX - 5; /* it goes round soon */
  client.session = 0;
  client.socket = -1;
  client.hello = (tacNetworkMessage){.kind = TAC_NETWORK_HELLO,
                                     .info = {.name = "a hand",
                                              .dof = 3,
                                              .force_limit = 3.0,
                                              .stiffness_limit = 900.0,
                                              .workspace = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}}}};
  atomic_store(&client.version, TAC_NETWORK_VERSION);
  atomic_store(&client.stops, false);
  atomic_store(&client.welcomed, false);
  atomic_store(&client.bye, false);
  atomic_store(&client.refused, 0);
  snprintf(client.options, sizeof client.options, "port=%d%s", client.port, more);
  if (!web) {
    struct sockaddr_in address = end_address(client.port);
    client.socket = socket(AF_INET, SOCK_DGRAM, 0);
    ck_assert_int_eq(connect(client.socket, (struct sockaddr *)&address, sizeof address), 0);
  }
}

static void start(void) {
  ck_assert_int_eq(pthread_create(&client.thread, NULL, be_a_client, NULL), 0);
}

static void end(void) {
  atomic_store(&client.stops, true);
  pthread_join(client.thread, NULL);
  close(client.socket);
}

static Bench open_client(bool web) {
  begin(web, "");
  start();
  return bench_open(name, client.options);
}

static void end_all(Bench *bench) {
  bench_end(bench);
  end();
}

static void faults(bool web, StandInFault happens, double jump, tacFault fault, const char *says) {
  begin(web, "");
  start();
  check_fault(&client.hand, name, client.options, happens, jump, BENCH_PATIENT, fault, says);
  BENCH_UNTIL(atomic_load(&client.bye));
  ck_assert(is_without_force(&client.hand));
  ck_assert(!atomic_load(&client.live));
  end();
}

TAC_TEST(a_client_that_leaves_or_is_silent_is_lost) {
  faults(false, STAND_IN_GONE, 0.0, TAC_FAULT_DEVICE_LOST, "device 0 (a hand) was lost");
  faults(true, STAND_IN_GONE, 0.0, TAC_FAULT_DEVICE_LOST, "its client disconnected");
  faults(false, STAND_IN_STILL, 0.0, TAC_FAULT_DEVICE_LOST, "its client sent nothing for 1 s");
}

TAC_TEST(a_client_that_pauses_is_late) {
  Bench bench = open_client(false);
  stand_in_fail(&client.hand, STAND_IN_STILL);
  bench_start(&bench, 20);
  bench_fault(&bench, TAC_FAULT_DEVICE_LATE, "sent no new state for 21 ticks");
  end();
}

/* A state that waited while nobody read is not where the hand is. */
TAC_TEST(a_state_that_waited_is_not_new) {
  tacDeviceState state;
  begin(false, "");
  stand_in_move(&client.hand, 0.0, 0.0, 0.07);
  start();
  Bench bench = bench_open(name, client.options);
  stand_in_fail(&client.hand, STAND_IN_STILL);
  for (int i = 0; i < 100; ++i) bench_pause();
  ck_assert_int_eq(bench.device.driver->read(bench.device.self, &state), TAC_DEVICE_LATE);
  ck_assert_double_eq(state.position.z, 0.07);
  stand_in_fail(&client.hand, STAND_IN_FINE);
  BENCH_UNTIL(bench.device.driver->read(bench.device.self, &state) == TAC_DEVICE_FINE);
  end_all(&bench);
}

TAC_TEST(a_client_that_jumps_or_sends_nan_is_stopped) {
  faults(false, STAND_IN_FINE, 1000.0, TAC_FAULT_DEVICE_JUMPED, "jumped 1e+03 m");
  faults(true, STAND_IN_FINE, (double)NAN, TAC_FAULT_DEVICE_NOT_FINITE, "NaN or infinite");
}

TAC_TEST(a_connection_that_ends_is_a_lost_device) {
  Bench bench = open_client(true);
  bench_start(&bench, BENCH_PATIENT);
  atomic_store(&client.stops, true);
  pthread_join(client.thread, NULL);
  close(client.socket);
  bench_fault(&bench, TAC_FAULT_DEVICE_LOST, "the connection to its client was closed");
}

TAC_TEST(the_force_ends_with_the_servo) {
  for (int web = 0; web < 2; ++web) {
    begin(web != 0, "");
    start();
    check_watchdog(&client.hand, name, client.options);
    end();
  }
}

/* Old and doubled states (at x = 99 m) are not seen, and sequences go round. */
TAC_TEST(old_and_repeated_states_are_ignored) {
  tacDeviceState state;
  begin(false, "");
  stand_in_move(&client.hand, 0.01, -0.02, 0.03);
  client.hand.buttons = TAC_BUTTON_GRAB | TAC_BUTTON_GRIP(7);
  start();
  Bench bench = bench_open(name, client.options);
  ck_assert_str_eq(bench.device.info.name, "a hand");
  ck_assert_double_eq(bench.device.info.force_limit, 3.0);
  ck_assert_double_eq(bench.device.info.stiffness_limit, 900.0);
  for (int i = 0; i < 50; ++i) {
    BENCH_UNTIL(bench.device.driver->read(bench.device.self, &state) == TAC_DEVICE_FINE);
    ck_assert_double_eq(state.position.x, 0.01);
    ck_assert_double_eq(state.position.z, 0.03);
    ck_assert_uint_eq(state.buttons, TAC_BUTTON_GRAB | TAC_BUTTON_GRIP(7));
  }
  BENCH_UNTIL(atomic_load(&client.answered) >= 20 && atomic_load(&client.answered) < 1000000);
  end_all(&bench);
}

static void refuses(const char *more, const char *says) {
  start();
  char options[256];
  snprintf(options, sizeof options, "%s%s, wait=0.3", client.options, more);
  int opened = 0;
  do { /* again where the client was too slow */
    const char *text = bench_refusal(name, options);
    ck_assert_msg(strstr(text, "no client connected within 0.3 s") != NULL, "%s", text);
  } while (++opened < 100 && !client.web && atomic_load(&client.refused) == 0);
  end();
  ck_assert_uint_gt(atomic_load(&client.refused), 0);
  ck_assert_msg(strstr(client.reason, says) != NULL, "\"%s\" lacks \"%s\"", client.reason, says);
}

TAC_TEST(refused_clients_get_the_reason) {
  begin(false, "");
  client.hello.info.force_limit = -1.0;
  refuses("", "hello: device info: force_limit must be positive");
  begin(false, "");
  client.hello.info.stiffness_limit = 1e300;
  refuses("", "hello: device info: stiffness_limit must be at most 1e6 N/m");
  begin(false, "");
  client.hello.info.force_limit = 1e300;
  refuses("", "hello: device info: force_limit must be at most 1e4 N");
  begin(true, "");
  client.hello.info.dof = 5;
  refuses("", "dof must be 3 or 6");
  begin(false, "");
  atomic_store(&client.version, 9);
  refuses("", "this driver supports version 1, not 9");
  begin(false, "");
  strcpy(client.hello.token, "sesame");
  refuses(", token=open", "the token is wrong");
  begin(false, ", token=sesame");
  strcpy(client.hello.token, "sesame");
  start();
  Bench bench = bench_open(name, client.options);
  end_all(&bench);
}

TAC_TEST(a_second_client_is_refused) {
  Bench bench = open_client(false);
  struct sockaddr_in address = end_address(client.port);
  int second = socket(AF_INET, SOCK_DGRAM, 0);
  unsigned char bytes[TAC_NETWORK_MOST];
  tacNetworkMessage hello = client.hello, answer;
  size_t size = tac_network_message_write(&hello, bytes);
  ck_assert_int_eq(connect(second, (struct sockaddr *)&address, sizeof address), 0);
  send(second, bytes, size, 0);
  ssize_t got = recv(second, bytes, sizeof bytes, 0);
  ck_assert(got > 0 && tac_network_message_read(bytes, (size_t)got, &answer));
  ck_assert_int_eq(answer.kind, TAC_NETWORK_REFUSAL);
  ck_assert_str_eq(answer.reason, "the driver already has a client");
  close(second);
  end_all(&bench);
}

/* What a browser asks for: the page; and what a page of somebody else may not have. */
static void asks(const char *request, const char *says) {
  char answer[32768];
  int s = end_connect(client.port);
  send(s, request, strlen(request), MSG_NOSIGNAL);
  size_t size = end_read_until(s, "\1", answer, sizeof answer); /* to its end */
  close(s);
  const char *body = strstr(answer, "\r\n\r\n"), *length = strstr(answer, "Content-Length: ");
  ck_assert_msg(strstr(answer, says) != NULL, "%.300s", answer);
  ck_assert_msg(strncmp(answer, "HTTP/1.1 ", 9) == 0 && body != NULL && length != NULL && length < body, "%.300s",
                answer);
  ck_assert_int_eq(atoi(length + 16), (int)(answer + size - (body + 4)));
}

TAC_TEST(the_page_is_served_and_other_origins_are_refused) {
  char request[600];
  static const char socket_request[] =
      "GET /device HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nOrigin: %s\r\nSec-WebSocket-Key: x\r\n"
      "Sec-WebSocket-Version: 13\r\n\r\n";
  Bench bench = open_client(false);
  asks("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "<!doctype html>");
  asks("GET /?token=a HTTP/1.1\r\n\r\n", "</html>");
  asks("GET /etc/passwd HTTP/1.1\r\n\r\n", "404 Not Found");
  asks("POST / HTTP/1.1\r\n\r\n", "404 Not Found");
  snprintf(request, sizeof request, socket_request, "127.0.0.1", client.port, "https://evil.example");
  asks(request, "403 Forbidden");
  snprintf(request, sizeof request, socket_request, "evil.example", client.port, "http://evil.example");
  asks(request, "403 Forbidden");
  snprintf(request, sizeof request, socket_request, "127.0.0.1", client.port, "null");
  asks(request, "403 Forbidden");
  end_all(&bench);
}

TAC_TEST(wrong_options_are_reported) {
  int port, taken = end_listen(&port);
  char options[64];
  snprintf(options, sizeof options, "port=%d", port);
  ck_assert_ptr_nonnull(strstr(bench_refusal(name, options), "cannot listen at 127.0.0.1, port "));
  close(taken);
  ck_assert_ptr_nonnull(
      strstr(bench_refusal(name, "listen=0.0.0.0"), "accepts clients from other machines; require a token"));
  ck_assert_ptr_nonnull(strstr(bench_refusal(name, "listen=home"), "must be an IPv4 address"));
  ck_assert_ptr_nonnull(strstr(bench_refusal(name, "port=99999"), "must be a number from 1 to 65535"));
}

TAC_TEST(every_message_is_read_as_it_was_written) {
  unsigned char bytes[TAC_NETWORK_MOST];
  for (unsigned kind = TAC_NETWORK_HELLO; kind <= TAC_NETWORK_REFUSAL; ++kind) {
    tacNetworkMessage m = {.kind = (tacNetworkKind)kind, .session = 0xDEADBEEF, .sequence = 77}, read;
    size_t size = tac_network_message_write(&m, bytes);
    ck_assert(tac_network_message_read(bytes, size, &read));
    ck_assert_uint_eq(read.kind, kind);
    ck_assert_uint_eq(read.session, 0xDEADBEEF);
    ck_assert_uint_eq(read.sequence, 77);
    ck_assert(!tac_network_message_read(bytes, size - 1, &read));
    ck_assert(!tac_network_message_read(bytes, size + 1, &read));
  }
  ck_assert_uint_eq(tac_network_message_size(0), 0);
  ck_assert_uint_eq(tac_network_message_size(7), 0);
}
