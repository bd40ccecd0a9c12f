#include "base/socket_frame.h"

#include <string.h>
#include "base/socket_key.h"
#include "test.h"

enum { MOST = 1024 };

static tacSocketReason read_of_client(unsigned char *bytes, size_t size, tacSocketFrame *frame) {
  return tac_socket_frame_read(bytes, size, TAC_SOCKET_FROM_CLIENT, MOST, frame);
}

/* The bytes of RFC 6455, section 5.7: "Hello" in one masked frame, here binary. */
static const unsigned char hello[] = {0x82, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58};

TAC_TEST(reads_the_example_of_the_standard) {
  unsigned char bytes[sizeof hello + 3];
  tacSocketFrame frame;
  for (size_t size = 0; size <= sizeof bytes; ++size) { /* cut short anywhere, or with the next one behind */
    memset(bytes, 0xFF, sizeof bytes);
    memcpy(bytes, hello, sizeof hello);
    ck_assert_int_eq(read_of_client(bytes, size, &frame), TAC_SOCKET_OPEN);
    if (size < sizeof hello) {
      ck_assert_uint_eq(frame.whole, 0);
      ck_assert_msg(memcmp(bytes, hello, sizeof hello) == 0, "changed before it was whole");
      continue;
    }
    ck_assert_uint_eq(frame.whole, sizeof hello);
    ck_assert_int_eq(frame.opcode, TAC_SOCKET_BINARY);
    ck_assert_uint_eq(frame.size, 5);
    ck_assert_mem_eq(frame.payload, "Hello", 5);
  }
}

