#include <tactus/reduced.h>

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/files/bake_check.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "elastic/hyper/hyper_statics.h"
#include "elastic/hyper/load_path.h"
#include "kinds/reduced/reduced.h"
#include "kinds/vademecum/element_choice.h"
#include "kinds/vademecum/load_basis.h"
#include "kinds/vademecum/load_coordinates.h"
#include "kinds/vademecum/load_problem.h"
#include "kinds/vademecum/load_snapshots.h"
#include "kinds/vademecum/separation.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "math/dense/dense.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

/* Number of loads whose linear solutions are in memory at once. */
enum { BLOCK = 64 };
/* Maximum number of terms of the linear separation per mode. */
enum { TERMS_A_MODE = 4 };
/* Error limit of the sampled elements' forces, as a fraction of the vademecum's accuracy. */
static const double FORCES = 0.1;
/* Number of loads whose linear terms are compared with the full solid. */
enum { LINEAR_CHECKS = 24 };
/* Training states for the choice of elements: maximum number with a single load, and number with two loads. */
enum { SINGLE_STATES = 320, DOUBLE_STATES = 80 };

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)
TAC_OWNED_TYPE(tacVademecum, tac_vademecum_destroy)

tacVademecumDef tac_vademecum_def_default(void) {
  return (tacVademecumDef){.load = 1.0,
                           .accuracy = 0.05,
                           .residual = 1e-5,
                           .mode_most = 96,
                           .path_most = 256,
                           .method = TAC_PATH_SERIES,
                           .sample_count = 200};
}

typedef struct {
  const tacVademecumDef *def;
  tacLoadProblem problem;
  double *norms; /* [load and axis]: mass norm of the linear solution */
  tacSparse loads;
  tacSeparation linear;
  tacLoadSnapshots snapshots;
  tacLoadBasis basis;
  tacReduced *shape;
  double *stiffness;       /* [n][n]: stiffness K_r at rest in modal coordinates */
  double *rows;            /* [load][3][n]: mean X(s) of the modes over the load's patch */
  tacElementChoice choice; /* chosen elements, in energy coordinates (see to_energy) */
  tacSampledParts sampled; /* chosen elements, in modal coordinates */
  float *y;
  tacVademecumInfo info;
  tacArrays arrays;
} Bake;

static void release(Bake *b) {
  tac_load_problem_destroy(&b->problem);
  tac_arrays_free(&b->arrays);
  tac_sparse_destroy(&b->loads);
  tac_separation_destroy(&b->linear);
  tac_load_snapshots_destroy(&b->snapshots);
  tac_load_basis_destroy(&b->basis);
  tac_reduced_destroy(b->shape);
  tac_element_choice_destroy(&b->choice);
  free(b->y);
}

/* ---- sizes ---- */

/* Returns the approximate size of the factored stiffness of a tetrahedral mesh, bytes. The formula is fitted to meshes
 * of 1,000 to 30,000 nodes. */
static double factor_bytes(double nodes) {
  return 8.0 * 9.0 * 12.0 * pow(nodes, 4.0 / 3.0);
}

tacStatus tac_vademecum_estimate(const tacVademecumDef *def, tacVademecumEstimate *estimate, tacError *error) {
  *estimate = (tacVademecumEstimate){0};
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_MEMORY(int, vertex_of) = NULL;
  TAC_TRY(tac_load_problem_check(def, error));
  TAC_TRY(tac_volmesh_surface(def->mesh, &surface, &vertex_of, NULL, error));
  for (int v = 0; v < surface->vertex_count; ++v)
    estimate->loads += !def->fixed[vertex_of[v]] && (def->accessible == NULL || def->accessible[vertex_of[v]]);
  bool any = tac_vec3_norm(def->direction) == 0.0;
  double columns = (any ? 3.0 : 1.0) * estimate->loads, nodes = def->mesh->vertex_count,
         vertices = surface->vertex_count;
  estimate->modes = (int)fmin(def->mode_most, fmin(columns * (def->linear ? 1.0 : TAC_SNAPSHOT_LEVELS), 3.0 * nodes));
  tacLoadTerms terms = {def->direction, def->linear ? 1 : any ? 3 : TAC_SNAPSHOT_LEVELS + 1};
  double n = estimate->modes, paths = def->linear ? 0.0 : fmin(def->path_most, columns);
  estimate->bytes = 8.0 * 3.0 * n * (nodes + 2.0 * vertices) +
                    4.0 * n * estimate->loads * tac_load_terms_count(&terms) +
                    (def->linear ? 0.0 : 8.0 * 9.0 * n * 4.0 * n);
  estimate->memory = estimate->bytes + 3.0 * factor_bytes(nodes) +
                     8.0 * 3.0 * nodes * (3.0 * TAC_SNAPSHOT_LEVELS * paths + 6.0 * n) + 8.0 * columns * (n + paths);
  return TAC_OK;
}

