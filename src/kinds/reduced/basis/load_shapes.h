/* Computes deformation shapes of a solid under loads: static equilibria, or snapshots of the full simulation (Barbic
 * 2007, section 2.8.2; Krysl, Lall and Marsden 2001). Offline. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/solids/solid.h"

typedef struct tacLoadShapes {
  int count;
  double *vector; /* displacements, [shape][3 numbers per vertex], m; zero at held vertices */
} tacLoadShapes;

/* Computes static equilibria under the loads of `def`. Errors name the first sample and the time of the load.
 *
 * `constraints` and `mass` are outputs of tac_vibration_modes_blocks. The loads are thinned to at most max(64, 3 r)
 * distinct loads, with r = def->size. The shapes are thinned by the distance in the mass norm. If a full load does not
 * converge or inverts elements, the largest fraction of the load that converges is used, with a warning in the log. A
 * fraction below one half is an error. */
tacStatus tac_load_shapes_static(const tacSolid *solid, const tacReducedDef *def, const tacConstraints *constraints,
                                 const tacSparse *mass, const tacProgress *progress, tacLoadShapes *shapes,
                                 tacError *error);
/* Computes at most 300 snapshots, evenly spaced in time, of the full simulation. `constraints` and `mass` are outputs
 * of tac_vibration_modes_blocks. The motion starts at rest at the time of the first load. Each load lasts until the
 * next load. The best-fitting rigid motion of a free body is removed. */
tacStatus tac_load_shapes_moving(const tacSolid *solid, const tacReducedDef *def, const tacConstraints *constraints,
                                 const tacSparse *mass, const tacProgress *progress, tacLoadShapes *shapes,
                                 tacError *error);
void tac_load_shapes_destroy(tacLoadShapes *shapes); /* {0} is allowed */

/* Chooses points of a set so that no two chosen points are nearer than `distance`. The set has `count` points with
 * `dimension` coordinates each. The function removes points greedily, from the densest neighbourhoods first; the
 * density is a sum of radial kernels of width `distance`. keep[count] receives the choice. Returns the number of chosen
 * points, or -1 if memory is insufficient. */
int tac_load_shapes_thin(int count, int dimension, const double *points, double distance, bool *keep);
