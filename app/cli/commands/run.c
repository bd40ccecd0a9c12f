#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/scene.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/console/permission.h"
#include "app/cli/mesh/report_text.h"
#include "app/cli/report/body_trace.h"
#include "app/cli/report/depth_trace.h"
#include "app/cli/report/run_limits.h"
#include "app/cli/report/run_report.h"
#include "app/cli/scene/scene_bake.h"
#include "app/cli/scene/scene_picture.h"
#include "base/clock.h"
#include "base/files/folder.h"
#include "base/memory/array.h"
#include "base/text.h"
#include "math/geometry/vec3.h"
#include "scene/scene.h"
#include "world/world.h"
#include "world/world_build.h"

TAC_OWNED_TYPE(tacRecording, tac_recording_close)

static const char command[] = "tactus run";
/* Of 20 ms: between two lines that show the state of a run, and before the first. */
enum { TERMINAL_ROUNDS = 10, LINE_ROUNDS = 95, FIRST_LINE = 50 };
enum { SHOWN_COLUMNS = 64 }; /* of a picture in a terminal */
static const char colours[] = "plain|displacement|stress|pressure";

typedef struct Options {
  const char *cache, *folder, *picture, *size;
  double duration, rate, simulate, vtu, at, problems;
  int colour;
  bool has_duration, has_rate, has_simulate, has_vtu, has_at, has_problems, fast, csv, no_report, show, dark, small,
      quiet;
} Options;

typedef struct Job {
  Options options;
  tacConsole *console;
  tacScene *scene;
  tacWorld *world;
  tacDevice devices[TAC_MOST_TOOLS];
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  tacRecorder *recorder;
  tacServo *servo;
  tacServoReport report;
  tacDepthTrace *depths;    /* NULL: nobody asks, or they could not be told */
  tacError incomplete;      /* why the recording is; status TAC_OK: it is whole */
  char *folder, *recording; /* where the results go; DIR/run.tacrec */
  bool recorded;            /* that file is whole */
} Job;

