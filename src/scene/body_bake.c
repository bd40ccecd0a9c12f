#include "scene/body_bake.h"

#include "scene/bake_cache.h"
#include "scene/ready_solid.h"

tacBodyMaker tac_body_bake_maker(const tacBodyBake *b) {
  return (tacBodyMaker){b->tree, b->body, b->progress, b->error, b->relaxed, b->folder, b->again};
}

tacSceneAsset *tac_body_bake_asset(tacBodyBake *b, tacAssetKind kind) {
  tac_bake_steps_asset(b->steps);
  *b->asset = (tacSceneAsset){.body = b->index, .kind = kind};
  return b->asset++;
}

tacStatus tac_body_bake_blame(const tacBodyBake *b, const tacYamlNode *node, tacStatus status, const tacError *reason) {
  bool cached = status == TAC_ERR_FILE || status == TAC_ERR_FORMAT || status == TAC_ERR_VERSION;
  if (status == TAC_OK) return TAC_OK;
  return tac_yaml_error(b->tree, cached ? b->body->node : node, status, b->error, "%.420s", reason->text);
}

tacStatus tac_body_bake_field(tacBodyBake *b, const tacTriMesh *mesh) {
  if (b->body->field.node == NULL) return TAC_OK;
  tacSceneAsset *asset = tac_body_bake_asset(b, TAC_ASSET_FIELD);
  if (b->body->field.file != NULL) {
    tacBodyMaker maker = tac_body_bake_maker(b);
    tacReadyFile file;
    tacStatus status = tac_ready_solid_field(&maker, mesh, &b->baked->field, &file, asset);
    b->field_key = file.checksum;
    tac_ready_file_free(&file);
    return status;
  }
  tacError reason;
  tacSolidDef def = tac_body_solid_of_field(b->body, mesh);
  tacStatus status =
      tac_bake_cache_field(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->field, asset, &reason);
  return tac_body_bake_blame(b, b->body->field.node, status, &reason);
}

/* Points of a file, which move with the body where it has coordinates. */
static tacStatus take_points(tacBodyBake *b, const tacTriMesh *mesh, tacShellDef *def, tacSceneAsset *asset) {
  tacBodyMaker maker = tac_body_bake_maker(b);
  tacPointshell *ready;
  tacReadyFile file;
  tacError reason;
  tacStatus status = tac_ready_solid_points(&maker, mesh, &ready, &file, asset);
  if (status != TAC_OK) return status;
  def->ready = ready;
  def->ready_key = file.checksum;
  tac_ready_file_free(&file);
  if (def->reduced == NULL) {
    b->baked->shell = ready;
    return TAC_OK;
  }
  status =
      tac_bake_cache_points(b->folder, b->body->name, def, b->again, b->progress, &b->baked->shell, asset, &reason);
  tac_pointshell_destroy(ready);
  return tac_body_bake_blame(b, b->body->points.node, status, &reason);
}

tacStatus tac_body_bake_points(tacBodyBake *b, const tacTriMesh *mesh, const tacDistanceField *field,
                               uint64_t reduced_key) {
  if (b->body->points.node == NULL) return TAC_OK;
  tacError reason;
  tacShellDef def = tac_body_solid_shell(b->body, mesh);
  tacSolidDef own = tac_body_solid_of_field(b->body, mesh);
  def.reduced = tac_baked_body_reduced(b->baked);
  def.reduced_key = reduced_key;
  def.placed = b->placed >= 0.0;
  tacSceneAsset *asset = tac_body_bake_asset(b, TAC_ASSET_POINTS);
  if (b->body->points.file != NULL) return take_points(b, mesh, &def, asset);
  if (field != NULL && tac_body_solid_same(&def.solid, &own)) {
    def.field = field;
    def.field_key = b->field_key;
  }
  tacStatus status =
      tac_bake_cache_points(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->shell, asset, &reason);
  if (def.placed && !asset->was_cached) asset->seconds += b->placed;
  return tac_body_bake_blame(b, b->body->points.node, status, &reason);
}
