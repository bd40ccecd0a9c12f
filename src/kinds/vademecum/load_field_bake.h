/* Bakes the distance fields of a body under many loads: a field per loaded node and magnitude. Runs offline. */
#pragma once

#include <tactus/reduced.h>

typedef struct tacLoadFieldDef {
  const tacReduced *shape; /* reduced body with a closed surface and n modes */
  int node_count;
  const int *vertices; /* [node]: surface vertex that the load acts on */
  int level_count;
  const double *levels; /* [level]: load relative to the largest load, ascending in (0, 1] */
  const double *states; /* [node][level][n]: modal coordinates of each deformation */
  int resolution;       /* number of voxels along the longest side of the box; default 64 */
  tacBox box;           /* extent of the grid; empty (default): a box around all deformations */
  double margin;        /* m: space on each side of the default box; 0 (default): three voxels */
  double tolerance; /* m: error limit of the low-rank approximation near the surface; 0 (default): a tenth of a voxel */
  double band;      /* voxels: distance from the surface up to which samples are exact; default 4 (tacFieldDef) */
  double bytes_most; /* limit of the bake's peak memory, bytes; default 1 GiB */
  int thread_count;  /* number of threads; 0 means one per core */
} tacLoadFieldDef;
tacLoadFieldDef tac_load_field_def_default(void);

/* Estimated grid and memory of a bake. */
typedef struct tacLoadFieldEstimate {
  int nodes[3]; /* number of grid nodes along each axis */
  tacVec3 origin;
  double spacing;
  double bytes_dense; /* bytes of all samples as 16-bit numbers; the baked field is usually smaller */
  double bytes_bake;  /* peak memory of the bake, bytes */
} tacLoadFieldEstimate;

/* Estimates a bake. Fails with TAC_ERR_ARGUMENT if a given box does not contain all deformations; the error reports
 * the missing distance. Fails with TAC_ERR_MEMORY if the bake needs more than `bytes_most`. Call offline. */
tacStatus tac_load_field_estimate(const tacLoadFieldDef *def, tacLoadFieldEstimate *estimate, tacError *error);

/* Bakes the fields. A deformed surface may intersect itself: a point is inside if its winding number is nonzero. Call
 * offline. */
tacStatus tac_load_field_bake(const tacLoadFieldDef *def, const tacProgress *progress, tacLoadField **field,
                              tacError *error);
