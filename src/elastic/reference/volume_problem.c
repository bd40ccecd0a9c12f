#include "elastic/reference/volume_problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "elastic/reference/reference_def.h"
#include "elastic/solids/inertia_relief.h"
#include "elastic/solids/statics.h"
#include "math/geometry/vec3.h"
#include "mesh/query/embedding.h"

enum { BATCH = 10 }; /* vertices whose columns are solved for at once: 30, one block of right-hand sides */

TAC_OWNED_TYPE(tacEmbedding, tac_embedding_destroy)

/* A sensor reads the displacements of one element's vertices. */
typedef struct {
  int row_count, corner_count;
  int vertices[8];
  double weight[6][24]; /* [row][3 corner + axis] */
} SensorRows;

struct tacVolumeProblem {
  tacArrays arrays;
  tacStatics *statics;             /* one of the two */
  tacInertiaRelief *relief;        /* of a free body */
  int volume_count, surface_count; /* vertices */
  int *vertex_of;
  double *factor; /* [vertex of the surface]: area where it is free, 1 / area where it is fixed */
  bool *fixed;
  bool *held; /* [volume vertex]: what is fixed, inside too */
  int sensor_count, sensor_rows;
  SensorRows *sensors;
  tacBakeChecks checks;
  tacColumnCheck column_check;
};

void tac_volume_problem_destroy(tacVolumeProblem *problem) {
  if (problem == NULL) return;
  tac_statics_destroy(problem->statics);
  tac_inertia_relief_destroy(problem->relief);
  tac_column_check_destroy(&problem->column_check);
  tac_arrays_free(&problem->arrays);
  free(problem);
}

const tacBakeChecks *tac_volume_problem_checks(const tacVolumeProblem *problem) {
  return &problem->checks;
}

const tacColumnCheck *tac_volume_problem_column_check(const tacVolumeProblem *problem) {
  return &problem->column_check;
}

/* The rows of a sensor at the point that an embedding found; `displacement` is zero, 3 numbers a vertex of the mesh. */
static tacStatus fill_sensor(const tacReferenceDef *def, const tacSensor *sensor, const tacEmbedding *place,
                             double *displacement, SensorRows *rows, tacError *error) {
  const tacVolMesh *mesh = def->volume;
  int element = place->elements[0];
  rows->row_count = tac_reference_def_sensor_rows(sensor->kind);
  rows->corner_count = tac_element_corner_count(mesh, element);
  memcpy(rows->vertices, tac_element_vertices(mesh, element), (size_t)rows->corner_count * sizeof *rows->vertices);
  const tacMaterial *material = &def->materials[def->material_of != NULL ? def->material_of[element] : 0];
  for (int k = 0; k < 3 * rows->corner_count; ++k) {
    double stress[6] = {0.0}, *unit = &displacement[3 * (size_t)rows->vertices[k / 3] + (size_t)(k % 3)];
    if (sensor->kind == TAC_SENSOR_DISPLACEMENT) {
      rows->weight[k % 3][k] = place->weights[0][k / 3];
      continue;
    }
    *unit = 1.0;
    TAC_TRY(tac_element_stress(mesh, element, material, place->weights[0], displacement, stress, error));
    *unit = 0.0;
    for (int row = 0; row < 6; ++row) rows->weight[row][k] = stress[row];
  }
  return TAC_OK;
}

static tacStatus place_sensors(const tacReferenceDef *def, tacVolumeProblem *problem, tacError *error) {
  problem->sensor_count = def->sensor_count;
  problem->sensors = tac_arrays_add(&problem->arrays, (size_t)def->sensor_count, sizeof *problem->sensors);
  TAC_MEMORY(double, displacement) = NULL;
  TAC_TRY(TAC_ARRAY(displacement, 3 * (size_t)problem->volume_count, "a displacement", error));
  TAC_TRY(tac_arrays_status(&problem->arrays, "sensors", error));
  for (int i = 0; i < def->sensor_count; ++i) {
    TAC_OWN(tacEmbedding, place) = NULL;
    const tacSensor *sensor = &def->sensors[i];
    TAC_TRY(tac_embedding_create(def->volume, 1, &sensor->point, &place, error));
    if (place->outside_count > 0) return tac_reference_def_sensor_error(sensor, TAC_ERR_GEOMETRY, error);
    TAC_TRY(fill_sensor(def, sensor, place, displacement, &problem->sensors[i], error));
    problem->sensor_rows += problem->sensors[i].row_count;
  }
  return TAC_OK;
}

