#include <stdlib.h>
#include <string.h>
#include <tactus/scene.h>
#include "base/array.h"
#include "record/recorded_assets.h"
#include "scene/bake_cache.h"
#include "scene/bake_key.h"
#include "scene/body_problem.h"
#include "scene/reduced_problem.h"
#include "scene/scene_parts.h"

/* The bake of one body: what it is, where its assets go, and how they are made. */
typedef struct {
  const tacScene *scene;
  const tacSceneBody *body;
  tacBakedBody *baked;
  const char *folder;
  bool again;
  const tacProgress *progress;
  tacSceneAsset *asset; /* the next one */
  tacError *error;
} Bake;

/* Where the description of the next asset goes. */
static tacSceneAsset *next_asset(Bake *b, tacAssetKind kind) {
  *b->asset = (tacSceneAsset){.body = (int)(b->body - tac_scene_file_body(&b->scene->file, 0)), .kind = kind};
  return b->asset++;
}

static tacStatus blame(const Bake *b, const tacYamlNode *node, tacStatus status, const tacError *reason) {
  return status == TAC_OK ? TAC_OK : tac_yaml_error(b->scene->tree, node, status, b->error, "%.420s", reason->text);
}

static tacBodyMaker maker_of(const Bake *b) {
  return (tacBodyMaker){b->scene->tree, b->body, b->progress, b->error};
}

static tacStatus bake_green(Bake *b) {
  tacBodyProblem problem;
  tacError reason;
  tacStatus status = tac_body_problem_create(b->scene->tree, b->body, b->progress, &problem, b->error);
  if (status != TAC_OK) return status;
  tacSceneAsset *asset = next_asset(b, TAC_ASSET_GREEN);
  status = tac_bake_cache_green(b->folder, b->body->name, &problem.def, b->again, b->progress, &b->baked->green,
                                &b->baked->problem, asset, &reason);
  tac_body_problem_free(&problem);
  return blame(b, b->body->node, status, &reason);
}

/* A file of the cache has nothing to do with what the scene says. */
static const tacYamlNode *to_blame(const Bake *b, tacStatus status, const tacYamlNode *node) {
  bool cached = status == TAC_ERR_FILE || status == TAC_ERR_FORMAT || status == TAC_ERR_VERSION;
  return cached ? b->body->node : node;
}

/* What pairs need. `field`, where it is not NULL, is the body's own at rest. */
static tacStatus bake_points(Bake *b, const tacTriMesh *mesh, const tacDistanceField *field, uint64_t reduced_key) {
  if (b->body->points.node == NULL) return TAC_OK;
  tacError reason;
  tacShellDef def = tac_body_solid_shell(b->body, mesh);
  tacSolidDef own = tac_body_solid_of_field(b->body, mesh);
  if (field != NULL && tac_body_solid_same(&def.solid, &own)) def.field = field;
  def.reduced = b->baked->reduced;
  def.reduced_key = reduced_key;
  tacSceneAsset *asset = next_asset(b, TAC_ASSET_POINTS);
  tacStatus status =
      tac_bake_cache_points(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->shell, asset, &reason);
  return blame(b, to_blame(b, status, b->body->points.node), status, &reason);
}

static tacStatus bake_deformed(Bake *b, uint64_t reduced_key) {
  if (b->body->field.node == NULL) return TAC_OK;
  tacError reason;
  tacDeformedDef def;
  tacBodyMaker maker = maker_of(b);
  tacStatus status = tac_body_solid_deformed(&maker, tac_reduced_surface(b->baked->reduced), &def);
  if (status != TAC_OK) return status;
  def.reduced = b->baked->reduced;
  def.reduced_key = reduced_key;
  tacSceneAsset *asset = next_asset(b, TAC_ASSET_DEFORMED);
  status = tac_bake_cache_deformed(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->deformed, asset,
                                   &reason);
  return blame(b, to_blame(b, status, b->body->field.node), status, &reason);
}

static tacStatus bake_reduced(Bake *b) {
  tacReducedProblem problem;
  tacError reason;
  tacStatus status = tac_reduced_problem_create(b->scene->tree, b->body, b->progress, &problem, b->error);
  if (status != TAC_OK) return status;
  uint64_t key = tac_bake_key_reduced(&problem.def);
  tacSceneAsset *asset = next_asset(b, TAC_ASSET_REDUCED);
  status = tac_bake_cache_reduced(b->folder, b->body->name, &problem.def, b->again, b->progress, &b->baked->reduced,
                                  asset, &reason);
  tac_reduced_problem_free(&problem);
  if (status != TAC_OK) return blame(b, to_blame(b, status, b->body->reduced.basis.node), status, &reason);
  status = bake_deformed(b, key);
  if (status != TAC_OK) return status;
  bool whole = b->baked->deformed != NULL && b->body->field.domains.count == 0;
  return bake_points(b, tac_reduced_surface(b->baked->reduced),
                     whole ? tac_deformed_field_domain(b->baked->deformed, 0) : NULL, key);
}

