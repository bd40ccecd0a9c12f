#include "bench/hyperelastic/hyper_liver_bench.h"

#include <math.h>
#include <stdlib.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/contact/contact_scene.h"
#include "math/geometry/vec3.h"

static const char liver_text[] =
    "tactus: 1\nmethod: signorini\npatch: 30\nrate: {simulate: 100 Hz}\nbodies:\n"
    "  - {name: liver, kind: hyperelastic, surface: {shape: liver}, volume: {tets: 20 mm},\n"
    "     material: {law: mooney-rivlin, parameters: {c1: 860 Pa, c2: 860 Pa, k0: 33.3 kPa}, density: 1000 kg/m3},\n"
    "     damping: {stiffness: 10 ms}, fixed: [{below: {axis: z, at: -30 mm}}], friction: 0.4}\n"
    "  - {name: bar, kind: rigid, position: [0, 0, 200 mm],\n"
    "     analytic: [{capsule: {from: [-70 mm, 0, 0], to: [70 mm, 0, 0], radius: 100 mm}}]}\n"
    "contacts:\n  - {points: liver, field: bar, friction: 0.4}\n"
    "tools:\n  - {name: hand, kind: body, body: bar, coupling: {stiffness: 600 N/m},\n"
    "     device: {kind: operator, path: [{at: [0, 0, 200 mm]}]}}\n";

/* Where the hand is: down in 1.5 s, then around on the liver. */
static tacVec3 hand_at(tacVec3 start, double time) {
  double down = time < 1.5 ? 0.5 - 0.5 * cos(M_PI * time / 1.5) : 1.0, turn = time > 1.5 ? 2.0 * (time - 1.5) : 0.0;
  return tac_vec3_add(start, tac_vec3(0.012 * sin(turn), 0.006 * (cos(turn) - 1.0), -0.085 * down));
}

tacStatus tac_hyper_liver_bench(tacBench *bench, tacError *error) {
  enum { MOST = 8000, BUSY = 25 /* contacts */ };
  static const char name[] = "liver, 2184 tetrahedra, friction";
  int ticks = bench->quick ? 200 : MOST, steps = 0, busy = 0, most = 0, late = 0;
  tacContactScene scene;
  tacStatus status = tac_contact_scene_open(liver_text, &scene, error);
  double *tick = tac_array_create(MOST, sizeof *tick, "ticks", error);
  double *step = tac_array_create(MOST, sizeof *step, "steps", error);
  if (tick == NULL || step == NULL) status = status == TAC_OK ? TAC_ERR_MEMORY : status;
  if (status == TAC_OK) status = tac_world_start_simulation(scene.world, error);
  int64_t next = tac_clock_now();
  for (int i = 0; i < ticks && status == TAC_OK; ++i) {
    tacToolInput input = {.position = hand_at(scene.start, 1e-3 * i), .orientation = {1.0, 0.0, 0.0, 0.0}};
    tacToolOutput output;
    tacTickReport report;
    int64_t begin = tac_clock_thread();
    tac_world_step(scene.world, &input, &output, &report);
    double took = 1e6 * tac_clock_seconds(tac_clock_thread() - begin);
    if (report.laws >= BUSY) tick[busy++] = took;
    if (report.taken) {
      step[steps++] = 1e3 * report.step;
      late += report.overdue > 0;
    }
    most = report.laws > most ? report.laws : most;
    next += tac_clock_nanoseconds(1e-3);
    tac_clock_sleep_until(next);
  }
  if (status == TAC_OK) {
    tacBenchResult of_tick = tac_bench_result(name, "tick, 25+ contacts", NAN, "us");
    tacBenchResult of_step = tac_bench_result(name, "step of the body", NAN, "ms");
    tac_bench_percentiles((size_t)busy, tick, &of_tick);
    tac_bench_percentiles((size_t)steps, step, &of_step);
    tacBenchResult contacts = tac_bench_result(name, "contacts", most, "at most");
    tacBenchResult overdue = tac_bench_result(name, "late", 100.0 * late / (steps > 0 ? steps : 1), "% of steps");
    if (busy > 0) tac_bench_report(bench, &of_tick);
    tac_bench_report(bench, &of_step);
    tac_bench_report(bench, &contacts);
    tac_bench_report(bench, &overdue);
  }
  tac_contact_scene_close(&scene);
  free(tick);
  free(step);
  return status;
}
