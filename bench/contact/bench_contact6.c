/* Distributed contact: Table 3.1 of Barbic 2007 beside ours, and how well a budget is kept. His times are of a Core 2 Duo at
 * 2.66 GHz. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/distance_field.h>
#include <tactus/meshing.h>
#include <tactus/pointshell.h>
#include <tactus/reduced.h>
#include "bake/points/pointshell_bake.h"
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/contact/contact_scene.h"
#include "bench/report/bench.h"
#include "kinds/reduced/reduced_kind.h"
#include "world/pairs/pair.h"
#include "world/world_control.h"
#include "world/world_parts.h"

enum { MOST_APPROACH = 20000, TREELESS_EVERY = 250, PASSES = 3 }; /* "least of 3" is of PASSES */

/* ---- the cases ---- */

#define HAND(body) \
  "tools:\n  - {name: hand, kind: body, body: " body ", device: {kind: operator, path: [{at: [0, 0, 0]}]}}\n"

/* As in the scenes of the gallery, whose bakes are used. Points, levels and voxels are filled in. */
static const char knight_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: knight, kind: rigid, surface: {shape: knight}, points: {count: %d, levels: %d, resolution: 256}}\n"
    "  - {name: axe, kind: rigid, surface: {shape: axe}, field: {resolution: %d, expansion: 1.1},\n"
    "     position: [0, -560 mm, 490 mm], rotation: {axis: [-1, 1, 1], angle: 120 deg}}\n"
    "contacts:\n  - {points: knight, field: axe, stiffness: 300 N/m, friction: 0.2}\n" HAND("axe");

static const char hoses_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: hoses, kind: reduced, surface: {shape: hoses}, volume: {bricks: 5 mm, fill: cover},\n"
    "     material: {young: 6 MPa, poisson: 0.4, density: 1100 kg/m3}, fixed: [{below: {axis: x, at: 1 mm}}],\n"
    "     basis: {from: modes, modes: 9, size: 15}, damping: {mass: 2 1/s, stiffness: 4 ms},\n"
    "     points: {count: %d, levels: %d, resolution: 256}}\n"
    "  - {name: part, kind: rigid, surface: {shape: hose-part}, field: {resolution: %d}, position: [290 mm, 0, 0]}\n"
    "contacts:\n  - {points: hoses, field: part, stiffness: 300 N/m, friction: 0.1}\n" HAND("part");

#define DRAGON                                                                                                   \
  "tactus: 1\nbodies:\n"                                                                                         \
  "  - {name: dragon, kind: reduced, surface: {shape: dragon, vertices: 12000},\n"                               \
  "     volume: {bricks: 4.7 mm, fill: cover}, material: {young: 300 kPa, poisson: 0.4, density: 1000 kg/m3},\n" \
  "     fixed: [{below: {axis: z, at: 5 mm}}], basis: {from: modes, modes: 10, size: 15},\n"                     \
  "     damping: {mass: 1 1/s, stiffness: 3 ms}, points: {count: %d, levels: %d, resolution: 256}}\n"
static const char figurine_text[] = /* the coupling lets it press harder than half a voxel */
    DRAGON "  - {name: figurine, kind: rigid, surface: {shape: figurine}, field: {resolution: %d},\n"
           "     position: [0, -160 mm, 20 mm]}\n"
           "contacts:\n  - {points: dragon, field: figurine, stiffness: 200 N/m, friction: 0.2}\n"
           "tools:\n  - {name: hand, kind: body, body: figurine, device: {kind: operator, path: [{at: [0, 0, 0]}]},\n"
           "     coupling: {depth: 2 mm}}\n";

static const char dinosaur_text[] = DRAGON
    "  - {name: dinosaur, kind: reduced, surface: {shape: dinosaur, vertices: 8000}, volume: {bricks: 5 mm},\n"
    "     material: {young: 200 kPa, poisson: 0.4, density: 1000 kg/m3},\n"
    "     fixed: [{sphere: {centre: [0, 0, 55 mm], radius: 22 mm}}], basis: {from: modes, modes: 10, size: 15},\n"
    "     damping: {mass: 1 1/s, stiffness: 3 ms}, field: {resolution: %d},\n"
    "     position: [230 mm, 0, 60 mm], rotation: {axis: [0, 0, 1], angle: 180 deg}}\n"
    "contacts:\n  - {points: dragon, field: dinosaur, stiffness: 200 N/m, friction: 0.2}\n" HAND("dinosaur");

