/* Making Green's functions from their parts: the internal side of <tactus/green.h>. Offline and load phases. */
#pragma once

#include <stdint.h>
#include <tactus/green.h>

typedef struct tacGreenParts {
  tacReferenceMethod method;
  tacGreenStorage storage;
  /* Copied. */
  const tacTriMesh *surface; /* without its groups */
  const bool *fixed;         /* [vertex] */
  const double *area;        /* [vertex] */
  int sensor_count;
  const tacSensor *sensors;
  int column_count;
  const int *column_vertex; /* ascending */
  double betti_defect;      /* negative: to be measured */
  double near_radius;       /* TAC_GREEN_NEAR; 0 otherwise */
  /* Taken over on success; from malloc. Numbers must be finite. */
  double *columns;     /* TAC_GREEN_WHOLE: 3 columns a wanted vertex, row_count numbers each */
  int64_t *near_start; /* TAC_GREEN_NEAR: [column + 1] -> its blocks, */
  int *near_vertex;    /* [block] -> the row's vertex, ascending within a column, a wanted one, */
  double *near_blocks; /* [block][9], row-major */
} tacGreenParts;

/* TAC_ERR_ARGUMENT where the parts do not fit together (says which). */
tacStatus tac_green_create(const tacGreenParts *parts, tacGreen **green, tacError *error);
/* What its bake was compared with. */
void tac_green_set_checks(tacGreen *green, const tacBakeChecks *checks);
/* What was measured of it, also where nothing could be told. */
void tac_green_set_doubt(tacGreen *green, const tacGreenDoubt *doubt);
bool tac_green_has_doubt(const tacGreen *green); /* it was measured */
/* Rows of a column. */
int tac_green_parts_row_count(const tacGreenParts *parts);
