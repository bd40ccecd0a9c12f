#include <stdio.h>
#include <tactus/recording.h>
#include <tactus/scene.h>
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/options.h"
#include "app/cli/scene_bake.h"
#include "app/cli/text.h"
#include "base/error.h"
#include "base/folder.h"

static const char command[] = "tactus replay";

typedef struct Options {
  const char *scene, *cache, *csv, *vtu;
  double rate;
  bool has_rate, quiet;
} Options;

static tacParse parse(int argc, char **argv, Options *o, int *operands) {
  const tacOption table[] = {
      {TAC_OPTION_TEXT, "--scene", "FILE", "another scene than the recording's own: what would it have done?",
       .target = &o->scene},
      {TAC_OPTION_TEXT, "--csv", "FILE", "write the recording as a table, one row a tick", .target = &o->csv},
      {TAC_OPTION_TEXT, "--vtu", "DIR", "write its deformed surfaces for ParaView", .target = &o->vtu},
      {TAC_OPTION_NUMBER, "--rate", "HZ", "with --vtu: frames a second (default 30)", .target = &o->rate,
       .given = &o->has_rate, .lower = 0.01, .upper = 10000.0},
      {TAC_OPTION_TEXT, "--cache", "DIR", "where baked assets are kept (default: as `tactus bake`)",
       .target = &o->cache},
      {TAC_OPTION_FLAG, "--quiet", .help = "no summary, progress and warnings", .target = &o->quiet},
  };
  const tacUsage usage = {
      command,
      "RECORDING [options]",
      "Runs a recording again: rebuilds the world from the scene that the recording holds (files that the scene names\n"
      "are looked up from where it was), gives it the recorded motion, and compares every output bit for bit. Exit\n"
      "status 1 where one differs, and a line that says which.",
      table,
      (int)(sizeof table / sizeof *table),
      "examples:\n"
      "  tactus replay out/kidney/run.tacrec\n"
      "  tactus replay out/kidney/run.tacrec --vtu frames --rate 60"};
  return tac_options_parse(&usage, argc, argv, operands);
}

static tacStatus load_world(const Options *o, const tacRecording *recording, tacConsole *console, tacScene **scene,
                            tacWorld **world, tacError *error) {
  tacStatus status =
      o->scene != NULL ? tac_scene_read(o->scene, scene, error) : tac_scene_recorded(recording, scene, error);
  if (status == TAC_OK) status = tac_scene_set_period(*scene, tac_recording_info(recording)->period, error);
  if (status == TAC_OK) status = tac_scene_bake_and_say(*scene, o->cache, false, true, console, error);
  if (status == TAC_OK) status = tac_scene_world(*scene, world, error);
  return status;
}

static tacStatus replay(const Options *o, const char *path, tacConsole *console, bool *identical, tacError *error) {
  tacRecording *recording = NULL;
  tacScene *scene = NULL;
  tacWorld *world = NULL;
  int64_t first = -1;
  char difference[300] = "";
  tacStatus status = tac_recording_open(path, &recording, error);
  if (status == TAC_OK) status = load_world(o, recording, console, &scene, &world, error);
  if (status == TAC_OK) {
    if (!tac_recording_complete(recording)) tac_console_warn(console, "%s: was cut short; this is what is left", path);
    status = tac_recording_replay(recording, world, &console->progress, &first, difference, sizeof difference, error);
  }
  if (status == TAC_OK) {
    *identical = first < 0;
    if (*identical)
      tac_console_say(console, "identical: %s", tac_text_many(tac_recording_tick_count(recording), "tick").text);
    else
      tac_error_set(error, TAC_ERR_ARGUMENT, "%s: differs: %s", path, difference);
  }
  if (status == TAC_OK && o->csv != NULL) {
    status = tac_recording_write_csv(recording, o->csv, error);
    if (status == TAC_OK) tac_console_say(console, "wrote %s", o->csv);
  }
  if (status == TAC_OK && o->vtu != NULL) {
    status = tac_folder_make(o->vtu, error);
    if (status == TAC_OK)
      status =
          tac_recording_write_vtu(recording, world, o->has_rate ? o->rate : 30.0, o->vtu, &console->progress, error);
    if (status == TAC_OK) tac_console_say(console, "wrote %s", o->vtu);
  }
  tac_console_step(console);
  tac_world_destroy(world);
  tac_scene_destroy(scene);
  tac_recording_close(recording);
  return status;
}

int tac_command_replay(int argc, char **argv) {
  Options o = {0};
  int operands = 0;
  tacParse parsed = parse(argc, argv, &o, &operands);
  if (parsed != TAC_PARSE_RUN) return parsed == TAC_PARSE_HELP ? TAC_EXIT_OK : TAC_EXIT_USAGE;
  if (operands != 1)
    return tac_usage_error(command, operands == 0 ? "which recording?" : "one recording at a time, please: what is %s?",
                           argv[1]);
  if (o.has_rate && o.vtu == NULL) return tac_usage_error(command, "--rate needs --vtu");
  tacConsole console;
  tac_console_open(o.quiet, &console);
  tacError error = {0};
  bool identical = false;
  tacStatus status = replay(&o, argv[0], &console, &identical, &error);
  if (status != TAC_OK || !identical) return tac_console_fail(&error);
  return TAC_EXIT_OK;
}
