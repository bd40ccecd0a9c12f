/* Layout, little-endian: 8 signature, 8 key, 8 checksum of the 16 bytes before; then pieces: 8 number, 8 checksum of the
 * data, 8 checksum of the 16 bytes before, data (doubles as the machine has them: checkpoints are not exchanged). */
#include "bake/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/files/checksum.h"
#include "base/files/little_endian.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"

enum { HEAD_SIZE = 24 };
static const uint64_t signature = 0x0a4b434843434154; /* "TACCHCK\n" */

static void pack_head(uint64_t first, uint64_t second, unsigned char head[HEAD_SIZE]) {
  tac_little_endian_put_u64(first, head);
  tac_little_endian_put_u64(second, head + 8);
  tac_little_endian_put_u64(tac_checksum(head, 16), head + 16);
}

static bool is_whole(const unsigned char head[HEAD_SIZE]) {
  return tac_little_endian_u64(head + 16) == tac_checksum(head, 16);
}

static tacStatus failure(const tacCheckpoint *checkpoint, const char *what, tacError *error) {
  return tac_error_set(error, TAC_ERR_FILE, "%s: the checkpoint cannot be %s: %s", checkpoint->path, what,
                       strerror(errno));
}

/* False where fewer bytes came, or none could be read. */
static bool read_whole(int descriptor, void *bytes, size_t size) {
  for (unsigned char *to = bytes; size > 0;) {
    ssize_t got = read(descriptor, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= (size_t)got;
  }
  return true;
}

static bool write_whole(int descriptor, const void *bytes, size_t size) {
  for (const unsigned char *from = bytes; size > 0;) {
    ssize_t put = write(descriptor, from, size);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    from += put;
    size -= (size_t)put;
  }
  return true;
}

/* Of a file of which nothing has been read. An empty one is as good as none. */
static bool is_checkpoint(int descriptor) {
  unsigned char head[8];
  struct stat about;
  if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) return false;
  return about.st_size == 0 || (read_whole(descriptor, head, sizeof head) && tac_little_endian_u64(head) == signature);
}

bool tac_checkpoint_recognise(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool recognised = descriptor < 0 ? errno == ENOENT : is_checkpoint(descriptor);
  if (descriptor >= 0) close(descriptor);
  return recognised;
}

/* The bytes of pieces that can be used, from the start of the file; 0 where not even the head can. */
static off_t read_pieces(const tacCheckpoint *checkpoint, uint64_t key, int piece_count, double *numbers, bool *done) {
  unsigned char head[HEAD_SIZE];
  off_t used = 0;
  if (!read_whole(checkpoint->descriptor, head, HEAD_SIZE) || !is_whole(head) || tac_little_endian_u64(head + 8) != key)
    return 0;
  for (used = HEAD_SIZE; read_whole(checkpoint->descriptor, head, HEAD_SIZE) && is_whole(head);) {
    uint64_t piece = tac_little_endian_u64(head);
    if (piece >= (uint64_t)piece_count) break;
    double *data = numbers + checkpoint->start[piece];
    size_t size = (size_t)(checkpoint->start[piece + 1] - checkpoint->start[piece]) * sizeof *data;
    if (!read_whole(checkpoint->descriptor, data, size) ||
        tac_checksum(data, size) != tac_little_endian_u64(head + 8)) {
      done[piece] = false; /* it is written over, also where it was read before */
      break;
    }
    done[piece] = true;
    used += HEAD_SIZE + (off_t)size;
  }
  return used;
}

tacStatus tac_checkpoint_open(const char *path, uint64_t key, int piece_count, const int64_t *start, double *numbers,
                              bool *done, tacCheckpoint *result, tacError *error) {
  *result = (tacCheckpoint){0};
  TAC_FREED(tac_checkpoint_close, tacCheckpoint, checkpoint) = {tac_array_text(path, error), -1, start, numbers};
  if (checkpoint.path == NULL) return TAC_ERR_MEMORY;
  unsigned char head[HEAD_SIZE];
  checkpoint.descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (checkpoint.descriptor < 0) return failure(&checkpoint, "opened", error);
  if (!is_checkpoint(checkpoint.descriptor))
    return tac_error_set(error, TAC_ERR_FILE, "%s: the file is not a checkpoint; remove it, or give another file name",
                         path);
  if (lseek(checkpoint.descriptor, 0, SEEK_SET) != 0) return failure(&checkpoint, "read", error);
  off_t used = read_pieces(&checkpoint, key, piece_count, numbers, done);
  pack_head(signature, key, head);
  if (ftruncate(checkpoint.descriptor, used) != 0 || lseek(checkpoint.descriptor, used, SEEK_SET) != used ||
      (used == 0 && !write_whole(checkpoint.descriptor, head, HEAD_SIZE)))
    return failure(&checkpoint, "written", error);
  *result = checkpoint;
  checkpoint.path = NULL; /* the caller's */
  return TAC_OK;
}

tacStatus tac_checkpoint_add(tacCheckpoint *checkpoint, int piece, tacError *error) {
  const double *data = checkpoint->numbers + checkpoint->start[piece];
  size_t size = (size_t)(checkpoint->start[piece + 1] - checkpoint->start[piece]) * sizeof *data;
  unsigned char head[HEAD_SIZE];
  pack_head((uint64_t)piece, tac_checksum(data, size), head);
  if (write_whole(checkpoint->descriptor, head, HEAD_SIZE) && write_whole(checkpoint->descriptor, data, size))
    return TAC_OK;
  return failure(checkpoint, "written", error);
}

void tac_checkpoint_close(tacCheckpoint *checkpoint) {
  if (checkpoint->path == NULL) return;
  bool empty = checkpoint->descriptor >= 0 && lseek(checkpoint->descriptor, 0, SEEK_CUR) == HEAD_SIZE;
  if (checkpoint->descriptor >= 0) close(checkpoint->descriptor);
  if (empty) unlink(checkpoint->path);
  free(checkpoint->path);
  *checkpoint = (tacCheckpoint){0};
}
