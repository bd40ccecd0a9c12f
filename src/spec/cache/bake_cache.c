#include "spec/cache/bake_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bake/checkpoint.h"
#include "base/clock.h"
#include "base/files/chunk_file.h"
#include "base/files/folder.h"
#include "base/files/new_file.h"
#include "base/files/set_aside.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/own_place.h"

char *tac_bake_cache_folder(tacError *error) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  bool own = cache != NULL && cache[0] == '/';
  if (!own && (home == NULL || home[0] == '\0')) {
    tac_error_set(error, TAC_ERR_FILE,
                  "no folder for baked assets: neither XDG_CACHE_HOME nor HOME is set; set one "
                  "of them or give a cache folder");
    return NULL;
  }
  const char *base = own ? cache : home, *tail = own ? "/tactus" : "/.cache/tactus";
  size_t size = strlen(base) + strlen(tail) + 1;
  char *folder = tac_array_create(size, 1, "a path", error);
  if (folder != NULL) snprintf(folder, size, "%s%s", base, tail);
  return folder;
}

static bool is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

bool tac_bake_cache_prebaked(char *folder, size_t size) {
  static const char *const places[] = {"../share/tactus/cache", "../../share/tactus/cache", "prebaked"};
  const char *given = getenv("TACTUS_PREBAKED");
  char own[1024];
  if (given != NULL) return given[0] != '\0' && snprintf(folder, size, "%s", given) < (int)size && is_folder(folder);
  if (!tac_own_place_library(own, sizeof own)) return false;
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
    if (snprintf(folder, size, "%s/%s", own, places[i]) < (int)size && is_folder(folder)) return true;
  return false;
}

/* Files */

static char *file_name(tacArrays *arrays, const char *folder, const char *name, uint64_t key, const char *ending) {
  size_t size = strlen(folder) + strlen(name) + strlen(ending) + 32;
  char *path = tac_arrays_add(arrays, size, 1);
  if (path != NULL) snprintf(path, size, "%s/%s-%016" PRIx64 "%s", folder, name, key, ending);
  return path;
}

/* They are in `texts`. */
static tacStatus make_names(const char *folder, const char *name, uint64_t key, const char *ending, tacArrays *texts,
                            tacAssetNames *names, tacError *error) {
  names->key = key;
  names->asset = file_name(texts, folder, name, key, ending);
  names->part = file_name(texts, folder, name, key, ".part");
  names->second_file = file_name(texts, folder, name, key, ".factored");
  names->lock = file_name(texts, folder, name, key, ".lock");
  return tac_arrays_status(texts, "a path", error);
}

/* Waits until no other process holds the lock of that name. A lock that cannot be had because the file system has none is
 * no reason to fail: files appear whole anyway. */
static tacStatus take_lock(const char *path, const tacProgress *progress, int *lock, tacError *error) {
  for (;;) {
    *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*lock < 0) return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write: %s", path, strerror(errno));
    while (flock(*lock, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) return TAC_OK;
      if (progress != NULL &&
          !progress->report("waiting for another process to bake this asset", 0.0, progress->user)) {
        close(*lock);
        *lock = -1;
        return tac_error_set(error, TAC_ERR_CANCELLED, "cancelled");
      }
      tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 10);
    }
    struct stat held, named;
    if (fstat(*lock, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino) return TAC_OK;
    close(*lock); /* whoever had it removed it */
  }
}

typedef struct {
  const char *path;
  int descriptor; /* -1: none */
} Lock;

static void drop_lock(Lock *lock) {
  if (lock->descriptor < 0) return;
  unlink(lock->path);
  close(lock->descriptor);
}

static bool do_not_wait(const char *stage, double done, void *user) {
  (void)stage, (void)done, (void)user;
  return false;
}

/* A bake that was killed after its asset was written, but before its checkpoint was deleted, leaves the checkpoint. The file
 * stays while another process holds the lock, because that process may be using it. */