static tacStatus solve(tacVolumeProblem *problem, int count, double *cases, tacError *error) {
  return problem->relief != NULL ? tac_inertia_relief_solve(problem->relief, count, cases, cases, error)
                                 : tac_statics_solve(problem->statics, count, cases, cases, error);
}

static tacStatus report(const tacProgress *progress, const char *what, double fraction, tacError *error) {
  if (progress == NULL || progress->report == NULL || progress->report(what, fraction, progress->user)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_CANCELLED, "%s: the solution was cancelled", what);
}

/* ---- checks ---- */

/* What checks are made from: K itself, element by element. */
typedef struct {
  tacArrays arrays;
  size_t size;        /* 3 numbers a vertex of the volume */
  double *y;          /* [functional][size] */
  double *load;       /* [functional][size]: g of free vertices */
  double *ky, *bound; /* [functional][size]: K y and |K| |y| */
  double *constant;   /* [functional][size]: what a sensor reads of a held vertex's own displacement */
  double *row_sum;    /* [size]: of |K| */
  double norm;        /* of K: the largest of them */
} Adjoint;

static void free_adjoint(Adjoint *adjoint) {
  tac_arrays_free(&adjoint->arrays);
}

static tacStatus create_adjoint(size_t size, Adjoint *adjoint, tacError *error) {
  size_t count = TAC_COLUMN_FUNCTIONALS * size;
  *adjoint = (Adjoint){.size = size};
  adjoint->y = tac_arrays_add(&adjoint->arrays, count, sizeof(double));
  adjoint->load = tac_arrays_add(&adjoint->arrays, count, sizeof(double));
  adjoint->ky = tac_arrays_add(&adjoint->arrays, count, sizeof(double));
  adjoint->bound = tac_arrays_add(&adjoint->arrays, count, sizeof(double));
  adjoint->constant = tac_arrays_add(&adjoint->arrays, count, sizeof(double));
  adjoint->row_sum = tac_arrays_add(&adjoint->arrays, size, sizeof(double));
  return tac_arrays_status(&adjoint->arrays, "a check", error);
}

/* Adds K y and |K| |y|; with `sums_only` the sums of the rows of |K|. */
static tacStatus multiply_elements(const tacReferenceDef *def, Adjoint *adjoint, bool sums_only, tacError *error) {
  const tacVolMesh *mesh = def->volume;
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    double k[576];
    const int *v = tac_element_vertices(mesh, e);
    int rows = 3 * tac_element_corner_count(mesh, e);
    const tacMaterial *material = &def->materials[def->material_of != NULL ? def->material_of[e] : 0];
    TAC_TRY(tac_element_stiffness(mesh, e, material, k, error));
    for (int i = 0; i < rows; ++i) {
      size_t row = 3 * (size_t)v[i / 3] + (size_t)(i % 3);
      for (int j = 0; sums_only && j < rows; ++j) adjoint->row_sum[row] += fabs(k[i * rows + j]);
      for (size_t f = 0; !sums_only && f < TAC_COLUMN_FUNCTIONALS; ++f)
        for (int j = 0; j < rows; ++j) {
          double part = k[i * rows + j] * adjoint->y[f * adjoint->size + 3 * (size_t)v[j / 3] + (size_t)(j % 3)];
          adjoint->ky[f * adjoint->size + row] += part;
          adjoint->bound[f * adjoint->size + row] += fabs(part);
        }
    }
  }
  for (size_t i = 0; sums_only && i < adjoint->size; ++i) adjoint->norm = fmax(adjoint->norm, adjoint->row_sum[i]);
  return TAC_OK;
}

/* Weights in metres, and what they are of displacements: g at free vertices, -g at held ones, where rows are reactions
 * over areas. */
static void weigh_rows(const tacVolumeProblem *problem, Adjoint *adjoint, size_t f, double *weight) {
  double *load = adjoint->load + f * adjoint->size, *y = adjoint->y + f * adjoint->size;
  double *constant = adjoint->constant + f * adjoint->size;
  for (int v = 0; v < problem->surface_count; ++v)
    for (size_t axis = 0; axis < 3; ++axis) {
      size_t to = 3 * (size_t)problem->vertex_of[v] + axis;
      double *g = &weight[3 * (size_t)v + axis];
      if (problem->fixed[v]) {
        y[to] = -*g / adjoint->norm;
        *g /= adjoint->norm * problem->factor[v]; /* which is 1 / area */
      } else {
        load[to] += *g;
      }
    }
  double *g = weight + 3 * (size_t)problem->surface_count;
  for (int i = 0; i < problem->sensor_count; ++i) {
    const SensorRows *sensor = &problem->sensors[i];
    for (int row = 0; row < sensor->row_count; ++row, ++g) {
      double largest = 0.0;
      for (int k = 0; k < 3 * sensor->corner_count; ++k) largest = fmax(largest, fabs(sensor->weight[row][k]));
      *g *= largest > 0.0 ? 1.0 / largest : 0.0;
      for (int k = 0; k < 3 * sensor->corner_count; ++k) {
        int vertex = sensor->vertices[k / 3];
        size_t to = 3 * (size_t)vertex + (size_t)(k % 3);
        (problem->held[vertex] ? constant : load)[to] += *g * sensor->weight[row][k];
      }
    }
  }
}