static bool parse(int argc, char **argv, Options *o, int *result) {
  const tacOption table[] = {
      {TAC_OPTION_HEADING, .help = "time"},
      {TAC_OPTION_NUMBER, "--duration", "S|forever", "seconds to run (default: the scene's)", .target = &o->duration,
       .given = &o->has_duration, .lower = 1e-3, .upper = 1e6, .word = "forever"},
      {TAC_OPTION_FLAG, "--fast",
       .help = "run as fast as possible, not in real time, with the\n"
               "same results bit for bit (bodies simulated slower:\n"
               "if their steps were in time; with a budget: if\n"
               "ticks took the same time)",
       .target = &o->fast},
      {TAC_OPTION_NUMBER, "--rate", "HZ", "ticks per second (default: the scene's)", .target = &o->rate,
       .given = &o->has_rate, .lower = 250.0, .upper = 10000.0},
      {TAC_OPTION_NUMBER, "--simulate", "HZ",
       "steps of the bodies per second: the rate divided by\n"
       "1 to 100; 0: a step in every tick\n"
       "(default: the scene's)",
       .target = &o->simulate, .given = &o->has_simulate, .lower = 0.0, .upper = 10000.0},

      {TAC_OPTION_HEADING, .help = "output"},
      {TAC_OPTION_TEXT, "-o", "DIR", "folder for the results (default out/SCENE-NAME)", .target = &o->folder},
      {TAC_OPTION_FLAG, "--csv", .help = "also write DIR/run.csv, one row per tick", .target = &o->csv},
      {TAC_OPTION_NUMBER, "--vtu", "RATE",
       "also write DIR/vtu: deformed surfaces for ParaView,\n"
       "RATE frames per second",
       .target = &o->vtu, .given = &o->has_vtu, .lower = 0.01, .upper = 10000.0},
      {TAC_OPTION_NUMBER, "--dump-problems", "RATE",
       "also write DIR/problems: contact problems of RATE\n"
       "steps per second, for `tactus solve`; needs --fast",
       .target = &o->problems, .given = &o->has_problems, .lower = 0.01, .upper = 10000.0},
      {TAC_OPTION_FLAG, "--no-report", .help = "write neither report.html nor picture.png", .target = &o->no_report},

      {TAC_OPTION_FLAG, "--show", .help = "print picture.png in a terminal with 24-bit colours", .target = &o->show},

      {TAC_OPTION_HEADING, .help = "picture"},
      {TAC_OPTION_TEXT, "--picture", "FILE.png",
       "draw the scene as the viewer shows it, with a\n"
       "headless browser: Chromium, or the program in\n"
       "TACTUS_BROWSER",
       .target = &o->picture},
      {TAC_OPTION_NUMBER, "--at", "S",
       "time shown in the picture (default: that of the\n"
       "largest force)",
       .target = &o->at, .given = &o->has_at, .lower = 0.0, .upper = 1e6},
      {TAC_OPTION_TEXT, "--size", "WxH", "size of the picture in pixels (default 1280x800)", .target = &o->size},
      {TAC_OPTION_CHOICE, "--colour", .help = "quantity that colours the surfaces", .target = &o->colour,
       .word = colours},
      {TAC_OPTION_FLAG, "--dark", .help = "dark background", .target = &o->dark},

      {TAC_OPTION_HEADING, .help = "other"},
      {TAC_OPTION_FLAG, "--small",
       .help = "run the small version, which the viewer shows until\n"
               "the full one is baked",
       .target = &o->small},
      tac_options_cache(&o->cache),
      tac_options_threads(),
      tac_permission_option(),
      tac_options_quiet(&o->quiet),
  };
  const tacUsage usage = {
      command,
      "SCENE [options]",
      "Runs a scene. Bakes what the cache lacks and opens the devices (without hardware, the scene's\n"
      "operator: a simulated hand). Renders forces at the scene's rate until its duration has passed, a\n"
      "device ends the run or Ctrl-C is pressed. Writes DIR/run.tacrec (all inputs and outputs; `tactus\n"
      "replay` repeats the run), DIR/report.html (plots) and DIR/picture.png (the moment of the largest\n"
      "force). SIGTERM ends the run with its recording and summary only. The exit status is 1 if a fault\n"
      "stopped the run.",
      TAC_OPTIONS(table),
      "examples:\n"
      "  tactus run scenes/kidney.yaml\n"
      "  tactus run scenes/kidney.yaml --fast --duration 2 -o /tmp/kidney --csv\n"
      "  tactus run scenes/kidney.yaml --fast --picture kidney.png --colour displacement",
      .operand = "scene",
      .single = true};
  int operands;
  return tac_options_parse(&usage, argc, argv, &operands, result);
}

/* FOLDER/NAME, malloc'ed. */
static char *beside(const char *folder, const char *name, tacError *error) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = tac_array_create(size, 1, "a path", error);
  if (path != NULL) snprintf(path, size, "%s/%s", folder, name);
  return path;
}

/* Contact problems go to a folder of their own. */
static tacStatus dump_problems(Job *job, tacError *error) {
  const Options *o = &job->options;
  if (!o->has_problems) return TAC_OK;
  TAC_MEMORY(char, folder) = beside(job->folder, "problems", error);
  if (folder == NULL) return TAC_ERR_MEMORY;
  double step = tac_world_period(job->world) * tac_world_simulate_every(job->world), every = 1.0 / (o->problems * step);
  TAC_TRY(tac_folder_make(folder, error));
  TAC_TRY(tac_world_dump_problems(job->world, folder, every > 1.0 ? (int)lround(every) : 1, error));
  tac_console_print(job->console, "writes contact problems to %s", folder);
  return TAC_OK;
}