static const char peg_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: peg, kind: rigid, surface: {shape: peg}, points: {count: %d, levels: %d, resolution: 256},\n"
    "     position: [0, 0, 75 mm]}\n"
    "  - {name: hole, kind: rigid, surface: {shape: hole}, field: {resolution: %d, expansion: 1.2}}\n"
    "contacts:\n  - {points: peg, field: hole, stiffness: 400 N/m, friction: 0.1}\n" HAND("peg");

static const char small_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: box, kind: rigid, surface: {shape: box}, points: {count: %d, levels: %d, resolution: 32}}\n"
    "  - {name: ball, kind: rigid, surface: {shape: sphere}, field: {resolution: %d}, position: [0, 0, 100 mm]}\n"
    "contacts:\n  - {points: box, field: ball, stiffness: 300 N/m, friction: 0.2}\n" HAND("ball");

/* Strings of the thesis; NULL: none. */
typedef struct Paper {
  const char *nodes, *nodes_off, *contacts, *level, *coupling, *deformation, *traversal, *total, *treeless;
} Paper;

typedef struct Case {
  const char *name, *text;
  int points, levels, resolution; /* resolution: of the field */
  tacVec3 towards;
  int wanted;
  double deepest; /* m: the hand goes no farther */
  double sway, turn;
  Paper paper;
} Case;

static const Case cases[] = {
    {"knight + axe",
     knight_text,
     1000000,
     6,
     256,
     {0.0, 0.0, -1.0},
     900,
     1.0,
     0.003,
     0.03,
     {"2050", "3400", "820", "6", "90 us", NULL, "780 us", "870 us", "80,000 us"}},
    {"hoses + part",
     hoses_text,
     80000,
     4,
     128,
     {-1.0, 0.0, 0.0},
     50,
     1.0,
     0.002,
     0.05,
     {"530", "1520", "50", "4", "90 us", "45 us", "125 us", "260 us", "6,600 us"}},
    {"dragon + figurine",
     figurine_text,
     256000,
     5,
     256,
     {0.0, 1.0, 0.0},
     650,
     1.0,
     0.002,
     0.02,
     {"1750", "2900", "650", "5", "90 us", "45 us", "615 us", "750 us", "29,800 us"}},
    {"dragon + dinosaur",
     dinosaur_text,
     256000,
     5,
     256,
     {-1.0, 0.0, 0.0},
     38, /* with 40 it is at the edge of a snap-through */
     1.0,
     0.002,
     0.02,
     {"300", "1500", "40", "3", "90 us", "90 us", "660 us", "840 us", "590,000 us"}},
};
static const Case small_case = {"box + ball", small_text, 3000,           3, 24, {0.0, 0.0, -1.0}, 5, 1.0,
                                0.005,        0.05,       {.nodes = NULL}};
static const Case peg_case = {"peg + hole", peg_text, 340000,         6, 256, {0.0, 0.0, -1.0}, 1 << 30, 0.078,
                              0.0003,       0.004,    {.nodes = NULL}};

static tacStatus open_case(const Case *c, double budget, tacContactScene *scene, tacError *error) {
  char text[2048];
  int used = snprintf(text, sizeof text, c->text, c->points, c->levels, c->resolution);
  if (budget > 0.0) snprintf(text + used, sizeof text - (size_t)used, "budget: %g us\n", 1e6 * budget);
  return tac_contact_scene_open(text, scene, error);
}

/* ---- a run ---- */

/* What a hand did, and what its ticks took and gave. */
typedef struct Run {
  tacContactScene scene;
  int tick_count, first; /* `first` of those that are measured */
  tacToolInput *inputs;
  double *seconds; /* scratch: one for each measured tick */
} Run;

static void run_free(Run *run) {
  tac_contact_scene_close(&run->scene);
  free(run->inputs);
  free(run->seconds);
  *run = (Run){0};
}

static double microseconds_since(int64_t begin) {
  return 1e6 * tac_clock_seconds(tac_clock_thread() - begin);
}

