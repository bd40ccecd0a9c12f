#include "bench/hyperelastic/hyper_step_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/hyperelastic.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/hyperelastic/hyper_pictures.h"
#include "bench/hyperelastic/tet_block.h"
#include "elastic/laws/hyper_laws.h"
#include "kinds/hyperelastic/hyper_dynamics.h"
#include "kinds/hyperelastic/hyperelastic_kind.h"
#include "math/geometry/vec3.h"

enum { SITES = 30, MOST_STEPS = 400 };
static const double h = 0.01, edge = 0.07; /* s, m */

/* `begin` is assembly, free motion and columns; `again` what forces do by the equations; `end` the same once more and the step itself. */
typedef enum Part { BEGIN, AGAIN, END, WHOLE, PARTS } Part;

typedef struct Run {
  int tets, nodes, count;
  double sample[PARTS][MOST_STEPS]; /* s of the processor */
  double assembly;                  /* s: force and tangent alone, the least of some */
  double iterations, age, factor;   /* mean; steps, the oldest one in use; s, the fastest one */
} Run;

/* Triangles of the upper face around its middle. */
static void put_sites(int cells, tacFactorSite *sites) {
  int n = cells + 1, top = n * n * cells, wide = cells < 6 ? cells : 6;
  for (int s = 0; s < SITES; ++s) {
    int i = (cells - wide) / 2 + s % wide, j = (cells - wide) / 2 + s / wide % wide, v = top + j * n + i;
    sites[s] = (tacFactorSite){.count = 3, .node = {v, v + 1, v + n + 1}, .weight = {0.3, 0.3, 0.4}};
  }
}

static tacStatus time_assembly(const tacHyperSolidDef *def, const double *x, double *seconds, tacError *error) {
  tacHyperSolid *solid = NULL;
  tacStatus status = tac_hyper_solid_create(def, &solid, error);
  if (status != TAC_OK) return status;
  size_t entries = (size_t)tac_sparse_count(tac_hyper_solid_pattern(solid));
  double *force = tac_array_create(3 * (size_t)def->mesh->vertex_count, sizeof *force, "forces", error);
  double *value = tac_array_create(entries, sizeof *value, "a matrix", error);
  if (force == NULL || value == NULL) status = TAC_ERR_MEMORY;
  *seconds = INFINITY;
  for (int i = 0; i < 20 && status == TAC_OK; ++i) {
    int64_t start = tac_clock_thread();
    tac_hyper_solid_evaluate(solid, x, h, force, value);
    *seconds = fmin(*seconds, tac_clock_seconds(tac_clock_thread() - start));
  }
  free(force);
  free(value);
  tac_hyper_solid_destroy(solid);
  return status;
}

/* At 1 / h by the clock, as in a simulation: the factor's thread takes as many steps as it needs. */
static tacStatus run(int cells, int steps, Run *r, tacError *error) {
  enum { WARM = 20 /* steps that are not counted */ };
  tacVolMesh *mesh = NULL;
  tacHyperDynamics *dynamics = NULL;
  tacHyperMaterial material = {
      .law = tac_hyper_law_find("mooney-rivlin", error), .parameters = {860.0, 860.0, 33.3e3}, .density = 1000.0};
  *r = (Run){.factor = INFINITY};
  tacStatus status = tac_tet_block_create((tacBox){{0.0, 0.0, 0.0}, {edge, edge, edge}}, cells, &mesh, error);
  if (status != TAC_OK) return status;
  bool *held = tac_array_create((size_t)mesh->vertex_count, sizeof *held, "a cube", error);
  double *c = tac_array_create(9 * (size_t)(SITES * SITES), sizeof *c, "a cube", error);
  if (held == NULL || c == NULL) status = TAC_ERR_MEMORY;
  for (int i = 0; status == TAC_OK && i < (cells + 1) * (cells + 1); ++i) held[i] = true;
  tacHyperDynamicsDef def = {.solid = {.mesh = mesh, .material_count = 1, .materials = &material, .thread_count = 1},
                             .held = held,
                             .stiffness_damping = 5e-3,
                             .mode = TAC_FACTOR_ASYNCHRONOUS,
                             .delay = 5,
                             .most_sites = SITES};
  if (status == TAC_OK) status = tac_hyper_dynamics_create(&def, &dynamics, error);
  if (status == TAC_OK) status = tac_hyper_dynamics_start(dynamics, error);
  tacFactorSite sites[SITES];
  tacVec3 forces[SITES] = {0}, motion[SITES];
  put_sites(cells, sites);
  r->tets = mesh->tet_count;
  r->nodes = mesh->vertex_count;
  int64_t next = tac_clock_now();
  for (int i = -WARM; i < steps && status == TAC_OK; ++i) {
    tacHyperelasticReport report = {0};
    double press = 4.0 * (0.5 - 0.5 * cos(0.05 * (i + WARM))) / SITES; /* N */
    int64_t start = tac_clock_thread();
    if (tac_hyper_dynamics_ready(dynamics)) tac_hyper_dynamics_take(dynamics);
    tac_hyper_dynamics_begin(dynamics, h, tac_vec3(0.0, 0.0, 0.0), SITES, sites, forces, motion, c);
    int64_t begun = tac_clock_thread();
    for (int s = 0; s < SITES; ++s) forces[s] = tac_vec3(0.0, 0.0, -press);
    tac_hyper_dynamics_again(dynamics, forces, motion);
    int64_t moved = tac_clock_thread();
    tac_hyper_dynamics_end(dynamics, forces, 0, NULL);
    int64_t ended = tac_clock_thread();
    tac_hyper_dynamics_report(dynamics, &report);
    next += tac_clock_nanoseconds(h);
    tac_clock_sleep_until(next);
    if (i < 0) continue;
    r->sample[BEGIN][r->count] = tac_clock_seconds(begun - start);
    r->sample[AGAIN][r->count] = tac_clock_seconds(moved - begun);
    r->sample[END][r->count] = tac_clock_seconds(ended - moved);
    r->sample[WHOLE][r->count++] = tac_clock_seconds(ended - start);
    r->iterations += (double)report.iterations / steps;
    r->age = fmax(r->age, report.factor_age);
    if (report.factor_seconds > 0.0) r->factor = fmin(r->factor, report.factor_seconds);
  }
  if (status == TAC_OK) status = time_assembly(&def.solid, tac_hyper_dynamics_positions(dynamics), &r->assembly, error);
  tac_hyper_dynamics_destroy(dynamics);
  tac_volmesh_destroy(mesh);
  free(held);
  free(c);
  return status;
}