static tacStatus load(Job *job, const char *path, tacError *error) {
  const Options *o = &job->options;
  TAC_TRY(tac_scene_read_version(path, o->small, &job->scene, error));
  /* The scene's need not go with the rate that is asked for. */
  if (o->has_simulate) TAC_TRY(tac_scene_set_simulate_rate(job->scene, 0.0, error));
  if (o->has_rate) TAC_TRY(tac_scene_set_rate(job->scene, o->rate, error));
  if (o->has_simulate) TAC_TRY(tac_scene_set_simulate_rate(job->scene, o->simulate, error));
  job->folder = o->folder != NULL ? tac_array_text(o->folder, error) : beside("out", tac_scene_name(job->scene), error);
  job->recording = job->folder != NULL ? beside(job->folder, "run.tacrec", error) : NULL;
  if (job->recording == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_folder_make(job->folder, error));
  TAC_TRY(tac_scene_bake_and_report(job->scene, o->cache, false, true, job->console, error));
  TAC_TRY(tac_scene_world(job->scene, &job->world, error));
  TAC_TRY(dump_problems(job, error));
  return tac_scene_devices(job->scene, job->devices, job->workspaces, error);
}

static tacStatus open_recorder(Job *job, tacError *error) {
  const char *path = tac_scene_path(job->scene);
  TAC_MEMORY(char, whole) = realpath(path, NULL); /* so that the recording finds the scene's files from anywhere */
  tacRecordingInfo info = {.scene_path = whole != NULL ? whole : path,
                           .scene = tac_scene_text(job->scene),
                           .program = tac_program_text(),
                           .assets = tac_scene_assets(job->scene)};
  return tac_recorder_open_world(job->recording, job->world, &info, &job->recorder, error);
}

/* One line: redrawn a few times a second on a terminal, a new one every two seconds elsewhere. */
static void show_status(Job *job, int round) {
  bool terminal = job->console->bar.terminal;
  bool due = terminal ? round % TERMINAL_ROUNDS == 0 : round % LINE_ROUNDS == FIRST_LINE;
  if (job->options.quiet || !due) return;
  const tacSnapshot *now = tac_servo_snapshot(job->servo);
  if (now == NULL) return;
  double force = 0.0;
  int contacts = 0;
  for (int i = 0; i < now->tool_count; ++i) {
    force = fmax(force, tac_vec3_norm(now->output[i].force));
    contacts += now->output[i].contact.state != TAC_CONTACT_NONE;
  }
  fprintf(stderr, "%s%.1f s   %.2f N   %s%s", terminal ? "\r\033[K" : "",
          (double)now->tick * tac_world_period(job->world), force, tac_text_many(contacts, "contact").text,
          terminal ? "   Ctrl-C stops" : "\n");
}

/* Where the disk was full, the run went on, and what it did before can be read. */
static void close_recorder(Job *job) {
  int64_t lost = 0;
  tacError reason;
  TAC_OWN(tacRecording, recording) = NULL;
  tacStatus status = tac_recorder_close(job->recorder, &lost, &reason);
  job->recorder = NULL;
  if (status == TAC_OK && lost > 0)
    tac_console_warn(job->console, "%s are missing from the recording because the disk was too slow",
                     tac_text_many(lost, "record").text);
  if (status == TAC_OK) return;
  int64_t kept =
      tac_recording_open(job->recording, &recording, NULL) == TAC_OK ? tac_recording_tick_count(recording) : 0;
  tac_error_set(&job->incomplete, status, "%.380s; the run had %s, and the first %s are recorded", reason.text,
                tac_text_many(job->report.ticks, "tick").text, tac_text_count(kept).text);
}

static tacStatus run(Job *job, tacError *error) {
  const Options *o = &job->options;
  tacServoDef def = tac_scene_servo(job->scene);
  def.real_time = !o->fast;
  def.lock_memory = true; /* the whole process is for this */
  if (o->has_duration) def.duration = o->duration;
  TAC_TRY(open_recorder(job, error));
  TAC_TRY(tac_servo_create(job->world, tac_world_tool_count(job->world), job->devices, job->workspaces, &def,
                           job->recorder, &job->servo, error));
  TAC_TRY(tac_servo_start(job->servo, error));
  for (int round = 1; tac_servo_running(job->servo) && !tac_console_interrupted(); ++round) {
    tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 50);
    show_status(job, round);
  }
  /* Ctrl-C ends the run, not its results. */
  if (tac_servo_running(job->servo) && !tac_console_terminated()) tac_console_resume();
  tac_servo_stop(job->servo);
  if (!o->quiet && job->console->bar.terminal) fputs("\r\033[K", stderr);
  job->report = tac_servo_report(job->servo);
  close_recorder(job);
  return TAC_OK;
}

