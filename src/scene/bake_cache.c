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
#include "base/array.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "base/folder.h"

/* To be raised when the same definition bakes to other numbers. */
#define VERSION 1

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

/* The key */

static void mix(uint64_t *sum, const void *bytes, size_t size) {
  uint64_t pair[2] = {*sum, size > 0 ? tac_checksum(bytes, size) : 0};
  *sum = tac_checksum(pair, sizeof pair);
}

static void mix_count(uint64_t *sum, int64_t count) {
  mix(sum, &count, sizeof count);
}

static void mix_surface(uint64_t *sum, const tacTriMesh *mesh) {
  mix_count(sum, mesh->vertex_count);
  mix(sum, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  mix_count(sum, mesh->triangle_count);
  mix(sum, mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles);
}

static void mix_volume(uint64_t *sum, const tacVolMesh *mesh) {
  mix_count(sum, mesh->vertex_count);
  mix(sum, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  mix_count(sum, mesh->tet_count);
  mix(sum, mesh->tets, (size_t)mesh->tet_count * sizeof *mesh->tets);
  mix_count(sum, mesh->brick_count);
  mix(sum, mesh->bricks, (size_t)mesh->brick_count * sizeof *mesh->bricks);
}

/* The fixed flags belong to the vertices of the surface: their number is what the caller's array has. */
static int surface_vertex_count(const tacReferenceDef *def) {
  if (def->volume == NULL) return def->surface->vertex_count;
  tacTriMesh *surface = NULL;
  if (tac_volmesh_surface(def->volume, &surface, NULL, NULL, NULL) != TAC_OK) return 0;
  int count = surface->vertex_count;
  tac_trimesh_destroy(surface);
  return count;
}

uint64_t tac_bake_cache_key(const tacGreenDef *def) {
  const tacReferenceDef *p = &def->problem;
  uint64_t sum = VERSION;
  mix_count(&sum, p->method);
  if (p->volume != NULL) {
    mix_volume(&sum, p->volume);
    if (p->material_of != NULL)
      mix(&sum, p->material_of, (size_t)(p->volume->tet_count + p->volume->brick_count) * sizeof *p->material_of);
  } else {
    mix_surface(&sum, p->surface);
  }
  mix_count(&sum, p->material_count);
  for (int i = 0; i < p->material_count; ++i) mix(&sum, p->materials[i].stiffness, sizeof p->materials[i].stiffness);
  mix(&sum, p->fixed, (size_t)surface_vertex_count(p) * sizeof *p->fixed);
  mix_count(&sum, p->sensor_count);
  for (int i = 0; i < p->sensor_count; ++i) {
    mix(&sum, p->sensors[i].name, strlen(p->sensors[i].name));
    mix_count(&sum, p->sensors[i].kind);
    mix(&sum, &p->sensors[i].point, sizeof p->sensors[i].point);
  }
  mix_count(&sum, def->wanted != NULL ? def->wanted_count : -1);
  if (def->wanted != NULL) mix(&sum, def->wanted, (size_t)def->wanted_count * sizeof *def->wanted);
  mix_count(&sum, def->storage);
  double radius = def->storage == TAC_GREEN_NEAR ? def->near_radius : 0.0;
  mix(&sum, &radius, sizeof radius);
  return sum;
}

/* Files */

typedef struct {
  char *green, *part, *factored, *lock;
} Names;

static char *file_name(const char *folder, const char *name, uint64_t key, const char *ending, tacError *error) {
  size_t size = strlen(folder) + strlen(name) + strlen(ending) + 32;
  char *path = tac_array_create(size, 1, "a path", error);
  if (path != NULL) snprintf(path, size, "%s/%s-%016" PRIx64 "%s", folder, name, key, ending);
  return path;
}

static tacStatus make_names(const char *folder, const char *name, uint64_t key, Names *names, tacError *error) {
  names->green = file_name(folder, name, key, ".green", error);
  names->part = file_name(folder, name, key, ".part", error);
  names->factored = file_name(folder, name, key, ".factored", error);
  names->lock = file_name(folder, name, key, ".lock", error);
  bool all = names->green != NULL && names->part != NULL && names->factored != NULL && names->lock != NULL;
  return all ? TAC_OK : TAC_ERR_MEMORY;
}

static void free_names(Names *names) {
  free(names->green);
  free(names->part);
  free(names->factored);
  free(names->lock);
}

/* Whether everything that the definition wants is there. */
static bool is_cached(const tacGreenDef *def, const Names *names) {
  return access(names->green, F_OK) == 0 && (def->storage != TAC_GREEN_NEAR || access(names->factored, F_OK) == 0);
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

static bool fits(const tacGreen *green, const tacGreenDef *def) {
  return tac_green_method(green) == def->problem.method && tac_green_storage(green) == def->storage &&
         tac_green_sensor_count(green) == def->problem.sensor_count &&
         tac_green_surface(green)->vertex_count == surface_vertex_count(&def->problem);
}

static tacStatus refuse_cached(tacStatus status, const char *path, const tacError *reason, tacError *error) {
  if (status == TAC_ERR_MEMORY || status == TAC_ERR_CANCELLED) return tac_error_set(error, status, "%s", reason->text);
  if (status == TAC_OK)
    return tac_error_set(error, TAC_ERR_FORMAT, "%.350s: not of this body; delete this cached file, or bake --again",
                         path);
  return tac_error_set(error, status, "%.380s; delete this cached file, or bake --again", reason->text);
}

/* Leaves `green` NULL where the file is of an older format. */
static tacStatus read_green(const char *path, const tacGreenDef *def, tacGreen **green, tacError *error) {
  tacError reason;
  tacStatus status = tac_green_read(path, green, &reason);
  if (status == TAC_ERR_VERSION || (status == TAC_OK && fits(*green, def))) return TAC_OK;
  tac_green_destroy(*green);
  *green = NULL;
  return refuse_cached(status, path, &reason, error);
}

static tacStatus bake(const tacGreenDef *def, const Names *names, const tacProgress *progress, tacGreen **green,
                      tacError *error) {
  tacGreenDef own = *def;
  own.checkpoint = names->part;
  own.factored = def->storage == TAC_GREEN_NEAR ? names->factored : NULL;
  tacStatus status = tac_green_bake(&own, progress, green, error);
  if (status == TAC_OK) status = tac_green_write(*green, names->green, error);
  if (status == TAC_OK) unlink(names->part); /* not before: a write that is interrupted loses no column */
  return status;
}

static void describe(const char *path, bool cached, int64_t start, tacSceneAsset *asset) {
  struct stat file;
  *asset = (tacSceneAsset){.was_cached = cached, .seconds = tac_clock_seconds(tac_clock_now() - start)};
  snprintf(asset->path, sizeof asset->path, "%s", path);
  asset->bytes = stat(path, &file) == 0 ? (size_t)file.st_size : 0;
}

static tacStatus fetch(const tacGreenDef *def, const Names *names, bool again, const tacProgress *progress,
                       tacGreen **green, tacReferenceProblem **problem, tacSceneAsset *asset, tacError *error) {
  int64_t start = tac_clock_now();
  tacStatus status = TAC_OK;
  if (!again && is_cached(def, names)) status = read_green(names->green, def, green, error);
  bool cached = *green != NULL;
  if (status == TAC_OK && !cached) status = bake(def, names, progress, green, error);
  if (status == TAC_OK && def->storage == TAC_GREEN_NEAR) {
    tacError reason;
    status = tac_reference_problem_read(names->factored, problem, &reason);
    if (status != TAC_OK) refuse_cached(status, names->factored, &reason, error);
  }
  if (status == TAC_OK && asset != NULL) describe(names->green, cached, start, asset);
  if (status != TAC_OK) {
    tac_green_destroy(*green);
    *green = NULL;
  }
  return status;
}

tacStatus tac_bake_cache_fetch(const char *folder, const char *name, const tacGreenDef *def, bool again,
                               const tacProgress *progress, tacGreen **green, tacReferenceProblem **problem,
                               tacSceneAsset *asset, tacError *error) {
  *green = NULL;
  *problem = NULL;
  Names names = {0};
  int lock = -1;
  tacStatus status = tac_folder_make(folder, error);
  if (status == TAC_OK) status = make_names(folder, name, tac_bake_cache_key(def), &names, error);
  if (status == TAC_OK && (again || !is_cached(def, &names))) status = take_lock(names.lock, progress, &lock, error);
  if (status == TAC_OK) status = fetch(def, &names, again, progress, green, problem, asset, error);
  if (lock >= 0) drop_lock(names.lock, lock);
  free_names(&names);
  return status;
}
