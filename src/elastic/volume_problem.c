#include "elastic/volume_problem.h"

#include <stdlib.h>
#include <string.h>
#include <tactus/embedding.h>
#include "base/array.h"
#include "elastic/element.h"
#include "elastic/reference_def.h"
#include "elastic/statics.h"

enum { BATCH = 10 }; /* vertices whose columns are solved for at once: 30, one block of right-hand sides */

/* A sensor reads the displacements of one element's vertices. */
typedef struct {
  int row_count, corner_count;
  int vertices[8];
  double weight[6][24]; /* [row][3 corner + axis] */
} SensorRows;

struct tacVolumeProblem {
  tacStatics *statics;
  int volume_count, surface_count; /* vertices */
  int *vertex_of;
  double *factor; /* [vertex of the surface]: area where it is free, 1 / area where it is fixed */
  bool *fixed;
  bool *held; /* [volume vertex] */
  int sensor_count, sensor_rows;
  SensorRows *sensors;
};

void tac_volume_problem_destroy(tacVolumeProblem *problem) {
  if (problem == NULL) return;
  tac_statics_destroy(problem->statics);
  free(problem->vertex_of);
  free(problem->factor);
  free(problem->fixed);
  free(problem->held);
  free(problem->sensors);
  free(problem);
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
  tacStatus status = TAC_OK;
  for (int k = 0; status == TAC_OK && k < 3 * rows->corner_count; ++k) {
    double stress[6] = {0.0}, *unit = &displacement[3 * (size_t)rows->vertices[k / 3] + (size_t)(k % 3)];
    if (sensor->kind == TAC_SENSOR_DISPLACEMENT) {
      rows->weight[k % 3][k] = place->weights[0][k / 3];
      continue;
    }
    *unit = 1.0;
    status = tac_element_stress(mesh, element, material, place->weights[0], displacement, stress, error);
    *unit = 0.0;
    for (int row = 0; row < 6; ++row) rows->weight[row][k] = stress[row];
  }
  return status;
}

static tacStatus place_sensors(const tacReferenceDef *def, tacVolumeProblem *problem, tacError *error) {
  problem->sensor_count = def->sensor_count;
  problem->sensors = tac_array_create((size_t)def->sensor_count, sizeof *problem->sensors, "sensors", error);
  double *displacement =
      tac_array_create(3 * (size_t)problem->volume_count, sizeof *displacement, "a displacement", error);
  tacStatus status = problem->sensors == NULL || displacement == NULL ? TAC_ERR_MEMORY : TAC_OK;
  for (int i = 0; status == TAC_OK && i < def->sensor_count; ++i) {
    tacEmbedding *place = NULL;
    const tacSensor *sensor = &def->sensors[i];
    status = tac_embedding_create(def->volume, 1, &sensor->point, &place, error);
    if (status == TAC_OK && place->outside_count > 0)
      status = tac_reference_def_blame_sensor(sensor, TAC_ERR_GEOMETRY, error);
    if (status == TAC_OK) status = fill_sensor(def, sensor, place, displacement, &problem->sensors[i], error);
    if (status == TAC_OK) problem->sensor_rows += problem->sensors[i].row_count;
    tac_embedding_destroy(place);
  }
  free(displacement);
  return status;
}

static tacStatus report(const tacProgress *progress, const char *what, double fraction, tacError *error) {
  if (progress == NULL || progress->report == NULL || progress->report(what, fraction, progress->user)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_CANCELLED, "%s: cancelled", what);
}

tacStatus tac_volume_problem_create(const tacReferenceDef *def, int vertex_count, const int *vertex_of,
                                    const double *area, const tacProgress *progress, tacVolumeProblem **result,
                                    tacError *error) {
  *result = NULL;
  tacStatus status = report(progress, "stiffness factors", 0.0, error);
  if (status != TAC_OK) return status;
  tacVolumeProblem *problem = tac_array_create(1, sizeof *problem, "a volume problem", error);
  if (problem == NULL) return TAC_ERR_MEMORY;
  size_t count = (size_t)vertex_count;
  problem->volume_count = def->volume->vertex_count;
  problem->surface_count = vertex_count;
  problem->vertex_of = tac_array_create(count, sizeof *problem->vertex_of, "vertices", error);
  problem->factor = tac_array_create(count, sizeof *problem->factor, "vertices", error);
  problem->fixed = tac_array_create(count, sizeof *problem->fixed, "vertices", error);
  problem->held = tac_array_create((size_t)problem->volume_count, sizeof *problem->held, "vertices", error);
  status = TAC_ERR_MEMORY;
  if (problem->vertex_of == NULL || problem->factor == NULL || problem->fixed == NULL || problem->held == NULL)
    goto done;
  for (int v = 0; v < vertex_count; ++v) {
    problem->vertex_of[v] = vertex_of[v];
    problem->fixed[v] = problem->held[vertex_of[v]] = def->fixed[v];
    problem->factor[v] = def->fixed[v] ? 1.0 / area[v] : area[v];
  }
  status = place_sensors(def, problem, error);
  if (status == TAC_OK)
    status = tac_statics_create(def->volume, def->materials, def->material_of, problem->held, &problem->statics, error);
  if (status == TAC_OK) status = report(progress, "stiffness factors", 1.0, error);
done:
  if (status != TAC_OK) {
    tac_volume_problem_destroy(problem);
    problem = NULL;
  }
  *result = problem;
  return status;
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
  for (int v = 0; v < problem->surface_count; ++v)
    if (problem->fixed[v]) memset(response + 3 * (size_t)problem->vertex_of[v], 0, 3 * sizeof *response);
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

tacStatus tac_volume_problem_columns(tacVolumeProblem *problem, int count, const int *vertices,
                                     const tacProgress *progress, double *columns, tacError *error) {
  size_t size = 3 * (size_t)problem->volume_count;
  size_t rows = 3 * (size_t)problem->surface_count + (size_t)problem->sensor_rows;
  double *cases = tac_array_create((size_t)(3 * BATCH) * size, sizeof *cases, "load cases", error);
  tacStatus status = cases == NULL ? TAC_ERR_MEMORY : TAC_OK;
  for (int from = 0; status == TAC_OK && from < count; from += BATCH) {
    int batch = count - from < BATCH ? count - from : BATCH;
    status = report(progress, "Green's functions", (double)from / count, error);
    if (status != TAC_OK) break;
    memset(cases, 0, 3 * (size_t)batch * size * sizeof *cases);
    for (int i = 0; i < 3 * batch; ++i) {
      int v = vertices[from + i / 3];
      cases[(size_t)i * size + 3 * (size_t)problem->vertex_of[v] + (size_t)(i % 3)] =
          problem->fixed[v] ? 1.0 : problem->factor[v];
    }
    status = tac_statics_solve(problem->statics, 3 * batch, cases, cases, error);
    for (int i = 0; status == TAC_OK && i < 3 * batch; ++i) {
      int v = vertices[from + i / 3];
      keep_column(problem, cases + (size_t)i * size, problem->fixed[v] ? 3 * problem->vertex_of[v] + i % 3 : -1,
                  columns + (3 * (size_t)from + (size_t)i) * rows);
    }
  }
  if (status == TAC_OK) status = report(progress, "Green's functions", 1.0, error);
  free(cases);
  return status;
}