static tacStatus check_memory(const tacVademecumDef *def, tacError *error) {
  tacVademecumEstimate estimate;
  TAC_TRY(tac_vademecum_estimate(def, &estimate, error));
  double machine = (double)tac_physical_memory();
  if (estimate.memory < 0.8 * machine) return TAC_OK;
  return tac_error_set(error, TAC_ERR_MEMORY,
                       "a vademecum of %d nodes, %d loads and %d modes would need %.1f GiB to bake, but this machine "
                       "has %.1f GiB; use fewer paths, modes or accessible nodes, or a coarser mesh",
                       def->mesh->vertex_count, estimate.loads, estimate.modes, estimate.memory / (1 << 30),
                       machine / (1 << 30));
}

/* ---- linear problem ---- */

/* Creates the matrix `loads`, with a column per load and axis. Each column is the largest force T. */
static tacStatus make_loads(Bake *b, tacError *error) {
  const tacLoadProblem *p = &b->problem;
  TAC_FREED(tac_triplets_destroy, tacTriplets, entries) = {.rows = (int)p->part.free_size,
                                                           .cols = p->load_count * p->axis_count};
  for (int s = 0; s < p->load_count; ++s)
    for (int axis = 0; axis < p->axis_count; ++axis) {
      tacVec3 f = tac_vec3_scale(b->def->load, tac_load_problem_axis(p, axis));
      const double values[3] = {f.x, f.y, f.z};
      for (int e = p->patch_start[s]; e < p->patch_start[s + 1]; ++e)
        for (int i = 0; i < 3; ++i)
          if (values[i] != 0.0)
            TAC_TRY(tac_triplets_add(&entries, p->part.free_of[3 * p->vertex_of[p->patch_vertex[e]] + i],
                                     s * p->axis_count + axis, p->patch_weight[e] * values[i], error));
    }
  return tac_triplets_compress(&entries, &b->loads, error);
}

