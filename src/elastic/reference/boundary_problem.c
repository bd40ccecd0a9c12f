#include "elastic/reference/boundary_problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/physical_memory.h"
#include "base/progress.h"
#include "elastic/boundary/boundary_elements.h"
#include "elastic/reference/reference_def.h"
#include "math/dense/dense_lu.h"
#include "math/dense/dense_probe.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

void tac_boundary_problem_destroy(tacBoundaryProblem *problem) {
  if (problem == NULL) return;
  free(problem->first_block);
  free(problem->share);
  free(problem->pivot);
  tac_dense_destroy(&problem->factor);
  tac_dense_destroy(&problem->known);
  tac_dense_destroy(&problem->extra_known);
  tac_dense_destroy(&problem->sensor_unknown);
  tac_dense_destroy(&problem->sensor_known);
  tac_column_check_destroy(&problem->column_check);
  free(problem);
}

/* ---- which unknowns there are ---- */

typedef struct {
  tacArrays arrays;
  const tacReferenceDef *def;
  const tacBoundaryElements *elements;
  double scale;    /* Pa, of unknown tractions */
  int *node;       /* [block] -> traction node, -1 for a displacement */
  int extra_count; /* points inside fans */
  tacSurfacePoint *extra;
} Unknowns;

static void free_unknowns(Unknowns *unknowns) {
  tac_arrays_free(&unknowns->arrays);
}

static double triangle_area(const tacTriMesh *mesh, int t) {
  const tacVec3 *p = mesh->vertices;
  const int *v = mesh->triangles[t].v;
  return 0.5 * tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(p[v[1]], p[v[0]]), tac_vec3_sub(p[v[2]], p[v[0]])));
}

/* For each traction node the corner (3 t + c) of the triangle that stands for its fan: the largest of those whose three
 * vertices are fixed, else the largest of all. `held` tells which of the two. */
static void choose_corners(const Unknowns *unknowns, int *corner, bool *held) {
  const tacTriMesh *mesh = unknowns->def->surface;
  const bool *fixed = unknowns->def->fixed;
  for (int i = 0; i < unknowns->elements->traction_count; ++i) corner[i] = -1;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    bool whole = fixed[v[0]] && fixed[v[1]] && fixed[v[2]];
    for (int c = 0; c < 3; ++c) {
      int node = unknowns->elements->traction_of[t][c];
      if (corner[node] < 0 || (whole && !held[node]) ||
          (whole == held[node] && triangle_area(mesh, t) > triangle_area(mesh, corner[node] / 3))) {
        corner[node] = 3 * t + c;
        held[node] = whole;
      }
    }
  }
}

static tacSurfacePoint point_inside(int corner) {
  tacSurfacePoint point = {corner / 3, {0.25, 0.25, 0.25}};
  point.weight[corner % 3] = 0.5;
  return point;
}

static tacStatus list_unknowns(tacBoundaryProblem *problem, const double *area, Unknowns *unknowns, tacError *error) {
  const tacBoundaryElements *elements = unknowns->elements;
  int vertex_count = problem->vertex_count, node_count = elements->traction_count;
  int *corner = tac_arrays_add(&unknowns->arrays, (size_t)node_count, sizeof *corner);
  bool *held = tac_arrays_add(&unknowns->arrays, (size_t)node_count, sizeof *held);
  unknowns->node = tac_arrays_add(&unknowns->arrays, (size_t)node_count, sizeof *unknowns->node);
  unknowns->extra = tac_arrays_add(&unknowns->arrays, (size_t)node_count, sizeof *unknowns->extra);
  TAC_TRY(tac_arrays_status(&unknowns->arrays, "unknowns", error));
  TAC_TRY(TAC_ARRAY(problem->first_block, (size_t)vertex_count + 1, "unknowns", error));
  TAC_TRY(TAC_ARRAY(problem->share, (size_t)node_count, "unknowns", error));
  choose_corners(unknowns, corner, held);
  int block = 0;
  for (int v = 0, node = 0; v < vertex_count; ++v) {
    problem->first_block[v] = block;
    int first = node;
    bool any_held = false;
    for (; node < node_count && elements->vertex_of[node] == v; ++node) any_held = any_held || held[node];
    if (!unknowns->def->fixed[v]) {
      unknowns->node[block] = -1;
      problem->share[block++] = 1.0;
      continue;
    }
    for (int i = first; i < node; ++i) {
      if (any_held && !held[i]) continue;
      if (block > problem->first_block[v]) unknowns->extra[unknowns->extra_count++] = point_inside(corner[i]);
      unknowns->node[block] = i;
      problem->share[block++] = unknowns->scale * elements->area[i] / area[v];
    }
  }
  problem->first_block[vertex_count] = problem->block_count = block;
  return TAC_OK;
}

