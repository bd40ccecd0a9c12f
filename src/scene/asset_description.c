/* Describes the assets of a baked scene, or an asset file, in text. */
#include "scene/asset_description.h"
#include <stdio.h>
#include <string.h>
#include "asset/deformed_field.h"
#include "asset/load_field.h"
#include "base/files/chunk_file.h"
#include "base/text.h"
#include "kinds/body_kind.h"
#include "kinds/scene_kinds.h"
#include "scene/scene.h"
#include "scene/scene_parts.h"

/* Returns a text such as "128 x 128 x 128 voxels of 1.6 mm". */
static tacText voxels(const tacDistanceField *field) {
  const tacGrid *grid = tac_distance_field_grid(field);
  tacText text;
  snprintf(text.text, sizeof text.text, "%d x %d x %d voxels of %.12s", grid->nx - 1, grid->ny - 1, grid->nz - 1,
           tac_text_length(grid->spacing).text);
  return text;
}

static void describe_field(const tacSceneLines *to, const tacDistanceField *field, const tacSceneAsset *asset) {
  tac_lines_add(to, "", "field of %s, %s", voxels(field).text, tac_body_description_made(asset).text);
}

static void describe_deformed(const tacSceneLines *to, const tacDeformedField *field, const tacSceneAsset *asset) {
  int domains = tac_deformed_field_domain_count(field), proxies = 0;
  for (int i = 0; i < domains; ++i) proxies += tac_deformed_field_proxy_count(field, i);
  tac_lines_add(to, "", "field of %s, %d proxies in %s, %s", voxels(tac_deformed_field_domain(field, 0)).text, proxies,
                tac_text_many(domains, "domain").text, tac_body_description_made(asset).text);
}

static void describe_loads(const tacSceneLines *to, const tacLoadField *field, const tacSceneAsset *asset) {
  const tacLoadFieldInfo *info = tac_load_field_info(field);
  tac_lines_add(to, "", "distances to %d x %d deformations at %d x %d x %d sample points, rank %.1f, to %s, %s",
                tac_load_field_node_count(field), tac_load_field_level_count(field), info->nodes[0], info->nodes[1],
                info->nodes[2], info->rank_mean, tac_text_length(info->error).text,
                tac_body_description_made(asset).text);
}

static void describe_points(const tacSceneLines *to, const tacPointshell *shell, const tacSceneAsset *asset) {
  int levels = tac_pointshell_level_count(shell);
  tac_lines_add(to, "", "%s on %s, the first level has %d, %s",
                tac_text_many(tac_pointshell_size(shell, levels - 1), "point").text,
                tac_text_many(levels, "level").text, tac_pointshell_size(shell, 0),
                tac_body_description_made(asset).text);
}

static void describe_checks(const tacSceneLines *to, const tacBakeChecks *checks) {
  double worst = 0.0;
  for (int i = 0; i < checks->count; ++i) {
    double share = checks->checks[i].worst / checks->checks[i].allowed;
    if (share > worst) worst = share;
  }
  if (checks->count > 0)
    tac_lines_add(to, "", "%s passed; the largest error is %.1g of its allowed value",
                  tac_text_many(checks->count, "check").text, worst);
}

/* Describes an asset that contacts use: a field, a deformed field, a load field or points. Returns the checks of the
 * asset; NULL for another asset. */
static const tacBakeChecks *describe_common(const tacSceneLines *to, const tacBakedBody *baked,
                                            const tacSceneAsset *asset) {
  if (strcmp(asset->kind, "field") == 0) {
    describe_field(to, baked->field, asset);
    return tac_distance_field_checks(baked->field);
  }
  if (strcmp(asset->kind, "deformed") == 0) {
    describe_deformed(to, baked->deformed, asset);
    return tac_deformed_field_checks(baked->deformed);
  }
  if (strcmp(asset->kind, "loads") == 0) {
    describe_loads(to, baked->loads, asset);
    return tac_load_field_checks(baked->loads);
  }
  if (strcmp(asset->kind, "points") == 0) {
    describe_points(to, baked->shell, asset);
    return tac_pointshell_checks(baked->shell);
  }
  return NULL;
}

/* True if the asset is specific to the body's kind. The first line of such an asset has the name of the body. */
static bool is_own(const tacScene *scene, const tacSceneAsset *asset) {
  return tac_scene_made(scene, asset->body, asset->kind) != NULL;
}

static void describe_asset(const tacSceneLines *to, const tacScene *scene, const tacSceneAsset *asset) {
  const tacSceneKind *kind = tac_scene_kind_of(tac_scene_file_body(&scene->file, asset->body));
  const void *made = tac_scene_made(scene, asset->body, asset->kind);
  const tacBakeChecks *checks;
  if (made != NULL) {
    int copies = tac_scene_body_copies(scene, asset->body);
    kind->describe_asset(to, tac_scene_body_name(scene, asset->body), made, asset);
    if (copies > 1) tac_lines_add(to, "", "%d copies", copies);
    checks = kind->checks(made);
  } else {
    checks = describe_common(to, &scene->baked[asset->body], asset);
  }
  if (checks != NULL) describe_checks(to, checks);
}

void tac_scene_describe_assets(const tacScene *scene, const tacSceneAsset *assets, bool only_new, tacSceneLineFn line,
                               void *user) {
  const tacSceneLines to = {line, user};
  int at = 0, count = tac_scene_asset_count(scene);
  for (int body = 0; body < tac_scene_body_count(scene); ++body) {
    const char *name = tac_scene_body_name(scene, body);
    bool named = false, plain = true;
    for (int i = at; i < count && assets[i].body == body; ++i) plain = plain && !is_own(scene, &assets[i]);
    if (plain && !only_new) {
      tac_lines_add(&to, name, "%s, %s", tac_scene_body_kind_name(scene, body),
                    tac_text_many(tac_scene_surface(scene, body)->vertex_count, "vertex").text);
      named = true;
    }
    for (; at < count && assets[at].body == body; ++at) {
      if (only_new && assets[at].was_cached) continue;
      if (!named && !is_own(scene, &assets[at])) tac_lines_add(&to, name, "%s", "");
      named = true;
      describe_asset(&to, scene, &assets[at]);
    }
  }
}

tacStatus tac_asset_describe(const char *path, tacSceneLineFn line, void *user, tacError *error) {
  const tacSceneLines to = {line, user};
  tacChunkFile *file = NULL;
  TAC_TRY(tac_chunk_file_open(path, &file, error));
  const tacSceneKind *found = NULL;
  for (int i = 0; i < tac_body_kind_count() && found == NULL; ++i) {
    const tacSceneKind *kind = tac_body_kind_at(i)->scene;
    if (kind != NULL && kind->file != NULL && strcmp(kind->file, tac_chunk_file_kind(file)) == 0) found = kind;
  }
  tac_chunk_file_close(file);
  return found != NULL ? found->describe_file(&to, path, error) : TAC_OK;
}
