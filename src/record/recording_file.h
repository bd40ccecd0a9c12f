/* The bytes of a recording, for the recorder that writes them and the recording that reads them. The layout is in
 * docs/recording.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  TAC_RECORDING_VERSION = 11,
  TAC_RECORDING_SIGNATURE_SIZE = 8,
  TAC_RECORDING_HEADER_SIZE = 72,
  TAC_RECORDING_TEXTS = 5,         /* scene path, scene, program, platform, assets */
  TAC_RECORDING_HEAD_SIZE = 40,    /* of a block */
  TAC_RECORDING_MOST_TICKS = 1024, /* in a block */
  TAC_RECORDING_MOST_PARAMETERS = 65536,
  TAC_RECORDING_MOST_EVERY = 100,     /* ticks of one step of the bodies */
  TAC_RECORDING_MOST_STATE = 1 << 20, /* numbers in a state, and in all states of a block */
  TAC_RECORDING_MOST_TEXT = 1 << 26   /* bytes of all texts */
};

extern const unsigned char tac_recording_signature[TAC_RECORDING_SIGNATURE_SIZE];

typedef struct tacRecordingHeader {
  uint32_t version, tool_count, parameter_count, state_size, simulate_every;
  double period;                           /* s */
  uint32_t text_size[TAC_RECORDING_TEXTS]; /* bytes; the texts follow the header without zeros */
  uint64_t data_checksum;                  /* of those and of the parameters, which follow them */
} tacRecordingHeader;

void tac_recording_header_pack(const tacRecordingHeader *header, unsigned char bytes[TAC_RECORDING_HEADER_SIZE]);
/* False where the checksum is wrong; the version is filled either way. */
bool tac_recording_header_unpack(const unsigned char bytes[TAC_RECORDING_HEADER_SIZE], tacRecordingHeader *header);

enum { TAC_RECORDING_TICKS = 1, TAC_RECORDING_END = 2, TAC_RECORDING_STATES = 3 }; /* kinds of blocks */

typedef struct tacRecordingHead {
  uint32_t kind, count; /* count: ticks or states in the block; 0 in the end */
  uint64_t first;       /* ticks in the blocks before; in one of states the tick of the first */
  uint64_t stored;      /* bytes that follow */
  uint64_t checksum;    /* of them */
} tacRecordingHead;

void tac_recording_head_pack(const tacRecordingHead *head, unsigned char bytes[TAC_RECORDING_HEAD_SIZE]);
bool tac_recording_head_unpack(const unsigned char bytes[TAC_RECORDING_HEAD_SIZE], tacRecordingHead *head);

/* Bytes of a record in a block before compression. */
size_t tac_recording_record_bytes(int tool_count);
/* Records, tac_record_size() apart, to the bytes of a block, and back. */
void tac_recording_block_pack(int tool_count, size_t count, const void *records, unsigned char *bytes);
void tac_recording_block_unpack(int tool_count, size_t count, const unsigned char *bytes, void *records);

/* The state of the bodies after a tick, as it is stored: the display needs no more digits. */
typedef struct tacStateRecord {
  int64_t tick;
  float values[]; /* as many as the state has numbers */
} tacStateRecord;

size_t tac_state_record_size(int state_size);     /* in memory; from one to the next in an array */
size_t tac_recording_state_bytes(int state_size); /* in a block before compression */
size_t tac_recording_most_states(int state_size); /* in a block */
/* As for ticks: those of the ticks, then number by number. */
void tac_recording_states_pack(int state_size, size_t count, const void *states, unsigned char *bytes);
void tac_recording_states_unpack(int state_size, size_t count, const unsigned char *bytes, void *states);