/* The whole ticks. */
static tacStatus run_hand(const Case *c, bool quick, double budget, Run *run, tacError *error) {
  *run = (Run){0};
  int measured = quick ? 200 : 6000, approach = quick ? 4000 : MOST_APPROACH;
  tacStatus status = open_case(c, budget, &run->scene, error);
  if (status == TAC_OK) {
    run->inputs = tac_array_create((size_t)(approach + measured), sizeof *run->inputs, "inputs", error);
    run->seconds = tac_array_create((size_t)(approach + measured), sizeof *run->seconds, "samples", error);
    if (run->inputs == NULL || run->seconds == NULL) status = TAC_ERR_MEMORY;
  }
  if (status != TAC_OK) {
    run_free(run);
    return status;
  }
  tacContactHand hand = {.start = run->scene.start,
                         .towards = c->towards,
                         .wanted = c->wanted,
                         .deepest = c->deepest,
                         .sway = c->sway,
                         .turn = c->turn,
                         .reached = -1};
  int points = 0, t = 0;
  for (; t < approach + measured && (hand.reached < 0 ? t < approach : t < hand.reached + measured); ++t) {
    tacToolOutput output;
    tacTickReport report;
    run->inputs[t] = tac_contact_hand_input(&hand, points);
    int64_t begin = tac_clock_thread();
    tac_world_step(run->scene.world, &run->inputs[t], &output, &report);
    run->seconds[t] = microseconds_since(begin);
    points = report.points;
  }
  run->tick_count = t;
  run->first = hand.reached >= 0 ? hand.reached : t > measured ? t - measured : 0;
  memmove(run->seconds, run->seconds + run->first, (size_t)(t - run->first) * sizeof *run->seconds);
  return TAC_OK;
}

/* The same ticks again, PASSES times: what other programs do to the caches is not measured where the least time of each counts, what
 * the ticks themselves do is. `look` sees the world as each tick will find it, with a negative sample before those that are
 * measured. */
typedef struct Look {
  void (*reset)(void *self);
  void (*look)(void *self, tacWorld *world, int sample);
  void *self;
} Look;

static void run_again(Run *run, Look look) {
  for (int t = run->first; t < run->tick_count; ++t) run->seconds[t - run->first] = INFINITY;
  for (int pass = 0; pass < PASSES; ++pass) {
    tac_world_reset(run->scene.world);
    look.reset(look.self);
    for (int t = 0; t < run->tick_count; ++t) {
      tacToolOutput output;
      tacTickReport report;
      look.look(look.self, run->scene.world, t - run->first);
      tac_world_step(run->scene.world, &run->inputs[t], &output, &report);
    }
  }
}

/* Whole ticks. */
static void run_ticks(Run *run) {
  for (int pass = 0; pass < PASSES; ++pass) {
    tac_world_reset(run->scene.world);
    for (int t = 0; t < run->tick_count; ++t) {
      tacToolOutput output;
      tacTickReport report;
      int64_t begin = tac_clock_thread();
      tac_world_step(run->scene.world, &run->inputs[t], &output, &report);
      if (t < run->first) continue;
      double *to = &run->seconds[t - run->first], taken = microseconds_since(begin);
      *to = pass == 0 ? taken : fmin(*to, taken);
    }
  }
}

static tacShellPose pose_of(const tacWorld *world, const tacPair *pair) {
  const tacWorldBody *shell = &world->bodies[pair->points], *field = &world->bodies[pair->field];
  return tac_pair_pose(&shell->frame, tac_body_describe(&shell->body).points_q, &field->frame);
}

/* ---- the traversal alone ---- */

typedef struct Traversals {
  tacShellTraversal *coherent, *plain;
  tacShellContact *contacts;
  int capacity;
  double *seconds; /* [sample] */
  double *found;   /* [sample]: contacts */
  double nodes, plain_nodes, level, treeless;
  int count, treeless_count;
  int differs; /* ticks, of those that were compared, whose contacts are not those of the treeless traversal */
} Traversals;

static void reset_traversals(void *self) {
  Traversals *t = self;
  tac_shell_traversal_reset(t->coherent);
  tac_shell_traversal_reset(t->plain);
}

static bool same_contacts(int count, const tacShellContact *a, const tacShellContact *b) {
  for (int i = 0; i < count; ++i)
    if (a[i].point != b[i].point || memcmp(&a[i].depth, &b[i].depth, sizeof a[i].depth) != 0) return false;
  return true;
}

