#include "bench/contact/contact_experiments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "asset/pointshell.h"
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/contact/contact_scene.h"
#include "collide/shell_traversal.h"
#include "contact/penalty.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"

/* A path in time: where the grasp is, from its start, and how the body is turned. Smooth between. */
typedef struct Stop {
  double time;
  tacVec3 way, turn; /* m; rad, rotation vector */
} Stop;

static double smooth(double t) {
  return t * t * (3.0 - 2.0 * t);
}

static tacToolInput input_at(tacVec3 start, int count, const Stop *stops, double time) {
  int i = 1;
  while (i < count - 1 && stops[i].time < time) ++i;
  double share = smooth(fmin(1.0, fmax(0.0, (time - stops[i - 1].time) / (stops[i].time - stops[i - 1].time))));
  tacQuat q = tac_quat_from_rotation_vector(tac_vec3_mix(stops[i - 1].turn, stops[i].turn, share));
  return (tacToolInput){.position = tac_vec3_add(start, tac_vec3_mix(stops[i - 1].way, stops[i].way, share)),
                        .orientation = {q.w, q.x, q.y, q.z}};
}

/* ---- sliding ---- */

/* The dinosaur lies on its back; its bumps reach 85 mm from its soles, the beam's top is at 290 mm. */
static const char slide_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: bridge, kind: rigid, surface: {shape: suspension-bridge},\n"
    "     points: {count: 256000, levels: 5, resolution: 256}}\n"
    "  - {name: dinosaur, kind: rigid, surface: {shape: dinosaur}, field: {resolution: 256},\n"
    "     position: [305 mm, 0, 385 mm], rotation: {axis: [1, 0, 0], angle: 180 deg}}\n"
    "contacts:\n  - {points: bridge, field: dinosaur, stiffness: 1 kN/m, levels: %d}\n"
    "tools:\n"
    "  - {name: hand, kind: body, body: dinosaur, device: {kind: operator, path: [{at: [0, 0, 0]}]},\n"
    "     coupling: {stiffness: 500 N/m, force_limit: none, torque_limit: none}}\n";

/* Maxima from which the signal falls on both sides by at least a quarter of its largest value, and by 0.1 N. */
static int count_peaks(int count, const double *signal) {
  double largest = 0.0, high = -INFINITY, low = INFINITY;
  int peaks = 0;
  bool rising = true;
  for (int i = 0; i < count; ++i) largest = fmax(largest, signal[i]);
  double fall = fmax(0.25 * largest, 0.1);
  for (int i = 0; i < count; ++i) {
    high = fmax(high, signal[i]);
    low = fmin(low, signal[i]);
    if (rising && signal[i] < high - fall) {
      ++peaks;
      rising = false;
      low = signal[i];
    } else if (!rising && signal[i] > low + fall) {
      rising = true;
      high = signal[i];
    }
  }
  return peaks;
}

static tacStatus slide_on(int levels, tacSlideExperiment *slide, tacError *error) {
  const tacVec3 still = {0.0, 0.0, 0.0};
  const Stop stops[] = {{0.0, {0.0, 0.0, 0.0}, still},
                        {0.4, {0.0, 0.0, -0.0125}, still}, /* 2.5 mm below where bumps touch */
                        {3.8, {-0.098, 0.0, -0.0125}, still},
                        {4.0, {-0.098, 0.0, 0.0}, still}};
  char text[2048];
  tacContactScene scene;
  snprintf(text, sizeof text, slide_text, levels);
  tacStatus status = tac_contact_scene_open(text, &scene, error);
  if (status != TAC_OK) return status;
  const tacPointshell *shell = tac_scene_points(scene.scene, 0);
  slide->level_count = tac_pointshell_level_count(shell);
  slide->point_count[levels - 1] = tac_pointshell_size(shell, levels - 1);
  for (int t = 0; t < TAC_SLIDE_TICKS; ++t) {
    tacToolInput input = input_at(scene.start, 4, stops, 1e-3 * t);
    tacToolOutput output;
    tacTickReport report;
    tac_world_step(scene.world, &input, &output, &report);
    slide->force[levels - 1][t] = tac_vec3_norm(output.force);
  }
  slide->peaks[levels - 1] = count_peaks(TAC_SLIDE_TICKS, slide->force[levels - 1]);
  tac_contact_scene_close(&scene);
  return TAC_OK;
}