/* Computes the mass norms of all linear solutions. `separate` weights the error of each load by the inverse square. */
static tacStatus measure_loads(Bake *b, const tacProgress *progress, tacError *error) {
  const tacLoadProblem *p = &b->problem;
  size_t rows = p->part.free_size;
  int count = b->loads.cols;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *u = tac_arrays_add(&work, BLOCK * rows, sizeof *u);
  double *all = tac_arrays_add(&work, p->part.size, sizeof *all);
  b->norms = tac_arrays_add(&b->arrays, (size_t)count, sizeof *b->norms);
  TAC_TRY(tac_arrays_status(&work, "loads", error));
  TAC_TRY(tac_arrays_status(&b->arrays, "loads", error));
  for (int first = 0; first < count; first += BLOCK) {
    int size = count - first < BLOCK ? count - first : BLOCK;
    memset(u, 0, BLOCK * rows * sizeof *u);
    for (int j = 0; j < size; ++j)
      for (int e = b->loads.column_start[first + j]; e < b->loads.column_start[first + j + 1]; ++e)
        u[(size_t)j * rows + (size_t)b->loads.row[e]] = b->loads.value[e];
    TAC_TRY(tac_factor_solve(p->factor, u, size, u, error));
    for (int j = 0; j < size; ++j) {
      tac_free_lower_put(&p->part, u + (size_t)j * rows, all);
      b->norms[first + j] = tac_load_problem_norm(p, all);
    }
    if (progress != NULL && !progress->report("linear loads", (double)first / count, progress->user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "cancelled");
  }
  return TAC_OK;
}

/* Computes the separation of the linear solutions. For a nonlinear vademecum, a quarter of the accuracy is a sufficient
 * residual. */
static tacStatus separate(Bake *b, const tacProgress *progress, tacError *error) {
  const tacVademecumDef *def = b->def;
  int count = b->loads.cols;
  TAC_MEMORY(double, weights) = NULL;
  TAC_TRY(TAC_ARRAY(weights, (size_t)count, "loads", error));
  for (int j = 0; j < count; ++j) weights[j] = b->norms[j] > 0.0 ? 1.0 / (b->norms[j] * b->norms[j]) : 0.0;
  const tacSeparationDef separation = {
      .stiffness = &b->problem.part.matrix,
      .factor = b->problem.factor,
      .loads = &b->loads,
      .weights = weights,
      .residual = def->linear ? def->residual : fmax(def->residual, 0.25 * def->accuracy),
      .most = TERMS_A_MODE * def->mode_most};
  TAC_TRY(tac_separation_create(&separation, progress, &b->linear, error));
  b->info.residual = b->linear.residual;
  return TAC_OK;
}

/* ---- modes ---- */

/* Creates the material of the reduced body. The reduced body uses only the density, because forces come from the
 * sampled elements. */
static tacStatus stand_in(const tacLoadProblem *p, tacMaterial *material, tacError *error) {
  double shear, bulk;
  p->material.law->moduli(p->material.parameters, &shear, &bulk);
  double both = 3.0 * bulk + shear;
  return tac_material_isotropic(p->material.density, 9.0 * bulk * shear / both,
                                (3.0 * bulk - 2.0 * shear) / (2.0 * both), material, error);
}

static tacStatus make_shape(Bake *b, tacError *error) {
  tacMaterial material;
  TAC_TRY(stand_in(&b->problem, &material, error));
  tacReducedDef def = tac_reduced_def_default();
  def.volume = b->def->mesh;
  def.material_count = 1;
  def.materials = &material;
  def.fixed = b->def->fixed;
  def.lumped_mass = true;
  def.size = b->basis.count;
  return tac_reduced_from_vectors(&def, b->basis.vectors, "X", &b->shape, error);
}

/* Computes the stiffness in modal coordinates, K_r = X^T K X. */
static tacStatus make_stiffness(Bake *b, tacError *error) {
  const tacFreeLower *part = &b->problem.part;
  size_t n = (size_t)tac_reduced_size(b->shape), rows = part->free_size;
  const double *basis = tac_reduced_basis(b->shape);
  TAC_FREED(tac_dense_destroy, tacDense, x) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, kx) = {0};
  b->stiffness = tac_arrays_add(&b->arrays, n * n, sizeof *b->stiffness);
  TAC_TRY(tac_arrays_status(&b->arrays, "a stiffness", error));
  TAC_TRY(tac_dense_create((int)rows, (int)n, &x, error));
  TAC_TRY(tac_dense_create((int)rows, (int)n, &kx, error));
  for (size_t i = 0; i < part->size; ++i)
    for (size_t k = 0; part->free_of[i] >= 0 && k < n; ++k)
      tac_dense_column(&x, (int)k)[part->free_of[i]] = basis[i * n + k];
  tac_sparse_multiply_lower(&part->matrix, x.a, (int)n, kx.a);
  tacDense to = {(int)n, (int)n, (int)n, b->stiffness};
  tac_dense_gemm(1.0, &x, true, &kx, false, 0.0, &to);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < i; ++j)
      b->stiffness[i * n + j] = b->stiffness[j * n + i] = 0.5 * (b->stiffness[i * n + j] + b->stiffness[j * n + i]);
  return TAC_OK;
}

/* Computes X(s), the weighted sum of the modes X over the patch of load s. */
static tacStatus make_rows(Bake *b, tacError *error) {
  const tacLoadProblem *p = &b->problem;
  size_t n = (size_t)tac_reduced_size(b->shape);
  const double *from = tac_reduced_displacements(b->shape);
  b->rows = tac_arrays_add(&b->arrays, (size_t)p->load_count * 3 * n, sizeof *b->rows);
  TAC_TRY(tac_arrays_status(&b->arrays, "loads", error));
  for (int s = 0; s < p->load_count; ++s)
    for (int e = p->patch_start[s]; e < p->patch_start[s + 1]; ++e)
      for (size_t k = 0; k < 3 * n; ++k)
        b->rows[(size_t)s * 3 * n + k] += p->patch_weight[e] * from[3 * n * (size_t)p->patch_vertex[e] + k];
  return TAC_OK;
}

/* ---- elements ---- */

/* Computes the training states: `singles` states of single loads from the paths, then sums of two such states. Single
 * states alternate between the full load and a smaller level. */
