#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/green.h>
#include "bake/checkpoint.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "base/progress.h"
#include "elastic/reference/column_check.h"
#include "elastic/reference/reference_def.h"
#include "elastic/reference/reference_problem.h"
#include "kinds/green/green.h"
#include "kinds/green/green_error_estimate.h"
#include "math/dense/blas.h"
#include "math/geometry/vec3.h"

/* Number of vertices whose columns are solved together and form a piece of the checkpoint. The 384 columns of a piece
 * are a multiple of TAC_DENSE_LU_STRIP, so the bits of a piece do not depend on other pieces. */
enum { PIECE = 128 };

tacGreenDef tac_green_def_default(void) {
  return (tacGreenDef){.storage = TAC_GREEN_WHOLE, .error_estimate_loads = 9};
}

/* Data of a bake. `parts` owns `numbers` and the arrays of near blocks until the Green's functions are created. */
typedef struct {
  const tacGreenDef *def;
  tacTriMesh *own_surface; /* surface of the volume, for finite elements */
  int *wanted;             /* wanted vertices, ascending */
  int row_count;
  tacGreenParts parts;
  double *numbers;  /* values of the columns or of the near blocks */
  tacArrays arrays; /* memory of `wanted`, `piece_start` and `done` */
  int piece_count;
  int64_t *piece_start; /* [piece_count + 1] first index of each piece in `numbers` */
  bool *done;           /* [piece] true if the piece is computed */
  tacWorst worst;       /* largest errors found in the columns */
} Bake;

static void free_bake(Bake *bake) {
  tac_trimesh_destroy(bake->own_surface);
  tac_arrays_free(&bake->arrays);
  free(bake->numbers);
  free(bake->parts.near_start);
  free(bake->parts.near_vertex);
}
TAC_OWNED_TYPE(tacReferenceProblem, tac_reference_problem_destroy)

/* ---- inputs ---- */

static tacStatus list_wanted(Bake *bake, tacError *error) {
  const tacGreenDef *def = bake->def;
  int vertices = bake->parts.surface->vertex_count, count = 0;
  if (def->wanted != NULL && (def->wanted_count < 1 || def->wanted_count > vertices))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of wanted vertices (%d); give 1 to %d",
                         def->wanted_count, vertices);
  bake->wanted = tac_arrays_add(&bake->arrays, (size_t)vertices, sizeof *bake->wanted);
  TAC_TRY(tac_arrays_status(&bake->arrays, "wanted vertices", error));
  for (int v = 0; def->wanted == NULL && v < vertices; ++v)
    if (!def->problem.fixed[v]) bake->wanted[count++] = v;
  for (int i = 0; def->wanted != NULL && i < def->wanted_count; ++i) {
    if (def->wanted[i] < 0 || def->wanted[i] >= vertices)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "wanted vertex %d does not exist; the surface has %d vertices",
                           def->wanted[i], vertices);
    bake->wanted[count++] = def->wanted[i];
  }
  if (count == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "every vertex is fixed, so no column would be computed; give the wanted vertices");
  qsort(bake->wanted, (size_t)count, sizeof *bake->wanted, tac_array_compare_ints);
  for (int i = 1; i < count; ++i)
    if (bake->wanted[i] == bake->wanted[i - 1])
      return tac_error_set(error, TAC_ERR_ARGUMENT, "vertex %d is listed twice as wanted; list it once",
                           bake->wanted[i]);
  bake->parts.column_count = count;
  bake->parts.column_vertex = bake->wanted;
  return TAC_OK;
}

static tacStatus check_memory(double bytes, const char *what, const char *remedy, tacError *error) {
  double machine = (double)tac_physical_memory();
  if (bytes < 0.9 * machine) return TAC_OK;
  return tac_error_set(error, TAC_ERR_MEMORY, "%s would need %.0f bytes (%.1f GiB), but this machine has %.1f GiB; %s",
                       what, bytes, bytes / (1 << 30), machine / (1 << 30), remedy);
}

