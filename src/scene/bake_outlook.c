#include "scene/bake_outlook.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/files/checksum.h"
#include "base/files/input_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "kinds/scene_kinds.h"
#include "spec/cache/bake_cache.h"

static int assets_of(const tacSceneBody *body) {
  return tac_scene_kind_of(body)->assets + (body->field.node != NULL) + (body->field.loads > 0) +
         (body->points.node != NULL);
}

int tac_scene_asset_count(const tacScene *scene) {
  if (scene == NULL) return 0;
  int count = 0;
  for (int i = 0; i < scene->file.bodies.count; ++i) count += assets_of(tac_scene_file_body(&scene->file, i));
  return count;
}

int tac_bake_outlook_count(const tacScene *scene) {
  return scene->file.bodies.count + tac_scene_asset_count(scene);
}

/* ---- keys ---- */

static void mix(uint64_t *sum, const void *bytes, size_t size) {
  uint64_t pair[2] = {*sum, size > 0 ? tac_checksum(bytes, size) : 0};
  *sum = tac_checksum(pair, sizeof pair);
}

static void mix_text(uint64_t *sum, const char *text) {
  mix(sum, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}

/* True for a key of a body that does not affect the assets. */
static bool is_idle(const tacYamlNode *node) {
  static const char *const idle[] = {"position", "rotation", "copies",          "gravity", "velocity", "spin",
                                     "friction", "touch",    "rigid_stiffness", "contact", "mask"};
  for (size_t i = 0; i < sizeof idle / sizeof *idle; ++i)
    if (node->key != NULL && strcmp(node->key, idle[i]) == 0) return true;
  return false;
}

/* Adds the content of a node to a hash, independent of layout. */
static void mix_node(uint64_t *sum, const tacYamlNode *node, bool is_body) {
  int kind = (int)node->kind;
  mix(sum, &kind, sizeof kind);
  mix_text(sum, node->key);
  mix_text(sum, node->text);
  for (const tacYamlNode *child = node->first; child != NULL; child = child->next)
    if (!is_body || !is_idle(child)) mix_node(sum, child, false);
}

typedef struct {
  const tacScene *scene;
  const tacYamlNode *body;
  uint64_t sum;
} Files;

/* Adds the size and the beginning of a file to a hash. Mesh files may be large, and an estimate is enough here. */
static tacStatus mix_file(const tacYamlNode *node, const char *file, void *user, tacError *error) {
  enum { BEGINNING = 1 << 16 };
  Files *files = user;
  while (node != NULL && node != files->body) node = node->parent;
  if (node == NULL) return TAC_OK; /* a file of another body, or of a tool */
  TAC_MEMORY(unsigned char, bytes) = tac_array_create(BEGINNING, 1, "a file", error);
  TAC_MEMORY(char, path) = tac_body_path(files->scene->tree, file, error);
  if (bytes == NULL || path == NULL) return TAC_ERR_MEMORY;
  int descriptor = -1;
  size_t size = 0, filled = 0;
  if (tac_input_file_open(path, &descriptor, &size, NULL) == TAC_OK) {
    if (tac_input_file_read_at(descriptor, path, 0, BEGINNING, bytes, &filled, NULL) != TAC_OK) filled = 0;
    close(descriptor);
  }
  mix(&files->sum, &size, sizeof size);
  mix(&files->sum, bytes, filled);
  return TAC_OK;
}

static tacStatus key_of_body(const tacScene *scene, const tacSceneBody *body, uint64_t *key, tacError *error) {
  Files files = {scene, body->node, tac_scene_kinds_versions()};
  if (scene->file.small) mix_text(&files.sum, "small");
  mix_node(&files.sum, body->node, true);
  TAC_TRY(tac_scene_file_visit(&scene->file, mix_file, &files, error));
  *key = files.sum;
  return TAC_OK;
}

/* ---- estimates ---- */

static tacStatus list_keys(const tacScene *scene, tacBakeExpected *expected, tacError *error) {
  for (int b = 0, at = 0; b < scene->file.bodies.count; ++b) {
    const tacSceneBody *body = tac_scene_file_body(&scene->file, b);
    uint64_t key;
    TAC_TRY(key_of_body(scene, body, &key, error));
    for (int i = -1; i < assets_of(body); ++i) { /* -1 is the mesh */
      uint64_t own = key;
      mix(&own, &i, sizeof i);
      expected[at++] = (tacBakeExpected){.key = own, .mesh = i < 0, .seconds = -1.0};
    }
  }
  return TAC_OK;
}

/* Returns the ratio of the bake times on this machine to the shipped bake times, over all assets with both times. */
static double slowness(const tacBakeLedger *own, const tacBakeLedger *shipped) {
  double here = 0.0, there = 0.0;
  for (size_t i = 0; i < own->count; ++i) {
    const tacBakeEntry *other = tac_bake_ledger_find(shipped, own->entries[i].key);
    if (own->entries[i].seconds <= 0.0 || other == NULL || other->seconds <= 0.0) continue;
    here += own->entries[i].seconds;
    there += other->seconds;
  }
  return there > 0.5 ? here / there : 1.0; /* short times give no reliable ratio */
}

/* Marks a mesh as baked if all assets of the same body are baked. */
static void mark_meshes(int count, tacBakeExpected *expected) {
  for (int i = 0; i < count; ++i) {
    if (!expected[i].mesh) continue;
    bool all = i + 1 < count && !expected[i + 1].mesh;
    for (int j = i + 1; j < count && !expected[j].mesh; ++j) all = all && expected[j].baked;
    expected[i].baked = all;
  }
}

static bool is_there(const char *folder, const char *file, size_t *bytes) {
  char path[1300];
  struct stat found;
  snprintf(path, sizeof path, "%.1000s/%s", folder, file);
  if (file[0] == '\0' || stat(path, &found) != 0) return false;
  *bytes = (size_t)found.st_size;
  return true;
}

tacStatus tac_bake_outlook(const tacScene *scene, const char *folder, tacBakeExpected *expected, tacError *error) {
  TAC_FREED(tac_bake_ledger_free, tacBakeLedger, own) = {0};
  TAC_FREED(tac_bake_ledger_free, tacBakeLedger, shipped) = {0};
  TAC_FREED(tac_bake_ledger_free, tacBakeLedger, prebaked) = {0};
  char path[1200], shared[1000], shared_path[1200];
  TAC_MEMORY(char, beside) = tac_body_path(scene->tree, TAC_BAKE_LEDGER_SHIPPED, error);
  if (beside == NULL) return TAC_ERR_MEMORY;
  snprintf(path, sizeof path, "%.1000s/" TAC_BAKE_LEDGER_NAME, folder);
  TAC_TRY(list_keys(scene, expected, error));
  TAC_TRY(tac_bake_ledger_read(path, &own, error));
  TAC_TRY(tac_bake_ledger_read(beside, &shipped, error));
  bool has_shared = tac_bake_cache_prebaked(shared, sizeof shared);
  snprintf(shared_path, sizeof shared_path, "%s/" TAC_BAKE_LEDGER_NAME, has_shared ? shared : "");
  if (has_shared) TAC_TRY(tac_bake_ledger_read(shared_path, &prebaked, error));
  double slower = slowness(&own, &shipped);
  int count = tac_bake_outlook_count(scene);
  for (int i = 0; i < count; ++i) {
    const tacBakeEntry *mine = tac_bake_ledger_find(&own, expected[i].key);
    const tacBakeEntry *other = tac_bake_ledger_find(&shipped, expected[i].key);
    const tacBakeEntry *ready = tac_bake_ledger_find(&prebaked, expected[i].key);
    expected[i].baked = (mine != NULL && is_there(folder, mine->file, &expected[i].bytes)) ||
                        (ready != NULL && is_there(shared, ready->file, &expected[i].bytes));
    if (mine != NULL && mine->seconds >= 0.0)
      expected[i].seconds = mine->seconds;
    else if (other != NULL && other->seconds >= 0.0)
      expected[i].seconds = slower * other->seconds;
    else if (ready != NULL)
      expected[i].seconds = ready->seconds;
  }
  mark_meshes(count, expected);
  return TAC_OK;
}

/* Fills the entry of a mesh. False if the mesh was read from the cache, which takes far less time than expected. */
static bool note_mesh(const tacBakeExpected *e, tacBakeEntry *entry) {
  *entry = (tacBakeEntry){.key = e->key, .seconds = e->took};
  return !e->baked && e->took > fmax(0.02, 0.3 * e->seconds);
}

static bool note_asset(const char *folder, const tacBakeExpected *e, const tacSceneAsset *asset, tacBakeEntry *entry) {
  const char *slash = strrchr(asset->path, '/'), *file = slash != NULL ? slash + 1 : asset->path;
  if (file[0] == '\0' || strlen(file) >= sizeof entry->file || strpbrk(file, " \n\t") != NULL) return false;
  /* A file that the scene names is not in the cache folder and needs no bake. */
  if (slash == NULL || strncmp(asset->path, folder, strlen(folder)) != 0) return false;
  *entry = (tacBakeEntry){.key = e->key, .seconds = asset->was_cached ? -1.0 : asset->seconds};
  strcpy(entry->file, file);
  return true;
}

void tac_bake_outlook_note(const char *folder, int count, const tacBakeExpected *expected,
                           const tacSceneAsset *assets) {
  TAC_MEMORY(tacBakeEntry, entries) = tac_array_create((size_t)count, sizeof *entries, "bake times", NULL);
  size_t noted = 0;
  for (int i = 0; entries != NULL && i < count; ++i) {
    bool is_noted = expected[i].mesh ? note_mesh(&expected[i], &entries[noted])
                                     : note_asset(folder, &expected[i], assets++, &entries[noted]);
    if (is_noted) ++noted;
  }
  if (noted > 0) tac_bake_ledger_note(folder, noted, entries, NULL);
}

tacStatus tac_scene_outlook(const tacScene *scene, const char *cache, tacSceneOutlook *outlook, tacError *error) {
  int count = tac_bake_outlook_count(scene);
  *outlook = (tacSceneOutlook){.assets = tac_scene_asset_count(scene)};
  TAC_MEMORY(char, folder) = cache != NULL ? tac_array_text(cache, error) : tac_bake_cache_folder(error);
  TAC_MEMORY(tacBakeExpected, expected) = NULL;
  if (folder == NULL) return cache != NULL ? TAC_ERR_MEMORY : TAC_ERR_FILE;
  TAC_TRY(TAC_ARRAY(expected, (size_t)count, "assets", error));
  TAC_TRY(tac_bake_outlook(scene, folder, expected, error));
  bool known = true;
  for (int i = 0; i < count; ++i) {
    outlook->bytes += expected[i].bytes;
    if (expected[i].baked) continue;
    if (expected[i].mesh) { /* a mesh counts only if the body has assets */
      bool wanted = i + 1 < count && !expected[i + 1].mesh;
      if (wanted && expected[i].seconds > 0.0) outlook->seconds += expected[i].seconds;
      continue;
    }
    ++outlook->missing;
    known = known && expected[i].seconds >= 0.0;
    outlook->seconds += expected[i].seconds;
  }
  if (!known) outlook->seconds = -1.0;
  return TAC_OK;
}