static void make_states(const Bake *b, int singles, double *states) {
  size_t n = (size_t)tac_reduced_size(b->shape), paths = (size_t)b->snapshots.path_count;
  for (int i = 0; i < singles; ++i) {
    size_t path = (size_t)i * paths / (size_t)singles, level = TAC_SNAPSHOT_LEVELS - 1;
    if (i % 2 == 1) level = (size_t)(i / 2) % level;
    size_t shot = path * TAC_SNAPSHOT_LEVELS + level;
    tac_load_problem_project(&b->problem, b->shape, b->snapshots.u + shot * b->problem.part.size,
                             states + (size_t)i * n);
  }
  tacRandom random = tac_random_seed(2005);
  for (int i = 0; i < DOUBLE_STATES; ++i) {
    const double *a = states + (size_t)tac_random_uniform(&random, 0.0, singles) * n;
    const double *c = states + (size_t)tac_random_uniform(&random, 0.0, singles) * n;
    for (size_t k = 0; k < n; ++k) states[(size_t)(singles + i) * n + k] = 0.6 * (a[k] + c[k]);
  }
}

/* Replaces each row x by L^-1 x. This converts forces from modal coordinates q to energy coordinates p = L^T q, where
 * K_r = L L^T. In energy coordinates, the norm of a force error equals the energy norm of the resulting displacement
 * error. So errors of forces on soft and on stiff modes have equal weight. */
static void to_energy(const tacDense *l, size_t rows, double *x) {
  size_t n = (size_t)l->rows;
  for (size_t r = 0; r < rows; ++r, x += n)
    for (size_t i = 0; i < n; ++i) {
      double sum = x[i];
      for (size_t j = 0; j < i; ++j) sum -= tac_dense_column(l, (int)j)[i] * x[j];
      x[i] = sum / tac_dense_column(l, (int)i)[i];
    }
}

/* Replaces each row x by L x, the inverse of to_energy. */
static void from_energy(const tacDense *l, size_t rows, double *x) {
  size_t n = (size_t)l->rows;
  for (size_t r = 0; r < rows; ++r, x += n)
    for (size_t i = n; i-- > 0;) {
      double sum = 0.0;
      for (size_t j = 0; j <= i; ++j) sum += tac_dense_column(l, (int)j)[i] * x[j];
      x[i] = sum;
    }
}

/* Replaces each row x by L^T x. This converts displacements from modal to energy coordinates. */
static void states_to_energy(const tacDense *l, size_t rows, double *x) {
  size_t n = (size_t)l->rows;
  for (size_t r = 0; r < rows; ++r, x += n)
    for (size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (size_t j = i; j < n; ++j) sum += tac_dense_column(l, (int)i)[j] * x[j];
      x[i] = sum;
    }
}

/* Computes the Cholesky factor L of the stiffness K_r. */
static tacStatus factor_stiffness(const Bake *b, size_t n, tacDense *l, tacError *error) {
  TAC_TRY(tac_dense_create((int)n, (int)n, l, error));
  memcpy(l->a, b->stiffness, n * n * sizeof *l->a);
  return tac_dense_cholesky(l, error);
}

static tacStatus choose_elements(Bake *b, const tacProgress *progress, tacError *error) {
  size_t n = (size_t)tac_reduced_size(b->shape), rows = b->problem.part.size;
  int both = 2 * b->snapshots.path_count, singles = both < SINGLE_STATES ? both : SINGLE_STATES;
  int count = singles + DOUBLE_STATES;
  TAC_FREED(tac_dense_destroy, tacDense, l) = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *states = tac_arrays_add(&work, (size_t)count * n, sizeof *states);
  double *basis = tac_arrays_add(&work, rows * n, sizeof *basis);
  TAC_TRY(tac_arrays_status(&work, "states", error));
  TAC_TRY(factor_stiffness(b, n, &l, error));
  make_states(b, singles, states);
  states_to_energy(&l, (size_t)count, states);
  memcpy(basis, tac_reduced_basis(b->shape), rows * n * sizeof *basis);
  to_energy(&l, rows, basis);
  const tacElementChoiceDef def = {.mesh = b->def->mesh,
                                   .material = b->problem.material,
                                   .size = (int)n,
                                   .basis = basis,
                                   .state_count = count,
                                   .states = states,
                                   .tolerance = FORCES * b->def->accuracy};
  TAC_TRY(tac_element_choice_create(&def, progress, &b->choice, error));
  size_t gradients = 9 * (size_t)b->choice.parts.element_count;
  double *turned = tac_arrays_add(&b->arrays, gradients * n, sizeof *turned);
  TAC_TRY(tac_arrays_status(&b->arrays, "sampled elements", error));
  memcpy(turned, b->choice.parts.gradients, gradients * n * sizeof *turned);
  from_energy(&l, gradients, turned);
  b->sampled = b->choice.parts;
  b->sampled.gradients = turned;
  return TAC_OK;
}

