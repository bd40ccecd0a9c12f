/* Layout, all numbers little-endian, nothing aligned:
 *
 *   header  8 signature, 4 format version, 4 kind version, 32 kind, 8 checksum of the 48 bytes before
 *   chunk   32 name, 4 type, 4 zero, 8 count, 8 stored bytes, 8 checksum of the stored bytes, 8 checksum of the 64 bytes
 *           before; then the stored bytes: zstd frames of 2 MiB each, in order, the last one shorter (version 1
 *           has one frame for all)
 *   end     as the head of a chunk without name, type and stored bytes, its count the number of chunks
 *
 * The end tells a whole file from one that was cut between two chunks. A chunk "platform" of bytes, which every writer
 * adds last and which is not counted, tells where the file was made. A chunk "cache key" tells what it is kept by. */
#include "base/files/chunk_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>
#include "base/files/checksum.h"
#include "base/files/input_file.h"
#include "base/files/little_endian.h"
#include "base/files/new_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/platform.h"
#include "base/text.h"
#include "base/threads/parallel.h"

enum {
  FORMAT_VERSION = 2,
  SIGNATURE_SIZE = 8,
  HEADER_SIZE = 56,
  HEAD_SIZE = 72, /* of a chunk */
  COMPRESSION_LEVEL = 3,
  WINDOW_LOG = 21, /* what a frame may ask of its reader */
  FRAME_SIZE = 1 << WINDOW_LOG,
  MOST_PLATFORM = 4096 /* bytes */
};

/* A byte above 127 and a line end show a file that was sent as text. */
static const unsigned char signature[SIGNATURE_SIZE] = {0x89, 'T', 'A', 'C', 'T', 'U', 'S', '\n'};

static const char platform_chunk[] = "platform", key_chunk[] = "cache key";

/* A zstd block holds at most 128 KiB and takes at least 4 bytes, so no honest chunk expands by more than this. */
static const uint64_t most_expansion = (128 * 1024) / 4;

static uint64_t item_bytes_of(uint32_t type) {
  switch (type) {
    case TAC_CHUNK_U8: return 1;
    case TAC_CHUNK_I32:
    case TAC_CHUNK_F32: return 4;
    case TAC_CHUNK_I64:
    case TAC_CHUNK_F64: return 8;
    default: return 0;
  }
}

const char *tac_chunk_type_name(tacChunkType type) {
  switch (type) {
    case TAC_CHUNK_U8: return "u8";
    case TAC_CHUNK_I32: return "i32";
    case TAC_CHUNK_I64: return "i64";
    case TAC_CHUNK_F32: return "f32";
    case TAC_CHUNK_F64: return "f64";
  }
  return "unknown";
}

/* Whether a field of TAC_CHUNK_NAME_SIZE bytes holds a name: printable, not empty, zeros after it. */
static bool is_name(const char *field) {
  size_t length = strnlen(field, TAC_CHUNK_NAME_SIZE);
  if (length == 0 || length == TAC_CHUNK_NAME_SIZE) return false;
  for (size_t i = 0; i < TAC_CHUNK_NAME_SIZE; ++i)
    if (i < length ? field[i] < 32 || field[i] > 126 : field[i] != 0) return false;
  return true;
}

static tacStatus copy_name(const char *name, char field[TAC_CHUNK_NAME_SIZE], tacError *error) {
  memset(field, 0, TAC_CHUNK_NAME_SIZE);
  if (strlen(name) < TAC_CHUNK_NAME_SIZE) memcpy(field, name, strlen(name));
  if (is_name(field)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "\"%s\" is not a valid name of a chunk or kind; use 1 to %d "
                       "printable characters",
                       name, TAC_CHUNK_NAME_SIZE - 1);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "items are written as they are in memory");

