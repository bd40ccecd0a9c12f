/* Computes linear vibration modes of a solid at rest, K x = lambda M x (Barbic 2007, (2.43)). Offline. */
#pragma once

#include <tactus/base.h>
#include "elastic/solids/constraints.h"
#include "elastic/solids/solid.h"

typedef struct tacVibrationModes {
  int size;        /* length of a column: 3 numbers per vertex of the mesh; zero at held vertices */
  int count;       /* number of modes, excluding the rigid motions of a free body */
  double *value;   /* eigenvalues lambda = (2 pi frequency)^2, (rad/s)^2, ascending */
  double *vector;  /* mass-orthonormal columns (kg^-1/2); the largest entry of each column is positive */
  int more_count;  /* number of extra modes of a free body, stored after the first `count` modes; 0 for a held body */
  int rigid_count; /* number of rigid motions: 6 for a free body, otherwise 0 */
  double *rigid;   /* mass-orthonormal rigid motions, computed from the mesh */
} tacVibrationModes;

/* Computes the `count` lowest modes. For a free body, a few extra modes complete groups of equal eigenvalues, which
 * modal derivatives need.
 *
 * TAC_ERR_GEOMETRY: a solid with held vertices can still move without strain, or a free solid has several pieces.
 * TAC_ERR_SINGULAR: the mass matrix is singular because a vertex has no elements. TAC_ERR_ARGUMENT: the solid has fewer
 * than `count` modes. */
tacStatus tac_vibration_modes_compute(const tacSolid *solid, int count, const tacProgress *progress,
                                      tacVibrationModes *modes, tacError *error);
void tac_vibration_modes_destroy(tacVibrationModes *modes); /* {0} is allowed */

/* Creates the constraints of the solid, and the blocks of K and M that belong to the free vertices. `stiffness` may be
 * NULL. On failure all outputs are empty. */
tacStatus tac_vibration_modes_blocks(const tacSolid *solid, tacConstraints *constraints, tacSparse *stiffness,
                                     tacSparse *mass, tacError *error);
