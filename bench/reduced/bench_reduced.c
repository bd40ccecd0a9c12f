/* Reduced bodies: Figures 2.8, 2.9 and 2.15 of Barbic 2007 beside ours. His times are of a Pentium at 3.0 GHz of 2004.
 * */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/meshing.h>
#include <tactus/reduced.h>
#include "base/memory/array.h"
#include "bench/report/bench.h"
#include "kinds/reduced/basis/modal_derivatives.h"
#include "kinds/reduced/polynomial_bake.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_body.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"
#include "math/random.h"

enum { SAMPLES = 2000, LARGEST = 60, QUICK_LARGEST = 15, HEART_VERTICES = 12186 };

/* ---- the polynomials as one writes them down: two tables, one product with each (section 2.6.4) ---- */

/* A column for each monomial, rows one after the other. */
typedef struct Tables {
  int r, force_columns, stiffness_columns;
  double *force;     /* r rows: monomials of degree 1, 2, 3 */
  double *stiffness; /* r (r + 1) / 2 rows: of degree 0, 1, 2 */
  double *monomials; /* degree 0, 1, 2, 3 */
  double *force_value, *stiffness_value;
} Tables;

static int column_of(int r, int degree, const int *i) { /* ascending, of all monomials up to degree 3 */
  int pairs = r * (r + 1) / 2;
  switch (degree) {
    case 0: return 0;
    case 1: return 1 + i[0];
    case 2: return 1 + r + pairs - (r - i[0]) * (r - i[0] + 1) / 2 + i[1] - i[0];
    default: {
      int n = r - i[0], m = r - i[1];
      return 1 + r + pairs + r * (r + 1) * (r + 2) / 6 - n * (n + 1) * (n + 2) / 6 + n * (n + 1) / 2 - m * (m + 1) / 2 +
             i[2] - i[1];
    }
  }
}

/* c times a monomial: its first and second derivatives, without the factors by which they are. */
static void add_to_tables(Tables *t, int degree, const int *index, double c) {
  int r = t->r;
  for (int a = 0; a < degree; ++a) {
    int rest[3] = {0}, count = 0;
    for (int d = 0; d < degree; ++d)
      if (d != a) rest[count++] = index[d];
    t->force[(size_t)index[a] * (size_t)t->force_columns + (size_t)column_of(r, count, rest) - 1] += c;
    for (int b = a + 1; b < degree; ++b) {
      int fewer[2] = {0}, left = 0, row = column_of(r, 2, (int[]){index[a], index[b]}) - 1 - r;
      for (int d = 0; d < degree; ++d)
        if (d != a && d != b) fewer[left++] = index[d];
      t->stiffness[(size_t)row * (size_t)t->stiffness_columns + (size_t)column_of(r, left, fewer)] +=
          index[a] == index[b] ? 2.0 * c : c;
    }
  }
}

static void tables_free(Tables *t) {
  free(t->force);
  free(t->stiffness);
  free(t->monomials);
  free(t->force_value);
  free(t->stiffness_value);
  *t = (Tables){0};
}

static tacStatus tables_make(int r, const double *coefficients, Tables *t, tacError *error) {
  int pairs = r * (r + 1) / 2, triples = r * (r + 1) * (r + 2) / 6;
  *t = (Tables){.r = r, .force_columns = r + pairs + triples, .stiffness_columns = 1 + r + pairs};
  t->force = tac_array_create((size_t)r * (size_t)t->force_columns, sizeof(double), "a table", error);
  t->stiffness = tac_array_create((size_t)pairs * (size_t)t->stiffness_columns, sizeof(double), "a table", error);
  t->monomials = tac_array_create((size_t)(1 + r + pairs + triples), sizeof(double), "monomials", error);
  t->force_value = tac_array_create((size_t)r, sizeof(double), "forces", error);
  t->stiffness_value = tac_array_create((size_t)pairs, sizeof(double), "a stiffness", error);
  if (t->force == NULL || t->stiffness == NULL || t->monomials == NULL || t->force_value == NULL ||
      t->stiffness_value == NULL) {
    tables_free(t);
    return TAC_ERR_MEMORY;
  }
  for (int i = 0; i < r; ++i)
    for (int j = i; j < r; ++j) {
      add_to_tables(t, 2, (int[]){i, j}, coefficients[tac_reduced_polynomial_place(r, 2, (int[]){i, j})]);
      for (int k = j; k < r; ++k) {
        add_to_tables(t, 3, (int[]){i, j, k}, coefficients[tac_reduced_polynomial_place(r, 3, (int[]){i, j, k})]);
        for (int l = k; l < r; ++l) {
          int four[] = {i, j, k, l};
          add_to_tables(t, 4, four, coefficients[tac_reduced_polynomial_place(r, 4, four)]);
        }
      }
    }
  return TAC_OK;
}

