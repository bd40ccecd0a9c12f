/* A whole file in memory, for readers that trust nothing in it. */
#pragma once

#include <stddef.h>
#include <string.h>
#include "base/error.h"

typedef struct tacInputFile {
  unsigned char *bytes; /* size bytes and one 0 after them */
  size_t size;
} tacInputFile;

/* What a file is for, which says how large it may be. */
typedef enum tacInputKind {
  TAC_INPUT_SCENE,   /* 1 MiB */
  TAC_INPUT_MESH,    /* 16 GiB; point clouds too */
  TAC_INPUT_PATH,    /* 1 GiB: trajectories of devices, loads over time */
  TAC_INPUT_PROBLEM, /* 4 GiB: contact problems */
  TAC_INPUT_PLUGIN,  /* 1 GiB: shared objects */
  TAC_INPUT_ANY      /* what memory allows */
} tacInputKind;

/* Bytes of a file that may be in memory at once: half of what the machine has, so that nothing that is only declared, or
 * is a hole of a sparse file, fills it. */
size_t tac_input_file_most(void);

/* Opens for reading only what is a regular file; refusals as below. The caller closes `descriptor`. */
tacStatus tac_input_file_open(const char *path, int *descriptor, size_t *size, tacError *error);
/* Reads up to `size` bytes at `offset`, fewer only where the file ends. */
tacStatus tac_input_file_read_at(int descriptor, const char *path, size_t offset, size_t size, unsigned char *bytes,
                                 size_t *filled, tacError *error);

/* Refuses what is not a regular file (a directory, a device), what cannot be read, and what is too large, before anything
 * is read, naming `path` and the reason. */
tacStatus tac_input_file_read(const char *path, tacInputKind kind, tacInputFile *file, tacError *error);
/* How many bytes the byte order mark of UTF-8 has that some editors write before text: 3, or 0 where there is none. */
static inline size_t tac_input_file_mark(const void *bytes, size_t size) {
  return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}
void tac_input_file_free(tacInputFile *file); /* a zeroed struct is allowed */
