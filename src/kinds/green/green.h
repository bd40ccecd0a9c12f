/* Creates Green's functions from their parts, and gives access to internal data of <tactus/green.h>. The functions are
 * for offline use and for the load phase. */
#pragma once

#include <stdint.h>
#include <tactus/green.h>

tacReferenceMethod tac_green_method(const tacGreen *green);
tacGreenStorage tac_green_storage(const tacGreen *green);
double tac_green_near_radius(const tacGreen *green); /* near radius, m; 0 unless the storage is TAC_GREEN_NEAR */
int tac_green_sensor_count(const tacGreen *green);
const tacSensor *tac_green_sensor(const tacGreen *green, int index); /* NULL if `index` is out of range */
int tac_green_sensor_row(const tacGreen *green, int index);          /* first row of the sensor */

/* Error estimate of linear elasticity, measured by the bake. Let u (m) be the displacement of a loaded point, computed
 * with the Green's functions. The relative difference from a neo-Hookean body of the same shape is about (u /
 * length)^power, as a root mean square over the surface. */
enum { TAC_GREEN_OUT, TAC_GREEN_IN, TAC_GREEN_ACROSS, TAC_GREEN_WAYS };

typedef struct tacGreenErrorEstimate {
  double power; /* exponent of the estimate; 0 if unknown */
  /* characteristic displacements for forces out of the body, into the body, and along the surface, m */
  double length[TAC_GREEN_WAYS];
} tacGreenErrorEstimate;
const tacGreenErrorEstimate *tac_green_error_estimate(const tacGreen *green);

typedef struct tacGreenParts {
  tacReferenceMethod method;
  tacGreenStorage storage;
  /* ---- parts that tac_green_create copies ---- */
  const tacTriMesh *surface; /* surface; groups are ignored */
  const bool *fixed;         /* [vertex] true if the vertex is fixed */
  const double *area;        /* [vertex] area of each vertex, m^2 */
  int sensor_count;
  const tacSensor *sensors;
  int column_count;
  const int *column_vertex; /* vertices with columns, ascending */
  double betti_defect;      /* reciprocity defect; negative: tac_green_create measures the defect */
  double near_radius;       /* radius of near blocks, m, for TAC_GREEN_NEAR; 0 otherwise */
  /* The created object takes over the following arrays on success. The arrays must come from malloc, and all values
   * must be finite. */
  double *columns;     /* TAC_GREEN_WHOLE: 3 columns per wanted vertex, each with row_count values */
  int64_t *near_start; /* TAC_GREEN_NEAR: [column_count + 1] index of the first block of each column */
  int *near_vertex;    /* [block] wanted vertex of the rows of each block, ascending in each column */
  double *near_blocks; /* [block][9] 3 x 3 blocks, row-major */
} tacGreenParts;

/* Creates Green's functions from their parts. Fails with TAC_ERR_ARGUMENT if the parts are inconsistent. The error
 * names the wrong part. */
tacStatus tac_green_create(const tacGreenParts *parts, tacGreen **green, tacError *error);
/* Stores the results of the checks made by the bake. */
void tac_green_set_checks(tacGreen *green, const tacBakeChecks *checks);
/* Stores the measured error estimate. An unknown estimate ({0}) also counts as measured. */
void tac_green_set_error_estimate(tacGreen *green, const tacGreenErrorEstimate *error_estimate);
bool tac_green_has_error_estimate(const tacGreen *green); /* true if the estimate was measured */
/* Returns the number of rows of a column. */
int tac_green_parts_row_count(const tacGreenParts *parts);
