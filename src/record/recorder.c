#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/files/checksum.h"
#include "base/files/little_endian.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/platform.h"
#include "base/threads/ring.h"
#include "base/threads/thread.h"
#include "record/record_column.h"
#include "record/recording_file.h"
#include "world/world.h"
#include "world/world_tick.h"

enum { COMPRESSION_LEVEL = 3, DRAIN_PERIOD_NS = 20000000 };
static const double state_period = 0.02; /* s, from one stored state to the next: the display's */

/* Records of one kind, ticks or states: through a ring from the thread that pushes to the one that drains, and there into
 * blocks. */
typedef struct {
  tacRing *ring;
  size_t capacity; /* of the ring */
  _Atomic uint64_t pushed, lost;
  size_t record_size, record_bytes; /* in memory; in a block before compression */

  /* Of the draining thread. */
  unsigned char *stage;
  size_t block_records, staged; /* of a full block; in `stage` now */
  uint64_t written;             /* in the file */
} Stream;

struct tacRecorder {
  Stream ticks, states;
  int tool_count, state_size;
  int64_t state_ticks;         /* from one stored state to the next */
  tacStateRecord *state;       /* the one that is pushed */
  atomic_bool closing, failed; /* failed: nothing is drained any more */

  /* Of the draining thread. */
  tacThread thread;
  char *path;
  int descriptor;
  unsigned char *columns, *stored; /* of a block, before compression and after, behind its head */
  tacArrays arrays;                /* those above, of streams and of the state */
  size_t stored_room;
  ZSTD_CCtx *compressor;
  tacStatus status; /* of the first write that failed; no other follows */
  tacError error;
};

bool tac_recorder_full(const tacRecorder *recorder) {
  if (atomic_load_explicit(&recorder->failed, memory_order_relaxed)) return false;
  return tac_ring_full(recorder->ticks.ring) || (recorder->state_size > 0 && tac_ring_full(recorder->states.ring));
}

static void count_one(_Atomic uint64_t *counter) { /* only one thread counts */
  atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1, memory_order_relaxed);
}

static bool push(Stream *stream, const void *record) {
  bool fits = tac_ring_put(stream->ring, record);
  count_one(fits ? &stream->pushed : &stream->lost);
  return fits;
}

bool tac_recorder_push(tacRecorder *recorder, const tacTickRecord *record) {
  if (recorder == NULL || record == NULL) return false;
  return push(&recorder->ticks, record);
}

bool tac_recorder_push_state(tacRecorder *recorder, int64_t tick, const double *state) {
  if (recorder == NULL || state == NULL) return false;
  if (recorder->state_size == 0 || tick % recorder->state_ticks != 0) return true;
  recorder->state->tick = tick;
  for (int i = 0; i < recorder->state_size; ++i) recorder->state->values[i] = (float)state[i];
  return push(&recorder->states, recorder->state);
}

/* ---- the draining thread ---- */

