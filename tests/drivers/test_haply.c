/* The driver against a stand-in for Haply's service, which answers every command with a state, as that does. */
#include <poll.h>
#include <stdatomic.h>
#include "base/socket_key.h"
#include "device/device.h"
#include "driver_checks.h"
#include "tcp_end.h"

static const char name[] = "haply";

typedef enum { STRAIGHT, IN_PIECES, NO_JSON, OTHER_DEVICE, NO_NUMBER, NO_WEBSOCKET } Manner;

static struct {
  StandIn hand;
  _Atomic Manner manner;
  atomic_bool stops;
  int listener;
  pthread_t thread;
  char options[200], last[1024]; /* the command that came last */
} service;

static void send_frame(int to, int first, const char *text, size_t size) {
  unsigned char head[4] = {(unsigned char)first, (unsigned char)(size < 126 ? size : 126), (unsigned char)(size >> 8),
                           (unsigned char)size};
  send(to, head, size < 126 ? 2 : 4, MSG_NOSIGNAL);
  send(to, text, size, MSG_NOSIGNAL);
}

static void send_state(int to) {
  StandIn s = stand_in_look(&service.hand);
  Manner manner = atomic_load(&service.manner);
  char text[1024], x[32];
  snprintf(x, sizeof x, manner == NO_NUMBER ? "\"left\"" : "%.9g", s.position[0]);
  int size =
      snprintf(text, sizeof text,
               "{\"inverse3\":[{\"device_id\":\"049D\",\"state\":{\"cursor_velocity\":{\"x\":0,\"y\":0,\"z\":0},"
               "\"cursor_position\":{\"x\":%s,\"y\":%.9g,\"z\":%.9g}}}],\"wireless_verse_grip\":[{\"device_id\":"
               "\"61576\",\"state\":{\"buttons\":{\"a\":%s,\"b\":%s,\"c\":false},\"orientation\":"
               "{\"w\":0.70711,\"x\":0.0,\"y\":0.0,\"z\":0.70711}}}]}",
               x, s.position[1], s.position[2], s.buttons & 1u ? "true" : "false", s.buttons & 2u ? "true" : "false");
  if (manner == NO_JSON) size = snprintf(text, sizeof text, "{\"inverse3\": oh dear");
  if (manner == OTHER_DEVICE)
    size = snprintf(text, sizeof text, "{\"inverse3\":[{\"device_id\":\"0B00\",\"state\":{}}]}");
  if (manner == IN_PIECES) { /* with a ping between them */
    send_frame(to, 0x01, text, 10);
    send_frame(to, 0x89, "ping", 4);
    send_frame(to, 0x00, text + 10, 7);
    send_frame(to, 0x80, text + 17, (size_t)size - 17);
  } else {
    send_frame(to, 0x81, text, (size_t)size);
  }
}

/* One frame of the client's: false where the connection ends. `opcode` 1: a command. */
static bool take_command(int from, int *opcode) {
  unsigned char head[8], text[2048] = {0};
  if (!end_read_all(from, head, 2)) return false;
  size_t size = head[1] & 0x7F;
  ck_assert_int_eq(head[1] & 0x80, 0x80); /* clients mask */
  if (size == 126) {
    if (!end_read_all(from, head + 2, 2)) return false;
    size = (size_t)head[2] << 8 | head[3];
  }
  ck_assert_uint_lt(size, sizeof text);
  if (!end_read_all(from, head + 4, 4) || !end_read_all(from, text, size)) return false;
  for (size_t i = 0; i < size; ++i) text[i] ^= head[4 + i % 4];
  *opcode = head[0] & 0x0F;
  if (*opcode != 1) return *opcode != 8;
  double f[3];
  const char *values = strstr((const char *)text, "\"x\":");
  ck_assert_ptr_nonnull(values);
  ck_assert_int_eq(sscanf(values, "\"x\":%lf,\"y\":%lf,\"z\":%lf", &f[0], &f[1], &f[2]), 3);
  pthread_mutex_lock(&service.hand.lock);
  memcpy(service.hand.force, f, sizeof f);
  ++service.hand.sets;
  snprintf(service.last, sizeof service.last, "%.1000s", (const char *)text);
  pthread_mutex_unlock(&service.hand.lock);
  return true;
}

