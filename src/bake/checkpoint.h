/* A file to which finished pieces of a long array are appended, so that interrupted work goes on where it was. Offline.
 *
 * Each piece has a checksum, and the file the key of what it belongs to: whatever does not match is dropped, and so is a
 * piece that was cut off. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"

typedef struct tacCheckpoint {
  char *path;
  int descriptor;
  const int64_t *start;
  const double *numbers;
} tacCheckpoint;

/* Whether tac_checkpoint_open would take what has this name: a checkpoint, whole or not, or nothing. */
bool tac_checkpoint_recognise(const char *path);
/* Piece i is numbers[start[i], start[i + 1]). Fills the pieces that the file at `path` holds and sets done[i] for them;
 * starts the file where it is not there or has another key. TAC_ERR_FILE for a file that is no checkpoint at all: that is
 * not ours to overwrite. `start` and `numbers` must outlive the checkpoint. */
tacStatus tac_checkpoint_open(const char *path, uint64_t key, int piece_count, const int64_t *start, double *numbers,
                              bool *done, tacCheckpoint *checkpoint, tacError *error);
tacStatus tac_checkpoint_add(tacCheckpoint *checkpoint, int piece, tacError *error);
/* Closes it; removes the file where no piece is done. A zeroed struct is allowed. */
void tac_checkpoint_close(tacCheckpoint *checkpoint);
