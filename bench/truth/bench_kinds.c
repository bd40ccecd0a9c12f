/* The kinds of bodies beside each other: one kidney that a fingertip dents and a ball presses, one beam that is bent by
 * its end, each as every kind that can be one. What a bake and a tick take, how much memory, and how far the shape is from the
 * full solution under the same forces. docs/choosing.md has the table. */
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/report/bench.h"
#include "bench/truth/full_gauge.h"
#include "math/geometry/vec3.h"
#include "mesh/query/triangle_point.h"

enum { APPROACH = 1000, LEG = 2000, TICKS = APPROACH + 2 * LEG, SCENE_SIZE = 4000 };
static const double touch_depth = 0.2e-3; /* m: at which a surface is taken hold of */

/* A hand that comes from `from` to where the body's surface is nearest, goes `first` on, rests, goes `second` on and
 * rests: at each rest the body is compared. */
typedef struct Motion {
  const char *name;
  tacVec3 from;               /* m: of the tool's tip or grasp */
  double radius;              /* m: of what it holds */
  tacVec3 first, second;      /* m: from the surface */
  bool grab;                  /* takes hold of what it touches at first */
  const char *others, *tools; /* of the scene */
} Motion;

/* A kind with what only its bodies of this shape have; `points`: what it meets the ball by, NULL: it is not pressed. */
typedef struct Kind {
  const char *name, *keys, *points, *scene;
} Kind;

static const char finger[] =
    "tools: [{name: finger, kind: point, device: {kind: operator, path: [{at: [0, 0, 0]}]}}]\n";
static const char ball[] = "  - {name: ball, kind: rigid, analytic: [{sphere: {centre: [0, 0, 0], radius: 15 mm}}],\n"
                           "     position: [-8 mm, 60 mm, 0]}\n"
                           "contacts: [{points: body, field: ball, method: signorini, friction: 0.2}]\n";
static const char hand[] = "tools: [{name: hand, kind: body, body: ball, coupling: {stiffness: 1000 N/m},\n"
                           "         device: {kind: operator, preset: premium-6, path: [{at: [0, 0, 0]}]}}]\n";