/* ---- the matrices ---- */

/* The columns of A (9) in rows of H and G: H for free vertices, -scale G for the held fans of fixed ones. */
static void fill_unknown(const tacBoundaryProblem *problem, const Unknowns *unknowns, const tacDense *h,
                         const tacDense *g, tacDense *a) {
  for (int v = 0; v < problem->vertex_count; ++v)
    for (int block = problem->first_block[v]; block < problem->first_block[v + 1]; ++block)
      for (int axis = 0; axis < 3; ++axis) {
        double *column = tac_dense_column(a, 3 * block + axis);
        if (unknowns->node[block] < 0) {
          memcpy(column, tac_dense_column(h, 3 * v + axis), (size_t)h->rows * sizeof *column);
        } else {
          const double *from = tac_dense_column(g, 3 * unknowns->node[block] + axis);
          for (int i = 0; i < g->rows; ++i) column[i] = -unknowns->scale * from[i];
        }
      }
}

/* Those of Abar (10) in place of H: H for fixed vertices, -G summed over all fans for free ones. */
static void make_known(const tacBoundaryProblem *problem, const Unknowns *unknowns, tacDense *h, const tacDense *g) {
  const int *vertex_of = unknowns->elements->vertex_of;
  for (int v = 0; v < problem->vertex_count; ++v)
    for (int axis = 0; axis < 3 && !unknowns->def->fixed[v]; ++axis)
      memset(tac_dense_column(h, 3 * v + axis), 0, (size_t)h->rows * sizeof(double));
  for (int node = 0; node < unknowns->elements->traction_count; ++node)
    for (int axis = 0; axis < 3 && !unknowns->def->fixed[vertex_of[node]]; ++axis) {
      double *column = tac_dense_column(h, 3 * vertex_of[node] + axis);
      const double *from = tac_dense_column(g, 3 * node + axis);
      for (int i = 0; i < g->rows; ++i) column[i] -= from[i];
    }
}

static tacDense rows_below(const tacDense *matrix, int first) {
  return (tacDense){matrix->rows - first, matrix->cols, matrix->stride, matrix->a + first};
}

static tacStatus add_extra_rows(tacBoundaryProblem *problem, const tacBoundaryDef *def, const Unknowns *unknowns,
                                tacError *error) {
  TAC_FREED(tac_dense_destroy, tacDense, g) = {0};
  TAC_TRY(tac_boundary_elements_rows(unknowns->def->surface, def, unknowns->elements, unknowns->extra_count,
                                     unknowns->extra, &problem->extra_known, &g, error));
  tacDense below = rows_below(&problem->factor, 3 * problem->vertex_count);
  fill_unknown(problem, unknowns, &problem->extra_known, &g, &below);
  make_known(problem, unknowns, &problem->extra_known, &g);
  return TAC_OK;
}

static void copy_rows(const tacDense *from, int first, tacDense *to) {
  for (int j = 0; j < from->cols; ++j)
    memcpy(tac_dense_column(to, j) + first, tac_dense_column(from, j), (size_t)from->rows * sizeof(double));
}

