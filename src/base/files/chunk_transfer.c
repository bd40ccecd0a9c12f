#include "base/files/chunk_transfer.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"

tacChunkTransfer tac_chunk_transfer_write(const char *path, const char *kind, uint32_t version, tacError *error) {
  tacChunkTransfer to = {.path = path, .error = error};
  to.status = tac_chunk_writer_open(path, kind, version, &to.writer, error);
  return to;
}

tacChunkTransfer tac_chunk_transfer_read(const char *path, const char *kind, uint32_t version, tacError *error) {
  tacChunkTransfer from = {.path = path, .error = error};
  from.status = tac_chunk_file_open(path, &from.file, error);
  if (from.status == TAC_OK) from.status = tac_chunk_file_expect(from.file, kind, version, error);
  return from;
}

tacStatus tac_chunk_transfer_end(tacChunkTransfer *transfer) {
  if (transfer->writer != NULL && transfer->status == TAC_OK)
    transfer->status = tac_chunk_writer_commit(transfer->writer, transfer->error);
  else
    tac_chunk_writer_discard(transfer->writer);
  transfer->writer = NULL;
  if (transfer->file != NULL && transfer->status == TAC_ERR_ARGUMENT) transfer->status = TAC_ERR_FORMAT;
  tac_chunk_file_close(transfer->file);
  transfer->file = NULL;
  if (transfer->status != TAC_OK && transfer->error != NULL && strstr(transfer->error->text, transfer->path) == NULL) {
    tacError inner = *transfer->error;
    tac_error_set(transfer->error, transfer->status, "%s: %.300s", transfer->path, inner.text);
  }
  return transfer->status;
}

void tac_chunk_transfer_put(tacChunkTransfer *to, const char *name, tacChunkType type, uint64_t count,
                            const void *items) {
  if (to->status == TAC_OK) to->status = tac_chunk_writer_add(to->writer, name, type, count, items, to->error);
}

/* At most `most` items. */
static void *take_items(tacChunkTransfer *from, const char *name, tacChunkType type, uint64_t most, uint64_t *count) {
  void *items = NULL;
  *count = 0;
  if (from->status == TAC_OK)
    from->status = tac_chunk_file_read(from->file, name, type, most, count, &items, from->error);
  return items;
}

static void wrong_count(tacChunkTransfer *from, const char *name, uint64_t found) {
  from->status = tac_error_set(from->error, TAC_ERR_FORMAT, "%s: chunk \"%s\" has an invalid number of items (%llu)",
                               from->path, name, (unsigned long long)found);
}

void *tac_chunk_transfer_take(tacChunkTransfer *from, const char *name, tacChunkType type, int group, int *count) {
  uint64_t size = (uint64_t)group, found, most = size * (uint64_t)(*count < 0 ? INT_MAX / group : *count);
  void *items = take_items(from, name, type, most, &found);
  if (from->status == TAC_OK && (*count < 0 ? found % size != 0 : found != most)) wrong_count(from, name, found);
  *count = from->status == TAC_OK ? (int)(found / size) : 0;
  if (from->status == TAC_OK) return items;
  free(items);
  return NULL;
}

void tac_chunk_transfer_take_into(tacChunkTransfer *from, const char *name, tacChunkType type, size_t bytes,
                                  void *items) {
  int count = (int)(bytes / (type == TAC_CHUNK_F64 ? sizeof(double) : sizeof(int32_t)));
  TAC_MEMORY(void, taken) = tac_chunk_transfer_take(from, name, type, 1, &count);
  if (from->status == TAC_OK) memcpy(items, taken, bytes);
}

void tac_chunk_transfer_refuse(tacChunkTransfer *from, const char *why) {
  if (from->status == TAC_OK) from->status = tac_error_set(from->error, TAC_ERR_FORMAT, "%s: %s", from->path, why);
}

bool tac_chunk_transfer_has(const tacChunkTransfer *from, const char *name) {
  if (from->status != TAC_OK) return false;
  for (int i = 0; i < tac_chunk_file_count(from->file); ++i)
    if (strcmp(tac_chunk_file_info(from->file, i)->name, name) == 0) return true;
  return false;
}

static void part_name(const char *name, uint64_t first, char text[TAC_CHUNK_NAME_SIZE]) {
  snprintf(text, TAC_CHUNK_NAME_SIZE, "%.20s %u", name, (unsigned)(first / TAC_CHUNK_TRANSFER_PART));
}

static uint64_t part_size(uint64_t first, uint64_t count) {
  return count - first < TAC_CHUNK_TRANSFER_PART ? count - first : TAC_CHUNK_TRANSFER_PART;
}

void tac_chunk_transfer_put_long(tacChunkTransfer *to, const char *name, uint64_t count, const double *items) {
  for (uint64_t first = 0; first < count; first += TAC_CHUNK_TRANSFER_PART) {
    char text[TAC_CHUNK_NAME_SIZE];
    part_name(name, first, text);
    tac_chunk_transfer_put(to, text, TAC_CHUNK_F64, part_size(first, count), items + first);
  }
}

double *tac_chunk_transfer_take_long(tacChunkTransfer *from, const char *name, uint64_t count) {
  double *all = NULL;
  size_t capacity = 0;
  if (from->status == TAC_OK)
    from->status = tac_array_reserve((void **)&all, &capacity, 1, sizeof *all, name, from->error);
  for (uint64_t first = 0; from->status == TAC_OK && first < count; first += TAC_CHUNK_TRANSFER_PART) {
    uint64_t wanted = part_size(first, count), found;
    char text[TAC_CHUNK_NAME_SIZE];
    part_name(name, first, text);
    double *part = take_items(from, text, TAC_CHUNK_F64, wanted, &found);
    if (from->status == TAC_OK && found != wanted) wrong_count(from, text, found);
    if (from->status == TAC_OK)
      from->status =
          tac_array_reserve((void **)&all, &capacity, (size_t)(first + found), sizeof *all, name, from->error);
    for (uint64_t i = 0; from->status == TAC_OK && i < found; ++i)
      if (!isfinite(part[i]))
        from->status =
            tac_error_set(from->error, TAC_ERR_FORMAT, "%s: chunk \"%s\" has a NaN or infinite item", from->path, text);
    if (from->status == TAC_OK) memcpy(all + first, part, (size_t)found * sizeof *all);
    free(part);
  }
  if (from->status == TAC_OK) return all;
  free(all);
  return NULL;
}
