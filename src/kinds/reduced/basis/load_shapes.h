/* Shapes that loads give a solid: equilibria under loads that somebody drew, or snapshots of the full simulation
 * (Barbic 2007, section 2.8.2; Krysl, Lall and Marsden 2001). Offline. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/solids/solid.h"

typedef struct tacLoadShapes {
  int count;
  double *vector; /* [shape][3 numbers a vertex], m; zero at held vertices */
} tacLoadShapes;

/* Both take `constraints` and `mass` as tac_vibration_modes_blocks gives them, and the loads and the size r of `def`.
 * Errors name the load, by its first sample, and its time.
 *
 * Static: loads are thinned to at most max(64, 3 r) that differ, solved, and the shapes thinned by their mass
 * distance. Of a load that inverts elements the largest share that is carried is taken, with a warning in the log; where that is
 * less than a half it is an error. */
tacStatus tac_load_shapes_static(const tacSolid *solid, const tacReducedDef *def, const tacConstraints *constraints,
                                 const tacSparse *mass, const tacProgress *progress, tacLoadShapes *shapes,
                                 tacError *error);
/* Motion: from rest at the first load's time, a load lasting until the next; at most 300 snapshots, evenly spaced.
 * Those of a free body lack the rigid motion that fits them best. */
tacStatus tac_load_shapes_moving(const tacSolid *solid, const tacReducedDef *def, const tacConstraints *constraints,
                                 const tacSparse *mass, const tacProgress *progress, tacLoadShapes *shapes,
                                 tacError *error);
void tac_load_shapes_destroy(tacLoadShapes *shapes); /* may be called on {0} */

/* Which of `count` points in a space of `dimension` to keep so that no two are nearer than `distance`: greedily, those
 * in the densest neighbourhoods go first (radial kernel of that width). keep[count]; returns how many, -1 where memory
 * runs out. */
int tac_load_shapes_thin(int count, int dimension, const double *points, double distance, bool *keep);
