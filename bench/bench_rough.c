/* Scenes in rough hands: closed loop with a simulated operator who strikes, jams and levers. Every scene runs twice, to see that the
 * second time is the first. */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/clock.h"
#include "bench/bench.h"
#include "bench/contact_scene.h"
#include "bench/rough_hand.h"
#include "scene/scene_parts.h"

static const char small_text[] =
    "tactus: 1\nname: box\nbodies:\n"
    "  - {name: box, kind: rigid, surface: {shape: box}, points: {count: 3000, levels: 3, resolution: 32}}\n"
    "  - {name: ball, kind: rigid, surface: {shape: sphere}, field: {resolution: 24}, position: [0, 0, 120 mm]}\n"
    "contacts:\n  - {points: box, field: ball, stiffness: 300 N/m, friction: 0.2}\n"
    "tools:\n  - {name: hand, kind: body, body: ball, device: {kind: operator, path: [{at: [0, 0, 120 mm]}]}}\n";

/* ---- one run ---- */

typedef struct Rough {
  tacScene *scene;
  tacWorld *world;
  double duration;
  tacRoughPath paths[TAC_MOST_TOOLS];
  tacMeter meters[TAC_MOST_TOOLS];
  tacServoReport report;
  double absorbed[TAC_MOST_TOOLS]; /* J, exactly, by the operator's own account */
  size_t depth_count, most_depths;
  double *depths[TAC_MOST_TOOLS]; /* mm, of all ticks */
} Rough;

/* The operator of the scene's preset with a rough path. Tools that touch at points keep their devices. */
static tacStatus open_hand(Rough *rough, int tool, const tacWorkspaceDef *workspace, tacDevice *device,
                           tacError *error) {
  const tacSceneDevice *from = &tac_scene_file_tool(&rough->scene->file, tool)->device;
  double period = tac_world_period(rough->world);
  tacRoughPath *path = &rough->paths[tool];
  tacOperatorDef def;
  tacTrajectory *trajectory = NULL;
  tacDevice inner;
  tac_device_close(device);
  tac_rough_path_free(path);
  tacStatus status =
      tac_operator_def_preset(from->kind == TAC_SCENE_DEVICE_OPERATOR ? from->preset : "premium-6", &def, error);
  if (status == TAC_OK)
    status = tac_rough_path_create(rough->world, tool, workspace, 1 + (uint64_t)tool, rough->duration, path, error);
  if (status == TAC_OK) status = tac_trajectory_create(path->count, path->points, false, &trajectory, error);
  if (status == TAC_OK) status = tac_device_operator_open(&def, trajectory, period, &inner, error);
  if (status == TAC_OK) tac_meter_open(inner, path, period, &rough->meters[tool], device);
  return status;
}

static void fetch_depths(Rough *rough, tacServo *servo) {
  enum { SAMPLES = 1024 };
  static tacTickSample samples[SAMPLES];
  for (int count = SAMPLES; count == SAMPLES;) {
    count = tac_servo_samples(servo, SAMPLES, samples);
    for (int i = 0; i < count && rough->depth_count < rough->most_depths; ++i, ++rough->depth_count)
      for (int t = 0; t < tac_world_tool_count(rough->world); ++t)
        rough->depths[t][rough->depth_count] = 1e3 * (double)samples[i].penetration[t];
  }
}

static tacStatus run_once(Rough *rough, tacError *error) {
  tacDevice devices[TAC_MOST_TOOLS] = {{0}};
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  tacServo *servo = NULL;
  tacServoDef def = tac_scene_servo(rough->scene);
  def.real_time = false;
  def.priority = 0;
  def.duration = rough->duration;
  int tools = tac_world_tool_count(rough->world);
  tac_world_reset(rough->world);
  tacStatus status = tac_scene_devices(rough->scene, devices, workspaces, error);
  for (int t = 0; t < tools && status == TAC_OK; ++t)
    if (tac_world_tool_body(rough->world, t).generation != 0)
      status = open_hand(rough, t, &workspaces[t], &devices[t], error);
  if (status == TAC_OK) status = tac_servo_create(rough->world, tools, devices, workspaces, &def, NULL, &servo, error);
  if (status == TAC_OK) status = tac_servo_start(servo, error);
  if (status == TAC_OK) {
    rough->depth_count = 0;
    while (tac_servo_running(servo)) {
      tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 200);
      fetch_depths(rough, servo);
    }
    tac_servo_stop(servo);
    fetch_depths(rough, servo);
    rough->report = tac_servo_report(servo);
    char fault[256];
    tac_servo_fault_text(servo, fault, sizeof fault);
    if (rough->report.fault != TAC_FAULT_NONE) status = tac_error_set(error, TAC_ERR_ARGUMENT, "%s", fault);
  }
  for (int t = 0; t < tools && status == TAC_OK; ++t)
    if (tac_world_tool_body(rough->world, t).generation != 0)
      rough->absorbed[t] = tac_device_operator_work(&rough->meters[t].inner);
  tac_servo_destroy(servo);
  for (int t = 0; t < tools; ++t) tac_device_close(&devices[t]);
  return status;
}

