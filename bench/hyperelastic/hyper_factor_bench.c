#include "bench/hyperelastic/hyper_factor_bench.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "elastic/live_factor.h"
#include "elastic/nodal_rotation.h"
#include "elastic/solids/assembly.h"
#include "math/dense/blas.h"
#include "math/geometry/quat.h"
#include "math/sparse/factor.h"

enum { MOST_SITES = 60, SAMPLES = 200 };

typedef struct Case {
  int side, nodes; /* side: nodes along an edge */
  size_t size;
  tacVolMesh *mesh;
  tacSparse lower;
  tacLiveFactor *live;
  tacFactor *plain;
  tacNodalRotation *rotation;
  int band;       /* diagonals below the main one */
  double *banded; /* [size][band + 1] */
  tacMat3 *turn;
  double *x, *b, *full, *c;
  int site_count;
  tacFactorSite sites[MOST_SITES];
} Case;

/* n^3 nodes, a cell apart of 1/100 m, and six tetrahedra a cell. */
static tacStatus make_cube(int n, tacVolMesh **mesh, tacError *error) {
  static const int cut[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  int cells = n - 1;
  tacStatus status = tac_volmesh_create(n * n * n, 6 * cells * cells * cells, 0, mesh, error);
  if (status != TAC_OK) return status;
  int t = 0;
  for (int v = 0; v < n * n * n; ++v) {
    int i = v % n, j = v / n % n, k = v / (n * n);
    (*mesh)->vertices[v] = tac_vec3(0.01 * i, 0.01 * j, 0.01 * k);
    if (i == cells || j == cells || k == cells) continue;
    const int corner[8] = {v, v + 1, v + n + 1, v + n, v + n * n, v + n * n + 1, v + n * n + n + 1, v + n * n + n};
    for (int c = 0; c < 6; ++c, ++t)
      for (int q = 0; q < 4; ++q) (*mesh)->tets[t].v[q] = corner[cut[c][q]];
  }
  return TAC_OK;
}

static tacStatus make_matrix(const tacVolMesh *mesh, tacSparse *lower, tacError *error) {
  tacMaterial material;
  tacSparse k = {0}, m = {0}, sum = {0};
  tacStatus status = tac_material_isotropic(1000.0, 1e4, 0.45, &material, error);
  if (status == TAC_OK) status = tac_assembly_stiffness(mesh, &material, NULL, &k, error);
  if (status == TAC_OK) status = tac_assembly_mass(mesh, &material, NULL, TAC_MASS_LUMPED, &m, error);
  if (status == TAC_OK) status = tac_sparse_add(1.0, &k, 1e4, &m, &sum, error); /* 1 / h^2 */
  if (status == TAC_OK) status = tac_sparse_lower(&sum, lower, error);
  tac_sparse_destroy(&k);
  tac_sparse_destroy(&m);
  tac_sparse_destroy(&sum);
  return status;
}

/* Triangles of the upper face, from its middle outward: what a tool touches. Or all over the surface. */
static void put_sites(Case *c, int count, bool spread) {
  int n = c->side, top = n * n * (n - 1);
  c->site_count = count;
  for (int s = 0; s < count; ++s) {
    int i = n / 2 + (s % 8) / 2 - 2, j = n / 2 + s / 8 - count / 16,
        v = top +
            (j < 0       ? 0
             : j > n - 2 ? n - 2
                         : j) *
                n +
            i;
    c->sites[s] =
        (tacFactorSite){.count = 3, .node = {v, v + n + 1, s % 2 == 0 ? v + 1 : v + n}, .weight = {0.2, 0.5, 0.3}};
    if (!spread) continue;
    int surface = (int)((long)s * c->nodes / count); /* the first node of the surface from there on */
    while (surface % n != 0 && surface % n != n - 1 && surface >= n * n && surface < top) ++surface;
    c->sites[s] = (tacFactorSite){.count = 1, .node = {surface}, .weight = {1.0}};
  }
}

/* LAPACK's factor of the matrix as a band in the order of its nodes, which neither our order nor our loops have a part in. */
static tacStatus open_plain_update(Case *c, tacError *error) {
  for (size_t j = 0; j < c->size; ++j) {
    int last = c->lower.row[c->lower.column_start[j + 1] - 1] - (int)j;
    if (last > c->band) c->band = last;
  }
  c->banded = tac_array_create(c->size * ((size_t)c->band + 1), sizeof *c->banded, "a banded matrix", error);
  return c->banded != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

static bool plain_update(Case *c) {
  size_t rows = (size_t)c->band + 1;
  memset(c->banded, 0, c->size * rows * sizeof *c->banded);
  for (size_t j = 0; j < c->size; ++j)
    for (int p = c->lower.column_start[j]; p < c->lower.column_start[j + 1]; ++p)
      c->banded[j * rows + (size_t)c->lower.row[p] - j] = c->lower.value[p];
  return LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', (int)c->size, c->band, c->banded, (int)rows) == 0;
}

static void close_case(Case *c) {
  tac_live_factor_destroy(c->live);
  tac_factor_destroy(c->plain);
  tac_nodal_rotation_destroy(c->rotation);
  tac_sparse_destroy(&c->lower);
  tac_volmesh_destroy(c->mesh);
  free(c->banded);
  free(c->turn);
  free(c->x);
  free(c->b);
  free(c->full);
  free(c->c);
}

static tacStatus open_case(int side, Case *c, tacError *error) {
  *c = (Case){.side = side, .nodes = side * side * side};
  c->size = 3 * (size_t)c->nodes;
  tacStatus status = make_cube(side, &c->mesh, error);
  if (status == TAC_OK) status = make_matrix(c->mesh, &c->lower, error);
  if (status == TAC_OK) status = tac_live_factor_create(&c->lower, 3 * MOST_SITES, &c->live, error);
  if (status == TAC_OK) status = tac_factor_create_live(&c->lower, &c->plain, error);
  if (status == TAC_OK) status = tac_factor_update(c->plain, c->lower.value, error);
  if (status == TAC_OK) status = tac_nodal_rotation_create(&c->lower, NULL, &c->rotation, error);
  if (status != TAC_OK) return status;
  if ((c->turn = tac_array_create((size_t)c->nodes, sizeof *c->turn, "rotations", error)) == NULL ||
      (c->x = tac_array_create(c->size, sizeof *c->x, "positions", error)) == NULL ||
      (c->b = tac_array_create(c->size, sizeof *c->b, "forces", error)) == NULL ||
      (c->full = tac_array_create(c->size * 3 * MOST_SITES, sizeof *c->full, "columns", error)) == NULL ||
      (c->c = tac_array_create((size_t)9 * MOST_SITES * MOST_SITES, sizeof *c->c, "compliances", error)) == NULL)
    return TAC_ERR_MEMORY;
  status = open_plain_update(c, error);
  if (status != TAC_OK) return status;
  if (!plain_update(c) || !tac_live_factor_update(c->live, c->lower.value, 0))
    return tac_error_set(error, TAC_ERR_SINGULAR, "a cube of %d nodes has no factor", c->nodes);
  for (int v = 0; v < c->nodes; ++v) {
    const tacVec3 p = c->mesh->vertices[v];
    c->b[3 * v] = p.x, c->b[3 * v + 1] = p.y, c->b[3 * v + 2] = p.z;
  }
  tac_nodal_rotation_begin(c->rotation, c->b);
  for (int v = 0; v < c->nodes; ++v) { /* twisted by a radian a side, and stretched */
    double angle = c->b[3 * v + 2] / (0.01 * side), x = c->b[3 * v], y = c->b[3 * v + 1];
    c->x[3 * v] = 1.1 * (cos(angle) * x - sin(angle) * y);
    c->x[3 * v + 1] = sin(angle) * x + cos(angle) * y;
    c->x[3 * v + 2] = 0.9 * c->b[3 * v + 2];
  }
  tac_nodal_rotation_update(c->rotation, c->x, c->turn);
  return TAC_OK;
}

/* ---- measuring ---- */

typedef enum Work {
  UPDATE,
  PLAIN_UPDATE,
  POST, /* what posting costs the user's thread */
  SOLVE,
  PLAIN_SOLVE,
  COLUMNS,
  PLAIN_COLUMNS,
  RESPOND,
  ROTATE,
} Work;

/* H A^-1 H^T by as many solutions, as one writes it down. */
static void plain_columns(Case *c) {
  int n = 3 * c->site_count;
  memset(c->full, 0, (size_t)n * c->size * sizeof *c->full);
  for (int j = 0; j < n; ++j) {
    const tacFactorSite *site = &c->sites[j / 3];
    for (int k = 0; k < site->count; ++k)
      c->full[(size_t)j * c->size + (size_t)(3 * site->node[k] + j % 3)] = site->weight[k];
  }
  tac_factor_solve(c->plain, c->full, n, c->full, NULL);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const tacFactorSite *site = &c->sites[i / 3];
      double sum = 0.0;
      for (int k = 0; k < site->count; ++k)
        sum += site->weight[k] * c->full[(size_t)j * c->size + (size_t)(3 * site->node[k] + i % 3)];
      c->c[j * n + i] = sum;
    }
}

static double do_once(Case *c, Work work) {
  if (work == ROTATE) /* a little further each time */
    for (size_t i = 0; i < c->size; ++i) c->x[i] += 1e-5 * (c->x[(i + 7) % c->size] - c->x[i]);
  int64_t begin = tac_clock_thread(); /* not what others had of the core: the work is one thread's */
  switch (work) {
    case UPDATE: tac_live_factor_update(c->live, c->lower.value, 1); break;
    case PLAIN_UPDATE: plain_update(c); break;
    case POST: tac_live_factor_post(c->live, c->lower.value, 1); break;
    case SOLVE: tac_live_factor_solve(c->live, c->turn, c->b, c->full); break;
    case PLAIN_SOLVE: tac_factor_solve(c->plain, c->b, 1, c->full, NULL); break;
    case COLUMNS: tac_live_factor_columns(c->live, c->turn, c->site_count, c->sites, c->c); break;
    case PLAIN_COLUMNS: plain_columns(c); break;
    case RESPOND: tac_live_factor_respond(c->live, c->turn, c->site_count, c->b, c->full); break;
    case ROTATE: tac_nodal_rotation_update(c->rotation, c->x, c->turn); break;
  }
  double seconds = tac_clock_seconds(tac_clock_thread() - begin);
  if (work == POST) tac_live_factor_take(c->live);
  return seconds;
}

/* The two in turns, so that what disturbs one disturbs the other. `plain` is `work` where there is nothing to compare. */
static void report(tacBench *bench, Case *c, const char *name, const char *metric, const char *unit, Work work,
                   Work plain, const char *paper) {
  static double samples[2][SAMPLES];
  double budget = bench->quick ? 0.02 : 1.0, scale = strcmp(unit, "ms") == 0 ? 1e3 : 1e6;
  int count = 0;
  do_once(c, work);
  do_once(c, plain);
  while (count == 0 || (count < SAMPLES && budget > 0.0)) {
    double ours = do_once(c, work), theirs = plain != work ? do_once(c, plain) : 0.0;
    samples[0][count] = scale * ours;
    samples[1][count++] = scale * theirs;
    budget -= ours + theirs;
  }
  tacBenchResult result = tac_bench_result(name, metric, NAN, unit), baseline = result;
  tac_bench_percentiles((size_t)count, samples[0], &result);
  tac_bench_percentiles((size_t)count, samples[1], &baseline);
  if (plain != work) result.baseline = baseline.value;
  result.paper = paper;
  tac_bench_report(bench, &result);
}

tacStatus tac_hyper_factor_bench(tacBench *bench, tacError *error) {
  static const struct {
    int side;
    const char *paper;
  } figure5[] = {{8, "0.03 s"}, {10, "0.11 s"}, {12, "0.41 s"}, {14, "1.23 s"}};
  static const int sites[] = {10, 30, 60};
  tacStatus status = TAC_OK;
  for (int i = 0; i < (bench->quick ? 1 : 4) && status == TAC_OK; ++i) {
    Case c;
    char name[48], metric[32];
    status = open_case(figure5[i].side, &c, error);
    snprintf(name, sizeof name, "cube of %d nodes", c.nodes);
    if (status == TAC_OK) {
      tac_blas_begin(); /* one thread for LAPACK too */
      report(bench, &c, name, "factor", "ms", UPDATE, PLAIN_UPDATE, figure5[i].paper);
      tac_blas_end();
      report(bench, &c, name, "post", "us", POST, POST, NULL);
      report(bench, &c, name, "solve", "us", SOLVE, PLAIN_SOLVE, NULL);
      for (int s = 0; s < 4; ++s) {
        bool spread = s == 3;
        put_sites(&c, sites[spread ? 1 : s], spread);
        snprintf(metric, sizeof metric, "%d sites%s", c.site_count, spread ? ", spread" : "");
        report(bench, &c, name, metric, "us", COLUMNS, PLAIN_COLUMNS, NULL);
      }
      report(bench, &c, name, "respond", "us", RESPOND, RESPOND, NULL);
      report(bench, &c, name, "rotations", "us", ROTATE, ROTATE, NULL);
    }
    close_case(&c);
  }
  return status;
}