static void tables_monomials(Tables *t, const double *q, int degree) {
  double *to = t->monomials;
  *to++ = 1.0;
  for (int i = 0; i < t->r; ++i) *to++ = q[i];
  for (int i = 0; i < t->r; ++i)
    for (int j = i; j < t->r; ++j) *to++ = q[i] * q[j];
  for (int i = 0; i < t->r && degree > 2; ++i)
    for (int j = i; j < t->r; ++j) {
      double product = q[i] * q[j];
      for (int k = j; k < t->r; ++k) *to++ = product * q[k];
    }
}

static void tables_evaluate(Tables *t, const double *q, bool force, bool stiffness) {
  tables_monomials(t, q, force ? 3 : 2);
  if (force)
    cblas_dgemv(CblasColMajor, CblasTrans, t->force_columns, t->r, 1.0, t->force, t->force_columns, t->monomials + 1, 1,
                0.0, t->force_value, 1);
  if (stiffness)
    cblas_dgemv(CblasColMajor, CblasTrans, t->stiffness_columns, t->r * (t->r + 1) / 2, 1.0, t->stiffness,
                t->stiffness_columns, t->monomials, 1, 0.0, t->stiffness_value, 1);
}

/* ---- one size ---- */

typedef enum {
  FORCE,
  STIFFNESS,
  BOTH,
  SOLVE,
  STEP,
  PLAIN_FORCE,
  PLAIN_STIFFNESS,
  PLAIN_BOTH,
  PLAIN_SOLVE,
  PLAIN_STEP
} Work;

typedef struct Case {
  int r;
  double *coefficients, *q, *scratch, *force;
  tacDense stiffness, matrix, factor;
  double *right;
  tacReducedBody *body;
  Tables tables;
  int steps; /* of the body, taken */
} Case;

/* As a step of 1 ms would solve: 4 M / h^2 + K, M = 1. */
static void assemble(Case *c) {
  for (int j = 0; j < c->r; ++j) {
    double *to = tac_dense_column(&c->matrix, j);
    const double *from = tac_dense_column(&c->stiffness, j);
    for (int i = 0; i < c->r; ++i) to[i] = from[i] + (i == j ? 4e6 : 0.0);
  }
}

/* The same from the table, and LAPACK's solution. */
static void plain_solve(Case *c, bool assembled) {
  for (int j = 0, row = 0; j < c->r && !assembled; ++j)
    for (int i = j; i < c->r; ++i, ++row)
      tac_dense_column(&c->factor, j)[i] = c->tables.stiffness_value[row] + (i == j ? 4e6 : 0.0);
  tacDense right = {c->r, 1, c->r, c->right};
  tac_dense_cholesky(&c->factor, NULL);
  tac_dense_cholesky_solve(&c->factor, &right);
}

static double do_once(Case *c, Work work) {
  size_t bytes = (size_t)c->r * (size_t)c->r * sizeof(double);
  if (work == SOLVE || work == PLAIN_SOLVE) memcpy(c->factor.a, c->matrix.a, bytes);
  for (int i = 0; i < c->r; ++i) c->right[i] = 1.0 + i;
  /* Pushed to and fro, so that it moves. */
  if (work == STEP) {
    for (int i = 0; i < c->r; ++i) c->force[i] = (c->steps / 50 % 2 == 0 ? 1.0 : -1.0) / (1.0 + i);
    tac_reduced_body_add_reduced(c->body, c->force);
    ++c->steps;
  }
  double start = tac_bench_now();
  switch (work) {
    case FORCE: tac_reduced_polynomial_evaluate(c->r, c->coefficients, c->q, c->scratch, c->force, NULL); break;
    case STIFFNESS:
      tac_reduced_polynomial_evaluate(c->r, c->coefficients, c->q, c->scratch, NULL, c->stiffness.a);
      break;
    case BOTH:
      tac_reduced_polynomial_evaluate(c->r, c->coefficients, c->q, c->scratch, c->force, c->stiffness.a);
      break;
    case SOLVE:
      tac_dense_loop_cholesky(&c->factor);
      tac_dense_loop_cholesky_solve(&c->factor, c->right);
      break;
    case STEP: tac_reduced_body_advance(c->body); break;
    case PLAIN_FORCE: tables_evaluate(&c->tables, c->q, true, false); break;
    case PLAIN_STIFFNESS: tables_evaluate(&c->tables, c->q, false, true); break;
    case PLAIN_BOTH: tables_evaluate(&c->tables, c->q, true, true); break;
    case PLAIN_SOLVE: plain_solve(c, true); break;
    case PLAIN_STEP:
      tables_evaluate(&c->tables, c->q, true, true);
      plain_solve(c, false);
      break;
  }
  return 1e6 * (tac_bench_now() - start);
}