static void pack_head(const tacChunkInfo *info, uint32_t type, uint64_t checksum, unsigned char head[HEAD_SIZE]) {
  memcpy(head, info->name, TAC_CHUNK_NAME_SIZE);
  tac_little_endian_put_u32(type, head + 32);
  tac_little_endian_put_u32(0, head + 36);
  tac_little_endian_put_u64(info->count, head + 40);
  tac_little_endian_put_u64(info->stored_bytes, head + 48);
  tac_little_endian_put_u64(checksum, head + 56);
  tac_little_endian_put_u64(tac_checksum(head, HEAD_SIZE - 8), head + 64);
}

/* Writing. */

struct tacChunkWriter {
  tacNewFile file;
  int count;
  char (*names)[TAC_CHUNK_NAME_SIZE];
  size_t names_capacity;
};

void tac_chunk_writer_discard(tacChunkWriter *writer) {
  if (writer == NULL) return;
  tac_new_file_discard(&writer->file);
  free(writer->names);
  free(writer);
}

TAC_OWNED_TYPE(tacChunkWriter, tac_chunk_writer_discard)

tacStatus tac_chunk_writer_open(const char *path, const char *kind, uint32_t version, tacChunkWriter **writer,
                                tacError *error) {
  *writer = NULL;
  unsigned char header[HEADER_SIZE];
  char kind_field[TAC_CHUNK_NAME_SIZE];
  TAC_OWN(tacChunkWriter, opened) = NULL;
  TAC_TRY(copy_name(kind, kind_field, error));
  TAC_TRY(TAC_ARRAY(opened, 1, path, error));
  TAC_TRY(tac_new_file_open(path, &opened->file, error));
  memcpy(header, signature, SIGNATURE_SIZE);
  tac_little_endian_put_u32(FORMAT_VERSION, header + 8);
  tac_little_endian_put_u32(version, header + 12);
  memcpy(header + 16, kind_field, TAC_CHUNK_NAME_SIZE);
  tac_little_endian_put_u64(tac_checksum(header, HEADER_SIZE - 8), header + 48);
  fwrite(header, 1, HEADER_SIZE, opened->file.stream);
  *writer = tac_give(&opened);
  return TAC_OK;
}

static bool is_added(const tacChunkWriter *writer, const char *name) {
  for (int i = 0; i < writer->count; ++i)
    if (strcmp(writer->names[i], name) == 0) return true;
  return false;
}

static tacStatus check_new_name(const tacChunkWriter *writer, const char *name, tacError *error) {
  if (writer->count == TAC_CHUNK_MOST_CHUNKS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: too many chunks; at most %d are allowed", writer->file.path,
                         TAC_CHUNK_MOST_CHUNKS);
  if (strcmp(name, platform_chunk) == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: chunk \"%s\" is reserved for the library", writer->file.path,
                         name);
  if (is_added(writer, name))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: chunk \"%s\" is added twice", writer->file.path, name);
  return TAC_OK;
}

typedef struct {
  const unsigned char *bytes;
  size_t size, frame_room;
  unsigned char *stored; /* [frame][frame_room] */
  size_t *stored_sizes;  /* [frame]; 0: there is no memory */
} Frames;

static void compress_frames(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Frames *frames = context;
  ZSTD_CCtx *compressor = ZSTD_createCCtx();
  if (compressor == NULL) return;
  ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
  ZSTD_CCtx_setParameter(compressor, ZSTD_c_windowLog, WINDOW_LOG);
  for (size_t f = begin; f < end; ++f) {
    size_t left = frames->size - f * FRAME_SIZE;
    size_t size =
        ZSTD_compress2(compressor, frames->stored + f * frames->frame_room, frames->frame_room,
                       frames->size > 0 ? frames->bytes + f * FRAME_SIZE : NULL, left < FRAME_SIZE ? left : FRAME_SIZE);
    frames->stored_sizes[f] = ZSTD_isError(size) ? 0 : size; /* the room always suffices */
  }
  ZSTD_freeCCtx(compressor);
}