static tacStatus bake_field(Bake *b) {
  if (b->body->field.node == NULL) return TAC_OK;
  tacError reason;
  tacSolidDef def = tac_body_solid_of_field(b->body, b->baked->surface);
  tacSceneAsset *asset = next_asset(b, TAC_ASSET_FIELD);
  tacStatus status =
      tac_bake_cache_field(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->field, asset, &reason);
  return blame(b, to_blame(b, status, b->body->field.node), status, &reason);
}

static tacStatus bake_rigid(Bake *b) {
  tacBodyMaker maker = maker_of(b);
  if (b->body->analytic.count > 0) return tac_body_solid_exact(&maker, &b->baked->surface, &b->baked->field);
  tacStatus status = tac_body_mesh_surface(&maker, &b->baked->surface);
  if (status == TAC_OK) status = bake_field(b);
  if (status == TAC_OK) status = bake_points(b, b->baked->surface, b->baked->field, 0);
  return status;
}

static tacStatus bake_body(Bake *b) {
  tac_baked_body_forget(b->baked);
  tacStatus status = b->body->kind == TAC_SCENE_GREEN     ? bake_green(b)
                     : b->body->kind == TAC_SCENE_REDUCED ? bake_reduced(b)
                                                          : bake_rigid(b);
  if (status != TAC_OK) tac_baked_body_forget(b->baked);
  return status;
}

static tacStatus name_assets(tacScene *scene, int count, const tacSceneAsset *assets, tacError *error) {
  size_t room = 0;
  tacStatus status = TAC_OK;
  free(scene->assets);
  scene->assets = NULL;
  for (int i = 0; i < count && status == TAC_OK; ++i) {
    if (assets[i].path[0] == 0) continue; /* exact: nothing was baked */
    const char *slash = strrchr(assets[i].path, '/');
    status = tac_recorded_assets_add(assets[i].checksum, slash != NULL ? slash + 1 : assets[i].path, &scene->assets,
                                     &room, error);
  }
  return status;
}

tacStatus tac_scene_bake(tacScene *scene, const char *cache, bool again, const tacProgress *progress,
                         tacSceneAsset *assets, tacError *error) {
  char *folder = cache != NULL ? tac_array_text(cache, error) : tac_bake_cache_folder(error);
  if (folder == NULL) return cache != NULL ? TAC_ERR_MEMORY : TAC_ERR_FILE;
  int count = tac_scene_asset_count(scene);
  tacSceneAsset *made = tac_array_create((size_t)count, sizeof *made, "assets", error);
  tacStatus status = made != NULL ? TAC_OK : TAC_ERR_MEMORY;
  Bake bake = {.scene = scene, .folder = folder, .again = again, .progress = progress, .asset = made, .error = error};
  for (int i = 0; status == TAC_OK && i < scene->file.bodies.count; ++i) {
    bake.body = tac_scene_file_body(&scene->file, i);
    bake.baked = &scene->baked[i];
    status = bake_body(&bake);
  }
  if (status == TAC_OK) status = name_assets(scene, count, made, error);
  if (assets != NULL && made != NULL) memcpy(assets, made, (size_t)count * sizeof *made);
  free(made);
  free(folder);
  return status;
}

const char *tac_scene_assets(const tacScene *scene) {
  return scene->assets != NULL ? scene->assets : "";
}

int tac_scene_asset_count(const tacScene *scene) {
  int count = 0;
  for (int i = 0; i < scene->file.bodies.count; ++i) {
    const tacSceneBody *body = tac_scene_file_body(&scene->file, i);
    count += (body->kind != TAC_SCENE_RIGID) + (body->field.node != NULL) + (body->points.node != NULL);
  }
  return count;
}

const tacGreen *tac_scene_green(const tacScene *scene, int body) {
  return scene->baked[body].green;
}

const tacReduced *tac_scene_reduced(const tacScene *scene, int body) {
  return scene->baked[body].reduced;
}

const tacTriMesh *tac_scene_surface(const tacScene *scene, int body) {
  return tac_baked_body_surface(&scene->baked[body]);
}

const tacPointshell *tac_scene_points(const tacScene *scene, int body) {
  return scene->baked[body].shell;
}

const tacDistanceField *tac_scene_field(const tacScene *scene, int body) {
  return scene->baked[body].field;
}

const tacDeformedField *tac_scene_deformed_field(const tacScene *scene, int body) {
  return scene->baked[body].deformed;
}
