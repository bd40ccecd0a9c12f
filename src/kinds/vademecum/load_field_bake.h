/* Bakes the distance field of every deformation in a vademecum. Offline. */
#pragma once

#include <tactus/reduced.h>

typedef struct tacLoadFieldDef {
  const tacReduced *shape; /* reduced body with the closed surface and the modes [n] */
  int node_count;
  const int *vertices; /* [node] surface vertices of loads */
  int level_count;
  const double *levels; /* sizes of loads, ascending in (0, 1] */
  const double *states; /* q [node][level][n] */
  int resolution;       /* voxels along the longest side of the box; default 64 */
  tacBox box;           /* the grid's; empty (default): around all deformations */
  double margin;        /* m: space added to the box on each side; 0 (default): three voxels */
  double tolerance;     /* m: error limit of the separated form near the surface; 0 (default): a tenth of a voxel */
  double band;          /* voxels from the surface within which samples are exact; default 4 (tacFieldDef) */
  double bytes_most;    /* peak memory of the bake; default 1 GiB */
  int thread_count;     /* 0: one per core */
} tacLoadFieldDef;
tacLoadFieldDef tac_load_field_def_default(void);

/* Resources of a bake, before it starts. */
typedef struct tacLoadFieldEstimate {
  int nodes[3]; /* grid nodes along each axis */
  tacVec3 origin;
  double spacing;
  double bytes_dense; /* size of all samples as 16-bit numbers; the result is usually smaller */
  double bytes_bake;  /* peak */
} tacLoadFieldEstimate;

/* Offline. TAC_ERR_ARGUMENT: a given box does not contain all deformations; the error says by how much. TAC_ERR_MEMORY:
 * the bake needs more than bytes_most. */
tacStatus tac_load_field_estimate(const tacLoadFieldDef *def, tacLoadFieldEstimate *estimate, tacError *error);

/* Offline. Surfaces may cross themselves: inside means a nonzero winding number. */
tacStatus tac_load_field_bake(const tacLoadFieldDef *def, const tacProgress *progress, tacLoadField **field,
                              tacError *error);
