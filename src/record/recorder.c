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
#include "base/array.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "base/little_endian.h"
#include "base/ring.h"
#include "base/thread.h"
#include "record/record_column.h"
#include "record/recording_file.h"

enum { COMPRESSION_LEVEL = 3, DRAIN_PERIOD_NS = 20000000 };

/* Records go through a ring from the thread that pushes to the one that drains. */
struct tacRecorder {
  tacRing *ring;
  size_t capacity; /* of the ring */
  _Atomic uint64_t pushed, lost;
  atomic_bool closing, failed; /* failed: nothing is drained any more */
  size_t record_size;          /* in memory */

  /* Of the draining thread. */
  tacThread thread;
  char *path;
  int descriptor, tool_count;
  size_t block_ticks, staged; /* ticks of a full block; those in `stage` now */
  uint64_t written;           /* ticks in the file */
  unsigned char *stage, *columns, *stored;
  size_t record_bytes, stored_room; /* of a record before compression; behind the head in `stored` */
  ZSTD_CCtx *compressor;
  tacStatus status; /* of the first write that failed; no other follows */
  tacError error;
};

bool tac_recorder_full(const tacRecorder *recorder) {
  return tac_ring_full(recorder->ring) && !atomic_load_explicit(&recorder->failed, memory_order_relaxed);
}

static void count_one(_Atomic uint64_t *counter) { /* only one thread counts */
  atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1, memory_order_relaxed);
}

bool tac_recorder_push(tacRecorder *recorder, const tacTickRecord *record) {
  bool fits = tac_ring_put(recorder->ring, record);
  count_one(fits ? &recorder->pushed : &recorder->lost);
  return fits;
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

static tacStatus write_block(tacRecorder *recorder, tacError *error) {
  size_t count = recorder->staged, size = count * recorder->record_bytes;
  tac_recording_block_pack(recorder->tool_count, count, recorder->stage, recorder->columns);
  unsigned char *stored = recorder->stored + TAC_RECORDING_HEAD_SIZE;
  size_t stored_size = ZSTD_compress2(recorder->compressor, stored, recorder->stored_room, recorder->columns, size);
  if (ZSTD_isError(stored_size)) return tac_error_memory(error, recorder->stored_room, "compression");
  tac_recording_head_pack(&(tacRecordingHead){.kind = TAC_RECORDING_TICKS,
                                              .count = (uint32_t)count,
                                              .first = recorder->written,
                                              .stored = stored_size,
                                              .checksum = tac_checksum(stored, stored_size)},
                          recorder->stored);
  /* Head and data in one call: a run that is killed seldom leaves half a block. */
  tacStatus status = write_bytes(recorder, recorder->stored, TAC_RECORDING_HEAD_SIZE + stored_size, error);
  if (status != TAC_OK) return status;
  recorder->written += count;
  recorder->staged = 0;
  return TAC_OK;
}

/* Takes what is in the ring; slots are free again before any block is compressed and written. Returns how many there were. */
static size_t drain(tacRecorder *recorder) {
  size_t found = 0;
  bool more = true;
  while (more && recorder->status == TAC_OK) {
    while (recorder->staged < recorder->block_ticks &&
           (more = tac_ring_take(recorder->ring, recorder->stage + recorder->staged * recorder->record_size))) {
      ++recorder->staged;
      ++found;
    }
    if (recorder->staged == recorder->block_ticks) recorder->status = write_block(recorder, &recorder->error);
  }
  return found;
}

static void drain_until_closing(void *context) {
  tacRecorder *recorder = context;
  for (;;) {
    /* Asked first: what was pushed before the wish to close is then seen. */
    bool closing = atomic_load_explicit(&recorder->closing, memory_order_acquire);
    size_t found = drain(recorder);
    if (recorder->status != TAC_OK) atomic_store_explicit(&recorder->failed, true, memory_order_relaxed);
    if (closing || recorder->status != TAC_OK) break;
    if (found < recorder->capacity / 4) tac_clock_sleep_until(tac_clock_now() + DRAIN_PERIOD_NS);
  }
  if (recorder->status == TAC_OK && recorder->staged > 0) recorder->status = write_block(recorder, &recorder->error);
}

/* ---- opening and closing ---- */

static void destroy(tacRecorder *recorder) {
  if (recorder->descriptor >= 0) close(recorder->descriptor);
  ZSTD_freeCCtx(recorder->compressor);
  tac_ring_destroy(recorder->ring);
  free(recorder->stage);
  free(recorder->columns);
  free(recorder->stored);
  free(recorder->path);
  free(recorder);
}

static tacStatus check(const char *path, const tacRecordingInfo *info, double seconds, tacError *error) {
  if (!(info->period > 0.0) || !isfinite(info->period))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: a period of %g s; it must be positive", path, info->period);
  if (info->tool_count < 0 || info->tool_count > TAC_MOST_TOOLS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: %d tools; at most %d are possible", path, info->tool_count,
                         TAC_MOST_TOOLS);
  if (info->parameter_count < 0 || info->parameter_count > TAC_RECORDING_MOST_PARAMETERS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: %d parameters; at most %d are possible", path,
                         info->parameter_count, TAC_RECORDING_MOST_PARAMETERS);
  if (!(seconds > 0.0 && seconds / info->period < 0x1p31))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "%s: a ring of %g s; it must be positive and hold less than 2^31 ticks", path, seconds);
  return TAC_OK;
}