static void look_at_traversal(void *self, tacWorld *world, int sample) {
  Traversals *t = self;
  tacPair *pair = &world->contact_pairs[0];
  tacContactField field = tac_pair_field(pair, world->bodies);
  tacShellPose pose = pose_of(world, pair);
  const tacShellContact *contacts, *of_plain;
  int64_t begin = tac_clock_thread();
  tacTraversalReport report = tac_shell_traversal_run(t->coherent, &field, &pose, &pair->limits, &contacts);
  if (sample < 0) return;
  t->seconds[sample] = fmin(t->seconds[sample], microseconds_since(begin));
  ++t->count;
  t->nodes += report.visited;
  t->found[sample] = report.contact_count;
  t->level += report.level + 1;
  tacTraversalLimits limits = pair->limits;
  limits.coherent = false;
  field = tac_pair_field(pair, world->bodies);
  t->plain_nodes += tac_shell_traversal_run(t->plain, &field, &pose, &limits, &of_plain).visited;
  if (sample % TREELESS_EVERY != 0) return;
  begin = tac_clock_thread();
  int found = tac_shell_exhaustive(pair->shell, &field, &pose, report.level, t->capacity, t->contacts);
  t->treeless += microseconds_since(begin);
  ++t->treeless_count;
  t->differs += found != report.contact_count || !same_contacts(found, contacts, t->contacts);
}

static tacStatus look_at_traversals(Run *run, Traversals *t, tacError *error) {
  const tacPointshell *shell = run->scene.world->contact_pairs[0].shell;
  *t = (Traversals){.capacity = tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS), .seconds = run->seconds};
  tacStatus status = tac_shell_traversal_create(shell, 0, &t->coherent, error);
  if (status == TAC_OK) status = tac_shell_traversal_create(shell, 0, &t->plain, error);
  if (status == TAC_OK) {
    t->contacts = tac_array_create((size_t)t->capacity, sizeof *t->contacts, "contacts", error);
    t->found = tac_array_create((size_t)(run->tick_count - run->first), sizeof *t->found, "samples", error);
    if (t->contacts == NULL || t->found == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) run_again(run, (Look){reset_traversals, look_at_traversal, t});
  tac_shell_traversal_destroy(t->coherent);
  tac_shell_traversal_destroy(t->plain);
  free(t->contacts);
  return status;
}

/* ---- the pair: traversal, penalty, friction, and what its bodies get of it ---- */

typedef struct Pairs {
  tacPair twin;
  double *seconds; /* [sample] */
} Pairs;

static void answer_bodies(const tacWorld *world, const tacPair *pair) {
  static double force[2 * TAC_BODY_MOST_COORDINATES], mixed[12 * TAC_BODY_MOST_COORDINATES];
  static double stiffness[4 * TAC_BODY_MOST_COORDINATES * TAC_BODY_MOST_COORDINATES];
  tacPairAnswer answer = {.force = force, .stiffness = stiffness, .mixed = mixed};
  tac_pair_answer(pair, world->bodies, world->bodies[pair->field].frame.position, &answer);
}

static void reset_pair(void *self) {
  tac_pair_reset(&((Pairs *)self)->twin);
}

static void look_at_pair(void *self, tacWorld *world, int sample) {
  Pairs *p = self;
  int64_t begin = tac_clock_thread();
  tac_pair_evaluate(&p->twin, world->bodies);
  answer_bodies(world, &p->twin);
  if (sample < 0) return;
  p->seconds[sample] = fmin(p->seconds[sample], microseconds_since(begin));
}

static tacStatus look_at_pairs(Run *run, Pairs *p, tacError *error) {
  tacWorld *world = run->scene.world;
  const tacPair *pair = &world->contact_pairs[0];
  *p = (Pairs){.seconds = run->seconds};
  tacStatus status = tac_pair_create(&pair->def, world->bodies, pair->points, pair->field, false, &p->twin, error);
  if (status != TAC_OK) return status;
  for (int i = 0; i < TAC_PAIR_PARAMETERS; ++i) tac_pair_set_value(&p->twin, i, pair->values[i]);
  run_again(run, (Look){reset_pair, look_at_pair, p});
  tac_pair_destroy(&p->twin);
  return TAC_OK;
}

/* ---- the deformation alone ---- */

