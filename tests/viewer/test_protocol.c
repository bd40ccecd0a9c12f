#include "app/viewer/protocol/protocol.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include "test.h"

/* ---- What the server writes. ---- */

TAC_TEST(numbers_are_little_endian) {
  unsigned char bytes[64];
  memset(bytes, 0xEE, sizeof bytes);
  tacByteWriter writer = {bytes, sizeof bytes, 0};
  tac_byte_writer_u8(&writer, 0x01);
  tac_byte_writer_u16(&writer, 0x0203);
  tac_byte_writer_u32(&writer, 0x04050607);
  tac_byte_writer_u64(&writer, 0x08090A0B0C0D0E0F);
  tac_byte_writer_f32(&writer, 1.0);
  tac_byte_writer_f64(&writer, -2.0);
  tac_byte_writer_vec3(&writer, (tacVec3){0.5, -0.5, 2.0});
  const unsigned char expected[] = {0x01, 0x03, 0x02, 0x07, 0x06, 0x05, 0x04, 0x0F, 0x0E, 0x0D, 0x0C, 0x0B, 0x0A,
                                    0x09, 0x08, 0,    0,    0x80, 0x3F, 0,    0,    0,    0,    0,    0,    0,
                                    0xC0, 0,    0,    0,    0x3F, 0,    0,    0,    0xBF, 0,    0,    0,    0x40};
  ck_assert_uint_eq(writer.at, sizeof expected);
  ck_assert_mem_eq(bytes, expected, sizeof expected);
  ck_assert_uint_eq(bytes[sizeof expected], 0xEE);
}

TAC_TEST(non_finite_values_become_zero) {
  const double none[] = {NAN, INFINITY, -INFINITY, 1e39, -1e39, nextafter((double)FLT_MAX, INFINITY)};
  for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
    unsigned char bytes[4] = {1, 1, 1, 1};
    tacByteWriter writer = {bytes, sizeof bytes, 0};
    tac_byte_writer_f32(&writer, none[i]);
    ck_assert_mem_eq(bytes, "\0\0\0\0", 4);
  }
  for (int i = 0; i < 3; ++i) {
    unsigned char bytes[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    tacByteWriter writer = {bytes, sizeof bytes, 0};
    tac_byte_writer_f64(&writer, none[i]);
    ck_assert_mem_eq(bytes, "\0\0\0\0\0\0\0\0", 8);
  }
  unsigned char bytes[4];
  tacByteWriter writer = {bytes, sizeof bytes, 0};
  tac_byte_writer_f32(&writer, -(double)FLT_MAX);
  ck_assert_mem_eq(bytes, "\xFF\xFF\x7F\xFF", 4);
}

static void write_sections(tacByteWriter *writer) {
  tac_byte_writer_head(writer, TAC_VIEW_FRAME, 2, 7);
  size_t section = tac_byte_writer_begin(writer, TAC_VIEW_FIELD);
  for (unsigned i = 1; i <= 5; ++i) tac_byte_writer_u16(writer, i);
  tac_byte_writer_end(writer, section);
  section = tac_byte_writer_begin(writer, TAC_VIEW_SENSORS);
  tac_byte_writer_u64(writer, 9);
  tac_byte_writer_end(writer, section);
}

TAC_TEST(sections_state_their_length) {
  unsigned char bytes[64],
      expected[48] = {4, 1, 2, 0, 7,  0, 0, 0,                                                 /* head */
                      3, 0, 0, 0, 16, 0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 0, 0, 0, 0, 0, 0, /* padded */
                      6, 0, 0, 0, 8,  0, 0, 0, 9};
  memset(bytes, 0xEE, sizeof bytes);
  tacByteWriter writer = {bytes, sizeof bytes, 0};
  write_sections(&writer);
  ck_assert_uint_eq(writer.at, sizeof expected);
  ck_assert_mem_eq(bytes, expected, sizeof expected);
}

TAC_TEST(nothing_is_written_beyond_the_end) {
  unsigned char whole[64] = {0};
  tacByteWriter writer = {whole, sizeof whole, 0};
  write_sections(&writer);
  size_t needed = writer.at;
  for (size_t size = 0; size <= needed; ++size) {
    unsigned char bytes[64];
    memset(bytes, 0xEE, sizeof bytes);
    tacByteWriter shorter = {size > 0 ? bytes : NULL, size, 0};
    write_sections(&shorter);
    ck_assert_uint_eq(shorter.at, needed);
    ck_assert(size == 0 || memcmp(bytes, whole, size) == 0);
    for (size_t i = size; i < sizeof bytes; ++i) ck_assert_uint_eq(bytes[i], 0xEE);
  }
}