/* ---- asset ---- */

static tacStatus make_asset(Bake *b, tacVademecum **result, tacError *error) {
  const tacLoadProblem *p = &b->problem;
  tacVademecumParts parts = {.stiffness = b->stiffness,
                             .sampled = b->sampled,
                             .load_count = p->load_count,
                             .vertices = p->loads,
                             .rows = b->rows,
                             .most = b->def->load,
                             .patch = b->def->patch,
                             .terms = tac_load_coordinates_terms(p),
                             .y = b->y};
  tacVademecumInfo *info = &b->info;
  int n = tac_reduced_size(b->shape);
  snprintf(info->law, sizeof info->law, "%s", b->def->linear ? "linear" : p->material.law->name);
  info->node_count = b->def->mesh->vertex_count;
  info->element_count = b->def->mesh->tet_count;
  info->load_count = p->load_count;
  info->mode_count = n;
  info->term_count = tac_load_terms_count(&parts.terms);
  info->sampled_count = b->choice.parts.element_count;
  info->path_count = b->snapshots.path_count;
  info->wanted = b->def->accuracy;
  info->bytes = 8.0 * 3.0 * n * (info->node_count + 2.0 * p->surface->vertex_count) +
                4.0 * n * (double)info->load_count * info->term_count + 8.0 * 9.0 * n * (double)info->sampled_count;
  parts.info = *info;
  parts.sampled.material.density = b->def->material.density;
  TAC_TRY(tac_vademecum_create(&parts, b->shape, result, error));
  b->shape = NULL; /* the vademecum now owns the shape */
  return TAC_OK;
}

/* Computes the linearised modal force of the full solid for the displacement u = X q:
 *     X^T (f(x + e u) - f(x - e u)) / (2 e).
 * f is the elastic force, x the rest position, and e a small number. `room` [3][3 vertices] is scratch. */
static void answer_of(const Bake *b, const tacReduced *shape, const double *q, double *room, double *answer) {
  size_t n = (size_t)tac_reduced_size(shape), size = b->problem.part.size;
  const double *rest = &b->def->mesh->vertices[0].x, *basis = tac_reduced_basis(shape);
  double *x = room, *force = x + size, *u = force + size, most = 0.0;
  for (size_t r = 0; r < size; ++r) {
    u[r] = 0.0;
    for (size_t k = 0; k < n; ++k) u[r] += basis[r * n + k] * q[k];
    most = fmax(most, fabs(u[r]));
  }
  double small = most > 0.0 ? 1e-5 * tac_box_longest(tac_volmesh_box(b->def->mesh)) / most : 1.0;
  memset(answer, 0, n * sizeof *answer);
  for (int side = -1; side <= 1; side += 2) {
    for (size_t r = 0; r < size; ++r) x[r] = rest[r] + side * small * u[r];
    tac_hyper_solid_evaluate(b->problem.solid, x, 0.0, force, NULL);
    for (size_t r = 0; r < size; ++r)
      for (size_t k = 0; k < n; ++k) answer[k] += side * force[r] * basis[r * n + k] / (2.0 * small);
  }
}

/* Returns |L^-1 x|^2 and overwrites x. */
static double dual_square(const tacDense *l, double *x) {
  double sum = 0.0;
  to_energy(l, 1, x);
  for (int k = 0; k < l->rows; ++k) sum += x[k] * x[k];
  return sum;
}

/* Checks the linear terms against the full solid. The elastic force of a displacement from the linear terms must
 * equal the load. The error is the relative difference in the energy norm. */
static tacStatus check_linear(const Bake *b, const tacVademecum *vademecum, tacBakeChecks *checks, tacError *error) {
  const tacLoadProblem *p = &b->problem;
  const tacReduced *shape = tac_vademecum_shape(vademecum);
  size_t n = (size_t)tac_reduced_size(shape), size = p->part.size;
  TAC_FREED(tac_dense_destroy, tacDense, l) = {0};
  TAC_MEMORY(double, room) = NULL;
  TAC_TRY(TAC_ARRAY(room, 3 * size + 3 * n, "a check", error));
  double *q = room + 3 * size, *answer = q + n, *load = answer + n;
  tacWorst worst = {0};
  TAC_TRY(factor_stiffness(b, n, &l, error));
  for (int i = 0; i < LINEAR_CHECKS; ++i) {
    int s = (int)((long long)i * p->load_count / LINEAR_CHECKS), axis = i % 3;
    for (size_t k = 0; k < n; ++k) {
      q[k] = tac_vademecum_load_mode(vademecum, (int)k, s, axis);
      load[k] = b->def->load * b->rows[(3 * (size_t)s + (size_t)axis) * n + k];
    }
    answer_of(b, shape, q, room, answer);
    for (size_t k = 0; k < n; ++k) answer[k] -= load[k];
    tac_worst_add(&worst, sqrt(dual_square(&l, answer) / dual_square(&l, load)), p->loads[s]);
  }
  return tac_bake_checks_add(checks, "linear terms of loads with the solid", &worst, 1e-3, "vertex", error);
}