tacStatus tac_contact_experiment_slide(tacSlideExperiment *slide, tacError *error) {
  *slide = (tacSlideExperiment){.level_count = 1};
  tacStatus status = TAC_OK;
  for (int l = 1; l <= slide->level_count && l <= TAC_SLIDE_MOST_LEVELS && status == TAC_OK; ++l)
    status = slide_on(l, slide, error);
  return status;
}

/* ---- graceful degradation ---- */

static const char bridge_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: bridge, kind: reduced, surface: {shape: suspension-bridge, vertices: 12000},\n"
    "     volume: {bricks: 12.5 mm, fill: cover}, material: {young: 40 kPa, poisson: 0.4, density: 150 kg/m3},\n"
    "     fixed: [{below: {axis: z, at: 15 mm}}, {below: {axis: x, at: -490 mm}}, {above: {axis: x, at: 490 mm}}],\n"
    "     basis: {from: modes, modes: 10, size: 15}, damping: {mass: 1 1/s, stiffness: 2 ms},\n"
    "     points: {count: 85018, levels: 4, resolution: 256}}\n"
    "  - {name: dinosaur, kind: rigid, surface: {shape: dinosaur}, field: {resolution: 256}, position: [0, 0, 150 "
    "mm]}\n"
    "contacts:\n  - {points: bridge, field: dinosaur, stiffness: 200 N/m, friction: 0.2}\n"
    "tools:\n  - {name: hand, kind: body, body: dinosaur, device: {kind: operator, path: [{at: [0, 0, 0]}]}}\n";