TAC_TEST(texts_follow_a_head) {
  TAC_CREATE(tacPacket, packet, tac_view_text_packet(TAC_VIEW_STATE, 0x01020304, "{\"a\":1}", &packet, &error));
  ck_assert_uint_eq(tac_packet_size(packet), 15);
  ck_assert_mem_eq(tac_packet_bytes(packet), "\x02\x01\x00\x00\x04\x03\x02\x01{\"a\":1}", 15);
}

/* ---- Packets. ---- */

static void *share_and_release(void *packet) {
  for (int i = 0; i < 10000; ++i) tac_packet_release(tac_packet_share(packet));
  tac_packet_release(packet);
  return NULL;
}

TAC_TEST(packets_live_until_their_last_release) {
  tacPacket *packet;
  tac_test_ok(tac_packet_create(100, &packet, &error), error);
  for (int i = 0; i < 100; ++i) ck_assert_uint_eq(tac_packet_bytes(packet)[i], 0);
  tac_packet_shorten(packet, 40);
  ck_assert_uint_eq(tac_packet_size(packet), 40);
  tac_packet_shorten(packet, 50);
  ck_assert_uint_eq(tac_packet_size(packet), 40);
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, share_and_release, tac_packet_share(packet)), 0);
  tac_packet_bytes(packet)[39] = 1;
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  ck_assert_uint_eq(tac_packet_bytes(packet)[39], 1);
  tac_packet_release(packet);
  tac_packet_release(NULL);
  ck_assert_int_eq(tac_packet_create(SIZE_MAX, &packet, &error), TAC_ERR_MEMORY);
  ck_assert_ptr_null(packet);
}

/* ---- What clients write. ---- */

/* Not tac_byte_writer_f32, which refuses some. */
static void put_f32(tacByteWriter *writer, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  tac_byte_writer_u32(writer, bits);
}

/* A message that begins so. */
static tacByteWriter begin(unsigned char *bytes, unsigned kind, unsigned a, uint32_t b) {
  tacByteWriter writer = {bytes, TAC_VIEW_MOST_BYTES, 0};
  tac_byte_writer_head(&writer, (tacViewKind)kind, a, b);
  return writer;
}

static size_t write_pointer(unsigned char *bytes, unsigned tool, uint32_t flags, const double position[3],
                            const double orientation[4]) {
  tacByteWriter writer = begin(bytes, 64, tool, flags);
  for (int k = 0; k < 7; ++k) put_f32(&writer, (float)(k < 3 ? position[k] : orientation[k - 3]));
  return writer.at;
}

TAC_TEST(pointers_are_read) {
  unsigned char bytes[64];
  const double position[] = {0.25, -1000.0, 3.0}, orientation[] = {0.5, -0.5, 0.5, 0.5};
  size_t size = write_pointer(bytes, 0xFFFE, 2, position, orientation);
  tacViewMessage message;
  ck_assert_uint_eq(size, 36);
  ck_assert(tac_view_message_read(bytes, size, &message));
  ck_assert_int_eq(message.kind, TAC_VIEW_POINTER);
  ck_assert_int_eq(message.pointer.tool, 0xFFFE);
  ck_assert(!message.pointer.touch && message.pointer.grab);
  ck_assert_double_eq(message.pointer.position.x, 0.25);
  ck_assert_double_eq(message.pointer.position.y, -1000.0);
  ck_assert_double_eq(message.pointer.position.z, 3.0);
  for (int k = 0; k < 4; ++k) ck_assert_double_eq(message.pointer.orientation[k], orientation[k]);
  bytes[4] = 1;
  ck_assert(tac_view_message_read(bytes, size, &message));
  ck_assert(message.pointer.touch && !message.pointer.grab);
}

TAC_TEST(orientations_become_exact) {
  unsigned char bytes[64];
  const double position[3] = {0}, a = sqrt(1.0 / 3.0) * 1.005, orientation[] = {a, a, a, 0.0};
  tacViewMessage message;
  ck_assert(tac_view_message_read(bytes, write_pointer(bytes, 0, 0, position, orientation), &message));
  for (int k = 0; k < 3; ++k) ck_assert_double_eq_tol(message.pointer.orientation[k], sqrt(1.0 / 3.0), 1e-7);
  double square = 0.0;
  for (int k = 0; k < 4; ++k) square += message.pointer.orientation[k] * message.pointer.orientation[k];
  ck_assert_double_eq_tol(square, 1.0, 1e-15);
}