static void report(tacBench *bench, const char *name, const char *metric, double value, const char *unit,
                   const char *paper) {
  tacBenchResult result = tac_bench_result(name, metric, value, unit);
  result.paper = paper;
  tac_bench_report(bench, &result);
}

/* ms: its median. */
static double report_part(tacBench *bench, const char *name, const char *metric, Run *r, Part part) {
  tacBenchResult result = tac_bench_result(name, metric, NAN, "ms");
  for (int i = 0; i < r->count; ++i) r->sample[part][i] *= 1e3;
  tac_bench_percentiles((size_t)r->count, r->sample[part], &result);
  tac_bench_report(bench, &result);
  return result.value;
}

tacStatus tac_hyper_step_bench(tacBench *bench, tacError *error) {
  static const char *const metrics[PARTS] = {"begin", "again", "end", "whole step"};
  Run *r = tac_array_create(1, sizeof *r, "steps", error);
  if (r == NULL) return TAC_ERR_MEMORY;
  tacStatus status = run(bench->quick ? 3 : 7, bench->quick ? 5 : MOST_STEPS, r, error);
  char name[64];
  snprintf(name, sizeof name, "%d tetrahedra, %d contacts", r->tets, SITES);
  for (int p = 0; p < PARTS && status == TAC_OK; ++p) report_part(bench, name, metrics[p], r, (Part)p);
  if (status == TAC_OK) {
    report(bench, name, "assembly", 1e3 * r->assembly, "ms", NULL);
    report(bench, name, "iterations", r->iterations, "mean", NULL);
    report(bench, name, "factor", 1e3 * r->factor, "ms", "0.03 s");
    report(bench, name, "oldest factor", r->age, "steps", "3 steps");
  }
  free(r);
  return status;
}

tacStatus tac_hyper_growth_bench(tacBench *bench, tacError *error) {
  enum { MESHES = 7 };
  static const int cells[MESHES] = {6, 7, 9, 11, 14, 17, 20};
  double tets[MESHES], step[MESHES], factor[MESHES];
  int count = bench->quick ? 1 : MESHES;
  Run *r = tac_array_create(1, sizeof *r, "steps", error);
  tacStatus status = r != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int k = 0; k < count && status == TAC_OK; ++k) {
    int steps = bench->quick ? 5 : cells[k] <= 9 ? 200 : cells[k] <= 14 ? 100 : 40;
    status = run(cells[k], steps, r, error);
    if (status != TAC_OK) break;
    char name[64];
    snprintf(name, sizeof name, "%d tetrahedra, %d nodes", r->tets, r->nodes);
    tets[k] = r->tets;
    step[k] = 1e-3 * report_part(bench, name, "step", r, WHOLE);
    factor[k] = r->factor;
    report(bench, name, "factor", 1e3 * factor[k], "ms", NULL);
    report(bench, name, "delay", ceil(factor[k] / step[k]), "steps of its own", NULL);
    report(bench, name, "iterations", r->iterations, "mean", NULL);
  }
  if (status == TAC_OK && bench->plots != NULL && count > 1)
    status = tac_hyper_picture_growth(bench->plots, count, tets, step, factor, error);
  free(r);
  return status;
}