/* Counts the near blocks if `near_vertex` is NULL, else lists them. */
static void find_near(const Bake *bake, int64_t *start, int *near_vertex) {
  const tacVec3 *p = bake->parts.surface->vertices;
  double radius2 = bake->def->near_radius * bake->def->near_radius;
  int64_t count = 0;
  for (int c = 0; c < bake->parts.column_count; ++c) {
    start[c] = count;
    for (int r = 0; r < bake->parts.column_count; ++r) {
      if (tac_vec3_norm2(tac_vec3_sub(p[bake->wanted[r]], p[bake->wanted[c]])) > radius2) continue;
      if (near_vertex != NULL) near_vertex[count] = bake->wanted[r];
      ++count;
    }
  }
  start[bake->parts.column_count] = count;
}

static tacStatus lay_near(Bake *bake, tacError *error) {
  size_t columns = (size_t)bake->parts.column_count;
  double radius = bake->def->near_radius;
  if (!(radius > 0.0) || !isfinite(radius))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the radius of near storage is %g m; it must be positive", radius);
  bake->parts.near_radius = radius;
  TAC_TRY(TAC_ARRAY(bake->parts.near_start, columns + 1, "near blocks", error));
  find_near(bake, bake->parts.near_start, NULL);
  int64_t blocks = bake->parts.near_start[columns];
  TAC_TRY(check_memory((9.0 * sizeof(double) + sizeof(int)) * (double)blocks, "the near blocks",
                       "use a smaller radius or fewer wanted vertices", error));
  if (blocks > INT32_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "too many near blocks (%lld); at most 2^31 - 1 are possible; use a smaller radius",
                         (long long)blocks);
  TAC_TRY(TAC_ARRAY(bake->parts.near_vertex, (size_t)blocks, "near blocks", error));
  TAC_TRY(TAC_ARRAY(bake->numbers, 9 * (size_t)blocks, "near blocks", error));
  find_near(bake, bake->parts.near_start, bake->parts.near_vertex);
  return TAC_OK;
}

static tacStatus lay_whole(Bake *bake, tacError *error) {
  size_t columns = 3 * (size_t)bake->parts.column_count, rows = (size_t)bake->row_count;
  char what[80];
  snprintf(what, sizeof what, "%zu columns of Green's functions with %zu rows", columns, rows);
  TAC_TRY(check_memory((double)columns * (double)rows * sizeof(double), what,
                       "use near storage, fewer wanted vertices or a coarser surface", error));
  return TAC_ARRAY(bake->numbers, columns * rows, "Green's functions", error);
}

/* Checks the inputs and allocates memory before the computation, so that errors appear at once. */
static tacStatus prepare(Bake *bake, tacError *error) {
  const tacGreenDef *def = bake->def;
  TAC_TRY(tac_reference_def_check(&def->problem, error));
  if (def->problem.method == TAC_FINITE_ELEMENTS)
    TAC_TRY(tac_volmesh_surface(def->problem.volume, &bake->own_surface, NULL, NULL, error));
  if (def->storage != TAC_GREEN_WHOLE && def->storage != TAC_GREEN_NEAR)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown storage %d", (int)def->storage);
  bake->parts = (tacGreenParts){.method = def->problem.method,
                                .storage = def->storage,
                                .surface = bake->own_surface != NULL ? bake->own_surface : def->problem.surface,
                                .fixed = def->problem.fixed,
                                .sensor_count = def->problem.sensor_count,
                                .sensors = def->problem.sensors,
                                .betti_defect = -1.0};
  if (bake->parts.surface->vertex_count > INT32_MAX / 4)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "Green's functions of %d vertices are not supported; use fewer "
                         "vertices",
                         bake->parts.surface->vertex_count);
  bake->row_count = tac_green_parts_row_count(&bake->parts);
  TAC_TRY(tac_reference_def_check_fixed(&def->problem, bake->parts.surface, error));
  TAC_TRY(list_wanted(bake, error));
  TAC_TRY(def->storage == TAC_GREEN_NEAR ? lay_near(bake, error) : lay_whole(bake, error));
  int columns = bake->parts.column_count;
  bake->piece_count = (columns + PIECE - 1) / PIECE;
  bake->piece_start = tac_arrays_add(&bake->arrays, (size_t)bake->piece_count + 1, sizeof *bake->piece_start);
  bake->done = tac_arrays_add(&bake->arrays, (size_t)bake->piece_count, sizeof *bake->done);
  TAC_TRY(tac_arrays_status(&bake->arrays, "pieces", error));
  for (int i = 0; i <= bake->piece_count; ++i) {
    int first = PIECE * i < columns ? PIECE * i : columns;
    bake->piece_start[i] =
        def->storage == TAC_GREEN_NEAR ? 9 * bake->parts.near_start[first] : 3 * (int64_t)first * bake->row_count;
  }
  return TAC_OK;
}

