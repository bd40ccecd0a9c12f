#include <tactus/recording.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>
#include "base/array.h"
#include "base/checksum.h"
#include "base/input_file.h"
#include "base/little_endian.h"
#include "base/log.h"
#include "record/record_column.h"
#include "record/recording_file.h"

typedef struct {
  tacRecordingHead head;
  size_t offset; /* of the stored bytes */
} Block;

struct tacRecording {
  char *path;
  int descriptor;
  size_t size; /* of the file, when it was opened */
  tacRecordingInfo info;
  char *texts; /* the three strings of `info` */
  double *parameters;
  Block *blocks;
  size_t block_count, block_room;
  uint64_t tick_count;
  bool complete;
  /* The block that was read last, SIZE_MAX for none, and the buffers on the way to its records. */
  size_t cached;
  unsigned char *stored, *columns, *records;
  size_t stored_room, columns_room, records_room;
  ZSTD_DCtx *expander;
};

void tac_recording_close(tacRecording *recording) {
  if (recording == NULL) return;
  if (recording->descriptor >= 0) close(recording->descriptor);
  ZSTD_freeDCtx(recording->expander);
  free(recording->stored);
  free(recording->columns);
  free(recording->records);
  free(recording->blocks);
  free(recording->texts);
  free(recording->parameters);
  free(recording->path);
  free(recording);
}

const tacRecordingInfo *tac_recording_info(const tacRecording *recording) {
  return &recording->info;
}

int64_t tac_recording_tick_count(const tacRecording *recording) {
  return (int64_t)recording->tick_count;
}

bool tac_recording_complete(const tacRecording *recording) {
  return recording->complete;
}

/* ---- blocks ---- */

static tacStatus damaged(const tacRecording *recording, const Block *block, const char *how, tacError *error) {
  return tac_error_set(error, TAC_ERR_FORMAT, "%s: the block of ticks at byte %zu is damaged (%s)", recording->path,
                       block->offset, how);
}

static tacStatus expand(tacRecording *recording, const Block *block, tacError *error) {
  size_t size = block->head.count * tac_recording_record_bytes(recording->info.tool_count);
  size_t made =
      ZSTD_decompressDCtx(recording->expander, recording->columns, size, recording->stored, (size_t)block->head.stored);
  if (ZSTD_isError(made))
    return ZSTD_getErrorCode(made) == ZSTD_error_memory_allocation
               ? tac_error_memory(error, 0, "expansion")
               : damaged(recording, block, ZSTD_getErrorName(made), error);
  return made == size ? TAC_OK : damaged(recording, block, "its length is not what its head says", error);
}

/* Later functions rely on the enumeration; the other numbers are checked where they are used. */
static tacStatus check_records(const tacRecording *recording, const Block *block, tacError *error) {
  int tool_count = recording->info.tool_count;
  for (uint32_t i = 0; i < block->head.count; ++i) {
    tacTickRecord record;
    memcpy(&record, recording->records + i * tac_record_size(tool_count), tac_record_size(tool_count));
    for (int t = 0; t < tool_count; ++t)
      if ((unsigned)record.tool[t].output.contact.state > TAC_CONTACT_GRABBED)
        return damaged(recording, block, "a contact in a state that does not exist", error);
  }
  return TAC_OK;
}

static tacStatus load_block(tacRecording *recording, size_t index, tacError *error) {
  if (recording->cached == index) return TAC_OK;
  recording->cached = SIZE_MAX;
  const Block *block = &recording->blocks[index];
  size_t count = block->head.count, stored = (size_t)block->head.stored, filled = 0;
  int tool_count = recording->info.tool_count;
  tacStatus status = tac_array_reserve((void **)&recording->stored, &recording->stored_room, stored, 1,
                                       "a compressed block of ticks", error);
  if (status == TAC_OK)
    status = tac_array_reserve((void **)&recording->columns, &recording->columns_room,
                               count * tac_recording_record_bytes(tool_count), 1, "a block of ticks", error);
  if (status == TAC_OK)
    status = tac_array_reserve((void **)&recording->records, &recording->records_room,
                               count * tac_record_size(tool_count), 1, "records of ticks", error);
  if (status == TAC_OK)
    status = tac_input_file_read_at(recording->descriptor, recording->path, block->offset, stored, recording->stored,
                                    &filled, error);
  if (status == TAC_OK && filled < stored) status = damaged(recording, block, "the file ends inside it", error);
  if (status == TAC_OK && tac_checksum(recording->stored, stored) != block->head.checksum)
    status = damaged(recording, block, "checksum", error);
  if (status == TAC_OK) status = expand(recording, block, error);
  if (status != TAC_OK) return status;
  memset(recording->records, 0, count * tac_record_size(tool_count)); /* padding as well */
  tac_recording_block_unpack(tool_count, count, recording->columns, recording->records);
  status = check_records(recording, block, error);
  if (status == TAC_OK) recording->cached = index;
  return status;
}

