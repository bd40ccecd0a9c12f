#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tactus/recording.h>
#include <tactus/scene.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/console/permission.h"
#include "app/cli/report/depth_trace.h"
#include "app/cli/scene/scene_bake.h"
#include "base/error.h"
#include "base/files/checksum.h"
#include "base/files/folder.h"
#include "base/files/input_file.h"
#include "base/text.h"
#include "record/recorded_assets.h"
#include "record/recording.h"
#include "record/replay_comparison.h"
#include "scene/scene.h"
#include "scene/scene_description.h"
#include "scene/scene_outline.h"

typedef struct Options {
  const char *scene, *cache, *csv, *vtu;
  double rate;
  bool has_rate, quiet;
} Options;

static bool parse(int argc, char **argv, Options *o, int *result) {
  const tacOption table[] = {
      {TAC_OPTION_TEXT, "--scene", "FILE", "replay with this scene instead of the one in the recording",
       .target = &o->scene},
      {TAC_OPTION_TEXT, "--csv", "FILE", "write the recording as a table, one row per tick", .target = &o->csv},
      {TAC_OPTION_TEXT, "--vtu", "DIR", "write its deformed surfaces for ParaView", .target = &o->vtu},
      {TAC_OPTION_NUMBER, "--rate", "HZ", "with --vtu: frames per second (default 30)", .target = &o->rate,
       .given = &o->has_rate, .lower = 0.01, .upper = 10000.0},
      tac_options_cache(&o->cache),
      tac_options_threads(),
      tac_permission_option(),
      tac_options_quiet(&o->quiet),
  };
  const tacUsage usage = {
      "tactus replay",
      "RECORDING [options]",
      "Repeats a recorded run: rebuilds the world from the scene in the recording, feeds it the recorded\n"
      "motion, and compares every output. Paths in the scene are relative to where the scene file was.\n"
      "On the platform of the recording, every bit must be the same. On another one (architecture,\n"
      "processor, compiler, C library) rounding differs: the command reports this, prints the largest\n"
      "differences of force and position and where they occur, and accepts large ones (over 1 % of the\n"
      "largest force, or 0.1 mm) in up to 10 % of the time in which a force is felt. If they differ more,\n"
      "the exit status is 1 and a line says where they differ first and, if known, why: for example, it\n"
      "names an asset whose bits have changed.",
      TAC_OPTIONS(table),
      "examples:\n"
      "  tactus replay out/kidney/run.tacrec\n"
      "  tactus replay out/kidney/run.tacrec --vtu frames --rate 60",
      .operand = "recording",
      .single = true};
  int operands;
  return tac_options_parse(&usage, argc, argv, &operands, result);
}

typedef struct {
  const tacRecording *recording;
  tacConsole *console;
} CodeCheck;

static void warn_of_changed_code(const char *what, const char *path, void *user) {
  const CodeCheck *check = user;
  const char *slash = strrchr(path, '/');
  TAC_FREED(tac_input_file_free, tacInputFile, input) = {0};
  if (strcmp(what, "kinds") != 0 || tac_input_file_read(path, TAC_INPUT_PLUGIN, &input, NULL) != TAC_OK) return;
  if (tac_recording_asset_changed(check->recording, slash != NULL ? slash + 1 : path,
                                  tac_checksum(input.bytes, input.size)))
    tac_console_warn(check->console, "%s has changed since the recording was made; its new code is next", path);
}

/* Reports changed code before any of it is loaded. */
static tacStatus check_code(const Options *o, const tacRecording *recording, tacConsole *console, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  TAC_OWN(tacSceneOutline, outline) = NULL;
  CodeCheck check = {recording, console};
  if (o->scene == NULL && info->scene[0] == '\0') return TAC_OK;
  TAC_TRY(o->scene != NULL ? tac_scene_outline_read(o->scene, &outline, error)
                           : tac_scene_outline_parse(info->scene, info->scene_path, &outline, error));
  tac_scene_outline_plugins(outline, warn_of_changed_code, &check);
  return TAC_OK;
}

static tacStatus load_world(const Options *o, const tacRecording *recording, tacConsole *console, tacScene **scene,
                            tacWorld **world, tacError *error) {
  TAC_TRY(check_code(o, recording, console, error));
  TAC_TRY(o->scene != NULL ? tac_scene_read(o->scene, scene, error) : tac_scene_recorded(recording, scene, error));
  if (o->scene != NULL) TAC_TRY(tac_scene_set_recorded_rates(*scene, recording, error));
  TAC_TRY(tac_scene_bake_and_report(*scene, o->cache, false, true, console, error));
  return tac_scene_world(*scene, world, error);
}

typedef struct {
  const Options *options;
  const char *path;
  tacRecording *recording;
  tacScene *scene;
  tacWorld *world;
  bool same_platform, same_assets;
  char platform[500], assets[300]; /* where they are not the same: what is */
} Job;

/* Why bits may differ on the platform where they were recorded. */
static const char *reason_of(const Job *job) {
  if (job->options->scene != NULL) return "the scene is not that of the recording";
  if (tac_scene_variation(job->scene) != NULL) return tac_scene_variation(job->scene);
  if (strcmp(tac_recording_info(job->recording)->program, tac_program_text()) != 0)
    return "it was recorded by another program (`tactus info` names it)";
  return "platform, version and assets are those of the recording: either the program's sources have changed, or it "
         "has a bug";
}

