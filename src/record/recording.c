#include "record/recording.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>
#include "base/error.h"
#include "base/files/checksum.h"
#include "base/files/input_file.h"
#include "base/files/little_endian.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "record/record_column.h"

typedef struct {
  tacRecordingHead head;
  size_t offset; /* of the stored bytes */
} Block;

/* The blocks of one kind, and the records of the one that was read last (SIZE_MAX: none). */
typedef struct {
  Block *blocks;
  size_t count, room, cached;
  size_t record_size, record_bytes; /* in memory; in a block */
  unsigned char *records;
  size_t records_room;
} Table;

struct tacRecording {
  char *path;
  int descriptor;
  size_t size; /* of the file, when it was opened */
  tacRecordingInfo info;
  char *texts; /* the strings of `info` */
  double *parameters;
  Table ticks, states;
  uint64_t tick_count;
  bool complete;
  unsigned char *stored, *columns; /* of a block on the way to its records */
  size_t stored_room, columns_room;
  ZSTD_DCtx *expander;
};

bool tac_recording_recognise(const char *path) {
  int file = -1;
  size_t size = 0, filled = 0;
  unsigned char start[TAC_RECORDING_SIGNATURE_SIZE];
  if (tac_input_file_open(path, &file, &size, NULL) != TAC_OK) return false;
  tacStatus status = tac_input_file_read_at(file, path, 0, sizeof start, start, &filled, NULL);
  close(file);
  return status == TAC_OK && filled == sizeof start && memcmp(start, tac_recording_signature, sizeof start) == 0;
}

void tac_recording_close(tacRecording *recording) {
  if (recording == NULL) return;
  if (recording->descriptor >= 0) close(recording->descriptor);
  ZSTD_freeDCtx(recording->expander);
  free(recording->stored);
  free(recording->columns);
  free(recording->ticks.records);
  free(recording->ticks.blocks);
  free(recording->states.records);
  free(recording->states.blocks);
  free(recording->texts);
  free(recording->parameters);
  free(recording->path);
  free(recording);
}

TAC_OWNED_TYPE(tacRecording, tac_recording_close)

const tacRecordingInfo *tac_recording_info(const tacRecording *recording) {
  return recording != NULL ? &recording->info : NULL;
}

int64_t tac_recording_tick_count(const tacRecording *recording) {
  return recording != NULL ? (int64_t)recording->tick_count : 0;
}

bool tac_recording_complete(const tacRecording *recording) {
  return recording != NULL && recording->complete;
}

tacStatus tac_recording_expect_complete(const tacRecording *recording, tacError *error) {
  if (recording->complete) return TAC_OK;
  return tac_error_set(error, TAC_ERR_FORMAT, "%s: the recording is incomplete: only the first %s of the run are in it",
                       recording->path, tac_text_many((int64_t)recording->tick_count, "tick").text);
}

/* ---- blocks ---- */

static tacStatus damaged(const tacRecording *recording, const Block *block, const char *how, tacError *error) {
  return tac_error_set(error, TAC_ERR_FORMAT, "%s: the block of %s at byte %zu is damaged (%s)", recording->path,
                       block->head.kind == TAC_RECORDING_TICKS ? "ticks" : "states", block->offset, how);
}

static tacStatus expand(tacRecording *recording, const Block *block, size_t size, tacError *error) {
  size_t made =
      ZSTD_decompressDCtx(recording->expander, recording->columns, size, recording->stored, (size_t)block->head.stored);
  if (ZSTD_isError(made))
    return ZSTD_getErrorCode(made) == ZSTD_error_memory_allocation
               ? tac_error_memory(error, 0, "expansion")
               : damaged(recording, block, ZSTD_getErrorName(made), error);
  return made == size ? TAC_OK : damaged(recording, block, "its length differs from the one in its head", error);
}