/* ---- computation ---- */

/* Loads the factored problem from its file if the file exists and belongs to this definition. Otherwise creates the
 * problem, and saves it if a file is given. */
static tacStatus create_problem(const Bake *bake, const tacProgress *progress, tacReferenceProblem **problem,
                                tacError *error) {
  const tacGreenDef *def = bake->def;
  if (def->factored != NULL && tac_reference_problem_read(def->factored, problem, NULL) == TAC_OK) {
    if (tac_reference_problem_key(*problem) == tac_reference_def_key(&def->problem, bake->parts.surface->vertex_count))
      return TAC_OK;
    tac_reference_problem_destroy(*problem);
    *problem = NULL;
  }
  TAC_TRY(tac_reference_problem_create(&def->problem, progress, problem, error));
  return def->factored != NULL ? tac_reference_problem_write(*problem, def->factored, error) : TAC_OK;
}

/* Stores the near blocks from the columns of `count` vertices. */
static void keep_near(Bake *bake, int first, int count, const double *columns) {
  size_t rows = (size_t)bake->row_count;
  for (int i = 0; i < count; ++i)
    for (int64_t b = bake->parts.near_start[first + i]; b < bake->parts.near_start[first + i + 1]; ++b)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          bake->numbers[9 * b + 3 * r + c] =
              columns[(size_t)(3 * i + c) * rows + 3 * (size_t)bake->parts.near_vertex[b] + (size_t)r];
}

static tacStatus compute_piece(Bake *bake, tacReferenceProblem *problem, int piece, double *work,
                               const tacProgress *progress, tacError *error) {
  int first = PIECE * piece, count = bake->parts.column_count - first;
  if (count > PIECE) count = PIECE;
  double *columns = work != NULL ? work : bake->numbers + bake->piece_start[piece];
  TAC_TRY(tac_reference_problem_columns(problem, count, bake->wanted + first, progress, columns, error));
  if (work == NULL) return TAC_OK;
  tac_column_check_compare(tac_reference_problem_column_check(problem), count, bake->wanted + first, columns,
                           &bake->worst);
  keep_near(bake, first, count, columns);
  return TAC_OK;
}

static tacStatus compute(Bake *bake, tacReferenceProblem *problem, tacCheckpoint *checkpoint,
                         const tacProgress *progress, tacError *error) {
  TAC_MEMORY(double, work) = NULL;
  if (bake->def->storage == TAC_GREEN_NEAR)
    TAC_TRY(TAC_ARRAY(work, 3 * PIECE * (size_t)bake->row_count, "Green's functions", error));
  for (int i = 0; i < bake->piece_count; ++i) {
    if (bake->done[i]) continue;
    const tacProgressPart part = {progress, (double)i / bake->piece_count, (i + 1.0) / bake->piece_count,
                                  "Green's functions"};
    const tacProgress stage = tac_progress_part(&part);
    TAC_TRY(compute_piece(bake, problem, i, work, &stage, error));
    if (checkpoint->path != NULL) TAC_TRY(tac_checkpoint_add(checkpoint, i, error));
  }
  return TAC_OK;
}

/* Returns a key of all inputs that affect the result, including the compute kernels. So a resumed bake is bitwise equal
 * to an uninterrupted bake. */
static uint64_t key_of(const Bake *bake) {
  const tacGreenDef *def = bake->def;
  uint64_t key = tac_reference_def_key(&def->problem, bake->parts.surface->vertex_count);
  key = tac_reference_def_add_to_key(key, bake->wanted, (size_t)bake->parts.column_count * sizeof *bake->wanted);
  const double storage[2] = {def->storage, bake->parts.near_radius};
  key = tac_reference_def_add_to_key(key, storage, sizeof storage);
  key = tac_reference_def_add_to_key(key, "checked", 7); /* excludes pieces of older versions, which made no checks */
  char blas[200];
  tac_blas_describe(blas, sizeof blas);
  return tac_reference_def_add_to_key(key, blas, strlen(blas));
}

