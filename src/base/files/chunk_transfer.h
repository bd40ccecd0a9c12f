/* Many chunks of a file in a row, written or read: the first failure stays and stops what follows, so that callers look at
 * `status` once. */
#pragma once

#include "base/files/chunk_file.h"

typedef struct tacChunkTransfer {
  const char *path;
  tacChunkWriter *writer; /* one of the two */
  tacChunkFile *file;
  tacStatus status; /* callers may set it together with `error` */
  tacError *error;  /* may be NULL */
} tacChunkTransfer;

tacChunkTransfer tac_chunk_transfer_write(const char *path, const char *kind, uint32_t version, tacError *error);
tacChunkTransfer tac_chunk_transfer_read(const char *path, const char *kind, uint32_t version, tacError *error);
/* Replaces the file by what was put, or closes what was read. Returns the first failure, with the path in its text; what was refused as
 * an argument came from the file, and becomes TAC_ERR_FORMAT. */
tacStatus tac_chunk_transfer_end(tacChunkTransfer *transfer);

void tac_chunk_transfer_put(tacChunkTransfer *to, const char *name, tacChunkType type, uint64_t count,
                            const void *items);
/* The items of a chunk, malloc'ed: `*count` groups of `group` items, as many as there are where it is negative before.
 * NULL and no groups after a failure. */
void *tac_chunk_transfer_take(tacChunkTransfer *from, const char *name, tacChunkType type, int group, int *count);

/* Exactly as many items as fill `bytes` at `items`, which keeps what it has after a failure. */
void tac_chunk_transfer_take_into(tacChunkTransfer *from, const char *name, tacChunkType type, size_t bytes,
                                  void *items);
/* TAC_ERR_FORMAT, unless something has failed before. */
void tac_chunk_transfer_refuse(tacChunkTransfer *from, const char *why);

/* Whether a file that is read has a chunk of this name; false after a failure. */
bool tac_chunk_transfer_has(const tacChunkTransfer *from, const char *name);

/* Doubles of any number, in several chunks: "xi 0", "xi 1", ... No more than one is in memory beside the array. */
#define TAC_CHUNK_TRANSFER_PART ((uint64_t)8 << 20) /* items in one, 64 MiB */
void tac_chunk_transfer_put_long(tacChunkTransfer *to, const char *name, uint64_t count, const double *items);
/* Exactly `count`, all finite. Memory grows with what really comes out of the file, so that a false count costs little. */
double *tac_chunk_transfer_take_long(tacChunkTransfer *from, const char *name, uint64_t count);
