/* Physics that holds, scene by scene, in rough hands without guards. Prints what is measured, and of each scene rows
 * of one table in Markdown (docs/truth.md), which begin with "|": the rows of several runs may be joined. */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app/cli/scene/scenes_folder.h"
#include "base/memory/array.h"
#include "bench/contact/contact_scene.h"
#include "bench/report/bench.h"
#include "bench/truth/goals.h"
#include "bench/truth/truth_bounds.h"
#include "scene/scene_parts.h"

static const char small_text[] =
    "tactus: 1\nname: box\nbodies:\n"
    "  - {name: box, kind: rigid, surface: {shape: box}, points: {count: 3000, levels: 3, resolution: 32}}\n"
    "  - {name: ball, kind: rigid, surface: {shape: sphere}, field: {resolution: 24}, position: [0, 0, 120 mm]}\n"
    "contacts:\n  - {points: box, field: ball, stiffness: 300 N/m, friction: 0.2}\n"
    "tools:\n  - {name: hand, kind: body, body: ball, device: {kind: operator, path: [{at: [0, 0, 120 mm]}]}}\n";

/* ---- what came out ---- */

static void report_value(tacBench *bench, const char *name, const char *metric, double value, const char *unit) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  tac_bench_report(bench, &result);
}

static double share(tacEnergyReading reading) {
  return reading.generated > 0.0 ? 100.0 * reading.generated / fmax(reading.work, 1e-12) : 0.0;
}

static void report_tool(tacBench *bench, const tacScene *scene, const tacTruth *truth, int t) {
  const tacForceGauge *f = &truth->tools[t].force;
  const tacEnergyAccount *e = &truth->tools[t].energy;
  double ticks = (double)truth->ticks, jammed = fmax(1.0, (double)f->jammed);
  char name[96];
  snprintf(name, sizeof name, "%.40s, %.40s", tac_scene_name(scene), tac_world_tool_name(truth->world, t));
  report_value(bench, name, "work", e->gross, "J");
  report_value(bench, name, "generated, episode", 1e3 * e->episode.generated, "mJ");
  report_value(bench, name, "generated, episode", share(e->episode), "% of work");
  report_value(bench, name, "generated, 1 s", 1e3 * e->second.generated, "mJ");
  report_value(bench, name, "generated, 1 s", share(e->second), "% of work");
  report_value(bench, name, "generated, all", 1e3 * e->generated, "mJ");
  report_value(bench, name, "episodes", (double)e->episodes, "");
  report_value(bench, name, "force > 100 Hz", 1e3 * sqrt(f->force_sum / ticks), "mN rms");
  report_value(bench, name, "force, jammed", 1e3 * sqrt(f->jammed_sum / jammed), "mN rms");
  report_value(bench, name, "torque > 100 Hz", 1e3 * sqrt(f->torque_sum / ticks), "mN m rms");
  report_value(bench, name, "torque, jammed", 1e3 * sqrt(f->jammed_torque_sum / jammed), "mN m rms");
  report_value(bench, name, "largest force", f->force_most, "N");
  report_value(bench, name, "largest step", f->step_most, "N");
  report_value(bench, name, "step, of its bound", f->step_ratio, "");
  report_value(bench, name, "body's own motion", 1e3 * f->own_motion_most, "mm a tick");
  report_value(bench, name, "depth reported", 1e3 * f->depth_most, "mm");
  report_value(bench, name, "not borne, jammed", 100.0 * f->unborne, "%");
}

