#include <tactus/scene.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/scene/scene_bake.h"
#include "base/error.h"

static tacStatus bake_scene(const char *path, const char *cache, bool again, bool small, tacConsole *console,
                            tacError *error) {
  TAC_OWN(tacScene, scene) = NULL;
  TAC_TRY(tac_scene_read_version(path, small, &scene, error));
  return tac_scene_bake_and_say(scene, cache, again, false, console, error);
}

int tac_command_bake(int argc, char **argv) {
  const char *cache = NULL;
  bool again = false, small = false, quiet = false;
  const tacOption table[] = {
      {TAC_OPTION_TEXT, "--cache", "DIR",
       "where baked assets are kept (default: $XDG_CACHE_HOME/tactus or ~/.cache/tactus)", .target = &cache},
      {TAC_OPTION_FLAG, "--again", .help = "bake even what is in the cache", .target = &again},
      {TAC_OPTION_FLAG, "--small", .help = "bake the small versions, which the viewer shows until the others are baked",
       .target = &small},
      tac_options_threads(),
      tac_console_no_plugins(),
      tac_options_quiet(&quiet),
  };
  const tacUsage usage = {
      "tactus bake",
      "SCENE... [options]",
      "Computes what the bodies of scenes need and keeps it in a cache, by content: bodies whose mesh, material,\n"
      "fixed parts, method and basis have not changed are not computed again. Safe to interrupt: what is finished is\n"
      "kept, and of Green's functions finished columns. Says of a body of Green's functions: vertices (those free to\n"
      "move), method, time, size, and how far the result is from Betti's reciprocity, which is round-off for finite\n"
      "elements and the discretisation for boundary elements. Of a reduced body: its mesh, time and size; what its\n"
      "coordinates were made from and how much of that they hold; frequencies of the linear modes and of the reduced\n"
      "body; the time of each stage. docs/reduced.md says how to read that and what to choose. Of what bodies touch\n"
      "each other with: voxels of fields, points and their levels.",
      TAC_OPTIONS(table),
      "examples:\n"
      "  tactus bake scenes/kidney.yaml\n"
      "  tactus bake scenes/*.yaml --cache baked",
      .operand = "scene"};
  int operands, result;
  if (!tac_options_parse(&usage, argc, argv, &operands, &result)) return result;
  tacConsole console;
  tac_console_open(quiet, &console);
  for (int i = 0; i < operands && !tac_console_interrupted(); ++i) {
    tacError error = {0};
    tacStatus status = bake_scene(argv[i], cache, again, small, &console, &error);
    tac_console_step(&console, status);
    if (status != TAC_OK) result = tac_scene_bake_fail(&error);
  }
  return result;
}