/* ---- what came out ---- */

static void report_value(tacBench *bench, const char *name, const char *metric, double value, const char *unit) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  tac_bench_report(bench, &result);
}

/* Of the finest field that the tool's body meets; 0 where all are exact. */
static double voxel_of(const tacWorld *world, int tool) {
  double least = INFINITY;
  uint32_t body = tac_world_tool_body(world, tool).index;
  for (int p = 0; p < tac_world_pair_count(world); ++p) {
    tacPairDef pair = tac_world_pair(world, p);
    double voxel = tac_contact_scene_voxel(world, p);
    if ((pair.points.index == body || pair.field.index == body) && voxel > 0.0) least = fmin(least, voxel);
  }
  return isfinite(least) ? least : 0.0;
}

static void report_tool(tacBench *bench, const Rough *rough, int tool) {
  const tacServoReport *r = &rough->report;
  const tacMeter *m = &rough->meters[tool];
  double ticks = (double)r->ticks, jammed = fmax(1.0, (double)m->jammed), voxel = voxel_of(rough->world, tool);
  char name[96];
  snprintf(name, sizeof name, "%.40s, %.40s", tac_scene_name(rough->scene), tac_world_tool_name(rough->world, tool));
  report_value(bench, name, "work", r->work[tool], "J");
  report_value(bench, name, "absorbed", rough->absorbed[tool], "J");
  report_value(bench, name, "least energy", 1e3 * r->energy_least[tool], "mJ");
  report_value(bench, name, "generated", 100.0 * fmax(0.0, -r->energy_least[tool]) / fmax(r->work[tool], 1e-9),
               "% of work");
  report_value(bench, name, "force > 100 Hz", 1e3 * sqrt(m->force_sum / ticks), "mN rms");
  report_value(bench, name, "force, jammed", 1e3 * sqrt(m->jammed_sum / jammed), "mN rms");
  report_value(bench, name, "torque > 100 Hz", 1e3 * sqrt(m->torque_sum / ticks), "mN m rms");
  report_value(bench, name, "torque, jammed", 1e3 * sqrt(m->jammed_torque_sum / jammed), "mN m rms");
  tacBenchResult depth = tac_bench_result(name, "depth", 0.0, "mm");
  tac_bench_percentiles(rough->depth_count, rough->depths[tool], &depth);
  tac_bench_report(bench, &depth);
  if (voxel > 0.0) report_value(bench, name, "deepest", r->penetration_max[tool] / voxel, "voxels");
  report_value(bench, name, "largest force", r->force_max[tool], "N");
  report_value(bench, name, "largest step", r->force_step_max[tool], "N");
}

static void report_scene(tacBench *bench, const Rough *rough, bool same) {
  const tacServoReport *r = &rough->report;
  const char *name = tac_scene_name(rough->scene);
  double ticks = (double)r->ticks;
  tacBenchResult tick = tac_bench_result(name, "tick", 1e6 * r->compute_p50, "us");
  tick.p50 = 1e6 * r->compute_p50;
  tick.p99 = 1e6 * r->compute_p99;
  tick.p999 = 1e6 * r->compute_p999;
  tick.max = 1e6 * r->compute_max;
  tac_bench_report(bench, &tick);
  report_value(bench, name, "contact", 100.0 * (double)r->contact_ticks / ticks, "% of ticks");
  report_value(bench, name, "damped", 100.0 * (double)r->damped / ticks, "% of ticks");
  report_value(bench, name, "limited", 100.0 * (double)(r->limited_force + r->limited_rate) / ticks, "% of ticks");
  report_value(bench, name, "refused", (double)r->refused, "inputs");
  report_value(bench, name, "second run differs", same ? 0.0 : 1.0, "");
}