static void serve_client(int client) {
  char request[2048], answer[512], accept[TAC_SOCKET_ACCEPT], key[64] = "";
  end_read_until(client, "\r\n\r\n", request, sizeof request);
  const char *line = strstr(request, "Sec-WebSocket-Key: ");
  if (line != NULL) sscanf(line, "Sec-WebSocket-Key: %63s", key);
  tac_socket_accept(key, accept);
  bool refuses = atomic_load(&service.manner) == NO_WEBSOCKET;
  int size = snprintf(answer, sizeof answer,
                      refuses ? "HTTP/1.1 404 Not Found\r\n\r\n%.0s"
                              : "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                "Sec-WebSocket-Accept: %s\r\n\r\n",
                      accept);
  send(client, answer, (size_t)size, MSG_NOSIGNAL);
  if (stand_in_look(&service.hand).fault != STAND_IN_MUTE) send_state(client);
  while (!atomic_load(&service.stops)) {
    int opcode = 0;
    struct pollfd waits = {.fd = client, .events = POLLIN};
    if (stand_in_look(&service.hand).fault == STAND_IN_GONE) return;
    if (poll(&waits, 1, 10) <= 0) continue;
    if (!take_command(client, &opcode)) return;
    StandInFault fault = stand_in_look(&service.hand).fault;
    if (opcode == 1 && fault != STAND_IN_STILL && fault != STAND_IN_MUTE) send_state(client);
  }
}

static void *serve(void *unused) {
  (void)unused;
  while (!atomic_load(&service.stops)) {
    struct pollfd waits = {.fd = service.listener, .events = POLLIN};
    if (poll(&waits, 1, 10) <= 0) continue;
    int client = accept(service.listener, NULL, NULL);
    serve_client(client);
    close(client);
  }
  return NULL;
}

static void begin(Manner manner) {
  int port;
  service.hand = (StandIn)STAND_IN_REST;
  atomic_store(&service.manner, manner);
  atomic_store(&service.stops, false);
  service.listener = end_listen(&port);
  snprintf(service.options, sizeof service.options, "url=ws://127.0.0.1:%d, wait=%d", port,
           manner == STRAIGHT ? 10 : 1);
  ck_assert_int_eq(pthread_create(&service.thread, NULL, serve, NULL), 0);
}

static void end(void) {
  atomic_store(&service.stops, true);
  pthread_join(service.thread, NULL);
  close(service.listener);
}

static void faults(StandInFault happens, double jump, int late_limit, tacFault fault, const char *says) {
  begin(STRAIGHT);
  check_fault(&service.hand, name, service.options, happens, jump, late_limit, fault, says);
  end();
}

TAC_TEST(a_closed_connection_is_a_lost_device) {
  faults(STAND_IN_GONE, 0.0, BENCH_PATIENT, TAC_FAULT_DEVICE_LOST, "has closed the connection");
}

TAC_TEST(a_silent_service_is_late_then_lost) {
  faults(STAND_IN_STILL, 0.0, BENCH_PATIENT, TAC_FAULT_DEVICE_LOST,
         "the service sent no state of the device 049D for 0.5 s");
  begin(STRAIGHT);
  Bench bench = bench_open(name, service.options);
  stand_in_fail(&service.hand, STAND_IN_STILL);
  bench_start(&bench, 20);
  bench_fault(&bench, TAC_FAULT_DEVICE_LATE, "sent no new state for 21 ticks");
  end();
}

TAC_TEST(a_device_that_jumps_is_stopped) {
  faults(STAND_IN_FINE, 1000.0, BENCH_PATIENT, TAC_FAULT_DEVICE_JUMPED, "jumped 1e+03 m");
}

static void manner_faults(Manner manner, tacFault fault, const char *says) {
  begin(STRAIGHT);
  Bench bench = bench_open(name, service.options);
  atomic_store(&service.manner, manner);
  bench_start(&bench, BENCH_PATIENT);
  bench_fault(&bench, fault, says);
  end();
}

TAC_TEST(non_finite_positions_are_stopped) {
  manner_faults(NO_NUMBER, TAC_FAULT_DEVICE_NOT_FINITE, "NaN or infinite");
}

