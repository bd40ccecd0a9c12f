#include <tactus/scene.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/console/permission.h"
#include "app/cli/scene/scene_bake.h"
#include "base/error.h"

static tacStatus bake_scene(const char *path, const char *cache, bool again, bool small, tacConsole *console,
                            tacError *error) {
  TAC_OWN(tacScene, scene) = NULL;
  TAC_TRY(tac_scene_read_version(path, small, &scene, error));
  return tac_scene_bake_and_report(scene, cache, again, false, console, error);
}

int tac_command_bake(int argc, char **argv) {
  const char *cache = NULL;
  bool again = false, small = false, quiet = false;
  const tacOption table[] = {
      {TAC_OPTION_TEXT, "--cache", "DIR", "folder of baked assets (default: $XDG_CACHE_HOME/tactus or ~/.cache/tactus)",
       .target = &cache},
      {TAC_OPTION_FLAG, "--again", .help = "bake again what is in the cache already", .target = &again},
      {TAC_OPTION_FLAG, "--small",
       .help = "bake the small versions, which the viewer shows until the full ones are baked", .target = &small},
      tac_options_threads(),
      tac_permission_option(),
      tac_options_quiet(&quiet),
  };
  const tacUsage usage = {
      "tactus bake",
      "SCENE... [options]",
      "Computes the assets of the bodies of scenes and keeps them in a cache. The cache is addressed by\n"
      "content: a body is computed again only if its mesh, material, fixed parts, method or basis changed.\n"
      "Safe to interrupt: finished assets are kept, and so are finished columns of Green's functions.\n"
      "\n"
      "For a body of Green's functions it prints: vertices (and those free to move), method, time, size,\n"
      "and the deviation from Betti's reciprocity, which comes from round-off for finite elements and from\n"
      "the discretisation for boundary elements. For a reduced body: mesh, time and size; the source of its\n"
      "coordinates and how much of that source they hold; frequencies of the linear modes and of the\n"
      "reduced body; the time of each stage (docs/reduced.md explains them and what to choose). For contact\n"
      "between bodies: voxels of distance fields, points and their levels.",
      TAC_OPTIONS(table),
      "examples:\n"
      "  tactus bake scenes/kidney.yaml\n"
      "  tactus bake scenes/*.yaml --cache baked",
      .operand = "scene"};
  int operands, result;
  if (!tac_options_parse(&usage, argc, argv, &operands, &result)) return result;
  tacConsole *console = tac_console_open(quiet);
  for (int i = 0; i < operands && !tac_console_interrupted(); ++i) {
    tacError error = {0};
    tacStatus status = bake_scene(argv[i], cache, again, small, console, &error);
    tac_console_step(console, status);
    if (status != TAC_OK) result = tac_scene_bake_fail(&error);
  }
  return result;
}
