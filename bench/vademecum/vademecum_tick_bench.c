#include "bench/vademecum/vademecum_tick_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/reduced.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/contact/contact_scene.h"
#include "world/pairs/pair.h"
#include "world/world_parts.h"

/* As in scenes/vademecum-*.yaml, whose bakes are used. */
#define BEAM(name, more)                                                                                    \
  "  - {name: " name ", kind: vademecum, volume: {shape: beam},\n"                                          \
  "     material: {law: st-venant-kirchhoff, young: 836 kPa, poisson: 0.3, density: 300 kg/m3},\n"          \
  "     fixed: [{below: {axis: x, at: 0}}], loads: {size: 4 N}, damping: {mass: 1 1/s, stiffness: 4 ms},\n" \
  "     " more "}\n"
#define BLOB(name, more)                                                                            \
  "  - {name: " name ", kind: vademecum, surface: {shape: blob}, volume: {tets: 5.2 mm},\n"         \
  "     material: {law: neo-hookean, young: 60 kPa, poisson: 0.4, density: 500 kg/m3},\n"           \
  "     fixed: [{below: {axis: z, at: 4 mm}}], loads: {size: 4 N, patch: 15 mm}, accuracy: 10 %,\n" \
  "     damping: {mass: 1 1/s, stiffness: 4 ms},\n     " more "}\n"
#define HAND(body) \
  "tools:\n  - {name: hand, kind: body, body: " body ", device: {kind: operator, path: [{at: [0, 0, 0]}]}}\n"

static const char block_text[] = "tactus: 1\nbodies:\n" BEAM(
    "beam",
    "position: [0, -20 mm, -20 mm], field: {resolution: 96}") "  - {name: block, kind: rigid, surface: {shape: box}, "
                                                              "points: {count: 3000, levels: 3},\n"
                                                              "     position: [290 mm, -40 mm, 22 mm]}\n"
                                                              "contacts:\n  - {points: block, field: beam, stiffness: "
                                                              "400 N/m, friction: 0.2}\n" HAND("block");
static const char beams_text[] =
    "tactus: 1\nbodies:\n" BEAM("beam", "position: [0, -20 mm, -20 mm], field: {resolution: 96}")
        BEAM("other", "position: [300 mm, -250 mm, 22 mm], rotation: {axis: [0, 0, 1], angle: 90 deg},\n"
                      "     points: {count: 4000, levels: 3}") "contacts:\n  - {points: other, field: beam, stiffness: "
                                                               "400 N/m, friction: 0.2}\n" HAND("other");
static const char blobs_text[] = "tactus: 1\nbodies:\n" BLOB("lower", "field: {resolution: 96}") BLOB(
    "upper", "points: {count: 3700, levels: 3}, position: [0, 0, 160 mm],\n"
             "     rotation: {axis: [1, 0, 0], angle: 180 deg}") "contacts:\n  - {points: upper, field: lower, "
                                                                 "stiffness: 200 N/m, friction: 0.3}\n" HAND("upper");

enum { MOST_APPROACH = 4000, MEASURED = 4000 };

typedef struct Ticks {
  int count;                /* measured */
  double *tick, *traversal; /* us */
  double contacts;          /* mean */
  int fewest, most;         /* contacts */
} Ticks;

/* What a tick is going to do first, alone, with a traversal of its own. */
static double look(const tacWorld *world, tacShellTraversal *traversal) {
  const tacPair *pair = &world->contact_pairs[0];
  const tacWorldBody *shell = &world->bodies[pair->points], *field = &world->bodies[pair->field];
  tacContactField of = tac_pair_field(pair, world->bodies);
  tacShellPose pose = tac_pair_pose(&shell->frame, tac_body_describe(&shell->body).points_q, &field->frame);
  const tacShellContact *contacts;
  int64_t start = tac_clock_thread();
  tac_shell_traversal_run(traversal, &of, &pose, &pair->limits, &contacts);
  return 1e6 * tac_clock_seconds(tac_clock_thread() - start);
}