/* Compresses `size` bytes into frames, one after the other; the caller frees `stored`, also after a failure. */
static tacStatus compress(const unsigned char *bytes, size_t size, const char *name, unsigned char **stored,
                          size_t *stored_size, tacError *error) {
  size_t count = size > FRAME_SIZE ? (size - 1) / FRAME_SIZE + 1 : 1;
  Frames frames = {.bytes = bytes, .size = size};
  frames.frame_room = ZSTD_compressBound(size < FRAME_SIZE ? size : FRAME_SIZE);
  TAC_MEMORY(size_t, sizes) = NULL;
  *stored = frames.stored = tac_array_create(count, frames.frame_room, name, error);
  if (*stored == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(TAC_ARRAY(sizes, count, name, error));
  frames.stored_sizes = sizes;
  tac_parallel_do(count, 1, compress_frames, &frames);
  *stored_size = 0;
  for (size_t f = 0; f < count; ++f) {
    if (sizes[f] == 0) return tac_error_memory(error, frames.frame_room, "compression");
    memmove(frames.stored + *stored_size, frames.stored + f * frames.frame_room, sizes[f]);
    *stored_size += sizes[f];
  }
  return TAC_OK;
}

/* The name is a good one. */
static tacStatus write_chunk(tacChunkWriter *writer, tacChunkInfo info, const void *items, tacError *error) {
  TAC_MEMORY(unsigned char, stored) = NULL;
  size_t size = (size_t)(info.count * info.item_bytes), stored_size;
  TAC_TRY(compress(items, size, info.name, &stored, &stored_size, error));
  info.stored_bytes = stored_size;
  unsigned char head[HEAD_SIZE];
  pack_head(&info, (uint32_t)info.type, tac_checksum(stored, stored_size), head);
  fwrite(head, 1, HEAD_SIZE, writer->file.stream);
  fwrite(stored, 1, stored_size, writer->file.stream);
  return TAC_OK;
}

tacStatus tac_chunk_writer_add(tacChunkWriter *writer, const char *name, tacChunkType type, uint64_t count,
                               const void *items, tacError *error) {
  tacChunkInfo info = {.type = type, .count = count, .item_bytes = item_bytes_of((uint32_t)type)};
  TAC_TRY(copy_name(name, info.name, error));
  TAC_TRY(check_new_name(writer, info.name, error));
  if (info.item_bytes == 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "chunk \"%s\": no such type", name);
  if (count > PTRDIFF_MAX / 2 / info.item_bytes) return tac_error_memory(error, SIZE_MAX, name);
  TAC_TRY(tac_array_reserve((void **)&writer->names, &writer->names_capacity, (size_t)writer->count + 1,
                            sizeof *writer->names, "names of chunks", error));
  TAC_TRY(write_chunk(writer, info, items, error));
  memcpy(writer->names[writer->count++], info.name, TAC_CHUNK_NAME_SIZE);
  return TAC_OK;
}

static _Thread_local const uint64_t *current_key;

const uint64_t *tac_chunk_writer_set_key(const uint64_t *key) {
  const uint64_t *before = current_key;
  current_key = key;
  return before;
}

static tacStatus add_key(tacChunkWriter *writer, tacError *error) {
  if (current_key == NULL || is_added(writer, key_chunk)) return TAC_OK;
  int64_t key = (int64_t)*current_key;
  return tac_chunk_writer_add(writer, key_chunk, TAC_CHUNK_I64, 1, &key, error);
}

tacStatus tac_chunk_writer_commit(tacChunkWriter *given, tacError *error) {
  TAC_OWN(tacChunkWriter, writer) = given;
  const char *line = tac_platform_of_bakes();
  tacChunkInfo platform = {.type = TAC_CHUNK_U8, .count = strlen(line), .item_bytes = 1};
  memcpy(platform.name, platform_chunk, sizeof platform_chunk);
  TAC_TRY(add_key(writer, error));
  TAC_TRY(write_chunk(writer, platform, line, error));
  unsigned char head[HEAD_SIZE];
  pack_head(&(tacChunkInfo){.count = (uint64_t)writer->count}, 0, 0, head);
  fwrite(head, 1, HEAD_SIZE, writer->file.stream);
  return tac_new_file_commit(&writer->file, error);
}

/* Reading. */

typedef struct {
  tacChunkInfo info;
  size_t offset; /* of the stored bytes */
  uint64_t checksum;
} Chunk;

struct tacChunkFile {
  char *path;
  int descriptor;
  size_t size;
  char kind[TAC_CHUNK_NAME_SIZE];
  uint32_t version;
  Chunk *chunks;
  size_t capacity;
  int count;
  char *platform; /* NULL: it does not say */
};

bool tac_chunk_file_recognise(const char *path) {
  int descriptor = -1;
  size_t size = 0, filled = 0;
  unsigned char bytes[SIGNATURE_SIZE];
  if (tac_input_file_open(path, &descriptor, &size, NULL) != TAC_OK) return false;
  tacStatus status = tac_input_file_read_at(descriptor, path, 0, SIGNATURE_SIZE, bytes, &filled, NULL);
  close(descriptor);
  return status == TAC_OK && filled == SIGNATURE_SIZE && memcmp(bytes, signature, SIGNATURE_SIZE) == 0;
}

void tac_chunk_file_close(tacChunkFile *file) {
  if (file == NULL) return;
  if (file->descriptor >= 0) close(file->descriptor);
  free(file->chunks);
  free(file->platform);
  free(file->path);
  free(file);
}

TAC_OWNED_TYPE(tacChunkFile, tac_chunk_file_close)

static tacStatus read_header(tacChunkFile *file, tacError *error) {
  unsigned char header[HEADER_SIZE];
  size_t filled = 0;
  TAC_TRY(tac_input_file_read_at(file->descriptor, file->path, 0, HEADER_SIZE, header, &filled, error));
  if (filled < SIGNATURE_SIZE || memcmp(header, signature, SIGNATURE_SIZE) != 0)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file is not a Tactus file (its first bytes differ)",
                         file->path);
  if (filled < HEADER_SIZE)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file ends inside its header", file->path);
  uint32_t format_version = tac_little_endian_u32(header + 8);
  if (format_version < 1 || format_version > FORMAT_VERSION)
    return tac_error_set(error, TAC_ERR_VERSION,
                         "%s: the file has container version %u; this Tactus reads versions "
                         "1 to %d",
                         file->path, (unsigned)format_version, FORMAT_VERSION);
  file->version = tac_little_endian_u32(header + 12);
  memcpy(file->kind, header + 16, TAC_CHUNK_NAME_SIZE);
  if (tac_little_endian_u64(header + 48) != tac_checksum(header, HEADER_SIZE - 8) || !is_name(file->kind))
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the header is damaged (wrong checksum)", file->path);
  return TAC_OK;
}