static void report_scene(tacBench *bench, const tacScene *scene, const tacTruth *truth) {
  const char *name = tac_scene_name(scene);
  const tacBalance *b = &truth->balance;
  double ticks = (double)truth->ticks;
  tacBenchResult tick = tac_bench_result(name, "tick", 1e6 * tac_histogram_percentile(&truth->tick, 0.5), "us");
  tick.p50 = tick.value;
  tick.p99 = 1e6 * tac_histogram_percentile(&truth->tick, 0.99);
  tick.p999 = 1e6 * tac_histogram_percentile(&truth->tick, 0.999);
  tick.max = 1e6 * truth->tick.largest;
  tac_bench_report(bench, &tick);
  report_value(bench, name, "time", ticks * tac_world_period(truth->world), "s");
  report_value(bench, name, "contact", 100.0 * (double)truth->contact_ticks / ticks, "% of ticks");
  report_value(bench, name, "degraded", 100.0 * (double)truth->degraded / ticks, "% of ticks");
  report_value(bench, name, "saturated", (double)truth->saturated, "loops");
  report_value(bench, name, "refused", (double)truth->refused, "inputs");
  report_value(bench, name, "third law, force", b->force, "");
  report_value(bench, name, "third law, torque", b->torque, "");
  if (truth->pairs.pair_count > 0) {
    report_value(bench, name, "pairs, work", truth->pairs.work, "J");
    report_value(bench, name, "pairs, normal, 1 s", 1e3 * truth->pairs.along, "mJ");
    report_value(bench, name, "pairs, all, 1 s", 1e3 * truth->pairs.all, "mJ");
  }
  if (b->free_count > 0) {
    report_value(bench, name, "momentum", b->momentum, "");
    report_value(bench, name, "angular momentum", b->angular, "");
    report_value(bench, name, "impulse, all", b->impulse, "");
  }
  if (tac_world_tool_count(truth->world) > 1) {
    report_value(bench, name, "generated, episode", 1e3 * truth->energy.episode.generated, "mJ");
    report_value(bench, name, "generated, 1 s", 1e3 * truth->energy.second.generated, "mJ");
  }
  report_value(bench, name, "depth reported", 1e3 * truth->depth.reported, "mm");
  report_value(bench, name, "depth", 1e3 * truth->depth.deepest, "mm");
  report_value(bench, name, "depth reported there", 1e3 * truth->depth.reported_there, "mm");
  if (truth->depth.voxel > 0.0) report_value(bench, name, "depth", truth->depth.deepest / truth->depth.voxel, "voxels");
  report_value(bench, name, "through", 1e3 * truth->depth.through, "mm");
  report_value(bench, name, "depth of tips", 1e3 * truth->depth.tip, "mm");
  report_value(bench, name, "depths looked at", (double)truth->depth.moments, "moments");
  if (truth->full.count > 0) {
    report_value(bench, name, "error, median", 100.0 * truth->full.median, "% of full");
    report_value(bench, name, "error, most", 100.0 * truth->full.most, "% of full");
    if (isfinite(truth->full.linear_most))
      report_value(bench, name, "error, linear", 100.0 * truth->full.linear_most, "% of full");
  }
  report_value(bench, name, "full solutions", (double)truth->full.count, "moments");
  report_value(bench, name, "full, failed", (double)truth->full.failed, "moments");
  report_value(bench, name, "fingerprint", (double)(truth->fingerprint >> 32), "");
}

static void report_goals(tacBench *bench, const tacScene *scene, const tacGoal goals[TAC_GOALS]) {
  for (int i = 0; i < TAC_GOALS; ++i) {
    if (isnan(goals[i].value)) continue;
    tacBenchResult result = tac_bench_result(tac_scene_name(scene), goals[i].measure, goals[i].value, goals[i].unit);
    result.goal = goals[i].most;
    tac_bench_report(bench, &result);
  }
}

/* ---- the table ---- */

/* What a hand can feel, beside its goal: a row a scene. */
static void print_goals(const tacScene *scene, const tacGoal goals[TAC_GOALS]) {
  printf("\n| feel of |");
  for (int i = 0; i < TAC_GOALS; ++i) printf(" %s, %s, at most %g |", goals[i].measure, goals[i].unit, goals[i].most);
  printf("\n|---|");
  for (int i = 0; i < TAC_GOALS; ++i) printf("---|");
  printf("\n| %s |", tac_scene_name(scene));
  for (int i = 0; i < TAC_GOALS; ++i) {
    if (isnan(goals[i].value))
      printf(" – |");
    else
      printf(" %.3g%s |", goals[i].value, tac_goal_passes(&goals[i]) ? "" : " miss");
  }
  printf("\n");
}

static void print_depths(const tacDepthGauge *d) {
  if (d->deepest == 0.0 && d->reported == 0.0) {
    printf(" – | – |");
    return;
  }
  printf(" %.2f / %.2f", 1e3 * d->deepest, 1e3 * d->reported);
  if (d->voxel > 0.0) printf(" (%.1f)", d->deepest / d->voxel);
  printf(" | %.2f |", 1e3 * d->through);
}

static void print_full(const tacFullGauge *f) {
  if (f->count + f->failed == 0) {
    printf(" – |\n");
    return;
  }
  if (f->count > 0) printf(" %.1f / %.1f", 100.0 * f->median, 100.0 * f->most);
  printf(" (%d", f->count);
  if (f->failed > 0) printf(", %d without", f->failed);
  if (isfinite(f->linear_most)) printf(", linear %.1g", 100.0 * f->linear_most);
  printf(") |\n");
}

