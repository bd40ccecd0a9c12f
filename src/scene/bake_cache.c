#include "scene/bake_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "asset/green.h"
#include "asset/reduced.h"
#include "bake/checkpoint.h"
#include "base/clock.h"
#include "base/files/chunk_file.h"
#include "base/files/folder.h"
#include "base/files/new_file.h"
#include "base/files/set_aside.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/own_place.h"
#include "base/text.h"
#include "scene/bake_key.h"

char *tac_bake_cache_folder(tacError *error) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  bool own = cache != NULL && cache[0] == '/';
  if (!own && (home == NULL || home[0] == '\0')) {
    tac_error_set(error, TAC_ERR_FILE, "neither XDG_CACHE_HOME nor HOME is set; name a folder for baked assets");
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

typedef struct {
  char *asset, *part, *factored, *lock;
  uint64_t key; /* that is in them */
} Names;

static char *file_name(const char *folder, const char *name, uint64_t key, const char *ending, tacError *error) {
  size_t size = strlen(folder) + strlen(name) + strlen(ending) + 32;
  char *path = tac_array_create(size, 1, "a path", error);
  if (path != NULL) snprintf(path, size, "%s/%s-%016" PRIx64 "%s", folder, name, key, ending);
  return path;
}

static tacStatus make_names(const char *folder, const char *name, uint64_t key, const char *ending, Names *names,
                            tacError *error) {
  names->key = key;
  names->asset = file_name(folder, name, key, ending, error);
  names->part = file_name(folder, name, key, ".part", error);
  names->factored = file_name(folder, name, key, ".factored", error);
  names->lock = file_name(folder, name, key, ".lock", error);
  bool all = names->asset != NULL && names->part != NULL && names->factored != NULL && names->lock != NULL;
  return all ? TAC_OK : TAC_ERR_MEMORY;
}

static void free_names(Names *names) {
  free(names->asset);
  free(names->part);
  free(names->factored);
  free(names->lock);
}

/* Waits until no other process holds the lock of that name. A lock that cannot be had because the file system has none is
 * no reason to fail: files appear whole anyway. */
static tacStatus take_lock(const char *path, const tacProgress *progress, int *lock, tacError *error) {
  for (;;) {
    *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*lock < 0) return tac_error_set(error, TAC_ERR_FILE, "%s: cannot write: %s", path, strerror(errno));
    while (flock(*lock, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) return TAC_OK;
      if (progress != NULL && !progress->report("waiting for another bake", 0.0, progress->user)) {
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

static void drop_lock(const char *path, int lock) {
  unlink(path);
  close(lock);
}

static tacStatus refuse_cached(tacStatus status, const char *path, const tacError *reason, tacError *error) {
  if (status == TAC_ERR_MEMORY || status == TAC_ERR_CANCELLED) return tac_error_set(error, status, "%s", reason->text);
  if (status == TAC_OK)
    return tac_error_set(error, TAC_ERR_FORMAT, "%.350s: not of this body; delete this cached file, or bake --again",
                         path);
  return tac_error_set(error, status, "%.380s; delete this cached file, or bake --again", reason->text);
}

/* A kind of asset: how it is read, recognised, baked and forgotten. `made` is what the definition bakes to. */
typedef struct {
  const char *ending;
  tacStatus (*read)(const char *path, void **made, tacError *error);
  bool (*fits)(const void *made, const void *def);
  const tacBakeChecks *(*checks)(const void *made); /* NULL: it has none */
  tacStatus (*bake)(const void *def, const Names *names, const tacProgress *progress, void **made, tacError *error);
  void (*destroy)(void *made);
} Kind;

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
  const Kind *kind;
  const void *def;
  Names names;
  bool again, needs_factored;
  const tacProgress *progress;
  tacReferenceProblem **problem; /* where `needs_factored` */
} Job;

static bool is_cached(const Job *job) {
  return access(job->names.asset, F_OK) == 0 && (!job->needs_factored || access(job->names.factored, F_OK) == 0);
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
  return tac_set_aside(path, "was baked for something else and is baked again", error);
}

/* Leaves `made` NULL where there is no file, or one that is to be baked again. */
static tacStatus read_cached(const Job *job, bool locked, void **made, tacError *error) {
  const Kind *kind = job->kind;
  const char *path = job->names.asset;
  tacError reason;
  if (!is_cached(job)) return TAC_OK;
  bool right = true;
  tacStatus status = check_key(path, job->names.key, locked, &right, error);
  if (status == TAC_OK && right && job->needs_factored)
    status = check_key(job->names.factored, job->names.key, locked, &right, error);
  if (status != TAC_OK || !right) return status;
  status = kind->read(path, made, &reason);
  bool fits = status == TAC_OK && kind->fits(*made, job->def);
  bool unchecked = fits && kind->checks != NULL && kind->checks(*made)->count == 0;
  if (fits && !unchecked && job->needs_factored) {
    path = job->names.factored;
    status = tac_reference_problem_read(path, job->problem, &reason);
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

static tacStatus bake_anew(const char *folder, const Job *job, void **made, tacError *error) {
  tac_new_file_sweep(folder, is_asset_name);
  tacStatus status = TAC_OK;
  if (!tac_checkpoint_recognise(job->names.part))
    status = tac_set_aside(job->names.part, "is not a checkpoint, so the bake begins anew", error);
  if (status != TAC_OK) return status;
  const uint64_t *outer = tac_chunk_writer_set_key(&job->names.key);
  status = job->kind->bake(job->def, &job->names, job->progress, made, error);
  tac_chunk_writer_set_key(outer);
  if (status == TAC_OK && job->needs_factored) {
    tacError reason;
    status = tac_reference_problem_read(job->names.factored, job->problem, &reason);
    if (status != TAC_OK) refuse_cached(status, job->names.factored, &reason, error);
  }
  if (status == TAC_OK) return TAC_OK;
  job->kind->destroy(*made);
  *made = NULL;
  return status;
}

/* Leaves `made` NULL where it is not prebaked, or something is wrong with it: then it is baked. */
static tacStatus read_prebaked(const char *name, Job *job, void **made, int64_t start, tacSceneAsset *asset,
                               tacError *error) {
  char folder[1024];
  Names own = job->names, shared = {0};
  if (!tac_bake_cache_prebaked(folder, sizeof folder)) return TAC_OK;
  tacStatus status = make_names(folder, name, own.key, job->kind->ending, &shared, error);
  job->names = shared;
  if (status == TAC_OK && read_cached(job, false, made, NULL) == TAC_OK && *made != NULL && asset != NULL)
    describe(shared.asset, true, start, asset);
  free_names(&shared);
  job->names = own;
  return status;
}

static tacStatus fetch(const char *folder, const char *name, uint64_t key, Job *job, void **made, tacSceneAsset *asset,
                       tacError *error) {
  *made = NULL;
  int lock = -1;
  int64_t start = tac_clock_now();
  tacStatus status = tac_folder_make(folder, error);
  if (status == TAC_OK) status = make_names(folder, name, key, job->kind->ending, &job->names, error);
  if (status == TAC_OK && !job->again) status = read_cached(job, false, made, error);
  if (status == TAC_OK && *made == NULL && !job->again) {
    status = read_prebaked(name, job, made, start, asset, error);
    if (*made != NULL) {
      free_names(&job->names);
      return TAC_OK;
    }
  }
  if (status == TAC_OK && *made == NULL) status = take_lock(job->names.lock, job->progress, &lock, error);
  /* Another process may have baked it while this one waited. */
  if (status == TAC_OK && *made == NULL && !job->again) status = read_cached(job, true, made, error);
  bool cached = *made != NULL;
  if (status == TAC_OK && !cached) status = bake_anew(folder, job, made, error);
  if (status == TAC_OK && asset != NULL) describe(job->names.asset, cached, start, asset);
  if (lock >= 0) drop_lock(job->names.lock, lock);
  free_names(&job->names);
  return status;
}

/* Green's functions */

static tacStatus green_read(const char *path, void **made, tacError *error) {
  tacGreen *green = NULL;
  tacStatus status = tac_green_read(path, &green, error);
  *made = green;
  return status;
}

static bool green_fits(const void *made, const void *of) {
  const tacGreen *green = made;
  const tacGreenDef *def = of;
  return tac_green_method(green) == def->problem.method && tac_green_storage(green) == def->storage &&
         tac_green_sensor_count(green) == def->problem.sensor_count &&
         tac_green_surface(green)->vertex_count == tac_bake_key_surface_vertices(&def->problem);
}

static tacStatus green_bake(const void *def, const Names *names, const tacProgress *progress, void **made,
                            tacError *error) {
  tacGreenDef own = *(const tacGreenDef *)def;
  own.checkpoint = names->part;
  own.factored = own.storage == TAC_GREEN_NEAR ? names->factored : NULL;
  tacGreen *green = NULL;
  tacStatus status = tac_green_bake(&own, progress, &green, error);
  if (status == TAC_OK) status = tac_green_write(green, names->asset, error);
  if (status == TAC_OK) unlink(names->part); /* not before: a write that is interrupted loses no column */
  if (status == TAC_ERR_CHECK) {             /* nothing that it was made from is to be trusted */
    unlink(names->part);
    unlink(names->factored);
  }
  *made = green;
  return status;
}

static const tacBakeChecks unchecked_yet; /* files from before their doubt was measured are baked again, too */

static const tacBakeChecks *green_checks(const void *made) {
  return tac_green_has_doubt(made) ? tac_green_checks(made) : &unchecked_yet;
}

static void green_destroy(void *made) {
  tac_green_destroy(made);
}

tacStatus tac_bake_cache_green(const char *folder, const char *name, const tacGreenDef *def, bool again,
                               const tacProgress *progress, tacGreen **green, tacReferenceProblem **problem,
                               tacSceneAsset *asset, tacError *error) {
  static const Kind kind = {".green", green_read, green_fits, green_checks, green_bake, green_destroy};
  Job job = {&kind, def, {0}, again, def->storage == TAC_GREEN_NEAR, progress, problem};
  void *made;
  *problem = NULL;
  tacStatus status = fetch(folder, name, tac_bake_key_green(def), &job, &made, asset, error);
  *green = made;
  return status;
}

/* Reduced bodies */

static tacStatus reduced_read(const char *path, void **made, tacError *error) {
  tacReduced *reduced = NULL;
  tacStatus status = tac_reduced_read(path, &reduced, error);
  *made = reduced;
  return status;
}

static bool reduced_fits(const void *made, const void *of) {
  const tacReduced *reduced = made;
  const tacReducedDef *def = of;
  const tacReducedInfo *info = tac_reduced_info(reduced);
  return tac_reduced_size(reduced) == def->size && tac_reduced_group_count(reduced) == def->material_count &&
         info->vertex_count == def->volume->vertex_count &&
         info->element_count == def->volume->tet_count + def->volume->brick_count &&
         (def->surface == NULL || tac_reduced_surface(reduced)->vertex_count == def->surface->vertex_count);
}

static tacStatus reduced_bake(const void *def, const Names *names, const tacProgress *progress, void **made,
                              tacError *error) {
  tacReduced *reduced = NULL;
  tacStatus status = tac_reduced_bake(def, progress, &reduced, error);
  *made = reduced;
  return status == TAC_OK ? tac_reduced_write(reduced, names->asset, error) : status;
}

static const tacBakeChecks *reduced_checks(const void *made) {
  return tac_reduced_has_doubt(made) ? tac_reduced_checks(made) : &unchecked_yet;
}

static void reduced_destroy(void *made) {
  tac_reduced_destroy(made);
}

tacStatus tac_bake_cache_reduced(const char *folder, const char *name, const tacReducedDef *def, bool again,
                                 const tacProgress *progress, tacReduced **reduced, tacSceneAsset *asset,
                                 tacError *error) {
  static const Kind kind = {".reduced", reduced_read, reduced_fits, reduced_checks, reduced_bake, reduced_destroy};
  Job job = {&kind, def, {0}, again, false, progress, NULL};
  void *made;
  tacStatus status = fetch(folder, name, tac_bake_key_reduced(def), &job, &made, asset, error);
  *reduced = made;
  return status;
}

/* Vademecums */

typedef struct {
  const char *name;
  const tacVademecumDef *def;
} Vademecum;

static tacStatus vademecum_read(const char *path, void **made, tacError *error) {
  tacVademecum *vademecum = NULL;
  tacStatus status = tac_vademecum_read(path, &vademecum, error);
  *made = vademecum;
  return status;
}

static bool vademecum_fits(const void *made, const void *of) {
  const tacVademecumDef *def = ((const Vademecum *)of)->def;
  const tacVademecumInfo *info = tac_vademecum_info(made);
  return info->node_count == def->mesh->vertex_count && info->element_count == def->mesh->tet_count &&
         info->mode_count <= def->mode_most && tac_vademecum_is_linear(made) == def->linear &&
         tac_vademecum_load_most(made) == def->load;
}

static tacStatus vademecum_bake(const void *of, const Names *names, const tacProgress *progress, void **made,
                                tacError *error) {
  const Vademecum *wanted = of;
  tacVademecumDef own = *wanted->def;
  tacVademecumEstimate estimate;
  tacVademecum *vademecum = NULL;
  own.checkpoint = names->part;
  tacStatus status = tac_vademecum_estimate(&own, &estimate, error);
  if (status == TAC_OK)
    tac_log(TAC_LOG_INFO, "%s: a vademecum of %s and at most %s: at most %s, %s while it is baked", wanted->name,
            tac_text_many(estimate.loads, "load").text, tac_text_many(estimate.modes, "mode").text,
            tac_text_bytes(estimate.bytes).text, tac_text_bytes(estimate.memory).text);
  if (status == TAC_OK) status = tac_vademecum_bake(&own, progress, &vademecum, error);
  if (status == TAC_OK) status = tac_vademecum_write(vademecum, names->asset, error);
  /* Not before: a write that is interrupted loses nothing. And what failed its checks was made from it. */
  if (status == TAC_OK || status == TAC_ERR_CHECK) unlink(names->part);
  *made = vademecum;
  return status;
}

static const tacBakeChecks *vademecum_checks(const void *made) {
  return tac_vademecum_checks(made);
}

static void vademecum_destroy(void *made) {
  tac_vademecum_destroy(made);
}

tacStatus tac_bake_cache_vademecum(const char *folder, const char *name, const tacVademecumDef *def, bool again,
                                   const tacProgress *progress, tacVademecum **vademecum, tacSceneAsset *asset,
                                   tacError *error) {
  static const Kind kind = {".vademecum",     vademecum_read, vademecum_fits,
                            vademecum_checks, vademecum_bake, vademecum_destroy};
  Vademecum wanted = {name, def};
  Job job = {&kind, &wanted, {0}, again, false, progress, NULL};
  void *made;
  tacStatus status = fetch(folder, "solid", tac_bake_key_vademecum(def), &job, &made, asset, error);
  *vademecum = made;
  return status;
}

/* Distance fields */

static tacStatus field_read(const char *path, void **made, tacError *error) {
  tacDistanceField *field = NULL;
  tacStatus status = tac_distance_field_read(path, &field, error);
  *made = field;
  return status;
}

static bool field_fits(const void *made, const void *of) {
  const tacGrid *grid = tac_distance_field_grid(made);
  const tacSolidDef *def = of;
  return grid != NULL && grid->nx == def->def.resolution + 1;
}

static tacStatus field_bake(const void *def, const Names *names, const tacProgress *progress, void **made,
                            tacError *error) {
  tacDistanceField *field = NULL;
  tacStatus status = tac_body_solid_bake(def, progress, &field, error);
  *made = field;
  return status == TAC_OK ? tac_distance_field_write(field, names->asset, error) : status;
}

static const tacBakeChecks *field_checks(const void *made) {
  return tac_distance_field_checks(made);
}

static void field_destroy(void *made) {
  tac_distance_field_destroy(made);
}

tacStatus tac_bake_cache_field(const char *folder, const char *name, const tacSolidDef *def, bool again,
                               const tacProgress *progress, tacDistanceField **field, tacSceneAsset *asset,
                               tacError *error) {
  static const Kind kind = {".field", field_read, field_fits, field_checks, field_bake, field_destroy};
  Job job = {&kind, def, {0}, again, false, progress, NULL};
  void *made;
  tacStatus status = fetch(folder, name, tac_bake_key_field(def), &job, &made, asset, error);
  *field = made;
  return status;
}

/* Points */

/* Embedded points are made from rigid ones, which are an asset as well. */
typedef struct {
  const char *folder, *name;
  const tacShellDef *def;
  bool again;
} Points;

static tacStatus points_read(const char *path, void **made, tacError *error) {
  tacPointshell *shell = NULL;
  tacStatus status = tac_pointshell_read(path, &shell, error);
  *made = shell;
  return status;
}

static bool points_fit(const void *made, const void *of) {
  const Points *points = of;
  int levels = points->def->points.level_count;
  return tac_pointshell_coordinates(made) == 0 && (levels == 0 || tac_pointshell_level_count(made) == levels);
}

static bool embedded_fit(const void *made, const void *of) {
  const Points *points = of;
  return tac_pointshell_coordinates(made) == tac_reduced_size(points->def->reduced);
}

static tacStatus points_bake(const void *of, const Names *names, const tacProgress *progress, void **made,
                             tacError *error) {
  const Points *points = of;
  tacPointshell *shell = NULL;
  tacStatus status = tac_body_solid_shell_bake(points->def, progress, &shell, error);
  *made = shell;
  return status == TAC_OK ? tac_pointshell_write(shell, names->asset, error) : status;
}

static const tacBakeChecks *points_checks(const void *made) {
  return tac_pointshell_checks(made);
}

static void points_destroy(void *made) {
  tac_pointshell_destroy(made);
}

static tacStatus fetch_points(Points *points, const tacProgress *progress, void **made, tacSceneAsset *asset,
                              tacError *error) {
  static const Kind kind = {".points", points_read, points_fit, points_checks, points_bake, points_destroy};
  Job job = {&kind, points, {0}, points->again, false, progress, NULL};
  return fetch(points->folder, points->name, tac_bake_key_points(points->def), &job, made, asset, error);
}

static tacStatus embedded_bake(const void *of, const Names *names, const tacProgress *progress, void **made,
                               tacError *error) {
  Points points = *(const Points *)of;
  const tacPointshell *ready = points.def->ready;
  void *rigid = NULL;
  tacPointshell *shell = NULL;
  tacStatus status = ready != NULL ? TAC_OK : fetch_points(&points, progress, &rigid, NULL, error);
  if (status != TAC_OK) return status;
  status = tac_pointshell_embed(ready != NULL ? ready : rigid, points.def->reduced, &shell, error);
  tac_pointshell_destroy(rigid);
  *made = shell;
  return status == TAC_OK ? tac_pointshell_write(shell, names->asset, error) : status;
}

tacStatus tac_bake_cache_points(const char *folder, const char *name, const tacShellDef *def, bool again,
                                const tacProgress *progress, tacPointshell **shell, tacSceneAsset *asset,
                                tacError *error) {
  static const Kind kind = {".embedded", points_read, embedded_fit, points_checks, embedded_bake, points_destroy};
  Points points = {folder, name, def, again && !def->placed};
  Job job = {&kind, &points, {0}, again, false, progress, NULL};
  void *made;
  tacStatus status = def->reduced == NULL ? fetch_points(&points, progress, &made, asset, error)
                                          : fetch(folder, name, tac_bake_key_embedded(def), &job, &made, asset, error);
  *shell = made;
  return status;
}

/* Deformed fields */

static tacStatus deformed_read(const char *path, void **made, tacError *error) {
  tacDeformedField *field = NULL;
  tacStatus status = tac_deformed_field_read(path, &field, error);
  *made = field;
  return status;
}

static bool deformed_fits(const void *made, const void *of) {
  const tacDeformedDef *def = of;
  return tac_deformed_field_coordinates(made) == tac_reduced_size(def->reduced) &&
         tac_deformed_field_domain_count(made) == (def->domain_count > 0 ? def->domain_count : 1);
}

static tacStatus deformed_bake(const void *def, const Names *names, const tacProgress *progress, void **made,
                               tacError *error) {
  tacDeformedField *field = NULL;
  tacStatus status = tac_body_solid_deformed_bake(def, progress, &field, error);
  *made = field;
  return status == TAC_OK ? tac_deformed_field_write(field, names->asset, error) : status;
}

static const tacBakeChecks *deformed_checks(const void *made) {
  return tac_deformed_field_checks(made);
}

static void deformed_destroy(void *made) {
  tac_deformed_field_destroy(made);
}

tacStatus tac_bake_cache_deformed(const char *folder, const char *name, const tacDeformedDef *def, bool again,
                                  const tacProgress *progress, tacDeformedField **field, tacSceneAsset *asset,
                                  tacError *error) {
  static const Kind kind = {".deformed",     deformed_read, deformed_fits,
                            deformed_checks, deformed_bake, deformed_destroy};
  Job job = {&kind, def, {0}, again, false, progress, NULL};
  void *made;
  tacStatus status = fetch(folder, name, tac_bake_key_deformed(def), &job, &made, asset, error);
  *field = made;
  return status;
}

/* Baked deformations */

typedef struct {
  const char *name;
  const tacVademecumLoadsDef *def;
} Loads;

static tacStatus loads_read(const char *path, void **made, tacError *error) {
  tacLoadField *loads = NULL;
  tacStatus status = tac_load_field_read(path, &loads, error);
  *made = loads;
  return status;
}

static bool loads_fit(const void *made, const void *of) {
  const tacVademecumLoadsDef *def = ((const Loads *)of)->def;
  return tac_load_field_coordinates(made) == tac_vademecum_mode_count(def->vademecum) &&
         tac_load_field_node_count(made) <= def->most;
}

static tacStatus loads_bake(const void *of, const Names *names, const tacProgress *progress, void **made,
                            tacError *error) {
  const Loads *wanted = of;
  tacVademecumLoads loads;
  tacLoadFieldEstimate estimate;
  tacLoadField *field = NULL;
  tacStatus status = tac_vademecum_loads_create(wanted->def, &loads, error);
  if (status == TAC_OK) status = tac_load_field_estimate(&loads.def, &estimate, error);
  if (status == TAC_OK)
    tac_log(TAC_LOG_INFO,
            "%s: distances to %d x %d deformations at %d x %d x %d places: at most %s, %s while they are baked",
            wanted->name, loads.def.node_count, loads.def.level_count, estimate.nodes[0], estimate.nodes[1],
            estimate.nodes[2], tac_text_bytes(estimate.bytes_dense).text, tac_text_bytes(estimate.bytes_bake).text);
  if (status == TAC_OK) status = tac_load_field_bake(&loads.def, progress, &field, error);
  tac_vademecum_loads_free(&loads);
  *made = field;
  return status == TAC_OK ? tac_load_field_write(field, names->asset, error) : status;
}

static const tacBakeChecks *loads_checks(const void *made) {
  return tac_load_field_checks(made);
}

static void loads_destroy(void *made) {
  tac_load_field_destroy(made);
}

tacStatus tac_bake_cache_loads(const char *folder, const char *name, const tacVademecumLoadsDef *def, bool again,
                               const tacProgress *progress, tacLoadField **loads, tacSceneAsset *asset,
                               tacError *error) {
  static const Kind kind = {".loads", loads_read, loads_fit, loads_checks, loads_bake, loads_destroy};
  Loads wanted = {name, def};
  Job job = {&kind, &wanted, {0}, again, false, progress, NULL};
  void *made;
  tacStatus status = fetch(folder, name, tac_bake_key_loads(def), &job, &made, asset, error);
  *loads = made;
  return status;
}

/* Meshes */

static tacStatus surface_read(const char *path, void **made, tacError *error) {
  tacTriMesh *mesh = NULL;
  tacStatus status = tac_made_surface_read(path, &mesh, error);
  *made = mesh;
  return status;
}

static bool surface_fits(const void *made, const void *of) {
  const tacShapeMesh *def = of;
  return def->vertices == 0 || ((const tacTriMesh *)made)->vertex_count == def->vertices;
}

static tacStatus surface_bake(const void *def, const Names *names, const tacProgress *progress, void **made,
                              tacError *error) {
  tacTriMesh *mesh = NULL;
  tacStatus status = tac_shape_mesh_make(def, progress, &mesh, error);
  *made = mesh;
  return status == TAC_OK && mesh->group_count == 0 ? tac_made_surface_write(mesh, names->asset, error) : status;
}

static void surface_destroy(void *made) {
  tac_trimesh_destroy(made);
}

tacStatus tac_bake_cache_surface(const char *folder, const tacShapeMesh *def, bool again, const tacProgress *progress,
                                 tacTriMesh **mesh, tacError *error) {
  static const Kind kind = {".surface", surface_read, surface_fits, NULL, surface_bake, surface_destroy};
  Job job = {&kind, def, {0}, again, false, progress, NULL};
  void *made = NULL;
  uint64_t key;
  tacStatus status = tac_bake_key_surface(def, &key, error);
  if (status == TAC_OK) status = fetch(folder, def->shape, key, &job, &made, NULL, error);
  *mesh = made;
  return status;
}

static tacStatus volume_read(const char *path, void **made, tacError *error) {
  tacVolMesh *mesh = NULL;
  tacStatus status = tac_made_volume_read(path, &mesh, error);
  *made = mesh;
  return status;
}

static bool volume_fits(const void *made, const void *of) {
  const tacVolMesh *mesh = made;
  return ((const tacFilledMesh *)of)->tets > 0.0 ? mesh->brick_count == 0 : mesh->tet_count == 0;
}

static tacStatus volume_bake(const void *def, const Names *names, const tacProgress *progress, void **made,
                             tacError *error) {
  tacVolMesh *mesh = NULL;
  tacStatus status = tac_filled_mesh_make(def, progress, &mesh, error);
  *made = mesh;
  if (status != TAC_OK) return status;
  bool plain = mesh->group_count + mesh->vertex_set_count + mesh->material_count + mesh->region_count == 0;
  return plain ? tac_made_volume_write(mesh, names->asset, error) : TAC_OK;
}

static void volume_destroy(void *made) {
  tac_volmesh_destroy(made);
}

tacStatus tac_bake_cache_volume(const char *folder, const tacFilledMesh *def, bool again, const tacProgress *progress,
                                tacVolMesh **mesh, tacError *error) {
  static const Kind kind = {".volume", volume_read, volume_fits, NULL, volume_bake, volume_destroy};
  Job job = {&kind, def, {0}, again, false, progress, NULL};
  void *made;
  tacStatus status = fetch(folder, "filled", tac_bake_key_volume(def), &job, &made, NULL, error);
  *mesh = made;
  return status;
}