TAC_TEST(refuses_before_the_payload_arrives) {
  static const struct {
    unsigned char bytes[10];
    size_t size;
    tacSocketReason reason;
  } cases[] = {
      {{0x02, 0x85}, 2, TAC_SOCKET_MALFORMED},  /* the first of several */
      {{0x80, 0x85}, 2, TAC_SOCKET_MALFORMED},  /* the last of several */
      {{0xC2, 0x85}, 2, TAC_SOCKET_MALFORMED},  /* compressed */
      {{0x82, 0x05}, 2, TAC_SOCKET_MALFORMED},  /* without a mask */
      {{0x81, 0x85}, 2, TAC_SOCKET_NOT_BINARY}, /* text */
      {{0x83, 0x85}, 2, TAC_SOCKET_MALFORMED},  /* an opcode without meaning */
      {{0x8B, 0x80}, 2, TAC_SOCKET_MALFORMED},
      {{0x89, 0xFE}, 2, TAC_SOCKET_MALFORMED},             /* a long ping */
      {{0x09, 0x80}, 2, TAC_SOCKET_MALFORMED},             /* a ping in parts */
      {{0x82, 0xFE, 0x04, 0x01}, 4, TAC_SOCKET_TOO_LONG},  /* 1,025 bytes */
      {{0x82, 0xFE, 0x00, 0x7D}, 4, TAC_SOCKET_MALFORMED}, /* a length that would be shorter */
      {{0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0, 5}, 10, TAC_SOCKET_MALFORMED},
      {{0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 10, TAC_SOCKET_TOO_LONG},
      {{0x82, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0}, 10, TAC_SOCKET_TOO_LONG}, /* 4 GiB */
      {{0x82, 0xFE, 0x04, 0x00}, 4, TAC_SOCKET_OPEN},                  /* 1,024 bytes */
      {{0x89, 0xFD}, 2, TAC_SOCKET_OPEN},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    unsigned char bytes[10];
    tacSocketFrame frame;
    memcpy(bytes, cases[i].bytes, sizeof bytes);
    ck_assert_msg(read_of_client(bytes, cases[i].size, &frame) == cases[i].reason, "case %zu", i);
    ck_assert_uint_eq(frame.whole, 0);
  }
}

TAC_TEST(heads_state_the_payload_size) {
  static const struct {
    size_t size, head;
    unsigned char bytes[TAC_SOCKET_MOST_HEAD];
  } cases[] = {{0, 2, {0x82, 0}},
               {125, 2, {0x82, 125}},
               {126, 4, {0x82, 126, 0, 126}},
               {65535, 4, {0x82, 126, 0xFF, 0xFF}},
               {65536, 10, {0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0}},
               {0x123456789, 10, {0x82, 127, 0, 0, 0, 1, 0x23, 0x45, 0x67, 0x89}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    unsigned char head[TAC_SOCKET_MOST_HEAD];
    ck_assert_uint_eq(tac_socket_frame_head(TAC_SOCKET_BINARY, cases[i].size, head), cases[i].head);
    ck_assert_mem_eq(head, cases[i].bytes, cases[i].head);
  }
}

TAC_TEST(valid_close_reasons_are_returned) {
  static const int cases[][2] = {{1000, 1000}, {1001, 1001}, {1004, 1002}, {1005, 1002}, {1006, 1002}, {1015, 1002},
                                 {999, 1002},  {3000, 3000}, {4999, 4999}, {5000, 1002}, {0, 1002}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    unsigned char payload[] = {(unsigned char)(cases[i][0] >> 8), (unsigned char)cases[i][0], 'b', 'y', 'e'};
    tacSocketFrame frame = {.opcode = TAC_SOCKET_CLOSE, .payload = payload, .size = sizeof payload};
    ck_assert_int_eq(tac_socket_frame_reason(&frame), cases[i][1]);
    frame.size = 2;
    ck_assert_int_eq(tac_socket_frame_reason(&frame), cases[i][1]);
    frame.size = 1;
    ck_assert_int_eq(tac_socket_frame_reason(&frame), 1002);
    frame.size = 0;
    ck_assert_int_eq(tac_socket_frame_reason(&frame), 0);
  }
}

/* Whatever comes, a frame lies within the bytes. */
TAC_TEST(survives_any_bytes) {
  unsigned state = 1;
  for (int round = 0; round < 100000; ++round) {
    unsigned char bytes[64];
    for (size_t i = 0; i < sizeof bytes; ++i)
      bytes[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
    if (round % 2 == 0) bytes[0] = 0x82;
    size_t size = state % (sizeof bytes + 1);
    tacSocketFrame frame;
    if (read_of_client(bytes, size, &frame) != TAC_SOCKET_OPEN) ck_assert_uint_eq(frame.whole, 0);
    if (frame.whole == 0) continue;
    ck_assert_uint_le(frame.whole, size);
    ck_assert_ptr_eq(frame.payload + frame.size, bytes + frame.whole);
    ck_assert_uint_le(frame.size, MOST);
  }
}

TAC_TEST(servers_do_not_mask_and_may_send_parts) {
  static const struct {
    unsigned char bytes[10];
    size_t size;
    tacSocketReason reason;
    size_t whole;
    bool last;
  } cases[] = {
      {{0x81, 2, 'h', 'i', 'x'}, 5, TAC_SOCKET_OPEN, 4, true},
      {{0x01, 2, 'h', 'i'}, 4, TAC_SOCKET_OPEN, 4, false},
      {{0x80, 0}, 2, TAC_SOCKET_OPEN, 2, true},
      {{0x81, 2, 'h'}, 3, TAC_SOCKET_OPEN, 0, false},
      {{0x81, 0x82}, 2, TAC_SOCKET_MALFORMED, 0, false}, /* masked */
      {{0xC1, 2}, 2, TAC_SOCKET_MALFORMED, 0, false},    /* compressed */
      {{0x83, 2}, 2, TAC_SOCKET_MALFORMED, 0, false},    /* an opcode without meaning */
      {{0x09, 0}, 2, TAC_SOCKET_MALFORMED, 0, false},    /* a ping in parts */
      {{0x81, 126, 0x04, 0x01}, 4, TAC_SOCKET_TOO_LONG, 0, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    unsigned char bytes[10];
    tacSocketFrame frame;
    memcpy(bytes, cases[i].bytes, sizeof bytes);
    tacSocketReason reason = tac_socket_frame_read(bytes, cases[i].size, TAC_SOCKET_FROM_SERVER, MOST, &frame);
    ck_assert_msg(reason == cases[i].reason && frame.whole == cases[i].whole && frame.last == cases[i].last, "case %zu",
                  i);
    ck_assert_mem_eq(bytes, cases[i].bytes, sizeof bytes);
  }
}

TAC_TEST(a_server_reads_what_a_client_writes) {
  unsigned char frame[TAC_SOCKET_MOST_HEAD + 300] = {0};
  for (size_t size = 0; size <= 300; size += 150) {
    size_t head = tac_socket_frame_masked_head(TAC_SOCKET_BINARY, size, 0x12345678, frame);
    memset(frame + head, 'x', size);
    tac_socket_frame_mask(frame + head, size, frame + head - TAC_SOCKET_MASK);
    tacSocketFrame read;
    ck_assert_int_eq(read_of_client(frame, head + size, &read), TAC_SOCKET_OPEN);
    ck_assert_uint_eq(read.whole, head + size);
    ck_assert_uint_eq(read.size, size);
    for (size_t i = 0; i < size; ++i) ck_assert_int_eq(read.payload[i], 'x');
  }
}

TAC_TEST(key_response_matches_the_standard) {
  char accept[TAC_SOCKET_ACCEPT];
  tac_socket_accept("dGhlIHNhbXBsZSBub25jZQ==", accept); /* RFC 6455, section 1.3 */
  ck_assert_str_eq(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}
