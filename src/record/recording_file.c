#include "record/recording_file.h"

#include <string.h>
#include "base/files/checksum.h"
#include "base/files/little_endian.h"
#include "record/record_column.h"

/* A byte above 127 and a line end show a file that was sent as text. */
const unsigned char tac_recording_signature[TAC_RECORDING_SIGNATURE_SIZE] = {0x89, 'T', 'A', 'C', 'R', 'E', 'C', '\n'};

void tac_recording_header_pack(const tacRecordingHeader *header, unsigned char bytes[TAC_RECORDING_HEADER_SIZE]) {
  uint64_t period;
  memcpy(&period, &header->period, sizeof period);
  memcpy(bytes, tac_recording_signature, TAC_RECORDING_SIGNATURE_SIZE);
  tac_little_endian_put_u32(header->version, bytes + 8);
  tac_little_endian_put_u32(header->tool_count, bytes + 12);
  tac_little_endian_put_u64(period, bytes + 16);
  for (int i = 0; i < TAC_RECORDING_TEXTS; ++i) tac_little_endian_put_u32(header->text_size[i], bytes + 24 + 4 * i);
  tac_little_endian_put_u32(header->parameter_count, bytes + 44);
  tac_little_endian_put_u32(header->state_size, bytes + 48);
  tac_little_endian_put_u32(header->simulate_every, bytes + 52);
  tac_little_endian_put_u64(header->data_checksum, bytes + 56);
  tac_little_endian_put_u64(tac_checksum(bytes, TAC_RECORDING_HEADER_SIZE - 8), bytes + 64);
}

bool tac_recording_header_unpack(const unsigned char bytes[TAC_RECORDING_HEADER_SIZE], tacRecordingHeader *header) {
  header->version = tac_little_endian_u32(bytes + 8);
  header->tool_count = tac_little_endian_u32(bytes + 12);
  uint64_t period = tac_little_endian_u64(bytes + 16);
  memcpy(&header->period, &period, sizeof period);
  for (int i = 0; i < TAC_RECORDING_TEXTS; ++i) header->text_size[i] = tac_little_endian_u32(bytes + 24 + 4 * i);
  header->parameter_count = tac_little_endian_u32(bytes + 44);
  header->state_size = tac_little_endian_u32(bytes + 48);
  header->simulate_every = tac_little_endian_u32(bytes + 52);
  header->data_checksum = tac_little_endian_u64(bytes + 56);
  return tac_little_endian_u64(bytes + 64) == tac_checksum(bytes, TAC_RECORDING_HEADER_SIZE - 8);
}

void tac_recording_head_pack(const tacRecordingHead *head, unsigned char bytes[TAC_RECORDING_HEAD_SIZE]) {
  tac_little_endian_put_u32(head->kind, bytes);
  tac_little_endian_put_u32(head->count, bytes + 4);
  tac_little_endian_put_u64(head->first, bytes + 8);
  tac_little_endian_put_u64(head->stored, bytes + 16);
  tac_little_endian_put_u64(head->checksum, bytes + 24);
  tac_little_endian_put_u64(tac_checksum(bytes, TAC_RECORDING_HEAD_SIZE - 8), bytes + 32);
}

bool tac_recording_head_unpack(const unsigned char bytes[TAC_RECORDING_HEAD_SIZE], tacRecordingHead *head) {
  *head = (tacRecordingHead){.kind = tac_little_endian_u32(bytes),
                             .count = tac_little_endian_u32(bytes + 4),
                             .first = tac_little_endian_u64(bytes + 8),
                             .stored = tac_little_endian_u64(bytes + 16),
                             .checksum = tac_little_endian_u64(bytes + 24)};
  return tac_little_endian_u64(bytes + 32) == tac_checksum(bytes, TAC_RECORDING_HEAD_SIZE - 8);
}

