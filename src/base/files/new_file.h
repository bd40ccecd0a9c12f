/* A file that appears under its name whole or not at all: written under a temporary name beside it, then renamed. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include "base/error.h"

typedef struct tacNewFile {
  FILE *stream; /* write here; errors are found at commit */
  char *path, *temporary;
} tacNewFile;

tacStatus tac_new_file_open(const char *path, tacNewFile *file, tacError *error);
/* Flushes, syncs and renames; on failure (a full disk) removes the temporary file and keeps the old one. Closes `file`
 * either way. */
tacStatus tac_new_file_commit(tacNewFile *file, tacError *error);
/* Removes from `folder` what writers that are no more have left: temporary files whose names, without what was added to
 * them, are `ours`. Those of writers that live stay, in this process or another: each holds a lock (flock) on its own. */
void tac_new_file_sweep(const char *folder, bool (*ours)(const char *name));
void tac_new_file_discard(tacNewFile *file); /* a zeroed or closed struct is allowed */
