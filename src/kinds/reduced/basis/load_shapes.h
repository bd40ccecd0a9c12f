/* Deformation shapes of a solid from loads: equilibria under drawn loads, or snapshots of the full simulation (Barbic
 * 2007, section 2.8.2; Krysl, Lall and Marsden 2001). Offline. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/solids/solid.h"

typedef struct tacLoadShapes {
  int count;
  double *vector; /* [shape][3 numbers per vertex], m; zero at held vertices */
} tacLoadShapes;

/* Both use `constraints` and `mass` as given by tac_vibration_modes_blocks, and the loads and the size r of `def`.
 * Errors name the load, by its first sample, and its time.
 *
 * Static: loads are thinned to at most max(64, 3 r) distinct ones and solved; the shapes are thinned by their mass
 * distance. If a full load does not converge or inverts elements, the largest share that converges is used, with a
 * warning in the log. A share below one half is an error. */
tacStatus tac_load_shapes_static(const tacSolid *solid, const tacReducedDef *def, const tacConstraints *constraints,
                                 const tacSparse *mass, const tacProgress *progress, tacLoadShapes *shapes,
                                 tacError *error);
/* Motion: starts at rest at the first load's time; each load lasts until the next; at most 300 snapshots, evenly
 * spaced. For a free body the best-fitting rigid motion is removed. */
tacStatus tac_load_shapes_moving(const tacSolid *solid, const tacReducedDef *def, const tacConstraints *constraints,
                                 const tacSparse *mass, const tacProgress *progress, tacLoadShapes *shapes,
                                 tacError *error);
void tac_load_shapes_destroy(tacLoadShapes *shapes); /* {0} is allowed */

/* Chooses which of `count` points in `dimension` dimensions to keep so that no two are nearer than `distance`: greedily
 * removes points in the densest neighbourhoods (radial kernel of that width). keep[count]; returns the number kept, -1:
 * out of memory. */
int tac_load_shapes_thin(int count, int dimension, const double *points, double distance, bool *keep);