/* Fixed, fingertip and shape as in the scene kidney-fem: the front of the kidney is at y = 23 mm or so. */
static const char kidney[] = "     fixed: [{below: {axis: y, at: -13 mm}}, {above: {axis: x, at: 24 mm}}],\n";
static const Kind kidneys[] = {
    {"green, 322 vertices",
     "kind: green, method: boundary-elements, surface: {shape: kidney, vertices: 322}, mask: 12 mm,\n"
     "     material: {young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}",
     "     points: {count: 1000},\n", ""},
    {"green, 642 vertices",
     "kind: green, method: boundary-elements, surface: {shape: kidney, vertices: 642}, mask: 12 mm,\n"
     "     material: {young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}",
     NULL, ""},
    {"green, 1282 vertices",
     "kind: green, method: boundary-elements, surface: {shape: kidney, vertices: 1282}, mask: 12 mm,\n"
     "     material: {young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}",
     NULL, ""},
    {"green, 1282 vertices, mask 6 mm",
     "kind: green, method: boundary-elements, surface: {shape: kidney, vertices: 1282}, mask: 6 mm,\n"
     "     material: {young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}",
     NULL, ""},
    {"green, finite elements",
     "kind: green, method: finite-elements, surface: {shape: kidney, size: 3 mm}, volume: {tets: 6 mm},\n"
     "     mask: 12 mm, material: {young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}",
     "     points: {count: 1000},\n", ""},
    {"corotational",
     "kind: corotational, surface: {shape: kidney, size: 3 mm}, volume: {tets: 6 mm}, mask: 12 mm,\n"
     "     material: {young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}",
     "     points: {count: 1000},\n", ""},
    {"reduced, 30 of 15 modes",
     "kind: reduced, surface: {shape: kidney, size: 3 mm}, volume: {tets: 6 mm}, basis: {from: modes, modes: 15, size: "
     "30},\n"
     "     material: {young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}, damping: {mass: 5 1/s, stiffness: 10 ms}",
     "     points: {count: 1000},\n", ""},
    {"vademecum, 1 N",
     "kind: vademecum, surface: {shape: kidney, size: 3 mm}, volume: {tets: 6 mm}, loads: {size: 1 N, patch: 12 mm},\n"
     "     modes: 96, accuracy: 10 %, damping: {mass: 5 1/s, stiffness: 10 ms},\n"
     "     material: {law: neo-hookean, young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}",
     "     points: {count: 1000},\n", ""},
    {"hyperelastic, 50 Hz",
     "kind: hyperelastic, surface: {shape: kidney, size: 3 mm}, volume: {tets: 6 mm},\n"
     "     damping: {mass: 5 1/s, stiffness: 10 ms},\n"
     "     material: {law: neo-hookean, young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}",
     "", "rate: {simulate: 50 Hz}\n"},
    {"hyperelastic, coarser, 100 Hz",
     "kind: hyperelastic, surface: {shape: kidney, size: 3 mm}, volume: {tets: 10 mm},\n"
     "     damping: {mass: 5 1/s, stiffness: 10 ms},\n"
     "     material: {law: neo-hookean, young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}",
     "", "rate: {simulate: 100 Hz}\n"},
};
static const char beam[] = "     fixed: [{below: {axis: x, at: 0}}], position: [0, -20 mm, -20 mm],\n";
static const Kind beams[] = {
    {"green, finite elements",
     "kind: green, method: finite-elements, volume: {shape: beam}, mask: single,\n"
     "     material: {young: 836 kPa, poisson: 0.3, density: 300 kg/m3}",
     "", ""},
    {"corotational",
     "kind: corotational, volume: {shape: beam}, material: {young: 836 kPa, poisson: 0.3, density: 300 kg/m3}", "", ""},
    {"reduced, 5 of 3 modes",
     "kind: reduced, volume: {shape: beam}, basis: {from: modes, modes: 3, size: 5},\n"
     "     damping: {mass: 5 1/s, stiffness: 4 ms}, material: {young: 836 kPa, poisson: 0.3, density: 300 kg/m3}",
     "", ""},
    {"reduced, 10 of 4 modes",
     "kind: reduced, volume: {shape: beam}, basis: {from: modes, modes: 4, size: 10},\n"
     "     damping: {mass: 5 1/s, stiffness: 4 ms}, material: {young: 836 kPa, poisson: 0.3, density: 300 kg/m3}",
     "", ""},
    {"reduced, 20 of 6 modes",
     "kind: reduced, volume: {shape: beam}, basis: {from: modes, modes: 6, size: 20},\n"
     "     damping: {mass: 5 1/s, stiffness: 4 ms}, material: {young: 836 kPa, poisson: 0.3, density: 300 kg/m3}",
     "", ""},
    {"reduced, 40 of 10 modes",
     "kind: reduced, volume: {shape: beam}, basis: {from: modes, modes: 10, size: 40},\n"
     "     damping: {mass: 5 1/s, stiffness: 4 ms}, material: {young: 836 kPa, poisson: 0.3, density: 300 kg/m3}",
     "", ""},
    {"vademecum, 4 N",
     "kind: vademecum, volume: {shape: beam}, loads: {size: 4 N, patch: 40 mm}, modes: 48, accuracy: 10 %,\n"
     "     damping: {mass: 5 1/s, stiffness: 4 ms}, material: {young: 836 kPa, poisson: 0.3, density: 300 kg/m3}",
     "", ""},
    {"hyperelastic, 100 Hz",
     "kind: hyperelastic, volume: {shape: beam}, damping: {mass: 5 1/s, stiffness: 4 ms},\n"
     "     material: {law: neo-hookean, young: 836 kPa, poisson: 0.3, density: 300 kg/m3}",
     "", "rate: {simulate: 100 Hz}\n"},
};

static const Motion dent = {.name = "dent",
                            .from = {-8e-3, 60e-3, 0.0},
                            .first = {0.0, -1e-3, 0.0},
                            .second = {0.0, -4e-3, 0.0},
                            .others = "",
                            .tools = finger};
static const Motion press = {.name = "ball",
                             .from = {-8e-3, 60e-3, 0.0},
                             .radius = 15e-3,
                             .first = {0.0, -1e-3, 0.0},
                             .second = {0.0, -4e-3, 0.0},
                             .others = ball,
                             .tools = hand};
static const Motion bend = {.name = "bend",
                            .from = {0.44, 0.0, 0.0},
                            .first = {-0.6e-3, 0.0, -20e-3},
                            .second = {-42e-3, 0.0, -0.16},
                            .grab = true,
                            .others = "",
                            .tools = finger};

typedef struct Run {
  size_t count;
  double tick[TICKS];      /* us */
  double force[2], off[2]; /* N: felt at the rests; how far off the full solution, NAN: none was found */
  double step;             /* us: the longest of the bodies, where they are simulated slower */
} Run;

