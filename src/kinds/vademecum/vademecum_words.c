#include "kinds/vademecum/vademecum_words.h"

#include <stdio.h>
#include <tactus/vademecum.h>
#include "base/text.h"
#include "math/geometry/vec3.h"

/* After the bake */

void tac_vademecum_words_asset(const tacSceneLines *to, const char *label, const void *made,
                               const tacSceneAsset *asset) {
  const tacVademecum *vademecum = made;
  const tacVademecumInfo *info = tac_vademecum_info(vademecum);
  tac_scene_say(to, label, "%s, %s, %s up to %.4g N, %s, %s", tac_text_many(info->element_count, "element").text,
                tac_text_many(info->node_count, "vertex").text, tac_text_many(info->load_count, "load").text,
                tac_vademecum_load_most(vademecum), info->law, tac_body_description_made(asset).text);
  tac_scene_say(to, "", "%s from %s, forces from %s", tac_text_many(info->mode_count, "mode").text,
                tac_text_many(info->path_count, "path").text, tac_text_many(info->sampled_count, "element").text);
  tac_scene_say(to, "", "error of %s: mean %s, most %s; corrected mean %s, most %s; linear elasticity has %s",
                tac_text_many(info->sample_count, "load").text, tac_text_share(info->error_mean).text,
                tac_text_share(info->error_most).text, tac_text_share(info->corrected_mean).text,
                tac_text_share(info->corrected_most).text, tac_text_share(info->linear_mean).text);
  if (!info->reached)
    tac_scene_say(to, "", "that is more than the %s that are wanted: more modes or a smaller load would help",
                  tac_text_share(info->wanted).text);
  if (!asset->was_cached)
    tac_scene_say(to, "", "of its bake: linear %s, paths %s, modes %s, elements %s, loads %s, check %s",
                  tac_text_seconds(info->seconds_linear).text, tac_text_seconds(info->seconds_paths).text,
                  tac_text_seconds(info->seconds_basis).text, tac_text_seconds(info->seconds_elements).text,
                  tac_text_seconds(info->seconds_loads).text, tac_text_seconds(info->seconds_check).text);
}

/* What a file holds */

tacStatus tac_vademecum_words_file(const tacSceneLines *to, const char *path, tacError *error) {
  tacVademecum *vademecum = NULL;
  tacStatus status = tac_vademecum_read(path, &vademecum, error);
  if (status != TAC_OK) return status;
  const tacVademecumInfo *info = tac_vademecum_info(vademecum);
  const tacReduced *shape = tac_vademecum_shape(vademecum);
  const tacTriMesh *surface = tac_reduced_surface(shape);
  tacVec3 d = tac_vademecum_load_direction(vademecum);
  char direction[96] = "any direction";
  if (tac_vec3_norm(d) > 0.0) snprintf(direction, sizeof direction, "direction (%.3g, %.3g, %.3g)", d.x, d.y, d.z);
  tac_scene_say(to, "law", "%s", info->law);
  tac_scene_say(to, "volume", "%s, %s, %.4g kg", tac_text_many(info->node_count, "vertex").text,
                tac_text_many(info->element_count, "element").text, tac_reduced_mass(shape));
  tac_scene_say(to, "surface", "%s, %s, %s", tac_text_many(surface->vertex_count, "vertex").text,
                tac_text_many(surface->triangle_count, "triangle").text, tac_text_size(tac_trimesh_box(surface)).text);
  tac_scene_say(to, "loads", "at %s, up to %.4g N of %s", tac_text_many(info->load_count, "vertex").text,
                tac_vademecum_load_most(vademecum), direction);
  tac_scene_say(to, "modes", "%d, with %s of the load each", info->mode_count,
                tac_text_many(info->term_count, "term").text);
  tac_scene_say(to, "paths", "%s followed with all nodes", tac_text_many(info->path_count, "load").text);
  tac_scene_say(to, "sampled", "%s of %s", tac_text_many(info->sampled_count, "element").text,
                tac_text_count(info->element_count).text);
  tac_scene_say(to, "error", "of %s: mean %s, most %s; %s wanted", tac_text_many(info->sample_count, "load").text,
                tac_text_share(info->error_mean).text, tac_text_share(info->error_most).text,
                tac_text_share(info->wanted).text);
  tac_scene_say(to, "error, corrected", "mean %s, most %s%s", tac_text_share(info->corrected_mean).text,
                tac_text_share(info->corrected_most).text, info->reached ? "" : ": more than is wanted");
  tac_scene_say(to, "error of linear elasticity", "mean %s", tac_text_share(info->linear_mean).text);
  tac_scene_say(to, "residual", "%.2g of the linear separation", info->residual);
  tac_scene_say(to, "size", "%s", tac_text_bytes(info->bytes).text);
  tac_vademecum_destroy(vademecum);
  return TAC_OK;
}