static tacStatus add_sensors(tacBoundaryProblem *problem, const tacBoundaryDef *def, const Unknowns *unknowns,
                             tacError *error) {
  const tacReferenceDef *reference = unknowns->def;
  for (int i = 0; i < reference->sensor_count; ++i)
    problem->sensor_rows += tac_reference_def_sensor_rows(reference->sensors[i].kind);
  TAC_TRY(tac_dense_create(problem->sensor_rows, 3 * problem->block_count, &problem->sensor_unknown, error));
  TAC_TRY(tac_dense_create(problem->sensor_rows, 3 * problem->vertex_count, &problem->sensor_known, error));
  for (int i = 0, row = 0; i < reference->sensor_count; ++i) {
    const tacSensor *sensor = &reference->sensors[i];
    TAC_FREED(tac_dense_destroy, tacDense, h) = {0};
    TAC_FREED(tac_dense_destroy, tacDense, g) = {0};
    tacStatus status = tac_boundary_elements_inner(
        reference->surface, def, unknowns->elements, 1, &sensor->point,
        sensor->kind == TAC_SENSOR_STRESS ? TAC_INNER_STRESS : TAC_INNER_DISPLACEMENT, &h, &g, error);
    if (status != TAC_OK) return tac_reference_def_sensor_error(sensor, status, error);
    tacDense below = rows_below(&problem->sensor_unknown, row);
    fill_unknown(problem, unknowns, &h, &g, &below);
    make_known(problem, unknowns, &h, &g);
    copy_rows(&h, row, &problem->sensor_known);
    row += h.rows;
  }
  return TAC_OK;
}

/* A (which tac_dense_lu then factors), Abar and the sensors' rows. Takes H over from `elements`, so that at most three
 * matrices exist at a time. */
static tacStatus fill_matrices(tacBoundaryProblem *problem, const tacBoundaryDef *def, tacBoundaryElements *elements,
                               const Unknowns *unknowns, tacError *error) {
  int size = 3 * problem->block_count;
  size_t most = tac_physical_memory() / 10 * 9 / sizeof(double);
  size_t present =
      9 * (size_t)problem->vertex_count * ((size_t)problem->vertex_count + (size_t)elements->traction_count);
  if ((size_t)size * (size_t)size + present > most)
    return tac_error_set(error, TAC_ERR_MEMORY,
                         "boundary elements for %d vertices need %.1f GiB; use a coarser surface or finite elements",
                         problem->vertex_count, 8.0 * ((double)size * size + (double)present) / (1 << 30));
  TAC_TRY(tac_dense_create(size, size, &problem->factor, error));
  TAC_TRY(add_sensors(problem, def, unknowns, error));
  TAC_TRY(add_extra_rows(problem, def, unknowns, error));
  fill_unknown(problem, unknowns, &elements->h, &elements->g, &problem->factor);
  make_known(problem, unknowns, &elements->h, &elements->g);
  problem->known = elements->h;
  elements->h = (tacDense){0};
  return TAC_OK;
}

/* ---- checks ---- */

enum { FEWEST_ROWS = 2, MOST_ROWS = 8, VERTICES_A_ROW = 50 }; /* vertices whose equations are made again: some 2 % */
#define ROWS_ALLOWED 1e-9    /* what the integrals are good for; the same integrals, so that rounding is all there is */
#define FACTORS_ALLOWED 1e-9 /* backward error: a few n epsilon times the growth of the pivots, n below 3e4 */

