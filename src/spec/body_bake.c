#include "spec/body_bake.h"

#include "spec/cache/solid_cache.h"
#include "spec/ready_solid.h"

tacBodyMaker tac_body_bake_maker(const tacBodyBake *b) {
  return (tacBodyMaker){b->tree, b->body, b->progress, b->error, b->relaxed, b->folder, b->again};
}

tacSceneAsset *tac_body_bake_asset(tacBodyBake *b, const char *kind) {
  tac_bake_steps_asset(b->steps);
  *b->asset = (tacSceneAsset){.body = b->index, .kind = kind};
  return b->asset++;
}

tacStatus tac_body_bake_error(const tacBodyBake *b, const tacYamlNode *node, tacStatus status, const tacError *reason) {
  bool cached = status == TAC_ERR_FILE || status == TAC_ERR_FORMAT || status == TAC_ERR_VERSION;
  if (status == TAC_OK) return TAC_OK;
  return tac_yaml_error(b->tree, cached ? b->body->node : node, status, b->error, "%.420s", reason->text);
}

tacStatus tac_body_bake_field(tacBodyBake *b, const tacTriMesh *mesh) {
  if (b->body->field.node == NULL) return TAC_OK;
  tacSceneAsset *asset = tac_body_bake_asset(b, "field");
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
      tac_solid_cache_field(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->field, asset, &reason);
  return tac_body_bake_error(b, b->body->field.node, status, &reason);
}

tacStatus tac_body_bake_shell(tacBodyBake *b, const tacTriMesh *mesh, const tacDistanceField *field, tacShellDef *def,
                              tacPointshell **ready, tacSceneAsset *asset) {
  *ready = NULL;
  *def = tac_body_solid_shell(b->body, mesh);
  tacSolidDef own = tac_body_solid_of_field(b->body, mesh);
  if (b->body->points.file != NULL) {
    tacBodyMaker maker = tac_body_bake_maker(b);
    tacReadyFile file;
    tacStatus status = tac_ready_solid_points(&maker, mesh, ready, &file, asset);
    if (status != TAC_OK) return status;
    def->ready = *ready;
    def->ready_key = file.checksum;
    tac_ready_file_free(&file);
  } else if (field != NULL && tac_body_solid_same(&def->solid, &own)) {
    def->field = field;
    def->field_key = b->field_key;
  }
  return TAC_OK;
}

tacStatus tac_body_bake_points(tacBodyBake *b, const tacTriMesh *mesh, const tacDistanceField *field) {
  if (b->body->points.node == NULL) return TAC_OK;
  tacError reason;
  tacShellDef def;
  tacSceneAsset *asset = tac_body_bake_asset(b, "points");
  tacStatus status = tac_body_bake_shell(b, mesh, field, &def, &b->baked->shell, asset);
  if (status != TAC_OK || def.ready != NULL) return status;
  status =
      tac_solid_cache_points(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->shell, asset, &reason);
  return tac_body_bake_error(b, b->body->points.node, status, &reason);
}
