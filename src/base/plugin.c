#include "base/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/files/input_file.h"
#include "base/files/sha256.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/hold.h"

static tacPluginFn current_allow;
static void *current_user;

void tac_plugin_set(tacPluginFn allow, void *user) {
  current_allow = allow;
  current_user = user;
}

/* A copy of a plugin that nobody can change. It is never closed or unloaded, because the dynamic linker knows a library
 * by its name, and the name contains the number of the descriptor. */
typedef struct Copy Copy;
struct Copy {
  char checksum[TAC_SHA256_TEXT];
  char name[32]; /* "/proc/self/fd/7" */
  Copy *next;
};

static Copy *copies;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static const Copy *find_copy(const char *checksum) {
  const Copy *copy = copies;
  while (copy != NULL && strcmp(copy->checksum, checksum) != 0) copy = copy->next;
  return copy;
}

static tacStatus refuse(const char *path, const char *what, tacStatus status, const char *reason, tacError *error) {
  return tac_error_set(error, status, "%s: cannot load %s: %s", path, what, reason);
}

static tacStatus load(const char *path, const char *what, const char *name, void **library, tacError *error) {
  *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (*library != NULL) return TAC_OK;
  const char *reason = dlerror(); /* starts with the name, as a rule */
  size_t length = strlen(name);
  if (reason == NULL) reason = "unknown reason";
  if (strncmp(reason, name, length) == 0 && strncmp(reason + length, ": ", 2) == 0) reason += length + 2;
  return refuse(path, what, TAC_ERR_FILE, reason, error);
}

/* Runs no code of the file. */
static bool is_loaded(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (library != NULL) dlclose(library);
  return library != NULL;
}

static void announce(const char *path) {
  tac_log(TAC_LOG_INFO, "loads %s, whose code becomes part of this program", path);
}

static bool write_all(int descriptor, const tacInputFile *input) {
  for (size_t done = 0; done < input->size;) {
    ssize_t written = write(descriptor, input->bytes + done, input->size - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += (size_t)written;
  }
  return true;
}

/* Returns the descriptor of a file in memory with these bytes, sealed against changes; -1 and errno on failure. */
static int seal(const char *path, const tacInputFile *input) {
  const char *slash = strrchr(path, '/');
  char name[64]; /* shown in /proc/self/maps */
  snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : path);
  int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  if (write_all(descriptor, input) &&
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
    return descriptor;
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

static tacStatus open_copy(const char *path, const char *what, const tacInputFile *input, const char *checksum,
                           void **library, tacError *error) {
  TAC_MEMORY(Copy, copy) = NULL;
  TAC_TRY(TAC_ARRAY(copy, 1, "a plugin", error));
  int descriptor = seal(path, input);
  if (descriptor < 0) return refuse(path, what, TAC_ERR_FILE, strerror(errno), error);
  snprintf(copy->checksum, sizeof copy->checksum, "%s", checksum);
  snprintf(copy->name, sizeof copy->name, "/proc/self/fd/%d", descriptor);
  announce(path);
  tacStatus status = load(path, what, copy->name, library, error);
  if (status == TAC_OK) status = load(path, what, copy->name, library, error); /* the reference that keeps it */
  if (status != TAC_OK) {
    close(descriptor);
    return status;
  }
  copy->next = copies;
  copies = tac_give(&copy);
  return TAC_OK;
}

static tacStatus ask(const char *path, const char *what, const char *checksum, tacError *error) {
  tacError reason = {.text = ""};
  if (current_allow(path, checksum, &reason, current_user)) return TAC_OK;
  reason.text[sizeof reason.text - 1] = '\0';
  return refuse(path, what, TAC_ERR_UNSUPPORTED,
                reason.text[0] != '\0' ? reason.text : "this program does not allow code from this file", error);
}

tacStatus tac_plugin_open(const char *path, const char *what, const char *installed, void **library, tacError *error) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&opening);
  TAC_FREED(tac_input_file_free, tacInputFile, input) = {0};
  char checksum[TAC_SHA256_TEXT];
  tacError reason = {.text = ""};
  *library = NULL;
  if (installed != NULL) {
    if (!is_loaded(installed)) announce(path);
    return load(path, what, installed, library, error);
  }
  if (current_allow == NULL)
    return refuse(path, what, TAC_ERR_UNSUPPORTED,
                  "code from files is refused until this program allows it with tac_plugin_set", error);
  tacStatus status = tac_input_file_read(path, TAC_INPUT_PLUGIN, &input, &reason);
  if (status != TAC_OK) {
    size_t length = strlen(path);
    bool named = strncmp(reason.text, path, length) == 0 && strncmp(reason.text + length, ": ", 2) == 0;
    return refuse(path, what, status, reason.text + (named ? length + 2 : 0), error);
  }
  tac_sha256(input.bytes, input.size, checksum);
  const Copy *copy = find_copy(checksum);
  if (copy != NULL) return load(path, what, copy->name, library, error);
  TAC_TRY(ask(path, what, checksum, error));
  return open_copy(path, what, &input, checksum, library, error);
}