static void measure(tacBench *bench, Case *c, Work work, tacBenchResult *result) {
  static double samples[SAMPLES];
  double budget = 1e6 * (bench->quick ? 0.003 : 1.0); /* microseconds */
  int count = 0;
  for (int i = 0; i < 3; ++i) do_once(c, work);
  for (; count == 0 || (count < SAMPLES && budget > 0.0); ++count) budget -= samples[count] = do_once(c, work);
  tac_bench_percentiles((size_t)count, samples, result);
}

static void report(tacBench *bench, Case *c, Work work, const char *metric, Work plain, const char *paper) {
  char name[32];
  snprintf(name, sizeof name, "r = %d", c->r);
  tacBenchResult result = tac_bench_result(name, metric, NAN, "us"), baseline = result;
  measure(bench, c, work, &result);
  measure(bench, c, plain, &baseline);
  result.baseline = baseline.value;
  result.paper = paper;
  tac_bench_report(bench, &result);
}

static void case_free(Case *c) {
  tac_reduced_body_destroy(c->body);
  tac_dense_destroy(&c->stiffness);
  tac_dense_destroy(&c->matrix);
  tac_dense_destroy(&c->factor);
  tables_free(&c->tables);
  free(c->coefficients);
  free(c->q);
  free(c->scratch);
  free(c->force);
  free(c->right);
}

/* The first r coordinates of a body. */
static tacStatus case_make(const tacReduced *reduced, int r, Case *c, tacError *error) {
  const tacReducedParts *parts = tac_reduced_parts(reduced);
  int kept[LARGEST];
  bool keeps[LARGEST] = {false};
  size_t count = tac_reduced_polynomial_count(r), numbers = (size_t)r;
  *c = (Case){.r = r};
  double *part = tac_array_create(count, sizeof *part, "coefficients", error);
  size_t bytes = (count * sizeof(double) + 63) / 64 * 64; /* from a cache line on, as bodies keep them */
  c->coefficients = aligned_alloc(64, bytes);
  if (c->coefficients != NULL) memset(c->coefficients, 0, bytes);
  c->q = tac_array_create(numbers, sizeof(double), "coordinates", error);
  c->force = tac_array_create((size_t)parts->size, sizeof(double), "forces", error);
  c->right = tac_array_create(numbers, sizeof(double), "forces", error);
  c->scratch = tac_array_create(tac_reduced_polynomial_scratch(r), sizeof(double), "workspace", error);
  tacStatus status = part == NULL || c->coefficients == NULL || c->q == NULL || c->force == NULL || c->right == NULL ||
                             c->scratch == NULL
                         ? TAC_ERR_MEMORY
                         : TAC_OK;
  for (int i = 0; i < r; ++i) {
    kept[i] = i;
    keeps[i] = true;
  }
  for (int p = 0; p < parts->part_count && status == TAC_OK; ++p) {
    tac_reduced_polynomial_restrict(parts->size, parts->parts[p].coefficients, r, kept, part);
    for (size_t i = 0; i < count; ++i) c->coefficients[i] += parts->parts[p].weight * part[i];
  }
  free(part);
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < r && status == TAC_OK; ++i) c->q[i] = tac_random_uniform(&random, -1e-3, 1e-3);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = 1e-3;
  motion.stiffness_damping = 1e-3;
  if (status == TAC_OK) status = tac_dense_create(r, r, &c->stiffness, error);
  if (status == TAC_OK) status = tac_dense_create(r, r, &c->matrix, error);
  if (status == TAC_OK) status = tac_dense_create(r, r, &c->factor, error);
  if (status == TAC_OK) status = tables_make(r, c->coefficients, &c->tables, error);
  if (status == TAC_OK) status = tac_reduced_body_create(reduced, keeps, &motion, &c->body, error);
  if (status == TAC_OK) {
    tac_reduced_polynomial_evaluate(r, c->coefficients, c->q, c->scratch, c->force, c->stiffness.a);
    assemble(c);
  }
  return status;
}

