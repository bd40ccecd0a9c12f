#include "app/cli/scene_bake.h"

#include <stdlib.h>
#include "app/cli/command.h"
#include "app/cli/text.h"
#include "base/array.h"

static void say_body(const tacScene *scene, int body, const tacSceneAsset *asset, tacConsole *console) {
  const tacGreen *green = tac_scene_green(scene, body);
  int vertices = tac_green_surface(green)->vertex_count, free_ones = 0;
  for (int i = 0; i < vertices; ++i) free_ones += !tac_green_fixed(green)[i];
  tac_console_say(console, "%s: %s (%d free), %s, %s%s, %s, Betti defect %.2g", tac_scene_body_name(scene, body),
                  tac_text_many(vertices, "vertex").text, free_ones,
                  tac_green_method(green) == TAC_GREEN_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements",
                  asset->was_cached ? "cached" : "baked in ",
                  asset->was_cached ? "" : tac_text_seconds(asset->seconds).text,
                  tac_text_bytes((double)asset->bytes).text, tac_green_betti_defect(green));
}

tacStatus tac_scene_bake_and_say(tacScene *scene, const char *cache, bool again, bool only_new, tacConsole *console,
                                 tacError *error) {
  int count = tac_scene_body_count(scene);
  tacSceneAsset *assets = tac_array_create((size_t)count, sizeof *assets, "assets", error);
  if (assets == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_scene_bake(scene, cache, again, &console->progress, assets, error);
  tac_console_step(console);
  for (int i = 0; status == TAC_OK && i < count; ++i)
    if (!only_new || !assets[i].was_cached) say_body(scene, i, &assets[i], console);
  free(assets);
  return status;
}

int tac_scene_bake_fail(const tacError *error) {
  if (error->status != TAC_ERR_CANCELLED) return tac_console_fail(error);
  fprintf(stderr, "tactus: interrupted; finished columns are kept and the next bake goes on from there\n");
  return TAC_EXIT_FAILED;
}
