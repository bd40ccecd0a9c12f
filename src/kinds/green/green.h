/* Creation of Green's functions from their parts: the internal side of <tactus/green.h>. Offline and load phases. */
#pragma once

#include <stdint.h>
#include <tactus/green.h>

tacReferenceMethod tac_green_method(const tacGreen *green);
tacGreenStorage tac_green_storage(const tacGreen *green);
double tac_green_near_radius(const tacGreen *green); /* m; 0 unless the storage is TAC_GREEN_NEAR */
int tac_green_sensor_count(const tacGreen *green);
const tacSensor *tac_green_sensor(const tacGreen *green, int index); /* NULL: out of range */
int tac_green_sensor_row(const tacGreen *green, int index);          /* first row of the sensor */

/* Error estimate of linear elasticity, measured at bake. Let u (m) be the displacement of a loaded point, computed with
 * these functions. The relative difference from a neo-Hookean body of the same shape is about (u / length)^power, as a
 * root mean square over the surface. */
enum { TAC_GREEN_OUT, TAC_GREEN_IN, TAC_GREEN_ACROSS, TAC_GREEN_WAYS };

typedef struct tacGreenErrorEstimate {
  double power;                  /* 0: unknown */
  double length[TAC_GREEN_WAYS]; /* m: for forces directed out of the body, into the body, and along its surface */
} tacGreenErrorEstimate;
const tacGreenErrorEstimate *tac_green_error_estimate(const tacGreen *green);

typedef struct tacGreenParts {
  tacReferenceMethod method;
  tacGreenStorage storage;
  /* Copied. */
  const tacTriMesh *surface; /* without groups */
  const bool *fixed;         /* [vertex] */
  const double *area;        /* [vertex] */
  int sensor_count;
  const tacSensor *sensors;
  int column_count;
  const int *column_vertex; /* ascending */
  double betti_defect;      /* negative: tac_green_create measures it */
  double near_radius;       /* TAC_GREEN_NEAR; 0 otherwise */
  /* Taken over on success; from malloc. Numbers must be finite. */
  double *columns;     /* TAC_GREEN_WHOLE: 3 columns per wanted vertex, row_count numbers each */
  int64_t *near_start; /* TAC_GREEN_NEAR: [column + 1], index of the column's first block */
  int *near_vertex;    /* [block]: wanted vertex of the block's rows, ascending within a column */
  double *near_blocks; /* [block][9], row-major */
} tacGreenParts;

/* TAC_ERR_ARGUMENT: the parts are inconsistent; the error names the part. */
tacStatus tac_green_create(const tacGreenParts *parts, tacGreen **green, tacError *error);
/* Stores the results of the bake's checks. */
void tac_green_set_checks(tacGreen *green, const tacBakeChecks *checks);
/* Stores the measured estimate. An unknown estimate ({0}) counts as measured, too. */
void tac_green_set_error_estimate(tacGreen *green, const tacGreenErrorEstimate *error_estimate);
bool tac_green_has_error_estimate(const tacGreen *green); /* true: the estimate was measured */
/* Number of rows of a column. */
int tac_green_parts_row_count(const tacGreenParts *parts);
