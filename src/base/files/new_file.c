#include "base/files/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"

/* The temporary name is the target's with this many characters more: ".new-" and eight hexadecimal digits. */
enum { SUFFIX_LENGTH = 13 };

static tacStatus unwritable(const char *path, int reason, tacError *error) {
  return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write: %s", path, strerror(reason));
}

/* A lock on the temporary file tells that its writer lives. Whoever sweeps may have come between creation and lock: then the
 * name is gone, or will be. On file systems without locks nothing is swept. */
static bool lock_new(int descriptor) {
  struct stat about;
  bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  return locked && (fstat(descriptor, &about) != 0 || about.st_nlink > 0);
}

/* Creates a file that did not exist, with the permissions that the umask gives (mkstemp would make it private). */
static int create_temporary(const char *target, char *temporary, size_t size) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint32_t tag = (uint32_t)now.tv_nsec ^ (uint32_t)getpid() << 12;
  int descriptor = -1;
  for (int attempt = 0; attempt < 1000 && descriptor < 0; ++attempt) {
    tag = tag * 1664525u + 1013904223u;
    snprintf(temporary, size, "%s.new-%08x", target, (unsigned)tag);
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) break;
    if (descriptor >= 0 && !lock_new(descriptor)) {
      close(descriptor);
      descriptor = -1;
      errno = EEXIST;
    }
  }
  return descriptor;
}

static tacStatus open_temporary(const char *target, tacNewFile *file, int *descriptor, tacError *error) {
  size_t size = strlen(target) + SUFFIX_LENGTH + 1;
  TAC_MEMORY(char, temporary) = NULL;
  TAC_TRY(TAC_ARRAY(temporary, size, "a temporary name", error));
  *descriptor = create_temporary(target, temporary, size);
  if (*descriptor < 0) return unwritable(file->path, errno, error);
  file->temporary = tac_give(&temporary);
  return TAC_OK;
}

/* Of a file that is to be written: of what is there, or of a temporary one beside it. */
static tacStatus open_descriptor(const char *path, tacNewFile *file, int *descriptor, tacError *error) {
  TAC_MEMORY(char, target) = NULL;
  file->path = tac_array_text(path, error);
  if (file->path == NULL) return TAC_ERR_MEMORY;
  struct stat old;
  bool exists = stat(path, &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return unwritable(path, EISDIR, error);
  /* A link keeps pointing to the file that is replaced. What has no path (a deleted file behind /dev/stdout) and what is
   * not a regular file (/dev/null, a pipe) cannot be replaced, so it is written as it is. */
  if (exists && S_ISREG(old.st_mode)) {
    /* Rename would replace a file that its owner protected. */
    if (access(path, W_OK) != 0) return unwritable(path, errno, error);
    target = realpath(path, NULL);
    if (target == NULL && errno == ENOMEM) return tac_error_memory(error, PATH_MAX, "a path");
  }
  if (!exists || target != NULL) return open_temporary(target != NULL ? target : path, file, descriptor, error);
  *descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  return *descriptor < 0 ? unwritable(path, errno, error) : TAC_OK;
}

tacStatus tac_new_file_open(const char *path, tacNewFile *file, tacError *error) {
  *file = (tacNewFile){0};
  int descriptor = -1;
  tacStatus status = open_descriptor(path, file, &descriptor, error);
  if (status == TAC_OK) file->stream = fdopen(descriptor, "wb");
  if (status == TAC_OK && file->stream == NULL) status = tac_error_memory(error, BUFSIZ, "a file stream");
  if (status != TAC_OK) {
    if (descriptor >= 0) close(descriptor);
    tac_new_file_discard(file);
  }
  return status;
}

/* The reason why a stream is in error, 0 for none. Stdio forgets the errno of an earlier failed write, and the data is
 * lost anyway, so the reason is found by writing on. */
static int stream_failure(FILE *stream) {
  bool failed_before = ferror(stream) != 0;
  if (fflush(stream) != 0) return errno;
  if (!failed_before) return 0;
  static const char zeros[4096];
  for (int i = 0; i < 256; ++i)
    if (write(fileno(stream), zeros, sizeof zeros) < 0) return errno;
  return EIO;
}

/* Makes the rename itself survive a power cut, where the file system can. */
static void sync_folder_of(const char *target) {
  const char *slash = strrchr(target, '/');
  char *folder = slash == NULL ? strdup(".") : strndup(target, (size_t)(slash - target) + 1);
  if (folder == NULL) return;
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor);
    close(descriptor);
  }
  free(folder);
}

tacStatus tac_new_file_commit(tacNewFile *file, tacError *error) {
  TAC_FREED(tac_new_file_discard, tacNewFile, own) = *file;
  *file = (tacNewFile){0};
  int reason = stream_failure(own.stream);
  if (reason == 0 && own.temporary != NULL) {
    if (fsync(fileno(own.stream)) != 0) return unwritable(own.path, errno, error);
    TAC_MEMORY(char, target) = tac_array_text(own.temporary, error);
    if (target == NULL) return TAC_ERR_MEMORY;
    /* It has all its bytes now, and keeps its lock until it has its name. */
    target[strlen(target) - SUFFIX_LENGTH] = 0;
    if (rename(own.temporary, target) != 0) return unwritable(own.path, errno, error);
    free(tac_give(&own.temporary));
    sync_folder_of(target);
  }
  if (fclose(tac_give(&own.stream)) != 0 && reason == 0) reason = errno;
  return reason == 0 ? TAC_OK : unwritable(own.path, reason, error);
}

/* The length of the target's name in a temporary one; 0: this is none. */
static size_t target_length(const char *name) {
  size_t length = strlen(name);
  if (length <= SUFFIX_LENGTH) return 0;
  const char *suffix = name + length - SUFFIX_LENGTH;
  bool temporary = strncmp(suffix, ".new-", 5) == 0 && strspn(suffix + 5, "0123456789abcdef") == SUFFIX_LENGTH - 5;
  return temporary ? length - SUFFIX_LENGTH : 0;
}

static void remove_dead(int folder, const char *name) {
  struct stat about;
  int descriptor = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    unlinkat(folder, name, 0);
  close(descriptor);
}

void tac_new_file_sweep(const char *folder, bool (*ours)(const char *name)) {
  DIR *list = opendir(folder);
  if (list == NULL) return;
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
    char target[sizeof entry->d_name];
    size_t length = target_length(entry->d_name);
    snprintf(target, sizeof target, "%.*s", (int)length, entry->d_name);
    if (length > 0 && ours(target)) remove_dead(dirfd(list), entry->d_name);
  }
  closedir(list);
}

void tac_new_file_discard(tacNewFile *file) {
  if (file->stream != NULL) fclose(file->stream);
  if (file->temporary != NULL) unlink(file->temporary);
  free(file->temporary);
  free(file->path);
  *file = (tacNewFile){0};
}