/* Later functions rely on the enumeration; the other numbers are checked where they are used. */
static tacStatus check_ticks(const tacRecording *recording, const Block *block, tacError *error) {
  int tool_count = recording->info.tool_count;
  for (uint32_t i = 0; i < block->head.count; ++i) {
    tacTickRecord record;
    memcpy(&record, recording->ticks.records + i * tac_record_size(tool_count), tac_record_size(tool_count));
    for (int t = 0; t < tool_count; ++t)
      if ((unsigned)record.tool[t].output.contact.state > TAC_CONTACT_GRABBED)
        return damaged(recording, block, "a contact has an unknown state", error);
  }
  return TAC_OK;
}

static const tacStateRecord *state_record(const tacRecording *recording, size_t index) {
  return (const tacStateRecord *)(const void *)(recording->states.records + index * recording->states.record_size);
}

static tacStatus check_states(const tacRecording *recording, const Block *block, tacError *error) {
  bool ordered = (uint64_t)state_record(recording, 0)->tick == block->head.first;
  for (uint32_t i = 1; i < block->head.count; ++i)
    ordered = ordered && state_record(recording, i - 1)->tick < state_record(recording, i)->tick;
  return ordered ? TAC_OK : damaged(recording, block, "its states are not in order", error);
}

static tacStatus load_block(tacRecording *recording, Table *table, size_t index, tacError *error) {
  if (table->cached == index) return TAC_OK;
  table->cached = SIZE_MAX;
  const Block *block = &table->blocks[index];
  size_t count = block->head.count, stored = (size_t)block->head.stored, filled = 0;
  TAC_TRY(tac_array_reserve((void **)&recording->stored, &recording->stored_room, stored, 1,
                            "a compressed block of a recording", error));
  TAC_TRY(tac_array_reserve((void **)&recording->columns, &recording->columns_room, count * table->record_bytes, 1,
                            "a block of a recording", error));
  TAC_TRY(tac_array_reserve((void **)&table->records, &table->records_room, count * table->record_size, 1,
                            "records of a recording", error));
  TAC_TRY(tac_input_file_read_at(recording->descriptor, recording->path, block->offset, stored, recording->stored,
                                 &filled, error));
  if (filled < stored) return damaged(recording, block, "the file ends inside it", error);
  if (tac_checksum(recording->stored, stored) != block->head.checksum)
    return damaged(recording, block, "checksum", error);
  TAC_TRY(expand(recording, block, count * table->record_bytes, error));
  memset(table->records, 0, count * table->record_size); /* padding as well */
  if (table == &recording->ticks) {
    tac_recording_block_unpack(recording->info.tool_count, count, recording->columns, table->records);
    TAC_TRY(check_ticks(recording, block, error));
  } else {
    tac_recording_states_unpack(recording->info.state_size, count, recording->columns, table->records);
    TAC_TRY(check_states(recording, block, error));
  }
  table->cached = index;
  return TAC_OK;
}

