/* Vademecums beside Gonzalez, Alfaro, Quesada, Cueto, Chinesta 2015; --scene names one part. The paper's beam was
 * baked on a laptop, its bunnies on a Xeon at 3.5 GHz, and asked on a Core i7 at 3 GHz, all in Matlab. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tactus/reduced.h>
#include <time.h>
#include "base/clock.h"
#include "bench/report/bench.h"
#include "bench/vademecum/vademecum_experiments.h"
#include "bench/vademecum/vademecum_growth.h"
#include "bench/vademecum/vademecum_pictures.h"
#include "bench/vademecum/vademecum_solid.h"
#include "bench/vademecum/vademecum_tick_bench.h"
#include "bench/vademecum/vademecum_touch_bench.h"
#include "elastic/hyper/load_path.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "math/geometry/vec3.h"

static const double paper_beam = 0.02, paper_blob = 0.0052; /* m */
/* Where all loads are solved for directly, or 200 of them by Newton's method; and for a quick look. */
static const double medium_blob = 0.0084, coarse_blob = 0.014;

static void report(tacBench *bench, const char *name, const char *metric, double value, const char *unit,
                   const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  result.paper = paper;
  tac_bench_report(bench, &result);
}

/* ---- bakes ---- */

typedef struct Paper {
  const char *bake, *modes;
} Paper;

static void report_bake(tacBench *bench, const char *name, const tacVademecumInfo *info, double whole, double processor,
                        const Paper *paper) {
  report(bench, name, "nodes", info->node_count, "", NULL);
  report(bench, name, "loads", info->load_count, "", NULL);
  report(bench, name, "modes", info->mode_count, "", paper->modes);
  report(bench, name, "sampled elements", info->sampled_count, "", NULL);
  report(bench, name, "paths", info->path_count, "", NULL);
  report(bench, name, "size", info->bytes / 1e6, "MB", NULL);
  report(bench, name, "bake", whole, "s", paper->bake);
  report(bench, name, "bake, processor", processor, "s", NULL); /* of all cores together */
  report(bench, name, "linear", info->seconds_linear, "s", NULL);
  report(bench, name, "load paths", info->seconds_paths, "s", NULL);
  report(bench, name, "modes made", info->seconds_basis, "s", NULL);
  report(bench, name, "elements chosen", info->seconds_elements, "s", NULL);
  report(bench, name, "coordinates", info->seconds_loads, "s", NULL);
  report(bench, name, "check", info->seconds_check, "s", NULL);
  report(bench, name, "error, mean", 100.0 * info->error_mean, "%", NULL);
  report(bench, name, "error, most", 100.0 * info->error_most, "%", NULL);
  report(bench, name, "corrected, mean", 100.0 * info->corrected_mean, "%", NULL);
  report(bench, name, "corrected, most", 100.0 * info->corrected_most, "%", "10 %");
  report(bench, name, "linear, mean", 100.0 * info->linear_mean, "%", NULL);
}

/* A load by all nodes, from rest: what a query stands for, s. */
static tacStatus time_full(const tacVademecumSolid *solid, double *seconds, tacError *error) {
  tacPathExperiment path;
  const tacPathWay way = {.newton = true};
  tacStatus status = tac_vademecum_experiment_path(solid, &way, 3, &path, error);
  *seconds = path.seconds;
  return status;
}

static tacStatus report_queries(tacBench *bench, const char *name, const tacVademecumSolid *solid,
                                const tacVademecum *vademecum, tacError *error) {
  static const struct {
    const char *metric;
    int steps, count;
  } queries[] = {{"displacement", 0, 20000}, {"with 1 correction", 1, 2000}, {"with 2 corrections", 2, 2000}};
  double full = NAN;
  tacStatus status = time_full(solid, &full, error);
  for (size_t i = 0; i < sizeof queries / sizeof *queries && status == TAC_OK; ++i) {
    tacBenchResult result = tac_bench_result(name, queries[i].metric, NAN, "us");
    int count = bench->quick ? 20 : queries[i].count;
    status = tac_vademecum_query_time(vademecum, queries[i].steps, count, &result, error);
    result.baseline = 1e6 * full;
    if (status == TAC_OK) tac_bench_report(bench, &result);
  }
  return status;
}