TAC_TEST(invalid_json_is_a_lost_device) {
  manner_faults(NO_JSON, TAC_FAULT_DEVICE_LOST, "sent invalid JSON");
}

TAC_TEST(the_force_ends_with_the_servo) {
  begin(STRAIGHT);
  check_watchdog(&service.hand, name, service.options);
  end();
}

TAC_TEST(state_is_read_also_in_fragments) {
  for (int manner = STRAIGHT; manner <= IN_PIECES; ++manner) {
    tacDeviceState state;
    begin((Manner)manner);
    stand_in_move(&service.hand, 0.03, -0.12, 0.2);
    service.hand.buttons = 2;
    Bench bench = bench_open(name, service.options);
    ck_assert_str_eq(bench.device.info.name, "Inverse3");
    ck_assert_int_eq(bench.device.info.dof, 3);
    for (int i = 0; i < 5; ++i) BENCH_UNTIL(bench.device.driver->read(bench.device.self, &state) == TAC_DEVICE_FINE);
    ck_assert_double_eq(state.position.y, -0.12);
    ck_assert_double_eq_tol(state.orientation[3], sqrt(0.5), 1e-12); /* of unit length */
    ck_assert_uint_eq(state.buttons, TAC_BUTTON_INDEX);
    tac_device_close(&bench.device);
    end();
  }
}

TAC_TEST(commands_are_those_of_the_service_s_version) {
  for (int other = 0; other < 2; ++other) {
    begin(STRAIGHT);
    strcat(service.options, other ? ", command=vector, device=049D" : "");
    Bench bench = bench_open(name, service.options);
    BENCH_UNTIL(stand_in_look(&service.hand).sets > 2);
    tac_device_close(&bench.device);
    end();
    char expected[200];
    snprintf(expected, sizeof expected,
             "{\"inverse3\":[{\"device_id\":\"049D\",\"commands\":{\"set_cursor_force\":{\"%s\":"
             "{\"x\":0,\"y\":0,\"z\":0}}}}]}",
             other ? "vector" : "values");
    ck_assert_str_eq(service.last, expected);
  }
}

static void refuses(Manner manner, StandInFault fault, const char *more, const char *says) {
  begin(manner);
  service.hand.fault = fault;
  strcat(service.options, ", wait=0.3");
  strcat(service.options, more);
  const char *text = bench_refusal(name, service.options);
  ck_assert_msg(strstr(text, says) != NULL, "\"%s\" lacks \"%s\"", text, says);
  end();
}

TAC_TEST(missing_libraries_and_devices_are_reported) {
  char options[64];
  snprintf(options, sizeof options, "url=ws://127.0.0.1:%d", end_free_port());
  ck_assert_ptr_nonnull(strstr(bench_refusal(name, options), "no server responds at 127.0.0.1:"));
  ck_assert_ptr_nonnull(strstr(bench_refusal(name, options), "install and start it (haply.co"));
  ck_assert_ptr_nonnull(strstr(bench_refusal(name, "url=http://127.0.0.1"), "must be ws://HOST:PORT"));
  ck_assert_ptr_nonnull(strstr(bench_refusal(name, "command=shout"), "must be values or vector"));
  refuses(NO_WEBSOCKET, STAND_IN_FINE, "", "does not speak WebSocket: \"HTTP/1.1 404");
  refuses(STRAIGHT, STAND_IN_MUTE, "", "reports no Inverse3; plug it in");
  refuses(STRAIGHT, STAND_IN_FINE, ", device=0A0A", "reports no Inverse3 named 0A0A");
  refuses(OTHER_DEVICE, STAND_IN_FINE, "", "reports no Inverse3");
  refuses(NO_JSON, STAND_IN_FINE, "", "sent invalid JSON");
}

TAC_TEST(a_probe_names_the_devices) {
  tacDeviceProbe probe;
  begin(STRAIGHT);
  tac_test_ok(tac_device_probe(TAC_TEST_DRIVERS "/haply.so", service.options, &probe, NULL, &error), error);
  ck_assert(probe.ready);
  ck_assert_int_eq(probe.count, 1);
  ck_assert_str_eq(probe.found[0], "device=049D");
  ck_assert_int_eq(stand_in_look(&service.hand).sets, 0);
  end();
}