static tacText microseconds(double seconds) {
  tacText result;
  bool long_time = seconds >= 0.9995e-3;
  snprintf(result.text, sizeof result.text, long_time ? "%.3g ms" : "%.3g µs", (long_time ? 1e3 : 1e6) * seconds);
  return result;
}

static void print_times(const char *name, double p50, double p99, double p999, double most) {
  tac_report_line(name, "p50 %s, p99 %s, p99.9 %s, largest %s", microseconds(p50).text, microseconds(p99).text,
                  microseconds(p999).text, microseconds(most).text);
}

/* "2.31 N", or one for each tool: "probe 2.31 N, needle 0.12 N". */
static void print_tools(const Job *job, const char *name, const double *values, double unit, const char *unit_name) {
  char text[900] = "";
  int count = tac_world_tool_count(job->world);
  for (int i = 0; i < count; ++i) {
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s%s%s%.3g %s", i > 0 ? ", " : "",
             count > 1 ? tac_world_tool_name(job->world, i) : "", count > 1 ? " " : "", values[i] / unit, unit_name);
  }
  tac_report_line(name, "%s", text);
}

static void print_bodies(const Job *job) {
  TAC_OWN(tacRecording, recording) = NULL;
  TAC_MEMORY(tacBodyTrace, traces) = NULL;
  int count = 0;
  if (tac_recording_open(job->recording, &recording, NULL) != TAC_OK) return; /* who writes the report says why */
  if (tac_body_trace_read(recording, job->world, &traces, &count, NULL) == TAC_OK)
    for (int i = 0; i < count; ++i)
      tac_report_line(traces[i].name, "%.3g%s%s, at most %.3g", traces[i].mean, traces[i].unit[0] != '\0' ? " " : "",
                      traces[i].unit, traces[i].most);
}

/* How deep bodies truly were in each other: outside of the loop, from the recording. */
static tacStatus measure_depths(Job *job, tacError *error) {
  TAC_OWN(tacRecording, recording) = NULL;
  if (job->report.ticks == 0 || (job->options.quiet && job->options.no_report)) return TAC_OK;
  if (tac_recording_open(job->recording, &recording, NULL) != TAC_OK)
    return TAC_OK; /* who writes the report says why */
  tacStatus status = tac_depth_trace_create(recording, job->world, &job->console->progress, &job->depths, error);
  tac_console_step(job->console, status);
  if (status == TAC_OK || status == TAC_ERR_CANCELLED) return status;
  tac_console_warn(job->console, "true penetration is unknown: %s", error->text);
  return TAC_OK;
}

static void print_limits(const Job *job) {
  tacRunRemark remarks[TAC_RUN_MOST_REMARKS];
  int count = tac_run_limits(&job->report, job->world, remarks);
  for (int i = 0; i < count; ++i) tac_report_line(remarks[i].name, "%s", remarks[i].text);
}

