#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/green.h>
#include "base/memory/array.h"
#include "bench/report/bench.h"
#include "kinds/green/patch_grip.h"

/* Ticks of pads that hold patches: a cube of 80 mm on its base, with columns of two opposite sides. */

enum { SAMPLES = 4000 };
static const double side = 0.08;

typedef struct {
  size_t count;
  double us[SAMPLES];
} Samples;

static void add_sample(Samples *samples, double start) {
  if (samples->count < SAMPLES) samples->us[samples->count++] = 1e6 * (tac_bench_now() - start);
}

static tacStatus make_mesh(int n, tacVolMesh **mesh, tacError *error) {
  int row = n + 1;
  tacStatus status = tac_volmesh_create(row * row * row, 0, n * n * n, mesh, error);
  for (int i = 0; status == TAC_OK && i < row * row * row; ++i) {
    int x = i % row, y = i / row % row, z = i / row / row;
    (*mesh)->vertices[i] = tac_vec3_scale(side / n, tac_vec3(x, y, z));
  }
  for (int e = 0; status == TAC_OK && e < n * n * n; ++e) {
    int at = e % n + (e / n % n) * row + (e / n / n) * row * row;
    const tacBrick brick = {{at, at + 1, at + row + 1, at + row, at + row * row, at + row * row + 1,
                             at + row * row + row + 1, at + row * row + row}};
    (*mesh)->bricks[e] = brick;
  }
  return status;
}

