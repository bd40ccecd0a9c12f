#include "app/viewer/protocol/protocol.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/files/little_endian.h"

static void put(tacByteWriter *writer, uint64_t value, int count) {
  for (int i = 0; i < count; ++i, ++writer->at)
    if (writer->at < writer->size) writer->bytes[writer->at] = (unsigned char)(value >> (8 * i));
}

void tac_byte_writer_u8(tacByteWriter *writer, unsigned value) {
  put(writer, value, 1);
}

void tac_byte_writer_u16(tacByteWriter *writer, unsigned value) {
  put(writer, value, 2);
}

void tac_byte_writer_u32(tacByteWriter *writer, uint32_t value) {
  put(writer, value, 4);
}

void tac_byte_writer_u32s(tacByteWriter *writer, size_t count, const int64_t *values) {
  for (size_t i = 0; i < count; ++i) tac_byte_writer_u32(writer, (uint32_t)values[i]);
}

void tac_byte_writer_u64(tacByteWriter *writer, uint64_t value) {
  put(writer, value, 8);
}

void tac_byte_writer_f32(tacByteWriter *writer, double value) {
  float number = fabs(value) <= (double)FLT_MAX ? (float)value : 0.0f; /* false for NaN */
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  put(writer, bits, 4);
}

void tac_byte_writer_f32s(tacByteWriter *writer, size_t count, const double *values) {
  for (size_t i = 0; i < count; ++i) tac_byte_writer_f32(writer, values[i]);
}

void tac_byte_writer_f64(tacByteWriter *writer, double value) {
  double number = isfinite(value) ? value : 0.0;
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  put(writer, bits, 8);
}

void tac_byte_writer_vec3(tacByteWriter *writer, tacVec3 value) {
  TAC_WRITE_F32(writer, value.x, value.y, value.z);
}

void tac_byte_writer_head(tacByteWriter *writer, tacViewKind kind, unsigned a, uint32_t b) {
  put(writer, kind, 1);
  put(writer, TAC_VIEW_PROTOCOL, 1);
  put(writer, a, 2);
  put(writer, b, 4);
}

size_t tac_byte_writer_begin(tacByteWriter *writer, tacViewSection tag) {
  size_t section = writer->at;
  put(writer, tag, 4);
  put(writer, 0, 4);
  return section;
}

void tac_byte_writer_end(tacByteWriter *writer, size_t section) {
  size_t start = section + TAC_VIEW_SECTION_HEAD;
  while ((writer->at - start) % 8 != 0) put(writer, 0, 1);
  tacByteWriter length = {writer->bytes, writer->size, section + 4};
  put(&length, writer->at - start, 4);
}

tacStatus tac_view_text_packet(tacViewKind kind, uint32_t b, const char *json, tacPacket **packet, tacError *error) {
  size_t length = strlen(json);
  TAC_TRY(tac_packet_create(TAC_VIEW_HEAD + length, packet, error));
  tacByteWriter writer = {tac_packet_bytes(*packet), tac_packet_size(*packet), 0};
  tac_byte_writer_head(&writer, kind, 0, b);
  memcpy(writer.bytes + writer.at, json, length);
  return TAC_OK;
}

enum { POINTER_SIZE = 36, SHOWN_SIZE = 8, COMMAND_SIZE = 16, COMMAND_MOST = 528, ASK_SIZE = 16 };
static const double most_place = 1e3; /* m: clients name places within a kilometre */

static unsigned read_u16(const unsigned char *bytes) {
  return (unsigned)bytes[0] | (unsigned)bytes[1] << 8;
}

