#include "app/cli/scene/scene_bake.h"

#include <stdio.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "scene/asset_description.h"
#include "scene/bake_outlook.h"
#include "scene/scene.h"

/* Below a body's name what belongs to it. */
static void print_line(const char *label, const char *text, void *user) {
  tac_console_print(user, "%s%s%s%s", label, label[0] == '\0' ? "  " : ":",
                    label[0] != '\0' && text[0] != '\0' ? " " : "", text);
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

tacStatus tac_scene_bake_and_report(tacScene *scene, const char *cache, bool again, bool only_new, tacConsole *console,
                                    tacError *error) {
  int count = tac_scene_asset_count(scene);
  TAC_MEMORY(tacSceneAsset, assets) = tac_array_create((size_t)count, sizeof *assets, "assets", error);
  if (assets == NULL) return TAC_ERR_MEMORY;
  tacSceneOutlook outlook;
  TAC_TRY(tac_scene_outlook(scene, cache, &outlook, error));
  console->bar.timed = outlook.seconds >= 0.0;
  tacStatus status = tac_scene_bake(scene, cache, again, &console->progress, assets, error);
  tac_console_step(console, status);
  console->bar.timed = false;
  if (status == TAC_OK) tac_scene_describe_assets(scene, assets, only_new, print_line, console);
  return status;
}

int tac_scene_bake_fail(const tacError *error) {
  if (error->status != TAC_ERR_CANCELLED) return tac_console_fail(error);
  fprintf(
      stderr,
      "tactus: interrupted; finished bodies and finished columns are kept, and the next bake continues from there\n");
  return TAC_EXIT_FAILED;
}