size_t tac_recording_record_bytes(int tool_count) {
  size_t bytes = 0;
  for (int c = 0; c < tac_record_column_count(tool_count); ++c) {
    tacRecordColumn column = tac_record_column(c);
    bytes += tac_record_column_size(&column);
  }
  return bytes;
}

/* Column by column, and in a column the lowest byte of every tick, then the next: signs, exponents and leading digits, which
 * change little from tick to tick, come to lie together. */
static void put_bits(uint64_t bits, size_t size, size_t count, unsigned char *bytes) {
  for (size_t b = 0; b < size; ++b) bytes[b * count] = (unsigned char)(bits >> (8 * b));
}

static uint64_t take_bits(size_t size, size_t count, const unsigned char *bytes) {
  uint64_t bits = 0;
  for (size_t b = 0; b < size; ++b) bits |= (uint64_t)bytes[b * count] << (8 * b);
  return bits;
}

void tac_recording_block_pack(int tool_count, size_t count, const void *records, unsigned char *bytes) {
  size_t step = tac_record_size(tool_count);
  for (int c = 0; c < tac_record_column_count(tool_count); ++c) {
    tacRecordColumn column = tac_record_column(c);
    size_t size = tac_record_column_size(&column);
    for (size_t i = 0; i < count; ++i)
      put_bits(tac_record_column_bits(&column, (const unsigned char *)records + i * step), size, count, bytes + i);
    bytes += size * count;
  }
}

void tac_recording_block_unpack(int tool_count, size_t count, const unsigned char *bytes, void *records) {
  size_t step = tac_record_size(tool_count);
  for (int c = 0; c < tac_record_column_count(tool_count); ++c) {
    tacRecordColumn column = tac_record_column(c);
    size_t size = tac_record_column_size(&column);
    for (size_t i = 0; i < count; ++i)
      tac_record_column_set_bits(&column, take_bits(size, count, bytes + i), (unsigned char *)records + i * step);
    bytes += size * count;
  }
}

size_t tac_state_record_size(int state_size) {
  return sizeof(tacStateRecord) + ((size_t)state_size + 1) / 2 * 8; /* so that ticks are aligned */
}

size_t tac_recording_state_bytes(int state_size) {
  return 8 + 4 * (size_t)state_size;
}

size_t tac_recording_most_states(int state_size) {
  size_t most = TAC_RECORDING_MOST_STATE / (size_t)(state_size > 0 ? state_size : 1);
  return most < TAC_RECORDING_MOST_TICKS ? most : TAC_RECORDING_MOST_TICKS;
}

void tac_recording_states_pack(int state_size, size_t count, const void *states, unsigned char *bytes) {
  size_t step = tac_state_record_size(state_size), values = offsetof(tacStateRecord, values);
  for (size_t i = 0; i < count; ++i) {
    const unsigned char *state = (const unsigned char *)states + i * step;
    uint64_t tick;
    memcpy(&tick, state, sizeof tick);
    put_bits(tick, 8, count, bytes + i);
    for (int k = 0; k < state_size; ++k) {
      uint32_t bits;
      memcpy(&bits, state + values + 4 * (size_t)k, sizeof bits);
      put_bits(bits, 4, count, bytes + (8 + 4 * (size_t)k) * count + i);
    }
  }
}

void tac_recording_states_unpack(int state_size, size_t count, const unsigned char *bytes, void *states) {
  size_t step = tac_state_record_size(state_size), values = offsetof(tacStateRecord, values);
  for (size_t i = 0; i < count; ++i) {
    unsigned char *state = (unsigned char *)states + i * step;
    uint64_t tick = take_bits(8, count, bytes + i);
    memcpy(state, &tick, sizeof tick);
    for (int k = 0; k < state_size; ++k) {
      uint32_t bits = (uint32_t)take_bits(4, count, bytes + (8 + 4 * (size_t)k) * count + i);
      memcpy(state + values + 4 * (size_t)k, &bits, sizeof bits);
    }
  }
}
