/* Samples of a scalar function on a regular grid of nodes. */
#ifndef TACTUS_GRID_H
#define TACTUS_GRID_H

#include <tactus/vec3.h>

/* The value at node (i, j, k), which lies at origin + spacing (i, j, k), is values[(k * ny + j) * nx + i]. */
typedef struct tacGrid {
  int nx, ny, nz; /* nodes along each axis, at least 2 */
  tacVec3 origin;
  double spacing; /* metres, the same along each axis */
  float *values;
} tacGrid;

#endif
