/* Baking the distance field of every deformation in a vademecum. Offline. */
#pragma once

#include <tactus/reduced.h>

typedef struct tacLoadFieldDef {
  const tacReduced *shape; /* its surface, closed, and how it moves with q [n] */
  int node_count;
  const int *vertices; /* [node] of the surface, where loads act */
  int level_count;
  const double *levels; /* sizes of loads, ascending in (0, 1] */
  const double *states; /* q [node][level][n] */
  int resolution;       /* voxels along the longest side of the box; default 64 */
  tacBox box;           /* the grid's; empty (default): around all deformations */
  double margin;        /* m: what the box is larger than they are, on each side; 0 (default): three voxels */
  double tolerance;     /* m: of the separated form near the surface; 0 (default): a tenth of a voxel */
  double band;          /* voxels from the surface within which samples are exact; default 4 (tacFieldDef) */
  double bytes_most;    /* of what the bake holds at once; default 1 GiB */
  int thread_count;     /* 0: one for each core */
} tacLoadFieldDef;
tacLoadFieldDef tac_load_field_def_default(void);

/* What a bake will need, before it is begun. */
typedef struct tacLoadFieldEstimate {
  int nodes[3]; /* of the grid */
  tacVec3 origin;
  double spacing;
  double bytes_dense; /* of all samples as 16-bit numbers: more than the result will have, as a rule */
  double bytes_bake;  /* at once */
} tacLoadFieldEstimate;

/* Offline. TAC_ERR_ARGUMENT where a box is given that does not hold all deformations: says by how much.
 * TAC_ERR_MEMORY where more would be needed than bytes_most. */
tacStatus tac_load_field_estimate(const tacLoadFieldDef *def, tacLoadFieldEstimate *estimate, tacError *error);

/* Offline. Surfaces may cross themselves: inside is where the winding number is not zero. */
tacStatus tac_load_field_bake(const tacLoadFieldDef *def, const tacProgress *progress, tacLoadField **field,
                              tacError *error);