TAC_TEST(pointers_elsewhere_are_refused) {
  static const struct {
    uint32_t flags;
    double position[3], orientation[4];
  } cases[] = {{4, {0}, {1}},
               {0, {1000.1, 0, 0}, {1}},
               {0, {0, NAN, 0}, {1}},
               {0, {0, 0, -INFINITY}, {1}},
               {0, {0}, {0}},
               {0, {0}, {1, 1, 0, 0}},
               {0, {0}, {NAN, 0, 0, 0}},
               {0, {0}, {INFINITY, 0, 0, 0}},
               {0, {0}, {0.98, 0, 0, 0}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    unsigned char bytes[64];
    tacViewMessage message;
    size_t size = write_pointer(bytes, 0, cases[i].flags, cases[i].position, cases[i].orientation);
    ck_assert_msg(!tac_view_message_read(bytes, size, &message), "case %zu", i);
  }
}

TAC_TEST(shown_frames_are_read) {
  unsigned char bytes[] = {65, 1, 5, 0, 0x78, 0x56, 0x34, 0x12};
  tacViewMessage message;
  ck_assert(tac_view_message_read(bytes, sizeof bytes, &message));
  ck_assert_int_eq(message.kind, TAC_VIEW_SHOWN);
  ck_assert_uint_eq(message.shown.requests, TAC_VIEW_REQUEST_SURFACES | TAC_VIEW_REQUEST_PRESSURE);
  ck_assert_uint_eq(message.shown.frame, 0x12345678);
  bytes[3] = 4; /* a wish that there is not */
  ck_assert(!tac_view_message_read(bytes, sizeof bytes, &message));
}

static size_t write_ask(unsigned char *bytes, unsigned body, uint32_t number, uint32_t what, float value) {
  tacByteWriter writer = begin(bytes, 67, body, number);
  tac_byte_writer_u32(&writer, what);
  put_f32(&writer, value);
  return writer.at;
}

TAC_TEST(field_requests_are_read) {
  unsigned char bytes[TAC_VIEW_MOST_BYTES];
  tacViewMessage message;
  ck_assert(tac_view_message_read(bytes, write_ask(bytes, 300, 77, 2, -0.25f), &message));
  ck_assert_int_eq(message.kind, TAC_VIEW_ASK);
  ck_assert_int_eq(message.ask.body, 300);
  ck_assert_uint_eq(message.ask.number, 77);
  ck_assert_int_eq(message.ask.what, TAC_VIEW_ASK_Z);
  ck_assert_double_eq(message.ask.value, -0.25);
  ck_assert(tac_view_message_read(bytes, write_ask(bytes, 0, 0, 3, 1000.0f), &message));
  ck_assert(!tac_view_message_read(bytes, write_ask(bytes, 0, 0, 4, 0.0f), &message));
  ck_assert(!tac_view_message_read(bytes, write_ask(bytes, 0, 0, 3, 1001.0f), &message));
  ck_assert(!tac_view_message_read(bytes, write_ask(bytes, 0, 0, 0, NAN), &message));
}

static size_t write_command(unsigned char *bytes, unsigned command, uint32_t index, double value, const char *text) {
  tacByteWriter writer = begin(bytes, 66, command, index);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  tac_byte_writer_u64(&writer, bits);
  for (const char *c = text; *c != '\0'; ++c) tac_byte_writer_u8(&writer, (unsigned char)*c);
  return writer.at;
}

TAC_TEST(commands_are_read) {
  unsigned char bytes[TAC_VIEW_MOST_BYTES];
  tacViewMessage message;
  ck_assert(tac_view_message_read(bytes, write_command(bytes, 10, 3, -0.1, "Gr\xC3\xBC\xC3\x9F"), &message));
  ck_assert_int_eq(message.kind, TAC_VIEW_COMMAND);
  ck_assert_int_eq(message.command.command, TAC_VIEW_PARAMETER);
  ck_assert_uint_eq(message.command.index, 3);
  ck_assert_double_eq(message.command.value, -0.1);
  ck_assert_str_eq(message.command.text, "Gr\xC3\xBC\xC3\x9F");
  char longest[513], longer[514];
  memset(longest, 'x', 512);
  memset(longer, 'x', 513);
  longest[512] = longer[513] = '\0';
  ck_assert(tac_view_message_read(bytes, write_command(bytes, 1, 0, 0.0, longest), &message));
  ck_assert_str_eq(message.command.text, longest);
  ck_assert(!tac_view_message_read(bytes, write_command(bytes, 1, 0, 0.0, longer), &message));
}

/* The protocol's table. */
TAC_TEST(values_are_those_of_the_command) {
  static const struct {
    unsigned command;
    double value;
    bool allowed;
  } cases[] = {{0, 0, false},        {17, 0, false},    {65535, 0, false},   {3, 0, true},         {3, 1, true},
               {3, 0.5, false},      {3, 2, false},     {3, -1, false},      {4, 0, false},        {4, 1, true},
               {4, 1000, true},      {4, 1001, false},  {4, 1.5, false},     {6, 1, true},         {6, 2, false},
               {8, 0, true},         {8, 1e6, true},    {8, 1e6 + 1, false}, {8, -1e-9, false},    {9, 0, true},
               {9, 10, true},        {9, 10.01, false}, {9, 0.25, true},     {10, -1e300, true},   {11, 1, true},
               {11, 0.1, false},     {1, 5, true},      {2, 5, true},        {5, -5, true},        {7, 5, true},
               {1, INFINITY, false}, {10, NAN, false},  {8, NAN, false},     {9, INFINITY, false}, {2, NAN, false},
               {12, 1, true},        {12, 0.01, true},  {12, 0.009, false},  {12, 1.01, false},    {12, NAN, false},
               {13, 3, true},        {14, 0, true},     {15, 0, true},       {16, 1, true},        {16, 2, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    unsigned char bytes[TAC_VIEW_MOST_BYTES];
    tacViewMessage message;
    size_t size = write_command(bytes, cases[i].command, 0, cases[i].value, "");
    ck_assert_msg(tac_view_message_read(bytes, size, &message) == cases[i].allowed, "command %u with %g",
                  cases[i].command, cases[i].value);
  }
}

TAC_TEST(texts_are_utf8_without_control_characters) {
  const char *right[] = {"",
                         "kidney.yaml",
                         " ~",
                         "\xC2\xA0",
                         "\xDF\xBF",
                         "\xE0\xA0\x80",
                         "\xED\x9F\xBF",
                         "\xEE\x80\x80",
                         "\xEF\xBF\xBD",
                         "\xF0\x90\x80\x80",
                         "\xF4\x8F\xBF\xBF"};
  const char *wrong[] = {"a\nb",
                         "\x1B[0m",
                         "\x7F",
                         "\x80",
                         "\xC2",
                         "\xC2\x85",
                         "\xC0\x80",
                         "\xC1\xBF",
                         "\xC3\x28",
                         "\xE0\x9F\xBF",
                         "\xE2\x82",
                         "\xED\xA0\x80",
                         "\xED\xBF\xBF",
                         "\xF0\x8F\xBF\xBF",
                         "\xF4\x90\x80\x80",
                         "\xF8\x88\x80\x80\x80",
                         "\xFF",
                         "ab\xE2\x82"};
  unsigned char bytes[TAC_VIEW_MOST_BYTES];
  tacViewMessage message;
  for (size_t i = 0; i < sizeof right / sizeof *right; ++i) {
    ck_assert_msg(tac_view_message_read(bytes, write_command(bytes, 1, 0, 0.0, right[i]), &message), "right %zu", i);
    ck_assert_str_eq(message.command.text, right[i]);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    ck_assert_msg(!tac_view_message_read(bytes, write_command(bytes, 1, 0, 0.0, wrong[i]), &message), "wrong %zu", i);
  size_t size = write_command(bytes, 1, 0, 0.0, "ab");
  bytes[16] = 0; /* a zero would hide what follows */
  ck_assert(!tac_view_message_read(bytes, size, &message));
}

TAC_TEST(other_sizes_types_and_versions_are_refused) {
  unsigned char bytes[TAC_VIEW_MOST_BYTES] = {0};
  const double position[3] = {0}, orientation[4] = {1.0};
  tacViewMessage message;
  for (int type = 0; type < 256; ++type)
    for (size_t size = 0; size <= 40; ++size) {
      memset(bytes, 0, sizeof bytes);
      write_pointer(bytes, 1, 0, position, orientation);
      bytes[0] = (unsigned char)type;
      bool right =
          (type == 64 && size == 36) || (type == 65 && size == 8) || ((type == 66 || type == 67) && size == 16);
      ck_assert_msg(tac_view_message_read(bytes, size, &message) == right, "type %d of %zu bytes", type, size);
    }
  for (int version = 0; version < 256; ++version) {
    write_pointer(bytes, 1, 0, position, orientation);
    bytes[1] = (unsigned char)version;
    ck_assert(tac_view_message_read(bytes, 36, &message) == (version == 1));
  }
}