static const Chunk *find_chunk(const tacChunkFile *file, const char *name) {
  for (int i = 0; i < file->count; ++i)
    if (strcmp(file->chunks[i].info.name, name) == 0) return &file->chunks[i];
  return NULL;
}

/* Takes a chunk's head apart. Its checksum is right, so what is wrong here was written so. */
static tacStatus check_chunk(const tacChunkFile *file, const unsigned char *head, size_t offset, Chunk *chunk,
                             tacError *error) {
  tacChunkInfo info = {.type = (tacChunkType)tac_little_endian_u32(head + 32),
                       .item_bytes = item_bytes_of(tac_little_endian_u32(head + 32)),
                       .count = tac_little_endian_u64(head + 40),
                       .stored_bytes = tac_little_endian_u64(head + 48)};
  memcpy(info.name, head, TAC_CHUNK_NAME_SIZE);
  if (!is_name(info.name) || tac_little_endian_u32(head + 36) != 0)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the head of chunk %d is not valid", file->path, file->count + 1);
  if (find_chunk(file, info.name) != NULL)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file has two chunks \"%s\"", file->path, info.name);
  if (info.item_bytes == 0)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: chunk \"%s\" has the unknown type %u", file->path, info.name,
                         (unsigned)info.type);
  if (info.stored_bytes > file->size - offset)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file ends inside chunk \"%s\"", file->path, info.name);
  /* stored_bytes is below 2^63 / most_expansion for every file that a machine of today holds; the check is for others. */
  if (info.stored_bytes > UINT64_MAX / most_expansion ||
      info.count > info.stored_bytes * most_expansion / info.item_bytes || info.count > PTRDIFF_MAX / info.item_bytes)
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%s: chunk \"%s\" declares %llu items, more than its %llu bytes can "
                         "hold",
                         file->path, info.name, (unsigned long long)info.count, (unsigned long long)info.stored_bytes);
  *chunk = (Chunk){.info = info, .offset = offset, .checksum = tac_little_endian_u64(head + 56)};
  return TAC_OK;
}