static tacStatus write_bytes(tacRecorder *recorder, const unsigned char *bytes, size_t size, tacError *error) {
  while (size > 0) {
    ssize_t done = write(recorder->descriptor, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write: %s", recorder->path, strerror(errno));
    bytes += done;
    size -= (size_t)done;
  }
  return TAC_OK;
}

static tacStatus write_block(tacRecorder *recorder, Stream *stream, tacError *error) {
  size_t count = stream->staged, size = count * stream->record_bytes;
  tacRecordingHead head = {.kind = TAC_RECORDING_TICKS, .count = (uint32_t)count, .first = stream->written};
  if (count == 0) return TAC_OK;
  if (stream == &recorder->ticks) {
    tac_recording_block_pack(recorder->tool_count, count, stream->stage, recorder->columns);
  } else {
    head.kind = TAC_RECORDING_STATES;
    memcpy(&head.first, stream->stage + offsetof(tacStateRecord, tick), sizeof head.first);
    tac_recording_states_pack(recorder->state_size, count, stream->stage, recorder->columns);
  }
  unsigned char *stored = recorder->stored + TAC_RECORDING_HEAD_SIZE;
  head.stored = ZSTD_compress2(recorder->compressor, stored, recorder->stored_room, recorder->columns, size);
  if (ZSTD_isError(head.stored)) return tac_error_memory(error, recorder->stored_room, "compression");
  head.checksum = tac_checksum(stored, head.stored);
  tac_recording_head_pack(&head, recorder->stored);
  /* Head and data in one call: a run that is killed seldom leaves half a block. */
  TAC_TRY(write_bytes(recorder, recorder->stored, TAC_RECORDING_HEAD_SIZE + head.stored, error));
  stream->written += count;
  stream->staged = 0;
  return TAC_OK;
}

/* States first: those of the ticks in a block are then before it in the file. */
static tacStatus write_blocks(tacRecorder *recorder, tacError *error) {
  TAC_TRY(write_block(recorder, &recorder->states, error));
  return write_block(recorder, &recorder->ticks, error);
}

/* Whether there was one more record, and room for it in the block. */
static bool take(Stream *stream) {
  if (stream->staged == stream->block_records ||
      !tac_ring_take(stream->ring, stream->stage + stream->staged * stream->record_size))
    return false;
  ++stream->staged;
  return true;
}

/* Takes what is in the rings; slots are free again before any block is compressed and written. Returns how many ticks there
 * were. States are looked for after the ticks: a tick's was pushed before it. */
static size_t drain(tacRecorder *recorder) {
  Stream *ticks = &recorder->ticks, *states = &recorder->states;
  size_t found = 0;
  bool more = true;
  while (more && recorder->status == TAC_OK) {
    while (take(ticks)) ++found;
    while (recorder->state_size > 0 && take(states)) {
    }
    bool states_full = recorder->state_size > 0 && states->staged == states->block_records;
    more = states_full || ticks->staged == ticks->block_records;
    if (more)
      recorder->status =
          states_full ? write_block(recorder, states, &recorder->error) : write_blocks(recorder, &recorder->error);
  }
  return found;
}

static void drain_until_closing(void *context) {
  tacRecorder *recorder = context;
  for (;;) {
    /* Read first, so that records pushed before the request to close are seen. */
    bool closing = atomic_load_explicit(&recorder->closing, memory_order_acquire);
    size_t found = drain(recorder);
    if (recorder->status != TAC_OK) atomic_store_explicit(&recorder->failed, true, memory_order_relaxed);
    if (closing || recorder->status != TAC_OK) break;
    if (found < recorder->ticks.capacity / 4) tac_clock_sleep_until(tac_clock_now() + DRAIN_PERIOD_NS);
  }
  if (recorder->status == TAC_OK) recorder->status = write_blocks(recorder, &recorder->error);
}

/* ---- opening and closing ---- */

static void destroy(tacRecorder *recorder) {
  if (recorder == NULL) return;
  if (recorder->descriptor >= 0) close(recorder->descriptor);
  ZSTD_freeCCtx(recorder->compressor);
  tac_ring_destroy(recorder->ticks.ring);
  tac_ring_destroy(recorder->states.ring);
  tac_arrays_free(&recorder->arrays);
  free(recorder->path);
  free(recorder);
}

TAC_OWNED_TYPE(tacRecorder, destroy)

static tacStatus check(const char *path, const tacRecordingInfo *info, double seconds, tacError *error) {
  if (!(info->period > 0.0) || !isfinite(info->period))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: the period is %g s; it must be positive", path, info->period);
  if (info->simulate_every < 0 || info->simulate_every > TAC_RECORDING_MOST_EVERY)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: a step of the bodies takes %d ticks; 1 to %d are possible", path,
                         info->simulate_every, TAC_RECORDING_MOST_EVERY);
  if (info->tool_count < 0 || info->tool_count > TAC_MOST_TOOLS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: too many tools (%d); at most %d are possible", path,
                         info->tool_count, TAC_MOST_TOOLS);
  if (info->parameter_count < 0 || info->parameter_count > TAC_RECORDING_MOST_PARAMETERS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: too many parameters (%d); at most %d are possible", path,
                         info->parameter_count, TAC_RECORDING_MOST_PARAMETERS);
  if (info->state_size < 0 || info->state_size > TAC_RECORDING_MOST_STATE)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: the state has too many values (%d); at most %d are possible",
                         path, info->state_size, TAC_RECORDING_MOST_STATE);
  if (!(seconds > 0.0 && seconds / info->period < 0x1p31))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "%s: the ring lasts %g s; it must be positive and hold fewer than 2^31 ticks", path, seconds);
  return TAC_OK;
}

static tacStatus allocate_stream(Stream *stream, tacArrays *arrays, tacError *error) {
  stream->stage = tac_arrays_add(arrays, stream->block_records, stream->record_size);
  return tac_ring_create(stream->capacity, stream->record_size, &stream->ring, error);
}