/* Equations of a few vertices against their rows of A and Abar, over the norm of the row. */
static tacStatus check_rows(tacBoundaryProblem *problem, const tacBoundaryDef *def, const Unknowns *unknowns,
                            tacError *error) {
  int count = problem->vertex_count / VERTICES_A_ROW, vertices[MOST_ROWS], size = 3 * problem->block_count;
  count = count < FEWEST_ROWS ? FEWEST_ROWS : count > MOST_ROWS ? MOST_ROWS : count;
  tacRandom random = tac_random_seed(3);
  for (int i = 0; i < count; ++i) vertices[i] = (int)(tac_random_bits(&random) % (uint64_t)problem->vertex_count);
  TAC_FREED(tac_dense_destroy, tacDense, known) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, unknown) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, g) = {0};
  tacWorst worst = {0};
  TAC_TRY(
      tac_boundary_elements_again(unknowns->def->surface, def, unknowns->elements, count, vertices, &known, &g, error));
  TAC_TRY(tac_dense_create(3 * count, size, &unknown, error));
  fill_unknown(problem, unknowns, &known, &g, &unknown);
  make_known(problem, unknowns, &known, &g);
  for (int i = 0; i < 3 * count; ++i) {
    int row = 3 * vertices[i / 3] + i % 3;
    double error2[2] = {0.0, 0.0}, norm2[2] = {0.0, 0.0};
    for (int side = 0; side < 2; ++side) { /* known, unknown: their columns have different units */
      const tacDense *again = side == 0 ? &known : &unknown, *made = side == 0 ? &problem->known : &problem->factor;
      for (int j = 0; j < again->cols; ++j) {
        double here = tac_dense_column(again, j)[i], there = tac_dense_column(made, j)[row];
        error2[side] += (here - there) * (here - there);
        norm2[side] += here * here;
      }
      tac_worst_add(&worst, error2[side] == 0.0 ? 0.0 : sqrt(error2[side] / norm2[side]), row);
    }
  }
  return tac_bake_checks_add(&problem->checks, "equations of boundary elements with their integrals made again", &worst,
                             ROWS_ALLOWED, "row", error);
}

/* The weights of the rows: in the units of x, where every unknown is a length. */
static void scale_weights(const tacBoundaryProblem *problem, double *weight) {
  for (int v = 0; v < problem->vertex_count; ++v) {
    double share = 0.0;
    for (int b = problem->first_block[v]; b < problem->first_block[v + 1]; ++b) share += fabs(problem->share[b]);
    for (int axis = 0; axis < 3; ++axis) weight[3 * v + axis] /= share;
  }
  for (int row = 0; row < problem->sensor_rows; ++row) {
    double largest = 0.0;
    for (int j = 0; j < problem->sensor_unknown.cols; ++j)
      largest = fmax(largest, fabs(tac_dense_column(&problem->sensor_unknown, j)[row]));
    weight[3 * problem->vertex_count + row] *= largest > 0.0 ? 1.0 / largest : 0.0;
  }
}

/* What a functional is of every column: with x = -A^-1 b, rows S x at the vertices and -A_s x - b_s at the sensors,
 * g^T Xi_j = -zeta^T b_j - g_s^T b_sj, where A^T zeta = S^T g - A_s^T g_s. `zeta` has a number for each unknown. */
static void expect_columns(const tacBoundaryProblem *problem, const double *weight, double *zeta, double *expected) {
  int top = 3 * problem->vertex_count;
  for (int v = 0; v < problem->vertex_count; ++v)
    for (int b = problem->first_block[v]; b < problem->first_block[v + 1]; ++b)
      for (int axis = 0; axis < 3; ++axis) zeta[3 * b + axis] = problem->share[b] * weight[3 * v + axis];
  for (int j = 0; j < problem->sensor_unknown.cols; ++j)
    for (int row = 0; row < problem->sensor_rows; ++row)
      zeta[j] -= weight[top + row] * tac_dense_column(&problem->sensor_unknown, j)[row];
  tac_dense_probe_solve_transposed(&problem->factor, problem->pivot, zeta);
  for (int j = 0; j < top; ++j) {
    double sum = 0.0;
    const double *known = tac_dense_column(&problem->known, j), *extra = tac_dense_column(&problem->extra_known, j);
    const double *sensor = tac_dense_column(&problem->sensor_known, j);
    for (int i = 0; i < top; ++i) sum -= zeta[i] * known[i];
    for (int i = 0; i < problem->extra_known.rows; ++i) sum -= zeta[top + i] * extra[i];
    for (int i = 0; i < problem->sensor_rows; ++i) sum -= weight[top + i] * sensor[i];
    expected[j] = sum;
  }
}

