/* The container of our own files (assets, recordings): named typed arrays, compressed, each with a checksum.
 *
 * A file has a kind ("distance field") and a version of that kind. Arrays are little-endian. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

typedef enum tacChunkType {
  TAC_CHUNK_U8 = 1,
  TAC_CHUNK_I32 = 2,
  TAC_CHUNK_I64 = 3,
  TAC_CHUNK_F32 = 4,
  TAC_CHUNK_F64 = 5
} tacChunkType;

const char *tac_chunk_type_name(tacChunkType type); /* "u8", "i32", ... */

#define TAC_CHUNK_NAME_SIZE 32     /* with the final 0; printable ASCII; of kinds as well */
#define TAC_CHUNK_MOST_CHUNKS 4096 /* in a file */

typedef struct tacChunkInfo {
  char name[TAC_CHUNK_NAME_SIZE];
  tacChunkType type;
  uint64_t count;                    /* items */
  uint64_t stored_bytes, item_bytes; /* compressed bytes of the chunk, bytes of one item */
} tacChunkInfo;

typedef struct tacChunkWriter tacChunkWriter;
tacStatus tac_chunk_writer_open(const char *path, const char *kind, uint32_t version, tacChunkWriter **writer,
                                tacError *error);
tacStatus tac_chunk_writer_add(tacChunkWriter *writer, const char *name, tacChunkType type, uint64_t count,
                               const void *items, tacError *error);
/* Adds where it was made (tac_platform_of_bakes) and replaces `path` by what was added. Frees the writer, also on
 * failure. */
tacStatus tac_chunk_writer_commit(tacChunkWriter *writer, tacError *error);
void tac_chunk_writer_discard(tacChunkWriter *writer); /* NULL is allowed */

/* What this thread's files are kept by from now on: each that is committed gets this key, unless it has one (NULL: none).
 * Returns what it was before. For a cache, around a bake, so that no kind of file has to know of keys; *key must last as
 * long. */
const uint64_t *tac_chunk_writer_set_key(const uint64_t *key);

typedef struct tacChunkFile tacChunkFile;
/* Whether the first bytes of the file are our signature. */
bool tac_chunk_file_recognise(const char *path);
/* Reads the table of chunks; data is read and checked by tac_chunk_file_read. */
tacStatus tac_chunk_file_open(const char *path, tacChunkFile **file, tacError *error);
void tac_chunk_file_close(tacChunkFile *file); /* NULL is allowed */
const char *tac_chunk_file_kind(const tacChunkFile *file);
uint32_t tac_chunk_file_version(const tacChunkFile *file);
/* An error that names both where kind or version is another. */
tacStatus tac_chunk_file_expect(const tacChunkFile *file, const char *kind, uint32_t version, tacError *error);
/* Of what it holds, from the checksums of its chunks. Not of "bake", which tells how it was made (how long it took),
 * nor of its key and of the platform: a bake that is repeated has the same. */
uint64_t tac_chunk_file_checksum(const tacChunkFile *file);
/* Where it was made (tac_platform_of_bakes); "" where it does not say so. Printable. */
const char *tac_chunk_file_platform(const tacChunkFile *file);
/* The key that it is kept by (tac_chunk_writer_set_key); `has` is false where it does not say. */
tacStatus tac_chunk_file_key(tacChunkFile *file, bool *has, uint64_t *key, tacError *error);
int tac_chunk_file_count(const tacChunkFile *file);
const tacChunkInfo *tac_chunk_file_info(const tacChunkFile *file, int index);
/* The items of a chunk, malloc'ed; the type must be `type` and the count at most `most` (UINT64_MAX: any). */
tacStatus tac_chunk_file_read(tacChunkFile *file, const char *name, tacChunkType type, uint64_t most, uint64_t *count,
                              void **items, tacError *error);
