/* What passes between the viewer's server and its clients. */
#include "viewer/served_program.h"

TAC_TEST_AROUND(start, stop)

/* ---- Messages. ---- */

TAC_TEST(forwards_messages) {
  int client = join(1);
  const unsigned char command[] = {66, 1, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'a', '.', 'y'};
  show(client, 77);
  web_send_frame(client, 0x8A, true, "?", 1); /* a pong that nobody asked for */
  web_send(client, command, sizeof command);
  wait_for(&program.message_count, 2);
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
  wait_for(&program.message_count, 3);
  ck_assert_str_eq(program.messages[2].command.text, "a.y");
  close(client);
}

TAC_TEST(closes_on_invalid_messages) {
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
    wait_for(&program.left, (int)i + 1); /* else there might be no room for the next */
  }
  ck_assert_int_eq(program.message_count, 0);
  int client = web_socket(port); /* what came before counts, what comes after does not */
  show(client, 1);
  web_send_frame(client, 0x82, true, "?", 1);
  web_send(client, command, sizeof command);
  ck_assert_int_eq(web_closing_code(client), 1002);
  wait_for(&program.here, 0);
  ck_assert_int_eq(program.message_count, 1);
}

TAC_TEST(answers_pings_and_close_frames) {
  int client = join(1);
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
  wait_for(&program.here, 0);
}

TAC_TEST(closes_clients_that_send_too_much) {
  int client = join(1);
  enum { COUNT = 100000 };
  TAC_MEMORY(unsigned char, pongs) = malloc(6 * COUNT); /* without payload */
  ck_assert_ptr_nonnull(pongs);
  for (int i = 0; i < COUNT; ++i) memcpy(pongs + 6 * i, "\x8A\x80\1\2\3\4", 6);
  web_write(client, pongs, 6 * COUNT);
  ck_assert_int_eq(web_closing_code(client), 1008);
}

/* ---- What is sent. ---- */

TAC_TEST(packets_arrive_in_order) {
  int clients[3];
  const int count = 400;
  for (int i = 0; i < 3; ++i) clients[i] = join((uint32_t)i + 1);
  for (int i = 0; i < count; ++i) {
    size_t size = 8 + (size_t)(i * i * 37 % 70000);
    send_packet(0, TAC_VIEW_STATE, (uint32_t)i, size);
    send_packet(2, TAC_VIEW_NOTICE, (uint32_t)i, 9);
    send_packet(99, TAC_VIEW_NOTICE, 0, 9); /* nobody */
  }
  send_frame(5, 100000);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < count; ++i) {
      expect(clients[k], TAC_VIEW_STATE, (uint32_t)i, 8 + (size_t)(i * i * 37 % 70000));
      if (k == 1) expect(clients[k], TAC_VIEW_NOTICE, (uint32_t)i, 9);
    }
    expect(clients[k], TAC_VIEW_FRAME, 5, 100000);
    close(clients[k]);
  }
}

TAC_TEST(the_welcome_is_the_first_message) {
  program.greets = false;
  int client = web_socket(port);
  wait_for(&program.joined, 1);
  send_packet(0, TAC_VIEW_STATE, 1, 8); /* to all, before the new one was greeted */
  send_frame(1, 64);
  ck_assert(!sink().wants_frame(program.server));
  send_packet(1, TAC_VIEW_WELCOME, 1, 8);
  ck_assert(sink().wants_frame(program.server));
  send_frame(2, 64);
  send_packet(0, TAC_VIEW_STATE, 2, 8);
  expect(client, TAC_VIEW_WELCOME, 1, 8);
  unsigned char *bytes;
  size_t size;
  for (int i = 0; i < 2; ++i) { /* in either order */
    ck_assert_int_eq(web_receive(client, &bytes, &size), 2);
    ck_assert(is_packet(bytes, size, TAC_VIEW_STATE, 2, 8) || is_packet(bytes, size, TAC_VIEW_FRAME, 2, 64));
    free(bytes);
  }
  close(client);
}

/* One client shows every frame, one shows none, one does not even read: the first misses nothing, the others get
 * two. */