/* ---- opening ---- */

static tacStatus unpack_parameters(tacRecording *recording, int count, const unsigned char *bytes, tacError *error) {
  recording->parameters = tac_array_create((size_t)count, sizeof(double), "a recording's parameters", error);
  if (recording->parameters == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < count; ++i) {
    uint64_t bits = tac_little_endian_u64(bytes + 8 * i);
    memcpy(&recording->parameters[i], &bits, sizeof bits);
  }
  recording->info.parameter_count = count;
  recording->info.parameters = recording->parameters;
  return TAC_OK;
}

/* Cuts the texts apart; they follow one another without zeros, in the file as here with one after each. The parameters come
 * last. */
static tacStatus read_data(tacRecording *recording, const tacRecordingHeader *header, tacError *error) {
  size_t total = (size_t)header->text_size[0] + header->text_size[1] + header->text_size[2], filled = 0;
  size_t size = total + 8 * (size_t)header->parameter_count;
  if (size > recording->size - TAC_RECORDING_HEADER_SIZE)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: ends inside its header", recording->path);
  recording->texts = tac_array_create(size + 3, 1, "a recording's scene", error);
  if (recording->texts == NULL) return TAC_ERR_MEMORY;
  unsigned char *bytes = (unsigned char *)recording->texts;
  tacStatus status = tac_input_file_read_at(recording->descriptor, recording->path, TAC_RECORDING_HEADER_SIZE, size,
                                            bytes, &filled, error);
  if (status != TAC_OK) return status;
  if (filled < size || tac_checksum(bytes, size) != header->data_checksum || memchr(bytes, 0, total) != NULL)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: its header is damaged (checksum of the scene)", recording->path);
  status = unpack_parameters(recording, (int)header->parameter_count, bytes + total, error);
  if (status != TAC_OK) return status;
  size_t first = header->text_size[0], second = first + header->text_size[1];
  memmove(bytes + second + 2, bytes + second, header->text_size[2]);
  memmove(bytes + first + 1, bytes + first, header->text_size[1]);
  bytes[first] = bytes[second + 1] = bytes[total + 2] = 0;
  recording->info.scene_path = recording->texts;
  recording->info.scene = recording->texts + first + 1;
  recording->info.program = recording->texts + second + 2;
  return TAC_OK;
}

static tacStatus read_header(tacRecording *recording, size_t *end, tacError *error) {
  unsigned char bytes[TAC_RECORDING_HEADER_SIZE];
  size_t filled = 0;
  tacRecordingHeader header;
  tacStatus status =
      tac_input_file_read_at(recording->descriptor, recording->path, 0, sizeof bytes, bytes, &filled, error);
  if (status != TAC_OK) return status;
  if (filled < TAC_RECORDING_SIGNATURE_SIZE ||
      memcmp(bytes, tac_recording_signature, TAC_RECORDING_SIGNATURE_SIZE) != 0)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: is not a recording (its first bytes are others)", recording->path);
  if (filled < sizeof bytes || recording->size < sizeof bytes)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: ends inside its header", recording->path);
  bool whole = tac_recording_header_unpack(bytes, &header);
  if (header.version != TAC_RECORDING_VERSION)
    return tac_error_set(error, TAC_ERR_VERSION, "%s: is a recording of version %u; this Tactus reads version %d",
                         recording->path, (unsigned)header.version, TAC_RECORDING_VERSION);
  if (!whole) return tac_error_set(error, TAC_ERR_FORMAT, "%s: its header is damaged (checksum)", recording->path);
  if (header.tool_count > TAC_MOST_TOOLS || !(header.period > 0.0) || !isfinite(header.period))
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: has %u tools and a period of %g s; possible are %d and above 0",
                         recording->path, (unsigned)header.tool_count, header.period, TAC_MOST_TOOLS);
  if (header.parameter_count > TAC_RECORDING_MOST_PARAMETERS)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: has %u parameters; possible are %d", recording->path,
                         (unsigned)header.parameter_count, TAC_RECORDING_MOST_PARAMETERS);
  recording->info.tool_count = (int)header.tool_count;
  recording->info.period = header.period;
  *end = (size_t)TAC_RECORDING_HEADER_SIZE + header.text_size[0] + header.text_size[1] + header.text_size[2] +
         8 * (size_t)header.parameter_count;
  return read_data(recording, &header, error);
}

/* The checksum of the head is right, so what is wrong in it was written so. */
static bool possible(const tacRecording *recording, const tacRecordingHead *head) {
  if (head->first != recording->tick_count) return false;
  if (head->kind == TAC_RECORDING_END) return head->count == 0 && head->stored == 0;
  return head->kind == TAC_RECORDING_TICKS && head->count > 0 && head->count <= TAC_RECORDING_MOST_TICKS &&
         head->stored <= ZSTD_compressBound(head->count * tac_recording_record_bytes(recording->info.tool_count));
}