/* g^T Xi_j is a_j y_j of a free vertex, and -(K y)_j of a held one, where y has the weights of held vertices as
 * displacements (with the other sign) and those of free ones as loads: y^T K u = u^T K y. */
static void expect_columns(const tacVolumeProblem *problem, const Adjoint *adjoint, size_t f, double *expected) {
  for (int v = 0; v < problem->surface_count; ++v)
    for (size_t axis = 0; axis < 3; ++axis) {
      size_t from = f * adjoint->size + 3 * (size_t)problem->vertex_of[v] + axis;
      expected[3 * (size_t)v + axis] =
          problem->fixed[v] ? adjoint->constant[from] - adjoint->ky[from] : problem->factor[v] * adjoint->y[from];
    }
}

/* Displacements of a free body have no momentum, R^T M y = 0, summed over the elements. */
static tacStatus check_momentum(const tacReferenceDef *def, tacVolumeProblem *problem, const Adjoint *adjoint,
                                tacError *error) {
  const tacVolMesh *mesh = def->volume;
  tacVec3 centre = tac_inertia_relief_mass(problem->relief)->centre;
  tacWorst worst = {0};
  for (size_t f = 0; f < TAC_COLUMN_FUNCTIONALS; ++f) {
    double sum[6] = {0.0}, size[2] = {0.0};
    for (int e = 0; e < tac_element_count(mesh); ++e) {
      double m[64];
      const int *v = tac_element_vertices(mesh, e);
      int count = tac_element_corner_count(mesh, e);
      const tacMaterial *material = &def->materials[def->material_of != NULL ? def->material_of[e] : 0];
      TAC_TRY(tac_element_mass(mesh, e, material, TAC_MASS_CONSISTENT, m, error));
      for (int i = 0; i < count * count; ++i) {
        const double *y = adjoint->y + f * adjoint->size + 3 * (size_t)v[i % count];
        tacVec3 p = tac_vec3(m[i] * y[0], m[i] * y[1], m[i] * y[2]);
        tacVec3 r = tac_vec3_sub(mesh->vertices[v[i / count]], centre), l = tac_vec3_cross(r, p);
        const double parts[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
        for (int k = 0; k < 6; ++k) sum[k] += parts[k];
        size[0] += tac_vec3_norm(p);
        size[1] += tac_vec3_norm(r) * tac_vec3_norm(p);
      }
    }
    for (int k = 0; k < 6; ++k) tac_worst_add(&worst, sum[k] == 0.0 ? 0.0 : fabs(sum[k]) / size[k / 3], k);
  }
  return tac_bake_checks_add(&problem->checks, "displacements without momentum", &worst, tac_column_check_allow(0.0),
                             "rigid motion", error);
}

/* The adjoint solutions, whose balance K y = g is checked at every free vertex, and what columns must be by them.
 * Rounding changes K by some epsilon |K|: the balance by epsilon |K| |y|, a functional by epsilon |y| |K| |u|. */
static tacStatus prepare_checks(const tacReferenceDef *def, tacVolumeProblem *problem, tacError *error) {
  tacColumnCheck *check = &problem->column_check;
  int rows = 3 * problem->surface_count + problem->sensor_rows;
  TAC_FREED(free_adjoint, Adjoint, adjoint) = {0};
  tacWorst worst = {0};
  TAC_TRY(create_adjoint(3 * (size_t)problem->volume_count, &adjoint, error));
  TAC_TRY(tac_column_check_create(rows, 3 * problem->surface_count, check, error));
  TAC_TRY(multiply_elements(def, &adjoint, true, error));
  size_t size = adjoint.size;
  for (size_t f = 0; f < TAC_COLUMN_FUNCTIONALS; ++f)
    weigh_rows(problem, &adjoint, f, check->weight + f * (size_t)rows);
  if (problem->relief != NULL) tac_inertia_relief_balance(problem->relief, TAC_COLUMN_FUNCTIONALS, adjoint.load);
  for (size_t i = 0; i < TAC_COLUMN_FUNCTIONALS * size; ++i) /* as tac_statics_solve wants it */
    adjoint.ky[i] = problem->held[i % size / 3] ? adjoint.y[i] : adjoint.load[i];
  TAC_TRY(solve(problem, TAC_COLUMN_FUNCTIONALS, adjoint.ky, error));
  for (size_t i = 0; i < TAC_COLUMN_FUNCTIONALS * size; ++i) {
    if (!problem->held[i % size / 3]) adjoint.y[i] = adjoint.ky[i];
    adjoint.ky[i] = 0.0;
  }
  TAC_TRY(multiply_elements(def, &adjoint, false, error));
  double noise = 0.0, condition = 0.0;
  for (size_t f = 0; f < TAC_COLUMN_FUNCTIONALS; ++f) {
    double largest = 0.0, bound = 0.0, y2 = 0.0;
    for (size_t i = f * size; i < (f + 1) * size; ++i) {
      largest = fmax(largest, fabs(adjoint.load[i]));
      bound = fmax(bound, adjoint.bound[i]);
      y2 += adjoint.y[i] * adjoint.y[i];
    }
    if (largest == 0.0) largest = bound; /* every vertex of the surface is held */
    for (size_t i = 0; i < size; ++i) {
      double left = fabs(adjoint.ky[f * size + i] - adjoint.load[f * size + i]);
      if (!problem->held[i / 3]) tac_worst_add(&worst, left == 0.0 ? 0.0 : left / largest, (int)(i / 3));
    }
    noise = fmax(noise, DBL_EPSILON * sqrt(y2) * adjoint.norm);
    condition = fmax(condition, largest > 0.0 ? bound / largest : 0.0);
    expect_columns(problem, &adjoint, f, check->expected + f * (size_t)check->column_count);
  }
  check->allowed = tac_column_check_allow(noise);
  TAC_TRY(tac_bake_checks_add(&problem->checks, "loads with K u summed over the elements", &worst,
                              tac_column_check_allow(DBL_EPSILON * condition), "vertex", error));
  return problem->relief != NULL ? check_momentum(def, problem, &adjoint, error) : TAC_OK;
}

tacStatus tac_volume_problem_create(const tacReferenceDef *def, int vertex_count, const int *vertex_of,
                                    const double *area, const tacProgress *progress, tacVolumeProblem **result,
                                    tacError *error) {
  *result = NULL;
  TAC_TRY(report(progress, "stiffness factors", 0.0, error));
  TAC_OWN(tacVolumeProblem, problem) = tac_array_create(1, sizeof *problem, "a volume problem", error);
  if (problem == NULL) return TAC_ERR_MEMORY;
  size_t count = (size_t)vertex_count;
  problem->volume_count = def->volume->vertex_count;
  problem->surface_count = vertex_count;
  problem->vertex_of = tac_arrays_add(&problem->arrays, count, sizeof *problem->vertex_of);
  problem->factor = tac_arrays_add(&problem->arrays, count, sizeof *problem->factor);
  problem->fixed = tac_arrays_add(&problem->arrays, count, sizeof *problem->fixed);
  problem->held = tac_arrays_add(&problem->arrays, (size_t)problem->volume_count, sizeof *problem->held);
  TAC_TRY(tac_arrays_status(&problem->arrays, "vertices", error));
  for (int v = 0; v < problem->volume_count && def->fixed_inside != NULL; ++v) problem->held[v] = def->fixed_inside[v];
  for (int v = 0; v < vertex_count; ++v) {
    problem->vertex_of[v] = vertex_of[v];
    problem->fixed[v] = problem->held[vertex_of[v]] = def->fixed[v];
    problem->factor[v] = def->fixed[v] ? 1.0 / area[v] : area[v];
  }
  TAC_TRY(place_sensors(def, problem, error));
  const tacSolid solid = {.mesh = def->volume,
                          .material_count = def->material_count,
                          .materials = def->materials,
                          .material_of = def->material_of};
  TAC_TRY(
      tac_reference_def_is_free(def->fixed, vertex_count)
          ? tac_inertia_relief_create(&solid, NULL, &problem->relief, error)
          : tac_statics_create(def->volume, def->materials, def->material_of, problem->held, &problem->statics, error));
  TAC_TRY(prepare_checks(def, problem, error));
  TAC_TRY(report(progress, "stiffness factors", 1.0, error));
  *result = tac_give(&problem);
  return TAC_OK;
}

/* What a column keeps of the response of the whole volume. `imposed` is the held vertex and axis that is displaced by 1 m,
 * -1 where none is. */
static void keep_column(const tacVolumeProblem *problem, double *response, int imposed, double *column) {
  for (int v = 0; v < problem->surface_count; ++v) {
    const double *from = response + 3 * (size_t)problem->vertex_of[v];
    double scale = problem->fixed[v] ? problem->factor[v] : 1.0;
    for (int axis = 0; axis < 3; ++axis) column[3 * v + axis] = scale * from[axis];
  }
  if (problem->sensor_count == 0) return;
  /* Sensors read displacements, also those of held vertices. */
  for (int v = 0; v < problem->volume_count; ++v)
    if (problem->held[v]) memset(response + 3 * (size_t)v, 0, 3 * sizeof *response);
  if (imposed >= 0) response[imposed] = 1.0;
  double *to = column + 3 * (size_t)problem->surface_count;
  for (int i = 0; i < problem->sensor_count; ++i) {
    const SensorRows *sensor = &problem->sensors[i];
    for (int row = 0; row < sensor->row_count; ++row, ++to) {
      *to = 0.0;
      for (int k = 0; k < 3 * sensor->corner_count; ++k)
        *to += sensor->weight[row][k] * response[3 * (size_t)sensor->vertices[k / 3] + (size_t)(k % 3)];
    }
  }
}

typedef struct {
  tacVolumeProblem *problem;
  int count;
  const int *vertices;
  double *columns;
  double **cases;    /* [thread]: 3 BATCH */
  tacStatus *status; /* [batch] */
} Columns;

static tacStatus compute_batch(const Columns *c, int from, int thread, tacError *error) {
  const tacVolumeProblem *problem = c->problem;
  size_t size = 3 * (size_t)problem->volume_count;
  size_t rows = 3 * (size_t)problem->surface_count + (size_t)problem->sensor_rows;
  int batch = c->count - from < BATCH ? c->count - from : BATCH;
  if (c->cases[thread] == NULL)
    c->cases[thread] = tac_array_create((size_t)(3 * BATCH) * size, sizeof(double), "load cases", error);
  double *cases = c->cases[thread];
  if (cases == NULL) return TAC_ERR_MEMORY;
  memset(cases, 0, 3 * (size_t)batch * size * sizeof *cases);
  for (int i = 0; i < 3 * batch; ++i) {
    int v = c->vertices[from + i / 3];
    cases[(size_t)i * size + 3 * (size_t)problem->vertex_of[v] + (size_t)(i % 3)] =
        problem->fixed[v] ? 1.0 : problem->factor[v];
  }
  TAC_TRY(solve(c->problem, 3 * batch, cases, error));
  for (int i = 0; i < 3 * batch; ++i) {
    int v = c->vertices[from + i / 3];
    keep_column(problem, cases + (size_t)i * size, problem->fixed[v] ? 3 * problem->vertex_of[v] + i % 3 : -1,
                c->columns + (3 * (size_t)from + (size_t)i) * rows);
  }
  return TAC_OK;
}

static void compute_batches(size_t begin, size_t end, int thread, void *context) {
  const Columns *c = context;
  for (size_t i = begin; i < end; ++i) c->status[i] = compute_batch(c, BATCH * (int)i, thread, NULL);
}

tacStatus tac_volume_problem_columns(tacVolumeProblem *problem, int count, const int *vertices,
                                     const tacProgress *progress, double *columns, tacError *error) {
  int threads = problem->relief != NULL ? 1 : tac_parallel_core_count(), batches = (count + BATCH - 1) / BATCH;
  Columns c = {.problem = problem, .count = count, .vertices = vertices, .columns = columns};
  c.cases = tac_array_create((size_t)threads, sizeof *c.cases, "load cases", error);
  c.status = tac_array_create((size_t)batches, sizeof *c.status, "load cases", error);
  tacStatus status = c.cases == NULL || c.status == NULL ? TAC_ERR_MEMORY : TAC_OK;
  if (status == TAC_OK)
    status = tac_parallel_for(threads, (size_t)batches, 1, compute_batches, &c, progress, "Green's functions", error);
  for (int i = 0; status == TAC_OK && i < batches; ++i) /* again, for the text of the error */
    if (c.status[i] != TAC_OK) status = compute_batch(&c, BATCH * i, 0, error);
  for (int t = 0; c.cases != NULL && t < threads; ++t) free(c.cases[t]);
  free(c.cases);
  free(c.status);
  return status;
}