/* Rounding changes A by some epsilon |A|, and g^T Xi_j by epsilon |zeta| |A| |x_j|; |U| stands in for |A|. */
static tacStatus prepare_column_check(tacBoundaryProblem *problem, tacError *error) {
  tacColumnCheck *check = &problem->column_check;
  int size = 3 * problem->block_count, rows = 3 * problem->vertex_count + problem->sensor_rows;
  double noise = 0.0, norm2 = 0.0;
  TAC_MEMORY(double, zeta) = NULL;
  TAC_TRY(TAC_ARRAY(zeta, (size_t)size, "a check", error));
  TAC_TRY(tac_column_check_create(rows, 3 * problem->vertex_count, check, error));
  for (int j = 0; j < size; ++j)
    for (int i = 0; i <= j; ++i)
      norm2 += tac_dense_column(&problem->factor, j)[i] * tac_dense_column(&problem->factor, j)[i];
  for (int f = 0; f < TAC_COLUMN_FUNCTIONALS; ++f) {
    double *weight = check->weight + (size_t)f * (size_t)rows, zeta2 = 0.0;
    scale_weights(problem, weight);
    expect_columns(problem, weight, zeta, check->expected + (size_t)f * (size_t)check->column_count);
    for (int i = 0; i < size; ++i) zeta2 += zeta[i] * zeta[i];
    noise = fmax(noise, DBL_EPSILON * sqrt(zeta2 * norm2));
  }
  check->allowed = tac_column_check_allow(noise);
  return TAC_OK;
}

static tacStatus factor(tacBoundaryProblem *problem, const tacProgress *progress, tacError *error) {
  double rcond;
  TAC_FREED(tac_dense_probe_destroy, tacDenseProbe, probe) = {0};
  tacWorst worst = {0};
  TAC_TRY(TAC_ARRAY(problem->pivot, 3 * (size_t)problem->block_count, "pivots", error));
  TAC_TRY(tac_dense_probe_create(&problem->factor, &probe, error));
  tacStatus status = tac_dense_lu(&problem->factor, problem->pivot, &rcond, problem->thread_count, progress, error);
  if (status == TAC_OK) tac_dense_probe_compare(&probe, &problem->factor, problem->pivot, &worst);
  if (status == TAC_ERR_SINGULAR || (status == TAC_OK && !(rcond > 1e-12)))
    return tac_error_set(
        error, TAC_ERR_SINGULAR,
        "the equations of the boundary elements are singular: each part of the surface needs three fixed vertices "
        "and must not touch itself");
  if (status != TAC_OK) return status;
  TAC_TRY(tac_bake_checks_add(&problem->checks, "LU factors with the matrix that was factored", &worst, FACTORS_ALLOWED,
                              "column", error));
  return prepare_column_check(problem, error);
}