static tacStatus make_green(int n, tacGreen **green, tacError *error) {
  tacVolMesh *mesh = NULL;
  tacTriMesh *surface = NULL;
  tacMaterial material;
  bool *fixed = NULL;
  int *wanted = NULL, count = 0;
  *green = NULL;
  tacStatus status = make_mesh(n, &mesh, error);
  if (status == TAC_OK) status = tac_volmesh_surface(mesh, &surface, NULL, NULL, error);
  if (status == TAC_OK) status = tac_material_isotropic(1000.0, 1e4, 0.4, &material, error);
  if (status == TAC_OK) {
    fixed = tac_array_create((size_t)surface->vertex_count, sizeof *fixed, "fixed vertices", error);
    wanted = tac_array_create((size_t)surface->vertex_count, sizeof *wanted, "wanted vertices", error);
    if (fixed == NULL || wanted == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    for (int v = 0; v < surface->vertex_count; ++v) {
      tacVec3 x = surface->vertices[v];
      fixed[v] = x.z < 0.1 * side / n;
      if (!fixed[v] && fabs(x.x - 0.5 * side) > 0.49 * side) wanted[count++] = v;
    }
    tacGreenDef def = tac_green_def_default();
    def.error_estimate_loads = 0; /* not of interest here */
    def.problem.method = TAC_FINITE_ELEMENTS;
    def.problem.volume = mesh;
    def.problem.material_count = 1;
    def.problem.materials = &material;
    def.problem.fixed = fixed;
    def.wanted = wanted;
    def.wanted_count = count;
    status = tac_green_bake(&def, NULL, green, error);
  }
  free(fixed);
  free(wanted);
  tac_trimesh_destroy(surface);
  tac_volmesh_destroy(mesh);
  return status;
}

/* Pad 0 or 1 on the left or the right side, at a place on a small circle, pushed in by `depth`. */
static tacPadPose pose_of(int pad, double angle, double depth) {
  double inward = pad == 0 ? 1.0 : -1.0, quarter = 0.5 * 3.14159265358979323846;
  tacVec3 centre = {0.5 * side * (1.0 - inward) + inward * depth, side * (0.5 + 0.01 * sin(angle)),
                    side * (0.5 + 0.01 * cos(angle))};
  return (tacPadPose){centre, tac_quat_from_axis_angle(tac_vec3(0.0, inward, 0.0), quarter)};
}

static void move_all(tacPatchGrip *grip, int pads, double angle, double depth) {
  for (int pad = 0; pad < pads; ++pad) tac_patch_grip_move(grip, pad, pose_of(pad, angle, depth));
}

/* Takes, holds and lets go; or presses. */
static tacStatus bench_hold(tacBench *bench, const tacGreen *green, tacPadHold hold, int pads, int vertices,
                            tacError *error) {
  static Samples taking, growing, holding, leaving;
  taking.count = growing.count = holding.count = leaving.count = 0;
  tacPatchGripDef def = tac_patch_grip_def_default();
  def.most_pads = pads;
  def.most_vertices = vertices;
  tacPatchGrip *grip;
  tacStatus status = tac_patch_grip_create(green, &def, &grip, error);
  if (status != TAC_OK) return status;
  /* The radius of a disc with as many vertices, or more for one that sticks: it takes the nearest. */
  double spacing = side / sqrt(tac_green_surface(green)->vertex_count / 6.0);
  double radius = spacing * sqrt(vertices / 3.14159265358979323846) * (hold == TAC_PAD_STICK ? 1.3 : 0.9);
  tacPad pad = {hold, radius, 0.5};
  int most = 0, pending = 0; /* vertices that a step has to switch */
  for (int round = 0; round < (bench->quick ? 2 : 40); ++round) {
    for (int p = 0; p < pads; ++p) {
      double start = tac_bench_now();
      tac_patch_grip_take(grip, p, &pad, pose_of(p, 0.0, 0.0));
      add_sample(&taking, start);
      pending += tac_patch_grip_reply(grip, p).waiting;
    }
    for (int tick = 0; tick < 100; ++tick) {
      int held = 0, before = pending;
      double start = tac_bench_now();
      move_all(grip, pads, 0.06 * tick, 5e-5 * tick);
      tac_patch_grip_step(grip);
      pending = 0;
      for (int p = 0; p < pads; ++p) {
        tacPadReply reply = tac_patch_grip_reply(grip, p);
        pending += reply.waiting + reply.leaving;
        held += reply.held;
      }
      add_sample(before > 0 ? &growing : &holding, start);
      most = held > most ? held : most;
    }
    for (int p = 0; p < pads; ++p) tac_patch_grip_release(grip, p);
    for (bool used = true; used;) {
      double start = tac_bench_now();
      tac_patch_grip_step(grip);
      add_sample(&leaving, start);
      used = false;
      for (int p = 0; p < pads; ++p) used = used || tac_patch_grip_reply(grip, p).in_use;
    }
  }
  char name[80];
  snprintf(name, sizeof name, "%d vertices, %s, %d x %d held", tac_green_surface(green)->vertex_count,
           hold == TAC_PAD_STICK ? "stick" : "press", pads, most / pads);
  struct {
    const char *metric;
    Samples *samples;
  } rows[4] = {
      {"take", &taking}, {"tick that switches", &growing}, {"tick", &holding}, {"tick of letting go", &leaving}};
  for (int i = 0; i < 4; ++i) {
    tacBenchResult result = tac_bench_result(name, rows[i].metric, NAN, "us");
    tac_bench_percentiles(rows[i].samples->count, rows[i].samples->us, &result);
    tac_bench_report(bench, &result);
  }
  tacBenchResult result = tac_bench_result(name, "inverses from scratch", tac_patch_grip_refactored(grip), "");
  tac_bench_report(bench, &result);
  tac_patch_grip_destroy(grip);
  return TAC_OK;
}

tacStatus tac_bench_grip(tacBench *bench, tacError *error) {
  static const int across[2] = {9, 18}, vertices[3] = {8, 16, 32}; /* 488 and 1,946 vertices */
  tacStatus status = TAC_OK;
  for (int i = 0; i < (bench->quick ? 1 : 2) && status == TAC_OK; ++i) {
    tacGreen *green;
    status = make_green(across[i], &green, error);
    for (int k = 0; k < 3 && status == TAC_OK; ++k)
      status = bench_hold(bench, green, TAC_PAD_STICK, 1, vertices[k], error);
    if (status == TAC_OK) status = bench_hold(bench, green, TAC_PAD_STICK, 2, 32, error);
    for (int k = 1; k < 3 && status == TAC_OK; ++k)
      status = bench_hold(bench, green, TAC_PAD_PRESS, 1, vertices[k], error);
    if (status == TAC_OK) status = bench_hold(bench, green, TAC_PAD_PRESS, 2, 32, error);
    tac_green_destroy(green);
  }
  return status;
}
