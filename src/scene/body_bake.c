#include "scene/body_bake.h"

#include "scene/bake_cache.h"

tacBodyMaker tac_body_bake_maker(const tacBodyBake *b) {
  return (tacBodyMaker){b->tree, b->body, b->progress, b->error, b->relaxed};
}

tacSceneAsset *tac_body_bake_asset(tacBodyBake *b, tacAssetKind kind) {
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
  tacError reason;
  tacSolidDef def = tac_body_solid_of_field(b->body, mesh);
  tacSceneAsset *asset = tac_body_bake_asset(b, TAC_ASSET_FIELD);
  tacStatus status =
      tac_bake_cache_field(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->field, asset, &reason);
  return tac_body_bake_blame(b, b->body->field.node, status, &reason);
}

tacStatus tac_body_bake_points(tacBodyBake *b, const tacTriMesh *mesh, const tacDistanceField *field,
                               uint64_t reduced_key) {
  if (b->body->points.node == NULL) return TAC_OK;
  tacError reason;
  tacShellDef def = tac_body_solid_shell(b->body, mesh);
  tacSolidDef own = tac_body_solid_of_field(b->body, mesh);
  if (field != NULL && tac_body_solid_same(&def.solid, &own)) def.field = field;
  def.reduced = tac_baked_body_reduced(b->baked);
  def.reduced_key = reduced_key;
  tacSceneAsset *asset = tac_body_bake_asset(b, TAC_ASSET_POINTS);
  tacStatus status =
      tac_bake_cache_points(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->shell, asset, &reason);
  return tac_body_bake_blame(b, b->body->points.node, status, &reason);
}