tacStatus tac_boundary_problem_create(const tacReferenceDef *def, const double *area, const tacProgress *progress,
                                      tacBoundaryProblem **result, tacError *error) {
  *result = NULL;
  tacBoundaryDef boundary = tac_boundary_def_default();
  boundary.young = def->materials[0].young;
  boundary.poisson = def->materials[0].poisson;
  boundary.thread_count = def->thread_count;
  const tacProgressPart parts[2] = {{progress, 0.0, 0.5, NULL}, {progress, 0.5, 1.0, NULL}};
  const tacProgress stages[2] = {tac_progress_part(&parts[0]), tac_progress_part(&parts[1])};
  TAC_OWN(tacBoundaryProblem, problem) = tac_array_create(1, sizeof *problem, "a boundary problem", error);
  if (problem == NULL) return TAC_ERR_MEMORY;
  problem->vertex_count = def->surface->vertex_count;
  problem->thread_count = def->thread_count;
  double total = 0.0;
  for (int v = 0; v < problem->vertex_count; ++v) total += area[v];
  { /* elements and unknowns end before the factorisation */
    TAC_OWN(tacBoundaryElements, elements) = NULL;
    TAC_TRY(tac_boundary_elements_create(def->surface, &boundary, tac_physical_memory() / 3 * 2, &stages[0], &elements,
                                         error));
    TAC_FREED(free_unknowns, Unknowns, unknowns) = {
        .def = def, .elements = elements, .scale = boundary.young / sqrt(total / problem->vertex_count)};
    TAC_TRY(list_unknowns(problem, area, &unknowns, error));
    TAC_TRY(fill_matrices(problem, &boundary, elements, &unknowns, error));
    TAC_TRY(check_rows(problem, &boundary, &unknowns, error));
  }
  TAC_TRY(factor(problem, &stages[1], error));
  *result = tac_give(&problem);
  return TAC_OK;
}

/* ---- columns ---- */

tacStatus tac_boundary_problem_columns(const tacBoundaryProblem *problem, int count, const int *vertices,
                                       const tacProgress *progress, double *columns, tacError *error) {
  int top = 3 * problem->vertex_count, rows = top + problem->sensor_rows;
  tacDense sensed = {problem->sensor_rows, 3 * count, rows, columns + top};
  TAC_FREED(tac_dense_destroy, tacDense, x) = {0};
  TAC_TRY(tac_dense_create(3 * problem->block_count, 3 * count, &x, error));
  for (int i = 0; i < 3 * count; ++i) {
    int column = 3 * vertices[i / 3] + i % 3;
    double *b = tac_dense_column(&x, i), *sensor = tac_dense_column(&sensed, i);
    const double *known = tac_dense_column(&problem->known, column);
    const double *extra = tac_dense_column(&problem->extra_known, column);
    const double *sensor_known = tac_dense_column(&problem->sensor_known, column);
    for (int k = 0; k < top; ++k) b[k] = -known[k];
    for (int k = 0; k < problem->extra_known.rows; ++k) b[top + k] = -extra[k];
    for (int k = 0; k < problem->sensor_rows; ++k) sensor[k] = -sensor_known[k];
  }
  TAC_TRY(tac_dense_lu_solve(&problem->factor, problem->pivot, &x, problem->thread_count, progress, error));
  if (problem->sensor_rows > 0 && count > 0)
    tac_dense_gemm(-1.0, &problem->sensor_unknown, false, &x, false, 1.0, &sensed);
  for (int i = 0; i < 3 * count; ++i) {
    const double *from = tac_dense_column(&x, i);
    double *to = columns + (size_t)i * (size_t)rows;
    memset(to, 0, (size_t)top * sizeof *to);
    for (int v = 0; v < problem->vertex_count; ++v)
      for (int block = problem->first_block[v]; block < problem->first_block[v + 1]; ++block)
        for (int axis = 0; axis < 3; ++axis) to[3 * v + axis] += problem->share[block] * from[3 * block + axis];
  }
  return TAC_OK;
}

/* ---- files ---- */

static void put_matrix(tacChunkTransfer *to, const char *name, const tacDense *matrix) {
  tac_chunk_transfer_put_long(to, name, (uint64_t)matrix->rows * (uint64_t)matrix->cols, matrix->a);
}

static tacDense take_matrix(tacChunkTransfer *from, const char *name, int rows, int cols) {
  double *items = tac_chunk_transfer_take_long(from, name, (uint64_t)rows * (uint64_t)cols);
  return (tacDense){rows, cols, rows > 0 ? rows : 1, items};
}

