#include "app/cli/scene/scene_bake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/green.h>
#include <tactus/reduced.h>
#include <tactus/vademecum.h>
#include "base/memory/array.h"
#include "base/text.h"

static const char *time_word(const tacSceneAsset *asset) {
  return asset->was_cached ? "cached" : "baked in ";
}

static tacText bake_time(const tacSceneAsset *asset) {
  return asset->was_cached ? (tacText){""} : tac_text_seconds(asset->seconds);
}

static void say_green(const char *name, const tacGreen *green, const tacSceneAsset *asset, tacConsole *console) {
  int vertices = tac_green_surface(green)->vertex_count, free_ones = 0;
  for (int i = 0; i < vertices; ++i) free_ones += !tac_green_fixed(green)[i];
  tac_console_say(console, "%s: %s (%d free), %s, %s%s, %s, Betti defect %.2g", name,
                  tac_text_many(vertices, "vertex").text, free_ones,
                  tac_green_method(green) == TAC_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements",
                  time_word(asset), bake_time(asset).text, tac_text_bytes((double)asset->bytes).text,
                  tac_green_betti_defect(green));
}

/* What the basis was made from: "6 modes and 21 derivatives", "a sketch". */
static tacText basis_data(const tacReduced *reduced) {
  const char *source = tac_reduced_info(reduced)->source;
  bool drawn = strcmp(source, "modes") != 0;
  int modes = tac_reduced_info(reduced)->mode_count, derivatives = 0;
  for (int i = 0; i < tac_reduced_shape_count(reduced); ++i)
    derivatives += strncmp(tac_reduced_shape_label(reduced, i), "derivative", 10) == 0;
  tacText text;
  if (modes == 0)
    snprintf(text.text, sizeof text.text, "a %s", source);
  else
    snprintf(text.text, sizeof text.text, "%s%s%s%.20s and %.20s", drawn ? "a " : "", drawn ? source : "",
             drawn ? ", " : "", tac_text_many(modes, "mode").text, tac_text_many(derivatives, "derivative").text);
  return text;
}

static void say_reduced(const char *name, const tacReduced *reduced, int copies, const tacSceneAsset *asset,
                        tacConsole *console) {
  const tacReducedInfo *info = tac_reduced_info(reduced);
  tac_console_say(console, "%s: %s, %s, %.4g kg, %s, %s%s, %s", name,
                  tac_text_many(info->element_count, "element").text, tac_text_many(info->vertex_count, "vertex").text,
                  tac_reduced_mass(reduced), tac_reduced_is_free(reduced) ? "free" : "held", time_word(asset),
                  bake_time(asset).text, tac_text_bytes((double)asset->bytes).text);
  tac_console_say(console, "  %s from %s hold %s of what they were made from",
                  tac_text_many(tac_reduced_size(reduced), "coordinate").text, basis_data(reduced).text,
                  tac_text_share(info->captured).text);
  if (info->linear_most > 0.0)
    tac_console_say(console, "  linear modes %.3g to %.3g Hz, reduced %.3g to %.3g Hz; coefficients %s",
                    info->linear_least, info->linear_most, info->reduced_least, info->reduced_most,
                    tac_text_bytes(info->bytes_polynomials).text);
  else
    tac_console_say(console, "  reduced %.3g to %.3g Hz; coefficients %s", info->reduced_least, info->reduced_most,
                    tac_text_bytes(info->bytes_polynomials).text);
  if (info->mode_count > 0)
    tac_console_say(console, "  of its bake: modes %s, derivatives %s, basis %s, coefficients %s",
                    tac_text_seconds(info->seconds_modes).text, tac_text_seconds(info->seconds_derivatives).text,
                    tac_text_seconds(info->seconds_basis).text, tac_text_seconds(info->seconds_polynomials).text);
  else
    tac_console_say(console, "  of its bake: basis %s, coefficients %s", tac_text_seconds(info->seconds_basis).text,
                    tac_text_seconds(info->seconds_polynomials).text);
  if (copies > 1) tac_console_say(console, "  %d copies", copies);
}

