/* Bytes as a message of a viewer's client: none, or one that keeps what its reader promises. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "app/viewer/protocol/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_pointer(const tacViewMessage *message) {
  const double *p = &message->pointer.position.x, *q = message->pointer.orientation;
  if (message->pointer.tool < 0 || message->pointer.tool > 65535) abort();
  for (int k = 0; k < 3; ++k)
    if (!(fabs(p[k]) <= 1e3)) abort();
  if (!(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) <= 1e-12)) abort();
}

/* UTF-8 by the table of RFC 3629, section 4, which the reader does not use. */
static void check_text(const unsigned char *text) {
  for (const unsigned char *c = text; *c != 0;) {
    int more;
    unsigned char least = 0x80, most = 0xBF; /* of the second byte */
    if (*c < 0x80) {
      more = 0;
      if (*c < 0x20 || *c == 0x7F) abort();
    } else if (*c >= 0xC2 && *c <= 0xDF) {
      more = 1;
      if (*c == 0xC2) least = 0xA0; /* U+0080 to U+009F: control characters */
    } else if (*c >= 0xE0 && *c <= 0xEF) {
      more = 2;
      if (*c == 0xE0) least = 0xA0;
      if (*c == 0xED) most = 0x9F;
    } else if (*c >= 0xF0 && *c <= 0xF4) {
      more = 3;
      if (*c == 0xF0) least = 0x90;
      if (*c == 0xF4) most = 0x8F;
    } else {
      abort();
    }
    for (++c; more > 0; --more, ++c, least = 0x80, most = 0xBF)
      if (*c < least || *c > most) abort();
  }
}

static void check_command(const tacViewMessage *message, size_t size) {
  double value = message->command.value;
  if (!isfinite(value)) abort();
  if (memchr(message->command.text, 0, sizeof message->command.text) == NULL) abort();
  if (strlen(message->command.text) != size - 16) abort();
  check_text((const unsigned char *)message->command.text);
  switch (message->command.command) {
    case TAC_VIEW_PAUSE:
    case TAC_VIEW_RECORD:
    case TAC_VIEW_FOLLOW:
    case TAC_VIEW_DEMO:
      if (value != 0.0 && value != 1.0) abort();
      break;
    case TAC_VIEW_STEP:
      if (value < 1.0 || value > 1000.0 || value != (double)(int)value) abort();
      break;
    case TAC_VIEW_SEEK:
      if (value < 0.0 || value > 1e6) abort();
      break;
    case TAC_VIEW_PLAY:
      if (value < 0.0 || value > 10.0) abort();
      break;
    case TAC_VIEW_SPEED:
      if (value < 0.01 || value > 1.0) abort();
      break;
    case TAC_VIEW_RENAME:
    case TAC_VIEW_DELETE:
    case TAC_VIEW_TAKE:
    case TAC_VIEW_OPEN:
    case TAC_VIEW_RELOAD:
    case TAC_VIEW_RESET:
    case TAC_VIEW_REPLAY:
    case TAC_VIEW_PARAMETER: break;
    default: abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacViewMessage message;
  if (!tac_view_message_read(data, size, &message)) return 0;
  if (size > TAC_VIEW_MOST_BYTES) abort();
  switch (message.kind) {
    case TAC_VIEW_POINTER: check_pointer(&message); break;
    case TAC_VIEW_SHOWN:
      if (message.shown.requests > TAC_VIEW_REQUEST_ALL) abort();
      break;
    case TAC_VIEW_COMMAND: check_command(&message, size); break;
    case TAC_VIEW_ASK:
      if (message.ask.body < 0 || message.ask.body > 65535 || !(fabs(message.ask.value) <= 1e3)) abort();
      if (message.ask.what > TAC_VIEW_ASK_ISOSURFACE) abort();
      break;
    default: abort();
  }
  return 0;
}