TAC_TEST(slow_clients_miss_frames) {
  const size_t size = 300000;
  const uint32_t count = tac_test_light() ? 30 : 200;
  ck_assert(!sink().wants_frame(program.server)); /* there is nobody */
  int quick = join(1), slow = join(2), deaf = join_deaf();
  for (uint32_t frame = 1; frame <= count; ++frame) {
    ck_assert(sink().wants_frame(program.server));
    send_frame(frame, size);
    expect(quick, TAC_VIEW_FRAME, frame, size);
    if (frame <= 2) expect(slow, TAC_VIEW_FRAME, frame, size);
    show(quick, frame);
    wait_for(&program.shown[1], (int)frame);
  }
  close(quick);
  wait_for(&program.left, 1);
  /* The deaf one's buffers, full of the first frame, may still take a second. */
  close(deaf);
  wait_for(&program.left, 2);
  ck_assert(!sink().wants_frame(program.server));
  send_frame(1000, size);
  send_packet(0, TAC_VIEW_NOTICE, 1, 8);
  expect(slow, TAC_VIEW_NOTICE, 1, 8); /* what is no frame comes all the same */

  show(slow, 12345); /* none of those sent */
  wait_for(&program.shown[2], 1);
  ck_assert(!sink().wants_frame(program.server));
  show(slow, 1); /* all but one */
  wait_for(&program.shown[2], 2);
  ck_assert(sink().wants_frame(program.server));
  send_frame(1001, size);
  expect(slow, TAC_VIEW_FRAME, 1001, size);
  ck_assert(!sink().wants_frame(program.server));
  show(slow, 1001); /* and with it the second */
  wait_for(&program.shown[2], 3);
  for (uint32_t frame = 1002; frame <= 1003; ++frame) {
    ck_assert(sink().wants_frame(program.server));
    send_frame(frame, size);
    expect(slow, TAC_VIEW_FRAME, frame, size);
  }
  ck_assert(!sink().wants_frame(program.server));
  close(slow);
}

/* However many frames a client misses, it gets all ticks, each before a frame that is later. */
TAC_TEST(ticks_wait_for_the_next_frame) {
  int slow = join(1);
  const size_t size = 64;
  uint32_t tick = 0;
  for (uint32_t frame = 1; frame <= 2; ++frame) {
    send_ticks(++tick, size);
    send_ticks(++tick, size);
    send_frame(frame, size);
    expect(slow, TAC_VIEW_TICKS, tick - 1, size);
    expect(slow, TAC_VIEW_TICKS, tick, size);
    expect(slow, TAC_VIEW_FRAME, frame, size);
  }
  for (uint32_t frame = 3; frame <= 100; ++frame) { /* for which it is too slow */
    send_ticks(++tick, size);
    send_frame(frame, size);
  }
  send_packet(0, TAC_VIEW_NOTICE, 1, 8);
  expect(slow, TAC_VIEW_NOTICE, 1, 8); /* no ticks without a frame */
  show(slow, 2);
  wait_for(&program.shown[1], 1);
  send_frame(101, size);
  for (uint32_t t = 5; t <= tick; ++t) expect(slow, TAC_VIEW_TICKS, t, size);
  expect(slow, TAC_VIEW_FRAME, 101, size);
  close(slow);
}

TAC_TEST(the_oldest_of_too_many_ticks_are_dropped) {
  int client = join(1);
  for (uint32_t t = 1; t <= TAC_VIEW_MOST_TICKS + 50; ++t) send_ticks(t, 64);
  send_frame(1, 64);
  for (uint32_t t = 51; t <= TAC_VIEW_MOST_TICKS + 50; ++t) expect(client, TAC_VIEW_TICKS, t, 64);
  expect(client, TAC_VIEW_FRAME, 1, 64);
  send_ticks(1000, 64); /* it waits at the end */
  close(client);
}

/* While something large travels, frames replace each other. */
TAC_TEST(only_the_latest_frame_waits) {
  int client = join_deaf();
  const size_t large = 40 << 20; /* more than the system's buffers */
  send_packet(1, TAC_VIEW_BODY, 3, large);
  for (uint32_t frame = 1; frame <= 20; ++frame) send_frame(frame, 1000);
  expect(client, TAC_VIEW_WELCOME, 1, 8);
  expect(client, TAC_VIEW_BODY, 3, large);
  expect(client, TAC_VIEW_FRAME, 20, 1000);
  close(client);
}

TAC_TEST(closes_clients_with_too_much_queued) {
  int deaf = join_deaf(), other = join(2);
  tacPacket *packet = make_packet(TAC_VIEW_BODY, 1, 32 << 20);
  for (int i = 0; i < 7; ++i) sink().send(program.server, 1, packet); /* 224 MiB */
  ck_assert_int_eq(sink().client_count(program.server), 2);
  for (int i = 0; i < 2; ++i) sink().send(program.server, 1, packet); /* 288 MiB */
  tac_packet_release(packet);
  wait_for(&program.left, 1);
  ck_assert_int_eq(sink().client_count(program.server), 1);
  send_packet(0, TAC_VIEW_NOTICE, 1, 8);
  expect(other, TAC_VIEW_NOTICE, 1, 8);
  close(deaf);
  close(other);
}