/* Adds the checks of the bake. The bake fails if the largest relative error exceeds 1. A bake that only misses the
 * target accuracy does not fail; tacVademecumInfo.reached reports the miss. */
static tacStatus add_checks(const Bake *b, tacVademecum *vademecum, tacError *error) {
  tacBakeChecks checks = {0};
  tacWorst worst = {.samples = b->info.sample_count, .error = fmin(b->info.error_most, b->info.corrected_most)};
  TAC_TRY(check_linear(b, vademecum, &checks, error));
  TAC_TRY(tac_bake_checks_add(&checks, "displacements with full solutions", &worst, 1.0, NULL, error));
  tac_vademecum_set_checks(vademecum, &checks);
  return TAC_OK;
}

/* ---- full solutions ---- */

enum { CORRECTIONS = 8 };

typedef struct {
  int load;
  tacVec3 force;
  double alone, corrected, linear; /* relative errors: before and after Newton's method; of linear elasticity */
} Sample;

/* Work data of a thread in the trial. */
typedef struct {
  tacHyperSolid *solid;
  tacHyperStatics *statics;
  tacVademecumSolver *solver;
  double *room; /* scratch for x, force, u and q */
  tacError error;
} Thread;

typedef struct {
  const tacVademecum *vademecum;
  const tacLoadProblem *problem;
  int thread_count, sample_count;
  Thread *threads;
  Sample *samples;
  double *linear; /* [sample][3 vertices]: displacement by linear elasticity */
  _Atomic int failed;
  tacArrays arrays;
} Trial;

/* Computes u = X q at all vertices. */
static void displace_modes(const Trial *w, const double *q, double *u) {
  const tacReduced *shape = tac_vademecum_shape(w->vademecum);
  size_t n = (size_t)tac_reduced_size(shape);
  const double *basis = tac_reduced_basis(shape);
  for (size_t i = 0; i < w->problem->part.size; ++i, basis += n) {
    double sum = 0.0;
    for (size_t k = 0; k < n; ++k) sum += basis[k] * q[k];
    u[i] = sum;
  }
}

static double error_of(const Trial *w, double *u, const double *exact, double norm) {
  for (size_t i = 0; i < w->problem->part.size; ++i) u[i] -= exact[i];
  return tac_load_problem_norm(w->problem, u) / norm;
}