/* What is of the scene stands in the row of its first tool. */
static void print_row(const tacScene *scene, const tacTruth *truth, int t) {
  const tacForceGauge *f = &truth->tools[t].force;
  const tacEnergyAccount *e = &truth->tools[t].energy;
  const tacBalance *b = &truth->balance;
  double ticks = (double)truth->ticks, jammed = fmax(1.0, (double)f->jammed);
  printf("| %s, %s | %.0f | %.1f | %.2f (%.1g) | %.2f (%.1g) | %.2f | %.0f / %.0f |", tac_scene_name(scene),
         tac_world_tool_name(truth->world, t), ticks * tac_world_period(truth->world), e->gross,
         1e3 * e->episode.generated, share(e->episode), 1e3 * e->second.generated, share(e->second), f->step_ratio,
         1e3 * sqrt(f->force_sum / ticks), 1e3 * sqrt(f->jammed_sum / jammed));
  if (tac_world_tool_body(truth->world, t, NULL).generation != 0)
    printf(" %.0f |", 100.0 * f->unborne);
  else
    printf(" – |");
  if (t > 0) {
    printf(" | | | | | |\n");
    return;
  }
  print_depths(&truth->depth);
  if (truth->pairs.pair_count > 0)
    printf(" %.2f / %.2f |", 1e3 * truth->pairs.along, 1e3 * truth->pairs.all);
  else
    printf(" – |");
  printf(" %.0e / %.0e |", b->force, b->torque);
  if (b->free_count > 0)
    printf(" %.0e / %.0e / %.0e |", b->momentum, b->angular, b->impulse);
  else
    printf(" – |");
  print_full(&truth->full);
}

/* Each run has the head as well: of joined rows, those that are there twice are left out. */
static void print_rows(const tacScene *scene, const tacTruth *truth) {
  printf("\n| scene, tool | s | work, J | generated in a contact, mJ (%%) | in 1 s, mJ (%%) | step / bound | > 100 Hz, "
         "all / "
         "jammed, mN | hand not borne, %% | depth true / reported, mm (voxels) | through, mm | pairs in 1 s, normal / "
         "all, "
         "mJ | third law, N / N m | "
         "momentum / "
         "angular / impulse | off the full solution, median / most, %% (moments) |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int t = 0; t < tac_world_tool_count(truth->world); ++t) print_row(scene, truth, t);
  const tacEnergyAccount *all = &truth->energy;
  if (tac_world_tool_count(truth->world) > 1)
    printf("| %s, all hands | | %.1f | %.2f (%.1g) | %.2f (%.1g) | | | | | | | | | |\n", tac_scene_name(scene),
           all->gross, 1e3 * all->episode.generated, share(all->episode), 1e3 * all->second.generated,
           share(all->second));
  printf("\n");
  const tacTruthBounds *bounds = tac_truth_bounds(tac_scene_name(scene));
  char beyond[512];
  if (bounds != NULL && tac_truth_beyond(truth, bounds, beyond, sizeof beyond))
    printf("%s is beyond its bounds: %s\n", tac_scene_name(scene), beyond);
  fflush(stdout);
}

/* ---- the scenes ---- */

static tacStatus bench_scene(tacBench *bench, tacScene *scene, tacError *error) {
  tacTruthDef def = {.duration = bench->minutes > 0.0 ? 60.0 * bench->minutes
                                 : bench->quick       ? 4.0
                                                      : 20.0,
                     .depth_count = 400,
                     .full_count = bench->quick ? 2 : 10,
                     .wall = bench->wall};
  tacTruth *truth = NULL;
  tacFeel feel;
  tacGoal goals[TAC_GOALS];
  tacStatus status = tac_scene_bake(scene, NULL, false, NULL, NULL, error);
  if (status == TAC_OK) status = tac_truth_create(scene, &def, &truth, error);
  if (status == TAC_OK) status = tac_feel_measure(scene, &feel, error);
  if (status == TAC_OK) {
    tac_goals_of(truth, &feel, goals);
    report_scene(bench, scene, truth);
    for (int t = 0; t < tac_world_tool_count(truth->world); ++t) report_tool(bench, scene, truth, t);
    report_goals(bench, scene, goals);
    if (!bench->json) {
      print_goals(scene, goals);
      print_rows(scene, truth);
    }
  }
  tac_truth_destroy(truth);
  return status;
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

static tacStatus bench_file(tacBench *bench, const char *path, tacError *error) {
  tacScene *scene = NULL;
  tacStatus status = tac_scene_read(path, &scene, error);
  if (status == TAC_OK) status = bench_scene(bench, scene, error);
  tac_scene_destroy(scene);
  return status;
}

static tacStatus bench_folder(tacBench *bench, tacError *error) {
  const char *folder = tac_scenes_folder();
  char(*names)[NAME] = tac_array_create(MOST_SCENES, sizeof *names, "names", error);
  int count = 0;
  tacStatus status = names == NULL ? TAC_ERR_MEMORY : list_scenes(folder, names, &count, error);
  for (int i = 0; i < count && status == TAC_OK; ++i) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    if (bench_file(bench, path, error) != TAC_OK)
      fprintf(stderr, "%s is left out: %s\n", names[i], error != NULL ? error->text : "");
  }
  free(names);
  return status;
}

tacStatus tac_bench_truth(tacBench *bench, tacError *error) {
  if (bench->scene != NULL) return bench_file(bench, bench->scene, error);
  if (!bench->quick) return bench_folder(bench, error);
  tacScene *scene = NULL;
  tacStatus status = tac_scene_parse(small_text, "bench.yaml", &scene, error);
  if (status == TAC_OK) status = bench_scene(bench, scene, error);
  tac_scene_destroy(scene);
  return status;
}