static tacStatus damaged(const tacChunkFile *file, const Chunk *chunk, const char *how, tacError *error) {
  return tac_error_set(error, TAC_ERR_FORMAT, "%s: chunk \"%s\" is damaged (%s)", file->path, chunk->info.name, how);
}

TAC_OWNED_TYPE(ZSTD_DCtx, ZSTD_freeDCtx)

/* Expands into a buffer that grows with what really comes out, up to `size`, so that a false count costs little. */
static tacStatus expand(const tacChunkFile *file, const Chunk *chunk, const unsigned char *stored, size_t size,
                        unsigned char **bytes, tacError *error) {
  size_t stored_size = (size_t)chunk->info.stored_bytes, capacity = 0;
  size_t first = size / 4 < stored_size + 16384 ? size : (stored_size + 16384) * 4;
  TAC_MEMORY(unsigned char, expanded) = NULL;
  TAC_OWN(ZSTD_DCtx, expander) = ZSTD_createDCtx();
  if (expander == NULL) return tac_error_memory(error, 0, "expansion");
  ZSTD_DCtx_setParameter(expander, ZSTD_d_windowLogMax, WINDOW_LOG);
  TAC_TRY(tac_array_reserve((void **)&expanded, &capacity, first > 0 ? first : 1, 1, chunk->info.name, error));
  ZSTD_inBuffer in = {.src = stored, .size = stored_size};
  ZSTD_outBuffer out = {.pos = 0};
  size_t pending = 1; /* 0 at the end of a frame */
  while (pending != 0 || in.pos < stored_size) {
    out.dst = expanded;
    out.size = capacity < size ? capacity : size;
    size_t taken = in.pos, made = out.pos;
    pending = ZSTD_decompressStream(expander, &out, &in);
    if (ZSTD_isError(pending))
      return ZSTD_getErrorCode(pending) == ZSTD_error_memory_allocation
                 ? tac_error_memory(error, 0, "expansion")
                 : damaged(file, chunk, ZSTD_getErrorName(pending), error);
    if (pending != 0 && out.pos == out.size && out.size < size)
      TAC_TRY(tac_array_reserve((void **)&expanded, &capacity, capacity + 1, 1, chunk->info.name, error));
    else if (pending != 0 && in.pos == taken && out.pos == made)
      break; /* no progress: it wants more input or more room than the head names */
  }
  if (pending != 0 || in.pos != stored_size || out.pos != size)
    return damaged(file, chunk, "its length differs from the one in its head", error);
  *bytes = tac_give(&expanded);
  return TAC_OK;
}

