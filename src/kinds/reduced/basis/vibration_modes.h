/* Linear vibration modes of a solid, K x = lambda M x (Barbic 2007, (2.43) at rest). Offline. */
#pragma once

#include <tactus/base.h>
#include "elastic/solids/constraints.h"
#include "elastic/solids/solid.h"

typedef struct tacVibrationModes {
  int size;        /* 3 numbers per vertex of the mesh; zero at held ones */
  int count;       /* number of modes, without the rigid motions of a free body */
  double *value;   /* lambda = (2 pi frequency)^2, (rad/s)^2, ascending */
  double *vector;  /* `count` columns, mass-orthonormal (kg^-1/2); the largest entry of each is positive */
  int more_count;  /* extra modes of a free body: complete an eigenvalue's modes for derivatives; 0: held */
  int rigid_count; /* 6 for a free body, else 0 */
  double *rigid;   /* mass-orthonormal rigid motions, computed from the mesh */
} tacVibrationModes;

/* TAC_ERR_GEOMETRY: a solid with held vertices can still move without strain, or a free solid has several pieces.
 * TAC_ERR_SINGULAR: the mass matrix is singular (a vertex has no elements). TAC_ERR_ARGUMENT: the solid has fewer than
 * `count` modes. */
tacStatus tac_vibration_modes_compute(const tacSolid *solid, int count, const tacProgress *progress,
                                      tacVibrationModes *modes, tacError *error);
void tac_vibration_modes_destroy(tacVibrationModes *modes); /* {0} is allowed */

/* Held vertices, and the blocks of K and M for the others; `stiffness` may be NULL. On failure all are empty. */
tacStatus tac_vibration_modes_blocks(const tacSolid *solid, tacConstraints *constraints, tacSparse *stiffness,
                                     tacSparse *mass, tacError *error);