/* Converts a sample to a load on a triangle that has the sample's vertex as a corner. */
static tacVademecumLoad load_of(const Trial *w, const Sample *sample) {
  const tacTriMesh *surface = w->problem->surface;
  int vertex = w->problem->loads[sample->load];
  for (int t = 0; t < surface->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      if (surface->triangles[t].v[c] == vertex) {
        tacVademecumLoad load = {.triangle = t, .force = sample->force};
        load.weight[c] = 1.0;
        return load;
      }
  return (tacVademecumLoad){0};
}

static tacStatus solve_fully(Trial *w, const Thread *thread, const Sample *sample, const double *start, double *x,
                             double *force, tacError *error) {
  const tacVolMesh *mesh = w->problem->def->mesh;
  size_t size = w->problem->part.size;
  const double *rest = &mesh->vertices[0].x;
  memset(force, 0, size * sizeof *force);
  tac_load_problem_add(w->problem, sample->load, sample->force, force);
  for (size_t i = 0; i < size; ++i) x[i] = rest[i] + start[i];
  tacNewtonReport report;
  tacStatus status = tac_hyper_statics_solve(thread->statics, rest, force, x, NULL, &report, error);
  for (size_t i = 0; i < size; ++i) x[i] -= rest[i];
  return status;
}

static tacStatus measure_sample(Trial *w, const Thread *thread, int index, tacError *error) {
  Sample *sample = &w->samples[index];
  size_t size = w->problem->part.size;
  double *exact = thread->room, *force = exact + size, *u = force + size, *q = u + size;
  const double *linear = w->linear + (size_t)index * size;
  const tacVademecumLoad load = load_of(w, sample);
  tac_vademecum_solve(thread->solver, 1, &load, CORRECTIONS, q);
  displace_modes(w, q, u);
  if (w->problem->def->linear) {
    memcpy(exact, linear, size * sizeof *exact);
  } else {
    TAC_TRY(solve_fully(w, thread, sample, u, exact, force, error));
  }
  double norm = tac_load_problem_norm(w->problem, exact);
  sample->corrected = error_of(w, u, exact, norm);
  tac_vademecum_coordinates(w->vademecum, sample->load, sample->force, q);
  displace_modes(w, q, u);
  sample->alone = error_of(w, u, exact, norm);
  memcpy(u, linear, size * sizeof *u);
  sample->linear = error_of(w, u, exact, norm);
  return TAC_OK;
}

static void measure_samples(size_t begin, size_t end, int thread, void *context) {
  Trial *w = context;
  for (size_t i = begin; i < end && w->failed == TAC_OK; ++i) {
    tacStatus status = measure_sample(w, &w->threads[thread], (int)i, &w->threads[thread].error);
    if (status != TAC_OK) w->failed = status;
  }
}

static tacStatus choose_samples(Trial *w, tacError *error) {
  const tacLoadProblem *p = w->problem;
  size_t size = p->part.size;
  tacRandom random = tac_random_seed(20150283);
  double *free_ones = tac_arrays_add(&w->arrays, p->part.free_size, sizeof *free_ones);
  w->samples = tac_arrays_add(&w->arrays, (size_t)w->sample_count, sizeof *w->samples);
  w->linear = tac_arrays_add(&w->arrays, (size_t)w->sample_count * size, sizeof *w->linear);
  TAC_TRY(tac_arrays_status(&w->arrays, "a check", error));
  for (int i = 0; i < w->sample_count; ++i) {
    Sample *s = &w->samples[i];
    s->load = (int)tac_random_uniform(&random, 0.0, p->load_count);
    tacVec3 direction = tac_vec3_unit(tac_random_normal3(&random));
    s->force = tac_vec3_scale(p->def->load, p->axis_count == 1 ? p->direction : direction);
    double *forces = w->linear + (size_t)i * size;
    tac_load_problem_add(p, s->load, s->force, forces);
    tac_free_lower_take(&p->part, forces, free_ones);
    TAC_TRY(tac_factor_solve(p->factor, free_ones, 1, free_ones, error));
    tac_free_lower_put(&p->part, free_ones, w->linear + (size_t)i * size);
  }
  return TAC_OK;
}

static tacStatus prepare_trial(Trial *w, tacError *error) {
  const tacLoadProblem *p = w->problem;
  size_t n = (size_t)tac_vademecum_mode_count(w->vademecum);
  const tacHyperSolidDef def = {
      .mesh = p->def->mesh, .material_count = 1, .materials = &p->material, .thread_count = 1};
  w->threads = tac_arrays_add(&w->arrays, (size_t)w->thread_count, sizeof *w->threads);
  TAC_TRY(choose_samples(w, error));
  for (Thread *t = w->threads; t < w->threads + w->thread_count; ++t) {
    t->room = tac_arrays_add(&w->arrays, 3 * p->part.size + n, sizeof *t->room);
    TAC_TRY(tac_vademecum_solver_create(w->vademecum, &t->solver, error));
    TAC_TRY(tac_hyper_solid_create(&def, &t->solid, error));
    TAC_TRY(tac_hyper_statics_create(t->solid, p->def->fixed, &t->statics, error));
  }
  return tac_arrays_status(&w->arrays, "a check", error);
}

static void end_trial(Trial *w) {
  for (int i = 0; w->threads != NULL && i < w->thread_count; ++i) {
    tac_hyper_statics_destroy(w->threads[i].statics);
    tac_hyper_solid_destroy(w->threads[i].solid);
    tac_vademecum_solver_destroy(w->threads[i].solver);
  }
  tac_arrays_free(&w->arrays);
}

/* Compares the vademecum with full solutions u_fe over a random sample of loads of the largest size. Runs on all
 * cores. Stores the errors |u - u_fe| / |u_fe| in the mass norm in `info`. u_fe is solved with all nodes, by
 * Newton's method to 1e-9 of the load (elastic/hyper/hyper_statics.h). For a linear solid, u_fe is a direct
 * solution. */
static tacStatus measure_errors(const tacVademecum *vademecum, const tacLoadProblem *problem,
                                const tacProgress *progress, tacVademecumInfo *info, tacError *error) {
  TAC_FREED(end_trial, Trial, work) = {.vademecum = vademecum,
                                       .problem = problem,
                                       .thread_count = tac_parallel_core_count(),
                                       .sample_count = problem->def->sample_count};
  TAC_TRY(prepare_trial(&work, error));
  TAC_TRY(tac_parallel_for(work.thread_count, (size_t)work.sample_count, 1, measure_samples, &work, progress,
                           "loads against full solutions", error));
  for (int t = 0; work.failed != TAC_OK && t < work.thread_count; ++t)
    if (work.threads[t].error.text[0] != 0)
      return tac_error_set(error, (tacStatus)work.failed, "%s", work.threads[t].error.text);
  info->sample_count = work.sample_count;
  info->error_mean = info->error_most = info->corrected_mean = info->corrected_most = info->linear_mean = 0.0;
  for (int i = 0; i < work.sample_count; ++i) {
    const Sample *s = &work.samples[i];
    info->error_mean += s->alone / work.sample_count;
    info->corrected_mean += s->corrected / work.sample_count;
    info->linear_mean += s->linear / work.sample_count;
    info->error_most = fmax(info->error_most, s->alone);
    info->corrected_most = fmax(info->corrected_most, s->corrected);
  }
  info->reached = fmin(info->error_most, info->corrected_most) <= info->wanted;
  return TAC_OK;
}

/* ---- complete bake ---- */

static double since(int64_t *start) {
  int64_t now = tac_clock_now();
  double seconds = tac_clock_seconds(now - *start);
  *start = now;
  return seconds;
}

static tacStatus make_parts(Bake *b, const tacProgress stages[5], tacError *error) {
  int64_t start = tac_clock_now();
  bool linear = b->def->linear;
  TAC_TRY(make_loads(b, error));
  TAC_TRY(measure_loads(b, &stages[0], error));
  TAC_TRY(separate(b, &stages[1], error));
  b->info.seconds_linear = since(&start);
  if (!linear) TAC_TRY(tac_load_snapshots_create(&b->problem, &stages[2], &b->snapshots, error));
  b->info.seconds_paths = since(&start);
  TAC_TRY(tac_load_basis_create(&b->problem, &b->linear, linear ? NULL : &b->snapshots, &b->basis, error));
  TAC_TRY(make_shape(b, error));
  TAC_TRY(make_stiffness(b, error));
  TAC_TRY(make_rows(b, error));
  b->info.seconds_basis = since(&start);
  if (!linear) TAC_TRY(choose_elements(b, &stages[3], error));
  b->info.seconds_elements = since(&start);
  const tacLoadCoordinatesDef def = {.problem = &b->problem,
                                     .shape = b->shape,
                                     .stiffness = b->stiffness,
                                     .rows = b->rows,
                                     .sampled = linear ? NULL : &b->sampled,
                                     .snapshots = linear ? NULL : &b->snapshots};
  TAC_TRY(tac_load_coordinates_create(&def, &stages[4], &b->y, error));
  b->info.seconds_loads = since(&start);
  return TAC_OK;
}

tacStatus tac_vademecum_bake(const tacVademecumDef *def, const tacProgress *progress, tacVademecum **vademecum,
                             tacError *error) {
  *vademecum = NULL;
  static const double ends[7] = {0.0, 0.05, 0.15, 0.5, 0.6, 0.8, 1.0};
  tacProgressPart parts[6];
  tacProgress stages[6];
  for (int i = 0; i < 6; ++i) {
    parts[i] = (tacProgressPart){progress, ends[i], ends[i + 1], NULL};
    stages[i] = tac_progress_part(&parts[i]);
  }
  TAC_FREED(release, Bake, b) = {.def = def};
  TAC_OWN(tacVademecum, made) = NULL;
  TAC_TRY(tac_load_problem_check(def, error));
  TAC_TRY(check_memory(def, error));
  TAC_TRY(tac_load_problem_create(def, &b.problem, error));
  TAC_TRY(make_parts(&b, stages, error));
  TAC_TRY(make_asset(&b, &made, error));
  int64_t start = tac_clock_now();
  TAC_TRY(measure_errors(made, &b.problem, &stages[5], &b.info, error));
  b.info.seconds_check = since(&start);
  tac_vademecum_set_info(made, &b.info);
  TAC_TRY(add_checks(&b, made, error));
  *vademecum = tac_give(&made);
  return TAC_OK;
}