/* A beam of bricks, held at one end, with as many coordinates as the largest case needs. */
static tacStatus make_beam(int r, tacReduced **reduced, tacError *error) {
  tacTriMesh *outline = NULL;
  tacVolMesh *mesh = NULL;
  bool *held = NULL;
  tacMaterial material;
  tacVoxeliseDef voxels = tac_voxelise_def_default();
  voxels.resolution = 20;
  voxels.rule = TAC_VOXELS_CENTRE;
  tacStatus status = tac_shape_build("beam", 0.0, NULL, &outline, error);
  if (status == TAC_OK) status = tac_voxelise(outline, &voxels, NULL, &mesh, error);
  if (status == TAC_OK) status = tac_material_isotropic(1000.0, 1e5, 0.4, &material, error);
  if (status == TAC_OK) {
    held = tac_array_create((size_t)mesh->vertex_count, sizeof *held, "held vertices", error);
    if (held == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    double lowest = tac_volmesh_box(mesh).lower.x;
    for (int v = 0; v < mesh->vertex_count; ++v) held[v] = mesh->vertices[v].x <= lowest;
    tacReducedDef def = tac_reduced_def_default();
    def.error_estimate_loads = 0; /* not of interest here */
    def.volume = mesh;
    def.material_count = 1;
    def.materials = &material;
    def.fixed = held;
    def.mode_count = r > QUICK_LARGEST ? 12 : 5;
    def.size = r;
    def.strain_rate = true;
    status = tac_reduced_bake(&def, NULL, reduced, error);
  }
  free(held);
  tac_trimesh_destroy(outline);
  tac_volmesh_destroy(mesh);
  return status;
}

/* Figure 2.9. */
static tacStatus bench_steps(tacBench *bench, tacError *error) {
  static const struct {
    int r;
    const char *force, *stiffness, *solve, *step;
  } table[] = {{12, "8.2 us", "9.5 us", "12.5 us", "30.2 us"},
               {15, "22 us", "25 us", "18.4 us", "65.4 us"},
               {20, NULL, NULL, NULL, NULL},
               {30, "550 us", "770 us", "75 us", "1395 us"},
               {40, NULL, NULL, NULL, NULL},
               {LARGEST, NULL, NULL, NULL, NULL}};
  tacReduced *reduced = NULL;
  tacStatus status = make_beam(bench->quick ? QUICK_LARGEST : LARGEST, &reduced, error);
  for (int i = 0; i < (bench->quick ? 2 : 6) && status == TAC_OK; ++i) {
    Case c;
    status = case_make(reduced, table[i].r, &c, error);
    if (status == TAC_OK) {
      report(bench, &c, FORCE, "force", PLAIN_FORCE, table[i].force);
      report(bench, &c, STIFFNESS, "stiffness", PLAIN_STIFFNESS, table[i].stiffness);
      report(bench, &c, BOTH, "force and stiffness", PLAIN_BOTH, NULL);
      report(bench, &c, SOLVE, "solve", PLAIN_SOLVE, table[i].solve);
      report(bench, &c, STEP, "Newmark step", PLAIN_STEP, table[i].step);
      tacReducedMotion motion = *tac_reduced_body_motion(c.body);
      motion.strain_rate = 1e-3;
      tac_reduced_body_set_motion(c.body, &motion);
      report(bench, &c, STEP, "step, strain rates damped", PLAIN_STEP, NULL);
    }
    case_free(&c);
  }
  tac_reduced_destroy(reduced);
  return status;
}

/* ---- u = U q ---- */

static tacStatus bench_surface(tacBench *bench, int vertices, int r, const char *paper, tacError *error) {
  static double samples[SAMPLES];
  int rows = 3 * vertices, count = bench->quick ? 5 : SAMPLES;
  double *u = tac_array_create((size_t)rows * (size_t)r, sizeof *u, "a basis", error);
  double *x = tac_array_create((size_t)rows, sizeof *x, "displacements", error), q[LARGEST];
  if (u == NULL || x == NULL) {
    free(u);
    free(x);
    return TAC_ERR_MEMORY;
  }
  tacRandom random = tac_random_seed(2);
  for (size_t i = 0; i < (size_t)rows * (size_t)r; ++i) u[i] = tac_random_uniform(&random, -1.0, 1.0);
  for (int i = 0; i < r; ++i) q[i] = tac_random_uniform(&random, -1.0, 1.0);
  char name[48];
  snprintf(name, sizeof name, "%d vertices, r = %d", vertices, r);
  tacBenchResult result = tac_bench_result(name, "u = U q", NAN, "us"), plain = result;
  for (int i = 0; i < count; ++i) {
    double start = tac_bench_now();
    for (int row = 0; row < rows; ++row) x[row] = tac_vector_dot(r, u + (size_t)row * (size_t)r, q);
    samples[i] = 1e6 * (tac_bench_now() - start);
  }
  tac_bench_percentiles((size_t)count, samples, &result);
  for (int i = 0; i < count; ++i) {
    double start = tac_bench_now();
    for (int row = 0; row < rows; ++row) {
      x[row] = 0.0;
      for (int j = 0; j < r; ++j) x[row] += u[(size_t)row * (size_t)r + (size_t)j] * q[j];
    }
    samples[i] = 1e6 * (tac_bench_now() - start);
  }
  tac_bench_percentiles((size_t)count, samples, &plain);
  result.baseline = plain.value;
  result.paper = paper;
  tac_bench_report(bench, &result);
  free(u);
  free(x);
  return TAC_OK;
}

/* ---- precomputation ---- */

/* The hollow voxel mesh of a shape with about as many bricks as the paper's (Figure 2.7), its lowest part held. */
typedef struct Model {
  tacVolMesh *mesh;
  bool *held;
  tacMaterial material;
  tacSolid solid;
} Model;

static void model_free(Model *model) {
  tac_volmesh_destroy(model->mesh);
  free(model->held);
}

static tacStatus model_make(const char *shape, int bricks, Model *model, tacError *error) {
  tacTriMesh *outline = NULL;
  tacVoxeliseDef def = {.resolution = 40, .rule = TAC_VOXELS_SHELL};
  *model = (Model){0};
  tacStatus status = tac_shape_build(shape, 0.0, NULL, &outline, error);
  for (int attempt = 0; attempt < 4 && status == TAC_OK; ++attempt) {
    tac_volmesh_destroy(model->mesh);
    model->mesh = NULL;
    status = tac_voxelise(outline, &def, NULL, &model->mesh, error);
    if (status == TAC_OK && attempt < 3) {
      int next = (int)lround(def.resolution * sqrt((double)bricks / model->mesh->brick_count));
      if (next == def.resolution) break;
      def.resolution = next > 4 ? next : 4;
    }
  }
  if (status == TAC_OK) {
    model->held = tac_array_create((size_t)model->mesh->vertex_count, sizeof *model->held, "held vertices", error);
    if (model->held == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) status = tac_material_isotropic(1000.0, 1e5, 0.4, &model->material, error);
  if (status == TAC_OK) {
    tacBox box = tac_volmesh_box(model->mesh);
    tacVec3 size = tac_box_size(box);
    /* Along its longest side. */
    for (int v = 0; v < model->mesh->vertex_count; ++v) {
      tacVec3 p = model->mesh->vertices[v];
      double at = size.x >= size.y && size.x >= size.z ? (p.x - box.lower.x) / size.x
                  : size.y >= size.z                   ? (p.y - box.lower.y) / size.y
                                                       : (p.z - box.lower.z) / size.z;
      model->held[v] = at < 0.1;
    }
    model->solid = (tacSolid){.mesh = model->mesh,
                              .material_count = 1,
                              .materials = &model->material,
                              .held = model->held,
                              .mass = TAC_MASS_CONSISTENT};
  }
  tac_trimesh_destroy(outline);
  if (status != TAC_OK) model_free(model);
  return status;
}

/* Figure 2.8. Any basis costs the same. */
static tacStatus bench_coefficients(tacBench *bench, const char *shape, const Model *model, int r, const char *paper,
                                    tacError *error) {
  size_t numbers = 3 * (size_t)model->mesh->vertex_count * (size_t)r;
  double *basis = tac_array_create(numbers, sizeof *basis, "a basis", error);
  if (basis == NULL) return TAC_ERR_MEMORY;
  tacRandom random = tac_random_seed(3);
  for (size_t i = 0; i < numbers; ++i) basis[i] = tac_random_uniform(&random, -1.0, 1.0);
  tacPolynomialPart *parts;
  int part_count;
  tacPolynomialBakeReport baked;
  tacStatus status = tac_polynomial_bake(&model->solid, r, basis, false, NULL, &parts, &part_count, &baked, error);
  free(basis);
  if (status != TAC_OK) return status;
  tac_polynomial_parts_destroy(part_count, parts);
  char name[64];
  snprintf(name, sizeof name, "%s, %d bricks, r = %d", shape, model->mesh->brick_count, r);
  tacBenchResult seconds = tac_bench_result(name, "coefficients", baked.seconds, "s");
  seconds.paper = paper;
  tac_bench_report(bench, &seconds);
  tacBenchResult speed = tac_bench_result(name, "speed", 1e-9 * baked.flops / baked.seconds, "GFlop/s");
  tac_bench_report(bench, &speed);
  tacBenchResult memory = tac_bench_result(name, "memory", 1e-6 * (double)baked.bytes, "MB");
  tac_bench_report(bench, &memory);
  return TAC_OK;
}

/* Figure 2.15. */
static tacStatus bench_modes(tacBench *bench, const char *shape, const Model *model, int k, const char *const paper[3],
                             tacError *error) {
  tacVibrationModes modes = {0};
  tacModalDerivatives derivatives = {0};
  char name[64];
  snprintf(name, sizeof name, "%s, %d vertices, k = %d", shape, model->mesh->vertex_count, k);
  double start = tac_bench_now();
  tacStatus status = tac_vibration_modes_compute(&model->solid, k, NULL, &modes, error);
  double seconds = tac_bench_now() - start;
  if (status == TAC_OK) status = tac_modal_derivatives_compute(&model->solid, &modes, NULL, &derivatives, error);
  if (status == TAC_OK) {
    const char *metrics[3] = {"linear modes", "right-hand sides", "derivatives"};
    const double values[3] = {seconds, derivatives.build_seconds, derivatives.solve_seconds};
    for (int i = 0; i < 3; ++i) {
      tacBenchResult result = tac_bench_result(name, metrics[i], values[i], "s");
      result.paper = paper[i];
      tac_bench_report(bench, &result);
    }
  }
  tac_vibration_modes_destroy(&modes);
  tac_modal_derivatives_destroy(&derivatives);
  return status;
}

typedef struct Paper {
  const char *shape;
  int bricks, r;
  const char *coefficients;
  int k;
  const char *modes[3];
} Paper;

static tacStatus bench_model(tacBench *bench, const Paper *paper, int more, tacError *error) {
  Model model;
  tacStatus status = model_make(paper->shape, paper->bricks, &model, error);
  if (status != TAC_OK) return status;
  status = bench_coefficients(bench, paper->shape, &model, paper->r, paper->coefficients, error);
  if (status == TAC_OK && more > 0) status = bench_coefficients(bench, paper->shape, &model, more, NULL, error);
  if (status == TAC_OK && paper->k > 0)
    status = bench_modes(bench, paper->shape, &model, paper->k, paper->modes, error);
  model_free(&model);
  return status;
}

static tacStatus bench_bakes(tacBench *bench, tacError *error) {
  static const Paper small = {.shape = "spoon", .bricks = 200, .r = 8, .k = 2};
  static const Paper papers[] = {{"spoon", 2005, 12, "60 s", 6, {"24 s", "6.5 s", "33 s"}},
                                 {"suspension-bridge", 5854, 15, "186 s", 0, {NULL}},
                                 {"heart", 14444, 30, "97.4 min", 20, {"111 s", "291 s", "28 min"}}};
  if (bench->quick) return bench_model(bench, &small, 0, error);
  tacStatus status = TAC_OK;
  for (int i = 0; i < 3 && status == TAC_OK; ++i)
    status = bench_model(bench, &papers[i], papers[i].r == 30 ? LARGEST : 0, error);
  return status;
}

tacStatus tac_bench_reduced(tacBench *bench, tacError *error) {
  tacStatus status = bench_steps(bench, error);
  if (status == TAC_OK)
    status = bench_surface(bench, bench->quick ? 500 : HEART_VERTICES, bench->quick ? 12 : 30,
                           bench->quick ? NULL : "6500 us", error);
  return status == TAC_OK ? bench_bakes(bench, error) : status;
}