/* `touch`: NULL, or what is done with it then. */
static tacStatus bake_and_ask(tacBench *bench, const char *name, const tacVademecumSolid *solid, const Paper *paper,
                              tacStatus (*touch)(tacBench *bench, const tacVademecum *vademecum, tacError *error),
                              tacError *error) {
  tacVademecum *vademecum = NULL;
  double start = tac_bench_now();
  clock_t used = clock();
  tacStatus status = tac_vademecum_bake(&solid->def, NULL, &vademecum, error);
  if (status != TAC_OK) return status;
  report_bake(bench, name, tac_vademecum_info(vademecum), tac_bench_now() - start,
              (double)(clock() - used) / CLOCKS_PER_SEC, paper);
  status = report_queries(bench, name, solid, vademecum, error);
  if (status == TAC_OK && touch != NULL) status = touch(bench, vademecum, error);
  tac_vademecum_destroy(vademecum);
  return status;
}

static tacStatus bench_beam(tacBench *bench, tacError *error) {
  static const Paper paper = {"half an hour", "81"};
  tacStatus status = TAC_OK;
  for (int any = 0; any < (bench->quick ? 1 : 2) && status == TAC_OK; ++any) {
    tacVademecumSolid solid;
    status = tac_vademecum_solid_beam(paper_beam, any, &solid, error);
    if (status != TAC_OK) break;
    if (bench->quick) {
      solid.def.path_most = 8;
      solid.def.mode_most = 12;
      solid.def.sample_count = 4;
    }
    status = bake_and_ask(bench, any ? "beam, loads in any direction" : "beam, loads along -z", &solid, &paper,
                          any ? NULL : tac_vademecum_beam_touch, error);
    tac_vademecum_solid_destroy(&solid);
  }
  return status;
}

static tacStatus bench_blob(tacBench *bench, tacError *error) {
  static const Paper paper = {"over three hours", "143"};
  tacVademecumSolid solid;
  tacStatus status = tac_vademecum_solid_blob(bench->quick ? coarse_blob : paper_blob, false, &solid, error);
  if (status != TAC_OK) return status;
  solid.def.mode_most = bench->quick ? 12 : 143;
  solid.def.path_most = bench->quick ? 8 : 128;
  solid.def.sample_count = bench->quick ? 4 : 40; /* each takes Newton's method seconds */
  status = bake_and_ask(bench, "blob, loads along -z", &solid, &paper, tac_vademecum_blob_touch, error);
  tac_vademecum_solid_destroy(&solid);
  return status;
}

/* ---- modes ---- */

/* Modes needed, beside the least number; nothing where more would be needed than were made. */
static void report_needed(tacBench *bench, const char *name, const char *metric, int modes, int least) {
  if (modes == 0 || least == 0) return;
  tacBenchResult result = tac_bench_result(name, metric, modes, "modes");
  result.baseline = least;
  tac_bench_report(bench, &result);
}

static void report_modes(tacBench *bench, const char *name, const tacModesExperiment *e) {
  static const struct {
    double error;
    const char *energy, *kept;
  } levels[] = {{0.1, "10 % of energy norm", "10 % of displacements"},
                {0.01, "1 % of energy norm", "1 % of displacements"},
                {0.001, "0.1 % of energy norm", "0.1 % of displacements"}};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i) {
    double error = levels[i].error;
    report_needed(bench, name, levels[i].energy, tac_modes_needed(e->count, e->separated, error),
                  tac_modes_needed(e->count, e->optimum, error));
    report_needed(bench, name, levels[i].kept, tac_modes_needed(e->kept_count, e->kept, error),
                  tac_modes_needed(e->kept_count, e->kept_optimum, error));
  }
  report(bench, name, "modes", e->count, "", NULL);
  report(bench, name, "residual", e->residual, "", "1e-5");
  report(bench, name, "alternations", e->alternations, "", NULL);
  tacBenchResult seconds = tac_bench_result(name, "separation", e->seconds, "s");
  seconds.baseline = e->direct;
  tac_bench_report(bench, &seconds);
}

