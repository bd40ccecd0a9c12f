#include "kinds/vademecum/vademecum_cache.h"

#include <string.h>
#include "asset/load_field.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "spec/cache/bake_key.h"

#define LOADS_VERSION 1 /* increment this version if the bake of the same definition gives other numbers */

uint64_t tac_vademecum_cache_key(const tacVademecumDef *def) {
  uint64_t sum = TAC_VADEMECUM_CACHE_VERSION;
  size_t flags = (size_t)def->mesh->vertex_count * sizeof *def->fixed;
  tac_key_volume(&sum, def->mesh);
  tac_key_mix(&sum, def->material.law, strlen(def->material.law));
  tac_key_mix(&sum, def->material.parameters, sizeof def->material.parameters);
  tac_key_number(&sum, def->material.density);
  tac_key_mix(&sum, def->fixed, flags);
  tac_key_count(&sum, def->accessible != NULL);
  if (def->accessible != NULL) tac_key_mix(&sum, def->accessible, flags);
  tac_key_mix(&sum, &def->direction, sizeof def->direction);
  tac_key_number(&sum, def->load);
  tac_key_number(&sum, def->patch);
  tac_key_number(&sum, def->accuracy);
  tac_key_number(&sum, def->residual);
  const int64_t counts[] = {def->linear, def->mode_most, def->path_most, def->method, def->sample_count};
  tac_key_mix(&sum, counts, sizeof counts);
  return sum;
}

typedef struct {
  const char *name;
  const tacVademecumDef *def;
} Vademecum;

TAC_ASSET_FUNCTIONS(tacVademecum, vademecum, vademecum)

static bool fits_vademecum(const void *made, const void *of) {
  const tacVademecumDef *def = ((const Vademecum *)of)->def;
  const tacVademecumInfo *info = tac_vademecum_info(made);
  return info->node_count == def->mesh->vertex_count && info->element_count == def->mesh->tet_count &&
         info->mode_count <= def->mode_most && tac_vademecum_is_linear(made) == def->linear &&
         tac_vademecum_load_most(made) == def->load;
}

static tacStatus bake_vademecum(const void *of, const tacAssetNames *names, const tacProgress *progress, void **made,
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
  *made = vademecum;
  return status;
}

static const tacBakeChecks *checks_of_vademecum(const void *made) {
  return tac_vademecum_checks(made);
}

tacStatus tac_vademecum_cache(const char *folder, const char *name, const tacVademecumDef *def, bool again,
                              const tacProgress *progress, tacVademecum **vademecum, tacSceneAsset *asset,
                              tacError *error) {
  static const tacAssetType type = {.ending = ".vademecum",
                                    .read = read_vademecum,
                                    .fits = fits_vademecum,
                                    .checks = checks_of_vademecum,
                                    .bake = bake_vademecum,
                                    .destroy = destroy_vademecum};
  Vademecum wanted = {name, def};
  tacAssetWant want = {folder, "solid", tac_vademecum_cache_key(def), &wanted, again, progress};
  void *made;
  tacStatus status = tac_bake_cache_fetch(&type, &want, &made, asset, error);
  *vademecum = made;
  return status;
}

/* ---- distance fields ---- */

static uint64_t key_of_loads(const tacVademecumLoadsDef *def) {
  uint64_t sum = LOADS_VERSION;
  tac_key_mix(&sum, &def->key, sizeof def->key);
  tac_key_count(&sum, def->most);
  tac_key_count(&sum, def->resolution);
  return sum;
}

typedef struct {
  const char *name;
  const tacVademecumLoadsDef *def;
} Loads;

TAC_ASSET_FUNCTIONS(tacLoadField, load_field, load_field)

static bool fits_loads(const void *made, const void *of) {
  const tacVademecumLoadsDef *def = ((const Loads *)of)->def;
  return tac_load_field_coordinates(made) == tac_vademecum_mode_count(def->vademecum) &&
         tac_load_field_node_count(made) <= def->most;
}

static tacStatus bake_loads(const void *of, const tacAssetNames *names, const tacProgress *progress, void **made,
                            tacError *error) {
  const Loads *wanted = of;
  TAC_FREED(tac_vademecum_loads_free, tacVademecumLoads, loads) = {0};
  tacLoadFieldEstimate estimate;
  tacLoadField *field = NULL;
  TAC_TRY(tac_vademecum_loads_create(wanted->def, &loads, error));
  TAC_TRY(tac_load_field_estimate(&loads.def, &estimate, error));
  tac_log(TAC_LOG_INFO,
          "%s: distances to %d x %d deformations at %d x %d x %d places: at most %s, %s while they are baked",
          wanted->name, loads.def.node_count, loads.def.level_count, estimate.nodes[0], estimate.nodes[1],
          estimate.nodes[2], tac_text_bytes(estimate.bytes_dense).text, tac_text_bytes(estimate.bytes_bake).text);
  TAC_TRY(tac_load_field_bake(&loads.def, progress, &field, error));
  *made = field;
  return tac_load_field_write(field, names->asset, error);
}

static const tacBakeChecks *checks_of_loads(const void *made) {
  return tac_load_field_checks(made);
}

tacStatus tac_vademecum_cache_loads(const char *folder, const char *name, const tacVademecumLoadsDef *def, bool again,
                                    const tacProgress *progress, tacLoadField **loads, tacSceneAsset *asset,
                                    tacError *error) {
  static const tacAssetType type = {.ending = ".loads",
                                    .read = read_load_field,
                                    .fits = fits_loads,
                                    .checks = checks_of_loads,
                                    .bake = bake_loads,
                                    .destroy = destroy_load_field};
  Loads wanted = {name, def};
  tacAssetWant want = {folder, name, key_of_loads(def), &wanted, again, progress};
  void *made;
  tacStatus status = tac_bake_cache_fetch(&type, &want, &made, asset, error);
  *loads = made;
  return status;
}
