#include "base/files/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory/array.h"
#include "base/memory/physical_memory.h"
#include "base/text.h"

static const char *kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

static tacStatus unreadable(const char *path, int reason, tacError *error) {
  return tac_error_set(error, TAC_ERR_FILE, "%s: cannot read: %s", path, strerror(reason));
}

tacStatus tac_input_file_open(const char *path, int *descriptor, size_t *size, tacError *error) {
  /* Without O_NONBLOCK, opening a pipe waits for a writer. */
  int opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (opened < 0) return unreadable(path, errno, error);
  struct stat found;
  tacStatus status = TAC_OK;
  if (fstat(opened, &found) != 0)
    status = unreadable(path, errno, error);
  else if (!S_ISREG(found.st_mode))
    status = tac_error_set(error, TAC_ERR_FILE, "%s: this is %s, not a file", path, kind_of(found.st_mode));
  else if ((uintmax_t)found.st_size >= PTRDIFF_MAX)
    status = unreadable(path, EFBIG, error);
  if (status != TAC_OK) {
    close(opened);
    return status;
  }
  *descriptor = opened;
  *size = (size_t)found.st_size;
  return TAC_OK;
}

tacStatus tac_input_file_read_at(int descriptor, const char *path, size_t offset, size_t size, unsigned char *bytes,
                                 size_t *filled, tacError *error) {
  *filled = 0;
  while (*filled < size) {
    ssize_t got = pread(descriptor, bytes + *filled, size - *filled, (off_t)(offset + *filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, errno, error);
    if (got == 0) break;
    *filled += (size_t)got;
  }
  return TAC_OK;
}

size_t tac_input_file_most(void) {
  return tac_physical_memory() / 2;
}

static tacStatus check_size(const char *path, tacInputKind kind, size_t size, tacError *error) {
  static const struct {
    const char *noun;
    uint64_t most;
  } kinds[] = {[TAC_INPUT_SCENE] = {"a scene", 1u << 20},
               [TAC_INPUT_MESH] = {"a mesh", (uint64_t)16 << 30},
               [TAC_INPUT_PATH] = {"a trajectory", 1u << 30},
               [TAC_INPUT_PROBLEM] = {"a contact problem", (uint64_t)4 << 30},
               [TAC_INPUT_PLUGIN] = {"a shared object", 1u << 30},
               [TAC_INPUT_ANY] = {"a file", UINT64_MAX}};
  if (size > kinds[kind].most)
    return tac_error_set(error, TAC_ERR_FILE, "%s: has %s; %s may have %s", path, tac_text_bytes((double)size).text,
                         kinds[kind].noun, tac_text_bytes((double)kinds[kind].most).text);
  if (size > tac_input_file_most())
    return tac_error_set(error, TAC_ERR_FILE, "%s: has %s; it may have %s, which is half of this machine's memory",
                         path, tac_text_bytes((double)size).text, tac_text_bytes((double)tac_input_file_most()).text);
  return TAC_OK;
}

tacStatus tac_input_file_read(const char *path, tacInputKind kind, tacInputFile *file, tacError *error) {
  *file = (tacInputFile){0};
  int descriptor = -1;
  size_t size = 0;
  TAC_TRY(tac_input_file_open(path, &descriptor, &size, error));
  tacStatus status = check_size(path, kind, size, error);
  if (status == TAC_OK) {
    file->bytes = tac_array_create(size + 1, 1, path, error);
    /* A file that shrinks meanwhile is what is left of it. */
    status = file->bytes == NULL ? TAC_ERR_MEMORY
                                 : tac_input_file_read_at(descriptor, path, 0, size, file->bytes, &file->size, error);
  }
  close(descriptor);
  if (status == TAC_OK)
    file->bytes[file->size] = 0;
  else
    tac_input_file_free(file);
  return status;
}

void tac_input_file_free(tacInputFile *file) {
  free(file->bytes);
  *file = (tacInputFile){0};
}
