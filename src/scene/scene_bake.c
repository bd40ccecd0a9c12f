#include "scene/scene_bake.h"
#include <stdlib.h>
#include <string.h>
#include <tactus/distance_field.h>
#include <tactus/scene.h>
#include "base/error.h"
#include "base/files/checksum.h"
#include "base/files/input_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "kinds/scene_kinds.h"
#include "record/recorded_assets.h"
#include "scene/bake_outlook.h"
#include "scene/contact_resolution.h"
#include "scene/scene_parts.h"
#include "spec/cache/bake_cache.h"

static tacStatus bake_body(tacBodyBake *b) {
  const tacSceneKind *kind = tac_scene_kind_of(b->body);
  tac_baked_body_free(b->baked);
  b->relaxed = kind->relaxes;
  tacStatus status = kind->bake(b);
  if (status != TAC_OK) tac_baked_body_free(b->baked);
  return status;
}

/* Adds the shared objects with body kinds to the recorded assets, because runs depend on the code of the kinds. */
static tacStatus name_kinds(tacScene *scene, size_t *room, tacError *error) {
  const char *const *files = scene->file.kinds.items;
  for (int i = 0; i < scene->file.kinds.count; ++i) {
    TAC_FREED(tac_input_file_free, tacInputFile, input) = {0};
    TAC_MEMORY(char, path) = tac_body_path(scene->tree, files[i], error);
    TAC_TRY(path != NULL ? tac_input_file_read(path, TAC_INPUT_PLUGIN, &input, error) : TAC_ERR_MEMORY);
    const char *slash = strrchr(files[i], '/');
    TAC_TRY(tac_recorded_assets_add(tac_checksum(input.bytes, input.size), slash != NULL ? slash + 1 : files[i],
                                    &scene->assets, room, error));
  }
  return TAC_OK;
}

static tacStatus name_assets(tacScene *scene, int count, const tacSceneAsset *assets, tacError *error) {
  size_t room = 0;
  free(scene->assets);
  scene->assets = NULL;
  TAC_TRY(name_kinds(scene, &room, error));
  for (int i = 0; i < count; ++i) {
    if (assets[i].path[0] == 0) continue; /* an exact field, which is not baked */
    const char *slash = strrchr(assets[i].path, '/');
    TAC_TRY(tac_recorded_assets_add(assets[i].checksum, slash != NULL ? slash + 1 : assets[i].path, &scene->assets,
                                    &room, error));
  }
  return TAC_OK;
}

tacStatus tac_scene_bake(tacScene *scene, const char *cache, bool again, const tacProgress *progress,
                         tacSceneAsset *assets, tacError *error) {
  TAC_REQUIRE(error, scene);
  char *folder = cache != NULL ? tac_array_text(cache, error) : tac_bake_cache_folder(error);
  if (folder == NULL) return cache != NULL ? TAC_ERR_MEMORY : TAC_ERR_FILE;
  int count = tac_scene_asset_count(scene), step_count = tac_bake_outlook_count(scene);
  TAC_MEMORY(tacSceneAsset, made) = tac_array_create((size_t)count, sizeof *made, "assets", error);
  TAC_MEMORY(tacBakeExpected, expected) = tac_array_create((size_t)step_count, sizeof *expected, "assets", error);
  tacStatus status = made != NULL && expected != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_bake_outlook(scene, folder, expected, error);
  for (int i = 0; status == TAC_OK && again && i < step_count; ++i) expected[i].baked = false;
  tacBakeSteps steps;
  tac_bake_steps_begin(progress, status == TAC_OK ? step_count : 0, expected, &steps);
  const tacProgress stepwise = tac_bake_steps_progress(&steps);
  tacBodyBake bake = {.tree = scene->tree,
                      .folder = folder,
                      .again = again,
                      .progress = &stepwise,
                      .steps = &steps,
                      .asset = made,
                      .error = error};
  for (int i = 0; status == TAC_OK && i < scene->file.bodies.count; ++i) {
    bake.index = i;
    bake.field_key = 0;
    bake.body = tac_scene_file_body(&scene->file, i);
    bake.baked = &scene->baked[i];
    tac_bake_steps_body(&steps, bake.body->name);
    status = bake_body(&bake);
  }
  if (status == TAC_OK) status = name_assets(scene, count, made, error);
  if (status == TAC_OK) status = tac_contact_resolution_check(scene, error);
  if (status == TAC_OK) tac_bake_steps_end(&steps);
  if (status == TAC_OK) tac_bake_outlook_note(folder, step_count, expected, made);
  if (assets != NULL && made != NULL) memcpy(assets, made, (size_t)count * sizeof *made);
  free(scene->cache);
  scene->cache = folder;
  return status;
}

const char *tac_scene_assets(const tacScene *scene) {
  return scene != NULL && scene->assets != NULL ? scene->assets : "";
}

/* Returns the results of a body; NULL before the bake, and if there is no such body. */
static const tacBakedBody *baked_body(const tacScene *scene, int body) {
  bool exists = scene != NULL && scene->baked != NULL && body >= 0 && body < scene->file.bodies.count;
  return exists ? &scene->baked[body] : NULL;
}

const void *tac_scene_made(const tacScene *scene, int body, const char *ending) {
  const tacBakedBody *baked = baked_body(scene, body);
  if (baked == NULL || ending == NULL) return NULL;
  const tacSceneKind *kind = tac_scene_kind_of(tac_scene_file_body(&scene->file, body));
  return kind->made != NULL ? kind->made(baked, ending) : NULL;
}

const tacTriMesh *tac_scene_surface(const tacScene *scene, int body) {
  const tacBakedBody *baked = baked_body(scene, body);
  return baked != NULL ? baked->surface : NULL;
}

const tacPointshell *tac_scene_points(const tacScene *scene, int body) {
  const tacBakedBody *baked = baked_body(scene, body);
  return baked != NULL ? baked->shell : NULL;
}

const tacDistanceField *tac_scene_field(const tacScene *scene, int body) {
  const tacBakedBody *baked = baked_body(scene, body);
  return baked != NULL ? baked->field : NULL;
}

const tacLoadField *tac_scene_load_field(const tacScene *scene, int body) {
  return scene->baked[body].loads;
}

const tacDeformedField *tac_scene_deformed_field(const tacScene *scene, int body) {
  return scene->baked[body].deformed;
}