/* Checks the columns. In whole storage, all stored columns are checked, including the columns from a checkpoint. In
 * near storage, each column was checked before its blocks were stored, and `worst` covers the columns computed by this
 * process. */
static tacStatus check_columns(Bake *bake, const tacReferenceProblem *problem, tacBakeChecks *checks, tacError *error) {
  const tacColumnCheck *check = tac_reference_problem_column_check(problem);
  *checks = *tac_reference_problem_checks(problem);
  if (bake->def->storage == TAC_GREEN_WHOLE)
    tac_column_check_compare(check, bake->parts.column_count, bake->wanted, bake->numbers, &bake->worst);
  return tac_bake_checks_add(checks, TAC_COLUMN_CHECK_TEXT, &bake->worst, check->allowed, TAC_COLUMN_CHECK_PLACE,
                             error);
}

/* Measures the error estimate with the first material. Uses a Poisson's ratio of 0.3 if the material is not
 * isotropic. */
static tacStatus measure_error_estimate(const Bake *bake, const tacProgress *progress,
                                        tacGreenErrorEstimate *error_estimate, tacError *error) {
  const tacMaterial *material = &bake->def->problem.materials[0];
  return tac_green_error_estimate_measure(bake->parts.surface, bake->parts.fixed,
                                          material->isotropic ? material->poisson : 0.3,
                                          bake->def->error_estimate_loads, progress, error_estimate, error);
}

tacStatus tac_green_bake(const tacGreenDef *def, const tacProgress *progress, tacGreen **green, tacError *error) {
  TAC_REQUIRE(error, green);
  *green = NULL;
  TAC_REQUIRE(error, def);
  /* Fractions of the bake time for each stage, measured on the models of the gallery. */
  const double problems = def->error_estimate_loads > 0 ? 0.3 : 0.4,
               columns = def->error_estimate_loads > 0 ? 0.6 : 1.0;
  const tacProgressPart parts[3] = {
      {progress, 0.0, problems, NULL}, {progress, problems, columns, NULL}, {progress, columns, 1.0, NULL}};
  const tacProgress stages[3] = {tac_progress_part(&parts[0]), tac_progress_part(&parts[1]),
                                 tac_progress_part(&parts[2])};
  TAC_FREED(free_bake, Bake, bake) = {.def = def};
  TAC_OWN(tacReferenceProblem, problem) = NULL;
  TAC_FREED(tac_checkpoint_close, tacCheckpoint, checkpoint) = {0};
  tacBakeChecks checks = {0};
  tacGreenErrorEstimate error_estimate = {0};
  TAC_TRY(prepare(&bake, error));
  if (def->checkpoint != NULL)
    TAC_TRY(tac_checkpoint_open(def->checkpoint, key_of(&bake), bake.piece_count, bake.piece_start, bake.numbers,
                                bake.done, &checkpoint, error));
  TAC_TRY(create_problem(&bake, &stages[0], &problem, error));
  TAC_TRY(compute(&bake, problem, &checkpoint, &stages[1], error));
  TAC_TRY(check_columns(&bake, problem, &checks, error));
  TAC_TRY(measure_error_estimate(&bake, &stages[2], &error_estimate, error));
  bake.parts.area = tac_reference_problem_area(problem);
  if (def->storage == TAC_GREEN_NEAR)
    bake.parts.near_blocks = bake.numbers;
  else
    bake.parts.columns = bake.numbers;
  TAC_TRY(tac_green_create(&bake.parts, green, error));
  tac_green_set_checks(*green, &checks);
  if (def->error_estimate_loads > 0) tac_green_set_error_estimate(*green, &error_estimate);
  bake.numbers = NULL; /* owned by `*green` now */
  bake.parts.near_start = NULL;
  bake.parts.near_vertex = NULL;
  return TAC_OK;
}