/* "0.0012 N (tool probe, 1.250 s)" */
static tacText gap_text(const Job *job, const tacReplayGap *gap, double factor, const char *unit, bool of_body) {
  tacText result;
  if (gap->tick < 0) {
    snprintf(result.text, sizeof result.text, "0 %s", unit);
  } else {
    const char *name = of_body ? tac_world_body_name(job->world, tac_world_body(job->world, gap->index))
                               : tac_scene_tool_name(job->scene, gap->index);
    snprintf(result.text, sizeof result.text, "%.3g %s (%s %.20s, %.3f s)", factor * gap->most, unit,
             of_body ? "body" : "tool", name, (double)gap->tick * tac_world_period(job->world));
  }
  return result;
}

/* How far apart the runs are, in numbers that mean something to a hand. */
static void print_gaps(const Job *job, const tacReplayReport *r, tacConsole *console) {
  tac_console_print(console, "  force      %s of %.3g N", gap_text(job, &r->force_gap, 1.0, "N", false).text, r->force);
  if (r->torque > 0.0)
    tac_console_print(console, "  torque     %s of %.3g N m", gap_text(job, &r->torque_gap, 1.0, "N m", false).text,
                      r->torque);
  tac_console_print(console, "  position   %s", gap_text(job, &r->proxy_gap, 1e3, "mm", false).text);
  if (tac_recording_info(job->recording)->state_size > 0 && job->same_assets) /* else states do not mean the same */
    tac_console_print(console, "  surfaces   %s", gap_text(job, &r->surface_gap, 1e3, "mm", true).text);
  tac_console_print(console,
                    "  far apart  %.3g %% of the time in which a force is felt (by 1 %% of the force or 0.1 mm)",
                    100.0 * (double)r->far_ticks / fmax(1.0, (double)r->felt_ticks));
}

/* Says what the replay found. On the platform of the recording every bit must be the same, on another what a hand can
 * tell. */
static bool judge(const Job *job, const tacReplayReport *report, tacConsole *console, tacError *error) {
  if (report->first_difference < 0) {
    tac_console_print(console, "identical: %s", tac_text_many(tac_recording_tick_count(job->recording), "tick").text);
    return true;
  }
  if (!job->same_platform) tac_console_print(console, "bits differ since %s", report->difference);
  tac_console_print(console, "largest differences");
  print_gaps(job, report, console);
  if (report->ended || job->same_platform) {
    const char *reason = job->same_assets || job->options->scene != NULL ? reason_of(job) : job->assets;
    tac_error_set(error, TAC_ERR_ARGUMENT, "%.120s: the replay differs: %.230s%s%s", job->path, report->difference,
                  report->ended ? "" : "; ", report->ended ? "" : reason);
    return false;
  }
  if (tac_replay_report_within(report)) {
    tac_console_print(console, "equal except for rounding: %s", tac_text_many(report->tick_count, "tick").text);
    return true;
  }
  tac_error_set(error, TAC_ERR_ARGUMENT,
                "%.120s: the replay differs by more than rounding on another platform explains (far apart in more than "
                "10 %% of the time): %s",
                job->path,
                job->same_assets
                    ? "either the motion is chaotic, or this is a bug; replay it on the platform of the recording"
                    : job->assets);
  return false;
}

/* How deep bodies of the recording truly were in each other. */
static tacStatus print_depths(Job *job, tacConsole *console, tacError *error) {
  TAC_OWN(tacDepthTrace, depths) = NULL;
  tacStatus status = tac_depth_trace_create(job->recording, job->world, &console->progress, &depths, error);
  tac_console_step(console, status);
  TAC_TRY(status);
  tac_depth_trace_print(depths);
  tac_depth_trace_warn(depths, console);
  return TAC_OK;
}

static tacStatus replay(Job *job, tacConsole *console, bool *good, tacError *error) {
  const Options *o = job->options;
  tacReplayReport report;
  TAC_TRY(load_world(o, job->recording, console, &job->scene, &job->world, error));
  job->same_platform = tac_recording_same_platform(job->recording, job->platform, sizeof job->platform);
  job->same_assets =
      tac_recording_same_assets(job->recording, tac_scene_assets(job->scene), job->assets, sizeof job->assets);
  if (!job->same_platform) tac_console_print(console, "%s", job->platform);
  if (!job->same_assets && o->scene == NULL) tac_console_print(console, "%s", job->assets);
  TAC_TRY(tac_recording_replay(job->recording, job->world, &console->progress, &report, error));
  *good = judge(job, &report, console, error);
  if (!o->quiet && job->same_assets) TAC_TRY(print_depths(job, console, error));
  if (o->csv != NULL) {
    TAC_TRY(tac_recording_write_csv(job->recording, o->csv, error));
    tac_console_print(console, "wrote %s", o->csv);
  }
  if (o->vtu != NULL) {
    TAC_TRY(tac_folder_make(o->vtu, error));
    TAC_TRY(tac_recording_write_vtu(job->recording, job->world, o->has_rate ? o->rate : 30.0, o->vtu,
                                    &console->progress, error));
    tac_console_print(console, "wrote %s", o->vtu);
  }
  return *good ? tac_recording_expect_complete(job->recording, error) : TAC_OK;
}

static void close_job(Job *job) {
  tac_world_destroy(job->world);
  tac_scene_destroy(job->scene);
  tac_recording_close(job->recording);
}

int tac_command_replay(int argc, char **argv) {
  Options o = {0};
  int result;
  if (!parse(argc, argv, &o, &result)) return result;
  if (o.has_rate && o.vtu == NULL) return tac_usage_error("tactus replay", "--rate needs --vtu");
  tacConsole *console = tac_console_open(o.quiet);
  tacError error = {0};
  bool good = false;
  TAC_FREED(close_job, Job, job) = {.options = &o, .path = argv[0]};
  tacStatus status = tac_recording_open(job.path, &job.recording, &error);
  if (status == TAC_OK) status = replay(&job, console, &good, &error);
  tac_console_step(console, status);
  return status == TAC_OK && good ? TAC_EXIT_OK : tac_console_fail(&error);
}