/* Resident memory of this process, MB; 0 where the system does not tell. */
static double resident(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0.0;
  if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
  fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE) * 1e-6;
}

/* Where the surface of the first body is nearest to the hand's start; what it holds touches there. */
static tacVec3 nearest_place(const Motion *m, const tacWorld *world) {
  tacBodyId id = tac_world_body(world, 0);
  const tacTriMesh *surface = tac_world_body_surface(world, id);
  tacVec3 start = tac_vec3_sub(m->from, tac_world_body_pose(world, id).position), best = {0.0, 0.0, 0.0};
  double least = INFINITY;
  for (int t = 0; t < surface->triangle_count; ++t) {
    const int *v = surface->triangles[t].v;
    const tacVec3 *x = surface->vertices;
    tacVec3 q = tac_triangle_closest(x[v[0]], x[v[1]], x[v[2]], start);
    if (tac_vec3_distance(q, start) < least) least = tac_vec3_distance(q, start), best = q;
  }
  return tac_vec3_mad(m->from, (least - m->radius) / least, tac_vec3_sub(best, start));
}

/* To the surface in 1 s; then from stop to stop in 1.3 s each, with a rest of 0.7 s. Eases in and out. */
static tacVec3 hand_at(const Motion *m, tacVec3 surface, int tick) {
  tacVec3 inside = tac_vec3_mad(surface, touch_depth, tac_vec3_unit(tac_vec3_sub(surface, m->from)));
  const tacVec3 stops[] = {m->from, inside, tac_vec3_add(surface, m->first), tac_vec3_add(surface, m->second)};
  int leg = tick < APPROACH ? 0 : 1 + (tick - APPROACH) / LEG;
  double t = leg == 0 ? (double)tick / APPROACH : fmin(1.0, (tick - APPROACH - LEG * (leg - 1)) / 1300.0);
  return tac_vec3_mad(stops[leg], t * t * (3.0 - 2.0 * t), tac_vec3_sub(stops[leg + 1], stops[leg]));
}

static tacStatus play(const Motion *m, tacWorld *world, tacFullGauge *gauge, tacBalance *balance, Run *run,
                      tacError *error) {
  tacStatus status = TAC_OK;
  tacVec3 surface = nearest_place(m, world);
  bool touched = false;
  run->off[0] = run->off[1] = NAN;
  for (int i = 0; status == TAC_OK && i < TICKS; ++i) {
    tacToolInput input = {.position = hand_at(m, surface, i), .orientation = {1.0}, .grab = m->grab && touched};
    tacToolOutput output;
    tacTickReport report;
    int64_t begin = tac_clock_thread();
    tac_world_step(world, &input, &output, &report);
    run->tick[run->count++] = 1e6 * (tac_clock_seconds(tac_clock_thread() - begin) - report.within);
    run->step = fmax(run->step, 1e6 * report.step);
    touched = touched || output.contact.state != TAC_CONTACT_NONE;
    tac_balance_look(balance, &output, &report);
    tacSnapshot snapshot = {.tick = i + 1, .tool_count = 1};
    snapshot.output[0] = output;
    int leg = i < APPROACH ? 0 : (i - APPROACH) / LEG, since = i - APPROACH - LEG * leg;
    run->force[leg] = tac_vec3_norm(output.force);
    if (since == 0) gauge->due = true, gauge->kept = 0;
    int compared = gauge->count;
    status = tac_full_gauge_look(gauge, balance, &snapshot, since > LEG - 100, error);
    if (gauge->count > compared) run->off[leg] = gauge->errors[compared];
  }
  return status;
}

static void report_number(tacBench *bench, const char *name, const char *metric, double value, const char *unit) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  tac_bench_report(bench, &result);
}

static void report_run(tacBench *bench, const char *name, Run *run) {
  static const char *const forces[2] = {"force, small", "force, large"};
  static const char *const errors[2] = {"off full, small", "off full, large"};
  tacBenchResult result = tac_bench_result(name, "tick", NAN, "us");
  tac_bench_percentiles(run->count, run->tick, &result);
  tac_bench_report(bench, &result);
  if (run->step > 0.0) report_number(bench, name, "longest step", run->step, "us");
  for (int i = 0; i < 2; ++i) {
    report_number(bench, name, forces[i], run->force[i], "N");
    if (isfinite(run->off[i])) report_number(bench, name, errors[i], 100.0 * run->off[i], "%");
  }
}

typedef struct Case {
  const Motion *motion;
  char name[80], text[SCENE_SIZE];
} Case;