static tacStatus measure_deformation(const tacWorld *world, double *microseconds, tacError *error) {
  enum { STEPS = 2000 };
  *microseconds = 0.0;
  for (int b = 0; b < world->body_count; ++b) {
    const tacReducedBody *of = tac_reduced_kind_body(&world->bodies[b].body);
    if (of == NULL) continue;
    tacReducedBody *body = NULL;
    const tacReduced *asset = tac_reduced_body_asset(of);
    tacStatus status = tac_reduced_body_create(asset, NULL, tac_reduced_body_motion(of), &body, error);
    if (status != TAC_OK) return status;
    double force[TAC_BODY_MOST_COORDINATES], least = INFINITY;
    for (int i = 0; i < STEPS; ++i) {
      for (int j = 0; j < tac_reduced_size(asset); ++j) force[j] = 1e-2 * sin(0.01 * i + j);
      int64_t begin = tac_clock_thread();
      tac_reduced_body_add_reduced(body, force);
      tac_reduced_body_advance(body);
      least = fmin(least, microseconds_since(begin));
    }
    *microseconds += least;
    tac_reduced_body_destroy(body);
  }
  return TAC_OK;
}

/* ---- Table 3.1 ---- */

static void report_value(tacBench *bench, const char *name, const char *metric, double value, const char *unit,
                         double baseline, const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  result.baseline = baseline;
  result.paper = paper;
  tac_bench_report(bench, &result);
}

static void report_samples(tacBench *bench, const char *name, const char *metric, int count, double *samples,
                           const char *unit, double baseline, const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, 0.0, unit);
  tac_bench_percentiles((size_t)count, samples, &result);
  result.baseline = baseline;
  result.paper = paper;
  tac_bench_report(bench, &result);
}

static tacStatus bench_case(tacBench *bench, const Case *c, tacError *error) {
  Run run;
  tacStatus status = run_hand(c, bench->quick, 0.0, &run, error);
  if (status != TAC_OK) return status;
  int count = run.tick_count - run.first;
  report_samples(bench, c->name, "tick, once", count, run.seconds, "us", NAN, NULL);
  run_ticks(&run);
  report_samples(bench, c->name, "tick, least of 3", count, run.seconds, "us", NAN, c->paper.total);
  Traversals t;
  status = look_at_traversals(&run, &t, error);
  if (status == TAC_OK) {
    double treeless = t.treeless / t.treeless_count;
    report_samples(bench, c->name, "traversal, least of 3", count, run.seconds, "us", treeless, c->paper.traversal);
    report_value(bench, c->name, "treeless", treeless, "us", NAN, c->paper.treeless);
    report_value(bench, c->name, "nodes", t.nodes / t.count, "", t.plain_nodes / t.count, c->paper.nodes);
    report_value(bench, c->name, "nodes, no coherence", t.plain_nodes / t.count, "", NAN, c->paper.nodes_off);
    report_samples(bench, c->name, "contacts", count, t.found, "", NAN, c->paper.contacts);
    report_value(bench, c->name, "levels", t.level / t.count, "", NAN, c->paper.level);
    report_value(bench, c->name, "unlike treeless", 100.0 * t.differs / t.treeless_count, "% of ticks compared", NAN,
                 NULL);
    Pairs p;
    status = look_at_pairs(&run, &p, error);
    if (status == TAC_OK) report_samples(bench, c->name, "pair, least of 3", count, run.seconds, "us", NAN, NULL);
  }
  double deformation = 0.0;
  if (status == TAC_OK) status = measure_deformation(run.scene.world, &deformation, error);
  if (status == TAC_OK && deformation > 0.0)
    report_value(bench, c->name, "deformation", deformation, "us", NAN, c->paper.deformation);
  free(t.found);
  run_free(&run);
  return status;
}

/* ---- budgets ---- */