static void summarise(Job *job) {
  const tacServoReport *r = &job->report;
  if (job->options.quiet) return;
  int count = tac_world_tool_count(job->world);
  double contact[TAC_MOST_TOOLS], second[TAC_MOST_TOOLS], written[TAC_MOST_TOOLS];
  for (int i = 0; i < count; ++i) {
    contact[i] = r->asked[i].contact.energy;
    second[i] = r->asked[i].second.energy;
    written[i] = r->written[i].second.energy;
  }
  double simulated = (double)r->ticks * tac_world_period(job->world);
  tac_console_print(job->console, "ran %s for %s: %s", tac_scene_name(job->scene), tac_text_seconds(simulated).text,
                    tac_text_many(r->ticks, "tick").text);
  if (job->options.fast)
    tac_report_line("rate", "%.0f Hz, as fast as possible", r->rate);
  else
    tac_report_line("rate held", "%.1f Hz of %.0f Hz", r->rate, 1.0 / tac_world_period(job->world));
  int every = tac_world_simulate_every(job->world);
  if (every > 1)
    tac_report_line("bodies", "%.4g Hz, %s, %s late", 1.0 / (every * tac_world_period(job->world)),
                    tac_text_many(r->taken, "step").text, tac_text_many(r->overdue, "tick").text);
  if (every > 1) print_times("step of bodies", r->step_p50, r->step_p99, r->step_p999, r->step_max);
  print_bodies(job);
  print_times("tick", r->compute_p50, r->compute_p99, r->compute_p999, r->compute_max);
  if (!job->options.fast) print_times("lateness", r->late_p50, r->late_p99, r->late_p999, r->late_max);
  tac_report_line("deadlines missed", "%s by computation, %s by lateness",
                  tac_text_count(r->missed_by_computation).text, tac_text_count(r->missed_by_lateness).text);
  print_tools(job, "largest force", r->force_max, 1.0, "N");
  print_tools(job, "largest force step", r->force_step_max, 1.0, "N");
  print_tools(job, "energy absorbed", r->energy_absorbed, 1e-3, "mJ");
  /* The world in one contact, and in one second; and what was written. */
  print_tools(job, "energy generated", contact, 1e-3, "mJ");
  print_tools(job, "worst 1-s window", second, 1e-3, "mJ");
  print_tools(job, "worst 1-s window, sent", written, 1e-3, "mJ");
  print_tools(job, "penetration", r->penetration_max, 1e-3, "mm");
  if (job->depths != NULL) tac_depth_trace_print(job->depths);
  tac_report_line("in contact", "%.1f %% of the time",
                  r->ticks > 0 ? 100.0 * (double)r->contact_ticks / (double)r->ticks : 0.0);
  tac_report_line("limits met", "force %s, rate %s, damped %s, saturated %s ticks",
                  tac_text_count(r->limited_force).text, tac_text_count(r->limited_rate).text,
                  tac_text_count(r->damped).text, tac_text_count(r->saturated).text);
  print_limits(job);
  if (r->remark[0] != '\0') tac_report_line("remark", "%s", r->remark);
  if (job->depths != NULL) tac_depth_trace_warn(job->depths, job->console);
}

static tacStatus write_vtu(Job *job, tacRecording *recording, tacError *error) {
  TAC_MEMORY(char, folder) = beside(job->folder, "vtu", error);
  if (folder == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_folder_make(folder, error));
  TAC_TRY(tac_recording_write_vtu(recording, job->world, job->options.vtu, folder, &job->console->progress, error));
  tac_console_print(job->console, "wrote %s", folder);
  return TAC_OK;
}

static void print_file(Job *job, const char *path) {
  tac_console_print(job->console, "wrote %s (%s)", path, tac_report_file_size(path).text);
}

static tacStatus write_csv(Job *job, tacRecording *recording, tacError *error) {
  TAC_MEMORY(char, path) = beside(job->folder, "run.csv", error);
  if (path == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_recording_write_csv(recording, path, error));
  print_file(job, path);
  return TAC_OK;
}

static tacStatus write_report(Job *job, tacRecording *recording, tacError *error) {
  TAC_MEMORY(char, path) = beside(job->folder, "report.html", error);
  TAC_MEMORY(char, picture) = beside(job->folder, "picture.png", error);
  TAC_FREED(tac_image_free, tacImage, image) = {0};
  if (path == NULL || picture == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_run_report_write(path, recording, job->world, tac_scene_name(job->scene), &job->report, job->depths,
                               &job->console->progress, &image, error));
  print_file(job, path);
  if (image.pixels == NULL) return TAC_OK;
  TAC_TRY(tac_image_write(&image, picture, error));
  print_file(job, picture);
  if (job->options.show) tac_image_print(&image, SHOWN_COLUMNS, stdout);
  return TAC_OK;
}

static tacStatus write_results(Job *job, tacError *error) {
  const Options *o = &job->options;
  print_file(job, job->recording);
  if (job->report.ticks == 0 || (!o->csv && !o->has_vtu && o->no_report)) return TAC_OK;
  TAC_OWN(tacRecording, recording) = NULL;
  tac_console_doing(job->console, "writing");
  TAC_TRY(tac_recording_open(job->recording, &recording, error));
  if (o->csv) TAC_TRY(write_csv(job, recording, error));
  if (o->has_vtu) TAC_TRY(write_vtu(job, recording, error));
  return o->no_report ? TAC_OK : write_report(job, recording, error);
}