static tacStatus bake(tacBench *bench, const Case *c, tacError *error) {
  tacScene *scene = NULL;
  double begin = tac_bench_now();
  tacStatus status = tac_scene_parse(c->text, "bench.yaml", &scene, error);
  if (status == TAC_OK) status = tac_scene_bake(scene, NULL, !bench->quick, NULL, NULL, error);
  if (status == TAC_OK) report_number(bench, c->name, "bake", tac_bench_now() - begin, "s");
  tac_scene_destroy(scene);
  return status;
}

static tacStatus touch(tacBench *bench, const Case *c, tacError *error) {
  tacScene *scene = NULL;
  tacWorld *world = NULL;
  tacFullGauge gauge = {0};
  tacBalance balance = {0};
  Run *run = tac_array_create(1, sizeof *run, "samples", error);
  double before = resident();
  tacStatus status = run != NULL ? tac_scene_parse(c->text, "bench.yaml", &scene, error) : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_scene_bake(scene, NULL, false, NULL, NULL, error);
  if (status == TAC_OK) status = tac_scene_world(scene, &world, error);
  double memory = resident() - before;
  if (status == TAC_OK) status = tac_balance_create(world, &balance, error);
  if (status == TAC_OK) status = tac_full_gauge_create(scene, world, 3.0 * tac_world_period(world), 2, &gauge, error);
  gauge.begun = gauge.wanted; /* moments come when the hand rests, not after a time */
  if (status == TAC_OK) status = play(c->motion, world, &gauge, &balance, run, error);
  if (status == TAC_OK) {
    report_number(bench, c->name, "memory", memory, "MB");
    report_run(bench, c->name, run);
  }
  tac_full_gauge_free(&gauge);
  tac_balance_free(&balance);
  tac_world_destroy(world);
  tac_scene_destroy(scene);
  free(run);
  return status;
}

/* In a process of its own, whose memory is that of this case alone: `tactus bench kinds --scene "PART CASE"`. */
static tacStatus apart(const tacBench *bench, const char *part, const Case *c, tacError *error) {
  char scene[100];
  snprintf(scene, sizeof scene, "%s %s", part, c->name);
  const char *arguments[] = {"tactus", "bench", "kinds", "--scene", scene, NULL, NULL, NULL};
  int count = 5, state = 0;
  if (bench->quick) arguments[count++] = "--quick";
  if (bench->json) arguments[count++] = "--json";
  pid_t child;
  char *argv[sizeof arguments / sizeof *arguments];
  memcpy(argv, arguments, sizeof argv);
  fflush(NULL);
  if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, argv, environ) != 0)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s: no process can be made", c->name);
  if (waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s %s: failed", part, c->name);
}

/* One part of one case where the bench names it, else both in processes of their own. */
static tacStatus bench_case(tacBench *bench, const char *shape, const Kind *kind, const Motion *m, tacError *error) {
  Case c = {.motion = m};
  snprintf(c.name, sizeof c.name, "%s: %s", m->name, kind->name);
  snprintf(c.text, sizeof c.text, "tactus: 1\n%sbodies:\n  - {name: body,\n%s%s     %s}\n%s%s", kind->scene, shape,
           m->others[0] != 0 ? kind->points : "", kind->keys, m->others, m->tools);
  if (bench->scene == NULL) {
    tacStatus status = apart(bench, "bake", &c, error);
    return status == TAC_OK ? apart(bench, "touch", &c, error) : status;
  }
  const char *name = strchr(bench->scene, ' ');
  if (name == NULL || strcmp(name + 1, c.name) != 0) return TAC_OK;
  return strncmp(bench->scene, "bake", 4) == 0 ? bake(bench, &c, error) : touch(bench, &c, error);
}

tacStatus tac_bench_kinds(tacBench *bench, tacError *error) {
  tacStatus status = TAC_OK;
  if (bench->scene == NULL) tac_bench_head(bench);
  bench->has_rows = !bench->json; /* the head is printed once, for all processes */
  size_t kidney_count = bench->quick ? 1 : sizeof kidneys / sizeof *kidneys;
  size_t beam_count = bench->quick ? 1 : sizeof beams / sizeof *beams;
  for (size_t i = 0; status == TAC_OK && i < kidney_count; ++i) {
    status = bench_case(bench, kidney, &kidneys[i], &dent, error);
    if (status == TAC_OK && kidneys[i].points != NULL) status = bench_case(bench, kidney, &kidneys[i], &press, error);
  }
  for (size_t i = 0; status == TAC_OK && i < beam_count; ++i) status = bench_case(bench, beam, &beams[i], &bend, error);
  return status;
}