static tacStatus allocate(tacRecorder *recorder, const tacRecordingInfo *info, double seconds, tacError *error) {
  Stream *ticks = &recorder->ticks, *states = &recorder->states;
  recorder->tool_count = info->tool_count;
  recorder->state_size = info->state_size;
  recorder->state_ticks = (int64_t)fmin(0x1p31, fmax(1.0, round(state_period / info->period)));
  ticks->capacity = (size_t)ceil(seconds / info->period);
  ticks->record_size = tac_record_size(info->tool_count);
  ticks->record_bytes = tac_recording_record_bytes(info->tool_count);
  /* A block a second at most, which is then what a killed run loses. */
  double most = fmin(TAC_RECORDING_MOST_TICKS, 1.0 / info->period);
  ticks->block_records = most > 1.0 ? (size_t)most : 1;
  TAC_TRY(allocate_stream(ticks, &recorder->arrays, error));
  size_t size = ticks->block_records * ticks->record_bytes;
  if (info->state_size > 0) {
    states->capacity = ticks->capacity / (size_t)recorder->state_ticks + 1;
    states->record_size = tac_state_record_size(info->state_size);
    states->record_bytes = tac_recording_state_bytes(info->state_size);
    states->block_records = tac_recording_most_states(info->state_size);
    TAC_TRY(allocate_stream(states, &recorder->arrays, error));
    recorder->state = tac_arrays_add(&recorder->arrays, 1, states->record_size);
    if (size < states->block_records * states->record_bytes) size = states->block_records * states->record_bytes;
  }
  recorder->columns = tac_arrays_add(&recorder->arrays, size, 1);
  recorder->stored_room = ZSTD_compressBound(size);
  recorder->stored = tac_arrays_add(&recorder->arrays, TAC_RECORDING_HEAD_SIZE + recorder->stored_room, 1);
  TAC_TRY(tac_arrays_status(&recorder->arrays, "a recorder's blocks", error));
  recorder->compressor = ZSTD_createCCtx();
  if (recorder->compressor == NULL) return tac_error_memory(error, 0, "compression");
  ZSTD_CCtx_setParameter(recorder->compressor, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
  return TAC_OK;
}

/* Header, texts and parameters as they stand in the file. */
static tacStatus make_header(const char *path, const tacRecordingInfo *info, unsigned char **bytes, size_t *size,
                             tacError *error) {
  const char *texts[TAC_RECORDING_TEXTS] = {info->scene_path, info->scene, info->program,
                                            info->platform != NULL ? info->platform : tac_platform(), info->assets};
  tacRecordingHeader header = {.version = TAC_RECORDING_VERSION,
                               .tool_count = (uint32_t)info->tool_count,
                               .parameter_count = (uint32_t)info->parameter_count,
                               .state_size = (uint32_t)info->state_size,
                               .simulate_every = info->simulate_every > 0 ? (uint32_t)info->simulate_every : 1,
                               .period = info->period};
  size_t length[TAC_RECORDING_TEXTS], texts_size = 0;
  *size = TAC_RECORDING_HEADER_SIZE + 8 * (size_t)info->parameter_count;
  for (int i = 0; i < TAC_RECORDING_TEXTS; ++i) {
    length[i] = texts[i] != NULL ? strlen(texts[i]) : 0;
    texts_size += length[i];
    if (length[i] > TAC_RECORDING_MOST_TEXT || texts_size > TAC_RECORDING_MOST_TEXT)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: the texts are too long; at most %d bytes are possible", path,
                           TAC_RECORDING_MOST_TEXT);
    header.text_size[i] = (uint32_t)length[i];
  }
  *size += texts_size;
  *bytes = tac_array_create(*size, 1, "a recording's header", error);
  if (*bytes == NULL) return TAC_ERR_MEMORY;
  unsigned char *text = *bytes + TAC_RECORDING_HEADER_SIZE;
  for (int i = 0; i < TAC_RECORDING_TEXTS; ++i) {
    if (length[i] > 0) memcpy(text, texts[i], length[i]);
    text += length[i];
  }
  for (int i = 0; i < info->parameter_count; ++i, text += 8) {
    uint64_t bits;
    memcpy(&bits, &info->parameters[i], sizeof bits);
    tac_little_endian_put_u64(bits, text);
  }
  header.data_checksum = tac_checksum(*bytes + TAC_RECORDING_HEADER_SIZE, *size - TAC_RECORDING_HEADER_SIZE);
  tac_recording_header_pack(&header, *bytes);
  return TAC_OK;
}