static double read_f32(const unsigned char *bytes) {
  uint32_t bits = tac_little_endian_u32(bytes);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static double read_f64(const unsigned char *bytes) {
  uint64_t bits = tac_little_endian_u64(bytes);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Bytes of the character at the start, 0 where it is none (overlong, cut, a surrogate) or a control character. */
static size_t character_size(const unsigned char *bytes, size_t size) {
  unsigned first = bytes[0];
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  size_t count = first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (count == 0 || count > size) return 0;
  unsigned code = first & (0x7Fu >> count);
  for (size_t i = 1; i < count; ++i) {
    if (bytes[i] >> 6 != 2) return 0;
    code = code << 6 | (bytes[i] & 0x3Fu);
  }
  const unsigned least[] = {0, 0, 0xA0, 0x800, 0x10000}; /* U+0080 to U+009F are control characters */
  return code >= least[count] && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF) ? count : 0;
}

static bool text_is_plain(const unsigned char *bytes, size_t size) {
  for (size_t i = 0, count; i < size; i += count)
    if ((count = character_size(bytes + i, size - i)) == 0) return false;
  return true;
}

static bool value_allowed(tacViewCommand command, double value) {
  switch (command) {
    case TAC_VIEW_PAUSE:
    case TAC_VIEW_RECORD:
    case TAC_VIEW_FOLLOW:
    case TAC_VIEW_DEMO: return value == 0.0 || value == 1.0;
    case TAC_VIEW_STEP: return value >= 1.0 && value <= 1000.0 && value == floor(value);
    case TAC_VIEW_SEEK: return value >= 0.0 && value <= 1e6;
    case TAC_VIEW_SPEED: return value >= 0.01 && value <= 1.0;
    case TAC_VIEW_PLAY: return value >= 0.0 && value <= 10.0;
    case TAC_VIEW_OPEN:
    case TAC_VIEW_RELOAD:
    case TAC_VIEW_RESET:
    case TAC_VIEW_REPLAY:
    case TAC_VIEW_RENAME:
    case TAC_VIEW_DELETE:
    case TAC_VIEW_TAKE:
    case TAC_VIEW_PARAMETER: return isfinite(value);
  }
  return false;
}

static bool read_pointer(const unsigned char *bytes, size_t size, tacViewMessage *message) {
  if (size != POINTER_SIZE) return false;
  const double slack = 1e-2; /* of the quaternion's norm, far more than rounding */
  uint32_t flags = tac_little_endian_u32(bytes + 4);
  double position[3], *orientation = message->pointer.orientation, norm = 0.0;
  if (flags > 3) return false;
  for (int k = 0; k < 3; ++k)
    if (position[k] = read_f32(bytes + 8 + 4 * k), !(fabs(position[k]) <= most_place)) return false;
  for (int k = 0; k < 4; ++k) {
    orientation[k] = read_f32(bytes + 20 + 4 * k);
    norm += orientation[k] * orientation[k];
  }
  norm = sqrt(norm);
  if (!(fabs(norm - 1.0) <= slack)) return false;
  for (int k = 0; k < 4; ++k) orientation[k] /= norm;
  message->pointer.tool = (int)read_u16(bytes + 2);
  message->pointer.touch = (flags & 1) != 0;
  message->pointer.grab = (flags & 2) != 0;
  message->pointer.position = (tacVec3){position[0], position[1], position[2]};
  return true;
}

static bool read_shown(const unsigned char *bytes, size_t size, tacViewMessage *message) {
  if (size != SHOWN_SIZE) return false;
  message->shown.requests = read_u16(bytes + 2);
  message->shown.frame = tac_little_endian_u32(bytes + 4);
  return message->shown.requests <= TAC_VIEW_REQUEST_ALL;
}

static bool read_command(const unsigned char *bytes, size_t size, tacViewMessage *message) {
  if (size < COMMAND_SIZE || size > COMMAND_MOST) return false;
  unsigned command = read_u16(bytes + 2);
  double value = read_f64(bytes + 8);
  size_t length = size - COMMAND_SIZE;
  if (command < TAC_VIEW_OPEN || command > TAC_VIEW_FOLLOW) return false;
  if (!value_allowed((tacViewCommand)command, value) || !text_is_plain(bytes + COMMAND_SIZE, length)) return false;
  message->command.command = (tacViewCommand)command;
  message->command.index = tac_little_endian_u32(bytes + 4);
  message->command.value = value;
  memcpy(message->command.text, bytes + COMMAND_SIZE, length); /* the rest is zero */
  return true;
}

static bool read_ask(const unsigned char *bytes, size_t size, tacViewMessage *message) {
  if (size != ASK_SIZE) return false;
  uint32_t what = tac_little_endian_u32(bytes + 8);
  double value = read_f32(bytes + 12);
  if (what > TAC_VIEW_ASK_ISOSURFACE || !(fabs(value) <= most_place)) return false;
  message->ask.body = (int)read_u16(bytes + 2);
  message->ask.number = tac_little_endian_u32(bytes + 4);
  message->ask.what = (tacViewAsked)what;
  message->ask.value = value;
  return true;
}

bool tac_view_message_read(const unsigned char *bytes, size_t size, tacViewMessage *message) {
  memset(message, 0, sizeof *message);
  if (size < SHOWN_SIZE || bytes[1] != TAC_VIEW_PROTOCOL) return false;
  message->kind = (tacViewMessageKind)bytes[0];
  switch (bytes[0]) {
    case TAC_VIEW_POINTER: return read_pointer(bytes, size, message);
    case TAC_VIEW_SHOWN: return read_shown(bytes, size, message);
    case TAC_VIEW_COMMAND: return read_command(bytes, size, message);
    case TAC_VIEW_ASK: return read_ask(bytes, size, message);
    default: return false;
  }
}