static void sweep_checkpoint(const tacAssetNames *names) {
  static const tacProgress impatient = {.report = do_not_wait};
  if (access(names->part, F_OK) != 0 || !tac_checkpoint_recognise(names->part)) return;
  TAC_FREED(drop_lock, Lock, lock) = {names->lock, -1};
  if (take_lock(names->lock, &impatient, &lock.descriptor, NULL) == TAC_OK) unlink(names->part);
}

static tacStatus refuse_cached(tacStatus status, const char *path, const tacError *reason, tacError *error) {
  if (status == TAC_ERR_MEMORY || status == TAC_ERR_CANCELLED) return tac_error_set(error, status, "%s", reason->text);
  if (status == TAC_OK)
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%.350s: this cached file belongs to another body; delete it, or "
                         "bake with --again",
                         path);
  return tac_error_set(error, status, "%.380s; delete this cached file, or bake with --again", reason->text);
}

/* What is older, or did not pass its checks, is made again without a word. */
static bool is_outdated(tacStatus status) {
  return status == TAC_ERR_VERSION || status == TAC_ERR_CHECK;
}

static void describe(const char *path, bool cached, int64_t start, tacSceneAsset *asset) {
  struct stat file;
  asset->was_cached = cached;
  asset->seconds = tac_clock_seconds(tac_clock_now() - start);
  snprintf(asset->path, sizeof asset->path, "%s", path);
  asset->bytes = stat(path, &file) == 0 ? (size_t)file.st_size : 0;
  tacChunkFile *chunks = NULL;
  asset->checksum = tac_chunk_file_open(path, &chunks, NULL) == TAC_OK ? tac_chunk_file_checksum(chunks) : 0;
  tac_chunk_file_close(chunks);
}

/* Somebody who wants an asset. */
typedef struct {
  const tacAssetType *type;
  const tacAssetWant *want;
  tacAssetNames names;
  bool second_file; /* it has a second file */
} Job;

static bool is_cached(const Job *job) {
  return access(job->names.asset, F_OK) == 0 && (!job->second_file || access(job->names.second_file, F_OK) == 0);
}

/* Whether a file was baked for this key: its name is no proof of that. What is wrong with a file that cannot be opened says
 * who reads it. Another's is set aside by whoever holds the lock, since the next moment it might be the right one. */
static tacStatus check_key(const char *path, uint64_t key, bool locked, bool *right, tacError *error) {
  tacChunkFile *file = NULL;
  uint64_t found = 0;
  bool has = false;
  *right = false;
  tacStatus status = tac_chunk_file_open(path, &file, error);
  if (status == TAC_OK) {
    status = tac_chunk_file_key(file, &has, &found, error);
    *right = has && found == key;
  } else {
    *right = true;
  }
  tac_chunk_file_close(file);
  if (status == TAC_ERR_MEMORY) return status;
  if (!has || *right || !locked) return TAC_OK;
  return tac_set_aside(path, "this file was baked for another body or other settings, so it is baked again", error);
}

/* Leaves `made` NULL where there is no file, or one that is to be baked again. */
static tacStatus read_cached(const Job *job, bool locked, void **made, tacError *error) {
  const tacAssetType *kind = job->type;
  const char *path = job->names.asset;
  tacError reason;
  if (!is_cached(job)) return TAC_OK;
  bool right = true;
  tacStatus status = check_key(path, job->names.key, locked, &right, error);
  if (status == TAC_OK && right && job->second_file)
    status = check_key(job->names.second_file, job->names.key, locked, &right, error);
  if (status != TAC_OK || !right) return status;
  status = kind->read(path, made, &reason);
  bool fits = status == TAC_OK && kind->fits(*made, job->want->def);
  bool unchecked = fits && kind->checks != NULL && kind->checks(*made)->count == 0;
  if (fits && !unchecked && job->second_file) {
    path = job->names.second_file;
    status = kind->read_second_file(job->want->def, path, &reason);
  }
  if (fits && !unchecked && status == TAC_OK) return TAC_OK;
  kind->destroy(*made);
  *made = NULL;
  return unchecked || is_outdated(status) ? TAC_OK : refuse_cached(status, path, &reason, error);
}