static tacStatus allocate(tacRecorder *recorder, const tacRecordingInfo *info, double seconds, tacError *error) {
  recorder->capacity = (size_t)ceil(seconds / info->period);
  recorder->tool_count = info->tool_count;
  recorder->record_size = tac_record_size(info->tool_count);
  recorder->record_bytes = tac_recording_record_bytes(info->tool_count);
  /* A block a second at most, which is then what a killed run loses. */
  double ticks = fmin(TAC_RECORDING_MOST_TICKS, 1.0 / info->period);
  recorder->block_ticks = ticks > 1.0 ? (size_t)ticks : 1;
  recorder->stored_room = ZSTD_compressBound(recorder->block_ticks * recorder->record_bytes);
  tacStatus status = tac_ring_create(recorder->capacity, recorder->record_size, &recorder->ring, error);
  if (status != TAC_OK) return status;
  recorder->stage = tac_array_create(recorder->block_ticks, recorder->record_size, "a recorder's block", error);
  if (recorder->stage == NULL) return TAC_ERR_MEMORY;
  recorder->columns = tac_array_create(recorder->block_ticks, recorder->record_bytes, "a recorder's block", error);
  if (recorder->columns == NULL) return TAC_ERR_MEMORY;
  recorder->stored =
      tac_array_create(TAC_RECORDING_HEAD_SIZE + recorder->stored_room, 1, "a recorder's compressed block", error);
  if (recorder->stored == NULL) return TAC_ERR_MEMORY;
  recorder->compressor = ZSTD_createCCtx();
  if (recorder->compressor == NULL) return tac_error_memory(error, 0, "compression");
  ZSTD_CCtx_setParameter(recorder->compressor, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
  return TAC_OK;
}

/* Header, texts and parameters as they stand in the file. */
static tacStatus make_header(const char *path, const tacRecordingInfo *info, unsigned char **bytes, size_t *size,
                             tacError *error) {
  const char *texts[3] = {info->scene_path, info->scene, info->program};
  tacRecordingHeader header = {.version = TAC_RECORDING_VERSION,
                               .tool_count = (uint32_t)info->tool_count,
                               .parameter_count = (uint32_t)info->parameter_count,
                               .period = info->period};
  size_t length[3];
  *size = TAC_RECORDING_HEADER_SIZE + 8 * (size_t)info->parameter_count;
  for (int i = 0; i < 3; ++i) {
    length[i] = texts[i] != NULL ? strlen(texts[i]) : 0;
    if (length[i] > UINT32_MAX)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: a scene's text of 4 GiB or more", path);
    header.text_size[i] = (uint32_t)length[i];
    *size += length[i];
  }
  *bytes = tac_array_create(*size, 1, "a recording's header", error);
  if (*bytes == NULL) return TAC_ERR_MEMORY;
  unsigned char *text = *bytes + TAC_RECORDING_HEADER_SIZE;
  for (int i = 0; i < 3; ++i) {
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
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write a recording to what is not a file", recorder->path);
  if (ftruncate(recorder->descriptor, 0) != 0)
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write: %s", recorder->path, strerror(errno));
  return TAC_OK;
}

tacStatus tac_recorder_open(const char *path, const tacRecordingInfo *info, double seconds, tacRecorder **result,
                            tacError *error) {
  *result = NULL;
  if (seconds == 0.0) seconds = 2.0;
  tacStatus status = check(path, info, seconds, error);
  if (status != TAC_OK) return status;
  tacRecorder *recorder = tac_array_create(1, sizeof *recorder, "a recorder", error);
  if (recorder == NULL) return TAC_ERR_MEMORY;
  unsigned char *header = NULL;
  size_t header_size = 0;
  bool created = false;
  recorder->descriptor = -1;
  recorder->path = tac_array_text(path, error);
  status = recorder->path == NULL ? TAC_ERR_MEMORY : allocate(recorder, info, seconds, error);
  if (status == TAC_OK) status = make_header(path, info, &header, &header_size, error);
  if (status == TAC_OK) {
    status = create_file(recorder, error);
    created = status == TAC_OK;
  }
  if (status == TAC_OK) status = write_bytes(recorder, header, header_size, error);
  free(header);
  if (status == TAC_OK) {
    tacThreadDef def = tac_thread_def_default();
    def.name = "tac-recorder";
    status = tac_thread_create(&def, drain_until_closing, recorder, &recorder->thread, error);
  }
  if (status != TAC_OK) {
    if (created) unlink(path);
    destroy(recorder);
    return status;
  }
  *result = recorder;
  return TAC_OK;
}

tacStatus tac_recorder_open_world(const char *path, const tacWorld *world, const tacRecordingInfo *texts,
                                  tacRecorder **recorder, tacError *error) {
  *recorder = NULL;
  tacRecordingInfo info = *texts;
  info.period = tac_world_period(world);
  info.tool_count = tac_world_tool_count(world);
  info.parameter_count = tac_world_parameter_count(world);
  double *values = tac_array_create((size_t)info.parameter_count, sizeof *values, "a recording's parameters", error);
  if (values == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < info.parameter_count; ++i) values[i] = tac_world_parameter(world, i).value;
  info.parameters = values;
  tacStatus status = tac_recorder_open(path, &info, 0.0, recorder, error);
  free(values);
  return status;
}

tacStatus tac_recorder_close(tacRecorder *recorder, int64_t *lost, tacError *error) {
  atomic_store_explicit(&recorder->closing, true, memory_order_release);
  tac_thread_join(&recorder->thread);
  uint64_t pushed = atomic_load_explicit(&recorder->pushed, memory_order_relaxed);
  /* Those that did not fit and those that could not be written. */
  if (lost != NULL)
    *lost = (int64_t)(atomic_load_explicit(&recorder->lost, memory_order_relaxed) + pushed - recorder->written);
  tacStatus status = recorder->status;
  if (status == TAC_OK) {
    unsigned char end[TAC_RECORDING_HEAD_SIZE];
    tac_recording_head_pack(
        &(tacRecordingHead){.kind = TAC_RECORDING_END, .first = recorder->written, .checksum = tac_checksum("", 0)},
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