/* Baselines are the least numbers that are possible, by singular values of all direct solutions. */
static tacStatus bench_modes(tacBench *bench, tacError *error) {
  tacStatus status = TAC_OK;
  for (int blob = 0; blob < 2 && status == TAC_OK; ++blob) {
    tacVademecumSolid solid;
    tacModesExperiment e;
    const char *name = blob ? "blob" : "beam";
    double size = bench->quick ? coarse_blob : medium_blob;
    status = blob ? tac_vademecum_solid_blob(size, false, &solid, error)
                  : tac_vademecum_solid_beam(paper_beam, false, &solid, error);
    if (status != TAC_OK) return status;
    double residual = bench->quick ? 0.05 : blob ? 5e-4 : 1e-5;
    status = tac_vademecum_experiment_modes(&solid, residual, &e, error);
    if (status == TAC_OK) report_modes(bench, name, &e);
    if (status == TAC_OK && bench->plots != NULL) status = tac_vademecum_picture_modes(bench->plots, name, &e, error);
    if (status == TAC_OK) tac_modes_experiment_destroy(&e);
    tac_vademecum_solid_destroy(&solid);
  }
  return status;
}

/* ---- several contacts ---- */

static void report_contacts(tacBench *bench, const char *solid, const tacContactsExperiment *e) {
  char name[64], metric[64];
  snprintf(name, sizeof name, "%s, %d contacts", solid, e->contacts);
  for (int k = 0; k < TAC_CORRECTIONS; ++k) {
    snprintf(metric, sizeof metric, "%d corrections", tac_correction_steps[k]);
    tacBenchResult error = tac_bench_result(name, metric, 100.0 * e->mean[k], "% mean");
    error.max = 100.0 * e->most[k];
    tac_bench_report(bench, &error);
  }
  tacBenchResult nearest = tac_bench_result(name, "nearest in modes", 100.0 * e->nearest_mean, "% mean");
  nearest.max = 100.0 * e->nearest_most;
  tac_bench_report(bench, &nearest);
  tacBenchResult linear = tac_bench_result(name, "linear elasticity", 100.0 * e->linear_mean, "% mean");
  linear.max = 100.0 * e->linear_most;
  tac_bench_report(bench, &linear);
  report(bench, name, "displacement", 1e3 * e->displaced, "mm", NULL);
  for (int k = 0; k < TAC_CORRECTIONS; ++k) {
    snprintf(metric, sizeof metric, "%d corrections", tac_correction_steps[k]);
    tacBenchResult time = tac_bench_result(name, metric, 1e6 * e->seconds[k], "us");
    time.baseline = 1e6 * e->full_seconds;
    tac_bench_report(bench, &time);
  }
}

static tacStatus bench_contacts(tacBench *bench, tacError *error) {
  static const int counts[] = {1, 2, 10, 50};
  tacStatus status = TAC_OK;
  for (int blob = 0; blob < 2 && status == TAC_OK; ++blob) {
    tacVademecumSolid solid;
    tacVademecum *vademecum = NULL;
    status = blob ? tac_vademecum_solid_blob(bench->quick ? coarse_blob : medium_blob, !bench->quick, &solid, error)
                  : tac_vademecum_solid_beam(paper_beam, !bench->quick, &solid, error);
    if (status != TAC_OK) return status;
    if (bench->quick) {
      solid.def.path_most = 8;
      solid.def.mode_most = 12;
    }
    solid.def.sample_count = bench->quick ? 2 : 20;
    status = tac_vademecum_bake(&solid.def, NULL, &vademecum, error);
    for (size_t i = 0; i < sizeof counts / sizeof *counts && status == TAC_OK; ++i) {
      tacContactsExperiment e;
      int samples = bench->quick ? 2 : 50;
      status = tac_vademecum_experiment_contacts(&solid, vademecum, counts[i], samples, &e, error);
      if (status == TAC_OK) report_contacts(bench, blob ? "blob" : "beam", &e);
    }
    tac_vademecum_destroy(vademecum);
    tac_vademecum_solid_destroy(&solid);
  }
  return status;
}

/* ---- paths ---- */

