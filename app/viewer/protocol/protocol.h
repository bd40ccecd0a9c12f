/* The viewer's messages; docs/viewer_protocol.md describes every byte. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>
#include "app/viewer/protocol/packet.h"

enum {
  TAC_VIEW_PROTOCOL = 1,     /* version */
  TAC_VIEW_MOST_BYTES = 1024 /* of a client's message */
};

/* From the server. */
typedef enum tacViewKind {
  TAC_VIEW_WELCOME = 1,
  TAC_VIEW_STATE,
  TAC_VIEW_BODY,
  TAC_VIEW_FRAME,
  TAC_VIEW_NOTICE,
  TAC_VIEW_MODEL,
  TAC_VIEW_MOVING_SURFACE,
  TAC_VIEW_SHELL,
  TAC_VIEW_SLICE,
  TAC_VIEW_ISOSURFACE,
  TAC_VIEW_LOAD_MODES,
  TAC_VIEW_BEAT,
  TAC_VIEW_TICKS,
  TAC_VIEW_BADGES = 20
} tacViewKind;
enum { TAC_VIEW_HEAD = 8, TAC_VIEW_FRAME_HEAD = 32, TAC_VIEW_SECTION_HEAD = 8, TAC_VIEW_TOOL_SIZE = 136 };
typedef enum tacViewSection {
  TAC_VIEW_TOOLS = 1,
  TAC_VIEW_SURFACE,
  TAC_VIEW_FIELD,
  TAC_VIEW_NUMBERS,
  TAC_VIEW_SENSORS = 6, /* 5 was the ticks' */

  TAC_VIEW_COORDINATES,
  TAC_VIEW_POSES,
  TAC_VIEW_PAIR,
  TAC_VIEW_CONTACTS,
  TAC_VIEW_COUPLING,
  TAC_VIEW_BODY_NUMBERS,
  TAC_VIEW_LOAD,
  TAC_VIEW_LIMITS
} tacViewSection;
enum { TAC_VIEW_BUSY = 1 };                                                /* flags of a frame */
enum { TAC_VIEW_STRESS = 1, TAC_VIEW_PRESSURE = 2, TAC_VIEW_STRETCH = 3 }; /* kinds of a field */
enum { TAC_VIEW_LED = 1, TAC_VIEW_LIFTED = 2, TAC_VIEW_GRABS = 4 };        /* flags of a tool */

/* Writes numbers one after the other, little-endian whatever the machine. Bytes beyond the end are not written, but
 * counted: a writer without room measures. */
typedef struct tacByteWriter {
  unsigned char *bytes;
  size_t size, at;
} tacByteWriter;
void tac_byte_writer_u8(tacByteWriter *writer, unsigned value);
void tac_byte_writer_u16(tacByteWriter *writer, unsigned value);
void tac_byte_writer_u32(tacByteWriter *writer, uint32_t value);
void tac_byte_writer_u32s(tacByteWriter *writer, size_t count, const int64_t *values);
void tac_byte_writer_u64(tacByteWriter *writer, uint64_t value);
void tac_byte_writer_f32(tacByteWriter *writer,
                         double value); /* what is not finite or too large for a float becomes 0 */
void tac_byte_writer_f32s(tacByteWriter *writer, size_t count, const double *values);
void tac_byte_writer_f64(tacByteWriter *writer, double value);   /* likewise */
void tac_byte_writer_vec3(tacByteWriter *writer, tacVec3 value); /* three f32 */
void tac_byte_writer_head(tacByteWriter *writer, tacViewKind kind, unsigned a, uint32_t b);
/* Several numbers of one kind. */
#define TAC_WRITE_U32(writer, ...) \
  tac_byte_writer_u32s(writer, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]){__VA_ARGS__})
#define TAC_WRITE_F32(writer, ...) \
  tac_byte_writer_f32s(writer, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})
/* Begins a section and returns where; its end pads to 8 bytes and fills in the length. */
size_t tac_byte_writer_begin(tacByteWriter *writer, tacViewSection tag);
void tac_byte_writer_end(tacByteWriter *writer, size_t section);

/* A message that is JSON behind its head. */
tacStatus tac_view_text_packet(tacViewKind kind, uint32_t b, const char *json, tacPacket **packet, tacError *error);

/* From a client. */
typedef enum tacViewMessageKind {
  TAC_VIEW_POINTER = 64,
  TAC_VIEW_SHOWN,
  TAC_VIEW_COMMAND,
  TAC_VIEW_ASK
} tacViewMessageKind;
typedef enum tacViewCommand {
  TAC_VIEW_OPEN = 1,
  TAC_VIEW_RELOAD,
  TAC_VIEW_PAUSE,
  TAC_VIEW_STEP,
  TAC_VIEW_RESET,
  TAC_VIEW_RECORD,
  TAC_VIEW_REPLAY,
  TAC_VIEW_SEEK,
  TAC_VIEW_PLAY,
  TAC_VIEW_PARAMETER,
  TAC_VIEW_DEMO,
  TAC_VIEW_SPEED,
  TAC_VIEW_RENAME,
  TAC_VIEW_DELETE,
  TAC_VIEW_TAKE,
  TAC_VIEW_FOLLOW
} tacViewCommand;
enum {
  TAC_VIEW_REQUEST_SURFACES = 1,
  TAC_VIEW_REQUEST_STRESS = 2,
  TAC_VIEW_REQUEST_PRESSURE = 4,
  TAC_VIEW_REQUEST_PAIRS = 8,
  TAC_VIEW_REQUEST_POINTS = 16,
  TAC_VIEW_REQUEST_BALLS = 32,
  TAC_VIEW_REQUEST_SHELLS = 64,
  TAC_VIEW_REQUEST_CONTACTS = 128,
  TAC_VIEW_REQUEST_COUPLING = 256,
  TAC_VIEW_REQUEST_STRETCH = 512,
  /* Any of these. */
  TAC_VIEW_REQUEST_BODIES =
      TAC_VIEW_REQUEST_SURFACES | TAC_VIEW_REQUEST_STRESS | TAC_VIEW_REQUEST_PRESSURE | TAC_VIEW_REQUEST_STRETCH,
  TAC_VIEW_REQUEST_ALL = 1023
};
/* Of a body's field. */
typedef enum tacViewAsked { TAC_VIEW_ASK_X, TAC_VIEW_ASK_Y, TAC_VIEW_ASK_Z, TAC_VIEW_ASK_ISOSURFACE } tacViewAsked;

typedef struct tacViewMessage {
  tacViewMessageKind kind;
  struct { /* TAC_VIEW_POINTER */
    int tool;
    bool touch, grab;
    tacVec3 position;      /* finite, within 1e3 m */
    double orientation[4]; /* a unit quaternion */
  } pointer;
  struct { /* TAC_VIEW_SHOWN */
    unsigned requests;
    uint32_t frame;
  } shown;
  struct { /* TAC_VIEW_COMMAND */
    tacViewCommand command;
    uint32_t index;
    double value;   /* finite, and in the range that the command allows */
    char text[513]; /* UTF-8 without control characters */
  } command;
  struct { /* TAC_VIEW_ASK */
    int body;
    uint32_t number;
    tacViewAsked what;
    double value; /* m; finite, within 1e3 */
  } ask;
} tacViewMessage;

/* False where the bytes are no message of this version. Never trusts them. */
bool tac_view_message_read(const unsigned char *bytes, size_t size, tacViewMessage *message);