/* The last block whose first record is not after `first`, or the first of all. */
static size_t find_block(const Table *table, uint64_t first) {
  size_t lower = 0, upper = table->count; /* the block is in [lower, upper) */
  while (upper - lower > 1) {
    size_t middle = lower + (upper - lower) / 2;
    if (table->blocks[middle].head.first <= first)
      lower = middle;
    else
      upper = middle;
  }
  return lower;
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

static size_t text_bytes(const tacRecordingHeader *header) {
  size_t bytes = 0;
  for (int i = 0; i < TAC_RECORDING_TEXTS; ++i) bytes += header->text_size[i];
  return bytes;
}

/* Moves the texts, which follow one another without zeros, apart: one after each. */
static void cut_texts(tacRecording *recording, const tacRecordingHeader *header) {
  const char **text[TAC_RECORDING_TEXTS] = {&recording->info.scene_path, &recording->info.scene,
                                            &recording->info.program, &recording->info.platform,
                                            &recording->info.assets};
  char *from = recording->texts + text_bytes(header);
  for (int i = TAC_RECORDING_TEXTS - 1; i >= 0; --i) {
    from -= header->text_size[i];
    char *to = from + i;
    memmove(to, from, header->text_size[i]);
    to[header->text_size[i]] = 0;
    *text[i] = to;
  }
}

/* Texts, then parameters. */
static tacStatus read_data(tacRecording *recording, const tacRecordingHeader *header, tacError *error) {
  size_t total = text_bytes(header), size = total + 8 * (size_t)header->parameter_count, filled = 0;
  if (size > recording->size - TAC_RECORDING_HEADER_SIZE)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file ends inside its header", recording->path);
  recording->texts = tac_array_create(size + TAC_RECORDING_TEXTS, 1, "a recording's scene", error);
  if (recording->texts == NULL) return TAC_ERR_MEMORY;
  unsigned char *bytes = (unsigned char *)recording->texts;
  TAC_TRY(tac_input_file_read_at(recording->descriptor, recording->path, TAC_RECORDING_HEADER_SIZE, size, bytes,
                                 &filled, error));
  if (filled < size || tac_checksum(bytes, size) != header->data_checksum || memchr(bytes, 0, total) != NULL)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the header is damaged (wrong checksum of the scene)",
                         recording->path);
  TAC_TRY(unpack_parameters(recording, (int)header->parameter_count, bytes + total, error));
  cut_texts(recording, header);
  return TAC_OK;
}

static tacStatus read_header(tacRecording *recording, size_t *end, tacError *error) {
  unsigned char bytes[TAC_RECORDING_HEADER_SIZE];
  size_t filled = 0;
  tacRecordingHeader header;
  TAC_TRY(tac_input_file_read_at(recording->descriptor, recording->path, 0, sizeof bytes, bytes, &filled, error));
  if (filled < TAC_RECORDING_SIGNATURE_SIZE ||
      memcmp(bytes, tac_recording_signature, TAC_RECORDING_SIGNATURE_SIZE) != 0)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file is not a recording (its first bytes differ)",
                         recording->path);
  if (filled < sizeof bytes || recording->size < sizeof bytes)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file ends inside its header", recording->path);
  bool whole = tac_recording_header_unpack(bytes, &header);
  if (header.version != TAC_RECORDING_VERSION)
    return tac_error_set(
        error, TAC_ERR_VERSION,
        "%s: the recording has version %u, but this Tactus reads version %d (use the version that recorded it)",
        recording->path, (unsigned)header.version, TAC_RECORDING_VERSION);
  if (!whole)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the header is damaged (wrong checksum)", recording->path);
  if (header.tool_count > TAC_MOST_TOOLS || !(header.period > 0.0) || !isfinite(header.period))
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%s: the recording has %u tools and a period of %g s; at most %d "
                         "tools and a period above 0 are possible",
                         recording->path, (unsigned)header.tool_count, header.period, TAC_MOST_TOOLS);
  if (header.parameter_count > TAC_RECORDING_MOST_PARAMETERS)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the recording has %u parameters; at most %d are possible",
                         recording->path, (unsigned)header.parameter_count, TAC_RECORDING_MOST_PARAMETERS);
  if (header.state_size > TAC_RECORDING_MOST_STATE)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the recording has a state of %u values; at most %d are possible",
                         recording->path, (unsigned)header.state_size, TAC_RECORDING_MOST_STATE);
  if (header.simulate_every < 1 || header.simulate_every > TAC_RECORDING_MOST_EVERY)
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%s: a step of the bodies in the recording takes %u ticks; 1 to %d "
                         "are possible",
                         recording->path, (unsigned)header.simulate_every, TAC_RECORDING_MOST_EVERY);
  if (text_bytes(&header) > TAC_RECORDING_MOST_TEXT)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the recording has texts of %zu bytes; at most %d are possible",
                         recording->path, text_bytes(&header), TAC_RECORDING_MOST_TEXT);
  recording->info.tool_count = (int)header.tool_count;
  recording->info.period = header.period;
  recording->info.simulate_every = (int)header.simulate_every;
  recording->info.state_size = (int)header.state_size;
  recording->ticks.record_size = tac_record_size(recording->info.tool_count);
  recording->ticks.record_bytes = tac_recording_record_bytes(recording->info.tool_count);
  recording->states.record_size = tac_state_record_size(recording->info.state_size);
  recording->states.record_bytes = tac_recording_state_bytes(recording->info.state_size);
  *end = TAC_RECORDING_HEADER_SIZE + text_bytes(&header) + 8 * (size_t)header.parameter_count;
  return read_data(recording, &header, error);
}