/* The same hand as without a budget, in another world, whose limits are kept as a servo would, by the processor's time. */
static tacStatus bench_budget(tacBench *bench, const Case *c, double budget, Run *run, tacError *error) {
  tac_contact_scene_close(&run->scene);
  tacStatus status = open_case(c, budget, &run->scene, error);
  if (status != TAC_OK) return status;
  tacWorld *world = run->scene.world;
  const tacPair *pair = &world->contact_pairs[0];
  const int measured = run->tick_count - run->first;
  double visited = 0.0, found = 0.0, cost = 0.0, level = 0.0, set = 0.0, degraded = 0.0;
  world->clock = tac_clock_thread;
  for (int t = 0; t < run->tick_count; ++t) {
    tacToolOutput output;
    tacTickReport report;
    int parameter;
    double value;
    bool is_set = tac_world_keep_budget(world, &parameter, &value);
    tac_world_step(world, &run->inputs[t], &output, &report);
    if (t < run->first) continue;
    run->seconds[t - run->first] = 100.0 * pair->cost.seconds / budget;
    visited += report.visited;
    found += report.points;
    cost += pair->traversed.cost / pair->limits.cost;
    level += pair->traversed.level + 1 + pair->traversed.part;
    degraded += pair->traversed.degraded;
    set += is_set;
  }
  char name[64];
  snprintf(name, sizeof name, "%s, budget %.0f us", c->name, 1e6 * budget);
  report_samples(bench, name, "pair, of the budget", measured, run->seconds, "%", NAN, NULL);
  report_value(bench, name, "nodes", visited / measured, "", NAN, NULL);
  report_value(bench, name, "contacts", found / measured, "", NAN, NULL);
  report_value(bench, name, "cost of the limit", 100.0 * cost / measured, "%", NAN, NULL);
  report_value(bench, name, "levels", level / measured, "", NAN, NULL);
  report_value(bench, name, "degraded", 100.0 * degraded / measured, "% of ticks", NAN, NULL);
  report_value(bench, name, "limits set", 100.0 * set / measured, "% of ticks", NAN, NULL);
  return TAC_OK;
}

static tacStatus bench_budgets(tacBench *bench, const Case *c, tacError *error) {
  static const double budgets[] = {100e-6, 200e-6, 300e-6, 500e-6, 1000e-6};
  Run run;
  /* A hand that seeks no number of points goes the same way with a budget, and is there sooner. */
  tacStatus status = run_hand(c, bench->quick, c->wanted == 1 << 30 ? budgets[0] : 0.0, &run, error);
  for (int i = 0; i < (bench->quick ? 1 : 5) && status == TAC_OK; ++i)
    status = bench_budget(bench, c, budgets[i], &run, error);
  run_free(&run);
  return status;
}

/* ---- baking points ---- */

static tacStatus bench_points(tacBench *bench, const char *shape, int count, tacError *error) {
  tacTriMesh *mesh = NULL;
  tacDistanceField *field = NULL;
  tacPointshell *shell = NULL;
  tacFieldDef field_def = tac_field_def_default();
  tacPointshellDef def = tac_pointshell_def_default();
  field_def.resolution = bench->quick ? 32 : 256;
  def.point_count = count;
  tacStatus status = tac_shape_build(shape, 0.0, NULL, &mesh, error);
  if (status == TAC_OK) status = tac_distance_field_bake(mesh, &field_def, NULL, &field, error);
  double start = tac_bench_now();
  if (status == TAC_OK) status = tac_pointshell_bake(field, mesh, &def, NULL, &shell, error);
  double seconds = tac_bench_now() - start;
  if (status == TAC_OK) {
    char name[64];
    snprintf(name, sizeof name, "%s, %d points", shape, count);
    report_value(bench, name, "bake of the points", seconds, "s", NAN, NULL);
    for (int level = 0; level < tac_pointshell_level_count(shell) && status == TAC_OK; ++level) {
      tacPointshellSpacing spacing;
      char metric[64];
      snprintf(metric, sizeof metric, "variation, level %d", level + 1);
      status = tac_pointshell_spacing(shell, level, &spacing, error);
      if (status == TAC_OK) report_value(bench, name, metric, 100.0 * spacing.variation, "%", NAN, NULL);
    }
  }
  tac_pointshell_destroy(shell);
  tac_distance_field_destroy(field);
  tac_trimesh_destroy(mesh);
  return status;
}

static bool is_wanted(const tacBench *bench, const char *name) {
  return bench->scene == NULL || strstr(name, bench->scene) != NULL;
}

tacStatus tac_bench_contact6(tacBench *bench, tacError *error) {
  if (bench->quick) {
    tacStatus status = bench_case(bench, &small_case, error);
    if (status == TAC_OK) status = bench_budgets(bench, &small_case, error);
    return status == TAC_OK ? bench_points(bench, "sphere", 3000, error) : status;
  }
  tacStatus status = TAC_OK;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases) && status == TAC_OK; ++i)
    if (is_wanted(bench, cases[i].name)) status = bench_case(bench, &cases[i], error);
  if (status == TAC_OK && is_wanted(bench, peg_case.name)) status = bench_budgets(bench, &peg_case, error);
  if (status == TAC_OK && is_wanted(bench, cases[0].name)) status = bench_budgets(bench, &cases[0], error);
  if (status == TAC_OK && is_wanted(bench, "points")) status = bench_points(bench, "dragon", 256000, error);
  return status;
}