static void say_vademecum(const char *name, const tacVademecum *vademecum, int copies, const tacSceneAsset *asset,
                          tacConsole *console) {
  const tacVademecumInfo *info = tac_vademecum_info(vademecum);
  tac_console_say(console, "%s: %s, %s, %s up to %.4g N, %s, %s%s, %s", name,
                  tac_text_many(info->element_count, "element").text, tac_text_many(info->node_count, "vertex").text,
                  tac_text_many(info->load_count, "load").text, tac_vademecum_load_most(vademecum), info->law,
                  time_word(asset), bake_time(asset).text, tac_text_bytes((double)asset->bytes).text);
  tac_console_say(console, "  %s from %s, forces from %s", tac_text_many(info->mode_count, "mode").text,
                  tac_text_many(info->path_count, "path").text, tac_text_many(info->sampled_count, "element").text);
  tac_console_say(console, "  error of %s: mean %s, most %s; corrected mean %s, most %s; linear elasticity has %s",
                  tac_text_many(info->sample_count, "load").text, tac_text_share(info->error_mean).text,
                  tac_text_share(info->error_most).text, tac_text_share(info->corrected_mean).text,
                  tac_text_share(info->corrected_most).text, tac_text_share(info->linear_mean).text);
  if (!info->reached)
    tac_console_say(console, "  that is more than the %s that are wanted: more modes or a smaller load would help",
                    tac_text_share(info->wanted).text);
  if (!asset->was_cached)
    tac_console_say(console, "  of its bake: linear %s, paths %s, modes %s, elements %s, loads %s, check %s",
                    tac_text_seconds(info->seconds_linear).text, tac_text_seconds(info->seconds_paths).text,
                    tac_text_seconds(info->seconds_basis).text, tac_text_seconds(info->seconds_elements).text,
                    tac_text_seconds(info->seconds_loads).text, tac_text_seconds(info->seconds_check).text);
  if (copies > 1) tac_console_say(console, "  %d copies", copies);
}

/* A body of which nothing is baked but what it meets others with. */
static void say_plain(const tacScene *scene, int body, tacConsole *console) {
  tac_console_say(console, "%s: %s, %s", tac_scene_body_name(scene, body), tac_scene_body_kind_name(scene, body),
                  tac_text_many(tac_scene_surface(scene, body)->vertex_count, "vertex").text);
}

/* "128 x 128 x 128 voxels of 1.6 mm" */
static tacText voxels(const tacDistanceField *field) {
  const tacGrid *grid = tac_distance_field_grid(field);
  tacText text;
  snprintf(text.text, sizeof text.text, "%d x %d x %d voxels of %.12s", grid->nx - 1, grid->ny - 1, grid->nz - 1,
           tac_text_length(grid->spacing).text);
  return text;
}

static void say_field(const tacDistanceField *field, const tacSceneAsset *asset, tacConsole *console) {
  tac_console_say(console, "  field of %s, %s%s, %s", voxels(field).text, time_word(asset), bake_time(asset).text,
                  tac_text_bytes((double)asset->bytes).text);
}

static void say_deformed(const tacDeformedField *field, const tacSceneAsset *asset, tacConsole *console) {
  int domains = tac_deformed_field_domain_count(field), proxies = 0;
  for (int i = 0; i < domains; ++i) proxies += tac_deformed_field_proxy_count(field, i);
  tac_console_say(console, "  field of %s, %d proxies in %s, %s%s, %s",
                  voxels(tac_deformed_field_domain(field, 0)).text, proxies, tac_text_many(domains, "domain").text,
                  time_word(asset), bake_time(asset).text, tac_text_bytes((double)asset->bytes).text);
}

static void say_loads(const tacLoadField *field, const tacSceneAsset *asset, tacConsole *console) {
  const tacLoadFieldInfo *info = tac_load_field_info(field);
  tac_console_say(console, "  distances to %d x %d deformations, %d x %d x %d places, rank %.1f, to %s, %s%s, %s",
                  tac_load_field_node_count(field), tac_load_field_level_count(field), info->nodes[0], info->nodes[1],
                  info->nodes[2], info->rank_mean, tac_text_length(info->error).text, time_word(asset),
                  bake_time(asset).text, tac_text_bytes((double)asset->bytes).text);
}

static void say_points(const tacPointshell *shell, const tacSceneAsset *asset, tacConsole *console) {
  int levels = tac_pointshell_level_count(shell);
  tac_console_say(console, "  %s on %s, the first of %d, %s%s, %s",
                  tac_text_many(tac_pointshell_size(shell, levels - 1), "point").text,
                  tac_text_many(levels, "level").text, tac_pointshell_size(shell, 0), time_word(asset),
                  bake_time(asset).text, tac_text_bytes((double)asset->bytes).text);
}

static void say_checks(const tacBakeChecks *checks, tacConsole *console) {
  double worst = 0.0;
  for (int i = 0; i < checks->count; ++i) {
    double share = checks->checks[i].worst / checks->checks[i].allowed;
    if (share > worst) worst = share;
  }
  if (checks->count > 0)
    tac_console_say(console, "  %s passed; the worst error is %.1g of what is allowed",
                    tac_text_many(checks->count, "check").text, worst);
}

