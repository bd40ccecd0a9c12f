/* Chunk files that are cut short, of another kind, or wrong in one chunk: readers refuse them and name the file. */
#pragma once

#include <sys/stat.h>
#include "base/error.h"
#include "base/files/chunk_file.h"
#include "base/files/chunk_transfer.h"
#include "test.h"

/* Reads an asset and destroys it. */
typedef tacStatus TryRead(const char *path, tacError *why);

/* TRY_READ(tacGreen, tac_green_read) defines try_read. */
#define TRY_READ(type, read)                                   \
  static tacStatus try_read(const char *path, tacError *why) { \
    TAC_OWN(type, asset) = NULL;                               \
    tacStatus status = read(path, &asset, why);                \
    ck_assert((asset != NULL) == (status == TAC_OK));          \
    return status;                                             \
  }

static inline void check_unread(TryRead *try_read, const char *path, const char *how) {
  tacError why = {0};
  tacStatus status = try_read(path, &why);
  ck_assert_msg(status == TAC_ERR_FORMAT, "%s: %s", how, tac_status_name(status));
  ck_assert_msg(strstr(why.text, path) != NULL, "%s: %s", how, why.text);
}

/* The file is cut at every size, or with `steps` > 0 each time by 1 / steps of what is left; then there is none. */
static inline void check_cut(TryRead *try_read, const char *path, int steps) {
  struct stat about;
  ck_assert_int_eq(stat(path, &about), 0);
  for (long size = (long)about.st_size - 1; size >= 0; size -= 1 + (steps > 0 ? size / steps : 0)) {
    ck_assert_int_eq(truncate(path, size), 0);
    check_unread(try_read, path, "cut");
  }
  tacError why;
  ck_assert_int_eq(remove(path), 0);
  ck_assert_int_eq(try_read(path, &why), TAC_ERR_FILE);
}

/* An empty file of a later version, and one of another kind. */
static inline void check_other(TryRead *try_read, const char *kind, const char *other) {
  const char *path = tac_test_path("other");
  tacError why;
  tacChunkTransfer to = tac_chunk_transfer_write(path, kind, 99, &why);
  tac_test_ok(tac_chunk_transfer_end(&to), why);
  ck_assert_int_eq(try_read(path, &why), TAC_ERR_VERSION);
  ck_assert_ptr_nonnull(strstr(why.text, "99"));
  to = tac_chunk_transfer_write(path, other, 1, &why);
  tac_test_ok(tac_chunk_transfer_end(&to), why);
  ck_assert_int_eq(try_read(path, &why), TAC_ERR_FORMAT);
}

/* What is wrong with a file. */
typedef enum Change { LEFT_OUT, SHORTER, OTHER_BYTES, CHANGES, OTHER_NUMBER } Change;

/* A copy in which the chunk `name` is left out, is shorter by an item, has other bytes, or has another number in a place. */
static inline const char *spoil(const char *good, const char *name, Change change, int place, int number) {
  const char *path = tac_test_path("spoilt");
  TAC_OWN(tacChunkFile, file) = NULL;
  tacError why;
  tac_test_ok(tac_chunk_file_open(good, &file, &why), why);
  tacChunkTransfer to = tac_chunk_transfer_write(path, tac_chunk_file_kind(file), tac_chunk_file_version(file), &why);
  for (int i = 0; i < tac_chunk_file_count(file); ++i) {
    const tacChunkInfo *info = tac_chunk_file_info(file, i);
    uint64_t count;
    TAC_MEMORY(void, items) = NULL;
    tac_test_ok(tac_chunk_file_read(file, info->name, info->type, UINT64_MAX, &count, &items, &why), why);
    bool this = strcmp(info->name, name) == 0;
    if (this && change == SHORTER) --count;
    if (this && change == OTHER_BYTES) memset(items, 0xff, (size_t)(count * info->item_bytes)); /* -1, NaN */
    if (this && change == OTHER_NUMBER) ((int32_t *)items)[place] = number;
    if (!this || change != LEFT_OUT) tac_chunk_transfer_put(&to, info->name, info->type, count, items);
  }
  tac_test_ok(tac_chunk_transfer_end(&to), why);
  return path;
}

/* Every chunk of a good file in turn, in every way; `any` may have any bytes. From the chunk `named` on, the error names what is left out
 * or shorter. Both may be NULL. Returns how many chunks there are. */
static inline int check_chunks(TryRead *try_read, const char *good, const char *any, const char *named) {
  TAC_OWN(tacChunkFile, file) = NULL;
  tacError why;
  bool own = false;
  tac_test_ok(tac_chunk_file_open(good, &file, &why), why);
  for (int chunk = 0; chunk < tac_chunk_file_count(file); ++chunk) {
    const char *name = tac_chunk_file_info(file, chunk)->name;
    own = own || (named != NULL && strcmp(name, named) == 0);
    for (int change = 0; change < CHANGES; ++change) {
      char how[100];
      const char *path = spoil(good, name, (Change)change, 0, 0);
      snprintf(how, sizeof how, "%s, change %d", name, change);
      if (change == OTHER_BYTES && any != NULL && strcmp(name, any) == 0) {
        tac_test_ok(try_read(path, &why), why);
        continue;
      }
      check_unread(try_read, path, how);
      try_read(path, &why);
      if (own && change != OTHER_BYTES) ck_assert_msg(strstr(why.text, name) != NULL, "%s: %s", how, why.text);
    }
  }
  return tac_chunk_file_count(file);
}