/* Under its final name from the start, so that a run that is killed leaves what it wrote where it is looked for. */
static tacStatus create_file(tacRecorder *recorder, tacError *error) {
  recorder->descriptor = open(recorder->path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
  struct stat found;
  if (recorder->descriptor < 0 || fstat(recorder->descriptor, &found) != 0)
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write: %s", recorder->path, strerror(errno));
  if (!S_ISREG(found.st_mode))
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write a recording here, because this is not a regular file",
                         recorder->path);
  if (ftruncate(recorder->descriptor, 0) != 0)
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write: %s", recorder->path, strerror(errno));
  return TAC_OK;
}

tacStatus tac_recorder_open(const char *path, const tacRecordingInfo *info, double seconds, tacRecorder **result,
                            tacError *error) {
  *result = NULL;
  if (seconds == 0.0) seconds = 2.0;
  TAC_TRY(check(path, info, seconds, error));
  TAC_OWN(tacRecorder, recorder) = NULL;
  TAC_MEMORY(unsigned char, header) = NULL;
  size_t header_size = 0;
  TAC_TRY(TAC_ARRAY(recorder, 1, "a recorder", error));
  recorder->descriptor = -1;
  if ((recorder->path = tac_array_text(path, error)) == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(allocate(recorder, info, seconds, error));
  TAC_TRY(make_header(path, info, &header, &header_size, error));
  TAC_TRY(create_file(recorder, error));
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-recorder";
  tacStatus status = write_bytes(recorder, header, header_size, error);
  if (status == TAC_OK) status = tac_thread_create(&def, drain_until_closing, recorder, &recorder->thread, error);
  if (status == TAC_OK)
    *result = tac_give(&recorder);
  else
    unlink(path);
  return status;
}

tacStatus tac_recorder_open_world(const char *path, const tacWorld *world, const tacRecordingInfo *texts,
                                  tacRecorder **recorder, tacError *error) {
  TAC_REQUIRE(error, recorder);
  *recorder = NULL;
  TAC_REQUIRE(error, path, world, texts);
  if (!tac_world_is_sealed(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "recorder: the world is not sealed; call tac_world_seal first");
  tacRecordingInfo info = *texts;
  info.period = tac_world_period(world);
  info.simulate_every = tac_world_simulate_every(world);
  info.tool_count = tac_world_tool_count(world);
  info.parameter_count = tac_world_parameter_count(world);
  info.state_size = tac_world_state_size(world);
  TAC_MEMORY(double, values) = NULL;
  TAC_TRY(TAC_ARRAY(values, (size_t)info.parameter_count, "a recording's parameters", error));
  for (int i = 0; i < info.parameter_count; ++i) values[i] = tac_world_parameter(world, i).value;
  info.parameters = values;
  return tac_recorder_open(path, &info, 0.0, recorder, error);
}

/* Those that did not fit and those that could not be written. */
static int64_t count_lost(const Stream *stream) {
  return (int64_t)(atomic_load_explicit(&stream->lost, memory_order_relaxed) +
                   atomic_load_explicit(&stream->pushed, memory_order_relaxed) - stream->written);
}

tacStatus tac_recorder_close(tacRecorder *recorder, int64_t *lost, tacError *error) {
  if (lost != NULL) *lost = 0;
  if (recorder == NULL) return TAC_OK;
  atomic_store_explicit(&recorder->closing, true, memory_order_release);
  tac_thread_join(&recorder->thread);
  if (lost != NULL) *lost = count_lost(&recorder->ticks) + count_lost(&recorder->states);
  tacStatus status = recorder->status;
  if (status == TAC_OK) {
    unsigned char end[TAC_RECORDING_HEAD_SIZE];
    tac_recording_head_pack(
        &(tacRecordingHead){
            .kind = TAC_RECORDING_END, .first = recorder->ticks.written, .checksum = tac_checksum("", 0)},
        end);
    status = write_bytes(recorder, end, sizeof end, error);
  } else {
    tac_error_set(error, status, "%s", recorder->error.text);
  }
  if (status == TAC_OK && fdatasync(recorder->descriptor) != 0)
    status = tac_error_set(error, TAC_ERR_FILE, "%s: cannot write: %s", recorder->path, strerror(errno));
  destroy(recorder);
  return status;
}