static void say_asset(const tacScene *scene, const tacSceneAsset *asset, tacConsole *console) {
  int body = asset->body;
  const char *name = tac_scene_body_name(scene, body);
  const tacBakeChecks *checks = NULL;
  if (strcmp(asset->kind, "green") == 0) {
    say_green(name, tac_scene_green(scene, body), asset, console);
    checks = tac_green_checks(tac_scene_green(scene, body));
  } else if (strcmp(asset->kind, "reduced") == 0) {
    say_reduced(name, tac_scene_reduced(scene, body), tac_scene_body_copies(scene, body), asset, console);
    checks = tac_reduced_checks(tac_scene_reduced(scene, body));
  } else if (strcmp(asset->kind, "vademecum") == 0) {
    say_vademecum(name, tac_scene_vademecum(scene, body), tac_scene_body_copies(scene, body), asset, console);
    checks = tac_vademecum_checks(tac_scene_vademecum(scene, body));
  } else if (strcmp(asset->kind, "field") == 0) {
    say_field(tac_scene_field(scene, body), asset, console);
    checks = tac_distance_field_checks(tac_scene_field(scene, body));
  } else if (strcmp(asset->kind, "deformed") == 0) {
    say_deformed(tac_scene_deformed_field(scene, body), asset, console);
    checks = tac_deformed_field_checks(tac_scene_deformed_field(scene, body));
  } else if (strcmp(asset->kind, "loads") == 0) {
    say_loads(tac_scene_load_field(scene, body), asset, console);
    checks = tac_load_field_checks(tac_scene_load_field(scene, body));
  } else if (strcmp(asset->kind, "points") == 0) {
    say_points(tac_scene_points(scene, body), asset, console);
    checks = tac_pointshell_checks(tac_scene_points(scene, body));
  }
  if (checks != NULL) say_checks(checks, console);
}

/* Whether an asset's line begins with its body's name. */
static bool names_body(const tacSceneAsset *asset) {
  return strcmp(asset->kind, "green") == 0 || strcmp(asset->kind, "reduced") == 0 ||
         strcmp(asset->kind, "vademecum") == 0;
}

/* Lines of fields and points stand below one with the body's name. */
static void say_assets(const tacScene *scene, int count, const tacSceneAsset *assets, bool only_new,
                       tacConsole *console) {
  int at = 0;
  for (int body = 0; body < tac_scene_body_count(scene); ++body) {
    bool named = false, plain = true;
    for (int i = at; i < count && assets[i].body == body; ++i) plain = plain && !names_body(&assets[i]);
    if (plain && !only_new) {
      say_plain(scene, body, console);
      named = true;
    }
    for (; at < count && assets[at].body == body; ++at) {
      if (only_new && assets[at].was_cached) continue;
      if (!named && !names_body(&assets[at])) tac_console_say(console, "%s:", tac_scene_body_name(scene, body));
      named = true;
      say_asset(scene, &assets[at], console);
    }
  }
}

tacStatus tac_scene_read_version(const char *path, bool small, tacScene **scene, tacError *error) {
  tacStatus status = tac_scene_read(path, scene, error);
  if (status != TAC_OK || !small || tac_scene_is_small(*scene)) return status;
  tacScene *whole = *scene;
  status = tac_scene_small(whole, scene, error);
  if (status == TAC_ERR_FORMAT) { /* it is small as it is */
    *scene = whole;
    return TAC_OK;
  }
  tac_scene_destroy(whole);
  return status;
}

tacStatus tac_scene_bake_and_say(tacScene *scene, const char *cache, bool again, bool only_new, tacConsole *console,
                                 tacError *error) {
  int count = tac_scene_asset_count(scene);
  tacSceneAsset *assets = tac_array_create((size_t)count, sizeof *assets, "assets", error);
  if (assets == NULL) return TAC_ERR_MEMORY;
  tacSceneOutlook outlook;
  tacStatus status = tac_scene_outlook(scene, cache, &outlook, error);
  if (status == TAC_OK) {
    console->bar.timed = outlook.seconds >= 0.0;
    status = tac_scene_bake(scene, cache, again, &console->progress, assets, error);
  }
  tac_console_step(console, status);
  console->bar.timed = false;
  if (status == TAC_OK) say_assets(scene, count, assets, only_new, console);
  free(assets);
  return status;
}

int tac_scene_bake_fail(const tacError *error) {
  if (error->status != TAC_ERR_CANCELLED) return tac_console_fail(error);
  fprintf(stderr,
          "tactus: interrupted; finished bodies and finished columns are kept, and the next bake goes on from there\n");
  return TAC_EXIT_FAILED;
}