void tac_boundary_problem_put(const tacBoundaryProblem *problem, tacChunkTransfer *to) {
  const int32_t counts[3] = {problem->block_count, problem->sensor_rows, problem->extra_known.rows};
  uint64_t vertices = (uint64_t)problem->vertex_count, blocks = (uint64_t)problem->block_count;
  tac_chunk_transfer_put(to, "boundary counts", TAC_CHUNK_I32, 3, counts);
  tac_chunk_transfer_put(to, "first block", TAC_CHUNK_I32, vertices + 1, problem->first_block);
  tac_chunk_transfer_put(to, "share", TAC_CHUNK_F64, blocks, problem->share);
  tac_chunk_transfer_put(to, "pivot", TAC_CHUNK_I32, 3 * blocks, problem->pivot);
  put_matrix(to, "factor", &problem->factor);
  put_matrix(to, "known", &problem->known);
  put_matrix(to, "extra known", &problem->extra_known);
  put_matrix(to, "sensor unknown", &problem->sensor_unknown);
  put_matrix(to, "sensor known", &problem->sensor_known);
}

/* Whether every index is one. */
static bool is_consistent(const tacBoundaryProblem *problem) {
  int size = 3 * problem->block_count;
  if (problem->first_block[0] != 0 || problem->first_block[problem->vertex_count] != problem->block_count) return false;
  for (int v = 0; v < problem->vertex_count; ++v)
    if (problem->first_block[v + 1] <= problem->first_block[v]) return false;
  for (int b = 0; b < problem->block_count; ++b)
    if (!isfinite(problem->share[b])) return false;
  for (int i = 0; i < size; ++i)
    if (problem->pivot[i] < i || problem->pivot[i] >= size) return false;
  for (int i = 0; i < size; ++i)
    if (tac_dense_column(&problem->factor, i)[i] == 0.0) return false;
  return true;
}

tacBoundaryProblem *tac_boundary_problem_take(tacChunkTransfer *from, int vertex_count) {
  int three = 3, vertices = vertex_count + 1;
  TAC_MEMORY(int32_t, n) = tac_chunk_transfer_take(from, "boundary counts", TAC_CHUNK_I32, 1, &three);
  if (from->status == TAC_OK &&
      (n[0] < vertex_count || n[0] > INT32_MAX / 3 || n[1] < 0 || n[2] != 3 * (n[0] - vertex_count)))
    from->status = tac_error_set(from->error, TAC_ERR_FORMAT,
                                 "%s: the numbers of unknowns (%d) and equations (%d) differ", from->path, n[0], n[2]);
  TAC_OWN(tacBoundaryProblem, problem) = tac_array_create(1, sizeof *problem, "a boundary problem", from->error);
  if (problem == NULL) from->status = TAC_ERR_MEMORY;
  if (from->status == TAC_OK) {
    int top = 3 * vertex_count, size = 3 * n[0], blocks = n[0], pivots = size;
    problem->vertex_count = vertex_count;
    problem->block_count = n[0];
    problem->sensor_rows = n[1];
    problem->first_block = tac_chunk_transfer_take(from, "first block", TAC_CHUNK_I32, 1, &vertices);
    problem->share = tac_chunk_transfer_take(from, "share", TAC_CHUNK_F64, 1, &blocks);
    problem->pivot = tac_chunk_transfer_take(from, "pivot", TAC_CHUNK_I32, 1, &pivots);
    problem->factor = take_matrix(from, "factor", size, size);
    problem->known = take_matrix(from, "known", top, top);
    problem->extra_known = take_matrix(from, "extra known", n[2], top);
    problem->sensor_unknown = take_matrix(from, "sensor unknown", n[1], size);
    problem->sensor_known = take_matrix(from, "sensor known", n[1], top);
  }
  if (from->status == TAC_OK && !is_consistent(problem))
    from->status =
        tac_error_set(from->error, TAC_ERR_FORMAT, "%s: indices of unknowns or pivots are out of range", from->path);
  if (from->status == TAC_OK) from->status = prepare_column_check(problem, from->error);
  return from->status == TAC_OK ? tac_give(&problem) : NULL;
}