/* Names that this cache gives: NAME-KEY and an ending. */
static bool is_asset_name(const char *name) {
  const char *ending = strrchr(name, '.');
  if (ending == NULL || ending - name < 17 || ending[-17] != '-') return false;
  return strspn(ending - 16, "0123456789abcdef") == 16;
}

static tacStatus bake_again(const char *folder, const Job *job, void **made, tacError *error) {
  tac_new_file_sweep(folder, is_asset_name);
  if (!tac_checkpoint_recognise(job->names.part))
    TAC_TRY(tac_set_aside(job->names.part,
                          "this file is not a valid checkpoint, so the bake starts from the "
                          "beginning",
                          error));
  const uint64_t *outer = tac_chunk_writer_set_key(&job->names.key);
  tacStatus status = job->type->bake(job->want->def, &job->names, job->want->progress, made, error);
  tac_chunk_writer_set_key(outer);
  /* The checkpoint is deleted only after the asset is written, so that an interrupted write loses nothing. It is also
   * deleted after failed checks, because the wrong result came from it. */
  if (status == TAC_OK || status == TAC_ERR_CHECK) unlink(job->names.part);
  if (status == TAC_OK && job->second_file) {
    tacError reason;
    status = job->type->read_second_file(job->want->def, job->names.second_file, &reason);
    if (status != TAC_OK) refuse_cached(status, job->names.second_file, &reason, error);
  }
  if (status == TAC_OK) return TAC_OK;
  job->type->destroy(*made);
  *made = NULL;
  return status;
}

/* Leaves `made` NULL where it is not prebaked, or something is wrong with it: then it is baked. */
static tacStatus read_prebaked(const char *name, const Job *job, void **made, int64_t start, tacSceneAsset *asset,
                               tacError *error) {
  char folder[1024];
  TAC_FREED(tac_arrays_free, tacArrays, texts) = {0};
  Job shared = *job;
  if (!tac_bake_cache_prebaked(folder, sizeof folder)) return TAC_OK;
  TAC_TRY(make_names(folder, name, job->names.key, job->type->ending, &texts, &shared.names, error));
  if (read_cached(&shared, false, made, NULL) == TAC_OK && *made != NULL && asset != NULL)
    describe(shared.names.asset, true, start, asset);
  return TAC_OK;
}

tacStatus tac_bake_cache_fetch(const tacAssetType *type, const tacAssetWant *want, void **made, tacSceneAsset *asset,
                               tacError *error) {
  TAC_FREED(tac_arrays_free, tacArrays, texts) = {0};
  Job job = {
      .type = type, .want = want, .second_file = type->has_second_file != NULL && type->has_second_file(want->def)};
  *made = NULL;
  int64_t start = tac_clock_now();
  TAC_TRY(tac_folder_make(want->folder, error));
  TAC_TRY(make_names(want->folder, want->name, want->key, type->ending, &texts, &job.names, error));
  TAC_FREED(drop_lock, Lock, lock) = {job.names.lock, -1};
  if (!want->again) TAC_TRY(read_cached(&job, false, made, error));
  if (*made == NULL && !want->again) {
    TAC_TRY(read_prebaked(want->name, &job, made, start, asset, error));
    if (*made != NULL) return TAC_OK;
  }
  if (*made == NULL) TAC_TRY(take_lock(job.names.lock, want->progress, &lock.descriptor, error));
  /* Another process may have baked it while this one waited. */
  if (*made == NULL && !want->again) TAC_TRY(read_cached(&job, true, made, error));
  bool cached = *made != NULL;
  if (cached) sweep_checkpoint(&job.names);
  if (!cached) TAC_TRY(bake_again(want->folder, &job, made, error));
  if (asset != NULL) describe(job.names.asset, cached, start, asset);
  return TAC_OK;
}