static tacStatus bench_paths(tacBench *bench, tacError *error) {
  static const tacPathWay ways[] = {{.name = "Newton", .newton = true},
                                    {.name = "series, order 6", .method = TAC_PATH_SERIES, .order = 6},
                                    {.name = "series, order 12", .method = TAC_PATH_SERIES, .order = 12},
                                    {.name = "series, order 20", .method = TAC_PATH_SERIES, .order = 20},
                                    {.name = "16 increments", .method = TAC_PATH_INCREMENTS, .increments = 16},
                                    {.name = "64 increments", .method = TAC_PATH_INCREMENTS, .increments = 64},
                                    {.name = "256 increments", .method = TAC_PATH_INCREMENTS, .increments = 256}};
  tacStatus status = TAC_OK;
  for (int blob = 0; blob < 2 && status == TAC_OK; ++blob) {
    tacVademecumSolid solid;
    status = blob ? tac_vademecum_solid_blob(bench->quick ? coarse_blob : paper_blob, true, &solid, error)
                  : tac_vademecum_solid_beam(paper_beam, true, &solid, error);
    if (status != TAC_OK) return status;
    int loads = bench->quick ? 1 : blob ? 3 : 12;
    for (size_t w = 0; w < sizeof ways / sizeof *ways && status == TAC_OK; ++w) {
      if (blob && ways[w].increments > 16) continue; /* seconds a load */
      tacPathExperiment e;
      char name[64];
      snprintf(name, sizeof name, "%s, %s", blob ? "blob" : "beam", ways[w].name);
      status = tac_vademecum_experiment_path(&solid, &ways[w], loads, &e, error);
      if (status != TAC_OK) break;
      report(bench, name, "factorisations", (double)e.factorisations / loads, "a load", NULL);
      report(bench, name, "time", 1e3 * e.seconds, "ms a load", NULL);
      if (!e.ended) report(bench, name, "error", e.error, "most", NULL);
    }
    tac_vademecum_solid_destroy(&solid);
  }
  return status;
}

/* ---- volume ---- */

static tacStatus bench_volume(tacBench *bench, tacError *error) {
  tacVademecumSolid solid;
  tacVademecum *vademecum = NULL;
  tacVolumeExperiment e;
  tacStatus status = tac_vademecum_solid_beam(paper_beam, false, &solid, error);
  if (status != TAC_OK) return status;
  solid.def.sample_count = 4;
  if (bench->quick) {
    solid.def.path_most = 8;
    solid.def.mode_most = 12;
  }
  status = tac_vademecum_bake(&solid.def, NULL, &vademecum, error);
  if (status == TAC_OK) status = tac_vademecum_experiment_volume(&solid, vademecum, &e, error);
  for (int i = 0; i < TAC_VOLUME_LEVELS && status == TAC_OK; ++i) {
    char name[64];
    snprintf(name, sizeof name, "beam, %.0f kN at its end", 1e-3 * e.load[i]);
    report(bench, name, "volume, linear", 100.0 * e.linear[i], "%", NULL);
    report(bench, name, "volume, vademecum", 100.0 * e.alone[i], "%", NULL);
    report(bench, name, "volume, corrected", 100.0 * e.corrected[i], "%", NULL);
    report(bench, name, "volume, all nodes", 100.0 * e.full[i], "%", NULL);
    report(bench, name, "end, linear", 1e3 * e.linear_tip[i], "mm", NULL);
    report(bench, name, "end, vademecum", 1e3 * e.alone_tip[i], "mm", NULL);
    report(bench, name, "end, all nodes", 1e3 * e.full_tip[i], "mm", NULL);
  }
  if (status == TAC_OK && bench->plots != NULL) status = tac_vademecum_picture_volume(bench->plots, &e, error);
  tac_vademecum_destroy(vademecum);
  tac_vademecum_solid_destroy(&solid);
  return status;
}

/* ---- growth ---- */

typedef struct Size {
  int cells[3], loads;
} Size;

static void report_growth(tacBench *bench, const tacGrowthPoint *p) {
  char name[64];
  snprintf(name, sizeof name, "%.0f nodes, %.0f loads", p->nodes, p->loads);
  report(bench, name, "bake, processor", p->whole, "s", NULL);
  report(bench, name, "linear", p->linear, "s", NULL);
  report(bench, name, "load paths", p->paths, "s", NULL);
  report(bench, name, "modes made", p->basis, "s", NULL);
  report(bench, name, "elements chosen", p->elements, "s", NULL);
  report(bench, name, "coordinates", p->coordinates, "s", NULL);
  report(bench, name, "check", p->check, "s", NULL);
  report(bench, name, "modes", p->modes, "", NULL);
  report(bench, name, "sampled elements", p->sampled, "", NULL);
  report(bench, name, "size", p->bytes / 1e6, "MB", NULL);
  report(bench, name, "corrected, most", 100.0 * p->error, "%", NULL);
  report(bench, name, "displacement", 1e6 * p->query, "us", NULL);
  report(bench, name, "with 2 corrections", 1e6 * p->corrected, "us", NULL);
}

