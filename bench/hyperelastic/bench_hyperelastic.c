/* Hyperelastic bodies, part by part; --scene names one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "bench/hyperelastic/hyper_body_bench.h"
#include "bench/hyperelastic/hyper_factor_bench.h"
#include "bench/hyperelastic/hyper_liver_bench.h"
#include "bench/hyperelastic/hyper_step_bench.h"
#include "bench/hyperelastic/tet_block.h"
#include "bench/report/bench.h"
#include "elastic/elements/tet4.h"
#include "elastic/hyper/hyper_solid.h"
#include "elastic/laws/hyper_laws.h"
#include "elastic/laws/hyper_point.h"
#include "math/random.h"

enum { PAPER_CELLS = 7 }; /* 2058 tetrahedra, as the paper's cube */

/* ---- force and tangent of each law ---- */

typedef struct Kernel {
  const tacVolMesh *mesh;
  tacHyperMaterial material;
  tacHyperSolid *solid;
  double *x, *force, *value;
} Kernel;

/* Any values in their ranges: times depend on them little. */
static tacHyperMaterial make_material(const tacHyperLaw *law) {
  tacHyperMaterial material = {.law = law, .density = 1000.0};
  for (int i = 0; i < law->parameter_count; ++i) {
    const tacHyperParameter *parameter = &law->parameters[i];
    double value = strcmp(parameter->unit, "Pa") == 0 ? 4e3 : 1.5;
    if (!isnan(parameter->otherwise))
      value = parameter->otherwise;
    else if (value > parameter->most)
      value = 0.5 * (fmax(parameter->above, 0.0) + parameter->most);
    material.parameters[i] = value;
  }
  return material;
}

static void destroy_kernel(Kernel *kernel) {
  tac_hyper_solid_destroy(kernel->solid);
  free(kernel->x);
  free(kernel->force);
  free(kernel->value);
}

/* Stretched, sheared and uneven. */
static tacStatus create_kernel(const tacVolMesh *mesh, const tacHyperLaw *law, tacHyperSolidDef def, Kernel *kernel,
                               tacError *error) {
  *kernel = (Kernel){.mesh = mesh, .material = make_material(law)};
  def.mesh = mesh;
  def.material_count = 1;
  def.materials = &kernel->material;
  tacStatus status = tac_hyper_solid_create(&def, &kernel->solid, error);
  if (status != TAC_OK) return status;
  size_t size = 3 * (size_t)mesh->vertex_count;
  kernel->x = tac_array_create(size, sizeof *kernel->x, "positions", error);
  kernel->force = tac_array_create(size, sizeof *kernel->force, "forces", error);
  kernel->value = tac_array_create((size_t)tac_sparse_count(tac_hyper_solid_pattern(kernel->solid)),
                                   sizeof *kernel->value, "a stiffness matrix", error);
  if (kernel->x == NULL || kernel->force == NULL || kernel->value == NULL) {
    destroy_kernel(kernel);
    return TAC_ERR_MEMORY;
  }
  tacRandom random = tac_random_seed(1);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 p = mesh->vertices[v], uneven = tac_random_in_cube(&random, 1e-3);
    kernel->x[3 * v] = 1.1 * p.x + 0.2 * p.z + uneven.x;
    kernel->x[3 * v + 1] = 0.95 * p.y - 0.1 * p.x + uneven.y;
    kernel->x[3 * v + 2] = 0.9 * p.z + uneven.z;
  }
  return TAC_OK;
}

/* The same, element by element: dP/dF of one point, contracted with shape gradients, into places that are searched
 * for. */
static void evaluate_plainly(const Kernel *kernel, tacSparse *k) {
  const tacVolMesh *mesh = kernel->mesh;
  memset(kernel->force, 0, 3 * (size_t)mesh->vertex_count * sizeof *kernel->force);
  memset(k->value, 0, (size_t)tac_sparse_count(k) * sizeof *k->value);
  for (int t = 0; t < mesh->tet_count; ++t) {
    const int *v = mesh->tets[t].v;
    tacVec3 corners[4];
    tacTet4 tet;
    for (int a = 0; a < 4; ++a) corners[a] = mesh->vertices[v[a]];
    if (!tac_tet4_init(corners, &tet)) continue;
    tacMat3 f = tac_mat3_zero();
    double d[4][3];
    for (int a = 0; a < 4; ++a) {
      const double *at = kernel->x + 3 * v[a];
      f = tac_mat3_add(f, tac_mat3_outer(tac_vec3(at[0], at[1], at[2]), tet.gradient[a]));
      memcpy(d[a], &tet.gradient[a].x, sizeof d[a]);
    }
    tacHyperPoint point;
    tac_hyper_point_evaluate(kernel->material.law, kernel->material.parameters, NULL, &f, &point);
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) kernel->force[3 * v[a] + i] += tet.volume * point.stress.m[i][j] * d[a][j];
        for (int b = 0; b < 4; ++b)
          for (int n = 0; n < 3; ++n) {
            int row = 3 * v[a] + i, column = 3 * v[b] + n;
            if (row < column) continue;
            double sum = 0.0;
            for (int j = 0; j < 3; ++j)
              for (int l = 0; l < 3; ++l) sum += d[a][j] * point.tangent[3 * i + j][3 * n + l] * d[b][l];
            k->value[tac_sparse_find(k, row, column)] += tet.volume * sum;
          }
      }
  }
}