static tacStatus bench_scene(tacBench *bench, tacScene *scene, tacError *error) {
  Rough *rough = tac_array_create(1, sizeof *rough, "a run", error);
  if (rough == NULL) return TAC_ERR_MEMORY;
  rough->scene = scene;
  rough->duration = bench->minutes > 0.0 ? 60.0 * bench->minutes : bench->quick ? 4.0 : 20.0;
  tacStatus status = tac_scene_bake(scene, NULL, false, NULL, NULL, error);
  if (status == TAC_OK) status = tac_scene_world(scene, &rough->world, error);
  rough->most_depths = (size_t)(1e3 * rough->duration) + 1000;
  for (int t = 0; status == TAC_OK && t < tac_world_tool_count(rough->world); ++t) {
    rough->depths[t] = tac_array_create(rough->most_depths, sizeof **rough->depths, "depths", error);
    if (rough->depths[t] == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) status = run_once(rough, error);
  uint64_t first[TAC_MOST_TOOLS];
  for (int t = 0; t < TAC_MOST_TOOLS; ++t) first[t] = rough->meters[t].fingerprint;
  if (status == TAC_OK) status = run_once(rough, error);
  bool same = true;
  for (int t = 0; t < TAC_MOST_TOOLS; ++t) same = same && first[t] == rough->meters[t].fingerprint;
  if (status == TAC_OK) {
    report_scene(bench, rough, same);
    for (int t = 0; t < tac_world_tool_count(rough->world); ++t)
      if (tac_world_tool_body(rough->world, t).generation != 0) report_tool(bench, rough, t);
  }
  for (int t = 0; t < TAC_MOST_TOOLS; ++t) {
    tac_rough_path_free(&rough->paths[t]);
    free(rough->depths[t]);
  }
  tac_world_destroy(rough->world);
  free(rough);
  return status;
}

/* ---- the scenes ---- */

static bool is_rough(const tacScene *scene) {
  for (int t = 0; t < scene->file.tools.count; ++t)
    if (tac_scene_file_tool(&scene->file, t)->kind == TAC_SCENE_BODY_TOOL) return scene->file.contacts.count > 0;
  return false;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(a, b);
}

enum { MOST_SCENES = 64, NAME = 256 };

static tacStatus list_scenes(const char *folder, char (*names)[NAME], int *count, tacError *error) {
  DIR *opened = opendir(folder);
  *count = 0;
  if (opened == NULL) return tac_error_set(error, TAC_ERR_FILE, "there is no folder %s: name a scene", folder);
  for (const struct dirent *entry; (entry = readdir(opened)) != NULL && *count < MOST_SCENES;) {
    size_t length = strlen(entry->d_name);
    if (length >= 6 && length < NAME && strcmp(entry->d_name + length - 5, ".yaml") == 0)
      memcpy(names[(*count)++], entry->d_name, length + 1);
  }
  closedir(opened);
  qsort(names, (size_t)*count, sizeof *names, compare_names);
  return TAC_OK;
}

static tacStatus bench_file(tacBench *bench, const char *path, bool named, tacError *error) {
  tacScene *scene = NULL;
  tacStatus status = tac_scene_read(path, &scene, error);
  if (status == TAC_OK && is_rough(scene))
    status = bench_scene(bench, scene, error);
  else if (status == TAC_OK && named)
    status = tac_error_set(error, TAC_ERR_ARGUMENT, "%s: no tool holds a body that touches others", path);
  tac_scene_destroy(scene);
  return status;
}

static tacStatus bench_folder(tacBench *bench, tacError *error) {
  struct stat found;
  const char *folder = stat("scenes", &found) == 0 ? "scenes" : TAC_SCENES;
  char(*names)[NAME] = tac_array_create(MOST_SCENES, sizeof *names, "names", error);
  int count = 0;
  tacStatus status = names == NULL ? TAC_ERR_MEMORY : list_scenes(folder, names, &count, error);
  for (int i = 0; i < count && status == TAC_OK; ++i) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    status = bench_file(bench, path, false, error);
  }
  free(names);
  return status;
}

tacStatus tac_bench_rough(tacBench *bench, tacError *error) {
  if (bench->scene != NULL) return bench_file(bench, bench->scene, true, error);
  if (!bench->quick) return bench_folder(bench, error);
  tacScene *scene = NULL;
  tacStatus status = tac_scene_parse(small_text, "bench.yaml", &scene, error);
  if (status == TAC_OK) status = bench_scene(bench, scene, error);
  tac_scene_destroy(scene);
  return status;
}