/* With 16 paths and a sample of 4: what is of interest is how each stage grows. */
static tacStatus grow(tacBench *bench, const char *name, int count, const Size *sizes, bool over_loads,
                      tacError *error) {
  enum { MOST = 8 };
  tacGrowthPoint points[MOST];
  double of[MOST];
  tacStatus status = TAC_OK;
  for (int i = 0; i < count && status == TAC_OK; ++i) {
    tacVademecumSolid solid;
    status = tac_vademecum_solid_block(sizes[i].cells, sizes[i].loads, &solid, error);
    if (status != TAC_OK) return status;
    solid.def.path_most = bench->quick ? 4 : 16;
    solid.def.sample_count = bench->quick ? 1 : 4;
    solid.def.mode_most = bench->quick ? 12 : 64;
    status = tac_vademecum_growth_measure(&solid, &points[i], error);
    if (status == TAC_OK) report_growth(bench, &points[i]);
    of[i] = over_loads ? points[i].loads : points[i].nodes;
    tac_vademecum_solid_destroy(&solid);
  }
  if (status != TAC_OK || bench->plots == NULL) return status;
  char remark[120];
  if (over_loads)
    snprintf(remark, sizeof remark, "A slab of %.0f nodes, 16 loads followed, at most 64 modes, 4 loads checked.",
             points[0].nodes);
  else
    snprintf(remark, sizeof remark, "Cubes with %.0f loads, 16 of them followed, at most 64 modes, 4 loads checked.",
             points[0].loads);
  return tac_vademecum_picture_growth(bench->plots, name, over_loads ? "loads" : "nodes", remark, count, of, points,
                                      error);
}

static tacStatus bench_growth(tacBench *bench, tacError *error) {
  static const Size nodes[] = {{{9, 9, 9}, 100}, {{12, 12, 12}, 100}, {{15, 15, 15}, 100}, {{19, 19, 19}, 100}};
  static const Size loads[] = {{{20, 20, 4}, 100}, {{20, 20, 4}, 300}, {{20, 20, 4}, 1000}};
  static const Size least[] = {{{3, 3, 3}, 10}, {{4, 4, 4}, 10}};
  if (bench->quick) return grow(bench, "nodes", 2, least, false, error);
  tacStatus status = grow(bench, "nodes", sizeof nodes / sizeof *nodes, nodes, false, error);
  return status == TAC_OK ? grow(bench, "loads", sizeof loads / sizeof *loads, loads, true, error) : status;
}

static tacStatus bench_growth_nodes(tacBench *bench, tacError *error) {
  static const Size sizes[] = {
      {{9, 9, 9}, 100}, {{13, 13, 13}, 100}, {{17, 17, 17}, 100}, {{23, 23, 23}, 100}, {{30, 30, 30}, 100}};
  return grow(bench, "nodes", sizeof sizes / sizeof *sizes, sizes, false, error);
}

static tacStatus bench_growth_loads(tacBench *bench, tacError *error) {
  static const Size sizes[] = {
      {{48, 48, 4}, 100}, {{48, 48, 4}, 300}, {{48, 48, 4}, 1000}, {{48, 48, 4}, 3000}, {{48, 48, 4}, 5000}};
  return grow(bench, "loads", sizeof sizes / sizeof *sizes, sizes, true, error);
}

tacStatus tac_bench_vademecum(tacBench *bench, tacError *error) {
  static const struct {
    const char *name;
    tacStatus (*run)(tacBench *bench, tacError *error);
    bool named; /* long: runs where it is named alone */
  } parts[] = {{"beam", bench_beam, false},
               {"beam-world", tac_vademecum_beam_ticks, true},
               {"modes", bench_modes, false},
               {"paths", bench_paths, false},
               {"contacts", bench_contacts, false},
               {"volume", bench_volume, false},
               {"growth", bench_growth, false},
               {"blob", bench_blob, false},
               {"blob-world", tac_vademecum_blob_ticks, true},
               {"growth-nodes", bench_growth_nodes, true},
               {"growth-loads", bench_growth_loads, true}};
  tacStatus status = TAC_OK;
  for (size_t i = 0; i < sizeof parts / sizeof *parts && status == TAC_OK; ++i)
    if (bench->scene == NULL ? !parts[i].named : strcmp(bench->scene, parts[i].name) == 0)
      status = parts[i].run(bench, error);
  return status;
}