/* Microseconds a tetrahedron. */
static void time_kernel(const Kernel *kernel, bool plainly, int count, double *samples) {
  tacSparse k = *tac_hyper_solid_pattern(kernel->solid);
  k.value = kernel->value;
  for (int i = 0; i < count; ++i) {
    double start = tac_bench_now();
    if (plainly)
      evaluate_plainly(kernel, &k);
    else
      tac_hyper_solid_evaluate(kernel->solid, kernel->x, 0.0, kernel->force, kernel->value);
    samples[i] = 1e6 * (tac_bench_now() - start) / kernel->mesh->tet_count;
  }
}

/* def: what is asked for besides mesh and law. The plain way is measured where `how` is empty. */
static tacStatus report_kernel(tacBench *bench, const tacVolMesh *mesh, const tacHyperLaw *law, tacHyperSolidDef def,
                               const char *how, tacError *error) {
  enum { REPEATS = 1000, PLAIN_REPEATS = 20 };
  double samples[REPEATS];
  int repeats = bench->quick ? 3 : REPEATS;
  Kernel kernel;
  tacStatus status = create_kernel(mesh, law, def, &kernel, error);
  if (status != TAC_OK) return status;
  char name[80];
  snprintf(name, sizeof name, "%s, %d tets%s", law->name, mesh->tet_count, how);
  tacBenchResult result = tac_bench_result(name, "force and tangent", NAN, "us/tet"), plain = result;
  if (how[0] == '\0') {
    int plain_repeats = bench->quick ? 1 : PLAIN_REPEATS;
    time_kernel(&kernel, true, plain_repeats, samples);
    tac_bench_percentiles((size_t)plain_repeats, samples, &plain);
    result.baseline = plain.value;
  }
  time_kernel(&kernel, false, repeats, samples);
  tac_bench_percentiles((size_t)repeats, samples, &result);
  tac_bench_report(bench, &result);
  destroy_kernel(&kernel);
  return TAC_OK;
}

static tacStatus bench_kernels(tacBench *bench, tacError *error) {
  tacVolMesh *mesh;
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}};
  tacStatus status = tac_tet_block_create(box, bench->quick ? 3 : PAPER_CELLS, &mesh, error);
  if (status != TAC_OK) return status;
  int count;
  const tacHyperLaw *const *laws = tac_hyper_laws(&count);
  for (int n = 0; n < count && status == TAC_OK; ++n)
    status = report_kernel(bench, mesh, laws[n], (tacHyperSolidDef){.thread_count = 1}, "", error);
  static const struct {
    const char *how;
    tacHyperSolidDef def;
  } ways[] = {{", patches", {.thread_count = 1, .patches = true}},
              {", definite", {.thread_count = 1, .definite = true}},
              {", 2 threads", {.thread_count = 2}}};
  const tacHyperLaw *law = tac_hyper_law_find("mooney-rivlin", error);
  for (size_t n = 0; n < sizeof ways / sizeof *ways && status == TAC_OK; ++n)
    status = report_kernel(bench, mesh, law, ways[n].def, ways[n].how, error);
  tac_volmesh_destroy(mesh);
  return status;
}

tacStatus tac_bench_hyperelastic(tacBench *bench, tacError *error) {
  static const struct {
    const char *name;
    tacStatus (*run)(tacBench *bench, tacError *error);
  } parts[] = {{"kernels", bench_kernels},         {"stretch", tac_hyper_stretch_bench},
               {"press", tac_hyper_press_bench},   {"step", tac_hyper_step_bench},
               {"growth", tac_hyper_growth_bench}, {"liver", tac_hyper_liver_bench},
               {"factor", tac_hyper_factor_bench}};
  tacStatus status = TAC_OK;
  for (size_t i = 0; i < sizeof parts / sizeof *parts && status == TAC_OK; ++i)
    if (bench->scene == NULL || strcmp(bench->scene, parts[i].name) == 0) status = parts[i].run(bench, error);
  return status;
}
