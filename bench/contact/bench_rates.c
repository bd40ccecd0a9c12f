/* Worlds of one and of two rates in the same run: what a tick takes, what a step of the bodies takes, and how far apart
 * what the hand feels is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/contact/contact_scene.h"
#include "bench/report/bench.h"
#include "math/geometry/vec3.h"
#include "scene/scene.h"

enum { RATES = 3, MOST_TICKS = 4000 };
static const int every[RATES] = {1, 2, 10};

/* As in the scenes of the gallery, whose bakes are used. */
static const char hoses_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: hoses, kind: reduced, surface: {shape: hoses}, volume: {bricks: 5 mm, fill: cover},\n"
    "     material: {young: 6 MPa, poisson: 0.4, density: 1100 kg/m3}, fixed: [{below: {axis: x, at: 1 mm}}],\n"
    "     basis: {from: modes, modes: 9, size: 15}, damping: {mass: 2 1/s, stiffness: 4 ms},\n"
    "     points: {count: 256000, levels: 5, resolution: 256}}\n"
    "  - {name: part, kind: rigid, surface: {shape: hose-part}, field: {resolution: 128}, position: [290 mm, 0, 0]}\n"
    "contacts:\n  - {points: hoses, field: part, stiffness: 300 N/m, friction: 0.1}\n"
    "tools:\n  - {name: hand, kind: body, body: part, device: {kind: operator, path: [{at: [0, 0, 0]}]}}\n";

static const char heap_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: basket, kind: reduced, surface: {shape: basket, vertices: 400}, volume: {bricks: 7.2 mm},\n"
    "     material: {young: 60 kPa, poisson: 0.3, density: 300 kg/m3}, basis: {from: modes, modes: 8, size: 15},\n"
    "     field: {resolution: 32}, damping: {mass: 1 1/s, stiffness: 5 ms}, gravity: [0, 0, -9.81 m/s2],\n"
    "     position: [-160 mm, -160 mm, 90 mm], copies: {grid: [3, 3, 3], spacing: [160 mm, 160 mm, 160 mm]},\n"
    "     touch: {stiffness: 200 N/m, damping: 0.3 Ns/m}, contact: {stiffness: 800 N/m, damping: 2 Ns/m}}\n"
    "floor: {normal: z, at: 0 m, friction: 0.5}\n"
    "tools:\n  - {name: finger, kind: point, device: {kind: operator, path: [{at: [0, 0, 0]}]}}\n";

typedef struct Case {
  const char *name, *text;
  tacVec3 from,
      way; /* m: of a hand that goes there and back once a second, from the tool's start where it holds a body */
  int ticks;
  bool chaotic; /* what is felt says nothing */
} Case;

static const Case cases[] = {
    {"hoses + part, pressed", hoses_text, {0.0, 0.0, 0.0}, {-0.06, 0.0, 0.0}, 2000, false},
    {"27 baskets, one pushed", heap_text, {0.0, 0.0, 0.25}, {0.0, 0.0, -0.2}, 2000, true},
};

/* Samples of a run. */
typedef struct Run {
  size_t ticks, steps;
  double tick[MOST_TICKS], step[MOST_TICKS]; /* us */
  tacVec3 force[MOST_TICKS];
} Run;

static tacStatus play(const Case *c, int n, int ticks, Run *run, tacError *error) {
  tacContactScene scene = {0};
  tacStatus status = tac_scene_parse(c->text, "bench.yaml", &scene.scene, error);
  if (status == TAC_OK) status = tac_scene_set_simulate_rate(scene.scene, 1000.0 / n, error);
  if (status == TAC_OK) status = tac_contact_scene_make(&scene, error);
  *run = (Run){0};
  for (int i = 0; status == TAC_OK && i < ticks; ++i) {
    double there = 0.5 - 0.5 * cos(6.283185307179586e-3 * i);
    tacToolInput input = {.position = tac_vec3_mad(tac_vec3_add(scene.start, c->from), there, c->way),
                          .orientation = {1.0, 0.0, 0.0, 0.0}};
    tacToolOutput output;
    tacTickReport report;
    int64_t begin = tac_clock_thread();
    tac_world_step(scene.world, &input, &output, &report);
    run->tick[run->ticks] = 1e6 * (tac_clock_seconds(tac_clock_thread() - begin) - report.within);
    run->force[run->ticks++] = output.force;
    if (report.taken) run->step[run->steps++] = 1e6 * report.step;
  }
  tac_contact_scene_close(&scene);
  return status;
}

static tacStatus bench_case(tacBench *bench, const Case *c, Run *one, Run *other, tacError *error) {
  int ticks = bench->quick ? 300 : c->ticks;
  tacStatus status = TAC_OK;
  double baseline = NAN;
  for (int r = 0; status == TAC_OK && r < RATES; ++r) {
    Run *run = r == 0 ? one : other;
    char name[80];
    status = play(c, every[r], ticks, run, error);
    if (status != TAC_OK) break;
    snprintf(name, sizeof name, "%s, %d Hz", c->name, 1000 / every[r]);
    double most = 0.0, apart = 0.0;
    for (size_t i = 0; i < run->ticks; ++i) {
      most = fmax(most, tac_vec3_norm(one->force[i]));
      apart = fmax(apart, tac_vec3_distance(one->force[i], run->force[i]));
    }
    tacBenchResult result = tac_bench_result(name, "tick", NAN, "us");
    tac_bench_percentiles(run->ticks, run->tick, &result);
    if (r == 0)
      baseline = result.p50;
    else
      result.baseline = baseline;
    tac_bench_report(bench, &result);
    if (r == 0) continue;
    result = tac_bench_result(name, "step of bodies", NAN, "us");
    tac_bench_percentiles(run->steps, run->step, &result);
    tac_bench_report(bench, &result);
    if (c->chaotic) continue;
    result = tac_bench_result(name, "force apart", apart, "N");
    result.max = most;
    tac_bench_report(bench, &result);
  }
  return status;
}

tacStatus tac_bench_rates(tacBench *bench, tacError *error) {
  Run *runs = tac_array_create(2, sizeof *runs, "samples", error);
  tacStatus status = runs != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (size_t i = 0; status == TAC_OK && i < sizeof cases / sizeof *cases; ++i)
    status = bench_case(bench, &cases[i], &runs[0], &runs[1], error);
  free(runs);
  return status;
}