/* "640x400"; false where it is no size of a picture. */
static bool read_size(const char *text, int *width, int *height) {
  char end;
  return sscanf(text, "%dx%d%c", width, height, &end) == 2 && *width >= 16 && *height >= 16 && *width <= 8192 &&
         *height <= 8192;
}

static tacStatus write_picture(Job *job, tacError *error) {
  const Options *o = &job->options;
  if (o->picture == NULL || job->report.ticks == 0) return TAC_OK;
  char colour[32];
  tac_options_word(colours, o->colour, colour, sizeof colour);
  tacScenePicture picture = {.recording = job->recording,
                             .cache = o->cache,
                             .moment = o->has_at ? o->at : -1.0,
                             .width = 1280,
                             .height = 800,
                             .dark = o->dark,
                             .colour = colour};
  if (o->size != NULL) read_size(o->size, &picture.width, &picture.height);
  tac_console_doing(job->console, "drawing");
  TAC_TRY(tac_scene_picture_write(&picture, o->picture, error));
  print_file(job, o->picture);
  return TAC_OK;
}

/* Of a run that has ended. */
static tacStatus report_results(Job *job, tacError *error) {
  const Options *o = &job->options;
  job->recorded = job->incomplete.status == TAC_OK;
  bool terminated = tac_console_terminated();
  tacStatus status = terminated ? TAC_OK : measure_depths(job, error);
  summarise(job);
  if (!job->recorded) {
    *error = job->incomplete;
    status = error->status;
  }
  TAC_TRY(status);
  if (terminated && (o->csv || o->has_vtu || o->picture != NULL || !o->no_report))
    return tac_error_set(error, TAC_ERR_CANCELLED, "the run was terminated");
  TAC_TRY(write_results(job, error));
  return write_picture(job, error);
}

static void close_job(Job *job) {
  tac_servo_destroy(job->servo);
  tac_depth_trace_destroy(job->depths);
  if (job->recorder != NULL) tac_recorder_close(job->recorder, NULL, NULL);
  for (int i = 0; i < TAC_MOST_TOOLS; ++i) tac_device_close(&job->devices[i]);
  tac_world_destroy(job->world);
  tac_scene_destroy(job->scene);
  free(job->recording);
  free(job->folder);
}

/* Results that were interrupted are not written; the recording is. */
static int fail(const Job *job, const tacError *error) {
  if (!job->recorded || error->status != TAC_ERR_CANCELLED) return tac_scene_bake_fail(error);
  fprintf(stderr, "tactus: interrupted; %s is complete, but some other results were not written\n", job->recording);
  return TAC_EXIT_FAILED;
}

int tac_command_run(int argc, char **argv) {
  TAC_FREED(close_job, Job, job) = {0};
  int result, width, height;
  if (!parse(argc, argv, &job.options, &result)) return result;
  if (job.options.has_problems && !job.options.fast)
    return tac_usage_error(command,
                           "--dump-problems writes files within ticks, which would miss their deadlines; add --fast");
  if (job.options.size != NULL && !read_size(job.options.size, &width, &height))
    return tac_usage_error(command, "--size %s: not a size; write it like 1280x800, from 16 to 8192 each",
                           job.options.size);
  job.console = tac_console_open(job.options.quiet);
  tacError error = {0};
  char fault[600] = "";
  tacStatus status = load(&job, argv[0], &error);
  if (status == TAC_OK) status = run(&job, &error);
  if (status == TAC_OK) {
    tac_servo_fault_text(job.servo, fault, sizeof fault);
    if (fault[0] != '\0') fprintf(stderr, "tactus: %s\n", fault);
    status = report_results(&job, &error);
  }
  tac_console_step(job.console, status);
  if (status != TAC_OK) result = fail(&job, &error);
  return fault[0] != '\0' ? TAC_EXIT_FAILED : result;
}
