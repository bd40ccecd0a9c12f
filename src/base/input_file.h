/* A whole file in memory, for readers that trust nothing in it. */
#ifndef TAC_BASE_INPUT_FILE_H
#define TAC_BASE_INPUT_FILE_H

#include <stddef.h>
#include "base/error.h"

typedef struct tacInputFile {
  unsigned char *bytes; /* size bytes and one 0 after them */
  size_t size;
} tacInputFile;

/* Opens for reading only what is a regular file; refusals as below. The caller closes `descriptor`. */
tacStatus tac_input_file_open(const char *path, int *descriptor, size_t *size, tacError *error);
/* Reads up to `size` bytes at `offset`, fewer only where the file ends. */
tacStatus tac_input_file_read_at(int descriptor, const char *path, size_t offset, size_t size, unsigned char *bytes,
                                 size_t *filled, tacError *error);

/* Refuses what is not a regular file (a directory, a device) and what cannot be read, naming `path` and the reason. */
tacStatus tac_input_file_read(const char *path, tacInputFile *file, tacError *error);
void tac_input_file_free(tacInputFile *file); /* a zeroed struct is allowed */

#endif