static tacStatus read_chunk(const tacChunkFile *file, const Chunk *chunk, tacChunkType type, uint64_t most,
                            void **items, tacError *error) {
  const tacChunkInfo *info = &chunk->info;
  if (info->type != type)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: chunk \"%s\" contains %s, but %s is expected", file->path,
                         info->name, tac_chunk_type_name(info->type), tac_chunk_type_name(type));
  if (info->count > most)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: chunk \"%s\" has %llu items; at most %llu are allowed", file->path,
                         info->name, (unsigned long long)info->count, (unsigned long long)most);

  if (info->stored_bytes > tac_input_file_most() || info->count > tac_input_file_most() / info->item_bytes)
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%s: chunk \"%s\" has %s, %s expanded; it may have %s, which is half of this machine's memory",
                         file->path, info->name, tac_text_bytes((double)info->stored_bytes).text,
                         tac_text_bytes((double)info->count * (double)info->item_bytes).text,
                         tac_text_bytes((double)tac_input_file_most()).text);
  size_t stored_size = (size_t)info->stored_bytes, filled = 0;
  unsigned char *expanded = NULL;
  TAC_MEMORY(unsigned char, stored) = NULL;
  TAC_TRY(TAC_ARRAY(stored, stored_size, info->name, error));
  TAC_TRY(tac_input_file_read_at(file->descriptor, file->path, chunk->offset, stored_size, stored, &filled, error));
  if (filled < stored_size)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file ends inside chunk \"%s\"", file->path, info->name);
  if (tac_checksum(stored, stored_size) != chunk->checksum) return damaged(file, chunk, "checksum", error);
  TAC_TRY(expand(file, chunk, stored, (size_t)(info->count * info->item_bytes), &expanded, error));
  *items = expanded;
  return TAC_OK;
}

/* Kept as far as it is printable. */
static tacStatus read_platform(tacChunkFile *file, const Chunk *chunk, tacError *error) {
  TAC_MEMORY(void, items) = NULL;
  if (file->platform != NULL)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file has two chunks \"%s\"", file->path, platform_chunk);
  TAC_TRY(read_chunk(file, chunk, TAC_CHUNK_U8, MOST_PLATFORM, &items, error));
  const unsigned char *bytes = items;
  size_t length = 0;
  while (length < chunk->info.count && bytes[length] >= 32 && bytes[length] < 127) ++length;
  TAC_TRY(TAC_ARRAY(file->platform, length + 1, "a line of text", error));
  memcpy(file->platform, bytes, length);
  return TAC_OK;
}

static bool is_end(const tacChunkFile *file, const unsigned char *head) {
  unsigned char end[HEAD_SIZE];
  pack_head(&(tacChunkInfo){.count = (uint64_t)file->count}, 0, 0, end);
  return memcmp(head, end, HEAD_SIZE) == 0;
}

static tacStatus add_chunk(tacChunkFile *file, const Chunk *chunk, tacError *error) {
  if (file->count == TAC_CHUNK_MOST_CHUNKS)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file has more than %d chunks", file->path,
                         TAC_CHUNK_MOST_CHUNKS);
  TAC_TRY(tac_array_reserve((void **)&file->chunks, &file->capacity, (size_t)file->count + 1, sizeof *file->chunks,
                            "a table of chunks", error));
  file->chunks[file->count++] = *chunk;
  return TAC_OK;
}

static tacStatus read_table(tacChunkFile *file, tacError *error) {
  size_t offset = HEADER_SIZE;
  for (;;) {
    unsigned char head[HEAD_SIZE];
    size_t filled = 0;
    TAC_TRY(tac_input_file_read_at(file->descriptor, file->path, offset, HEAD_SIZE, head, &filled, error));
    if (filled < HEAD_SIZE)
      return file->count == 0
                 ? tac_error_set(error, TAC_ERR_FORMAT, "%s: the file ends before its first chunk", file->path)
                 : tac_error_set(error, TAC_ERR_FORMAT,
                                 "%s: the file should end after chunk \"%s\", "
                                 "but more data follows",
                                 file->path, file->chunks[file->count - 1].info.name);
    if (tac_little_endian_u64(head + 64) != tac_checksum(head, HEAD_SIZE - 8))
      return tac_error_set(error, TAC_ERR_FORMAT, "%s: the head of chunk %d is damaged (wrong checksum)", file->path,
                           file->count + 1);
    offset += HEAD_SIZE;
    if (is_end(file, head)) break;
    Chunk chunk;
    TAC_TRY(check_chunk(file, head, offset, &chunk, error));
    offset += (size_t)chunk.info.stored_bytes;
    TAC_TRY(strcmp(chunk.info.name, platform_chunk) == 0 ? read_platform(file, &chunk, error)
                                                         : add_chunk(file, &chunk, error));
  }
  if (offset != file->size)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file has %zu bytes after its end", file->path,
                         file->size - offset);
  return TAC_OK;
}