/* The hand goes down until `wanted` points are in contact, then holds them while it sways. */
static tacStatus press(tacContactScene *scene, int wanted, int measured, Ticks *t, tacError *error) {
  tacShellTraversal *traversal = NULL;
  tacStatus status = tac_shell_traversal_create(scene->world->contact_pairs[0].shell, 0, &traversal, error);
  if (status != TAC_OK) return status;
  tacContactHand hand = {.start = scene->start,
                         .towards = {0.0, 0.0, wanted > 0 ? -1.0 : 0.0},
                         .wanted = wanted,
                         .deepest = 0.1,
                         .sway = 0.002,
                         .turn = 0.02,
                         .reached = -1};
  int points = 0;
  tac_world_reset(scene->world);
  t->fewest = 1 << 30;
  for (int i = 0; i < MOST_APPROACH + measured && t->count < measured; ++i) {
    tacToolOutput output;
    tacTickReport report;
    tacToolInput input = tac_contact_hand_input(&hand, points);
    double found = look(scene->world, traversal);
    int64_t start = tac_clock_thread();
    tac_world_step(scene->world, &input, &output, &report);
    double taken = 1e6 * tac_clock_seconds(tac_clock_thread() - start);
    points = report.points;
    if (hand.reached < 0 && i < MOST_APPROACH) continue;
    t->tick[t->count] = taken;
    t->traversal[t->count++] = found;
    t->contacts += points;
    t->fewest = points < t->fewest ? points : t->fewest;
    t->most = points > t->most ? points : t->most;
  }
  tac_shell_traversal_destroy(traversal);
  return TAC_OK;
}

static void report(tacBench *bench, const char *name, const char *metric, double value, const char *unit) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  tac_bench_report(bench, &result);
}

static tacStatus press_and_report(tacBench *bench, const char *name, tacContactScene *scene, int wanted,
                                  const char *paper, tacError *error) {
  int measured = bench->quick ? 20 : MEASURED;
  Ticks t = {0};
  t.tick = tac_array_create(MEASURED, sizeof *t.tick, "samples", error);
  t.traversal = tac_array_create(MEASURED, sizeof *t.traversal, "samples", error);
  tacStatus status = t.tick != NULL && t.traversal != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = press(scene, wanted, measured, &t, error);
  if (status == TAC_OK && t.count > 0) {
    tacBenchResult found = tac_bench_result(name, "contacts found", NAN, "us");
    tacBenchResult tick = tac_bench_result(name, "tick", NAN, "us");
    tac_bench_percentiles((size_t)t.count, t.traversal, &found);
    tac_bench_percentiles((size_t)t.count, t.tick, &tick);
    found.paper = paper;
    report(bench, name, "contacts", t.contacts / t.count, "mean");
    report(bench, name, "contacts, fewest", t.fewest, "");
    report(bench, name, "contacts, most", t.most, "");
    tac_bench_report(bench, &found);
    tac_bench_report(bench, &tick);
  }
  free(t.tick);
  free(t.traversal);
  return status;
}

tacStatus tac_vademecum_beam_ticks(tacBench *bench, tacError *error) {
  static const struct {
    const char *name, *text;
    int wanted;
  } cases[] = {{"world: beam and block", block_text, 12}, {"world: two beams", beams_text, 12}};
  tacStatus status = TAC_OK;
  for (size_t i = 0; i < sizeof cases / sizeof *cases && status == TAC_OK; ++i) {
    tacContactScene scene;
    status = tac_contact_scene_open(cases[i].text, &scene, error);
    if (status != TAC_OK) return status;
    status = press_and_report(bench, cases[i].name, &scene, cases[i].wanted, i == 0 ? "622 us" : NULL, error);
    tac_contact_scene_close(&scene);
  }
  return status;
}

tacStatus tac_vademecum_blob_ticks(tacBench *bench, tacError *error) {
  static const struct {
    int wanted;
    const char *paper;
  } cases[] = {{0, "715 us"}, {36, "1611 us"}, {427, "1281 us"}};
  tacContactScene scene;
  tacStatus status = tac_contact_scene_open(blobs_text, &scene, error);
  for (size_t i = 0; i < sizeof cases / sizeof *cases && status == TAC_OK; ++i) {
    char name[64];
    snprintf(name, sizeof name, "world: two blobs, %d contacts", cases[i].wanted);
    status = press_and_report(bench, name, &scene, cases[i].wanted, cases[i].paper, error);
  }
  if (status == TAC_OK) tac_contact_scene_close(&scene);
  return status;
}