/* The checksum of the head is right, so what is wrong in it was written so. */
static bool possible(const tacRecording *recording, const tacRecordingHead *head) {
  const Table *states = &recording->states;
  if (head->kind == TAC_RECORDING_STATES)
    return recording->info.state_size > 0 && head->count > 0 &&
           head->count <= tac_recording_most_states(recording->info.state_size) && head->first <= INT64_MAX &&
           (states->count == 0 || head->first > states->blocks[states->count - 1].head.first) &&
           head->stored <= ZSTD_compressBound(head->count * states->record_bytes);
  if (head->first != recording->tick_count) return false;
  if (head->kind == TAC_RECORDING_END) return head->count == 0 && head->stored == 0;
  return head->kind == TAC_RECORDING_TICKS && head->count > 0 && head->count <= TAC_RECORDING_MOST_TICKS &&
         head->stored <= ZSTD_compressBound(head->count * recording->ticks.record_bytes);
}

/* Goes from head to head as far as blocks are whole. */
static tacStatus read_table(tacRecording *recording, size_t offset, tacError *error) {
  while (recording->size - offset >= TAC_RECORDING_HEAD_SIZE) {
    unsigned char bytes[TAC_RECORDING_HEAD_SIZE];
    size_t filled = 0;
    Block block;
    TAC_TRY(
        tac_input_file_read_at(recording->descriptor, recording->path, offset, sizeof bytes, bytes, &filled, error));
    if (filled < sizeof bytes || !tac_recording_head_unpack(bytes, &block.head)) {
      tac_log(TAC_LOG_WARNING, "%s: is damaged at byte %zu; the %" PRIu64 " ticks before are read", recording->path,
              offset, recording->tick_count);
      return TAC_OK;
    }
    if (!possible(recording, &block.head))
      return tac_error_set(error, TAC_ERR_FORMAT, "%s: the block at byte %zu has an invalid head", recording->path,
                           offset);
    offset += sizeof bytes;
    if (block.head.kind == TAC_RECORDING_END) {
      recording->complete = true;
      if (offset == recording->size) return TAC_OK;
      return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file has %zu bytes after its end", recording->path,
                           recording->size - offset);
    }
    if (block.head.stored > recording->size - offset) return TAC_OK;
    Table *table = block.head.kind == TAC_RECORDING_TICKS ? &recording->ticks : &recording->states;
    TAC_TRY(tac_array_reserve((void **)&table->blocks, &table->room, table->count + 1, sizeof block,
                              "a table of blocks", error));
    block.offset = offset;
    offset += (size_t)block.head.stored;
    table->blocks[table->count++] = block;
    if (table == &recording->ticks) recording->tick_count += block.head.count;
  }
  return TAC_OK;
}

/* A machine that fails may leave a last block of the right length that never reached the disk. */
static tacStatus drop_torn_block(tacRecording *recording, Table *table, tacError *error) {
  if (recording->complete || table->count == 0) return TAC_OK;
  tacStatus status = load_block(recording, table, table->count - 1, error);
  if (status != TAC_ERR_FORMAT) return status;
  --table->count;
  if (table == &recording->ticks) recording->tick_count -= table->blocks[table->count].head.count;
  return TAC_OK;
}