tacStatus tac_chunk_file_open(const char *path, tacChunkFile **file, tacError *error) {
  *file = NULL;
  TAC_OWN(tacChunkFile, opened) = NULL;
  TAC_TRY(TAC_ARRAY(opened, 1, path, error));
  opened->descriptor = -1;
  opened->path = tac_array_text(path, error);
  if (opened->path == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_input_file_open(path, &opened->descriptor, &opened->size, error));
  TAC_TRY(read_header(opened, error));
  TAC_TRY(read_table(opened, error));
  *file = tac_give(&opened);
  return TAC_OK;
}

const char *tac_chunk_file_kind(const tacChunkFile *file) {
  return file->kind;
}

uint32_t tac_chunk_file_version(const tacChunkFile *file) {
  return file->version;
}

tacStatus tac_chunk_file_expect(const tacChunkFile *file, const char *kind, uint32_t version, tacError *error) {
  if (strcmp(file->kind, kind) != 0)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file contains a %s, not a %s", file->path, file->kind, kind);
  if (file->version != version)
    return tac_error_set(error, TAC_ERR_VERSION,
                         "%s: the file is a %s of version %u, but this Tactus reads version %u; create the file again",
                         file->path, kind, (unsigned)file->version, (unsigned)version);
  return TAC_OK;
}

uint64_t tac_chunk_file_checksum(const tacChunkFile *file) {
  uint64_t sum = file->version;
  for (int i = 0; i < file->count; ++i) {
    const Chunk *chunk = &file->chunks[i];
    if (strcmp(chunk->info.name, "bake") == 0 || strcmp(chunk->info.name, key_chunk) == 0) continue;
    /* The checksum is of data whose length is in it; names are of one size. */
    unsigned char bytes[16 + TAC_CHUNK_NAME_SIZE];
    tac_little_endian_put_u64(sum, bytes);
    tac_little_endian_put_u64(chunk->checksum, bytes + 8);
    memcpy(bytes + 16, chunk->info.name, TAC_CHUNK_NAME_SIZE);
    sum = tac_checksum(bytes, sizeof bytes);
  }
  return sum;
}

const char *tac_chunk_file_platform(const tacChunkFile *file) {
  return file->platform != NULL ? file->platform : "";
}

int tac_chunk_file_count(const tacChunkFile *file) {
  return file->count;
}

const tacChunkInfo *tac_chunk_file_info(const tacChunkFile *file, int index) {
  return &file->chunks[index].info;
}

tacStatus tac_chunk_file_read(tacChunkFile *file, const char *name, tacChunkType type, uint64_t most, uint64_t *count,
                              void **items, tacError *error) {
  *count = 0;
  *items = NULL;
  const Chunk *chunk = find_chunk(file, name);
  if (chunk == NULL) return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file has no chunk \"%s\"", file->path, name);
  TAC_TRY(read_chunk(file, chunk, type, most, items, error));
  *count = chunk->info.count;
  return TAC_OK;
}

tacStatus tac_chunk_file_key(tacChunkFile *file, bool *has, uint64_t *key, tacError *error) {
  uint64_t count = 0;
  TAC_MEMORY(void, items) = NULL;
  *has = false;
  if (find_chunk(file, key_chunk) == NULL) return TAC_OK;
  TAC_TRY(tac_chunk_file_read(file, key_chunk, TAC_CHUNK_I64, 1, &count, &items, error));
  *has = count == 1;
  if (*has) memcpy(key, items, sizeof *key);
  return TAC_OK;
}