/* Goes from head to head as far as blocks are whole. */
static tacStatus read_table(tacRecording *recording, size_t offset, tacError *error) {
  while (recording->size - offset >= TAC_RECORDING_HEAD_SIZE) {
    unsigned char bytes[TAC_RECORDING_HEAD_SIZE];
    size_t filled = 0;
    Block block;
    tacStatus status =
        tac_input_file_read_at(recording->descriptor, recording->path, offset, sizeof bytes, bytes, &filled, error);
    if (status != TAC_OK) return status;
    if (filled < sizeof bytes || !tac_recording_head_unpack(bytes, &block.head)) {
      tac_log(TAC_LOG_WARNING, "%s: is damaged at byte %zu; the %" PRIu64 " ticks before are read", recording->path,
              offset, recording->tick_count);
      return TAC_OK;
    }
    if (!possible(recording, &block.head))
      return tac_error_set(error, TAC_ERR_FORMAT, "%s: the block at byte %zu has an impossible head", recording->path,
                           offset);
    offset += sizeof bytes;
    if (block.head.kind == TAC_RECORDING_END) {
      recording->complete = true;
      if (offset == recording->size) return TAC_OK;
      return tac_error_set(error, TAC_ERR_FORMAT, "%s: has %zu bytes after its end", recording->path,
                           recording->size - offset);
    }
    if (block.head.stored > recording->size - offset) return TAC_OK;
    status = tac_array_reserve((void **)&recording->blocks, &recording->block_room, recording->block_count + 1,
                               sizeof block, "a table of blocks", error);
    if (status != TAC_OK) return status;
    block.offset = offset;
    offset += (size_t)block.head.stored;
    recording->blocks[recording->block_count++] = block;
    recording->tick_count += block.head.count;
  }
  return TAC_OK;
}

/* A machine that fails may leave a last block of the right length that never reached the disk. */
static tacStatus drop_torn_block(tacRecording *recording, tacError *error) {
  if (recording->complete || recording->block_count == 0) return TAC_OK;
  tacStatus status = load_block(recording, recording->block_count - 1, error);
  if (status != TAC_ERR_FORMAT) return status;
  recording->tick_count -= recording->blocks[--recording->block_count].head.count;
  return TAC_OK;
}

tacStatus tac_recording_open(const char *path, tacRecording **result, tacError *error) {
  *result = NULL;
  tacRecording *recording = tac_array_create(1, sizeof *recording, "a recording", error);
  if (recording == NULL) return TAC_ERR_MEMORY;
  size_t offset = 0;
  recording->descriptor = -1;
  recording->cached = SIZE_MAX;
  recording->path = tac_array_text(path, error);
  tacStatus status = recording->path == NULL ? TAC_ERR_MEMORY : TAC_OK;
  if (status == TAC_OK) {
    recording->expander = ZSTD_createDCtx();
    if (recording->expander == NULL) status = tac_error_memory(error, 0, "expansion");
  }
  if (status == TAC_OK) status = tac_input_file_open(path, &recording->descriptor, &recording->size, error);
  if (status == TAC_OK) status = read_header(recording, &offset, error);
  if (status == TAC_OK) status = read_table(recording, offset, error);
  if (status == TAC_OK) status = drop_torn_block(recording, error);
  if (status == TAC_OK)
    *result = recording;
  else
    tac_recording_close(recording);
  return status;
}

/* ---- ticks ---- */

static size_t find_block(const tacRecording *recording, uint64_t tick) {
  if (recording->cached != SIZE_MAX) {
    const tacRecordingHead *head = &recording->blocks[recording->cached].head;
    if (tick >= head->first && tick - head->first < head->count) return recording->cached;
  }
  size_t lower = 0, upper = recording->block_count; /* the block is in [lower, upper) */
  while (upper - lower > 1) {
    size_t middle = lower + (upper - lower) / 2;
    if (recording->blocks[middle].head.first <= tick)
      lower = middle;
    else
      upper = middle;
  }
  return lower;
}

tacStatus tac_recording_tick(tacRecording *recording, int64_t index, tacTickRecord *record, tacError *error) {
  memset(record, 0, sizeof *record);
  if (index < 0 || (uint64_t)index >= recording->tick_count)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: has no tick %" PRId64 "; it has %" PRIu64, recording->path,
                         index, recording->tick_count);
  size_t block = find_block(recording, (uint64_t)index), size = tac_record_size(recording->info.tool_count);
  tacStatus status = load_block(recording, block, error);
  if (status != TAC_OK) return status;
  memcpy(record, recording->records + ((size_t)index - recording->blocks[block].head.first) * size, size);
  return TAC_OK;
}
