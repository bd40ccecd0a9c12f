/* A file by itself in a new folder. */
#pragma once

#include "test.h"

static char folder[256], path[512];

static inline void set_up_path(const char *name) {
  tac_test_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/%s", folder, name);
}

/* Fails where another file is left in the folder. */
static inline void clean_up(void) {
  remove(path);
  ck_assert_int_eq(rmdir(folder), 0);
}

static inline void write_bytes(const void *bytes, size_t size) {
  remove(path); /* replacing a file in place makes some file systems wait for the disk */
  FILE *stream = fopen(path, "wb");
  ck_assert_ptr_nonnull(stream);
  ck_assert_uint_eq(fwrite(bytes, 1, size, stream), size);
  ck_assert_int_eq(fclose(stream), 0);
}