static const Stop bridge_stops[] = {
    {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},      {0.5, {0.0, 0.0, -0.045}, {0.0, 0.0, 0.0}}, /* stamps on the deck */
    {0.8, {0.0, 0.0, -0.048}, {0.0, 0.1, 0.0}},   {1.2, {0.0, 0.0, -0.02}, {0.0, 0.0, 0.0}},
    {1.7, {0.0, 0.02, -0.03}, {0.0, 0.0, 0.3}}, /* against cables and hangers */
    {2.2, {0.03, 0.03, -0.025}, {0.3, 0.0, 0.3}}, {2.8, {0.03, -0.03, -0.025}, {-0.3, 0.0, -0.3}},
    {3.3, {0.0, 0.0, -0.05}, {0.0, 0.0, 0.0}},    {4.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};

static const char peg_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: peg, kind: rigid, surface: {shape: peg}, points: {count: 340000, levels: 6, resolution: 256},\n"
    "     position: [0, 0, 75 mm]}\n"
    "  - {name: hole, kind: rigid, surface: {shape: hole}, field: {resolution: 256, expansion: 1.2}}\n"
    "contacts:\n  - {points: peg, field: hole, stiffness: 400 N/m, friction: 0.1}\n"
    "tools:\n  - {name: hand, kind: body, body: peg, device: {kind: operator, path: [{at: [0, 0, 0]}]}}\n";
static const Stop peg_stops[] = {
    {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},         {0.8, {0.001, 0.001, -0.04}, {0.0, 0.01, 0.0}},
    {1.8, {0.0, 0.0, -0.077}, {0.0, 0.0, 0.0}}, /* seated, and pressed */
    {2.1, {0.0, 0.0, -0.077}, {0.0, 0.0, 0.1}}, /* turned against its key */
    {2.5, {0.0, 0.0, -0.077}, {0.0, 0.0, -0.1}},     {2.8, {0.003, 0.0, -0.077}, {0.0, 0.05, 0.0}}, /* and levered */
    {3.1, {-0.003, 0.0, -0.077}, {0.0, -0.05, 0.0}}, {3.4, {0.0, 0.0, -0.07}, {0.0, 0.0, 0.0}},
    {4.0, {0.0, 0.0, -0.02}, {0.0, 0.0, 0.0}}};

static void run_path(tacContactScene *scene, int count, const Stop *stops, tacDegradedRun *run) {
  tac_world_reset(scene->world);
  for (int t = 0; t < TAC_DEGRADED_TICKS; ++t) {
    tacToolInput input = input_at(scene->start, count, stops, 1e-3 * t);
    tacToolOutput output;
    tacTickReport report;
    int64_t begin = tac_clock_thread();
    tac_world_step(scene->world, &input, &output, &report);
    run->seconds[t] = tac_clock_seconds(tac_clock_thread() - begin);
    run->force[t] = tac_vec3_norm(output.force);
    run->nodes[t] = report.visited;
    run->contacts[t] = report.points;
    run->levels[t] = report.level + 1;
  }
}

static tacStatus set(tacWorld *world, const char *name, double value, tacError *error) {
  return tac_world_set_parameter(world, tac_world_find_parameter(world, name), value, error);
}

tacStatus tac_contact_experiment_degraded(tacDegradedCase which, tacDegradedExperiment *e, tacError *error) {
  bool bridge = which == TAC_DEGRADED_BRIDGE;
  const Stop *stops = bridge ? bridge_stops : peg_stops;
  int count = bridge ? (int)(sizeof bridge_stops / sizeof *stops) : (int)(sizeof peg_stops / sizeof *stops);
  tacContactScene scene;
  *e = (tacDegradedExperiment){.limit = bridge ? 600 : 2000};
  tacStatus status = tac_contact_scene_open(bridge ? bridge_text : peg_text, &scene, error);
  if (status != TAC_OK) return status;
  const tacPointshell *shell = tac_scene_points(scene.scene, 0);
  e->level_count = tac_pointshell_level_count(shell);
  e->point_count = tac_pointshell_size(shell, e->level_count - 1);
  run_path(&scene, count, stops, &e->run[0]);
  /* As in the thesis the limit is one of nodes alone. */
  status = set(scene.world, bridge ? "bridge-dinosaur.nodes" : "peg-hole.nodes", e->limit, error);
  if (status == TAC_OK) status = set(scene.world, bridge ? "bridge-dinosaur.contact" : "peg-hole.contact", 1e-9, error);
  if (status == TAC_OK) run_path(&scene, count, stops, &e->run[1]);
  tac_contact_scene_close(&scene);
  double sum = 0.0, difference = 0.0;
  for (int t = 0; t < TAC_DEGRADED_TICKS; ++t) {
    sum += e->run[0].force[t] * e->run[0].force[t];
    difference += pow(e->run[1].force[t] - e->run[0].force[t], 2.0);
  }
  e->force_error = sum > 0.0 ? sqrt(difference / sum) : 0.0;
  return status;
}

/* ---- which of two bodies has the points ---- */

static const char asymmetry_text[] =
    "tactus: 1\nbodies:\n"
    "  - {name: dragon, kind: rigid, surface: {shape: dragon, vertices: 12000}, field: {resolution: 256},\n"
    "     points: {count: 256000, levels: 5, resolution: 256}}\n"
    "tools:\n  - {name: hand, kind: point, device: {kind: operator, path: [{at: [0, 0, 0]}]}}\n";

typedef struct Dragons {
  const tacPointshell *shell;
  tacContactField field;
  tacShellContact *contacts;
  tacPenaltyPoint *points;
  tacContactSpring *springs;
  int capacity;
} Dragons;

/* The force on the shell's body, in the field's frame. */
static tacVec3 force_on(const Dragons *d, tacMat3 turn, tacVec3 way, int *count, double *depth) {
  tacShellPose pose = {.rotation = turn, .translation = way};
  int last = tac_pointshell_level_count(d->shell) - 1;
  *count = tac_shell_exhaustive(d->shell, &d->field, &pose, last, d->capacity, d->contacts);
  for (int i = 0; i < *count; ++i) {
    tacVec3 at = d->contacts[i].at, normal = tac_pointshell_normal(d->shell, d->contacts[i].point);
    d->points[i] = (tacPenaltyPoint){
        .at = at, .anchor = at, .normal = tac_mat3_mul_vec(turn, normal), .depth = d->contacts[i].depth, .weight = 1.0};
  }
  tacPenaltyDef def = tac_penalty_def_default();
  def.stiffness = 300.0;
  tacPenaltyReport report = tac_penalty_evaluate(&def, *count, d->points, d->springs, NULL);
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int i = 0; i < *count; ++i) sum = tac_vec3_add(sum, d->springs[i].force);
  *depth = report.depth;
  return sum;
}