tacStatus tac_recording_open(const char *path, tacRecording **recording, tacError *error) {
  TAC_REQUIRE(error, recording);
  *recording = NULL;
  TAC_REQUIRE(error, path);
  TAC_OWN(tacRecording, made) = NULL;
  size_t offset = 0;
  TAC_TRY(TAC_ARRAY(made, 1, "a recording", error));
  made->descriptor = -1;
  made->ticks.cached = made->states.cached = SIZE_MAX;
  if ((made->path = tac_array_text(path, error)) == NULL) return TAC_ERR_MEMORY;
  if ((made->expander = ZSTD_createDCtx()) == NULL) return tac_error_memory(error, 0, "expansion");
  TAC_TRY(tac_input_file_open(path, &made->descriptor, &made->size, error));
  TAC_TRY(read_header(made, &offset, error));
  TAC_TRY(read_table(made, offset, error));
  TAC_TRY(drop_torn_block(made, &made->ticks, error));
  TAC_TRY(drop_torn_block(made, &made->states, error));
  *recording = tac_give(&made);
  return TAC_OK;
}

/* ---- ticks ---- */

tacStatus tac_recording_tick(tacRecording *recording, int64_t index, tacTickRecord *record, tacError *error) {
  TAC_REQUIRE(error, recording, record);
  memset(record, 0, sizeof *record);
  if (index < 0 || (uint64_t)index >= recording->tick_count)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: has no tick %" PRId64 "; it has %" PRIu64, recording->path,
                         index, recording->tick_count);
  Table *ticks = &recording->ticks;
  size_t block = find_block(ticks, (uint64_t)index);
  TAC_TRY(load_block(recording, ticks, block, error));
  memcpy(record, ticks->records + ((size_t)index - ticks->blocks[block].head.first) * ticks->record_size,
         ticks->record_size);
  return TAC_OK;
}

/* ---- states ---- */

/* Where the last state until a tick is, or the first of all: its block, which is then loaded, and its number in there. */
static tacStatus find_state(tacRecording *recording, int64_t tick, size_t *block, size_t *index, tacError *error) {
  const Table *states = &recording->states;
  if (states->count == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "%s: the recording contains no state of the "
                         "bodies",
                         recording->path);
  *block = find_block(states, tick > 0 ? (uint64_t)tick : 0);
  *index = 0;
  TAC_TRY(load_block(recording, &recording->states, *block, error));
  size_t upper = states->blocks[*block].head.count;
  while (upper - *index > 1) {
    size_t middle = *index + (upper - *index) / 2;
    if (state_record(recording, middle)->tick <= tick)
      *index = middle;
    else
      upper = middle;
  }
  return TAC_OK;
}

tacStatus tac_recording_stored_state(tacRecording *recording, int64_t tick, const tacStateRecord **state,
                                     tacError *error) {
  size_t block = 0, index = 0;
  tacStatus status = find_state(recording, tick, &block, &index, error);
  *state = status == TAC_OK ? state_record(recording, index) : NULL;
  return status;
}

tacStatus tac_recording_state(tacRecording *recording, int64_t tick, double *state, tacError *error) {
  TAC_REQUIRE(error, recording, state);
  int size = recording->info.state_size;
  size_t block = 0, index = 0;
  TAC_TRY(find_state(recording, tick, &block, &index, error));
  const tacStateRecord *found = state_record(recording, index);
  int64_t before = found->tick;
  for (int i = 0; i < size; ++i) state[i] = (double)found->values[i];
  if (++index == recording->states.blocks[block].head.count) {
    ++block;
    index = 0;
  }
  if (tick > before && block < recording->states.count) {
    TAC_TRY(load_block(recording, &recording->states, block, error));
    const tacStateRecord *next = state_record(recording, index);
    double share = (double)(tick - before) / (double)(next->tick - before);
    for (int i = 0; i < size; ++i) state[i] += share * ((double)next->values[i] - state[i]);
  }
  for (int i = 0; i < size; ++i)
    if (!isfinite(state[i]))
      return tac_error_set(error, TAC_ERR_FORMAT, "%s: the state after tick %" PRId64 " is not finite", recording->path,
                           tick);
  return TAC_OK;
}