/* The one that moves is below the other, on its back, askew, and comes up: feet meet feet. `far`: how far its origin is below. */
static tacVec3 force_on_moving(const Dragons *d, bool points_move, double far, int *count, double *depth) {
  tacQuat askew = tac_quat_from_rotation_vector(tac_vec3(0.06, 0.1, 0.25));
  tacMat3 turn = tac_quat_to_mat3(tac_quat_mul(askew, tac_quat_from_axis_angle(tac_vec3(1.0, 0.0, 0.0), M_PI)));
  tacMat3 back = tac_mat3_transpose(turn);
  tacVec3 way = {0.01, 0.005, -far};
  if (points_move) return force_on(d, turn, way, count, depth);
  tacVec3 seen = tac_vec3_scale(-1.0, tac_mat3_mul_vec(back, way));
  return tac_vec3_scale(-1.0, tac_mat3_mul_vec(turn, force_on(d, back, seen, count, depth)));
}

static void sample(const Dragons *d, double far, tacAsymmetryExperiment *e) {
  e->touched = e->one_voxel = -1;
  for (int i = 0; i < TAC_ASYMMETRY_SAMPLES; ++i)
    for (int role = 0; role < 2; ++role) {
      double depth;
      tacVec3 force = force_on_moving(d, role == 0, far - e->step * i, &e->contacts[role][i], &depth);
      e->along[role][i] = -force.z;
      e->across[role][i] = hypot(force.x, force.y);
      e->depth[role][i] = depth / e->voxel;
      if (e->touched < 0 && e->contacts[role][i] > 0) e->touched = i;
      if (e->one_voxel < 0 && e->depth[role][i] >= 1.0) e->one_voxel = i;
    }
}

tacStatus tac_contact_experiment_asymmetry(tacAsymmetryExperiment *e, tacError *error) {
  tacContactScene scene;
  *e = (tacAsymmetryExperiment){0};
  tacStatus status = tac_contact_scene_open(asymmetry_text, &scene, error);
  if (status != TAC_OK) return status;
  const tacDistanceField *field = tac_scene_field(scene.scene, 0);
  Dragons d = {.shell = tac_scene_points(scene.scene, 0), .field = {.field = field, .reach = tac_field_reach(field)}};
  d.capacity = tac_pointshell_size(d.shell, TAC_POINTSHELL_MOST_LEVELS);
  d.contacts = tac_array_create((size_t)d.capacity, sizeof *d.contacts, "contacts", error);
  d.points = tac_array_create((size_t)d.capacity, sizeof *d.points, "contacts", error);
  d.springs = tac_array_create((size_t)d.capacity, sizeof *d.springs, "contacts", error);
  if (d.contacts == NULL || d.points == NULL || d.springs == NULL) status = TAC_ERR_MEMORY;
  if (status == TAC_OK) {
    e->voxel = tac_distance_field_grid(field)->spacing;
    e->step = 6.0 * e->voxel / TAC_ASYMMETRY_SAMPLES;
    double far = 0.1, depth;
    int count = 0;
    for (; far > -0.4 && count == 0; far -= 0.5 * e->voxel) force_on_moving(&d, true, far, &count, &depth);
    sample(&d, far + 2.0 * e->voxel, e);
  }
  free(d.contacts);
  free(d.points);
  free(d.springs);
  tac_contact_scene_close(&scene);
  return status;
}
